"""The rules of Quo Vadis?: whose turn it is, what is legal, what a move does.

An action that needs other seats is only drafted at first; `carry_out` performs it, whole or not at all (Q-NEG-3).
"""

from typing import Any

import numpy as np

from rostra.engine.game import CHANCE, OVER
from rostra.engine.jit import State, compiled
from rostra.engine.rng import RNG, below
from rostra.games.quovadis.choices import (
    OTHERS,
    legal_answers,
    legal_caesar,
    legal_demand,
    legal_dismissals,
    legal_draft,
    legal_offer,
    legal_opening,
    legal_turn,
    who_consents,
)
from rostra.games.quovadis.course import (
    begin_turn,
    end_turn,
    forget_refusals,
    hear_demand,
    next_dismissal,
    points_now,
)
from rostra.games.quovadis.deals import (
    BROKEN,
    KEPT,
    MOVES,
    add_term,
    bothers,
    consents_by,
    is_bargain,
    laurel_won,
    ones_won,
    parties,
    path_of,
    refuse,
    settle_all,
    value_of,
)
from rostra.games.quovadis.state import (
    ARRIVAL,
    AT_GIVES,
    AT_TERMS,
    AT_THEN,
    DRAFT_SIZE,
    EARLIER,
    ONE_STEP,
    PLACING,
    STATE,
    arrival,
)
from rostra.games.quovadis.tables import (
    ACT,
    ANSWER,
    ASK,
    ASKING,
    BARGAIN,
    CAESAR,
    CAESAR_TO,
    CONSENT,
    DEAL,
    DEMAND,
    DISMISS,
    DRAFT,
    ENTER,
    FINISHED,
    FROM,
    GIVE,
    HEAR,
    IS_CHANCE,
    LAUREL,
    LAY_OUT,
    LISTEN,
    MAX_BARGAINS,
    MAX_GIVES,
    MAX_SEATS,
    MAX_TERMS,
    N_PLACES,
    N_VALUES,
    NO,
    ONE,
    OPEN,
    OPPOSE,
    PASS,
    PAY,
    PLACE_CAESAR,
    PLACE_OF,
    PROMISE,
    PROMISE_TURNS,
    REFILL,
    REMOVE,
    SENATE,
    SHOW,
    SHOWN_ARRIVALS,
    SPARE,
    START,
    START_SEAT,
    SUPPORT,
    THEN,
    TO,
    TWO_CAESAR,
    VOW,
    WORD,
    YES,
    encode_move,
    given_to,
    giver_of,
    index_of,
    kind_of,
    maker_of,
    value_given,
)


@compiled(int, STATE)
def turn(s: State) -> int:
    """The deciding seat, CHANCE or OVER."""
    if IS_CHANCE[s.phase]:
        return CHANCE
    return OVER if s.phase == FINISHED else int(s.seat)


@compiled(int, STATE, MOVES)
def outcomes(s: State, out: Any) -> int:
    """The outcomes of chance: a start seat, or a laurel from the stack."""
    n = 0
    if s.phase == START:
        for seat in range(s.n):
            if s.first < 0 or s.first == seat:
                out[n] = encode_move(START_SEAT, seat)
                n += 1
        return n
    for kind in range(6):
        if s.stack[kind]:
            out[n] = encode_move(LAUREL, kind)
            n += 1
    return n


@compiled(int, STATE, MOVES)
def legal(s: State, out: Any) -> int:
    """Write the legal moves, or the outcomes of chance, in ascending order; return how many."""
    if s.phase == ACT:
        return legal_turn(s, out)
    if s.phase == DRAFT:
        return legal_draft(s, out)
    if s.phase == ANSWER:
        return legal_answers(s, out)
    if s.phase == OPEN:
        return legal_opening(s, out)
    if s.phase == LISTEN:
        return legal_offer(s, out)
    if s.phase == PLACE_CAESAR:
        return legal_caesar(s, out)
    if s.phase == DISMISS:
        return legal_dismissals(s, out)
    if s.phase == DEMAND:
        return legal_demand(out)
    return 0 if s.phase == FINISHED else outcomes(s, out)


