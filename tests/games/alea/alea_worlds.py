"""Two worlds of one match of Alea that differ only in what a seat may not know, put into tables as stored entries.

A match is a list of steps; the second world is the same list with hidden pieces swapped by the rules (A-HID-1 to
A-HID-3), never by `redeal`. A world is made for a certain seat; it also serves for a spectator, who knows less than any
seat. A choice that does not count yet is a secret of its seat in every phase.
"""

import dataclasses
import random
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from rostra.engine.game import RostraError
from rostra.games.alea import ALEA
from rostra.games.alea.tables import CARDS, DEAL, IV, TAKE_CARD, TOKEN
from rostra.play.match import Match
from rostra.server import entries, house, listing, schema, seen, workers
from rostra.server.decisions import decide
from rostra.server.live import Live
from rostra.server.rooms import Room
from rostra.server.store import MatchRow
from rostra.server.table import Refusal, Table
from rostra.server.workers import Workers

MATCH = "a" * 20
SEED = "5e" * 32
UNSEEN = 3
"""The rank in the Senatus of a seat that was handed no card."""
STRANGER = "stranger"


def people(n_seats: int) -> list[str]:
    return [f"person-{seat}" for seat in range(n_seats)]


# Worlds.


@dataclasses.dataclass(eq=False)
class Step:
    """A ply as it was made: `owner` is the seat it concerns, `counts` what everybody can count after it."""

    seat: int | None
    move: str
    phase: int
    owner: int
    set: int
    counts: tuple[Any, ...] = ()


Line = list[Step]


def counts(s: Any) -> tuple[Any, ...]:
    """Tokens that lie open or can be counted (A-HID-1): two worlds must agree on them at every ply."""
    return s.token_discards.tolist(), int(s.token_supply.sum()), s.kept.tolist()


def make(match: Match, move: str) -> Step:
    s = match.state
    step = Step(match.turn, move, int(s.phase), int(s.seat), int(s.set))
    match.replay([move])
    step.counts = counts(match.state)
    return step


def a_choice(legal: list[str], chooser: random.Random) -> str:
    """Any kind of move, then any of it; rerolls are the most by far, and Templum and Senatus have the secrets."""
    kinds = sorted({move[0] for move in legal})
    kind = chooser.choices(kinds, [{"R": 0.2, "T": 3, "S": 3}.get(kind, 1) for kind in kinds])[0]
    return chooser.choice([move for move in legal if move[0] == kind])


def play_from(n_seats: int, start: Line, length: int, chooser: random.Random) -> Line:
    """This line of play, and random plies after it, to this length or to before the last decision."""
    match = Match(ALEA, n_seats)
    match.replay([step.move for step in start])
    line = list(start)
    while len(line) < length or match.turn is None:  # stored entries end with a decision to be made
        if match.over:
            return line[: max(at for at, step in enumerate(line) if step.seat is not None)]
        legal = match.legal()
        line.append(make(match, chooser.choice(legal) if match.turn is None else a_choice(legal, chooser)))
    return line


class Story:
    """Lines of play: the first, and what was played after going back. Lines share the steps before that."""

    def __init__(self, n_seats: int, first: Line, second: Line | None) -> None:
        self.n_seats = n_seats
        self.lines = [first] if second is None else [first, second]

    @property
    def steps(self) -> Line:
        return list(dict.fromkeys(step for line in self.lines for step in line))

    def lines_of(self, step: Step) -> tuple[int, ...]:
        return tuple(number for number, line in enumerate(self.lines) if step in line)

    def copy(self) -> "Story":
        fresh = {step: dataclasses.replace(step) for step in self.steps}
        lines = [[fresh[step] for step in line] for line in self.lines]
        return Story(self.n_seats, lines[0], lines[1] if len(lines) > 1 else None)

    def possible(self) -> bool:
        """Whether the rules allow it, with the same things in the open at every ply."""
        for line in self.lines:
            match = Match(ALEA, self.n_seats)
            for step in line:
                try:
                    match.replay([step.move])
                except RostraError:
                    return False
                if counts(match.state) != step.counts:
                    return False
        return True


def batches(line: Line) -> dict[Step, tuple[int, int, bool]]:
    """For each token drawn: its owner, the number of its scoring, and whether it is still face down at the end."""
    scored: Counter[int] = Counter()
    found: dict[Step, tuple[int, int]] = {}
    kept = line[0].counts[2]
    for step in line:
        if step.phase == TOKEN:
            found[step] = (step.owner, scored[step.owner])
        for owner, (before, after) in enumerate(zip(kept, step.counts[2], strict=True)):
            scored[owner] += before != after
        kept = step.counts[2]
    return {step: (owner, batch, batch == scored[owner]) for step, (owner, batch) in found.items()}


