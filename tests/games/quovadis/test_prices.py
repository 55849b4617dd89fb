"""Prices of consents at a live table: what is for sale, and how a set of prices is paid."""

import pytest

from quovadis_positions import hold, put, ready
from rostra.engine.game import CannotPay
from rostra.games.quovadis import QUO_VADIS, prices

DESK = QUO_VADIS.desk
assert DESK is not None


def test_q_mov_4_every_consent_has_its_seat() -> None:
    s = ready(4)
    put(s, B="0112")
    assert prices.consents(s, "B>I(1,1)") == ("B>I", [1, 1])
    assert prices.consents(s, "B>I(1,2)") == ("B>I", [1, 2])
    assert prices.consents(s, "+A") == ("", [])
    assert prices.consents(s, "nonsense") == ("", [])


@pytest.mark.parametrize(
    ("held", "price", "gives"),
    [
        ("5", 5, [5]), ("32", 5, [3, 2]), ("311", 5, [4, 1]), ("2211", 5, [4, 1]), ("111", 3, [1] * 3), ("2", 0, []),
        ("4", 3, None), ("", 1, None),
    ],
)  # fmt: skip
def test_q_neg_3_a_price_is_paid_exactly_with_few_laurels(held: str, price: int, gives: list[int] | None) -> None:
    s = ready(3)
    put(s, G="01")  # a 4 lies on the path
    hold(s, 0, held)
    if gives is None:
        with pytest.raises(CannotPay):
            prices.pay(s, "G>L(1)", {1: price})
    else:
        terms = prices.pay(s, "G>L(1)", {1: price})
        assert terms == ["G>L(1)", *(f"give 0 1 {value}" for value in gives)]
        assert DESK.deal(s, terms)[1] == [0, 1]


def test_q_neg_3_each_consent_is_paid_and_what_the_action_wins_counts() -> None:
    s = ready(3)
    put(s, B="011")
    hold(s, 0, "21")  # and there is a 3 on the path
    assert prices.pay(s, "B>I(1,1)", {1: 3}) == ["B>I(1,1)", "give 0 1 3", "give 0 1 2", "give 0 1 1"]
    assert DESK.deal(s, prices.pay(s, "B>I(1,1)", {1: 3}))[1] == [0, 1]
    with pytest.raises(CannotPay):
        prices.pay(s, "B>I(1,1)", {1: 4})
