"""What positions and deals of Quo Vadis? are worth to a seat, and the best terms for an action it could have.

A deal is measured against what comes without it: the active seat's best step that needs nobody. A plan for an action
looks for the terms with the best (chance that all agree) x (own gain): first bare, then with a promise of support, with
laurels paid, or with laurels demanded where the others gain enough. Not here: which move follows from a plan
(`negotiator`). What a newcomer would get wrong: `states` is a desk of records: see HERE, DRAFTED, DONE and ALONE_DONE.
"""

from typing import Any

import numpy as np

from rostra.engine.jit import State, compiled
from rostra.engine.net import NARROW, WIDE, forward, logistic
from rostra.games.quovadis.choices import ALONE, legal_actions
from rostra.games.quovadis.deals import (
    BROKEN,
    KEPT,
    add_term,
    consents_by,
    parties,
    payable,
    was_refused,
)
from rostra.games.quovadis.features import FLOATS, N_FEATURE_WORK, N_INPUTS, STEPS_LEFT, WORK, features
from rostra.games.quovadis.rules import act, ahead, carry_out, points_now
from rostra.games.quovadis.state import AT_GIVES, AT_TERMS, DRAFT_SIZE, STATE, arrival
from rostra.games.quovadis.tables import (
    ACT,
    DISMISS,
    FINISHED,
    LAY_OUT,
    MAX_GIVES,
    MAX_LEGAL,
    MAX_SEATS,
    MAX_TERMS,
    N_COMMITTEES,
    N_PLACES,
    N_PROMISES,
    N_VALUES,
    START,
    SUPPORT,
)

HERE, DRAFTED, DONE, PLAIN, ALONE_DONE, TRIED = range(6)
"""The desk: the position, the same with a draft, after that deal, the same without its promises, after the active
seat's best step alone, scratch."""

ASKS, PAYS, BARGAINS, PROMISES, MARGIN, WANTED, FAITH, HONOUR, INTENDS, IDLES, YIELDS, FORGETS = range(12)
"""A style: whether it asks for consents; the most it pays for one; whether it demands laurels, sells actions, hears
others and makes them offers; whether it promises; how much better a deal must be before it agrees; what it thinks
others want; how far it trusts a stranger; how much winning chance its word is worth to it; whether it means what it
promises; whether it only moves Caesar; whether it agrees to pay or promise when others demand it; whether it remembers
only roughly what the others hold."""
STYLE = [np.float64]
DRAFT = [np.int16]
CHANCE = MAX_SEATS
"""Behind the seats in `base`: the chance that all agree, as last reckoned."""
MINE = 1
"""Who promises support in a plan: nobody, who plans it, or (2) the other."""
RANK = 0.15
"""What the rank counts beside the chance to win: who cannot win any more still has a reason to move."""
TALK = 0.0005
"""What it costs to have asked in vain."""
DOUBT = 0.006
"""How unsure it is what others want."""
REBUFF = 0.03
"""What a seat is thought to want more for every deal with it that was refused in this turn."""
SURE = 0.97
"""Who agrees so likely is not paid more."""
MOST_DEMANDED = 3
DEAREST = 0.08
"""An action that costs more than this is not offered for sale."""
WEIGHT, HEARSAY, SHOCK = 3.0, 0.7, 5.0
"""Trust is a Beta estimate: how many promises the first impression counts for, what one to another seat counts, and how
many kept ones outweigh a broken one."""
GRUDGE = 0.02
"""How much more a seat wants of who has broken his word to it; it fades with every promise kept to it."""
HASTE = 0.08
"""By how much each senator in the Senate lowers trust: the nearer the end, the cheaper it is to break one's word."""
NEVER = -1e9
REMEMBERED = np.array([0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 26, 31, 36, 42, 48, 55, 62], np.int64)
"""The laurel points that who forgets can tell apart; others it takes for the nearest of these, of two for the lower."""
ROUGH = 3
"""In laurels of this value, and one for the rest, it imagines a hand that it remembers only so."""
AT_BASE = N_FEATURE_WORK
"""In the work space, behind what features need: a key, and as floats what every seat has without a deal."""
AT_PLANS, PLANS, PLAN_SIZE = AT_BASE + 1 + MAX_SEATS, 32, 2 + DRAFT_SIZE
"""Then plans found before: a key, the prospect as a float, the terms."""
AT_BLUR = AT_PLANS + PLANS * PLAN_SIZE
"""Then by seat and value how many laurels who weighs imagines too many; all zeros for who remembers everything."""
N_WORK = AT_BLUR + MAX_SEATS * N_VALUES


