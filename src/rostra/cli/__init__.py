"""The command `rostra`. Each sub-command imports what it needs, so that `rostra --version` is as quick as Python.

Exit codes: 0 done, 1 the input was wrong (said on the error stream), 2 the command line was wrong, 130 interrupted.
"""

import argparse
import contextlib
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from rostra import __version__

_EXAMPLES = {
    "": """examples:
  rostra play alea                                   a game in the terminal
  rostra simulate alea --seats 2 --bots greedy,random --games 1000
  rostra replay FILE --legal                         check a transcript, list what was legal
  rostra analyse FILE --html review.html             luck, skill and mistakes of a finished game
  rostra score tableaux.jsonl                        the exact final score of tableaux""",
    "simulate": """examples:
  rostra simulate alea --seats 2 --bots random,random --games 100000
  rostra simulate alea --seats 4 --bots greedy,random,random,random --games 500 --rotate
  rostra simulate alea --seats 3 --bots greedy,greedy,random --games 10 --seed 7 --keep games""",
    "arena": """examples:
  rostra arena alea --seats 2 --bots greedy,random --blocks 100
  rostra arena quovadis --seats 3 --bots greedy,greedy:deals=off,random --blocks 200 --out results
  rostra arena alea --seats 2 --bots greedy,random --blocks 5000 --sprt 0,20
  rostra arena alea --seats 4 --bots greedy,random --blocks 100000 --ray auto""",
    "train": """examples:
  rostra train alea --seats 2 --games 200000 --seed 3  as the shipped weights were made; an hour
  rostra train quovadis --seats 4 --out my.npz         stopped and called again, it goes on""",
    "replay": """examples:
  rostra replay 000001.game
  rostra replay 000001.game --legal | head -3""",
    "analyse": """examples:
  rostra analyse 000001.game                         chances, luck and skill, the largest mistakes
  rostra analyse 000001.game --html review.html --lang de
  rostra analyse 000001.game --json --seat 0""",
    "verify": """examples:
  rostra verify 000001.game                          a match played live, after its end
  curl -s https://HOST/api/matches/ID/transcript | rostra verify -""",
    "score": """example:
  echo '{"provinces":["R3"],"patricians":["Rw3","Rm1"],"senate":["V"],"fortuna":[2],"chips":5}' | rostra score -""",
    "play": """examples:
  rostra play alea                                   you against one bot (eques)
  rostra play alea --seats 4 --bots tiro,civis,consul --seed 7
  rostra play quovadis --seats 4                     offers in words
  rostra play alea --lang de                         auf Deutsch""",
    "serve": """examples:
  rostra serve                                       on this machine, matches in a file of yours
  rostra serve --host 0.0.0.0 --port 80
  rostra serve --database postgresql://rostra@db/rostra
every flag can be set in the environment too: ROSTRA_PORT=80, ROSTRA_DATABASE=...""",
    "bench": """examples:
  rostra bench
  rostra bench --peers                               beside other engines (pip install 'rostra[bench]')""",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name must not end a command on an ASCII terminal
    try:
        return _run(arguments)
    except OSError as error:
        # Nothing more can be written; keep Python from complaining about it while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # whoever read our output has seen enough
            return 0
        print(f"rostra: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _run(arguments: Sequence[str] | None) -> int:
    try:
        parser = _parser()
        args = parser.parse_args(arguments)
        if args.run is None:
            parser.print_help()
            return 0
        from rostra.engine.game import BadOption, RostraError

        try:
            return int(args.run(args) or 0)
        except RostraError as error:
            print(f"rostra {args.command}: {error}", file=sys.stderr)
            return 2 if isinstance(error, BadOption) else 1
    finally:
        sys.stdout.flush()  # here, where a closed pipe is dealt with


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rostra",
        description="Alea Iacta Est and Quo Vadis?: play, simulate, score.",
        epilog=_EXAMPLES[""],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"rostra {__version__}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int | None], summary: str) -> argparse.ArgumentParser:
        added = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            epilog=_EXAMPLES[name],
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.set_defaults(run=run)
        return added

    play = command("play", _play, "play a game in the terminal, against bots")
    play.add_argument("game", nargs="?", default="alea", help="which game: alea or quovadis (default: alea)")
    play.add_argument("--seats", type=int, help="number of players (default: as few as can play)")
    play.add_argument("--bots", help="bots for the other seats, separated by commas (missing ones: eques)")
    play.add_argument("--seed", type=_whole, help="for the same dice again (default: chance)")
    play.add_argument("--name", default="", help="your name (default: You)")
    play.add_argument("--lang", default="en", help="the language: en or de (default: en)")
    _add_options(play)

    simulate = command("simulate", _simulate, "play many games between bots")
    simulate.add_argument("game", help="which game: alea or quovadis")
    simulate.add_argument("--seats", type=int, required=True, help="number of players")
    bots = "one for each seat, separated by commas: random, greedy, flat:200, search:400, learned, deep:1s"
    simulate.add_argument("--bots", required=True, help=bots)
    simulate.add_argument("--games", type=int, default=100, help="number of games (with --rotate: of seeds)")
    simulate.add_argument("--seed", type=_whole, default=0, help="a whole number from 0 (default: 0)")
    simulate.add_argument("--rotate", action="store_true", help="play every seed in all seat orders")
    simulate.add_argument("--keep", type=Path, metavar="DIR", help="keep transcripts as DIR/000001.game ...")
    simulate.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="threads (default: all cores)")
    simulate.add_argument("--json", action="store_true", help="print JSON instead of a table")
    _add_options(simulate)

    arena = command("arena", _arena, "measure bots against each other: cross-play, ratings, a sequential test")
    arena.add_argument("game", help="which game: alea or quovadis")
    arena.add_argument("--seats", type=int, required=True, help="number of players")
    arena.add_argument("--bots", required=True, help="the bots to compare, separated by commas")
    arena.add_argument("--blocks", type=int, default=100, help="seeds for each pair, in all seat orders (default: 100)")
    arena.add_argument("--seed", type=_whole, default=0, help="a whole number from 0 (default: 0)")
    test = "end a pair when the first bot is known to be better by HIGH Elo, or by no more than LOW"
    arena.add_argument("--sprt", type=_bounds, metavar="LOW,HIGH", help=test)
    arena.add_argument("--out", type=Path, metavar="DIR", help="write results.json and plots (PNG, SVG) there")
    arena.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="threads (default: all cores)")
    arena.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster; local: one of --workers processes here")
    arena.add_argument("--json", action="store_true", help="print the results file instead of tables")
    _add_options(arena)

    train = command("train", _train, "teach the net of the learned bots by self-play")
    train.add_argument("game")
    train.add_argument("--seats", type=int, required=True, help="number of players")
    train.add_argument("--games", type=_whole, default=10_000, help="games of self-play (default: 10000)")
    train.add_argument("--seed", type=_whole, default=3, help="the same seed and games give the same net (default: 3)")
    train.add_argument("--out", type=Path, metavar="FILE", help="the training (default: GAME-SEATS.training.npz here)")
    train.add_argument("--weights", type=Path, metavar="FILE", help="write the net as bots read it, when it is done")

    replay = command("replay", _replay, "check a transcript ply by ply and show its result")
    replay.add_argument("file", help="a .game file, or - for standard input")
    replay.add_argument("--legal", action="store_true", help="print JSON lines with what was legal at every ply")

    analyse = command("analyse", _analyse, "look at a finished game again: chances to win, luck and skill, mistakes")
    analyse.add_argument("file", help="a .game file, or - for standard input")
    analyse.add_argument("--seat", type=int, metavar="N", help="only the mistakes of this seat (the first is 0)")
    analyse.add_argument("--json", action="store_true", help="print JSON instead of text")
    analyse.add_argument("--html", type=Path, metavar="OUT", help="write a page to look at in a browser")
    analyse.add_argument("--plot", type=Path, metavar="OUT", help="draw the chances to win, as OUT.png or OUT.svg")
    analyse.add_argument("--lang", default="en", help="the language: en or de (default: en)")

    verify = command("verify", _verify, "check that the dice of a finished match follow from its committed seed")
    verify.add_argument("file", help="a .game file, or - for standard input")
    verify.add_argument("--json", action="store_true", help="print JSON instead of sentences")

    score = command("score", _score, "score final tableaux of Alea Iacta Est exactly, JSON lines in and out")
    score.add_argument("file", help="a file of JSON lines, or - for standard input")

    serve = command("serve", _serve, "serve live matches to browsers and programs")
    serve.add_argument("--host", help="the address to listen on (default: 127.0.0.1, this machine only)")
    serve.add_argument("--port", type=int, help="the port (default: 8765; 0: any free one)")
    serve.add_argument("--database", metavar="URL", help="sqlite:FILE or postgresql://... (default: a file of yours)")
    serve.add_argument("--workers", type=int, help="processes in which bots think (default: 1)")
    serve.add_argument("--origins", type=_words, help="other sites whose pages may connect, separated by commas")
    serve.add_argument("--proxies", help="addresses of proxies in front, to be believed; *: any")
    serve.add_argument("--rate", type=float, help="messages a second from one client (default: 20; 0: no limit)")
    forgotten = "a match in which nothing happened for so long is over (default: 90; 0: never)"
    serve.add_argument("--abandon-days", type=float, metavar="DAYS", help=forgotten)
    serve.add_argument("--log-level", help="debug, info, warning or error (default: info)")

    bench = command("bench", _bench, "measure the speed of this machine and program, as ratios")
    bench.add_argument("--peers", action="store_true", help="measure other engines in the same run")
    bench.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a rule option, such as voluntary_latrina=on or start_seat=0; may be repeated",
    )


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) >= 2**62:
        raise argparse.ArgumentTypeError(f"a whole number from 0 to 2**62 - 1, not {text!r}")
    return int(text)


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"two Elo numbers, the lower one first, such as 0,20, not {text!r}") from None
    return low, high


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _options(args: argparse.Namespace) -> dict[str, str]:
    from rostra.engine.game import BadOption

    options: dict[str, str] = {}
    for word in args.option:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadOption(f"an option is written name=value, not {word!r}")
        options[name] = value
    return options


