"""Deals and promises of Quo Vadis?: Q-NEG-1 to Q-NEG-5, the five kinds of deals of the rule book, bounds, bad input.

In the rule book's examples red (seat 0) asks black (seat 2) for leave to go on; white is seat 3.
"""

from typing import Any

import pytest

from quovadis_positions import (
    act_now,
    arrive,
    bad,
    caesar,
    caesar_at,
    exhaust_stack,
    fates,
    hand,
    hold,
    idle,
    inside,
    laurel,
    lay,
    leave_ones,
    legal,
    play,
    position,
    promises,
    put,
    ready,
    refuse,
)
from rostra.engine.game import CHANCE, OVER
from rostra.games.quovadis import QUO_VADIS as GAME


def asking(n_seats: int = 4) -> Any:
    """Red, blue and black sit in I; it is red's turn; a 4 lies on I>M."""
    s = ready(n_seats)
    put(s, I="012")
    return s


def test_deal_kind_1_a_promise() -> None:
    s = asking()
    play(s, "I>M(2); promise 0 2 support; ask; yes")
    assert (inside(s, "M"), hand(s, 0), hand(s, 2)) == ("0", "4", "1")
    assert promises(s) == ["0 2 support"]


def test_deal_kind_2_payment_with_a_laurel_held_before() -> None:
    s = asking()
    hold(s, 0, "33")
    play(s, "I>M(2); give 0 2 3; ask; yes")
    assert (hand(s, 0), hand(s, 2)) == ("34", "13")  # on top of the one for the consent


def test_deal_kind_3_caesar_placed_as_agreed() -> None:
    s = asking()
    lay(s, "I>M", "2c")
    play(s, "I>M(2); then @B>F; ask; yes")
    assert (caesar_at(s), GAME.rules.turn(s), hand(s, 0)) == ("B>F", CHANCE, "2")  # before the refill
    play(s, "=3")
    assert GAME.rules.turn(s) == 1  # the decision was taken in the deal
    refuse(s, "-")


def test_deal_kind_4_a_package() -> None:
    s = asking()
    hold(s, 0, "1")
    play(s, "I>M(2); promise 0 2 support; promise 0 2 oppose 3; give 0 2 1; ask; yes; =5")
    assert (hand(s, 0), hand(s, 2), inside(s, "M")) == ("4", "11", "0")
    assert sorted(promises(s)) == ["0 2 oppose 3", "0 2 support"]


def test_deal_kind_5_a_split_with_change() -> None:
    s = asking()  # a 3 for red and a 1 for black make four: two for each; a one of the change was just earned
    lay(s, "I>M", "3")
    hold(s, 2, "1")
    play(s, "I>M(2); give 0 2 3; give 2 0 1; give 2 0 1; ask; yes; =2")
    assert (hand(s, 0), hand(s, 2), s.ones) == ("11", "3", 16)


def test_q_neg_1_anybody_may_join_in() -> None:
    s = asking()
    hold(s, 3, "5")
    hold(s, 1, "2")
    play(s, "I>M(2); give 3 2 5; promise 1 3 pay 2; ask")
    asked = []
    while GAME.rules.turn(s) not in (CHANCE, OVER):
        asked.append(GAME.rules.turn(s))
        play(s, "yes")
    assert asked == [1, 2, 3]  # all parties, clockwise
    assert (hand(s, 2), hand(s, 3), hand(s, 1), promises(s)) == ("15", "", "2", ["1 3 pay 2"])


def test_q_neg_1_offers_may_be_refused() -> None:
    s = asking()
    play(s, "I>M(2); ask")
    assert (GAME.rules.turn(s), legal(s)) == (2, {"yes", "no"})
    refuse(s, "ask", "drop", "give 0 2 4", "pass")
    play(s, "no")
    assert (GAME.rules.turn(s), inside(s, "I"), promises(s)) == (0, "012", [])
    assert {"+A", "@B>I", "I>M(1)", "deal", "hear"} <= legal(s)  # his next decision, in the same turn


