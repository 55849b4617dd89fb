"""The rules of Quo Vadis? without its deals: a test for each rule id, and the worked examples of the rules page."""

import pytest

from quovadis_positions import (
    act_now,
    arrive,
    bad,
    caesar,
    caesar_at,
    exhaust_stack,
    hand,
    hold,
    hold_all,
    idle,
    inside,
    laurel,
    lay,
    lay_out,
    leave_ones,
    legal,
    odds,
    play,
    put,
    ready,
    refuse,
    result,
)
from rostra.engine.game import CHANCE, OVER, BadOption, MatchOver, RostraError
from rostra.games.quovadis import QUO_VADIS as GAME

# The board of the rules page, written anew: committee, seats, paths out; * for a laurel place.
TABLE = (
    "A1 A>E, B5 B>I* B>F*, C1 C>G, D3 D>G* D>H*, E1 E>I, F1 F>J, G3 G>J* G>L*, "
    "H1 H>K, I3 I>M*, J5 J>S*, K1 K>N, L1 L>N, M3 M>S*, N3 N>S*"
)
BOARD = {row[0]: (int(row[1]), row[3:].replace("*", "").split()) for row in TABLE.split(", ")}
PATHS = [path for _, paths in BOARD.values() for path in paths]
PLACES = [path for path in PATHS if path + "*" in TABLE]
CONSENTS = {1: 0, 3: 1, 5: 2}


@pytest.mark.parametrize("n_seats", [3, 4, 5])
def test_q_set_1_eight_senators_off_the_board(n_seats: int) -> None:
    s = ready(n_seats)
    assert [player["off"] for player in GAME.screen.view(s, 0)["players"]] == [8] * n_seats
    assert all(inside(s, committee) == "" for committee in [*BOARD, "S"])
    committees = GAME.screen.view(s, 0)["committees"]
    assert {name: one["seats"] for name, one in committees.items()} == {
        name: seats for name, (seats, _) in BOARD.items()
    }


@pytest.mark.parametrize("n_seats", [0, 1, 2, 6])
def test_q_set_1_no_other_number_of_players(n_seats: int) -> None:
    with pytest.raises(RostraError):
        GAME.new(n_seats, {})


def test_q_set_2_sixty_two_laurels() -> None:
    s = GAME.new(4, {"start_seat": "0"})
    play(s, "=s0")
    face_down = {"=2": 8, "=2c": 6, "=3": 15, "=4": 9, "=5": 6}
    assert s.ones == 18
    assert int(s.stack.sum()) == sum(face_down.values()) == 62 - 18
    assert odds(s) == {text: number / 44 for text, number in face_down.items()}
    refuse(s, "=1")  # ones are not among those face down
    play(s, "=5;=5;=5;=5;=5")
    assert odds(s)["=5"] == 1 / 39
    play(s, "=5")
    refuse(s, "=5")


def test_q_set_3_ten_laurels_are_turned_up() -> None:
    s = GAME.new(3, {"start_seat": "0"})
    lay_out(s, laurels="2 2c 3 4 5 2 2c 3 4 5")
    order = ["B>I", "B>F", "D>G", "D>H", "G>J", "G>L", "I>M", "J>S", "M>S", "N>S"]
    assert sorted(order) == sorted(PLACES)
    assert GAME.screen.view(s, 0)["laurels"] == dict(zip(order, ["2", "2c", "3", "4", "5"] * 2, strict=True))
    assert GAME.screen.view(s, 0)["stack"] == 34
    assert s.ones == 18
    assert GAME.rules.turn(s) == 0


def test_q_set_4_caesar_and_the_start_player() -> None:
    s = GAME.new(4, {})
    assert GAME.rules.turn(s) == CHANCE
    assert odds(s) == {"=s0": 0.25, "=s1": 0.25, "=s2": 0.25, "=s3": 0.25}
    refuse(s, "=s4", "=3")
    lay_out(s, 2)
    assert caesar_at(s) == "J>S"
    assert GAME.rules.turn(s) == 2
    s = GAME.new(5, {"start_seat": "3"})
    assert odds(s) == {"=s3": 1.0}
    with pytest.raises(BadOption):
        GAME.new(3, {"start_seat": "3"})


