"""The WebSocket under fire: no server error, no hang, no leak, and every match is intact after a restart.

Messages are random, nearly right, or right but in the wrong order; frames are broken; connections end at any moment.
Any refusal is fine. What counts is that the server keeps running and reveals nothing.
"""

import asyncio
import base64
import contextlib
import json
import os
import re
import socket
import sqlite3
import struct
from collections.abc import Awaitable, Iterator
from typing import Any, NamedTuple, get_args

import httpx
import pytest
import websockets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from live_server import Server, Wire, new_database, new_match
from rostra.client import request
from rostra.games.alea.tables import CARDS
from rostra.server import entries, schema
from rostra.server.store import MatchRow
from rostra.server.table import Table

PEOPLE = 4
FUZZ = settings(deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)
CARD = re.compile('[=+"](' + "|".join(sorted(CARDS, key=len, reverse=True)) + ')"')


class Target(NamedTuple):
    """A server, people with their tokens, and what was heard by whom."""

    server: Server
    people: list[str]
    tokens: list[str]
    matches: list[str]
    heard: dict[int | None, list[bytes]]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """The server for all of this; at the end it is killed and must know everything as before."""
    folder = tmp_path_factory.mktemp("fuzz")
    log = folder / "server.log"
    server = Server(new_database("sqlite", folder, ""), log=log).start()
    try:
        url = server.url
        made = [asyncio.run(request(url, "POST", "/api/people", {"name": f"P{i}"})) for i in range(PEOPLE)]
        found = Target(
            server,
            [one["person"] for one in made],
            [one["token"] for one in made],
            [asyncio.run(new_match(url, made[0]["token"]))],
            {who: [] for who in (*range(PEOPLE), None)},
        )
        yield found
        before = everything(found)
        server.kill()
        server.start()
        assert everything(found) == before
        assert "Traceback" not in log.read_text()
        check_secrets(found)
    finally:
        if server.process is not None:
            server.kill()


def everything(target: Target) -> list[str]:
    """All that anybody can see of the first match and the last ones."""
    found = []
    with httpx.Client(base_url=target.server.url) as client:
        for match in [*target.matches[:1], *target.matches[-12:]]:
            for token in (*target.tokens, None):
                headers = {"authorization": f"Bearer {token}"} if token else {}
                for part in ("", "?seat=0", "?seat=1", "?seat=2", "?seat=3", "/transcript", "/plies/20"):
                    found.append(client.get(f"/api/matches/{match}{part}", headers=headers).text)
    assert not any('"broken"' in one for one in found)
    return found


def check_secrets(target: Target) -> None:
    """Nobody was ever sent the view of a seat that was another's, or a seed before the end, a token or an id."""
    file = target.server.database.removeprefix("sqlite:")
    with contextlib.closing(sqlite3.connect(file)) as db:
        rows = {row[0]: MatchRow(*row) for row in db.execute(f"SELECT {', '.join(MatchRow._fields)} FROM matches")}
        logs: dict[str, list[tuple[int, int, str]]] = {match: [] for match in rows}
        for match, number, at, body in db.execute("SELECT match, number, at, body FROM log ORDER BY match, number"):
            logs[match].append((number, at, body))
    holders: dict[str, list[list[str | None]]] = {}
    ended: dict[str, int] = {}
    for match, row in rows.items():
        table = Table(row)
        holders[match] = [[seat.person for seat in table.seats]]
        for number, at, body in logs[match]:
            table.apply(entries.Entry(number, at, entries.decode(body)))
            holders[match].append([seat.person for seat in table.seats])
            if table.status == "over":
                ended.setdefault(match, number)
    updates = 0
    for who, heard in target.heard.items():
        mine = None if who is None else target.people[who]
        for one in heard:
            text = one.decode()
            assert not any(token in text for token in target.tokens)
            assert not any(other in text for other in target.people if other != mine)
            if not text.startswith('{"type":"update"'):
                continue
            updates += 1
            update = json.loads(text)
            match, seat, number = update["match"], update["seat"], update["number"]
            over = number >= ended.get(match, 10**9)
            assert seat is None or holders[match][number][seat] == mine, "the view of another's seat"
            assert over or rows[match].seed not in text
            if not over:
                check_view(update, seat)
    assert updates


