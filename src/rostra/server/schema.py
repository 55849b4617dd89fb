"""What goes over the wire, both ways; the documents for other programs and the browser's types are made from it.

A message is a JSON object whose `type` says which; unknown fields are ignored, wrong ones refused. What a newcomer
would get wrong: a seat is named in every command, because one person may hold several (hot seat), and the ply and epoch
in every decision, because a late one must not count for something else.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rostra.study.review import Hint, HintMove, MissedDeal, Mistake, Reason, Review, ReviewPoint, ReviewSeat

__all__ = ["Hint", "HintMove", "MissedDeal", "Mistake", "Reason", "Review", "ReviewPoint", "ReviewSeat"]

Id = Annotated[str, Meta(min_length=1, max_length=64, description="chosen by the client; repeats of one are harmless")]
MATCH_ID = "^[a-z2-7]{20}$"
MatchId = Annotated[
    str,
    # The pattern is for clients: to look a match up takes no longer than to check its name against it.
    Meta(min_length=20, max_length=20, description="20 letters or digits", extra_json_schema={"pattern": MATCH_ID}),
]
SeatNumber = Annotated[int, Meta(ge=0, le=4)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Text = Annotated[str, Meta(min_length=1, max_length=500)]
Move = Annotated[str, Meta(min_length=1, max_length=40, description="a move in the text of the formats page")]
Number = Annotated[int, Meta(ge=0, le=1_000_000)]
Entropy = Annotated[str, Meta(max_length=128, pattern=r"^([0-9a-f]{2})*$(?!\n)", description="up to 64 bytes, hex")]
Key = Annotated[str, Meta(min_length=20, max_length=80)]
Bot = Annotated[str, Meta(min_length=1, max_length=40, description="a bot's name, such as eques")]
Status = Literal["waiting", "playing", "over"]
Sitter = Literal["person", "bot", "open", "reserved"]
OfferStatus = Literal["open", "refused", "withdrawn", "lapsed", "carried-out"]
Seconds = Annotated[float, Meta(ge=0, le=30 * 24 * 3600)]


class Plain(msgspec.Struct):
    """What all bodies share."""


# People and matches (HTTP).


class NewPerson(Plain):
    """Who you are; a name is enough."""

    name: Name


class Person(Plain):
    """A person as only that person sees itself."""

    person: str
    name: str


class NewToken(Plain):
    """The token is the only proof of who you are: keep it; the server knows just its hash."""

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
    """Whether everybody sees it among the open matches."""
    confirm: Seconds | None = 0
    """How long a choice may be taken back, in seconds; null: until it is confirmed."""
    clock: Clock | None = None
    timeout: Literal["bot", "forfeit"] = "bot"
    """What happens to a seat whose time is up."""
    stand_in: Bot = "eques"
    """The bot that takes over a seat."""
    hints: bool | None = None
    """Whether hints may be asked for; null: only where one person plays. A match has it said."""
    pace: Annotated[float, Meta(ge=0, le=60)] = 0.8
    """How many seconds a bot takes, at least."""
    talk: Annotated[float, Meta(ge=0, le=3600)] = 20
    """How many seconds an active bot leaves for talk, in a game with deals, where people sit at the table."""
    patience: Annotated[float, Meta(ge=10, le=30 * 24 * 3600)] = 180
    """After how many seconds of waiting for a seat the creator may replace it."""


class NewMatch(Plain):
    """A match to be played."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[SeatPlan], Meta(min_length=2, max_length=5)]
    options: dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=40)]] = {}
    settings: Settings = msgspec.field(default_factory=Settings)


class MatchMade(Plain):
    """The match, and what its dice are bound to, published before anybody could add to them."""

    match: str
    commit: str


class Seat(Plain):
    """Who sits there; `me` is for the person that asks."""

    kind: Sitter
    name: str | None
    bot: str | None
    resigned: bool


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
    """Seats of the person that asks."""
    turn: int | None
    number: int
    created: int
    changed: int
    result: Result | None


class Matches(Plain):
    """A page of matches; the next page begins before `more`."""

    matches: list[Summary]
    more: int | None


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
    levels: list[str]
    """Those of the bots that are meant for people, from gentle to the strongest."""


class Games(Plain):
    """All games."""

    games: list[GameInfo]


class MoveInfo(Plain):
    """A legal move: all ways to click it, what it means, and what it would do."""

    move: str
    paths: list[list[str]]
    means: str
    effect: dict[str, Any]


class Moves(Plain):
    """The legal moves of a seat, with all that is known of them."""

    match: str
    seat: int
    epoch: int
    ply: int
    moves: list[MoveInfo]


