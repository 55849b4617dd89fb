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
    Append,
    AuditRow,
    Listener,
    LogRow,
    MatchRow,
    PersonRow,
    StoreError,
    missing_migrations,
    resolve,
    statements,
)

Answer = TypeVar("Answer")
_COLUMNS = ", ".join(MatchRow._fields)
MANY, GATHER = 8, 0.003
"""After a transaction of this many jobs the next one waits this many seconds for more: a commit costs as much as ten
entries."""
ROWS = 32
"""Most entries in one statement, so that there are few different statements to prepare."""
_PUBLIC = "listed = 1 AND status <> 'over' AND created < ?"
_IDLE = "status <> 'over' AND changed < ? AND NOT EXISTS (SELECT 1 FROM log WHERE match = id AND at >= ?)"
_OWN = "(creator = ? OR id IN (SELECT match FROM seats WHERE person = ?)) AND created < ?"


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
        for statement in statements(text.replace("-- sqlite: ", "")):
            db.execute(statement)
        db.execute("INSERT INTO migrations VALUES (?, ?)", (number, digest))


class SqliteStore:
    """See the module."""

    shared = False

    def __init__(self, path: Path, lock: FileLock | None) -> None:
        self._path = path
        self._lock = lock
        self._loop = asyncio.get_running_loop()
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

    async def listed(self, before: int, most: int) -> list[MatchRow]:
        """Public matches that wait for players or are being played, newest first."""
        return await self._matches(_PUBLIC, (before,), most)

    async def matches_of(self, person: str, before: int, most: int) -> list[MatchRow]:
        """Matches that this person made or holds a seat in, newest first."""
        return await self._matches(_OWN, (person, person, before), most)

    async def _matches(self, where: str, values: tuple[Any, ...], most: int) -> list[MatchRow]:
        query = f"SELECT {_COLUMNS} FROM matches WHERE {where} ORDER BY created DESC, id LIMIT {most}"
        return await self.run(lambda db: [MatchRow(*row) for row in db.execute(query, values)])

    async def due(self, before: int, most: int) -> list[tuple[str, int]]:
        """Matches where the house should have acted, and when."""
        query = "SELECT id, due FROM matches WHERE due < ? ORDER BY due LIMIT ?"
        return await self.run(lambda db: db.execute(query, (before, most)).fetchall())

    async def claim(self, match: str, due: int, until: int | None) -> bool:
        """Take over such a match until then; False when another process has."""
        query = "UPDATE matches SET due = ? WHERE id = ? AND due = ?"
        return await self.run(lambda db: db.execute(query, (until, match, due)).rowcount == 1)

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


def _append(db: sqlite3.Connection, batch: list[Append]) -> bool:
    """Insert entries; whether they are stored now: all are, or it was one whose number was taken."""
    for first in range(0, len(batch), ROWS):
        part = batch[first : first + ROWS]
        insert = f"INSERT INTO log VALUES {', '.join(['(?, ?, ?, ?)'] * len(part))} ON CONFLICT DO NOTHING"
        if db.execute(insert, [value for entry in part for value in entry[:4]]).rowcount < len(part):
            if len(batch) > 1:
                raise _SomeTaken
            return False
    for match, _, at, _, change in batch:
        if change is not None:
            query = "UPDATE matches SET status = ?, due = ?, changed = ? WHERE id = ?"
            db.execute(query, (change.status, change.due, at, match))
            for seat, person in change.seats:
                db.execute("DELETE FROM seats WHERE match = ? AND seat = ?", (match, seat))
                if person is not None:
                    db.execute("INSERT INTO seats VALUES (?, ?, ?)", (match, seat, person))
    return True
