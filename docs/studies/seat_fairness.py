"""Is every seat worth the same? Equal bots, a fixed start player, and what each place in turn order wins.

    python docs/studies/seat_fairness.py

It writes `docs/results/seat_fairness.json`, and `seat_fairness.png` beside this file. The seeds are fixed, so the
figures come out the same.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from tqdm import tqdm

from rostra.bots import make_bot
from rostra.games import GAMES
from rostra.study.simulate import simulate

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results" / "seat_fairness.json"


def measure(bot: str, games: int, seed: int) -> list[list[Any]]:
    """A row for each game and number of players: the share of wins by place in turn order, with 95 % intervals."""
    rows = []
    tables = [(game, n) for game in GAMES.values() for n in range(game.rules.seats[0], game.rules.seats[1] + 1)]
    for game, n in tqdm(tables):
        found = simulate(game, [make_bot(bot)] * n, games, seed=seed, options={"start_seat": "0"})
        shares = [found.share(seat) for seat in range(n)]
        cells = [f"{100 * one.mean:.1f} ±{100 * (one.half or 0):.1f}" for one in shares]
        rows.append([game.title, n, f"{100 / n:.1f}", *cells, *["-"] * (5 - n)])
    return rows


def draw(rows: list[list[Any]], path: Path) -> None:
    """The distance of each place from the fair share."""
    titles = sorted({row[0] for row in rows})
    figure = Figure((8, 3.4), layout="constrained")
    FigureCanvasAgg(figure)
    for axes, title in zip(figure.subplots(1, len(titles), sharey=True), titles, strict=True):
        for row in (row for row in rows if row[0] == title):
            cells = [cell.split(" ±") for cell in row[3:] if cell != "-"]
            means = [float(mean) - float(row[2]) for mean, _ in cells]
            axes.errorbar(range(1, len(cells) + 1), means, [float(half) for _, half in cells], marker="o", capsize=3,
                          label=f"{row[1]} players")  # fmt: skip
        axes.axhline(0, color="#888888", linewidth=0.8)
        axes.set_title(title)
        axes.set_xlabel("place in turn order")
        axes.set_xticks(range(1, 6))
        axes.legend()
    figure.axes[0].set_ylabel("wins above the fair share, points of %")
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main() -> None:
    """Measure, draw, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bot", default="learned")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    rows = measure(given.bot, given.games, given.seed)
    draw(rows, HERE / "seat_fairness.png" if given.out == RESULTS else given.out.with_suffix(".png"))
    found = {
        "title": "Seat fairness",
        "about": f"Copies of `{given.bot}` in all seats, {given.games} games a row: share of wins in % by place in "
        "turn order, with 95 % intervals. [The study](../studies/seat_fairness.md) says what it means.",
        "command": f"python docs/studies/seat_fairness.py --bot {given.bot} --games {given.games} --seed {given.seed}",
        "head": ["game", "players", "fair", "1st", "2nd", "3rd", "4th", "5th"],
        "rows": rows,
    }
    given.out.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
