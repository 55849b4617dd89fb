"""Each adapter next to a native game of its library, in one run: `python tests/bench/adapter_speed.py`.

It plays random games in the loop that the library's users write, and measures decisions a second of CPU time. The table
goes to `docs/results/adapters.json`, from which the site makes a page. This is not a test: nothing fails. PettingZoo's
native games need `rlcard` and `pygame` (extra `bench`); those that are missing are left out.
"""

import argparse
import importlib
import importlib.metadata
import json
import random
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
from open_spiel.python.games import kuhn_poker  # noqa: F401  # registers

import rostra.adapters.openspiel_game
import rostra.adapters.pettingzoo_env
import rostra.adapters.seat_env  # noqa: F401  # registers
from rostra.adapters.vector_env import VectorEnv

Round = Callable[[random.Random], int]
"""Plays one game, or some steps of many, and returns the decisions."""
RESULTS = Path(__file__).parent.parent.parent / "docs" / "results" / "adapters.json"


def aec(make: Callable[[], Any]) -> Round:
    """The loop of PettingZoo's documentation."""
    environment = make()

    def play(chooser: random.Random) -> int:
        environment.reset(seed=chooser.randrange(1 << 30))
        steps = 0
        for _ in environment.agent_iter():
            shown, _, terminated, truncated, info = environment.last()
            if terminated or truncated:
                return steps
            mask = shown["action_mask"] if "action_mask" in shown else info["action_mask"]
            environment.step(chooser.choice(np.flatnonzero(mask).tolist()))
            steps += 1
        return steps

    return play


def spiel(name: str) -> Round:
    """The loop of OpenSpiel's documentation, with the observation tensor of the player to decide."""
    game = pyspiel.load_game(name)

    def play(chooser: random.Random) -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chooser.choices(outcomes, odds)[0])
                continue
            state.observation_tensor(state.current_player())
            state.apply_action(chooser.choice(state.legal_actions()))
            steps += 1
        return steps

    return play


def single(make: Callable[[], Any]) -> Round:
    """An episode of a Gymnasium environment."""
    environment = make()

    def play(chooser: random.Random) -> int:
        _, info = environment.reset(seed=chooser.randrange(1 << 30))
        steps, ended = 0, False
        while not ended:
            legal = np.flatnonzero(info["action_mask"]).tolist()
            _, _, terminated, truncated, info = environment.step(chooser.choice(legal))
            ended = terminated or truncated
            steps += 1
        return steps

    return play


def taxi() -> Any:
    """Gymnasium's own game with action masks."""
    return gymnasium.make("Taxi-v4")


def many(games: int = 1024) -> Round:
    """Twenty steps of many games with observations and masks."""
    environment = VectorEnv("alea", 2, games, copy=False)
    environment.reset(seed=1)

    def play(_: random.Random) -> int:
        for _ in range(20):
            environment.step(environment.random_actions())
        return 20 * games

    return play


def many_taxis(games: int = 64) -> Round:
    """Twenty steps of Gymnasium's own vector of its own game."""
    environment = gymnasium.make_vec("Taxi-v4", num_envs=games, vectorization_mode="sync")
    environment.reset(seed=1)

    def play(_: random.Random) -> int:
        for _ in range(20):
            environment.step(environment.action_space.sample())
        return 20 * games

    return play


def rate(play: Round, seconds: float) -> float:
    """Decisions a CPU second, the median over rounds."""
    chooser, rates = random.Random(1), []
    play(chooser)  # compiles
    end = process_time() + seconds
    while (began := process_time()) < end or not rates:
        steps = play(chooser)
        rates.append(steps / max(1e-9, process_time() - began))
    return median(rates)


def classic(name: str) -> Callable[[], Any]:
    """A game of PettingZoo."""
    return lambda: importlib.import_module(f"pettingzoo.classic.{name}").env()


PAIRS: list[tuple[str, str, Callable[[], Round], str, Callable[[], Round]]] = [
    ("pettingzoo", "rostra/alea", lambda: aec(lambda: pettingzoo.make("aec", "rostra/alea", seats=2)),
     "connect_four_v3", lambda: aec(classic("connect_four_v3"))),
    ("pettingzoo", "rostra/alea", lambda: aec(lambda: pettingzoo.make("aec", "rostra/alea", seats=2)),
     "tictactoe_v3", lambda: aec(classic("tictactoe_v3"))),
    ("pettingzoo", "rostra/quovadis", lambda: aec(lambda: pettingzoo.make("aec", "rostra/quovadis", seats=3)),
     "texas_holdem_v4", lambda: aec(classic("texas_holdem_v4"))),
    ("gymnasium", "rostra/alea-v1, random opponent", lambda: single(lambda: gymnasium.make("rostra/alea-v1")),
     "Taxi-v4", lambda: single(taxi)),
    ("gymnasium", "rostra/alea-all-v1, 1,024 games", many, "Taxi-v4, 64 games", many_taxis),
    ("open-spiel", "python_rostra_alea", lambda: spiel("python_rostra_alea(players=2)"),
     "python_kuhn_poker", lambda: spiel("python_kuhn_poker")),
    ("open-spiel", "python_rostra_alea", lambda: spiel("python_rostra_alea(players=2)"),
     "backgammon (C++)", lambda: spiel("backgammon")),
]  # fmt: skip


def main() -> None:
    """Measure all pairs and write the results file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2, help="CPU seconds for each figure")
    seconds = parser.parse_args().seconds
    rows = []
    for library, name, ours, their_name, theirs in PAIRS:
        try:
            their_rate = rate(theirs(), seconds)
        except (ImportError, AttributeError) as error:
            print(f"{their_name}: not installed ({error})")
            continue
        our_rate = rate(ours(), seconds)
        version = importlib.metadata.version(library)
        row = [f"{library} {version}", name, f"{our_rate:,.0f}", their_name, f"{their_rate:,.0f}",
               f"{our_rate / their_rate:.2g}"]  # fmt: skip
        rows.append(row)
        print(*row, sep="  ")
    found = {
        "title": "Adapters next to native games",
        "about": "Decisions a second of CPU time in random play, in the loop that users write, with observations. "
        "The games differ in what a decision is, so a ratio is only a rough guide to what the adapter costs.",
        "command": "python tests/bench/adapter_speed.py",
        "head": ["library", "ours", "decisions/s", "native game", "decisions/s", "ratio"],
        "rows": rows,
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
