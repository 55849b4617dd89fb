"""What a page needs after a ply comes in one message, and only to those who ask for it."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from live_house import House
from live_server import Server, Wire, new_match, person
from rostra.server import schema, seen
from rostra.server.table import Table


def plain(answer: Any) -> Any:
    """An answer as a client reads it."""
    return json.loads(schema.encode(answer))


def asked(table: Table, seat: int | None) -> dict[str, Any]:
    """What a client would be told if it asked for everything after a ply."""
    assert table.match is not None
    here = plain(seen.position(table, seat, len(table.match.log)))
    return {
        "moves": [] if seat is None else plain(seen.moves(table, seat))["moves"],
        "outlook": here["outlook"],
        "ledger": here["ledger"],
        "actions": plain(seen.draft(table, []))["more"],
    }


@pytest.mark.parametrize("game", ["alea", "quovadis"])
def test_one_ply_is_one_message_with_all_that_a_page_shows(at_house: Any, game: str) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo", "Cy")
        match = await house.match(people[0], "me open open", game)
        await house.sit(match, *people)
        pages = {seat: await house.watch(match, one, seat, detailed=True) for seat, one in enumerate(people)}
        pages[None] = await house.watch(match, None, None, detailed=True)
        program = await house.watch(match, people[0], 0)
        talks = False
        for _ in range(25):
            for tab in (*pages.values(), program):
                tab.told.clear()
            await house.play(match)
            table = await house.look(match)
            for seat, page in pages.items():
                (message,) = page.told
                play = message["play"]
                assert play["details"] == asked(table, seat)
                decides = seat is not None and seat == table.turn
                assert [one["move"] for one in play["details"]["moves"]] == (play["legal"] if decides else [])
                talks |= bool(play["details"]["actions"])
            (message,) = program.told
            del pages[0].told[0]["play"]["details"]
            assert message == pages[0].told[0]  # nothing else is different
        assert talks == (game == "quovadis")

    at_house(test)


def test_a_choice_that_does_not_count_yet_keeps_its_details(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo")
        match = await house.match(people[0], "me open", settings={"confirm": None})
        waiting = await house.watch(match, None, None, detailed=True)
        assert waiting.last("play") is None  # play has not begun
        await house.sit(match, *people)
        table = await house.look(match)
        mine = await house.watch(match, people[table.turn], table.turn, detailed=True)
        before = mine.last("play")
        await house.play(match)
        after = mine.last("play")
        assert after["chosen"] is not None and before["chosen"] is None
        assert after["details"] == before["details"] == asked(table, table.turn)

    at_house(test)


def test_who_loses_a_seat_gets_the_details_of_a_spectator(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo", "Cy")
        match = await house.match(people[0], "me open open")
        await house.sit(match, *people)
        page = await house.watch(match, people[1], 1, detailed=True)
        await house.do(schema.Leave, match, people[1], seat=1)
        message = next(one for one in reversed(page.told) if one["type"] == "update")
        assert message["seat"] is None and message["about"]["mine"] == []
        assert message["play"]["details"] == asked(await house.look(match), None)

    at_house(test)


async def _first_update(url: str, **more: Any) -> dict[str, Any]:
    token = await person(url)
    match = await new_match(url, token, "me greedy", settings={"pace": 0})
    async with Wire(url, token) as wire:
        await wire.do("sit", match, seat=0, name="Ada")
        await wire.say("watch", match=match, seat=0, **more)
        return await wire.hear("update")


def test_a_watch_says_whether_it_wants_details(tmp_path: Path) -> None:
    server = Server(f"sqlite:{tmp_path / 'x.db'}").start()
    try:
        with_details = asyncio.run(_first_update(server.url, details=True))
        without = asyncio.run(_first_update(server.url))
    finally:
        server.kill()
    assert set(with_details["play"]) - set(without["play"]) == {"details"}
    assert set(with_details["play"]["details"]) == {"moves", "outlook", "ledger", "actions"}
