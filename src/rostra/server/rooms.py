"""The matches that this process serves: one path for all commands, and updates for everybody who watches.

A command is decided, stored, and only then acknowledged and sent out; while it is being stored the match is locked, so
nobody sees what might still be lost. Other processes may serve the same match at the same time. The number of an entry
decides who was first; the other throws its table away, reads again and decides again.
"""

import asyncio
import contextlib
import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from typing import Protocol, TypeVar

from rostra.bots.preparing import TABLE, Preparing
from rostra.server import decisions, details, entries, house, listing, metrics, schema, seen
from rostra.server.decisions import decide
from rostra.server.limits import LIMITS, Limits
from rostra.server.notify import bell as notify_bell
from rostra.server.notify.bell import Bell
from rostra.server.replay import Unplayable, entry_of, table_of
from rostra.server.store import Append, Call, LogRow, Statements, Store, StoreError
from rostra.server.summing import ending, sum_one
from rostra.server.table import ABOUT, PLAY, UNAVAILABLE, Refusal, Table

log = logging.getLogger("rostra.live")
_is_match_id = re.compile(schema.MATCH_ID).fullmatch
Answer = TypeVar("Answer")

IDLE_ROOMS = 2000
"""Number of matches without watchers that stay in memory (10 to 40 KB each), and of further ones before the idle ones
are dropped."""
GRACE = 2.0
"""Seconds until somebody without a connection is reported as offline: a page that is loaded again is back by then."""
BUSY_MS = 200
ATTEMPTS = 8
"""Number of times that a command is decided again because another process was quicker."""


class Watcher(Protocol):
    """A connection that watches."""

    person: str | None
    away: bool
    """Whether its person is not looking."""

    def post(self, message: bytes) -> None:
        """Send it when possible, without waiting."""


class Room:
    """A match of this process: its table (None: to be read again), its lock, and who watches it."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.table: Table | None = None
        self.kept: listing.Sum | None = None
        """What the store has of the table besides its log; None: not known."""
        self.trouble: Unplayable | None = None
        """Why it cannot be played on."""
        self.lock = asyncio.Lock()
        self.watchers: dict[tuple[Watcher, int | None], bool] = {}
        """Who watches as which seat, and whether with details."""
        self.sent = 0
        """Number of the last entry that was sent to the watchers."""
        self.presence: list[schema.Here | None] = []
        """What was last sent about who is there."""
        self.talk = house.Talk()
        self.thinking: set[house.Job] = set()
        self.wake: int | None = None
        """When the house looks at it next."""

    @property
    def idle(self) -> bool:
        """Whether nobody needs it now."""
        return not (self.watchers or self.thinking or self.lock.locked())


class Tasks:
    """Background tasks; their errors are logged."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Run a coroutine in the background."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Task[None]") -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task", exc_info=error)

    async def close(self) -> None:
        """Stop everything."""
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


