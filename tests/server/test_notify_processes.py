"""Real processes: a message is sent once, not to who looks in another process, and after a kill by whoever is there."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from live_server import Server, Wire, new_database, new_match, person, request
from receivers import Browser, Mailbox, Receiver, receivers

pytestmark = pytest.mark.slow
DELAY = 2.0


@pytest.fixture
def received() -> Iterator[tuple[Receiver, Mailbox]]:
    with receivers() as both:
        yield both


def flags(delay: float = DELAY) -> tuple[str, ...]:
    return ("--public-url", "https://play.example", "--private-targets", "--notify-delay", str(delay))


async def table(url: str, receiver: Receiver, browser: Browser) -> tuple[str, list[str], int]:
    """Two people at Alea who are told by push; the seat to move."""
    tokens = [await person(url, name) for name in ("Ada", "Bo")]
    match = await new_match(url, tokens[0], "me open")
    for seat, token in enumerate(tokens):
        target = {"channel": "push", "target": f"{receiver.url}/push/{seat}", "keys": browser.keys, "kinds": ["turn"]}
        await request(url, "POST", "/api/me/addresses", target, token)
    for seat, token in enumerate(tokens):
        async with Wire(url, token) as wire:
            await wire.do("sit", match, seat=seat, name=f"P{seat}")
    seen = await request(url, "GET", f"/api/matches/{match}?seat=0", None, tokens[0])
    return match, tokens, int(seen["play"]["turn"])


async def play_until(url: str, match: str, tokens: list[str], turn: int) -> None:
    """Whoever is to move moves, until it is the turn of this seat."""
    while True:
        seat = (await request(url, "GET", f"/api/matches/{match}", None, tokens[0]))["play"]["turn"]
        if seat == turn:
            return
        play = (await request(url, "GET", f"/api/matches/{match}?seat={seat}", None, tokens[seat]))["play"]
        legal = [move for move in play["legal"] if not move.startswith("R")]
        command = {"type": "play", "id": f"p{play['ply']}", "match": match, "seat": seat, "move": legal[0]}
        where = {"epoch": play["epoch"], "ply": play["ply"]}
        await request(url, "POST", f"/api/matches/{match}/commands", command | where, tokens[seat])


def test_two_processes_send_once_and_know_who_looks(
    postgres: str, tmp_path: Path, received: tuple[Receiver, Mailbox]
) -> None:
    database = new_database("postgresql", tmp_path, postgres)
    first = Server(database, *flags(), log=tmp_path / "one.log").start()
    second = Server(database, *flags(), log=tmp_path / "two.log").start()
    receiver, browser = received[0], Browser()

    async def run() -> None:
        match, tokens, turn = await table(first.url, receiver, browser)
        other = 1 - turn
        async with Wire(second.url, tokens[other]) as wire:  # looks, through the other process
            await wire.say("watch", match=match, seat=other, details=False)
            await wire.hear("update")
            await play_until(first.url, match, tokens, other)
            await asyncio.to_thread(receiver.wait, 0)
            # The mover is told of nothing; the one who looks neither. What comes first is the next turn of the mover.
            await play_until(first.url, match, tokens, turn)
            got = (await asyncio.to_thread(receiver.wait, 1))[0]
            assert got.path == f"/push/{turn}" and browser.read(got)["tag"] == match
        await play_until(second.url, match, tokens, other)
        got = (await asyncio.to_thread(receiver.wait, 2))[1]
        assert got.path == f"/push/{other}"
        await play_until(first.url, match, tokens, turn)  # a marker: whatever comes twice comes before it
        await asyncio.to_thread(receiver.wait, 3)
        assert [one.path[-1] for one in receiver.got] == [str(turn), str(other), str(turn)]

    try:
        asyncio.run(run())
    finally:
        first.kill()
        second.kill()


def test_what_waits_when_the_server_is_killed_is_sent_after_its_restart(
    server_database: str, tmp_path: Path, received: tuple[Receiver, Mailbox]
) -> None:
    running = Server(server_database, *flags(3), log=tmp_path / "log").start()
    receiver, browser = received[0], Browser()
    try:
        match, tokens, turn = asyncio.run(table(running.url, receiver, browser))
        asyncio.run(play_until(running.url, match, tokens, 1 - turn))
        running.kill()
        assert receiver.got == []
        running.start()
        (got,) = receiver.wait(1)
        assert got.path == f"/push/{1 - turn}" and browser.read(got)["url"] == f"/match/{match}"
    finally:
        if running.process is not None:
            running.kill()


@pytest.fixture
def server_database(tmp_path: Path) -> str:
    return new_database("sqlite", tmp_path, "")
