"""Placing dice in the buildings of Alea Iacta Est, a test for each rule, and the worked examples."""

from typing import Any

import pytest

from alea_positions import (
    deciders,
    drawn_by,
    forum,
    legal,
    odds,
    play,
    put,
    ready,
    refuse,
    rolled,
    set_tokens,
    to_scoring,
)
from conftest import CHECKS
from rostra.engine.game import CHANCE, BadOption, copy
from rostra.games.alea import ALEA
from rostra.games.alea.tables import ROLL


def test_a_tem_1_one_die_more_than_anybody() -> None:
    s = ready(4)
    rolled(s, 0, "123456")
    assert {len(text) - 1 for text in legal(s, "T")} == {1}
    put(s, 1, templum="1")
    put(s, 2, templum="11")
    put(s, 3, templum="111")
    assert {len(text) - 1 for text in legal(s, "T")} == {4}
    refuse(s, "T6", "T66", "T456", "T23456")
    play(s, "T3456")
    assert (s.templum_dice[0], s.templum_sum[0]) == (4, 18)


def test_a_tem_1_nothing_without_enough_dice() -> None:
    s = ready(4)
    put(s, 1, templum="111")
    rolled(s, 0, "666")
    assert legal(s, "T") == set()
    four = ready(4)
    put(four, 1, templum="111")
    rolled(four, 0, "6666")
    assert legal(four, "T") == {"T6666"}


def test_a_tem_2_the_sum_must_be_higher_than_the_leaders() -> None:
    s = ready(4)
    put(s, 1, templum="6")
    put(s, 2, templum="26")
    rolled(s, 0, "1222344")
    # three dice of sum 9 or more; the sum of the leader is 8, that of the other does not matter
    assert {sum(map(int, text[1:])) for text in legal(s, "T")} == {9, 10, 11}
    refuse(s, "T134", "T224", "T222", "T122")
    assert legal(s, "T") == {"T144", "T244", "T344"}  # 2+3+4 is the same move as 1+4+4
    assert ALEA.notation.parse(s, "T234") == ALEA.notation.parse(s, "T144")


def test_a_tem_2_any_sum_when_empty() -> None:
    s = ready(4)
    rolled(s, 0, "1116")
    assert legal(s, "T") == {"T1", "T6"}


def test_a_tem_3_who_is_there_adds_what_is_missing() -> None:
    s = ready(4)
    put(s, 0, templum="5")
    put(s, 1, templum="36")
    rolled(s, 0, "1123456")
    # 5 + two dice must exceed 9
    assert {sum(map(int, text[1:])) for text in legal(s, "T")} == set(range(5, 12))
    assert {len(text) - 1 for text in legal(s, "T")} == {2}
    refuse(s, "T13", "T11", "T456")


def test_a_tem_3_the_leader_may_add_one_die() -> None:
    s = ready(4)
    put(s, 0, templum="36")
    put(s, 1, templum="1")
    rolled(s, 0, "124")
    assert legal(s, "T") == {"T1", "T2", "T4"}
    play(s, "T1")
    assert (s.templum_dice[0], s.templum_sum[0]) == (3, 10)


def test_a_tem_4_one_token_for_each_die_placed_now() -> None:
    s = ready(4)
    put(s, 0, templum="1")
    put(s, 1, templum="11")
    rolled(s, 0, "2345")
    play(s, "T45")
    for token in ("=2", "=3"):
        assert ALEA.rules.turn(s) == CHANCE
        assert legal(s) == {"=1", "=2", "=3"}
        play(s, token)
    assert s.phase == ROLL  # two dice, two tokens, although three lie there
    assert ALEA.screen.view(s, 0)["own"]["drawn"] == "23"
    assert [player["drawn"] for player in ALEA.screen.view(s, 1)["players"]] == [2, 0, 0, 0]
    assert ALEA.screen.view(s, 1)["own"]["drawn"] == ""


