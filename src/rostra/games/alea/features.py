"""The inputs of the value net of Alea Iacta Est: about 400 numbers from what one seat may know, its own seat first.

Beside plain facts they hold what a player would work out: exact points now and if the set were scored as it lies, who
leads each building, what the tiles on offer would add. The roll is no input: the net values positions after a placing.
"""

from typing import Any

import numpy as np

from rostra.engine.jit import State, compiled
from rostra.games.alea.choices import templum_leader
from rostra.games.alea.evaluate import CARD_GUESS, share_out
from rostra.games.alea.scoring import FAME, WORK_SIZE, best_worth, fixed_fame
from rostra.games.alea.sets import tokens_drawn
from rostra.games.alea.state import STATE, number_of_cards, senate_cards
from rostra.games.alea.tables import (
    BIT_OF,
    DEAL,
    FACES,
    FINISHED,
    JOKER,
    KEEP,
    LONE_TOKEN,
    MAX_COLUMNS,
    MAX_SEATS,
    N_CARDS,
    N_COLOURS,
    PLACE,
    REROLL,
    ROLL,
    SENATE_WINNERS,
    SETS,
    TAKE_CARD,
    TAKE_PATRICIAN,
    TAKE_PROVINCE,
    TOKEN,
    bit_count,
)

WORK = [np.int64]
FLOATS = [np.float32]

# The scratch array: a cache of scorings, which take most of the time; the scratch of a scoring; some numbers a seat.
MEMO = 2048
AT_SCRATCH = 3 * MEMO
AT_PROVINCES = AT_SCRATCH + WORK_SIZE
AT_PATRICIANS = AT_PROVINCES + MAX_SEATS
AT_GROUPS = AT_PATRICIANS + MAX_SEATS
AT_NOW = AT_GROUPS + MAX_SEATS
AT_THEN = AT_NOW + MAX_SEATS
N_WORK = AT_THEN + MAX_SEATS

PHASE_OF = np.full(14, 7, np.int8)
for _i, _phases in enumerate(
    ((ROLL, PLACE, REROLL), (TOKEN,), (KEEP,), (DEAL,), (TAKE_CARD,), (TAKE_PROVINCE,), (TAKE_PATRICIAN,))
):
    PHASE_OF[list(_phases)] = _i
PHASE_OF[LONE_TOKEN], PHASE_OF[FINISHED] = 8, 9

COMMON = 10 + 6 + 5 + 2 * MAX_SEATS + 2
OFFER = 2 * N_COLOURS + 1 + 4 * N_COLOURS
FORUM = MAX_COLUMNS * (MAX_SEATS + 1)
GROUPS, GROUP = 6, MAX_SEATS + 5
SEQUENCES, SEQUENCE = 3, MAX_SEATS + 2
OWN = N_CARDS + 3
SEAT = 61
N_INPUTS = COMMON + OFFER + FORUM + GROUPS * GROUP + SEQUENCES * SEQUENCE + OWN + MAX_SEATS * SEAT


@compiled(int, int, int, int, WORK)
def tile_worth(provinces: int, patricians: int, cards: int, work: Any) -> int:
    """256 times the fame of tiles and cards at their best assignment, less what breaks ties; cached in `work`."""
    people = patricians | cards << 36
    slot = 3 * (((people ^ (people >> 21) ^ provinces * 40503) * 2654435761 >> 16) & (MEMO - 1))
    if work[slot] != people or work[slot + 1] != provinces:
        worth = FAME * fixed_fame(provinces, cards, 0) + best_worth(provinces, patricians, cards, work[AT_SCRATCH:])
        work[slot], work[slot + 1], work[slot + 2] = people, provinces, worth
    return int(work[slot + 2])


@compiled(None, STATE, int, FLOATS, int, WORK)
def write_stakes(s: State, seat: int, out: Any, at: int, work: Any) -> None:
    """What the best and second best tile on offer would add to this seat's points: provinces, then patricians."""
    provinces, patricians = int(s.provinces[seat]), int(s.patricians[seat])
    now = tile_worth(provinces, patricians, 0, work)
    best, second = 0, 0
    offer = int(s.province_offer)
    while offer:
        tile = offer & -offer
        offer ^= tile
        gain = tile_worth(provinces | tile, patricians, 0, work) - now
        if gain > best:
            best, second = gain, best
        elif gain > second:
            second = gain
    out[at] = best / (8 * FAME)
    out[at + 1] = second / (8 * FAME)
    best, second = 0, 0
    offer = int(s.patrician_offer)
    while offer:
        tile = offer & -offer
        offer ^= tile
        gain = tile_worth(provinces, patricians | tile, 0, work) - now
        if gain > best:
            best, second = gain, best
        elif gain > second:
            second = gain
    out[at + 2] = best / (4 * FAME)
    out[at + 3] = second / (4 * FAME)


