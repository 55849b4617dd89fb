"""Task 3: 100,000 games into a table, which pandas, polars and Arrow take as it is."""

import rostra


def many_games(games=100_000, file="games.csv"):
    """One greedy bot among random ones."""
    found = rostra.simulate("alea", ["greedy", "random", "random"], games, seed=1, workers=2)
    table = found.table()
    table.save(file)
    print(table["points"][table["bot"] == "greedy"].mean(), found.share(0))


if __name__ == "__main__":
    many_games()
