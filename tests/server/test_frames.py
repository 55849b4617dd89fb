"""The WebSocket door on the wire: a real server, a real client library, and sockets that send exactly these bytes."""

import asyncio
import base64
import contextlib
import itertools
import json
import re
import socket
import struct
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
import uvloop
import websockets
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.frames import Frame, Opcode

from live_server import Server, new_database
from rostra.server.frames import BACKLOG, LINGER, QUEUE, Frames
from rostra.server.guard import HEADERS, MAX_BODY

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
        with pytest.raises(EOFError):
            self.exactly(1)
        return int.from_bytes(content)

    def alive(self) -> None:
        self.send(frame(TEXT, PING))
        assert self.frame() == (TEXT, PONG)


def connections(server: Server) -> int:
    return int(float(re.findall(r"^rostra_connections (\S+)$", httpx.get(server.url + "/metrics").text, re.M)[0]))


def until(true: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


# Messages in all shapes.


def spread(content: bytes, size: int) -> bytes:
    return content + b" " * (size - len(content))


@pytest.mark.parametrize(
    ("size", "bytes_of_length"),
    [
        (15, 1),
        (125, 1),
        *((size, 2) for size in (15, 126, 127, 65535)),
        *((size, 8) for size in (15, 127, 65535, 65536)),
    ],
)
@pytest.mark.parametrize("kind", [TEXT, BINARY])
def test_lengths_of_7_16_and_64_bits(house: Server, size: int, bytes_of_length: int, kind: int) -> None:
    with Line(house.port) as line:
        line.send(frame(kind, spread(PING, size), size=bytes_of_length))
        assert line.frame() == (TEXT, PONG)
        line.alive()


def test_a_message_that_comes_byte_by_byte(house: Server) -> None:
    with Line(house.port) as line:
        line.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for size in (15, 300):
            for byte in frame(TEXT, spread(PING, size)):
                line.send(bytes([byte]))
                time.sleep(0.0005)
            assert line.frame() == (TEXT, PONG)


def test_several_frames_in_one_packet_and_a_part_of_the_next(house: Server) -> None:
    with Line(house.port) as line:
        whole = b"".join(frame(TEXT, PING, mask=struct.pack("!I", n)) for n in range(5)) + frame(ASK, b"there?")
        line.send(whole, frame(TEXT, PING)[:9])
        assert [line.frame() for _ in range(6)] == [(TEXT, PONG)] * 5 + [(ANSWER, b"there?")]
        line.send(frame(TEXT, PING)[9:])
        assert line.frame() == (TEXT, PONG)


def test_messages_are_answered_in_their_order(house: Server) -> None:
    """Some are answered at once, for others a database is asked."""
    with Line(house.port) as line:
        said = []
        for number in range(3 * QUEUE):
            said.append(PING)
            said.append(b'{"type":"hello"}')
            said.append(b'{"type":"close","id":"%d","match":"%s"}' % (number, b"a" * 20))
        line.send(*(frame(TEXT, one) for one in said))
        for number in range(3 * QUEUE):
            kinds = [json.loads(line.frame()[1]) for _ in range(3)]
            assert [one["type"] for one in kinds] == ["pong", "welcome", "refused"]
            assert kinds[2]["id"] == str(number)


def test_fragments_with_control_frames_between_them(house: Server) -> None:
    with Line(house.port) as line:
        word = '{"type":"ping","é":"漢字🎲"}'.encode()
        for kind in (TEXT, BINARY):
            for cut in itertools.product(range(0, len(word) + 1, 7), repeat=2):
                first, second = sorted(cut)  # also empty ones, and in the middle of a letter
                line.send(
                    frame(kind, word[:first], fin=False), frame(ASK, b"a"),
                    frame(MORE, word[first:second], fin=False), frame(ANSWER, b"nobody asked"),
                    frame(ASK, b""), frame(MORE, word[second:]),
                )  # fmt: skip
                assert [line.frame() for _ in range(3)] == [(ANSWER, b"a"), (ANSWER, b""), (TEXT, PONG)]


def test_endless_empty_fragments_take_no_place(house: Server) -> None:
    with Line(house.port) as line:
        line.send(frame(TEXT, PING, fin=False), frame(MORE, fin=False) * 20_000, frame(MORE))
        assert line.frame() == (TEXT, PONG)


def test_pings_of_the_wire_are_answered_with_what_they_brought(house: Server) -> None:
    with Line(house.port) as line:
        for payload in (b"", b"x", bytes(range(125))):
            line.send(frame(ASK, payload))
            assert line.frame() == (ANSWER, payload)


shapes = st.lists(
    st.tuples(st.sampled_from([TEXT, BINARY]), st.integers(15, 400), st.lists(st.integers(0, 400), max_size=4)),
    min_size=1, max_size=6,
)  # fmt: skip


@given(shapes, st.lists(st.integers(0, 3000), max_size=8), st.binary(min_size=4, max_size=4))
@settings(max_examples=60, deadline=None)
def test_any_cut_into_fragments_and_packets_is_the_same(
    house: Server, messages: list[tuple[int, int, list[int]]], packets: list[int], mask: bytes
) -> None:
    stream = b""
    for kind, size, cuts in messages:
        content = spread(PING, size)
        ends = sorted(min(cut, size) for cut in cuts)
        parts = [content[a:b] for a, b in itertools.pairwise([0, *ends, size])]
        for number, part in enumerate(parts):
            stream += frame(MORE if number else kind, part, fin=number == len(parts) - 1, mask=mask)
    with Line(house.port) as line:
        line.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for a, b in itertools.pairwise([0, *sorted(packets), len(stream)]):
            line.send(stream[a:b])
        assert [line.frame() for _ in messages] == [(TEXT, PONG)] * len(messages)
        line.alive()


# What may not be.

BAD_UTF8 = [b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xc0\xaf", "é".encode()[:1]]


@pytest.mark.parametrize(
    ("code", "frames"),
    [
        (1002, [b"\x81\x0f" + PING]),  # not masked
        (1002, [bytes([0x80 | 0x40 | TEXT]) + frame(TEXT, PING)[1:]]),
        (1002, [bytes([0x80 | 0x20 | TEXT]) + frame(TEXT, PING)[1:]]),
        (1002, [bytes([0x80 | 0x10 | TEXT]) + frame(TEXT, PING)[1:]]),
        *((1002, [frame(kind, PING)]) for kind in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)),
        *((1002, [frame(kind, b"x", fin=False)]) for kind in (CLOSE, ASK, ANSWER)),
        *((1002, [frame(kind, b"x" * 126)]) for kind in (CLOSE, ASK, ANSWER)),
        *((1002, [frame(kind, b"x" * 10, size=8)[:2] + (2**40).to_bytes(8) + b"mask"]) for kind in (ASK, CLOSE)),
        (1002, [frame(MORE, PING)]),
        (1002, [frame(MORE, PING, fin=False)]),
        (1002, [frame(TEXT, PING, fin=False), frame(TEXT, PING)]),
        (1002, [frame(TEXT, PING, fin=False), frame(BINARY, PING, fin=False)]),
        *((1007, [frame(TEXT, bad)]) for bad in BAD_UTF8),
        *((1007, [frame(TEXT, b'"' + bad, fin=False), frame(MORE, b'"')]) for bad in BAD_UTF8),
        (1009, [frame(TEXT, b"x" * (MAX_BODY + 1))]),
        (1009, [frame(BINARY, b"x" * (MAX_BODY + 1))]),
        (1009, [b"\x81\xff" + (2**63 + 5).to_bytes(8) + b"mask"]),
        (1009, [frame(TEXT, b"x" * MAX_BODY, fin=False), frame(MORE, b"x")]),
        (1009, [frame(TEXT, b"x" * 1000, fin=False), *[frame(MORE, b"x" * 1000, fin=False)] * 100]),
    ],
)  # fmt: skip
def test_what_is_against_the_protocol_ends_the_connection(house: Server, code: int, frames: list[bytes]) -> None:
    with Line(house.port) as line, Line(house.port) as other:
        line.alive()
        line.send(*frames, frame(TEXT, PING))
        assert line.goodbye() == code
        other.alive()


def test_a_size_is_refused_before_it_is_sent(house: Server) -> None:
    with Line(house.port) as line:
        line.send(b"\x81\xff" + (MAX_BODY + 1).to_bytes(8) + b"mask")
        assert line.goodbye() == 1009


# Closing.


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        (b"", 0), *((code.to_bytes(2) + b"bye", code) for code in (1000, 1001, 1003, 1007, 1011, 1014, 3000, 4999)),
        (b"\x03", 1002), *((code.to_bytes(2), 1002) for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000)),
        (b"\x03\xe8\xff", 1007),
    ],
)  # fmt: skip
def test_a_goodbye_is_answered_with_its_code(house: Server, said: bytes, answered: int) -> None:
    with Line(house.port) as line:
        line.send(frame(CLOSE, said), frame(TEXT, PING))
        assert line.goodbye() == answered


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
        assert time.monotonic() - began < LINGER + 10  # two of them do not even listen
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
        (400, request(Sec_WebSocket_Version=None)), (400, request(Content_Length="5")),
        (400, request(X="y" * 9000)), (405, request(method="POST")),
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
    if status != 101:
        assert headers.items() >= (HEADERS | {"cache-control": "no-store"}).items() or b"/api" not in text
    if status in (403, 404):
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


