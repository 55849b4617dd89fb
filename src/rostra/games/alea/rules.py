"""The rules of Alea Iacta Est: whose turn it is, what is legal, what a move does.

`apply` trusts its caller: check moves from outside against `legal` first.
"""

from typing import Any

from rostra.engine.game import CHANCE, OVER
from rostra.engine.jit import State, compiled
from rostra.games.alea.chance import outcomes
from rostra.games.alea.choices import (
    MOVES,
    hand_on_offer,
    legal_keeps,
    legal_places,
    templum_needs,
)
from rostra.games.alea.sets import (
    deal_card,
    keep_tokens,
    lay_out,
    leave_templum,
    score_set,
    take_card,
    take_patrician,
    take_province,
    token_at_hand,
)
from rostra.games.alea.state import STATE, columns
from rostra.games.alea.tables import (
    AGAIN,
    CARD,
    CASTRUM,
    DEAL,
    DICE,
    EACH_CARD,
    FACES,
    FINISHED,
    FORUM,
    FORUM_DICE,
    INTERVALS,
    IS_CHANCE,
    KEEP,
    LAY_PATRICIANS,
    LAY_PROVINCES,
    LONE_TOKEN,
    PATRICIAN,
    PLACE,
    PROVINCE,
    REROLL,
    ROLL,
    ROLLS,
    SENATUS,
    TAKE_CARD,
    TAKE_PATRICIAN,
    TAKE_PROVINCE,
    TEMPLUM,
    TOKEN,
    append_moves,
    encode_move,
    index_of,
    kind_of,
)


@compiled(int, STATE)
def turn(s: State) -> int:
    """The deciding seat, CHANCE or OVER."""
    if IS_CHANCE[s.phase]:
        return CHANCE
    if s.phase == FINISHED:
        return OVER
    return int(s.seat)


@compiled(int, STATE, MOVES)
def legal(s: State, out: Any) -> int:
    """Write the legal moves, or the outcomes of chance, in ascending order; return how many."""
    if s.phase == PLACE:
        return legal_places(s, out)
    if s.phase == TAKE_PATRICIAN:
        return append_moves(int(s.patrician_offer), encode_move(PATRICIAN, 0), out, 0)
    if s.phase == TAKE_PROVINCE:
        return append_moves(int(s.province_offer), encode_move(PROVINCE, 0), out, 0)
    if s.phase == TAKE_CARD:
        return append_moves(hand_on_offer(s) & EACH_CARD, encode_move(CARD, 0), out, 0)
    if s.phase == KEEP:
        return legal_keeps(s, out)
    return outcomes(s, out)


@compiled(None, STATE)
def end_turn(s: State) -> None:
    """The next player rolls (A-TURN-1), unless the round ends the set (A-TURN-5)."""
    s.pending = 0
    s.rerolls = 0
    s.seat = (s.seat + 1) % s.n
    s.phase = ROLL
    if s.seat == s.start:
        s.lap += 1
        for seat in range(s.n):
            if s.dice[seat] == 0:
                score_set(s)
                return


@compiled(None, STATE, int)
def place_in_templum(s: State, total: int) -> None:
    """Place the dice that are needed, for a token each (A-TEM-1, A-TEM-4)."""
    number = templum_needs(s)
    s.templum_dice[s.seat] += number
    s.templum_sum[s.seat] += total
    s.dice[s.seat] -= number
    if token_at_hand(s):
        s.pending = number
        s.phase = TOKEN
    else:
        end_turn(s)


@compiled(None, STATE, int)
def place_in_senatus(s: State, interval: int) -> None:
    """Make the sequence this one (A-SEN-2)."""
    low, high = INTERVALS[interval, 0], INTERVALS[interval, 1]
    before = s.high[s.seat] - s.low[s.seat] + 1 if s.low[s.seat] else 0
    s.dice[s.seat] -= high - low + 1 - before
    s.low[s.seat] = low
    s.high[s.seat] = high
    end_turn(s)


