"""Alea Iacta Est rule by rule: every test is named by the id of the rule that it pins.

Positions are built by hand: dice are put into buildings, somebody "has rolled" this or that, and the texts of the
formats page do the rest. Seat 0 has the start marker of the first set unless a test says otherwise.
"""

import random
from typing import Any

import numpy as np
import pytest

from rostra.game import CHANCE, OVER, BadNotation, BadOption, IllegalMove, MatchOver, copy
from rostra.games.alea import ALEA
from rostra.games.alea.notation import digits
from rostra.games.alea.state import senate_cards
from rostra.games.alea.tables import LAY_PROVINCES, PLACE, ROLL
from rostra.games.alea.view import card_codes
from rostra.rng import generator

ALL_TOKENS = np.array([8, 14, 8], np.int8)
ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI"]
BORDERS = ["XII:RG", "XII:OG", "XII:OB", "XII:YB", "XII:YV", "XII:RV"]


# Helpers.


def play(s: Any, texts: str) -> None:
    """Play the texts one after the other, chance and decisions alike."""
    for text in texts.split():
        ALEA.apply(s, ALEA.parse(s, text))
        ALEA.check(s)


def legal(s: Any, building: str = "") -> set[str]:
    """The texts of the legal moves or outcomes that begin with this letter."""
    return {text for move in ALEA.legal_moves(s) if (text := ALEA.text(s, move)).startswith(building)}


def odds(s: Any) -> dict[str, float]:
    return {ALEA.text(s, move): ALEA.odds(s, move) for move in ALEA.legal_moves(s)}


def refuse(s: Any, *texts: str) -> None:
    """These are well written, but not legal now."""
    for text in texts:
        assert text not in legal(s)
        with pytest.raises(IllegalMove):
            ALEA.parse(s, text)


def lay_out(s: Any) -> None:
    """Turn up the first tiles of each stack, until the first roll of the set."""
    while s.phase != ROLL:
        assert ALEA.turn(s) == CHANCE
        ALEA.apply(s, ALEA.legal_moves(s)[0])


def ready(n_seats: int, start: int = 0, **options: str) -> Any:
    """A game before its first roll; R1 R2 ... and Rw1 Rw2 ... lie face up."""
    s = ALEA.new(n_seats, {"start_seat": str(start), **options})
    lay_out(s)
    ALEA.check(s)
    return s


def put(
    s: Any, seat: int, *, templum: str = "", senatus: str = "", castrum: str = "", forum: str = "", latrina: int = 0
) -> None:
    """Put dice of a seat into buildings, as if placed earlier; tokens are not drawn. Groups are parted by spaces."""
    faces = [int(die) for die in templum]
    s.templum_dice[seat] += len(faces)
    s.templum_sum[seat] += sum(faces)
    if senatus:
        s.low[seat], s.high[seat] = int(senatus[0]), int(senatus[-1])
    for group in castrum.split():
        s.castrum[seat, int(group[0]) - 1] = len(group)
    for die in forum:
        s.forum_face[s.forum_size] = int(die)
        s.forum_seat[s.forum_size] = seat
        s.forum_size += 1
    s.latrina[seat] += latrina
    s.dice[seat] -= len(templum + senatus + castrum.replace(" ", "") + forum) + latrina
    ALEA.check(s)


def rolled(s: Any, seat: int, dice: str) -> None:
    """This seat has rolled these dice and decides; dice that it has no more are in the Latrina."""
    put(s, seat, latrina=int(s.dice[seat]) - len(dice))
    s.seat = seat
    s.phase = PLACE
    s.roll[:] = [dice.count(str(face)) for face in range(1, 7)]
    ALEA.check(s)


def to_scoring(s: Any) -> None:
    """The last player of the round puts his last die into the Latrina, and so ends the set."""
    rolled(s, (s.start + s.n - 1) % s.n, "1")
    s.voluntary_latrina = 1
    play(s, "L1")
    s.voluntary_latrina = 0


def settle(s: Any) -> list[str]:
    """Play on, always the first legal move, to the next set or the end; the decisions as `seat text`."""
    made = []
    while s.phase != LAY_PROVINCES and (seat := ALEA.turn(s)) != OVER:
        text = ALEA.text(s, ALEA.legal_moves(s)[0])
        if seat != CHANCE:
            made.append(f"{seat} {text}")
        play(s, text)
    return made


def deciders(s: Any, letter: str) -> list[int]:
    """Who decides by such moves in the rest of the scoring, in order."""
    return [int(made[0]) for made in settle(s) if made[2:].startswith(letter)]


def set_tokens(s: Any, supply: str, discards: str = "", holder: int = -1) -> None:
    """These tokens are face down, those discarded, the rest is kept by the holder (the last seat)."""
    s.token_supply[:] = [supply.count(value) for value in "123"]
    s.token_discards[:] = [discards.count(value) for value in "123"]
    s.kept[:] = 0
    holder = holder % s.n
    s.kept[holder] = ALL_TOKENS - s.token_supply - s.token_discards - (s.drawn + s.drawn_before).sum(axis=0)
    ALEA.check(s)


def give_drawn(s: Any, seat: int, tokens: str) -> None:
    """This seat drew these tokens in this set."""
    for value in tokens:
        s.token_supply[int(value) - 1] -= 1
        s.drawn[seat, int(value) - 1] += 1
    ALEA.check(s)


