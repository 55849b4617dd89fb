"""The speed of random play in other public board-game engines, measured in this process.

`measure` lets each installed peer play uniformly random games on one core, in the fastest way we found, and yields
decisions and CPU seconds. A peer that is missing or fails becomes a `Missing` with its reason.

This is no judgement of the peers (none of them is built for random play) and no measure of whole-machine throughput
(pgx in particular is made for accelerators). Nothing measured elsewhere or earlier is printed.

A decision is not the same amount of game in every engine. OpenSpiel moves both dice of a backgammon roll as one
decision (a double is two), pgx moves one checker, catanatron counts rolling the dice and ending the turn. Forced moves
and passes count in all of them: in OpenSpiel's cribbage they are nearly half. Each `note` says what was counted and how
many decisions make a game; read it before quoting a ratio.
"""

import importlib
import importlib.metadata
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import process_time
from typing import Any

SEED = 20_240_607
# Chosen by trial on two cores: 64 to 256 were equally fast for pgx backgammon, 32 and 512 slower.
PGX_BATCH = 128
PGX_STEPS = 64
PGX_WARM = 4  # calls before the clock starts: all is compiled, and the games no longer end in step
SPIEL_STARTS = 100
SPIEL_ROLLOUTS = 20  # rollouts a search; makes the price of the call from Python negligible
SPIEL_COUNTED = 10  # games a start from which lengths are counted: about 1.5 % error in backgammon, the worst


@dataclass(frozen=True)
class Peer:
    """What one engine did: decisions by players, chance resolved but not counted, and what they cost."""

    name: str
    version: str
    decisions: int
    seconds: float
    note: str

    @property
    def per_second(self) -> float:
        """Decisions per CPU second of this process, all its threads together."""
        return self.decisions / self.seconds


@dataclass(frozen=True)
class Missing:
    """A peer that could not be measured, and why."""

    name: str
    reason: str


def measure(seconds: float = 2.0) -> Iterator[Peer | Missing]:
    """Yield each peer as it is done; about `seconds` CPU seconds are timed for each.

    More time passes than that: XLA compiles, and OpenSpiel's games are counted in a run of their own.
    """
    for name, run in _PEERS:
        yield _attempt(name, run, seconds)


def _attempt(name: str, run: Callable[[str, float], Peer], seconds: float) -> Peer | Missing:
    """A failure of one peer becomes its line in the table and does not stop the others."""
    try:
        return run(name, seconds)
    except ImportError as error:
        return Missing(name, f"not installed: {error}")
    except Exception as error:
        first_line, *_ = (str(error) or "no message").splitlines()
        return Missing(name, f"failed: {type(error).__name__}: {first_line}")


# OpenSpiel.


def _open_spiel(game_name: str) -> Callable[[str, float], Peer]:
    def run(name: str, seconds: float) -> Peer:
        spiel = importlib.import_module("pyspiel")
        game = spiel.load_game(game_name)
        starts = _spiel_starts(game)
        length, opening = _spiel_whole_games(spiel, game, starts)
        rollouts, spent = _spiel_rollouts(spiel, starts, seconds)
        note = f"C++ rollouts, {_SPIEL_UNIT[game_name]}, {length:.0f} a game"
        version = importlib.metadata.version("open_spiel")
        return Peer(name, version, round(rollouts * length), spent + rollouts * opening, note)

    return run


_SPIEL_UNIT = {
    "backgammon": "a decision is both dice of a roll (a double is two) or a pass",
    "hearts": "a decision is one card passed or played",
    "cribbage": "a decision is one discard of two, one card played or a pass",
}


def _spiel_starts(game: Any) -> list[Any]:
    """Seeded games at their first decision.

    Rollouts cannot begin earlier: MCTSBot reads before the beginning of its path when the root of the search
    is a chance node, which is a segmentation fault and would take the bench with it.
    """
    rng = random.Random(SEED)
    starts = []
    for _ in range(SPIEL_STARTS):
        state = game.new_initial_state()
        while state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        starts.append(state)
    return starts


def _spiel_rollouts(spiel: Any, starts: list[Any], seconds: float) -> tuple[int, float]:
    """Play random games to the end in C++; return how many, and the CPU seconds they took.

    The evaluator has no `evaluate` in Python. A search of one simulation is nothing but its rollouts.
    """
    evaluator = spiel.RandomRolloutEvaluator(SPIEL_ROLLOUTS, SEED)
    # The bot asks its game only whether search makes sense (cribbage's running rewards say no), and never
    # whether the state comes from that game. Any game with terminal rewards serves: we only want rollouts.
    host = spiel.load_game("tic_tac_toe")
    bot = spiel.MCTSBot(host, evaluator, 1.0, 1, 1, False, SEED, False)
    searches = 0
    began = process_time()
    while (spent := process_time() - began) < seconds:
        bot.mcts_search(starts[searches % len(starts)])
        searches += 1
    return searches * SPIEL_ROLLOUTS, spent


def _spiel_whole_games(spiel: Any, game: Any, starts: list[Any]) -> tuple[float, float]:
    """Return the mean decisions of a game from these starts, and the CPU seconds of what precedes them.

    The opening (in hearts the whole deal: half of all events) is no part of the rollouts but is part of a
    game, so it must be charged. It is the difference between games played whole and games played from the
    start, by OpenSpiel's own C++ bots: these let us count, but are slower than the rollouts.
    """
    bots = [spiel.make_uniform_random_bot(player, SEED + player) for player in range(game.num_players())]
    whole, short = _Tally(), _Tally()
    for seed in range(SPIEL_COUNTED):  # alternating, so that a slow moment of the machine hits both
        whole.play(spiel, [game.new_initial_state() for _ in starts], bots, 2 * seed * len(starts))
        short.play(spiel, [start.clone() for start in starts], bots, (2 * seed + 1) * len(starts))
    # Games vary in length far more than an opening costs: compare at the same number of decisions.
    opening = whole.seconds - short.seconds * whole.decisions / short.decisions
    return short.decisions / short.games, max(0.0, opening / whole.games)


