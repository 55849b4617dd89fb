"""Searching bots: legal, repeatable, blind, and they see what one step does not show."""

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from conftest import walk
from games.alea.test_secrets import other_world
from pig import PIG, ROLL, STOP
from rostra.bots.search import flat, tree
from rostra.engine import rng
from rostra.engine.game import CHANCE, OVER, WINNER, BadOption, Game, copy, digest
from rostra.engine.jit import Array, State
from rostra.engine.loops import loops_of
from rostra.games.alea import ALEA
from rostra.games.quovadis import QUO_VADIS

Search = Callable[[Game, State, Array, int], int]


def by_playouts(game: Game, known: State, generator: Array, budget: int) -> int:
    return flat(game, known, budget, generator)


def by_tree(game: Game, known: State, generator: Array, budget: int) -> int:
    return tree(game, known, generator, iterations=budget)


both = pytest.mark.parametrize("search", [by_playouts, by_tree])


def decisions(game: Game, n_seats: int, seed: int, number: int) -> Iterator[State]:
    """Some states of a random game in which there is something to decide, far apart."""
    states = [copy(s) for s, _ in walk(game, n_seats, seed) if game.rules.turn(s) >= 0 and len(game.legal_moves(s)) > 1]
    yield from random.Random(seed).sample(states, min(number, len(states)))


def pig(points: list[int], pot: int) -> Any:
    """Seat 0 is to roll or stop."""
    s = PIG.new(len(points), {"start_seat": "0"})
    PIG.rules.apply(s, PIG.legal_moves(s)[0])
    s.points[: len(points)] = points
    s.pot = pot
    return s


@both
def test_moves_are_legal_repeat_and_leave_the_state_alone(game: Game, n_seats: int, search: Search) -> None:
    for seed, s in enumerate(decisions(game, n_seats, 5, 4)):
        before = digest(s)
        move = search(game, s, rng.generator(seed), 40)
        assert move in game.legal_moves(s)
        assert search(game, s, rng.generator(seed), 40) == move
        assert digest(s) == before


@both
def test_the_seed_matters(search: Search) -> None:
    """With a handful of playouts luck decides: a search that does not use its generator would always agree."""
    found = [{search(ALEA, s, rng.generator(seed), 8) for seed in range(12)} for s in decisions(ALEA, 2, 3, 8)]
    assert max(map(len, found)) > 1


@both
@pytest.mark.parametrize("n_seats", [2, 4])
def test_a_hid_2_a_search_is_blind(n_seats: int, search: Search) -> None:
    """Hidden pieces swapped by hand and dealt anew by another seed: the same move."""
    chooser = random.Random(n_seats)
    different = 0
    for s in decisions(ALEA, n_seats, 8, 60):
        seat = ALEA.rules.turn(s)
        known, other = copy(s), other_world(s, seat, chooser)
        ALEA.knowledge.redeal(known, seat, rng.generator(1))
        ALEA.knowledge.redeal(other, seat, rng.generator(2))
        if digest(known) != digest(other) and different < 10:
            different += 1
            assert search(ALEA, known, rng.generator(3), 60) == search(ALEA, other, rng.generator(3), 60)
    assert different == 10


@both
def test_a_win_in_one_is_found_in_pig(search: Search) -> None:
    for seed in range(10):
        assert search(PIG, pig([15, 19], 5), rng.generator(seed), 30) == STOP


@both
def test_a_win_in_one_is_found_in_alea(search: Search) -> None:
    """The last choices of games: some moves win, some lose."""
    found = 0
    for seed in range(60):
        for s, _ in walk(ALEA, 2, 200 + seed):
            moves = ALEA.legal_moves(s)
            if s.set < 5 or ALEA.rules.turn(s) < 0 or len(moves) < 2:
                continue
            wins = {move for move in moves if wins_at_once(s, move)}
            if 0 < len(wins) < len(moves):
                found += 1
                assert search(ALEA, s, rng.generator(seed), 60) in wins
    assert found > 2