def forum(s: Any) -> list[tuple[int, int]]:
    """Value and owner of the Forum dice from the left."""
    return [(die["die"], die["seat"]) for die in ALEA.view(s, None)["forum"]]


def random_play(s: Any, seed: int) -> Any:
    """Play to the end at random, rerolling little; yields the text of each ply before it is played."""
    chooser = random.Random(seed)
    dice = generator(seed)
    while (turn := ALEA.turn(s)) != OVER:
        if turn == CHANCE:
            move = ALEA.draw(s, dice)
        else:
            moves = ALEA.legal_moves(s)
            places = [move for move in moves if ALEA.text(s, move)[0] != "R"]
            move = chooser.choice(moves if chooser.random() < 0.1 else places)
        yield ALEA.text(s, move)
        ALEA.apply(s, move)


# Material and set-up.


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_a_set_1_two_to_five_players_with_eight_dice_each(n_seats: int) -> None:
    s = ready(n_seats)
    for _ in range(n_seats):
        for wrong in ("=1111111", "=111111111"):
            with pytest.raises(BadNotation):
                ALEA.parse(s, wrong)
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
            ALEA.parse(s, wrong)
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
            ALEA.parse(s, wrong)
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
            ALEA.parse(s, wrong)
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
    assert ALEA.view(s, 0)["templum"] is None
    assert ALEA.view(s, 0)["stacks"]["fortuna"] == 0


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
    assert ALEA.view(s, 0)["templum"] == []
    assert ALEA.view(s, 0)["stacks"]["fortuna"] == 30


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_a_set_7_the_forum_has_players_plus_two_columns(n_seats: int) -> None:
    s = ready(n_seats)
    put(s, 1, forum="1" * (n_seats + 1))
    rolled(s, 0, "66")
    assert ALEA.view(s, 0)["columns"] == n_seats + 2
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
            text = ALEA.text(s, ALEA.legal_moves(s)[-1])
            revealed.append(text[1:])
            play(s, text)
        assert [len(code) for code in revealed] == [2] * n_seats + [3] * (n_seats + 2)
        offered = ALEA.view(s, None)["offered"]
        assert sorted(offered["provinces"] + offered["patricians"]) == sorted(revealed)
        assert seen.isdisjoint(revealed)
        seen.update(revealed)
        to_scoring(s)
        settle(s)
        assert ALEA.view(s, None)["offered"] == {"provinces": [], "patricians": []}


@pytest.mark.parametrize(("n_seats", "sets"), [(2, 6), (3, 6), (4, 5), (5, 5)])
def test_a_set_9_number_of_sets(n_seats: int, sets: int) -> None:
    s = ALEA.new(n_seats)
    played = sum(s.phase == LAY_PROVINCES and s.pending == n_seats for _ in random_play(s, n_seats))
    assert played == sets == ALEA.view(s, None)["sets"]
    assert ALEA.legal_moves(s) == []
    with pytest.raises(MatchOver):
        ALEA.parse(s, "=R1")


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_a_set_10_the_first_start_player_is_drawn(n_seats: int) -> None:
    s = ALEA.new(n_seats)
    assert ALEA.turn(s) == CHANCE
    assert odds(s) == {f"=s{seat}": 1 / n_seats for seat in range(n_seats)}
    with pytest.raises(BadNotation):
        ALEA.parse(s, f"=s{n_seats}")
    play(s, f"=s{n_seats - 1}")
    lay_out(s)
    play(s, "=11111111")
    assert ALEA.turn(s) == n_seats - 1


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
        starts.append(ALEA.turn(s))
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


# A turn.


def test_a_turn_1_clockwise_from_the_start_player() -> None:
    s = ready(4, start=2)
    seats = []
    for _ in range(4):
        play(s, "=12345666")
        seats.append(ALEA.turn(s))
        play(s, min(legal(s, "S")))
    assert seats == [2, 3, 0, 1]
    play(s, "=1111111")
    assert ALEA.turn(s) == 2


def test_a_turn_1_all_dice_left_are_rolled() -> None:
    s = ready(2)
    play(s, "=11223456 C11 =11223456 S123456")
    for wrong in ("=11111111", "=11111", "=5"):
        with pytest.raises(BadNotation):
            ALEA.parse(s, wrong)
    play(s, "=112233 F1")
    with pytest.raises(BadNotation):
        ALEA.parse(s, "=123")
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
        ALEA.parse(s, "R")


def test_a_turn_2_any_dice_of_the_turn_as_often_as_chips() -> None:
    s = ready(2)
    s.chips[0] = 2
    rolled(s, 0, "11256")
    play(s, "R15")
    assert ALEA.turn(s) == CHANCE
    assert s.chips[0] == 1
    assert odds(s)["=34"] == 2 / 36
    for wrong in ("=3", "=345"):
        with pytest.raises(BadNotation):
            ALEA.parse(s, wrong)
    play(s, "=34")
    assert ALEA.turn(s) == 0
    assert ALEA.view(s, 0)["roll"] == "12346"
    play(s, "R123 =666")  # a die rolled again before and dice kept before
    assert ALEA.view(s, 0)["roll"] == "46666"
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
            ALEA.parse(s, nothing)
    play(s, "C44")
    assert (ALEA.turn(s), s.seat, s.dice[0]) == (CHANCE, 1, 6)


