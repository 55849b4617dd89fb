"""The first minute of a newcomer: `make play` in a new checkout, with an empty home and no compiled code."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fresh.debian import HOME_FILES, client_settings
from fresh.first_minute import Match, Play
from live_server import free_port

ROOT = Path(__file__).parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What git would commit now, and nothing that a build or a test left behind."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).exists():  # else it was just removed
            (tmp_path / "rostra" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tmp_path / "rostra" / name)
    return tmp_path / "rostra"


@pytest.fixture
def newcomer(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody with an empty home, who reaches the registries as this machine does. Downloads are
    shared, everything else is new."""
    for name in HOME_FILES:
        if (Path.home() / name).exists():
            (tmp_path / "home" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(Path.home() / name, tmp_path / "home" / name)
    (tmp_path / "home").mkdir(exist_ok=True)
    mine = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHON": sys.executable}
    downloads = (
        os.environ.get("UV_CACHE_DIR") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "uv"
    )
    if Path(downloads).exists():
        mine["UV_CACHE_DIR"] = str(downloads)
    return {**client_settings(), **mine, "ROSTRA_PORT": str(free_port())}


@pytest.fixture
def started(checkout: Path, newcomer: dict[str, str]) -> Iterator[list[Play]]:
    """Those `make play` that a test started, stopped at its end if the test did not come to it."""
    plays: list[Play] = []
    yield plays
    for play in plays:
        play.stop()


def make_play(checkout: Path, environment: dict[str, str], started: list[Play]) -> Play:
    process = subprocess.Popen(
        ["make", "play"],
        cwd=checkout,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    started.append(Play(process))
    return started[-1]


@pytest.mark.slow
def test_from_a_new_checkout_to_a_bots_first_move(
    checkout: Path, newcomer: dict[str, str], started: list[Play]
) -> None:
    play = make_play(checkout, newcomer, started)
    address = play.address()
    assert address.endswith(f":{newcomer['ROSTRA_PORT']}")
    match = Match(address)
    assert play.wait_for("a move of the bot", match.bot_moves)
    play.stop()
    said = play.said
    assert "Traceback" not in said
    assert said.count("Rostra is at ") == 1
    steps = re.findall(
        r"^(making \.venv|installing \d+ packages|installing Rostra|building the page): [\d.]+ s$", said, re.M
    )
    kinds = [re.sub(r"\d+", "N", step) for step in steps]
    assert kinds == ["making .venv", "installing N packages", "installing Rostra", "building the page"]
    assert said.index(steps[-1]) < said.index("everything is installed: ") < said.index("Rostra is at ")

    again = make_play(checkout, newcomer, started)
    assert again.address() == address
    assert match.seen()["log"]["lines"], "the match is kept"
    assert not re.search(r"install|making|building|compil", again.said), "all of that was done"
    assert newcomer["HOME"] in again.said, "it says where matches are kept"
    again.stop()
