"""The end of Alea Iacta Est: every test is named by the id of the rule that it pins; then random tableaux.

An assignment is written `R3=Rw3+Rm1*Rw2`: in R3 a couple and, after the star, their child. Random tableaux are
scored a second time by the naive scorer: all assignments of small ones, an integer program for large ones.
"""

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from conftest import CHECKS
from naive.alea_scoring import (
    BORDERS,
    COLOURS,
    NUMBERED,
    PATRICIANS,
    PROVINCES,
    milp,
)
from rostra.engine.game import BadNotation, IllegalMove, RostraError
from rostra.games.alea import ALEA
from rostra.games.alea.state import without_card
from rostra.games.alea.tableau import score_tableau
from rostra.games.alea.tables import CARDS

FIGURES = ("total", "tiebreak", "provinces", "patricians", "senate", "fortuna", "chips")


# Helpers.


def tableau(provinces: str = "", patricians: str = "", senate: str = "", fortuna: str = "", chips: int = 0) -> Any:
    return {
        "provinces": provinces.split(),
        "patricians": patricians.split(),
        "senate": senate.split(),
        "fortuna": [int(token) for token in fortuna],
        "chips": chips,
    }


def homes(written: str) -> list[dict[str, Any]]:
    """`R3=Rw3+Rm1*Rw2 J0=` as an assignment."""
    found = []
    for home in written.split():
        province, _, rest = home.partition("=")
        people, _, child = rest.partition("*")
        found.append({"province": province, "patricians": people.split("+") if people else [], "child": child or None})
    return found


def scored(given: Mapping[str, Any], written: str) -> dict[str, Any]:
    """The score of a tableau by this assignment."""
    return score_tableau({**given, "assignment": homes(written)})


def assigned(written: str, provinces: str = "", senate: str = "", more: str = "", fortuna: str = "") -> dict[str, Any]:
    """The score of an assignment in a tableau of just those who are assigned, and `more` patricians."""
    people = [p for home in homes(written) for p in (*home["patricians"], home["child"]) if p]
    return scored(tableau(provinces, " ".join([*people, more]), senate, fortuna), written)


def card(result: Mapping[str, Any], code: str) -> int:
    """The points of the only card of this code."""
    (points,) = [points for found, points in result["cards"] if found == code]
    return int(points)


def refused(given: Mapping[str, Any], *assignments: str) -> None:
    for written in assignments:
        with pytest.raises(IllegalMove):
            scored(given, written)


# The end of the game.


def test_a_end_1_a_woman_and_a_man_of_the_colour() -> None:
    given = tableau("R3 G2 R1", "Rw1 Rw2 Rm1 Rm2 Gw1 Gm3")
    assert scored(given, "R3=Rw1+Rm1 G2=Gw1+Gm3 R1=Rm2")["patricians"] == 8
    assert scored(given, "R3=Rw1 R1=Rm2")["patricians"] == 3
    refused(given, "R3=Rw1+Rw2", "R3=Rm1+Rm2", "R3=Gw1", "G2=Gw1+Rm1", "R3=Rw1+Rm1+Rw2")


def test_a_end_1_each_patrician_and_province_once() -> None:
    given = tableau("R3 R1", "Rw1 Rm1")
    refused(given, "R3=Rw1 R1=Rw1", "R3=Rw1+Rw1", "R3=Rw1 R3=Rm1", "R2=Rw1", "R3=Rw2", "XIII=Rw1")


def test_a_end_1_the_joker_takes_any_one_colour() -> None:
    given = tableau("J0", "Rw1 Rm2 Gm3")
    assert scored(given, "J0=Rw1+Rm2")["total"] == 3
    assert scored(given, "J0=Gm3")["total"] == 3
    refused(given, "J0=Rw1+Gm3")


@pytest.mark.parametrize(("province", "occupied", "vacant"), [("V4", 4, 3), ("V3", 3, 2), ("V1", 1, 0), ("J0", 0, -1)])
def test_a_end_2_a_vacant_province_is_worth_one_less(province: str, occupied: int, vacant: int) -> None:
    given = tableau(province, "Vw1 Vm1")
    assert scored(given, f"{province}=Vw1")["provinces"] == occupied
    assert scored(given, f"{province}=Vw1+Vm1")["provinces"] == occupied
    assert scored(given, "")["provinces"] == vacant
    assert scored(given, f"{province}=")["provinces"] == vacant
    assert score_tableau(tableau(province))["total"] == vacant


