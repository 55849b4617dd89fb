"""Deals at a live table of Quo Vadis?: from the terms that all parties accepted to the moves that enter the log.

The table keeps the list of open offers, which anybody can make (Q-NEG-4). Whoever made an offer, it enters the log as
the active seat's draft with the turn's action (Q-NEG-5), so all functions start where the active seat is to act.
"""

from collections.abc import Sequence

import numpy as np

from rostra.engine.game import BadNotation, CannotPay, IllegalMove, copy, shortened
from rostra.engine.jit import State
from rostra.games.quovadis.choices import ALONE, OTHERS, legal_actions, who_consents
from rostra.games.quovadis.deals import ends_game, laurel_won, parties, was_refused
from rostra.games.quovadis.minds import talks
from rostra.games.quovadis.notation import by_text, words_of
from rostra.games.quovadis.rules import apply, legal
from rostra.games.quovadis.tables import (
    ACT,
    ANSWER,
    ASK,
    ASKING,
    CAESAR_TO,
    DEAL,
    DRAFTS,
    ENTER,
    GIVE,
    HEAR,
    MAX_GIVES,
    MAX_LEGAL,
    MAX_SEATS,
    MAX_TERMS,
    MOVE,
    NO,
    OPPOSE,
    PASS,
    PROMISE,
    THEN,
    TWO_CAESAR,
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
)
from rostra.games.quovadis.view import draft_words

ACTIONS = (ENTER, MOVE, ASKING, CAESAR_TO)
MOST = {GIVE: MAX_GIVES, THEN: 1, PROMISE: MAX_TERMS}
"""The kinds of terms, and how many of each a deal may have."""
CALLED = {GIVE: "gives", THEN: "`then`", PROMISE: "promises"}


def _word(s: State, word: int) -> int:
    """Say a word; returns it as a move."""
    move = int(encode_move(WORD, word))
    apply(s, move)
    return move


def _at_the_action(s: State) -> None:
    """Refuse where the active seat is not to act: there is nothing to negotiate about."""
    if s.phase != ACT:
        raise IllegalMove("a deal can only be made while the active seat is to act, before its action (Q-NEG-5)")


def _read(terms: Sequence[str]) -> tuple[int, list[int]]:
    """The action, and the other terms in ascending order, as moves: the order of terms makes no difference."""
    moves = []
    for text in terms:
        move = by_text().get(text) if isinstance(text, str) else None
        if move is None or kind_of(move) not in (*ACTIONS, *MOST):
            looks = "+B, A>E, I>M(2) or @J>S, then give 0 1 3, then @M>S or promise 1 0 support"
            raise BadNotation(f"{text!r:.60} is no term of a deal: terms look like {looks}")
        moves.append(move)
    if not moves or kind_of(moves[0]) not in ACTIONS or any(kind_of(move) in ACTIONS for move in moves[1:]):
        raise BadNotation("a deal has one action of the active seat, and it comes first, such as I>M(2) or +B")
    for kind, most in MOST.items():
        if sum(kind_of(move) == kind for move in moves[1:]) > most:
            raise IllegalMove(f"a deal has at most {most} {CALLED[kind]}")
    return moves[0], sorted(moves[1:])


def _why_not(s: State, term: int) -> str:
    """Why a well-formed term may not be added to the draft; `CannotPay` where the rules would allow it."""
    kind, index = kind_of(term), index_of(term)
    text = words_of(term)
    if kind == THEN:
        action = int(s.draft[0]) - 1
        if laurel_won(s, action) != TWO_CAESAR or ends_game(s, action):
            return f"{text!r} needs an action that wins a 2 with Caesar and does not end the game (Q-MOV-5)"
        return f"{text!r} changes nothing: Caesar stands there"
    seats = [giver_of(index), given_to(index)] if kind == GIVE else [maker_of(index), promised_to(index)]
    if kind == PROMISE and OPPOSE <= kind_of_promise(index) < OPPOSE + MAX_SEATS:
        seats.append(kind_of_promise(index) - OPPOSE)
    if max(seats) >= s.n:
        return f"{text!r} names seat {max(seats)}; the seats are 0 to {s.n - 1}"
    if len(set(seats)) < len(seats):
        return f"{text!r} names seat {max(seats, key=seats.count)} twice; it takes different seats"
    if kind == PROMISE:
        return f"{text!r} is in the deal already; the same promise cannot be made twice in one deal"
    raise CannotPay(f"{text!r} cannot be paid now (Q-NEG-3)")  # and no word more: hands are secret (Q-HID-1)


