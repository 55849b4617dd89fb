"""Bodies of HTTP requests and answers: people, matches, moves, positions, lessons."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rostra.server.schema.fields import (
    Bot,
    Label,
    Move,
    Name,
    Number,
    Plain,
    SeatNumber,
    Seconds,
    Sitter,
    Status,
    Trouble,
)


class NewPerson(Plain):
    """Who you are; a name is enough. `label` is what you call the device, for your own list."""

    name: Name
    label: Label = ""


class Person(Plain):
    """A person, as only that person sees it."""

    person: str
    name: str


class NewToken(Plain):
    """The token is the only proof of who you are. Keep it: the server has only its hash."""

    person: str
    name: str
    token: str


class SeatPlan(Plain):
    """Who is to sit there: the creator, anybody, or a bot."""

    kind: Literal["me", "open", "bot"]
    bot: Bot | None = None


class Clock(Plain):
    """Seconds for every move, and a bank for what takes longer."""

    move: Annotated[float, Meta(ge=1, le=30 * 24 * 3600)]
    bank: Seconds = 0


class Settings(Plain):
    """How a match is played."""

    listed: bool = False
    """Whether it is listed among the open matches."""
    confirm: Seconds | None = 0
    """How long a choice may be taken back, in seconds; null: until it is confirmed."""
    clock: Clock | None = None
    timeout: Literal["bot", "forfeit"] = "bot"
    """What happens to a seat whose time is up."""
    stand_in: Bot = "eques"
    """The bot that takes over a seat."""
    hints: bool | None = None
    """Whether hints may be asked for; null: only where one person plays. In `about` it is never null."""
    pace: Annotated[float, Meta(ge=0, le=60)] = 0.8
    """Seconds that a bot takes at least."""
    talk: Annotated[float, Meta(ge=0, le=3600)] = 20
    """Seconds that an active bot leaves for talk, in a game with deals and with people at the table."""
    answer: Annotated[float, Meta(ge=0, le=3600)] = 45
    """Seconds that an active bot waits for a person who was made an offer, or who is putting one together."""
    whisper: bool = False
    """Whether players may whisper: a line of chat that only one other player can read."""
    patience: Annotated[float, Meta(ge=10, le=30 * 24 * 3600)] = 180
    """Seconds without a sign of a seat that all wait for, after which the others may replace it; a new match has at
    least 120."""
    only_move: bool = False
    """Whether a move is made by itself where it is the only one."""


class NewMatch(Plain):
    """A match to be played."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[SeatPlan], Meta(min_length=2, max_length=5)]
    options: dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=40)]] = msgspec.field(
        default_factory=dict
    )
    settings: Settings = msgspec.field(default_factory=Settings)


class MatchMade(Plain):
    """The match, and the commitment of its dice, published before anybody could contribute to them."""

    match: str
    commit: str


class Seat(Plain):
    """Who sits there; `me` is the person who asks."""

    kind: Sitter
    name: str | None
    bot: str | None
    resigned: bool
    also: tuple[int, ...] = ()
    """Other seats that the same person holds."""
    vacation: int | None = None
    """Until when its clock stands still, in milliseconds since 1970; perhaps it is over by now."""


class Result(Plain):
    """How a match ended."""

    points: list[int]
    tiebreak: list[int]
    winners: list[int]
    end: str


class Summary(Plain):
    """A match in a list."""

    match: str
    game: str
    status: Status
    seats: list[Seat]
    mine: list[int]
    """Seats of the person who asks."""
    turn: int | None
    number: int
    created: int
    changed: int
    result: Result | None
    awaited: int | None = None
    """Since when everybody waits for the person who asks."""
    trouble: Trouble | None = None
    """Why this server shows only the log of the match."""


class Matches(Plain):
    """A page of matches; `more` asks for the next one, as `before`."""

    matches: list[Summary]
    more: str | None


class OptionInfo(Plain):
    """A rule option; the first value is the default."""

    name: str
    values: list[str]
    help: str


class GameInfo(Plain):
    """What a game needs to be set up."""

    name: str
    title: str
    rules: int
    seats: tuple[int, int]
    options: list[OptionInfo]
    deals: bool
    """Whether players negotiate."""
    bots: list[str]
    """All that can be chosen. How long they think is decided by the server."""
    levels: list[str]
    """The bots meant for people, from the gentlest to the strongest."""


class Games(Plain):
    """All games."""

    games: list[GameInfo]


class GameProgress(Plain):
    """How much of a game is compiled, from 0 to 1: what a table needs, and what its bots need."""

    game: str
    table: float
    bots: float


class Progress(Plain):
    """How much is compiled, from 0 to 1. After an install or update that takes a while: a table opens when its game is
    ready for it, and bots move as soon as they can."""

    done: bool
    share: float
    games: list[GameProgress]


class MoveInfo(Plain):
    """A legal move: all ways to click it, what it means, and what it would do."""

    move: str
    paths: list[list[str]]
    means: str
    effect: dict[str, Any]


class Moves(Plain):
    """The legal moves of a seat, in detail."""

    match: str
    seat: int
    epoch: int
    ply: int
    moves: list[MoveInfo]


class Draft(Plain):
    """A deal to try out, action first."""

    terms: Annotated[list[Move], Meta(max_length=40)]


class DraftInfo(Plain):
    """Who would have to agree, and what may be added; `problem` says why it cannot be offered as it is."""

    parties: list[int]
    more: list[str]
    problem: str | None
    worth: dict[str, Any] | None
    """What it would move for each party, by the game."""


class Position(Plain):
    """A view of the past or the present, with the arithmetic done."""

    match: str
    seat: int | None
    ply: int
    plies: int
    """Number of plies so far."""
    view: dict[str, Any]
    outlook: dict[str, Any]
    """What the seat could work out from its view."""
    ledger: list[dict[str, Any]] | None
    """All promises up to then and what became of them; null in a game without deals."""


class LessonStep(Plain):
    """A position of a lesson as the learner sees it, and the move that was made there (null: none, it is the end)."""

    ply: int
    seat: int | None
    """Who made the move; null for chance, and at the end."""
    move: str | None
    view: dict[str, Any]
    outlook: dict[str, Any]
    ledger: list[dict[str, Any]] | None
    moves: list[MoveInfo]
    """All legal moves, where the learner decides."""
    say: list[str]
    """The texts for this position: keys of the catalogue."""
    point: list[str]
    """What is pointed at."""


class Lesson(Plain):
    """A guided first game: a played game with explanations."""

    game: str
    seat: int
    """The learner's seat."""
    names: list[str]
    options: dict[str, str]
    steps: list[LessonStep]


class AskHint(Plain):
    """What could this seat of mine do at this ply?"""

    seat: SeatNumber
    epoch: Number
    ply: Number


class Problem(Plain):
    """Why a request was refused."""

    code: str
    reason: str
    retry_ms: int | UnsetType = UNSET
    """After so many milliseconds the same request may succeed."""
