"""Alea Iacta Est in numbers: tiles, cards, tokens, dice, and the numbering of moves.

Everything here is a constant; nothing knows a state. A move is a kind and an index within the kind, and
`encode_move`, `kind_of` and `index_of` are the only arithmetic on move ids. What a newcomer would get wrong: two cards
XIII are alike, so a holder of one always has bit `FREE`, and only a holder of both has `FREE_2` too.
"""

import itertools
import math
from typing import Any

import numpy as np

from rostra.engine.jit import compiled

MAX_SEATS = 5
DICE = 8  # A-SET-1
FACES = 6
COLOURS = "ROYGBV"  # A-SET-2
N_COLOURS = 6
GREY = "J"

PROVINCE_VALUES = 4
JOKER = N_COLOURS * PROVINCE_VALUES
PROVINCES = (*(f"{c}{v}" for c in COLOURS for v in range(1, PROVINCE_VALUES + 1)), f"{GREY}0")  # A-SET-2
N_PROVINCES = len(PROVINCES)

SEXES = "wm"
PATRICIAN_VALUES = 3
PATRICIANS = tuple(f"{c}{sex}{v}" for c in COLOURS for sex in SEXES for v in range(1, PATRICIAN_VALUES + 1))  # A-SET-3
N_PATRICIANS = len(PATRICIANS)

TOKENS = np.array([8, 14, 8], np.int8)  # A-SET-4: how many of value 1, 2, 3
N_TOKEN_VALUES = 3

ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI")
I, II, III, IV, V, VI, VII, VIII, IX, X, XI = range(11)  # noqa: E741  # the cards' own names
BORDER = 11
# A-CARD-12: the six border provinces join the colours to a ring, R-G-O-B-Y-V-R; card BORDER + i joins the
# colours RING[i] and RING[i + 1].
RING = np.array([COLOURS.index(c) for c in "RGOBYV"], np.int8)
N_BORDERS = 6
FREE, FREE_2 = 17, 18
_BORDER_CODES = tuple(
    "XII:" + "".join(sorted((COLOURS[RING[i]], COLOURS[RING[(i + 1) % 6]]), key=COLOURS.index)) for i in range(6)
)
CARDS = (*ROMAN, *_BORDER_CODES, "XIII")  # A-SET-5: the kinds
N_CARDS = len(CARDS)
ALL_CARDS = (1 << 19) - 1
EACH_CARD = (1 << N_CARDS) - 1  # a mask of cards without the second XIII

SETS = np.array([0, 0, 6, 6, 5, 5], np.int8)  # A-SET-9, by number of players
SENATE_WINNERS = np.array([0, 0, 1, 2, 2, 3], np.int8)  # A-SCO-3
MAX_SETS = 6
MAX_COLUMNS = 7
SENATE_HAND = 3  # A-SCO-4

# Phases of a game, in the order in which they come; `turn` reads them.
START, LAY_PROVINCES, LAY_PATRICIANS, ROLL, PLACE, REROLL, TOKEN, KEEP, LONE_TOKEN = range(9)
DEAL, TAKE_CARD, TAKE_PROVINCE, TAKE_PATRICIAN, FINISHED = range(9, 14)
PHASES = (
    *("start", "lay-provinces", "lay-patricians", "roll", "place", "reroll", "token", "keep", "lone-token"),
    *("deal", "take-card", "take-province", "take-patrician", "finished"),
)
IS_CHANCE = np.array([1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0], np.int8)

# Senatus: the 21 intervals of consecutive faces (1 to 6).
INTERVALS = np.array([(lo, hi) for lo in range(1, 7) for hi in range(lo, 7)], np.int8)
INTERVAL_OF = np.zeros((7, 7), np.int8)
# By the own sequence (low, high; 0, 0 for none) and the mask of faces rolled: the sequences that placing dice can
# make of it, as a mask over INTERVALS (A-SEN-1, A-SEN-2).
SEQUENCES = np.zeros((7, 7, 1 << FACES), np.int64)
for _i, (_lo, _hi) in enumerate(INTERVALS.tolist()):
    INTERVAL_OF[_lo, _hi] = _i
    for _low, _high in [(0, 0), *INTERVALS.tolist()]:
        _own = [f for f in range(_low, _high + 1) if f]
        _missing = sum(1 << (f - 1) for f in range(_lo, _hi + 1) if f not in _own)
        if _missing and all(_lo <= f <= _hi for f in _own):
            SEQUENCES[_low, _high] |= np.where((np.arange(1 << FACES) & _missing) == _missing, 1 << _i, 0)

# Forum: six single dice, then the pairs of sum 5 (A-FOR-1), as (low, high) with low 0 for a single.
FORUM_DICE = np.array([*((0, f) for f in range(1, 7)), (1, 4), (2, 3)], np.int8)

# Kept fortuna tokens, as counts of 1, 2, 3: one token or two (A-SCO-1).
KEEPS = np.array(
    [
        [chosen.count(v) for v in (1, 2, 3)]
        for n in (1, 2)
        for chosen in itertools.combinations_with_replacement((1, 2, 3), n)
    ],
    np.int8,
)

