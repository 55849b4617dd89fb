"""Sends what is in the outbox: claimed first, so that one process sends it, and tried again for a while if it fails.

A message goes out once. If the process dies in the moment of sending, another one sends it again.
"""

import asyncio
import base64
import binascii
import contextlib
import hashlib
import hmac
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec

from rostra.server import metrics, schema
from rostra.server.mail import Mailer, MailError
from rostra.server.notify import letters
from rostra.server.notify.box import FAILING, RETRIES, AddressRow, Box, OutboxRow
from rostra.server.notify.calls import BadTarget, CallError, post
from rostra.server.notify.letters import Letter
from rostra.server.notify.quiet import quiet_until
from rostra.server.rooms import Rooms
from rostra.server.store import StoreError
from rostra.server.table import Refusal
from rostra.words import words

if TYPE_CHECKING:
    from rostra.server.notify.push import Pusher

log = logging.getLogger("rostra.notify")

BATCH = 20
POLL = 20.0
"""Seconds between looks at the outbox, where another process may have left something."""
PUSH_TEXT = 2000
"""Bytes of text in a push message."""
GONE = (404, 410)
"""A push service, or a webhook, says by these that the address will never work again."""


class Undelivered(Exception):
    """A message was not taken; `gone` where the address will never work again."""

    def __init__(self, reason: str, gone: bool = False) -> None:
        super().__init__(reason)
        self.gone = gone


