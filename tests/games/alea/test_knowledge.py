"""Who knows what in Alea Iacta Est, a test for each rule."""

from typing import Any

import pytest

from alea_positions import (
    BORDERS,
    ROMAN,
    drawn_by,
    lay_out,
    play,
    put,
    random_play,
    ready,
    rolled,
    set_tokens,
    to_scoring,
)
from conftest import CHECKS
from rostra.engine.game import SPECTATOR, copy
from rostra.engine.rng import generator
from rostra.games.alea import ALEA
from rostra.games.alea.state import senate_cards
from rostra.games.alea.view import card_codes


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


def redealt(s: Any, seat: int, times: int = 300) -> list[Any]:
    """What this seat holds possible: redeals, sound states that look the same to this seat (it tries 60 of them)."""
    rng = generator(7)
    states = [copy(s) for _ in range(times)]
    for state in states:
        ALEA.knowledge.redeal(state, seat, rng)
    for state in states[:60]:
        CHECKS[ALEA.name](state)
        assert ALEA.screen.view(state, seat) == ALEA.screen.view(s, seat)
    return states


def test_a_hid_1_what_is_public() -> None:
    s = with_tokens("1", "2", "3")
    put(s, 2, senatus="23", castrum="55", latrina=1)
    put(s, 3, forum="4")
    s.chips[:4] = [1, 2, 3, 4]
    to_scoring(s)
    play(s, "K23 K1 =I =V =X +V")
    views = [ALEA.screen.view(s, seat) for seat in (None, 0, 1, 2, 3)]
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
    players = ALEA.screen.view(s, 0)["players"]
    assert (players[2]["provinces"], players[3]["patricians"]) == (["R4"], ["Rw2"])


def test_a_hid_1_how_many_tokens_were_drawn_and_which_are_discarded() -> None:
    s = with_tokens("1", "2", "3")
    play(s, "=66666666 T666 =1 =1 =2")
    for seat in (None, 0, 1, 2, 3):
        assert [player["drawn"] for player in ALEA.screen.view(s, seat)["players"]] == [1, 2, 3, 0]
    to_scoring(s)
    play(s, "K12 K1 K3")
    for seat in (None, 0, 1, 2, 3):
        assert [player["drawn"] for player in ALEA.screen.view(s, seat)["players"]] == [0, 0, 0, 0]
        assert [player["fortuna"] for player in ALEA.screen.view(s, seat)["players"]] == ["1", "3", "12", ""]
        assert ALEA.screen.view(s, seat)["discards"] == "12"


def test_a_hid_2_which_moves_are_hidden() -> None:
    """Of a whole game: tokens drawn and cards, from everybody but the one who gets them."""
    s = ALEA.new(5)
    hidden: set[str] = set()
    for text in random_play(s, 17):
        phase = ALEA.screen.view(s, None)["phase"]
        blind = [
            seat for seat in (SPECTATOR, 0, 1, 2, 3, 4) if ALEA.knowledge.hides(s, ALEA.notation.parse(s, text), seat)
        ]
        if phase in ("token", "deal", "take-card"):
            hidden.add(phase)
            assert blind == [seat for seat in (SPECTATOR, 0, 1, 2, 3, 4) if seat != s.seat]
        else:
            assert blind == []
    assert len(hidden) == 3


def test_a_hid_2_the_second_token_of_a_lone_die_is_kept_openly() -> None:
    s = ready(4)
    play(s, "=11111116 T6")
    assert ALEA.knowledge.hides(s, ALEA.notation.parse(s, "=3"), 1)
    play(s, "=3")
    to_scoring(s)
    assert not any(ALEA.knowledge.hides(s, ALEA.notation.parse(s, "=1"), seat) for seat in (SPECTATOR, 0, 1, 2, 3))
    play(s, "=1")
    assert ALEA.screen.view(s, None)["players"][0]["fortuna"] == "13"


def test_a_hid_2_tokens_are_secret_to_their_owner() -> None:
    one, other = with_tokens("1", "2", "3"), with_tokens("1", "1", "1")
    for seat in (None, 0, 2, 3):
        assert ALEA.screen.view(one, seat) == ALEA.screen.view(other, seat)
    assert [drawn_by(one, seat) for seat in range(4)] == ["1", "23", "", ""]
    assert drawn_by(other, 1) == "11"


def test_a_hid_2_tokens_are_known_once_kept_or_discarded() -> None:
    s = with_tokens("1", "2", "3")
    to_scoring(s)
    for play_now, fortuna in (("", ["", "", "", ""]), ("K23", ["", "23", "", ""]), ("K1", ["1", "23", "", ""])):
        play(s, play_now)
        assert [player["fortuna"] for player in ALEA.screen.view(s, 3)["players"]] == fortuna


