"""The games there are: ours, and those that installed packages announce by an entry point `rostra.games`."""

import functools
import importlib.metadata

from rostra.engine.game import BadGame, BadOption, Game, did_you_mean
from rostra.games.alea import ALEA
from rostra.games.quovadis import QUO_VADIS

GAMES: dict[str, Game] = {game.name: game for game in (ALEA, QUO_VADIS)}
"""Our own games, in the order in which they are shown; `all_games` has those of other packages too."""


@functools.cache
def _announced() -> dict[str, Game]:
    """The games of other packages, by name."""
    found = {}
    for entry in importlib.metadata.entry_points(group="rostra.games"):
        game = entry.load()
        if not isinstance(game, Game):
            raise BadGame(f"the entry point {entry.name} of rostra.games is {game!r}, not a Game")
        if game.name in GAMES:
            raise BadGame(f"the entry point {entry.name} of rostra.games is a second game named {game.name!r}")
        found[game.name] = game
    return found


def all_games() -> dict[str, Game]:
    """All games that can be found by name."""
    return {**GAMES, **_announced()}


def find_game(game: str | Game) -> Game:
    """The game of this name; a `Game` is handed back as it is. `rostra.load_game` is this function.

    >>> import rostra
    >>> game = rostra.load_game("quovadis")
    >>> game.title, game.rules.seats, [option.name for option in game.rules.options][:2]
    ('Quo Vadis?', (3, 5), ['limited_ones', 'open_hands'])
    """
    if isinstance(game, Game):
        return game
    if isinstance(game, str) and game in GAMES:  # without looking for packages
        return GAMES[game]
    known = all_games()
    if not isinstance(game, str) or game not in known:
        raise BadOption(
            f"there is no game {game!r}{did_you_mean(str(game), known)}; there is {', '.join(sorted(known))}"
        )
    return known[game]
