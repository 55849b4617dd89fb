"""What positions and deals of Quo Vadis? are worth to a seat, by a value net and what the seats remember and trust.

A deal is measured against no deal: the active seat's best step that needs nobody. Finding terms is in `bargain`.
"""

from typing import Any

import numpy as np

from rostra.engine.game import record
from rostra.engine.jit import State, compiled
from rostra.engine.net import HIDDEN, NARROW, WIDE, forward, logistic
from rostra.games.quovadis.choices import ALONE, legal_actions
from rostra.games.quovadis.course import points_now
from rostra.games.quovadis.deals import BROKEN, KEPT, consents_by, is_bargain, owes_consent
from rostra.games.quovadis.features import FLOATS, N_FEATURE_WORK, N_INPUTS, WORK, features
from rostra.games.quovadis.rules import act, ahead, carry_out, go_on
from rostra.games.quovadis.state import AT_GIVES, AT_TERMS, DRAFT_SIZE, SHOWN, STATE, arrival
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
    N_VALUES,
    START,
    STEPS_TO_SENATE,
    SUPPORT,
    encode_promise,
    given_to,
    giver_of,
    maker_of,
    promised_to,
    value_given,
)

HERE, DRAFTED, DONE, PLAIN, ALONE_DONE, TRIED = range(6)
"""The rows of `states`: the position, the same with a draft, after that deal, after it without its promises, after the
active seat's best step alone, scratch."""

ASKS, PAYS, BARGAINS, PROMISES, LEAST_GAIN, WANTED, FAITH, HONOUR, INTENDS, IDLES, YIELDS, FORGETS, WALKS = range(13)
"""A style: whether it asks for consents; the most it pays for one; whether it demands laurels, sells actions, hears
others and makes them offers; whether it promises; how much better than none a deal must be before it agrees; what it
thinks others want; how far it trusts a stranger; how much winning chance its word is worth to it; whether it means what
it promises; whether it only moves Caesar; whether it agrees to pay or promise when others demand it; whether it
remembers only roughly what the others hold; how much it prefers its own steps to moving Caesar."""
N_STYLE = 13

NOTES = record(
    [
        ("style", np.float64, N_STYLE),
        (
            "no_deal",
            np.float64,
            MAX_SEATS,
        ),  # what every seat has without a deal (`base` is an attribute of every record)
        ("chance", np.float64),  # that all agree to the deal drafted last
        ("best", np.float64),  # the best prospect found for an action
        ("step", np.float64),  # what the best step alone is worth to the active seat
        ("kept", np.int16, DRAFT_SIZE),  # the terms that `attempt` adds to
        ("terms", np.int16, DRAFT_SIZE),  # the best terms found for an action
        ("layers", np.float32, N_INPUTS + HIDDEN),  # inputs and layers of the net
    ]
)
"""The scratch of one decision, handed on as an array of one record."""
STYLE = [np.float64]

RANK_WEIGHT = 0.15
"""What the rank counts beside the chance to win: a seat that can no longer win still has a reason to move."""
DOUBT = 0.006
"""How unsure a seat is of what others want."""
REBUFF = 0.03
"""How much more a seat is thought to want for every deal with it that was refused in this turn."""
WEIGHT, HEARSAY, SHOCK = 3.0, 0.7, 5.0
"""Trust is a Beta estimate: the number of promises that the first impression counts for, the weight of a promise to
another seat, and the number of kept promises that outweigh a broken one."""
GRUDGE = 0.02
"""How much more a seat wants of one that broke its word to it; this fades with every promise kept to it."""
HASTE = 0.08
"""By how much each senator in the Senate lowers trust: the nearer the end, the cheaper it is to break one's word."""
NEVER = -1e9
REMEMBERED = np.array([0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 26, 31, 36, 42, 48, 55, 62], np.int64)
"""The laurel points that a forgetful seat can tell apart; others it takes for the nearest of these, of two for the
lower."""
ROUGH = 3
"""A forgetful seat imagines a hand as laurels of this value, and one for the rest."""
AT_BASE = N_FEATURE_WORK
"""In the scratch integers, behind those of the features: a key, and as floats what every seat has without a deal."""
AT_PLANS, PLANS, PLAN_SIZE = AT_BASE + 1 + MAX_SEATS, 32, 2 + DRAFT_SIZE
"""Then plans found before: a key, the prospect as a float, the terms."""
AT_BLUR = AT_PLANS + PLANS * PLAN_SIZE
"""Then by seat and value the number of laurels that the deciding seat imagines too many; zeros for a perfect memory."""
N_WORK = AT_BLUR + MAX_SEATS * N_VALUES


