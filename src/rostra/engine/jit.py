"""The one decorator of the rules: the same lines run compiled by Numba, interpreted, and in a debugger.

`compiled` is for functions that know their types, `bind` for loops that are written once for any game. Machine code is
made and kept by `units`. Types are written as Python writes them: `int` and `float` (64 bit), `None` (returns
nothing), a structured dtype (one record), `[np.int32]` (an array), `[[np.float32]]` (two axes), and a tuple (also a
named one) of types.
"""

import functools
import os
import types
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

if TYPE_CHECKING:
    from rostra.engine.units import Unit as Unit
else:
    Unit = Any  # not imported: interpreted rules need no Numba

Function = TypeVar("Function", bound=Callable[..., Any])
Array = np.ndarray[Any, Any]
State = Any
"""A record of a game's `state` dtype: Numba and NumPy know its fields, mypy cannot."""

INTERPRETED = any(os.environ.get(name, "") not in ("", "0") for name in ("ROSTRA_INTERPRETED", "NUMBA_DISABLE_JIT"))


def compiled(result: Any, *arguments: Any, wraps: bool = False, long: bool = False) -> Callable[[Function], Function]:
    """Compile a function for these types at its first use. `wraps`: its integers overflow on purpose. `long`: release
    Python's lock while it runs; a short call would spend more time on getting the lock back than on its work."""

    def decorate(function: Function) -> Function:
        if INTERPRETED:
            plain = np.errstate(over="ignore")(function) if wraps else function
            return cast(Function, _with_casts(plain, result, arguments))
        return _dispatcher(function, (result, *arguments), long)

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
    return cast(Function, _dispatcher(copy, (result, *arguments), long))


def unit(name: str, members: Iterable[Any], *, fast: bool = True, beside: "Unit | None" = None) -> "Unit | None":
    """Compile the functions among these objects together, and those that their Python code calls, but for those in the
    unit `beside`. Without `fast` the code is optimised less. Interpreted functions need no unit."""
    if INTERPRETED:
        return None
    from rostra.engine import units

    taken = beside.functions if beside else []
    return units.Unit(name, [one for one in units.called_from_python(members) if one not in taken], fast=fast)


def _dispatcher(function: Function, spec: tuple[Any, ...], long: bool) -> Function:
    from rostra.engine import units  # not at the top: interpreted rules need no Numba

    return cast(Function, units.dispatcher(function, lambda: tuple(map(_numba_type, spec)), long))


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
