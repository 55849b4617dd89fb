"""The people who play: a name, and a token that proves who somebody is."""

import base64
import secrets
from collections import OrderedDict
from collections.abc import Callable

from rostra.server import decisions, schema
from rostra.server.store import PersonRow, Store
from rostra.server.table import Refusal

REMEMBERED = 10_000
"""Number of people kept in memory."""


def new_id() -> str:
    """A name that nobody can guess: 100 bits, 20 characters."""
    return base64.b32encode(secrets.token_bytes(13))[:20].decode().lower()


class People:
    """Everybody known to the store."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock
        self._known: OrderedDict[str, PersonRow] = OrderedDict()
        self.banned: set[str] = set()
        """The people whom the operator has banned; `orders` keeps it up to date."""

    async def add(self, name: str) -> schema.NewToken:
        """A new person; the token is sent once and never stored."""
        person, token, name = new_id(), secrets.token_urlsafe(32), decisions.clean(name)
        await self._store.add_person(person, decisions.digest(token), name, self._clock())
        return schema.NewToken(person, name, token)

    async def find(self, token: str | None) -> PersonRow | None:
        """The person who has this token."""
        if not token:
            return None
        hashed = decisions.digest(token)
        found = self._known.get(hashed)
        if found is None and (found := await self._store.person_of(hashed)) is not None:
            self._known[hashed] = found
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        if found is not None and found.id in self.banned:
            raise Refusal("banned", "the operator of this site has closed this account")
        return found

    async def rename(self, person: str, name: str) -> schema.Person:
        """Change the name, for future matches."""
        name = decisions.clean(name)
        await self._store.rename(person, name)
        self.forget(person)
        return schema.Person(person, name)

    def forget(self, person: str) -> None:
        """Read this person again when needed."""
        for hashed in [hashed for hashed, row in self._known.items() if row.id == person]:
            del self._known[hashed]
