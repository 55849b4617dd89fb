"""The text of one game (`.game`): reading, writing and replaying it, after the formats page.

Reading checks the form of every line, replaying the rules; both answer a bad line with its number, what was found
and what would have been right. What a newcomer would get wrong: what a seat may not know is written `=?` or `+?`; such
a transcript can be read and shown, not replayed.
"""

import dataclasses
import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rostra.game import (
    CHANCE,
    OVER,
    POINTS,
    TIEBREAK,
    WINNER,
    BadNotation,
    Game,
    RostraError,
    digest,
)
from rostra.games import find_game
from rostra.jit import State

HIDDEN = ("=?", "+?")
OTHER_ENDS = ("resigned", "forfeited", "abandoned")
"""Ways to end that belong to a match and not to a game."""
LEGAL_SHOWN = 40


class Ply(NamedTuple):
    """One line of play; `seat` is None for chance, `line` is 0 for what was not read from a file."""

    number: int
    seat: int | None
    move: str
    line: int = 0


class Result(NamedTuple):
    """How a game ended."""

    points: list[int]
    tiebreak: list[int]
    winners: list[int]
    end: str


@dataclasses.dataclass
class Transcript:
    """One game as text has it. `undos` are (index into plies, ply gone back to), `digests` (index, hash)."""

    game: str
    rules: int
    seats: list[str]
    options: dict[str, str]
    match: str | None = None
    commit: str | None = None
    entropy: list[tuple[int, str]] = dataclasses.field(default_factory=list)
    plies: list[Ply] = dataclasses.field(default_factory=list)
    undos: list[tuple[int, int]] = dataclasses.field(default_factory=list)
    digests: list[tuple[int, str]] = dataclasses.field(default_factory=list)
    result: Result | None = None
    seed: str | None = None


class Step(NamedTuple):
    """A ply about to be made: the state is the one before it, and the next step changes it in place."""

    ply: Ply
    state: State
    move: int


def result_of(game: Game, s: State) -> Result:
    """Points, tie-break and winners of a game that is over."""
    out = np.zeros((3, s.n), np.int32)
    game.score(s, out)
    winners = np.flatnonzero(out[WINNER]).tolist()
    return Result(out[POINTS].tolist(), out[TIEBREAK].tolist(), winners, game.end(s))


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
    undos, digests = dict(transcript.undos), dict(transcript.digests)
    for index in range(len(transcript.plies) + 1):
        if index in undos:
            lines.append(f"undo: {undos[index]}")
        if index in digests:
            lines.append(f"digest: {digests[index]}")
        if index < len(transcript.plies):
            ply = transcript.plies[index]
            lines.append(f"{ply.number} {'-' if ply.seat is None else ply.seat} {ply.move}")
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

_PLY = re.compile(r"(0|[1-9]\d{0,8}) (-|\d) (\S+)")
_KEYS = ("game", "rules", "match", "seats", "options", "commit", "entropy", "digest", "undo")
_RESULT_KEYS = ("points", "tiebreak", "winners", "end")


class _Reader:
    """Collects the lines of a transcript; `where` is the line being read."""

    def __init__(self) -> None:
        self.where = 0
        self.header: dict[str, str] = {}
        self.entropy: list[tuple[int, str]] = []
        self.plies: list[Ply] = []
        self.undos: list[tuple[int, int]] = []
        self.digests: list[tuple[int, str]] = []
        self.result: dict[str, str] = {}
        self.next_ply = 0

    def fail(self, message: str) -> BadNotation:
        return BadNotation(f"line {self.where}: {message}")

    def line(self, line: str) -> None:
        if match := _PLY.fullmatch(line):
            self.ply(int(match[1]), None if match[2] == "-" else int(match[2]), match[3])
            return
        key, colon, value = line.partition(":")
        value = value.strip()
        if not colon or key not in (*_KEYS, *_RESULT_KEYS, "seed"):
            raise self.fail(f"found {line!r}; expected 'key: value' with a known key, or a ply such as '8 1 S456'")
        if key == "entropy":
            if not (match := re.fullmatch(r"(\d) ([0-9a-f]+)", value)):
                raise self.fail(f"entropy is a seat and hex digits, such as 'entropy: 0 91ab', not {value!r}")
            self.entropy.append((int(match[1]), match[2]))
        elif key == "digest":
            self.digests.append((len(self.plies), value))
        elif key == "undo":
            if not value.isascii() or not value.isdigit() or int(value) > self.next_ply:
                raise self.fail(f"undo names a ply from 0 to {self.next_ply}, not {value!r}")
            self.undos.append((len(self.plies), int(value)))
            self.next_ply = int(value)
        else:
            known = self.result if key in (*_RESULT_KEYS, "seed") else self.header
            if key in known:
                raise self.fail(f"{key!r} stands here a second time")
            if known is self.header and self.plies:
                raise self.fail(f"{key!r} belongs before the first ply")
            known[key] = value

    def ply(self, number: int, seat: int | None, move: str) -> None:
        if self.result:
            raise self.fail("found a ply after the result")
        if number != self.next_ply:
            raise self.fail(f"found ply {number}, expected ply {self.next_ply}")
        self.plies.append(Ply(number, seat, move, self.where))
        self.next_ply += 1

    def numbers(self, key: str, how_many: int | None) -> list[int]:
        words = self.result[key].split()
        if not all(re.fullmatch(r"-?\d{1,6}", word) for word in words) or len(words) != (how_many or len(words)):
            raise BadNotation(f"{key!r} has {how_many or 'some'} whole numbers, not {self.result[key]!r}")
        return [int(word) for word in words]