# Rolls: all multisets of up to eight dice as counts by face. Their rank is the combinatorial number of the five
# bars between the faces, which needs five look-ups and no search.
CHOOSE = np.array([[math.comb(n, k) for k in range(6)] for n in range(14)], np.int32)
ROLL_START = np.array([0, *np.cumsum([math.comb(k + 5, 5) for k in range(DICE + 1)])], np.int32)
N_ROLLS = int(ROLL_START[-1])


@compiled(int, int)
def roll_rank(packed: int) -> int:
    """The index in `ROLLS` of a multiset of dice, given as four bits a face, the lowest bits for face 1."""
    dice = 0
    rank = 0
    for face in range(FACES - 1):
        dice += packed >> (4 * face) & 15
        rank += CHOOSE[dice + face, face + 1]
    return int(ROLL_START[dice + (packed >> 20)] + rank)


def _all_rolls() -> Any:
    """Every multiset of up to eight dice at its `roll_rank`; in whole columns, because importing must be quick."""
    bars = np.array([*itertools.combinations(range(DICE + FACES), FACES)])  # a sixth bar ends the dice in hand
    counts = np.diff(bars, axis=1, prepend=-1) - 1
    from_left = counts.cumsum(axis=1)
    ranks = ROLL_START[from_left[:, -1]] + sum(CHOOSE[from_left[:, face] + face, face + 1] for face in range(5))
    rolls = np.zeros((N_ROLLS, FACES), np.int8)
    rolls[ranks] = counts
    return rolls


ROLLS = _all_rolls()


def _all_sums() -> Any:
    sums = np.zeros((N_ROLLS, DICE + 1), np.int64)
    sums[:, 0] = 1
    for face in range(FACES):
        for die in range(DICE):
            rows = ROLLS[:, face] > die
            sums[rows, 1:] |= sums[rows, :-1] << (face + 1)
    return sums


SUMS = _all_sums()
"""By roll and number of dice: the sums that so many dice of the roll can have, as a mask."""
FACTORIAL = np.array([math.factorial(k) for k in range(DICE + 1)], np.int64)
POWER_OF_6 = np.array([6**k for k in range(DICE + 1)], np.int64)

# The kinds of moves and how many there are of each. Decisions first.
_SIZES = {
    "TEMPLUM": DICE * FACES,  # by the sum placed now
    "SENATUS": len(INTERVALS),  # by the sequence that results
    "CASTRUM": FACES * DICE,  # by face and number placed now
    "FORUM": len(FORUM_DICE),
    "LATRINA": 1,
    "AGAIN": (1 << DICE) - 1,  # reroll: the mask of dice in the sorted roll, of equal dice the first ones
    "KEEP_TOKENS": len(KEEPS),
    "CARD": N_CARDS,
    "PROVINCE": N_PROVINCES,
    "PATRICIAN": N_PATRICIANS,
    "START_SEAT": MAX_SEATS,  # from here on: chance
    "NEW_PROVINCE": N_PROVINCES,
    "NEW_PATRICIAN": N_PATRICIANS,
    "DRAWN_TOKEN": N_TOKEN_VALUES,
    "DRAWN_CARD": N_CARDS,
    "ROLLED": N_ROLLS,
}
KINDS = tuple(_SIZES)
TEMPLUM, SENATUS, CASTRUM, FORUM, LATRINA, AGAIN, KEEP_TOKENS, CARD, PROVINCE, PATRICIAN = range(10)
START_SEAT, NEW_PROVINCE, NEW_PATRICIAN, DRAWN_TOKEN, DRAWN_CARD, ROLLED = range(10, 16)
FIRST = np.array([0, *np.cumsum(list(_SIZES.values()))], np.int32)
KIND_OF = np.repeat(np.arange(len(KINDS)), list(_SIZES.values())).astype(np.int8)
N_DECISIONS = int(FIRST[START_SEAT])
N_OUTCOMES = int(FIRST[-1]) - N_DECISIONS
# The most outcomes are those of a roll of eight dice, more than any decision has moves.
MAX_LEGAL = math.comb(DICE + 5, 5)


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


# Powers of two have different remainders by 67, so a remainder tells which bit is set.
BIT_OF = np.zeros(67, np.int64)
for _i in range(63):
    BIT_OF[(1 << _i) % 67] = _i


@compiled(int, int, int, [np.int32], int)
def append_moves(mask: int, first: int, out: Any, n: int) -> int:
    """Append the move `first` + i for each bit i of the mask, in ascending order; return the new length."""
    while mask:
        lowest = mask & -mask
        out[n] = first + BIT_OF[lowest % 67]
        n += 1
        mask ^= lowest
    return n


@compiled(int, int)
def bit_count(mask: int) -> int:
    """How many bits are set (a loop that LLVM turns into one instruction)."""
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n
