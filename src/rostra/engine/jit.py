"""The one decorator of the rules: the same lines run compiled by Numba, interpreted, and in a debugger.

`compiled` is for functions that know their types, `bind` for loops that are written once for any game. Machine code is
kept on disk, see `code_folder`. Types are written as Python writes them: `int` and `float` (64 bit), `None` (returns
nothing), a structured dtype (one record), `[np.int32]` (an array), `[[np.float32]]` (two axes), and a tuple (also a
named one) of types.
"""

import contextlib
import functools
import hashlib
import importlib.util
import os
import pickle
import platform
import re
import sys
import tempfile
import types
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import platformdirs

Function = TypeVar("Function", bound=Callable[..., Any])
Array = np.ndarray[Any, Any]
State = Any
"""A record of a game's `state` dtype: Numba and NumPy know its fields, mypy cannot."""

INTERPRETED = any(os.environ.get(name, "") not in ("", "0") for name in ("ROSTRA_INTERPRETED", "NUMBA_DISABLE_JIT"))
_HOOKS = ("_compile_for_args", "get_call_template", "get_compile_result")
"""How Numba asks a dispatcher for code: for a call from Python, for a call from code that is being compiled, and for a
function that is handed over. They are private, so pyproject.toml names the Numba versions that were tested."""
_waiting: list[Any] = []
"""Dispatchers in the order of their decorators, for `compile_all`."""
_announced = False


def compiled(result: Any, *arguments: Any, wraps: bool = False, long: bool = False) -> Callable[[Function], Function]:
    """Compile a function for these types at its first use. `wraps`: its integers overflow on purpose. `long`: release
    Python's lock while it runs; a short call would spend more time on getting the lock back than on its work."""

    def decorate(function: Function) -> Function:
        if INTERPRETED:
            plain = np.errstate(over="ignore")(function) if wraps else function
            return cast(Function, _with_casts(plain, result, arguments))
        dispatcher = _dispatcher(function, [function.__module__], long, keep=_is_in_file(function))
        _at_first_use(dispatcher, (result, *arguments))
        _waiting.append(dispatcher)
        return cast(Function, dispatcher)  # it is called like the function it replaces

    return decorate


def bind(
    loop: Function, name: str, verbs: Mapping[str, Any], result: Any, *arguments: Any, long: bool = False
) -> Function:
    """A copy of a loop, compiled at its first use, in which the global name `verbs` has these compiled functions as
    members. `name` tells the copies apart on disk."""
    members = types.ModuleType("verbs")
    vars(members).update(verbs)
    names = {key: loop.__globals__[key] for key in loop.__code__.co_names if key in loop.__globals__}
    names |= {"__name__": loop.__module__, "__builtins__": loop.__globals__["__builtins__"], "verbs": members}
    copy = types.FunctionType(loop.__code__, names, f"{loop.__name__}_{name}", loop.__defaults__)
    copy.__qualname__ = copy.__name__
    if INTERPRETED:
        return cast(Function, _with_casts(copy, result, arguments))
    modules = {loop.__module__, *(getattr(verb, "__module__", None) or __name__ for verb in verbs.values())}
    dispatcher = _dispatcher(copy, modules, long, keep=all(map(_is_in_file, [loop, *verbs.values()])))
    _at_first_use(dispatcher, (result, *arguments))
    return cast(Function, dispatcher)


def _with_casts(function: Any, result: Any, arguments: tuple[Any, ...]) -> Any:
    """Widen small integers at calls, as compiled code does: interpreted code would overflow where compiled does not."""
    positions = [i for i, argument in enumerate(arguments) if argument is int]

    @functools.wraps(function)
    def cast_and_call(*given: Any) -> Any:
        widened = list(given)
        for i in positions:
            widened[i] = int(widened[i])
        returned = function(*widened)
        return int(returned) if result is int else returned

    return cast_and_call


def _is_in_file(function: Any) -> bool:
    """Whether the source of a function is in a file, so that `code_folder` notices changes in it. What is typed at a
    prompt or in a notebook is not; None stands for a function that a game does not have."""
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    return code is None or Path(code.co_filename).is_file()


def _dispatcher(function: Callable[..., Any], modules: Iterable[str], long: bool, keep: bool) -> Any:
    """Numba's own object for a function; with `keep` its code is kept on disk."""
    import numba
    from numba.core import config as numba_config

    dispatcher: Any = numba.njit(nogil=long)(function)
    if not keep:
        return dispatcher
    config: Any = numba_config
    before = config.CACHE_DIR
    try:
        # Only for this function: the rest of the process may use Numba for other things.
        config.CACHE_DIR = str(code_folder(frozenset(modules)))
        dispatcher.enable_caching()
    finally:
        config.CACHE_DIR = before
    return dispatcher


