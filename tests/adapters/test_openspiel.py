"""OpenSpiel plays our games by its own tests, and sees of them what `Game` says and a seat may know."""

import functools
import json
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation
from open_spiel.python.tests import games_sim_test

from bench import openspiel_match
from conftest import CHECKS
from examples import openspiel_agent
from games.alea.test_secrets import other_world
from rostra.adapters.openspiel_game import Rollouts
from rostra.engine.game import CHANCE, OVER, POINTS, WINNER, BadOption, Game, IllegalMove, NotYourTurn, digest
from rostra.games.alea import ALEA
from rostra.games.quovadis import QUO_VADIS

SIZES = [(game, n) for game in (ALEA, QUO_VADIS) for n in range(game.rules.seats[0], game.rules.seats[1] + 1)]
EVERY_SIZE = [pytest.param(game, n, id=f"{game.name}-{n}") for game, n in SIZES]
LONG = {(QUO_VADIS, 4), (QUO_VADIS, 5)}
"""Evenly random play of these takes thousands of plies."""


def load(game: Game, n: int, **parameters: Any) -> Any:
    return pyspiel.load_game(f"python_rostra_{game.name}", {"players": n, **parameters})


def random_action(state: Any, chooser: np.random.RandomState) -> int:
    """As OpenSpiel's own random play chooses."""
    if state.is_chance_node():
        actions, odds = zip(*state.chance_outcomes(), strict=True)
        return int(chooser.choice(actions, p=odds))
    return int(chooser.choice(state.legal_actions()))


def walk(game: Any, seed: int) -> Iterator[Any]:
    """The states of a random game, the last one too; each is the same object."""
    chooser = np.random.RandomState(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(random_action(state, chooser))
    yield state


def knowledge(state: Any, seat: int) -> tuple[Any, ...]:
    """All that OpenSpiel tells a player."""
    strings = state.information_state_string(seat), state.observation_string(seat)
    return *strings, state.observation_tensor(seat), state.current_player(), state.legal_actions(seat)


@pytest.mark.parametrize(
    ("game", "n"),
    [
        pytest.param(game, n, id=f"{game.name}-{n}", marks=[pytest.mark.slow] if (game, n) in LONG else [])
        for game, n in SIZES
    ],
)
@pytest.mark.slow
def test_passes_openspiels_random_simulation_in_cpp(game: Game, n: int) -> None:
    pyspiel.random_sim_test(load(game, n), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(("game", "n"), EVERY_SIZE)
def test_passes_openspiels_simulation_in_python(game: Game, n: int) -> None:
    """With pickles of game, type and states, and OpenSpiel's own serialisation."""
    np.random.seed(n)
    games_sim_test.GamesSimTest().sim_game(load(game, n))


@pytest.mark.parametrize(
    "text",
    [
        "python_rostra_alea(players=4)",
        "python_rostra_alea(players=3,start_seat=2,voluntary_latrina=on,reward=points)",
        "python_rostra_quovadis(players=3,consul_election=on,stall_rounds=2,show_hands=on)",
    ],
)
def test_a_game_of_any_options_survives_as_text(text: str) -> None:
    game = pyspiel.load_game(text)
    *_, end = walk(game, 1)
    again, state = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, end))
    assert str(again) == str(game) and str(state) == str(end) and state.returns() == end.returns()
    assert state.history() == end.history() and knowledge(state, 1) == knowledge(end, 1)
    assert str(pickle.loads(pickle.dumps(end))) == str(end)


def test_options_reach_the_rules() -> None:
    game = load(ALEA, 3, start_seat=2, voluntary_latrina="on")
    record = ALEA.new(3, {"start_seat": "2", "voluntary_latrina": "on"})
    assert digest(game.new_initial_state().record) == digest(record)
    assert digest(load(ALEA, 3).new_initial_state().record) == digest(ALEA.new(3))
    assert digest(game.new_initial_state().record) != digest(ALEA.new(3))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"reward": "glory"}, "share, points"),
        ({"voluntary_latrina": "maybe"}, "off, on"),
        ({"players": 6}, "2 to 5 players"),
        ({"players": 2, "start_seat": 4}, "0 to 1"),
    ],
)
def test_wrong_parameters_are_refused_in_words(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption, match=words):
        pyspiel.load_game("python_rostra_alea", {"players": 4, **parameters})


def test_a_game_without_end_is_refused() -> None:
    with pytest.raises(BadOption, match="stall_rounds is 1 to 99"):
        load(QUO_VADIS, 3, stall_rounds=0)


