"""Many games at once: cut into chunks, run on threads inside compiled loops (or on Ray), summed up with intervals.

`simulate` plays one table, `cross_play` every bot against every other, with controls; the statistics are in `ratings`.
Game i is seeded from (seed, i), so results depend neither on the number of workers nor on the order of chunks. With
rotation every seed is played in all n cyclic seat orders with the same dice, and statistics are taken over such blocks,
because the games of a block are not independent. What a newcomer would get wrong: seats choose from streams of
their own, so equal bots in any order play the very same games.
"""

import contextlib
import dataclasses
import hashlib
import importlib
import itertools
import math
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from rostra.bots import Bot, make_bot
from rostra.engine.game import OVER, POINTS, WINNER, BadOption, Game
from rostra.engine.jit import Array
from rostra.engine.loops import THINKS, loops_of
from rostra.engine.rng import SEEDS
from rostra.games import find_game
from rostra.play.transcript import Transcript, play_out, result_of
from rostra.study.ratings import Estimate, Rating, Sprt, estimate, estimate_share, rate, sprt

CHUNK = 500
LOG_ROOM = 4096
STEP = 10
"""Blocks of cross-play in a chunk; the sequential test looks after each, so it is part of the results."""
MIRROR_BLOCKS, SANITY_BLOCKS = 10, 30


@dataclasses.dataclass(frozen=True)
class Simulation:
    """What was played: `results[rotation, game, row, seat]`, rows as in `rostra.engine.game`, and its decisions."""

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
        return estimate_share(self._of_player(_parts(self.results), player))

    def share_of(self, name: str) -> Estimate:
        """The share of wins of all bots of this name together."""
        players = [player for player, bot in enumerate(self.bots) if bot.name == name]
        return estimate_share(np.sum([self._of_player(_parts(self.results), player) for player in players], axis=0))

    def points(self, player: int) -> Estimate:
        """The points of the bot that sat at seat `player` first."""
        return estimate(self._of_player(self.results[:, :, POINTS, :], player))

    def decided(self) -> float:
        """The share of games that somebody won."""
        return float((self.results[:, :, WINNER, :].sum(axis=2) > 0).mean())

    def counted(self) -> dict[str, Estimate]:
        """What `Game.tallies` names, a game."""
        means = self.tallies.mean(axis=0)
        return {name: estimate(means[:, i]) for i, name in enumerate(self.game.play.tallies)}

    def _of_player(self, numbers: Array, player: int) -> Array:
        """Block means for one bot: in rotation r it sits r seats further on."""
        n = len(self.bots)
        sat = [numbers[r, :, (player + r) % n] for r in range(len(numbers))]
        return np.asarray(np.mean(sat, axis=0))


def _parts(results: Array) -> Array:
    """What each seat has of a win; a shared one is divided."""
    wins = results[:, :, WINNER, :]
    return np.asarray(wins / np.maximum(wins.sum(axis=2, keepdims=True), 1))


def seat_order(bots: Sequence[Bot], rotation: int) -> list[Bot]:
    """The bots by seat after turning the table: who sat at seat 0 sits at seat `rotation`."""
    return [bots[(seat - rotation) % len(bots)] for seat in range(len(bots))]


def _check(number: int, things: str, seed: int, workers: int) -> None:
    if number < 1:
        raise BadOption(f"the number of {things} is at least 1, not {number}")
    if not 0 <= seed < SEEDS:
        raise BadOption(f"the seed is a whole number from 0 to 2**62 - 1, not {seed}")
    if workers < 1:
        raise BadOption(f"the number of workers is at least 1, not {workers}")


