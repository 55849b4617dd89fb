"""`rostra arena`: compare bots by playing every pair of them."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rostra import __version__
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
  rostra arena alea --seats 2 --bots greedy,random --blocks 100
  rostra arena quovadis --seats 3 --bots greedy,greedy:deals=off,random --blocks 200 --out results
  rostra arena alea --seats 2 --bots greedy,random --blocks 5000 --sprt 0,20
  rostra arena alea --seats 4 --bots greedy,random --blocks 100000 --ray auto"""


def add(commands: Commands) -> None:
    """Declare the command."""
    summary = "measure bots against each other: cross-play, ratings, a sequential test"
    parser = add_command(commands, "arena", run, summary, EXAMPLES)
    add_game(parser)
    parser.add_argument("--bots", required=True, help="the bots to compare, separated by commas")
    parser.add_argument(
        "--blocks", type=int, default=100, help="seeds for each pair, in all seat orders (default: 100)"
    )
    parser.add_argument("--seed", type=whole, default=0, help="a whole number from 0 (default: 0)")
    test = "stop a pair once the first bot is shown to be better by HIGH Elo, or by no more than LOW"
    parser.add_argument("--sprt", type=_bounds, metavar="LOW,HIGH", help=test)
    parser.add_argument("--out", type=Path, metavar="DIR", help="write results.json and plots (PNG, SVG) to DIR")
    add_workers(parser)
    add_scale(parser)
    parser.add_argument("--json", action="store_true", help="print the results file instead of tables")
    add_options(parser)


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"two Elo numbers, the lower one first, such as 0,20, not {text!r}") from None
    return low, high


def run(args: argparse.Namespace) -> int:
    """Play every pair, write and print the results; exit code 1 when a control failed."""
    from rostra.bots import make_bot
    from rostra.extras import installed, need
    from rostra.study import plots

    if args.ray:
        need("ray", "Ray")  # said before anything is compiled
    game, options = load_game(args.game), options_of(args)
    bots = [make_bot(name) for name in args.bots.split(",")]
    if args.out:
        make_folder(args.out)
        if not installed("study"):  # said before hours of play
            print("rostra arena: there will be no plots; for plots: pip install 'rostra[study]'", file=sys.stderr)
    found = _cross_play(args, game, bots, options)
    results = found.document()
    if args.out:
        (args.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
        if installed("study"):
            plots.draw_matrix(results, args.out)
            plots.draw_ratings(results, args.out)
    if args.json:
        print(json.dumps(results))
    else:
        _print_results(found, results)
        if args.out:
            print(f"results in {args.out}")
    for failure in found.failures():
        print(f"rostra arena: a control failed, do not trust these results: {failure}", file=sys.stderr)
    return 1 if found.failures() else 0


def _cross_play(args: argparse.Namespace, game: Any, bots: list[Any], options: dict[str, str]) -> Any:
    """Play with a progress bar."""
    from tqdm import tqdm

    from rostra.study.arena import cross_play

    with tqdm(unit=" games", disable=None, leave=False) as bar:

        def progress(played: int, total: int, text: str) -> None:
            bar.total = total
            bar.set_postfix_str(text, refresh=False)
            bar.update(played - bar.n)

        return cross_play(
            game,
            bots,
            args.seats,
            args.blocks,
            seed=args.seed,
            bounds=args.sprt,
            workers=args.workers,
            ray=args.ray,
            journal=args.resume,
            options=options,
            progress=progress,
        )


def _print_results(found: Any, results: dict[str, Any]) -> None:
    from rostra.study.columns import columns

    labels, n = found.labels, len(found.bots)
    print(f"{found.game.title}, {found.seats} players, {found.games} games, seed {found.seed}, rostra {__version__}")
    print(f"\nwins % of one (row) among copies of another (column); fair: {100 / found.seats:.1f}")
    shares = [[found.share(bot, among) for among in range(n)] for bot in range(n)]
    cells = [[f"{100 * share.mean:.1f} +-{half_text(share, 100, 1)}" for share in row] for row in shares]
    print(*columns([["", *labels], *([label, *row] for label, row in zip(labels, cells, strict=True))]), sep="\n")
    print()
    ranked = sorted(zip(results["ratings"], found.mirrors, strict=True), key=lambda row: -row[0]["elo"])
    rows = [["Plackett-Luce", "Elo", "from", "to", "ms a move"]]
    for rating, mirror in ranked:
        elo = [f"{rating[key]:.0f}" for key in ("elo", "low", "high")]
        rows.append([rating["bot"], *elo, f"{1000 * mirror.seconds:.3f}"])
    print(*columns(rows), sep="\n")
    print()
    for pair in found.pairs:
        if pair.sprt:
            blocks = f"{len(pair.shares)} blocks, {pair.games} games"
            test = f"{labels[pair.a]} better than {labels[pair.b]} by {found.bounds[1]:g} Elo, not {found.bounds[0]:g}"
            print(f"{test}: {pair.sprt.verdict} (LLR {pair.sprt.llr:.2f}, {blocks})")
    exact = sum(mirror.exact for mirror in found.mirrors)
    sane = f"greedy among random {100 * found.sanity.mean:.1f} +-{half_text(found.sanity, 100, 1)} %"
    print(f"controls: {exact} of {n} bots exactly even among their own copies; {sane}")
    print(f"95 % intervals on block means; digest of all results {found.digest}")
