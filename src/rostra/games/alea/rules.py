"""The rules of Alea Iacta Est: whose turn it is, what is legal, what a move does.

Plain functions over the record, compiled by Numba and cited by rule id. Not here: final points (`scoring`), texts
(`notation`), what a seat may know (`observe`). What a newcomer would get wrong: `apply` trusts its caller; who takes
moves from outside checks them against `legal` first.
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
    templum_leader,
    templum_needs,
)
from rostra.games.alea.state import STATE, columns, without_card
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
    KEEPS,
    LAY_PATRICIANS,
    LAY_PROVINCES,
    LONE_TOKEN,
    PATRICIAN,
    PLACE,
    PROVINCE,
    REROLL,
    ROLL,
    ROLLS,
    SENATE_HAND,
    SENATE_WINNERS,
    SENATUS,
    SETS,
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


@compiled(int, STATE)
def token_at_hand(s: State) -> int:
    """Whether a token can be drawn; an empty supply takes in the discards, and not earlier (A-TEM-5)."""
    discards = s.token_discards[0] + s.token_discards[1] + s.token_discards[2]
    if discards and s.token_supply[0] + s.token_supply[1] + s.token_supply[2] == 0:
        for value in range(3):
            s.token_supply[value] = s.token_discards[value]
            s.token_discards[value] = 0
            for seat in range(s.n):
                s.drawn_before[seat, value] += s.drawn[seat, value]
                s.drawn[seat, value] = 0
    return 1 if s.token_supply[0] + s.token_supply[1] + s.token_supply[2] else 0


@compiled(None, STATE)
def lay_out(s: State) -> None:
    """Begin a set: new tiles are to be turned up (A-SET-8)."""
    s.seat = s.start
    s.lap = 0
    s.rerolls = 0
    s.pending = s.n
    s.phase = LAY_PROVINCES


@compiled(None, STATE)
def score_latrina(s: State) -> None:
    """A chip for each die there (A-SCO-9, A-SET-11), then the next set or the end (A-SET-9, A-SET-10)."""
    for seat in range(s.n):
        s.chips[seat] += s.latrina[seat]
        s.dice[seat] += s.latrina[seat]
        s.latrina[seat] = 0
    if s.set + 1 == SETS[s.n]:
        s.phase = FINISHED
    else:
        s.set += 1
        s.start = (s.start + 1) % s.n
        lay_out(s)


@compiled(None, STATE)
def score_forum(s: State) -> None:
    """The owner of the leftmost die chooses a patrician (A-SCO-8)."""
    if s.forum_size:
        s.seat = s.forum_seat[0]
        s.phase = TAKE_PATRICIAN
    else:
        s.patrician_offer = 0
        score_latrina(s)


@compiled(int, STATE)
def best_group(s: State) -> int:
    """The best group in the Castrum as seat * 6 + face - 1, or -1 (A-SCO-6)."""
    best = -1
    most = 0
    for face in range(FACES - 1, -1, -1):
        for seat in range(s.n):
            if s.castrum[seat, face] > most:
                most = s.castrum[seat, face]
                best = seat * FACES + face
    return best


@compiled(None, STATE)
def score_castrum(s: State) -> None:
    """The owner of the best group chooses a province, while there are groups and provinces (A-SCO-6)."""
    group = best_group(s)
    if group >= 0 and s.province_offer:
        s.seat = group // FACES
        s.phase = TAKE_PROVINCE
        return
    s.province_offer = 0
    for seat in range(s.n):  # A-SCO-7
        for face in range(FACES):
            s.latrina[seat] += s.castrum[seat, face]
            s.castrum[seat, face] = 0
    score_forum(s)


@compiled(int, STATE)
def best_sequence(s: State) -> int:
    """The seat with the best sequence in the Senatus, or -1 (A-SCO-3)."""
    best = -1
    best_key = 0
    for seat in range(s.n):
        if s.low[seat]:
            key = (s.high[seat] - s.low[seat] + 1) * 8 + s.high[seat]
            if key > best_key:
                best_key = key
                best = seat
    return best


@compiled(None, STATE)
def score_senatus(s: State) -> None:
    """The next winner chooses a card, or what is left goes to the Latrina (A-SCO-3 to A-SCO-5)."""
    winner = best_sequence(s)
    if winner >= 0 and s.rank < SENATE_WINNERS[s.n]:
        s.seat = winner
        if s.rank == 0 and s.pending == SENATE_HAND:
            s.phase = DEAL
        else:
            s.phase = TAKE_CARD
        return
    s.rank = 0
    s.pending = 0
    for seat in range(s.n):
        if s.low[seat]:  # A-SCO-5
            s.latrina[seat] += s.high[seat] - s.low[seat] + 1
            s.low[seat] = 0
            s.high[seat] = 0
    score_castrum(s)


@compiled(int, STATE, int)
def tokens_drawn(s: State, seat: int) -> int:
    """How many tokens this seat drew in this set and has not sorted yet."""
    number = 0
    for value in range(3):
        number += s.drawn[seat, value] + s.drawn_before[seat, value]
    return number


@compiled(None, STATE)
def leave_templum(s: State) -> None:
    """All dice in the Templum return (A-SCO-1), and the Senatus is next."""
    for seat in range(s.n):
        s.dice[seat] += s.templum_dice[seat]
        s.templum_dice[seat] = 0
        s.templum_sum[seat] = 0
    s.rank = 0
    s.pending = SENATE_HAND
    score_senatus(s)


@compiled(None, STATE)
def score_templum(s: State) -> None:
    """The next player with tokens to sort: the leader, who keeps two, then clockwise from the start (A-SCO-1)."""
    leader = templum_leader(s)
    if leader >= 0 and tokens_drawn(s, leader):
        s.seat = leader
        s.pending = min(2, tokens_drawn(s, leader))
        s.phase = KEEP
        return
    for step in range(s.n):
        seat = (s.start + step) % s.n
        if tokens_drawn(s, seat):
            s.seat = seat
            s.pending = 1
            s.phase = KEEP
            return
    leave_templum(s)


@compiled(None, STATE)
def score_set(s: State) -> None:
    """The set is over: unplaced dice go to the Latrina (A-TURN-6), then building by building."""
    dice_in_templum = 0
    for seat in range(s.n):
        s.latrina[seat] += s.dice[seat]
        s.dice[seat] = 0
        dice_in_templum += s.templum_dice[seat]
    if dice_in_templum != 1:
        score_templum(s)
        return
    s.seat = templum_leader(s)  # A-SCO-2
    for value in range(3):
        s.kept[s.seat, value] += s.drawn[s.seat, value] + s.drawn_before[s.seat, value]
        s.drawn[s.seat, value] = 0
        s.drawn_before[s.seat, value] = 0
    if token_at_hand(s):
        s.pending = 1
        s.phase = LONE_TOKEN
    else:
        leave_templum(s)


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
    """Put the missing dice there and owe a token for each (A-TEM-1, A-TEM-4)."""
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
    """A decision after a roll (A-TURN-3): all dice go to one building in one manner, or some are rolled again.

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
def keep_tokens(s: State, index: int) -> None:
    """Lay the chosen tokens face up and the others on the discards (A-SCO-1)."""
    for value in range(3):
        drawn = s.drawn[s.seat, value] + s.drawn_before[s.seat, value]
        s.kept[s.seat, value] += KEEPS[index, value]
        s.token_discards[value] += drawn - KEEPS[index, value]
        s.drawn[s.seat, value] = 0
        s.drawn_before[s.seat, value] = 0
    score_templum(s)


