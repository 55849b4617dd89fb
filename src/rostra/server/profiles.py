"""What people may know of each other: profiles, friends, blocks, reports. All of it is optional.

A profile is open to its owner, to friends, and to everybody if its owner says so. Of others one sees the matches that
were listed, or that one played too. Neither of two people of whom one blocks the other can take a seat at a
waiting table where the other sits, or that the other made.
"""

from collections.abc import Callable
from typing import Any

from rostra.server import schema
from rostra.server.decisions import clean
from rostra.server.devices import Devices
from rostra.server.people import new_id
from rostra.server.records import shown
from rostra.server.store import PersonRow, Statements, Store
from rostra.server.table import Refusal, Table

PAGE = 20
"""Matches on a page of a history."""
FRIENDS = 200
"""Number of friends, and of people that one blocks."""
REPORTS = 20
"""Number of reports by one person in a day."""
_DAY = 24 * 3_600_000


class Profiles:
    """See the module."""

    def __init__(self, store: Store, devices: Devices, clock: Callable[[], int]) -> None:
        self._store = store
        self._devices = devices
        self._clock = clock

    async def handle(self, person: str) -> str:
        """What names a person to others; made when it is first needed."""

        def work() -> Statements[str]:
            found = yield "SELECT handle FROM profiles WHERE person = ?", (person,)
            if not found:
                yield "INSERT INTO profiles VALUES (?, ?, 0) ON CONFLICT DO NOTHING", (person, new_id())
                found = yield "SELECT handle FROM profiles WHERE person = ?", (person,)
            return str(found[0][0])

        return await self._store.transact(work)

    async def person(self, handle: str) -> str:
        """Whom a handle names."""
        found = (
            await self._store.rows("SELECT person FROM profiles WHERE handle = ?", handle) if handle.isalnum() else []
        )
        if not found:
            raise Refusal("no-profile", "there is no such person, or the profile is not open to you")
        return str(found[0][0])

    async def set_public(self, person: str, public: bool) -> None:
        """Open the own profile to everybody, or not."""
        await self.handle(person)
        await self._store.rows("UPDATE profiles SET public = ? WHERE person = ?", int(public), person)

    async def profile(self, person: str, asker: str | None, before: int | None = None) -> schema.Profile:
        """A profile, as far as the asker may see it."""
        handle, at, me = await self.handle(person), before or 2**60, person == asker

        def work() -> Statements[schema.Profile | None]:
            rows = yield (
                "SELECT p.name, p.created, f.public FROM people p JOIN profiles f ON f.person = p.id WHERE p.id = ?",
                (person,),
            )  # fmt: skip
            name, created, public = rows[0]
            friend = bool((yield "SELECT 1 FROM friends WHERE person = ? AND friend = ?", (person, asker or "")))
            blocked = bool((yield "SELECT 1 FROM blocks WHERE person = ? AND other = ?", (asker or "", person)))
            shut = bool((yield "SELECT 1 FROM blocks WHERE person = ? AND other = ?", (person, asker or "")))
            if not (me or friend or public) or shut:
                return None
            skills = yield from _skills(person)
            versus = None if me or asker is None else (yield from _versus(asker, person))
            past = yield (
                "SELECT match, game, at, seat FROM results r WHERE person = ? AND at < ? AND (? = 1 OR listed = 1 OR "
                "EXISTS (SELECT 1 FROM results o WHERE o.match = r.match AND o.person = ?)) ORDER BY at DESC LIMIT ?",
                (person, at, int(me), asker or "", PAGE),
            )  # fmt: skip
            found = []
            for match, game, ended, seat in past:
                seats = yield (
                    "SELECT name, bot, points, place, won FROM results WHERE match = ? ORDER BY seat", (match,)
                )  # fmt: skip
                others = [
                    schema.PastSeat(name, bot, points, place, bool(won)) for name, bot, points, place, won in seats
                ]
                found.append(schema.Past(match, game, ended, seat, others))
            more = past[-1][2] if len(past) == PAGE else None
            return schema.Profile(
                handle, name, created, bool(public), me, friend, blocked, skills, versus, found, more
            )  # fmt: skip

        profile = await self._store.transact(work)
        if profile is None:
            raise Refusal("no-profile", "there is no such person, or the profile is not open to you")
        return profile

    async def sitting(
        self, table: list[tuple[int, str]], game: str, seats: int, asker: str | None
    ) -> list[schema.Sitting]:
        """What the asker may know of the people in these seats."""
        handles = {person: await self.handle(person) for _, person in table}

        def work() -> Statements[list[schema.Sitting]]:
            found = []
            for seat, person in table:
                ((public,),) = yield "SELECT public FROM profiles WHERE person = ?", (person,)
                friend = bool((yield "SELECT 1 FROM friends WHERE person = ? AND friend = ?", (person, asker or "")))
                blocked = bool((yield "SELECT 1 FROM blocks WHERE person = ? AND other = ?", (asker or "", person)))
                rated = yield (
                    "SELECT mu, sigma FROM ratings WHERE player = ? AND game = ? AND seats = ?", (person, game, seats)
                )  # fmt: skip
                known = bool(public) or friend or person == asker
                rating = shown(*rated[0])[0] if known and rated else None
                handle = handles[person] if known else None
                found.append(schema.Sitting(seat, handle, rating, friend, blocked))
            return found

        return await self._store.transact(work)

    # Friends and blocks.

    async def befriend(self, me: str, code: str) -> None:
        """Become a friend of whoever made this code."""
        now = self._clock()

        def then(other: str) -> Statements[None]:
            query = "INSERT INTO friends VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            if other != me:
                yield query, (me, other, now)
                yield query, (other, me, now)
                yield "DELETE FROM blocks WHERE person = ? AND other = ?", (me, other)

        if len(await self._store.rows("SELECT 1 FROM friends WHERE person = ?", me)) >= FRIENDS:
            raise Refusal("too-many", f"you have {FRIENDS} friends already")
        await self._devices.use(code, ("friend",), then)

    async def acquaintances(self, me: str) -> schema.Acquaintances:
        """My friends, and whom I block."""
        lists = []
        for table, other, at in (("friends", "friend", "since"), ("blocks", "other", "at")):
            query = (
                f"SELECT k.{other}, p.name, k.{at} FROM {table} k JOIN people p ON p.id = k.{other} WHERE k.person = ?"
            )
            rows = await self._store.rows(f"{query} ORDER BY p.name, k.{other}", me)
            lists.append([schema.Known(await self.handle(row[0]), row[1], row[2]) for row in rows])
        return schema.Acquaintances(*lists)

    async def part(self, me: str, other: str) -> None:
        """Be friends no more."""
        query = "DELETE FROM friends WHERE (person = ? AND friend = ?) OR (person = ? AND friend = ?)"
        await self._store.rows(query, me, other, other, me)

    async def block(self, me: str, other: str, on: bool) -> None:
        """Block somebody, or no longer."""
        if me == other:
            raise Refusal("not-yours", "nobody can block themselves")
        if not on:
            await self._store.rows("DELETE FROM blocks WHERE person = ? AND other = ?", me, other)
            return
        if len(await self._store.rows("SELECT 1 FROM blocks WHERE person = ?", me)) >= FRIENDS:
            raise Refusal("too-many", f"you block {FRIENDS} people already")
        await self._store.rows("INSERT INTO blocks VALUES (?, ?, ?) ON CONFLICT DO NOTHING", me, other, self._clock())
        await self.part(me, other)

    async def check_sit(self, table: Table, person: str) -> None:
        """Refuse a seat at a waiting table with somebody who blocks this person, or is blocked by it."""
        others = {seat.person for seat in table.seats if seat.person is not None} | {table.creator}
        others -= {person}
        if table.match is not None or not others:
            return
        marks = ", ".join("?" * len(others))
        either = f"(person = ? AND other IN ({marks})) OR (other = ? AND person IN ({marks}))"
        if await self._store.rows(f"SELECT 1 FROM blocks WHERE {either}", person, *others, person, *others):
            raise Refusal("blocked", "this table is not open to you: one of you has blocked the other")

    async def report(self, me: str, match: str, report: schema.Report, other: str) -> None:
        """Tell the operators."""
        now, text = self._clock(), clean(report.text) if report.text.strip() else ""
        if other == me:
            raise Refusal("not-yours", "nobody can report themselves")
        if len(await self._store.rows("SELECT 1 FROM reports WHERE person = ? AND at > ?", me, now - _DAY)) >= REPORTS:
            raise Refusal("too-many", f"you have made {REPORTS} reports today; write to the operators instead")
        query = (
            "INSERT INTO reports VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (person, match, seat) "
            "DO UPDATE SET other = excluded.other, reason = excluded.reason, text = excluded.text, at = excluded.at"
        )
        await self._store.rows(query, me, match, report.seat, other, report.reason, text, now)

    # My data.

    async def export(self, me: PersonRow, this: str, matches: list[dict[str, Any]]) -> schema.Export:
        """All that is kept about me."""
        ((created,),) = await self._store.rows("SELECT created FROM people WHERE id = ?", me.id)
        known = await self.acquaintances(me.id)
        reports = await self._store.rows("SELECT match, seat, reason, text, at FROM reports WHERE person = ?", me.id)
        names = ("match", "seat", "reason", "text", "at")
        return schema.Export(
            me.id, me.name, created, (await self._devices.all(me.id, this)).devices,
            [one.name for one in known.friends], [one.name for one in known.blocked],
            [dict(zip(names, row, strict=True)) for row in reports],
            await self._store.transact(lambda: _skills(me.id)), matches,
        )  # fmt: skip


def _skills(person: str) -> Statements[list[schema.Skill]]:
    rows = yield (
        "SELECT r.game, r.seats, count(*), sum(r.won), max(s.mu), max(s.sigma) FROM results r LEFT JOIN ratings s "
        "ON s.player = r.person AND s.game = r.game AND s.seats = r.seats WHERE r.person = ? "
        "GROUP BY r.game, r.seats ORDER BY count(*) DESC, r.game, r.seats", (person,),
    )  # fmt: skip
    found = []
    for game, seats, played, won, mu, sigma in rows:
        rating, off = (None, None) if mu is None else shown(mu, sigma)
        found.append(schema.Skill(game, seats, played, int(won), rating, off))
    return found


def _versus(me: str, other: str) -> Statements[schema.Versus]:
    rows = yield (
        "SELECT count(*), sum(CASE WHEN a.place < b.place THEN 1 ELSE 0 END), "
        "sum(CASE WHEN a.place > b.place THEN 1 ELSE 0 END) FROM results a JOIN results b ON a.match = b.match "
        "WHERE a.person = ? AND b.person = ?", (me, other),
    )  # fmt: skip
    return schema.Versus(*(int(one or 0) for one in rows[0]))
