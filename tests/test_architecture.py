"""docs/architecture.md tells the truth: what it names exists, and moves go the way that it describes."""

import asyncio
import contextlib
import importlib
import json
import re
import sys
import types
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from live_house import House, a_house
from rostra.server import workers
from rostra.server.guard import Gate
from rostra.server.limits import NO_LIMITS
from rostra.server.schema import Sit
from rostra.server.socket import PATH, Socket
from rostra.server.table import Table

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAME = re.compile(r"`((?:adapters|bots|cli|engine|games|play|server|study|terminal|words)(?:\.\w+)+)`")
FILE = re.compile(r"`((?:src|tests|web|engine)/[^`\s]*)`")


def section(title: str) -> str:
    """The text below a heading, up to the next heading of any kind."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def resolve(name: str) -> Any:
    """The object of a dotted name below `rostra`; AttributeError or ImportError where there is none."""
    first, *rest = name.split(".")
    found: Any = importlib.import_module(f"rostra.{first}")
    for part in rest:
        if isinstance(found, types.ModuleType) and not hasattr(found, part):
            importlib.import_module(f"{found.__name__}.{part}")
        found = getattr(found, part)
    return found


def files_of(pattern: str) -> list[Path]:
    """The files that a pattern such as `tests/test_{a,b}.py` stands for."""
    found = re.fullmatch(r"(.*)\{(.*)\}(.*)", pattern)
    paths = [f"{found[1]}{one}{found[3]}" for one in found[2].split(",")] if found else [pattern]
    return [ROOT / ("src/rostra" if path.startswith("engine/") else "") / path for path in paths]


def calls_of(journey: str) -> list[str]:
    """The functions that the numbered list of a journey names, in order, each once."""
    steps = re.findall(r"^\d+\. .*(?:\n   .*)*", section(journey), re.MULTILINE)
    return list(dict.fromkeys(f"rostra.{name}" for step in steps for name in NAME.findall(step)))


@contextlib.contextmanager
def recorded() -> Iterator[list[str]]:
    """The names of our functions that this thread enters, in order; a coroutine counts whenever it goes on."""
    names: list[str] = []

    def enter(frame: types.FrameType, event: str, argument: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith("rostra."):
            names.append(f"{module}.{frame.f_code.co_qualname}")

    sys.setprofile(enter)
    try:
        yield names
    finally:
        sys.setprofile(None)


def assert_in_order(named: list[str], called: list[str]) -> None:
    """Each named function was called, for the first time after the one before it."""
    assert set(named) <= set(called), f"never called: {[name for name in named if name not in called]}"
    assert named == sorted(named, key=called.index)


# What is named exists.


def test_every_function_of_the_page_exists() -> None:
    names = NAME.findall(PAGE)
    assert len(names) > 30
    for name in names:
        resolve(name)


def test_every_file_of_the_page_exists() -> None:
    patterns = FILE.findall(PAGE)
    assert len(patterns) > 25
    assert [file for pattern in patterns for file in files_of(pattern) if not file.exists()] == []


def test_the_table_of_proofs_names_all_its_tests() -> None:
    rows = [row for row in section("How it is proved").splitlines() if row.startswith("| ")][1:]
    assert len(rows) > 10
    assert [row for row in rows if not FILE.search(row)] == []


def test_the_tree_names_every_package_and_module() -> None:
    """But for games, the terminal, commands and adapters, whose modules are not listed."""
    tree = section("The tree").split("```")[1].partition("src/rostra/\n")[2].partition("web/src/")[0]
    packages = {word[1]: word[2] for word in re.finditer(r"^  (\w+)/(.*(?:\n   .*)*)", tree, re.MULTILINE)}
    source = ROOT / "src" / "rostra"
    there = {path.parent.name for path in source.glob("*/*") if path.parent.name != "__pycache__"}
    assert set(packages) == there
    for package in ("engine", "play", "bots", "study", "server"):
        own = source / package
        modules = {path.stem for path in own.glob("*.py")} - {"__init__"}
        folders = {path.name for path in own.iterdir() if path.is_dir()} - {"__pycache__", "migrations"}
        words = set(re.findall(r"\w+", packages[package]))
        assert modules | folders <= words, package


@pytest.mark.parametrize("wrong", ["server.rooms.Rooms.comand", "server.room.Rooms", "engine.loops.games"])
def test_a_name_that_does_not_exist_is_found(wrong: str) -> None:
    with pytest.raises((AttributeError, ImportError)):
        resolve(wrong)


def test_a_wrong_order_is_found() -> None:
    with pytest.raises(AssertionError, match="never called"):
        assert_in_order(["a", "c"], ["a", "b"])
    with pytest.raises(AssertionError):
        assert_in_order(["b", "a"], ["a", "b"])


# The journeys.


class Client:
    """A WebSocket client of the door, without a wire."""

    def __init__(self) -> None:
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        self.receive, self.post = self._inbox.get, self._outbox.put

    def say(self, kind: str, **fields: Any) -> None:
        self._inbox.put_nowait({"type": "websocket.receive", "text": json.dumps({"type": kind, **fields})})

    def leave(self) -> None:
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next message of this kind."""
        while True:
            sent = await asyncio.wait_for(self._outbox.get(), 20)
            message = json.loads(sent.get("text", "{}"))
            if message.get("type") == kind:
                return message  # type: ignore[no-any-return]  # a dict


