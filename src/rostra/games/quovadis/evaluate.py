"""How a seat stands in Quo Vadis?, and what an open draft would bring it: enough for a bot that really negotiates.

A standing counts laurels, the way the senators have made, and the chance to be in the Senate at the end. A draft is
worth what follows from it if all its parties gain by it; else it is worth nothing, unless its drafter can still add a
laurel that wins them. What a newcomer would get wrong: it is a guess, never a rule, and it knows nothing hidden.
"""

from typing import Any

import numpy as np

from rostra.engine.jit import State, compiled
from rostra.games.quovadis.choices import ALONE, legal_actions
from rostra.games.quovadis.deals import BROKEN, MOVES, consents_by, parties, payable
from rostra.games.quovadis.rules import act, carry_out, points_now
from rostra.games.quovadis.state import AT_GIVES, DRAFT_SIZE, STATE, arrival
from rostra.games.quovadis.tables import (
    ACT,
    ANSWER,
    CAESAR_TO,
    DRAFT,
    FINISHED,
    MAX_GIVES,
    MAX_LEGAL,
    MAX_SEATS,
    N_COMMITTEES,
    N_PROMISES,
    N_VALUES,
    SUPPORT,
    kind_of,
)

STEPS = np.array([3, 3, 3, 3, 2, 2, 2, 2, 2, 1, 2, 2, 1, 1], np.float64)
"""How many moves lead from a committee to the Senate, at best, in committees that A to N stand for."""
MARGIN = 0.15
"""How much better a deal must be than no deal, before a seat agrees."""
TALK = 0.02
"""What it costs to have asked in vain: the first draft may be worth it, the third hardly."""


@compiled(float, STATE, int)
def standing(s: State, seat: int) -> float:
    """Laurels, and the worth of the senators on their way; the fuller the Senate the less to come."""
    value = float(points_now(s, seat)) + int(s.totals[seat])
    left = 5 - s.arrived
    best = 9.0
    for committee in range(N_COMMITTEES):
        if s.board[committee, seat]:
            best = min(best, STEPS[committee])
            value += 0.35 * s.board[committee, seat] * (4 - STEPS[committee]) * left / 5
    if arrival(s, seat):
        value += 7.0
    elif best <= left + 1:
        value += 7.0 * left / 5 * (4 - best) / 4
    return value


@compiled(float, STATE, int)
def advantage(s: State, seat: int) -> float:
    """A seat's standing, less the average of the others."""
    value = 0.0
    for other in range(s.n):
        value += standing(s, other) if other == seat else -standing(s, other) / (s.n - 1)
    return value


@compiled(float, STATE, int)
def duty(s: State, seat: int) -> float:
    """What keeping one's word adds to agreeing: a promise of support, and no grudge against the active seat."""
    value = -0.5 * int(s.fates[s.active, seat, BROKEN])
    index = (seat * MAX_SEATS + int(s.active)) * N_PROMISES + SUPPORT
    for i in range(s.n_promises):
        if s.promises[i] == index + 1 and consents_by(int(s.draft[0]) - 1, seat):
            value += 1.5
    return value


@compiled(None, STATE, [STATE], MOVES)
def act_alone(s: State, room: Any, buffer: Any) -> None:
    """What comes if the draft comes to nothing: in room[1] the active seat has taken its best step without anybody."""
    room[1] = s
    best = advantage(s, s.active)
    for i in range(legal_actions(s, ALONE, buffer, 0)):
        if kind_of(buffer[i]) == CAESAR_TO:
            continue
        room[0] = s
        for j in range(DRAFT_SIZE):
            room[0].draft[j] = 0
        room[0].phase = ACT
        act(room[0], buffer[i])
        value = advantage(room[0], s.active)
        if value > best:
            best = value
            room[1] = room[0]


@compiled(int, STATE, [STATE])
def unwilling(s: State, room: Any) -> int:
    """The parties, as a mask, to whom the draft is not better by a margin than room[1]; room[0] gets the deal done."""
    room[0] = s
    carry_out(room[0])
    mask = 0
    asked = parties(s) & ~(1 << int(s.drafter))
    for seat in range(s.n):
        if asked >> seat & 1 and advantage(room[0], seat) + duty(s, seat) < advantage(room[1], seat) + MARGIN:
            mask |= 1 << seat
    return mask


@compiled(float, STATE, int, [STATE])
def deal_value(s: State, seat: int, room: Any) -> float:
    """What an open draft is worth to a seat."""
    against = unwilling(s, room)
    if against == 0:
        return advantage(room[0], seat) + (duty(s, seat) if seat != s.drafter else 0.0)
    if s.phase == DRAFT and seat == s.drafter and s.draft[AT_GIVES + MAX_GIVES - 1] == 0:
        # The cheapest laurel of the drafter's that wins the only party against it.
        for value in range(N_VALUES):
            for other in range(s.n):
                if against == 1 << other and payable(s, seat, value) > 0:
                    room[2] = s
                    room[2].draft[AT_GIVES + MAX_GIVES - 1] = (seat * MAX_SEATS + other) * N_VALUES + value + 1
                    if unwilling(room[2], room) == 0:
                        return advantage(room[0], seat) - TALK
    return advantage(s, seat) - TALK * (int(s.drafts) + 1)


@compiled(float, STATE, int)
def evaluate(s: State, seat: int) -> float:
    """How well this seat stands, an open draft included; higher is better."""
    if s.phase == DRAFT or s.phase == ANSWER:
        room = np.zeros(3, STATE)
        act_alone(s, room, np.empty(MAX_LEGAL, np.int32))
        return deal_value(s, seat, room)
    value = advantage(s, seat)
    if s.phase != FINISHED:
        # Words cost a little, or a bot would talk for ever; a refused draft is a lost chance.
        value -= TALK * (int(s.drafts) + int(s.heard) + int(s.n_refused))
    return value
