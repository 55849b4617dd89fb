"""What one seat may see of Quo Vadis?, as plain data for programs and as a diagram for people.

Hands are secret only to the eye (Q-HID-1): of others the number of tiles is shown, unless the option `show_hands` opens
them. A view is made as JSON text, because a live server sends one to every seat after every move. What a newcomer would
get wrong: promises and drafts are public.
"""

import functools
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from rostra.engine.game import plain_fields
from rostra.engine.jit import State
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

N_FATES = 3  # of promises: kept, broken, lapsed
_COMMITTEES = [(name, int(seats)) for name, seats in zip(COMMITTEES, SEATS_IN, strict=False)]  # the last is the Senate
_TRUTH = ("false", "true")
_json = json.JSONEncoder(separators=(",", ":")).encode
_fields = plain_fields(STATE)
_remembered = functools.lru_cache(4096)
"""For parts of a view: most plies, above all of a negotiation, leave most of them as they are."""


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
    """All that this seat may see, as plain data."""
    return json.loads(view_text(s, seat))  # type: ignore[no-any-return]  # a dict


def view_text(s: State, seat: int | None) -> str:
    """All that this seat may see, as JSON."""
    public, closed, opened = _public(s.tobytes())
    if seat is None:
        return f'{{"game":"quovadis","seat":null,{public},"players":[{",".join(closed)}]}}'
    players = [*closed[:seat], opened[seat], *closed[seat + 1 :]]
    return f'{{"game":"quovadis","seat":{seat},{public},"players":[{",".join(players)}]}}'


@functools.lru_cache(64)
def _public(record: bytes) -> tuple[str, list[str], list[str]]:
    """What everybody sees, without the players; the players as others see them, and as they see themselves."""
    f = _fields(record)
    n, phase = f.n, f.phase
    over = phase == FINISHED
    turn = '"over"' if over else '"chance"' if IS_CHANCE[phase] else f.seat
    public = (
        f'"turn":{turn},"phase":"{PHASES[phase]}","active":{f.active},"game_number":{f.game + 1},'
        f'"committees":{_committees(f.board)},"senate":{_senate(f.senate[: f.arrived])},'
        f'"laurels":{_laurels(f.laurels)},"caesar":"{PLACES[f.caesar]}","ones":{f.ones},'
        f'"open_hands":{_TRUTH[f.open_hands]},'  # Q-VAR-2: after early arrivals all may be asked to show their laurels
        f'"stack":{sum(f.stack)},"quiet":{f.quiet},"stalls_at":{f.stall_rounds * n or "null"},"drafts":{f.drafts},'
        f'"heard":{_TRUTH[f.heard]},"draft":{_draft(f.draft, f.drafter)},"refused":{_refused(f.refused, f.n_refused)},'
        f'"promises":{_promises(f.promises, f.promise_turns, f.n_promises)},"fates":{_fates(f.fates, n)}'
    )
    closed, opened = _players(f.off, f.hands, f.totals, f.senate[: f.arrived], n)
    return public, opened if f.show_hands or over else closed, opened


@_remembered
def _committees(board: bytes) -> str:
    return _json(
        {
            name: {"seats": seats, "senators": [seat for seat, number in enumerate(row) for _ in range(number)]}
            for (name, seats), row in zip(_COMMITTEES, _rows(board, MAX_SEATS), strict=True)
        }
    )


@_remembered
def _senate(owners: bytes) -> str:
    return _json([owner - 1 for owner in owners])


@_remembered
def _laurels(laurels: bytes) -> str:
    return _json({path: LAURELS[kind - 1] if kind else None for path, kind in zip(PLACES, laurels, strict=True)})


@_remembered
def _draft(draft: bytes, drafter: int) -> str:
    terms = memoryview(draft).cast("h")
    return _json(draft_words(terms) | {"drafter": drafter} if terms[0] else None)


@_remembered
def _refused(refused: bytes, number: int) -> str:
    terms = memoryview(refused).cast("h")
    return _json([draft_words(terms[DRAFT_SIZE * i : DRAFT_SIZE * (i + 1)]) for i in range(number)])


@_remembered
def _promises(promises: bytes, turns: bytes, number: int) -> str:
    moves = memoryview(promises).cast("h")
    return _json([{"promise": words_of(encode_move(PROMISE, moves[i] - 1)), "turns": turns[i]} for i in range(number)])


@_remembered
def _fates(fates: bytes, n: int) -> str:
    return _json([_rows(row, N_FATES)[:n] for row in _rows(fates, N_FATES * MAX_SEATS)[:n]])


@_remembered
def _players(off: bytes, hands: bytes, totals: bytes, senate: bytes, n: int) -> tuple[list[str], list[str]]:
    """The players as others see them, and as they see themselves."""
    arrivals = list(dict.fromkeys(senate))  # Q-END-3
    closed, opened = [], []
    for seat, hand in enumerate(_rows(hands, N_VALUES)[:n]):
        points = sum(value * number for value, number in enumerate(hand, 1))  # as `rules.points_now`
        begin = f'{{"off":{off[seat]},"tiles":{sum(hand)},'
        arrival = arrivals.index(seat + 1) + 1 if seat + 1 in arrivals else 0
        end = f'"total":{memoryview(totals).cast("h")[seat]},"arrival":{arrival}}}'
        closed.append(f'{begin}"hand":null,"points":null,{end}')
        opened.append(f'{begin}"hand":{_json(hand)},"points":{points},{end}')
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
        terms = [draft["action"], *draft["gives"], *([draft["then"]] if draft["then"] else []), *draft["promises"]]
        lines.append(f"seat {draft['drafter']} drafts: {'; '.join(terms)}")
    lines += [f"open: {one['promise']} ({one['turns']} turns)" for one in seen["promises"]]
    return "\n".join(lines) + "\n"
