"""What a game is to the rest of the project: a value made of facets, and nothing to inherit from.

`Rules` and `Notation` are all that a game must bring; every other facet has defaults (`rostra.engine.defaults`).
A state is one packed record, a move is one int; dice, cards and tokens are moves too, of the player `CHANCE`. Ints
never leave the process: what is stored or sent is the canonical text. The verbs change the record that they are given,
so copy first (`copy`), keep logs of moves, and undo by replaying.
"""

import collections
import dataclasses
import difflib
import functools
import hashlib
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from rostra.engine.desk import Desk
from rostra.engine.jit import Array, State
from rostra.engine.mind import Mind

CHANCE = -1
OVER = -2
SPECTATOR = -1
"""The seat number used for spectators in compiled code."""
MAX_SEATS = 10
"""A transcript writes a seat as one digit."""

POINTS, TIEBREAK, WINNER = range(3)
"""The rows of what `Rules.score` writes, one column per seat; `WINNER` is 1 for a winner, else 0."""


class RostraError(ValueError):
    """A mistake of the caller; the message says how to correct it. Any other exception is our bug."""


class IllegalMove(RostraError):
    """The rules do not allow this move now."""


class CannotPay(IllegalMove):
    """A deal in which somebody gives what they do not have; who that is may be secret, and the text does not tell."""


class NotYourTurn(RostraError):
    """It is another seat's turn, or chance's."""


class MatchOver(RostraError):
    """The match has ended."""


class BadNotation(RostraError):
    """The text is no move, tile, tableau or transcript."""


class BadOption(RostraError):
    """No such option, seat number or value."""


class BadGame(RostraError):
    """The parts of a game do not fit together."""


class Result(NamedTuple):
    """How a game ended."""

    points: list[int]
    tiebreak: list[int]
    winners: list[int]
    end: str


@dataclasses.dataclass(frozen=True)
class Option:
    """A rule option: its values as text, the default first; `codes` has what `Rules.setup` gets for each. Where
    `names_seats`, a value that is a number is a seat and must exist. Where `newer`, transcripts leave the option out
    at its default: those of matches from before there was such an option stay as they were."""

    name: str
    values: tuple[str, ...]
    codes: tuple[int, ...]
    help: str
    names_seats: bool = False
    newer: bool = False


@dataclasses.dataclass(frozen=True)
class Plane:
    """A run of numbers in an observation; the product of `shape` is its length."""

    name: str
    shape: tuple[int, ...]
    help: str

    @property
    def size(self) -> int:
        """Number of numbers in it."""
        return int(np.prod(self.shape))


# Facets. A default that is None is replaced when the game is made, see `rostra.engine.defaults`.

MISSING: Any = None


@dataclasses.dataclass(frozen=True, eq=False)
class Rules:
    """The rules themselves. The verbs are compiled and take a record of the dtype `state`, which must have a field `n`,
    the number of seats."""

    name: str
    """A short word, used in file names, transcripts and commands."""
    title: str
    seats: tuple[int, int]
    """The fewest and the most."""
    state: np.dtype[Any]
    n_decisions: int
    """Moves of players are the ints below this."""
    n_outcomes: int
    """Moves of chance are the ints from `n_decisions` on, this many."""
    max_legal: int
    """The most legal moves or outcomes of any state."""

    setup: Callable[[State, int, Array], None]
    """setup(s, n_seats, options): a new game in a zeroed record; it sets the field `n`."""
    turn: Callable[[State], int]
    """The deciding seat, `CHANCE` or `OVER`."""
    legal: Callable[[State, Array], int]
    """legal(s, out): write the legal moves or outcomes, ascending, and return how many."""
    odds: Callable[[State, int], float]
    """odds(s, outcome): the probability of an outcome of chance."""
    draw: Callable[[State, Array], int]
    """draw(s, rng): one outcome, sampled by its odds."""
    apply: Callable[[State, int], None]
    """apply(s, move): make a legal move or let an outcome happen."""
    score: Callable[[State, Array], None]
    """score(s, out): points, tie-break and winners of the state as it is, see `POINTS`."""

    options: tuple[Option, ...] = ()
    version: int = 1
    """Transcripts and stored matches name it: rules of another version are another game."""
    longest: Callable[[int, Mapping[str, str]], tuple[int, int]] | None = None
    """longest(n_seats, options): upper bounds of the decisions and of the chance events in one game, where known."""
    points: tuple[int, int] = (-1000, 1000)
    """Bounds of the points that a seat can have."""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", self.name):
            raise BadGame(f"the name of a game is a word of small letters, not {self.name!r}")
        if "n" not in (self.state.names or ()):
            raise BadGame(f"the record of {self.name} needs an integer field 'n', the number of seats")
        fewest, most = self.seats
        if not 1 <= fewest <= most <= MAX_SEATS:
            raise BadGame(f"{self.name}: seats are (fewest, most) from 1 to {MAX_SEATS}, not {self.seats}")
        if min(self.n_decisions, self.max_legal) < 1 or self.n_outcomes < 0:
            raise BadGame(f"{self.name}: n_decisions and max_legal are at least 1, n_outcomes at least 0")
        for option in self.options:
            if not option.values or len(option.values) != len(option.codes):
                raise BadGame(f"{self.name}: option {option.name} needs a code for each of its values")


