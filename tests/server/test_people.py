"""People: results and ratings of finished matches, profiles, friends, blocks, reports, and one's own data."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from live_house import House, a_house, refused
from rostra.server import entries, erasing, schema
from rostra.server.devices import Devices
from rostra.server.profiles import Profiles
from rostra.server.records import Outcome, Record, note, record_of
from rostra.server.store import open_store

AtHouse = Callable[[Callable[[House], Awaitable[None]]], None]


async def noted(house: House, match: str) -> None:
    """Wait until a finished match is noted."""
    while not await house.live.store.rows("SELECT 1 FROM noted WHERE match = ?", match):
        await asyncio.sleep(0.01)


async def duel(house: House, one: str, two: str, resigns: int = 1, **settings: Any) -> str:
    """A match that seat `resigns` gives up."""
    match = await house.match(one, "me open", options={"start_seat": "0"}, settings=settings)
    await house.sit(match, one, two)
    await house.play(match)
    await house.do(schema.Resign, match, (one, two)[resigns], seat=resigns)
    await noted(house, match)
    return match


async def befriended(house: House, one: str, two: str) -> None:
    code = await house.live.people.devices.code(one, "friend")
    await house.live.profiles.befriend(two, code.code)


async def ratings(house: House) -> dict[str, tuple[float, int]]:
    rows = await house.live.store.rows("SELECT player, mu, games FROM ratings")
    return {player: (mu, games) for player, mu, games in rows}


def test_a_finished_match_is_rated_once(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        ada, bo = await house.people("Ada", "Bo")
        match = await duel(house, ada, bo)
        rated = await ratings(house)
        assert rated[ada][0] > 25 > rated[bo][0] and rated[ada][1] == rated[bo][1] == 1
        await house.live.records.note(await house.look(match, record_of))
        assert await house.live.records.catch_up() == 0
        assert await ratings(house) == rated
        await duel(house, ada, bo)
        assert (await ratings(house))[ada][0] > rated[ada][0]

    at_house(test)


def test_matches_with_hints_or_that_were_closed_are_not_rated(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        ada, bo = await house.people("Ada", "Bo")
        await duel(house, ada, bo, hints=True)
        match = await house.match(ada, "me greedy", options={"start_seat": "0"})
        await house.do(schema.Sit, match, ada, seat=0, name="Ada")
        await house.do(schema.Close, match, ada)
        await noted(house, match)
        assert await ratings(house) == {}
        profile = await house.live.profiles.profile(ada, ada)
        assert [(one.played, one.won, one.rating) for one in profile.skills] == [(1, 1, None)]

    at_house(test)


def test_who_leaves_is_last_and_a_gift_of_a_seat_is_not_rated(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        ada, bo, cy, di = await house.people("Ada", "Bo", "Cy", "Di")
        match = await house.match(ada, "me open open", options={"start_seat": "0"})
        await house.sit(match, ada, bo, cy)
        await house.play(match)
        await house.do(schema.Leave, match, ada, seat=0)
        table = await house.look(match)
        ended = entries.Body([entries.Ended("forfeited", [0, 2])])
        table.apply(entries.Entry(table.number + 1, table.at, ended), fresh=True)
        record = record_of(table)
        assert [(one.place, one.won) for one in record.outcomes] == [(3, 0), (2, 0), (1, 1)] and record.rated
        match = await house.match(ada, "me open", options={"start_seat": "0"})
        await house.sit(match, ada, bo)
        key = (await house.do(schema.Link, match, bo, seat=1)).key
        await house.do(schema.Sit, match, di, seat=1, name="Di", key=key)
        await house.do(schema.Resign, match, di, seat=1)
        record = record_of(await house.look(match))
        assert not record.rated and record.outcomes[1].person == bo

    at_house(test)


def test_what_a_dead_process_left_is_noted_later(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        ada, bo = await house.people("Ada", "Bo")
        house.live.rooms.over = lambda table: None  # it dies before it can
        match = await house.match(ada, "me open")
        await house.sit(match, ada, bo)
        await house.do(schema.Resign, match, bo, seat=1)
        assert await ratings(house) == {}
        assert await house.live.records.catch_up() == 1
        assert (await ratings(house))[ada][1] == 1
        assert await house.live.records.catch_up() == 0

    at_house(test)


def test_two_processes_that_note_at_once_count_each_match_once(database: str) -> None:
    async def test() -> None:
        first = await open_store(database)
        second = await open_store(database) if first.shared else first
        try:
            records = [
                Record(f"m{number}", "alea", 0, number, True, [
                    Outcome(0, f"p{number % 3}", "A", None, 3, 1, 1), Outcome(1, None, "B", "eques", 2, 2, 0),
                    Outcome(2, None, "C", "eques", 1, 3, 0),
                ])
                for number in range(12)
            ]  # fmt: skip
            both = [store.transact(lambda r=r: note(r)) for r in records for store in (first, second)]  # type: ignore[misc]
            assert sum(await asyncio.gather(*both)) == 12
            found = await first.rows("SELECT player, games, mu FROM ratings ORDER BY player")
            assert [(player, games) for player, games, _ in found] == [
                ("bot:eques", 12), ("p0", 4), ("p1", 4), ("p2", 4)
            ]  # fmt: skip
            assert all(mu > 25 for player, _, mu in found if player != "bot:eques") and found[0][2] < 25
        finally:
            await first.close()
            if second is not first:
                await second.close()

    asyncio.run(test())


def test_profiles_on_both_databases(database: str) -> None:
    async def test() -> None:
        store = await open_store(database)
        try:
            for person in ("ada", "bo", "eve"):
                await store.add_person(person, person, person.title(), 5)
            profiles = Profiles(store, Devices(store, lambda: 10, lambda _: None), lambda: 10)
            for number in range(25):
                outcomes = [
                    Outcome(0, "ada", "Ada", None, 9, 1 + number % 2, 1),
                    Outcome(1, "bo", "Bo", None, 8, 2 - number % 2, 0),
                ]
                await store.transact(
                    lambda n=number, o=outcomes: note(Record(f"m{n}", "alea", int(n == 3), 100 + n, True, o))  # type: ignore[misc]
                )
            await refused("no-profile", profiles.profile("ada", "eve"))
            handle = await profiles.handle("ada")
            assert await profiles.person(handle) == "ada" and "ada" not in handle
            await refused("no-profile", profiles.person("\0' OR 1=1"))
            await profiles.set_public("ada", True)
            seen = await profiles.profile("ada", "eve")
            assert [one.match for one in seen.past] == ["m3"] and seen.versus == schema.Versus(0, 0, 0)
            assert (seen.skills[0].played, seen.skills[0].won) == (25, 25) and seen.skills[0].rating is not None
            met = await profiles.profile("ada", "bo")
            assert met.versus == schema.Versus(25, 12, 13)
            assert len(met.past) == 20 and met.more == 105
            rest = await profiles.profile("ada", "bo", met.more)
            assert [one.at for one in rest.past] == [104, 103, 102, 101, 100] and rest.more is None
            sitting = await profiles.sitting([(0, "ada"), (1, "bo")], "alea", 2, "eve")
            assert [one.person for one in sitting] == [handle, None] and sitting[1].rating is None
            await profiles.block("ada", "eve", True)
            await refused("no-profile", profiles.profile("ada", "eve"))
            assert (await profiles.acquaintances("ada")).blocked[0].name == "Eve"
            await profiles.block("ada", "eve", False)
            await refused("not-yours", profiles.block("ada", "ada", True))
            for reason in ("talk", "cheating"):  # a second one about the same seat replaces the first
                await profiles.report("eve", "m3", schema.Report(0, reason, " rude\u202e "), "ada")  # type: ignore[arg-type]
            assert [tuple(row) for row in await store.rows("SELECT reason, text, other FROM reports")] == [
                ("cheating", "rude", "ada")
            ]
            for number in range(30):
                try:
                    await profiles.report("eve", f"n{number}", schema.Report(0, "talk"), "ada")
                except Exception as error:
                    assert getattr(error, "code", "") == "too-many" and number == 19
                    break
            else:
                raise AssertionError("reports without end")
        finally:
            await store.close()

    asyncio.run(test())


def test_friends_by_link_see_each_other(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        ada, bo, cy = await house.people("Ada", "Bo", "Cy")
        profiles = house.live.profiles
        await befriended(house, ada, bo)
        assert [one.name for one in (await profiles.acquaintances(ada)).friends] == ["Bo"]
        (friend,) = (await profiles.acquaintances(bo)).friends
        assert (await profiles.profile(await profiles.person(friend.person), bo)).name == "Ada"
        await refused("no-profile", profiles.profile(ada, cy))
        code = (await house.live.people.devices.code(ada, "link")).code
        await refused("bad-code", profiles.befriend(cy, code))  # that would sign in
        code = (await house.live.people.devices.code(ada, "friend")).code
        await profiles.befriend(ada, code)  # alone with oneself
        assert len((await profiles.acquaintances(ada)).friends) == 1
        await profiles.part(bo, ada)
        assert not (await profiles.acquaintances(ada)).friends

    at_house(test)


def test_who_is_blocked_does_not_sit_down_with_one(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        ada, bo, cy = await house.people("Ada", "Bo", "Cy")
        await befriended(house, ada, bo)
        await house.live.profiles.block(ada, bo, True)
        assert not (await house.live.profiles.acquaintances(bo)).friends
        of_ada, of_bo, of_cy = [await house.match(one, "me open open") for one in (ada, bo, cy)]
        await refused("blocked", house.do(schema.Sit, of_ada, bo, seat=1, name="Bo"))
        await refused("blocked", house.do(schema.Sit, of_bo, ada, seat=1, name="Ada"))
        await house.do(schema.Sit, of_cy, ada, seat=1, name="Ada")
        await refused("blocked", house.do(schema.Sit, of_cy, bo, seat=2, name="Bo"))
        await house.do(schema.Sit, of_ada, cy, seat=1, name="Cy")
        await house.live.profiles.block(ada, bo, False)
        await house.do(schema.Sit, of_cy, bo, seat=2, name="Bo")

    at_house(test)


def test_who_is_erased_leaves_no_word(tmp_path: Any) -> None:
    async def test() -> None:
        async with a_house(tmp_path / "x.db") as house:
            made = await house.live.people.add("Zenobia", "her laptop")
            zen, (bo,) = made.person, await house.people("Bo")
            await befriended(house, zen, bo)
            over = await house.match(zen, "me open", options={"start_seat": "0"})
            running = await house.match(bo, "me open open", options={"start_seat": "1"})
            for match, seat in ((over, 0), (running, 1)):
                await house.do(schema.Sit, match, zen, seat=seat, name="Zenobia")
                await house.do(schema.Rename, match, zen, seat=seat, name="Zenobia II")
            await house.do(schema.Sit, over, bo, seat=1, name="Bo")
            await house.do(schema.Sit, running, bo, seat=0, name="Bo")
            await house.do(schema.Sit, running, (await house.people("Cy"))[0], seat=2, name="Cy")
            for match, seat in ((over, 0), (running, 1)):
                await house.do(schema.Say, match, zen, seat=seat, text="I, Zenobia, greet you")
                await house.do(schema.Say, match, bo, seat=1 - seat, text="hello there")
            await house.do(schema.Resign, over, zen, seat=0)
            await noted(house, over)
            person = await house.live.people.find(made.token)
            assert person is not None
            deeds = await erasing.deeds(house.live.store, zen)
            assert {one["match"] for one in deeds} == {over, running} and "greet you" in json.dumps(deeds)
            assert "hello there" not in json.dumps(deeds)
            export = await house.live.profiles.export(person, "", deeds)
            assert (export.name, export.friends, export.devices[0].label) == ("Zenobia", ["Bo"], "her laptop")
            assert export.skills[0].played == 1
            transcript = await house.look(over, lambda table: table.match.transcript(None, secrets=True).plies)
            tab = await house.watch(running, zen, 1)
            await erasing.erase(house.live.store, house.live.rooms, zen)
            assert tab.told[-1]["seat"] is None
            assert (await house.look(running)).seats[1].bot is not None
            assert await house.look(over, lambda table: table.match.transcript(None, secrets=True).plies) == transcript
            assert (await house.look(over)).seats[0].name == erasing.NOBODY
            chat = (await house.look(over)).chat
            assert [line.text for line in chat] == [erasing.NOBODY, "hello there"]
            assert (await house.look(running)).status == "playing"
            await house.live.store.close()
        assert b"Zenobia" not in b"".join(file.read_bytes() for file in tmp_path.glob("x.db"))

    asyncio.run(test())


ABOUT_ADA = (
    ("tokens", ("h", "ada", "laptop", 1, 1)),
    ("codes", ("place", "secret", "code", "ada", 1, 2, 0)),
    ("profiles", ("ada", "handle", 1)),
    ("friends", ("ada", "bo", 1)),
    ("friends", ("bo", "ada", 1)),
    ("blocks", ("bo", "ada", 1)),
    ("reports", ("ada", "m", 0, "bo", "talk", "rude", 1)),
    ("reports", ("bo", "m", 1, "ada", "talk", "Ada is rude", 1)),
    ("results", ("m", 0, "ada", "Ada", None, "alea", 2, 9, 1, 1, 0, 1)),
    ("ratings", ("ada", "alea", 2, 25.0, 8.0, 1)),
    ("notify", ("ada", "{}")),
    ("addresses", ("a1", "ada", "email", "ada@example.org", "k", " turn ", 1, "c", 0, 0, 1)),
    ("outbox", ("a1", "m", "turn", 1, 0, 1, 0)),
    ("vacations", ("ada", 1, 2)),
    ("bans", ("ada", 1, "abuse")),
)


def test_erasing_works_on_both_databases(database: str) -> None:
    async def test() -> None:
        store = await open_store(database)
        try:
            for person in ("ada", "bo"):
                await store.add_person(person, person, person.title(), 1)
            for table, values in ABOUT_ADA:
                await store.rows(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", *values)
            assert await erasing.matches_of(store, "ada") == ["m"]
            await erasing.erase(store, None, "ada")  # type: ignore[arg-type]  # no logs, so no rooms
            assert [tuple(row) for row in await store.rows("SELECT name, token FROM people ORDER BY id")] == [
                (erasing.NOBODY, "erased ada"), ("Bo", "bo"),
            ]  # fmt: skip
            left = {table: [tuple(row) for row in await store.rows(f"SELECT * FROM {table}")] for table, _ in ABOUT_ADA}
            assert {table: rows for table, rows in left.items() if rows} == {
                "results": [("m", 0, None, erasing.NOBODY, None, "alea", 2, 9, 1, 1, 0, 1)]
            }
            assert [(row.what, row.about) for row in await store.audit(0, 9)] == [("erase", "ada")]
        finally:
            await store.close()

    asyncio.run(test())
