"""Every bot against every other: win shares, ratings, a sequential test, and controls.

A block is one seed in all cyclic seat orders and, for more than two players, both ways round: one bot among copies of
the other, and the reverse. The statistics are in `ratings`; one table of bots is played by `simulate`.
"""

import contextlib
import dataclasses
import hashlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rostra.bots import Bot, make_bot
from rostra.bots.own import Choose
from rostra.engine.game import WINNER, BadOption, Game
from rostra.engine.jit import Array
from rostra.engine.loops import loops_of
from rostra.games import find_game
from rostra.study.chunks import Chunk, Played
from rostra.study.journal import journaled
from rostra.study.ratings import Estimate, Rating, Sprt, estimate_share, rate, shares_of_win, sprt
from rostra.study.simulate import check_numbers, seat_order
from rostra.study.tables import Table
from rostra.study.workers import Workers, ray_cluster, threads

STEP = 10
"""Blocks of cross-play in a chunk. The sequential test looks after each, so results depend on this number."""
MIRROR_BLOCKS, SANITY_BLOCKS = 10, 30


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two bots of a cross-play, by index. `shares[block, way]` is what a lone seat of either won among copies of the
    other, `decided[block, way]` the share of games that somebody won."""

    a: int
    b: int
    shares: Array
    decided: Array
    games: int
    sprt: Sprt | None

    @property
    def scores(self) -> Array:
        """What the sequential test is about: one half where neither did better, see `ratings.score`."""
        return _scores(self.shares)


class Mirror(NamedTuple):
    """A bot among its own copies; `exact` means that turning the table changed nothing."""

    share: Estimate
    fair: float
    exact: bool
    seconds: float
    """Per decision, including the rules. Printed, but not part of the results file, because it differs every time."""

    @property
    def passed(self) -> bool:
        """Whether the bot won its fair share."""
        return self.exact or (self.share.half is not None and abs(self.share.mean - self.fair) <= self.share.half)


@dataclasses.dataclass(frozen=True)
class CrossPlay:
    """Every bot against every other: what was asked for, the results, and whether the controls held."""

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
        """The names of the bots; a second bot of the same name is numbered."""
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
        """The controls that failed, in words; if there are any, the results mean nothing."""
        found = [
            f"{label} among its own copies won {100 * mirror.share.mean:.1f} % instead of {100 * mirror.fair:.1f} %"
            for label, mirror in zip(self.labels, self.mirrors, strict=True)
            if not mirror.passed
        ]
        if self.sanity.mean - (self.sanity.half or 0) <= 1 / self.seats:
            found.append(f"greedy among random won {100 * self.sanity.mean:.1f} %, no more than its fair share")
        return found

    def table(self) -> Table:
        """One row for each bot among copies of each other: its share of wins, half of the 95 % interval, and its Elo.

        >>> import rostra
        >>> table = rostra.arena("alea", ["greedy", "random"], seats=2, blocks=20).table()
        >>> list(table)
        ['bot', 'among', 'share', 'half', 'elo']
        """
        labels, elos = self.labels, [rating.elo for rating in self.ratings()]
        rows = [(bot, among) for bot in range(len(labels)) for among in range(len(labels)) if bot != among]
        shares = [self.share(bot, among) for bot, among in rows]
        return Table(
            bot=np.array([labels[bot] for bot, _ in rows]),
            among=np.array([labels[among] for _, among in rows]),
            share=np.array([share.mean for share in shares]),
            half=np.array([math.nan if share.half is None else share.half for share in shares]),
            elo=np.array([elos[bot] for bot, _ in rows]),
        )

    def document(self) -> dict[str, Any]:
        """The results file: the same for the same settings, on any machine and with any number of workers."""
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


Progress = Callable[[int, int, str], object]


def cross_play(
    game: Game | str,
    bots: Sequence[Bot | str | Choose],
    seats: int,
    blocks: int = 100,
    *,
    seed: int = 0,
    bounds: tuple[float, float] | None = None,
    workers: int = 1,
    ray: str | None = None,
    journal: str | Path | None = None,
    options: Mapping[str, str] | None = None,
    progress: Progress = lambda played, total, text: None,
) -> CrossPlay:
    """Every pair over `blocks` seeds, each in all seat orders and both ways round, and the controls.

    With `bounds` (in Elo) a pair stops as soon as the sequential test knows whether the bot named first is better.
    With a `journal`, a file, a run that was stopped goes on where it was.
    `progress(played, total, text)` receives the number of games and the interval so far. `rostra.arena` is this one.

    >>> import rostra
    >>> found = rostra.arena("alea", ["greedy", "random"], seats=2, blocks=20)
    >>> found.share(0, among=1).mean > 0.9, found.failures()
    (True, [])
    """
    check_numbers(blocks, "blocks", seed, workers)
    game, players = find_game(game), [make_bot(bot) for bot in bots]
    game.new(seats, options)  # refuses what cannot be played
    if len(players) < 2:
        raise BadOption(f"cross-play needs at least two bots, not {len(players)}, such as greedy,random")
    if bounds and not (bounds[0] < bounds[1] and math.isfinite(bounds[0]) and math.isfinite(bounds[1])):
        raise BadOption(
            f"the bounds of the test are two Elo numbers, the lower one first, not {bounds[0]:g},{bounds[1]:g}"
        )
    loops_of(game)  # compiled here, not by several threads at once
    chosen = dict(options or {})
    with ray_cluster(ray, workers) if ray else threads(workers) as team, journaled(team, journal, players) as hands:
        run = _Run(game, seats, blocks, seed, chosen, bounds, hands, progress)
        sanity, mirrors, pairs = run.play(players)
    return CrossPlay(
        game, seats, tuple(players), blocks, seed, chosen, bounds, pairs, mirrors, sanity, run.digest.hexdigest()[:16]
    )


@dataclasses.dataclass
class _Run:
    """A cross-play under way: what was asked for, who plays, and how far it has come."""

    game: Game
    seats: int
    blocks: int
    seed: int
    options: dict[str, str]
    bounds: tuple[float, float] | None
    team: Workers
    progress: Progress
    played: int = 0
    total: int = 0
    digest: Any = dataclasses.field(default_factory=hashlib.sha256)

    def play(self, bots: Sequence[Bot]) -> tuple[Estimate, tuple[Mirror, ...], tuple[Pair, ...]]:
        """The controls, then all pairs."""
        pairs = list(itertools.combinations(range(len(bots)), 2))
        ways = 1 if self.seats == 2 else 2
        mirrors = min(self.blocks, MIRROR_BLOCKS) * len(bots)
        self.total = self.seats * (self.blocks * ways * len(pairs) + mirrors + SANITY_BLOCKS)
        return (
            self._sanity(),
            tuple(self._mirror(bot) for bot in bots),
            tuple(self._pair(a, b, bots) for a, b in pairs),
        )

    def _orders(self, lone: Bot, others: Bot) -> list[tuple[Bot, ...]]:
        """One bot among copies of another, in all seat orders: in order r it sits at seat r."""
        return [seat_order([lone, *[others] * (self.seats - 1)], rotation) for rotation in range(self.seats)]

    def _results(self, orders: list[tuple[Bot, ...]], blocks: int) -> Iterator[tuple[Array, list[Played]]]:
        """Results of STEP blocks at a time, `[order, block, row, seat]`, in the order of their seeds."""
        steps = [(first, min(STEP, blocks - first)) for first in range(0, blocks, STEP)]
        chunks = (Chunk(self.game, order, self.options, self.seed, *step) for step in steps for order in orders)
        with contextlib.closing(self.team.play(chunks)) as playing:
            for _ in steps:
                done = list(itertools.islice(playing, len(orders)))
                results = np.stack([chunk.results for chunk in done])
                self.played += results.shape[0] * results.shape[1]
                self.digest.update(np.ascontiguousarray(results.swapaxes(0, 1), dtype="<i4").tobytes())
                yield results, done

    def _sanity(self) -> Estimate:
        """What one greedy bot wins among random ones."""
        orders = self._orders(make_bot("greedy"), make_bot("random"))
        return estimate_share(np.concatenate([_lone_share(r) for r, _ in self._results(orders, SANITY_BLOCKS)]))

    def _mirror(self, bot: Bot) -> Mirror:
        """A bot among its own copies."""
        found = list(self._results(self._orders(bot, bot), min(self.blocks, MIRROR_BLOCKS)))
        results = np.concatenate([results for results, _ in found], axis=1)
        chunks = [chunk for _, done in found for chunk in done]
        seconds = sum(chunk.seconds for chunk in chunks) / max(sum(chunk.decisions for chunk in chunks), 1)
        exact = bool((results == results[0]).all())
        self.progress(self.played, self.total, f"{bot.name} against itself")
        fair = float(_decided(results).mean()) / self.seats
        return Mirror(estimate_share(_lone_share(results)), fair, exact, seconds)

    def _pair(self, a: int, b: int, bots: Sequence[Bot]) -> Pair:
        """Two bots, until all blocks are played or the sequential test has decided."""
        orders = self._orders(bots[a], bots[b]) + (self._orders(bots[b], bots[a]) if self.seats > 2 else [])
        shares, decided, test = np.zeros((0, 2)), np.zeros((0, 2)), None
        for results, _ in self._results(orders, self.blocks):
            more, ended = _both_ways(results, self.seats)
            shares, decided = np.concatenate([shares, more]), np.concatenate([decided, ended])
            text = f"{bots[a].name} among {bots[b].name} {_per_cent(estimate_share(shares[:, 0]))}"
            if self.bounds:
                test = sprt(_scores(shares), *self.bounds, self.seats, float(decided.mean()))
                text += f", LLR {test.llr:.2f}"
            self.progress(self.played, self.total, text)
            if test and test.verdict != "open":
                self.total -= (self.blocks - len(shares)) * len(orders)
                break
        return Pair(a, b, shares, decided, len(shares) * len(orders), test)


def _lone_share(results: Array) -> Array:
    """For each block, what the bot won that sits at seat r in order r."""
    shares = shares_of_win(results[:, :, WINNER, :])
    return np.asarray(np.mean([shares[seat, :, seat] for seat in range(results.shape[3])], axis=0))


def _decided(results: Array) -> Array:
    """For each block, the share of games that somebody won."""
    return np.asarray((results[:, :, WINNER, :].sum(axis=2) > 0).mean(axis=0))


def _both_ways(results: Array, seats: int) -> tuple[Array, Array]:
    """For each block and way, the share of the lone seat and the share of decided games."""
    first, second = results[:seats], results[-seats:]
    lone = _lone_share(first)
    # Of two players the other one won the rest: both ways round are the same games.
    other = _lone_share(second) if seats > 2 else _decided(first) - lone
    return np.stack([lone, other], axis=1), np.stack([_decided(first), _decided(second)], axis=1)


def _scores(shares: Array) -> Array:
    return np.asarray(0.5 + (shares[:, 0] - shares[:, 1]) / 2)


def _per_cent(share: Estimate) -> str:
    half = "" if share.half is None else f" +-{100 * share.half:.1f}"
    return f"{100 * share.mean:.1f}{half} %"
