"""A backup is made while people play, is checked before it is restored, and fits into both databases."""

import asyncio
import contextlib
import gzip
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from live_server import Server, a_move, new_database, new_match, person, play_on, stored
from rostra.cli import main
from rostra.client import Client
from rostra.engine.game import BadOption
from rostra.server import store
from rostra.server.admin import backup
from rostra.server.admin.database import Trouble, connect
from rostra.server.store import migrations

PEOPLE = ("Ada", 'Bo, "the quiet"', "Cé ✓ 🎲")


def lines_of(file: Path) -> list[bytes]:
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


async def rows(address: str) -> dict[str, list[Any]]:
    """All that is in a database, but what operators did."""
    links = await connect(address)
    found = {
        table: sorted(await links.rows(f"SELECT {', '.join(sorted(columns))} FROM {table}"), key=str)
        for table, columns in (await links.tables()).items()
        if table != "audit"
    }
    await links.close()
    return found


async def begin(server: Server) -> tuple[str, list[str]]:
    """A match of three people, some moves in; and their tokens."""
    tokens = [await person(server.url, name) for name in PEOPLE]
    match = await new_match(server.url, tokens[0], "me open open", "quovadis", settings={"pace": 0})
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(server.url, token)) for token in tokens]
        for seat, client in enumerate(clients):
            await client.send("sit", match, seat=seat, name=PEOPLE[seat])
        tables = [await client.watch(match, seat) for seat, client in enumerate(clients)]
        for _ in range(8):
            while (state := tables[(turn := tables[0].play["turn"])].play)["ply"] != tables[0].play["ply"]:
                await tables[turn].news(tables[turn].number)
            here = {"seat": turn, "epoch": state["epoch"], "ply": state["ply"]}
            done = await clients[turn].send("play", match, move=a_move(state), **here)
            while tables[0].number < done["number"]:
                await tables[0].news(tables[0].number)
    return match, tokens


