"""Whether a database is whole: every log replays, no entry is missing, lists agree with logs, no row is a stray.

One bad match never hides another one, and nothing is changed.
"""

from collections.abc import AsyncIterator
from typing import NamedTuple

from rostra.engine.game import RostraError
from rostra.server import entries
from rostra.server.admin.database import Database
from rostra.server.store import LogRow, MatchRow
from rostra.server.table import Refusal, Table

PAGE = 500
"""Matches whose names are read at once."""


class Read(NamedTuple):
    """A match as it was read; no table where its log does not replay."""

    row: MatchRow
    log: list[LogRow]
    table: Table | None
    problems: list[str]


async def read_table(db: Database, row: MatchRow) -> Read:
    """Replay a match as far as it goes; whatever is wrong is a problem and no error."""
    query = "SELECT number, at, body FROM log WHERE match = ? ORDER BY number"
    log = [LogRow(*one) for one in await db.rows(query, row.id)]
    problems = _gaps(log)
    number = 0
    try:
        table = Table(row)
        for number, at, body in log:
            table.apply(entries.Entry(number, at, entries.decode(body)))
    except Exception as error:
        words = str(error) if isinstance(error, RostraError | Refusal) else f"{type(error).__name__}: {error}"
        where = f"entry {number} does not replay" if number else "cannot be read"
        return Read(row, log, None, [*problems, f"{where}: {words}"])
    return Read(row, log, table, problems)


def _gaps(log: list[LogRow]) -> list[str]:
    """Numbers that are missing from a log, which begins with 1."""
    missing = sorted(set(range(1, log[-1].number + 1)) - {row.number for row in log}) if log else []
    if not missing:
        return []
    named = ", ".join(map(str, missing[:5])) + (", ..." if len(missing) > 5 else "")
    return [f"{len(missing)} entries are missing: {named}"]


async def check_match(db: Database, row: MatchRow) -> list[str]:
    """What is wrong with a match."""
    found = await read_table(db, row)
    if found.table is None:
        return found.problems
    table, problems = found.table, list(found.problems)
    if table.status != row.status:
        problems.append(f"its status is {row.status}, by its log it is {table.status}")
    sat: dict[int, str | None] = {}
    for one in found.log:
        for event in entries.decode(one.body).events:
            if isinstance(event, entries.Sat | entries.Left):
                sat[event.seat] = event.person if isinstance(event, entries.Sat) else None
    by_log = {seat: person for seat, person in sat.items() if person is not None}
    kept: dict[int, str] = dict(await db.rows("SELECT seat, person FROM seats WHERE match = ?", row.id))
    for seat in sorted({*by_log, *kept}):
        if by_log.get(seat) != kept.get(seat):
            problems.append(f"seat {seat} belongs to {kept.get(seat)}, by its log to {by_log.get(seat)}")
    if row.due is None and table.status == "playing" and table.turn in table.bots:
        problems.append("a bot is to move, and no time is set for it")
    if row.due is not None and table.status == "over":
        problems.append("it is over, and a time is set for it")
    return problems


async def problems(db: Database) -> AsyncIterator[tuple[str, str]]:
    """All problems of a database, each with the match or table that has it; an empty text after each match that is
    well."""
    for table, problem in await _strays(db):
        yield table, problem
    columns, after = ", ".join(MatchRow._fields), ""
    while True:
        query = f"SELECT id FROM matches WHERE id > ? ORDER BY id LIMIT {PAGE}"
        names = [row[0] for row in await db.rows(query, after)]
        for name in names:
            async with db.transaction(False):  # one moment, though a server may be adding to it
                rows = await db.rows(f"SELECT {columns} FROM matches WHERE id = ?", name)
                found = await check_match(db, MatchRow(*rows[0])) if rows else []
            for problem in found or [""]:
                yield name, problem
        if len(names) < PAGE:
            return
        after = names[-1]


async def _strays(db: Database) -> list[tuple[str, str]]:
    """Rows that refer to nothing, and (SQLite) damage to the file."""
    found = []
    for table, column, other in sorted(set(await db.links.references())):
        query = f"""SELECT count(*) FROM {table} WHERE {column} IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM {other} WHERE {other}.id = {table}.{column})"""
        if number := await db.one(query):
            found.append((table, f"{number} rows belong to no row of {other}"))
    if db.address.startswith("sqlite:"):
        for (told,) in await db.rows("PRAGMA integrity_check"):
            if told != "ok":
                found.append(("file", str(told)))
    return found
