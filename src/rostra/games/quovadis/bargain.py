"""The best terms that a seat of Quo Vadis? can propose for an action.

A plan looks for the terms with the best (chance that all agree) x (own gain): first bare, then with a promise of
support, with laurels paid, or with laurels demanded where the others gain enough. `negotiator` turns plans into moves.
"""

from typing import Any

import numpy as np

from rostra.engine.jit import State, compiled
from rostra.games.quovadis.appraisal import (
    AT_PLANS,
    BARGAINS,
    DRAFTED,
    HERE,
    N_STYLE,
    NEVER,
    NOTES,
    PAYS,
    PLAN_SIZE,
    PLANS,
    PROMISES,
    agreement,
    conclude,
    deal_value,
    fingerprint,
    owes_support,
)
from rostra.games.quovadis.deals import add_term, consents_by, parties, payable, was_refused
from rostra.games.quovadis.features import FLOATS, WORK
from rostra.games.quovadis.state import AT_GIVES, AT_TERMS, DRAFT_SIZE, STATE
from rostra.games.quovadis.tables import MAX_GIVES, MAX_TERMS, N_VALUES, SUPPORT, encode_give, encode_promise

NOBODY, MINE, THEIRS = range(3)
"""Who promises support in a plan."""
SURE = 0.97
"""A seat that agrees with this chance is not paid more."""
MOST_DEMANDED = 3
DEAREST = 0.08
"""An action that costs more than this is not offered for sale."""


@compiled(int, STATE, int, int, int)
def add_payment(s: State, giver: int, receiver: int, amount: int) -> int:
    """Add gives worth this amount to the draft: one laurel, one with change, or two; returns 0 where none fit."""
    if s.draft[AT_GIVES + MAX_GIVES - 2]:
        return 0
    there, back = encode_give(giver, receiver, 0), encode_give(receiver, giver, 0)
    if amount <= N_VALUES and payable(s, giver, amount - 1) > 0:
        add_term(s, AT_GIVES, MAX_GIVES, there + amount - 1)
        return 1
    for value in range(amount + 1, N_VALUES + 1):
        if payable(s, giver, value - 1) > 0 and payable(s, receiver, value - amount - 1) > 0:
            add_term(s, AT_GIVES, MAX_GIVES, there + value - 1)
            add_term(s, AT_GIVES, MAX_GIVES, back + value - amount - 1)
            return 1
    for value in range(1, amount):
        other = amount - value
        most = N_VALUES if payable(s, giver, other - 1) > 0 else 0
        if value <= other <= most and payable(s, giver, value - 1) > (1 if value == other else 0):
            add_term(s, AT_GIVES, MAX_GIVES, there + value - 1)
            add_term(s, AT_GIVES, MAX_GIVES, there + other - 1)
            return 1
    return 0


@compiled(int, STATE, int, int, int, int)
def add_terms(s: State, me: int, other: int, amount: int, promised: int) -> int:
    """Add what `me` pays the other (below 0: is paid) and a promise of support; returns 0 where that is impossible."""
    if promised:
        maker, receiver = (me, other) if promised == MINE else (other, me)
        if s.draft[AT_TERMS + MAX_TERMS - 1] or owes_support(s, maker, receiver):
            return 0
        add_term(s, AT_TERMS, MAX_TERMS, encode_promise(maker, receiver, SUPPORT))
    if amount > 0:
        return add_payment(s, me, other, amount)
    return add_payment(s, other, me, -amount) if amount < 0 else 1


@compiled(float, [STATE], [NOTES], int, FLOATS, WORK)
def prospect(states: Any, notes: Any, me: int, net: Any, work: Any) -> float:
    """(Chance that all agree) x (own gain) of the deal that `me` has drafted; at most 0 where there is no gain."""
    conclude(states)
    note = notes[0]
    gain = deal_value(states, notes, me, 1, net, work) - note.no_deal[me]
    note.chance = 1.0
    if gain <= 0 or was_refused(states[DRAFTED]):
        return float(min(gain, 0.0))
    asked = parties(states[DRAFTED])
    for seat in range(states[HERE].n):
        if seat != me and asked >> seat & 1:
            theirs = deal_value(states, notes, seat, 0, net, work) - note.no_deal[seat]
            note.chance *= agreement(states, notes, seat, theirs)
    return float(gain * note.chance)


