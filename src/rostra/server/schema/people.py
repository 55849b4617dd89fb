"""Bodies about people: devices, codes, profiles, friends, blocks, reports."""

from typing import Annotated, Literal

from msgspec import Meta

from rostra.server.schema.fields import Label, Plain


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
