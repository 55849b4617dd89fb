"""The WebSocket door on the wire: a real server, a real client library, and sockets that send exactly these bytes.

How frames are read is the library's business; here is what a client meets: order, sizes, goodbyes, who may come in.
"""

import asyncio
import base64
import contextlib
import json
import re
import socket
import struct
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from live_server import Server, new_database
from rostra.server import socket as door
from rostra.server.guard import HEADERS, MAX_BODY, Gate
from rostra.server.limits import NO_LIMITS

KEY = base64.b64encode(b"k" * 16).decode()
UPGRADE = {
    "Host": "localhost", "Upgrade": "websocket", "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": KEY,
}  # fmt: skip
PING, PONG = b'{"type":"ping"}', b'{"type":"pong"}'
TEXT, BINARY, MORE, CLOSE, ASK, ANSWER = 1, 2, 0, 8, 9, 10
"""Kinds of frames; ASK and ANSWER are ping and pong of the wire, which are not those of our messages."""


def frame(kind: int, payload: bytes = b"", fin: bool = True, mask: bytes = b"\x01\x02\x03\x04", size: int = 0) -> bytes:
    """A frame as a client sends it; `size` is how many bytes say its length, 0: as few as possible."""
    length = len(payload)
    size = size or (1 if length < 126 else 2 if length < 2**16 else 8)
    head = bytes([fin << 7 | kind, 0x80 | {1: length, 2: 126, 8: 127}[size]])
    if size > 1:
        head += length.to_bytes(size)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


def request(path: str = "/api/live", method: str = "GET", **changes: str | None) -> bytes:
    headers = UPGRADE | {name.replace("_", "-"): value for name, value in changes.items()}
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode("latin-1")


