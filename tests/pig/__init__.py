"""A tiny third game, the dice game Pig, to 20: rules, notation, an observation and an evaluation; the rest by default.

On your turn roll a die as often as you like; a 1 ends the turn with nothing, stopping adds what was rolled.
"""

from typing import Any

import numpy as np

from rostra.engine.game import CHANCE, OVER, Game, Knowledge, Notation, Option, Plane, Play, Rules, record
from rostra.engine.jit import State, compiled
from rostra.engine.rng import RNG, below

GOAL = 20
MAX_SEATS = 3
STATE = record(
    [
        ("n", np.int8),
        ("first", np.int8),
        ("seat", np.int8),
        ("phase", np.int8),  # 0 start seat, 1 decide, 2 die, 3 over
        ("throws", np.int16),
        ("pot", np.int16),
        ("points", np.int16, MAX_SEATS),
    ]
)
ROLL, STOP, FIRST_SEAT, FIRST_DIE = 0, 1, 2, 2 + MAX_SEATS
MOVES = [np.int32]


@compiled(None, STATE, int, MOVES)
def setup(s: State, n_seats: int, options: Any) -> None:
    s.n = n_seats
    s.first = options[0]


@compiled(int, STATE)
def turn(s: State) -> int:
    if s.phase == 1:
        return int(s.seat)
    return OVER if s.phase == 3 else CHANCE


@compiled(int, STATE, MOVES)
def legal(s: State, out: Any) -> int:
    n = 0
    if s.phase == 1:
        out[0], out[1] = ROLL, STOP
        return 2
    if s.phase == 2:
        for die in range(6):
            out[n] = FIRST_DIE + die
            n += 1
    elif s.phase == 0:
        for seat in range(s.n):
            if s.first < 0 or s.first == seat:
                out[n] = FIRST_SEAT + seat
                n += 1
    return n


@compiled(float, STATE, int)
def odds(s: State, move: int) -> float:
    if s.phase == 2:
        return 1 / 6
    return 1.0 if s.first >= 0 else 1 / s.n


@compiled(int, STATE, RNG)
def draw(s: State, rng: Any) -> int:
    if s.phase == 2:
        return FIRST_DIE + below(rng, 6)
    return FIRST_SEAT + (below(rng, s.n) if s.first < 0 else s.first)


@compiled(None, STATE, int)
def apply(s: State, move: int) -> None:
    if s.phase == 0:
        s.seat = move - FIRST_SEAT
        s.phase = 1
    elif s.phase == 1 and move == ROLL:
        s.phase = 2
    elif s.phase == 1:
        s.points[s.seat] += s.pot
        s.pot = 0
        if s.points[s.seat] >= GOAL:
            s.phase = 3
        else:
            s.seat = (s.seat + 1) % s.n
    else:
        s.throws += 1
        s.phase = 1
        if move == FIRST_DIE:
            s.pot = 0
            s.seat = (s.seat + 1) % s.n
        else:
            s.pot += move - FIRST_DIE + 1


@compiled(None, STATE, [[np.int32]])
def score(s: State, out: Any) -> None:
    most = 0
    for seat in range(s.n):
        most = max(most, int(s.points[seat]))
    for seat in range(s.n):
        out[0, seat] = s.points[seat]
        out[1, seat] = 0
        out[2, seat] = 1 if s.points[seat] == most else 0


def pool(s: State) -> int | list[str]:
    return 1 if s.phase == 2 else [f"=s{seat}" for seat in range(s.n) if s.first < 0 or s.first == seat]


def text(s: State, move: int) -> str:
    if move < FIRST_SEAT:
        return ("roll", "stop")[move]
    return f"=s{move - FIRST_SEAT}" if move < FIRST_DIE else f"={move - FIRST_DIE + 1}"


@compiled(None, STATE, int, [np.float32])
def observe(s: State, seat: int, out: Any) -> None:
    out[0] = s.pot / GOAL
    for step in range(MAX_SEATS):
        out[1 + step] = s.points[(seat + step) % s.n] / GOAL if step < s.n else 0


@compiled(float, STATE, int)
def evaluate(s: State, seat: int) -> float:
    own = float(s.points[seat])
    if s.seat == seat:
        own += s.pot if s.phase == 1 else max(0.0, 10.0 - s.pot)
    return own


PIG = Game(
    Rules(
        name="pig",
        title="Pig",
        seats=(2, MAX_SEATS),
        options=(Option("start_seat", ("random", "0", "1", "2"), (-1, 0, 1, 2), "who begins", names_seats=True),),
        state=STATE,
        n_decisions=2,
        n_outcomes=MAX_SEATS + 6,
        max_legal=6,
        setup=setup,
        turn=turn,
        legal=legal,
        odds=odds,
        draw=draw,
        apply=apply,
        score=score,
    ),
    Notation(text=text, pool=pool, end=lambda s: "goal-reached"),
    Knowledge(
        observe=observe, planes=(Plane("pot", (1,), "points at stake"), Plane("points", (MAX_SEATS,), "own seat first"))
    ),
    play=Play(evaluate=evaluate),
)
