"""What one seat may see of Alea Iacta Est as plain data, the ways to click its moves, and moves in words.

A watcher (seat None) sees what is public. What a newcomer would get wrong: views are written in `scribe`.
"""

import functools
import json
from typing import Any

import numpy as np

from rostra.engine.game import SPECTATOR
from rostra.engine.jit import State
from rostra.games.alea.choices import templum_needs
from rostra.games.alea.notation import digits, legal_text, text
from rostra.games.alea.rules import legal
from rostra.games.alea.scribe import ROOM, write_view
from rostra.games.alea.state import columns
from rostra.games.alea.tables import (
    AGAIN,
    CARDS,
    FREE,
    KEEP,
    KEEP_TOKENS,
    LONE_TOKEN,
    MAX_LEGAL,
    PHASES,
    PLACE,
    TEMPLUM,
    TOKEN,
    index_of,
    kind_of,
)

Rows = list[tuple[str, ...]]
"""Rows of spots."""


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


def view(s: State, seat: int | None) -> dict[str, Any]:
    """All that this seat may know, as plain data."""
    return json.loads(view_text(s, seat))  # type: ignore[no-any-return]  # a dict


def view_text(s: State, seat: int | None) -> str:
    """The same as JSON."""
    out = np.empty(ROOM, np.uint8)
    return out[: write_view(s, SPECTATOR if seat is None else seat, out)].tobytes().decode()


def paths(s: State) -> list[Rows]:
    """All ways to click each legal move: dice (`d0` is the lowest of the roll) and a building, or the tiles."""
    out = np.empty(MAX_LEGAL, np.int32)
    written = json.loads(legal_text(s, out[: legal(s, out)]))
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
