"""Prices at a table with deals: the active seat asks what consents cost, seats name prices, and it takes a set of them.

A price is a yes given in advance, so what is taken is carried out at once; the active seat chooses whose consent it
takes (Q-MOV-4). In the log it is a deal like any other.
"""

from rostra.engine.desk import Desk
from rostra.engine.game import CannotPay, Game, RostraError, copy
from rostra.engine.jit import State
from rostra.play.match import Match
from rostra.server import entries, schema
from rostra.server.entries import AnyEvent
from rostra.server.table import Refusal, Table

NAMED_A_SEAT = 12
"""Number of prices that a seat may name, and of questions for them, in one turn."""


def prices(table: Table, command: schema.AskPrices | schema.NamePrice | schema.TakePrices) -> list[AnyEvent]:
    """What comes of a command about prices."""
    desk, match = table.game.desk, table.match
    if match is None:
        raise Refusal("waiting", "the match has not begun: not all seats are taken")
    if desk is None or desk.consents is None or desk.pay is None:
        raise Refusal("no-deals", f"{table.game.title} knows no prices")
    if isinstance(command, schema.NamePrice):
        return [_name(table, desk, match, command)]
    if not table.can_deal:
        raise Refusal("nothing-open", "there is nothing to bargain about now")
    if command.seat != match.turn:
        raise Refusal("not-your-turn", f"seat {match.turn} is to act, not seat {command.seat}")
    if isinstance(command, schema.AskPrices):
        return [_ask(table, desk, match, command)]
    return _take(table, desk, match, command)


def sellers(desk: Desk, s: State, about: str) -> list[int]:
    """The seats that can consent to something now, ascending."""
    assert desk.consents is not None
    needs = [desk.consents(s, action) for action in desk.more(s, [])]
    return sorted({seat for what, seats in needs if what == about for seat in seats})


def _ask(table: Table, desk: Desk, match: Match, command: schema.AskPrices) -> AnyEvent:
    of = [seat for seat in sellers(desk, match.state, command.about) if command.of in (None, seat)]
    if not of:
        raise Refusal("illegal", f"nobody's consent is asked for {command.about!r:.60} now")
    asked = {seat for before in table.asked if before.about == command.about for seat in before.of}
    of = [seat for seat in of if seat not in asked]
    if not of:
        raise Refusal("asked-prices", "that was asked in this turn already")
    if len(table.asked) >= NAMED_A_SEAT:
        raise Refusal("too-many", f"prices are asked for at most {NAMED_A_SEAT} times in a turn")
    return entries.AskedPrices(command.about, of)


def _name(table: Table, desk: Desk, match: Match, command: schema.NamePrice) -> AnyEvent:
    seat, about, price = command.seat, command.about, command.price
    if about is not None:
        if command.stands:
            raise Refusal("illegal", "a price that stands for later turns is for any consent")
        if not table.can_deal or seat not in sellers(desk, match.state, about):
            raise Refusal("illegal", f"seat {seat} has no consent to give for {about!r:.60} now")
    elif price is not None and not command.stands and (not table.can_deal or seat == match.turn):
        raise Refusal("nothing-open", "a price for this turn is named while another seat is to act")
    if table.named[seat] >= NAMED_A_SEAT and price is not None:  # it can always be withdrawn
        raise Refusal("too-many", f"a seat names at most {NAMED_A_SEAT} prices in a turn")
    before = table.prices.get((seat, about))
    if price is None and (before.price is None if before else about is None):
        raise Refusal("no-price", f"seat {seat} has named no price that could be withdrawn")
    return entries.NamedPrice(seat, price, about, command.stands)


def _take(table: Table, desk: Desk, match: Match, command: schema.TakePrices) -> list[AnyEvent]:
    assert desk.consents is not None
    assert desk.pay is not None
    about, seats = desk.consents(match.state, command.action)
    if not seats:
        raise Refusal("illegal", f"{command.action!r:.60} needs nobody's consent")
    now = {seat: price for seat in seats if (price := table.price(seat, about)) is not None}
    if dict(command.prices) != now:
        raise Refusal("stale", f"the prices for this are {now}, by seat")
    if missing := {*seats} - {*now}:
        raise Refusal("no-price", f"no price is named by {sorted(missing)}")
    try:
        terms = desk.pay(match.state, command.action, now)
        moves, parties = table.deal(terms, ())
    except RostraError as error:
        raise Refusal("cannot-pay" if isinstance(error, CannotPay) else "illegal", str(error)) from error
    number = len(table.offers)
    agreed = [entries.Answered(seat, number, True, _line(table, seat, now)) for seat in parties if seat != command.seat]
    played = entries.Played(command.seat, texts_of(table.game, match.state, moves))
    return [entries.Offered(command.seat, terms), *agreed, played]


def _line(table: Table, seat: int, now: dict[int, int]) -> list[str] | None:
    """What a bot says to it, as it does to an offer; people speak for themselves."""
    return ["paid", str(now[seat])] if table.seats[seat].bot is not None and now.get(seat) else None


def texts_of(game: Game, s: State, moves: list[int]) -> list[str]:
    """The texts of moves made one after the other."""
    s = copy(s)
    texts = []
    for move in moves:
        texts.append(game.notation.text(s, move))
        game.rules.apply(s, move)
    return texts