@pytest.mark.parametrize(("game", "n"), EVERY_SIZE)
def test_states_are_those_of_the_engine(game: Game, n: int) -> None:
    """Player, actions, odds, texts and record at every ply, and the returns, next to a record played by `Game`."""
    s = game.new(n)
    for ply, state in enumerate(walk(load(game, n), n)):
        if ply:
            last = state.history()[-1]
            game.rules.apply(s, last + game.rules.n_decisions if game.rules.turn(s) == CHANCE else last)
        turn = game.rules.turn(s)
        assert digest(state.record) == digest(s)
        assert state.current_player() == (pyspiel.PlayerId.TERMINAL if turn == OVER else turn)
        if turn == CHANCE and ply % 7 == 0:
            moves = game.legal_moves(s)
            expected = [(move - game.rules.n_decisions, game.rules.odds(s, move)) for move in moves]
            assert state.chance_outcomes() == expected
            assert state.action_to_string(expected[0][0]) == game.notation.text(s, moves[0])
            assert sum(odds for _, odds in expected) == pytest.approx(1, abs=1e-9)
        elif turn >= 0:
            assert state.legal_actions() == game.legal_moves(s)
            assert state.legal_actions((turn + 1) % n) == []
            assert state.returns() == [0] * n
        if turn == OVER:
            break
    assert turn == OVER
    result = np.zeros((3, n), np.int32)
    game.rules.score(s, result)
    winners = [seat for seat in range(n) if result[WINNER, seat]]
    assert winners  # else the next line says nothing
    shares = [(n / len(winners) - 1) / (n - 1) if seat in winners else -1 / (n - 1) for seat in range(n)]
    assert state.returns() == pytest.approx(shares) and sum(state.returns()) == pytest.approx(0)
    again = load(game, n, reward="points").new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert again.returns() == result[POINTS].tolist()


def test_who_does_not_qualify_loses_and_without_winner_all_get_nothing() -> None:
    """A game of Quo Vadis? that stalls before anybody reaches the Senate (Q-END-4)."""
    state = load(QUO_VADIS, 3, stall_rounds=1).new_initial_state()
    while not state.is_terminal():
        texts = {state.action_to_string(action): action for action in state.legal_actions()}
        caesar = [action for text, action in texts.items() if text.startswith("@")]
        state.apply_action(caesar[0] if caesar else next(iter(texts.values())))
    result = np.zeros((3, 3), np.int32)
    QUO_VADIS.rules.score(state.record, result)
    assert QUO_VADIS.notation.end(state.record) == "stalled" and not result[WINNER].any()
    assert state.returns() == [0, 0, 0]


def test_a_roll_lists_all_its_outcomes() -> None:
    state = next(state for state in walk(load(ALEA, 2), 1) if state.is_player_node())
    roll = state.get_game().new_initial_state()
    for action in state.history()[:-1]:
        roll.apply_action(action)
    assert len(roll.chance_outcomes()) == 1287
    assert len({roll.action_to_string(action) for action, _ in roll.chance_outcomes()}) == 1287
    with pytest.raises(NotYourTurn, match="chance nodes only"):
        state.chance_outcomes()


@pytest.mark.parametrize("wrong", [-2, 1_000_000, 469])
def test_an_illegal_action_is_refused_and_changes_nothing(wrong: int) -> None:
    state = next(state for state in walk(load(ALEA, 2), 1) if state.is_player_node())
    before = str(state)
    with pytest.raises(IllegalMove, match=f"{wrong} is no legal action now; legal are {state.legal_actions()[0]} "):
        state.apply_action(wrong)
    assert str(state) == before


@pytest.mark.parametrize(("game", "n"), EVERY_SIZE)
def test_no_game_is_longer_than_it_says(game: Game, n: int) -> None:
    game = load(game, n)
    for seed in range(3):
        *_, end = walk(game, seed)
        chances = sum(play.player == pyspiel.PlayerId.CHANCE for play in end.full_history())
        assert len(end.history()) - chances <= game.max_game_length()
        assert chances <= game.max_chance_nodes_in_history()


def test_the_longest_game_of_alea_keeps_to_the_bound() -> None:
    """Every die placed alone, every chip spent: as long as players can make it."""
    game = load(ALEA, 4, voluntary_latrina="on")
    chooser = np.random.RandomState(1)
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        action = random_action(state, chooser)
        if state.is_player_node():
            decisions += 1
            texts = {state.action_to_string(one): one for one in state.legal_actions()}
            slow = [one for text, one in texts.items() if text[0] in "RL"]
            action = slow[-1] if slow else action
        state.apply_action(action)
    assert game.max_game_length() / 2 < decisions <= game.max_game_length()