@compiled(int, STATE)
def stack_size(s: State) -> int:
    """How many laurels lie face down."""
    size = 0
    for kind in range(6):
        size += s.stack[kind]
    return size


@compiled(float, STATE, int)
def odds(s: State, move: int) -> float:
    """The probability of an outcome: one division of whole numbers."""
    if s.phase == START:
        return 1.0 if s.first >= 0 else 1 / s.n
    return float(s.stack[index_of(move)] / stack_size(s))


@compiled(int, STATE, RNG)
def draw(s: State, rng: Any) -> int:
    """One outcome of chance by its odds."""
    if s.phase == START:
        return encode_move(START_SEAT, s.first if s.first >= 0 else below(rng, s.n))
    skip = below(rng, stack_size(s))
    kind = 0
    while skip >= s.stack[kind]:
        skip -= s.stack[kind]
        kind += 1
    return encode_move(LAUREL, kind)


@compiled(int, STATE)
def stream(s: State) -> int:
    """A number for the coming chance event; it counts the laurels left, so that games of one seed share the stack."""
    return (int(s.game) * 16 + int(s.phase)) * 64 + stack_size(s)


# What a move does.


@compiled(None, STATE, int)
def put_caesar(s: State, place: int) -> None:
    """Move Caesar; promises not to put him there are broken by it."""
    s.caesar = place
    for seat in range(s.n):
        if bothers(s, place, seat):
            settle_all(s, s.active, seat, CAESAR, BROKEN)


@compiled(None, STATE, int)
def perform(s: State, action: int) -> None:
    """Perform the active seat's action: the step, the laurel, the ones of the consenting seats."""
    kind = kind_of(action)
    if kind == ENTER:
        s.off[s.active] -= 1
        s.board[index_of(action), s.active] += 1
        s.moved = 1
        s.quiet = 0
        return
    if kind == CAESAR_TO:
        put_caesar(s, index_of(action))
        return
    won = laurel_won(s, action)
    path = path_of(action)
    place = int(PLACE_OF[path])
    earned = 0
    for seat in range(s.n):
        if seat != s.active and consents_by(action, seat):
            ones = ones_won(s, action, seat)
            s.hands[seat, 0] += ones
            earned += ones
            settle_all(s, seat, s.active, SUPPORT, KEPT)
            settle_all(s, seat, -1, OPPOSE + int(s.active), BROKEN)
    s.ones -= earned
    s.board[FROM[path], s.active] -= 1
    s.moved = 1
    s.quiet = 0
    if TO[path] == SENATE:
        s.senate[s.arrived] = s.active + 1
        s.arrived += 1
        if s.open_hands and s.arrived <= SHOWN_ARRIVALS:
            s.open_hands |= ARRIVAL
    else:
        s.board[TO[path], s.active] += 1
    if won >= 0:
        s.hands[s.active, value_of(won)] += 1
        s.laurels[place] = 0
        s.pending = place
        s.phase = REFILL
        s.caesar_won = 1 if won == TWO_CAESAR else 0


@compiled(None, STATE)
def after_action(s: State) -> None:
    """The refill, then Caesar, then the next turn (Q-MOV-3, Q-MOV-5); after the fifth arrival nothing (Q-END-1)."""
    if s.arrived < 5:
        if s.phase == REFILL and stack_size(s):
            return
        if s.caesar_won:
            s.seat = s.active
            s.phase = PLACE_CAESAR
            return
    end_turn(s)