def test_a_end_2_only_vacant_ones_lose_a_point() -> None:
    result = scored(tableau("R4 R2 O3 J0", "Rw1"), "R2=Rw1")
    assert result["provinces"] == 3 + 2 + 2 - 1


def test_a_end_3_only_assigned_patricians_score() -> None:
    given = tableau("B2 B3", "Bw3 Bm2 Bw1 Yw3")
    assert scored(given, "B2=Bw3 B3=Bw1+Bm2")["patricians"] == 6
    assert scored(given, "B3=Bm2")["patricians"] == 2
    assert scored(given, "")["patricians"] == 0


def test_a_end_3_a_child_scores_one_whatever_its_value() -> None:
    given = tableau("B2", "Bw1 Bm2 Bw3 Bm1", "XI")
    without = scored(given, "B2=Bw1+Bm2")
    for child in ("Bw3", "Bm1"):
        assert scored(given, f"B2=Bw1+Bm2*{child}")["total"] == without["total"] + 1


@pytest.mark.parametrize(("chips", "points"), [(0, 0), (1, 0), (2, 1), (5, 2), (30, 15), (31, 15)])
def test_a_end_4_chips(chips: int, points: int) -> None:
    result = score_tableau(tableau(chips=chips))
    assert (result["chips"], result["total"]) == (points, points)


def test_a_end_4_fortuna_tokens_score_their_value() -> None:
    result = score_tableau(tableau(fortuna="1332"))
    assert (result["fortuna"], result["total"]) == (9, 9)


def test_a_end_4_the_total_is_the_sum_of_its_parts() -> None:
    result = scored(tableau("R3 G1", "Rw3 Gm1", "III VIII", "13", 3), "R3=Rw3")
    assert {name: result[name] for name in FIGURES} == {
        "total": 3 + 3 + (3 + 1) + 4 + 1,
        "tiebreak": 1,
        "provinces": 3,
        "patricians": 3,
        "senate": 4,
        "fortuna": 4,
        "chips": 1,
    }


def final_state(*players: Mapping[str, Any]) -> Any:
    """A state with these possessions."""
    s = ALEA.new(len(players), {"start_seat": "0"})
    for seat, given in enumerate(players):
        s.provinces[seat] = sum(1 << PROVINCES.index(code) for code in given["provinces"])
        s.patricians[seat] = sum(1 << PATRICIANS.index(code) for code in given["patricians"])
        s.province_pool &= ~s.provinces[seat]
        s.patrician_pool &= ~s.patricians[seat]
        s.chips[seat] = given["chips"]
        s.kept[seat] = [given["fortuna"].count(value) for value in (1, 2, 3)]
        s.token_supply -= s.kept[seat]
    held = [(seat, code) for seat, given in enumerate(players) for code in given["senate"]]
    for place, (seat, code) in enumerate(held):
        s.set = place // 3
        s.hands[s.set, place % 3] = CARDS.index(code) + 1
        s.takers[s.set, place % 3] = seat + 1
        s.senate_deck = without_card(s.senate_deck, CARDS.index(code))
    CHECKS[ALEA.name](s)
    return s


def result_of(*players: Mapping[str, Any]) -> list[list[int]]:
    """Points, tie-break and winner flags of all seats."""
    out = np.zeros((3, len(players)), np.int32)
    ALEA.rules.score(final_state(*players), out)
    return out.tolist()


def test_a_end_5_most_fame_points_win() -> None:
    # seat 1 has the higher value of unassigned patricians, which does not help
    assert result_of(tableau("R3", "Rw3"), tableau("G3", "Gw2 Bw3 Bm3")) == [[6, 5], [0, 6], [1, 0]]


def test_a_end_5_a_tie_goes_to_the_higher_value_unassigned() -> None:
    assert result_of(tableau("R3", "Rw2 Ow1"), tableau("G3", "Gw2 Bw2"), tableau("V2", "Vw2 Ym3")) == [
        [5, 5, 4],
        [1, 2, 3],
        [0, 1, 0],
    ]


