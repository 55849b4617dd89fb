"""Everything that people can do in a match, one by one: on a real store, with a clock that the test controls."""

import asyncio
import json
from collections.abc import Awaitable
from typing import Any

import pytest

from live_house import House, refused
from rostra.play.verify import verify
from rostra.server import entries, rooms, schema, seen
from rostra.server.store import Append, StoreError
from rostra.server.store.lists import Query


def test_a_match_begins_when_the_last_seat_is_taken(at_house: Any) -> None:
    async def test(house: House) -> None:
        ada, bo = await house.people("Ada", "Bo")
        match = await house.match(ada, "me open greedy")
        assert await house.look(match, lambda table: table.status) == "waiting"
        await refused("taken", house.do(schema.Sit, match, bo, seat=0, name="Bo"))  # kept for the creator
        await house.do(schema.Sit, match, bo, seat=1, name="Bo", entropy="0a0b")
        await refused("taken", house.do(schema.Sit, match, ada, seat=1, name="Ada"))
        await refused("waiting", house.do(schema.Play, match, bo, seat=1, epoch=0, ply=0, move="T1"))
        await house.do(schema.Sit, match, ada, seat=0, name="Ada", entropy="ff")
        table = await house.look(match)
        assert table.status == "playing"
        assert table.entropy == [(0, "ff"), (1, "0a0b")]

    at_house(test)


def test_one_leaves_before_the_start_and_another_comes(at_house: Any) -> None:
    async def test(house: House) -> None:
        ada, bo, cy = await house.people("Ada", "Bo", "Cy")
        match = await house.match(ada, "me open open", settings={"listed": True})
        await house.do(schema.Sit, match, bo, seat=1, name="Bo", entropy="01")
        await house.do(schema.Leave, match, bo, seat=1)
        await house.do(schema.Sit, match, cy, seat=1, name="Cy")
        rows = [one.row for one in await house.live.store.listed(Query("open"))]
        assert [row.id for row in rows] == [match]
        assert [one.row.id for one in await house.live.store.listed(Query("mine", cy))] == [match]
        assert await house.live.store.listed(Query("mine", bo)) == []
        assert (await house.look(match)).entropy == []

    at_house(test)


