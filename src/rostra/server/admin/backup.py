"""Backups: all tables in one file, the same for both databases, so one can move from SQLite to PostgreSQL and back.

The file is gzip of JSON lines: what it is, then each table and its rows, then an end with the number of rows and the
SHA-256 of all lines before. It is made in one moment of the database while servers go on, and checked as a whole before
anything is restored. It holds the seeds of running matches: whoever reads it can predict their dice.
"""

import base64
import contextlib
import gzip
import hashlib
import json
import os
import zlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from rostra import __version__
from rostra.engine.game import BadOption
from rostra.server.admin.database import MANY, Database, Links, Row, SqliteLinks, Trouble, connect, connected
from rostra.server.live import now_ms
from rostra.server.store import missing_migrations, open_store, statements
from rostra.server.store.sqlite import only_server

FORMAT = 1
Counts = dict[str, int]


class _Lines:
    """Writes lines and counts them up."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def add(self, line: Any) -> None:
        """One more line."""
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=_bytes).encode() + b"\n"
        self.digest.update(text)
        self._file.write(text)


def _bytes(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    raise TypeError(f"a {type(value).__name__} does not fit into a backup")


async def backup(address: str, file: Path, who: str) -> Counts:
    """Write everything into a new file; how many rows of each table."""
    if file.exists():
        raise BadOption(f"{file} exists already; name a new file")
    part = file.with_name(file.name + ".part")
    async with connected(address, who) as db:
        try:
            with open(part, "xb", opener=_private) as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed:
                counts = await _write(db, _Lines(packed))
                packed.close()
                raw.flush()
                os.fsync(raw.fileno())
            part.rename(file)
        except FileExistsError as error:
            raise BadOption(f"{part} exists: another backup is being made, or broke off; remove it") from error
        except OSError as error:
            part.unlink(missing_ok=True)
            raise Trouble(f"cannot write {file}: {error.strerror}") from error
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        async with db.transaction(True):
            await db.note("backup", file.name)
    return counts


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


async def _write(db: Database, lines: _Lines) -> Counts:
    counts: Counts = {}
    async with db.transaction(False):
        migrations = await db.rows("SELECT number, digest FROM migrations ORDER BY number")
        lines.add({"rostra": "backup", "format": FORMAT, "program": __version__, "at": now_ms(),
                   "migrations": migrations})  # fmt: skip
        for table, columns in await _in_order(db.links):
            lines.add({"table": table, "columns": columns})
            counts[table] = 0
            async for row in db.links.stream(f"SELECT {', '.join(columns)} FROM {table}"):
                lines.add(row)
                counts[table] += 1
    lines.add({"rows": counts, "sha256": lines.digest.hexdigest()})
    return counts


async def _in_order(links: Links) -> list[tuple[str, list[str]]]:
    """The tables and their columns; those that others refer to come first."""
    tables = {name: columns for name, columns in (await links.tables()).items() if name != "migrations"}
    needs = {name: {other for own, _, other in await links.references() if own == name} - {name} for name in tables}
    ordered: list[str] = []
    while len(ordered) < len(tables):
        ready = [name for name in tables if name not in ordered and needs[name] <= {*ordered}]
        ordered += ready or [name for name in tables if name not in ordered]
    return [(name, tables[name]) for name in ordered]


def _read(file: Path) -> Iterator[Any]:
    """The lines of a backup; trouble where it is damaged."""
    digest = hashlib.sha256()
    counts: Counts = {}
    table, digested = "", False
    try:
        with gzip.open(file, "rb") as packed:
            for text in packed:
                line = json.loads(text)
                if isinstance(line, dict) and "sha256" in line:
                    if (line["sha256"], line["rows"]) != (digest.hexdigest(), counts):
                        raise Trouble(f"{file} is damaged: its contents are not those that were written")
                    return
                digest.update(text)
                if isinstance(line, list):
                    counts[table] += 1
                elif digested:
                    table = line["table"]
                    counts[table] = 0
                digested = True
                yield line
    except FileNotFoundError as error:
        raise BadOption(f"there is no file {file}") from error
    except (OSError, EOFError, ValueError, KeyError, zlib.error) as error:
        raise Trouble(f"{file} is damaged or no backup of Rostra: {error}") from error
    raise Trouble(f"{file} is damaged: its end is missing")


def verify(file: Path) -> tuple[dict[str, Any], Counts]:
    """Read a whole backup; its head, and the number of rows of each table."""
    head: dict[str, Any] = {}
    counts: Counts = {}
    table = ""
    for line in _read(file):
        if not head:
            if not isinstance(line, dict) or line.get("rostra") != "backup":
                raise Trouble(f"{file} is no backup of Rostra")
            if line["format"] != FORMAT:
                raise Trouble(f"{file} has format {line['format']}; this program reads {FORMAT}: use a newer one")
            head = line
        elif isinstance(line, dict):
            table = line["table"]
            counts[table] = 0
        else:
            counts[table] += 1
    missing_migrations(dict(head["migrations"]))  # refuses that of a newer program
    return head, counts


async def restore(address: str, file: Path, who: str) -> Counts:
    """Put a backup into a new database, all or nothing, and bring it up to date; how many rows of each table."""
    head, counts = verify(file)
    async with _new_database(address) as links, links.transaction(True):
        if await links.tables():
            raise BadOption("this database is not empty; restore into a new one")
        await _make_tables(links, head["migrations"])
        await _fill(links, file)
    store = await open_store(address)  # later migrations
    await store.close()
    async with connected(address, who) as db, db.transaction(True):
        await db.note("restore", file.name)
    return counts


@contextlib.asynccontextmanager
async def _new_database(address: str) -> AsyncIterator[Links]:
    """A database without anything in it; a file that did not get its tables is removed."""
    path = Path(address.removeprefix("sqlite:")) if address.startswith("sqlite:") else None
    there = path is not None and path.exists()
    lock = only_server(path) if path is not None else None
    try:
        links = await connect(address, new=True)
        try:
            if isinstance(links, SqliteLinks):
                await links.rows("PRAGMA journal_mode = WAL")
            yield links
        except BaseException:
            await links.close()
            if path is not None and not there:
                for end in ("", "-wal", "-shm"):
                    path.with_name(path.name + end).unlink(missing_ok=True)
            raise
        await links.close()
    finally:
        if lock is not None:
            lock.release()


async def _make_tables(links: Links, done: list[list[Any]]) -> None:
    """The tables as they were when the backup was made."""
    await links.rows("CREATE TABLE migrations (number BIGINT PRIMARY KEY, digest TEXT NOT NULL)")
    for number, digest, text in missing_migrations({})[: len(done)]:
        known = text.replace("-- sqlite: ", "") if isinstance(links, SqliteLinks) else text
        for statement in statements(known):
            await links.rows(statement)
        await links.rows("INSERT INTO migrations (number, digest) VALUES (?, ?)", number, digest)


async def _fill(links: Links, file: Path) -> None:
    """The rows of all tables; a table that a migration filled begins empty."""
    insert, rows = "", list[Row]()
    for line in _read(file):
        if isinstance(line, dict) and "table" in line:
            if rows:
                await links.many(insert, rows)
            rows, columns = [], line["columns"]
            await links.rows(f"DELETE FROM {_name(line['table'])}")
            marks = ", ".join("?" * len(columns))
            insert = f"INSERT INTO {_name(line['table'])} ({', '.join(map(_name, columns))}) VALUES ({marks})"
        elif isinstance(line, list):
            rows.append(tuple(_value(one) for one in line))
            if len(rows) == MANY:
                await links.many(insert, rows)
                rows = []
    if rows:
        await links.many(insert, rows)


def _name(name: str) -> str:
    """The name of a table or column, of which ours are plain words: the file could be anybody's."""
    if not name.isidentifier() or not name.isascii():
        raise Trouble(f"a backup has a table or column {name!r}: it is none of Rostra")
    return name


def _value(value: Any) -> Any:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value
