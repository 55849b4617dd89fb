"""Upgrade a server from the last release while matches are played: `python tests/bench/upgrade.py`.

The release is taken out of git into a temporary folder and started with its own code. People and bots play on it, it is
stopped (or killed) in the middle of everything, and the present version starts on the same database and the same port.
The clients reconnect and play on, several times over. At the end every command that either version acknowledged must be
in the log, every match must be finished, and every seed must confirm its dice.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from kill_many import LAST_MATCH, Tables

from live_server import Server, a_postgres, new_database

ROOT = Path(__file__).parents[2]
RELEASE = "f7df440"
"""The last release, 0.8.0; a tag or commit."""
BEFORE, AFTER = 150, 150
"""Commands that are acknowledged by the old version before it is stopped, and by the new one before the end."""


def take_out(release: str, folder: Path) -> Path:
    """The sources of a release."""
    archive = subprocess.run(["git", "archive", release, "src"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "--extract", "--directory", str(folder)], input=archive, check=True)
    return folder / "src"


class Upgraded(Tables):
    """Tables at which people play from one version into the next."""

    async def upgrade(self, old: Server, new: Server, kill: bool) -> tuple[int, int, float]:
        """How many commands each version acknowledged, and the seconds between them."""
        async with asyncio.TaskGroup() as group:
            self.play(group)
            await self._until(BEFORE)
            self.waiting = sum(client.waiting for client in self._clients)
            began, by_old = time.perf_counter(), len(self.told)
            await asyncio.to_thread(old.kill if kill else old.stop)
            await asyncio.to_thread(new.start)
            gap = time.perf_counter() - began
            await self._until(by_old + AFTER)
            self.closing = True
            if (await asyncio.wait(self._players, timeout=LAST_MATCH))[1]:
                raise TimeoutError(f"matches still go on {LAST_MATCH} seconds after the upgrade")
        return by_old, len(self.told) - by_old, gap


def compile_it(sources: Path, cache: Path) -> tuple[str, ...]:
    """Compile the tables of the release, in a cache of its own; what its commands begin with."""
    prefix = ("env", f"PYTHONPATH={sources}", f"XDG_CACHE_HOME={cache}")
    code = "from rostra.engine.loops import prepare\nfrom rostra.games import all_games\n"
    code += "import rostra\nprint(rostra.__version__, *map(prepare, all_games().values()))"
    subprocess.run([*prefix, sys.executable, "-c", code], check=True)
    return prefix


def run(kind: str, prefix: tuple[str, ...], kill: bool, seed: int, folder: Path, postgres: str) -> None:
    """One upgrade, and its line in the report."""
    database = new_database(kind, folder, postgres)
    old = Server(database, log=folder / "old.log", private=False).start(prefix)
    new = Server(database, port=old.port, log=folder / "new.log")
    tables = Upgraded(old, seed)
    try:
        by_old, by_new, gap = asyncio.run(tables.upgrade(old, new, kill))
        tables.server = new
        report = asyncio.run(tables.check(0))
    finally:
        for server in (old, new):
            if server.process is not None:
                server.kill()
    text = (folder / "new.log").read_text(encoding="utf-8")
    assert "Traceback" not in text, text[-2000:]
    checked = subprocess.run(
        [sys.executable, "-m", "rostra", "admin", "check", "--database", database], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    how = "killed" if kill else "stopped"
    print(
        f"{kind}, {how}: {by_old} commands before, {by_new} after, {tables.waiting} without an answer between; "
        f"{report.matches} matches finished, 0 lost, {gap:.1f} s without a server"
    )


def main() -> None:
    """Upgrade on both databases, after a stop and after a kill."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", default=RELEASE)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), help="only this one")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    kinds = [args.database] if args.database else ["sqlite", "postgresql"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "release").mkdir()
        prefix = compile_it(take_out(args.release, folder / "release"), folder / "cache")
        with a_postgres(folder / "postgres") as server:
            for kind in kinds:
                for kill in (False, True):
                    run(kind, prefix, kill, args.seed, folder, server.get_uri())


if __name__ == "__main__":
    main()
