"""Train an agent for Alea on PufferLib's vectorised environments with a plain PPO in PyTorch.

    pip install "rostra[adapters]" pufferlib torch
    python examples/pufferlib_agent.py

PufferLib steps many games in shared buffers, so an environment writes its observation there and returns no copies.
Each game has one learner's seat among bots, as in `sb3_agent.py`. The legal actions are the first numbers of an
observation, because PufferLib knows no masks; the policy takes them out again.
"""

import argparse
import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from examples.sb3_agent import random_choice, share_of_wins
from rostra.adapters.seat_env import SeatEnv


class MaskFirst(gymnasium.ObservationWrapper[Any, Any, Any]):
    """The mask of legal actions in front of the observation, as PufferLib wants one array."""

    def __init__(self, environment: SeatEnv) -> None:
        super().__init__(environment)
        assert environment.observation_space.shape is not None
        self.actions = int(environment.table.game.rules.n_decisions)
        size = self.actions + environment.observation_space.shape[0]
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float32)

    def observation(self, observation: Any) -> Any:
        """Mask, then observation."""
        inner: Any = self.unwrapped
        return np.concatenate([inner.action_masks().astype(np.float32), observation])


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train, and print the share of wins before and after; returns both."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=16)
    parser.add_argument("--steps", type=int, default=100_000, help="decisions of the learner; 0 only measures")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    trial = SeatEnv("alea", 2)
    before = share_of_wins(trial, random_choice(given.seed), given.matches, given.seed)
    print(f"a random player wins {before:.1%} of {given.matches} matches")
    if not given.steps:
        return before, before
    import pufferlib.emulation  # type: ignore[import-not-found]  # large, so only here
    import pufferlib.vector  # type: ignore[import-not-found]
    import torch  # type: ignore[import-not-found]

    def make(**wanted: Any) -> Any:
        return pufferlib.emulation.GymnasiumPufferEnv(MaskFirst(SeatEnv("alea", 2)), **wanted)

    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    games = pufferlib.vector.make(make, num_envs=given.games, backend=pufferlib.vector.Serial)
    actions = int(trial.table.game.rules.n_decisions)
    width = games.single_observation_space.shape[0] - actions
    net = torch.nn.Sequential(
        torch.nn.Linear(width, 128), torch.nn.Tanh(), torch.nn.Linear(128, 64), torch.nn.Tanh(),
        torch.nn.Linear(64, actions + 1),
    )  # fmt: skip
    adam = torch.optim.Adam(net.parameters(), 1e-3)

    def judge(seen: Any) -> tuple[Any, Any]:
        out = net(seen[:, actions:])
        return torch.distributions.Categorical(logits=out[:, :-1].masked_fill(seen[:, :actions] == 0, -1e9)), out[:, -1]

    steps, seen = 256, games.reset(given.seed)[0]
    began = time.time()
    for _ in range(max(1, given.steps // (steps * given.games))):
        rows = []
        for _ in range(steps):
            now = torch.tensor(np.array(seen))
            with torch.no_grad():
                policy, value = judge(now)
                chosen = policy.sample()
            seen, reward, ended, *_ = games.step(chosen.numpy())
            rows.append((now, chosen, policy.log_prob(chosen), value, torch.tensor(np.array(reward)),
                         torch.tensor(np.array(ended), dtype=torch.float32)))  # fmt: skip
        with torch.no_grad():
            following = judge(torch.tensor(np.array(seen)))[1]
        advantage, gains = torch.zeros(given.games), []
        for _, _, _, value, reward, ended in reversed(rows):
            advantage = reward + following * (1 - ended) - value + 0.98 * (1 - ended) * advantage
            gains.append(advantage)
            following = value
        old_seen, old_chosen, old_log, old_value, _, _ = (torch.cat(column) for column in zip(*rows, strict=True))
        gain = torch.cat(gains[::-1])
        target, gain = gain + old_value, (gain - gain.mean()) / (gain.std() + 1e-8)
        for _ in range(4):
            for at in torch.randperm(len(gain)).split(512):
                policy, value = judge(old_seen[at])
                ratio = (policy.log_prob(old_chosen[at]) - old_log[at]).exp()
                clipped = torch.min(ratio * gain[at], ratio.clamp(0.8, 1.2) * gain[at])
                loss = -clipped.mean() + 0.5 * (value - target[at]).square().mean() - 0.003 * policy.entropy().mean()
                adam.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                adam.step()
    print(f"{given.steps} decisions in {time.time() - began:.0f} s")

    def learned(shown: np.ndarray, mask: np.ndarray) -> int:
        now = torch.tensor(np.concatenate([mask.astype(np.float32), shown]))[None]
        with torch.no_grad():
            return int(judge(now)[0].probs.argmax())

    after = share_of_wins(trial, learned, given.matches, given.seed)
    print(f"after {given.steps} decisions: wins {after:.1%}")
    return before, after


if __name__ == "__main__":
    main()
