"""Several processes on one PostgreSQL: broken connections, deafness, clocks, and who acts for a match."""

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from live_server import Server, new_database, new_match, person
from rostra.client import request
from rostra.server.store import Append, Change, MatchRow, StoreError, open_store
from rostra.server.store import postgresql as module
from rostra.server.store.postgresql import PostgresStore

ROW = MatchRow("m1", "alea", 1, "{}", "00", "ada", 1, "playing", 1000, 1000, None)
SLOW_CLOCK = """
import sys, time
real_ns, real = time.time_ns, time.time
time.time_ns = lambda: real_ns() - 3600 * 10**9
time.time = lambda: real() - 3600
sys.argv[0] = "rostra"
from rostra.cli import main
sys.exit(main())
"""


@pytest.fixture
def database(postgres: str, tmp_path: Path) -> str:
    return new_database("postgresql", tmp_path, postgres)


def with_store(database: str, test: Callable[[PostgresStore], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await open_store(database)
        assert isinstance(store, PostgresStore)
        try:
            await store.add_person("ada", "hash", "Ada", 1)
            await store.add_match(ROW)
            await test(store)
        finally:
            await store.close()

    asyncio.run(run())


def entry(number: int, match: str = "m1", due: int | None = None) -> Append:
    return Append(match, number, 2000, "[[],null,null]", Change("playing", due))


async def execute(database: str, text: str) -> Any:
    db = await asyncpg.connect(database)
    try:
        return await db.fetch(text)
    finally:
        await db.close()


def test_a_connection_in_the_middle_of_an_operation_is_thrown_away(database: str) -> None:
    async def test(store: PostgresStore) -> None:
        assert await store.append(entry(1))
        assert store._db is not None
        stuck = asyncio.ensure_future(store._db.execute("SELECT pg_sleep(60)"))
        await asyncio.sleep(0)
        with pytest.raises(StoreError):
            await store.append(entry(2))
        with contextlib.suppress(Exception):
            await stuck
        assert await store.append(entry(2))
        await store.ready()

    with_store(database, test)


def test_no_error_of_the_driver_ends_the_storing(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a crash: "cannot switch to state 12; another operation (2) is in progress"."""

    async def test(store: PostgresStore) -> None:
        commit = store._commit

        async def broken(batch: list[Append], probe: bool) -> set[Append]:
            monkeypatch.setattr(store, "_commit", commit)
            raise asyncpg.InternalClientError("cannot switch to state 12; another operation (2) is in progress")

        monkeypatch.setattr(store, "_commit", broken)
        with pytest.raises(StoreError):
            await store.append(entry(1))
        assert await store.append(entry(1))

    with_store(database, test)


def test_a_match_deleted_by_hand_does_not_harm_the_entries_of_others(database: str) -> None:
    async def test(store: PostgresStore) -> None:
        await store.add_match(ROW._replace(id="m2"))
        await execute(database, "DELETE FROM matches WHERE id = 'm1'")
        appends = [store.append(one) for one in (entry(1), entry(1, "m2"))]
        gone, stored = await asyncio.gather(*appends, return_exceptions=True)
        assert isinstance(gone, StoreError)
        assert stored is True
        assert [row.number for row in await store.entries("m2", 0)] == [1]

    with_store(database, test)


def test_health_is_whether_an_entry_can_be_stored(database: str, tmp_path: Path) -> None:
    """A database that answers, but has become read-only as a replica is."""
    server = Server(database, log=tmp_path / "server.log").start()
    name = database.partition("?")[0].rpartition("/")[2]
    try:

        def health() -> int:
            time.sleep(0.2)  # an answer holds for a tenth of a second
            return httpx.get(server.url + "/healthz", timeout=20).status_code

        def everybody(word: str) -> None:
            asyncio.run(execute(database, f"ALTER DATABASE {name} SET default_transaction_read_only = {word}"))
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            asyncio.run(execute(database, f"{others} AND pid <> pg_backend_pid()"))

        assert health() == 200
        everybody("on")
        assert {health() for _ in range(5)} == {503}
        asyncio.run(_writable(database, name))
        for _ in range(100):
            if health() == 200:
                break
        else:
            raise AssertionError("it does not recover")
    finally:
        server.kill()


async def _writable(database: str, name: str) -> None:
    db = await asyncpg.connect(database)
    await db.execute("SET default_transaction_read_only = off")
    await db.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = off")
    await db.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await db.close()


def test_a_deaf_process_listens_again(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its connection lives, but no longer listens, as behind a pooler that gave it to somebody else."""
    monkeypatch.setattr(module, "ALIVE", 1000)

    async def test(store: PostgresStore) -> None:
        heard: asyncio.Queue[str | None] = asyncio.Queue()
        await store.listen(lambda match, row: heard.put_nowait(match))
        async with asyncio.timeout(30):
            assert await heard.get() is None  # it listens, and may have missed something
            connections: list[Any] = []
            connect = asyncpg.connect

            async def noting(*args: Any, **options: Any) -> Any:
                connections.append(await connect(*args, **options))
                return connections[-1]

            monkeypatch.setattr(asyncpg, "connect", noting)
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%before AS%' AND"
            while not await execute(database, f"{others} datname = current_database() AND pid <> pg_backend_pid()"):
                await asyncio.sleep(0.01)  # it has not reported yet
            assert await heard.get() is None
            while True:
                with contextlib.suppress(asyncpg.InterfaceError):  # it is just reporting
                    await connections[-1].execute("UNLISTEN *")
                    break
                await asyncio.sleep(0.01)
            assert await heard.get() is None  # a new connection
            monkeypatch.setattr(module, "ALIVE", 10_000)  # and it keeps it
            other = await open_store(database)
            assert await other.append(entry(1))
            assert await heard.get() == "m1"
            await other.close()

    with_store(database, test)


def test_a_process_that_was_taken_for_dead_begins_anew(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ALIVE", 1000)

    async def test(store: PostgresStore) -> None:
        second = await open_store(database)
        assert isinstance(second, PostgresStore)
        assert await store.append(entry(1, due=1))
        async with store._pool.acquire() as db:
            await store.beat(db)
        assert await store.claim("m1")
        assert store.kept() == {"m1"}
        while store._alive():  # it hangs, and reports nothing
            await asyncio.sleep(0.02)
        with pytest.raises(StoreError):
            await store.claim("m1")
        async with asyncio.timeout(10):
            while not (taken := await second.claim_due(10, 5)):
                async with second._pool.acquire() as db:
                    await second.beat(db)
        assert taken == ["m1"]
        async with store._pool.acquire() as db:
            await store.beat(db)
        assert store.kept() == set()
        async with second._pool.acquire() as db:
            await second.beat(db)
        assert not await store.claim("m1")
        await second.close()
        assert await store.claim("m1")

    with_store(database, test)


@pytest.mark.slow
def test_a_host_whose_clock_is_wrong_serves_by_the_clock_of_the_database(database: str, tmp_path: Path) -> None:
    """One hour behind: by its own clock it would forfeit nobody, and the others all of its players."""
    server = Server(database, log=tmp_path / "server.log", program=("-c", SLOW_CLOCK)).start()
    try:

        async def test() -> None:
            token = await person(server.url)
            match = await new_match(server.url, token)
            about = (await request(server.url, "GET", f"/api/matches/{match}"))["about"]
            ((now,),) = await execute(database, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
            assert 0 <= now - about["created"] < 60_000

        asyncio.run(test())
    finally:
        server.kill()


@pytest.mark.slow
def test_one_process_thinks_for_the_bots_of_a_match(database: str, tmp_path: Path) -> None:
    """Somebody watches at each of two servers; only one of them acts for the bots."""
    servers = [Server(database, log=tmp_path / f"server{n}.log").start() for n in range(2)]
    try:

        async def test() -> None:
            token = await person(servers[0].url)
            settings = {"pace": 0.05, "talk": 0}
            match = await new_match(servers[0].url, token, "greedy greedy greedy", "quovadis", settings=settings)
            from rostra.client import Client

            async with Client(servers[0].url) as one, Client(servers[1].url) as two:
                tables = [await one.watch(match), await two.watch(match)]
                async with asyncio.timeout(60):
                    while not all(table.over or table.number > 60 for table in tables):
                        await tables[1].news(tables[1].number)
            rows = await execute(database, "SELECT keeper FROM matches")
            assert len({row[0] for row in rows}) == 1
            bodies = await execute(database, "SELECT body FROM log ORDER BY number")
            played, offered = 0, []
            for (body,) in bodies:
                for event in json.loads(body)[0]:
                    if event[0] == "played":
                        played += 1
                    elif event[0] == "offered":
                        offered.append((played, event[1], json.dumps(event[2])))
            assert len(offered) == len(set(offered)), "an offer came twice"
            counts = [httpx.get(f"{server.private}/metrics").text for server in servers]
            loaded = ["rostra_matches_loaded 1.0" in text for text in counts]
            assert loaded == [True, True]

        asyncio.run(test())
    finally:
        for server in servers:
            server.kill()
