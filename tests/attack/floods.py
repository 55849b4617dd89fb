"""Floods: what a stranger sends from one address, as much as it can; `FLOODS` is the list.

`python tests/attack/floods.py NAME URL SECONDS ADDRESS...` floods from these addresses (of the header
`X-Forwarded-For`, which a server started with `--proxies 127.0.0.1` believes) and prints what was sent and refused as
JSON. Only servers on this machine are attacked.
"""

import asyncio
import contextlib
import functools
import itertools
import json
import secrets
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import websockets
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parents[1]))

CROWD = 5
"""People of one attacker."""
HURRY = 400.0
"""Messages a second that all of them together try to send: four times what is allowed from one address, and for each of
them four times what is allowed to one person."""
LOST = (OSError, websockets.WebSocketException, httpx.HTTPError, TimeoutError)
JSON = {"content-type": "application/json"}


class Attacker:
    """Somebody at an address."""

    def __init__(self, url: str, address: str, seconds: float) -> None:
        if not url.startswith("http://127.0.0.1:"):
            raise ValueError(f"only servers on this machine are attacked, not {url}")
        self.url = url
        self.from_here = {"x-forwarded-for": address}
        self.http = httpx.AsyncClient(base_url=url, headers=self.from_here, timeout=30)
        self.end = time.monotonic() + seconds
        self.sent = 0
        self.answers: Counter[str] = Counter()

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.end

    async def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> dict[str, Any]:
        """One request, counted."""
        headers = JSON | ({"authorization": f"Bearer {token}"} if token else {})
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        self.sent += 1
        answer = await self.http.request(method, path, content=content, headers=headers)
        try:
            found = answer.json()
        except ValueError:
            found = {}
        self.answers["ok" if answer.is_success else str(found.get("code", answer.status_code))] += 1
        return found if isinstance(found, dict) else {}

    async def until_done(self, method: str, path: str, body: Any = None, token: str | None = None) -> dict[str, Any]:
        """The same for what is needed to begin with, as patient as a person."""
        while "code" in (answer := await self.ask(method, path, body, token)):
            await asyncio.sleep(answer.get("retry_ms", 1000) / 1000)
        return answer

    async def person(self) -> str:
        return str((await self.until_done("POST", "/api/people", {"name": "Mal"}))["token"])

    async def match(self, token: str, seats: str, game: str = "alea", **settings: Any) -> str:
        """A match of one's own, in which one sits in all seats that are not for bots."""
        plan = [{"kind": word} if word == "me" else {"kind": "bot", "bot": word} for word in seats.split()]
        wanted = {"game": game, "seats": plan, "settings": {"pace": 0, "talk": 0, **settings}}
        match = str((await self.until_done("POST", "/api/matches", wanted, token))["match"])
        for seat, word in enumerate(seats.split()):
            if word == "me":
                await self.act(token, "sit", match, seat=seat, name="Mal")
        return match

    async def act(self, token: str, kind: str, match: str, **fields: Any) -> None:
        body = {"type": kind, "id": secrets.token_hex(8), "match": match, **fields}
        await self.until_done("POST", f"/api/matches/{match}/commands", body, token)

    def line(self) -> connect:
        return connect(
            self.url.replace("http", "ws", 1) + "/api/live", additional_headers=self.from_here, max_size=2**23
        )

    async def shout(
        self, token: str | None, *say: Callable[[int], Any], first: tuple[Any, ...] = (), lines: int = 10
    ) -> None:
        """Send these messages over so many connections without waiting for answers."""
        numbers = itertools.count()

        async def one() -> None:
            while self.goes_on:
                with contextlib.suppress(*LOST):
                    async with self.line() as line:
                        await self._greet(line, token)
                        ear = asyncio.create_task(self._listen(line))
                        for message in first:
                            await line.send(json.dumps(message))
                        while self.goes_on:
                            number = next(numbers)
                            message = say[number % len(say)](number)
                            self.sent += 1
                            await line.send(message if isinstance(message, str | bytes) else json.dumps(message))
                            await asyncio.sleep(lines * CROWD / HURRY)
                        ear.cancel()
                await asyncio.sleep(0.05)

        await asyncio.gather(*(one() for _ in range(lines)))

    async def _greet(self, line: ClientConnection, token: str | None) -> None:
        """Say who this is, until that is heard."""
        while True:
            await line.send(json.dumps({"type": "hello", "token": token}))
            if (answer := json.loads(await line.recv()))["type"] == "welcome":
                return
            await asyncio.sleep(answer.get("retry_ms", 1000) / 1000)

    async def _listen(self, line: ClientConnection) -> None:
        with contextlib.suppress(*LOST):
            async for text in line:
                head = text[:400]  # what matters is at the beginning, and updates are long
                kind = json.loads(text)["code"] if '"refused"' in str(head) else "ok"
                self.answers[kind] += 1

    async def hammer(self, *asking: Callable[[int], Awaitable[Any]], at_once: int = 8) -> None:
        """Send these requests, so many at once."""
        numbers = itertools.count()

        async def one() -> None:
            while self.goes_on:
                number = next(numbers)
                with contextlib.suppress(*LOST):
                    await asking[number % len(asking)](number)
                await asyncio.sleep(at_once * CROWD / HURRY)

        await asyncio.gather(*(one() for _ in range(at_once)))


