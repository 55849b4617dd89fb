"""The WebSocket door: messages in, answers and news out.

How messages travel is in `frames`; here is who may come in and what is said. What a newcomer would get wrong: uvicorn
hands connections to this door before ASGI, so nothing that wraps the application is passed here; the origin, the rate
and what a proxy says of the client are looked at in `Connection.admit`.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any
from urllib.parse import unquote

import msgspec
from uvicorn import Config
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.server import ServerState
from websockets.http11 import Request

from rostra.server import metrics, schema
from rostra.server.frames import BACKLOG as BACKLOG
from rostra.server.frames import Frames
from rostra.server.guard import Bucket, Rates, origin_allowed
from rostra.server.live import Live
from rostra.server.metrics import CONNECTIONS
from rostra.server.routes import problem
from rostra.server.store import StoreError
from rostra.server.table import Refusal

PATH = "/api/live"
WATCHES = 50
"""How many matches one connection may watch."""
_Waits = schema.Hello | schema.Watch | schema.Unwatch | schema.AnyCommand
"""What is not answered at once."""


class Socket:
    """The door: what all connections share; uvicorn calls it for each one."""

    def __init__(self, live: Live, rates: Rates, rate: float, origins: tuple[str, ...], proxies: str = "") -> None:
        self.live = live
        self.rate = rate
        self._rates = rates
        self._origins = origins
        self._proxies = _TrustedHosts(proxies) if proxies else None

    def __call__(self, config: Config, server_state: ServerState, app_state: object) -> "Connection":
        """A new connection."""
        return Connection(self, config, server_state)

    def check(self, request: Request, address: str) -> None:
        """Refuse who may not come in; `address` is who connected, which may be a proxy."""
        if unquote(request.path.partition("?")[0]) != PATH:
            raise Refusal("not-found", "there is nothing at this address")
        forwarded = ", ".join(request.headers.get_all("X-Forwarded-For"))
        if forwarded and self._proxies is not None and address in self._proxies:
            address = self._proxies.get_trusted_client_address(forwarded)[0] or address
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in request.headers.raw_items()]
        scope = {"client": (address, 0), "headers": headers}
        if not origin_allowed(scope, self._origins):
            raise Refusal("bad-origin", "pages of other sites may not connect")
        if not self._rates.take(scope):
            raise Refusal("slow-down", "too many connections; wait a little")


class Connection(Frames):
    """One client."""

    def __init__(self, door: Socket, config: Config, server_state: ServerState) -> None:
        super().__init__(config, server_state)
        self.person: str | None = None
        self.watches: set[tuple[str, int | None]] = set()
        self._door = door
        self._live = door.live
        self._bucket = Bucket(door.rate)

    def admit(self, request: Request, address: str) -> tuple[int, bytes] | None:
        """Look who it is."""
        try:
            self._door.check(request, address)
        except Refusal as refusal:
            answer = problem(refusal)
            return answer.status_code, bytes(answer.body)
        CONNECTIONS.inc()
        return None

    def left(self) -> None:
        """Watch no more."""
        CONNECTIONS.dec()
        for match, _ in self.watches:
            self._live.unwatch(self, match)

    def hear(self, message: bytes) -> Coroutine[Any, Any, None] | None:
        """Answer at once if possible."""
        if not self._bucket.take():
            self._refuse(None, "slow-down", "too many messages; wait a little")
            return None if self.lost else asyncio.sleep(1 / self._door.rate)
        try:
            said = schema.from_client(message)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            self._refuse(schema.id_of(message), "bad-message", str(error))
            return None
        if isinstance(said, schema.Ping):
            self.post(_PONG)
            return None
        if not isinstance(said, _TALK):
            try:
                if self._live.begin(said, self):
                    self.hold()
                    return None
            except Refusal as refusal:
                self._refuse(said.id, refusal.code, str(refusal))
                return None
        return self._answer(said)

    def told(self, command: schema.AnyCommand, answer: schema.Done | Refusal) -> None:
        """What came of a command."""
        if isinstance(answer, Refusal):
            self._refuse(command.id, answer.code, str(answer))
        else:
            self.post(schema.encode(answer))
        self.go_on()

    async def _answer(self, said: _Waits) -> None:
        try:
            await self._act(said)
        except Refusal as refusal:
            self._refuse(getattr(said, "id", None), refusal.code, str(refusal))
        except StoreError:
            reason = "the database cannot be used now; try again"
            self._refuse(getattr(said, "id", None), "unavailable", reason)

    async def _act(self, said: _Waits) -> None:
        live = self._live
        match said:
            case schema.Hello(token):
                person = await live.person_of(token)
                if token is not None and person is None:
                    raise Refusal("unknown", "nobody has this token")
                known = person.id if person else None
                if self.watches and known != self.person:
                    raise Refusal("late", "say who you are before you watch")
                self.person = known
                self.post(schema.encode(schema.Welcome(known, person.name if person else None)))
            case schema.Watch(match, seat, details):
                if len(self.watches) >= WATCHES:
                    raise Refusal("too-many", f"one connection watches at most {WATCHES} matches")
                await live.watch(self, match, seat, details)
                self.watches.add((match, seat))
            case schema.Unwatch(match, seat):
                live.unwatch(self, match, seat)
                self.watches.discard((match, seat))
                if all(watched != match for watched, _ in self.watches):
                    live.unwatch(self, match)  # who lost the seat has become a watcher
            case _:
                self.post(schema.encode(await live.command(said, self.person)))

    def _refuse(self, message: str | None, code: str, reason: str) -> None:
        metrics.refusals[code] += 1
        self.post(schema.encode(schema.Refused(message, code, reason)))


_PONG = schema.encode(schema.Pong())
_TALK = (schema.Hello, schema.Watch, schema.Unwatch)