def test_q_set_4_play_goes_clockwise() -> None:
    s = ready(4, start=2)
    seen = []
    for _ in range(6):
        seen.append(GAME.rules.turn(s))
        play(s, "+B" if len(seen) < 5 else "@N>S" if len(seen) == 5 else "@M>S")
    assert seen == [2, 3, 0, 1, 2, 3]


def test_q_act_1_enter_a_free_seat_of_a_b_c_or_d() -> None:
    s = ready(3)
    assert legal(s, "+") == {"+A", "+B", "+C", "+D"}
    bad(s, "+E", "+J", "+S", "+")
    play(s, "+D")
    assert (inside(s, "D"), int(s.off[0]), GAME.rules.turn(s)) == ("0", 7, 1)
    assert hand(s, 0) == ""


def test_q_act_1_not_into_a_full_committee_nor_without_a_senator_left() -> None:
    s = ready(3)
    put(s, A="0", B="01122", C="2", D="12")
    assert legal(s, "+") == {"+D"}
    refuse(s, "+A", "+B", "+C")
    put(s, D="0")
    assert legal(s, "+") == set()
    s = ready(3)
    put(s, G="000", I="000")
    arrive(s, "0")
    assert legal(s, "+") == {"+A", "+B", "+C", "+D"}
    arrive(s, "0")
    assert legal(s, "+") == set()


@pytest.mark.parametrize("committee", BOARD)
def test_q_act_2_the_paths_out_of_each_committee(committee: str) -> None:
    s = ready(3)
    seats, paths = BOARD[committee]
    put(s, **{committee: "0" * (1 + CONSENTS[seats])})
    caesar(s, "M>S" if committee == "J" else "J>S")
    assert {text[:3] for text in legal(s) if ">" in text and text[0] != "@"} == set(paths)


@pytest.mark.parametrize("path", [path for path in PATHS if path[2] != "S"])
def test_q_act_2_not_into_a_full_committee(path: str) -> None:
    s = ready(3)
    put(s, **{path[0]: "0" * (1 + CONSENTS[BOARD[path[0]][0]])})
    size = BOARD[path[2]][0]
    put(s, **{path[2]: "1" * (size - 1)})
    assert legal(s, path)
    put(s, **{path[2]: "2"})
    assert not legal(s, path)
    if path in PLACES:  # nor with Caesar's help
        caesar(s, path)
        assert not legal(s, path)


def test_q_act_2_never_down_and_never_over_a_committee() -> None:
    s = ready(3)
    put(s, E="0", J="000")
    bad(s, "E>A", "J>F", "J>G", "E>M", "A>I", "S>J", "J>E", "E>E")
    put(s, A="1", I="12")
    refuse(s, "A>E", "I>M", "I>M(1)", "I>M(2)")  # nobody of seat 0 is there
    play(s, "E>I")
    assert (inside(s, "E"), inside(s, "I")) == ("", "012")


def test_q_act_3_caesar_to_any_other_place() -> None:
    s = ready(3)
    assert legal(s, "@") == {"@" + place for place in PLACES if place != "J>S"}
    refuse(s, "@J>S")
    bad(s, "@A>E", "@E>I", "@S")
    play(s, "@D>H")
    assert (caesar_at(s), GAME.rules.turn(s)) == ("D>H", 1)
    assert (laurel(s, "D>H"), laurel(s, "J>S")) == ("3", "5")
    assert legal(s, "@") == {"@" + place for place in PLACES if place != "D>H"}


def test_q_act_3_a_turn_is_never_without_an_action() -> None:
    s = ready(3)
    put(s, A="0", E="1", I="222", B="00000", F="1", C="0", G="111", D="1", H="2")
    put(s, D="2", J="2")
    arrive(s, "0")  # all eight of seat 0 are used, none can move
    put(s, D="1")
    caesar(s, "B>F")
    assert {text for text in legal(s) if text[0] != "@"} == {"deal", "hear"}
    assert len(legal(s, "@")) == 9
    play(s, "@I>M")
    assert GAME.rules.turn(s) == 1


