"""OpenSpiel's structs of states, observations and actions, and its playthrough files."""

import json
from pathlib import Path
from typing import Any

import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough

from adapters.test_openspiel import load, walk
from rostra.adapters.openspiel_structs import ActionStruct, StateStruct
from rostra.engine.game import BadNotation, IllegalMove
from rostra.games.alea import ALEA
from rostra.games.quovadis import QUO_VADIS

PLAYTHROUGHS = sorted((Path(__file__).parent.parent / "data" / "playthroughs").glob("*.txt"))
GAMES = [(ALEA, 2), (ALEA, 5), (QUO_VADIS, 3)]


@pytest.mark.parametrize(("game", "n"), GAMES)
def test_structs_go_there_and_back(game: Any, n: int) -> None:
    played = load(game, n)
    for ply, state in enumerate(walk(played, 3)):
        if ply % 9:
            continue
        struct = played.StateStruct(state.to_json())
        assert struct == state.to_struct() == played.StateStruct(struct.to_dict())
        assert struct.to_dict()["seats"][1] == json.loads(state.observation_string(1))
        assert state.to_observation_struct(1).to_dict() == json.loads(state.observation_string(1))
        if state.is_terminal():
            return
        actions = state.legal_actions()
        for action in {actions[0], actions[-1]}:
            named = played.ActionStruct(state.action_to_struct(state.current_player(), action).to_json())
            assert (
                state.struct_to_actions(named) == [action] == state.struct_to_actions(state.actions_to_struct([action]))
            )
            one, other = state.clone(), state.clone()
            one.apply_action(action)
            assert other.apply_action_struct(named).ok() and str(one) == str(other)
        if ply > 150:
            return


def test_a_state_comes_back_from_its_struct() -> None:
    game = load(ALEA, 3)
    *_, end = walk(game, 2)
    for given in (end.to_struct(), end.to_struct().to_dict(), end.to_json()):
        again = game.new_initial_state(given)
        assert str(again) == str(end) and again.history() == end.history() and again.returns() == end.returns()
    assert end.to_observation_struct().to_dict()["seat"] is None, "nobody decides at the end"


def test_wrong_structs_are_refused() -> None:
    game = load(ALEA, 3)
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    status = state.validate_action_struct(ActionStruct({"move": "S999"}))
    assert not status.ok() and "'S999' is no legal move now; legal are " in status.message()
    before = str(state)
    assert not state.apply_action_struct(ActionStruct({"move": "S999"})).ok() and str(state) == before
    with pytest.raises(IllegalMove):
        state.struct_to_actions(ActionStruct({"move": "S999"}))
    with pytest.raises(IllegalMove, match="468 is no legal action now"):
        state.action_to_struct(468)
    with pytest.raises(BadNotation, match="a ActionStruct has the fields move"):
        ActionStruct({"foo": 1})
    with pytest.raises(BadNotation, match="the state is of 3 players, the game of 2"):
        load(ALEA, 2).new_initial_state(state.to_struct())
    changed = StateStruct(state.to_struct().to_dict() | {"history": []})
    with pytest.raises(BadNotation, match="the history leads to another state"):
        game.new_initial_state(changed)


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_playthroughs_are_still_the_same(path: Path) -> None:
    """As OpenSpiel tests its own games; `python tests/data/make_playthroughs.py` writes them."""
    flags.FLAGS.mark_as_parsed()
    expected, actual = generate_playthrough.replay(str(path))
    assert actual == expected


def test_there_are_playthroughs() -> None:
    assert len(PLAYTHROUGHS) == 2 and pyspiel.load_game("python_rostra_alea")
