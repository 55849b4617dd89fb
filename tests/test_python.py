"""The Python API: every name is documented with an example that works, and the five tasks of a researcher."""

import ast
import csv
import doctest
import importlib
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import polars
import pytest

import rostra
from rostra.extras import MODULES, MissingExtra
from rostra.study.tables import Table

ROOT = Path(__file__).parent.parent
TASKS = {
    "random_steps": lambda module, folder: module.random_steps(2),
    "look_ahead": lambda module, folder: module.look_ahead(),
    "many_games": lambda module, folder: module.many_games(300, folder / "games.csv"),
    "own_bot": lambda module, folder: module.compare(5),
    "train_a_net": lambda module, folder: module.train_a_net(100, 5, folder / "net.npz"),
}


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", [name for name in rostra.__all__ if not name.startswith("_")])
def test_every_name_has_an_example_that_works(name: str) -> None:
    """Names of errors need a sentence; everything else an example."""
    thing = getattr(rostra, name)
    assert thing.__doc__
    if isinstance(thing, type) and issubclass(thing, Exception):
        assert issubclass(thing, rostra.RostraError)
        return
    found = doctest.DocTestFinder().find(thing, name, globs={})
    if name == "Game":  # an example of a whole game is in docs/adding-a-game.md
        return
    assert any(one.examples for one in found), f"{name} has no example"
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for one in found:
        runner.run(one)
    assert runner.failures == 0


def test_the_page_about_python_is_true() -> None:
    page = ROOT / "docs" / "python.md"
    tested = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tested.attempted >= 8
    assert tested.failed == 0
    text = page.read_text(encoding="utf-8")
    for name in rostra.__all__:
        assert f"`{name}" in text or name == "__version__", f"{name} is not in docs/python.md"


