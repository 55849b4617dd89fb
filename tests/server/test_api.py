"""The HTTP API against its own document: Schemathesis sends what the document allows, and much that it does not.

Every answer must have a status and a shape that the document names, and never be a server error. Random match and seat
numbers hardly ever exist, so most requests are pointed at real ones.
"""

import asyncio
import json
from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

import httpx
import jsonschema_rs
import pytest
import schemathesis
import websockets.sync.client
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from schemathesis import checks

from live_server import Server, Wire, new_database, new_match, person
from rostra.client import request
from rostra.server import documents, schema
from rostra.server.routes import ENDPOINTS

API = schemathesis.openapi.from_dict(documents.openapi())


class Doors(NamedTuple):
    """A server with a few matches: waiting, playing, over, of both games; and who may act there."""

    url: str
    tokens: list[str]
    passing: str
    """The token of somebody who may be erased."""
    matches: list[str]


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    folder = tmp_path_factory.mktemp("api")
    server = Server(new_database("sqlite", folder, ""), log=folder / "server.log").start()
    try:
        yield asyncio.run(furnished(server.url))
        assert "Traceback" not in (folder / "server.log").read_text()
    finally:
        server.kill()


async def furnished(url: str) -> Doors:
    tokens = [await person(url, name) for name in ("Ada", "Bo")]
    matches = []
    for game, seats in (("alea", "me open"), ("quovadis", "me open greedy"), ("alea", "me open"), ("alea", "me open")):
        match = await new_match(url, tokens[0], seats, game, settings={"listed": True, "pace": 60, "confirm": None})
        matches.append(match)
        if len(matches) < 4:
            await act(url, tokens[0], match, type="sit", seat=0, name="Ada")
            await act(url, tokens[1], match, type="sit", seat=1, name="Bo")
    await act(url, tokens[1], matches[2], type="resign", seat=1)
    return Doors(url, tokens, await person(url, "Cy"), matches)


async def act(url: str, token: str, match: str, **command: Any) -> None:
    path = f"/api/matches/{match}/commands"
    await request(url, "POST", path, {"id": json.dumps(command)[:64], "match": match, **command}, token)


def aim(case: Any, doors: Doors, token: str | None, data: Any) -> None:
    """Point a request at a real match, a real seat and (for a command) the ply that it is at."""
    match = data.draw(st.sampled_from(doors.matches), "match")
    case.path_parameters["match"] = match
    seat = data.draw(st.sampled_from([0, 1, 1, 4]), "seat")
    if case.query and "seat" in case.query:
        case.query["seat"] = seat
    if "ply" in case.path_parameters:
        case.path_parameters["ply"] = data.draw(st.integers(0, 60), "ply")
    if not isinstance(case.body, dict):
        return
    body = case.body
    if "match" in body:
        body["match"] = match
    if data.draw(st.booleans(), "here"):
        headers = {"authorization": f"Bearer {token}"} if token else {}
        seen = httpx.get(f"{doors.url}/api/matches/{match}", params={"seat": seat}, headers=headers)
        play = seen.json().get("play") or {"epoch": 0, "ply": 0, "legal": None, "asks": None}
        moves = (play["legal"] or []) + (play["asks"] or []) + ["+B", "L1", "give 0 1 1", "promise 1 0 support"]
        real = {"seat": seat, "epoch": play["epoch"], "ply": play["ply"], "offer": 0, "other": 1 - min(seat, 1)}
        real |= {"move": data.draw(st.sampled_from(moves), "move"), "bot": "greedy"}
        real["terms"] = data.draw(st.lists(st.sampled_from(moves), max_size=4), "terms")
        body.update({name: value for name, value in real.items() if name in body})


@API.given(data=st.data())
@API.parametrize()
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.slow
def test_all_answers_are_as_documented(case: Any, doors: Doors, data: Any) -> None:
    own = case.path.startswith("/api/me")  # where one can sign out and erase oneself
    token = data.draw(st.sampled_from([doors.passing, None] if own else [*doors.tokens, None]), "token")
    # What the rules of a match refuse, no document can foresee.
    left_out = [checks.positive_data_acceptance]
    if "match" in (case.path_parameters or {}) and data.draw(st.integers(0, 3), "aimed"):
        aim(case, doors, token, data)
        left_out.append(checks.negative_data_rejection)  # it may be right by now
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    case.call_and_validate(base_url=doors.url, headers=headers, excluded_checks=left_out, timeout=20)


