"""`rostra play`: a game in the terminal."""

import argparse

from rostra.cli.arguments import Commands, add_command, add_options, load_game, options_of, whole

EXAMPLES = """examples:
  rostra play alea                                   you against one bot (eques)
  rostra play alea --seats 4 --bots tiro,civis,consul --seed 7
  rostra play quovadis --seats 4                     offers in words
  rostra play alea --lang de                         auf Deutsch"""


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "play", run, "play a game in the terminal, against bots", EXAMPLES)
    parser.add_argument("game", nargs="?", default="alea", help="which game: alea or quovadis (default: alea)")
    parser.add_argument("--seats", type=int, help="number of players (default: as few as can play)")
    parser.add_argument("--bots", help="bots for the other seats, separated by commas (default for each: eques)")
    parser.add_argument("--seed", type=whole, help="play the same dice again (default: random)")
    parser.add_argument("--name", default="", help="your name (default: You)")
    parser.add_argument("--lang", default="en", help="the language: en or de (default: en)")
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Play in the terminal until the game ends or the player leaves."""
    from rostra.study.analyse import knows
    from rostra.terminal import play
    from rostra.words import words

    words(args.lang)  # report an unknown language before anything is compiled
    game = load_game(args.game, thinking=True)
    bots = args.bots.split(",") if args.bots else []
    seats = args.seats or max(game.rules.seats[0], len(bots) + 1)
    usual = "eques" if knows(game, seats) else "greedy"
    bots += [usual] * (seats - 1 - len(bots))
    options = options_of(args)
    return play(args.game, bots, seats=seats, name=args.name, options=options, seed=args.seed, language=args.lang)
