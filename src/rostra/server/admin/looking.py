"""What operators look at: matches, people, figures, the audit log, all that is known of a person. Nothing changes."""

import json
import time
from typing import Any

from rostra.server import entries, erasing, seen
from rostra.server.admin.acts import find_match, find_person
from rostra.server.admin.checking import read_table
from rostra.server.admin.database import Database, Row
from rostra.server.store import MatchRow

DAY_MS = 24 * 3600 * 1000
SECRET = ("token", "seed", "key", "secret", "auth", "hash")
"""Columns with these words in their names are nobody's business, not even in an export."""
Facts = dict[str, Any]


def moment(at: int | None) -> str | None:
    """A time as people write it, in UTC."""
    return None if at is None else time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(at / 1000))


async def matches(db: Database, status: str | None, person: str | None, before: int | None, most: int) -> list[Facts]:
    """Matches, newest first."""
    where, values = ["created < ?"], [before if before is not None else 2**53]
    if status is not None:
        where.append("status = ?")
        values.append(status)  # type: ignore[arg-type]
    if person is not None:
        await find_person(db, person)
        where.append("(creator = ? OR id IN (SELECT match FROM seats WHERE person = ?))")
        values += [person, person]  # type: ignore[list-item]
    query = f"""SELECT id, game, status, created, changed, creator FROM matches WHERE {" AND ".join(where)}
        ORDER BY created DESC, id LIMIT {most}"""
    return [
        {"match": row[0], "game": row[1], "status": row[2], "created": moment(row[3]), "changed": moment(row[4]),
         "creator": row[5]}
        for row in await db.rows(query, *values)
    ]  # fmt: skip


async def people(db: Database, name: str, most: int) -> list[Facts]:
    """People whose name contains this, newest first."""
    query = f"""SELECT people.id, name, created, bans.at FROM people LEFT JOIN bans ON bans.person = people.id
        WHERE lower(name) LIKE ? ESCAPE '!' ORDER BY created DESC, people.id LIMIT {most}"""
    part = "".join("!" + one if one in "!%_" else one for one in name.lower())
    return [
        {"person": row[0], "name": row[1], "created": moment(row[2]), "banned": row[3] is not None}
        for row in await db.rows(query, f"%{part}%")
    ]


async def match_row(db: Database, match: str) -> MatchRow:
    """The row of a match."""
    await find_match(db, match)
    columns = ", ".join(MatchRow._fields)
    return MatchRow(*(await db.rows(f"SELECT {columns} FROM matches WHERE id = ?", match))[0])


async def match(db: Database, name: str, log: bool) -> Facts:
    """A match: who plays, where it stands, whether it can be read, and (if wanted) its entries."""
    async with db.transaction(False):
        row = await match_row(db, name)
        found = await read_table(db, row)
    facts: Facts = {
        "match": row.id, "game": row.game, "rules": row.rules, "status": row.status, "creator": row.creator,
        "listed": bool(row.listed), "created": moment(row.created), "entries": len(found.log),
        "last entry": moment(found.log[-1].at) if found.log else None, "due": moment(row.due),
        "problems": found.problems,
    }  # fmt: skip
    if found.table is not None:
        table = found.table
        facts["seats"] = [
            {"seat": number, "name": seat.name, "person": seat.person, "bot": seat.bot, "resigned": seat.resigned}
            for number, seat in enumerate(table.seats)
        ]
        facts |= {
            "turn": table.turn,
            "plies": 0 if table.match is None else len(table.match.log),
            "end": None if (result := table.result()) is None else result.end,
        }
    if log:
        facts["log"] = [{"number": one.number, "at": moment(one.at), "body": json.loads(one.body)} for one in found.log]
    return facts


async def person(db: Database, name: str) -> Facts:
    """A person: when they came, where they play, whether they are banned."""
    called = await find_person(db, name)
    counts: dict[str, int] = dict(await db.rows(
        """SELECT status, count(*) FROM matches WHERE creator = ? OR id IN (SELECT match FROM seats WHERE person = ?)
        GROUP BY status""", name, name
    ))  # fmt: skip
    ban = await db.rows("SELECT at, why FROM bans WHERE person = ?", name)
    return {
        "person": name, "name": called,
        "created": moment(await db.one("SELECT created FROM people WHERE id = ?", name)),
        "banned": moment(ban[0][0]) if ban else None, "why": ban[0][1] if ban else None,
        "matches": {status: counts.get(status, 0) for status in ("waiting", "playing", "over")},
    }  # fmt: skip


