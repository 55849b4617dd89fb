"""What a game is to the rest of the project: a frozen value of constants and functions, and nothing to inherit from.

Bots, arena, match and transcript know a `Game` and never a concrete one. A state is one packed record, a move one
int; dice, cards and tokens are moves too, of the player `CHANCE`. Ints never leave the process: what is stored or
sent is the canonical text. What a newcomer would get wrong: the verbs change the record they are given; copy first
(`copy`), keep logs of moves, and undo by replaying.
"""

import collections
import dataclasses
import difflib
import functools
import hashlib
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rostra.engine.jit import Array, State

CHANCE = -1
OVER = -2
WATCHER = -1
"""The seat of who only watches, in compiled code."""

POINTS, TIEBREAK, WINNER = range(3)
"""The rows of what `Game.score` writes, a column a seat; `WINNER` is 1 for a winner, else 0."""


class RostraError(ValueError):
    """The caller's mistake, said so that it can be mended; everything else is a bug of ours."""


class IllegalMove(RostraError):
    """The rules do not allow this move now."""


class NotYourTurn(RostraError):
    """It is another seat's turn, or chance's."""


class MatchOver(RostraError):
    """The match has ended."""


class BadNotation(RostraError):
    """The text is no move, tile, tableau or transcript."""


class BadOption(RostraError):
    """No such option, seat number or value."""


@dataclasses.dataclass(frozen=True)
class Option:
    """A rule option: its values as text, the first being the default; `compiled` is what `setup` gets for each."""

    name: str
    values: tuple[str, ...]
    compiled: tuple[int, ...]
    help: str


@dataclasses.dataclass(frozen=True)
class Plane:
    """A run of numbers in an observation; `shape` multiplies up to its length."""

    name: str
    shape: tuple[int, ...]
    help: str

    @property
    def size(self) -> int:
        """How many numbers it takes."""
        return int(np.prod(self.shape))


@dataclasses.dataclass(frozen=True, eq=False)
class Desk:
    """Deals at a live table, where offers lie open side by side. Terms are move texts, the action first; the verbs
    change a copy that nobody plays on. What all parties accepted enters the log as the active seat's draft."""

    deal: Callable[[State, Sequence[str]], tuple[list[int], list[int]]]
    """deal(s, terms): the moves that carry the deal out, everybody agreeing, and its parties, ascending; IllegalMove
    where the rules do not allow it now."""
    refusal: Callable[[State, Sequence[str], int], list[int]]
    """refusal(s, terms, seat): the moves that put this seat's `no` to the active seat's offer into the log, where that
    `no` breaks a promise and no other seat has to answer first; else none."""
    invite: Callable[[State, int], None]
    """invite(s, by): bring the state to where this seat may draft a deal."""
    ask: Callable[[State, int, Sequence[str]], None]
    """ask(s, by, terms): bring the state to where the first other party answers this seat's offer."""
    draft: Callable[[State], list[str]]
    """The terms of the open draft."""
    more: Callable[[State, Sequence[str]], list[str]]
    """more(s, terms): what may be added to these terms; to none, the actions."""
    open: Callable[[State], bool]
    """Whether deals can be offered now."""
    turn: Callable[[State], int]
    """A number that is another one in every turn: offers live as long as it stays."""
    ledger: Callable[[Iterable[State]], Sequence[Mapping[str, Any]]]
    """ledger(states): all promises with their fates, from the states of a whole match (one record that plays on)."""


@dataclasses.dataclass(frozen=True)
class Schedule:
    """How a net learns; pairs are values at the first game and at the last."""

    rate: tuple[float, float] = (2e-3, 5e-5)
    """The step of Adam."""
    trace: tuple[float, float] = (0.95, 0.7)
    """The lambda of TD(lambda)."""
    explore: tuple[float, float] = (0.01, 0.0)
    """How often a random move is made."""
    greedy: float = 0.15
    """How often a seat is played by the greedy bot, so that the net meets other play than its own."""
    together: int = 5
    """Games to a step, a divisor of 100."""


