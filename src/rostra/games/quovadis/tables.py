"""Quo Vadis? in numbers: the board as a graph, laurels, promises, and the numbering of moves. Nothing knows a state.

A move is a kind and an index within the kind. All arithmetic on moves, gives and promises is at the end of the file.
"""

import itertools
from typing import Any

import numpy as np

from rostra.engine.jit import compiled

MAX_SEATS = 5
SENATORS = 8  # Q-SET-1
STAYING = 2  # Q-VAR-3: senators that stay on the board between the games of an election

COMMITTEES = "ABCDEFGHIJKLMN"
SENATE = 14
N_COMMITTEES = 14
ENTRIES = 4  # A to D
SEATS_IN = np.array([1, 5, 1, 3, 1, 1, 3, 1, 3, 5, 1, 1, 3, 3, 5], np.int8)  # the last is the Senate
PATHS = (
    *("A>E", "B>I", "B>F", "C>G", "D>G", "D>H", "E>I", "F>J", "G>J"),
    *("G>L", "H>K", "I>M", "J>S", "K>N", "L>N", "M>S", "N>S"),
)
N_PATHS = len(PATHS)
FROM = np.array([COMMITTEES.index(path[0]) for path in PATHS], np.int8)
TO = np.array([(COMMITTEES + "S").index(path[2]) for path in PATHS], np.int8)


def _steps_to_senate() -> list[int]:
    steps = [0] * (SENATE + 1)
    for committee in reversed(range(N_COMMITTEES)):  # paths lead on in the alphabet
        steps[committee] = 1 + min(steps[TO[path]] for path in range(N_PATHS) if FROM[path] == committee)
    return steps[:N_COMMITTEES]


STEPS_TO_SENATE = np.array(_steps_to_senate(), np.int64)
"""By committee: the fewest moves to the Senate."""

# The ten laurel places are the paths out of committees of three or five seats, dealt in this order.
PLACES = ("B>I", "B>F", "D>G", "D>H", "G>J", "G>L", "I>M", "J>S", "M>S", "N>S")
N_PLACES = len(PLACES)
PLACE_OF = np.array([PLACES.index(path) if path in PLACES else -1 for path in PATHS], np.int8)
CAESAR_STARTS = PLACES.index("J>S")  # Q-SET-4
FOOT_OF = np.array([COMMITTEES.index(path[0]) for path in PLACES], np.int8)
"""By laurel place: the committee below it."""
CONSENTS = np.array([{1: 0, 3: 1, 5: 2}[int(SEATS_IN[c])] for c in FROM], np.int8)  # Q-MOV-1, Q-MOV-2

# Laurels by kind: values 1 to 5 are kinds 0 to 4, and a 2 with Caesar's picture, which in a hand is a 2.
LAURELS = ("1", "2", "3", "4", "5", "2c")
TWO_CAESAR = 5
N_VALUES = 5
STACK = np.array([0, 8, 15, 9, 6, 6], np.int8)  # Q-SET-2, face down
ONES = 18
LIMITED_ONES = np.array([0, 0, 0, 10, 14, 18], np.int8)  # Q-VAR-1
SHOWN_ARRIVALS = 3  # Q-VAR-2: after each of these arrivals hands may be shown on demand

# Pairs of consenting seats, the lower first; a seat can consent with two senators.
PAIRS = np.array([*itertools.combinations_with_replacement(range(MAX_SEATS), 2)], np.int8)
N_PAIRS = len(PAIRS)

# Promises: support, oppose one of five seats, caesar, pay 1 to 5.
SUPPORT, OPPOSE, CAESAR, PAY = 0, 1, 6, 7
PROMISES = ("support", *(f"oppose {n}" for n in range(MAX_SEATS)), "caesar", *(f"pay {v}" for v in range(1, 6)))
N_PROMISES = len(PROMISES)
PROMISE_TURNS = 5


def _promise_moves() -> Any:
    """By number of players: the possible promises, as indices of PROMISE moves in order, closed by -1.

    Maker, receiver and the seat to be opposed are three different seats.
    """
    rows = np.full((MAX_SEATS + 1, MAX_SEATS * MAX_SEATS * N_PROMISES), -1, np.int32)
    for n in range(3, MAX_SEATS + 1):
        found = [
            (maker * MAX_SEATS + receiver) * N_PROMISES + kind  # as `encode_promise`
            for maker in range(n)
            for receiver in range(n)
            for kind in range(N_PROMISES)
            if maker != receiver
            and not (OPPOSE <= kind < CAESAR and (kind - OPPOSE >= n or kind - OPPOSE in (maker, receiver)))
        ]
        rows[n, : len(found)] = found
    return rows


PROMISE_MOVES = _promise_moves()

# A consent action is a path with consenting seats: of three-seat committees one seat, of five-seat ones a pair.
_ACTIONS = []
for _path in range(N_PATHS):
    if CONSENTS[_path] == 1:
        _ACTIONS += [(_path, seat, -1) for seat in range(MAX_SEATS)]
    elif CONSENTS[_path] == 2:
        _ACTIONS += [(_path, int(one), int(two)) for one, two in PAIRS]
