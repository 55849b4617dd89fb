"""The server's core inside the test process: on a real store, with a clock that the test controls."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from rostra.server import schema, seen
from rostra.server.live import Live
from rostra.server.notify.wishes import NOTHING, Wishes
from rostra.server.store import open_store
from rostra.server.table import Refusal, Table
from rostra.server.workers import Workers


class Tab:
    """A browser tab: who sits before it, and all that it was told."""

    def __init__(self, person: str | None) -> None:
        self.person = person
        self.away = False
        self.told: list[dict[str, Any]] = []

    def post(self, message: bytes) -> None:
        self.told.append(json.loads(message))

    def last(self, part: str) -> Any:
        return next(update[part] for update in reversed(self.told) if part in update)


class House:
    """A house with a clock of its own."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.now = 1_000_000
        self._ids = iter(range(10**6))

    async def people(self, *names: str) -> list[str]:
        return [(await self.live.people.add(name)).person for name in names]

    async def match(self, creator: str, seats: str, game: str = "alea", **wanted: Any) -> str:
        plan = [schema.SeatPlan(w) if w in ("me", "open") else schema.SeatPlan("bot", w) for w in seats.split()]
        settings = schema.Settings(**({"pace": 0.0} | wanted.pop("settings", {})))
        made = await self.live.create(creator, schema.NewMatch(game, plan, wanted.get("options", {}), settings))
        return made.match

    async def do(self, kind: type[schema.Command], match: str, person: str | None, **fields: Any) -> schema.Done:
        return await self.live.rooms.command(kind(id=str(next(self._ids)), match=match, **fields), person)

    async def sit(self, match: str, *people: str) -> None:
        for seat, person in enumerate(people):
            await self.do(schema.Sit, match, person, seat=seat, name=f"P{seat}")

    async def look(self, match: str, what: Callable[[Table], Any] = lambda table: table) -> Any:
        return await self.live.rooms.read(match, what)

    async def play(self, match: str, moves: int = 1) -> None:
        """Let the people at the table make moves."""
        for _ in range(moves):
            table: Table = await self.look(match)
            if table.turn is None or table.match is None:
                return
            legal = [m for m in seen.choices(table, table.match)[0] if not m.startswith("R")]
            ply, person = len(table.match.log), table.seats[table.turn].person
            await self.do(
                schema.Play, match, person, seat=table.turn, epoch=table.match.epoch, ply=ply,
                move=legal[ply * 7919 % len(legal)],
            )  # fmt: skip

    async def wait(self, match: str, seconds: float, done: Callable[[Table], bool] | None = None) -> None:
        """Let time pass, and the house do what is due then (for bots: until it is so)."""
        self.now += int(seconds * 1000)
        for _ in range(2000):
            await self.live.keeper.serve(match)
            if done is None or await self.look(match, done):
                return
            await asyncio.sleep(0.01)
        raise AssertionError("it did not happen")

    async def watch(self, match: str, person: str | None, seat: int | None, detailed: bool = False) -> Tab:
        tab = Tab(person)
        await self.live.rooms.watch(tab, match, seat, detailed)
        return tab


@contextlib.asynccontextmanager
async def a_house(file: Path | str, bot_seconds: float = 20, wishes: Wishes = NOTHING) -> AsyncIterator[House]:
    """A house whose database is this file, or has this address."""
    store = await open_store(file if isinstance(file, str) else f"sqlite:{file}")
    workers = Workers(1, bot_seconds)
    house = House(live := Live(store, workers, lambda: house.now, wishes=wishes))
    try:
        yield house
    finally:
        await live.close()
        await workers.close()
        await store.close()


async def refused(code: str, work: Awaitable[Any]) -> None:
    with pytest.raises(Refusal) as found:
        await work
    assert found.value.code == code, found.value
