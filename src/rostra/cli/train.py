"""`rostra train`: teach the net of the learned bots by self-play."""

import argparse
import sys
from pathlib import Path
from typing import Any

from rostra.cli.arguments import Commands, add_command, add_game, load_game, whole

EXAMPLES = """examples:
  rostra train alea --seats 2 --games 200000 --seed 3  how the shipped weights were made; takes an hour
  rostra train quovadis --seats 4 --out my.npz         run it again to resume where it stopped"""


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "train", run, "teach the net of the learned bots by self-play", EXAMPLES)
    add_game(parser)
    parser.add_argument("--games", type=whole, default=10_000, help="games of self-play (default: 10000)")
    parser.add_argument("--seed", type=whole, default=3, help="the same seed and games give the same net (default: 3)")
    state = "where the training is saved (default: GAME-SEATS.training.npz in this folder)"
    parser.add_argument("--out", type=Path, metavar="FILE", help=state)
    parser.add_argument("--weights", type=Path, metavar="FILE", help="write the finished net in the format bots read")


def run(args: argparse.Namespace) -> int:
    """Train to the end, saving and measuring the net on the way; resumes a saved training."""
    from tqdm import tqdm

    from rostra.study.train import BLOCKS, LOOKS, check_weights

    if args.weights:
        check_weights(args.weights)
    game = load_game(args.game)
    file = args.out or Path(f"{game.name}-{args.seats}.training.npz")
    training = _training(args, game, file)
    looked = training.played * LOOKS // training.games
    with tqdm(unit=" games", total=training.games, initial=training.played, disable=None, leave=False) as bar:
        for _ in training.run():
            bar.update(training.played - bar.n)
            if (due := training.played * LOOKS // training.games) > looked:
                looked = due
                training.save(file)
                share, half = training.strength(BLOCKS)
                among = "greedy" if training.n_seats == 2 else f"{training.n_seats - 1} greedy"
                line = f"{training.played:>9} games  {100 * share:.1f} +-{100 * (half or 0):.1f} % among {among}"
                bar.write(f"{line}  (error {training.loss:.4f})", file=sys.stdout)
    if args.weights:
        training.export(args.weights, training.strength(BLOCKS))
        print(f"weights in {args.weights}; play against them: --bots learned:{args.weights}")
    return 0


def _training(args: argparse.Namespace, game: Any, file: Path) -> Any:
    """A new training, or the one saved in the file."""
    from rostra.engine.game import BadOption
    from rostra.study.train import Training

    if not file.exists():
        return Training.new(game, args.seats, args.games, args.seed)
    training = Training.load(file, game)
    if (training.n_seats, training.games, training.seed) != (args.seats, args.games, args.seed):
        had = f"--seats {training.n_seats} --games {training.games} --seed {training.seed}"
        raise BadOption(f"{file} holds another training ({had}): resume that one, or name another file with --out")
    print(f"going on after {training.played} games")
    return training
