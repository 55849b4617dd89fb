"""What one seat may see of Quo Vadis?, as plain data for programs and as a diagram for people.

Hands are secret only to the eye (Q-HID-1): of others the number of tiles is shown, unless the option `show_hands` opens
them. What a newcomer would get wrong: promises and drafts are public.
"""

from typing import Any

from rostra.game import CHANCE, OVER
from rostra.games.quovadis.notation import words_of
from rostra.games.quovadis.rules import points_now, turn
from rostra.games.quovadis.state import AT_GIVES, AT_TERMS, AT_THEN, arrival
from rostra.games.quovadis.tables import (
    COMMITTEES,
    GIVE,
    LAURELS,
    MAX_GIVES,
    MAX_TERMS,
    PATHS,
    PHASES,
    PLACES,
    PROMISE,
    SEATS_IN,
    THEN,
    encode_move,
)
from rostra.jit import State


def draft_words(draft: Any) -> dict[str, Any]:
    """A draft as texts."""
    return {
        "action": words_of(int(draft[0]) - 1),
        "gives": [words_of(encode_move(GIVE, int(g) - 1)) for g in draft[AT_GIVES : AT_GIVES + MAX_GIVES] if g],
        "then": words_of(encode_move(THEN, int(draft[AT_THEN]) - 1)) if draft[AT_THEN] else None,
        "promises": [words_of(encode_move(PROMISE, int(t) - 1)) for t in draft[AT_TERMS : AT_TERMS + MAX_TERMS] if t],
    }


def view(s: State, seat: int | None) -> dict[str, Any]:
    """All that this seat may see."""
    now = turn(s)
    players = []
    for other in range(s.n):
        shown = other == seat or s.show_hands or now == OVER
        players.append(
            {
                "off": int(s.off[other]),
                "tiles": int(s.hands[other].sum()),
                "hand": [int(k) for k in s.hands[other]] if shown else None,
                "points": points_now(s, other) if shown else None,
                "total": int(s.totals[other]),
                "arrival": arrival(s, other),
            }
        )
    return {
        "game": "quovadis",
        "seat": seat,
        "turn": "chance" if now == CHANCE else "over" if now == OVER else now,
        "phase": PHASES[s.phase],
        "active": int(s.active),
        "game_number": int(s.game) + 1,
        "committees": {
            name: {"seats": int(SEATS_IN[index]), "senators": [o for o in range(s.n) for _ in range(s.board[index, o])]}
            for index, name in enumerate(COMMITTEES)
        },
        "senate": [int(owner) - 1 for owner in s.senate[: s.arrived]],
        "laurels": {
            path: LAURELS[int(kind) - 1] if kind else None for path, kind in zip(PLACES, s.laurels, strict=True)
        },
        "caesar": PLACES[s.caesar],
        "ones": int(s.ones),
        "open_hands": bool(s.open_hands),  # Q-VAR-2: after early arrivals anybody may ask all to show their laurels
        "stack": int(s.stack.sum()),
        "quiet": int(s.quiet),
        "stalls_at": int(s.stall_rounds) * int(s.n) or None,
        "drafts": int(s.drafts),
        "heard": bool(s.heard),
        "draft": draft_words(s.draft) | {"drafter": int(s.drafter)} if s.draft[0] else None,
        "refused": [draft_words(s.refused[i]) for i in range(s.n_refused)],
        "promises": [
            {"promise": words_of(encode_move(PROMISE, int(s.promises[i]) - 1)), "turns": int(s.promise_turns[i])}
            for i in range(s.n_promises)
        ],
        "fates": s.fates[: s.n, : s.n].tolist(),
        "players": players,
    }


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
