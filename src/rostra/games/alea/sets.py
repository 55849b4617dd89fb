"""The sets of Alea Iacta Est: laying out tiles, and scoring a finished set building by building."""

from rostra.engine.jit import State, compiled
from rostra.games.alea.choices import templum_leader
from rostra.games.alea.state import STATE, without_card
from rostra.games.alea.tables import (
    DEAL,
    FACES,
    FINISHED,
    KEEP,
    KEEPS,
    LAY_PROVINCES,
    LONE_TOKEN,
    SENATE_HAND,
    SENATE_WINNERS,
    SETS,
    TAKE_CARD,
    TAKE_PATRICIAN,
    TAKE_PROVINCE,
)


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
    """Put a card into the hand of this set; in ascending order, because the order of drawing has no effect."""
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
    """The winner keeps one card, takes the dice back and passes on the other cards (A-SCO-4)."""
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
