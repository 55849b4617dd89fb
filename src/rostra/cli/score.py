"""`rostra score`: final tableaux of Alea Iacta Est. The one command that belongs to a single game."""

import argparse
import json

from rostra.cli.arguments import Commands, add_command, load_game, read_text

EXAMPLES = """example:
  echo '{"provinces":["R3"],"patricians":["Rw3","Rm1"],"senate":["V"],"fortuna":[2],"chips":5}' | rostra score -"""


def add(commands: Commands) -> None:
    """Declare the command."""
    summary = "score final tableaux of Alea Iacta Est exactly, JSON lines in and out"
    parser = add_command(commands, "score", run, summary, EXAMPLES)
    parser.add_argument("file", help="a file of JSON lines, or - for standard input")


def run(args: argparse.Namespace) -> int:
    """Print the exact score of every tableau."""
    from rostra.engine.game import BadNotation, RostraError
    from rostra.games.alea.tableau import score_tableau

    load_game("alea")
    for number, line in enumerate(read_text(args.file).splitlines(), 1):
        if not line.strip():
            continue
        try:
            print(json.dumps(score_tableau(json.loads(line))))
        except json.JSONDecodeError as error:
            raise BadNotation(f"line {number}: not JSON ({error.msg} at column {error.colno})") from error
        except RostraError as error:
            raise type(error)(f"line {number}: {error}") from error
        except ValueError as error:  # Python's own limit on digits
            raise BadNotation(f"line {number}: not JSON ({error})") from error
        except RecursionError as error:
            raise BadNotation(f"line {number}: not a tableau (nested too deeply)") from error
    return 0
