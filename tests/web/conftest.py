"""A real server with the built page, and a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

import hatch_build
from browser import launch
from live_server import Server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    hatch_build.build()  # a page that is not of these sources would prove nothing
    with sync_playwright() as playwright:
        found = launch(playwright)
        yield found
        found.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all browser tests of a process, with a third game that has no board of its own."""
    folder = tmp_path_factory.mktemp("web")
    script = str(Path(__file__).parent / "serve_with_pig.py")
    server = Server(f"sqlite:{folder / 'rostra.db'}", log=folder / "log", program=(script,)).start()
    yield server
    server.stop()
