"""The text of one game (`.game`): reading, writing and replaying it, after the formats page.

Reading checks the form of every line, replaying checks the rules; both report a bad line with its number, what was
found and what would have been right. A transcript with hidden moves (`=?`, `+?`) can be read and shown, not replayed.
"""

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rostra.engine.game import (
    CHANCE,
    OVER,
    BadNotation,
    BadOption,
    Game,
    IllegalMove,
    Result,
    RostraError,
    digest,
    result_of,
    shortened,
)
from rostra.engine.jit import State
from rostra.games import find_game

HIDDEN_OUTCOME, HIDDEN_MOVE = HIDDEN = ("=?", "+?")
"""What a seat reads in place of an outcome of chance, or a move of another seat, that it may not see."""
OTHER_ENDS = ("resigned", "forfeited", "abandoned")
"""Ways to end that belong to a match and not to a game."""


class BadLine(BadNotation):
    """A transcript is wrong at this line and ply (None where there is none); `reason` is the message without them."""

    def __init__(self, reason: str, line: int | None = None, ply: int | None = None, before: bool = False) -> None:
        places = [f"line {line}"] if line else []
        if ply is not None:
            places.append(f"before ply {ply}" if before else f"ply {ply}")
        super().__init__(f"{', '.join(places)}: {reason}" if places else reason)
        self.reason, self.line, self.ply, self.before = reason, line or None, ply, before


class IllegalPly(BadLine, IllegalMove):
    """A ply of a transcript breaks the rules."""


class Ply(NamedTuple):
    """One line of play; `seat` is None for chance, `line` is 0 for what was not read from a file."""

    number: int
    seat: int | None
    move: str
    line: int = 0


class Undo(NamedTuple):
    """Play went back to before this ply."""

    ply: int
    line: int = 0


class Digest(NamedTuple):
    """The hash of the state at this point."""

    value: str
    line: int = 0


class GameEnd(NamedTuple):
    """One of several games of a sitting has ended with these points."""

    points: list[int]
    line: int = 0


Event = Ply | Undo | Digest | GameEnd


@dataclasses.dataclass
class Transcript:
    """One game as text; `lines` tells where the keys of a file are, for errors."""

    game: str
    rules: int
    seats: list[str]
    options: dict[str, str]
    match: str | None = None
    commit: str | None = None
    entropy: list[tuple[int, str]] = dataclasses.field(default_factory=list)
    events: Sequence[Event] = ()
    result: Result | None = None
    seed: str | None = None
    lines: dict[str, int] = dataclasses.field(default_factory=dict, compare=False)

    @property
    def plies(self) -> list[Ply]:
        """All plies, undone ones too."""
        return [event for event in self.events if isinstance(event, Ply)]


class Step(NamedTuple):
    """A ply about to be made: the state is the one before it, and the next step changes it in place."""

    ply: Ply
    state: State
    move: int


def play_out(game: Game, s: State, moves: Iterable[int]) -> Iterator[Event]:
    """The events of these moves, made one after the other in `s`: plies, and the ends of games."""
    ended = game.notation.games_ended(s)[0]
    for number, move in enumerate(moves):
        turn = game.rules.turn(s)
        yield Ply(number, None if turn == CHANCE else turn, game.notation.text(s, move))
        game.rules.apply(s, move)
        number_ended, points = game.notation.games_ended(s)
        if number_ended > ended:
            ended = number_ended
            yield GameEnd(points)


# Writing.


def write(transcript: Transcript) -> str:
    """The transcript as text."""
    options = " ".join(f"{name}={value}" for name, value in transcript.options.items())
    lines = [f"game: {transcript.game}", f"rules: {transcript.rules}"]
    if transcript.match is not None:
        lines.append(f"match: {transcript.match}")
    lines += [f"seats: {', '.join(map(_quoted, transcript.seats))}", f"options: {options}"]
    if transcript.commit is not None:
        lines.append(f"commit: {transcript.commit}")
    lines += [f"entropy: {seat} {contribution}" for seat, contribution in transcript.entropy]
    lines.append("")
    for event in transcript.events:
        if isinstance(event, Ply):
            lines.append(f"{event.number} {'-' if event.seat is None else event.seat} {event.move}")
        elif isinstance(event, Undo):
            lines.append(f"undo: {event.ply}")
        elif isinstance(event, GameEnd):
            lines.append(f"game-end: points {' '.join(map(str, event.points))}")
        else:
            lines.append(f"digest: {event.value}")
    if transcript.result is not None:
        result = transcript.result
        lines.append(f"points: {' '.join(map(str, result.points))}")
        lines.append(f"tiebreak: {' '.join(map(str, result.tiebreak))}")
        lines.append(f"winners: {' '.join(map(str, result.winners))}".rstrip())
        lines.append(f"end: {result.end}")
    if transcript.seed is not None:
        lines.append(f"seed: {transcript.seed}")
    return "\n".join(lines) + "\n"


