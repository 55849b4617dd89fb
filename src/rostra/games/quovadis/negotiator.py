"""The learned players of Quo Vadis?: what every move is worth to who decides, by a value net and a way to negotiate.

An action that needs others is worth what its best deal promises; the moves of a draft follow that plan, found again at
each step. Not here: what a deal is worth and how terms are found (`bargain`). What a newcomer would get wrong: a style
says how a seat negotiates, not how it values positions, which all share.
"""

from typing import Any

import numpy as np

from rostra.engine.game import Mind, Schedule
from rostra.engine.jit import State, compiled
from rostra.engine.net import HIDDEN
from rostra.games.quovadis.bargain import (
    ALONE_DONE,
    ASKS,
    BARGAINS,
    DEAREST,
    DONE,
    DRAFT,
    DRAFTED,
    HERE,
    HONOUR,
    IDLES,
    MARGIN,
    N_WORK,
    NEVER,
    RANK,
    STYLE,
    TALK,
    TRIED,
    YIELDS,
    bound,
    broken_by,
    conclude,
    deal_value,
    demanded,
    grudge,
    margin,
    plan,
    prospect,
    remember,
    take_in,
    without_deal,
    worth,
)
from rostra.games.quovadis.choices import OTHERS, who_consents
from rostra.games.quovadis.deals import MOVES
from rostra.games.quovadis.features import FLOATS, N_INPUTS, WORK, features
from rostra.games.quovadis.rules import apply, legal, points_now
from rostra.games.quovadis.state import AT_GIVES, AT_TERMS, AT_THEN, DRAFT_SIZE, STATE
from rostra.games.quovadis.tables import (
    ACT,
    ANSWER,
    ASK,
    ASKING,
    CAESAR_TO,
    DEAL,
    DROP,
    FINISHED,
    GIVE,
    HEAR,
    LISTEN,
    MAX_SEATS,
    N_PROMISES,
    OPEN,
    PASS,
    PAY,
    PLACE_CAESAR,
    PROMISE,
    REFILL,
    WORD,
    encode_move,
    index_of,
    kind_of,
)
from rostra.games.quovadis.tables import DRAFT as DRAFTING

SURPLUS = 0.03
"""What two seats must gain together by an action that one sells the other."""
STRANGE = 1.0
"""By how much a step that no plan asks for is thought worse than no deal: a small error must not lead there."""
IMPATIENCE = 0.003
"""What moving Caesar costs for every round in which nobody has moved: there is always a reason to move."""
MOST_PLANNED = 4
"""For so many actions that need others terms are looked for in a turn."""
PLANNED = 1000.0
"""Marks values of actions that have been planned."""


@compiled(int, STATE, int)
def needs_others(s: State, move: int) -> int:
    """Whether a move is an action that other seats must consent to."""
    return 1 if kind_of(move) == ASKING and who_consents(s, index_of(move)) == OTHERS else 0


@compiled(float, [STATE], int, int, FLOATS, FLOATS, WORK)
def bare_value(states: Any, seat: int, action: int, net: Any, room: Any, work: Any) -> float:
    """What an action is worth to a seat if everybody agrees for nothing; what follows from it is DONE on the desk."""
    states[DRAFTED] = states[HERE]
    for j in range(DRAFT_SIZE):
        states[DRAFTED].draft[j] = 0
    states[DRAFTED].draft[0] = action + 1
    conclude(states)
    return worth(states[DONE], seat, net, room, work)


