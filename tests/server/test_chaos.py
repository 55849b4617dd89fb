"""Disconnects cost nothing: matches through a proxy that loses, delays, repeats and reorders messages.

The dice come from the server's seed, so a second run would be another match. Instead the acknowledged commands are
carried out again without a network, from the seed revealed at the end, and must give the same transcript. To save time,
the clients here wait less before they retry.
"""

import asyncio
import contextlib
import json
import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from chaos_proxy import Chaos
from live_server import NotingClient, Server, Told, new_match, person, play_on, stored, until
from rostra import client as rostra_client
from rostra.client import Refused, Table, request
from rostra.engine.game import digest
from rostra.play.dice import Stream
from rostra.play.match import Match
from rostra.play.transcript import Ply, Transcript, read
from rostra.play.verify import verify
from rostra.server import entries, schema, seen
from rostra.server.decisions import decide
from rostra.server.store import MatchRow
from rostra.server.table import Table as ServersTable

PLAY = 100
"""Seconds in which a match must come to its end."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rostra_client, "RESEND", 0.2)
    monkeypatch.setattr(rostra_client, "QUIET", 0.5)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["alea", "quovadis"])
def test_chaos_changes_nothing(server: Server, game: str) -> None:
    seats = {"alea": 2, "quovadis": 3}[game]

    async def play() -> None:
        tokens = [await person(server.url, f"P{seat}") for seat in range(seats)]
        match = await new_match(server.url, tokens[0], " ".join(["me"] + ["open"] * (seats - 1)), game)
        async with Chaos(server.url, seed=7) as chaos, contextlib.AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(NotingClient(server.url, token, chaos.url)) for token in tokens]
            async with asyncio.timeout(PLAY), asyncio.TaskGroup() as group:
                for seat, client in enumerate(clients):
                    group.create_task(_sit_and_play(client, match, seat, game))
            assert min(chaos.did[fate] for fate in ("lost", "twice", "late", "cut")) > 0, chaos.did
        told = sorted((told for client in clients for told in client.notes), key=lambda told: told.number)
        text = await request(server.url, "GET", f"/api/matches/{match}/transcript")
        assert verify(text).entropy == [(seat, f"{seat:02}") for seat in range(seats)]
        await _is_what_was_told(server, told, text)
        _dice_are_the_same(read(text))
        people = [(await request(server.url, "GET", "/api/me", token=token))["person"] for token in tokens]
        assert _without_network(told, read(text), people) == text
        if game == "quovadis":
            kinds = Counter(told.kind if told.kind != "answer" else told.fields["yes"] for told in told)
            assert min(kinds[kind] for kind in ("offer", True, False, "withdraw", "play")) > 0, kinds

    asyncio.run(play())


async def _sit_and_play(client: NotingClient, match: str, seat: int, game: str) -> None:
    await client.send("sit", match, seat=seat, name=f"P{seat}", entropy=f"{seat:02}")
    if game == "alea":
        await play_on(client, match, seat)
    else:
        await _negotiate(client, match, seat, random.Random(seat))


async def _is_what_was_told(server: Server, told: list[Told], text: str) -> None:
    """Every entry was acknowledged once, to who sent it, and every acknowledged move is in the transcript."""
    log = (await stored(server.database))[told[0].match]
    assert [one.number for one in told] == [number for number, _ in log] == list(range(1, len(log) + 1))
    assert [one.id for one in told] == [body.id for _, body in log]
    plies = {(event.number, event.seat, event.move) for event in read(text).events if isinstance(event, Ply)}
    moves = [(one.fields["ply"], one.fields["seat"], one.fields["move"]) for one in told if one.kind == "play"]
    assert plies >= set(moves)
    assert [ply for ply, _, _ in moves] == sorted({ply for ply, _, _ in moves})


def _dice_are_the_same(transcript: Transcript) -> None:
    """The decisions of the transcript with the dice of its seed give its plies, and its end."""
    assert transcript.seed and transcript.match
    stream = Stream(bytes.fromhex(transcript.seed), transcript.match, transcript.entropy)
    plies = [event for event in transcript.events if isinstance(event, Ply)]
    match = Match(transcript.game, list(transcript.seats), transcript.options, dice=stream)
    for ply in plies:
        if ply.seat is not None:
            match.play(ply.move, ply.seat)
    assert [ply[:3] for ply in match.log] == [ply[:3] for ply in plies]
    assert match.result() == transcript.result
    again = Match(transcript.game, list(transcript.seats), transcript.options, rolls=False)
    again.replay(ply.move for ply in plies)
    assert digest(again.state) == digest(match.state)


def _without_network(told: list[Told], transcript: Transcript, people: list[str]) -> str:
    """The transcript of a table that hears just the acknowledged commands, in their order."""
    assert transcript.seed and transcript.match
    plan = {"game": transcript.game, "seats": [{"kind": "me"}] + [{"kind": "open"}] * (len(people) - 1)}
    seed, rules = transcript.seed, transcript.rules
    row = MatchRow(transcript.match, transcript.game, rules, json.dumps(plan), seed, people[0], 0, "", 0, 0, None)
    table = ServersTable(row)
    for match, number, name, kind, fields in told:
        command: Any = {"type": kind, "id": name, "match": match, **fields}
        command = msgspec.convert(command, schema.FromClient)
        by = people[fields["seat"]]
        events = decide(table, command, by, 0)
        table.apply(entries.Entry(number, 0, entries.Body(events, by, name)), fresh=True)
    return seen.game_text(table, None)


async def _negotiate(client: NotingClient, match: str, seat: int, chance: random.Random) -> None:
    """Play a seat of Quo Vadis?: offer, answer, withdraw, and act alone where nobody helps."""
    table = await client.watch(match, seat)
    offered: Counter[Any] = Counter()
    while not table.over:
        state = table.play
        if state is None:
            await table.news(table.number)
            continue
        lying = [offer for offer in table.desk["offers"] if offer["status"] == "open"]
        asked = [offer["offer"] for offer in lying if seat in offer["parties"] and seat not in offer["yes"]]
        own = [offer["offer"] for offer in lying if offer["seat"] == seat]
        turn = (state["epoch"], state["ply"])
        wish = _a_wish(state, seat, chance)
        try:
            if asked:
                await client.send("answer", match, seat=seat, offer=asked[0], yes=chance.random() < 0.6)
            elif own and chance.random() < 0.1:
                await client.send("withdraw", match, seat=seat, offer=own[0])
            elif wish and not own and offered[turn] < 2 and chance.random() < 0.5:
                offered[turn] += 1
                here = {"epoch": state["epoch"], "plies": state["ply"]}
                await client.send("offer", match, seat=seat, terms=wish, **here)
            elif state["legal"] and not (own and chance.random() < 0.8):
                moves = [move for move in state["legal"] if move[0] != "@"] or state["legal"]
                await client.send("play", match, seat=seat, **_at(state), move=chance.choice(moves))
            else:
                await _some_news(table)
                continue
        except Refused as refusal:
            assert refusal.code in ("stale", "not-your-turn", "no-offer", "answered", "illegal", "over"), refusal
            await _some_news(table)
        else:
            await _heard(client, table)


def _a_wish(state: dict[str, Any], seat: int, chance: random.Random) -> list[str]:
    """Terms that a seat would like: the active one needs consent, the others make promises for an entry."""
    if state["turn"] == seat and state["asks"]:
        return [chance.choice(state["asks"])]
    if state["turn"] not in (None, seat):
        return ["+" + chance.choice("ABCD"), f"promise {seat} {state['turn']} support"]
    return []


def _at(state: dict[str, Any]) -> dict[str, int]:
    return {"epoch": state["epoch"], "ply": state["ply"]}


async def _some_news(table: Table) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(table.news(table.number), 0.1)


async def _heard(client: NotingClient, table: Table) -> None:
    """Wait for the news of what was done last, which may be lost."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(until(table, lambda table: table.number >= client.notes[-1].number), 1)


