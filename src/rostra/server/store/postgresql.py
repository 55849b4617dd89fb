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
from collections.abc import Callable
from typing import Any

import asyncpg

from rostra.engine.game import BadOption
from rostra.server.metrics import COMMIT_ENTRIES, COMMIT_SECONDS
from rostra.server.store import (
    CALL,
    MADE,
    Answer,
    Append,
    AuditRow,
    Change,
    Listener,
    LogRow,
    MatchRow,
    PersonRow,
    SeatRow,
    Statements,
    StoreError,
    call_values,
    log,
    missing_migrations,
    resolve,
    rounds,
    statements,
)
from rostra.server.store.lists import CHANGE, SUM, UNSUMMED, Found, Query, found, numbered, statement

CHANNEL = "rostra"
_MIGRATING = 0x526F73747261
_COLUMNS = ", ".join(MatchRow._fields)
_BROKEN = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError)
_HARMLESS = (asyncpg.IntegrityConstraintViolationError, asyncpg.DataError)
"""Refusals that leave a connection as it was."""
CONNECT, COMMAND, READY = 5.0, 10.0, 3.0
"""Seconds to connect, for a statement, and in which something can be stored where all is well."""
BEAT, ALIVE = 0.5, 4000
"""Seconds between two reports of a process, and milliseconds for which it is taken to be alive after one."""
FORGOTTEN = 24 * 3600 * 1000
_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_BEAT = f"""
    WITH before AS (SELECT until FROM servers WHERE name = $1)
    INSERT INTO servers VALUES ($1, {_NOW} + $2) ON CONFLICT (name) DO UPDATE SET until = excluded.until
    RETURNING {_NOW}, (SELECT until FROM before), pg_notify($3, $1 || ' ')
"""
_NOBODY = f"(keeper IS NULL OR NOT EXISTS (SELECT 1 FROM servers WHERE name = keeper AND until > {_NOW}))"
"""No process that is alive acts for the match."""
_SEATS = """
    INSERT INTO seats (match, seat, person, name, created, listed, done, awaited)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[],
        $8::bigint[])
    ON CONFLICT (match, seat) DO UPDATE SET person = excluded.person, name = excluded.name,
        created = excluded.created, listed = excluded.listed, done = excluded.done, awaited = excluded.awaited
"""
_CHANGE = f"""
    WITH news (match, number, at, status, due, turn, seated, result) AS (
        SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[],
            $7::text[], $8::text[])
    ) {CHANGE}
"""
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
        pool = await asyncpg.create_pool(address, min_size=2, max_size=8, command_timeout=COMMAND, timeout=CONNECT)
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
        async with pool.acquire() as db:
            await db.execute(f"DELETE FROM servers WHERE until < {_NOW} - $1::bigint", FORGOTTEN)
            await store.beat(db)
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
        self._db: asyncpg.Connection[Any] | None = None
        """The connection that stores entries; None: to be made."""
        self._waiting: list[tuple[Append, asyncio.Future[bool]]] = []
        self._probes: list[asyncio.Future[None]] = []
        """Callers that want to know whether anything can be stored."""
        self._wake = asyncio.Event()
        self._kept: set[str] = set()
        """Matches that this process acts for."""
        self._beaten = 0.0
        """When it last reported that it is alive, by the monotonic clock."""
        self._ahead = 0.0
        """Milliseconds from the monotonic clock to that of the database."""
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
        with contextlib.suppress(StoreError):  # others need not wait until it is taken to be dead
            await self._rows("DELETE FROM servers WHERE name = $1", self._name)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._pool.close(), CONNECT)

    def append(self, entry: Append) -> "asyncio.Future[bool]":
        """Store an entry; False when its number is taken."""
        if self._closing:
            raise StoreError("the store is closed")
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, future))
        self._wake.set()
        return future

    async def ready(self) -> None:
        """Return when something was stored, by the same connection as entries."""
        if self._closing:
            raise StoreError("the store is closed")
        probe: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._probes.append(probe)
        self._wake.set()
        try:
            await asyncio.wait_for(probe, READY)
        except TimeoutError as error:
            raise StoreError(f"nothing could be stored for {READY:g} seconds") from error

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch, self._waiting = self._waiting[:1000], self._waiting[1000:]
            probes, self._probes = self._probes, []
            if not batch and not probes:
                if self._closing:
                    if self._db is not None:
                        with contextlib.suppress(Exception):
                            await self._db.close(timeout=CONNECT)
                    return
                continue
            if self._waiting or self._closing:
                self._wake.set()
            # In the order of keys: two processes that want the same ones must not wait for each other in a circle.
            batch.sort(key=lambda one: one[0][:2])
            await self._store(batch, probes)

    async def _store(
        self, batch: list[tuple[Append, "asyncio.Future[bool]"]], probes: "list[asyncio.Future[None]]"
    ) -> None:
        """Store what can be stored of a batch, and answer its callers; nothing that happens here may end the task."""
        began = time.perf_counter()
        try:
            stored = await self._commit([entry for entry, _ in batch], bool(probes))
        except asyncpg.IntegrityConstraintViolationError as error:  # the match of one of them was deleted
            if len(batch) > 1:
                for one in batch:
                    await self._store([one], [])
                resolve((probe, None) for probe in probes)
                return
            problem = StoreError("the database refused: the match or the person is gone")
            log.warning("store", extra={"match": batch[0][0].match, "error": str(error)})
        except Exception as error:
            self._throw_away()
            problem = StoreError("the database cannot be used now")
            log.error("store", extra={"error": str(error) or type(error).__name__})
        else:
            COMMIT_SECONDS.observe(time.perf_counter() - began)
            COMMIT_ENTRIES.observe(len(stored))
            resolve((future, entry in stored) for entry, future in batch)
            resolve((probe, None) for probe in probes)
            return
        resolve((future, problem) for _, future in batch)
        resolve((probe, problem) for probe in probes)

    def _throw_away(self) -> None:
        """End the connection that stores, whatever state it is in; the next batch makes a new one."""
        db, self._db = self._db, None
        if db is not None:
            with contextlib.suppress(Exception):
                db.terminate()

    async def _commit(self, batch: list[Append], probe: bool) -> set[Append]:
        """Store what can be stored of a batch; returns that."""
        if self._db is None or self._db.is_closed():
            self._throw_away()
            self._db = await asyncpg.connect(self._address, timeout=CONNECT, command_timeout=COMMAND)
        db = self._db
        # If a number comes twice (the first caller gave up, but its entry is stored), only the first counts.
        first = {entry[:2]: entry for entry in reversed(batch)}
        batch = list(first.values())[::-1]
        rows = ([e.match for e in batch], [e.number for e in batch], [e.at for e in batch], [e.body for e in batch])
        async with db.transaction():
            stored: set[Append] = set()
            if probe:
                await db.execute("INSERT INTO servers VALUES ('', 0) ON CONFLICT (name) DO UPDATE SET until = 0")
            if batch:
                stored = {first[row[0], row[1]] for row in await db.fetch(_INSERT, *rows, CHANNEL, self._name)}
            for part in rounds(list(stored)):
                await _change(db, part)
            for entry in stored:
                if entry.calls:
                    await db.executemany(numbered(CALL), call_values(entry))
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
            async with self._pool.acquire(timeout=CONNECT) as db:
                try:
                    return await db.fetch(query, *values)
                except _HARMLESS:
                    raise
                except BaseException:
                    db.terminate()  # the pool makes a new one
                    raise
        except Exception as error:
            log.error("store", extra={"error": str(error) or type(error).__name__})
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

    async def transact(self, work: Callable[[], Statements[Answer]]) -> Answer:
        """Carry out statements, all or none."""
        refused: Exception | None = None
        try:
            async with self._pool.acquire(timeout=CONNECT) as db, db.transaction():
                statements, rows = work(), None
                while True:
                    try:
                        query, values = statements.send(rows)  # type: ignore[arg-type]  # None begins it
                    except StopIteration as end:
                        answer: Answer = end.value
                        return answer
                    except Exception as error:
                        refused = error
                        raise
                    rows = await db.fetch(numbered(query), *values)
        except Exception as error:  # the driver has errors of its own when the database is killed
            if error is refused:
                raise
            log.error("store", extra={"error": str(error) or type(error).__name__})
            raise StoreError("the database cannot be used now") from error

    async def rows(self, query: str, *values: Any) -> list[Any]:
        """Carry out one statement."""
        return await self._rows(numbered(query), *values)

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

    async def listed(self, query: Query) -> list[Found]:
        """A page of a list of matches."""
        text, values = statement(query)
        return [found(tuple(row)) for row in await self._rows(numbered(text), *values)]

    async def _matches(self, where: str, *values: Any, most: int) -> list[MatchRow]:
        query = f"SELECT {_COLUMNS} FROM matches WHERE {where} ORDER BY created DESC, id LIMIT {most}"
        return [MatchRow(*row) for row in await self._rows(query, *values)]

    async def made_by(self, person: str) -> tuple[int, int]:
        """How many matches of this person are not over, and in how many of those only bots play."""
        (row,) = await self._rows(f"{MADE}$1", person)
        return int(row[0]), int(row[1])

    async def unsummed(self, after: str, most: int) -> tuple[list[str], str | None]:
        """Matches whose columns for lists do not account for all entries."""
        rows = await self._rows(numbered(UNSUMMED), after, most)
        return [row[0] for row in rows if row[1]], rows[-1][0] if len(rows) == most else None

    async def sum(self, match: str, number: int, at: int, change: Change, trouble: str | None) -> None:
        """Write what lists need of a match as of this entry, unless a later entry has."""
        values = (change.turn, change.seated, change.result, number, at, trouble, match, number)
        try:
            async with self._pool.acquire(timeout=CONNECT) as db, db.transaction():
                if await db.execute(numbered(SUM), *values) == "UPDATE 1":
                    await db.execute("DELETE FROM seats WHERE match = $1", match)
                    await _seats(db, [(match, row) for row in change.seats])
        except Exception as error:
            raise StoreError("the database cannot be used now") from error

    def _alive(self) -> bool:
        """Whether others take this process to be alive."""
        return time.monotonic() - self._beaten < ALIVE / 1000

    async def claim(self, match: str) -> bool:
        """Whether this process acts for the bots and clocks of a match from now on."""
        if not self._alive():
            raise StoreError("this process cannot report that it is alive")
        if match not in self._kept:
            query = f"UPDATE matches SET keeper = $2 WHERE id = $1 AND (keeper = $2 OR {_NOBODY}) RETURNING id"
            if not await self._rows(query, match, self._name):
                return False
            self._kept.add(match)
        return True

    async def claim_due(self, before: int, most: int) -> list[str]:
        """Take over matches where something has been due and for which no process that is alive acts."""
        if not self._alive():
            return []
        due = f"due <= $1 AND keeper IS DISTINCT FROM $2 AND {_NOBODY}"
        chosen = f"SELECT id FROM matches WHERE {due} ORDER BY due LIMIT $3 FOR UPDATE SKIP LOCKED"
        query = f"UPDATE matches SET keeper = $2 WHERE id IN ({chosen}) RETURNING id"
        taken = [row[0] for row in await self._rows(query, before, self._name, most)]
        self._kept.update(taken)
        return taken

    async def give_up(self, match: str, due: int | None) -> None:
        """Act for a match no more; some process is to look at it then."""
        self._kept.discard(match)
        query = "UPDATE matches SET keeper = NULL, due = $3 WHERE id = $1 AND keeper = $2"
        await self._rows(query, match, self._name, due)

    def kept(self) -> set[str]:
        """The matches that this process acts for."""
        return self._kept

    def now(self) -> int:
        """Milliseconds since 1970 by the clock of the database, the same for all processes."""
        return int(time.monotonic() * 1000 + self._ahead)

    async def beat(self, db: Any) -> None:
        """Report that this process is alive, and set its clock."""
        sent, now, until = await self._report(db)
        if self._beaten and (sent - self._beaten > ALIVE / 1000 or until is None or until < now):
            # Others may have taken over what this process kept: it begins anew, under another name.
            self._kept.clear()
            self._name = secrets.token_hex(4)
            sent, _, _ = await self._report(db)
        self._beaten = sent

    async def _report(self, db: Any) -> tuple[float, int, int | None]:
        """When the report was sent, the time of the database, and until when the report before it was valid."""
        sent = time.monotonic()
        ((now, until, _),) = await db.fetch(_BEAT, self._name, ALIVE, CHANNEL)
        answered = time.monotonic()
        if answered - sent < 0.2 or not self._beaten:  # a slow answer says little about the time
            self._ahead = now - (sent + answered) * 500
        return sent, now, until

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

        own = asyncio.Event()

        def heard(_connection: Any, _pid: int, _channel: str, payload: object) -> None:
            process, match, *entry = str(payload).split(" ", 4)
            if process == self._name:
                own.set()
            elif match:
                listener(match, LogRow(int(entry[0]), int(entry[1]), entry[2]) if entry else None)

        while True:
            db = None
            try:
                db = await asyncpg.connect(self._address, timeout=CONNECT, command_timeout=COMMAND)
                await db.add_listener(CHANNEL, heard)
                listener(None, None)
                while True:
                    own.clear()
                    async with asyncio.timeout(ALIVE / 1000):
                        await self.beat(db)
                        await own.wait()
                    await asyncio.sleep(BEAT)
            except Exception as error:
                log.error("listen", extra={"error": str(error) or type(error).__name__})
            finally:
                if db is not None:
                    with contextlib.suppress(Exception):
                        db.terminate()
            await asyncio.sleep(BEAT)


async def _change(db: Any, batch: list[Append]) -> None:
    """What entries of different matches change."""
    rows = [(entry.match, entry.number, entry.at, *entry.change[:5]) for entry in batch if entry.change is not None]
    await db.execute(_CHANGE, *map(list, zip(*rows, strict=True)))
    seats = [(entry.match, seat) for entry in batch if entry.change is not None for seat in entry.change.seats]
    gone = [(match, seat.seat) for match, seat in seats if seat.person is None]
    if gone:
        await db.executemany("DELETE FROM seats WHERE match = $1 AND seat = $2", gone)
    await _seats(db, seats)


async def _seats(db: Any, seats: list[tuple[str, SeatRow]]) -> None:
    """Write who holds seats."""
    held = [(match, *seat) for match, seat in seats if seat.person is not None]
    if held:
        await db.execute(_SEATS, *map(list, zip(*held, strict=True)))
