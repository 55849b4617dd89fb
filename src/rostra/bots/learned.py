"""Bots that have learned: a net values every move, and the bot plays the best one, or nearly the best.

A level is a number: how much winning chance the bot loses per decision. Moves are drawn with probabilities that fall
with their loss (a softmax), just steeply enough that the expected loss is that number, so bad blunders stay rare. There
is one net for each number of players, in `rostra/bots/weights`, made by `rostra train`.
"""

import functools
import os
import threading
import zipfile
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rostra.engine.game import BadOption, Game, did_you_mean
from rostra.engine.jit import Array, State
from rostra.engine.mind import Mind
from rostra.engine.net import HIDDEN, NARROW, WIDE, forward, logistic, n_weights
from rostra.engine.rng import below

GENTLE = "gentle"
"""The style of the gentlest level, which is each game's own (`Mind.gentle`)."""
ROUGH = 1 << 30
"""Resolution with which chances are drawn."""


class Weighed(NamedTuple):
    """The legal moves of a decision and what each is worth, about a chance to win."""

    moves: Array
    values: Array


class _Scratch(threading.local):
    """The scratch arrays of each thread, by game."""

    def __init__(self) -> None:
        self.of: dict[Game, tuple[Array, Array, Array, Array]] = {}

    def get(self, game: Game) -> tuple[Array, Array, Array, Array]:
        """States, buffer, values, and the integers for `Mind.n_work`."""
        if game not in self.of:
            buffer, values = np.empty(game.rules.max_legal, np.int32), np.empty(game.rules.max_legal)
            self.of[game] = np.zeros(8, game.rules.state), buffer, values, np.zeros(mind_of(game).n_work, np.int64)
        return self.of[game]


_scratch = _Scratch()


def mind_of(game: Game) -> Mind:
    """The mind of a game, which not every game has."""
    if game.mind is None:
        raise BadOption(f"nobody has learned {game.title}; its bots are random and greedy")
    return game.mind


def weights(game: Game, n_seats: int, path: str = "") -> Array:
    """The net for this number of players: from a file that `rostra train` wrote, or the one we ship."""
    try:
        changed = os.stat(path).st_mtime_ns if path else 0
    except (OSError, ValueError):
        changed = 0
    return _read(game, n_seats, path, changed)


@functools.lru_cache(64)
def _read(game: Game, n_seats: int, path: str, changed: int) -> Array:
    """Read a net; a file that has changed since is read again."""
    mind = mind_of(game)
    file = Path(path) if path else resources.files("rostra.bots") / "weights" / f"{game.name}-{n_seats}.npz"
    train = f"rostra train {game.name} --seats {n_seats} --weights FILE"
    if not file.is_file():
        missing = f"there is no file {path}" if path else f"nobody has learned {game.title} with {n_seats} players"
        raise BadOption(f"{missing}: {train} makes one")
    try:
        with file.open("rb") as opened, np.load(opened) as stored:
            # A training that was saved on its way has the average that `export` would write.
            kept = np.where(stored["square"] > 0, stored["average"], 0) if "average" in stored else stored["net"]
            net: Array = kept.astype(np.float32)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise BadOption(f"{file} does not hold the weights of a net: {train} makes such a file") from error
    if len(net) != n_weights(mind.n_inputs):
        raise BadOption(f"the weights in {file} are for other inputs: {train} makes new ones")
    return net


def style_of(game: Game, name: str) -> Array:
    """The numbers of a style."""
    styles = mind_of(game).styles
    if name not in styles:
        known = [style for style in styles if style]
        raise BadOption(f"learned has no style {name!r}{did_you_mean(name, known)}; it has {', '.join(known)}")
    return np.array(styles[name], np.float64)


def weigh(game: Game, known: State, style: str = "", path: str = "") -> Weighed:
    """What every legal move is worth to the deciding seat, which knows this state; see `weights`."""
    states, buffer, values, work = _scratch.get(game)
    states[0] = known
    net = weights(game, int(known.n), path)
    n = mind_of(game).weigh(states, net, style_of(game, style), buffer, values, work)
    return Weighed(buffer[:n].copy(), values[:n].copy())


def expected(game: Game, known: State) -> float:
    """The expected value of the coming roll for the seat that rolls, where a game has rolls."""
    states, buffer, _, work = _scratch.get(game)
    states[0] = known
    expect = mind_of(game).expect
    if expect is None:
        raise BadOption(f"{game.title} has no rolls to expect something of")
    return float(expect(states, weights(game, int(known.n)), style_of(game, ""), buffer, work))


def choose(game: Game, known: State, rng: Array, style: str = "", error: float = 0.0, path: str = "") -> int:
    """The best move, or one that loses `error` of winning chance on average; see `weights`.

    Nobody errs in the terms of a draft: they are one decision, and any but the next of the plan would be nonsense. A
    gentle player does not err in answers either, where the game has a style for it.
    """
    gentle = style == GENTLE
    if gentle:
        style, factor = mind_of(game).gentle
        error *= factor
    if error and game.desk and game.desk.draft(known) and ((gentle and style) or not _answers(game, known)):
        error = 0.0
    moves, values = weigh(game, known, style, path)
    if error == 0:
        return int(moves[np.argmax(values)])
    drawn = np.searchsorted(np.cumsum(blunders(values, error)), below(rng, ROUGH) / ROUGH, side="right")
    return int(moves[min(int(drawn), len(moves) - 1)])


def _answers(game: Game, s: State) -> bool:
    """Whether the deciding seat answers an open draft, and does not draft itself."""
    return any(game.play.talks(s, move) for move in game.legal_moves(s))


def blunders(values: Array, error: float) -> Array:
    """The probability of each move for a player that loses `error` on average; where uniform play loses less, all are
    equal."""
    loss = np.minimum(values.max() - values, 1.0)
    if loss.mean() <= error:
        return np.full(len(values), 1 / len(values))
    low, high = -2.0, 6.0  # the steepness as a power of ten, found by halving: the expected loss falls with it
    for _ in range(40):
        weight = np.exp(-(10 ** ((low + high) / 2)) * loss)
        weight /= weight.sum()
        if weight @ loss > error:
            low = (low + high) / 2
        else:
            high = (low + high) / 2
    return np.asarray(weight)


def heads(game: Game, s: State, seat: int) -> dict[str, float]:
    """What the net predicts for a seat in this state, by the names of `Mind.heads`; the first is its chance to win."""
    mind = mind_of(game)
    inputs, hidden = np.zeros(mind.n_inputs, np.float32), np.zeros(HIDDEN, np.float32)
    mind.features(s, seat, inputs, _scratch.get(game)[3])
    forward(weights(game, int(s.n)), inputs, hidden)
    told: list[float] = hidden[WIDE + NARROW :].tolist()
    return {name: logistic(told[0]) if i == 0 else told[i] for i, name in enumerate(mind.heads)}


def worth_of(game: Game, s: State, seat: int) -> float:
    """How good this state is for a seat, as `weigh` would say."""
    told = [*heads(game, s, seat).values()]
    return told[0] + mind_of(game).ambition * told[1]


def chances(game: Game, s: State) -> list[float]:
    """Everybody's chance to win, adding up to 1, estimated from this state."""
    raw: Any = np.array([next(iter(heads(game, s, seat).values())) for seat in range(int(s.n))])
    return (raw / raw.sum()).tolist()  # type: ignore[no-any-return]  # a list of floats