class _Sitting:
    """One table for game after game: bots that think are asked, everything else runs in compiled code."""

    def __init__(self, game: Game, order: Sequence[Bot]) -> None:
        self.game, self.order, self.kernels = game, order, loops_of(game)
        n = len(order)
        self.states, self.buffer = np.zeros(2, game.rules.state), np.empty(game.rules.max_legal, np.int32)
        self.dice, self.choices = np.zeros(1, np.uint64), np.zeros((n, 1), np.uint64)
        self.policies = np.array([bot.policy for bot in order], np.int32)
        self.counts = np.zeros(2, np.int64)

    def play(self, start: Any, seed: int, index: int, log: Array) -> None:
        """One game to its end; `counts` are its plies and decisions, the log has as many moves as it has room for."""
        self.states[0] = start
        self.counts[:] = 0
        dice_seed = self.kernels.start(self.dice, self.choices, seed, index)
        while True:
            seat = self.kernels.play(
                self.states, self.policies, dice_seed, self.dice, self.choices, self.buffer, log, self.counts
            )
            if seat == OVER:
                return
            move = self.order[seat].choose(self.game, self.states[0], self.choices[seat])
            if self.counts[0] < len(log):
                log[self.counts[0]] = move
            self.counts += 1
            self.game.rules.apply(self.states[0], move)


def _play(game: Game, order: Sequence[Bot], start: Any, seed: int, first: int, rows: Array, counts: Array) -> int:
    """Games first, first + 1, ... of these bots by seat, a row each; returns the number of decisions."""
    if any(bot.policy == THINKS for bot in order):
        sitting, log, decisions = _Sitting(game, order), np.zeros(0, np.int32), 0
        for index in range(len(rows)):
            sitting.play(start, seed, first + index, log)
            game.rules.score(sitting.states[0], rows[index])
            game.play.tally(sitting.states[0], counts[index])
            decisions += int(sitting.counts[1])
        return decisions
    states = np.zeros(3, game.rules.state)
    states[2] = start
    policies = np.array([bot.policy for bot in order], np.int32)
    buffer = np.empty(game.rules.max_legal, np.int32)
    return loops_of(game).games(states, policies, seed, first, buffer, rows, counts)


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
    _check(games, "games", seed, workers)
    start = game.new(n, options)
    rotations = n if rotate else 1
    try:
        results = np.zeros((rotations, games, 3, n), np.int32)
    except MemoryError as error:
        raise BadOption(f"{games} games are more than fit into memory at once") from error
    tallies = np.zeros((rotations, games, len(game.play.tallies)), np.int32)
    loops_of(game)  # compiled here, not by several threads at once

    def run(task: tuple[int, int]) -> tuple[int, int]:
        rotation, first = task
        rows, counts = results[rotation, first : first + CHUNK], tallies[rotation, first : first + CHUNK]
        return _play(game, seat_order(bots, rotation), start, seed, first, rows, counts), len(rows)

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
    start, chosen, log = game.new(n, options), game.all_options(options), np.zeros(LOG_ROOM, np.int32)
    for index in range(simulation.results.shape[1]):
        for rotation in range(simulation.results.shape[0]):
            order = seat_order(simulation.bots, rotation)
            sitting = _Sitting(game, order)
            sitting.play(start, simulation.seed, index, log)
            if sitting.counts[0] > len(log):
                log = np.zeros(2 * int(sitting.counts[0]), np.int32)
                sitting.play(start, simulation.seed, index, log)
            events = list(play_out(game, game.new(n, options), log[: sitting.counts[0]].tolist()))
            result = result_of(game, sitting.states[0])
            names = [bot.name for bot in order]
            yield Transcript(game.name, game.rules.version, names, chosen, events=events, result=result)


class Chunk(NamedTuple):
    """Some games of one seat order, in words, so that another machine can play them."""

    game: str
    order: tuple[str, ...]
    options: dict[str, str]
    seed: int
    first: int
    games: int


class Played(NamedTuple):
    """What came of a chunk."""

    results: Array
    decisions: int
    seconds: float


def play_chunk(chunk: Chunk) -> Played:
    """Play it, here."""
    game, order = find_game(chunk.game), [make_bot(name) for name in chunk.order]
    n = len(order)
    start = game.new(n, chunk.options)
    rows, counts = np.zeros((chunk.games, 3, n), np.int32), np.zeros((chunk.games, len(game.play.tallies)), np.int32)
    loops_of(game)  # loading compiled code is not thinking
    began = time.perf_counter()
    decisions = _play(game, order, start, chunk.seed, chunk.first, rows, counts)
    return Played(rows, decisions, time.perf_counter() - began)


