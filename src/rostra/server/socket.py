"""The WebSocket door: messages in, answers and news out.

An ASGI application, so uvicorn and `websockets` handle the protocol, and the middleware of the other routes applies
here too. News is queued and sent by a task of its own, so that one slow client cannot hold up a match. A client that
falls far behind is disconnected, and gets everything again when it reconnects.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable

import msgspec
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from rostra.server import metrics, schema
from rostra.server.guard import Bucket, Rates, origin_allowed
from rostra.server.live import Live
from rostra.server.metrics import CONNECTIONS
from rostra.server.routes import problem
from rostra.server.store import StoreError
from rostra.server.table import Refusal

log = logging.getLogger("rostra.socket")

PATH = "/api/live"
BACKLOG = 2**22
"""A client is disconnected when more bytes than this wait for it."""
WATCHES = 50
"""Number of matches that one connection may watch."""
INTERNAL_ERROR = 1011


class Protocol(WebSocketsSansIOProtocol):
    """uvicorn's own class, except that it disconnects a client that pings and does not read: uvicorn queues the pongs
    without limit (200 MB in six seconds)."""

    def handle_ping(self) -> None:
        """Answer, unless too many answers are waiting already."""
        super().handle_ping()
        if self.transport.get_write_buffer_size() > BACKLOG:
            self.transport.abort()


class Socket:
    """The ASGI application. It serves `PATH` and refuses every other address."""

    def __init__(self, live: Live, rates: Rates, rate: float, origins: tuple[str, ...]) -> None:
        self.live = live
        self.rate = rate
        self._rates = rates
        self._origins = origins
        self._connections: set[Connection] = set()
        live.orders.parted.append(self._part)

    def _part(self, person: str) -> None:
        """End all connections of a person."""
        for connection in [one for one in self._connections if one.person == person]:
            connection.end()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection from its opening to its end."""
        await receive()  # websocket.connect
        try:
            self._check(scope)
        except Refusal as refusal:
            await problem(refusal)(scope, receive, send)
            return
        await send({"type": "websocket.accept"})
        task = asyncio.current_task()
        assert task is not None
        connection = Connection(self, receive, send, task.cancel)
        CONNECTIONS.inc()
        self._connections.add(connection)
        try:
            await connection.serve()
        except asyncio.CancelledError:
            if not connection.cut_off:
                raise
        except Exception as error:
            log.error("message", exc_info=error)
            with contextlib.suppress(Exception):
                await send({"type": "websocket.close", "code": INTERNAL_ERROR})
        finally:
            CONNECTIONS.dec()
            self._connections.discard(connection)

    def _check(self, scope: Scope) -> None:
        if scope["path"] != PATH:
            raise Refusal("not-found", "there is nothing at this address")
        if not origin_allowed(scope, self._origins):
            raise Refusal("bad-origin", "pages of other sites may not connect")
        if not self._rates.take(scope):
            raise Refusal("slow-down", "too many connections; wait a little")


class Connection:
    """One client."""

    def __init__(self, door: Socket, receive: Receive, send: Send, cut_off: Callable[[], object]) -> None:
        self.person: str | None = None
        self.away = False
        self.watches: set[tuple[str, int | None]] = set()
        self.cut_off = False
        self._live = door.live
        self._rate = door.rate
        self._bucket = Bucket(door.rate)
        self._receive = receive
        self._send = send
        self._cut_off = cut_off
        self._queue: deque[bytes] = deque()
        self._waiting = 0
        """Bytes in the queue."""
        self._ready = asyncio.Event()

    def post(self, message: bytes) -> None:
        """Send it when possible, without waiting. A client that does not read is disconnected here, because sending to
        it would block for ever."""
        if self.cut_off:
            return
        self._queue.append(message)
        self._waiting += len(message)
        self._ready.set()
        if self._waiting > BACKLOG:
            self.end()

    def end(self) -> None:
        """Disconnect it."""
        self.cut_off = True
        self._queue.clear()
        self._cut_off()

    async def serve(self) -> None:
        """Handle one message after the other until the client has gone."""
        writer = asyncio.create_task(self._write())
        try:
            while (message := await self._receive())["type"] == "websocket.receive":
                text = message.get("text")
                await self._hear(message["bytes"] if text is None else text.encode())
        finally:
            for match, _ in self.watches:
                self._live.rooms.unwatch(self, match)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    async def _write(self) -> None:
        """Send what is queued, for ever; ends when the client has gone, which `serve` notices by itself."""
        with contextlib.suppress(OSError):
            while True:
                await self._ready.wait()
                self._ready.clear()
                while self._queue:
                    message = self._queue.popleft()
                    self._waiting -= len(message)
                    await self._send({"type": "websocket.send", "text": message.decode()})

    async def _hear(self, message: bytes) -> None:
        if not self._bucket.take():
            self._refuse(None, "slow-down", "too many messages; wait a little")
            await asyncio.sleep(1 / self._rate)
            return
        try:
            said = schema.from_client(message)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            self._refuse(schema.id_of(message), "bad-message", str(error))
            return
        try:
            await self._act(said)
        except Refusal as refusal:
            self._refuse(getattr(said, "id", None), refusal.code, str(refusal))
        except StoreError:
            reason = "the database cannot be used now; try again"
            self._refuse(getattr(said, "id", None), "unavailable", reason)

    async def _act(self, said: schema.FromClient) -> None:
        rooms = self._live.rooms
        match said:
            case schema.Ping():
                self.post(_PONG)
            case schema.Hello(token):
                person = await self._live.people.find(token)
                if token is not None and person is None:
                    raise Refusal("unknown", "nobody has this token")
                known = person.id if person else None
                if self.watches and known != self.person:
                    raise Refusal("late", "say who you are before you watch")
                self.person = known
                self.post(schema.encode(schema.Welcome(known, person.name if person else None)))
            case schema.Away(on):
                if on != self.away:
                    self.away = on
                    for match in {match for match, _ in self.watches}:
                        rooms.look_around(match)
            case schema.Watch(match, seat, details):
                if len(self.watches) >= WATCHES:
                    raise Refusal("too-many", f"one connection watches at most {WATCHES} matches")
                await rooms.watch(self, match, seat, details)
                self.watches.add((match, seat))
            case schema.Unwatch(match, seat):
                rooms.unwatch(self, match, seat)
                self.watches.discard((match, seat))
                if all(watched != match for watched, _ in self.watches):
                    rooms.unwatch(self, match)  # a former holder of the seat has become a spectator
            case _:
                self.post(schema.encode(await rooms.command(said, self.person)))

    def _refuse(self, message: str | None, code: str, reason: str) -> None:
        metrics.refusals[code] += 1
        self.post(schema.encode(schema.Refused(message, code, reason)))


_PONG = schema.encode(schema.Pong())