def test_a_turn_4_placed_dice_stay() -> None:
    s = ready(4)
    play(s, "=11111116 T6 =1 =11111345 S345 =11111144 C44 =11111111 F1")
    before = ALEA.view(s, None)
    play(s, "=5555555 C5 =66666 C66 =666666 C666 =6666666 C6666")
    after = ALEA.view(s, None)
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
    assert ALEA.turn(s) == 2
    play(s, "C2 =22222222")
    assert ALEA.turn(s) == 3
    play(s, "C22")
    assert ALEA.turn(s) == 1  # no second turn of seat 0: the best group takes a province
    refuse(s, "C2")
    play(s, "+R1")


def test_a_turn_5_the_last_of_the_round_ends_it_at_once() -> None:
    s = ready(3)
    play(s, "=11111111 C1 =11111111 C11 =66666666 C66666666")
    assert legal(s) == {"+R1", "+R2", "+R3"}
    assert ALEA.turn(s) == 2


def test_a_turn_5_another_round_while_all_have_dice() -> None:
    s = ready(3)
    play(s, "=11111111 C1111111 =11111111 C11 =66666666 C6666666")
    assert s.phase == ROLL
    play(s, "=1 C1 =111111 C1 =6")
    assert ALEA.turn(s) == 2
    assert s.dice[0] == 0


def test_a_turn_6_unplaced_dice_go_to_the_latrina() -> None:
    s = ready(2)
    play(s, "=11111111 C111 =66666666 C66666666")
    assert ALEA.view(s, None)["latrina"] == [5, 0]
    settle(s)
    assert s.chips[:2].tolist() == [5, 0]
    assert s.dice[:2].tolist() == [8, 8]


# Templum.


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
    assert ALEA.parse(s, "T234") == ALEA.parse(s, "T144")


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
        assert ALEA.turn(s) == CHANCE
        assert legal(s) == {"=1", "=2", "=3"}
        play(s, token)
    assert s.phase == ROLL  # two dice, two tokens, although three lie there
    assert ALEA.view(s, 0)["own"]["drawn"] == "23"
    assert [player["drawn"] for player in ALEA.view(s, 1)["players"]] == [2, 0, 0, 0]
    assert ALEA.view(s, 1)["own"]["drawn"] == ""


def test_a_tem_5_no_reshuffle_before_a_token_must_be_drawn() -> None:
    s = ready(4)
    set_tokens(s, "2", "33")
    rolled(s, 0, "6")
    play(s, "T6 =2")
    assert ALEA.view(s, None)["stacks"]["fortuna"] == 0
    assert ALEA.view(s, None)["discards"] == "33"
    rolled(s, 1, "661")
    assert ALEA.view(s, None)["discards"] == "33"  # not when the supply is empty, but when one must be drawn
    play(s, "T66")
    assert ALEA.view(s, None)["discards"] == ""
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
    assert ALEA.view(s, None)["discards"] == "113"
    play(s, "=2")
    assert odds(s) == {"=1": 2 / 3, "=3": 1 / 3}
    play(s, "=3")
    assert ALEA.view(s, 0)["own"]["drawn"] == "23"
    assert ALEA.view(s, None)["stacks"]["fortuna"] == 2
    assert ALEA.view(s, None)["discards"] == ""


def test_a_tem_5_fewer_draws_when_both_are_empty() -> None:
    s = ready(4)
    set_tokens(s, "1", "3")
    put(s, 1, templum="11")
    rolled(s, 0, "6666")
    play(s, "T666 =1 =3")
    assert (s.phase, s.seat) == (ROLL, 1)
    assert ALEA.view(s, 0)["own"]["drawn"] == "13"
    rolled(s, 2, "66666")
    play(s, "T6666")  # may be placed all the same
    assert (s.phase, s.seat) == (ROLL, 3)
    assert ALEA.view(s, 2)["own"]["drawn"] == ""


# Senatus.


def test_a_sen_1_distinct_consecutive_values() -> None:
    s = ready(2)
    play(s, "=11233566")
    assert legal(s, "S") == {"S1", "S12", "S123", "S2", "S23", "S3", "S5", "S56", "S6"}
    refuse(s, "S11", "S13", "S35", "S1235", "S1123", "S4")
    six = ready(2)
    play(six, "=11234566")
    refuse(six, "S1123456")
    play(six, "S123456")
    assert ALEA.view(six, None)["senatus"] == [{"seat": 0, "dice": "123456"}]


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
    assert ALEA.view(s, None)["senatus"] == [{"seat": 0, "dice": "2345"}]
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


# Castrum.


def test_a_cas_1_any_number_of_one_value() -> None:
    s = ready(2)
    play(s, "=22244566")
    assert legal(s, "C") == {"C2", "C22", "C222", "C4", "C44", "C5", "C6", "C66"}
    refuse(s, "C24", "C2222", "C1")
    play(s, "C22 =11111111 C1")
    rolled(s, 0, "223")
    assert legal(s, "C") == {"C2", "C22", "C3"}  # an addition or a new group
    play(s, "C22")
    assert ALEA.view(s, None)["castrum"] == [{"seat": 0, "dice": "2222"}, {"seat": 1, "dice": "1"}]


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