def test_observation_has_the_games_planes() -> None:
    for game, n in ((ALEA, 4), (QUO_VADIS, 3)):
        loaded = load(game, n)
        observation = make_observation(loaded)
        assert loaded.observation_tensor_size() == game.knowledge.observation_size
        for state in walk(loaded, 2):
            if state.is_player_node():
                seat = state.current_player()
                observation.set_from(state, seat)
                expected = np.zeros(game.knowledge.observation_size, np.float32)
                game.knowledge.observe(state.record, seat, expected)
                assert np.array_equal(observation.tensor, expected)
                assert np.array_equal(state.observation_tensor(seat), expected)
                assert json.loads(observation.string_from(state, seat)) == game.screen.view(state.record, seat)
        assert {name: part.shape for name, part in observation.dict.items()} == {
            p.name: p.shape for p in game.knowledge.planes
        }


def test_only_what_one_player_knows_can_be_observed() -> None:
    game = load(ALEA, 2)
    assert make_observation(game, INFO_STATE_OBS_TYPE).tensor is None
    kind, private = functools.partial(pyspiel.IIGObservationType, perfect_recall=False), pyspiel.PrivateInfoType
    with pytest.raises(ValueError, match="what one player or everybody knows"):
        make_observation(game, kind(private_info=private.ALL_PLAYERS))
    with pytest.raises(ValueError, match="perfect recall needs both parts"):
        make_observation(game, kind(private_info=private.NONE, perfect_recall=True))
    with pytest.raises(ValueError, match="no parameters"):
        make_observation(game, None, {"colour": 1})


def test_what_is_public_and_what_is_private_make_a_view() -> None:
    kind, private = functools.partial(pyspiel.IIGObservationType, perfect_recall=False), pyspiel.PrivateInfoType
    game = load(ALEA, 3)
    whole, nothing = make_observation(game), make_observation(game, kind(public_info=False, private_info=private.NONE))
    public = make_observation(game, kind(private_info=private.NONE))
    own = make_observation(game, kind(public_info=False, private_info=private.SINGLE_PLAYER))
    secrets = set()
    for state in walk(game, 4):
        spectator = public.string_from(state, 0)
        assert spectator == public.string_from(state, 2) and nothing.string_from(state, 0) == "{}"
        for seat in range(3):
            parts = json.loads(spectator) | json.loads(own.string_from(state, seat))
            assert parts == json.loads(whole.string_from(state, seat))
        secrets.add(own.string_from(state, 0))
    assert len(secrets) > 3 and public.tensor is None and own.tensor is None


def test_the_information_state_forgets_nothing() -> None:
    """Each string of a player begins as the one before, with more actions: no two histories that a player saw
    differently come together again."""
    for game, n in ((ALEA, 4), (QUO_VADIS, 3)):
        hidden = 0
        seen = [""] * n
        for state in walk(load(game, n), 3):
            for seat in range(n):
                log = state.information_state_string(seat).split("\n")[0]
                assert log.startswith(seen[seat]) and len(log.split()) == len(state.history())
                hidden += "?" in log[len(seen[seat]) :]
                seen[seat] = log
        assert bool(hidden) == game.knowledge.secret


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_a_hid_2_worlds_that_differ_in_secrets_tell_a_player_the_same(n: int) -> None:
    """The other world is made by swapping hidden pieces by hand, not by resampling."""
    chooser = random.Random(n)
    different = 0
    for state in walk(load(ALEA, n), 40 + n):
        if state.is_player_node():
            seat = chooser.randrange(n)
            world = state.clone()
            swapped = other_world(state.record, seat, chooser)
            world._record[:] = swapped.tobytes()
            different += str(world) != str(state)
            assert knowledge(world, seat) == knowledge(state, seat)
    assert different