class Workers(NamedTuple):
    """Who plays chunks: how to hand one over, and how many can be played at a time."""

    submit: Callable[[Chunk], Future[Played]]
    number: int


@contextlib.contextmanager
def threads(number: int) -> Iterator[Workers]:
    """Workers on this machine; compiled loops do not hold Python's lock."""
    with ThreadPoolExecutor(number) as pool:
        try:
            yield Workers(lambda chunk: pool.submit(play_chunk, chunk), number)
        finally:
            pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def ray_cluster(address: str, number: int) -> Iterator[Workers]:
    """Workers on a Ray cluster whose nodes have the same Rostra; `local` starts one of `number` processes here."""
    try:
        ray = importlib.import_module("ray")
    except ImportError as error:
        raise BadOption("--ray needs Ray: pip install 'rostra[ray]'") from error
    settings = {"num_cpus": number, "include_dashboard": False} if address == "local" else {}
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    try:
        if colon:  # Ray itself would go on trying for minutes
            socket.create_connection((host, int(port)), 5).close()
        ray.init(address=address, log_to_driver=False, **settings)
    except (OSError, OverflowError, RuntimeError, ValueError) as error:
        raise BadOption(f"no Ray cluster answers at {address!r} ({error}); `--ray local` starts one here") from error
    try:
        remote = ray.remote(play_chunk)
        yield Workers(lambda chunk: remote.remote(chunk).future(), int(ray.cluster_resources().get("CPU", 1)))
    finally:
        ray.shutdown()


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two bots of a cross-play, by index, and a row a block: what a lone seat of either won among copies of the other
    (`shares[block, way]`), and how many games somebody won."""

    a: int
    b: int
    shares: Array
    decided: Array
    games: int
    sprt: Sprt | None

    @property
    def scores(self) -> Array:
        """What the sequential test is about: one half where neither did better, see `ratings.score`."""
        return np.asarray(0.5 + (self.shares[:, 0] - self.shares[:, 1]) / 2)


class Mirror(NamedTuple):
    """A bot among its own copies: `exact` where turning the table changed nothing."""

    share: Estimate
    fair: float
    exact: bool
    seconds: float
    """A decision, with the rules around it; for eyes, never for the results file."""

    @property
    def passed(self) -> bool:
        """Whether nobody had more than the fair share."""
        return self.exact or (self.share.half is not None and abs(self.share.mean - self.fair) <= self.share.half)


@dataclasses.dataclass(frozen=True)
class CrossPlay:
    """Every bot against every other: what was asked for, what came of it, and whether the controls held."""

    game: Game
    seats: int
    bots: tuple[Bot, ...]
    blocks: int
    seed: int
    options: dict[str, str]
    bounds: tuple[float, float] | None
    pairs: tuple[Pair, ...]
    mirrors: tuple[Mirror, ...]
    sanity: Estimate
    """What one greedy bot won among random ones."""
    digest: str
    """A hash of all results, block after block, to compare runs."""

    @property
    def labels(self) -> list[str]:
        """The bots' names; a second of the same name is numbered."""
        names = [bot.name for bot in self.bots]
        seen = [names[: i + 1].count(name) for i, name in enumerate(names)]
        return [name if nth == 1 else f"{name} ({nth})" for name, nth in zip(names, seen, strict=True)]

    @property
    def games(self) -> int:
        """Games played between different bots."""
        return sum(pair.games for pair in self.pairs)

    def share(self, bot: int, among: int) -> Estimate:
        """What one bot won among copies of another (or of itself)."""
        if bot == among:
            return self.mirrors[bot].share
        pair = next(pair for pair in self.pairs if {pair.a, pair.b} == {bot, among})
        return estimate_share(pair.shares[:, 0 if pair.a == bot else 1])

    def ratings(self) -> list[Rating]:
        """Plackett-Luce ratings of the bots, in their order."""
        counted = [
            (pair.a, pair.b, self.seats * pair.shares, self.seats * (pair.decided - pair.shares)) for pair in self.pairs
        ]
        if self.seats == 2:  # both ways round are the same games
            counted = [(a, b, lone * [1, 0], rest * [1, 0]) for a, b, lone, rest in counted]
        return rate(len(self.bots), counted, self.seats, self.seed)

    def failures(self) -> list[str]:
        """The controls that did not hold, in words; with any of them the figures mean nothing."""
        found = [
            f"{label} among its own copies won {100 * mirror.share.mean:.1f} % instead of {100 * mirror.fair:.1f} %"
            for label, mirror in zip(self.labels, self.mirrors, strict=True)
            if not mirror.passed
        ]
        if self.sanity.mean - (self.sanity.half or 0) <= 1 / self.seats:
            found.append(f"greedy among random won {100 * self.sanity.mean:.1f} %, no more than its fair share")
        return found

    def document(self) -> dict[str, Any]:
        """The results file: what the same settings give again, on any machine and with any number of workers."""
        labels, n = self.labels, len(self.bots)
        return {
            "game": self.game.name,
            "rules": self.game.rules.version,
            "seats": self.seats,
            "options": self.game.all_options(self.options),
            "bots": labels,
            "blocks": self.blocks,
            "seed": self.seed,
            "sprt": self.bounds,
            "intervals": "95 %: shares by Student t on block means, ratings by Bayesian bootstrap of blocks",
            "fair": _rounded(1 / self.seats),
            "matrix": [[_plain(self.share(bot, among)) for among in range(n)] for bot in range(n)],
            "pairs": [
                {
                    "bots": [labels[pair.a], labels[pair.b]],
                    "blocks": len(pair.shares),
                    "games": pair.games,
                    "decided": _rounded(float(pair.decided.mean())),
                    "score": _plain(estimate_share(pair.scores)),
                    "sprt": _plain(pair.sprt) if pair.sprt else None,
                }
                for pair in self.pairs
            ],
            "ratings": [{"bot": label, **_plain(r)} for label, r in zip(labels, self.ratings(), strict=True)],
            "controls": {
                "mirror": [
                    {"bot": label, "share": _plain(mirror.share), "exact": mirror.exact}
                    for label, mirror in zip(labels, self.mirrors, strict=True)
                ],
                "sanity": {"bots": ["greedy", "random"], "share": _plain(self.sanity)},
                "failures": self.failures(),
            },
            "games": self.games,
            "digest": self.digest,
        }


