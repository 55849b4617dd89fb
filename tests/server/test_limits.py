"""Everything that grows has a limit; each refusal says which message it answers, and when to try again."""

import asyncio
import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from live_house import House, refused
from live_server import Server, Wire, new_database, new_match, person
from rostra.client import Refused, request
from rostra.engine.game import BadOption
from rostra.server import entries, guard, schema, seen
from rostra.server.decisions import decide
from rostra.server.guard import Gate, address_of
from rostra.server.limits import LIMITS, NO_LIMITS, Limits
from rostra.server.live import Live
from rostra.server.settings import Settings, from_environment
from rostra.server.store import MatchRow, open_store
from rostra.server.table import Refusal, Table
from rostra.server.workers import Workers
from strangers import within


def test_every_limit_is_a_setting_and_0_means_none() -> None:
    names = [limit.name for limit in dataclasses.fields(Limits)]
    found = from_environment({}, {f"ROSTRA_{name.upper()}": "7" for name in names})
    assert {getattr(found, name) for name in names} == {7}
    assert isinstance(Settings(), Limits) and {*dataclasses.astuple(NO_LIMITS)} == {0}
    with pytest.raises(BadOption, match="chat_lines is 0"):
        from_environment({}, {"ROSTRA_CHAT_LINES": "-1"})


# Addresses and people (S8).


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("unix", "", False),
    ],
)
def test_an_ipv6_network_is_one_address(one: str, other: str, same: bool) -> None:
    assert (address_of({"client": (one, 1)}) == address_of({"client": (other, 2)})) is same
    assert address_of({"client": None}) == address_of({}) == ""


