"""The server put together: store, workers, live matches, doors, pages; and `serve`, which runs it.

The web app is built by `make web` into `pages/app` and may be missing. It does its own routing: all `APP_PAGES` are
answered with its one file, and any other address is an error.
"""

import asyncio
import contextlib
import errno
import functools
import gc
import json
import logging
import mimetypes
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable
from importlib import resources
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from rostra.bots.preparing import Preparing
from rostra.engine.game import BadOption
from rostra.games import all_games
from rostra.server import documents, private
from rostra.server.guard import HEADERS, MAX_BODY, Gate, SecurityHeaders, address_of
from rostra.server.live import Live
from rostra.server.routes import ENDPOINTS, problem, route
from rostra.server.settings import DEFAULT_PORTS, Settings
from rostra.server.socket import Protocol, Socket
from rostra.server.store import Store, StoreError, open_store
from rostra.server.table import Refusal
from rostra.server.workers import Workers

DURABLE = {
    "journal_mode": ("wal",), "synchronous": ("2", "3"),
    "fsync": ("on",), "synchronous_commit": ("on", "remote_apply", "remote_write", "local"),
    "full_page_writes": ("on",),
}  # fmt: skip
"""What a database must report about itself, so that a commit has reached the disk."""
APP_PAGES = (
    "/", "/new", "/me", "/unsubscribe", "/match/{match}", "/match/{match}/ply/{ply}", "/match/{match}/review",
    "/rules/{game}", "/learn/{game}", "/people/{person}",
)  # fmt: skip
"""Addresses that the web app answers itself, in the browser."""
HEALTH = 0.1
"""Seconds for which the answer about the server's health holds, so that nobody makes it store all the time."""
WATCHED = ("/healthz", "/metrics")
"""Addresses for whoever looks after the server, who is never told to slow down."""
FRESH, FOR_EVER = "no-cache", "public, max-age=31536000, immutable"
"""How long browsers may cache: check each time, or for ever where the name changes with the content."""
for _ending, _kind in (
    (".js", "text/javascript"),
    (".webmanifest", "application/manifest+json"),
    (".woff2", "font/woff2"),
):
    mimetypes.add_type(
        _kind, _ending
    )  # systems differ in the types they know, and browsers run no script of a wrong type
log = logging.getLogger("rostra")


async def open_durable(address: str) -> Store:
    """The store; refused where its settings could lose committed entries."""
    store = await open_store(address)
    for name, value in (await store.durable()).items():
        if value not in DURABLE[name]:
            await store.close()
            raise BadOption(f"the database has {name}={value}: it could lose moves; it must be {DURABLE[name][0]}")
    return store


