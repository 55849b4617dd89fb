"""Learning by self-play: the net of a game plays itself and learns from its own later judgements and from the end.

TD(lambda) on the positions after each decision, as the mover and one other seat see them, a step of Adam every few
games. The whole loop is compiled. A training is a seed and a number of games: one thread gives the same weights again,
bit for bit, also when it was stopped and resumed. What a newcomer would get wrong: the schedule (rate, lambda) runs
over all the games asked for, so a longer training is not the continuation of a shorter one.
"""

import dataclasses
import functools
import hashlib
import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rostra import __version__
from rostra.bots.learned import mind_of
from rostra.engine.game import CHANCE, OVER, WINNER, BadOption, Game
from rostra.engine.jit import Array, compiled, generic, specialise
from rostra.engine.loops import _greedy, _start
from rostra.engine.net import (
    FLOATS,
    HEADS,
    HIDDEN,
    NARROW,
    WIDE,
    backward,
    forward,
    improve,
    logistic,
    n_weights,
    new_net,
)
from rostra.engine.rng import RNG, below, generator, reseed
from rostra.study.ratings import Estimate, estimate_share

LEARNS, GREEDY = 0, 1
"""How a seat is played in a training."""
POSITIONS = 1000
"""No more positions of a game are learned from."""
PROGRESS = HEADS - 2
CHUNK = 100
"""Games between two points where a training can be stopped."""
LOOKS, BLOCKS = 15, 100
"""How often a training is saved and measured, and over how many blocks."""
MARGIN_WEIGHT, PROGRESS_WEIGHT = np.float32(0.5), np.float32(0.1)
WINDOW = 8
"""The net that is kept is a mean of the nets on the way, the later ones counting more: steadier than the last one."""


@generic
def _play(
    turn: Any, legal: Any, apply: Any, evaluate: Any, talks: Any, wander: Any, draw: Any, stream: Any, score: Any,
    features: Any, margin: Any, progress: Any, chapter: Any, weigh: Any,
    states: Array, policies: Array, styles: Array, seed: int, index: int, net: Array, trace: float, explore: float,
    inputs: Array, chapters: Array, movers: Array, counts: Array, result: Array, buffer: Array, values: Array,
    work: Array, memory: Array, goals: Array, filled: Array,
) -> None:  # fmt: skip
    """Play game `index`; with a memory, put its positions there, as the mover and one other seat see them."""
    n = len(policies)
    dice, choices = np.zeros(1, np.uint64), np.zeros((n, 1), np.uint64)
    dice_seed = _start(dice, choices, seed, index)
    s = states[0]
    positions = 0
    while True:
        seat = turn(s)
        if seat == CHANCE:
            reseed(dice, dice_seed, stream(s))
            apply(s, draw(s, dice))
            continue
        if seat == OVER:
            break
        if policies[seat] == GREEDY:
            move = _greedy(turn, legal, apply, evaluate, talks, 0, states, buffer, choices[seat])
        elif explore > 0 and below(choices[seat], 1 << 20) < explore * (1 << 20):
            move = wander(s, buffer, choices[seat])
        else:
            number = weigh(states, net, styles[seat], buffer, values, work)
            best = 0
            for i in range(1, number):
                if values[i] > values[best]:
                    best = i
            move = buffer[best]
        apply(s, move)
        part = chapter(s)
        if len(memory) and part >= 0 and positions < len(chapters):
            chapters[positions], movers[positions] = part, seat
            for other in range(n):
                features(s, other, inputs[positions, other], work)
                progress(s, other, counts[positions, other])
            positions += 1
    score(s, result)
    if positions == 0:
        return
    winners = 0
    for seat in range(n):
        winners += result[WINNER, seat]
    hidden, ends = np.empty(HIDDEN, np.float32), np.zeros(PROGRESS, np.float32)
    for seat in range(n):
        goal = result[WINNER, seat] / max(winners, 1)
        lead = margin(s, seat)
        progress(s, seat, ends)
        last = chapters[positions - 1]
        for i in range(positions - 1, -1, -1):
            if chapters[i] != last:
                last = chapters[i]
                for j in range(PROGRESS):
                    ends[j] = counts[i + 1, seat, j]
            if seat == movers[i] or seat == (movers[i] + 1 + i % (n - 1)) % n:
                at = filled[0]
                filled[0] += 1
                memory[at] = inputs[i, seat]
                goals[at, 0] = goal
                goals[at, 1] = lead
                for j in range(PROGRESS):
                    goals[at, 2 + j] = ends[j] - counts[i, seat, j]
            if trace < 1:
                forward(net, inputs[i, seat], hidden)
                goal = (1 - trace) * logistic(float(hidden[WIDE + NARROW])) + trace * goal
                lead = (1 - trace) * float(hidden[WIDE + NARROW + 1]) + trace * lead


