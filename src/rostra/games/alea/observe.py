"""What one seat knows of Alea Iacta Est (A-HID-1 to A-HID-3): resampling the rest, and numbers for learning.

`redeal` builds every pool from the information set alone and deals it out in a fixed order, so two states that a seat
cannot tell apart become the same bytes.
"""

from typing import Any

import numpy as np

from rostra.engine.game import Plane
from rostra.engine.jit import State, compiled
from rostra.engine.rng import RNG, below
from rostra.games.alea.chance import draw_bit
from rostra.games.alea.choices import hand_on_offer
from rostra.games.alea.scoring import WORK_SIZE, fame_of, seat_worth
from rostra.games.alea.state import STATE, number_of_cards, senate_cards, with_card, without_card
from rostra.games.alea.tables import (
    DEAL,
    FREE,
    MAX_COLUMNS,
    MAX_SEATS,
    N_CARDS,
    N_PATRICIANS,
    N_PROVINCES,
    PHASES,
    SENATE_HAND,
    SETS,
    TAKE_CARD,
    TOKEN,
)


@compiled(int, STATE, int, int)
def seen_from(s: State, number: int, seat: int) -> int:
    """From which rank on this seat has seen the senate hand of a set; SENATE_HAND when it has seen nothing."""
    for rank in range(SENATE_HAND):
        if s.takers[number, rank] == seat + 1:
            return rank
    choosing = number == s.set and (s.phase == DEAL or s.phase == TAKE_CARD) and s.seat == seat
    return int(s.rank) if choosing else SENATE_HAND


@compiled(int, STATE, int, int)
def hides(s: State, move: int, seat: int) -> int:
    """Whether this seat may not see the coming move: a token or card that another seat gets in secret (A-HID-2)."""
    secret = s.phase == TOKEN or s.phase == DEAL or s.phase == TAKE_CARD
    return 1 if secret and s.seat != seat else 0


@compiled(int, int, RNG)
def draw_card(cards: int, rng: Any) -> int:
    """One card out of a mask, each as likely."""
    return min(draw_bit(cards, rng), FREE)


@compiled(None, STATE, int, int)
def sort_hand(s: State, number: int, first: int) -> None:
    """Put what nobody took into ascending order, as the rules keep it."""
    for i in range(first + 1, SENATE_HAND):
        card = s.hands[number, i]
        j = i
        while j > first and card and s.hands[number, j - 1] > card:
            s.hands[number, j] = s.hands[number, j - 1]
            j -= 1
        s.hands[number, j] = card


@compiled(None, STATE, int, RNG)
def redeal_cards(s: State, seat: int, rng: Any) -> None:
    """Deal the senate cards this seat has not seen; those it passed on stay in their set (A-HID-3)."""
    unseen = int(s.senate_deck)
    for number in range(s.set + 1):
        for rank in range(seen_from(s, number, seat)):
            if s.hands[number, rank]:
                unseen = with_card(unseen, s.hands[number, rank] - 1)
    for number in range(s.set + 1):
        seen = seen_from(s, number, seat)
        passed = 0
        for rank in range(SENATE_HAND):
            if s.hands[number, rank] and rank > seen and s.takers[number, seen] == seat + 1:
                passed = with_card(passed, s.hands[number, rank] - 1)
        untaken = 0
        for rank in range(SENATE_HAND):
            if s.takers[number, rank]:
                untaken = rank + 1
            if not s.hands[number, rank]:
                continue
            if rank < seen:
                card = draw_card(unseen, rng)
                unseen = without_card(unseen, card)
                s.hands[number, rank] = card + 1
            elif rank > seen and s.takers[number, seen] == seat + 1:
                card = draw_card(passed, rng)
                passed = without_card(passed, card)
                s.hands[number, rank] = card + 1
        sort_hand(s, number, untaken)
    s.senate_deck = unseen


