"""Many games at once: cut into chunks, run on threads inside compiled loops, summed up with intervals.

Game i is seeded from (seed, i), so results depend neither on the number of workers nor on the order of chunks. With
rotation every seed is played in all n cyclic seat orders with the same dice, and statistics are taken over such blocks,
because the games of a block are not independent. What a newcomer would get wrong: seats choose from streams of
their own, so equal bots in any order play the very same games.
"""

import dataclasses
import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from rostra.bots import Bot
from rostra.game import POINTS, WINNER, BadOption, Game
from rostra.jit import Array
from rostra.kernels import kernels_of
from rostra.rng import SEEDS
from rostra.transcript import Transcript, play_out, result_of

CHUNK = 500
LOG_ROOM = 4096


class Estimate(NamedTuple):
    """A mean with half the width of its 95 % interval (None for a single block)."""

    mean: float
    half: float | None


@dataclasses.dataclass(frozen=True)
class Simulation:
    """What was played: `results[rotation, game, row, seat]`, rows as in `rostra.game`, and the decisions it took."""

    game: Game
    bots: tuple[Bot, ...]
    seed: int
    results: Array
    tallies: Array
    """tallies[rotation, game, i]: what `Game.tallies` names."""
    decisions: int

    @property
    def n_games(self) -> int:
        """Games played, all seat orders counted."""
        return int(self.results.shape[0] * self.results.shape[1])

    @property
    def digest(self) -> str:
        """A hash of all results, to compare runs."""
        return hashlib.sha256(np.ascontiguousarray(self.results, dtype="<i4").tobytes()).hexdigest()[:16]

    def share(self, player: int) -> Estimate:
        """The share of wins of the bot that sat at seat `player` first; a shared win counts as its part."""
        return _estimate(self._of_player(self._parts(), player))

    def share_of(self, name: str) -> Estimate:
        """The share of wins of all bots of this name together."""
        players = [player for player, bot in enumerate(self.bots) if bot.name == name]
        return _estimate(np.sum([self._of_player(self._parts(), player) for player in players], axis=0))

    def points(self, player: int) -> Estimate:
        """The points of the bot that sat at seat `player` first."""
        return _estimate(self._of_player(self.results[:, :, POINTS, :], player))

    def decided(self) -> float:
        """The share of games that somebody won."""
        return float((self.results[:, :, WINNER, :].sum(axis=2) > 0).mean())

    def counted(self) -> dict[str, Estimate]:
        """What `Game.tallies` names, a game."""
        means = self.tallies.mean(axis=0)
        return {name: _estimate(means[:, i]) for i, name in enumerate(self.game.tallies)}

    def _parts(self) -> Array:
        wins = self.results[:, :, WINNER, :]
        return np.asarray(wins / np.maximum(wins.sum(axis=2, keepdims=True), 1))

    def _of_player(self, numbers: Array, player: int) -> Array:
        """Block means for one bot: in rotation r it sits r seats further on."""
        n = len(self.bots)
        sat = [numbers[r, :, (player + r) % n] for r in range(len(numbers))]
        return np.asarray(np.mean(sat, axis=0))


def _estimate(blocks: Array) -> Estimate:
    half = 1.96 * float(np.std(blocks, ddof=1)) / math.sqrt(len(blocks)) if len(blocks) > 1 else None
    return Estimate(float(np.mean(blocks)), half)


def seat_order(bots: Sequence[Bot], rotation: int) -> list[Bot]:
    """The bots by seat after turning the table: who sat at seat 0 sits at seat `rotation`."""
    return [bots[(seat - rotation) % len(bots)] for seat in range(len(bots))]


def simulate(
    game: Game,
    bots: Sequence[Bot],
    games: int,
    *,
    seed: int = 0,
    rotate: bool = False,
    workers: int = 1,
    options: dict[str, str] | None = None,
    progress: Callable[[int], object] = lambda played: None,
) -> Simulation:
    """Play `games` seeds (with `rotate` each in all seat orders) and keep everybody's points."""
    n = len(bots)
    if games < 1:
        raise BadOption(f"the number of games is at least 1, not {games}")
    if not 0 <= seed < SEEDS:
        raise BadOption(f"the seed is a whole number from 0 to 2**62 - 1, not {seed}")
    if workers < 1:
        raise BadOption(f"the number of workers is at least 1, not {workers}")
    start = game.new(n, options)
    rotations = n if rotate else 1
    try:
        results = np.zeros((rotations, games, 3, n), np.int32)
    except MemoryError as error:
        raise BadOption(f"{games} games are more than fit into memory at once") from error
    tallies = np.zeros((rotations, games, len(game.tallies)), np.int32)
    play = kernels_of(game).games

    def run(task: tuple[int, int]) -> tuple[int, int]:
        rotation, first = task
        states = np.zeros(3, game.state)
        states[2] = start
        policies = np.array([bot.policy for bot in seat_order(bots, rotation)], np.int32)
        rows = results[rotation, first : first + CHUNK]
        buffer = np.empty(game.max_legal, np.int32)
        counts = tallies[rotation, first : first + CHUNK]
        return play(states, policies, seed, first, buffer, rows, counts), len(rows)

    tasks = [(rotation, first) for first in range(0, games, CHUNK) for rotation in range(rotations)]
    decisions = 0
    with ThreadPoolExecutor(workers) as pool:
        for more, played in pool.map(run, tasks):
            decisions += more
            progress(played)
    return Simulation(game, tuple(bots), seed, results, tallies, decisions)


def transcripts(simulation: Simulation, options: dict[str, str] | None = None) -> Iterator[Transcript]:
    """The games of a simulation again, as transcripts: seed after seed, each in its seat orders."""
    game, n = simulation.game, len(simulation.bots)
    kernels = kernels_of(game)
    start = game.new(n, options)
    chosen = game.all_options(options)
    states, log = np.zeros(2, game.state), np.zeros(LOG_ROOM, np.int32)
    dice, choices = np.zeros(1, np.uint64), np.zeros((n, 1), np.uint64)
    buffer, counts = np.empty(game.max_legal, np.int32), np.zeros(2, np.int64)
    for index in range(simulation.results.shape[1]):
        for rotation in range(simulation.results.shape[0]):
            order = seat_order(simulation.bots, rotation)
            policies = np.array([bot.policy for bot in order], np.int32)
            while True:
                states[0] = start
                dice_seed = kernels.start(dice, choices, simulation.seed, index)
                kernels.play(states, policies, dice_seed, dice, choices, buffer, log, counts)
                if counts[0] <= len(log):
                    break
                log = np.zeros(2 * int(counts[0]), np.int32)
            events = list(play_out(game, game.new(n, options), log[: counts[0]].tolist()))
            result = result_of(game, states[0])
            names = [bot.name for bot in order]
            yield Transcript(game.name, game.rules_version, names, chosen, events=events, result=result)