def test_a_tem_5_no_reshuffle_before_a_token_must_be_drawn() -> None:
    s = ready(4)
    set_tokens(s, "2", "33")
    rolled(s, 0, "6")
    play(s, "T6 =2")
    assert ALEA.screen.view(s, None)["stacks"]["fortuna"] == 0
    assert ALEA.screen.view(s, None)["discards"] == "33"
    rolled(s, 1, "661")
    assert ALEA.screen.view(s, None)["discards"] == "33"  # not when the supply is empty, but when one must be drawn
    play(s, "T66")
    assert ALEA.screen.view(s, None)["discards"] == ""
    assert odds(s) == {"=3": 1.0}
    play(s, "=3 =3")
    assert s.phase == ROLL


def test_a_tem_5_reshuffle_in_the_middle_of_a_placing() -> None:
    s = ready(4)
    set_tokens(s, "2", "113")
    put(s, 1, templum="1")
    rolled(s, 0, "666")
    play(s, "T66")
    assert odds(s) == {"=2": 1.0}
    assert ALEA.screen.view(s, None)["discards"] == "113"
    play(s, "=2")
    assert odds(s) == {"=1": 2 / 3, "=3": 1 / 3}
    play(s, "=3")
    assert ALEA.screen.view(s, 0)["own"]["drawn"] == "23"
    assert ALEA.screen.view(s, None)["stacks"]["fortuna"] == 2
    assert ALEA.screen.view(s, None)["discards"] == ""


def test_a_tem_5_fewer_draws_when_both_are_empty() -> None:
    s = ready(4)
    set_tokens(s, "1", "3")
    put(s, 1, templum="11")
    rolled(s, 0, "6666")
    play(s, "T666 =1 =3")
    assert (s.phase, s.seat) == (ROLL, 1)
    assert ALEA.screen.view(s, 0)["own"]["drawn"] == "13"
    rolled(s, 2, "66666")
    play(s, "T6666")  # may be placed all the same
    assert (s.phase, s.seat) == (ROLL, 3)
    assert ALEA.screen.view(s, 2)["own"]["drawn"] == ""


def test_a_sen_1_distinct_consecutive_values() -> None:
    s = ready(2)
    play(s, "=11233566")
    assert legal(s, "S") == {"S1", "S12", "S123", "S2", "S23", "S3", "S5", "S56", "S6"}
    refuse(s, "S11", "S13", "S35", "S1235", "S1123", "S4")
    six = ready(2)
    play(six, "=11234566")
    refuse(six, "S1123456")
    play(six, "S123456")
    assert ALEA.screen.view(six, None)["senatus"] == [{"seat": 0, "dice": "123456"}]


def test_a_sen_1_only_one_sequence() -> None:
    s = ready(2)
    put(s, 0, senatus="12")
    rolled(s, 0, "124566")
    assert legal(s, "S") == set()
    refuse(s, "S4", "S56", "S1", "S12")


def test_a_sen_2_extended_at_either_end_or_both() -> None:
    s = ready(2)
    put(s, 0, senatus="34")
    rolled(s, 0, "123456")
    assert legal(s, "S") == {"S2", "S12", "S5", "S56", "S25", "S125", "S256", "S1256"}
    refuse(s, "S1", "S6", "S3", "S16", "S26", "S345", "S15")
    play(s, "S25")
    assert ALEA.screen.view(s, None)["senatus"] == [{"seat": 0, "dice": "2345"}]
    assert s.dice[0] == 4


def test_a_sen_3_no_two_identical_sequences() -> None:
    s = ready(3)
    put(s, 1, senatus="23")
    put(s, 2, senatus="5")
    rolled(s, 0, "2345")
    assert legal(s, "S") == {"S2", "S3", "S4", "S34", "S45", "S234", "S345", "S2345"}
    refuse(s, "S23", "S5")


def test_a_sen_3_extending_into_an_identical_one_is_not_allowed() -> None:
    s = ready(3)
    put(s, 0, senatus="3")
    put(s, 1, senatus="23")
    put(s, 2, senatus="234")
    rolled(s, 0, "1244")
    refuse(s, "S2", "S24")
    assert legal(s, "S") == {"S4", "S12", "S124"}


