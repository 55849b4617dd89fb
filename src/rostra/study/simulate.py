"""Many games at one table of bots, with intervals.

With rotation every seed is played in all n cyclic seat orders with the same dice. Statistics are taken over such
blocks, because the games of a block are not independent. Each seat chooses from a random stream of its own, so equal
bots play the very same games in any order.
"""

import dataclasses
import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from rostra.bots import Bot, make_bot
from rostra.bots.own import Choose
from rostra.engine.game import POINTS, TIEBREAK, WINNER, BadOption, Game, result_of
from rostra.engine.jit import Array
from rostra.engine.loops import THINKS, loops_of
from rostra.engine.rng import SEEDS
from rostra.games import find_game
from rostra.play.transcript import Transcript, play_out
from rostra.study.chunks import Chunk, Sitting
from rostra.study.journal import journaled
from rostra.study.ratings import Estimate, estimate, estimate_share, shares_of_win
from rostra.study.tables import Table
from rostra.study.workers import ray_cluster, threads

CHUNK, THOUGHTFUL = 500, 10
"""Games in a chunk, and where bots think: an interrupted run waits for the chunks under way."""
LOG_SIZE = 4096
"""Moves for which a log has space at first; a longer game is played again with a larger log."""


@dataclasses.dataclass(frozen=True)
class Simulation:
    """What was played: `results[rotation, game, row, seat]`, rows as in `rostra.engine.game`, and its decisions."""

    game: Game
    bots: tuple[Bot, ...]
    seed: int
    results: Array
    tallies: Array
    """tallies[rotation, game, i]: what `Play.tallies` names."""
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
        """The share of wins of the bot that sat at seat `player` first; a shared win counts in part."""
        return estimate_share(self._of_player(self._shares(), player))

    def share_of(self, name: str) -> Estimate:
        """The share of wins of all bots of this name together."""
        players = [player for player, bot in enumerate(self.bots) if bot.name == name]
        return estimate_share(np.sum([self._of_player(self._shares(), player) for player in players], axis=0))

    def points(self, player: int) -> Estimate:
        """The points of the bot that sat at seat `player` first."""
        return estimate(self._of_player(self.results[:, :, POINTS, :], player))

    def decided(self) -> float:
        """The share of games that somebody won."""
        return float((self.results[:, :, WINNER, :].sum(axis=2) > 0).mean())

    def counted(self) -> dict[str, Estimate]:
        """What `Play.tallies` names, as a mean per game."""
        means = self.tallies.mean(axis=0)
        return {name: estimate(means[:, i]) for i, name in enumerate(self.game.play.tallies)}

    def table(self) -> Table:
        """One row for each game and seat; see `Table`. Counts such as deals are those of the whole game.

        >>> import rostra
        >>> table = rostra.simulate("alea", ["greedy", "random"], games=3).table()
        >>> list(table)
        ['game', 'rotation', 'seat', 'bot', 'points', 'tiebreak', 'winner', 'share']
        >>> table["points"].shape
        (6,)
        """
        rotations, games, _, n = self.results.shape
        index = np.arange(games).repeat(rotations * n)
        rotation = np.tile(np.arange(rotations).repeat(n), games)
        orders = [[bot.name for bot in seat_order(self.bots, turned)] for turned in range(rotations)]

        def spread(numbers: Array) -> Array:
            return np.asarray(numbers.swapaxes(0, 1)).reshape(-1)

        columns = {
            "game": index,
            "rotation": rotation,
            "seat": np.tile(np.arange(n), games * rotations),
            "bot": np.tile(np.array(orders).reshape(-1), games),
            "points": spread(self.results[:, :, POINTS, :]),
            "tiebreak": spread(self.results[:, :, TIEBREAK, :]),
            "winner": spread(self.results[:, :, WINNER, :]).astype(bool),
            "share": spread(self._shares()),
        }
        for i, name in enumerate(self.game.play.tallies):
            columns[name] = spread(self.tallies[:, :, i]).repeat(n)
        return Table(columns)

    def _shares(self) -> Array:
        return shares_of_win(self.results[:, :, WINNER, :])

    def _of_player(self, numbers: Array, player: int) -> Array:
        """Block means for one bot: in rotation r it sits r seats further on."""
        n = len(self.bots)
        sat = [numbers[r, :, (player + r) % n] for r in range(len(numbers))]
        return np.asarray(np.mean(sat, axis=0))


