"""The strongest bot: the net's best few moves, tried out in playouts by the net itself, more and more for fewer and
fewer of them.

A playout measures by how much the net would change its mind about a move if it had looked further ahead: it compares
what the net thought when the own turn was over with what it thinks later, later judgements counting less (as in
TD(lambda)). So the luck of the own rerolls, which a table knows exactly, is left out. Playouts of one number share
their dice and hidden pieces, so other luck cancels between the moves. All of this is needed: noise that is not left
out is much larger than the difference between two good moves, and would make a good net weaker.
"""

import functools
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rostra.bots import learned
from rostra.engine.game import CHANCE, OVER, Game
from rostra.engine.jit import Array, State, bind
from rostra.engine.loops import COUNTED, win_share
from rostra.engine.net import HIDDEN, NARROW, WIDE, forward, logistic
from rostra.engine.rng import new_seed, reseed

MAX_CANDIDATES = 8
"""Most moves that are tried out."""
MAX_LOSS = 0.15
"""A move that the net thinks worse by more than this is not tried out."""
HORIZON = 12
"""Decisions after which a playout ends, where the end of the chapter (the set) does not end it before."""
TRACE = 0.8
"""Weight of what the net thinks one decision later, relative to one decision earlier."""
TRUST = 16.0
"""Number of playouts that the net's own judgement of a move counts as."""
SLICE = 4
"""Playouts of every move between two looks at the clock."""
MIN_SLICES, CLEAR_LEAD = 10, 3.0
"""After this many slices the search stops once the best move leads by this many standard errors."""


verbs: Any = None
"""Stands for the compiled functions of a game, see `jit.bind`."""


class Judge(NamedTuple):
    """A net, how it plays, and scratch arrays for it; also their types, for compiled code."""

    net: Any
    style: Any
    ambition: Any
    inputs: Any
    hidden: Any
    result: Any
    buffer: Any
    values: Any
    work: Any


_FLOATS, _NUMBERS = [np.float32], [np.float64]
JUDGE = Judge(_FLOATS, _NUMBERS, float, _FLOATS, _FLOATS, [[np.int32]], [np.int32], _NUMBERS, [np.int64])
"""The types."""


def _worth(s: State, seat: int, judge: Judge) -> float:
    """How good this position is for a seat."""
    verbs.features(s, seat, judge.inputs, judge.work)
    forward(judge.net, judge.inputs, judge.hidden)
    margin = float(judge.hidden[WIDE + NARROW + 1])
    return logistic(float(judge.hidden[WIDE + NARROW])) + float(judge.ambition) * margin


def _playout(states: Array, seat: int, here: int, static: float, dice_seed: int, judge: Judge) -> float:
    """Play states[0] on after a candidate move that the net values at `static`; returns the change of that value."""
    s = states[0]
    dice = np.zeros(1, np.uint64)
    thought, value, weight = static, 0.0, 1.0
    own, decisions, events = True, 0, 0
    while True:
        active = verbs.turn(s)
        if active == OVER:
            break
        if active == CHANCE:
            part = verbs.chapter(s)
            if part >= 0:  # the dice of a reroll are still the own turn
                own = False
                if part > here or decisions >= HORIZON:
                    break
            stream = verbs.stream(s)
            reseed(dice, dice_seed, stream if stream >= 0 else COUNTED + events)
            events += 1
            verbs.apply(s, verbs.draw(s, dice))
            continue
        own = own and active == seat
        n = verbs.weigh(states, judge.net, judge.style, judge.buffer, judge.values, judge.work)
        best = 0
        for i in range(1, n):
            if judge.values[i] > judge.values[best]:
                best = i
        verbs.apply(s, judge.buffer[best])
        if own:
            thought = judge.values[best]
        else:
            decisions += 1
            if verbs.turn(s) != OVER:
                value += weight * (1 - TRACE) * verbs.worth(s, seat, judge)
                weight *= TRACE
    if verbs.turn(s) == OVER:
        verbs.score(s, judge.result)
        value += weight * (win_share(judge.result, seat) + judge.ambition * verbs.margin(s, seat))
    else:
        value += weight * verbs.worth(s, seat, judge)
    return float(value - thought)


