"""Bargains of Quo Vadis?: without the active player's action (Q-NEG-5), about Caesar's place (Q-NEG-6), larger than a
draft (Q-NEG-7); and who gets the last laurel of value 1 (Q-MOV-4)."""

from typing import Any

import numpy as np
import pytest

from conftest import CHECKS
from quovadis_positions import caesar_at, hand, hold, hold_all, inside, lay, legal, play, promises, put, ready, refuse
from rostra.bots import make_bot
from rostra.engine.game import CHANCE, IllegalMove, digest
from rostra.engine.rng import generator
from rostra.games.quovadis import QUO_VADIS as GAME
from rostra.games.quovadis.tables import MAX_BARGAINS, PLACES

assert GAME.desk is not None
DESK = GAME.desk


def in_committee(n_seats: int = 4) -> Any:
    """Red, blue and black sit in I; it is red's turn; a 4 lies on I>M."""
    s = ready(n_seats)
    put(s, I="012")
    return s


def placing(n_seats: int = 4) -> Any:
    """Red has won a 2 with Caesar, and a 5 was turned up."""
    s = in_committee(n_seats)
    lay(s, "I>M", "2c")
    play(s, "I>M(2); ask; yes; =5")
    return s


def carried_out(s: Any, *terms: str) -> tuple[str, list[int]]:
    """Make a deal at the desk, checking every ply; returns its plies and parties."""
    moves, parties = DESK.deal(s, terms)
    texts = []
    for move in moves:
        assert move in GAME.legal_moves(s)
        texts.append(GAME.notation.text(s, move))
        GAME.rules.apply(s, move)
        CHECKS[GAME.name](s)
    return "; ".join(texts), parties


def test_q_neg_5_white_pays_black_to_refuse_red() -> None:
    s = in_committee()
    hold(s, 3, "3")
    assert {"I>M(1)", "I>M(2)"} <= legal(s)
    plies, parties = carried_out(s, "bargain", "give 3 2 3", "refuse 2")
    assert plies == "hear; pass; bargain; give 3 2 3; refuse 2; ask; yes"
    assert parties == [2, 3]
    assert (hand(s, 2), hand(s, 3)) == ("3", "")
    assert GAME.rules.turn(s) == 0
    assert legal(s, "I>M") == {"I>M(1)"}  # black's consent cannot be given in this turn
    assert GAME.screen.view(s, 1)["refusing"] == [2]
    play(s, "@B>I; +A; @B>F; +C")
    assert legal(s, "I>M") == {"I>M(1)", "I>M(2)"}  # in red's next turn it can


def test_q_neg_5_a_consent_that_was_sold_cannot_be_refused() -> None:
    s = in_committee()
    hold_all(s, "1:5 3:4")
    carried_out(s, "bargain", "give 3 1 4", "consent 1")
    play(s, "I>M(1); ask")
    assert (GAME.rules.turn(s), legal(s)) == (1, {"yes"})
    s = in_committee()
    hold_all(s, "1:5 3:4")
    carried_out(s, "bargain", "give 3 1 4", "consent 1")
    play(s, "I>M(1); give 1 0 5; ask")
    assert legal(s) == {"yes", "no"}, "it sold its consent, not its laurels"


def test_q_neg_5_caesar_spares_a_place_that_was_paid_for() -> None:
    s = in_committee()
    hold(s, 1, "2")
    carried_out(s, "bargain", "give 1 0 2", "spare I>M")
    refuse(s, "@I>M")
    assert GAME.screen.view(s, None)["spared"] == ["I>M"]
    play(s, "@B>I")
    assert "@I>M" in legal(s)  # for a turn only
    s = ready(3)
    put(s, I="01")
    lay(s, "I>M", "2c")
    carried_out(s, "bargain", "promise 0 1 caesar", "spare B>I")
    play(s, "I>M(1)")
    assert "then @B>I" not in legal(s)
    assert {"then -", "then @B>F"} <= legal(s)


