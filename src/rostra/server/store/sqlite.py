"""Everything in one SQLite file, by one thread of one process.

All jobs in the thread's queue become one transaction, and callers get their answers after its commit; with WAL and
`synchronous=FULL` a commit has reached the disk. Many entries are one statement, because at every statement the thread
releases Python's lock and may wait long to get it back. A lock file ensures that only one server uses the database, so
there is nothing to listen to. Commands of an operator (`beside`) may write at the same time: SQLite itself lets one
wait for the other.
"""

import asyncio
import contextlib
import queue
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock, Timeout

from rostra.engine.game import BadOption
from rostra.server.metrics import COMMIT_ENTRIES, COMMIT_SECONDS
from rostra.server.store import (
    CALL,
    MADE,
    Append,
    AuditRow,
    Change,
    Listener,
    LogRow,
    MatchRow,
    PersonRow,
    Statements,
    StoreError,
    call_values,
    missing_migrations,
    resolve,
    rounds,
    statements,
)
from rostra.server.store.lists import CHANGE, SUM, UNSUMMED, Found, Query, found, statement

Answer = TypeVar("Answer")
_COLUMNS = ", ".join(MatchRow._fields)
MANY, GATHER = 8, 0.003
"""After a transaction of this many jobs the next one waits this many seconds for more: a commit costs as much as ten
entries."""
READY = 3.0
"""Seconds in which something can be stored where all is well."""
_SEAT = (
    "INSERT INTO seats (match, seat, person, name, created, listed, done, awaited) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (match, seat) DO UPDATE SET person = excluded.person, name = excluded.name,"
    " created = excluded.created, listed = excluded.listed, done = excluded.done, awaited = excluded.awaited"
)
ROWS = 32
"""Most entries in one statement, so that there are few different statements to prepare."""
_IDLE = "status <> 'over' AND changed < ? AND NOT EXISTS (SELECT 1 FROM log WHERE match = id AND at >= ?)"


_Job = tuple[Append | Callable[[sqlite3.Connection], Any], "asyncio.Future[Any]"]


class _SomeTaken(Exception):
    """The number of one of several entries was taken: each is tried alone."""


async def open_sqlite(file: str, beside: bool = False) -> "SqliteStore":
    """Open or make the database, and bring it up to date; `beside` a server that may run, neither."""
    path = Path(file)
    lock = None if beside else only_server(path)
    store = SqliteStore(path, lock)
    try:
        if not beside:
            await store.run(_migrate)
    except BaseException:
        await store.close()
        raise
    return store


def only_server(path: Path) -> FileLock:
    """Keep other servers away for as long as this lock is held."""
    lock = FileLock(path.with_name(path.name + ".lock"))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout as error:
        raise BadOption(f"another server uses {path}; several need --database postgresql://...") from error
    except OSError as error:
        raise BadOption(f"cannot use the database {path}: {error.strerror}") from error
    return lock


def _migrate(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, digest TEXT NOT NULL)")
    done = dict(db.execute("SELECT number, digest FROM migrations ORDER BY number").fetchall())
    for number, digest, text in missing_migrations(done):
        for one in statements(text.replace("-- sqlite: ", "")):
            db.execute(one)
        db.execute("INSERT INTO migrations VALUES (?, ?)", (number, digest))


