"""Who came to which seat in a running match, and what is asked about a seat now: a part of the table.

Whoever holds or held one seat of a match never comes to another one: that person knows what the first one knew.
"""

from collections import defaultdict
from typing import Any

from rostra.server import entries, schema

TOLD = 20
"""Number of hand-overs that are sent to everybody; the log has all of them."""
TAKEN_AWAY = ("patience", "agreed", "clock")
"""How a bot came to a seat whose person may come back: without having left or resigned."""


class HandOvers:
    """See the module."""

    def __init__(self) -> None:
        self.first: list[tuple[str | None, str | None, str]] = []
        """Who sat in each seat when the match began: person, bot, name."""
        self.made: list[schema.HandOver] = []
        self.held: defaultdict[str, set[int]] = defaultdict(set)
        """The seats that each person holds or held in the running match."""
        self.former: dict[int, str] = {}
        """Who may come back to a seat in which a bot sits."""
        self.asked: entries.AskedSeat | None = None
        self.agreed: set[int] = set()
        self.signs: dict[int, int] = {}
        """When a seat last drafted, offered or answered. Each turn allows only so many, so nobody can stall by them."""

    def begin(self, first: list[tuple[str | None, str | None, str]]) -> None:
        """The match begins with these people and bots."""
        self.first = first
        for seat, (person, _, _) in enumerate(first):
            if person is not None:
                self.held[person].add(seat)

    def alive(self, seat: int, at: int) -> None:
        """A seat showed that somebody is there: what was asked because nobody was is settled."""
        self.signs[seat] = at
        if self.asked is not None and self.asked.absent:
            self._settle(seat)

    def moved(self) -> None:
        """Play went on, so nobody is waited for as before."""
        if self.asked is not None and self.asked.absent:
            self.asked = None

    def sat(self, event: entries.Sat, before: tuple[str | None, str | None], at: int, ply: int) -> None:
        """Somebody came to a seat where `before` (name, person) sat."""
        name, person = before
        if event.person is not None:
            self.held[event.person].add(event.seat)
        if event.person is not None or event.how not in TAKEN_AWAY:
            self.former.pop(event.seat, None)
        elif person is not None:
            self.former[event.seat] = person
        if event.person is None or event.person != person:  # else it is the same person, on another device
            how: Any = event.how or "unknown"
            self.made.append(schema.HandOver(event.seat, name, event.name, event.bot, event.by, how, at, ply))
        self._settle(event.seat)

    def ask(self, event: entries.AskedSeat) -> None:
        """Somebody asks the others."""
        self.asked, self.agreed = event, {event.by}

    def answer(self, event: entries.AnsweredSeat) -> None:
        """One of them says yes, or no."""
        if event.yes:
            self.agreed.add(event.seat)
        else:
            self.asked = None

    def linked(self, event: entries.Linked) -> None:
        """A key was made, perhaps because everybody has agreed."""
        self._settle(event.seat)

    def _settle(self, seat: int) -> None:
        if self.asked is not None and self.asked.seat == seat:
            self.asked = None