def swap_tokens(story: Story, seat: int | None, chooser: random.Random) -> None:
    """Exchange tokens that others drew: the order within one scoring, and any that are still face down."""
    in_lines = [batches(line) for line in story.lines]
    steps = [step for step in story.steps if step.phase == TOKEN and step.owner != seat]
    if not steps:
        return
    one = chooser.choice(steps)
    places = story.lines_of(one)
    still_down = all(in_lines[line][one][2] for line in places)
    same = [
        step
        for step in steps
        if story.lines_of(step) == places
        and all(
            in_lines[line][step][:2] == in_lines[line][one][:2] or (still_down and in_lines[line][step][2])
            for line in places
        )
    ]
    if still_down and chooser.random() < 0.5:
        one.move = chooser.choice(["=1", "=2", "=3"])  # from the supply; `possible` says whether it is there
    else:
        other = chooser.choice(same)
        one.move, other.move = other.move, one.move


def swap_cards(story: Story, seat: int | None, chooser: random.Random) -> None:
    """Deal other cards where this seat has seen none, and let others take others of those that it handed on."""
    line = chooser.choice(story.lines)
    numbers = sorted({step.set for step in line if step.phase == DEAL})
    if not numbers:
        return
    number = chooser.choice(numbers)
    group = [step for step in line if step.set == number and step.phase in (DEAL, TAKE_CARD)]
    if len({story.lines_of(step) for step in group}) > 1:
        return  # play went back to amid these: leave them alone
    deals = [step for step in group if step.phase == DEAL]
    takes = [step for step in group if step.phase == TAKE_CARD]
    takers = [step.owner for step in takes]
    if seat in takers:
        rank = takers.index(seat)
    else:
        now = line[-1] in group and chooses_now(story.n_seats, line) == seat
        rank = len(takes) if now else UNSEEN
    before, own, after = takes[:rank], takes[rank : rank + 1], takes[rank + 1 :]
    left = [step.move[1:] for step in deals]
    for step in before:
        left.remove(step.move[1:])
    if rank == UNSEEN:  # all that was dealt is unknown
        cards = other_cards(story, len(deals), chooser, [step.move[1:] for step in deals])
        chooser.shuffle(cards)
        for step, card in zip(deals, cards, strict=True):
            step.move = f"={card}"
        for step in before:
            step.move = f"+{cards.pop(chooser.randrange(len(cards)))}"
        return
    if rank:  # what winners before took is unknown, and the order in which all was dealt
        taken = other_cards(story, len(before), chooser, [step.move[1:] for step in before])
        for step, card in zip(before, taken, strict=True):
            step.move = f"+{card}"
        cards = taken + left
        chooser.shuffle(cards)
        for step, card in zip(deals, cards, strict=True):
            step.move = f"={card}"
    for step in own:
        left.remove(step.move[1:])
    for step in after:
        step.move = f"+{left.pop(chooser.randrange(len(left)))}"


def chooses_now(n_seats: int, line: Line) -> int | None:
    match = Match(ALEA, n_seats)
    match.replay([step.move for step in line])
    return int(match.state.seat) if match.state.phase == TAKE_CARD else None


def other_cards(story: Story, number: int, chooser: random.Random, instead: list[str]) -> list[str]:
    """So many cards out of these and all that were never dealt."""
    pool = Counter([*CARDS, CARDS[-1]])  # A-SET-5: two cards XIII
    if story.n_seats < 4:
        del pool[CARDS[IV]]  # A-SET-6
    pool -= Counter(step.move[1:] for step in story.steps if step.phase == DEAL)
    return chooser.sample(sorted([*pool.elements(), *instead]), number)


def other_world(story: Story, seat: int | None, chooser: random.Random) -> Story:
    """The story as it may have been too, for all that this seat knows."""
    world = story.copy()
    for _ in range(10):
        before = world.copy()
        (swap_tokens if chooser.random() < 0.6 else swap_cards)(world, seat, chooser)
        if not world.possible():
            world = before
    return world


# Tables.


