"""Compiles games in processes beside this one, so that nobody waits in silence after an install or update.

Each process takes a game and compiles its table first, then its bots. `python -m rostra.bots.preparing GAME` is such a
process: it writes its progress to standard output, a JSON list in each line.
"""

import asyncio
import json
import logging
import os
import sys
import threading
import time
from contextlib import suppress
from typing import TextIO

from rostra import bots
from rostra.engine import loops
from rostra.engine.game import Game
from rostra.engine.jit import Unit
from rostra.games import find_game

TABLE, BOTS = "table", "bots"
PARTS = (TABLE, BOTS)
BAR = 24
"""Width of the bar on a terminal."""
log = logging.getLogger("rostra.preparing")


class Preparing:
    """What is compiled of some games, and who waits for it."""

    def __init__(self, games: list[Game]) -> None:
        self.began = time.monotonic()
        self.shares = {
            game.name: {TABLE: _share(loops.table_of(game)), BOTS: _share(bots.unit_of(game))} for game in games
        }
        """How much of each part is compiled, from 0 to 1."""
        self._waiting = [name for name, parts in self.shares.items() if min(parts.values()) < 1]
        self._changed = asyncio.Condition()

    @property
    def done(self) -> bool:
        """Whether everything is compiled."""
        return all(min(parts.values()) >= 1 for parts in self.shares.values())

    @property
    def share(self) -> float:
        """How much of everything is compiled."""
        return sum(sum(parts.values()) for parts in self.shares.values()) / max(1, len(PARTS) * len(self.shares))

    async def wait(self, game: str, part: str) -> None:
        """Return when this part is compiled; a game that somebody waits for comes first."""
        if self.shares.get(game, {}).get(part, 1) >= 1:
            return
        if game in self._waiting:
            self._waiting.remove(game)
            self._waiting.insert(0, game)
        async with self._changed:
            await self._changed.wait_for(lambda: self.shares[game][part] >= 1)

    async def run(self) -> None:
        """Compile everything, on all cores."""
        await asyncio.gather(*(self._work() for _ in range(os.cpu_count() or 1)))

    async def _work(self) -> None:
        while self._waiting:
            name = self._waiting.pop(0)
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", __name__, name,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the server, which ends this process
            )  # fmt: skip
            try:
                assert process.stdout is not None
                async for line in process.stdout:
                    await self._heard(name, *json.loads(line))
                if await process.wait():
                    log.error("cannot compile", extra={"game": name, "exit_code": process.returncode})
            finally:
                if process.returncode is None:
                    with suppress(ProcessLookupError):
                        process.kill()
            for part in PARTS:  # after a failure too: whoever waits then meets the error itself
                await self._heard(name, part, 1.0)

    async def _heard(self, name: str, part: str, share: float) -> None:
        async with self._changed:
            self.shares[name][part] = max(share, self.shares[name][part])
            self._changed.notify_all()

    async def show(self, out: TextIO) -> None:
        """Show the progress until everything is compiled: a bar on a terminal, else a line now and then."""
        if self.done:
            return
        live = out.isatty()
        while not self.done:
            full = int(BAR * self.share)
            bar = f"[{'#' * full}{'.' * (BAR - full)}] " if live else ""
            seconds = time.monotonic() - self.began
            text = f"The bots are getting ready: {bar}{self.share:.0%}, {seconds:.0f} s"
            print(f"\r\x1b[K{text}" if live else text, end="" if live else "\n", file=out, flush=True)
            await asyncio.sleep(0.3 if live else 1.9)
        end = f"Everything is ready after {time.monotonic() - self.began:.0f} s."
        print(f"\r\x1b[K{end}" if live else end, file=out, flush=True)


def _share(unit: Unit | None) -> float:
    return 1.0 if unit is None or unit.on_disk() else 0.0


def main(name: str) -> None:
    """Compile a game."""
    from rostra.engine.units import reporting

    game = find_game(name)
    for part, prepare in ((TABLE, loops.prepare), (BOTS, bots.prepare)):

        def tell(unit: str, share: float, part: str = part) -> None:
            print(json.dumps([part, min(share, 0.99)]), flush=True)

        with reporting(tell):
            prepare(game)
        print(json.dumps([part, 1.0]), flush=True)


def _end_with_parent() -> None:
    """Standard input is a pipe that closes when the process that started this one ends, however it ends."""
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(5)  # the server comes first
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(BrokenPipeError, KeyboardInterrupt):  # nobody needs it any more
        main(sys.argv[1])
