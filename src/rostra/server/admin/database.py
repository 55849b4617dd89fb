"""An operator's own connection to a database: plain SQL that both understand, what the tables are, and the audit log.

It opens what is there and nothing else: it neither makes nor migrates a database. SQLite itself keeps it apart from a
server that writes at the same time, as PostgreSQL does.
"""

import contextlib
import getpass
import itertools
import os
import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Protocol

from rostra.engine.game import BadOption, RostraError
from rostra.extras import need
from rostra.server.live import now_ms
from rostra.server.store import Statements, missing_migrations

BUSY_SECONDS = 30
"""How long to wait for others who write."""
MANY = 1000
"""Rows that are fetched at once."""
Row = tuple[Any, ...]


class Trouble(RostraError):
    """An operator's command that cannot be carried out."""


class Links(Protocol):
    """What differs between the databases."""

    async def rows(self, query: str, *values: Any) -> list[Row]:
        """All rows of a query, whose values are marked by `?`."""

    def stream(self, query: str) -> AsyncIterator[Row]:
        """The rows of a query, a few at a time; inside a transaction."""

    def transaction(self, write: bool) -> contextlib.AbstractAsyncContextManager[None]:
        """All or nothing; or, to read, one moment."""

    async def tables(self) -> dict[str, list[str]]:
        """The tables and their columns, in order."""

    async def references(self) -> list[tuple[str, str, str]]:
        """Which column of which table refers to which other table."""

    async def many(self, query: str, rows: list[Row]) -> None:
        """The same statement for many rows."""

    async def close(self) -> None:
        """Let go."""


class SqliteLinks:
    """See `Links`."""

    def __init__(self, file: str) -> None:
        self._db = sqlite3.connect(file, isolation_level=None, timeout=BUSY_SECONDS)
        for pragma in ("synchronous = FULL", "foreign_keys = ON"):
            self._db.execute(f"PRAGMA {pragma}")

    async def rows(self, query: str, *values: Any) -> list[Row]:
        """All rows of a query."""
        return self._db.execute(query, values).fetchall()

    async def stream(self, query: str) -> AsyncIterator[Row]:
        """The rows of a query."""
        for row in self._db.execute(query):
            yield row

    @contextlib.asynccontextmanager
    async def transaction(self, write: bool) -> AsyncIterator[None]:
        """All or nothing; or, to read, one moment."""
        self._db.execute("BEGIN IMMEDIATE" if write else "BEGIN")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise

    async def tables(self) -> dict[str, list[str]]:
        """The tables and their columns, in order."""
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        names = [row[0] for row in self._db.execute(query).fetchall()]
        return {name: [row[1] for row in self._db.execute(f"PRAGMA table_info({name})")] for name in names}

    async def references(self) -> list[tuple[str, str, str]]:
        """Which column of which table refers to which other table."""
        return [
            (table, row[3], row[2])
            for table in await self.tables()
            for row in self._db.execute(f"PRAGMA foreign_key_list({table})")
        ]

    async def many(self, query: str, rows: list[Row]) -> None:
        """The same statement for many rows."""
        self._db.executemany(query, rows)

    async def close(self) -> None:
        """Let go."""
        self._db.close()


class PostgresLinks:
    """See `Links`."""

    def __init__(self, db: Any) -> None:
        self._db = db

    async def rows(self, query: str, *values: Any) -> list[Row]:
        """All rows of a query."""
        return [tuple(row) for row in await self._db.fetch(_numbered(query), *values)]

    async def stream(self, query: str) -> AsyncIterator[Row]:
        """The rows of a query."""
        async for row in self._db.cursor(query, prefetch=MANY):
            yield tuple(row)

    @contextlib.asynccontextmanager
    async def transaction(self, write: bool) -> AsyncIterator[None]:
        """All or nothing; or, to read, one moment."""
        kind = {} if write else {"isolation": "repeatable_read", "readonly": True}
        async with self._db.transaction(**kind):
            yield

    async def tables(self) -> dict[str, list[str]]:
        """The tables and their columns, in order."""
        query = """SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables
            USING (table_schema, table_name) WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
            ORDER BY table_name, ordinal_position"""
        found: dict[str, list[str]] = {}
        for table, column in await self._db.fetch(query):
            found.setdefault(table, []).append(column)
        return found

    async def references(self) -> list[tuple[str, str, str]]:
        """Which column of which table refers to which other table."""
        query = """SELECT own.relname, attname, other.relname FROM pg_constraint
            JOIN pg_class own ON own.oid = conrelid JOIN pg_class other ON other.oid = confrelid
            JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY(conkey)
            WHERE contype = 'f' AND own.relnamespace = current_schema()::regnamespace ORDER BY 1, 2, 3"""
        return [(row[0], row[1], row[2]) for row in await self._db.fetch(query)]

    async def many(self, query: str, rows: list[Row]) -> None:
        """The same statement for many rows."""
        await self._db.executemany(_numbered(query), rows)

    async def close(self) -> None:
        """Let go."""
        await self._db.close()


