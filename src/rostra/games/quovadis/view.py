"""What one seat may see of Quo Vadis?, as data for programs and as a diagram for people.

Hands are secret only to the eye (Q-HID-1): of others the number of tiles is shown, unless the option `show_hands` or a
demand (Q-VAR-2) opens them. Promises and drafts are public.
"""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from rostra.engine.game import plain_fields
from rostra.engine.jit import State
from rostra.games.quovadis.notation import words_of
from rostra.games.quovadis.rules import legal
from rostra.games.quovadis.shapes import (
    QuoVadisCommittee,
    QuoVadisDraft,
    QuoVadisOpenDraft,
    QuoVadisPlayer,
    QuoVadisPromise,
    QuoVadisView,
)
from rostra.games.quovadis.state import DRAFT_SIZE, ONE_STEP, SHOWN, STATE
from rostra.games.quovadis.tables import (
    BARGAIN,
    COMMITTEES,
    FINISHED,
    GIVE,
    IS_CHANCE,
    LAURELS,
    MAX_GIVES,
    MAX_LEGAL,
    MAX_SEATS,
    N_VALUES,
    ONE,
    PATHS,
    PHASES,
    PLACES,
    PROMISE,
    SEATS_IN,
    THEN,
    VOW,
    encode_move,
    kind_of,
)

N_FATES = 3  # of promises: kept, broken, lapsed
_COMMITTEES = [(name, int(seats)) for name, seats in zip(COMMITTEES, SEATS_IN, strict=False)]  # the last is the Senate
_CHANCE = tuple(IS_CHANCE.tolist())
_fields = plain_fields(STATE)
_remembered = functools.lru_cache(4096)
"""A cache for parts of a view: most plies, above all of a negotiation, leave most parts unchanged."""


