"""A small part of the attacks: nobody who plays is refused or forgotten, and the flood is. `run.py` has them all."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from attack.run import a_server, measure
from live_server import Server

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def under_attack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("attack")
    server = a_server(folder)
    try:
        yield server
        assert "Traceback" not in (folder / "server.log").read_text()
    finally:
        server.kill()


@pytest.mark.parametrize(
    ("name", "refused"),
    [("renames", "slow-down"), ("chat", "chatty"), ("bots", "no-bot"), ("nonsense", "bad-message")],
)
def test_people_play_on_under_a_flood(under_attack: Server, name: str, refused: str) -> None:
    times, done = asyncio.run(measure(under_attack.url, 3, name, 1))
    assert times.moves, "nobody could move"
    answers = done["answers"]  # what an earlier flood has used up is refused as too much
    assert answers.get(refused, 0) + answers.get("slow-down", 0) > 0, done
