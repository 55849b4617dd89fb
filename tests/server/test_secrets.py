"""Nobody sees secrets: worlds that differ only in what a seat may not know send it the same bytes (`alea_worlds`)."""

import asyncio
import contextlib
import json
import random
import re
import secrets
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from websockets.asyncio.client import connect

from alea_worlds import MATCH, STRANGER, Story, World, first_decision, other_world, people, play_from, row, stored
from live_server import Server, new_database, new_match, person, play_on, until
from rostra.client import Client, request
from rostra.games.alea import ALEA
from rostra.games.alea.tables import CARDS, DEAL, TAKE_CARD, TOKEN
from rostra.play.dice import commitment
from rostra.play.match import Match
from rostra.server import entries, listing, schema, seen
from rostra.server.decisions import digest
from rostra.server.store import Append
from rostra.server.store.sqlite import open_sqlite
from rostra.server.table import Table


def a_story(n_seats: int, chooser: random.Random) -> Story:
    """A random match up to some ply, in half of the cases with an undo on the way."""
    first = play_from(n_seats, [], chooser.randrange(60, 420), chooser)
    if chooser.random() < 0.5:
        return Story(n_seats, first, None)
    back = chooser.randrange(max(first_decision(first), len(first) - 40), len(first))
    return Story(n_seats, first, play_from(n_seats, first[:back], back + chooser.randrange(1, 60), chooser))


def followed(world: World) -> list[bytes]:
    """What a browser asks for after an update: where play is, with the arithmetic done, and the moves."""
    table, seat = world.table, world.seat
    assert table.match is not None
    here = len(table.match.log)
    told = [schema.encode(seen.position(table, eyes, here)) for eyes in {seat, None}]
    if seat is not None:
        told.append(schema.encode(seen.moves(table, seat)))
    return told


