"""Nobody acts for another: a test for each check, against a real server wherever it matters.

The token is the only proof of identity. Origins, rates and headers are extra checks; none of them replaces the check of
the seat, which every command passes.
"""

import base64
import contextlib
import json
import random
import sqlite3
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import httpx
import pytest

from live_server import Server, Wire, a_move, new_match, person
from rostra.bots.preparing import Preparing
from rostra.client import request
from rostra.server import entries, schema
from rostra.server.app import make_app
from rostra.server.decisions import decide, digest
from rostra.server.routes import ENDPOINTS
from rostra.server.settings import Settings
from rostra.server.store import MatchRow, open_store
from rostra.server.table import Refusal, Table
from strangers import COMMANDS, act, bare, refusal, two_play, within

# Tokens.


def test_tokens_and_keys_cannot_be_guessed_and_only_hashes_are_stored(house: Server) -> None:
    async def work() -> None:
        tokens = []
        for _ in range(60):
            random.seed(1)  # whatever they are made of, it is not this
            tokens.append(await person(house.url))
        match, _, bo = await two_play(house.url)
        keys = [(await act(house.url, bo, "link", match, seat=1))["key"] for _ in range(20)]
        for secrets_, size in ((tokens, 32), (keys, 24)):
            raw = [base64.urlsafe_b64decode(one + "=" * (-len(one) % 4)) for one in secrets_]
            assert {len(one) for one in raw} == {size}
            assert len({one[:4] for one in raw}) == len({one[-4:] for one in raw}) == len(raw)  # no clock, no counter
            ones = sum(bin(int.from_bytes(one)).count("1") for one in raw) / (8 * size * len(raw))
            assert 0.46 < ones < 0.54
        with contextlib.closing(sqlite3.connect(house.database.removeprefix("sqlite:"))) as db:
            dump = "\n".join(db.iterdump())
        assert all(digest(token) in dump and token not in dump for token in tokens)
        assert digest(keys[-1]) in dump and not any(key in dump for key in keys)

    within(60, work())


def test_two_runs_of_the_same_seeded_program_make_other_tokens(tmp_path: Path) -> None:
    """The source is the system's, not a generator that could be seeded."""

    async def work() -> None:
        store = await open_store(f"sqlite:{tmp_path}/x.db")
        app = make_app(Settings(), store, Preparing([]))
        made = []
        for _ in range(2):
            random.seed(7)
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
                made.append((await client.post("/api/people", json={"name": "A"})).json())
        assert made[0]["token"] != made[1]["token"] and made[0]["person"] != made[1]["person"]
        await store.close()

    within(30, work())


def test_a_wrong_token_is_nobody(house: Server) -> None:
    async def work() -> None:
        token = await person(house.url)
        for wrong in (token[:-1], token + "x", token.swapcase(), digest(token), "x", "' OR 1=1 --"):
            assert await refusal(request(house.url, "GET", "/api/me", token=wrong)) == "unknown"
        for header in ("Basic abc", "Bearer", "bearer  ", "Token " + token):
            head = f"GET /api/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: {header}\r\n\r\n"
            assert bare(house, head)[0] == 401
        async with Wire(house.url) as wire:
            await wire.say("hello", token="x" * 43)
            assert (await wire.hear())["code"] == "unknown"

    within(60, work())


# Seats.


def commands_for(seat: int, play: dict[str, Any], match: str) -> dict[str, dict[str, Any]]:
    """A command of every kind that this seat's holder (who made the match) could send now."""
    here = {"seat": seat, "epoch": play["epoch"], "ply": play["ply"]}
    found: dict[str, dict[str, Any]] = {
        "sit": {"seat": seat, "name": "Eve"},
        "leave": {"seat": seat},
        "rename": {"seat": seat, "name": "Eve"},
        "play": {**here, "move": (play["legal"] or ["+B"])[0]},
        "confirm": here,
        "take-back": here,
        "offer": {"seat": seat, "terms": ["+B"]},
        "answer": {"seat": seat, "offer": 0, "yes": True},
        "withdraw": {"seat": seat, "offer": 0},
        "judge": {"seat": seat, "promise": 0, "kept": True},
        "drafting": {"seat": seat},
        "ask-prices": {"seat": seat, "about": "B>I"},
        "name-price": {"seat": seat, "price": 1},
        "take-prices": {"seat": seat, "action": "+B", "prices": [[1, 1]]},
        "ready": {"seat": seat},
        "ask-undo": {"seat": seat, "ply": play["ply"] - 1},
        "answer-undo": {"seat": seat, "yes": True},
        "resign": {"seat": seat},
        "say": {"seat": seat, "text": "I am the one"},
        "nudge": {"seat": seat, "other": 1 - seat},
        "mute": {"seat": seat, "other": 1 - seat},
        "replace": {"seat": seat, "bot": "greedy"},
        "link": {"seat": seat},
        "answer-seat": {"seat": seat, "yes": True},
        "close": {},
    }
    assert set(found) == set(COMMANDS)  # a new kind of command must be tried here, too
    return found