def test_a_end_5_a_child_is_not_unassigned() -> None:
    with_child = tableau("R1", "Rw3 Rm3 Rw2", "XI")  # 1 + 6 + 1
    without = tableau("G1", "Gw3 Gm3 Gw2", chips=2)
    assert result_of(with_child, without) == [[8, 8], [0, 2], [0, 1]]


def test_a_end_5_a_full_tie_is_shared() -> None:
    assert result_of(tableau("R3", "Rw2 Ow2"), tableau("V1"), tableau("G3", "Gw2 Bw2")) == [
        [5, 0, 5],
        [2, 0, 2],
        [1, 0, 1],
    ]


def test_a_end_6_most_fame_first() -> None:
    # to leave Rw3 unassigned would be better for the tie-break only
    result = score_tableau(tableau("R1", "Rw3 Rw1"))
    assert (result["total"], result["tiebreak"]) == (4, 1)
    assert result["assignment"] == homes("R1=Rw3")


def test_a_end_6_then_the_highest_value_unassigned() -> None:
    # every child scores 1: the one of least value is taken
    result = score_tableau(tableau("R1", "Rw3 Rm3 Rw2 Rm2 Rw1", "XI"))
    assert (result["total"], result["tiebreak"]) == (1 + 6 + 1, 4)
    assert result["assignment"] == homes("R1=Rw3+Rm3*Rw1")
    # Rw2, or Ow1 and a colour for VI: the same fame, but Rw2 is worth more unassigned
    result = score_tableau(tableau("R1 J0", "Rw3 Rw2 Ow1", "VI"))
    assert (result["total"], result["tiebreak"]) == (1 + 3 + 1 + 2, 2)


def test_a_end_6_with_all_senate_cards() -> None:
    # Ow1 in the joker is one point less than Rw2 by value, but two colours more
    result = score_tableau(tableau("R1 J0", "Rw3 Rw2 Ow1", "VI VII"))
    assert result["assignment"] == homes("R1=Rw3 J0=Ow1")
    assert result["total"] == 1 + 4 + 2 + 2
    # the best couple of a border province may take the man of a tile
    result = score_tableau(tableau("R1", "Rm3 Gw1", "XII:RG"))
    assert result["assignment"] == homes("XII:RG=Gw1+Rm3")
    assert result["total"] == 0 + 4 + 3


def test_a_end_6_a_province_may_better_stay_vacant() -> None:
    # the couple in R1 and a grey XIII: a colour more for VII and a couple more for V than two singles
    result = score_tableau(tableau("R1", "Rw1 Rm1", "V VII XIII"))
    assert result["assignment"] == homes("R1=Rw1+Rm1")
    assert result["total"] == 1 + 2 + 2 + 2
    assert scored(tableau("R1", "Rw1 Rm1", "V VII XIII"), "R1=Rw1 XIII=Rm1")["total"] == 1 + 2 + 1 + 1 + 1


# Senate cards.


@pytest.mark.parametrize(
    ("provinces", "more", "points"),
    [("", "", 1), ("R1", "", 1), ("R1 O1", "", 2), ("R1 O1 J0", "XII:RG", 3), ("R1 O1", "XIII XIII XII:YV", 3)],
)
def test_a_card_1_many_provinces(provinces: str, more: str, points: int) -> None:
    given = tableau(provinces, "Ow1", f"I {more}")
    assert card(scored(given, ""), "I") == points
    if "O1" in provinces:
        assert card(scored(given, "O1=Ow1"), "I") == points  # occupied or not


def test_a_card_2_many_patricians() -> None:
    provinces = "R1 R2 R3"
    assert card(assigned("", provinces, "II", "Rw1 Rm1"), "II") == 0
    assert card(assigned("R1=Rw1", provinces, "II", "Rm1"), "II") == 0
    assert card(assigned("R1=Rw1+Rm1", provinces, "II", "Rw3 Gw2"), "II") == 1
    assert card(assigned("R1=Rw1+Rm1 R2=Rw2", provinces, "II"), "II") == 1
    assert card(assigned("R1=Rw1+Rm1*Rm3 R2=Rw2", provinces, "II XI"), "II") == 2  # a child counts
    assert card(assigned("XIII=Vw1+Vm1 XII:RG=Rw1+Gm1", "", "II XIII XII:RG"), "II") == 2


