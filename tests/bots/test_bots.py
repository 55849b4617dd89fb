"""Bots by name: each plays legally, repeats itself, and cannot see what its seat may not know."""

import random

import numpy as np
import pytest

from conftest import walk
from games.alea.test_secrets import other_world
from rostra.bots import LEVELS, deep, learned, make_bot
from rostra.engine import rng
from rostra.engine.game import BadOption, Game, digest
from rostra.games import GAMES
from rostra.games.alea import ALEA
from rostra.games.alea.tables import DEAL, TAKE_CARD
from rostra.study.simulate import simulate

REPEATABLE = (
    *("random", "greedy", "flat:40", "search:40", "learned", "learned:quick", "learned:error=3", "deep:40"),
    *(level for level, bot in LEVELS.items() if not bot.endswith("ms")),
)


@pytest.mark.parametrize("spec", REPEATABLE)
@pytest.mark.parametrize("n_seats", [2, 4])
@pytest.mark.slow
def test_a_hid_2_every_bot_is_blind(spec: str, n_seats: int) -> None:
    chooser, bot = random.Random(n_seats), make_bot(spec)
    asked = different = 0
    for seed in range(3):
        for s, _ in walk(ALEA, n_seats, 300 + seed):
            likely = 0.9 if s.phase in (DEAL, TAKE_CARD) else 0.06
            if ALEA.rules.turn(s) >= 0 and chooser.random() < likely:
                seat = ALEA.rules.turn(s)
                world = other_world(s, seat, chooser)
                different += digest(world) != digest(s)
                move = bot.choose(ALEA, s, rng.generator(seed))
                assert move in ALEA.legal_moves(s)
                assert bot.choose(ALEA, world, rng.generator(seed)) == move
                asked += 1
    assert asked > 15 and different > 5  # the worlds really differ


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.mind], ids=lambda game: game.name)
@pytest.mark.parametrize("spec", ["learned", "deep:16", "tiro", "consul"])
def test_a_bot_that_thinks_plays_whole_games(game: Game, spec: str) -> None:
    n = game.rules.seats[0]
    simulation = simulate(game, [make_bot(spec if spec != "consul" else "deep:16"), *[make_bot("random")] * (n - 1)], 1)
    assert simulation.results.shape == (1, 1, 3, n)
    again = simulate(game, simulation.bots, 1)
    assert again.digest == simulation.digest


@pytest.mark.parametrize("error", [0.005, 0.02, 0.08])
def test_a_level_loses_what_it_says(error: float) -> None:
    values = np.array([0.5, 0.49, 0.45, 0.4, 0.2, 0.1])
    chances = learned.blunders(values, error)
    assert abs(chances.sum() - 1) < 1e-9
    assert abs(chances @ (values.max() - values) - error) < 1e-4
    assert (np.diff(chances) <= 0).all()  # what loses more is rarer


def test_where_even_chance_loses_little_all_moves_are_alike() -> None:
    assert (learned.blunders(np.array([0.5, 0.499]), 0.01) == 0.5).all()


def test_a_level_plays_with_the_error_it_names() -> None:
    bot, generator, losses = make_bot("learned:error=3"), rng.generator(4), []
    for seed in range(6):
        for s, _ in walk(ALEA, 2, 500 + seed):
            if ALEA.rules.turn(s) >= 0:
                moves, values = learned.weigh(ALEA, s)
                loss = values.max() - values
                if loss.mean() > 0.06:  # where it can lose so much
                    played = bot.choose(ALEA, s, generator)
                    losses.append(float(loss[moves.tolist().index(played)]))
    assert len(losses) > 100
    assert abs(np.mean(losses) - 0.03) < 4 * np.std(losses) / len(losses) ** 0.5


def test_deep_looks_at_the_net_s_best_moves_and_repeats_itself() -> None:
    for s, _ in walk(ALEA, 2, 8):
        if ALEA.rules.turn(s) >= 0 and len(ALEA.legal_moves(s)) > 3 and s.set == 2:
            one, two = (deep.tried_out(ALEA, s, rng.generator(1), playouts=40) for _ in range(2))
            assert (one.moves == two.moves).all() and (one.values == two.values).all()
            assert one.moves[np.argmax(one.values)] in one.moves[np.argsort(-learned.weigh(ALEA, s).values)[:8]]
            break
    else:
        pytest.fail("no such position")


def test_luck_cancels_between_moves_that_are_tried_out_and_own_rerolls_bring_none() -> None:
    checked = 0
    for s, _ in walk(ALEA, 2, 11):
        if ALEA.rules.turn(s) < 0 or checked == 5:
            continue
        moves, values = learned.weigh(ALEA, s)
        again = np.array([ALEA.notation.text(s, int(move)).startswith("R") for move in moves])
        if not again.any() or again.all():
            continue
        checked += 1
        place, reroll = (np.flatnonzero(which)[values[which].argmax()] for which in (~again, again))
        rows = [place, place, reroll]
        weighed = learned.Weighed(moves[rows], values[rows])
        trial = deep.Trial(ALEA, s, weighed, learned.weights(ALEA, 2), "still", ALEA.mind.ambition, 5)
        tried = np.array([trial.play(np.arange(3), i, 1) for i in range(200)])
        assert (tried[:, 0] == tried[:, 1]).all()
        assert tried[:, 2].std() < 1.5 * tried[:, 0].std() + 0.02  # the dice of a reroll move it by twice that
    assert checked == 5


def test_a_clear_lead_is_seen_and_an_unclear_one_is_not() -> None:
    noise = rng.generator(2)
    slices = np.array([[rng.below(noise, 100) / 100 for _ in range(3)] for _ in range(40)])
    assert not deep._clear(slices)
    assert deep._clear(slices + np.array([2, 0, 0]))
    assert not deep._clear((slices + np.array([2, 0, 0]))[: deep.MIN_SLICES - 1])


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("lerned", "did you mean 'learned'"),
        ("search:fast", "right are 400"),
        ("deep:0", "right are 400"),
        ("flat:1s", "flat counts playouts"),
        ("learned:error=much", "learned:error=PERCENT"),
    ],
)
def test_a_wrong_name_is_explained(spec: str, says: str) -> None:
    with pytest.raises(BadOption, match=says):
        make_bot(spec)


def test_an_unknown_style_is_explained_when_it_is_to_play() -> None:
    s = next(s for s, _ in walk(ALEA, 2, 1) if ALEA.rules.turn(s) >= 0)
    with pytest.raises(BadOption, match="did you mean 'quick'"):
        make_bot("learned:quik").choose(ALEA, s, rng.generator(1))
