"""Quo Vadis? among strong bots: what consents cost as the Senate fills, and which promises are kept.

    python docs/studies/deals.py

It writes `docs/results/deals_prices.json`, `docs/results/deals_promises.json`, and `deals.png` beside this file. The
seeds are fixed, so the figures come out the same.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from tqdm import tqdm

from rostra.bots import make_bot
from rostra.games.quovadis import QUO_VADIS
from rostra.games.quovadis.deals import giver_of
from rostra.games.quovadis.ledger import ledger
from rostra.games.quovadis.state import AT_GIVES, AT_THEN
from rostra.games.quovadis.tables import value_given
from rostra.study.chunks import Sitting

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results"
FATES = ("kept", "broken", "lapsed", "open")
ASKED, CARRIED_OUT = 0, 1


class Deals:
    """What is counted over all games of one number of players."""

    def __init__(self) -> None:
        self.prices: dict[int, list[int]] = defaultdict(list)
        """By senators in the Senate, the points that the active seat gave in each deal carried out."""
        self.asked: Counter[int] = Counter()
        self.fates: dict[str, Counter[str]] = defaultdict(Counter)

    def watch(self, start: Any, log: list[int]) -> Iterator[Any]:
        """Count the deals of a game; yields its states for the ledger."""
        states = np.zeros(2, QUO_VADIS.rules.state)
        states[0] = start
        s, before = states[0], states[1]
        yield s
        for move in log:
            states[1] = s
            QUO_VADIS.rules.apply(s, move)
            self.asked[int(before["arrived"])] += int(s["tallies"][ASKED] - before["tallies"][ASKED])
            if s["tallies"][CARRIED_OUT] > before["tallies"][CARRIED_OUT]:
                gives = [int(give) - 1 for give in before["draft"][AT_GIVES:AT_THEN] if give]
                paid = sum(value_given(give) + 1 for give in gives if giver_of(give) == before["active"])
                self.prices[int(before["arrived"])].append(int(paid))
            yield s


def measure(bot: str, seats: int, games: int, seed: int) -> Deals:
    """Play among copies of a bot, and count."""
    found, start = Deals(), QUO_VADIS.new(seats)
    log = np.zeros(1 << 15, np.int32)
    sitting = Sitting(QUO_VADIS, [make_bot(bot)] * seats)
    for index in tqdm(range(games), desc=f"{seats} players"):
        sitting.play(start, seed, index, log)
        for pledge in ledger(found.watch(start, log[: sitting.counts[0]].tolist())):
            kind = pledge["promise"].split()[3]  # promise MAKER RECEIVER KIND ...
            found.fates[kind][pledge["fate"]] += 1
    return found


def price_rows(by_seats: dict[int, Deals]) -> list[list[Any]]:
    """A row for each number of players and of senators in the Senate."""
    rows = []
    for seats, found in by_seats.items():
        for arrived, paid in sorted(found.prices.items()):
            points = np.array(paid)
            half = 1.96 * points.std() / np.sqrt(len(points))
            rows.append([seats, arrived, found.asked[arrived], len(points), f"{points.mean():.2f} ±{half:.2f}",
                         f"{(points == 0).mean():.0%}"])  # fmt: skip
    return rows


def promise_rows(by_seats: dict[int, Deals]) -> list[list[Any]]:
    """A row for each number of players and kind of promise."""
    rows = []
    for seats, found in by_seats.items():
        for kind, fates in sorted(found.fates.items()):
            total = fates.total()
            rows.append([seats, kind, total, *(f"{fates[fate] / total:.0%}" for fate in FATES)])
    return rows


def draw(by_seats: dict[int, Deals], path: Path) -> None:
    """The mean price by senators in the Senate."""
    figure = Figure((6, 3.4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for seats, found in by_seats.items():
        known = sorted((at, np.array(paid)) for at, paid in found.prices.items() if len(paid) > 20)
        halves = [1.96 * paid.std() / np.sqrt(len(paid)) for _, paid in known]
        axes.errorbar([at for at, _ in known], [paid.mean() for _, paid in known], halves, marker="o", capsize=3,
                      label=f"{seats} players")  # fmt: skip
    axes.set_xlabel("senators in the Senate")
    axes.set_ylabel("points given for a deal")
    axes.legend()
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main() -> None:
    """Measure, draw, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bot", default="learned")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    by_seats = {seats: measure(given.bot, seats, given.games, given.seed) for seats in (3, 4, 5)}
    draw(by_seats, HERE / "deals.png")
    about = f"Quo Vadis? among copies of `{given.bot}`, {given.games} games for each number of players. "
    about += "[The study](../studies/deals.md) says what it means."
    command = f"python docs/studies/deals.py --bot {given.bot} --games {given.games} --seed {given.seed}"
    tables = {
        "prices": ("Prices of consents", ["players", "in the Senate", "asked", "agreed", "points given", "for free"],
                   price_rows(by_seats)),
        "promises": ("Promises and their fates", ["players", "promise", "made", *FATES], promise_rows(by_seats)),
    }  # fmt: skip
    for name, (title, head, rows) in tables.items():
        found = {"title": title, "about": about, "command": command, "head": head, "rows": rows}
        text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
        (RESULTS / f"deals_{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
