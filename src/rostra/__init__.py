"""Rostra: the digital home of the board games Alea Iacta Est and Quo Vadis?.

The names below are the Python API; `docs/python.md` has an example of each. Importing this package is quick: the engine
(and Numba) comes with the first name that needs it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rostra.agents.live import play_live as play_live
    from rostra.bots import Bot as Bot
    from rostra.bots import make_bot as make_bot
    from rostra.engine.game import BadNotation as BadNotation
    from rostra.engine.game import BadOption as BadOption
    from rostra.engine.game import Game as Game
    from rostra.engine.game import IllegalMove as IllegalMove
    from rostra.engine.game import MatchOver as MatchOver
    from rostra.engine.game import NotYourTurn as NotYourTurn
    from rostra.engine.game import RostraError as RostraError
    from rostra.games import find_game
    from rostra.play.match import Match as Match
    from rostra.study.arena import cross_play
    from rostra.study.simulate import simulate as simulate
    from rostra.study.train import train as train

    arena, load_game = cross_play, find_game

__version__ = "0.9.0"

_HOMES = {
    "BadNotation": "rostra.engine.game",
    "BadOption": "rostra.engine.game",
    "Bot": "rostra.bots",
    "Game": "rostra.engine.game",
    "IllegalMove": "rostra.engine.game",
    "Match": "rostra.play.match",
    "MatchOver": "rostra.engine.game",
    "NotYourTurn": "rostra.engine.game",
    "RostraError": "rostra.engine.game",
    "arena": "rostra.study.arena:cross_play",
    "load_game": "rostra.games:find_game",
    "make_bot": "rostra.bots",
    "play_live": "rostra.agents.live",
    "simulate": "rostra.study.simulate",
    "train": "rostra.study.train",
}
"""Where each name of the API comes from, with its name there where that differs."""
__all__ = [
    *("Game", "Match", "load_game"),
    *("Bot", "make_bot", "simulate", "arena", "train", "play_live"),
    *("RostraError", "BadNotation", "BadOption", "IllegalMove", "MatchOver", "NotYourTurn"),
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rostra' has no attribute {name!r}")
    import importlib

    module, _, there = _HOMES[name].partition(":")
    found = globals()[name] = getattr(importlib.import_module(module), there or name)
    return found


def __dir__() -> list[str]:
    return __all__
