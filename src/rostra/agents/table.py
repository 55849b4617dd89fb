"""A seat of a live match for an assistant: tokens that open it, and what it is told, from the server's own words.

Nothing is worked out here from anything but the messages for that seat, so an assistant sees what a person there sees.
"""

import asyncio
import base64
import contextlib
import json
import secrets
from typing import Any, NamedTuple

from rostra.client import Client, Refused, Table, request
from rostra.engine.game import BadOption
from rostra.games import all_games

LOG_LINES = 60
"""No more of the newest lines of the log are in an observation."""
CHAT_LINES = 20
CONNECT_SECONDS = 20
"""A server that cannot be reached for this long is given up."""


class Key(NamedTuple):
    """What a seat token holds: the match, the seat, and the token of the person who sits there."""

    match: str
    seat: int
    person: str

    @property
    def token(self) -> str:
        """As one word."""
        return base64.urlsafe_b64encode(json.dumps(self).encode()).decode().rstrip("=")

    @classmethod
    def read(cls, token: str) -> "Key":
        """From one word."""
        try:
            match, seat, person = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        except (ValueError, TypeError) as error:
            raise BadOption("this is no seat token; new_match and join_match give you one") from error
        if not isinstance(match, str) or not isinstance(seat, int) or not isinstance(person, str):
            raise BadOption("this is no seat token; new_match and join_match give you one")
        return cls(match, seat, person)


class Seat:
    """A seat, kept up to date by a connection."""

    def __init__(self, server: str, key: Key) -> None:
        self.server, self.key = server, key
        self.client = Client(server, key.person)
        self.table: Table

    async def open(self) -> "Seat":
        """Connect and watch."""
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self.client.__aenter__()
                self.table = await self.client.watch(self.key.match, self.key.seat)
        except BaseException:
            await self.close()
            raise
        return self

    async def close(self) -> None:
        """Disconnect."""
        with contextlib.suppress(Exception):
            await self.client.__aexit__()

    @property
    def decides(self) -> bool:
        """Whether play waits for this seat."""
        play = self.table.play
        return bool(play and play["legal"] is not None and play["chosen"] is None)

    def offers(self) -> list[dict[str, Any]]:
        """The open offers, each with whether this seat has to answer."""
        seat = self.key.seat
        return [
            {
                "offer": one["offer"],
                "by": one["seat"],
                "terms": one["terms"],
                "parties": one["parties"],
                "yes": one["yes"],
                "worth": one["worth"],
                "promises_in_own_words": one["words"],
                "answer_needed": seat in one["parties"] and seat not in one["yes"],
            }
            for one in self.table.desk["offers"]
            if one["status"] == "open"
        ]

    @property
    def wanted(self) -> bool:
        """Whether there is something for this seat to do, or nothing ever again."""
        return self.table.over or self.decides or any(one["answer_needed"] for one in self.offers())

    async def wait(self, seconds: float) -> None:
        """Until there is something to do, at most for these seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.wanted:
                    await self.table.news(self.table.number)

    async def news(self, number: int, seconds: float) -> None:
        """Until something newer than this number has happened, at most for these seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.table.number <= number and not self.table.over:
                    await self.table.news(self.table.number)

    def observation(self, since: int = 0) -> dict[str, Any]:
        """What the seat sees; of the log what came since this line."""
        table, play = self.table, self.table.play
        lines, about = table.log, table.about
        first = max(since, len(lines) - LOG_LINES, 0)
        found: dict[str, Any] = {
            "match": self.key.match,
            "your_seat": self.key.seat,
            "status": about["status"],
            "players": [one["name"] or one["bot"] or f"({one['kind']})" for one in about["seats"]],
            "to_do": self.to_do(),
            "log": {"first": first, "next": len(lines), "lines": [_line(line) for line in lines[first:]]},
            "chat": [
                {"seat": line["seat"], "text": line["text"], **({"whispered_to": line["to"]} if line.get("to") else {})}
                for _, line in sorted(table.chat.items())[-CHAT_LINES:]
            ],
            "number": table.number,
        }
        if play is not None:
            found |= {"turn": play["turn"], "phase": play["view"].get("phase"), "view": play["view"]}
        if offers := self.offers():
            found["offers"] = offers
        if table.over:
            found["result"] = about["result"]
        return found

    def to_do(self) -> str:
        """What is expected of this seat, in a sentence."""
        if self.table.over:
            return "The match is over."
        if self.table.about["status"] != "playing":
            return "The match has not begun: not all seats are taken. Use wait."
        asked = [str(one["offer"]) for one in self.offers() if one["answer_needed"]]
        if asked:
            return f"Answer offer {', '.join(asked)}." + (" It is also your turn." if self.decides else "")
        if self.decides:
            asks = (self.table.play or {}).get("asks")
            more = " You may also offer a deal; some actions need one." if asks is not None else ""
            return f"It is your turn: act.{more}"
        return "Nothing now. Use wait; in a game with deals you may make offers meanwhile."

    async def send(self, kind: str, **fields: Any) -> dict[str, Any]:
        """A command of this seat."""
        return await self.client.send(kind, self.key.match, seat=self.key.seat, **fields)

    async def fetch(self, what: str) -> Any:
        """Something about the match, as this seat."""
        path = f"/api/matches/{self.key.match}/{what}?seat={self.key.seat}"
        return await request(self.server, "GET", path, token=self.key.person)


def _line(line: dict[str, Any]) -> str:
    if line.get("undo"):
        return f"back to before ply {line['ply']}"
    if line.get("points") is not None:
        return f"a game ended with points {line['points']}"
    who = "chance" if line["seat"] is None else f"seat {line['seat']}"
    return f"{line['ply']} {who}: {line['move']}"


async def new_person(server: str, name: str) -> str:
    """The token of a new person."""
    return str((await request(server, "POST", "/api/people", {"name": name}))["token"])


async def sit(server: str, match: str, seat: int | None, name: str, link: str | None = None) -> Key:
    """Take a seat of a match, or the first open one."""
    person = await new_person(server, name)
    if seat is None:
        about = (await request(server, "GET", f"/api/matches/{match}"))["about"]
        free = [number for number, one in enumerate(about["seats"]) if one["kind"] == "open"]
        if not free:
            raise Refused("taken", "no seat of this match is open")
        seat = free[0]
    async with Client(server, person) as client:
        more = {"key": link} if link else {}
        await client.send("sit", match, seat=seat, name=name, entropy=secrets.token_hex(16), **more)
    return Key(match, seat, person)


def primer(game: str) -> str:
    """The rules of a game in a page, if this package knows the game."""
    known = all_games().get(game)
    return known.screen.primer if known else ""
