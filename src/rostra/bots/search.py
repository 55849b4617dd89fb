"""Bots that look ahead in any game: `flat` compares moves by playouts, `tree` also learns the answers to them.

Both halve the candidates: all get the same number of visits, the better half goes on, until one is left. The n-th visit
of every move sees the same hidden pieces and the same dice, so luck cancels between moves. Below a move `tree` keeps an
information-set tree whose nodes are rows of decisions. Chance has no nodes, because up to 1,287 rolls would give each a
single visit; moves that are not legal after a visit's dice are passed over. The state handed in is only a sample of
what the seat does not know, so each visit redeals it; no visit may look at the sample.
"""

import functools
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rostra.engine.game import CHANCE, OVER, BadOption, Game
from rostra.engine.jit import Array, State, bind, compiled, unit
from rostra.engine.loops import COUNTED, win_share
from rostra.engine.rng import RNG, below, new_seed, reseed

FLAT_SAMPLES, TREE_SAMPLES = 4, 8
"""Number of random moves of which a playout takes the best by `Play.evaluate`. A tree is more careful: its visits cost
more anyway."""
FRONT = 32
"""They are drawn from this many legal moves: our games list kinds with hundreds of moves (rerolls, terms) last."""
MAX_DECISIONS = 80
"""A playout stops after this many decisions, at the end of the game, or where `Play.pause` changes."""
SCALE = 8.0
"""The lead by `Play.evaluate`, in points, that makes the leader's chance to win e times the other's."""
LEAD_WEIGHT = 0.05
"""Weight of the lead at the end relative to the win, so that a decided game is still played well."""
SLOPE = 0.06
"""What a point of `Play.evaluate` is worth as a chance to win, before anything was tried."""
TRUST, ROOT_TRUST = 8.0, 2.0
"""Number of visits that this first guess counts for, in the tree and among the candidates, which get more visits."""
EXPLORE = 0.02
"""How much a rarely tried move in the tree is favoured."""
WIDTH = 2
"""Number of moves of a node that are tried at first, the best by evaluation; later the root of its visits more."""
MAX_EVALUATED = 64
"""Most moves of a node that are evaluated: half of them the first ones, the others drawn."""
VISITS_EACH = 8
"""Visits for each candidate: a budget has at most one candidate per this many."""
CANDIDATES_IN_TIME = 32
"""Candidates where the budget is time."""
MAX_NODES = 1 << 16
"""Size of the table where the budget is time; a full tree grows no more, but still learns."""
DEPTH = 32

MOVES = [np.int32]
RESULTS = [[np.int32]]


verbs: Any = None
"""Stands for the compiled functions of a game, see `jit.bind`."""


class Scratch(NamedTuple):
    """The arrays of one search; also their types, for compiled code."""

    buffer: Any
    guesses: Any
    dice: Any
    choices: Any
    results: Any
    worths: Any
    path: Any
    """The nodes of one visit."""


class Tree(NamedTuple):
    """A hash table of nodes: the key of a row of decisions, how often it was visited and available, the summed chances
    to win of all seats, and how many rows are used."""

    keys: Any
    visits: Any
    sums: Any
    used: Any


SCRATCH = Scratch(MOVES, [float], RNG, RNG, RESULTS, [float], [int])
TREE = Tree([int], [[int]], [[float]], [int])
"""Their types."""


def _worths(s: State, over: int, results: Array, worths: Array) -> None:
    """Write every seat's chance to win: guessed from the leads, at the end of a game its share of the win."""
    best = -1e300
    for seat in range(len(worths)):
        worths[seat] = verbs.evaluate(s, seat)
        best = max(best, worths[seat])
    total = 0.0
    for seat in range(len(worths)):
        worths[seat] = math.exp((worths[seat] - best) / SCALE)
        total += worths[seat]
    for seat in range(len(worths)):
        worths[seat] /= total
    if over:
        verbs.score(s, results)
        for seat in range(len(worths)):
            worths[seat] = (1 - LEAD_WEIGHT) * win_share(results, seat) + LEAD_WEIGHT * worths[seat]


@compiled(int, [int], int)
def find(keys: Any, key: int) -> int:
    """Where a node is kept in the table, or the free row for it."""
    at = key % len(keys)
    while keys[at] != 0 and keys[at] != key:
        at = (at + 1) % len(keys)
    return int(at)


