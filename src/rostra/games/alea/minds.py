"""The learned players of Alea Iacta Est: the value of every move by a net, of rerolls by an exact table.

A placing is worth what the net says of the position after it. The odds of a reroll are known, so one pass from the full
rolls down to the empty hand gives the exact value of keeping any dice. A reroll costs a chip, so placings are valued
again for each chip less.
"""

from typing import Any

import numpy as np

from rostra.engine.jit import State, compiled
from rostra.engine.mind import Mind, Schedule
from rostra.engine.net import HIDDEN, NARROW, WIDE, enter, forward_from, logistic
from rostra.games.alea.choices import MOVES, legal_placings, templum_needs
from rostra.games.alea.features import N_INPUTS, N_WORK, features
from rostra.games.alea.rules import apply, legal, place
from rostra.games.alea.scoring import WORK_SIZE, fame_of, seat_worth
from rostra.games.alea.state import STATE, number_of_cards, senate_cards, with_templum
from rostra.games.alea.tables import (
    AGAIN,
    CASTRUM,
    DICE,
    FACES,
    FIRST,
    FORUM,
    FORUM_DICE,
    INTERVALS,
    LATRINA,
    N_ROLLS,
    PLACE,
    REROLL,
    ROLL_START,
    ROLLS,
    SENATUS,
    TEMPLUM,
    bit_count,
    encode_move,
    index_of,
    kind_of,
    roll_rank,
)

HEAD_NAMES = ("win", "margin", "cards", "provinces", "patricians")
MARGIN_WEIGHT = 0.05
"""What a margin of 16 points counts beside the chance to win: a reason to fight on, and against noise."""
MOST_REROLLS = 3
"""Rerolls in a row that are looked ahead; a fourth is considered when three are done."""
FLOATS = [np.float32]
WORK = [np.int64]
VALUES = [np.float64]


def _neighbours() -> Any:
    """By roll and face: the roll with one die of that face more, -1 where that would be nine dice."""
    packed = (ROLLS.astype(np.int64) << (4 * np.arange(FACES))).sum(axis=1)
    rank = {int(one): i for i, one in enumerate(packed)}
    return np.array([[rank.get(int(one) + (1 << 4 * face), -1) for face in range(FACES)] for one in packed], np.int32)


ONE_MORE = _neighbours()

N_PLACINGS = int(FIRST[AGAIN])


# The scratch floats of a decision: inputs of a position, inputs before the move, their sums at the first layer, the
# outputs of all layers.
AT_BASE = N_INPUTS
AT_ENTERED = 2 * N_INPUTS
AT_HIDDEN = AT_ENTERED + WIDE
AT_HEADS = AT_HIDDEN + WIDE + NARROW
N_LAYERS = AT_HIDDEN + HIDDEN


@compiled(None, STATE, int, FLOATS, WORK, FLOATS)
def prepare(s: State, seat: int, net: Any, work: Any, layers: Any) -> None:
    """Run the first layer for the position before a move; positions after it differ in few inputs."""
    features(s, seat, layers[AT_BASE:AT_ENTERED], work)
    enter(net, layers[AT_BASE:AT_ENTERED], layers[AT_ENTERED:AT_HIDDEN])


@compiled(float, STATE, int, FLOATS, WORK, FLOATS)
def worth(s: State, seat: int, net: Any, work: Any, layers: Any) -> float:
    """How good this position is for a seat: its chance to win and a little for the margin."""
    features(s, seat, layers[:AT_BASE], work)
    forward_from(net, layers[:AT_BASE], layers[AT_BASE:AT_ENTERED], layers[AT_ENTERED:AT_HIDDEN], layers[AT_HIDDEN:])
    return logistic(float(layers[AT_HEADS])) + MARGIN_WEIGHT * float(layers[AT_HEADS + 1])


