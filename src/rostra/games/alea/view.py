"""What one seat may see of Alea Iacta Est, the ways to click its moves, and moves in words.

Nothing in a view may depend on another seat's secrets, not even the order of items; tests compare whole views of states
that differ only in secrets.
"""

import functools
from typing import Any

import numpy as np

from rostra.engine.game import POINTS, plain_fields
from rostra.engine.jit import State
from rostra.games.alea.choices import templum_needs
from rostra.games.alea.notation import digits, text
from rostra.games.alea.rules import legal
from rostra.games.alea.scoring import score
from rostra.games.alea.shapes import AleaOwn, AleaPlayer, AleaRow, AleaView
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
    N_TOKEN_VALUES,
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

Rows = list[tuple[str, ...]]
"""Ways to click, each a list of spots."""


_fields = plain_fields(STATE)
_CHANCE = tuple(IS_CHANCE.tolist())
_SETS = tuple(SETS.tolist())


def codes(mask: int, names: tuple[str, ...]) -> list[str]:
    """The names of the bits set."""
    return [*_codes(int(mask), names)]


@functools.lru_cache(4096)
def _codes(mask: int, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for bit, name in enumerate(names) if mask >> bit & 1)


def card_codes(cards: int) -> list[str]:
    """The codes of a mask of senate cards, both XIII where it has both."""
    return codes(cards, (*CARDS, CARDS[FREE]))


def view(s: State, seat: int | None) -> AleaView:
    """All that this seat (None: a spectator) may know (A-HID-1 to A-HID-3). The views of one state share their public
    parts: copy before you change one."""
    record = s.tobytes()
    public = _public(record)
    return public if seat is None else public | {"seat": seat, "own": _own(record, seat)}


@functools.lru_cache(1)
def _public(record: bytes) -> AleaView:
    """What everybody sees; the last one is cached, because the views of all seats are asked for one after the other."""
    f = _fields(record)
    over = f.phase == FINISHED
    seats = range(f.n)
    shown: AleaView = {
        "game": "alea",
        "seat": None,
        "turn": "over" if over else "chance" if _CHANCE[f.phase] else f.seat,
        "phase": PHASES[f.phase],  # type: ignore[typeddict-item]  # one of its names
        "active": f.seat,
        "set": f.set + 1,
        "sets": _SETS[f.n],
        "round": f.lap + 1,
        "start": f.start,
        "roll": digits(f.roll),
        "offered": {
            "provinces": codes(f.province_offer, PROVINCES),
            "patricians": codes(f.patrician_offer, PATRICIANS),
        },
        "stacks": {
            "provinces": f.province_pool.bit_count(),
            "patricians": f.patrician_pool.bit_count(),
            "senate": f.senate_deck.bit_count(),
            "fortuna": sum(f.token_supply),
        },
        "discards": digits(f.token_discards),
        "templum": None,
        "senatus": [{"seat": seat, "dice": _DIGITS[f.low[seat] : f.high[seat] + 1]} for seat in seats if f.low[seat]],
        "castrum": _castrum(f.castrum[: f.n * FACES]),
        "columns": f.n + 2,
        "forum": [
            {"seat": seat, "die": die}
            for seat, die in zip(f.forum_seat[: f.forum_size], f.forum_face[: f.forum_size], strict=True)
        ],
        "latrina": [*f.latrina[: f.n]],
        "players": _players(f, record),
        "own": None,
    }
    if f.n >= 4:  # A-SET-6
        rows = zip(seats, f.templum_dice, f.templum_sum, strict=False)
        shown["templum"] = [{"seat": seat, "dice": dice, "sum": total} for seat, dice, total in rows if dice]
    if over:  # A-HID-2: until the end of the game
        shown["senate"] = [_cards(f, seat) for seat in seats]
    return shown


_DIGITS = "0123456"


@functools.lru_cache(4096)
def _castrum(castrum: bytes) -> list[AleaRow]:
    rows: list[AleaRow] = []
    for at, number in enumerate(castrum):
        if number:
            rows.append({"seat": at // FACES, "dice": _DIGITS[at % FACES + 1] * number})
    return rows


def _players(f: Any, record: bytes) -> list[AleaPlayer]:
    """What everybody sees of each player; points only when the game is over."""
    points: list[int | None] = [None] * f.n
    if f.phase == FINISHED:
        scores = np.zeros((3, f.n), np.int32)
        score(np.frombuffer(bytearray(record), STATE)[0], scores)
        points = scores[POINTS].tolist()
    provinces, patricians = memoryview(f.provinces).cast("i"), memoryview(f.patricians).cast("q")
    return [
        {
            "dice": f.dice[seat],
            "chips": f.chips[seat],
            "provinces": codes(provinces[seat], PROVINCES),
            "patricians": codes(patricians[seat], PATRICIANS),
            "fortuna": digits(f.kept[N_TOKEN_VALUES * seat : N_TOKEN_VALUES * (seat + 1)]),
            "drawn": len(_drawn(f, seat)),
            "senate": f.takers.count(seat + 1),
            "points": points[seat],
        }
        for seat in range(f.n)
    ]


def _own(record: bytes, seat: int) -> AleaOwn:
    """What only this seat knows: its tokens, its cards, those it handed on (A-HID-3), those it chooses from now."""
    f = _fields(record)
    passed: list[int] = []
    choice: list[int] = []
    for first in range(0, len(f.hands), SENATE_HAND):
        taken = f.takers.find(seat + 1, first, first + SENATE_HAND)
        if taken >= 0:
            passed += f.hands[taken + 1 : first + SENATE_HAND]
    if f.seat == seat and f.phase in (DEAL, TAKE_CARD):
        choice = [*f.hands[SENATE_HAND * f.set + f.rank : SENATE_HAND * (f.set + 1)]]
    return {"drawn": _drawn(f, seat), "senate": _cards(f, seat), "passed": _named(passed), "choice": _named(choice)}


def _drawn(f: Any, seat: int) -> str:
    own = slice(N_TOKEN_VALUES * seat, N_TOKEN_VALUES * (seat + 1))
    return digits([now + before for now, before in zip(f.drawn[own], f.drawn_before[own], strict=True)])


def _cards(f: Any, seat: int) -> list[str]:
    """The senate cards that a seat holds."""
    return _named([card for card, taker in zip(f.hands, f.takers, strict=True) if taker == seat + 1])


def _named(cards: list[int]) -> list[str]:
    """Cards of `hands` by code, in the order of the cards."""
    return [CARDS[card - 1] for card in sorted(cards) if card]


def paths(s: State) -> list[Rows]:
    """All ways to click each legal move: dice (`d0` is the lowest of the roll) and a building, or the tiles."""
    out = np.empty(MAX_LEGAL, np.int32)
    written = [text(s, move) for move in out[: legal(s, out)].tolist()]
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