@dataclasses.dataclass(frozen=True, eq=False)
class Notation:
    """Moves as text. No text has a line break, and none begins or ends with a blank."""

    text: Callable[[State, int], str]
    """text(s, move): the canonical text of a legal move or outcome of s."""
    parse: Callable[[State, str], int] = MISSING
    """parse(s, text): the legal move of a text; BadNotation, IllegalMove or MatchOver say what is wrong. By default it
    accepts the canonical texts."""
    reread: Callable[[State, str], int] = MISSING
    """reread(s, text): as `parse`, for a ply of a log. It may accept what only older logs contain, if `Rules.apply`
    accepts the move. By default it is `parse`."""
    end: Callable[[State], str] = lambda s: "finished"
    """How a finished game ended, as a word."""
    pool: Callable[[State], int | list[str]] = MISSING
    """What the coming chance event draws from: a number of six-sided dice, whose outcome is written `=` and the sorted
    faces, or the texts of all pieces, sorted, equal ones repeated. By default all outcomes, where they are equally
    likely. A text means the same move whenever dice are rolled, and whenever a piece is drawn."""
    games_ended: Callable[[State], tuple[int, list[int]]] = lambda s: (0, [])
    """Where one sitting has several games: the number of those that have ended, and the points of the last one."""


@dataclasses.dataclass(frozen=True, eq=False)
class Knowledge:
    """What a seat may know; by default everybody sees everything. All verbs are compiled."""

    secret: bool = False
    """Whether seats know different things. If so, `redeal`, `hides` and `Screen.view` must be given."""
    redeal: Callable[[State, int, Array], None] = MISSING
    """redeal(s, seat, rng): resample what this seat cannot know, from its information set alone."""
    hides: Callable[[State, int, int], int] = MISSING
    """hides(s, move, seat): whether this seat (or a `SPECTATOR`) may not see the move about to be made in s."""
    observe: Callable[[State, int, Array], None] = MISSING
    """observe(s, seat, out): what this seat knows as float32 numbers, laid out by `planes`."""
    planes: tuple[Plane, ...] = ()

    @functools.cached_property
    def observation_size(self) -> int:
        """Number of numbers that `observe` writes."""
        return sum(plane.size for plane in self.planes)


class Reason(msgspec.Struct):
    """Why a move is good, or another one better: the text `review.<key>` of the catalogue with these values."""

    key: str
    values: dict[str, str | int | float] = {}