class Line:
    """A bare connection that is open: `with Line(port) as line`."""

    def __init__(self, port: int, receive_buffer: int = 0) -> None:
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(20)
        self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(request())
        self.head = b""
        while not self.head.endswith(b"\r\n\r\n"):
            self.head += self.socket.recv(1)
        assert self.head.startswith(b"HTTP/1.1 101 ")

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *how: object) -> None:
        self.socket.close()

    def send(self, *frames: bytes) -> None:
        self.socket.sendall(b"".join(frames))

    def exactly(self, length: int) -> bytes:
        data = b""
        while len(data) < length:
            part = self.socket.recv(length - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def frame(self) -> tuple[int, bytes]:
        """Kind and content of the next frame; the server sends whole ones, unmasked, with no bit too many."""
        first, length = self.exactly(2)
        assert first & 0xF0 == 0x80 and length < 128
        if length >= 126:
            length = int.from_bytes(self.exactly(2 if length == 126 else 8))
        return first & 0xF, self.exactly(length)

    def goodbye(self) -> int:
        """The code with which the server closes (0: none); then it must hang up too."""
        kind, content = self.frame()
        assert kind == CLOSE and len(content) != 1
        with pytest.raises((EOFError, ConnectionResetError)):
            self.exactly(1)
        return int.from_bytes(content[:2])

    def alive(self) -> None:
        self.send(frame(TEXT, PING))
        assert self.frame() == (TEXT, PONG)


def connections(server: Server) -> int:
    return int(float(re.findall(r"^rostra_connections (\S+)$", httpx.get(f"{server.private}/metrics").text, re.M)[0]))


def until(true: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


# Messages.


def test_messages_are_answered_in_their_order(house: Server) -> None:
    """Some are answered at once, for others a database is asked."""
    with Line(house.port) as line:
        said = []
        for number in range(200):
            said.append(PING)
            said.append(b'{"type":"hello"}')
            said.append(b'{"type":"close","id":"%d","match":"%s"}' % (number, b"a" * 20))
        line.send(*(frame(TEXT, one) for one in said))
        for number in range(200):
            kinds = [json.loads(line.frame()[1]) for _ in range(3)]
            assert [one["type"] for one in kinds] == ["pong", "welcome", "refused"]
            assert kinds[2]["id"] == str(number)


def test_fragments_and_bytes_are_messages_too(house: Server) -> None:
    with Line(house.port) as line:
        word = '{"type":"ping","é":"漢字🎲"}'.encode()
        for kind in (TEXT, BINARY):
            line.send(frame(kind, word[:17], fin=False), frame(ASK, b"a"), frame(MORE, word[17:]))
            assert [line.frame() for _ in range(2)] == [(ANSWER, b"a"), (TEXT, PONG)]


# What may not be.


@pytest.mark.parametrize(
    ("code", "frames"),
    [
        (1002, [b"\x81\x0f" + PING]),  # not masked
        (1002, [bytes([0x80 | 0x40 | TEXT]) + frame(TEXT, PING)[1:]]),  # compressed, which was not agreed
        (1002, [frame(3, PING)]),
        (1002, [frame(MORE, PING)]),
        (1007, [frame(TEXT, b"\xff")]),
        (1007, [frame(TEXT, b'"\xc3', fin=False), frame(MORE, b'("')]),
        (1009, [b"\x81\xff" + (MAX_BODY + 1).to_bytes(8) + b"mask"]),  # before it is sent
        (1009, [frame(TEXT, b"x" * MAX_BODY, fin=False), frame(MORE, b"x")]),
    ],
)
def test_what_is_against_the_protocol_ends_the_connection(house: Server, code: int, frames: list[bytes]) -> None:
    with Line(house.port) as line, Line(house.port) as other:
        line.alive()
        line.send(*frames)
        assert line.goodbye() == code
        other.alive()


# Closing.


def test_the_client_of_the_library_opens_and_closes_cleanly(house: Server) -> None:
    async def work() -> None:
        async with connect(house.url.replace("http", "ws") + "/api/live?x=1", subprotocols=["chat"]) as wire:
            assert wire.subprotocol is None and wire.protocol.extensions == []
            await wire.send(PING.decode())
            assert await wire.recv() == PONG.decode()
            await (await wire.ping())
            await wire.close(4000, "enough")
        assert wire.protocol.close_rcvd is not None and wire.protocol.close_rcvd.code == 4000

    asyncio.run(work())


def test_hanging_up_in_any_way_frees_the_place(house: Server) -> None:
    with Line(house.port) as watcher:
        before = connections(house)
        lines = [Line(house.port) for _ in range(4)]
        assert connections(house) == before + 4
        lines[0].send(frame(CLOSE, b""))
        lines[1].send(frame(TEXT, PING)[:7])
        lines[2].socket.shutdown(socket.SHUT_WR)
        lines[3].socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
        for line in lines:
            line.socket.close()
        until(lambda: connections(house) == before)
        watcher.alive()


def test_what_was_said_before_hanging_up_is_done(house: Server) -> None:
    person = httpx.post(house.url + "/api/people", json={"name": "Ada"}).json()
    bearer = {"authorization": f"Bearer {person['token']}"}
    plan = {"game": "alea", "seats": [{"kind": "me"}, {"kind": "open"}]}
    match = httpx.post(house.url + "/api/matches", json=plan, headers=bearer).json()["match"]
    said = [{"type": "hello", "token": person["token"]}, {"type": "watch", "match": match, "seat": 0}]
    said.append({"type": "sit", "id": "s", "match": match, "seat": 0, "name": "A"})
    said += [{"type": "rename", "id": f"r{n}", "match": match, "seat": 0, "name": f"A{n}"} for n in range(9)]
    with Line(house.port) as line:
        line.send(*(frame(TEXT, json.dumps(one).encode()) for one in said))
    answer = f"{house.url}/api/matches/{match}"
    until(lambda: httpx.get(answer).json()["about"]["seats"][0]["name"] == "A8")
    until(lambda: connections(house) == 0)


def test_a_stopping_server_says_so(tmp_path: Path) -> None:
    server = Server(new_database("sqlite", tmp_path, "")).start()
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(Line(server.port)) for _ in range(3)]
        lines[0].alive()
        began = time.monotonic()
        assert server.stop() in (0, -15)
        assert time.monotonic() - began < 15  # two of them do not even listen
        assert [line.goodbye() for line in lines] == [1012] * 3


# Opening.


def answer_to(port: int, text: bytes) -> tuple[int, dict[str, str], bytes]:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        line.sendall(text)
        answer = b""
        while b"\r\n\r\n" not in answer or not answer.startswith(b"HTTP/1.1 101"):
            part = line.recv(65536)
            if not part:
                break
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    return int(status.split()[1]), {k.lower(): v for k, _, v in (one.partition(": ") for one in lines)}, body


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (101, request()), (101, request("/api/live?token=x")), (101, request(Upgrade="WebSocket")),
        (101, request(Connection="keep-alive, Upgrade")), (101, request(Sec_WebSocket_Extensions="permessage-deflate")),
        (400, request(Sec_WebSocket_Key=None)), (400, request(Sec_WebSocket_Key="short")),
        (400, request(Sec_WebSocket_Key="!" * 24)), (400, request(Sec_WebSocket_Version="8")),
        (400, request(Sec_WebSocket_Version=None)),
        (405, request(method="POST")),
        (403, request(Origin="https://evil.example")), (403, request(Origin="null")),
        (101, request(Origin="http://localhost")),
        (404, request("/")), (404, request("/api/live/")), (404, request("/api/matches")), (404, request("/x" * 900)),
        (404, request(Upgrade=None, Connection="close")), (404, request(Upgrade="h2c", Connection="Upgrade, close")),
    ],
)  # fmt: skip
def test_who_may_open(house: Server, status: int, text: bytes) -> None:
    got, headers, body = answer_to(house.port, text)
    assert got == status
    assert "server" not in headers and "sec-websocket-extensions" not in headers
    if status in (403, 404):
        assert headers.items() >= HEADERS.items()
        assert set(json.loads(body)) == {"code", "reason"} and headers["content-type"] == "application/json"


