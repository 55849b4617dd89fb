"""The HTTP door: people, matches, transcripts; and all commands, for programs without a WebSocket.

`ENDPOINTS` is the only list: routes and the OpenAPI document are both made from it. A request proves who it is by
`Authorization: Bearer TOKEN`, never by a cookie; no secret is part of an address.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rostra.bots import LEVELS
from rostra.bots.preparing import TABLE
from rostra.engine.game import RostraError
from rostra.games import all_games
from rostra.server import lessons, metrics, schema, seen
from rostra.server.guard import MAX_BODY, Rates, origin_allowed
from rostra.server.live import Live, now_ms
from rostra.server.store import PersonRow, StoreError
from rostra.server.table import Refusal, Table

log = logging.getLogger("rostra.http")
PAGE = 20
"""Matches on a page of a list."""

STATUS = {
    "bad-message": 400, "unknown": 401, "banned": 403, "not-yours": 403, "not-creator": 403, "bad-origin": 403,
    "no-match": 404,
    "no-seat": 404, "no-ply": 404, "no-lesson": 404, "not-found": 404, "not-allowed": 405, "too-large": 413,
    "no-json": 415, "bad-body": 422, "bad-option": 422, "no-bot": 422, "empty": 422, "illegal": 422, "slow-down": 429,
    "unavailable": 503,
}  # fmt: skip
"""HTTP status by the code of a refusal; all others are 409: the command does not fit the match as it is."""


class Asked(NamedTuple):
    """A request: who asks, and what was sent with it."""

    live: Live
    person: PersonRow | None
    path: dict[str, Any]
    query: dict[str, str]
    body: Any

    def me(self) -> PersonRow:
        """The person who asks; refused without a token."""
        if self.person is None:
            raise Refusal("unknown", "send who you are: Authorization: Bearer TOKEN")
        return self.person

    def seat(self) -> int | None:
        """The seat that is asked for; None for a spectator."""
        text = self.query.get("seat")
        if text is None:
            return None
        if not text.isascii() or not text.isdigit() or len(text) > 1:
            raise Refusal("no-seat", f"a seat is a number from 0 to 4, not {text[:20]!r}")
        return int(text)

    def ply(self) -> int:
        """The ply that is asked for."""
        text = self.path["ply"]
        if not text.isascii() or not text.isdigit() or len(text) > 7:
            raise Refusal("no-ply", f"a ply is a number, not {text[:20]!r}")
        return int(text)

    async def look(self, what: Callable[[Table, int | None], Any]) -> Any:
        """Look at a match as the seat that is asked for, which must be the asker's own."""
        seat, match = self.seat(), self.path["match"]

        def looking(table: Table) -> Any:
            if seat is not None and seat not in table.seats_of(self.person.id if self.person else None):
                raise Refusal("not-yours", f"seat {seat} is not yours")
            return what(table, seat)

        return await self.live.rooms.read(match, looking)


class Endpoint(NamedTuple):
    """One kind of request."""

    method: Literal["GET", "POST", "PATCH"]
    path: str
    summary: str
    answer: Callable[[Asked], Awaitable[Any]]
    gives: Any
    takes: Any = None
    token: Literal["no", "maybe", "yes"] = "no"
    query: Mapping[str, str] = MappingProxyType({})
    cost: float = 1.0


async def games(asked: Asked) -> schema.Games:
    """All games, with what can be set."""
    return schema.Games(
        [
            schema.GameInfo(
                game.name, game.title, game.rules.version, game.rules.seats,
                [schema.OptionInfo(option.name, list(option.values), option.help) for option in game.rules.options],
                game.desk is not None, [*levels, "random", "greedy"], levels,
            )
            for game in all_games().values()
            for levels in [[] if game.mind is None else list(LEVELS)]
        ]
    )  # fmt: skip


async def progress(asked: Asked) -> schema.Progress:
    """How much is compiled."""
    preparing = asked.live.preparing
    games = [schema.GameProgress(name, **parts) for name, parts in preparing.shares.items()]
    return schema.Progress(preparing.done, preparing.share, games)


async def new_person(asked: Asked) -> schema.NewToken:
    """A new person."""
    return await asked.live.people.add(asked.body.name)


async def me(asked: Asked) -> schema.Person:
    """Who asks."""
    return schema.Person(*asked.me())