def test_a_cas_1_any_number_of_one_value() -> None:
    s = ready(2)
    play(s, "=22244566")
    assert legal(s, "C") == {"C2", "C22", "C222", "C4", "C44", "C5", "C6", "C66"}
    refuse(s, "C24", "C2222", "C1")
    play(s, "C22 =11111111 C1")
    rolled(s, 0, "223")
    assert legal(s, "C") == {"C2", "C22", "C3"}  # an addition or a new group
    play(s, "C22")
    assert ALEA.screen.view(s, None)["castrum"] == [{"seat": 0, "dice": "2222"}, {"seat": 1, "dice": "1"}]


def test_a_cas_2_never_two_groups_of_one_value() -> None:
    s = ready(2)
    put(s, 0, castrum="44")
    put(s, 1, castrum="444")
    rolled(s, 0, "4")
    # a second group of a single 4 would be unlike all others, but it is an addition, and that makes 4-4-4
    assert legal(s, "C") == set()
    refuse(s, "C4")


def test_a_cas_3_no_two_identical_groups() -> None:
    s = ready(3)
    put(s, 1, castrum="55 6")
    put(s, 2, castrum="5")
    rolled(s, 0, "555566")
    assert legal(s, "C") == {"C555", "C5555", "C66"}
    refuse(s, "C5", "C55", "C6")


def test_a_cas_3_additions_may_not_make_an_identical_group() -> None:
    s = ready(3)
    put(s, 0, castrum="5")
    put(s, 1, castrum="555")
    rolled(s, 0, "5555")
    assert legal(s, "C") == {"C5", "C555", "C5555"}
    refuse(s, "C55")


def test_a_for_1_one_die_or_two_of_sum_five() -> None:
    s = ready(2)
    play(s, "=11233456")
    assert legal(s, "F") == {"F1", "F2", "F3", "F4", "F5", "F6", "F14", "F23"}
    refuse(s, "F11", "F12", "F33", "F113", "F25", "F56")
    play(s, "F14 =11111111 C1 =123456")
    assert {"F14", "F23", "F5"} <= legal(s)  # more in later turns
    play(s, "F23")
    assert forum(s) == [(1, 0), (2, 0), (3, 0), (4, 0)]


def test_a_for_1_a_pair_needs_both_dice() -> None:
    s = ready(2)
    rolled(s, 0, "1135")
    assert legal(s, "F") == {"F1", "F3", "F5"}
    refuse(s, "F14", "F23")


def test_a_for_2_new_die_goes_left_of_equals() -> None:
    s = ready(3)
    put(s, 1, forum="13")
    put(s, 2, forum="3")
    rolled(s, 0, "3")
    play(s, "F3")
    assert forum(s) == [(1, 1), (3, 0), (3, 1), (3, 2)]


def test_a_for_2_ascending_without_gaps() -> None:
    s = ready(5)
    put(s, 1, forum="256")
    rolled(s, 0, "2345")
    play(s, "F4")
    assert forum(s) == [(2, 1), (4, 0), (5, 1), (6, 1)]
    rolled(s, 2, "23")
    play(s, "F23")
    assert forum(s) == [(2, 2), (2, 1), (3, 2), (4, 0), (5, 1), (6, 1)]
    rolled(s, 3, "6")
    play(s, "F6")
    assert forum(s) == [(2, 2), (2, 1), (3, 2), (4, 0), (5, 1), (6, 3), (6, 1)]


def test_a_for_3_dice_pushed_out_go_to_the_latrina_of_their_owner() -> None:
    s = ready(3)
    put(s, 1, forum="234")
    put(s, 2, forum="56")
    rolled(s, 0, "11144444")
    play(s, "F1")
    assert forum(s) == [(1, 0), (2, 1), (3, 1), (4, 1), (5, 2)]
    assert ALEA.screen.view(s, None)["latrina"] == [0, 0, 1]
    play(s, "=11111 F1")
    assert forum(s) == [(1, 1), (1, 0), (2, 1), (3, 1), (4, 1)]
    assert ALEA.screen.view(s, None)["latrina"] == [0, 0, 2]
    play(s, "=111222 F1")
    assert forum(s) == [(1, 2), (1, 1), (1, 0), (2, 1), (3, 1)]
    assert ALEA.screen.view(s, None)["latrina"] == [0, 1, 2]


