"""Seats are safe: who may give one away, when, and that everybody sees it."""

from collections.abc import Awaitable, Callable

from live_house import House, refused
from rostra.server import schema, seating, seen
from rostra.server.table import Table

AtHouse = Callable[[Callable[[House], Awaitable[None]]], None]


async def three(house: House, seats: str = "me open open", **settings: object) -> tuple[str, list[str]]:
    people = await house.people("Ada", "Bo", "Cy", "Di")
    match = await house.match(people[0], seats, options={"start_seat": "1"}, settings={"patience": 600, **settings})
    await house.sit(match, *people[: seats.count("open") + 1])
    return match, people


def about(table: Table, person: str | None = None) -> schema.About:
    return seen.about(table, None, person)


async def bring_bot(house: House, match: str, by: str, seat: int = 1) -> None:
    await house.do(schema.Replace, match, by, seat=seat, bot="random")


def test_nobody_gets_a_key_for_the_seat_of_a_present_person(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        match, (ada, bo, cy, di) = await three(house)
        await refused("patience", house.do(schema.Link, match, ada, seat=1))  # the creator
        await refused("patience", house.do(schema.Link, match, cy, seat=1))
        await refused("not-seated", house.do(schema.Link, match, di, seat=1))
        waiting = await house.match(ada, "me open open")
        await house.do(schema.Sit, waiting, bo, seat=1, name="Bo")
        await refused("taken", house.do(schema.Link, waiting, ada, seat=1))
        await refused("taken", house.do(schema.Replace, waiting, ada, seat=1, bot="random"))
        key = (await house.do(schema.Link, waiting, ada, seat=2)).key  # a free seat is the creator's to give
        await house.do(schema.Sit, waiting, cy, seat=2, name="Cy", key=key)
        key = (await house.do(schema.Link, match, bo, seat=1)).key
        await house.do(schema.Sit, match, di, seat=1, name="Di", key=key)
        (told,) = about(await house.look(match)).handed
        assert (told.seat, told.before, told.after, told.by, told.how) == (1, "P1", "Di", 1, "link")

    at_house(test)


def test_a_thinking_opponent_is_not_replaced(at_house: AtHouse) -> None:
    """S4: neither the creator nor a match that was made with no patience can do it."""

    async def test(house: House) -> None:
        ada, bo = await house.people("Ada", "Bo")
        await refused("bad-option", house.match(ada, "me open", settings={"patience": 10}))
        match = await house.match(ada, "me open", options={"start_seat": "1"}, settings={"patience": seating.PATIENCE})
        await house.sit(match, ada, bo)
        house.now += int(seating.PATIENCE * 1000) - 1
        await refused("patience", bring_bot(house, match, ada))
        await refused("not-awaited", house.do(schema.Replace, match, bo, seat=1, bot="random"))
        await refused("not-awaited", house.do(schema.Replace, match, ada, seat=0, bot="random"))
        await refused("patience", house.do(schema.Replace, match, bo, seat=0, bot="random"))  # it is not its turn
        house.now += 1
        await bring_bot(house, match, ada)
        (told,) = about(await house.look(match)).handed
        assert (told.seat, told.bot, told.by, told.how) == (1, "random", 0, "patience")

    at_house(test)


def test_everybody_who_plays_may_act_on_an_absent_creator(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        ada, bo = await house.people("Ada", "Bo")
        match = await house.match(ada, "me open", options={"start_seat": "0"}, settings={"patience": 600})
        await house.sit(match, ada, bo)
        house.now += 600_000
        await bring_bot(house, match, bo, seat=0)
        assert (await house.look(match)).seats[0].bot == "random"
        await house.do(schema.Sit, match, ada, seat=0, name="Ada")  # and comes back
        assert [one.how for one in about(await house.look(match)).handed] == ["patience", "returned"]

    at_house(test)


def test_two_others_agree_before_the_time_of_the_match(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        match, (ada, bo, cy, di) = await three(house)
        tab = await house.watch(match, None, None)
        await refused("patience", bring_bot(house, match, cy))
        house.now += 120_000
        await refused("not-seated", bring_bot(house, match, di))
        await bring_bot(house, match, cy)
        ask = tab.last("about")["ask"]
        assert (ask["by"], ask["seat"], ask["bot"], ask["needed"]) == (2, 1, "random", [0])
        await refused("asked", bring_bot(house, match, ada))
        await refused("not-yours", house.do(schema.AnswerSeat, match, di, seat=0, yes=True))
        await refused("not-yours", house.do(schema.AnswerSeat, match, bo, seat=1, yes=True))
        assert (await house.look(match)).seats[1].person == bo
        await house.do(schema.AnswerSeat, match, ada, seat=0, yes=False)
        assert tab.last("about")["ask"] is None
        await refused("nothing-asked", house.do(schema.AnswerSeat, match, ada, seat=0, yes=True))
        await bring_bot(house, match, cy)
        await house.do(schema.AnswerSeat, match, ada, seat=0, yes=True)
        assert (await house.look(match)).seats[1].bot == "random"
        told = tab.last("about")["handed"][-1]
        assert (told["before"], told["by"], told["how"]) == ("P1", 2, "agreed")

    at_house(test)


def test_who_shows_up_ends_the_question(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        match, (ada, bo, cy, _) = await three(house)
        house.now += 120_000
        await bring_bot(house, match, cy)
        await house.play(match)
        assert about(await house.look(match)).ask is None
        await refused("nothing-asked", house.do(schema.AnswerSeat, match, ada, seat=0, yes=True))
        house.now += 120_000
        waiting = (await house.look(match)).turn
        other, third = (one for one in range(3) if one != waiting)
        people = [ada, bo, cy]
        await bring_bot(house, match, people[other], seat=waiting)
        await house.do(schema.AnswerSeat, match, people[waiting], seat=waiting, yes=False)  # it speaks up
        await refused("nothing-asked", house.do(schema.AnswerSeat, match, people[third], seat=third, yes=True))

    at_house(test)


def test_bargaining_is_no_absence(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        people = await house.people("Ada", "Bo", "Cy")
        match = await house.match(people[0], "me open open", "quovadis", settings={"patience": 120})
        await house.sit(match, *people)
        turn = (await house.look(match)).turn
        other = (turn + 1) % 3
        while not (await house.look(match)).can_deal:
            await house.play(match)
        turn = (await house.look(match)).turn
        other = (turn + 1) % 3
        house.now += 100_000
        await house.do(schema.Drafting, match, people[turn], seat=turn)
        house.now += 100_000
        await refused("patience", bring_bot(house, match, people[other], seat=turn))
        await house.do(schema.Say, match, people[turn], seat=turn, text="I think")  # words stall nothing
        house.now += 20_000
        await bring_bot(house, match, people[other], seat=turn)

    at_house(test)


def test_a_clock_is_a_promise(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        match, (ada, bo, cy, _) = await three(house, clock=schema.Clock(86_400), patience=120)
        house.now += 3_600_000
        await refused("patience", bring_bot(house, match, ada))
        await refused("patience", house.do(schema.Link, match, cy, seat=1))
        await house.wait(match, 24 * 3600 - 3600)
        (told,) = about(await house.look(match)).handed
        assert (told.before, told.by, told.how) == ("P1", None, "clock")
        assert about(await house.look(match), bo).back == (1,)
        await house.do(schema.Sit, match, bo, seat=1, name="Bo")
        table = await house.look(match)
        assert table.seats[1].person == bo and about(table, bo).back == ()
        await house.wait(match, 10)  # it has the whole time again, if it is still its turn
        assert (await house.look(match)).seats[1].person == bo

    at_house(test)


def test_the_seat_of_a_bot_goes_to_a_person_by_agreement(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        match, (ada, bo, cy, di) = await three(house, "me open open greedy", pace=60)
        key = (await house.do(schema.Link, match, ada, seat=3)).key
        await refused("bad-key", house.do(schema.Sit, match, di, seat=3, name="Di", key=key))  # not agreed yet
        await house.do(schema.AnswerSeat, match, bo, seat=1, yes=True)
        await refused("bad-key", house.do(schema.Sit, match, di, seat=3, name="Di", key=key))
        await house.do(schema.AnswerSeat, match, cy, seat=2, yes=True)
        await house.do(schema.Sit, match, di, seat=3, name="Di", key=key)
        told = about(await house.look(match)).handed[-1]
        assert (told.seat, told.after, told.by, told.how) == (3, "Di", 0, "link")

    at_house(test)


def test_an_absent_seat_goes_to_a_person_only_when_two_agree(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        match, (ada, bo, cy, di) = await three(house)
        house.now += 599_000
        await refused("patience", house.do(schema.Link, match, ada, seat=1))
        house.now += 1_000
        key = (await house.do(schema.Link, match, ada, seat=1)).key
        await refused("bad-key", house.do(schema.Sit, match, di, seat=1, name="Di", key=key))
        await house.do(schema.AnswerSeat, match, cy, seat=2, yes=True)
        tab = await house.watch(match, bo, 1)
        await house.do(schema.Sit, match, di, seat=1, name="Di", key=key)
        assert tab.told[-1]["seat"] is None
        ada, bo, di = await house.people("Ada", "Bo", "Di")
        match = await house.match(ada, "me open", options={"start_seat": "1"})
        await house.sit(match, ada, bo)
        house.now += 10**9
        await refused("patience", house.do(schema.Link, match, ada, seat=1))  # alone she could hand it to herself

    at_house(test)


def test_nobody_comes_to_a_second_hand(at_house: AtHouse) -> None:
    """Who knows the cards of one seat never gets to see those of another, not even by consent."""

    async def test(house: House) -> None:
        match, (ada, bo, cy, di) = await three(house, "me open open greedy", pace=60)
        key = (await house.do(schema.Link, match, bo, seat=1)).key
        await refused("second-seat", house.do(schema.Sit, match, ada, seat=1, name="Ada", key=key))
        await house.do(schema.Leave, match, cy, seat=2)
        await refused("second-seat", house.do(schema.Sit, match, cy, seat=1, name="Cy", key=key))
        await refused("taken", house.do(schema.Sit, match, cy, seat=2, name="Cy"))  # leaving is for good
        await house.do(schema.Sit, match, di, seat=1, name="Di", key=key)
        key = (await house.do(schema.Link, match, di, seat=1)).key
        await house.do(schema.Sit, match, bo, seat=1, name="Bo", key=key)  # back to the own one
        tab = await house.watch(match, None, None)
        assert [one["how"] for one in tab.last("about")["handed"]] == ["left", "link", "link"]

    at_house(test)


def test_who_resigned_does_not_come_back(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        match, (_, bo, _, _) = await three(house)
        await house.do(schema.Resign, match, bo, seat=1)
        assert about(await house.look(match), bo).back == ()
        assert about(await house.look(match)).handed[-1].how == "resigned"
        await refused("taken", house.do(schema.Sit, match, bo, seat=1, name="Bo"))

    at_house(test)


def test_two_hands_of_one_person_are_seen_and_not_for_strangers(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        ada, bo = await house.people("Ada", "Bo")
        match = await house.match(ada, "me me open open", settings={"listed": True})
        await house.sit(match, ada, ada, bo)
        assert [one.also for one in about(await house.look(match)).seats] == [(1,), (0,), (), ()]
        await refused("second-seat", house.do(schema.Sit, match, bo, seat=3, name="Bo too"))
        friends = await house.match(ada, "me open open")
        await house.sit(friends, ada, bo, bo)  # they share a device
        assert [one.also for one in about(await house.look(friends)).seats] == [(), (2,), (1,)]

    at_house(test)


def test_hand_overs_survive_a_restart(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        match, (ada, bo, cy, _) = await three(house)
        house.now += 120_000
        await bring_bot(house, match, cy)
        room = house.live.rooms.find(match)
        assert room is not None
        before = about(await house.look(match), bo)
        assert before.ask is not None
        room.table = None
        assert about(await house.look(match), bo) == before
        await house.do(schema.AnswerSeat, match, ada, seat=0, yes=True)
        before = about(await house.look(match), bo)
        assert before.back == (1,)
        room.table = None
        assert about(await house.look(match), bo) == before

    at_house(test)