@compiled(int, [STATE], int, STYLE, FLOATS, MOVES, FLOATS, WORK)
def best_to_share(states: Any, n: int, base: Any, net: Any, buffer: Any, room: Any, work: Any) -> int:
    """Of the actions listed the one that who drafts and another seat would gain most by together; -1 for none.

    The active seat looks for one that needs nobody and suits somebody else, another seat for what suits the active one.
    """
    s = states[HERE]
    me, active = int(s.seat), int(s.active)
    pick, most = -1, SURPLUS
    for i in range(n):
        if kind_of(buffer[i]) == WORD or (me == active and needs_others(s, buffer[i])):
            continue
        own = bare_value(states, me, buffer[i], net, room, work) - base[me]
        if own < -DEAREST or (me == active and own >= 0):  # the best step is taken anyway
            continue
        for other in range(s.n):
            if other != me and (me == active or other == active):
                together = own + worth(states[DONE], other, net, room, work) - base[other]
                if together > most:
                    pick, most = i, together
    return pick


@compiled(None, [STATE], int, FLOATS, STYLE, MOVES, STYLE, FLOATS, WORK)
def weigh_turn(states: Any, n: int, net: Any, style: Any, buffer: Any, values: Any, room: Any, work: Any) -> None:
    """The active seat's choices: steps alone by what follows, those that need others by their best deal."""
    s = states[HERE]
    me = int(s.active)
    base, terms = np.zeros(MAX_SEATS + 1), np.zeros(DRAFT_SIZE, np.int16)
    best, plain = NEVER, NEVER
    for i in range(n):
        if kind_of(buffer[i]) == WORD or needs_others(s, buffer[i]):
            continue
        states[TRIED] = s
        apply(states[TRIED], buffer[i])
        value = worth(states[TRIED], me, net, room, work)
        if value > plain:
            plain = value
            states[ALONE_DONE] = states[TRIED]
        value -= style[HONOUR] * (broken_by(states[TRIED], me) - broken_by(s, me))
        if kind_of(buffer[i]) == CAESAR_TO:
            value -= IMPATIENCE * s.quiet / s.n * (1 - style[IDLES])
        elif style[IDLES] > 0 and not (states[TRIED].phase == FINISHED and value > 1):
            value -= STRANGE
        values[i] = value
        best = max(best, value)
    remember(states, net, room, work, base)
    least = plain - (DEAREST if style[BARGAINS] > 0 else 0)
    for i in range(n):
        if needs_others(s, buffer[i]):
            asks = style[ASKS] > 0 and style[IDLES] == 0
            values[i] = bare_value(states, me, buffer[i], net, room, work) if asks else plain - STRANGE
    # The most promising actions are planned; the others are thought no better than to ask in vain.
    for _ in range(MOST_PLANNED):
        pick = -1
        for i in range(n):
            above = values[pick] if pick >= 0 else least
            if needs_others(s, buffer[i]) and above < values[i] < PLANNED / 2:
                pick = i
        if pick < 0:
            break
        values[pick] = PLANNED + plan(states, me, buffer[pick], base, net, style, room, work, terms)
    for i in range(n):
        if needs_others(s, buffer[i]):
            values[i] = plain - TALK + (values[i] - PLANNED if values[i] > PLANNED / 2 else min(values[i] - plain, 0.0))
        elif kind_of(buffer[i]) == WORD:
            # To let others offer costs nothing, but is of use only when they have refused.
            hears = index_of(buffer[i]) == HEAR and style[BARGAINS] > 0 and s.n_refused > 0
            values[i] = best + (TALK / 8 if hears else -2 * TALK)
            if index_of(buffer[i]) == DEAL and style[BARGAINS] > 0 and style[IDLES] == 0:
                pick = best_to_share(states, n, base, net, buffer, room, work)
                if pick >= 0:
                    sold = plan(states, me, buffer[pick], base, net, style, room, work, terms)
                    values[i] = plain - TALK + sold if sold > 0 else values[i]


