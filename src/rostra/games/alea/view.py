"""What one seat may see of Alea Iacta Est, as plain data for programs and as a diagram for people.

A watcher (seat None) sees what is public. What a newcomer would get wrong: nothing here may depend on another seat's
secrets, not even the order of items; tests compare whole views of states that differ only in secrets.
"""

import functools
import operator
from collections.abc import Sequence
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
_fields = plain_fields(STATE)


def codes(mask: int, names: tuple[str, ...]) -> list[str]:
    """The names of the bits set."""
    return [name for index, name in enumerate(names) if mask >> index & 1]


def card_codes(cards: int) -> list[str]:
    """The codes of a mask of senate cards, both XIII where it has both."""
    return codes(cards, (*CARDS, CARDS[FREE]))


@functools.lru_cache(4096)
def _provinces(mask: int) -> tuple[str, ...]:
    return tuple(codes(mask, PROVINCES))


@functools.lru_cache(4096)
def _patricians(mask: int) -> tuple[str, ...]:
    return tuple(codes(mask, PATRICIANS))


def hides(s: State, move: int, seat: int | None) -> bool:
    """Whether this seat may not see the coming move: a token or card that another seat gets in secret (A-HID-2)."""
    return s["phase"] in (TOKEN, DEAL, TAKE_CARD) and s["seat"] != seat


def view(s: State, seat: int | None) -> dict[str, Any]:
    """All that this seat may know (A-HID-1 to A-HID-3); its own secrets are under `own`. To be read, not changed: the
    views of one position share what is public."""
    fields, public = _public(s.tobytes())
    return {**public, "seat": seat, "own": None if seat is None else _own(fields, seat)}


@functools.lru_cache(64)
def _public(record: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of a state as plain numbers, and the view of a watcher."""
    f = _fields(record)
    n, phase = f["n"], f["phase"]
    over = phase == FINISHED
    forum = f["forum_size"]
    seen: dict[str, Any] = {
        "game": "alea",
        "seat": None,
        "turn": "over" if over else "chance" if IS_CHANCE[phase] else f["seat"],
        "phase": PHASES[phase],
        "active": f["seat"],
        "set": f["set"] + 1,
        "sets": int(SETS[n]),
        "round": f["lap"] + 1,
        "start": f["start"],
        "roll": digits(f["roll"]),
        "offered": {
            "provinces": [*_provinces(f["province_offer"])],
            "patricians": [*_patricians(f["patrician_offer"])],
        },
        "stacks": {
            "provinces": f["province_pool"].bit_count(),
            "patricians": f["patrician_pool"].bit_count(),
            "senate": f["senate_deck"].bit_count(),
            "fortuna": sum(f["token_supply"]),
        },
        "discards": digits(f["token_discards"]),
        "templum": [
            {"seat": other, "dice": dice, "sum": total}
            for other, (dice, total) in enumerate(zip(f["templum_dice"], f["templum_sum"], strict=True))
            if dice
        ]
        if n >= 4  # A-SET-6
        else None,
        "senatus": [
            {"seat": other, "dice": "123456"[low - 1 : high]}
            for other, (low, high) in enumerate(zip(f["low"], f["high"], strict=True))
            if low
        ],
        "castrum": [
            {"seat": at // FACES, "dice": "123456"[at % FACES] * number}
            for at, number in enumerate(f["castrum"])
            if number
        ],
        "columns": n + 2,
        "forum": [
            {"seat": other, "die": die}
            for other, die in zip(f["forum_seat"][:forum], f["forum_face"][:forum], strict=True)
        ],
        "latrina": list(f["latrina"][:n]),
        "players": _players(f, _points(record, n) if over else [None] * n),
        "own": None,
    }
    if over:  # A-HID-2: until the end of the game
        seen["senate"] = [_own(f, other)["senate"] for other in range(n)]
    return f, seen


def _points(record: bytes, n: int) -> list[int]:
    points = np.zeros((3, n), np.int32)
    score(np.frombuffer(bytearray(record), STATE)[0], points)  # a copy, since compiled code takes no read-only record
    return points[POINTS].tolist()  # type: ignore[no-any-return]  # a list of ints


def _players(f: dict[str, Any], points: Sequence[int | None]) -> list[dict[str, Any]]:
    return [
        {
            "dice": f["dice"][seat],
            "chips": f["chips"][seat],
            "provinces": [*_provinces(f["provinces"][seat])],
            "patricians": [*_patricians(f["patricians"][seat])],
            "fortuna": digits(f["kept"][3 * seat : 3 * seat + 3]),
            "drawn": sum(f["drawn"][3 * seat : 3 * seat + 3]) + sum(f["drawn_before"][3 * seat : 3 * seat + 3]),
            "senate": f["takers"].count(seat + 1),
            "points": points[seat],
        }
        for seat in range(f["n"])
    ]


def _own(f: dict[str, Any], seat: int) -> dict[str, Any]:
    """What only this seat knows: its tokens, its cards, and those it handed on (A-HID-3) or chooses from now."""
    hands, takers = f["hands"], f["takers"]
    senate, passed, choice = [], b"", b""
    at = takers.find(seat + 1)
    while at >= 0:
        senate.append(hands[at])
        passed += hands[at + 1 : at - at % SENATE_HAND + SENATE_HAND]
        at = takers.find(seat + 1, at + 1)
    if f["seat"] == seat and f["phase"] in (DEAL, TAKE_CARD):
        first = SENATE_HAND * f["set"]
        choice = hands[first + f["rank"] : first + SENATE_HAND].replace(b"\0", b"")
    drawn = slice(3 * seat, 3 * seat + 3)
    return {
        "drawn": digits(map(operator.add, f["drawn"][drawn], f["drawn_before"][drawn])),
        "senate": [CARDS[card - 1] for card in sorted(senate)],
        "passed": [CARDS[card - 1] for card in sorted(passed)],
        "choice": [CARDS[card - 1] for card in sorted(choice)],
    }


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
