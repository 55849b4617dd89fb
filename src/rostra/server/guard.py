"""What keeps strangers out: origins, rates, sizes, and security headers.

There are no cookies: a client proves who it is by a token in a header or a first message, so a foreign page cannot act
for anybody. The check of the origin is only a second line of defence.
"""

import time
from collections import OrderedDict

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rostra.server import metrics

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


class Bucket:
    """A token bucket: `rate` tokens a second, and a burst of five seconds' worth."""

    __slots__ = ("_left", "_rate", "_since")

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._left = 5 * rate
        self._since = time.monotonic()

    def take(self, cost: float = 1.0) -> bool:
        """Whether one more is allowed."""
        if self._rate <= 0:
            return True
        now = time.monotonic()
        self._left = min(5 * self._rate, self._left + (now - self._since) * self._rate)
        self._since = now
        if self._left < cost:
            return False
        self._left -= cost
        return True


class Rates:
    """A bucket for each client, by address."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, scope: Scope, cost: float = 1.0) -> bool:
        """Whether this client may do one more."""
        client = scope.get("client")
        address = client[0] if client else ""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._rate)
            if len(self._buckets) > CLIENTS:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return bucket.take(cost)


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
