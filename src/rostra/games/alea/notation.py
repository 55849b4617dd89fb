"""Moves as text and back, after the formats page: `T36`, `R112`, `+Rw1`, `=11224566`.

Reading accepts every spelling of a placing that has the same effect; writing (`scribe`) gives the smallest. A text has
a meaning only in a state, because placings are stored by their effect.
"""

import bisect
import functools
import re
from collections.abc import Iterable

import numpy as np

from rostra.engine.game import BadNotation, IllegalMove, MatchOver
from rostra.engine.jit import Array, State
from rostra.games.alea.rules import legal
from rostra.games.alea.scribe import ROOM, put_move, write_moves
from rostra.games.alea.state import STATE
from rostra.games.alea.tables import (
    AGAIN,
    CARDS,
    CASTRUM,
    DEAL,
    DRAWN_CARD,
    DRAWN_TOKEN,
    FACES,
    FINISHED,
    FREE,
    INTERVAL_OF,
    IS_CHANCE,
    KEEP_TOKENS,
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
    PATRICIANS,
    PLACE,
    PROVINCES,
    REROLL,
    ROLL,
    ROLLED,
    SENATUS,
    START,
    START_SEAT,
    TEMPLUM,
    TOKEN,
    encode_move,
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
    out = np.empty(ROOM, np.uint8)
    return out[: put_move(s, move, out, 0)].tobytes().decode()


def legal_text(s: State, moves: Array) -> str:
    """The texts of moves of this state, as a JSON list."""
    out = np.empty(ROOM, np.uint8)
    return out[: write_moves(s, moves, len(moves), out)].tobytes().decode()


@functools.cache
def _moves_by_text(first: int, end: int) -> dict[str, int]:
    """The moves from `first` to `end`, whose texts need no state."""
    blank = np.zeros(1, STATE)[0]
    return {text(blank, move): move for move in range(first, end)}


@functools.cache
def _fixed_decisions() -> dict[str, int]:
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
def _rolls() -> dict[str, int]:
    """The outcomes of dice; a text alone does not determine the move of other chance events."""
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
