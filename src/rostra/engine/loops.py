"""Compiled loops for any game: playing whole games, counting move sequences; and the verbs on arrays of states.

A loop gets the game's verbs as arguments and is compiled once for each game's record; `kernels_of(game)` hands them out
ready. What a newcomer would get wrong: a game's chance events are drawn from streams named by the event
(`Game.stream`), and every seat chooses from a stream of its own, so two games of one seed roll the same dice at the
same place whatever was played before, and seats do not disturb each other.
"""

import dataclasses
import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from rostra.engine.game import CHANCE, OVER, WATCHER, Game
from rostra.engine.jit import Array, compile_all, generic, specialise
from rostra.engine.rng import RNG, below, new_seed, reseed

RANDOM, GREEDY, SILENT, THINKS = range(4)
"""How a seat is played inside a loop; SILENT is GREEDY that does not negotiate; a loop stops for one that THINKS."""

MOVES = [np.int32]
SEEDS = [[np.uint64]]


@dataclasses.dataclass(frozen=True)
class Kernels:
    """The loops, bound to one game. States are arrays of records: the first is played, the second is for copies."""

    start: Callable[[Array, Array, int, int], int]
    """start(dice, choices, seed, index): seed the streams of game `index`; returns the seed of its dice."""
    greedy: Callable[[int, Array, Array, Array], int]
    """greedy(silent, states, buffer, rng): the legal move with the best value for the deciding seat."""
    play: Callable[[Array, Array, int, Array, Array, Array, Array, Array], int]
    """play(states, policies, dice_seed, dice, choices, buffer, log, counts): play a game on to its end, or to where a
    seat decides that THINKS, which is returned (else OVER); counts has the plies and decisions so far, the log as many
    moves as it has room for."""
    games: Callable[[Array, Array, int, int, Array, Array, Array], int]
    """games(states, policies, seed, first, buffer, results, tallies): play games first, first + 1, ... from the new
    game in states[2], one for each row of results (points, tie-break, winners) and tallies; returns the number of
    decisions."""
    perft: Callable[[Array, int, int, Array, Array], int]
    """perft(states, depth, seed, buffers, dice): the number of sequences of `depth` decisions, chance drawn from the
    seed; states and buffers have a row more than the depth."""


@generic
def _start(dice: Array, choices: Array, seed: int, index: int) -> int:
    reseed(dice, seed, index)
    dice_seed = new_seed(dice)
    for seat in range(len(choices)):
        reseed(choices[seat], new_seed(dice), seat)
    return int(dice_seed)


@generic
def _greedy(
    turn: Any, legal: Any, apply: Any, evaluate: Any, talks: Any,
    silent: int, states: Array, buffer: Array, rng: Array,
) -> int:  # fmt: skip
    s = states[1]
    seat = turn(states[0])
    best = -1
    best_value = -1e300
    ties = 0
    for i in range(legal(states[0], buffer)):
        if silent and talks(states[0], buffer[i]):
            continue
        states[1] = states[0]
        apply(s, buffer[i])
        value = evaluate(s, seat)
        if value > best_value:
            best, best_value, ties = i, value, 1
        elif value == best_value:  # equal moves are equally likely
            ties += 1
            if below(rng, ties) == 0:
                best = i
    return int(buffer[best])


@generic
def _play(
    turn: Any, legal: Any, apply: Any, evaluate: Any, talks: Any, wander: Any, draw: Any, stream: Any,
    states: Array, policies: Array, dice_seed: int, dice: Array, choices: Array, buffer: Array, log: Array,
    counts: Array,
) -> int:  # fmt: skip
    s = states[0]
    plies, decisions = counts[0], counts[1]
    while True:
        seat = turn(s)
        if seat == CHANCE:
            reseed(dice, dice_seed, stream(s))
            move = draw(s, dice)
        elif seat == OVER or policies[seat] == THINKS:
            break
        else:
            decisions += 1
            if policies[seat] == RANDOM:
                move = wander(s, buffer, choices[seat])
            else:
                silent = 1 if policies[seat] == SILENT else 0
                move = _greedy(turn, legal, apply, evaluate, talks, silent, states, buffer, choices[seat])
        if plies < len(log):
            log[plies] = move
        plies += 1
        apply(s, move)
    counts[0] = plies
    counts[1] = decisions
    return int(seat)


@generic
def _games(
    turn: Any, legal: Any, apply: Any, evaluate: Any, talks: Any, wander: Any, draw: Any, stream: Any,
    score: Any, tally: Any,
    states: Array, policies: Array, seed: int, first: int, buffer: Array, results: Array, tallies: Array,
) -> int:  # fmt: skip
    dice = np.zeros(1, np.uint64)
    choices = np.zeros((len(policies), 1), np.uint64)
    log = np.zeros(0, np.int32)
    counts = np.zeros(2, np.int64)
    decisions = 0
    for game in range(len(results)):
        states[0] = states[2]
        dice_seed = _start(dice, choices, seed, first + game)
        counts[:] = 0
        _play(
            turn, legal, apply, evaluate, talks, wander, draw, stream,
            states, policies, dice_seed, dice, choices, buffer, log, counts,
        )  # fmt: skip
        decisions += int(counts[1])
        score(states[0], results[game])
        tally(states[0], tallies[game])
    return decisions