CONSENT_ACTIONS = np.array(_ACTIONS, np.int8)
ACTIONS_FROM = np.searchsorted(CONSENT_ACTIONS[:, 0], np.arange(N_PATHS + 1)).astype(np.int32)
"""By path: where its consent actions begin; the next path's begin where they end."""

_SIZES = {
    "ENTER": ENTRIES,
    "MOVE": N_PATHS,  # without consents
    "ASKING": len(CONSENT_ACTIONS),  # with consents, see CONSENT_ACTIONS
    "CAESAR_TO": N_PLACES,
    "LEAVE": 1,
    "WORD": 7,  # deal, ask, drop, yes, no, hear, pass
    "GIVE": MAX_SEATS * MAX_SEATS * N_VALUES,
    "THEN": N_PLACES + 1,
    "PROMISE": MAX_SEATS * MAX_SEATS * N_PROMISES,
    "REMOVE": N_COMMITTEES,
    "SHOW": 1,  # from here on behind the older kinds, whose ids stay as they were
    "BARGAIN": 1,
    "VOW": 2 * MAX_SEATS + N_PLACES,  # refuse, consent, spare
    "ONE": MAX_SEATS,
    "START_SEAT": MAX_SEATS,  # from here on: chance
    "LAUREL": len(LAURELS),
}
ENTER, MOVE, ASKING, CAESAR_TO, LEAVE, WORD, GIVE, THEN, PROMISE, REMOVE, SHOW = range(11)
BARGAIN, VOW, ONE, START_SEAT, LAUREL = range(11, 16)
WORDS = ("deal", "ask", "drop", "yes", "no", "hear", "pass")
DEAL, ASK, DROP, YES, NO, HEAR, PASS = range(7)
FIRST = np.array([0, *np.cumsum(list(_SIZES.values()))], np.int32)
KIND_OF = np.repeat(np.arange(len(_SIZES)), list(_SIZES.values())).astype(np.int8)
N_DECISIONS = int(FIRST[START_SEAT])
N_OUTCOMES = int(FIRST[-1]) - N_DECISIONS
MAX_LEGAL = N_DECISIONS

# Phases.
START, LAY_OUT, ACT, OPEN, DRAFT, ANSWER, LISTEN, REFILL, PLACE_CAESAR, DISMISS, FINISHED, DEMAND = range(12)
PHASES = (
    *("start", "lay-out", "act", "open", "draft", "answer", "listen"),
    *("refill", "place-caesar", "dismiss", "finished", "demand"),
)
IS_CHANCE = np.array([1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], np.int8)

MAX_GIVES, MAX_TERMS = 4, 2
DRAFTS = 3
MAX_BARGAINS = 15
"""Number of bargains that can be carried out in a turn (Q-NEG-5)."""
MAX_REFUSED = DRAFTS + MAX_SEATS - 1  # since the last bargain
MAX_OPEN_PROMISES = 64

# A vow, which binds for the rest of the turn (Q-NEG-5): a seat refuses its consent, or gives it; Caesar spares a place.
REFUSE, CONSENT, SPARE = 0, MAX_SEATS, 2 * MAX_SEATS
VOWS = (
    *(f"refuse {seat}" for seat in range(MAX_SEATS)),
    *(f"consent {seat}" for seat in range(MAX_SEATS)),
    *(f"spare {place}" for place in PLACES),
)


@compiled(int, int, int)
def encode_move(kind: int, index: int) -> int:
    """The id of a move."""
    return int(FIRST[kind] + index)


@compiled(int, int)
def kind_of(move: int) -> int:
    """The kind of a move."""
    return int(KIND_OF[move])


@compiled(int, int)
def index_of(move: int) -> int:
    """The index of a move within its kind."""
    return int(move - FIRST[KIND_OF[move]])


# A give is the index of a GIVE move: who gives whom a laurel of which value (from 0).


@compiled(int, int, int, int)
def encode_give(giver: int, receiver: int, value: int) -> int:
    """The index of a GIVE move."""
    return (giver * MAX_SEATS + receiver) * N_VALUES + value


@compiled(int, int)
def giver_of(give: int) -> int:
    """Who gives."""
    return give // (MAX_SEATS * N_VALUES)


@compiled(int, int)
def given_to(give: int) -> int:
    """Who receives a give."""
    return give // N_VALUES % MAX_SEATS


@compiled(int, int)
def value_given(give: int) -> int:
    """The value, from 0, of the laurel given."""
    return give % N_VALUES


# A promise is the index of a PROMISE move: who promises whom what (SUPPORT, OPPOSE, CAESAR, PAY).


@compiled(int, int, int, int)
def encode_promise(maker: int, receiver: int, kind: int) -> int:
    """The index of a PROMISE move."""
    return (maker * MAX_SEATS + receiver) * N_PROMISES + kind


@compiled(int, int)
def maker_of(promise: int) -> int:
    """Who promises."""
    return promise // (MAX_SEATS * N_PROMISES)


@compiled(int, int)
def promised_to(promise: int) -> int:
    """To whom a promise is made."""
    return promise // N_PROMISES % MAX_SEATS


@compiled(int, int)
def kind_of_promise(promise: int) -> int:
    """What is promised."""
    return promise % N_PROMISES