class Postman:
    """See the module."""

    def __init__(
        self, box: Box, rooms: Rooms, clock: Callable[[], int], mailer: Mailer, public_url: str, private: bool
    ) -> None:
        self._box = box
        self._rooms = rooms
        self._clock = clock
        self._mailer = mailer
        self._url = public_url
        self._private = private
        self.pusher: Pusher | None = None
        self.wake = asyncio.Event()

    async def work(self) -> None:
        """Send what is due, for ever."""
        while True:
            wait = POLL
            try:
                self.wake.clear()
                if await self.round():
                    continue
                due = await self._box.next_due()
                if due is not None:
                    wait = min(POLL, max(0.05, (due - self._clock()) / 1000))
            except StoreError as error:
                log.warning("outbox", extra={"problem": str(error)})
            except Exception as error:  # one bad message must not stop all others
                log.error("outbox", exc_info=error)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.wake.wait(), wait)

    async def round(self) -> int:
        """Send what is due now; how many messages that were."""
        rows = await self._box.claim(self._clock(), BATCH)
        for done in await asyncio.gather(*map(self._serve, rows), return_exceptions=True):
            if isinstance(done, BaseException):
                log.error("notify", exc_info=done)
        return len(rows)

    async def _serve(self, row: OutboxRow) -> None:
        """Send one message, or see that it is not to be sent, or not now."""
        address = await self._box.address(row.address)
        if address is None or not address.confirmed or address.failures >= FAILING or row.tries > len(RETRIES) + 1:
            await self._box.done(row)
            return
        taste = await self._box.taste(address.person)
        until = await self._undisturbed_until(address.person, taste)
        if until is not None:
            await self._box.later(row, until, tried=False)
            return
        letter = await self._letter(row, address.person, taste)
        if letter is not None and not await self._try(row, address, letter, taste.language):
            return
        await self._box.done(row)

    async def _undisturbed_until(self, person: str, taste: schema.NotifyTaste) -> int | None:
        """When the quiet hours or the vacation of a person end; None if there are none now."""
        now = self._clock()
        away = [one.until for one in await self._box.vacations(person, now) if one.since <= now]
        quiet = quiet_until(taste, now)
        return max([*away, *([] if quiet is None else [quiet])], default=None)

    async def _letter(self, row: OutboxRow, person: str, taste: schema.NotifyTaste) -> Letter | None:
        """What to write; None where there is no reason any more."""
        if person in self._rooms.looking(row.match):
            return None
        try:
            return await self._rooms.read(
                row.match, lambda table: letters.write(table, row.seat, person, row.kind, taste)
            )
        except Refusal:  # the match is gone, or not to be read by this program
            return None

    async def _try(self, row: OutboxRow, address: AddressRow, letter: Letter, language: str) -> bool:
        """Try to send; whether that is finished, for better or worse."""
        try:
            await self.send(address, letter, language, row)
        except Undelivered as error:
            metrics.notifications[address.channel, "failed"] += 1
            log.warning("notify", extra={"channel": address.channel, "tries": row.tries, "problem": str(error)})
            if error.gone or row.tries > len(RETRIES):
                await self._box.failed(address.id, error.gone)
                return True
            await self._box.later(row, self._clock() + RETRIES[row.tries - 1] * 1000, tried=True)
            return False
        metrics.notifications[address.channel, "sent"] += 1
        await self._box.delivered(address.id)
        return True

    async def send(self, address: AddressRow, letter: Letter, language: str, row: OutboxRow | None = None) -> None:
        """Send a letter, or `Undelivered`; without a row it is a trial."""
        kind = "test" if row is None else row.kind
        if address.channel == "email":
            await self._mail(address, letter, language)
        elif address.channel == "push":
            await self._push(address, letter, kind)
        else:
            number = 0 if row is None else row.number
            await self._hook(address, letter, kind, number)

    async def _mail(self, address: AddressRow, letter: Letter, language: str) -> None:
        said = words(language)
        stop = f"{self._url}/unsubscribe#{address.keys}"
        text = "\n\n".join(
            [letter.title, *([letter.text] if letter.lines else []), self.link(letter),
             "--\n" + said.say("notify.mail_foot", link=stop)]
        )  # fmt: skip
        try:
            await self._mailer.send(address.target, letter.title, text, f"{self._url}/api/unsubscribe/{address.keys}")
        except MailError as error:
            raise Undelivered(str(error), error.final) from error

    async def _push(self, address: AddressRow, letter: Letter, kind: str) -> None:
        from rostra.server.notify.push import read_keys

        if self.pusher is None:
            raise Undelivered("this server sends no push messages")
        shown = {
            "title": letters.clipped(letter.title, 200), "body": letters.clipped(letter.text, PUSH_TEXT),
            "tag": letter.match or kind, "url": self._path(letter),
        }  # fmt: skip
        message = msgspec.json.encode(shown)
        topic = base64.urlsafe_b64encode(hashlib.sha256(letter.match.encode()).digest()).decode()
        await self._posted(self.pusher.send(address.target, read_keys(address.keys), message, topic))

    async def _hook(self, address: AddressRow, letter: Letter, kind: str, number: int) -> None:
        now = self._clock()
        told = {
            "type": kind, "match": letter.match or None, "number": number, "title": letter.title,
            "lines": letter.lines, "url": self.link(letter), "at": now,
        }  # fmt: skip
        body = msgspec.json.encode(told)
        name = hashlib.sha256(f"{address.id} {letter.match} {kind} {number}".encode()).hexdigest()[:32]
        headers = {"content-type": "application/json", **signature(address.keys, name, now // 1000, body)}
        await self._posted(post(address.target, body, headers, self._private))

    async def _posted(self, call: Awaitable[int]) -> None:
        """Wait for the status of a call, and judge it."""
        try:
            status = await call
        except BadTarget as error:
            raise Undelivered(str(error), gone=True) from error
        except CallError as error:
            raise Undelivered(str(error)) from error
        if not 200 <= status < 300:
            raise Undelivered(f"answered {status}", gone=status in GONE)

    def _path(self, letter: Letter) -> str:
        return f"/match/{letter.match}" if letter.match else "/me"

    def link(self, letter: Letter) -> str:
        """Where the match is."""
        return self._url + self._path(letter)


def signature(secret: str, name: str, at: int, body: bytes) -> dict[str, str]:
    """The headers that prove where a webhook's message comes from, after standardwebhooks.com."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.digest(key, f"{name}.{at}.".encode() + body, "sha256")
    return {
        "webhook-id": name, "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{binascii.b2a_base64(signed, newline=False).decode()}",
    }  # fmt: skip