def test_a_hid_2_senate_cards_are_secret_to_their_owner() -> None:
    one, other = with_cards(4, "I II III", "I II"), with_cards(4, "VII IX X", "IX X")
    for seat in (None, 1, 3):
        assert ALEA.screen.view(one, seat) == ALEA.screen.view(other, seat)
    assert [cards_of(one, seat) for seat in range(4)] == [["II"], [], ["I"], []]
    assert ALEA.screen.view(one, 2) != ALEA.screen.view(other, 2)


def test_a_hid_2_the_hand_is_shown_to_the_one_who_chooses() -> None:
    s = ready(4)
    put(s, 2, senatus="123")
    put(s, 0, senatus="12")
    to_scoring(s)
    play(s, "=I =X")
    assert ALEA.screen.view(s, 2)["own"]["choice"] == ["I", "X"]
    play(s, "=V")
    assert [ALEA.screen.view(s, seat)["own"]["choice"] for seat in range(4)] == [[], [], ["I", "V", "X"], []]
    play(s, "+V")
    assert [ALEA.screen.view(s, seat)["own"]["choice"] for seat in range(4)] == [["I", "X"], [], [], []]


def test_a_hid_2_senate_cards_are_open_at_the_end() -> None:
    s = ALEA.new(3)
    for _ in random_play(s, 5):
        assert "senate" not in ALEA.screen.view(s, None)
    hands = ALEA.screen.view(s, None)["senate"]
    assert hands == [cards_of(s, seat) for seat in range(3)]
    assert sum(map(len, hands)) > 0


def test_a_hid_3_the_first_winner_knows_what_he_passed_on() -> None:
    s = with_cards(4, "I II III", "I II")
    assert ALEA.screen.view(s, 2)["own"]["passed"] == ["II", "III"]
    states = redealt(s, 2)
    # one of the two is with seat 0, the other under the stack, so neither is drawn again
    assert {tuple(cards_of(state, 0)) for state in states} == {("II",), ("III",)}
    assert all(cards_of(state, 2) == ["I"] for state in states)
    assert {int(state.senate_deck) for state in states} == {int(s.senate_deck)}
    share = sum(cards_of(state, 0) == ["II"] for state in states) / len(states)
    assert 0.35 < share < 0.65


def test_a_hid_3_the_first_of_three_winners() -> None:
    s = with_cards(5, "I II III", "I II III")
    assert ALEA.screen.view(s, 2)["own"]["passed"] == ["II", "III"]
    pairs = {(*cards_of(state, 0), *cards_of(state, 3)) for state in redealt(s, 2)}
    assert pairs == {("II", "III"), ("III", "II")}


def test_a_hid_3_the_second_of_three_winners_knows_the_last_card() -> None:
    s = with_cards(5, "I II III", "I II III")
    assert ALEA.screen.view(s, 0)["own"]["passed"] == ["III"]
    states = redealt(s, 0)
    assert all((cards_of(state, 0), cards_of(state, 3)) == (["II"], ["III"]) for state in states)
    others = {card for card in ROMAN + BORDERS if card not in ("II", "III")} | {"XIII"}
    assert {*(cards_of(state, 2)[0] for state in states)} == others


def test_a_hid_3_the_last_winner_knows_his_own_card_only() -> None:
    s = with_cards(5, "I II III", "I II III")
    assert ALEA.screen.view(s, 3)["own"]["passed"] == []
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
    assert ALEA.screen.view(s, 2)["own"]["passed"] == ["I", "XIII"]
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
        choice = ALEA.screen.view(s, chooser)["own"]["choice"]
        assert all(ALEA.screen.view(state, chooser)["own"]["choice"] == choice for state in redealt(s, chooser, 30))
        assert len({str(ALEA.screen.view(state, chooser)["own"]["choice"]) for state in redealt(s, 1, 30)}) > 5
    # seat 2 still knows which two cards seat 0 has before him
    assert all(ALEA.screen.view(state, 0)["own"]["choice"] == ["I", "X"] for state in redealt(s, 2, 30))
    assert len({str(cards_of(state, 2)) for state in redealt(s, 0)}) == 16  # all kinds but I and X


def test_a_hid_3_each_set_is_remembered() -> None:
    s = with_cards(4, "I II III", "I II")
    lay_out(s)
    put(s, 1, senatus="12")
    put(s, 2, senatus="1")
    to_scoring(s)
    play(s, "=V =VI =VII +V +VI")
    assert ALEA.screen.view(s, 2)["own"]["passed"] == ["II", "III", "VII"]
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
            assert ALEA.screen.view(one, seat) == ALEA.screen.view(other, seat)
            for seed in range(20):
                copies = copy(one), copy(other)
                for state in copies:
                    ALEA.knowledge.redeal(state, seat, generator(seed))
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
