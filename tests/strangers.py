"""What the tests of security share: commands by somebody, and bytes that no client of ours would send."""

import asyncio
import socket
from collections.abc import Awaitable
from typing import Any, get_args

import pytest

from live_server import Server, new_match, person
from rostra.client import Refused, request
from rostra.server import schema
from rostra.server.people import new_id

OPENING = (
    "GET /api/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: a2tra2tra2tra2tra2traw==\r\n\r\n"
)
COMMANDS = {one.__struct_config__.tag: one for one in get_args(schema.AnyCommand)}


def within(seconds: float, work: Awaitable[None]) -> None:
    async def run() -> None:
        await asyncio.wait_for(work, seconds)

    asyncio.run(run())


def bare(server: Server, text: str | bytes) -> tuple[int, dict[str, str], bytes]:
    """Send exactly these bytes; status, headers and body of the answer."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(text.encode() if isinstance(text, str) else text)
        answer = b""
        while part := line.recv(65536):
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    return int(status.split()[1]), {k.lower(): v for k, _, v in (one.partition(": ") for one in lines)}, body


def get(path: str, host: str = "localhost", method: str = "GET") -> str:
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


async def two_play(url: str, game: str = "alea", seats: str = "me open", **wanted: Any) -> tuple[str, str, str]:
    """A match that has begun, and the tokens of its players."""
    ada, bo = await person(url, "Ada"), await person(url, "Bo")
    match = await new_match(url, ada, seats, game, **wanted)
    for seat, token in ((0, ada), (1, bo)):
        await act(url, token, "sit", match, seat=seat, name=f"P{seat}")
    return match, ada, bo


async def act(url: str, token: str | None, kind: str, match: str, **fields: Any) -> Any:
    body = {"type": kind, "id": new_id(), "match": match, **fields}
    return await request(url, "POST", f"/api/matches/{match}/commands", body, token)


async def refusal(work: Awaitable[Any]) -> str:
    """The code with which this is refused."""
    with pytest.raises(Refused) as caught:
        await work
    return caught.value.code
