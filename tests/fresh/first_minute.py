"""What a newcomer does in the first minute, by Python's own library: `make play`, the page, a match, a bot's move."""

import contextlib
import http.client
import json
import os
import re
import secrets
import signal
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 1200.0
"""Seconds after which a step counts as failed."""
ADDRESS = re.compile(r"http://[\w.:\[\]]+:\d+")
BOT = "eques"
"""The level that the page proposes."""


class Play:
    """A running `make play`, or another command that starts a server and prints its address."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.began = time.monotonic()
        self.lines: list[tuple[float, str]] = []
        """What it printed, each line with the second since the start."""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append((time.monotonic() - self.began, line.rstrip("\n")))

    @property
    def said(self) -> str:
        """All that it printed."""
        return "\n".join(line for _, line in list(self.lines))

    def wait_for(self, what: str, true: Callable[[], Any], every: float = 0.05) -> Any:
        """Wait until something is so, and return it; an error if the command ends before."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if found := true():
                return found
            if self.process.poll() is not None:
                self._reader.join(5)
                raise AssertionError(f"ended with {self.process.returncode} before {what}:\n{self.said}")
            time.sleep(every)
        raise AssertionError(f"no sign of {what} after {PATIENCE} seconds:\n{self.said}")

    def address(self) -> str:
        """Wait for the address that it prints, and until the page answers there."""
        found = self.wait_for("an address", lambda: ADDRESS.search(self.said))
        self.wait_for("the page", lambda: has_page(found[0]))
        return str(found[0])

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Stop it as Ctrl-C does; it must be the leader of its process group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, how)
        code = self.process.wait(60)
        self._reader.join(5)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


def ask(url: str, body: Any = None, token: str = "") -> Any:
    """A request to the API: GET, or POST with a body."""
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(url, data, headers)
    try:
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{url} answers {error.code}: {error.read().decode()[:500]}") from error


def has_page(address: str) -> bool:
    """Whether the web app answers, and not only the notice that it is not built."""
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            return "/pages/app/assets/" in answer.read().decode()
    except (OSError, http.client.HTTPException):
        return False


def status(url: str, authority: Path, **headers: str) -> int:
    """The status of an answer, with TLS by this authority; 0 where there is none yet."""
    trusted = ssl.create_default_context(cafile=str(authority)) if authority.exists() else None
    try:
        asked = urllib.request.Request(url, headers=headers)
        with urllib.request.urlopen(asked, timeout=10, context=trusted) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


class Match:
    """A match of Alea of one person against a bot, over HTTP."""

    def __init__(self, address: str, bot: str = BOT) -> None:
        self.api = f"{address}/api"
        self.token = ask(f"{self.api}/people", {"name": "Ada"})["token"]
        seats = [{"kind": "me"}, {"kind": "bot", "bot": bot}]
        wanted = {"game": "alea", "seats": seats, "settings": {"pace": 0, "talk": 0, "confirm": 0}}
        self.id = ask(f"{self.api}/matches", wanted, self.token)["match"]
        self.act("sit", name="Ada", entropy=secrets.token_hex(16))

    def act(self, kind: str, **fields: Any) -> None:
        """Send a command for our seat."""
        command = {"type": kind, "id": secrets.token_hex(8), "match": self.id, "seat": 0, **fields}
        ask(f"{self.api}/matches/{self.id}/commands", command, self.token)

    def seen(self) -> dict[str, Any]:
        """The match as our seat sees it."""
        return dict(ask(f"{self.api}/matches/{self.id}?seat=0", token=self.token))

    def bot_moves(self) -> list[str]:
        """The bot's moves so far; makes a move for us if it is our turn."""
        seen = self.seen()
        play = seen.get("play")
        if play and play["legal"]:
            legal = [move for move in play["legal"] if not move.startswith("R")] or play["legal"]
            self.act("play", epoch=play["epoch"], ply=play["ply"], move=legal[0])
        return [line["move"] for line in seen["log"]["lines"] if line["seat"] == 1]