def test_a_for_3_two_dice_may_be_pushed_out_the_own_one_too() -> None:
    s = ready(2)
    put(s, 1, forum="14")
    put(s, 0, forum="56")
    rolled(s, 0, "23")
    play(s, "F23")
    assert forum(s) == [(1, 1), (2, 0), (3, 0), (4, 1)]
    assert s.latrina[0] == 8 - 2 - 2 + 2  # those that he has no more, and both pushed out
    assert s.latrina[1] == 0


def test_a_for_4_the_placed_dice_must_lie_on_columns() -> None:
    s = ready(2)
    put(s, 1, forum="2344")
    rolled(s, 0, "12345566")
    # with all four columns taken a die needs an equal or higher one to push
    assert legal(s, "F") == {"F1", "F2", "F3", "F4", "F14", "F23"}
    refuse(s, "F5", "F6")
    s = ready(2)
    put(s, 1, forum="2234")
    rolled(s, 0, "12345566")
    assert "F4" in legal(s)
    refuse(s, "F14", "F5", "F6")  # the 1 would push the 4 off


def cornered(n_seats: int = 2) -> Any:
    """Seat 0 rolled 5 and 6, and can place neither."""
    s = ready(n_seats)
    put(s, 0, senatus="1")
    put(s, 1, castrum="5 6", forum="1" * (n_seats + 2))
    if n_seats > 3:
        put(s, 2, templum="66")
    rolled(s, 0, "56")
    return s


@pytest.mark.parametrize("n_seats", [2, 4])
def test_a_lat_1_forced_latrina_without_chips(n_seats: int) -> None:
    s = cornered(n_seats)
    assert legal(s) == {"L5"}
    before = int(s.latrina[0])
    play(s, "L5")
    assert (s.latrina[0], s.dice[0]) == (before + 1, 1)
    assert s.seat == 1


@pytest.mark.parametrize("n_seats", [2, 4])
def test_a_lat_1_forced_latrina_with_chips(n_seats: int) -> None:
    s = cornered(n_seats)
    s.chips[0] = 1
    assert legal(s) == {"L5", "R5", "R6", "R56"}
    play(s, "R5 =1")
    assert legal(s) == {"C1", "F1"}
    refuse(s, "L1", "L6")


def test_a_lat_1_exactly_one_die_whichever() -> None:
    s = cornered()
    assert ALEA.notation.parse(s, "L6") == ALEA.notation.parse(s, "L5")
    refuse(s, "L56", "L1", "L4")


def test_a_lat_1_not_while_anything_else_can_be_placed() -> None:
    for building in ("senatus", "castrum", "forum"):
        s = cornered()
        if building == "senatus":
            s.low[0] = s.high[0] = 4
        elif building == "castrum":
            s.castrum[1, 5] = 2
            s.dice[1] -= 1
        else:
            s.forum_face[3] = 6
        CHECKS[ALEA.name](s)
        assert len(legal(s)) > 0
        assert legal(s, building[0].upper()) != set()
        refuse(s, "L5", "L6")
    s = cornered(4)
    s.templum_dice[2], s.templum_sum[2] = 1, 6
    s.dice[2] += 1
    CHECKS[ALEA.name](s)
    assert legal(s) == {"T56"}
    refuse(s, "L5", "L6")


def test_a_lat_2_not_by_choice() -> None:
    s = ready(2)
    play(s, "=22334455")
    assert legal(s, "L") == set()
    refuse(s, "L2", "L5")
    s.chips[0] = 2
    refuse(s, "L2")


def test_a_lat_2_the_option_allows_one_die_at_any_time() -> None:
    s = ready(2, voluntary_latrina="on")
    play(s, "=22334455")
    assert legal(s, "L") == {"L2"}
    assert legal(s, "C") != set()
    refuse(s, "L22", "L25", "L6")
    play(s, "L4")
    assert (s.latrina[0], s.dice[0], s.latrina[1]) == (1, 7, 0)
    play(s, "=22334455 L2 =2222222")
    assert legal(s, "L") == {"L2"}
    with pytest.raises(BadOption):
        ALEA.new(2, {"voluntary_latrina": "yes"})


