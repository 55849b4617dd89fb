"""One match in memory: the sum of its entries.

Not here: who may do what (`decisions`), what each seat may see (`seen`), clocks, storage. A fresh decision draws its
dice while it is applied, and the outcomes are stored with it. An entry read back from the store brings them along, so a
match never depends on how today's program would draw.
"""

import dataclasses
import functools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from rostra.engine.game import Game, Result, RostraError, result_of
from rostra.games import find_game
from rostra.play import dice
from rostra.play.match import Match
from rostra.server import clocks, entries, schema
from rostra.server.handovers import HandOvers
from rostra.server.store import MatchRow

BY_DAYS = 12 * 3600
"""Seconds for a move from which on a match is one of correspondence."""
REMEMBERED = 512
"""Number of commands that a table remembers, to recognise repeats."""

ABOUT, PLAY, DESK, CHAT, NUDGE = "about", "play", "desk", "chat", "nudge"
"""Parts of what is seen; the log goes with `play`."""

Ledger = list[dict[str, Any]]

_plan = msgspec.json.Decoder(schema.NewMatch).decode


UNAVAILABLE = 1000
"""Milliseconds after which a database that could not be used may be tried again."""


class Refusal(Exception):
    """A command that is refused; the code is for programs, the reason for people. Where the same may succeed later,
    `retry_ms` says when."""

    def __init__(self, code: str, reason: str, retry_ms: int | None = None) -> None:
        super().__init__(reason)
        self.code = code
        self.retry_ms = retry_ms


@dataclasses.dataclass(slots=True)
class Seat:
    """A place at the table: a person or a bot sits there, or nobody yet."""

    plan: schema.SeatPlan
    person: str | None = None
    bot: str | None = None
    name: str | None = None
    entropy: str = ""
    resigned: bool = False
    key: str | None = None
    """The hash of a key that opens this seat."""
    key_by: int | None = None
    """The seat that made it."""
    muted: set[int] = dataclasses.field(default_factory=set)
    """Seats whose chat it does not show."""
    bank: int = 0
    """Milliseconds it has left besides those for each move."""
    vacations: dict[int, int] = dataclasses.field(default_factory=dict)
    """When its clock stands still, from and until."""

    @property
    def taken(self) -> bool:
        """Whether somebody sits there."""
        return self.person is not None or self.bot is not None


@dataclasses.dataclass(slots=True)
class Offer:
    """A deal that somebody put on the table."""

    seat: int
    terms: list[str]
    parties: list[int]
    counters: int | None
    at: int
    yes: list[int]
    no: list[int] = dataclasses.field(default_factory=list)
    status: schema.OfferStatus = "open"
    words: tuple[tuple[int, int, str], ...] = ()
    lines: dict[int, list[str]] = dataclasses.field(default_factory=dict)
    """What seats said with the offer and their answers; a party that answers twice says the last."""
    ply: int = 0
    turn: int = 0
    mover: int = 0


