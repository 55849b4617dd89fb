"""Whom an entry calls: people for whom everybody waits from now on, or who are reminded, or whose match is over.

Nobody is called who looks at the table. The calls are stored in the transaction of the entry, so a crash loses none.
"""

from collections.abc import Callable, Coroutine, Set
from typing import NamedTuple

from rostra.server import entries
from rostra.server.notify.box import Box
from rostra.server.store import Call, StoreError, log
from rostra.server.table import Table


class Before(NamedTuple):
    """What counts of a table before something happens: for whom everybody waits, and whether it is over."""

    awaited: Set[int]
    over: bool


def before(table: Table) -> Before:
    """How a table is now."""
    return Before(table.awaited(), table.status == "over")


def called(table: Table, was: Before, entry: entries.Entry) -> dict[str, tuple[int, str]]:
    """The people whom an entry calls that has just happened, each with a seat and why."""
    found: dict[str, tuple[int, str]] = {}

    def call(seat: int, kind: str) -> None:
        person = table.seats[seat].person
        if person is not None and person != entry.body.by:
            found.setdefault(person, (seat, kind))

    fresh = sorted(table.awaited() - was.awaited)
    for seat in fresh:
        if seat == table.turn:
            call(seat, "turn")
    for seat in fresh:
        call(seat, "offer")
    for event in entry.body.events:
        if isinstance(event, entries.Nudged) and event.seat not in table.seats[event.other].muted:
            call(event.other, "nudge")
    if table.status == "over" and not was.over and table.match is not None:
        for seat in range(len(table.seats)):
            call(seat, "over")
    return found


class Bell:
    """Calls people a while after the entry, so that whoever comes to the table in time is not told."""

    def __init__(
        self, box: Box, delay: float, spawn: Callable[[Coroutine[None, None, None]], None], wake: Callable[[], None]
    ) -> None:
        self._box = box
        self._delay = int(delay * 1000)
        self._spawn = spawn
        self.wake = wake
        """Somebody was called."""

    def calls(self, table: Table, was: Before, entry: entries.Entry, looking: Set[str | None]) -> tuple[Call, ...]:
        """What is stored together with an entry."""
        return tuple(
            Call(person, seat, kind, entry.at + self._delay)
            for person, (seat, kind) in called(table, was, entry).items()
            if person not in looking
        )

    def seen(self, match: str, people: Set[str | None]) -> None:
        """These people look at the match and need not be told of it."""
        for person in people:
            if person is not None:
                self._spawn(self._forget(match, person))

    async def _forget(self, match: str, person: str) -> None:
        try:
            await self._box.seen(match, person)
        except StoreError as error:
            log.warning("seen", extra={"match": match, "problem": str(error)})
