"""What finished matches leave behind: results for histories, and OpenSkill ratings.

A seat's result belongs to who sat there when the match began; whoever left, resigned or was replaced for good is last.
A match is rated when it was played to its end without hints and without going back, each seat by who began it or by a
bot that stood in, by different people, at least one. People and bots are on one scale, for each game and number of
seats.
"""

import asyncio
import functools
import logging
from collections.abc import Callable
from typing import NamedTuple

from openskill.models import PlackettLuce

from rostra.server.rooms import Rooms
from rostra.server.store import Statements, Store, StoreError
from rostra.server.table import Refusal, Table

log = logging.getLogger("rostra.records")

MIDDLE, STEP = 1500.0, 40.0
"""What is shown: the middle of the scale, and points for one unit of OpenSkill."""
CATCH_UP = 600.0
"""Seconds between looks for finished matches whose process died before it noted them."""
_MODEL = PlackettLuce()


class Outcome(NamedTuple):
    """How one seat did; the columns of the table `results` after the match, and who is rated for it."""

    seat: int
    person: str | None
    name: str
    bot: str | None
    points: int
    place: int
    won: int

    @property
    def player(self) -> str:
        """The name in the table of ratings."""
        return self.person if self.person is not None else f"bot:{self.bot}"


class Record(NamedTuple):
    """What is noted of a match."""

    match: str
    game: str
    listed: int
    at: int
    rated: bool
    outcomes: list[Outcome]


def shown(mu: float, sigma: float) -> tuple[int, int]:
    """A rating as people see it, and how far it may be off (95 %)."""
    return round(MIDDLE + STEP * (mu - 25)), round(2 * STEP * sigma)


def record_of(table: Table) -> Record:
    """What a finished match leaves behind; nothing where it was broken off."""
    result = table.result()
    settings, empty = table.settings, Record(table.id, table.game.name, 0, table.at, False, [])
    if result is None or result.end == "abandoned" or table.match is None or not result.points:
        return empty
    first = table.handovers.first
    gone = {number for number, seat in enumerate(table.seats) if seat.resigned or seat.person != first[number][0]}

    def key(seat: int) -> tuple[bool, bool, int, int]:
        bonus = result.tiebreak[seat] if result.tiebreak else 0
        return seat not in gone, seat in result.winners, result.points[seat], bonus

    places = {seat: 1 + sum(key(other) > key(seat) for other in range(len(first))) for seat in range(len(first))}
    outcomes = [
        Outcome(
            seat, person, name, bot, int(result.points[seat]), places[seat],
            int(seat in result.winners and seat not in gone),
        )
        for seat, (person, bot, name) in enumerate(first)
    ]  # fmt: skip
    people = [person for person, _, _ in first if person is not None]
    strangers = any(seat.person not in (None, first[number][0]) for number, seat in enumerate(table.seats))
    rated = (
        bool(people) and len({*people}) == len(people) and not strangers
        and not settings.hints and table.match.epoch == 0
    )  # fmt: skip
    return Record(table.id, table.game.name, int(settings.listed), table.at, rated, outcomes)


def note(record: Record) -> Statements[bool]:
    """Note a match; False where somebody else has."""
    values = (record.match, record.at, int(record.rated))
    if not (yield "INSERT INTO noted VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING match", values):
        return False
    seats = len(record.outcomes)
    for one in record.outcomes:
        yield (
            "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (record.match, one.seat, one.person, one.name, one.bot, record.game, seats, one.points, one.place, one.won,
             record.listed, record.at),
        )  # fmt: skip
    if record.rated:
        yield from _rate(record.game, record.outcomes)
    return True


def _rate(game: str, outcomes: list[Outcome]) -> Statements[None]:
    yield "UPDATE rating_lock SET n = n + 1", ()
    found: dict[str, tuple[float, float, int]] = {}
    for player in {one.player for one in outcomes}:
        rows = yield (
            "SELECT mu, sigma, games FROM ratings WHERE player = ? AND game = ? AND seats = ?",
            (player, game, len(outcomes)),
        )  # fmt: skip
        mu, sigma, games = rows[0] if rows else (_MODEL.mu, _MODEL.sigma, 0)
        found[player] = (mu, sigma, games)
    teams = [[_MODEL.create_rating([*found[one.player][:2]])] for one in outcomes]
    rated = _MODEL.rate(teams, ranks=[float(one.place) for one in outcomes])
    after: dict[str, list[tuple[float, float]]] = {}
    for one, (new,) in zip(outcomes, rated, strict=True):
        after.setdefault(one.player, []).append((new.mu, new.sigma))
    for player, news in sorted(after.items()):  # a bot in two seats: the mean of both
        mu, sigma = (sum(part) / len(news) for part in zip(*news, strict=True))
        yield (
            "INSERT INTO ratings VALUES (?, ?, ?, ?, ?, 1) ON CONFLICT (player, game, seats) "
            "DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, games = ratings.games + 1",
            (player, game, len(outcomes), mu, sigma),
        )  # fmt: skip


class Records:
    """Notes matches when they end, and those that a dead process left."""

    def __init__(self, store: Store, rooms: Rooms, clock: Callable[[], int]) -> None:
        self._store = store
        self._rooms = rooms
        self._clock = clock

    async def note(self, record: Record) -> None:
        """Note a match, once among all processes."""
        try:
            await self._store.transact(lambda: note(record))
        except StoreError as error:
            log.warning("note", extra={"match": record.match, "problem": str(error)})  # `catch_up` does it later

    async def catch_up(self) -> int:
        """Note what is not noted yet, at most 100 matches; the number of them."""
        missing = await self._store.rows(
            "SELECT id FROM matches WHERE status = 'over' AND NOT EXISTS (SELECT 1 FROM noted WHERE match = id) "
            "ORDER BY changed LIMIT 100"
        )
        for (match,) in missing:
            try:
                record = await self._rooms.read(match, record_of)
            except Refusal:  # begun with rules that this server does not have
                record = Record(match, "", 0, self._clock(), False, [])
            except StoreError:
                raise
            except Exception as error:  # a log that cannot be read must not keep the others waiting
                log.error("note", exc_info=error, extra={"match": match})
                record = Record(match, "", 0, self._clock(), False, [])
            await self._store.transact(functools.partial(note, record))
        return len(missing)

    async def keep_up(self) -> None:
        """Do so for ever."""
        while True:
            try:
                while await self.catch_up():
                    await asyncio.sleep(0.1)
            except StoreError as error:
                log.warning("catch up", extra={"problem": str(error)})
            await asyncio.sleep(CATCH_UP)
