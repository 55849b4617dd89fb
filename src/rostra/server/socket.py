"""The WebSocket door: messages in, answers and news out.

Spoken as bare ASGI, because every move passes here once for each player. What a newcomer would get wrong: news is
queued and sent by a task of its own, so that one slow client cannot hold up a match; one that falls far behind is cut
off, and finds everything again when it comes back.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable

import msgspec
from starlette.types import Receive, Scope, Send

from rostra.server import metrics, schema
from rostra.server.guard import Bucket, Rates, origin_allowed
from rostra.server.live import Live
from rostra.server.metrics import CONNECTIONS
from rostra.server.store import StoreError
from rostra.server.table import Refusal

BACKLOG = 2**22
"""A client for which more bytes wait is cut off."""
WATCHES = 50
"""How many matches one connection may watch."""
POLICY = 1008


class Connection:
    """One client."""

    def __init__(self, send: Send, cut_off: Callable[[], object]) -> None:
        self.person: str | None = None
        self.watches: set[tuple[str, int | None]] = set()
        self.too_slow = False
        self._send = send
        self._cut_off = cut_off
        self._waiting = 0
        self._queue: deque[bytes] = deque()
        self._ready = asyncio.Event()

    def post(self, message: bytes) -> None:
        """Send it when possible, without waiting; a client that does not listen is cut off here, because sending to it
        would wait for ever."""
        if self.too_slow:
            return
        self._queue.append(message)
        self._waiting += len(message)
        self._ready.set()
        if self._waiting > BACKLOG:
            self.too_slow = True
            self._queue.clear()
            self._cut_off()

    async def write(self) -> None:
        """Send what waits, for ever."""
        queue, send, ready = self._queue, self._send, self._ready
        while True:
            await ready.wait()
            ready.clear()
            while queue:
                message = queue.popleft()
                self._waiting -= len(message)
                await send({"type": "websocket.send", "text": message.decode()})


class Socket:
    """The ASGI application of `/api/live`."""

    def __init__(self, live: Live, rates: Rates, rate: float, origins: tuple[str, ...]) -> None:
        self._live = live
        self._rates = rates
        self._rate = rate
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection from its opening to its end."""
        await receive()  # websocket.connect
        if not origin_allowed(scope, self._origins) or not self._rates.take(scope):
            await send({"type": "websocket.close", "code": POLICY, "reason": ""})
            return
        await send({"type": "websocket.accept"})
        task = asyncio.current_task()
        assert task is not None
        connection = Connection(send, task.cancel)
        writer = asyncio.create_task(connection.write())
        CONNECTIONS.inc()
        try:
            await self._serve(connection, receive, writer)
        except asyncio.CancelledError:
            if not connection.too_slow:
                raise
        finally:
            CONNECTIONS.dec()
            for match, _ in connection.watches:
                self._live.unwatch(connection, match)
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await writer

    async def _serve(self, connection: Connection, receive: Receive, writer: "asyncio.Task[None]") -> None:
        bucket = Bucket(self._rate)
        while not writer.done():
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            if text is None:
                text = message.get("bytes") or b""
            if not bucket.take():
                self._refuse(connection, None, "slow-down", "too many messages; wait a little")
                await asyncio.sleep(1 / self._rate)
                continue
            try:
                said = schema.from_client(text)
            except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
                self._refuse(connection, _id_of(text), "bad-message", str(error))
                continue
            try:
                await self._hear(connection, said)
            except Refusal as refusal:
                self._refuse(connection, getattr(said, "id", None), refusal.code, str(refusal))
            except StoreError:
                reason = "the database cannot be used now; try again"
                self._refuse(connection, getattr(said, "id", None), "unavailable", reason)

    async def _hear(self, connection: Connection, said: schema.FromClient) -> None:
        live = self._live
        match said:
            case schema.Hello(token):
                person = await live.person_of(token)
                if token is not None and person is None:
                    raise Refusal("unknown", "nobody has this token")
                known = person.id if person else None
                if connection.watches and known != connection.person:
                    raise Refusal("late", "say who you are before you watch")
                connection.person = known
                name = person.name if person else None
                connection.post(schema.encode(schema.Welcome(connection.person, name)))
            case schema.Watch(match, seat):
                if len(connection.watches) >= WATCHES:
                    raise Refusal("too-many", f"one connection watches at most {WATCHES} matches")
                await live.watch(connection, match, seat)
                connection.watches.add((match, seat))
            case schema.Unwatch(match, seat):
                live.unwatch(connection, match, seat)
                connection.watches.discard((match, seat))
                if all(watched != match for watched, _ in connection.watches):
                    live.unwatch(connection, match)  # who lost the seat has become a watcher
            case schema.Ping():
                connection.post(_PONG)
            case _:
                done = await live.command(said, connection.person)
                connection.post(schema.encode(done))

    def _refuse(self, connection: Connection, message: str | None, code: str, reason: str) -> None:
        metrics.refusals[code] += 1
        connection.post(schema.encode(schema.Refused(message, code, reason)))


_PONG = schema.encode(schema.Pong())


class _WithId(msgspec.Struct):
    id: schema.Id | None = None


def _id_of(text: str | bytes) -> str | None:
    """The id of a message that is wrong otherwise, so that its sender knows which one it was."""
    with contextlib.suppress(msgspec.MsgspecError, UnicodeError, RecursionError):
        return msgspec.json.decode(text, type=_WithId).id
    return None
