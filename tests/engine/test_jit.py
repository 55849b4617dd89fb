"""The same rules at two speeds: compiled and interpreted agree, and compiled code stays within its arrays."""

import importlib.metadata
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import numba
import numpy as np
import pytest

from rostra.engine import jit, rng, shelf, units

ROOT = Path(__file__).parents[2]
PROGRAM = """
import hashlib, random, sys
from rostra.study.simulate import simulate
from rostra.bots import make_bot
from rostra.play.dice import Stream
from rostra.games import GAMES
from rostra.play.match import Match
tables = [("alea", seats, "random", {"voluntary_latrina": "on"}) for seats in (3, 4, 5)]
tables += [("quovadis", seats, "random", {"consul_election": "on"}) for seats in (4, 5)]
tables += [("quovadis", 3, "random", {"open_hands": "on", "caesar_frees": "committee"})]
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


MINDS = """
import hashlib
import numpy as np
from rostra.bots import make_bot
from rostra.engine import rng
from rostra.engine.game import CHANCE, OVER
from rostra.games import GAMES
for name, seats, bot in (("alea", 5, "learned:still"), ("quovadis", 4, "learned:payer")):
    game = GAMES[name]
    s, generator, buffer = game.new(seats, {}), rng.generator(7), np.empty(game.rules.max_legal, np.int32)
    inputs, work = np.zeros(game.mind.n_inputs, np.float32), np.zeros(game.mind.n_work, np.int64)
    seen = np.zeros(sum(plane.size for plane in game.knowledge.planes), np.float32)
    numbers, ply = hashlib.sha256(), 0
    while game.rules.turn(s) != OVER and ply < 300:
        if ply % 30 == 29:
            for seat in range(seats):
                game.mind.features(s, seat, inputs, work)
                game.knowledge.observe(s, seat, seen)
                numbers.update(inputs.tobytes() + seen.tobytes())
        if ply > 60 and ply % 50 < 3 and game.rules.turn(s) != CHANCE:
            print(game.notation.text(s, make_bot(bot).choose(game, s, generator)))
        chance = game.rules.turn(s) == CHANCE
        game.rules.apply(s, game.rules.draw(s, generator) if chance else game.play.random_move(s, buffer, generator))
        ply += 1
    print(numbers.hexdigest())
"""


def digests(games: int, program: str = PROGRAM, **environment: str) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(games)],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    return ran.stdout.splitlines()


@pytest.mark.slow
def test_compiled_and_interpreted_agree() -> None:
    compiled = digests(1)
    assert len(set(compiled)) == 10
    assert digests(1, ROSTRA_INTERPRETED="1") == compiled


@pytest.mark.slow
def test_minds_agree_compiled_and_interpreted() -> None:
    """Observations, inputs of nets to the byte, and the choices of learned players, in both games."""
    compiled = digests(1, MINDS)
    assert len(compiled) > 8
    assert digests(1, MINDS, ROSTRA_INTERPRETED="1") == compiled


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


def digest_of(*modules: str) -> str:
    shelf._imports.cache_clear()
    return shelf.sources_digest.__wrapped__(frozenset(modules))


def test_code_made_with_other_flags_is_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    before = shelf._place.__wrapped__()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert shelf._place.__wrapped__() != before


def test_code_depends_on_all_that_is_imported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """D7: also on files without a decorator, on imports of imports, and on packages of other people."""
    for name, text in (("one", "from strange import two\n"), ("two", "import strange.three\n"), ("three", "N = 1\n")):
        (tmp_path / "strange").mkdir(exist_ok=True)
        (tmp_path / "strange" / f"{name}.py").write_text(text)
    (tmp_path / "strange" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    before = digest_of("strange.one")
    assert digest_of("strange.one") == before
    (tmp_path / "strange" / "three.py").write_text("N = 2\n")
    assert digest_of("strange.one") != before


def test_code_depends_on_constants_of_its_game_but_not_on_the_server() -> None:
    files = {path.name for path in shelf.sources(["rostra.games.alea.rules"])}
    assert {"tables.py", "rng.py", "game.py"} <= files
    assert not any("server" in path.parts or "quovadis" in path.parts for path in shelf.sources(["rostra.games.alea"]))


def test_a_numba_with_other_insides_is_refused_by_the_installer() -> None:
    """D7: private parts of Numba are used, so the versions that were tested are named."""
    requires = [one for one in importlib.metadata.requires("rostra") or () if one.startswith("numba")]
    assert any("<" in one for one in requires)


def test_an_unwritable_home_falls_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    folder = shelf.cache_folder.__wrapped__()
    assert folder.is_dir()
    assert blocked not in folder.parents


ONE_NUMBER = "from rostra.engine import rng; print(rng.below(rng.generator(3), 1000))"


def run_in(cache: Path, program: str) -> tuple[str, str]:
    command = [sys.executable, "-c", program]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    ran = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return ran.stdout, ran.stderr


@pytest.mark.slow
def test_damaged_code_on_disk_is_compiled_again(tmp_path: Path) -> None:
    """Whatever happened to the files, the next start mends them and says so."""
    right, _ = run_in(tmp_path, ONE_NUMBER)
    for content in (b"garbage", b""):
        for file in tmp_path.rglob("*.code"):
            file.write_bytes(content)
        found, said = run_in(tmp_path, ONE_NUMBER)
        assert found == right
        assert "damaged" in said
        assert run_in(tmp_path, ONE_NUMBER) == (right, "")


@pytest.mark.slow
def test_code_of_earlier_versions_is_removed(tmp_path: Path) -> None:
    """Of the same unit, of what nobody has used for long, and of the format before 0.7; nothing else."""
    run_in(tmp_path, ONE_NUMBER)
    folder = tmp_path / "rostra"
    code = {file.name for file in folder.glob("*.code")}
    assert len(code) == 2
    for file in folder.glob("*.code"):
        file.unlink()
    stem = next(iter(code)).rpartition("-")[0]
    old, unused, other = folder / f"{stem}-0123456789abcdef.code", folder / "a-b-c.code", folder / "a-b-d.code"
    for file in (old, unused, other):
        file.write_bytes(b"")
    os.utime(unused, (0, 0))
    (folder / "0123456789abcdef").mkdir()
    run_in(tmp_path, ONE_NUMBER)
    assert {file.name for file in folder.glob("*.code")} == {*code, other.name}
    assert not (folder / "0123456789abcdef").exists()


@pytest.mark.slow
def test_two_processes_do_not_compile_the_same(tmp_path: Path) -> None:
    """The second waits for the first; each function is compiled once."""
    program = """