class SqliteStore:
    """See the module."""

    shared = False

    def __init__(self, path: Path, lock: FileLock | None) -> None:
        self._path = path
        self._lock = lock
        self._loop = asyncio.get_running_loop()
        self._name = secrets.token_hex(4)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed: Exception | None = None
        """Why nothing can be stored any more."""
        self._worker = threading.Thread(target=self._work, name="store", daemon=True)
        self._worker.start()

    def run(self, job: Callable[[sqlite3.Connection], Answer]) -> "asyncio.Future[Answer]":
        """Do something in the store's thread, as part of the next transaction."""
        return self._put(job)

    def append(self, entry: Append) -> "asyncio.Future[bool]":
        """Store an entry; False when its number is taken."""
        return self._put(entry)

    def _put(self, job: Append | Callable[[sqlite3.Connection], Any]) -> "asyncio.Future[Any]":
        if self._closed is not None:
            raise self._closed
        future: asyncio.Future[Any] = self._loop.create_future()
        self._jobs.put((job, future))
        return future

    def _work(self) -> None:
        try:
            db = sqlite3.connect(self._path, isolation_level=None)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
            # Matches in play and rollback data stay in memory, and the WAL grows to 4,000 pages before a checkpoint.
            db.execute("PRAGMA cache_size = -16000")
            db.execute("PRAGMA temp_store = MEMORY")
            db.execute("PRAGMA wal_autocheckpoint = 4000")
        except sqlite3.Error as error:
            self._refuse(BadOption(f"cannot use the database {self._path}: {error}"))
            return
        batch: list[_Job | None] = []  # None: close
        while batch[-1:] != [None]:
            gather = len(batch) >= MANY
            batch = [self._jobs.get()]
            if gather and batch[0] is not None:
                time.sleep(GATHER)
            while batch[-1] is not None and len(batch) < 1000 and not self._jobs.empty():
                batch.append(self._jobs.get())
            self._commit(db, [job for job in batch if job is not None])
        db.close()
        self._refuse(StoreError("the store is closed"))

    def _commit(self, db: sqlite3.Connection, batch: list[_Job]) -> None:
        try:
            began = time.perf_counter()
            db.execute("BEGIN IMMEDIATE")
            appends = [job for job, _ in batch if isinstance(job, Append)]
            stored = _append(db, appends)
            answers = [(future, stored if isinstance(job, Append) else job(db)) for job, future in batch]
            db.execute("COMMIT")
            if appends:
                COMMIT_SECONDS.observe(time.perf_counter() - began)
                COMMIT_ENTRIES.observe(len(appends) if stored else 0)
        except Exception as error:
            with contextlib.suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            if len(batch) > 1:  # one job is wrong: each is tried alone
                for one in batch:
                    self._commit(db, [one])
                return
            answer = StoreError(f"the database refused: {error}") if isinstance(error, sqlite3.Error) else error
            answers = [(batch[0][1], answer)]
        self._answer(answers)

    def _answer(self, answers: list[tuple["asyncio.Future[Any]", Any]]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may be closed by now
            self._loop.call_soon_threadsafe(resolve, answers)

    def _refuse(self, error: Exception) -> None:
        """Fail all waiting jobs, and all later ones."""
        self._closed = error
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get(timeout=0.2) if isinstance(error, BadOption) else self._jobs.get_nowait()
                if job is not None:
                    self._answer([(job[1], error)])

    async def close(self) -> None:
        """Finish what waits, and close."""
        self._jobs.put(None)
        await asyncio.to_thread(self._worker.join)
        if self._lock is not None:
            self._lock.release()

    async def durable(self) -> dict[str, str]:
        """The settings that SQLite reports."""
        names = ("journal_mode", "synchronous")
        return await self.run(lambda db: {name: str(db.execute(f"PRAGMA {name}").fetchone()[0]) for name in names})

    async def add_person(self, person: str, token: str, name: str, at: int) -> None:
        """A new person, with the hash of the token."""
        await self.run(lambda db: db.execute("INSERT INTO people VALUES (?, ?, ?, ?)", (person, token, name, at)))

    async def person_of(self, token: str) -> PersonRow | None:
        """The person whose token has this hash."""
        found = await self.run(
            lambda db: db.execute("SELECT id, name FROM people WHERE token = ?", (token,)).fetchone()
        )
        return PersonRow(*found) if found else None

    async def rename(self, person: str, name: str) -> None:
        """Change the name of a person."""
        await self.run(lambda db: db.execute("UPDATE people SET name = ? WHERE id = ?", (name, person)))

    async def transact(self, work: Callable[[], Statements[Answer]]) -> Answer:
        """Carry out statements, all or none."""
        return await self.run(lambda db: _carry_out(db, work()))

    async def rows(self, query: str, *values: Any) -> list[Any]:
        """Carry out one statement."""
        return await self.run(lambda db: db.execute(query, values).fetchall())

    async def add_match(self, row: MatchRow) -> None:
        """A new match."""
        marks = ", ".join("?" * len(row))
        await self.run(lambda db: db.execute(f"INSERT INTO matches ({_COLUMNS}) VALUES ({marks})", row))

    async def match(self, match: str) -> MatchRow | None:
        """The row of a match."""
        found = await self._matches("id = ?", (match,), 1)
        return found[0] if found else None

    async def entries(self, match: str, after: int) -> list[LogRow]:
        """The log after this number."""
        query = "SELECT number, at, body FROM log WHERE match = ? AND number > ? ORDER BY number"
        return await self.run(lambda db: [LogRow(*row) for row in db.execute(query, (match, after))])

    async def listed(self, query: Query) -> list[Found]:
        """A page of a list of matches."""
        text, values = statement(query)
        return await self.run(lambda db: [found(row) for row in db.execute(text, values)])

    async def _matches(self, where: str, values: tuple[Any, ...], most: int) -> list[MatchRow]:
        query = f"SELECT {_COLUMNS} FROM matches WHERE {where} ORDER BY created DESC, id LIMIT {most}"
        return await self.run(lambda db: [MatchRow(*row) for row in db.execute(query, values)])

    async def made_by(self, person: str) -> tuple[int, int]:
        """How many matches of this person are not over, and in how many of those only bots play."""
        return await self.run(lambda db: db.execute(f"{MADE}?", (person,)).fetchone())

    async def unsummed(self, after: str, most: int) -> tuple[list[str], str | None]:
        """Matches whose columns for lists do not account for all entries."""
        rows = await self.run(lambda db: db.execute(UNSUMMED, (after, most)).fetchall())
        return [row[0] for row in rows if row[1]], rows[-1][0] if len(rows) == most else None

    async def sum(self, match: str, number: int, at: int, change: Change, trouble: str | None) -> None:
        """Write what lists need of a match as of this entry, unless a later entry has."""

        def write(db: sqlite3.Connection) -> None:
            values = (change.turn, change.seated, change.result, number, at, trouble, match, number)
            if db.execute(SUM, values).rowcount == 1:
                db.execute("DELETE FROM seats WHERE match = ?", (match,))
                db.executemany(_SEAT, [(match, *row) for row in change.seats if row.person is not None])

        await self.run(write)

    async def claim(self, match: str) -> bool:
        """There is no other process."""
        return True

    async def claim_due(self, before: int, most: int) -> list[str]:
        """Take over matches of the processes before this one."""

        def take(db: sqlite3.Connection) -> list[str]:
            query = "SELECT id FROM matches WHERE due <= ? AND keeper IS NOT ? ORDER BY due LIMIT ?"
            taken: list[str] = [row[0] for row in db.execute(query, (before, self._name, most))]
            db.executemany("UPDATE matches SET keeper = ? WHERE id = ?", [(self._name, match) for match in taken])
            return taken

        return await self.run(take)

    async def give_up(self, match: str, due: int | None) -> None:
        """Act for a match no more; some process is to look at it then."""
        query = "UPDATE matches SET keeper = NULL, due = ? WHERE id = ?"
        await self.run(lambda db: db.execute(query, (due, match)))

    async def ready(self) -> None:
        """Return when something was stored."""
        query = "INSERT INTO servers VALUES ('', ?) ON CONFLICT (name) DO UPDATE SET until = excluded.until"
        try:
            async with asyncio.timeout(READY):
                await self.run(lambda db: db.execute(query, (self.now(),)))
        except TimeoutError as error:
            raise StoreError(f"nothing could be stored for {READY:g} seconds") from error

    def kept(self) -> set[str]:
        """Not needed: nobody else changes a match."""
        return set()

    def now(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    async def idle(self, since: int, most: int) -> list[str]:
        """Matches that are not over and in which nothing has happened since."""
        query = f"SELECT id FROM matches WHERE {_IDLE} LIMIT ?"
        return await self.run(lambda db: [row[0] for row in db.execute(query, (since, since, most))])

    async def status(self) -> dict[str, int]:
        """How many matches there are of each status."""
        return await self.run(lambda db: dict(db.execute("SELECT status, count(*) FROM matches GROUP BY status")))

    async def audit(self, after: int, most: int) -> list[AuditRow]:
        """What operators did after this number."""
        query = "SELECT number, at, who, what, about, why FROM audit WHERE number > ? ORDER BY number LIMIT ?"
        return await self.run(lambda db: [AuditRow(*row) for row in db.execute(query, (after, most))])

    async def audited(self) -> int:
        """The number of the last thing that an operator did; 0: nothing yet."""
        return await self.run(lambda db: int(db.execute("SELECT coalesce(max(number), 0) FROM audit").fetchone()[0]))

    async def banned(self) -> set[str]:
        """The people who may not play here."""
        return await self.run(lambda db: {row[0] for row in db.execute("SELECT person FROM bans")})

    async def listen(self, listener: Listener) -> None:
        """There is no other process."""


def _carry_out(db: sqlite3.Connection, work: Statements[Answer]) -> Answer:
    """Send each statement its rows."""
    rows = None
    while True:
        try:
            query, values = work.send(rows)  # type: ignore[arg-type]  # None begins it
        except StopIteration as end:
            answer: Answer = end.value
            return answer
        rows = db.execute(query, values).fetchall()


def _append(db: sqlite3.Connection, batch: list[Append]) -> bool:
    """Insert entries; whether they are stored now: all are, or it was one whose number was taken."""
    for first in range(0, len(batch), ROWS):
        part = batch[first : first + ROWS]
        insert = f"INSERT INTO log VALUES {', '.join(['(?, ?, ?, ?)'] * len(part))} ON CONFLICT DO NOTHING"
        if db.execute(insert, [value for entry in part for value in entry[:4]]).rowcount < len(part):
            if len(batch) > 1:
                raise _SomeTaken
            return False
    for part in rounds(batch):
        _change(db, part)
    for entry in batch:
        if entry.calls:
            db.executemany(CALL, call_values(entry))
    return True


def _change(db: sqlite3.Connection, batch: list[Append]) -> None:
    """What entries of different matches change, in few statements."""
    rows = []
    for entry in batch:
        assert entry.change is not None
        rows.append((entry.match, entry.number, entry.at, *entry.change[:5]))
        for seat in entry.change.seats:
            if seat.person is None:
                db.execute("DELETE FROM seats WHERE match = ? AND seat = ?", (entry.match, seat.seat))
            else:
                db.execute(_SEAT, (entry.match, *seat))
    for first in range(0, len(rows), ROWS):
        part = rows[first : first + ROWS]
        values = ", ".join(["(?, ?, ?, ?, ?, ?, ?, ?)"] * len(part))
        news = f"WITH news (match, number, at, status, due, turn, seated, result) AS (VALUES {values})"
        db.execute(f"{news} {CHANGE}", [value for row in part for value in row])