@pytest.mark.parametrize(("senate", "points"), [("III", 2), ("III IV", 3), ("III IV XII:RG XIII XIII", 6)])
def test_a_card_3_many_senate_cards(senate: str, points: int) -> None:
    assert card(score_tableau(tableau(senate=senate)), "III") == points


@pytest.mark.parametrize(("tokens", "points"), [(0, 1), (2, 1), (3, 3), (5, 3), (6, 5), (9, 7)])
def test_a_card_4_many_fortuna_tokens(tokens: int, points: int) -> None:
    result = score_tableau(tableau(senate="IV", fortuna="2" * tokens))
    assert card(result, "IV") == points
    assert result["total"] == points + 2 * tokens


def test_a_card_5_many_couples() -> None:
    assert card(assigned("", "R1", "V", "Rw1 Rm1"), "V") == 1
    assert card(assigned("R1=Rw1", "R1", "V", "Rm1"), "V") == 1
    everywhere = "R1=Rw1+Rm1 J0=Bw1+Bm1 XII:RG=Rw2+Gm1 XIII=Vw1+Vm1"
    assert card(assigned(everywhere, "R1 J0", "V XII:RG XIII"), "V") == 5
    assert card(assigned("R1=Rw1+Rm1*Rw2 R2=Rm2", "R1 R2", "V XI"), "V") == 2  # neither a child nor a single


def test_a_card_6_patrician_colours() -> None:
    assert card(assigned("", "R1 O1", "VI", "Rw1 Ow1"), "VI") == 0
    assert card(assigned("R1=Rw1+Rm1 O1=Ow1", "R1 O1 Y1", "VI", "Yw1 Gw1"), "VI") == 2
    assert card(assigned("XII:RG=Rw1+Gm1 XIII=Bw1 R1=Rw2", "R1", "VI XII:RG XIII"), "VI") == 3


def test_a_card_7_tiles_and_borders_show_their_colours_vacant_too() -> None:
    given = tableau("R1 R2 O1", "Rw1 Gw1", "VII XII:RG XII:YB")
    for written in ("", "R1=Rw1 XII:RG=Gw1"):
        assert card(scored(given, written), "VII") == 5  # R, O, G, Y, B
    assert card(score_tableau(tableau(senate="VII")), "VII") == 0


def test_a_card_7_jokers_and_free_provinces() -> None:
    given = tableau("R1 J0", "Rw1 Bw1 Vw1", "VII XIII")
    assert card(scored(given, ""), "VII") == 2  # red and grey, which is one colour
    assert card(scored(given, "J0=Bw1"), "VII") == 3  # red, blue, and XIII is grey
    assert card(scored(given, "XIII=Bw1"), "VII") == 3  # red, blue, and the joker is grey
    assert card(scored(given, "J0=Bw1 XIII=Vw1"), "VII") == 3  # red, blue, violet and no grey
    assert card(scored(given, "J0=Rw1 XIII=Vw1"), "VII") == 2
    assert card(scored(tableau("J0", "Bw1", "VII"), "J0=Bw1"), "VII") == 1


def test_a_card_7_an_occupied_tile_is_not_grey() -> None:
    two = tableau("", "Rw1 Ow1", "VII XIII XIII")
    assert card(scored(two, ""), "VII") == 1
    assert card(scored(two, "XIII=Rw1"), "VII") == 2
    assert card(scored(two, "XIII=Rw1 XIII=Ow1"), "VII") == 2


def test_a_card_8_occupied_tiles() -> None:
    senate = "VIII XII:RG XIII"
    assert card(assigned("", "R1 R2 J0", senate, "Rw1"), "VIII") == 0
    assert card(assigned("R1=Rw1+Rm1", "R1 R2 J0", senate), "VIII") == 1
    assert card(assigned("R1=Rw1 J0=Vm1 XII:RG=Gw1 XIII=Bw1+Bm1", "R1 R2 J0", senate), "VIII") == 2


