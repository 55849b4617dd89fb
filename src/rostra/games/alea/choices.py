"""The legal decisions of Alea Iacta Est: one function for each building, which appends moves to a list in order."""

from typing import Any

import numpy as np

from rostra.engine.jit import State, compiled
from rostra.games.alea.state import STATE, columns, with_card, with_templum
from rostra.games.alea.tables import (
    AGAIN,
    CASTRUM,
    DICE,
    FACES,
    FORUM,
    INTERVAL_OF,
    KEEP_TOKENS,
    KEEPS,
    LATRINA,
    MAX_COLUMNS,
    SENATE_HAND,
    SENATUS,
    SEQUENCES,
    SUMS,
    TEMPLUM,
    append_moves,
    encode_move,
    roll_rank,
)

MOVES = [np.int32]
"""The type of a list of moves, for `compiled`."""


@compiled(int, STATE)
def templum_leader(s: State) -> int:
    """The seat with most dice in the Templum, or -1: every placing overtakes, so there is never a tie."""
    leader = -1
    most = 0
    for seat in range(s.n):
        if s.templum_dice[seat] > most:
            most = s.templum_dice[seat]
            leader = seat
    return leader


@compiled(int, STATE)
def templum_needs(s: State) -> int:
    """How many dice the active seat has to place in the Templum (A-TEM-1, A-TEM-3)."""
    leader = templum_leader(s)
    most = 0 if leader < 0 else s.templum_dice[leader]
    return int(1 + most - s.templum_dice[s.seat])


@compiled(int, STATE, MOVES, int)
def legal_templum(s: State, out: Any, n: int) -> int:
    """Append the legal placings in the Templum (A-TEM-1, A-TEM-2)."""
    if not with_templum(s):  # A-SET-6
        return n
    leader = templum_leader(s)
    needs = 1
    floor = 0
    if leader >= 0:
        needs = int(1 + s.templum_dice[leader] - s.templum_dice[s.seat])
        floor = int(s.templum_sum[leader] - s.templum_sum[s.seat])
    if needs > s.dice[s.seat]:
        return n
    packed = 0
    for face in range(FACES):
        packed |= int(s.roll[face]) << (4 * face)
    higher = int(SUMS[roll_rank(packed), needs]) >> (floor + 1)
    return append_moves(higher, encode_move(TEMPLUM, floor), out, n)


@compiled(int, STATE, MOVES, int)
def legal_senatus(s: State, out: Any, n: int) -> int:
    """Append the legal placings in the Senatus, named by the sequence that results (A-SEN-1, A-SEN-2)."""
    rolled = 0
    for face in range(FACES):
        if s.roll[face]:
            rolled |= 1 << face
    sequences = int(SEQUENCES[s.low[s.seat], s.high[s.seat], rolled])
    for seat in range(s.n):
        if s.low[seat]:  # A-SEN-3
            sequences &= ~(1 << int(INTERVAL_OF[s.low[seat], s.high[seat]]))
    return append_moves(sequences, encode_move(SENATUS, 0), out, n)


@compiled(int, STATE, MOVES, int)
def legal_castrum(s: State, out: Any, n: int) -> int:
    """Append the legal placings in the Castrum (A-CAS-1), always to the own group of that face (A-CAS-2)."""
    groups = 0
    for face in range(FACES):
        taken = 0
        for seat in range(s.n):
            taken |= 1 << int(s.castrum[seat, face])
        own = int(s.castrum[s.seat, face])
        allowed = ((1 << int(s.roll[face])) - 1) & ~(taken >> (own + 1))  # A-CAS-3
        groups |= allowed << (DICE * face)
    return append_moves(groups, encode_move(CASTRUM, 0), out, n)


@compiled(int, STATE, MOVES, int)
def legal_forum(s: State, out: Any, n: int) -> int:
    """Append the legal placings in the Forum (A-FOR-1): the placed dice must come to lie on a column (A-FOR-4)."""
    dice_of_face = 0  # four bits a face; empty columns count as face 0
    for column in range(MAX_COLUMNS):
        dice_of_face += 1 << (4 * int(s.forum_face[column]))
    last = columns(s) - 1
    placings = 0
    lower = 0  # dice that lie left of the new one (A-FOR-2)
    for face in range(1, FACES + 1):
        if s.roll[face - 1]:
            if lower <= last:
                placings |= 1 << (face - 1)
            # A partner of lower face pushes it one column further.
            if lower < last and face == 4 and s.roll[0]:
                placings |= 1 << 6
            if lower < last and face == 3 and s.roll[1]:
                placings |= 1 << 7
        lower += dice_of_face >> (4 * face) & 15
    return append_moves(placings, encode_move(FORUM, 0), out, n)


@compiled(int, STATE, MOVES, int)
def legal_rerolls(s: State, out: Any, n: int) -> int:
    """Append every selection of dice to roll again (A-TURN-2); of equal dice the first ones are taken."""
    # All selections among the faces so far, times the ways to take one to all dice of the next face. The empty
    # selection begins the list; it borrows the place of the move before, since a placing always comes first.
    before = out[n - 1]
    start = n - 1
    out[start] = encode_move(AGAIN, -1)
    position = 0
    for face in range(FACES):
        number_of_selections = n - start
        chosen = 0
        for _ in range(s.roll[face]):
            chosen += 1 << position
            position += 1
            # Slices, because LLVM vectorises a loop whose indices cannot be negative.
            selections = out[start : start + number_of_selections]
            more = out[n : n + number_of_selections]
            for i in range(number_of_selections):
                more[i] = selections[i] + chosen
            n += number_of_selections
    out[start] = before
    return n


@compiled(int, STATE, MOVES)
def legal_placings(s: State, out: Any) -> int:
    """What may be placed of the dice that lie there (A-TURN-3)."""
    n = legal_templum(s, out, 0)
    n = legal_senatus(s, out, n)
    n = legal_castrum(s, out, n)
    n = legal_forum(s, out, n)
    if n == 0 or s.voluntary_latrina:  # A-LAT-1, A-LAT-2
        out[n] = encode_move(LATRINA, 0)
        n += 1
    return n


@compiled(int, STATE, MOVES)
def legal_places(s: State, out: Any) -> int:
    """The decisions after a roll."""
    n = legal_placings(s, out)
    return legal_rerolls(s, out, n) if s.chips[s.seat] else n


@compiled(int, STATE, MOVES)
def legal_keeps(s: State, out: Any) -> int:
    """The choices of fortuna tokens to keep (A-SCO-1)."""
    n = 0
    for index in range(len(KEEPS)):
        number = 0
        held = True
        for value in range(3):
            number += KEEPS[index, value]
            held &= KEEPS[index, value] <= s.drawn[s.seat, value] + s.drawn_before[s.seat, value]
        if held and number == s.pending:
            out[n] = encode_move(KEEP_TOKENS, index)
            n += 1
    return n


@compiled(int, STATE)
def hand_on_offer(s: State) -> int:
    """The mask of the senate cards before the winner who chooses now."""
    cards = 0
    for rank in range(s.rank, SENATE_HAND):
        if s.hands[s.set, rank]:
            cards = with_card(cards, s.hands[s.set, rank] - 1)
    return cards
