"""Task 5: train a net, and let it play."""

import rostra


def train_a_net(games=5_000, blocks=50, file="my-net.npz"):
    """Learn, then play against greedy."""
    rostra.train("alea", seats=2, games=games, weights=file, progress=print)
    found = rostra.arena("alea", [f"learned:{file}", "greedy"], seats=2, blocks=blocks)
    print(found.share(0, among=1))


if __name__ == "__main__":
    train_a_net()