# Forum.


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
    assert ALEA.view(s, None)["latrina"] == [0, 0, 1]
    play(s, "=11111 F1")
    assert forum(s) == [(1, 1), (1, 0), (2, 1), (3, 1), (4, 1)]
    assert ALEA.view(s, None)["latrina"] == [0, 0, 2]
    play(s, "=111222 F1")
    assert forum(s) == [(1, 2), (1, 1), (1, 0), (2, 1), (3, 1)]
    assert ALEA.view(s, None)["latrina"] == [0, 1, 2]


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


# Latrina.


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
    assert ALEA.parse(s, "L6") == ALEA.parse(s, "L5")
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
        ALEA.check(s)
        assert len(legal(s)) > 0
        assert legal(s, building[0].upper()) != set()
        refuse(s, "L5", "L6")
    s = cornered(4)
    s.templum_dice[2], s.templum_sum[2] = 1, 6
    s.dice[2] += 1
    ALEA.check(s)
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


# Scoring a set.


def test_a_sco_1_the_leader_keeps_two_others_one() -> None:
    s = ready(5, start=1)
    for seat, dice, tokens in ((2, "1", "1"), (4, "11", "113"), (3, "111", "12"), (1, "1111", "12333")):
        put(s, seat, templum=dice)
        give_drawn(s, seat, tokens)
    to_scoring(s)
    assert ALEA.turn(s) == 1
    assert legal(s) == {"K12", "K13", "K23", "K33"}
    refuse(s, "K1", "K3", "K11", "K22")
    play(s, "K33")
    # then clockwise from the start player, who is seat 1
    assert ALEA.turn(s) == 2
    assert legal(s) == {"K1"}
    play(s, "K1")
    assert ALEA.turn(s) == 3
    assert legal(s) == {"K1", "K2"}
    refuse(s, "K12", "K3")
    play(s, "K2")
    assert ALEA.turn(s) == 4
    assert legal(s) == {"K1", "K3"}
    play(s, "K3")
    assert [player["fortuna"] for player in ALEA.view(s, None)["players"]] == ["", "33", "1", "2", "3"]
    assert ALEA.view(s, None)["discards"] == "111123"  # 123 of seat 1, 1 of seat 3, 11 of seat 4
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
    assert ALEA.turn(s) == 0  # the leader, seat 2, has nothing to decide
    assert legal(s) == {"K3"}
    play(s, "K3")
    assert s.phase == LAY_PROVINCES  # nor has seat 1
    assert [player["fortuna"] for player in ALEA.view(s, None)["players"]][:3] == ["3", "", ""]


def test_a_sco_1_the_leader_with_one_token_keeps_it() -> None:
    s = ready(4)
    set_tokens(s, "12")
    put(s, 1, templum="1")
    give_drawn(s, 1, "1")
    rolled(s, 0, "66")
    play(s, "T66 =2")
    to_scoring(s)
    assert (ALEA.turn(s), legal(s)) == (0, {"K2"})
    play(s, "K2")
    assert (ALEA.turn(s), legal(s)) == (1, {"K1"})


def test_a_sco_2_a_lone_die_wins_a_second_token() -> None:
    s = ready(4)
    rolled(s, 1, "6")
    play(s, "T6 =1")
    to_scoring(s)
    assert ALEA.turn(s) == CHANCE
    assert odds(s) == {"=1": 7 / 29, "=2": 14 / 29, "=3": 8 / 29}
    play(s, "=3")
    assert ALEA.view(s, None)["players"][1]["fortuna"] == "13"
    assert ALEA.view(s, None)["discards"] == ""
    assert settle(s) == []
    assert s.chips[1] == 7  # the die in the Templum returned


def test_a_sco_2_the_second_token_may_need_a_reshuffle() -> None:
    s = ready(4)
    set_tokens(s, "1", "2", holder=0)
    rolled(s, 1, "6")
    play(s, "T6 =1")
    assert ALEA.view(s, None)["discards"] == "2"
    to_scoring(s)
    assert odds(s) == {"=2": 1.0}
    play(s, "=2")
    assert ALEA.view(s, None)["players"][1]["fortuna"] == "12"


def test_a_sco_2_a_lone_die_without_a_token_left() -> None:
    s = ready(4)
    set_tokens(s, "1", holder=0)
    rolled(s, 1, "6")
    play(s, "T6 =1")
    to_scoring(s)
    assert s.phase == LAY_PROVINCES  # nothing to draw, nothing to decide
    assert ALEA.view(s, None)["players"][1]["fortuna"] == "1"
    none_at_all = ready(4)
    set_tokens(none_at_all, "", holder=0)
    rolled(none_at_all, 1, "6")
    play(none_at_all, "T6")
    to_scoring(none_at_all)
    assert none_at_all.phase == LAY_PROVINCES
    assert ALEA.view(none_at_all, None)["players"][1]["fortuna"] == ""


def test_a_sco_2_not_with_two_dice_of_one_player() -> None:
    s = ready(4)
    put(s, 1, templum="12")
    give_drawn(s, 1, "12")
    to_scoring(s)
    assert (ALEA.turn(s), legal(s)) == (1, {"K12"})
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
    assert ALEA.turn(s) == 1
    play(s, "+I")
    assert ALEA.turn(s) == 2
    play(s, "+II")
    assert s.chips[0] == 8


