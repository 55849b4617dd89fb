"""The one decorator of the rules: the same lines run compiled by Numba, interpreted, and in a debugger.

Compiled code is kept on disk, in a folder named by a digest of our sources, versions and flags: Numba's own cache
does not notice a change in *another* module, nor a flag such as bounds checks. Not here: any rule, any loop.
What a newcomer would get wrong: a function is compiled at its first use, but only ever for the types that its
decorator names.

Types are written as Python writes them: `int` and `float` (64 bit), `None` (returns nothing), a structured dtype
(one record), `[np.int32]` (an array), `[[np.float32]]` (two axes), and a tuple `(result, argument, ...)` for a
function that is handed over.
"""

import contextlib
import functools
import getpass
import hashlib
import os
import pickle
import platform
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])
Array = np.ndarray[Any, Any]
State = Any
"""A record of a game's `state` dtype: Numba and NumPy know its fields, mypy cannot."""

INTERPRETED = any(os.environ.get(name, "") not in ("", "0") for name in ("ROSTRA_INTERPRETED", "NUMBA_DISABLE_JIT"))
_waiting: list[Any] = []
"""Dispatchers in the order of their decorators, for `compile_all`."""
_said = False


def compiled(result: Any, *arguments: Any, wraps: bool = False, long: bool = False) -> Callable[[Function], Function]:
    """Compile a function for these types; `wraps` says that its integers overflow on purpose, `long` that it takes so
    long that other threads should run meanwhile."""

    def decorate(function: Function) -> Function:
        if INTERPRETED:
            plain = np.errstate(over="ignore")(function) if wraps else function
            return _with_casts(plain, result, arguments)
        dispatcher = generic(function, short=not long)
        _at_first_use(dispatcher, lambda: specialise(dispatcher, result, *arguments))
        _waiting.append(dispatcher)
        return dispatcher

    return decorate


def _with_casts(function: Function, result: Any, arguments: tuple[Any, ...]) -> Function:
    """Widen small integers at calls, as compiled code does: else interpreted code would overflow where it does not."""
    positions = [i for i, argument in enumerate(arguments) if argument is int]

    @functools.wraps(function)
    def cast_and_call(*given: Any) -> Any:
        widened = list(given)
        for i in positions:
            widened[i] = int(widened[i])
        returned = function(*widened)
        return int(returned) if result is int else returned

    return cast(Function, cast_and_call)


def generic(function: Function, short: bool = False) -> Function:
    """A function to be compiled later, by `specialise`, for the types of each game; a short one keeps Python's lock,
    because to get it back would take longer than the work."""
    if INTERPRETED:
        return function
    import numba

    dispatcher: Any = numba.njit(nogil=not short)(function)
    _keep_on_disk(dispatcher)
    return cast(Function, dispatcher)  # it is called like the function it replaces


def specialise(function: Function, result: Any, *arguments: Any) -> None:
    """Compile a `generic` function for these types, or take the code from disk."""
    if INTERPRETED:
        return
    from numba.core.compiler_lock import global_compiler_lock

    dispatcher: Any = function
    with global_compiler_lock:  # several threads may need it first
        misses = sum(dispatcher.stats.cache_misses.values())
        dispatcher.disable_compile(False)
        signature = _numba_type((result, *arguments)).signature
        try:
            dispatcher.compile(signature)
        except (EOFError, pickle.UnpicklingError, AttributeError, IndexError, ImportError, KeyError, ValueError):
            _clear_cache()  # a file there is damaged: these are what unpickling it raises
            dispatcher.compile(signature)
        # Else it would compile anew for the very functions it is handed, not for their type.
        dispatcher.disable_compile()
        if sum(dispatcher.stats.cache_misses.values()) > misses:
            _say_once()


def _at_first_use(dispatcher: Any, prepare: Callable[[], None]) -> None:
    """Run `prepare` when the dispatcher is first called, handed over, or called by code that is being compiled.

    Numba compiles at the first call for whatever types come along, which for us would be several variants of each
    function; and what it compiles eagerly is also loaded eagerly, although inner functions are part of the outer ones.
    These are the three ways by which Numba asks a dispatcher for code.
    """

    from numba.core.compiler_lock import global_compiler_lock  # ours too: two locks could block each other

    hooks = ("_compile_for_args", "get_call_template", "get_compile_result")

    def prepared(name: str) -> Callable[..., Any]:
        method = getattr(dispatcher, name)

        def first(*arguments: Any, **keywords: Any) -> Any:
            with global_compiler_lock:
                if name in dispatcher.__dict__:  # else another thread was here first
                    prepare()
                    for hook in hooks:
                        del dispatcher.__dict__[hook]
            # A call from Python wants something to call: the dispatcher, now that it has code.
            return dispatcher if name == "_compile_for_args" else method(*arguments, **keywords)

        return first

    for name in hooks:
        setattr(dispatcher, name, prepared(name))


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
    from numba.core import config as numba_config

    config: Any = numba_config
    before, config.CACHE_DIR = config.CACHE_DIR, str(cache_folder())
    try:
        dispatcher.enable_caching()
    finally:
        config.CACHE_DIR = before


def _clear_cache() -> None:
    print(f"rostra: the compiled code in {cache_folder()} is damaged and made anew", file=sys.stderr)
    for file in cache_folder().rglob("*.nb?"):
        file.unlink(missing_ok=True)


@functools.cache
def cache_folder() -> Path:
    """Where compiled code is kept: the user's cache, else a temporary folder of this user."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    temporary = Path(tempfile.gettempdir()) / f"rostra-{getpass.getuser()}"
    for parent in (Path(home), temporary):
        folder = parent / "rostra" / _digest()
        with contextlib.suppress(OSError):
            parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(parents=True, exist_ok=True)
            # Code is loaded from there: in a place that all may write to, it must be ours.
            if os.access(folder, os.W_OK) and (parent != temporary or parent.owner() == getpass.getuser()):
                return folder
    raise OSError(f"no folder to keep compiled code in: {home} is not writable; set XDG_CACHE_HOME")


def _digest() -> str:
    import llvmlite
    import numba

    digest = hashlib.sha256()
    for item in (
        *(
            Path(__file__).parents[1],
            platform.python_version(),
            platform.machine(),
            np.__version__,
            numba.__version__,
            llvmlite.__version__,
        ),
        *(f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_")),
    ):
        digest.update(f"{item}\n".encode())
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        source = path.read_bytes()
        if b"@compiled" in source or b"@generic" in source or path.name in ("game.py", "jit.py"):
            digest.update(source)
    return digest.hexdigest()[:16]


def _say_once() -> None:
    """Say on the error stream why this start is slow."""
    global _said
    if not _said:
        _said = True
        print("rostra: compiling the rules, once after an install or update (one or two minutes)", file=sys.stderr)


def compile_all(package: str, last: Callable[[], object]) -> None:
    """Compile all functions of a package now, with a progress line, unless they are on disk; `last` does the rest."""
    if INTERPRETED or (done := cache_folder() / f"{package}.complete").exists():
        return
    functions = [one for one in _waiting if one.py_func.__module__.startswith(package)]
    _say_once()

    def progress(text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    for number, dispatcher in enumerate(functions, 1):
        progress(f"  {number} of {len(functions)}: {dispatcher.__name__}")
        if hook := dispatcher.__dict__.get("_compile_for_args"):
            hook()
    progress("  the loops")
    last()
    progress("")
    done.touch()
