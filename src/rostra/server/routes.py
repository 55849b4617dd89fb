"""The HTTP door: people, matches, transcripts; and all commands, for programs without a WebSocket.

`ENDPOINTS` is the only list: routes and the OpenAPI document are both made from it. A request proves who it is by
`Authorization: Bearer TOKEN`, never by a cookie; no secret is part of an address.
"""

import logging
import math
import re
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rostra.bots import LEVELS, open_bots
from rostra.bots.preparing import TABLE
from rostra.engine.game import RostraError
from rostra.games import all_games
from rostra.server import lessons, metrics, mine, schema, seen
from rostra.server.guard import MAX_BODY, Gate, address_of, origin_allowed
from rostra.server.listing import folded, summary
from rostra.server.live import Live
from rostra.server.notify import doors
from rostra.server.replay import Unplayable
from rostra.server.store import PersonRow, StoreError
from rostra.server.store.lists import Query
from rostra.server.table import Refusal, Table

log = logging.getLogger("rostra.http")
PAGE = 20
"""Matches on a page of a list."""
_is_mark = re.compile("[a-z0-9]{0,20}").fullmatch

STATUS = {
    "bad-message": 400, "unknown": 401, "banned": 403, "not-yours": 403, "not-creator": 403, "bad-origin": 403,
    "no-match": 404, "no-seat": 404, "no-ply": 404, "no-lesson": 404,
    "no-device": 404, "no-profile": 404, "blocked": 403, "bad-code": 404, "no-address": 404, "bad-address": 422,
    "not-found": 404, "not-allowed": 405, "too-large": 413,
    "no-json": 415, "bad-body": 422, "bad-option": 422, "no-bot": 422, "empty": 422, "illegal": 422, "slow-down": 429,
    "unavailable": 503, "crowded": 503, "unplayable": 410,
}  # fmt: skip
"""HTTP status by the code of a refusal; all others are 409: the command does not fit the match as it is."""


class Asked(NamedTuple):
    """A request: who asks, and what was sent with it."""

    live: Live
    person: PersonRow | None
    token: str
    path: dict[str, Any]
    query: dict[str, str]
    body: Any
    address: str
    gate: Gate

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

    def before(self, most: int) -> int | None:
        """Where a page of a list is to end."""
        text = self.query.get("before")
        if text is None or text == "":
            return None
        if not text.isascii() or not text.isdigit() or len(text) > most:
            raise Refusal("bad-option", f"before is a number of at most {most} digits, not {text[:20]!r}")
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

    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    summary: str
    answer: Callable[[Asked], Awaitable[Any]]
    gives: Any
    takes: Any = None
    token: Literal["no", "maybe", "yes"] = "no"
    query: Mapping[str, str] = MappingProxyType({})
    cost: float = 1.0
    """How many messages it counts as, by the time that the server needs for it."""


