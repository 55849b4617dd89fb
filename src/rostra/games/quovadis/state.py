"""The state of a game of Quo Vadis?: one packed record.

A player with a perfect memory knows all of it (Q-HID-1); only `view` hides hands. A draft is part of the state; its
terms are in ascending order, because the order in which they were named makes no difference.
"""

from typing import Any

import numpy as np

from rostra.engine.game import record
from rostra.engine.jit import State, compiled
from rostra.games.quovadis.tables import (
    CAESAR_STARTS,
    FOOT_OF,
    FROM,
    LIMITED_ONES,
    MAX_GIVES,
    MAX_OPEN_PROMISES,
    MAX_REFUSED,
    MAX_SEATS,
    MAX_TERMS,
    N_COMMITTEES,
    N_PLACES,
    N_VALUES,
    ONES,
    PLACE_OF,
    SENATORS,
    STACK,
    START,
)

DRAFT_SIZE = 1 + MAX_GIVES + 1 + MAX_TERMS
"""A draft in numbers: its action, gives, `then`, promises; each its index within the kind + 1, 0 for none."""
AT_GIVES, AT_THEN, AT_TERMS = 1, 1 + MAX_GIVES, 2 + MAX_GIVES
ONE_STEP = 16
"""At AT_THEN a deal has its `then` + ONE_STEP * (the seat of its `one` + 1); a bargain has its vow there."""
EARLIER, PLACING = 1, 2
"""Bits of `heard`: others could offer before the action, and while Caesar is to be placed."""
ON_DEMAND, ARRIVAL, SHOWN = 1, 2, 4
"""Bits of `open_hands`: the option is on; an early arrival in this turn; all hands are open in this turn."""

STATE = record(
    [
        ("turn_number", np.int16),  # from 0, through all games of an election
        ("quiet", np.int16),  # turns in a row without a senator entering or moving (Q-END-4)
        ("totals", np.int16, MAX_SEATS),  # points of earlier games of an election (Q-VAR-3)
        ("last_points", np.int16, MAX_SEATS),  # of the last game that ended, 0 for seats that did not qualify
        ("tallies", np.int16, 3),  # deals asked and carried out, laurels given in them
        ("draft", np.int16, DRAFT_SIZE),  # the action is a move id + 1
        ("refused", np.int16, (MAX_REFUSED, DRAFT_SIZE)),  # in this turn
        ("promises", np.int16, MAX_OPEN_PROMISES),  # open ones, oldest first: index of the PROMISE move + 1
        ("promise_turns", np.int8, MAX_OPEN_PROMISES),  # turns of the promiser until it lapses
        ("fates", np.int8, (MAX_SEATS, MAX_SEATS, 3)),  # of promises by maker and receiver: kept, broken, lapsed
        # options
        ("n", np.int8),  # 3 to 5 players
        ("first", np.int8),  # 0 to 4, or -1: the option start_seat
        ("stall_rounds", np.int8),  # 0 to 99 (Q-END-4)
        ("limited_ones", np.int8),
        ("open_hands", np.int8),  # Q-VAR-2: 0, or a mask of ON_DEMAND, ARRIVAL and SHOWN
        ("show_hands", np.int8),
        ("consul", np.int8),
        # the course of the game
        ("phase", np.int8),  # see tables.PHASES
        ("game", np.int8),  # 0 to 2 in an election
        ("ended", np.int8),  # games of an election that have ended
        ("stalled", np.int8),  # 1 when the last game ended by Q-END-4
        ("active", np.int8),  # whose turn
        ("seat", np.int8),  # who decides
        ("drafter", np.int8),
        ("drafts", np.int8),  # opened by the active seat in this turn
        ("heard", np.int8),  # when it has let others offer in this turn: a mask of EARLIER and PLACING
        ("n_refused", np.int8),
        ("n_promises", np.int8),
        ("pending", np.int8),  # LAY_OUT: places dealt; REFILL: the place
        ("caesar_won", np.int8),  # 1: after the refill the mover may move Caesar
        ("moved", np.int8),  # 1: a senator entered or moved in this turn
        ("qualified", np.int8),  # a mask of seats that counted in some game of the election
        # the board
        ("board", np.int8, (N_COMMITTEES, MAX_SEATS)),  # senators by committee and owner
        ("senate", np.int8, 5),  # owners in order of arrival: seat + 1
        ("arrived", np.int8),
        ("off", np.int8, MAX_SEATS),  # senators off the board
        ("laurels", np.int8, N_PLACES),  # on the places: kind + 1, 0 for none
        ("caesar", np.int8),  # the place he is on
        ("hands", np.int8, (MAX_SEATS, N_VALUES)),
        ("ones", np.int8),  # the open supply
        ("stack", np.int8, 6),  # face down, by kind
        # an option once more, in what was padding before 0.8: digests in older transcripts stay valid
        ("caesar_frees", np.int8),  # Q-VAR-4: 0 his path, 1 the whole committee below him
    ],
    # what bargains bind in this turn (Q-NEG-5)
    newer=[
        ("spared", np.int16),  # a mask of places that Caesar may not be put on
        ("refusing", np.int8),  # a mask of seats that may not consent
        ("consenting", np.int8),  # a mask of seats that must, if nothing else is asked of them
        ("bargains", np.int8),  # number of bargains carried out
    ],
)


@compiled(None, STATE)
def lay_board(s: State) -> None:
    """All laurels and Caesar as at the start of a game (Q-SET-2 to Q-SET-4); senators stay where they are."""
    for kind in range(6):
        s.stack[kind] = STACK[kind]
    s.ones = LIMITED_ONES[s.n] if s.limited_ones else ONES  # Q-VAR-1
    s.caesar = CAESAR_STARTS
    s.quiet = 0
    s.arrived = 0
    s.stalled = 0
    for place in range(N_PLACES):
        s.laurels[place] = 0
    for order in range(5):
        s.senate[order] = 0
    for seat in range(s.n):
        for value in range(N_VALUES):
            s.hands[seat, value] = 0
    s.phase = START


@compiled(None, STATE, int, [np.int32])
def setup(s: State, n_seats: int, options: Any) -> None:
    """A new game in a zeroed record; options in the order of `Rules.options`."""
    s.n = n_seats
    s.limited_ones = options[0]
    s.open_hands = options[1]
    s.consul = options[2]
    s.first = options[3]
    s.stall_rounds = options[4]
    s.show_hands = options[5]
    s.caesar_frees = options[6]
    for seat in range(n_seats):
        s.off[seat] = SENATORS  # Q-SET-1
    lay_board(s)


@compiled(int, STATE, int)
def in_committee(s: State, committee: int) -> int:
    """How many senators sit in a committee."""
    number = 0
    for seat in range(s.n):
        number += s.board[committee, seat]
    return number


@compiled(int, STATE, int)
def freed(s: State, path: int) -> int:
    """Whether Caesar lets senators take this path without any consent (Q-CAE-1, Q-VAR-4)."""
    if PLACE_OF[path] < 0:
        return 0
    return 1 if PLACE_OF[path] == s.caesar or (s.caesar_frees and FROM[path] == FOOT_OF[s.caesar]) else 0


@compiled(int, STATE, int)
def arrival(s: State, seat: int) -> int:
    """When the first senator of a seat reached the Senate: 1, 2, ... among seats that did, 0 for never (Q-END-3)."""
    order = 0
    seen = 0
    for i in range(s.arrived):
        owner = s.senate[i] - 1
        if not seen >> int(owner) & 1:
            seen |= 1 << int(owner)
            order += 1
            if owner == seat:
                return order
    return 0