def test_a_card_9_women() -> None:
    assert card(assigned("R1=Rw1+Rm1*Rw2 O1=Ow1 Y1=Ym1", "R1 O1 Y1", "IX XI", "Vw1 Rw3"), "IX") == 3
    assert card(assigned("R1=Rw1+Rm1*Rm2", "R1", "IX XI", "Vw1"), "IX") == 1


def test_a_card_10_men() -> None:
    assert card(assigned("R1=Rw1+Rm1*Rm2 O1=Om1 Y1=Yw1", "R1 O1 Y1", "X XI", "Vm1 Rm3"), "X") == 3
    assert card(assigned("R1=Rw1+Rm1*Rw2", "R1", "X XI", "Vm1"), "X") == 1


def test_a_card_11_a_child_is_one_point_of_the_card() -> None:
    given = tableau("R1 O2", "Rw1 Rm2 Rw3 Rm3 Ow1 Om1 Om2", "XI")
    without = scored(given, "R1=Rw1+Rm2 O2=Ow1+Om1")
    result = scored(given, "R1=Rw1+Rm2*Rw3 O2=Ow1+Om1*Om2")
    assert (card(without, "XI"), card(result, "XI")) == (0, 2)
    assert result["patricians"] == without["patricians"] == 5
    assert result["total"] == without["total"] + 2
    assert (without["tiebreak"], result["tiebreak"]) == (8, 3)  # a child is not unassigned


def test_a_card_11_only_a_couple_and_only_one_child() -> None:
    given = tableau("R1 R2", "Rw1 Rm2 Rw3 Rm3", "XI")
    refused(given, "R1=Rw1*Rm2", "R1=*Rm2", "R1=Rw1+Rw3*Rm2", "R1=Rw1+Rm2*Rw1", "R1=Rw1+Rm2*Rw3 R2=Rw3")
    with pytest.raises(RostraError):
        scored(given, "R1=Rw1+Rm2*Rw3*Rm3")
    refused(tableau("R1", "Rw1 Rm2 Rw3"), "R1=Rw1+Rm2*Rw3")  # not without the card


def test_a_card_11_a_child_matches_the_province() -> None:
    people = "Rw1 Rm1 Rw2 Gm1 Gw1 Gw2 Bw1 Bm1 Bm2"
    given = tableau("R1 J0", people, "XI XII:RG XIII")
    for allowed in (
        "R1=Rw1+Rm1*Rw2",
        "XII:RG=Rw1+Gm1*Rw2",
        "XII:RG=Rw1+Gm1*Gw1",
        "J0=Bw1+Bm1*Bm2",
        "XIII=Gw1+Gm1*Gw2",
    ):
        assert card(scored(given, allowed), "XI") == 1
    refused(given, "R1=Rw1+Rm1*Gw1", "XII:RG=Rw1+Gm1*Bw1", "J0=Bw1+Bm1*Rw1", "XIII=Gw1+Gm1*Rw1")


def test_a_card_11_a_child_does_not_make_a_couple_of_a_province() -> None:
    given = tableau("R1 R2", "Rw1 Rm1 Rw2 Rm2", "XI V VIII")
    result = scored(given, "R1=Rw1+Rm1*Rw2")
    assert (card(result, "V"), card(result, "VIII"), result["provinces"]) == (2, 1, 1 + 1)


def test_a_card_11_the_rest_is_better_off_as_a_child_only_when_it_is() -> None:
    # Rw3 is worth 3 and an occupied R4 when assigned, 1 as a child
    result = score_tableau(tableau("R1 R4", "Rw1 Rm1 Rw3", "XI"))
    assert result["total"] == 1 + 4 + 5
    assert card(result, "XI") == 0


@pytest.mark.parametrize("code", BORDERS)
def test_a_card_12_border_provinces(code: str) -> None:
    one, other = code[4:]
    third = next(colour for colour in COLOURS if colour not in code[4:])
    given = tableau("", f"{one}w2 {one}m1 {other}w1 {other}m3 {third}w1 {third}m1", code)
    for written, points, value in (
        ("", 0, 0),
        (f"{code}={one}w2", 0, 2),
        (f"{code}={other}m3", 0, 3),
        (f"{code}={one}w2+{other}m3", 3, 5),
        (f"{code}={other}w1+{one}m1", 3, 2),
    ):
        result = scored(given, written)
        assert (card(result, code), result["patricians"], result["total"]) == (points, value, points + value)
    refused(given, f"{code}={one}w2+{one}m1", f"{code}={one}w2+{other}w1", f"{code}={third}w1")
    refused(given, f"{code}={one}w2+{third}m1")


