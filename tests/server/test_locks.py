"""Strangers: pages of other sites, rate limits, sizes, odd texts and addresses, and browser security headers."""

import asyncio
import contextlib
import json
import re
import socket
from collections.abc import Awaitable, Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from live_server import Server, Wire, new_database, new_match, person
from rostra.bots.preparing import Preparing
from rostra.client import request
from rostra.server.app import make_app
from rostra.server.decisions import clean
from rostra.server.guard import HEADERS, MAX_BODY
from rostra.server.limits import Limits
from rostra.server.routes import ENDPOINTS
from rostra.server.settings import Settings
from rostra.server.socket import BACKLOG
from rostra.server.store import open_store
from rostra.server.table import Refusal
from strangers import OPENING, act, bare, get, refusal, two_play, within

# Pages of other sites.


@pytest.mark.slow
def test_pages_of_other_sites_cannot_act(tmp_path: Path) -> None:
    flags = ("--origins", "https://play.example,http://two.example:99")
    server = Server(new_database("sqlite", tmp_path, ""), *flags).start()
    own = server.url
    allowed = [None, own, own.replace("http", "https"), "https://play.example", "http://two.example:99"]
    foreign = [
        "https://evil.example", "null", "", "http://", "https://play.example.evil", "http://play.example",
        "https://play.example:444", own + ".evil", own + "/", f"http://x@127.0.0.1:{server.port}", "http://[",
        "127.0.0.1", f"127.0.0.1:{server.port}", "file://", "://", "http://127.0.0.1",
    ]  # fmt: skip

    async def opens(origin: str | None) -> bool:
        try:
            async with Wire(own, additional_headers={} if origin is None else {"Origin": origin}):
                return True
        except websockets.InvalidStatus as error:
            assert error.response.status_code == 403
            assert json.loads(error.response.body)["code"] == "bad-origin"
            assert all(error.response.headers.get(name) == value for name, value in HEADERS.items())
            return False

    async def work() -> None:
        for origin in [*allowed, *foreign]:
            right = origin in allowed
            assert await opens(origin) == right, origin
            headers = {"content-type": "application/json"} | ({} if origin is None else {"origin": origin})
            for method, path in (("POST", "/api/people"), ("PATCH", "/api/me"), ("POST", "/api/matches/x/commands")):
                answer = httpx.request(method, own + path, content='{"name": "A"}', headers=headers)
                assert (answer.status_code == 403) != right, (origin, path)
                assert right or answer.json()["code"] == "bad-origin"
                assert "access-control-allow-origin" not in answer.headers

    try:
        within(90, work())
    finally:
        server.kill()


def test_no_cookie_is_set_and_a_form_is_refused(house: Server) -> None:
    token = httpx.post(house.url + "/api/people", json={"name": "A"})
    bearer = {"authorization": f"Bearer {token.json()['token']}"}
    answers = [token]
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "", "text/json"):
        for endpoint in ENDPOINTS:
            if endpoint.takes is not None:
                path = endpoint.path.replace("{match}", "a" * 20)
                headers = bearer | {"content-type": kind}
                answer = httpx.request(endpoint.method, house.url + path, content=b'{"name":"A"}', headers=headers)
                assert answer.status_code == 415, (kind, path)
                answers.append(answer)
    answers += [
        httpx.get(house.url + path, headers=bearer) for path in ("/api/me", "/api/games", "/verify", "/healthz")
    ]
    answers.append(httpx.get(house.url + "/api/me", cookies={"token": bearer["authorization"][7:]}))
    assert answers[-1].status_code == 401  # a cookie proves nothing
    asks = {"origin": "https://evil.example", "access-control-request-method": "POST"}
    answers.append(httpx.options(house.url + "/api/people", headers=asks))
    for answer in answers:
        assert "set-cookie" not in answer.headers
        assert not any(name.startswith("access-control") for name in answer.headers)


