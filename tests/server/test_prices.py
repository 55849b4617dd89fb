"""Prices at a live table: asked for, named by people and bots, standing, and taken as a set."""

from typing import Any

import pytest

from live_house import House, refused
from rostra.server import entries, schema, seen
from rostra.server.decisions import HOUSE
from rostra.server.prices import NAMED_A_SEAT
from rostra.server.table import Table

# Seat 0 begins; B then holds one senator of seats 0 and 2 and two of seat 1. To leave it takes two consents.
OPENING = ("+B", "+B", "+B", "+A", "+B", "+C")


class Sale:
    """A table at which seat 0 is to act and can ask for consents."""

    def __init__(self, house: House, match: str, people: list[str], table: Table) -> None:
        self.house, self.match, self.people, self.table = house, match, people, table

    @classmethod
    async def open(cls, house: House, seats: str = "me open open", **settings: Any) -> "Sale":
        people = await house.people(*(f"P{seat}" for seat in range(sum(w in ("me", "open") for w in seats.split()))))
        options = {"start_seat": "0"}
        match = await house.match(people[0], seats, "quovadis", options=options, settings=settings)
        await house.sit(match, *people)
        sale = cls(house, match, people, await house.look(match))
        for move in OPENING:
            await sale.play(move)
        return sale

    def person(self, seat: int) -> str:
        return self.people[seat] if seat < len(self.people) else HOUSE

    @property
    def here(self) -> dict[str, int]:
        assert self.table.match is not None
        return {"epoch": self.table.match.epoch, "plies": len(self.table.match.log)}

    async def play(self, move: str) -> None:
        assert self.table.turn is not None
        here = {"epoch": self.here["epoch"], "ply": self.here["plies"]}
        person = self.person(self.table.turn)
        await self.house.do(schema.Play, self.match, person, seat=self.table.turn, move=move, **here)

    async def do(self, kind: type[schema.Command], seat: int, **more: Any) -> None:
        await self.house.do(kind, self.match, self.person(seat), seat=seat, **more)

    async def ask(self, about: str = "B>I", of: int | None = None, seat: int = 0) -> None:
        await self.do(schema.AskPrices, seat, about=about, of=of, **self.here)

    async def name(self, seat: int, price: int | None, about: str | None = "B>I", stands: bool = False) -> None:
        await self.do(schema.NamePrice, seat, price=price, about=about, stands=stands)

    async def take(self, action: str, *prices: tuple[int, int]) -> None:
        await self.do(schema.TakePrices, 0, action=action, prices=list(prices), **self.here)

    def laurel(self, path: str = "B>I") -> int:
        assert self.table.match is not None
        return int(self.table.match.view(None)["laurels"][path][0])


def test_prices_are_asked_named_and_taken_as_a_set(at_house: Any) -> None:
    async def test(house: House) -> None:
        sale = await Sale.open(house)
        table, worth = sale.table, sale.laurel()
        tab = await house.watch(sale.match, None, None)
        await sale.ask()
        assert tab.last("desk")["asked"] == [{"about": "B>I", "of": [1, 2], "at": house.now}]
        assert table.awaited() == {0, 1, 2}
        await sale.name(1, worth)
        await sale.name(2, None)
        assert table.awaited() == {0}
        await refused("no-price", sale.take("B>I(1,2)", (1, worth)))
        await sale.name(2, 0)
        assert [(one["seat"], one["price"]) for one in tab.last("desk")["prices"]] == [(1, worth), (2, 0)]
        plies = len(table.match.log)
        await sale.take("B>I(1,2)", (1, worth), (2, 0))
        moves = [ply.move for ply in table.match.log[plies:] if ply.seat is not None]
        assert moves == ["B>I(1,2)", f"give 0 1 {worth}", "ask", "yes", "yes"]
        (offer,) = table.offers
        assert (offer.status, sorted(offer.yes), offer.terms) == ("carried-out", [0, 1, 2], moves[:2])
        assert table.turn == 1 or table.match.view(None)["phase"] == "place-caesar"

    at_house(test)


def test_what_cannot_be_paid_or_has_changed_is_refused_to_the_mover_alone(at_house: Any) -> None:
    async def test(house: House) -> None:
        sale = await Sale.open(house)
        table = sale.table
        await sale.name(1, 5)  # nobody had to ask
        await sale.name(2, 4)
        tab = await house.watch(sale.match, sale.people[1], 1)
        number, told = table.number, len(tab.told)
        await refused("cannot-pay", sale.take("B>I(1,2)", (1, 5), (2, 4)))
        await refused("stale", sale.take("B>I(1,2)", (1, 5), (2, 0)))
        await refused("stale", sale.take("B>I(1,1)", (1, 4)))
        await refused("illegal", sale.take("+A", (1, 5)))
        assert (table.number, len(tab.told)) == (number, told)

    at_house(test)


def test_who_may_ask_and_name_prices_and_what_for(at_house: Any) -> None:
    async def test(house: House) -> None:
        sale = await Sale.open(house)
        await refused("not-your-turn", sale.ask(seat=1))
        await refused("illegal", sale.ask("A>E"))
        await refused("illegal", sale.ask("rubbish"))
        await sale.ask(of=2)
        await refused("asked-prices", sale.ask(of=2))
        await sale.ask()
        assert [one.of for one in sale.table.asked] == [[2], [1]], "nobody is asked twice"
        await refused("asked-prices", sale.ask())
        await refused("illegal", sale.name(0, 1))
        await refused("illegal", sale.name(1, 1, "D>G"))
        await refused("illegal", sale.name(1, 1, "B>I", True))
        await refused("nothing-open", sale.name(0, 1, None))
        for price in range(NAMED_A_SEAT):
            await sale.name(1, price % 6)
        await refused("too-many", sale.name(1, 1))
        await sale.name(1, None)  # to withdraw it is always possible
        await refused("no-price", sale.name(1, None))
        late = sale.here
        await sale.play("A>E")
        await refused("stale", sale.do(schema.NamePrice, 2, price=1, **late))
        alea = await house.match(sale.people[0], "me random")
        await house.sit(alea, sale.people[0])
        await refused("no-deals", house.do(schema.NamePrice, alea, sale.people[0], seat=0, price=1))

    at_house(test)


