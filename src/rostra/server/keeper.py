"""Does what is due at each table: clocks that run out, choices that are confirmed by time, bots that think.

`house` says what is due and when; here it is done in time, also for matches whose process died.
"""

import asyncio
import contextlib
import heapq
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import msgspec

from rostra.bots import open_bot
from rostra.server import decisions, entries, house, schema, seen
from rostra.server.decisions import HOUSE, decide
from rostra.server.fair import AWAITED, BOTS, PEOPLE, RETRY_MS, Place
from rostra.server.replay import Unplayable
from rostra.server.rooms import Room, Rooms, Tasks
from rostra.server.store import Store, StoreError
from rostra.server.table import Refusal, Table
from rostra.server.workers import Question, Reply, Workers, question

log = logging.getLogger("rostra.live")

POLL = 2.0
"""Seconds between looks for matches that a dead process left alone."""
TAKEN, AT_ONCE = 500, 8
"""Number of such matches that are taken over in one statement, and of those that are read at the same time."""
RETRY, AGAIN = 1000, 300_000
"""Milliseconds after which a match is tried again: when the database could not be used, and when the match is one that
cannot be played on (by this process: another one may be newer)."""
ANY_MOVE = "?"
"""Stands for any move that needs nobody, when no bot had an answer."""


class Where(NamedTuple):
    """Where play was when a bot was asked, and how many offers of this turn, but for counter-offers, were its own."""

    epoch: int
    plies: int
    offers: int


