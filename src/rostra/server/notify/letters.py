"""What a notification says: whose turn it is, and what happened since the person's last move, as that seat may know."""

import datetime
import zoneinfo
from typing import NamedTuple

from rostra.play.transcript import HIDDEN, Ply, Undo
from rostra.server import schema
from rostra.server.notify.quiet import known_zone
from rostra.server.table import Table
from rostra.words import Words, words

LINES = 8
"""Most lines about what happened; the last ones count."""


class Letter(NamedTuple):
    """A notification in the language of its reader."""

    title: str
    lines: list[str]
    match: str

    @property
    def text(self) -> str:
        """What happened."""
        return "\n".join(self.lines)


def write(table: Table, seat: int, person: str, kind: schema.CallKind, taste: schema.NotifyTaste) -> Letter | None:
    """The letter to a person in a seat; None where it is no longer true."""
    if table.match is None or table.seats[seat].person != person:
        return None
    said = words(taste.language)
    key = f"lobby.title_{table.game.name}"
    game = said.text(key) if key in said else table.game.title
    if kind == "over":
        if table.status != "over":
            return None
        return Letter(said.say("notify.title_over", game=game), _end(table, said), table.id)
    if seat not in table.awaited() or (kind == "turn" and seat != table.turn):
        return None
    title = {"turn": "notify.title_turn", "offer": "notify.title_offer", "nudge": "notify.title_nudge"}[kind]
    lines = [*_happened(table, seat, said), *_asked(table, seat, said), *_until(table, seat, said, taste)]
    return Letter(said.say(title, game=game), lines, table.id)


def _names(table: Table) -> list[str]:
    return [seat.name or "" for seat in table.seats]


def _happened(table: Table, seat: int, said: Words) -> list[str]:
    """Decisions of others since this seat's last one."""
    assert table.match is not None
    names, phrase = _names(table), table.game.screen.phrase
    events = table.match.seen(seat)
    last = max((n for n, event in enumerate(events) if isinstance(event, Ply) and event.seat == seat), default=-1)
    lines: list[str] = []
    for event in events[last + 1 :]:
        if isinstance(event, Undo):
            lines.append(said.say("notify.undone"))
        elif isinstance(event, Ply) and event.seat is not None:
            hidden = event.move in HIDDEN
            what = said.say("notify.hidden") if hidden else phrase(said, event.move, names, event.seat)
            lines.append(said.say("notify.did", name=names[event.seat], what=what))
    left_out = len(lines) - LINES
    return [said.say("notify.earlier", n=left_out), *lines[left_out:]] if left_out > 0 else lines


def _asked(table: Table, seat: int, said: Words) -> list[str]:
    """Offers and questions that wait for this seat."""
    names, phrase = _names(table), table.game.screen.phrase
    lines = []
    for _, offer in table.open_offers():
        if seat in offer.parties and seat not in offer.yes and seat not in offer.no:
            terms = "; ".join(phrase(said, term, names, offer.mover) for term in offer.terms)
            lines.append(said.say("notify.offers", name=names[offer.seat], terms=terms))
    if table.undo is not None and seat not in table.undo_agreed:
        lines.append(said.say("notify.asks_undo", name=names[table.undo.seat]))
    return lines


def _until(table: Table, seat: int, said: Words, taste: schema.NotifyTaste) -> list[str]:
    """When the time of this seat is up."""
    until = table.deadline()
    if until is None or seat != table.turn:
        return []
    zone = taste.zone if known_zone(taste.zone) else "UTC"
    at = datetime.datetime.fromtimestamp(until / 1000, zoneinfo.ZoneInfo(zone))
    form = "%d.%m.%Y, %H:%M" if taste.language == "de" else "%d %B %Y, %H:%M"
    return [said.say("notify.until", when=at.strftime(form), zone=zone)]


def _end(table: Table, said: Words) -> list[str]:
    result, names = table.result(), _names(table)
    if result is None or not result.winners:
        return [said.say("notify.no_winner")]
    winners = ", ".join(names[one] for one in result.winners)
    points = ", ".join(said.say("notify.points", name=name, n=n) for name, n in zip(names, result.points, strict=True))
    return [said.say("notify.won", names=winners, n=len(result.winners)), points]


def clipped(text: str, most: int) -> str:
    """A text of at most this many bytes, cut between characters."""
    data = text.encode()
    return text if len(data) <= most else data[: most - 3].decode(errors="ignore") + "…"
