"""Scoring a set of Alea Iacta Est, a test for each rule."""

import pytest

from alea_positions import (
    deciders,
    give_drawn,
    lay_out,
    legal,
    odds,
    play,
    put,
    ready,
    refuse,
    rolled,
    set_tokens,
    settle,
    to_scoring,
)
from rostra.engine.game import CHANCE
from rostra.games.alea import ALEA
from rostra.games.alea.tables import LAY_PROVINCES


def test_a_sco_1_the_leader_keeps_two_others_one() -> None:
    s = ready(5, start=1)
    for seat, dice, tokens in ((2, "1", "1"), (4, "11", "113"), (3, "111", "12"), (1, "1111", "12333")):
        put(s, seat, templum=dice)
        give_drawn(s, seat, tokens)
    to_scoring(s)
    assert ALEA.rules.turn(s) == 1
    assert legal(s) == {"K12", "K13", "K23", "K33"}
    refuse(s, "K1", "K3", "K11", "K22")
    play(s, "K33")
    # then clockwise from the start player, who is seat 1
    assert ALEA.rules.turn(s) == 2
    assert legal(s) == {"K1"}
    play(s, "K1")
    assert ALEA.rules.turn(s) == 3
    assert legal(s) == {"K1", "K2"}
    refuse(s, "K12", "K3")
    play(s, "K2")
    assert ALEA.rules.turn(s) == 4
    assert legal(s) == {"K1", "K3"}
    play(s, "K3")
    assert [player["fortuna"] for player in ALEA.screen.view(s, None)["players"]] == ["", "33", "1", "2", "3"]
    assert ALEA.screen.view(s, None)["discards"] == "111123"  # 123 of seat 1, 1 of seat 3, 11 of seat 4
    settle(s)
    # every die in the Templum returned to its owner, without a chip
    assert s.chips[:5].tolist() == [8, 4, 7, 5, 6]
    assert s.templum_dice.tolist() == [0, 0, 0, 0, 0]


def test_a_sco_1_the_order_is_the_leader_then_clockwise_from_the_start() -> None:
    s = ready(4, start=2)
    for seat, dice in ((1, "1"), (2, "11"), (3, "111"), (0, "1111")):
        put(s, seat, templum=dice)
        give_drawn(s, seat, "12")
    to_scoring(s)
    assert deciders(s, "K") == [0, 2, 3, 1]


def test_a_sco_1_fewer_tokens_than_allowed_are_all_kept() -> None:
    s = ready(4)
    set_tokens(s, "3")
    put(s, 1, templum="1")
    rolled(s, 0, "66")
    play(s, "T66 =3")  # two dice, one token
    rolled(s, 2, "6666")
    play(s, "T666")  # three dice, no token
    to_scoring(s)
    assert ALEA.rules.turn(s) == 0  # the leader, seat 2, has nothing to decide
    assert legal(s) == {"K3"}
    play(s, "K3")
    assert s.phase == LAY_PROVINCES  # nor has seat 1
    assert [player["fortuna"] for player in ALEA.screen.view(s, None)["players"]][:3] == ["3", "", ""]


def test_a_sco_1_the_leader_with_one_token_keeps_it() -> None:
    s = ready(4)
    set_tokens(s, "12")
    put(s, 1, templum="1")
    give_drawn(s, 1, "1")
    rolled(s, 0, "66")
    play(s, "T66 =2")
    to_scoring(s)
    assert (ALEA.rules.turn(s), legal(s)) == (0, {"K2"})
    play(s, "K2")
    assert (ALEA.rules.turn(s), legal(s)) == (1, {"K1"})


