"""Who may do what at a table: a command becomes events, or is refused with a reason. Nothing is changed here.

A command is decided again from the start when another process was quicker. So nothing may be remembered here, and
whatever names a position (ply, epoch, offer) is checked against the table as it is now.
"""

import hashlib
import unicodedata
from typing import Any

from rostra.bots import LEVELS, Bot, make_bot, open_bot, open_bots
from rostra.engine.game import CannotPay, Game, RostraError, did_you_mean
from rostra.engine.loops import THINKS
from rostra.play.match import Match
from rostra.server import entries, schema, seating
from rostra.server.entries import AnyEvent
from rostra.server.limits import LIMITS, Limits
from rostra.server.prices import prices, texts_of
from rostra.server.table import Offer, Refusal, Table
from rostra.study.analyse import knows
from rostra.words import words

HOUSE = "house"
"""The id that acts for bots; no person has it."""
CONTROL = ("Cc", "Cf", "Cs", "Co", "Cn")
"""Unicode categories of invisible characters."""
JOINERS = "\u200c\u200d"
"""Those of them that words and emoji need."""
NUDGE_MS = 20_000
"""Milliseconds between two nudges of a seat."""
ENDING = (schema.Play, schema.Confirm, schema.TakeBack, schema.Answer, schema.Resign, schema.Leave, schema.Close)
"""What is possible even where a match has reached its limit of entries: these bring it to its end."""

Events = list[AnyEvent]


def decide(
    table: Table,
    command: schema.AnyCommand,
    person: str | None,
    now: int,
    key: str = "",
    limits: Limits = LIMITS,
) -> Events:
    """The events that a command leads to, or `Refusal`; `key` is what a `Link` would give out."""
    if person is None:
        raise Refusal("unknown", "say who you are first: a person's token is missing or wrong")
    if table.status == "over" and not isinstance(command, schema.Say | schema.Mute | schema.Rename):
        raise Refusal("over", "the match is over")
    if limits.entries and table.number >= limits.entries and person != HOUSE and not isinstance(command, ENDING):
        raise Refusal("full", f"{table.number} things have happened here; now only play can go on")
    if not isinstance(command, schema.Close) and command.seat >= len(table.seats):
        raise Refusal("no-seat", f"the seats are 0 to {len(table.seats) - 1}, not {command.seat}")
    match command:
        case schema.Sit():
            return _sit(table, command, person)
        case schema.Replace():
            return _replace(table, command, person, now)
        case schema.Link():
            return seating.link(table, command, person, digest(key), now)
        case schema.Close():
            return _close(table, person)
        case _:
            own = table.seats[command.seat]
            if own.person != person and not (person == HOUSE and own.bot is not None):
                raise Refusal("not-yours", f"seat {command.seat} is not yours")
            if own.person is not None and own.name is None:
                raise Refusal("not-seated", f"sit down in seat {command.seat} first")
            return _own(table, command, now, limits)


def _own(table: Table, command: Any, now: int, limits: Limits) -> Events:
    """What the holder of a seat decides for it."""
    if isinstance(command, schema.AnyTalk) and command.epoch is not None:
        match = _playing(table)
        if (command.epoch, command.plies) != (match.epoch, len(match.log)):
            raise Refusal("stale", "play has gone on since this was said")
    match command:
        case schema.Play():
            return _play(table, command)
        case schema.Confirm() | schema.TakeBack():
            return _confirm(table, command)
        case schema.Offer() | schema.Answer() | schema.Withdraw():
            return _negotiate(table, command, limits)
        case schema.AskPrices() | schema.NamePrice() | schema.TakePrices():
            return prices(table, command)
        case schema.Judge():
            return _judge(table, command)
        case schema.Drafting():
            return _drafting(table, command, limits)
        case schema.Ready():
            if table.seats[command.seat].bot is None and command.seat not in table.ready and table.can_deal:
                return [entries.Ready(command.seat)]
            raise Refusal("nothing-open", "there is no talk to end now")
        case schema.AskUndo() | schema.AnswerUndo():
            return _undo(table, command)
        case schema.Leave():
            return _leave(table, command.seat)
        case schema.Resign():
            return resign(table, command.seat, "resigned")
        case schema.Rename():
            return [entries.Renamed(command.seat, clean(command.name))]
        case schema.Say():
            return [_say(table, command, now, limits)]
        case schema.Nudge():
            return [_nudge(table, command, now)]
        case schema.AnswerSeat():
            return _answer_seat(table, command)
        case schema.Mute():
            if command.other >= len(table.seats) or command.other == command.seat:
                raise Refusal("no-seat", "mute another seat of this table")
            return [entries.Muted(command.seat, command.other, command.on)]
    raise AssertionError(command)


