"""A person's own data: what they did in matches, and how all of it is erased.

The moves of a match stay, because they belong to the others too; names, chat and promises in own words go, from the log
as well. Erasing is final. Another process may show the old names until it reads a match again.
"""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

from rostra.server import entries, schema
from rostra.server.people import new_id
from rostra.server.rooms import Rooms
from rostra.server.store import LogRow, Statements, Store
from rostra.server.table import Refusal

NOBODY = "—"
"""The name of somebody who was erased."""
_MATCHES = """
    SELECT match FROM seats WHERE person = ? UNION SELECT match FROM results WHERE person = ?
    UNION SELECT id FROM matches WHERE creator = ?
"""


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


def without(log: list[LogRow], person: str) -> Iterator[tuple[int, str]]:
    """The entries of a log that name a person or hold its words, changed; with their numbers."""
    holders: dict[int, str | None] = {}
    named_after: set[int] = set()
    """Seats of bots that bear the person's name."""
    for row in log:
        body = entries.decode(row.body)
        changed = False
        for event in body.events:
            if isinstance(event, entries.Sat):
                if event.person is not None:
                    named_after.discard(event.seat)
                elif holders.get(event.seat) == person or event.seat in named_after:
                    named_after.add(event.seat)
                    event.name, changed = f"{NOBODY} (bot)", True
                holders[event.seat] = event.person
            holder = holders.get(getattr(event, "seat", -1))
            if holder != person:
                continue
            if isinstance(event, entries.Sat | entries.Renamed):
                event.name, changed = NOBODY, True
            elif isinstance(event, entries.Said) and event.phrase is None:
                event.text, changed = NOBODY, True
            elif isinstance(event, entries.Offered) and event.words:
                event.words = tuple((maker, receiver, NOBODY) for maker, receiver, _ in event.words)
                changed = True
        if changed:
            yield row.number, entries.encode(body).decode()


async def erase(store: Store, rooms: Rooms, person: str) -> None:
    """Erase a person: out of all matches that go on, then out of the database."""
    matches = await matches_of(store, person)
    for match in matches:
        await _leave(rooms, match, person)
    for match in matches:
        for number, body in list(without(await store.entries(match, 0), person)):
            await store.rows("UPDATE log SET body = ? WHERE match = ? AND number = ?", body, match, number)
        await rooms.reread(match)

    def work() -> Statements[None]:
        for table in ("tokens", "codes", "profiles", "reports"):
            yield f"DELETE FROM {table} WHERE person = ?", (person,)
        yield "DELETE FROM friends WHERE person = ? OR friend = ?", (person, person)
        yield "DELETE FROM blocks WHERE person = ? OR other = ?", (person, person)
        yield "DELETE FROM ratings WHERE player = ?", (person,)
        yield "UPDATE results SET person = NULL, name = ? WHERE person = ?", (NOBODY, person)
        yield "DELETE FROM seats WHERE person = ?", (person,)
        yield "UPDATE people SET name = ?, token = 'erased ' || id WHERE id = ?", (NOBODY, person)

    await store.transact(work)


async def _leave(rooms: Rooms, match: str, person: str) -> None:
    """Leave a match that goes on; close one that has not begun."""
    with contextlib.suppress(Refusal):
        seats = await rooms.read(match, lambda table: [] if table.status == "over" else table.seats_of(person))
        for seat in seats:
            with contextlib.suppress(Refusal):
                await rooms.command(schema.Leave(new_id(), match, seat), person)
        await rooms.command(schema.Close(new_id(), match), person)
