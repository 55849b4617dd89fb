"""The people who play: a name, and tokens that prove who somebody is."""

import asyncio
import base64
import secrets
from collections import OrderedDict, defaultdict
from collections.abc import Callable

from rostra.server import decisions, schema
from rostra.server.devices import NAME, Devices, label_of
from rostra.server.store import PersonRow, Statements, Store
from rostra.server.table import Refusal

REMEMBERED = 10_000
"""Number of people kept in memory."""
RECHECK = 5.0
"""Seconds after which a token is looked up again where another process may have revoked it."""
USED = 3_600_000
"""Milliseconds between two notes that a token is in use."""


def new_id() -> str:
    """A name that nobody can guess: 100 bits, 20 characters."""
    return base64.b32encode(secrets.token_bytes(13))[:20].decode().lower()


class People:
    """Everybody known to the store."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock
        self._known: OrderedDict[str, tuple[PersonRow, int]] = OrderedDict()
        """By the hash of the token, with when it was looked up."""
        self._sessions: defaultdict[str, set[Callable[[], None]]] = defaultdict(set)
        self.devices = Devices(store, clock, self._revoked)
        self.banned: set[str] = set()
        """The people whom the operator has banned; `orders` keeps it up to date."""

    async def add(self, name: str, label: str = "") -> schema.NewToken:
        """A new person; the token is sent once and never stored."""
        person, token, name = new_id(), secrets.token_urlsafe(32), decisions.clean(name)
        hashed, label, now = decisions.digest(token), label_of(label), self._clock()

        def work() -> Statements[None]:
            yield "INSERT INTO people (id, token, name, created) VALUES (?, ?, ?, ?)", (person, hashed, name, now)
            yield "INSERT INTO tokens VALUES (?, ?, ?, ?, ?)", (hashed, person, label, now, now)

        await self._store.transact(work)
        return schema.NewToken(person, name, token)

    async def find(self, token: str | None) -> PersonRow | None:
        """The person who has this token."""
        found = await self._find(decisions.digest(token)) if token else None
        if found is not None and found.id in self.banned:
            raise Refusal("banned", "the operator of this site has closed this account")
        return found

    async def _find(self, hashed: str) -> PersonRow | None:
        now = self._clock()
        known, at = self._known.get(hashed, (None, 0))
        if known is not None and not (self._store.shared and now - at >= RECHECK * 1000):
            return known
        found = await self._store.transact(lambda: _look_up(hashed, now))
        if found is None:
            self._known.pop(hashed, None)
            return None
        self._known[hashed] = found, now
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return found

    async def rename(self, person: str, name: str) -> schema.Person:
        """Change the name, for future matches."""
        name = decisions.clean(name)
        await self._store.rename(person, name)
        self.forget(person)
        return schema.Person(person, name)

    def forget(self, person: str) -> None:
        """Look this person up again."""
        for hashed in [hashed for hashed, (row, _) in self._known.items() if row.id == person]:
            del self._known[hashed]

    # Connections end with their token.

    def attend(self, token: str, end: Callable[[], None]) -> Callable[[], None]:
        """Call `end` when the token is valid no more; the answer takes this back."""
        hashed = decisions.digest(token)
        self._sessions[hashed].add(end)

        def leave() -> None:
            self._sessions[hashed].discard(end)
            if not self._sessions[hashed]:
                del self._sessions[hashed]

        return leave

    def _revoked(self, hashed: str) -> None:
        self._known.pop(hashed, None)
        for end in list(self._sessions.get(hashed, ())):
            end()

    async def gone(self, person: str, devices: list[str]) -> None:
        """End all connections of a person that was erased."""
        self.forget(person)
        for hashed in [one for one in self._sessions if one[:NAME] in devices]:
            self._revoked(hashed)

    async def recheck(self) -> None:
        """End the connections whose tokens another process has revoked."""
        for hashed in list(self._sessions):
            if await self._find(hashed) is None:
                self._revoked(hashed)

    async def keep_checking(self) -> None:
        """Do so for ever."""
        while True:
            await asyncio.sleep(RECHECK)
            await self.recheck()


def _look_up(hashed: str, now: int) -> Statements[PersonRow | None]:
    """Whose token it is; that it is in use is noted now and then."""
    of_person = "SELECT p.id, p.name, t.used FROM tokens t JOIN people p ON p.id = t.person WHERE t.hash = ?"
    found = yield of_person, (hashed,)
    if not found:
        # Made by a server of an earlier version, while this one ran beside it.
        yield (
            "INSERT INTO tokens (hash, person, label, created, used) SELECT token, id, '', created, CAST(? AS BIGINT) "
            "FROM people WHERE token = ? ON CONFLICT DO NOTHING", (now, hashed),
        )  # fmt: skip
        found = yield of_person, (hashed,)
    if not found:
        return None
    person, name, used = found[0]
    if now - used >= USED:
        yield "UPDATE tokens SET used = ? WHERE hash = ?", (now, hashed)
    return PersonRow(person, name)