@compiled(int, STATE, MOVES)
def all_placings(s: State, out: Any) -> int:
    """Every placing that some roll of the active seat's dice could allow, and some that none does."""
    dice = int(s.dice[s.seat])
    n = 0
    needs = templum_needs(s)
    if with_templum(s) and needs <= dice:
        for total in range(needs, 6 * needs + 1):
            out[n] = encode_move(TEMPLUM, total - 1)
            n += 1
    low, high = s.low[s.seat], s.high[s.seat]
    length = high - low + 1 if low else 0
    for interval in range(len(INTERVALS)):
        more = INTERVALS[interval, 1] - INTERVALS[interval, 0] + 1 - length
        if 0 < more <= dice and (not low or (INTERVALS[interval, 0] <= low and high <= INTERVALS[interval, 1])):
            out[n] = encode_move(SENATUS, interval)
            n += 1
    for face in range(FACES):
        for number in range(1, dice + 1):
            out[n] = encode_move(CASTRUM, face * DICE + number - 1)
            n += 1
    for index in range(len(FORUM_DICE)):
        if dice > 1 or FORUM_DICE[index, 0] == 0:
            out[n] = encode_move(FORUM, index)
            n += 1
    out[n] = encode_move(LATRINA, 0)
    return n + 1


@compiled(None, [STATE], int, FLOATS, MOVES, VALUES, WORK, FLOATS)
def value_placings(states: Any, seat: int, net: Any, buffer: Any, placings: Any, work: Any, layers: Any) -> None:
    """The worth of every placing that is possible from states[1], by move id."""
    for i in range(all_placings(states[1], buffer)):
        states[2] = states[1]
        place(states[2], buffer[i])  # in any phase: the dice may not be rolled yet
        placings[buffer[i]] = worth(states[2], seat, net, work, layers)


@compiled(None, [STATE], int, MOVES, VALUES, VALUES)
def value_rolls(states: Any, dice: int, buffer: Any, placings: Any, rolls: Any) -> None:
    """Raise `rolls` to the worth of the best placing, for each roll of this number of dice."""
    s = states[1]
    for rank in range(ROLL_START[dice], ROLL_START[dice + 1]):
        for face in range(FACES):
            s.roll[face] = ROLLS[rank, face]
        best = rolls[rank]
        for i in range(legal_placings(s, buffer)):
            best = max(best, placings[buffer[i]])
        rolls[rank] = best


@compiled(None, int, VALUES)
def value_keeps(dice: int, rolls: Any) -> None:
    """From the values of all full rolls the value of keeping any part of one: the average over the new dice."""
    for rank in range(ROLL_START[dice] - 1, -1, -1):
        total = 0.0
        for face in range(FACES):
            total += rolls[ONE_MORE[rank, face]]
        rolls[rank] = total / FACES


@compiled(None, int, VALUES, VALUES)
def value_best_keep(dice: int, keeps: Any, best: Any) -> None:
    """For each roll of this number of dice the value of the best part to keep; smaller rolls are scratch."""
    for rank in range(ROLL_START[dice]):
        best[rank] = keeps[rank]
    for rank in range(ROLL_START[dice], ROLL_START[dice + 1]):
        best[rank] = -1e9
    for rank in range(ROLL_START[dice]):
        for face in range(FACES):
            best[ONE_MORE[rank, face]] = max(best[ONE_MORE[rank, face]], best[rank])


@compiled(None, [STATE], int, FLOATS, MOVES, VALUES, WORK, FLOATS)
def value_rerolls(states: Any, rerolls: int, net: Any, buffer: Any, keeps: Any, work: Any, layers: Any) -> None:
    """The value of everything that may be kept in states[0] with up to `rerolls` rerolls, by rank."""
    seat = int(states[0].seat)
    dice = int(states[0].dice[seat])
    placings = np.empty(N_PLACINGS)
    best = np.empty(N_ROLLS)
    for rank in range(N_ROLLS):
        best[rank] = -1e9
    for spent in range(rerolls, 0, -1):
        states[1] = states[0]
        states[1].chips[seat] -= spent
        value_placings(states, seat, net, buffer, placings, work, layers)
        value_rolls(states, dice, buffer, placings, best)
        for rank in range(ROLL_START[dice], ROLL_START[dice + 1]):
            keeps[rank] = best[rank]
        value_keeps(dice, keeps)
        if spent > 1:
            value_best_keep(dice, keeps, best)


