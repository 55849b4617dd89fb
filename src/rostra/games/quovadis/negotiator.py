"""The learned players of Quo Vadis?: what every move is worth to the deciding seat, by a value net and a style.

An action that needs others is worth what its best deal promises; the moves of a draft follow that plan, found again at
each step. A style says how a seat negotiates; all styles value positions alike (`appraisal`).
"""

from typing import Any

import numpy as np

from rostra.engine.jit import State, compiled
from rostra.engine.mind import Mind, Schedule
from rostra.games.quovadis.appraisal import (
    ALONE_DONE,
    ASKS,
    BARGAINS,
    DONE,
    DRAFTED,
    FORGETS,
    HERE,
    HONOUR,
    IDLES,
    LEAST_GAIN,
    N_STYLE,
    N_WORK,
    NEVER,
    NOTES,
    RANK_WEIGHT,
    STYLE,
    TRIED,
    WALKS,
    YIELDS,
    bound,
    broken_by,
    conclude,
    deal_value,
    demanded,
    grudge,
    margin,
    remember,
    take_in,
    without_deal,
    worth,
)
from rostra.games.quovadis.bargain import DEAREST, plan, prospect
from rostra.games.quovadis.choices import OTHERS, who_consents
from rostra.games.quovadis.course import points_now
from rostra.games.quovadis.deals import MOVES, is_bargain
from rostra.games.quovadis.features import FLOATS, N_INPUTS, WORK, features
from rostra.games.quovadis.rules import apply, legal
from rostra.games.quovadis.state import AT_GIVES, AT_TERMS, AT_THEN, DRAFT_SIZE, STATE
from rostra.games.quovadis.tables import (
    ACT,
    ANSWER,
    ASK,
    ASKING,
    BARGAIN,
    CAESAR_TO,
    DEAL,
    DEMAND,
    DRAFT,
    DROP,
    FINISHED,
    GIVE,
    HEAR,
    LISTEN,
    OPEN,
    PASS,
    PAY,
    PLACE_CAESAR,
    PROMISE,
    REFILL,
    SHOW,
    WORD,
    encode_move,
    index_of,
    kind_of,
    kind_of_promise,
    maker_of,
)

ASK_COST = 0.0005
"""The cost of having asked in vain."""
SURPLUS = 0.03
"""What two seats must gain together by an action that one sells the other."""
STRANGE = 1.0
"""How much worse than no deal a step is thought that is in no plan: a small error must not lead there."""
IMPATIENCE = 0.003
"""The cost of moving Caesar, for every round in which nobody has moved: there is always a reason to move."""
MOST_PLANNED = 4
"""The number of actions that need others for which terms are looked for in a turn."""
PLANNED = 1000.0
"""Marks values of actions that have been planned."""
TERMS = [np.int16]


@compiled(int, STATE, int)
def needs_others(s: State, move: int) -> int:
    """Whether a move is an action that other seats must consent to."""
    return 1 if kind_of(move) == ASKING and who_consents(s, index_of(move)) == OTHERS else 0


@compiled(float, [STATE], [NOTES], int, FLOATS, WORK)
def bare_value(states: Any, notes: Any, action: int, net: Any, work: Any) -> float:
    """What an action is worth to the deciding seat if everybody agrees for nothing; states[DONE] is what follows."""
    states[DRAFTED] = states[HERE]
    for j in range(DRAFT_SIZE):
        states[DRAFTED].draft[j] = 0
    states[DRAFTED].draft[0] = action + 1
    conclude(states)
    return worth(states[DONE], int(states[HERE].seat), notes, net, work)


@compiled(int, [STATE], [NOTES], int, FLOATS, MOVES, WORK)
def best_to_share(states: Any, notes: Any, n: int, net: Any, buffer: Any, work: Any) -> int:
    """Of the actions listed the one by which the drafting seat and another gain most together; -1 for none.

    The active seat looks for one that needs nobody and suits another seat; other seats for what suits the active one.
    """
    s, base = states[HERE], notes[0].no_deal
    me, active = int(s.seat), int(s.active)
    pick, most = -1, SURPLUS
    for i in range(n):
        words = kind_of(buffer[i]) == WORD or kind_of(buffer[i]) == BARGAIN
        if words or (me == active and needs_others(s, buffer[i])):
            continue
        own = bare_value(states, notes, buffer[i], net, work) - base[me]
        if own < -DEAREST or (me == active and own >= 0):  # the best step is taken anyway
            continue
        for other in range(s.n):
            if other != me and (me == active or other == active):
                together = own + worth(states[DONE], other, notes, net, work) - base[other]
                if together > most:
                    pick, most = i, together
    return pick