def test_rates_are_those_of_the_client_behind_a_proxy(tmp_path: Path) -> None:
    flags = ("--rate", "1", "--proxies", "127.0.0.1")
    server = Server(new_database("sqlite", tmp_path, ""), *flags).start()

    def opens(forwarded: str) -> int:
        return answer_to(server.port, request(X_Forwarded_For=forwarded))[0]

    try:
        first = [opens("10.0.0.1") for _ in range(9)]
        assert first[:5] == [101] * 5 and 429 in first  # a burst of five seconds' worth
        assert opens("10.0.0.2, 127.0.0.1") == 101
        assert opens("10.0.0.9, 10.0.0.1") == 429  # what a client claims of itself does not count
    finally:
        server.kill()


def test_nobody_but_a_proxy_says_who_the_client_is(tmp_path: Path) -> None:
    server = Server(new_database("sqlite", tmp_path, ""), "--rate", "1").start()
    try:
        answers = [answer_to(server.port, request(X_Forwarded_For=f"10.0.0.{n}")) for n in range(9)]
        assert [status for status, _, _ in answers][:5] == [101] * 5
        status, _, body = answers[-1]
        assert status == 429 and json.loads(body)["code"] == "slow-down"
    finally:
        server.kill()


def test_a_client_that_asks_without_reading_is_cut_off(house: Server) -> None:
    with Line(house.port, receive_buffer=4096) as deaf, Line(house.port) as other:
        pings = frame(ASK, b"x" * 125) * 1000
        with pytest.raises(OSError):  # reset, or a broken pipe
            deaf.send(*[pings] * (20 * door.BACKLOG // len(pings)))
        other.alive()


# Clients that do not read, and mistakes of ours: at the door itself.


class Wire:
    """An ASGI connection: what the client said, one message after the other, and what it gets while it reads."""

    def __init__(self, *said: bytes) -> None:
        self.said = [{"type": "websocket.connect"}, *({"type": "websocket.receive", "bytes": one} for one in said)]
        self.sent: list[Any] = []
        self.reads = asyncio.Event()
        self.gone = asyncio.Event()

    async def receive(self) -> Any:
        await asyncio.sleep(0)
        if self.said:
            return self.said.pop(0)
        await self.gone.wait()
        return {"type": "websocket.disconnect", "code": 1000}

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            await self.reads.wait()
        self.sent.append(message)

    async def serve(self) -> None:
        live: Any = types.SimpleNamespace(rooms=None, orders=types.SimpleNamespace(parted=[]))  # and no people
        scope = {"type": "websocket", "path": door.PATH, "headers": [], "client": ("1.2.3.4", 5)}
        await asyncio.wait_for(door.Socket(live, Gate(NO_LIMITS), ())(scope, self.receive, self.send), 20)


def test_a_client_that_does_not_read_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        deaf, slow = Wire(*[PING] * 200), Wire(*[PING] * 50)
        monkeypatch.setattr(door, "BACKLOG", 100 * len(PONG))
        await deaf.serve()
        assert [one["type"] for one in deaf.sent] == ["websocket.accept"]
        serving = asyncio.create_task(slow.serve())
        await asyncio.sleep(0.1)
        slow.reads.set()
        while len(slow.sent) < 51:
            await asyncio.sleep(0.01)
        slow.gone.set()
        await serving
        assert {one["text"] for one in slow.sent[1:]} == {PONG.decode()}

    asyncio.run(work())


def test_a_mistake_of_ours_ends_one_connection(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        wire = Wire(b'{"type":"hello"}')
        await wire.serve()
        assert wire.sent[-1] == {"type": "websocket.close", "code": 1011}

    asyncio.run(work())
    assert "AttributeError" in caplog.text
