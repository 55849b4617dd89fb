"""Who is there, and talk beside the game: presence, nudges, phrases and whispers, on a real server."""

import asyncio
import json
from typing import Any, get_args

from live_house import House, refused
from live_server import Server, Wire, new_database, new_match, person, stored
from rostra.client import Refused, request
from rostra.server import schema
from rostra.words import words


async def a_table(url: str, game: str = "quovadis", **wanted: Any) -> tuple[str, list[str]]:
    """Three people at a table: the match and their tokens."""
    tokens = [await person(url, name) for name in ("Julia", "Marcus", "Claudia")]
    match = await new_match(url, tokens[0], "me open open", game, **wanted)
    for seat, token in enumerate(tokens):
        async with Wire(url, token) as wire:
            name = ("Julia", "Marcus", "Claudia")[seat]
            assert (await wire.do("sit", match, seat=seat, name=name))["type"] == "done"
    return match, tokens


async def present(wire: Wire, wanted: list[str | None]) -> None:
    """Wait until this was sent about who is there."""
    while (await wire.hear("presence"))["seats"] != wanted:
        pass


# Presence.


def test_everybody_at_the_table_sees_who_is_online_away_and_offline(server: Server) -> None:
    alone = server.database.startswith("sqlite:")
    away, offline = ("away", "offline") if alone else ("unknown", "unknown")

    async def story() -> None:
        match, tokens = await a_table(server.url)
        before = (await stored(server.database))[match]
        async with Wire(server.url, tokens[0]) as julia, Wire(server.url) as spectator:
            await julia.say("watch", match=match, seat=0, details=True)
            await present(julia, ["online", offline, offline])
            await spectator.say("watch", match=match, details=True)
            await present(spectator, ["online", offline, offline])
            async with Wire(server.url, tokens[1]) as marcus:
                await marcus.say("watch", match=match, seat=1)
                for one in (julia, spectator):
                    await present(one, ["online", "online", offline])
                async with Wire(server.url, tokens[1]) as second:  # another tab of the same person
                    await second.say("watch", match=match, seat=1)
                    await second.settle()
                    await julia.settle()
                    await marcus.say("away")
                    await marcus.settle()
                    assert not [one for one in await julia.settle() if one["type"] == "presence"]
                    await second.say("away", on=True)
                    await present(julia, ["online", away, offline])
                    await second.say("away", on=False)
                    await present(julia, ["online", "online", offline])
                await present(julia, ["online", away, offline])  # the tab that looked is closed, the other is away
                await marcus.say("away", on=False)
                await present(julia, ["online", "online", offline])
                assert not [one for one in await marcus.settle() if one["type"] == "presence"], "he did not ask for it"
            async with asyncio.timeout(6):
                for one in (julia, spectator):
                    await present(one, ["online", offline, offline])
        assert (await stored(server.database))[match] == before, "presence is not stored"

    asyncio.run(story())


def test_a_page_that_is_loaded_again_is_not_shown_as_offline(server: Server) -> None:
    async def story() -> None:
        match, tokens = await a_table(server.url, "alea")
        async with Wire(server.url, tokens[0]) as julia:
            async with Wire(server.url, tokens[1]) as marcus:
                await marcus.say("watch", match=match, seat=1, details=True)
                await marcus.hear("presence")
                await julia.say("watch", match=match, seat=0, details=True)
                assert (await julia.hear("presence"))["seats"][:2] == ["online", "online"]
                await julia.settle()
            async with Wire(server.url, tokens[1]) as marcus:
                await marcus.say("watch", match=match, seat=1, details=True)
                assert (await marcus.hear("presence"))["seats"][:2] == ["online", "online"]
                await asyncio.sleep(2.5)
                assert not [one for one in await julia.settle() if one["type"] == "presence"]

    asyncio.run(story())


def test_bots_and_empty_seats_have_no_presence_and_a_new_person_has(server: Server) -> None:
    async def story() -> None:
        ada, berta = await person(server.url), await person(server.url, "Berta")
        match = await new_match(server.url, ada, "me eques open", "quovadis")
        async with Wire(server.url, ada) as first, Wire(server.url, berta) as second:
            await first.do("sit", match, seat=0, name="Ada")
            await first.say("watch", match=match, seat=0, details=True)
            await present(first, ["online", None, None])
            await second.say("watch", match=match)
            await second.do("sit", match, seat=2, name="Berta")
            await present(first, ["online", None, "online"])  # whoever watches and sits down is there
            await second.do("leave", match, seat=2)
            await present(first, ["online", None, None])  # a bot has taken over

    asyncio.run(story())


