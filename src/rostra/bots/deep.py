"""The strongest bot: a net's best few moves, tried out in playouts by the net itself, ever more for ever fewer of them.

A playout says by how much the net would think otherwise of a move if it had looked further ahead: it compares what the
net thought when the own turn was over with what it thinks later on, the later the less (as in TD(lambda)). So the luck
of the own rerolls, which a table knows exactly, is left out; and playouts of one number share their dice and hidden
pieces, so other luck cancels between the moves. What a newcomer would get wrong: careless search makes a good net
weaker; what is not left out above is noise much larger than the difference between two good moves.
"""

import functools
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rostra.bots import learned
from rostra.engine.game import CHANCE, OVER, WINNER, Game
from rostra.engine.jit import Array, State, generic, specialise
from rostra.engine.net import HIDDEN, NARROW, WIDE, forward, logistic
from rostra.engine.rng import RNG, new_seed, reseed

CANDIDATES = 8
"""So many moves are tried out."""
CLOSE = 0.15
"""A move that the net thinks worse by more than this is not tried out."""
HORIZON = 12
"""Decisions after which a playout ends, where the end of the chapter (the set) does not end it before."""
TRACE = 0.8
"""How much less what the net thinks one decision later counts."""
TRUST = 16.0
"""How many playouts the net's own judgement of a move counts as."""
SLICE = 4
"""Playouts of every move between two looks at the clock."""
GLANCE, CLEAR = 10, 3.0
"""After so many slices it may be clear which move is best: by so many standard errors."""


@generic
def _worth(features: Any, s: State, seat: int, net: Array, ambition: float, inputs: Array, work: Array) -> float:
    """How good this position is for a seat."""
    hidden = np.empty(HIDDEN, np.float32)
    features(s, seat, inputs, work)
    forward(net, inputs, hidden)
    return logistic(float(hidden[WIDE + NARROW])) + ambition * float(hidden[WIDE + NARROW + 1])


@generic
def _try_out(
    turn: Any, apply: Any, draw: Any, stream: Any, redeal: Any, score: Any, margin: Any, chapter: Any, features: Any,
    weigh: Any,
    roots: Array, states: Array, moves: Array, static: Array, alive: int, seed: int, first: int, number: int,
    net: Array, style: Array, ambition: float, inputs: Array, result: Array, buffer: Array, values: Array, work: Array,
    sums: Array,
) -> None:  # fmt: skip
    """Playouts first, first + 1, ... of the first `alive` moves of roots[0]; their values are added to `sums`."""
    seat = turn(roots[0])
    here = chapter(roots[0])
    rng, dice = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for playout in range(first, first + number):
        reseed(rng, seed, playout)
        dice_seed = new_seed(rng)
        roots[1] = roots[0]
        redeal(roots[1], seat, rng)
        for candidate in range(alive):
            s = states[0]
            states[0] = roots[1]
            apply(s, moves[candidate])
            thought = static[candidate]
            own, decisions, value, weight = True, 0, 0.0, 1.0
            while True:
                active = turn(s)
                if active == OVER:
                    break
                if active == CHANCE:
                    part = chapter(s)
                    if part >= 0:  # the dice of a reroll are still the own turn
                        own = False
                        if part > here or decisions >= HORIZON:
                            break
                    reseed(dice, dice_seed, stream(s))
                    apply(s, draw(s, dice))
                    continue
                own = own and active == seat
                n = weigh(states, net, style, buffer, values, work)
                best = 0
                for i in range(1, n):
                    if values[i] > values[best]:
                        best = i
                apply(s, buffer[best])
                if own:
                    thought = values[best]
                else:
                    decisions += 1
                    if turn(s) != OVER:
                        value += weight * (1 - TRACE) * _worth(features, s, seat, net, ambition, inputs, work)
                        weight *= TRACE
            if turn(s) == OVER:
                score(s, result)
                winners = 0
                for other in range(result.shape[1]):
                    winners += result[WINNER, other]
                value += weight * (result[WINNER, seat] / max(winners, 1) + ambition * margin(s, seat))
            else:
                value += weight * _worth(features, s, seat, net, ambition, inputs, work)
            sums[candidate] += static[candidate] + value - thought


