"""What a player may decide in Alea Iacta Est: one function a building, each appending moves to a list.

Moves come out in ascending order because the buildings do. Not here: chance (`chance`) and what moves do (`rules`).
"""

from typing import Any

import numpy as np

from rostra.games.alea.state import STATE, columns, with_card, with_templum
from rostra.games.alea.tables import (
    AGAIN,
    CASTRUM,
    DICE,
    FACES,
    FORUM,
    FORUM_DICE,
    INTERVAL_OF,
    KEEP_TOKENS,
    KEEPS,
    LATRINA,
    SENATE_HAND,
    SENATUS,
    TEMPLUM,
    encode_move,
)
from rostra.jit import State, compiled

MOVES = [np.int32]
"""The type of a list of moves, for `compiled`."""


@compiled(int, int, int, int, MOVES)
def legal_bits(mask: int, size: int, kind: int, out: Any) -> int:
    """A move of this kind for each bit set."""
    n = 0
    for index in range(size):
        if mask >> index & 1:
            out[n] = encode_move(kind, index)
            n += 1
    return n


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


@compiled(int, STATE, int)
def sums_of(s: State, number: int) -> int:
    """A mask of the sums that exactly this many dice of the roll can have."""
    # sK holds the sums of K dice; adding a die shifts the sums of one die less.
    s1 = s2 = s3 = s4 = s5 = s6 = s7 = s8 = 0
    for face in range(1, 7):
        for _ in range(s.roll[face - 1]):
            s8 |= s7 << face
            s7 |= s6 << face
            s6 |= s5 << face
            s5 |= s4 << face
            s4 |= s3 << face
            s3 |= s2 << face
            s2 |= s1 << face
            s1 |= 1 << face
    if number <= 4:
        if number <= 2:
            return s1 if number == 1 else s2
        return s3 if number == 3 else s4
    if number <= 6:
        return s5 if number == 5 else s6
    return s7 if number == 7 else s8


@compiled(int, STATE, MOVES, int)
def legal_templum(s: State, out: Any, n: int) -> int:
    """Append the legal placings in the Templum (A-TEM-1, A-TEM-2)."""
    needs = templum_needs(s)
    if not with_templum(s) or needs > s.dice[s.seat]:  # A-SET-6
        return n
    leader = templum_leader(s)
    floor = 0 if leader < 0 else int(s.templum_sum[leader] - s.templum_sum[s.seat])
    sums = sums_of(s, needs) >> (floor + 1)
    total = floor + 1
    while sums:
        if sums & 1:
            out[n] = encode_move(TEMPLUM, total - 1)
            n += 1
        sums >>= 1
        total += 1
    return n


@compiled(int, STATE, MOVES, int)
def legal_senatus(s: State, out: Any, n: int) -> int:
    """Append the legal placings in the Senatus, named by the sequence that results."""
    taken = 0
    for seat in range(s.n):
        if s.low[seat] and seat != s.seat:
            taken |= 1 << INTERVAL_OF[s.low[seat], s.high[seat]]
    low = int(s.low[s.seat])
    high = int(s.high[s.seat])
    for first in range(1, low + 1 if low else 7):  # A-SEN-1, A-SEN-2: one sequence, extended at either end
        for last in range(first, 7):
            if (last < low or last > high) and not s.roll[last - 1]:
                break  # a gap
            if last < high or (first == low and last == high):
                continue  # his own sequence is not covered, or nothing is placed
            interval = INTERVAL_OF[first, last]
            if not taken >> interval & 1:  # A-SEN-3
                out[n] = encode_move(SENATUS, interval)
                n += 1
    return n


@compiled(int, STATE, MOVES, int)
def legal_castrum(s: State, out: Any, n: int) -> int:
    """Append the legal placings in the Castrum (A-CAS-1, A-CAS-2): always added to the own group of that face."""
    for face in range(FACES):
        if s.roll[face]:
            taken = 0
            for seat in range(s.n):
                if seat != s.seat:
                    taken |= 1 << s.castrum[seat, face]
            own = s.castrum[s.seat, face]
            for number in range(1, s.roll[face] + 1):
                if not taken >> (own + number) & 1:  # A-CAS-3
                    out[n] = encode_move(CASTRUM, face * DICE + number - 1)
                    n += 1
    return n


@compiled(int, STATE, MOVES, int)
def legal_forum(s: State, out: Any, n: int) -> int:
    """Append the legal placings in the Forum (A-FOR-1)."""
    for index in range(len(FORUM_DICE)):
        one, other = FORUM_DICE[index, 0], FORUM_DICE[index, 1]
        if not s.roll[other - 1] or (one and not s.roll[one - 1]):
            continue
        # The higher of the placed dice comes to lie behind all lower ones (A-FOR-2), a placed partner included.
        column = 1 if one else 0
        for place in range(s.forum_size):
            if s.forum_face[place] < other:
                column += 1
        if column < columns(s):  # A-FOR-4
            out[n] = encode_move(FORUM, index)
            n += 1
    return n


@compiled(int, STATE, MOVES, int)
def legal_rerolls(s: State, out: Any, n: int) -> int:
    """Append every selection of dice to roll again (A-TURN-2); of equal dice the first ones are taken."""
    # The masks of the faces seen so far, times the ways to take none to all dice of the next face.
    start = n
    out[n] = 0
    n += 1
    position = 0
    for face in range(FACES):
        so_far = n - start
        for number in range(1, s.roll[face] + 1):
            chosen = ((1 << number) - 1) << position
            for i in range(so_far):
                out[n] = out[start + i] | chosen
                n += 1
        position += s.roll[face]
    for i in range(start + 1, n):
        out[i - 1] = encode_move(AGAIN, out[i] - 1)
    return n - 1


@compiled(int, STATE, MOVES)
def legal_places(s: State, out: Any) -> int:
    """The decisions after a roll."""
    n = legal_templum(s, out, 0)
    n = legal_senatus(s, out, n)
    n = legal_castrum(s, out, n)
    n = legal_forum(s, out, n)
    if n == 0 or s.voluntary_latrina:  # A-LAT-1, A-LAT-2
        out[n] = encode_move(LATRINA, 0)
        n += 1
    if s.chips[s.seat]:
        n = legal_rerolls(s, out, n)
    return n


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
