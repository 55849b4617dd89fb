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


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty cache, in a folder with a name that means something to compilers."""
    cache = tmp_path / "build"
    cache.mkdir()
    monkeypatch.setattr(native, "cache_folder", lambda: cache)
    native.folder.cache_clear()
    yield cache
    native.folder.cache_clear()


def test_what_is_missing_is_said(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(BadOption, match=r"pip install 'rostra\[compiled\]'"):
        native.build()


@pytest.mark.slow
def test_a_compiler_that_fails_is_named_and_nothing_is_left(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/bin/false")
    monkeypatch.setattr(native, "MODULES", ("server/guard",))
    with pytest.raises(BadOption, match=r"is there a C compiler\?\): .*/bin/false"):
        native.build()
    assert not list(elsewhere.iterdir())


def test_only_what_can_be_loaded_is_kept(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def made(room: Path, program: str, *words: str) -> None:
        if "mypyc" in program:
            (room / f"rostra/match{native._ENDING}").write_bytes(b"half of a file")
        else:
            run_one(room, program, *words)

    run_one = native._run
    monkeypatch.setattr(native, "_run", made)
    with pytest.raises(BadOption, match=r"could not be compiled.*ImportError: .*match"):
        native.build()
    assert not list(elsewhere.iterdir())


@pytest.mark.slow
def test_a_server_that_cannot_be_loaded_says_what_to_do(tmp_path: Path) -> None:
    program = (
        "import sys; from rostra.server import native; from rostra.cli import main; native.folder().mkdir();"
        "(native.folder() / f'rostra.match{native._ENDING}').write_bytes(b''); sys.exit(main(['serve', '--port', '0']))"
    )
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "ROSTRA_COMPILED": "1"}
    told = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert told.returncode == 2
    assert "run `rostra compile` again, or set ROSTRA_COMPILED=0" in told.stderr
    assert "Traceback" not in told.stderr