REFUSED_TO_OTHERS = {"sit": "taken", "close": "not-creator"}
ABOUT_SEATS = ("replace", "link")
"""What others may do for a seat, but not while its person thinks."""


@pytest.mark.parametrize(("game", "seats"), [("alea", "me open"), ("quovadis", "me open greedy")])
def test_every_command_is_refused_to_who_does_not_hold_the_seat(house: Server, game: str, seats: str) -> None:
    async def work() -> None:
        url = house.url
        settings = {"confirm": None, "talk": 3600, "pace": 60}
        match, ada, bo = await two_play(url, game, seats, settings=settings, options={"start_seat": "0"})
        eve = await person(url, "Eve")
        address = f"/api/matches/{match}?seat=0"
        play = (await request(url, "GET", address, token=ada))["play"]
        assert play["turn"] == 0
        await act(url, ada, "play", match, seat=0, epoch=0, ply=play["ply"], move=play["legal"][0])
        before = await request(url, "GET", address, token=ada)
        tried = 0
        async with Wire(url, bo) as wire_bo, Wire(url, eve) as wire_eve, Wire(url) as nobody:
            await nobody.say("watch", match=match, seat=None)
            for kind, fields in commands_for(0, play, match).items():
                for token, wire in ((bo, wire_bo), (eve, wire_eve), (None, nobody)):
                    right = "unknown" if token is None else REFUSED_TO_OTHERS.get(kind, "not-yours")
                    if token is not None and kind in ABOUT_SEATS:
                        right = "patience" if token == bo else "not-seated"
                    answer = await wire.do(kind, match, **fields)
                    assert (answer["type"], answer.get("code")) == ("refused", right), (kind, token)
                    assert await refusal(act(url, token, kind, match, **fields)) == right, (kind, token)
                    tried += 1
        assert tried == 3 * len(COMMANDS)
        assert await request(url, "GET", address, token=ada) == before  # nothing has changed

    within(120, work())


def test_another_seat_cannot_be_watched(house: Server) -> None:
    async def work() -> None:
        url = house.url
        match, ada, bo = await two_play(url)
        eve = await person(url, "Eve")
        looks = [one for one in ENDPOINTS if "{match}" in one.path and one.method == "GET"]
        with_seat = [one for one in looks if one.gives not in (schema.Review, schema.SittingPeople)]  # the same for all
        with_seat = [one for one in with_seat if not one.path.endswith("/log")]  # as for spectators
        assert sum("seat" in one.query for one in with_seat) == len(with_seat) == 6
        for token, seat in ((bo, 0), (ada, 1), (eve, 0), (eve, 1), (None, 0), (ada, 2), (ada, 4)):
            for endpoint in with_seat:
                path = endpoint.path.replace("{match}", match).replace("{ply}", "0") + f"?seat={seat}"
                right = "unknown" if token is None and endpoint.token == "yes" else "not-yours"
                assert await refusal(request(url, "GET", path, token=token)) == right, (path, token)
            draft = f"/api/matches/{match}/draft?seat={seat}"
            assert await refusal(request(url, "POST", draft, {"terms": ["+B"]}, token)) == "not-yours"
            async with Wire(url, token) as wire:
                await wire.say("watch", match=match, seat=seat)
                assert (await wire.hear())["code"] == "not-yours"
                await act(url, ada, "say", match, seat=0, text="hello")
                assert [one["type"] for one in await wire.settle()][-1] == "pong"
                assert not any(one["type"] == "update" for one in await wire.settle())  # not even what comes after
        for text in ("-1", "5", "00", "0x0", "1e0", "９", "null", "None", "0 or 1"):
            path = f"/api/matches/{match}?seat={httpx.QueryParams({'': text})}".replace("=&", "").replace(
                "seat==", "seat="
            )
            assert await refusal(request(url, "GET", path, token=ada)) in ("no-seat", "not-yours")

    within(90, work())


def test_who_one_is_cannot_change_while_one_watches(house: Server) -> None:
    async def work() -> None:
        match, ada, bo = await two_play(house.url)
        async with Wire(house.url, ada) as wire:
            await wire.say("watch", match=match, seat=0)
            await wire.hear("update")
            await wire.say("hello", token=bo)
            assert (await wire.hear())["code"] == "late"
            await wire.say("hello", token=None)
            assert (await wire.hear())["code"] == "late"
            await wire.say("watch", match=match, seat=1)
            assert (await wire.hear())["code"] == "not-yours"

    within(60, work())


