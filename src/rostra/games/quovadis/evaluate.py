"""A quick estimate of how well a seat of Quo Vadis? stands and what an open draft would bring it, for simple bots.

A standing counts laurels, the steps that senators have made, and the chance to be in the Senate at the end. A draft is
worth what follows from it if all parties gain by it; else nothing, unless its drafter can add a laurel that wins them.
"""

from typing import Any

import numpy as np

from rostra.engine.jit import State, compiled
from rostra.games.quovadis.choices import ALONE, legal_actions
from rostra.games.quovadis.course import points_now
from rostra.games.quovadis.deals import BROKEN, MOVES, consents_by, is_bargain, parties, payable
from rostra.games.quovadis.rules import act, carry_out
from rostra.games.quovadis.state import AT_GIVES, DRAFT_SIZE, SHOWN, STATE, arrival
from rostra.games.quovadis.tables import (
    ACT,
    ANSWER,
    CAESAR_TO,
    DRAFT,
    FINISHED,
    MAX_GIVES,
    MAX_LEGAL,
    N_COMMITTEES,
    N_VALUES,
    STEPS_TO_SENATE,
    SUPPORT,
    encode_give,
    encode_promise,
    kind_of,
)

ACCEPT_MARGIN = 0.15
"""How much better than no deal a deal must be before a seat agrees."""
TALK_COST = 0.02
"""The cost of a draft that came to nothing: the first may be worth it, the third hardly."""


@compiled(float, STATE, int)
def standing(s: State, seat: int) -> float:
    """Laurels, and the worth of the senators on their way, which shrinks as the Senate fills."""
    value = float(points_now(s, seat)) + int(s.totals[seat])
    left = 5 - s.arrived
    best = 9.0
    for committee in range(N_COMMITTEES):
        if s.board[committee, seat]:
            steps = float(STEPS_TO_SENATE[committee])
            best = min(best, steps)
            value += 0.35 * s.board[committee, seat] * (4 - steps) * left / 5
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
    """What an open promise of support adds to agreeing, less a grudge for each promise that the active seat broke."""
    value = -0.5 * int(s.fates[s.active, seat, BROKEN])
    promise = encode_promise(seat, s.active, SUPPORT)
    for i in range(s.n_promises):
        if s.promises[i] == promise + 1 and consents_by(int(s.draft[0]) - 1, seat):
            value += 1.5
    return value


@compiled(None, STATE, [STATE], MOVES)
def act_alone(s: State, scratch: Any, buffer: Any) -> None:
    """If the draft fails: in scratch[1] the active seat has taken its best step that needs nobody.

    A bargain, or a deal about Caesar's place, leaves the action as it is: without it nothing has changed.
    """
    scratch[1] = s
    if is_bargain(s) or s.caesar_won:
        return
    best = advantage(s, s.active)
    for i in range(legal_actions(s, ALONE, buffer, 0)):
        if kind_of(buffer[i]) == CAESAR_TO:
            continue
        scratch[0] = s
        for j in range(DRAFT_SIZE):
            scratch[0].draft[j] = 0
        scratch[0].phase = ACT
        act(scratch[0], buffer[i])
        value = advantage(scratch[0], s.active)
        if value > best:
            best = value
            scratch[1] = scratch[0]


@compiled(int, STATE, [STATE])
def unwilling(s: State, scratch: Any) -> int:
    """The parties, as a mask, that would not agree: the draft is hardly better than scratch[1]. scratch[0]: the deal
    done."""
    scratch[0] = s
    carry_out(scratch[0])
    mask = 0
    asked = parties(s) & ~(1 << int(s.drafter))
    for seat in range(s.n):
        if (
            asked >> seat & 1
            and advantage(scratch[0], seat) + duty(s, seat) < advantage(scratch[1], seat) + ACCEPT_MARGIN
        ):
            mask |= 1 << seat
    return mask


@compiled(float, STATE, int, [STATE])
def deal_value(s: State, seat: int, scratch: Any) -> float:
    """What an open draft is worth to a seat."""
    against = unwilling(s, scratch)
    if against == 0:
        return advantage(scratch[0], seat) + (duty(s, seat) if seat != s.drafter else 0.0)
    if s.phase == DRAFT and seat == s.drafter and s.draft[AT_GIVES + MAX_GIVES - 1] == 0:
        # The drafter's cheapest laurel that wins the only party against the draft.
        for value in range(N_VALUES):
            for other in range(s.n):
                if against == 1 << other and payable(s, seat, value) > 0:
                    scratch[2] = s
                    scratch[2].draft[AT_GIVES + MAX_GIVES - 1] = encode_give(seat, other, value) + 1
                    if unwilling(scratch[2], scratch) == 0:
                        return advantage(scratch[0], seat) - TALK_COST
    return advantage(s, seat) - TALK_COST * (int(s.drafts) + 1)


@compiled(float, STATE, int)
def evaluate(s: State, seat: int) -> float:
    """How well this seat stands, an open draft included; higher is better."""
    if s.phase == DRAFT or s.phase == ANSWER:
        scratch = np.zeros(3, STATE)
        act_alone(s, scratch, np.empty(MAX_LEGAL, np.int32))
        return deal_value(s, seat, scratch)
    value = advantage(s, seat)
    if s.phase != FINISHED:
        # Words cost a little, or a bot would talk for ever; a refused draft is a lost chance.
        value -= TALK_COST * (int(s.drafts) + int(s.heard) + int(s.n_refused))
        if s.phase == ACT and s.open_hands & SHOWN and not s.drafts and not s.heard:
            value -= TALK_COST  # so does a demand, which tells a perfect memory nothing (Q-VAR-2)
    return value
