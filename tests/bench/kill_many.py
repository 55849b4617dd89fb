"""Kill -9 the server again and again under load: `python tests/bench/kill_many.py --database sqlite|postgresql`; or,
with `--servers 2 --crashes 16`, kill -9 PostgreSQL itself and in between the servers, one after the other.

Several tables play match after match, two of them with bots. After every kill the server starts again on the same port
and the clients reconnect. At the end every acknowledged command must be in the log, entry by entry, and every match
must be finished. `tests/server/test_durability.py` does the same with a dozen kills. The players choose at random on
purpose: a deterministic player would repeat a lost move, and the loss would go unnoticed.
"""

import argparse
import asyncio
import contextlib
import functools
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from http.client import HTTPException
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from live_server import NotingClient, Server, Told, a_postgres, new_database, new_match, person, play_on, stored
from rostra.client import Refused, request
from rostra.play.transcript import Ply, read
from rostra.play.verify import verify
from rostra.server import entries

Answer = TypeVar("Answer")
TABLES = ("me open", "me open", "me open open", "me greedy", "quovadis me open open", "quovadis me greedy greedy")
"""Who plays at each table."""
PAUSES = (0, 1, 5, 20, 60)
"""How many more commands are done before the next kill, one of these."""
LAST_MATCH = 120
"""Seconds in which all matches must come to their end after the last kill."""


BACK = 30
"""Seconds in which every server must have stored something again after a kill."""


class Report(NamedTuple):
    """What was seen."""

    kills: int
    told: int
    """Commands that clients were told are done, all of them found in the log."""
    entries: int
    matches: int
    reconnects: int
    waiting: int
    """Commands that had no answer when the server died; their clients sent them again."""
    back: list[float]
    """Seconds from each kill until each server had stored a command again."""


class Tables:
    """People who play match after match while the server dies."""

    def __init__(self, servers: Sequence[Server], seed: int) -> None:
        self.servers = servers
        self.server = servers[0]
        self.back: list[float] = []
        self._away: dict[int, float] = {}
        """The servers that have stored nothing since the last kill, and when that was."""
        self.told: list[Told] = []
        self.matches: list[str] = []
        self.closing = False
        self.waiting = 0
        self._clients: list[NotingClient] = []
        self._players: list[asyncio.Task[None]] = []
        self._news = asyncio.Event()
        self._chance = random.Random(seed)

    def _note(self, told: Told, side: int) -> None:
        if side in self._away:
            self.back.append(time.monotonic() - self._away.pop(side))
        self.told.append(told)
        self._news.set()

    async def kill(self, kills: int, cluster: Any = None) -> None:
        """Play, and kill the server so many times; or, in turn, the database and each of the servers. Returns when all
        matches have come to their end."""
        victims = [self._restart(server) for server in self.servers]
        if cluster is not None:  # the database is what this is about
            victims = [one for victim in victims for one in (self._crash(cluster), victim)]
        async with asyncio.TaskGroup() as group:
            self.play(group)
            for kill in range(kills):
                await self._until(len(self.told) + self._chance.choice(PAUSES))
                await asyncio.sleep(self._chance.uniform(0, 0.02))  # not always right after an answer
                self.waiting += sum(client.waiting for client in self._clients)
                await asyncio.to_thread(victims[kill % len(victims)])
                self._away = dict.fromkeys(range(len(self.servers)), time.monotonic())
                await self._all_back()
            self.closing = True
            if (await asyncio.wait(self._players, timeout=LAST_MATCH))[1]:
                raise TimeoutError(f"matches still go on {LAST_MATCH} seconds after the last kill")

    def play(self, group: asyncio.TaskGroup) -> None:
        """Let people sit down at all tables."""
        for place, table in enumerate(TABLES):
            self._players.append(group.create_task(self._sit(place, table, random.Random(self._chance.random()))))

    def _restart(self, server: Server) -> Callable[[], None]:
        def restart() -> None:
            server.kill()
            server.start()

        return restart

    def _crash(self, cluster: Any) -> Callable[[], None]:
        def crash() -> None:
            crash_postgres(cluster)
            cluster.ensure_postgres_running()

        return crash

    async def _all_back(self) -> None:
        """Wait until every server has stored something again."""
        try:
            async with asyncio.timeout(BACK):
                while self._away:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise TimeoutError(f"servers {sorted(self._away)} stored nothing for {BACK} seconds") from None

    async def _until(self, enough: int) -> None:
        """Wait until so many commands were done."""
        async with asyncio.timeout(60):
            while len(self.told) < enough:
                self._news.clear()
                await self._news.wait()

    async def _sit(self, place: int, table: str, chance: random.Random) -> None:
        """One table: its people stay, and play one match after the other."""
        game, _, seats = table.partition(" ") if table.startswith("quovadis") else ("alea", "", table)
        tokens = [await again(lambda: person(self.server.url)) for word in seats.split() if word in ("me", "open")]
        async with contextlib.AsyncExitStack() as stack:
            clients = []
            for number, token in enumerate(tokens):
                side = (number + place) % len(self.servers)
                note = functools.partial(self._note, side=side)
                clients.append(NotingClient(self.servers[side].url, token, note=note))
            for client in clients:
                self._clients.append(await stack.enter_async_context(client))
            plan = {"settings": {"pace": 0, "talk": 0}}
            while not self.closing:
                match = await again(lambda: new_match(self.server.url, tokens[0], seats, game, **plan))
                self.matches.append(match)
                async with asyncio.TaskGroup() as group:
                    for seat, client in enumerate(clients):
                        group.create_task(self._play(client, match, seat, random.Random(chance.random())))

    async def _play(self, client: NotingClient, match: str, seat: int, chance: random.Random) -> None:
        await client.send("sit", match, seat=seat, name=f"seat {seat}")

        def choose(state: dict[str, Any]) -> str:
            moves = [move for move in state["legal"] if move[0] not in "R@"] or state["legal"]
            return str(chance.choice(moves))

        await play_on(client, match, seat, choose=choose)

    async def check(self, kills: int) -> Report:
        """Compare what clients were told with what is stored."""
        logs = await stored(self.server.database)
        for match, log in logs.items():
            assert [number for number, _ in log] == list(range(1, len(log) + 1)), f"{match}: entries are missing"
            ids = Counter((body.by, body.id) for _, body in log if body.id is not None)
            assert max(ids.values(), default=1) == 1, f"{match}: {ids.most_common(1)} was carried out twice"
        for told in self.told:
            assert told.number <= len(logs[told.match]), f"lost: {told}"
            body = logs[told.match][told.number - 1][1]
            assert body.id == told.id, f"lost: {told}; in its place: {body}"
            if told.kind == "play":
                played = body.events[0]
                assert isinstance(played, entries.Played)
                assert played.moves[0] == told.fields["move"]
        assert len({(told.match, told.number) for told in self.told}) == len(self.told)
        plies = {match: await self._plies(match) for match in self.matches}
        for match, _, _, kind, fields in self.told:
            if kind == "play":
                assert plies[match][fields["ply"]] == (fields["ply"], fields["seat"], fields["move"])
        written = sum(len(log) for log in logs.values())
        reconnects = sum(client.reconnects for client in self._clients)
        return Report(kills, len(self.told), written, len(self.matches), reconnects, self.waiting, self.back)

    async def _plies(self, match: str) -> list[tuple[int, int | None, str]]:
        """The plies of a match that is over and whose dice are right."""
        text = await request(self.server.url, "GET", f"/api/matches/{match}/transcript")
        verify(text)
        return [(event.number, event.seat, event.move) for event in read(text).events if isinstance(event, Ply)]