def check_view(update: dict[str, Any], seat: int | None) -> None:
    """What is nobody's business before the end is in no part of it."""
    play = update.get("play")
    if play:
        assert play["view"]["seat"] == seat
        assert play["view"].get("own") is None or seat is not None
        assert play["turn"] == seat or (play["chosen"] is None and play["legal"] is None)
    for line in update.get("log", {"lines": []})["lines"]:
        taken = line["move"] is not None and line["move"].startswith("+") and line["move"][1:] in CARDS
        assert not taken or line["seat"] == seat
    if seat is None and play and play["view"]["game"] == "alea":
        assert not CARD.search(json.dumps([play, update.get("log")]))


def run(work: Awaitable[None], seconds: float = 60) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(work, seconds)

    asyncio.run(bounded())


# Messages.

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NUMBERS = st.sampled_from([0, 1, 2, 3, 4]) | st.sampled_from([-1, 5, 10**6, 10**6 + 1, 2**63, -(2**63), 10**40, 0.5])
TEXTS = st.text(max_size=60) | st.sampled_from(["greedy", "+B", "L1", "B>I", "=1", "\x00", "a" * 501, "aa", "x\n"])
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "id": st.text(min_size=1, max_size=12) | TEXTS,
    "seat": NUMBERS | st.none(),
    "other": NUMBERS,
    "epoch": NUMBERS,
    "ply": NUMBERS,
    "offer": NUMBERS,
    "counters": NUMBERS | st.none(),
    "yes": st.booleans(),
    "on": st.booleans(),
    "terms": st.lists(TEXTS, max_size=13),
}


@st.composite
def messages(draw: st.DrawFn) -> dict[str, Any]:
    """A message of any kind with fields of the right names; some are left out, some are nonsense."""
    kind = draw(st.sampled_from(get_args(schema.FromClient)))
    message: dict[str, Any] = {"type": kind.__struct_config__.tag}
    for field in kind.__struct_fields__:
        luck = draw(st.integers(0, 19))
        if luck == 0:
            continue
        message[field] = draw(JSON) if luck == 1 else draw(FIELDS.get(field, TEXTS))
    if draw(st.integers(0, 9)) == 0:
        message[draw(st.text(max_size=5))] = draw(JSON)
    return message


ANY = st.one_of(
    messages(),
    messages(),
    JSON.map(lambda value: value),
    st.binary(max_size=40),
    st.text(max_size=40),
)


def packed(said: Any) -> str | bytes:
    if isinstance(said, bytes):
        return said
    return said if isinstance(said, str) else json.dumps(said)


@pytest.mark.slow
@settings(FUZZ, max_examples=300)
@given(said=st.lists(ANY, min_size=5, max_size=25), who=st.sampled_from([*range(PEOPLE), None]), aim=st.booleans())
def test_any_message_is_answered(target: Target, said: list[Any], who: int | None, aim: bool) -> None:
    async def work() -> None:
        async with Wire(target.server.url, None if who is None else target.tokens[who]) as wire:
            for one in said:
                if aim and isinstance(one, dict) and "match" in one:
                    one["match"] = target.matches[0]
                await wire.socket.send(packed(one))
            await wire.say("leave", id="the end")  # it names no match, so it is refused, by name
            answers = 0
            while True:
                answer = await wire.hear(seconds=10)
                answers += answer["type"] != "update"
                if answer.get("id") == "the end":
                    break
            silent = sum(isinstance(one, dict) and one.get("type") in ("watch", "unwatch", "away") for one in said)
            assert len(said) + 1 - silent <= answers <= len(said) + 1  # every message has its answer
            target.heard[who] += wire.heard

    run(work())


