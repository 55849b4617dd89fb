"""Who is next when all workers are busy: people who wait come first, then all others in turn.

Within a rank every person has a turn, and of each person every match. So whoever asks for much waits for oneself, and
whoever asks for little is served after one job of each of the others.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from typing import Generic, NamedTuple, TypeVar

from rostra.server import metrics
from rostra.server.limits import Limits
from rostra.server.table import Refusal

Thing = TypeVar("Thing")

AWAITED, PEOPLE, BOTS = range(3)
"""Ranks: somebody sits there and waits, people play but nobody looks, only bots play."""
RETRY_MS = 3000


class Place(NamedTuple):
    """For whom something is to be done: its rank, the person it counts for, and the match."""

    rank: int
    owner: str
    match: str


class Line(Generic[Thing]):
    """A line for things of which there are few."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._ranks: list[OrderedDict[str, OrderedDict[str, deque[asyncio.Future[Thing]]]]]
        self._ranks = [OrderedDict() for _ in (AWAITED, PEOPLE, BOTS)]
        self._waiting: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._waiting.total()

    def check(self, owner: str) -> None:
        """Refuse one more of this person where too many wait. Where others have filled the line, one is still possible:
        nobody can be kept out by them."""
        most, each = self._limits.queue, self._limits.queue_person
        if each and self._waiting[owner] >= each:
            raise Refusal("crowded", f"{each} things for you wait for the computer already; try again", RETRY_MS)
        if most and len(self) >= most and self._waiting[owner]:
            raise Refusal("crowded", "too many wait for the computer now; try again", RETRY_MS)

    def join(self, place: Place) -> "asyncio.Future[Thing]":
        """Stand in line; whoever waits no longer cancels the future."""
        self.check(place.owner)
        turn: asyncio.Future[Thing] = asyncio.get_running_loop().create_future()
        matches = self._ranks[place.rank].setdefault(place.owner, OrderedDict())
        matches.setdefault(place.match, deque()).append(turn)
        self._count(place.owner, 1)
        return turn

    def serve(self, thing: Thing) -> bool:
        """Give it to who is next; False if nobody waits."""
        for rank in self._ranks:
            while rank:
                turn = self._next(rank)
                if not turn.done():
                    turn.set_result(thing)
                    return True
        return False

    def _next(
        self, rank: "OrderedDict[str, OrderedDict[str, deque[asyncio.Future[Thing]]]]"
    ) -> "asyncio.Future[Thing]":
        """Take the next one out; its person and match go to the end."""
        owner, matches = next(iter(rank.items()))
        match, turns = next(iter(matches.items()))
        turn = turns.popleft()
        self._count(owner, -1)
        matches.move_to_end(match)
        rank.move_to_end(owner)
        if not turns:
            del matches[match]
        if not matches:
            del rank[owner]
        return turn

    def _count(self, owner: str, more: int) -> None:
        self._waiting[owner] += more
        if not self._waiting[owner]:
            del self._waiting[owner]
        metrics.JOBS_WAITING.inc(more)


class Pool(Generic[Thing]):
    """Things that are lent out, to one after the other."""

    def __init__(self, things: list[Thing], limits: Limits) -> None:
        self.line: Line[Thing] = Line(limits)
        self._free = things[::-1]

    async def borrow(self, place: Place) -> Thing:
        """One of them, when it is this place's turn."""
        if self._free:
            return self._free.pop()  # the one used last: others need not be started
        turn = self.line.join(place)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back(turn.result())
            raise

    def give_back(self, thing: Thing) -> None:
        """It is free again."""
        if not self.line.serve(thing):
            self._free.append(thing)
