"""Train an agent for Alea with Stable-Baselines3 (MaskablePPO), and watch it beat random players.

    pip install "rostra[adapters]" stable-baselines3 sb3-contrib
    python examples/sb3_agent.py

One seat learns, bots take the others: that is what `rostra.adapters.seat_env` is for. It draws the learner's seat for
every episode and tells MaskablePPO by `action_masks()` what is legal. About five minutes on one core. Continue with
`--opponents greedy` when random players no longer teach anything.
"""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np

from rostra.adapters.seat_env import SeatEnv

Choose = Callable[[np.ndarray, np.ndarray], int]
"""From what the seat sees and which actions are legal, an action."""


def share_of_wins(environment: Any, choose: Choose, matches: int, seed: int) -> float:
    """The share of wins of a policy in the learner's seat; ties are split."""
    won = 0.0
    for number in range(matches):
        shown, info = environment.reset(seed=seed + number)
        ended, reward = False, 0.0
        while not ended:
            action = choose(shown, info["action_mask"].astype(bool))
            shown, reward, ended, _, info = environment.step(action)
        seats = environment.seats
        won += (reward * (seats - 1) + 1) / seats  # undo the scaling of the reward
    return won / matches


def random_choice(seed: int) -> Choose:
    """Any legal action."""
    generator = np.random.default_rng(seed)
    return lambda shown, mask: int(generator.choice(np.flatnonzero(mask)))


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train, and print the share of wins before, during and after; returns the first and the last."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--steps", type=int, default=100_000, help="decisions of the learner; 0 only measures")
    parser.add_argument("--matches", type=int, default=200, help="matches to measure progress")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)

    def make() -> gymnasium.Env[Any, Any]:
        return SeatEnv("alea", given.seats, opponents=given.opponents)

    trial = make()
    before = after = share_of_wins(trial, random_choice(given.seed), given.matches, given.seed)
    print(f"a random player wins {before:.1%} of {given.matches} matches against {given.opponents}")
    if not given.steps:
        return before, after
    import torch  # type: ignore[import-not-found]  # these three are large, so only here
    from sb3_contrib import MaskablePPO  # type: ignore[import-not-found]
    from stable_baselines3.common.vec_env import DummyVecEnv  # type: ignore[import-not-found]

    torch.set_num_threads(1)  # small nets: more threads only wait for each other
    games = DummyVecEnv([make] * 8)
    model = MaskablePPO(
        "MlpPolicy", games, seed=given.seed, n_steps=256, batch_size=512, n_epochs=4, learning_rate=1e-3, gamma=1.0,
        gae_lambda=0.98, ent_coef=0.003, policy_kwargs={"net_arch": [128, 64]}, device="cpu",
    )  # fmt: skip

    def learned(shown: np.ndarray, mask: np.ndarray) -> int:
        return int(model.predict(shown, action_masks=mask, deterministic=True)[0])

    for part in range(1, 5):
        model.learn(given.steps // 4, reset_num_timesteps=part == 1)
        after = share_of_wins(trial, learned, given.matches, given.seed)
        print(f"after {model.num_timesteps} decisions: wins {after:.1%}", flush=True)
    return before, after


if __name__ == "__main__":
    main()