def test_the_host_header_does_not_matter(house: Server) -> None:
    for host in ("evil.example", "127.0.0.1:1", "[::1]", "a" * 200, "localhost/../x", "x@y"):
        for path in ("/api/games", "/api/games/", "/pages", "/verify/", "/api/me/", "//evil.example/", "/healthz"):
            status, headers, body = bare(house, get(path, host))
            assert status == (200 if path in ("/api/games", "/healthz") else 404), (host, path)
            assert "location" not in headers and host.encode() not in body


# Rates and sizes.


@pytest.mark.slow
def test_rates_are_limited(tmp_path: Path) -> None:
    server = Server(new_database("sqlite", tmp_path, ""), "--rate", "4").start()

    async def work() -> None:
        async with Wire(server.url) as wire:
            for _ in range(40):
                await wire.say("ping")
            answers = [await wire.hear() for _ in range(40)]
            slowed = [one for one in answers if one["type"] == "refused"]
            assert {one["code"] for one in slowed} == {"slow-down"}
            assert 10 < len(slowed) < 35
            await asyncio.sleep(1)
            await wire.say("ping")
            assert (await wire.hear())["type"] == "pong"  # one that waits is served again
        with httpx.Client(base_url=server.url) as client:
            codes = []
            for number in range(40):
                answer = client.get("/api/games", headers={"x-forwarded-for": f"10.0.0.{number}"})
                codes.append(answer.status_code)
            assert 429 in codes and 200 in codes
            assert client.get("/api/games").json()["code"] == "slow-down"
            assert client.get("/healthz").status_code == 200  # who looks after the server is not locked out
            made = [client.post("/api/people", json={"name": "A"}).status_code for _ in range(5)]
            assert made[-1] == 429

        async def connects() -> None:
            for _ in range(30):
                async with Wire(server.url):
                    pass

        with pytest.raises(websockets.InvalidStatus):
            await connects()

    try:
        within(60, work())
    finally:
        server.kill()


def test_large_messages_are_refused(house: Server) -> None:
    large = b'{"name": "' + b"a" * MAX_BODY + b'"}'
    json_ = {"content-type": "application/json"}

    def pieces() -> Iterator[bytes]:
        for _ in range(200):
            yield b" " * 4096

    for content in (large, pieces()):
        answer = httpx.post(house.url + "/api/people", content=content, headers=json_)
        assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    fits = b'{"name": "A"}' + b" " * (MAX_BODY - 13)
    assert httpx.post(house.url + "/api/people", content=fits, headers=json_).status_code == 200

    async def send(wire: Wire, message: str | Iterator[str]) -> None:
        await wire.socket.send(message)
        await wire.hear()

    async def work() -> None:
        async with Wire(house.url) as wire, Wire(house.url) as other:
            await wire.socket.send(b'{"type":"ping"}' + b" " * (MAX_BODY - 15))
            await wire.hear("pong")
            with pytest.raises(websockets.ConnectionClosed) as caught:
                await send(wire, "a" * (MAX_BODY + 1))
            # The reason is lost where the client was still sending; `test_socket` pins it.
            assert caught.value.rcvd is None or caught.value.rcvd.code == 1009
            await other.say("ping")
            await other.hear("pong")
            fragments = ["a" * 1000] * 100
            with pytest.raises(websockets.ConnectionClosed):
                await send(other, iter(fragments))

    within(60, work())


NONSENSE = [
    b"", b"{}", b"[]", b"null", b"1", b'"x"', b"{", b'{"type":1}', b'{"type":"x"}', b"\x00", b"\xff\xfe",
    b'{"type":"ping"',
    b"[" * 30_000, b'{"type":"ping","x":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    b'{"type":"hello","token":"\xff"}', b'{"type":"\\ud800"}', b'{"type":"hello","token":"\\ud800"}',
    b'{"type":"ping"}garbage',
    b'{"type":"hello","token":' + b"9" * 5000 + b"}", b'{"type":"watch","match":null}',
    b'{"type":"watch","match":"../../x"}',
]  # fmt: skip


