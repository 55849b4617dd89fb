"""The vectorised environment: game by game the plain engine, and what Gymnasium asks of such an environment."""

import random

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from alea_worlds import Story, other_world, play_from
from examples import gymnasium_agent
from rostra.adapters.tables import environment_id, rewards
from rostra.adapters.vector_env import VectorEnv
from rostra.engine.game import POINTS, WINNER, BadOption, Game, IllegalMove
from rostra.play.match import Match


def check_against_matches(name: str, n_seats: int, options: dict[str, str], n: int, ends: int) -> None:
    """Step until so many games have ended, each beside a Match of its seed."""
    environment = VectorEnv(name, n_seats, n, **options)
    found, infos = environment.reset(seed=n_seats)
    matches = [Match(name, n_seats, options, seed=int(seed)) for seed in environment.seeds]
    ended = 0
    while ended < ends:
        for i, match in enumerate(matches):
            assert infos["seat"][i] == match.turn
            mask = np.zeros(match.game.rules.n_decisions, np.uint8)
            mask[match.game.legal_moves(match.state)] = 1
            assert np.array_equal(found["action_mask"][i], mask)
            planes = np.zeros(match.game.knowledge.observation_size, np.float32)
            match.game.knowledge.observe(match.state, match.turn, planes)
            assert np.array_equal(found["observation"][i], planes)
        actions, acted = environment.random_actions(), infos["seat"]
        for i, match in enumerate(matches):
            match.play(match.game.notation.text(match.state, int(actions[i])))
        found, own, terminated, truncated, infos = environment.step(actions)
        assert not truncated.any()
        for i, match in enumerate(matches):
            assert terminated[i] == match.over
            result = match.result()
            if result is None:
                assert not infos["rewards"][i].any() and own[i] == 0
                continue
            score = np.zeros((3, n_seats), np.int32)
            score[POINTS], score[WINNER, result.winners] = result.points, 1
            assert infos["points"][i].tolist() == result.points
            assert np.flatnonzero(infos["winners"][i]).tolist() == result.winners
            assert infos["rewards"][i].tolist() == rewards(score, "share").tolist()
            assert own[i] == infos["rewards"][i, acted[i]]
            matches[i] = Match(name, n_seats, options, seed=int(environment.seeds[i]))
            ended += 1


def test_every_game_is_the_plain_one(game: Game, n_seats: int) -> None:
    check_against_matches(game.name, n_seats, {}, 4, 4)


@pytest.mark.parametrize(
    ("name", "n_seats", "options"),
    [
        ("alea", 2, {"voluntary_latrina": "on", "start_seat": "1"}),
        ("quovadis", 4, {"limited_ones": "on", "open_hands": "on", "show_hands": "on"}),
    ],
)
def test_so_it_is_with_options(name: str, n_seats: int, options: dict[str, str]) -> None:
    check_against_matches(name, n_seats, options, 2, 2)


def test_gymnasium_can_wrap_it(game: Game, n_seats: int) -> None:
    environment = VectorEnv(game.name, n_seats, 16)
    assert environment.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert environment.metadata["name"] == environment_id(game)
    wrapped = RecordEpisodeStatistics(environment)
    assert isinstance(wrapped, gymnasium.vector.VectorEnv)
    found, infos = wrapped.reset(seed=2)
    lengths: list[int] = []
    for _ in range(400):
        assert found in wrapped.observation_space
        masks = tuple(found["action_mask"].astype(np.int8))
        actions = wrapped.action_space.sample(mask=masks)
        found, own, terminated, truncated, infos = wrapped.step(actions)
        assert own.shape == terminated.shape == truncated.shape == (16,) and terminated.dtype == truncated.dtype == bool
        lengths += infos["episode"]["l"][terminated].tolist() if terminated.any() else []
    assert lengths or game.name == "quovadis"


def test_the_seed_decides_everything(game: Game, n_seats: int) -> None:
    one, two = (VectorEnv(game.name, n_seats, 32, observations=False) for _ in range(2))
    for seed in (6, None):
        assert np.array_equal(one.reset(seed=seed)[0]["action_mask"], two.reset(seed=seed)[0]["action_mask"])
        assert len(set(one.seeds.tolist())) == 32
        for _ in range(60):
            actions = one.random_actions()
            assert np.array_equal(actions, two.random_actions())
            one.step(actions)
            two.step(actions)
        assert one.states.tobytes() == two.states.tobytes()
    two.reset(seed=7)
    assert set(one.seeds.tolist()).isdisjoint(two.seeds.tolist())