@pytest.mark.parametrize("path", [path for path in PATHS if BOARD[path[0]][0] == 1])
def test_q_mov_1_out_of_a_one_seat_committee_freely(path: str) -> None:
    s = ready(3)
    put(s, **{path[0]: "0"})
    assert legal(s, path) == {path}
    bad(s, f"{path}(0)", f"{path}(1)")
    play(s, path)
    assert (inside(s, path[0]), inside(s, path[2]), hand(s, 0)) == ("", "0", "")
    assert GAME.rules.turn(s) == 1  # no laurel, no refill


def test_q_mov_2_three_seats_need_one_consent_of_who_is_there() -> None:
    s = ready(3)  # the example: blue with black and red needs one of them
    put(s, I="012")
    act_now(s, 1)
    assert legal(s, "I>") == {"I>M(0)", "I>M(2)"}
    refuse(s, "I>M", "I>M(1)", "I>M(3)")
    bad(s, "I>M(0,2)", "I>M()", "I>M(5)")
    play(s, "I>M(2); ask")
    assert inside(s, "I") == "012"  # not before it is given
    play(s, "yes; =4")
    assert (inside(s, "I"), inside(s, "M")) == ("02", "1")
    s = ready(4)
    put(s, D="01", G="2", M="3")
    assert legal(s, "D>") == {"D>G(1)", "D>H(1)"}
    refuse(s, "D>G(2)", "D>G(3)", "D>G(0)", "D>H(2)")


def test_q_mov_2_own_senators_may_consent() -> None:
    s = ready(3)
    put(s, D="001")
    assert legal(s, "D>G") == {"D>G(0)", "D>G(1)"}
    play(s, "D>G(0); =3")  # nobody is asked
    assert (inside(s, "D"), inside(s, "G"), hand(s, 0), GAME.rules.turn(s)) == ("01", "0", "3", 1)
    assert s.ones == 18


def test_q_mov_2_black_with_three_consents_to_itself() -> None:
    s = ready(3, start=2)
    put(s, B="01222")
    assert legal(s, "B>I") == {"B>I(0,1)", "B>I(0,2)", "B>I(1,2)", "B>I(2,2)"}
    play(s, "B>I(2,2); =5")
    assert (inside(s, "B"), inside(s, "I"), hand(s, 2), laurel(s, "B>I")) == ("0122", "2", "3", "5")
    assert (s.ones, hand(s, 0), hand(s, 1)) == (18, "", "")


def test_q_mov_2_five_seats_need_two_consents() -> None:
    s = ready(4)
    put(s, B="0112")
    assert legal(s, "B>F") == {"B>F(1,1)", "B>F(1,2)"}
    refuse(s, "B>F", "B>F(0,1)", "B>F(2,2)", "B>F(0,0)", "B>F(1,3)")
    bad(s, "B>F(1)", "B>F(2,1)", "B>F(1,1,2)", "B>F(1, 2)")
    play(s, "B>F(1,2); ask; yes; no")  # one of two is too few
    assert (inside(s, "B"), hand(s, 0), hand(s, 1), GAME.rules.turn(s)) == ("0112", "", "", 0)


@pytest.mark.parametrize(("committee", "owners"), [("D", "0"), ("B", "01"), ("B", "00"), ("B", "0"), ("N", "0")])
def test_q_mov_2_impossible_with_too_few_senators(committee: str, owners: str) -> None:
    s = ready(3)
    put(s, **{committee: owners})
    assert not legal(s, f"{committee}>")


