"""Our games for OpenSpiel: importing this registers `python_rostra_alea` and `python_rostra_quovadis`.

A thin wrapper of `Game`: decisions keep their numbers, outcomes of chance are counted from 0, and every roll is a
chance node with all its outcomes. There is no information state tensor, because a log has no fixed size. OpenSpiel
copies and pickles all attributes of a state, so a state holds only bytes and small values; its game is an attribute of
the class.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

from rostra.extras import need

need("openspiel", "OpenSpiel")

import msgspec
import numpy as np
import pyspiel  # type: ignore[import-not-found]  # it has no types

from rostra.adapters import openspiel_structs as structs
from rostra.adapters.tables import REWARDS, check_reward, rewards
from rostra.engine.game import CHANCE, OVER, BadOption, Game, IllegalMove, NotYourTurn, Option, digest, shortened
from rostra.engine.jit import Array, State, bind, unit
from rostra.engine.loops import Verbs, verbs_of
from rostra.engine.rng import RNG, SEEDS, generator, reseed
from rostra.games import all_games

_ALL_SEATS = 255
"""The mask of a ply that no seat may see."""

PLAYER_OF = {CHANCE: int(pyspiel.PlayerId.CHANCE), OVER: int(pyspiel.PlayerId.TERMINAL)}


verbs: Any = None
"""Stands for the compiled functions of a game, see `jit.bind`."""


def _chances(states: Array, out: Array, weights: Array) -> int:
    n = int(verbs.legal(states[0], out))
    for i in range(n):
        weights[i] = verbs.odds(states[0], out[i])
    return n


def _rollouts(states: Array, seed: int, rng: Array, buffer: Array, results: Array) -> None:
    reseed(rng, seed, 0)
    for game in range(len(results)):
        states[0] = states[1]
        seat = verbs.turn(states[0])
        while seat != OVER:
            if seat == CHANCE:
                move = verbs.draw(states[0], rng)
            else:
                move = verbs.random_move(states[0], buffer, rng)
            verbs.apply(states[0], move)
            seat = verbs.turn(states[0])
        verbs.score(states[0], results[game])


class Loops(NamedTuple):
    """What a search asks for most."""

    chances: Callable[[Array, Array, Array], int]
    """chances(states, out, weights): write the outcomes of states[0] and their odds, and return how many."""
    rollouts: Callable[[Array, int, Array, Array, Array], None]
    """rollouts(states, seed, rng, buffer, results): play states[1] to the end for each row of the results."""


@functools.cache
def loops_of(game: Game) -> Loops:
    """The loops for this game."""
    records = [game.rules.state]
    loops = Loops(
        bind(_chances, game.name, game.verbs, int, records, [np.int32], [np.float64]),
        bind(_rollouts, game.name, game.verbs, None, records, int, RNG, [np.int32], [[[np.int32]]], long=True),
    )
    unit(f"{game.name}, OpenSpiel", [*loops, game.knowledge.observe])
    return loops


class RostraState(structs.StructState, pyspiel.State):  # type: ignore[misc]  # it has no types
    """A state of one of our games. An action at a chance node is our move minus `n_decisions`."""

    rostra: ClassVar[Game]
    verbs: ClassVar[Verbs]

    def __init__(self, game: "RostraGame") -> None:
        super().__init__(game)
        self._record = bytearray(game.start)
        self._player = PLAYER_OF[CHANCE]  # who has the start marker is drawn first
        self.reward = game.reward
        self._hidden = b""
        """For each ply, the mask of the seats that may not see it."""

    @property
    def states(self) -> Array:
        """The record as the one element of an array that shares its bytes."""
        return np.frombuffer(self._record, self.rostra.rules.state)

    @property
    def record(self) -> State:
        """The record itself."""
        return self.states[0]

    def current_player(self) -> int:
        """The deciding seat, or OpenSpiel's number for chance or the end."""
        return self._player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._player == PLAYER_OF[OVER]

    def _legal(self) -> Array:
        out = np.empty(self.rostra.rules.max_legal, np.int32)
        return out[: self.verbs.legal(self.states, 0, out)]

    def _legal_actions(self, player: int) -> list[int]:
        return self._legal().tolist()  # type: ignore[no-any-return]  # a list of ints

    def _move(self, action: int) -> int:
        return action + self.rostra.rules.n_decisions if self._player == PLAYER_OF[CHANCE] else action

    def _action_of(self, move: int) -> int:
        return move - self.rostra.rules.n_decisions if self._player == PLAYER_OF[CHANCE] else move

    def _is_legal(self, move: int) -> bool:
        moves = self._legal()
        at = int(np.searchsorted(moves, move))
        return at < len(moves) and int(moves[at]) == move

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """All outcomes with their odds."""
        if self._player != PLAYER_OF[CHANCE]:
            raise NotYourTurn("there are outcomes at chance nodes only; here ask for legal_actions()")
        out, weights = np.empty(self.rostra.rules.max_legal, np.int32), np.empty(self.rostra.rules.max_legal)
        n = loops_of(self.rostra).chances(self.states, out, weights)
        return list(zip((out[:n] - self.rostra.rules.n_decisions).tolist(), weights[:n].tolist(), strict=True))

    def _apply_action(self, action: int) -> None:
        move, states = self._move(action), self.states
        if not self._is_legal(move):
            legal = [str(self._action_of(one)) for one in self._legal().tolist()]
            raise IllegalMove(f"{action} is no legal action now; legal are {shortened(legal)}")
        hidden = 0
        if self.rostra.knowledge.secret:
            for seat in range(self.num_players()):
                hidden |= self.rostra.knowledge.hides(states[0], move, seat) << seat
        self._hidden += bytes((hidden,))
        self.verbs.apply(states, 0, move)
        turn = self.verbs.turn(states, 0)
        self._player = PLAYER_OF.get(turn, turn)

    def _action_to_string(self, player: int, action: int) -> str:
        move = self._move(action)
        # Texts name dice and tiles of the state, so an action that is not possible now has only its number.
        return self.rostra.notation.text(self.record, move) if self._is_legal(move) else str(action)

    def returns(self) -> list[float]:
        """Zeros until the end, then rewards of the kind that the parameter `reward` names."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        result = np.zeros((3, self.num_players()), np.int32)
        self.rostra.rules.score(self.record, result)
        return rewards(result, self.reward).tolist()  # type: ignore[no-any-return]  # a list of floats

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> "RostraState":
        """A state that this seat cannot distinguish from this one: what it cannot know is redealt.

        The history still holds what really happened. Plies that this seat did not see are not true in the new state, so
        they are hidden from every seat.
        """
        sampled: RostraState = self.clone()
        self.rostra.knowledge.redeal(sampled.record, player, generator(int(probability_sampler() * SEEDS)))
        sampled._hidden = bytes(_ALL_SEATS if seats >> player & 1 else seats for seats in self._hidden)
        return sampled

    def seen(self, seat: int) -> str:
        """The actions so far as this seat saw them, with `?` for those it may not know."""
        plies = zip(self.history(), self._hidden, strict=True)
        return " ".join("?" if seats >> seat & 1 else str(action) for action, seats in plies)

    def __str__(self) -> str:
        s = self.record
        return f"{self.rostra.screen.diagram(s, None)}\nstate {digest(s)}"


class RostraObserver:
    """What one seat knows: by default the numbers of `Knowledge.planes` and its view as JSON.

    All other kinds are strings only: with perfect recall the actions as the seat saw them and the view; a spectator's
    view as the public part, and what differs from it in the seat's view as the private part.
    """

    def __init__(self, game: Game, kind: Any, parameters: Mapping[str, Any] | None) -> None:
        if parameters:
            raise ValueError(f"observations have no parameters, but {dict(parameters)} was given")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS or (kind.perfect_recall and not _is_whole(kind)):
            raise ValueError("what one player or everybody knows can be observed; perfect recall needs both parts")
        self._public, self._private = kind.public_info, kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._game = game
        self._recalls = kind.perfect_recall
        self.tensor: Array | None = None
        self.dict: dict[str, Array] = {}
        if not self._recalls and _is_whole(kind):
            self.tensor = np.zeros(game.knowledge.observation_size, np.float32)
            at = 0
            for plane in game.knowledge.planes:
                self.dict[plane.name] = self.tensor[at : at + plane.size].reshape(plane.shape)
                at += plane.size

    def set_from(self, state: RostraState, player: int) -> None:
        """Write what this player knows into `tensor`; the values of `dict` are parts of it."""
        if self.tensor is not None:
            self._game.knowledge.observe(state.record, player, self.tensor)

    def string_from(self, state: RostraState, player: int) -> str:
        """What this player knows as text."""
        view = msgspec.json.encode(self._view(state.record, player)).decode()
        return f"{state.seen(player)}\n{view}" if self._recalls else view

    def _view(self, record: State, player: int) -> Any:
        if self._public:
            return self._game.screen.view(record, player if self._private else None)
        if not self._private:
            return {}
        public = msgspec.to_builtins(self._game.screen.view(record, None))
        own = msgspec.to_builtins(self._game.screen.view(record, player))
        return {name: value for name, value in own.items() if value != public[name]}


def _is_whole(kind: Any) -> bool:
    return bool(kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER)


def _is_number(option: Option) -> bool:
    """Whether an option is a number for OpenSpiel, which reads `start_seat=1` as a number and then accepts no text;
    `random` becomes -1."""
    return any(value.isdigit() for value in option.values)


def _option_value(option: Option, given: Any) -> str:
    """The text of an option's value, which for a number is found by what `setup` gets."""
    if _is_number(option) and given in option.codes:
        return option.values[option.codes.index(given)]
    return str(given)