@compiled(None, [STATE], int, FLOATS, STYLE, MOVES, STYLE, FLOATS, WORK)
def weigh_offers(states: Any, n: int, net: Any, style: Any, buffer: Any, values: Any, room: Any, work: Any) -> None:
    """What may be drafted, or `drop` and `pass`: by the active seat after `deal`, by others for its action."""
    me = int(states[HERE].seat)
    base, terms = np.zeros(MAX_SEATS + 1), np.zeros(DRAFT_SIZE, np.int16)
    without_deal(states, net, room, work, base)
    for i in range(n):
        quiet = buffer[i] == encode_move(WORD, PASS) or buffer[i] == encode_move(WORD, DROP)
        values[i] = base[me] - (0 if quiet else STRANGE)
    if style[BARGAINS] > 0:
        pick = best_to_share(states, n, base, net, buffer, room, work)
        if pick >= 0:
            values[pick] = base[me] - TALK + plan(states, me, buffer[pick], base, net, style, room, work, terms)


@compiled(int, DRAFT, DRAFT, int, int)
def missing(draft: Any, terms: Any, first: int, size: int) -> int:
    """The first term of the plan that the draft lacks, as its index in the kind; -1 for none, -2 if it has others."""
    lacks = -1
    i = 0
    for j in range(size):
        if i < size and terms[first + j] and terms[first + j] == draft[first + i]:
            i += 1
        elif terms[first + j] and lacks < 0:
            lacks = int(terms[first + j]) - 1
    return -2 if i < size and draft[first + i] else lacks


@compiled(None, [STATE], int, FLOATS, STYLE, MOVES, STYLE, FLOATS, WORK)
def weigh_draft(states: Any, n: int, net: Any, style: Any, buffer: Any, values: Any, room: Any, work: Any) -> None:
    """The next step of the plan for the drafted action: a term that is missing, then `ask`; `drop` where it is bad."""
    me = int(states[HERE].seat)
    base, terms = np.zeros(MAX_SEATS + 1), np.zeros(DRAFT_SIZE, np.int16)
    without_deal(states, net, room, work, base)
    hope = plan(states, me, int(states[HERE].draft[0]) - 1, base, net, style, room, work, terms)
    draft = np.zeros(DRAFT_SIZE, np.int16)
    for j in range(DRAFT_SIZE):
        draft[j] = states[HERE].draft[j]
    give = missing(draft, terms, AT_GIVES, AT_THEN - AT_GIVES)
    promise = missing(draft, terms, AT_TERMS, DRAFT_SIZE - AT_TERMS)
    step = encode_move(WORD, ASK)
    if give == -2 or promise == -2 or draft[AT_THEN]:  # it is not of this plan
        states[DRAFTED] = states[HERE]
        hope = prospect(states, me, base, net, style, room, work)
    elif give >= 0:
        step = encode_move(GIVE, give)
    elif promise >= 0:
        step = encode_move(PROMISE, promise)
    for i in range(n):
        if buffer[i] == step:
            values[i] = base[me] + hope - TALK
        else:
            values[i] = base[me] - (2 * TALK if buffer[i] == encode_move(WORD, DROP) else STRANGE)


@compiled(None, [STATE], FLOATS, STYLE, MOVES, STYLE, FLOATS, WORK)
def weigh_answer(states: Any, net: Any, style: Any, buffer: Any, values: Any, room: Any, work: Any) -> None:
    """Whether a deal is better by a margin than none, one's word counted in."""
    s = states[HERE]
    me = int(s.seat)
    base = np.zeros(MAX_SEATS + 1)
    without_deal(states, net, room, work, base)
    values[1] = base[me] - style[HONOUR] * bound(s, me)
    states[DRAFTED] = states[HERE]
    conclude(states)
    values[0] = deal_value(states, me, 1, net, style, room, work) - style[MARGIN] - grudge(s, me, s.active)
    for i in range(AT_TERMS, DRAFT_SIZE):
        term = int(s.draft[i]) - 1
        if term >= 0 and term // (MAX_SEATS * N_PROMISES) == me and term % N_PROMISES >= PAY:
            values[0] -= style[HONOUR]  # to pay later is what these players never intend
    if style[YIELDS] == 0 and demanded(s, me):
        values[0] -= STRANGE


