"""OpenSpiel's information-set tree search plays Alea Iacta Est against random opponents, seats taken in turn.

    pip install rostra open_spiel
    python examples/openspiel_agent.py --games 20 --simulations 50

Replace `make_bot` by an agent of your own; docs/adapters_openspiel.md says what it gets to see.
"""

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.bots.uniform_random import UniformRandomBot

from rostra.adapters.openspiel_game import Rollouts


def make_bot(game: Any, simulations: int, seed: int) -> Any:
    """The searching agent: worlds resampled for its seat, its nodes named by what the deciding seat observes."""
    chooser = np.random.RandomState(seed)
    return ISMCTSBot(game, Rollouts(seed=seed), 1.0, simulations, random_state=chooser, use_observation_string=True)


def play(game: Any, bots: Sequence[Any], dice: np.random.RandomState) -> list[float]:
    """One game; returns what each seat got."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(dice.choice(outcomes, p=odds)))
        else:
            state.apply_action(int(bots[state.current_player()].step(state)))
    return list(state.returns())


def main(arguments: Sequence[str] | None = None) -> None:
    """Play some games and print how the agent did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--simulations", type=int, default=30, help="of each search")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    game = pyspiel.load_game("python_rostra_alea", {"players": given.players})
    agent = make_bot(game, given.simulations, given.seed)
    dice = np.random.RandomState(given.seed)
    total = 0.0
    for number in range(given.games):
        seat = number % given.players
        bots = [UniformRandomBot(other, np.random.RandomState(number)) for other in range(given.players)]
        bots[seat] = agent
        total += play(game, bots, dice)[seat]
        print(f"game {number + 1}: mean return {total / (number + 1):+.2f} (a win is +1, a random player's mean 0)")
    print(f"{given.games} games with {given.simulations} simulations a move: mean return {total / given.games:+.2f}")


if __name__ == "__main__":
    main()