@contextlib.asynccontextmanager
async def at_the_door(house: House) -> AsyncIterator[Client]:
    client, door = Client(), Socket(house.live, Gate(NO_LIMITS), ())
    scope = {"type": "websocket", "path": PATH, "headers": []}
    serving = asyncio.create_task(door(scope, client.receive, client.post))
    try:
        yield client
    finally:
        client.leave()
        await serving


async def a_person_moves(house: House) -> list[str]:
    ada, bo = await house.live.people.add("Ada"), await house.live.people.add("Bo")
    match = await house.match(ada.person, "me open")
    await house.sit(match, ada.person, bo.person)
    table: Table = await house.look(match)
    assert table.match is not None
    assert table.turn is not None
    before, seat = len(table.match.log), table.turn
    async with at_the_door(house) as client:
        client.say("hello", token=(ada, bo)[seat].token)
        client.say("watch", match=match, seat=seat, details=True)
        legal = (await client.hear("update"))["play"]["legal"]
        with recorded() as called:
            client.say("play", id="move", match=match, seat=seat, epoch=0, ply=before, move=legal[0])
            await client.hear("done")
    assert len(table.match.log) > before + 1  # dice came after it
    return called


async def a_bot_moves(house: House) -> list[str]:
    ada = (await house.people("Ada"))[0]
    match = await house.match(ada, "me random", options={"start_seat": "1"})
    await house.do(Sit, match, ada, seat=0, name="Ada")
    table: Table = await house.look(match)
    assert table.match is not None
    before = len(table.match.log)
    with recorded() as called:
        await house.wait(match, 1, lambda table: table.match is not None and len(table.match.log) > before)
    return called


@pytest.mark.parametrize(("journey", "run"), [("A person moves", a_person_moves), ("A bot moves", a_bot_moves)])
def test_a_move_goes_the_way_of_the_page(
    journey: str, run: Callable[[House], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def think_here(worker: Any, asked: workers.Question) -> workers.Reply:
        return workers.think(asked)  # in this process, where its calls can be recorded

    monkeypatch.setattr(workers._Worker, "ask", think_here)

    async def inside() -> list[str]:
        async with a_house(tmp_path / "x.db") as house:
            called: list[str] = await run(house)
            return called

    named = calls_of(journey)
    assert len(named) >= 7
    assert_in_order(named, asyncio.run(inside()))
