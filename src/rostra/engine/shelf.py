"""Where machine code is kept on disk, under a name that changes with everything it was made from."""

import contextlib
import functools
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from filelock import FileLock, Timeout

UNUSED_DAYS = 90
"""Code that nobody has loaded for this long is removed."""
WAIT_SECONDS = 0.3
"""How often a process looks whether another one has finished compiling."""
_DIGEST_SIZE = 32


class Shelf:
    """The file for a piece of code that is made from some modules and all that they import."""

    def __init__(self, name: str, contents: list[str], modules: frozenset[str]) -> None:
        self.name = name
        self._stem = f"{re.sub(r'[^a-z0-9_.]+', '-', name.lower())}-{_place()}"
        digest = hashlib.sha256("\n".join([*contents, sources_digest(modules)]).encode())
        self._file = f"{self._stem}-{digest.hexdigest()[:16]}.code"

    def exists(self) -> bool:
        """Whether there is code."""
        return any((folder / self._file).exists() for folder in _folders())

    def read(self) -> bytes | None:
        """The code; None if there is none, or if the file is damaged."""
        for path in [folder / self._file for folder in _folders()]:
            with contextlib.suppress(OSError):
                stored = path.read_bytes()
                code = stored[_DIGEST_SIZE:]
                if hashlib.sha256(code).digest() == stored[:_DIGEST_SIZE]:
                    with contextlib.suppress(OSError):
                        os.utime(path)  # see UNUSED_DAYS
                    return code
                print(f"rostra: {path} is damaged; compiling {self.name} again", file=sys.stderr)
                path.unlink()
        return None

    def write(self, code: bytes) -> None:
        """Keep this code, and remove what earlier versions left. Where it cannot be kept, say so and go on."""
        path = cache_folder() / self._file
        try:
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=self._stem, delete=False) as file:
                file.write(hashlib.sha256(code).digest() + code)
            Path(file.name).replace(path)
        except OSError as error:
            print(f"rostra: cannot keep compiled code in {path.parent}: {error.strerror}", file=sys.stderr)
        else:
            self._clean(path)

    @contextlib.contextmanager
    def lock(self, waiting: Callable[[], None]) -> Iterator[None]:
        """Let no other process compile the same; the lock of a process that was killed is free."""
        lock = FileLock(cache_folder() / f"{self._stem}.lock")
        while True:
            try:
                lock.acquire(timeout=WAIT_SECONDS)
                break
            except Timeout:
                waiting()
        try:
            yield
        finally:
            lock.release()

    def _clean(self, new: Path) -> None:
        oldest = time.time() - UNUSED_DAYS * 86400
        for file in new.parent.glob("*-*"):
            with contextlib.suppress(OSError):
                if file != new and (file.name.startswith(f"{self._stem}-") or file.stat().st_mtime < oldest):
                    file.unlink()
        for folder in new.parent.glob("[0-9a-f]" * 16):  # as Rostra 0.6 and older kept it
            shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def _place() -> str:
    """A short hash of what may differ between two users of one cache that do not replace each other."""
    flags = [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_")]
    parts = [str(Path(__file__).parents[1]), platform.python_version(), platform.machine(), *flags]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:8]


@functools.cache
def sources_digest(modules: frozenset[str]) -> str:
    """A hash of all sources that went into code of these modules, and of the libraries that made it.

    Code depends not only on its own file but on functions and constants of everything that is imported.
    """
    import llvmlite
    import numba

    digest = hashlib.sha256("\n".join([np.__version__, numba.__version__, llvmlite.__version__]).encode())
    for path in sorted(sources(modules)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def sources(modules: Iterable[str]) -> set[Path]:
    """The files of these modules and of all that they import, directly or not, from Rostra or their own package."""
    packages = {"rostra", *(name.partition(".")[0] for name in modules)}
    files: set[Path] = set()
    left = list(modules)
    while left:
        name = left.pop()
        path = _file_of(name)
        if path is not None and path not in files:
            files.add(path)
            left += [found for found in _imports(path) if found.partition(".")[0] in packages]
    return files


@functools.cache
def _file_of(module: str) -> Path | None:
    """The source of a module; None where the name is that of a function, or nothing was read from a file."""
    loaded = sys.modules.get(module)
    if loaded is not None:
        file = getattr(loaded, "__file__", None)
    else:
        try:
            spec = importlib.util.find_spec(module)
        except (ImportError, ValueError):
            return None
        file = spec.origin if spec else None
    return Path(file) if file and file.endswith(".py") else None


_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\s+(?:\(([^)]*)\)|([^\n#]*))|import\s+([\w., ]+))", re.M)


@functools.cache
def _imports(path: Path) -> frozenset[str]:
    """The modules that a source file may import; `from a import b` may mean the module a.b."""
    found: set[str] = set()
    for source, several, line, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
        if source:
            found.add(source)
            found |= {f"{source}.{name.split()[0]}" for name in (several or line).split(",") if name.strip()}
        else:
            found |= {name.split()[0] for name in plain.split(",") if name.strip()}
    return frozenset(found)


def is_in_file(function: Any) -> bool:
    """Whether the source of a function is in a file, so that `sources_digest` notices changes in it. What is typed at a
    prompt or in a notebook is not."""
    return Path(function.__code__.co_filename).is_file()


def _own() -> list[Path]:
    """The user's cache; a user without a home, as in some containers, has none."""
    with contextlib.suppress(RuntimeError):
        own = platformdirs.user_cache_path("rostra")
        if own.is_absolute():
            return [own]
    return []


def _temporary() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"rostra-{user}"


def _folders() -> list[Path]:
    """Where code may be: in the user's cache, or in a temporary folder that belongs to this user."""
    own, temporary = _own(), _temporary()
    with contextlib.suppress(OSError):
        # Code is loaded from there: in a place that everybody may write to, it must be ours.
        if not hasattr(os, "getuid") or temporary.stat().st_uid == os.getuid():
            return [*own, temporary]
    return own


@functools.cache
def cache_folder() -> Path:
    """The folder that new code is written to."""
    tried = [*_own(), _temporary()]
    for folder in tried:
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if folder in _folders() and os.access(folder, os.W_OK):
                return folder
    raise OSError(f"no folder to keep compiled code in: {tried[0]} is not writable; set XDG_CACHE_HOME")
