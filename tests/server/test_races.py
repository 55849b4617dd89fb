"""Races and failures: two servers on one PostgreSQL, and a server that loses its database.

The same person is connected to both servers, so only the number of an entry decides who was first. A refusal is only
half of the promise: the loser must also be sent what beat it, without asking.
"""

import asyncio
import contextlib
import json
import random
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from chaos_proxy import Door
from live_server import (
    NotingClient,
    Server,
    a_postgres,
    new_database,
    new_match,
    person,
    play_on,
    refused_start,
    stored,
    until,
)
from rostra.client import Client, Refused, Table, request
from rostra.play.verify import verify
from rostra.server import entries
from rostra.server.store import Append, Change, MatchRow, open_store

pytestmark = pytest.mark.slow

SOON = 20
"""Seconds in which what must happen has happened."""


@contextlib.contextmanager
def two_servers(postgres: str, folder: Path) -> Iterator[list[Server]]:
    """Two servers on one PostgreSQL."""
    database = new_database("postgresql", folder, postgres)
    servers = [Server(database, log=folder / f"server{number}.log") for number in range(2)]
    try:
        with ThreadPoolExecutor() as threads:
            list(threads.map(Server.start, servers))
        yield servers
    finally:
        for server in servers:
            if server.process is not None:
                server.kill()