def _try_out(
    roots: Array, states: Array, moves: Array, static: Array, playouts: tuple[int, int, int], judge: Judge, sums: Array
) -> None:  # fmt: skip
    """Add the values of playouts of all moves of roots[0] to `sums`; `playouts` are their seed, first and number."""
    seed, first, number = playouts
    seat = verbs.turn(roots[0])
    here = verbs.chapter(roots[0])
    rng = np.zeros(1, np.uint64)
    for playout in range(first, first + number):
        reseed(rng, seed, playout)
        dice_seed = new_seed(rng)
        roots[1] = roots[0]
        verbs.redeal(roots[1], seat, rng)
        for candidate in range(len(moves)):
            states[0] = roots[1]
            verbs.apply(states[0], moves[candidate])
            better = verbs.playout(states, seat, here, static[candidate], dice_seed, judge)
            sums[candidate] += static[candidate] + better


@functools.cache
def loop_of(game: Game) -> Callable[..., None]:
    """The loop that plays out, see `_try_out`."""
    learned.mind_of(game)
    record, records = game.rules.state, [game.rules.state]
    worth = bind(_worth, game.name, game.verbs, float, record, int, JUDGE)
    known = {**game.verbs, "worth": worth}
    playout = bind(_playout, game.name, known, float, records, int, int, float, int, JUDGE)
    known["playout"] = playout
    types = (records, records, [np.int32], _NUMBERS, (int, int, int), JUDGE, _NUMBERS)
    return bind(_try_out, game.name, known, None, *types, long=True)


class Trial:
    """Moves of a position, side by side, with what `net` thinks of each; every playout begins with a new redeal."""

    def __init__(
        self, game: Game, known: State, weighed: learned.Weighed, net: Array, style: str, ambition: float, seed: int
    ) -> None:
        mind, n, max_legal = learned.mind_of(game), int(known.n), game.rules.max_legal
        self._loop, self._seed = loop_of(game), seed
        self._roots, self._states = np.zeros(2, game.rules.state), np.zeros(8, game.rules.state)
        self._roots[0] = known
        self._moves, self._static = weighed.moves.astype(np.int32), weighed.values.astype(np.float64)
        self._judge = Judge(
            net=net,
            style=learned.style_of(game, style),
            ambition=ambition,
            inputs=np.zeros(mind.n_inputs, np.float32),
            hidden=np.zeros(HIDDEN, np.float32),
            result=np.zeros((3, n), np.int32),
            buffer=np.empty(max_legal, np.int32),
            values=np.empty(max_legal),
            work=np.zeros(mind.n_work, np.int64),
        )

    def play(self, which: Array, first: int, number: int) -> Array:
        """The summed values of playouts first, first + 1, ... of the moves with these indices."""
        sums = np.zeros(len(which))
        playouts = (self._seed, first, number)
        self._loop(self._roots, self._states, self._moves[which], self._static[which], playouts, self._judge, sums)
        return sums


def choose(game: Game, known: State, rng: Array, playouts: int = 0, seconds: float = 0.0) -> int:
    """The move that does best in playouts: at most this many, or as many as the time allows."""
    moves, values = tried_out(game, known, rng, playouts, seconds)
    return int(moves[np.argmax(values)])


def tried_out(game: Game, known: State, rng: Array, playouts: int = 0, seconds: float = 0.0) -> learned.Weighed:
    """The legal moves and what each is worth after playouts. Eliminated moves keep the value that they had then; those
    not tried out are below."""
    until = time.perf_counter() + seconds
    weighed = learned.weigh(game, known)
    mind = learned.mind_of(game)
    order = np.argsort(-weighed.values, kind="stable")
    order = order[weighed.values[order] > weighed.values[order[0]] - MAX_LOSS][:MAX_CANDIDATES]
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
    if len(slices) < MIN_SLICES:
        return False
    leads = slices[:, slices.sum(axis=0).argmax(), None] - slices
    means, errors = leads.mean(axis=0), leads.std(axis=0, ddof=1) / np.sqrt(len(slices))
    return int((means <= CLEAR_LEAD * errors).sum()) == 1  # itself
