"""A bot of one's own at a seat of a live match, on this machine or on any server.

A function(view, legal) plays every game. In a game with deals a bot also answers offers and makes its own, as the bots
of the house do. For that, and for bots that think about records, the record is rebuilt from the log, which is possible
only where a log hides nothing.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from rostra.bots import Bot, make_bot
from rostra.bots.own import Choose
from rostra.client import Client, Refused, Table, request
from rostra.engine.game import BadOption, Game
from rostra.engine.rng import SEEDS, generator
from rostra.games import find_game
from rostra.play.match import Match

OFFERS = 2
"""Offers of its own that a bot makes in a turn."""
PATIENCE = 20.0
"""Seconds that a bot whose turn it is waits for answers to its offer."""


def play_live(
    server: str,
    bot: Bot | str | Choose,
    *,
    match: str | None = None,
    seat: int = 0,
    game: str = "alea",
    opponents: Sequence[str] = ("eques",),
    options: Mapping[str, str] | None = None,
    name: str = "Roboticus",
    token: str | None = None,
    key: str | None = None,
) -> dict[str, Any]:
    """Play one seat of a live match to its end and return the result.

    Without `match`, a new match of `game` against `opponents` is made. `token` is that of a person, `key` that of a
    link which opens the seat; without a token the bot is a new person. Where an event loop runs, await `join` instead.

    >>> server = "http://127.0.0.1:8765"
    >>> rostra.play_live(server, my_bot, game="quovadis", opponents=["eques", "tiro"])  # doctest: +SKIP
    {'points': [23, 19, 12], 'tiebreak': [1, 2, 3], 'winners': [0], 'end': 'senate-full'}
    """
    player = make_bot(bot)
    if match is None:
        seats = [*({"kind": "bot", "bot": one} for one in opponents)]
        seats.insert(seat, {"kind": "me"})
        plan = {"game": game, "seats": seats, "options": dict(options or {}), "settings": {"pace": 0, "talk": 0}}
    else:
        plan = None

    async def run() -> dict[str, Any]:
        proof = token or (await request(server, "POST", "/api/people", {"name": name}))["token"]
        where = match or (await request(server, "POST", "/api/matches", plan, proof))["match"]
        return await join(server, player, where, seat, token=proof, name=name, key=key)

    return asyncio.run(run())


async def join(
    server: str, bot: Bot, match: str, seat: int, *, token: str, name: str = "Roboticus", key: str | None = None
) -> dict[str, Any]:
    """Sit down at a live match, play to its end, and return the result."""
    async with Client(server, token) as client:
        table = await client.watch(match)
        game = find_game(table.about["game"])
        if game.knowledge.secret and bot.choose_by_view is None:
            raise BadOption(
                f"{bot.name} thinks about records, which cannot be rebuilt from a live match of {game.title}: its log "
                "hides what other seats got in secret; a function(view, legal) can play it"
            )
        if seat not in table.about["mine"] or table.about["seats"][seat]["name"] is None:
            fields = {"seat": seat, "name": name, "entropy": secrets.token_hex(16)} | ({"key": key} if key else {})
            await client.send("sit", match, **fields)
        table = await client.watch(match, seat)
        await _Player(client, table, game, bot, seat).play()
        return dict(table.about["result"])


class _Player:
    """A bot at its seat."""

    def __init__(self, client: Client, table: Table, game: Game, bot: Bot, seat: int) -> None:
        self.client, self.table, self.game, self.bot, self.seat = client, table, game, bot, seat
        self.rng = generator(secrets.randbelow(SEEDS))
        self.answered: set[int] = set()
        self.refused: list[list[str]] = []
        self.turn, self.offers, self.mine = -1, 0, -1
        self.acted: tuple[int, int] | None = None

    async def play(self) -> None:
        """Do what there is to do, then wait for news, until the match is over."""
        table = self.table
        while not table.over:
            known = table.number
            waiting = await self.step() if table.play else False
            if table.number == known and not table.over:
                try:
                    async with asyncio.timeout(PATIENCE if waiting else None):
                        await table.news(known)
                except TimeoutError:
                    self.offers = OFFERS  # nobody answers: act
                    await self.withdraw()

    async def step(self) -> bool:
        """Answer, offer or act; returns whether it waits for answers to an offer of its own."""
        play = self.table.play
        assert play is not None
        if self.game.desk is None:
            await self.act(play, self._by_view(play))
            return False
        s = self._record()
        if self.game.desk.open(s) and await self.talk(s):
            return bool(play["turn"] == self.seat)
        if play["turn"] == self.seat and play["legal"] and play["ply"] == self._plies:
            move = self.game.desk.act(self.bot, self.game, s, self.rng)
            await self.act(play, self.game.notation.text(s, move))
        return False

    async def act(self, play: Mapping[str, Any], move: str | None) -> None:
        """Make a move, once in each position."""
        here = play["epoch"], play["ply"]
        if not play["legal"] or move is None or here == self.acted:
            return
        self.acted = here
        try:
            await self.client.send("play", self.table.match, seat=self.seat, epoch=here[0], ply=here[1], move=move)
        except Refused as error:
            if error.code != "stale":
                raise

    def _by_view(self, play: Mapping[str, Any]) -> str | None:
        here = play["epoch"], play["ply"]
        if not play["legal"] or here == self.acted:
            return None
        if self.bot.choose_by_view is not None:
            return self.bot.choose_by_view(play["view"], play["legal"])
        s = self._record()
        return self.game.notation.text(s, self.bot.choose(self.game, s, self.rng))

    def _record(self) -> Any:
        """The position that the log leads to."""
        about = self.table.about
        names = [one["name"] or one["bot"] or "?" for one in about["seats"]]
        moves: list[str] = []
        for line in self.table.log:
            if line.get("undo"):
                del moves[line["ply"] :]
            elif line.get("move") is not None:
                moves.append(line["move"])
        match = Match(self.game, names, about["options"], rolls=False)
        match.replay(moves)
        self._plies = len(moves)
        return match.state

    async def talk(self, s: Any) -> bool:
        """Answer what others offer, or make an offer; returns whether it said something or waits for an answer."""
        desk = self.game.desk
        assert desk is not None
        if desk.turn(s) != self.turn:
            self.turn, self.offers, self.mine = desk.turn(s), 0, -1
            self.refused.clear()
        opened = [offer for offer in self.table.desk["offers"] if offer["status"] == "open"]
        for offer in opened:
            if self.seat in offer["parties"] and self.seat not in offer["yes"] and offer["offer"] not in self.answered:
                self.answered.add(offer["offer"])
                yes = desk.answer(self.bot, self.game, s, self.seat, offer["seat"], offer["terms"], self.rng)
                with contextlib.suppress(Refused):  # it is withdrawn, or play has gone on
                    await self.client.send("answer", self.table.match, seat=self.seat, offer=offer["offer"], yes=yes)
                return True
        if any(offer["offer"] == self.mine for offer in opened):
            return True
        while self.offers < OFFERS:
            self.offers += 1
            terms = desk.offer(self.bot, self.game, s, self.seat, self.refused, self.rng)
            if terms is None:
                self.offers = OFFERS
                return False
            self.refused.append(list(terms))
            with contextlib.suppress(Refused):  # somebody cannot pay it, or play has gone on
                await self.client.send("offer", self.table.match, seat=self.seat, terms=list(terms))
                own = [one["offer"] for one in self.table.desk["offers"] if one["seat"] == self.seat]
                self.mine = max(own, default=-1)
                return True
        return False

    async def withdraw(self) -> None:
        """Take back an offer that nobody answers."""
        if self.mine >= 0:
            with contextlib.suppress(Refused):
                await self.client.send("withdraw", self.table.match, seat=self.seat, offer=self.mine)
