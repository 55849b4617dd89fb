"""A client for live matches: connects to a server, reconnects after a lost connection, and resends until answered.

`examples/play_by_api.py` shows how to use it. After a reconnect messages may arrive twice, late or in another order.
Therefore a part of an update counts only if its number is higher than that of the part before, and a command is resent
with the same id, which makes repeats harmless.
"""

import asyncio
import contextlib
import itertools
import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Generator
from typing import Any, Self

from rostra.extras import need

need("server", "the client")

import websockets
from websockets.asyncio.client import ClientConnection, connect

_TEMPORARY = ("unavailable", "busy", "slow-down", "chatty")
"""Refusals after which the same command may still succeed."""
_LOST = (OSError, websockets.WebSocketException, TimeoutError)
"""What a lost or failed connection raises."""
RESEND = 1.0
"""Seconds without an answer after which a message is sent again."""
QUIET = 20.0
"""Seconds without news of a match after which the client asks for it again."""
RECONNECT, RECONNECT_MOST = 0.05, 2.0
"""Seconds before the first attempt to reconnect, and before a later one at most."""


class Refused(Exception):
    """The server refused a request; `code` is for programs, the text for people."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


async def request(server: str, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
    """One HTTP request to a server such as http://127.0.0.1:8765; returns parsed JSON, or any other answer as text."""
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(server + path, data, headers, method=method)

    def fetch() -> tuple[str, str]:
        try:
            with urllib.request.urlopen(asked, timeout=30) as answer:
                return str(answer.headers.get_content_type()), str(answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                problem = json.loads(error.read() or b"{}")
            raise Refused(problem.get("code", str(error.code)), problem.get("reason", error.reason)) from None

    kind, text = await asyncio.to_thread(fetch)
    return json.loads(text) if kind == "application/json" else text


class Table:
    """A match as this client sees it: the newest version of each part, and the log and chat received so far."""

    def __init__(self, match: str, seat: int | None) -> None:
        self.match = match
        self.seat = seat
        self.number = 0
        self.about: dict[str, Any] = {}
        self.play: dict[str, Any] | None = None
        self.desk: dict[str, Any] = {"offers": [], "ready": [], "undo": None}
        self.log: list[dict[str, Any]] = []
        self.chat: dict[int, dict[str, Any]] = {}
        self._numbers = {"about": -1, "play": -1, "desk": -1}
        self._news = asyncio.Condition()
        self._heard = 0
        self.quiet = True
        """Whether nothing has been received for a while."""
        self.known = asyncio.Event()

    @property
    def wanted(self) -> str:
        """The message that asks for this match."""
        return json.dumps({"type": "watch", "match": self.match, "seat": self.seat})

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.about.get("status") == "over"

    async def news(self, after: int) -> int:
        """Wait for an update newer than this number, or for one that was late; returns the newest number."""
        heard = self._heard
        async with self._news:
            await self._news.wait_for(lambda: self.number > after or self._heard > heard)
        return self.number

    async def take(self, update: dict[str, Any]) -> bool:
        """Store an update; False if lines of the log before it are missing."""
        complete = True
        for part, before in self._numbers.items():
            if part in update and update["number"] > before:
                self._numbers[part] = update["number"]
                setattr(self, part, update[part])
                self._heard += 1
        if "log" in update:
            first, lines = update["log"]["first"], update["log"]["lines"]
            complete = first <= len(self.log)
            if complete:
                self.log[first : first + len(lines)] = lines
        for line in update.get("chat", ()):
            self.chat[line["number"]] = line
        async with self._news:
            self.number = max(self.number, update["number"])
            self.quiet = False
            self._news.notify_all()
        self.known.set()
        return complete


class Client:
    """A connection that restores itself: `async with Client(server, token) as client`, which refuses a wrong token."""

    def __init__(self, server: str, token: str | None = None, socket: str | None = None) -> None:
        """`socket` is the address of the WebSocket if it differs from that of the server."""
        self._address = (socket or server).replace("http", "ws", 1) + "/api/live"
        self._token = token
        self._ids = (f"{secrets.token_hex(4)}-{number}" for number in itertools.count())
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._tables: dict[tuple[str, int | None], Table] = {}
        self._connection: ClientConnection | None = None
        self._connected = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._refusal: Refused | None = None
        self.reconnects = -1

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        connected = asyncio.create_task(self._connected.wait())
        await asyncio.wait([self._task, connected], return_when=asyncio.FIRST_COMPLETED)
        if self._task.done():
            connected.cancel()
            self._task.result()  # raises Refused: the token is unknown
        return self

    async def __aexit__(self, *problem: object) -> None:
        assert self._task is not None
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def watch(self, match: str, seat: int | None = None) -> Table:
        """A match that is kept up to date; returns after its first update."""
        table = self._tables.setdefault((match, seat), Table(match, seat))
        while not table.about:
            await self._send(table.wanted)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(table.known.wait(), RESEND)
            if not table.about and self._refusal is not None:
                del self._tables[match, seat]
                raise self._refusal
        return table

    async def send(self, kind: str, match: str, **fields: Any) -> dict[str, Any]:
        """Send a command until it is done or refused; returns the answer."""
        name = next(self._ids)
        message = {"type": kind, "id": name, "match": match, **fields}
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[name] = answer
        try:
            while not answer.done():
                await self._send(json.dumps(message))
                await asyncio.wait([answer], timeout=RESEND)
            return answer.result()
        finally:
            del self._waiting[name]

    async def _send(self, message: str) -> None:
        while True:
            await self._connected.wait()
            connection = self._connection
            assert connection is not None
            try:
                await connection.send(message)
                return
            except websockets.ConnectionClosed:
                if connection is self._connection:  # else there is already a new one
                    self._connected.clear()

    async def _run(self) -> None:
        """Stay connected, and listen."""
        connections = connect(
            self._address,
            max_size=2**22,
            open_timeout=5,
            ping_timeout=10,
            process_exception=lambda error: None if isinstance(error, _LOST) else error,
            reconnect_delays=_delays,
        )
        async for connection in connections:
            with contextlib.suppress(*_LOST):
                async with connection:
                    await self._listen(connection)
            await asyncio.sleep(RECONNECT)

    async def _listen(self, connection: ClientConnection) -> None:
        """Use this connection until it is lost."""
        await self._hello(connection)
        self._connection = connection
        self.reconnects += 1
        self._connected.set()
        asking = asyncio.create_task(self._ask(connection))
        try:
            async for text in connection:
                await self._hear(json.loads(text), connection)
        finally:
            self._connected.clear()
            asking.cancel()

    async def _hello(self, connection: ClientConnection) -> None:
        """Identify this client and wait for the welcome: the server takes earlier messages for those of a stranger."""
        await connection.send(json.dumps({"type": "hello", "token": self._token}))
        async with asyncio.timeout(RESEND):
            while (answer := json.loads(await connection.recv()))["type"] != "welcome":
                if answer["type"] == "refused" and answer["code"] in ("unknown", "banned"):
                    raise Refused(answer["code"], answer["reason"])

    async def _ask(self, connection: ClientConnection) -> None:
        """Ask for all matches, and later again for those without news: updates may have been lost."""
        for table in self._tables.values():
            table.quiet = True
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                for table in list(self._tables.values()):
                    if table.quiet and not table.over:
                        await connection.send(table.wanted)
                    table.quiet = True
                await asyncio.sleep(QUIET)

    async def _hear(self, message: dict[str, Any], connection: ClientConnection) -> None:
        if message["type"] == "update":
            table = self._tables.get((message["match"], message["seat"]))
            if table is not None and not await table.take(message):
                await connection.send(table.wanted)
        elif message["type"] in ("done", "refused"):
            answer = self._waiting.get(message.get("id") or "")
            refused = Refused(message["code"], message["reason"]) if message["type"] == "refused" else None
            if answer is None:
                if refused is not None and refused.code not in _TEMPORARY:
                    self._refusal = refused
                if refused is not None and refused.code == "unavailable":
                    await connection.close()  # unclear which request failed: reconnect and repeat all of them
            elif not answer.done():
                if refused is None:
                    answer.set_result(message)
                elif refused.code not in _TEMPORARY:
                    answer.set_exception(refused)


def _delays() -> Generator[float, None, None]:
    """Seconds before each attempt to reconnect."""
    delay = RECONNECT
    while True:
        yield delay
        delay = min(RECONNECT_MOST, 2 * delay)