class Draft(Plain):
    """A deal to try out, action first."""

    terms: Annotated[list[Move], Meta(max_length=12)]


class DraftInfo(Plain):
    """Who would have to agree, and what may be added; `problem` says why it cannot be offered as it is."""

    parties: list[int]
    more: list[str]
    problem: str | None


class Position(Plain):
    """A view of the past or the present, with the arithmetic done."""

    match: str
    seat: int | None
    ply: int
    plies: int
    """How many there are."""
    view: dict[str, Any]
    outlook: dict[str, Any]
    """What the seat could work out from its view."""
    ledger: list[dict[str, Any]] | None
    """All promises up to then with their fates; null in a game without deals."""


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
    """What is said here: keys of the catalogue of words."""
    point: list[str]
    """What is pointed at."""


class Lesson(Plain):
    """A guided first game: one that was played, with words along the way."""

    game: str
    seat: int
    """The learner's."""
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


# Commands: what changes a match. The same over WebSocket and HTTP.


class Command(Plain, tag_field="type"):
    """Everything that changes a match; `id` makes a repeat harmless."""

    id: Id
    match: MatchId


class Sit(Command, tag="sit"):
    """Take a seat, with a name and (if you like) randomness of your own for the dice; the key of a link opens any."""

    seat: SeatNumber
    name: Name
    entropy: Entropy = ""
    key: Key | None = None


class Leave(Command, tag="leave"):
    """Give the seat up; in a running match the stand-in bot takes it."""

    seat: SeatNumber


class Rename(Command, tag="rename"):
    """Be called otherwise."""

    seat: SeatNumber
    name: Name


class Play(Command, tag="play"):
    """Decide."""

    seat: SeatNumber
    epoch: Number
    ply: Number
    move: Move


class Confirm(Command, tag="confirm"):
    """Make the choice count."""

    seat: SeatNumber
    epoch: Number
    ply: Number


class TakeBack(Command, tag="take-back"):
    """Take the choice back before it counts."""

    seat: SeatNumber
    epoch: Number
    ply: Number


class Talk(Command):
    """What is said about the position as it is: with epoch and number of plies it is refused when play has gone on, so
    that a copy that comes late means nothing else."""

    seat: SeatNumber


class Offer(Talk, tag="offer"):
    """Put a deal on the table: the active seat's action first, then gives, `then` and promises."""

    terms: Annotated[list[Move], Meta(min_length=1, max_length=12)]
    counters: Number | None = None
    epoch: Number | None = None
    plies: Number | None = None


class Answer(Command, tag="answer"):
    """Accept or refuse an offer."""

    seat: SeatNumber
    offer: Number
    yes: bool


class Withdraw(Command, tag="withdraw"):
    """Take an own offer off the table."""

    seat: SeatNumber
    offer: Number


class Ready(Talk, tag="ready"):
    """Nothing more to say in this turn: a bot that waits for talk may act."""

    epoch: Number | None = None
    plies: Number | None = None


class AskUndo(Talk, tag="ask-undo"):
    """Ask everybody to go back to before a ply."""

    ply: Number
    epoch: Number | None = None
    plies: Number | None = None


class AnswerUndo(Talk, tag="answer-undo"):
    """Agree to go back, or not."""

    yes: bool
    epoch: Number | None = None
    plies: Number | None = None


class Resign(Command, tag="resign"):
    """Give up."""

    seat: SeatNumber


class Say(Command, tag="say"):
    """Chat."""

    seat: SeatNumber
    text: Text


class Mute(Command, tag="mute"):
    """Read another seat no more, or again."""

    seat: SeatNumber
    other: SeatNumber
    on: bool = True


class Replace(Command, tag="replace"):
    """By the creator: give a seat that keeps all waiting, or an open one, to a bot."""

    seat: SeatNumber
    bot: Bot


class Link(Command, tag="link"):
    """By the creator, or for the own seat: a new key that opens this seat once; `done` has it."""

    seat: SeatNumber


class Close(Command, tag="close"):
    """By the creator: end a match that has not begun, or in which no other person plays."""


AnyCommand = (
    Sit | Leave | Rename | Play | Confirm | TakeBack | Offer | Answer | Withdraw | Ready | AskUndo
    | AnswerUndo | Resign | Say | Mute | Replace | Link | Close
)  # fmt: skip


# The rest of what a client says over WebSocket.


class Hello(Plain, tag_field="type", tag="hello"):
    """The first message: who you are; without a token you can only watch."""

    token: Annotated[str, Meta(max_length=100)] | None = None


