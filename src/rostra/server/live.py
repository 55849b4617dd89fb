"""All matches that this process serves: one door for persons and bots, and news for everybody who watches.

A command is decided, stored, and only then acknowledged and told; while it is being stored the match is locked, so
nobody sees what might still be lost. What a newcomer would get wrong: other processes may serve the same match at the
same time. The number of an entry decides who was first; the other throws its table away, reads again, decides again.
"""

import asyncio
import base64
import contextlib
import functools
import heapq
import logging
import re
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine
from typing import Protocol, TypeVar

import msgspec

from rostra.engine.game import RostraError
from rostra.games import find_game
from rostra.play.dice import commitment
from rostra.server import decisions, details, entries, house, metrics, schema, seen
from rostra.server.decisions import HOUSE, decide
from rostra.server.store import Append, LogRow, MatchRow, PersonRow, Store, StoreError
from rostra.server.table import ABOUT, Refusal, Table
from rostra.server.workers import Question, Reply, Workers, question

log = logging.getLogger("rostra.live")
_is_match_id = re.compile(schema.MATCH_ID).fullmatch
Answer = TypeVar("Answer")

IDLE_ROOMS = 2000
"""So many matches that nobody watches stay in memory, and at most as many more: 10 to 40 KB each."""
ATTEMPTS = 8
"""How often a command is decided again because another process was quicker."""
POLL = 2.0
"""Seconds between looks for matches that a dead process left alone."""
CLAIM = 10_000
"""Milliseconds for which a process takes over such a match."""
REVIEWS = 500
"""So many reviews are remembered."""
ANY_MOVE = "?"
"""Stands for any move that needs nobody, when no bot had an answer."""


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def new_id() -> str:
    """A name that nobody can guess: 100 bits, 20 signs."""
    return base64.b32encode(secrets.token_bytes(13))[:20].decode().lower()


class Watcher(Protocol):
    """Somebody's connection."""

    person: str | None

    def post(self, message: bytes) -> None:
        """Send it when possible, without waiting."""


class Asker(Protocol):
    """Who gave a command, and does not wait for it."""

    person: str | None

    def told(self, command: schema.AnyCommand, answer: schema.Done | Refusal) -> None:
        """What came of it."""


class Lock:
    """Like asyncio's, but who finds it free can take it without waiting; it is handed on in the order of asking."""

    def __init__(self) -> None:
        self.held = False
        self._queue: deque[asyncio.Future[None]] = deque()

    def take(self) -> None:
        """Hold it; it is free."""
        self.held = True

    def release(self) -> None:
        """Let it go, or hand it on."""
        while self._queue:
            asked = self._queue.popleft()
            if not asked.done():
                asked.set_result(None)
                return
        self.held = False

    async def __aenter__(self) -> None:
        if not self.held:
            self.take()
            return
        asked = asyncio.get_running_loop().create_future()
        self._queue.append(asked)
        try:
            await asked
        except asyncio.CancelledError:
            if asked.done() and not asked.cancelled():  # it was handed to us in the meantime
                self.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.release()


class Decided(msgspec.Struct, frozen=True):
    """An entry that has happened at its table and is to be stored."""

    table: Table
    row: Append
    parts: set[str]
    """What it changed."""
    before: seen.Marks
    due: int | None


