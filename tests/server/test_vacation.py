"""Clocks of days stand still in vacations, and the only move is made by itself where a match is played so."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from live_house import House, a_house, refused
from rostra.server import clocks, entries, schema, seen
from rostra.server.table import Table
from rostra.server.vacation import DAY, DAYS

HOUR = 3600 * 1000
DAILY = {"clock": schema.Clock(86_400), "timeout": "forfeit"}


@pytest.fixture
def at(database: str) -> Callable[[Callable[[House], Awaitable[None]]], None]:
    """A test in a house on each database."""

    def run(test: Callable[[House], Awaitable[None]]) -> None:
        async def inside() -> None:
            async with a_house(database) as house:
                await test(house)

        asyncio.run(inside())

    return run


def test_a_clock_that_stands_still_now_and_then() -> None:
    still = {100: 200, 300: 350}
    assert clocks.up_at(0, 50, still) == 50
    assert clocks.up_at(0, 150, still) == 250
    assert clocks.up_at(150, 150, still) == 400
    assert clocks.up_at(120, 100, {300: 350, 100: 200}) == 300
    for since in range(0, 400, 7):
        for allowed in range(1, 400, 11):
            assert clocks.running(since, clocks.up_at(since, allowed, still), still) == allowed


async def daily(house: House, *, settings: dict[str, object] = DAILY) -> tuple[str, list[str], int]:
    people = await house.people("Ada", "Bo")
    match = await house.match(people[0], "me open", settings=settings)
    await house.sit(match, *people)
    return match, people, (await house.look(match)).turn


def test_the_clock_stands_still_and_everybody_sees_why(
    at: Callable[[Callable[[House], Awaitable[None]]], None],
) -> None:
    async def test(house: House) -> None:
        match, people, turn = await daily(house)
        vacations = house.live.notify.vacations
        house.now += 20 * HOUR
        await vacations.set(people[turn], house.now + 3 * DAY)
        table: Table = await house.look(match)
        assert table.deadline() == table.since + 4 * DAY
        assert seen.about(table, None, None).seats[turn].vacation == house.now + 3 * DAY
        assert seen.about(table, None, None).seats[1 - turn].vacation is None
        await house.wait(match, 2 * 86_400)
        assert (await house.look(match)).status == "playing"
        await vacations.set(people[turn], None)  # back a day early
        table = await house.look(match)
        assert table.deadline() == table.since + 3 * DAY
        await house.wait(match, 3 * 3600)
        assert (await house.look(match)).status == "playing"
        await house.wait(match, 3600 + 5)
        assert (await house.look(match)).ended.end == "forfeited"

    at(test)


def test_a_match_that_did_not_know_is_told_before_the_time_is_up(
    at: Callable[[Callable[[House], Awaitable[None]]], None],
) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo")
        for person in people:
            await house.live.notify.vacations.set(person, house.now + 2 * DAY)
        match = await house.match(people[0], "me open", settings=DAILY)
        await house.sit(match, *people)
        await house.wait(match, 86_400 + 5)
        table: Table = await house.look(match)
        assert table.status == "playing" and table.deadline() == table.since + 3 * DAY
        # Another process reads the same from the log.
        again = Table(await house.live.store.match(match))  # type: ignore[arg-type]
        for row in await house.live.store.entries(match, 0):
            again.apply(entries.Entry(row.number, row.at, entries.decode(row.body)))
        assert again.deadline() == table.deadline()

    at(test)


def test_days_are_counted_and_quick_clocks_go_on(at: Callable[[Callable[[House], Awaitable[None]]], None]) -> None:
    async def test(house: House) -> None:
        match, people, turn = await daily(house, settings={"clock": schema.Clock(3600), "timeout": "forfeit"})
        vacations = house.live.notify.vacations
        for wrong in (house.now, house.now - DAY, house.now + (DAYS + 1) * DAY):
            await refused("bad-option", vacations.set(people[turn], wrong))
        await vacations.set(people[turn], house.now + 20 * DAY)
        await vacations.set(people[turn], house.now + DAYS * DAY)  # longer
        assert await vacations.state(people[turn]) == (schema.Vacation(house.now, house.now + DAYS * DAY), 0)
        await house.wait(match, 3601)
        assert (await house.look(match)).ended.end == "forfeited"
        house.now += 10 * DAY
        await vacations.set(people[turn], None)
        present, left = await vacations.state(people[turn])
        assert present is None and 19 * DAY < left < 20 * DAY
        await refused("bad-option", vacations.set(people[turn], house.now + 20 * DAY))
        house.now += 365 * DAY
        assert await vacations.state(people[turn]) == (None, DAYS * DAY)

    at(test)


def test_the_only_move_is_made_by_itself_where_the_match_says_so(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Pig after a 1: nothing but to hold. In Alea a single choice is found by playing on."""

    async def run(settings: dict[str, object]) -> tuple[int, int]:
        single = made = 0
        async with a_house(tmp_path_factory.mktemp("only") / "x.db") as house:
            people = await house.people("Ada", "Bo")
            match = await house.match(people[0], "me open", settings=settings)
            await house.sit(match, *people)
            for _ in range(400):
                table: Table = await house.look(match)
                if table.status == "over" or table.match is None:
                    break
                if len(table.match.legal()) == 1:
                    single += 1
                    before = table.number
                    await house.wait(match, 2)
                    made += (await house.look(match)).number > before
                    if single == 3:
                        break
                    if (await house.look(match)).number > before:
                        continue
                await house.play(match)
        return single, made

    assert asyncio.run(run({"only_move": True})) == (3, 3)
    assert asyncio.run(run({})) == (3, 0)
