"""What a game gets for the parts that it does not bring.

Compiled defaults are plain functions over `verbs`, the game's own compiled functions, and are bound to the game's
record with `jit.bind`, as all loops are.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from rostra.engine.game import (
    CHANCE,
    OVER,
    POINTS,
    BadGame,
    BadNotation,
    Game,
    IllegalMove,
    MatchOver,
    Notation,
    Rules,
)
from rostra.engine.jit import Array, State, bind
from rostra.engine.rng import RNG, below

MOVES = [np.int32]
verbs: Any = None
"""Stands for the compiled functions of a game, see `jit.bind`."""


def facets(game: Game) -> dict[str, Any]:
    """The facets of a game with all defaults filled in, by name."""
    rules = game.rules
    knowledge = _filled(game.knowledge, _knowledge(game))
    return {
        "notation": _filled(game.notation, _notation(rules, game.notation)),
        "knowledge": knowledge,
        "screen": _filled(game.screen, _screen(game, rules)),
        "play": _filled(game.play, _play(rules)),
    }


def _filled(facet: Any, found: dict[str, Callable[[], Any]]) -> Any:
    missing = {name: make() for name, make in found.items() if getattr(facet, name) is None}
    return dataclasses.replace(facet, **missing) if missing else facet


# Notation.


def _notation(rules: Rules, notation: Notation) -> dict[str, Callable[[], Any]]:
    def texts(s: State) -> dict[str, int]:
        out = np.empty(rules.max_legal, np.int32)
        return {notation.text(s, move): move for move in out[: rules.legal(s, out)].tolist()}

    def parse(s: State, text: str) -> int:
        if rules.turn(s) == OVER:
            raise MatchOver("the game is over")
        if not isinstance(text, str) or text != text.strip() or not text:
            raise BadNotation(f"{text!r} is no move")
        known = texts(s)
        if text not in known:
            raise IllegalMove(f"{text!r} is not legal now")
        return known[text]

    def pool(s: State) -> list[str]:
        known = texts(s)
        odds = [rules.odds(s, move) for move in known.values()]
        if max(odds) - min(odds) > 1e-9:
            raise BadGame(f"{rules.name} has outcomes that are not equally likely: it needs Notation.pool")
        return sorted(known)

    return {
        "parse": lambda: parse,
        "reread": lambda: parse if notation.parse is None else notation.parse,
        "pool": lambda: pool,
    }


# Knowledge: everybody knows everything.


def _redeal(s: State, seat: int, rng: Array) -> None:
    return


def _hides(s: State, move: int, seat: int) -> int:
    return 0


def _observe(s: State, seat: int, out: Array) -> None:
    return


def _knowledge(game: Game) -> dict[str, Callable[[], Any]]:
    rules, knowledge = game.rules, game.knowledge
    for name in ("redeal", "hides") if knowledge.secret else ():
        if getattr(knowledge, name) is None:
            raise BadGame(f"{rules.name} has secrets: it needs Knowledge.{name}")
    if knowledge.secret and game.screen.view is None:
        raise BadGame(f"{rules.name} has secrets: it needs Screen.view, because the default shows everything")
    if knowledge.planes and knowledge.observe is None:
        raise BadGame(f"{rules.name} names planes of an observation: it needs Knowledge.observe")

    def bound(function: Any, result: Any, *arguments: Any) -> Callable[[], Any]:
        return lambda: bind(function, rules.name, {"turn": rules.turn}, result, rules.state, *arguments)

    return {
        "redeal": bound(_redeal, None, int, RNG),
        "hides": bound(_hides, int, int, int),
        "observe": bound(_observe, None, int, [np.float32]),
    }


# Play.


def _evaluate(s: State, seat: int) -> float:
    out = np.zeros((3, s.n), np.int32)
    verbs.score(s, out)
    best = -1000000
    for other in range(s.n):
        if other != seat:
            best = max(best, int(out[POINTS, other]))
    return float(out[POINTS, seat]) - (best if s.n > 1 else 0)


def _random_move(s: State, out: Array, rng: Array) -> int:
    return int(out[below(rng, verbs.legal(s, out))])


def _talks(s: State, move: int) -> int:
    return 0


def _stream(s: State) -> int:
    return -1


def _pause(s: State) -> int:
    return 0


def _tally(s: State, out: Array) -> None:
    return


def _play(rules: Rules) -> dict[str, Callable[[], Any]]:
    own = {"turn": rules.turn, "legal": rules.legal, "score": rules.score}

    def bound(function: Any, result: Any, *arguments: Any) -> Callable[[], Any]:
        return lambda: bind(function, rules.name, own, result, rules.state, *arguments)

    return {
        "evaluate": bound(_evaluate, float, int),
        "random_move": bound(_random_move, int, MOVES, RNG),
        "talks": bound(_talks, int, int),
        "stream": bound(_stream, int),
        "pause": bound(_pause, int),
        "tally": bound(_tally, None, MOVES),
    }


# Screen: all fields of the record.


def _screen(game: Game, rules: Rules) -> dict[str, Callable[[], Any]]:
    def view(s: State, seat: int | None) -> dict[str, Any]:
        turn = rules.turn(s)
        who = {CHANCE: "chance", OVER: "over"}.get(turn, turn)
        fields = {name: np.asarray(s[name]).tolist() for name in rules.state.names or ()}
        return {"game": rules.name, "seat": seat, "turn": who, **fields}

    def diagram(s: State, seat: int | None) -> str:
        seen = game.screen.view(s, seat)
        items = msgspec.to_builtins(seen).items()
        return "".join(f"{name}: {value}\n" for name, value in items)

    def explain(s: State, move: int) -> str:
        return game.notation.text(s, move)

    def paths(s: State) -> list[list[tuple[str, ...]]]:
        return [[(text,)] for text in game.legal_texts(s)]

    return {"view": lambda: view, "diagram": lambda: diagram, "explain": lambda: explain, "paths": lambda: paths}
