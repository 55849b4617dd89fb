"""Thousands of games at once as a Gymnasium vector environment, stepped in compiled code that releases Python's lock.

In each game the deciding seat acts: one policy plays all seats, and `infos["seat"]` names the seat. Chance events
happen inside. A game that ends is restarted in the same step (Gymnasium's SAME_STEP); its final position is not shown,
because nobody decides there. `step` returns the reward of the seat that has just acted; `infos["rewards"]` has a column
for every seat, because the end of a game rewards all of them. For agents with names see `pettingzoo_env`.
"""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from rostra.extras import need

need("adapters", "Gymnasium")

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from rostra.adapters.tables import check_reward, environment_id, rewards
from rostra.engine.game import CHANCE, OVER, POINTS, WINNER, BadOption, Game, IllegalMove, shortened
from rostra.engine.jit import Array, bind, unit
from rostra.engine.loops import COUNTED
from rostra.engine.rng import RNG, SEEDS, below, new_seed, reseed
from rostra.games import find_game

verbs: Any = None
"""Stands for the compiled functions of a game, see `jit.bind`."""


class Batch(NamedTuple):
    """The arrays of all games of a vector, a row for each game; also their types, for compiled code."""

    states: Any
    fresh: Any
    """The new game that all of them start from."""
    generators: Any
    """From which each game gets the seed of its dice, `seeds`."""
    seeds: Any
    choosers: Any
    """From which `picks`, a random legal action for each game, is drawn."""
    picks: Any
    plies: Any
    """How many moves and outcomes the game has had."""
    seats: Any
    masks: Any
    rng: Any
    buffer: Any
    ended: Any
    scores: Any


def _settle(batch: Batch, i: int) -> int:
    """Let chance happen in game i, and write who decides and what is legal; returns whose turn it is."""
    s = batch.states[i]
    seat = verbs.turn(s)
    while seat == CHANCE:
        stream = verbs.stream(s)
        reseed(batch.rng, batch.seeds[i], stream if stream >= 0 else COUNTED + batch.plies[i])
        verbs.apply(s, verbs.draw(s, batch.rng))
        batch.plies[i] += 1
        seat = verbs.turn(s)
    if seat != OVER:
        batch.seats[i] = seat
        batch.masks[i, :] = 0
        number = verbs.legal(s, batch.buffer)
        for k in range(number):
            batch.masks[i, batch.buffer[k]] = 1
        batch.picks[i] = batch.buffer[below(batch.choosers[i], number)]
    return int(seat)


def _begin(batch: Batch, i: int) -> None:
    """Start game i."""
    batch.seeds[i] = new_seed(batch.generators[i])
    batch.states[i] = batch.fresh[0]
    batch.plies[i] = 0
    verbs.settle(batch, i)


def _start(batch: Batch, seed: int) -> None:
    for i in range(len(batch.states)):
        reseed(batch.generators[i], seed, 2 * i)
        reseed(batch.choosers[i], seed, 2 * i + 1)
        verbs.begin(batch, i)


def _step(batch: Batch, actions: Array) -> int:
    masks = batch.masks
    for i in range(len(batch.states)):  # all of them first: a refused step must change nothing
        if actions[i] < 0 or actions[i] >= masks.shape[1] or masks[i, actions[i]] == 0:
            return i
    for i in range(len(batch.states)):
        verbs.apply(batch.states[i], actions[i])
        batch.plies[i] += 1
        batch.ended[i] = 0
        if verbs.settle(batch, i) == OVER:
            batch.ended[i] = 1
            verbs.score(batch.states[i], batch.scores[i])
            verbs.begin(batch, i)
    return -1


def _observe(states: Array, seats: Array, out: Array) -> None:
    for i in range(len(states)):
        verbs.observe(states[i], seats[i], out[i])


@dataclasses.dataclass(frozen=True)
class Loops:
    """The loops over all games of a vector, bound to one game."""

    start: Callable[[Batch, int], None]
    step: Callable[[Batch, Array], int]
    """Returns the first game that does not allow its action, or -1 when all was done."""
    observe: Callable[[Array, Array, Array], None]