def test_the_document_is_valid_and_is_what_the_server_sends(doors: Doors) -> None:
    API.validate()
    served = httpx.get(doors.url + "/api/openapi.json").json()
    assert served == json.loads(json.dumps(documents.openapi()))
    listed = {(method.upper(), path) for path, one in served["paths"].items() for method in one}
    assert listed >= {(endpoint.method, endpoint.path) for endpoint in ENDPOINTS}
    for operation in [one for path in served["paths"].values() for one in path.values()]:
        assert "5XX" not in operation["responses"] and "500" not in operation["responses"]


def check_against(document: dict[str, Any], name: str, message: Any) -> None:
    """Whether a message has the form that the document gives to this name."""
    whole = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    jsonschema_rs.validator_for(whole).validate(message)


def test_the_other_document_names_every_message_and_real_ones_fit(doors: Doors) -> None:
    document = httpx.get(doors.url + "/api/asyncapi.json").json()
    assert document["asyncapi"].startswith("3.")
    messages = document["components"]["messages"]
    for union, operation in ((schema.FromClient, "hear"), (schema.FromServer, "say")):
        refs = {one["$ref"].rpartition("/")[2] for one in document["operations"][operation]["messages"]}
        assert refs == {one.__name__ for one in get_args(union)}
        for one in get_args(union):
            assert messages[one.__name__]["name"] == one.__struct_config__.tag
            assert messages[one.__name__]["payload"]["$ref"] == f"#/components/schemas/{one.__name__}"
            assert messages[one.__name__]["summary"]
            assert document["channels"]["live"]["messages"][one.__name__]

    async def real() -> None:
        names = {one.__struct_config__.tag: one.__name__ for one in get_args(schema.FromServer)}
        heard: set[str] = set()
        for match in doors.matches:
            async with Wire(doors.url, doors.tokens[0]) as wire:
                said: list[dict[str, Any]] = [{"type": "watch", "match": match, "seat": seat} for seat in (None, 0, 1)]
                said += [{"type": "say", "id": "x", "match": match, "seat": 0, "text": "ave"}]
                for message in said:
                    check_against(document, names_of_client[message["type"]], message)
                    await wire.say(**{"kind" if key == "type" else key: value for key, value in message.items()})
                await wire.say("ping")
                while True:
                    answer = await wire.hear()
                    check_against(document, names[answer["type"]], answer)
                    heard.add(answer["type"])
                    if answer["type"] == "pong":
                        break
        assert heard >= {"update", "done", "refused", "pong"}

    names_of_client = {one.__struct_config__.tag: one.__name__ for one in get_args(schema.FromClient)}
    asyncio.run(asyncio.wait_for(real(), 60))


ODD = [
    "%00",
    "%ff",
    "%c3%28",
    "%F0%9F%8E%B2",
    "a" * 20,
    "A" * 20,
    "a" * 19 + "%0a",
    "'%20OR%201=1--",
    "%25s",
    "a%2fb",
]


def test_odd_addresses_are_refused_by_both_databases(server: Server) -> None:
    token = asyncio.run(person(server.url))
    with httpx.Client(base_url=server.url, headers={"authorization": f"Bearer {token}"}) as client:
        for odd in ODD:
            for endpoint in ENDPOINTS:
                if "{match}" not in endpoint.path:
                    continue
                path = endpoint.path.replace("{match}", odd).replace("{ply}", odd)
                answer = client.request(endpoint.method, path, json=None if endpoint.method == "GET" else {"terms": []})
                assert 400 <= answer.status_code < 500, path
            for before in ("0", "9" * 14, "9" * 15, "9" * 16, "-1", odd):
                assert client.get(f"/api/matches?show=mine&before={before}").status_code in (200, 422), before
        for name in ("\x00", "a\x00b", "\ud800", "\U0010ffff", "'; DROP TABLE people; --"):
            body = json.dumps({"name": name})
            answer = client.post("/api/people", content=body, headers={"content-type": "application/json"})
            assert answer.status_code in (200, 400, 422), name
        odd_id = {"type": "say", "id": "\x00", "match": asyncio.run(new_match(server.url, token)), "seat": 0}
        sit = odd_id | {"type": "sit", "name": "A"}
        assert client.post(f"/api/matches/{sit['match']}/commands", json=sit).status_code == 200
        said = odd_id | {"id": "\x01", "text": "\x00 \uffff ok"}
        assert client.post(f"/api/matches/{sit['match']}/commands", json=said).status_code == 200
    with websockets.sync.client.connect(f"{server.url.replace('http', 'ws')}/api/live") as socket:
        for match in ("\x00" * 20, "a" * 19 + "\n", "A" * 20):
            socket.send(json.dumps({"type": "watch", "match": match, "seat": None}))
            assert json.loads(socket.recv())["code"] == "no-match"