@pytest.mark.parametrize(
    "n_seats", [2, pytest.param(4, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.slow)]
)
def test_a_hid_2_two_worlds_send_a_seat_the_same_bytes(n_seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbelow", lambda below: 12345 % below)  # what bots are asked has a seed
    chooser = random.Random(n_seats)
    differ = compared = detailed = 0
    outlooks, effects = set[bytes](), 0
    for number in range(5):
        story = a_story(n_seats, chooser)
        confirm = chooser.choice([0, 5, None])
        for seat in (None, *range(n_seats)):
            world = other_world(story, seat, chooser)
            differ += sum(one.move != two.move for one, two in zip(story.steps, world.steps, strict=True))
            who = None if seat is None else f"person-{seat}"
            name = f"{n_seats}/{number}/{seat}"
            one, two = (World(row(n_seats, confirm, schema.Clock(60, 600)), seat, who) for _ in range(2))
            both = zip(
                stored(story, confirm, seat, random.Random(name), random.Random(name + "a")),
                stored(world, confirm, seat, random.Random(name), random.Random(name + "b")),
                strict=True,
            )
            for entry, (first, second) in enumerate(both):
                one.happen(first)
                two.happen(second)
                heard = one.heard()
                assert heard == two.heard(), (name, entry)
                detailed += sum(b'"details":' in message for messages in heard for message in messages)
                if one.table.match is not None and entry % 3 == 0:
                    told = followed(one)
                    assert told == followed(two), (name, entry)
                    outlooks |= {text.partition(b'"outlook":')[2] for text in told if b'"outlook":{}' not in text}
                    effects += told[-1].count(b'"gain":') + told[-1].count(b'"rows":')
                if chooser.random() < 0.015 and one.table.match is not None and one.table.status == "playing":
                    compared += 1
                    assert one.asked(random.Random(entry)) == two.asked(random.Random(entry)), (name, entry)
            if one.table.status == "playing":
                compared += 1
                assert one.asked(random.Random(name)) == two.asked(random.Random(name)), name
    assert differ > 40 and compared > 20  # the worlds really differ
    assert len(outlooks) > 100 and effects > 1000 and detailed > 1000  # and there was something to be compared


# Over the wire.


def stored_world(file: Path, story: Story, seat: int, name: str, others: str) -> None:
    """A database with this world in it; the token of a person is its name, often enough to be long."""

    async def store() -> None:
        kept = await open_sqlite(str(file))
        for who in [*people(story.n_seats), STRANGER]:
            await kept.add_person(who, digest(who * 5), who.upper(), 1000)
        start = row(story.n_seats, None)
        await kept.add_match(start)
        table = Table(start)
        for body in stored(story, None, seat, random.Random(name), random.Random(others)):
            number, at = table.number + 1, 2000 + 10 * table.number
            table.apply(entries.Entry(number, at, body))
            text = entries.encode(body).decode()
            assert await kept.append(
                Append(MATCH, number, at, text, listing.change(table, None, listing.total(table), None))
            )
        await kept.close()

    asyncio.run(store())


async def all_bytes(url: str, seat: int) -> list[bytes]:
    """All that the holder of a seat and a watcher can get out of a server, by asking, listening and being refused."""
    heard: list[bytes] = []
    holder = f"person-{seat}" * 5
    async with httpx.AsyncClient(base_url=url) as client:
        for token in (holder, STRANGER * 5, None):
            headers = {"authorization": f"Bearer {token}"} if token else {}
            paths = [
                f"/api/matches/{MATCH}{part}"
                for part in ("", "/transcript", "/log", "/moves", "/plies/60", "/plies/999")
            ]
            here = (await client.get(f"/api/matches/{MATCH}")).json()["play"]["ply"]
            paths.append(f"/api/matches/{MATCH}/plies/{here}")
            paths += [
                "/api/matches?show=mine",
                "/api/matches?show=next",
                "/api/matches?show=open",
                "/api/me",
                "/api/nothing",
            ]
            for path in [*paths, *(f"{path}?seat={number}" for path in paths for number in range(5))]:
                answer = await client.get(path, headers=headers)
                kept = [(name, value) for name, value in answer.headers.items() if name != "date"]
                heard += [repr((path, answer.status_code, kept)).encode(), answer.content]
    for token in (holder, None):
        address = url.replace("http", "ws") + "/api/live"
        async with connect(address, open_timeout=10) as socket:
            asked: list[dict[str, Any]] = [{"type": "hello", "token": token}, {"type": "watch", "match": MATCH}]
            asked += [{"type": "watch", "match": MATCH, "seat": number} for number in range(5)]
            asked += [
                {"type": "watch", "match": MATCH, "seat": number, "details": True} for number in (None, *range(5))
            ]
            said = {"match": MATCH, "seat": seat}
            asked += [{"type": "say", "id": f"say-{token}", **said, "text": "hello"}]
            asked += [{"type": "mute", "id": "mute", **said, "other": (seat + 1) % 4}]
            asked += [{"type": "rename", "id": f"name-{token}", **said, "name": "Zoe"}]
            for number, (epoch, ply) in enumerate([(0, 3), (1, 200)]):
                asked += [{"type": "play", "id": f"p{number}", **said, "epoch": epoch, "ply": ply, "move": "+XIII"}]
                asked += [{"type": "take-back", "id": f"t{number}", **said, "epoch": epoch, "ply": ply}]
            asked += [{"type": "unwatch", **said}, {"type": "watch", **said}, {"type": "ping"}]
            for message in asked:
                await socket.send(json.dumps(message))
            while not heard or heard[-1] != b'{"type":"pong"}':
                heard.append((await asyncio.wait_for(socket.recv(), 10)).encode())
            heard.append(b"")
    return [re.sub(rb"\b1[0-9]{12}\b", b"now", one) for one in heard]


def _where(one: bytes, two: bytes) -> str:
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), 0)
    return f"...{one[max(0, at - 150) : at + 50]!r}\n...{two[max(0, at - 150) : at + 50]!r}"