@generic
def _perft(
    turn: Any, legal: Any, apply: Any, draw: Any, stream: Any,
    states: Array, depth: int, seed: int, buffers: Array, dice: Array,
) -> int:  # fmt: skip
    # An explicit stack: `sizes` and `done` say how many moves each level has and how many it has tried.
    sizes = np.zeros(depth + 1, np.int64)
    done = np.zeros(depth + 1, np.int64)
    level = 0
    count = 0
    while level >= 0:
        if done[level] == 0:
            while turn(states[level]) == CHANCE:
                reseed(dice, seed, stream(states[level]))
                apply(states[level], draw(states[level], dice))
            sizes[level] = 0
            if turn(states[level]) != OVER:
                sizes[level] = legal(states[level], buffers[level])
            if level == depth - 1:
                count += sizes[level]
                sizes[level] = 0
        if done[level] == sizes[level]:
            level -= 1
        else:
            states[level + 1] = states[level]
            apply(states[level + 1], buffers[level, done[level]])
            done[level] += 1
            level += 1
            done[level] = 0
    return count


@functools.cache
def kernels_of(game: Game) -> Kernels:
    """The loops for this game, compiled (or taken from disk) at the first call."""
    record, records = game.state, [game.state]
    turn, legal, apply = (int, record), (int, record, MOVES), (None, record, int)
    evaluate, draw, stream = (float, record, int), (int, record, RNG), (int, record)
    results = [[np.int32]]
    specialise(_start, int, RNG, SEEDS, int, int)
    talks, wander = (int, record, int), (int, record, MOVES, RNG)
    specialise(_greedy, int, turn, legal, apply, evaluate, talks, int, records, MOVES, RNG)
    choosing = (turn, legal, apply, evaluate, talks, wander, draw, stream)
    specialise(_play, int, *choosing, records, MOVES, int, RNG, SEEDS, MOVES, MOVES, [np.int64])
    scoring = ((None, record, results), (None, record, MOVES))
    specialise(_games, int, *choosing, *scoring, records, MOVES, int, int, MOVES, [results], [MOVES])
    specialise(_perft, int, turn, legal, apply, draw, stream, records, int, int, results, RNG)
    verbs = (game.turn, game.legal, game.apply)
    choosers = (*verbs, game.evaluate, game.talks)
    return Kernels(
        start=_start,
        greedy=functools.partial(_greedy, *choosers),
        play=functools.partial(_play, *choosers, game.wander, game.draw, game.stream),
        games=functools.partial(_games, *choosers, game.wander, game.draw, game.stream, game.score, game.tally),
        perft=functools.partial(_perft, *verbs, game.draw, game.stream),
    )


@dataclasses.dataclass(frozen=True)
class Verbs:
    """The verbs of one game on state `i` of an array. A call from Python costs a tenth of one that hands over a record
    (NumPy describes all its fields each time) or a function."""

    turn: Callable[[Array, int], int]
    legal: Callable[[Array, int, Array], int]
    apply: Callable[[Array, int, int], int]
    """apply(states, i, move): make a move; whose turn it is then."""
    draw: Callable[[Array, int, int, Array], int]
    """draw(states, i, seed, rng): the outcome of the coming chance event in games of this seed."""
    hidden: Callable[[Array, int, int, int], int]
    """hidden(states, i, move, n_seats): a bit for each seat that may not see this move, the last bit for watchers."""


verbs: Any = None
"""Stands for the verbs of a game in the functions below; each game has copies of them, see `_bound`."""


def _turn_at(states: Array, i: int) -> int:
    return int(verbs.turn(states[i]))


def _legal_at(states: Array, i: int, out: Array) -> int:
    return int(verbs.legal(states[i], out))


def _apply_at(states: Array, i: int, move: int) -> int:
    verbs.apply(states[i], move)
    return int(verbs.turn(states[i]))


def _draw_at(states: Array, i: int, seed: int, rng: Array) -> int:
    reseed(rng, seed, verbs.stream(states[i]))
    return int(verbs.draw(states[i], rng))


def _hidden_at(states: Array, i: int, move: int, n_seats: int) -> int:
    hidden = 0
    if verbs.hides(states[i], move, WATCHER):  # a watcher sees what is public, so nobody sees less
        hidden = 1 << n_seats
        for seat in range(n_seats):
            hidden |= verbs.hides(states[i], move, seat) << seat
    return hidden


def _bound(function: Callable[..., Any], game: Game, result: Any, *arguments: Any) -> Any:
    """A copy of the function in which `verbs` is this game, compiled; its name tells the copies apart on disk."""
    module: Any = types.ModuleType("verbs")
    module.turn, module.legal, module.apply, module.hides = game.turn, game.legal, game.apply, game.hides
    module.draw, module.stream = game.draw, game.stream
    names = {name: globals()[name] for name in function.__code__.co_names if name in globals()}
    names |= {"__name__": __name__, "verbs": module}
    copy = types.FunctionType(function.__code__, names, f"{function.__name__}_{game.name}")
    copy.__qualname__ = copy.__name__
    bound = generic(copy, short=True)
    specialise(bound, result, *arguments)
    return bound


@functools.cache
def verbs_of(game: Game) -> Verbs:
    """The verbs of this game on arrays, compiled (or taken from disk) at the first call."""
    at = ([game.state], int)
    return Verbs(
        _bound(_turn_at, game, int, *at),
        _bound(_legal_at, game, int, *at, MOVES),
        _bound(_apply_at, game, int, *at, int),
        _bound(_draw_at, game, int, *at, int, RNG),
        _bound(_hidden_at, game, int, *at, int, int),
    )


def prepare(game: Game) -> None:
    """Have everything compiled that playing this game needs, before somebody waits for a move."""
    module = game.turn.__module__
    compile_all(module.rpartition(".")[0] or module, lambda: (verbs_of(game), kernels_of(game)))