def test_q_neg_5_a_turn_keeps_a_place_for_caesar() -> None:
    s = ready(3)
    free = [place for place in PLACES if place != caesar_at(s)]
    for place in free[:-1]:
        carried_out(s, "bargain", "promise 0 1 support", f"spare {place}")
    with pytest.raises(IllegalMove, match="it is the last one"):
        DESK.deal(s, ["bargain", "promise 0 1 support", f"spare {free[-1]}"])
    assert legal(s, "@") == {f"@{free[-1]}"}


def test_q_neg_5_the_active_player_need_not_be_a_party_and_decides_next() -> None:
    s = in_committee(5)
    hold_all(s, "3:1 4:2")
    _, parties = carried_out(s, "bargain", "give 3 4 1", "give 4 3 2", "promise 4 3 support")
    assert (parties, GAME.rules.turn(s)) == ([3, 4], 0)
    assert promises(s) == ["4 3 support"]
    assert {"hear", "I>M(1)", "+A"} <= legal(s)  # others may offer again


def test_q_neg_5_a_refused_bargain_cannot_be_asked_again_until_one_is_made() -> None:
    s = in_committee(3)
    play(s, "hear; bargain; promise 1 2 support; ask; no; bargain; promise 1 2 support")
    refuse(s, "ask")
    play(s, "promise 2 1 support; ask; yes; hear; bargain; promise 1 2 support")
    assert "ask" in legal(s)


def test_q_neg_5_a_seat_vows_once_and_never_the_active_one() -> None:
    s = in_committee(3)
    play(s, "hear; bargain")
    assert legal(s, "refuse") == {"refuse 1", "refuse 2"}
    play(s, "refuse 1")
    assert not legal(s, "refuse") | legal(s, "consent") | legal(s, "spare")  # one vow a bargain
    play(s, "promise 2 1 support; ask; yes; hear; bargain")
    assert legal(s, "refuse") | legal(s, "consent") == {"refuse 2", "consent 2"}


def test_q_neg_5_bargains_of_a_turn_have_an_end() -> None:
    s = ready(3)
    hold_all(s, "1:2 2:2")
    for number in range(MAX_BARGAINS):
        giver, taker = (1, 2) if number % 2 else (2, 1)
        carried_out(s, "bargain", f"give {giver} {taker} 2")
    refuse(s, "hear")
    with pytest.raises(IllegalMove, match="15 bargains were made in this turn"):
        DESK.deal(s, ["bargain", "give 1 2 2"])
    play(s, "+A")
    assert "hear" in legal(s)


def test_q_neg_5_gifts_of_a_bargain_keep_promises_to_pay() -> None:
    s = ready(3)
    hold(s, 1, "4")
    carried_out(s, "bargain", "promise 1 2 pay 3")
    carried_out(s, "bargain", "give 1 2 4")
    assert promises(s) == []
    assert GAME.screen.view(s, None)["fates"][1][2] == [1, 0, 0]


def test_q_neg_6_a_deal_fixes_where_caesar_goes() -> None:
    s = placing()
    hold(s, 1, "5")
    assert {"deal", "hear", "-", "@B>I"} <= legal(s)
    plies, parties = carried_out(s, "@M>S", "give 1 0 5")
    assert (plies, parties) == ("deal; @M>S; give 1 0 5; ask; yes", [0, 1])
    assert (caesar_at(s), hand(s, 0), GAME.rules.turn(s)) == ("M>S", "25", 1)


def test_q_neg_6_or_only_pays_for_leaving_a_place_alone() -> None:
    s = placing()
    hold(s, 1, "3")
    carried_out(s, "bargain", "give 1 0 3", "spare I>M")
    assert GAME.rules.turn(s) == 0
    refuse(s, "@I>M")
    play(s, "@B>F")
    assert (caesar_at(s), GAME.rules.turn(s)) == ("B>F", 1)


def test_q_neg_6_other_seats_offer_about_caesar_and_a_refusal_gives_him_back() -> None:
    s = placing(3)
    hold(s, 1, "4")
    play(s, "hear")
    assert legal(s) == {"deal", "pass", "bargain"}
    play(s, "deal; -; give 1 0 4; ask; no; pass")
    assert GAME.rules.turn(s) == 0
    assert "hear" not in legal(s)
    assert "@B>I" in legal(s)
    play(s, "-")
    assert GAME.rules.turn(s) == 1