@compiled(float, [STATE], [NOTES], int, FLOATS, MOVES, STYLE, WORK)
def weigh_steps(states: Any, notes: Any, n: int, net: Any, buffer: Any, values: Any, work: Any) -> float:
    """The active seat's actions that need nobody, by what follows from them; returns the highest value."""
    s, note = states[HERE], notes[0]
    me = int(s.active)
    best, note.step = NEVER, NEVER
    for i in range(n):
        if kind_of(buffer[i]) == WORD or needs_others(s, buffer[i]):
            continue
        states[TRIED] = s
        apply(states[TRIED], buffer[i])
        value = worth(states[TRIED], me, notes, net, work)
        if value > note.step:
            note.step = value
            states[ALONE_DONE] = states[TRIED]
        value -= note.style[HONOUR] * (broken_by(states[TRIED], me) - broken_by(s, me))
        if kind_of(buffer[i]) == CAESAR_TO:
            value -= IMPATIENCE * s.quiet / s.n * (1 - note.style[IDLES]) + note.style[WALKS]
        elif note.style[IDLES] > 0 and not (states[TRIED].phase == FINISHED and value > 1):
            value -= STRANGE
        values[i] = value
        best = max(best, value)
    return best


@compiled(None, [STATE], [NOTES], int, FLOATS, MOVES, STYLE, WORK)
def weigh_requests(states: Any, notes: Any, n: int, net: Any, buffer: Any, values: Any, work: Any) -> None:
    """The active seat's actions that need others: the most promising by their best deal, others as asking in vain."""
    s, note = states[HERE], notes[0]
    asks = note.style[ASKS] > 0 and note.style[IDLES] == 0
    for i in range(n):
        if needs_others(s, buffer[i]):
            values[i] = bare_value(states, notes, buffer[i], net, work) if asks else note.step - STRANGE
    least = note.step - (DEAREST if note.style[BARGAINS] > 0 else 0)
    for _ in range(MOST_PLANNED):
        pick = -1
        for i in range(n):
            above = values[pick] if pick >= 0 else least
            if needs_others(s, buffer[i]) and above < values[i] < PLANNED / 2:
                pick = i
        if pick < 0:
            break
        values[pick] = PLANNED + plan(states, notes, buffer[pick], net, work)
    for i in range(n):
        if needs_others(s, buffer[i]):
            gain = values[i] - PLANNED if values[i] > PLANNED / 2 else min(values[i] - note.step, 0.0)
            values[i] = note.step - ASK_COST + gain


@compiled(float, [STATE], [NOTES], int, FLOATS, MOVES, WORK)
def sale_value(states: Any, notes: Any, n: int, net: Any, buffer: Any, work: Any) -> float:
    """What the active seat can have by selling an action that needs nobody; NEVER where nobody would buy one."""
    note = notes[0]
    if note.style[BARGAINS] > 0 and note.style[IDLES] == 0:
        pick = best_to_share(states, notes, n, net, buffer, work)
        if pick >= 0:
            sold = plan(states, notes, buffer[pick], net, work)
            if sold > 0:
                return float(note.step - ASK_COST + sold)
    return NEVER


@compiled(None, [STATE], [NOTES], int, FLOATS, MOVES, STYLE, WORK)
def weigh_turn(states: Any, notes: Any, n: int, net: Any, buffer: Any, values: Any, work: Any) -> None:
    """The active seat's choices: steps alone, actions that need others, and words."""
    s = states[HERE]
    best = weigh_steps(states, notes, n, net, buffer, values, work)
    remember(states, notes, net, work)
    weigh_requests(states, notes, n, net, buffer, values, work)
    for i in range(n):
        if buffer[i] == encode_move(WORD, DEAL):
            sold = sale_value(states, notes, n, net, buffer, work)
            values[i] = sold if sold > NEVER else best - 2 * ASK_COST
        elif buffer[i] == encode_move(WORD, HEAR):
            # To let others offer costs nothing, but is of use only when they have refused.
            hears = notes[0].style[BARGAINS] > 0 and s.n_refused > 0
            values[i] = best + (ASK_COST / 8 if hears else -2 * ASK_COST)