# Seats.


def clean(text: str) -> str:
    """Text without control characters (which could reverse the direction of writing) and extra blanks; it is escaped
    where it is shown."""
    words = (
        "".join(one for one in word if one in JOINERS or unicodedata.category(one) not in CONTROL)
        for word in text.split()
    )
    cleaned = " ".join(word for word in words if word)
    if not cleaned.strip(JOINERS + " "):
        raise Refusal("empty", "there is nothing to read in this text")
    return cleaned


def digest(secret: str) -> str:
    """What is stored of a token or key."""
    return hashlib.sha256(secret.encode()).hexdigest()


def known_bot(name: str, game: Game) -> Bot:
    """A bot that strangers may choose for this game, or a level, which not every game has."""
    known = open_bots(game)
    if name not in known and name not in LEVELS:
        there_is = f"{did_you_mean(name, known)}; for {game.title} there is {', '.join(known)}"
        raise Refusal("no-bot", f"there is no bot {name!r} here{there_is}")
    return make_bot(name, files=False)


def able_bot(name: str, game: Game, n_seats: int) -> str:
    """The name of a bot that can play this game with this number of players."""
    bot = known_bot(name, game)
    if bot.policy == THINKS and not knows(game, n_seats):
        raise Refusal("no-bot", f"{name} has not learned {game.title} with {n_seats} players; greedy plays everything")
    return bot.name


def needs_net(game: Game, n_seats: int) -> None:
    """Refuse a request that needs a net for this game and number of players, where there is none."""
    if not knows(game, n_seats):
        raise Refusal("no-net", f"nobody has learned {game.title} with {n_seats} players")


def may_ask_hint(table: Table, asked: schema.AskHint, person: str) -> Match:
    """The match, when this person may have a hint for this seat now."""
    if asked.seat >= len(table.seats):
        raise Refusal("no-seat", f"the seats are 0 to {len(table.seats) - 1}, not {asked.seat}")
    if table.seats[asked.seat].person != person:
        raise Refusal("not-yours", f"seat {asked.seat} is not yours")
    if not table.settings.hints:
        raise Refusal("no-hints", "this match is played without hints")
    if table.status == "over":
        raise Refusal("over", "the match is over")
    match = _now(table, asked)
    needs_net(table.game, len(table.seats))
    return match


def begin(table: Table, events: Events) -> Events:
    """These events, and the start of the match when they fill its last seat."""
    sat = {event.seat for event in events if isinstance(event, entries.Sat)}
    full = all(number in sat or (seat.taken and seat.name is not None) for number, seat in enumerate(table.seats))
    return [*events, entries.Started([])] if full and table.match is None else events


def _sit(table: Table, command: schema.Sit, person: str) -> Events:
    if person == HOUSE:
        raise Refusal("not-yours", "the house takes seats by itself")
    how = seating.may_sit(table, command, person, None if command.key is None else digest(command.key))
    by = table.seats[command.seat].key_by if how == "link" else command.seat if how == "returned" else None
    sat = entries.Sat(command.seat, clean(command.name), person, None, command.entropy, by, how)
    return begin(table, [sat])


def stand_in(table: Table, number: int, bot: str | None = None, how: str | None = None) -> entries.Sat:
    """A bot that takes the place of the person in a seat."""
    n_seats = len(table.seats)
    if bot is None:  # nobody chose it for this game
        bot = open_bot(table.settings.stand_in, table.game)
        bot = bot if known_bot(bot, table.game).policy != THINKS or knows(table.game, n_seats) else "greedy"
    bot = able_bot(bot, table.game, n_seats)
    name = table.seats[number].name
    name = f"{name.removesuffix(' (bot)')[:34]} (bot)" if name else bot
    return entries.Sat(number, name, None, bot, "", None if how == "clock" else number, how)