async def rename_me(asked: Asked) -> schema.Person:
    """Another name."""
    return await asked.live.people.rename(asked.me().id, asked.body.name)


async def list_matches(asked: Asked) -> schema.Matches:
    """A page of matches."""
    show, before = asked.query.get("show", "open"), asked.query.get("before")
    if before is not None and (not before.isascii() or not before.isdigit() or len(before) > 14):
        raise Refusal("bad-option", f"before is a time in milliseconds, not {before[:20]!r}")
    at = int(before) if before else now_ms() + 1
    if show == "mine":
        rows = await asked.live.store.matches_of(asked.me().id, at, PAGE)
    elif show == "open":
        rows = await asked.live.store.listed(at, PAGE)
    else:
        raise Refusal("bad-option", f"show is open or mine, not {show[:20]!r}")
    person = asked.person.id if asked.person else None
    found = [await asked.live.rooms.read(row.id, lambda table: seen.summary(table, person)) for row in rows]
    return schema.Matches(found, rows[-1].created if len(rows) == PAGE else None)


async def new_match(asked: Asked) -> schema.MatchMade:
    """A new match."""
    return await asked.live.create(asked.me().id, asked.body)


async def one_match(asked: Asked) -> schema.Update:
    """A match as a seat sees it, the same as over the WebSocket."""
    person = asked.person.id if asked.person else None
    found = await asked.look(lambda table, seat: seen.update(table, seat, person, seen.EVERYTHING, asked.live.clock()))
    assert isinstance(found, schema.Update)
    return found


async def command(asked: Asked) -> schema.Done:
    """Any command."""
    if asked.body.match != asked.path["match"]:
        raise Refusal("bad-body", "the command names another match than the address")
    return await asked.live.rooms.command(asked.body, asked.me().id)


async def moves(asked: Asked) -> schema.Moves:
    """The legal moves of a seat in detail."""
    asked.me()
    if (seat := asked.seat()) is None:
        raise Refusal("no-seat", "say which seat of yours, as in ?seat=0")
    found = await asked.look(lambda table, _: seen.moves(table, seat))
    assert isinstance(found, schema.Moves)
    return found


async def hint(asked: Asked) -> schema.Hint:
    """What a seat of mine could do."""
    return await asked.live.hint(asked.path["match"], asked.body, asked.me().id)


async def review(asked: Asked) -> schema.Review:
    """A finished match, looked at again."""
    return await asked.live.review(asked.path["match"])


async def draft(asked: Asked) -> schema.DraftInfo:
    """What a deal would need."""
    found = await asked.look(lambda table, _: seen.draft(table, asked.body.terms))
    assert isinstance(found, schema.DraftInfo)
    return found


async def offers(asked: Asked) -> schema.Offers:
    """What was offered so far."""
    found = await asked.look(lambda table, _: seen.offers(table))
    assert isinstance(found, schema.Offers)
    return found


async def transcript(asked: Asked) -> Response:
    """The transcript as a file."""
    text = await asked.look(seen.game_text)
    name = f"{asked.path['match']}.game"
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})


async def position(asked: Asked) -> schema.Position:
    """What a seat sees before a ply, or now."""
    ply = asked.ply()
    try:
        found = await asked.look(lambda table, seat: seen.position(table, seat, ply))
    except RostraError as error:
        raise Refusal("no-ply", str(error)) from error
    assert isinstance(found, schema.Position)
    return found


async def lesson(asked: Asked) -> Response:
    """A guided first game."""
    await asked.live.preparing.wait(asked.path["game"], TABLE)
    found = await lessons.course(asked.path["game"])
    return Response(found.body, media_type="application/json")


async def lesson_draft(asked: Asked) -> schema.DraftInfo:
    """What a deal would need in a lesson."""
    return lessons.draft(await lessons.course(asked.path["game"]), asked.ply(), asked.body.terms)


