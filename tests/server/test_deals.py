"""Negotiating in a live match: several open offers, counter-offers and answers, by people and bots."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from live_house import House, refused
from rostra.games.quovadis.speech import LINES
from rostra.play.match import Match
from rostra.server import entries, keeper, schema, seen
from rostra.server import house as house_rules
from rostra.server.decisions import HOUSE
from rostra.server.fair import Place
from rostra.server.limits import Limits
from rostra.server.table import Table
from rostra.server.workers import Question, Reply

# Seat 0 begins; three senators meet in B, so that leaving it towards I or F needs consents.
OPENING = ("+B", "+B", "+B", "+A", "+B", "+C")


async def a_table(house: House, seats: str = "me open open", **settings: Any) -> tuple[str, list[str], Table]:
    """A table at which seat 0 may ask seat 1 or 2 to let it leave B."""
    people = await house.people(*(f"P{seat}" for seat in range(sum(w in ("me", "open") for w in seats.split()))))
    match = await house.match(people[0], seats, "quovadis", options={"start_seat": "0"}, settings=settings)
    await house.sit(match, *people)
    return match, people, await house.look(match)


async def begin(house: House, match: str, people: list[str], moves: tuple[str, ...] = OPENING) -> None:
    for move in moves:
        table = await house.look(match)
        seat, ply = table.turn, len(table.match.log)
        await house.do(schema.Play, match, people[seat], seat=seat, epoch=0, ply=ply, move=move)


def asks(table: Table) -> list[str]:
    assert table.match is not None
    return seen.choices(table, table.match)[1] or []


def test_a_deal_of_three_with_an_offer_refused_countered_withdrawn_and_accepted(at_house: Any) -> None:
    async def test(house: House) -> None:
        match, people, table = await a_table(house)
        await begin(house, match, people)
        assert table.turn == 0
        (action,) = [text for text in asks(table) if text.endswith("(1,2)")][:1] or asks(table)[:1]
        tab = await house.watch(match, None, None)
        plies = len(table.match.log)

        async def offer(seat: int, *terms: str, counters: int | None = None) -> int:
            await house.do(schema.Offer, match, people[seat], seat=seat, terms=list(terms), counters=counters)
            return len(table.offers) - 1

        async def answer(seat: int, number: int, yes: bool) -> None:
            await house.do(schema.Answer, match, people[seat], seat=seat, offer=number, yes=yes)

        refused_one = await offer(0, action)
        withdrawn = await offer(2, action, "promise 0 2 support")
        await answer(1, refused_one, False)
        counter = await offer(1, action, "promise 0 1 support", "promise 2 1 support", counters=refused_one)
        await house.do(schema.Withdraw, match, people[2], seat=2, offer=withdrawn)
        await refused("no-offer", house.do(schema.Answer, match, people[0], seat=0, offer=withdrawn, yes=True))
        await refused("not-yours", house.do(schema.Withdraw, match, people[0], seat=0, offer=counter))
        assert [one["status"] for one in tab.last("desk")["offers"]] == ["refused", "withdrawn", "open"]
        worths = [one["worth"] for one in tab.last("desk")["offers"]]
        assert worths[:2] == [None, None]  # of another state by now, perhaps
        assert worths[2] == seen.draft(table, [action, "promise 0 1 support", "promise 2 1 support"]).worth
        assert [share["seat"] for share in worths[2]["shares"]] == [0, 1, 2]
        assert len(table.match.log) == plies  # talk is not part of the log
        await answer(0, counter, True)
        assert len(table.match.log) == plies
        await refused("answered", house.do(schema.Answer, match, people[0], seat=0, offer=counter, yes=True))
        await answer(2, counter, True)  # all parties: carried out at once
        assert table.offers[counter].status == "carried-out"
        lines = [(ply.seat, ply.move) for ply in table.match.log[plies:]]
        first = lines.index((0, "ask"))
        assert lines[0] == (0, action)
        assert set(lines[1:first]) == {(0, "promise 0 1 support"), (0, "promise 2 1 support")}
        assert lines[first + 1 : first + 3] == [(1, "yes"), (2, "yes")]
        assert len(tab.last("play")["view"]["promises"]) == 2
        assert tab.last("desk")["offers"] == []  # the action is done
        if table.turn == 0:  # it won a 2 with Caesar
            await begin(house, match, people, ("-",))
        assert table.turn == 1

    at_house(test)


def test_what_cannot_be_offered_is_refused_and_changes_nothing(at_house: Any) -> None:
    async def test(house: House) -> None:
        match, people, table = await a_table(house)
        await begin(house, match, people)
        action = asks(table)[0]
        number = table.number

        async def no(code: str, seat: int, *terms: str) -> None:
            await refused(code, house.do(schema.Offer, match, people[seat], seat=seat, terms=list(terms)))

        await no("illegal", 0, "+B>C")
        await no("cannot-pay", 0, action, "give 2 1 5")  # it has none
        await no("illegal", 1, "+A")  # nobody else is part of it
        ply = len(table.match.log)
        await refused("needs-others", house.do(schema.Play, match, people[0], seat=0, epoch=0, ply=ply, move=action))
        await refused("needs-others", house.do(schema.Play, match, people[0], seat=0, epoch=0, ply=ply, move="deal"))
        assert table.number == number
        info = seen.draft(table, [action])
        assert info.problem is None
        assert "promise 1 0 support" in info.more
        assert action in seen.draft(table, []).more

    at_house(test)


def test_a_late_copy_of_an_offer_means_nothing_else(at_house: Any) -> None:
    async def test(house: House) -> None:
        match, people, table = await a_table(house)
        await begin(house, match, people)
        here = {"epoch": 0, "plies": len(table.match.log)}
        await house.play(match)
        await refused("stale", house.do(schema.Offer, match, people[1], seat=1, terms=["+A"], **here))
        await refused("stale", house.do(schema.Ready, match, people[1], seat=1, **here))
        await house.do(schema.AskUndo, match, people[0], seat=0, ply=here["plies"])
        await refused("stale", house.do(schema.AnswerUndo, match, people[1], seat=1, yes=True, **here))

    at_house(test)


def test_offers_lapse_with_the_turn(at_house: Any) -> None:
    async def test(house: House) -> None:
        match, people, table = await a_table(house)
        await begin(house, match, people)
        await house.do(schema.Offer, match, people[0], seat=0, terms=[asks(table)[0]])
        await house.play(match)  # seat 0 does something else
        assert table.offers[0].status == "lapsed"
        await refused("no-offer", house.do(schema.Answer, match, people[1], seat=1, offer=0, yes=True))

    at_house(test)


def test_breaking_a_promise_of_support_is_seen(at_house: Any) -> None:
    async def test(house: House) -> None:
        match, people, table = await a_table(house)
        await begin(house, match, people, ("+D", "+D", "+A"))
        await house.do(schema.Offer, match, people[0], seat=0, terms=["D>G(1)", "promise 1 0 support"])
        await house.do(schema.Answer, match, people[1], seat=1, offer=0, yes=True)
        if table.turn == 0:  # it won a 2 with Caesar
            await begin(house, match, people, ("-",))
        await begin(house, match, people, ("+C", "A>E", "+B", "C>G", "+C"))
        await house.do(schema.Offer, match, people[2], seat=2, terms=["G>J(1)"])
        plies = len(table.match.log)
        await house.do(schema.Answer, match, people[1], seat=1, offer=1, yes=False)  # seat 0 did not ask itself: talk
        assert len(table.match.log) == plies
        await house.do(schema.Offer, match, people[0], seat=0, terms=["G>J(1)"])
        await house.do(schema.Answer, match, people[1], seat=1, offer=2, yes=False)
        assert [(ply.seat, ply.move) for ply in table.match.log[plies:]] == [(0, "G>J(1)"), (0, "ask"), (1, "no")]
        assert table.match.view(None)["fates"][1][0] == [0, 1, 0]
        assert table.turn == 0  # and it is still seat 0's turn

    at_house(test)


def test_q_neg_5_offers_that_a_bargain_rules_out_lapse(at_house: Any) -> None:
    async def test(house: House) -> None:
        match, people, table = await a_table(house)
        await begin(house, match, people, ("+D", "+D", "+A"))
        await house.do(schema.Offer, match, people[0], seat=0, terms=["D>G(1)", "promise 0 1 support"])
        await house.do(schema.Offer, match, people[0], seat=0, terms=["+B", "promise 0 1 support"])
        await house.do(schema.Offer, match, people[2], seat=2, terms=["bargain", "promise 2 1 support", "refuse 1"])
        await house.do(schema.Answer, match, people[1], seat=1, offer=2, yes=True)
        assert [offer.status for offer in table.offers] == ["lapsed", "open", "carried-out"]
        await refused("no-offer", house.do(schema.Answer, match, people[1], seat=1, offer=0, yes=True))

    at_house(test)


async def bot_to_act(house: House, **settings: Any) -> tuple[str, str, Table]:
    """The bot in seat 1 is to act and could leave B with consents; seat 0 is a person, seat 2 another bot."""
    match, (person,), table = await a_table(house, "me greedy greedy", **({"pace": 1} | settings))
    for move in (*OPENING, "+D"):
        ply = len(table.match.log)
        by = person if table.turn == 0 else HOUSE
        await house.do(schema.Play, match, by, seat=table.turn, epoch=0, ply=ply, move=move)
    assert table.turn == 1
    return match, person, table


async def waits(house: House, match: str, seconds: float) -> bool:
    """Whether the bot lets this time pass without acting; then it acts within three seconds."""
    table: Table = await house.look(match)
    ply = len(table.match.log)
    room = house.live.rooms.room(match)
    room.talk.renew(table.desk_turn)
    room.talk.silent |= {1, 2}  # what bots offer by themselves would prolong it
    await house.wait(match, seconds - 1)
    if len(table.match.log) > ply or any(job.kind == "act" for job in room.thinking):
        return False
    await house.wait(match, 3, lambda table: len(table.match.log) > ply)
    return True


def test_an_active_bot_leaves_time_to_talk(at_house: Any) -> None:
    async def test(house: House) -> None:
        match, _, table = await bot_to_act(house, talk=30)
        assert seen.desk(table).until == table.since + 30_000
        assert await waits(house, match, 30)

    at_house(test)


def test_who_has_nothing_to_say_need_not_be_waited_for(at_house: Any) -> None:
    async def test(house: House) -> None:
        match, person, table = await bot_to_act(house, talk=30)
        await house.do(schema.Drafting, match, person, seat=0)
        await house.do(schema.Ready, match, person, seat=0)
        assert seen.desk(table).until is None and seen.desk(table).drafting == []
        ply = len(table.match.log)
        await house.wait(match, 8, lambda table: len(table.match.log) > ply)

    at_house(test)


def test_nobody_waits_where_nothing_can_be_bargained(at_house: Any) -> None:
    """Before the first move no consent is needed and nobody has a laurel to give."""

    async def test(house: House) -> None:
        match, people, table = await a_table(house, "me greedy greedy", talk=30, pace=1)
        await begin(house, match, people, ("+B",))
        ply = len(table.match.log)
        assert seen.desk(table).until == table.since
        await house.wait(match, 2, lambda table: len(table.match.log) > ply)

    at_house(test)


def test_a_person_who_is_asked_has_time_to_answer(at_house: Any) -> None:
    """V1: until the answer, or the time that the match sets, which begins with the offer."""

    async def test(house: House) -> None:
        match, person, table = await bot_to_act(house, talk=6)
        await house.wait(match, 0)
        house.now += 4_000
        await house.do(schema.Offer, match, HOUSE, seat=1, terms=["B>I(0,1)"])
        assert seen.desk(table).until == house.now + 45_000
        assert await waits(house, match, 45)
        match, person, table = await bot_to_act(house, talk=6, answer=600)
        await house.do(schema.Offer, match, HOUSE, seat=1, terms=["B>I(0,1)"])
        await house.do(schema.Answer, match, person, seat=0, offer=0, yes=False)
        assert await waits(house, match, 6)

    at_house(test)


def test_a_person_who_puts_an_offer_together_is_waited_for_and_seen(at_house: Any) -> None:
    async def test(house: House) -> None:
        match, person, table = await bot_to_act(house, talk=6)
        other = await house.watch(match, None, None)
        house.now += 5_000
        await house.do(schema.Drafting, match, person, seat=0)
        assert other.last("desk")["drafting"] == [0]
        assert other.last("desk")["until"] == house.now + 45_000
        await house.do(schema.Drafting, match, person, seat=0, on=False)
        assert other.last("desk")["drafting"] == []
        assert other.last("desk")["until"] == table.since + 6_000
        await house.do(schema.Drafting, match, person, seat=0)
        await house.do(schema.Offer, match, person, seat=0, terms=["B>I(0,1)"])
        assert other.last("desk")["drafting"] == [], "it is on the table now"
        house.now += 1_000
        for _ in range(Limits().offers - 2):
            await house.do(schema.Drafting, match, person, seat=0)
        await refused("too-many", house.do(schema.Drafting, match, person, seat=0))
        await house.do(schema.Drafting, match, person, seat=0, on=False)
        await refused("not-yours", house.do(schema.Drafting, match, person, seat=1))

    at_house(test)


def test_an_offer_in_the_last_moment_is_answered_before_the_bot_acts(at_house: Any) -> None:
    async def test(house: House) -> None:
        match, person, table = await bot_to_act(house, talk=6)
        ply = len(table.match.log)
        house.now += 5_900
        await house.do(schema.Offer, match, person, seat=0, terms=["B>I(0,1)"])
        offer = table.offers[-1]
        await house.wait(match, 2.2, lambda table: offer.yes != [0] or bool(offer.no))
        assert offer.no or len(table.match.log) > ply

    at_house(test)


def test_a_bot_considers_an_offer_and_says_a_line_with_its_answer(at_house: Any) -> None:
    async def test(house: House) -> None:
        match, person, table = await bot_to_act(house, talk=30)
        tab = await house.watch(match, person, 0)
        room = house.live.rooms.room(match)
        room.talk.renew(table.desk_turn)
        room.talk.silent |= {1, 2}
        await house.do(schema.Offer, match, person, seat=0, terms=["@N>S", "promise 1 0 support"])
        (offer,) = tab.last("desk")["offers"]
        assert (offer["lines"], offer["considers"]) == ({}, [1])
        await house.wait(match, 1.9)  # twice the pace of one second
        await asyncio.sleep(0.2)
        assert tab.last("desk")["offers"][0]["considers"] == [1], "nobody could read an answer at once"
        await house.wait(match, 0.2, lambda table: bool(table.offers[0].no))
        first = tab.last("desk")["offers"][0]
        assert first["considers"] == []
        assert first["lines"]["1"][0] in LINES
        assert not set(first["lines"]) - {"1"}, "people say nothing by themselves"
        stored = table.number
        room.table = None
        again: Table = await house.look(match)
        assert again is not table and again.number == stored and again.offers[0].lines == table.offers[0].lines

    at_house(test)


def test_a_bot_alone_learns_that_its_offer_cannot_be_paid(at_house: Any) -> None:
    """It tries another one; the table sees nothing of the first."""

    async def test(house: House) -> None:
        match, _, table = await bot_to_act(house, talk=30)
        room = house.live.rooms.room(match)
        unpaid = ["B>I(0,1)", "give 0 1 5"]

        async def answer(asked: Question, place: Place) -> Reply:
            return Reply(terms=None if asked.seat == 2 or unpaid in asked.refused else unpaid)

        house.live.keeper._workers = SimpleNamespace(ask=answer)  # type: ignore[assignment]  # a bot that errs
        await house.wait(match, 3, lambda table: bool(room.talk.unpaid[1]))
        await house.wait(match, 3, lambda table: 1 in room.talk.silent)
        assert table.offers == [] and room.talk.unpaid[1] == [unpaid]
        assert unpaid not in keeper._asked(table, room.talk, house_rules.Job("offer", 2))[0].refused

    at_house(test)


def test_entries_without_lines_are_read() -> None:
    old = b'[[["offered",0,["A>E"],null],["answered",1,0,true]]]'
    offered, answered = entries.decode(old).events
    assert isinstance(offered, entries.Offered) and isinstance(answered, entries.Answered)
    assert offered.line is answered.line is None


@pytest.mark.slow
def test_bots_offer_and_answer_a_person(at_house: Any) -> None:
    """A person asks in every turn and accepts everything; bots answer and make offers of their own."""

    async def whole_match(house: House) -> Table:
        match, people, table = await a_table(house, "me greedy greedy", talk=5, pace=1)
        while table.status != "over":
            ply = len(table.match.log)
            if table.turn == 0:
                if table.can_deal and asks(table):
                    await house.do(schema.Offer, match, people[0], seat=0, terms=[asks(table)[0]])
                    offer = table.offers[-1]
                    await house.wait(match, 3, lambda table, offer=offer: offer.status != "open")
                if table.turn == 0 and len(table.match.log) == ply:
                    await house.play(match)
            else:
                await house.wait(match, 2)
                for number, offer in table.open_offers():
                    if offer.status == "open" and 0 in offer.parties and 0 not in offer.yes:
                        await house.do(schema.Answer, match, people[0], seat=0, offer=number, yes=True)
                await house.wait(match, 4, lambda table, ply=ply: table.turn in (0, None) or len(table.match.log) > ply)
        replayed = Match("quovadis", 3, table.options)
        replayed.replay([ply.move for ply in table.match.log])
        assert replayed.over
        return table

    async def test(house: House) -> None:
        offers = [offer for _ in range(4) for offer in (await whole_match(house)).offers]
        assert any(offer.seat == 0 and offer.no for offer in offers)
        assert any(offer.seat != 0 for offer in offers)
        assert any(offer.status == "carried-out" for offer in offers)

    at_house(test)


ARRIVAL = (
    *("+C", "@G>L", "+A", "C>G", "+B", "+B", "G>L", "@N>S", "+B"),
    *("L>N", "+B", "+D", "N>S"),
)
"""Seat 0 is in the Senate; Caesar let it through, so no laurel was won."""


def test_open_hands_are_demanded_in_turn_and_seen_by_all(at_house: Any) -> None:
    async def test(house: House) -> None:
        people = await house.people("P0", "P1", "P2")
        options = {"start_seat": "0", "open_hands": "on"}
        match = await house.match(people[0], "me open open", "quovadis", options=options, settings={})
        await house.sit(match, *people)
        table = await house.look(match)
        await begin(house, match, people, ARRIVAL)
        tab = await house.watch(match, None, None)
        assert (table.turn, table.can_deal, asks(table)) == (1, False, [])
        ply = len(table.match.log)

        def play(seat: int, move: str, later: int) -> Any:
            return house.do(schema.Play, match, people[seat], seat=seat, epoch=0, ply=ply + later, move=move)

        await refused("not-your-turn", play(2, "show", 0))
        await refused("illegal", play(1, "+B", 0))  # nobody can skip the others
        await play(1, "pass", 0)
        await play(2, "show", 1)
        assert table.turn == 1
        view = tab.last("play")["view"]
        assert view["shown"] and all(player["hand"] is not None for player in view["players"])
        await play(1, "+C", 2)
        view = tab.last("play")["view"]
        assert not view["shown"] and all(player["hand"] is None for player in view["players"])

    at_house(test)


def test_offers_are_kept_after_their_turn_with_where_they_were_made(at_house: Any) -> None:
    async def test(house: House) -> None:
        match, people, table = await a_table(house)
        await begin(house, match, people)
        action = asks(table)[0]
        plies, turn = len(table.match.log), table.desk_turn
        await house.do(schema.Offer, match, people[0], seat=0, terms=[action])
        answerer = next(seat for seat in table.offers[0].parties if seat != 0)
        await house.do(schema.Answer, match, people[answerer], seat=answerer, offer=0, yes=False)
        await house.do(schema.Offer, match, people[0], seat=0, terms=[action, f"promise 0 {answerer} support"])
        alone = next(move for move in seen.choices(table, table.match)[0] if move.startswith("@"))
        await begin(house, match, people, (alone,))
        assert table.turn == 1
        assert seen.desk(table).offers == []
        kept = seen.offers(table)
        assert kept.first == 0
        assert [(one.offer, one.status, one.mover) for one in kept.offers] == [(0, "refused", 0), (1, "lapsed", 0)]
        assert {(one.ply, one.turn) for one in kept.offers} == {(plies, turn)}
        house.live.rooms.room(match).table = None  # it is read from the store again
        assert await house.look(match, seen.offers) == kept

    at_house(test)