def test_q_mov_3_the_example_of_a_three() -> None:
    s = ready(3, start=1)  # blue moves with red's consent over a 3
    put(s, D="012")
    play(s, "D>G(0); ask; yes")
    assert GAME.rules.turn(s) == CHANCE  # at once
    refuse(s, "=1", "=s0")
    assert odds(s)["=3"] == (15 - 4) / 34
    assert (hand(s, 1), hand(s, 0), hand(s, 2)) == ("3", "1", "")
    play(s, "=2")
    assert (laurel(s, "D>G"), s.ones, GAME.screen.view(s, 1)["stack"], GAME.rules.turn(s)) == ("2", 17, 33, 2)


def test_q_mov_3_the_stack_can_run_out() -> None:
    s = ready(3)
    put(s, D="001")
    exhaust_stack(s, 2)
    play(s, "D>G(0)")
    assert (hand(s, 0), laurel(s, "D>G"), GAME.rules.turn(s)) == ("3", None, 1)  # no refill
    put(s, D="2")
    play(s, "D>G(2); ask; yes")  # no laurel, but the consent earns its own
    assert (hand(s, 1), hand(s, 2).count("1"), laurel(s, "D>G"), GAME.rules.turn(s)) == ("", 1, None, 2)
    play(s, "@D>G; D>G")  # Caesar may still be put there
    assert (caesar_at(s), inside(s, "G"), hand(s, 0)) == ("D>G", "001", "3")
    s = ready(3)
    put(s, D="00")
    exhaust_stack(s, 2)
    s.hands[2, 4] -= 1
    s.stack[4] += 1
    play(s, "D>H(0)")
    assert odds(s) == {"=5": 1.0}
    play(s, "=5")
    assert (laurel(s, "D>H"), GAME.screen.view(s, 0)["stack"]) == ("5", 0)


def test_q_mov_4_each_consent_earns_a_one() -> None:
    s = ready(3)
    put(s, B="0112")
    play(s, "B>I(1,1); ask; yes; =2")
    assert (hand(s, 0), hand(s, 1), hand(s, 2), s.ones) == ("3", "11", "", 16)
    act_now(s, 0)
    put(s, B="0")
    play(s, "B>F(1,2); ask; yes; yes; =2")
    assert (hand(s, 0), hand(s, 1), hand(s, 2), s.ones) == ("33", "111", "1", 14)


def test_q_mov_4_too_few_ones_go_clockwise_from_the_mover() -> None:
    for left, expected in [(0, ("", "")), (1, ("", "1")), (2, ("1", "1"))]:
        s = ready(4, start=1)
        put(s, B="0012")
        leave_ones(s, left, 3)
        play(s, "B>I(0,2); ask; yes; yes; =2")
        assert (hand(s, 0), hand(s, 2), hand(s, 1), s.ones) == (*expected, "3", 0)
    s = ready(3)
    put(s, B="011")
    leave_ones(s, 1, 2)
    play(s, "B>I(1,1); ask; yes; =2")  # two consents of one player
    assert (hand(s, 1), s.ones) == ("1", 0)


def test_q_mov_4_the_mover_chooses_whose_consent() -> None:
    s = ready(4)
    put(s, B="01123")
    assert legal(s, "B>I") == {"B>I(1,1)", "B>I(1,2)", "B>I(1,3)", "B>I(2,3)"}
    play(s, "B>I(2,3); ask")
    asked = []
    for _ in range(2):
        asked.append(GAME.rules.turn(s))
        play(s, "yes")
    assert asked == [2, 3]
    assert (hand(s, 1), hand(s, 2), hand(s, 3)) == ("", "1", "1")


def test_q_mov_5_who_wins_a_two_with_caesar_may_move_him() -> None:
    s = ready(3)
    put(s, I="01")
    lay(s, "I>M", "2c")
    play(s, "I>M(1); ask; yes; =3")
    assert GAME.rules.turn(s) == 0  # in the same turn, after the refill
    assert legal(s) == {"-", "deal", "hear"} | {"@" + place for place in PLACES if place != "J>S"}  # Q-NEG-6
    refuse(s, "@J>S", "+A")
    assert hand(s, 0) == "2"
    play(s, "@I>M")
    assert (caesar_at(s), GAME.rules.turn(s), laurel(s, "I>M")) == ("I>M", 1, "3")


