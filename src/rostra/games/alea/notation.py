"""Moves as text and back, after the formats page: `T36`, `R112`, `+Rw1`, `=11224566`.

Reading accepts every spelling of a placing that has the same effect; writing gives the smallest. What a newcomer
would get wrong: a text means something only in a state, because placings are stored by their effect.
"""

import itertools
import re
from collections.abc import Iterable

import numpy as np

from rostra.game import CHANCE, OVER, BadNotation, IllegalMove, MatchOver
from rostra.games.alea.chance import dice_to_roll
from rostra.games.alea.choices import templum_needs
from rostra.games.alea.rules import legal, turn
from rostra.games.alea.tables import (
    AGAIN,
    CARD,
    CARDS,
    CASTRUM,
    DEAL,
    DICE,
    DRAWN_CARD,
    DRAWN_TOKEN,
    FORUM,
    FORUM_DICE,
    INTERVAL_OF,
    INTERVALS,
    KEEP_TOKENS,
    KEEPS,
    LATRINA,
    LAY_PATRICIANS,
    LAY_PROVINCES,
    LONE_TOKEN,
    MAX_LEGAL,
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
    roll_rank,
)
from rostra.jit import State

BUILDINGS = "TSCFL"


def digits(counts: Iterable[int]) -> str:
    """Dice by face as ascending digits."""
    return "".join(str(face) * int(number) for face, number in enumerate(counts, 1))


