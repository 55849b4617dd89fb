"""Learning by self-play: the net of a game plays itself and learns from its own later judgements and from the end.

TD(lambda) on the positions after each decision, as the mover and one other seat see them, a step of Adam every few
games. The whole loop is compiled. A training is a seed and a number of games: one thread gives the same weights again,
bit for bit, also when it was stopped and resumed. The schedule (rate, lambda) runs over all games asked for, so a
longer training is not the continuation of a shorter one.
"""

import dataclasses
import functools
import hashlib
import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rostra import __version__
from rostra.bots.learned import mind_of
from rostra.engine.game import CHANCE, OVER, BadOption, Game
from rostra.engine.jit import Array, bind, compiled, unit
from rostra.engine.loops import COUNTED, loops_of, start, win_share
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
from rostra.games import find_game
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


verbs: Any = None
"""Stands for the compiled functions of a game, see `jit.bind`."""


class Table(NamedTuple):
    """The arrays that games are played in; also their types, for compiled code."""

    states: Any
    styles: Any
    result: Any
    buffer: Any
    values: Any
    work: Any


class Record(NamedTuple):
    """The positions of one game, in order: as every seat sees them, its counts of progress, the chapter, who moved."""

    inputs: Any
    counts: Any
    chapters: Any
    movers: Any


class Memory(NamedTuple):
    """What is learned from: inputs, goals, and how many rows are filled."""

    inputs: Any
    goals: Any
    filled: Any


TABLE = Table([FLOATS], [[np.float64]], [[np.int32]], [np.int32], [np.float64], [np.int64])
RECORD = Record([[FLOATS]], [[FLOATS]], [np.int32], [np.int32])
MEMORY = Memory([FLOATS], [FLOATS], [np.int64])
"""Their types; a table's states are of the game's own type."""


def _choose(seat: int, policy: int, net: Array, explore: float, table: Table, rng: Array) -> int:
    """The move of a seat in a training."""
    if policy == GREEDY:
        return int(verbs.greedy(0, table.states, table.buffer, rng))
    if explore > 0 and below(rng, 1 << 20) < explore * (1 << 20):
        return int(verbs.random_move(table.states[0], table.buffer, rng))
    number = verbs.weigh(table.states, net, table.styles[seat], table.buffer, table.values, table.work)
    best = 0
    for i in range(1, number):
        if table.values[i] > table.values[best]:
            best = i
    return int(table.buffer[best])


def _play(game: tuple[int, int], policies: Array, net: Array, explore: float, table: Table, record: Record) -> int:
    """Play the game of this seed and index; returns how many positions were recorded."""
    n = len(policies)
    dice, choices = np.zeros(1, np.uint64), np.zeros((n, 1), np.uint64)
    dice_seed = start(dice, choices, game[0], game[1])
    s = table.states[0]
    positions, events = 0, 0
    while True:
        seat = verbs.turn(s)
        if seat == OVER:
            break
        if seat == CHANCE:
            stream = verbs.stream(s)
            reseed(dice, dice_seed, stream if stream >= 0 else COUNTED + events)
            events += 1
            verbs.apply(s, verbs.draw(s, dice))
            continue
        verbs.apply(s, verbs.choose(seat, policies[seat], net, explore, table, choices[seat]))
        part = verbs.chapter(s)
        if part >= 0 and positions < len(record.chapters):
            record.chapters[positions], record.movers[positions] = part, seat
            for other in range(n):
                verbs.features(s, other, record.inputs[positions, other], table.work)
                verbs.progress(s, other, record.counts[positions, other])
            positions += 1
    verbs.score(s, table.result)
    return positions


def _remember(positions: int, net: Array, trace: float, table: Table, record: Record, memory: Memory) -> None:
    """Put the positions of a finished game into the memory, with goals from the end and from later judgements, as the
    mover and one other seat see them."""
    s = table.states[0]
    n = table.result.shape[1]
    hidden, ends = np.empty(HIDDEN, np.float32), np.zeros(PROGRESS, np.float32)
    for seat in range(n):
        goal = win_share(table.result, seat)
        lead = verbs.margin(s, seat)
        verbs.progress(s, seat, ends)
        last = record.chapters[positions - 1]
        for i in range(positions - 1, -1, -1):
            if record.chapters[i] != last:
                last = record.chapters[i]
                for j in range(PROGRESS):
                    ends[j] = record.counts[i + 1, seat, j]
            if seat == record.movers[i] or seat == (record.movers[i] + 1 + i % (n - 1)) % n:
                at = memory.filled[0]
                memory.filled[0] += 1
                memory.inputs[at] = record.inputs[i, seat]
                memory.goals[at, 0] = goal
                memory.goals[at, 1] = lead
                for j in range(PROGRESS):
                    memory.goals[at, 2 + j] = ends[j] - record.counts[i, seat, j]
            if trace < 1:
                forward(net, record.inputs[i, seat], hidden)
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


class Loops(NamedTuple):
    """The loops of a training, bound to one game; see `_play` and `_remember`."""

    play: Callable[[tuple[int, int], Array, Array, float, Table, Record], int]
    remember: Callable[[int, Array, float, Table, Record, Memory], None]


