"""Where people, matches and their entries are kept: SQLite for one process, PostgreSQL for several.

`append` returns only when the entry is on disk. Appends of all matches that wait at the same moment are one transaction
(group commit). A number that is already taken is not an error but an answer (`False`): another process was quicker;
read what it stored and decide again.
"""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Generator, Iterable, Iterator
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from rostra.engine.game import BadOption
from rostra.extras import need

if TYPE_CHECKING:
    from rostra.server.store.lists import Found, Query

log = logging.getLogger("rostra.store")
Answer = TypeVar("Answer")
Statements = Generator[tuple[str, tuple[Any, ...]], list[Any], Answer]
"""Yields statements with their values (marked by `?`), is sent their rows, and returns an answer."""


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
    number: int = 0
    turn: int | None = None
    seated: str = ""
    result: str | None = None
    trouble: str | None = None


class LogRow(NamedTuple):
    """One entry."""

    number: int
    at: int
    body: str


class SeatRow(NamedTuple):
    """Who holds a seat, with what lists need; nobody: the row goes."""

    seat: int
    person: str | None
    name: str
    """In lower case, for the search."""
    created: int
    listed: int
    done: int
    """1: the match is over."""
    awaited: int | None
    """Since when everybody waits for this person."""


class Change(NamedTuple):
    """What an entry changes in the tables of matches and seats."""

    status: str
    due: int | None
    turn: int | None = None
    seated: str | None = None
    """None: as before; so is `result`."""
    result: str | None = None
    seats: tuple[SeatRow, ...] = ()
    """Those that changed."""


class Call(NamedTuple):
    """Somebody to be told of an entry, in all ways that this person has asked for (`server.notify`)."""

    person: str
    seat: int
    kind: str
    due: int


class Append(NamedTuple):
    """An entry to store, and with it whom to tell."""

    match: str
    number: int
    at: int
    body: str
    change: Change | None
    calls: tuple[Call, ...] = ()


CALL = """
    INSERT INTO outbox (address, match, kind, number, seat, due, tries)
    SELECT id, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), 0
    FROM addresses WHERE person = ? AND confirmed > 0 AND failures < 10 AND kinds LIKE ?
    ON CONFLICT (address, match, kind)
    DO UPDATE SET number = excluded.number, seat = excluded.seat, due = excluded.due, tries = 0
"""


def call_values(entry: Append) -> list[tuple[Any, ...]]:
    """The values of `CALL` for everybody whom an entry calls."""
    return [
        (entry.match, call.kind, entry.number, call.seat, call.due, call.person, f"% {call.kind} %")
        for call in entry.calls
    ]


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

    async def transact(self, work: Callable[[], Statements[Answer]]) -> Answer:
        """Carry out statements, all or none; `work` may be called again and must have no other effect."""

    async def rows(self, query: str, *values: Any) -> list[Any]:
        """Carry out one statement, a transaction of its own; `?` stands for each value."""

    async def add_match(self, row: MatchRow) -> None:
        """A new match."""

    async def match(self, match: str) -> MatchRow | None:
        """The row of a match."""

    async def entries(self, match: str, after: int) -> list[LogRow]:
        """The log after this number."""

    def append(self, entry: Append) -> "asyncio.Future[bool]":
        """Store an entry; False when its number is taken."""

    async def listed(self, query: "Query") -> "list[Found]":
        """A page of a list of matches."""

    async def unsummed(self, after: str, most: int) -> tuple[list[str], str | None]:
        """Of so many matches after this one those whose columns for lists do not account for all entries, and the last
        match that was looked at (None: there is no more)."""

    async def made_by(self, person: str) -> tuple[int, int]:
        """How many matches of this person are not over, and in how many of those only bots play."""

    async def sum(self, match: str, number: int, at: int, change: Change, trouble: str | None) -> None:
        """Write what lists need of a match as of this entry, unless a later entry has."""

    async def claim(self, match: str) -> bool:
        """Whether this process acts for the bots and clocks of a match from now on; False when another one that is
        alive does."""

    async def claim_due(self, before: int, most: int) -> list[str]:
        """Take over matches where something has been due since then and for which no process that is alive acts."""

    async def give_up(self, match: str, due: int | None) -> None:
        """Act for a match no more; some process is to look at it then."""

    def kept(self) -> set[str]:
        """The matches that this process acts for, where others could."""

    async def ready(self) -> None:
        """Return when something was stored, just as an entry would be; else `StoreError`."""

    def now(self) -> int:
        """Milliseconds since 1970, the same for all processes that use the database."""

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


MADE = """
    SELECT count(*), coalesce(sum(CASE WHEN status = 'playing' AND NOT EXISTS
        (SELECT 1 FROM seats WHERE match = id) THEN 1 ELSE 0 END), 0)
    FROM matches WHERE status <> 'over' AND creator = """
"""The query of `made_by`, up to the person."""


def rounds(batch: list[Append]) -> Iterator[list[Append]]:
    """The entries that change something, each match at most once in a list, in the order of their numbers."""
    waiting = [entry for entry in sorted(batch, key=lambda entry: entry[:2]) if entry.change is not None]
    while waiting:
        first: dict[str, Append] = {}
        later = [entry for entry in waiting if first.setdefault(entry.match, entry) is not entry]
        yield list(first.values())
        waiting = later


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
