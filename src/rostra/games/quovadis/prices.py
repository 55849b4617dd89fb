"""What consents cost at a live table of Quo Vadis?: which ones an action needs, and how their prices are paid."""

from collections.abc import Iterator, Mapping
from itertools import product

from rostra.engine.game import CannotPay
from rostra.engine.jit import State
from rostra.games.quovadis.deals import consents_by, laurel_won, path_of, value_of
from rostra.games.quovadis.notation import by_text
from rostra.games.quovadis.tables import ASKING, N_VALUES, kind_of


def consents(s: State, action: str) -> tuple[str, list[int]]:
    """The path that an action goes, and the other seats whose consents it uses: one entry for each consent."""
    move = by_text().get(action)
    if move is None or kind_of(move) != ASKING:
        return "", []
    found = [seat for seat in range(s.n) for _ in range(consents_by(move, seat)) if seat != s.active]
    return action.partition("(")[0], found


def pay(s: State, action: str, prices: Mapping[int, int]) -> list[str]:
    """The terms of a deal in which the active seat pays every consent its price, with as few laurels as it can."""
    move, seats = by_text()[action], consents(s, action)[1]
    held = [int(number) for number in s.hands[s.active]]
    if path_of(move) >= 0 and laurel_won(s, move) >= 0:
        held[value_of(laurel_won(s, move))] += 1  # what the action wins can be given with it (Q-NEG-3)
    ways = sorted(product(*(list(_sums(prices[seat])) for seat in seats)), key=lambda way: sum(map(len, way)))
    for way in ways:
        values = [value for part in way for value in part]
        if all(values.count(value) <= held[value - 1] for value in set(values)):
            gives = [f"give {s.active} {seat} {value}" for seat, part in zip(seats, way, strict=True) for value in part]
            return [action, *gives]
    raise CannotPay("these prices cannot be paid exactly with what the active seat holds (Q-NEG-3)")


def _sums(price: int, most: int = N_VALUES) -> Iterator[list[int]]:
    """The ways to make up a price of values up to the highest one, large ones first."""
    if price == 0:
        yield []
    for value in range(min(price, most), 0, -1):
        for rest in _sums(price - value, value):
            yield [value, *rest]
