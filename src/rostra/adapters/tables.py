"""The meaning of rewards, actions and observation planes; `python -m rostra.adapters.tables alea` prints it.

The tables are generated from the game. An action can have several texts (a reroll names dice by their place in the
sorted roll), so the table lists those met in random play, and a dash for an action that was never legal there.
"""

import argparse
from collections.abc import Iterator

import numpy as np

from rostra.engine import rng
from rostra.engine.game import CHANCE, OVER, POINTS, WINNER, BadOption, Game
from rostra.engine.jit import Array
from rostra.games import GAMES, find_game
from rostra.study.ratings import shares_of_win

VERSIONS = {"quovadis": 3}
"""By game, 1 for the others: increased when the meaning of an action, an observation or a reward changes."""
REWARDS = ("share", "points")
TABLE_GAMES = 100
"""Random games from which texts of actions are collected."""


def environment_id(game: Game) -> str:
    """The versioned name of a game's environments."""
    return f"rostra_{game.name}_v{VERSIONS.get(game.name, 1)}"


def registry_id(game: Game) -> str:
    """The same in the registries of PettingZoo and Gymnasium, which name the version in their own way."""
    return f"rostra/{game.name}-v{VERSIONS.get(game.name, 1)}"


def check_reward(kind: str) -> None:
    """Refuse an unknown kind of reward."""
    if kind not in REWARDS:
        raise BadOption(f"the reward is one of {', '.join(REWARDS)}, not {kind!r}")


def rewards(scores: Array, kind: str) -> Array:
    """The rewards of all seats for what `Rules.score` wrote, or for a batch of it.

    The kind `share` is the share of the win, scaled so that all seats sum to 0 and a sole winner has 1: the others then
    have -1 / (seats - 1). If nobody won, all have 0.
    """
    if kind == "points":
        return scores[..., POINTS, :].astype(np.float64)
    winners = scores[..., WINNER, :]
    seats = winners.shape[-1]
    centred = (shares_of_win(winners) * seats - 1) / (seats - 1)
    return np.where(winners.any(-1, keepdims=True), centred, 0.0)


def action_texts(game: Game, games: int = TABLE_GAMES, most: int = 3) -> list[list[str]]:
    """Some texts of each action, from random games with every number of seats."""
    texts: list[list[str]] = [[] for _ in range(game.rules.n_decisions)]
    chance = rng.generator(1)
    buffer = np.empty(game.rules.max_legal, np.int32)
    fewest, most_seats = game.rules.seats
    for number in range(games):
        s = game.new(fewest + number % (most_seats - fewest + 1))
        while (turn := game.rules.turn(s)) != OVER:
            if turn == CHANCE:
                game.rules.apply(s, game.rules.draw(s, chance))
                continue
            for move in game.legal_moves(s):
                known = texts[move]
                if len(known) < most and (text := game.notation.text(s, move)) not in known:
                    known.append(text)
            game.rules.apply(s, game.play.random_move(s, buffer, chance))
    return texts


def action_table(game: Game, games: int = TABLE_GAMES) -> Iterator[str]:
    """The table of actions, line by line."""
    yield "action  texts"
    for action, texts in enumerate(action_texts(game, games)):
        yield f"{action:6}  {', '.join(texts) or '-'}"


def plane_table(game: Game) -> Iterator[str]:
    """The table of observation planes, line by line."""
    yield "numbers    shape      plane"
    first = 0
    for plane in game.knowledge.planes:
        numbers = f"{first}-{first + plane.size - 1}"
        shape = " x ".join(map(str, plane.shape))
        yield f"{numbers:9}  {shape:9}  {plane.name}: {plane.help}"
        first += plane.size


def main() -> None:
    """Print the tables of a game."""
    parser = argparse.ArgumentParser(description="What the numbers of a game's environments mean.")
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("--games", type=int, default=TABLE_GAMES, help="random games to collect texts from")
    chosen = parser.parse_args()
    game = find_game(chosen.game)
    numbers = game.knowledge.observation_size
    print(f"{environment_id(game)}: {game.rules.n_decisions} actions, {numbers} numbers in an observation\n")
    print(*plane_table(game), sep="\n")
    print()
    print(*action_table(game, chosen.games), sep="\n")


if __name__ == "__main__":
    main()
