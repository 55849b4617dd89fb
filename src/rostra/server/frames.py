"""WebSocket connections on the wire (RFC 6455), as uvicorn's `ws=` wants them: frames to messages and back.

Every move passes here several times, so there is no task that reads or writes and no object for a frame. The opening
handshake is parsed by `websockets`; extensions and subprotocols are off. What messages mean is not known here: a
subclass says it (`socket`). What a newcomer would get wrong: messages of a connection are heard one after the other.
While one is being dealt with (`hold`), the next ones queue here, and when many do the client is not read any more.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine
from typing import Any, cast
from weakref import WeakKeyDictionary

from uvicorn import Config
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.server import ServerState
from websockets.exceptions import ProtocolError
from websockets.frames import Close, CloseCode
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from rostra.server.guard import HEADERS

try:
    from websockets.speedups import apply_mask
except ImportError:  # built without a compiler
    from websockets.utils import apply_mask

log = logging.getLogger("rostra.socket")

BACKLOG = 2**22
"""A client for which more bytes wait is cut off; it finds everything again when it comes back."""
QUEUE = 64
"""A client of which more messages wait is not read any more, until half of them are done."""
LINGER = 2.0
"""Seconds a client has to hang up after we said goodbye."""

FIN, MASKED = 0x80, 0x80
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
_WHOLE_TEXT, _WHOLE_BINARY = FIN | TEXT, FIN | BINARY
_FIRST_BYTES = frozenset(
    [CONTINUATION, TEXT, BINARY] + [FIN | kind for kind in (CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG)]
)
"""All first bytes a frame may have: control frames are never fragments, reserved bits are never set."""
_SHORT_HEADS = [bytes((_WHOLE_TEXT, length)) for length in range(126)]
_OPENING, _OPEN, _CLOSED = range(3)
_posting: WeakKeyDictionary[asyncio.AbstractEventLoop, list["Frames"]] = WeakKeyDictionary()
"""Connections with something to send: what is posted in one round of the loop goes out at its end, together."""


class Frames(asyncio.Protocol):
    """One connection; subclasses override `admit`, `hear` and `left`."""

    def __init__(self, config: Config, server_state: ServerState, app_state: object = None) -> None:
        self.lost = False
        """Whether nothing can be sent any more."""
        self._limit = config.ws_max_size
        self._ping_every = config.ws_ping_interval or 0.0
        self._all: set[Any] = server_state.connections
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport
        self._state = _OPENING
        self._rest = bytearray()  # the beginning of a frame, or what came while not reading
        self._kind = 0  # of the message whose fragments are in `_parts`; 0: of none
        self._parts = bytearray()
        self._out: list[bytes] = []
        self._posting = _posting.setdefault(self._loop, [])
        self._queue: deque[bytes] = deque()
        self._held = False
        self._task: asyncio.Task[None] | None = None  # nobody else keeps it
        self._paused = False
        self._silent = False
        self._timer: asyncio.TimerHandle | None = None

    # What a subclass says.

    def admit(self, request: Request, address: str) -> tuple[int, bytes] | None:
        """None when this client may come in, else the HTTP status and JSON with which it is refused."""
        return None

    def hear(self, message: bytes) -> Coroutine[Any, Any, None] | None:
        """Deal with a message; what it returns is waited for before the next one is heard, and so is the end of a
        `hold`."""
        raise NotImplementedError

    def left(self) -> None:
        """The connection has ended, and nothing is being done for it any more."""

    # What it can be told.

    def hold(self) -> None:
        """Hear nothing more until `go_on`."""
        self._held = True

    def go_on(self) -> None:
        """Hear what was said in the meantime; also when the client has hung up by then."""
        self._held = False
        queue = self._queue
        while queue and not self._held:
            self._take(queue.popleft())
            if self._paused and len(queue) <= QUEUE // 2:
                self._read_on()
        if self.lost and not self._held:
            self._end()

    def post(self, message: bytes) -> None:
        """Send a text without waiting; when the client is gone, nothing happens."""
        if self._state != _OPEN:
            return
        length = len(message)
        if length < 126:
            head = _SHORT_HEADS[length]
        elif length < 2**16:
            head = bytes((_WHOLE_TEXT, 126, length >> 8, length & 255))
        else:
            head = bytes((_WHOLE_TEXT, 127)) + length.to_bytes(8)
        if not self._out:
            if not self._posting:
                self._loop.call_soon(_send, self._posting)
            self._posting.append(self)
        self._out += (head, message)

    def _flush(self) -> None:
        out, self._out = self._out, []
        if out and not self.lost:
            self._transport.write(b"".join(out))

    def close(self, code: int) -> None:
        """Say goodbye with this code (0: none), and hang up as soon as the client has."""
        if self._state != _OPEN:
            return
        self._flush()
        self._transport.write(_control(CLOSE, code.to_bytes(2) if code else b""))
        self._state = _CLOSED
        self._rest.clear()
        if self._paused:
            self._transport.resume_reading()  # else we would not see that it hangs up
        self._set_timer(LINGER, self._transport.abort)
        # Only our half is closed: hanging up on a client that still sends would take back what we said last.
        if self._transport.can_write_eof():
            self._transport.write_eof()
        else:
            self._transport.close()

    # What uvicorn and the event loop call.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The client is there; its request comes next."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=BACKLOG)

    def data_received(self, data: bytes) -> None:
        """Something came: first the request, then frames, in pieces of any size."""
        if self._state != _OPEN:
            if self._state == _OPENING:
                self._open(data)
            return
        self._silent = False
        rest = self._rest
        if rest:
            rest += data
            del rest[: self._read(rest)]
        elif (done := self._read(data)) < len(data) and self._state == _OPEN:
            rest += data[done:]

    def pause_writing(self) -> None:
        """More than `BACKLOG` waits to be sent."""
        self._state = _CLOSED
        self._loop.call_soon(self._transport.abort)  # not at once: this is called in the middle of a write

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended, in whatever way."""
        self._state = _CLOSED
        self.lost = True
        if self._timer is not None:
            self._timer.cancel()
        if not self._held:
            self._end()

    def shutdown(self) -> None:
        """The server stops."""
        self.close(CloseCode.SERVICE_RESTART)

    # Opening.

    def _open(self, head: bytes) -> None:
        """Answer the request; uvicorn hands it over in one piece."""
        protocol = ServerProtocol(logger=logging.getLogger("uvicorn.error"))
        protocol.receive_data(head)
        request = next((event for event in protocol.events_received() if isinstance(event, Request)), None)
        if request is None:
            self._turn_away(protocol.reject(400, "This is not a request to open a WebSocket.\n"))
            return
        response = protocol.accept(request)
        if response.status_code != 101:
            self._turn_away(response)
            return
        peer = get_remote_addr(self._transport)
        refusal = self.admit(request, peer[0] if peer else "")
        if refusal is not None:
            response = protocol.reject(refusal[0], refusal[1].decode())
            del response.headers["Content-Type"]
            response.headers["Content-Type"] = "application/json"
            self._turn_away(response)
            return
        self._transport.write(response.serialize())
        self._state = _OPEN
        self._all.add(self)
        if self._ping_every > 0:
            self._set_timer(self._ping_every, self._keep_alive)

    def _turn_away(self, response: Response) -> None:
        self._state = _CLOSED
        for name, value in (HEADERS | {"cache-control": "no-store"}).items():
            response.headers[name] = value
        self._transport.write(response.serialize())
        self._transport.close()

    # Frames.

    def _read(self, data: bytes | bytearray) -> int:
        """Take the frames that are complete; returns how many bytes they were."""
        at, size = 0, len(data)
        while size - at >= 2 and self._state == _OPEN and not self._paused:
            first, length, start = data[at], data[at + 1] - MASKED, at + 6
            if length < 0 or first not in _FIRST_BYTES:
                self.close(CloseCode.PROTOCOL_ERROR)
                break
            if length >= 126:
                start += 2 if length == 126 else 8
                if size < start:
                    break
                length = int.from_bytes(data[at + 2 : start - 4])
            if first != _WHOLE_TEXT or length > self._limit or self._kind:
                problem = self._problem(first, length)
                if problem:
                    self.close(problem)
                    break
            end = start + length
            if size < end:
                break
            payload = apply_mask(data[start:end], data[start - 4 : start])
            at = end
            if first == _WHOLE_TEXT and payload.isascii():  # nearly always
                self._hear(payload)
            elif first == _WHOLE_TEXT:
                self._whole(TEXT, payload)
            elif first == _WHOLE_BINARY:
                self._hear(payload)
            elif first & 0x8 == 0:
                self._fragment(first, payload)
            else:
                self._control(first & 0xF, payload)
        return at

    def _problem(self, first: int, length: int) -> int:
        """The code that says why a frame cannot be here, as far as its head shows that; 0: it can."""
        kind = first & 0xF
        if kind >= CLOSE:
            return 0 if length < 126 else CloseCode.PROTOCOL_ERROR
        if (kind == CONTINUATION) != (self._kind != 0):
            return CloseCode.PROTOCOL_ERROR
        return 0 if len(self._parts) + length <= self._limit else CloseCode.MESSAGE_TOO_BIG

    def _fragment(self, first: int, payload: bytes) -> None:
        self._parts += payload
        if first in (TEXT, BINARY):
            self._kind = first
        elif first & FIN:
            kind, message = self._kind, bytes(self._parts)
            self._kind = 0
            self._parts.clear()
            self._whole(kind, message)

    def _whole(self, kind: int, message: bytes) -> None:
        if kind == TEXT:
            try:
                message.decode()
            except UnicodeDecodeError:
                self.close(CloseCode.INVALID_DATA)
                return
        self._hear(message)

    def _control(self, kind: int, payload: bytes) -> None:
        if kind == PING:
            self._flush()  # in order
            self._transport.write(_control(PONG, payload))
        elif kind == CLOSE:
            try:
                said = Close.parse(payload)
            except ProtocolError:
                self.close(CloseCode.PROTOCOL_ERROR)
            except UnicodeDecodeError:
                self.close(CloseCode.INVALID_DATA)
            else:
                self.close(said.code if payload else 0)

    def _keep_alive(self) -> None:
        """Ask whether the client is there; one of which nothing came since it was asked last is not."""
        if self._silent and not self._paused:
            self._transport.abort()
            return
        self._silent = True
        self._transport.write(_control(PING, b""))
        self._set_timer(self._ping_every, self._keep_alive)

    def _set_timer(self, seconds: float, then: Any) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, then)

    # Messages, one after the other.

    def _hear(self, message: bytes) -> None:
        if not (self._held or self._queue):
            self._take(message)
            return
        self._queue.append(message)
        if len(self._queue) > QUEUE:
            self._paused = True
            self._transport.pause_reading()

    def _take(self, message: bytes) -> None:
        try:
            waiting = self.hear(message)
        except Exception as error:
            self._give_up(error)
            return
        if waiting is not None:
            self.hold()
            self._task = self._loop.create_task(self._wait(waiting))

    async def _wait(self, waiting: Coroutine[Any, Any, None]) -> None:
        try:
            await waiting
        except Exception as error:
            self._give_up(error)
        finally:
            self.go_on()

    def _give_up(self, error: Exception) -> None:
        log.error("message", exc_info=error)
        self._queue.clear()
        self.close(CloseCode.INTERNAL_ERROR)

    def _read_on(self) -> None:
        self._paused = False
        if self._state == _OPEN:
            self._transport.resume_reading()
            self.data_received(b"")

    def _end(self) -> None:
        """Only now, because a server that stops waits for those that are in this set."""
        if self in self._all:
            self._all.discard(self)
            self.left()


def _send(posting: list[Frames]) -> None:
    connections = posting[:]
    posting.clear()
    for connection in connections:
        try:
            connection._flush()
        except Exception as error:  # the others must not suffer
            log.error("send", exc_info=error)
            connection._transport.abort()


def _control(kind: int, payload: bytes) -> bytes:
    return bytes((FIN | kind, len(payload))) + payload
