"""What operators change: end and delete matches, ban people, take their access away, erase them.

Each act returns what could not be done, in sentences.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable

from rostra.bots.preparing import Preparing
from rostra.engine.game import RostraError
from rostra.server import decisions, entries, erasing
from rostra.server.admin.database import Database, Trouble
from rostra.server.decisions import HOUSE
from rostra.server.live import now_ms
from rostra.server.rooms import Rooms, Tasks
from rostra.server.store import StoreError, open_store
from rostra.server.table import Refusal, Table

SETTLE = 1.0
"""Seconds until every running server has surely noticed an order; they look four times a second."""
NEVER = "no longer valid: "
"""Stands where the hash of a token was; no hash begins like this."""


async def find_match(db: Database, match: str) -> str:
    """The status of a match; trouble if there is none."""
    status = await db.one("SELECT status FROM matches WHERE id = ?", match)
    if status is None:
        raise Trouble(f"there is no match {match!r}; `rostra admin matches` lists them")
    return str(status)


async def find_person(db: Database, person: str) -> str:
    """The name of a person; trouble if there is none."""
    name = await db.one("SELECT name FROM people WHERE id = ?", person)
    if name is None:
        raise Trouble(f"there is no person {person!r}; `rostra admin people NAME` finds them by name")
    return str(name)


@contextlib.asynccontextmanager
async def _rooms(db: Database) -> AsyncIterator[Rooms]:
    """Matches as a server has them, so that what happens to them is decided and stored in the same way."""
    store = await open_store(db.address, beside=True)
    tasks = Tasks()
    try:
        yield Rooms(store, now_ms, tasks, Preparing([]), lambda room, table: None)
    finally:
        await tasks.close()
        await store.close()


async def _happen(rooms: Rooms, match: str, deciding: Callable[[Table], decisions.Events]) -> None:
    """Let something happen in a match; trouble if the match cannot be read."""
    room = rooms.room(match)
    try:
        async with room.lock:
            await rooms.carry_out(room, deciding, HOUSE, None)
    except (Refusal, StoreError) as error:
        raise Trouble(f"match {match}: {error}") from error
    except Exception as error:
        raise Trouble(f"match {match} cannot be read ({_words(error)}); it can only be deleted") from error


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, RostraError) else f"{type(error).__name__}: {error}"


async def close(db: Database, match: str, why: str) -> list[str]:
    """End a match now, without a winner; its seed is revealed, as at every end."""
    if await find_match(db, match) == "over":
        raise Trouble(f"match {match} is over already")

    def deciding(table: Table) -> decisions.Events:
        if table.status == "over":
            raise Refusal("over", "it has ended by itself meanwhile")
        return [entries.Ended("abandoned", [])]

    async with _rooms(db) as rooms:
        await _happen(rooms, match, deciding)
    async with db.transaction(True):
        await db.note("close", match, why)
    return []


async def delete(db: Database, match: str, why: str) -> list[str]:
    """Remove a match with everything that belongs to it; whoever watches it sees its end first."""
    if await find_match(db, match) != "over":
        with contextlib.suppress(Trouble):  # one that cannot be read shows nobody an end
            await close(db, match, why)
            await asyncio.sleep(SETTLE)
    async with db.transaction(True):
        for table, column in await db.about("matches", "match"):
            await db.rows(f"DELETE FROM {table} WHERE {column} = ?", match)
        await db.rows("DELETE FROM matches WHERE id = ?", match)
        await db.note("delete", match, why)
    return []


async def ban(db: Database, person: str, why: str, leave: bool = True) -> list[str]:
    """Let somebody play here no more: no token of theirs is valid, and bots take their seats."""
    await find_person(db, person)
    async with db.transaction(True):
        if await db.one("SELECT person FROM bans WHERE person = ?", person) is not None:
            raise Trouble(f"{person} is banned already")
        await db.rows("INSERT INTO bans (person, at, why) VALUES (?, ?, ?)", person, now_ms(), why)
        await db.note("ban", person, why)
    return await depart(db, person) if leave else []


async def unban(db: Database, person: str, why: str) -> list[str]:
    """Let somebody play again, with the token they had."""
    await find_person(db, person)
    async with db.transaction(True):
        if await db.one("SELECT person FROM bans WHERE person = ?", person) is None:
            raise Trouble(f"{person} is not banned")
        await db.rows("DELETE FROM bans WHERE person = ?", person)
        await db.note("unban", person, why)
    return []


async def revoke(db: Database, person: str, why: str) -> list[str]:
    """Make all tokens of a person invalid, as after a leak; their seats stay theirs."""
    await find_person(db, person)
    async with db.transaction(True):
        await _drop_tokens(db, person)
        await db.note("revoke", person, why)
    return []


async def _drop_tokens(db: Database, person: str) -> None:
    tables = await db.links.tables()
    if "token" in tables["people"]:
        await db.rows("UPDATE people SET token = ? WHERE id = ?", NEVER + secrets.token_hex(16), person)
    for table in {"tokens", "codes"} & {*tables}:
        await db.rows(f"DELETE FROM {table} WHERE person = ?", person)


async def depart(db: Database, person: str) -> list[str]:
    """Let a person leave all matches that are not over; returns those that cannot be read."""
    query = """SELECT id FROM matches WHERE status <> 'over'
        AND (creator = ? OR id IN (SELECT match FROM seats WHERE person = ?)) ORDER BY created"""
    troubles = []
    async with _rooms(db) as rooms:
        for (match,) in await db.rows(query, person, person):
            try:
                if await rooms.read(match, lambda table: erasing.departure(table, person)):
                    await _happen(rooms, match, lambda table: erasing.departure(table, person))
                    async with db.transaction(True):
                        await db.note("leave", match, f"{person} is gone")
            except Trouble as trouble:
                troubles.append(str(trouble))
            except Exception as error:  # this match cannot be read, but the next one can
                troubles.append(f"match {match} cannot be read ({_words(error)}); it can only be deleted")
    return troubles


async def erase(db: Database, person: str, why: str) -> list[str]:
    """Remove what is known of a person: tokens, name, chat; matches go on, with a bot in their seat. It can be
    repeated."""
    await find_person(db, person)
    async with db.transaction(True):
        await db.carry_out(erasing.forget(person))
        await db.note("revoke", person, "to be erased")
    troubles = await depart(db, person)
    await asyncio.sleep(SETTLE)  # what they said last is stored by now
    async with _rooms(db) as rooms:
        for (match,) in await db.rows(erasing.MENTIONED, f'%"{person}"%', person):
            try:
                await rooms.rewrite(match, lambda match=match: erasing.strike(match, person))  # type: ignore[misc]
            except Exception as error:  # this log cannot be read, but the next one can
                troubles.append(f"match {match} cannot be read ({_words(error)}); it can only be deleted")
    async with db.transaction(True):
        await db.carry_out(erasing.forget(person))  # a match that ended by this may have been noted meanwhile
        await db.note("erase", person, why)
    return troubles
