"""One seat of a game as a Gymnasium environment, with bots in the other seats: for single-agent libraries.

An observation is what the seat may know. The legal actions are in `info["action_mask"]`, and `action_masks()` returns
them by the name that sb3-contrib's MaskablePPO looks for. Importing this enters the games in Gymnasium's registry:
`gymnasium.make("rostra/alea-v1", opponents="greedy")`. For self-play see `vector_env` and `pettingzoo_env`.
"""

from typing import Any

from rostra.extras import need

need("adapters", "Gymnasium")

import gymnasium
import numpy as np
from gymnasium import spaces

from rostra.adapters.pettingzoo_env import RENDER_MODES, raw_env
from rostra.adapters.tables import registry_id
from rostra.bots import make_bot
from rostra.engine import rng
from rostra.engine.game import BadOption
from rostra.engine.jit import Array
from rostra.games import all_games


class SeatEnv(gymnasium.Env[Array, Any]):
    """One seat decides, bots take the others.

    `opponents` is one bot for all other seats, or several separated by commas, in turn order after the learner's seat.
    `seat` is the learner's; without it every episode draws one. An illegal action ends the episode with reward -1.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012  # as in Gymnasium itself

    def __init__(
        self,
        game: str = "alea",
        seats: int = 2,
        render_mode: str | None = None,
        *,
        opponents: str = "random",
        seat: int | None = None,
        reward: str = "share",
        **options: str,
    ) -> None:
        self.table = raw_env(game, seats, render_mode, reward=reward, **options)
        self.render_mode = render_mode
        self.seats = seats
        if seat is not None and not 0 <= seat < seats:
            raise BadOption(f"the seat is 0 to {seats - 1}, or None for a random one, not {seat!r}")
        names = opponents.split(",")
        if len(names) not in (1, seats - 1):
            raise BadOption(f"opponents are 1 bot or {seats - 1}, not {len(names)}: {opponents}")
        self._bots = [make_bot(name) for name in names] * (seats - 1 if len(names) == 1 else 1)
        self._chosen = seat
        self.seat = seat or 0
        self._thoughts = rng.generator()
        rules = self.table.game.rules
        self.observation_space = spaces.Box(-np.inf, np.inf, (self.table.game.knowledge.observation_size,), np.float32)
        self.action_space = spaces.Discrete(rules.n_decisions)
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Start an episode and let the bots play until the seat has to decide."""
        super().reset(seed=seed)
        self.table.reset(seed=int(self.np_random.integers(rng.SEEDS)))
        rng.reseed(self._thoughts, int(self.np_random.integers(rng.SEEDS)), 0)
        drawn = int(self.np_random.integers(self.seats))
        self.seat = drawn if self._chosen is None else self._chosen
        self._over = False
        self._let_others_play()
        return self._shown()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Make the seat's move, then those of the bots, until it decides again or the game is over."""
        if self._over:
            raise BadOption("the episode is over; call reset before step")
        agent = self.table.possible_agents[self.seat]
        if not self.action_masks()[int(action)]:
            self._over = True
            shown, infos = self._shown()
            return shown, -1.0, True, False, infos | {"illegal": True}
        self.table.step(int(action))
        self._let_others_play()
        shown, infos = self._shown()
        if self._over:
            return shown, float(self.table.rewards[agent]), True, False, infos | self.table.infos[agent]
        return shown, 0.0, False, False, infos

    def action_masks(self) -> Array:
        """Which actions are legal for the seat now."""
        mask = np.zeros(int(self.table.game.rules.n_decisions), np.bool_)
        if not self._over:
            mask[self.table.legal()] = True
        return mask

    def render(self) -> Any:
        """The table as a spectator sees it, as in `pettingzoo_env`."""
        return self.table.render()

    def _shown(self) -> tuple[Array, dict[str, Any]]:
        observation = np.zeros(self.table.game.knowledge.observation_size, np.float32)
        self.table.game.knowledge.observe(self.table.state_record, self.seat, observation)
        return observation, {"action_mask": self.action_masks().astype(np.int8), "seat": self.seat}

    def _let_others_play(self) -> None:
        table = self.table
        while not any(table.terminations.values()):
            turn = table.possible_agents.index(table.agent_selection)
            if turn == self.seat:
                return
            bot = self._bots[(turn - self.seat) % self.seats - 1]
            table.step(bot.choose(table.game, table.state_record, self._thoughts))
        self._over = True


for _name, _game in all_games().items():
    if registry_id(_game) not in gymnasium.registry:
        gymnasium.register(
            registry_id(_game),
            f"{__name__}:SeatEnv",
            kwargs={"game": _name, "seats": _game.rules.seats[0]},
            order_enforce=False,  # it does so itself
        )
