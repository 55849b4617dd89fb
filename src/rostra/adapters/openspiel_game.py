"""Our games for OpenSpiel: importing this registers `python_rostra_alea` and `python_rostra_quovadis`.

A thin dress over `Game`: decisions are its ints, outcomes of chance are its ints counted from 0, and every roll is a
chance node with all its outcomes. Not here: rules, and an information state as a tensor (a whole log has no fixed
size). What a newcomer would get wrong: OpenSpiel copies and pickles all attributes of a state, so a state has nothing
but bytes and small values, and its game is an attribute of the class.
"""

import functools
import json
import types
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pyspiel  # type: ignore[import-not-found]  # it has no types

from rostra.adapters.tables import REWARDS, check_reward, rewards
from rostra.engine.game import CHANCE, OVER, BadOption, Game, IllegalMove, NotYourTurn, Option, digest, shortened
from rostra.engine.jit import Array, State, generic, specialise
from rostra.engine.loops import Verbs, verbs_of
from rostra.engine.rng import RNG, SEEDS, generator, reseed
from rostra.games.alea import ALEA
from rostra.games.quovadis import QUO_VADIS

MOST_POINTS = 500
"""Above what all tiles, tokens and cards of Alea, or all laurels of three games of Quo Vadis?, are worth."""
LEAST_POINTS = -1
"""A vacant joker (A-END-2)."""
_ALL_SEATS = 255
"""As a mask of seats that may not see a ply."""

PLAYER_OF = {CHANCE: int(pyspiel.PlayerId.CHANCE), OVER: int(pyspiel.PlayerId.TERMINAL)}


def _alea_length(n: int, options: Mapping[str, str]) -> tuple[int, int]:
    """The most decisions and the most chance events of a game of Alea."""
    sets = 6 if n < 4 else 5  # A-SET-9
    dice = 8 * n  # A-SET-1: each is placed once a set, and can earn one chip for one reroll
    scoring = n + 3 + n + (n + 2)  # tokens kept, cards, provinces, patricians
    laid_out = n + (n + 2)
    return sets * (2 * dice + scoring), 1 + sets * (laid_out + 3 * dice + 1 + 3)


def _quovadis_length(n: int, options: Mapping[str, str]) -> tuple[int, int]:
    """The most decisions and the most chance events of a game of Quo Vadis?, or of an election."""
    rounds = int(options["stall_rounds"])
    if not rounds:
        raise BadOption("stall_rounds is 1 to 99 for OpenSpiel, not 0: its games must end")
    steps = 8 * n * 5  # a senator enters and makes four steps at most; between two steps the game may stall
    turns = (steps + 1) * rounds * n
    draft = 10 + n - 1  # deal, action, four gives, then, two promises, ask; answers
    in_turn = (3 + n - 1) * draft + 3  # three drafts of the active seat, one of each other; action, hear, Caesar
    games = 3 if options["consul_election"] == "on" else 1
    return games * (turns * in_turn + 8 * n), 1 + games * 44


_LENGTHS: dict[str, Callable[[int, Mapping[str, str]], tuple[int, int]]] = {
    "alea": _alea_length,
    "quovadis": _quovadis_length,
}


verbs: Any = None
"""Stands for the verbs of a game in the loops below; each game has copies of them, see `_bound`."""


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
                move = verbs.wander(states[0], buffer, rng)
            verbs.apply(states[0], move)
            seat = verbs.turn(states[0])
        verbs.score(states[0], results[game])


class Loops(NamedTuple):
    """What a search asks for most, compiled with the rules inside: to hand the verbs over, as `kernels` does, would
    take as long as the rest of the search."""

    chances: Callable[[Array, Array, Array], int]
    """chances(states, out, weights): write the outcomes of states[0] and their odds, and return how many."""
    rollouts: Callable[[Array, int, Array, Array, Array], None]
    """rollouts(states, seed, rng, buffer, results): play states[1] to the end for each row of the results."""


def _bound(function: Callable[..., Any], game: Game, short: bool) -> Any:
    """A copy of the loop in which `verbs` is this game; its name tells the copies apart on disk.

    Nothing here is under a decorator: that would put this file into the digest that names the cache of all compiled
    code, and none of that depends on it. Numba itself notices when a function's own file has changed.
    """
    module = types.ModuleType("verbs")
    for verb in ("turn", "legal", "odds", "draw", "apply", "score", "wander"):
        setattr(module, verb, getattr(game, verb))
    copy = types.FunctionType(function.__code__, globals() | {"verbs": module}, f"{function.__name__}_{game.name}")
    copy.__qualname__ = copy.__name__
    return generic(copy, short)


@functools.cache
def loops_of(game: Game) -> Loops:
    """The loops for this game, compiled (or taken from disk) at the first call."""
    loops = Loops(_bound(_chances, game, True), _bound(_rollouts, game, False))
    specialise(loops.chances, int, [game.state], [np.int32], [np.float64])
    specialise(loops.rollouts, None, [game.state], int, RNG, [np.int32], [[[np.int32]]])
    return loops