@dataclasses.dataclass(frozen=True, eq=False)
class Mind:
    """What a bot that has learned needs of a game; all members but the names are compiled. `net` is the weights of
    `rostra.engine.net`, `work` is `n_work` whole numbers, zeros at first, which the functions use as scratch."""

    n_inputs: int
    heads: tuple[str, ...]
    """What the net foretells of a seat: its chance to win, its margin at the end, then how much each of `progress` will
    grow in this chapter."""
    ambition: float
    """What a whole margin counts beside the chance to win, when moves are weighed."""
    n_work: int
    styles: Mapping[str, tuple[float, ...]]
    """Ways to play, by name, as the numbers that `weigh` gets; the first, without a name, is the strongest."""
    practice: tuple[str, ...]
    """The styles that play each other when the net learns."""
    schedule: Schedule
    features: Callable[[State, int, Array, Array], None]
    """features(s, seat, out, work): the inputs of the net, from what this seat may know."""
    margin: Callable[[State, int], float]
    """margin(s, seat): of a finished game, how clearly this seat won or lost, from about -1 to 1."""
    progress: Callable[[State, int, Array], None]
    """progress(s, seat, out): running counts of what a player reckons with, in the order of `heads`."""
    chapter: Callable[[State], int]
    """The part of the game (a set) this state belongs to, or -1 where the net is not asked."""
    weigh: Callable[[Array, Array, Array, Array, Array, Array], int]
    """weigh(states, net, style, buffer, values, work): write the legal moves of states[0] to the buffer and how good
    each is for the deciding seat to `values`, about a chance to win; return how many. The other states (8 in all) are
    scratch."""
    expect: Callable[[Array, Array, Array, Array, Array], float] | None = None
    """expect(states, net, style, buffer, work): before a roll in states[0], what it is worth to who rolls, all outcomes
    weighed; None where a game has no such rolls."""
    playouts: str | None = None
    """The style, a quick one, in which moves are tried out; None where that does not help."""


