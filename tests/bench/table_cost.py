"""What a real table costs: `python tests/bench/table_cost.py [--python OTHER_PYTHON]` prints it for each game.

Four people sit at one table, each with a browser of their own that shows it. Moves are sent on their behalf by sockets
that watch nothing, so everything that is counted is what the four pages ask for and are sent. CPU is that of the whole
server process. `--python` measures another installation of Rostra with the same script. Not a test: nothing here fails.
"""

import argparse
import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright
from websockets.sync.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser import Person, a_person, launch
from live_server import Server, a_move

PEOPLE = 4
QUIET_SECONDS = 0.15
"""A page that has received the move and has asked for nothing for so long is done with it."""


class Cost(NamedTuple):
    """What one browser has cost so far; bytes are those of bodies and messages, with the headers of HTTP answers."""

    watches: int = 0
    requests: int = 0
    messages: int = 0
    http_bytes: int = 0
    socket_bytes: int = 0

    def plus(self, other: "Cost", sign: int = 1) -> "Cost":
        """Both together."""
        return Cost(*(a + sign * b for a, b in zip(self, other, strict=True)))


class Meter:
    """Counts what the page of a person sends and receives, and remembers where play is for its seat."""

    def __init__(self, person: Person, seat: int) -> None:
        self.seat = seat
        self.cost = Cost()
        self.play: dict[str, Any] = {"ply": -1, "turn": None}
        self.changed = time.monotonic()
        self._watched: set[tuple[str, int | None]] = set()
        self._pending: set[str] = set()
        session = person.context.new_cdp_session(person.page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.loadingFinished", self._answered)
        session.on("Network.loadingFailed", lambda event: self._pending.discard(event["requestId"]))
        session.on("Network.webSocketFrameSent", self._said)
        session.on("Network.webSocketFrameReceived", self._heard)

    def quiet(self, ply: int) -> bool:
        """Whether the page knows this ply and asks for nothing more."""
        return self.play["ply"] >= ply and not self._pending and time.monotonic() - self.changed > QUIET_SECONDS

    def subscriptions(self) -> int:
        """The number of watches it holds now."""
        return len(self._watched)

    def _count(self, **more: int) -> None:
        self.cost = self.cost.plus(Cost(**more))
        self.changed = time.monotonic()

    def _asked(self, event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            self._pending.add(event["requestId"])
            self._count(requests=1)

    def _answered(self, event: dict[str, Any]) -> None:
        self._pending.discard(event["requestId"])
        self._count(http_bytes=int(event["encodedDataLength"]))

    def _said(self, event: dict[str, Any]) -> None:
        message = json.loads(event["response"]["payloadData"])
        if message["type"] == "watch":
            self._watched.add((message["match"], message.get("seat")))
            self._count(watches=1)
        elif message["type"] == "unwatch":
            self._watched.discard((message["match"], message.get("seat")))

    def _heard(self, event: dict[str, Any]) -> None:
        text = event["response"]["payloadData"]
        message = json.loads(text)
        if message["type"] == "update" and message["seat"] == self.seat and message.get("play"):
            self.play = message["play"]
        if message["type"] == "update":
            self._count(messages=1, socket_bytes=len(text.encode()))


class Row(NamedTuple):
    """A line of the table."""

    game: str
    moves: int
    subscriptions: float
    watches: float
    requests: float
    messages: float
    http_bytes: float
    socket_bytes: float
    cpu_ms: float


def cpu_seconds(process: int) -> float:
    """The CPU time of all threads of a process, to the nanosecond."""
    spent = 0
    for task in Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(OSError):
            spent += int((task / "schedstat").read_text().split()[0])
    return spent / 1e9


def settle(people: list[Person], meters: list[Meter], ply: int) -> None:
    """Wait until all pages have received this ply and are done with it."""
    end = time.monotonic() + 30
    while not all(meter.quiet(ply) for meter in meters):
        assert time.monotonic() < end, f"ply {ply}: {[meter.play['ply'] for meter in meters]}"
        people[0].page.wait_for_timeout(10)


def sit_down(people: list[Person], game: str) -> str:
    """A match of these people; its id."""
    for number, person in enumerate(people):
        person.become(f"Person {number}")
    match = people[0].new_match(game, "me" + " open" * (PEOPLE - 1))
    for seat, person in enumerate(people[1:], 1):
        person.act(match, "sit", seat=seat, name=f"Person {seat}")
    return match


@contextlib.contextmanager
def voice(server: Server, person: Person) -> Iterator[ClientConnection]:
    """A connection that acts for a person."""
    with connect(server.url.replace("http", "ws") + "/api/live") as socket:
        socket.send(json.dumps({"type": "hello", "token": person.token()}))
        socket.recv()
        yield socket


def play(server: Server, browser: Browser, game: str, moves: int) -> Row:
    """One match of four browsers."""
    assert server.process is not None
    with contextlib.ExitStack() as stack:
        people = [stack.enter_context(a_person(browser, server.url)) for _ in range(PEOPLE)]
        match = sit_down(people, game)
        meters = [Meter(person, seat) for seat, person in enumerate(people)]
        voices = [stack.enter_context(voice(server, person)) for person in people]
        for person in people:
            person.goto(f"/match/{match}")
            person.sees("table")
        settle(people, meters, 0)
        before, cpu, made = [meter.cost for meter in meters], 0.0, 0
        while made < moves and (turn := meters[0].play["turn"]) is not None:
            here = meters[turn].play
            command = {"type": "play", "id": f"move-{made}", "match": match, "seat": turn, "move": a_move(here)}
            start = cpu_seconds(server.process.pid)
            voices[turn].send(json.dumps(command | {"epoch": here["epoch"], "ply": here["ply"]}))
            answer = json.loads(voices[turn].recv())
            assert answer["type"] == "done", answer
            settle(people, meters, here["ply"] + 1)
            cpu += cpu_seconds(server.process.pid) - start
            made += 1
        spent = Cost()
        for meter, old in zip(meters, before, strict=True):
            spent = spent.plus(meter.cost).plus(old, -1)
        held = sum(meter.subscriptions() for meter in meters) / PEOPLE
        each = made * PEOPLE
        return Row(
            game, made, held, spent.watches / each, spent.requests / each, spent.messages / each,
            spent.http_bytes / made, spent.socket_bytes / made, 1000 * cpu / made,
        )  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="what a real table costs")
    parser.add_argument("--python", default="", help="the Python of another installation to measure")
    parser.add_argument("--moves", type=int, default=40, help="moves that are counted in each game")
    parser.add_argument("--games", default="alea,quovadis", help="games, with commas between them")
    given = parser.parse_args()
    print("| game | moves | subscriptions | watches a move | requests a move | messages a move | HTTP bytes a move "
          "| WebSocket bytes a move | server CPU ms a move |")  # fmt: skip
    print("| --- |" + " ---: |" * 8)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(f"sqlite:{folder}/rostra.db", **({"python": given.python} if given.python else {}))
        server.start(("env", "-u", "PYTHONPATH") if given.python else ())
        browser = launch(playwright)
        for game in given.games.split(","):
            play(server, browser, game, 2)  # so that nothing is compiled or loaded for the first time in what counts
            row = play(server, browser, game, given.moves)
            numbers = [f"{row.subscriptions:.1f}", f"{row.watches:.2f}", f"{row.requests:.2f}", f"{row.messages:.2f}"]
            numbers += [f"{row.http_bytes:,.0f}", f"{row.socket_bytes:,.0f}", f"{row.cpu_ms:.1f}"]
            print(f"| {row.game} | {row.moves} | {' | '.join(numbers)} |", flush=True)
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
