"""`rostra join`: a bot of your own plays a seat of a live match."""

import argparse
import json
from urllib.parse import urlsplit

from rostra.cli.arguments import Commands, add_command, add_options, options_of

EXAMPLES = """examples:
  rostra join http://127.0.0.1:8765/match/abc --seat 1 --bot my_module:my_bot
                                                     in the file my_module.py: def my_bot(view, legal): return legal[0]
  rostra join http://127.0.0.1:8765 --game quovadis --opponents eques,tiro --bot my_module:my_bot
                                                     a new match"""


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "join", run, "let a bot of your own play a live match", EXAMPLES)
    parser.add_argument("url", help="the address of a match, or of a server for a new match")
    parser.add_argument("--bot", required=True, help="module:name of a function(view, legal), or a bot of ours")
    parser.add_argument("--seat", type=int, default=0, help="the seat to take (default: 0)")
    parser.add_argument("--name", default="Roboticus", help="its name at the table (default: Roboticus)")
    parser.add_argument("--token", help="the token of the person it plays for (default: a new person)")
    parser.add_argument("--key", help="the key of a link that opens the seat")
    parser.add_argument("--game", default="alea", help="for a new match: the game (default: alea)")
    parser.add_argument("--opponents", default="eques", help="for a new match: bots, separated by commas")
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Play to the end and print the result."""
    from rostra.agents.live import play_live
    from rostra.client import Refused
    from rostra.engine.game import RostraError

    url = urlsplit(args.url)
    _, found, match = url.path.partition("/match/")
    try:
        result = play_live(
            f"{url.scheme}://{url.netloc}",
            args.bot,
            match=match.partition("/")[0] if found else None,
            seat=args.seat,
            game=args.game,
            opponents=args.opponents.split(","),
            options=options_of(args),
            name=args.name,
            token=args.token,
            key=args.key,
        )
    except Refused as error:
        raise RostraError(f"the server refused: {error}") from error
    print(json.dumps(result))
    return 0