class Watch(Plain, tag_field="type", tag="watch"):
    """Send me this match as this seat sees it (null: as a watcher does), from now on."""

    match: MatchId
    seat: SeatNumber | None = None
    details: bool = False
    """Whether `play` is to have its `details` each time."""


class Unwatch(Plain, tag_field="type", tag="unwatch"):
    """No more of it."""

    match: MatchId
    seat: SeatNumber | None = None


class Ping(Plain, tag_field="type", tag="ping"):
    """Are you there?"""


FromClient = Hello | Watch | Unwatch | Ping | AnyCommand


# What the server says over WebSocket.


class Welcome(Plain, tag_field="type", tag="welcome"):
    """The answer to hello."""

    person: str | None
    name: str | None


class Done(Plain, tag_field="type", tag="done"):
    """The command is stored for ever, as part of this entry. An update follows to whom it concerns."""

    id: str
    match: str
    number: int
    key: str | UnsetType = UNSET


class Refused(Plain, tag_field="type", tag="refused"):
    """The message was refused and changed nothing."""

    id: str | None
    code: str
    reason: str


class Line(Plain, omit_defaults=True):
    """One line of the log: a ply (of chance, when its seat is null); or that play went back to before it (`undo`); or
    that one of several games ended with these points."""

    ply: int
    seat: int | None
    move: str | None
    undo: bool = False
    points: list[int] | None = None


class Log(Plain):
    """Lines of the log from line `first` on."""

    first: int
    lines: list[Line]


class ChatLine(Plain):
    """What a seat said."""

    number: int
    seat: int
    name: str
    text: str
    at: int


class About(Plain):
    """What changes seldom."""

    game: str
    rules: int
    options: dict[str, str]
    settings: Settings
    status: Status
    seats: list[Seat]
    mine: list[int]
    creator: bool
    """Whether you made the match."""
    muted: list[int]
    commit: str
    entropy: list[tuple[int, str]]
    created: int
    result: Result | None
    seed: str | None
    """The seed of the dice, when it is over."""


class Time(Plain):
    """Clocks in milliseconds: what every seat has in the bank, and when the time of the seat to move is up."""

    bank: list[int]
    until: int | None
    now: int


class Details(Plain):
    """What a page shows of a position beside the view: what `moves`, `plies` and an empty `draft` would answer."""

    moves: list[MoveInfo]
    """Your moves, when you are to decide."""
    outlook: dict[str, Any]
    """What the seat could work out from its view."""
    ledger: list[dict[str, Any]] | None
    """All promises so far with their fates; null in a game without deals."""
    actions: list[str]
    """The actions of the active seat that a deal can be about."""


class PlayState(Plain):
    """Where play is, as this seat may see it."""

    epoch: int
    ply: int
    turn: int | None
    view: dict[str, Any]
    legal: list[str] | None
    """Your moves, when you are to decide."""
    asks: list[str] | None
    """Actions that need other seats' consent: make an offer of them."""
    chosen: str | None
    """Your choice that does not count yet."""
    confirm_by: int | None
    """When it will count by itself."""
    time: Time | None
    details: Details | UnsetType = UNSET
    """Only for those who watch with details."""


class OfferState(Plain):
    """An offer on the table."""

    offer: int
    seat: int
    terms: list[str]
    parties: list[int]
    yes: list[int]
    no: list[int]
    counters: int | None
    status: OfferStatus


class UndoState(Plain):
    """Somebody asks to go back."""

    seat: int
    ply: int
    agreed: list[int]


class Desk(Plain):
    """What is being talked about."""

    offers: list[OfferState]
    ready: list[int]
    """Seats with nothing more to say in this turn."""
    undo: UndoState | None


class Update(Plain, tag_field="type", tag="update", omit_defaults=True):
    """What changed: each part is complete (log and chat: from a line on), parts that are missing did not change.
    A part counts when its number is higher than that of the same part before."""

    match: str
    seat: int | None
    number: int
    about: About | UnsetType = UNSET
    play: PlayState | UnsetType | None = UNSET
    log: Log | UnsetType = UNSET
    desk: Desk | UnsetType = UNSET
    chat: list[ChatLine] | UnsetType = UNSET


class Pong(Plain, tag_field="type", tag="pong"):
    """I am."""


FromServer = Welcome | Done | Refused | Update | Pong

encode = msgspec.json.Encoder().encode
from_client = msgspec.json.Decoder(FromClient).decode


class _WithId(msgspec.Struct):
    id: Id | None = None


def id_of(message: bytes) -> str | None:
    """The id of a message that is wrong otherwise, so that its sender knows which one it was."""
    try:
        return msgspec.json.decode(message, type=_WithId).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