def test_a_sco_2_a_lone_die_wins_a_second_token() -> None:
    s = ready(4)
    rolled(s, 1, "6")
    play(s, "T6 =1")
    to_scoring(s)
    assert ALEA.rules.turn(s) == CHANCE
    assert odds(s) == {"=1": 7 / 29, "=2": 14 / 29, "=3": 8 / 29}
    play(s, "=3")
    assert ALEA.screen.view(s, None)["players"][1]["fortuna"] == "13"
    assert ALEA.screen.view(s, None)["discards"] == ""
    assert settle(s) == []
    assert s.chips[1] == 7  # the die in the Templum returned


def test_a_sco_2_the_second_token_may_need_a_reshuffle() -> None:
    s = ready(4)
    set_tokens(s, "1", "2", holder=0)
    rolled(s, 1, "6")
    play(s, "T6 =1")
    assert ALEA.screen.view(s, None)["discards"] == "2"
    to_scoring(s)
    assert odds(s) == {"=2": 1.0}
    play(s, "=2")
    assert ALEA.screen.view(s, None)["players"][1]["fortuna"] == "12"


def test_a_sco_2_a_lone_die_without_a_token_left() -> None:
    s = ready(4)
    set_tokens(s, "1", holder=0)
    rolled(s, 1, "6")
    play(s, "T6 =1")
    to_scoring(s)
    assert s.phase == LAY_PROVINCES  # nothing to draw, nothing to decide
    assert ALEA.screen.view(s, None)["players"][1]["fortuna"] == "1"
    none_at_all = ready(4)
    set_tokens(none_at_all, "", holder=0)
    rolled(none_at_all, 1, "6")
    play(none_at_all, "T6")
    to_scoring(none_at_all)
    assert none_at_all.phase == LAY_PROVINCES
    assert ALEA.screen.view(none_at_all, None)["players"][1]["fortuna"] == ""


def test_a_sco_2_not_with_two_dice_of_one_player() -> None:
    s = ready(4)
    put(s, 1, templum="12")
    give_drawn(s, 1, "12")
    to_scoring(s)
    assert (ALEA.rules.turn(s), legal(s)) == (1, {"K12"})
    play(s, "K12")
    assert s.phase == LAY_PROVINCES


@pytest.mark.parametrize(("n_seats", "winners"), [(2, [1]), (3, [1, 0]), (4, [3, 1]), (5, [3, 1, 0])])
def test_a_sco_3_how_many_win_a_card(n_seats: int, winners: list[int]) -> None:
    s = ready(n_seats)
    for seat, sequence in enumerate(["12", "123", "6", "456", "5"][:n_seats]):
        put(s, seat, senatus=sequence)
    to_scoring(s)
    play(s, "=I =II =III")
    assert deciders(s, "+") == winners


def test_a_sco_3_length_before_highest_value() -> None:
    s = ready(3)
    put(s, 0, senatus="56")
    put(s, 1, senatus="345")
    put(s, 2, senatus="234")
    to_scoring(s)
    play(s, "=I =II =III")
    assert ALEA.rules.turn(s) == 1
    play(s, "+I")
    assert ALEA.rules.turn(s) == 2
    play(s, "+II")
    assert s.chips[0] == 8


def test_a_sco_4_each_winner_keeps_one_and_hands_on_the_rest() -> None:
    s = ready(5)
    put(s, 0, senatus="12")
    put(s, 2, senatus="123")
    put(s, 3, senatus="6")
    to_scoring(s)
    play(s, "=V =XII:RG =II")
    assert (ALEA.rules.turn(s), legal(s)) == (2, {"+II", "+V", "+XII:RG"})
    refuse(s, "+I")
    play(s, "+V")
    assert (ALEA.rules.turn(s), legal(s)) == (0, {"+II", "+XII:RG"})
    refuse(s, "+V")
    play(s, "+II")
    assert (ALEA.rules.turn(s), legal(s)) == (3, {"+XII:RG"})  # the third winner takes the last card
    play(s, "+XII:RG")
    assert [ALEA.screen.view(s, seat)["own"]["senate"] for seat in range(5)] == [["II"], [], ["V"], ["XII:RG"], []]
    assert s.chips[:5].tolist() == [6, 8, 5, 7, 8]  # the winners' dice are back without a chip


