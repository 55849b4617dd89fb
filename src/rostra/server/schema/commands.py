"""What a client sends: commands, which change a match (the same over WebSocket and HTTP), and requests to watch.

A seat is named in every command, because one person may hold several (hot seat). The ply and epoch are named in every
decision, because a late one must not count for another position.
"""

from typing import Annotated

from msgspec import Meta

from rostra.server.schema.fields import (
    Bot,
    Entropy,
    Id,
    Key,
    MatchId,
    Move,
    Name,
    Number,
    Phrase,
    Plain,
    Price,
    SeatNumber,
    Text,
)


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
    """Change your name."""

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
    """A statement about the present position. With epoch and number of plies it is refused when play has gone on, so
    that a late copy does no harm."""

    seat: SeatNumber


class OwnWords(Plain, forbid_unknown_fields=True):
    """A promise in own words."""

    maker: SeatNumber
    receiver: SeatNumber
    text: Annotated[str, Meta(min_length=1, max_length=200)]


class Offer(Talk, tag="offer"):
    """Put a deal on the table: the active seat's action or `bargain` first, then gives, `then`, promises and vows."""

    terms: Annotated[list[Move], Meta(min_length=1, max_length=40)]
    counters: Number | None = None
    epoch: Number | None = None
    plies: Number | None = None
    words: Annotated[tuple[OwnWords, ...], Meta(max_length=4)] = ()
    """Promises in own words; whoever is named in them is a party."""


class Answer(Command, tag="answer"):
    """Accept or refuse an offer."""

    seat: SeatNumber
    offer: Number
    yes: bool


class Withdraw(Command, tag="withdraw"):
    """Withdraw your own offer."""

    seat: SeatNumber
    offer: Number


class Judge(Command, tag="judge"):
    """Say whether a promise that was made to you in own words was kept."""

    seat: SeatNumber
    promise: Number
    kept: bool


class Drafting(Talk, tag="drafting"):
    """You are putting an offer together, or no longer: all see it, and an active bot waits for you."""

    on: bool = True
    epoch: Number | None = None
    plies: Number | None = None


class Ready(Talk, tag="ready"):
    """Nothing more to say in this turn: a bot that waits for talk may act."""

    epoch: Number | None = None
    plies: Number | None = None


class AskPrices(Talk, tag="ask-prices"):
    """By the active seat: what does a consent cost? `about` is what it is for (in Quo Vadis? a path, `B>I`); asked is
    one seat or, without `of`, everybody who can consent."""

    about: Move
    of: SeatNumber | None = None
    epoch: Number | None = None
    plies: Number | None = None


class NamePrice(Talk, tag="name-price"):
    """What each consent of yours costs, besides what the rules give for it: a yes given in advance. `about` is what it
    is for, null: whatever the active seat does. It holds in this turn or, if it `stands`, until you name another one.
    Price null: at no price (any more)."""

    price: Price | None
    about: Move | None = None
    stands: bool = False
    epoch: Number | None = None
    plies: Number | None = None


class TakePrices(Talk, tag="take-prices"):
    """By the active seat: do this, and pay for each consent its price. It is carried out at once. The prices, in pairs
    of seat and price, are those that you see: if one has changed meanwhile, nothing happens."""

    action: Move
    prices: Annotated[list[tuple[SeatNumber, Price]], Meta(min_length=1, max_length=4)]
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
    """Chat: your own words, or a phrase; to everybody or, where the match allows whispers, to one other player."""

    seat: SeatNumber
    text: Text | None = None
    phrase: Phrase | None = None
    to: SeatNumber | None = None


class Nudge(Command, tag="nudge"):
    """Remind a person for whom everybody waits: once for each decision, and not too often."""

    seat: SeatNumber
    other: SeatNumber


class Mute(Command, tag="mute"):
    """Mute another seat, or stop muting it."""

    seat: SeatNumber
    other: SeatNumber
    on: bool = True


class Replace(Command, tag="replace"):
    """Give a seat to a bot. Before the match begins: the creator an open one. In a running match: anybody who plays one
    whose person is absent, by time or by agreement of the others; or the seat of a bot to another bot, by agreement."""

    seat: SeatNumber
    bot: Bot


class Link(Command, tag="link"):
    """A new key that opens a seat once; `done` has it: for your own seat; by the creator for a free one, before the
    match begins; for the seat of a bot or an absent person when all others agree, and not before that."""

    seat: SeatNumber


class AnswerSeat(Command, tag="answer-seat"):
    """Agree that a seat is given away, or do not; whoever asked takes it back by a no."""

    seat: SeatNumber
    yes: bool


class Close(Command, tag="close"):
    """By the creator: end a match that has not begun, or in which no other person plays."""


AnyTalk = Offer | Drafting | Ready | AskPrices | NamePrice | TakePrices | AskUndo | AnswerUndo
AnyCommand = (
    Sit | Leave | Rename | Play | Confirm | TakeBack | Offer | Answer | Withdraw | Judge | Drafting | Ready
    | AskPrices | NamePrice | TakePrices | AskUndo | AnswerUndo | Resign | Say | Nudge | Mute | Replace | Link
    | AnswerSeat | Close
)  # fmt: skip


class Hello(Plain, tag_field="type", tag="hello"):
    """The first message: who you are; without a token you can only watch."""

    token: Annotated[str, Meta(max_length=100)] | None = None


class Watch(Plain, tag_field="type", tag="watch"):
    """Send me this match as this seat sees it (null: as a spectator), from now on."""

    match: MatchId
    seat: SeatNumber | None = None
    details: bool = False
    """Whether `play` is to have its `details` each time, and whether to send who is there (`presence`)."""


class Unwatch(Plain, tag_field="type", tag="unwatch"):
    """Stop sending this match."""

    match: MatchId
    seat: SeatNumber | None = None


class Away(Plain, tag_field="type", tag="away"):
    """The person at this connection is not looking at it, or is again: all at the tables that it watches see it."""

    on: bool = True


class Ping(Plain, tag_field="type", tag="ping"):
    """Are you there?"""


FromClient = Hello | Watch | Unwatch | Away | Ping | AnyCommand
