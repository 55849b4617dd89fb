"""Playing some games of one seat order: the unit of work of `simulate` and `cross_play`.

Game i is seeded from (seed, i), so results depend neither on how games are cut into chunks nor on who plays them.
"""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rostra.bots import Bot
from rostra.engine.game import OVER, Game
from rostra.engine.jit import Array
from rostra.engine.loops import THINKS, loops_of
from rostra.engine.loops import start as start_streams
from rostra.games import find_game


class Chunk(NamedTuple):
    """Games first, first + 1, ... of these bots in this seat order."""

    game: Game | str
    """A name where the chunk is sent to another process, which has the game itself."""
    order: tuple[Bot, ...]
    options: dict[str, str]
    seed: int
    first: int
    games: int


class Played(NamedTuple):
    """The results of a chunk: `results[game, row, seat]` as `Rules.score` writes them, `tallies[game, i]`."""

    results: Array
    tallies: Array
    decisions: int
    seconds: float


class Sitting:
    """One table that plays game after game: bots that think are asked, all other play runs in compiled code."""

    def __init__(self, game: Game, order: Sequence[Bot]) -> None:
        self.game, self.order, self.loops = game, order, loops_of(game)
        n = len(order)
        self.states, self.buffer = np.zeros(2, game.rules.state), np.empty(game.rules.max_legal, np.int32)
        self.streams = np.zeros(1, np.uint64), np.zeros((n, 1), np.uint64)
        self.policies = np.array([bot.policy for bot in order], np.int32)
        self.counts = np.zeros(2, np.int64)

    def play(self, start: Any, seed: int, index: int, log: Array) -> None:
        """One game to its end. `counts` gets its plies and decisions; the log gets as many moves as fit into it."""
        self.states[0] = start
        self.counts[:] = 0
        dice_seed = start_streams(*self.streams, seed, index)
        while True:
            seat = self.loops.play(self.states, self.policies, dice_seed, self.streams, self.buffer, log, self.counts)
            if seat == OVER:
                return
            move = self.order[seat].choose(self.game, self.states[0], self.streams[1][seat])
            if self.counts[0] < len(log):
                log[self.counts[0]] = move
            self.counts += 1
            self.game.rules.apply(self.states[0], move)


def play_chunk(chunk: Chunk) -> Played:
    """Play a chunk in this thread."""
    game = find_game(chunk.game) if isinstance(chunk.game, str) else chunk.game
    n = len(chunk.order)
    start = game.new(n, chunk.options)
    results = np.zeros((chunk.games, 3, n), np.int32)
    tallies = np.zeros((chunk.games, len(game.play.tallies)), np.int32)
    loops_of(game)  # loaded here, because loading compiled code is not part of `seconds`
    play = _play_with_thought if any(bot.policy == THINKS for bot in chunk.order) else _play_compiled
    began = time.perf_counter()
    decisions = play(game, chunk, start, results, tallies)
    return Played(results, tallies, decisions, time.perf_counter() - began)


def _play_with_thought(game: Game, chunk: Chunk, start: Any, results: Array, tallies: Array) -> int:
    """Play game by game, because some bots think in Python; returns the number of decisions."""
    sitting, log, decisions = Sitting(game, chunk.order), np.zeros(0, np.int32), 0
    for index in range(chunk.games):
        sitting.play(start, chunk.seed, chunk.first + index, log)
        game.rules.score(sitting.states[0], results[index])
        game.play.tally(sitting.states[0], tallies[index])
        decisions += int(sitting.counts[1])
    return decisions


def _play_compiled(game: Game, chunk: Chunk, start: Any, results: Array, tallies: Array) -> int:
    """Play all games in one compiled loop; returns the number of decisions."""
    states = np.zeros(3, game.rules.state)
    states[2] = start
    policies = np.array([bot.policy for bot in chunk.order], np.int32)
    buffer = np.empty(game.rules.max_legal, np.int32)
    return loops_of(game).games(states, policies, chunk.seed, chunk.first, buffer, results, tallies)
