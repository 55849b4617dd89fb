"""Bodies about notifications and vacations."""

from typing import Annotated, Literal

from msgspec import Meta

from rostra.server.schema.fields import Plain

Channel = Literal["push", "email", "webhook"]
CallKind = Literal["turn", "offer", "nudge", "over"]
"""My turn; an offer or a question for me; somebody reminds me; the match is over."""
Kinds = Annotated[list[CallKind], Meta(max_length=4)]
Minute = Annotated[int, Meta(ge=0, le=1439, description="of the day")]
Millis = Annotated[int, Meta(ge=0, le=10**14)]


class Quiet(Plain):
    """Hours in which nothing is sent, by the person's own clock; they may go past midnight."""

    start: Minute
    end: Minute


class NotifyTaste(Plain):
    """How a person is told."""

    language: Literal["en", "de"] = "en"
    zone: Annotated[str, Meta(max_length=60, description="a time zone, such as Europe/Berlin")] = "UTC"
    quiet: Quiet | None = None


class PushKeys(Plain):
    """The keys of a push subscription, as the browser gives them."""

    p256dh: Annotated[str, Meta(min_length=80, max_length=100)]
    auth: Annotated[str, Meta(min_length=20, max_length=30)]


class NewAddress(Plain):
    """Where to send: an e-mail address, the endpoint of a push subscription, or a webhook."""

    channel: Channel
    target: Annotated[str, Meta(min_length=3, max_length=1000)]
    keys: PushKeys | None = None
    kinds: Kinds | None = None
    """Null: all."""


class Address(Plain):
    """Where notifications go. Nothing is sent before it is confirmed."""

    address: str
    channel: Channel
    target: str
    """Of a push subscription only the host."""
    kinds: list[CallKind]
    confirmed: bool
    failing: bool
    """Switched off, because nothing could be delivered for long."""


class Vacation(Plain):
    """Clocks of days stand still from the one to the other, in milliseconds since 1970."""

    since: int
    until: int


class Notifications(Plain):
    """All about my notifications."""

    offered: list[Channel]
    """What this server can do."""
    push_key: str | None
    """What a browser needs to subscribe."""
    taste: NotifyTaste
    addresses: list[Address]
    vacation: Vacation | None
    """The present one."""
    days_left: float
    """Days of vacation that are left of this year's."""


class AddressMade(Plain):
    """The new address, and the secret that a webhook's messages are signed with: it is sent only once."""

    address: str
    secret: str | None


class AddressCode(Plain):
    """The code that was sent to an e-mail address."""

    code: Annotated[str, Meta(min_length=6, max_length=6)]


class NewKinds(Plain):
    """What is sent to an address."""

    kinds: Kinds


class Until(Plain):
    """The end of a vacation that begins now, in milliseconds since 1970; null: back again."""

    until: Millis | None


class Unsubscribed(Plain):
    """Whether there was such an address; it gets no more mail."""

    done: bool
