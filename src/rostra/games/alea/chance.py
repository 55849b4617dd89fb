"""Dice, tiles, tokens and cards as moves of chance: what can happen, how likely it is, and drawing one of them.

What lies face down is a set without an order, so a draw takes from what is left. What a newcomer would get wrong: a
generator is always handed in; none is part of a state.
"""

from typing import Any

from rostra.engine.jit import State, compiled
from rostra.engine.rng import RNG, below
from rostra.games.alea.choices import MOVES
from rostra.games.alea.state import STATE
from rostra.games.alea.tables import (
    DEAL,
    DRAWN_CARD,
    DRAWN_TOKEN,
    EACH_CARD,
    FACES,
    FACTORIAL,
    FREE,
    FREE_2,
    LAY_PATRICIANS,
    LAY_PROVINCES,
    LONE_TOKEN,
    NEW_PATRICIAN,
    NEW_PROVINCE,
    POWER_OF_6,
    REROLL,
    ROLL,
    ROLL_START,
    ROLLED,
    ROLLS,
    START,
    START_SEAT,
    TOKEN,
    append_moves,
    bit_count,
    encode_move,
    index_of,
    roll_rank,
)


@compiled(int, STATE)
def dice_to_roll(s: State) -> int:
    """How many dice the coming roll or reroll has."""
    return int(s.pending if s.phase == REROLL else s.dice[s.seat])


@compiled(int, STATE, MOVES)
def outcomes(s: State, out: Any) -> int:
    """What chance can bring."""
    n = 0
    if s.phase == ROLL or s.phase == REROLL:
        dice = dice_to_roll(s)
        for rank in range(ROLL_START[dice], ROLL_START[dice + 1]):
            out[n] = encode_move(ROLLED, rank)
            n += 1
    elif s.phase == TOKEN or s.phase == LONE_TOKEN:
        for value in range(3):
            if s.token_supply[value]:
                out[n] = encode_move(DRAWN_TOKEN, value)
                n += 1
    elif s.phase == LAY_PROVINCES:
        n = append_moves(int(s.province_pool), encode_move(NEW_PROVINCE, 0), out, 0)
    elif s.phase == LAY_PATRICIANS:
        n = append_moves(int(s.patrician_pool), encode_move(NEW_PATRICIAN, 0), out, 0)
    elif s.phase == DEAL:
        n = append_moves(int(s.senate_deck) & EACH_CARD, encode_move(DRAWN_CARD, 0), out, 0)
    elif s.phase == START:
        seats = (1 << int(s.n)) - 1 if s.first < 0 else 1 << int(s.first)  # A-SET-10
        n = append_moves(seats, encode_move(START_SEAT, 0), out, 0)
    return n


@compiled(float, STATE, int)
def odds(s: State, move: int) -> float:
    """The probability of an outcome: one division of whole numbers, so the double is the nearest one."""
    if s.phase == ROLL or s.phase == REROLL:
        dice = dice_to_roll(s)
        ways = FACTORIAL[dice]
        for face in range(FACES):
            ways //= FACTORIAL[ROLLS[index_of(move), face]]
        return float(ways / POWER_OF_6[dice])
    if s.phase == TOKEN or s.phase == LONE_TOKEN:
        return float(s.token_supply[index_of(move)] / tokens_left(s))
    if s.phase == LAY_PROVINCES:
        return 1 / bit_count(s.province_pool)
    if s.phase == LAY_PATRICIANS:
        return 1 / bit_count(s.patrician_pool)
    if s.phase == DEAL:
        both_free = index_of(move) == FREE and s.senate_deck >> FREE_2 & 1
        return (2 if both_free else 1) / bit_count(s.senate_deck)
    return 1.0 if s.first >= 0 else 1 / s.n


@compiled(int, int, RNG)
def draw_bit(mask: int, rng: Any) -> int:
    """The index of one set bit, each as likely."""
    skip = below(rng, bit_count(mask))
    index = 0
    while True:
        if mask & 1:
            if skip == 0:
                return index
            skip -= 1
        mask >>= 1
        index += 1


@compiled(int, STATE)
def tokens_left(s: State) -> int:
    """How many tokens the supply has."""
    return int(s.token_supply[0] + s.token_supply[1] + s.token_supply[2])


@compiled(int, STATE, int)
def token_at(s: State, pick: int) -> int:
    """The value, from 0, of a token of the supply, in ascending order."""
    if pick < s.token_supply[0]:
        return 0
    return 1 if pick < s.token_supply[0] + s.token_supply[1] else 2


@compiled(int, int, RNG)
def draw_roll(dice: int, rng: Any) -> int:
    """The rank of a roll; die by die, so that more dice share the first ones of the same stream."""
    packed = 0
    for _ in range(dice):
        packed += 1 << (4 * int(below(rng, 6)))
    return roll_rank(packed)


@compiled(int, STATE, RNG)
def draw(s: State, rng: Any) -> int:
    """One outcome of chance by its odds."""
    if s.phase == ROLL or s.phase == REROLL:
        return encode_move(ROLLED, draw_roll(dice_to_roll(s), rng))
    if s.phase == TOKEN or s.phase == LONE_TOKEN:
        return encode_move(DRAWN_TOKEN, token_at(s, below(rng, tokens_left(s))))
    if s.phase == LAY_PROVINCES:
        return encode_move(NEW_PROVINCE, draw_bit(s.province_pool, rng))
    if s.phase == LAY_PATRICIANS:
        return encode_move(NEW_PATRICIAN, draw_bit(s.patrician_pool, rng))
    if s.phase == DEAL:
        return encode_move(DRAWN_CARD, min(draw_bit(s.senate_deck, rng), FREE))
    if s.first >= 0:
        return encode_move(START_SEAT, s.first)
    return encode_move(START_SEAT, below(rng, s.n))


@compiled(int, STATE)
def stream(s: State) -> int:
    """A number naming the coming chance event: for dice the set, seat, round and reroll; else which piece it is."""
    seat = lap = rerolls = piece = 0
    if s.phase == ROLL or s.phase == REROLL or s.phase == TOKEN:
        seat, lap, rerolls = int(s.seat), int(s.lap), int(s.rerolls)
    if s.phase != ROLL and s.phase != REROLL:
        piece = int(s.pending)
    return ((((int(s.phase) * 8 + int(s.set)) * 8 + seat) * 8 + lap) * 128 + rerolls) * 64 + piece
