"""The state of a game of Alea Iacta Est: one packed record.

Tiles and cards are bit masks by the indices of `tables`; the stacks are masks too, because what lies face down has no
order until it is drawn. Equal positions have equal bytes.
"""

from typing import Any

import numpy as np

from rostra.engine.game import record
from rostra.engine.jit import State, compiled
from rostra.games.alea.tables import (
    ALL_CARDS,
    DICE,
    FREE,
    FREE_2,
    IV,
    MAX_COLUMNS,
    MAX_SEATS,
    MAX_SETS,
    N_PATRICIANS,
    N_PROVINCES,
    SENATE_HAND,
    TOKENS,
)

STATE = record(
    [
        # masks of 36 bits
        ("patrician_pool", np.int64),  # face down (A-SET-8)
        ("patrician_offer", np.int64),  # face up below the Forum
        ("patricians", np.int64, MAX_SEATS),
        # masks of 25 and 19 bits
        ("province_pool", np.int32),
        ("province_offer", np.int32),
        ("provinces", np.int32, MAX_SEATS),
        ("senate_deck", np.int32),  # never drawn yet
        # the course of the game
        ("n", np.int8),  # 2 to 5 players
        ("first", np.int8),  # 0 to 4, or -1: the option start_seat
        ("voluntary_latrina", np.int8),  # 0 or 1 (A-LAT-2)
        ("phase", np.int8),  # see tables.PHASES
        ("set", np.int8),  # 0 to 5
        ("start", np.int8),  # the seat with the start marker
        ("lap", np.int8),  # 0 to 8: the round within the set (`round` is a method of every record)
        ("seat", np.int8),  # whose turn, or who decides in the scoring
        ("rerolls", np.int8),  # done in this turn
        (
            "pending",
            np.int8,
        ),  # how many tiles, dice, tokens or cards chance still owes; in KEEP how many to keep
        ("rank", np.int8),  # 0 to 2: which winner of the Senatus chooses
        # dice
        ("dice", np.int8, MAX_SEATS),  # 0 to 8 in hand: not placed yet, or taken back in the scoring
        ("roll", np.int8, 6),  # the dice before the active seat by face, zeros between turns
        # buildings
        ("templum_dice", np.int8, MAX_SEATS),
        ("templum_sum", np.int8, MAX_SEATS),
        ("low", np.int8, MAX_SEATS),  # Senatus: 0, or the lowest face of the sequence
        ("high", np.int8, MAX_SEATS),
        ("castrum", np.int8, (MAX_SEATS, 6)),  # dice in the group of that face
        ("forum_size", np.int8),
        ("forum_face", np.int8, MAX_COLUMNS),  # from the left
        ("forum_seat", np.int8, MAX_COLUMNS),
        ("latrina", np.int8, MAX_SEATS),
        # possessions
        ("chips", np.int8, MAX_SEATS),
        ("token_supply", np.int8, 3),  # by value, face down
        ("token_discards", np.int8, 3),  # face up
        ("kept", np.int8, (MAX_SEATS, 3)),
        ("drawn", np.int8, (MAX_SEATS, 3)),  # secret, in this set, from the present supply
        (
            "drawn_before",
            np.int8,
            (MAX_SEATS, 3),
        ),  # likewise, before the discards became the supply (A-TEM-5)
        # The senate hands of all sets: cards by rank of their winner, then those put under the stack. What a
        # seat may know follows from it (A-HID-3). 0 is no card, a card is its kind + 1.
        ("hands", np.int8, (MAX_SETS, SENATE_HAND)),
        ("takers", np.int8, (MAX_SETS, SENATE_HAND)),  # seat + 1, or 0: nobody took it (yet)
    ]
)


@compiled(int, STATE)
def with_templum(s: State) -> int:
    """Whether Templum, tokens and card IV are in the game (A-SET-6)."""
    return 1 if s.n >= 4 else 0


@compiled(None, STATE, int, [np.int32])
def setup(s: State, n_seats: int, options: Any) -> None:
    """A new game in a zeroed record; options are `voluntary_latrina` and `start_seat`."""
    s.n = n_seats
    s.voluntary_latrina = options[0]
    s.first = options[1]
    for seat in range(n_seats):
        s.dice[seat] = DICE  # A-SET-1
    s.province_pool = (1 << N_PROVINCES) - 1
    s.patrician_pool = (1 << N_PATRICIANS) - 1
    s.senate_deck = ALL_CARDS
    if with_templum(s):
        for value in range(3):
            s.token_supply[value] = TOKENS[value]
    else:
        s.senate_deck &= ~(1 << IV)  # A-SET-6


@compiled(int, STATE)
def columns(s: State) -> int:
    """How many columns the Forum has (A-SET-7)."""
    return int(s.n) + 2


@compiled(int, int, int)
def with_card(cards: int, card: int) -> int:
    """A mask of cards with one more; the second XIII has a bit of its own."""
    if card == FREE and cards & (1 << FREE):
        return cards | (1 << FREE_2)
    return cards | (1 << card)


@compiled(int, int, int)
def without_card(cards: int, card: int) -> int:
    """A mask of cards with one less."""
    if card == FREE and cards & (1 << FREE_2):
        return cards & ~(1 << FREE_2)
    return cards & ~(1 << card)


@compiled(int, STATE, int)
def number_of_cards(s: State, seat: int) -> int:
    """How many senate cards this seat holds, which everybody knows (A-HID-1)."""
    number = 0
    for taken in range(MAX_SETS):
        for rank in range(SENATE_HAND):
            if s.takers[taken, rank] == seat + 1:
                number += 1
    return number


@compiled(int, STATE, int)
def senate_cards(s: State, seat: int) -> int:
    """The mask of the senate cards this seat holds."""
    cards = 0
    for number in range(MAX_SETS):
        for rank in range(SENATE_HAND):
            if s.takers[number, rank] == seat + 1:
                cards = with_card(cards, s.hands[number, rank] - 1)
    return cards