def test_a_sco_4_each_winner_keeps_one_and_hands_on_the_rest() -> None:
    s = ready(5)
    put(s, 0, senatus="12")
    put(s, 2, senatus="123")
    put(s, 3, senatus="6")
    to_scoring(s)
    play(s, "=V =XII:RG =II")
    assert (ALEA.turn(s), legal(s)) == (2, {"+II", "+V", "+XII:RG"})
    refuse(s, "+I")
    play(s, "+V")
    assert (ALEA.turn(s), legal(s)) == (0, {"+II", "+XII:RG"})
    refuse(s, "+V")
    play(s, "+II")
    assert (ALEA.turn(s), legal(s)) == (3, {"+XII:RG"})  # the third winner takes the last card
    play(s, "+XII:RG")
    assert [ALEA.view(s, seat)["own"]["senate"] for seat in range(5)] == [["II"], [], ["V"], ["XII:RG"], []]
    assert s.chips[:5].tolist() == [6, 8, 5, 7, 8]  # the winners' dice are back without a chip


def test_a_sco_4_equal_cards_are_one_choice() -> None:
    s = ready(2)
    put(s, 0, senatus="12")
    to_scoring(s)
    play(s, "=XIII =I =XIII")
    assert legal(s) == {"+I", "+XIII"}
    play(s, "+XIII")
    assert ALEA.view(s, 0)["own"]["senate"] == ["XIII"]


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_a_sco_4_one_winner_only_and_the_rest_goes_under_the_stack(n_seats: int) -> None:
    s = ready(n_seats)
    put(s, 0, senatus="12")
    to_scoring(s)
    play(s, "=I =II =III +II")
    assert s.phase == LAY_PROVINCES  # nobody else chooses
    assert ALEA.view(s, 0)["own"]["senate"] == ["II"]
    assert ALEA.view(s, None)["players"][0]["senate"] == 1
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
    assert (ALEA.turn(s), legal(s)) == (1, {"+II", "+III"})
    play(s, "+III")
    assert s.phase == LAY_PROVINCES
    assert [player["senate"] for player in ALEA.view(s, None)["players"]] == [0, 1, 0, 0, 1]


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
    assert (ALEA.turn(s), legal(s)) == (0, {"+R1", "+R2", "+R3"})
    refuse(s, "+R4", "+Rw1")
    play(s, "+R2")
    assert s.dice[0] == 3  # the dice of this group, not of the next
    assert (ALEA.turn(s), legal(s)) == (0, {"+R1", "+R3"})
    play(s, "+R3")
    assert (ALEA.turn(s), legal(s)) == (1, {"+R1"})
    play(s, "+R1")
    assert [player["provinces"] for player in ALEA.view(s, None)["players"]] == [["R2", "R3"], ["R1"], []]


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
    assert ALEA.view(s, None)["offered"]["provinces"] == []


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
    assert ALEA.view(s, None)["stacks"]["provinces"] == 22
    refuse(s, "=R1", "=R2", "=R3")
    assert ALEA.view(s, None)["players"][1]["provinces"] == ["R3"]
    assert not any(ALEA.view(s, None)["players"][seat]["provinces"] for seat in (0, 2))


def test_a_sco_8_from_the_left_any_patrician() -> None:
    s = ready(2)
    put(s, 1, forum="1")
    put(s, 0, forum="25")
    put(s, 1, forum="6")
    to_scoring(s)
    assert (ALEA.turn(s), legal(s)) == (1, {"+Rw1", "+Rw2", "+Rw3", "+Rm1"})
    refuse(s, "+Rm2", "+R1")
    play(s, "+Rm1")
    assert (ALEA.turn(s), legal(s)) == (0, {"+Rw1", "+Rw2", "+Rw3"})
    play(s, "+Rw1")
    assert ALEA.turn(s) == 0
    play(s, "+Rw3")
    assert (ALEA.turn(s), legal(s)) == (1, {"+Rw2"})
    play(s, "+Rw2")
    assert [p["patricians"] for p in ALEA.view(s, None)["players"]] == [["Rw1", "Rw3"], ["Rw2", "Rm1"]]
    assert s.chips[:2].tolist() == [6, 6]  # Forum dice are taken back without a chip


def test_a_sco_8_patricians_left_over_are_out_of_the_game() -> None:
    s = ready(2)
    put(s, 0, forum="3")
    to_scoring(s)
    play(s, "+Rw2")
    assert s.phase == LAY_PROVINCES
    assert ALEA.view(s, None)["offered"]["patricians"] == []
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


# Who knows what.


def with_tokens(first: str, second: str, third: str) -> Any:
    """Four players; seat 0 drew the first token, seat 1 the others, and seat 2 is about to roll."""
    s = ready(4)
    play(s, f"=11111116 T6 ={first} =11111166 T66 ={second} ={third}")
    return s


def with_cards(n_seats: int, hand: str, taken: str) -> Any:
    """In the first set seats 2, 0 and, of five, 3 were handed the hand in this order; now the second set begins."""
    s = ready(n_seats)
    put(s, 2, senatus="123")
    put(s, 0, senatus="12")
    put(s, 3, senatus="6")
    to_scoring(s)
    play(s, " ".join(f"={card}" for card in hand.split()))
    play(s, " ".join(f"+{card}" for card in taken.split()))
    return s