def test_q_mov_5_he_may_leave_him_and_a_plain_two_does_nothing() -> None:
    s = ready(3)
    refuse(s, "-")
    put(s, I="00")
    lay(s, "I>M", "2c")
    play(s, "I>M(0); =2c; -")
    assert (caesar_at(s), GAME.rules.turn(s), laurel(s, "I>M")) == ("J>S", 1, "2c")
    put(s, I="1")
    exhaust_stack(s, 2)
    act_now(s, 0)
    play(s, "I>M(1); ask; yes; @N>S")  # without a refill too
    assert (caesar_at(s), GAME.rules.turn(s), laurel(s, "I>M")) == ("N>S", 1, None)
    s = ready(3)
    put(s, I="00")
    lay(s, "I>M", "2")
    play(s, "I>M(0); =2c")  # nor does one that was just turned up
    assert (hand(s, 0), GAME.rules.turn(s)) == ("2", 1)
    refuse(s, "-")


@pytest.mark.parametrize("path", PLACES)
def test_q_cae_1_caesars_path_needs_no_consent(path: str) -> None:
    s = ready(3)
    put(s, **{path[0]: "0"})
    caesar(s, path)
    assert legal(s, path) == {path}
    put(s, **{path[0]: "12"})
    assert legal(s, path) == {path}  # only the bare form, never with consents
    others = legal(s, path[0] + ">") - {path}
    assert all("(" in text for text in others)
    play(s, path)
    assert (inside(s, path[0]), inside(s, path[2])) == ("12", "0")


def test_q_cae_1_he_helps_everybody_but_on_his_path_only() -> None:
    s = ready(3)
    put(s, D="0", B="1")
    play(s, "@D>H; @B>F")
    refuse(s, "D>H")
    act_now(s, 1)
    assert legal(s, "B>") == {"B>F"}
    act_now(s, 0)
    caesar(s, "D>G")
    put(s, D="1")
    assert legal(s, "D>") == {"D>G", "D>H(1)"}
    refuse(s, "D>G(1)", "D>H")


def test_q_cae_2_nothing_is_won_under_him_not_even_his_picture() -> None:
    s = ready(3)
    put(s, J="00112")
    play(s, "J>S")
    assert (hand(s, 0), hand(s, 1), hand(s, 2), s.ones) == ("", "", "", 18)
    assert (laurel(s, "J>S"), GAME.screen.view(s, 0)["stack"], GAME.rules.turn(s)) == ("5", 34, 1)
    play(s, "@B>I")
    play(s, "@B>F; J>S(1,2); ask; yes; yes; =3")  # he is gone: the laurel can be won again
    assert (hand(s, 0), hand(s, 1), hand(s, 2), laurel(s, "J>S")) == ("5", "1", "1", "3")
    s = ready(3)
    put(s, M="0")
    lay(s, "M>S", "2c")
    caesar(s, "M>S")
    play(s, "M>S")
    assert (hand(s, 0), GAME.rules.turn(s), laurel(s, "M>S"), inside(s, "S")) == ("", 1, "2c", "0")


def test_q_hid_1_others_show_only_the_number_of_tiles() -> None:
    s = ready(3)
    hold_all(s, "0:135 1:44")
    mine, theirs, _ = GAME.screen.view(s, 0)["players"]
    assert (mine["tiles"], mine["hand"], mine["points"]) == (3, [1, 0, 1, 0, 1], 9)
    assert (theirs["tiles"], theirs["hand"], theirs["points"]) == (2, None, None)
    assert all(player["hand"] is None and player["points"] is None for player in GAME.screen.view(s, None)["players"])
    assert "9 points" in GAME.screen.diagram(s, 0)
    assert "8 points" not in GAME.screen.diagram(s, 0)
    assert "points" not in GAME.screen.diagram(s, None)
    shown = ready(3, show_hands="on")
    hold(shown, 1, "44")
    assert GAME.screen.view(shown, 0)["players"][1]["hand"] == [0, 0, 0, 2, 0]
    assert GAME.screen.view(shown, None)["players"][1]["points"] == 8
    s = ready(3)
    hold(s, 1, "4")
    play(s, "deal; +A")
    assert legal(s, "give 1") == {"give 1 0 4", "give 1 2 4"}
    assert not legal(s, "give 0") | legal(s, "give 2")