def _others(table: Table, number: int) -> bool:
    """Whether a person other than that of this seat plays."""
    person = table.seats[number].person
    return any(seat.person not in (None, person) and seat.name is not None for seat in table.seats)


def _leave(table: Table, number: int) -> Events:
    if table.match is None:
        return [entries.Left(number)]
    if not _others(table, number):
        return [entries.Ended("abandoned", [])]
    return [stand_in(table, number, how="left")]


def resign(table: Table, number: int, because: Any) -> Events:
    """A seat gives up. In a game of three or more in which other people play on, a bot takes the seat; otherwise the
    match is over and all others have won."""
    if table.match is None:
        raise Refusal("waiting", "the match has not begun; leave the seat instead")
    events: Events = [entries.Resigned(number, because)]
    if len(table.seats) > 2 and _others(table, number):
        return [*events, stand_in(table, number, how=because)]
    stayed = [i for i, seat in enumerate(table.seats) if i != number and not seat.resigned]
    return [*events, entries.Ended(because, stayed)]


def _by_creator(table: Table, person: str) -> None:
    if person != table.creator:
        raise Refusal("not-creator", "only who made the match can do this")


def _replace(table: Table, command: schema.Replace, person: str, now: int) -> Events:
    seat = table.seats[command.seat]
    if table.match is None:
        _by_creator(table, person)
        if seat.name is not None and seat.bot is None:
            raise Refusal("taken", f"somebody sits in seat {command.seat}")
        bot = able_bot(command.bot, table.game, len(table.seats))
        return begin(table, [entries.Sat(command.seat, bot, None, bot)])
    return seating.replace(table, person, stand_in(table, command.seat, command.bot), now)


def _answer_seat(table: Table, command: schema.AnswerSeat) -> Events:
    asked = table.handovers.asked
    bot = None if asked is None or asked.bot is None else stand_in(table, asked.seat, asked.bot)
    return seating.answer(table, command, bot)


def _close(table: Table, person: str) -> Events:
    _by_creator(table, person)
    if table.match is not None and any(seat.person not in (None, person) for seat in table.seats):
        raise Refusal("others-play", "other people play; resign or leave instead")
    return [entries.Ended("abandoned", [])]


# Moves.


def _playing(table: Table) -> Match:
    if table.match is None:
        raise Refusal("waiting", "the match has not begun: not all seats are taken")
    return table.match


def _now(table: Table, command: schema.Play | schema.Confirm | schema.TakeBack | schema.AskHint) -> Match:
    """The match, when this seat is to decide at this ply."""
    match = _playing(table)
    if (command.epoch, command.ply) != (match.epoch, len(match.log)):
        now = f"ply {len(match.log)} of epoch {match.epoch}"
        raise Refusal("stale", f"play has gone on: it is at {now}, not at ply {command.ply} of epoch {command.epoch}")
    if command.seat != match.turn:
        raise Refusal("not-your-turn", f"seat {match.turn} is to move, not seat {command.seat}")
    return match


def _play(table: Table, command: schema.Play) -> Events:
    match = _now(table, command)
    if table.game.desk is not None:
        try:
            move = table.game.notation.parse(match.state, command.move)
        except RostraError as error:
            raise Refusal("illegal", str(error)) from error
        if table.game.play.talks(match.state, move):
            raise Refusal("needs-others", f"{command.move} needs other seats: offer it to them")
    at_once = table.settings.confirm == 0 or table.seats[command.seat].bot is not None
    if at_once:
        return [entries.Played(command.seat, [command.move])]
    try:
        chosen = table.game.notation.text(match.state, table.game.notation.parse(match.state, command.move))
    except RostraError as error:
        raise Refusal("illegal", str(error)) from error
    return [entries.Chose(command.seat, chosen)]


