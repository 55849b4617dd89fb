"""Any game as a PettingZoo environment: the seats are agents that decide one after another (AEC).

Chance events happen inside, from the seed of `reset`, just as in a `Match` with the seed `dice_seed`. Drafts and
answers in Quo Vadis? are ordinary actions of the seat that is to speak. Seats do not act in a fixed order: ask
`agent_selection`. Only that agent has legal actions in its mask; the masks of others are all zero. For many games at
once see `vector_env`. Importing this enters the games into PettingZoo's registry:
`pettingzoo.make("aec", "rostra/alea")`.
"""

from typing import Any

from rostra.extras import need

need("adapters", "PettingZoo")

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, aec_registry, register  # type: ignore[import-untyped]  # it does not say it is typed
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]  # it has no types

from rostra.adapters.picture import picture
from rostra.adapters.tables import check_reward, environment_id, registry_id, rewards
from rostra.engine import rng
from rostra.engine.game import CHANCE, OVER, POINTS, WINNER, BadOption, IllegalMove, shortened
from rostra.engine.jit import Array, State
from rostra.engine.loops import verbs_of
from rostra.games import all_games, find_game

RENDER_MODES = ("ansi", "human", "rgb_array")
Observation = dict[str, Array]


def env(
    game: str = "alea", seats: int = 4, render_mode: str | None = None, *, reward: str = "share", **options: str
) -> AECEnv[str, Observation, int | None]:
    """The environment in PettingZoo's usual wrappers: an illegal action ends the episode with -1 for its agent."""
    plain = raw_env(game, seats, render_mode, reward=reward, **options)
    ended_by_illegal = wrappers.TerminateIllegalWrapper(plain, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(ended_by_illegal))


class raw_env(AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # noqa: N801  # PettingZoo's name for it
    """The environment without wrappers: it raises IllegalMove. A copy or pickle continues from the same position."""

    def __init__(
        self,
        game: str = "alea",
        seats: int = 4,
        render_mode: str | None = None,
        *,
        reward: str = "share",
        **options: str,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise BadOption(f"the render mode is one of {', '.join(RENDER_MODES)} or None, not {render_mode!r}")
        check_reward(reward)
        self._name = game
        self._bind()
        self._new = np.zeros(1, self.game.rules.state)
        self._new[0] = self.game.new(seats, options)
        self._states = self._new.copy()
        self._buffer = np.empty(self.game.rules.max_legal, np.int32)
        self._chance = rng.generator()
        self._seeds: Array | None = None
        self._reward = reward
        self.render_mode = render_mode
        self.dice_seed = 0
        """A Match with this seed has the same chance events."""
        self.moves: list[int] = []
        """All plies of the episode, including outcomes of chance."""
        self.metadata = {
            "name": environment_id(self.game),
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.agents = self.possible_agents[:]
        size, actions = self.game.knowledge.observation_size, self.game.rules.n_decisions
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-np.inf, np.inf, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.agents
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {agent: spaces.Discrete(actions) for agent in self.agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What `observe` gives this agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The decisions of the game, legal or not."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode. Without a seed it is seeded by the one before, the first one by the system's entropy.

        Rule options belong to `env`; PettingZoo's `options` change nothing here.
        """
        if seed is not None or self._seeds is None:
            self._seeds = rng.generator(_checked(seed) if seed is not None else _any_seed())
        self.dice_seed = int(rng.new_seed(self._seeds))
        self._states[0] = self._new[0]
        self.moves = []
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._advance()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What this agent's seat may know, and its legal actions if it is to decide."""
        seat = self.possible_agents.index(agent)
        observation = np.zeros(self.game.knowledge.observation_size, np.float32)
        self.game.knowledge.observe(self._states[0], seat, observation)
        mask = np.zeros(self.game.rules.n_decisions, np.int8)
        if self._turn == seat:
            mask[self.legal()] = 1
        return {"observation": observation, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make the selected agent's move, then all chance events until a seat has to decide."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        legal = self.legal().tolist()
        if action is None or action not in legal:
            raise IllegalMove(f"{agent} cannot take action {action!r}; legal: {shortened(list(map(str, legal)))}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._make(int(action))
        self._advance()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    @property
    def state_record(self) -> State:
        """The record of the game, with its secrets."""
        return self._states[0]

    def render(self) -> str | Array | None:
        """The table as a spectator sees it: text for "ansi", printed for "human", pixels for "rgb_array"."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called on an environment made without a render_mode")
            return None
        diagram = self.game.screen.diagram(self._states[0], None)
        if self.render_mode == "ansi":
            return diagram
        if self.render_mode == "rgb_array":
            return picture(diagram)
        print(diagram)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def _bind(self) -> None:
        self.game = find_game(self._name)
        self._verbs = verbs_of(self.game)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("game", "_verbs")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()

    def legal(self) -> Array:
        """The legal actions of the selected agent, overwritten by the next call."""
        return self._buffer[: self._verbs.legal(self._states, 0, self._buffer)]

    def _make(self, move: int) -> None:
        self.moves.append(move)
        self._verbs.apply(self._states, 0, move)

    def _advance(self) -> None:
        """Make all chance events, then select the deciding agent or end the episode."""
        while (turn := self._verbs.turn(self._states, 0)) == CHANCE:
            self._make(self._verbs.draw(self._states, 0, self.dice_seed, len(self.moves), self._chance))
        self._turn = turn
        if turn != OVER:
            self.agent_selection = self.possible_agents[turn]
            return
        score = np.zeros((3, len(self.agents)), np.int32)
        self.game.rules.score(self._states[0], score)
        for seat, (agent, reward) in enumerate(zip(self.agents, rewards(score, self._reward).tolist(), strict=True)):
            self.rewards[agent] = reward
            self.terminations[agent] = True
            self.infos[agent] = {"points": int(score[POINTS, seat]), "winner": bool(score[WINNER, seat])}


def _checked(seed: int) -> int:
    if not isinstance(seed, int | np.integer) or not 0 <= seed < rng.SEEDS:
        raise BadOption(f"the seed is a whole number from 0 to 2**62 - 1, not {seed!r}")
    return int(seed)


def _any_seed() -> int:
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(2))


for _name, _game in all_games().items():
    if registry_id(_game) not in aec_registry:
        register("aec", registry_id(_game), f"{__name__}:env", kwargs={"game": _name, "seats": _game.rules.seats[0]})
