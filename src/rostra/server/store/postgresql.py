"""Everything in PostgreSQL, for any number of processes.

Appends that wait while a transaction is under way become the next one: a single statement for all of them, whose `ON
CONFLICT DO NOTHING` says which numbers were taken. Processes notify each other (NOTIFY) of matches that changed; one
that missed something (a lost connection) reads the log again. A transaction that broke off may still have been
committed, so its callers get an error and look again.
"""

import asyncio
import contextlib
import secrets
import time
from typing import Any

import asyncpg

from rostra.engine.game import BadOption
from rostra.server.metrics import COMMIT_ENTRIES, COMMIT_SECONDS
from rostra.server.store import (
    Append,
    AuditRow,
    Listener,
    LogRow,
    MatchRow,
    PersonRow,
    StoreError,
    log,
    missing_migrations,
    resolve,
    statements,
)

CHANNEL = "rostra"
_MIGRATING = 0x526F73747261
_COLUMNS = ", ".join(MatchRow._fields)
_BROKEN = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError)
_INSERT = """
    WITH stored AS (
        INSERT INTO log (match, number, at, body)
        SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[])
        ON CONFLICT DO NOTHING RETURNING match, number
    )
    SELECT match, number, pg_notify($5, $6 || ' ' || match || told) FROM stored
    JOIN (
        SELECT match, number,
            CASE WHEN octet_length(body) > 7000 THEN '' ELSE ' ' || number || ' ' || at || ' ' || body END
        FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) AS sent (match, number, at, body)
    ) AS news (match, number, told) USING (match, number)
"""
"""Insert, and notify the other processes; short entries are sent along, so that nobody has to read them."""


async def open_postgresql(address: str, beside: bool = False) -> "PostgresStore":
    """Connect, and bring the database up to date (`beside` a server that may run: only connect)."""
    try:
        pool = await asyncpg.create_pool(address, min_size=2, max_size=8, command_timeout=30)
    except KeyError as error:  # the driver asks the system for a name, and a container may know none for its user
        raise BadOption("the address of the database names no user, and this user id has no name") from error
    except (*_BROKEN, ValueError) as error:
        raise BadOption(f"cannot connect to the database: {error}") from error
    store = PostgresStore(address, pool)
    if beside:
        return store
    try:
        async with pool.acquire() as db, db.transaction():
            await db.execute("SELECT pg_advisory_xact_lock($1)", _MIGRATING)
            await db.execute("CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, digest TEXT NOT NULL)")
            done = {row[0]: row[1] for row in await db.fetch("SELECT number, digest FROM migrations ORDER BY number")}
            for number, digest, text in missing_migrations(done):
                for statement in statements(text):
                    await db.execute(statement)
                await db.execute("INSERT INTO migrations VALUES ($1, $2)", number, digest)
    except BaseException:
        await store.close()
        raise
    return store


