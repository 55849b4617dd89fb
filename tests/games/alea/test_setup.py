"""Material, set-up and turns of Alea Iacta Est, a test for each rule."""

import numpy as np
import pytest

from alea_positions import (
    BORDERS,
    ROMAN,
    forum,
    lay_out,
    legal,
    odds,
    play,
    put,
    random_play,
    ready,
    refuse,
    rolled,
    settle,
    to_scoring,
)
from rostra.engine.game import CHANCE, BadNotation, BadOption, MatchOver
from rostra.games.alea import ALEA
from rostra.games.alea.tables import LAY_PROVINCES, ROLL


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_a_set_1_two_to_five_players_with_eight_dice_each(n_seats: int) -> None:
    s = ready(n_seats)
    for _ in range(n_seats):
        for wrong in ("=1111111", "=111111111"):
            with pytest.raises(BadNotation):
                ALEA.notation.parse(s, wrong)
        play(s, "=23456666")
        play(s, min(legal(s, "C")))


@pytest.mark.parametrize("n_seats", [0, 1, 6])
def test_a_set_1_no_other_number_of_players(n_seats: int) -> None:
    with pytest.raises(BadOption):
        ALEA.new(n_seats)


def test_a_set_2_twenty_five_provinces() -> None:
    s = ALEA.new(5, {"start_seat": "0"})
    play(s, "=s0")
    tiles = {f"={colour}{value}" for colour in "ROYGBV" for value in "1234"} | {"=J0"}
    assert odds(s) == dict.fromkeys(tiles, 1 / 25)
    for wrong in ("=R5", "=R0", "=J1", "=W1", "=Rw1"):
        with pytest.raises(BadNotation):
            ALEA.notation.parse(s, wrong)
    play(s, "=J0 =V4")
    assert odds(s) == dict.fromkeys(tiles - {"=J0", "=V4"}, 1 / 23)
    refuse(s, "=J0", "=V4")


def test_a_set_3_thirty_six_patricians() -> None:
    s = ALEA.new(2, {"start_seat": "0"})
    play(s, "=s0 =R1 =R2")
    tiles = {f"={colour}{sex}{value}" for colour in "ROYGBV" for sex in "wm" for value in "123"}
    assert odds(s) == dict.fromkeys(tiles, 1 / 36)
    for wrong in ("=Rw4", "=Jw1", "=R3"):
        with pytest.raises(BadNotation):
            ALEA.notation.parse(s, wrong)
    play(s, "=Bm3")
    assert odds(s) == dict.fromkeys(tiles - {"=Bm3"}, 1 / 35)
    refuse(s, "=Bm3")


def test_a_set_4_thirty_fortuna_tokens() -> None:
    s = ready(4)
    play(s, "=66666666 T6")
    assert odds(s) == {"=1": 8 / 30, "=2": 14 / 30, "=3": 8 / 30}
    play(s, "=3 =66666666 T66 =3 =3 =66666666 T666 =3 =3 =3 =66666666 T6666")
    assert odds(s) == {"=1": 8 / 24, "=2": 14 / 24, "=3": 2 / 24}
    play(s, "=3 =3")
    refuse(s, "=3")
    assert odds(s) == {"=1": 8 / 22, "=2": 14 / 22}


def test_a_set_5_nineteen_senate_cards() -> None:
    s = ready(4)
    put(s, 0, senatus="1")
    to_scoring(s)
    once = dict.fromkeys([f"={card}" for card in ROMAN + BORDERS], 1 / 19)
    assert odds(s) == {**once, "=XIII": 2 / 19}
    for wrong in ("=XII", "=XIV", "=XII:RB", "=XII:GR", "=R1"):
        with pytest.raises(BadNotation):
            ALEA.notation.parse(s, wrong)
    play(s, "=XIII")
    assert odds(s)["=XIII"] == 1 / 18
    play(s, "=XIII")
    refuse(s, "=XIII")
    assert odds(s) == pytest.approx(dict.fromkeys(once, 1 / 17))


@pytest.mark.parametrize("n_seats", [2, 3])
def test_a_set_6_no_templum_for_two_or_three(n_seats: int) -> None:
    s = ready(n_seats)
    play(s, "=12345666")
    assert legal(s, "T") == set()
    refuse(s, "T6", "T5")
    assert ALEA.screen.view(s, 0)["templum"] is None
    assert ALEA.screen.view(s, 0)["stacks"]["fortuna"] == 0


@pytest.mark.parametrize("n_seats", [2, 3])
def test_a_set_6_no_card_iv_for_two_or_three(n_seats: int) -> None:
    s = ready(n_seats)
    put(s, 0, senatus="1")
    to_scoring(s)
    refuse(s, "=IV")
    assert odds(s) == {**{f"={card}": 1 / 18 for card in ROMAN + BORDERS if card != "IV"}, "=XIII": 2 / 18}


