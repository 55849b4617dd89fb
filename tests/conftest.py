"""Shared by all tests: the games, a random walk, and a third game registered beside the real ones."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pig import PIG
from rostra.bots import prepare
from rostra.engine.game import OVER, Game
from rostra.games import GAMES
from rostra.games.alea import invariants as alea_invariants
from rostra.games.quovadis import invariants as quovadis_invariants

for _game in GAMES.values():
    prepare(_game)  # what compiles later would say so on the error stream, which tests look at
GAMES[PIG.name] = PIG


def check_pig(s: Any) -> None:
    assert 2 <= s.n <= PIG.rules.seats[1]
    assert 0 <= s.seat < s.n
    assert s.points.min() >= 0


CHECKS: dict[str, Callable[[Any], None]] = {
    "alea": alea_invariants.check,
    "quovadis": quovadis_invariants.check,
    "pig": check_pig,
}
"""For each game a function that raises AssertionError where an invariant of the rules is broken."""
ENDS = {
    "alea": ("sets-played",),
    "quovadis": ("senate-full", "stalled", "consul-elected"),
    "pig": ("goal-reached",),
}
EVERY_GAME = [
    pytest.param(game, n_seats, id=f"{game.name}-{n_seats}")
    for game in GAMES.values()
    for n_seats in range(game.rules.seats[0], game.rules.seats[1] + 1)
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the arguments `game` and `n_seats` runs for every game and number of players."""
    if {"game", "n_seats"} <= set(metafunc.fixturenames):
        metafunc.parametrize(("game", "n_seats"), EVERY_GAME)


def walk(game: Game, n_seats: int, seed: int, options: dict[str, str] | None = None) -> Iterator[tuple[Any, int]]:
    """A random game: yields each state and the move about to be made, uniformly chosen, outcomes too."""
    chooser = random.Random(f"{game.name}/{n_seats}/{seed}")
    s = game.new(n_seats, options)
    while game.rules.turn(s) != OVER:
        move = chooser.choice(game.legal_moves(s))
        yield s, move
        game.rules.apply(s, move)
    yield s, -1
