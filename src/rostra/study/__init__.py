"""Many games: simulations, ratings, training, hints and reviews."""
