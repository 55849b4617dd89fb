"""What one seat may see of Alea Iacta Est, as plain data for programs and as a diagram for people.

A watcher (seat None) sees what is public. A view is made as JSON text, because a live server sends one to
every seat after every move; all that stands in it is digits and codes of ours, so nothing needs escaping. What a
newcomer would get wrong: nothing here may depend on another seat's secrets, not even the order of items; tests compare
whole views of states that differ only in secrets.
"""

import functools
import json
import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rostra.game import POINTS, plain_fields
from rostra.games.alea.choices import templum_needs
from rostra.games.alea.notation import digits, text, texts
from rostra.games.alea.rules import legal
from rostra.games.alea.scoring import score
from rostra.games.alea.state import STATE, columns
from rostra.games.alea.tables import (
    AGAIN,
    CARDS,
    DEAL,
    FACES,
    FINISHED,
    FREE,
    IS_CHANCE,
    KEEP,
    KEEP_TOKENS,
    LONE_TOKEN,
    MAX_LEGAL,
    MAX_SEATS,
    PATRICIANS,
    PHASES,
    PLACE,
    PROVINCES,
    SENATE_HAND,
    SETS,
    TAKE_CARD,
    TEMPLUM,
    TOKEN,
    index_of,
    kind_of,
)
from rostra.jit import State

Rows = list[tuple[str, ...]]
"""Rows of spots."""
_FACES = "123456"
_SETS, _IS_CHANCE = SETS.tolist(), IS_CHANCE.tolist()
_fields = plain_fields(STATE)
_remembered = functools.lru_cache(4096)
"""For parts of a view: a move changes one or two of them."""


def codes(mask: int, names: tuple[str, ...]) -> list[str]:
    """The names of the bits set."""
    mask, found = int(mask), []
    while mask:
        found.append(names[(mask & -mask).bit_length() - 1])
        mask &= mask - 1
    return found


def card_codes(cards: int) -> list[str]:
    """The codes of a mask of senate cards, both XIII where it has both."""
    return codes(cards, (*CARDS, CARDS[FREE]))


def hides(s: State, move: int, seat: int | None) -> bool:
    """Whether this seat may not see the coming move: a token or card that another seat gets in secret (A-HID-2)."""
    return int(s["phase"]) in (TOKEN, DEAL, TAKE_CARD) and s["seat"] != seat


def view(s: State, seat: int | None) -> dict[str, Any]:
    """All that this seat may know, as plain data."""
    return json.loads(view_text(s, seat))  # type: ignore[no-any-return]  # a dict


def view_text(s: State, seat: int | None) -> str:
    """All that this seat may know (A-HID-1 to A-HID-3), as JSON; its own secrets are under `own`."""
    f, public, end = _public(s.tobytes())
    if seat is None:
        return f'{{"game":"alea","seat":null,{public},"own":null{end}'
    return f'{{"game":"alea","seat":{seat},{public},"own":{_own(f, seat)}{end}'


@functools.lru_cache(64)
def _public(record: bytes) -> tuple[Any, str, str]:
    """The fields of a state as plain numbers, and what everybody sees as it stands before and after `own`."""
    f = _fields(record)
    n, phase = f.n, f.phase
    over = phase == FINISHED
    turn = '"over"' if over else '"chance"' if _IS_CHANCE[phase] else f.seat
    points = _points(record, n) if over else ("null",) * n
    owned = _owned(f.provinces, f.patricians, f.kept, f.drawn, f.drawn_before, f.takers, points)
    seats = zip(f.dice, f.chips, owned, strict=False)  # the last has no more seats than players
    players = [f'{{"dice":{dice},"chips":{chips},{more}' for dice, chips, more in seats]
    public = (
        f'"turn":{turn},"phase":"{PHASES[phase]}","active":{f.seat},"set":{f.set + 1},"sets":{_SETS[n]},'
        f'"round":{f.lap + 1},"start":{f.start},"roll":"{digits(f.roll)}",'
        f'"offered":{{{_tiles(f.province_offer, f.patrician_offer)}}},'
        f"{_stacks(f.province_pool, f.patrician_pool, f.senate_deck, f.token_supply, f.token_discards)},"
        f'"templum":{_templum(f.templum_dice, f.templum_sum) if n >= 4 else "null"},'  # A-SET-6
        f'"senatus":{_senatus(f.low, f.high)},"castrum":{_castrum(f.castrum)},"columns":{n + 2},'
        f'"forum":{_forum(f.forum_face[: f.forum_size], f.forum_seat)},"latrina":{_latrina(f.latrina[:n])},'
        f'"players":{_row(players)}'
    )
    if not over:
        return f, public, "}"
    cards = [_names(_taken(f.hands, f.takers, other)[0]) for other in range(n)]  # A-HID-2: until the end of the game
    return f, public, f',"senate":{_row(cards)}}}'