@compiled(None, STATE)
def carry_out(s: State) -> None:
    """All parties agree: action, gives, Caesar and promises happen as one (Q-NEG-2, Q-NEG-3)."""
    given = np.zeros((MAX_SEATS, MAX_SEATS), np.int64)
    bargain, placing = is_bargain(s), int(s.caesar_won)
    s.phase = ACT
    s.tallies[1] += 1
    if bargain:
        vow(s, int(s.draft[AT_THEN]) - 1)
    elif not placing:
        perform(s, s.draft[0] - 1)
    elif kind_of(s.draft[0] - 1) == CAESAR_TO:  # Q-NEG-6
        put_caesar(s, index_of(s.draft[0] - 1))
    for i in range(MAX_GIVES):
        give = int(s.draft[AT_GIVES + i]) - 1
        if give >= 0:
            giver, receiver, value = giver_of(give), given_to(give), value_given(give)
            s.hands[giver, value] -= 1
            s.hands[receiver, value] += 1
            s.tallies[2] += 1
            given[giver, receiver] += value + 1
    for giver in range(s.n):
        for receiver in range(s.n):
            for value in range(1, N_VALUES + 1):
                if given[giver, receiver] >= value:
                    settle_all(s, giver, receiver, PAY + value - 1, KEPT)
    then = -1 if bargain else int(s.draft[AT_THEN]) % ONE_STEP - 1
    if then >= 0:
        s.caesar_won = 0
        if then < N_PLACES:
            put_caesar(s, then)
    for i in range(MAX_TERMS):
        if s.draft[AT_TERMS + i]:
            own = maker_of(int(s.draft[AT_TERMS + i]) - 1) == s.active  # whose turn is ending, so that one more counts
            s.promises[s.n_promises] = s.draft[AT_TERMS + i]
            s.promise_turns[s.n_promises] = PROMISE_TURNS + (1 if own else 0)
            s.n_promises += 1
    for j in range(DRAFT_SIZE):
        s.draft[j] = 0
    if bargain:
        s.bargains += 1
        if s.bargains < MAX_BARGAINS:
            s.heard &= ~(PLACING if placing else EARLIER)
        forget_refusals(s)
        s.drafter = s.active
        go_on(s)
    elif placing:
        s.caesar_won = 0
        end_turn(s)
    else:
        after_action(s)


@compiled(None, STATE, int)
def vow(s: State, index: int) -> None:
    """Note what a bargain binds in this turn, if it does (Q-NEG-5)."""
    if index >= SPARE:
        s.spared |= 1 << (index - SPARE)
    elif index >= CONSENT:
        s.consenting |= 1 << (index - CONSENT)
    elif index >= 0:
        s.refusing |= 1 << index


@compiled(None, STATE)
def go_on(s: State) -> None:
    """The seat that may draft next decides: the active one, or after `hear` another."""
    s.seat = s.drafter
    if s.drafter != s.active:
        s.phase = LISTEN
    else:
        s.phase = PLACE_CAESAR if s.caesar_won else ACT


@compiled(None, STATE)
def close_draft(s: State) -> None:
    """A draft was dropped or refused, or a seat passed: the active seat goes on, or the next seat may offer."""
    for j in range(DRAFT_SIZE):
        s.draft[j] = 0
    if s.drafter != s.active:
        s.drafter = (s.drafter + 1) % s.n
    go_on(s)


@compiled(None, STATE)
def ask_next(s: State) -> None:
    """The next party clockwise answers; when all have agreed the deal is carried out."""
    asked = parties(s)
    seat = (s.seat + 1) % s.n
    while seat != s.drafter:
        if asked >> seat & 1:
            s.seat = seat
            s.phase = ANSWER
            return
        seat = (seat + 1) % s.n
    carry_out(s)


@compiled(None, STATE, int)
def say(s: State, word: int) -> None:
    """One of the words of a negotiation."""
    if word == DEAL:
        if s.seat == s.active:
            s.drafts += 1
        s.drafter = s.seat
        s.phase = OPEN
    elif word == ASK:
        s.tallies[0] += 1
        ask_next(s)
    elif word == YES:
        ask_next(s)
    elif word == NO:
        refuse(s, s.seat)
        for j in range(DRAFT_SIZE):
            s.refused[s.n_refused, j] = s.draft[j]
        s.n_refused += 1
        close_draft(s)
    elif word == HEAR:
        if s.caesar_won:
            forget_refusals(s)  # the new laurel is seen (Q-NEG-6)
        s.heard |= PLACING if s.caesar_won else EARLIER
        s.drafter = (s.active + 1) % s.n
        s.seat = s.drafter
        s.phase = LISTEN
    else:  # drop, pass
        close_draft(s)


