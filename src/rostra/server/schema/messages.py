"""What the server sends over WebSocket."""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from rostra.server.schema.bodies import MoveInfo, Result, Seat, Settings
from rostra.server.schema.fields import Here, OfferStatus, Phrase, Plain, Status


class Welcome(Plain, tag_field="type", tag="welcome"):
    """The answer to hello."""

    person: str | None
    name: str | None


class Done(Plain, tag_field="type", tag="done"):
    """The command is stored, as part of this entry. Everybody whom it concerns is sent an update."""

    id: str
    match: str
    number: int
    key: str | UnsetType = UNSET


class Refused(Plain, tag_field="type", tag="refused"):
    """The message was refused and changed nothing."""

    id: str | None
    code: str
    reason: str
    retry_ms: int | UnsetType = UNSET
    """After so many milliseconds the same message may succeed."""


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
    """A line of chat. A phrase has its English words as text. A whisper (`to`) has no text for those whom it is not
    meant for."""

    number: int
    seat: int
    name: str
    text: str
    at: int
    phrase: Phrase | None = None
    to: int | None = None


class Chat(Plain):
    """Lines of chat, from line `first` on: a page of what was said before. There are earlier ones unless it is 0."""

    match: str
    first: int
    lines: list[ChatLine]


How = Literal["left", "resigned", "forfeited", "clock", "patience", "agreed", "link", "returned", "unknown"]


class HandOver(Plain):
    """A seat went to somebody else in the running match."""

    seat: int
    before: str | None
    """The name of who sat there."""
    after: str
    bot: str | None
    """The bot that sits there since, if it is one."""
    by: int | None
    """The seat that did it; null: nobody (the clock), or not known."""
    how: How
    """`patience`: absent for the time of the match. `agreed`: the others agreed. `link`: by a key of the seat `by`."""
    at: int
    ply: int


class SeatAsk(Plain):
    """Somebody asks to give a seat to a bot, or (null) to whoever has a link."""

    by: int
    seat: int
    bot: str | None
    agreed: list[int]
    needed: list[int]
    """Seats that have not agreed yet."""


class About(Plain):
    """What rarely changes."""

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
    handed: tuple[HandOver, ...] = ()
    """The last seats that went to somebody else in the running match."""
    ask: SeatAsk | None = None
    """What is asked about a seat now."""
    back: tuple[int, ...] = ()
    """Seats that you lost by absence and can take back with `sit`."""


class Time(Plain):
    """Clocks in milliseconds: the bank of every seat, and when the time of the seat to move is up."""

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
    """All promises so far and what became of them; null in a game without deals."""
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
    worth: dict[str, Any] | None
    """What an open offer would move for each party, by the game; null where it is no longer open."""
    lines: dict[int, list[str]]
    """What bots say, by seat: its maker with the offer, others with their answers. A key and its parameters."""
    considers: list[int]
    """Bots that have not answered yet."""
    words: tuple[tuple[int, int, str], ...]
    """Promises in own words: who promises, to whom, what."""
    at: int
    """When it was made, in milliseconds since 1970."""
    ply: int
    """How many plies had been played when it was made."""
    turn: int
    """The turn in which it was made; offers of one turn have the same number."""
    mover: int
    """The active seat of that turn, whose action comes first in the terms."""


class WordState(Plain):
    """A promise in own words, made in a deal; only its receiver says whether it was kept."""

    maker: int
    receiver: int
    text: str
    ply: int
    fate: Literal["open", "kept", "broken"]


class Offers(Plain):
    """Offers of a match, of earlier turns too, the oldest first. At most the last 500: `first` is the number of the
    first one here."""

    match: str
    first: int
    offers: list[OfferState]


class UndoState(Plain):
    """A request to undo."""

    seat: int
    ply: int
    agreed: list[int]


class AskedPrices(Plain):
    """The active seat asks what consents cost."""

    about: str
    of: list[int]
    """The seats that are asked."""
    at: int


class PriceState(Plain):
    """What each consent of a seat costs; null: it is not for sale. About null: whatever it is for."""

    seat: int
    price: int | None
    about: str | None
    stands: bool
    """Whether it holds for later turns, too."""


class Desk(Plain):
    """What is being talked about."""

    offers: list[OfferState]
    ready: list[int]
    """Seats with nothing more to say in this turn."""
    undo: UndoState | None
    drafting: list[int]
    """Seats that are putting an offer together."""
    words: list[WordState]
    """All promises of the match in own words."""
    until: int | None
    """When the active bot acts if nobody says anything before; null where it waits for nobody."""
    asked: list[AskedPrices]
    """What prices were asked for in this turn."""
    prices: list[PriceState]
    """The prices that hold now. One for what it is about counts before one for anything."""


class Update(Plain, tag_field="type", tag="update", omit_defaults=True):
    """What changed. Each part is complete (log and chat: from a line on); missing parts did not change. A part counts
    when its number is higher than that of the same part before. Of the chat, whoever begins to watch is sent the last
    50 lines."""

    match: str
    seat: int | None
    number: int
    about: About | UnsetType = UNSET
    play: PlayState | UnsetType | None = UNSET
    log: Log | UnsetType = UNSET
    desk: Desk | UnsetType = UNSET
    chat: list[ChatLine] | UnsetType = UNSET
    nudge: int | UnsetType = UNSET
    """The seat that reminds you that everybody waits for you; sent only when it happens."""


class Presence(Plain, tag_field="type", tag="presence"):
    """Who is there now, by seat; null for bots and empty seats. Not stored, and sent only to those who watch with
    details. `away`: connected, but not looking. `unknown`: perhaps connected to another process of the server."""

    match: str
    seats: list[Here | None]


class Pong(Plain, tag_field="type", tag="pong"):
    """I am."""


FromServer = Welcome | Done | Refused | Update | Presence | Pong