@compiled(float, [STATE], [NOTES], int, int, int, FLOATS, WORK)
def attempt(states: Any, notes: Any, other: int, amount: int, promised: int, net: Any, work: Any) -> float:
    """The prospect of the kept terms with some more for another seat, noted if it is the best; NEVER if impossible."""
    s, note = states[DRAFTED], notes[0]
    me = int(s.seat)
    for j in range(DRAFT_SIZE):
        s.draft[j] = note.kept[j]
    if not add_terms(s, me, other, amount, promised):
        return NEVER
    value = prospect(states, notes, me, net, work)
    if value > note.best:
        note.best = value
        for j in range(DRAFT_SIZE):
            note.terms[j] = s.draft[j]
    return value


@compiled(None, [STATE], [NOTES], int, FLOATS, WORK)
def bargain_with(states: Any, notes: Any, other: int, net: Any, work: Any) -> None:
    """Look for better terms for one seat on top of those kept: promises, payments, demands."""
    note = notes[0]
    bare, willing = note.best, note.chance
    for promised in range(3):
        last = bare
        if promised:
            if note.style[PROMISES] == 0:
                break
            if promised == MINE and willing >= SURE:
                continue
            last = attempt(states, notes, other, 0, promised, net, work)
            if last == NEVER:
                continue
        # Pay where they are not willing, demand where they are; as long as it gets better.
        pays = (note.chance if promised else willing) < SURE
        most = int(note.style[PAYS]) if pays else MOST_DEMANDED if note.style[BARGAINS] > 0 else 0
        for amount in range(1, most + 1):
            value = attempt(states, notes, other, amount if pays else -amount, promised, net, work)
            if value == NEVER:
                continue
            if (pays and note.chance >= SURE) or value < last:
                break
            last = value


@compiled(float, [STATE], [NOTES], int, FLOATS, WORK)
def find_terms(states: Any, notes: Any, action: int, net: Any, work: Any) -> float:
    """The prospect of the best terms that the deciding seat could propose for an action; these are noted."""
    note = notes[0]
    me, active = int(states[HERE].seat), int(states[HERE].active)
    states[DRAFTED] = states[HERE]
    for j in range(DRAFT_SIZE):
        note.kept[j] = 0
        note.terms[j] = 0
    note.kept[0] = action + 1
    note.terms[0] = action + 1
    note.best = NEVER
    attempt(states, notes, me, 0, NOBODY, net, work)
    if note.best < -DEAREST or (note.best < 0 and note.style[BARGAINS] == 0):
        return float(note.best)
    alone = parties(states[DRAFTED]) == 1 << active
    if alone:
        note.best = min(note.best, 0.0)  # that needs no deal
    for other in range(states[HERE].n):
        if other == me or not (consents_by(action, other) or other == active or (alone and me == active)):
            continue
        if not alone:  # an action that needs nobody is sold to one seat, else each is won on top of those before
            for j in range(DRAFT_SIZE):
                note.kept[j] = note.terms[j]
        bargain_with(states, notes, other, net, work)
    return float(note.best)


@compiled(float, [STATE], [NOTES], int, FLOATS, WORK, wraps=True)
def plan(states: Any, notes: Any, action: int, net: Any, work: Any) -> float:
    """As `find_terms`, from a cache: a draft asks for its plan at every step."""
    s, note = states[HERE], notes[0]
    key = np.int64(fingerprint(s, net)) * 1000003 + s.n_refused * 8 + s.seat
    for i in range(N_STYLE):
        key = key * 1000003 + np.int64(note.style[i] * 1000)
    key = key * 1000003 + action
    at = AT_PLANS + action % PLANS * PLAN_SIZE
    if work[at] == key:
        for j in range(DRAFT_SIZE):
            note.terms[j] = work[at + 2 + j]
        return float(work[at + 1 : at + 2].view(np.float64)[0])
    found = find_terms(states, notes, action, net, work)
    work[at] = key
    work[at + 1 : at + 2].view(np.float64)[0] = found
    for j in range(DRAFT_SIZE):
        work[at + 2 + j] = note.terms[j]
    return found