def _playout_move(samples: int, mover: int, states: Array, buffer: Array, rng: Array) -> int:
    """The best of a few random moves, for states[1]; states[2] is scratch."""
    n = min(int(verbs.legal(states[1], buffer)), FRONT)
    if n == 1:
        return int(buffer[0])
    best = -1
    best_value = -1e300
    for i in range(min(n, samples)):
        pick = i + below(rng, n - i)
        move = buffer[pick]
        buffer[pick] = buffer[i]
        states[2] = states[1]
        verbs.apply(states[2], move)
        value = verbs.evaluate(states[2], mover)
        if value > best_value:
            best, best_value = int(move), value
    return best


def _tree_move(mover: int, node: int, first_key: int, states: Array, scratch: Scratch, tree: Tree) -> int:
    """The move with the best upper bound among the best few by evaluation; it grows with the times a move was there."""
    buffer, guesses = scratch.buffer, scratch.guesses
    visits, sums = tree.visits, tree.sums
    n = int(verbs.legal(states[1], buffer))
    if n == 1:
        return int(buffer[0])
    for i in range(MAX_EVALUATED // 2, min(n, MAX_EVALUATED)):
        pick = i + below(scratch.choices, n - i)
        buffer[i], buffer[pick] = buffer[pick], buffer[i]
    n = min(n, MAX_EVALUATED)
    top = -1e300
    for i in range(n):
        states[2] = states[1]
        verbs.apply(states[2], buffer[i])
        guesses[i] = verbs.evaluate(states[2], mover)
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
        at = find(tree.keys, first_key + move)
        visited, available, total = 0, visits[node, 0], 0.0
        if tree.keys[at]:
            visits[at, 1] += 1
            visited, available, total = visits[at, 0], visits[at, 1], sums[at, mover]
        bound = (total + TRUST * guess) / (visited + TRUST)
        bound += EXPLORE * math.sqrt(math.log(1.0 + available) / (1.0 + visited))
        if bound > best_bound:
            best, best_bound = move, bound
    return best


@compiled(int, TREE, int)
def node_of(tree: Any, key: int) -> int:
    """The node of a key, which is made if there is space for it."""
    node = find(tree.keys, key)
    if tree.keys[node] == 0 and 2 * tree.used[0] < len(tree.keys):
        tree.keys[node] = key
        tree.visits[node, 1] = 1
        tree.used[0] += 1
    return node


def _descend(
    candidate: int, limits: tuple[int, int], dice_seed: int, states: Array, scratch: Scratch, tree: Tree
) -> int:
    """Play states[1] on from a candidate move, first down the tree, then at random; returns the length of the path.
    `limits` are whether the tree grows, and the number of decisions in the game's numbering of moves."""
    deep, n_decisions = limits
    s = states[1]
    n_seats = len(scratch.worths)
    chapter = verbs.pause(s)
    samples = TREE_SAMPLES if deep else FLAT_SAMPLES
    mover, move, node = verbs.turn(s), candidate, -1
    length, growing, decisions = 0, 1, 0
    while True:
        if growing:
            # Whose decision it is belongs to the key: after the same decisions dice may give it to another.
            key = ((node + 1) * n_seats + mover) * n_decisions + move + 1
            known = tree.keys[find(tree.keys, key)] != 0
            node = node_of(tree, key)
            growing = 1 if known or length == 0 else 0
            if tree.keys[node]:
                scratch.path[length] = node
                length += 1
            if not deep or length == len(scratch.path):
                growing = 0
        verbs.apply(s, move)
        mover = verbs.turn(s)
        while mover == CHANCE and verbs.pause(s) == chapter:
            stream = verbs.stream(s)
            reseed(scratch.dice, dice_seed, stream if stream >= 0 else COUNTED + decisions)
            verbs.apply(s, verbs.draw(s, scratch.dice))
            mover = verbs.turn(s)
        decisions += 1
        if mover == OVER or verbs.pause(s) != chapter or decisions == MAX_DECISIONS:
            break
        if growing:
            first_key = ((node + 1) * n_seats + mover) * n_decisions + 1
            move = verbs.tree_move(mover, node, first_key, states, scratch, tree)
        else:
            move = verbs.playout_move(samples, mover, states, scratch.buffer, scratch.choices)
    verbs.worths(s, 1 if mover == OVER else 0, scratch.results, scratch.worths)
    return length


def _visit(
    moves: Array,
    visits: tuple[int, int],
    seed: int,
    limits: tuple[int, int],
    states: Array,
    scratch: Scratch,
    tree: Tree,
) -> None:
    """Visit each move as visits first, first + 1, ...; `visits` are the first and their number."""
    first, number = visits
    seat = verbs.turn(states[0])
    for candidate in range(len(moves)):
        for visit in range(first, first + number):
            reseed(scratch.dice, seed, visit)
            dice_seed = new_seed(scratch.dice)
            reseed(scratch.choices, new_seed(scratch.dice), 0)
            states[1] = states[0]
            verbs.redeal(states[1], seat, scratch.choices)
            length = verbs.descend(moves[candidate], limits, dice_seed, states, scratch, tree)
            for i in range(length):
                tree.visits[scratch.path[i], 0] += 1
                for other in range(len(scratch.worths)):
                    tree.sums[scratch.path[i], other] += scratch.worths[other]


def _guess(states: Array, moves: Array, guesses: Array) -> None:
    """Write what each move is worth one step ahead."""
    seat = verbs.turn(states[0])
    for i in range(len(moves)):
        states[1] = states[0]
        verbs.apply(states[1], moves[i])
        guesses[i] = verbs.evaluate(states[1], seat)


@functools.cache
def searches_of(game: Game) -> tuple[Callable[..., None], Callable[..., None]]:
    """The compiled loops for this game: visiting moves, and guessing their worth."""
    record, records = game.rules.state, [game.rules.state]
    known = dict(game.verbs)

    def bound(loop: Any, *types: Any) -> Any:
        known[loop.__name__.lstrip("_")] = found = bind(loop, game.name, known, *types, long=True)
        return found

    bound(_worths, None, record, int, RESULTS, [float])
    bound(_playout_move, int, int, int, records, MOVES, RNG)
    bound(_tree_move, int, int, int, int, records, SCRATCH, TREE)
    bound(_descend, int, int, (int, int), int, records, SCRATCH, TREE)
    visit = bound(_visit, None, MOVES, (int, int), int, (int, int), records, SCRATCH, TREE)
    guess = bound(_guess, None, records, MOVES, [float])
    unit(f"{game.name}, searches", [visit, guess])
    return visit, guess


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
    visit, guess = searches_of(game)
    rules, n_seats = game.rules, int(known.n)
    states = np.zeros(3, rules.state)
    states[0] = known
    moves = np.array(game.legal_moves(known), np.int32)
    if len(moves) == 1:
        return int(moves[0])
    seat = rules.turn(known)
    guesses = np.empty(len(moves))
    guess(states, moves, guesses)
    ties = [new_seed(rng) for _ in moves]  # else of many equal moves the first ones would always be the candidates
    candidates = np.lexsort((ties, -guesses))
    candidates = candidates[: CANDIDATES_IN_TIME if iterations is None else max(2, iterations // VISITS_EACH)]
    guesses -= guesses.max()
    scratch = _new_scratch(rules.max_legal, n_seats)
    tree = _new_tree(MAX_NODES if iterations is None else min(MAX_NODES, 4 * (iterations + len(moves))), n_seats)
    seed = new_seed(rng)
    done = spent = 0
    rounds = math.ceil(math.log2(len(candidates)))
    for number in range(1, rounds + 1):
        while True:
            each = 1
            if iterations is not None:
                each = (iterations * number // rounds - spent) // len(candidates)
            if each:
                visit(moves[candidates], (done, each), seed, (deep, rules.n_decisions), states, scratch, tree)
            done += each
            spent += each * len(candidates)
            if seconds is None or time.perf_counter() - began >= seconds * number / rounds:
                break
        rows = [find(tree.keys, seat * rules.n_decisions + int(move) + 1) for move in moves[candidates]]
        totals = tree.sums[rows, seat]
        mean = totals.sum() / max(1, done * len(candidates))
        values = (totals + ROOT_TRUST * (mean + SLOPE * guesses[candidates])) / (done + ROOT_TRUST)
        candidates = candidates[np.argsort(-values, kind="stable")[: (len(candidates) + 1) // 2]]
    return int(moves[candidates[0]])


def _new_scratch(max_legal: int, n_seats: int) -> Scratch:
    return Scratch(
        buffer=np.empty(max_legal, np.int32),
        guesses=np.empty(max_legal),
        dice=np.empty(1, np.uint64),
        choices=np.empty(1, np.uint64),
        results=np.empty((3, n_seats), np.int32),
        worths=np.empty(n_seats),
        path=np.empty(DEPTH, np.int64),
    )


def _new_tree(size: int, n_seats: int) -> Tree:
    size |= 1  # odd, to spread the keys
    return Tree(
        np.zeros(size, np.int64), np.zeros((size, 2), np.int64), np.zeros((size, n_seats)), np.zeros(1, np.int64)
    )