@compiled(int, [STATE], FLOATS, STYLE, MOVES, STYLE, WORK)
def weigh(states: Any, net: Any, style: Any, buffer: Any, values: Any, work: Any) -> int:
    """The legal moves, and what each is worth to who decides."""
    room = np.empty(N_INPUTS + HIDDEN, np.float32)
    n = legal(states[HERE], buffer)
    take_in(states[HERE], style, work)
    phase = states[HERE].phase
    if phase == ACT:
        weigh_turn(states, n, net, style, buffer, values, room, work)
    elif phase == DRAFTING:
        weigh_draft(states, n, net, style, buffer, values, room, work)
    elif phase == ANSWER:
        weigh_answer(states, net, style, buffer, values, room, work)
    elif phase == LISTEN or phase == OPEN:
        weigh_offers(states, n, net, style, buffer, values, room, work)
    else:
        for i in range(n):
            states[TRIED] = states[HERE]
            apply(states[TRIED], buffer[i])
            values[i] = worth(states[TRIED], int(states[HERE].seat), net, room, work)
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
    """The game of an election, once in a turn: when its action is done."""
    if s.phase == ACT:
        return -1 if s.drafts or s.heard else int(s.game)
    return int(s.game) if s.phase == REFILL or s.phase == PLACE_CAESAR else -1


STYLES = {
    # asks, pays, bargains, promises, margin, wanted, faith, honour, intends, idles, yields, forgets
    # with half this margin a gouger wins its fair share among three
    "": (1, 5, 1, 1, 0.02, 0.01, 0.4, 0.1, 1, 0, 1, 0),
    "honest": (1, 5, 1, 1, 0.02, 0.01, 0.4, 1, 1, 0, 1, 0),
    "opportunist": (1, 5, 1, 1, 0.02, 0.01, 0.4, 0.02, 1, 0, 1, 0),
    "forgetful": (1, 5, 1, 1, 0.02, 0.01, 0.4, 0.1, 1, 0, 1, 1),
    # the ladder: what each leaves out of the one above, at half the margin of the best
    "trader": (1, 5, 1, 0, 0.01, 0.01, 0.4, 1, 1, 0, 1, 0),
    "payer": (1, 5, 0, 0, 0.01, 0.01, 0.4, 1, 1, 0, 1, 0),
    "asker": (1, 0, 0, 0, 0.01, 0.01, 0.4, 1, 1, 0, 1, 0),
    "silent": (0, 0, 0, 0, 9, 0.01, 0.4, 1, 1, 0, 1, 0),
    # who would take advantage of the best: never agrees, wants much more, never keeps its word, never pays, never moves
    "refuser": (1, 5, 1, 1, 9, 0.01, 0.4, 0.1, 1, 0, 1, 0),
    "gouger": (1, 5, 1, 1, 0.08, 0.01, 0.4, 0.1, 1, 0, 1, 0),
    "breaker": (1, 5, 1, 1, 0.01, 0.01, 0.4, -1, 0, 0, 1, 0),
    "rider": (1, 0, 1, 0, 0.01, 0.01, 0.4, 0.1, 1, 0, 0, 0),
    "staller": (1, 5, 1, 1, 0.01, 0.01, 0.4, 0.1, 1, 1, 1, 0),
}

MIND = Mind(
    n_inputs=N_INPUTS,
    heads=("win", "margin", "laurels", "senators"),
    ambition=RANK,
    n_work=N_WORK,
    styles=STYLES,
    practice=("", "", "honest", "trader", "payer", "asker"),
    # A game takes as long as many of Alea, and greedy players take longer still.
    schedule=Schedule(rate=(1e-3, 1e-4), trace=(0.97, 0.85), explore=(0.03, 0.0), greedy=0.04, together=1),
    features=features,
    margin=margin,
    progress=progress,
    chapter=chapter,
    weigh=weigh,
)
