"""Thousands of games at once as a Gymnasium vector environment, stepped in compiled code that releases Python's lock.

In each game the deciding seat acts: one policy plays all seats, and `infos["seat"]` names the seat. Chance events
happen inside. A game that ends is restarted in the same step (Gymnasium's SAME_STEP); its final position is not shown,
because nobody decides there. `step` returns the reward of the seat that has just acted; `infos["rewards"]` has a column
for every seat, because the end of a game rewards all of them. For agents with names see `pettingzoo_env`.
"""

import dataclasses
import functools
import types
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from rostra.adapters.tables import check_reward, environment_id, rewards
from rostra.engine.game import CHANCE, OVER, POINTS, WINNER, BadOption, Game, IllegalMove, shortened
from rostra.engine.jit import Array, generic, specialise
from rostra.engine.rng import RNG, SEEDS, below, new_seed, reseed
from rostra.games import find_game

verbs: Any = None
"""A placeholder for the verbs of a game in the loops below; each game gets copies of them, see `_bound`."""
settle: Any = None
"""A placeholder for the game's copy of `_settle`."""


def _settle(
    states: Array, i: int, seeds: Array, choosers: Array, rng: Array, buffer: Array, seats: Array, masks: Array,
    picks: Array,
) -> int:  # fmt: skip
    """Make the chance events of game i, then write who decides and what is legal; returns whose turn it is."""
    s = states[i]
    seat = verbs.turn(s)
    while seat == CHANCE:
        reseed(rng, seeds[i], verbs.stream(s))
        verbs.apply(s, verbs.draw(s, rng))
        seat = verbs.turn(s)
    if seat != OVER:
        seats[i] = seat
        masks[i, :] = 0
        number = verbs.legal(s, buffer)
        for k in range(number):
            masks[i, buffer[k]] = 1
        picks[i] = buffer[
            below(choosers[i], number)
        ]  # the moves are listed here anyway, so picking one costs next to nothing
    return int(seat)


def _start(
    fresh: Array, states: Array, seed: int, generators: Array, seeds: Array, choosers: Array, rng: Array, buffer: Array,
    seats: Array, masks: Array, picks: Array,
) -> None:  # fmt: skip
    for i in range(len(states)):
        reseed(generators[i], seed, 2 * i)
        reseed(choosers[i], seed, 2 * i + 1)
        seeds[i] = new_seed(generators[i])
        states[i] = fresh[0]
        settle(states, i, seeds, choosers, rng, buffer, seats, masks, picks)


def _step(
    fresh: Array, states: Array, actions: Array, generators: Array, seeds: Array, choosers: Array, rng: Array,
    buffer: Array, seats: Array, masks: Array, picks: Array, ended: Array, scores: Array,
) -> int:  # fmt: skip
    for i in range(len(states)):  # check all first: a refused step must change nothing
        if actions[i] < 0 or actions[i] >= masks.shape[1] or masks[i, actions[i]] == 0:
            return i
    for i in range(len(states)):
        verbs.apply(states[i], actions[i])
        ended[i] = 0
        if settle(states, i, seeds, choosers, rng, buffer, seats, masks, picks) == OVER:
            ended[i] = 1
            verbs.score(states[i], scores[i])
            seeds[i] = new_seed(generators[i])
            states[i] = fresh[0]
            settle(states, i, seeds, choosers, rng, buffer, seats, masks, picks)
    return -1


def _observe(states: Array, seats: Array, out: Array) -> None:
    for i in range(len(states)):
        verbs.observe(states[i], seats[i], out[i])


@dataclasses.dataclass(frozen=True)
class Loops:
    """The loops over all games of a vector, compiled with the rules inside: a quarter faster than handing the verbs
    over as arguments, and worth a copy for each game."""

    start: Callable[..., None]
    step: Callable[..., int]
    """Returns the first game that does not allow its action, or -1 after a step in all games."""
    observe: Callable[[Array, Array, Array], None]


def _bound(function: Callable[..., Any], game: Game, inner: Any = None) -> Any:
    """A copy of the loop in which `verbs` is this game; its name distinguishes the copies on disk.

    No decorator is used: it would put this file into the digest that names the cache of all compiled code, none of
    which depends on it. Numba itself notices when a function's own file has changed.
    """
    module: Any = types.ModuleType("verbs")
    module.turn, module.legal, module.apply = game.turn, game.legal, game.apply
    module.draw, module.stream, module.score, module.observe = game.draw, game.stream, game.score, game.observe
    names = globals() | {"verbs": module, "settle": inner}
    copy = types.FunctionType(function.__code__, names, f"{function.__name__}_{game.name}")
    copy.__qualname__ = copy.__name__
    return generic(copy)


@functools.cache
def loops_of(game: Game) -> Loops:
    """The loops for this game, compiled (or taken from disk) at the first call."""
    records, numbers = [game.state], [np.int64]
    settling = (numbers, [[np.uint64]], RNG, [np.int32], numbers, [[np.uint8]], numbers)
    inner, observe = _bound(_settle, game), _bound(_observe, game)
    start, step = _bound(_start, game, inner), _bound(_step, game, inner)
    specialise(inner, int, records, int, *settling)
    specialise(start, None, records, records, int, [[np.uint64]], *settling)
    specialise(step, int, records, records, numbers, [[np.uint64]], *settling, [np.uint8], [[[np.int32]]])
    specialise(observe, None, records, numbers, [[np.float32]])
    return Loops(start, step, observe)