@dataclasses.dataclass(frozen=True, eq=False)
class Game:
    """The rules of one game. Compiled members take and change a record; the others are plain Python."""

    name: str
    title: str
    rules_version: int
    seats: tuple[int, int]
    """Fewest and most."""
    options: tuple[Option, ...]
    state: np.dtype[Any]
    n_decisions: int
    """Moves of players are the ints below this."""
    n_outcomes: int
    """Moves of chance are the ints from `n_decisions` on, this many."""
    max_legal: int
    """No state has more legal moves or outcomes."""
    ends: tuple[str, ...]
    secret: bool
    """Whether seats know different things."""
    planes: tuple[Plane, ...]

    setup: Callable[[State, int, Array], None]
    """setup(s, n_seats, options): a new game in a zeroed record."""
    turn: Callable[[State], int]
    """The deciding seat, `CHANCE` or `OVER`."""
    legal: Callable[[State, Array], int]
    """legal(s, out): write the legal moves or outcomes, ascending, and return how many."""
    odds: Callable[[State, int], float]
    draw: Callable[[State, Array], int]
    """draw(s, rng): one outcome, by its odds, without listing all."""
    apply: Callable[[State, int], None]
    score: Callable[[State, Array], None]
    """score(s, out): points, tie-break and winners of the state as it is, see `POINTS`."""

    redeal: Callable[[State, int, Array], None]
    """redeal(s, seat, rng): resample what this seat cannot know, from its information set alone."""
    observe: Callable[[State, int, Array], None]
    """observe(s, seat, out): what this seat knows as numbers, laid out by `planes`."""
    hides: Callable[[State, int, int], int]
    """hides(s, move, seat): whether this seat (or a `WATCHER`) may not see the move about to be made in s."""
    evaluate: Callable[[State, int], float]
    """evaluate(s, seat): a quick guess of how well this seat stands, from what it may know; higher is better."""
    wander: Callable[[State, Array, Array], int]
    """wander(s, out, rng): the random player's move; `out` is room for the legal moves."""
    talks: Callable[[State, int], int]
    """talks(s, move): whether a move is negotiating, which a silent bot does not do."""
    tallies: tuple[str, ...]
    """What simulations count besides points."""
    tally: Callable[[State, Array], None]
    """tally(s, out): those counts of a finished game."""
    stream: Callable[[State], int]
    """A number naming the coming chance event, the same whatever was played on the way."""
    pool: Callable[[State], int | list[str]]
    """What the coming chance event draws from: a number of dice, or the texts of all pieces, sorted, equals apart."""

    text: Callable[[State, int], str]
    parse: Callable[[State, str], int]
    paths: Callable[[State], list[list[tuple[str, ...]]]]
    """For each legal move, in order, all ways to click it, each a row of spots."""
    view: Callable[[State, int | None], Mapping[str, Any]]
    """view(s, seat): what a seat (or a spectator: None) may see, as data that JSON can have. Views may share parts, so
    copy before changing one."""
    diagram: Callable[[State, int | None], str]
    end: Callable[[State], str]
    check: Callable[[State], None]
    """Raise AssertionError where an invariant of the rules is broken."""
    explain: Callable[[State, int], str]
    """A move in a short sentence."""
    outlook: Callable[[State, int | None], Mapping[str, Any]] = lambda s, seat: {}
    """outlook(s, seat): what a seat could work out from its view, such as what it would win as things stand."""
    effect: Callable[[State, int], Mapping[str, Any]] = lambda s, move: {}
    """effect(s, move): what a legal move of the deciding seat would do, before it is made."""
    games_ended: Callable[[State], tuple[int, list[int]]] = lambda s: (0, [])
    """Where one sitting has several games: how many have ended, and the points of the last of them."""
    pause: Callable[[State], int] | None = None
    """A number that changes where a playout may well stop, such as at the end of a set."""
    desk: Desk | None = None
    """Where players negotiate: what a live table needs for offers."""
    mind: Mind | None = None
    """Where there is something to learn: what the learned bots need."""

    def new(self, n_seats: int, options: Mapping[str, str] | None = None) -> State:
        """The record of a new game."""
        self.check_seats(n_seats)
        s = np.zeros(1, self.state)[0]
        self.setup(s, n_seats, self.option_codes(options or {}, n_seats))
        return s

    def check_seats(self, n_seats: int) -> None:
        """Refuse a number of players that the game is not for."""
        fewest, most = self.seats
        if not fewest <= n_seats <= most:
            raise BadOption(f"{self.title} is for {fewest} to {most} players, not {n_seats}")

    def all_options(self, chosen: Mapping[str, str] | None) -> dict[str, str]:
        """The options as chosen, defaults filled in, in their order."""
        return {option.name: (chosen or {}).get(option.name, option.values[0]) for option in self.options}

    def option_codes(self, chosen: Mapping[str, str], n_seats: int) -> Array:
        """The options as `setup` wants them, defaults filled in."""
        names = [option.name for option in self.options]
        for name in chosen:
            if name not in names:
                raise BadOption(
                    f"{self.name} has no option {name!r}{did_you_mean(name, names)}; it has {', '.join(names)}"
                )
        codes = []
        for option in self.options:
            value = chosen.get(option.name, option.values[0])
            if value not in option.values:
                raise BadOption(f"option {option.name} is one of {', '.join(option.values)}, not {value!r}")
            if option.name == "start_seat" and value.isdigit() and int(value) >= n_seats:
                raise BadOption(f"start_seat {value} does not exist: the seats are 0 to {n_seats - 1}")
            codes.append(option.compiled[option.values.index(value)])
        return np.array(codes, np.int32)

    def legal_moves(self, s: State) -> list[int]:
        """The legal moves or outcomes as a list."""
        out = np.empty(self.max_legal, np.int32)
        return out[: self.legal(s, out)].tolist()  # type: ignore[no-any-return]  # a list of ints

    @functools.cached_property
    def observation_size(self) -> int:
        """How many numbers `observe` writes."""
        return sum(plane.size for plane in self.planes)


def copy(s: State) -> State:
    """A record of its own with the same bytes, those between fields too, which NumPy's own copy leaves to chance."""
    return np.frombuffer(bytearray(s.tobytes()), s.dtype)[0]


def digest(s: State) -> str:
    """A short hash of a state, to find where two replays part."""
    return hashlib.sha256(s.tobytes()).hexdigest()[:16]


def record(fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The dtype of a state: aligned, and readable by attribute compiled and interpreted. Declare wide fields first."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


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


def shortened(texts: Sequence[str], most: int = 40) -> str:
    """A list of moves for an error message, cut where it gets long."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return " ".join(texts[:most]) + more


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint for a misspelt word, or nothing."""
    close = difflib.get_close_matches(word, list(known), 1)
    return f" (did you mean {close[0]!r}?)" if close else ""