# Bare frames in a server of our own: what a real one would need much time or many matches for.


class Echo(Frames):
    """Says again what it hears, as often as the first byte says in hundreds; waits for what begins with `w`."""

    ended: asyncio.Event
    gate: asyncio.Event
    heard = 0

    def hear(self, message: bytes) -> Coroutine[Any, Any, None] | None:
        type(self).heard += 1
        if message == b"wrong":
            return self.fail()
        if message == b"spoil":
            return self.spoil()
        if message.startswith(b"w"):
            return self.wait(message)
        for _ in range(100 * int(message[:1]) or 1):
            self.post(message)
        return None

    async def wait(self, message: bytes) -> None:
        await self.gate.wait()
        self.post(message)

    async def fail(self) -> None:
        raise RuntimeError("a mistake")

    async def spoil(self) -> None:
        await self.gate.wait()
        self.post(b"never read")
        self._out.append("no bytes")  # type: ignore[arg-type]  # what cannot be sent

    def left(self) -> None:
        self.ended.set()


WithEcho = Callable[..., None]


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def with_echo(request: pytest.FixtureRequest) -> WithEcho:
    """Runs a test next to an echo, on both kinds of event loop that a server may have."""

    def run(test: Callable[[int, type[Echo]], Awaitable[None]], **options: Any) -> None:
        with asyncio.Runner(loop_factory=request.param) as runner:
            runner.run(next_to_echo(test, options))

    return run


