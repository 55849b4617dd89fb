"""A quick estimate of how well a seat stands, for simple bots: the points it would have if the set ended now.

Each building is scored as it lies, every seat choosing what looks best to it; then all tableaux are assigned exactly.
It uses only what the seat may know: its own senate cards and tokens, and the number of those of others.
"""

from typing import Any

import numpy as np

from rostra.engine.jit import State, compiled
from rostra.games.alea.choices import templum_leader
from rostra.games.alea.scoring import FAME, HIGHEST, WORK_SIZE, best_worth, fixed_fame
from rostra.games.alea.sets import tokens_drawn
from rostra.games.alea.state import STATE, number_of_cards, senate_cards
from rostra.games.alea.tables import (
    BIT_OF,
    FACES,
    FINISHED,
    JOKER,
    MAX_SEATS,
    SENATE_WINNERS,
    TOKEN,
    bit_count,
)

CARD_GUESS = 3.5
"""The average fame of a senate card in games of simple bots."""
TOKEN_GUESS = 2.0
MASKS = [np.int64]


@compiled(int, int, int, int)
def province_appeal(tile: int, provinces: int, patricians: int) -> int:
    """How attractive a province is to a seat: its value, and the own patricians that it would house."""
    if tile == JOKER:
        return 3
    colour = tile // 4
    people = patricians >> (6 * colour) & 63
    housed = bit_count(provinces >> (4 * colour) & 15)
    appeal = 2 * (tile % 4)
    for sex in range(2):
        tiles = people >> (3 * sex) & 7
        number = bit_count(tiles)
        if number > housed:
            appeal += 2 * int(HIGHEST[tiles, housed + 1] - HIGHEST[tiles, housed]) + 1
    return appeal


@compiled(int, int, int, int)
def patrician_appeal(tile: int, provinces: int, patricians: int) -> int:
    """How attractive a patrician is to a seat: its value, and much more if there is a province for it."""
    colour = tile // 6
    same = patricians >> (3 * (tile // 3)) & 7
    homes = bit_count(provinces >> (4 * colour) & 15) + (provinces >> JOKER & 1)
    value = tile % 3 + 1
    return 4 * value + 2 if homes > bit_count(same) else value


@compiled(int, int, int, int, int)
def favourite(offer: int, are_provinces: int, provinces: int, patricians: int) -> int:
    """The tile on offer that is most attractive to a seat with these possessions."""
    best, best_appeal = -1, -1
    while offer:
        tile = int(BIT_OF[(offer & -offer) % 67])
        offer &= offer - 1
        if are_provinces:
            appeal = province_appeal(tile, provinces, patricians)
        else:
            appeal = patrician_appeal(tile, provinces, patricians)
        if appeal > best_appeal:
            best, best_appeal = tile, appeal
    return best


@compiled(None, STATE, MASKS, MASKS)
def share_out(s: State, provinces: Any, patricians: Any) -> None:
    """Add to everybody's tiles what the Castrum and the Forum would bring now."""
    offer = int(s.province_offer)
    taken = 0  # groups already paid, as a mask over seat * 6 + face
    while offer:
        best, most = -1, 0
        for face in range(FACES - 1, -1, -1):
            for seat in range(s.n):
                group = seat * FACES + face
                if s.castrum[seat, face] > most and not taken >> group & 1:
                    best, most = group, int(s.castrum[seat, face])
        if best < 0:
            break
        taken |= 1 << best
        seat = best // FACES
        tile = favourite(offer, 1, provinces[seat], patricians[seat])
        offer &= ~(1 << tile)
        provinces[seat] |= 1 << tile
    people = int(s.patrician_offer)
    for column in range(s.forum_size):
        if people:
            seat = s.forum_seat[column]
            tile = favourite(people, 0, provinces[seat], patricians[seat])
            people &= ~(1 << tile)
            patricians[seat] |= 1 << tile


@compiled(float, STATE, int)
def senatus_guess(s: State, seat: int) -> float:
    """What the sequence of a seat would bring: a card, worth more the earlier the seat chooses."""
    if not s.low[seat]:
        return 0.0
    own = (s.high[seat] - s.low[seat] + 1) * 8 + s.high[seat]
    ahead = 0
    for other in range(s.n):
        if s.low[other] and (s.high[other] - s.low[other] + 1) * 8 + s.high[other] > own:
            ahead += 1
    if ahead < SENATE_WINNERS[s.n]:
        return CARD_GUESS + 1 - ahead
    return 0.5 * int(s.high[seat] - s.low[seat] + 1)


@compiled(float, STATE, int)
def templum_guess(s: State, seat: int) -> float:
    """What the tokens of a seat would bring."""
    if not s.templum_dice[seat]:
        return 0.0
    kept = 2 if seat == templum_leader(s) else 1
    return TOKEN_GUESS * min(kept, tokens_drawn(s, seat)) + 0.2 * tokens_drawn(s, seat)


@compiled(float, STATE, int)
def evaluate(s: State, seat: int) -> float:
    """Own points if the set ended now, less the average of the others."""
    work = np.empty(WORK_SIZE, np.int64)
    provinces = np.zeros(MAX_SEATS, np.int64)
    patricians = np.zeros(MAX_SEATS, np.int64)
    for other in range(s.n):
        provinces[other] = s.provinces[other]
        patricians[other] = s.patricians[other]
    share_out(s, provinces, patricians)
    value = 0.0
    for other in range(s.n):
        tokens = s.kept[other, 0] + s.kept[other, 1] + s.kept[other, 2]
        own_cards = senate_cards(s, other) if other == seat else 0
        points = float(s.kept[other, 0] + 2 * s.kept[other, 1] + 3 * s.kept[other, 2])
        points += fixed_fame(provinces[other], own_cards, tokens)
        points += best_worth(provinces[other], patricians[other], own_cards, work) / FAME
        points += 0.5 * (s.chips[other] + s.latrina[other])
        if s.phase <= TOKEN:  # dice not placed yet will bring a chip at least
            points += 0.5 * s.dice[other]
        if other != seat:
            points += CARD_GUESS * number_of_cards(s, other)
        if s.phase != FINISHED:
            points += senatus_guess(s, other) + templum_guess(s, other)
        value += points if other == seat else -points / (s.n - 1)
    return value
