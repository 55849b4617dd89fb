"""Rewrites the test vectors of the verifiable dice: `python tests/data/make_dice_vectors.py`. Check the diff.

`dice/vectors.json` has single draws, `dice/*.game` whole matches, and `dice/tampered.json` changes to them with the
place where each must be noticed. The Python verifier and the browser's verifier are checked against the same files.
"""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rostra.engine import rng
from rostra.engine.game import CHANCE, OVER, Game, Result, result_of
from rostra.games.alea import ALEA
from rostra.games.quovadis import QUO_VADIS
from rostra.play.dice import Stream, commitment
from rostra.play.transcript import Event, Transcript, Undo, play_out, write
from rostra.play.verify import Refused, verify

FOLDER = Path(__file__).parent / "dice"
Player = Callable[[Game, Any, Any, Any], int]


def made_seed(name: str) -> bytes:
    """A seed for tests; a server's comes from the operating system."""
    return hashlib.sha256(f"seed of {name}".encode()).digest()


def made_entropy(name: str, seats: list[int]) -> list[tuple[int, str]]:
    """Contributions for tests."""
    return [(seat, hashlib.sha256(f"{name}/{seat}".encode()).hexdigest()[:32]) for seat in seats]


def wander(game: Game, s: Any, out: Any, generator: Any) -> int:
    """The random player."""
    return game.play.random_move(s, out, generator)


def devout(game: Game, s: Any, out: Any, generator: Any) -> int:
    """A random player who goes to the Templum wherever he can, so that fortuna tokens run out."""
    moves = game.legal_moves(s)
    return next(
        (move for move in moves if game.notation.text(s, move).startswith("T")),
        game.play.random_move(s, out, generator),
    )


def solitary(game: Game, s: Any, out: Any, generator: Any) -> int:
    """A random player who goes to the Templum only where nobody is, so that one die lies there when the set ends."""
    moves = game.legal_moves(s)
    templum = [move for move in moves if game.notation.text(s, move).startswith("T")]
    if s.templum_dice.any():
        others = [move for move in moves if move not in templum] or moves
        return others[rng.below(generator, len(others))]
    return templum[0] if templum else game.play.random_move(s, out, generator)


def played(
    game: Game,
    n_seats: int,
    name: str,
    *,
    options: dict[str, str] | None = None,
    player: Player = wander,
    contributors: list[int] | None = None,
    undos: tuple[tuple[int, int], ...] = (),
    stop: int | None = None,
) -> Transcript:
    """A match between random players; `undos` are pairs: at which length play goes back to which ply."""
    seed = made_seed(name)
    entropy = made_entropy(name, list(range(n_seats)) if contributors is None else contributors)
    stream = Stream(seed, name, entropy)
    generator, out = rng.generator(len(name)), np.empty(game.rules.max_legal, np.int32)
    s, moves, epoch = game.new(n_seats, options), list[int](), 0
    pending, events = list(undos), list[Event]()
    while game.rules.turn(s) != OVER and len(moves) != stop:
        if pending and len(moves) == pending[0][0]:
            back = pending.pop(0)[1]
            events += [*list(play_out(game, game.new(n_seats, options), moves))[_first_new(events) :], Undo(back)]
            epoch += 1
            del moves[back:]
            s = game.new(n_seats, options)
            for move in moves:
                game.rules.apply(s, move)
            continue
        if game.rules.turn(s) == CHANCE:
            move = stream.draw(game, s, epoch, len(moves))
        else:
            move = player(game, s, out, generator)
        game.rules.apply(s, move)
        moves.append(move)
    events += list(play_out(game, game.new(n_seats, options), moves))[_first_new(events) :]
    result = result_of(game, s) if game.rules.turn(s) == OVER else Result([0] * n_seats, [0] * n_seats, [0], "resigned")
    names = ["Antonius", 'Brutus, "the # younger"', "Claudius", "Darius", "Flavius"][:n_seats]
    return Transcript(
        game.name,
        game.rules.version,
        names,
        game.logged_options(options),
        match=name,
        commit=commitment(seed),
        entropy=entropy,
        events=events,
        result=result,
        seed=seed.hex(),
    )


def _first_new(events: list[Event]) -> int:
    """Where the plies begin that are not written yet: after an undo, at its ply."""
    last = events[-1] if events else None
    return last.ply if isinstance(last, Undo) else 0