def crowd(flood: Callable[[Attacker], Awaitable[None]]) -> Callable[[Attacker], Awaitable[None]]:
    """The same by several people at the same address."""

    @functools.wraps(flood)
    async def all_of_them(mal: Attacker) -> None:
        await asyncio.gather(*(flood(mal) for _ in range(CROWD)))

    return all_of_them


def command(kind: str, match: str, **fields: Any) -> Callable[[int], Any]:
    return lambda n: {"type": kind, "id": f"f{n}", "match": match, **fields}


@crowd
async def pings(mal: Attacker) -> None:
    """Empty messages over ten connections."""
    await mal.shout(await mal.person(), lambda n: {"type": "ping"})


@crowd
async def renames(mal: Attacker) -> None:
    """Names, mutes and absences that change all the time, before ten watchers each."""
    token = await mal.person()
    match = await mal.match(token, "me me")
    watch = {"type": "watch", "match": match, "seat": None, "details": True}
    does = (command("rename", match, seat=0, name="M"), command("mute", match, seat=0, other=1))
    away = lambda n: {"type": "away", "on": n % 4 < 2}  # noqa: E731
    await mal.shout(token, *does, away, first=(watch,))


@crowd
async def chat(mal: Attacker) -> None:
    """Long lines of chat."""
    token = await mal.person()
    match = await mal.match(token, "me me")
    watch = {"type": "watch", "match": match, "seat": 0}
    await mal.shout(token, *(command("say", match, seat=s, text="\U0001f3b2" * 500) for s in (0, 1)), first=(watch,))


@crowd
async def watching(mal: Attacker) -> None:
    """Asks for everything about a match, with details, again and again."""
    token = await mal.person()
    match = await mal.match(token, "me me me", "quovadis")
    await mal.shout(token, lambda n: {"type": "watch", "match": match, "seat": n % 3, "details": True})


async def connections(mal: Attacker) -> None:
    """Opens connections and keeps them."""

    async def one(n: int) -> None:
        mal.sent += 1
        try:
            line = await stack.enter_async_context(mal.line())
        except websockets.InvalidStatus as error:
            mal.answers[str(error.response.status_code)] += 1
            return
        mal.answers["ok"] += 1
        await line.send("{}")

    async with contextlib.AsyncExitStack() as stack:
        await mal.hammer(one)


async def deaf(mal: Attacker) -> None:
    """Asks and does not read the answers."""
    token = await mal.person()
    match = await mal.match(token, "me me")
    host, port = mal.url.removeprefix("http://").split(":")
    opening = (
        f"GET /api/live HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: a2tra2tra2tra2tra2traw==\r\n"
        f"X-Forwarded-For: {mal.from_here['x-forwarded-for']}\r\n\r\n"
    ).encode()
    hello, watch = ({"type": "hello", "token": token}, {"type": "watch", "match": match, "seat": 0, "details": True})

    async def one() -> None:
        while mal.goes_on:
            with contextlib.suppress(*LOST):
                _, line = await asyncio.open_connection(host, int(port), limit=1024)
                line.write(opening + _frame(hello))
                while mal.goes_on:
                    line.write(_frame(watch))
                    mal.sent += 1
                    await line.drain()
                    await asyncio.sleep(10 / HURRY)
            await asyncio.sleep(0.05)

    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*(one() for _ in range(10))), mal.end - time.monotonic() + 1)


def _frame(message: Any) -> bytes:
    text = json.dumps(message).encode()
    size = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0x80 | 126]) + len(text).to_bytes(2)
    return b"\x81" + size + b"\0\0\0\0" + text


async def nonsense(mal: Attacker) -> None:
    """Messages that are wrong, deep, long, or no JSON at all."""
    wrong = ("[" * 30_000, "{", '{"type":"play"}', b"\xff\xfe", '{"type":"hello","token":"' + "x" * 60_000 + '"}', "0")
    await mal.shout(None, *(lambda n, one=one: one for one in wrong))