def test_a_standing_price_holds_until_it_is_withdrawn_or_its_player_leaves(at_house: Any) -> None:
    async def test(house: House) -> None:
        sale = await Sale.open(house, "me open open", stand_in="greedy")
        table = sale.table
        await sale.name(1, 3, None, True)
        await sale.name(2, 1, None, True)
        await sale.name(2, 0, None)  # now for this turn only
        await sale.name(0, 4, None, True)  # for the others' turns
        await sale.name(1, 5)
        assert (table.price(1, "B>I"), table.price(1, "B>F"), table.price(2, "B>F")) == (5, 3, 0)
        await sale.ask()
        assert table.awaited() == {0}, "who has a price need not answer"
        await sale.play("A>E")
        assert {key: one.price for key, one in table.prices.items()} == {(1, None): 3, (0, None): 4}
        assert table.asked == []
        stored = table.number
        house.live.rooms.room(sale.match).table = None
        again: Table = await house.look(sale.match)
        assert again is not table and again.number == stored and again.prices == table.prices
        sale.table = again
        await sale.name(0, None, None)
        assert again.price(0, "B>I") is None and again.price(1, "B>I") == 3
        await sale.do(schema.Leave, 1)
        assert again.price(1, "B>I") is None, "a bot names its own"

    at_house(test)


@pytest.mark.parametrize("bot", ["greedy", "eques"])
def test_bots_name_their_prices(at_house: Any, bot: str) -> None:
    async def test(house: House) -> None:
        sale = await Sale.open(house, f"me {bot} {bot}", pace=1, talk=30)
        table = sale.table
        await sale.ask()
        assert table.price(1, "B>I") is None
        await house.wait(sale.match, 3, lambda table: not table.unpriced(table.asked[0]))
        named = {seat: table.prices[seat, "B>I"].price for seat in (1, 2)}
        assert all(price is None or 0 <= price <= 5 for price in named.values())
        assert any(price is not None for price in named.values())

    at_house(test)


def test_q_mov_4_the_mover_chooses_among_those_who_say_yes(at_house: Any) -> None:
    """R8: more are asked than needed; the first yes carries nothing out."""

    async def test(house: House) -> None:
        sale = await Sale.open(house)
        table = sale.table
        tab = await house.watch(sale.match, None, None)
        await sale.do(schema.Offer, 0, terms=["B>I(1,1)"])
        await sale.do(schema.Offer, 0, terms=["B>I(1,2)"])
        plies = len(table.match.log)
        await sale.do(schema.Answer, 1, offer=0, yes=True)
        assert len(table.match.log) == plies
        assert [one["status"] for one in tab.last("desk")["offers"]] == ["open", "open"]
        assert tab.last("desk")["offers"][0]["yes"] == [0, 1]
        await sale.do(schema.Answer, 1, offer=1, yes=True)
        await sale.do(schema.Answer, 2, offer=1, yes=True)
        await refused("answered", sale.do(schema.Answer, 2, offer=1, yes=True))
        house.live.rooms.room(sale.match).table = None  # it is the same when it is read again
        sale.table = table = await house.look(sale.match)
        assert [offer.status for offer in table.offers] == ["open", "open"]
        await sale.do(schema.Answer, 0, offer=1, yes=True)
        assert [offer.status for offer in table.offers] == ["lapsed", "carried-out"]
        assert table.match is not None
        assert table.match.log[plies].move == "B>I(1,2)"

    at_house(test)


def test_q_mov_4_one_offer_alone_or_a_better_one_for_the_same_needs_no_choice(at_house: Any) -> None:
    async def test(house: House) -> None:
        sale = await Sale.open(house)
        await sale.do(schema.Offer, 0, terms=["B>I(1,1)"])
        await sale.do(schema.Offer, 0, terms=["B>I(1,1)", "promise 0 1 support"])
        await sale.do(schema.Answer, 1, offer=1, yes=True)
        assert [offer.status for offer in sale.table.offers] == ["lapsed", "carried-out"]

    at_house(test)


def test_a_yes_that_waits_can_be_taken_back_and_the_offer_withdrawn(at_house: Any) -> None:
    async def test(house: House) -> None:
        sale = await Sale.open(house)
        for terms in (["B>I(1,1)"], ["B>F(1,1)"]):
            await sale.do(schema.Offer, 0, terms=terms)
        for offer in (0, 1):
            await sale.do(schema.Answer, 1, offer=offer, yes=True)
        await sale.do(schema.Answer, 1, offer=0, yes=False)
        await sale.do(schema.Withdraw, 0, offer=1)
        assert [offer.status for offer in sale.table.offers] == ["refused", "withdrawn"]

    at_house(test)


def test_entries_of_earlier_versions_are_carried_out_by_the_last_yes() -> None:
    (answered,) = entries.decode(b'[[["answered",1,0,true,null]]]').events
    assert isinstance(answered, entries.Answered) and not answered.waits


def test_a_question_for_a_price_names_no_hand(at_house: Any) -> None:
    """What is seen of prices is the same for everybody."""

    async def test(house: House) -> None:
        sale = await Sale.open(house)
        await sale.ask()
        await sale.name(1, 2)
        assert seen.desk(sale.table).prices == [schema.PriceState(1, 2, "B>I", False)]

    at_house(test)