def _confirm(table: Table, command: schema.Confirm | schema.TakeBack) -> Events:
    _now(table, command)
    if table.chosen is None:
        raise Refusal("nothing-chosen", "there is no choice to confirm or take back")
    if isinstance(command, schema.TakeBack):
        return [entries.TookBack(command.seat)]
    return [entries.Played(command.seat, [table.chosen])]


# Talk.


def _say(table: Table, command: schema.Say, now: int, limits: Limits) -> entries.Said:
    if limits.chat_most and len(table.chat) >= limits.chat_most:
        raise Refusal("full", f"a match has at most {limits.chat_most} lines of chat")
    own = [line.at for line in table.chat[-len(table.seats) * limits.chat_lines :] if line.seat == command.seat]
    window = int(limits.chat_seconds * 1000)
    if limits.chat_lines and len(own) >= limits.chat_lines and (wait := own[-limits.chat_lines] + window - now) > 0:
        most = f"{limits.chat_lines} lines in {limits.chat_seconds:g} seconds"
        raise Refusal("chatty", f"a seat writes at most {most}; wait a little", wait)
    if command.to is not None:
        if not table.settings.whisper:
            raise Refusal("no-whisper", "nobody whispers at this table")
        if command.to >= len(table.seats) or command.to == command.seat:
            raise Refusal("no-seat", "whisper to another seat of this table")
        if table.seats[command.to].person is None:
            raise Refusal("no-person", f"there is no person in seat {command.to}")
    if command.phrase is not None:
        text = words("en").say(f"table.phrase_{command.phrase.replace('-', '_')}")
    else:
        text = clean(command.text or "")
    return entries.Said(command.seat, text, command.phrase, command.to)


def _nudge(table: Table, command: schema.Nudge, now: int) -> entries.Nudged:
    seat, other = command.seat, command.other
    if other == seat or other not in table.awaited():
        raise Refusal("not-awaited", f"nobody waits for a person in seat {other}")
    if (seat, other) in table.nudged:
        raise Refusal("nudged", f"seat {seat} has nudged seat {other} already; once for each decision is enough")
    if now - table.nudged_at.get(seat, -NUDGE_MS) < NUDGE_MS:
        raise Refusal("nudged-lately", f"a seat nudges at most every {NUDGE_MS // 1000} seconds")
    return entries.Nudged(seat, other)


# Deals.


def _negotiate(table: Table, command: schema.Offer | schema.Answer | schema.Withdraw, limits: Limits) -> Events:
    match = _playing(table)
    if table.game.desk is None:
        raise Refusal("no-deals", f"{table.game.title} knows no deals")
    if isinstance(command, schema.Offer):
        made = sum(offer.seat == command.seat for offer in table.offers[table.first_offer :])
        if limits.offers and made >= limits.offers:
            raise Refusal("too-many", f"a seat makes at most {limits.offers} offers in a turn")
        if command.counters is not None and not table.first_offer <= command.counters < len(table.offers):
            raise Refusal("no-offer", f"no offer {command.counters} was made in this turn")
        words = tuple(_own_words(table, one) for one in command.words)
        try:
            table.deal(command.terms, words)
        except RostraError as error:
            raise Refusal("cannot-pay" if isinstance(error, CannotPay) else "illegal", str(error)) from error
        return [entries.Offered(command.seat, command.terms, command.counters, None, words)]
    offer = _open_offer(table, command.offer)
    if isinstance(command, schema.Withdraw):
        if offer.seat != command.seat:
            raise Refusal("not-yours", f"offer {command.offer} was made by seat {offer.seat}")
        return [entries.Withdrew(command.offer)]
    return _answer(table, match, offer, command)


def _own_words(table: Table, words: schema.OwnWords) -> tuple[int, int, str]:
    text = clean(words.text)
    for seat in (words.maker, words.receiver):
        if seat >= len(table.seats):
            raise Refusal("no-seat", f"there is no seat {seat}; the seats are 0 to {len(table.seats) - 1}")
        if table.seats[seat].bot is not None:
            raise Refusal("bot", f"seat {seat} is a computer player, which understands no promises in own words")
    if words.maker == words.receiver or not text:
        raise Refusal("illegal", "a promise in own words has two players and some words")
    return words.maker, words.receiver, text


