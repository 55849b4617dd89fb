"""Hints and reviews as data; these types are also the server's messages.

`analyse` fills them, `reasons` says why, `report` writes them out. Chances and losses are numbers from 0 to 1. A reason
has no text of its own: it names the entry `review.<key>` of the word files, in any language.
"""

from typing import Literal

import msgspec

from rostra.engine.game import Reason


class HintMove(msgspec.Struct):
    """A good move, the chance to win after it, and what it loses against the best move."""

    move: str
    chance: float
    loss: float
    reasons: list[Reason]


class Hint(msgspec.Struct):
    """What a seat could do now: at most three moves, the best first. `chance` is the chance to win with the best."""

    seat: int
    epoch: int
    ply: int
    chance: float
    moves: list[HintMove]


class ReviewPoint(msgspec.Struct):
    """Everybody's chance to win before a ply; after the last ply, everybody's share of the win."""

    ply: int
    chances: list[float]


class ReviewSeat(msgspec.Struct):
    """Where a seat's result came from: luck + skill + others + rest = result. The result is the seat's share of the win
    minus a fair share; `error` is the chance to win that it lost per decision."""

    seat: int
    luck: float
    skill: float
    others: float
    rest: float
    result: float
    decisions: int
    error: float


class Mistake(msgspec.Struct):
    """A move that playouts showed to be worse than another one; the 95 % interval of the loss is above zero."""

    seat: int
    ply: int
    move: str
    better: str
    loss: float
    low: float
    high: float
    grade: Literal["inaccuracy", "mistake", "blunder"]
    reasons: list[Reason]


class MissedDeal(msgspec.Struct):
    """A deal to which its parties would have agreed, and what the seat would have gained by it."""

    seat: int
    ply: int
    terms: list[str]
    gain: float
    reasons: list[Reason]


class Review(msgspec.Struct):
    """A finished match, judged by what everybody knew at the time, with the three largest mistakes of each seat.
    `judge` names the bot that judged."""

    chart: list[ReviewPoint]
    seats: list[ReviewSeat]
    mistakes: list[Mistake]
    missed: list[MissedDeal]
    judge: str

    def curve(self, seat: int) -> list[tuple[int, float]]:
        """The chart of one seat: plies and its chances to win."""
        return [(point.ply, point.chances[seat]) for point in self.chart]