@functools.cache
def loops_for(game: Game) -> Loops:
    """The loops for this game."""
    mind_of(game)
    table = TABLE._replace(states=[game.rules.state])
    known = {**game.verbs, "greedy": loops_of(game).greedy}
    known["choose"] = bind(_choose, game.name, known, int, int, int, FLOATS, float, table, RNG)
    loops = Loops(
        bind(_play, game.name, known, int, (int, int), [np.int32], FLOATS, float, table, RECORD, long=True),
        bind(_remember, game.name, known, None, int, FLOATS, float, table, RECORD, MEMORY, long=True),
    )
    unit(f"{game.name}, training", [*loops, study, improve])
    return loops


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
        studio = Studio(self.game, n, POSITIONS)
        slope, positions = np.zeros_like(self.net), 0
        plan = mind.schedule
        while self.played < self.games:
            loss, chunk = 0.0, min(CHUNK, self.games - self.played)
            for index in range(self.played, self.played + chunk):
                random = np.random.Generator(np.random.PCG64([self.seed, index]))
                policies = (random.random(n) < plan.greedy).astype(np.int32)
                styles = np.array([mind.styles[name] for name in random.choice(list(mind.practice), n)], np.float64)
                part = index / self.games
                trace, explore = _between(plan.trace, part), _between(plan.explore, part)
                studio.play(self.seed, index, (policies, styles), self.net, trace, explore)
                filled = int(studio.memory.filled[0])
                positions += filled
                loss += study(self.net, slope, studio.memory.inputs, studio.memory.goals, filled)
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
        studio = Studio(self.game, n, 0)
        styles = np.array([next(iter(mind_of(self.game).styles.values()))] * n, np.float64)
        shares = np.zeros((blocks, n))
        for block in range(blocks):
            for seat in range(n):
                policies = np.full(n, GREEDY, np.int32)
                policies[seat] = LEARNS
                studio.play(self.seed + 1, block, (policies, styles), self.average, 1.0, 0.0)
                shares[block, seat] = win_share(studio.table.result, seat)
        return estimate_share(shares.mean(axis=1))


def train(
    game: Game | str,
    seats: int,
    games: int = 10_000,
    *,
    seed: int = 3,
    weights: str | Path | None = None,
    progress: Callable[[int], object] = lambda played: None,
) -> Training:
    """Teach a net by self-play; `weights` is the file that the bot `learned:FILE` reads. See docs/bots.md.

    `progress` is called with the number of games after each hundred. The command `rostra train` can be stopped and
    resumed.

    >>> import rostra, tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "mine.npz"
    >>> training = rostra.train("alea", seats=2, games=100, weights=file)
    >>> rostra.make_bot(f"learned:{file}").name.endswith("mine.npz")
    True
    """
    if weights is not None:
        check_weights(weights)
    training = Training.new(find_game(game), seats, games, seed)
    for _ in training.run():
        progress(training.played)
    if weights is not None:
        training.export(Path(weights), training.strength(BLOCKS))
    return training


def check_weights(file: str | Path) -> None:
    """Refuse a name of a file that `learned:FILE` could not name."""
    if Path(file).suffix != ".npz" or ":" in str(file) or "," in str(file):
        raise BadOption(f"weights are written to a file that ends in .npz, without colon and comma, not {str(file)!r}")


def _between(ends: tuple[float, float], part: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * part


class Studio:
    """Games of one number of seats, played in the same arrays again and again, and the memory of their positions."""

    def __init__(self, game: Game, n: int, positions: int) -> None:
        mind, max_legal = mind_of(game), game.rules.max_legal
        self._start, self._loops = game.new(n), loops_for(game)
        self.table = Table(
            states=np.zeros(8, game.rules.state),
            styles=np.zeros((n, 0)),
            result=np.zeros((3, n), np.int32),
            buffer=np.empty(max_legal, np.int32),
            values=np.empty(max_legal),
            work=np.zeros(mind.n_work, np.int64),
        )
        self._record = Record(
            inputs=np.zeros((positions, n, mind.n_inputs), np.float32),
            counts=np.zeros((positions, n, PROGRESS), np.float32),
            chapters=np.zeros(positions, np.int32),
            movers=np.zeros(positions, np.int32),
        )
        self.memory = Memory(
            inputs=np.zeros((2 * positions, mind.n_inputs), np.float32),
            goals=np.zeros((2 * positions, HEADS), np.float32),
            filled=np.zeros(1, np.int64),
        )

    def play(self, seed: int, index: int, seats: tuple[Array, Array], net: Array, trace: float, explore: float) -> None:
        """One game; its positions are the memory then. `seats` are their policies and their styles."""
        policies, styles = seats
        self.table.states[0] = self._start
        self.memory.filled[0] = 0
        table = self.table._replace(styles=styles)
        positions = self._loops.play((seed, index), policies, net, explore, table, self._record)
        if positions:
            self._loops.remember(positions, net, trace, table, self._record, self.memory)
