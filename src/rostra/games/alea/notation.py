"""Moves as text and back, after the formats page: `T36`, `R112`, `+Rw1`, `=11224566`.

Reading accepts every spelling of a placing that has the same effect; writing gives the smallest. A text means something
only in a state, because placings are stored by their effect.
"""

import bisect
import functools
import itertools
import re
from collections.abc import Iterable

import numpy as np

from rostra.engine.game import BadNotation, IllegalMove, MatchOver
from rostra.engine.jit import State
from rostra.games.alea.rules import legal
from rostra.games.alea.state import STATE
from rostra.games.alea.tables import (
    AGAIN,
    CARD,
    CARDS,
    CASTRUM,
    DEAL,
    DICE,
    DRAWN_CARD,
    DRAWN_TOKEN,
    FACES,
    FINISHED,
    FORUM,
    FORUM_DICE,
    FREE,
    INTERVAL_OF,
    INTERVALS,
    IS_CHANCE,
    KEEP_TOKENS,
    KEEPS,
    LATRINA,
    LAY_PATRICIANS,
    LAY_PROVINCES,
    LONE_TOKEN,
    MAX_LEGAL,
    MAX_SEATS,
    N_DECISIONS,
    N_OUTCOMES,
    NEW_PATRICIAN,
    NEW_PROVINCE,
    PATRICIAN,
    PATRICIANS,
    PLACE,
    PROVINCE,
    PROVINCES,
    REROLL,
    ROLL,
    ROLLED,
    ROLLS,
    SENATUS,
    START,
    START_SEAT,
    TEMPLUM,
    TOKEN,
    encode_move,
    index_of,
    kind_of,
)

_PHASE, _SEAT, _PENDING, _DICE, _ROLL, _TEMPLUM, _LOW, _HIGH = (
    STATE.fields[name][1]  # type: ignore[index]  # it has fields
    for name in ("phase", "seat", "pending", "dice", "roll", "templum_dice", "low", "high")
)
"""Offsets of one-byte fields in the bytes of a state: reading these costs a tenth of reading two or three fields of the
record, or of a call of compiled code."""


def digits(counts: Iterable[int]) -> str:
    """Dice by face as ascending digits."""
    return _digits(tuple(counts))


@functools.lru_cache(4096)
def _digits(counts: tuple[int, ...]) -> str:
    return "".join(str(face) * int(number) for face, number in enumerate(counts, 1))


def text(s: State, move: int) -> str:
    """The canonical text of a move that is legal, or an outcome that is possible, in this state."""
    fixed = _fixed_text(move)
    if fixed is not None:
        return fixed
    record = s.tobytes()
    kind, index = _split(move)
    if kind == SENATUS:
        seat = record[_SEAT]
        return _run(index, record[_LOW + seat], record[_HIGH + seat])
    roll = record[_ROLL : _ROLL + FACES]
    if kind == AGAIN:
        return _again(roll, index + 1)
    return f"L{digits(roll)[0]}" if kind == LATRINA else _offering(roll, _templum_needs(record), index + 1)


@functools.cache
def _split(move: int) -> tuple[int, int]:
    return kind_of(move), index_of(move)


_CODES = {
    CARD: ("+", CARDS), PROVINCE: ("+", PROVINCES), PATRICIAN: ("+", PATRICIANS),
    START_SEAT: ("=s", "01234"), NEW_PROVINCE: ("=", PROVINCES), NEW_PATRICIAN: ("=", PATRICIANS),
    DRAWN_TOKEN: ("=", "123"), DRAWN_CARD: ("=", CARDS),
}  # fmt: skip


