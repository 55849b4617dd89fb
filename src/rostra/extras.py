"""The optional parts of Rostra: which modules each needs, and the sentence that says how to install it."""

from importlib.util import find_spec

MODULES = {
    "server": ("openskill", "prometheus_client", "starlette", "uvicorn", "websockets"),
    "postgres": ("asyncpg",),
    "notify": ("http_ece", "py_vapid"),
    "study": ("matplotlib",),
    "ray": ("ray",),
    "tables": ("polars",),
    "mcp": ("mcp",),
    "textarena": ("textarena",),
    "adapters": ("gymnasium", "pettingzoo"),
    "openspiel": ("pyspiel",),
}
"""The extras of pyproject.toml that something asks for, with the modules that it imports."""


class MissingExtra(ImportError):
    """An optional part that is not installed."""


def installed(extra: str) -> bool:
    """Whether the modules of an extra are there; they are not imported."""
    return all(find_spec(module) is not None for module in MODULES[extra])


def need(extra: str, what: str) -> None:
    """Refuse to go on without an extra. `what` is the part of Rostra, or the library, that the user asked for."""
    if not installed(extra):
        raise MissingExtra(f"{what} is not installed; install it with: pip install 'rostra[{extra}]'")