async def play(server: Server, match: str, tokens: list[str]) -> None:
    """Play it to its end."""

    async def one(seat: int, token: str) -> None:
        async with Client(server.url, token) as client:
            await play_on(client, match, seat, choose=a_move)

    async with asyncio.timeout(60):
        await asyncio.gather(*(one(seat, token) for seat, token in enumerate(tokens)))


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_backup_of_matches_in_play_is_restored_and_played_on(
    server: Server, target: str, tmp_path: Path, postgres: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match, tokens = asyncio.run(begin(server))
    file = tmp_path / "today.gz"
    before = asyncio.run(rows(server.database))
    assert main(["backup", str(file), "--database", server.database]) == 0  # while the server runs
    assert f"3 people, 1 matches and {len(before['log'])} entries" in capsys.readouterr().out
    assert file.stat().st_mode & 0o777 == 0o600
    server.kill()
    new = new_database(target, tmp_path, postgres)
    assert main(["restore", str(file), "--check"]) == 0
    assert main(["restore", str(file), "--database", new]) == 0
    assert asyncio.run(rows(new)) == before
    again = Server(new, log=tmp_path / "again.log").start()
    try:
        asyncio.run(play(again, match, tokens))
    finally:
        again.stop()
    log = asyncio.run(stored(new))[match]
    assert [number for number, _ in log] == list(range(1, len(log) + 1)) and len(log) > len(before["log"])
    assert main(["restore", str(file), "--database", new]) == 2
    assert "not empty" in capsys.readouterr().err
    assert main(["admin", "check", "--database", new]) == 0


def test_backups_while_others_write_are_each_of_one_moment(server: Server, tmp_path: Path) -> None:
    """No entry without those before it, though many are added meanwhile."""

    async def work() -> None:
        tokens = [await person(server.url, name) for name in ("Ada", "Bo")]
        matches = [await new_match(server.url, tokens[0], "me open") for _ in range(4)]
        async with Client(server.url, tokens[0]) as ada, Client(server.url, tokens[1]) as bo:
            for match in matches:
                for seat, client in enumerate((ada, bo)):
                    await client.send("sit", match, seat=seat, name="P")
            playing = [asyncio.create_task(play_on(one, match, seat, choose=a_move))
                       for match in matches for seat, one in enumerate((ada, bo))]  # fmt: skip
            sizes = []
            for number in range(5):
                file = tmp_path / f"{number}.gz"
                counts = await backup.backup(server.database, file, "test")
                sizes.append(counts["log"])
                seen: dict[str, list[int]] = {}
                table = ""
                for line in map(json.loads, lines_of(file)):
                    table = line.get("table", table) if isinstance(line, dict) else table
                    if isinstance(line, list) and table == "log":
                        seen.setdefault(line[0], []).append(line[1])
                assert all(sorted(numbers) == list(range(1, len(numbers) + 1)) for numbers in seen.values())
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        assert sizes == sorted(sizes)

    asyncio.run(asyncio.wait_for(work(), 60))


@pytest.fixture
def kept(tmp_path: Path) -> tuple[str, Path]:
    """A small database and its backup."""
    address = f"sqlite:{tmp_path / 'x.db'}"

    async def make() -> None:
        opened = await store.open_store(address)
        for number in range(50):
            await opened.add_person(f"p{number}", f"hash{number}", f"Name {number}", number)
        await opened.close()
        await backup.backup(address, tmp_path / "x.gz", "test")

    asyncio.run(make())
    return address, tmp_path / "x.gz"


def changed(lines: list[bytes]) -> dict[str, bytes]:
    """Files that are no whole backup, and what is wrong with them."""
    whole = b"".join(lines)
    return {
        "nothing": b"", "no gzip": b"hello", "cut off": gzip.compress(whole)[:-100],
        "no end": gzip.compress(b"".join(lines[:-1])), "a row less": gzip.compress(b"".join(lines[:-2] + lines[-1:])),
        "a name changed": gzip.compress(whole.replace(b"Name 7", b"Name X")), "other JSON": gzip.compress(b'{"a":1}\n'),
        "no JSON": gzip.compress(b"hello\n"), "a list": gzip.compress(b"[1]\n"),
        "a newer format": gzip.compress(whole.replace(b'"format":1', b'"format":2')),
    }  # fmt: skip


def test_a_damaged_backup_is_refused_and_nothing_is_restored(kept: tuple[str, Path], tmp_path: Path) -> None:
    lines = lines_of(kept[1])
    damaged, new = tmp_path / "damaged.gz", tmp_path / "new.db"
    for name, content in changed(lines).items():
        damaged.write_bytes(content)
        with pytest.raises(Trouble, match=r"damaged|no backup|use a newer one"):
            asyncio.run(backup.restore(f"sqlite:{new}", damaged, "test"))
        assert not new.exists(), name
    packed = bytearray(kept[1].read_bytes())
    for place in range(0, len(packed), 7):  # wherever a byte is changed, the contents are the same or it is refused
        packed[place] ^= 0x55
        damaged.write_bytes(packed)
        with contextlib.suppress(Trouble):
            assert backup.verify(damaged) == backup.verify(kept[1])
        packed[place] ^= 0x55


def test_what_a_backup_does_not_fit_is_said(kept: tuple[str, Path], tmp_path: Path) -> None:
    address, file = kept
    with pytest.raises(BadOption, match="exists already"):
        asyncio.run(backup.backup(address, file, "test"))
    with pytest.raises(BadOption, match="not empty"):
        asyncio.run(backup.restore(address, file, "test"))
    with pytest.raises(BadOption, match="there is no file"):
        asyncio.run(backup.restore(f"sqlite:{tmp_path}/new.db", tmp_path / "none.gz", "test"))
    with pytest.raises(Trouble, match="cannot write"):
        asyncio.run(backup.backup(address, tmp_path / "none" / "x.gz", "test"))
    head, *rest = lines_of(file)
    newer = json.loads(head)
    newer["migrations"].append([99, "x"])
    lines = [json.dumps(newer).encode() + b"\n", *rest[:-1]]
    end = json.loads(rest[-1])
    end["sha256"] = backup.hashlib.sha256(b"".join(lines)).hexdigest()
    (tmp_path / "newer.gz").write_bytes(gzip.compress(b"".join([*lines, json.dumps(end).encode()])))
    with pytest.raises(BadOption, match="use a newer one"):
        asyncio.run(backup.restore(f"sqlite:{tmp_path}/new.db", tmp_path / "newer.gz", "test"))


def test_a_backup_of_an_earlier_version_gets_the_later_migrations(
    kept: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = (len(list(migrations())) + 1, "digest", "CREATE TABLE later (id TEXT PRIMARY KEY);")
    known = [*migrations(), later]
    monkeypatch.setattr(store, "migrations", lambda: known)
    new = f"sqlite:{tmp_path / 'new.db'}"
    asyncio.run(backup.restore(new, kept[1], "test"))
    found = asyncio.run(rows(new))
    assert len(found["people"]) == 50 and found["later"] == [] and len(found["migrations"]) == later[0]


def test_a_table_that_nobody_knew_is_kept_too(kept: tuple[str, Path], tmp_path: Path) -> None:
    """What other parts of the server add needs no line here: rows of all kinds, those before that others refer to."""
    address, _ = kept

    async def add() -> None:
        links = await connect(address)
        await links.rows("CREATE TABLE a_child (id TEXT, person TEXT REFERENCES people, much REAL, raw BLOB)")
        await links.rows("INSERT INTO a_child VALUES ('x', 'p7', 0.25, ?)", os.urandom(20))
        await links.close()
        await backup.backup(address, tmp_path / "more.gz", "test")

    asyncio.run(add())
    heads = [json.loads(line) for line in lines_of(tmp_path / "more.gz") if line.startswith(b'{"table"')]
    names = [head["table"] for head in heads]
    assert names.index("people") < names.index("a_child")
    shutil.copy(tmp_path / "more.gz", tmp_path / "copy.gz")
    assert backup.verify(tmp_path / "copy.gz")[1]["a_child"] == 1
