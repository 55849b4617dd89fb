"""Train a small agent for Alea with OpenSpiel, and watch it beat random players.

    pip install rostra open_spiel
    python examples/openspiel_agent.py

The agent looks one move ahead: it takes the action after which its observation has the highest value. The value is
linear in the observed numbers and fitted by least squares to the number of points by which games were won. The first
games are random. Then the agent plays against itself, with some random actions, and is fitted again to all games so
far. Replace `Value` with something cleverer, or `Agent` with one of OpenSpiel's own bots, such as `ISMCTSBot`.
docs/adapters_openspiel.md says what a bot gets to see.
"""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found]  # it has no types

import rostra.adapters.openspiel_game  # noqa: F401  # registers the games

Array = np.ndarray
RIDGE = 30.0
"""The ridge penalty, worth this many positions: most numbers of an observation are nearly always 0."""


class Value:
    """The value of an observation: least-squares sums, and the weights fitted to them."""

    def __init__(self, numbers: int) -> None:
        self.weights: Array = np.zeros(numbers + 1)
        self._squares = RIDGE * np.eye(numbers + 1)
        self._products = np.zeros(numbers + 1)

    def of(self, observations: Array) -> Array:
        """The values of some observations, one for each row."""
        values: Array = observations @ self.weights[:-1] + self.weights[-1]
        return values

    def add(self, observations: Array, gain: float) -> None:
        """Add the positions of a game that was won by `gain` points."""
        rows = np.hstack([observations, np.ones((len(observations), 1))])
        self._squares += rows.T @ rows
        self._products += gain * rows.sum(0)

    def fit(self) -> None:
        """Fit the weights to everything added so far."""
        self.weights = np.linalg.solve(self._squares, self._products)


class Agent(pyspiel.Bot):  # type: ignore[misc]  # it has no types
    """Takes the action that leads to the highest value, or with probability `explore` any action."""

    def __init__(self, value: Value, seed: int, explore: float = 0.0) -> None:
        super().__init__()
        self._value, self._explore = value, explore
        self._generator = np.random.default_rng(seed)

    def step(self, state: Any) -> int:
        """Choose an action for the seat to decide."""
        actions, seat = state.legal_actions(), state.current_player()
        if self._generator.random() < self._explore:
            return int(self._generator.choice(actions))
        values = self._value.of(np.array([state.child(action).observation_tensor(seat) for action in actions]))
        return int(self._generator.choice(np.array(actions)[values == values.max()]))


def play(game: Any, bots: Sequence[Any], dice: np.random.Generator, seen: list[list[Array]] | None = None) -> Any:
    """Play one game; returns its final state, and adds to `seen` what each seat observed after its decisions."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(dice.choice(outcomes, p=np.array(odds) / sum(odds))))
        else:
            seat = state.current_player()
            state.apply_action(int(bots[seat].step(state)))
            if seen is not None:
                seen[seat].append(np.array(state.observation_tensor(seat), np.float32))
    return state


def train_a_game(game: Any, value: Value, dice: np.random.Generator, explore: float) -> None:
    """Play one game among copies of the agent and add it to the value's data; the rewards are points."""
    seats = game.num_players()
    seen: list[list[Array]] = [[] for _ in range(seats)]
    end = play(game, [Agent(value, int(dice.integers(1 << 32)), explore) for _ in range(seats)], dice, seen)
    points = end.returns()
    for seat in range(seats):
        others = (sum(points) - points[seat]) / (seats - 1)
        value.add(np.array(seen[seat]), points[seat] - others)


def share_against_random(game: Any, value: Value, matches: int, seed: int) -> float:
    """The share of wins of one agent among random players; ties are split."""
    seats = game.num_players()
    dice, random = np.random.default_rng(seed), Agent(value, seed, explore=1)
    agent = Agent(value, seed)
    won = 0.0
    for number in range(matches):
        seat = number % seats
        own = play(game, [agent if other == seat else random for other in range(seats)], dice).returns()[seat]
        won += (own * (seats - 1) + 1) / seats  # undo the scaling of the return
    return won / matches


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train, and print the share of wins before, during and after; returns the first and the last."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--random", type=int, default=300, help="games of random players at the start")
    parser.add_argument("--games", type=int, default=60, help="games of self-play in a round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--matches", type=int, default=100, help="matches against random players, to measure progress")
    parser.add_argument("--explore", type=float, default=0.2, help="probability of a random action in training")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    parameters: Mapping[str, Any] = {"players": given.players}
    game = pyspiel.load_game("python_rostra_alea", parameters)
    by_points = pyspiel.load_game("python_rostra_alea", {**parameters, "reward": "points"})
    value, dice = Value(game.observation_tensor_size()), np.random.default_rng(given.seed)
    before = after = share_against_random(game, value, given.matches, given.seed)
    print(f"before: wins {before:.1%} of {given.matches} matches against random players (fair {1 / given.players:.0%})")
    played = 0
    for games, explore in [(given.random, 1.0), *[(given.games, given.explore)] * given.rounds]:
        for _ in range(games):
            train_a_game(by_points, value, dice, explore)
        value.fit()
        played += games
        after = share_against_random(game, value, given.matches, given.seed)
        print(f"after {played} games: wins {after:.1%}", flush=True)
    return before, after


if __name__ == "__main__":
    main()
