"""Notifications put together."""

import logging
from collections.abc import Callable

from rostra.extras import installed
from rostra.server import schema
from rostra.server.mail import Mailer, read_sender
from rostra.server.notify.bell import Bell
from rostra.server.notify.box import Box
from rostra.server.notify.postman import Postman
from rostra.server.notify.wishes import Wishes
from rostra.server.rooms import Rooms, Tasks
from rostra.server.store import Store
from rostra.server.vacation import Vacations

log = logging.getLogger("rostra.notify")


class Notify:
    """See the module."""

    def __init__(self, store: Store, rooms: Rooms, tasks: Tasks, clock: Callable[[], int], wishes: Wishes) -> None:
        self.box = Box(store)
        self.mailer = Mailer(wishes.smtp, wishes.sender)
        self.postman = Postman(self.box, rooms, clock, self.mailer, wishes.public_url, wishes.private_targets)
        self.vacations = Vacations(store, self.box, rooms, clock)
        self.clock = clock
        self.wishes = wishes
        self.offered: list[schema.Channel] = []
        """What this server can do."""
        self._rooms = rooms
        self._tasks = tasks

    async def start(self, work: bool = True) -> None:
        """Begin to call people, and (`work`) to send."""
        if not self.wishes.public_url:
            return
        if installed("notify"):
            from rostra.server.notify.push import Pusher, new_key

            key = await self.box.key("vapid", new_key())
            contact = self.wishes.public_url
            if self.wishes.sender:
                contact = "mailto:" + read_sender(self.wishes.sender)
            self.postman.pusher = Pusher(key, contact, self.wishes.private_targets)
            self.offered.append("push")
        else:
            log.warning("no push messages: pip install 'rostra[notify]'")
        self.offered += ["email", "webhook"] if self.mailer.ready else ["webhook"]
        self._rooms.bell = Bell(self.box, self.wishes.delay, self._tasks.spawn, self.postman.wake.set)
        if work:
            self._tasks.spawn(self.postman.work())

    async def close(self) -> None:
        """Stop sending."""
        await self.mailer.close()