def test_a_card_12_there_are_six_of_a_ring() -> None:
    for wrong in ("XII", "XII:GR", "XII:RB", "XII:RO", "XII:RR", "XII:RGB"):
        with pytest.raises(BadNotation):
            score_tableau(tableau(senate=wrong))
    assert score_tableau(tableau(senate="XII:RG XII:OG XII:OB XII:YB XII:YV XII:RV III"))["total"] == 8


def test_a_card_13_free_provinces() -> None:
    given = tableau("", "Rw2 Rm2 Gm3 Gw1", "XIII")
    for written, points in (("", 0), ("XIII=Rw2", 3), ("XIII=Gm3", 4), ("XIII=Rw2+Rm2", 5), ("XIII=Gw1+Gm3", 5)):
        assert scored(given, written)["total"] == points
    refused(given, "XIII=Rw2+Gm3", "XIII=Rm2+Gm3", "XIII=Rw2 XIII=Gw1")


def test_a_card_13_there_are_two() -> None:
    given = tableau("", "Rw2 Rm2 Gm3 Gw1", "XIII XIII")
    assert sorted(scored(given, "XIII=Rw2 XIII=Gm3")["cards"]) == [["XIII", 1], ["XIII", 1]]
    assert sorted(scored(given, "XIII=Rw2+Rm2")["cards"]) == [["XIII", 0], ["XIII", 1]]
    assert score_tableau(given)["total"] == 8 + 2
    refused(given, "XIII=Rw2 XIII=Gm3 XIII=Gw1")


# Tableaux that cannot be.


@pytest.mark.parametrize(
    "given",
    [
        tableau("R3 R3"),
        tableau("J0 J0"),
        tableau("", "Rw3 Rw3"),
        tableau(senate="XIII XIII XIII"),
        tableau(senate="IV IV"),
        tableau(senate="XII:RG XII:RG"),
        tableau("R5"),
        tableau("J1"),
        tableau("Rw1"),
        tableau("", "Rw4"),
        tableau("", "Jw1"),
        tableau("", "R3"),
        tableau(senate="XIV"),
        tableau(senate="R3"),
        tableau(fortuna="4"),
        tableau(fortuna="0"),
        tableau(fortuna="1" * 9),
        tableau(fortuna="2" * 15),
        tableau(fortuna="3" * 9),
        tableau(chips=-1),
        {**tableau(), "chips": 1.5},
        {**tableau(), "fortuna": ["3"]},
        {**tableau(), "provinces": "R3"},
        {**tableau(), "colour": "R"},
        {**tableau("R3"), "assignment": "R3"},
        {**tableau("R3"), "assignment": ["R3"]},
        {**tableau("R3"), "assignment": [{"patricians": []}]},
    ],
)
def test_impossible_tableaux_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(RostraError):
        score_tableau(given)


def test_missing_parts_are_empty() -> None:
    nothing = {**dict.fromkeys(FIGURES, 0), "cards": [], "assignment": []}
    assert score_tableau({}) == score_tableau(tableau()) == nothing


def test_all_there_is_can_be_scored() -> None:
    every_card = " ".join([*NUMBERED, *BORDERS, "XIII", "XIII"])
    given = tableau(" ".join(PROVINCES), " ".join(PATRICIANS), every_card, "1" * 8 + "2" * 14 + "3" * 8, 99)
    result = score_tableau(given)
    assert (result["total"], result["tiebreak"]) == milp(given)


# Worked examples.


def test_example_6_final_score() -> None:
    given = tableau(
        "R3 G4 B1 Y1", "Rw3 Rm1 Gw3 Gm3 Rw2 Gm1 Ow2 Vw1 Vm1 Rw1", "XII:RG XII:OB III VII", fortuna="321", chips=5
    )
    result = score_tableau(given)
    assert {name: result[name] for name in FIGURES} == {
        "total": 43,
        "tiebreak": 3,
        "provinces": 7,
        "patricians": 15,
        "senate": 13,
        "fortuna": 6,
        "chips": 2,
    }


