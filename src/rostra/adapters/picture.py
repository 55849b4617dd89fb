"""The table as an array of pixels: the text that a spectator sees, drawn by Matplotlib."""

from typing import Any

import numpy as np

from rostra.engine.jit import Array
from rostra.extras import need

COLUMNS, LINES = 72, 30
"""The size of a picture in characters. Longer texts are drawn smaller, because the frames of a video have one size."""
_DPI, _POINTS = 100, 11.0
_WIDTH, _HEIGHT = 0.62, 1.3
"""A character of the font, as parts of its size."""


def picture(text: str) -> Array:
    """The text as an image of uint8, height x width x 3, always of the same size."""
    need("study", "Matplotlib")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    lines = text.splitlines()
    inch = _POINTS / 72
    figure = Figure(((COLUMNS + 2) * _WIDTH * inch, (LINES + 2) * _HEIGHT * inch), dpi=_DPI, facecolor="#faf5ea")
    scale = min(1.0, COLUMNS / max(1, *map(len, lines)), LINES / max(1, len(lines)))
    font: dict[str, Any] = {"family": "DejaVu Sans Mono", "size": _POINTS * scale, "color": "#2a211b"}
    canvas = FigureCanvasAgg(figure)
    figure.text(0.015, 0.97, text.replace("$", r"\$"), va="top", linespacing=_HEIGHT / 1.2, **font)
    canvas.draw()  # type: ignore[no-untyped-call]
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()  # type: ignore[no-untyped-call]