@compiled(None, [STATE], [NOTES], int, FLOATS, MOVES, STYLE, WORK)
def weigh_offers(states: Any, notes: Any, n: int, net: Any, buffer: Any, values: Any, work: Any) -> None:
    """What may be drafted, or `drop` and `pass`: by the active seat after `deal`, by others for its action."""
    without_deal(states, notes, net, work)
    own = notes[0].no_deal[states[HERE].seat]
    for i in range(n):
        quiet = buffer[i] == encode_move(WORD, PASS) or buffer[i] == encode_move(WORD, DROP)
        values[i] = own - (0 if quiet else STRANGE)
    if notes[0].style[BARGAINS] > 0:
        pick = best_to_share(states, notes, n, net, buffer, work)
        if pick >= 0:
            values[pick] = own - ASK_COST + plan(states, notes, buffer[pick], net, work)


@compiled(int, TERMS, TERMS)
def missing(drafted: Any, planned: Any) -> int:
    """The first planned term that the draft lacks, as its index in the kind; -1 for none, -2 if it has others."""
    lacks = -1
    i = 0
    for j in range(len(planned)):
        if i < len(drafted) and planned[j] and planned[j] == drafted[i]:
            i += 1
        elif planned[j] and lacks < 0:
            lacks = int(planned[j]) - 1
    return -2 if i < len(drafted) and drafted[i] else lacks


@compiled(None, [STATE], [NOTES], int, FLOATS, MOVES, STYLE, WORK)
def weigh_draft(states: Any, notes: Any, n: int, net: Any, buffer: Any, values: Any, work: Any) -> None:
    """The next step of the plan for the drafted action: a term that is missing, then `ask`; `drop` where it is bad."""
    note, draft = notes[0], states[HERE].draft
    me = int(states[HERE].seat)
    without_deal(states, notes, net, work)
    bargain = is_bargain(states[HERE])  # these players answer bargains, but plan none
    hope = 0.0 if bargain else plan(states, notes, int(draft[0]) - 1, net, work)
    give = missing(draft[AT_GIVES:AT_THEN], note.terms[AT_GIVES:AT_THEN])
    promise = missing(draft[AT_TERMS:], note.terms[AT_TERMS:])
    step = encode_move(WORD, ASK)
    if bargain or give == -2 or promise == -2 or draft[AT_THEN]:  # the draft is not of this plan
        states[DRAFTED] = states[HERE]
        hope = prospect(states, notes, me, net, work)
    elif give >= 0:
        step = encode_move(GIVE, give)
    elif promise >= 0:
        step = encode_move(PROMISE, promise)
    for i in range(n):
        if buffer[i] == step:
            values[i] = note.no_deal[me] + hope - ASK_COST
        else:
            values[i] = note.no_deal[me] - (2 * ASK_COST if buffer[i] == encode_move(WORD, DROP) else STRANGE)


@compiled(None, [STATE], [NOTES], FLOATS, STYLE, WORK)
def weigh_answer(states: Any, notes: Any, net: Any, values: Any, work: Any) -> None:
    """`yes` and `no`: whether the deal is better than none by the least gain, one's word counted in."""
    s, style = states[HERE], notes[0].style
    me = int(s.seat)
    without_deal(states, notes, net, work)
    values[1] = notes[0].no_deal[me] - style[HONOUR] * bound(s, me)
    states[DRAFTED] = states[HERE]
    conclude(states)
    values[0] = deal_value(states, notes, me, 1, net, work) - style[LEAST_GAIN] - grudge(s, me, s.active)
    for i in range(AT_TERMS, DRAFT_SIZE):
        term = int(s.draft[i]) - 1
        if term >= 0 and maker_of(term) == me and kind_of_promise(term) >= PAY:
            values[0] -= style[HONOUR]  # these players never intend to pay later
    if style[YIELDS] == 0 and demanded(s, me):
        values[0] -= STRANGE


@compiled(None, [STATE], [NOTES], int, FLOATS, MOVES, STYLE, WORK)
def weigh_demand(states: Any, notes: Any, n: int, net: Any, buffer: Any, values: Any, work: Any) -> None:
    """`show` where this player forgets hands, else `pass`: a perfect memory would learn nothing (Q-VAR-2)."""
    own = worth(states[HERE], int(states[HERE].seat), notes, net, work)
    wanted = encode_move(SHOW, 0) if notes[0].style[FORGETS] > 0 else encode_move(WORD, PASS)
    for i in range(n):
        values[i] = own - (0 if buffer[i] == wanted else STRANGE)


