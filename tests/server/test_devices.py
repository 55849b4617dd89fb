"""Tokens and codes (S15): several devices, listed, renewed and revoked by their owner; links that work once."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
import websockets

from live_server import Server, Wire, new_database
from rostra.server.devices import DEVICES, OPEN, TRIES, Devices
from rostra.server.people import People
from rostra.server.store import Store, open_store
from rostra.server.table import Refusal

MINUTE = 60_000


class Clock:
    now = 10**12

    def __call__(self) -> int:
        self.now += 1
        return self.now


Test = Callable[[People, Clock], Awaitable[None]]


def run(database: str, test: Test) -> None:
    async def inside() -> None:
        store = await open_store(database)
        clock = Clock()
        try:
            await test(People(store, clock), clock)
        finally:
            await store.close()

    asyncio.run(inside())


async def refused(code: str, work: Awaitable[Any]) -> None:
    with pytest.raises(Refusal) as caught:
        await work
    assert caught.value.code == code


def test_a_code_signs_another_device_in_once(database: str) -> None:
    async def test(people: People, clock: Clock) -> None:
        ada = await people.add("Ada", "laptop")
        code = (await people.devices.code(ada.person, "code")).code
        other = await people.devices.sign_in(code.lower().replace("-", " "), " my\u202e phone ")
        assert (other.person, other.name) == (ada.person, "Ada") and other.token != ada.token
        assert (await people.find(other.token)) == (await people.find(ada.token))
        await refused("bad-code", people.devices.sign_in(code, ""))
        listed = (await people.devices.all(ada.person, "")).devices
        assert [one.label for one in listed] == ["laptop", "my phone"]
        link = (await people.devices.code(ada.person, "link")).code
        clock.now += 364 * 24 * 60 * MINUTE
        third = await people.devices.sign_in(link, "")
        assert third.person == ada.person
        await refused("bad-code", people.devices.sign_in(link, ""))

    run(database, test)


def test_codes_end_by_time_by_tries_and_by_a_new_one(database: str) -> None:
    async def test(people: People, clock: Clock) -> None:
        ada = await people.add("Ada")
        old = (await people.devices.code(ada.person, "code")).code
        code = (await people.devices.code(ada.person, "code")).code
        await refused("bad-code", people.devices.sign_in(old, ""))  # a newer one voids it
        clock.now += 10 * MINUTE
        await refused("bad-code", people.devices.sign_in(code, ""))  # too late
        code = (await people.devices.code(ada.person, "code")).code
        wrong = code[:5] + "".join("2" if one != "2" else "3" for one in code[5:])
        for _ in range(TRIES - 1):
            await refused("bad-code", people.devices.sign_in(wrong, ""))
        assert (await people.devices.all(ada.person, "")).links
        await refused("bad-code", people.devices.sign_in(wrong, ""))
        await refused("bad-code", people.devices.sign_in(code, ""))  # even the right one, after so many wrong ones
        assert not (await people.devices.all(ada.person, "")).links
        for nonsense in ("", "-", "ABCD", "ABCD-EFGH", "x" * 80, "\0", "' OR 1=1 --", "ABCDEFGH-é"):
            await refused("bad-code", people.devices.sign_in(nonsense, ""))
        for _ in range(OPEN - 1):
            await people.devices.code(ada.person, "link")
        await refused("too-many", people.devices.code(ada.person, "link"))
        friend = (await people.devices.all(ada.person, "")).links[0]
        await people.devices.revoke(ada.person, friend.link)
        code = (await people.devices.code(ada.person, "friend")).code
        await refused("bad-code", people.devices.sign_in(code, ""))  # a friend is not oneself

    run(database, test)


def test_one_code_serves_one_of_many_who_use_it_at_once(database: str) -> None:
    async def test(people: People, clock: Clock) -> None:
        ada = await people.add("Ada")
        link = (await people.devices.code(ada.person, "link")).code
        answers = await asyncio.gather(
            *(people.devices.sign_in(link, str(n)) for n in range(8)), return_exceptions=True
        )  # fmt: skip
        assert sum(isinstance(one, Refusal) for one in answers) == 7
        assert len((await people.devices.all(ada.person, "")).devices) == 2

    run(database, test)


def test_a_token_is_renewed_revoked_and_named_only_by_its_owner(database: str) -> None:
    async def test(people: People, clock: Clock) -> None:
        ada, bo = await people.add("Ada", "laptop"), await people.add("Bo")
        ended: list[str] = []
        people.attend(ada.token, lambda: ended.append("ada"))
        phone = await people.devices.sign_in((await people.devices.code(ada.person, "link")).code, "phone")
        people.attend(phone.token, lambda: ended.append("phone"))
        _, second = (await people.devices.all(ada.person, "")).devices
        for work in (
            people.devices.revoke(bo.person, second.device),
            people.devices.revoke(ada.person, "0" * 12),
            people.devices.revoke(ada.person, "\0"),
        ):
            await refused("no-device", work)
        await refused("no-device", people.devices.name(bo.person, second.device, "mine"))
        await people.devices.name(ada.person, second.device, "old phone")
        assert (await people.devices.all(ada.person, "")).devices[1].label == "old phone"
        assert ended == []
        await people.devices.revoke(ada.person, second.device)
        assert ended == ["phone"] and await people.find(phone.token) is None
        person = await people.find(ada.token)
        assert person is not None
        first = (await people.devices.all(ada.person, "")).devices[0]
        from rostra.server.decisions import digest

        new = await people.devices.renew(person, digest(ada.token))
        assert ended == ["phone", "ada"]
        assert await people.find(ada.token) is None and await people.find(new.token) == person
        (now,) = (await people.devices.all(ada.person, digest(new.token))).devices
        assert (now.label, now.created, now.this) == ("laptop", first.created, True)
        await refused("unknown", people.devices.renew(person, digest(ada.token)))

    run(database, test)


def test_use_is_noted_and_the_device_used_longest_ago_goes(database: str) -> None:
    async def test(people: People, clock: Clock) -> None:
        ada = await people.add("Ada")
        tokens = [ada.token]
        for _ in range(DEVICES - 1):
            clock.now += 1000
            code = (await people.devices.code(ada.person, "code")).code
            tokens.append((await people.devices.sign_in(code, "")).token)
        clock.now += 2 * 3600 * 1000
        people.forget(ada.person)
        await people.find(ada.token)  # the first one is in use
        code = (await people.devices.code(ada.person, "code")).code
        await people.devices.sign_in(code, "")
        assert await people.find(tokens[0]) is not None and await people.find(tokens[1]) is None
        assert max(one.used for one in (await people.devices.all(ada.person, "")).devices) > clock.now - 1000

    run(database, test)


def test_another_process_notices_that_a_token_was_revoked(postgres: str, tmp_path: Any) -> None:
    database = new_database("postgresql", tmp_path, postgres)

    async def test(people: People, clock: Clock) -> None:
        store: Store = await open_store(database)
        other = People(store, clock)
        ended: list[str] = []
        ada = await people.add("Ada")
        other.attend(ada.token, lambda: ended.append("ada"))
        assert await other.find(ada.token) is not None
        (device,) = (await people.devices.all(ada.person, "")).devices
        await people.devices.revoke(ada.person, device.device)
        clock.now += 5_000
        await other.recheck()
        assert ended == ["ada"] and await other.find(ada.token) is None
        await store.close()

    run(database, test)


def test_people_of_a_server_of_an_earlier_version_are_known(database: str) -> None:
    """While a server is replaced by a new one, both run."""

    async def test(people: People, clock: Clock) -> None:
        from rostra.server.decisions import digest

        store = people._store
        await store.add_person("old", digest("its token"), "Old", clock.now)
        person = await people.find("its token")
        assert person is not None and person.name == "Old"
        (device,) = (await people.devices.all("old", digest("its token"))).devices
        assert device.this
        assert isinstance(people.devices, Devices)
        await people.devices.revoke("old", device.device)
        assert await people.find("its token") is None
        assert await store.person_of(digest("its token")) is None  # nor does the old server know it

    run(database, test)


def test_over_http_a_revoked_device_is_out_at_once(house: Server) -> None:
    url = house.url
    made = httpx.post(url + "/api/people", json={"name": "Ada", "label": "laptop"}).json()
    mine = {"authorization": f"Bearer {made['token']}"}
    code = httpx.post(url + "/api/me/codes", json={"kind": "code"}, headers=mine).json()["code"]
    phone = httpx.post(url + "/api/sign-in", json={"code": code, "label": "phone"}).json()
    its = {"authorization": f"Bearer {phone['token']}"}
    assert httpx.get(url + "/api/me", headers=its).json() == {"person": made["person"], "name": "Ada"}
    devices = httpx.get(url + "/api/me/devices", headers=its).json()["devices"]
    assert [(one["label"], one["this"]) for one in devices] == [("laptop", False), ("phone", True)]

    async def work() -> None:
        async with Wire(url, phone["token"]) as wire, Wire(url, made["token"]) as other:
            path = url + f"/api/me/devices/{devices[1]['device']}"
            async with httpx.AsyncClient() as client:
                left = (await client.request("DELETE", path, headers=mine)).json()
            assert [one["label"] for one in left["devices"]] == ["laptop"]
            with pytest.raises(websockets.ConnectionClosed):
                await wire.hear("nothing")
            await other.say("ping")
            await other.hear("pong")

    asyncio.run(work())
    assert httpx.get(url + "/api/me", headers=its).status_code == 401
    again = httpx.post(url + "/api/sign-in", json={"code": code})
    assert (again.status_code, again.json()["code"]) == (404, "bad-code")
