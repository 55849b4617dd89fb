"""The busiest modules of the server as machine code, for those who serve thousands of matches from one core.

`rostra compile` gives them as they are to mypyc and keeps what comes of it in the user's cache, in a folder named by a
digest of all our sources; `rostra serve` takes what is there. What a newcomer would get wrong: nothing is compiled by
itself, and after any change of a source the server runs as plain Python again, until somebody compiles it again.
"""

import functools
import hashlib
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
_PACKAGE = Path(__file__).parent.parent
_FLAGS = ("--config-file=", "--follow-imports=silent", "--ignore-missing-imports")
"""The types of the whole project are checked elsewhere, with its own settings."""
_ENDING = EXTENSION_SUFFIXES[-1]
"""How files with machine code end here."""


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
    with tempfile.TemporaryDirectory(dir=cache_folder()) as room:
        shutil.copytree(_PACKAGE, Path(room, "rostra"), ignore=shutil.ignore_patterns("pages", "__pycache__", "*.npz"))
        files = [f"rostra/{name}.py" for name in MODULES]
        environment = os.environ | {"MYPYC_OPT_LEVEL": "2", "MYPYC_DEBUG_LEVEL": "0"}
        made = subprocess.run(
            [sys.executable, "-c", "from mypyc.__main__ import main; main()", *_FLAGS, *files],
            cwd=room,
            env=environment,
            capture_output=True,
            text=True,
        )
        if made.returncode:
            told = [line for line in (made.stdout + made.stderr).splitlines() if "error:" in line]
            reason = textwrap.shorten("; ".join(told[:1]), 200)
            raise BadOption(f"the modules could not be compiled (is there a C compiler?): {reason}")
        found = [path for path in Path(room).rglob(f"*{_ENDING}") if "build" not in path.parts]
        done = Path(room, "done")
        done.mkdir()
        for path in found:
            name = path.relative_to(room).with_name(path.name.partition(".")[0] + _ENDING)
            path.rename(done / ".".join(name.parts))
        try:
            done.rename(folder())
        except OSError:
            if not folder().exists():  # else somebody was quicker
                raise
    return folder()


class _Finder(MetaPathFinder):
    """Finds a module in the folder by its whole name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = folder() / f"{fullname}{_ENDING}"
        return importlib.util.spec_from_file_location(fullname, file) if file.exists() else None


def use() -> bool:
    """Take the machine code of what is imported from now on, if it is there and not forbidden (`ROSTRA_COMPILED=0`);
    whether it is."""
    found = not INTERPRETED and os.environ.get("ROSTRA_COMPILED") != "0" and folder().exists()
    if found:
        sys.meta_path.insert(0, _Finder())
    return found