class Rooms:
    """See the module; `schedule(room, table)` is called when the house may have something to do there."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], int],
        tasks: Tasks,
        preparing: Preparing,
        schedule: Callable[[Room, Table], None],
        limits: Limits = LIMITS,
    ) -> None:
        self._store = store
        self._preparing = preparing
        self._clock = clock
        self._tasks = tasks
        self._schedule = schedule
        self._limits = limits
        self.bell: Bell | None = None
        """Calls people who are not here; None where nobody has set that up."""
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self.may_sit: Callable[[Table, str], Awaitable[None]] | None = None
        """Refuses somebody a seat, by what is not in the log."""
        self.over: Callable[[Table], None] = lambda table: None
        """Called when a match has ended."""
        self._most = 2 * IDLE_ROOMS
        """At this number it is time to drop the idle ones."""

    def __contains__(self, match: object) -> bool:
        return match in self._rooms

    def find(self, match: str) -> Room | None:
        """The room of a match, if it is in memory."""
        return self._rooms.get(match)

    def room(self, match: str) -> Room:
        """The room of a match, made if need be; idle rooms may be dropped for it."""
        room = self._rooms.get(match)
        if room is not None:
            self._rooms.move_to_end(match)
            return room
        if not _is_match_id(match):  # not every text is safe in a database
            raise _no_match()
        if len(self._rooms) >= self._most:
            idle = [one.match for one in self._rooms.values() if one.idle]
            for name in idle[: max(0, len(idle) - IDLE_ROOMS)]:
                del self._rooms[name]
            self._most = len(self._rooms) + IDLE_ROOMS  # not at every new room: looking through all takes long
        room = self._rooms[match] = Room(match)
        metrics.MATCHES_LOADED.set(len(self._rooms))
        return room

    async def table(self, room: Room) -> Table:
        """The table of a room, read from the store if need be; the room is locked."""
        if room.trouble is not None:
            raise room.trouble
        if room.table is None:
            row = await self._store.match(room.match)
            if row is None:
                self._rooms.pop(room.match, None)
                raise _no_match()
            await self._preparing.wait(row.game, TABLE)
            try:
                table = table_of(row, await self._store.entries(room.match, 0))
            except Unplayable as problem:
                log.warning("unplayable", extra={"match": room.match, "problem": str(problem)})
                room.trouble = problem
                if problem.trouble == "damaged" != row.trouble:
                    self._tasks.spawn(sum_one(self._store, self._preparing, room.match))
                raise
            if row.trouble is not None:
                self._tasks.spawn(sum_one(self._store, self._preparing, room.match))
            room.table = table
            room.kept = listing.total(table) if 0 < row.number == table.number else None
            if table.number > room.sent:  # another process was quicker, or an append broke off and is there after all
                self.tell(room, table, seen.EVERYTHING, seen.START)
        return room.table

    async def read(self, match: str, look: Callable[[Table], Answer]) -> Answer:
        """Look at a table; everything on it is stored."""
        room = self.room(match)
        async with room.lock:
            return look(await self.table(room))

    async def rewrite(self, match: str, work: Callable[[], Statements[bool]]) -> None:
        """Change a log (`work` returns whether it did), fill in lists again, and send everything to those who watch. An
        empty entry follows where play goes on: a client takes news only if its number is higher."""
        room = self.room(match)
        async with room.lock:
            changed = await self._store.transact(work)
            room.table, room.kept = None, None
            await sum_one(self._store, self._preparing, match)
            row = await self._store.match(match)
            if changed and row is not None and row.status != "over":
                await self.carry_out(room, lambda table: [], decisions.HOUSE, None)
        if room.watchers:
            await self._read_again(room)

    # Commands.

    async def command(self, command: schema.AnyCommand, person: str | None) -> schema.Done:
        """Carry a command out; when this returns it is stored."""
        key = secrets.token_urlsafe(24) if isinstance(command, schema.Link) else ""
        room = self.room(command.match)
        async with room.lock:
            if isinstance(command, schema.Sit) and person is not None and self.may_sit is not None:
                await self.may_sit(await self.table(room), person)
            number, again = await self.carry_out(
                room, lambda table: decide(table, command, person, self._clock(), key, self._limits), person, command.id
            )
        metrics.commands[type(command).__name__] += 1
        given = {"key": key} if key and not again else {}
        return schema.Done(command.id, command.match, number, **given)

    async def carry_out(
        self, room: Room, deciding: Callable[[Table], decisions.Events], by: str | None, command: str | None
    ) -> tuple[int, bool]:
        """Decide, store, send out; the number of the entry, and whether it was there before. The room is locked."""
        for _ in range(ATTEMPTS):
            table = await self.table(room)
            if command is not None and (done := table.done(by, command)) is not None:
                return done, True
            number = table.number + 1
            if await self._store_next(room, table, deciding(table), by, command):
                return number, False
        raise Refusal("busy", "too many act on this match at once; try again", BUSY_MS)

    async def _store_next(
        self, room: Room, table: Table, events: decisions.Events, by: str | None, command: str | None
    ) -> bool:
        """Let events happen at the table and store them; False when another process was quicker. Until they are stored
        the room is without a table: whatever goes wrong before, the store is right."""
        before = seen.marks(table)
        was = None if self.bell is None else notify_bell.before(table)
        at = max(self._clock(), table.at)  # clocks may be set back
        entry = entries.Entry(table.number + 1, at, entries.Body(events, by, command))
        room.table = None
        try:
            parts = table.apply(entry, fresh=True)
        except Refusal:
            if len(events) == 1:  # an illegal move: nothing has happened
                room.table = table
            raise
        due = house.due(table, room.talk)
        body = entries.encode(entry.body).decode()
        kept = listing.total(table)
        change = listing.change(table, room.kept, kept, due)
        calls: tuple[Call, ...] = ()
        if self.bell is not None and was is not None:
            calls = self.bell.calls(table, was, entry, self.looking(room.match))
        try:
            stored = await self._store.append(Append(table.id, entry.number, entry.at, body, change, calls))
        except StoreError as error:
            raise Refusal("unavailable", "the match cannot be stored now; try again", UNAVAILABLE) from error
        except asyncio.CancelledError:
            self._tasks.spawn(self._refresh(room))  # it may be stored, and then watchers must be sent it
            raise
        if stored:
            room.table, room.kept = table, kept
            self.tell(room, table, parts, before)
            if table.status == "over" and PLAY in parts:
                self.over(table)
            if due is not None:
                self._schedule(room, table)
            if calls and self.bell is not None:
                self.bell.wake()
        return stored

    async def abandon(self, match: str) -> None:
        """End a match that cannot be played on."""
        room = self.room(match)
        async with room.lock:
            row = await self._store.match(match)
            if row is None or row.status == "over":
                return
            log_rows = await self._store.entries(match, 0)
            number = log_rows[-1].number + 1 if log_rows else 1
            at = max(self._clock(), log_rows[-1].at if log_rows else 0)
            entry, change = ending(row, number, at, log_rows)
            room.table = room.trouble = None
            await self._store.append(Append(match, number, at, entries.encode(entry.body).decode(), change))

    # Who watches.

    async def watch(self, watcher: Watcher, match: str, seat: int | None, detailed: bool = False) -> None:
        """Send everything about a match now, and what changes from now on."""
        room = self.room(match)
        async with room.lock:
            table = await self.table(room)
            if seat is not None and (watcher.person is None or table.seats_of(watcher.person).count(seat) == 0):
                raise Refusal("not-yours", f"seat {seat} is not yours")
            room.watchers[watcher, seat] = detailed
            self._show(table, watcher, seat, detailed)
            self._schedule(room, table)
            self._show_presence(room, table, watcher if detailed else None)
        self.came(match, watcher)

    def _show(self, table: Table, watcher: Watcher, seat: int | None, detailed: bool) -> None:
        """Send everything about a match to a watcher who has just come."""
        update = seen.update(table, seat, watcher.person, seen.EVERYTHING, self._clock())
        watcher.post(schema.encode(details.add(update, table) if detailed else update))

    def unwatch(self, watcher: Watcher, match: str, *seats: int | None) -> None:
        """Stop sending this match, for these seats or (none named) altogether."""
        room = self._rooms.get(match)
        if room is not None:
            for one in [one for one in room.watchers if one[0] is watcher and (not seats or one[1] in seats)]:
                del room.watchers[one]
            if room.watchers:
                asyncio.get_running_loop().call_later(GRACE, self.look_around, match)

    # Who is there.

    def looking(self, match: str) -> set[str | None]:
        """The people who look at a match here and now."""
        room = self._rooms.get(match)
        return set() if room is None else {watcher.person for watcher, _ in room.watchers if not watcher.away}

    def came(self, match: str, watcher: Watcher) -> None:
        """Somebody looks at a match from now on, and need not be told of it."""
        if self.bell is not None and not watcher.away:
            self.bell.seen(match, {watcher.person})

    def look_around(self, match: str) -> None:
        """Send who is there, if that has changed."""
        room = self._rooms.get(match)
        if room is None or not room.watchers:
            return
        if room.table is None:  # it is being stored or read
            asyncio.get_running_loop().call_later(GRACE, self.look_around, match)
        else:
            self._show_presence(room, room.table)

    def _show_presence(self, room: Room, table: Table, newcomer: Watcher | None = None) -> None:
        """Send who is there: to a newcomer always, to all others (with details) if it has changed."""
        connected = {watcher.person for watcher, _ in room.watchers}
        looking = {watcher.person for watcher, _ in room.watchers if not watcher.away}
        present = [seen.here(seat, connected, looking, self._store.shared) for seat in table.seats]
        message = schema.encode(schema.Presence(room.match, present))
        everybody = {watcher for (watcher, _), detailed in room.watchers.items() if detailed}
        for watcher in everybody:
            if watcher is newcomer or present != room.presence:
                watcher.post(message)
        room.presence = present

    def tell(self, room: Room, table: Table, parts: set[str], before: seen.Marks) -> None:
        """Send what changed to all watchers, to each what it may see."""
        room.sent = table.number
        if not room.watchers or not parts:
            return
        now = self._clock()
        about = ABOUT in parts
        written: dict[tuple[int | None, tuple[int, ...], bool], bytes] = {}
        for (watcher, seat), detailed in list(room.watchers.items()):
            if about and seat is not None and table.seats[seat].person != watcher.person:
                # The seat went to somebody else: from now on the former holder is a spectator.
                del room.watchers[watcher, seat]
                room.watchers[watcher, None] = detailed
                self._show(table, watcher, None, detailed)
                continue
            # Of the persons only this matters; many may watch.
            of_person = (*table.seats_of(watcher.person), watcher.person == table.creator) if about else ()
            key = (seat, of_person, detailed)
            if key not in written:
                update = seen.update(table, seat, watcher.person, parts, now, before)
                written[key] = schema.encode(details.add(update, table) if detailed else update)
            watcher.post(written[key])
        if about:
            self._show_presence(room, table)

    # Other processes.

    def changed(self, match: str | None, stored: LogRow | None) -> None:
        """Another process stored something, or (None) may have."""
        rooms = [self._rooms.get(match)] if match is not None else list(self._rooms.values())
        for room in rooms:
            if room is not None:
                room.trouble = None  # perhaps it can be replayed now
            if room is not None and (room.watchers or room.table is not None):
                self._tasks.spawn(self._refresh(room, stored))

    # Operators.

    def drop(self, match: str) -> None:
        """A match was deleted: tell everybody who watches it, and forget it."""
        room = self._rooms.pop(match, None)
        if room is not None:
            room.table = None
            gone = schema.encode(schema.Refused(None, "no-match", "the operator of this site has deleted this match"))
            for watcher in {watcher for watcher, _ in room.watchers}:
                watcher.post(gone)
            room.watchers.clear()

    def read_again(self) -> None:
        """Logs were changed: read all matches again, and send everything to everybody who watches."""
        for room in list(self._rooms.values()):
            self._tasks.spawn(self._read_again(room))

    async def _read_again(self, room: Room) -> None:
        async with room.lock:
            room.table, room.trouble, room.sent = None, None, -1
            if room.watchers:
                with contextlib.suppress(StoreError, Refusal):  # then it is read when it is needed next
                    await self.table(room)

    async def _refresh(self, room: Room, news: LogRow | None = None) -> None:
        """Learn what another process stored (read it, if it did not come along), and send it out."""
        try:
            async with room.lock:
                if room.table is None:
                    await self.table(room)
                    return
                table, before, parts = room.table, seen.marks(room.table), set[str]()
                awaited = table.awaited()
                if news is not None and news.number <= table.number:
                    return
                next_one = news is not None and news.number == table.number + 1
                rows = [news] if news and next_one else await self._store.entries(room.match, table.number)
                room.table = None  # until all of them have happened
                for row in rows:
                    parts |= table.apply(entry_of(row))
                room.table, room.kept = table, listing.total(table)
                self.tell(room, table, parts, before)
                self._schedule(room, table)
                if self.bell is not None:  # the other process does not know who looks at it here
                    people = {table.seats[seat].person for seat in table.awaited() - awaited}
                    self.bell.seen(room.match, self.looking(room.match) & people)
        except (StoreError, Refusal) as error:
            log.warning("refresh", extra={"match": room.match, "problem": str(error)})
        except Exception as error:  # an entry that this version cannot read: the next look says so
            log.error("refresh", extra={"match": room.match, "problem": type(error).__name__})


def _no_match() -> Refusal:
    return Refusal("no-match", "there is no such match")