async def next_to_echo(test: Callable[[int, type[Echo]], Awaitable[None]], options: dict[str, Any]) -> None:
    class Own(Echo):
        ended, gate = asyncio.Event(), asyncio.Event()

    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(lambda: None, ws=Own, lifespan="off", log_config=None, ws_max_size=2**20, **options)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listening]))
    try:
        async with asyncio.timeout(60):
            await test(listening.getsockname()[1], Own)
    finally:
        server.should_exit = True
        await serving
        assert not server.server_state.connections
        await asyncio.sleep(0.1)  # sockets are closed in the rounds after this


def test_long_messages_out(with_echo: WithEcho) -> None:
    async def test(port: int, echo: type[Echo]) -> None:
        async with connect(f"ws://127.0.0.1:{port}", max_size=None) as wire:
            for size in (1, 125, 126, 127, 65535, 65536, 2**20):
                await wire.send("0" * size)
                assert await wire.recv() == "0" * size

    with_echo(test)


def test_who_cannot_be_sent_to_is_cut_off_alone(with_echo: WithEcho) -> None:
    async def test(port: int, echo: type[Echo]) -> None:
        wires = [connect(f"ws://127.0.0.1:{port}", ping_interval=None) for _ in range(2)]  # a ping makes us send, too
        async with wires[0] as spoilt, wires[1] as other:
            for number, wire, said in ((1, spoilt, "spoil"), (2, other, "w")):
                await wire.send(said)
                while echo.heard < number:
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)  # both wait now, and answer in the same round, the spoilt one first
            echo.gate.set()
            assert await other.recv() == "w"
            with pytest.raises(websockets.ConnectionClosed):
                await spoilt.recv()
            await other.send("0")
            assert await other.recv() == "0"

    with_echo(test)


def test_who_does_not_listen_is_cut_off_alone(with_echo: WithEcho) -> None:
    async def test(port: int, echo: type[Echo]) -> None:
        async with connect(f"ws://127.0.0.1:{port}") as other:
            deaf = await asyncio.to_thread(Line, port, 4096)
            times = 10 * BACKLOG // (100 * 60_000)
            with contextlib.suppress(OSError):  # it is cut off while it still sends
                for _ in range(times):
                    await asyncio.to_thread(deaf.send, frame(TEXT, b"1" + b"x" * 60_000))
                    if echo.ended.is_set():
                        break
            await echo.ended.wait()
            await other.send("0 still there?")
            assert await other.recv() == "0 still there?"
            deaf.socket.close()

    with_echo(test)


def test_who_asks_without_listening_is_cut_off_too(with_echo: WithEcho) -> None:
    async def test(port: int, echo: type[Echo]) -> None:
        deaf = await asyncio.to_thread(Line, port, 4096)
        with contextlib.suppress(OSError):
            while not echo.ended.is_set():
                await asyncio.to_thread(deaf.send, frame(ASK, b"x" * 125) * 1000)
        await echo.ended.wait()
        deaf.socket.close()

    with_echo(test)