def _draft(s: State, terms: Sequence[str]) -> list[int]:
    """Draft these terms for the seat that is to draft in this state; returns the moves."""
    action, others = _read(terms)
    out = np.empty(MAX_LEGAL, np.int32)
    actions = out[: legal_actions(s, ALONE | OTHERS, out, 0)].tolist()
    if action not in actions:
        can = shortened([words_of(move) for move in actions])
        raise IllegalMove(f"{words_of(action)!r} cannot be the action of seat {s.active} now; it can do {can}")
    if s.phase == ACT and s.drafts >= DRAFTS:
        raise IllegalMove(f"seat {s.active} has drafted {DRAFTS} deals in this turn, and there can be no more")
    moves = []
    if kind_of(action) != ASKING or who_consents(s, index_of(action)) == ALONE:
        moves.append(_word(s, DEAL))
    apply(s, action)
    moves.append(action)
    for term in others:
        if term not in out[: legal(s, out)]:
            raise IllegalMove(_why_not(s, term))
        apply(s, term)
        moves.append(term)
    return moves


def _asked(s: State, terms: Sequence[str]) -> list[int]:
    """Draft these terms and ask."""
    moves = _draft(s, terms)
    if parties(s) == 1 << int(s.active):
        raise IllegalMove(f"no other seat is part of this deal; seat {s.active} can do {terms[0]} alone")
    if was_refused(s):
        raise IllegalMove("this deal was refused in this turn; it cannot be asked again unless a term is changed")
    moves.append(_word(s, ASK))
    return moves


def deal(s: State, terms: Sequence[str]) -> tuple[list[int], list[int]]:
    """The moves that carry a deal out as the active seat's draft, and its parties, ascending (Q-NEG-3)."""
    _at_the_action(s)
    scratch = copy(s)
    moves = _asked(scratch, terms)
    mask = parties(scratch)
    while scratch.phase == ANSWER:
        moves.append(_word(scratch, YES))
    return moves, [seat for seat in range(s.n) if mask >> seat & 1]


def refusal(s: State, terms: Sequence[str], seat: int) -> list[int]:
    """The moves that log this seat's `no` to the active seat's offer, where it breaks a promise for all to see."""
    _at_the_action(s)
    if s.drafts + 1 >= DRAFTS:  # the last draft of a turn is kept for the deal that the table may yet agree on
        return []
    scratch = copy(s)
    try:
        moves = _asked(scratch, terms)
    except IllegalMove:  # it could not be asked, so nobody can refuse it
        return []
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
    _word(s, HEAR)
    while s.seat != by:
        _word(s, PASS)


def ask(s: State, by: int, terms: Sequence[str]) -> None:
    """Bring a scratch state to where the first other party answers this seat's offer."""
    invite(s, by)
    _asked(s, terms)


def _with_full_hands(s: State) -> State:
    """A scratch copy in which everybody can pay anything: what a desk offers must not tell who holds what (Q-HID-1)."""
    scratch = copy(s)
    scratch.hands[: s.n] = MAX_GIVES
    return scratch


def parties_of(s: State, terms: Sequence[str]) -> list[int]:
    """Who would have to agree, ascending. Whether everything can be paid is found out when it is offered (`deal`)."""
    return deal(_with_full_hands(s), terms)[1]


def more(s: State, terms: Sequence[str]) -> list[str]:
    """What may be added to these terms; the actions where there are none yet."""
    _at_the_action(s)
    scratch = _with_full_hands(s)
    out = np.empty(MAX_LEGAL, np.int32)
    if not terms:
        return [words_of(move) for move in out[: legal_actions(scratch, ALONE | OTHERS, out, 0)].tolist()]
    _draft(scratch, terms)
    return [words_of(move) for move in out[: legal(scratch, out)].tolist() if kind_of(move) in MOST]


def draft(s: State) -> list[str]:
    """The terms of the open draft, the action first; empty before an action was drafted."""
    if not s.draft[0]:
        return []
    words = draft_words(s.draft)
    return [words["action"], *words["gives"], *([words["then"]] if words["then"] else []), *words["promises"]]


def is_open(s: State) -> bool:
    """Whether deals can be offered now."""
    return bool(s.phase == ACT)


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
