"""The command `rostra`. Each command is a module that declares its arguments (`add`) and carries it out (`run`).

The modules import the engine only inside `run`, so that `rostra --version` starts as fast as Python itself.
Exit codes: 0 success, 1 bad input (reported on the error stream), 2 bad command line, 130 interrupted.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from rostra import __version__
from rostra.cli import (
    admin,
    analyse,
    arena,
    backup,
    bench,
    harness,
    join,
    mcp,
    play,
    replay,
    score,
    serve,
    simulate,
    train,
    verify,
)
from rostra.extras import MissingExtra

COMMANDS = (
    play, simulate, arena, train, replay, analyse, verify, score, serve, join, mcp, harness, admin, backup, bench,
)  # fmt: skip
"""In the order of `rostra --help`."""
EXAMPLES = """examples:
  rostra play alea                                   a game in the terminal
  rostra simulate alea --seats 2 --bots greedy,random --games 1000
  rostra replay FILE --legal                         check a transcript and list the legal moves
  rostra analyse FILE --html review.html             luck, skill and mistakes of a finished game
  rostra score tableaux.jsonl                        the exact final score of tableaux"""

FIRST_STEPS = f"""Rostra {__version__}: the Roman board games Alea Iacta Est and Quo Vadis?

  rostra serve                   play in the browser: open the address that it prints
  rostra serve --host 0.0.0.0    the same for friends in your network
  rostra play alea               play Alea Iacta Est in the terminal, against a bot
  rostra play quovadis           play Quo Vadis? in the terminal, against bots
  rostra simulate alea --seats 2 --bots greedy,random --games 1000
                                 let bots play many games, and see who wins

`rostra --help` lists all commands, `rostra COMMAND --help` explains one."""
"""The answer to `rostra` without a command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a player's name must not crash an ASCII terminal
    try:
        return _run(arguments)
    except OSError as error:
        # Nothing more can be written. Without this, Python would complain about it again while shutting down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader of our output has stopped reading
            return 0
        print(f"rostra: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _run(arguments: Sequence[str] | None) -> int:
    try:
        parser = _parser()
        args = parser.parse_args(arguments)
        if args.run is None:
            print(FIRST_STEPS)
            return 0
        from rostra.engine.game import BadOption, RostraError

        try:
            return int(args.run(args))
        except (RostraError, MissingExtra) as error:
            print(f"rostra {args.command}: {error}", file=sys.stderr)
            return 2 if isinstance(error, BadOption | MissingExtra) else 1
    finally:
        sys.stdout.flush()  # here, because `main` handles a closed pipe


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rostra",
        description="Alea Iacta Est and Quo Vadis?: play, simulate, score.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"rostra {__version__}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser
