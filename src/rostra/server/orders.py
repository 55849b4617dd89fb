"""What an operator does to the database while this server runs (`rostra admin`), noticed within a quarter of a second.

Operators' commands write to the database and to the table `audit`. Every server follows that table, so the same works
for one process on SQLite and for several on PostgreSQL.
"""

import asyncio
import logging
from collections.abc import Callable

from rostra.server.people import People
from rostra.server.rooms import Rooms
from rostra.server.store import AuditRow, Store, StoreError

log = logging.getLogger("rostra.orders")

POLL = 0.25
"""Seconds between two looks."""
MOST = 100
"""Orders that are read at once."""


class Orders:
    """See the module; `parted` are called with a person whose connections must end."""

    def __init__(self, store: Store, rooms: Rooms, people: People) -> None:
        self._store = store
        self._rooms = rooms
        self._people = people
        self._last = 0
        self.parted: list[Callable[[str], None]] = []

    async def start(self) -> None:
        """Learn who is banned, and from where on to follow."""
        self._last = await self._store.audited()
        self._people.banned = await self._store.banned()

    async def follow(self) -> None:
        """Notice what operators do, for ever."""
        while True:
            await asyncio.sleep(POLL)
            try:
                await self.look()
            except StoreError as error:
                log.warning("orders", extra={"problem": str(error)})
            except Exception as error:  # one order that cannot be followed must not hide the next ones
                log.error("orders", exc_info=error)

    async def look(self) -> None:
        """Notice what operators did since the last look."""
        for row in await self._store.audit(self._last, MOST):
            self._last = row.number
            await self._obey(row)

    async def _obey(self, row: AuditRow) -> None:
        match row.what:
            case "close" | "leave":
                self._rooms.changed(row.about, None)
            case "delete":
                self._rooms.drop(row.about)
            case "ban" | "unban":
                self._people.banned = await self._store.banned()
                self._part(row.about)
            case "revoke":
                self._part(row.about)
            case "erase":
                self._part(row.about)
                self._rooms.read_again()
            case _:
                return  # nothing that a server needs to know
        log.info("order", extra={"what": row.what, "number": row.number})

    def _part(self, person: str) -> None:
        """Forget what is known of a person, and end all connections; whoever may come back does so by itself."""
        self._people.forget(person)
        for end in self.parted:
            end(person)