@compiled(None, STATE, int, RNG)
def redeal_tokens(s: State, seat: int, rng: Any) -> None:
    """Deal the face-down tokens this seat has not drawn itself (A-HID-2).

    Everybody can count which tokens were drawn before the discards became the supply (A-TEM-5); only their holders are
    unknown, so these are redealt among themselves.
    """
    before = np.zeros(3, np.int64)
    supply = np.zeros(3, np.int64)
    for value in range(3):
        supply[value] = s.token_supply[value]
        for other in range(s.n):
            if other != seat:
                before[value] += s.drawn_before[other, value]
                supply[value] += s.drawn[other, value]
    for other in range(s.n):
        if other == seat:
            continue
        for early in range(2):
            number = 0
            for value in range(3):
                if early:
                    number += s.drawn_before[other, value]
                    s.drawn_before[other, value] = 0
                else:
                    number += s.drawn[other, value]
                    s.drawn[other, value] = 0
            for _ in range(number):
                pool = before if early else supply
                pick = below(rng, pool[0] + pool[1] + pool[2])
                value = 0
                while pick >= pool[value]:
                    pick -= pool[value]
                    value += 1
                pool[value] -= 1
                if early:
                    s.drawn_before[other, value] += 1
                else:
                    s.drawn[other, value] += 1
    for value in range(3):
        s.token_supply[value] = supply[value]


@compiled(None, STATE, int, RNG)
def redeal(s: State, seat: int, rng: Any) -> None:
    """Replace what this seat cannot know by a random deal that agrees with all it knows."""
    redeal_tokens(s, seat, rng)
    redeal_cards(s, seat, rng)


SEAT_NUMBERS = 22
PLANES = (
    Plane("phase", (len(PHASES),), "one-hot: see tables.PHASES"),
    Plane("players", (MAX_SEATS + 1,), "one-hot: number of players"),
    Plane("course", (5,), "set, sets to come, round (/8), tokens or cards still owed (/8), rerolls in this turn (/8)"),
    Plane("offered provinces", (N_PROVINCES,), "1 where the tile lies face up"),
    Plane("offered patricians", (N_PATRICIANS,), "1 where the tile lies face up"),
    Plane("face-down provinces", (N_PROVINCES,), "1 where the tile is still in the stack"),
    Plane("face-down patricians", (N_PATRICIANS,), "1 where the tile is still in the stack"),
    Plane("forum", (MAX_COLUMNS, MAX_SEATS + 1), "per column: owner one-hot (own seat first), face (/6)"),
    Plane("discarded tokens", (3,), "face-up fortuna tokens of value 1, 2, 3 (/8)"),
    Plane("roll", (6,), "dice before the active seat by face (/8)"),
    Plane("own tokens", (3,), "drawn in this set by value, secret (/8)"),
    Plane("own cards", (N_CARDS,), "senate cards held, secret: number of each kind"),
    Plane("cards to choose", (N_CARDS,), "senate cards before the own seat, if it chooses now"),
    Plane("cards passed on", (N_CARDS,), "senate cards handed to later winners: number of each kind"),
    Plane(
        "seats",
        (MAX_SEATS, SEAT_NUMBERS + N_PROVINCES + N_PATRICIANS),
        "per seat, the own one first: present, active, start marker, dice in hand (/8), dice and sum in the Templum "
        "(/8, /48), lowest and highest of the sequence (/6), six groups (/8), Latrina (/8), chips (/8), kept tokens by "
        "value (/8), number of drawn tokens (/8), number of senate cards (/6), points of what lies open (/64); then "
        "provinces and patricians held",
    ),
)


@compiled(int, STATE, int)
def passed_on(s: State, seat: int) -> int:
    """The mask of the senate cards this seat has seen and handed on."""
    cards = 0
    for number in range(s.set + 1):
        seen = seen_from(s, number, seat)
        if seen < SENATE_HAND and s.takers[number, seen] == seat + 1:
            for rank in range(seen + 1, SENATE_HAND):
                cards = with_card(cards, s.hands[number, rank] - 1)
    return cards