@compiled(float, STATE, int)
def margin(s: State, seat: int) -> float:
    """The rank in a finished game: 1 for the first to -1 for the last and for seats that do not count (Q-END-2)."""
    if not (int(s.qualified) >> seat & 1 if s.consul else arrival(s, seat)):
        return -1.0
    before = 0
    for other in range(s.n):
        counts = int(s.qualified) >> other & 1 if s.consul else arrival(s, other)
        if other != seat and counts and ahead(s, other, seat):
            before += 1
    return float(1 - 2 * before / (s.n - 1))


@compiled(float, STATE, int, [NOTES], FLOATS, WORK)
def judgement(s: State, seat: int, notes: Any, net: Any, work: Any) -> float:
    """How good a position is for a seat: its chance to win, and a little for its rank."""
    if s.phase == FINISHED:
        rank = margin(s, seat)
        return (1.0 if rank == 1 else 0.0) + RANK_WEIGHT * rank
    if s.phase == DISMISS or s.phase == START or s.phase == LAY_OUT:  # between games of an election
        value = 0.0
        for other in range(s.n):
            value += int(s.totals[other]) * (1.0 if other == seat else -1 / (s.n - 1))
        for committee in range(N_COMMITTEES):
            value += 0.1 * s.board[committee, seat] * (5 - STEPS_TO_SENATE[committee])
        return logistic(value / 8)
    layers = notes[0].layers
    features(s, seat, layers[:N_INPUTS], work)
    forward(net, layers[:N_INPUTS], layers[N_INPUTS:])
    heads = layers[N_INPUTS + WIDE + NARROW :]
    return logistic(float(heads[0])) + RANK_WEIGHT * float(heads[1])


@compiled(None, STATE, STYLE, WORK)
def take_in(s: State, style: Any, work: Any) -> None:
    """Note how the hands differ from what the deciding seat remembers; a change empties the caches. Hands that all are
    showing (Q-VAR-2) are not forgotten."""
    for seat in range(s.n):
        points, rough = points_now(s, seat), 0
        for known in REMEMBERED:
            rough = known if abs(known - points) < abs(rough - points) else rough
        for value in range(N_VALUES):
            blur = 0
            if style[FORGETS] > 0 and seat != s.seat and not s.open_hands & SHOWN:
                blur = rough // ROUGH if value + 1 == ROUGH else 1 if value + 1 == rough % ROUGH else 0
                blur -= int(s.hands[seat, value])
            if work[AT_BLUR + seat * N_VALUES + value] != blur:
                work[AT_BLUR + seat * N_VALUES + value] = blur
                work[AT_BASE] = 0


@compiled(None, STATE, WORK, int)
def imagine(s: State, work: Any, sign: int) -> None:
    """Turn the hands of a position into what the deciding seat remembers (1), or back (-1)."""
    for seat in range(s.n):
        for value in range(N_VALUES):
            s.hands[seat, value] += sign * work[AT_BLUR + seat * N_VALUES + value]


@compiled(float, STATE, int, [NOTES], FLOATS, WORK)
def worth(s: State, seat: int, notes: Any, net: Any, work: Any) -> float:
    """How good a position is for a seat, by what the deciding seat remembers."""
    imagine(s, work, 1)
    value = judgement(s, seat, notes, net, work)
    imagine(s, work, -1)
    return value


@compiled(float, STATE, int, int, float)
def trust(s: State, maker: int, receiver: int, faith: float) -> float:
    """The chance that a promise will be kept, by those made to the receiver and, with less weight, to others."""
    kept, broken = WEIGHT * faith, WEIGHT * (1 - faith)
    for other in range(s.n):
        weight = 1.0 if other == receiver else HEARSAY
        kept += weight * s.fates[maker, other, KEPT]
        broken += SHOCK * weight * s.fates[maker, other, BROKEN]
    return float(kept / (kept + broken) * (1 - HASTE * s.arrived))


@compiled(float, STATE, int, int)
def grudge(s: State, seat: int, against: int) -> float:
    """How much more a seat wants of another that broke promises to it."""
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
    promise = encode_promise(maker, receiver, SUPPORT)
    for i in range(s.n_promises):
        if s.promises[i] == promise + 1:
            return 1
    return 0


@compiled(int, STATE, int)
def bound(s: State, seat: int) -> int:
    """Whether a `no` of this seat to the draft would break its promise of support."""
    return 1 if owes_consent(s, seat) and owes_support(s, seat, s.active) else 0


@compiled(int, STATE, FLOATS, wraps=True)
def fingerprint(s: State, net: Any) -> int:
    """A hash of the position and the net, without the talk of this turn."""
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
    caesar = int(s.caesar) + N_PLACES * int(s.caesar_frees)
    code = code * 1000003 + s.spared
    return int(code * 1000003 + caesar * 128 + s.quiet)


@compiled(None, [STATE], [NOTES], FLOATS, WORK)
def remember(states: Any, notes: Any, net: Any, work: Any) -> None:
    """Note what every seat has after the active seat's best step alone, which is in states[ALONE_DONE]."""
    memory = work[AT_BASE + 1 :].view(np.float64)
    work[AT_BASE] = fingerprint(states[HERE], net)
    for seat in range(states[HERE].n):
        value = worth(states[ALONE_DONE], seat, notes, net, work)
        notes[0].no_deal[seat] = value
        memory[seat] = value


