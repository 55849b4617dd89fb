"""Task 2: clone a position and look one move ahead, with dice that are not those to come."""

import rostra


def look_ahead(seed=1):
    """The greedy way to play, written out."""
    match = rostra.Match("quovadis", seats=3, seed=seed)
    while not match.over:
        after = {move: match.copy(seed=99) for move in match.legal()}
        for move, ahead in after.items():
            ahead.play(move)
        seat, value = match.turn, match.game.play.evaluate
        match.play(max(after, key=lambda move: value(after[move].state, seat)))
    print(match.result())


if __name__ == "__main__":
    look_ahead()