@pytest.mark.parametrize("name", TASKS)
def test_a_task_of_a_researcher_takes_ten_lines(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And stands in the page as it is."""
    source = (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8")
    code = source.partition('"""\n')[2].partition("\n\nif __name__")[0].strip()
    tree = ast.parse(code)
    docs = {
        node.body[0].lineno for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and ast.get_docstring(node)
    }
    lines = [number for number, line in enumerate(code.splitlines(), 1) if line.strip() and number not in docs]
    assert len(lines) <= 10, lines
    assert code in (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    TASKS[name](example(name), tmp_path)
    assert capsys.readouterr().out


def test_importing_is_quick() -> None:
    code = (
        "import sys, rostra; assert not {'numba', 'numpy', 'asyncio'} & set(sys.modules); assert 'arena' in dir(rostra)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_copy_is_independent_and_can_have_other_dice() -> None:
    match = rostra.Match("alea", seats=2, seed=3)
    same, other = match.copy(), match.copy(seed=4)
    move = match.legal()[-1]
    before = list(match.log)
    assert same.play(move) == match.copy().play(move)
    rolled = [match.copy(seed=seed).play(move) for seed in range(8)]
    assert len({str(plies) for plies in rolled}) > 1
    assert other.log == before == match.log
    assert same.state["set"] == match.state["set"]
    with pytest.raises(rostra.BadOption, match="the seed is a whole number"):
        match.copy(seed=-1)


def first(view: dict[str, Any], legal: list[str]) -> str:
    return legal[0]


def test_a_table_has_a_row_for_each_game_and_seat() -> None:
    found = rostra.simulate("quovadis", [first, "greedy", "random"], games=4, seed=2, rotate=True)
    table = found.table()
    assert table.n_rows == 4 * 3 * 3
    for row in range(table.n_rows):
        at = {name: column[row] for name, column in table.items()}
        assert at["points"] == found.results[at["rotation"], at["game"], 0, at["seat"]]
        assert at["bot"] == found.bots[(at["seat"] - at["rotation"]) % 3].name
    shares = table["share"].reshape(-1, 3).sum(axis=1)
    assert ((shares > 0.99) | (shares == 0)).all()
    mine = table["share"][table["bot"] == "first"].mean()
    assert np.isclose(mine, found.share(0).mean)
    assert set(found.game.play.tallies) <= set(table)


def test_tables_are_written_and_read_again(tmp_path: Path) -> None:
    table = Table(name=np.array(["a", 'b,"c"']), points=np.array([1, 2]))
    table.save(tmp_path / "t.csv")
    rows = list(csv.reader((tmp_path / "t.csv").read_text().splitlines()))
    assert rows == [["name", "points"], ["a", "1"], ['b,"c"', "2"]]
    with pytest.raises(rostra.BadOption, match=r"ends in .csv, .parquet, .arrow"):
        table.save(tmp_path / "t.txt")
    for ending in ("parquet", "arrow"):
        table.save(tmp_path / f"t.{ending}")
        read = {"parquet": polars.read_parquet, "arrow": polars.read_ipc}[ending](tmp_path / f"t.{ending}")
        assert read.to_dict(as_series=False) == {"name": ["a", 'b,"c"'], "points": [1, 2]}


def test_a_table_says_which_library_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODULES, "tables", ("a_module_that_nobody_has",))
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"pip install 'rostra\[tables\]'"):
        Table(a=np.zeros(1)).to_polars()
    with pytest.raises(MissingExtra, match="pip install pandas"):
        Table(a=np.zeros(1)).to_pandas()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_table_becomes_a_frame(library: str) -> None:
    frame = getattr(rostra.simulate("alea", ["random"] * 2, games=3).table(), f"to_{library}")()
    assert list(frame.columns)[:4] == ["game", "rotation", "seat", "bot"]
    assert len(frame) == 6


def test_own_bots_play_where_ours_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By module and name, in the commands and in the terminal; the folder one is in is searched."""
    (tmp_path / "lobby_bots.py").write_text(
        "import rostra\ndef last(view, legal):\n    return legal[-1]\n"
        "middle = rostra.Bot('middle', think=lambda game, s, rng: game.legal_moves(s)[0])\n"
    )
    bots = "lobby_bots:last,lobby_bots:middle"

    def run(*words: str, stdin: str = "") -> str:
        command = [sys.executable, "-m", "rostra", *words]
        ran = subprocess.run(command, cwd=tmp_path, input=stdin, capture_output=True, text=True, check=False)
        return ran.stdout + ran.stderr

    said = run("simulate", "alea", "--seats", "2", "--bots", bots, "--games", "2")
    assert "lobby_bots:last" in said and "lobby_bots:middle" in said
    said = run("play", "quovadis", "--bots", bots, "--seed", "1", stdin="q\n")
    assert "Brutus (lobby_bots:last)" in said
    monkeypatch.chdir(tmp_path)
    assert rostra.make_bot("lobby_bots:middle").name == "lobby_bots:middle"
    with pytest.raises(rostra.BadOption, match="lobby_bots has no 'nothing'"):
        rostra.make_bot("lobby_bots:nothing")
    with pytest.raises(rostra.BadOption, match="no_such_module"):
        rostra.make_bot("no_such_module:x")
    with pytest.raises(rostra.BadOption, match="there is no bot"):
        rostra.make_bot("lobby_bots:last", files=False)


@pytest.mark.parametrize(
    ("said", "error"), [("+III", rostra.IllegalMove), ("nonsense", rostra.BadNotation), (7, rostra.BadNotation)]
)
def test_a_bot_that_errs_is_named(said: Any, error: type[Exception]) -> None:
    def clumsy(view: dict[str, Any], legal: list[str]) -> Any:
        return said

    with pytest.raises(error, match=r"the bot clumsy chose .*; legal: "):
        rostra.simulate("alea", [clumsy, "random"], games=1)


def test_a_bot_on_records_cannot_cheat() -> None:
    """It gets a copy, and its move is checked."""
    with pytest.raises(rostra.IllegalMove, match="the bot wild chose -5"):
        rostra.simulate("alea", [rostra.Bot("wild", think=lambda game, s, rng: -5), "random"], games=1)

    def meddler(game: Any, s: Any, rng: Any) -> int:
        move = game.legal_moves(s)[0]
        s.tobytes()
        s["chips"] = 99
        return int(move)

    honest = rostra.Bot("honest", think=lambda game, s, rng: game.legal_moves(s)[0])
    found = [rostra.simulate("alea", [bot, "random"], games=2) for bot in (rostra.Bot("m", think=meddler), honest)]
    assert found[0].digest == found[1].digest
    with pytest.raises(rostra.BadOption, match=r"or a function\(view, legal\)"):
        rostra.make_bot(7)  # type: ignore[arg-type]


def test_a_retrained_file_is_read_again(tmp_path: Path) -> None:
    """Also a training that was only saved, not exported."""
    file = tmp_path / "net.npz"
    digests = set()
    for games in (100, 200):
        training = rostra.train("alea", seats=2, games=games, weights=file)
        digests.add(rostra.simulate("alea", [f"learned:{file}", "random"], games=5).digest)
    assert len(digests) == 2
    training.save(tmp_path / "on_its_way.npz")
    assert rostra.simulate("alea", [f"learned:{tmp_path / 'on_its_way.npz'}", "random"], games=2).n_games == 2
    with pytest.raises(rostra.BadOption, match=r"ends in \.npz"):
        rostra.train("alea", seats=2, games=100, weights="net.bin")