@compiled(None, STATE, int, FLOATS, int, WORK)
def write_groups(s: State, seat: int, out: Any, at: int, work: Any) -> None:
    """The best groups in the Castrum, the best first (A-SCO-6): owner, face, size; and how many provinces each seat's
    groups would win now."""
    left, n = bit_count(s.province_offer), int(s.n)
    for other in range(n):
        work[AT_GROUPS + other] = 0
    size, found = 8, 0
    while size and found < GROUPS:
        for face in range(FACES - 1, -1, -1):
            for other in range(n):
                if s.castrum[other, face] == size and found < GROUPS:
                    place = at + found * GROUP
                    out[place + (other - seat) % n] = 1
                    out[place + MAX_SEATS] = (face + 1) / 6
                    out[place + MAX_SEATS + 1] = size / 4
                    out[place + MAX_SEATS + 2] = size > 1
                    out[place + MAX_SEATS + 3] = size > 2
                    if left:
                        out[place + MAX_SEATS + 4] = 1
                        work[AT_GROUPS + other] += 1
                        left -= 1
                    found += 1
        size -= 1


@compiled(None, STATE, int, FLOATS, int)
def write_sequences(s: State, seat: int, out: Any, at: int) -> None:
    """The best sequences in the Senatus, the best first (A-SCO-3): owner, length, highest."""
    for other in range(s.n):
        if s.low[other]:
            ahead = sequence_rank(s, other)
            if ahead < SEQUENCES:
                place = at + ahead * SEQUENCE
                out[place + (other - seat) % int(s.n)] = 1
                out[place + MAX_SEATS] = (s.high[other] - s.low[other] + 1) / 6
                out[place + MAX_SEATS + 1] = s.high[other] / 6


@compiled(int, STATE, int)
def sequence_rank(s: State, seat: int) -> int:
    """How many sequences in the Senatus are better than this seat's (A-SCO-3)."""
    own = (s.high[seat] - s.low[seat] + 1) * 8 + s.high[seat]
    ahead = 0
    for other in range(s.n):
        if s.low[other] and (s.high[other] - s.low[other] + 1) * 8 + s.high[other] > own:
            ahead += 1
    return ahead


@compiled(None, STATE, int, WORK)
def reckon(s: State, seat: int, work: Any) -> None:
    """Everybody's points now and if the set were scored as it lies, 256 to the point, by what this seat may know."""
    provinces, patricians = work[AT_PROVINCES:], work[AT_PATRICIANS:]
    for other in range(s.n):
        provinces[other] = s.provinces[other]
        patricians[other] = s.patricians[other]
    share_out(s, provinces, patricians)
    leader = templum_leader(s)
    for other in range(s.n):
        cards = senate_cards(s, other) if other == seat else 0
        more = 256 * int(s.kept[other, 0] + 2 * s.kept[other, 1] + 3 * s.kept[other, 2]) + 128 * int(s.chips[other])
        if other != seat:
            more += int(256 * CARD_GUESS) * number_of_cards(s, other)
        work[AT_NOW + other] = tile_worth(s.provinces[other], s.patricians[other], cards, work) + more
        more += 128 * int(s.latrina[other])
        if s.low[other] and sequence_rank(s, other) < SENATE_WINNERS[s.n]:
            more += int(256 * CARD_GUESS)
        if s.templum_dice[other]:
            more += 512 * min(2 if other == leader else 1, tokens_drawn(s, other))
        work[AT_THEN + other] = tile_worth(provinces[other], patricians[other], cards, work) + more


@compiled(None, STATE, int, FLOATS, int, WORK)
def write_placed(s: State, seat: int, out: Any, at: int, work: Any) -> None:
    """The dice of one seat, in hand and in the buildings."""
    dice = int(s.dice[seat])
    out[at] = dice / 8
    if dice < 3:
        out[at + 1 + dice] = 1
    if s.low[seat]:
        ahead = sequence_rank(s, seat)
        out[at + 4] = (s.high[seat] - s.low[seat] + 1) / 6
        out[at + 5] = s.high[seat] / 6
        out[at + 6] = ahead < SENATE_WINNERS[s.n]
        out[at + 7] = ahead == 0
        out[at + 8] = ahead == 1
    groups = 0
    for face in range(FACES):
        if s.castrum[seat, face]:
            out[at + 9 + face] = s.castrum[seat, face] / 4
            groups += 1
    out[at + 15] = work[AT_GROUPS + seat] / 2
    out[at + 16] = groups / 2
    for column in range(s.forum_size):
        if s.forum_seat[column] == seat:
            out[at + 17] += np.float32(0.25)
    if s.templum_dice[seat]:
        out[at + 18] = s.templum_dice[seat] / 4
        out[at + 19] = s.templum_sum[seat] / 24
        out[at + 20] = seat == templum_leader(s)
    out[at + 21] = tokens_drawn(s, seat) / 4
    out[at + 22] = s.latrina[seat] / 4
    for least in range(4):
        out[at + 57 + least] = dice > 2 + least


