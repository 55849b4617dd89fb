"""What a match is on disk: numbered entries, each a few events that happen together or not at all.

The number of an entry is the lock: two processes cannot both store number 17. Moves are kept as canonical text, dice
included, so that running matches survive a change of our numbering. Entries are permanent: fields may be added at the
end of an event, with a default; none may be removed or change its meaning (`tests/data/live` holds matches of every
earlier version).
"""

from typing import Literal

import msgspec


class Event(msgspec.Struct, array_like=True, tag=True):
    """Something that happened at a table; written as a list, its name first."""


class Sat(Event, tag="sat"):
    """A person or a bot took a seat; entropy is what the person added to the dice."""

    seat: int
    name: str
    person: str | None = None
    bot: str | None = None
    entropy: str = ""
    by: int | None = None
    """In a running match: the seat that gave this one away; None: time did, or it was given before 0.10."""
    how: str | None = None
    """In a running match: `schema.HandOver` lists the ways."""


class Left(Event, tag="left"):
    """A seat is empty again: its person left, or was replaced."""

    seat: int


class Renamed(Event, tag="renamed"):
    """The person in a seat has a new name."""

    seat: int
    name: str


class Started(Event, tag="started"):
    """All seats were taken; the first outcomes of chance."""

    moves: list[str]


class Chose(Event, tag="chose"):
    """A choice that can still be taken back: nobody else knows it yet."""

    seat: int
    move: str


class TookBack(Event, tag="took-back"):
    """The choice was taken back."""

    seat: int


class Played(Event, tag="played"):
    """Moves that count: of the seats that decided, and of chance after them."""

    seat: int
    moves: list[str]


class Offered(Event, tag="offered"):
    """An offer lies on the table; its id is the number of offers before it."""

    seat: int
    terms: list[str]
    counters: int | None = None
    line: list[str] | None = None
    """What its maker says with it: a key and parameters."""
    words: tuple[tuple[int, int, str], ...] = ()
    """Promises in own words: who promises, to whom, what."""


class Answered(Event, tag="answered"):
    """A party said yes or no to an offer."""

    seat: int
    offer: int
    yes: bool
    line: list[str] | None = None
    """What the party says with it: a key and parameters."""
    waits: bool = False
    """All have agreed now, but the active seat has other actions on offer: it is carried out when that seat says yes
    once more."""


class Withdrew(Event, tag="withdrew"):
    """An offer was taken off the table by its maker."""

    offer: int


class Judged(Event, tag="judged"):
    """The receiver says whether a promise in own words was kept; its number is that of such promises before it."""

    promise: int
    kept: bool


class Drafting(Event, tag="drafting"):
    """A seat is putting an offer together, or no longer."""

    seat: int
    on: bool


class Ready(Event, tag="ready"):
    """A seat has nothing more to say in this turn: the active bot need not wait for it."""

    seat: int


class AskedPrices(Event, tag="asked-prices"):
    """The active seat asked these seats what a consent costs."""

    about: str
    of: list[int]


class NamedPrice(Event, tag="named-price"):
    """A seat said what each consent of its costs, for this or (null) for anything, in this turn or until it names
    another price; null: it gives none for a price."""

    seat: int
    price: int | None
    about: str | None = None
    stands: bool = False


class AskedUndo(Event, tag="asked-undo"):
    """A seat asks everybody to go back to before this ply."""

    seat: int
    ply: int


class AnsweredUndo(Event, tag="answered-undo"):
    """A seat agrees to go back, or does not."""

    seat: int
    yes: bool


class Undone(Event, tag="undone"):
    """Everybody agreed: play is back before this ply, in a new epoch of the dice; then chance happened again."""

    ply: int
    moves: list[str]


class Said(Event, tag="said"):
    """A line of chat; the key of a phrase, if it is one; the seat that it was whispered to, if it was."""

    seat: int
    text: str
    phrase: str | None = None
    to: int | None = None


class Nudged(Event, tag="nudged"):
    """A seat reminded another one, for which everybody waited."""

    seat: int
    other: int


class Muted(Event, tag="muted"):
    """A seat mutes another one, or stops muting it."""

    seat: int
    other: int
    on: bool


class Linked(Event, tag="linked"):
    """Whoever has the key of this SHA-256 may take the seat, once."""

    seat: int
    key: str
    by: int | None = None
    """The seat that made it; None: the creator, before the match began."""


class AskedSeat(Event, tag="asked-seat"):
    """A seat asks the others to give a seat to a bot, or to whoever has the key of this SHA-256."""

    by: int
    seat: int
    bot: str | None = None
    key: str | None = None
    absent: bool = False
    """Whether it is asked because nobody seems to be there."""


class AnsweredSeat(Event, tag="answered-seat"):
    """A seat agrees to that, or does not."""

    seat: int
    yes: bool


class Resumed(Event, tag="resumed"):
    """Nobody was there to serve the match when a clock ran out: the time for this move begins again."""


class Vacation(Event, tag="vacation"):
    """The clock of a seat stands still from the one time to the other; the same beginning again: another end."""

    seat: int
    since: int
    until: int


class Resigned(Event, tag="resigned"):
    """A seat gave up, or its clock ran out."""

    seat: int
    because: Literal["resigned", "forfeited"]


class Ended(Event, tag="ended"):
    """The match ended in another way than by the rules of the game."""

    end: Literal["resigned", "forfeited", "abandoned"]
    winners: list[int]


AnyEvent = (
    Sat | Left | Renamed | Started | Chose | TookBack | Played | Offered | Answered | Withdrew | Judged | Drafting
    | Ready | AskedPrices | NamedPrice | AskedUndo | AnsweredUndo | Undone | Said | Nudged | Muted | Linked | AskedSeat
    | AnsweredSeat | Resumed | Vacation | Resigned | Ended
)  # fmt: skip


class Body(msgspec.Struct, array_like=True):
    """An entry without its number and time; `by` and `id` name the command, so that a repeat of it is recognised."""

    events: list[AnyEvent]
    by: str | None = None
    id: str | None = None


class Entry(msgspec.Struct):
    """One row of a match's log; `at` is the time in milliseconds since 1970."""

    number: int
    at: int
    body: Body


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Body).decode
