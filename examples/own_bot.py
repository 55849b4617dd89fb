"""Task 4: a bot of your own in the arena; `rostra play alea --bots own_bot:thrifty` lets you play against it."""

import rostra


def thrifty(view, legal):
    """Never roll again."""
    return next(move for move in legal if not move.startswith("R"))


def compare(blocks=100):
    """Every pair of the three, in all seat orders."""
    found = rostra.arena("alea", [thrifty, "greedy", "random"], seats=2, blocks=blocks)
    print(found.table())


if __name__ == "__main__":
    compare()
