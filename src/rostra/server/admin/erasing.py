"""A log without a person: their names, and what they wrote, are replaced; moves, dice and times stay as they were.

Dice depend on seats and not on names, so `rostra verify` still confirms such a match.
"""

from typing import Any

import msgspec

from rostra.server import entries
from rostra.server.store import LogRow

NOBODY = "—"
"""The name of somebody who was erased."""
NOTHING = "—"
"""What they wrote."""
BOT = " (bot)"
"""The end of a stand-in's name, which begins with that of the person."""


class _Seat:
    """Whether the person sits there, and whether its name is theirs: a bot that stands in keeps it."""

    sits = named = False


def without(person: str, log: list[LogRow]) -> list[tuple[int, str]]:
    """The entries that change, by number, and what they become."""
    seats: dict[int, _Seat] = {}
    changed = []
    for row in log:
        body = entries.decode(row.body)
        events = [_event(event, person, seats) for event in body.events]
        command = None if body.by == person else body.id  # their client chose it, and could have written anything
        if events != body.events or command != body.id:
            changed.append((row.number, entries.encode(entries.Body(events, body.by, command)).decode()))
    return changed


def _event(event: entries.AnyEvent, person: str, seats: dict[int, _Seat]) -> entries.AnyEvent:
    number = getattr(event, "seat", None)
    if number is None:
        return event
    seat = seats.setdefault(number, _Seat())
    match event:
        case entries.Sat(_, name, sitter, bot):
            seat.sits = sitter == person
            seat.named = seat.sits or (seat.named and bot is not None)
            if seat.named and (seat.sits or name.endswith(BOT)):
                return msgspec.structs.replace(event, name=NOBODY if seat.sits else NOBODY + BOT)
        case entries.Left():
            seat.sits = seat.named = False
        case _ if seat.sits:
            return _own(event)
    return event


def _own(event: Any) -> entries.AnyEvent:
    """An event of the person without names and texts; phrases of the program stay."""
    fields: dict[str, Any] = {}
    if hasattr(event, "name"):
        fields["name"] = NOBODY
    if hasattr(event, "text") and getattr(event, "phrase", None) is None:
        fields["text"] = NOTHING
    if getattr(event, "words", None):
        fields["words"] = tuple((maker, receiver, NOTHING) for maker, receiver, _ in event.words)
    found: entries.AnyEvent = msgspec.structs.replace(event, **fields) if fields else event
    return found