def test_q_neg_1_a_deal_for_entering_and_for_caesar() -> None:
    s = ready(3)
    hold(s, 1, "3")
    play(s, "deal; +B; give 1 0 3; ask; yes")  # paid for going there
    assert (inside(s, "B"), hand(s, 0), hand(s, 1), GAME.rules.turn(s)) == ("0", "3", "", 1)
    play(s, "deal; @D>G; promise 0 1 caesar; ask; yes")
    assert (caesar_at(s), promises(s), GAME.rules.turn(s)) == ("D>G", ["0 1 caesar"], 2)


def test_q_neg_2_the_deal_is_binding_but_the_promise_is_not() -> None:
    s = asking()
    play(s, "I>M(2); promise 0 2 support; promise 0 2 pay 4; give 0 2 4; ask; yes; =3; @N>S")
    assert hand(s, 2) == "14"  # given at once; nobody is asked any more
    put(s, I="0")
    play(s, "I>M(0); ask")
    assert legal(s) == {"yes", "no"}  # the promiser may still refuse
    play(s, "no")
    assert (fates(s, 0, 2), promises(s), inside(s, "I")) == ((0, 1, 0), ["0 2 pay 4"], "012")


def test_q_neg_3_whole_or_not_at_all() -> None:
    s = asking()
    lay(s, "I>M", "2c")
    hold(s, 0, "5")
    hold(s, 3, "3")
    before = position(s)
    play(s, "I>M(2); give 0 2 5; give 3 0 3; then @B>I; promise 1 0 support; ask")
    assert position(s) == before  # nothing happens before all have agreed
    play(s, "yes; yes")
    assert (position(s), GAME.rules.turn(s)) == (before, 3)
    play(s, "no")
    assert (position(s), GAME.rules.turn(s)) == (before, 0)


def test_q_neg_3_the_first_no_ends_it() -> None:
    s = asking()
    play(s, "I>M(2); promise 1 0 support; promise 3 0 support; ask")
    assert GAME.rules.turn(s) == 1
    play(s, "no")
    assert (GAME.rules.turn(s), GAME.screen.view(s, 0)["draft"]) == (0, None)  # 2 and 3 are not asked


def test_q_neg_3_what_can_be_given() -> None:
    s = asking()
    hold(s, 3, "22")
    assert laurel(s, "I>M") == "4"
    play(s, "I>M(2)")
    # the laurel won by the action, the one of the consent, what is held
    assert legal(s, "give") == {
        f"give {giver} {receiver} {value}"
        for giver, value in [(0, 4), (2, 1), (3, 2)]
        for receiver in range(4)
        if receiver != giver
    }
    play(s, "give 0 1 4; give 3 1 2; give 3 1 2")
    assert {text[:6] for text in legal(s, "give")} == {"give 2"}
    refuse(s, "give 0 1 4", "give 3 0 2")  # each only once
    refuse(s, "give 1 0 4", "give 1 0 2")  # what is given in a deal cannot be given on in it


def test_q_neg_3_nothing_can_be_given_that_is_not_won() -> None:
    s = asking()
    caesar(s, "I>M")
    play(s, "deal; I>M")  # under Caesar
    assert legal(s, "give") == set()
    s = asking()
    leave_ones(s, 0, 3)
    play(s, "I>M(2)")  # no ones left
    assert not legal(s, "give 2")
    s = asking()
    exhaust_stack(s, 3)
    lay(s, "I>M", "")
    play(s, "I>M(2)")  # the place is empty
    assert not legal(s, "give 0")
    s = ready(3, start=1)
    put(s, B="0012")
    leave_ones(s, 1, 1)
    play(s, "B>I(0,2)")  # the last one goes to the next clockwise
    assert legal(s, "give 2")
    assert not legal(s, "give 0")


def test_q_neg_3_the_two_won_with_caesar_is_a_two() -> None:
    s = asking()
    lay(s, "I>M", "2c")
    play(s, "I>M(2); give 0 2 2; ask; yes; =3")
    assert (hand(s, 0), hand(s, 2), GAME.rules.turn(s)) == ("", "12", 0)  # the mover won it: he decides about Caesar
    assert "-" in legal(s)
    play(s, "@M>S")
    assert caesar_at(s) == "M>S"


