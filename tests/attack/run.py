"""Attack a server and see how others fare: `python tests/attack/run.py [--seconds 10] [--only bots,chat]`.

Starts a server on this machine, has honest people play on it, first in peace and then under each flood of `floods.py`,
and prints how long their moves and the answers of their bots took. The figures in `docs/reliability.md` are from it.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from attack.floods import FLOODS
from live_server import Server, Wire, a_move, new_database
from rostra.client import request

HERE = Path(__file__).parent
EVERY = 0.1
"""Seconds that an honest player thinks."""


class Times(NamedTuple):
    """What honest people noticed, in milliseconds: until a move was on disk, and until a bot had answered."""

    moves: list[float]
    bots: list[float]


class Honest:
    """Somebody who plays both seats of a match or, where `seats` has a bot, against it."""

    def __init__(self, url: str, address: str, seats: str, times: list[float]) -> None:
        self._url = url
        self._headers = {"x-forwarded-for": address}
        self._seats = seats
        self._times = times

    async def play(self) -> None:
        """Match after match, for ever."""
        token = str((await request(self._url, "POST", "/api/people", {"name": "Ada"}))["token"])
        async with Wire(self._url, token, additional_headers=self._headers) as wire:
            while True:
                await self._match(wire, token)

    async def _match(self, wire: Wire, token: str) -> None:
        plan = [{"kind": word} if word == "me" else {"kind": "bot", "bot": word} for word in self._seats.split()]
        wanted = {"game": "alea", "seats": plan, "settings": {"pace": 0}}
        match = str((await request(self._url, "POST", "/api/matches", wanted, token))["match"])
        own = [seat for seat, word in enumerate(self._seats.split()) if word == "me"]
        for seat in own:
            await wire.do("sit", match, seat=seat, name="Ada")
        await wire.settle()
        for seat in own:
            await wire.say("watch", match=match, seat=seat, details=True)
        since, acted = 0.0, None
        while True:
            update = next((one for one in map(json.loads, wire.heard) if _acts(one, match, acted)), None)
            if update is None:
                update = await wire.hear("update")
                if update["match"] == match and update.get("about", {}).get("status") == "over":
                    wire.heard.clear()
                    return
                continue
            play, wire.heard = update["play"], []
            if since and len(own) == 1:
                self._times.append(1000 * (time.perf_counter() - since))
            await asyncio.sleep(EVERY)
            here = {"seat": update["seat"], "epoch": play["epoch"], "ply": play["ply"]}
            since, acted = time.perf_counter(), (play["epoch"], play["ply"])
            done = await wire.do("play", match, **here, move=a_move(play), seconds=60)
            assert done["type"] == "done", done
            if len(own) == 2:
                self._times.append(1000 * (time.perf_counter() - since))
            if any(one.get("about", {}).get("status") == "over" for one in map(json.loads, wire.heard)):
                wire.heard.clear()
                return


def _acts(message: dict[str, Any], match: str, acted: Any) -> bool:
    """Whether this is a message in which we are to decide something new."""
    play = message.get("play") if message.get("match") == match else None
    return bool(play and play["legal"] and (play["epoch"], play["ply"]) != acted)


async def measure(url: str, seconds: float, name: str | None, attackers: int) -> tuple[Times, dict[str, Any]]:
    """Play for so long, under a flood if one is named."""
    times = Times([], [])
    players = [Honest(url, f"10.0.0.{n}", "me me", times.moves) for n in (1, 2)]
    players += [Honest(url, "10.0.0.3", "me eques", times.bots)]
    playing = [asyncio.create_task(player.play()) for player in players]
    done: dict[str, Any] = {"sent": 0, "answers": {}}
    try:
        if name is None:
            await asyncio.wait(playing, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        else:
            addresses = [f"10.66.{n}.1" for n in range(attackers)]
            command = [sys.executable, str(HERE / "floods.py"), name, url, str(seconds), *addresses]
            process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
            said, _ = await process.communicate()
            assert process.returncode == 0, f"the flood {name} failed"
            done = json.loads(said)
        for player in playing:
            assert not player.done() or player.exception() is None, f"an honest player failed: {player.exception()!r}"
    finally:
        for player in playing:
            player.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    return times, done


def at(times: list[float], share: float) -> float:
    """The time that this share of all is under; there are few bots' answers in a short run."""
    if len(times) < 2:
        return times[0] if times else float("nan")
    return statistics.quantiles(times, n=100, method="inclusive")[round(share * 100) - 1]


def a_server(folder: Path, database: str = "") -> Server:
    """A server with its default limits, which believes that its clients are where they say."""
    database = database or new_database("sqlite", folder, "")
    server = Server(database, "--proxies", "127.0.0.1", log=folder / "server.log", limited=True)
    return server.start()


async def run(url: str, names: list[str], seconds: float, attackers: int) -> None:
    """All floods, one after the other, as a table in Markdown."""
    await measure(url, 5, None, 0)  # what is compiled or started for the first time does not count
    print("| flood | sent | answers | moves, quiet | moves, flooded | ratio | bot answers, quiet | flooded |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for name in names:
        quiet, _ = await measure(url, seconds, None, 0)  # just before, for other things happen on this machine too
        times, done = await measure(url, seconds, name, attackers)
        answers = ", ".join(f"{code} {n:,}" for code, n in sorted(done["answers"].items(), key=lambda one: -one[1])[:4])
        ratio = at(times.moves, 0.99) / at(quiet.moves, 0.99)
        figures = f"{told(quiet.moves)} | {told(times.moves)} | {ratio:.1f} | {told(quiet.bots)} | {told(times.bots)}"
        print(f"| `{name}` | {done['sent']:,} | {answers} | {figures} |", flush=True)


def told(times: list[float]) -> str:
    """Median and 99th percentile."""
    return f"{at(times, 0.5):.0f} / {at(times, 0.99):.0f} ms"


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description="Attack a server on this machine and see how others fare.")
    parser.add_argument("--seconds", type=float, default=10, help="of each flood")
    parser.add_argument("--attackers", type=int, default=2, help="addresses from which it comes")
    parser.add_argument("--only", default=",".join(FLOODS), help="floods, separated by commas")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        server = a_server(Path(folder))
        stack.callback(server.kill)
        asyncio.run(run(server.url, asked.only.split(","), asked.seconds, asked.attackers))
        assert "Traceback" not in (Path(folder) / "server.log").read_text()


if __name__ == "__main__":
    main()