def _numbered(query: str) -> str:
    """A query with `$1`, `$2` instead of `?`."""
    numbers = itertools.count(1)
    return re.sub(r"\?", lambda _: f"${next(numbers)}", query)


class Database:
    """See the module."""

    def __init__(self, address: str, links: Links, who: str) -> None:
        self.address = address
        self.links = links
        self.who = who
        self.rows = links.rows
        self.transaction = links.transaction

    async def one(self, query: str, *values: Any) -> Any:
        """The first value of the first row; None without one."""
        rows = await self.rows(query, *values)
        return rows[0][0] if rows else None

    async def carry_out(self, statements: Statements[None]) -> None:
        """Carry out statements, inside a transaction."""
        rows: Any = None
        while True:
            try:
                query, values = statements.send(rows)
            except StopIteration:
                return
            rows = await self.rows(query, *values)

    async def about(self, table: str, *also: str) -> list[tuple[str, str]]:
        """The tables and columns that refer to a table, and the columns with one of these names."""
        found = {(own, column) for own, column, other in await self.links.references() if other == table}
        tables = await self.links.tables()
        found |= {(own, column) for own, columns in tables.items() for column in columns if column in also}
        return sorted(found)

    async def note(self, what: str, about: str, why: str = "") -> None:
        """A line in the audit log, inside a transaction; they are committed in order, because servers follow them."""
        if isinstance(self.links, PostgresLinks):
            await self.rows("LOCK TABLE audit IN SHARE ROW EXCLUSIVE MODE")
        number = 1 + await self.one("SELECT coalesce(max(number), 0) FROM audit")
        row = (number, now_ms(), self.who, what, about, why)
        await self.rows("INSERT INTO audit (number, at, who, what, about, why) VALUES (?, ?, ?, ?, ?, ?)", *row)


@contextlib.asynccontextmanager
async def connected(address: str, who: str) -> AsyncIterator[Database]:
    """A database that is there and of this version; trouble with it is said in one line."""
    with _plain_words():
        links = await connect(address)
        try:
            tables = await links.tables()
            if "migrations" not in tables:
                raise BadOption("this database holds no matches of Rostra; name another with --database")
            done = {row[0]: row[1] for row in await links.rows("SELECT number, digest FROM migrations ORDER BY number")}
            if missing_migrations(done):
                raise BadOption(
                    "the database is of an earlier version; start `rostra serve` once to bring it up to date"
                )
            yield Database(address, links, who)
        finally:
            await links.close()


async def connect(address: str, new: bool = False) -> Links:
    """Connect to a database that is there, or (SQLite) to a new file."""
    if address.startswith("sqlite:"):
        file = address.removeprefix("sqlite:")
        if not new and not Path(file).is_file():
            raise BadOption(f"there is no database {file}; name one with --database or ROSTRA_DATABASE")
        return SqliteLinks(file)
    if not address.startswith(("postgresql://", "postgres://")):
        raise BadOption(f"a database is sqlite:FILE or postgresql://..., not {address.partition(':')[0]!r}")
    need("postgres", "the PostgreSQL driver")
    import asyncpg

    try:
        return PostgresLinks(await asyncpg.connect(address))
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError, ValueError) as error:
        raise BadOption(f"cannot connect to the database: {error}") from error
    except KeyError as error:  # the driver asks the system for a name, and a container may know none for its user
        raise BadOption("the address of the database names no user, and this user id has no name") from error


@contextlib.contextmanager
def _plain_words() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise Trouble(f"the database cannot be used: {error}") from error
    except Exception as error:
        if type(error).__module__.startswith("asyncpg"):
            raise Trouble(f"the database cannot be used: {error}") from error
        raise


def operator() -> str:
    """Who gives the command; a user id may have no name, as in some containers."""
    named = os.environ.get("SUDO_USER")
    try:
        return named or getpass.getuser()
    except (KeyError, OSError, ImportError):
        return f"uid {os.getuid()}" if hasattr(os, "getuid") else "unknown"
