"""Train a small agent for Alea in about a minute, and let it play against random ones in the PettingZoo environment.

    pip install "rostra[adapters]"
    python examples/pettingzoo_agent.py

The policy is linear: a weight for every pair of a plane's number and an action, a softmax over the legal actions. It
learns by REINFORCE from its own games, all seats at once, in the vectorised environment: actions of a game's winner are
made likelier, those of the losers less likely. Only NumPy is used; replace `Policy` by something cleverer.
"""

import argparse

import numpy as np

from rostra.adapters.pettingzoo_env import env
from rostra.adapters.vector_env import VectorEnv


class Policy:
    """A linear softmax policy over the legal actions, with the memory that Adam needs."""

    def __init__(self, numbers: int, actions: int) -> None:
        self.weights = np.zeros((numbers + 1, actions), np.float32)
        self._mean = np.zeros_like(self.weights)
        self._square = np.zeros_like(self.weights)
        self._updates = 0

    def chances(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """How likely each action is, a row a game."""
        logits: np.ndarray = observations @ self.weights[:-1] + self.weights[-1]
        logits[masks == 0] = -np.inf
        logits -= logits.max(1, keepdims=True)
        np.exp(logits, out=logits)
        logits /= logits.sum(1, keepdims=True)
        return logits

    def improve(self, gradient: np.ndarray, rate: float) -> None:
        """A step of Adam up the gradient."""
        self._updates += 1
        self._mean += 0.1 * (gradient - self._mean)
        self._square += 0.01 * (gradient**2 - self._square)
        mean = self._mean / (1 - 0.9**self._updates)
        square = self._square / (1 - 0.99**self._updates)
        self.weights += rate * mean / (np.sqrt(square) + 1e-8)


def chosen(chances: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """An action for every game, by its chance."""
    sums = chances.cumsum(1)
    sums[:, -1] = np.inf  # whatever rounding left out
    actions: np.ndarray = (sums > generator.random((len(sums), 1))).argmax(1)
    impossible = chances[np.arange(len(sums)), actions] == 0
    actions[impossible] = chances[impossible].argmax(1)
    return actions


def train_a_round(policy: Policy, games: VectorEnv, generator: np.random.Generator, rate: float) -> float:
    """Play every game once to its end and learn from it; returns the mean number of decisions in a game."""
    found, infos = games.reset(seed=int(generator.integers(1 << 62)))
    everything, going = [], np.ones(games.num_envs, bool)
    results = np.zeros((games.num_envs, games.seats))
    while going.any():
        actions = chosen(policy.chances(found["observation"], found["action_mask"]), generator)
        everything.append((found, infos["seat"], actions, going))
        found, _, ended, _, infos = games.step(actions)
        first_end = ended & going
        results[first_end] = infos["rewards"][first_end]
        going = going & ~ended
    gradient = np.zeros_like(policy.weights)
    for shown, seats, actions, counts in everything:
        observations = shown["observation"][counts]
        gain = results[counts, seats[counts]].astype(np.float32)
        blame = -policy.chances(observations, shown["action_mask"][counts]) * gain[:, None]
        blame[np.arange(len(gain)), actions[counts]] += gain
        gradient[:-1] += observations.T @ blame
        gradient[-1] += blame.sum(0)
    policy.improve(gradient / games.num_envs, rate)
    return float(sum(counts.sum() for *_, counts in everything)) / games.num_envs


def wins_against_random(policy: Policy, seats: int, matches: int, seed: int) -> float:
    """The share of wins of one trained seat among random ones, in the PettingZoo environment; ties are split."""
    generator = np.random.default_rng(seed)
    table = env("alea", seats)
    won = 0.0
    for number in range(matches):
        me = f"player_{number % seats}"
        table.reset(seed=seed + number)
        for agent in table.agent_iter():
            shown, _, ended, *_ = table.last()
            if ended:
                break
            mask = shown["action_mask"]
            if agent == me:
                action = int(policy.chances(shown["observation"][None], mask[None])[0].argmax())
            else:
                action = int(generator.choice(np.flatnonzero(mask)))
            table.step(action)
        winners = [agent for agent, info in table.infos.items() if info["winner"]]
        won += (me in winners) / max(1, len(winners))
    return won / matches


def main() -> None:
    """Train, and say how good it became."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=40, help="of self-play, each with an update")
    parser.add_argument("--games", type=int, default=128, help="a round")
    parser.add_argument("--matches", type=int, default=200, help="against random to see what was learned")
    parser.add_argument("--rate", type=float, default=0.03, help="how large an update is")
    parser.add_argument("--seed", type=int, default=1)
    chosen_by_you = parser.parse_args()
    games = VectorEnv("alea", chosen_by_you.seats, chosen_by_you.games)
    policy = Policy(games.game.observation_size, games.game.n_decisions)
    generator = np.random.default_rng(chosen_by_you.seed)
    for number in range(1, chosen_by_you.rounds + 1):
        length = train_a_round(policy, games, generator, chosen_by_you.rate)
        if number % 5 == 0:
            print(f"round {number}: {length:.0f} decisions a game", flush=True)
    share = wins_against_random(policy, chosen_by_you.seats, chosen_by_you.matches, chosen_by_you.seed)
    print(f"beats random: {share:.0%} of {chosen_by_you.matches} matches (fair {1 / chosen_by_you.seats:.0%})")


if __name__ == "__main__":
    main()