class PostgresStore:
    """See the module."""

    shared = True

    def __init__(self, address: str, pool: "asyncpg.Pool[Any]") -> None:
        self._address = address
        self._pool = pool
        self._name = secrets.token_hex(4)
        self._waiting: list[tuple[Append, asyncio.Future[bool]]] = []
        self._wake = asyncio.Event()
        self._tasks = [asyncio.create_task(self._write(), name="store")]
        self._closing = False

    async def close(self) -> None:
        """Finish what waits, and close."""
        self._closing = True
        self._wake.set()
        await self._tasks[0]
        for task in self._tasks[1:]:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self._pool.close()

    def append(self, entry: Append) -> "asyncio.Future[bool]":
        """Store an entry; False when its number is taken."""
        if self._closing:
            raise StoreError("the store is closed")
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, future))
        self._wake.set()
        return future

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch, self._waiting = self._waiting[:1000], self._waiting[1000:]
            if not batch:
                if self._closing:
                    return
                continue
            if self._waiting or self._closing:
                self._wake.set()
            # In the order of keys: two processes that want the same ones must not wait for each other in a circle.
            batch.sort(key=lambda one: one[0][:2])
            await self._store(batch)

    async def _store(self, batch: list[tuple[Append, "asyncio.Future[bool]"]]) -> None:
        """Store what can be stored of a batch, and answer its callers."""
        began = time.perf_counter()
        try:
            stored = await self._commit([entry for entry, _ in batch])
        except asyncpg.IntegrityConstraintViolationError as error:  # the match of one of them was deleted
            if len(batch) > 1:
                for one in batch:
                    await self._store([one])
                return
            log.warning("store", extra={"match": batch[0][0].match, "error": str(error)})
            resolve([(batch[0][1], StoreError("the database refused"))])
            return
        except _BROKEN as error:
            log.error("store", extra={"error": str(error)})
            resolve((future, StoreError("the database cannot be used now")) for _, future in batch)
            return
        COMMIT_SECONDS.observe(time.perf_counter() - began)
        COMMIT_ENTRIES.observe(len(stored))
        resolve((future, entry in stored) for entry, future in batch)

    async def _commit(self, batch: list[Append]) -> set[Append]:
        """Store what can be stored of a batch; returns that."""
        # If a number comes twice (the first caller gave up, but its entry is stored), only the first counts.
        first = {entry[:2]: entry for entry in reversed(batch)}
        batch = list(first.values())[::-1]
        rows = ([e.match for e in batch], [e.number for e in batch], [e.at for e in batch], [e.body for e in batch])
        async with self._pool.acquire() as db:
            if not any(entry.change for entry in batch):  # a single statement is a transaction of its own
                return {first[row[0], row[1]] for row in await db.fetch(_INSERT, *rows, CHANNEL, self._name)}
            async with db.transaction():
                stored = {first[row[0], row[1]] for row in await db.fetch(_INSERT, *rows, CHANNEL, self._name)}
                for entry in batch:
                    if entry.change is not None and entry in stored:
                        await _change(db, entry)
        return stored

    async def durable(self) -> dict[str, str]:
        """The settings that PostgreSQL reports."""
        names = ("fsync", "synchronous_commit", "full_page_writes")
        return {name: await self._value(f"SHOW {name}") for name in names}

    async def _value(self, query: str, *values: Any) -> Any:
        rows = await self._rows(query, *values)
        return rows[0][0] if rows else None

    async def _rows(self, query: str, *values: Any) -> list[Any]:
        try:
            return await self._pool.fetch(query, *values)
        except _BROKEN as error:
            log.error("store", extra={"error": str(error)})
            raise StoreError("the database cannot be used now") from error

    async def add_person(self, person: str, token: str, name: str, at: int) -> None:
        """A new person, with the hash of the token."""
        await self._rows("INSERT INTO people VALUES ($1, $2, $3, $4)", person, token, name, at)

    async def person_of(self, token: str) -> PersonRow | None:
        """The person whose token has this hash."""
        rows = await self._rows("SELECT id, name FROM people WHERE token = $1", token)
        return PersonRow(*rows[0]) if rows else None

    async def rename(self, person: str, name: str) -> None:
        """Change the name of a person."""
        await self._rows("UPDATE people SET name = $2 WHERE id = $1", person, name)

    async def add_match(self, row: MatchRow) -> None:
        """A new match."""
        marks = ", ".join(f"${i}" for i in range(1, len(row) + 1))
        await self._rows(f"INSERT INTO matches ({_COLUMNS}) VALUES ({marks})", *row)

    async def match(self, match: str) -> MatchRow | None:
        """The row of a match."""
        found = await self._matches("id = $1", match, most=1)
        return found[0] if found else None

    async def entries(self, match: str, after: int) -> list[LogRow]:
        """The log after this number."""
        query = "SELECT number, at, body FROM log WHERE match = $1 AND number > $2 ORDER BY number"
        return [LogRow(*row) for row in await self._rows(query, match, after)]

    async def listed(self, before: int, most: int) -> list[MatchRow]:
        """Public matches that wait for players or are being played, newest first."""
        return await self._matches("listed = 1 AND status <> 'over' AND created < $1", before, most=most)

    async def matches_of(self, person: str, before: int, most: int) -> list[MatchRow]:
        """Matches that this person made or holds a seat in, newest first."""
        own = "(creator = $1 OR id IN (SELECT match FROM seats WHERE person = $1)) AND created < $2"
        return await self._matches(own, person, before, most=most)

    async def _matches(self, where: str, *values: Any, most: int) -> list[MatchRow]:
        query = f"SELECT {_COLUMNS} FROM matches WHERE {where} ORDER BY created DESC, id LIMIT {most}"
        return [MatchRow(*row) for row in await self._rows(query, *values)]

    async def due(self, before: int, most: int) -> list[tuple[str, int]]:
        """Matches where the house should have acted, and when."""
        rows = await self._rows("SELECT id, due FROM matches WHERE due < $1 ORDER BY due LIMIT $2", before, most)
        return [(row[0], row[1]) for row in rows]

    async def claim(self, match: str, due: int, until: int | None) -> bool:
        """Take over such a match until then; False when another process has."""
        query = "UPDATE matches SET due = $3 WHERE id = $1 AND due = $2 RETURNING id"
        return bool(await self._rows(query, match, due, until))

    async def idle(self, since: int, most: int) -> list[str]:
        """Matches that are not over and in which nothing has happened since."""
        idle = "status <> 'over' AND changed < $1 AND NOT EXISTS (SELECT 1 FROM log WHERE match = id AND at >= $1)"
        return [row[0] for row in await self._rows(f"SELECT id FROM matches WHERE {idle} LIMIT $2", since, most)]

    async def status(self) -> dict[str, int]:
        """How many matches there are of each status."""
        rows = await self._rows("SELECT status, count(*) FROM matches GROUP BY status")
        return {row[0]: row[1] for row in rows}

    async def audit(self, after: int, most: int) -> list[AuditRow]:
        """What operators did after this number."""
        query = "SELECT number, at, who, what, about, why FROM audit WHERE number > $1 ORDER BY number LIMIT $2"
        return [AuditRow(*row) for row in await self._rows(query, after, most)]

    async def audited(self) -> int:
        """The number of the last thing that an operator did; 0: nothing yet."""
        return int(await self._value("SELECT coalesce(max(number), 0) FROM audit"))

    async def banned(self) -> set[str]:
        """The people who may not play here."""
        return {row[0] for row in await self._rows("SELECT person FROM bans")}

    async def listen(self, listener: Listener) -> None:
        """Report changes by other processes."""
        self._tasks.append(asyncio.create_task(self._listen(listener), name="listen"))

    async def _listen(self, listener: Listener) -> None:
        """Keep a connection that listens; after it broke, everything may have been missed."""

        def heard(_connection: Any, _pid: int, _channel: str, payload: object) -> None:
            process, match, *entry = str(payload).split(" ", 4)
            if process != self._name:
                listener(match, LogRow(int(entry[0]), int(entry[1]), entry[2]) if entry else None)

        while True:
            db = None
            try:
                db = await asyncpg.connect(self._address)
                broken = asyncio.Event()
                db.add_termination_listener(lambda _connection, broken=broken: broken.set())
                await db.add_listener(CHANNEL, heard)
                listener(None, None)
                await broken.wait()
            except _BROKEN as error:
                log.error("listen", extra={"error": str(error)})
            finally:
                if db is not None:
                    with contextlib.suppress(*_BROKEN):
                        await db.close(timeout=1)
            await asyncio.sleep(0.5)


async def _change(db: Any, entry: Append) -> None:
    assert entry.change is not None
    status, due, seats = entry.change
    query = "UPDATE matches SET status = $2, due = $3, changed = $4 WHERE id = $1"
    await db.execute(query, entry.match, status, due, entry.at)
    for seat, person in seats:
        await db.execute("DELETE FROM seats WHERE match = $1 AND seat = $2", entry.match, seat)
        if person is not None:
            await db.execute("INSERT INTO seats VALUES ($1, $2, $3)", entry.match, seat, person)