def text(s: State, move: int) -> str:
    """The canonical text of a move that is legal, or an outcome that is possible, in this state."""
    kind, index = kind_of(move), index_of(move)
    if kind == TEMPLUM:
        # Combinations of sorted dice come in lexical order, so the first that fits is the smallest.
        chosen = itertools.combinations(digits(s.roll), templum_needs(s))
        return "T" + "".join(next(dice for dice in chosen if sum(map(int, dice)) == index + 1))
    if kind == SENATUS:
        low, high = INTERVALS[index]
        own = range(s.low[s.seat], s.high[s.seat] + 1) if s.low[s.seat] else ()
        return "S" + "".join(str(face) for face in range(low, high + 1) if face not in own)
    if kind == CASTRUM:
        return "C" + str(index // DICE + 1) * (index % DICE + 1)
    if kind == FORUM:
        return "F" + "".join(str(face) for face in FORUM_DICE[index] if face)
    if kind == LATRINA:
        return "L" + digits(s.roll)[0]
    if kind == AGAIN:
        return "R" + "".join(die for i, die in enumerate(digits(s.roll)) if index + 1 >> i & 1)
    if kind == KEEP_TOKENS:
        return "K" + digits(KEEPS[index])
    if kind in (CARD, DRAWN_CARD):
        return ("+" if kind == CARD else "=") + CARDS[index]
    if kind in (PROVINCE, NEW_PROVINCE):
        return ("+" if kind == PROVINCE else "=") + PROVINCES[index]
    if kind in (PATRICIAN, NEW_PATRICIAN):
        return ("+" if kind == PATRICIAN else "=") + PATRICIANS[index]
    if kind == START_SEAT:
        return f"=s{index}"
    if kind == DRAWN_TOKEN:
        return f"={index + 1}"
    return "=" + digits(ROLLS[index])


def parse(s: State, written: str) -> int:
    """The move that a text means in this state; only legal moves and possible outcomes come out."""
    if turn(s) == OVER:
        raise MatchOver("the game is over: there is no move left to make")
    if turn(s) == CHANCE:
        return _parse_outcome(s, written)
    if written.startswith("="):
        raise IllegalMove(f"{written!r} is an outcome of chance, but seat {s.seat} is to decide")
    move = _parse_decision(s, written)
    out = np.empty(MAX_LEGAL, np.int32)
    if move is None or move not in out[: legal(s, out)]:
        raise IllegalMove(f"{written!r} is not legal for seat {s.seat} now")
    return move


def _parse_decision(s: State, written: str) -> int | None:
    """The move a well-formed text would be, or None when it cannot be one in this state."""
    if re.fullmatch(r"[TSCFLR][1-6]+", written):
        dice = written[1:]
        if list(dice) != sorted(dice):
            raise BadNotation(
                f"dice are written in ascending order: {written[0]}{''.join(sorted(dice))}, not {written}"
            )
        if s.phase != PLACE or any(dice.count(d) > s.roll[int(d) - 1] for d in dice):
            return None
        return _parse_dice(s, written[0], dice)
    if re.fullmatch(r"K[1-3]{1,2}", written):
        for index, counts in enumerate(KEEPS):
            if digits(counts) == written[1:]:
                return encode_move(KEEP_TOKENS, index)
        raise BadNotation(f"tokens are written in ascending order: K{''.join(sorted(written[1:]))}, not {written}")
    if written.startswith("+"):
        for kind, codes in ((CARD, CARDS), (PROVINCE, PROVINCES), (PATRICIAN, PATRICIANS)):
            if written[1:] in codes:
                return encode_move(kind, codes.index(written[1:]))
        raise BadNotation(f"{written[1:]!r} is no card, province or patrician: those look like III, XII:RG, R3, Rw1")
    raise BadNotation(
        f"{written!r} is no move: a move looks like T36, S345, C44, F14, L5, R112, K23, +III, +R3 or +Rw1"
    )


def _parse_dice(s: State, letter: str, dice: str) -> int | None:
    faces = [int(die) for die in dice]
    if letter == "T":
        return encode_move(TEMPLUM, sum(faces) - 1) if len(faces) == templum_needs(s) else None
    if letter == "S":
        if s.low[s.seat]:
            faces += range(s.low[s.seat], s.high[s.seat] + 1)
        low, high = min(faces), max(faces)
        return encode_move(SENATUS, INTERVAL_OF[low, high]) if sorted(faces) == [*range(low, high + 1)] else None
    if letter == "C":
        return encode_move(CASTRUM, (faces[0] - 1) * DICE + len(faces) - 1) if len(set(faces)) == 1 else None
    if letter == "F":
        pair = faces if len(faces) == 2 else [0, *faces]
        places = [i for i, known in enumerate(FORUM_DICE) if known.tolist() == pair]
        return encode_move(FORUM, places[0]) if places else None
    if letter == "L":
        return encode_move(LATRINA, 0) if len(faces) == 1 else None
    mask = 0
    position = 0
    for face in range(1, 7):
        mask |= ((1 << faces.count(face)) - 1) << position
        position += int(s.roll[face - 1])
    return encode_move(AGAIN, mask - 1)


_EXPECTED = {
    START: "the start seat, such as =s0",
    LAY_PROVINCES: "a province from the stack, such as =R3",
    LAY_PATRICIANS: "a patrician from the stack, such as =Rw1",
    TOKEN: "a fortuna token from the supply: =1, =2 or =3",
    LONE_TOKEN: "a fortuna token from the supply: =1, =2 or =3",
    DEAL: "a senate card from the stack, such as =III",
}


def _parse_outcome(s: State, written: str) -> int:
    move = None
    if s.phase in (ROLL, REROLL):
        dice = dice_to_roll(s)
        expected = f"a roll of {dice} dice in ascending order, such as ={'123456'.ljust(dice, '6')[:dice]}"
        if re.fullmatch(rf"=[1-6]{{{dice}}}", written) and list(written[1:]) == sorted(written[1:]):
            packed = sum(written.count(str(face)) << 4 * (face - 1) for face in range(1, 7))
            move = encode_move(ROLLED, roll_rank(packed))
    else:
        expected = _EXPECTED[int(s.phase)]
        kind, codes = {
            START: (START_SEAT, tuple(f"s{seat}" for seat in range(s.n))),
            LAY_PROVINCES: (NEW_PROVINCE, PROVINCES),
            LAY_PATRICIANS: (NEW_PATRICIAN, PATRICIANS),
            TOKEN: (DRAWN_TOKEN, ("1", "2", "3")),
            LONE_TOKEN: (DRAWN_TOKEN, ("1", "2", "3")),
            DEAL: (DRAWN_CARD, CARDS),
        }[int(s.phase)]
        if written[:1] == "=" and written[1:] in codes:
            move = encode_move(kind, codes.index(written[1:]))
            out = np.empty(MAX_LEGAL, np.int32)
            if move not in out[: legal(s, out)]:
                raise IllegalMove(
                    f"{written!r} cannot happen now: it is not in the stack or supply; expected {expected}"
                )
    if move is None:
        raise BadNotation(f"found {written!r} where chance decides; expected {expected}")
    return move
