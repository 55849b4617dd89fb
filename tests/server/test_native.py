"""The server's modules compiled to machine code: that they can be, that they are then used, and that they keep the same
promises. The tests of the sources run once more, in a process of their own, for the compiled modules; left out is what
puts something of a test's own in place of a part, because compiled parts call each other directly."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rostra.game import BadOption
from rostra.server import native

HERE = Path(__file__).parent
FILES = ("test_live.py", "test_play.py", "test_secrets.py", "test_chaos.py")
LEFT_OUT = "not test_what_a_store_says_to_a_command_that_nobody_waits_for"


def run(*command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", *command],
        env=os.environ | environment,
        cwd=HERE.parent.parent,
        capture_output=True,
        text=True,
        timeout=600,
    )


@pytest.mark.slow
def test_the_compiled_server_keeps_the_promises() -> None:
    made = run("rostra", "compile")
    assert made.returncode == 0, made.stdout + made.stderr
    assert native.folder().exists()
    where = "import rostra.server.native as n; n.use(); import rostra.server.live as live; print(live.__file__)"
    for wanted, ending in (("1", ".so"), ("0", ".py")):
        environment = os.environ | {"ROSTRA_COMPILED": wanted}
        found = subprocess.run([sys.executable, "-c", where], env=environment, capture_output=True, text=True)
        assert found.stdout.strip().endswith(ending), found.stderr
    files = [str(HERE / name) for name in FILES]
    told = run("pytest", "-p", "no:xdist", "-m", "not slow", "-k", LEFT_OUT, *files, ROSTRA_COMPILED="1")
    assert told.returncode == 0, told.stdout


def test_the_tests_run_the_sources() -> None:
    from rostra.server import live

    assert str(live.__file__).endswith(".so" if os.environ["ROSTRA_COMPILED"] == "1" else ".py")


def test_a_changed_source_is_not_the_compiled_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = native.folder()
    (tmp_path / "live.py").write_text("changed = True\n")
    monkeypatch.setattr(native, "_PACKAGE", tmp_path)
    native.folder.cache_clear()
    try:
        assert native.folder() != before
        assert not native.folder().exists()
        assert native.use() is False
    finally:
        native.folder.cache_clear()


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(native, "folder", lambda: tmp_path / "none")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(BadOption, match=r"pip install 'rostra\[compiled\]'"):
        native.build()