MATCHES: dict[str, dict[str, Any]] = {
    "alea-2": {"game": ALEA, "n_seats": 2, "options": {"start_seat": "1", "voluntary_latrina": "on"}},
    "alea-3": {"game": ALEA, "n_seats": 3, "contributors": [2, 0]},
    "alea-4": {"game": ALEA, "n_seats": 4},
    "alea-5": {"game": ALEA, "n_seats": 5, "contributors": []},
    "alea-5-templum": {"game": ALEA, "n_seats": 5, "player": devout},
    "alea-4-solitary": {"game": ALEA, "n_seats": 4, "player": solitary},
    "alea-4-undone": {"game": ALEA, "n_seats": 4, "player": devout, "undos": ((90, 31), (60, 60), (120, 0), (12, 9))},
    "alea-3-resigned": {"game": ALEA, "n_seats": 3, "stop": 77},
    "quovadis-3": {"game": QUO_VADIS, "n_seats": 3},
    "quovadis-4": {"game": QUO_VADIS, "n_seats": 4, "undos": ((80, 40),)},
    "quovadis-5": {"game": QUO_VADIS, "n_seats": 5, "options": {"start_seat": "4"}},
    "quovadis-3-election": {"game": QUO_VADIS, "n_seats": 3, "options": {"consul_election": "on"}},
}


def vectors() -> list[dict[str, Any]]:
    """Single draws: of dice and pieces, and of numbers so large that about every second draw is rejected."""
    laurels = ["=2"] * 8 + ["=2c"] * 6 + ["=3"] * 15 + ["=4"] * 9 + ["=5"] * 6
    pools: list[tuple[int, int, int | list[str]]] = [
        (0, 0, ["=s0", "=s1", "=s2"]),
        (0, 7, 8),
        (0, 8, 1),
        (3, 7, 8),
        (0, 123456789, 5),
        (1, 5, ["=s4"]),
        (0, 1, sorted(laurels)),
        (12, 99, ["=1", "=1", "=2", "=3"]),
    ]
    found = []
    for number, (epoch, ply, pool) in enumerate(pools):
        draw = _vector(f"vector-{number}", [3, 0, 1][: number % 4], epoch, ply)
        stream, count = draw.pop("stream"), pool if isinstance(pool, int) else 1
        below = 6 if isinstance(pool, int) else len(pool)
        numbers = stream.numbers(epoch, ply, below, count)
        draw |= {"pool": pool, "below": str(below), "numbers": [str(number) for number in numbers]}
        found.append(draw | {"outcome": stream.outcome(pool, epoch, ply)})
    for below in (2**63 + 1, 2**63, 2**63 - 1, 2**64 - 2**61, 2**64, 1):
        draw = _vector(f"below-{below}", [0, 1], 0, 4)
        numbers = draw.pop("stream").numbers(0, 4, below, 5)
        found.append(draw | {"below": str(below), "numbers": [str(number) for number in numbers]})
    return found


def _vector(match: str, contributors: list[int], epoch: int, ply: int) -> dict[str, Any]:
    seed, entropy = made_seed(match), made_entropy(match, contributors)
    stream = Stream(seed, match, entropy)
    return {
        "seed": seed.hex(),
        "commit": commitment(seed),
        "match": match,
        "entropy": entropy,
        "epoch": epoch,
        "ply": ply,
        "hmac": [stream.digest(epoch, ply, b).hex() for b in range(12)],
        "stream": stream,
    }


Edits = list[tuple[int, str | None]]
"""Lines by their number, counted from 1, and what stands there instead; None: the line is left out."""


def edited(text: str, edits: Edits) -> str:
    """The text with these lines changed."""
    lines: list[str | None] = [*text.splitlines()]
    for number, line in edits:
        lines[number - 1] = line
    return "\n".join(line for line in lines if line is not None) + "\n"


