"""Players that are programs. `make_bot("learned")` makes one.

A bot is named by a word and, for some, by how much it may think: `search:400`, `deep:1s`. Bots of one's own are
functions (`rostra.bots.own`). `Bot.choose` hands its bot a state that was redealt for the seat, never the true one, so
a bot cannot use a secret even by mistake.
"""

import dataclasses
import functools
import re
from collections.abc import Callable

import numpy as np

from rostra.bots import deep, learned, own, search
from rostra.engine import loops
from rostra.engine.game import BadOption, Game, IllegalMove, copy, did_you_mean
from rostra.engine.jit import Array, State, Unit, unit
from rostra.engine.loops import GREEDY, RANDOM, SILENT, THINKS, loops_of

SIMPLE = {"random": RANDOM, "greedy": GREEDY, "greedy:deals=off": SILENT}
"""The bots that run inside compiled loops."""
LEVELS = {
    "tiro": "learned:gentle:error=8",
    "civis": "learned:error=4",
    "eques": "learned:error=1.5",
    "senator": "learned",
    "consul": "deep:500ms",
}
"""Bots for people, from gentle to the strongest. Most are defined by how much winning chance they lose per decision, in
per cent."""
OF_ALL_GAMES = ["random", "greedy"]
"""The bots that play every game."""
FAMILIES = ("flat", "search", "learned", "deep")
"""The bots that think, which take parameters after a colon."""
_FILE = re.compile(r"\.npz$|[/\\\\]")
"""Matches the name of a file with weights, as opposed to a style."""

Think = Callable[[Game, State, Array], int]


@dataclasses.dataclass(frozen=True)
class Bot:
    """A program that can take a seat: a name, and `think(game, state, rng)`, which returns a legal move as an int.

    The state is a record in which everything that the seat cannot know is redealt at random.

    >>> import rostra
    >>> first = rostra.Bot("first", think=lambda game, state, rng: game.legal_moves(state)[0])
    >>> rostra.simulate("alea", [first, "random"], games=2).n_games
    2
    """

    name: str
    policy: int = THINKS
    """How compiled loops play it; those that THINK are asked."""
    think: Think | None = None
    error: float = 0.0
    """How much winning chance it gives away per decision, on purpose."""
    checked: bool = True
    """Whether its moves are checked against the rules; those of our own bots need not be."""
    choose_by_view: own.Choose | None = None
    """The function on views and texts that `think` was made of, where it was."""

    def silent(self) -> "Bot":
        """The same bot without negotiating, where compiled loops play it."""
        return dataclasses.replace(self, policy=SILENT) if self.policy == GREEDY else self

    def choose(self, game: Game, s: State, rng: Array) -> int:
        """A legal move for the deciding seat."""
        unit_of(game)  # so that what it loads is loaded together
        seat = game.rules.turn(s)
        known = copy(s)
        game.knowledge.redeal(known, seat, rng)
        if self.think is not None:
            move = self.think(game, copy(known) if self.checked else known, rng)
            if self.checked and move not in game.legal_moves(known):
                legal = game.legal_moves(known)
                raise IllegalMove(f"the bot {self.name} chose {move!r}, which is not one of its legal moves {legal}")
            return int(move)
        buffer = np.empty(game.rules.max_legal, np.int32)
        if self.policy == RANDOM:
            return game.play.random_move(known, buffer, rng)
        states = np.zeros(2, game.rules.state)
        states[0] = known
        return int(loops_of(game).greedy(1 if self.policy == SILENT else 0, states, buffer, rng))


@functools.cache
def unit_of(game: Game) -> Unit | None:
    """The code with which bots think about this game, but for the greedy one, whose code is that of `loops`."""
    desk = [game.desk.act, game.desk.answer, game.desk.counter, game.desk.offer] if game.desk else []
    mind = [*vars(game.mind).values(), deep.loop_of(game), learned.heads, learned.choose] if game.mind else []
    return unit(f"{game.name}, the bots", [*mind, *desk], beside=loops.table_of(game))


def prepare(game: Game) -> None:
    """Load or compile what a table with bots needs, before somebody waits for a move."""
    loops.prepare(game)
    if bots := unit_of(game):
        bots.load()


