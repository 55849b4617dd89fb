"""Who may give a seat of a match to somebody else: its holder; the others by agreement; or time, as the match promised.

Nobody is thrown out while thinking. A seat is absent when all have waited for its decision for the time of the match
(`patience`) without any sign of it. Then anybody at the table may put a bot there. Before that, but never before
`PATIENCE`, at least two people must agree. A match with a clock has promised its time: nobody does it by hand. The seat
of a bot goes to a person when all people at the table agree. Whoever lost a seat by absence may come back to it.
"""

import secrets

from rostra.server import entries, schema
from rostra.server.entries import AnyEvent
from rostra.server.table import Refusal, Table

PATIENCE = 120.0
"""Seconds of waiting before which nobody loses a seat, whatever the match says."""

Events = list[AnyEvent]


def check_promise(settings: schema.Settings) -> None:
    """Refuse a new match whose patience is indecently short."""
    if settings.patience < PATIENCE:
        raise Refusal("bad-option", f"patience is at least {PATIENCE:g} seconds, not {settings.patience:g}")


def may_sit(table: Table, command: schema.Sit, person: str, hashed: str | None) -> str | None:
    """Whether this person may take the seat, else a refusal; how it comes to it in a running match."""
    seat = table.seats[command.seat]
    opened = hashed is not None and seat.key is not None and secrets.compare_digest(hashed, seat.key)
    if hashed is not None and not opened:
        raise Refusal("bad-key", "this link is not valid any more; ask for a new one")
    back = seat.bot is not None and table.handovers.former.get(command.seat) == person
    if not opened and not back:
        if seat.name is not None:
            raise Refusal("taken", f"seat {command.seat} is taken")
        if seat.person not in (None, person):
            raise Refusal("taken", f"seat {command.seat} is kept for the creator of the match")
    _check_one_seat(table, command.seat, person)
    if table.match is None:
        return None
    return "link" if opened else "returned"


def _check_one_seat(table: Table, number: int, person: str) -> None:
    """Hidden cards of two seats never meet in one head by a trick. Before a match begins several people may share a
    device; everybody sees that, but strangers who sit down one after the other could not say no."""
    seat = table.seats[number]
    if table.match is not None:
        if table.handovers.held.get(person, set()) - {number}:
            raise Refusal("second-seat", "you hold or held another seat of this match; nobody plays two hands of it")
    elif table.settings.listed and seat.plan.kind == "open" and set(table.seats_of(person)) - {number}:
        raise Refusal("second-seat", "in a listed match everybody has one seat")


def replace(table: Table, asker: str, sat: entries.Sat, now: int) -> Events:
    """Put a bot into a seat of a running match, or ask the others."""
    by = _asker(table, asker)
    seat = table.seats[sat.seat]
    if seat.person == asker:
        raise Refusal("not-awaited", "this is your own seat: leave it or resign")
    asked = entries.AskedSeat(by, sat.seat, bot=sat.bot)
    if seat.bot is not None:
        return _ask(table, asked, [_how(sat, by, "agreed")], seat.person)
    waited = _waited(table, sat.seat, now)
    _check_absent(table, waited)
    if waited >= table.settings.patience:
        return [_how(sat, by, "patience")]
    if len(_others(table, seat.person)) < 2:
        raise Refusal("patience", f"this match gives everybody {table.settings.patience:g} seconds")
    asked.absent = True
    return _ask(table, asked, [_how(sat, by, "agreed")], seat.person)


def link(table: Table, command: schema.Link, person: str, hashed: str, now: int) -> Events:
    """A key for a seat: at once for the own and for a free one, else the others are asked."""
    number = command.seat
    seat = table.seats[number]
    if seat.person == person and (seat.name is not None or table.match is None):
        return [entries.Linked(number, hashed, number)]
    if table.match is None:
        if person != table.creator:
            raise Refusal("not-creator", "only who made the match can do this")
        if seat.name is not None:
            raise Refusal("taken", f"somebody sits in seat {number}; only they can make a link to it")
        return [entries.Linked(number, hashed)]
    by = _asker(table, person)
    asked = entries.AskedSeat(by, number, key=hashed)
    if seat.bot is None:
        waited = _waited(table, number, now)
        _check_absent(table, waited)
        if waited < table.settings.patience or len(_others(table, seat.person)) < 2:
            # One person alone could sit there under another name, and see what the absent one may see.
            raise Refusal("patience", "let a bot play for this seat; its person may come back")
        asked.absent = True
    return _ask(table, asked, [entries.Linked(number, hashed, by)], seat.person)


def answer(table: Table, command: schema.AnswerSeat, sat: entries.Sat | None) -> Events:
    """Somebody's answer; when all have agreed it is done (`sat`: the bot that comes, where a bot was asked for)."""
    asked = table.handovers.asked
    if asked is None:
        raise Refusal("nothing-asked", "nobody asks to give a seat to somebody else")
    events: Events = [entries.AnsweredSeat(command.seat, command.yes)]
    if not command.yes:
        return events
    if table.seats[command.seat].person == table.seats[asked.seat].person:
        raise Refusal("not-yours", "it is about your own seat: refuse, or go on playing")
    agreed = {table.seats[one].person for one in table.handovers.agreed | {command.seat}}
    if _others(table, table.seats[asked.seat].person) <= agreed:
        if asked.key is not None:
            events.append(entries.Linked(asked.seat, asked.key, asked.by))
        elif sat is not None:
            events.append(_how(sat, asked.by, "agreed"))
    return events


def needed(table: Table) -> list[int]:
    """The seats whose people have not agreed yet to what is asked."""
    asked = table.handovers.asked
    if asked is None:
        return []
    done = {table.seats[one].person for one in table.handovers.agreed}
    missing = _others(table, table.seats[asked.seat].person) - done
    return [number for number, seat in enumerate(table.seats) if seat.person in missing]


def _asker(table: Table, person: str) -> int:
    """The seat of somebody who plays."""
    mine = [number for number in table.seats_of(person) if table.seats[number].name is not None]
    if not mine:
        raise Refusal("not-seated", "only those who play decide about seats")
    return mine[0]


def _others(table: Table, absent: str | None) -> set[str | None]:
    """The people who play, besides the one whom it is about."""
    return {seat.person for seat in table.seats if seat.name is not None} - {None, absent}


def _waited(table: Table, number: int, now: int) -> float:
    """Seconds since all wait for a seat without a sign of it; 0 where nobody does."""
    if table.turn != number:
        return 0
    return (now - max(table.since, table.handovers.signs.get(number, 0))) / 1000


def _check_absent(table: Table, waited: float) -> None:
    if table.settings.clock is not None:
        raise Refusal("patience", "this match has a clock, and the seat has its time; then it is replaced by itself")
    if waited < PATIENCE:
        wait = f"for {PATIENCE:g} seconds"
        raise Refusal("patience", f"a seat can be given away when all have waited {wait} for its decision")


def _ask(table: Table, asked: entries.AskedSeat, done: Events, absent: str | None) -> Events:
    """The question to the others; without others it is done at once."""
    before = table.handovers.asked
    if before is not None and before.by != asked.by:
        raise Refusal("asked", "another question about a seat is open; answer it first")
    if _others(table, absent) <= {table.seats[asked.by].person}:
        return done
    return [asked]


def _how(sat: entries.Sat, by: int | None, how: str) -> entries.Sat:
    sat.by, sat.how = by, how
    return sat
