"""Drafts and promises of Quo Vadis?: what an action would earn, who must agree, what may be added to a draft.

Carrying a deal out is in `rules`.
"""

from typing import Any

import numpy as np

from rostra.engine.jit import State, compiled
from rostra.games.quovadis.state import (
    AT_GIVES,
    AT_TERMS,
    AT_THEN,
    DRAFT_SIZE,
    ONE_STEP,
    STATE,
)
from rostra.games.quovadis.tables import (
    ASKING,
    BARGAIN,
    CONSENT,
    CONSENT_ACTIONS,
    FROM,
    GIVE,
    MAX_GIVES,
    MAX_OPEN_PROMISES,
    MAX_TERMS,
    MOVE,
    N_PLACES,
    N_VALUES,
    ONE,
    PLACE_OF,
    PROMISE,
    PROMISE_MOVES,
    REFUSE,
    SENATE,
    SPARE,
    SUPPORT,
    THEN,
    TO,
    TWO_CAESAR,
    VOW,
    encode_give,
    encode_move,
    given_to,
    giver_of,
    index_of,
    kind_of,
    kind_of_promise,
    maker_of,
    promised_to,
    value_given,
)

MOVES = [np.int32]


@compiled(int, int)
def path_of(action: int) -> int:
    """The path that an action moves a senator along, or -1."""
    kind = kind_of(action)
    if kind == MOVE:
        return index_of(action)
    return int(CONSENT_ACTIONS[index_of(action), 0]) if kind == ASKING else -1


@compiled(int, int, int)
def consents_by(action: int, seat: int) -> int:
    """How many consents an action uses of this seat."""
    if kind_of(action) != ASKING:
        return 0
    index = index_of(action)
    return (1 if CONSENT_ACTIONS[index, 1] == seat else 0) + (1 if CONSENT_ACTIONS[index, 2] == seat else 0)


@compiled(int, STATE, int)
def laurel_won(s: State, action: int) -> int:
    """The kind of laurel that an action wins, or -1 (Q-MOV-3, Q-CAE-2)."""
    path = path_of(action)
    if path < 0:
        return -1
    place = int(PLACE_OF[path])
    if place < 0 or place == s.caesar:
        return -1
    return int(s.laurels[place]) - 1


@compiled(int, STATE, int, int)
def ones_won(s: State, action: int, seat: int) -> int:
    """How many ones this seat's consents earn; too few go clockwise from the mover, or as the draft says (Q-MOV-4)."""
    left = int(s.ones)
    asking = kind_of(action) == ASKING and s.draft[0] == action + 1
    chosen = int(s.draft[AT_THEN]) // ONE_STEP - 1 if asking else -1
    if chosen >= 0 and left == 1:
        return 1 if seat == chosen else 0
    for step in range(1, s.n):
        other = (s.active + step) % s.n
        earned = min(consents_by(action, other), left)
        if other == seat:
            return earned
        left -= earned
    return 0


@compiled(int, STATE, int)
def ends_game(s: State, action: int) -> int:
    """Whether an action brings the fifth senator into the Senate (Q-END-1)."""
    path = path_of(action)
    return 1 if path >= 0 and TO[path] == SENATE and s.arrived == 4 else 0


@compiled(int, int)
def value_of(kind: int) -> int:
    """The value, from 0, of a laurel in a hand: a 2 with Caesar is a 2."""
    return 1 if kind == TWO_CAESAR else kind


@compiled(int, STATE, int, int)
def payable(s: State, seat: int, value: int) -> int:
    """How many laurels of a value (from 0) a seat could still give in the draft (Q-NEG-3).

    They must be held before the deal or won by its own action: a laurel received in a deal cannot be passed on in it.
    """
    action = int(s.draft[0]) - 1
    number = int(s.hands[seat, value])
    won = laurel_won(s, action)
    if seat == s.active and won >= 0 and value_of(won) == value:
        number += 1
    if value == 0:
        number += ones_won(s, action, seat)
    for i in range(MAX_GIVES):
        give = int(s.draft[AT_GIVES + i]) - 1
        if give >= 0 and giver_of(give) == seat and value_given(give) == value:
            number -= 1
    return number