@functools.cache
def kernel_of(game: Game) -> Callable[..., None]:
    """The loop that plays out, compiled (or taken from disk) at the first call; see `_try_out`."""
    mind = learned.mind_of(game)
    record, floats, wholes = game.rules.state, [np.float32], [np.int64]
    specialise(
        _try_out, None, (int, record), (None, record, int), (int, record, RNG), (int, record), (None, record, int, RNG),
        (None, record, [[np.int32]]), (float, record, int), (int, record), (None, record, int, floats, wholes),
        (int, [record], floats, [np.float64], [np.int32], [np.float64], wholes),
        [record], [record], [np.int32], [np.float64], int, int, int, int,
        floats, [np.float64], float, floats, [[np.int32]], [np.int32], [np.float64], wholes, [np.float64],
    )  # fmt: skip
    return functools.partial(
        _try_out, game.rules.turn, game.rules.apply, game.rules.draw, game.play.stream, game.knowledge.redeal, game.rules.score, mind.margin, mind.chapter,
        mind.features, mind.weigh,
    )  # fmt: skip


class Trial:
    """Moves of a position, side by side, with what `net` thinks of each; every playout begins with a new redeal."""

    def __init__(
        self, game: Game, known: State, weighed: learned.Weighed, net: Array, style: str, ambition: float, seed: int
    ) -> None:
        mind, n = learned.mind_of(game), int(known.n)
        self._kernel, self._seed = kernel_of(game), seed
        self._roots, self._states = np.zeros(2, game.rules.state), np.zeros(8, game.rules.state)
        self._roots[0] = known
        self._moves, self._static = weighed.moves.astype(np.int32), weighed.values.astype(np.float64)
        self._rest = (
            net, learned.style_of(game, style), ambition, np.zeros(mind.n_inputs, np.float32),
            np.zeros((3, n), np.int32), np.empty(game.rules.max_legal, np.int32), np.empty(game.rules.max_legal),
            np.zeros(mind.n_work, np.int64),
        )  # fmt: skip

    def play(self, which: Array, first: int, number: int) -> Array:
        """The summed values of playouts first, first + 1, ... of the moves with these indices."""
        sums = np.zeros(len(which))
        self._kernel(
            self._roots, self._states, self._moves[which], self._static[which], len(which), self._seed, first, number,
            *self._rest, sums,
        )  # fmt: skip
        return sums


def choose(game: Game, known: State, rng: Array, playouts: int = 0, seconds: float = 0.0) -> int:
    """The move that does best in playouts, of which there are at most so many, or as many as the time allows."""
    moves, values = tried_out(game, known, rng, playouts, seconds)
    return int(moves[np.argmax(values)])


def tried_out(game: Game, known: State, rng: Array, playouts: int = 0, seconds: float = 0.0) -> learned.Weighed:
    """The legal moves and what each is worth after playouts; those thrown out keep the value they were thrown out with,
    those not tried out lie below."""
    until = time.perf_counter() + seconds
    weighed = learned.weigh(game, known)
    mind = learned.mind_of(game)
    order = np.argsort(-weighed.values, kind="stable")
    order = order[weighed.values[order] > weighed.values[order[0]] - CLOSE][:CANDIDATES]
    if len(order) < 2 or mind.playouts is None:
        return weighed
    static = weighed.values[order]
    trial = Trial(
        game, known, learned.Weighed(weighed.moves[order], static), learned.weights(game, int(known.n)), mind.playouts,
        mind.ambition, new_seed(rng),
    )  # fmt: skip
    worth, alive, slices = static.copy(), np.arange(len(order)), np.zeros((0, len(order)))
    rounds, played = max(1, int(np.ceil(np.log2(len(order))))), 0
    for left in range(rounds, 0, -1):
        ends = time.perf_counter() + (until - time.perf_counter()) / left
        last = played + (max(1, playouts // (rounds * len(alive))) if playouts else 1 << 30)
        while played < last and (playouts or time.perf_counter() < ends or not len(slices)) and not _clear(slices):
            number = min(SLICE, last - played)
            slices = np.vstack([slices, trial.play(alive, played, number)])
            played += number
        worth[alive] = (slices.sum(axis=0) + TRUST * static[alive]) / (played + TRUST)
        best = np.argsort(-worth[alive], kind="stable")[: max(2, (len(alive) + 1) // 2)]
        alive, slices = alive[best], slices[:, best]
    values = np.minimum(weighed.values, worth.min())
    values[order] = worth
    return learned.Weighed(weighed.moves, values)


def _clear(slices: Array) -> bool:
    """Whether more playouts would hardly change which of these moves is best."""
    if len(slices) < GLANCE:
        return False
    leads = slices[:, slices.sum(axis=0).argmax(), None] - slices
    means, errors = leads.mean(axis=0), leads.std(axis=0, ddof=1) / np.sqrt(len(slices))
    return int((means <= CLEAR * errors).sum()) == 1  # itself