def _parameters(game: Game) -> dict[str, Any]:
    """The parameters of a game with their defaults."""
    options = {one.name: one.codes[0] if _is_number(one) else one.values[0] for one in game.rules.options}
    return {"players": game.rules.seats[0], "reward": REWARDS[0], **options}


def _lengths(game: Game, n_seats: int, options: Mapping[str, str]) -> tuple[int, int]:
    if game.rules.longest is None:
        raise BadOption(f"OpenSpiel must know how long a game can be: {game.name} needs Rules.longest")
    return game.rules.longest(n_seats, game.all_options(options))


def game_type(game: Game, by_points: bool = False) -> Any:
    """What OpenSpiel's registry knows of a game."""
    kind = pyspiel.GameType
    return kind(
        short_name=f"python_rostra_{game.name}",
        long_name=f"{game.title} (Rostra)",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION
        if game.knowledge.secret
        else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM if by_points else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        min_num_players=game.rules.seats[0],
        max_num_players=game.rules.seats[1],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game),
    )


class RostraGame(pyspiel.Game):  # type: ignore[misc]  # it has no types
    """One of our games with its number of players, options and reward chosen."""

    make_state: ClassVar[type[RostraState]]
    StateStruct = structs.StateStruct
    ObservationStruct = structs.ObservationStruct
    ActionStruct = structs.ActionStruct

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        game = self.make_state.rostra
        self.make_state.verbs = verbs_of(game)
        given = {**_parameters(game), **(parameters or {})}
        n = given["players"]
        game.check_seats(n)
        self.reward = given["reward"]
        check_reward(self.reward)
        chosen = {option.name: _option_value(option, given[option.name]) for option in game.rules.options}
        self.start = game.new(n, chosen).tobytes()
        decisions, self._chances = _lengths(game, n, chosen)
        by_points = self.reward == "points"
        information = pyspiel.GameInfo(
            num_distinct_actions=game.rules.n_decisions,
            max_chance_outcomes=game.rules.n_outcomes,
            num_players=n,
            min_utility=game.rules.points[0] if by_points else -1 / (n - 1),
            max_utility=game.rules.points[1] if by_points else 1,
            utility_sum=None if by_points else 0,
            max_game_length=decisions,
        )
        super().__init__(game_type(game, by_points), information, given)
        loops_of(game)  # compiled here, before somebody waits for a move

    def new_initial_state(self, given: structs.StateStruct | Mapping[str, Any] | str | None = None) -> Any:
        """The state before the first chance event, or that of a struct (also as a dict or JSON)."""
        return self.make_state(self) if given is None else structs.played(self, given)

    def max_chance_nodes_in_history(self) -> int:
        """An upper bound on the chance events of a game."""
        return self._chances

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> RostraObserver:
        """The object through which OpenSpiel gets strings and tensors of states."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return RostraObserver(self.make_state.rostra, kind, params)


class Rollouts:
    """An evaluator for OpenSpiel's Python searches that plays to the end in compiled code, hundreds of times as fast
    as its `RandomRolloutEvaluator`, with `Play.random_move` as the player: in Alea the same uniform one."""

    def __init__(self, n_rollouts: int = 1, seed: int = 0) -> None:
        self.n_rollouts = n_rollouts
        self._rng = np.random.default_rng(seed)

    def evaluate(self, state: RostraState) -> Array:
        """The mean returns of some random games from here."""
        game, n = state.rostra, state.num_players()
        states = np.zeros(2, game.rules.state)
        states[1] = state.record
        results = np.zeros((self.n_rollouts, 3, n), np.int32)
        seed, buffer = int(self._rng.integers(SEEDS)), np.empty(game.rules.max_legal, np.int32)
        loops_of(game).rollouts(states, seed, np.zeros(1, np.uint64), buffer, results)
        mean: Array = rewards(results, state.reward).mean(0)
        return mean

    def prior(self, state: RostraState) -> list[tuple[int, float]]:
        """Every legal action is equally likely."""
        if state.is_chance_node():
            return state.chance_outcomes()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


def register(game: Game) -> type[RostraGame]:
    """Make a game known to OpenSpiel as `python_rostra_NAME`."""
    state = type(f"{game.name.title()}State", (RostraState,), {"rostra": game, "__module__": __name__})
    # A class, not a function: the registry outlives the interpreter, and releasing a function then crashes.
    made = type(f"{game.name.title()}Game", (RostraGame,), {"make_state": state, "__module__": __name__})
    for one in (state, made):
        globals()[one.__name__] = one  # where pickle looks for it
    pyspiel.register_game(game_type(game), made)
    return made


for _game in all_games().values():
    if _game.rules.longest is not None:
        register(_game)
