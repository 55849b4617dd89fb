"""The pages of the site that are made from data: API reference, model cards, benchmarks, decisions.

They go into `docs/generated`, which git ignores.
"""

import hashlib
import importlib
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import rostra
from rostra.games import GAMES

MODULES = {
    "The engine": ["rostra.engine.game"],
    "A match": ["rostra.play.match", "rostra.play.transcript"],
    "Bots": ["rostra.bots"],
    "Many games": ["rostra.study.simulate", "rostra.study.arena", "rostra.study.train"],
    "Adapters": [
        "rostra.adapters.tables", "rostra.adapters.pettingzoo_env", "rostra.adapters.seat_env",
        "rostra.adapters.vector_env", "rostra.adapters.openspiel_game", "rostra.adapters.openspiel_structs",
    ],
    "A live table": ["rostra.client"],
}  # fmt: skip
"""What the reference shows, in this order, below the names of the package itself."""


def table(head: list[str], rows: list[list[Any]]) -> Iterator[str]:
    """A table in Markdown."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(map(str, row)) + " |"


def reference() -> Iterator[str]:
    """The names of `rostra`, then the public names of the modules that programs use."""
    yield "# API reference\n"
    names = [name for name in getattr(rostra, "__all__", []) if not name.startswith("__")]
    if names:
        yield "## rostra\n"
        yield "`import rostra` gives these names.\n"
        for name in names:
            thing = getattr(rostra, name)
            kind = "exception" if inspect.isclass(thing) and issubclass(thing, Exception) else "class"
            yield from _auto(kind if inspect.isclass(thing) else "function", f"{thing.__module__}.{thing.__qualname__}")
    seen = [getattr(rostra, name) for name in names]
    for part, modules in MODULES.items():
        yield f"## {part}\n"
        for module in modules:
            found = importlib.import_module(module)
            yield f"### {module}\n"
            yield f"{_plain(found.__doc__ or '')}\n"
            for name, thing in vars(found).items():
                if name.startswith("_") or not (inspect.isclass(thing) or inspect.isfunction(thing)):
                    continue
                if thing.__module__ == module and thing.__doc__ and not any(thing is one for one in seen):
                    yield from _auto("class" if inspect.isclass(thing) else "function", f"{module}.{name}")


def _auto(kind: str, name: str) -> Iterator[str]:
    members = "   :members:\n" if kind != "function" else ""
    yield f"```{{eval-rst}}\n.. auto{kind}:: {name}\n{members}```\n"


def _plain(docstring: str) -> str:
    return inspect.cleandoc(docstring)


def models() -> Iterator[str]:
    """A card for each net that comes with the package."""
    yield "# Model cards\n"
    yield "One net for each game and number of players comes with the package; all `learned` and `deep` bots"
    yield "and the levels use them. [Bots](../bots.md) has the training in full, and how all figures were measured.\n"
    folder = Path(rostra.__file__).parent / "bots" / "weights"
    for path in sorted(folder.glob("*.npz")):
        game = GAMES[path.stem.rpartition("-")[0]]
        players = int(path.stem.rpartition("-")[2])
        with np.load(path, allow_pickle=False) as found:
            net, about = found["net"], found["about"]
        yield f"## {path.stem}\n"
        yield from table(["", ""], _card(path, game, players, net, about))
        yield ""


def _card(path: Path, game: Any, players: int, net: Any, about: Any) -> list[list[str]]:
    mind = game.mind
    strength = STRENGTH[game.name]
    return [
        ["game, players", f"{game.title}, {players}"],
        ["numbers in the net", f"{net.size:,} ({net.dtype}), from {mind.n_inputs} inputs, all known to the seat"],
        ["what the file says of itself", ", ".join(f"`{value}`" for value in about.tolist())],
        ["data", "its own games only, from seeds; no games of people"],
        ["training", f"TD(lambda) by self-play on one CPU; `rostra train {game.name} --seats {players}`"],
        ["strength", strength.get(players, "not measured")],
        ["limits", LIMITS[game.name]],
        ["licence", "MIT, as the rest of the package"],
        ["file, size", f"`{path.name}`, {path.stat().st_size:,} bytes"],
        ["SHA-256", f"`{hashlib.sha256(path.read_bytes()).hexdigest()}`"],
    ]


STRENGTH = {
    "alea": {n: f"one among `greedy` wins {share} % (fair {100 / n:.0f})"
             for n, share in {2: "97.2 ±1.1", 3: "87.0 ±3.6", 4: "99.6 ±0.8", 5: "92.0 ±4.0"}.items()},
    "quovadis": {n: f"one among `greedy` wins {share} % (fair {100 / n:.0f})"
                 for n, share in {3: "87.3 ±4.2", 4: "68.5 ±4.6", 5: "67.6 ±4.2"}.items()},
}  # fmt: skip
"""From the table in docs/bots.md; `tests/test_site.py` holds them together."""
LIMITS = {
    "alea": "looks at one decision; `deep` wins clearly more. Never measured against strong people",
    "quovadis": "breaking one's word is hardly punished with 5 players; never measured against strong people",
}


def benchmarks(results: Path) -> Iterator[str]:
    """A section for each file of results."""
    yield "# Benchmarks\n"
    yield "This page is made from the files in `docs/results`. Figures of two machines cannot be compared;"
    yield "ratios of one run can. [Load](../load.md) has those of the server, [Bots](../bots.md) those of play.\n"
    for path in sorted(results.glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        if "rows" not in found:
            continue
        yield f"## {found['title']}\n"
        yield f"{found['about']}\n"
        yield f"Command: `{found['command']}`\n"
        yield from table(found["head"], found["rows"])
        yield ""


def decisions(docs: Path) -> Iterator[str]:
    """The decisions of the architecture, then what each release decided."""
    text = (docs / "architecture.md").read_text(encoding="utf-8")
    yield "# Decisions behind the design\n"
    yield "Why Rostra is built as it is, from [Architecture](../architecture.md), and what each release changed.\n"
    found = text.partition("## Decisions, and why\n")[2]
    yield re.sub(r"^### ", "## ", re.split(r"^## ", found, flags=re.MULTILINE)[0], flags=re.MULTILINE)
    yield "## Releases\n"
    log = (docs.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    for release in re.split(r"^## ", log, flags=re.MULTILINE)[1:]:
        name, _, body = release.partition("\n")
        yield f"### {name}\n"
        yield re.sub(r"^#+ (.*)$", r"**\1**", re.sub(r"\]\((?!https?:)[^)]*\)", "]", body), flags=re.MULTILINE)


def write(docs: Path) -> None:
    """Write all of them, leaving alone what has not changed."""
    folder = docs / "generated"
    folder.mkdir(exist_ok=True)
    pages = {
        "reference": reference(), "models": models(), "benchmarks": benchmarks(docs / "results"),
        "decisions": decisions(docs),
    }  # fmt: skip
    for name, lines in pages.items():
        path, text = folder / f"{name}.md", "\n".join(lines) + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
