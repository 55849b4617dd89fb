"""What is stored about notifications: addresses, tastes, vacations, and the outbox.

Statements are single ones, in a dialect that both databases understand, so each is a transaction of its own.
"""

from typing import NamedTuple

import msgspec

from rostra.server import schema
from rostra.server.store import Store

RETRIES = (60, 600, 3600, 6 * 3600)
"""Seconds after a failed try until the next one; then it is given up."""
CLAIM = 120_000
"""Milliseconds for which a process has a message to itself; after that it died, and another one sends it."""
FAILING = 10
"""An address is switched off after this many messages in a row that could not be delivered (also in `store.CALL`)."""
ADDRESSES = 10
"""A person has at most this many addresses."""
GUESSES = 5
"""So often a code may be guessed."""
KINDS: tuple[schema.CallKind, ...] = ("turn", "offer", "nudge", "over")
DAY = 24 * 3600 * 1000

_ADDRESS = "id, person, channel, target, keys, kinds, confirmed, code, guesses, failures, created"


class AddressRow(NamedTuple):
    """Where notifications go; the columns of the table in their order."""

    id: str
    person: str
    channel: schema.Channel
    target: str
    keys: str
    kinds: str
    confirmed: int
    code: str
    guesses: int
    failures: int
    created: int


class OutboxRow(NamedTuple):
    """Something to be sent."""

    address: str
    match: str
    kind: schema.CallKind
    number: int
    seat: int
    tries: int


