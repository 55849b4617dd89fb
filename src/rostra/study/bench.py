"""The speed of the shipped games, each figure as a ratio to a reference measured in the same run, in CPU time.

Machines differ and are noisy, so an absolute time says little; a ratio to a fixed piece of work done a moment before
says more. Figures of single operations are means over positions from random play, because a single position would be
measured from the processor's caches.
"""

import functools
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from rostra.bots import make_bot
from rostra.engine import rng
from rostra.engine.jit import Array, compiled
from rostra.engine.loops import loops_of, prepare, start
from rostra.games import find_game
from rostra.games.alea.scoring import WORK_SIZE, best_worth, score
from rostra.games.alea.state import STATE
from rostra.games.alea.tables import ALL_CARDS, N_PATRICIANS, N_PROVINCES
from rostra.study.peers import Missing, measure
from rostra.study.simulate import simulate

REFERENCE_STEPS = 20_000_000


class Figure(NamedTuple):
    """One line of the table."""

    name: str
    value: float
    unit: str
    ratio: float
    reference: str


@compiled(None, rng.RNG, int, long=True)
def _reference(rng_state: Array, steps: int) -> None:
    """A fixed piece of work: steps of our generator, each depending on the one before."""
    for _ in range(steps):
        rng_state[0] ^= rng.step(rng_state)  # fed back, or LLVM would remove the loop


@compiled(None, [STATE], int, long=True)
def _copies(states: Array, times: int) -> None:
    for i in range(times):
        states[1 + (i & 1)] = states[0]


@compiled(None, [STATE], int, [[np.int32]], long=True)
def _scores(states: Array, times: int, out: Array) -> None:
    for _ in range(times):
        for i in range(len(states)):
            score(states[i], out)


@compiled(None, [np.int64], [np.int64], [np.int64], long=True)
def _worths(masks: Array, work: Array, out: Array) -> None:
    for i in range(len(masks)):
        out[i] = best_worth((1 << N_PROVINCES) - 1, (1 << N_PATRICIANS) - 1, masks[i], work)