@pytest.mark.slow
def test_a_hid_2_two_servers_with_two_worlds_answer_the_same_bytes(tmp_path: Path) -> None:
    chooser = random.Random(11)
    first = play_from(4, [], 260, chooser)
    story = Story(4, first, play_from(4, first[:-25], 290, chooser))
    seat = 1
    world = other_world(story, seat, chooser)
    assert any(one.move != two.move for one, two in zip(story.steps, world.steps, strict=True))
    answers = []
    for number, one in enumerate((story, world)):
        file = tmp_path / f"{number}.db"
        stored_world(file, one, seat, "same", f"other {number}")
        server = Server(f"sqlite:{file}", "--abandon-days", "0").start()  # all happened in 1970
        try:
            answers.append(asyncio.run(asyncio.wait_for(all_bytes(server.url, seat), 60)))
        finally:
            server.kill()
    assert len(answers[0]) > 100
    for one_answer, two_answer in zip(*answers, strict=True):
        assert one_answer == two_answer, _where(one_answer, two_answer)


CARD = re.compile('[=+"](' + "|".join(sorted(CARDS, key=len, reverse=True)) + ')"')
"""A senate card as a move or in a view."""


async def record(url: str, token: str | None, match: str, seat: int | None, heard: list[bytes]) -> None:
    """Keep all bytes that a connection gets, until it is closed."""
    async with connect(url.replace("http", "ws") + "/api/live", max_size=2**22) as socket:
        await socket.send(json.dumps({"type": "hello", "token": token}))
        await socket.send(json.dumps({"type": "watch", "match": match, "seat": seat, "details": True}))
        with contextlib.suppress(websockets.ConnectionClosed):
            async for message in socket:
                heard.append(message.encode() if isinstance(message, str) else message)


def may_know(moves: list[str], n_seats: int, seat: int | None) -> tuple[list[str], set[str]]:
    """By the rules: the log as a seat may read it, and all cards it has ever seen."""
    match = Match(ALEA, n_seats)
    log, cards = [], set[str]()
    for move in moves:
        s = match.state
        secret = s.phase in (TOKEN, DEAL, TAKE_CARD) and s.seat != seat
        log.append(f"{move[0]}?" if secret else move)
        if s.seat == seat and s.phase in (DEAL, TAKE_CARD):
            cards |= {CARDS[card - 1] for card in s.hands[s.set, s.rank :].tolist() if card}
            cards |= {move[1:]}
        match.replay([move])
        s = match.state
        if s.seat == seat and s.phase in (DEAL, TAKE_CARD):
            cards |= {CARDS[card - 1] for card in s.hands[s.set, s.rank :].tolist() if card}
    return log, cards


