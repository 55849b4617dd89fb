"""`rostra verify`: check the dice of a finished match against its committed seed."""

import argparse
import contextlib
import json

from rostra.cli.arguments import Commands, add_command, add_file, load_game, read_text

EXAMPLES = """examples:
  rostra verify 000001.game                          a match played live, after its end
  curl -s https://HOST/api/matches/ID/transcript | rostra verify -"""


def add(commands: Commands) -> None:
    """Declare the command."""
    summary = "check that the dice of a finished match follow from its committed seed"
    parser = add_command(commands, "verify", run, summary, EXAMPLES)
    add_file(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of sentences")


def run(args: argparse.Namespace) -> int:
    """Verify the transcript and print what was checked."""
    from rostra.engine.game import RostraError
    from rostra.play.transcript import read
    from rostra.play.verify import Refused, verify

    text = read_text(args.file)
    with contextlib.suppress(RostraError):  # `verify` reports a transcript that cannot be read
        load_game(read(text).game)
    try:
        found = verify(text)
    except Refused as error:
        if not args.json:
            raise
        why = {"line": error.line, "ply": error.ply, "found": error.found, "expected": error.expected}
        print(json.dumps({"ok": False, "error": str(error), **why}))
        return 1
    if args.json:
        print(json.dumps({"ok": True, **found._asdict()}))
        return 0
    print(f"{found.game}, match {found.match}, end: {found.end}")
    undone = f" (including undone plies; undos: {found.undos})" if found.undos else ""
    derived = f"{found.outcomes} chance outcomes derived from the seed"
    print(f"{found.plies} plies legal, {derived}, the commitment matches{undone}")
    print(f"compare with what you were shown before play:\n  commitment {found.commit}")
    for seat, contribution in found.entropy:
        print(f"  contribution of seat {seat} {contribution}")
    if not found.entropy:
        print("  no seat contributed")
    return 0