async def games(asked: Asked) -> schema.Games:
    """All games, with what can be set."""
    return schema.Games(
        [
            schema.GameInfo(
                game.name, game.title, game.rules.version, game.rules.seats,
                [schema.OptionInfo(option.name, list(option.values), option.help) for option in game.rules.options],
                game.desk is not None, open_bots(game), levels,
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
    asked.gate.make("people", asked.address)
    return await asked.live.people.add(asked.body.name, asked.body.label)


async def me(asked: Asked) -> schema.Person:
    """Who asks."""
    return schema.Person(*asked.me())


async def rename_me(asked: Asked) -> schema.Person:
    """Another name."""
    return await asked.live.people.rename(asked.me().id, asked.body.name)


async def list_matches(asked: Asked) -> schema.Matches:
    """A page of matches, from columns alone."""
    show, text = asked.query.get("show", "open"), asked.query.get("q", "")
    after = _mark(asked.query.get("before"))
    person = asked.person.id if asked.person else ""
    match show:
        case "open":
            query = Query("open", person, "", after, PAGE)
        case "mine" | "finished" | "next":
            query = Query(show, asked.me().id, "", after, PAGE)
        case "found":
            if not 0 < len(text) <= 40 or not text.isprintable():
                raise Refusal("bad-option", "q is the name of a person or of a game, of up to 40 characters")
            by_title = {word: game.name for game in all_games().values() for word in (game.name, folded(game.title))}
            game = by_title.get(folded(text))
            query = Query("name" if game is None else "game", person, game or folded(text), after, PAGE)
        case _:
            raise Refusal("bad-option", f"show is open, mine, finished, next or found, not {show[:20]!r}")
    found = await asked.live.store.listed(query)
    shown = [summary(one.row, person or None, one.awaited) for one in found]
    return schema.Matches(shown, "{}-{}".format(*found[-1].mark) if len(found) == PAGE else None)


def _mark(text: str | None) -> tuple[int, str] | None:
    """Where a page begins: what `more` of the page before was; or a time in milliseconds."""
    if text is None:
        return None
    at, _, match = text.partition("-")
    if not at.isascii() or not at.isdigit() or len(at) > 14 or not _is_mark(match):
        raise Refusal("bad-option", f"before is the `more` of another page, or a time, not {text[:20]!r}")
    return int(at), match


async def log_text(asked: Asked) -> Response:
    """The log of a match as text."""
    return PlainTextResponse(await asked.live.log(asked.path["match"]))


async def new_match(asked: Asked) -> schema.MatchMade:
    """A new match."""
    asked.gate.make("matches", asked.address)
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
    return await asked.live.review(asked.path["match"], asked.person.id if asked.person else asked.address)


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


async def chat(asked: Asked) -> schema.Chat:
    """What was said before."""
    before = asked.before(7)
    found = await asked.look(lambda table, seat: seen.earlier_chat(table, seat, before))
    assert isinstance(found, schema.Chat)
    return found


async def transcript(asked: Asked) -> Response:
    """The transcript as a file."""
    try:
        text = await asked.look(seen.game_text)
    except Unplayable:
        text = await asked.live.log(asked.path["match"])
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


_ME, _ADDRESS = "/api/me", "/api/me/addresses/{address}"
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
    Endpoint("GET", "/api/me/devices", "Where I am signed in, and my open links", mine.devices, schema.Devices,
             token="yes"),
    Endpoint("PATCH", "/api/me/devices/{device}", "Name a device", mine.name_device, schema.Devices,
             takes=schema.NameDevice, token="yes"),
    Endpoint("DELETE", "/api/me/devices/{device}", "Sign a device out, or void an open link", mine.revoke,
             schema.Devices, token="yes"),
    Endpoint("POST", "/api/me/token", "Another token for this device; the old one is valid no more", mine.renew,
             schema.NewToken, takes=schema.NameDevice, token="yes", cost=5),
    Endpoint("POST", "/api/me/codes", "A code or link that works once, to sign in elsewhere or to make a friend",
             mine.new_code, schema.Code, takes=schema.NewCode, token="yes", cost=5),
    Endpoint("POST", "/api/sign-in", "Sign in on this device with a code or personal link", mine.sign_in,
             schema.NewToken, takes=schema.UseCode, cost=10),
    Endpoint("GET", "/api/me/profile", "My profile", mine.my_profile, schema.Profile, token="yes", cost=2),
    Endpoint("PATCH", "/api/me/profile", "Open my profile to everybody, or not", mine.set_profile, schema.Profile,
             takes=schema.SetProfile, token="yes", cost=2),
    Endpoint("GET", "/api/people/{person}", "A profile that is open to me", mine.profile, schema.Profile, token="maybe",
             query={"before": "only matches that ended before, in milliseconds"}, cost=2),
    Endpoint("GET", "/api/me/people", "My friends, and whom I block", mine.acquaintances, schema.Acquaintances,
             token="yes"),
    Endpoint("POST", "/api/me/friends", "Become a friend of whoever made this code", mine.befriend,
             schema.Acquaintances, takes=schema.MakeFriend, token="yes", cost=5),
    Endpoint("DELETE", "/api/me/friends/{person}", "Be friends no more", mine.part, schema.Acquaintances, token="yes"),
    Endpoint("POST", "/api/me/blocks", "Block who sits in a seat", mine.block, schema.Acquaintances,
             takes=schema.SeatOf, token="yes"),
    Endpoint("DELETE", "/api/me/blocks/{person}", "Block somebody no longer", mine.unblock, schema.Acquaintances,
             token="yes"),
    Endpoint("GET", "/api/me/data", "All that is kept about me", mine.export, schema.Export, token="yes", cost=10),
    Endpoint("POST", "/api/me/erase", "Erase me and my data for ever", mine.erase, schema.Removed,
             takes=schema.Erase, token="yes", cost=10),
    Endpoint("GET", "/api/matches", "Lists of matches", list_matches, schema.Matches, token="maybe",
             query={"show": "open; or mine, finished, next (where I am awaited, the longest wait first); or found",
                    "q": "what is to be found: the name of a person or of a game, in public matches",
                    "before": "the `more` of the page before"}),
    Endpoint("POST", "/api/matches", "Make a match", new_match, schema.MatchMade, takes=schema.NewMatch,
             token="yes", cost=5),
    Endpoint("GET", _MATCH, "A match as a seat sees it", one_match, schema.Update, token="maybe", query=_SEAT),
    Endpoint("POST", _MATCH + "/commands", "Act in a match", command, schema.Done, takes=schema.AnyCommand,
             token="yes"),
    Endpoint("GET", _MATCH + "/people", "Who plays, as far as their profiles are open to me", mine.sitting,
             schema.SittingPeople, token="maybe"),
    Endpoint("POST", _MATCH + "/report", "Report who sits in a seat to the operators", mine.report, schema.Removed,
             takes=schema.Report, token="yes", cost=10),
    Endpoint("GET", _MATCH + "/moves", "The legal moves of a seat, with ways to click them and what they would do",
             moves, schema.Moves, token="yes", query=_SEAT),
    Endpoint("POST", _MATCH + "/draft", "Try out a deal without offering it", draft, schema.DraftInfo,
             takes=schema.Draft, token="maybe"),
    Endpoint("GET", _MATCH + "/offers", "The offers of a match, of earlier turns too", offers, schema.Offers,
             token="maybe", query=_SEAT),
    Endpoint("GET", _MATCH + "/chat", "The chat of a match, a page of 100 lines", chat, schema.Chat, token="maybe",
             query=_SEAT | {"before": "only lines before this one"}),
    Endpoint("GET", _MATCH + "/transcript", "The transcript (.game)", transcript, str, token="maybe", query=_SEAT),
    Endpoint("GET", _MATCH + "/log", "The log as text, also of a match that this server cannot play on", log_text,
             str),
    Endpoint("GET", _MATCH + "/plies/{ply}", "The position before a ply, or now, with the arithmetic done", position,
             schema.Position, token="maybe", query=_SEAT),
    Endpoint("POST", _MATCH + "/hint", "The best moves of a seat of mine that is to decide, with reasons", hint,
             schema.Hint, takes=schema.AskHint, token="yes", cost=3),
    Endpoint("GET", _MATCH + "/review", "A finished match looked at again: chances, luck, mistakes", review,
             schema.Review, token="maybe", cost=3),
    Endpoint("GET", _ME + "/notifications", "How I am told of my turn", doors.notifications, schema.Notifications,
             token="yes"),
    Endpoint("PATCH", _ME + "/notifications", "My language, time zone and quiet hours", doors.set_taste,
             schema.Notifications, takes=schema.NotifyTaste, token="yes"),
    Endpoint("POST", _ME + "/addresses", "Add where I am told; mail is confirmed by a code", doors.add_address,
             schema.AddressMade, takes=schema.NewAddress, token="yes", cost=20),
    Endpoint("PATCH", _ADDRESS, "What I am told there", doors.set_kinds, schema.Notifications, takes=schema.NewKinds,
             token="yes"),
    Endpoint("POST", _ADDRESS + "/confirm", "Confirm an e-mail address", doors.confirm_address, schema.Notifications,
             takes=schema.AddressCode, token="yes", cost=5),
    Endpoint("POST", _ADDRESS + "/test", "Send a message there now", doors.try_address, schema.Notifications,
             token="yes", cost=20),
    Endpoint("POST", _ADDRESS + "/remove", "Tell me nothing there any more", doors.remove_address,
             schema.Notifications, token="yes"),
    Endpoint("POST", _ME + "/vacation", "Stop my clocks of days until then, or come back", doors.vacation,
             schema.Notifications, takes=schema.Until, token="yes", cost=5),
    Endpoint("POST", "/api/unsubscribe/{key}", "No more mail to the address of this link", doors.unsubscribe,
             schema.Unsubscribed, cost=5),
    Endpoint("GET", "/api/lessons/{game}", "A guided first game", lesson, schema.Lesson, cost=5),
    Endpoint("POST", "/api/lessons/{game}/plies/{ply}/draft", "Try out a deal in a lesson", lesson_draft,
             schema.DraftInfo, takes=schema.Draft),
)  # fmt: skip


def problem(refusal: Refusal) -> Response:
    """A refusal as an answer."""
    metrics.refusals[refusal.code] += 1
    retry = refusal.retry_ms
    body = schema.encode(schema.Problem(refusal.code, str(refusal), msgspec.UNSET if retry is None else retry))
    headers = {} if retry is None else {"retry-after": str(math.ceil(retry / 1000))}
    return Response(body, STATUS.get(refusal.code, 409), headers, media_type="application/json")


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


def route(endpoint: Endpoint, live: Live, gate: Gate, origins: tuple[str, ...]) -> Route:
    """An endpoint as a route."""

    async def handle(request: Request) -> Response:
        try:
            address = address_of(request.scope)
            if endpoint.cost > 1:  # the first is counted at the door
                gate.knock(address, endpoint.cost - 1)
            if endpoint.method != "GET" and not origin_allowed(request.scope, origins):
                raise Refusal("bad-origin", "pages of other sites may not act here")
            body = None if endpoint.takes is None else await _body(request, endpoint.takes)
            person, token = None, ""
            if endpoint.token != "no":
                scheme, _, token = request.headers.get("authorization", "").partition(" ")
                token = token.strip()
                person = await live.people.find(token) if scheme.lower() == "bearer" else None
                gate.enter(address, person and person.id, endpoint.cost)
                if scheme and person is None:
                    raise Refusal("unknown", "nobody has this token")
            else:
                gate.enter(address, None, endpoint.cost)
            asked = Asked(live, person, token, request.path_params, dict(request.query_params), body, address, gate)
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