def test_q_neg_3_then_only_with_a_two_with_caesar() -> None:
    s = asking()
    play(s, "I>M(2)")
    assert legal(s, "then") == set()
    play(s, "drop")
    lay(s, "I>M", "2")
    play(s, "I>M(2)")
    refuse(s, "then @B>I", "then -")
    play(s, "drop")
    lay(s, "I>M", "2c")
    play(s, "I>M(2)")
    assert len(legal(s, "then @")) == 9
    refuse(s, "then @J>S")  # he is there already
    play(s, "then -")
    assert legal(s, "then") == set()  # at most one
    play(s, "ask; yes; =3")
    assert (caesar_at(s), GAME.rules.turn(s)) == ("J>S", 1)


def test_q_neg_3_the_deal_of_the_fifth_arrival() -> None:
    s = ready(3)
    arrive(s, "1212")
    put(s, N="012")
    lay(s, "N>S", "2c")
    play(s, "N>S(1)")
    assert legal(s, "then") == set()
    play(s, "give 0 2 2; give 1 0 1; promise 0 1 support; ask; yes; yes")
    assert (GAME.rules.turn(s), hand(s, 0), hand(s, 1), hand(s, 2)) == (OVER, "1", "", "2")  # gives happen
    assert (caesar_at(s), laurel(s, "N>S"), promises(s)) == ("J>S", None, ["0 1 support"])


def test_q_neg_3_parties_and_the_order_of_answers() -> None:
    s = ready(5, start=3)
    put(s, B="03124")
    play(s, "B>I(0,4); promise 2 0 oppose 1; ask")
    asked = []
    while GAME.rules.turn(s) != CHANCE:
        asked.append(GAME.rules.turn(s))
        play(s, "yes")
    assert asked == [4, 0, 2]  # clockwise from the drafting seat; the N of oppose N is no party


def test_q_neg_4_hear_lets_every_other_seat_offer_once() -> None:
    s = asking(5)
    play(s, "hear")
    assert GAME.rules.turn(s) == 1
    assert legal(s) == {"I>M(1)", "I>M(2)", "deal", "pass", "bargain"}  # deals for the active seat's action
    refuse(s, "I>M(0)", "+A", "@B>I", "hear", "drop")
    play(s, "pass")
    assert GAME.rules.turn(s) == 2
    play(s, "I>M(2); drop")
    assert GAME.rules.turn(s) == 3  # no pass follows
    play(s, "deal; drop")
    assert GAME.rules.turn(s) == 4
    play(s, "deal; +A; promise 0 4 support; ask; no")
    assert GAME.rules.turn(s) == 0
    assert {"+A", "deal", "I>M(1)"} <= legal(s)
    refuse(s, "hear")  # once a turn
    play(s, "@N>S")
    assert "hear" in legal(s)


def test_q_neg_4_an_accepted_offer_is_the_active_seats_action() -> None:
    s = asking()
    hold(s, 2, "5")
    play(s, "hear; pass; I>M(2); give 2 0 5; ask")
    assert GAME.rules.turn(s) == 0  # the drafter does not answer
    play(s, "yes; =3")
    assert (inside(s, "M"), hand(s, 0), hand(s, 2), GAME.rules.turn(s)) == (
        "0",
        "45",
        "1",
        1,
    )  # and the hearing is over


def test_q_neg_4_a_drafter_need_not_be_a_party() -> None:
    s = asking()
    play(s, "hear; pass; pass; I>M(2); promise 0 2 support; ask")
    assert GAME.rules.turn(s) == 0
    play(s, "yes")
    assert GAME.rules.turn(s) == 2
    play(s, "yes; =3")
    assert (inside(s, "M"), GAME.rules.turn(s)) == ("0", 1)


def test_q_neg_4_one_may_always_act_without_a_deal() -> None:
    s = asking()
    play(s, "I>M(1); drop; I>M(2); ask; no; deal; drop; hear; pass; pass; pass")
    assert legal(s) == {"+A", "+B", "+C", "+D"} | legal(s, "@")
    assert len(legal(s, "@")) == 9
    play(s, "+A")
    assert GAME.rules.turn(s) == 1