@compiled(float, FLOATS, FLOATS, [[np.float32]], [[np.float32]], int)
def study(net: Any, slope: Any, memory: Any, goals: Any, number: int) -> float:
    """Add up the slope for the first positions of the memory; returns the mean square error of the chances."""
    hidden, errors = np.empty(HIDDEN, np.float32), np.zeros(HEADS, np.float32)
    loss = 0.0
    for i in range(number):
        forward(net, memory[i], hidden)
        heads = hidden[WIDE + NARROW :]
        errors[0] = np.float32(logistic(float(heads[0]))) - goals[i, 0]
        loss += float(errors[0]) ** 2
        errors[1] = MARGIN_WEIGHT * (heads[1] - goals[i, 1])
        for j in range(2, HEADS):
            errors[j] = PROGRESS_WEIGHT * (heads[j] - goals[i, j])
        backward(net, memory[i], hidden, errors, slope)
    return loss / number


@functools.cache
def _kernel(game: Game) -> Callable[..., None]:
    mind = mind_of(game)
    record, moves, floats, wholes = game.rules.state, [np.int32], [np.float32], [np.int64]
    turn, legal, apply = (int, record), (int, record, moves), (None, record, int)
    choosing = (turn, legal, apply, (float, record, int), (int, record, int))
    verbs = (*choosing, (int, record, moves, RNG), (int, record, RNG), (int, record), (None, record, [[np.int32]]))
    minds = ((None, record, int, floats, wholes), (float, record, int), (None, record, int, floats), (int, record))
    weigh = (int, [record], floats, [np.float64], moves, [np.float64], wholes)
    specialise(_start, int, RNG, [[np.uint64]], int, int)
    specialise(_greedy, int, *choosing, int, [record], moves, RNG)
    specialise(
        _play, None, *verbs, *minds, weigh, [record], moves, [[np.float64]], int, int, floats, float, float,
        [[floats]], moves, moves, [[floats]], [[np.int32]], moves, [np.float64], wholes, [floats], [floats], wholes,
    )  # fmt: skip
    return functools.partial(
        _play, game.rules.turn, game.rules.legal, game.rules.apply, game.play.evaluate, game.play.talks, game.play.random_move, game.rules.draw, game.play.stream,
        game.rules.score, mind.features, mind.margin, mind.progress, mind.chapter, mind.weigh,
    )  # fmt: skip


def digest_of_inputs(game: Game, n_seats: int) -> str:
    """A short hash of what the net is shown along a random game: weights fit only the inputs they were learned with."""
    mind, s, chance = mind_of(game), game.new(n_seats), generator(1)
    inputs, work = np.zeros(mind.n_inputs, np.float32), np.zeros(mind.n_work, np.int64)
    buffer, digest = np.empty(game.rules.max_legal, np.int32), hashlib.sha256()
    while (seat := game.rules.turn(s)) != OVER:
        game.rules.apply(s, game.rules.draw(s, chance) if seat == CHANCE else game.play.random_move(s, buffer, chance))
        if seat != CHANCE and mind.chapter(s) >= 0:
            mind.features(s, seat, inputs, work)
            digest.update(inputs.tobytes())
    return digest.hexdigest()[:16]


