"""Lists come from columns, whatever is wrong with a match; and a match that cannot be played on is shown as its log."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from bench.list_speed import BUSY, fill, plan
from live_house import House, refused
from live_server import Server, new_match, person
from rostra.server import entries, keeper, listing, replay, routes, schema, summing
from rostra.server.limits import LIMITS
from rostra.server.live import Live
from rostra.server.store import Append, LogRow, MatchRow, Store, open_store
from rostra.server.store.lists import Query
from rostra.server.table import Refusal, Table
from rostra.server.workers import Workers

LIVE = Path(__file__).parents[1] / "data" / "live"
Test = Callable[[House], Any]


async def lists(house: House, person: str | None, show: str, **more: str) -> schema.Matches:
    """What the server answers to this request."""
    row = None if person is None else routes.PersonRow(person, "")
    return await routes.list_matches(
        routes.Asked(house.live, row, "", {}, {"show": show, **more}, None, "", routes.Gate(LIMITS))
    )


def test_a_list_follows_a_match_from_its_making_to_its_end(at_house: Any) -> None:
    async def test(house: House) -> None:
        ada, bo, cy = await house.people("Ada", "Bo", "Cy")
        match = await house.match(ada, "me open", settings={"listed": True})
        (made,) = (await lists(house, cy, "open")).matches
        assert (made.status, made.turn, made.mine, [seat.kind for seat in made.seats]) == (
            "waiting", None, [], ["reserved", "open"]
        )  # fmt: skip
        await house.sit(match, ada, bo)
        table: Table = await house.look(match)
        turn = table.turn
        assert turn is not None
        people = (ada, bo)
        (mine,) = (await lists(house, people[turn], "next")).matches
        assert (mine.mine, mine.turn, mine.awaited) == ([turn], turn, table.since)
        assert [seat.name for seat in mine.seats] == ["P0", "P1"]
        assert (await lists(house, people[1 - turn], "next")).matches == []
        house.now += 5000
        await house.do(schema.Say, match, ada, seat=0, text="salve")
        (mine,) = (await lists(house, ada, "mine")).matches
        assert (mine.changed, mine.number) == (house.now, (await house.look(match)).number)
        await house.do(schema.Rename, match, bo, seat=1, name="Bo  the Ómega")
        (found,) = (await lists(house, cy, "found", q="BO THE ómega")).matches
        assert found.match == match
        await house.do(schema.Resign, match, ada, seat=0)
        assert (await lists(house, ada, "mine")).matches == (await lists(house, None, "open")).matches == []
        (over,) = (await lists(house, bo, "finished")).matches
        result = (await house.look(match)).result()
        assert over.result == schema.Result(*result)
        assert (over.result.winners, over.result.end, over.turn, over.awaited) == ([1], "resigned", None, None)
        assert [one.match for one in (await lists(house, None, "found", q="Alea Iacta Est")).matches] == [match]

    at_house(test)


def test_whoever_has_to_answer_is_awaited_and_since_when(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo", "Cy")
        match = await house.match(people[0], "me open open", "quovadis", settings={"talk": 20})
        await house.sit(match, *people)
        table: Table = await house.look(match)
        turn, other = table.turn or 0, ((table.turn or 0) + 1) % 3
        assert (await lists(house, people[other], "next")).matches == []
        house.now += 7000
        terms = ["+B", f"promise {turn} {other} support"]
        await house.do(schema.Offer, match, people[turn], seat=turn, terms=terms)
        (asked,) = (await lists(house, people[other], "next")).matches
        assert asked.awaited == house.now
        await house.do(schema.Answer, match, people[other], seat=other, offer=0, yes=False)
        assert (await lists(house, people[other], "next")).matches == []

    at_house(test)


def test_private_matches_are_found_by_nobody(at_house: Any) -> None:
    async def test(house: House) -> None:
        ada, bo, cy = await house.people("Ada", "Bo", "Cy")
        match = await house.match(ada, "me open")
        await house.sit(match, ada, bo)
        for words in ({"show": "open"}, {"show": "found", "q": "p0"}, {"show": "found", "q": "alea"}):
            assert (await lists(house, cy, **words)).matches == []
        assert (await lists(house, bo, "mine")).matches[0].match == match

    at_house(test)


def test_pages_hold_every_match_once_also_those_of_one_moment(at_house: Any) -> None:
    async def test(house: House) -> None:
        (ada,) = await house.people("Ada")
        made = {await house.match(ada, "me open", settings={"listed": True}) for _ in range(45)}
        for show in ("open", "mine"):
            seen, more = [], ""
            for _ in range(3):
                page = await lists(house, ada, show, **({"before": more} if more else {}))
                seen += [one.match for one in page.matches]
                more = page.more or ""
            assert len(seen) == 45
            assert set(seen) == made
            assert page.more is None
        for wrong in ("x", "-1", "1-A'", "9" * 20, "1-" + "a" * 21):
            await refused("bad-option", lists(house, ada, "open", before=wrong))
        for wrong in ("", "x" * 41, "a\x00"):
            await refused("bad-option", lists(house, ada, "found", q=wrong))

    at_house(test)


def test_no_list_replays_a_match_or_reads_all(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """3,000 matches; `tests/bench/list_speed.py` measures with 100,000."""

    async def test() -> None:
        store = await open_store(database)
        workers = Workers(1)
        live = Live(store, workers, store.now)
        try:
            await fill(store, 3000)
            house = House(live)
            monkeypatch.setattr(Table, "__init__", None)  # whoever makes one fails
            for show, more in (("open", {}), ("mine", {}), ("finished", {}), ("next", {}),
                               ("found", {"q": BUSY}), ("found", {"q": "alea"})):  # fmt: skip
                page = await lists(house, BUSY, show, **more)
                assert len(page.matches) == routes.PAGE, show
                again = await lists(house, BUSY, show, before=page.more or "", **more)
                assert not {one.match for one in page.matches} & {one.match for one in again.matches}
            for query in (Query("open"), Query("mine", BUSY), Query("finished", BUSY), Query("next", BUSY),
                          Query("name", "", BUSY), Query("game", "", "alea")):  # fmt: skip
                steps = await plan(store, query)
                assert not [step for step in steps if "Seq Scan" in step], (query, steps)
                scans = {step.split()[1] for step in steps if step.startswith("SCAN") and "INDEX" not in step}
                assert scans <= {"found", "held", "made", "waits"}, (query, steps)  # pages, not tables
        finally:
            await workers.close()
            await store.close()

    asyncio.run(test())


def damaged(row: MatchRow, log: list[LogRow], how: str) -> tuple[MatchRow, list[LogRow]]:
    """A match that this server cannot play on."""
    middle = len(log) // 2
    match how:
        case "rules":
            return row._replace(rules=99), log
        case "game":
            return row._replace(game="tarocchi"), log
        case "body":
            return row._replace(body="{"), log
        case "newer":
            return row, [*log, LogRow(log[-1].number + 1, log[-1].at, '[[["flew",0,"secret"]],null,null]')]
        case "illegal":
            wrong = log[middle]._replace(body='[[["played",0,["X99"]]],null,null]')
            return row, [*log[:middle], wrong, *log[middle + 1 :]]
        case "unreadable":
            return row, [*log[:middle], log[middle]._replace(body="{{"), *log[middle + 1 :]]
    raise AssertionError(how)


WAYS = {"rules": "rules", "game": "game", "body": "damaged", "newer": "newer", "illegal": "damaged",
        "unreadable": "damaged"}  # fmt: skip
"""How a match is damaged, and what the list says."""


async def add_damaged(store: Store, row: MatchRow, log: list[LogRow], due: int) -> dict[str, str]:
    """Copies of a match, each damaged in its way and due; what the list is to say of each."""
    said = {}
    for number, (how, trouble) in enumerate(WAYS.items()):
        bad, entries_ = damaged(row._replace(id="b" * 19 + chr(ord("a") + number), due=due), log, how)
        await store.add_match(bad)
        for one in entries_:
            assert await store.append(Append(bad.id, one.number, one.at, one.body, None))
        said[bad.id] = trouble
    return said


@pytest.mark.slow
def test_bad_matches_break_no_list_and_no_loop_and_are_shown_as_their_logs(server: Server) -> None:
    """Before a restart: six that cannot be played on, older and sooner due than one whose bots play."""

    async def play() -> str:
        token = await person(server.url)
        copied = await new_match(server.url, token, "greedy greedy", settings={"pace": 0.2, "listed": True})
        await asyncio.sleep(2)
        server.kill()
        store = await open_store(server.database)
        row = await store.match(copied)
        assert row is not None
        log = await store.entries(copied, 0)
        said = await add_damaged(store, row, log, 1)
        await store.close()
        await asyncio.to_thread(server.start)
        async with httpx.AsyncClient(base_url=server.url, timeout=20) as client:
            for _ in range(400):  # the bots of the good match go on
                now = (await client.get(f"/api/matches/{copied}")).json()["number"]
                if now > log[-1].number + 2:
                    break
                await asyncio.sleep(0.05)
            else:
                raise AssertionError("the bots stand still")
            for _ in range(400):  # and after a while the list knows what is wrong
                answer = await client.get("/api/matches?show=open")
                assert answer.status_code == 200, answer.text
                listed = {one["match"]: one for one in answer.json()["matches"]}
                found = {match: listed[match]["trouble"] for match in said}
                if found == {match: None if how == "newer" else how for match, how in said.items()}:
                    break
                await asyncio.sleep(0.05)
            else:
                raise AssertionError(found)
            assert listed[copied]["trouble"] is None
            for match, how in said.items():
                if how != "damaged" or listed[match]["seats"]:
                    assert [seat["name"] for seat in listed[match]["seats"]] == ["greedy", "greedy"], how
                shown = await client.get(f"/api/matches/{match}")
                assert (shown.status_code, shown.json()["code"]) == (410, "unplayable")
                for path in ("log", "transcript"):
                    text = await client.get(f"/api/matches/{match}/{path}")
                    assert text.status_code == 200
                    assert "cannot play on" in text.text
                    assert shown.json()["reason"] in text.text
                    assert "seat 0: greedy sits down, the bot greedy" in text.text
                    assert "secret" not in text.text
            whole = await client.get(f"/api/matches/{copied}/log")
            assert "cannot play on" not in whole.text
            headers = {"authorization": f"Bearer {token}"}
            for show in ("mine", "finished", "next", "found&q=alea"):
                assert (await client.get(f"/api/matches?show={show}", headers=headers)).status_code == 200
        return copied

    asyncio.run(asyncio.wait_for(play(), 90))


def test_forgotten_matches_end_also_when_they_cannot_be_played_on(at_house: Any) -> None:
    async def test(house: House) -> None:
        (ada,) = await house.people("Ada")
        match = await house.match(ada, "greedy greedy", settings={"pace": 60.0})
        store = house.live.store
        row = await store.match(match)
        assert row is not None
        said = await add_damaged(store, row, await store.entries(match, 0), 1)
        house.now += 91 * 24 * 3600 * 1000
        await house.live.keeper.abandon(90)
        rows = [await store.match(bad) for bad in said]
        assert {one.status for one in rows if one is not None} == {"over"}
        text = await house.live.log(next(iter(said)))
        assert "the match ends: abandoned" in text
        assert "play begins: " in text  # it is over: its moves are no secret any more
        assert (await house.look(match)).status == "over"

    at_house(test)


def test_the_log_of_a_running_match_tells_no_secret(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo")
        match = await house.match(people[0], "me open", settings={"whisper": True, "confirm": 60.0})
        await house.sit(match, *people)
        await house.do(schema.Say, match, people[0], seat=0, text="in the open")
        await house.do(schema.Say, match, people[0], seat=0, text="in your ear", to=1)
        key = (await house.do(schema.Link, match, people[0], seat=0)).key
        assert key
        await house.play(match)  # a choice that can still be taken back
        row = await house.live.store.match(match)
        assert row is not None
        text = await house.live.log(match)
        for entry in await house.live.store.entries(match, 0):
            for event in entries.decode(entry.body).events:
                moves = [*getattr(event, "moves", []), getattr(event, "move", "")]
                assert not [move for move in moves if move and f" {move}" in text.partition("status")[2]], event
        assert "in the open" in text
        assert "in your ear" not in text
        assert row.seed not in text

    at_house(test)


def test_the_rows_of_an_earlier_version_are_filled_in(tmp_path: Path) -> None:
    """A database with the matches of every version, without any column for lists."""
    kept = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(LIVE.glob("*.json"))]
    file = tmp_path / "old.db"

    async def make() -> None:
        store = await open_store(f"sqlite:{file}")
        for one in kept:
            for event in (event for _, _, body in one["log"] for event in body[0] if event[0] == "sat"):
                with contextlib.suppress(Exception):
                    await store.add_person(event[3], event[3], "Somebody", 1)
            with contextlib.suppress(Exception):
                await store.add_person(one["row"]["creator"], one["row"]["creator"], "Somebody", 1)
            row = MatchRow(**one["row"])._replace(number=0, turn=None, seated="", result=None)
            await store.add_match(row)
            for number, at, body in one["log"]:
                await store.append(Append(one["row"]["id"], number, at, json.dumps(body), None))
        await store.close()

    async def fill_in() -> None:
        store = await open_store(f"sqlite:{file}")
        workers = Workers(1)
        live = Live(store, workers)
        filling = asyncio.create_task(summing.sum_all(store, workers.preparing))
        try:
            async with asyncio.timeout(60):
                while (await store.unsummed("", 1000))[0]:
                    await asyncio.sleep(0.05)
            for one in kept:
                row = await store.match(one["row"]["id"])
                assert row is not None
                table: Table = await live.rooms.read(row.id, lambda table: table)
                total = listing.total(table)
                assert (row.number, row.changed, row.turn) == (table.number, table.at, table.turn)
                assert (row.seated, row.result, row.trouble) == (total.seated, total.result, None)
                for seat in total.seats:
                    show = "finished" if seat.done else "mine"
                    own = [] if seat.person is None else await store.listed(Query(show, seat.person, most=100))  # type: ignore[arg-type]  # both are lists
                    assert seat.person is None or row.id in [found.row.id for found in own]
        finally:
            filling.cancel()
            await live.close()
            await workers.close()
            await store.close()

    asyncio.run(make())
    asyncio.run(fill_in())


def test_a_row_that_is_newer_than_the_sum_stays(database: str) -> None:
    """Somebody moves while the columns are filled in."""

    async def test() -> None:
        store = await open_store(database)
        try:
            await fill(store, 1)
            (found,) = await store.listed(Query("game", "", "alea"))
            change = listing.Change("playing", None, 1, "[]")
            assert await store.append(Append(found.row.id, 1, 5, "[[],null,null]", change))
            await store.sum(found.row.id, 0, 1, change._replace(turn=0), "damaged")
            row = await store.match(found.row.id)
            assert row is not None
            assert (row.number, row.turn, row.trouble) == (1, 1, None)
        finally:
            await store.close()

    asyncio.run(test())


def test_all_that_is_due_is_taken_over_at_once(at_house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """More matches than one statement takes; nobody waits for the next look."""
    monkeypatch.setattr(keeper, "TAKEN", 7)
    monkeypatch.setattr(keeper, "POLL", 10**6)

    async def test(house: House) -> None:
        ada, bo = await house.people("Ada", "Bo")
        matches = [await house.match(ada, "me open", settings={"confirm": 1}) for _ in range(30)]
        for match in matches:
            await house.sit(match, ada, bo)
            await house.play(match)
        house.now += 5000
        await asyncio.to_thread(lambda: None)
        looking = asyncio.create_task(house.live.keeper._look_after())
        async with asyncio.timeout(30):
            for match in matches:
                while not (await house.look(match)).match.log[-1].number:
                    await asyncio.sleep(0.01)
                while (await house.look(match)).chosen is not None:
                    await asyncio.sleep(0.01)
        looking.cancel()

    at_house(test)


def test_an_entry_is_never_older_than_the_one_before(at_house: Any) -> None:
    async def test(house: House) -> None:
        ada, bo = await house.people("Ada", "Bo")
        match = await house.match(ada, "me open", settings={"clock": schema.Clock(60, 0)})
        await house.sit(match, ada, bo)
        began = house.now
        house.now -= 50_000  # the clock is set back
        await house.play(match)
        assert (await house.look(match)).since == began
        house.now = began + 59_000
        await house.live.keeper.serve(match)
        assert (await house.look(match)).bots == []  # its time is not up

    at_house(test)


def test_a_table_is_made_of_what_can_be_replayed() -> None:
    kept = json.loads(sorted(LIVE.glob("*.json"))[0].read_text(encoding="utf-8"))
    row = MatchRow(**kept["row"])
    log = [LogRow(number, at, json.dumps(body)) for number, at, body in kept["log"]]
    assert replay.table_of(row, log).status == "over"
    for how, trouble in WAYS.items():
        with pytest.raises(Refusal) as found:
            replay.table_of(*damaged(row, log, how))
        assert isinstance(found.value, replay.Unplayable)
        assert found.value.trouble == trouble


@pytest.mark.parametrize("spoiled", [{"seated": "{"}, {"seated": "[[1]]"}, {"result": "[]"}, {"body": "{"}])
def test_a_row_that_somebody_spoiled_breaks_no_list(spoiled: dict[str, str]) -> None:
    row = MatchRow("m", "alea", 1, "{}", "00", "ada", 1, "over", 1, 1, None)._replace(**spoiled)
    listed = listing.summary(row, "ada", None)
    assert (listed.match, listed.status, listed.result) == ("m", "over", None)