# Frames.

PING = b'{"type":"ping"}'


def frame(body: bytes, opcode: int = 1, head: int = 0x80, mask: bool = True, length: int | None = None) -> bytes:
    """A frame as a client sends it, or not quite."""
    size = len(body) if length is None else length
    bit = 0x80 if mask else 0
    if size < 126:
        lengths = bytes([bit | size])
    elif size < 65536:
        lengths = bytes([bit | 126]) + struct.pack("!H", size)
    else:
        lengths = bytes([bit | 127]) + struct.pack("!Q", size)
    return bytes([head | opcode]) + lengths + (bytes(4) if mask else b"") + body


FRAMES = st.one_of(
    st.sampled_from(
        [
            frame(PING),
            frame(PING, opcode=2),
            frame(PING[:7], head=0) + frame(PING[7:], opcode=0),
            frame(PING[:7], head=0) + frame(b"hi", opcode=9) + frame(PING[7:], opcode=0),
            frame(PING[:7], head=0),
            frame(b"", opcode=0),
            frame(b"", head=0) + frame(PING, opcode=0),
            frame(PING, mask=False),
            frame(PING, head=0xF0),
            frame(b"\xff\xfe"),
            frame(b"{\xff"),
            frame(b"", opcode=8),
            frame(struct.pack("!H", 1000) + b"bye", opcode=8),
            frame(struct.pack("!H", 5), opcode=8),
            frame(b"\x03", opcode=8),
            frame(b"x" * 126, opcode=9),
            frame(b"x", opcode=10),
            frame(b"", length=2**62),
            frame(b"", length=2**17),
            frame(b"a" * 70_000),
            frame(b"", opcode=1),
            b"GET / HTTP/1.1\r\n\r\n",
        ]
    ),
    st.builds(frame, st.binary(max_size=200), st.integers(0, 15), st.sampled_from([0, 0x80, 0xC0]), st.booleans()),
    st.binary(max_size=60),
)
UPGRADE = (
    "GET /api/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    f"Sec-WebSocket-Key: {base64.b64encode(b'k' * 16).decode()}\r\n\r\n"
)


@pytest.mark.slow
@settings(FUZZ, max_examples=150)
@given(frames=st.lists(FRAMES, max_size=6), cut=st.none() | st.integers(0, 200), abrupt=st.booleans())
def test_broken_frames_and_abrupt_ends_harm_nobody(
    target: Target, frames: list[bytes], cut: int | None, abrupt: bool
) -> None:
    with socket.create_connection(("127.0.0.1", target.server.port), timeout=10) as line:
        line.sendall(UPGRADE.encode()[:cut] if cut is not None and cut > 150 else UPGRADE.encode())
        if cut is None or cut <= 150:
            assert line.recv(12) == b"HTTP/1.1 101"
        with contextlib.suppress(ConnectionError):
            line.sendall(b"".join(frames)[:cut])
            if abrupt:  # not even a goodbye of TCP
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert httpx.get(target.server.url + "/healthz", timeout=10).status_code == 200


# Right commands in any order.

ACTIONS = st.tuples(
    st.sampled_from(
        [
            "play", "play", "play", "confirm", "take-back", "offer", "offer", "offer", "answer", "answer", "answer",
            "answer", "withdraw", "drafting", "ready", "say",
            "ask-undo", "answer-undo", "answer-undo", "mute", "rename", "link", "use-key", "leave", "resign", "replace",
            "answer-seat",
            "sit", "sit", "close", "watch", "watch", "unwatch", "come-back", "go-on", "go-on", "repeat",
        ]
    ),
    st.integers(0, PEOPLE - 1),
    st.integers(0, 3),
    st.integers(0, 10**6),
)  # fmt: skip


