"""What operators do, beside a server that runs, on both databases."""

import asyncio
import contextlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from live_server import Server, Wire, a_move, new_match, person, play_on
from rostra.cli import main
from rostra.client import Client, Refused, request
from rostra.play.verify import verify
from rostra.server import entries, erasing
from rostra.server.orders import POLL
from rostra.server.store import LogRow

SOON = 20


def rostra(*words: str, code: int = 0) -> str:
    """A command in a process of its own, as an operator gives it; what it printed."""
    ran = subprocess.run(
        [sys.executable, "-m", "rostra", *words], capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == code, ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr, ran.stderr
    return ran.stdout if code == 0 else ran.stdout + ran.stderr


def facts(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    """What a command finds, asked in this process because that is quicker."""
    capsys.readouterr()
    assert main(["admin", words[0], "--json", *words[1:]]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


async def in_thread(*words: str, code: int = 0) -> str:
    return await asyncio.to_thread(rostra, *words, code=code)


async def execute(database: str, *statements: str) -> None:
    """Somebody with a shell of the database."""
    if database.startswith("sqlite:"):
        with contextlib.closing(sqlite3.connect(database.removeprefix("sqlite:"), timeout=20)) as file:
            for statement in statements:
                file.execute(statement)
            file.commit()
        return
    connection = await asyncpg.connect(database)
    for statement in statements:
        await connection.execute(statement)
    await connection.close()


async def id_of(url: str, token: str) -> str:
    return str((await request(url, "GET", "/api/me", token=token))["person"])


async def two(url: str, game: str = "alea", **settings: Any) -> tuple[str, str, str]:
    """A match of two people who have sat down, and their tokens."""
    ada, bo = await person(url, "Ada"), await person(url, "Bo")
    match = await new_match(url, ada, "me open", game, settings=settings)
    for seat, (token, name) in enumerate(((ada, "Ada"), (bo, "Bo"))):
        await act(url, token, match, type="sit", seat=seat, name=name)
    return match, ada, bo


async def act(url: str, token: str, match: str, **command: Any) -> None:
    body = {"id": json.dumps(command)[:64], "match": match, **command}
    await request(url, "POST", f"/api/matches/{match}/commands", body, token)


async def within(work: Any, seconds: float = 60) -> Any:
    async with asyncio.timeout(seconds):
        return await work


def test_the_running_server_notices_that_a_match_was_closed_or_deleted(server: Server) -> None:
    async def work() -> None:
        url, database = server.url, ("--database", server.database)
        match, ada, _ = await two(url)
        other, cy, _ = await two(url)
        async with Wire(url, ada) as wire, Wire(url, cy) as bystander:
            await wire.say("watch", match=match, seat=0)
            await bystander.say("watch", match=other, seat=0)
            await wire.hear("update")
            await in_thread("admin", "close", match, *database, "--why", "stuck")
            while (await wire.hear("update")).get("about", {}).get("status") != "over":
                pass
            assert (await wire.do("resign", match, seat=0))["code"] == "over"
            assert (await wire.do("say", match, seat=0, text="so be it"))["type"] == "done"
            assert "over already" in await in_thread("admin", "close", match, *database, code=1)
            await in_thread("admin", "delete", match, *database, "--yes")
            assert (await wire.hear("refused"))["code"] == "no-match"
            assert (await wire.do("say", match, seat=0, text="hello?"))["code"] == "no-match"
            assert httpx.get(f"{url}/api/matches/{match}").status_code == 404
            mine = await request(url, "GET", "/api/matches?show=mine", token=ada)
            assert mine["matches"] == []
            assert (await bystander.do("say", other, seat=0, text="still here"))["type"] == "done"
            told = await bystander.settle()
            assert not any(message["type"] == "refused" for message in told)
        assert f"there is no match '{match}'" in await in_thread("admin", "match", match, *database, code=1)

    asyncio.run(within(work()))
    assert server.stop() == 0
    server.start()
    assert httpx.get(f"{server.url}/healthz").json() == {"status": "ok"}


def test_a_banned_person_is_out_at_once_and_comes_back_when_allowed(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    async def work() -> tuple[str, str, str]:
        url, database = server.url, ("--database", server.database)
        match, ada, bo = await two(url)
        alone = await new_match(url, bo, "me open")
        name = await id_of(url, bo)
        await request(url, "POST", f"/api/matches/{match}/report", {"seat": 1, "reason": "talk"}, ada)
        async with Wire(url, ada) as friend, Wire(url, bo) as wire:
            await friend.say("watch", match=match, seat=0)
            await wire.say("watch", match=match, seat=1)
            await wire.hear("update")
            await in_thread("admin", "ban", name, *database, "--why", "abuse")
            await wire.socket.wait_closed()
            while (about := (await friend.hear("update")).get("about")) is None or about["seats"][1]["kind"] != "bot":
                pass  # a bot plays on for it
            assert about["seats"][1]["name"] == "Bo (bot)"
        async with Wire(url, None) as again:
            await again.say("hello", token=bo)
            assert (await again.hear("refused"))["code"] == "banned"
        with pytest.raises(Refused) as refused:
            await request(url, "POST", "/api/matches", {"game": "alea", "seats": []}, bo)
        assert refused.value.code in ("banned", "bad-body")
        with pytest.raises(Refused, match="closed this account"):
            await request(url, "GET", "/api/me", token=bo)
        assert "banned already" in await in_thread("admin", "ban", name, *database, code=1)
        status = (await request(url, "GET", f"/api/matches/{alone}"))["about"]["status"]
        assert status == "over"  # nobody else was there
        await in_thread("admin", "unban", name, *database)
        await asyncio.wait_for(until_known(url, bo), SOON)
        await in_thread("admin", "revoke", name, *database)
        await asyncio.wait_for(until_unknown(url, bo), SOON)
        return match, name, ada

    match, name, _ = asyncio.run(within(work()))
    database = ("--database", server.database)
    (found,) = facts(capsys, "match", match, *database)
    assert found["problems"] == [] and found["status"] == "playing"
    assert [seat["name"] for seat in found["seats"]] == ["Ada", "Bo (bot)"]
    told = facts(capsys, "audit", *database)
    assert [(row["what"], row["why"]) for row in told if row["about"] == name] == [
        ("ban", "abuse"), ("unban", ""), ("revoke", ""),
    ]  # fmt: skip
    assert {row["about"] for row in told if row["what"] == "leave"} >= {match}
    assert [row["number"] for row in told] == [1, 2, 3, 4, 5]
    assert facts(capsys, "people", "b", *database)[0]["person"] == name
    assert facts(capsys, "people", "%", *database) == []
    (report,) = facts(capsys, "reports", *database)
    assert (report["about"], report["match"], report["seat"], report["reason"]) == (name, match, 1, "talk")
    (known,) = facts(capsys, "person", name, *database)
    assert known["name"] == "Bo" and known["banned"] is None and known["matches"]["over"] == 1
    (figures,) = facts(capsys, "statistics", *database)
    assert figures["people"] == 2 and figures["matches"]["alea"] == {"over": 1, "playing": 1}
    assert [row["match"] for row in facts(capsys, "matches", "--status", "playing", *database)] == [match]


async def until_known(url: str, token: str) -> None:
    while True:
        with contextlib.suppress(Refused):
            await request(url, "GET", "/api/me", token=token)
            return
        await asyncio.sleep(POLL)


async def until_unknown(url: str, token: str) -> None:
    while True:
        try:
            await request(url, "GET", "/api/me", token=token)
        except Refused as refused:
            assert refused.code == "unknown"
            return
        await asyncio.sleep(POLL)


def test_an_erased_person_leaves_no_name_and_no_word_and_others_play_on(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def work() -> tuple[str, str, str]:
        url = server.url
        ada, bo = await person(url, "Ada"), await person(url, "Boadicea")
        match = await new_match(url, ada, "me open", settings={"pace": 0, "stand_in": "greedy"})
        await act(url, ada, match, type="sit", seat=0, name="Ada")
        await act(url, bo, match, type="sit", seat=1, name="Boadicea")
        await act(url, bo, match, type="say", seat=1, text="my cat is called Catullus")
        await act(url, bo, match, type="rename", seat=1, name="Queen Boadicea")
        await act(url, ada, match, type="say", seat=0, text="salve")
        name = await id_of(url, bo)
        file = tmp_path / "bo.json"
        await in_thread("admin", "export", name, str(file), "--database", server.database)
        known = json.loads(file.read_text(encoding="utf-8"))
        assert "Catullus" in json.dumps(known) and "salve" not in json.dumps(known)
        assert known["people"][0]["name"] == "Boadicea" and "token" not in known["people"][0]
        assert known["matches"][0]["match"] == match and known["matches"][0]["seats"] == [1]
        async with Client(url, ada) as client:
            table = await client.watch(match, 0)
            await in_thread("admin", "erase", name, "--yes", "--database", server.database)
            while table.about["seats"][1]["name"] != "— (bot)" or table.chat[0]["text"] != "—":
                await table.news(table.number)  # who watches is shown it anew
            assert table.chat[1]["text"] == "salve"
            await play_on(client, match, 0, choose=a_move)
        text = await request(url, "GET", f"/api/matches/{match}/transcript")
        assert "oadicea" not in text and verify(text).end == "sets-played"
        with pytest.raises(Refused):
            await request(url, "GET", "/api/me", token=bo)
        return match, name, str(await dump(server.database))

    _, name, whole = asyncio.run(within(work()))
    assert "oadicea" not in whole and "Catullus" not in whole and "salve" in whole
    database = ("--database", server.database)
    assert facts(capsys, "person", name, *database)[0]["name"] == erasing.NOBODY
    assert "no problems" in rostra("admin", "check", *database)
    assert "say --yes" in rostra("admin", "erase", name, *database, code=2)


async def dump(database: str) -> list[Any]:
    """All rows of the tables that we know."""
    rows: list[Any] = []
    for table in ("people", "matches", "seats", "log", "audit", "bans"):
        query = f"SELECT * FROM {table} ORDER BY 1, 2"
        if database.startswith("sqlite:"):
            with contextlib.closing(sqlite3.connect(database.removeprefix("sqlite:"))) as file:
                rows.append(file.execute(query).fetchall())
        else:
            connection = await asyncpg.connect(database)
            rows.append([tuple(row) for row in await connection.fetch(query)])
            await connection.close()
    return rows


def test_only_what_the_person_said_and_was_called_is_replaced() -> None:
    log = [
        [entries.Sat(0, "Ada", "a"), entries.Sat(1, "Bo", "b")],
        [entries.Said(1, "mine"), entries.Said(0, "hers"), entries.Said(1, "Well played!", "well-played")],
        [entries.Offered(1, ["x"], words=((1, 0, "I swear"),))],
        [entries.Sat(1, "Bo (bot)", None, "eques")],
        [entries.Sat(1, "Bo (bot)", None, "greedy"), entries.Said(0, "later")],
        [entries.Sat(1, "Cy", "c"), entries.Said(1, "new here")],
        [entries.Left(1), entries.Sat(1, "Bo the second", "d")],
    ]
    rows = [LogRow(n, 0, entries.encode(entries.Body(events, "x", "1")).decode()) for n, events in enumerate(log, 1)]
    rows.append(LogRow(8, 0, entries.encode(entries.Body([], "b", "Bo was here")).decode()))
    changed = {number: entries.decode(body).events for number, body in erasing.without("b", rows)}
    assert changed == {
        1: [entries.Sat(0, "Ada", "a"), entries.Sat(1, "—", "b")],
        2: [entries.Said(1, "—"), entries.Said(0, "hers"), entries.Said(1, "Well played!", "well-played")],
        3: [entries.Offered(1, ["x"], words=((1, 0, "—"),))],
        4: [entries.Sat(1, "— (bot)", None, "eques")],
        5: [entries.Sat(1, "— (bot)", None, "greedy"), entries.Said(0, "later")],
        8: [],
    }
    again = [row._replace(body=dict(erasing.without("b", rows)).get(row.number, row.body)) for row in rows]
    assert erasing.without("b", again) == []


def test_s9_a_match_deleted_by_hand_harms_nobody(server: Server) -> None:
    """With a shell of the database, while people play there and elsewhere; SQLite's shell leaves rows behind."""

    async def work() -> str:
        url = server.url
        match, ada, _ = await two(url)
        other, cy, di = await two(url)
        async with Client(url, cy) as client, Client(url, di) as opponent, Wire(url, ada) as wire:
            playing = [asyncio.create_task(play_on(one, other, seat)) for seat, one in enumerate((client, opponent))]
            await wire.do("say", match, seat=0, text="here")
            deleting = ["DELETE FROM matches"]
            if server.database.startswith("postgresql"):
                deleting = ["DELETE FROM log", "DELETE FROM seats", *deleting]
            await execute(server.database, *(f"{one} WHERE {'id' if 'matches' in one else 'match'} = '{match}'"
                                             for one in deleting))  # fmt: skip
            for _ in range(3):
                assert (await wire.do("say", match, seat=0, text="still?"))["code"] in ("unavailable", "no-match")
            await asyncio.gather(*playing)
        return other

    other = asyncio.run(within(work()))
    assert server.stop() == 0
    server.start()
    assert httpx.get(f"{server.url}/api/matches/{other}").json()["about"]["status"] == "over"
    if server.database.startswith("sqlite"):
        told = rostra("admin", "check", "--database", server.database, code=1)
        assert "log: 3 rows belong to no row of matches" in told


def test_a_check_names_every_problem_and_goes_on(
    tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    server = Server(database).start()

    async def work() -> list[str]:
        return [(await two(server.url))[0] for _ in range(6)]

    try:
        gap, broken, status, game, rules, well = asyncio.run(within(work()))
    finally:
        server.stop()
    body = '[[["played",0,["nonsense"]]],null,null]'
    last = f"(SELECT max(number) FROM log WHERE match = '{broken}')"
    asyncio.run(execute(
        database,
        f"UPDATE log SET number = 7 WHERE match = '{gap}' AND number = 2",
        f"INSERT INTO log (match, number, at, body) SELECT '{broken}', 1 + {last}, 5, '{body}'",
        f"UPDATE matches SET status = 'over' WHERE id = '{status}'",
        f"UPDATE matches SET game = 'ludo' WHERE id = '{game}'",
        f"UPDATE matches SET rules = 99 WHERE id = '{rules}'",
    ))  # fmt: skip
    capsys.readouterr()
    assert main(["admin", "check", "--json", "--database", database]) == 1
    found = {(row := json.loads(line))["where"]: row["problem"] for line in capsys.readouterr().out.splitlines()}
    assert set(found) == {gap, broken, status, game, rules}
    assert "entries are missing" in found[gap]
    assert "does not replay" in found[broken]
    assert found[status] == "its status is over, by its log it is playing"
    assert "ludo" in found[game]
    assert "rules 99" in found[rules]
    (seen,) = facts(capsys, "match", broken, "--database", database)
    assert seen["problems"] and "seats" not in seen
    assert "begun with rules 99" in rostra("admin", "close", rules, "--database", database, code=1)
    assert main(["admin", "delete", broken, "--yes", "--database", database]) == 0
    assert main(["admin", "match", well, "--log", "--database", database]) == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["matches", "--database", "sqlite:/nowhere/x.db"], "there is no database /nowhere/x.db"),
        (["matches", "--database", "mysql://x"], "sqlite:FILE or postgresql://"),
        (["matches", "--database", "postgresql://127.0.0.1:1/none"], "cannot connect to the database"),
        (["matches", "--status", "lost"], "invalid choice"),
        (["person"], "required: person"),
    ],
)
def test_what_cannot_be_done_is_said(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(["admin", *words])
    except SystemExit as ended:
        code = int(str(ended.code))
    assert code == 2
    assert says in capsys.readouterr().err


def test_a_file_that_is_no_database_of_ours_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.db"
    file.write_bytes(b"")
    assert main(["admin", "audit", "--database", f"sqlite:{file}"]) == 2
    assert "holds no matches of Rostra" in capsys.readouterr().err
    file.write_bytes(b"no database" * 1000)
    assert main(["admin", "audit", "--database", f"sqlite:{file}"]) == 1
    assert "file is not a database" in capsys.readouterr().err
