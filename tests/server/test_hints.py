"""Hints in live matches and reviews after them: who gets them, when they are refused, what they must not reveal."""

import asyncio
import random
import secrets
from collections.abc import Awaitable, Callable

import msgspec
import pytest

from alea_worlds import Story, other_world, play_from
from live_house import House, refused
from live_server import Server, new_match, person
from rostra.bots import LEVELS
from rostra.client import Refused, request
from rostra.games.alea import ALEA
from rostra.play.match import Match
from rostra.server import schema
from rostra.server.workers import question, think

AtHouse = Callable[[Callable[[House], Awaitable[None]]], None]


async def ask(house: House, match: str, who: str, seat: int = 0, back: int = 0, epoch: int = 0) -> schema.Hint:
    """Ask for a hint where play is, or a few plies before that."""
    log = (await house.look(match)).match.log
    return await house.live.hint(match, schema.AskHint(seat, epoch, len(log) - back), who)


async def a_match(house: House, seats: str = "me greedy", **settings: object) -> tuple[str, str]:
    (ada,) = await house.people("Ada")
    match = await house.match(ada, seats, options={"start_seat": "0"}, settings=settings)
    await house.sit(match, *[ada] * seats.split().count("me"))
    return match, ada


def test_a_hint_is_legal_and_for_the_own_seat(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        match, ada = await a_match(house)
        table = await house.look(match)
        assert table.settings.hints is True  # one person plays
        found = await ask(house, match, ada)
        assert (found.seat, found.epoch, found.ply) == (0, 0, len(table.match.log))
        assert 1 <= len(found.moves) <= 3 and {one.move for one in found.moves} <= set(table.match.legal())
        assert found.moves[0].loss == 0 and found.chance == found.moves[0].chance
        assert msgspec.json.decode(schema.encode(found), type=schema.Hint) == found
        move = found.moves[0].move
        await house.do(schema.Play, match, ada, seat=0, epoch=0, ply=found.ply, move=move)

    at_house(test)


def test_hints_are_refused_to_whom_they_are_not_for(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        match, ada = await a_match(house)
        (bo,) = await house.people("Bo")
        await refused("not-yours", ask(house, match, bo))
        await refused("not-yours", ask(house, match, ada, seat=1))
        await refused("no-seat", ask(house, match, ada, seat=4))
        await refused("stale", ask(house, match, ada, back=1))
        await refused("stale", ask(house, match, ada, epoch=1))
        await refused("no-match", house.live.hint("a" * 20, schema.AskHint(0, 0, 0), ada))
        both = await house.match(ada, "me me", options={"start_seat": "0"}, settings={"hints": True})
        await refused("waiting", house.live.hint(both, schema.AskHint(0, 0, 0), ada))
        await house.sit(both, ada, ada)
        await refused("not-your-turn", ask(house, both, ada, seat=1))
        await house.do(schema.Resign, both, ada, seat=0)
        await refused("over", ask(house, both, ada))

    at_house(test)


@pytest.mark.parametrize(
    ("seats", "settings", "allowed"),
    [
        ("me greedy", {}, True), ("me open", {}, False), ("me me", {}, False), ("open greedy", {}, True),
        ("me greedy", {"hints": False}, False), ("me open", {"hints": True}, True),
    ],
)  # fmt: skip
def test_where_several_people_play_there_are_hints_only_if_wanted(
    at_house: AtHouse, seats: str, settings: dict[str, bool], allowed: bool
) -> None:
    async def test(house: House) -> None:
        ada, bo = await house.people("Ada", "Bo")
        match = await house.match(ada, seats, options={"start_seat": "0"}, settings=settings)
        await house.sit(match, *[bo if seat == "open" else ada for seat in seats.split() if seat in ("me", "open")])
        table = await house.look(match)
        holder = table.seats[0].person
        assert table.settings.hints is allowed
        if allowed:
            assert (await ask(house, match, holder)).moves
        else:
            await refused("no-hints", ask(house, match, holder))

    at_house(test)


def test_no_net_no_hint_and_no_bot_that_thinks(at_house: AtHouse) -> None:
    """Pig is a game that nobody has learned."""

    async def test(house: House) -> None:
        (ada,) = await house.people("Ada")
        match = await house.match(ada, "me me", "pig", options={"start_seat": "0"}, settings={"hints": True})
        await house.sit(match, ada, ada)
        await refused("no-net", ask(house, match, ada))
        await refused("no-bot", house.match(ada, "me eques", "pig"))
        await house.do(schema.Resign, match, ada, seat=0)
        await refused("no-net", house.live.review(match, "ada"))

    at_house(test)


def test_a_finished_match_is_reviewed_once(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        match, ada = await a_match(house, "me greedy")
        await refused("not-over", house.live.review(match, "ada"))
        await house.play(match, 1)
        await house.do(schema.Resign, match, ada, seat=0)
        one, two = await asyncio.gather(house.live.review(match, "ada"), house.live.review(match, "ada"))
        assert one is two is await house.live.review(match, "ada")  # remembered
        assert one.chart[-1].chances == [0, 1] and len(one.seats) == 2
        table = await house.look(match)
        assert one.chart[0].ply == next(ply.number for ply in table.match.log if ply.seat is not None)
        never = await house.match(ada, "me open")
        await house.do(schema.Close, never, ada)
        await refused("not-over", house.live.review(never, "ada"))

    at_house(test)


def test_a_hid_2_two_worlds_give_the_same_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbelow", lambda below: 12345 % below)
    chooser = random.Random(7)
    compared = differ = 0
    while compared < 12:
        story = Story(2, play_from(2, [], chooser.randrange(60, 400), chooser), None)
        match = Match(ALEA, 2)
        match.replay([step.move for step in story.lines[0]])
        if (seat := match.turn) is None:
            continue
        world = other_world(story, seat, chooser)
        other = Match(ALEA, 2)
        other.replay([step.move for step in world.lines[0]])
        differ += match.state.tobytes() != other.state.tobytes()
        one, two = (think(question("hint", ALEA, "", seat, there.state)) for there in (match, other))
        assert schema.encode(one) == schema.encode(two)
        compared += 1
    assert differ > 3  # the worlds really differ


@pytest.mark.parametrize("level", LEVELS)
def test_all_levels_answer(level: str) -> None:
    match = Match(ALEA, 2, seed=3)
    assert match.turn is not None
    reply = think(question("act", ALEA, level, match.turn, match.state))
    assert reply.move in match.legal()


def test_a_level_plays_at_a_table_and_stands_in(at_house: AtHouse) -> None:
    async def test(house: House) -> None:
        (ada,) = await house.people("Ada")
        match = await house.match(ada, "me civis", options={"start_seat": "1"})
        await house.sit(match, ada)
        await house.wait(match, 1, lambda table: table.turn == 0)
        table = await house.look(match)
        assert any(ply.seat == 1 for ply in table.match.log) and table.settings.stand_in == "eques"

    at_house(test)


# Over HTTP.


def test_games_tell_their_levels_and_hints_go_over_http(house: Server) -> None:
    async def test() -> None:
        games = (await request(house.url, "GET", "/api/games"))["games"]
        alea = next(game for game in games if game["name"] == "alea")
        assert alea["levels"] == ["tiro", "civis", "eques", "senator", "consul"]
        assert alea["bots"] == [*alea["levels"], "random", "greedy", "learned", "learned:quick", "learned:still"]
        ada = await person(house.url)
        match = await new_match(house.url, ada, "me greedy", options={"start_seat": "0"})
        path = f"/api/matches/{match}"
        sit = {"type": "sit", "id": "1", "match": match, "seat": 0, "name": "Ada"}
        await request(house.url, "POST", f"{path}/commands", sit, ada)
        play = (await request(house.url, "GET", f"{path}?seat=0", token=ada))["play"]
        asked = {"seat": 0, "epoch": play["epoch"], "ply": play["ply"]}
        found = await request(house.url, "POST", f"{path}/hint", asked, ada)
        assert {one["move"] for one in found["moves"]} <= set(play["legal"])
        assert set(found["moves"][0]) == {"move", "chance", "loss", "reasons"}
        for token, body, code in ((None, asked, "unknown"), (ada, {"seat": 0}, "bad-body")):
            with pytest.raises(Refused) as refusal:
                await request(house.url, "POST", f"{path}/hint", body, token)
            assert refusal.value.code == code
        with pytest.raises(Refused) as refusal:
            await request(house.url, "GET", f"{path}/review")
        assert refusal.value.code == "not-over"
        resign = {"type": "resign", "id": "2", "match": match, "seat": 0}
        await request(house.url, "POST", f"{path}/commands", resign, ada)
        review = await request(house.url, "GET", f"{path}/review")
        assert msgspec.convert(review, schema.Review).chart[-1].chances == [0, 1]

    asyncio.run(test())
