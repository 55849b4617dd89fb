"""What one seat may see of Quo Vadis?, as plain data for programs and as a diagram for people.

Hands are secret only to the eye (Q-HID-1): of others the number of tiles is shown, unless the option `show_hands` opens
them. What a newcomer would get wrong: promises and drafts are public.
"""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from rostra.game import plain_fields
from rostra.games.quovadis.notation import words_of
from rostra.games.quovadis.rules import legal
from rostra.games.quovadis.state import DRAFT_SIZE, STATE
from rostra.games.quovadis.tables import (
    COMMITTEES,
    FINISHED,
    GIVE,
    IS_CHANCE,
    LAURELS,
    MAX_GIVES,
    MAX_LEGAL,
    MAX_SEATS,
    N_VALUES,
    PATHS,
    PHASES,
    PLACES,
    PROMISE,
    SEATS_IN,
    THEN,
    encode_move,
)
from rostra.jit import State

N_FATES = 3  # of promises: kept, broken, lapsed
_COMMITTEES = [(name, int(seats)) for name, seats in zip(COMMITTEES, SEATS_IN, strict=False)]  # the last is the Senate
_fields = plain_fields(STATE)


def draft_words(draft: Any) -> dict[str, Any]:
    """A draft as texts."""
    action, *terms = map(int, draft)
    gives, then, promises = terms[:MAX_GIVES], terms[MAX_GIVES], terms[MAX_GIVES + 1 :]
    return {
        "action": words_of(action - 1),
        "gives": [words_of(encode_move(GIVE, give - 1)) for give in gives if give],
        "then": words_of(encode_move(THEN, then - 1)) if then else None,
        "promises": [words_of(encode_move(PROMISE, promise - 1)) for promise in promises if promise],
    }


def view(s: State, seat: int | None) -> dict[str, Any]:
    """All that this seat may see. To be read, not changed: the views of one position share what all see."""
    hands, public = _public(s.tobytes())
    seen = {**public, "seat": seat}
    if seat is not None and public["players"][seat]["hand"] is None:
        seen["players"] = list(public["players"])
        seen["players"][seat] = {**public["players"][seat], "hand": hands[seat], "points": _points(hands[seat])}
    return seen


@functools.lru_cache(64)
def _public(record: bytes) -> tuple[list[list[int]], dict[str, Any]]:
    """All hands, and the view of a watcher."""
    f = _fields(record)
    n, phase = f["n"], f["phase"]
    over = phase == FINISHED
    hands = _rows(f["hands"], N_VALUES)
    senate = [owner - 1 for owner in f["senate"][: f["arrived"]]]
    seen: dict[str, Any] = {
        "game": "quovadis",
        "seat": None,
        "turn": "over" if over else "chance" if IS_CHANCE[phase] else f["seat"],
        "phase": PHASES[phase],
        "active": f["active"],
        "game_number": f["game"] + 1,
        "committees": _committees(f["board"]),
        "senate": senate,
        "laurels": {path: LAURELS[kind - 1] if kind else None for path, kind in zip(PLACES, f["laurels"], strict=True)},
        "caesar": PLACES[f["caesar"]],
        "ones": f["ones"],
        "open_hands": bool(f["open_hands"]),  # Q-VAR-2: after early arrivals anybody may ask all to show their laurels
        "stack": sum(f["stack"]),
        "quiet": f["quiet"],
        "stalls_at": f["stall_rounds"] * n or None,
        "drafts": f["drafts"],
        "heard": bool(f["heard"]),
        "draft": draft_words(f["draft"]) | {"drafter": f["drafter"]} if f["draft"][0] else None,
        "refused": [draft_words(f["refused"][DRAFT_SIZE * i : DRAFT_SIZE * (i + 1)]) for i in range(f["n_refused"])],
        "promises": [
            {"promise": words_of(encode_move(PROMISE, f["promises"][i] - 1)), "turns": f["promise_turns"][i]}
            for i in range(f["n_promises"])
        ],
        "fates": _fates(f["fates"], n),
    }
    shown = f["show_hands"] or over
    arrivals = list(dict.fromkeys(senate))  # Q-END-3
    seen["players"] = [
        {
            "off": f["off"][seat],
            "tiles": sum(hands[seat]),
            "hand": hands[seat] if shown else None,
            "points": _points(hands[seat]) if shown else None,
            "total": f["totals"][seat],
            "arrival": arrivals.index(seat) + 1 if seat in arrivals else 0,
        }
        for seat in range(n)
    ]
    return hands, seen


@functools.lru_cache(256)  # most plies of a negotiation leave board and fates as they are
def _committees(board: bytes) -> dict[str, Any]:
    return {
        name: {"seats": seats, "senators": [seat for seat, number in enumerate(row) for _ in range(number)]}
        for (name, seats), row in zip(_COMMITTEES, _rows(board, MAX_SEATS), strict=True)
    }


@functools.lru_cache(256)
def _fates(fates: bytes, n: int) -> list[list[list[int]]]:
    return [_rows(row, N_FATES)[:n] for row in _rows(fates, N_FATES * MAX_SEATS)[:n]]


def _rows(flat: Sequence[int], width: int) -> list[list[int]]:
    return [[*flat[at : at + width]] for at in range(0, len(flat), width)]


def _points(hand: list[int]) -> int:
    """As `rules.points_now`."""
    return sum(value * number for value, number in enumerate(hand, 1))


def paths(s: State) -> list[list[tuple[str, ...]]]:
    """The one way to click each legal move: the words of its text."""
    out = np.empty(MAX_LEGAL, np.int32)
    return [[tuple(words_of(move).split())] for move in out[: legal(s, out)].tolist()]


def diagram(s: State, seat: int | None) -> str:
    """The board as text, readable without colour: senators by seat number, `.` for a free seat."""
    seen = view(s, seat)

    def room(name: str) -> str:
        if name == "S":
            inside, size = seen["senate"], 5
        else:
            inside, size = seen["committees"][name]["senators"], seen["committees"][name]["seats"]
        return f"{name}[{''.join(map(str, inside)) + '.' * (size - len(inside))}]"

    def way(path: str) -> str:
        if path not in PLACES:
            return path
        laurel = seen["laurels"][path] or "none"
        return f"{path} {laurel}{' CAESAR' if path == seen['caesar'] else ''}"

    lines = ["                     " + room("S")]
    for row in ("M N", "L", "I J K", "E F G H", "A B C D"):
        lines.append("   ".join(f"{room(name):9}" for name in row.split()).rstrip())
        lines.append("      " + "   ".join(way(path) for path in PATHS if path[0] in row))
    lines.append(f"ones left: {seen['ones']}, laurels face down: {seen['stack']}")
    for index, player in enumerate(seen["players"]):
        mark = ">" if index == seen["active"] and seen["turn"] != "over" else " "
        points = "" if player["points"] is None else f", {player['points']} points"
        lines.append(f"{mark} seat {index}: {player['off']} senators off the board, {player['tiles']} laurels{points}")
    if seen["draft"]:
        draft = seen["draft"]
        terms = [draft["action"], *draft["gives"], *([draft["then"]] if draft["then"] else []), *draft["promises"]]
        lines.append(f"seat {draft['drafter']} drafts: {'; '.join(terms)}")
    lines += [f"open: {one['promise']} ({one['turns']} turns)" for one in seen["promises"]]
    return "\n".join(lines) + "\n"