def test_q_end_1_the_fifth_senator_ends_it_at_once() -> None:
    s = ready(3)
    arrive(s, "210")
    put(s, J="0012")
    lay(s, "J>S", "2c")
    caesar(s, "B>I")
    play(s, "J>S(0,2); ask; yes; =2c; -")  # the fourth does not end it
    act_now(s, 1)
    put(s, J="0")
    play(s, "J>S(0,2); ask; yes; yes")
    assert (GAME.rules.turn(s), GAME.notation.end(s), inside(s, "S")) == (OVER, "senate-full", "21001")
    assert (hand(s, 0), hand(s, 1), hand(s, 2)) == ("12", "2", "11")  # laurel and consents are still won
    assert (laurel(s, "J>S"), caesar_at(s), GAME.screen.view(s, 0)["stack"]) == (None, "B>I", 33)  # and nothing follows
    assert legal(s) == set()
    with pytest.raises(MatchOver):
        GAME.notation.parse(s, "+A")
    s = ready(3)
    arrive(s, "1111")
    put(s, J="0")
    play(s, "J>S")
    assert (GAME.rules.turn(s), hand(s, 0), laurel(s, "J>S"), inside(s, "S")) == (OVER, "", "5", "11110")


def test_q_end_2_only_who_sits_in_the_senate_counts() -> None:
    s = ready(4)
    arrive(s, "1122")
    put(s, J="2")
    hold_all(s, "0:5554 1:33 2:5")
    act_now(s, 2)
    play(s, "J>S")
    assert result(s) == ([19, 6, 5, 0], [0, 1, 2, 0], [1])


def test_q_end_3_a_tie_goes_to_the_earlier_first_senator() -> None:
    s = ready(4)
    arrive(s, "3202")
    put(s, J="0")
    hold_all(s, "0:33 2:24 1:5 3:4")
    play(s, "J>S")
    assert result(s) == ([6, 5, 6, 4], [3, 0, 2, 1], [2])


@pytest.mark.parametrize("n_seats", [3, 5])
def test_q_end_4_ten_rounds_without_progress(n_seats: int) -> None:
    s = ready(n_seats)
    idle(s, 10 * n_seats - 1)
    assert (GAME.rules.turn(s), GAME.screen.view(s, 0)["quiet"]) == (n_seats - 1, 10 * n_seats - 1)
    idle(s, 1)
    assert (GAME.rules.turn(s), GAME.notation.end(s)) == (OVER, "stalled")
    assert result(s) == ([0] * n_seats, [0] * n_seats, [])  # nobody wins


def test_q_end_4_it_is_scored_in_the_same_way() -> None:
    s = ready(3, stall_rounds="1")
    arrive(s, "20")
    hold_all(s, "1:5 0:4 2:22")
    idle(s, 3)
    assert (GAME.notation.end(s), result(s)) == ("stalled", ([4, 5, 4], [2, 0, 1], [2]))


def test_q_end_4_progress_starts_the_count_anew_and_zero_switches_it_off() -> None:
    s = ready(3, stall_rounds="2")
    put(s, I="012")
    idle(s, 5)
    play(s, "+A")
    idle(s, 5)
    play(s, "I>M(0); ask; no; I>M(1); ask; yes; =3")
    idle(s, 5)
    assert GAME.rules.turn(s) == 2
    play(s, "hear; pass; pass; deal; drop")  # talk is no progress
    idle(s, 1)
    assert GAME.rules.turn(s) == OVER
    s = ready(3, stall_rounds="0")
    idle(s, 100)
    assert (GAME.rules.turn(s), GAME.screen.view(s, 0)["stalls_at"]) == (1, None)
