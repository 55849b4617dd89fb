"""Whole matches played through the server by programs, each with its own socket."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from live_server import Server, new_match, person, play_on, until
from rostra.client import Client, Refused, request
from rostra.play.verify import verify


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("alea", 2), ("alea", 4), ("quovadis", 3)])
def test_people_play_a_whole_match(server: Server, game: str, seats: int) -> None:
    async def play() -> None:
        tokens = [await person(server.url, name) for name in ("Ada", "Bo", "Cy", "Di")[:seats]]
        match = await new_match(server.url, tokens[0], " ".join(["me"] + ["open"] * (seats - 1)), game)
        async with asyncio.TaskGroup() as group:
            for seat, token in enumerate(tokens):
                group.create_task(sit_and_play(server.url, token, match, seat))
        text = await request(server.url, "GET", f"/api/matches/{match}/transcript")
        assert verify(text).entropy == [(seat, f"{seat:04}") for seat in range(seats)]

    asyncio.run(play())


async def sit_and_play(url: str, token: str, match: str, seat: int) -> None:
    async with Client(url, token) as client:
        await client.send("sit", match, seat=seat, name=f"seat {seat}", entropy=f"{seat:04}")
        await play_on(client, match, seat)


def test_a_person_plays_with_bots(server: Server) -> None:
    async def play() -> None:
        token = await person(server.url)
        match = await new_match(server.url, token, "me greedy random", settings={"pace": 0})
        await sit_and_play(server.url, token, match, 0)

    asyncio.run(play())


def test_a_wrong_command_is_refused_by_its_name(server: Server) -> None:
    async def play() -> None:
        token = await person(server.url)
        match = await new_match(server.url, token)
        async with Client(server.url, token) as client:
            with pytest.raises(Refused, match="Expected `int` <= 4"):
                await asyncio.wait_for(client.send("say", match, seat=9, text="salve"), 20)

    asyncio.run(play())


@pytest.mark.slow
def test_bots_negotiate_among_themselves(server: Server) -> None:
    async def play() -> None:
        token = await person(server.url)
        settings = {"pace": 0.01, "talk": 0}
        match = await new_match(server.url, token, "greedy greedy greedy", "quovadis", settings=settings)
        async with Client(server.url, token) as client:
            table = await client.watch(match)
            await asyncio.wait_for(until(table, lambda table: table.over), 120)
            assert any(line["move"] == "ask" for line in table.log)

    asyncio.run(play())


@pytest.mark.slow
@pytest.mark.parametrize(("game", "opponents"), [("alea", "greedy"), ("quovadis", "greedy,random")])
def test_the_example_plays_a_match(server: Server, game: str, opponents: str) -> None:
    example = Path(__file__).parents[2] / "examples" / "play_by_api.py"
    command = [sys.executable, str(example), server.url, "--game", game, "--opponents", opponents]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert "'winners'" in ran.stdout