@pytest.mark.slow
@pytest.mark.parametrize(("game", "n"), EVERY_SIZE)
def test_resampled_states_are_as_likely_to_a_player_as_the_real_one(game: Game, n: int) -> None:
    """A port of OpenSpiel's check (its own is C++ and does not reach games written in Python), for every player at
    every decision, and beyond it: legal actions, invariants, serialisation and play to the end."""
    sampler = pyspiel.UniformProbabilitySampler(7, 0.0, 1.0)
    chooser = np.random.RandomState(n)
    different = 0
    for ply, state in enumerate(walk(load(game, n), 10 + n)):
        if not state.is_player_node() or (game is QUO_VADIS and ply % 10):
            continue
        before = str(state)
        for seat in range(n):
            sampled = state.resample_from_infostate(seat, sampler)
            different += str(sampled) != before
            assert knowledge(sampled, seat) == knowledge(state, seat)
            assert sampled.history() == state.history()
            CHECKS[game.name](sampled.record)
        assert str(state) == before
        if ply % 40 < 4:
            _, copied = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), sampled))
            assert str(copied) == str(sampled) and knowledge(copied, 0) == knowledge(sampled, 0)
            while not sampled.is_terminal():
                sampled.apply_action(random_action(sampled, chooser))
            assert sum(sampled.returns()) == pytest.approx(0)
    assert bool(different) == game.knowledge.secret


def test_resampling_tells_others_nothing_of_the_real_world() -> None:
    """Samples for a seat are the same whatever the secrets really are, and what it did not see is in no seat's log."""
    chooser = random.Random(5)
    different = 0
    for state in walk(load(ALEA, 4), 5):
        if state.is_player_node():
            seat = state.current_player()
            world = state.clone()
            world._record[:] = other_world(state.record, seat, chooser).tobytes()
            one = state.resample_from_infostate(seat, lambda: 0.25)
            two = world.resample_from_infostate(seat, lambda: 0.25)
            different += str(world) != str(state)
            assert str(one) == str(two)
            assert [knowledge(one, other) for other in range(4)] == [knowledge(two, other) for other in range(4)]
            unseen = [ply for ply, word in enumerate(state.seen(seat).split()) if word == "?"]
            assert all(one.seen(other).split()[ply] == "?" for other in range(4) for ply in unseen)
    assert different


def test_samples_differ_from_call_to_call() -> None:
    """OpenSpiel's search makes a sampler anew for each; a world of one sample would see through secrets."""
    *_, state = (state.clone() for state in walk(load(ALEA, 2), 6) if state.is_player_node())
    worlds = {str(state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))) for _ in range(20)}
    assert len(worlds) > 5


@pytest.mark.parametrize("by_observation", [True, False])
@pytest.mark.parametrize("evaluator", [Rollouts(seed=1), mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))])
def test_openspiels_information_set_search_plays(evaluator: Any, by_observation: bool) -> None:
    game = load(ALEA, 2)
    bot = ismcts.ISMCTSBot(
        game, evaluator, 1.0, 5, random_state=np.random.RandomState(2), use_observation_string=by_observation
    )
    chooser = np.random.RandomState(3)
    state = game.new_initial_state()
    moved = 0
    while moved < 2:
        if state.is_player_node():
            action = int(bot.step(state))
            assert action in state.legal_actions()
            moved += 1
        else:
            action = random_action(state, chooser)
        state.apply_action(action)


@pytest.mark.parametrize("by_observation", [True, False])
def test_openspiels_information_set_search_plays_the_last_sets(by_observation: bool) -> None:
    """Late in the game other seats choose from cards that differ from sample to sample: a node of the search must stand
    for one list of legal actions, by either kind of key."""
    game = load(ALEA, 3)
    bot = ismcts.ISMCTSBot(
        game, Rollouts(seed=1), 1.0, 20, random_state=np.random.RandomState(2), use_observation_string=by_observation
    )
    chooser = np.random.RandomState(4)
    state = game.new_initial_state()
    searched = 0
    while not state.is_terminal():
        action = random_action(state, chooser)
        if state.is_player_node() and len(state.history()) > 250:
            action = int(bot.step(state))
            searched += 1
        state.apply_action(action)
    assert searched > 10


def test_openspiels_tree_search_plays_quo_vadis() -> None:
    """It hides nothing from a perfect memory, so the search for games of perfect information is the right one."""
    game = load(QUO_VADIS, 3)
    bot = mcts.MCTSBot(game, 1.0, 5, Rollouts(seed=1), random_state=np.random.RandomState(1))
    state = next(state for state in walk(game, 1) if state.is_player_node())
    assert bot.step(state) in state.legal_actions()


def test_openspiels_learning_environment_runs() -> None:
    environment = rl_environment.Environment(load(ALEA, 2), chance_event_sampler=rl_environment.ChanceEventSampler(1))
    step = environment.reset()
    while not step.last():
        seat = step.observations["current_player"]
        assert len(step.observations["info_state"][seat]) == ALEA.knowledge.observation_size
        step = environment.step([step.observations["legal_actions"][seat][0]])
    assert sorted(step.rewards) == [-1, 1]


