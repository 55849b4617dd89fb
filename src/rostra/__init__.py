"""Rostra: the digital home of the board games Alea Iacta Est and Quo Vadis?.

`Match` plays one game by texts; `rostra.games.GAMES` has the games for those who want records and ints. Importing this
package is quick: the engine (and Numba) comes with the first name that needs it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rostra.engine.game import RostraError as RostraError
    from rostra.play.match import Match as Match

__version__ = "0.9.0"
__all__ = ["Match", "RostraError", "__version__"]


def __getattr__(name: str) -> Any:
    if name == "Match":
        from rostra.play.match import Match

        return Match
    if name == "RostraError":
        from rostra.engine.game import RostraError

        return RostraError
    raise AttributeError(f"module 'rostra' has no attribute {name!r}")