def _text_of(file: str) -> str:
    from rostra.engine.game import BadNotation

    if file == "-" and sys.stdin is None:
        raise BadNotation("cannot read -: standard input is closed")
    try:
        return (sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()).decode("utf-8")
    except OSError as error:
        raise BadNotation(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadNotation(f"cannot read {file}: it is no UTF-8 text") from error


def _game(name: str, thinking: bool = False) -> Any:
    """The game of this name, ready to run, with bots that think or without; compiling, if it must be, is shown."""
    from rostra import bots
    from rostra.engine import loops as kernels
    from rostra.games import find_game

    game = find_game(name)
    (bots if thinking else kernels).prepare(game)
    return game


def _play(args: argparse.Namespace) -> int:
    from rostra.study.analyse import knows
    from rostra.terminal import play
    from rostra.words import words

    words(args.lang)  # a language that is not there is said before the work
    game = _game(args.game, thinking=True)
    bots = args.bots.split(",") if args.bots else []
    seats = args.seats or max(game.rules.seats[0], len(bots) + 1)
    usual = "eques" if knows(game, seats) else "greedy"
    bots += [usual] * (seats - 1 - len(bots))
    options = _options(args)
    return play(args.game, bots, seats=seats, name=args.name, options=options, seed=args.seed, language=args.lang)


def _simulate(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    from rostra.bots import make_bot
    from rostra.engine.game import BadOption
    from rostra.play.transcript import write
    from rostra.study.arena import simulate, transcripts

    game, options = _game(args.game), _options(args)
    bots = [make_bot(name) for name in args.bots.split(",")]
    game.check_seats(args.seats)
    if len(bots) != args.seats:
        right = ",".join(["random"] * args.seats)
        raise BadOption(f"{args.seats} seats need {args.seats} bots, not {len(bots)}, such as --bots {right}")
    if args.keep:
        _make_folder(args.keep)
    total = args.games * (args.seats if args.rotate else 1)
    # disable=None: a bar only on a terminal
    with tqdm(total=total, unit=" games", disable=None, leave=False) as bar:
        simulation = simulate(
            game,
            bots,
            args.games,
            seed=args.seed,
            rotate=args.rotate,
            workers=args.workers,
            options=options,
            progress=bar.update,
        )
    if args.keep:
        kept = tqdm(transcripts(simulation, options), total=total, unit=" files", disable=None, leave=False)
        for number, transcript in enumerate(kept, 1):
            (args.keep / f"{number:06}.game").write_text(write(transcript), encoding="utf-8")
        stale = len(list(args.keep.glob("*.game"))) - total
        if stale > 0:
            print(f"rostra simulate: {args.keep} also holds {stale} transcripts from before", file=sys.stderr)
    players = [(bot.name, simulation.share(seat), simulation.points(seat)) for seat, bot in enumerate(bots)]
    if args.json:
        summary = {
            "game": game.name,
            "seats": args.seats,
            "games": simulation.n_games,
            "seed": args.seed,
            "options": game.all_options(options),
            "rotate": args.rotate,
            "players": [
                {"bot": bot, "wins": share._asdict(), "points": points._asdict()} for bot, share, points in players
            ],
            "decided": simulation.decided(),
            "tallies": {name: counted._asdict() for name, counted in simulation.counted().items()},
            "decisions": simulation.decisions,
            "digest": simulation.digest,
        }
        print(json.dumps(summary))
        return 0
    orders = f" ({args.games} seeds in {args.seats} seat orders)" if args.rotate else ""
    print(f"{game.title}, {args.seats} players, {simulation.n_games} games{orders}, seed {args.seed}")
    rows = [
        [bot, f"{100 * wins.mean:.1f}", _half(wins, 100, 1), f"{points.mean:.2f}", _half(points, 1, 2)]
        for bot, wins, points in players
    ]
    for name, number in Counter(bot.name for bot in bots).items():
        if 1 < number < len(bots):
            wins = simulation.share_of(name)
            rows.append([f"all {number} {name}", f"{100 * wins.mean:.1f}", _half(wins, 100, 1), "", ""])
    _print_table(["bot", "wins %", "+-", "points", "+-"], rows)
    if game.play.tallies:
        print("a game: " + ", ".join(f"{counted.mean:.2f} {name}" for name, counted in simulation.counted().items()))
    if simulation.decided() < 1:
        print(f"decided (somebody won): {100 * simulation.decided():.1f} % of the games")
    print(f"95 % intervals; {simulation.decisions} decisions; digest of all results {simulation.digest}")
    if args.keep:
        print(f"transcripts in {args.keep}")
    return 0


def _arena(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    from rostra.bots import make_bot
    from rostra.study import plots
    from rostra.study.arena import cross_play

    game, options = _game(args.game), _options(args)
    bots = [make_bot(name) for name in args.bots.split(",")]
    if args.out:
        _make_folder(args.out)
        if not plots.can_draw():  # said before hours of play
            print("rostra arena: there will be no plots: pip install 'rostra[plots]'", file=sys.stderr)
    with tqdm(unit=" games", disable=None, leave=False) as bar:

        def progress(played: int, total: int, text: str) -> None:
            bar.total = total
            bar.set_postfix_str(text, refresh=False)
            bar.update(played - bar.n)

        found = cross_play(
            game,
            bots,
            args.seats,
            args.blocks,
            seed=args.seed,
            bounds=args.sprt,
            workers=args.workers,
            ray=args.ray,
            options=options,
            progress=progress,
        )
    results = found.document()
    if args.out:
        (args.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
        if plots.can_draw():
            plots.draw_matrix(results, args.out)
            plots.draw_ratings(results, args.out)
    if args.json:
        print(json.dumps(results))
    else:
        _print_arena(found, results)
        if args.out:
            print(f"results in {args.out}")
    for failure in found.failures():
        print(f"rostra arena: a control failed, believe none of this: {failure}", file=sys.stderr)
    return 1 if found.failures() else 0


def _print_arena(found: Any, results: dict[str, Any]) -> None:
    labels, n = found.labels, len(found.bots)
    print(f"{found.game.title}, {found.seats} players, {found.games} games, seed {found.seed}, rostra {__version__}")
    print(f"\nwins % of one (row) among copies of another (column); fair: {100 / found.seats:.1f}")
    shares = [[found.share(bot, among) for among in range(n)] for bot in range(n)]
    cells = [[f"{100 * share.mean:.1f} +-{_half(share, 100, 1)}" for share in row] for row in shares]
    _print_table(["", *labels], ([label, *row] for label, row in zip(labels, cells, strict=True)))
    print()
    ranked = sorted(zip(results["ratings"], found.mirrors, strict=True), key=lambda row: -row[0]["elo"])
    _print_table(
        ["Plackett-Luce", "Elo", "from", "to", "ms a move"],
        (
            [r["bot"], *(f"{r[key]:.0f}" for key in ("elo", "low", "high")), f"{1000 * mirror.seconds:.3f}"]
            for r, mirror in ranked
        ),
    )
    print()
    for pair in found.pairs:
        if pair.sprt:
            blocks = f"{len(pair.shares)} blocks, {pair.games} games"
            test = f"{labels[pair.a]} better than {labels[pair.b]} by {found.bounds[1]:g} Elo, not {found.bounds[0]:g}"
            print(f"{test}: {pair.sprt.verdict} (LLR {pair.sprt.llr:.2f}, {blocks})")
    exact = sum(mirror.exact for mirror in found.mirrors)
    sane = f"greedy among random {100 * found.sanity.mean:.1f} +-{_half(found.sanity, 100, 1)} %"
    print(f"controls: {exact} of {n} bots exactly even among their own copies; {sane}")
    print(f"95 % intervals on block means; digest of all results {found.digest}")


def _half(estimate: Any, factor: int, digits: int) -> str:
    """Half an interval as text; one game has none."""
    return "-" if estimate.half is None else f"{factor * estimate.half:.{digits}f}"


def _make_folder(folder: Path) -> None:
    from rostra.engine.game import BadOption

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOption(f"cannot make the folder {folder}: {error.strerror}") from error
    if not os.access(folder, os.W_OK):
        raise BadOption(f"cannot write into the folder {folder}")


def _print_table(head: list[str], rows: Iterable[list[str]]) -> None:
    """A plain table: the first column left, numbers right."""
    cells = [head, *rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    for row in cells:
        line = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        print("  ".join(line).rstrip())


def _train(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    from rostra.engine.game import BadOption
    from rostra.study.train import BLOCKS, LOOKS, Training

    game = _game(args.game)
    file = args.out or Path(f"{game.name}-{args.seats}.training.npz")
    training = Training.new(game, args.seats, args.games, args.seed)
    if file.exists():
        training = Training.load(file, game)
        if (training.n_seats, training.games, training.seed) != (args.seats, args.games, args.seed):
            had = f"--seats {training.n_seats} --games {training.games} --seed {training.seed}"
            raise BadOption(f"{file} holds another training ({had}): go on with that, or name another file by --out")
        print(f"going on after {training.played} games")
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
        print(f"weights in {args.weights}")
    return 0


def _replay(args: argparse.Namespace) -> int:
    from rostra.engine.game import CHANCE, OVER
    from rostra.play.transcript import HIDDEN, read, replay, result_of

    transcript = read(_text_of(args.file))
    game = _game(transcript.game)
    if not args.legal and any(ply.move in HIDDEN for ply in transcript.plies):
        return _show(transcript)
    run = replay(transcript)
    for step in run:
        if args.legal:
            state = step.state
            line: dict[str, Any] = {
                "ply": step.ply.number,
                "seat": step.ply.seat,
                "move": game.notation.text(state, step.move),
            }
            if game.rules.turn(state) == CHANCE:
                line["odds"] = game.rules.odds(state, step.move)
            else:
                line["legal"] = [game.notation.text(state, move) for move in game.legal_moves(state)]
            print(json.dumps(line))
    state = run.state
    if game.rules.turn(state) == OVER:
        result = result_of(game, state)._asdict()
    elif transcript.result is not None:
        result = transcript.result._asdict()
    else:
        result = {"points": None, "tiebreak": None, "winners": None, "end": "unfinished"}
    if args.legal:
        print(json.dumps(result))
        return 0
    print(game.screen.diagram(state, None), end="")
    print(f"\n{len(run.moves)} plies, all legal; end: {result['end']}")
    if result["points"] is not None:
        _print_table(
            ["player", "points", "tie-break", ""],
            (
                [name, str(points), str(tie), "winner" if seat in result["winners"] else ""]
                for seat, (name, points, tie) in enumerate(
                    zip(transcript.seats, result["points"], result["tiebreak"], strict=True)
                )
            ),
        )
    return 0


def _show(transcript: Any) -> int:
    """A player's own transcript of a running game: what is hidden cannot be replayed, but shown."""
    print(f"{transcript.game}, a player's own transcript of {', '.join(transcript.seats)}: shown, not replayed")
    for ply in transcript.plies:
        who = "chance" if ply.seat is None else transcript.seats[ply.seat]
        print(f"{ply.number:5}  {who}  {ply.move}")
    return 0


def _analyse(args: argparse.Namespace) -> int:
    import msgspec

    from rostra.engine.game import BadOption
    from rostra.play.transcript import read
    from rostra.study import plots, report
    from rostra.study.analyse import analyse
    from rostra.words import words

    words(args.lang)  # a language that is not there is said before the work
    transcript = read(_text_of(args.file))
    seats = len(transcript.seats)
    if args.seat is not None and args.seat not in range(seats):
        raise BadOption(f"the seats are 0 to {seats - 1}, not {args.seat}")
    if args.plot is not None and args.plot.suffix not in (".png", ".svg"):
        raise BadOption(f"a plot is a .png or .svg file, not {args.plot.name}")
    _game(transcript.game, thinking=True)
    review = analyse(transcript)
    if args.seat is not None:
        review.mistakes = [one for one in review.mistakes if one.seat == args.seat]
        review.missed = [one for one in review.missed if one.seat == args.seat]
    if args.html is not None:
        args.html.write_text(report.page(review, transcript, args.lang), encoding="utf-8")
    if args.plot is not None:
        plots.draw_chances(msgspec.to_builtins(review), transcript.seats, args.plot)
    if args.json:
        print(msgspec.json.encode(review).decode())
    else:
        print("\n".join(report.text(review, transcript, args.lang)))
    return 0


def _verify(args: argparse.Namespace) -> int:
    from rostra.engine.game import RostraError
    from rostra.play.transcript import read
    from rostra.play.verify import Refused, verify

    text = _text_of(args.file)
    with contextlib.suppress(RostraError):  # what cannot be read is `verify`'s to say
        _game(read(text).game)
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
    undone = f" (what was undone is counted; undos: {found.undos})" if found.undos else ""
    derived = f"{found.outcomes} chance outcomes derived from the seed"
    print(f"{found.plies} plies legal, {derived}, the commitment matches{undone}")
    print(f"compare with what you were shown before play:\n  commitment {found.commit}")
    for seat, contribution in found.entropy:
        print(f"  contribution of seat {seat} {contribution}")
    if not found.entropy:
        print("  no seat contributed")
    return 0


def _score(args: argparse.Namespace) -> int:
    from rostra.engine.game import BadNotation, RostraError
    from rostra.games.alea.tableau import score_tableau

    _game("alea")
    for number, line in enumerate(_text_of(args.file).splitlines(), 1):
        if not line.strip():
            continue
        try:
            print(json.dumps(score_tableau(json.loads(line))))
        except json.JSONDecodeError as error:
            raise BadNotation(f"line {number}: no JSON ({error.msg} at column {error.colno})") from error
        except RostraError as error:
            raise type(error)(f"line {number}: {error}") from error
        except ValueError as error:  # Python's own limit on digits
            raise BadNotation(f"line {number}: no JSON ({error})") from error
        except RecursionError as error:
            raise BadNotation(f"line {number}: no tableau (nested too deeply)") from error
    return 0


def _serve(args: argparse.Namespace) -> int:
    from rostra.server.app import serve
    from rostra.server.settings import from_environment

    return serve(from_environment(vars(args)))


def _bench(args: argparse.Namespace) -> int:
    from rostra.study.bench import run

    return run(peers=args.peers, as_json=args.json)