@pytest.mark.parametrize("n_seats", [4, 5])
def test_a_set_6_the_templum_is_there_for_four_or_five(n_seats: int) -> None:
    s = ready(n_seats)
    play(s, "=12345666")
    assert legal(s, "T") == {"T1", "T2", "T3", "T4", "T5", "T6"}
    assert ALEA.screen.view(s, 0)["templum"] == []
    assert ALEA.screen.view(s, 0)["stacks"]["fortuna"] == 30


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_a_set_7_the_forum_has_players_plus_two_columns(n_seats: int) -> None:
    s = ready(n_seats)
    put(s, 1, forum="1" * (n_seats + 1))
    rolled(s, 0, "66")
    assert ALEA.screen.view(s, 0)["columns"] == n_seats + 2
    assert "F6" in legal(s)
    play(s, "F6")
    assert len(forum(s)) == n_seats + 2
    full = ready(n_seats)
    put(full, 1, forum="1" * (n_seats + 2))
    rolled(full, 0, "66")
    refuse(full, "F6")


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_a_set_8_each_set_lays_out_new_tiles(n_seats: int) -> None:
    s = ALEA.new(n_seats)
    play(s, "=s0")
    seen: set[str] = set()
    for _ in range(2):
        revealed = []
        while s.phase != ROLL:
            text = ALEA.notation.text(s, ALEA.legal_moves(s)[-1])
            revealed.append(text[1:])
            play(s, text)
        assert [len(code) for code in revealed] == [2] * n_seats + [3] * (n_seats + 2)
        offered = ALEA.screen.view(s, None)["offered"]
        assert sorted(offered["provinces"] + offered["patricians"]) == sorted(revealed)
        assert seen.isdisjoint(revealed)
        seen.update(revealed)
        to_scoring(s)
        settle(s)
        assert ALEA.screen.view(s, None)["offered"] == {"provinces": [], "patricians": []}


@pytest.mark.parametrize(("n_seats", "sets"), [(2, 6), (3, 6), (4, 5), (5, 5)])
def test_a_set_9_number_of_sets(n_seats: int, sets: int) -> None:
    s = ALEA.new(n_seats)
    played = sum(s.phase == LAY_PROVINCES and s.pending == n_seats for _ in random_play(s, n_seats))
    assert played == sets == ALEA.screen.view(s, None)["sets"]
    assert ALEA.legal_moves(s) == []
    with pytest.raises(MatchOver):
        ALEA.notation.parse(s, "=R1")


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_a_set_10_the_first_start_player_is_drawn(n_seats: int) -> None:
    s = ALEA.new(n_seats)
    assert ALEA.rules.turn(s) == CHANCE
    assert odds(s) == {f"=s{seat}": 1 / n_seats for seat in range(n_seats)}
    with pytest.raises(BadNotation):
        ALEA.notation.parse(s, f"=s{n_seats}")
    play(s, f"=s{n_seats - 1}")
    lay_out(s)
    play(s, "=11111111")
    assert ALEA.rules.turn(s) == n_seats - 1


def test_a_set_10_an_option_names_the_start_player() -> None:
    s = ALEA.new(3, {"start_seat": "2"})
    assert odds(s) == {"=s2": 1.0}
    refuse(s, "=s0", "=s1")
    with pytest.raises(BadOption):
        ALEA.new(3, {"start_seat": "3"})


def test_a_set_10_the_start_marker_goes_to_the_left() -> None:
    s = ready(3, start=1)
    starts = []
    for _ in range(4):
        lay_out(s)
        play(s, "=11111111")
        starts.append(ALEA.rules.turn(s))
        s.phase, s.roll[:] = ROLL, 0
        to_scoring(s)
        settle(s)
    assert starts == [1, 2, 0, 1]


def test_a_set_11_chips_are_unlimited() -> None:
    s = ready(2)
    s.chips[:2] = 30
    put(s, 0, latrina=5)
    to_scoring(s)
    settle(s)
    assert s.chips[:2].tolist() == [38, 38]
    lay_out(s)
    play(s, "=11111111 R1")
    assert s.chips[:2].tolist() == [38, 37]


def test_a_turn_1_clockwise_from_the_start_player() -> None:
    s = ready(4, start=2)
    seats = []
    for _ in range(4):
        play(s, "=12345666")
        seats.append(ALEA.rules.turn(s))
        play(s, min(legal(s, "S")))
    assert seats == [2, 3, 0, 1]
    play(s, "=1111111")
    assert ALEA.rules.turn(s) == 2


def test_a_turn_1_all_dice_left_are_rolled() -> None:
    s = ready(2)
    play(s, "=11223456 C11 =11223456 S123456")
    for wrong in ("=11111111", "=11111", "=5"):
        with pytest.raises(BadNotation):
            ALEA.notation.parse(s, wrong)
    play(s, "=112233 F1")
    with pytest.raises(BadNotation):
        ALEA.notation.parse(s, "=123")
    assert odds(s)["=12"] == 2 / 36
    assert odds(s)["=11"] == 1 / 36
    play(s, "=12")