def _quoted(name: str) -> str:
    plain = name and name == name.strip() and name.isprintable() and not set(name) & set(',#"')
    return name if plain else json.dumps(name)


# Reading.

_PLY = re.compile(r"(0|[1-9][0-9]{0,8}) (-|[0-9]) (\S.*)")
_HEX = re.compile(r"[0-9a-f]+")
_KEYS = ("game", "rules", "match", "seats", "options", "commit", "entropy", "digest", "undo", "game-end")
_RESULT_KEYS = ("points", "tiebreak", "winners", "end", "seed")


class _Reader:
    """Collects the lines of a transcript; `line` is the one being read."""

    def __init__(self) -> None:
        self.line = 0
        self.values: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        self.entropy: list[tuple[int, str]] = []
        self.events: list[Event] = []
        self.next_ply = 0

    def fail(self, message: str, key: str | None = None) -> BadLine:
        return BadLine(message, self.lines.get(key, self.line) if key else self.line)

    def read(self, line: str) -> None:
        if match := _PLY.fullmatch(line):
            self.ply(int(match[1]), None if match[2] == "-" else int(match[2]), match[3])
            return
        key, colon, value = line.partition(":")
        value = value.strip()
        if not colon or key not in (*_KEYS, *_RESULT_KEYS):
            raise self.fail(f"found {line!r}; expected 'key: value' with a known key, or a ply such as '8 1 S456'")
        if key not in _RESULT_KEYS and set(self.values) & set(_RESULT_KEYS):
            raise self.fail(f"found {key!r} after the result")
        if key in ("digest", "undo", "game-end"):
            self.event(key, value)
        elif key not in _RESULT_KEYS and self.events:
            raise self.fail(f"{key!r} belongs before the first ply")
        elif key == "entropy":
            if not (match := re.fullmatch(r"([0-9]) ([0-9a-f]+)", value)):
                raise self.fail(f"entropy is a seat and hex digits, such as 'entropy: 0 91ab', not {value!r}")
            self.entropy.append((int(match[1]), match[2]))
            self.lines.setdefault(key, self.line)
        elif key in self.values:
            raise self.fail(f"{key!r} stands here a second time")
        elif key in ("commit", "seed") and not _HEX.fullmatch(value):
            raise self.fail(f"{key!r} has hex digits, not {value!r}")
        else:
            self.values[key] = value
            self.lines[key] = self.line

    def event(self, key: str, value: str) -> None:
        if key == "digest":
            if not _HEX.fullmatch(value):
                raise self.fail(f"a digest has hex digits, not {value!r}")
            self.events.append(Digest(value, self.line))
        elif key == "game-end":
            if not (match := re.fullmatch(r"(?:points )?([0-9]{1,6}(?: [0-9]{1,6})*)", value)):
                raise self.fail(
                    f"a game ends with the points of all seats, such as 'game-end: points 12 0 9', not {value!r}"
                )
            self.events.append(GameEnd([int(word) for word in match[1].split()], self.line))
        elif re.fullmatch(r"[0-9]{1,9}", value) and int(value) <= self.next_ply:
            self.next_ply = int(value)
            self.events.append(Undo(self.next_ply, self.line))
        else:
            raise self.fail(f"undo names a ply from 0 to {self.next_ply}, not {value!r}")

    def ply(self, number: int, seat: int | None, move: str) -> None:
        if set(self.values) & set(_RESULT_KEYS):
            raise self.fail("found a ply after the result")
        if number != self.next_ply:
            raise self.fail(f"found ply {number}, expected ply {self.next_ply}")
        self.events.append(Ply(number, seat, move, self.line))
        self.next_ply += 1

    def numbers(self, key: str) -> list[int]:
        words = self.values[key].split()
        if not all(re.fullmatch(r"-?[0-9]{1,6}", word) for word in words):
            raise self.fail(f"{key!r} has whole numbers, not {self.values[key]!r}", key)
        return [int(word) for word in words]

    def result(self, n_seats: int) -> Result | None:
        if not set(self.values) & {"points", "tiebreak", "winners", "end"}:
            return None
        for key in ("points", "tiebreak", "winners", "end"):
            if key not in self.values:
                raise self.fail(f"the result is incomplete: {key!r} is missing")
        points, tiebreak, winners = map(self.numbers, ("points", "tiebreak", "winners"))
        for key, numbers in (("points", points), ("tiebreak", tiebreak)):
            if len(numbers) != n_seats:
                raise self.fail(f"{key!r} has a number for each of the {n_seats} seats, not {len(numbers)}", key)
        if winners != sorted({seat for seat in winners if 0 <= seat < n_seats}):
            raise self.fail(f"'winners' are seats from 0 to {n_seats - 1}, ascending, not {winners}", "winners")
        return Result(points, tiebreak, winners, self.values["end"])


