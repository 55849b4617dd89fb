"""The net's view of Alea Iacta Est and the exact reroll table, against slow reckoning by the rules."""

import random
from typing import Any

import numpy as np
import pytest

from conftest import walk
from games.alea.test_secrets import other_world
from rostra.bots import learned
from rostra.engine import rng
from rostra.engine.game import OVER, copy
from rostra.games.alea import ALEA
from rostra.games.alea.minds import MIND
from rostra.games.alea.tables import AGAIN, PLACE, REROLL, ROLL, kind_of


def inputs_of(s: Any, seat: int) -> Any:
    out = np.zeros(MIND.n_inputs, np.float32)
    MIND.features(s, seat, out, np.zeros(MIND.n_work, np.int64))
    return out


def slow_value(s: Any, style: str, rerolls: int) -> float:
    """What a state with dice rolled or about to be rolled is worth to who rolls, outcome by outcome."""
    if s.phase in (ROLL, REROLL):
        total = 0.0
        for outcome in ALEA.legal_moves(s):
            after = copy(s)
            ALEA.rules.apply(after, outcome)
            total += ALEA.rules.odds(s, outcome) * slow_value(after, style, rerolls)
        return total
    seat, best = int(s.seat), -1e9
    for move in ALEA.legal_moves(s):
        after = copy(s)
        ALEA.rules.apply(after, move)
        if kind_of(move) != AGAIN:
            best = max(best, learned.worth_of(ALEA, after, seat))
        elif rerolls:
            best = max(best, slow_value(after, style, rerolls - 1))
    return best


def test_the_reroll_table_is_exact() -> None:
    checked = 0
    for s, _ in walk(ALEA, 2, 5):
        if s.phase == ROLL and s.dice[s.seat] == 2 and checked < 4:
            start = copy(s)
            start.chips[start.seat] = checked % 3
            style = "quick"  # one reroll is reckoned with
            assert abs(expected(start, style) - slow_value(start, style, min(1, int(start.chips[start.seat])))) < 1e-6
            ALEA.rules.apply(start, ALEA.rules.draw(start, rng.generator(checked)))
            moves, values = learned.weigh(ALEA, start, style)
            for move, value in zip(moves.tolist(), values.tolist(), strict=True):
                after = copy(start)
                ALEA.rules.apply(after, move)
                slow = learned.worth_of(ALEA, after, int(start.seat))
                if kind_of(move) == AGAIN:
                    slow = slow_value(after, style, 0)
                assert abs(value - slow) < 1e-6, ALEA.notation.text(start, move)
            checked += 1
    assert checked == 4


def expected(s: Any, style: str) -> float:
    states = np.zeros(8, ALEA.rules.state)
    states[0] = s
    assert MIND.expect is not None
    net, buffer = learned.weights(ALEA, int(s.n)), np.empty(ALEA.rules.max_legal, np.int32)
    return MIND.expect(states, net, learned.style_of(ALEA, style), buffer, np.zeros(MIND.n_work, np.int64))


def test_two_rerolls_are_worth_more_than_one() -> None:
    gains = []
    for s, _ in walk(ALEA, 2, 6):
        if s.phase == ROLL and s.dice[s.seat] >= 3:
            start = copy(s)
            start.chips[start.seat] = 3
            one, more, none = (expected(start, style) for style in ("quick", "", "still"))
            assert none <= one <= more
            gains.append(more - one)
    assert max(gains) > 0


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_a_hid_1_inputs_are_bounded_and_blind(n_seats: int) -> None:
    chooser = random.Random(n_seats)
    for s, _ in walk(ALEA, n_seats, 40 + n_seats):
        if chooser.random() < 0.2:
            seat = chooser.randrange(n_seats)
            inputs = inputs_of(s, seat)
            assert np.isfinite(inputs).all() and np.abs(inputs).max() < 8
            assert (inputs_of(other_world(s, seat, chooser), seat) == inputs).all()


def test_inputs_do_not_depend_on_what_is_remembered() -> None:
    work = np.zeros(MIND.n_work, np.int64)
    for s, _ in walk(ALEA, 4, 9):
        for seat in range(4):
            out = np.zeros(MIND.n_inputs, np.float32)
            MIND.features(s, seat, out, work)
            assert (out == inputs_of(s, seat)).all()


def test_what_is_foretold_adds_up() -> None:
    for s, _ in walk(ALEA, 3, 2):
        if s.phase == PLACE:
            assert abs(sum(learned.chances(ALEA, s)) - 1) < 1e-9
            told = learned.heads(ALEA, s, int(s.seat))
            assert [*told] == [*MIND.heads] and 0 < told["win"] < 1
        elif ALEA.rules.turn(s) == OVER:
            assert max(MIND.margin(s, seat) for seat in range(3)) >= 0