class Room:
    """A match of this process: its table (None: to be read again), its lock, and who watches it."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.table: Table | None = None
        self.lock = Lock()
        self.watchers: dict[tuple[Watcher, int | None], bool] = {}
        """Who watches as which seat, and whether with details."""
        self.told = 0
        """The last entry that they were told of."""
        self.talk = house.Talk()
        self.thinking: set[house.Job] = set()
        self.wake: int | None = None
        """When the house looks at it next."""


class Live:
    """See the module."""

    def __init__(
        self, store: Store, workers: Workers, clock: Callable[[], int] = now_ms, abandon_days: float = 0
    ) -> None:
        self.store = store
        self.workers = workers
        self.clock = clock
        self.abandon_days = abandon_days
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._most_rooms = 2 * IDLE_ROOMS
        """With so many it is time to see which ones nobody needs."""
        self._people: OrderedDict[str, PersonRow] = OrderedDict()
        self._reviews: OrderedDict[str, asyncio.Future[schema.Review | None]] = OrderedDict()
        self._due: list[tuple[int, str]] = []
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begin to listen and to act for bots and clocks."""
        await self.store.listen(self._changed)
        self._spawn(self._keep_time())
        self._spawn(self._look_after())
        if self.abandon_days:
            self._spawn(self._clear_up())

    async def close(self) -> None:
        """Stop everything that runs by itself."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task", exc_info=error)

    # People.

    async def add_person(self, name: str) -> schema.NewToken:
        """A new person; the token is told once and never stored."""
        person, token, name = new_id(), secrets.token_urlsafe(32), decisions.clean(name)
        await self.store.add_person(person, decisions.digest(token), name, self.clock())
        return schema.NewToken(person, name, token)

    async def person_of(self, token: str | None) -> PersonRow | None:
        """Who has this token."""
        if not token:
            return None
        hashed = decisions.digest(token)
        found = self._people.get(hashed)
        if found is None and (found := await self.store.person_of(hashed)) is not None:
            self._people[hashed] = found
            if len(self._people) > 10_000:
                self._people.popitem(last=False)
        return found

    async def rename(self, person: str, name: str) -> schema.Person:
        """Another name, for matches to come."""
        name = decisions.clean(name)
        await self.store.rename(person, name)
        for hashed in [hashed for hashed, row in self._people.items() if row.id == person]:
            del self._people[hashed]
        return schema.Person(person, name)

    # Matches.

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
            new_id(), game.name, game.rules_version, msgspec.json.encode(wanted).decode(), seed.hex(), person,
            int(wanted.settings.listed), "waiting", now, now, None,
        )  # fmt: skip
        await self.store.add_match(row)
        if bots:
            room = self._room(row.id)
            async with room.lock:
                await self._carry_out(room, lambda table: decisions.begin(table, bots), HOUSE, None)
        return schema.MatchMade(row.id, commitment(seed))

    def _room(self, match: str) -> Room:
        """The room of a match; those that nobody needs make place."""
        room = self._rooms.get(match)
        if room is None:
            if not _is_match_id(match):  # databases do not like every text
                raise _no_match()
            if len(self._rooms) >= self._most_rooms:
                idle = [r for r in self._rooms.values() if not (r.watchers or r.lock.held or r.thinking)]
                for one in idle[: max(0, len(idle) - IDLE_ROOMS)]:
                    del self._rooms[one.match]
                self._most_rooms = len(self._rooms) + IDLE_ROOMS  # not at every new one: there may be many
            room = self._rooms[match] = Room(match)
            metrics.MATCHES_LOADED.set(len(self._rooms))
        else:
            self._rooms.move_to_end(match)
        return room

    async def _table(self, room: Room) -> Table:
        """The table of a room, read from the store if need be; the room is locked."""
        if room.table is None:
            row = await self.store.match(room.match)
            if row is None:
                self._rooms.pop(room.match, None)
                raise _no_match()
            table = Table(row)
            for stored in await self.store.entries(room.match, 0):
                table.apply(_entry(stored.number, stored.at, stored.body))
            room.table = table
            if table.number > room.told:  # another process was quicker, or an append broke off and is there after all
                self._tell(room, table, seen.EVERYTHING, seen.START)
        return room.table

    async def read(self, match: str, look: Callable[[Table], Answer]) -> Answer:
        """Look at a table; everything on it is stored."""
        room = self._room(match)
        async with room.lock:
            return look(await self._table(room))

    async def hint(self, match: str, wanted: schema.AskHint, person: str) -> schema.Hint:
        """The best moves of a seat that is to decide, for the person who holds it."""

        def looking(table: Table) -> Question:
            playing = decisions.may_ask_hint(table, wanted, person)
            return question("hint", table.game, "", wanted.seat, playing.state)

        reply = await self.workers.ask(await self.read(match, looking))
        if reply is None or reply.hint is None:
            raise Refusal("unavailable", "nobody had the time to think; try again")
        return msgspec.structs.replace(reply.hint, epoch=wanted.epoch, ply=wanted.ply)

    async def review(self, match: str) -> schema.Review:
        """A finished match looked at again: once, for all who ask."""
        known = self._reviews.get(match)
        if known is None:

            def looking(table: Table) -> str:
                if table.status != "over" or table.match is None:
                    raise Refusal("not-over", "a match can be reviewed when it has been played to its end")
                decisions.needs_net(table.game, len(table.seats))
                return seen.game_text(table, None)

            text = await self.read(match, looking)
            known = self._reviews.setdefault(match, asyncio.ensure_future(self.workers.study(text)))
            if len(self._reviews) > REVIEWS:
                self._reviews.popitem(last=False)
        review = await asyncio.shield(known)
        if review is None:
            self._reviews.pop(match, None)  # so that it can be tried again
            raise Refusal("unavailable", "nobody had the time to look at it; try again")
        return review

    def begin(self, command: schema.AnyCommand, asker: Asker) -> bool:
        """Carry a command out if nothing has to be waited for but the store, after which the asker is told; False: it
        has to be waited for (`command`). Nearly all moves go this way, because a task costs more than a move."""
        room = self._rooms.get(command.match)
        if room is None or room.table is None or room.lock.held or isinstance(command, schema.Link):
            return False
        table, person = room.table, asker.person
        if table.done(person, command.id) is not None:
            return False
        now = self.clock()
        decided = self._decide(room, table, decide(table, command, person, now), person, command.id, now)
        try:
            self.store.put(decided.row, functools.partial(self._stored, room, decided, command, asker))
        except StoreError as error:
            raise _unavailable() from error
        room.lock.take()
        return True

    def _stored(
        self, room: Room, decided: Decided, command: schema.AnyCommand, asker: Asker, stored: bool | Exception
    ) -> None:
        """What `begin` began has come to its end."""
        answer: schema.Done | Refusal | None = None
        try:
            if stored is True:
                self._tell_of(room, decided)
                metrics.commands[type(command).__name__] += 1
                answer = schema.Done(command.id, command.match, decided.row.number)
            elif stored is False:  # another process was quicker
                self._spawn(self._again(command, asker))
                return
        except Exception as error:
            log.error("stored", exc_info=error)
        finally:
            room.lock.release()
        asker.told(command, answer or _unavailable())

    async def _again(self, command: schema.AnyCommand, asker: Asker) -> None:
        answer: schema.Done | Refusal = _unavailable()
        try:
            answer = await self.command(command, asker.person)
        except Refusal as refusal:
            answer = refusal
        except StoreError:
            pass
        finally:
            asker.told(command, answer)

    async def command(self, command: schema.AnyCommand, person: str | None) -> schema.Done:
        """Carry a command out; when this returns it is stored."""
        key = secrets.token_urlsafe(24) if isinstance(command, schema.Link) else ""
        room = self._room(command.match)
        async with room.lock:
            number, again = await self._carry_out(
                room, lambda table: decide(table, command, person, self.clock(), key), person, command.id
            )
        metrics.commands[type(command).__name__] += 1
        given = {"key": key} if key and not again else {}
        return schema.Done(command.id, command.match, number, **given)

    async def _carry_out(
        self, room: Room, deciding: Callable[[Table], decisions.Events], by: str | None, command: str | None
    ) -> tuple[int, bool]:
        """Decide, store, tell; the number of the entry, and whether it was there before. The room is locked."""
        for _ in range(ATTEMPTS):
            table = await self._table(room)
            if command is not None and (done := table.done(by, command)) is not None:
                return done, True
            decided = self._decide(room, table, deciding(table), by, command, self.clock())
            try:
                stored = await self.store.append(decided.row)
            except StoreError as error:
                raise _unavailable() from error
            except asyncio.CancelledError:
                self._spawn(self._refresh(room))  # it may be stored: those who watch must hear of it
                raise
            if stored:
                self._tell_of(room, decided)
                return decided.row.number, False
        raise Refusal("busy", "too many act on this match at once; try again")

    def _decide(
        self, room: Room, table: Table, events: decisions.Events, by: str | None, command: str | None, now: int
    ) -> Decided:
        """Let these events happen at the table of a room, which is without one until they are stored: whatever goes
        wrong before, the store is right."""
        before = seen.marks(table)
        entry = entries.Entry(table.number + 1, now, entries.Body(events, by, command))
        room.table = None
        try:
            parts = table.apply(entry, fresh=True)
        except Refusal:
            if len(events) == 1:  # an illegal move: nothing has happened
                room.table = table
            raise
        due = house.due(table, room.talk)
        body = entries.encode(entry.body).decode()
        row = Append(table.id, entry.number, entry.at, body, table.change(due, entry.body.events))
        return Decided(table, row, parts, before, due)

    def _tell_of(self, room: Room, decided: Decided) -> None:
        """It is stored."""
        room.table = decided.table
        self._tell(room, decided.table, decided.parts, decided.before)
        if decided.due is not None:
            self._schedule(room, decided.table)

    # Who watches.

    async def watch(self, watcher: Watcher, match: str, seat: int | None, detailed: bool = False) -> None:
        """Tell somebody all about a match now, and what changes from now on."""
        room = self._room(match)
        async with room.lock:
            table = await self._table(room)
            if seat is not None and (watcher.person is None or table.seats_of(watcher.person).count(seat) == 0):
                raise Refusal("not-yours", f"seat {seat} is not yours")
            room.watchers[watcher, seat] = detailed
            self._show(table, watcher, seat, detailed)
            self._schedule(room, table)

    def _show(self, table: Table, watcher: Watcher, seat: int | None, detailed: bool) -> None:
        """Send all about a match to a watcher who has just come."""
        update = seen.update(table, seat, watcher.person, seen.EVERYTHING, self.clock())
        watcher.post(schema.encode(details.add(update, table) if detailed else update))

    def unwatch(self, watcher: Watcher, match: str, *seats: int | None) -> None:
        """No more of this match, for these seats or (none named) at all."""
        room = self._rooms.get(match)
        if room is not None:
            for one in [one for one in room.watchers if one[0] is watcher and (not seats or one[1] in seats)]:
                del room.watchers[one]

    def _tell(self, room: Room, table: Table, parts: set[str], before: seen.Marks) -> None:
        """What changed, to everybody who watches, as each may see it."""
        room.told = table.number
        if not room.watchers or not parts:
            return
        now = self.clock()
        about = ABOUT in parts
        written: dict[tuple[int | None, str | None, bool], bytes] = {}
        for (watcher, seat), detailed in list(room.watchers.items()):
            if about and seat is not None and table.seats[seat].person != watcher.person:
                # The seat went to somebody else: from now on the former holder only watches.
                del room.watchers[watcher, seat]
                room.watchers[watcher, None] = detailed
                self._show(table, watcher, None, detailed)
                continue
            key = (seat, watcher.person if about else None, detailed)
            if key not in written:
                update = seen.update(table, seat, watcher.person, parts, now, before)
                written[key] = schema.encode(details.add(update, table) if detailed else update)
            watcher.post(written[key])

    # Other processes.

    def _changed(self, match: str | None, stored: LogRow | None) -> None:
        """Another process stored something, or (None) may have."""
        rooms = [self._rooms.get(match)] if match is not None else list(self._rooms.values())
        for room in rooms:
            if room is not None and (room.watchers or room.table is not None):
                self._spawn(self._refresh(room, stored))

    async def _refresh(self, room: Room, news: LogRow | None = None) -> None:
        """Learn what another process stored (read it, if it did not come along), and tell it."""
        try:
            async with room.lock:
                if room.table is None:
                    await self._table(room)
                    return
                table, before, parts = room.table, seen.marks(room.table), set[str]()
                if news is not None and news.number <= table.number:
                    return
                next_one = news is not None and news.number == table.number + 1
                rows = [news] if news and next_one else await self.store.entries(room.match, table.number)
                for row in rows:
                    parts |= table.apply(_entry(row.number, row.at, row.body))
                    table.due = -1  # the other process has set it
                self._tell(room, table, parts, before)
        except (StoreError, Refusal) as error:
            log.warning("refresh", extra={"match": room.match, "problem": str(error)})

    # The house: clocks and bots.

    def _schedule(self, room: Room, table: Table) -> None:
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
            wait = None if not self._due else max(0, self._due[0][0] - self.clock()) / 1000
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), wait)
            now = self.clock()
            while self._due and self._due[0][0] <= now:
                due, match = heapq.heappop(self._due)
                room = self._rooms.get(match)
                if room is None or room.wake == due:  # else it was called earlier since
                    self._spawn(self._serve(match))

    async def _look_after(self) -> None:
        """Take over matches whose process died."""
        late = 0
        while True:
            try:
                now = self.clock()
                for match, due in await self.store.due(now - late, 100):
                    if await self.store.claim(match, due, now + CLAIM):
                        await self._serve(match, claimed=now + CLAIM)
            except StoreError as error:
                log.warning("look after", extra={"problem": str(error)})
            late = int(POLL * 1000)
            await asyncio.sleep(POLL)

    async def _clear_up(self) -> None:
        """Every hour: end matches that everybody has forgotten."""
        while True:
            try:
                await self.abandon()
            except StoreError as error:
                log.warning("clear up", extra={"problem": str(error)})
            await asyncio.sleep(3600)

    async def abandon(self) -> None:
        """End matches in which nothing happened for `abandon_days`."""
        since = self.clock() - int(self.abandon_days * 24 * 3600 * 1000)

        def forgotten(table: Table) -> decisions.Events:
            if table.at >= since or table.status == "over":
                raise Refusal("stale", "somebody came back")
            return [entries.Ended("abandoned", [])]

        for match in await self.store.idle(since, 1000):
            room = self._room(match)
            with contextlib.suppress(Refusal):
                async with room.lock:
                    await self._carry_out(room, forgotten, HOUSE, None)

    async def _serve(self, match: str, claimed: int | None = None) -> None:
        """Do what is due at a table, and have its bots think."""
        room = self._room(match)
        room.wake = None
        try:
            async with room.lock:
                table = await self._table(room)
                table.due = claimed if claimed is not None else table.due
                if house.events(table, self.clock()):
                    with contextlib.suppress(Refusal):
                        await self._carry_out(room, self._overdue, HOUSE, None)
                    table = await self._table(room)
                for when, job in house.jobs(table, room.talk):
                    if when <= self.clock() and job not in room.thinking:
                        room.thinking.add(job)
                        self._spawn(self._think(room, job, *_asked(table, job)))
                self._schedule(room, table)
                if claimed is not None and table.due == claimed:
                    table.due = house.due(table, room.talk)
                    await self.store.claim(match, claimed, table.due)
        except (Refusal, StoreError) as error:
            log.warning("serve", extra={"match": match, "problem": str(error)})

    def _overdue(self, table: Table) -> decisions.Events:
        """What is to happen by itself; decided again when another process was quicker."""
        events = house.events(table, self.clock())
        if not events:
            raise Refusal("stale", "it has happened already")
        return events

    async def _think(self, room: Room, job: house.Job, asked: Question, where: tuple[int, int]) -> None:
        """Have a bot think, and do what it says if that still fits."""
        try:
            reply = await self.workers.ask(asked)
            for command in _spoken(room, job, where, reply):
                try:
                    await self._for_bot(room, command, where)
                except Refusal as refusal:
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
            room.talk.last[job.seat] = self.clock()
            if room.table is not None:
                self._schedule(room, room.table)

    async def _for_bot(self, room: Room, command: schema.AnyCommand, where: tuple[int, int]) -> None:
        """Carry out what a bot wants, if play is still where it was asked."""

        def deciding(table: Table) -> decisions.Events:
            wanted = command
            if table.match is None or (table.match.epoch, len(table.match.log)) != where:
                raise Refusal("stale", "play has gone on")
            if isinstance(wanted, schema.Play) and wanted.move == ANY_MOVE:
                alone = seen.choices(table, table.match)[0]
                wanted = msgspec.structs.replace(wanted, move=secrets.choice(alone or [ANY_MOVE]))
            return decide(table, wanted, HOUSE, self.clock())

        async with room.lock:
            await self._carry_out(room, deciding, HOUSE, command.id)


def _asked(table: Table, job: house.Job) -> tuple[Question, tuple[int, int]]:
    """What a bot has to think about, and the ply it is asked at."""
    assert table.match is not None
    bot = table.seats[job.seat].bot
    assert bot is not None
    refused = [offer.terms for offer in table.offers[table.first_offer :] if offer.status != "open"]
    by, terms = (-1, None) if job.offer < 0 else (table.offers[job.offer].seat, table.offers[job.offer].terms)
    asked = question(job.kind, table.game, bot, job.seat, table.match.state, by, terms, refused)
    return asked, (table.match.epoch, len(table.match.log))


def _no_match() -> Refusal:
    return Refusal("no-match", "there is no such match")


def _unavailable() -> Refusal:
    return Refusal("unavailable", "the match cannot be stored now; try again")


def _entry(number: int, at: int, body: str) -> entries.Entry:
    return entries.Entry(number, at, entries.decode(body))


def _spoken(room: Room, job: house.Job, where: tuple[int, int], reply: Reply | None) -> list[schema.AnyCommand]:
    """What a bot's reply means as commands; without a reply the house plays any move that needs nobody."""
    name, match, talk = secrets.token_hex(8), room.match, room.talk
    if job.kind == "act":
        move = ANY_MOVE if reply is None or reply.move is None else reply.move
        return [schema.Play(name, match, job.seat, *where, move)]
    terms = None if reply is None else reply.terms
    if job.kind == "offer":
        talk.offers[job.seat] += 1
        if terms is None:
            talk.silent.add(job.seat)
            return []
        return [schema.Offer(name, match, job.seat, terms, None, *where)]
    said: list[schema.AnyCommand] = [schema.Answer(name, match, job.seat, job.offer, bool(reply and reply.yes))]
    if terms is not None and talk.counters[job.seat] < house.COUNTERS:
        talk.counters[job.seat] += 1
        said.append(schema.Offer(name + "c", match, job.seat, terms, job.offer, *where))
    return said