def read(text: str, game: Game | None = None) -> Transcript:
    """A transcript from its text; the form is checked, the rules are not (see `replay`). A game that is in no registry
    must be given."""
    reader = _Reader()
    for reader.line, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = _without_comment(line).strip()
        if line:
            reader.read(line)
    values = reader.values
    for key in ("game", "rules", "seats"):
        if key not in values:
            raise BadNotation(f"this is no transcript: the line '{key}: ...' is missing")
    if not re.fullmatch(r"[0-9]{1,6}", values["rules"]):
        raise reader.fail(f"'rules' is the version of the rules, a whole number, not {values['rules']!r}", "rules")
    try:
        played = _game_of(values["game"], game)
    except RostraError as error:
        raise reader.fail(str(error), "game") from error
    try:
        seats = _names(values["seats"])
        played.check_seats(len(seats))
    except RostraError as error:
        raise reader.fail(str(error), "seats") from error
    options = {}
    for word in values.get("options", "").split():
        name, equals, value = word.partition("=")
        if not equals or name in options:
            raise reader.fail(f"options are written name=value, each once; found {word!r}", "options")
        options[name] = value
    for seat, _ in reader.entropy:
        if seat >= len(seats):
            raise reader.fail(f"entropy is of a seat from 0 to {len(seats) - 1}, not {seat}", "entropy")
    return Transcript(
        game=values["game"],
        rules=int(values["rules"]),
        seats=seats,
        options=options,
        match=values.get("match"),
        commit=values.get("commit"),
        entropy=reader.entropy,
        events=reader.events,
        result=reader.result(len(seats)),
        seed=values.get("seed"),
        lines=reader.lines,
    )


def _game_of(name: str, given: Game | None) -> Game:
    """The game that was given, or the one of this name."""
    if given is not None and given.name != name:
        raise BadOption(f"this is a transcript of {name!r}, not of {given.name!r}")
    return given or find_game(name)


def _without_comment(line: str) -> str:
    """The line up to a `#` that stands outside a JSON string."""
    quoted = escaped = False
    for position, sign in enumerate(line):
        if escaped:
            escaped = False
        elif quoted and sign == "\\":
            escaped = True
        elif sign == '"':
            quoted = not quoted
        elif sign == "#" and not quoted:
            return line[:position]
    return line


def _names(written: str) -> list[str]:
    """The names of the seats: plain words between commas, or JSON strings."""
    names = []
    decoder = json.JSONDecoder()
    rest = written
    while True:
        rest = rest.lstrip()
        if rest.startswith('"'):
            try:
                name, length = decoder.raw_decode(rest)
            except ValueError as error:
                raise BadNotation(f"a quoted name is not a JSON string: {rest!r}") from error
            rest = rest[length:].lstrip()
            if rest and not rest.startswith(","):
                raise BadNotation(f"expected a comma after the name {name!r}, found {rest!r}")
        else:
            name = rest.partition(",")[0].strip()
            rest = rest[len(rest.partition(",")[0]) :]
            if not name:
                raise BadNotation(f"a seat has no name in {written!r}")
            if '"' in name:
                raise BadNotation(f"a name with a quote is written as a JSON string, not {name!r}")
        names.append(name)
        if not rest:
            return names
        rest = rest[1:]


