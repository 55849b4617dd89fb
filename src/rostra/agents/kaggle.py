"""The games in the form of Kaggle's environments: a specification, an interpreter, a renderer, and agents.

`kaggle_environments.register("rostra_quovadis", environment("quovadis"))`, then `make("rostra_quovadis")`. The active
agent's observation has the prompt; its action is `{"submission": text}` or the text, answered as everywhere (`prompts`).
Nothing here imports Kaggle's package.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rostra.agents import prompts
from rostra.agents.harness import ILLEGAL, UNPARSABLE, Agent, random_words
from rostra.engine.game import RostraError
from rostra.games import find_game
from rostra.play.match import Match

VERSION = "1.0.0"
STEPS = 5000


def environment(game: str) -> dict[str, Any]:
    """What `kaggle_environments.register` takes."""
    return {
        "specification": specification(game),
        "interpreter": Interpreter(game),
        "renderer": renderer,
        "html_renderer": lambda: "",
        "agents": {"random": kaggle_agent(random_words())},
    }


def specification(game: str) -> dict[str, Any]:
    """The game as Kaggle describes environments."""
    found = find_game(game)
    fewest, most = found.rules.seats
    options = {one.name: {"description": one.help, "type": "string", "enum": [*one.values], "default": one.values[0]}
               for one in found.rules.options}  # fmt: skip
    return {
        "name": f"rostra_{found.name}",
        "title": found.title,
        "description": prompts.rules(found),
        "version": VERSION,
        "agents": [*range(fewest, most + 1)],
        "configuration": {
            "episodeSteps": {"description": "Most answers in a match.", "type": "integer", "default": STEPS},
            "seed": {"description": "The seed of the dice.", "type": "integer", "default": 0},
            **options,
        },
        "reward": {"description": "Points at the end.", "type": ["number", "null"], "default": None},
        "observation": {
            "prompt": {"description": "What the active agent is asked.", "type": "string", "default": ""},
            "problem": {"description": "Why the last answer was refused.", "type": "string", "default": ""},
        },
        "action": {"description": "An answer, or {submission: answer}.", "type": ["string", "object"], "default": ""},
        "reset": {"status": ["ACTIVE"] + ["INACTIVE"] * (most - 1), "reward": None},
    }


class Interpreter:
    """Carries a match on, step by step. The match is rebuilt from its moves, which are kept in `env.info`."""

    def __init__(self, game: str) -> None:
        self.game = find_game(game)

    def __call__(self, state: Sequence[Any], env: Any) -> Sequence[Any]:
        """One step: the active agent's action, and what everybody observes then."""
        info = env.info
        if env.done or "rostra" not in info:
            info["rostra"] = {"moves": [], "said": [], "unparsable": 0, "illegal": 0, "counts": [0] * len(state)}
            return self._tell(state, self._match(state, env), info["rostra"])
        kept = info["rostra"]
        match = self._match(state, env)
        seat = match.turn
        assert seat is not None  # chance is the seed's
        answer = prompts.understood(_text(state[seat].action))
        if answer.say:
            kept["said"].append((len(match.events), seat, answer.say))
        problem, kind = answer.problem, "unparsable"
        if not problem and not answer.asks:
            kind = "illegal"
            before = len(match.log)
            try:
                match = prompts.attempt(match, seat, answer.moves)
                kept["moves"] += [ply.move for ply in match.log[before:] if ply.seat is not None]
            except RostraError as error:
                problem = str(error).partition("; legal:")[0]
        if problem:
            kept[kind] += 1
            if kept["unparsable"] > UNPARSABLE or kept["illegal"] > ILLEGAL:
                move = match.legal()[0]
                match.play(move, seat)
                kept["moves"].append(move)
                kept["counts"][seat] += 1
                problem = ""
        if not problem and not answer.asks:
            kept["unparsable"] = kept["illegal"] = 0
        return self._tell(state, match, kept, legal=answer.asks, problem=problem)

    def _match(self, state: Sequence[Any], env: Any) -> Match:
        """The match as its moves so far have left it."""
        options = {one.name: env.configuration[one.name] for one in self.game.rules.options
                   if one.name in env.configuration}  # fmt: skip
        match = Match(self.game, len(state), options, int(env.configuration.get("seed") or 0))
        for move in env.info.get("rostra", {"moves": []})["moves"]:
            match.play(move)
        return match

    def _tell(
        self, state: Sequence[Any], match: Match, kept: Mapping[str, Any], *, legal: bool = False, problem: str = ""
    ) -> Sequence[Any]:
        result = match.result()
        for seat, agent in enumerate(state):
            agent.observation.prompt = agent.observation.problem = ""
            if result is not None:
                agent.status, agent.reward = "DONE", result.points[seat] if match.over else None
            elif seat != match.turn:
                agent.status = "INACTIVE"
            else:
                agent.status = "ACTIVE"
                said = [(number, by, text) for number, by, text in kept["said"]]
                agent.observation.prompt = prompts.prompt(match, seat, said, legal=legal, problem=problem)
                agent.observation.problem = problem
        return state


def _text(action: Any) -> str:
    if isinstance(action, Mapping):
        action = action.get("submission", "")
    return action if isinstance(action, str) else json.dumps(action)


def kaggle_agent(agent: Agent) -> Callable[[Any, Any], dict[str, str]]:
    """An agent in words as Kaggle calls agents: agent(observation, configuration)."""

    def play(observation: Any, configuration: Any = None) -> dict[str, str]:
        asked = observation["prompt"]
        return {"submission": agent(asked) if asked else ""}

    return play


def renderer(state: Sequence[Any], env: Any) -> str:
    """The match so far, as text."""
    moves = env.info.get("rostra", {"moves": []})["moves"]
    return f"{len(moves)} moves: {' '.join(moves[-20:])}\n"
