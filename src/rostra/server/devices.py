"""Where a person is signed in: a token for each device, and codes with which another device gets one.

A token can be listed, named, renewed and revoked by its owner; it is shown once, and only its hash is stored. A code
works once: a short one for ten minutes and five tries, a long one (the personal link) for a year. A link by mail needs
nothing else: send what `code(person, "link")` answers to the address of the person.
"""

import re
import secrets
from collections.abc import Callable
from typing import Any

from rostra.server import schema
from rostra.server.decisions import clean, digest
from rostra.server.store import PersonRow, Statements, Store
from rostra.server.table import Refusal

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
LASTS = {"code": 10 * MINUTE, "link": 365 * DAY, "friend": 30 * DAY}
"""Milliseconds."""
TRIES = 5
"""Number of guesses after which a code is void."""
OPEN = 10
"""Number of codes that a person may have open."""
DEVICES = 20
"""Number of devices beyond which the one used longest ago is signed out."""
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Of short codes: nothing that looks like something else."""
NAME = 12
"""Digits of the hash that name a device."""
_is_place = re.compile(f"[{LETTERS}]{{4,8}}").fullmatch
_BAD_CODE = "this code or link is not valid: perhaps it was used, or is too old"


def label_of(text: str) -> str:
    """A label without control characters; it may be empty."""
    return clean(text) if text.strip() else ""


class Devices:
    """See the module; `revoked` is called with the hash of each token that is valid no more."""

    def __init__(self, store: Store, clock: Callable[[], int], revoked: Callable[[str], None]) -> None:
        self._store = store
        self._clock = clock
        self._revoked = revoked

    async def all(self, person: str, this: str) -> schema.Devices:
        """What a person has; `this` is the hash of the token that asks."""
        now = self._clock()

        def work() -> Statements[schema.Devices]:
            tokens = yield (
                "SELECT hash, label, created, used FROM tokens WHERE person = ? ORDER BY created, hash", (person,)
            )  # fmt: skip
            codes = yield (
                "SELECT place, kind, created, until FROM codes WHERE person = ? AND until > ? AND tries < ? "
                "ORDER BY created, place", (person, now, TRIES),
            )  # fmt: skip
            devices = [
                schema.Device(hashed[:NAME], label, created, used, hashed == this)
                for hashed, label, created, used in tokens
            ]
            return schema.Devices(devices, [schema.OpenLink(*row) for row in codes])

        return await self._store.transact(work)

    async def name(self, person: str, device: str, label: str) -> None:
        """Call a device something else."""
        _check_name(device)
        query = "UPDATE tokens SET label = ? WHERE person = ? AND substr(hash, 1, 12) = ? RETURNING hash"
        await self._one(query, label_of(label), person, device)

    async def revoke(self, person: str, device: str) -> None:
        """Sign a device out, or void a link that nobody has used."""
        _check_name(device)

        def work() -> Statements[list[str]]:
            found = yield ("DELETE FROM tokens WHERE person = ? AND substr(hash, 1, 12) = ? RETURNING hash",
                           (person, device))  # fmt: skip
            for (hashed,) in found:
                yield _FORGET_FIRST, (hashed,)
            links = yield "DELETE FROM codes WHERE person = ? AND place = ? RETURNING place", (person, device)
            return [hashed for (hashed,) in found] + ["" for _ in links]

        gone = await self._store.transact(work)
        if not gone:
            raise Refusal("no-device", "you have no such device or link")
        for hashed in gone:
            self._revoked(hashed)

    async def renew(self, person: PersonRow, this: str) -> schema.NewToken:
        """Another token for this device; the old one is valid no more."""
        token, now = secrets.token_urlsafe(32), self._clock()

        def work() -> Statements[bool]:
            changed = yield ("UPDATE tokens SET hash = ?, used = ? WHERE hash = ? RETURNING hash",
                             (digest(token), now, this))  # fmt: skip
            yield _FORGET_FIRST, (this,)
            return bool(changed)

        if not await self._store.transact(work):
            raise Refusal("unknown", "nobody has this token")
        self._revoked(this)
        return schema.NewToken(person.id, person.name, token)

    async def code(self, person: str, kind: str) -> schema.Code:
        """A code that works once; a new short one voids the last."""
        now = self._clock()
        short = kind == "code"
        place = "".join(secrets.choice(LETTERS) for _ in range(4 if short else 8))
        secret = "".join(secrets.choice(LETTERS) for _ in range(4)) if short else secrets.token_urlsafe(24)
        until = now + LASTS[kind]

        def work() -> Statements[str | None]:
            yield (
                "DELETE FROM codes WHERE until <= ? OR (person = ? AND kind = ? AND kind = 'code')",
                (now, person, kind),
            )
            ((number,),) = yield "SELECT count(*) FROM codes WHERE person = ?", (person,)
            if number >= OPEN:
                return "many"
            values = (place, digest(secret), kind, person, now, until, 0)
            made = yield "INSERT INTO codes VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING place", values
            return None if made else "again"

        problem = await self._store.transact(work)
        if problem == "many":
            raise Refusal("too-many", f"you have {OPEN} open links; revoke one first")
        if problem == "again":
            return await self.code(person, kind)  # somebody has a code with the same beginning
        return schema.Code(f"{place}-{secret}", until)

    async def use(self, code: str, kinds: tuple[str, ...], then: Callable[[str], Any] | None = None) -> str:
        """Whose code this is; it works no more. `then` adds statements that belong to it."""
        place, _, secret = _tidy(code).partition("-")
        now = self._clock()
        if not _is_place(place):  # not every text is safe in a database
            raise Refusal("bad-code", _BAD_CODE)

        def work() -> Statements[str | None]:
            found = yield (
                "UPDATE codes SET tries = tries + 1 WHERE place = ? AND until > ? AND tries < ? "
                "RETURNING secret, kind, person", (place, now, TRIES),
            )  # fmt: skip
            if not found or found[0][1] not in kinds or not secrets.compare_digest(found[0][0], digest(secret)):
                return None
            yield "DELETE FROM codes WHERE place = ?", (place,)
            if then is not None:
                yield from then(found[0][2])
            return str(found[0][2])

        person = await self._store.transact(work)
        if person is None:
            raise Refusal("bad-code", _BAD_CODE)
        return person

    async def sign_in(self, code: str, label: str) -> schema.NewToken:
        """A token for another device of whose code this is; of too many devices the one used longest ago goes."""
        token, now, label = secrets.token_urlsafe(32), self._clock(), label_of(label)
        gone: list[str] = []

        def then(person: str) -> Statements[None]:
            yield "INSERT INTO tokens VALUES (?, ?, ?, ?, ?)", (digest(token), person, label, now, now)
            tokens = yield "SELECT hash FROM tokens WHERE person = ? ORDER BY used DESC, created DESC", (person,)
            gone[:] = [hashed for (hashed,) in tokens[DEVICES:]]
            for hashed in gone:
                yield "DELETE FROM tokens WHERE hash = ?", (hashed,)
                yield _FORGET_FIRST, (hashed,)

        person = await self.use(code, ("code", "link"), then)
        for hashed in gone:
            self._revoked(hashed)
        ((name,),) = await self._store.rows("SELECT name FROM people WHERE id = ?", person)
        return schema.NewToken(person, name, token)

    async def _one(self, query: str, *values: Any) -> None:
        if not await self._store.rows(query, *values):
            raise Refusal("no-device", "you have no such device")


_FORGET_FIRST = "UPDATE people SET token = 'revoked ' || id WHERE token = ?"
"""So that servers of earlier versions do not know it either."""


def _check_name(device: str) -> None:
    if not (device.isascii() and device.isalnum()):  # not every text is safe in a database
        raise Refusal("no-device", "you have no such device or link")


def _tidy(code: str) -> str:
    """A code as it was made: people type small letters and blanks, and leave out the hyphen."""
    code = code.strip()
    if len(short := code.upper().replace(" ", "").replace("-", "")) == 8:
        return f"{short[:4]}-{short[4:]}"
    return code