async def _raw(url: str, token: str) -> ClientConnection:
    """A connection that does nothing by itself."""
    connection = await connect(url.replace("http", "ws", 1) + "/api/live")
    await connection.send(json.dumps({"type": "hello", "token": token}))
    assert json.loads(await connection.recv())["type"] == "welcome"
    return connection


async def _answer(connection: ClientConnection) -> dict[str, Any]:
    """The next answer."""
    async with asyncio.timeout(10):
        while (message := json.loads(await connection.recv()))["type"] not in ("done", "refused"):
            pass
    assert isinstance(message, dict)
    return message


@pytest.mark.slow
def test_a_command_that_is_repeated_changes_the_match_once(server: Server) -> None:
    async def play() -> None:
        tokens = [await person(server.url, name) for name in ("Ada", "Bo")]
        match = await new_match(server.url, tokens[0])
        for seat, token in enumerate(tokens):
            sit = {"type": "sit", "id": "sit", "match": match, "seat": seat, "name": "N"}  # one id, two people
            done = await request(server.url, "POST", f"/api/matches/{match}/commands", sit, token)
            assert done["number"] == seat + 1
        command, mover = await _next_play(server.url, match, tokens, "one")
        lines = [await _raw(server.url, tokens[mover]), await _raw(server.url, tokens[mover])]
        for _ in range(10):
            for line in lines:
                await line.send(json.dumps(command))
        answers = [await _answer(line) for line in lines for _ in range(10)]
        assert {answer["type"] for answer in answers} == {"done"}
        assert {answer["number"] for answer in answers} == {3}
        say = {"type": "say", "id": "hi", "match": match, "seat": mover, "text": "hi"}
        numbers = [
            (await request(server.url, "POST", f"/api/matches/{match}/commands", say, tokens[mover]))["number"]
            for _ in range(3)
        ]
        assert numbers == [4, 4, 4]
        for line in lines:
            await line.close()
        server.kill()
        await asyncio.to_thread(server.start)
        line = await _raw(server.url, tokens[mover])
        for number, repeat in ((3, command), (4, say)):
            await line.send(json.dumps(repeat))
            assert await _answer(line) == {"type": "done", "id": repeat["id"], "match": match, "number": number}
        await line.close()
        log = (await stored(server.database))[match]
        assert [body.id for _, body in log] == ["sit", "sit", "one", "hi"]

    asyncio.run(play())