def test_nonsense_is_refused_and_harms_nobody(house: Server) -> None:
    for content in NONSENSE:
        for path in ("/api/people", "/api/matches/x/commands", "/api/matches/x/draft"):
            answer = httpx.post(house.url + path, content=content, headers={"content-type": "application/json"})
            assert 400 <= answer.status_code < 500, (content[:40], path)
            assert set(answer.json()) == {"code", "reason"}

    async def work() -> None:
        async with Wire(house.url) as wire:
            for content in NONSENSE:
                await wire.socket.send(content)  # a binary frame is read as well
                answer = await wire.hear()
                assert answer["type"] == "refused", content[:40]
                assert len(answer["reason"]) < 500
                with contextlib.suppress(UnicodeError):
                    await wire.socket.send(content.decode())
                    assert (await wire.hear())["type"] == "refused"
            await wire.say("ping")
            await wire.hear("pong")

    within(60, work())


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("/api/live", "/api/other", 404), ("/api/live", "/api/live/", 404), ("/api/live", "/%61pi/live?x=%00", 101),
        ("Version: 13", "Version: 12", 400), ("Version: 13", "Version: x", 400), ("Sec-WebSocket-Key", "X-Key", 400),
        ("a2tra2tra2tra2tra2traw==", "short", 400), ("Upgrade: w", "X: \xff\xfe\r\nUpgrade: w", 101),
        ("Upgrade: w", "Origin: \xe9\r\nUpgrade: w", 403),
        ("Upgrade: w", "Origin: http://x\r\nOrigin: http://y\r\nUpgrade: w", 400),
        ("Upgrade: w", "X-Forwarded-For: \xff, ,,;\r\nUpgrade: w", 101),
    ],
)  # fmt: skip
def test_a_wrong_opening_is_refused(house: Server, old: str, new: str, status: int) -> None:
    assert old in OPENING
    with socket.create_connection(("127.0.0.1", house.port), timeout=20) as line:
        line.sendall(OPENING.replace(old, new).encode("latin-1"))
        found = int(line.recv(4096).split()[1])
    assert found == status


def test_numbers_out_of_range_are_refused(house: Server) -> None:
    async def work() -> None:
        match, ada, _ = await two_play(house.url)
        async with Wire(house.url, ada) as wire:
            before = await request(house.url, "GET", f"/api/matches/{match}")
            for number in (-1, 5, 2**31, 2**63, 2**64, 10**30, -(10**30), 0.5, 1e300, "0", None, True, [0]):
                for fields in (
                    {"seat": number, "epoch": 0, "ply": 0},
                    {"seat": 0, "epoch": -1 if number == 5 else number, "ply": 0},
                    {"seat": 0, "epoch": 0, "ply": -1 if number == 5 else number},
                ):
                    answer = await wire.do("play", match, **fields, move="L1")
                    assert answer["type"] == "refused", fields
                assert (await wire.do("ask-undo", match, seat=0, ply=number if number != 5 else -5))[
                    "type"
                ] == "refused"
            assert await request(house.url, "GET", f"/api/matches/{match}") == before
        for ply in ("-1", "9" * 8, "9" * 30, "1" * 5000, "1.0", "0x1", "%00", "１"):
            status, _, body = bare(house, get(f"/api/matches/{match}/plies/{ply}".encode("ascii", "ignore").decode()))
            assert status == 404 and set(json.loads(body)) == {"code", "reason"}, ply[:20]

    within(60, work())


def test_a_connection_watches_so_many_matches_and_no_more(house: Server) -> None:
    async def work() -> None:
        url = house.url
        ada = await person(url)
        matches = [await new_match(url, ada) for _ in range(Limits().watches + 1)]
        async with Wire(url) as wire:
            for match in matches:
                await wire.say("watch", match=match, seat=None)
            answers = (await wire.settle())[1:-1]
            assert [one["type"] for one in answers] == ["update"] * Limits().watches + ["refused"]
            assert answers[-1]["code"] == "too-many"

    within(90, work())