from rostra.engine import units
from rostra.engine.loops import table_of
from tests.pig import PIG
make = units._make
units._make = lambda unit: (print("made", flush=True), make(unit))[1]
table_of(PIG).load()
print(PIG.rules.turn(PIG.new(2)))
"""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    both = [
        subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for _ in range(2)
    ]
    said = [process.communicate()[0].split() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(map(len, said)) == [1, 2]


@pytest.mark.slow
def test_killed_while_compiling_it_goes_on_where_it_was(tmp_path: Path) -> None:
    """What was finished stays, and the lock of the dead does not stop the living."""
    program = """
import os, sys
from rostra.engine import units
from rostra.engine.loops import table_of
from tests.pig import PIG
table_of(PIG).load()
with units.reporting(lambda unit, share: share and os.kill(os.getpid(), 9)):
    PIG.play.evaluate(PIG.new(2), 0)
"""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", program]
    killed = subprocess.run(command, env=environment, check=False, cwd=ROOT, capture_output=True, text=True)
    assert killed.returncode == -9
    assert "the table" in killed.stderr
    again = subprocess.run(
        [sys.executable, "-c", program.replace("os.kill(os.getpid(), 9)", "None")],
        env=environment, check=True, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert again.stderr == ""


def test_only_the_declared_types_are_compiled() -> None:
    assert rng.below(rng.generator(), np.int8(6)) in range(6)
    assert len(rng.below.signatures) <= 1


def test_progress_rises_to_one() -> None:
    def twice(n: int) -> int:
        return 2 * n

    heard: list[float] = []
    with units.reporting(lambda unit, share: heard.append(share)):
        assert jit.compiled(int, int)(twice)(4) == 8
    assert heard == sorted(heard)
    assert (heard[0], heard[-1]) == (0, 1)


def test_functions_that_need_all_of_numba_are_compiled_too() -> None:
    """A comprehension inside a function needs steps that rules do without."""

    def squares(n: int) -> int:
        return sum([i * i for i in range(n)])

    assert jit.compiled(int, int)(squares)(4) == 14


def test_a_function_of_ours_can_be_called_from_other_numba_code() -> None:
    @numba.njit
    def other(generator: Any) -> Any:
        numbers = np.zeros(3)
        numbers[0] = rng.below(generator, 1)
        return numbers.sum() + int(2.5)

    assert other(rng.generator(1)) == 2


verbs: Any = None  # see `jit.bind`


def _scaled(x: int) -> int:
    return int(verbs.scale(x))


def test_code_typed_at_a_prompt_is_never_taken_from_disk() -> None:
    """Two games with one name, from a notebook: there is no file whose change could be noticed."""
    for factor in (2, 3):
        typed: dict[str, Any] = {"__name__": "__main__", "compiled": jit.compiled}
        source = f"@compiled(int, int)\ndef scale(x):\n    return {factor} * x\n"
        exec(compile(source, "<prompt>", "exec"), typed)
        assert jit.bind(_scaled, "typed", {"scale": typed["scale"]}, int, int)(5) == 5 * factor


def test_threads_that_need_the_same_code_first_do_not_disturb_each_other() -> None:
    together = Barrier(4)

    def twice(n: int) -> int:
        return 2 * n

    function = jit.compiled(int, int)(twice)

    def need(n: int) -> int:
        together.wait()
        return function(n)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(need, range(4))) == [0, 2, 4, 6]
