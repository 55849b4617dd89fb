"""Bots that look ahead in any game: `flat` compares moves by playouts, `tree` also learns the answers to them.

Both halve the field: all candidates get the same number of visits, the better half goes on, until one is left. The
n-th visit of every move sees the same hidden pieces and the same dice, so luck cancels between moves. Below a move
`tree` keeps an information-set tree whose nodes are rows of decisions: chance is skipped, because up to 1,287 rolls
would give each node a single visit, and what is not legal after this visit's dice is passed over. Not here: budgets in
words, and anything a game knows better (nets, reroll tables). What a newcomer would get wrong: the state handed in is
only a sample of what the seat does not know, so each visit deals that anew; no visit may look at the sample.
"""

import functools
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rostra.engine.game import CHANCE, OVER, WINNER, BadOption, Game
from rostra.engine.jit import Array, State, compiled, generic, specialise
from rostra.engine.rng import RNG, below, new_seed, reseed

FLAT_SAMPLES, TREE_SAMPLES = 4, 8
"""A playout's move is the best of so many random ones by `Game.evaluate`. A tree plays with more care: its visits cost
more anyway."""
FRONT = 32
"""They are drawn from so many legal moves: our games list what there are hundreds of (rerolls, terms) last."""
MOST_DECISIONS = 80
"""A playout stops after so many decisions; else at the end of the game, or where `Game.pause` changes."""
SCALE = 8.0
"""The lead by `Game.evaluate`, in points, that makes the leader's chance to win e times the other's."""
MARGIN = 0.05
"""What the lead at the end counts beside the win, so that a lost or won game is still played well."""
SLOPE = 0.06
"""What a point of `Game.evaluate` is worth as a chance to win, before anything was tried."""
TRUST, ROOT_TRUST = 8.0, 2.0
"""How many visits that first guess counts, in the tree and among the candidates, which get more visits."""
EXPLORE = 0.02
"""How much a move seldom tried in the tree is favoured."""
WIDTH = 2
"""So many moves of a node are tried at first, the best by evaluation, and the root of its visits more later."""
LOOK = 64
"""At most so many moves of a node are evaluated, half of them the first ones, the others drawn."""
VISITS_EACH = 8
"""A budget has at most one candidate for so many visits."""
IN_TIME = 32
"""Candidates where the budget is time."""
ROOM = 1 << 16
"""Room of a tree where the budget is time; a full tree grows no more, but still learns."""
DEPTH = 32

MOVES = [np.int32]
RESULTS = [[np.int32]]


@generic
def _worths(evaluate: Any, score: Any, s: State, over: int, results: Array, worths: Array) -> None:
    """Write every seat's chance to win: guessed from the leads, at the end of a game its share of the win."""
    best = -1e300
    for seat in range(len(worths)):
        worths[seat] = evaluate(s, seat)
        best = max(best, worths[seat])
    total = 0.0
    for seat in range(len(worths)):
        worths[seat] = math.exp((worths[seat] - best) / SCALE)
        total += worths[seat]
    for seat in range(len(worths)):
        worths[seat] /= total
    if over:
        score(s, results)
        winners = 0
        for seat in range(len(worths)):
            winners += int(results[WINNER, seat])
        for seat in range(len(worths)):
            share = results[WINNER, seat] / winners if winners else 0.0
            worths[seat] = (1 - MARGIN) * share + MARGIN * worths[seat]


@generic
def _find(keys: Array, key: int) -> int:
    """Where a move is kept in the table, or the free place for it."""
    at = key % len(keys)
    while keys[at] != 0 and keys[at] != key:
        at = (at + 1) % len(keys)
    return int(at)


@generic
def _playout_move(
    legal: Any, apply: Any, evaluate: Any, samples: int, mover: int, states: Array, buffer: Array, rng: Array
) -> int:
    """The best of a few random moves, for states[1]; states[2] is room to try them."""
    n = min(int(legal(states[1], buffer)), FRONT)
    if n == 1:
        return int(buffer[0])
    best = -1
    best_value = -1e300
    for i in range(min(n, samples)):
        pick = i + below(rng, n - i)
        move = buffer[pick]
        buffer[pick] = buffer[i]
        states[2] = states[1]
        apply(states[2], move)
        value = evaluate(states[2], mover)
        if value > best_value:
            best, best_value = int(move), value
    return best


