"""Task 1: play a game by random moves."""

import random

import rostra


def random_steps(games=100):
    """Games of three."""
    for seed in range(games):
        match = rostra.Match("alea", seats=3, seed=seed)
        while not match.over:
            match.play(random.choice(match.legal()))
        print(match.result())


if __name__ == "__main__":
    random_steps()
