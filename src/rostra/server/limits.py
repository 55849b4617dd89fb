"""How much one person, one address and one match may use; all of it are settings, and 0 means no limit.

An address is an IPv4 address or the first half of an IPv6 address (a /64): whoever has one address of it has all.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Limits:
    """See the module; the defaults leave room for a class of thirty behind one address."""

    rate: float = 20.0
    """Messages and requests a second from one person, after a first burst of five seconds' worth. Strangers at one
    address count as one person."""
    address_rate: float = 100.0
    """The same from one address, of all its people together."""
    connections: int = 100
    """WebSockets from one address."""
    watches: int = 50
    """Seats of matches that one connection may watch."""
    people_hour: int = 100
    """New people in an hour from one address."""
    matches_hour: int = 200
    """New matches in an hour from one address."""
    matches: int = 100
    """Matches of one person (who made them) that are not over."""
    bot_matches: int = 5
    """Those of them in which only bots play."""
    offers: int = 12
    """Offers of one seat in one turn."""
    chat_lines: int = 10
    """Lines of chat that one seat may write in `chat_seconds`."""
    chat_seconds: float = 30.0
    chat_most: int = 2000
    """Lines of chat in one match."""
    entries: int = 10_000
    """Entries of one match, after which people may only play, answer and end it."""
    queue: int = 500
    """Moves, hints and reviews that may wait for a worker."""
    queue_person: int = 20
    """Those of them for the matches and questions of one person."""


LIMITS = Limits()
NO_LIMITS = Limits(*(0,) * len(dataclasses.fields(Limits)))