def test_two_processes_never_report_somebody_as_offline_who_is_at_the_other(postgres: str, tmp_path: Any) -> None:
    database = new_database("postgresql", tmp_path, postgres)
    one, other = Server(database).start(), Server(database).start()

    async def story() -> None:
        match, tokens = await a_table(one.url)
        async with Wire(one.url, tokens[0]) as julia, Wire(other.url, tokens[1]) as marcus:
            await julia.say("watch", match=match, seat=0, details=True)
            await marcus.say("watch", match=match, seat=1, details=True)
            await present(julia, ["online", "unknown", "unknown"])
            await present(marcus, ["unknown", "online", "unknown"])

    try:
        asyncio.run(story())
    finally:
        one.stop()
        other.stop()


# Nudges.


def test_a_nudge_reaches_only_the_awaited_person_once_for_each_decision(at_house: Any) -> None:
    async def story(house: House) -> None:
        people = await house.people("Julia", "Marcus", "Claudia")
        match = await house.match(people[0], "me open open", "quovadis")
        await house.sit(match, *people)
        tabs = [await house.watch(match, who, seat) for seat, who in enumerate(people)]
        tabs.append(await house.watch(match, None, None))
        turn: int = await house.look(match, lambda table: table.turn)
        one, other = (seat for seat in range(3) if seat != turn)

        def nudges(seat: int) -> list[int]:
            return [update["nudge"] for update in tabs[seat].told if "nudge" in update]

        await refused("not-awaited", house.do(schema.Nudge, match, people[one], seat=one, other=other))
        await refused("not-awaited", house.do(schema.Nudge, match, people[turn], seat=turn, other=turn))
        await refused("not-yours", house.do(schema.Nudge, match, people[other], seat=one, other=turn))
        await house.do(schema.Nudge, match, people[one], seat=one, other=turn)
        assert [nudges(seat) for seat in (turn, one, other, 3)] == [[one], [], [], []]
        house.now += 60_000
        await refused("nudged", house.do(schema.Nudge, match, people[one], seat=one, other=turn))
        await house.do(schema.Mute, match, people[turn], seat=turn, other=other)
        await house.do(schema.Nudge, match, people[other], seat=other, other=turn)
        assert nudges(turn) == [one], "who is muted nudges in vain"
        await house.do(schema.Mute, match, people[turn], seat=turn, other=other, on=False)
        await house.play(match)
        after: int = await house.look(match, lambda table: table.turn)
        if after != other:
            await refused("nudged-lately", house.do(schema.Nudge, match, people[other], seat=other, other=after))
            house.now += 20_000
            await house.do(schema.Nudge, match, people[other], seat=other, other=after)
            assert nudges(after)[-1] == other
        again = await house.watch(match, people[turn], turn)
        assert "nudge" not in again.told[0], "a page that is loaded again is not nudged again"

    at_house(story)


def test_a_bot_cannot_be_nudged_and_who_has_to_answer_an_offer_can(at_house: Any) -> None:
    async def story(house: House) -> None:
        people = await house.people("Julia", "Marcus")
        match = await house.match(people[0], "me open eques", "quovadis", settings={"talk": 3600})
        await house.sit(match, *people)
        table = await house.look(match)
        for seat, who in enumerate(people):
            await refused("not-awaited", house.do(schema.Nudge, match, who, seat=seat, other=2))
            awaited = table.turn == 1 - seat
            if not awaited:
                await refused("not-awaited", house.do(schema.Nudge, match, who, seat=seat, other=1 - seat))

    at_house(story)


# Phrases and whispers.


def test_a_phrase_is_stored_by_its_key_and_sent_to_all(server: Server) -> None:
    async def story() -> None:
        match, tokens = await a_table(server.url, "alea")
        async with Wire(server.url, tokens[0]) as julia, Wire(server.url, tokens[1]) as marcus:
            await marcus.say("watch", match=match, seat=1)
            await julia.do("say", match, seat=0, phrase="too-little")
            assert (await julia.do("say", match, seat=0, phrase="nonsense"))["code"] == "bad-message"
            assert (await julia.do("say", match, seat=0))["code"] == "empty"
            lines = [line for update in await marcus.settle() for line in update.get("chat", [])]
            assert [(line["seat"], line["phrase"], line["text"]) for line in lines] == [
                (0, "too-little", "Too little.")
            ]
        event = (await stored(server.database))[match][-1][1].events[0]
        assert (type(event).__name__, getattr(event, "phrase", None)) == ("Said", "too-little")

    asyncio.run(story())