@functools.cache
def loops_of(game: Game) -> Loops:
    """The loops for this game."""
    records, numbers, seeds = [game.rules.state], [np.int64], [[np.uint64]]
    batch = Batch(
        states=records, fresh=records, generators=seeds, seeds=numbers, choosers=seeds, picks=numbers, plies=numbers,
        seats=numbers, masks=[[np.uint8]], rng=RNG, buffer=[np.int32], ended=[np.uint8], scores=[[[np.int32]]],
    )  # fmt: skip
    settle = bind(_settle, game.name, game.verbs, int, batch, int, long=True)
    known = {**game.verbs, "settle": settle}
    known["begin"] = bind(_begin, game.name, known, None, batch, int, long=True)
    loops = Loops(
        bind(_start, game.name, known, None, batch, int, long=True),
        bind(_step, game.name, known, int, batch, numbers, long=True),
        bind(_observe, game.name, known, None, records, numbers, [[np.float32]], long=True),
    )
    unit(f"{game.name}, vectors", vars(loops).values())
    return loops


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
        rules = self.game.rules
        self._batch = Batch(
            states=np.zeros(n, rules.state),
            fresh=np.zeros(1, rules.state),
            generators=np.zeros((n, 1), np.uint64),
            seeds=np.zeros(n, np.int64),
            choosers=np.zeros((n, 1), np.uint64),
            picks=np.zeros(n, np.int64),
            plies=np.zeros(n, np.int64),
            seats=np.zeros(n, np.int64),
            masks=np.zeros((n, rules.n_decisions), np.uint8),
            rng=np.zeros(1, np.uint64),
            buffer=np.empty(rules.max_legal, np.int32),
            ended=np.zeros(n, np.uint8),
            scores=np.zeros((n, 3, seats), np.int32),
        )
        self._batch.fresh[0] = self.game.new(seats, options)
        self.states: Array = self._batch.states
        """The records of all games."""
        self.seeds: Array = self._batch.seeds
        """A Match with this seed has the same chance events as the game that goes on."""
        self._loops = loops_of(self.game)
        self._seats, self._masks = self._batch.seats, self._batch.masks
        self._planes = np.zeros((n, self.game.knowledge.observation_size), np.float32)
        self._reward, self._copy, self._observes = reward, copy, observations
        self._started = False
        self.metadata = {"name": environment_id(self.game), "autoreset_mode": AutoresetMode.SAME_STEP}
        parts: dict[str, spaces.Space[Any]] = {"action_mask": spaces.Box(0, 1, self._masks.shape[1:], np.uint8)}
        if observations:
            parts["observation"] = spaces.Box(-np.inf, np.inf, self._planes.shape[1:], np.float32)
        self.single_observation_space = spaces.Dict(parts)
        self.single_action_space = spaces.Discrete(self.game.rules.n_decisions)
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
        self._loops.start(self._batch, first)
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
        refused = self._loops.step(self._batch, moves)
        if refused >= 0:
            legal = shortened([str(move) for move in np.flatnonzero(self._masks[refused])])
            raise IllegalMove(f"game {refused} does not allow action {moves[refused]}; legal: {legal}")
        terminated = self._batch.ended.astype(np.bool_)
        over = np.flatnonzero(terminated)  # few of many: nothing below touches the rest
        own = np.zeros(self.num_envs)
        everybody = np.zeros((self.num_envs, self.seats))
        infos: dict[str, Any] = {"seat": self._given(self._seats), "rewards": everybody}
        if len(over):
            scores = self._batch.scores[over]
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
        """A legal action for every game, each as likely, from streams of the seed; the same until the next step."""
        return np.array(self._batch.picks)

    def render(self) -> tuple[str, ...]:
        """Every game as a spectator sees it."""
        return tuple(self.game.screen.diagram(s, None) for s in self.states)

    def _given(self, array: Array) -> Array:
        return array.copy() if self._copy else array

    def _observation(self) -> dict[str, Array]:
        found = {"action_mask": self._given(self._masks)}
        return found | {"observation": self.observe()} if self._observes else found
