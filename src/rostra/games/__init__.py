"""The games there are; the only registry. A new game is a folder and a line here."""

from rostra.engine.game import BadOption, Game, did_you_mean
from rostra.games.alea import ALEA
from rostra.games.quovadis import QUO_VADIS

GAMES: dict[str, Game] = {"alea": ALEA, "quovadis": QUO_VADIS}


def find_game(name: str) -> Game:
    """The game of this name."""
    if not isinstance(name, str) or name not in GAMES:
        raise BadOption(
            f"there is no game {name!r}{did_you_mean(str(name), GAMES)}; there is {', '.join(sorted(GAMES))}"
        )
    return GAMES[name]
