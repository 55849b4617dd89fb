"""No acknowledged move is ever lost: kills under load, durable database settings, sync before acknowledgement.

A kill alone proves little: what a process has written survives the kill even if it never reached the disk. So a trace
of system calls shows that the server waits for the disk, and the server refuses databases that do not.
"""

import asyncio
import re
import shutil
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg
import pytest

from bench.kill_many import crash_many, kill_many
from live_server import NotingClient, Server, a_postgres, new_database, new_match, person, play_on, refused_start, until
from rostra.client import Client
from rostra.engine.game import BadOption
from rostra.server.app import open_durable


@pytest.mark.slow
def test_every_acknowledged_move_survives_a_dozen_kills(server: Server) -> None:
    report = asyncio.run(kill_many(server, kills=12, seed=4))
    assert report.reconnects >= 12
    assert report.told > 100
    assert report.waiting > 0, "no kill came while anybody waited for an answer"


@pytest.mark.slow
def test_a_move_survives_a_kill_right_after_its_acknowledgement(server: Server) -> None:
    async def play() -> None:
        tokens = [await person(server.url, name) for name in ("Ada", "Bo")]
        match = await new_match(server.url, tokens[0])
        async with NotingClient(server.url, tokens[0]) as ada, NotingClient(server.url, tokens[1]) as bo:
            await ada.send("sit", match, seat=0, name="Ada")
            await bo.send("sit", match, seat=1, name="Bo")
            tables = [await ada.watch(match, 0), await bo.watch(match, 1)]
            for _ in range(2):
                mover = next(seat for seat, table in enumerate(tables) if table.play and table.play["legal"])
                await play_on((ada, bo)[mover], match, mover, moves=1)
                server.kill()
                told = (ada, bo)[mover].notes[-1]
                await asyncio.to_thread(server.start)
                async with asyncio.timeout(30):
                    await until(tables[1 - mover], lambda table, told=told: table.number >= told.number)
                line = tables[1 - mover].log[told.fields["ply"]]
                assert (line["seat"], line["move"]) == (mover, told.fields["move"])

    asyncio.run(play())


def test_a_postgresql_that_does_not_wait_for_the_disk_is_refused(postgres: str, tmp_path: Path) -> None:
    database = new_database("postgresql", tmp_path, postgres)
    name = re.search(r"rostra_\w+", database)

    async def forget() -> None:
        connection = await asyncpg.connect(postgres)
        await connection.execute(f"ALTER DATABASE {name[0]} SET synchronous_commit = off")
        await connection.close()

    asyncio.run(forget())
    assert "synchronous_commit=off: it could lose moves; it must be on" in refused_start(database)


@pytest.mark.parametrize(
    ("wanted", "instead", "said"),
    [
        ("PRAGMA synchronous = FULL", "PRAGMA synchronous = NORMAL", "synchronous=1"),
        ("PRAGMA synchronous = FULL", "PRAGMA synchronous = OFF", "synchronous=0"),
        ("PRAGMA journal_mode = WAL", "PRAGMA journal_mode = MEMORY", "journal_mode=memory"),
    ],
)
def test_a_sqlite_that_does_not_wait_for_the_disk_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: str, instead: str, said: str
) -> None:
    class Careless(sqlite3.Connection):
        """The real thing, opened as by a program that forgot to ask for the sync."""

        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            return super().execute(instead if sql == wanted else sql, *values)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=Careless, **k))
    with pytest.raises(BadOption, match=f"{said}: it could lose moves; it must be"):
        asyncio.run(open_durable(f"sqlite:{tmp_path / 'careless.db'}"))