def test_many_connections(house: Server) -> None:
    async def work() -> None:
        match, ada, _ = await two_play(house.url)
        async with contextlib.AsyncExitStack() as stack:
            wires = [await stack.enter_async_context(Wire(house.url)) for _ in range(150)]
            for wire in wires:
                await wire.say("watch", match=match, seat=None)
                await wire.hear("update")
            await act(house.url, ada, "say", match, seat=0, text="all hear this")
            for wire in wires:
                assert (await wire.hear("update"))["chat"][-1]["text"] == "all hear this"

    within(90, work())


SAYING = "\U0001f3b2" * 500
"""As many bytes as one can say."""


def connections(server: Server) -> int:
    return int(float(re.findall(r"^rostra_connections (\S+)$", httpx.get(f"{server.private}/metrics").text, re.M)[0]))


def test_who_does_not_listen_is_cut_off_and_harms_nobody(tmp_path: Path) -> None:
    server = Server(new_database("sqlite", tmp_path, "")).start()

    async def work() -> None:
        url = server.url
        match, ada, bo = await two_play(url)
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", server.port))
        deaf.sendall(OPENING.encode())
        assert deaf.recv(12) == b"HTTP/1.1 101"
        async with Wire(url, ada) as wire, Wire(url, bo) as other:
            await other.say("watch", match=match, seat=1)
            for _ in range(100):  # so that there is much to tell
                await wire.do("say", match, seat=0, text=SAYING)
            assert connections(server) == 3
            watch = json.dumps({"type": "watch", "match": match, "seat": None}).encode()
            for _ in range(4 * BACKLOG // (100 * len(SAYING.encode()))):
                deaf.sendall(b"\x81" + bytes([0x80 | len(watch)]) + bytes(4) + watch)  # masked with zeros
            while connections(server) > 2:
                await asyncio.sleep(0.1)
            await wire.do("say", match, seat=0, text="still there?")
            while "still there?" not in json.dumps(await other.hear("update")):
                pass
        deaf.close()

    try:
        within(120, work())
    finally:
        server.kill()


# Text.


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("<img src=x onerror=alert(1)>", None), ("\"'&</script>", None), ("a\x00b\x1b[31m\x7f\x85c", "ab[31m c"),
        ("  much   space\n\r\tand lines ", "much space and lines"), ("\u202egnp.exe", "gnp.exe"),
        ("a\u2066b\u2069", "ab"),
        ("\ufeffa\u200bb\u2028c", "ab c"), ("e\u0301 ✓ 漢字 🎲", None), ("👩\u200d🚀", None), ("{{7*7}} ${x} %s", None),
    ],
)  # fmt: skip
def test_names_and_chat_are_plain_text(house: Server, said: str, kept: str | None) -> None:
    async def work() -> None:
        url = house.url
        right = said if kept is None else kept
        match, ada, bo = await two_play(url)
        await act(url, ada, "rename", match, seat=0, name=said)
        await act(url, ada, "say", match, seat=0, text=said)
        answer = httpx.get(f"{url}/api/matches/{match}")
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.json()["chat"][-1]["text"] == answer.json()["about"]["seats"][0]["name"] == right
        text = httpx.get(f"{url}/api/matches/{match}/transcript")
        assert text.headers["content-type"].startswith("text/plain")
        assert text.headers["content-disposition"].startswith("attachment")
        assert len([line for line in text.text.splitlines() if line.startswith("seats: ")]) == 1
        assert httpx.patch(
            url + "/api/me", json={"name": said}, headers={"authorization": f"Bearer {bo}"}
        ).json()["name"] == right  # fmt: skip

    within(30, work())


@pytest.mark.parametrize("nothing", [" ", "\n\t", "\x00", "\u200b", "\u202e", "\u200d \u200c", "\u3000"])
def test_a_text_without_anything_to_see_is_refused(nothing: str) -> None:
    with pytest.raises(Refusal) as caught:
        clean(nothing)
    assert caught.value.code == "empty"


