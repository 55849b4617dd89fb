"""Fills in what lists need of matches whose rows lack it: of earlier versions, and of processes of an earlier version
that run beside this one. In a thread and with pauses, so that nobody waits for it."""

import asyncio
import contextlib
import logging
import time

import msgspec

from rostra.bots.preparing import TABLE, Preparing
from rostra.server import entries, listing
from rostra.server.replay import Unplayable, entry_of, table_of
from rostra.server.store import Change, LogRow, MatchRow, Store, StoreError

log = logging.getLogger("rostra.live")
EVERY = 3600.0
"""Seconds between two looks at all matches."""
PAGE = 500
"""Number of matches looked at in one statement."""


async def sum_all(store: Store, preparing: Preparing) -> None:
    """Again and again: look at all matches, and fill in what is missing."""
    while True:
        after: str | None = ""
        while after is not None:
            try:
                matches, after = await store.unsummed(after, PAGE)
            except StoreError as error:
                log.warning("sum", extra={"problem": str(error)})
                await asyncio.sleep(1)
                continue
            for match in matches:
                began = time.monotonic()
                try:
                    await sum_one(store, preparing, match)
                except Exception as error:  # one match must not keep the others from their turn
                    log.error("sum", extra={"match": match, "problem": str(error) or type(error).__name__})
                await asyncio.sleep(time.monotonic() - began)  # half of the time is for others
            await asyncio.sleep(0.01)
        await asyncio.sleep(EVERY)


async def sum_one(store: Store, preparing: Preparing, match: str) -> None:
    """Fill in what lists need of a match."""
    row = await store.match(match)
    if row is None:
        return
    rows = await store.entries(match, 0)
    await preparing.wait(row.game, TABLE)
    change, trouble = await asyncio.to_thread(_sum, row, rows)
    number, at = (rows[-1].number, rows[-1].at) if rows else (0, row.created)
    await store.sum(match, number, at, change, trouble)


def _sum(row: MatchRow, rows: list[LogRow]) -> tuple[Change, str | None]:
    """The columns; of a match that cannot be played on as much of them as its log tells."""
    try:
        table = table_of(row, rows)
        return listing.change(table, None, listing.total(table), None), None
    except Unplayable as problem:
        log.warning("unplayable", extra={"match": row.id, "problem": str(problem)})
        found = listing.from_log(row, _known(rows))
        trouble = problem.trouble if problem.trouble == "damaged" else None
        return Change(row.status, None, row.turn, row.seated or found.seated, found.result, found.seats), trouble


def ending(row: MatchRow, number: int, at: int, rows: list[LogRow]) -> tuple[entries.Entry, Change]:
    """The end of a match that cannot be played on and that everybody has forgotten."""
    entry = entries.Entry(number, at, entries.Body([entries.Ended("abandoned", [])], "house"))
    found = listing.from_log(row._replace(status="over"), [*_known(rows), entry])
    return entry, Change("over", None, None, found.seated, found.result, found.seats)


def _known(rows: list[LogRow]) -> list[entries.Entry]:
    """The entries that can be read."""
    found = []
    for row in rows:
        with contextlib.suppress(msgspec.MsgspecError, UnicodeError):
            found.append(entry_of(row))
    return found
