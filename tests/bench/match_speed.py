"""How long a live server waits for a match: `python tests/bench/match_speed.py` prints microseconds and ratios.

Random games with a seed, warm, in CPU time; every figure is the mean over all plies of a round, of the best of three
rounds. The ratio is to one `json.dumps` of a fixed dict of about 2 kB in the same round, because machines differ. Not a
test: nothing here fails.
"""

import json
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from rostra.engine.game import CHANCE
from rostra.games import GAMES
from rostra.play.dice import Stream
from rostra.play.match import Match

WARM_UP, GAMES_A_ROUND, ROUNDS = 100, 20, 3
REFERENCE = {f"key {i}": {"seat": i, "dice": "112233", "tiles": ["R3", "Rw1", "G4"], "sum": 3 * i} for i in range(25)}


class Clock:
    """Adds up times by name; the mean is per `times` that they were taken."""

    def __init__(self) -> None:
        self.total: dict[str, int] = defaultdict(int)
        self.number: dict[str, int] = defaultdict(int)

    @contextmanager
    def __call__(self, name: str, times: int = 1) -> Iterator[None]:
        start = time.thread_time_ns()
        yield
        self.add(name, time.thread_time_ns() - start, times)

    def add(self, name: str, elapsed: int, times: int = 1) -> None:
        self.total[name] += elapsed
        self.number[name] += times

    def means(self) -> dict[str, float]:
        return {name: total / self.number[name] / 1000 for name, total in self.total.items()}


def decisions(game: str, n_seats: int, seed: int, clock: Clock) -> None:
    """What a live server does at every decision of one game."""
    now = time.thread_time_ns
    chooser = random.Random(seed)
    match = Match(game, n_seats, seed=seed)
    texts = match.legal()
    while texts:
        move = chooser.choice(texts)
        began = now()
        match.play(move)
        played = now()
        match.view(0)
        seen = now()
        for seat in range(1, n_seats):
            match.view(seat)
        all_seen = now()
        texts = match.legal()
        listed = now()
        clock.add("one decision: all of it", listed - began)
        clock.add("  play, with its chance plies", played - began)
        clock.add("  view, first seat", seen - played)
        clock.add("  view, each further seat", all_seen - seen, n_seats - 1)
        clock.add("  legal texts", listed - all_seen)
        if len(texts) >= 100:
            clock.add("  legal texts, 100 moves or more", listed - all_seen)


def decisions_live(game: str, n_seats: int, seed: int, clock: Clock) -> None:
    """The same as a server has it: verifiable dice, and the views of two seats as JSON."""
    now = time.thread_time_ns
    chooser = random.Random(seed)
    match = Match(game, n_seats, dice=Stream(seed.to_bytes(32, "big"), "bench"))
    texts = match.legal()
    while not match.over:
        move = chooser.choice(texts)
        began = now()
        new = match.play(move)
        played = now()
        for seat in (0, 1):
            msgspec.json.encode(match.game.view(match.state, seat))
        texts = match.legal()
        msgspec.json.encode(texts)
        seen = now()
        clock.add("one decision: all of it, live", seen - began)
        clock.add("  two seats as JSON with legal moves", seen - played)
        if len(new) == 1:
            clock.add("  play, nothing drawn after it", played - began)
        elif len(new) == 2 and len(new[1].move) in (6, 9):
            clock.add(f"  play, then a roll of {len(new[1].move) - 1} dice", played - began)


def others(game: str, n_seats: int, seed: int, clock: Clock) -> None:
    """Reading texts, clicking, and loading a stored match."""
    chooser = random.Random(seed)
    match = Match(game, n_seats, seed=seed)
    while texts := match.legal():
        match.play(chooser.choice(texts))
    stored = [ply.move for ply in match.log]
    loaded = Match(game, n_seats)
    with clock("replay, a ply", len(stored)):
        loaded.replay(stored)
    assert loaded.events == match.events
    rules = match.game
    s = rules.new(n_seats)
    for text in stored:
        chance = rules.turn(s) == CHANCE
        with clock("parse, an outcome" if chance else "parse, a decision"):
            move = rules.parse(s, text)
        if not chance and chooser.random() < 0.1:
            with clock("paths of all legal moves"):
                rules.paths(s)
        rules.apply(s, move)


def best(measure: Callable[[str, int, int, Clock], None], game: str, n_seats: int) -> dict[str, tuple[float, float]]:
    """Microseconds and ratio of each part in its best round."""
    rounds = []
    for first in range(WARM_UP, WARM_UP + GAMES_A_ROUND * ROUNDS, GAMES_A_ROUND):
        clock = Clock()
        for seed in range(first, first + GAMES_A_ROUND):
            measure(game, n_seats, seed, clock)
            with clock("reference", 20):
                for _ in range(20):
                    json.dumps(REFERENCE)
        means = clock.means()
        rounds.append({part: (mean, mean / means["reference"]) for part, mean in means.items()})
    return {part: min(figures[part] for figures in rounds) for part in rounds[0]}


def main() -> None:
    print(f"reference: json.dumps of {len(json.dumps(REFERENCE)):,} characters")
    for game, n_seats in (("alea", 2), ("alea", 4), ("quovadis", 4)):
        print(f"\n{f'{GAMES[game].title}, {n_seats} players':36}{'µs':>9}{'ratio':>8}")
        for seed in range(WARM_UP):
            decisions(game, n_seats, seed, Clock())
        for measure in (decisions, decisions_live, others):
            for part, (mean, ratio) in best(measure, game, n_seats).items():
                print(f"{part:36}{mean:9.1f}{ratio:8.2f}")


if __name__ == "__main__":
    main()