def _rounded(number: float) -> float:
    return round(number, 6)  # the last bits depend on the machine


def _plain(numbers: Estimate | Rating | Sprt) -> dict[str, Any]:
    return {name: _rounded(value) if isinstance(value, float) else value for name, value in numbers._asdict().items()}


def cross_play(
    game: Game,
    bots: Sequence[Bot],
    n_seats: int,
    blocks: int,
    *,
    seed: int = 0,
    bounds: tuple[float, float] | None = None,
    workers: int = 1,
    ray: str | None = None,
    options: Mapping[str, str] | None = None,
    progress: Callable[[int, int, str], object] = lambda played, total, text: None,
) -> CrossPlay:
    """Every pair over `blocks` seeds, each in all seat orders and both ways round, and the controls.

    With `bounds` (in Elo) a pair ends as soon as the sequential test knows whether the bot named first is better.
    `progress(played, total, text)` hears of games and the running interval.
    """
    _check(blocks, "blocks", seed, workers)
    game.new(n_seats, options)  # refuses what cannot be played
    if len(bots) < 2:
        raise BadOption(f"cross-play needs at least two bots, not {len(bots)}, such as greedy,random")
    if bounds and not (bounds[0] < bounds[1] and math.isfinite(bounds[0]) and math.isfinite(bounds[1])):
        raise BadOption(
            f"the bounds of the test are two Elo numbers, the lower one first, not {bounds[0]:g},{bounds[1]:g}"
        )
    loops_of(game)  # compiled here, not by several threads at once
    chosen, hashed = dict(options or {}), hashlib.sha256()
    ways = 1 if n_seats == 2 else 2
    pairs = list(itertools.combinations(range(len(bots)), 2))
    mirror_blocks = min(blocks, MIRROR_BLOCKS)
    played = 0
    total = n_seats * (blocks * ways * len(pairs) + mirror_blocks * len(bots) + SANITY_BLOCKS)

    def table(lone: Bot, others: Bot) -> list[list[Bot]]:
        return [seat_order([lone, *[others] * (n_seats - 1)], rotation) for rotation in range(n_seats)]

    def run(orders: list[list[Bot]], number: int) -> Iterator[tuple[Array, list[Played]]]:
        """Results of STEP blocks at a time, `[order, block, row, seat]`, in the order of their seeds."""
        nonlocal played
        steps = [(first, min(STEP, number - first)) for first in range(0, number, STEP)]
        names = [tuple(bot.name for bot in order) for order in orders]
        todo = (Chunk(game.name, order, chosen, seed, *step) for step in steps for order in names)
        flying: deque[Future[Played]] = deque()
        # Enough in the air to keep all busy, little enough to throw away when the test ends.
        room = len(orders) + 2 * team.number
        try:
            for _ in steps:
                flying.extend(team.submit(chunk) for chunk in itertools.islice(todo, room - len(flying)))
                done = [flying.popleft().result() for _ in orders]
                results = np.stack([chunk.results for chunk in done])
                played += results.shape[0] * results.shape[1]
                hashed.update(np.ascontiguousarray(results.swapaxes(0, 1), dtype="<i4").tobytes())
                yield results, done
        finally:
            for future in flying:
                future.cancel()

    def lone_share(results: Array) -> Array:
        """A block, what the bot won that sits at seat r in order r."""
        return np.asarray(np.mean([_parts(results)[seat, :, seat] for seat in range(n_seats)], axis=0))

    def decided(results: Array) -> Array:
        return np.asarray((results[:, :, WINNER, :].sum(axis=2) > 0).mean(axis=0))

    def mirror(bot: Bot) -> Mirror:
        found = list(run(table(bot, bot), mirror_blocks))
        results = np.concatenate([results for results, _ in found], axis=1)
        chunks = [chunk for _, done in found for chunk in done]
        seconds = sum(chunk.seconds for chunk in chunks) / max(sum(chunk.decisions for chunk in chunks), 1)
        exact = bool((results == results[0]).all())
        share = estimate_share(lone_share(results))
        progress(played, total, f"{bot.name} against itself")
        return Mirror(share, float(decided(results).mean()) / n_seats, exact, seconds)

    def pair(a: int, b: int) -> Pair:
        nonlocal total
        orders = table(bots[a], bots[b]) + (table(bots[b], bots[a]) if ways == 2 else [])
        shares, ended, test = np.zeros((0, 2)), np.zeros((0, 2)), None
        for results, _ in run(orders, blocks):
            first, second = results[:n_seats], results[-n_seats:]
            if ways == 2:
                more = [lone_share(first), lone_share(second)]
            else:
                more = [lone_share(first), decided(first) - lone_share(first)]
            shares = np.concatenate([shares, np.stack(more, axis=1)])
            ended = np.concatenate([ended, np.stack([decided(first), decided(second)], axis=1)])
            sofar = estimate_share(shares[:, 0])
            half = "" if sofar.half is None else f" +-{100 * sofar.half:.1f}"
            text = f"{bots[a].name} among {bots[b].name} {100 * sofar.mean:.1f}{half} %"
            if bounds:
                scores = 0.5 + (shares[:, 0] - shares[:, 1]) / 2
                test = sprt(scores, *bounds, n_seats, float(ended.mean()))
                text += f", LLR {test.llr:.2f}"
            progress(played, total, text)
            if test and test.verdict != "open":
                total -= (blocks - len(shares)) * len(orders)
                break
        return Pair(a, b, shares, ended, len(shares) * len(orders), test)

    with ray_cluster(ray, workers) if ray else threads(workers) as team:
        sane = np.concatenate(
            [lone_share(r) for r, _ in run(table(make_bot("greedy"), make_bot("random")), SANITY_BLOCKS)]
        )
        mirrors = tuple(mirror(bot) for bot in bots)
        found = tuple(pair(a, b) for a, b in pairs)
    return CrossPlay(
        game, n_seats, tuple(bots), blocks, seed, chosen, bounds, found, mirrors, estimate_share(sane),
        hashed.hexdigest()[:16],
    )  # fmt: skip
