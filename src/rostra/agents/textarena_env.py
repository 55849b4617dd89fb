"""The games in TextArena: `rostra.agents.textarena_env.register()`, then `textarena.make("Rostra-QuoVadis-v0")`.

Agents read the rules once, then what has happened since their last decision, and answer as everywhere (`prompts`). What
an agent says to all is heard by all.
"""

import secrets
from collections.abc import Mapping
from typing import Any

from rostra.agents import prompts
from rostra.engine.game import Game, RostraError
from rostra.engine.rng import SEEDS
from rostra.extras import need
from rostra.games import GAMES, find_game
from rostra.play.match import Match

need("textarena", "TextArena")

import textarena

VERSION = 0
RETRIES = 2
"""Answers of one decision that may be wrong before a move is made for the player."""


class RostraEnv(textarena.Env):  # type: ignore[misc]  # it has no types
    """A match as TextArena wants it."""

    def __init__(self, game: str | Game, options: Mapping[str, str] | None = None) -> None:
        self.game, self.options = find_game(game), dict(options or {})

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """A new match; the same seed has the same dice."""
        self.state = textarena.FFAMultiPlayerState(num_players=num_players, error_allowance=RETRIES)
        self.match = Match(self.game, num_players, self.options, secrets.randbelow(SEEDS) if seed is None else seed)
        self.said: list[tuple[int, int, str]] = []
        self.told = [0] * num_players
        self.state.reset(
            game_state={}, player_prompt_function=lambda player_id, game_state: prompts.opening(self.match, player_id)
        )
        self.errors = 0
        self._ask()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """One answer of the player who is to decide."""
        seat, kinds = self.state.current_player_id, textarena.ObservationType
        answer = prompts.understood(action)
        self.state.add_observation(from_id=seat, to_id=seat, message=action, observation_type=kinds.PLAYER_ACTION)
        if answer.say:
            self.said.append((len(self.match.events), seat, answer.say))
        problem = answer.problem
        if not problem and not answer.asks:
            try:
                self.match = prompts.attempt(self.match, seat, answer.moves)
            except RostraError as error:
                problem = str(error).partition("; legal:")[0]
        if problem:
            self.errors += 1
            self.state.game_info[seat]["invalid_move"] = True
            if self.errors > RETRIES:
                self.match = prompts.attempt(self.match, seat, self.match.legal()[:1])
                problem = ""
        if not problem and not answer.asks:
            self.errors = 0
        self._ask(legal=answer.asks, problem=problem)
        return self.state.done, {}

    def close(self) -> tuple[dict[int, float], dict[int, Any]]:
        """Rewards and what is known of each player."""
        return self.state.rewards, self.state.game_info

    def _ask(self, *, legal: bool = False, problem: str = "") -> None:
        """Tell whoever is to decide what has happened and where the match stands; or end it."""
        match, state, kinds = self.match, self.state, textarena.ObservationType
        if match.over:
            result = match.result()
            assert result is not None
            state.rewards = _rewards(len(match.names), result.winners)
            for seat, points in enumerate(result.points):
                state.game_info[seat] |= {"reason": result.end, "points": points}
            state.done = True
            return
        assert match.turn is not None  # chance is the seed's
        seat = match.turn
        if seat != state.current_player_id:
            state.current_player_id = seat
        state.game_info[seat]["turn_count"] += 1
        lines = prompts.history(match, seat, self.said)
        news, self.told[seat] = lines[self.told[seat] :], len(lines)
        if news:
            state.add_observation(to_id=seat, message="\n".join(news), observation_type=kinds.GAME_MESSAGE)
        asked = prompts.situation(match, seat, legal=legal, problem=problem)
        state.add_observation(to_id=seat, message=asked, observation_type=kinds.GAME_BOARD)


def _rewards(n: int, winners: list[int]) -> dict[int, float]:
    """As in our other adapters: a sole winner gets 1, all rewards sum to 0; nobody won: 0 for all."""
    k = len(winners)
    return {seat: 0.0 if not k else ((n / k if seat in winners else 0) - 1) / (n - 1) for seat in range(n)}


def register() -> list[str]:
    """Register our games with TextArena; returns their names."""
    names = []
    for game in GAMES.values():
        name = f"Rostra-{game.title.rstrip('?').title().replace(' ', '')}-v{VERSION}"
        if name not in textarena.envs.registration.ENV_REGISTRY:
            wrapper = [textarena.wrappers.LLMObservationWrapper]
            textarena.register(name, entry_point=RostraEnv, default_wrappers=wrapper, game=game.name)
        names.append(name)
    return names