def test_every_phrase_has_words_in_both_languages() -> None:
    for key in get_args(schema.Phrase):
        for language in ("en", "de"):
            assert words(language).say(f"table.phrase_{key.replace('-', '_')}")


SECRET = "the fifth laurel is mine"


def test_nobody_but_the_two_gets_the_words_of_a_whisper(server: Server) -> None:
    async def story() -> None:
        match, tokens = await a_table(server.url, settings={"whisper": True})
        stranger = await person(server.url, "Drusus")
        heard: dict[str, bytes] = {}
        async with (
            Wire(server.url, tokens[0]) as julia, Wire(server.url, tokens[1]) as marcus,
            Wire(server.url, tokens[2]) as claudia, Wire(server.url) as spectator, Wire(server.url, stranger) as drusus,
        ):  # fmt: skip
            await julia.say("watch", match=match, seat=0, details=True)
            await marcus.say("watch", match=match, seat=1, details=True)
            await claudia.say("watch", match=match, seat=2, details=True)
            await spectator.say("watch", match=match, details=True)
            assert (await julia.do("say", match, seat=0, text=SECRET, to=1))["type"] == "done"
            assert (await julia.do("say", match, seat=0, phrase="thank-you", to=1))["type"] == "done"
            assert (await julia.do("say", match, seat=0, text="x", to=0))["code"] == "no-seat"
            assert (await julia.do("say", match, seat=0, text="x", to=4))["code"] == "no-seat"
            await drusus.say("watch", match=match, details=True)
            for name, wire in (("julia", julia), ("marcus", marcus), ("claudia", claudia), ("spectator", spectator),
                               ("drusus", drusus)):  # fmt: skip
                await wire.say("ping")
                await wire.hear("pong")
                heard[name] = b"".join(wire.heard)
            for name in ("julia", "marcus"):
                assert SECRET.encode() in heard[name] and b"thank-you" in heard[name]
            for name in ("claudia", "spectator", "drusus"):
                assert b'"to":1' in heard[name], "others see that somebody whispers"
                assert SECRET.encode() not in heard[name] and b"thank-you" not in heard[name]
                assert b"Thank you" not in heard[name]
            # A new holder of the seat does not inherit it.
            key = (await marcus.do("link", match, seat=1))["key"]
            assert (await drusus.do("sit", match, seat=1, name="Drusus", key=key))["type"] == "done"
            drusus.heard.clear()
            await drusus.say("watch", match=match, seat=1, details=True)
            await drusus.say("ping")
            await drusus.hear("pong")
            assert SECRET.encode() not in b"".join(drusus.heard)
        # Everything that can be fetched, by everybody but Julia, also after a restart.
        server.stop()
        server.start()
        for token in (tokens[1], tokens[2], stranger, None):
            for path in ("", "?seat=2", "?seat=1", "/transcript", "/transcript?seat=2", "/plies/0", "/plies/0?seat=2"):
                try:
                    found = await request(server.url, "GET", f"/api/matches/{match}{path}", None, token)
                except Refused:
                    continue
                assert SECRET not in json.dumps(found), path
        mine = await request(server.url, "GET", f"/api/matches/{match}?seat=0", None, tokens[0])
        assert SECRET in json.dumps(mine)

    asyncio.run(story())


def test_whispers_need_the_option_of_the_match_and_a_person_who_reads(server: Server) -> None:
    async def story() -> None:
        match, tokens = await a_table(server.url)
        async with Wire(server.url, tokens[0]) as julia:
            assert (await julia.do("say", match, seat=0, text="psst", to=1))["code"] == "no-whisper"
            bots = await new_match(server.url, tokens[0], "me eques", "alea", settings={"whisper": True})
            await julia.do("sit", bots, seat=0, name="Julia")
            assert (await julia.do("say", bots, seat=0, text="psst", to=1))["code"] == "no-person"

    asyncio.run(story())