def row(n_seats: int, confirm: float | None, clock: schema.Clock | None = None) -> MatchRow:
    settings = schema.Settings(confirm=confirm, clock=clock)
    plan = schema.NewMatch("alea", [schema.SeatPlan("open")] * n_seats, settings=settings)
    body = schema.encode(plan).decode()
    return MatchRow(MATCH, "alea", ALEA.rules.version, body, SEED, "person-0", 0, "playing", 1000, 1000, None)


def stored(
    story: Story, confirm: float | None, seat: int | None, chooser: random.Random, others: random.Random
) -> Iterator[entries.Body]:
    """The entries of a story. `chooser` decides what all may know, `others` what this seat may not: choices of other
    seats that were taken back."""
    n, first = story.n_seats, story.lines[0]
    rest = chunks(first)
    for number, who in enumerate(people(n)):
        sat: list[entries.AnyEvent] = [entries.Sat(number, f"name {number}", who, None, f"{number:02}")]
        if number == n - 1:
            sat.append(entries.Started([step.move for step in next(rest)]))
        yield entries.Body(sat, who, f"sit-{number}")
    match = Match(ALEA, n)
    match.replay([step.move for step in first[: first_decision(first)]])
    for number, line in enumerate(story.lines):
        if number:
            back = next(at for at, (old, new) in enumerate(zip(first, line, strict=False)) if old is not new)
            asker = chooser.randrange(n)
            yield entries.Body([entries.AskedUndo(asker, back)], f"person-{asker}", "undo")
            for other in range(n):
                if other != asker:
                    yield entries.Body([entries.AnsweredUndo(other, True)], f"person-{other}", "undo-yes")
            match.undo(back)
            rest = chunks(line[back:])
            again = [] if line[back].seat is not None else [step.move for step in next(rest)]
            yield entries.Body([entries.Undone(back, again)], "house", None)
            match.replay(again)
        for chunk in rest:
            mover = chunk[0].seat
            assert mover is not None
            if confirm != 0:
                yield from hesitation(match, mover, chooser if mover == seat else others, chooser)
                yield entries.Body([entries.Chose(mover, chunk[0].move)], f"person-{mover}", f"choose-{len(match.log)}")
            if chooser.random() < 0.1:
                yield entries.Body([entries.Said(chooser.randrange(n), "hm <b>")], None, None)
            moves = [step.move for step in chunk]
            yield entries.Body([entries.Played(mover, moves)], f"person-{mover}", f"play-{len(match.log)}")
            match.replay(moves)
    if confirm != 0 and match.turn is not None:  # a choice that still waits
        mover = match.turn
        choice = a_choice(match.legal(), chooser if mover == seat else others)
        yield entries.Body([entries.Chose(mover, choice)], f"person-{mover}", "last")


def hesitation(match: Match, mover: int, choosing: random.Random, chooser: random.Random) -> Iterator[entries.Body]:
    for _ in range(chooser.choice([0, 0, 1, 2])):
        events: list[entries.AnyEvent] = [entries.Chose(mover, a_choice(match.legal(), choosing))]
        if chooser.random() < 0.5:
            events.append(entries.TookBack(mover))
        yield entries.Body(events, f"person-{mover}", None)


def first_decision(line: Line) -> int:
    return next(at for at, step in enumerate(line) if step.seat is not None)


def chunks(line: Line) -> Iterator[Line]:
    """The chance before the first decision, then every decision with the chance after it."""
    at = 0
    while at < len(line):
        end = at + 1
        while end < len(line) and line[end].seat is None:
            end += 1
        yield line[at:end]
        at = end


class Ear:
    """Somebody's connection, which keeps what it is sent."""

    def __init__(self, who: str | None) -> None:
        self.person = who
        self.away = False
        self.heard: list[bytes] = []

    def post(self, message: bytes) -> None:
        self.heard.append(message)


