"""The statistics of the arena: intervals on block means, a sequential test, Plackett-Luce ratings. Pure numbers.

No games are played here and nothing is drawn but the bootstrap's own weights. Elo is Plackett-Luce's strength on a
logarithmic scale: r = 10 ** (elo / 400), and a table is won by each player with a chance proportional to its r. What a
newcomer would get wrong: the unit is the block (one seed, all seat orders), never the game, because games of one seed
share their dice.
"""

import math
from typing import NamedTuple

import numpy as np

from rostra.engine.jit import Array

ELO = 400 / math.log(10)
"""Elo points of a factor e in strength."""
LLR_BOUND = math.log(0.95 / 0.05)
"""Where the test stops: both errors at 5 %, so 2.94."""
RESAMPLES = 400


class Estimate(NamedTuple):
    """A mean with half the width of its 95 % interval (None for a single block)."""

    mean: float
    half: float | None


class Rating(NamedTuple):
    """A strength in Elo around the mean of all rated, with its 95 % interval."""

    elo: float
    low: float
    high: float


class Sprt(NamedTuple):
    """Where a sequential test stands: `verdict` is accepted (the upper bound), rejected (the lower one) or open."""

    llr: float
    verdict: str


def shares_of_win(winners: Array) -> Array:
    """What each seat has of a win: `winners[..., seat]` is 1 for a winner, else 0.

    A shared win is divided; where nobody won, all shares are 0.
    """
    return np.asarray(winners / np.maximum(np.sum(winners, axis=-1, keepdims=True), 1))


def t_quantile(freedom: int) -> float:
    """The 97.5 % point of Student's t distribution: exact for 1 and 2 degrees of freedom, else within 0.3 %."""
    if freedom == 1:
        return math.tan(math.pi * 0.475)
    if freedom == 2:
        return 0.95 * math.sqrt(2 / (1 - 0.95**2))
    z = 1.959963984540054
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


def estimate(blocks: Array) -> Estimate:
    """The mean of block means with a Student t interval."""
    n = len(blocks)
    half = t_quantile(n - 1) * float(np.std(blocks, ddof=1)) / math.sqrt(n) if n > 1 else None
    return Estimate(float(np.mean(blocks)), half)


def estimate_share(blocks: Array) -> Estimate:
    """The same for shares of wins; where every block was won (or lost) whole, how many would be needed to be sure."""
    found = estimate(blocks)
    if found.half is not None and (np.all(blocks == 1) or np.all(blocks == 0)):
        return found._replace(half=1 - 0.025 ** (1 / len(blocks)))  # t would say that no block can ever differ
    return found


def score(elo: float, seats: int) -> float:
    """The mean block score of a bot better by so many Elo: one half, and half of what its lone seat wins among copies
    of the other more than the other's among copies of it."""
    r = math.exp(elo / ELO)
    return 0.5 + (r / (r + seats - 1) - 1 / (1 + (seats - 1) * r)) / 2


def sprt(scores: Array, low: float, high: float, seats: int, decided: float = 1.0) -> Sprt:
    """Whether block scores speak for `high` Elo or for `low`: the generalised test, normal, with estimated variance."""
    n = len(scores)
    # Games that nobody wins pull both hypotheses towards a draw.
    at_low, at_high = (0.5 + decided * (score(elo, seats) - 0.5) for elo in (low, high))
    # One block more, as uneven as two games of equals, keeps a few equal blocks from being taken for certainty.
    variance = (float(np.sum((scores - np.mean(scores)) ** 2)) + 0.125) / (n + 1)
    llr = n * (at_high - at_low) * (float(np.mean(scores)) - (at_low + at_high) / 2) / variance
    return Sprt(llr, "accepted" if llr >= LLR_BOUND else "rejected" if llr <= -LLR_BOUND else "open")


def plackett_luce(tables: Array, wins: Array) -> Array:
    """The most likely Elo of each bot, their mean 0: `tables[t, bot]` are its seats, `wins[t, bot]` its wins there.

    Every bot must have won and lost somewhere against every group of the others; `rate` sees to it.
    """
    elo = np.zeros(tables.shape[1])
    games = wins.sum(axis=1)
    for _ in range(200):
        weights = tables * np.exp(elo)
        chances = weights / weights.sum(axis=1, keepdims=True)
        slope = wins.sum(axis=0) - games @ chances
        bend = np.diag(games @ chances) - (chances * games[:, None]).T @ chances
        step = np.linalg.pinv(bend, rcond=1e-12, hermitian=True) @ slope
        step *= min(1, 1 / max(float(np.max(np.abs(step))), 1e-300))  # far from the top Newton would overshoot
        elo += step
        if np.max(np.abs(step)) < 1e-9:
            break
    return np.asarray((elo - elo.mean()) * ELO)


def rate(n_bots: int, pairs: list[tuple[int, int, Array, Array]], seats: int, seed: int = 0) -> list[Rating]:
    """Ratings from cross-play: a pair is two bots and, a row a block, the wins of either's lone seat and of its
    opponents: `lone[block, way]`, `rest[block, way]`.

    Each pair is given one more two-player game, drawn, so that who won every game is not rated infinitely high.
    Intervals are a Bayesian bootstrap: blocks weighted at random, those of one seed alike since they share dice, and
    the added game's result drawn anew.
    """
    tables = np.zeros((3 * len(pairs), n_bots))
    for t, (a, b, _, _) in enumerate(pairs):
        tables[3 * t, [a, b]] = 1, seats - 1
        tables[3 * t + 1, [a, b]] = seats - 1, 1
        tables[3 * t + 2, [a, b]] = 1

    def rated(weights: Array, added: Array) -> Array:
        wins = np.zeros_like(tables)
        for t, (a, b, lone, rest) in enumerate(pairs):
            part = weights[: len(lone)] * (len(lone) / weights[: len(lone)].sum())
            wins[3 * t, [a, b]] = part @ lone[:, 0], part @ rest[:, 0]
            wins[3 * t + 1, [a, b]] = part @ rest[:, 1], part @ lone[:, 1]
            wins[3 * t + 2, [a, b]] = added[t], 1 - added[t]
        return plackett_luce(tables, wins)

    most = max(len(lone) for _, _, lone, _ in pairs)
    best = rated(np.ones(most), np.full(len(pairs), 0.5))
    chance = np.random.default_rng(seed)
    again = [rated(chance.exponential(size=most), chance.uniform(size=len(pairs))) for _ in range(RESAMPLES)]
    low, high = np.percentile(again, [2.5, 97.5], axis=0)
    return [Rating(*(float(number) for number in bot)) for bot in zip(best, low, high, strict=True)]