def test_q_neg_5_a_deal_contains_the_active_seats_action() -> None:
    s = asking()
    hold(s, 0, "3")
    refuse(s, "give 0 1 3", "promise 0 1 support", "ask", "drop", "yes", "no", "pass")
    play(s, "deal")
    refuse(s, "give 0 1 3", "promise 1 0 oppose 2", "ask", "I>M(1)", "hear", "deal")
    assert legal(s) == {"drop", "+A", "+B", "+C", "+D"} | legal(s, "@")
    play(s, "drop; hear; deal")
    refuse(s, "give 0 1 3", "ask", "pass")
    assert legal(s) == {"drop", "+A", "+B", "+C", "+D"} | legal(s, "@")


def test_q_neg_5_own_consents_need_deal_first() -> None:
    s = ready(3)
    put(s, D="00")
    play(s, "deal; D>G(0); give 0 1 3; ask; yes; =4")
    assert (hand(s, 0), hand(s, 1), inside(s, "G")) == ("", "3", "0")


def test_bounds_three_drafts_of_the_active_seat() -> None:
    s = asking()
    play(s, "I>M(2); drop; deal; drop; I>M(1); ask; no")  # dropped ones count
    refuse(s, "I>M(2)", "I>M(1)", "deal")
    play(s, "hear")
    assert {"I>M(2)", "deal"} <= legal(s)  # others may still open theirs
    play(s, "pass; pass; pass; @N>S")
    assert "deal" in legal(s)  # a new turn


def test_bounds_four_gives_and_two_promises() -> None:
    s = asking()
    hold(s, 1, "1111133")
    play(s, "I>M(2); give 1 0 1; give 1 0 1; give 1 0 1")  # equal gives may repeat
    assert "give 1 0 1" in legal(s)
    play(s, "give 1 3 3; promise 1 0 support")
    assert legal(s, "give") == set()
    refuse(s, "promise 1 0 support")  # equal promises may not
    play(s, "promise 0 1 support")
    assert legal(s) == {"ask", "drop"}


def test_bounds_a_refused_draft_is_not_asked_again_unchanged() -> None:
    s = asking()
    hold(s, 0, "35")
    play(s, "I>M(2); give 0 2 3; give 0 1 5; promise 0 2 support; promise 1 0 caesar; ask; yes; no")
    play(s, "I>M(2); promise 1 0 caesar; give 0 1 5; promise 0 2 support; give 0 2 3")  # the order is no difference
    refuse(s, "ask")
    play(s, "give 0 2 4")  # changed
    assert "ask" in legal(s)
    play(s, "drop; hear; pass; I>M(2); give 0 1 5; give 0 2 3; promise 0 2 support")
    assert "ask" in legal(s)
    play(s, "promise 1 0 caesar")
    refuse(s, "ask")  # not by anybody
    play(s, "drop; pass; I>M(2); give 0 2 3; give 0 1 5; promise 1 0 caesar; promise 0 2 support")
    refuse(s, "ask")
    play(s, "drop; @N>S")
    act_now(s, 0)
    play(s, "I>M(2); give 0 2 3; give 0 1 5; promise 0 2 support; promise 1 0 caesar; ask")  # in another turn
    assert GAME.rules.turn(s) == 1


def test_bounds_a_dropped_draft_may_be_asked() -> None:
    s = asking()
    play(s, "I>M(2); drop; I>M(2); ask")
    assert GAME.rules.turn(s) == 2


