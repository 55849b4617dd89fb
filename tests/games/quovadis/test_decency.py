"""What no bot proposes at a live table: something for nothing, the same once more, Caesar moved for nobody."""

from collections.abc import Sequence
from typing import Any

import pytest

from bench.table_talk import talk
from quovadis_positions import act_now, hold, put, ready
from rostra.bots import make_bot
from rostra.engine import rng
from rostra.games.quovadis import QUO_VADIS as GAME
from rostra.games.quovadis.decency import is_decent, moves_caesar_for_nobody
from rostra.games.quovadis.notation import by_text

assert GAME.desk is not None
DESK = GAME.desk


def a_table() -> Any:
    """Seat 0 is to act; seats 0, 1 and 2 have a senator in I, and everybody has laurels."""
    s = ready(4)
    put(s, I="012")
    act_now(s, 0)
    for seat in range(4):
        hold(s, seat, "12345")
    return s


def decent(s: Any, by: int, *terms: str, refused: Sequence[Sequence[str]] = ()) -> bool:
    return is_decent(s, by, terms, DESK.deal(s, terms)[1], refused)


@pytest.mark.parametrize(
    ("by", "terms", "is_fine"),
    [
        (0, ["I>M(1)"], True),  # the consent earns a one
        (0, ["I>M(1)", "give 1 0 1"], False),  # and is paid for with it
        (0, ["I>M(1)", "give 1 0 1", "promise 0 1 support"], True),
        (0, ["I>M(1)", "promise 1 0 support"], False),
        (0, ["I>M(1)", "give 3 0 2"], False),  # an onlooker pays
        (3, ["I>M(1)", "give 3 1 2"], True),  # who pays for others wants something
        (1, ["I>M(1)", "give 0 1 3"], True),  # the mover gets a move for it
        (1, ["+A", "give 0 1 3"], False),  # which needs nobody
        (0, ["@I>M", "give 1 0 1"], True),  # Caesar frees the path of seat 1
        (0, ["@N>S", "give 1 0 1"], False),
    ],
)
def test_nobody_is_asked_for_something_for_nothing(by: int, terms: list[str], is_fine: bool) -> None:
    assert decent(a_table(), by, *terms) == is_fine


def test_a_refused_offer_is_repeated_only_with_more_in_it() -> None:
    s = a_table()
    refused = [["I>M(1)", "give 0 1 1"]]
    assert not decent(s, 0, "I>M(1)", refused=refused)
    assert not decent(s, 0, "I>M(1)", "give 0 1 1", refused=refused)
    assert decent(s, 0, "I>M(1)", "give 0 1 2", refused=refused)
    assert decent(s, 0, "I>M(1)", "give 0 1 1", "promise 0 1 support", refused=refused)
    assert decent(s, 0, "I>M(2)", refused=refused), "another one is asked"


def test_nobody_moves_caesar_on_an_empty_board() -> None:
    s = ready(4)
    act_now(s, 0)
    assert moves_caesar_for_nobody(s, by_text()["@M>S"])
    assert not moves_caesar_for_nobody(a_table(), by_text()["@M>S"])
    chance = rng.generator(5)
    for name in ("random", "greedy", "tiro"):
        moves = {GAME.notation.text(s, DESK.act(make_bot(name), GAME, s, chance)) for _ in range(60)}
        assert all(move.startswith("+") for move in moves)


@pytest.mark.parametrize("level", ["random", "greedy", "tiro", "senator"])
def test_no_offer_of_whole_games_is_absurd(level: str) -> None:
    """Judged by what deals do to hands and promises."""
    counts = talk(level, 4, 3)
    assert counts["offers"] > 5
    assert counts["for nothing"] == counts["repeated"] == counts["Caesar for nobody"] == 0
