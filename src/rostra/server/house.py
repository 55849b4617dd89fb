"""What the house does by itself at a table: choices that are confirmed by time, clocks that run out, bots.

Pure: it says when there is something to do (`due`) and what (`events`, `jobs`); `keeper` does it. Bots are slow on
purpose, and an active bot in a game with deals lets the others speak first.
"""

from collections import Counter, defaultdict
from collections.abc import Container
from typing import NamedTuple

from rostra.server import decisions, entries
from rostra.server.table import Table

LATE = 10_000
"""Milliseconds after which an expired clock was clearly not served at all: its player gets the time again."""
ONLY_MOVE = 1500
"""Milliseconds until the only move is made, so that everybody sees whose turn it was."""
OFFERS = 3
"""Number of offers of its own that a bot makes in a turn."""
COUNTERS = 2
CONSIDERS = 2
"""Where people listen, a bot takes this many times the pace for an answer: what it says must be read."""


class Job(NamedTuple):
    """Something for a bot to think about: its move, its own offer, or its answer to an offer or (the number of that in
    this turn) to a question for its price."""

    kind: str
    seat: int
    offer: int = -1


class Talk:
    """What the bots of a table have said in this turn. It is not stored: after a restart they may say it again."""

    def __init__(self) -> None:
        self.turn = -1
        self.offers: Counter[int] = Counter()
        self.counters: Counter[int] = Counter()
        self.silent: set[int] = set()
        """Bots that have no offer to make."""
        self.last: dict[int, int] = {}
        """When a bot said something last."""
        self.unpaid: defaultdict[int, list[list[str]]] = defaultdict(list)
        """By bot its offers that somebody could not pay."""

    def renew(self, turn: int) -> None:
        """Forget what was said in an earlier turn."""
        if turn != self.turn:
            self.turn = turn
            for said in (self.offers, self.counters, self.silent, self.last, self.unpaid):
                said.clear()


def confirm_at(table: Table) -> int | None:
    """When a choice will count by itself."""
    if table.turn is None or table.chosen is None or table.settings.confirm is None:
        return None
    return table.chosen_at + int(table.settings.confirm * 1000)


def clock_at(table: Table) -> int | None:
    """When the time of the seat to move is up."""
    if table.turn is None or table.seats[table.turn].bot is not None:
        return None
    return table.deadline()


def only_move(table: Table) -> str | None:
    """The move of a person who has no other, in a match where such moves are made by themselves. There is a choice as
    long as a deal or a request to go back is possible."""
    match, turn = table.match, table.turn
    if not table.settings.only_move or match is None or turn is None or table.seats[turn].person is None:
        return None
    if table.chosen is not None or table.undo is not None or table.can_deal:
        return None
    legal = match.legal()
    return legal[0] if len(legal) == 1 else None


def events(table: Table, now: int) -> list[entries.AnyEvent]:
    """What is to happen by itself now."""
    turn, confirm, clock = table.turn, confirm_at(table), clock_at(table)
    if turn is None:
        return []
    if confirm is not None and confirm <= now and table.chosen is not None:
        return [entries.Played(turn, [table.chosen])]
    if table.since + ONLY_MOVE <= now and (only := only_move(table)) is not None:
        return [entries.Played(turn, [only])]
    if clock is not None and clock <= now:
        if now - clock > LATE:
            return [entries.Resumed()]
        if table.settings.timeout == "forfeit":
            return decisions.resign(table, turn, "forfeited")
        return [decisions.stand_in(table, turn, how="clock")]
    return []


def waits_until(table: Table) -> int | None:
    """When an active bot acts at a table with people, if nobody says anything before; None where it waits for nobody.

    Time for talk is given only where there is something to bargain about. A person who has to answer an offer, or is
    putting one together, gets the match's time for it, and never less.
    """
    desk, match = table.game.desk, table.match
    if desk is None or match is None or table.turn not in table.bots or not table.can_deal:
        return None
    people = [n for n, seat in enumerate(table.seats) if seat.person is not None and n not in table.ready]
    if not people:
        return None
    answer = int(table.settings.answer * 1000)
    asked = [offer.at for _, offer in table.open_offers() if {*people} & ({*offer.parties} - {*offer.yes})]
    drafting = [since for seat, since in table.drafting.items() if seat in people]
    talk = table.settings.talk if desk.matters(match.state) else 0
    return max([table.since + int(talk * 1000), *(since + answer for since in (*asked, *drafting))])


def jobs(table: Table, talk: Talk) -> list[tuple[int, Job]]:
    """What bots have to think about, and when; they wait while people talk about going back."""
    turn = table.turn
    if turn is None or table.match is None or table.undo is not None:
        return []
    pace = int(table.settings.pace * 1000)
    found: list[tuple[int, Job]] = []
    acts_at = table.since + pace
    desk = table.game.desk
    if desk is not None and table.can_deal:
        talk.renew(table.desk_turn)
        bots = table.bots
        considers = pace * CONSIDERS if any(seat.person is not None for seat in table.seats) else pace
        open_offers = table.open_offers()
        for number, offer in open_offers:
            for seat in bots:
                if seat in offer.parties and seat not in offer.yes:
                    found.append((max(offer.at, talk.last.get(seat, 0)) + considers, Job("answer", seat, number)))
        for number, asked in enumerate(table.asked if desk.quote else []):
            for seat in set(bots).intersection(table.unpriced(asked)):
                found.append((max(asked.at, talk.last.get(seat, 0)) + considers, Job("quote", seat, number)))
        for place, seat in enumerate([turn, *(bot for bot in bots if bot != turn)]):
            waits = any(offer.seat == seat for _, offer in open_offers)
            if seat in bots and seat not in talk.silent and talk.offers[seat] < OFFERS and not waits:
                found.append((max(table.since, talk.last.get(seat, 0)) + (1 + place) * pace, Job("offer", seat)))
        until = waits_until(table)
        answers = [when for when, job in found if job.kind == "answer"]
        if until is not None:
            acts_at = max(acts_at, until, *(when + pace for when in answers))  # whoever asked gets an answer first
        elif found:
            acts_at = max(when for when, _ in found) + pace  # bots among themselves finish talking first
    if table.seats[turn].bot is not None:
        found.append((acts_at, Job("act", turn)))
    return sorted(found)


def due(table: Table, talk: Talk, besides: Container[Job] = ()) -> int | None:
    """When there is next something to do, besides these jobs."""
    people_only = table.settings.clock is None and not table.bots and not table.settings.only_move
    if table.status != "playing" or (people_only and table.chosen is None):
        return None
    times = [when for when in (confirm_at(table), clock_at(table)) if when is not None]
    if only_move(table) is not None:
        times.append(table.since + ONLY_MOVE)
    times += [when for when, job in jobs(table, talk) if job not in besides][:1]
    return min(times, default=None)
