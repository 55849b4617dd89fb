"""What one seat may see of Alea Iacta Est, as plain data for programs and as a diagram for people.

A watcher (seat None) sees what is public. What a newcomer would get wrong: nothing here may depend on another seat's
secrets, not even the order of items; tests compare whole views of states that differ only in secrets.
"""

from typing import Any

import numpy as np

from rostra.game import CHANCE, OVER
from rostra.games.alea.choices import hand_on_offer, templum_needs
from rostra.games.alea.notation import digits, text
from rostra.games.alea.observe import passed_on
from rostra.games.alea.rules import turn
from rostra.games.alea.scoring import score
from rostra.games.alea.state import columns, senate_cards, with_templum
from rostra.games.alea.tables import (
    AGAIN,
    CARDS,
    DEAL,
    FREE_2,
    KEEP_TOKENS,
    KEEPS,
    LATRINA,
    LONE_TOKEN,
    PATRICIANS,
    PHASES,
    PLACE,
    PROVINCES,
    SETS,
    TAKE_CARD,
    TEMPLUM,
    TOKEN,
    index_of,
    kind_of,
)
from rostra.jit import State


def codes(mask: int, names: tuple[str, ...]) -> list[str]:
    """The names of the bits set."""
    return [name for index, name in enumerate(names) if mask >> index & 1]


def card_codes(cards: int) -> list[str]:
    """The codes of a mask of senate cards, both XIII where it has both."""
    return codes(cards, CARDS) + (["XIII"] if cards >> FREE_2 & 1 else [])


def hides(s: State, move: int, seat: int | None) -> bool:
    """Whether this seat may not see the coming move: a token or card that another seat gets in secret (A-HID-2)."""
    return s.phase in (TOKEN, DEAL, TAKE_CARD) and s.seat != seat


def view(s: State, seat: int | None) -> dict[str, Any]:
    """All that this seat may know (A-HID-1 to A-HID-3); its own secrets are under `own`."""
    now = turn(s)
    points = np.zeros((3, s.n), np.int32)
    if now == OVER:
        score(s, points)
    players = []
    for other in range(s.n):
        drawn = s.drawn[other] + s.drawn_before[other]
        players.append(
            {
                "dice": int(s.dice[other]),
                "chips": int(s.chips[other]),
                "provinces": codes(s.provinces[other], PROVINCES),
                "patricians": codes(s.patricians[other], PATRICIANS),
                "fortuna": digits(s.kept[other]),
                "drawn": int(drawn.sum()),
                "senate": int((s.takers == other + 1).sum()),
                "points": int(points[0, other]) if now == OVER else None,
            }
        )
    seen: dict[str, Any] = {
        "game": "alea",
        "seat": seat,
        "turn": "chance" if now == CHANCE else "over" if now == OVER else now,
        "phase": PHASES[s.phase],
        "active": int(s.seat),
        "set": int(s.set) + 1,
        "sets": int(SETS[s.n]),
        "round": int(s.lap) + 1,
        "start": int(s.start),
        "roll": digits(s.roll),
        "offered": {
            "provinces": codes(s.province_offer, PROVINCES),
            "patricians": codes(s.patrician_offer, PATRICIANS),
        },
        "stacks": {
            "provinces": int(s.province_pool).bit_count(),
            "patricians": int(s.patrician_pool).bit_count(),
            "senate": int(s.senate_deck).bit_count(),
            "fortuna": int(s.token_supply.sum()),
        },
        "discards": digits(s.token_discards),
        "templum": [
            {"seat": other, "dice": int(s.templum_dice[other]), "sum": int(s.templum_sum[other])}
            for other in range(s.n)
            if s.templum_dice[other]
        ]
        if with_templum(s)
        else None,
        "senatus": [
            {"seat": other, "dice": "".join(map(str, range(s.low[other], s.high[other] + 1)))}
            for other in range(s.n)
            if s.low[other]
        ],
        "castrum": [
            {"seat": other, "dice": str(face + 1) * int(s.castrum[other, face])}
            for other in range(s.n)
            for face in range(6)
            if s.castrum[other, face]
        ],
        "columns": columns(s),
        "forum": [
            {"seat": int(s.forum_seat[column]), "die": int(s.forum_face[column])} for column in range(s.forum_size)
        ],
        "latrina": [int(number) for number in s.latrina[: s.n]],
        "players": players,
        "own": None,
    }
    if seat is not None:
        seen["own"] = {
            "drawn": digits(s.drawn[seat] + s.drawn_before[seat]),
            "senate": card_codes(senate_cards(s, seat)),
            "passed": card_codes(passed_on(s, seat)),
            "choice": card_codes(hand_on_offer(s)) if hand_is_before(s, seat) else [],
        }
    if now == OVER:  # A-HID-2: until the end of the game
        seen["senate"] = [card_codes(senate_cards(s, other)) for other in range(s.n)]
    return seen


def hand_is_before(s: State, seat: int | None) -> bool:
    """Whether this seat has the senate hand of this set before it."""
    return bool(s.phase in (DEAL, TAKE_CARD) and s.seat == seat)


def paths(s: State, move: int) -> list[tuple[str, ...]]:
    """All ways to click a move: dice (`d0` is the lowest of the roll) and a building, or the tiles themselves."""
    kind = kind_of(move)
    if s.phase != PLACE:
        if kind == KEEP_TOKENS:
            return [tuple(f"token:{value}" for value in digits(KEEPS[index_of(move)]))]
        return [(text(s, move)[1:],)]
    dice = digits(s.roll)
    written = text(s, move)
    target = "reroll" if kind == AGAIN else written[0]
    wanted = sum(map(int, written[1:]))
    found = []
    for mask in range(1, 1 << len(dice)):
        chosen = [i for i in range(len(dice)) if mask >> i & 1]
        if len(chosen) != len(written) - 1:
            continue
        faces = "".join(dice[i] for i in chosen)
        if kind == TEMPLUM:
            fits = sum(map(int, faces)) == wanted
        else:
            fits = kind == LATRINA or faces == written[1:]
        if fits:
            found.append((*(f"d{i}" for i in chosen), target))
    return found


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
