"""`rostra harness`: measure agents that read and write words, among our bots."""

import argparse
from pathlib import Path

from rostra.cli.arguments import Commands, add_command, add_options, load_game, options_of, whole

EXAMPLES = """examples:
  rostra harness quovadis --players my_module:my_agent,learned,eques --games 5
                                                     in the file my_module.py: def my_agent(prompt): return answer
  rostra harness alea --players random-words,words:greedy,learned --games 20 --out table.csv"""


def add(commands: Commands) -> None:
    """Declare the command."""
    summary = "let agents that read and write words play, among bots as anchors"
    parser = add_command(commands, "harness", run, summary, EXAMPLES)
    parser.add_argument("game", help="which game: alea or quovadis")
    players = (
        "one for each seat, separated by commas: module:name of a function(prompt), words:BOT and random-words "
        "(scripted agents), or a bot"
    )
    parser.add_argument("--players", required=True, help=players)
    parser.add_argument("--games", type=whole, default=1, help="number of seeds, each in all seat orders (default: 1)")
    parser.add_argument("--seed", type=whole, default=0, help="a whole number from 0 (default: 0)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the whole table: .csv, .parquet or .arrow")
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Play, print a summary, write the table."""
    from tqdm import tqdm

    from rostra.agents import harness
    from rostra.study.columns import columns
    from rostra.study.tables import check_file

    if args.out:
        check_file(args.out)
    game = load_game(args.game, thinking=True)
    players = [harness.player(word) for word in args.players.split(",")]
    with tqdm(total=args.games * len(players), unit=" games", disable=None, leave=False) as bar:
        table = harness.run(game, players, args.games, seed=args.seed, options=options_of(args), progress=bar.update)
    print(*columns(harness.summary(table)), sep="\n")
    if args.out:
        table.save(args.out)
        print(f"table in {args.out}")
    return 0