def _judge(table: Table, command: schema.Judge) -> Events:
    if command.promise >= len(table.words):
        raise Refusal("no-promise", f"there is no promise {command.promise} in own words")
    promise = table.words[command.promise]
    if promise.receiver != command.seat:
        raise Refusal("not-yours", f"promise {command.promise} was made to seat {promise.receiver}: it judges")
    if promise.fate != "open":
        raise Refusal("answered", f"promise {command.promise} is judged already: {promise.fate}")
    return [entries.Judged(command.promise, command.kept)]


def _drafting(table: Table, command: schema.Drafting, limits: Limits) -> Events:
    if not table.can_deal:
        raise Refusal("nothing-open", "there is nothing to offer now")
    if command.on and limits.offers and table.drafted[command.seat] >= limits.offers:
        raise Refusal("too-many", f"a seat begins at most {limits.offers} offers in a turn")
    return [entries.Drafting(command.seat, command.on)]


def _open_offer(table: Table, number: int) -> Offer:
    for open_number, offer in table.open_offers():
        if open_number == number:
            return offer
    raise Refusal("no-offer", f"there is no offer {number} on the table (any more)")


def _answer(table: Table, match: Match, offer: Offer, command: schema.Answer) -> Events:
    assert table.game.desk is not None
    if command.seat not in offer.parties:
        raise Refusal("no-party", f"seat {command.seat} is no party of offer {command.offer}")
    all_agreed = {*offer.yes} >= {*offer.parties}
    if command.seat in offer.yes and command.yes and not (all_agreed and command.seat == match.turn):
        raise Refusal("answered", f"seat {command.seat} has accepted offer {command.offer} already")
    waits = command.yes and command.seat != match.turn and _has_other_actions(table, offer)
    events: Events = [entries.Answered(command.seat, command.offer, command.yes, None, waits)]
    active = match.turn
    assert active is not None
    moves: list[int] = []
    if not command.yes:
        if offer.seat == active and command.seat != active:
            moves = table.game.desk.refusal(match.state, offer.terms, command.seat)
    elif not waits and set(offer.yes) | {command.seat} >= set(offer.parties):
        try:
            moves = table.deal(offer.terms, offer.words)[0]
        except RostraError as error:
            raise Refusal("illegal", str(error)) from error
    if moves:
        events.append(entries.Played(active, texts_of(table.game, match.state, moves)))
    return events


def _has_other_actions(table: Table, offer: Offer) -> bool:
    """Whether the person to act has agreed to open offers of other actions: then a yes of somebody else carries none
    out, because that person chooses among those who say yes (Q-MOV-4). A bot takes the first."""
    desk, active = table.game.desk, table.turn
    assert desk is not None
    if active is None or table.seats[active].bot is not None or desk.is_bargain(offer.terms) or active not in offer.yes:
        return False
    others = (one.terms for _, one in table.open_offers() if active in one.yes and not desk.is_bargain(one.terms))
    return any(terms[0] != offer.terms[0] for terms in others)


# Going back.


def _undo(table: Table, command: schema.AskUndo | schema.AnswerUndo) -> Events:
    match = _playing(table)
    if isinstance(command, schema.AskUndo):
        if command.ply >= len(match.log):
            raise Refusal("no-ply", f"{len(match.log)} plies were played; one cannot go back to before {command.ply}")
        if table.undo is not None:
            raise Refusal("asked", "somebody has asked to go back already")
        ply, agreed = command.ply, {command.seat}
        events: Events = [entries.AskedUndo(command.seat, ply)]
    else:
        if table.undo is None:
            raise Refusal("nothing-asked", "nobody asks to go back")
        ply, agreed = table.undo.ply, table.undo_agreed | {command.seat}
        events = [entries.AnsweredUndo(command.seat, command.yes)]
        if not command.yes:
            return events
    people = {table.seats[seat].person for seat in agreed}
    if all(seat.person is None or seat.person in people for seat in table.seats):
        events.append(entries.Undone(ply, []))
    return events
