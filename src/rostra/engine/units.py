"""Units: functions that are compiled together and kept on disk together.

Numba compiles one function at a time and optimises all that it calls again with it. For rules that are hundreds of
small functions, most of the work would be done many times. So here a function becomes LLVM code that is not optimised
(`_Part`). A unit links the parts of its functions and of all that they call, optimises them once, and adds the wrappers
through which Python calls the unit's own functions.

All private parts of Numba that Rostra uses are in this module; pyproject.toml names the versions that were tested.
"""

import contextlib
import functools
import gc
import operator
import sys
import threading
import time
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
from numba import _dynfunc
from numba.core import cgutils, compiler, serialize, typed_passes, typing, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.extending import lower_builtin
from numba.np import arrayobj

from rostra.engine.shelf import Shelf, is_in_file

Report = Callable[[str, float], None]
"""Called with the name of a unit and how much of it is compiled, from 0 to 1."""
LLVM_SHARE = 0.5
"""About the share of LLVM in the time of a unit; Numba's own work, function by function, comes before."""
TICK_SECONDS = 0.3
_ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names of global variables begin that point to a function's environment, Numba's keeper of Python objects."""
_unit_of: dict[Any, "Unit"] = {}
"""The unit in which Python finds a function."""


class Unit:
    """Some functions for Python to call, with all that they need."""

    def __init__(self, name: str, functions: Iterable[Any], *, fast: bool = True) -> None:
        """`fast`: the code runs often, so take the time to optimise it well."""
        self.name, self.fast = name, fast
        self.functions = list(dict.fromkeys(functions))
        for function in self.functions:
            _unit_of.setdefault(function, self)

    def load(self) -> None:
        """Make all functions callable from Python, with code from disk or compiled now."""
        with global_compiler_lock:  # ours too: two locks could block each other
            if not any(map(_is_missing, self.functions)):
                return
            shelf = self._shelf
            code = shelf.read() if shelf else None
            if code is None and shelf is not None:
                with shelf.lock(lambda: report(self.name, 0.0)):
                    code = shelf.read()
                    if code is None:  # else another process has just compiled it
                        code = serialize.dumps(_make(self))
                        shelf.write(code)
            _enter(self.functions, serialize.loads(code) if code else _make(self))

    def on_disk(self) -> bool:
        """Whether the code need not be compiled."""
        return self._shelf is not None and self._shelf.exists()

    @functools.cached_property
    def _shelf(self) -> Shelf | None:
        """Where the code is kept; nowhere if a function is not in a file, where a change would be noticed."""
        reached = _reached(self.functions)
        if not all(is_in_file(one.py_func) for one in reached):
            return None
        entries = [one.py_func.__qualname__ for one in self.functions]
        processor = cpu_target.target_context.codegen().magic_tuple()  # this one, or that of NUMBA_CPU_NAME
        return Shelf(self.name, [*entries, *processor], frozenset(one.py_func.__module__ for one in reached))


def dispatcher(function: Callable[..., Any], types_of: Callable[[], Any], long: bool) -> Any:
    """Numba's object for a function that is compiled when it is needed, for one signature only."""
    found: Any = numba.njit(nogil=long, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    found.types_of = functools.cache(types_of)  # kept: Numba knows a type again only while somebody has it

    def call_from_python(*arguments: Any, **keywords: Any) -> Any:
        unit = _unit_of.get(found) or Unit(f"{function.__module__}.{function.__qualname__}", [found])
        unit.load()
        return found  # Numba calls what it gets, and now there is code

    def call_from_compiled(given: Any, keywords: Any) -> Any:
        _part_of(found)
        signature, arguments = found._compiler.fold_argument_types(given, keywords)
        template = typing.make_concrete_template(function.__name__, function.__name__, found.nopython_signatures)
        return template, signature, arguments, {}

    # Numba itself would compile a variant for every combination of types that occurs.
    found._compile_for_args, found.get_call_template = call_from_python, call_from_compiled
    return found


def _is_missing(function: Any) -> bool:
    return "_compile_for_args" in function.__dict__


# Making code.


class _Made(NamedTuple):
    """The code of a unit, as it is kept on disk."""

    code: bytes
    entries: list[tuple[str, str, Any]]
    """For each function: the symbol of its wrapper, its name, and its environment."""
    environments: list[Any]
    """All environments that the code uses."""


class _Part(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """The LLVM code of one function, which is never optimised or run by itself."""

    _shared_module: Any

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Ready to be linked."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is nothing to call yet."""
        return 0

    def _get_module_for_linking(self) -> Any:
        """For code that is not ours and happens to need the same helper of Numba: the part with all that it calls."""
        if self._shared_module is None:
            whole = self._final_module.clone()
            for part in _with_callees([self])[1:]:
                whole.link_in(part._final_module, preserve=True)
            for function in whole.functions:
                if not function.is_declaration:
                    function.linkage = "linkonce_odr"
            self._shared_module = whole
        return self._shared_module


@contextlib.contextmanager
def _only_parts() -> Iterator[None]:
    """Let Numba compile its own helpers as parts too."""
    codegen: Any = cpu_target.target_context.codegen()
    codegen._library_class, codegen.set_env = _Part, lambda name, environment: None
    try:
        yield
    finally:
        del codegen._library_class, codegen.set_env


def _part_of(function: Any) -> Any:
    """What Numba has made of a function: its part, its signature, its environment and so on."""
    if not function.overloads:
        flags = compiler.Flags()
        cpu_target.options.parse_as_flags(flags, function.targetoptions)
        flags.no_compile = True
        result, *arguments = function.types_of()
        context: Any = cpu_target.target_context
        part = _Part(context.codegen(), function.__qualname__)
        made = _lower(function.py_func, tuple(arguments), result, flags, part)
        key = object()  # by which Numba finds the function when it compiles a call
        context.insert_user_function(key, made.fndesc, [made.library])
        function.overloads[tuple(arguments)] = made._replace(entry_point=key)
    return next(iter(function.overloads.values()))


@contextlib.contextmanager
def _patient_collector() -> Iterator[None]:
    """Look for garbage less often: that would be a tenth of the time, and there is little."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)


class _Plain(compiler.CompilerBase):  # type: ignore[misc]  # Numba has no types
    """Numba's steps for a function without closures, context managers and other things that rules do without."""

    def define_pipelines(self) -> list[Any]:
        """The steps, in Numba's own order."""
        steps = PassManager("plain")
        for step in (
            untyped_passes.TranslateByteCode,
            untyped_passes.FixupArgs,
            untyped_passes.IRProcessing,
            untyped_passes.RewriteSemanticConstants,
            untyped_passes.GenericRewrites,
            untyped_passes.ReconstructSSA,
            typed_passes.NopythonTypeInference,
            typed_passes.PreLowerStripPhis,
            typed_passes.NopythonRewrites,
            typed_passes.IRLegalization,
            typed_passes.AnnotateTypes,
            typed_passes.NativeLowering,
            typed_passes.NoPythonBackend,
        ):
            steps.add_pass(step, step.__name__)
        steps.finalize()
        return [steps]


def _lower(function: Any, arguments: tuple[Any, ...], result: Any, flags: Any, part: Any) -> Any:
    """Make LLVM code of a function, with few steps if they are enough."""
    typing_context, context = cpu_target.typing_context, cpu_target.target_context
    given: Any = (typing_context, context, function, arguments, result, flags, {})
    try:
        return compiler.compile_extra(*given, library=part, pipeline_class=_Plain)
    except numba.core.errors.NumbaError:  # it needs all of Numba's steps, or it is wrong
        return compiler.compile_extra(*given, library=_Part(context.codegen(), part.name))


def _make(unit: Unit) -> _Made:
    """Compile a unit."""
    began = time.monotonic()
    reached = _reached(unit.functions)
    report(unit.name, 0.0)
    with _only_parts(), _patient_collector():
        for function in reversed(reached):  # what is called first, so that the progress is even
            _part_of(function)
            report(unit.name, (1 - LLVM_SHARE) * sum(bool(one.overloads) for one in reached) / len(reached))
    made = [_part_of(function) for function in unit.functions]
    context: Any = cpu_target.target_context
    codegen = context.codegen()
    with _ticking(unit.name, time.monotonic() - began):
        whole = _Part(codegen, unit.name)
        for function, one in zip(unit.functions, made, strict=True):
            long = function.targetoptions["nogil"]
            context.create_cpython_wrapper(whole, one.fndesc, one.environment, one.call_helper, release_gil=long)
        module = whole._final_module
        for part in _with_callees([one.library for one in made]):
            module.link_in(part._final_module, preserve=True)
        entries = [(one.fndesc.llvm_cpython_wrapper_name, one.fndesc.qualname, one.environment) for one in made]
        _optimise(codegen, module, {symbol for symbol, _, _ in entries}, unit.fast)
        code = codegen._tm.emit_object(module)
    names = [variable.name for variable in module.global_variables if variable.name.startswith(_ENVIRONMENT)]
    environments = [found for name in names if (found := compiler.lookup_environment(name)) is not None]
    return _Made(code, entries, environments)


# Numba has no types.
@lower_builtin(operator.setitem, numba.types.Array, numba.types.Integer, numba.types.Record)  # type: ignore[untyped-decorator]
def _copy_record(context: Any, builder: Any, signature: Any, arguments: Any) -> None:
    """Copy a record into an array as a block. Numba copies it byte by byte, which is most of LLVM's work then."""
    array_type, index_type, record_type = signature.args
    array, index, record = arguments
    array = arrayobj.make_array(array_type)(context, builder, array)
    record = context.cast(builder, record, record_type, array_type.dtype)
    place, _, _ = arrayobj.basic_indexing(
        context, builder, array_type, array, (index_type,), (index,), boundscheck=context.enable_boundscheck
    )
    cgutils.raw_memmove(builder, place, record, context.get_constant(numba.types.intp, 1), array_type.dtype.size)


def _with_callees(parts: list[Any]) -> list[Any]:
    """These parts and all that they call, each once."""
    found = dict.fromkeys(parts)
    left = list(found)
    while left:
        for part in left.pop()._linking_libraries:
            if part not in found:
                found[part] = None
                left.append(part)
    return list(found)


def _optimise(codegen: Any, module: Any, symbols: set[str], fast: bool) -> None:
    for function in module.functions:
        if not function.is_declaration and function.name not in symbols:
            function.linkage = "internal"  # nobody else calls it, so LLVM may change or remove it
    options = llvm.create_pipeline_tuning_options(3 if fast else 1)
    options.loop_vectorization, options.slp_vectorization, options.loop_unrolling = fast, False, fast
    builder = llvm.create_pass_builder(codegen._tm, options)
    passes = builder.getModulePassManager()
    passes.add_refprune_pass()  # Numba's own, which removes pairs of counting references up and down
    passes.run(module, builder)
    module.verify()


def _enter(functions: list[Any], made: _Made) -> None:
    """Load code, and make the functions callable."""
    context: Any = cpu_target.target_context
    rtsys.initialize(context)  # the code allocates arrays
    codegen = context.codegen()
    engine = codegen._engine._ee
    engine.add_object_file(llvm.ObjectFileRef.from_data(made.code))
    engine.finalize_object()
    for environment in made.environments:
        codegen.set_env(environment.env_name, environment)
    for function, (symbol, name, environment) in zip(functions, made.entries, strict=True):
        if _is_missing(function):
            module = sys.modules.get(function.py_func.__module__) or sys.modules[__name__]
            address = engine.get_function_address(symbol)
            function.entry = _dynfunc.make_function(module, name, name, address, environment, ())
            function._insert([argument._code for argument in function.types_of()[1:]], function.entry, False)
            function._can_compile = False
            del function.__dict__["_compile_for_args"]


# What calls what.


def _reached(functions: Iterable[Any]) -> list[Any]:
    """These functions and all compiled functions that they call, callers first."""
    found = dict.fromkeys(functions)
    left = list(found)
    while left:
        function = left.pop().py_func
        for one in _named(function.__code__, function.__globals__):
            if isinstance(one, Dispatcher) and hasattr(one, "types_of") and one not in found:
                found[one] = None
                left.append(one)
    return list(found)


def _named(code: types.CodeType, names: dict[str, Any]) -> Iterator[Any]:
    """The global objects that a piece of code may name, and members of modules among them."""
    for name in code.co_names:
        found = names.get(name)
        if isinstance(found, types.ModuleType):
            yield from (vars(found)[member] for member in code.co_names if member in vars(found))
        yield found
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _named(constant, names)


def called_from_python(roots: Iterable[Any]) -> list[Any]:
    """The compiled functions among these objects, and those that their Python code calls, directly or not."""
    found: dict[Any, None] = {}
    seen: set[int] = set()
    left = list(roots)
    while left:
        one = left.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, Dispatcher):
            found[one] = None
        elif hasattr(one, "__wrapped__"):  # with a cache
            left.append(one.__wrapped__)
        elif isinstance(one, types.FunctionType) and one.__module__ is not None:
            cells = [cell.cell_contents for cell in one.__closure__ or ()]
            left += [*_named(one.__code__, one.__globals__), *cells]
        elif isinstance(one, type) and one.__module__ != "builtins":
            left += vars(one).values()
        elif isinstance(one, dict | list | tuple):
            left += [part for part in (one.values() if isinstance(one, dict) else one) if callable(part)]
    return list(found)


# Progress.


def report(unit: str, share: float) -> None:
    """Tell how far a unit is; `reporting` says to whom, else it is shown on the error stream."""
    _reports[-1](unit, share)


@contextlib.contextmanager
def reporting(to: Report) -> Iterator[None]:
    """Let somebody else hear of progress."""
    _reports.append(to)
    try:
        yield
    finally:
        _reports.pop()


@contextlib.contextmanager
def _ticking(unit: str, before: float) -> Iterator[None]:
    """Report progress while LLVM works, which cannot be asked how far it is: estimate it from the time before."""
    done = threading.Event()
    began = time.monotonic()
    expected = max(before * LLVM_SHARE / (1 - LLVM_SHARE), TICK_SECONDS)

    def tick() -> None:
        while not done.wait(TICK_SECONDS):
            share = min((time.monotonic() - began) / expected, 0.98)
            report(unit, 1 - LLVM_SHARE + LLVM_SHARE * share)

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
    report(unit, 1.0)


class _ErrorStream:
    """Shows progress on the error stream: a line that changes on a terminal, else a line for each unit."""

    def __init__(self) -> None:
        self.began: dict[str, float] = {}

    def __call__(self, unit: str, share: float) -> None:
        first = unit not in self.began
        seconds = time.monotonic() - self.began.setdefault(unit, time.monotonic())
        if sys.stderr.isatty():
            end = "\n" if share == 1 else ""
            print(f"\r\x1b[K  compiling {unit}: {share:4.0%}, {seconds:.0f} s", end=end, file=sys.stderr, flush=True)
        elif first:
            print(f"rostra: compiling {unit}, once after an install or update", file=sys.stderr)


_reports: list[Report] = [_ErrorStream()]
