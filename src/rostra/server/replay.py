"""From rows of the store to a table; or why this server cannot play the match on, and its log as a readable text."""

import time
from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from rostra.engine.game import RostraError
from rostra.games import find_game
from rostra.server import entries, schema
from rostra.server.listing import trouble_of
from rostra.server.store import LogRow, MatchRow
from rostra.server.table import Refusal, Table

_json = msgspec.json.Decoder().decode
_KNOWN = {kind.__struct_config__.tag for kind in get_args(entries.AnyEvent)}


class Unplayable(Refusal):
    """This server cannot play a match on; its log can be read."""

    def __init__(self, trouble: schema.Trouble, reason: str) -> None:
        super().__init__("unplayable", reason)
        self.trouble = trouble


def entry_of(row: LogRow) -> entries.Entry:
    """A row of a log as an entry."""
    return entries.Entry(row.number, row.at, entries.decode(row.body))


def table_of(row: MatchRow, log: list[LogRow]) -> Table:
    """The table of a match; `Unplayable` names no move, because its text is for everybody."""
    match trouble_of(row):
        case "game":
            raise Unplayable("game", f"the game {row.game!r} is not installed on this server")
        case "rules":
            has = find_game(row.game).rules.version
            reason = f"this match was begun with rules {row.rules} of {row.game}; this server has {has}"
            raise Unplayable("rules", reason)
    try:
        table = Table(row)
    except (RostraError, Refusal, msgspec.MsgspecError, ValueError) as error:
        raise Unplayable("damaged", "the settings of this match cannot be read") from error
    for stored in log:
        try:
            entry = entry_of(stored)
        except (msgspec.MsgspecError, UnicodeError) as error:
            if _is_newer(stored.body):
                reason = f"entry {stored.number} of this match was written by a newer version of the server"
                raise Unplayable("newer", reason) from error
            raise Unplayable("damaged", f"entry {stored.number} of this match cannot be read") from error
        try:
            table.apply(entry)
        except Exception as error:  # whatever a damaged log leads to: it is about this match alone
            raise Unplayable("damaged", f"entry {stored.number} of this match cannot be replayed") from error
    return table


def _is_newer(body: str) -> bool:
    """Whether an entry has an event that this version does not know."""
    try:
        return any(event[0] not in _KNOWN for event in _json(body)[0])
    except (msgspec.MsgspecError, UnicodeError, TypeError, LookupError):
        return False


def readable(row: MatchRow, log: list[LogRow], why: str | None) -> str:
    """The log of a match as text, for everybody: without rules it is not known which moves of a running match are
    secret, so those of a game with secrets are shown when it is over."""
    try:
        secret = row.status != "over" and bool(find_game(row.game).knowledge.secret)
    except RostraError:
        secret = row.status != "over"
    lines = [
        f"# The log of a Rostra match{'' if why is None else ' that this server cannot play on'}",
        *([] if why is None else [f"# {why}"]),
        *(["# its moves are shown when it is over"] if secret else []),
        f"game {row.game} {row.rules}", f"match {row.id}", f"begun {_time(row.created)}", f"status {row.status}", "",
    ]  # fmt: skip
    names: dict[int, str] = {}
    for stored in log:
        when = f"{stored.number:>5}  {_time(stored.at)}  "
        try:
            said = [line for event in _json(stored.body)[0] for line in _said(event, names, secret)]
        except (msgspec.MsgspecError, UnicodeError, TypeError, ValueError, LookupError):
            said = ["(this entry cannot be read)"]
        lines += [when + line for line in said]
    return "\n".join(lines) + "\n"


def _time(at: int) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(at / 1000))
    except (OverflowError, ValueError, OSError):
        return str(at)


def _said(event: list[Any], names: dict[int, str], secret: bool) -> Iterator[str]:
    """An event in words; those that only some may know, or that leave no trace, are left out."""
    kind, *what = event
    seat = what[0] if what and isinstance(what[0], int) else -1
    who = f"seat {seat} ({names[seat]})" if seat in names else f"seat {seat}"
    match kind, what:
        case "sat", [_, name, _, bot, *_]:
            names[seat] = _clean(name)
            yield f"seat {seat}: {names[seat]} sits down" + (f", the bot {_clean(bot)}" if bot else "")
        case "left", _:
            names.pop(seat, None)
            yield f"{who} leaves"
        case "renamed", [_, name, *_]:
            names[seat] = _clean(name)
            yield f"{who} is called {names[seat]} from now on"
        case "started", [moves, *_]:
            yield "play begins" + _moves(moves, secret)
        case "played", [_, moves, *_]:
            yield f"{who} moves" + _moves(moves, secret)
        case "offered", [_, terms, *_]:
            yield f"{who} offers" + _moves(terms, False)
        case "answered", [_, offer, yes, *_]:
            yield f"{who} {'accepts' if yes else 'refuses'} offer {int(offer)}"
        case "withdrew", [offer, *_]:
            yield f"offer {int(offer)} is withdrawn"
        case "asked-undo", [_, ply, *_]:
            yield f"{who} asks to go back to before ply {int(ply)}"
        case "undone", [ply, moves, *_]:
            yield f"play goes back to before ply {int(ply)}" + _moves(moves, secret)
        case "said", [_, text, *more] if len(more) < 2 or more[1] is None:
            yield f"{who} says: {_clean(text)}"
        case "resigned", [_, because, *_]:
            yield f"{who} {'resigned' if because == 'resigned' else 'forfeited'}"
        case "ended", [end, winners, *_]:
            yield f"the match ends: {_clean(end)}" + (f"; won by seats {winners}" if winners else "")
        case ("said" | "judged" | "drafting" | "ready" | "answered-undo" | "nudged" | "muted" | "linked" | "resumed"
              | "chose" | "took-back"), _:  # fmt: skip
            return
        case _:
            yield f"(an event that this server does not know: {_clean(kind)})"


def _moves(moves: list[Any], secret: bool) -> str:
    return "" if secret or not moves else ": " + " ".join(_clean(move) for move in moves)


def _clean(text: object) -> str:
    return "".join(char if char.isprintable() else " " for char in str(text))
