"""Train a small agent for Alea with OpenSpiel, and see it beat the random player.

    pip install rostra open_spiel
    python examples/openspiel_agent.py

The agent looks one move ahead: it takes the action after which its observation is worth most. What an observation is
worth is linear in its numbers, fitted by least squares to by how many points games were won. The first games are random
ones; then the agent plays itself, with some random actions, and is fitted again to all games so far. Replace
`Value` by something cleverer, or `Agent` by one of OpenSpiel's own, such as `ISMCTSBot`; docs/adapters_openspiel.md
says what it gets to see.
"""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found]  # it has no types

import rostra.adapters.openspiel_game  # noqa: F401  # registers the games

Array = np.ndarray
RIDGE = 30.0
"""How strongly small weights are preferred, in positions: most numbers of an observation are seldom other than 0."""


class Value:
    """What an observation is worth: sums of least squares, and the weights that follow from them."""

    def __init__(self, numbers: int) -> None:
        self.weights: Array = np.zeros(numbers + 1)
        self._squares = RIDGE * np.eye(numbers + 1)
        self._products = np.zeros(numbers + 1)

    def of(self, observations: Array) -> Array:
        """The values of some observations, a row each."""
        values: Array = observations @ self.weights[:-1] + self.weights[-1]
        return values

    def add(self, observations: Array, gain: float) -> None:
        """Positions of a game that was won by so much."""
        rows = np.hstack([observations, np.ones((len(observations), 1))])
        self._squares += rows.T @ rows
        self._products += gain * rows.sum(0)

    def fit(self) -> None:
        """The best weights for all that was added."""
        self.weights = np.linalg.solve(self._squares, self._products)


class Agent(pyspiel.Bot):  # type: ignore[misc]  # it has no types
    """Takes the action after which the position is worth most; `explore` is how often any other."""

    def __init__(self, value: Value, seed: int, explore: float = 0.0) -> None:
        super().__init__()
        self._value, self._explore = value, explore
        self._generator = np.random.default_rng(seed)

    def step(self, state: Any) -> int:
        """An action of the deciding seat."""
        actions, seat = state.legal_actions(), state.current_player()
        if self._generator.random() < self._explore:
            return int(self._generator.choice(actions))
        values = self._value.of(np.array([state.child(action).observation_tensor(seat) for action in actions]))
        return int(self._generator.choice(np.array(actions)[values == values.max()]))


def play(game: Any, bots: Sequence[Any], dice: np.random.Generator, seen: list[list[Array]] | None = None) -> Any:
    """One game; returns its end, and writes to `seen` what each seat observed after its decisions."""
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
    """A game among the agent's own copies, added to what the value is fitted to; the rewards are points."""
    seats = game.num_players()
    seen: list[list[Array]] = [[] for _ in range(seats)]
    end = play(game, [Agent(value, int(dice.integers(1 << 32)), explore) for _ in range(seats)], dice, seen)
    points = end.returns()
    for seat in range(seats):
        others = (sum(points) - points[seat]) / (seats - 1)
        value.add(np.array(seen[seat]), points[seat] - others)


def share_against_random(game: Any, value: Value, matches: int, seed: int) -> float:
    """The share of wins of one agent among random ones; ties are split."""
    seats = game.num_players()
    dice, random = np.random.default_rng(seed), Agent(value, seed, explore=1)
    agent = Agent(value, seed)
    won = 0.0
    for number in range(matches):
        seat = number % seats
        own = play(game, [agent if other == seat else random for other in range(seats)], dice).returns()[seat]
        won += (own * (seats - 1) + 1) / seats  # the return is the share of the win, moved and stretched
    return won / matches


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train, and print how good it was before, on the way and after; returns the first and the last."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--random", type=int, default=300, help="games of random players to begin with")
    parser.add_argument("--games", type=int, default=60, help="of the agent against itself, a round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--matches", type=int, default=100, help="against random, to see what was learned")
    parser.add_argument("--explore", type=float, default=0.2, help="how often any action is tried in training")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    parameters: Mapping[str, Any] = {"players": given.players}
    game = pyspiel.load_game("python_rostra_alea", parameters)
    by_points = pyspiel.load_game("python_rostra_alea", {**parameters, "reward": "points"})
    value, dice = Value(game.observation_tensor_size()), np.random.default_rng(given.seed)
    before = after = share_against_random(game, value, given.matches, given.seed)
    print(f"before: wins {before:.1%} of {given.matches} matches against random ones (fair {1 / given.players:.0%})")
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
