"""The strongest bot: a net's best few moves, tried out in playouts by the net itself, ever more for ever fewer of them.

Playouts of one number share their dice and the hidden pieces, so the luck cancels between the moves they compare; each
ends where the chapter (the set) does, with the net's judgement, or with the true result. What a newcomer would get
wrong: careless search makes a good net weaker, so what the net said of a move counts as much as `TRUST` playouts.
"""

import functools
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rostra.bots import learned
from rostra.game import CHANCE, OVER, WINNER, Game
from rostra.jit import Array, State, generic, specialise
from rostra.net import HIDDEN, NARROW, WIDE, forward, logistic
from rostra.rng import RNG, new_seed, reseed

CANDIDATES = 8
"""So many moves are tried out."""
CLOSE = 0.15
"""A move that the net thinks worse by more than this is not tried out."""
TRUST = 12.0
"""How many playouts the net's own judgement of a move counts as."""
SLICE = 4
"""Playouts of every move between two looks at the clock."""


@generic
def _try_out(
    turn: Any, apply: Any, draw: Any, stream: Any, redeal: Any, score: Any, margin: Any, chapter: Any, features: Any,
    weigh: Any,
    roots: Array, states: Array, moves: Array, alive: int, seed: int, first: int, number: int, horizon: int,
    net: Array, style: Array, ambition: float, inputs: Array, result: Array, buffer: Array, values: Array, work: Array,
    sums: Array,
) -> None:  # fmt: skip
    """Playouts first, first + 1, ... of the first `alive` moves of roots[0]; their values are added to `sums`."""
    seat = turn(roots[0])
    here = chapter(roots[0])
    rng, dice = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    hidden = np.zeros(HIDDEN, np.float32)
    for playout in range(first, first + number):
        reseed(rng, seed, playout)
        dice_seed = new_seed(rng)
        roots[1] = roots[0]
        redeal(roots[1], seat, rng)
        for candidate in range(alive):
            s = states[0]
            states[0] = roots[1]
            apply(s, moves[candidate])
            decisions = 0
            while True:
                active = turn(s)
                if active == OVER:
                    break
                if active == CHANCE:
                    if (chapter(s) > here or decisions >= horizon) and chapter(s) >= 0:
                        break
                    reseed(dice, dice_seed, stream(s))
                    apply(s, draw(s, dice))
                    continue
                n = weigh(states, net, style, buffer, values, work)
                best = 0
                for i in range(1, n):
                    if values[i] > values[best]:
                        best = i
                apply(s, buffer[best])
                decisions += 1
            if turn(s) == OVER:
                score(s, result)
                winners = 0
                for other in range(result.shape[1]):
                    winners += result[WINNER, other]
                value = result[WINNER, seat] / max(winners, 1) + ambition * margin(s, seat)
            else:
                features(s, seat, inputs, work)
                forward(net, inputs, hidden)
                value = logistic(float(hidden[WIDE + NARROW])) + ambition * float(hidden[WIDE + NARROW + 1])
            sums[candidate] += value


@functools.cache
def kernel_of(game: Game) -> Callable[..., None]:
    """The loop that plays out, compiled (or taken from disk) at the first call; see `_try_out`."""
    mind = learned.mind_of(game)
    record, floats, wholes = game.state, [np.float32], [np.int64]
    specialise(
        _try_out, None, (int, record), (None, record, int), (int, record, RNG), (int, record), (None, record, int, RNG),
        (None, record, [[np.int32]]), (float, record, int), (int, record), (None, record, int, floats, wholes),
        (int, [record], floats, [np.float64], [np.int32], [np.float64], wholes),
        [record], [record], [np.int32], int, int, int, int, int,
        floats, [np.float64], float, floats, [[np.int32]], [np.int32], [np.float64], wholes, [np.float64],
    )  # fmt: skip
    return functools.partial(
        _try_out, game.turn, game.apply, game.draw, game.stream, game.redeal, game.score, mind.margin, mind.chapter,
        mind.features, mind.weigh,
    )  # fmt: skip


def choose(game: Game, known: State, rng: Array, playouts: int = 0, seconds: float = 0.0) -> int:
    """The move that does best in playouts, of which there are so many in all, or as many as the time allows."""
    moves, values = tried_out(game, known, rng, playouts, seconds)
    return int(moves[np.argmax(values)])


def tried_out(
    game: Game, known: State, rng: Array, playouts: int = 0, seconds: float = 0.0,
    candidates: int = CANDIDATES, trust: float = TRUST, style: str | None = None, horizon: int = 1 << 30,
) -> learned.Weighed:  # fmt: skip
    """The legal moves and what each is worth after playouts; those thrown out keep the value they were thrown out
    with."""
    until = time.perf_counter() + seconds
    weighed = learned.weigh(game, known)
    mind, n = learned.mind_of(game), int(known.n)
    order = np.argsort(-weighed.values, kind="stable")
    order = order[weighed.values[order] > weighed.values[order[0]] - CLOSE][:candidates]
    style = style or mind.playouts
    if len(order) < 2 or style is None:
        return weighed
    moves, static = weighed.moves[order], weighed.values[order]
    roots, states = np.zeros(2, game.state), np.zeros(8, game.state)
    roots[0] = known
    net, numbers = learned.weights(game, n), learned.style_of(game, style)
    result, buffer, values = np.zeros((3, n), np.int32), np.empty(game.max_legal, np.int32), np.empty(game.max_legal)
    inputs = np.zeros(mind.n_inputs, np.float32)
    work, seed = np.zeros(mind.n_work, np.int64), new_seed(rng)
    try_out = kernel_of(game)
    sums, done = np.zeros(len(moves)), np.zeros(len(moves))
    alive, rounds, first = len(moves), max(1, int(np.ceil(np.log2(len(moves))))), 0
    for left in range(rounds, 0, -1):
        ends = time.perf_counter() + (until - time.perf_counter()) / left
        share = max(1, playouts // (rounds * alive)) if playouts else 1 << 30
        tried = 0
        while tried < share and (playouts or time.perf_counter() < ends or tried == 0):
            number = min(SLICE, share - tried)
            try_out(
                roots, states, moves, alive, seed, first, number, horizon,
                net, numbers, mind.ambition, inputs, result, buffer, values, work, sums,
            )  # fmt: skip
            tried, first = tried + number, first + number
            done[:alive] += number
        mean = (sums + trust * static) / (done + trust)
        best = np.argsort(-mean[:alive], kind="stable")
        for row in (moves, static, sums, done):
            row[:alive] = row[best]
        mean[:alive] = mean[best]
        alive = max(2, (alive + 1) // 2)
    found = dict(zip(moves.tolist(), mean.tolist(), strict=True))
    worth = [found.get(int(m), min(v, mean.min())) for m, v in zip(weighed.moves, weighed.values, strict=True)]
    return learned.Weighed(weighed.moves, np.array(worth))
