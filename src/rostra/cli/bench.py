"""`rostra bench`: the speed of this machine and program."""

import argparse

from rostra.cli.arguments import Commands, add_command

EXAMPLES = """examples:
  rostra bench
  rostra bench --peers                               beside other engines (pip install 'rostra[bench]')"""


def add(commands: Commands) -> None:
    """Declare the command."""
    summary = "measure the speed of this machine and program, as ratios"
    parser = add_command(commands, "bench", run, summary, EXAMPLES)
    parser.add_argument("--peers", action="store_true", help="measure other engines in the same run")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    from rostra.study.bench import run as measure

    return measure(peers=args.peers, as_json=args.json)