def make_bot(spec: "str | Bot | own.Choose", *, files: bool = True) -> Bot:
    """The bot that a word names, or one of your own: a function from (view, legal moves) to a move.

    A word is one of ours (docs/bots.md), or `module:name` for a function or a `Bot` in a module of yours. Without
    `files` no word may name a file or a module; use that for words from strangers.

    >>> import rostra
    >>> rostra.make_bot("learned:error=4").name
    'learned:error=4'
    >>> def last(view, legal):
    ...     return legal[-1]
    >>> rostra.make_bot(last).name
    'last'
    """
    if isinstance(spec, Bot):
        return spec
    if not isinstance(spec, str):
        return Bot(own.name_of(spec), think=own.thinking(spec), choose_by_view=spec)
    if spec in SIMPLE:
        return Bot(spec, SIMPLE[spec])
    family, _, rest = LEVELS.get(spec, spec).partition(":")
    makers = dict(zip(FAMILIES, (_flat, _search, _learned, _deep), strict=True))
    if family not in makers:
        if files and own.WORD.fullmatch(spec):
            return dataclasses.replace(make_bot(own.load(spec)), name=spec)
        known = [*SIMPLE, *LEVELS, *makers]
        yours = ", or module:name for your own" if files else ""
        raise BadOption(f"there is no bot {spec!r}{did_you_mean(spec, known)}; there is {', '.join(known)}{yours}")
    if family == "learned" and not files and _FILE.search(rest):
        raise BadOption(f"{spec} names a file, which is not possible here")
    return dataclasses.replace(makers[family](rest), name=spec, checked=False)


def open_bots(game: Game) -> list[str]:
    """The bots that a stranger may choose for a game: levels, styles, simple ones. None of them says how long it may
    think, for that is decided by whoever lends the computer."""
    if game.mind is None:
        return list(OF_ALL_GAMES)
    styles = [f"learned:{style}" for style in game.mind.styles if style]
    silent = [name for name in SIMPLE if name not in OF_ALL_GAMES] if game.desk else []
    return [*LEVELS, *OF_ALL_GAMES, *silent, "learned", *styles]


def open_bot(spec: str, game: Game) -> str:
    """The bot that plays for one of an old match which strangers may no longer choose."""
    allowed = open_bots(game)
    if spec in allowed:
        return spec
    usual = ["consul"] if spec.startswith("deep") else ["eques"]
    return next((name for name in usual if name in allowed), "greedy")


def _learned(rest: str) -> Bot:
    """`learned` with any of these parts: `:STYLE`, `:error=PERCENT`, `:FILE.npz`; `gentle` is each game's own."""
    style, error, path = "", 0.0, ""
    for part in filter(None, rest.split(":")):
        if found := re.fullmatch(r"error=(\d+(?:\.\d+)?)", part):
            error = float(found[1]) / 100
        elif _FILE.search(part):
            path = part
        elif re.fullmatch(r"[a-z-]+", part):
            style = part
        else:
            right = "learned, learned:STYLE, learned:error=PERCENT and learned:FILE.npz"
            raise BadOption(f"learned:{rest} is no bot; right are {right}")
    return Bot("", think=lambda game, known, rng: learned.choose(game, known, rng, style, error, path), error=error)


def budget(rest: str, default: str) -> tuple[int, float]:
    """How much a bot may think: `400` (playouts), `400ms` or `1.5s`. One of the two numbers is 0."""
    found = re.fullmatch(r"(\d+)|(\d+)ms|(\d+(?:\.\d+)?)s", rest or default)
    if not found or not any(float(number or 0) for number in found.groups()):
        raise BadOption(f"{rest!r} is no time to think; right are 400 (playouts), 400ms and 1.5s")
    playouts, milliseconds, seconds = found.groups()
    return int(playouts or 0), float(seconds or 0) + float(milliseconds or 0) / 1000


def _flat(rest: str) -> Bot:
    playouts, seconds = budget(rest, "200")
    if seconds:
        raise BadOption(f"flat:{rest} is no bot; flat counts playouts, such as flat:200")
    return Bot("", think=lambda game, known, rng: search.flat(game, known, playouts, rng))


def _search(rest: str) -> Bot:
    visits, seconds = budget(rest, "400")
    return Bot("", think=lambda game, known, rng: search.tree(game, known, rng, visits or None, seconds or None))


def _deep(rest: str) -> Bot:
    playouts, seconds = budget(rest, "1s")
    return Bot("", think=lambda game, known, rng: deep.choose(game, known, rng, playouts, seconds))