def draft_words(draft: Any) -> QuoVadisDraft:
    """A draft as texts."""
    action, *terms = map(int, draft)
    gives, then, promises = terms[:MAX_GIVES], terms[MAX_GIVES], terms[MAX_GIVES + 1 :]
    bargain = kind_of(action - 1) == BARGAIN
    return {
        "action": words_of(action - 1),
        "gives": [words_of(encode_move(GIVE, give - 1)) for give in gives if give],
        "then": words_of(encode_move(THEN, then % ONE_STEP - 1)) if then % ONE_STEP and not bargain else None,
        "one": words_of(encode_move(ONE, then // ONE_STEP - 1)) if then >= ONE_STEP and not bargain else None,
        "vow": words_of(encode_move(VOW, then - 1)) if then and bargain else None,
        "promises": [words_of(encode_move(PROMISE, promise - 1)) for promise in promises if promise],
    }


def terms_of(draft: QuoVadisDraft) -> list[str]:
    """The terms of a draft in one list, the action first."""
    single = (draft["then"], draft["one"], draft["vow"])
    return [draft["action"], *draft["gives"], *(term for term in single if term), *draft["promises"]]


def view(s: State, seat: int | None) -> QuoVadisView:
    """All that this seat (None: a spectator) may see. Views share parts that have not changed: copy before you change
    one."""
    public, own = _public(s.tobytes())
    if seat is None:
        return public
    players = [*public["players"]]
    players[seat] = own[seat]
    return {**public, "seat": seat, "players": players}


@functools.lru_cache(1)
def _public(record: bytes) -> tuple[QuoVadisView, list[QuoVadisPlayer]]:
    """What everybody sees, and the players as they see themselves; the last one is cached, because the views of all
    seats are asked for one after the other."""
    f = _fields(record)
    n, phase = f.n, f.phase
    over = phase == FINISHED
    closed, opened = _players(f.off, f.hands, f.totals, f.senate[: f.arrived], f.qualified if f.consul else 0, n)
    shown: QuoVadisView = {
        "game": "quovadis",
        "seat": None,
        "turn": "over" if over else "chance" if _CHANCE[phase] else f.seat,
        "phase": PHASES[phase],  # type: ignore[typeddict-item]  # one of its names
        "active": f.active,
        "game_number": f.game + 1,
        "committees": _committees(f.board),
        "senate": [owner - 1 for owner in f.senate[: f.arrived]],
        "laurels": _laurels(f.laurels),
        "caesar": PLACES[f.caesar],
        "caesar_frees": "committee" if f.caesar_frees else "path",  # Q-VAR-4
        "ones": f.ones,
        "open_hands": bool(f.open_hands),  # Q-VAR-2
        "shown": bool(f.open_hands & SHOWN),
        "stack": sum(f.stack),
        "quiet": f.quiet,
        "stalls_at": f.stall_rounds * n or None,
        "drafts": f.drafts,
        "heard": bool(f.heard),
        "draft": _draft(f.draft, f.drafter),
        "refused": _refused(f.refused, f.n_refused),
        "refusing": [seat for seat in range(n) if f.refusing >> seat & 1],  # Q-NEG-5
        "consenting": [seat for seat in range(n) if f.consenting >> seat & 1],
        "spared": [path for place, path in enumerate(PLACES) if f.spared >> place & 1],
        "promises": _promises(f.promises, f.promise_turns, f.n_promises),
        "fates": _fates(f.fates, n),
        "players": opened if f.show_hands or f.open_hands & SHOWN or over else closed,
    }
    return shown, opened


@_remembered
def _committees(board: bytes) -> dict[str, QuoVadisCommittee]:
    return {
        name: {"seats": seats, "senators": [seat for seat, number in enumerate(row) for _ in range(number)]}
        for (name, seats), row in zip(_COMMITTEES, _rows(board, MAX_SEATS), strict=True)
    }


@_remembered
def _laurels(laurels: bytes) -> dict[str, str | None]:
    return {path: LAURELS[kind - 1] if kind else None for path, kind in zip(PLACES, laurels, strict=True)}


@_remembered
def _draft(draft: bytes, drafter: int) -> QuoVadisOpenDraft | None:
    terms = memoryview(draft).cast("h")
    return {**draft_words(terms), "drafter": drafter} if terms[0] else None


@_remembered
def _refused(refused: bytes, number: int) -> list[QuoVadisDraft]:
    terms = memoryview(refused).cast("h")
    return [draft_words(terms[DRAFT_SIZE * i : DRAFT_SIZE * (i + 1)]) for i in range(number)]


@_remembered
def _promises(promises: bytes, turns: bytes, number: int) -> list[QuoVadisPromise]:
    moves = memoryview(promises).cast("h")
    return [{"promise": words_of(encode_move(PROMISE, moves[i] - 1)), "turns": turns[i]} for i in range(number)]


@_remembered
def _fates(fates: bytes, n: int) -> list[list[list[int]]]:
    return [_rows(row, N_FATES)[:n] for row in _rows(fates, N_FATES * MAX_SEATS)[:n]]


@_remembered
def _players(
    off: bytes, hands: bytes, totals: bytes, senate: bytes, qualified: int, n: int
) -> tuple[list[QuoVadisPlayer], list[QuoVadisPlayer]]:
    """The players as others see them, and as they see themselves."""
    arrivals = list(dict.fromkeys(senate))  # Q-END-3
    closed: list[QuoVadisPlayer] = []
    opened: list[QuoVadisPlayer] = []
    for seat, hand in enumerate(_rows(hands, N_VALUES)[:n]):
        player: QuoVadisPlayer = {
            "off": off[seat],
            "tiles": sum(hand),
            "hand": None,
            "points": None,
            "total": memoryview(totals).cast("h")[seat],
            "arrival": arrivals.index(seat + 1) + 1 if seat + 1 in arrivals else 0,
            "counts": seat + 1 in arrivals or bool(qualified >> seat & 1),  # as `rules.score`
        }
        points = sum(value * number for value, number in enumerate(hand, 1))  # as `rules.points_now`
        closed.append(player)
        opened.append({**player, "hand": hand, "points": points})
    return closed, opened


def _rows(flat: Sequence[int], width: int) -> list[list[int]]:
    return [[*flat[at : at + width]] for at in range(0, len(flat), width)]


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
        lines.append(f"seat {draft['drafter']} drafts: {'; '.join(terms_of(draft))}")
    lines += [f"in this turn: seat {one} does not consent" for one in seen["refusing"]]
    lines += [f"in this turn: seat {one} consents" for one in seen["consenting"]]
    lines += [f"in this turn: Caesar is not put on {path}" for path in seen["spared"]]
    lines += [f"open: {one['promise']} ({one['turns']} turns)" for one in seen["promises"]]
    return "\n".join(lines) + "\n"