def test_a_choice_can_be_taken_back_until_it_is_confirmed(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo")
        match = await house.match(people[0], "me open", settings={"confirm": None})
        await house.sit(match, *people)
        table = await house.look(match)
        seat, ply, legal = table.turn, len(table.match.log), table.match.legal()
        own, other = people[seat], people[1 - seat]
        mine, theirs = await house.watch(match, own, seat), await house.watch(match, other, 1 - seat)
        here = {"seat": seat, "epoch": 0, "ply": ply}
        await refused("illegal", house.do(schema.Play, match, own, **here, move="L9"))
        await house.do(schema.Play, match, own, **here, move=legal[0])
        assert mine.last("play")["chosen"] == legal[0]
        assert theirs.last("play")["chosen"] is None
        assert theirs.last("log")["lines"] == []  # nobody else knows it
        assert len(table.match.log) == ply  # no roll was drawn
        await house.do(schema.TakeBack, match, own, **here)
        await refused("nothing-chosen", house.do(schema.Confirm, match, own, **here))
        await house.do(schema.Play, match, own, **here, move=legal[1])
        await house.do(schema.Play, match, own, **here, move=legal[-1])  # think again
        await refused("not-yours", house.do(schema.Confirm, match, other, **here))
        await house.do(schema.Confirm, match, own, **here)
        assert table.match.log[ply].move == legal[-1]
        assert len(table.match.log) > ply + 1  # and only now the next roll
        await refused("stale", house.do(schema.TakeBack, match, own, **here))

    at_house(test)


def test_a_choice_counts_by_itself_after_the_window(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo")
        match = await house.match(people[0], "me open", settings={"confirm": 3})
        await house.sit(match, *people)
        await house.play(match)
        table = await house.look(match)
        ply = len(table.match.log)
        await house.wait(match, 2.9)
        assert len(table.match.log) == ply
        assert seen.play(table, table.turn, house.now).confirm_by == house.now + 100
        await house.wait(match, 0.2)
        assert len(table.match.log) > ply

    at_house(test)


@pytest.mark.parametrize("timeout", ["bot", "forfeit"])
def test_a_clock_runs_out(at_house: Any, timeout: str) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo")
        settings = {"clock": schema.Clock(10, 5), "timeout": timeout}
        match = await house.match(people[0], "me open", settings=settings)
        await house.sit(match, *people)
        table = await house.look(match)
        first = table.turn
        house.now += 12_000
        await house.play(match)  # two seconds from the bank
        assert table.seats[first].bank == 3_000
        late = table.turn
        await house.wait(match, 14.9)
        assert table.status == "playing"
        assert seen.play(table, late, house.now).time.until == house.now + 100
        await house.wait(match, 0.2)
        if timeout == "bot":
            assert table.seats[late].bot == "eques"
            assert table.seats[late].name == f"P{late} (bot)"
        else:
            assert (table.result().end, table.result().winners) == ("forfeited", [1 - late])

    at_house(test)


def test_a_clock_that_nobody_served_begins_again(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo")
        match = await house.match(people[0], "me open", settings={"clock": schema.Clock(10), "timeout": "forfeit"})
        await house.sit(match, *people)
        table = await house.look(match)
        await house.wait(match, 3600)  # the server was down
        assert table.status == "playing"
        assert seen.play(table, table.turn, house.now).time.until == house.now + 10_000

    at_house(test)


def test_going_back_needs_everybody_and_rolls_anew(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo")
        match = await house.match(people[0], "me open")
        await house.sit(match, *people)
        await house.play(match, 4)
        table = await house.look(match)
        before = [ply.move for ply in table.match.log]
        first = next(ply.number for ply in table.match.log if ply.seat is not None)
        await refused("no-ply", house.do(schema.AskUndo, match, people[0], seat=0, ply=len(before)))
        await house.do(schema.AskUndo, match, people[0], seat=0, ply=first - 1)  # before the first roll
        await refused("asked", house.do(schema.AskUndo, match, people[1], seat=1, ply=0))
        await house.do(schema.AnswerUndo, match, people[1], seat=1, yes=False)
        assert table.match.epoch == 0
        await refused("nothing-asked", house.do(schema.AnswerUndo, match, people[1], seat=1, yes=True))
        await house.do(schema.AskUndo, match, people[0], seat=0, ply=first - 1)
        await house.do(schema.AnswerUndo, match, people[1], seat=1, yes=True)
        assert (table.match.epoch, len(table.match.log)) == (1, first)
        seat = table.turn
        stale = {"seat": seat, "epoch": 0, "ply": first, "move": table.match.legal()[0]}
        await refused("stale", house.do(schema.Play, match, people[seat], **stale))  # meant before the undo
        while (await house.look(match)).status == "playing":
            await house.play(match, 50)
        checked = verify(await house.look(match, lambda table: seen.game_text(table, None)))
        assert checked.undos == 1

    at_house(test)


def test_going_back_among_bots_is_agreed_at_once(at_house: Any) -> None:
    async def test(house: House) -> None:
        (ada,) = await house.people("Ada")
        match = await house.match(ada, "me random", options={"start_seat": "0"})
        await house.sit(match, ada)
        await house.play(match)
        await house.do(schema.AskUndo, match, ada, seat=0, ply=1)
        assert (await house.look(match)).match.epoch == 1

    at_house(test)


def test_resigning_ends_a_match_of_two(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo")
        match = await house.match(people[0], "me open")
        await house.sit(match, *people)
        await house.play(match, 3)
        await house.do(schema.Resign, match, people[1], seat=1)
        table = await house.look(match)
        assert (table.result().end, table.result().winners) == ("resigned", [0])
        assert verify(seen.game_text(table, None)).end == "resigned"
        await refused("over", house.do(schema.Play, match, people[0], seat=0, epoch=0, ply=9, move="T1"))
        await house.do(schema.Say, match, people[0], seat=0, text="well played")  # talk goes on

    at_house(test)


def test_a_bot_plays_on_for_who_resigns_among_three(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo", "Cy")
        match = await house.match(people[0], "me open open", "quovadis", settings={"stand_in": "greedy"})
        await house.sit(match, *people)
        await house.do(schema.Resign, match, people[1], seat=1)
        table = await house.look(match)
        assert (table.status, table.seats[1].bot, table.seats[1].resigned) == ("playing", "greedy", True)
        await house.do(schema.Leave, match, people[2], seat=2)
        await house.do(schema.Leave, match, people[0], seat=0)  # nobody is left
        assert (table.result().end, table.result().winners) == ("abandoned", [])

    at_house(test)


def test_a_link_opens_the_own_seat_for_somebody_else_once(at_house: Any) -> None:
    async def test(house: House) -> None:
        ada, bo, again = await house.people("Ada", "Bo", "Bo again")
        match = await house.match(ada, "me open")
        await house.sit(match, ada, bo)
        old = (await house.do(schema.Link, match, bo, seat=1)).key
        new = (await house.do(schema.Link, match, bo, seat=1)).key
        tab = await house.watch(match, bo, 1)
        await refused("bad-key", house.do(schema.Sit, match, again, seat=1, name="Bo", key=old))
        await house.do(schema.Sit, match, again, seat=1, name="Bo", key=new)
        await refused("bad-key", house.do(schema.Sit, match, bo, seat=1, name="Bo", key=new))  # once
        await refused("not-yours", house.do(schema.Say, match, bo, seat=1, text="hello"))
        assert tab.told[-1]["seat"] is None  # the former holder only watches
        assert tab.last("play")["view"]["own"] is None
        await house.do(schema.Say, match, again, seat=1, text="back")

    at_house(test)


def test_a_choice_goes_with_who_made_it(at_house: Any) -> None:
    async def test(house: House) -> None:
        ada, bo, cy = await house.people("Ada", "Bo", "Cy")
        match = await house.match(ada, "me open", options={"start_seat": "1"}, settings={"confirm": None})
        await house.sit(match, ada, bo)
        await house.play(match)
        table = await house.look(match)
        assert table.chosen is not None
        key = (await house.do(schema.Link, match, bo, seat=1)).key
        await house.do(schema.Sit, match, cy, seat=1, name="Cy", key=key)
        assert seen.play(table, 1, house.now).chosen is None
        here = {"seat": 1, "epoch": 0, "ply": len(table.match.log)}
        await refused("nothing-chosen", house.do(schema.Confirm, match, cy, **here))

    at_house(test)


def test_several_seats_on_one_device(at_house: Any) -> None:
    async def test(house: House) -> None:
        (ada,) = await house.people("Ada")
        match = await house.match(ada, "me open")
        await house.sit(match, ada, ada)
        tabs = [await house.watch(match, ada, seat) for seat in (0, 1)]
        await house.play(match, 5)
        table = await house.look(match)
        assert tabs[table.turn].last("play")["legal"]
        assert tabs[1 - table.turn].last("play")["legal"] is None
        await house.do(schema.AskUndo, match, ada, seat=0, ply=3)  # with oneself one agrees
        assert table.match.epoch == 1

    at_house(test)


def test_chat_is_apart_from_moves_and_can_be_muted(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo")
        match = await house.match(people[0], "me open")
        await house.sit(match, *people)
        tabs = [await house.watch(match, person, seat) for seat, person in enumerate(people)]
        ply = tabs[0].last("play")["ply"]
        await house.do(schema.Say, match, people[1], seat=1, text="  <b>salve</b>\x07 \n")
        assert [line["text"] for line in tabs[0].last("chat")] == ["<b>salve</b>"]
        assert "play" not in tabs[0].told[-1]
        await house.do(schema.Mute, match, people[0], seat=0, other=1)
        await house.do(schema.Say, match, people[1], seat=1, text="listen")
        assert tabs[0].last("chat") == []
        assert (await house.watch(match, people[0], 0)).last("chat") == []
        await refused("empty", house.do(schema.Say, match, people[1], seat=1, text="\x07\x07"))
        assert (await house.look(match)).match.log[-1].number == ply - 1

    at_house(test)


def test_a_position_of_the_past(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo")
        match = await house.match(people[0], "me open")
        await house.sit(match, *people)
        table = await house.look(match)
        ply, view = len(table.match.log), table.match.view(0)
        await house.play(match, 5)
        assert seen.position(table, 0, ply).view == json.loads(json.dumps(view))
        assert seen.position(table, 0, ply).plies == len(table.match.log)

    at_house(test)


def test_the_creator_closes_a_match_that_nobody_else_plays(at_house: Any) -> None:
    async def test(house: House) -> None:
        ada, bo = await house.people("Ada", "Bo")
        match = await house.match(ada, "me open")
        await refused("not-creator", house.do(schema.Close, match, bo))
        await house.do(schema.Close, match, ada)
        assert await house.look(match, lambda table: table.status) == "over"
        other = await house.match(ada, "me open")
        await house.sit(other, ada, bo)
        await refused("others-play", house.do(schema.Close, other, ada))

    at_house(test)


def test_what_is_wrong_with_a_new_match_is_said(at_house: Any) -> None:
    async def test(house: House) -> None:
        (ada,) = await house.people("Ada")
        await refused("bad-option", house.match(ada, "me open", "chess"))
        await refused("bad-option", house.match(ada, "me open", "quovadis"))
        await refused("bad-option", house.match(ada, "me open", options={"start_seat": "4"}))
        await refused("no-bot", house.match(ada, "me oracle"))
        await refused("no-bot", house.match(ada, "me open", settings={"stand_in": "oracle"}))

    at_house(test)


def test_a_repeated_command_is_done_once(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo")
        match = await house.match(people[0], "me open")
        await house.sit(match, *people)
        said = schema.Say("same", match, 0, "once")
        first = await house.live.rooms.command(said, people[0])
        assert await house.live.rooms.command(said, people[0]) == first
        await house.live.rooms.command(schema.Say("same", match, 1, "mine"), people[1])  # another's id is another
        assert [line.text for line in (await house.look(match)).chat] == ["once", "mine"]

    at_house(test)


def test_matches_that_nobody_watches_make_place(at_house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        monkeypatch.setattr(rooms, "IDLE_ROOMS", 5)
        (ada,) = await house.people("Ada")
        watched = await house.match(ada, "me me")
        await house.sit(watched, ada, ada)
        tab = await house.watch(watched, ada, 0)
        house.live.rooms._most = 5
        others = [await house.match(ada, "me me") for _ in range(30)]
        for match in others:
            await house.sit(match, ada, ada)
            assert len(house.live.rooms._rooms) <= 11
        assert others[0] not in house.live.rooms
        assert watched in house.live.rooms
        await house.play(watched)
        assert tab.last("play")["ply"] > 0
        await house.play(others[0])  # it is read again

    at_house(test)


def test_few_idle_matches_stay_beside_many_watched_ones(at_house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        monkeypatch.setattr(rooms, "IDLE_ROOMS", 5)
        (ada,) = await house.people("Ada")
        matches = [await house.match(ada, "me me") for _ in range(9)]
        for match in matches:
            await house.sit(match, ada, ada)
        for match in matches[4:]:
            await house.watch(match, ada, 0)
        house.live.rooms._most = 5
        await house.sit(await house.match(ada, "me me"), ada, ada)
        assert all(match in house.live.rooms for match in matches)

    at_house(test)


def test_what_a_store_says_to_a_command(at_house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        ada, bo = await house.people("Ada", "Bo")
        match = await house.match(ada, "me open")
        await house.sit(match, ada, bo)
        append = house.live.store.append
        tab = await house.watch(match, bo, 1)

        def say(name: str) -> Awaitable[schema.Done]:
            return house.live.rooms.command(schema.Say(name, match, 0, name), ada)

        assert [done.number for done in await asyncio.gather(say("free"), say("free"))] == [3, 3]  # a repeat

        # Another process is quicker: its line comes first, ours after it.
        body = entries.encode(entries.Body([entries.Said(1, "me first")])).decode()

        def late(entry: Append) -> Awaitable[bool]:
            monkeypatch.setattr(house.live.store, "append", append)
            append(Append(match, 4, house.now, body, None))
            return append(entry)

        monkeypatch.setattr(house.live.store, "append", late)
        assert (await say("late")).number == 5

        async def full(entry: Append) -> bool:
            raise StoreError("full")

        monkeypatch.setattr(house.live.store, "append", full)
        await refused("unavailable", say("full"))
        monkeypatch.setattr(house.live.store, "append", append)
        await house.do(schema.Say, match, bo, seat=1, text="all is well")
        assert [line.text for line in (await house.look(match)).chat] == ["free", "me first", "late", "all is well"]
        assert [line["text"] for told in tab.told for line in told.get("chat", [])][-1] == "all is well"

    at_house(test)


def test_a_match_that_everybody_has_forgotten_is_over(at_house: Any) -> None:
    async def test(house: House) -> None:
        day = 24 * 3600 * 1000
        ada, bo = await house.people("Ada", "Bo")
        waiting, old, new = [await house.match(ada, "me open") for _ in range(3)]
        await house.sit(old, ada, bo)
        await house.sit(new, ada, bo)
        house.now += 80 * day
        await house.play(new)
        await house.live.keeper.abandon(90)
        assert await house.look(old, lambda table: table.status) == "playing"
        house.now += 11 * day
        await house.live.keeper.abandon(90)
        ends = [await house.look(match, lambda table: table.ended and table.ended.end) for match in (waiting, old, new)]
        assert ends == ["abandoned", "abandoned", None]
        assert await house.live.store.status() == {"over": 2, "playing": 1}
        assert await house.live.store.idle(house.now + 1, 10) == [new]

    at_house(test)


def test_a_new_game_is_played_live_without_a_line_more(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo", "Cy")
        match = await house.match(people[0], "me open open", "pig")
        await house.sit(match, *people)
        table = await house.look(match)
        while table.status == "playing":
            here = {"seat": table.turn, "epoch": 0, "ply": len(table.match.log)}
            move = "stop" if table.match.view(None)["pot"] >= 5 else "roll"
            await house.do(schema.Play, match, people[table.turn], **here, move=move)
        assert table.result().end == "goal-reached"
        assert verify(seen.game_text(table, None)).outcomes > 0

    at_house(test)
