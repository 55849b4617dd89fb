"""What keeps strangers out: origins, rates, sizes, and security headers.

There are no cookies: a client proves who it is by a token in a header or a first message, so a foreign page cannot act
for anybody. The check of the origin is only a second line of defence.
"""

import contextlib
import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rostra.server import metrics
from rostra.server.limits import Limits
from rostra.server.table import Refusal

MAX_BODY = 64 * 1024
CLIENTS = 10_000
"""Number of clients whose rates are kept."""
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


BURST = 5.0
"""Seconds whose worth may come at once."""
HOUR = 3600.0


class Bucket:
    """A token bucket: `rate` tokens a second, and a burst of so many seconds' worth."""

    __slots__ = ("_left", "_most", "_rate", "_since")

    def __init__(self, rate: float, burst: float = BURST) -> None:
        self._rate = rate
        self._left = self._most = rate * burst
        self._since = time.monotonic()

    def take(self, cost: float = 1.0) -> int:
        """0 if one more is allowed, else the milliseconds until it would be."""
        if self._rate <= 0:
            return 0
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._since) * self._rate)
        self._since = now
        cost = min(cost, self._most)
        if self._left < cost:
            return 1 + int(1000 * (cost - self._left) / self._rate)
        self._left -= cost
        return 0


class Rates:
    """A bucket for each client, by whatever names it."""

    def __init__(self, rate: float, burst: float = BURST) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str, cost: float = 1.0) -> int:
        """0 if this client may do one more, else the milliseconds until it may."""
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = Bucket(self._rate, self._burst)
            if len(self._buckets) > CLIENTS:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(client)
        return bucket.take(cost)


class Gate:
    """What clients may do: so much from one address, and of that so much each person."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._addresses = Rates(limits.address_rate)
        self._people = Rates(limits.rate)
        self._new = {
            "people": Rates(limits.people_hour / HOUR, HOUR),
            "matches": Rates(limits.matches_hour / HOUR, HOUR),
        }
        self._connections: Counter[str] = Counter()

    def knock(self, address: str, cost: float = 1.0) -> None:
        """Refuse what is too much from this address, before anybody looks who it is."""
        if wait := self._addresses.take(address, cost):
            raise Refusal("slow-down", "too many messages from your address; wait a little", wait)

    def enter(self, address: str, person: str | None, cost: float = 1.0) -> None:
        """Refuse what is too much from this person, or from the strangers at this address."""
        if wait := self._people.take(person or address, cost):
            raise Refusal("slow-down", "too many messages; wait a little", wait)

    def make(self, what: str, address: str) -> None:
        """Refuse one more of the people or matches that are made from this address."""
        if wait := self._new[what].take(address):
            raise Refusal("slow-down", f"too many {what} were made from your address within an hour", wait)

    @contextlib.contextmanager
    def connection(self, address: str) -> Iterator[None]:
        """One more connection from this address, for as long as it lasts."""
        most = self.limits.connections
        if most and self._connections[address] >= most:
            raise Refusal("slow-down", f"there are {most} connections from your address already; close one", 5000)
        self._connections[address] += 1
        try:
            yield
        finally:
            self._connections[address] -= 1
            if not self._connections[address]:
                del self._connections[address]


def address_of(scope: Scope) -> str:
    """Where a client is: its IPv4 address, or the /64 of its IPv6 address."""
    client = scope.get("client")
    text = str(client[0]).partition("%")[0] if client else ""
    if ":" not in text:
        return text
    try:
        found = ipaddress.IPv6Address(text)
    except ValueError:
        return text
    mapped = found.ipv4_mapped
    return str(mapped) if mapped else str(ipaddress.IPv6Network((int(found) >> 64 << 64, 64)))


def header(scope: Scope, name: bytes) -> str | None:
    """The value of a header."""
    for key, value in scope["headers"]:
        if key == name:
            return bytes(value).decode("latin-1")
    return None


def origin_allowed(scope: Scope, origins: tuple[str, ...]) -> bool:
    """Whether a page of the origin that the browser names may connect: our own, or one from the settings."""
    origin = header(scope, b"origin")
    if origin is None or origin in origins:  # programs other than browsers name none
        return True
    host = origin.partition("://")[2]
    return host != "" and host == header(scope, b"host")


class SecurityHeaders:
    """Adds the security headers to every answer, and counts requests."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                method = scope.get("method", "GET")
                metrics.requests[method if method in _METHODS else "other", str(message["status"])] += 1
                message["headers"] = [*message["headers"], *_HEADERS]
                if scope["path"].startswith("/api/"):
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        await self._app(scope, receive, sending)


_METHODS = {"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"}
