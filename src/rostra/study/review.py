"""What is told to people about play, as data: hints for a decision, and the review of a finished match.

Only shapes; `analyse` fills them, `reasons` says why, the server sends them and the browser's types are made from them.
Chances and losses are numbers from 0 to 1. What a newcomer would get wrong: a reason has no text of its own; its text
is that of `review.<key>` in the catalogue of words, in whatever language is spoken, with `values` filled in.
"""

from typing import Literal

import msgspec

from rostra.engine.game import Reason


class HintMove(msgspec.Struct):
    """A good move, the chance to win after it, and what it loses against the best."""

    move: str
    chance: float
    loss: float
    reasons: list[Reason]


class Hint(msgspec.Struct):
    """What a seat could do now: at most three moves, the best first; `chance` is that to win with the best."""

    seat: int
    epoch: int
    ply: int
    chance: float
    moves: list[HintMove]


class ReviewPoint(msgspec.Struct):
    """Everybody's chance to win before a ply; after the last one, who won."""

    ply: int
    chances: list[float]


class ReviewSeat(msgspec.Struct):
    """Where a seat's result came from: luck + skill + others + rest = result, which is its share of the win less a fair
    share; `error` is the winning chance it lost a decision."""

    seat: int
    luck: float
    skill: float
    others: float
    rest: float
    result: float
    decisions: int
    error: float


class Mistake(msgspec.Struct):
    """A move that a deeper look found worse than another one, whose interval (95 %) is all above zero."""

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
    """A deal that a seat could have had, as its parties would have agreed, and what it would have gained."""

    seat: int
    ply: int
    terms: list[str]
    gain: float
    reasons: list[Reason]


class Review(msgspec.Struct):
    """A finished match looked at again, with what everybody knew at the time; of mistakes the three largest of each
    seat. `judge` names who looked."""

    chart: list[ReviewPoint]
    seats: list[ReviewSeat]
    mistakes: list[Mistake]
    missed: list[MissedDeal]
    judge: str