class Pages(StaticFiles):
    """The files for browsers; those that the web app's build named by their content are cached for ever."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """A file, or 304 where it has not changed."""
        answer = super().file_response(full_path, stat_result, scope, status_code)
        hashed = Path(str(self.directory)).resolve() / "app" / "assets"
        answer.headers["cache-control"] = FOR_EVER if Path(full_path).is_relative_to(hashed) else FRESH
        return answer


class Site:
    """What is served besides the API: health, documents, the page, and answers to what went wrong."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asked = 0.0
        self._health: asyncio.Task[bool] | None = None
        self.pages = Path(str(resources.files("rostra") / "pages"))

    async def health(self, request: Request) -> Response:
        """Whether an entry can be stored now; all who ask at the same time get the same answer. Why not, and all
        figures, are behind the `private` door."""
        if self._health is None or (self._health.done() and time.monotonic() - self._asked > HEALTH):
            self._asked = time.monotonic()
            self._health = asyncio.ensure_future(self._ready())
        if not await asyncio.shield(self._health):
            return _json({"status": "down"}, 503)
        return _json({"status": "ok"})

    async def _ready(self) -> bool:
        try:
            await self._store.ready()
        except StoreError:
            return False
        return True

    async def openapi(self, request: Request) -> Response:
        """The HTTP API as a document."""
        return Response(_document(documents.openapi), media_type="application/json")

    async def asyncapi(self, request: Request) -> Response:
        """The WebSocket as a document."""
        return Response(_document(documents.asyncapi), media_type="application/json")

    async def web_app(self, request: Request, status: int = 200) -> Response:
        """The page, or how to build it."""
        built = self.pages / "app" / "index.html"
        file = built if built.is_file() else self.pages / "index.html"
        return FileResponse(file, status, headers={"cache-control": FRESH})

    async def service_worker(self, request: Request) -> Response:
        """The page's service worker, which serves the whole site."""
        file = self.pages / "app" / "sw.js"
        if not file.is_file():
            raise HTTPException(404)
        return FileResponse(file, headers={"cache-control": FRESH, "service-worker-allowed": "/"})

    async def icon(self, request: Request) -> Response:
        """Browsers ask for it on pages that name none, and report a 404."""
        file = self.pages / "app" / "icon.svg"
        return FileResponse(file, headers={"cache-control": FRESH}) if file.is_file() else Response(status_code=204)

    async def verify_page(self, request: Request) -> Response:
        """The page that checks dice."""
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/pages/verify.html{query}")

    async def no_page(self, request: Request, error: Exception) -> Response:
        """There is nothing at this address: in words for a person, as a `Problem` for a program."""
        status = error.status_code if isinstance(error, HTTPException) else 404
        if status == 405:
            return problem(Refusal("not-allowed", f"{request.method} is not possible here"))
        if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(("/api/", "/pages/")):
            return await self.web_app(request, 404)
        return problem(Refusal("not-found", "there is nothing at this address"))

    async def broken(self, request: Request, error: Exception) -> Response:
        """A bug of ours."""
        log.error("request", exc_info=error, extra={"path": request.url.path})
        answer = _json({"code": "broken", "reason": "this is a mistake of ours; it was noted"}, 500)
        answer.headers.update(HEADERS)  # such an answer does not pass the middleware that adds them
        return answer

    def routes(self) -> list[BaseRoute]:
        """Where all of this is."""
        return [
            Route("/healthz", self.health),
            Route("/api/openapi.json", self.openapi),
            Route("/api/asyncapi.json", self.asyncapi),
            *(Route(path, self.web_app) for path in APP_PAGES),
            Route("/sw.js", self.service_worker),
            Route("/favicon.ico", self.icon),
            Route("/verify", self.verify_page),
            Mount("/pages", Pages(directory=self.pages)),
        ]


class Door:
    """Counts each request among those of its address."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        try:
            if scope["type"] == "http" and scope["path"] not in WATCHED:
                self._gate.knock(address_of(scope))
        except Refusal as refusal:
            await problem(refusal)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def make_app(settings: Settings, store: Store, preparing: Preparing) -> Starlette:
    """The application on an open store."""
    gate = Gate(settings)
    workers = Workers(settings.workers, settings.bot_seconds, preparing, settings)
    live = Live(store, workers, store.now, settings.abandon_days, settings, settings.wishes)
    site = Site(store)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await live.start()
        compiling = asyncio.ensure_future(preparing.run())
        try:
            yield
        finally:
            compiling.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await compiling
            await live.close()
            await workers.close()

    app = Starlette(
        routes=[
            WebSocketRoute("/{path:path}", Socket(live, gate, settings.origins)),
            *(route(endpoint, live, gate, settings.origins) for endpoint in ENDPOINTS),
            *site.routes(),
        ],
        lifespan=lifespan,
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(Door, gate=gate),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
        exception_handlers={HTTPException: site.no_page, Exception: site.broken},
    )
    app.router.redirect_slashes = False  # such a redirect would go wherever the Host header says
    return app


@functools.cache
def _document(made_by: Callable[[], Any]) -> bytes:
    """A document, which is always the same and takes ten milliseconds to make."""
    return json.dumps(made_by()).encode()


def _json(body: Any, status: int = 200) -> Response:
    return Response(json.dumps(body), status, media_type="application/json")


class JsonLines(logging.Formatter):
    """A log line as a JSON object; nothing logged contains a token, a text or an address of a person."""

    _known = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "log": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in self._known}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def _log_to_stderr(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)  # else it names the address of every client
    logging.getLogger("uvicorn.error").addFilter(_is_ours)


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a line of uvicorn's log is worth keeping: malformed input of a client is no error of ours."""
    return not record.getMessage().startswith("Invalid UTF-8")