SHEET = "G3=Gw1+Gm2 O2=Ow1 B1=Bm1 XII:RG=Rw2+Gm3 XII:YB=Bw2 XIII=Rw1"
SHEET_CARDS = "XII:RG XII:YB XIII"


@pytest.mark.parametrize(
    ("code", "points"),
    [("I", 4), ("II", 4), ("III", 5), ("IV", 3), ("V", 3), ("VI", 4), ("VII", 5), ("VIII", 3), ("IX", 5), ("X", 3)],
)
def test_example_7_card_sheet(code: str, points: int) -> None:
    result = assigned(SHEET, "G3 O2 B1", f"{SHEET_CARDS} {code}", "Vw2", "11223")
    assert card(result, code) == points
    assert result["tiebreak"] == 2


@pytest.mark.parametrize(("home", "child"), [("XII:RG", "Rm1"), ("XII:RG", "Rw3"), ("XII:RG", "Gw2"), ("G3", "Gw2")])
def test_example_7_offspring(home: str, child: str) -> None:
    written = " ".join(f"{part}*{child}" if part.startswith(f"{home}=") else part for part in SHEET.split())
    assert card(assigned(written, "G3 O2 B1", f"{SHEET_CARDS} XI", "Vw2"), "XI") == 1


@pytest.mark.parametrize(("home", "child"), [("XII:RG", "Bw1"), ("G3", "Rm1"), ("XII:YB", "Yw1"), ("O2", "Om1")])
def test_example_7_no_other_offspring(home: str, child: str) -> None:
    written = " ".join(f"{part}*{child}" if part.startswith(f"{home}=") else part for part in SHEET.split())
    with pytest.raises(IllegalMove):
        assigned(written, "G3 O2 B1", f"{SHEET_CARDS} XI", "Vw2")


@pytest.mark.parametrize(
    ("code", "patricians", "points"),
    [
        ("XII:RG", "Rw2 Gm2", 7),
        ("XII:RG", "Rw2", 2),
        ("XII:RG", "Rw3 Bm2", 3),
        ("XII:RG", "Rw3 Rm2", 3),
        ("XII:RG", "Rw3 Gw2", 3),
        ("XII:RG", "Bw3 Vm3", 0),
        ("XIII", "Rw2 Rm2", 5),
        ("XIII", "Rw3", 4),
        ("XIII", "Bw3 Gm2", 4),
    ],
)
def test_example_8_border_and_free_provinces(code: str, patricians: str, points: int) -> None:
    assert score_tableau(tableau("", patricians, code))["total"] == points


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_the_score_of_a_game_is_that_of_its_tableaux(n_seats: int) -> None:
    rng = random.Random(n_seats)
    for _ in range(20):
        owners = rng.choices(range(n_seats), k=len(PROVINCES)), rng.choices(range(n_seats), k=len(PATRICIANS))
        deck = [*NUMBERED, *BORDERS, "XIII", "XIII"]
        tokens = [1] * 8 + [2] * 14 + [3] * 8
        if n_seats < 4:  # A-SET-6
            deck.remove("IV")
            tokens.clear()
        rng.shuffle(deck)
        rng.shuffle(tokens)
        players = [
            {
                "provinces": [code for code, owner in zip(PROVINCES, owners[0], strict=True) if owner == seat],
                "patricians": [code for code, owner in zip(PATRICIANS, owners[1], strict=True) if owner == seat],
                "senate": deck[3 * seat : 3 * seat + rng.randint(0, 3)],
                "fortuna": tokens[6 * seat : 6 * seat + rng.randint(0, 6)],
                "chips": rng.randint(0, 20),
            }
            for seat in range(n_seats)
        ]
        points, tiebreak, winners = result_of(*players)
        results = [score_tableau(given) for given in players]
        assert points == [result["total"] for result in results]
        assert tiebreak == [result["tiebreak"] for result in results]
        best = max(zip(points, tiebreak, strict=True))
        assert winners == [int(both == best) for both in zip(points, tiebreak, strict=True)]
