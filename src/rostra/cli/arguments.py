"""What several commands share: common arguments, reading a file, loading a game, text for intervals."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Commands = Any
"""What `add_subparsers` returns; argparse keeps its type private."""


def add_command(
    commands: Commands, name: str, run: Callable[[argparse.Namespace], int], summary: str, examples: str
) -> argparse.ArgumentParser:
    """A parser for one command, with its summary above its arguments and its examples below them."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def add_game(parser: argparse.ArgumentParser) -> None:
    """The arguments that say which game is played, by how many."""
    parser.add_argument("game", help="which game: alea or quovadis")
    parser.add_argument("--seats", type=int, required=True, help="number of players")


def add_file(parser: argparse.ArgumentParser) -> None:
    """The argument that names a transcript."""
    parser.add_argument("file", help="a .game file, or - for standard input")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The argument for rule options, which `options_of` reads."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a rule option, such as voluntary_latrina=on or start_seat=0; can be repeated",
    )


def add_workers(parser: argparse.ArgumentParser) -> None:
    """The argument for the number of threads."""
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="threads (default: all cores)")


def add_scale(parser: argparse.ArgumentParser) -> None:
    """The arguments for long runs."""
    cluster = "play on the Ray cluster at ADDRESS; local: start one of --workers processes on this machine"
    parser.add_argument("--ray", metavar="ADDRESS", help=cluster)
    journal = "keep what is done in FILE: the same command, repeated, goes on where it was stopped"
    parser.add_argument("--resume", type=Path, metavar="FILE", help=journal)


def whole(text: str) -> int:
    """The type of a seed or a number of games."""
    if not text.isascii() or not text.isdigit() or int(text) >= 2**62:
        raise argparse.ArgumentTypeError(f"a whole number from 0 to 2**62 - 1, not {text!r}")
    return int(text)


def options_of(args: argparse.Namespace) -> dict[str, str]:
    """The rule options that were chosen."""
    from rostra.engine.game import BadOption

    options: dict[str, str] = {}
    for word in args.option:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadOption(f"an option is written name=value, not {word!r}")
        options[name] = value
    return options


def read_text(file: str) -> str:
    """The content of a file, or of standard input for `-`."""
    from rostra.engine.game import BadNotation

    if file == "-" and sys.stdin is None:
        raise BadNotation("cannot read -: standard input is closed")
    try:
        return (sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()).decode("utf-8")
    except OSError as error:
        raise BadNotation(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadNotation(f"cannot read {file}: it is not UTF-8 text") from error


def load_game(name: str, thinking: bool = False) -> Any:
    """The game of this name, compiled; with `thinking`, also what its learned bots need."""
    from rostra import bots
    from rostra.engine import loops
    from rostra.games import find_game

    game = find_game(name)
    (bots if thinking else loops).prepare(game)
    return game


def make_folder(folder: Path) -> None:
    """Create a folder for results; BadOption where nothing can be written to it."""
    from rostra.engine.game import BadOption

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOption(f"cannot make the folder {folder}: {error.strerror}") from error
    if not os.access(folder, os.W_OK):
        raise BadOption(f"cannot write into the folder {folder}")


def half_text(estimate: Any, factor: int, digits: int) -> str:
    """Half the width of an interval; a single game has none."""
    return "-" if estimate.half is None else f"{factor * estimate.half:.{digits}f}"
