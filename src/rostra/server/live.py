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
from rostra.server import decisions, entries, schema, seen
from rostra.server.decisions import HOUSE
from rostra.server.keeper import Keeper
from rostra.server.orders import Orders
from rostra.server.people import People, new_id
from rostra.server.rooms import Rooms, Tasks
from rostra.server.store import MatchRow, Store
from rostra.server.table import Refusal, Table
from rostra.server.workers import Question, Workers, question

REVIEWS = 500
"""Number of reviews kept in memory."""


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Live:
    """See the module."""

    def __init__(
        self, store: Store, workers: Workers, clock: Callable[[], int] = now_ms, abandon_days: float = 0
    ) -> None:
        self.store = store
        self.preparing = workers.preparing
        self.workers = workers
        self.clock = clock
        self._abandon_days = abandon_days
        self._tasks = Tasks()
        self.people = People(store, clock)
        self.rooms = Rooms(
            store, clock, self._tasks, self.preparing, lambda room, table: self.keeper.schedule(room, table)
        )
        self.keeper = Keeper(self.rooms, store, workers, self._tasks, clock)
        self.orders = Orders(store, self.rooms, self.people)
        self._reviews: OrderedDict[str, asyncio.Future[schema.Review | None]] = OrderedDict()

    async def start(self) -> None:
        """Begin to listen and to act for bots and clocks."""
        await self.orders.start()
        self._tasks.spawn(self.orders.follow())
        await self.store.listen(self.rooms.changed)
        self.keeper.start(self._abandon_days)

    async def close(self) -> None:
        """Stop everything that runs by itself."""
        await self._tasks.close()

    async def create(self, person: str, wanted: schema.NewMatch) -> schema.MatchMade:
        """A new match; its dice are bound from now on."""
        try:
            game = find_game(wanted.game)
            game.check_seats(len(wanted.seats))
            game.option_codes(wanted.options, len(wanted.seats))
        except RostraError as error:
            raise Refusal("bad-option", str(error)) from error
        decisions.known_bot(wanted.settings.stand_in)
        for number, seat in enumerate(wanted.seats):
            if (seat.kind == "bot") != (seat.bot is not None):
                raise Refusal("bad-option", f"seat {number}: a bot has a name, as in {{kind: bot, bot: eques}}")
        bots: decisions.Events = [
            entries.Sat(number, decisions.able_bot(seat.bot, game, len(wanted.seats)), None, seat.bot)
            for number, seat in enumerate(wanted.seats)
            if seat.bot is not None
        ]
        seed, now = secrets.token_bytes(32), self.clock()
        row = MatchRow(
            new_id(), game.name, game.rules.version, msgspec.json.encode(wanted).decode(), seed.hex(), person,
            int(wanted.settings.listed), "waiting", now, now, None,
        )  # fmt: skip
        await self.store.add_match(row)
        if bots:
            room = self.rooms.room(row.id)
            async with room.lock:
                await self.rooms.carry_out(room, lambda table: decisions.begin(table, bots), HOUSE, None)
        return schema.MatchMade(row.id, commitment(seed))

    async def hint(self, match: str, wanted: schema.AskHint, person: str) -> schema.Hint:
        """The best moves of a seat that is to decide, for the person who holds it."""

        def looking(table: Table) -> Question:
            playing = decisions.may_ask_hint(table, wanted, person)
            return question("hint", table.game, "", wanted.seat, playing.state)

        reply = await self.workers.ask(await self.rooms.read(match, looking))
        if reply is None or reply.hint is None:
            raise Refusal("unavailable", "nobody had the time to think; try again")
        return msgspec.structs.replace(reply.hint, epoch=wanted.epoch, ply=wanted.ply)

    async def review(self, match: str) -> schema.Review:
        """The review of a finished match, made once for all who ask."""
        known = self._reviews.get(match)
        if known is None:

            def looking(table: Table) -> str:
                if table.status != "over" or table.match is None:
                    raise Refusal("not-over", "a match can be reviewed when it has been played to its end")
                decisions.needs_net(table.game, len(table.seats))
                return seen.game_text(table, None)

            text = await self.rooms.read(match, looking)
            known = self._reviews.setdefault(match, asyncio.ensure_future(self.workers.study(text)))
            if len(self._reviews) > REVIEWS:
                self._reviews.popitem(last=False)
        review = await asyncio.shield(known)
        if review is None:
            self._reviews.pop(match, None)  # so that it can be tried again
            raise Refusal("unavailable", "nobody had the time to look at it; try again")
        return review