def test_compiled_rollouts_are_openspiels_random_ones() -> None:
    """The same mean, for a state where one seat stands much better; and they leave the state alone."""
    *_, state = (state.clone() for state in walk(load(ALEA, 2), 8) if 200 < len(state.history()) < 240)
    before = str(state)
    quick = Rollouts(2000, seed=1).evaluate(state)
    slow = mcts.RandomRolloutEvaluator(60, np.random.RandomState(1)).evaluate(state)
    assert str(state) == before
    assert quick.sum() == pytest.approx(0) and abs(quick[0]) > 0.2
    assert quick[0] == pytest.approx(slow[0], abs=4 * (1 / 60) ** 0.5)
    assert np.array_equal(Rollouts(5, seed=1).evaluate(state), Rollouts(5, seed=1).evaluate(state))
    assert sum(odds for _, odds in Rollouts().prior(state)) == pytest.approx(1)


def test_a_program_that_loaded_a_game_ends_well() -> None:
    """The registry of OpenSpiel outlives Python: what is registered must not need it to go."""
    code = "import pyspiel, rostra.adapters.openspiel_game as o; pyspiel.load_game('python_rostra_alea')"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


@pytest.mark.slow
def test_the_example_learns() -> None:
    """With a tiny budget: a few dozen random games make a value that random players lose to."""
    before, after = openspiel_agent.main("--random 60 --games 3 --rounds 1 --matches 20".split())
    assert 0.2 <= before <= 0.8  # untrained it is a random player
    assert after > 0.7


def match_lines(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if line.startswith("| ")]


def test_our_bots_meet_openspiels_search(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Two games as docs/bots.md has them by the hundred, with the sweep before them; then they are read, not played."""
    kept = tmp_path / "kept.jsonl"
    line = f"learned --games 2 --simulations 3 --sweep uct:1,puct:8 --sweep-blocks 1 --keep {kept}".split()
    openspiel_match.main(line)
    printed = capsys.readouterr().out
    first, second, last = match_lines(printed)
    assert "greedy among ISMCTS 3, uct 1, 2 players | 2 games" in first and "puct 8" in second
    assert "learned among ISMCTS 3, " in last and "| 2 games | 100.0 % |" in last
    lines = kept.read_text().splitlines()
    assert len(lines) == 3
    openspiel_match.main(line)
    assert match_lines(capsys.readouterr().out) == match_lines(printed) and kept.read_text().splitlines() == lines


def test_a_match_with_openspiels_search_repeats_and_goes_on(tmp_path: Path) -> None:
    """Slices are the whole, all chance is seeded, and blocks of other settings do not count."""
    settings = openspiel_match.made_settings("greedy", "uct:1", 4, 2, 3)
    *_, whole = openspiel_match.match(settings, 0, 2)
    kept = tmp_path / "kept.jsonl"
    for first in (1, 0):
        *_, sliced = openspiel_match.match(settings, first, 1, kept)
    assert {number: block.shares for number, block in sliced.items()} == {n: b.shares for n, b in whole.items()}
    assert {number: block.decisions for number, block in sliced.items()} == {n: b.decisions for n, b in whole.items()}
    assert all(sum(block.decisions) > 100 and min(block.seconds) > 0 for block in whole.values())
    assert openspiel_match.kept_blocks(kept, {**settings, "simulations": 5}) == {}


def test_a_match_that_all_blocks_agree_on_is_not_certain() -> None:
    won = openspiel_match.Block([1.0, 1.0], [0.0, 0.0], [1, 1])
    assert openspiel_match.interval({0: won}) == "2 games | 100.0 % | -"
    assert openspiel_match.interval(dict.fromkeys(range(20), won)) == "40 games | 100.0 % | 83.2 to 100.0 %"
    half = won._replace(shares=[1.0, 0.0])
    assert openspiel_match.interval({0: won, 1: half, 2: half, 3: won}) == "8 games | 75.0 % | 29.1 to 100.0 %"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("gredy --constant uct:1", "did you mean 'greedy'?"),
        ("greedy --constant 1", "such as uct:1 or puct:8, not '1'"),
        ("greedy --seats 6", "2 to 5 players, not 6"),
    ],
)
def test_wrong_matches_are_refused(capsys: pytest.CaptureFixture[str], line: str, message: str) -> None:
    with pytest.raises(SystemExit):
        openspiel_match.main(line.split())
    assert message in capsys.readouterr().err