class Table:
    """See the module."""

    def __init__(self, row: MatchRow) -> None:
        self.id = row.id
        self.game: Game = find_game(row.game)
        if row.rules != self.game.rules.version:
            has = self.game.rules.version
            raise Refusal("rules", f"this match was begun with rules {row.rules} of {row.game}; this server has {has}")
        plan = _plan(row.body)
        self.options = self.game.all_options(plan.options)
        alone = sum(seat.kind != "bot" for seat in plan.seats) == 1
        hints = alone if plan.settings.hints is None else plan.settings.hints
        self.settings = msgspec.structs.replace(plan.settings, hints=hints)
        self.creator = row.creator
        self.created = row.created
        self.seed = bytes.fromhex(row.seed)
        self.number = 0
        self.at = row.created
        bank = int(plan.settings.clock.bank * 1000) if plan.settings.clock else 0
        self.seats = [Seat(seat, bank=bank) for seat in plan.seats]
        for seat in self.seats:
            seat.person = row.creator if seat.plan.kind == "me" else None
        self.bots: list[int] = []
        """The seats in which bots sit."""
        self.match: Match | None = None
        self.status: schema.Status = "waiting"
        """Waiting for players, playing, or over."""
        self.turn: int | None = None
        """The seat to decide."""
        self.ended: entries.Ended | None = None
        self.since = 0
        """When the seat to move began to think."""
        self.chosen: str | None = None
        self.chosen_at = 0
        self.offers: list[Offer] = []
        self.words: list[schema.WordState] = []
        self.first_offer = 0
        """Offers from here on were made in this turn."""
        self.desk_turn = -1
        self.ready: set[int] = set()
        self.drafting: dict[int, int] = {}
        """Seats that are putting an offer together, and since when."""
        self.drafted: Counter[int] = Counter()
        """How often a seat has begun to do so in this turn."""
        self.asked: list[schema.AskedPrices] = []
        self.prices: dict[tuple[int, str | None], schema.PriceState] = {}
        """By seat and what they are about."""
        self.named: Counter[int] = Counter()
        """How often a seat has named a price in this turn."""
        self.handovers = HandOvers()
        self.undo: entries.AskedUndo | None = None
        self.undo_at = 0
        self.undo_agreed: set[int] = set()
        self.chat: list[schema.ChatLine] = []
        self.whispers: dict[int, dict[int, str | None]] = {}
        """The two seats of a whispered line, and who sat there: whoever takes the seat later may not read it."""
        self.nudge: entries.Nudged | None = None
        """The last one."""
        self.nudged: set[tuple[int, int]] = set()
        """Which seat has nudged which one since the last move."""
        self.nudged_at: dict[int, int] = {}
        """When a seat last nudged anybody."""
        self.ledger: tuple[tuple[int, int], Ledger | None] | None = None
        """The promises, as they were in this epoch before this ply."""
        self._done: dict[tuple[str | None, str], int] = {}

    # What it is now.

    @functools.cached_property
    def commit(self) -> str:
        """What the dice are bound to."""
        return dice.commitment(self.seed)

    @property
    def entropy(self) -> list[tuple[int, str]]:
        """What the players added to the dice."""
        return [(number, seat.entropy) for number, seat in enumerate(self.seats) if seat.entropy]

    @functools.cached_property
    def _stream(self) -> dice.Stream:
        return dice.Stream(self.seed, self.id, self.entropy)

    def seats_of(self, person: str | None) -> list[int]:
        """The seats that a person holds."""
        return [] if person is None else [i for i, seat in enumerate(self.seats) if seat.person == person]

    def done(self, by: str | None, command: str) -> int | None:
        """The entry that a command became, if it was carried out before."""
        return self._done.get((by, command))

    def result(self) -> Result | None:
        """How it ended."""
        if self.match is None:
            return None
        if self.ended is None:
            return self.match.result()
        reached = result_of(self.game, self.match.state)
        return reached._replace(winners=list(self.ended.winners), end=self.ended.end)

    def open_offers(self) -> list[tuple[int, Offer]]:
        """The open offers, with their numbers."""
        new = enumerate(self.offers[self.first_offer :], self.first_offer)
        return [(number, offer) for number, offer in new if offer.status == "open"]

    def deal(self, terms: Sequence[str], words: Sequence[tuple[int, int, str]]) -> tuple[list[int], list[int]]:
        """The moves and parties of a deal with promises in own words; a bargain may consist of nothing else."""
        assert self.match is not None
        assert self.game.desk is not None
        named = {seat for maker, receiver, _ in words for seat in (maker, receiver)}
        if words and len(terms) == 1 and self.game.desk.is_bargain(terms) and self.can_deal:
            return [], sorted(named)
        moves, parties = self.game.desk.deal(self.match.state, terms)
        return moves, sorted({*parties, *named})

    def price(self, seat: int, about: str) -> int | None:
        """What each consent of a seat costs now; None where it is not for sale."""
        named = self.prices.get((seat, about), self.prices.get((seat, None)))
        return None if named is None else named.price

    def unpriced(self, asked: schema.AskedPrices) -> list[int]:
        """The seats that have not answered what was asked."""
        about = asked.about
        return [one for one in asked.of if (one, about) not in self.prices and self.price(one, about) is None]

    @property
    def can_deal(self) -> bool:
        """Whether offers can be made now."""
        match = self.match
        return self.turn is not None and match is not None and bool(self.game.desk and self.game.desk.open(match.state))

    def awaited(self) -> set[int]:
        """The seats of people whose decision or answer everybody waits for."""
        return set(self.awaited_since())

    def awaited_since(self) -> dict[int, int]:
        """These seats, and since when."""
        found: dict[int, int] = {}
        if self.turn is not None:
            found[self.turn] = self.since
        for _, offer in self.open_offers():
            for seat in {*offer.parties} - {*offer.yes, *offer.no}:
                found[seat] = min(offer.at, found.get(seat, offer.at))
        for asked in self.asked:
            for seat in self.unpriced(asked):
                found[seat] = min(asked.at, found.get(seat, asked.at))
        if self.undo is not None:
            for seat in {*range(len(self.seats))} - self.undo_agreed:
                found[seat] = min(self.undo_at, found.get(seat, self.undo_at))
        return {seat: since for seat, since in found.items() if self.seats[seat].person is not None}

    @property
    def by_days(self) -> bool:
        """Whether this is a match of correspondence, whose clocks stand still in vacations."""
        return self.settings.clock is not None and self.settings.clock.move >= BY_DAYS

    def deadline(self) -> int | None:
        """When the time of the seat to move is up."""
        clock = self.settings.clock
        if clock is None or self.turn is None:
            return None
        seat = self.seats[self.turn]
        return clocks.up_at(self.since, int(clock.move * 1000) + seat.bank, seat.vacations)

    # What happens to it.

    def apply(self, entry: entries.Entry, fresh: bool = False) -> set[str]:
        """Let an entry happen; the parts that changed. A fresh one gets its dice here, as part of what is stored."""
        changed: set[str] = set()
        body = entry.body
        body.events = [self._happen(event, entry.at, fresh, changed) for event in body.events]
        self.number, self.at = entry.number, entry.at
        if body.id is not None:
            self._done[body.by, body.id] = entry.number
            if len(self._done) > REMEMBERED:
                del self._done[next(iter(self._done))]
        return changed

    def _happen(self, event: entries.AnyEvent, at: int, fresh: bool, changed: set[str]) -> entries.AnyEvent:
        match event:
            case entries.Played(seat, moves):
                event = entries.Played(seat, self._moves(moves, fresh))
                self._moved(at, seat)
                if self.handovers.asked is not None:
                    changed.add(ABOUT)
                changed.add(PLAY)
            case entries.Chose(_, move):
                self.chosen, self.chosen_at = move, at
                changed.add(PLAY)
            case entries.TookBack():
                self.chosen = None
                changed.add(PLAY)
            case entries.Said(seat, text, phrase, to):
                name = self.seats[seat].name or ""
                known: Any = phrase
                if to is not None:
                    self.whispers[len(self.chat)] = {one: self.seats[one].person for one in (seat, to)}
                self.chat.append(schema.ChatLine(len(self.chat), seat, name, text, at, known, to))
                changed.add(CHAT)
            case entries.Nudged(seat, other):
                self.nudge = event
                self.nudged.add((seat, other))
                self.nudged_at[seat] = at
                changed.add(NUDGE)
            case entries.Started() | entries.Undone():
                event = self._begin(event, fresh)
                self._moved(at, None)
                changed |= {ABOUT, PLAY, DESK}
            case entries.Offered() | entries.Answered() | entries.Withdrew() | entries.Judged():
                self._negotiate(event, at)
                if isinstance(event, entries.Offered | entries.Answered):
                    self._alive(event.seat, at, changed)
                changed.add(DESK)
            case entries.Ready(seat):
                self.ready.add(seat)
                self.drafting.pop(seat, None)
                changed.add(DESK)
            case entries.Drafting(seat, on):
                self.drafting.pop(seat, None)
                if on:
                    self.drafting[seat] = at
                    self.drafted[seat] += 1
                    self._alive(seat, at, changed)
                changed.add(DESK)
            case entries.AskedPrices(about, of):
                self.asked.append(schema.AskedPrices(about, of, at))
                changed.add(DESK)
            case entries.NamedPrice(seat, price, about, stands):
                self.named[seat] += 1
                self.prices[seat, about] = schema.PriceState(seat, price, about, stands and price is not None)
                changed.add(DESK)
            case entries.AskedUndo() | entries.AnsweredUndo():
                self._undoing(event, at)
                changed.add(DESK)
            case entries.Resumed():
                self.since = at
                changed.add(PLAY)
            case entries.Vacation():
                self._sitting(event, at)
                changed |= {ABOUT, PLAY}
            case entries.Ended():
                self.ended = event
                self.chosen = None
                changed |= {ABOUT, PLAY, DESK}
            case _:
                if isinstance(event, entries.Sat | entries.Left) and self._unprice(event):
                    changed.add(DESK)
                self._sitting(event, at)
                changed |= {ABOUT, PLAY} if isinstance(event, entries.Sat | entries.Left) else {ABOUT}
        if PLAY in changed:
            self._look()
            if self.game.desk is not None:
                self._new_turn(changed)
        if self.status == "over":
            changed.add(ABOUT)
        return event

    def _look(self) -> None:
        """See whose turn it is now."""
        turn = None if self.match is None else self.match.turn
        if self.ended is not None or (turn is None and self.match is not None and self.match.over):
            self.status, self.turn = "over", None
        elif self.match is not None:
            self.status, self.turn = "playing", turn

    def _unprice(self, event: entries.Sat | entries.Left) -> bool:
        """Forget the prices of a person who gives the seat up; whether there were any."""
        seat = event.seat
        stays = isinstance(event, entries.Sat) and event.person == self.seats[seat].person
        gone = [] if stays else [key for key in self.prices if key[0] == seat]
        for key in gone:
            del self.prices[key]
        return bool(gone)

    def _alive(self, seat: int, at: int, changed: set[str]) -> None:
        """A seat did something in the game that is no move."""
        if self.handovers.asked is not None:
            changed.add(ABOUT)
        self.handovers.alive(seat, at)

    def _sitting(self, event: entries.AnyEvent, at: int) -> None:
        match event:
            case entries.Sat(number, name, person, bot, entropy):
                seat = self.seats[number]
                if self.match is not None:
                    self.handovers.sat(event, (seat.name, seat.person), at, len(self.match.log))
                    if person is not None and seat.bot is not None and number == self.turn:
                        self.since = at  # a person who comes to a bot's seat gets the whole time
                self.drafting.pop(number, None)
                if person != seat.person:  # mutes and choices are private: a new person does not inherit them
                    seat.muted = set()
                    seat.vacations = {}
                    self.chosen = None if number == self.turn else self.chosen
                seat.person, seat.bot, seat.name, seat.key = person, bot, name, None
                seat.key_by = None
                if self.match is None:
                    seat.entropy = entropy
                else:
                    self.match.names[number] = name
            case entries.Left(number):
                seat = self.seats[number]
                seat.person = seat.bot = seat.name = None
                seat.entropy = "" if self.match is None else seat.entropy
                seat.muted = set()
            case entries.Renamed(number, name):
                self.seats[number].name = name
                if self.match is not None:
                    self.match.names[number] = name
            case entries.Linked(number, key, by):
                self.seats[number].key, self.seats[number].key_by = key, by
                self.handovers.linked(event)
            case entries.AskedSeat():
                self.handovers.ask(event)
            case entries.AnsweredSeat():
                self.handovers.answer(event)
            case entries.Muted(number, other, on):
                (self.seats[number].muted.add if on else self.seats[number].muted.discard)(other)
            case entries.Resigned(number, _):
                self.seats[number].resigned = True
            case entries.Vacation(number, since, until):
                self.seats[number].vacations[since] = until
            case _:
                raise AssertionError(event)
        self.bots = [number for number, seat in enumerate(self.seats) if seat.bot is not None]

    def _begin(self, event: entries.Started | entries.Undone, fresh: bool) -> entries.Started | entries.Undone:
        if isinstance(event, entries.Started):
            names = [seat.name or "" for seat in self.seats]
            self.match = Match(self.game, names, self.options, dice=self._stream, rolls=fresh)
            self.handovers.begin([(seat.person, seat.bot, seat.name or "") for seat in self.seats])
            if not fresh:
                self.match.replay(event.moves)
            return entries.Started([ply.move for ply in self.match.log])
        assert self.match is not None
        self.match.undo(event.ply, rolls=fresh)
        self.words = [words for words in self.words if words.ply <= event.ply]
        if not fresh:
            self.match.replay(event.moves)
        self.undo = None
        return entries.Undone(event.ply, [ply.move for ply in self.match.log[event.ply :]])

    def _moves(self, moves: list[str], fresh: bool) -> list[str]:
        assert self.match is not None
        if not fresh:
            self.match.replay(moves)
            return moves
        try:
            return [ply.move for move in moves for ply in self.match.play(move)]
        except RostraError as error:
            raise Refusal("illegal", str(error)) from error

    def _moved(self, at: int, seat: int | None) -> None:
        """Charge the clock; a choice or a request to undo ends with the move."""
        clock = self.settings.clock
        if seat is not None and clock is not None:
            over = clocks.running(self.since, at, self.seats[seat].vacations) - int(clock.move * 1000)
            self.seats[seat].bank = max(0, self.seats[seat].bank - max(0, over))
        self.since = at
        self.chosen = None
        self.undo = None
        self.nudged.clear()
        self.handovers.moved()

    def _new_turn(self, changed: set[str]) -> None:
        """Offers live as long as the turn in which they were made, until its action, and as long as a bargain of that
        turn does not rule them out."""
        desk, match = self.game.desk, self.match
        assert desk is not None
        turn = desk.turn(match.state) if match is not None and self.can_deal else -1
        if turn == self.desk_turn:
            for _, offer in self.open_offers():
                if not self._is_possible(offer):
                    offer.status = "lapsed"
                    changed.add(DESK)
        else:
            self.desk_turn = turn
            for _, offer in self.open_offers():
                offer.status = "lapsed"
            self.first_offer = len(self.offers)
            self.ready.clear()
            self.drafting.clear()
            self.drafted.clear()
            self.asked = []
            self.prices = {key: price for key, price in self.prices.items() if price.stands}
            self.named.clear()
            changed.add(DESK)

    def _is_possible(self, offer: Offer) -> bool:
        """Whether the rules still allow an open offer. Whether it can be paid is found out last: hands are secret."""
        desk, match = self.game.desk, self.match
        assert desk is not None
        assert match is not None
        if offer.words and len(offer.terms) == 1 and desk.is_bargain(offer.terms):
            return True
        try:
            desk.parties(match.state, offer.terms)
        except RostraError:
            return False
        return True

    def _negotiate(
        self, event: entries.Offered | entries.Answered | entries.Withdrew | entries.Judged, at: int
    ) -> None:
        match event:
            case entries.Offered(seat, terms, counters, line, words):
                self.drafting.pop(seat, None)
                parties = self.deal(terms, words)[1]
                assert self.match is not None
                agreed = [seat] if seat in parties else []
                offer = Offer(seat, terms, parties, counters, at, agreed, words=words)
                offer.ply, offer.turn, offer.mover = len(self.match.log), self.desk_turn, self.match.turn or 0
                offer.lines |= {} if line is None else {seat: line}
                self.offers.append(offer)
            case entries.Answered(seat, number, yes, line, waits):
                offer = self.offers[number]
                offer.lines |= {} if line is None else {seat: line}
                said = offer.yes if yes else offer.no
                if seat not in said:
                    said.append(seat)
                if not yes:
                    offer.status = "refused"
                elif not waits and set(offer.yes) >= set(offer.parties):
                    self._lapse_others(offer)
                    offer.status = "carried-out"
                    assert self.match is not None
                    made = len(self.match.log)
                    self.words += [schema.WordState(*words, made, "open") for words in offer.words]
            case entries.Judged(number, kept):
                self.words[number].fate = "kept" if kept else "broken"
            case entries.Withdrew(number):
                self.offers[number].status = "withdrawn"

    def _lapse_others(self, done: Offer) -> None:
        """The action of a turn is done: no other one can be done in it."""
        desk = self.game.desk
        assert desk is not None
        for _, offer in [] if desk.is_bargain(done.terms) else self.open_offers():
            if not desk.is_bargain(offer.terms):
                offer.status = "lapsed"

    def _undoing(self, event: entries.AskedUndo | entries.AnsweredUndo, at: int) -> None:
        if isinstance(event, entries.AskedUndo):
            self.undo, self.undo_at = event, at
            self.undo_agreed = {event.seat}
        elif event.yes:
            self.undo_agreed.add(event.seat)
        else:
            self.undo = None