def test_example_1_templum() -> None:
    s = ready(4)
    play(s, "=11111115 T5 =1 =11111136")
    assert "T36" in legal(s)
    play(s, "T36 =2 =3 =11111111 C1 =11111111 C11 =1111114")
    # Antonius needs two dice of sum 5 or more: a total above 9
    assert legal(s, "T") == {"T14"}
    refuse(s, "T11", "T4", "T1", "T114")
    play(s, "T14")
    assert ALEA.rules.turn(s) == CHANCE
    play(s, "=1 =1")
    assert (s.templum_dice[0], s.templum_sum[0]) == (3, 10)
    assert drawn_by(s, 0) == "111"
    assert s.phase == ROLL


def claudius(*others: tuple[int, str]) -> Any:
    """Claudius, seat 2, has 3-4-5 in the Senatus."""
    s = ready(4)
    put(s, 2, senatus="345")
    for seat, sequence in others:
        put(s, seat, senatus=sequence)
    return s


def test_example_2_senatus() -> None:
    s = claudius()
    rolled(s, 0, "3456")
    refuse(s, "S345")
    assert {"S456", "S3456", "S45", "S56"} <= legal(s)  # 5 and 6 only, too
    s = claudius((0, "45"))
    rolled(s, 0, "36")
    refuse(s, "S3")  # that would be a second 3-4-5
    play(s, "S36")
    assert (s.low[0], s.high[0]) == (3, 6)

    s = claudius()
    rolled(s, 2, "26")
    assert legal(s, "S") == {"S2", "S6", "S26"}
    s = claudius((0, "2345"))
    rolled(s, 2, "26")
    assert legal(s, "S") == {"S6", "S26"}
    s = claudius((0, "3456"))
    rolled(s, 2, "26")
    assert legal(s, "S") == {"S2", "S26"}


def test_example_3_castrum() -> None:
    s = ready(4)
    put(s, 3, castrum="444")
    put(s, 0, castrum="44")
    rolled(s, 3, "4455")
    assert legal(s, "C") == {"C4", "C44", "C5", "C55"}
    refuse(s, "C45", "C4455")
    play(s, "C44")
    assert s.castrum[3, 3] == 5  # added, no second group
    s = ready(4)
    put(s, 3, castrum="444")
    put(s, 0, castrum="44")
    put(s, 1, castrum="55")
    rolled(s, 3, "4455")
    assert legal(s, "C") == {"C4", "C44", "C5"}
    refuse(s, "C55")
    antonius = ready(4)
    put(antonius, 3, castrum="444")
    put(antonius, 0, castrum="44")
    rolled(antonius, 0, "444")
    assert legal(antonius, "C") == {"C44", "C444"}


def test_example_4_forum() -> None:
    s = ready(2)
    put(s, 1, forum="123")
    rolled(s, 0, "12346")
    refuse(s, "F14")  # the 4 would land in the Latrina
    assert {"F1", "F4", "F23"} <= legal(s)
    single = copy(s)
    play(single, "F1")
    assert forum(single) == [(1, 0), (1, 1), (2, 1), (3, 1)]
    play(s, "F23")
    assert forum(s) == [(1, 1), (2, 0), (2, 1), (3, 0)]
    assert s.latrina[1] == 1


@pytest.mark.parametrize(("better", "worse"), [("2345", "1234"), ("456", "345")])
def test_example_5_ranking_of_sequences(better: str, worse: str) -> None:
    for first, second in ((0, 1), (1, 0)):
        s = ready(3)
        put(s, first, senatus=better)
        put(s, second, senatus=worse)
        to_scoring(s)
        play(s, "=I =II =III")
        assert deciders(s, "+") == [first, second]


@pytest.mark.parametrize(("better", "worse"), [("555", "333"), ("66", "55")])
def test_example_5_ranking_of_groups(better: str, worse: str) -> None:
    for first, second in ((0, 1), (1, 0)):
        s = ready(3)
        put(s, first, castrum=better)
        put(s, second, castrum=worse)
        to_scoring(s)
        assert deciders(s, "+") == [first, second]
