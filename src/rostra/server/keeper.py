"""Does what is due at each table: clocks that run out, choices that are confirmed by time, bots that think.

`house` says what is due and when; here it is done in time, also for matches whose process died.
"""

import asyncio
import contextlib
import heapq
import logging
import secrets
from collections.abc import Awaitable, Callable

import msgspec

from rostra.server import decisions, entries, house, schema, seen
from rostra.server.decisions import HOUSE, decide
from rostra.server.rooms import Room, Rooms, Tasks
from rostra.server.store import Store, StoreError
from rostra.server.table import Refusal, Table
from rostra.server.workers import Question, Reply, Workers, question

log = logging.getLogger("rostra.live")

POLL = 2.0
"""Seconds between looks for matches that a dead process left alone."""
CLAIM = 10_000
"""Milliseconds for which a process takes over such a match."""
ANY_MOVE = "?"
"""Stands for any move that needs nobody, when no bot had an answer."""


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

    async def _look_after(self) -> None:
        """Take over matches whose process died."""
        late = 0
        while True:
            try:
                now = self._clock()
                for match, due in await self._store.due(now - late, 100):
                    if await self._store.claim(match, due, now + CLAIM):
                        await self.serve(match, claimed=now + CLAIM)
            except StoreError as error:
                log.warning("look after", extra={"problem": str(error)})
            late = int(POLL * 1000)
            await asyncio.sleep(POLL)

    async def _clear_up(self, days: float) -> None:
        """Every hour: end matches that everybody has forgotten."""
        while True:
            try:
                await self.abandon(days)
            except StoreError as error:
                log.warning("clear up", extra={"problem": str(error)})
            await asyncio.sleep(3600)

    async def abandon(self, days: float) -> None:
        """End matches in which nothing has happened for this many days."""
        since = self._clock() - int(days * 24 * 3600 * 1000)

        def forgotten(table: Table) -> decisions.Events:
            if table.at >= since or table.status == "over":
                raise Refusal("stale", "somebody came back")
            return [entries.Ended("abandoned", [])]

        for match in await self._store.idle(since, 1000):
            room = self._rooms.room(match)
            with contextlib.suppress(Refusal):
                async with room.lock:
                    await self._rooms.carry_out(room, forgotten, HOUSE, None)

    async def serve(self, match: str, claimed: int | None = None) -> None:
        """Do what is due at a table, and have its bots think."""
        room = self._rooms.room(match)
        room.wake = None
        try:
            async with room.lock:
                table = await self._rooms.table(room)
                table.due = claimed if claimed is not None else table.due
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
                        self._tasks.spawn(self._think(room, job, *_asked(table, room.talk, job)))
                self.schedule(room, table)
                if claimed is not None and table.due == claimed:
                    table.due = house.due(table, room.talk)
                    await self._store.claim(match, claimed, table.due)
        except (Refusal, StoreError) as error:
            log.warning("serve", extra={"match": match, "problem": str(error)})

    def _overdue(self, table: Table) -> decisions.Events:
        """What is to happen by itself; decided again when another process was quicker."""
        events = house.events(table, self._clock())
        if not events:
            raise Refusal("stale", "it has happened already")
        return events

    async def _think(self, room: Room, job: house.Job, asked: Question, where: tuple[int, int]) -> None:
        """Have a bot think, and carry its answer out if it still fits."""
        try:
            reply = await self._workers.ask(asked)
            for command, line in _spoken(room, job, where, reply):
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
                        anything = schema.Play(command.id + "x", room.match, job.seat, *where, ANY_MOVE)
                        await self._for_bot(room, anything, where)
        except (Refusal, StoreError) as error:
            log.warning("think", extra={"match": room.match, "problem": str(error)})
        finally:
            room.thinking.discard(job)
            room.talk.last[job.seat] = self._clock()
            if room.table is not None:
                self.schedule(room, room.table)

    async def _for_bot(
        self, room: Room, command: schema.AnyCommand, where: tuple[int, int], line: list[str] | None = None
    ) -> None:
        """Carry out what a bot wants, if play is still where it was asked, with the line that it says."""

        def deciding(table: Table) -> decisions.Events:
            wanted = command
            if table.match is None or (table.match.epoch, len(table.match.log)) != where:
                raise Refusal("stale", "play has gone on")
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


def _asked(table: Table, talk: house.Talk, job: house.Job) -> tuple[Question, tuple[int, int]]:
    """What a bot has to think about, and the ply it is asked at."""
    assert table.match is not None
    bot = table.seats[job.seat].bot
    assert bot is not None
    refused = [offer.terms for offer in table.offers[table.first_offer :] if offer.status != "open"]
    refused += talk.unpaid[job.seat]
    asked = question(job.kind, table.game, bot, job.seat, table.match.state)
    asked = msgspec.structs.replace(asked, refused=refused)
    if job.offer >= 0:
        offer = table.offers[job.offer]
        asked = msgspec.structs.replace(asked, by=offer.seat, terms=offer.terms)
    return asked, (table.match.epoch, len(table.match.log))


def _spoken(
    room: Room, job: house.Job, where: tuple[int, int], reply: Reply | None
) -> list[tuple[schema.AnyCommand, list[str] | None]]:
    """What a bot's reply means as commands, each with what it says; without a reply the house plays any move that needs
    nobody."""
    name, match, talk = secrets.token_hex(8), room.match, room.talk
    if job.kind == "act":
        move = ANY_MOVE if reply is None or reply.move is None else reply.move
        return [(schema.Play(name, match, job.seat, *where, move), None)]
    terms, lines = (None, []) if reply is None else (reply.terms, reply.lines)
    line, counter_line = [*lines, None, None][:2]
    if job.kind == "offer":
        talk.offers[job.seat] += 1
        if terms is None:
            talk.silent.add(job.seat)
            return []
        return [(schema.Offer(name, match, job.seat, terms, None, *where), line)]
    said: list[tuple[schema.AnyCommand, list[str] | None]] = [
        (schema.Answer(name, match, job.seat, job.offer, bool(reply and reply.yes)), line)
    ]
    if terms is not None and talk.counters[job.seat] < house.COUNTERS:
        talk.counters[job.seat] += 1
        said.append((schema.Offer(name + "c", match, job.seat, terms, job.offer, *where), counter_line))
    return said