def test_a_sco_4_equal_cards_are_one_choice() -> None:
    s = ready(2)
    put(s, 0, senatus="12")
    to_scoring(s)
    play(s, "=XIII =I =XIII")
    assert legal(s) == {"+I", "+XIII"}
    play(s, "+XIII")
    assert ALEA.screen.view(s, 0)["own"]["senate"] == ["XIII"]


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_a_sco_4_one_winner_only_and_the_rest_goes_under_the_stack(n_seats: int) -> None:
    s = ready(n_seats)
    put(s, 0, senatus="12")
    to_scoring(s)
    play(s, "=I =II =III +II")
    assert s.phase == LAY_PROVINCES  # nobody else chooses
    assert ALEA.screen.view(s, 0)["own"]["senate"] == ["II"]
    assert ALEA.screen.view(s, None)["players"][0]["senate"] == 1
    lay_out(s)
    put(s, 0, senatus="12")
    to_scoring(s)
    refuse(s, "=I", "=II", "=III")
    left = 15 if n_seats < 4 else 16
    assert odds(s)["=V"] == 1 / left
    assert sum(odds(s).values()) == pytest.approx(1)
    assert odds(s)["=XIII"] == 2 / left


def test_a_sco_4_two_winners_where_three_could_win() -> None:
    s = ready(5)
    put(s, 4, senatus="3")
    put(s, 1, senatus="2")
    to_scoring(s)
    play(s, "=I =II =III +I")
    assert (ALEA.rules.turn(s), legal(s)) == (1, {"+II", "+III"})
    play(s, "+III")
    assert s.phase == LAY_PROVINCES
    assert [player["senate"] for player in ALEA.screen.view(s, None)["players"]] == [0, 1, 0, 0, 1]


def test_a_sco_4_no_draw_when_nobody_is_there() -> None:
    s = ready(3)
    put(s, 0, castrum="1")
    to_scoring(s)
    assert legal(s) == {"+R1", "+R2", "+R3"}
    settle(s)
    lay_out(s)
    put(s, 0, senatus="1")
    to_scoring(s)
    assert odds(s)["=I"] == 1 / 18  # no card has left the stack


def test_a_sco_5_sequences_that_won_nothing_become_chips() -> None:
    s = ready(2)
    put(s, 0, senatus="23", castrum="111111")
    put(s, 1, senatus="234", castrum="2222")
    to_scoring(s)
    assert (s.latrina[0], s.latrina[1]) == (0, 1)
    play(s, "=I =II =III +I")
    assert (s.latrina[0], s.latrina[1]) == (2, 1)
    settle(s)
    assert s.chips[:2].tolist() == [2, 1]
    assert s.dice[:2].tolist() == [8, 8]


def test_a_sco_6_groups_rank_by_number_then_value() -> None:
    s = ready(5)
    put(s, 0, castrum="666")
    put(s, 1, castrum="1111 66")
    put(s, 2, castrum="222 5")
    put(s, 3, castrum="333")
    to_scoring(s)
    assert deciders(s, "+") == [1, 0, 3, 2, 1]


def test_a_sco_6_any_province_and_several_for_one_player() -> None:
    s = ready(3)
    put(s, 0, castrum="666 55")
    put(s, 1, castrum="4")
    to_scoring(s)
    assert (ALEA.rules.turn(s), legal(s)) == (0, {"+R1", "+R2", "+R3"})
    refuse(s, "+R4", "+Rw1")
    play(s, "+R2")
    assert s.dice[0] == 3  # the dice of this group, not of the next
    assert (ALEA.rules.turn(s), legal(s)) == (0, {"+R1", "+R3"})
    play(s, "+R3")
    assert (ALEA.rules.turn(s), legal(s)) == (1, {"+R1"})
    play(s, "+R1")
    assert [player["provinces"] for player in ALEA.screen.view(s, None)["players"]] == [["R2", "R3"], ["R1"], []]