def cards_of(s: Any, seat: int) -> list[str]:
    return card_codes(senate_cards(s, seat))


def drawn_by(s: Any, seat: int) -> str:
    return digits(s.drawn[seat] + s.drawn_before[seat])


def redealt(s: Any, seat: int, times: int = 300) -> list[Any]:
    """What this seat holds possible: redeals, sound states that look the same to this seat (it tries 60 of them)."""
    rng = generator(7)
    states = [copy(s) for _ in range(times)]
    for state in states:
        ALEA.redeal(state, seat, rng)
    for state in states[:60]:
        ALEA.check(state)
        assert ALEA.view(state, seat) == ALEA.view(s, seat)
    return states


def test_a_hid_1_what_is_public() -> None:
    s = with_tokens("1", "2", "3")
    put(s, 2, senatus="23", castrum="55", latrina=1)
    put(s, 3, forum="4")
    s.chips[:4] = [1, 2, 3, 4]
    to_scoring(s)
    play(s, "K23 K1 =I =V =X +V")
    views = [ALEA.view(s, seat) for seat in (None, 0, 1, 2, 3)]
    for seen in views:
        del seen["own"], seen["seat"]
        assert seen == views[0]
    players = views[0]["players"]
    assert [player["fortuna"] for player in players] == ["1", "23", "", ""]
    assert [player["senate"] for player in players] == [0, 0, 1, 0]
    assert [player["chips"] for player in players] == [1, 2, 3, 4]
    assert views[0]["stacks"] == {"provinces": 21, "patricians": 30, "senate": 16, "fortuna": 27}
    assert views[0]["castrum"] == [{"seat": 2, "dice": "55"}]
    assert views[0]["forum"] == [{"seat": 3, "die": 4}]
    assert views[0]["offered"]["provinces"] == ["R1", "R2", "R3", "R4"]
    play(s, "+R4 +Rw2")
    players = ALEA.view(s, 0)["players"]
    assert (players[2]["provinces"], players[3]["patricians"]) == (["R4"], ["Rw2"])


def test_a_hid_1_how_many_tokens_were_drawn_and_which_are_discarded() -> None:
    s = with_tokens("1", "2", "3")
    play(s, "=66666666 T666 =1 =1 =2")
    for seat in (None, 0, 1, 2, 3):
        assert [player["drawn"] for player in ALEA.view(s, seat)["players"]] == [1, 2, 3, 0]
    to_scoring(s)
    play(s, "K12 K1 K3")
    for seat in (None, 0, 1, 2, 3):
        assert [player["drawn"] for player in ALEA.view(s, seat)["players"]] == [0, 0, 0, 0]
        assert [player["fortuna"] for player in ALEA.view(s, seat)["players"]] == ["1", "3", "12", ""]
        assert ALEA.view(s, seat)["discards"] == "12"


def test_a_hid_2_which_moves_are_hidden() -> None:
    """Of a whole game: tokens drawn and cards, from everybody but the one who gets them."""
    s = ALEA.new(5)
    hidden: set[str] = set()
    for text in random_play(s, 17):
        phase = ALEA.view(s, None)["phase"]
        blind = [seat for seat in (None, 0, 1, 2, 3, 4) if ALEA.hides(s, ALEA.parse(s, text), seat)]
        if phase in ("token", "deal", "take-card"):
            hidden.add(phase)
            assert blind == [seat for seat in (None, 0, 1, 2, 3, 4) if seat != s.seat]
        else:
            assert blind == []
    assert len(hidden) == 3


def test_a_hid_2_the_second_token_of_a_lone_die_is_kept_openly() -> None:
    s = ready(4)
    play(s, "=11111116 T6")
    assert ALEA.hides(s, ALEA.parse(s, "=3"), 1)
    play(s, "=3")
    to_scoring(s)
    assert not any(ALEA.hides(s, ALEA.parse(s, "=1"), seat) for seat in (None, 0, 1, 2, 3))
    play(s, "=1")
    assert ALEA.view(s, None)["players"][0]["fortuna"] == "13"


def test_a_hid_2_tokens_are_secret_to_their_owner() -> None:
    one, other = with_tokens("1", "2", "3"), with_tokens("1", "1", "1")
    for seat in (None, 0, 2, 3):
        assert ALEA.view(one, seat) == ALEA.view(other, seat)
    assert [drawn_by(one, seat) for seat in range(4)] == ["1", "23", "", ""]
    assert drawn_by(other, 1) == "11"


def test_a_hid_2_tokens_are_known_once_kept_or_discarded() -> None:
    s = with_tokens("1", "2", "3")
    to_scoring(s)
    for play_now, fortuna in (("", ["", "", "", ""]), ("K23", ["", "23", "", ""]), ("K1", ["1", "23", "", ""])):
        play(s, play_now)
        assert [player["fortuna"] for player in ALEA.view(s, 3)["players"]] == fortuna


