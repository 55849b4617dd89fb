"""The one decorator of the rules: the same lines run compiled by Numba, interpreted, and in a debugger.

Compiled code is kept on disk, in a folder named by a digest of our sources, versions and flags: Numba's own cache
does not notice a change in *another* module, nor a flag such as bounds checks. Not here: any rule, any loop.
What a newcomer would get wrong: functions are compiled when their module is imported, not at the first call, so
every decorator names its types.

Types are written as Python writes them: `int` and `float` (64 bit), `None` (returns nothing), a structured dtype
(one record), `[np.int32]` (an array), `[[np.float32]]` (two axes), and a tuple `(result, argument, ...)` for a
function that is handed over.
"""

import contextlib
import functools
import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])
Array = np.ndarray[Any, Any]
State = Any
"""A record of a game's `state` dtype: Numba and NumPy know its fields, mypy cannot."""

INTERPRETED = os.environ.get("ROSTRA_INTERPRETED", "") not in ("", "0")
_compiled_now: list[str] = []


def compiled(result: Any, *arguments: Any, wraps: bool = False) -> Callable[[Function], Function]:
    """Compile a function for these types; `wraps` says that its integers overflow on purpose."""

    def decorate(function: Function) -> Function:
        if INTERPRETED:
            return np.errstate(over="ignore")(function) if wraps else function
        import numba

        dispatcher = numba.njit(nogil=True)(function)
        _keep_on_disk(dispatcher)
        dispatcher.compile(_numba_type((result, *arguments)).signature)
        dispatcher.disable_compile()
        if dispatcher.stats.cache_misses:
            _announce(function.__name__)
        return dispatcher  # type: ignore[no-any-return]  # a Dispatcher is called like the function it replaces

    return decorate


def _numba_type(spec: Any) -> Any:
    import numba
    from numba import types

    if spec is None:
        return types.void
    if spec is int:
        return types.int64
    if spec is float:
        return types.float64
    if isinstance(spec, tuple):
        result, *arguments = map(_numba_type, spec)
        return types.FunctionType(result(*arguments))
    if isinstance(spec, list):
        axes = 1
        while isinstance(spec[0], list):
            spec, axes = spec[0], axes + 1
        return types.Array(_numba_type(spec[0]), axes, "C")
    return numba.from_dtype(np.dtype(spec))


def _keep_on_disk(dispatcher: Any) -> None:
    """Give the dispatcher our cache folder without changing Numba's for the rest of the process."""
    from numba.core import config

    before, config.CACHE_DIR = config.CACHE_DIR, str(cache_folder())
    try:
        dispatcher.enable_caching()
    finally:
        config.CACHE_DIR = before


@functools.cache
def cache_folder() -> Path:
    """Where compiled code is kept: the user's cache, else a temporary folder of this user."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    for parent in (Path(home), Path(tempfile.gettempdir()) / f"rostra-{os.getuid()}"):
        folder = parent / "rostra" / _digest()
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    raise OSError(f"no folder to keep compiled code in: {home} is not writable; set XDG_CACHE_HOME")


def _digest() -> str:
    import llvmlite
    import numba

    digest = hashlib.sha256()
    for item in (
        *(
            platform.python_version(),
            platform.machine(),
            np.__version__,
            numba.__version__,
            llvmlite.__version__,
        ),
        *(f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_")),
    ):
        digest.update(f"{item}\n".encode())
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        source = path.read_bytes()
        if b"compiled" in source:  # modules without this word hold neither compiled code nor its constants
            digest.update(source)
    return digest.hexdigest()[:16]


def _announce(name: str) -> None:
    """Say on the error stream that this start is slow because it compiles, and how far it is."""
    if not _compiled_now:
        sys.stderr.write("rostra: compiling the rules, once after an install or update (about half a minute)\n")
    _compiled_now.append(name)
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K  {len(_compiled_now)} functions, now {name}")
        sys.stderr.flush()


@contextlib.contextmanager
def progress() -> Iterator[None]:
    """Around imports that may compile: wipes the progress line when they are done."""
    try:
        yield
    finally:
        if _compiled_now and sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
