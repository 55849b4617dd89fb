"""Train a small agent for Alea by self-play in the PettingZoo environment, and watch it beat random players.

    pip install "rostra[adapters]"
    python examples/pettingzoo_agent.py

The agent is a linear Q function: each action has a row of weights on the observed numbers, which predicts by how many
points the seat will win. After each game the rows of the actions taken are moved towards the result (Monte Carlo). All
seats learn. It uses only NumPy; replace `Agent` with something cleverer.
"""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rostra.adapters.pettingzoo_env import env

Array = np.ndarray
SCALE = 20.0
"""A lead of this many points counts as 1; games are seldom won by more."""


class Agent:
    """A linear Q function that explores and learns."""

    def __init__(self, numbers: int, actions: int, seed: int) -> None:
        self.weights = np.zeros((actions, numbers + 1), np.float32)
        self._generator = np.random.default_rng(seed)

    def choose(self, shown: Mapping[str, Array], explore: float) -> int:
        """The best legal action, or with probability `explore` any; ties are broken at random."""
        legal = np.flatnonzero(shown["action_mask"])
        if self._generator.random() < explore:
            return int(self._generator.choice(legal))
        values = self.weights[legal, :-1] @ shown["observation"] + self.weights[legal, -1]
        return int(self._generator.choice(legal[values == values.max()]))

    def learn(self, observation: Array, action: int, gain: float, rate: float) -> None:
        """Move the value of the action towards the result of the game."""
        row = self.weights[action]
        error = gain - (row[:-1] @ observation + row[-1])
        step = (
            rate * error / (1 + observation @ observation)
        )  # normalised, so that the step does not depend on the observation's size
        row[:-1] += step * observation
        row[-1] += step


def play(table: Any, agents: Mapping[str, Agent | None], seed: int, explore: float) -> list[tuple[str, Array, int]]:
    """Play one game, with None for a random player; returns the agents' decisions."""
    generator = np.random.default_rng(seed)
    table.reset(seed=seed)
    decisions = []
    for name in table.agent_iter():
        shown, _, ended, *_ = table.last()
        if ended:
            break
        agent = agents[name]
        if agent is None:
            action = int(generator.choice(np.flatnonzero(shown["action_mask"])))
        else:
            action = agent.choose(shown, explore)
            decisions.append((name, shown["observation"], action))
        table.step(action)
    return decisions


def train_a_game(agent: Agent, table: Any, seed: int, rate: float, explore: float) -> None:
    """Play one game among copies of the agent, and learn from it."""
    decisions = play(table, dict.fromkeys(table.possible_agents, agent), seed, explore)
    points = {name: table.infos[name]["points"] for name in table.possible_agents}
    for name, observation, action in decisions:
        others = [points[other] for other in points if other != name]
        agent.learn(observation, action, (points[name] - sum(others) / len(others)) / SCALE, rate)


def share_against_random(agent: Agent, table: Any, matches: int, seed: int) -> float:
    """The share of wins of one trained seat among random players; ties are split."""
    won = 0.0
    for number in range(matches):
        me = table.possible_agents[number % len(table.possible_agents)]
        play(table, {name: agent if name == me else None for name in table.possible_agents}, seed + number, 0)
        winners = [name for name, info in table.infos.items() if info["winner"]]
        won += (me in winners) / max(1, len(winners))
    return won / matches


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train, and print the share of wins before, during and after; returns the first and the last."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=2000, help="games of self-play")
    parser.add_argument("--matches", type=int, default=300, help="matches against random players, to measure progress")
    parser.add_argument("--rate", type=float, default=0.005, help="learning rate")
    parser.add_argument("--explore", type=float, default=0.1, help="probability of a random action in training")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    table = env("alea", given.seats)
    name = table.possible_agents[0]
    agent = Agent(table.observation_space(name)["observation"].shape[0], int(table.action_space(name).n), given.seed)
    before = after = share_against_random(agent, table, given.matches, given.seed)
    print(f"before: wins {before:.1%} of {given.matches} matches against random players (fair {1 / given.seats:.0%})")
    every = -(-given.games // 4)
    for number in range(1, given.games + 1):
        train_a_game(agent, table, given.seed + (1 << 32) + number, given.rate, given.explore)
        if number % every == 0 or number == given.games:
            after = share_against_random(agent, table, given.matches, given.seed)
            print(f"after {number} games: wins {after:.1%}", flush=True)
    return before, after


if __name__ == "__main__":
    main()