@dataclass
class _Tally:
    """Games played by bots: how many, how long."""

    games: int = 0
    decisions: int = 0
    seconds: float = 0.0

    def play(self, spiel: Any, states: list[Any], bots: list[Any], seed: int) -> None:
        began = process_time()
        for number, state in enumerate(states):
            spiel.evaluate_bots(state, bots, seed + number)
        self.seconds += process_time() - began
        self.games += len(states)
        self.decisions += sum(event.player >= 0 for state in states for event in state.full_history())


# catanatron.


def _catanatron(name: str, seconds: float) -> Peer:
    kept = random.getstate()  # its import draws from the global generator and a Game reseeds it: restore it afterwards
    try:
        catanatron = importlib.import_module("catanatron")
        limit = importlib.import_module("catanatron.game").TURNS_LIMIT
        _catan_game(catanatron, limit, 1)  # fills its caches of the map
        games = decisions = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            games += 1
            decisions += _catan_game(catanatron, limit, games)
    finally:
        random.setstate(kept)
    note = f"Python, four RandomPlayers, every action counts, the roll too, {decisions / games:.0f} a game"
    return Peer(name, importlib.metadata.version("catanatron"), decisions, spent, note)


def _catan_game(catanatron: Any, limit: int, seed: int) -> int:
    """Play one game as Game.play does, without its check that the player's choice was on the list."""
    game = catanatron.Game([catanatron.RandomPlayer(color) for color in catanatron.Color], seed=seed)
    state = game.state
    decisions = 0
    while game.winning_color() is None and state.num_turns < limit:
        action = state.current_player().decide(game, state.playable_actions)
        game.execute(action, validate_action=False)
        decisions += 1
    return decisions


# pgx.


def _pgx(name: str, seconds: float) -> Peer:
    with _one_core() as cores:
        jax, pgx = importlib.import_module("jax"), importlib.import_module("pgx")
        jax.config.update("jax_platforms", "cpu")
        env = pgx.make("backgammon")
        play = jax.jit(_pgx_play(jax, env))
        key = jax.random.PRNGKey(SEED)
        states = jax.jit(lambda key: _pgx_fresh(jax, env, key))(key)
        for warm in range(PGX_WARM):
            states, over = jax.block_until_ready(play(states, jax.random.fold_in(key, warm)))
        rounds = ended = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            states, over = play(states, jax.random.fold_in(key, PGX_WARM + rounds))
            ended += int(over)  # waits for the result, so that no work is left running
            rounds += 1
    decisions = rounds * PGX_BATCH * PGX_STEPS
    a_game = f", {decisions / ended:.0f} a game" if ended else ""
    note = f"batch {PGX_BATCH} on XLA (jax {jax.__version__}), {cores}, a decision is one checker or a pass"
    return Peer(name, importlib.metadata.version("pgx"), decisions, spent, note + a_game)


def _pgx_play(jax: Any, env: Any) -> Callable[[Any, Any], Any]:
    """PGX_STEPS random steps of every game of a batch; an ended game is replaced at once, so all are live.

    The replacements are dealt once a call and not at every step: no game is short enough to need two.
    """

    def step(state: Any, fresh: Any, key: Any) -> Any:
        for_choice, for_dice = jax.random.split(key)
        action = _pgx_choose(jax, state.legal_action_mask, for_choice)
        # Restoring the old observation lets XLA drop the computing of a new one, which nobody looks at.
        after = env.step(state, action, for_dice).replace(observation=fresh.observation)
        over = after.terminated | after.truncated
        return jax.tree_util.tree_map(lambda new, old: jax.numpy.where(over, new, old), fresh, after), over

    def play(states: Any, key: Any) -> Any:
        for_fresh, for_steps = jax.random.split(key)
        fresh = _pgx_fresh(jax, env, for_fresh)

        def all_step(now: Any, key: Any) -> Any:
            now, over = jax.vmap(step)(now, fresh, jax.random.split(key, PGX_BATCH))
            return now, over.sum()

        states, over = jax.lax.scan(all_step, states, jax.random.split(for_steps, PGX_STEPS))
        return states, over.sum()

    return play


def _pgx_fresh(jax: Any, env: Any, key: Any) -> Any:
    return jax.vmap(env.init)(jax.random.split(key, PGX_BATCH))


def _pgx_choose(jax: Any, legal: Any, key: Any) -> Any:
    """A uniform legal action from one random number: the usual `categorical` draws one for each of 156."""
    rank = jax.numpy.cumsum(legal.astype(jax.numpy.int32))
    return jax.numpy.argmax(rank > jax.random.randint(key, (), 0, rank[-1]))


@contextmanager
def _one_core() -> Iterator[str]:
    """Keep threads started inside to one core, where the system can; give the words for the note.

    XLA sizes its pool when it first runs. With two threads for steps this small it burns a third more CPU
    for the same work, which would be held against it, since all threads' seconds are counted.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield "all cores"
        return
    kept = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(kept)})
    try:
        yield "one core"
    finally:
        os.sched_setaffinity(0, kept)


_PEERS: tuple[tuple[str, Callable[[str, float], Peer]], ...] = (
    ("OpenSpiel backgammon", _open_spiel("backgammon")),
    ("OpenSpiel hearts", _open_spiel("hearts")),
    ("OpenSpiel cribbage", _open_spiel("cribbage")),
    ("catanatron", _catanatron),
    ("pgx backgammon", _pgx),
)