@pytest.mark.parametrize(
    "entropy", ["ab\n", "\nab", "AB", "a", "0x", "ab ab", "\u0661\u0661", "ab" * 65, "ab,cd", "ab|0"]
)
def test_randomness_of_a_player_is_hex_and_nothing_else(house: Server, entropy: str) -> None:
    """It becomes part of the text that the dice are drawn from, and a line of the transcript."""

    async def work() -> None:
        ada = await person(house.url)
        match = await new_match(house.url, ada)
        sit = act(house.url, ada, "sit", match, seat=0, name="A", entropy=entropy)
        assert await refusal(sit) == "bad-body"

    within(30, work())


# Headers, addresses, methods.


def test_every_answer_binds_the_browser(house: Server) -> None:
    paths = [
        "/",
        "/api/games",
        "/api/me",
        "/api/matches",
        "/api/nothing",
        "/api/matches/x",
        "/verify",
        "/pages/verify.html",
    ]
    paths += ["/pages/none", "/healthz", "/metrics", "/api/openapi.json", "/api/asyncapi.json", "/api/live"]
    for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"):
        for path in paths:
            status, headers, body = bare(house, get(path, method=method))
            for name, value in HEADERS.items():
                assert headers.get(name) == value, (method, path, name)
            assert not path.startswith("/api/") or headers["cache-control"] == "no-store"
            assert "server" not in headers  # nobody needs to know what we run
            assert status < 500
            if status >= 400 and method != "HEAD":
                assert headers["content-type"] == "application/json"
                assert set(json.loads(body)) == {"code", "reason"}
            if method == "HEAD":
                assert body == b""
    policy = HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert "*" not in policy


async def with_app(tmp_path: Path, test: Callable[[httpx.AsyncClient, Any], Awaitable[None]]) -> None:
    store = await open_store(f"sqlite:{tmp_path}/x.db")
    app = make_app(Settings(), store, Preparing([]))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            await test(client, app)
    finally:
        await store.close()


def test_a_mistake_of_ours_tells_nothing_and_has_the_headers(tmp_path: Path) -> None:
    async def test(client: httpx.AsyncClient, app: Any) -> None:
        async def wrong(request: Any) -> None:
            raise RuntimeError("the seed is 42")

        app.add_route("/wrong", wrong)
        answer = await client.get("/wrong")
        assert answer.status_code == 500
        assert "42" not in answer.text and "Traceback" not in answer.text
        assert set(answer.json()) == {"code", "reason"}
        for name, value in HEADERS.items():
            assert answer.headers.get(name) == value

    within(30, with_app(tmp_path, test))


@pytest.mark.parametrize(
    "path",
    [
        "/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/..%2f..%2fserver/app.py", "/%2e%2e%2f%2e%2e%2fgame.py",
        "/....//app.py", "/..%5capp.py", "/%5c..%5c..%5cgame.py", "//etc/passwd", "/%2fetc/passwd", "/etc/passwd",
        "/verify.html/..%2f..%2fgame.py", "/%00", "/verify.html%00.txt", "/~root", "/%c0%ae%c0%ae/game.py",
        "/file:///etc/passwd", "/" + "a" * 5000, "/.", "/..", "/%2e", "",
    ],
)  # fmt: skip
def test_no_file_outside_the_pages_is_served(house: Server, path: str) -> None:
    status, _, body = bare(house, get("/pages" + path))
    assert status == 404
    assert set(json.loads(body)) == {"code", "reason"}


def test_a_link_in_the_pages_to_a_file_outside_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    migrations = resources.files("rostra.server") / "migrations"
    (tmp_path / "migrations").symlink_to(str(migrations))
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "inside.txt").write_text("inside")
    (tmp_path / "outside.txt").write_text("outside")
    (tmp_path / "pages" / "link.txt").symlink_to(tmp_path / "outside.txt")
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)

    async def test(client: httpx.AsyncClient, app: Any) -> None:
        assert (await client.get("/pages/inside.txt")).text == "inside"
        assert (await client.get("/pages/link.txt")).status_code == 404

    within(30, with_app(tmp_path, test))
