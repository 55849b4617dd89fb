"""The legal decisions of Quo Vadis?: actions, drafts, answers. Each function appends moves to a list in order."""

from typing import Any

from rostra.engine.jit import State, compiled
from rostra.games.quovadis.deals import MOVES, legal_terms, owes_consent, parties, was_refused
from rostra.games.quovadis.state import EARLIER, PLACING, STATE, freed, in_committee
from rostra.games.quovadis.tables import (
    ACTIONS_FROM,
    ASK,
    ASKING,
    BARGAIN,
    CAESAR_TO,
    CONSENT_ACTIONS,
    CONSENTS,
    DEAL,
    DRAFTS,
    DROP,
    ENTER,
    ENTRIES,
    FROM,
    HEAR,
    LEAVE,
    MAX_BARGAINS,
    MOVE,
    N_COMMITTEES,
    N_PATHS,
    N_PLACES,
    NO,
    PASS,
    REMOVE,
    SEATS_IN,
    SENATE,
    SHOW,
    TO,
    WORD,
    YES,
    encode_move,
)

ALONE, OTHERS = 1, 2


@compiled(int, STATE, int)
def can_move(s: State, path: int) -> int:
    """Whether the active seat has a senator at the path's foot and a seat is free at its head (Q-ACT-2)."""
    if not s.board[FROM[path], s.active]:
        return 0
    return 1 if TO[path] == SENATE or in_committee(s, TO[path]) < SEATS_IN[TO[path]] else 0


@compiled(int, STATE, int)
def who_consents(s: State, index: int) -> int:
    """Whose senators give the consents: ALONE all the mover's, OTHERS not all, 0 where there are too few (Q-MOV-2)."""
    path = CONSENT_ACTIONS[index, 0]
    one, two = CONSENT_ACTIONS[index, 1], CONSENT_ACTIONS[index, 2]
    if one >= s.n or two >= s.n or s.refusing >> one & 1 or (two >= 0 and s.refusing >> two & 1):  # Q-NEG-5
        return 0
    here = int(s.board[FROM[path], one]) - (1 if one == s.active else 0)
    if two < 0:
        return 0 if here < 1 else ALONE if one == s.active else OTHERS
    if one == two:
        return 0 if here < 2 else ALONE if one == s.active else OTHERS
    there = int(s.board[FROM[path], two]) - (1 if two == s.active else 0)
    return 0 if here < 1 or there < 1 else OTHERS


@compiled(int, STATE, int, MOVES, int)
def legal_actions(s: State, whose: int, out: Any, n: int) -> int:
    """Append actions of the active seat: those that need nobody (ALONE), those that need OTHERS, or both."""
    if whose & ALONE:
        for committee in range(ENTRIES):  # Q-ACT-1
            if s.off[s.active] and in_committee(s, committee) < SEATS_IN[committee]:
                out[n] = encode_move(ENTER, committee)
                n += 1
        for path in range(N_PATHS):
            free = CONSENTS[path] == 0 or freed(s, path)  # Q-MOV-1, Q-CAE-1
            if free and can_move(s, path):
                out[n] = encode_move(MOVE, path)
                n += 1
    for path in range(N_PATHS):
        if CONSENTS[path] and not freed(s, path) and can_move(s, path):  # Q-CAE-1: where Caesar lets pass, nobody asks
            for index in range(ACTIONS_FROM[path], ACTIONS_FROM[path + 1]):
                if who_consents(s, index) & whose:
                    out[n] = encode_move(ASKING, index)
                    n += 1
    return legal_places(s, out, n) if whose & ALONE else n  # Q-ACT-3


@compiled(int, STATE, MOVES, int)
def legal_places(s: State, out: Any, n: int) -> int:
    """Append the places where Caesar may be put."""
    for place in range(N_PLACES):
        if place != s.caesar and not s.spared >> place & 1:  # Q-NEG-5
            out[n] = encode_move(CAESAR_TO, place)
            n += 1
    return n


@compiled(int, STATE, MOVES)
def legal_turn(s: State, out: Any) -> int:
    """The active seat's choices: act, open a draft, or let others offer (Q-NEG-4)."""
    drafts_left = s.drafts < DRAFTS
    n = legal_actions(s, ALONE | OTHERS if drafts_left else ALONE, out, 0)
    if drafts_left:
        out[n] = encode_move(WORD, DEAL)
        n += 1
    if not s.heard & EARLIER:
        out[n] = encode_move(WORD, HEAR)
        n += 1
    return n


@compiled(int, STATE, MOVES, int)
def legal_placings(s: State, out: Any, n: int) -> int:
    """Append what the winner of a 2 with Caesar's picture may do with him; he may also stay (Q-MOV-5)."""
    n = legal_places(s, out, n)
    out[n] = encode_move(LEAVE, 0)
    return n + 1


@compiled(int, STATE, MOVES)
def legal_opening(s: State, out: Any) -> int:
    """After `deal`: an action that needs nobody, or Caesar's place where he is to be placed (Q-NEG-6), or `drop`."""
    n = legal_placings(s, out, 0) if s.caesar_won else legal_actions(s, ALONE, out, 0)
    out[n] = encode_move(WORD, DROP)
    return n + 1


@compiled(int, STATE, MOVES)
def legal_draft(s: State, out: Any) -> int:
    """While drafting: `ask`, `drop`, then the terms, as moves are numbered."""
    n = 0
    if parties(s) & ~(1 << int(s.drafter)) and not was_refused(s):
        out[n] = encode_move(WORD, ASK)
        n += 1
    out[n] = encode_move(WORD, DROP)
    n += 1
    return n + legal_terms(s, out[n:])


@compiled(int, STATE, MOVES)
def legal_offer(s: State, out: Any) -> int:
    """After `hear` another seat drafts one deal for the active seat's action, or a bargain (Q-NEG-5), or passes."""
    n = 0 if s.caesar_won else legal_actions(s, OTHERS, out, 0)
    out[n] = encode_move(WORD, DEAL)
    out[n + 1] = encode_move(WORD, PASS)
    out[n + 2] = encode_move(BARGAIN, 0)
    return n + 3 if s.bargains < MAX_BARGAINS else n + 2


@compiled(int, STATE, MOVES)
def legal_answers(s: State, out: Any) -> int:
    """`yes` or `no`; only `yes` for a seat that has sold its consent in this turn (Q-NEG-5)."""
    out[0] = encode_move(WORD, YES)
    out[1] = encode_move(WORD, NO)
    return 1 if s.consenting >> s.seat & 1 and owes_consent(s, s.seat) else 2


@compiled(int, STATE, MOVES)
def legal_caesar(s: State, out: Any) -> int:
    """Where Caesar may go after a 2 with his picture was won, and the words of a negotiation about it (Q-NEG-6)."""
    n = legal_placings(s, out, 0)
    if s.drafts < DRAFTS:
        out[n] = encode_move(WORD, DEAL)
        n += 1
    if not s.heard & PLACING:
        out[n] = encode_move(WORD, HEAR)
        n += 1
    return n


@compiled(int, MOVES)
def legal_demand(out: Any) -> int:
    """`pass`, or `show` to demand that all show their laurels (Q-VAR-2)."""
    out[0] = encode_move(WORD, PASS)
    out[1] = encode_move(SHOW, 0)
    return 2


@compiled(int, STATE, MOVES)
def legal_dismissals(s: State, out: Any) -> int:
    """Between the games of an election: a committee to take an own senator from (Q-VAR-3)."""
    n = 0
    for committee in range(N_COMMITTEES):
        if s.board[committee, s.seat]:
            out[n] = encode_move(REMOVE, committee)
            n += 1
    return n