class _Server(uvicorn.Server):
    """Prints the address when it is up, and then how far the games are compiled."""

    def __init__(self, config: uvicorn.Config, preparing: Preparing) -> None:
        super().__init__(config)
        self._preparing = preparing

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started:
            port = self.servers[0].sockets[0].getsockname()[1]
            print(f"Rostra is at http://{self.config.host}:{port}/ (stop with Ctrl-C)", flush=True)
            self._showing = asyncio.ensure_future(self._preparing.show(sys.stdout))


def serve(settings: Settings) -> int:
    """Run until stopped; returns the exit code."""
    _log_to_stderr(settings.log_level)
    if not settings.database:
        print(f"Matches are kept in {settings.address.removeprefix('sqlite:')}", flush=True)
    gc.freeze()  # what is loaded now stays, so the collector need not look at it
    gc.set_threshold(50_000, 20, 20)
    with asyncio.Runner(loop_factory=_new_loop) as runner, contextlib.suppress(KeyboardInterrupt):
        return runner.run(_serve(settings))
    return 0


def _new_loop() -> asyncio.AbstractEventLoop:
    if sys.platform == "win32":
        return asyncio.new_event_loop()
    import uvloop

    return uvloop.new_event_loop()


def _listen(settings: Settings) -> socket.socket:
    """The socket of the port that was named, or else of the first free one."""
    if settings.port is not None:
        return _bind(settings.host, settings.port)
    for port in DEFAULT_PORTS:
        with contextlib.suppress(PortTaken):
            listening = _bind(settings.host, port)
            if port != DEFAULT_PORTS[0]:
                print(f"Port {DEFAULT_PORTS[0]} is taken by another program, so this is {port}.", flush=True)
            return listening
    ports = f"{DEFAULT_PORTS[0]} to {DEFAULT_PORTS[-1]}"
    raise BadOption(f"the ports {ports} are all taken by other programs; name a free one with --port")


class PortTaken(BadOption):
    """Another program listens on this port."""


def _bind(host: str, port: int, flag: str = "port") -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(f"port {port} is taken by another program; name another with --{flag}") from error
        if error.errno == errno.EACCES:
            raise BadOption(f"this user may not use port {port}; name one from 1024 on with --{flag}") from error
        if error.errno in (errno.EADDRNOTAVAIL, socket.EAI_NONAME, socket.EAI_AGAIN):
            raise BadOption(
                f"{host} is not an address of this machine; name one of its own with --{flag.replace('port', 'host')}"
            ) from error
        raise BadOption(f"cannot listen on {host}, port {port}: {error.strerror or error}") from error


async def _serve(settings: Settings) -> int:
    store = await open_durable(settings.address)
    preparing = Preparing(list(all_games().values()))
    try:
        config = uvicorn.Config(
            make_app(settings, store, preparing),
            host=settings.host,
            ws=Protocol,
            ws_max_size=MAX_BODY,
            ws_per_message_deflate=False,  # views are small, and compressing them costs more than all the rest
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=settings.proxies or None,
            timeout_graceful_shutdown=5,
        )
        server = _Server(config, preparing)
        listening = _listen(settings)
        for one in (signal.SIGINT, signal.SIGTERM):
            # After an orderly stop uvicorn raises the signal again, which must not interrupt the cleanup.
            signal.signal(one, lambda number, frame: None)
        async with _private_door(settings, store):
            await server.serve(sockets=[listening])
        return 0 if server.started else 1
    finally:
        await store.close()


@contextlib.asynccontextmanager
async def _private_door(settings: Settings, store: Store) -> AsyncIterator[None]:
    """Serve what only operators may see, where the settings name a port for it."""
    if settings.private_port is None:
        yield
        return
    listening = _bind(settings.private_host, settings.private_port, "private-port")
    server = private.server(settings, store)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    host, port = listening.getsockname()[:2]
    print(f"Operators find /metrics and /healthz at http://{host}:{port}/", flush=True)
    try:
        yield
    finally:
        server.should_exit = True
        await serving