def test_a_hid_2_senate_cards_are_secret_to_their_owner() -> None:
    one, other = with_cards(4, "I II III", "I II"), with_cards(4, "VII IX X", "IX X")
    for seat in (None, 1, 3):
        assert ALEA.view(one, seat) == ALEA.view(other, seat)
    assert [cards_of(one, seat) for seat in range(4)] == [["II"], [], ["I"], []]
    assert ALEA.view(one, 2) != ALEA.view(other, 2)


def test_a_hid_2_the_hand_is_shown_to_the_one_who_chooses() -> None:
    s = ready(4)
    put(s, 2, senatus="123")
    put(s, 0, senatus="12")
    to_scoring(s)
    play(s, "=I =X")
    assert ALEA.view(s, 2)["own"]["choice"] == ["I", "X"]
    play(s, "=V")
    assert [ALEA.view(s, seat)["own"]["choice"] for seat in range(4)] == [[], [], ["I", "V", "X"], []]
    play(s, "+V")
    assert [ALEA.view(s, seat)["own"]["choice"] for seat in range(4)] == [["I", "X"], [], [], []]


def test_a_hid_2_senate_cards_are_open_at_the_end() -> None:
    s = ALEA.new(3)
    for _ in random_play(s, 5):
        assert "senate" not in ALEA.view(s, None)
    hands = ALEA.view(s, None)["senate"]
    assert hands == [cards_of(s, seat) for seat in range(3)]
    assert sum(map(len, hands)) > 0


def test_a_hid_3_the_first_winner_knows_what_he_passed_on() -> None:
    s = with_cards(4, "I II III", "I II")
    assert ALEA.view(s, 2)["own"]["passed"] == ["II", "III"]
    states = redealt(s, 2)
    # one of the two is with seat 0, the other under the stack, so neither is drawn again
    assert {tuple(cards_of(state, 0)) for state in states} == {("II",), ("III",)}
    assert all(cards_of(state, 2) == ["I"] for state in states)
    assert {int(state.senate_deck) for state in states} == {int(s.senate_deck)}
    share = sum(cards_of(state, 0) == ["II"] for state in states) / len(states)
    assert 0.35 < share < 0.65


def test_a_hid_3_the_first_of_three_winners() -> None:
    s = with_cards(5, "I II III", "I II III")
    assert ALEA.view(s, 2)["own"]["passed"] == ["II", "III"]
    pairs = {(*cards_of(state, 0), *cards_of(state, 3)) for state in redealt(s, 2)}
    assert pairs == {("II", "III"), ("III", "II")}


def test_a_hid_3_the_second_of_three_winners_knows_the_last_card() -> None:
    s = with_cards(5, "I II III", "I II III")
    assert ALEA.view(s, 0)["own"]["passed"] == ["III"]
    states = redealt(s, 0)
    assert all((cards_of(state, 0), cards_of(state, 3)) == (["II"], ["III"]) for state in states)
    others = {card for card in ROMAN + BORDERS if card not in ("II", "III")} | {"XIII"}
    assert {*(cards_of(state, 2)[0] for state in states)} == others


def test_a_hid_3_the_last_winner_knows_his_own_card_only() -> None:
    s = with_cards(5, "I II III", "I II III")
    assert ALEA.view(s, 3)["own"]["passed"] == []
    states = redealt(s, 3, 600)
    assert all(cards_of(state, 3) == ["III"] for state in states)
    others = {card for card in ROMAN + BORDERS if card != "III"} | {"XIII"}
    for seat in (0, 2):
        assert {*(cards_of(state, seat)[0] for state in states)} == others


def test_a_hid_3_who_won_nothing_knows_nothing() -> None:
    s = with_cards(4, "I II III", "I II")
    states = redealt(s, 1, 2000)
    everything = {*ROMAN, *BORDERS, "XIII"}
    for seat in (0, 2):
        found = [cards_of(state, seat)[0] for state in states]
        assert set(found) == everything
        assert 0.07 < found.count("XIII") / len(found) < 0.14  # 2 of 19
        assert 0.03 < found.count("I") / len(found) < 0.08  # 1 of 19
    assert any(int(state.senate_deck) & 1 for state in states)  # card I may lie in the stack


def test_a_hid_3_both_free_provinces_are_possible() -> None:
    s = with_cards(4, "XIII XIII I", "XIII XIII")
    assert ALEA.view(s, 2)["own"]["passed"] == ["I", "XIII"]
    assert {tuple(cards_of(state, 0)) for state in redealt(s, 2)} == {("I",), ("XIII",)}
    assert all(cards_of(state, 2) == ["XIII"] for state in redealt(s, 2))


def test_a_hid_3_the_hand_before_a_winner_is_his_alone() -> None:
    s = ready(4)
    put(s, 2, senatus="123")
    put(s, 0, senatus="12")
    to_scoring(s)
    for text in ("=I", "=X", "=V", "+V"):
        play(s, text)
        chooser = 0 if text == "+V" else 2
        choice = ALEA.view(s, chooser)["own"]["choice"]
        assert all(ALEA.view(state, chooser)["own"]["choice"] == choice for state in redealt(s, chooser, 30))
        assert len({str(ALEA.view(state, chooser)["own"]["choice"]) for state in redealt(s, 1, 30)}) > 5
    # seat 2 still knows which two cards seat 0 has before him
    assert all(ALEA.view(state, 0)["own"]["choice"] == ["I", "X"] for state in redealt(s, 2, 30))
    assert len({str(cards_of(state, 2)) for state in redealt(s, 0)}) == 16  # all kinds but I and X