class RostraState(pyspiel.State):  # type: ignore[misc]  # it has no types
    """A state of some game of ours; what OpenSpiel calls an action of chance is our move minus `n_decisions`."""

    rules: ClassVar[Game]
    verbs: ClassVar[Verbs]

    def __init__(self, game: "RostraGame") -> None:
        super().__init__(game)
        self._record = bytearray(game.start)
        self._player = PLAYER_OF[CHANCE]  # who has the start marker is drawn first
        self.reward = game.reward
        self._hidden = b""
        """By ply: the mask of the seats that may not see it."""

    @property
    def states(self) -> Array:
        """The record as the one element of an array that shares its bytes."""
        return np.frombuffer(self._record, self.rules.state)

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
        out = np.empty(self.rules.max_legal, np.int32)
        return out[: self.verbs.legal(self.states, 0, out)]

    def _legal_actions(self, player: int) -> list[int]:
        return self._legal().tolist()  # type: ignore[no-any-return]  # a list of ints

    def _move(self, action: int) -> int:
        return action + self.rules.n_decisions if self._player == PLAYER_OF[CHANCE] else action

    def _action_of(self, move: int) -> int:
        return move - self.rules.n_decisions if self._player == PLAYER_OF[CHANCE] else move

    def _is_legal(self, move: int) -> bool:
        moves = self._legal()
        at = int(np.searchsorted(moves, move))
        return at < len(moves) and int(moves[at]) == move

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """All outcomes with their odds."""
        if self._player != PLAYER_OF[CHANCE]:
            raise NotYourTurn("there are outcomes at chance nodes only; here ask for legal_actions()")
        out, weights = np.empty(self.rules.max_legal, np.int32), np.empty(self.rules.max_legal)
        n = loops_of(self.rules).chances(self.states, out, weights)
        return list(zip((out[:n] - self.rules.n_decisions).tolist(), weights[:n].tolist(), strict=True))

    def _apply_action(self, action: int) -> None:
        move, states = self._move(action), self.states
        if not self._is_legal(move):
            legal = [str(self._action_of(one)) for one in self._legal().tolist()]
            raise IllegalMove(f"{action} is no legal action now; legal are {shortened(legal)}")
        hidden = 0
        if self.rules.secret:
            for seat in range(self.num_players()):
                hidden |= self.rules.hides(states[0], move, seat) << seat
        self._hidden += bytes((hidden,))
        self.verbs.apply(states, 0, move)
        turn = self.verbs.turn(states, 0)
        self._player = PLAYER_OF.get(turn, turn)

    def _action_to_string(self, player: int, action: int) -> str:
        move = self._move(action)
        # Texts name dice and tiles of the state, so an action that is not possible now has only its number.
        return self.rules.text(self.record, move) if self._is_legal(move) else str(action)

    def returns(self) -> list[float]:
        """Zeros until the end, then what the parameter `reward` says."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        result = np.zeros((3, self.num_players()), np.int32)
        self.rules.score(self.record, result)
        return rewards(result, self.reward).tolist()  # type: ignore[no-any-return]  # a list of floats

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> "RostraState":
        """A state that this seat cannot tell from this one; what it cannot know is dealt anew.

        The history stays what really happened: plies that this seat did not see are no part of the new world, so no
        seat's information state tells them.
        """
        sampled: RostraState = self.clone()
        self.rules.redeal(sampled.record, player, generator(int(probability_sampler() * SEEDS)))
        sampled._hidden = bytes(_ALL_SEATS if seats >> player & 1 else seats for seats in self._hidden)
        return sampled

    def seen(self, seat: int) -> str:
        """The actions so far as this seat saw them, `?` for what it may not know."""
        plies = zip(self.history(), self._hidden, strict=True)
        return " ".join("?" if seats >> seat & 1 else str(action) for action, seats in plies)

    def __str__(self) -> str:
        s = self.record
        return f"{self.rules.diagram(s, None)}\nstate {digest(s)}"


class AleaState(RostraState):
    """A state of Alea Iacta Est."""

    rules = ALEA


class QuoVadisState(RostraState):
    """A state of Quo Vadis?."""

    rules = QUO_VADIS


class RostraObserver:
    """What one seat knows: by default the numbers of `Game.planes` and its view as JSON; with perfect recall the
    actions as the seat saw them and the view, as a string only."""

    def __init__(self, rules: Game, kind: Any, parameters: Mapping[str, Any] | None) -> None:
        if parameters:
            raise ValueError(f"observations have no parameters, but {dict(parameters)} was given")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("only all that one player knows can be observed: public_info=True and SINGLE_PLAYER")
        self._rules = rules
        self._recalls = kind.perfect_recall
        self.tensor: Array | None = None
        self.dict: dict[str, Array] = {}
        if not self._recalls:
            self.tensor = np.zeros(rules.observation_size, np.float32)
            at = 0
            for plane in rules.planes:
                self.dict[plane.name] = self.tensor[at : at + plane.size].reshape(plane.shape)
                at += plane.size

    def set_from(self, state: RostraState, player: int) -> None:
        """Write what this player knows into `tensor`, of which `dict` has the parts."""
        if self.tensor is not None:
            self._rules.observe(state.record, player, self.tensor)

    def string_from(self, state: RostraState, player: int) -> str:
        """What this player knows as text."""
        view = json.dumps(self._rules.view(state.record, player), separators=(",", ":"))
        return f"{state.seen(player)}\n{view}" if self._recalls else view


def _is_number(option: Option) -> bool:
    """Whether an option is a number to OpenSpiel, which reads the 1 of `start_seat=1` as one and no text in its place;
    `random` is then -1."""
    return any(value.isdigit() for value in option.values)


def _option_value(option: Option, given: Any) -> str:
    """The text of an option's value, which for a number is found by what `setup` gets."""
    if _is_number(option) and given in option.compiled:
        return option.values[option.compiled.index(given)]
    return str(given)