@compiled(int, int, int, [np.float32], int)
def write_bits(mask: int, size: int, out: Any, at: int) -> int:
    """Write one number for each bit; return where to go on."""
    for index in range(size):
        out[at + index] = mask >> index & 1
    return at + size


@compiled(int, int, [np.float32], int)
def write_cards(cards: int, out: Any, at: int) -> int:
    """Write the number of cards of each kind."""
    write_bits(cards, N_CARDS, out, at)
    out[at + FREE] += cards >> (FREE + 1) & 1
    return at + N_CARDS


@compiled(int, STATE, int, [np.float32], int, [np.int64])
def write_seat(s: State, seat: int, out: Any, at: int, work: Any) -> int:
    """Write the numbers of one seat, all of them public."""
    drawn = 0
    for value in range(3):
        drawn += s.drawn[seat, value] + s.drawn_before[seat, value]
    out[at] = 1
    out[at + 1] = s.seat == seat
    out[at + 2] = s.start == seat
    out[at + 3] = s.dice[seat] / 8
    out[at + 4] = s.templum_dice[seat] / 8
    out[at + 5] = s.templum_sum[seat] / 48
    out[at + 6] = s.low[seat] / 6
    out[at + 7] = s.high[seat] / 6
    for face in range(6):
        out[at + 8 + face] = s.castrum[seat, face] / 8
    out[at + 14] = s.latrina[seat] / 8
    out[at + 15] = s.chips[seat] / 8
    for value in range(3):
        out[at + 16 + value] = s.kept[seat, value] / 8
    out[at + 19] = drawn / 8
    out[at + 20] = number_of_cards(s, seat) / 6
    out[at + 21] = fame_of(seat_worth(s, seat, 0, work)) / 64
    at = write_bits(s.provinces[seat], N_PROVINCES, out, at + SEAT_NUMBERS)
    return write_bits(s.patricians[seat], N_PATRICIANS, out, at)


@compiled(None, STATE, int, [np.float32])
def observe(s: State, seat: int, out: Any) -> None:
    """Write what this seat knows as the numbers of `PLANES`, seats in turn order from itself."""
    for index in range(len(out)):
        out[index] = 0
    out[s.phase] = 1
    at = len(PHASES)
    out[at + s.n] = 1
    at += MAX_SEATS + 1
    out[at] = s.set / 6
    out[at + 1] = (SETS[s.n] - s.set - 1) / 6
    out[at + 2] = s.lap / 8
    out[at + 3] = s.pending / 8
    out[at + 4] = s.rerolls / 8
    at += 5
    at = write_bits(s.province_offer, N_PROVINCES, out, at)
    at = write_bits(s.patrician_offer, N_PATRICIANS, out, at)
    at = write_bits(s.province_pool, N_PROVINCES, out, at)
    at = write_bits(s.patrician_pool, N_PATRICIANS, out, at)
    for column in range(s.forum_size):
        out[at + (int(s.forum_seat[column]) - seat) % int(s.n)] = 1
        out[at + MAX_SEATS] = s.forum_face[column] / 6
        at += MAX_SEATS + 1
    at += (MAX_COLUMNS - int(s.forum_size)) * (MAX_SEATS + 1)
    for value in range(3):
        out[at + value] = s.token_discards[value] / 8
    at += 3
    for face in range(6):
        out[at + face] = s.roll[face] / 8
    at += 6
    for value in range(3):
        out[at + value] = (s.drawn[seat, value] + s.drawn_before[seat, value]) / 8
    at += 3
    at = write_cards(senate_cards(s, seat), out, at)
    if s.phase == TAKE_CARD and s.seat == seat:
        write_cards(hand_on_offer(s), out, at)
    at += N_CARDS
    at = write_cards(passed_on(s, seat), out, at)
    work = np.empty(WORK_SIZE, np.int64)
    for step in range(s.n):
        at = write_seat(s, (seat + step) % s.n, out, at, work)
