"""What a list costs the server with 100,000 matches: `python tests/bench/list_speed.py [--database postgresql]`.

All matches are public and of one busy person: half of them are over, and in half of the others it is that person's
turn.
Prints for each list the CPU of the server's process, and the time.
"""

import argparse
import asyncio
import contextlib
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from live_server import a_postgres, new_database
from rostra.server import routes
from rostra.server.limits import LIMITS
from rostra.server.live import Live
from rostra.server.store import Change, MatchRow, SeatRow, Store, open_store
from rostra.server.store.lists import Query, numbered, statement
from rostra.server.workers import Workers

BUSY = "busy"
"""The id and the name of a person in every match."""
_BODY = '{"game":"alea","seats":[{"kind":"me"},{"kind":"open"}],"options":{},"settings":{"listed":true}}'
_SEATED = f'[["person","{BUSY}",null,false,"{BUSY}"],["person","other",null,false,"other"]]'
_RESULT = '{"points":[1,2],"tiebreak":[0,0],"winners":[1],"end":"final"}'


async def fill(store: Store, number: int) -> None:
    """So many matches of a busy person."""
    for person in (BUSY, "other"):
        await store.add_person(person, person, person, 0)

    async def one(i: int) -> None:
        over = i % 2
        row = MatchRow(
            f"m{i:019}", "alea", 1, _BODY, "00", BUSY, 1, "over" if over else "playing", i // 3, i, None, 0,
            None if over else i % 4 // 2, _SEATED, _RESULT if over else None,
        )  # fmt: skip
        await store.add_match(row)
        seats = tuple(
            SeatRow(seat, person, person, row.created, 1, over, i if row.turn == seat else None)
            for seat, person in enumerate((BUSY, "other"))
        )
        await store.sum(row.id, 0, i, Change(row.status, None, row.turn, row.seated, row.result, seats), None)

    for first in range(0, number, 500):
        await asyncio.gather(*(one(i) for i in range(first, min(number, first + 500))))
    await execute(store, "ANALYZE")


async def execute(store: Any, text: str, *values: Any) -> list[Any]:
    """A statement in the database of a store."""
    if store.shared:
        return list(await store._pool.fetch(numbered(text), *values))
    return list(await store.run(lambda db: db.execute(text, values).fetchall()))


async def plan(store: Any, query: Query) -> list[str]:
    """The steps in which the database answers a list; PostgreSQL is told that the tables are large."""
    text, values = statement(query)
    if not store.shared:
        return [str(row[-1]) for row in await execute(store, f"EXPLAIN QUERY PLAN {text}", *values)]
    async with store._pool.acquire() as db, db.transaction():
        await db.execute("SET LOCAL enable_seqscan = off")
        return [str(row[0]) for row in await db.fetch(f"EXPLAIN {numbered(text)}", *values)]


async def measure(database: str, number: int) -> None:
    """Fill, and time each list."""
    store = await open_store(database)
    workers = Workers(1)
    live = Live(store, workers, store.now)
    try:
        began = time.monotonic()
        await fill(store, number)
        print(f"{number} matches, made in {time.monotonic() - began:.0f} s; each list is a page of {routes.PAGE}")
        me = routes.PersonRow(BUSY, BUSY)
        for name, asked in {
            "open": {"show": "open"}, "mine": {"show": "mine"}, "finished": {"show": "finished"},
            "my turn next": {"show": "next"}, "by a name": {"show": "found", "q": BUSY},
            "by a game": {"show": "found", "q": "alea"},
            "open, in the middle": {"show": "open", "before": str(number // 6)},
            "mine, in the middle": {"show": "mine", "before": str(number // 6)},
        }.items():  # fmt: skip
            cpu, wall = [], []
            for _ in range(50):
                began_cpu, began = time.process_time(), time.perf_counter()
                page = await routes.list_matches(routes.Asked(live, me, "", {}, asked, None, "", routes.Gate(LIMITS)))
                cpu.append(1000 * (time.process_time() - began_cpu))
                wall.append(1000 * (time.perf_counter() - began))
                assert len(page.matches) == routes.PAGE
            print(f"{name:>20}: CPU {statistics.median(cpu):5.2f} ms, at most {max(cpu):5.2f}; "
                  f"time {statistics.median(wall):5.2f} ms")  # fmt: skip
    finally:
        await workers.close()
        await store.close()


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--matches", type=int, default=100_000)
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = ""
        if arguments.database == "postgresql":
            address = stack.enter_context(a_postgres(folder / "cluster")).get_uri()
        asyncio.run(measure(new_database(arguments.database, folder, address), arguments.matches))


if __name__ == "__main__":
    main()