async def people(mal: Attacker) -> None:
    """New people, one after the other."""
    await mal.hammer(lambda n: mal.ask("POST", "/api/people", {"name": f"Mal {n}"}))


async def tokens(mal: Attacker) -> None:
    """Guesses tokens."""
    await mal.hammer(lambda n: mal.ask("GET", "/api/me", token=secrets.token_urlsafe(32)))


@crowd
async def matches(mal: Attacker) -> None:
    """New matches, one after the other, and the lists of them."""
    token = await mal.person()
    wanted = {"game": "alea", "seats": [{"kind": "me"}, {"kind": "open"}], "settings": {"listed": True}}
    await mal.hammer(
        lambda n: mal.ask("POST", "/api/matches", wanted, token), lambda n: mal.ask("GET", "/api/matches", None, token)
    )


async def bots(mal: Attacker) -> None:
    """Matches in which the strongest bots play against each other without a pause, by several people."""
    everybody = [await mal.person() for _ in range(5)]

    def wanted(bot: str, game: str) -> dict[str, Any]:
        seats = [{"kind": "bot", "bot": bot}] * (2 if game == "alea" else 3)
        return {"game": game, "seats": seats, "settings": {"pace": 0, "talk": 0}}

    kinds = [
        wanted("consul", "alea"),
        wanted("random", "alea"),
        wanted("consul", "quovadis"),
        wanted("deep:9999s", "alea"),
    ]
    await mal.hammer(lambda n: mal.ask("POST", "/api/matches", kinds[n % 4], everybody[n % 5]), at_once=2)


@crowd
async def hints(mal: Attacker) -> None:
    """Hints for the same position, and reviews."""
    token = await mal.person()
    match = await mal.match(token, "me greedy")
    over = await mal.match(token, "me greedy")
    await mal.act(token, "resign", over, seat=0)
    play: dict[str, Any] = {}
    while not play.get("legal"):
        play = (await mal.until_done("GET", f"/api/matches/{match}?seat=0", None, token))["play"]
        await asyncio.sleep(0.1)
    asked = {"seat": 0, "epoch": play["epoch"], "ply": play["ply"]}
    await mal.hammer(
        lambda n: mal.ask("POST", f"/api/matches/{match}/hint", asked, token),
        lambda n: mal.ask("GET", f"/api/matches/{over}/review", None, token),
        at_once=20,
    )


@crowd
async def reading(mal: Attacker) -> None:
    """Asks for positions, moves, transcripts, lessons and pages."""
    token = await mal.person()
    match = await mal.match(token, "random random random", "quovadis")
    paths = [f"/api/matches/{match}{rest}" for rest in ("/plies/150", "/plies/100", "/transcript", "/offers", "")]
    paths += ["/api/lessons/alea", "/api/games", "/api/openapi.json", "/"]
    await mal.hammer(*(lambda n, path=path: mal.ask("GET", path, None, token) for path in paths))


@crowd
async def drafts(mal: Attacker) -> None:
    """Tries out long deals."""
    token = await mal.person()
    match = await mal.match(token, "me me me", "quovadis")
    terms = ["A>E", *(f"give {n % 3} {(n + 1) % 3} {n % 5 + 1}" for n in range(39))]
    await mal.hammer(lambda n: mal.ask("POST", f"/api/matches/{match}/draft?seat=0", {"terms": terms}, token))


async def large(mal: Attacker) -> None:
    """Bodies of the largest size, and larger ones."""
    await mal.hammer(*(lambda n, size=size: mal.ask("POST", "/api/people", b"[" * size) for size in (65_000, 70_000)))


FLOODS: dict[str, Callable[[Attacker], Awaitable[None]]] = {
    flood.__name__: flood
    for flood in (
        pings, renames, chat, watching, connections, deaf, nonsense, people, tokens, matches, reading, drafts, large,
        hints, bots,
    )
}  # fmt: skip


async def flood(name: str, url: str, seconds: float, addresses: list[str]) -> dict[str, Any]:
    """Flood from all these addresses at once; how much was sent, and what was answered."""
    everybody = [Attacker(url, address, seconds) for address in addresses]
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*(FLOODS[name](mal) for mal in everybody)), seconds + 5)
    answers = sum((mal.answers for mal in everybody), Counter[str]())
    for mal in everybody:
        await mal.http.aclose()
    return {"sent": sum(mal.sent for mal in everybody), "answers": dict(answers)}


if __name__ == "__main__":
    named, at, how_long, *where = sys.argv[1:]
    print(json.dumps(asyncio.run(flood(named, at, float(how_long), where))))