def test_both_databases_say_that_they_wait_for_the_disk(database: str) -> None:
    async def ask() -> dict[str, str]:
        store = await open_durable(database)
        try:
            return await store.durable()
        finally:
            await store.close()

    said = asyncio.run(ask())
    if database.startswith("sqlite:"):
        assert said == {"journal_mode": "wal", "synchronous": "2"}
    else:
        assert said == {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


class Call(NamedTuple):
    """A system call in a trace: its name, its arguments as text, and the lines at which it began and had ended."""

    name: str
    text: str
    began: int
    ended: int


def calls(trace: str) -> list[Call]:
    """The system calls that succeeded, also those that were interrupted by others in the trace."""
    found, open_calls = [], {}
    for number, line in enumerate(trace.splitlines()):
        if begun := re.match(r"(\d+) +(\w+)\((.*)", line):
            thread, name, text = begun.groups()
            open_calls[thread] = (name, text, number)
            if text.endswith("<unfinished ...>"):
                continue
        elif resumed := re.match(r"(\d+) +<\.\.\. \w+ resumed>(.*)", line):
            thread, rest = resumed.groups()
            name, text, began = open_calls[thread]
            open_calls[thread] = (name, text.removesuffix("<unfinished ...>") + rest, began)
        else:
            continue  # signals, threads that end
        name, text, began = open_calls.pop(thread)
        if not re.search(r"\) += -1 ", text):
            found.append(Call(name, text.replace('\\"', '"'), began, number))
    return found


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_the_disk_is_waited_for_before_anybody_is_told(tmp_path: Path) -> None:
    """Of each entry, in a trace of the server: written to the WAL, then synced, then acknowledged and told."""
    server = Server(f"sqlite:{tmp_path / 'traced.db'}")
    trace = tmp_path / "trace"
    traced = "trace=fdatasync,fsync,pwrite64,write,writev,sendto,sendmsg"
    # -D: the server is our child, and strace its companion, so that stopping it is as always.
    server.start(("strace", "-D", "-f", "-q", "-y", "-s", "100000", "-e", traced, "-o", str(trace)))
    try:
        told = asyncio.run(asyncio.wait_for(_a_few_moves(server.url), 60))
    finally:
        pid = server.process.pid if server.process else 0
        server.stop()
    deadline = time.monotonic() + 10
    while not re.search(rf"^{pid} +\+\+\+ (exited|killed)", text := trace.read_text(errors="replace"), re.MULTILINE):
        assert time.monotonic() < deadline, "strace did not finish its file"
        time.sleep(0.05)

    all_calls = calls(text)
    syncs = [call for call in all_calls if call.name in ("fdatasync", "fsync") and "-wal>" in call.text]
    writes = [call for call in all_calls if call.name == "pwrite64" and "-wal>" in call.text]
    sent = [call for call in all_calls if "<socket:" in call.text or "<TCP" in call.text]
    updates = [
        (int(number), call.began)
        for call in sent
        for number in re.findall(r'"type":"update","match":"\w+","seat":\w+,"number":(\d+)', call.text)
    ]
    assert sum(kind == "play" for _, _, _, kind, _ in told) >= 6
    for _, number, name, _, _ in told:
        written = next(call for call in writes if f'"{name}"]' in call.text)
        synced = next(call for call in syncs if call.began > written.ended)
        acknowledged = next(call for call in sent if f'"type":"done","id":"{name}"' in call.text)
        assert synced.ended < acknowledged.began, f"entry {number} was acknowledged before it was on disk"
        news = [began for update, began in updates if update >= number]
        assert len(news) >= 2, f"entry {number} was told to nobody"
        assert synced.ended < min(news), f"entry {number} was told before it was on disk"


async def _a_few_moves(url: str) -> list[Any]:
    """Two people play, a third one watches; returns what the two were told is done."""
    tokens = [await person(url, name) for name in ("Ada", "Bo")]
    match = await new_match(url, tokens[0])
    async with NotingClient(url, tokens[0]) as ada, NotingClient(url, tokens[1]) as bo, Client(url) as eve:
        watched = await eve.watch(match)
        await ada.watch(match, 0)
        await ada.send("sit", match, seat=0, name="Ada")
        await bo.send("sit", match, seat=1, name="Bo")
        players = [asyncio.create_task(play_on(client, match, seat, moves=4)) for seat, client in enumerate((ada, bo))]
        await asyncio.wait(players, return_when=asyncio.FIRST_COMPLETED)
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        told = sorted(ada.notes + bo.notes, key=lambda told: told.number)
        await until(watched, lambda table: table.number >= told[-1].number)
        return told


@pytest.mark.slow
def test_every_server_stores_again_after_its_database_was_killed(tmp_path: Path) -> None:
    """Twice PostgreSQL, and each of two servers once."""
    # Not in `tmp_path`: other runs of pytest close the folder above it to the user of PostgreSQL.
    with tempfile.TemporaryDirectory() as folder, a_postgres(Path(folder)) as cluster:
        database = new_database("postgresql", tmp_path, cluster.get_uri())
        servers = [Server(database, log=tmp_path / f"server{number}.log").start() for number in range(2)]
        try:
            report = asyncio.run(crash_many(servers, cluster, crashes=4, seed=3))
        finally:
            for server in servers:
                if server.process is not None:
                    server.kill()
    assert len(report.back) == 8
    assert report.told > 20