@compiled(float, STATE, int)
def margin(s: State, seat: int) -> float:
    """The rank in a finished game: 1 for the first to -1 for the last, and for who does not count (Q-END-2)."""
    if not (int(s.qualified) >> seat & 1 if s.consul else arrival(s, seat)):
        return -1.0
    before = 0
    for other in range(s.n):
        counts = int(s.qualified) >> other & 1 if s.consul else arrival(s, other)
        if other != seat and counts and ahead(s, other, seat):
            before += 1
    return float(1 - 2 * before / (s.n - 1))


@compiled(float, STATE, int, FLOATS, FLOATS, WORK)
def judgement(s: State, seat: int, net: Any, room: Any, work: Any) -> float:
    """How good a position is for a seat: its chance to win, and a little for its rank."""
    if s.phase == FINISHED:
        rank = margin(s, seat)
        return (1.0 if rank == 1 else 0.0) + RANK * rank
    if s.phase == DISMISS or s.phase == START or s.phase == LAY_OUT:  # between games of an election
        value = 0.0
        for other in range(s.n):
            value += int(s.totals[other]) * (1.0 if other == seat else -1 / (s.n - 1))
        for committee in range(N_COMMITTEES):
            value += 0.1 * s.board[committee, seat] * (5 - STEPS_LEFT[committee])
        return logistic(value / 8)
    features(s, seat, room[:N_INPUTS], work)
    forward(net, room[:N_INPUTS], room[N_INPUTS:])
    heads = room[N_INPUTS + WIDE + NARROW :]
    return logistic(float(heads[0])) + RANK * float(heads[1])


@compiled(None, STATE, STYLE, WORK)
def take_in(s: State, style: Any, work: Any) -> None:
    """Note how the hands of others differ from what who decides remembers; what was reckoned otherwise is forgotten."""
    for seat in range(s.n):
        points, rough = points_now(s, seat), 0
        for known in REMEMBERED:
            rough = known if abs(known - points) < abs(rough - points) else rough
        for value in range(N_VALUES):
            blur = 0
            if style[FORGETS] > 0 and seat != s.seat:
                blur = rough // ROUGH if value + 1 == ROUGH else 1 if value + 1 == rough % ROUGH else 0
                blur -= int(s.hands[seat, value])
            if work[AT_BLUR + seat * N_VALUES + value] != blur:
                work[AT_BLUR + seat * N_VALUES + value] = blur
                work[AT_BASE] = 0


@compiled(None, STATE, WORK, int)
def imagine(s: State, work: Any, sign: int) -> None:
    """Make the hands of a position what who decides remembers (1), or right again (-1)."""
    for seat in range(s.n):
        for value in range(N_VALUES):
            s.hands[seat, value] += sign * work[AT_BLUR + seat * N_VALUES + value]


@compiled(float, STATE, int, FLOATS, FLOATS, WORK)
def worth(s: State, seat: int, net: Any, room: Any, work: Any) -> float:
    """How good a position is for a seat, by what who decides remembers."""
    imagine(s, work, 1)
    value = judgement(s, seat, net, room, work)
    imagine(s, work, -1)
    return value


@compiled(float, STATE, int, int, float)
def trust(s: State, maker: int, receiver: int, faith: float) -> float:
    """How likely a promise will be kept: from those to the receiver, less from those to others."""
    kept, broken = WEIGHT * faith, WEIGHT * (1 - faith)
    for other in range(s.n):
        weight = 1.0 if other == receiver else HEARSAY
        kept += weight * s.fates[maker, other, KEPT]
        broken += SHOCK * weight * s.fates[maker, other, BROKEN]
    return float(kept / (kept + broken) * (1 - HASTE * s.arrived))


@compiled(float, STATE, int, int)
def grudge(s: State, seat: int, against: int) -> float:
    """How much more a seat wants of another for the word that was broken to it."""
    return float(GRUDGE * s.fates[against, seat, BROKEN] / (1 + s.fates[against, seat, KEPT]))


@compiled(int, STATE, int)
def broken_by(s: State, seat: int) -> int:
    """How many promises this seat has broken."""
    number = 0
    for other in range(s.n):
        number += s.fates[seat, other, BROKEN]
    return number


@compiled(int, STATE, int, int)
def owes_support(s: State, maker: int, receiver: int) -> int:
    """Whether a promise of support is open."""
    index = (maker * MAX_SEATS + receiver) * N_PROMISES + SUPPORT
    for i in range(s.n_promises):
        if s.promises[i] == index + 1:
            return 1
    return 0