def _points(record: bytes, n: int) -> tuple[int, ...]:
    points = np.zeros((3, n), np.int32)
    score(np.frombuffer(bytearray(record), STATE)[0], points)  # a copy, since compiled code takes no read-only record
    return tuple(points[POINTS].tolist())


def _row(items: Iterable[str]) -> str:
    return f"[{','.join(items)}]"


def _quoted(texts: list[str]) -> str:
    joined = '","'.join(texts)
    return f'["{joined}"]' if texts else "[]"


@_remembered
def _tiles(provinces: int, patricians: int) -> str:
    return f'"provinces":{_quoted(codes(provinces, PROVINCES))},"patricians":{_quoted(codes(patricians, PATRICIANS))}'


@_remembered
def _stacks(provinces: int, patricians: int, senate: int, supply: bytes, discards: bytes) -> str:
    return (
        f'"stacks":{{"provinces":{provinces.bit_count()},"patricians":{patricians.bit_count()},'
        f'"senate":{senate.bit_count()},"fortuna":{sum(supply)}}},"discards":"{digits(discards)}"'
    )


@_remembered
def _templum(dice: bytes, sums: bytes) -> str:
    return _row(
        [f'{{"seat":{seat},"dice":{dice[seat]},"sum":{sums[seat]}}}' for seat in range(MAX_SEATS) if dice[seat]]
    )


@_remembered
def _senatus(low: bytes, high: bytes) -> str:
    return _row(
        [f'{{"seat":{seat},"dice":"{_FACES[low[seat] - 1 : high[seat]]}"}}' for seat in range(MAX_SEATS) if low[seat]]
    )


@_remembered
def _castrum(castrum: bytes) -> str:
    return _row(
        [
            f'{{"seat":{at // FACES},"dice":"{_FACES[at % FACES] * number}"}}'
            for at, number in enumerate(castrum)
            if number
        ]
    )


@_remembered
def _forum(dice: bytes, seats: bytes) -> str:
    return _row([f'{{"seat":{seats[at]},"die":{die}}}' for at, die in enumerate(dice)])


@_remembered
def _latrina(dice: bytes) -> str:
    return _row(map(str, dice))


@_remembered
def _owned(
    provinces: bytes, patricians: bytes, kept: bytes, drawn: bytes, before: bytes, takers: bytes, points: Sequence[Any]
) -> list[str]:
    """What follows dice and chips in the object of each player; it changes in the scoring only."""
    tiles = zip(memoryview(provinces).cast("i"), memoryview(patricians).cast("q"), strict=True)
    found = []
    for seat, (fame, (lands, people)) in enumerate(zip(points, tiles, strict=False)):
        own = slice(3 * seat, 3 * seat + 3)
        tokens = sum(drawn[own]) + sum(before[own])
        found.append(_possessions(lands, people, kept[own], tokens, takers.count(seat + 1), fame))
    return found


@_remembered
def _possessions(provinces: int, patricians: int, kept: bytes, drawn: int, cards: int, points: Any) -> str:
    return (
        f'{_tiles(provinces, patricians)},"fortuna":"{digits(kept)}","drawn":{drawn},'
        f'"senate":{cards},"points":{points}}}'
    )


def _own(f: Any, seat: int) -> str:
    """What only this seat knows."""
    tokens = slice(3 * seat, 3 * seat + 3)
    choice = b""
    if f.seat == seat and f.phase in (DEAL, TAKE_CARD):
        first = SENATE_HAND * f.set
        choice = f.hands[first + f.rank : first + SENATE_HAND]
    return _secrets(f.drawn[tokens], f.drawn_before[tokens], f.hands, f.takers, seat, choice)