@compiled(None, STATE, int)
def deal_card(s: State, card: int) -> None:
    """Put a card into the hand of this set, kept in ascending order because the order of drawing has no effect."""
    s.senate_deck = without_card(s.senate_deck, card)
    place = SENATE_HAND - s.pending
    while place > 0 and s.hands[s.set, place - 1] > card + 1:
        s.hands[s.set, place] = s.hands[s.set, place - 1]
        place -= 1
    s.hands[s.set, place] = card + 1
    s.pending -= 1
    if s.pending == 0:
        s.phase = TAKE_CARD


@compiled(None, STATE, int)
def take_card(s: State, card: int) -> None:
    """The winner keeps one card, takes his dice back and hands on the rest (A-SCO-4)."""
    place = int(s.rank)
    while s.hands[s.set, place] != card + 1:
        place += 1
    while place > s.rank:
        s.hands[s.set, place] = s.hands[s.set, place - 1]
        place -= 1
    s.hands[s.set, place] = card + 1
    s.takers[s.set, place] = s.seat + 1
    s.dice[s.seat] += s.high[s.seat] - s.low[s.seat] + 1
    s.low[s.seat] = 0
    s.high[s.seat] = 0
    s.rank += 1
    score_senatus(s)


@compiled(None, STATE, int)
def take_province(s: State, tile: int) -> None:
    """The owner of the best group takes its dice back and this province (A-SCO-6)."""
    s.province_offer &= ~(1 << tile)
    s.provinces[s.seat] |= 1 << tile
    group = best_group(s)
    s.dice[s.seat] += s.castrum[s.seat, group % FACES]
    s.castrum[s.seat, group % FACES] = 0
    score_castrum(s)


@compiled(None, STATE, int)
def take_patrician(s: State, tile: int) -> None:
    """The owner of the leftmost die takes it back and this patrician (A-SCO-8)."""
    s.patrician_offer &= ~(1 << tile)
    s.patricians[s.seat] |= 1 << tile
    s.dice[s.seat] += 1
    s.forum_size -= 1
    for column in range(s.forum_size):
        s.forum_face[column] = s.forum_face[column + 1]
        s.forum_seat[column] = s.forum_seat[column + 1]
    s.forum_face[s.forum_size] = 0
    s.forum_seat[s.forum_size] = 0
    score_forum(s)


@compiled(None, STATE, int)
def happen(s: State, index: int) -> None:
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
    """Make a legal move, or let a possible outcome happen."""
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
        happen(s, index_of(move))