@compiled(None, STATE, int)
def act(s: State, move: int) -> None:
    """An action: where others are needed it opens a draft (Q-NEG-3); else it is performed."""
    opens = kind_of(move) == ASKING and who_consents(s, index_of(move)) == OTHERS
    if s.phase == ACT and not opens:
        perform(s, move)
        after_action(s)
        return
    if s.phase == ACT:
        s.drafts += 1
    s.drafter = s.seat
    s.draft[0] = move + 1
    s.phase = DRAFT


@compiled(None, STATE, int)
def apply(s: State, move: int) -> None:
    """Make a legal move, or apply a possible outcome."""
    kind = kind_of(move)
    index = index_of(move)
    if s.phase == DEMAND:
        if kind == SHOW or move == encode_move(WORD, PASS):
            hear_demand(s, 1 if kind == SHOW else 0)
            return
        s.phase = ACT  # in a log from before demands were plies nobody demands anything, see `notation.reread`
    if kind == WORD:
        say(s, index)
    elif kind == GIVE:
        add_term(s, AT_GIVES, MAX_GIVES, index)
    elif kind == PROMISE:
        add_term(s, AT_TERMS, MAX_TERMS, index)
    elif kind == THEN:
        s.draft[AT_THEN] += index + 1
    elif kind == ONE:
        s.draft[AT_THEN] += ONE_STEP * (index + 1)
    elif kind == VOW:
        s.draft[AT_THEN] = index + 1
    elif kind == BARGAIN:
        s.drafter = s.seat
        s.draft[0] = move + 1
        s.phase = DRAFT
    elif s.phase == PLACE_CAESAR:
        if kind == CAESAR_TO:
            put_caesar(s, index)
        s.caesar_won = 0
        end_turn(s)
    elif kind == LAUREL:
        s.stack[index] -= 1
        s.laurels[s.pending] = index + 1
        if s.phase == REFILL:
            s.phase = ACT
            s.pending = 0
            after_action(s)
        else:
            s.pending += 1
            if s.pending == N_PLACES:
                s.pending = 0
                begin_turn(s)
    elif kind == START_SEAT:
        s.active = index
        s.pending = 0
        s.phase = LAY_OUT
    elif kind == REMOVE:
        s.board[index, s.seat] -= 1
        s.off[s.seat] += 1
        s.seat = (s.seat + 1) % s.n
        next_dismissal(s)
    else:
        act(s, move)


@compiled(int, STATE, int, int)
def ahead(s: State, one: int, other: int) -> int:
    """Whether a seat ranks above another in the result, where both count (Q-END-2, Q-END-3)."""
    own = int(s.totals[one]) if s.consul else points_now(s, one)
    theirs = int(s.totals[other]) if s.consul else points_now(s, other)
    if own != theirs:
        return 1 if own > theirs else 0
    mine, yours = arrival(s, one), arrival(s, other)
    return 1 if mine > 0 and (yours == 0 or mine < yours) else 0


@compiled(None, STATE, [[np.int32]])
def score(s: State, out: Any) -> None:
    """Laurel points, order of arrival, and winners (Q-END-2, Q-END-3); of an unfinished game: as it stands."""
    counts = 0
    for seat in range(s.n):
        out[0, seat] = int(s.totals[seat]) if s.consul else points_now(s, seat)
        out[1, seat] = arrival(s, seat)
        if arrival(s, seat) or (s.consul and int(s.qualified) >> seat & 1):
            counts |= 1 << seat
    for seat in range(s.n):
        out[2, seat] = counts >> seat & 1
        for other in range(s.n):
            if counts >> other & 1 and ahead(s, other, seat):
                out[2, seat] = 0
