"""Statistics against known truths: intervals that cover, a test that errs as it says, strengths found again."""

import numpy as np
import pytest
from scipy import stats

from rostra.engine.jit import Array
from rostra.study.ratings import (
    LLR_BOUND,
    estimate,
    estimate_share,
    plackett_luce,
    rate,
    score,
    shares_of_win,
    sprt,
    t_quantile,
)


def coin_blocks(chance: np.random.Generator, elo: float, blocks: int) -> Array:
    """Block scores of two-player games that are coin flips, two games a block."""
    return np.asarray((chance.random((blocks, 2)) < score(elo, 2)).mean(axis=1))


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 29, 999])
def test_quantiles_are_student_s(freedom: int) -> None:
    assert t_quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=3e-3)


@pytest.mark.parametrize("blocks", [5, 20, 100])
def test_intervals_cover_the_truth(blocks: int) -> None:
    chance = np.random.default_rng(1)
    covered = 0
    for _ in range(2000):
        found = estimate(chance.normal(0.5, 0.1, blocks))
        assert found.half is not None
        covered += abs(found.mean - 0.5) <= found.half
    assert 0.93 < covered / 2000 < 0.97


def test_one_block_has_no_interval() -> None:
    assert estimate(np.array([0.5])) == (0.5, None)
    assert estimate_share(np.array([1.0])) == (1, None)


def test_winning_every_block_is_not_certainty() -> None:
    """With a chance of 3 % a block to lose, 80 blocks are often all won; the interval must then reach to 97 %."""
    found = estimate_share(np.ones(80))
    assert found.half is not None
    assert 0.03 < found.half < 0.06
    assert estimate_share(np.zeros(80)).half == found.half
    assert estimate_share(np.full(80, 0.5)).half == 0  # a mirror match: exactly even


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_scores_follow_elo(seats: int) -> None:
    assert score(0, seats) == 0.5
    assert score(50, seats) + score(-50, seats) == pytest.approx(1)
    assert score(50, seats) < score(60, seats)
    assert score(400, 2) == pytest.approx(10 / 11)


@pytest.mark.parametrize(("truth", "verdict"), [(0, "rejected"), (60, "accepted")])
def test_the_sequential_test_errs_no_more_than_it_says(truth: float, verdict: str) -> None:
    chance = np.random.default_rng(7)
    runs, wrong, blocks = 400, 0, 0
    for _ in range(runs):
        scores = coin_blocks(chance, truth, 3000)
        looks = ((n, sprt(scores[:n], 0, 60, 2).verdict) for n in range(10, 3001, 10))
        n, found = next((n, found) for n, found in looks if found != "open")
        wrong += found != verdict
        blocks += n
    assert wrong / runs < 0.075  # 5 % and three standard errors, less what the last step overshoots
    assert blocks / runs < 200


def test_the_sequential_test_needs_few_games_when_the_truth_is_clear() -> None:
    assert sprt(np.ones(10), 0, 20, 2).verdict == "accepted"
    assert sprt(np.zeros(10), 0, 20, 2).verdict == "rejected"
    assert sprt(np.full(100, 0.5), 0, 20, 2).verdict == "rejected"
    half_way = sprt(coin_blocks(np.random.default_rng(2), 10, 50), 0, 20, 2)
    assert half_way.verdict == "open"
    assert abs(half_way.llr) < LLR_BOUND


def test_games_that_nobody_wins_count_for_neither_side() -> None:
    """Half of the games undecided halves what can be won: the same scores then speak louder for the better bot."""
    scores = 0.5 + (coin_blocks(np.random.default_rng(3), 100, 40) - 0.5) / 2
    assert sprt(scores, 0, 100, 2, 0.5).llr > sprt(scores, 0, 100, 2).llr


@pytest.mark.parametrize("seats", [2, 4])
def test_plackett_luce_finds_known_strengths(seats: int) -> None:
    truth = np.array([150.0, 40.0, -60.0, -130.0])
    chance = np.random.default_rng(5)
    r = 10 ** (truth / 400)
    tables, wins = [], []
    for a in range(4):
        for b in range(4):
            if a != b:
                table = np.zeros(4)
                table[[a, b]] = 1, seats - 1
                tables.append(table)
                wins.append(chance.multinomial(5000, table * r / (table * r).sum()))
    assert plackett_luce(np.array(tables), np.array(wins)) == pytest.approx(truth, abs=8)


def lone_pairs(
    chance: np.random.Generator, truth: Array, seats: int, blocks: int
) -> list[tuple[int, int, Array, Array]]:
    r = 10 ** (truth / 400)
    pairs = []
    for a in range(len(truth)):
        for b in range(a + 1, len(truth)):
            first = chance.binomial(seats, r[a] / (r[a] + (seats - 1) * r[b]), blocks)
            second = chance.binomial(seats, r[b] / (r[b] + (seats - 1) * r[a]), blocks)
            lone = np.stack([first, second], axis=1)
            pairs.append((a, b, lone, seats - lone))
    return pairs


def test_rating_intervals_are_as_wide_as_ratings_scatter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sharper than counting how often they cover, for which a test has no time."""
    monkeypatch.setattr("rostra.study.ratings.RESAMPLES", 100)
    truth = np.array([60.0, 0.0, -60.0])
    chance = np.random.default_rng(11)
    found = np.array([rate(3, lone_pairs(chance, truth, 3, 60), 3, run) for run in range(60)])
    elo, low, high = np.moveaxis(found, 2, 0)
    scatter = np.sqrt(np.mean((elo - truth) ** 2))
    assert np.mean(high - low) / (2 * 1.96) == pytest.approx(scatter, rel=0.2)
    assert elo.mean(axis=0) == pytest.approx(truth, abs=5)


def test_pairs_may_have_different_numbers_of_blocks() -> None:
    truth = np.array([100.0, 0.0, -100.0])
    chance = np.random.default_rng(12)
    long, short = lone_pairs(chance, truth, 2, 800), lone_pairs(chance, truth, 2, 20)
    ratings = rate(3, [long[0], short[1], long[2]], 2)
    assert [rating.elo for rating in ratings] == pytest.approx(truth, abs=40)


def test_who_won_everything_is_rated_finitely_and_unsurely() -> None:
    lone = np.tile([2, 0], (50, 1))
    winner, loser = rate(2, [(0, 1, lone, 2 - lone)], 2)
    assert winner.elo == -loser.elo
    assert 200 < winner.elo < 1000
    assert winner.high - winner.low > 100


def test_a_shared_win_is_divided_and_a_game_without_winner_has_no_shares() -> None:
    winners = np.array([[1, 0, 0], [1, 0, 1], [0, 0, 0]])
    assert shares_of_win(winners).tolist() == [[1, 0, 0], [0.5, 0, 0.5], [0, 0, 0]]
    assert shares_of_win(winners[1]).tolist() == [0.5, 0, 0.5]