def _seconds(run: Callable[[], object], *, times: int = 3) -> float:
    """CPU seconds of the fastest of some runs: a disturbance only makes a run slower."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def reference_seconds() -> float:
    """CPU seconds of one step of the reference work."""
    state = rng.generator(1)
    return _seconds(lambda: _reference(state, REFERENCE_STEPS)) / REFERENCE_STEPS


def figures() -> Iterator[Figure]:
    """All figures but those of peers, in the order they are measured."""
    prepare(find_game("alea"))
    step = reference_seconds()
    yield from _random_games(step)
    yield from _threads()
    yield from _scoring(step)
    yield from _record(step)
    yield from _starts()


def _random_games(step: float) -> Iterator[Figure]:
    for name, seats, games in (
        *(("alea", seats, 12_000) for seats in (2, 3, 4, 5)),
        *(("quovadis", seats, 3_000) for seats in (3, 4, 5)),
    ):
        decisions, seconds = _played(name, seats, games)
        rate, per_game = games / seconds, seconds / games / step
        yield Figure(f"{name}, random games, {seats} players", rate, "games/s", per_game, "steps a game")
        if (name, seats) != ("alea", 3) and seats < 5:
            per_decision = seconds / decisions
            rate = 1 / per_decision
            yield Figure(f"{name}, decisions, {seats} players", rate, "each second", per_decision / step, "steps each")


def _played(name: str, seats: int, games: int) -> tuple[int, float]:
    """Decisions and CPU seconds of games of random players, with exact scoring, on one thread."""
    game = find_game(name)
    prepare(game)
    states = np.zeros(3, game.rules.state)
    states[2] = game.new(seats)
    results, tallies = np.zeros((games, 3, seats), np.int32), np.zeros((games, len(game.play.tallies)), np.int32)
    policies, buffer = np.zeros(seats, np.int32), np.empty(game.rules.max_legal, np.int32)
    play = loops_of(game).games
    decisions = play(states, policies, 1, 0, buffer, results, tallies)
    return decisions, _seconds(lambda: play(states, policies, 1, 0, buffer, results, tallies))


def _threads() -> list[Figure]:
    game, bots = find_game("alea"), [make_bot("random")] * 2

    def wall(workers: int) -> float:
        start = time.perf_counter()
        simulate(game, bots, 40_000, workers=workers)
        return time.perf_counter() - start

    pairs = [(wall(1), wall(2)) for _ in range(5)]  # in turn, so that noise meets both
    one, two = (min(times) for times in zip(*pairs, strict=True))
    return [Figure("two threads", 40_000 / two, "games/s", one / two, "times one thread (wall time)")]


def _end_states(seats: int, number: int) -> Array:
    """States after random games to the end."""
    game = find_game("alea")
    play = loops_of(game).play
    ends, states = np.zeros(number, game.rules.state), np.zeros(2, game.rules.state)
    dice, choices = np.zeros(1, np.uint64), np.zeros((seats, 1), np.uint64)
    log, counts = np.zeros(0, np.int32), np.zeros(2, np.int64)
    policies, buffer = np.zeros(seats, np.int32), np.empty(game.rules.max_legal, np.int32)
    for index in range(number):
        states[0] = game.new(seats)
        dice_seed = start(dice, choices, 2, index)
        counts[:] = 0
        play(states, policies, dice_seed, (dice, choices), buffer, log, counts)
        ends[index] = states[0]
    return ends


def _scoring(step: float) -> list[Figure]:
    found = []
    for seats in (2, 4):
        ends, out = _end_states(seats, 1000), np.zeros((3, seats), np.int32)
        seconds = _seconds(functools.partial(_scores, ends, 20, out)) / (20 * len(ends) * seats)
        found.append(
            Figure(f"final scoring, {seats} players", seconds * 1e6, "us a player", seconds / step, "steps a player")
        )
    return [*found, _worst_scoring(step)]


def _worst_scoring(step: float) -> Figure:
    """All tiles and every possible hand of six cards: of the slowest hands each is timed again by itself."""
    bits = [1 << bit for bit in range(ALL_CARDS.bit_length())]
    hands = np.array([sum(hand) for hand in combinations(bits, 6)], np.int64)
    work = np.empty(WORK_SIZE, np.int64)
    out = np.empty(len(hands), np.int64)
    parts = np.array_split(hands, 500)
    parts.sort(key=lambda part: _seconds(functools.partial(_worths, part, work, out), times=2) / len(part))
    slowest = [np.repeat(hand, 50) for part in parts[-10:] for hand in part]
    worst = max(_seconds(functools.partial(_worths, hand, work, out)) for hand in slowest) / 50
    return Figure("final scoring, worst case", worst * 1e6, "us", worst / step, "steps (36 patricians, six cards)")


def _record(step: float) -> list[Figure]:
    game = find_game("alea")
    states = np.zeros(3, game.rules.state)
    seconds = _seconds(lambda: _copies(states, 5_000_000)) / 5_000_000
    size = game.rules.state.itemsize
    return [
        Figure("state record", size, "bytes", size / 512, "of 512 bytes"),
        Figure("copying a state", seconds * 1e9, "ns", seconds / step, "steps"),
    ]


def _cpu(*command: str, times: int = 5, **environment: str) -> float:
    """CPU seconds of a whole process, the best of some runs."""
    code = (
        "import resource,subprocess,sys;subprocess.run(sys.argv[1:],check=True,stdout=subprocess.DEVNULL);"
        "r=resource.getrusage(resource.RUSAGE_CHILDREN);print(r.ru_utime+r.ru_stime)"
    )

    def run() -> float:
        whole = [sys.executable, "-c", code, *command]
        return float(subprocess.run(whole, check=True, capture_output=True, env={**os.environ, **environment}).stdout)

    return min(run() for _ in range(times))


def _cold(*command: str) -> float:
    """CPU seconds of a process that finds no compiled code."""
    with tempfile.TemporaryDirectory() as empty:
        return _cpu(*command, times=1, XDG_CACHE_HOME=empty)


def _starts() -> Iterator[Figure]:
    """Whole processes: the version, and the first game with code on disk and without."""
    rostra = (sys.executable, "-m", "rostra")
    bare = _cpu(sys.executable, "-c", "import numpy")
    version = _cpu(*rostra, "--version")
    yield Figure("rostra --version", version, "CPU s", version / bare, 'times python -c "import numpy"')

    numba = _cpu(sys.executable, "-c", "import numba; numba.njit('i8(i8)')(lambda x: x)(1)")

    def figure(name: str, seconds: float) -> Figure:
        return Figure(name, seconds, "CPU s", seconds / numba, "times a bare Numba function")

    one_game = (*rostra, "simulate", "alea", "--seats", "2", "--bots", "random,random", "--games", "1")
    yield figure("first game, warm cache", _cpu(*one_game))
    yield figure("first simulation, cold compile", _cold(*one_game))
    both = 0.0
    for name in ("alea", "quovadis"):
        # As a server does it: one process for each game, first what a table needs, then what bots need.
        game = f"from rostra.games import find_game; prepare(find_game('{name}'))"
        table = _cold(sys.executable, "-c", f"from rostra.engine.loops import prepare; {game}")
        all_of_it = _cold(sys.executable, "-c", f"from rostra.bots import prepare; {game}")
        both += all_of_it
        yield figure(f"{name}, the table, cold compile", table)
        yield figure(f"{name}, its bots, cold compile", all_of_it - table)
    yield figure("both games with bots, cold compile", both)


def run(*, peers: bool, as_json: bool) -> int:
    """Measure and print."""
    if not as_json:
        print(f"{platform.machine()}, Python {platform.python_version()}, {_processor()}", flush=True)
    lines: list[dict[str, Any]] = []
    ours = 0.0
    for figure in figures():
        lines.append(figure._asdict())
        ours = figure.value if figure.name == "alea, decisions, 2 players" else ours
        if not as_json:
            print(_line(*figure), flush=True)
    if peers:
        for peer in measure():
            if isinstance(peer, Missing):
                lines.append({"name": peer.name, "missing": peer.reason})
                text = f"{peer.name:34} {'-':>12} {peer.reason}"
            else:
                ratio = ours / peer.per_second
                lines.append(
                    {
                        "name": peer.name,
                        "version": peer.version,
                        "value": peer.per_second,
                        "unit": "each second",
                        "ratio": ratio,
                        "note": peer.note,
                    }
                )
                said = f"is ours by theirs; version {peer.version}; {peer.note}"
                text = _line(peer.name, peer.per_second, "each second", ratio, said)
            if not as_json:
                print(text, flush=True)
    if as_json:
        print(json.dumps({"python": platform.python_version(), "processor": _processor(), "figures": lines}, indent=1))
    return 0


def _line(name: str, value: float, unit: str, ratio: float, reference: str) -> str:
    return f"{name:34} {_number(value):>12} {unit:12} {ratio:10.2f} {reference}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            return next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"
