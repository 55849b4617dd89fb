"""Bots that users write: functions from what a seat sees and its legal moves to a move, found by `module:name`."""

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from rostra.engine.game import BadNotation, BadOption, Game, RostraError, shortened
from rostra.engine.jit import Array, State

Choose = Callable[[dict[str, Any], list[str]], str]
"""choose(view, legal): one of the legal moves, as text. The view is what `Match.view` shows the seat."""
WORD = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def name_of(choose: Choose) -> str:
    """The name of a function, or of the class of an object that can be called."""
    if not callable(choose):
        raise BadOption(f"a bot is a word such as 'learned', a Bot, or a function(view, legal), not {choose!r}")
    return str(getattr(choose, "__name__", type(choose).__name__))


def thinking(choose: Choose) -> Callable[[Game, State, Array], int]:
    """A function on views and texts as one on records and ints."""

    def think(game: Game, known: State, rng: Array) -> int:
        moves = game.legal_moves(known)
        texts = [game.notation.text(known, move) for move in moves]
        view = msgspec.to_builtins(game.screen.view(known, game.rules.turn(known)))
        said = choose(view, [*texts])
        if said in texts:
            return moves[texts.index(said)]
        who = f"the bot {name_of(choose)} chose {said!r:.80}"
        if not isinstance(said, str):
            raise BadNotation(f"{who}, but a move is a text; legal: {shortened(texts)}")
        try:
            return game.notation.parse(known, said)
        except RostraError as error:
            raise type(error)(f"{who}: {error}; legal: {shortened(texts)}") from error

    return think


def load(word: str) -> Any:
    """What `module:name` names; modules in the current folder are found too."""
    module, _, name = word.partition(":")
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        raise BadOption(f"the bot {word} cannot be loaded: {error}") from error
    finally:
        if here in sys.path:
            sys.path.remove(here)
    if not hasattr(found, name):
        raise BadOption(f"the bot {word} cannot be loaded: {module} has no {name!r}")
    return getattr(found, name)
