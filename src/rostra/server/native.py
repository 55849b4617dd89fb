"""The busiest modules of the server as machine code, for those who serve thousands of matches from one core.

`rostra compile` gives them as they are to mypyc and keeps what comes of it in the user's cache, in a folder named by a
digest of all our sources; `rostra serve` takes what is there. What a newcomer would get wrong: nothing is compiled by
itself, and after any change of a source, or of Python, NumPy or Numba, the server runs as plain Python again, until
somebody compiles it again; it says at its start which it is.
"""

import functools
import hashlib
import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from pathlib import Path
from types import ModuleType

from rostra.game import BadOption
from rostra.jit import INTERPRETED, cache_folder

_SERVER = ("decisions", "frames", "guard", "house", "live", "seen", "socket", "store/sqlite", "table")
MODULES = ("match", *(f"server/{name}" for name in _SERVER))
"""What is compiled. No shape of a message may be among it: mypyc forgets the types that msgspec reads."""
_PACKAGE = Path(__file__).parent.parent
_FLAGS = ("--config-file=", "--follow-imports=silent", "--ignore-missing-imports")
"""The types of the whole project are checked elsewhere, with its own settings."""
_ENDING = EXTENSION_SUFFIXES[0]
"""How files with machine code for this Python end."""


@functools.cache
def folder() -> Path:
    """Where the machine code of just these sources is, if there is any."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return cache_folder() / f"server-{digest.hexdigest()[:16]}"


def build() -> Path:
    """Compile the modules, unless they are there; returns where they are."""
    if folder().exists():
        return folder()
    if importlib.util.find_spec("mypyc") is None or importlib.util.find_spec("setuptools") is None:
        raise BadOption("this needs mypyc and setuptools: pip install 'rostra[compiled]'")
    try:
        with tempfile.TemporaryDirectory(dir=cache_folder()) as room:
            done = _compile(Path(room))
            try:
                done.rename(folder())
            except OSError:
                if not folder().exists():  # else somebody was quicker
                    raise
    except OSError as error:
        raise BadOption(f"cannot compile in {cache_folder()}: {error.strerror}") from error
    return folder()


def _compile(room: Path) -> Path:
    """Compile in an empty folder; returns where in it the machine code is, which has been tried."""
    shutil.copytree(_PACKAGE, room / "rostra", ignore=shutil.ignore_patterns("pages", "__pycache__", "*.npz"))
    files = [f"rostra/{name}.py" for name in MODULES]
    _run(room, "from mypyc.__main__ import main; main()", *_FLAGS, *files)
    done = room / "done"
    done.mkdir()
    for path in [path.relative_to(room) for path in room.rglob(f"*{_ENDING}")]:
        if path.parts[0] != "build":
            (room / path).rename(done / ".".join(path.parts))
    _run(_PACKAGE.parent, "import sys; from rostra.server import native; native.load(sys.argv[1])", str(done))
    return done


def _run(where: Path, program: str, *words: str) -> None:
    """Run a line of Python; what went wrong is said in one line."""
    environment = os.environ | {"MYPYC_OPT_LEVEL": "2", "MYPYC_DEBUG_LEVEL": "0"}
    command = [sys.executable, "-c", program, *words]
    ran = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True)
    if ran.returncode:
        told = [line for line in (ran.stdout + ran.stderr).splitlines() if line.strip()]
        wrong = [line for line in told if "error:" in line.lower()] or told[-1:]
        reason = textwrap.shorten("; ".join(wrong[:1]), 200)
        raise BadOption(f"the modules could not be compiled (is there a C compiler?): {reason}")


class _Finder(MetaPathFinder):
    """Finds a module in a folder by its whole name."""

    def __init__(self, where: Path) -> None:
        self._where = where

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = self._where / f"{fullname}{_ENDING}"
        return importlib.util.spec_from_file_location(fullname, file) if file.exists() else None


def load(where: str) -> None:
    """Import all modules from this folder: they must all be there, and be for this machine."""
    sys.meta_path.insert(0, _Finder(Path(where)))
    for name in MODULES:
        module = importlib.import_module(f"rostra.{name.replace('/', '.')}")
        if not str(module.__file__).endswith(_ENDING):
            raise ImportError(f"error: {name} was not compiled")


def use() -> bool:
    """Take the machine code of what is imported from now on, if it is there and not forbidden (`ROSTRA_COMPILED=0`);
    whether it is."""
    found = not INTERPRETED and os.environ.get("ROSTRA_COMPILED") != "0" and folder().exists()
    if found:
        sys.meta_path.insert(0, _Finder(folder()))
    return found


def in_use() -> bool:
    """Whether this process runs the machine code."""
    return any(isinstance(finder, _Finder) for finder in sys.meta_path)