def _at_first_use(dispatcher: Any, signature: tuple[Any, ...]) -> None:
    """Compile a dispatcher for its one signature when it is first needed, and never for another.

    Left alone, Numba would compile a variant for every combination of integer types that occurs. And code compiled at
    the decorator is also loaded there, although most functions are only used inside others.
    """
    from numba.core.compiler_lock import global_compiler_lock  # ours too: two locks could block each other

    def prepared(name: str) -> Callable[..., Any]:
        method = getattr(dispatcher, name)

        def first(*arguments: Any, **keywords: Any) -> Any:
            with global_compiler_lock:
                if name in dispatcher.__dict__:  # else another thread was here first
                    _compile(dispatcher, signature)
                    for hook in _HOOKS:
                        del dispatcher.__dict__[hook]
            # A call from Python needs something to call: the dispatcher, which has code now.
            return dispatcher if name == "_compile_for_args" else method(*arguments, **keywords)

        return first

    for name in _HOOKS:
        setattr(dispatcher, name, prepared(name))


def _compile(dispatcher: Any, spec: tuple[Any, ...]) -> None:
    """Compile a function for these types, or take its code from disk."""
    misses = sum(dispatcher.stats.cache_misses.values())
    result, *arguments = map(_numba_type, spec)
    signature = result(*arguments)
    try:
        dispatcher.compile(signature)
    except (EOFError, pickle.UnpicklingError, AttributeError, IndexError, ImportError, KeyError, ValueError):
        _clear_cache()  # a damaged file: these are what unpickling it raises
        dispatcher.compile(signature)
    dispatcher.disable_compile()
    if sum(dispatcher.stats.cache_misses.values()) > misses:
        _announce_once()


def _numba_type(spec: Any) -> Any:
    import numba

    if spec is None:
        return numba.types.void
    if spec is int:
        return numba.types.int64
    if spec is float:
        return numba.types.float64
    if isinstance(spec, tuple):
        tuples: Any = numba.types.BaseTuple
        return tuples.from_types([_numba_type(one) for one in spec], type(spec) if hasattr(spec, "_fields") else None)
    if isinstance(spec, list):
        axes = 1
        while isinstance(spec[0], list):
            spec, axes = spec[0], axes + 1
        return numba.types.Array(_numba_type(spec[0]), axes, "C")
    return numba.from_dtype(np.dtype(spec))


# Where machine code is kept.


@functools.cache
def code_folder(modules: frozenset[str]) -> Path:
    """The folder for code made from these modules, named by a digest of all sources that went into it.

    Numba's own cache notices a change in the function's own file only. Code also depends on functions and constants of
    imported modules, on versions and on flags.
    """
    import llvmlite
    import numba

    flags = [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_")]
    versions = [platform.python_version(), platform.machine(), np.__version__, numba.__version__, llvmlite.__version__]
    digest = hashlib.sha256("\n".join([str(Path(__file__).parents[1]), *versions, *flags]).encode())
    for path in sorted(_sources(modules)):
        digest.update(path.read_bytes())
    folder = cache_folder() / digest.hexdigest()[:16]
    folder.mkdir(exist_ok=True)
    return folder


def _sources(modules: Iterable[str]) -> set[Path]:
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


@functools.cache
def cache_folder() -> Path:
    """The user's cache, or else a temporary folder that belongs to this user."""
    own = platformdirs.user_cache_path("rostra")
    temporary = Path(tempfile.gettempdir()) / f"rostra-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    for folder in (own, temporary):
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Code is loaded from there: in a place that everybody may write to, it must be ours.
            ours = folder == own or not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
            if os.access(folder, os.W_OK) and ours:
                return folder
    raise OSError(f"no folder to keep compiled code in: {own} is not writable; set XDG_CACHE_HOME")


def _clear_cache() -> None:
    print(f"rostra: the compiled code in {cache_folder()} is damaged; compiling it again", file=sys.stderr)
    for file in cache_folder().rglob("*.nb?"):
        file.unlink(missing_ok=True)


# Compiling before somebody waits for it.


def _announce_once() -> None:
    """Explain on the error stream why this start is slow."""
    global _announced
    if not _announced:
        _announced = True
        print("rostra: compiling the rules, once after an install or update (one or two minutes)", file=sys.stderr)


def compile_all(package: str, rest: Iterable[Any] = ()) -> None:
    """Compile all functions of a package now, and these bound loops, with a progress line, unless all are on disk."""
    if INTERPRETED:
        return
    functions = [one for one in _waiting if f"{one.py_func.__module__}.".startswith(f"{package}.")] + list(rest)
    modules = frozenset(one.py_func.__module__ for one in functions)
    done = code_folder(modules) / f"{package}.complete"
    if done.exists():
        return
    _announce_once()
    for number, dispatcher in enumerate(functions, 1):
        _show_progress(f"  {number} of {len(functions)}: {dispatcher.__name__}")
        if hook := dispatcher.__dict__.get("_compile_for_args"):
            hook()
    _show_progress("")
    done.touch()


def _show_progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