class Case(NamedTuple):
    """A move that is compared with another one (or with none), and the chance to win after each legal move."""

    game: "Game"
    s: State
    move: int
    other: int | None
    chance: Mapping[int, float]
    terms: Sequence[str]
    """The terms of the deal that the move opens, if it opens one."""

    def text(self, move: int) -> str:
        """The canonical text of a move."""
        return self.game.notation.text(self.s, move)

    def effects(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """What the move would do, and what the other one would."""
        effect = self.game.screen.effect
        return effect(self.s, self.move), {} if self.other is None else effect(self.s, self.other)


@dataclasses.dataclass(frozen=True, eq=False)
class Screen:
    """The game for people, in plain Python. `seat` is None for a spectator; nothing that a seat is shown may depend on
    what it may not know."""

    view: Callable[[State, int | None], Any] = MISSING
    """view(s, seat): what a seat may see, as a dict of plain data (typed by a TypedDict). By default all fields of the
    record."""
    diagram: Callable[[State, int | None], str] = MISSING
    """diagram(s, seat): the same as lines of text."""
    paths: Callable[[State], list[list[tuple[str, ...]]]] = MISSING
    """paths(s): for each legal move, in order, all ways to click it, each a list of spots."""
    explain: Callable[[State, int], str] = MISSING
    """explain(s, move): a move in a short English sentence."""
    outlook: Callable[[State, int | None], Mapping[str, Any]] = lambda s, seat: {}
    """outlook(s, seat): what a seat could work out from its view, such as what it would win as things stand."""
    effect: Callable[[State, int], Mapping[str, Any]] = lambda s, move: {}
    """effect(s, move): what a legal move of the deciding seat would do, before it is made."""
    phrase: Callable[[Any, str, Sequence[str], int], str] = lambda words, move, names, seat: move
    """phrase(words, text, names, seat): a decision of this seat in the words of a language (`rostra.words.Words`)."""
    reasons: Callable[[Case], Iterator[tuple[float, Reason]]] = lambda case: iter(())
    """reasons(case): facts that speak for a move, each with its weight from 0 to 1."""
    primer: str = ""
    """The rules and how moves are written, in a page of English, for agents that read."""
    guide: Any = None
    """The class of the game's guide in the terminal, a subclass of `rostra.words.guide.Guide`."""
    structs: tuple[type, ...] = ()
    """The TypedDicts of views, outlooks and effects, from which the types of the web page are made."""


@dataclasses.dataclass(frozen=True, eq=False)
class Play:
    """What simple bots and simulations need; all verbs are compiled."""

    evaluate: Callable[[State, int], float] = MISSING
    """evaluate(s, seat): a quick guess of how well this seat stands, from what it may know; higher is better.
    By default its points less the best of the others'."""
    random_move: Callable[[State, Array, Array], int] = MISSING
    """random_move(s, out, rng): the random player's move; `out` is a buffer for the legal moves."""
    talks: Callable[[State, int], int] = MISSING
    """talks(s, move): whether a move is negotiating, which a silent bot does not do."""
    stream: Callable[[State], int] = MISSING
    """stream(s): a number naming the coming chance event, the same whatever was played before, so that two games of one
    seed roll the same dice at the same place; negative: events are counted instead."""
    pause: Callable[[State], int] = MISSING
    """pause(s): a number that changes where a playout may stop, such as at the end of a set."""
    tallies: tuple[str, ...] = ()
    """What simulations count besides points."""
    tally: Callable[[State, Array], None] = MISSING
    """tally(s, out): write these counts of a finished game."""


VERBS = (
    *("setup", "turn", "legal", "odds", "draw", "apply", "score", "redeal", "hides", "observe"),
    *("evaluate", "random_move", "talks", "stream", "pause", "tally"),
    *("features", "margin", "progress", "chapter", "weigh", "expect"),
)
"""The names of all compiled members."""


@dataclasses.dataclass(frozen=True, eq=False)
class Game:
    """A game as the rest of the project knows it."""

    rules: Rules
    notation: Notation
    knowledge: Knowledge = Knowledge()
    screen: Screen = Screen()
    play: Play = Play()
    desk: Desk | None = None
    """For games in which players negotiate: what a live table needs for offers."""
    mind: Mind | None = None
    """For games that bots have learned: what those bots need."""

    def __post_init__(self) -> None:
        from rostra.engine import defaults  # it needs the types above

        for facet, value in defaults.facets(self).items():
            object.__setattr__(self, facet, value)

    @property
    def name(self) -> str:
        """The short name, from the rules."""
        return self.rules.name

    @property
    def title(self) -> str:
        """The name for people, from the rules."""
        return self.rules.title

    @functools.cached_property
    def verbs(self) -> dict[str, Any]:
        """All compiled functions of the game by name, for `jit.bind`."""
        facets = [self.rules, self.knowledge, self.play, *([self.mind] if self.mind else [])]
        return {name: member for facet in facets for name, member in vars(facet).items() if name in VERBS}

    def new(self, n_seats: int, options: Mapping[str, str] | None = None) -> State:
        """The record of a new game."""
        self.check_seats(n_seats)
        s = np.zeros(1, self.rules.state)[0]
        self.rules.setup(s, n_seats, self.option_codes(options or {}, n_seats))
        return s

    def check_seats(self, n_seats: int) -> None:
        """Refuse a number of players that the game does not allow."""
        fewest, most = self.rules.seats
        if not fewest <= n_seats <= most:
            raise BadOption(f"{self.title} is for {fewest} to {most} players, not {n_seats}")

    def all_options(self, chosen: Mapping[str, str] | None) -> dict[str, str]:
        """The options as chosen, defaults filled in, in their order."""
        return {option.name: (chosen or {}).get(option.name, option.values[0]) for option in self.rules.options}

    def logged_options(self, chosen: Mapping[str, str] | None) -> dict[str, str]:
        """The options as transcripts name them: all but `newer` ones at their default."""
        newer = {option.name: option.values[0] for option in self.rules.options if option.newer}
        return {name: value for name, value in self.all_options(chosen).items() if newer.get(name) != value}

    def option_codes(self, chosen: Mapping[str, str], n_seats: int) -> Array:
        """The options as `Rules.setup` wants them, defaults filled in."""
        names = [option.name for option in self.rules.options]
        for name in chosen:
            if name not in names:
                known = f"; it has {', '.join(names)}" if names else "; it has none"
                raise BadOption(f"{self.name} has no option {name!r}{did_you_mean(name, names)}{known}")
        codes = []
        for option in self.rules.options:
            value = chosen.get(option.name, option.values[0])
            if value not in option.values:
                raise BadOption(f"option {option.name} is one of {', '.join(option.values)}, not {value!r}")
            if option.names_seats and value.isdigit() and int(value) >= n_seats:
                raise BadOption(f"{option.name} {value} does not exist: the seats are 0 to {n_seats - 1}")
            codes.append(option.codes[option.values.index(value)])
        return np.array(codes, np.int32)

    def legal_moves(self, s: State) -> list[int]:
        """The legal moves or outcomes as a list."""
        out = np.empty(self.rules.max_legal, np.int32)
        return out[: self.rules.legal(s, out)].tolist()  # type: ignore[no-any-return]  # a list of ints

    def legal_texts(self, s: State) -> list[str]:
        """Their canonical texts."""
        return [self.notation.text(s, move) for move in self.legal_moves(s)]


def result_of(game: Game, s: State) -> Result:
    """Points, tie-break and winners of a game that is over."""
    out = np.zeros((3, s.n), np.int32)
    game.rules.score(s, out)
    winners = np.flatnonzero(out[WINNER]).tolist()
    return Result(out[POINTS].tolist(), out[TIEBREAK].tolist(), winners, game.notation.end(s))


def copy(s: State) -> State:
    """An independent record with the same bytes, including those between fields, which NumPy's own copy does not
    keep."""
    return np.frombuffer(bytearray(s.tobytes()), s.dtype)[0]


def digest(s: State) -> str:
    """A short hash of a state, to find where two replays differ."""
    data, known = s.tobytes(), _first_size.get(s.dtype)
    return hashlib.sha256(data if any(data[known:]) else data[:known]).hexdigest()[:16]


_first_size: dict[np.dtype[Any], int] = {}
"""By state with newer fields: its size without them."""


def record(fields: Sequence[tuple[Any, ...]], newer: Sequence[tuple[Any, ...]] = ()) -> np.dtype[Any]:
    """The dtype of a state: aligned, and readable by attribute compiled and interpreted. Declare wide fields first.

    Fields of a later version are `newer`: a digest leaves them out while all are 0, so that old digests stay valid.
    """
    state = np.dtype((np.record, np.dtype([*fields, *newer], align=True)))
    if newer:
        _first_size[state] = int(state.fields[newer[0][0]][1])  # type: ignore[index]  # it has fields
    return state


def plain_fields(state: np.dtype[Any]) -> Callable[[bytes], Any]:
    """A function from the bytes of a state to a tuple of its fields, by name; NumPy takes a microsecond for each, this
    one for all.

    Arrays come flat as `bytes`: those of int8 are the numbers, which must not be negative; wider ones are for
    `memoryview(...).cast`.
    """
    code, at = "=", 0
    for name in state.names or ():
        kind = state[name]
        offset = state.fields[name][1]  # type: ignore[index]  # it has fields
        code += f"{offset - at}x" + (f"{kind.itemsize}s" if kind.subdtype else "bhiq"[kind.itemsize.bit_length() - 1])
        at = offset + kind.itemsize
    unpack = struct.Struct(f"{code}{state.itemsize - at}x").unpack
    named: Any = collections.namedtuple("Fields", state.names or ())  # type: ignore[misc]  # not known to mypy
    return lambda record: named._make(unpack(record))


def per_cent(share: float) -> int:
    """A share from 0 to 1 in per cent."""
    return round(100 * min(max(share, 0.0), 1.0))


def shortened(texts: Sequence[str], most: int = 40) -> str:
    """A list of moves for an error message, shortened where it is long."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return " ".join(texts[:most]) + more


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint for a misspelt word, or nothing."""
    close = difflib.get_close_matches(word, list(known), 1)
    return f" (did you mean {close[0]!r}?)" if close else ""