class Play:
    """People who do as they like at one table; each knows the newest of what was sent about the own seats."""

    def __init__(self, target: Target, match: str, seats: int) -> None:
        self.target, self.match, self.seats = target, match, seats
        self.wires: list[Wire] = []
        self.plays: dict[int, dict[str, Any]] = {}
        self.holders = {seat: seat % PEOPLE for seat in range(seats)}
        self.offers: list[dict[str, Any]] = []
        self.keys: list[tuple[int, str]] = []
        self.last: dict[str, Any] | None = None
        self.stack = contextlib.AsyncExitStack()

    async def start(self) -> None:
        for token in self.target.tokens:
            self.wires.append(await self.stack.enter_async_context(Wire(self.target.server.url, token)))
        for seat in range(self.seats):
            await self.do(seat % PEOPLE, "sit", seat=seat, name=f"S{seat}")
            await self.wires[seat % PEOPLE].say("watch", match=self.match, seat=seat)
        await self.wires[-1].say("watch", match=self.match, seat=None)
        await self.settle()

    async def settle(self) -> None:
        """Everybody has heard everything; a hang would be noticed here."""
        for who, wire in enumerate(self.wires):
            await wire.say("ping")
            await wire.hear("pong", seconds=10)
            self.target.heard[who] += wire.heard
            for one in wire.heard:
                message = json.loads(one)
                if message["type"] == "update" and message["seat"] is not None and message.get("play"):
                    self.plays[message["seat"]] = message["play"]
                if "desk" in message:
                    self.offers = [one for one in message["desk"]["offers"] if one["status"] == "open"]
            wire.heard = []

    async def do(self, who: int, kind: str, **fields: Any) -> dict[str, Any]:
        self.last = {"kind": kind, "id": os.urandom(6).hex(), **fields}
        answer = await self.wires[who].do(kind, self.match, **{k: v for k, v in self.last.items() if k != "kind"})
        assert answer.get("code") != "broken"
        return answer

    async def act(self, kind: str, who: int, seat: int, number: int) -> None:
        nothing: dict[str, Any] = {"epoch": 0, "ply": 0, "legal": None, "asks": None, "turn": None}
        offers = self.offers or [{"offer": 0, "seat": 0, "parties": [0]}]
        offer = offers[number % len(offers)]
        if kind == "answer":
            seat = offer["parties"][number // 7 % len(offer["parties"])]
        elif kind == "withdraw":
            seat = offer["seat"]
        elif kind in ("play", "confirm", "take-back"):
            seat = next((one for one, play in self.plays.items() if play["turn"] == one), seat)
        if number % 3:  # else somebody who hardly ever may
            who = self.holders[seat]
        play = self.plays.get(seat, nothing)
        here = {"seat": seat, "epoch": play["epoch"], "ply": play["ply"]}
        choices = play["legal"] or ["L1", "+B"]
        if kind == "play":
            await self.do(who, "play", **here, move=choices[number % len(choices)])
        elif kind in ("confirm", "take-back"):
            await self.do(who, kind, **here)
        elif kind == "offer":
            active = self.plays.get(play["turn"], nothing)
            asks = (active["asks"] or []) + (active["legal"] or []) or ["B>I(1)"]
            turn = play["turn"] or 0
            more = [f"promise {(turn + 1) % 3} {turn} support", f"give {turn} {number % 3} {1 + number % 4}"]
            terms = [asks[number % len(asks)], *more[: number % 3]]
            await self.do(who, "offer", seat=seat, terms=terms, counters=offer["offer"] if number % 5 == 0 else None)
        elif kind == "answer":
            await self.do(who, kind, seat=seat, offer=offer["offer"], yes=number % 4 > 0)
        elif kind == "withdraw":
            await self.do(who, kind, seat=seat, offer=offer["offer"])
        elif kind == "say":
            await self.do(who, kind, seat=seat, text=f"say {number}")
        elif kind == "ask-undo":
            await self.do(who, kind, seat=seat, ply=max(0, play["ply"] - 1 - number % 20))
        elif kind == "answer-undo":
            await self.do(who, kind, seat=seat, yes=number % 4 > 0)
        elif kind == "mute":
            await self.do(who, kind, seat=seat, other=number % self.seats, on=number % 2 == 0)
        elif kind == "rename":
            await self.do(who, kind, seat=seat, name=f"N{number}")
        elif kind == "link":
            answer = await self.do(who, kind, seat=seat)
            self.keys += [(seat, answer["key"])] if "key" in answer else []
        elif kind == "use-key" and self.keys:
            seat, key = self.keys[number % len(self.keys)]
            if (await self.do(who, "sit", seat=seat, name=f"K{number}", key=key))["type"] == "done":
                self.holders[seat] = who
        elif kind == "replace":
            await self.do(who, kind, seat=seat, bot="random")
        elif kind == "sit":
            await self.do(who, kind, seat=seat, name="T", entropy=f"{number % 256:02x}")
        elif kind == "answer-seat":
            await self.do(who, kind, seat=seat, yes=number % 4 > 0)
        elif kind in ("leave", "resign", "drafting", "ready"):
            await self.do(who, kind, seat=seat)
        elif kind == "close" and number % 8 == 0:
            await self.do(who, kind)
        else:
            await self.connecting(kind, who, seat, number)

    async def connecting(self, kind: str, who: int, seat: int, number: int) -> None:
        if kind in ("watch", "unwatch"):
            await self.wires[who].say(kind, match=self.match, seat=None if number % 4 == 0 else seat)
        elif kind == "come-back":
            await self.wires[who].socket.close(1001 if number % 2 else 1000)
            self.wires[who] = await self.stack.enter_async_context(
                Wire(self.target.server.url, self.target.tokens[who])
            )
            await self.wires[who].say("watch", match=self.match, seat=seat)
        elif kind == "repeat" and self.last is not None:
            again = {name: value for name, value in self.last.items() if name != "kind"}
            first = await self.wires[who].do(self.last["kind"], self.match, **again)
            second = await self.wires[who].do(self.last["kind"], self.match, **again)
            assert first["type"] == "refused" or first["number"] == second["number"]
        elif kind == "go-on":
            await self.go_on(number)

    async def go_on(self, number: int) -> None:
        """Some moves of whoever is to move."""
        for step in range(12):
            turn = next((seat for seat, play in self.plays.items() if play["turn"] == seat and play["legal"]), None)
            if turn is None:
                return
            play = self.plays[turn]
            here = {"seat": turn, "epoch": play["epoch"], "ply": play["ply"]}
            choices = [move for move in play["legal"] if move[0] != "R"] or play["legal"]
            for who in range(PEOPLE):
                answer = await self.do(who, "play", **here, move=choices[(number + step) % len(choices)])
                if answer["type"] == "done":
                    await self.do(who, "confirm", **here)
                    break
            await self.settle()


@pytest.mark.slow
@settings(FUZZ, max_examples=80)
@given(
    game=st.sampled_from(["alea", "quovadis"]),
    confirm=st.sampled_from([0, None]),
    actions=st.lists(ACTIONS, min_size=15, max_size=40),
)
def test_commands_in_any_order_by_several_people(
    target: Target, game: str, confirm: float | None, actions: list[tuple[str, int, int, int]]
) -> None:
    async def work() -> None:
        seats = 4 if game == "alea" else 3
        settings_ = {"confirm": confirm, "pace": 60, "talk": 3600}
        match = await new_match(
            target.server.url, target.tokens[0], "me" + " open" * (seats - 1), game, settings=settings_
        )
        target.matches.append(match)
        play = Play(target, match, seats)
        async with play.stack:
            await play.start()
            for kind, who, seat, number in actions:
                with contextlib.suppress(websockets.ConnectionClosed):
                    await play.act(kind, who, min(seat, seats - 1), number)
                await play.settle()

    run(work())