class Keeper:
    """See the module."""

    def __init__(self, rooms: Rooms, store: Store, workers: Workers, tasks: Tasks, clock: Callable[[], int]) -> None:
        self._rooms = rooms
        self._store = store
        self._workers = workers
        self._tasks = tasks
        self._clock = clock
        self._due: list[tuple[int, str]] = []
        self._wake = asyncio.Event()
        self.excuse: Callable[[Room], Awaitable[None]] | None = None
        """Called when a clock has run out, before that has consequences; the room is locked."""

    def start(self, abandon_days: float) -> None:
        """Begin to act for bots and clocks, and (0 days: never) to end forgotten matches."""
        self._tasks.spawn(self._keep_time())
        self._tasks.spawn(self._look_after())
        if abandon_days:
            self._tasks.spawn(self._clear_up(abandon_days))

    def schedule(self, room: Room, table: Table) -> None:
        """Remember when there is something to do, besides what a bot thinks about already."""
        due = house.due(table, room.talk, room.thinking)
        if due is not None and (room.wake is None or due < room.wake):
            room.wake = due
            heapq.heappush(self._due, (due, room.match))
            if self._due[0] == (due, room.match):
                self._wake.set()

    async def _keep_time(self) -> None:
        """Do what is due, when it is due."""
        while True:
            self._wake.clear()
            wait = None if not self._due else max(0, self._due[0][0] - self._clock()) / 1000
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), wait)
            now = self._clock()
            while self._due and self._due[0][0] <= now:
                due, match = heapq.heappop(self._due)
                room = self._rooms.find(match)
                if room is None or room.wake == due:  # else it was rescheduled
                    self._tasks.spawn(self.serve(match))

    def heard(self, match: str | None) -> None:
        """Another process changed a match, or (None) perhaps several: those that this one acts for and does not have in
        memory are looked at."""
        kept = self._store.kept()
        for one in [match] if match is not None else list(kept):
            room = self._rooms.find(one)
            if one in kept and (room is None or (room.table is None and not room.watchers)):
                self._again(one, 0)

    def _again(self, match: str, wait: int) -> None:
        """Look at a match in so many milliseconds."""
        due = self._clock() + wait
        room = self._rooms.find(match)
        if room is not None:
            room.wake = due
        heapq.heappush(self._due, (due, match))
        self._wake.set()

    async def _look_after(self) -> None:
        """Take over matches for which nobody acts; whatever is wrong with one of them, the others get their turn."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(match: str) -> None:
            async with gate:
                await self.serve(match)

        while True:
            try:
                while taken := await self._store.claim_due(self._clock(), TAKEN):
                    await asyncio.gather(*map(one, taken))
            except Exception as error:
                log.warning("look after", extra={"problem": str(error) or type(error).__name__})
            await asyncio.sleep(POLL)

    async def _clear_up(self, days: float) -> None:
        """Every hour: end matches that everybody has forgotten."""
        while True:
            try:
                await self.abandon(days)
            except Exception as error:
                log.warning("clear up", extra={"problem": str(error) or type(error).__name__})
            await asyncio.sleep(3600)

    async def abandon(self, days: float) -> None:
        """End matches in which nothing has happened for this many days."""
        since = self._clock() - int(days * 24 * 3600 * 1000)

        def forgotten(table: Table) -> decisions.Events:
            if table.at >= since or table.status == "over":
                raise Refusal("stale", "somebody came back")
            return [entries.Ended("abandoned", [])]

        for match in await self._store.idle(since, 1000):
            try:
                room = self._rooms.room(match)
                async with room.lock:
                    await self._rooms.carry_out(room, forgotten, HOUSE, None)
            except Unplayable:
                await self._rooms.abandon(match)
            except Refusal:
                continue
            except Exception as error:  # one match must not keep the others from their turn
                log.error("abandon", extra={"match": match, "problem": str(error) or type(error).__name__})

    async def serve(self, match: str) -> None:
        """Do what is due at a table, and have its bots think. Nothing that is wrong with a match harms others."""
        try:
            await self._serve(match)
        except StoreError as error:
            log.warning("serve", extra={"match": match, "problem": str(error)})
            self._again(match, RETRY)
        except Exception as error:
            if not isinstance(error, Refusal):
                log.error("serve", exc_info=error, extra={"match": match})
            with contextlib.suppress(StoreError):
                await self._store.give_up(match, self._clock() + AGAIN)

    async def _serve(self, match: str) -> None:
        room = self._rooms.room(match)
        room.wake = room.trouble = None
        async with room.lock:
            if not await self._store.claim(match):
                return  # another process acts for it; if it dies, somebody looks after the match
            table = await self._rooms.table(room)
            clock = house.clock_at(table)
            if clock is not None and clock <= self._clock() and self.excuse is not None:
                await self.excuse(room)
                table = await self._rooms.table(room)
            if house.events(table, self._clock()):
                with contextlib.suppress(Refusal):
                    await self._rooms.carry_out(room, self._overdue, HOUSE, None)
                table = await self._rooms.table(room)
            for when, job in house.jobs(table, room.talk):
                if when <= self._clock() and job not in room.thinking:
                    room.thinking.add(job)
                    self._tasks.spawn(self._think(room, job, *_asked(table, room.talk, job), _place(room, table)))
            self.schedule(room, table)
            if house.due(table, room.talk) is None:
                self._store.kept().discard(match)

    def _overdue(self, table: Table) -> decisions.Events:
        """What is to happen by itself; decided again when another process was quicker."""
        events = house.events(table, self._clock())
        if not events:
            raise Refusal("stale", "it has happened already")
        return events

    async def _ask(self, asked: Question, place: Place) -> Reply | None:
        """What a worker says; where too many wait for one, the bot takes its time."""
        while True:
            try:
                return await self._workers.ask(asked, place)
            except Refusal as crowded:
                await asyncio.sleep((crowded.retry_ms or RETRY_MS) / 1000)

    async def _think(self, room: Room, job: house.Job, asked: Question, where: Where, place: Place) -> None:
        """Have a bot think, and carry its answer out if it still fits."""
        try:
            reply = await self._ask(asked, place)
            for command, line in _spoken(room, job, asked, where, reply):
                try:
                    await self._for_bot(room, command, where, line)
                except Refusal as refusal:
                    if refusal.code == "cannot-pay" and isinstance(command, schema.Offer):
                        room.talk.unpaid[job.seat].append(command.terms)  # it alone learns that, and tries another
                        continue
                    if refusal.code != "illegal":
                        continue  # play has gone on meanwhile
                    log.error("bot", extra={"bot": asked.bot, "problem": refusal.code})  # the text names its cards
                    room.talk.silent.add(job.seat)
                    if job.kind == "act":
                        anything = schema.Play(command.id + "x", room.match, job.seat, *where[:2], ANY_MOVE)
                        await self._for_bot(room, anything, where)
        except (Refusal, StoreError) as error:
            log.warning("think", extra={"match": room.match, "problem": str(error)})
        except Exception as error:  # this match has to wait; else it would be tried again and again
            log.error("think", exc_info=error, extra={"match": room.match})
            self._again(room.match, AGAIN)
            return
        finally:
            room.thinking.discard(job)
            room.talk.last[job.seat] = self._clock()
        if room.table is not None:
            self.schedule(room, room.table)

    async def _for_bot(
        self, room: Room, command: schema.AnyCommand, where: Where, line: list[str] | None = None
    ) -> None:
        """Carry out what a bot wants, if play is still where it was asked, with the line that it says."""

        def deciding(table: Table) -> decisions.Events:
            wanted = command
            if table.match is None or (table.match.epoch, len(table.match.log)) != where[:2]:
                raise Refusal("stale", "play has gone on")
            if isinstance(wanted, schema.Offer) and _was_made(table, wanted, where):
                raise Refusal("stale", "the same bot has made an offer through another process")
            if isinstance(wanted, schema.Play) and wanted.move == ANY_MOVE:
                alone = seen.choices(table, table.match)[0]
                wanted = msgspec.structs.replace(wanted, move=secrets.choice(alone or [ANY_MOVE]))
            events = decide(table, wanted, HOUSE, self._clock())
            return [_with_line(event, line) for event in events]

        async with room.lock:
            await self._rooms.carry_out(room, deciding, HOUSE, command.id)


def _with_line(event: entries.AnyEvent, line: list[str] | None) -> entries.AnyEvent:
    """An offer or an answer with what the bot says to it; people cannot put words of the house into a command."""
    if isinstance(event, entries.Offered | entries.Answered):
        return msgspec.structs.replace(event, line=line)
    return event


def _place(room: Room, table: Table) -> Place:
    """For whom a bot thinks: its work counts for who made the match."""
    people = {seat.person for seat in table.seats if seat.person is not None}
    awaited = any(watcher.person in people for watcher, _ in room.watchers)
    return Place(AWAITED if awaited else PEOPLE if people else BOTS, table.creator, table.id)


def _offers(table: Table, seat: int) -> list[int | None]:
    """The offers that a seat has made in this turn: the number of the one that each counters."""
    return [offer.counters for offer in table.offers[table.first_offer :] if offer.seat == seat]


def _was_made(table: Table, wanted: schema.Offer, where: Where) -> bool:
    """Whether the bot made this offer meanwhile, because another process asked it too."""
    made = _offers(table, wanted.seat)
    return made.count(None) != where.offers if wanted.counters is None else wanted.counters in made


def _asked(table: Table, talk: house.Talk, job: house.Job) -> tuple[Question, Where]:
    """What a bot has to think about, and where play is."""
    assert table.match is not None
    bot = table.seats[job.seat].bot
    assert bot is not None
    refused = [offer.terms for offer in table.offers[table.first_offer :] if offer.status != "open"]
    refused += talk.unpaid[job.seat]
    asked = question(job.kind, table.game, open_bot(bot, table.game), job.seat, table.match.state)
    asked = msgspec.structs.replace(asked, refused=refused)
    if job.kind == "quote":
        asked = msgspec.structs.replace(asked, terms=[table.asked[job.offer].about])
    elif job.offer >= 0:
        offer = table.offers[job.offer]
        asked = msgspec.structs.replace(asked, by=offer.seat, terms=offer.terms)
    return asked, Where(table.match.epoch, len(table.match.log), _offers(table, job.seat).count(None))


def _spoken(
    room: Room, job: house.Job, asked: Question, where: Where, reply: Reply | None
) -> list[tuple[schema.AnyCommand, list[str] | None]]:
    """What a bot's reply means as commands, each with what it says; without a reply the house plays any move that needs
    nobody."""
    name, match, talk = secrets.token_hex(8), room.match, room.talk
    if job.kind == "act":
        move = ANY_MOVE if reply is None or reply.move is None else reply.move
        return [(schema.Play(name, match, job.seat, *where[:2], move), None)]
    if job.kind == "quote":
        price = None if reply is None else reply.price
        return [(schema.NamePrice(name, match, job.seat, price, asked.terms[0], False, *where[:2]), None)]
    terms, lines = (None, []) if reply is None else (reply.terms, reply.lines)
    line, counter_line = [*lines, None, None][:2]
    if job.kind == "offer":
        talk.offers[job.seat] += 1
        if terms is None:
            talk.silent.add(job.seat)
            return []
        return [(schema.Offer(name, match, job.seat, terms, None, *where[:2]), line)]
    said: list[tuple[schema.AnyCommand, list[str] | None]] = [
        (schema.Answer(name, match, job.seat, job.offer, bool(reply and reply.yes)), line)
    ]
    if terms is not None and talk.counters[job.seat] < house.COUNTERS:
        talk.counters[job.seat] += 1
        said.append((schema.Offer(name + "c", match, job.seat, terms, job.offer, *where[:2]), counter_line))
    return said