@_remembered
def _secrets(drawn: bytes, before: bytes, hands: bytes, takers: bytes, seat: int, choice: bytes) -> str:
    """The tokens of a seat, its cards, and those it handed on (A-HID-3) or chooses from now."""
    senate, passed = _taken(hands, takers, seat)
    return (
        f'{{"drawn":"{digits(map(operator.add, drawn, before))}","senate":{_names(senate)},'
        f'"passed":{_names(passed)},"choice":{_names(choice)}}}'
    )


def _taken(hands: bytes, takers: bytes, seat: int) -> tuple[bytes, bytes]:
    """The senate cards that a seat took, and those it handed on."""
    senate = passed = b""
    for at, taker in enumerate(takers):
        if taker == seat + 1:
            senate += hands[at : at + 1]
            passed += hands[at + 1 : at - at % SENATE_HAND + SENATE_HAND]
    return senate, passed


def _names(cards: bytes) -> str:
    return _quoted([CARDS[card - 1] for card in sorted(cards) if card])


def paths(s: State) -> list[Rows]:
    """All ways to click each legal move: dice (`d0` is the lowest of the roll) and a building, or the tiles."""
    out = np.empty(MAX_LEGAL, np.int32)
    moves = out[: legal(s, out)].tolist()
    written = texts(s, moves)
    if s.phase == KEEP:
        return [[tuple(f"token:{value}" for value in move[1:])] for move in written]
    if s.phase != PLACE:
        return [[(move[1:],)] for move in written]
    roll = digits(s.roll.tolist())
    by_dice, by_sum = _selections(roll)
    found = []
    for move in written:
        letter, dice = move[0], move[1:]
        if letter == "T":
            rows = by_sum[len(dice), sum(map(int, dice))]
        elif letter == "L":  # any single die
            rows = [(f"d{i}",) for i in range(len(roll))]
        else:
            rows = by_dice[dice]
        target = ("reroll" if letter == "R" else letter,)
        found.append([row + target for row in rows])
    return found


@functools.lru_cache(64)
def _selections(roll: str) -> tuple[dict[str, Rows], dict[tuple[int, int], Rows]]:
    """All ways to click some dice of a roll, by what they show and by their number and sum."""
    by_dice: dict[str, Rows] = {}
    by_sum: dict[tuple[int, int], Rows] = {}
    for mask in range(1, 1 << len(roll)):
        chosen = [i for i in range(len(roll)) if mask >> i & 1]
        spots = tuple([f"d{i}" for i in chosen])
        dice = [roll[i] for i in chosen]
        by_dice.setdefault("".join(dice), []).append(spots)
        by_sum.setdefault((len(dice), sum(map(int, dice))), []).append(spots)
    return by_dice, by_sum


def explain(s: State, move: int) -> str:
    """A move in a short sentence, from the mover's side."""
    kind, written = kind_of(move), text(s, move)
    body = " ".join(written[1:])
    if kind == AGAIN:
        return f"give back a chip and roll {body} again"
    if s.phase == PLACE:
        return f"place {body} in the {_BUILDINGS[written[0]]}{_consequence(s, move)}"
    if kind == KEEP_TOKENS:
        return f"keep the fortuna token{'s' if len(written) > 2 else ''} {body}"
    if written.startswith("+"):
        return f"take {written[1:]}"
    return {
        "=s": f"seat {written[-1]} starts",
        "roll": f"a roll of {body}",
        "token": f"a fortuna token of value {body}",
    }.get("=s" if written[:2] == "=s" else _event(s), f"{written[1:]} is turned up")


_BUILDINGS = {"T": "Templum", "S": "Senatus", "C": "Castrum", "F": "Forum", "L": "Latrina"}


def _event(s: State) -> str:
    name = PHASES[s.phase]
    if name in ("roll", "reroll"):
        return "roll"
    return "token" if s.phase in (TOKEN, LONE_TOKEN) else name


def _consequence(s: State, move: int) -> str:
    kind = kind_of(move)
    if kind == TEMPLUM:
        number = templum_needs(s)
        return f" (sum {s.templum_sum[s.seat] + index_of(move) + 1}, draws {number} token{'s' if number > 1 else ''})"
    written = text(s, move)
    if written[0] == "F":
        pushed = max(0, s.forum_size + len(written) - 1 - columns(s))
        owners = [int(s.forum_seat[s.forum_size - 1 - i]) for i in range(pushed)]
        return f" (pushes out a die of seat {' and of seat '.join(map(str, owners))})" if owners else ""
    return ""
