"""Processes beside the server in which bots think, hints are found and matches are reviewed, one job at a time each.

A worker gets a state that was redealt for its seat, so it cannot know more than the seat may. Its answer is a text that
enters by the same door as a person's. A worker may be slow, die or answer nonsense at any time. Its job then goes to
another one, and after that the house plays any legal move, so no match waits for ever.
"""

import asyncio
import contextlib
import logging
import os
import secrets
import struct
import sys
import time
from typing import Any

import msgspec
import numpy as np

from rostra.bots import make_bot, prepare
from rostra.bots.preparing import BOTS, Preparing
from rostra.engine import rng
from rostra.engine.desk import Said
from rostra.engine.game import Game, copy
from rostra.engine.jit import State
from rostra.games import find_game
from rostra.play.transcript import read
from rostra.server.fair import Place, Pool
from rostra.server.limits import LIMITS, Limits
from rostra.study import analyse
from rostra.study.review import Hint, Review

log = logging.getLogger("rostra.workers")
STUDY = 120.0
"""Seconds for the review of a match."""
TROUBLE = (TimeoutError, OSError, asyncio.IncompleteReadError, msgspec.MsgspecError)
"""What a failing worker raises."""


class Question(msgspec.Struct, array_like=True):
    """What a bot is asked: its move (`act`), an offer of its own (`offer`), an answer (`answer`) to that of `by`, its
    price for a consent (`quote`) to what `terms` names; or what a person could do (`hint`), or how a whole match went
    (`review`, of a transcript)."""

    kind: str
    game: str
    bot: str
    seat: int
    state: bytes
    seed: int
    by: int = -1
    terms: list[str] = []
    refused: list[list[str]] = []
    transcript: str = ""


class Reply(msgspec.Struct, array_like=True):
    """What it answers: a move, or terms of an offer or counter-offer, or whether it accepts, or its price; a hint, or a
    review."""

    move: str | None = None
    terms: list[str] | None = None
    yes: bool = False
    hint: Hint | None = None
    review: Review | None = None
    lines: list[list[str] | None] = []
    """What the bot says: to its offer, or to its answer and its counter-offer."""
    price: int | None = None


def question(kind: str, game: Game, bot: str, seat: int, s: State) -> Question:
    """A question that holds nothing the seat may not know; what it says about offers the caller fills in."""
    seed = secrets.randbelow(rng.SEEDS)
    known = copy(s)
    game.knowledge.redeal(known, seat, rng.generator(seed))
    return Question(kind, game.name, bot, seat, known.tobytes(), seed)


def think(asked: Question) -> Reply:
    """Answer a question; runs in the worker."""
    if asked.kind == "review":
        return Reply(review=analyse.analyse(read(asked.transcript)))
    game = find_game(asked.game)
    prepare(game)
    s = np.frombuffer(asked.state, game.rules.state).copy()[0]
    if asked.kind == "hint":
        return Reply(hint=analyse.hint(game, s, at_table=True))
    bot, chance = make_bot(asked.bot, files=False), rng.generator(asked.seed)
    if asked.kind == "act":
        move = game.desk.act(bot, game, s, chance) if game.desk else bot.choose(game, s, chance)
        return Reply(move=game.notation.text(s, move))
    assert game.desk is not None
    if asked.kind == "quote":
        return Reply(price=game.desk.quote and game.desk.quote(bot, game, s, asked.seat, chance, asked.terms[0]))

    def line(said: Said) -> list[str] | None:
        assert game.desk is not None
        return game.desk.speak(bot, game, s, asked.seat, said) if game.desk.speak else None

    seat, by = asked.seat, asked.by
    if asked.kind == "offer":
        terms = game.desk.offer(bot, game, s, seat, asked.refused, chance)
        return Reply(terms=terms, lines=[line(Said("offer", seat, terms, asked.refused))] if terms else [])
    if game.desk.answer(bot, game, s, seat, by, asked.terms, chance):
        return Reply(yes=True, lines=[line(Said("yes", by, asked.terms))])
    lines, terms = [line(Said("no", by, asked.terms))], game.desk.counter(bot, game, s, seat, by, asked.terms, chance)
    if terms is not None:
        lines.append(line(Said("counter", seat, terms, [asked.terms])))
    return Reply(terms=terms, lines=lines)


class Workers:
    """A few processes that answer questions."""

    def __init__(
        self, number: int, seconds: float = 20.0, preparing: Preparing | None = None, limits: Limits = LIMITS
    ) -> None:
        self.preparing = preparing or Preparing([])
        self._seconds = seconds
        self._all = [_Worker() for _ in range(number)]
        self._thinkers = Pool(self._all, limits)
        self._student = _Worker()
        self._students = Pool([self._student], limits)

    def check(self, owner: str) -> None:
        """Refuse what would only wait: this person's work, or that of all, waits too long already."""
        self._thinkers.line.check(owner)

    async def ask(self, asked: Question, place: Place) -> Reply | None:
        """The answer, or None when no worker gave one in time; how long a game is compiled does not count. Refused
        where too many wait."""
        await self.preparing.wait(asked.game, BOTS)
        for _ in range(2):
            worker = await self._thinkers.borrow(place)
            began = time.monotonic()
            try:
                return await asyncio.wait_for(worker.ask(asked), self._seconds)
            except TROUBLE as error:
                log.warning("worker", extra={"problem": type(error).__name__, "seconds": time.monotonic() - began})
                await worker.stop()
            finally:
                self._thinkers.give_back(worker)
        return None

    async def study(self, transcript: str, place: Place) -> Review | None:
        """The review of a match, from a process of its own, so that no bot waits for it; None if that fails."""
        for game in self.preparing.shares:
            await self.preparing.wait(game, BOTS)
        student = await self._students.borrow(place)
        try:
            asked = Question("review", "", "", 0, b"", 0, transcript=transcript)
            return (await asyncio.wait_for(student.ask(asked), STUDY)).review
        except TROUBLE as error:
            log.warning("study", extra={"problem": type(error).__name__})
            await student.stop()
            return None
        finally:
            self._students.give_back(student)

    async def close(self) -> None:
        """Stop all processes."""
        for worker in (*self._all, self._student):
            await worker.stop()


class _Worker:
    """One process, started when it is first needed."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, asked: Question) -> Reply:
        """One question, one answer."""
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "rostra.server.workers",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        packed = msgspec.msgpack.encode(asked)
        self._process.stdin.write(struct.pack("!I", len(packed)) + packed)
        await self._process.stdin.drain()
        size = struct.unpack("!I", await self._process.stdout.readexactly(4))[0]
        return msgspec.msgpack.decode(await self._process.stdout.readexactly(size), type=Reply)

    async def stop(self) -> None:
        """End the process, whatever it does."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def main() -> None:
    """The worker: questions on standard input, answers on standard output, until the input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a stray print must not corrupt the answers
    questions = sys.stdin.buffer
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        while head := questions.read(4):
            asked: Any = msgspec.msgpack.decode(questions.read(struct.unpack("!I", head)[0]), type=Question)
            packed = msgspec.msgpack.encode(think(asked))
            answers.write(struct.pack("!I", len(packed)) + packed)
            answers.flush()


if __name__ == "__main__":
    main()