@compiled(float, [STATE], FLOATS, VALUES, MOVES, WORK, long=True)
def expect(states: Any, net: Any, style: Any, buffer: Any, work: Any) -> float:
    """What the coming roll or reroll is worth to the active seat, which makes the best of every outcome."""
    seat = int(states[0].seat)
    layers = np.empty(N_LAYERS, np.float32)
    prepare(states[0], seat, net, work, layers)
    keeps, best, placings = np.empty(N_ROLLS), np.empty(N_ROLLS), np.empty(N_PLACINGS)
    dice, rerolls = int(states[0].dice[seat]), min(int(states[0].chips[seat]), int(style[0]))
    if rerolls:
        value_rerolls(states, rerolls, net, buffer, keeps, work, layers)
        value_best_keep(dice, keeps, best)
    else:
        best[:] = -1e9
    states[1] = states[0]
    value_placings(states, seat, net, buffer, placings, work, layers)
    value_rolls(states, dice, buffer, placings, best)
    value_keeps(dice, best)
    lying = 0
    if states[0].phase == REROLL:
        for face in range(FACES):
            lying += int(states[0].roll[face]) << (4 * face)
    return float(best[roll_rank(lying)])


@compiled(int, STATE, int)
def kept_after(s: State, mask: int) -> int:
    """The rank of the dice that a reroll of this mask leaves lying."""
    packed = 0
    for face in range(FACES):
        for _ in range(s.roll[face]):
            if not mask & 1:
                packed += 1 << (4 * face)
            mask >>= 1
    return roll_rank(packed)


@compiled(int, [STATE], FLOATS, VALUES, MOVES, VALUES, WORK, long=True)
def weigh(states: Any, net: Any, style: Any, buffer: Any, values: Any, work: Any) -> int:
    """The legal moves and the worth of each; style[0] is the number of rerolls in a row to look ahead."""
    seat = int(states[0].seat)
    layers = np.empty(N_LAYERS, np.float32)
    prepare(states[0], seat, net, work, layers)
    rerolls = min(int(states[0].chips[seat]), int(style[0])) if states[0].phase == PLACE else 0
    keeps = np.empty(N_ROLLS if rerolls else 0)
    if rerolls:
        value_rerolls(states, rerolls, net, buffer, keeps, work, layers)
    n = legal(states[0], buffer)
    for i in range(n):
        if kind_of(buffer[i]) == AGAIN:
            values[i] = keeps[kept_after(states[0], index_of(buffer[i]) + 1)] if rerolls else -1e9
        else:
            states[1] = states[0]
            apply(states[1], buffer[i])
            values[i] = worth(states[1], seat, net, work, layers)
    return n


@compiled(float, STATE, int)
def margin(s: State, seat: int) -> float:
    """By how many points a seat is ahead of the best other seat or behind it, in units of 16."""
    work = np.empty(WORK_SIZE, np.int64)
    own, best = 0, -1000
    for other in range(s.n):
        points = fame_of(seat_worth(s, other, senate_cards(s, other), work))
        if other == seat:
            own = points
        else:
            best = max(best, points)
    return max(-2.0, min(2.0, (own - best) / 16))


@compiled(None, STATE, int, FLOATS)
def progress(s: State, seat: int, out: Any) -> None:
    """Senate cards, provinces and patricians won so far."""
    out[0] = number_of_cards(s, seat)
    out[1] = bit_count(s.provinces[seat])
    out[2] = bit_count(s.patricians[seat])


@compiled(int, STATE)
def pause(s: State) -> int:
    """The set."""
    return int(s.set)


@compiled(int, STATE)
def chapter(s: State) -> int:
    """The set; dice in the air are not valued."""
    return -1 if s.phase == REROLL else int(s.set)


MIND = Mind(
    n_inputs=N_INPUTS,
    heads=HEAD_NAMES,
    ambition=MARGIN_WEIGHT,
    n_work=N_WORK,
    units={},
    chances=frozenset({"cards"}),
    styles={"": (MOST_REROLLS,), "quick": (1.0,), "still": (0.0,)},
    practice=("quick",),
    schedule=Schedule(),
    features=features,
    margin=margin,
    progress=progress,
    chapter=chapter,
    weigh=weigh,
    expect=expect,
    playouts="still",
)