class Clock:
    """Stands for the module `time`."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(guard, "time", clock)
    return clock


def code(work: Any) -> str | None:
    try:
        work()
    except Refusal as refusal:
        assert refusal.retry_ms is not None and refusal.retry_ms > 0
        return refusal.code
    return None


def test_rates_count_by_person_and_all_of_an_address_together(clock: Clock) -> None:
    gate = Gate(Limits(rate=2, address_rate=5))

    def says(who: str | None, address: str = "home") -> bool:
        return code(lambda: (gate.knock(address), gate.enter(address, who))) is None

    assert [says("ada") for _ in range(11)] == [True] * 10 + [False]
    assert says("ada", "elsewhere") is False  # another connection, another address: the same person
    assert says("bo") and says(None) and says(None)
    assert [says(f"mal{n}") for n in range(30)].count(True) == 25 - 14  # the address has had enough
    assert says("di", "elsewhere")
    clock.now += 1
    assert [says("cy") for _ in range(9)].count(True) == 5


def test_what_is_refused_may_be_tried_again_after_the_time_that_it_says(clock: Clock) -> None:
    gate = Gate(Limits(rate=3))
    for _ in range(15):
        gate.enter("home", "ada")
    for _ in range(20):
        with pytest.raises(Refusal) as caught:
            gate.enter("home", "ada")
        clock.now += (caught.value.retry_ms or 0) / 1000
        gate.enter("home", "ada")


def test_so_many_new_people_and_matches_an_hour(clock: Clock) -> None:
    gate = Gate(Limits(people_hour=3, matches_hour=2))
    for what, most in (("people", 3), ("matches", 2)):
        assert [code(lambda what=what: gate.make(what, "home")) for _ in range(5)].count(None) == most  # type: ignore[misc]
        assert code(lambda what=what: gate.make(what, "elsewhere")) is None  # type: ignore[misc]
    clock.now += 3600
    assert [code(lambda: gate.make("people", "home")) for _ in range(5)].count(None) == 3


def test_connections_are_counted_by_address_until_they_end(tmp_path: Path) -> None:
    environment = {"ROSTRA_CONNECTIONS": "3"}
    server = Server(new_database("sqlite", tmp_path, ""), "--proxies", "127.0.0.1", environment=environment).start()

    async def work() -> None:
        def at(address: str) -> Wire:
            return Wire(server.url, additional_headers={"x-forwarded-for": address})

        async with at("2001:db8::1"), at("2001:db8::2"), at("2001:db8::3:4"):
            with pytest.raises(Exception, match="429"):
                async with at("2001:db8::5"):
                    pass
            async with at("2001:db8:1::1") as other:
                await other.settle()
        for _ in range(200):
            try:
                async with at("2001:db8::5") as again:
                    await again.settle()
                    return
            except Exception as error:
                assert "429" in str(error), error  # the server has not noticed yet that they are gone
                await asyncio.sleep(0.02)
        raise AssertionError("places are not free again")

    try:
        within(60, work())
    finally:
        server.kill()


# Refusals say what they answer (S10, S16).


def test_slow_down_names_the_command_and_the_same_command_succeeds_later(tmp_path: Path) -> None:
    server = Server(new_database("sqlite", tmp_path, ""), "--rate", "4").start()

    async def work() -> None:
        token = await person(server.url)
        match = await new_match(server.url, token)
        async with Wire(server.url, token) as one, Wire(server.url, token) as two:
            assert (await one.do("sit", match, seat=0, name="Ada"))["type"] == "done"
            for n in range(40):
                await (one, two)[n % 2].say("rename", id=f"r{n}", match=match, seat=0, name=f"Ada {n}")
            answers = {}
            for n in range(40):
                answers[n] = await (one, two)[n % 2].hear("done", "refused", answers=f"r{n}")
            slowed = [n for n, answer in answers.items() if answer["type"] == "refused"]
            assert slowed and {answers[n]["code"] for n in slowed} == {"slow-down"}
            again = answers[slowed[-1]]
            while again["type"] == "refused":
                await asyncio.sleep(again["retry_ms"] / 1000)
                again = await one.do("rename", match, id=again["id"], seat=0, name="Ada")
        found = await asyncio.gather(
            *(request(server.url, "GET", "/api/games") for _ in range(60)), return_exceptions=True
        )
        assert {one.code for one in found if isinstance(one, Refused)} == {"slow-down"}

    try:
        within(60, work())
    finally:
        server.kill()


def test_what_is_watched_can_be_watched_again_at_the_limit(tmp_path: Path) -> None:
    server = Server(new_database("sqlite", tmp_path, ""), environment={"ROSTRA_WATCHES": "2"}).start()

    async def work() -> None:
        token = await person(server.url)
        matches = [await new_match(server.url, token) for _ in range(3)]
        async with Wire(server.url, token) as wire:
            for match in (*matches[:2], *matches[:2]):
                await wire.say("watch", match=match)
                assert (await wire.hear("update", "refused"))["type"] == "update"
            await wire.say("watch", match=matches[2])
            assert (await wire.hear("update", "refused"))["code"] == "too-many"

    try:
        within(60, work())
    finally:
        server.kill()


# Matches of a person.


def test_a_person_makes_so_many_matches_and_few_without_people(database: str) -> None:
    async def work() -> None:
        store = await open_store(database)
        limits = Limits(matches=3, bot_matches=1)
        live = Live(store, Workers(0), limits=limits)
        house = House(live)
        ada, bo = await house.people("Ada", "Bo")
        first = await house.match(ada, "me open")
        await house.match(ada, "random random")
        await refused("too-many", house.match(ada, "random random"))
        await house.match(ada, "open greedy")
        await refused("too-many", house.match(ada, "me open"))
        await house.match(bo, "me open")
        await house.do(schema.Close, first, ada)
        await refused("too-many", house.match(ada, "greedy random"))
        await house.match(ada, "me open")
        assert await store.made_by(ada) == (3, 1) and await store.made_by("nobody") == (0, 0)
        await live.close()
        await store.close()

    within(60, work())


# Chat (S2) and the log.


def a_table() -> Table:
    plan = schema.NewMatch("alea", [schema.SeatPlan("open")] * 2)
    table = Table(MatchRow("a" * 20, "alea", 1, schema.encode(plan).decode(), "00" * 32, "p0", 0, "", 0, 0, None))
    sat: list[entries.AnyEvent] = [entries.Sat(seat, f"P{seat}", f"p{seat}") for seat in (0, 1)]
    table.apply(entries.Entry(1, 0, entries.Body([*sat, entries.Started([])])), fresh=True)
    return table


def say(table: Table, now: int, limits: Limits = LIMITS, seat: int = 0, text: str = "hello") -> None:
    events = decide(table, schema.Say("x", table.id, seat, text), f"p{seat}", now, "", limits)
    table.apply(entries.Entry(table.number + 1, now, entries.Body(events)), fresh=True)


def test_a_seat_writes_so_many_lines_in_a_while() -> None:
    table, limits = a_table(), Limits(chat_lines=3, chat_seconds=10)
    for now in (0, 1000, 2000):
        say(table, now, limits)
        say(table, now, limits, seat=1)
    with pytest.raises(Refusal) as caught:
        say(table, 3000, limits)
    assert (caught.value.code, caught.value.retry_ms) == ("chatty", 7000)
    say(table, 10_000, limits)
    assert code(lambda: say(table, 10_000, limits)) == "chatty"
    for now in range(20_000, 100_000, 4000):  # not faster than that on the whole
        say(table, now, limits)


def test_a_match_has_so_many_lines_of_chat_and_entries() -> None:
    table = a_table()
    limits = dataclasses.replace(NO_LIMITS, chat_most=5)
    for _ in range(5):
        say(table, 0, limits)
    with pytest.raises(Refusal) as caught:
        say(table, 0, limits)
    assert caught.value.code == "full"
    limits = dataclasses.replace(NO_LIMITS, entries=table.number)
    with pytest.raises(Refusal) as caught:
        decide(table, schema.Rename("x", table.id, 0, "Ada"), "p0", 0, "", limits)
    assert caught.value.code == "full"
    assert table.match is not None and table.turn is not None  # it can be played to its end
    move = next(text for text in table.match.legal() if not text.startswith("R"))
    play = schema.Play("x", table.id, table.turn, table.match.epoch, len(table.match.log), move)
    for command in (play, schema.Resign("x", table.id, table.turn)):
        assert decide(table, command, f"p{table.turn}", 0, "", limits)


def test_who_comes_gets_a_window_of_the_chat_and_the_rest_on_demand(at_house: Any) -> None:
    """It stays far below what a connection may be sent at once, whatever was written."""
    lines = 260

    async def test(house: House) -> None:
        house.live.rooms._limits = NO_LIMITS
        ada, bo, eve = await house.people("Ada", "Bo", "Eve")
        match = await house.match(ada, "me open")
        await house.sit(match, ada, bo)
        early = await house.watch(match, eve, None)
        for n in range(lines):
            await house.do(schema.Say, match, (ada, bo)[n % 2], seat=n % 2, text=f"{n} " + "\U0001f3b2" * 490)
        told = [line["number"] for update in early.told for line in update.get("chat", [])]
        assert told == list(range(lines))  # who was there has heard all
        tab = await house.watch(match, bo, 1)
        assert [line["number"] for line in tab.last("chat")] == list(range(lines - seen.CHAT_SHOWN, lines))
        assert len(json.dumps(tab.told)) < 2**20
        found: list[int] = []
        before = None
        while before != 0:
            page = await house.look(match, lambda table, at=before: seen.earlier_chat(table, 1, at))
            assert len(page.lines) <= seen.CHAT_PAGE
            found = [line.number for line in page.lines] + found
            before = page.first
        assert found == list(range(lines))
        await house.do(schema.Mute, match, bo, seat=1, other=0)
        page = await house.look(match, lambda table: seen.earlier_chat(table, 1, 100))
        assert page.first == 0 and {line.seat for line in page.lines} == {1}

    at_house(test)


def test_pages_of_chat_over_http(house: Server) -> None:
    async def work() -> None:
        token = await person(house.url)
        match = await new_match(house.url, token)
        async with Wire(house.url, token) as wire:
            await wire.do("sit", match, seat=0, name="Ada")
            for n in range(3):
                await wire.do("say", match, seat=0, text=f"line {n}")
        path = f"/api/matches/{match}/chat"
        assert [line["text"] for line in (await request(house.url, "GET", path))["lines"]] == [
            "line 0",
            "line 1",
            "line 2",
        ]
        page = await request(house.url, "GET", path + "?before=2&seat=0", token=token)
        assert (page["first"], [line["number"] for line in page["lines"]]) == (0, [0, 1])
        for wrong, right in (("?before=x", "bad-option"), ("?before=12345678", "bad-option"), ("?seat=0", "not-yours")):
            with pytest.raises(Refused) as caught:
                await request(house.url, "GET", path + wrong)
            assert caught.value.code == right

    within(60, work())


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become somebody unknown")
def test_a_user_without_a_name_or_a_home_has_places_for_its_files(tmp_path: Path) -> None:
    """S17: containers run as any number."""
    code = (
        "import os\n"
        "from rostra.engine.shelf import cache_folder\n"
        "from rostra.server.app import make_app\n"
        "from rostra.server.settings import from_environment\n"
        "os.setgid(54321), os.setuid(54321)\n"
        "cache_folder.cache_clear()\n"
        "print(from_environment({'database': 'sqlite:x'}).address, cache_folder().is_dir())\n"
        "print(from_environment({}).address)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env={"PATH": "/bin"}, cwd=tmp_path
    )
    shutil.rmtree(Path(tempfile.gettempdir()) / "rostra-54321", ignore_errors=True)
    assert ran.stdout == "sqlite:x True\n", ran.stderr
    assert ran.returncode == 1 and "name a database, as in --database sqlite:" in ran.stderr


def test_pages_and_files_count_too_but_not_health(tmp_path: Path) -> None:
    environment = {"ROSTRA_ADDRESS_RATE": "2"}
    server = Server(new_database("sqlite", tmp_path, ""), environment=environment).start()
    try:
        with httpx.Client(base_url=server.url) as client:
            for path in ("/", "/pages/verify.html", "/nowhere", "/api/openapi.json"):
                answers = [client.get(path) for _ in range(30)]
                assert answers[-1].status_code == 429 and int(answers[-1].headers["retry-after"]) > 0, path
                assert answers[-1].headers.items() >= guard.HEADERS.items()
            assert {client.get("/healthz").status_code for _ in range(30)} == {200}
    finally:
        server.kill()