@compiled(int, [STATE], FLOATS, STYLE, MOVES, STYLE, WORK)
def weigh(states: Any, net: Any, style: Any, buffer: Any, values: Any, work: Any) -> int:
    """The legal moves, and what each is worth to the deciding seat."""
    notes = np.zeros(1, NOTES)
    for i in range(N_STYLE):
        notes[0].style[i] = style[i]
    n = legal(states[HERE], buffer)
    take_in(states[HERE], style, work)
    phase = states[HERE].phase
    if phase == ACT:
        weigh_turn(states, notes, n, net, buffer, values, work)
    elif phase == DRAFT:
        weigh_draft(states, notes, n, net, buffer, values, work)
    elif phase == ANSWER:
        weigh_answer(states, notes, net, values, work)
    elif phase == LISTEN or phase == OPEN:
        weigh_offers(states, notes, n, net, buffer, values, work)
    elif phase == DEMAND:
        weigh_demand(states, notes, n, net, buffer, values, work)
    else:
        for i in range(n):
            states[TRIED] = states[HERE]
            if kind_of(buffer[i]) != WORD:
                apply(states[TRIED], buffer[i])
            values[i] = worth(states[TRIED], int(states[HERE].seat), notes, net, work)
            if kind_of(buffer[i]) == WORD:  # to talk about Caesar's place (Q-NEG-6) is left to others
                values[i] -= STRANGE
    return n


@compiled(None, STATE, int, FLOATS)
def progress(s: State, seat: int, out: Any) -> None:
    """Laurel points and senators in the Senate."""
    out[0] = points_now(s, seat) / 8
    out[1] = 0
    for i in range(s.arrived):
        out[1] += s.senate[i] == seat + 1


@compiled(int, STATE)
def chapter(s: State) -> int:
    """The game of an election, once a turn: when its action is done; else -1."""
    if s.phase == ACT:
        return -1 if s.drafts or s.heard else int(s.game)
    return int(s.game) if s.phase == REFILL or s.phase == PLACE_CAESAR else -1


STYLES = {
    # asks, pays, bargains, promises, least gain, wanted, faith, honour, intends, idles, yields, forgets, walks
    # with half this least gain a gouger wins its fair share among three
    "": (1, 5, 1, 1, 0.02, 0.01, 0.4, 0.1, 1, 0, 1, 0, 0),
    "honest": (1, 5, 1, 1, 0.02, 0.01, 0.4, 1, 1, 0, 1, 0, 0),
    "opportunist": (1, 5, 1, 1, 0.02, 0.01, 0.4, 0.02, 1, 0, 1, 0, 0),
    "forgetful": (1, 5, 1, 1, 0.02, 0.01, 0.4, 0.1, 1, 0, 1, 1, 0),
    # the ladder: each lacks one skill of the one above, at half the least gain of the best
    "trader": (1, 5, 1, 0, 0.01, 0.01, 0.4, 1, 1, 0, 1, 0, 0),
    "payer": (1, 5, 0, 0, 0.01, 0.01, 0.4, 1, 1, 0, 1, 0, 0),
    "asker": (1, 0, 0, 0, 0.01, 0.01, 0.4, 1, 1, 0, 1, 0, 0),
    "silent": (0, 0, 0, 0, 9, 0.01, 0.4, 1, 1, 0, 1, 0, 0),
    # for a first game: it agrees at a loss, thinks that others want much, and would rather step on than move Caesar
    "gentle": (1, 5, 0, 0, -0.15, 0.08, 0.7, 1, 1, 0, 1, 0, 0.3),
    # exploiters of the best: never agrees, wants much more, never keeps its word, never pays, never moves
    "refuser": (1, 5, 1, 1, 9, 0.01, 0.4, 0.1, 1, 0, 1, 0, 0),
    "gouger": (1, 5, 1, 1, 0.08, 0.01, 0.4, 0.1, 1, 0, 1, 0, 0),
    "breaker": (1, 5, 1, 1, 0.01, 0.01, 0.4, -1, 0, 0, 1, 0, 0),
    "rider": (1, 0, 1, 0, 0.01, 0.01, 0.4, 0.1, 1, 0, 0, 0, 0),
    "staller": (1, 5, 1, 1, 0.01, 0.01, 0.4, 0.1, 1, 1, 1, 0, 0),
}

MIND = Mind(
    n_inputs=N_INPUTS,
    heads=("win", "margin", "laurels", "senators"),
    ambition=RANK_WEIGHT,
    n_work=N_WORK,
    units={"laurels": 8},
    chances=frozenset(),
    styles=STYLES,
    gentle=("gentle", 1.5),
    practice=("", "", "honest", "trader", "payer", "asker"),
    # A game takes as long as many games of Alea, and greedy players take longer still.
    schedule=Schedule(rate=(1e-3, 1e-4), trace=(0.97, 0.85), explore=(0.03, 0.0), greedy=0.04, together=1),
    features=features,
    margin=margin,
    progress=progress,
    chapter=chapter,
    weigh=weigh,
)
