"""Runs that are stopped and go on: nothing is lost, nothing is played twice, the results are the same."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars
import pytest

import rostra
from rostra.study.simulate import Interrupted


class Stopping:
    """Progress that interrupts the run, as Ctrl-C does."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, *played: Any) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_a_stopped_simulation_goes_on(tmp_path: Path) -> None:
    file, played = tmp_path / "games.journal", 0

    def counting(view: dict[str, Any], legal: list[str]) -> str:
        nonlocal played
        played += 1
        return legal[0]

    settings: dict[str, Any] = {"games": 60, "seed": 4, "rotate": True}
    whole = rostra.simulate("alea", [counting, "greedy"], **settings)
    needed, played = played, 0
    with pytest.raises(Interrupted) as stopped:
        rostra.simulate("alea", [counting, "greedy"], **settings, journal=file, progress=Stopping(5))
    done = stopped.value.simulation
    assert done.n_games == 40
    assert (done.results == whole.results[:, :20]).all()
    assert 0 < done.decisions < whole.decisions
    before, played = played, 0
    again = rostra.simulate("alea", [counting, "greedy"], **settings, journal=file)
    assert again.digest == whole.digest and again.decisions == whole.decisions
    assert (again.tallies == whole.tallies).all()
    assert played <= needed - before * 2 // 3  # what was under way when it stopped is not lost either
    played = 0
    assert rostra.simulate("alea", [counting, "greedy"], **settings, journal=file).digest == whole.digest
    assert played == 0


def test_a_journal_that_was_cut_off_is_used_as_far_as_it_goes(tmp_path: Path) -> None:
    file = tmp_path / "games.journal"
    whole = rostra.simulate("alea", ["random", "greedy"], games=600, journal=file)
    data = file.read_bytes()
    for size in (len(data) - 7, len(data) // 2, 20, 5, 0):
        file.write_bytes(data[:size])
        assert rostra.simulate("alea", ["random", "greedy"], games=600, journal=file).digest == whole.digest
        assert len(file.read_bytes()) == len(data)  # but for the seconds it is the same
    other = rostra.simulate("alea", ["random", "greedy"], games=600, seed=1, journal=file)
    assert other.digest == rostra.simulate("alea", ["random", "greedy"], games=600, seed=1).digest


def test_an_arena_goes_on(tmp_path: Path) -> None:
    file, bots = tmp_path / "arena.journal", ["greedy", "random", "greedy:deals=off"]
    whole = rostra.arena("quovadis", bots, 3, 20, seed=2)
    with pytest.raises(KeyboardInterrupt):
        rostra.arena("quovadis", bots, 3, 20, seed=2, journal=file, progress=Stopping(4))
    assert rostra.arena("quovadis", bots, 3, 20, seed=2, journal=file).document() == whole.document()


def test_what_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Brutus")
    with pytest.raises(rostra.BadOption, match="is no journal"):
        rostra.simulate("alea", ["random", "random"], games=1, journal=file)
    assert file.read_text() == "Dear Brutus"
    with pytest.raises(rostra.BadOption, match="cannot keep results"):
        rostra.simulate("alea", ["random", "random"], games=1, journal=tmp_path / "no" / "folder")
    lambdas = [lambda view, legal: legal[0], lambda view, legal: legal[-1]]
    with pytest.raises(rostra.BadOption, match="two different bots are named '<lambda>'"):
        rostra.simulate("alea", lambdas, games=1, journal=tmp_path / "new.journal")


def test_control_c_keeps_what_is_done(tmp_path: Path) -> None:
    """The real command and the real signal: it prints and writes what is done, and goes on when repeated.

    The bot writes so much that it cannot run ahead of its reader.
    """
    (tmp_path / "slow.py").write_text(
        "import sys, time\n\ndef bot(view, legal):\n    time.sleep(0.001)\n"
        "    print('.' + 4000 * ' ', file=sys.stderr, flush=True)\n    return legal[0]\n"
    )
    command = [sys.executable, "-m", "rostra", "simulate", "alea", "--seats", "2", "--bots", "slow:bot,random"]
    command += ["--games", "40", "--workers", "1", "--resume", "j", "--out", "games.parquet"]
    running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    dots = 0
    while dots < 600:  # a chunk of ten games has fewer decisions of one bot
        dots += running.stderr.readline().strip() == "."
    running.send_signal(signal.SIGINT)
    out, err = running.communicate()
    assert running.returncode == 130
    assert "stopped after" in err and "slow:bot" in out
    some = len(polars.read_parquet(tmp_path / "games.parquet"))
    assert 0 < some < 80 and some % 20 == 0
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert len(polars.read_parquet(tmp_path / "games.parquet")) == 80
    whole = subprocess.run(
        [*command[: command.index("--resume")], "--json"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert again.stdout.rsplit("results ", 1)[1].strip() in whole.stdout