@compiled(int, STATE, int)
def bound(s: State, seat: int) -> int:
    """Whether a `no` of this seat to the draft would break its promise of support."""
    if not consents_by(int(s.draft[0]) - 1, seat) or not owes_support(s, seat, s.active):
        return 0
    for i in range(MAX_GIVES):
        give = int(s.draft[AT_GIVES + i]) - 1
        if give >= 0 and give // (MAX_SEATS * N_VALUES) == seat:
            return 0
    return 1


@compiled(int, STATE, FLOATS, wraps=True)
def fingerprint(s: State, net: Any) -> int:
    """A number for the position and the net, whatever was said in this turn."""
    code = np.int64(s.turn_number) * 31 + s.active
    for i in range(8):
        code = code * 1000003 + np.int64(net[i * 97 % len(net)] * 1e6)
    for seat in range(s.n):
        code = code * 1000003 + s.off[seat]
        for committee in range(N_COMMITTEES):
            code = code * 1000003 + s.board[committee, seat]
        for value in range(N_VALUES):
            code = code * 1000003 + s.hands[seat, value]
        for other in range(s.n):
            code = code * 1000003 + int(s.fates[seat, other, KEPT]) * 128 + s.fates[seat, other, BROKEN]
    for place in range(N_PLACES):
        code = code * 1000003 + s.laurels[place]
    for i in range(s.n_promises):
        code = code * 1000003 + s.promises[i]
    for i in range(s.arrived):
        code = code * 1000003 + s.senate[i]
    return int(code * 1000003 + int(s.caesar) * 128 + s.quiet)


@compiled(None, [STATE], FLOATS, FLOATS, WORK, STYLE)
def remember(states: Any, net: Any, room: Any, work: Any, base: Any) -> None:
    """What every seat has if the active one takes its best step alone, which is done on the desk."""
    memory = work[AT_BASE + 1 :].view(np.float64)
    work[AT_BASE] = fingerprint(states[HERE], net)
    for seat in range(states[HERE].n):
        base[seat] = worth(states[ALONE_DONE], seat, net, room, work)
        memory[seat] = base[seat]


@compiled(None, [STATE], FLOATS, FLOATS, WORK, STYLE)
def without_deal(states: Any, net: Any, room: Any, work: Any, base: Any) -> None:
    """What every seat has if nobody deals: the active one takes its best step that needs nobody."""
    memory = work[AT_BASE + 1 :].view(np.float64)
    if work[AT_BASE] == fingerprint(states[HERE], net):
        for seat in range(states[HERE].n):
            base[seat] = memory[seat]
        return
    buffer = np.empty(MAX_LEGAL, np.int32)
    active = int(states[HERE].active)
    best = NEVER
    for i in range(legal_actions(states[HERE], ALONE, buffer, 0)):
        states[TRIED] = states[HERE]
        for j in range(DRAFT_SIZE):
            states[TRIED].draft[j] = 0
        states[TRIED].phase = ACT
        states[TRIED].seat = active
        act(states[TRIED], buffer[i])
        value = worth(states[TRIED], active, net, room, work)
        if value > best:
            best = value
            states[ALONE_DONE] = states[TRIED]
    remember(states, net, room, work, base)


@compiled(int, STATE, int)
def demanded(s: State, seat: int) -> int:
    """Whether the draft has this seat promise something, or give more than it gets."""
    paid = 0
    for i in range(MAX_GIVES):
        give = int(s.draft[AT_GIVES + i]) - 1
        if give >= 0:
            value = give % N_VALUES + 1
            paid += value if give // (MAX_SEATS * N_VALUES) == seat else 0
            paid -= value if give // N_VALUES % MAX_SEATS == seat else 0
    for i in range(MAX_TERMS):
        term = int(s.draft[AT_TERMS + i]) - 1
        if term >= 0 and term // (MAX_SEATS * N_PROMISES) == seat:
            return 1
    return 1 if paid > 0 else 0


@compiled(None, [STATE])
def conclude(states: Any) -> None:
    """Put what follows from the drafted deal on the desk, with its promises and without."""
    states[DONE] = states[DRAFTED]
    carry_out(states[DONE])
    if states[DRAFTED].draft[AT_TERMS]:
        states[PLAIN] = states[DRAFTED]
        for i in range(MAX_TERMS):
            states[PLAIN].draft[AT_TERMS + i] = 0
        carry_out(states[PLAIN])


