"""The same rules at two speeds: compiled and interpreted agree, and compiled code stays within its arrays."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from rostra.engine import jit, rng

PROGRAM = """
import hashlib, random, sys
from rostra.study.arena import simulate
from rostra.bots import make_bot
from rostra.play.dice import Stream
from rostra.games import GAMES
from rostra.play.match import Match
tables = [("alea", seats, "random", {"voluntary_latrina": "on"}) for seats in (3, 4, 5)]
tables += [("quovadis", seats, "random", {"consul_election": "on"}) for seats in (4, 5)]
tables += [("alea", 2, "greedy", {}), ("quovadis", 3, "greedy", {})]  # whose evaluation takes long when interpreted
for name, seats, first, options in tables:
    bots = [make_bot(first), *[make_bot("random")] * (seats - 1)]
    print(simulate(GAMES[name], bots, int(sys.argv[1]), seed=21, options=options).digest)
for seats in (2, 4):  # what a live server sends
    match, chooser, said = Match("alea", seats, dice=Stream(bytes(32), "m")), random.Random(5), hashlib.sha256()
    while not match.over:
        said.update(repr([match.view(match.turn), match.view(), match.legal()]).encode())
        placing = [move for move in match.legal() if move[0] != "R"]
        match.play(chooser.choice(placing if chooser.random() < 0.9 else match.legal()))
    said.update(repr(match.view(0)).encode())
    print(said.hexdigest())
"""


def digests(games: int, **environment: str) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, str(games)],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    return ran.stdout.split()


@pytest.mark.slow
def test_compiled_and_interpreted_agree() -> None:
    compiled = digests(1)
    assert len(set(compiled)) == 9
    assert digests(1, ROSTRA_INTERPRETED="1") == compiled


@pytest.mark.slow
def test_compiled_code_stays_within_its_arrays() -> None:
    """With bounds checks an index out of range raises; a run of many games raises nothing and changes nothing."""
    assert digests(20, NUMBA_BOUNDSCHECK="1") == digests(20)


def test_numbers_are_those_of_splitmix64() -> None:
    """Against the published generator, in plain Python."""
    mask = (1 << 64) - 1

    def step(state: int) -> tuple[int, int]:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return state, z ^ (z >> 31)

    generator = np.array([12345], np.uint64)
    state = 12345
    for _ in range(100):
        state, expected = step(state)
        assert int(rng.step(generator)) == expected


def test_below_is_even() -> None:
    generator = rng.generator(1)
    for n in (1, 2, 6, 7, 1000):
        found = np.bincount([rng.below(generator, n) for _ in range(20_000)], minlength=n)
        assert len(found) == n
        assert ((found - 20_000 / n) ** 2 / (20_000 / n)).sum() < n + 6 * np.sqrt(2 * n) + 10


def test_neighbouring_streams_are_unrelated() -> None:
    generator = rng.generator()
    firsts = set()
    for seed in range(40):
        for key in range(40):
            rng.reseed(generator, seed, key)
            firsts.add(int(rng.step(generator)))
    assert len(firsts) == 1600


def test_the_cache_folder_depends_on_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    before = jit._digest()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert jit._digest() != before


def test_an_unwritable_home_falls_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    folder = jit.cache_folder.__wrapped__()
    assert folder.is_dir()
    assert blocked not in folder.parents


@pytest.mark.slow
def test_damaged_code_on_disk_is_made_anew(tmp_path: Path) -> None:
    """Whatever happened to the files, the next start mends them and says so."""
    program = "from rostra import rng; print(rng.below(rng.generator(3), 1000))"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}

    def answer() -> tuple[str, str]:
        command = [sys.executable, "-c", program]
        ran = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        return ran.stdout, ran.stderr

    right, _ = answer()
    for pattern, content in (("*.nbc", b"garbage"), ("*.nbi", b""), ("*.nbc", b"")):
        for file in tmp_path.rglob(pattern):
            file.write_bytes(content)
        found, said = answer()
        assert found == right
        assert "damaged" in said
        assert answer() == (right, "")


def test_only_the_declared_types_are_compiled() -> None:
    assert rng.below(rng.generator(), np.int8(6)) in range(6)
    assert len(rng.below.signatures) == 1


def test_threads_that_need_the_same_code_first_do_not_disturb_each_other() -> None:
    together = Barrier(4)

    def twice(n: int) -> int:
        return 2 * n

    function = jit.generic(twice)

    def need(n: int) -> int:
        together.wait()
        jit.specialise(function, int, int)
        return function(n)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(need, range(4))) == [0, 2, 4, 6]