def tampered() -> list[dict[str, Any]]:
    """What a cheat might change, and where it must be noticed; the places are `rostra verify`'s and to be reviewed."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.game")}
    other = made_seed("another one")

    def find(base: str, pattern: str, nth: int = 0) -> tuple[int, str]:
        """The number and text of the nth line that the pattern fits."""
        lines = enumerate(texts[base].splitlines(), 1)
        return [(number, line) for number, line in lines if re.search(pattern, line)][nth]

    def changed(base: str, pattern: str, old: str, new: str, nth: int = 0) -> Edits:
        number, line = find(base, pattern, nth)
        assert re.search(old, line)
        return [(number, re.sub(old, new, line))]

    def swapped(base: str, one: str, two: str) -> Edits:
        """The moves of the first lines that these patterns fit, exchanged."""
        (at, first), (then, second) = find(base, one), find(base, two)
        moves = [line.rsplit(" ", 1) for line in (first, second)]
        return [(at, f"{moves[0][0]} {moves[1][1]}"), (then, f"{moves[1][0]} {moves[0][1]}")]

    undone = "alea-4-undone"
    undo, empty_undo = find(undone, "^undo", 0)[0], find(undone, "^undo", 1)[0]
    taken_back = int(find(undone, "^undo")[1].split()[1])
    last_die = Stream(made_seed("alea-4"), "alea-4", made_entropy("alea-4", [0, 1, 2, 3]))
    at, roll = find("alea-4", r" - =\d{8}$")
    die = str(last_die.numbers(0, int(roll.split()[0]), 6, 8)[-1] + 1)
    cases: list[tuple[str, str, Edits]] = [
        ("a die turned", "alea-4", changed("alea-4", r" - =\d{7}6$", "6$", "5", 3)),
        ("the last die left out", "alea-4", [(at, roll[::-1].replace(die, "", 1)[::-1])]),
        ("a reroll of one die more", "alea-2", changed("alea-2", r" - =\d$", "$", "6")),
        ("another start seat", "alea-3", changed("alea-3", "^0 - ", r"\d$", "1")),
        ("tokens swapped", "alea-5-templum", swapped("alea-5-templum", " - =1$", " - =3$")),
        ("a token kept that was not drawn", "alea-5-templum", changed("alea-5-templum", r" K1\d$", "K.*", "K33")),
        ("a patrician for a province", "alea-2", changed("alea-2", r" - =[A-Z]\d$", r"(\d)$", r"w1", 2)),
        ("cards swapped", "alea-5", swapped("alea-5", " - =I$", " - =XI$")),
        ("laurels swapped", "quovadis-4", swapped("quovadis-4", " - =2c$", " - =5$")),
        (
            "a laurel in the second game",
            "quovadis-3-election",
            changed("quovadis-3-election", "^2[0-9]{2} - =3", "3$", "4"),
        ),
        ("the named start seat denied", "quovadis-5", changed("quovadis-5", "^0 - ", "s4", "s0")),
        ("another seat's decision", "alea-2", changed("alea-2", r"^\d+ 1 ", r" 1 ", " 0 ", 4)),
        ("a decision as chance", "alea-2", changed("alea-2", r"^\d+ 1 ", r" 1 .*", " - =3", 6)),
        ("a decision in a turn as chance", "alea-2", changed("alea-2", r"^\d+ 1 C", r" 1 .*", " - =3")),
        ("chance as a decision", "alea-2", changed("alea-2", r" - =\d{8}$", r" - .*", " 1 C1")),
        ("a seed too short", "alea-2", changed("alea-2", "^seed", ".$", "")),
        ("another seed", "alea-2", [(find("alea-2", "^seed")[0], f"seed: {other.hex()}")]),
        ("another commitment", "alea-2", [(find("alea-2", "^commit")[0], f"commit: {commitment(other)}")]),
        (
            "another seed with its commitment",
            "alea-5",
            [
                (find("alea-5", "^seed")[0], f"seed: {other.hex()}"),
                (find("alea-5", "^commit")[0], f"commit: {commitment(other)}"),
            ],
        ),
        ("another match", "alea-4", changed("alea-4", "^match", "4$", "5")),
        ("a contribution changed", "quovadis-3", changed("quovadis-3", "^entropy: 1", ".$", "0")),
        ("a contribution left out", "quovadis-3", [(find("quovadis-3", "^entropy: 2")[0], None)]),
        ("a contribution twice", "quovadis-3", changed("quovadis-3", "^entropy: 2", ": 2", ": 1")),
        ("an undo left out", undone, [(undo, None)]),
        ("an undo of nothing left out", undone, [(empty_undo, None)]),
        ("a game that was taken back hushed up", undone, [(n, None) for n in range(undo - 90 + taken_back, undo + 1)]),
        ("an undo added", "alea-4", changed("alea-4", "^60 ", "^", "undo: 60\n")),
        ("no seed", "alea-2", [(find("alea-2", "^seed")[0], None)]),
        ("no commitment", "alea-2", [(find("alea-2", "^commit")[0], None)]),
        ("no match", "alea-2", [(find("alea-2", "^match")[0], None)]),
        (
            "not finished",
            "alea-3",
            [(find("alea-3", f"^{key}")[0], None) for key in ("points", "tie", "winners", "end")],
        ),
        ("hidden", "alea-4", changed("alea-4", r"^3\d\d - =", "=.*", "=?")),
    ]
    found = []
    for name, base, edits in cases:
        try:
            verify(edited(texts[base], edits))
        except Refused as error:
            why = {"line": error.line, "ply": error.ply, "found": error.found, "expected": error.expected}
            found.append({"name": name, "base": base, "edits": edits, **why, "error": str(error)})
        else:
            raise AssertionError(f"nobody noticed: {name}")
    return found


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    for name, match in MATCHES.items():
        (FOLDER / f"{name}.game").write_text(write(played(name=name, **match)), encoding="utf-8")
    for file, rows in (("vectors", vectors()), ("tampered", tampered())):
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        (FOLDER / f"{file}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