@generic
def _tree_move(
    legal: Any, apply: Any, evaluate: Any,
    mover: int, node: int, first_key: int, states: Array, buffer: Array, guesses: Array, rng: Array,
    keys: Array, visits: Array, sums: Array,
) -> int:  # fmt: skip
    """The move with the best upper bound among the best few by evaluation; it grows with the times a move was there."""
    n = int(legal(states[1], buffer))
    if n == 1:
        return int(buffer[0])
    for i in range(LOOK // 2, min(n, LOOK)):
        pick = i + below(rng, n - i)
        buffer[i], buffer[pick] = buffer[pick], buffer[i]
    n = min(n, LOOK)
    top = -1e300
    for i in range(n):
        states[2] = states[1]
        apply(states[2], buffer[i])
        guesses[i] = evaluate(states[2], mover)
        top = max(top, guesses[i])
    mean = sums[node, mover] / max(1, visits[node, 0])
    best = -1
    best_bound = -1e300
    for _ in range(min(n, WIDTH + int(math.sqrt(visits[node, 0])))):
        next_best = 0
        for i in range(n):
            if guesses[i] > guesses[next_best]:
                next_best = i
        guess = max(0.0, mean + SLOPE * (guesses[next_best] - top))
        guesses[next_best] = -1e300
        move = int(buffer[next_best])
        at = _find(keys, first_key + move)
        visited, available, total = 0, visits[node, 0], 0.0
        if keys[at]:
            visits[at, 1] += 1
            visited, available, total = visits[at, 0], visits[at, 1], sums[at, mover]
        bound = (total + TRUST * guess) / (visited + TRUST)
        bound += EXPLORE * math.sqrt(math.log(1.0 + available) / (1.0 + visited))
        if bound > best_bound:
            best, best_bound = move, bound
    return best


@generic
def _visit(
    turn: Any, legal: Any, apply: Any, evaluate: Any, draw: Any, stream: Any, score: Any, redeal: Any, pause: Any,
    states: Array, moves: Array, first: int, number: int, seed: int, deep: int, n_decisions: int, used: int,
    buffer: Array, guesses: Array, dice: Array, choices: Array, results: Array, worths: Array, path: Array,
    keys: Array, visits: Array, sums: Array,
) -> int:  # fmt: skip
    """Visit each move `number` times, as visits first, first + 1, ...; returns how much of the table is used."""
    s = states[1]
    n_seats = len(worths)
    seat = turn(states[0])
    chapter = pause(states[0])
    samples = TREE_SAMPLES if deep else FLAT_SAMPLES
    for candidate in range(len(moves)):
        for visit in range(first, first + number):
            reseed(dice, seed, visit)
            dice_seed = new_seed(dice)
            reseed(choices, new_seed(dice), 0)
            states[1] = states[0]
            redeal(s, seat, choices)
            mover = seat
            move = int(moves[candidate])
            node = -1
            length = 0
            growing = 1
            decisions = 0
            while True:
                if growing:
                    # Whose decision it is belongs to the key: after the same decisions dice may give it to another.
                    key = ((node + 1) * n_seats + mover) * n_decisions + move + 1
                    node = _find(keys, key)
                    if keys[node] == 0:
                        growing = 1 if length == 0 else 0
                        if 2 * used < len(keys):
                            keys[node] = key
                            visits[node, 1] = 1
                            used += 1
                    if keys[node]:
                        path[length] = node
                        length += 1
                    if not deep or length == len(path):
                        growing = 0
                apply(s, move)
                mover = turn(s)
                while mover == CHANCE and pause(s) == chapter:
                    reseed(dice, dice_seed, stream(s))
                    apply(s, draw(s, dice))
                    mover = turn(s)
                decisions += 1
                if mover == OVER or pause(s) != chapter or decisions == MOST_DECISIONS:
                    break
                if growing:
                    first_key = ((node + 1) * n_seats + mover) * n_decisions + 1
                    move = _tree_move(
                        legal, apply, evaluate, mover, node, first_key, states, buffer, guesses, choices,
                        keys, visits, sums,
                    )  # fmt: skip
                else:
                    move = _playout_move(legal, apply, evaluate, samples, mover, states, buffer, choices)
            _worths(evaluate, score, s, 1 if mover == OVER else 0, results, worths)
            for i in range(length):
                visits[path[i], 0] += 1
                for other in range(n_seats):
                    sums[path[i], other] += worths[other]
    return used


@generic
def _guess(turn: Any, apply: Any, evaluate: Any, states: Array, moves: Array, guesses: Array) -> None:
    """Write what each move is worth one step ahead."""
    seat = turn(states[0])
    for i in range(len(moves)):
        states[1] = states[0]
        apply(states[1], moves[i])
        guesses[i] = evaluate(states[1], seat)


def _no_pause(s: State) -> int:
    """A game without chapters."""
    return 0


@functools.cache
def loops_of(game: Game) -> tuple[Callable[..., int], Callable[..., None]]:
    """The compiled loops for this game: visiting moves, and guessing their worth; slow at the first call."""
    record, records = game.rules.state, [game.rules.state]
    turn, legal, apply = (int, record), (int, record, MOVES), (None, record, int)
    evaluate, draw, stream = (float, record, int), (int, record, RNG), (int, record)
    score, redeal, pause = (None, record, RESULTS), (None, record, int, RNG), (int, record)
    table = ([int], [[int]], [[float]])
    specialise(_worths, None, evaluate, score, record, int, RESULTS, [float])
    specialise(_find, int, [int], int)
    specialise(_playout_move, int, legal, apply, evaluate, int, int, records, MOVES, RNG)
    specialise(_tree_move, int, legal, apply, evaluate, int, int, int, records, MOVES, [float], RNG, *table)
    specialise(
        _visit, int, turn, legal, apply, evaluate, draw, stream, score, redeal, pause,
        records, MOVES, int, int, int, int, int, int, MOVES, [float], RNG, RNG, RESULTS, [float], [int], *table,
    )  # fmt: skip
    specialise(_guess, None, turn, apply, evaluate, records, MOVES, [float])
    visit = functools.partial(
        _visit, game.rules.turn, game.rules.legal, game.rules.apply, game.play.evaluate, game.rules.draw, game.play.stream, game.rules.score, game.knowledge.redeal,
        game.play.pause or compiled(int, record)(_no_pause),
    )  # fmt: skip
    return visit, functools.partial(_guess, game.rules.turn, game.rules.apply, game.play.evaluate)


def flat(game: Game, known: State, playouts: int, rng: Array) -> int:
    """The legal move that does best in this many playouts, all moves together."""
    if playouts < 1:
        raise BadOption(f"a flat search needs at least 1 playout, not {playouts}")
    return _best(game, known, rng, 0, playouts, None)


def tree(game: Game, known: State, rng: Array, iterations: int | None = None, seconds: float | None = None) -> int:
    """The legal move that an information-set tree search finds, within iterations (repeatable) or within seconds."""
    if (iterations is None) == (seconds is None):
        raise BadOption("a tree search has one budget: iterations or seconds")
    if (iterations is not None and iterations < 1) or (seconds is not None and not seconds > 0):
        raise BadOption(f"the budget of a tree search is above 0, not {seconds if iterations is None else iterations}")
    return _best(game, known, rng, 1, iterations, seconds)


def _best(game: Game, known: State, rng: Array, deep: int, iterations: int | None, seconds: float | None) -> int:
    """Halve the candidates until one is left; every round has the same share of the budget."""
    began = time.perf_counter()
    visit, guess = loops_of(game)
    states = np.zeros(3, game.rules.state)
    states[0] = known
    buffer = np.empty(game.rules.max_legal, np.int32)
    moves = buffer[: game.rules.legal(known, buffer)].copy()
    if len(moves) == 1:
        return int(moves[0])
    seat, n_seats = game.rules.turn(known), int(known.n)
    guesses = np.empty(len(moves))
    guess(states, moves, guesses)
    ties = [new_seed(rng) for _ in moves]  # else of many equal moves the first ones would always be the candidates
    candidates = np.lexsort((ties, -guesses))
    candidates = candidates[: IN_TIME if iterations is None else max(2, iterations // VISITS_EACH)]
    guesses -= guesses.max()
    size = (ROOM if iterations is None else min(ROOM, 4 * (iterations + len(moves)))) | 1  # odd, to spread the keys
    keys, visits, sums = np.zeros(size, np.int64), np.zeros((size, 2), np.int64), np.zeros((size, n_seats))
    scratch = (
        *(buffer, np.empty(game.rules.max_legal), np.empty(1, np.uint64), np.empty(1, np.uint64)),
        *(np.empty((3, n_seats), np.int32), np.empty(n_seats), np.empty(DEPTH, np.int64)),
    )
    seed = new_seed(rng)
    done = spent = used = 0
    rounds = math.ceil(math.log2(len(candidates)))
    for number in range(1, rounds + 1):
        while True:
            each = 1
            if iterations is not None:
                each = (iterations * number // rounds - spent) // len(candidates)
            if each:
                field = moves[candidates]
                used = visit(
                    states, field, done, each, seed, deep, game.rules.n_decisions, used, *scratch, keys, visits, sums
                )
            done += each
            spent += each * len(candidates)
            if seconds is None or time.perf_counter() - began >= seconds * number / rounds:
                break
        rows = [_find(keys, seat * game.rules.n_decisions + int(move) + 1) for move in moves[candidates]]
        totals = sums[rows, seat]
        mean = totals.sum() / max(1, done * len(candidates))
        values = (totals + ROOT_TRUST * (mean + SLOPE * guesses[candidates])) / (done + ROOT_TRUST)
        candidates = candidates[np.argsort(-values, kind="stable")[: (len(candidates) + 1) // 2]]
    return int(moves[candidates[0]])