def test_a_link_opens_its_seat_once_and_no_other(house: Server) -> None:
    async def work() -> None:
        url = house.url
        match, ada, bo = await two_play(url)
        eve, mal = await person(url, "Eve"), await person(url, "Mal")
        assert await refusal(act(url, ada, "link", match, seat=1)) == "patience"  # not even the creator
        old = (await act(url, bo, "link", match, seat=1))["key"]
        key = (await act(url, bo, "link", match, seat=1))["key"]

        def sit(token: str | None, key: str, seat: int = 1) -> Awaitable[Any]:
            return act(url, token, "sit", match, seat=seat, name="X", key=key)

        assert await refusal(sit(eve, old)) == "bad-key"  # renewed
        assert await refusal(sit(eve, key, seat=0)) == "bad-key"
        assert await refusal(sit(eve, digest(key))) == "bad-key"
        assert await refusal(sit(None, key)) == "unknown"
        await act(url, bo, "mute", match, seat=1, other=0)
        async with Wire(url, bo) as wire:
            await wire.say("watch", match=match, seat=1)
            await wire.hear("update")
            await sit(eve, key)
            told = await wire.hear("update")
            assert told["seat"] is None and told["play"]["view"]["own"] is None  # now only a watcher
            assert told["about"]["mine"] == []
            await act(url, ada, "say", match, seat=0, text="welcome")
            assert (await wire.hear("update"))["seat"] is None
            await wire.say("unwatch", match=match, seat=1)
            await wire.settle()
            await act(url, ada, "say", match, seat=0, text="and farewell")
            assert [one["type"] for one in await wire.settle()] == ["pong"]  # nothing more, not even as a watcher
        about = (await request(url, "GET", f"/api/matches/{match}?seat=1", token=eve))["about"]
        assert about["mine"] == [1] and about["muted"] == []  # whom Bo muted is his own business
        for who in (mal, bo, eve):
            assert await refusal(sit(who, key)) == "bad-key"  # used
        assert await refusal(act(url, bo, "say", match, seat=1, text="me?")) == "not-yours"
        assert await refusal(request(url, "GET", f"/api/matches/{match}?seat=1", token=bo)) == "not-yours"
        again = {"type": "link", "id": "same", "match": match, "seat": 1}
        path = f"/api/matches/{match}/commands"
        assert "key" in await request(url, "POST", path, again, eve)
        assert "key" not in await request(url, "POST", path, again, eve)  # a repeat makes no second one
        key = (await act(url, eve, "link", match, seat=1))["key"]
        await act(url, bo, "sit", match, seat=1, name="Bo", key=key)  # and back, on another device
        assert await refusal(act(url, eve, "say", match, seat=1, text="me?")) == "not-yours"

    within(60, work())


def test_the_seat_of_a_bot_is_nobodys(house: Server) -> None:
    async def work() -> None:
        url = house.url
        ada = await person(url)
        match = await new_match(url, ada, "me greedy", settings={"pace": 60}, options={"start_seat": "1"})
        await act(url, ada, "sit", match, seat=0, name="Ada")
        play = (await request(url, "GET", f"/api/matches/{match}"))["play"]
        assert play["turn"] == 1
        tried = commands_for(1, {**play, "legal": ["L1"]}, match)
        for kind in ("replace", "link", "close"):  # these are for those who play, and alone she may
            del tried[kind]
        for kind, fields in tried.items():
            code = await refusal(act(url, ada, kind, match, **fields))
            assert code == ("taken" if kind == "sit" else "not-yours"), kind
        assert await refusal(request(url, "GET", f"/api/matches/{match}?seat=1", token=ada)) == "not-yours"
        house_ = await person(url, "house")
        assert await refusal(act(url, house_, "resign", match, seat=1)) == "not-yours"

    within(60, work())


def test_a_second_device_with_the_token_sees_and_does_the_same(house: Server) -> None:
    async def work() -> None:
        match, ada, _ = await two_play(house.url, options={"start_seat": "0"})
        async with Wire(house.url, ada) as one, Wire(house.url, ada) as two:
            for wire in (one, two):
                await wire.say("watch", match=match, seat=0)
            first, second = await one.settle(), await two.settle()
            assert first == second
            play = first[1]["play"]
            move = a_move(play)
            done = await two.do("play", match, seat=0, epoch=play["epoch"], ply=play["ply"], move=move)
            assert done["type"] == "done"
            first, second = await one.settle(), await two.settle()
            assert [x for x in first if x["type"] == "update"] == [x for x in second if x["type"] == "update"]
            again = await one.do("play", match, seat=0, epoch=play["epoch"], ply=play["ply"], move=move)
            assert again["code"] == "stale"

    within(60, work())


# Rules of the house that could be abused.


