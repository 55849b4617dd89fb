"""What every game is made of, and the loops that play any game."""
