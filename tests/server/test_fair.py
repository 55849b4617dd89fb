"""The work of bots, hints and reviews is shared among people and matches, and who asks for too much is told."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest

from live_house import House, a_house, refused
from rostra.bots import LEVELS, open_bots
from rostra.games import GAMES
from rostra.server import entries, house, keeper, schema, seen
from rostra.server.decisions import HOUSE
from rostra.server.fair import AWAITED, BOTS, PEOPLE, Line, Place, Pool
from rostra.server.limits import NO_LIMITS, Limits
from rostra.server.live import Live
from rostra.server.settings import MOST_WORKERS, Settings
from rostra.server.store import MatchRow
from rostra.server.table import Refusal, Table
from rostra.server.workers import Question, Reply, Workers

# The line.


def order(*places: Place, limits: Limits = NO_LIMITS) -> list[int]:
    """In which order these places are served."""

    async def stand() -> list[int]:
        line: Line[int] = Line(limits)
        turns = [line.join(place) for place in places]
        served = []
        while line.serve(len(served)):
            served.append(next(i for i, turn in enumerate(turns) if turn.done() and turn.result() == len(served)))
        assert len(line) == 0
        return served

    return asyncio.run(stand())


def test_people_who_wait_come_first_and_bots_among_themselves_last() -> None:
    places = [Place(rank, "ada", "m") for rank in (BOTS, PEOPLE, BOTS, AWAITED, PEOPLE, AWAITED)]
    assert order(*places) == [3, 5, 1, 4, 0, 2]


def test_each_person_has_a_turn_whatever_the_others_ask_for() -> None:
    ada = [Place(BOTS, "ada", f"m{i}") for i in range(5)]
    assert order(*ada, Place(BOTS, "bo", "x"), Place(BOTS, "cy", "y")) == [0, 5, 6, 1, 2, 3, 4]


def test_each_match_of_a_person_has_a_turn() -> None:
    places = [Place(PEOPLE, "ada", match) for match in "aaabbc"]
    assert order(*places) == [0, 3, 5, 1, 4, 2]


def test_who_comes_again_stands_behind_those_who_wait() -> None:
    async def stand() -> None:
        line: Line[str] = Line(NO_LIMITS)
        first = [line.join(Place(BOTS, "ada", "a")) for _ in range(3)]
        quick, waits = line.join(Place(BOTS, "bo", "b")), line.join(Place(BOTS, "cy", "c"))
        assert line.serve("1") and line.serve("2") and first[0].done() and quick.done()
        again = line.join(Place(BOTS, "bo", "b"))
        assert line.serve("3") and waits.done() and not again.done()

    asyncio.run(stand())


def test_a_full_line_says_so_and_when_to_try_again() -> None:
    async def stand() -> None:
        line: Line[str] = Line(Limits(queue=4, queue_person=2))
        kept = [line.join(Place(BOTS, "ada", "a")) for _ in range(2)]
        for who, fits in (("ada", False), ("bo", True), ("bo", True), ("cy", True), ("cy", False)):
            with contextlib.ExitStack() as stack:
                caught = None if fits else stack.enter_context(pytest.raises(Refusal))
                kept.append(line.join(Place(AWAITED, who, "m")))
            if caught:
                assert caught.value.code == "crowded" and (caught.value.retry_ms or 0) > 0
        while line.serve("x"):
            pass
        assert all(turn.done() for turn in kept)
        line.join(Place(BOTS, "ada", "a"))

    asyncio.run(stand())


def test_who_gives_up_is_passed_over_and_nothing_is_lost() -> None:
    async def stand() -> None:
        pool = Pool(["only"], NO_LIMITS)
        thing = await pool.borrow(Place(BOTS, "ada", "a"))
        waiting = [asyncio.create_task(pool.borrow(Place(BOTS, who, "m"))) for who in ("bo", "cy", "di")]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.sleep(0)
        pool.give_back(thing)  # it is Cy's now, who leaves before hearing of it
        waiting[1].cancel()
        assert await waiting[2] == "only"
        pool.give_back("only")
        assert len(pool.line) == 0 and await pool.borrow(Place(BOTS, "ada", "a")) == "only"

    asyncio.run(stand())


# Bots from the wire (S1).


@pytest.mark.parametrize(
    "spec", ["deep:9999s", "deep:400", "search:1s", "flat:200", "learned:error=1", "learned:x.npz"]
)
def test_nobody_chooses_how_long_a_bot_thinks(at_house: Any, spec: str) -> None:
    async def test(house: House) -> None:
        (ada,) = await house.people("Ada")
        await refused("no-bot", house.match(ada, f"me {spec}"))
        await refused("no-bot", house.match(ada, "me open", settings={"stand_in": spec}))
        match = await house.match(ada, "me open")
        await refused("no-bot", house.do(schema.Replace, match, ada, seat=1, bot=spec))

    at_house(test)


@pytest.mark.parametrize("game", ["alea", "quovadis", "pig"])
def test_all_listed_bots_take_a_seat(at_house: Any, game: str) -> None:
    bots = open_bots(GAMES[game])
    assert ("learned:forgetful" in bots) == (game == "quovadis") and (set(LEVELS) <= set(bots)) == (game != "pig")

    async def test(house: House) -> None:
        (ada,) = await house.people("Ada")
        for bot in bots:
            match = await house.match(ada, f"me me {bot}", game)
            assert (await house.look(match)).seats[2].bot == bot

    at_house(test)


@pytest.mark.parametrize(
    ("old", "now"), [("deep:9999s", "consul"), ("search:9s", "eques"), ("learned:still", "learned:still")]
)
def test_bots_of_old_matches_think_no_longer_than_others(old: str, now: str) -> None:
    """A4: such seats are in databases of earlier versions."""
    plan = schema.encode(schema.NewMatch("alea", [schema.SeatPlan("bot", old)] * 2))
    table = Table(MatchRow("a" * 20, "alea", 1, plan.decode(), "00" * 32, "p", 0, "waiting", 0, 0, None))
    sat: list[entries.AnyEvent] = [entries.Sat(seat, old, None, old) for seat in (0, 1)]
    table.apply(entries.Entry(1, 0, entries.Body([*sat, entries.Started([])])), fresh=True)
    assert table.turn is not None
    asked, _ = keeper._asked(table, house.Talk(), house.Job("act", table.turn))
    assert asked.bot == now


# At a table.


class Slow:
    """Stands for workers who are busy until they are let go."""

    def __init__(self) -> None:
        self.asked: list[tuple[Question, Place]] = []
        self.go = asyncio.Event()

    async def ask(self, asked: Question, place: Place) -> Reply | None:
        self.asked.append((asked, place))
        await self.go.wait()
        return None


def test_a_bot_thinks_for_who_made_the_match_and_first_where_somebody_looks(at_house: Any) -> None:
    async def test(house: House) -> None:
        slow = Slow()
        house.live.keeper._workers = slow  # type: ignore[assignment]
        ada, bo = await house.people("Ada", "Bo")
        ranks = []
        for seats, watcher in (("me greedy", ada), ("me greedy", None), ("me greedy", bo), ("greedy greedy", ada)):
            match = await house.match(ada, seats, options={"start_seat": "1"})
            if "me" in seats:
                await house.sit(match, ada)
            if watcher:
                await house.watch(match, watcher, None)
            await house.live.keeper.serve(match)
            while not slow.asked:
                await asyncio.sleep(0)
            _, place = slow.asked.pop()
            assert (place.owner, place.match) == (ada, match)
            ranks.append(place.rank)
        assert ranks == [AWAITED, PEOPLE, PEOPLE, BOTS]
        slow.go.set()

    at_house(test)


def test_a_bot_that_finds_the_line_full_waits_and_plays(at_house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rostra.server.fair.RETRY_MS", 1)
    asked = []

    async def test(house: House) -> None:
        workers = house.live.workers
        real = workers.ask

        async def full_at_first(what: Question, place: Place) -> Reply | None:
            asked.append(what)
            if len(asked) < 4:
                raise Refusal("crowded", "full", 1)
            return await real(what, place)

        monkeypatch.setattr(workers, "ask", full_at_first)
        (ada,) = await house.people("Ada")
        match = await house.match(ada, "me random", options={"start_seat": "1"})
        await house.sit(match, ada)
        await house.wait(match, 1, lambda table: table.turn == 0)
        assert len(asked) >= 4

    at_house(test)


@pytest.mark.slow
def test_a_hint_comes_while_bots_play_among_themselves(at_house: Any) -> None:
    """A4: one worker, and more matches of bots than it can play."""

    async def test(house: House) -> None:
        ada, mal = await house.people("Ada", "Mal")
        for _ in range(Limits().bot_matches):
            crowd = await house.match(mal, "consul consul")
            await house.live.keeper.serve(crowd)
        await refused("too-many", house.match(mal, "consul consul"))
        match = await house.match(ada, "me greedy", options={"start_seat": "0"})
        await house.sit(match, ada)
        table = await house.look(match)
        asked = schema.AskHint(0, table.match.epoch, len(table.match.log))
        line = house.live.workers._thinkers.line
        while not len(line):
            await asyncio.sleep(0.01)
        hint = await house.live.hint(match, asked, ada)
        assert hint.moves and len(line) > 0  # it came before those who waited already

    at_house(test)


def test_two_processes_make_an_offer_of_a_bot_once(tmp_path: Path) -> None:
    """S11: both think, as they cannot know of each other; only one of them says it."""

    async def test() -> None:
        async with a_house(tmp_path / "x.db") as one:
            (ada,) = await one.people("Ada")
            settings = {"pace": 0.0, "talk": 3600.0}
            match = await one.match(ada, "me random random", "quovadis", settings=settings, options={"start_seat": "0"})
            await one.sit(match, ada)
            table: Table = await one.look(match)
            for move in "+B", "+B", "+B", "+A", "+B", "+C", "+D":  # then B can be left, with consents
                here = {"seat": table.turn, "epoch": 0, "ply": len(table.match.log) if table.match else 0}
                await one.do(schema.Play, match, ada if table.turn == 0 else HOUSE, **here, move=move)
            two = House(Live(one.live.store, Workers(0), lambda: one.now))
            two.now = one.now
            assert table.turn == 1 and table.match is not None, "the bot is to act"
            asks = seen.choices(table, table.match)[1]
            assert asks
            both = [Bots([[ask] for ask in asks[:2]]), Bots([[ask] for ask in asks[:2]])]
            for where, bots in zip((one, two), both, strict=True):
                where.live.keeper._workers = bots  # type: ignore[assignment]
            await two.look(match)
            for _ in range(8):
                one.now += 1000
                await asyncio.gather(one.live.keeper.serve(match), two.live.keeper.serve(match))
                for _ in range(50):
                    await asyncio.sleep(0.001)
            stored = [entries.decode(row.body) for row in await one.live.store.entries(match, 0)]
            made = [
                tuple(event.terms) for body in stored for event in body.events if isinstance(event, entries.Offered)
            ]
            assert min(bots.offers for bots in both) > 0, "both were asked"
            assert made and len(made) == len(set(made)), made
            await two.live.close()

    asyncio.run(test())


class Bots:
    """Seat 1 makes these offers, one after the other; nobody else says or does anything."""

    def __init__(self, terms: list[list[str]]) -> None:
        self.terms = terms
        self.offers = 0

    async def ask(self, asked: Question, place: Place) -> Reply | None:
        if asked.kind != "offer" or asked.seat != 1:
            await asyncio.Event().wait()
        await asyncio.sleep(0.005)
        self.offers += 1
        return Reply(terms=self.terms[min(self.offers, len(self.terms)) - 1])


def test_there_is_a_worker_for_each_core_but_one() -> None:
    assert 1 <= Settings().workers <= MOST_WORKERS