def table_of(seats: int, patience: float = 60) -> Table:
    """A table where `p0` made the match and `p0`, `p1`, ... sit, at time 0; seat 0 begins."""
    plan = schema.NewMatch(
        "alea",
        [schema.SeatPlan("open")] * seats,
        {"start_seat": "0"},
        schema.Settings(patience=patience),
    )
    body = schema.encode(plan).decode()
    table = Table(MatchRow("a" * 20, "alea", 1, body, "00" * 32, "p0", 0, "waiting", 0, 0, None))
    sat: list[entries.AnyEvent] = [entries.Sat(seat, f"P{seat}", f"p{seat}") for seat in range(seats)]
    table.apply(entries.Entry(1, 0, entries.Body([*sat, entries.Started([])])), fresh=True)
    return table


def code_of(table: Table, command: Any, who: str | None, now: int) -> str:
    with pytest.raises(Refusal) as caught:
        decide(table, command, who, now, "key")
    return caught.value.code


def test_only_who_keeps_all_waiting_is_replaced() -> None:
    table = table_of(2, 180)
    replace = schema.Replace("x", table.id, 0, "greedy")
    assert table.turn == 0
    assert code_of(table, replace, "p1", 179_999) == "patience"
    assert code_of(table, replace, "p0", 10**9) == "not-awaited"
    assert code_of(table, replace, "p5", 10**9) == "not-seated"
    assert code_of(table, schema.Replace("x", table.id, 1, "greedy"), "p0", 10**9) == "patience"  # not its turn
    assert code_of(table, schema.Replace("x", table.id, 0, "nobody"), "p1", 180_000) == "no-bot"
    events = decide(table, replace, "p1", 180_000)
    assert [type(event) for event in events] == [entries.Sat]
    assert table.match is not None
    move = next(text for text in table.match.legal() if not text.startswith("R"))
    table.apply(entries.Entry(2, 50_000, entries.Body([entries.Played(0, [move])])), fresh=True)
    assert table.turn == 1
    late = schema.Replace("x", table.id, 1, "greedy")
    assert code_of(table, late, "p0", 229_999) == "patience"  # each one's time begins with its turn
    decide(table, late, "p0", 230_000)


def test_a_match_of_an_old_version_with_less_patience_keeps_the_minimum() -> None:
    table = table_of(2, patience=10)
    replace = schema.Replace("x", table.id, 0, "greedy")
    assert code_of(table, replace, "p1", 119_999) == "patience"
    decide(table, replace, "p1", 120_000)


def test_nobody_ends_a_match_that_others_play() -> None:
    table = table_of(3)
    assert code_of(table, schema.Close("x", table.id), "p0", 0) == "others-play"
    assert code_of(table, schema.Close("x", table.id), "p1", 0) == "not-creator"
    resigned = decide(table, schema.Resign("x", table.id, 1), "p1", 0)
    assert [type(event) for event in resigned] == [entries.Resigned, entries.Sat]  # a bot plays on
    left = decide(table, schema.Leave("x", table.id, 0), "p0", 0)
    assert [type(event) for event in left] == [entries.Sat]
    undo = decide(table, schema.AskUndo("x", table.id, 0, 0), "p0", 0)
    assert [type(event) for event in undo] == [entries.AskedUndo]  # the others are asked
    table.apply(entries.Entry(2, 0, entries.Body(undo)), fresh=True)
    again = decide(table, schema.AnswerUndo("x", table.id, 0, True), "p0", 0)
    assert [type(event) for event in again] == [entries.AnsweredUndo]  # saying yes twice is not everybody


def test_a_muted_seat_is_not_heard(house: Server) -> None:
    async def work() -> None:
        url = house.url
        match, ada, bo = await two_play(url)
        async with Wire(url, ada) as wire:
            await wire.say("watch", match=match, seat=0)
            await wire.do("mute", match, seat=0, other=1)
            await act(url, bo, "say", match, seat=1, text="PEST one")
            await act(url, bo, "rename", match, seat=1, name="Bo")
            await wire.say("unwatch", match=match, seat=0)
            await wire.say("watch", match=match, seat=0)
            told = await wire.settle()
            assert told[-2]["about"]["muted"] == [1]
        seen = await request(url, "GET", f"/api/matches/{match}?seat=0", token=ada)
        assert "PEST" not in json.dumps([told, seen])
        other = await request(url, "GET", f"/api/matches/{match}?seat=1", token=bo)
        assert "PEST" in json.dumps(other) and other["about"]["muted"] == []  # who is muted is not told
        await act(url, ada, "mute", match, seat=0, other=1, on=False)
        await act(url, bo, "say", match, seat=1, text="good day")
        assert "good day" in json.dumps(await request(url, "GET", f"/api/matches/{match}?seat=0", token=ada))

    within(60, work())