class World:
    """A table as entries come in, with those who watch it."""

    def __init__(self, start: MatchRow, seat: int | None, who: str | None) -> None:
        self.table = Table(start)
        self.seat, self.person = seat, who
        self.live = Live(SimpleNamespace(shared=False), Workers(0), clock=lambda: 9_000_000)
        self.room = Room(MATCH)
        self.ears = [Ear(one) for one in (who, None, STRANGER) for _ in (False, True)]
        self.room.watchers = {
            (ear, seat if ear.person == who else None): bool(number % 2)  # each with and without details
            for number, ear in enumerate(self.ears)
        }

    def happen(self, body: entries.Body) -> None:
        before = seen.marks(self.table)
        entry = entries.Entry(self.table.number + 1, 2000 + 10 * self.table.number, body)
        parts = self.table.apply(entries.Entry(entry.number, entry.at, entries.decode(entries.encode(body))))
        self.live.rooms.tell(self.room, self.table, parts, before)

    def heard(self) -> list[list[bytes]]:
        said = [ear.heard for ear in self.ears]
        for ear in self.ears:
            ear.heard = []
        return said

    def asked(self, chooser: random.Random) -> dict[str, Any]:
        """Everything else that can be had at this moment: by HTTP, by coming back, by being refused, by a bot."""
        table, seat, now = self.table, self.seat, 2_000_000
        assert table.match is not None
        told: dict[str, Any] = {
            "fresh": schema.encode(seen.update(table, seat, self.person, seen.EVERYTHING, now)),
            "watcher": schema.encode(seen.update(table, None, None, seen.EVERYTHING, now)),
            "transcript": seen.game_text(table, seat),
            "watcher's transcript": seen.game_text(table, None),
            "summary": self.listed(),
            "moves": None if seat is None else schema.encode(seen.moves(table, seat)),
            "due": (house.due(table, house.Talk()), house.jobs(table, house.Talk()), house.clock_at(table)),
            "status": listing.change(table, None, listing.total(table), None),
        }
        for ply in chooser.sample(range(len(table.match.log) + 1), 2):
            told[f"ply {ply}"] = schema.encode(seen.position(table, seat, ply))
            told[f"ply {ply} for a watcher"] = schema.encode(seen.position(table, None, ply))
        told["refusals"] = [self.answer(command, who, now) for command in self.commands(chooser) for who in self.askers]
        if seat is not None:
            bot = workers.question("act", ALEA, "greedy", seat, table.match.state)
            told["question"] = bot
            if table.turn == seat:
                told["bot"] = workers.think(bot)
        return told

    def listed(self) -> bytes:
        """The match in a list."""
        table, total = self.table, listing.total(self.table)
        kept = row(len(table.seats), None)._replace(
            status=table.status, changed=table.at, number=table.number, turn=table.turn, seated=total.seated,
            result=total.result,
        )  # fmt: skip
        return schema.encode(listing.summary(kept, self.person, None))

    @property
    def askers(self) -> tuple[str | None, ...]:
        return (self.person, STRANGER, None)

    def answer(self, command: Any, who: str | None, now: int) -> Any:
        """What a command leads to for somebody: a refusal, or events that only its maker learns of."""
        try:
            events = decide(self.table, command, who, now, "key")
            body = entries.Body(events, who, command.id)
            if isinstance(events[0], entries.Played):
                assert command.move in ("T9", "XIII", "+XIV", "=1", "K9")  # else the table would change
                self.table.apply(entries.Entry(self.table.number + 1, now, body), fresh=True)
        except Refusal as refusal:
            return refusal.code, str(refusal)
        return entries.encode(body)

    def commands(self, chooser: random.Random) -> list[Any]:
        """One of every kind, some for the own seat and some for others."""
        table = self.table
        assert table.match is not None
        where = (table.match.epoch, len(table.match.log))
        found: list[Any] = []
        for seat in {0 if self.seat is None else self.seat, chooser.randrange(len(table.seats))}:
            found += [
                schema.Play("i", MATCH, seat, *where, move) for move in ("T9", "XIII", "+XIV", "=1", "K9")
            ]  # fmt: skip
            found += [
                schema.Play("i", MATCH, seat, 0, 1, "T1"), schema.TakeBack("i", MATCH, seat, *where),
                schema.Sit("i", MATCH, seat, "x", "", "k" * 20), schema.Sit("i", MATCH, seat, "x"),
                schema.Offer("i", MATCH, seat, ["A>E"]), schema.Answer("i", MATCH, seat, 0, True),
                schema.Withdraw("i", MATCH, seat, 0), schema.Ready("i", MATCH, seat),
                schema.AskUndo("i", MATCH, seat, 0), schema.AskUndo("i", MATCH, seat, 10**6),
                schema.AnswerUndo("i", MATCH, seat, False), schema.Say("i", MATCH, seat, "hello"),
                schema.Mute("i", MATCH, seat, 1), schema.Replace("i", MATCH, seat, "greedy"),
                schema.AnswerSeat("i", MATCH, seat, True),
                schema.Link("i", MATCH, seat), schema.Leave("i", MATCH, seat), schema.Resign("i", MATCH, seat),
                schema.Rename("i", MATCH, seat, "x"), schema.Close("i", MATCH),
            ]  # fmt: skip
        return found
