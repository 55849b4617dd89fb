"""What a seat of Quo Vadis? knows, as numbers. A perfect memory knows everything, so nothing is redealt (Q-HID-1)."""

from typing import Any

import numpy as np

from rostra.engine.game import Plane
from rostra.engine.jit import State, compiled
from rostra.engine.rng import RNG
from rostra.games.quovadis.course import points_now
from rostra.games.quovadis.state import AT_GIVES, AT_TERMS, AT_THEN, ONE_STEP, STATE, arrival
from rostra.games.quovadis.tables import (
    MAX_GIVES,
    MAX_SEATS,
    MAX_TERMS,
    N_COMMITTEES,
    N_DECISIONS,
    N_PLACES,
    N_PROMISES,
    N_VALUES,
    PHASES,
)

MAX_EXTRA = ONE_STEP * (MAX_SEATS + 1)
PLANES = (
    Plane("phase", (len(PHASES),), "one-hot: see tables.PHASES"),
    Plane("players", (MAX_SEATS + 1,), "one-hot: number of players"),
    Plane("course", (5,), "game (/3), quiet turns by those that stall, drafts opened (/3), heard, arrivals (/5)"),
    Plane("laurels", (N_PLACES, 7), "per place: empty, 1, 2, 3, 4, 5, 2 with Caesar, one-hot"),
    Plane("caesar", (N_PLACES,), "one-hot: where Caesar is"),
    Plane("supplies", (7,), "ones (/18), then face-down laurels by kind (/15)"),
    Plane(
        "draft",
        (3 + MAX_GIVES + MAX_TERMS,),
        "present, action (by number of moves), then, one or vow (by number), gives, promises (by number)",
    ),
    Plane(
        "seats",
        (MAX_SEATS, 8 + N_COMMITTEES + N_VALUES + 3 * MAX_SEATS),
        "per seat, the own one first: present, active, deciding, drafting, off the board (/8), points and total (/64), "
        "arrival (/5); senators by committee (/5), hand by value (/8), promises to each seat kept, broken, lapsed (/8)",
    ),
)


@compiled(None, STATE, int, RNG)
def redeal(s: State, seat: int, rng: Any) -> None:
    """Nothing is unknown to a perfect memory."""


@compiled(int, STATE, [np.float32], int)
def write_draft(s: State, out: Any, at: int) -> int:
    """Write the open draft; return where to go on."""
    if s.draft[0]:
        out[at] = 1
        out[at + 1] = s.draft[0] / N_DECISIONS
        out[at + 2] = s.draft[AT_THEN] / MAX_EXTRA
        for i in range(MAX_GIVES):
            out[at + 3 + i] = s.draft[AT_GIVES + i] / (MAX_SEATS * MAX_SEATS * N_VALUES)
        for i in range(MAX_TERMS):
            out[at + 3 + MAX_GIVES + i] = s.draft[AT_TERMS + i] / (MAX_SEATS * MAX_SEATS * N_PROMISES)
    return at + 3 + MAX_GIVES + MAX_TERMS


@compiled(int, STATE, int, int, [np.float32], int)
def write_seat(s: State, seat: int, viewer: int, out: Any, at: int) -> int:
    """Write the numbers of one seat; return where to go on."""
    out[at] = 1
    out[at + 1] = s.active == seat
    out[at + 2] = s.seat == seat
    out[at + 3] = s.draft[0] != 0 and s.drafter == seat
    out[at + 4] = s.off[seat] / 8
    out[at + 5] = points_now(s, seat) / 64
    out[at + 6] = s.totals[seat] / 64
    out[at + 7] = arrival(s, seat) / 5
    at += 8
    for committee in range(N_COMMITTEES):
        out[at + committee] = s.board[committee, seat] / 5
    at += N_COMMITTEES
    for value in range(N_VALUES):
        out[at + value] = s.hands[seat, value] / 8
    at += N_VALUES
    for step in range(s.n):
        for fate in range(3):
            out[at + 3 * step + fate] = s.fates[seat, (viewer + step) % s.n, fate] / 8
    return at + 3 * MAX_SEATS


@compiled(None, STATE, int, [np.float32])
def observe(s: State, seat: int, out: Any) -> None:
    """Write what this seat knows as the numbers of `PLANES`, seats in turn order from itself."""
    for index in range(len(out)):
        out[index] = 0
    out[s.phase] = 1
    at = len(PHASES)
    out[at + s.n] = 1
    at += MAX_SEATS + 1
    out[at] = s.game / 3
    out[at + 1] = s.quiet / (int(s.stall_rounds) * int(s.n)) if s.stall_rounds else 0
    out[at + 2] = s.drafts / 3
    out[at + 3] = s.heard != 0
    out[at + 4] = s.arrived / 5
    at += 5
    for place in range(N_PLACES):
        out[at + s.laurels[place]] = 1
        at += 7
    out[at + s.caesar] = 1
    at += N_PLACES
    out[at] = s.ones / 18
    for kind in range(6):
        out[at + 1 + kind] = s.stack[kind] / 15
    at = write_draft(s, out, at + 7)
    for step in range(s.n):
        at = write_seat(s, (seat + step) % s.n, seat, out, at)