async def again(asking: Callable[[], Awaitable[Answer]]) -> Answer:
    """Ask until there is a server that answers."""
    async with asyncio.timeout(30):
        while True:
            try:
                return await asking()
            except (OSError, HTTPException):  # nobody is there, or died while answering
                await asyncio.sleep(0.05)
            except Refused as refused:
                if refused.code != "unavailable":  # the database is away
                    raise
                await asyncio.sleep(0.05)


def crash_postgres(cluster: Any) -> None:
    """Kill -9 PostgreSQL with all of its processes, as when the machine loses its power."""
    pid = int((Path(cluster.pgdata) / "postmaster.pid").read_text().split()[0])
    postmaster = psutil.Process(pid)
    family = [postmaster, *postmaster.children(recursive=True)]
    for process in family:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(family, timeout=10)


async def kill_many(server: Server, kills: int, seed: int) -> Report:
    """Play at a running server, kill it so many times, and compare."""
    tables = Tables([server], seed)
    await tables.kill(kills)
    return await tables.check(kills)


async def crash_many(servers: Sequence[Server], cluster: Any, crashes: int, seed: int) -> Report:
    """Play at running servers, kill their database and them so many times, and compare."""
    tables = Tables(servers, seed)
    await tables.kill(crashes, cluster)
    return await tables.check(crashes)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--crashes", type=int, default=0, help="kill PostgreSQL and the servers in turn, so many times")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster: Any = None
        kind = "postgresql" if arguments.crashes else arguments.database
        if kind == "postgresql":
            cluster = stack.enter_context(a_postgres(folder / "cluster"))
        database = new_database(kind, folder, cluster.get_uri() if cluster else "")
        servers = [Server(database, log=folder / f"server{n}.log").start() for n in range(arguments.servers)]
        began = time.monotonic()
        try:
            if arguments.crashes:
                report = asyncio.run(crash_many(servers, cluster, arguments.crashes, arguments.seed))
            else:
                report = asyncio.run(kill_many(servers[0], arguments.kills, arguments.seed))
        finally:
            for server in servers:
                if server.process is not None:
                    server.kill()
        print(f"{kind}, {len(servers)} servers, seed {arguments.seed}, {time.monotonic() - began:.0f} seconds:")
        print(f"{report.kills} kills, {report.reconnects} reconnects, {report.waiting} commands under way at a kill;")
        print(f"{report.told} commands acknowledged, every one in the log at its number, none twice;")
        print(f"{report.entries} entries in {report.matches} matches, all played to their end and verified;")
        back = sorted(report.back)
        print(f"{len(back)} times a server stored again, after {back[len(back) // 2]:.1f} s, at most {back[-1]:.1f} s")


if __name__ == "__main__":
    main()