@compiled(None, [STATE], [NOTES], FLOATS, WORK)
def without_deal(states: Any, notes: Any, net: Any, work: Any) -> None:
    """Note what every seat has without a deal: the active seat takes its best step that needs nobody.

    Without a bargain, or a deal about Caesar's place, everything stays as it is.
    """
    if is_bargain(states[HERE]) or states[HERE].caesar_won:
        states[TRIED] = states[HERE]
        for j in range(DRAFT_SIZE):
            states[TRIED].draft[j] = 0
        states[TRIED].drafter = states[HERE].active
        go_on(states[TRIED])
        for seat in range(states[HERE].n):
            notes[0].no_deal[seat] = worth(states[TRIED], seat, notes, net, work)
        return
    memory = work[AT_BASE + 1 :].view(np.float64)
    if work[AT_BASE] == fingerprint(states[HERE], net):
        for seat in range(states[HERE].n):
            notes[0].no_deal[seat] = memory[seat]
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
        value = worth(states[TRIED], active, notes, net, work)
        if value > best:
            best = value
            states[ALONE_DONE] = states[TRIED]
    remember(states, notes, net, work)


@compiled(int, STATE, int)
def demanded(s: State, seat: int) -> int:
    """Whether the draft has this seat promise something, or give more than it gets."""
    paid = 0
    for i in range(MAX_GIVES):
        give = int(s.draft[AT_GIVES + i]) - 1
        if give >= 0:
            value = value_given(give) + 1
            paid += value if giver_of(give) == seat else 0
            paid -= value if given_to(give) == seat else 0
    for i in range(MAX_TERMS):
        term = int(s.draft[AT_TERMS + i]) - 1
        if term >= 0 and maker_of(term) == seat:
            return 1
    return 1 if paid > 0 else 0


@compiled(None, [STATE])
def conclude(states: Any) -> None:
    """Carry the drafted deal out in states[DONE], and without its promises in states[PLAIN]."""
    states[DONE] = states[DRAFTED]
    carry_out(states[DONE])
    if states[DRAFTED].draft[AT_TERMS]:
        states[PLAIN] = states[DRAFTED]
        for i in range(MAX_TERMS):
            states[PLAIN].draft[AT_TERMS + i] = 0
        carry_out(states[PLAIN])


@compiled(float, [STATE], [NOTES], int, int, FLOATS, WORK)
def deal_value(states: Any, notes: Any, seat: int, own: int, net: Any, work: Any) -> float:
    """What the concluded deal is worth to a seat that trusts promises only so far; `own`: the style is this seat's."""
    style = notes[0].style
    value = worth(states[DONE], seat, notes, net, work)
    believed = 1.0
    for i in range(MAX_TERMS):
        term = int(states[DRAFTED].draft[AT_TERMS + i]) - 1
        if term >= 0:
            maker, receiver = maker_of(term), promised_to(term)
            if receiver == seat:
                believed = min(believed, trust(states[HERE], maker, receiver, style[FAITH]))
            elif maker == seat and own:
                believed = min(believed, style[INTENDS])
    if believed < 1:
        without = worth(states[PLAIN], seat, notes, net, work)
        value = without + believed * (value - without)
    if own:
        value -= style[HONOUR] * (broken_by(states[DONE], seat) - broken_by(states[HERE], seat))
    return value


@compiled(int, STATE, int, int)
def may_have_refused(s: State, which: int, seat: int) -> int:
    """Whether a seat was a party of a draft refused in this turn; the state does not tell who said no."""
    if consents_by(int(s.refused[which, 0]) - 1, seat):
        return 1
    for i in range(MAX_GIVES):
        give = int(s.refused[which, AT_GIVES + i]) - 1
        if give >= 0 and (giver_of(give) == seat or given_to(give) == seat):
            return 1
    for i in range(MAX_TERMS):
        term = int(s.refused[which, AT_TERMS + i]) - 1
        if term >= 0 and (maker_of(term) == seat or promised_to(term) == seat):
            return 1
    return 0


@compiled(float, [STATE], [NOTES], int, float)
def agreement(states: Any, notes: Any, seat: int, gain: float) -> float:
    """The chance that a seat agrees to the drafted deal, by its gain."""
    s = states[HERE]
    style = notes[0].style
    wanted = style[WANTED] + grudge(s, seat, s.active)
    for i in range(s.n_refused):
        if may_have_refused(s, i, seat):
            wanted += REBUFF
    chance = logistic((gain - wanted) / DOUBT)
    if bound(states[DRAFTED], seat):
        chance = 1 - (1 - chance) * (1 - trust(s, seat, int(s.active), style[FAITH]))
    return chance