def test_a_game_does_not_depend_on_how_many_there_are() -> None:
    few, many = VectorEnv("alea", 2, 3), VectorEnv("alea", 2, 50)
    few.reset(seed=1)
    many.reset(seed=1)
    for _ in range(200):
        few.step(few.random_actions())
        many.step(many.random_actions())
    assert few.states.tobytes() == many.states[:3].tobytes()
    assert few.seeds.tolist() == many.seeds[:3].tolist()


def test_random_actions_are_legal_and_even() -> None:
    environment = VectorEnv("alea", 2, 20_000, start_seat="0", observations=False)
    masks = environment.reset(seed=1)[0]["action_mask"]
    actions = environment.random_actions()
    assert masks[np.arange(20_000), actions].all()
    number = masks.sum(1)
    place = np.array([np.flatnonzero(mask).tolist().index(action) for mask, action in zip(masks, actions, strict=True)])
    even = number % 2 == 0
    assert even.sum() > 5000
    assert abs((place[even] < number[even] / 2).mean() - 0.5) < 0.02
    assert abs((place == 0).sum() - (1 / number).sum()) < 200


def test_arrays_handed_out_stay_unless_told_otherwise() -> None:
    for keeps in (True, False):
        environment = VectorEnv("alea", 2, 8, copy=keeps)
        found = environment.reset(seed=1)[0]
        before = {name: part.copy() for name, part in found.items()}
        environment.step(environment.random_actions())
        assert all(np.array_equal(found[name], before[name]) == keeps for name in found)


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
@pytest.mark.slow
def test_an_observation_tells_no_secret(n_seats: int) -> None:
    chooser = random.Random(f"vector {n_seats}")
    environment = VectorEnv("alea", n_seats, 2)
    environment.reset(seed=1)
    differ = 0
    for _ in range(4):
        story = Story(n_seats, play_from(n_seats, [], chooser.randrange(150, 400), chooser), None)
        for seat in range(n_seats):
            for i, world in enumerate((story, other_world(story, seat, chooser))):
                match = Match("alea", n_seats)
                match.replay([step.move for step in world.lines[0]])
                environment.states[i] = match.state
            environment._seats[:] = seat
            one, other = environment.observe()
            assert one.tobytes() == other.tobytes()
            differ += environment.states[0].tobytes() != environment.states[1].tobytes()
    assert differ


def test_observation_on_demand() -> None:
    full, lean = VectorEnv("alea", 3, 8), VectorEnv("alea", 3, 8, observations=False)
    found = full.reset(seed=1)[0]
    assert list(lean.reset(seed=1)[0]) == ["action_mask"]
    assert np.array_equal(lean.observe(), found["observation"])
    assert lean.reset(seed=1)[0] in lean.observation_space
    assert len(lean.render()) == 8


def test_an_illegal_action_changes_nothing() -> None:
    environment = VectorEnv("alea", 2, 5)
    with pytest.raises(BadOption, match="call reset before step"):
        environment.step(np.zeros(5, np.int64))
    environment.reset(seed=1)
    before = environment.states.tobytes()
    for wrong in (-1, 469, int(np.flatnonzero(environment._masks[3] == 0)[0])):
        actions = environment.random_actions()
        actions[3] = wrong
        with pytest.raises(IllegalMove, match=f"game 3 does not allow action {wrong}; legal: "):
            environment.step(actions)
        assert environment.states.tobytes() == before
    with pytest.raises(IllegalMove, match=r"actions are 5 whole numbers, one a game, not int64 of shape \(4,\)"):
        environment.step(np.zeros(4, np.int64))
    with pytest.raises(IllegalMove, match="not float64"):
        environment.step(np.zeros(5))


def test_mistakes_are_named() -> None:
    with pytest.raises(BadOption, match="n is the number of games, at least 1, not 0"):
        VectorEnv("alea", 2, 0)
    with pytest.raises(BadOption, match="the reward is one of share, points, not 'win'"):
        VectorEnv("alea", 2, 1, reward="win")
    with pytest.raises(BadOption, match="the seed is a whole number"):
        VectorEnv("alea", 2, 1).reset(seed=1 << 62)


@pytest.mark.slow
def test_the_example_learns() -> None:
    """With a tiny budget: far better than random, though not as much as the example says."""
    before, after = gymnasium_agent.main("--rounds 8 --games 64 --matches 200".split())
    assert 0.4 < before < 0.6  # untrained it is a random player
    assert after > 0.75
