"""Compiled loops for any game: whole games, counting move sequences, and the verbs on arrays of states.

A loop is written once, over the global name `verbs`, and each game gets its own copy (`jit.bind`). Chance events are
drawn from streams named by the event (`Play.stream`) and every seat chooses from a stream of its own. So two games of
one seed roll the same dice at the same place whatever was played before, and seats do not disturb each other.
"""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from rostra.engine.game import CHANCE, OVER, SPECTATOR, WINNER, Game
from rostra.engine.jit import Array, Unit, bind, compiled, unit
from rostra.engine.rng import RNG, below, new_seed, reseed

RANDOM, GREEDY, SILENT, THINKS = range(4)
"""How a seat is played inside a loop; SILENT is GREEDY that does not negotiate; a loop stops for one that THINKS."""
COUNTED = 1 << 40
"""Streams of chance events that have no name are numbered from here on."""

MOVES = [np.int32]
SEEDS = [[np.uint64]]
verbs: Any = None
"""Stands for the compiled functions of a game, see `jit.bind`."""


@compiled(int, RNG, SEEDS, int, int)
def start(dice: Any, choices: Any, seed: int, index: int) -> int:
    """Seed the streams of game `index`; returns the seed of its dice."""
    reseed(dice, seed, index)
    dice_seed = new_seed(dice)
    for seat in range(len(choices)):
        reseed(choices[seat], new_seed(dice), seat)
    return int(dice_seed)


@compiled(float, [[np.int32]], int)
def win_share(results: Any, seat: int) -> float:
    """A seat's share of the win, from what `Rules.score` wrote; a shared win is divided."""
    winners = 0
    for other in range(results.shape[1]):
        winners += results[WINNER, other]
    return results[WINNER, seat] / winners if winners else 0.0


# The verbs on state `i` of an array.


def _turn(states: Array, i: int) -> int:
    return int(verbs.turn(states[i]))


def _legal(states: Array, i: int, out: Array) -> int:
    return int(verbs.legal(states[i], out))


def _apply(states: Array, i: int, move: int) -> int:
    verbs.apply(states[i], move)
    return int(verbs.turn(states[i]))


def _draw(states: Array, i: int, seed: int, ply: int, rng: Array) -> int:
    stream = verbs.stream(states[i])
    reseed(rng, seed, stream if stream >= 0 else COUNTED + ply)
    return int(verbs.draw(states[i], rng))


def _hidden(states: Array, i: int, move: int, n_seats: int) -> int:
    hidden = 0
    if verbs.hides(states[i], move, SPECTATOR):  # a spectator sees what is public, so nobody sees less
        hidden = 1 << n_seats
        for seat in range(n_seats):
            hidden |= verbs.hides(states[i], move, seat) << seat
    return hidden


@dataclasses.dataclass(frozen=True)
class Verbs:
    """The verbs of one game on state `i` of an array. From Python such a call costs a tenth of one with a record, for
    which NumPy describes all fields each time."""

    turn: Callable[[Array, int], int]
    legal: Callable[[Array, int, Array], int]
    apply: Callable[[Array, int, int], int]
    """apply(states, i, move): make a move; returns whose turn it is then."""
    draw: Callable[[Array, int, int, int, Array], int]
    """draw(states, i, seed, ply, rng): the outcome of the coming chance event in games of this seed."""
    hidden: Callable[[Array, int, int, int], int]
    """hidden(states, i, move, n_seats): one bit for each seat that may not see this move, the last for spectators."""


def verbs_of(game: Game) -> Verbs:
    """The verbs of this game on arrays."""
    table_of(game)
    return _verbs_of(game)


@functools.cache
def _verbs_of(game: Game) -> Verbs:
    at = ([game.rules.state], int)

    def bound(loop: Any, *arguments: Any) -> Any:
        return bind(loop, game.name, game.verbs, int, *at, *arguments)

    return Verbs(
        turn=bound(_turn),
        legal=bound(_legal, MOVES),
        apply=bound(_apply, int),
        draw=bound(_draw, int, int, RNG),
        hidden=bound(_hidden, int, int),
    )


# Whole games.


def _greedy(silent: int, states: Array, buffer: Array, rng: Array) -> int:
    s = states[1]
    seat = verbs.turn(states[0])
    best = -1
    best_value = -1e300
    ties = 0
    for i in range(verbs.legal(states[0], buffer)):
        if silent and verbs.talks(states[0], buffer[i]):
            continue
        states[1] = states[0]
        verbs.apply(s, buffer[i])
        value = verbs.evaluate(s, seat)
        if value > best_value:
            best, best_value, ties = i, value, 1
        elif value == best_value:  # equal moves are equally likely
            ties += 1
            if below(rng, ties) == 0:
                best = i
    return int(buffer[best])