def test_who_listens_slowly_gets_everything(with_echo: WithEcho) -> None:
    async def test(port: int, echo: type[Echo]) -> None:
        slow = await asyncio.to_thread(Line, port, 4096)
        message = b"0" + b"x" * 60_000
        await asyncio.to_thread(slow.send, *[frame(TEXT, message)] * 40)
        await asyncio.sleep(0.3)
        for _ in range(40):
            assert await asyncio.to_thread(slow.frame) == (TEXT, message)
        slow.socket.close()

    with_echo(test)


def test_silent_clients_are_asked_and_dead_ones_dropped(with_echo: WithEcho) -> None:
    async def test(port: int, echo: type[Echo]) -> None:
        async with connect(f"ws://127.0.0.1:{port}", ping_interval=None) as alive:
            dead = await asyncio.to_thread(Line, port)
            assert await asyncio.to_thread(dead.frame) == (ASK, b"")
            await asyncio.wait_for(echo.ended.wait(), 10)
            dead.socket.close()
            await asyncio.sleep(1)
            await alive.send("0")
            assert await alive.recv() == "0"  # the library answered all along

    with_echo(test, ws_ping_interval=0.2)


def test_messages_that_wait_are_bounded_and_kept_in_order(with_echo: WithEcho) -> None:
    async def test(port: int, echo: type[Echo]) -> None:
        many = 10 * QUEUE
        line = await asyncio.to_thread(Line, port)
        said = [b"w%d" % n for n in range(many)]
        await asyncio.to_thread(line.send, *(frame(TEXT, one) for one in said))
        await asyncio.sleep(0.3)
        assert echo.heard == 1  # the others wait, the later ones not even parsed
        echo.gate.set()
        for one in said:
            assert await asyncio.to_thread(line.frame) == (TEXT, one)
        assert echo.heard == many
        line.socket.close()

    with_echo(test)


def test_a_client_that_is_not_read_is_not_called_dead(with_echo: WithEcho) -> None:
    async def test(port: int, echo: type[Echo]) -> None:
        line = await asyncio.to_thread(Line, port)
        await asyncio.to_thread(line.send, *[frame(TEXT, b"w")] * (2 * QUEUE))
        await asyncio.sleep(1)
        assert not echo.ended.is_set()
        echo.gate.set()
        answers = [await asyncio.to_thread(line.frame) for _ in range(2 * QUEUE)]
        assert answers.count((TEXT, b"w")) > QUEUE
        line.socket.close()

    with_echo(test, ws_ping_interval=0.2)


def test_a_lost_connection_ends_when_its_work_is_done(with_echo: WithEcho) -> None:
    async def test(port: int, echo: type[Echo]) -> None:
        line = await asyncio.to_thread(Line, port)
        await asyncio.to_thread(line.send, frame(TEXT, b"w1"), frame(TEXT, b"w2"))
        line.socket.close()
        await asyncio.sleep(0.3)
        assert not echo.ended.is_set()
        echo.gate.set()
        await echo.ended.wait()
        assert echo.heard == 2

    with_echo(test)


def test_a_mistake_of_ours_ends_one_connection(with_echo: WithEcho, caplog: pytest.LogCaptureFixture) -> None:
    async def test(port: int, echo: type[Echo]) -> None:
        async with connect(f"ws://127.0.0.1:{port}") as wire, connect(f"ws://127.0.0.1:{port}") as other:
            await wire.send("wrong")
            with pytest.raises(websockets.ConnectionClosedError) as caught:
                await wire.recv()
            assert caught.value.rcvd is not None and caught.value.rcvd.code == 1011
            await other.send("0")
            assert await other.recv() == "0"

    with_echo(test)
    assert "a mistake" in caplog.text


def test_who_does_not_hang_up_is_hung_up_on(with_echo: WithEcho) -> None:
    async def test(port: int, echo: type[Echo]) -> None:
        line = await asyncio.to_thread(Line, port)
        await asyncio.to_thread(line.send, frame(CLOSE, b"\x03\xe8"))
        assert await asyncio.to_thread(line.goodbye) == 1000
        await asyncio.wait_for(echo.ended.wait(), LINGER + 10)
        line.socket.close()

    with_echo(test)


def test_our_frames_are_those_of_the_library() -> None:
    """So that the tests do not agree with a mistake of their own."""
    for kind, size, fin in itertools.product((TEXT, BINARY, MORE), (0, 1, 125, 126, 65535, 65536), (True, False)):
        written = frame(kind, b"x" * size, fin, mask=bytes(4))
        whole = Frame(Opcode(kind), b"x" * size, fin).serialize(mask=False)
        assert written[0] == whole[0] and len(written) == len(whole) + 4 and written[1] == whole[1] | 0x80
