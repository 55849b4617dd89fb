"""Bodies about people: devices, codes, profiles, friends, blocks, reports."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from rostra.server.schema.fields import Label, MatchId, Plain, SeatNumber


class Device(Plain):
    """A device of mine, or a personal link that nobody has used yet."""

    device: str
    label: str
    created: int
    used: int
    """About when it was last used."""
    this: bool
    """Whether it is the one that asks."""


class OpenLink(Plain):
    """A personal link or code that nobody has used yet."""

    link: str
    """Its name, to revoke it; not the link itself."""
    kind: Literal["code", "link", "friend"]
    created: int
    until: int


class Devices(Plain):
    """Where I am signed in, and with what others could be."""

    devices: list[Device]
    links: list[OpenLink]


class NameDevice(Plain):
    """Another name for a device."""

    label: Label


class NewCode(Plain):
    """`code`: short, to type on another device within ten minutes. `link`: long, for a year. `friend`: makes a friend,
    within 30 days. Each works once."""

    kind: Literal["code", "link", "friend"]


class Code(Plain):
    """The code is sent once; the server has only its hash."""

    code: str
    until: int


class UseCode(Plain):
    """Sign in with a code or the code of a personal link."""

    code: Annotated[str, Meta(min_length=1, max_length=80)]
    label: Label = ""


class Removed(Plain):
    """It is gone."""


class Skill(Plain):
    """How somebody does in a game with a number of seats."""

    game: str
    seats: int
    played: int
    won: int
    rating: int | None
    """OpenSkill around 1500; null: no match of it was rated. People and bots are on one scale."""
    off: int | None
    """How far the rating may be off (95 %)."""


class PastSeat(Plain):
    """How a seat did."""

    name: str
    bot: str | None
    points: int
    place: int
    won: bool


class Past(Plain):
    """A finished match."""

    match: str
    game: str
    at: int
    seat: int
    """Where the person of the profile sat."""
    seats: list[PastSeat]


class Versus(Plain):
    """You against the person of the profile, in matches that both played: who had the better place."""

    played: int
    ahead: int
    behind: int


class Profile(Plain):
    """What you may see of a person: of others, only matches that were listed or that you played too."""

    person: str
    """The handle: it names the person and opens nothing."""
    name: str
    since: int
    public: bool
    me: bool
    friend: bool
    blocked: bool
    skills: list[Skill]
    versus: Versus | None
    past: list[Past]
    more: int | None
    """The next page of `past` is before this."""


class SetProfile(Plain):
    """Whether everybody may see my profile."""

    public: bool


class Known(Plain):
    """A friend, or somebody I block."""

    person: str
    name: str
    since: int


class Acquaintances(Plain):
    """My friends, and whom I block."""

    friends: list[Known]
    blocked: list[Known]


class MakeFriend(Plain):
    """The code of a friend's link."""

    code: Annotated[str, Meta(min_length=1, max_length=80)]


class SeatOf(Plain):
    """Who sits in a seat."""

    match: MatchId
    seat: SeatNumber


class Sitting(Plain):
    """What you may know of who sits in a seat of a match."""

    seat: int
    person: str | None
    """The handle, where the profile is open to you."""
    rating: int | None
    friend: bool
    blocked: bool


class SittingPeople(Plain):
    """The people of a match."""

    seats: list[Sitting]


class Report(Plain):
    """Something that the operators should know about who sits in a seat."""

    seat: SeatNumber
    reason: Literal["talk", "name", "stalling", "cheating", "other"]
    text: Annotated[str, Meta(max_length=1000)] = ""


class Export(Plain):
    """All that the server keeps about you."""

    person: str
    name: str
    created: int
    devices: list[Device]
    friends: list[str]
    blocked: list[str]
    reports: list[dict[str, Any]]
    skills: list[Skill]
    matches: list[dict[str, Any]]
    """Matches that you made or played, with what you did in them (as in the log)."""


class Erase(Plain):
    """Erase me for ever; the name must be mine, so that it does not happen by mistake."""

    name: str
