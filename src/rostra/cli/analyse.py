"""`rostra analyse`: review a finished game."""

import argparse
from pathlib import Path

from rostra.cli.arguments import Commands, add_command, add_file, load_game, read_text

EXAMPLES = """examples:
  rostra analyse 000001.game                         chances, luck and skill, the largest mistakes
  rostra analyse 000001.game --html review.html --lang de
  rostra analyse 000001.game --json --seat 0"""


def add(commands: Commands) -> None:
    """Declare the command."""
    summary = "review a finished game: chances to win, luck and skill, mistakes"
    parser = add_command(commands, "analyse", run, summary, EXAMPLES)
    add_file(parser)
    parser.add_argument("--seat", type=int, metavar="N", help="only the mistakes of this seat (the first is 0)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.add_argument("--html", type=Path, metavar="OUT", help="write a page for the browser")
    parser.add_argument("--plot", type=Path, metavar="OUT", help="draw the chances to win, as OUT.png or OUT.svg")
    parser.add_argument("--lang", default="en", help="the language: en or de (default: en)")


def run(args: argparse.Namespace) -> int:
    """Review the game and write what was asked for."""
    import msgspec

    from rostra.engine.game import BadOption
    from rostra.play.transcript import read
    from rostra.study import plots, report
    from rostra.study.analyse import analyse
    from rostra.words import words

    words(args.lang)  # report an unknown language before the work begins
    transcript = read(read_text(args.file))
    seats = len(transcript.seats)
    if args.seat is not None and args.seat not in range(seats):
        raise BadOption(f"the seats are 0 to {seats - 1}, not {args.seat}")
    if args.plot is not None:
        plots.check_file(args.plot)
    load_game(transcript.game, thinking=True)
    review = analyse(transcript)
    if args.seat is not None:
        review.mistakes = [one for one in review.mistakes if one.seat == args.seat]
        review.missed = [one for one in review.missed if one.seat == args.seat]
    if args.html is not None:
        args.html.write_text(report.page(review, transcript, args.lang), encoding="utf-8")
    if args.plot is not None:
        plots.draw_chances(review, transcript.seats, args.plot)
    if args.json:
        print(msgspec.json.encode(review).decode())
    else:
        print("\n".join(report.text(review, transcript, args.lang)))
    return 0
