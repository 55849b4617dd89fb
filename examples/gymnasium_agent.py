"""Train a policy for Alea by self-play in the vectorised Gymnasium environment, and watch it beat random players.

    pip install "rostra[adapters]"
    python examples/gymnasium_agent.py

The policy is linear: one weight for every observed number and action, and a softmax over the legal actions. It learns
by REINFORCE from all seats at once: the winner's actions become more likely, the losers' less likely. It uses only
NumPy; replace `Policy` with something cleverer.
"""

import argparse
from collections.abc import Callable, Sequence

import numpy as np

from rostra.adapters.vector_env import VectorEnv

Array = np.ndarray
Shown = dict[str, Array]


class Policy:
    """A linear softmax policy over the legal actions, with the state of the Adam optimiser."""

    def __init__(self, numbers: int, actions: int) -> None:
        self.weights = np.zeros((numbers + 1, actions), np.float32)
        self._mean = np.zeros_like(self.weights)
        self._square = np.zeros_like(self.weights)
        self._updates = 0

    def chances(self, shown: Shown) -> Array:
        """The probability of each action, one row for each game."""
        logits: Array = shown["observation"] @ self.weights[:-1] + self.weights[-1]
        logits[shown["action_mask"] == 0] = -np.inf
        logits -= logits.max(1, keepdims=True)
        np.exp(logits, out=logits)
        logits /= logits.sum(1, keepdims=True)
        return logits

    def improve(self, gradient: Array, rate: float) -> None:
        """Take one step of Adam up the gradient."""
        self._updates += 1
        self._mean += 0.1 * (gradient - self._mean)
        self._square += 0.01 * (gradient**2 - self._square)
        mean = self._mean / (1 - 0.9**self._updates)
        square = self._square / (1 - 0.99**self._updates)
        self.weights += rate * mean / (np.sqrt(square) + 1e-8)


def drawn(chances: Array, generator: np.random.Generator) -> Array:
    """Sample an action for every game."""
    sums = chances.cumsum(1)
    sums[:, -1] = np.inf  # rounding may leave the last sum below 1
    actions: Array = (sums > generator.random((len(sums), 1))).argmax(1)
    impossible = chances[np.arange(len(sums)), actions] == 0
    actions[impossible] = chances[impossible].argmax(1)
    return actions


def play_once(games: VectorEnv, seed: int, choose: Callable[[Shown, Array, Array], Array]) -> Array:
    """Play every game once to its end, with `choose(shown, seats, going)`; returns the rewards, one row a game."""
    shown, infos = games.reset(seed=seed)
    results, going = np.zeros((games.num_envs, games.seats)), np.ones(games.num_envs, bool)
    while going.any():  # a finished game restarts; the new one does not count
        shown, _, ended, _, infos = games.step(choose(shown, infos["seat"], going))
        results[ended & going] = infos["rewards"][ended & going]
        going = going & ~ended
    return results


def train_a_round(policy: Policy, games: VectorEnv, generator: np.random.Generator, rate: float) -> None:
    """Play a batch of games and learn from their results."""
    decisions: list[tuple[Shown, Array, Array, Array]] = []

    def choose(shown: Shown, seats: Array, going: Array) -> Array:
        actions = drawn(policy.chances(shown), generator)
        counted = {name: rows[going] for name, rows in shown.items()}
        decisions.append((counted, np.flatnonzero(going), seats[going], actions[going]))
        return actions

    results = play_once(games, int(generator.integers(1 << 62)), choose)
    gradient = np.zeros_like(policy.weights)
    for shown, numbers, seats, actions in decisions:
        gain = results[numbers, seats].astype(np.float32)
        blame = -policy.chances(shown) * gain[:, None]
        blame[np.arange(len(gain)), actions] += gain
        gradient[:-1] += shown["observation"].T @ blame
        gradient[-1] += blame.sum(0)
    policy.improve(gradient / games.num_envs, rate)


def share_against_random(policy: Policy, games: VectorEnv, seed: int) -> float:
    """The share of wins of one trained seat among random players; ties are split."""
    mine, generator = np.arange(games.num_envs) % games.seats, np.random.default_rng(seed)

    def choose(shown: Shown, seats: Array, going: Array) -> Array:
        return np.where(seats == mine, drawn(policy.chances(shown), generator), games.random_actions())

    own = play_once(games, seed, choose)[np.arange(games.num_envs), mine]
    return float(np.mean((own * (games.seats - 1) + 1) / games.seats))  # undo the scaling of the reward


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train, and print the share of wins before, during and after; returns the first and the last."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=40, help="rounds of self-play, each with one update")
    parser.add_argument("--games", type=int, default=128, help="games in a round")
    parser.add_argument("--matches", type=int, default=1000, help="matches against random players, to measure progress")
    parser.add_argument("--rate", type=float, default=0.03, help="learning rate")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    games, trial = VectorEnv("alea", given.seats, given.games), VectorEnv("alea", given.seats, given.matches)
    policy = Policy(games.game.knowledge.observation_size, games.game.rules.n_decisions)
    generator = np.random.default_rng(given.seed)
    before = after = share_against_random(policy, trial, given.seed)
    print(f"before: wins {before:.1%} of {given.matches} matches against random players (fair {1 / given.seats:.0%})")
    for number in range(1, given.rounds + 1):
        train_a_round(policy, games, generator, given.rate)
        if number % 10 == 0 or number == given.rounds:
            after = share_against_random(policy, trial, given.seed)
            print(f"after {number * given.games} games: wins {after:.1%}", flush=True)
    return before, after


if __name__ == "__main__":
    main()
