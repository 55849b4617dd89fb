"""Bots run in their own processes, which may be slow, die or answer nonsense without harm to any match."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import CHECKS
from live_house import House, a_house
from rostra.engine.game import OVER
from rostra.games import GAMES
from rostra.server import schema
from rostra.server.fair import AWAITED, Place
from rostra.server.workers import Question, Workers, question, think

PLACE = Place(AWAITED, "ada", "x" * 20)


def the_process(workers: Workers) -> int:
    process = workers._all[0]._process
    assert process is not None
    return process.pid


async def a_question(house: House, match: str) -> Question:
    table = await house.look(match)
    return question("act", table.game, "greedy", table.turn, table.match.state)


async def a_match(house: House, seats: str = "me greedy") -> tuple[str, str]:
    (ada,) = await house.people("Ada")
    match = await house.match(ada, seats, options={"start_seat": "1"})
    await house.sit(match, ada)
    return match, ada


@pytest.mark.slow
@pytest.mark.parametrize("trouble", [signal.SIGKILL, signal.SIGSTOP])
def test_a_dead_or_stuck_worker_is_replaced_and_the_match_goes_on(tmp_path: Path, trouble: signal.Signals) -> None:
    async def test() -> None:
        async with a_house(tmp_path / "x.db", bot_seconds=6) as house:
            workers = house.live.workers
            match, _ = await a_match(house)
            assert await workers.ask(await a_question(house, match), PLACE) is not None  # it is there and warm
            old = the_process(workers)
            os.kill(old, trouble)
            await house.wait(match, 1, lambda table: table.turn == 0)
            assert the_process(workers) != old

    asyncio.run(test())


def test_without_any_worker_the_house_plays_a_legal_move(tmp_path: Path) -> None:
    async def test() -> None:
        async with a_house(tmp_path / "x.db", bot_seconds=0.001) as house:  # nobody thinks that fast
            match, _ = await a_match(house)
            await house.wait(match, 1, lambda table: table.turn == 0)

    asyncio.run(test())


def test_other_matches_do_not_wait_for_a_slow_worker(tmp_path: Path) -> None:
    async def test() -> None:
        async with a_house(tmp_path / "x.db", bot_seconds=600) as house:
            match, ada = await a_match(house)
            assert await house.live.workers.ask(await a_question(house, match), PLACE) is not None
            os.kill(the_process(house.live.workers), signal.SIGSTOP)
            await house.wait(match, 1)  # its bot thinks, and will for long
            (bo,) = await house.people("Bo")
            other = await house.match(ada, "me open")
            await house.sit(other, ada, bo)
            async with asyncio.timeout(10):
                await house.play(other, 20)
                await house.do(schema.Say, match, ada, seat=0, text="take your time")

    asyncio.run(test())


@pytest.mark.parametrize("name", ["alea", "quovadis"])
def test_a_bot_gets_only_what_its_seat_may_know(name: str) -> None:
    """The state in a question is legal to come from, and as its seat sees it the same as the true one."""
    game = GAMES[name]
    s = game.new(4)
    chooser = np.random.default_rng(5)
    asked = 0
    while game.rules.turn(s) != OVER:
        seat = game.rules.turn(s)
        if seat >= 0 and asked < 60:
            asked += 1
            got = question("act", game, "greedy", seat, s)
            known = np.frombuffer(got.state, game.rules.state).copy()[0]
            CHECKS[game.name](known)
            assert game.screen.view(known, seat) == game.screen.view(s, seat)
            assert think(got).move in [game.notation.text(s, move) for move in game.legal_moves(s)]
        game.rules.apply(s, int(chooser.choice(game.legal_moves(s))))
    assert asked == 60


def test_secrets_of_others_are_dealt_anew(at_house: Any) -> None:
    """In many questions about one position the hidden tokens of another seat differ: no true one shines through."""
    game = GAMES["alea"]
    s = game.new(4)
    chooser = np.random.default_rng(1)
    while not (game.rules.turn(s) >= 0 and s.drawn.sum() >= 2 and s.drawn[game.rules.turn(s)].sum() == 0):
        game.rules.apply(s, int(chooser.choice(game.legal_moves(s))))
    states = {question("act", game, "random", game.rules.turn(s), s).state for _ in range(40)}
    assert len(states) > 1
