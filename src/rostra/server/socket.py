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
from rostra.server.guard import Gate, address_of, origin_allowed
from rostra.server.live import Live
from rostra.server.metrics import CONNECTIONS
from rostra.server.routes import problem
from rostra.server.store import StoreError
from rostra.server.table import UNAVAILABLE, Refusal

log = logging.getLogger("rostra.socket")

PATH = "/api/live"
BACKLOG = 2**22
"""A client is disconnected when more bytes than this wait for it."""
INTERNAL_ERROR = 1011
PAUSE = 1.0
"""Seconds at most for which a client that says too much is not heard."""


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

    def __init__(self, live: Live, gate: Gate, origins: tuple[str, ...]) -> None:
        self.live = live
        self.gate = gate
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
        address = address_of(scope)
        with contextlib.ExitStack() as stack:
            try:
                self._check(scope, address)
                stack.enter_context(self.gate.connection(address))
            except Refusal as refusal:
                await problem(refusal)(scope, receive, send)
                return
            await self._serve(address, receive, send)

    async def _serve(self, address: str, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept"})
        task = asyncio.current_task()
        assert task is not None
        connection = Connection(self, address, receive, send, task.cancel)
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

    def _check(self, scope: Scope, address: str) -> None:
        if scope["path"] != PATH:
            raise Refusal("not-found", "there is nothing at this address")
        if not origin_allowed(scope, self._origins):
            raise Refusal("bad-origin", "pages of other sites may not connect")
        self.gate.knock(address)
        self.gate.enter(address, None)


class Connection:
    """One client."""

    def __init__(self, door: Socket, address: str, receive: Receive, send: Send, cut_off: Callable[[], object]) -> None:
        self.person: str | None = None
        self.away = False
        self.watches: set[tuple[str, int | None]] = set()
        self.cut_off = False
        self._leave: Callable[[], None] = lambda: None
        self._live = door.live
        self._gate = door.gate
        self._address = address
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
            self._leave()
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
        try:
            self._gate.knock(self._address)
            self._gate.enter(self._address, self.person)
        except Refusal as refusal:
            self._refuse(schema.id_of(message), refusal)
            await asyncio.sleep(min(PAUSE, (refusal.retry_ms or 0) / 1000))
            return
        try:
            said = schema.from_client(message)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            self._refuse(schema.id_of(message), Refusal("bad-message", str(error)))
            return
        try:
            await self._act(said)
        except Refusal as refusal:
            self._refuse(getattr(said, "id", None), refusal)
        except StoreError:
            down = Refusal("unavailable", "the database cannot be used now; try again", UNAVAILABLE)
            self._refuse(getattr(said, "id", None), down)

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
                self._attend(token)
                self.post(schema.encode(schema.Welcome(known, person.name if person else None)))
            case schema.Away(on):
                if on != self.away:
                    self.away = on
                    for match in {match for match, _ in self.watches}:
                        rooms.look_around(match)
                        rooms.came(match, self)
            case schema.Watch(match, seat, details):
                most = self._gate.limits.watches
                if most and len(self.watches) >= most and (match, seat) not in self.watches:
                    raise Refusal("too-many", f"one connection watches at most {most} matches")
                await rooms.watch(self, match, seat, details)
                self.watches.add((match, seat))
            case schema.Unwatch(match, seat):
                rooms.unwatch(self, match, seat)
                self.watches.discard((match, seat))
                if all(watched != match for watched, _ in self.watches):
                    rooms.unwatch(self, match)  # a former holder of the seat has become a spectator
            case _:
                self.post(schema.encode(await rooms.command(said, self.person)))

    def _attend(self, token: str | None) -> None:
        """End with the token, when its owner revokes it."""
        self._leave()
        self._leave = (lambda: None) if token is None else self._live.people.attend(token, self.end)

    def _refuse(self, message: str | None, refusal: Refusal) -> None:
        metrics.refusals[refusal.code] += 1
        retry = msgspec.UNSET if refusal.retry_ms is None else refusal.retry_ms
        self.post(schema.encode(schema.Refused(message, refusal.code, str(refusal), retry)))


_PONG = schema.encode(schema.Pong())