def _play(
    states: Array, policies: Array, dice_seed: int, streams: tuple[Array, Array], buffer: Array, log: Array,
    counts: Array,
) -> int:  # fmt: skip
    s = states[0]
    dice, choices = streams
    plies, decisions = counts[0], counts[1]
    while True:
        seat = verbs.turn(s)
        if seat == CHANCE:
            stream = verbs.stream(s)
            reseed(dice, dice_seed, stream if stream >= 0 else COUNTED + plies)
            move = verbs.draw(s, dice)
        elif seat == OVER or policies[seat] == THINKS:
            break
        else:
            decisions += 1
            if policies[seat] == RANDOM:
                move = verbs.random_move(s, buffer, choices[seat])
            else:
                move = verbs.greedy(1 if policies[seat] == SILENT else 0, states, buffer, choices[seat])
        if plies < len(log):
            log[plies] = move
        plies += 1
        verbs.apply(s, move)
    counts[0] = plies
    counts[1] = decisions
    return int(seat)


def _games(
    states: Array, policies: Array, seed: int, first: int, buffer: Array, results: Array, tallies: Array
) -> int:  # fmt: skip
    dice = np.zeros(1, np.uint64)
    choices = np.zeros((len(policies), 1), np.uint64)
    log = np.zeros(0, np.int32)
    counts = np.zeros(2, np.int64)
    decisions = 0
    for game in range(len(results)):
        states[0] = states[2]
        dice_seed = start(dice, choices, seed, first + game)
        counts[:] = 0
        verbs.play(states, policies, dice_seed, (dice, choices), buffer, log, counts)
        decisions += int(counts[1])
        verbs.score(states[0], results[game])
        verbs.tally(states[0], tallies[game])
    return decisions


def _perft(states: Array, depth: int, seed: int, buffers: Array, dice: Array) -> int:
    # An explicit stack: `sizes` and `done` say how many moves each level has and how many it has tried.
    sizes = np.zeros(depth + 1, np.int64)
    done = np.zeros(depth + 1, np.int64)
    level = 0
    count = 0
    while level >= 0:
        if done[level] == 0:
            ply = 0
            while verbs.turn(states[level]) == CHANCE:
                stream = verbs.stream(states[level])
                reseed(dice, seed, stream if stream >= 0 else COUNTED + 64 * level + ply)
                verbs.apply(states[level], verbs.draw(states[level], dice))
                ply += 1
            sizes[level] = 0
            if verbs.turn(states[level]) != OVER:
                sizes[level] = verbs.legal(states[level], buffers[level])
            if level == depth - 1:
                count += sizes[level]
                sizes[level] = 0
        if done[level] == sizes[level]:
            level -= 1
        else:
            states[level + 1] = states[level]
            verbs.apply(states[level + 1], buffers[level, done[level]])
            done[level] += 1
            level += 1
            done[level] = 0
    return count


@dataclasses.dataclass(frozen=True)
class Loops:
    """The loops, bound to one game. States are arrays of records: the first is played, the second is for copies."""

    greedy: Callable[[int, Array, Array, Array], int]
    """greedy(silent, states, buffer, rng): the legal move with the best value for the deciding seat."""
    play: Callable[[Array, Array, int, tuple[Array, Array], Array, Array, Array], int]
    """play(states, policies, dice_seed, (dice, choices), buffer, log, counts): play a game on to its end, or to where a
    seat decides that THINKS, which is returned (else OVER). `counts` has the plies and decisions so far; the log gets
    as many moves as fit."""
    games: Callable[[Array, Array, int, int, Array, Array, Array], int]
    """games(states, policies, seed, first, buffer, results, tallies): play games first, first + 1, ... from the new
    game in states[2], one for each row of results (points, tie-break, winners) and tallies; returns the number of
    decisions."""
    perft: Callable[[Array, int, int, Array, Array], int]
    """perft(states, depth, seed, buffers, dice): the number of sequences of `depth` decisions, chance drawn from the
    seed; states and buffers have one row more than the depth."""


@functools.cache
def loops_of(game: Game) -> Loops:
    """The loops for this game."""
    records, results = [game.rules.state], [[np.int32]]
    known = dict(game.verbs)

    def bound(name: str, loop: Any, *arguments: Any, long: bool = True) -> Any:
        known[name] = bind(loop, game.name, known, int, *arguments, long=long)
        return known[name]

    loops = Loops(
        greedy=bound("greedy", _greedy, int, records, MOVES, RNG),
        play=bound("play", _play, records, MOVES, int, (RNG, SEEDS), MOVES, MOVES, [np.int64]),
        games=bound("games", _games, records, MOVES, int, int, MOVES, [results], [MOVES]),
        perft=bound("perft", _perft, records, int, int, results, RNG),
    )
    unit(f"{game.name}, whole games", [loops.greedy, loops.play, loops.games, game.play.tally, start, win_share])
    return loops


@functools.cache
def table_of(game: Game) -> Unit | None:
    """The code that a table needs: rules, notation, view and bargains. Interpreted rules need none."""
    facets = (game.rules, game.notation, game.knowledge, game.screen, game.desk)
    not_here = {"observe", "act", "answer", "counter", "offer"}  # for adapters and bots
    members = [value for facet in facets if facet for name, value in vars(facet).items() if name not in not_here]
    own = [*vars(_verbs_of(game)).values(), game.play.random_move, reseed, new_seed, below]
    return unit(f"{game.name}, the table", [*members, *own], fast=False)


def prepare(game: Game) -> None:
    """Load or compile what a table of this game needs, before somebody waits for a move."""
    if table := table_of(game):
        table.load()
