"""Statistics: shares of a win, intervals on block means, a sequential test, Plackett-Luce ratings.

Elo is Plackett-Luce's strength on a logarithmic scale: r = 10 ** (elo / 400), and each player wins with a chance
proportional to its r. The unit of all statistics is the block (one seed, all seat orders), never the game, because the
games of one seed share their dice.
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
    """The same for shares of wins, with an exact binomial interval if every block was won (or lost) completely."""
    found = estimate(blocks)
    if found.half is not None and (np.all(blocks == 1) or np.all(blocks == 0)):
        return found._replace(half=1 - 0.025 ** (1 / len(blocks)))  # Student t would give an interval of width zero
    return found


def score(elo: float, seats: int) -> float:
    """The expected block score of a bot that is better by this many Elo: one half plus half the difference between what
    its lone seat wins among copies of the other bot and what the other's lone seat wins among copies of it."""
    r = math.exp(elo / ELO)
    return 0.5 + (r / (r + seats - 1) - 1 / (1 + (seats - 1) * r)) / 2


def sprt(scores: Array, low: float, high: float, seats: int, decided: float = 1.0) -> Sprt:
    """Whether block scores favour `high` Elo or `low`: the generalised sequential test with estimated variance."""
    n = len(scores)
    # Games that nobody wins pull both hypotheses towards a draw.
    at_low, at_high = (0.5 + decided * (score(elo, seats) - 0.5) for elo in (low, high))
    # One more block, as uneven as two games of equals, so that a few equal blocks do not look like certainty.
    variance = (float(np.sum((scores - np.mean(scores)) ** 2)) + 0.125) / (n + 1)
    llr = n * (at_high - at_low) * (float(np.mean(scores)) - (at_low + at_high) / 2) / variance
    return Sprt(llr, "accepted" if llr >= LLR_BOUND else "rejected" if llr <= -LLR_BOUND else "open")


def plackett_luce(tables: Array, wins: Array) -> Array:
    """The most likely Elo of each bot, their mean 0: `tables[t, bot]` are its seats, `wins[t, bot]` its wins there.

    Every bot must have won and lost somewhere against every group of the others; `rate` makes sure of it.
    """
    elo = np.zeros(tables.shape[1])
    games = wins.sum(axis=1)
    for _ in range(200):
        weights = tables * np.exp(elo)
        chances = weights / weights.sum(axis=1, keepdims=True)
        slope = wins.sum(axis=0) - games @ chances
        bend = np.diag(games @ chances) - (chances * games[:, None]).T @ chances
        step = np.linalg.pinv(bend, rcond=1e-12, hermitian=True) @ slope
        step *= min(
            1, 1 / max(float(np.max(np.abs(step))), 1e-300)
        )  # far from the maximum a Newton step would overshoot
        elo += step
        if np.max(np.abs(step)) < 1e-9:
            break
    return np.asarray((elo - elo.mean()) * ELO)


def rate(n_bots: int, pairs: list[tuple[int, int, Array, Array]], seats: int, seed: int = 0) -> list[Rating]:
    """Ratings from cross-play. A pair is two bots, the wins of either's lone seat (`lone[block, way]`) and the wins of
    its opponents (`rest[block, way]`).

    Each pair gets one additional two-player game, a draw, so that a bot that won every game is not rated infinitely
    high. Intervals come from a Bayesian bootstrap: blocks get random weights, the same for blocks of one seed because
    they share dice, and the additional game gets a random result.
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