def test_q_neg_7_people_put_more_into_a_deal_than_a_draft_holds() -> None:
    s = in_committee(5)
    hold_all(s, "0:11112 3:45")
    terms = ["I>M(2)", *["give 0 2 1"] * 4, "give 0 1 2", "give 0 2 4", "give 3 0 5"]
    terms += ["promise 0 1 support", "promise 0 2 support", "promise 0 2 oppose 4", "promise 2 0 caesar"]
    plies, parties = carried_out(s, *terms)
    assert parties == [0, 1, 2, 3]
    assert plies.count("ask") == 2  # a bargain, then the draft of the action
    assert (inside(s, "M"), hand(s, 0), hand(s, 1), hand(s, 2), hand(s, 3)) == ("0", "5", "2", "111114", "4")
    assert sorted(promises(s)) == ["0 1 support", "0 2 oppose 4", "0 2 support", "2 0 caesar"]
    assert GAME.rules.turn(s) == CHANCE


def test_q_neg_7_what_is_received_cannot_be_passed_on_however_large_the_deal() -> None:
    s = in_committee()
    hold_all(s, "0:11111 3:5")
    for terms in (["give 3 0 5", "give 0 2 5", *["give 0 1 1"] * 5], ["give 0 1 1"] * 6):
        with pytest.raises(IllegalMove, match="cannot be paid now"):
            DESK.deal(s, ["I>M(2)", *terms])


def test_q_mov_4_the_mover_says_who_gets_the_last_one() -> None:
    s = ready(3)
    put(s, B="0122")
    s.hands[0, 0] += s.ones - 1
    s.ones = 1
    play(s, "B>I(1,2)")
    assert legal(s, "one") == {"one 2"}
    play(s, "one 2; ask; yes; yes")
    assert (hand(s, 1), hand(s, 2)) == ("", "1")
    s = ready(3)
    put(s, B="0122")
    s.hands[0, 0] += s.ones - 1
    s.ones = 1
    play(s, "B>I(1,2); give 1 0 1")
    assert not legal(s, "one"), "blue gives that very laurel away"
    play(s, "drop; B>I(2,2)")
    assert not legal(s, "one"), "there is nobody to choose between"
    assert GAME.screen.outlook(s, 0)["worth"]["unpaid"] == [2]
    worth = DESK.worth(s, ["B>I(1,2)", "one 2"])
    assert {share["seat"]: share["net"] for share in worth["shares"]} == {0: 3, 1: 0, 2: 1}


@pytest.mark.parametrize("bot", ["greedy", "senator"])
def test_bots_weigh_bargains(bot: str) -> None:
    """They sell what costs them nothing, give nothing away, and take no part in what is too large for them."""
    s, player, rng = in_committee(), make_bot(bot), generator()
    hold_all(s, "1:5 2:5 3:5")

    def says(seat: int, by: int, *terms: str) -> bool:
        return DESK.answer(player, GAME, s, seat, by, terms, rng)

    assert says(2, 3, "bargain", "give 3 2 5", "refuse 2")
    assert not says(2, 3, "bargain", "give 2 3 5", "refuse 3")
    assert not says(2, 3, "bargain", "give 3 1 5", "give 2 1 5")
    assert not says(1, 3, "bargain", *(f"promise 3 1 pay {value}" for value in range(1, 6)))
    caesar = placing()
    hold(caesar, 1, "5")
    assert DESK.answer(player, GAME, caesar, 0, 1, ["@B>F", "give 1 0 5"], rng)
    assert not DESK.answer(player, GAME, caesar, 1, 0, ["@B>F", "give 1 0 5"], rng)


def test_digests_of_earlier_versions_stay_valid() -> None:
    s = ready(3)
    first = digest(s)
    s.bargains = 1
    assert digest(s) != first
    s.bargains = 0
    assert digest(s) == first
    assert np.dtype(GAME.rules.state).itemsize > 572
