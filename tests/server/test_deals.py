"""Negotiating in a live match: several open offers, counter-offers and answers, by people and bots."""

from typing import Any

import pytest

from live_house import House, refused
from rostra.play.match import Match
from rostra.server import schema, seen
from rostra.server.table import Table

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
        await no("illegal", 0, action, "give 2 1 5")  # it has none
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


def test_bots_answer_and_an_active_bot_leaves_time_to_talk(at_house: Any) -> None:
    async def test(house: House) -> None:
        match, people, table = await a_table(house, "me greedy greedy", talk=30, pace=1)
        await begin(house, match, people, ("+B",))
        assert table.turn == 1
        ply = len(table.match.log)
        await house.wait(match, 5)
        assert len(table.match.log) == ply
        await house.wait(match, 24)
        assert len(table.match.log) == ply  # it leaves people the time to speak
        await house.wait(match, 2, lambda table: len(table.match.log) > ply)
        ply = len(table.match.log)
        await house.do(schema.Ready, match, people[0], seat=0)  # nothing to say: it need not wait
        await house.wait(match, 8, lambda table: len(table.match.log) > ply)

    at_house(test)


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
