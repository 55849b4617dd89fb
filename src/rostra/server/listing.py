"""What lists show of a match, as columns: written by each entry that changes them, read without the match's log."""

import contextlib
from typing import NamedTuple

import msgspec

from rostra.engine.game import RostraError
from rostra.games import find_game
from rostra.server import entries, schema, seen
from rostra.server.store import Change, MatchRow, SeatRow
from rostra.server.table import Seat, Table

_plan = msgspec.json.Decoder(schema.NewMatch).decode


class Sitter(msgspec.Struct, array_like=True):
    """Who sits in a seat, as it is stored."""

    kind: schema.Sitter
    name: str | None
    bot: str | None = None
    resigned: bool = False
    person: str | None = None


class Sum(NamedTuple):
    """What is stored of a table besides its log."""

    seated: str
    result: str | None
    seats: tuple[SeatRow, ...]


_sitters = msgspec.json.Decoder(list[Sitter]).decode
_result = msgspec.json.Decoder(schema.Result).decode


def total(table: Table) -> Sum:
    """What is to be stored of a table now."""
    sitters = [_sitter(seat) for seat in table.seats]
    awaited = table.awaited_since()
    over = int(table.status == "over")
    seats = tuple(
        SeatRow(number, seat.person, folded(seat.name or ""), table.created, int(table.settings.listed), over,
                awaited.get(number))
        for number, seat in enumerate(table.seats)
    )  # fmt: skip
    result = table.result() if over else None
    ended = None if result is None else _text(schema.Result(*result))
    return Sum(_text(sitters), ended, seats)


def _sitter(seat: Seat) -> Sitter:
    shown = seen.sitter(seat)
    return Sitter(shown.kind, shown.name, shown.bot, shown.resigned, seat.person)


def change(table: Table, kept: Sum | None, now: Sum, due: int | None) -> Change:
    """What an entry changes: the difference to what is stored (None: not known, so everything)."""
    before = {} if kept is None else {seat.seat: seat for seat in kept.seats}
    seats = tuple(seat for seat in now.seats if seat != before.get(seat.seat))
    seated = None if kept is not None and kept.seated == now.seated else now.seated
    return Change(table.status, due, table.turn, seated, now.result, seats)


def planned(row: MatchRow) -> str:
    """Who is to sit where in a match that nobody has sat down at, from its plan; empty where it cannot be read."""
    try:
        plan = _plan(row.body)
    except msgspec.MsgspecError:
        return "[]"
    return _text([
        Sitter("bot", seat.bot, seat.bot) if seat.kind == "bot"
        else Sitter("reserved", None, person=row.creator) if seat.kind == "me"
        else Sitter("open", None)
        for seat in plan.seats
    ])  # fmt: skip


def from_log(row: MatchRow, log: list[entries.Entry]) -> Sum:
    """What can be said of a match whose moves cannot be replayed: who sits where."""
    sitters = _sitters(planned(row))
    result: str | None = None
    for entry in log:
        for event in entry.body.events:
            seat = getattr(event, "seat", -1)
            sitter = sitters[seat] if 0 <= seat < len(sitters) else None
            match event:
                case entries.Sat(number, name, person, bot) if sitter is not None:
                    sitters[number] = Sitter("person" if bot is None else "bot", name, bot, sitter.resigned, person)
                case entries.Left(number) if sitter is not None:
                    sitters[number] = Sitter("open", None)
                case entries.Renamed(_, name) if sitter is not None:
                    sitter.name = name
                case entries.Resigned() if sitter is not None:
                    sitter.resigned = True
                case entries.Ended(end, winners):
                    result = _text(schema.Result([], [], winners, end))
    done = int(row.status == "over")
    seats = tuple(
        SeatRow(number, one.person, folded(one.name or ""), row.created, row.listed, done, None)
        for number, one in enumerate(sitters)
    )
    return Sum(_text(sitters), result if done else None, seats)


def folded(name: str) -> str:
    """A name as the search compares it."""
    return " ".join(name.casefold().split())


def trouble_of(row: MatchRow) -> str | None:
    """Why this server cannot play a match on, as far as its row tells: `game`, `rules`, or what was found earlier."""
    try:
        game = find_game(row.game)
    except RostraError:
        return "game"
    return "rules" if game.rules.version != row.rules else row.trouble


def summary(row: MatchRow, person: str | None, awaited: int | None) -> schema.Summary:
    """A match in a list, from its columns alone; what somebody spoiled there by hand is left out."""
    sitters: list[Sitter] = []
    result = None
    with contextlib.suppress(msgspec.MsgspecError):
        sitters = _sitters(row.seated or planned(row))
        result = None if row.result is None else _result(row.result)
    return schema.Summary(
        row.id, row.game, row.status,  # type: ignore[arg-type]  # one of its three words
        [schema.Seat(one.kind, one.name, one.bot, one.resigned) for one in sitters],
        [] if person is None else [number for number, one in enumerate(sitters) if one.person == person],
        row.turn, row.number, row.created, row.changed, result, awaited, trouble_of(row),  # type: ignore[arg-type]  # one of its words
    )  # fmt: skip


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()