def test_a_turn_2_rerolls_need_a_chip() -> None:
    s = ready(2)
    s.chips[1] = 3
    rolled(s, 0, "112")
    assert legal(s, "R") == set()
    refuse(s, "R1")
    s.chips[0] = 1
    assert legal(s, "R") == {"R1", "R2", "R11", "R12", "R112"}
    refuse(s, "R22", "R3", "R1112")
    with pytest.raises(BadNotation):
        ALEA.notation.parse(s, "R")


def test_a_turn_2_any_dice_of_the_turn_as_often_as_chips() -> None:
    s = ready(2)
    s.chips[0] = 2
    rolled(s, 0, "11256")
    play(s, "R15")
    assert ALEA.rules.turn(s) == CHANCE
    assert s.chips[0] == 1
    assert odds(s)["=34"] == 2 / 36
    for wrong in ("=3", "=345"):
        with pytest.raises(BadNotation):
            ALEA.notation.parse(s, wrong)
    play(s, "=34")
    assert ALEA.rules.turn(s) == 0
    assert ALEA.screen.view(s, 0)["roll"] == "12346"
    play(s, "R123 =666")  # a die rolled again before and dice kept before
    assert ALEA.screen.view(s, 0)["roll"] == "46666"
    assert s.chips[0] == 0
    assert legal(s, "R") == set()
    play(s, "C6666")
    assert s.castrum[0, 5] == 4


def test_a_turn_3_one_building_and_one_manner() -> None:
    s = ready(4)
    play(s, "=44456666")
    assert {text[0] for text in legal(s)} == {"T", "S", "C", "F"}
    assert all(len(text) > 1 for text in legal(s))
    assert {"C4", "C44", "C444"} <= legal(s)  # not all that would fit
    refuse(s, "C45", "C4446", "S446", "F45", "T44")
    for nothing in ("", "-", "C", "T", "pass"):
        with pytest.raises(BadNotation):
            ALEA.notation.parse(s, nothing)
    play(s, "C44")
    assert (ALEA.rules.turn(s), s.seat, s.dice[0]) == (CHANCE, 1, 6)


def test_a_turn_4_placed_dice_stay() -> None:
    s = ready(4)
    play(s, "=11111116 T6 =1 =11111345 S345 =11111144 C44 =11111111 F1")
    before = ALEA.screen.view(s, None)
    play(s, "=5555555 C5 =66666 C66 =666666 C666 =6666666 C6666")
    after = ALEA.screen.view(s, None)
    for building in ("templum", "senatus", "forum"):
        assert after[building] == before[building] != []
    assert {"seat": 2, "dice": "44"} in after["castrum"]
    assert [player["dice"] for player in after["players"]] == [6, 3, 3, 3]


@pytest.mark.parametrize("n_seats", [2, 4, 5])
def test_a_turn_4_nothing_shrinks_before_the_set_ends(n_seats: int) -> None:
    s = ALEA.new(n_seats)
    before, number = None, -1
    for _ in random_play(s, 40 + n_seats):
        placing = ROLL <= s.phase < ROLL + 4
        owned = [int((s.forum_seat[: s.forum_size] == seat).sum()) for seat in range(n_seats)]
        lying = [s.templum_dice[:n_seats], s.latrina[:n_seats], s.high[:n_seats], -s.low[:n_seats] % 7]
        now = np.concatenate([*lying, s.castrum[:n_seats].ravel(), s.latrina[:n_seats] + owned])
        if before is not None and placing and number == s.set:
            assert (now >= before).all()
        before, number = (now, int(s.set)) if placing else (None, -1)


def test_a_turn_5_the_rest_of_the_round_is_played() -> None:
    s = ready(4)
    play(s, "=11111111 C1 =66666666 C66666666")
    assert s.phase == ROLL
    play(s, "=22222222")
    assert ALEA.rules.turn(s) == 2
    play(s, "C2 =22222222")
    assert ALEA.rules.turn(s) == 3
    play(s, "C22")
    assert ALEA.rules.turn(s) == 1  # no second turn of seat 0: the best group takes a province
    refuse(s, "C2")
    play(s, "+R1")


def test_a_turn_5_the_last_of_the_round_ends_it_at_once() -> None:
    s = ready(3)
    play(s, "=11111111 C1 =11111111 C11 =66666666 C66666666")
    assert legal(s) == {"+R1", "+R2", "+R3"}
    assert ALEA.rules.turn(s) == 2


def test_a_turn_5_another_round_while_all_have_dice() -> None:
    s = ready(3)
    play(s, "=11111111 C1111111 =11111111 C11 =66666666 C6666666")
    assert s.phase == ROLL
    play(s, "=1 C1 =111111 C1 =6")
    assert ALEA.rules.turn(s) == 2
    assert s.dice[0] == 0


def test_a_turn_6_unplaced_dice_go_to_the_latrina() -> None:
    s = ready(2)
    play(s, "=11111111 C111 =66666666 C66666666")
    assert ALEA.screen.view(s, None)["latrina"] == [5, 0]
    settle(s)
    assert s.chips[:2].tolist() == [5, 0]
    assert s.dice[:2].tolist() == [8, 8]
