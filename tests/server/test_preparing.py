"""A server on a machine that has compiled nothing yet: people come first, bots when they are ready."""

import asyncio
import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from live_server import Server, new_match, person, play_on
from rostra.bots.preparing import BOTS, TABLE, Preparing
from rostra.client import Client, request


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that finds no compiled code."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    server = Server(f"sqlite:{tmp_path / 'x.db'}", log=tmp_path / "log").start()
    yield server
    if server.process is not None:
        server.kill()


def progress(server: Server) -> dict[str, Any]:
    return asyncio.run(request(server.url, "GET", "/api/progress"))


@pytest.mark.slow
def test_people_play_while_the_bots_are_getting_ready(cold: Server) -> None:
    async def test() -> None:
        before = await request(cold.url, "GET", "/api/progress")
        assert not before["done"]
        assert {one["game"] for one in before["games"]} == {"alea", "quovadis"}
        token = await person(cold.url)
        with_bot = await new_match(cold.url, token, "me eques", settings={"pace": 0}, options={"start_seat": "1"})
        alone = await new_match(cold.url, token, "me me")
        async with Client(cold.url, token) as client:
            for match, seats in ((with_bot, 1), (alone, 2)):
                for seat in range(seats):
                    await client.send("sit", match, seat=seat, name=f"P{seat}")
            table = await client.watch(alone, 0)
            while table.play is None:
                await table.news(table.number)
            seat = table.play["turn"]
            assert await play_on(client, alone, seat, moves=1)
            now = await request(cold.url, "GET", "/api/progress")
            shares = {one["game"]: (one[TABLE], one[BOTS]) for one in now["games"]}
            assert shares["alea"][0] == 1
            assert shares["alea"][1] < 1, "a person moves before the bots can"
            assert await play_on(client, with_bot, 0, moves=1), "the bot, which begins, takes its turn when it can"
        after = await request(cold.url, "GET", "/api/progress")
        assert {one["game"]: one[BOTS] for one in after["games"]}["alea"] == 1

    asyncio.run(asyncio.wait_for(test(), 300))


@pytest.mark.slow
def test_what_was_compiled_before_a_kill_is_not_compiled_again(cold: Server, tmp_path: Path) -> None:
    def code() -> dict[str, int]:
        return {file.name: file.stat().st_ino for file in (tmp_path / "cache" / "rostra").glob("*.code")}

    while not code():
        assert not progress(cold)["done"]
        time.sleep(0.05)
    cold.kill()
    kept = code()
    cold.start()
    while not progress(cold)["done"]:
        time.sleep(0.2)
    assert kept.items() <= code().items(), "a file that is written again is another file"
    cold.stop()
    cold.start()
    assert progress(cold)["done"]
    assert cold.process is not None and cold.process.stdout is not None
    cold.process.send_signal(signal.SIGTERM)
    assert "ready" not in cold.process.stdout.read(), "there is nothing to wait for, and nothing to say"


@pytest.mark.slow
@pytest.mark.parametrize("how", ["stopped", "killed"])
def test_nothing_goes_on_compiling_without_its_server(cold: Server, how: str) -> None:
    assert cold.process is not None
    asked = ["ps", "-o", "pid=", "--ppid", str(cold.process.pid)]
    while not (beside := subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split()):
        time.sleep(0.05)
    if how == "killed":
        cold.kill()
    else:
        assert cold.stop() == 0
    until = time.monotonic() + 20
    while running := [pid for pid in beside if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < until, running
        time.sleep(0.05)


def a_preparing(shares: dict[str, dict[str, float]]) -> Preparing:
    made = Preparing([])
    made.shares = shares
    made._waiting = list(shares)
    return made


def test_a_game_that_somebody_waits_for_comes_first() -> None:
    async def test() -> None:
        preparing = a_preparing({name: {TABLE: 0.0, BOTS: 0.0} for name in ("one", "two", "three")})
        waiting = asyncio.ensure_future(preparing.wait("three", TABLE))
        await asyncio.sleep(0)
        assert preparing._waiting == ["three", "one", "two"]
        await preparing._heard("three", TABLE, 0.5)
        assert not waiting.done()
        await preparing._heard("three", TABLE, 1.0)
        await waiting
        await preparing.wait("a game of another package", BOTS)

    asyncio.run(asyncio.wait_for(test(), 10))


def test_progress_is_a_line_now_and_then_or_a_bar_on_a_terminal() -> None:
    async def shown(out: Any) -> None:
        preparing = a_preparing({"one": {TABLE: 1.0, BOTS: 0.5}})
        showing = asyncio.ensure_future(preparing.show(out))
        await asyncio.sleep(0.1)
        await preparing._heard("one", BOTS, 1.0)
        await showing

    lines = StringIO()
    asyncio.run(shown(lines))
    assert lines.getvalue() == "The bots are getting ready: 75%, 0 s\nEverything is ready after 2 s.\n"
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal, os.fdopen(ours, "rb", buffering=0) as screen:
        asyncio.run(shown(terminal))
        assert b"[" + b"#" * 18 + b"." * 6 + b"] 75%" in screen.read(1000)


def test_a_process_that_fails_keeps_nobody_waiting(caplog: pytest.LogCaptureFixture) -> None:
    """Whoever waits then meets the error, at the table itself."""

    async def test() -> None:
        preparing = a_preparing({"no-such-game": {TABLE: 0.0, BOTS: 0.0}})
        await asyncio.gather(preparing.wait("no-such-game", BOTS), preparing.run())
        assert preparing.done

    asyncio.run(asyncio.wait_for(test(), 60))
    assert "cannot compile" in caplog.text


@pytest.mark.slow
def test_a_process_tells_how_far_it_is(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rostra.bots.preparing", "quovadis"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        told = [json.loads(line) for line in process.stdout]
    for part in (TABLE, BOTS):
        shares = [share for name, share in told if name == part]
        assert shares == sorted(shares) and shares[-1] == 1
        assert len(shares) > 10
