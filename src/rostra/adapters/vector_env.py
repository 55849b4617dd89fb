"""Thousands of games at once as a Gymnasium vector environment, stepped in compiled code that releases Python's lock.

In each game the deciding seat acts: one policy plays all seats, and `infos["seat"]` names the seat. Chance events
happen inside. A game that ends is restarted in the same step (Gymnasium's SAME_STEP); its final position is not shown,
because nobody decides there. `step` returns the reward of the seat that has just acted; `infos["rewards"]` has a column
for every seat, because the end of a game rewards all of them. For agents with names see `pettingzoo_env`, for one seat
among bots `seat_env`. Importing this enters the games into Gymnasium's registry:
`gymnasium.make_vec("rostra/alea-all-v1", num_envs=1024)`.
"""

import dataclasses
import functools
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from rostra.extras import need

need("adapters", "Gymnasium")

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from rostra.adapters.tables import check_reward, environment_id, registry_id, rewards
from rostra.engine.game import CHANCE, OVER, POINTS, WINNER, BadOption, Game, IllegalMove, shortened
from rostra.engine.jit import Array, bind, unit
from rostra.engine.loops import COUNTED
from rostra.engine.rng import RNG, SEEDS, below, new_seed, reseed
from rostra.games import all_games, find_game

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


def _start(batch: Batch, seed: int, first: int) -> None:
    for i in range(len(batch.states)):
        reseed(batch.generators[i], seed, 2 * (first + i))
        reseed(batch.choosers[i], seed, 2 * (first + i) + 1)
        verbs.begin(batch, i)


def _refused(masks: Array, actions: Array) -> int:
    for i in range(len(masks)):
        if actions[i] < 0 or actions[i] >= masks.shape[1] or masks[i, actions[i]] == 0:
            return i
    return -1


def _step(batch: Batch, actions: Array) -> None:
    for i in range(len(batch.states)):
        verbs.apply(batch.states[i], actions[i])
        batch.plies[i] += 1
        batch.ended[i] = 0
        if verbs.settle(batch, i) == OVER:
            batch.ended[i] = 1
            verbs.score(batch.states[i], batch.scores[i])
            verbs.begin(batch, i)


def _observe(states: Array, seats: Array, out: Array) -> None:
    for i in range(len(states)):
        verbs.observe(states[i], seats[i], out[i])


@dataclasses.dataclass(frozen=True)
class Loops:
    """The loops over all games of a vector, bound to one game."""

    start: Callable[[Batch, int, int], None]
    """start(batch, seed, first): start all games, of which the first has this number among all of the vector."""
    refused: Callable[[Array, Array], int]
    """The first game whose mask does not allow its action, or -1."""
    step: Callable[[Batch, Array], None]
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
        bind(_start, game.name, known, None, batch, int, int, long=True),
        bind(_refused, game.name, known, int, [[np.uint8]], numbers, long=True),
        bind(_step, game.name, known, None, batch, numbers, long=True),
        bind(_observe, game.name, known, None, records, numbers, [[np.float32]], long=True),
    )
    unit(f"{game.name}, vectors", vars(loops).values())
    return loops


def _part(batch: Batch, begin: int, end: int) -> Batch:
    """Some of the games, in the same memory, with scratch of their own."""
    rows = {name: array[begin:end] for name, array in batch._asdict().items()}
    own = {"fresh": batch.fresh, "rng": np.zeros(1, np.uint64), "buffer": np.empty_like(batch.buffer)}
    return Batch(**rows | own)


class VectorEnv(gymnasium.vector.VectorEnv[dict[str, Array], Array, Array]):
    """Many games side by side; see the module.

    An observation is a dict of `action_mask` (uint8, a row for each game) and `observation` (float32, of the deciding
    seat). The latter is left out with `observations=False`, because it takes longer than the step; `observe` returns it
    on demand. With `copy=False` the returned arrays are overwritten by the next step. With `threads` the games are
    stepped side by side in parts that share these arrays; the games are the same.
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
        threads: int = 1,
        **options: str,
    ) -> None:
        if n < 1:
            raise BadOption(f"n is the number of games, at least 1, not {n!r}")
        if not 1 <= threads <= n:
            raise BadOption(f"threads are 1 to the number of games, not {threads!r}")
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
        cuts = np.linspace(0, n, threads + 1).astype(int).tolist()
        self._parts = list(itertools.pairwise(cuts))
        self._batches = [_part(self._batch, first, last) for first, last in self._parts]
        self._threads = ThreadPoolExecutor(threads) if threads > 1 else None
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
        self._each(lambda batch, begin, _: self._loops.start(batch, first, begin))
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
        refused = self._loops.refused(self._masks, moves)
        if refused >= 0:  # before any game has changed
            legal = shortened([str(move) for move in np.flatnonzero(self._masks[refused])])
            raise IllegalMove(f"game {refused} does not allow action {moves[refused]}; legal: {legal}")
        self._each(lambda batch, begin, end: self._loops.step(batch, moves[begin:end]))
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
        planes = self._planes
        self._each(lambda batch, begin, end: self._loops.observe(batch.states, batch.seats, planes[begin:end]))
        return self._given(planes)

    def random_actions(self) -> Array:
        """A legal action for every game, each as likely, from streams of the seed; the same until the next step."""
        return np.array(self._batch.picks)

    def render(self) -> tuple[str, ...]:
        """Every game as a spectator sees it."""
        return tuple(self.game.screen.diagram(s, None) for s in self.states)

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        if self._threads:
            self._threads.shutdown()

    def _each(self, work: Callable[[Batch, int, int], None]) -> None:
        """Do something with each part of the games; compiled code releases Python's lock."""
        if self._threads is None:
            work(self._batch, 0, self.num_envs)
            return
        begins, ends = zip(*self._parts, strict=True)
        for _ in self._threads.map(work, self._batches, begins, ends):
            pass

    def _given(self, array: Array) -> Array:
        return array.copy() if self._copy else array

    def _observation(self) -> dict[str, Array]:
        found = {"action_mask": self._given(self._masks)}
        return found | {"observation": self.observe()} if self._observes else found


def make_vector(num_envs: int = 1, **chosen: Any) -> VectorEnv:
    """The environment by the words of Gymnasium's registry."""
    return VectorEnv(n=num_envs, **chosen)


for _name, _game in all_games().items():
    _id = registry_id(_game).replace("-v", "-all-v")
    if _id not in gymnasium.registry:
        _chosen = {"game": _name, "seats": _game.rules.seats[0]}
        gymnasium.register(_id, vector_entry_point=f"{__name__}:make_vector", kwargs=_chosen)
