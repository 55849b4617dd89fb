"""OpenSpiel's structs: states, observations and actions as JSON objects.

OpenSpiel 2.0.2 cannot build its own struct classes from Python: they have no constructor, and its C++ code cannot take
them from a game written in Python. So these classes only behave like them, as far as Python asks.
"""

import json
from collections.abc import Mapping
from typing import Any

import msgspec
import pyspiel  # type: ignore[import-not-found]  # it has no types

from rostra.engine.game import BadNotation, IllegalMove, digest, shortened


class Struct:
    """A JSON object, made from a dict or from its text."""

    fields: tuple[str, ...] = ()
    """What must be in it; empty if that depends on the game."""

    def __init__(self, given: str | Mapping[str, Any]) -> None:
        found = json.loads(given) if isinstance(given, str) else dict(given)
        if not isinstance(found, dict) or (self.fields and set(found) != set(self.fields)):
            raise BadNotation(f"a {type(self).__name__} has the fields {', '.join(self.fields)}, not {given!r}")
        self._found: dict[str, Any] = found

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return dict(self._found)

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(self._found, ensure_ascii=False, separators=(",", ":"))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.to_json()!r})"


class StateStruct(Struct):
    """Everything about a state, with its secrets; its history is enough to make it again."""

    fields = ("players", "current_player", "is_terminal", "returns", "history", "table", "seats", "digest")


class ObservationStruct(Struct):
    """What one seat sees: its view, as the page and the API get it."""


class ActionStruct(Struct):
    """A move or an outcome of chance in Rostra's notation: `{"move": "S345"}`."""

    fields = ("move",)


class StructState:
    """The methods of an OpenSpiel state that give and take structs, for `RostraState`."""

    def to_struct(self: Any) -> StateStruct:
        """All of this state."""
        n = self.num_players()
        return StateStruct(
            {
                "players": n,
                "current_player": self.current_player(),
                "is_terminal": self.is_terminal(),
                "returns": self.returns(),
                "history": self.history(),
                "table": self._view(None),
                "seats": [self._view(seat) for seat in range(n)],
                "digest": digest(self.record),
            }
        )

    def to_json(self: Any) -> str:
        """All of this state as JSON."""
        return str(self.to_struct().to_json())

    def to_observation_struct(self: Any, player: int | None = None) -> ObservationStruct:
        """What a player sees, by default the one to decide; a spectator's view where nobody decides."""
        seat = self.current_player() if player is None else player
        return ObservationStruct(self._view(seat if seat >= 0 else None))

    def action_to_struct(self: Any, *player_and_action: int) -> ActionStruct:
        """The struct of an action that is legal now, given after the player or alone."""
        move = self._move(player_and_action[-1])
        if not self._is_legal(move):
            raise IllegalMove(f"{player_and_action[-1]} is no legal action now")
        return ActionStruct({"move": self.rostra.notation.text(self.record, move)})

    def actions_to_struct(self: Any, *player_and_actions: Any) -> ActionStruct:
        """The same for a list, which always has one action here."""
        (action,) = player_and_actions[-1]
        return self.action_to_struct(action)  # type: ignore[no-any-return]  # self is Any

    def struct_to_actions(self: Any, struct: ActionStruct) -> list[int]:
        """The one action that a struct means, legal now."""
        text = struct.to_dict()["move"]
        known = {self.rostra.notation.text(self.record, move): move for move in self._legal().tolist()}
        if text not in known:
            raise IllegalMove(f"{text!r} is no legal move now; legal are {shortened(list(known))}")
        return [self._action_of(known[text])]

    def validate_action_struct(self: Any, struct: ActionStruct) -> Any:
        """OpenSpiel's status: ok, or an error that says what is legal."""
        try:
            self.struct_to_actions(struct)
        except IllegalMove as error:
            return pyspiel.error_status(str(error))
        return pyspiel.ok_status()

    def apply_action_struct(self: Any, struct: ActionStruct) -> Any:
        """Do what the struct says, if its status is ok."""
        status = self.validate_action_struct(struct)
        if status.ok():
            self.apply_action(*self.struct_to_actions(struct))
        return status

    def _view(self: Any, seat: int | None) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.to_builtins(self.rostra.screen.view(self.record, seat))
        return found


def played(game: Any, given: StateStruct | Mapping[str, Any] | str) -> Any:
    """The state of a struct, its dict or its JSON, made by repeating its history."""
    struct = given if isinstance(given, StateStruct) else StateStruct(given)
    found = struct.to_dict()
    if found["players"] != game.num_players():
        raise BadNotation(f"the state is of {found['players']} players, the game of {game.num_players()}")
    state = game.new_initial_state()
    for action in found["history"]:
        state.apply_action(action)
    if digest(state.record) != found["digest"]:
        raise BadNotation("the history leads to another state: the game has other options, or the struct was changed")
    return state
