"""Vacations: a person says until when, and clocks of days stand still until then.

At most `DAYS` in any 365. A match learns of a vacation by an entry of its log, so all players see it and the clocks of
all processes agree: at once where it is being played, and else when a clock runs out, before that has consequences.
"""

import contextlib
from collections.abc import Callable

from rostra.server import decisions, entries, schema
from rostra.server.decisions import HOUSE
from rostra.server.notify.box import Box
from rostra.server.rooms import Room, Rooms
from rostra.server.store import Store
from rostra.server.store.lists import Query
from rostra.server.table import Refusal, Table

DAY = 24 * 3600 * 1000
DAYS = 30
"""Days of vacation in a year."""
MATCHES = 100
"""Matches that are read at a time."""


class Vacations:
    """See the module."""

    def __init__(self, store: Store, box: Box, rooms: Rooms, clock: Callable[[], int]) -> None:
        self._store = store
        self._box = box
        self._rooms = rooms
        self._clock = clock

    async def state(self, person: str) -> tuple[schema.Vacation | None, int]:
        """The present vacation, and how many milliseconds are left (those of the present one are taken)."""
        now = self._clock()
        year = now - 365 * DAY
        known = await self._box.vacations(person, year)
        taken = sum(one.until - max(one.since, year) for one in known)
        return next((one for one in known if one.since <= now < one.until), None), max(0, DAYS * DAY - taken)

    async def set(self, person: str, until: int | None) -> None:
        """A vacation from now on, another end of the present one, or (None) its end."""
        now = self._clock()
        present, left = await self.state(person)
        if until is None:
            if present is None:
                return
            vacation = schema.Vacation(present.since, now)
        else:
            since = now if present is None else present.since
            most = left + (now if present is None else present.until)
            if not now < until <= most:
                raise Refusal("bad-option", f"a vacation ends after now and takes at most {DAYS} days in a year")
            vacation = schema.Vacation(since, until)
        await self._box.set_vacation(person, vacation)
        await self._tell(person)

    async def _tell(self, person: str) -> None:
        """Let the matches know that this person plays."""
        page = Query("mine", person, most=MATCHES)
        while True:
            found = await self._store.listed(page)
            for one in found:
                if one.row.status == "playing":
                    room = self._rooms.room(one.row.id)
                    with contextlib.suppress(Refusal):
                        async with room.lock:
                            await self.credit(room)
            if len(found) < MATCHES:
                return
            page = page._replace(after=found[-1].mark)

    async def credit(self, room: Room) -> None:
        """Let a match know the vacations of its players; the room is locked."""
        table = await self._rooms.table(room)
        if not table.by_days:
            return
        people = {seat.person for seat in table.seats if seat.person is not None}
        known = {person: await self._box.vacations(person, table.since) for person in people}

        def crediting(table: Table) -> decisions.Events:
            found: decisions.Events = [
                entries.Vacation(number, one.since, one.until)
                for number, seat in enumerate(table.seats)
                for one in known.get(seat.person or "", [])
                if table.status == "playing" and seat.vacations.get(one.since) != one.until
            ]
            if not found:
                raise Refusal("stale", "it is known")
            return found

        with contextlib.suppress(Refusal):
            await self._rooms.carry_out(room, crediting, HOUSE, None)