@compiled(int, STATE)
def is_bargain(s: State) -> int:
    """Whether the draft has no action (Q-NEG-5)."""
    return 1 if s.draft[0] == encode_move(BARGAIN, 0) + 1 else 0


@compiled(int, STATE, int)
def vower(s: State, vow: int) -> int:
    """The seat that a vow binds."""
    return int(s.active) if vow >= SPARE else vow % CONSENT


@compiled(int, STATE)
def parties(s: State) -> int:
    """The seats that the draft binds, as a mask (Q-NEG-3, Q-NEG-5)."""
    mask = 0 if is_bargain(s) else 1 << int(s.active)
    if is_bargain(s) and s.draft[AT_THEN]:
        mask |= 1 << vower(s, int(s.draft[AT_THEN]) - 1)
    action = int(s.draft[0]) - 1
    for seat in range(s.n):
        if consents_by(action, seat):
            mask |= 1 << seat
    for i in range(MAX_GIVES):
        give = int(s.draft[AT_GIVES + i]) - 1
        if give >= 0:
            mask |= 1 << giver_of(give) | 1 << given_to(give)
    for i in range(MAX_TERMS):
        term = int(s.draft[AT_TERMS + i]) - 1
        if term >= 0:
            mask |= 1 << maker_of(term) | 1 << promised_to(term)
    return mask


@compiled(int, STATE)
def was_refused(s: State) -> int:
    """Whether the draft was asked and refused before in this turn."""
    for i in range(s.n_refused):
        same = True
        for j in range(DRAFT_SIZE):
            same &= s.refused[i, j] == s.draft[j]
        if same:
            return 1
    return 0


@compiled(None, STATE, int, int, int)
def add_term(s: State, first: int, size: int, index: int) -> None:
    """Put a give or promise among its kind, in ascending order."""
    place = size - 1
    while place > 0 and (s.draft[first + place - 1] == 0 or s.draft[first + place - 1] > index + 1):
        s.draft[first + place] = s.draft[first + place - 1]
        place -= 1
    s.draft[first + place] = index + 1


@compiled(int, STATE, MOVES)
def legal_terms(s: State, out: Any) -> int:
    """Gives, `then` and promises that may be added to the draft: what can be offered here (Q-NEG-1)."""
    n = 0
    action = int(s.draft[0]) - 1
    if s.draft[AT_GIVES + MAX_GIVES - 1] == 0:
        for giver in range(s.n):
            values = 0
            for value in range(N_VALUES):
                if payable(s, giver, value) > 0:
                    values |= 1 << value
            if values:
                for receiver in range(s.n):
                    if receiver != giver:
                        first = encode_move(GIVE, encode_give(giver, receiver, 0))
                        for value in range(N_VALUES):
                            out[n] = first + value
                            n += values >> value & 1
    if s.draft[AT_THEN] % ONE_STEP == 0 and laurel_won(s, action) == TWO_CAESAR and not ends_game(s, action):
        for place in range(N_PLACES + 1):
            if place != s.caesar and not s.spared >> place & 1:
                out[n] = encode_move(THEN, place)
                n += 1
    drafted = 1 if s.draft[AT_TERMS] else 0
    if s.draft[AT_TERMS + MAX_TERMS - 1] == 0 and s.n_promises + drafted < MAX_OPEN_PROMISES:
        i = 0
        while PROMISE_MOVES[s.n, i] >= 0:
            out[n] = encode_move(PROMISE, PROMISE_MOVES[s.n, i])
            n += 1 if s.draft[AT_TERMS] != PROMISE_MOVES[s.n, i] + 1 else 0
            i += 1
    if is_bargain(s):
        return legal_vows(s, out, n) if s.draft[AT_THEN] == 0 else n
    other = other_one(s)
    if other >= 0:
        out[n] = encode_move(ONE, other)
        n += 1
    return n