async def export(db: Database, name: str) -> Facts:
    """All that is known of a person: the rows that refer to them, the matches they were in, and what they did there."""
    await find_person(db, name)
    tables = await db.links.tables()
    known: Facts = {"people": await _rows(db, "people", tables["people"], "id", name)}
    for table, column in await db.about("people", "person", "player"):
        if table not in ("matches", "log"):
            known.setdefault(table, []).extend(await _rows(db, table, tables[table], column, name))
    for (match,) in await db.rows(erasing.MENTIONED, f'%"{name}"%', name):
        row = await match_row(db, match)
        found = await read_table(db, row)
        facts: Facts = {
            "match": match, "game": row.game, "status": row.status, "created": moment(row.created),
            "by me": row.creator == name, "settings": json.loads(row.body),
        }  # fmt: skip
        if found.table is not None:
            facts["seats"] = found.table.seats_of(name)
            facts["transcript"] = None if row.status != "over" else seen.game_text(found.table, None)
        facts["did"] = [
            {"number": entry.number, "at": moment(entry.at), "events": json.loads(entry.body)[0]}
            for entry in found.log
            if _did(entry.body, name)
        ]
        known.setdefault("matches", []).append(facts)
    return known


def _did(body: str, person: str) -> bool:
    """Whether an entry was this person's, or seated them."""
    try:
        entry = entries.decode(body)
    except Exception:  # an entry of another version
        return False
    return entry.by == person or any(getattr(event, "person", None) == person for event in entry.events)


async def _rows(db: Database, table: str, columns: list[str], column: str, value: str) -> list[Facts]:
    open_columns = [one for one in columns if not any(word in one.lower() for word in SECRET)]
    rows = await db.rows(f"SELECT {', '.join(open_columns)} FROM {table} WHERE {column} = ?", value)
    return [dict(zip(open_columns, row, strict=True)) for row in rows]


async def audit(db: Database, most: int) -> list[Facts]:
    """The last things that operators did, in order."""
    query = f"SELECT number, at, who, what, about, why FROM audit ORDER BY number DESC LIMIT {most}"
    names = ("number", "at", "who", "what", "about", "why")
    return [dict(zip(names, (row[0], moment(row[1]), *row[2:]), strict=True)) for row in (await db.rows(query))[::-1]]


async def reports(db: Database, most: int) -> list[Facts]:
    """What people say about others, newest first."""
    query = f"SELECT at, person, other, match, seat, reason, text FROM reports ORDER BY at DESC LIMIT {most}"
    names = ("at", "by", "about", "match", "seat", "reason", "text")
    return [dict(zip(names, (moment(row[0]), *row[1:]), strict=True)) for row in await db.rows(query)]


async def statistics(db: Database, now: int) -> Facts:
    """How much there is, and how much is going on."""

    async def since(days: float, query: str) -> int:
        return int(await db.one(query, now - int(days * DAY_MS)))

    new = "SELECT count(*) FROM matches WHERE created >= ?"
    joined = "SELECT count(*) FROM people WHERE created >= ?"
    active = "SELECT count(DISTINCT match) FROM log WHERE at >= ?"
    by_game: list[Row] = await db.rows("SELECT game, status, count(*) FROM matches GROUP BY game, status ORDER BY 1, 2")
    games: dict[str, dict[str, int]] = {}
    for game, status, number in by_game:
        games.setdefault(game, {})[status] = number
    size = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    if not db.address.startswith("sqlite:"):
        size = "SELECT pg_database_size(current_database())"
    return {
        "people": await db.one("SELECT count(*) FROM people"),
        "people new in a day": await since(1, joined),
        "people new in 30 days": await since(30, joined),
        "people banned": await db.one("SELECT count(*) FROM bans"),
        "matches": games,
        "matches new in a day": await since(1, new),
        "matches new in 30 days": await since(30, new),
        "matches with news in a day": await since(1, active),
        "matches overdue": await db.one("SELECT count(*) FROM matches WHERE due < ?", now - 60_000),
        "entries": await db.one("SELECT count(*) FROM log"),
        "entries in a day": await since(1, "SELECT count(*) FROM log WHERE at >= ?"),
        "bytes": await db.one(size),
    }