def test_a_sco_6_stops_when_provinces_run_out() -> None:
    s = ready(2)
    put(s, 0, castrum="666 55 4")
    put(s, 1, castrum="44 5")
    to_scoring(s)
    assert deciders(s, "+R") == [0, 0]  # 4-4 is third, but there are two provinces


def test_a_sco_6_stops_when_groups_run_out() -> None:
    s = ready(3)
    put(s, 1, castrum="4")
    to_scoring(s)
    play(s, "+R3")
    assert s.phase == LAY_PROVINCES
    assert ALEA.screen.view(s, None)["offered"]["provinces"] == []


def test_a_sco_7_groups_that_won_nothing_become_chips() -> None:
    s = ready(2)
    put(s, 0, castrum="666 55 4", senatus="12")
    put(s, 1, castrum="44 5", senatus="345")
    to_scoring(s)
    assert (s.latrina[0], s.latrina[1]) == (0, 2)
    play(s, "=I =II =III +I +R1 +R2")
    # seat 0: its sequence and the group of 4; seat 1: both groups and the two dice that were there before
    assert s.chips[:2].tolist() == [3, 5]


def test_a_sco_7_provinces_left_over_are_out_of_the_game() -> None:
    s = ready(3)
    put(s, 1, castrum="4")
    to_scoring(s)
    play(s, "+R3")
    assert ALEA.screen.view(s, None)["stacks"]["provinces"] == 22
    refuse(s, "=R1", "=R2", "=R3")
    assert ALEA.screen.view(s, None)["players"][1]["provinces"] == ["R3"]
    assert not any(ALEA.screen.view(s, None)["players"][seat]["provinces"] for seat in (0, 2))


def test_a_sco_8_from_the_left_any_patrician() -> None:
    s = ready(2)
    put(s, 1, forum="1")
    put(s, 0, forum="25")
    put(s, 1, forum="6")
    to_scoring(s)
    assert (ALEA.rules.turn(s), legal(s)) == (1, {"+Rw1", "+Rw2", "+Rw3", "+Rm1"})
    refuse(s, "+Rm2", "+R1")
    play(s, "+Rm1")
    assert (ALEA.rules.turn(s), legal(s)) == (0, {"+Rw1", "+Rw2", "+Rw3"})
    play(s, "+Rw1")
    assert ALEA.rules.turn(s) == 0
    play(s, "+Rw3")
    assert (ALEA.rules.turn(s), legal(s)) == (1, {"+Rw2"})
    play(s, "+Rw2")
    assert [p["patricians"] for p in ALEA.screen.view(s, None)["players"]] == [["Rw1", "Rw3"], ["Rw2", "Rm1"]]
    assert s.chips[:2].tolist() == [6, 6]  # Forum dice are taken back without a chip


def test_a_sco_8_patricians_left_over_are_out_of_the_game() -> None:
    s = ready(2)
    put(s, 0, forum="3")
    to_scoring(s)
    play(s, "+Rw2")
    assert s.phase == LAY_PROVINCES
    assert ALEA.screen.view(s, None)["offered"]["patricians"] == []
    play(s, "=R3 =R4")
    refuse(s, "=Rw1", "=Rw2", "=Rw3", "=Rm1")
    assert len(legal(s)) == 32


def test_a_sco_9_a_chip_for_each_die_in_the_latrina() -> None:
    s = ready(3)
    s.chips[0] = 2
    put(s, 0, latrina=3, castrum="11111")
    put(s, 1, castrum="66666666")
    to_scoring(s)
    assert s.chips[:3].tolist() == [2, 0, 0]  # last of all
    settle(s)
    assert s.chips[:3].tolist() == [5, 0, 8]
    assert s.latrina[:3].tolist() == [0, 0, 0]
    assert s.dice[:3].tolist() == [8, 8, 8]
