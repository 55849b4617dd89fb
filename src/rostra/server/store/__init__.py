"""Where people, matches and their entries are kept: SQLite for one process, PostgreSQL for several.

`append` returns only when the entry is on disk. Appends of all matches that wait at the same moment are one transaction
(group commit). A number that is already taken is not an error but an answer (`False`): another process was quicker;
read what it stored and decide again.
"""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator
from importlib import resources
from typing import Any, NamedTuple, Protocol

from rostra.engine.game import BadOption
from rostra.extras import need

log = logging.getLogger("rostra.store")


class PersonRow(NamedTuple):
    """Somebody who plays."""

    id: str
    name: str


class MatchRow(NamedTuple):
    """A match without its log; the columns of the table in their order."""

    id: str
    game: str
    rules: int
    body: str
    seed: str
    creator: str
    listed: int
    status: str
    created: int
    changed: int
    due: int | None


class LogRow(NamedTuple):
    """One entry."""

    number: int
    at: int
    body: str


class Change(NamedTuple):
    """What an entry changes in the table of matches; most entries of a match without bots and clocks change nothing."""

    status: str
    due: int | None
    seats: tuple[tuple[int, str | None], ...] = ()


class Append(NamedTuple):
    """An entry to store."""

    match: str
    number: int
    at: int
    body: str
    change: Change | None


class AuditRow(NamedTuple):
    """Something that an operator did; the columns of the table in their order."""

    number: int
    at: int
    who: str
    what: str
    about: str
    why: str


class StoreError(Exception):
    """The database cannot be used now; whether the last append was stored is not known."""


Listener = Callable[[str | None, LogRow | None], None]
"""Called with a match that another process has changed and the new entry, if it came along; with None when some changes
may have been missed."""


def resolve(answers: Iterable[tuple["asyncio.Future[Any]", Any]]) -> None:
    """Answer all callers that still wait; the answer may be an exception."""
    for future, answer in answers:
        if future.done():
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


class Store(Protocol):
    """What both databases do."""

    shared: bool
    """Whether other processes may serve the same matches."""

    async def close(self) -> None:
        """Finish what waits, and close."""

    async def durable(self) -> dict[str, str]:
        """The settings that make commits durable, as the database itself states them now."""

    async def add_person(self, person: str, token: str, name: str, at: int) -> None:
        """A new person, with the hash of the token."""

    async def person_of(self, token: str) -> PersonRow | None:
        """The person whose token has this hash."""

    async def rename(self, person: str, name: str) -> None:
        """Change the name of a person."""

    async def add_match(self, row: MatchRow) -> None:
        """A new match."""

    async def match(self, match: str) -> MatchRow | None:
        """The row of a match."""

    async def entries(self, match: str, after: int) -> list[LogRow]:
        """The log after this number."""

    def append(self, entry: Append) -> "asyncio.Future[bool]":
        """Store an entry; False when its number is taken."""

    async def listed(self, before: int, most: int) -> list[MatchRow]:
        """Public matches that wait for players or are being played, newest first."""

    async def matches_of(self, person: str, before: int, most: int) -> list[MatchRow]:
        """Matches that this person made or holds a seat in, newest first."""

    async def due(self, before: int, most: int) -> list[tuple[str, int]]:
        """Matches where the house should have acted, and when."""

    async def claim(self, match: str, due: int, until: int | None) -> bool:
        """Take over such a match until then; False when another process has."""

    async def idle(self, since: int, most: int) -> list[str]:
        """Matches that are not over and in which nothing has happened since."""

    async def status(self) -> dict[str, int]:
        """How many matches there are of each status."""

    async def audit(self, after: int, most: int) -> list[AuditRow]:
        """What operators did after this number."""

    async def audited(self) -> int:
        """The number of the last thing that an operator did; 0: nothing yet."""

    async def banned(self) -> set[str]:
        """The people who may not play here."""

    async def listen(self, listener: Listener) -> None:
        """Report changes by other processes."""


def migrations() -> Iterator[tuple[int, str, str]]:
    """Number, digest and text of each migration, in order."""
    folder = resources.files("rostra.server") / "migrations"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".sql"):
            text = file.read_text(encoding="utf-8")
            yield int(file.name[:4]), hashlib.sha256(text.encode()).hexdigest(), text


def missing_migrations(done: dict[int, str]) -> list[tuple[int, str, str]]:
    """The migrations a database still needs; refuses one that a newer or changed program made."""
    known = list(migrations())
    for number, digest in done.items():
        if number > len(known):
            raise BadOption(f"the database has migration {number}, this program only {len(known)}: use a newer one")
        if known[number - 1][1] != digest:
            raise BadOption(f"migration {number} of the database is not the one of this program")
    return known[len(done) :]


def statements(text: str) -> list[str]:
    """The statements of a migration, without comments (no statement of ours has a semicolon inside)."""
    lines = [line.partition("--")[0].rstrip() for line in text.splitlines()]
    return [statement.strip() for statement in "\n".join(lines).split(";") if statement.strip()]


async def open_store(database: str, beside: bool = False) -> Store:
    """The store of an address: `postgresql://...`, or `sqlite:FILE`. `beside`: an operator's command opens it, perhaps
    while a server runs; it neither migrates the database nor keeps others away."""
    if database.startswith(("postgresql://", "postgres://")):
        need("postgres", "the PostgreSQL driver")
        from rostra.server.store.postgresql import open_postgresql

        return await open_postgresql(database, beside)
    if database.startswith("sqlite:"):
        from rostra.server.store.sqlite import open_sqlite

        return await open_sqlite(database.removeprefix("sqlite:"), beside)
    raise BadOption(f"a database is sqlite:FILE or postgresql://..., not {database.partition(':')[0]!r}")
