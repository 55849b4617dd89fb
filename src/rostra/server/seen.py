"""What each seat, and each spectator, may see of a table; everything that leaves the server passes here.

Nothing here may depend on what the seat may not know, not even an error text or the order of a list; a test compares
every message in worlds that differ only in secrets.
"""

import dataclasses
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, Struct, UnsetType, structs

from rostra.engine.game import BadOption, Game, RostraError
from rostra.engine.jit import State
from rostra.play.match import Match
from rostra.play.transcript import Event, GameEnd, Ply, Transcript, Undo, write
from rostra.server import handovers, house, schema, seating
from rostra.server.table import ABOUT, CHAT, DESK, NUDGE, PLAY, Ledger, Offer, Seat, Table

EVERYTHING = {ABOUT, PLAY, DESK, CHAT}
OFFERS_KEPT = 500
"""Number of offers that can be looked at again."""
CHAT_SHOWN, CHAT_PAGE = 50, 100
"""Number of lines of chat that whoever comes is sent, and on a page of earlier ones."""


class Marks(Struct, frozen=True):
    """How long the log and the chat were before something happened: what comes after them is new."""

    log: int = 0
    chat: int = 0


START = Marks()


def marks(table: Table) -> Marks:
    """Where log and chat end now."""
    return Marks(0 if table.match is None else len(table.match.events), len(table.chat))


def update(
    table: Table, seat: int | None, person: str | None, parts: set[str], now: int, since: Marks = START
) -> schema.Update:
    """These parts of a table as this seat sees them; of log and chat only what came since."""
    return schema.Update(
        table.id,
        seat,
        table.number,
        about(table, seat, person) if ABOUT in parts else UNSET,
        play(table, seat, now) if PLAY in parts else UNSET,
        log(table, seat, since.log) if PLAY in parts else UNSET,
        desk(table) if DESK in parts else UNSET,
        chat(table, seat, since.chat or len(table.chat) - CHAT_SHOWN, len(table.chat)) if CHAT in parts else UNSET,
        nudge(table, seat) if NUDGE in parts else UNSET,
    )


def about(table: Table, seat: int | None, person: str | None) -> schema.About:
    """What rarely changes."""
    result = table.result()
    return schema.About(
        game=table.game.name,
        rules=table.game.rules.version,
        options=table.options,
        settings=table.settings,
        status=table.status,
        seats=[_with_others(table, number, sitter(one)) for number, one in enumerate(table.seats)],
        mine=table.seats_of(person),
        creator=person is not None and person == table.creator,
        muted=[] if seat is None else sorted(table.seats[seat].muted),
        commit=table.commit,
        entropy=table.entropy,
        created=table.created,
        result=None if result is None else schema.Result(*result),
        seed=table.seed.hex() if table.status == "over" else None,
        handed=tuple(table.handovers.made[-handovers.TOLD :]),
        ask=_ask(table),
        back=_back(table, person),
    )


def _back(table: Table, person: str | None) -> tuple[int, ...]:
    """The seats that this person can take back."""
    if person is None or table.status != "playing":
        return ()
    return tuple(seat for seat, former in sorted(table.handovers.former.items()) if former == person)


def _ask(table: Table) -> schema.SeatAsk | None:
    """What is asked about a seat."""
    asked = table.handovers.asked
    if asked is None or table.status != "playing":
        return None
    agreed = sorted(table.handovers.agreed)
    return schema.SeatAsk(asked.by, asked.seat, asked.bot, agreed, seating.needed(table))


def _with_others(table: Table, number: int, seat: schema.Seat) -> schema.Seat:
    """A seat with the others of the same person: everybody may know who plays two hands."""
    seat.also = tuple(one for one in table.seats_of(table.seats[number].person) if one != number)
    return seat


def sitter(seat: Seat) -> schema.Seat:
    """Who sits in a seat."""
    kind: schema.Sitter
    if seat.bot is not None:
        kind = "bot"
    elif seat.name is not None:
        kind = "person"
    else:
        kind = "reserved" if seat.person is not None else "open"
    return schema.Seat(kind, seat.name, seat.bot, seat.resigned, vacation=max(seat.vacations.values(), default=None))