@functools.cache
def _fixed_text(move: int) -> str | None:
    """The text of a move that is the same in every state; None where it depends on the roll or the own row."""
    kind, index = _split(move)
    if kind in _CODES:
        mark, codes = _CODES[kind]
        return mark + codes[index]
    if kind == CASTRUM:
        return "C" + str(index // DICE + 1) * (index % DICE + 1)
    if kind == FORUM:
        return "F" + "".join(str(face) for face in FORUM_DICE[index].tolist() if face)
    if kind == KEEP_TOKENS:
        return "K" + digits(KEEPS[index].tolist())
    return "=" + digits(ROLLS[index].tolist()) if kind == ROLLED else None


@functools.cache
def _run(interval: int, low: int, high: int) -> str:
    """The dice that make this sequence of the own one in the Senatus."""
    first, last = INTERVALS[interval].tolist()
    return "S" + "".join(str(face) for face in range(first, last + 1) if not low <= face <= high)


@functools.lru_cache(1 << 14)
def _again(roll: bytes, chosen: int) -> str:
    """The dice of the sorted roll at these bits, rolled again."""
    return "R" + "".join(die for at, die in enumerate(digits(roll)) if chosen >> at & 1)


@functools.lru_cache(1 << 14)
def _offering(roll: bytes, number: int, total: int) -> str:
    """The lexically smallest dice of the roll with this sum for the Templum."""
    choices = itertools.combinations(digits(roll), number)  # in lexical order, as the dice are
    return next("T" + "".join(dice) for dice in choices if sum(map(int, dice)) == total)


def _moves_by_text(first: int, end: int) -> dict[str | None, int]:
    """The moves from `first` to `end`, whose texts need no state."""
    return {_fixed_text(move): move for move in range(first, end)}


@functools.cache
def _fixed_decisions() -> dict[str | None, int]:
    """The decisions whose text needs no state: Castrum and Forum, what to keep and what to take."""
    placings = _moves_by_text(encode_move(CASTRUM, 0), encode_move(LATRINA, 0))
    return placings | _moves_by_text(encode_move(KEEP_TOKENS, 0), N_DECISIONS)


def _templum_needs(record: bytes) -> int:
    """As `choices.templum_needs`, from the bytes of a state."""
    dice = record[_TEMPLUM : _TEMPLUM + MAX_SEATS]
    return 1 + max(dice) - dice[record[_SEAT]]


def pool(s: State) -> int | list[str]:
    """What the coming chance event draws from: the number of dice, or every piece face down, sorted by code."""
    record = s.tobytes()
    phase = record[_PHASE]
    return _dice_to_roll(record) if phase in (ROLL, REROLL) else [*_pieces(s, phase)]


def _pieces(s: State, phase: int) -> list[str]:
    if phase in (TOKEN, LONE_TOKEN):
        return [f"={digit}" for digit in digits(s["token_supply"].tolist())]
    if phase == START:
        return [f"=s{seat}" for seat in range(s["n"]) if s["first"] in (-1, seat)]
    return _face_down(int(s[_STACKS[phase][0]]), phase)


_STACKS = {
    DEAL: ("senate_deck", (*CARDS, CARDS[FREE])),
    LAY_PROVINCES: ("province_pool", PROVINCES),
    LAY_PATRICIANS: ("patrician_pool", PATRICIANS),
}


@functools.lru_cache(4096)
def _face_down(mask: int, phase: int) -> list[str]:
    """Cached, because the drawn piece is looked up in it next; callers must not change it."""
    return [written for written, bit in _sorted_bits(phase) if mask & bit]


@functools.cache
def _sorted_bits(phase: int) -> list[tuple[str, int]]:
    return sorted((f"={name}", 1 << index) for index, name in enumerate(_STACKS[phase][1]))


def _dice_to_roll(record: bytes) -> int:
    """As `chance.dice_to_roll`, from the bytes of a state."""
    return record[_PENDING] if record[_PHASE] == REROLL else record[_DICE + record[_SEAT]]


def parse(s: State, written: str) -> int:
    """The move that a text means in this state; always a legal move or a possible outcome."""
    record = s.tobytes()
    phase = record[_PHASE]
    if phase == FINISHED:
        raise MatchOver("the game is over: there is no move left to make")
    if IS_CHANCE[phase]:
        return _parse_outcome(s, record, written)
    if written.startswith("="):
        raise IllegalMove(f"{written!r} is an outcome of chance, but seat {s.seat} is to decide")
    move = _parse_decision(record, written)
    if move is None or not _is_legal(s, move):
        raise IllegalMove(f"{written!r} is not legal for seat {s.seat} now")
    return move


def _is_legal(s: State, move: int) -> bool:
    out = np.empty(MAX_LEGAL, np.int32)
    n = legal(s, out)
    at = bisect.bisect_left(out, move, 0, n)
    return at < n and int(out[at]) == move


_DICE_MOVE = re.compile(r"[TSCFLR][1-6]+")


@functools.cache
def _rolls() -> dict[str | None, int]:
    """The outcomes of dice; for other chance events the text alone does not determine the move."""
    return _moves_by_text(encode_move(ROLLED, 0), N_DECISIONS + N_OUTCOMES)


def _parse_decision(record: bytes, written: str) -> int | None:
    """The move a well-formed text would be, or None when it cannot be one in this state."""
    if written in (fixed := _fixed_decisions()):
        return fixed[written]
    roll = record[_ROLL : _ROLL + FACES]
    if _DICE_MOVE.fullmatch(written):
        dice = written[1:]
        if dice != (ascending := "".join(sorted(dice))):
            raise BadNotation(f"dice are written in ascending order: {written[0]}{ascending}, not {written}")
        if record[_PHASE] != PLACE or any(dice.count(die) > roll[int(die) - 1] for die in dice):
            return None
        return _parse_dice(record, written[0], [int(die) for die in dice])
    if re.fullmatch(r"K[1-3]{1,2}", written):
        raise BadNotation(f"tokens are written in ascending order: K{''.join(sorted(written[1:]))}, not {written}")
    if written.startswith("+"):
        raise BadNotation(f"{written[1:]!r} is no card, province or patrician: those look like III, XII:RG, R3, Rw1")
    raise BadNotation(
        f"{written!r} is no move: a move looks like T36, S345, C44, F14, L5, R112, K23, +III, +R3 or +Rw1"
    )


def _parse_dice(record: bytes, letter: str, faces: list[int]) -> int | None:
    """A placing of rolled dice where it has several spellings or depends on the own row."""
    if letter == "T":
        return encode_move(TEMPLUM, sum(faces) - 1) if len(faces) == _templum_needs(record) else None
    if letter == "S":
        seat = record[_SEAT]
        if own := record[_LOW + seat]:
            faces = sorted([*faces, *range(own, record[_HIGH + seat] + 1)])
        low, high = faces[0], faces[-1]
        return encode_move(SENATUS, INTERVAL_OF[low, high]) if faces == [*range(low, high + 1)] else None
    if letter == "R":
        mask = position = 0
        for face, number in enumerate(record[_ROLL : _ROLL + FACES], 1):  # of equal dice the first are taken
            mask |= (1 << faces.count(face)) - 1 << position
            position += number
        return encode_move(AGAIN, mask - 1)
    return encode_move(LATRINA, 0) if letter == "L" and len(faces) == 1 else None


_EXPECTED = {
    START: "the start seat, such as =s0",
    LAY_PROVINCES: "a province from the stack, such as =R3",
    LAY_PATRICIANS: "a patrician from the stack, such as =Rw1",
    TOKEN: "a fortuna token from the supply: =1, =2 or =3",
    LONE_TOKEN: "a fortuna token from the supply: =1, =2 or =3",
    DEAL: "a senate card from the stack, such as =III",
}


_PIECES = {
    START: (START_SEAT, tuple(f"s{seat}" for seat in range(MAX_SEATS))),
    LAY_PROVINCES: (NEW_PROVINCE, PROVINCES),
    LAY_PATRICIANS: (NEW_PATRICIAN, PATRICIANS),
    TOKEN: (DRAWN_TOKEN, ("1", "2", "3")),
    LONE_TOKEN: (DRAWN_TOKEN, ("1", "2", "3")),
    DEAL: (DRAWN_CARD, CARDS),
}


@functools.cache
def _piece_moves(phase: int) -> dict[str, int]:
    kind, codes = _PIECES[phase]
    return {f"={code}": encode_move(kind, index) for index, code in enumerate(codes)}


def _parse_outcome(s: State, record: bytes, written: str) -> int:
    phase = record[_PHASE]
    if phase in (ROLL, REROLL):
        number = _dice_to_roll(record)
        if len(written) == number + 1 and written in (rolls := _rolls()):
            return rolls[written]
        expected = f"a roll of {number} dice in ascending order, such as ={'123456'.ljust(number, '6')[:number]}"
    else:
        moves = _piece_moves(phase)
        if written in _pieces(s, phase):
            return moves[written]
        expected = _EXPECTED[phase]
        if written in moves and (phase != START or moves[written] - encode_move(START_SEAT, 0) < s["n"]):
            raise IllegalMove(f"{written!r} cannot happen now: it is not in the stack or supply; expected {expected}")
    raise BadNotation(f"found {written!r} where chance decides; expected {expected}")
