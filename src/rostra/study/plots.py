"""Plots of a cross-play (its matrix, its ratings) and of a review, as PNG and SVG files.

Matplotlib is imported only when something is drawn (extra `study`), and without `pyplot`: nothing opens a window. The
same results give the same bytes, so a file contains no date and no random id.
"""

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rostra.engine.game import BadOption
from rostra.extras import need
from rostra.study.review import Review

GROUND, INK, LINE = "#ffffff", "#1d1d1f", "#b9b4ab"
BLUE = "#2f5d8a"
SEAT_COLOURS = ("#a8322a", BLUE, "#4f7424", "#7d4f94", "#9a6a12")


def draw_matrix(results: Mapping[str, Any], folder: Path) -> list[Path]:
    """`matrix.png` and `.svg`: what one bot (row) won among copies of another (column), coloured by its distance from
    the fair share."""
    bots, fair, matrix = results["bots"], results["fair"], results["matrix"]
    n = len(bots)
    figure = _figure(2.2 + 1.1 * n, 1.4 + 0.7 * n)
    axes = figure.subplots()
    # The two sides of the fair share are scaled separately, so that it is white for every number of seats.
    shades = [[(c["mean"] - fair) / (1 - fair if c["mean"] > fair else fair) for c in row] for row in matrix]
    axes.imshow(shades, cmap="RdBu", vmin=-1.3, vmax=1.3, aspect="auto")
    for y, row in enumerate(matrix):
        for x, cell in enumerate(row):
            half = "" if cell["half"] is None else f"\n±{100 * cell['half']:.1f}"
            dark = abs(shades[y][x]) > 0.8
            text = f"{100 * cell['mean']:.1f}{half}"
            axes.text(x, y, text, ha="center", va="center", color=GROUND if dark else INK)
    axes.set_xticks(range(n), bots, rotation=20, ha="right")
    axes.set_yticks(range(n), bots)
    axes.set_xlabel("among copies of")
    axes.set_title(f"{_caption(results)}: wins % of one (fair {100 * fair:.1f})")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return _save(figure, folder, "matrix")


def draw_ratings(results: Mapping[str, Any], folder: Path) -> list[Path]:
    """`ratings.png` and `.svg`: Elo with intervals, the strongest on top."""
    ranked = sorted(results["ratings"], key=lambda rating: rating["elo"])
    figure = _figure(7, 1.4 + 0.45 * len(ranked))
    axes = figure.subplots()
    rows = range(len(ranked))
    axes.axvline(0, color=LINE, linewidth=1, zorder=0)
    axes.hlines(rows, [r["low"] for r in ranked], [r["high"] for r in ranked], color=BLUE, linewidth=2)
    axes.plot([r["elo"] for r in ranked], rows, "o", color=BLUE)
    for row, rating in enumerate(ranked):
        axes.annotate(
            f"{rating['elo']:.0f}", (rating["elo"], row), (0, 7), textcoords="offset points", ha="center", color=INK
        )
    axes.set_yticks(rows, [r["bot"] for r in ranked])
    axes.set_ylim(-0.6, len(ranked) - 0.3)
    axes.set_xlabel("Elo around the mean, 95 % intervals")
    axes.set_title(f"{_caption(results)}: Plackett-Luce ratings")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    return _save(figure, folder, "ratings")


def check_file(file: Path) -> None:
    """Refuse a file that could not be drawn, before the work begins."""
    need("study", "Matplotlib")
    if file.suffix not in (".png", ".svg"):
        raise BadOption(f"a plot is a .png or .svg file, not {file.name}")


def draw_chances(review: Review, names: Sequence[str], file: Path) -> None:
    """Everybody's chances to win over a match; the file's ending says in which format."""
    check_file(file)
    figure = _figure(8, 3.6)
    axes = figure.subplots()
    for seat, name in enumerate(names):
        plies, chances = zip(*review.curve(seat), strict=True)
        axes.plot(plies, [100 * chance for chance in chances], color=SEAT_COLOURS[seat], linewidth=2, label=name)
    for mistake in review.mistakes:
        chance = dict(review.curve(mistake.seat))[mistake.ply]
        colour = SEAT_COLOURS[mistake.seat]
        axes.plot([mistake.ply], [100 * chance], "o", color=colour, markerfacecolor=GROUND)
    axes.set_ylim(-2, 102)
    axes.set_xlabel("ply")
    axes.set_ylabel("chance to win, %")
    axes.grid(axis="y", color=LINE, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    _write(figure, file)


def _caption(results: Mapping[str, Any]) -> str:
    return f"{results['game']}, {results['seats']} players, {results['games']} games"


def _figure(width: float, height: float) -> Any:
    need("study", "Matplotlib")
    matplotlib = importlib.import_module("matplotlib.figure")
    return matplotlib.Figure(figsize=(width, height), layout="constrained", facecolor=GROUND)


def _save(figure: Any, folder: Path, name: str) -> list[Path]:
    files = [folder / f"{name}.png", folder / f"{name}.svg"]
    for file in files:
        _write(figure, file)
    return files


def _write(figure: Any, file: Path) -> None:
    matplotlib = importlib.import_module("matplotlib")
    metadata = {"Software": None} if file.suffix == ".png" else {"Date": None, "Creator": None}
    with matplotlib.rc_context({"svg.hashsalt": file.stem, "svg.fonttype": "path"}):
        figure.savefig(file, dpi=144, metadata=metadata)
