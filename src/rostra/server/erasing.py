"""A person's own data: what they did in matches, and how all of it is erased, by themselves or by operators.

The moves of a match stay, because they belong to the others too; names, chat and promises in own words go, from the log
as well. Dice depend on seats and not on names, so `rostra verify` still confirms such a match. Erasing is final.
"""

import contextlib
import json
import logging
import time
from typing import Any

import msgspec

from rostra.server import decisions, entries
from rostra.server.rooms import Rooms
from rostra.server.store import LogRow, Statements, Store
from rostra.server.table import Refusal, Table

log = logging.getLogger("rostra.erasing")
NOBODY = "—"
"""The name of somebody who was erased."""
NOTHING = "—"
"""What they wrote."""
BOT = " (bot)"
"""The end of a stand-in's name, which begins with that of the person."""
ERASED = "erased "
"""Stands where the hash of a token was; no hash begins like this."""
_MATCHES = """
    SELECT match FROM seats WHERE person = ? UNION SELECT match FROM results WHERE person = ?
    UNION SELECT id FROM matches WHERE creator = ?
"""
MENTIONED = "SELECT DISTINCT match FROM log WHERE body LIKE ? UNION SELECT id FROM matches WHERE creator = ?"
"""Also matches that the person left; it looks at all logs."""


async def matches_of(store: Store, person: str) -> list[str]:
    """The matches in which a person played, or which it made."""
    return [row[0] for row in await store.rows(_MATCHES, person, person, person)]


async def deeds(store: Store, person: str) -> list[dict[str, Any]]:
    """What a person did in each match, as it is in the log."""
    found = []
    for match in await matches_of(store, person):
        row = await store.match(match)
        if row is not None:
            bodies = [(one.at, json.loads(one.body)) for one in await store.entries(match, 0)]
            mine = [{"at": at, "events": body[0]} for at, body in bodies if len(body) > 1 and body[1] == person]
            made = row.created if row.creator == person else None
            found.append({"match": match, "game": row.game, "made": made, "did": mine})
    return found


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


def departure(table: Table, person: str) -> decisions.Events:
    """What happens at a table when a person is gone for good: it ends where nobody else plays, else bots sit in."""
    if table.status == "over":
        return []
    own = table.seats_of(person)
    if not any(seat.person not in (None, person) and seat.name is not None for seat in table.seats):
        return [entries.Ended("abandoned", [])]
    if table.match is None:
        return [entries.Left(seat) for seat in own]
    return [decisions.stand_in(table, seat) for seat in own]


def forget(person: str) -> Statements[None]:
    """Remove everything about a person that is not part of a match."""
    yield "DELETE FROM outbox WHERE address IN (SELECT id FROM addresses WHERE person = ?)", (person,)
    for table in ("tokens", "codes", "profiles", "notify", "addresses", "vacations", "bans"):
        yield f"DELETE FROM {table} WHERE person = ?", (person,)
    yield "DELETE FROM friends WHERE person = ? OR friend = ?", (person, person)
    yield "DELETE FROM blocks WHERE person = ? OR other = ?", (person, person)
    yield "DELETE FROM reports WHERE person = ? OR other = ?", (person, person)
    yield "DELETE FROM ratings WHERE player = ?", (person,)
    yield "UPDATE results SET person = NULL, name = ? WHERE person = ?", (NOBODY, person)
    yield "UPDATE people SET name = ?, token = ? WHERE id = ?", (NOBODY, ERASED + person, person)


def strike(match: str, person: str) -> Statements[bool]:
    """Take a person out of a log, and out of what lists keep beside it; whether the log changed."""
    rows = yield "SELECT number, at, body FROM log WHERE match = ? ORDER BY number", (match,)
    changed = without(person, [LogRow(*row) for row in rows])
    for number, body in changed:
        yield "UPDATE log SET body = ? WHERE match = ? AND number = ?", (body, match, number)
    yield "UPDATE matches SET seated = '', number = 0 WHERE id = ?", (match,)
    yield "UPDATE seats SET name = ? WHERE match = ? AND person = ?", (NOBODY.lower(), match, person)
    return bool(changed)


async def erase(store: Store, rooms: Rooms, person: str) -> None:
    """Erase a person who asked for it, while the server runs."""
    mentioned = [row[0] for row in await store.rows(MENTIONED, f'%"{person}"%', person)]
    for match in mentioned:
        with contextlib.suppress(Refusal):
            room = rooms.room(match)
            if await rooms.read(match, lambda table: departure(table, person)):
                async with room.lock:
                    await rooms.carry_out(room, lambda table: departure(table, person), decisions.HOUSE, None)
    for match in mentioned:
        try:
            await rooms.rewrite(match, lambda match=match: strike(match, person))  # type: ignore[misc]
        except (Refusal, msgspec.MsgspecError, UnicodeError) as error:  # this log cannot be read, but the next one can
            log.error("erase", extra={"match": match, "problem": str(error)})
    await store.transact(lambda: _finish(person, time.time_ns() // 1_000_000))


def _finish(person: str, now: int) -> Statements[None]:
    """Forget them, and tell the other processes of this server, which follow the audit log."""
    yield from forget(person)
    yield (
        "INSERT INTO audit (number, at, who, what, about, why) "
        "SELECT coalesce(max(number), 0) + 1, CAST(? AS BIGINT), 'the person', 'erase', CAST(? AS TEXT), '' FROM audit",
        (now, person),
    )
