"""Compiled loops: counts of move sequences, and the order of legal moves, pinned."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import walk
from rostra.engine import rng
from rostra.engine.game import CHANCE, OVER, Game, copy
from rostra.engine.loops import loops_of
from rostra.games import GAMES

PINNED = json.loads((Path(__file__).parents[1] / "data" / "perft.json").read_text(encoding="utf-8"))


def perft(game: Game, n_seats: int, depth: int) -> int:
    states = np.zeros(depth + 1, game.rules.state)
    states[0] = game.new(n_seats)
    buffers = np.zeros((depth + 1, game.rules.max_legal), np.int32)
    return loops_of(game).perft(states, depth, 1, buffers, rng.generator())


def slow_perft(game: Game, s: Any, depth: int) -> int:
    while game.rules.turn(s) == CHANCE:
        generator = rng.generator()
        rng.reseed(generator, 1, game.play.stream(s))
        game.rules.apply(s, game.rules.draw(s, generator))
    if game.rules.turn(s) == OVER:
        return 0
    if depth == 1:
        return len(game.legal_moves(s))
    count = 0
    for move in game.legal_moves(s):
        after = copy(s)
        game.rules.apply(after, move)
        count += slow_perft(game, after, depth - 1)
    return count


def order_digest(game: Game, n_seats: int) -> str:
    """A hash of all legal texts in their order along one random game."""
    texts = hashlib.sha256()
    for s, move in walk(game, n_seats, 11):
        if move >= 0 and game.rules.turn(s) != CHANCE:
            texts.update(" ".join(game.notation.text(s, one) for one in game.legal_moves(s)).encode())
    return texts.hexdigest()[:16]


def test_perft_counts_as_a_plain_recursion_does(game: Game, n_seats: int) -> None:
    assert perft(game, n_seats, 2) == slow_perft(game, game.new(n_seats), 2)


@pytest.mark.parametrize("key", sorted(PINNED))
def test_perft_and_move_order_are_as_ever(key: str) -> None:
    name, seats = key.rsplit("-", 1)
    game, n_seats = GAMES[name], int(seats)
    depths = range(1, len(PINNED[key]["perft"]) + 1)
    assert [perft(game, n_seats, depth) for depth in depths] == PINNED[key]["perft"]
    assert order_digest(game, n_seats) == PINNED[key]["order"]


if __name__ == "__main__":  # PYTHONPATH=tests python tests/engine/test_loops.py > tests/data/perft.json
    found = {
        f"{name}-{n}": {
            "perft": [perft(GAMES[name], n, depth) for depth in range(1, depths + 1)],
            "order": order_digest(GAMES[name], n),
        }
        for name, depths in (("alea", 5), ("quovadis", 4))
        for n in range(GAMES[name].rules.seats[0], GAMES[name].rules.seats[1] + 1)
    }
    print(json.dumps(found, indent=1))
