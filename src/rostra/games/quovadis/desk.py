"""Deals at a live table of Quo Vadis?: from the terms that all parties accepted to the moves that enter the log.

The table keeps the list of open offers, which anybody can make (Q-NEG-4). Whoever made an offer, it enters the log as
the active seat's draft with the turn's action, or as a bargain without one (Q-NEG-5). So all functions start where the
active seat is to act, or to place Caesar (Q-NEG-6). A draft has room for few terms; what people agree on beyond that
enters the log as bargains before it (Q-NEG-7).
"""

from collections.abc import Iterable, Sequence

import numpy as np

from rostra.engine.game import BadNotation, CannotPay, IllegalMove, copy, shortened
from rostra.engine.jit import State
from rostra.games.quovadis.choices import ALONE, OTHERS, legal_actions, legal_placings, who_consents
from rostra.games.quovadis.deals import ends_game, laurel_won, parties, was_refused
from rostra.games.quovadis.minds import talks
from rostra.games.quovadis.notation import by_text, words_of
from rostra.games.quovadis.rules import apply, legal
from rostra.games.quovadis.tables import (
    ACT,
    ANSWER,
    ASK,
    ASKING,
    BARGAIN,
    CAESAR_TO,
    DEAL,
    DRAFTS,
    ENTER,
    GIVE,
    HEAR,
    LEAVE,
    LISTEN,
    MAX_BARGAINS,
    MAX_GIVES,
    MAX_LEGAL,
    MAX_OPEN_PROMISES,
    MAX_SEATS,
    MAX_TERMS,
    MOVE,
    NO,
    ONE,
    OPPOSE,
    PASS,
    PLACE_CAESAR,
    PROMISE,
    SPARE,
    THEN,
    TWO_CAESAR,
    VOW,
    WORD,
    YES,
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
from rostra.games.quovadis.view import draft_words, terms_of

ACTIONS = (ENTER, MOVE, ASKING, CAESAR_TO, LEAVE)
ORDER = (ONE, GIVE, THEN, PROMISE, VOW)
"""The kinds of terms, in the order in which they are drafted: `one` first, because it changes what can be given."""
ROOM = {ONE: 1, GIVE: MAX_GIVES, THEN: 1, PROMISE: MAX_TERMS, VOW: 1}
"""How many terms of each kind a draft has room for."""
MAX_EXTRA = 8
"""Most bargains that one deal of people is split into, so that a turn has room for others."""


def _word(s: State, word: int) -> int:
    """Say a word; returns it as a move."""
    move = int(encode_move(WORD, word))
    apply(s, move)
    return move


def _at_the_action(s: State) -> None:
    """Refuse where the active seat is neither to act nor to place Caesar."""
    if not is_open(s):
        raise IllegalMove("offers can be made while the active seat is to act or to place Caesar (Q-NEG-4, Q-NEG-6)")


def _read(terms: Sequence[str]) -> tuple[int, list[int]]:
    """The action, or the opening of a bargain, and the other terms, as moves: their order makes no difference."""
    moves = []
    for text in terms:
        move = by_text().get(text) if isinstance(text, str) else None
        if move is None or kind_of(move) not in (*ACTIONS, BARGAIN, *ORDER):
            looks = "+B, A>E, I>M(2), @J>S or bargain, then give 0 1 3, then @M>S, promise 1 0 support or refuse 2"
            raise BadNotation(f"{text!r:.60} is no term of a deal: terms look like {looks}")
        moves.append(move)
    openings = (*ACTIONS, BARGAIN)
    if not moves or kind_of(moves[0]) not in openings or any(kind_of(move) in openings for move in moves[1:]):
        raise BadNotation("a deal begins with the action of the active seat, such as I>M(2) or +B, or with bargain")
    for kind in (THEN, ONE):
        if sum(kind_of(move) == kind for move in moves[1:]) > 1:
            raise IllegalMove(f"a deal has at most one `{words_of(encode_move(kind, 0)).split()[0]}`")
    for kind in (PROMISE, VOW):
        same = [move for move in moves[1:] if kind_of(move) == kind and moves.count(move) > 1]
        if same:
            raise IllegalMove(f"{words_of(same[0])!r} is in the deal twice; once is enough")
    return moves[0], sorted(moves[1:], key=lambda move: (ORDER.index(kind_of(move)), move))


def is_bargain(terms: Sequence[str]) -> bool:
    """Whether a deal has no action (Q-NEG-5)."""
    return terms[0] == "bargain"


def is_bounded(terms: Sequence[str]) -> bool:
    """Whether one draft has room for these terms, as bots and self-play need it (Q-NEG-7)."""
    action, others = _read(terms)
    room = ROOM if kind_of(action) == BARGAIN else {**ROOM, VOW: 0}
    return all(sum(kind_of(move) == kind for move in others) <= most for kind, most in room.items())


def _split(s: State, action: int, terms: list[int]) -> list[list[int]]:
    """The terms of a deal as drafts with room for them: bargains first, the action's own draft last.

    Laurels that the action wins can only be given with it; all others must be held before (Q-NEG-3).
    """
    of_kind = {kind: [move for move in terms if kind_of(move) == kind] for kind in ORDER}
    held = s.hands.copy()
    won: list[int] = []
    owned: list[int] = []
    for move in of_kind[GIVE]:
        index = index_of(move)
        at = giver_of(index), value_given(index)
        held[at] -= 1
        (owned if held[at] >= 0 else won).append(move)
    bargain = kind_of(action) == BARGAIN
    if won and (bargain or len(won) > MAX_GIVES):
        raise CannotPay(_cannot_pay(won[0]))
    gives, promises, vows = [*owned, *won], of_kind[PROMISE], of_kind[VOW]
    last = [*of_kind[ONE], *gives[-MAX_GIVES:], *of_kind[THEN], *promises[-MAX_TERMS:]]
    gives, promises = gives[:-MAX_GIVES], promises[:-MAX_TERMS]
    if bargain and vows:
        last.append(vows.pop())
    drafts = []
    while gives or promises or vows:
        drafts.append([*gives[:MAX_GIVES], *promises[:MAX_TERMS], *vows[:1]])
        gives, promises, vows = gives[MAX_GIVES:], promises[MAX_TERMS:], vows[1:]
    if len(drafts) > MAX_EXTRA:
        raise IllegalMove(f"this deal has too many terms: {MAX_GIVES * MAX_EXTRA} gifts and as many others are plenty")
    return [*drafts, last]


def _cannot_pay(term: int) -> str:
    return f"{words_of(term)!r} cannot be paid now (Q-NEG-3)"  # and no word more: hands are secret (Q-HID-1)


def _why_not(s: State, term: int) -> str:
    """Why a well-formed term may not be added to the draft; `CannotPay` where the rules would allow it."""
    kind, index = kind_of(term), index_of(term)
    text = words_of(term)
    if kind == THEN:
        action = int(s.draft[0]) - 1
        if laurel_won(s, action) != TWO_CAESAR or ends_game(s, action):
            return f"{text!r} needs an action that wins a 2 with Caesar and does not end the game (Q-MOV-5)"
        return f"{text!r} is not possible: Caesar stands there, or the place is spared in this turn"
    if kind == ONE:
        return f"{text!r} is for the last laurel of value 1, where two other players consent, and not for the first"
    if kind == VOW:
        if index >= SPARE:
            return f"{text!r} is not possible: Caesar stands there, the place is spared already, or it is the last one"
        return f"{text!r} needs another seat than {s.active} that has not sold its consent, before the action (Q-NEG-5)"
    seats = [giver_of(index), given_to(index)] if kind == GIVE else [maker_of(index), promised_to(index)]
    if kind == PROMISE and OPPOSE <= kind_of_promise(index) < OPPOSE + MAX_SEATS:
        seats.append(kind_of_promise(index) - OPPOSE)
    if max(seats) >= s.n:
        return f"{text!r} names seat {max(seats)}; the seats are 0 to {s.n - 1}"
    if len(set(seats)) < len(seats):
        return f"{text!r} names seat {max(seats, key=seats.count)} twice; it takes different seats"
    if kind == PROMISE:
        return f"{text!r} finds no room: {MAX_OPEN_PROMISES} promises are open"
    raise CannotPay(_cannot_pay(term))


def _add(s: State, terms: Iterable[int]) -> list[int]:
    """Add terms to the draft; returns them."""
    out = np.empty(MAX_LEGAL, np.int32)
    added = []
    for term in terms:
        if term not in out[: legal(s, out)]:
            raise IllegalMove(_why_not(s, term))
        apply(s, term)
        added.append(term)
    return added


def _actions(s: State) -> list[int]:
    """The active seat's actions: of its turn, or with Caesar where he is to be placed."""
    out = np.empty(MAX_LEGAL, np.int32)
    number = legal_placings(s, out, 0) if s.caesar_won else legal_actions(s, ALONE | OTHERS, out, 0)
    return [int(move) for move in out[:number]]


def _open(s: State, action: int) -> list[int]:
    """Open a draft of this action for the seat that is to draft in this state; returns the moves."""
    actions = _actions(s)
    if action not in actions:
        can = shortened([words_of(move) for move in actions])
        raise IllegalMove(f"{words_of(action)!r} cannot be the action of seat {s.active} now; it can do {can}")
    if s.seat == s.active and s.drafts >= DRAFTS:
        raise IllegalMove(f"seat {s.active} has drafted {DRAFTS} deals in this turn, and there can be no more")
    moves = []
    if kind_of(action) != ASKING or who_consents(s, index_of(action)) == ALONE:
        moves.append(_word(s, DEAL))
    apply(s, action)
    return [*moves, action]


def _floor(s: State, by: int) -> list[int]:
    """Let others offer, until it is this seat's turn to; returns the moves."""
    moves = [_word(s, HEAR)]
    while s.seat != by:
        moves.append(_word(s, PASS))
    return moves


def _open_bargain(s: State, terms: Iterable[int]) -> list[int]:
    """Draft a bargain for one of its parties; returns the moves."""
    if s.bargains >= MAX_BARGAINS:
        raise IllegalMove(f"{MAX_BARGAINS} bargains were made in this turn, and there can be no more")
    scratch = copy(s)
    _speak(scratch, int((s.active + 1) % s.n))
    _add(scratch, terms)
    mask = parties(scratch)
    by = next((seat for step in range(1, s.n) if mask >> (seat := int((s.active + step) % s.n)) & 1), None)
    if by is None or mask == 1 << by:
        raise IllegalMove("a bargain needs two players")
    moves = [*_floor(s, by), encode_move(BARGAIN, 0)]
    apply(s, moves[-1])
    return [*moves, *_add(s, terms)]


def _speak(s: State, by: int) -> None:
    """Bring a scratch state to where this seat, even the active one, has opened a bargain."""
    s.seat, s.phase = by, LISTEN
    apply(s, encode_move(BARGAIN, 0))


def _agree(s: State) -> list[int]:
    """Ask, and let all parties accept; returns the moves."""
    if was_refused(s):
        raise IllegalMove("this deal was refused in this turn; it cannot be asked again unless a term is changed")
    moves = [_word(s, ASK)]
    while s.phase == ANSWER:
        moves.append(_word(s, YES))
    return moves


def _draft(s: State, terms: Sequence[str]) -> tuple[list[int], int]:
    """Draft these terms to where the last draft can be asked; returns the moves and a mask of all parties."""
    action, others = _read(terms)
    *extra, last = _split(s, action, others)
    moves: list[int] = []
    mask = 0
    for bargain in extra:
        moves += _open_bargain(s, bargain)
        mask |= parties(s)
        moves += _agree(s)
    if kind_of(action) == BARGAIN:
        moves += _open_bargain(s, last)
    else:
        moves += _open(s, action)
        moves += _add(s, last)
    return moves, mask | parties(s)


def deal(s: State, terms: Sequence[str]) -> tuple[list[int], list[int]]:
    """The moves that carry a deal out, and its parties, ascending (Q-NEG-3, Q-NEG-5)."""
    _at_the_action(s)
    scratch = copy(s)
    moves, mask = _draft(scratch, terms)
    if mask == 1 << int(s.active):
        raise IllegalMove(f"no other seat is part of this deal; seat {s.active} can do {terms[0]} alone")
    moves += _agree(scratch)
    return moves, [seat for seat in range(s.n) if mask >> seat & 1]


def refusal(s: State, terms: Sequence[str], seat: int) -> list[int]:
    """The moves that log this seat's `no` to the active seat's offer, where it breaks a promise for all to see."""
    _at_the_action(s)
    if s.drafts + 1 >= DRAFTS:  # the last draft of a turn is kept for the deal that the table may yet agree on
        return []
    if is_bargain(terms) or not is_bounded(terms):  # no promise speaks of these
        return []
    scratch = copy(s)
    try:
        moves = _draft(scratch, terms)[0]
        if was_refused(scratch):
            return []
    except IllegalMove:  # it could not be asked, so nobody can refuse it
        return []
    moves.append(_word(scratch, ASK))
    if scratch.seat != seat:  # others have to answer first, and talk is not logged
        return []
    moves.append(_word(scratch, NO))
    return moves if scratch.n_promises < s.n_promises else []


def invite(s: State, by: int) -> None:
    """Bring a scratch state to where this seat may draft, whatever was drafted, heard and refused in this turn."""
    _at_the_action(s)
    if by not in range(s.n):
        raise IllegalMove(f"there is no seat {by}; the seats are 0 to {s.n - 1}")
    s.drafts = 0
    s.heard = 0
    s.refused[:] = 0
    s.n_refused = 0
    if by == s.active:
        s.heard = 1  # at a live table nobody needs to be given the floor
        return
    _floor(s, by)


def ask(s: State, by: int, terms: Sequence[str]) -> None:
    """Bring a scratch state to where the first other party answers this seat's offer, which is bounded."""
    invite(s, by)
    action, others = _read(terms)
    if kind_of(action) == BARGAIN:
        _speak(s, by)
    else:
        _open(s, action)
    _add(s, others)
    if not parties(s) & ~(1 << by):
        raise IllegalMove(f"no other seat than {by} is part of this deal")
    _word(s, ASK)


def _with_full_hands(s: State) -> State:
    """A scratch copy in which everybody can pay anything: what a desk offers must not tell who holds what (Q-HID-1)."""
    scratch = copy(s)
    scratch.hands[: s.n] = MAX_GIVES * (MAX_EXTRA + 1)
    return scratch


def parties_of(s: State, terms: Sequence[str]) -> list[int]:
    """Who would have to agree, ascending. Whether everything can be paid is found out when it is offered (`deal`)."""
    return deal(_with_full_hands(s), terms)[1]


def more(s: State, terms: Sequence[str]) -> list[str]:
    """What may be added to these terms; the actions and `bargain` where there are none yet."""
    _at_the_action(s)
    if not terms:
        return [*map(words_of, _actions(s)), "bargain"]
    scratch = _with_full_hands(s)
    action, others = _read(terms)
    if len(others) > 1 or (others and kind_of(action) != BARGAIN):
        _draft(copy(scratch), terms)  # raises what is wrong with them
    _speak(scratch, int((s.active + 1) % s.n)) if kind_of(action) == BARGAIN else _open(scratch, action)
    out = np.empty(MAX_LEGAL, np.int32)
    possible = [move for move in out[: legal(scratch, out)].tolist() if kind_of(move) in ORDER]
    single = [kind for kind in (ONE, THEN) if any(kind_of(move) == kind for move in others)]
    taken = {move for move in others if kind_of(move) != GIVE}
    return [words_of(move) for move in possible if move not in taken and kind_of(move) not in single]


def draft(s: State) -> list[str]:
    """The terms of the open draft, the action first; empty before an action was drafted."""
    if not s.draft[0]:
        return []
    return terms_of(draft_words(s.draft))


def is_open(s: State) -> bool:
    """Whether deals can be offered now."""
    return bool(s.phase == ACT or s.phase == PLACE_CAESAR)


def matters(s: State) -> bool:
    """Whether there is something to bargain about: a move that needs others, or laurels to pay with."""
    out = np.empty(MAX_LEGAL, np.int32)
    return bool(s.hands.any()) or legal_actions(s, OTHERS, out, 0) > 0


def turn_number(s: State) -> int:
    """A number that is another one in every turn, through all games of an election."""
    return int(s.turn_number)


def acts(s: State, move: int) -> bool:
    """Whether a move is an action, and no word or term of a draft."""
    return kind_of(move) in ACTIONS or not talks(s, move)
