"""Live matches put together: people, rooms, and the keeper that acts for the house."""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from rostra.engine.game import RostraError
from rostra.games import find_game
from rostra.play.dice import commitment
from rostra.server import decisions, entries, listing, schema, seating, seen
from rostra.server.decisions import HOUSE
from rostra.server.fair import AWAITED, Place
from rostra.server.keeper import Keeper
from rostra.server.limits import LIMITS, Limits
from rostra.server.notify.office import Notify
from rostra.server.notify.wishes import NOTHING, Wishes
from rostra.server.orders import Orders
from rostra.server.people import People, new_id
from rostra.server.profiles import Profiles
from rostra.server.records import Records, record_of
from rostra.server.replay import Unplayable, readable
from rostra.server.rooms import Rooms, Tasks
from rostra.server.store import LogRow, MatchRow, Store
from rostra.server.summing import sum_all
from rostra.server.table import UNAVAILABLE, Refusal, Table
from rostra.server.workers import Question, Workers, question

REVIEWS = 500
"""Number of reviews kept in memory."""


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Live:
    """See the module."""

    def __init__(
        self,
        store: Store,
        workers: Workers,
        clock: Callable[[], int] = now_ms,
        abandon_days: float = 0,
        limits: Limits = LIMITS,
        wishes: Wishes = NOTHING,
    ) -> None:
        self.store = store
        self.preparing = workers.preparing
        self.workers = workers
        self.clock = clock
        self._abandon_days = abandon_days
        self._limits = limits
        self._tasks = Tasks()
        self.people = People(store, clock)
        self.rooms = Rooms(
            store, clock, self._tasks, self.preparing, lambda room, table: self.keeper.schedule(room, table), limits
        )
        self.keeper = Keeper(self.rooms, store, workers, self._tasks, clock)
        self.profiles = Profiles(store, self.people.devices, clock)
        self.records = Records(store, self.rooms, clock)
        self.rooms.may_sit = self.profiles.check_sit
        self.rooms.over = lambda table: self._tasks.spawn(self.records.note(record_of(table)))
        self.notify = Notify(store, self.rooms, self._tasks, clock, wishes)
        self.keeper.excuse = self.notify.vacations.credit
        self.orders = Orders(store, self.rooms, self.people)
        self._reviews: OrderedDict[str, asyncio.Future[schema.Review | None]] = OrderedDict()

    async def start(self) -> None:
        """Begin to listen and to act for bots and clocks."""
        await self.orders.start()
        self._tasks.spawn(self.orders.follow())
        await self.store.listen(self._heard)
        await self.notify.start()
        self.keeper.start(self._abandon_days)
        self._tasks.spawn(sum_all(self.store, self.preparing))
        self._tasks.spawn(self.records.keep_up())
        if self.store.shared:
            self._tasks.spawn(self.people.keep_checking())

    def _heard(self, match: str | None, stored: LogRow | None) -> None:
        """Another process stored something, or may have."""
        self.rooms.changed(match, stored)
        self.keeper.heard(match)

    async def log(self, match: str) -> str:
        """The log of a match as text, whether or not it can be played on."""
        trouble: str | None = None
        try:
            await self.rooms.read(match, lambda table: None)
        except Unplayable as problem:
            trouble = str(problem)
        row = await self.store.match(match)
        if row is None:
            raise Refusal("no-match", "there is no such match")
        return readable(row, await self.store.entries(match, 0), trouble)

    async def close(self) -> None:
        """Stop everything that runs by itself."""
        await self._tasks.close()
        await self.notify.close()

    async def create(self, person: str, wanted: schema.NewMatch) -> schema.MatchMade:
        """A new match; its dice are bound from now on."""
        try:
            game = find_game(wanted.game)
            game.check_seats(len(wanted.seats))
            game.option_codes(wanted.options, len(wanted.seats))
        except RostraError as error:
            raise Refusal("bad-option", str(error)) from error
        decisions.known_bot(wanted.settings.stand_in, game)
        seating.check_promise(wanted.settings)
        for number, seat in enumerate(wanted.seats):
            if (seat.kind == "bot") != (seat.bot is not None):
                raise Refusal("bad-option", f"seat {number}: a bot has a name, as in {{kind: bot, bot: eques}}")
        bots: decisions.Events = [
            entries.Sat(number, decisions.able_bot(seat.bot, game, len(wanted.seats)), None, seat.bot)
            for number, seat in enumerate(wanted.seats)
            if seat.bot is not None
        ]
        await self._room_for(person, alone=len(bots) == len(wanted.seats))
        seed, now = secrets.token_bytes(32), self.clock()
        row = MatchRow(
            new_id(), game.name, game.rules.version, msgspec.json.encode(wanted).decode(), seed.hex(), person,
            int(wanted.settings.listed), "waiting", now, now, None,
        )  # fmt: skip
        await self.store.add_match(row._replace(seated=listing.planned(row)))
        if bots:
            room = self.rooms.room(row.id)
            async with room.lock:
                await self.rooms.carry_out(room, lambda table: decisions.begin(table, bots), HOUSE, None)
        return schema.MatchMade(row.id, commitment(seed))

    async def _room_for(self, person: str, alone: bool) -> None:
        """Refuse one more match where this person has made too many that go on; `alone`: one where only bots play."""
        if alone:
            self.workers.check(person)
        limits, (unfinished, of_bots) = self._limits, await self.store.made_by(person)
        if limits.matches and unfinished >= limits.matches:
            raise Refusal("too-many", f"{unfinished} matches that you made go on; end or close one first")
        if alone and limits.bot_matches and of_bots >= limits.bot_matches:
            raise Refusal("too-many", f"bots play {of_bots} matches for you already; wait for one to end, or close it")

    async def hint(self, match: str, wanted: schema.AskHint, person: str) -> schema.Hint:
        """The best moves of a seat that is to decide, for the person who holds it."""

        def looking(table: Table) -> Question:
            playing = decisions.may_ask_hint(table, wanted, person)
            return question("hint", table.game, "", wanted.seat, playing.state)

        reply = await self.workers.ask(await self.rooms.read(match, looking), Place(AWAITED, person, match))
        if reply is None or reply.hint is None:
            raise Refusal("unavailable", "nobody had the time to think; try again", UNAVAILABLE)
        return msgspec.structs.replace(reply.hint, epoch=wanted.epoch, ply=wanted.ply)

    async def review(self, match: str, asker: str) -> schema.Review:
        """The review of a finished match, made once for all who ask; `asker` is a person, or the address of one."""
        known = self._reviews.get(match)
        if known is None:

            def looking(table: Table) -> str:
                if table.status != "over" or table.match is None:
                    raise Refusal("not-over", "a match can be reviewed when it has been played to its end")
                decisions.needs_net(table.game, len(table.seats))
                return seen.game_text(table, None)

            text = await self.rooms.read(match, looking)
            known = self._reviews.get(match)  # somebody else may have asked meanwhile
            if known is None:
                known = self._reviews[match] = asyncio.ensure_future(self._study(match, text, asker))
            if len(self._reviews) > REVIEWS:
                self._reviews.popitem(last=False)
        review = await asyncio.shield(known)
        if review is None:
            raise Refusal("unavailable", "nobody had the time to look at it; try again", UNAVAILABLE)
        return review

    async def _study(self, match: str, transcript: str, asker: str) -> schema.Review | None:
        """A review; one that was not made can be asked for again."""
        review = None
        try:
            review = await self.workers.study(transcript, Place(AWAITED, asker, match))
        finally:
            if review is None:
                self._reviews.pop(match, None)
        return review
