"""`rostra simulate`: play many games at one table of bots."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rostra.cli.arguments import (
    Commands,
    add_command,
    add_game,
    add_options,
    add_scale,
    add_workers,
    half_text,
    load_game,
    make_folder,
    options_of,
    whole,
)

EXAMPLES = """examples:
  rostra simulate alea --seats 2 --bots random,random --games 100000
  rostra simulate alea --seats 4 --bots greedy,random,random,random --games 500 --rotate
  rostra simulate alea --seats 3 --bots greedy,greedy,random --games 10 --seed 7 --keep games"""


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "simulate", run, "play many games between bots", EXAMPLES)
    add_game(parser)
    bots = "one for each seat, separated by commas: random, greedy, flat:200, search:400, learned, deep:1s"
    parser.add_argument("--bots", required=True, help=bots)
    parser.add_argument("--games", type=int, default=100, help="number of games (with --rotate: of seeds)")
    parser.add_argument("--seed", type=whole, default=0, help="a whole number from 0 (default: 0)")
    parser.add_argument("--rotate", action="store_true", help="play every seed in all seat orders")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep transcripts as DIR/000001.game ...")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write a row for each game and seat: .csv or .parquet")
    add_workers(parser)
    add_scale(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Play the games, keep transcripts if asked, and print the results."""
    from tqdm import tqdm

    from rostra.bots import make_bot
    from rostra.engine.game import BadOption
    from rostra.extras import need
    from rostra.study.simulate import Interrupted, simulate
    from rostra.study.tables import check_file

    if args.ray:
        need("ray", "Ray")  # said before anything is compiled
    if args.out:
        check_file(args.out)
    game, options = load_game(args.game), options_of(args)
    bots = [make_bot(name) for name in args.bots.split(",")]
    game.check_seats(args.seats)
    if len(bots) != args.seats:
        right = ",".join(["random"] * args.seats)
        raise BadOption(f"{args.seats} seats need {args.seats} bots, not {len(bots)}, such as --bots {right}")
    if args.keep:
        make_folder(args.keep)
    total = args.games * (args.seats if args.rotate else 1)
    # disable=None: show a bar only on a terminal
    stopped = False
    with tqdm(total=total, unit=" games", disable=None, leave=False) as bar:
        try:
            simulation = simulate(
                game,
                bots,
                args.games,
                seed=args.seed,
                rotate=args.rotate,
                workers=args.workers,
                options=options,
                ray=args.ray,
                journal=args.resume,
                progress=bar.update,
            )
        except Interrupted as error:
            simulation, stopped = error.simulation, True
    if stopped:
        print(f"rostra simulate: stopped after {simulation.n_games} of {total} games", file=sys.stderr)
    if args.keep:
        _keep(simulation, options, args.keep)
    if args.json:
        print(json.dumps(_summary(args, simulation, options)))
    else:
        _print_results(args, simulation)
    if args.out:
        simulation.table().save(args.out)
    return 130 if stopped else 0


def _keep(simulation: Any, options: Mapping[str, str], folder: Path) -> None:
    """Write every game as a transcript; files of an earlier run are reported, not deleted."""
    from tqdm import tqdm

    from rostra.play.transcript import write
    from rostra.study.simulate import transcripts

    games, total = transcripts(simulation, dict(options)), simulation.n_games
    for number, transcript in enumerate(tqdm(games, total=total, unit=" files", disable=None, leave=False), 1):
        (folder / f"{number:06}.game").write_text(write(transcript), encoding="utf-8")
    stale = len(list(folder.glob("*.game"))) - total
    if stale > 0:
        print(f"rostra simulate: {folder} also holds {stale} transcripts of an earlier run", file=sys.stderr)


def _summary(args: argparse.Namespace, simulation: Any, options: Mapping[str, str]) -> dict[str, Any]:
    return {
        "game": simulation.game.name,
        "seats": args.seats,
        "games": simulation.n_games,
        "seed": args.seed,
        "options": simulation.game.all_options(options),
        "rotate": args.rotate,
        "players": [
            {
                "bot": bot.name,
                "wins": simulation.share(seat)._asdict(),
                "points": simulation.points(seat)._asdict(),
            }
            for seat, bot in enumerate(simulation.bots)
        ],
        "decided": simulation.decided(),
        "tallies": {name: counted._asdict() for name, counted in simulation.counted().items()},
        "decisions": simulation.decisions,
        "digest": simulation.digest,
    }


def _print_results(args: argparse.Namespace, simulation: Any) -> None:
    from rostra.study.columns import columns

    game, bots = simulation.game, simulation.bots
    orders = f" ({simulation.results.shape[1]} seeds in {args.seats} seat orders)" if args.rotate else ""
    print(f"{game.title}, {args.seats} players, {simulation.n_games} games{orders}, seed {args.seed}")
    rows = [["bot", "wins %", "+-", "points", "+-"]]
    for seat, bot in enumerate(bots):
        wins, points = simulation.share(seat), simulation.points(seat)
        shown = f"{100 * wins.mean:.1f}", half_text(wins, 100, 1), f"{points.mean:.2f}", half_text(points, 1, 2)
        rows.append([bot.name, *shown])
    for name, number in Counter(bot.name for bot in bots).items():
        if 1 < number < len(bots):
            wins = simulation.share_of(name)
            rows.append([f"all {number} {name}", f"{100 * wins.mean:.1f}", half_text(wins, 100, 1), "", ""])
    print(*columns(rows), sep="\n")
    if game.play.tallies:
        counted = simulation.counted().items()
        print("per game: " + ", ".join(f"{mean.mean:.2f} {name}" for name, mean in counted))
    if simulation.decided() < 1:
        print(f"decided (somebody won): {100 * simulation.decided():.1f} % of the games")
    print(f"95 % intervals; {simulation.decisions} decisions; digest of all results {simulation.digest}")
    if args.keep:
        print(f"transcripts in {args.keep}")