def test_a_real_match_tells_nobody_what_is_not_theirs(tmp_path: Path) -> None:
    database = new_database("sqlite", tmp_path, "")
    log = tmp_path / "server.log"
    server = Server(database, "--log-level", "debug", log=log).start()
    secret: dict[str, list[str]] = {}
    seats = 5

    async def play() -> tuple[str, list[list[bytes]]]:
        url = server.url
        made = [await request(url, "POST", "/api/people", {"name": f"Name{seat}"}) for seat in range(seats + 1)]
        secret["tokens"], secret["people"] = [one["token"] for one in made], [one["person"] for one in made]
        *tokens, newcomer = secret["tokens"]
        match = await new_match(url, tokens[0], " ".join(["me"] + ["open"] * (seats - 1)), settings={"confirm": None})
        heard: list[list[bytes]] = [[] for _ in range(seats + 1)]
        async with contextlib.AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(Client(url, token)) for token in tokens]
            for seat, client in enumerate(clients):
                await client.send("sit", match, seat=seat, name=f"Name{seat}")
            key = (await clients[2].send("link", match, seat=2))["key"]
            second = (await clients[3].send("link", match, seat=3))["key"]
            secret["keys"] = [key, second]
            recorders = [
                asyncio.create_task(record(url, tokens[seat] if seat < seats else None, match, place, heard[seat]))
                for seat, place in enumerate([*range(seats), None])
            ]
            table = await clients[0].watch(match)
            views = [await client.watch(match, seat) for seat, client in enumerate(clients)]
            for _ in range(110):
                turn = table.play["turn"]
                own = views[turn]
                await until(own, lambda one, at=table: one.number >= at.number)
                state = own.play
                assert state is not None
                here = {"seat": turn, "epoch": state["epoch"], "ply": state["ply"]}
                legal = [move for move in state["legal"] if move[0] in "TS+K"] or state["legal"]
                for move in (legal[-1], legal[state["ply"] % len(legal)]):
                    await clients[turn].send("play", match, **here, move=move)
                number = (await clients[turn].send("confirm", match, **here))["number"]
                await until(table, lambda one, number=number: one.number >= number)
            await clients[1].send("say", match, seat=1, text="a word in confidence")
            other = await stack.enter_async_context(Client(url, newcomer))
            await other.send("sit", match, seat=2, name="Other", key=key)  # a new holder
            await clients[3].send("resign", match, seat=3)  # a bot goes on
            number = (await clients[1].send("say", match, seat=1, text="another"))["number"]
            for one in heard:
                await asyncio.wait_for(heard_of(one, number), 20)
            for task in recorders:
                task.cancel()
            await asyncio.gather(*recorders, return_exceptions=True)
        for path in (
            "/healthz",
            "/api/matches",
            f"/api/matches/{match}",
            f"/api/matches/{match}/transcript",
        ):
            heard[seats].append(str(await request(url, "GET", path)).encode())
        return match, heard

    try:
        match, heard = asyncio.run(asyncio.wait_for(play(), 120))
        with httpx.Client(base_url=server.url) as client:
            public = client.get("/healthz").text
        public += "".join(httpx.get(f"{server.private}/{path}").text for path in ("metrics", "healthz"))
    finally:
        server.kill()
    file = database.removeprefix("sqlite:")
    with contextlib.closing(sqlite3.connect(file)) as db:
        seed = db.execute("SELECT seed FROM matches").fetchone()[0]
        bodies = [entries.decode(body) for (body,) in db.execute("SELECT body FROM log ORDER BY number")]
    moves = [
        move
        for body in bodies
        for event in body.events
        if isinstance(event, entries.Started | entries.Played)
        for move in event.moves
    ]
    assert any(move.startswith("+X") for move in moves)
    for place, got in enumerate(heard):
        everything = b"\n".join(got)
        own = secret["people"][place] if place < seats else None
        for word in [seed, seed.upper(), *secret["tokens"], *secret["keys"], *secret["people"]]:
            assert word == own or word.encode() not in everything, place
        assert everything.count((own or seed).encode()) == (1 if own else 0)  # once, in the welcome
        seat = place if place < seats else None
        log_lines, cards = may_know(moves, seats, seat)
        assert set(CARD.findall(everything.decode())) <= cards, place
        assert seat is not None or not cards
        check_log(got, log_lines, gone=place in (2, 3))
    text = log.read_text() + public
    for word in [seed, match, "Name1", "in confidence", *secret["tokens"], *secret["keys"], *secret["people"]]:
        assert word not in text
    raw = b"".join(one.read_bytes() for one in tmp_path.iterdir() if one.name.startswith(Path(file).name))
    assert seed.encode() in raw  # these are the files
    for word in [*secret["tokens"], *secret["keys"]]:
        assert word.encode() not in raw
        assert digest(word).encode() in raw


async def heard_of(heard: list[bytes], number: int) -> None:
    while not any(f'"number":{number},'.encode() in one for one in heard[-20:]):
        await asyncio.sleep(0.02)


async def play_to(match: str, clients: list[Client], plies: int, choose: Any = None) -> None:
    """Let all play until so many plies were made."""
    table = await clients[0].watch(match)
    players = [asyncio.create_task(play_on(client, match, seat, choose=choose)) for seat, client in enumerate(clients)]
    await until(table, lambda table: table.over or (table.play and table.play["ply"] >= plies))
    for task in players:
        task.cancel()
    await asyncio.gather(*players, return_exceptions=True)
    assert not table.over