def seat_order(bots: Sequence[Bot], rotation: int) -> tuple[Bot, ...]:
    """The bots by seat after turning the table: the bot at seat 0 moves to seat `rotation`."""
    return tuple(bots[(seat - rotation) % len(bots)] for seat in range(len(bots)))


def check_numbers(number: int, things: str, seed: int, workers: int) -> None:
    """Refuse numbers that are out of range."""
    if number < 1:
        raise BadOption(f"the number of {things} is at least 1, not {number}")
    if not 0 <= seed < SEEDS:
        raise BadOption(f"the seed is a whole number from 0 to 2**62 - 1, not {seed}")
    if workers < 1:
        raise BadOption(f"the number of workers is at least 1, not {workers}")


def simulate(
    game: Game | str,
    bots: Sequence[Bot | str | Choose],
    games: int,
    *,
    seed: int = 0,
    rotate: bool = False,
    workers: int = 1,
    options: dict[str, str] | None = None,
    ray: str | None = None,
    journal: str | Path | None = None,
    progress: Callable[[int], object] = lambda played: None,
) -> Simulation:
    """Play `games` seeds (with `rotate` each in all seat orders); `progress` is called with the number of games.

    There is one bot for each seat: a name, a `Bot`, or a function of your own (`make_bot`). The same seed gives the
    same games, whatever the number of workers (threads), or on a Ray cluster (`ray`, see docs/arena.md). With a
    `journal`, a file, a run that was stopped goes on where it was. Ctrl-C raises `Interrupted`, which has what is done.

    >>> import rostra
    >>> found = rostra.simulate("alea", ["greedy", "random"], games=200, seed=1, rotate=True)
    >>> found.share(0).mean > 0.9
    True
    """
    game, players = find_game(game), [make_bot(bot) for bot in bots]
    n = len(players)
    check_numbers(games, "games", seed, workers)
    game.new(n, options)  # refuses what cannot be played
    rotations = n if rotate else 1
    try:
        results = np.zeros((rotations, games, 3, n), np.int32)
    except MemoryError as error:
        raise BadOption(f"{games} games are more than fit into memory at once") from error
    tallies = np.zeros((rotations, games, len(game.play.tallies)), np.int32)
    loops_of(game)  # compiled here, not by several threads at once
    size = THOUGHTFUL if any(bot.policy == THINKS for bot in players) else CHUNK
    tasks = [(rotation, first) for first in range(0, games, size) for rotation in range(rotations)]
    chunks = (
        Chunk(game, seat_order(players, rotation), options or {}, seed, first, min(size, games - first))
        for rotation, first in tasks
    )
    decisions, done, kept = 0, 0, 0
    try:
        with ray_cluster(ray, workers) if ray else threads(workers) as team, journaled(team, journal, players) as hands:
            for (rotation, first), played in zip(tasks, hands.play(chunks), strict=True):
                results[rotation, first : first + size] = played.results
                tallies[rotation, first : first + size] = played.tallies
                decisions += played.decisions
                if rotation == rotations - 1:
                    done, kept = first + len(played.results), decisions
                progress(len(played.results))
    except KeyboardInterrupt as stopped:
        if not done:
            raise
        whole = Simulation(game, tuple(players), seed, results[:, :done], tallies[:, :done], kept)
        raise Interrupted(whole) from stopped
    return Simulation(game, tuple(players), seed, results, tallies, decisions)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in the middle of a simulation; `simulation` has the games that are done."""

    def __init__(self, simulation: Simulation) -> None:
        super().__init__()
        self.simulation = simulation


def transcripts(simulation: Simulation, options: dict[str, str] | None = None) -> Iterator[Transcript]:
    """The games of a simulation again, as transcripts: seed after seed, each in its seat orders."""
    game, n = simulation.game, len(simulation.bots)
    start, chosen, log = game.new(n, options), game.logged_options(options), np.zeros(LOG_SIZE, np.int32)
    for index in range(simulation.results.shape[1]):
        for rotation in range(simulation.results.shape[0]):
            order = seat_order(simulation.bots, rotation)
            sitting = Sitting(game, order)
            sitting.play(start, simulation.seed, index, log)
            if sitting.counts[0] > len(log):
                log = np.zeros(2 * int(sitting.counts[0]), np.int32)
                sitting.play(start, simulation.seed, index, log)
            events = list(play_out(game, game.new(n, options), log[: sitting.counts[0]].tolist()))
            result = result_of(game, sitting.states[0])
            names = [bot.name for bot in order]
            yield Transcript(game.name, game.rules.version, names, chosen, events=events, result=result)
