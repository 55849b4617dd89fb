"""What only simulations of Quo Vadis? need: a random player, which moves negotiate, and what to count.

The random player first chooses a kind of move, then a move of that kind: an even choice among all legal moves would
almost always be one of the hundreds of draft terms. The weights are a convention, not a model of anybody.
"""

from typing import Any

import numpy as np

from rostra.engine.jit import State, compiled
from rostra.engine.rng import RNG, below
from rostra.games.quovadis.choices import OTHERS, who_consents
from rostra.games.quovadis.deals import BROKEN, KEPT, MOVES
from rostra.games.quovadis.rules import legal
from rostra.games.quovadis.state import STATE
from rostra.games.quovadis.tables import (
    ASK,
    ASKING,
    BARGAIN,
    CAESAR_TO,
    DEAL,
    ENTER,
    FIRST,
    GIVE,
    HEAR,
    KIND_OF,
    MOVE,
    N_DECISIONS,
    NO,
    ONE,
    PASS,
    PROMISE,
    THEN,
    VOW,
    WORD,
    YES,
    index_of,
    kind_of,
)

# Weights of the groups of moves: step forward, move Caesar, add a give, a promise or `then`, and the seven words.
STEP, CAESAR, TERM, OTHER = range(4)
WEIGHTS = np.array([8, 2, 3, 1, *([0] * 7)], np.int64)
FIRST_WORD = 4
for _word, _weight in {DEAL: 1, ASK: 4, YES: 4, NO: 2, HEAR: 1, PASS: 3}.items():
    WEIGHTS[FIRST_WORD + _word] = _weight
WEIGHTS[FIRST_WORD + 2] = 1  # drop


def _group(move: int) -> int:
    kind = int(KIND_OF[move])
    if kind == WORD:
        return FIRST_WORD + move - int(FIRST[WORD])
    if kind in (ENTER, MOVE, ASKING):
        return STEP
    if kind == CAESAR_TO:
        return CAESAR
    return TERM if kind in (GIVE, THEN, PROMISE, VOW, ONE) else OTHER


GROUP_OF = np.array([_group(move) for move in range(N_DECISIONS)], np.int8)
"""What a move does, as an index of WEIGHTS."""


@compiled(int, MOVES, int, int)
def next_group(out: Any, i: int, n: int) -> int:
    """Where the next group of moves begins after i; the terms, hundreds of moves, reach to the end of the list."""
    group = GROUP_OF[out[i]]
    if group == TERM:
        return n
    while i < n and GROUP_OF[out[i]] == group:
        i += 1
    return i


@compiled(int, STATE, MOVES, RNG)
def random_move(s: State, out: Any, rng: Any) -> int:
    """A random legal move: a group by its weight, then any move of the group."""
    n = legal(s, out)
    # Moves of a group follow each other in the list, each word is a group, and terms of a draft come last.
    total = 0
    i = 0
    while i < n:
        total += WEIGHTS[GROUP_OF[out[i]]]
        i = next_group(out, i, n)
    pick = below(rng, total)
    first = 0
    while pick >= WEIGHTS[GROUP_OF[out[first]]]:
        pick -= WEIGHTS[GROUP_OF[out[first]]]
        first = next_group(out, first, n)
    return int(out[first + below(rng, next_group(out, first, n) - first)])


@compiled(int, STATE, int)
def talks(s: State, move: int) -> int:
    """Whether a move is negotiating: opening or accepting a deal, or letting others offer (Q-NEG-4)."""
    kind = kind_of(move)
    if kind == WORD:
        word = index_of(move)
        return 1 if word == DEAL or word == HEAR or word == YES else 0
    return 1 if kind == BARGAIN or (kind == ASKING and who_consents(s, index_of(move)) == OTHERS) else 0


TALLIES = ("deals asked", "deals carried out", "laurels given", "promises kept", "promises broken", "stalled")


@compiled(None, STATE, [np.int32])
def tally(s: State, out: Any) -> None:
    """Write what TALLIES names, of a whole game."""
    for i in range(3):
        out[i] = s.tallies[i]
    out[3] = 0
    out[4] = 0
    for maker in range(s.n):
        for receiver in range(s.n):
            out[3] += s.fates[maker, receiver, KEPT]
            out[4] += s.fates[maker, receiver, BROKEN]
    out[5] = s.stalled
