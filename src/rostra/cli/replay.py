"""`rostra replay`: check a transcript ply by ply."""

import argparse
import json
from typing import Any

from rostra.cli.arguments import Commands, add_command, add_file, load_game, read_text

EXAMPLES = """examples:
  rostra replay 000001.game
  rostra replay 000001.game --legal | head -3"""


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "replay", run, "check a transcript ply by ply and show its result", EXAMPLES)
    add_file(parser)
    parser.add_argument("--legal", action="store_true", help="print JSON lines with the legal moves of every ply")


def run(args: argparse.Namespace) -> int:
    """Replay the transcript and print its final position, or with --legal every ply."""
    from rostra.play.transcript import HIDDEN, read, replay

    transcript = read(read_text(args.file))
    game = load_game(transcript.game)
    if not args.legal and any(ply.move in HIDDEN for ply in transcript.plies):
        _print_hidden(transcript)
        return 0
    played = replay(transcript)
    for step in played:
        if args.legal:
            print(json.dumps(_legal_line(game, step)))
    result = _result(game, played.state, transcript)
    if args.legal:
        print(json.dumps(result))
        return 0
    print(game.screen.diagram(played.state, None), end="")
    print(f"\n{len(played.moves)} plies, all legal; end: {result['end']}")
    if result["points"] is not None:
        _print_points(transcript.seats, result)
    return 0


def _legal_line(game: Any, step: Any) -> dict[str, Any]:
    from rostra.engine.game import CHANCE

    line: dict[str, Any] = {
        "ply": step.ply.number,
        "seat": step.ply.seat,
        "move": game.notation.text(step.state, step.move),
    }
    if game.rules.turn(step.state) == CHANCE:
        return {**line, "odds": game.rules.odds(step.state, step.move)}
    return {**line, "legal": [game.notation.text(step.state, move) for move in game.legal_moves(step.state)]}


def _result(game: Any, state: Any, transcript: Any) -> dict[str, Any]:
    from rostra.engine.game import OVER, result_of

    if game.rules.turn(state) == OVER:
        return result_of(game, state)._asdict()
    if transcript.result is not None:
        return dict(transcript.result._asdict())
    return {"points": None, "tiebreak": None, "winners": None, "end": "unfinished"}


def _print_points(names: list[str], result: dict[str, Any]) -> None:
    from rostra.study.columns import columns

    rows = [["player", "points", "tie-break", ""]]
    for seat, row in enumerate(zip(names, result["points"], result["tiebreak"], strict=True)):
        rows.append([*map(str, row), "winner" if seat in result["winners"] else ""])
    print(*columns(rows), sep="\n")


def _print_hidden(transcript: Any) -> None:
    """A player's own transcript of a running game: it has hidden moves, so it can be shown but not replayed."""
    print(f"{transcript.game}, a player's own transcript of {', '.join(transcript.seats)}: shown, not replayed")
    for ply in transcript.plies:
        who = "chance" if ply.seat is None else transcript.seats[ply.seat]
        print(f"{ply.number:5}  {who}  {ply.move}")
