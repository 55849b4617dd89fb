"""An MCP server: tools with which any assistant plays our games, on a server of its own or on any other.

All it knows comes from the API of the server, as the seat of the caller. It holds connections, but no secret that is
not in the seat token which the caller brings.
"""

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator, Coroutine
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

from rostra import __version__
from rostra.extras import need

need("mcp", "the MCP server")

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from rostra.agents.table import Key, Seat, new_person, primer, sit
from rostra.client import Refused, request
from rostra.engine.game import RostraError
from rostra.words import words

LONGEST_WAIT = 55.0
"""Seconds that a tool waits at most: many clients give up after a minute."""
MAX_SEATS = 64
"""Connections kept open at a time."""
INSTRUCTIONS = """\
Play board games (Alea Iacta Est, Quo Vadis?) against bots and people. Start with list_games and rules, then new_match
or join_match, which give you a seat_token for all other tools. Then repeat: wait until there is something to do, act
(or answer an offer), until the match is over. legal_actions lists your moves if you ask. In Quo Vadis? you negotiate:
make offers, answer those of others, and say what you like."""

Token = Annotated[str, Field(description="the seat_token that new_match or join_match gave you")]
Seconds = Annotated[float, Field(description="how long to wait at most, up to 55", ge=0, le=LONGEST_WAIT)]
Since = Annotated[int, Field(description="the line of the log from which on you want it: log.next of before", ge=0)]
Result = TypeVar("Result")


class LocalServer:
    """`rostra serve` in a process beside this one, on any free port, until this one ends."""

    def __init__(self, database: str | None = None) -> None:
        command = [sys.executable, "-m", "rostra", "serve", "--port", "0", "--rate", "0", "--log-level", "warning"]
        command += ["--database", database] if database else []
        # Standard output is the MCP client's, so nothing else may be written to it.
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.url = ""

    async def start(self) -> str:
        """Wait until it is up; returns its address."""
        assert self.process.stdout is not None
        while not self.url:
            line = await asyncio.to_thread(self.process.stdout.readline)
            if not line:
                raise RostraError("the local server did not start; try `rostra serve`, and --url with its address")
            if line.startswith("Rostra is at "):
                self.url = line.split()[3].rstrip("/")
        self._reading = asyncio.create_task(asyncio.to_thread(self.process.stdout.read))
        return self.url

    async def stop(self) -> None:
        """Stop it as an init system would."""
        self.process.terminate()
        await asyncio.to_thread(self.process.wait)
        await self._reading


class Lobby:
    """The server that is played on, and the seats that are watched."""

    def __init__(self, url: str | None, database: str | None = None) -> None:
        self.url = url.rstrip("/") if url else ""
        self._database = database
        self._local: LocalServer | None = None
        self._seats: dict[Key, Seat] = {}
        self._opening = asyncio.Lock()

    async def server(self) -> str:
        """The address of the server; a local one is started when it is first needed."""
        async with self._opening:
            if not self.url:
                self._local = LocalServer(self._database)
                self.url = await self._local.start()
        return self.url

    async def seat(self, token: str) -> Seat:
        """The seat that a token opens."""
        key, server = Key.read(token), await self.server()
        async with self._opening:
            if key not in self._seats:
                seat = await Seat(server, key).open()
                while len(self._seats) >= MAX_SEATS:
                    await self._seats.pop(next(iter(self._seats))).close()
                self._seats[key] = seat
            return self._seats[key]

    async def close(self) -> None:
        """Close all connections, and the local server."""
        for seat in self._seats.values():
            await seat.close()
        if self._local is not None:
            await self._local.stop()


async def _told(answer: Coroutine[Any, Any, Result]) -> Result:
    """What a tool answers; refusals become errors that the assistant can read."""
    try:
        return await answer
    except Refused as error:
        raise ToolError(f"refused ({error.code}): {error}") from error
    except RostraError as error:
        raise ToolError(str(error)) from error
    except OSError as error:
        raise ToolError(f"the server cannot be reached: {error}") from error