def test_a_refused_command_may_be_tried_again(server: Server) -> None:
    async def play() -> None:
        tokens = [await person(server.url, name) for name in ("Ada", "Bo")]
        match = await new_match(server.url, tokens[0])
        for seat, token in enumerate(tokens):
            sit = {"type": "sit", "id": "sit", "match": match, "seat": seat, "name": "N"}
            await request(server.url, "POST", f"/api/matches/{match}/commands", sit, token)
        command, mover = await _next_play(server.url, match, tokens, "again")
        line = await _raw(server.url, tokens[mover])
        for wrong in ({"ply": command["ply"] + 1}, {"move": "nonsense"}, {"seat": 1 - mover}):
            await line.send(json.dumps(command | wrong))
            answer = await _answer(line)
            assert (answer["type"], answer["id"]) == ("refused", "again")
        await line.send(json.dumps(command))
        assert (await _answer(line))["type"] == "done"
        await line.close()

    asyncio.run(play())


async def _next_play(url: str, match: str, tokens: list[str], name: str) -> tuple[dict[str, Any], int]:
    """A legal command of the seat to move, and that seat."""
    for seat, token in enumerate(tokens):
        state = (await request(url, "GET", f"/api/matches/{match}?seat={seat}", token=token))["play"]
        if state["legal"]:
            move = {"move": state["legal"][0], **_at(state)}
            return {"type": "play", "id": name, "match": match, "seat": seat, **move}, seat
    raise AssertionError("nobody is to move")
