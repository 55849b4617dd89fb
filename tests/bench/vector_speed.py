"""Steps a second of the vectorised environment, next to others: `python tests/bench/vector_speed.py`.

It plays 4,096 games of Alea with two players on one core and measures CPU time; each figure is the median of several
rounds. Then it measures PettingZoo's own games in the same kind of loop (`last`, a random legal action, `step`), our
environment in PettingZoo, and pgx on the CPU if it is installed. A ratio compares equal work: choosing an action always
counts, computing observations only if the other library always does it. This is not a test: nothing fails.
"""

import argparse
import importlib
import random
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from rostra.adapters.pettingzoo_env import env
from rostra.adapters.vector_env import VectorEnv
from rostra.study.peers import Missing, _attempt, _pgx

GAMES, WARM_UP, STEPS = 4096, 300, 40
CLASSICS = ("connect_four_v3", "texas_holdem_v4")


def rate(work: Callable[[], int], seconds: float) -> float:
    """Steps a CPU second of this process, the median over rounds; `work` is a round and returns its steps."""
    rates = []
    end = process_time() + seconds
    while (began := process_time()) < end:
        steps = work()
        rates.append(steps / (process_time() - began))
    return median(rates)


def vector_rates(seconds: float) -> dict[str, float]:
    """What the vectorised environment does with and without choosing, copying and observing."""

    def step_only(environment: VectorEnv) -> float:
        """Choosing is left out of the time, since it is the policy's."""
        rates = []
        end = process_time() + seconds
        while process_time() < end:
            spent = 0.0
            for _ in range(STEPS):
                actions = environment.random_actions()
                began = process_time()
                environment.step(actions)
                spent += process_time() - began
            rates.append(STEPS * GAMES / spent)
        return median(rates)

    def choose_and_step(environment: VectorEnv) -> int:
        for _ in range(STEPS):
            environment.step(environment.random_actions())
        return STEPS * GAMES

    found = {}
    for name, copy in (("step with masks", False), ("step with masks, arrays copied", True)):
        environment = VectorEnv("alea", 2, GAMES, observations=False, copy=copy)
        environment.reset(seed=1)
        for _ in range(WARM_UP):  # until the games no longer end in step
            environment.step(environment.random_actions())
        found[name] = step_only(environment)
        found[f"{name}, and a random choice"] = rate(lambda one=environment: choose_and_step(one), seconds)  # type: ignore[misc]  # bound now

    def look(environment: VectorEnv) -> int:
        environment.observe()
        return GAMES

    found["observe alone"] = rate(lambda: look(environment), seconds)
    full = VectorEnv("alea", 2, GAMES, copy=False)
    full.reset(seed=1)
    for _ in range(WARM_UP // 3):
        full.step(full.random_actions())
    found["step with masks and observations, and a random choice"] = rate(lambda: choose_and_step(full), seconds)
    return found


def episode(environment: Any, chooser: random.Random) -> int:
    """A random episode of a PettingZoo environment; returns its steps."""
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


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=4, help="CPU seconds for each figure")
    seconds = parser.parse_args().seconds
    ours = vector_rates(seconds)
    for name, steps in ours.items():
        print(f"{steps / 1e6:9.3f} million a second  {GAMES} games of Alea: {name}")
    masked = ours["step with masks, and a random choice"]
    full = ours["step with masks and observations, and a random choice"]
    chooser = random.Random(1)
    for name in ("rostra_alea_v1 in PettingZoo", *CLASSICS):
        try:
            other: Any = env("alea", 2) if name not in CLASSICS else None
            other = other or importlib.import_module(f"pettingzoo.classic.{name}").env()
        except (ImportError, AttributeError) as error:  # PettingZoo's way to say that a package is missing
            print(f"{'-':>9}  {name}: not installed ({error})")
            continue
        steps = rate(lambda other=other: episode(other, chooser), seconds)  # type: ignore[misc]  # bound now
        print(f"{steps / 1e6:9.4f} million a second  {name}: ours is {masked / steps:.0f} times as fast with masks, "
              f"{full / steps:.0f} times with observations too, as it has them")  # fmt: skip
    pgx = _attempt("pgx backgammon", _pgx, seconds)
    if isinstance(pgx, Missing):
        print(f"{'-':>9}  {pgx.name}: {pgx.reason}")
    else:
        print(f"{pgx.per_second / 1e6:9.3f} million a second  {pgx.name} ({pgx.note}): ours with masks is "
              f"{masked / pgx.per_second:.1f} times as fast")  # fmt: skip


if __name__ == "__main__":
    main()
