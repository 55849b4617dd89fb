"""One seat among bots: Gymnasium's own checker, the registries, pictures, and the examples' environment parts."""

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test
from pettingzoo.utils.env import AECEnv

import rostra.adapters.pettingzoo_env  # noqa: F401  # registers
from examples import pufferlib_agent, sb3_agent
from rostra.adapters.picture import picture
from rostra.adapters.seat_env import SeatEnv
from rostra.adapters.tables import registry_id
from rostra.adapters.vector_env import VectorEnv
from rostra.engine.game import BadOption, Game
from rostra.play.match import Match


@pytest.mark.filterwarnings("ignore:.*A Box observation space m")  # observations have no bounds
@pytest.mark.parametrize("opponents", ["random", "greedy"])
def test_gymnasium_finds_nothing_to_complain_of(game: Game, n_seats: int, opponents: str) -> None:
    made = gymnasium.make("rostra/alea-v1", game=game.name, seats=n_seats, opponents=opponents)
    check_env(made.unwrapped, skip_render_check=False)


def test_only_the_own_seat_decides(game: Game, n_seats: int) -> None:
    """Next to a Match with the same dice: the bots' moves are taken from the environment, all else must agree."""
    environment = SeatEnv(game.name, n_seats, seat=1)
    _, info = environment.reset(seed=4)
    chooser = np.random.default_rng(4)
    ended, reward = False, 0.0
    while not ended:
        assert environment.table.agent_selection == "player_1" and info["seat"] == 1
        legal = np.flatnonzero(info["action_mask"])
        assert np.array_equal(np.flatnonzero(environment.action_masks()), legal) and len(legal)
        shown, reward, ended, cut, info = environment.step(chooser.choice(legal))
        assert not cut and shown in environment.observation_space
    assert not environment.action_masks().any()
    match = Match(game.name, n_seats, seed=environment.table.dice_seed)
    for move in environment.table.moves:
        if match.turn is not None and not match.over and move < game.rules.n_decisions:
            match.play(game.notation.text(match.state, move))
    result = match.result()
    assert result is not None and info["points"] == result.points[1] and info["winner"] == (1 in result.winners)
    assert (reward > 0) == (1 in result.winners) or len(result.winners) > 1 or not result.winners


def test_the_seed_decides_seat_dice_and_bots() -> None:
    def story(seed: int) -> list[bytes]:
        environment = SeatEnv("alea", 3, opponents="greedy,random")
        shown, info = environment.reset(seed=seed)
        found = [bytes([info["seat"]])]
        for _ in range(12):
            found.append(shown.tobytes())
            shown, _, ended, _, info = environment.step(int(info["action_mask"].argmax()))
            assert not ended
        return found

    assert story(5) == story(5)
    assert {story(seed)[0] for seed in range(12)} == {b"\0", b"\1", b"\2"}


def test_an_illegal_action_ends_the_episode() -> None:
    environment = SeatEnv("alea", 2)
    _, info = environment.reset(seed=1)
    _, reward, ended, _, info = environment.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, ended, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(BadOption, match="call reset before step"):
        environment.step(0)


def test_mistakes_are_named() -> None:
    with pytest.raises(BadOption, match="the seat is 0 to 1, or None"):
        SeatEnv("alea", 2, seat=2)
    with pytest.raises(BadOption, match="opponents are 1 bot or 2, not 3"):
        SeatEnv("alea", 3, opponents="random,random,random")
    with pytest.raises(BadOption, match="there is no bot 'greedi'"):
        SeatEnv("alea", 3, opponents="greedi")
    with pytest.raises(BadOption, match="threads are 1 to the number of games, not 9"):
        VectorEnv("alea", 2, 8, threads=9)


@pytest.mark.filterwarnings("ignore:.*Observation")
@pytest.mark.parametrize("name", ["alea", "quovadis"])
def test_the_registries_know_the_games(name: str) -> None:
    from rostra.games import GAMES

    game = GAMES[name]
    one = gymnasium.make(registry_id(game), seats=3, opponents="greedy", reward="points")
    assert isinstance(one.unwrapped, SeatEnv) and one.unwrapped.seats == 3
    many = gymnasium.make_vec(registry_id(game).replace("-v", "-all-v"), num_envs=5, seats=4)
    assert isinstance(many.unwrapped, VectorEnv) and many.num_envs == 5 and many.unwrapped.seats == 4
    table = pettingzoo.make("aec", f"rostra/{name}", seats=3)  # the newest version
    assert isinstance(table, AECEnv) and len(table.possible_agents) == 3
    assert pettingzoo.make("aec", registry_id(game)).metadata["name"] == table.metadata["name"]
    api_test(table, num_cycles=20)


def test_a_frame_is_the_diagram_in_pixels() -> None:
    tables = [pettingzoo.make("aec", "rostra/alea", render_mode="rgb_array") for _ in range(2)]
    for seed, table in enumerate(tables):
        table.reset(seed=seed)
    first, other = (table.render() for table in tables)
    assert first.dtype == np.uint8 and first.shape == other.shape and first.shape[2] == 3
    assert (first < 128).any(2).mean() > 0.01, "there is text on it"
    assert (first != other).any(), "another roll is another picture"
    long = picture("\n".join(["x" * 200] * 80))
    assert long.shape == first.shape
    assert (long[-8:] > 200).all() and (long[:, -8:] > 200).all(), "a long text is drawn smaller, not cut off"
    assert np.array_equal(picture("$1 $2"), picture("$1 $2"))


def test_threads_change_nothing_but_the_time() -> None:
    one, three = VectorEnv("alea", 2, 50), VectorEnv("alea", 2, 50, threads=3, copy=False)
    shown, infos = one.reset(seed=9)
    again, _ = three.reset(seed=9)
    for _ in range(150):
        assert np.array_equal(shown["observation"], again["observation"])
        actions = one.random_actions()
        assert np.array_equal(actions, three.random_actions())
        shown, own, ended, _, infos = one.step(actions)
        again, own_again, ended_again, _, infos_again = three.step(actions)
        assert np.array_equal(own, own_again) and np.array_equal(ended, ended_again)
        assert np.array_equal(infos["rewards"], infos_again["rewards"])
    assert one.states.tobytes() == three.states.tobytes()
    three.close()


def test_without_copies_arrays_stay_where_they_are() -> None:
    environment = VectorEnv("alea", 2, 8, copy=False)
    first = environment.reset(seed=1)[0]
    after = environment.step(environment.random_actions())[0]
    assert all(np.shares_memory(first[name], after[name]) for name in first)


def test_the_examples_play_without_torch() -> None:
    """Training them needs PyTorch; docs/adapters.md has what they reach."""
    before, after = sb3_agent.main("--steps 0 --matches 60".split())
    assert before == after and 0.3 < before < 0.7
    environment = pufferlib_agent.MaskFirst(SeatEnv("alea", 2))
    shown, info = environment.reset(seed=1)
    assert shown in environment.observation_space
    for _ in range(8):
        assert np.array_equal(shown[: environment.actions], info["action_mask"])
        shown, _, _, _, info = environment.step(int(info["action_mask"].argmax()))