@pytest.fixture(scope="module")
def pair(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Two servers that stay."""
    with two_servers(postgres, tmp_path_factory.mktemp("pair")) as servers:
        yield servers


@pytest.fixture
def doomed(postgres: str, tmp_path: Path) -> Iterator[list[Server]]:
    """Two servers, the first of which is going to die."""
    with two_servers(postgres, tmp_path) as servers:
        yield servers


class Ear:
    """A connection that only listens and sends: it asks for nothing by itself."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    @classmethod
    async def at(cls, server: Server, token: str, match: str, seat: int | None) -> "Ear":
        connection = await connect(server.url.replace("http", "ws", 1) + "/api/live")
        ear = cls(connection)
        await ear.say(type="hello", token=token)
        await ear.say(type="watch", match=match, seat=seat)
        return ear

    async def say(self, **message: Any) -> None:
        await self._connection.send(json.dumps(message))

    async def hear(self, wanted: Any) -> dict[str, Any]:
        """The next message that is wanted."""
        async with asyncio.timeout(SOON):
            while True:
                message = json.loads(await self._connection.recv())
                if wanted(message):
                    assert isinstance(message, dict)
                    return message

    async def answer(self) -> dict[str, Any]:
        return await self.hear(lambda message: message["type"] in ("done", "refused"))

    async def state(self, ply: int) -> dict[str, Any]:
        """Where play is, once it is at this ply or after it; only what the server sends by itself counts."""
        news = await self.hear(lambda message: "play" in message and message["play"] and message["play"]["ply"] >= ply)
        play = news["play"]
        assert isinstance(play, dict)
        return play

    async def close(self) -> None:
        await self._connection.close()


async def outcome(doing: Coroutine[Any, Any, Any]) -> str:
    """`done`, or the code of the refusal."""
    try:
        async with asyncio.timeout(SOON):
            await doing
    except Refused as refused:
        return refused.code
    return "done"


async def seated(servers: list[Server], game: str, seats: int) -> tuple[str, list[str]]:
    """A match that has begun, with the tokens of its people."""
    tokens = [await person(servers[seat % 2].url, f"P{seat}") for seat in range(seats)]
    match = await new_match(servers[0].url, tokens[0], " ".join(["me"] + ["open"] * (seats - 1)), game)
    for seat, token in enumerate(tokens):
        sit = {"type": "sit", "id": "sit", "match": match, "seat": seat, "name": f"P{seat}"}
        await request(servers[seat % 2].url, "POST", f"/api/matches/{match}/commands", sit, token)
    return match, tokens


def test_of_two_moves_for_one_ply_one_wins_and_the_other_gets_the_fresh_view(pair: list[Server]) -> None:
    async def race() -> None:
        match, tokens = await seated(pair, "alea", 2)
        chance = random.Random(3)
        ears = [[await Ear.at(server, token, match, seat) for server in pair] for seat, token in enumerate(tokens)]
        states = [[await ear.state(0) for ear in at_both] for at_both in ears]
        wins = [0, 0]
        moved = []
        for number in range(40):
            ply, mover = states[0][0]["ply"], states[0][0]["turn"]
            if mover is None:
                break
            legal = [move for move in states[mover][0]["legal"] if move[0] != "R"]
            moves = chance.sample(legal, 2) if len(legal) > 1 else legal * 2
            at = {"match": match, "seat": mover, "epoch": 0, "ply": ply}
            for side in chance.sample((0, 1), 2):
                await ears[mover][side].say(type="play", id=f"{number}-{side}", move=moves[side], **at)
            # What beat the loser is sent to it, before or after its refusal: collect both.
            said, states = await _collect(ears, mover, ply)
            assert sorted(answer["type"] for answer in said) == ["done", "refused"], said
            winner = [answer["type"] for answer in said].index("done")
            assert said[1 - winner]["code"] == "stale", said
            wins[winner] += 1
            moved.append(moves[winner])
            assert all(at_both[0]["view"] == at_both[1]["view"] for at_both in states)
            assert len({state["ply"] for at_both in states for state in at_both}) == 1
        for ear in (*ears[0], *ears[1]):
            await ear.close()
        assert min(wins) > 0, f"one process always won, this is no race: {wins}"
        log = [event for _, body in (await stored(pair[0].database))[match] for event in body.events]
        assert [event.moves[0] for event in log if isinstance(event, entries.Played)] == moved

    asyncio.run(race())


async def _collect(ears: list[list[Ear]], mover: int, ply: int) -> tuple[list[dict[str, Any]], list[list[Any]]]:
    """The answers to both processes' movers, and where play is then according to all four connections."""

    async def both(ear: Ear, answered: bool) -> tuple[dict[str, Any], dict[str, Any]]:
        answer: dict[str, Any] = {}
        state: dict[str, Any] = {}
        while not state or not (answer or answered):
            message = await ear.hear(lambda message: True)
            if message["type"] in ("done", "refused"):
                answer = message
            elif message.get("play") and message["play"]["ply"] > ply:
                state = message["play"]
        return answer, state

    found = [await asyncio.gather(*(both(ear, seat != mover) for ear in at_both)) for seat, at_both in enumerate(ears)]
    return [answer for answer, _ in found[mover]], [[state for _, state in at_both] for at_both in found]


def test_of_two_people_one_gets_the_seat(pair: list[Server]) -> None:
    async def race() -> None:
        ada, *rivals = [await person(pair[0].url, name) for name in ("Ada", "Bo", "Cy")]
        async with Client(pair[0].url, rivals[0]) as bo, Client(pair[1].url, rivals[1]) as cy:
            for _ in range(15):
                match = await new_match(pair[0].url, ada)
                await asyncio.gather(bo.watch(match), cy.watch(match))
                sat = await asyncio.gather(
                    *(outcome(one.send("sit", match, seat=1, name=f"P{i}")) for i, one in enumerate((bo, cy)))
                )
                assert sorted(sat) == ["done", "taken"]
                mine = [await request(pair[1].url, "GET", f"/api/matches/{match}", token=token) for token in rivals]
                assert [one["about"]["mine"] == [1] for one in mine] == [one == "done" for one in sat]

    asyncio.run(race())


def test_an_offer_is_accepted_once_and_withdrawn_or_accepted(pair: list[Server]) -> None:
    async def race() -> None:
        for number in range(8):
            match, tokens = await seated(pair, "quovadis", 3)
            both = [[Client(server.url, token) for server in pair] for token in tokens]
            async with both[0][0], both[0][1], both[1][0], both[1][1], both[2][0], both[2][1]:
                tables = [await clients[0].watch(match, seat) for seat, clients in enumerate(both)]
                await tables[0].news(-1)
                turn = (tables[0].play or {})["turn"]
                other = (turn + 1) % 3
                terms = ["+B", f"promise {other} {turn} support"]
                await both[other][0].send("offer", match, seat=other, terms=terms)
                answers = [client.send("answer", match, seat=turn, offer=0, yes=True) for client in both[turn]]
                if number % 2:
                    answers.pop().close()
                    answers.append(both[other][1].send("withdraw", match, seat=other, offer=0))
                first = number // 2 % 2  # the other process gets its message first every other time
                done = await asyncio.gather(*map(outcome, answers[:: 1 - 2 * first]))
                done = done[:: 1 - 2 * first]
                assert sorted(done) == ["done", "no-offer"], done
                body = (await stored(pair[0].database))[match][-1][1]
                carried_out = any(isinstance(event, entries.Played) for event in body.events)
                assert carried_out == (number % 2 == 0 or done[0] == "done")
                moves = ["deal", *terms, "ask", "yes"] if carried_out else []
                async with asyncio.timeout(SOON):
                    await until(tables[0], lambda table: table.number >= 5)
                assert [line["move"] for line in tables[0].log if line["seat"] is not None] == moves

    asyncio.run(race())


def test_of_two_wishes_to_go_back_one_is_asked(pair: list[Server]) -> None:
    async def race() -> None:
        match, tokens = await seated(pair, "alea", 2)
        async with Client(pair[0].url, tokens[0]) as ada, Client(pair[1].url, tokens[1]) as bo:
            clients = (ada, bo)
            tables = [await client.watch(match, seat) for seat, client in enumerate(clients)]
            for epoch in range(10):
                for table in tables:
                    await _at_epoch(table, epoch)
                ply = (tables[0].play or {})["ply"] - 1
                asked = await asyncio.gather(
                    *(
                        outcome(client.send("ask-undo", match, seat=seat, ply=ply))
                        for seat, client in enumerate(clients)
                    )
                )
                assert sorted(asked) == ["asked", "done"], asked
                late = asked.index("asked")
                async with asyncio.timeout(SOON):
                    await until(tables[late], lambda table: table.desk["undo"] is not None)  # the fresh view
                agreed = await asyncio.gather(
                    *(outcome(clients[late].send("answer-undo", match, seat=late, yes=True)) for _ in range(2))
                )
                assert sorted(agreed) == ["done", "nothing-asked"], agreed
            for table in tables:
                await _at_epoch(table, 10)

    asyncio.run(race())


async def _at_epoch(table: Table, epoch: int) -> None:
    async with asyncio.timeout(SOON):
        await until(table, lambda table: table.play is not None and table.play["epoch"] == epoch)


@pytest.mark.parametrize("gone", [False, True])
def test_of_two_entries_with_one_number_one_is_stored(database: str, gone: bool) -> None:
    """In one transaction: the first may have been given up by who asked for it, it is stored nevertheless."""

    async def race() -> None:
        store = await open_store(database)
        try:
            await store.add_person("ada", "hash", "Ada", 1)
            await store.add_match(MatchRow("m", "alea", 1, "{}", "00", "ada", 0, "waiting", 1, 1, None))
            bodies, change = ["[[],null,null]", "[[],null,null] "], Change("playing", None)
            asked = [asyncio.ensure_future(store.append(Append("m", 1, 1, body, change))) for body in bodies]
            await asyncio.sleep(0)  # both are asked for
            if gone:
                asked[0].cancel()
            first, second = await asyncio.gather(*asked, return_exceptions=True)
            found = [row.body for row in await store.entries("m", 0)]
        finally:
            await store.close()
        assert found in (bodies[:1], bodies[1:])
        assert second is (found == bodies[1:])
        assert gone or first is (found == bodies[:1])

    asyncio.run(race())


def test_clients_at_both_processes_see_every_move(pair: list[Server]) -> None:
    async def play() -> None:
        match, tokens = await seated(pair, "alea", 2)
        ears = [await Ear.at(server, tokens[0], match, None) for server in pair]
        heard: list[list[Any]] = [[], []]

        async def listen(side: int) -> None:
            over = False
            while not over:
                news = await ears[side].hear(lambda message: message["type"] == "update")
                if "log" in news:
                    assert news["log"]["first"] <= len(heard[side]), "lines were left out"
                    heard[side][news["log"]["first"] :] = news["log"]["lines"]
                over = "about" in news and news["about"]["status"] == "over"

        async with asyncio.TaskGroup() as group, asyncio.timeout(3 * SOON):
            group.create_task(listen(0))
            group.create_task(listen(1))
            async with Client(pair[0].url, tokens[0]) as ada, Client(pair[1].url, tokens[1]) as bo:
                await asyncio.gather(play_on(ada, match, 0), play_on(bo, match, 1))
        for ear in ears:
            await ear.close()
        texts = [await request(server.url, "GET", f"/api/matches/{match}/transcript") for server in pair]
        assert texts[0] == texts[1]
        assert verify(texts[0]).plies == len(heard[0]) == len(heard[1])
        assert [(line["ply"], line["seat"]) for line in heard[0]] == [(line["ply"], line["seat"]) for line in heard[1]]

    asyncio.run(play())


def test_a_match_goes_on_at_the_other_process_when_one_dies(doomed: list[Server]) -> None:
    async def play() -> None:
        async with Door([server.port for server in doomed]) as door:
            tokens = [await person(door.url, name) for name in ("Ada", "Bo")]
            match = await new_match(door.url, tokens[0], "me greedy open greedy", settings={"pace": 0})
            async with (
                NotingClient(door.url, tokens[0]) as ada,
                NotingClient(doomed[1].url, tokens[1]) as bo,
                asyncio.timeout(4 * SOON),
            ):
                await ada.send("sit", match, seat=0, name="Ada")
                await bo.send("sit", match, seat=2, name="Bo")
                others = asyncio.create_task(play_on(bo, match, 2))
                await play_on(ada, match, 0, moves=8)
                await asyncio.to_thread(doomed[0].kill)
                await play_on(ada, match, 0)
                await others
            assert ada.reconnects >= 1
            text = await request(door.url, "GET", f"/api/matches/{match}/transcript")
            verify(text)
            log = (await stored(doomed[1].database))[match]
            for told in ada.notes + bo.notes:
                assert log[told.number - 1][1].id == told.id, f"lost: {told}"

    asyncio.run(play())


@pytest.mark.parametrize("timeout", ["bot", "forfeit"])
def test_the_other_process_takes_over_bots_and_clocks(doomed: list[Server], timeout: str) -> None:
    """The second process has never heard of the match, and nobody tells it: it has to find what is due."""

    async def play() -> None:
        tokens = [await person(doomed[0].url, name) for name in ("Ada", "Bo")]
        settings = {"pace": 1.5, "clock": {"move": 3, "bank": 0}, "timeout": timeout}
        match = await new_match(doomed[0].url, tokens[0], "me greedy open", settings=settings)
        async with Client(doomed[0].url, tokens[0]) as ada, Client(doomed[0].url, tokens[1]) as bo:
            await ada.send("sit", match, seat=0, name="Ada")
            await bo.send("sit", match, seat=2, name="Bo")
            table = await ada.watch(match, 0)
            people = [asyncio.create_task(play_on(client, match, seat)) for client, seat in ((ada, 0), (bo, 2))]
            async with asyncio.timeout(SOON):
                await until(table, lambda table: table.play is not None and table.play["turn"] == 1)
            for task in people:
                task.cancel()
            await asyncio.to_thread(doomed[0].kill)
        async with Client(doomed[1].url) as eve, asyncio.timeout(SOON):
            before = (await stored(doomed[1].database))[match][-1][0]
            await _grows(doomed[1], match, before)  # before anybody watches there
            table = await eve.watch(match)
            if timeout == "forfeit":
                await until(table, lambda table: any(seat["resigned"] for seat in table.about["seats"]))
            else:
                await until(table, lambda table: sum(seat["kind"] == "bot" for seat in table.about["seats"]) >= 2)

    asyncio.run(play())


async def _grows(server: Server, match: str, before: int) -> None:
    """Wait until there is a new entry."""
    while (await stored(server.database))[match][-1][0] == before:
        await asyncio.sleep(0.1)


def test_a_second_server_on_one_sqlite_file_is_refused(tmp_path: Path) -> None:
    first = Server(f"sqlite:{tmp_path / 'one.db'}").start()
    try:
        assert "another server uses" in refused_start(first.database)
        asyncio.run(person(first.url))  # the first one is unharmed
    finally:
        first.kill()
    Server(first.database).start().kill()  # a killed server leaves no lock behind


def test_a_server_outlives_its_database(tmp_path: Path) -> None:
    """PostgreSQL is stopped and started under a server with a match in play."""
    with tempfile.TemporaryDirectory() as folder, a_postgres(Path(folder)) as cluster:
        server = Server(new_database("postgresql", tmp_path, cluster.get_uri()), log=tmp_path / "server.log").start()
        try:
            asyncio.run(_play_while_it_is_gone(server, cluster))
        finally:
            server.kill()


async def _play_while_it_is_gone(server: Server, cluster: Any) -> None:
    match, tokens = await seated([server, server], "alea", 2)
    mover = (await request(server.url, "GET", f"/api/matches/{match}"))["play"]["turn"]
    ear = await Ear.at(server, tokens[mover], match, mover)
    state = await ear.state(0)
    async with NotingClient(server.url, tokens[0]) as ada, NotingClient(server.url, tokens[1]) as bo:
        tables = [await ada.watch(match, 0), await bo.watch(match, 1)]
        clients = (ada, bo)
        assert _health(server) == 200
        await asyncio.to_thread(cluster.stop)
        assert _health(server) == 503
        move = {"match": match, "seat": mover, "epoch": 0, "ply": state["ply"], "move": state["legal"][0]}
        for number in range(3):
            await ear.say(type="play", id=str(number), **move)
            refused = await ear.answer()
            assert (refused["type"], refused["id"], refused["code"]) == ("refused", str(number), "unavailable"), refused
            play = {"type": "play", "id": "http", **move}
            asking = request(server.url, "POST", f"/api/matches/{match}/commands", play, tokens[mover])
            assert await outcome(asking) == "unavailable"
        newcomer = await connect(server.url.replace("http", "ws", 1) + "/api/live")
        stranger = Ear(newcomer)
        await stranger.say(type="watch", match=match, seat=None)
        assert (await stranger.answer())["code"] == "unavailable"
        waiting = asyncio.create_task(play_on(clients[mover], match, mover, moves=1))  # it will not give up
        coming = asyncio.create_task(_come(server, match))
        await asyncio.to_thread(cluster.ensure_postgres_running)
        async with asyncio.timeout(2 * SOON):
            await waiting
            await coming
            assert _health(server) == 200
            players = [asyncio.create_task(play_on(client, match, seat)) for seat, client in enumerate(clients)]
            for crash in range(1, 4):  # an append may break off now and be there after all
                await until(tables[0], lambda table, crash=crash: table.number >= 12 * crash)
                await asyncio.to_thread(_crash, cluster)
                await asyncio.to_thread(cluster.ensure_postgres_running)
            await asyncio.gather(*players)
        await ear.close()
        await stranger.close()
        assert all(table.over for table in tables)
        verify(await request(server.url, "GET", f"/api/matches/{match}/transcript"))
        log = (await stored(server.database))[match]
        for told in ada.notes + bo.notes:
            assert log[told.number - 1][1].id == told.id, f"lost: {told}"


def _crash(cluster: Any) -> None:
    """PostgreSQL without its last words."""
    command = [cluster.bin_path / "pg_ctl", "-D", cluster.pgdata, "-m", "immediate", "stop"]
    subprocess.run(command, user=cluster.system_user, check=True, capture_output=True)


async def _come(server: Server, match: str) -> None:
    """Somebody who comes while the database is gone sees the match when it is back."""
    async with Client(server.url) as client:
        await client.watch(match)


def _health(server: Server) -> int:
    try:
        with urllib.request.urlopen(server.url + "/healthz", timeout=SOON) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
