"""Nim as a package of somebody else: take one to three matches; whoever takes the last one wins."""

from typing import Any

import numpy as np

from rostra.engine.game import OVER, Game, Notation, Rules, record
from rostra.engine.jit import State, compiled
from rostra.engine.rng import RNG

STATE = record([("n", np.int8), ("seat", np.int8), ("left", np.int8)])


@compiled(None, STATE, int, [np.int32])
def setup(s: State, n_seats: int, options: Any) -> None:
    s.n = n_seats
    s.left = 12


@compiled(int, STATE)
def turn(s: State) -> int:
    return int(s.seat) if s.left else OVER


@compiled(int, STATE, [np.int32])
def legal(s: State, out: Any) -> int:
    n = min(3, int(s.left))
    for taken in range(n):
        out[taken] = taken
    return n


@compiled(float, STATE, int)
def odds(s: State, move: int) -> float:
    return 0.0  # there is no chance


@compiled(int, STATE, RNG)
def draw(s: State, rng: Any) -> int:
    return 0


@compiled(None, STATE, int)
def apply(s: State, move: int) -> None:
    s.left -= move + 1
    if s.left:
        s.seat = (s.seat + 1) % s.n


@compiled(None, STATE, [[np.int32]])
def score(s: State, out: Any) -> None:
    for seat in range(s.n):
        out[0, seat] = out[2, seat] = 1 if seat == s.seat and not s.left else 0
        out[1, seat] = 0


NIM = Game(
    Rules(
        name="nim", title="Nim", seats=(2, 3), state=STATE, n_decisions=3, n_outcomes=0, max_legal=3,
        setup=setup, turn=turn, legal=legal, odds=odds, draw=draw, apply=apply, score=score,
    ),
    Notation(text=lambda s, move: f"take {move + 1}"),
)  # fmt: skip