def check_log(got: list[bytes], right: list[str], gone: bool) -> None:
    """Every line that was sent is as the seat may read it; who lost the seat is a watcher from then on."""
    lines = 0
    for one in got:
        message = json.loads(one) if one.startswith(b'{"type":"update"') else {}
        if gone and message.get("seat", 0) is None:
            assert message.get("play", {}).get("view", {}).get("own") is None
            continue
        for line in message.get("log", {}).get("lines", []):
            assert line["move"] == right[line["ply"]]
            lines += 1
    assert lines > 200
    assert not gone or message["seat"] is None


def test_the_seed_is_told_when_a_match_ends_by_resignation_and_not_before(tmp_path: Path) -> None:
    database = new_database("sqlite", tmp_path, "")
    server = Server(database).start()

    async def play() -> None:
        url = server.url
        ada, bo = await person(url), await person(url)
        match = await new_match(url, ada)
        heard: list[bytes] = []
        async with Client(url, ada) as one, Client(url, bo) as two:
            recorder = asyncio.create_task(record(url, None, match, None, heard))
            await one.send("sit", match, seat=0, name="Ada")
            await two.send("sit", match, seat=1, name="Bo")
            table = await one.watch(match)
            await play_to(match, [one, two], 80)
            await two.send("say", match, seat=1, text="wait")
            with contextlib.closing(sqlite3.connect(database.removeprefix("sqlite:"))) as db:
                seed = db.execute("SELECT seed FROM matches").fetchone()[0]
            before = await request(url, "GET", f"/api/matches/{match}/transcript", token=ada)
            number = (await two.send("resign", match, seat=1))["number"]
            await asyncio.wait_for(heard_of(heard, number), 20)
            await until(table, lambda table: table.over)
            recorder.cancel()
        assert seed not in before and commitment(bytes.fromhex(seed)) in before
        assert [seed.encode() in message for message in heard] == [False] * (len(heard) - 1) + [True]
        assert table.about["seed"] == seed
        assert f"seed: {seed}" in await request(url, "GET", f"/api/matches/{match}/transcript")

    try:
        asyncio.run(asyncio.wait_for(play(), 60))
    finally:
        server.kill()


def onward(state: dict[str, Any]) -> str:
    """A step towards laurels, where one can be made alone."""
    steps = [move for move in state["legal"] if ">" in move and "@" not in move]
    return (steps or state["legal"])[state["ply"] * 7 % len(steps or state["legal"])]


def test_q_hid_1_hands_are_not_sent_to_others(tmp_path: Path) -> None:
    """Everybody can work them out from the log; but what one may not look at is not sent."""
    server = Server(new_database("sqlite", tmp_path, "")).start()

    async def play() -> None:
        url = server.url
        tokens = [await person(url) for _ in range(3)]
        match = await new_match(url, tokens[0], "me open open", "quovadis")
        heard: dict[int | None, list[bytes]] = {0: [], 1: [], 2: [], None: []}
        async with contextlib.AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(Client(url, token)) for token in tokens]
            for seat, client in enumerate(clients):
                await client.send("sit", match, seat=seat, name=f"Name{seat}")
            recorders = [
                asyncio.create_task(record(url, None if seat is None else tokens[seat], match, seat, got))
                for seat, got in heard.items()
            ]
            await play_to(match, clients, 60, onward)
            number = (await clients[0].send("say", match, seat=0, text="well"))["number"]
            for got in heard.values():
                await asyncio.wait_for(heard_of(got, number), 20)
            for task in recorders:
                task.cancel()
        shown = 0
        for eyes, got in heard.items():
            for message in map(json.loads, got):
                for number, player in enumerate((message.get("play") or {"view": {"players": []}})["view"]["players"]):
                    assert (player["hand"] is None) == (player["points"] is None) == (number != eyes)
                    shown += player["tiles"] > 0
        assert shown > 20  # there was something to hide

    try:
        asyncio.run(asyncio.wait_for(play(), 60))
    finally:
        server.kill()