def _parameters(rules: Game) -> dict[str, Any]:
    """The parameters of a game with their defaults."""
    options = {one.name: one.compiled[0] if _is_number(one) else one.values[0] for one in rules.options}
    return {"players": rules.seats[0], "reward": REWARDS[0], **options}


def game_type(rules: Game, by_points: bool = False) -> Any:
    """What OpenSpiel's registry knows of a game."""
    kind = pyspiel.GameType
    return kind(
        short_name=f"python_rostra_{rules.name}",
        long_name=f"{rules.title} (Rostra)",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION if rules.secret else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM if by_points else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        min_num_players=rules.seats[0],
        max_num_players=rules.seats[1],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(rules),
    )


class RostraGame(pyspiel.Game):  # type: ignore[misc]  # it has no types
    """A game of ours with its number of players, options and reward chosen."""

    make_state: ClassVar[type[RostraState]]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        rules = self.make_state.rules
        self.make_state.verbs = verbs_of(rules)
        given = {**_parameters(rules), **(parameters or {})}
        n = given["players"]
        rules.check_seats(n)
        self.reward = given["reward"]
        check_reward(self.reward)
        chosen = {option.name: _option_value(option, given[option.name]) for option in rules.options}
        self.start = rules.new(n, chosen).tobytes()
        decisions, self._chances = _LENGTHS[rules.name](n, rules.all_options(chosen))
        by_points = self.reward == "points"
        information = pyspiel.GameInfo(
            num_distinct_actions=rules.n_decisions,
            max_chance_outcomes=rules.n_outcomes,
            num_players=n,
            min_utility=LEAST_POINTS if by_points else -1 / (n - 1),
            max_utility=MOST_POINTS if by_points else 1,
            utility_sum=None if by_points else 0,
            max_game_length=decisions,
        )
        super().__init__(game_type(rules, by_points), information, given)
        loops_of(rules)  # compiled here, before somebody waits for a move

    def new_initial_state(self) -> RostraState:
        """The state before the first chance event."""
        return self.make_state(self)

    def max_chance_nodes_in_history(self) -> int:
        """No game has more chance events."""
        return self._chances

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> RostraObserver:
        """What OpenSpiel asks to get strings and tensors of states."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return RostraObserver(self.make_state.rules, kind, params)


class AleaGame(RostraGame):
    """Alea Iacta Est."""

    make_state = AleaState


class QuoVadisGame(RostraGame):
    """Quo Vadis?."""

    make_state = QuoVadisState


class Rollouts:
    """An evaluator for OpenSpiel's Python searches that plays to the end in compiled code, hundreds of times as fast
    as its `RandomRolloutEvaluator`, with `Game.wander` as the player: in Alea the same uniform one."""

    def __init__(self, n_rollouts: int = 1, seed: int = 0) -> None:
        self.n_rollouts = n_rollouts
        self._rng = np.random.default_rng(seed)

    def evaluate(self, state: RostraState) -> Array:
        """The mean returns of some random games from here."""
        rules, n = state.rules, state.num_players()
        states = np.zeros(2, rules.state)
        states[1] = state.record
        results = np.zeros((self.n_rollouts, 3, n), np.int32)
        seed, buffer = int(self._rng.integers(SEEDS)), np.empty(rules.max_legal, np.int32)
        loops_of(rules).rollouts(states, seed, np.zeros(1, np.uint64), buffer, results)
        mean: Array = rewards(results, state.reward).mean(0)
        return mean

    def prior(self, state: RostraState) -> list[tuple[int, float]]:
        """Every legal action is as likely."""
        if state.is_chance_node():
            return state.chance_outcomes()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


# Classes, not functions made here: the registry outlives Python, and letting go of a function would end in a crash.
pyspiel.register_game(game_type(ALEA), AleaGame)
pyspiel.register_game(game_type(QUO_VADIS), QuoVadisGame)