def play(table: Table, seat: int | None, now: int) -> schema.PlayState | None:
    """Where play is; the legal moves only for the seat that is to decide."""
    match, turn = table.match, table.turn
    if match is None:
        return None
    legal = asks = chosen = confirm_by = None
    if seat is not None and seat == turn:
        chosen = table.chosen
        if chosen is not None and table.settings.confirm is not None:
            confirm_by = table.chosen_at + int(table.settings.confirm * 1000)
        legal, asks = choices(table, match)
    view = dict(table.game.screen.view(match.state, seat))
    time = None
    if table.settings.clock is not None:
        time = schema.Time([one.bank for one in table.seats], table.deadline(), now)
    return schema.PlayState(match.epoch, len(match.log), turn, view, legal, asks, chosen, confirm_by, time)


def choices(table: Table, match: Match) -> tuple[list[str], list[str] | None]:
    """What the seat to decide may do by itself; and, where there are deals, the actions that need others."""
    texts = match.legal()
    if table.game.desk is None:
        return texts, None
    alone, asks = [], []
    for move, text in zip(table.game.legal_moves(match.state), texts, strict=True):
        if not table.game.play.talks(match.state, move):
            alone.append(text)
        elif ">" in text:  # `deal` and `hear` are words of the log, not of a live table
            asks.append(text)
    return alone, asks


def log(table: Table, seat: int | None, first: int) -> schema.Log:
    """What was played, as this seat may know it."""
    match = table.match
    if match is None:
        return schema.Log(0, [])
    return schema.Log(first, [_line(event) for event in match.seen(seat, first)])


def _line(event: Event) -> schema.Line:
    if isinstance(event, Ply):  # nearly always, and quicker than a pattern
        return schema.Line(event.number, event.seat, event.move)
    match event:
        case Undo(ply):
            return schema.Line(ply, None, None, undo=True)
        case GameEnd(points):
            return schema.Line(-1, None, None, points=points)
    raise AssertionError(event)


def desk(table: Table) -> schema.Desk:
    """The offers of this turn, and a request to undo."""
    offers = _offers(table, table.first_offer)
    asked = table.undo
    undo = None if asked is None else schema.UndoState(asked.seat, asked.ply, sorted(table.undo_agreed))
    until = house.waits_until(table)
    drafting, prices = sorted(table.drafting), list(table.prices.values())
    return schema.Desk(offers, sorted(table.ready), undo, drafting, table.words, until, table.asked, prices)


def _offers(table: Table, first: int) -> list[schema.OfferState]:
    """The offers from this number on."""
    return [
        schema.OfferState(
            number,
            offer.seat,
            offer.terms,
            offer.parties,
            sorted(offer.yes),
            sorted(offer.no),
            offer.counters,
            offer.status,
            _worth(table, offer),
            offer.lines,
            [seat for seat in table.bots if offer.status == "open" and seat in {*offer.parties} - {*offer.yes}],
            offer.words,
            offer.at,
            offer.ply,
            offer.turn,
            offer.mover,
        )
        for number, offer in enumerate(table.offers[first:], first)
    ]


def offers(table: Table) -> schema.Offers:
    """What was offered in this match, as far as it is kept in reach."""
    first = max(0, len(table.offers) - OFFERS_KEPT)
    return schema.Offers(table.id, first, _offers(table, first))


def _worth(table: Table, offer: Offer) -> dict[str, Any] | None:
    """What an open offer would move, for all to see."""
    desk, match = table.game.desk, table.match
    if desk is None or match is None or offer.status != "open" or not desk.open(match.state):
        return None
    return dict(desk.worth(match.state, offer.terms))


def earlier_chat(table: Table, seat: int | None, before: int | None) -> schema.Chat:
    """The page of chat before this line, or the last one."""
    last = len(table.chat) if before is None else min(before, len(table.chat))
    first = max(0, last - CHAT_PAGE)
    return schema.Chat(table.id, first, chat(table, seat, first, last))


def chat(table: Table, seat: int | None, first: int, last: int) -> list[schema.ChatLine]:
    """These lines of chat, without the seats that this seat muted, and without the words of other people's whispers."""
    muted = set() if seat is None else table.seats[seat].muted
    return [
        line if _may_read(table, seat, line) else structs.replace(line, text="", phrase=None)
        for line in table.chat[max(0, first) : last]
        if line.seat not in muted
    ]


def _may_read(table: Table, seat: int | None, line: schema.ChatLine) -> bool:
    if line.to is None:
        return True
    between = table.whispers[line.number]
    return seat in between and seat is not None and between[seat] == table.seats[seat].person


def nudge(table: Table, seat: int | None) -> int | UnsetType:
    """The seat that has just nudged this one, unless it is muted."""
    last = table.nudge
    if last is None or seat is None or last.other != seat or last.seat in table.seats[seat].muted:
        return UNSET
    return last.seat


