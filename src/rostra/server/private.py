"""The door for those who run the server: `/metrics` for Prometheus, and `/healthz` with details.

It has a port of its own (`--private-port`), which no proxy publishes. The public door only says whether the server
works.
"""

import contextlib
import json
import os
import time
from collections.abc import Iterator

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rostra import __version__
from rostra.server import metrics
from rostra.server.settings import Settings
from rostra.server.store import Store, StoreError, migrations


class Private:
    """What is served there."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._store = store
        self._database = settings.address.partition(":")[0]
        self._since = time.time()

    async def metrics(self, request: Request) -> Response:
        """Figures for Prometheus."""
        return Response(metrics.text(), media_type="text/plain; version=0.0.4")

    async def health(self, request: Request) -> Response:
        """Whether the database answers, and what may help to find out why not."""
        problem, found = None, {}
        began = time.perf_counter()
        try:
            await self._store.ready()
            found = {"durable": await self._store.durable(), "matches": await self._store.status()}
        except StoreError as error:
            problem = str(error)
        body = {
            "status": "ok" if problem is None else "down", "problem": problem, "version": __version__,
            "process": os.getpid(), "seconds up": round(time.time() - self._since), "database": self._database,
            "migrations": sum(1 for _ in migrations()), "answer_ms": round(1000 * (time.perf_counter() - began), 1),
            "connections": metrics.value_of(metrics.CONNECTIONS),
            "matches_loaded": metrics.value_of(metrics.MATCHES_LOADED), **found,
        }  # fmt: skip
        return Response(json.dumps(body), 200 if problem is None else 503, media_type="application/json")

    def app(self) -> Starlette:
        """Both as an application."""
        return Starlette(routes=[Route("/metrics", self.metrics), Route("/healthz", self.health)])


class PrivateServer(uvicorn.Server):
    """Runs beside the public server, which handles the signals for both."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them alone."""
        yield


def server(settings: Settings, store: Store) -> PrivateServer:
    """The server of this door."""
    app = Private(settings, store).app()
    return PrivateServer(
        uvicorn.Config(app, lifespan="off", log_config=None, access_log=False, server_header=False,
                       timeout_graceful_shutdown=1)
    )  # fmt: skip
