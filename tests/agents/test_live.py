"""A bot of one's own at a live match, on a real server."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rostra
from live_server import Server
from rostra.client import Refused, request


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(f"sqlite:{tmp_path_factory.mktemp('agents') / 'matches.db'}").start()
    yield running
    running.stop()


def sober(view: dict[str, Any], legal: list[str]) -> str:
    """No rerolls, which go on for long."""
    return next(move for move in legal if not move.startswith("R"))


def test_a_function_plays_alea(server: Server) -> None:
    seen: list[str] = []

    def noting(view: dict[str, Any], legal: list[str]) -> str:
        seen.append(view["phase"])
        return sober(view, legal)

    result = rostra.play_live(server.url, noting, opponents=["greedy"])
    assert result["end"] == "sets-played"
    assert len(result["points"]) == 2
    assert len(seen) > 10


def test_a_function_and_a_bot_of_ours_negotiate_in_quo_vadis(server: Server) -> None:
    """Both answer, offer and act through the desk, as bots of the house do."""
    answers: list[str] = []

    def agreeable(view: dict[str, Any], legal: list[str]) -> str:
        if "yes" in legal:
            answers.append(view["phase"])
            return "yes"
        return legal[0]

    for bot in (agreeable, "learned"):
        result = rostra.play_live(server.url, bot, game="quovadis", seat=1, opponents=["learned", "greedy"])
        assert result["end"] in ("senate-full", "stalled")
    assert answers


def test_a_bot_on_records_cannot_play_where_the_log_hides_something(server: Server) -> None:
    with pytest.raises(rostra.BadOption, match=r"function\(view, legal\) can play it"):
        rostra.play_live(server.url, "learned", opponents=["greedy"])


def test_the_command_joins_the_match_of_somebody_else(server: Server, tmp_path: Path) -> None:
    async def made() -> str:
        token = (await request(server.url, "POST", "/api/people", {"name": "Ada"}))["token"]
        seats = [{"kind": "bot", "bot": "greedy"}, {"kind": "open"}]
        plan = {"game": "alea", "seats": seats, "settings": {"pace": 0}}
        return str((await request(server.url, "POST", "/api/matches", plan, token))["match"])

    match = asyncio.run(made())
    (tmp_path / "mine.py").write_text("def first(view, legal):\n    return legal[0]\n")
    command = [sys.executable, "-m", "rostra", "join", f"{server.url}/match/{match}", "--bot", "mine:first"]
    refused = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "the server refused" in refused.stderr
    played = subprocess.run([*command, "--seat", "1"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(played.stdout)["end"] == "sets-played"


def test_a_match_that_does_not_exist_is_refused(server: Server) -> None:
    with pytest.raises(Refused):
        rostra.play_live(server.url, sober, match="nowhere")