def read(text: str) -> Transcript:
    """A transcript from its text; the form is checked, the rules are not (see `replay`)."""
    reader = _Reader()
    for reader.where, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = _without_comment(line).strip()
        if line:
            reader.line(line)
    header, result = reader.header, reader.result
    for key in ("game", "rules", "seats"):
        if key not in header:
            raise BadNotation(f"this is no transcript: the line '{key}: ...' is missing")
    if not re.fullmatch(r"\d{1,6}", header["rules"]):
        raise BadNotation(f"'rules' is the version of the rules, a whole number, not {header['rules']!r}")
    seats = _names(header["seats"])
    options = {}
    for word in header.get("options", "").split():
        name, equals, value = word.partition("=")
        if not equals or name in options:
            raise BadNotation(f"options are written name=value, each once; found {word!r}")
        options[name] = value
    outcome = None
    if "end" in result:
        missing = [key for key in _RESULT_KEYS if key not in result]
        if missing:
            raise BadNotation(f"the result is incomplete: {missing[0]!r} is missing")
        points, tiebreak = reader.numbers("points", len(seats)), reader.numbers("tiebreak", len(seats))
        outcome = Result(points, tiebreak, reader.numbers("winners", None), result["end"])
    elif set(result) & set(_RESULT_KEYS):
        raise BadNotation("the result is incomplete: 'end' is missing")
    return Transcript(
        game=header["game"],
        rules=int(header["rules"]),
        seats=seats,
        options=options,
        match=header.get("match"),
        commit=header.get("commit"),
        entropy=reader.entropy,
        plies=reader.plies,
        undos=reader.undos,
        digests=reader.digests,
        result=outcome,
        seed=result.get("seed"),
    )


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
        names.append(name)
        if not rest:
            return names
        rest = rest[1:]


# Replaying.


def replay(transcript: Transcript) -> Iterator[Step]:
    """Check ply after ply against the rules; ends by checking the result."""
    game = find_game(transcript.game)
    if transcript.rules != game.rules_version:
        raise BadNotation(f"written for rules {transcript.rules} of {game.name}; this program has {game.rules_version}")
    s = game.new(len(transcript.seats), transcript.options)
    moves: list[int] = []
    undos, digests = dict(transcript.undos), dict(transcript.digests)
    for index in range(len(transcript.plies) + 1):
        if index in undos:
            del moves[undos[index] :]
            s = game.new(len(transcript.seats), transcript.options)
            for move in moves:
                game.apply(s, move)
        if index in digests and digests[index] != digest(s):
            found = f"found digest {digests[index]}, but the state's is {digest(s)}"
            raise BadNotation(f"before ply {len(moves)}: {found}")
        if index == len(transcript.plies):
            break
        ply = transcript.plies[index]
        move = _checked(game, s, ply)
        yield Step(ply, s, move)
        game.apply(s, move)
        moves.append(move)
    _check_result(game, s, transcript)


def _checked(game: Game, s: State, ply: Ply) -> int:
    def where(message: str) -> str:
        return f"line {ply.line}, ply {ply.number}: {message}" if ply.line else f"ply {ply.number}: {message}"

    turn = game.turn(s)
    if turn == OVER:
        raise BadNotation(where(f"found {ply.move!r}, but the game is over"))
    expected = "-" if turn == CHANCE else str(turn)
    found = "-" if ply.seat is None else str(ply.seat)
    if found != expected:
        who = "chance (-)" if turn == CHANCE else f"seat {turn}"
        raise BadNotation(where(f"found seat {found}, but {who} is to move"))
    if ply.move in HIDDEN:
        raise BadNotation(where(f"{ply.move} is hidden: a player's own transcript can be shown, not replayed"))
    try:
        return game.parse(s, ply.move)
    except RostraError as error:
        legal = ""
        if turn != CHANCE:
            texts = [game.text(s, move) for move in game.legal_moves(s)]
            legal = f"; legal: {' '.join(texts[:LEGAL_SHOWN])}"
            if len(texts) > LEGAL_SHOWN:
                legal += f" and {len(texts) - LEGAL_SHOWN} more"
        raise type(error)(where(f"{error}{legal}")) from error


def _check_result(game: Game, s: State, transcript: Transcript) -> None:
    result = transcript.result
    if result is None:
        return
    if game.turn(s) == OVER:
        computed = result_of(game, s)
        for name, found, right in zip(Result._fields, result, computed, strict=True):
            if found != right:
                raise BadNotation(f"the result says {name} {found}, but the plies lead to {right}")
    elif result.end not in OTHER_ENDS:
        ends = ", ".join(OTHER_ENDS)
        raise BadNotation(f"the end is {result.end!r}, but the game is not over after the last ply (only {ends} may)")