def wins_at_once(s: State, move: int) -> bool:
    after = copy(s)
    ALEA.rules.apply(after, move)
    if ALEA.rules.turn(after) != OVER:
        return False
    results = np.zeros((3, 2), np.int32)
    ALEA.rules.score(after, results)
    return bool(results[WINNER, ALEA.rules.turn(s)])


@both
def test_a_search_sees_what_one_step_does_not_show(search: Search) -> None:
    """The other is about to win, so 16 points are nothing; one step ahead, stopping looks better."""
    s = pig([10, 19], 6)
    states, buffer = np.zeros(2, PIG.rules.state), np.empty(PIG.rules.max_legal, np.int32)
    states[0] = s
    assert loops_of(PIG).greedy(0, states, buffer, rng.generator()) == STOP
    for seed in range(5):
        assert search(PIG, s, rng.generator(seed), 400) == ROLL


@both
@pytest.mark.parametrize("n_seats", [2, 3])
def test_it_beats_the_random_player(n_seats: int, search: Search) -> None:
    for seed in range(2):
        seat = seed % n_seats
        s, chance = ALEA.new(n_seats), rng.generator(seed)
        buffer = np.empty(ALEA.rules.max_legal, np.int32)
        while (mover := ALEA.rules.turn(s)) != OVER:
            if mover == CHANCE:
                move = ALEA.rules.draw(s, chance)
            elif mover == seat:
                move = search(ALEA, s, chance, 20)
            else:
                move = ALEA.play.random_move(s, buffer, chance)
            ALEA.rules.apply(s, move)
        results = np.zeros((3, n_seats), np.int32)
        ALEA.rules.score(s, results)
        assert results[WINNER].tolist() == [int(other == seat) for other in range(n_seats)]


def test_a_draft_is_searched_too() -> None:
    """Where a seat has hundreds of terms to choose from, and where it answers."""
    most = 0
    for s in decisions(QUO_VADIS, 3, 4, 12):
        moves = QUO_VADIS.legal_moves(s)
        most = max(most, len(moves))
        assert tree(QUO_VADIS, s, rng.generator(1), iterations=16) in moves
    assert most > 50


def test_a_budget_in_seconds_gives_a_legal_move() -> None:
    for s in decisions(ALEA, 3, 6, 3):
        assert tree(ALEA, s, rng.generator(), seconds=0.02) in ALEA.legal_moves(s)


def test_a_small_budget_is_enough_to_answer(game: Game, n_seats: int) -> None:
    for s in decisions(game, n_seats, 7, 2):
        for budget in (1, 2, 3):
            assert flat(game, s, budget, rng.generator()) in game.legal_moves(s)
            assert tree(game, s, rng.generator(), iterations=budget) in game.legal_moves(s)


def test_bad_budgets_are_refused() -> None:
    s = pig([0, 0], 0)
    with pytest.raises(BadOption, match="at least 1 playout, not 0"):
        flat(PIG, s, 0, rng.generator())
    with pytest.raises(BadOption, match="one budget"):
        tree(PIG, s, rng.generator())
    with pytest.raises(BadOption, match="one budget"):
        tree(PIG, s, rng.generator(), iterations=5, seconds=1.0)
    with pytest.raises(BadOption, match="above 0, not -1"):
        tree(PIG, s, rng.generator(), seconds=-1)


CHOICES = """
from rostra.engine import rng
from rostra.bots.search import flat, tree
from pig import PIG
s = PIG.new(3, {"start_seat": "0"})
PIG.rules.apply(s, PIG.legal_moves(s)[0])
for pot in range(0, 18, 3):
    s.pot = pot
    print(flat(PIG, s, 30, rng.generator(pot)), tree(PIG, s, rng.generator(pot), iterations=60))
"""


def test_interpreted_code_chooses_the_same() -> None:
    chosen = set()
    for interpreted in ("0", "1"):
        environment = {**os.environ, "ROSTRA_INTERPRETED": interpreted, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run([sys.executable, "-c", CHOICES], env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        chosen.add(run.stdout)
    assert len(chosen) == 1