@compiled(int, STATE, MOVES, int)
def legal_vows(s: State, out: Any, n: int) -> int:
    """Append the vows of a bargain (Q-NEG-5). After the action consents mean nothing any more (Q-NEG-6)."""
    if not s.caesar_won:
        for vow in (REFUSE, CONSENT):
            for seat in range(s.n):
                if seat != s.active and not (s.refusing | s.consenting) >> seat & 1:
                    out[n] = encode_move(VOW, vow + seat)
                    n += 1
    free = 0
    for place in range(N_PLACES):
        free += 1 if place != s.caesar and not s.spared >> place & 1 else 0
    for place in range(N_PLACES):
        if free > 1 and place != s.caesar and not s.spared >> place & 1:  # a turn always has an action (Q-ACT-3)
            out[n] = encode_move(VOW, SPARE + place)
            n += 1
    return n


@compiled(int, STATE)
def other_one(s: State) -> int:
    """The seat that `one` can name in the draft: of two players who consent for the last laurel of value 1, the one who
    would get nothing; -1 where there is no choice (Q-MOV-4)."""
    action = int(s.draft[0]) - 1
    if s.ones != 1 or s.draft[AT_THEN] >= ONE_STEP or kind_of(action) != ASKING:
        return -1
    first, other = -1, -1
    for step in range(1, s.n):
        seat = int((s.active + step) % s.n)
        if consents_by(action, seat):
            if first < 0:
                first = seat
            else:
                other = seat
    return other if other >= 0 and payable(s, first, 0) > 0 else -1  # what it gives away must stay payable


# The fate of promises.

KEPT, BROKEN, LAPSED = range(3)


@compiled(None, STATE, int, int)
def settle(s: State, which: int, fate: int) -> None:
    """Close an open promise."""
    promise = int(s.promises[which]) - 1
    maker, receiver = maker_of(promise), promised_to(promise)
    if s.fates[maker, receiver, fate] < 127:
        s.fates[maker, receiver, fate] += 1
    s.n_promises -= 1
    for i in range(which, s.n_promises):
        s.promises[i] = s.promises[i + 1]
        s.promise_turns[i] = s.promise_turns[i + 1]
    s.promises[s.n_promises] = 0
    s.promise_turns[s.n_promises] = 0


@compiled(None, STATE, int, int, int, int)
def settle_all(s: State, maker: int, receiver: int, kind: int, fate: int) -> None:
    """Close all open promises of this maker, receiver (-1: any) and kind."""
    which = 0
    while which < s.n_promises:
        promise = int(s.promises[which]) - 1
        fits = maker_of(promise) == maker and kind_of_promise(promise) == kind
        if fits and (receiver < 0 or promised_to(promise) == receiver):
            settle(s, which, fate)
        else:
            which += 1


@compiled(int, STATE, int)
def owes_consent(s: State, seat: int) -> int:
    """Whether the draft asks this seat for its consent and for no laurel: what a promise of support covers."""
    if not consents_by(int(s.draft[0]) - 1, seat):
        return 0
    for i in range(MAX_GIVES):
        give = int(s.draft[AT_GIVES + i]) - 1
        if give >= 0 and giver_of(give) == seat:
            return 0
    return 1


@compiled(None, STATE, int)
def refuse(s: State, seat: int) -> None:
    """A `no` breaks a promise of support, unless the draft demands a give of the promiser."""
    if owes_consent(s, seat):
        settle_all(s, seat, s.active, SUPPORT, BROKEN)


@compiled(int, STATE, int, int)
def bothers(s: State, place: int, seat: int) -> int:
    """Whether a laurel place is on a path out of a committee where this seat has a senator."""
    for path in range(len(PLACE_OF)):
        if PLACE_OF[path] == place:
            return 1 if s.board[FROM[path], seat] else 0
    return 0