@compiled(None, STATE, int, FLOATS, int, WORK)
def write_points(s: State, seat: int, out: Any, at: int, work: Any) -> None:
    """The points of one seat beside those of the others, now and if the set were scored as it lies."""
    now, then = work[AT_NOW + seat], work[AT_THEN + seat]
    out[at] = now / (FAME * 32)
    out[at + 1] = then / (FAME * 32)
    best_now, best_then, beaten = -(1 << 30), -(1 << 30), 0
    for other in range(s.n):
        if other != seat:
            best_now = max(best_now, work[AT_NOW + other])
            best_then = max(best_then, work[AT_THEN + other])
            beaten += then > work[AT_THEN + other]
    out[at + 2] = (now - best_now) / (FAME * 16)
    out[at + 3] = (then - best_then) / (FAME * 16)
    out[at + 4] = beaten / (s.n - 1)


@compiled(None, STATE, int, FLOATS, int, WORK)
def write_seat(s: State, seat: int, out: Any, at: int, work: Any) -> None:
    """The numbers of one seat, when `reckon` and `write_groups` are done."""
    write_placed(s, seat, out, at, work)
    out[at + 23] = s.chips[seat] / 4
    out[at + 24] = s.chips[seat] > 0
    tokens = s.kept[seat, 0] + s.kept[seat, 1] + s.kept[seat, 2]
    out[at + 25] = (s.kept[seat, 0] + 2 * s.kept[seat, 1] + 3 * s.kept[seat, 2]) / 8
    out[at + 26] = tokens % 3 / 2
    out[at + 27] = number_of_cards(s, seat) / 3
    write_points(s, seat, out, at + 28, work)
    write_stakes(s, seat, out, at + 33, work)
    for colour in range(N_COLOURS):
        out[at + 37 + colour] = bit_count(s.provinces[seat] >> (4 * colour) & 15) / 2
        people = s.patricians[seat] >> (6 * colour) & 63
        out[at + 43 + colour] = bit_count(people & 7) / 2
        out[at + 49 + colour] = bit_count(people >> 3) / 2
    out[at + 55] = s.provinces[seat] >> JOKER & 1
    out[at + 56] = (s.chips[seat] + s.latrina[seat]) & 1


@compiled(None, STATE, int, FLOATS)
def write_course(s: State, seat: int, out: Any) -> None:
    """Phase, sets to come, the round, whose turn it is."""
    n = int(s.n)
    phase = PHASE_OF[s.phase]
    out[phase] = 1
    out[10 + SETS[n] - 1 - s.set] = 1
    least = 8
    for other in range(n):
        least = min(least, s.dice[other])
    at = 16
    out[at] = s.lap / 8
    if phase < 2:
        out[at + 1] = least == 0
        out[at + 2] = least / 8
        out[at + 3] = ((s.start - s.seat - 1) % n) / n  # turns to come in this round
    out[at + 4] = s.pending / 4
    at += 5
    if s.phase != FINISHED:
        out[at + (int(s.seat) - seat) % n] = 1
        out[at + MAX_SEATS + (int(s.start) - seat) % n] = 1
    at += 2 * MAX_SEATS
    out[at] = s.rank / 2
    out[at + 1] = s.forum_size / 4


@compiled(None, STATE, FLOATS, int)
def write_offer(s: State, out: Any, at: int) -> None:
    """The tiles on offer by colour: number and value of the provinces, then of women and men."""
    for colour in range(N_COLOURS):
        tiles = s.province_offer >> (4 * colour) & 15
        if tiles:
            out[at + colour] = bit_count(tiles)
            value = 0
            while tiles:
                value += BIT_OF[(tiles & -tiles) % 67] + 1
                tiles &= tiles - 1
            out[at + N_COLOURS + colour] = value / 4
    out[at + 2 * N_COLOURS] = s.province_offer >> JOKER & 1
    at += 2 * N_COLOURS + 1
    for group in range(2 * N_COLOURS):
        tiles = s.patrician_offer >> (3 * group) & 7
        if tiles:
            out[at + group] = bit_count(tiles)
            out[at + 2 * N_COLOURS + group] = ((tiles & 1) + (tiles & 2) + 3 * (tiles >> 2)) / 3


@compiled(None, STATE, int, FLOATS, WORK)
def features(s: State, seat: int, out: Any, work: Any) -> None:
    """Write the inputs of the net for this seat."""
    for i in range(len(out)):
        out[i] = 0
    n = int(s.n)
    write_course(s, seat, out)
    write_offer(s, out, COMMON)
    at = COMMON + OFFER
    for column in range(s.forum_size):
        place = at + column * (MAX_SEATS + 1)
        out[place + (int(s.forum_seat[column]) - seat) % n] = 1
        out[place + MAX_SEATS] = s.forum_face[column] / 6
    at += FORUM
    cards = senate_cards(s, seat)
    for card in range(N_CARDS):
        out[at + card] = cards >> card & 1
    at += N_CARDS
    for value in range(3):
        out[at + value] = (s.drawn[seat, value] + s.drawn_before[seat, value]) / 2
    at += 3
    write_groups(s, seat, out, at, work)
    at += GROUPS * GROUP
    write_sequences(s, seat, out, at)
    at += SEQUENCES * SEQUENCE
    reckon(s, seat, work)
    for step in range(n):
        write_seat(s, (seat + step) % n, out, at + step * SEAT, work)
