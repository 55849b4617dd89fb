"""Both databases keep the same promises."""

import asyncio
import contextlib
import itertools
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from rostra.engine.game import BadOption
from rostra.server.store import (
    Append,
    Change,
    MatchRow,
    Store,
    StoreError,
    migrations,
    missing_migrations,
    open_store,
    sqlite,
    statements,
)

ROW = MatchRow("m1", "alea", 1, "{}", "00", "ada", 1, "waiting", 1000, 1000, None)


def with_store(database: str, test: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await open_store(database)
        try:
            await store.add_person("ada", "hash", "Ada", 1)
            await store.add_match(ROW)
            await test(store)
        finally:
            await store.close()

    asyncio.run(run())


def entry(number: int, body: str = "[]", at: int = 2000, change: Change | None = None) -> Append:
    return Append("m1", number, at, body, change)


def test_an_entry_is_stored_once_whoever_comes_first(database: str) -> None:
    async def test(store: Store) -> None:
        at_once = [entry(1, f'["{n}"]') for n in range(20)]
        stored = await asyncio.gather(*map(store.append, at_once))
        assert stored.count(True) == 1
        assert not await store.append(at_once[stored.index(True)])  # the same again is taken, too
        kept = await store.entries("m1", 0)
        assert [(row.number, row.body) for row in kept] == [(1, at_once[stored.index(True)].body)]
        assert all(await asyncio.gather(*(store.append(entry(number)) for number in range(2, 300))))
        assert [row.number for row in await store.entries("m1", 200)] == list(range(201, 300))

    with_store(database, test)


def test_what_a_list_needs_changes_with_the_entry(database: str) -> None:
    async def test(store: Store) -> None:
        assert [row.id for row in await store.listed(5000, 10)] == ["m1"]
        change = Change("playing", 7000, ((0, "ada"), (1, None)))
        assert await store.append(entry(1, change=change))
        assert not await store.append(entry(1, change=Change("over", None)))  # what is refused changes nothing
        row = await store.match("m1")
        assert row is not None
        assert (row.status, row.due, row.changed) == ("playing", 7000, 2000)
        assert [row.id for row in await store.listed(5000, 10)] == ["m1"]  # to be watched
        assert [row.id for row in await store.matches_of("ada", 5000, 10)] == ["m1"]
        assert await store.matches_of("bo", 5000, 10) == []
        assert await store.status() == {"playing": 1}
        assert await store.append(entry(2, change=Change("over", None)))
        assert await store.listed(5000, 10) == []

    with_store(database, test)


def test_one_process_claims_what_is_due(database: str) -> None:
    async def test(store: Store) -> None:
        await store.append(entry(1, change=Change("playing", 7000)))
        assert await store.due(7000, 10) == []
        assert await store.due(7001, 10) == [("m1", 7000)]
        claims = await asyncio.gather(*(store.claim("m1", 7000, 9000) for _ in range(5)))
        assert claims.count(True) == 1
        assert await store.claim("m1", 9000, None)
        assert await store.due(99_000, 10) == []

    with_store(database, test)


def test_matches_without_news_are_found(database: str) -> None:
    async def test(store: Store) -> None:
        assert await store.idle(1000, 10) == []
        assert await store.idle(1001, 10) == ["m1"]
        await store.append(entry(1, at=2000))
        assert await store.idle(2000, 10) == []
        assert await store.idle(2001, 10) == ["m1"]
        await store.append(entry(2, at=2000, change=Change("over", None)))
        assert await store.idle(9000, 10) == []

    with_store(database, test)


def test_people_are_found_by_the_hash_of_their_token(database: str) -> None:
    async def test(store: Store) -> None:
        assert await store.person_of("hash") == ("ada", "Ada")
        assert await store.person_of("other") is None
        await store.rename("ada", "Ada L.")
        assert await store.person_of("hash") == ("ada", "Ada L.")

    with_store(database, test)


def test_a_second_opening_finds_everything_and_migrates_nothing(database: str) -> None:
    async def test(store: Store) -> None:
        await store.append(entry(1))

    with_store(database, test)

    async def again() -> None:
        store = await open_store(database)
        assert [row.number for row in await store.entries("m1", 0)] == [1]
        await store.close()

    asyncio.run(again())


def test_sqlite_says_which_of_many_numbers_are_taken(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        assert await store.append(entry(1))
        many = [entry(number) for number in (1, 2, 2, 3)] + [entry(number) for number in range(4, 100)]
        stored = await asyncio.gather(*map(store.append, many))
        assert stored == [False, True, False, True] + [True] * 96
        assert [row.number for row in await store.entries("m1", 0)] == [*range(1, 100)]

    with_store(f"sqlite:{tmp_path / 'rostra.db'}", test)


def test_sqlite_takes_a_number_again_whose_commit_failed(tmp_path: Path) -> None:
    """Here because the disk is full."""

    async def test(store: Store) -> None:
        assert isinstance(store, sqlite.SqliteStore)
        assert await store.append(entry(1))
        await store.run(lambda db: db.execute("PRAGMA max_page_count = 1").fetchall())  # no more than there are
        large = entry(2, f'["{"x" * 100_000}"]')
        with pytest.raises(StoreError, match="full"):
            await store.append(large)
        await store.run(lambda db: db.execute("PRAGMA max_page_count = 100000").fetchall())
        assert not await store.append(entry(1))
        assert await store.append(large)
        assert not await store.append(large)
        assert [row.number for row in await store.entries("m1", 0)] == [1, 2]

    with_store(f"sqlite:{tmp_path / 'rostra.db'}", test)


def test_sqlite_reads_what_is_stored_in_the_same_transaction(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        for number in range(1, 40):
            storing, reading = store.append(entry(number)), asyncio.ensure_future(store.entries("m1", 0))
            assert await storing
            assert len(await reading) == number

    with_store(f"sqlite:{tmp_path}/log.db", test)


def test_sqlite_stores_for_others_when_a_match_was_deleted_by_hand(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        assert isinstance(store, sqlite.SqliteStore)
        await store.add_match(ROW._replace(id="m2"))
        assert await store.append(entry(1))
        await store.run(lambda db: [db.execute(f"DELETE FROM {table}") for table in ("log", "matches WHERE id = 'm1'")])
        appends = [entry(2), entry(1)._replace(match="m2"), entry(2)._replace(match="m2")]
        deleted, *stored = await asyncio.gather(*map(store.append, appends), return_exceptions=True)
        assert isinstance(deleted, StoreError)
        assert stored == [True, True]

    with_store(f"sqlite:{tmp_path / 'rostra.db'}", test)


def old_database(file: Path, version: int, *rows: tuple[str, Append]) -> None:
    """A database with the first migrations only, and rows in its tables."""
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE migrations (number BIGINT PRIMARY KEY, digest TEXT NOT NULL)")
        for number, digest, text in itertools.islice(migrations(), version):
            for statement in statements(text.replace("-- sqlite: ", "")):
                db.execute(statement)
            db.execute("INSERT INTO migrations VALUES (?, ?)", (number, digest))
        db.execute("INSERT INTO people VALUES ('ada', 'hash', 'Ada', 1)")
        db.execute(f"INSERT INTO matches VALUES ({', '.join('?' * len(ROW))})", ROW)
        for table, row in rows:
            db.execute(f"INSERT INTO {table} VALUES (?, ?, ?, ?)", row[:4])
        db.commit()


@pytest.mark.parametrize(
    ("version", "tables"), [(1, ["log", "log"]), (2, ["settled", "settled"]), (2, ["settled", "recent"])]
)
def test_a_database_of_an_earlier_version_keeps_its_entries(tmp_path: Path, version: int, tables: list[str]) -> None:
    """Version 2 (Rostra 0.5) kept new entries in `recent`, also those of matches that were deleted by hand."""
    file = tmp_path / "rostra.db"
    rows = list(zip(tables, [entry(1), entry(2, '["old"]')], strict=True))
    if version == 2:
        rows.append(("recent", entry(1)._replace(match="deleted")))
    old_database(file, version, *rows)

    async def test() -> None:
        store = await open_store(f"sqlite:{file}")
        assert not await store.append(entry(2))
        assert await store.append(entry(3))
        assert [(row.number, row.body) for row in await store.entries("m1", 1)] == [(2, '["old"]'), (3, "[]")]
        assert await store.entries("deleted", 0) == []
        await store.close()

    asyncio.run(test())
    with contextlib.closing(sqlite3.connect(file)) as db:
        tables_now = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
        assert tables_now >= {"migrations", "people", "matches", "seats", "log"}
        assert not tables_now & {"settled", "recent"}
        with pytest.raises(sqlite3.IntegrityError):
            db.execute("INSERT INTO log VALUES ('m1', 2, 1, '')")


def test_a_database_of_another_program_is_refused() -> None:
    known = {number: digest for number, digest, _ in migrations()}
    assert missing_migrations(known) == []
    assert len(missing_migrations({})) == len(known)
    with pytest.raises(BadOption, match="use a newer one"):
        missing_migrations(known | {99: ""})
    with pytest.raises(BadOption, match="is not the one of this program"):
        missing_migrations({1: "another"})


@pytest.mark.slow
def test_a_file_that_is_none_is_refused_every_time(tmp_path: Path) -> None:
    for _ in range(20):  # whoever is quicker, the thread or who asks it
        with pytest.raises(BadOption, match="cannot use the database"):
            asyncio.run(open_store(f"sqlite:{tmp_path}"))