_SEAT = {"seat": "your own seat whose view you want; without it: the view of a spectator"}
_MATCH = "/api/matches/{match}"
ENDPOINTS = (
    Endpoint("GET", "/api/games", "All games", games, schema.Games),
    Endpoint("GET", "/api/progress", "How much of each game is compiled; tables and bots wait for it", progress,
             schema.Progress),
    Endpoint("POST", "/api/people", "Become somebody: a name is enough", new_person, schema.NewToken,
             takes=schema.NewPerson, cost=10),
    Endpoint("GET", "/api/me", "Who I am", me, schema.Person, token="yes"),
    Endpoint("PATCH", "/api/me", "Change my name", rename_me, schema.Person, takes=schema.NewPerson, token="yes"),
    Endpoint("GET", "/api/matches", "Open matches, or mine", list_matches, schema.Matches, token="maybe",
             query={"show": "open or mine", "before": "only those created before, in milliseconds"}, cost=3),
    Endpoint("POST", "/api/matches", "Make a match", new_match, schema.MatchMade, takes=schema.NewMatch,
             token="yes", cost=5),
    Endpoint("GET", _MATCH, "A match as a seat sees it", one_match, schema.Update, token="maybe", query=_SEAT),
    Endpoint("POST", _MATCH + "/commands", "Act in a match", command, schema.Done, takes=schema.AnyCommand,
             token="yes"),
    Endpoint("GET", _MATCH + "/moves", "The legal moves of a seat, with ways to click them and what they would do",
             moves, schema.Moves, token="yes", query=_SEAT),
    Endpoint("POST", _MATCH + "/draft", "Try out a deal without offering it", draft, schema.DraftInfo,
             takes=schema.Draft, token="maybe"),
    Endpoint("GET", _MATCH + "/offers", "The offers of a match, of earlier turns too", offers, schema.Offers,
             token="maybe", query=_SEAT),
    Endpoint("GET", _MATCH + "/transcript", "The transcript (.game)", transcript, str, token="maybe", query=_SEAT),
    Endpoint("GET", _MATCH + "/plies/{ply}", "The position before a ply, or now, with the arithmetic done", position,
             schema.Position, token="maybe", query=_SEAT),
    Endpoint("POST", _MATCH + "/hint", "The best moves of a seat of mine that is to decide, with reasons", hint,
             schema.Hint, takes=schema.AskHint, token="yes", cost=3),
    Endpoint("GET", _MATCH + "/review", "A finished match looked at again: chances, luck, mistakes", review,
             schema.Review, cost=3),
    Endpoint("GET", "/api/lessons/{game}", "A guided first game", lesson, schema.Lesson, cost=5),
    Endpoint("POST", "/api/lessons/{game}/plies/{ply}/draft", "Try out a deal in a lesson", lesson_draft,
             schema.DraftInfo, takes=schema.Draft),
)  # fmt: skip


def problem(refusal: Refusal) -> Response:
    """A refusal as an answer."""
    metrics.refusals[refusal.code] += 1
    body = schema.encode(schema.Problem(refusal.code, str(refusal)))
    status = STATUS.get(refusal.code, 409)
    return Response(body, status, media_type="application/json")


async def _body(request: Request, wanted: Any) -> Any:
    """The body of a request, of the right size and kind."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refusal("no-json", "send the body as application/json")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise Refusal("too-large", f"a body has at most {MAX_BODY} bytes")
    try:
        return msgspec.json.decode(body, type=wanted)
    except msgspec.ValidationError as error:
        raise Refusal("bad-body", str(error)) from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refusal("bad-message", f"the body is no JSON: {error}") from error


def route(endpoint: Endpoint, live: Live, rates: Rates, origins: tuple[str, ...]) -> Route:
    """An endpoint as a route."""

    async def handle(request: Request) -> Response:
        try:
            if not rates.take(request.scope, endpoint.cost):
                raise Refusal("slow-down", "too many requests; wait a little")
            if endpoint.method != "GET" and not origin_allowed(request.scope, origins):
                raise Refusal("bad-origin", "pages of other sites may not act here")
            body = None if endpoint.takes is None else await _body(request, endpoint.takes)
            person = None
            if endpoint.token != "no":
                scheme, _, token = request.headers.get("authorization", "").partition(" ")
                person = await live.people.find(token.strip()) if scheme.lower() == "bearer" else None
                if scheme and person is None:
                    raise Refusal("unknown", "nobody has this token")
            asked = Asked(live, person, request.path_params, dict(request.query_params), body)
            answer = await endpoint.answer(asked)
        except Refusal as refusal:
            return problem(refusal)
        except StoreError:
            return problem(Refusal("unavailable", "the database cannot be used now; try again"))
        except ClientDisconnect:
            return Response(status_code=400)
        if isinstance(answer, Response):
            return answer
        return Response(schema.encode(answer), media_type="application/json")

    return Route(endpoint.path, handle, methods=[endpoint.method])