def test_bad_input() -> None:
    s = asking()
    hold(s, 0, "3")
    play(s, "deal; +A")
    refuse(s, "ask")  # there is no other party
    refuse(s, "give 0 1 5", "give 1 0 3", "give 0 0 3", "give 0 4 3", "give 4 0 1")
    refuse(s, "promise 0 0 support", "promise 4 0 support", "promise 0 4 caesar", "then @B>I")
    refuse(s, "promise 0 1 oppose 0", "promise 0 1 oppose 1", "promise 0 1 oppose 4")
    assert legal(s, "promise 0 1 oppose") == {"promise 0 1 oppose 2", "promise 0 1 oppose 3"}
    bad(s, "give 0 1", "give 0 1 6", "give 0 1 0", "give 0 5 3", "give  0 1 3", "Give 0 1 3", "give 0 1 2c", "")
    bad(s, "promise 0 1 pay 0", "promise 0 1 pay 6", "promise 0 1 pay", "promise 0 1 oppose", "promise 0 1 love")
    bad(s, "then B>I", "then", "asks", "ask ", "YES", "promise 0 1 support 2")
    play(s, "give 0 1 3")
    assert "ask" in legal(s)


def promised(*terms: str, n_seats: int = 4) -> Any:
    """Seat 0 entered A in a deal with these promises; it is seat 1's turn."""
    s = ready(n_seats)
    put(s, I="012")
    play(s, "; ".join(["deal; +A", *(f"promise {term}" for term in terms), "ask"]))
    while GAME.rules.turn(s) != 1 or legal(s) == {"yes", "no"}:
        play(s, "yes")
    assert sorted(promises(s)) == sorted(terms)
    return s


def test_promise_support_is_kept_by_a_consent() -> None:
    s = promised("2 1 support", "0 1 support")
    play(s, "I>M(2); ask; yes; =3")
    assert (fates(s, 2, 1), promises(s)) == ((1, 0, 0), ["0 1 support"])


def test_promise_support_is_not_kept_before_the_deal_is_carried_out() -> None:
    s = promised("2 1 support")
    play(s, "I>M(2); promise 3 1 support; ask; yes; no")
    assert (fates(s, 2, 1), promises(s)) == ((0, 0, 0), ["2 1 support"])


def test_promise_support_is_broken_by_a_no() -> None:
    s = promised("2 1 support")
    play(s, "I>M(2); ask; no")
    assert (fates(s, 2, 1), promises(s)) == ((0, 1, 0), [])


@pytest.mark.parametrize(
    "refused",
    [
        "I>M(2); give 2 1 1; ask; no",  # it demands a give of the promiser
        "I>M(0); promise 2 1 pay 1; ask; no",  # he is no consenter
        "deal; +B; promise 2 1 pay 1; ask; no",
        "I>M(2); promise 3 1 support; ask; yes; no",  # another said no
    ],
)
def test_promise_support_is_not_broken_by_another_no(refused: str) -> None:
    s = promised("2 1 support")
    play(s, refused)
    assert (fates(s, 2, 1), promises(s)) == ((0, 0, 0), ["2 1 support"])


def test_promise_support_binds_towards_the_receiver_only() -> None:
    s = promised("2 0 support")
    play(s, "I>M(2); ask; no; I>M(2); promise 1 2 support; ask; yes; =3")
    assert promises(s) == ["2 0 support", "1 2 support"]
    assert fates(s, 2, 0) == fates(s, 2, 1) == (0, 0, 0)


def test_promise_oppose_is_broken_by_a_consent() -> None:
    s = promised("2 0 oppose 1", "2 0 oppose 3")
    play(s, "I>M(2); ask; no")
    assert promises(s) == ["2 0 oppose 1", "2 0 oppose 3"]
    play(s, "I>M(2); give 1 2 4; ask; yes; =3")
    assert (fates(s, 2, 0), promises(s)) == ((0, 1, 0), ["2 0 oppose 3"])


def test_promise_caesar_is_broken_out_of_a_committee_of_the_receiver() -> None:
    s = promised("1 2 caesar")
    play(s, "@B>I")  # nobody of seat 2 is there
    assert promises(s) == ["1 2 caesar"]
    play(s, "@N>S; @I>M")  # by others
    assert promises(s) == ["1 2 caesar"]
    act_now(s, 1)
    play(s, "@N>S")
    act_now(s, 1)
    play(s, "@I>M")
    assert (fates(s, 1, 2), promises(s)) == ((0, 1, 0), [])


