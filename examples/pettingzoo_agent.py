"""Train a small agent for Alea by self-play in the PettingZoo environment, and see it beat the random player.

    pip install "rostra[adapters]"
    python examples/pettingzoo_agent.py

The agent is a linear Q function: for every action a row of weights on the observed numbers that says by how many points
the game will be won. After each game the rows of the actions that were taken are moved towards how it ended (Monte
Carlo); all seats learn. Only NumPy is used; replace `Agent` by something cleverer.
"""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rostra.adapters.pettingzoo_env import env

Array = np.ndarray
SCALE = 20.0
"""Points that count as one: a game is seldom won by more."""


class Agent:
    """A linear Q function with its way to explore and to learn."""

    def __init__(self, numbers: int, actions: int, seed: int) -> None:
        self.weights = np.zeros((actions, numbers + 1), np.float32)
        self._generator = np.random.default_rng(seed)

    def choose(self, shown: Mapping[str, Array], explore: float) -> int:
        """The best legal action, or sometimes any; equals are as likely."""
        legal = np.flatnonzero(shown["action_mask"])
        if self._generator.random() < explore:
            return int(self._generator.choice(legal))
        values = self.weights[legal, :-1] @ shown["observation"] + self.weights[legal, -1]
        return int(self._generator.choice(legal[values == values.max()]))

    def learn(self, observation: Array, action: int, gain: float, rate: float) -> None:
        """Move the value of what was done towards what came of it."""
        row = self.weights[action]
        error = gain - (row[:-1] @ observation + row[-1])
        step = rate * error / (1 + observation @ observation)  # a step of the same size whatever the numbers
        row[:-1] += step * observation
        row[-1] += step


def play(table: Any, agents: Mapping[str, Agent | None], seed: int, explore: float) -> list[tuple[str, Array, int]]:
    """One game, None for a random player; returns the agents' decisions."""
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
    """A game among the agent's own copies, and what they learn from it."""
    decisions = play(table, dict.fromkeys(table.possible_agents, agent), seed, explore)
    points = {name: table.infos[name]["points"] for name in table.possible_agents}
    for name, observation, action in decisions:
        others = [points[other] for other in points if other != name]
        agent.learn(observation, action, (points[name] - sum(others) / len(others)) / SCALE, rate)


def share_against_random(agent: Agent, table: Any, matches: int, seed: int) -> float:
    """The share of wins of one trained seat among random ones; ties are split."""
    won = 0.0
    for number in range(matches):
        me = table.possible_agents[number % len(table.possible_agents)]
        play(table, {name: agent if name == me else None for name in table.possible_agents}, seed + number, 0)
        winners = [name for name, info in table.infos.items() if info["winner"]]
        won += (me in winners) / max(1, len(winners))
    return won / matches


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train, and print how good it was before, on the way and after; returns the first and the last."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=2000, help="of self-play")
    parser.add_argument("--matches", type=int, default=300, help="against random, to see what was learned")
    parser.add_argument("--rate", type=float, default=0.005, help="how large an update is")
    parser.add_argument("--explore", type=float, default=0.1, help="how often any action is tried")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    table = env("alea", given.seats)
    name = table.possible_agents[0]
    agent = Agent(table.observation_space(name)["observation"].shape[0], int(table.action_space(name).n), given.seed)
    before = after = share_against_random(agent, table, given.matches, given.seed)
    print(f"before: wins {before:.1%} of {given.matches} matches against random ones (fair {1 / given.seats:.0%})")
    every = -(-given.games // 4)
    for number in range(1, given.games + 1):
        train_a_game(agent, table, given.seed + (1 << 32) + number, given.rate, given.explore)
        if number % every == 0 or number == given.games:
            after = share_against_random(agent, table, given.matches, given.seed)
            print(f"after {number} games: wins {after:.1%}", flush=True)
    return before, after


if __name__ == "__main__":
    main()