def test_a_hid_3_each_set_is_remembered() -> None:
    s = with_cards(4, "I II III", "I II")
    lay_out(s)
    put(s, 1, senatus="12")
    put(s, 2, senatus="1")
    to_scoring(s)
    play(s, "=V =VI =VII +V +VI")
    assert ALEA.view(s, 2)["own"]["passed"] == ["II", "III", "VII"]
    states = redealt(s, 2)
    assert {tuple(cards_of(state, 0)) for state in states} == {("II",), ("III",)}
    assert all(cards_of(state, 2) == ["I", "VI"] for state in states)
    seen = {"I", "II", "III", "VI", "VII"}
    assert {cards_of(state, 1)[0] for state in states} == {*ROMAN, *BORDERS, "XIII"} - seen


def test_a_hid_3_redeal_uses_no_more_than_the_seat_knows() -> None:
    """States that a seat cannot tell apart are dealt anew into the same bytes."""
    pairs = [
        (with_tokens("1", "2", "3"), with_tokens("1", "1", "1"), (0, 2, 3)),
        (with_tokens("1", "2", "3"), with_tokens("2", "2", "2"), (2, 3)),
        (with_cards(4, "I II III", "I II"), with_cards(4, "I II III", "I III"), (1, 2, 3)),
        (with_cards(4, "I II III", "I II"), with_cards(4, "II III X", "X II"), (0, 1, 3)),
        (with_cards(5, "I II III", "I II III"), with_cards(5, "V IX XIII", "V XIII IX"), (1, 4)),
        (with_cards(5, "I II III", "I II III"), with_cards(5, "V IX III", "V IX III"), (3,)),
    ]
    for one, other, seats in pairs:
        assert one.tobytes() != other.tobytes()
        for seat in seats:
            assert ALEA.view(one, seat) == ALEA.view(other, seat)
            for seed in range(20):
                copies = copy(one), copy(other)
                for state in copies:
                    ALEA.redeal(state, seat, generator(seed))
                assert copies[0].tobytes() == copies[1].tobytes()


def test_a_hid_3_tokens_of_others_may_be_any_that_lie_face_down() -> None:
    s = with_tokens("3", "1", "1")
    states = redealt(s, 0, 3000)
    assert {drawn_by(state, 0) for state in states} == {"3"}
    assert {drawn_by(state, 1) for state in states} == {"11", "12", "13", "22", "23", "33"}
    # two of 8, 14 and 7 tokens
    both_two = sum(drawn_by(state, 1) == "22" for state in states) / len(states)
    assert both_two == pytest.approx(14 / 29 * 13 / 28, abs=0.03)
    for value, number in zip("123", (8, 14, 7), strict=True):
        share = sum(drawn_by(state, 1).count(value) for state in states) / len(states) / 2
        assert share == pytest.approx(number / 29, abs=0.03)


def test_a_hid_3_kept_and_discarded_tokens_never_change() -> None:
    s = with_tokens("1", "2", "3")
    to_scoring(s)
    play(s, "K23")
    for state in redealt(s, 3, 100):
        assert state.kept.tolist() == s.kept.tolist()
        assert state.token_discards.tolist() == s.token_discards.tolist()
        assert drawn_by(state, 1) == ""


def test_a_hid_3_tokens_drawn_before_a_reshuffle_stay_among_their_drawers() -> None:
    s = ready(4)
    set_tokens(s, "12", "333")
    rolled(s, 0, "6")
    play(s, "T6 =1")
    rolled(s, 1, "66")
    play(s, "T66 =2 =3")  # the discards are shuffled between the two
    possible = {(drawn_by(state, 0), drawn_by(state, 1)) for state in redealt(s, 2)}
    assert possible == {("1", "23"), ("2", "13")}
    assert {drawn_by(state, 1) for state in redealt(s, 0)} == {"23"}
    assert {drawn_by(state, 0) for state in redealt(s, 1)} == {"1"}


def test_a_hid_3_tokens_of_two_exhausted_supplies_are_not_mixed() -> None:
    """A supply of one 1 and then discards of two 3s were drawn, so everybody can tell who has what."""
    s = ready(4)
    set_tokens(s, "1", "33")
    rolled(s, 0, "6")
    play(s, "T6 =1")
    rolled(s, 1, "66")
    play(s, "T66 =3 =3")
    rolled(s, 2, "6666")
    assert {(drawn_by(state, 0), drawn_by(state, 1)) for state in redealt(s, 3)} == {("1", "33")}
    play(s, "T666")  # nothing left to draw
    assert {(drawn_by(state, 0), drawn_by(state, 1)) for state in redealt(s, 3)} == {("1", "33")}


# The worked examples of the rules page.


def test_example_1_templum() -> None:
    s = ready(4)
    play(s, "=11111115 T5 =1 =11111136")
    assert "T36" in legal(s)
    play(s, "T36 =2 =3 =11111111 C1 =11111111 C11 =1111114")
    # Antonius needs two dice of sum 5 or more: a total above 9
    assert legal(s, "T") == {"T14"}
    refuse(s, "T11", "T4", "T1", "T114")
    play(s, "T14")
    assert ALEA.turn(s) == CHANCE
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