@compiled(None, STATE, int)
def insert_in_forum(s: State, face: int) -> None:
    """A die goes left of all equal or higher ones (A-FOR-2); one pushed out goes to the Latrina (A-FOR-3)."""
    column = int(s.forum_size)
    if column == columns(s):
        s.latrina[s.forum_seat[column - 1]] += 1
        column -= 1
    else:
        s.forum_size += 1
    while column > 0 and s.forum_face[column - 1] >= face:
        s.forum_face[column] = s.forum_face[column - 1]
        s.forum_seat[column] = s.forum_seat[column - 1]
        column -= 1
    s.forum_face[column] = face
    s.forum_seat[column] = s.seat
    s.dice[s.seat] -= 1


@compiled(None, STATE, int)
def place_in_forum(s: State, index: int) -> None:
    """One die, or two of sum 5 (A-FOR-1)."""
    insert_in_forum(s, FORUM_DICE[index, 1])
    if FORUM_DICE[index, 0]:
        insert_in_forum(s, FORUM_DICE[index, 0])
    end_turn(s)


@compiled(None, STATE, int)
def roll_again(s: State, mask: int) -> None:
    """Give back a chip and pick up the dice of the mask (A-TURN-2)."""
    s.chips[s.seat] -= 1
    s.rerolls += 1
    s.pending = 0
    for face in range(FACES):
        for _ in range(s.roll[face]):
            if mask & 1:
                s.roll[face] -= 1
                s.pending += 1
            mask >>= 1
    s.phase = REROLL


@compiled(None, STATE, int)
def place(s: State, move: int) -> None:
    """A decision after a roll (A-TURN-3): place dice in one building, or roll some again.

    No move takes placed dice back before the scoring (A-TURN-4).
    """
    kind = kind_of(move)
    index = index_of(move)
    if kind == AGAIN:
        roll_again(s, index + 1)
        return
    for face in range(FACES):
        s.roll[face] = 0
    if kind == TEMPLUM:
        place_in_templum(s, index + 1)
    elif kind == SENATUS:
        place_in_senatus(s, index)
    elif kind == CASTRUM:
        number = index % DICE + 1
        s.castrum[s.seat, index // DICE] += number
        s.dice[s.seat] -= number
        end_turn(s)
    elif kind == FORUM:
        place_in_forum(s, index)
    else:  # A-LAT-1
        s.latrina[s.seat] += 1
        s.dice[s.seat] -= 1
        end_turn(s)


@compiled(None, STATE, int)
def apply_outcome(s: State, index: int) -> None:
    """An outcome of chance."""
    if s.phase == ROLL:
        for face in range(FACES):
            s.roll[face] = ROLLS[index, face]
        s.phase = PLACE
    elif s.phase == REROLL:
        for face in range(FACES):
            s.roll[face] += ROLLS[index, face]
        s.pending = 0
        s.phase = PLACE
    elif s.phase == TOKEN:
        s.token_supply[index] -= 1
        s.drawn[s.seat, index] += 1
        s.pending -= 1
        if s.pending == 0 or not token_at_hand(s):
            end_turn(s)
    elif s.phase == LONE_TOKEN:
        s.token_supply[index] -= 1
        s.kept[s.seat, index] += 1
        leave_templum(s)
    elif s.phase == LAY_PROVINCES:
        s.province_pool &= ~(1 << index)
        s.province_offer |= 1 << index
        s.pending -= 1
        if s.pending == 0:
            s.pending = columns(s)
            s.phase = LAY_PATRICIANS
    elif s.phase == LAY_PATRICIANS:
        s.patrician_pool &= ~(1 << index)
        s.patrician_offer |= 1 << index
        s.pending -= 1
        if s.pending == 0:
            s.phase = ROLL
    elif s.phase == DEAL:
        deal_card(s, index)
    else:
        s.start = index
        lay_out(s)


@compiled(None, STATE, int)
def apply(s: State, move: int) -> None:
    """Make a legal move, or apply a possible outcome."""
    if s.phase == PLACE:
        place(s, move)
    elif s.phase == TAKE_PATRICIAN:
        take_patrician(s, index_of(move))
    elif s.phase == TAKE_PROVINCE:
        take_province(s, index_of(move))
    elif s.phase == TAKE_CARD:
        take_card(s, index_of(move))
    elif s.phase == KEEP:
        keep_tokens(s, index_of(move))
    else:
        apply_outcome(s, index_of(move))