@dataclasses.dataclass
class Training:
    """A net on its way: `played` of `games` games are learned from; `average` is the net that will be kept."""

    game: Game
    n_seats: int
    games: int
    seed: int
    played: int
    net: Array
    mean: Array
    square: Array
    average: Array
    loss: float = math.nan

    @classmethod
    def new(cls, game: Game, n_seats: int, games: int, seed: int) -> "Training":
        """Nothing learned yet."""
        mind = mind_of(game)
        game.check_seats(n_seats)
        if games < 1:
            raise BadOption(f"the number of games is at least 1, not {games}")
        net, zeros = new_net(mind.n_inputs, seed), np.zeros(n_weights(mind.n_inputs), np.float32)
        return cls(game, n_seats, games, seed, 0, net, zeros, zeros.copy(), net.copy())

    def save(self, path: Path) -> None:
        """Write all that going on needs; whole or not at all."""
        scratch = path.with_name(path.name + ".part.npz")
        np.savez(
            scratch, net=self.net, mean=self.mean, square=self.square, average=self.average,
            about=np.array([self.n_seats, self.games, self.seed, self.played]), game=self.game.name,
        )  # fmt: skip
        os.replace(scratch, path)

    @classmethod
    def load(cls, path: Path, game: Game) -> "Training":
        """Go on where a training was saved."""
        with np.load(path) as file:
            n_seats, games, seed, played = file["about"].tolist()
            if str(file["game"]) != game.name or len(file["net"]) != n_weights(mind_of(game).n_inputs):
                raise BadOption(f"{path} is not a training of this {game.title}; delete it to begin anew")
            return cls(
                game, n_seats, games, seed, played, file["net"], file["mean"], file["square"], file["average"]
            )  # fmt: skip

    def export(self, path: Path, score: Estimate) -> None:
        """Write the weights as they are shipped: in half precision, those of inputs that never came as zeros; and how
        they were made."""
        net = np.where(self.square > 0, self.average, 0).astype(np.float16)
        about = {
            "rostra": __version__,
            "inputs": digest_of_inputs(self.game, self.n_seats),
            "command": f"rostra train {self.game.name} --seats {self.n_seats} --games {self.games} --seed {self.seed}",
            "among greedy": f"{100 * score.mean:.1f} +-{100 * (score.half or 0):.1f} %",
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, net=net, about=np.array([f"{name}: {value}" for name, value in about.items()]))

    def run(self) -> Iterator[None]:
        """Learn, a chunk of games at a time."""
        mind, n = mind_of(self.game), self.n_seats
        room = _Room(self.game, n, 2 * POSITIONS)
        slope, positions = np.zeros_like(self.net), 0
        plan = mind.schedule
        while self.played < self.games:
            loss, chunk = 0.0, min(CHUNK, self.games - self.played)
            for index in range(self.played, self.played + chunk):
                random = np.random.Generator(np.random.PCG64([self.seed, index]))
                policies = (random.random(n) < plan.greedy).astype(np.int32)
                styles = np.array([mind.styles[name] for name in random.choice(list(mind.practice), n)], np.float64)
                part = index / self.games
                room.filled[0] = 0
                room.play(
                    policies,
                    styles,
                    self.seed,
                    index,
                    self.net,
                    _between(plan.trace, part),
                    _between(plan.explore, part),
                )
                positions += int(room.filled[0])
                loss += study(self.net, slope, room.memory, room.goals, int(room.filled[0]))
                if (index + 1) % plan.together == 0:
                    rate, steps = plan.rate[0] * (plan.rate[1] / plan.rate[0]) ** part, (index + 1) // plan.together
                    improve(self.net, slope, self.mean, self.square, rate, float(positions), steps)
                    self.average += np.float32((WINDOW + 1) / (WINDOW + steps)) * (self.net - self.average)
                    positions = 0
            self.played += chunk
            self.loss = loss / chunk
            yield

    def strength(self, blocks: int) -> Estimate:
        """The share of wins of one seat with this net among greedy ones, in all seat orders."""
        n = self.n_seats
        room = _Room(self.game, n, 0)
        styles = np.array([next(iter(mind_of(self.game).styles.values()))] * n, np.float64)
        shares = np.zeros((blocks, n))
        for block in range(blocks):
            for seat in range(n):
                policies = np.full(n, GREEDY, np.int32)
                policies[seat] = LEARNS
                room.play(policies, styles, self.seed + 1, block, self.average, 1.0, 0.0)
                won = room.result[WINNER]
                shares[block, seat] = won[seat] / max(won.sum(), 1)
        return estimate_share(shares.mean(axis=1))


def _between(ends: tuple[float, float], part: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * part


class _Room:
    """The arrays that games are played in, and the memory of their positions."""

    def __init__(self, game: Game, n: int, memory: int) -> None:
        mind = mind_of(game)
        self.start, self.kernel = game.new(n), _kernel(game)
        self.states = np.zeros(8, game.rules.state)
        self.inputs = np.zeros((POSITIONS, n, mind.n_inputs), np.float32)
        self.chapters, self.movers = np.zeros(POSITIONS, np.int32), np.zeros(POSITIONS, np.int32)
        self.counts = np.zeros((POSITIONS, n, PROGRESS), np.float32)
        self.result = np.zeros((3, n), np.int32)
        self.buffer, self.values = np.empty(game.rules.max_legal, np.int32), np.empty(game.rules.max_legal)
        self.work = np.zeros(mind.n_work, np.int64)
        self.memory, self.goals = np.zeros((memory, mind.n_inputs), np.float32), np.zeros((memory, HEADS), np.float32)
        self.filled = np.zeros(1, np.int64)

    def play(
        self, policies: Array, styles: Array, seed: int, index: int, net: Array, trace: float, explore: float
    ) -> None:
        """One game, remembered where there is a memory."""
        self.states[0] = self.start
        self.kernel(
            self.states, policies, styles, seed, index, net, trace, explore,
            self.inputs, self.chapters, self.movers, self.counts, self.result, self.buffer, self.values, self.work,
            self.memory, self.goals, self.filled,
        )  # fmt: skip
