"""What the numbers of every adapter mean (rewards, actions, planes): `python -m rostra.adapters.tables alea` prints it.

The tables are made by asking the game, not kept by hand, and name no concrete game. What a newcomer would get wrong: an
action can have several texts (a reroll names dice by their place in the sorted roll), so its texts are those met in
play, and a dash stands beside actions that were never legal in the games played for the table.
"""

import argparse
from collections.abc import Iterator

import numpy as np

from rostra.engine import rng
from rostra.engine.game import CHANCE, OVER, POINTS, WINNER, BadOption, Game
from rostra.engine.jit import Array
from rostra.games import GAMES, find_game

VERSION = 1
"""Of actions, observations and rewards: another number when one of them changes its meaning."""
REWARDS = ("share", "points")
TABLE_GAMES = 100


def environment_id(game: Game) -> str:
    """The versioned name of a game's environments."""
    return f"rostra_{game.name}_v{VERSION}"


def check_reward(kind: str) -> None:
    """Refuse a reward that there is not."""
    if kind not in REWARDS:
        raise BadOption(f"the reward is one of {', '.join(REWARDS)}, not {kind!r}")


def rewards(scores: Array, kind: str) -> Array:
    """The rewards of all seats for what `Game.score` wrote, or for a batch of it.

    A share of the win is 1 split among the winners, moved and stretched so that all seats sum to 0 and a sole winner
    has 1: the others then have -1 / (seats - 1). Whoever did not qualify is no winner; if nobody won, all have 0.
    """
    if kind == "points":
        return scores[..., POINTS, :].astype(np.float64)
    winners = scores[..., WINNER, :].astype(np.float64)
    number = winners.sum(-1, keepdims=True)
    seats = winners.shape[-1]
    shares: Array = np.divide(winners, number, out=np.full_like(winners, 1 / seats), where=number > 0)
    centred: Array = (shares * seats - 1) / (seats - 1)
    return centred


def action_texts(game: Game, games: int = TABLE_GAMES, most: int = 3) -> list[list[str]]:
    """For each action some of its texts, from games of the random player with every number of seats."""
    texts: list[list[str]] = [[] for _ in range(game.rules.n_decisions)]
    chance = rng.generator(1)
    room = np.empty(game.rules.max_legal, np.int32)
    fewest, more = game.rules.seats
    for number in range(games):
        s = game.new(fewest + number % (more - fewest + 1))
        while (turn := game.rules.turn(s)) != OVER:
            if turn == CHANCE:
                game.rules.apply(s, game.rules.draw(s, chance))
                continue
            for move in game.legal_moves(s):
                known = texts[move]
                if len(known) < most and (text := game.notation.text(s, move)) not in known:
                    known.append(text)
            game.rules.apply(s, game.play.random_move(s, room, chance))
    return texts


def action_table(game: Game, games: int = TABLE_GAMES) -> Iterator[str]:
    """The lines of the table of actions."""
    yield "action  texts"
    for action, texts in enumerate(action_texts(game, games)):
        yield f"{action:6}  {', '.join(texts) or '-'}"


def plane_table(game: Game) -> Iterator[str]:
    """The lines of the table of observation planes."""
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