def test_promise_caesar_is_broken_after_a_two_with_caesar_too() -> None:
    for deal in ("; ask; yes; =3; @I>M", "; then @I>M; ask; yes"):
        s = promised("1 0 caesar")
        lay(s, "I>M", "2c")
        play(s, "I>M(2)" + deal)
        assert (fates(s, 1, 0), promises(s)) == ((0, 1, 0), [])


@pytest.mark.parametrize(
    ("gives", "kept"),
    [
        ("give 1 0 3", True),
        ("give 1 0 1; give 1 0 2", True),  # in one deal
        ("give 1 0 5", True),  # or more
        ("give 1 0 2", False),
        ("give 1 0 1; give 1 2 5", False),  # to somebody else
        ("give 0 1 4", False),
    ],
)
def test_promise_pay_is_kept_by_the_gives_of_one_deal(gives: str, kept: bool) -> None:
    s = promised("1 0 pay 3")
    hold(s, 1, "1235")
    hold(s, 0, "4")
    play(s, f"deal; +B; {gives}; ask; yes")
    if GAME.rules.turn(s) == 0:
        play(s, "yes")
    while legal(s) == {"yes", "no"}:
        play(s, "yes")
    assert GAME.rules.turn(s) == 2
    assert (fates(s, 1, 0), promises(s)) == (((1, 0, 0), []) if kept else ((0, 0, 0), ["1 0 pay 3"]))


def test_promise_pay_two_small_deals_are_not_one() -> None:
    s = promised("1 0 pay 3")
    hold(s, 1, "22")
    for _ in range(2):
        act_now(s, 1)
        play(s, "deal; +B; give 1 0 2; ask; yes")
    assert (hand(s, 0), promises(s)) == ("22", ["1 0 pay 3"])


def test_a_deal_never_affects_its_own_promises() -> None:
    s = asking()
    hold(s, 0, "5")
    play(s, "I>M(2); give 0 2 5; promise 0 2 pay 5; promise 2 0 support; ask; yes; =3")
    assert sorted(promises(s)) == ["0 2 pay 5", "2 0 support"]
    s = asking()
    play(s, "I>M(2); promise 2 1 oppose 0; ask; yes; yes; =3")
    assert promises(s) == ["2 1 oppose 0"]
    s = asking()
    play(s, "deal; @I>M; promise 0 2 caesar; ask; yes")
    assert (promises(s), fates(s, 0, 2)) == (["0 2 caesar"], (0, 0, 0))


@pytest.mark.parametrize("kind", ["support", "oppose 3", "caesar", "pay 5"])
@pytest.mark.parametrize("maker", [0, 1, 2])
def test_every_promise_lapses_at_the_end_of_the_fifth_turn(maker: int, kind: str) -> None:
    receiver = (maker + 1) % 3
    s = promised(f"{maker} {receiver} {kind}")
    # seat 1 is next; the turn in which it was made does not count, not even as the active seat's own
    last = {1: 4 * 4 + 1, 2: 4 * 4 + 2, 0: 4 * 4 + 4}[maker]
    idle(s, last - 1)
    assert (promises(s), fates(s, maker, receiver)) == ([f"{maker} {receiver} {kind}"], (0, 0, 0))
    assert GAME.rules.turn(s) == maker
    idle(s, 1)
    assert (promises(s), fates(s, maker, receiver)) == ([], (0, 0, 1))


def test_conservation_through_many_deals() -> None:
    s = ready(3)
    put(s, B="01122", D="001", J="0122")
    total = int(s.stack.sum()) + 10 + int(s.ones)
    assert total == 62
    for texts in (
        "B>I(1,2); give 0 1 3; give 1 2 1; give 2 0 1; ask; yes; yes; =2c",
        "B>I(2,2); give 2 0 1; give 2 0 1; give 1 0 2; ask; yes; yes; =5; -",
        "deal; J>S; give 0 2 1; give 0 1 1; ask; yes; yes",
    ):
        play(s, texts)  # checks the state after each ply
        held = sum(len(hand(s, seat)) for seat in range(3))
        assert held + int(s.ones) + int(s.stack.sum()) + int((s.laurels > 0).sum()) == total