def make(url: str | None = None, database: str | None = None) -> MCPServer[Any]:
    """The MCP server for the Rostra server at this address, or for one of its own."""
    lobby = Lobby(url, database)

    @contextlib.asynccontextmanager
    async def lifespan(server: MCPServer[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await lobby.close()

    server: MCPServer[Any] = MCPServer(
        "rostra", title="Rostra", instructions=INSTRUCTIONS, version=__version__, lifespan=lifespan, log_level="ERROR"
    )
    for add in (_add_lobby, _add_play, _add_talk):
        add(server, lobby)
    return server


def _add_lobby(server: MCPServer[Any], lobby: Lobby) -> None:
    @server.tool()
    async def list_games() -> dict[str, Any]:
        """All games: number of players, options, and the bots that can be opponents (levels, gentle to strong)."""
        return dict(await _told(request(await _told(lobby.server()), "GET", "/api/games")))

    @server.tool()
    async def rules(
        game: Annotated[str, Field(description="alea or quovadis")],
        topic: Annotated[str | None, Field(description="one of the topics, for its rules in full")] = None,
    ) -> dict[str, Any]:
        """The rules of a game and how its moves are written; with a topic, that topic in full."""
        return _rules(game, topic)

    @server.tool()
    async def list_matches() -> dict[str, Any]:
        """Matches that anybody may join."""
        return dict(await _told(request(await _told(lobby.server()), "GET", "/api/matches?show=open")))

    @server.tool()
    async def new_match(
        game: Annotated[str, Field(description="alea or quovadis")],
        opponents: Annotated[
            list[str], Field(description="for each other seat, clockwise from you: a bot such as eques, or open")
        ],
        name: Annotated[str, Field(description="your name at the table", max_length=40)] = "Assistant",
        options: Annotated[dict[str, str] | None, Field(description="rule options, see list_games")] = None,
        talk_seconds: Annotated[
            float, Field(description="how long bots leave you for talk in their turns", ge=0, le=3600)
        ] = 20,
        listed: Annotated[bool, Field(description="whether list_matches shows it to others")] = False,
    ) -> dict[str, Any]:
        """Make a match and sit down at seat 0. Open seats can be joined by people at `page`, or by other assistants."""
        return await _told(_new_match(lobby, game, opponents, name, options, talk_seconds, listed))

    @server.tool()
    async def join_match(
        match: Annotated[str, Field(description="the id of a match, or the address of its page")],
        seat: Annotated[int | None, Field(description="which seat; by default the first open one", ge=0)] = None,
        name: Annotated[str, Field(description="your name at the table", max_length=40)] = "Assistant",
        key: Annotated[str | None, Field(description="the key of a link that opens a seat")] = None,
    ) -> dict[str, Any]:
        """Take a seat in a match of somebody else."""

        async def joined() -> dict[str, Any]:
            where = urlsplit(match).path.rpartition("/match/")[2].strip("/") or match
            found = await sit(await lobby.server(), where, seat, name, key)
            opened = await lobby.seat(found.token)
            return {"seat_token": found.token, **opened.observation()}

        return await _told(joined())


def _add_play(server: MCPServer[Any], lobby: Lobby) -> None:
    @server.tool()
    async def observe(seat_token: Token, since: Since = 0) -> dict[str, Any]:
        """What your seat sees now: the position (view), the log, offers, chat, and what you have to do."""
        return (await _told(lobby.seat(seat_token))).observation(since)

    @server.tool()
    async def wait(seat_token: Token, seconds: Seconds = 30, since: Since = 0) -> dict[str, Any]:
        """Wait while others think, until there is something for you to do or the time is up; then observe."""
        seat = await _told(lobby.seat(seat_token))
        await seat.wait(seconds)
        return seat.observation(since)

    @server.tool()
    async def legal_actions(seat_token: Token) -> dict[str, Any]:
        """Your legal moves with what they mean; and actions that need others' consent, to be made as an offer."""

        async def found() -> dict[str, Any]:
            seat = await lobby.seat(seat_token)
            if not seat.decides:
                return {"moves": [], "to_do": seat.to_do()}
            moves = (await seat.fetch("moves"))["moves"]
            asks = (seat.table.play or {}).get("asks")
            listed = [{"move": one["move"], "means": one["means"], "effect": one["effect"]} for one in moves]
            return {"moves": listed, **({"needs_an_offer": asks} if asks is not None else {})}

        return await _told(found())

    @server.tool()
    async def act(
        seat_token: Token,
        move: Annotated[str, Field(description="your move, such as S345 or +B")],
        since: Since = 0,
    ) -> dict[str, Any]:
        """Make your move; answers what your seat sees then."""

        async def acted() -> dict[str, Any]:
            seat = await lobby.seat(seat_token)
            play = seat.table.play
            if play is None or not seat.decides:
                raise ToolError(f"it is not your turn. {seat.to_do()}")
            await seat.send("play", epoch=play["epoch"], ply=play["ply"], move=move)
            return seat.observation(since)

        return await _told(acted())


def _add_talk(server: MCPServer[Any], lobby: Lobby) -> None:
    async def did(seat_token: str, kind: str, **fields: Any) -> dict[str, Any]:
        async def doing() -> dict[str, Any]:
            seat = await lobby.seat(seat_token)
            await seat.send(kind, **fields)
            return seat.observation(len(seat.table.log))

        return await _told(doing())

    @server.tool()
    async def offer(
        seat_token: Token,
        terms: Annotated[
            list[str],
            Field(description='the active seat\'s action, or "bargain", first: ["I>M(2)", "give 0 2 1"]', min_length=1),
        ],
        counters: Annotated[int | None, Field(description="the offer that this one answers")] = None,
    ) -> dict[str, Any]:
        """Propose a deal (Quo Vadis?), in your turn or another's. When all its parties say yes it is carried out."""
        return await did(seat_token, "offer", terms=terms, **({} if counters is None else {"counters": counters}))

    @server.tool()
    async def answer(
        seat_token: Token,
        offer: Annotated[int, Field(description="the number of the offer", ge=0)],
        yes: Annotated[bool, Field(description="whether you accept it")],
    ) -> dict[str, Any]:
        """Accept or refuse an offer."""
        return await did(seat_token, "answer", offer=offer, yes=yes)

    @server.tool()
    async def withdraw(
        seat_token: Token, offer: Annotated[int, Field(description="the number of your offer", ge=0)]
    ) -> dict[str, Any]:
        """Take back your own offer."""
        return await did(seat_token, "withdraw", offer=offer)

    @server.tool()
    async def ready(seat_token: Token) -> dict[str, Any]:
        """You have nothing more to say in this turn of a bot: it need not wait for you."""
        return await did(seat_token, "ready")

    @server.tool()
    async def say(
        seat_token: Token,
        text: Annotated[str, Field(description="what you say to all at the table", min_length=1, max_length=500)],
    ) -> dict[str, Any]:
        """Talk: chat to all players."""
        return await did(seat_token, "say", text=text)


async def _new_match(
    lobby: Lobby, game: str, opponents: list[str], name: str, options: Any, talk: float, listed: bool
) -> dict[str, Any]:
    server = await lobby.server()
    person = await new_person(server, name)
    seats = [{"kind": "open"} if one == "open" else {"kind": "bot", "bot": one} for one in opponents]
    settings = {"pace": 0, "talk": talk, "listed": listed}
    plan = {"game": game, "seats": [{"kind": "me"}, *seats], "options": options or {}, "settings": settings}
    match = (await request(server, "POST", "/api/matches", plan, person))["match"]
    key = Key(match, 0, person)
    seat = await lobby.seat(key.token)
    await seat.send("sit", name=name)
    return {"seat_token": key.token, "page": f"{server}/match/{match}", **seat.observation()}


def _rules(game: str, topic: str | None) -> dict[str, Any]:
    said = words("en")
    topics = [key.removeprefix(f"rules.{game}_").removesuffix("_title") for key in said
              if key.startswith(f"rules.{game}_") and key.endswith("_title")]  # fmt: skip
    if topic is None:
        text = primer(game)
        if not text:
            raise ToolError(f"there are no rules of {game!r} here; list_games lists the games")
        return {"rules": text, "topics": topics}
    if topic not in topics:
        raise ToolError(f"there is no topic {topic!r}; there is {', '.join(topics)}")
    start = f"rules.{game}_{topic}_"
    keys = [key for key in said if key.startswith(start) and not key.endswith(("_title", "_short"))]
    keys.sort(key=lambda key: ("note" in key, "example" in key, int(key.rpartition("_")[2])))
    return {"topic": said.text(f"{start}title"), "rules": [said.text(key) for key in keys]}