def here(seat: Seat, connected: set[str | None], looking: set[str | None], shared: bool) -> schema.Here | None:
    """Whether the person in a seat is there. Where other processes serve the match too (`shared`), only that somebody
    is online is certain: a person who is not connected here, or not looking, may be there through another process."""
    if seat.person is None or seat.name is None:
        return None
    if seat.person in looking:
        return "online"
    if shared:
        return "unknown"
    return "away" if seat.person in connected else "offline"


def moves(table: Table, seat: int) -> schema.Moves:
    """The legal moves of a seat in detail."""
    match = table.match
    infos = move_infos(match) if match is not None and table.turn == seat else []
    epoch, ply = (0, 0) if match is None else (match.epoch, len(match.log))
    return schema.Moves(table.id, seat, epoch, ply, infos)


def move_infos(match: Match) -> list[schema.MoveInfo]:
    """What the seat to decide may do by itself, with the ways to click it, an explanation and the effect."""
    game, s = match.game, match.state
    return [
        schema.MoveInfo(
            text, [list(path) for path in paths], game.screen.explain(s, move), dict(game.screen.effect(s, move))
        )
        for move, text, paths in zip(game.legal_moves(s), match.legal(), game.screen.paths(s), strict=True)
        if game.desk is None or not game.play.talks(s, move)
    ]


def game_text(table: Table, seat: int | None) -> str:
    """The transcript as this seat may have it: all of it when the match is over."""
    over = table.status == "over"
    names = [seat.name or "open" for seat in table.seats]
    if table.match is None:
        found = Transcript(table.game.name, table.game.rules.version, names, table.game.logged_options(table.options))
    else:
        found = table.match.transcript(seat, secrets=over)
    return write(
        dataclasses.replace(
            found,
            match=table.id,
            commit=table.commit,
            entropy=table.entropy,
            result=table.result(),
            seed=table.seed.hex() if over else None,
        )
    )


def position(table: Table, seat: int | None, ply: int) -> schema.Position:
    """What a seat saw before a ply of the current line of play, or sees now."""
    match = table.match
    plies = 0 if match is None else len(match.log)
    if match is None or not 0 <= ply <= plies:
        raise BadOption(f"the match has {plies} plies; there is no position before ply {ply}")
    then, ledger = match, None
    if ply < plies:
        then, ledger = _replayed(match, ply)
    elif match.game.desk is not None:
        ledger = _ledger(table, match)
    outlook = dict(match.game.screen.outlook(then.state, seat))
    return schema.Position(table.id, seat, ply, plies, then.view(seat), outlook, ledger)


def _ledger(table: Table, match: Match) -> Ledger | None:
    """The promises up to now, cached until play goes on: everybody at a table asks for them after each ply."""
    where = match.epoch, len(match.log)
    if table.ledger is None or table.ledger[0] != where:
        table.ledger = where, _replayed(match, len(match.log))[1]
    return table.ledger[1]


def _replayed(match: Match, ply: int) -> tuple[Match, Ledger | None]:
    """The match as it was before a ply, and the promises up to then in a game with deals."""
    then = Match(match.game, match.names, match.options)
    moves = [one.move for one in match.log[:ply]]
    if match.game.desk is None:
        then.replay(moves)
        return then, None

    def states() -> Iterator[State]:
        yield then.state
        for move in moves:
            then.replay([move])
            yield then.state

    return then, [dict(pledge) for pledge in match.game.desk.ledger(states())]


def draft(table: Table, terms: list[str]) -> schema.DraftInfo:
    """Whether a deal can be offered, who would have to agree, and what may be added to it."""
    open_state = table.match.state if table.match is not None and table.can_deal else None
    return draft_info(table.game, open_state, terms)


def draft_info(game: Game, s: State | None, terms: list[str]) -> schema.DraftInfo:
    """The same for a state; None where nobody plays."""
    if game.desk is None or s is None or not game.desk.open(s):
        return schema.DraftInfo([], [], "there is nothing to negotiate about now", None)
    parties: list[int] = []
    more: list[str] = []
    problem = worth = None
    try:
        more = game.desk.more(s, terms)
        parties = game.desk.parties(s, terms)
        worth = dict(game.desk.worth(s, terms)) if terms else None
    except RostraError as error:
        problem = str(error)
    return schema.DraftInfo(parties, more, problem, worth)