class VectorEnv(gymnasium.vector.VectorEnv[dict[str, Array], Array, Array]):
    """Many games side by side; see the module.

    An observation is a dict of `action_mask` (uint8, a row for each game) and `observation` (float32, of the deciding
    seat). The latter is left out with `observations=False`, because it takes longer than the step; `observe` returns it
    on demand. With `copy=False` the returned arrays are overwritten by the next step.
    """

    def __init__(
        self,
        game: str = "alea",
        seats: int = 2,
        n: int = 1024,
        *,
        reward: str = "share",
        observations: bool = True,
        copy: bool = True,
        **options: str,
    ) -> None:
        if n < 1:
            raise BadOption(f"n is the number of games, at least 1, not {n!r}")
        check_reward(reward)
        self.game = find_game(game)
        self.num_envs = n
        self.seats = seats
        self.states = np.zeros(n, self.game.state)
        """The records of all games."""
        self.seeds = np.zeros(n, np.int64)
        """A Match with this seed has the same chance events as the running game."""
        self._fresh = np.zeros(1, self.game.state)
        self._fresh[0] = self.game.new(seats, options)
        self._loops = loops_of(self.game)
        self._generators = np.zeros((n, 1), np.uint64)
        self._choosers = np.zeros((n, 1), np.uint64)
        self._dice = np.zeros(1, np.uint64)
        self._buffer = np.empty(self.game.max_legal, np.int32)
        self._seats = np.zeros(n, np.int64)
        self._masks = np.zeros((n, self.game.n_decisions), np.uint8)
        self._picks = np.zeros(n, np.int64)
        self._planes = np.zeros((n, self.game.observation_size), np.float32)
        self._ended = np.zeros(n, np.uint8)
        self._scores = np.zeros((n, 3, seats), np.int32)
        self._reward, self._copy, self._observes = reward, copy, observations
        self._started = False
        self.metadata = {"name": environment_id(self.game), "autoreset_mode": AutoresetMode.SAME_STEP}
        parts: dict[str, spaces.Space[Any]] = {"action_mask": spaces.Box(0, 1, self._masks.shape[1:], np.uint8)}
        if observations:
            parts["observation"] = spaces.Box(-np.inf, np.inf, self._planes.shape[1:], np.float32)
        self.single_observation_space = spaces.Dict(parts)
        self.single_action_space = spaces.Discrete(self.game.n_decisions)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """Start all games. Without a seed they are seeded by those before, the first ones by the system's entropy."""
        if seed is not None and (not isinstance(seed, int | np.integer) or not 0 <= seed < SEEDS):
            raise BadOption(f"the seed is a whole number from 0 to 2**62 - 1, not {seed!r}")
        super().reset(seed=None if seed is None else int(seed))
        first = int(self.np_random.integers(SEEDS)) if seed is None else int(seed)
        self._loops.start(
            self._fresh, self.states, first, self._generators, self.seeds, self._choosers, self._dice, self._buffer,
            self._seats, self._masks, self._picks,
        )  # fmt: skip
        self._started = True
        return self._observation(), {"seat": self._given(self._seats)}

    def step(self, actions: Array) -> tuple[dict[str, Array], Array, Array, Array, dict[str, Any]]:
        """Make a move in every game; infos have the deciding `seat` and, where a game ended, `rewards` and `points`."""
        moves = np.asarray(actions)
        if not self._started:
            raise BadOption("call reset before step")
        if moves.shape != (self.num_envs,) or moves.dtype.kind not in "iu":
            raise IllegalMove(
                f"actions are {self.num_envs} whole numbers, one a game, not {moves.dtype} of shape {moves.shape}"
            )
        moves = np.ascontiguousarray(moves, np.int64)
        acted = self._seats.copy()
        refused = self._loops.step(
            self._fresh, self.states, moves, self._generators, self.seeds, self._choosers, self._dice, self._buffer,
            self._seats, self._masks, self._picks, self._ended, self._scores,
        )  # fmt: skip
        if refused >= 0:
            legal = shortened([str(move) for move in np.flatnonzero(self._masks[refused])])
            raise IllegalMove(f"game {refused} does not allow action {moves[refused]}; legal: {legal}")
        terminated = self._ended.astype(np.bool_)
        over = np.flatnonzero(terminated)  # few of many, so nothing below touches the rest
        own = np.zeros(self.num_envs)
        everybody = np.zeros((self.num_envs, self.seats))
        infos: dict[str, Any] = {"seat": self._given(self._seats), "rewards": everybody}
        if len(over):
            scores = self._scores[over]
            everybody[over] = rewards(scores, self._reward)
            own[over] = everybody[over, acted[over]]
            for name, row in (("points", POINTS), ("winners", WINNER)):
                infos[name] = np.zeros((self.num_envs, self.seats), np.int32)
                infos[name][over] = scores[:, row]
                infos[f"_{name}"] = terminated
        return self._observation(), own, terminated, np.zeros(self.num_envs, np.bool_), infos

    def observe(self) -> Array:
        """What the deciding seats may know, a row for each game."""
        self._loops.observe(self.states, self._seats, self._planes)
        return self._given(self._planes)

    def random_actions(self) -> Array:
        """A uniformly random legal action for every game, drawn from the seed; the same until the next step."""
        return self._picks.copy()

    def render(self) -> tuple[str, ...]:
        """Every game as a spectator sees it."""
        return tuple(self.game.diagram(s, None) for s in self.states)

    def _given(self, array: Array) -> Array:
        return array.copy() if self._copy else array

    def _observation(self) -> dict[str, Array]:
        found = {"action_mask": self._given(self._masks)}
        return found | {"observation": self.observe()} if self._observes else found