@compiled(float, [STATE], int, int, FLOATS, STYLE, FLOATS, WORK)
def deal_value(states: Any, seat: int, own: int, net: Any, style: Any, room: Any, work: Any) -> float:
    """What the concluded deal is worth to a seat, promises as far as it trusts them; `own`: by the style given."""
    value = worth(states[DONE], seat, net, room, work)
    believed = 1.0
    for i in range(MAX_TERMS):
        term = int(states[DRAFTED].draft[AT_TERMS + i]) - 1
        if term >= 0:
            maker, receiver = term // (MAX_SEATS * N_PROMISES), term // N_PROMISES % MAX_SEATS
            if receiver == seat:
                believed = min(believed, trust(states[HERE], maker, receiver, style[FAITH]))
            elif maker == seat and own:
                believed = min(believed, style[INTENDS])
    if believed < 1:
        without = worth(states[PLAIN], seat, net, room, work)
        value = without + believed * (value - without)
    if own:
        value -= style[HONOUR] * (broken_by(states[DONE], seat) - broken_by(states[HERE], seat))
    return value


@compiled(int, STATE, int, int)
def may_have_refused(s: State, which: int, seat: int) -> int:
    """Whether a seat was a party of a draft that was refused in this turn; who said no is not in the state."""
    if consents_by(int(s.refused[which, 0]) - 1, seat):
        return 1
    for i in range(MAX_GIVES):
        give = int(s.refused[which, AT_GIVES + i]) - 1
        if give >= 0 and (give // (MAX_SEATS * N_VALUES) == seat or give // N_VALUES % MAX_SEATS == seat):
            return 1
    for i in range(MAX_TERMS):
        term = int(s.refused[which, AT_TERMS + i]) - 1
        if term >= 0 and (term // (MAX_SEATS * N_PROMISES) == seat or term // N_PROMISES % MAX_SEATS == seat):
            return 1
    return 0


@compiled(float, [STATE], int, float, STYLE)
def agreement(states: Any, seat: int, gain: float, style: Any) -> float:
    """The chance that a seat agrees to the drafted deal that it gains so much by."""
    s = states[HERE]
    wanted = style[WANTED] + grudge(s, seat, s.active)
    for i in range(s.n_refused):
        if may_have_refused(s, i, seat):
            wanted += REBUFF
    chance = logistic((gain - wanted) / DOUBT)
    if bound(states[DRAFTED], seat):
        chance = 1 - (1 - chance) * (1 - trust(s, seat, int(s.active), style[FAITH]))
    return chance


@compiled(int, STATE, int, int, int)
def add_payment(s: State, giver: int, receiver: int, amount: int) -> int:
    """Add gives worth this amount to the draft: one laurel, one and change, or two; 0 where there are none such."""
    if s.draft[AT_GIVES + MAX_GIVES - 2]:
        return 0
    there, back = (giver * MAX_SEATS + receiver) * N_VALUES, (receiver * MAX_SEATS + giver) * N_VALUES
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
    """Add what `me` pays the other (below 0: is paid) and who promises support; 0 where that cannot be."""
    if promised:
        maker, receiver = (me, other) if promised == MINE else (other, me)
        if s.draft[AT_TERMS + MAX_TERMS - 1] or owes_support(s, maker, receiver):
            return 0
        add_term(s, AT_TERMS, MAX_TERMS, (maker * MAX_SEATS + receiver) * N_PROMISES + SUPPORT)
    if amount > 0:
        return add_payment(s, me, other, amount)
    return add_payment(s, other, me, -amount) if amount < 0 else 1


@compiled(float, [STATE], int, STYLE, FLOATS, STYLE, FLOATS, WORK)
def prospect(states: Any, me: int, base: Any, net: Any, style: Any, room: Any, work: Any) -> float:
    """(Chance that all agree) x (own gain) of the drafted deal for `me`, who drafts it; at most 0 where none is."""
    conclude(states)
    gain = deal_value(states, me, 1, net, style, room, work) - base[me]
    base[CHANCE] = 1.0
    if gain <= 0 or was_refused(states[DRAFTED]):
        return float(min(gain, 0.0))
    asked = parties(states[DRAFTED])
    for seat in range(states[HERE].n):
        if seat != me and asked >> seat & 1:
            theirs = deal_value(states, seat, 0, net, style, room, work) - base[seat]
            base[CHANCE] *= agreement(states, seat, theirs, style)
    return float(gain * base[CHANCE])


@compiled(float, [STATE], int, int, int, int, float, DRAFT, STYLE, FLOATS, STYLE, FLOATS, WORK, DRAFT)
def attempt(
    states: Any, me: int, other: int, amount: int, promised: int, best: float, kept: Any,
    base: Any, net: Any, style: Any, room: Any, work: Any, terms: Any,
) -> float:  # fmt: skip
    """The prospect of the terms kept with some for one seat more; NEVER where they cannot be. Above `best`: noted."""
    s = states[DRAFTED]
    for j in range(DRAFT_SIZE):
        s.draft[j] = kept[j]
    if not add_terms(s, me, other, amount, promised):
        return NEVER
    value = prospect(states, me, base, net, style, room, work)
    if value > best:
        for j in range(DRAFT_SIZE):
            terms[j] = s.draft[j]
    return value


@compiled(float, [STATE], int, int, float, DRAFT, STYLE, FLOATS, STYLE, FLOATS, WORK, DRAFT)
def bargain_with(
    states: Any, me: int, other: int, best: float, kept: Any,
    base: Any, net: Any, style: Any, room: Any, work: Any, terms: Any,
) -> float:  # fmt: skip
    """Look for better terms for one seat on top of those kept: promises, payments, demands; the best prospect."""
    bare = best
    willing = base[CHANCE]
    for promised in range(3):
        last = bare
        if promised:
            if style[PROMISES] == 0:
                break
            if promised == MINE and willing >= SURE:
                continue
            last = attempt(states, me, other, 0, promised, best, kept, base, net, style, room, work, terms)
            if last == NEVER:
                continue
            best = max(best, last)
        # Pay where they are not willing, demand where they are; as long as it gets better.
        pays = base[CHANCE] < SURE if promised else willing < SURE
        most = int(style[PAYS]) if pays else MOST_DEMANDED if style[BARGAINS] > 0 else 0
        for amount in range(1, most + 1):
            paid = amount if pays else -amount
            value = attempt(states, me, other, paid, promised, best, kept, base, net, style, room, work, terms)
            if value == NEVER:
                continue
            best = max(best, value)
            if (pays and base[CHANCE] >= SURE) or value < last:
                break
            last = value
    return best


@compiled(float, [STATE], int, int, STYLE, FLOATS, STYLE, FLOATS, WORK, DRAFT)
def find_terms(
    states: Any, me: int, action: int, base: Any, net: Any, style: Any, room: Any, work: Any, terms: Any
) -> float:
    """The best terms that `me` could propose for an action, and their prospect; `base`: every seat's worth without."""
    active = int(states[HERE].active)
    kept = np.zeros(DRAFT_SIZE, np.int16)
    states[DRAFTED] = states[HERE]
    for j in range(DRAFT_SIZE):
        terms[j] = 0
    kept[0] = action + 1
    terms[0] = action + 1
    best = attempt(states, me, me, 0, 0, NEVER, kept, base, net, style, room, work, terms)
    if best < -DEAREST or (best < 0 and style[BARGAINS] == 0):
        return best
    alone = parties(states[DRAFTED]) == 1 << active
    if alone:
        best = min(best, 0.0)  # that needs no deal
    for other in range(states[HERE].n):
        if other == me or not (consents_by(action, other) or other == active or (alone and me == active)):
            continue
        if not alone:  # an action that needs nobody is sold to one seat, else each is won on top of those before
            for j in range(DRAFT_SIZE):
                kept[j] = terms[j]
        best = bargain_with(states, me, other, best, kept, base, net, style, room, work, terms)
    return best


@compiled(float, [STATE], int, int, STYLE, FLOATS, STYLE, FLOATS, WORK, DRAFT, wraps=True)
def plan(states: Any, me: int, action: int, base: Any, net: Any, style: Any, room: Any, work: Any, terms: Any) -> float:
    """The same as `find_terms`, remembered: a draft asks for its plan at every step."""
    key = np.int64(fingerprint(states[HERE], net)) * 1000003 + states[HERE].n_refused * 8 + me
    for i in range(len(style)):
        key = key * 1000003 + np.int64(style[i] * 1000)
    key = key * 1000003 + action
    at = AT_PLANS + action % PLANS * PLAN_SIZE
    if work[at] == key:
        for j in range(DRAFT_SIZE):
            terms[j] = work[at + 2 + j]
        return float(work[at + 1 : at + 2].view(np.float64)[0])
    found = find_terms(states, me, action, base, net, style, room, work, terms)
    work[at] = key
    work[at + 1 : at + 2].view(np.float64)[0] = found
    for j in range(DRAFT_SIZE):
        work[at + 2 + j] = terms[j]
    return found