class Box:
    """See the module."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._skip = " FOR UPDATE SKIP LOCKED" if store.shared else ""

    async def key(self, name: str, new: str) -> str:
        """A key of this server, made at the first start."""
        await self._store.rows("INSERT INTO server_keys VALUES (?, ?) ON CONFLICT (name) DO NOTHING", name, new)
        return str((await self._store.rows("SELECT value FROM server_keys WHERE name = ?", name))[0][0])

    # Tastes.

    async def taste(self, person: str) -> schema.NotifyTaste:
        """How a person is told."""
        rows = await self._store.rows("SELECT body FROM notify WHERE person = ?", person)
        return msgspec.json.decode(rows[0][0], type=schema.NotifyTaste) if rows else schema.NotifyTaste()

    async def set_taste(self, person: str, taste: schema.NotifyTaste) -> None:
        """Another way to be told."""
        query = "INSERT INTO notify VALUES (?, ?) ON CONFLICT (person) DO UPDATE SET body = excluded.body"
        await self._store.rows(query, person, msgspec.json.encode(taste).decode())

    # Addresses.

    async def addresses(self, person: str) -> list[AddressRow]:
        """Where notifications of a person go."""
        query = f"SELECT {_ADDRESS} FROM addresses WHERE person = ? ORDER BY created, id"
        return [AddressRow(*row) for row in await self._store.rows(query, person)]

    async def address(self, address: str) -> AddressRow | None:
        """One of them."""
        rows = await self._store.rows(f"SELECT {_ADDRESS} FROM addresses WHERE id = ?", address)
        return AddressRow(*rows[0]) if rows else None

    async def unsubscribe(self, key: str) -> bool:
        """Remove the e-mail address of an unsubscribe link; False where there is none."""
        query = "DELETE FROM addresses WHERE channel = 'email' AND keys = ? RETURNING id"
        return bool(await self._store.rows(query, key))

    async def add(self, row: AddressRow) -> None:
        """A new address; the same one again takes the place of the old one."""
        marks = ", ".join("?" * len(row))
        query = f"""
            INSERT INTO addresses ({_ADDRESS}) VALUES ({marks})
            ON CONFLICT (person, channel, target) DO UPDATE SET keys = excluded.keys, kinds = excluded.kinds,
            confirmed = excluded.confirmed, code = excluded.code, guesses = 0, failures = 0, created = excluded.created
        """
        await self._store.rows(query, *row)

    async def guess(self, person: str, address: str) -> AddressRow | None:
        """An address whose code is about to be compared: one guess less."""
        query = f"""
            UPDATE addresses SET guesses = guesses + 1
            WHERE id = ? AND person = ? AND confirmed = 0 AND guesses < ? RETURNING {_ADDRESS}
        """
        rows = await self._store.rows(query, address, person, GUESSES)
        return AddressRow(*rows[0]) if rows else None

    async def confirm(self, address: str, now: int) -> None:
        """From now on it is sent to."""
        await self._store.rows("UPDATE addresses SET confirmed = ?, failures = 0 WHERE id = ?", now, address)

    async def set_kinds(self, person: str, address: str, kinds: str) -> bool:
        """What is sent there; False where this person has no such address."""
        query = "UPDATE addresses SET kinds = ?, failures = 0 WHERE id = ? AND person = ? RETURNING id"
        return bool(await self._store.rows(query, kinds, address, person))

    async def remove(self, person: str, address: str) -> bool:
        """Send nothing there any more; False where this person has no such address."""
        query = "DELETE FROM addresses WHERE id = ? AND person = ? RETURNING id"
        return bool(await self._store.rows(query, address, person))

    async def delivered(self, address: str) -> None:
        """It works."""
        await self._store.rows("UPDATE addresses SET failures = 0 WHERE id = ? AND failures > 0", address)

    async def failed(self, address: str, gone: bool) -> None:
        """It does not, or (`gone`) never will."""
        query = "UPDATE addresses SET failures = failures + ? WHERE id = ?"
        await self._store.rows(query, FAILING if gone else 1, address)

    # The outbox.

    async def claim(self, now: int, most: int) -> list[OutboxRow]:
        """What is due now and from now on is this process's own to send."""
        query = f"""
            UPDATE outbox SET due = ?, tries = tries + 1 WHERE due <= ? AND (address, match, kind) IN
            (SELECT address, match, kind FROM outbox WHERE due <= ? ORDER BY due LIMIT ?{self._skip})
            RETURNING address, match, kind, number, seat, tries
        """
        return [OutboxRow(*row) for row in await self._store.rows(query, now + CLAIM, now, now, most)]

    async def done(self, row: OutboxRow) -> None:
        """It was sent, or need not be; a newer one of its kind stays."""
        query = "DELETE FROM outbox WHERE address = ? AND match = ? AND kind = ? AND number = ?"
        await self._store.rows(query, row.address, row.match, row.kind, row.number)

    async def later(self, row: OutboxRow, due: int, tried: bool) -> None:
        """Send it later."""
        query = "UPDATE outbox SET due = ?, tries = ? WHERE address = ? AND match = ? AND kind = ? AND number = ?"
        tries = row.tries if tried else row.tries - 1
        await self._store.rows(query, due, tries, row.address, row.match, row.kind, row.number)

    async def seen(self, match: str, person: str) -> None:
        """The person sees the match and need not be told."""
        query = "DELETE FROM outbox WHERE match = ? AND address IN (SELECT id FROM addresses WHERE person = ?)"
        await self._store.rows(query, match, person)

    async def next_due(self) -> int | None:
        """When there is something to send next."""
        rows = await self._store.rows("SELECT min(due) FROM outbox")
        return None if rows[0][0] is None else int(rows[0][0])

    # Vacations.

    async def vacations(self, person: str, since: int) -> list[schema.Vacation]:
        """The vacations of a person that ended after this time, the oldest first."""
        query = "SELECT since, until FROM vacations WHERE person = ? AND until > ? ORDER BY since"
        return [schema.Vacation(*row) for row in await self._store.rows(query, person, since)]

    async def set_vacation(self, person: str, vacation: schema.Vacation) -> None:
        """A new vacation, or another end of one."""
        query = (
            "INSERT INTO vacations VALUES (?, ?, ?) ON CONFLICT (person, since) DO UPDATE SET until = excluded.until"
        )
        await self._store.rows(query, person, vacation.since, vacation.until)