# Replaying.


class Replay:
    """Checks a transcript ply after ply while it is iterated; `state` is the state reached."""

    def __init__(self, transcript: Transcript, game: Game | None = None) -> None:
        self.transcript = transcript
        self.game = _game_of(transcript.game, game)
        if transcript.rules != self.game.rules.version:
            found = f"written for rules {transcript.rules} of {self.game.name}"
            raise self._at("rules", f"{found}; this program has {self.game.rules.version}")
        try:
            self.state = self.game.new(len(transcript.seats), transcript.options)
        except RostraError as error:
            raise self._at("options", str(error)) from error
        self.moves: list[int] = []

    def _at(self, key: str, message: str) -> BadLine:
        return BadLine(message, self.transcript.lines.get(key))

    def __iter__(self) -> Iterator[Step]:
        for event in self.transcript.events:
            if isinstance(event, Ply):
                move = _checked(self.game, self.state, event)
                yield Step(event, self.state, move)
                self.game.rules.apply(self.state, move)
                self.moves.append(move)
            elif isinstance(event, Undo):
                self._go_back(event.ply)
            elif isinstance(event, GameEnd):
                if event.points != (ended := self.game.notation.games_ended(self.state)[1]):
                    found = f"found points {event.points}, but the game ended with {ended}"
                    raise BadLine(found, event.line, len(self.moves), before=True)
            elif event.value != digest(self.state):
                found = f"found digest {event.value}, but the state's is {digest(self.state)}"
                raise BadLine(found, event.line, len(self.moves), before=True)
        _check_result(self.game, self.state, self.transcript)

    def _go_back(self, ply: int) -> None:
        del self.moves[ply:]
        self.state = self.game.new(len(self.transcript.seats), self.transcript.options)
        for move in self.moves:
            self.game.rules.apply(self.state, move)


def replay(transcript: Transcript, game: Game | None = None) -> Replay:
    """Check a transcript against the rules; iterate to do it. A game that is in no registry must be given."""
    return Replay(transcript, game)


def _checked(game: Game, s: State, ply: Ply) -> int:
    def wrong(reason: str, kind: type[BadLine] = BadLine) -> BadLine:
        return kind(reason, ply.line, ply.number)

    turn = game.rules.turn(s)
    if turn == OVER:
        raise wrong(f"found {ply.move!r}, but the game is over")
    if ply.seat != (None if turn == CHANCE else turn):
        found = "-" if ply.seat is None else str(ply.seat)
        who = "chance (-)" if turn == CHANCE else f"seat {turn}"
        raise wrong(f"found seat {found}, but {who} is to move{_legal(game, s)}")
    if ply.move in HIDDEN:
        raise wrong(f"{ply.move} is hidden: a player's own transcript can be shown, not replayed")
    try:
        return game.notation.reread(s, ply.move)
    except RostraError as error:
        kind = IllegalPly if isinstance(error, IllegalMove) else BadLine
        raise wrong(f"{error}{_legal(game, s)}", kind) from error


def _legal(game: Game, s: State) -> str:
    """What would have been legal, for an error; for rolls of many dice the expected form is enough."""
    moves = game.legal_moves(s)
    if game.rules.turn(s) == CHANCE and len(moves) > 60:
        return ""
    return f"; legal: {shortened([game.notation.text(s, move) for move in moves])}"


def _check_result(game: Game, s: State, transcript: Transcript) -> None:
    result = transcript.result
    if result is None:
        return
    if game.rules.turn(s) == OVER:
        computed = result_of(game, s)
        for name, found, right in zip(Result._fields, result, computed, strict=True):
            if found != right:
                reason = f"the result says {name} {found}, but the plies lead to {right}"
                raise BadLine(reason, transcript.lines.get(name))
    elif result.end not in OTHER_ENDS:
        ends = ", ".join(OTHER_ENDS)
        reason = f"the end is {result.end!r}, but the game is not over after the last ply (only {ends} may)"
        raise BadLine(reason, transcript.lines.get("end"))
