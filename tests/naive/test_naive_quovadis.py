"""The referee of Quo Vadis? against the rules page: board, actions, deals, ends, variants."""

from fractions import Fraction

import pytest

from .quovadis import CONSENTS, FACE_DOWN, PATHS, PLACES, SEATS_IN, Referee
from .quovadis_positions import (
    BLACK,
    BLUE,
    DEALT,
    RED,
    check_material,
    empty_stack,
    hand,
    having,
    hold,
    place_empty,
    play,
    put,
    quiet,
    ready,
)


def test_board() -> None:
    assert sum(SEATS_IN.values()) == 32 and len(SEATS_IN) == 14
    assert [path for path in PATHS if CONSENTS[SEATS_IN[path[0]]]] == PLACES
    assert all(path[0] < path[2] for path in PATHS)  # upward only
    assert {path[0] for path in PATHS} == set(SEATS_IN)
    assert sum(FACE_DOWN.values()) == 44


def test_players() -> None:
    for seats in (0, 1, 2, 6):
        with pytest.raises(ValueError):
            Referee(seats)
    with pytest.raises(ValueError):
        Referee(3, start_seat=3)
    with pytest.raises(ValueError):
        Referee(3, stall_rounds=-1)


def test_set_up() -> None:
    game = Referee(4)
    assert game.turn() == "chance"
    assert game.odds() == {f"=s{seat}": Fraction(1, 4) for seat in range(4)}
    assert Referee(4, start_seat=2).odds() == {"=s2": Fraction(1)}
    game.apply("=s3")
    assert game.odds_of("=2c") == Fraction(6, 44) and game.legal() == ["=2", "=2c", "=3", "=4", "=5"]
    game.apply("=2c")
    assert game.laurels_on_paths["B>I"] == "2c" and game.odds_of("=2c") == Fraction(5, 43)
    for bad in ("=1", "=6", "=s0", "3", "=", "=3c"):
        with pytest.raises(ValueError):
            game.read(bad)
    for _ in range(5):
        game.apply("=2c")
    assert "=2c" not in game.odds()
    game = ready()
    assert game.laurels_on_paths == dict(zip(PLACES, DEALT, strict=True))
    assert (game.caesar, game.turn(), game.turn_number, game.ones) == ("J>S", 0, 1, 18)
    assert game.off_board == [8, 8, 8] and sum(game.stack.values()) == 34
    with pytest.raises(ValueError):
        game.odds()
    with pytest.raises(ValueError):
        game.points()
    assert [ready(n, limited_ones=True).ones for n in (3, 4, 5)] == [10, 14, 18]
    assert Referee(3, open_hands=True, show_hands=True).legal() == ["=s0", "=s1", "=s2"]


def test_open_hands_on_demand() -> None:
    """Q-VAR-2: after the first three arrivals, clockwise from the next player, until one demands it."""
    game = ready(open_hands=True)
    put(game, "J", RED, BLUE, BLACK, RED)
    play(game, "J>S")
    assert (game.turn(), game.legal(), game.hands_shown) == (BLUE, ["pass", "show"], False)
    play(game, "pass", "pass")
    assert game.turn() == RED
    play(game, "pass")
    assert game.turn() == BLUE and "show" not in game.legal() and not game.hands_shown
    play(game, "J>S", "pass", "show")
    assert game.turn() == BLACK and game.hands_shown and "+B" in game.legal()
    play(game, "J>S")
    assert game.turn() == RED and not game.hands_shown and game.legal() == ["pass", "show"]
    play(game, "pass", "pass", "pass", "J>S")  # the fourth
    assert game.turn() == BLUE and "+B" in game.legal()
    game = ready()
    put(game, "J", RED)
    play(game, "J>S")
    assert "show" not in game.legal() and "+B" in game.legal()


def test_caesar_frees_the_whole_committee() -> None:
    """Q-VAR-4: also the other paths out of it; only the laurel under Caesar cannot be won."""
    for frees, others in (("path", {"G>L(1)"}), ("committee", {"G>L"})):
        game = ready(caesar_frees=frees)
        put(game, "G", RED, BLUE)
        game.caesar = "G>J"
        assert having(game, "G>") == {"G>J"} | others
    play(game, "G>L")
    assert hand(game, RED) == [2] and hand(game, BLUE) == [] and game.legal()[0][0] == "="
    with pytest.raises(ValueError):
        Referee(3, caesar_frees="all")


def test_first_turn() -> None:
    game = ready()
    caesar = {"@" + place for place in PLACES if place != "J>S"}
    assert set(game.legal()) == {"+A", "+B", "+C", "+D", "deal", "hear"} | caesar
    game.apply("+A")
    assert game.turn() == 1 and game.board["A"] == [0] and game.off_board[0] == 7
    assert having(game, "+") == {"+B", "+C", "+D"}
    play(game, "@M>S", "+B")
    assert game.caesar == "M>S" and game.turn_number == 4 and "@J>S" in game.legal() and "@M>S" not in game.legal()
    put(game, "B", 1, 1, 1, 2)
    put(game, "D", 2, 2, 2)
    put(game, "C", 2)
    assert having(game, "+") == set() and "A>E" in game.legal()
    game.off_board[0] = 0
    game.board["B"] = []
    assert having(game, "+") == set()


def test_spelling_is_strict() -> None:
    game = ready()
    put(game, "B", 0, 0, 1, 2)
    assert game.read("B>I(0,1)") == "B>I(0,1)"
    for bad in ("B>I(1,0)", "B>I", "B>I(1)", "B>I(0, 1)", "b>i(0,1)", " +A", "+A ", "+E", "Deal", "", "-", "-B", "yes"):
        with pytest.raises(ValueError):
            game.apply(bad)
    game.apply("deal")
    game.apply("+A")
    for bad in ("give 0 1 1", "give 0 0 1", "promise  0 1 support", "promise 0 1 pay 6", "promise 0 1 oppose", "ask"):
        with pytest.raises(ValueError):
            game.apply(bad)


# ---- the worked examples ----


def test_red_in_a_one_seat_committee_moves_freely() -> None:
    game = ready()
    put(game, "A", RED)
    hands = [dict(one) for one in game.hands]
    assert having(game, "A>") == {"A>E"}
    game.apply("A>E")
    assert game.board["E"] == [RED] and game.board["A"] == [] and game.hands == hands and game.turn() == BLUE
    game.apply("+A")
    play(game, "@M>S")
    put(game, "I", 1, 1, 1)
    assert "E>I" not in game.legal()  # no free seat


def test_blue_in_a_three_seat_committee_needs_one() -> None:
    game = ready()
    quiet(game)
    put(game, "I", BLUE, BLACK, RED)
    assert game.turn() == BLUE and having(game, "I>") == {"I>M(0)", "I>M(2)"}
    game.apply("I>M(2)")
    assert game.turn() == BLUE and game.draft is not None and game.draft["action"] == "I>M(2)"
    game.apply("ask")
    assert game.turn() == BLACK and game.legal() == ["no", "yes"] and game.draft["waiting"] == [BLACK]
    game.apply("yes")
    assert game.board["M"] == [BLUE] and hand(game, BLUE) == [3] and hand(game, BLACK) == [1]


def test_alone_in_a_bigger_committee() -> None:
    game = ready()
    put(game, "I", RED)
    put(game, "B", RED, BLUE)
    assert having(game, "I>") == having(game, "B>") == set()
    put(game, "B", BLUE)
    assert having(game, "B>") == {"B>I(1,1)", "B>F(1,1)"}


def test_black_consents_to_itself() -> None:
    game = ready()
    quiet(game)
    quiet(game)
    put(game, "B", BLACK, BLACK, BLACK, RED, BLUE)
    pairs = ("(0,1)", "(0,2)", "(1,2)", "(2,2)")
    assert having(game, "B>") == {"B>I" + pair for pair in pairs} | {"B>F" + pair for pair in pairs}
    game.apply("B>F(2,2)")
    assert game.turn() == "chance" and hand(game, BLACK) == [4] and game.ones == 18
    game.apply("=5")
    assert game.turn() == RED and game.laurels_on_paths["B>F"] == "5"


def test_blue_moves_with_consent_of_red() -> None:
    game = ready()
    quiet(game)
    put(game, "I", BLUE, RED)
    play(game, "I>M(0)", "ask", "yes")
    assert game.turn() == "chance" and game.laurels_on_paths["I>M"] is None
    assert hand(game, BLUE) == [3] and hand(game, RED) == [1] and game.ones == 17
    game.apply("=5")
    assert game.laurels_on_paths["I>M"] == "5" and game.turn() == BLACK
    check_material(game)


# ---- the five kinds of deals (red moves out of I, black consents) ----


def red_and_black() -> Referee:
    game = ready(4)
    put(game, "I", RED, BLACK)
    return game


def test_deal_promise() -> None:
    game = red_and_black()
    play(game, "I>M(2)", "promise 0 2 support", "ask")
    assert game.turn() == BLACK
    play(game, "yes", "=4")
    made = {"maker": RED, "receiver": BLACK, "kind": "support", "turn": 1, "fate": "open"}
    assert game.promises == [made] and game.board["M"] == [RED]


def test_deal_payment() -> None:
    game = red_and_black()
    hold(game, RED, 4)
    play(game, "I>M(2)", "give 0 2 4", "ask", "yes", "=4")
    assert hand(game, RED) == [3] and hand(game, BLACK) == [1, 4]
    check_material(game)


def test_deal_caesar_placed_as_agreed() -> None:
    game = red_and_black()
    put(game, "M", RED, BLACK)
    assert game.laurels_on_paths["M>S"] == "2c"
    play(game, "M>S(2)", "then @I>M")
    assert having(game, "then") == set()  # at most one
    play(game, "ask", "yes")
    assert game.caesar == "I>M" and game.turn() == "chance"  # at once, before the refill
    game.apply("=3")
    assert game.turn() == BLUE  # no Caesar decision
    assert game.senate == [RED] and hand(game, RED) == [2] and game.caesar == "I>M"


def test_deal_package() -> None:
    game = red_and_black()
    hold(game, RED, 1)
    play(game, "I>M(2)", "promise 0 2 support", "give 0 2 1", "promise 0 2 oppose 3")
    assert having(game, "promise") == set()  # two at most
    game.apply("ask")
    assert game.turn() == BLACK
    game.apply("yes")  # the N of oppose is no party
    assert game.turn() == "chance" and hand(game, BLACK) == [1, 1]
    assert [promise["kind"] for promise in game.promises] == ["oppose 3", "support"]


def test_deal_split_with_change() -> None:
    game = red_and_black()
    hold(game, BLACK, 1)  # 3 and 1 won, to be shared 2 to 2: the 3 for two 1, one of them just won
    play(game, "I>M(2)", "give 0 2 3", "give 2 0 1", "give 2 0 1")
    assert "give 2 0 1" not in game.legal() and "give 2 1 1" not in game.legal() and "give 0 2 3" not in game.legal()
    play(game, "ask", "yes", "=5")
    assert hand(game, RED) == [1, 1] and hand(game, BLACK) == [3]
    check_material(game)


# ---- drafts ----


def test_deal_opens_an_action_that_needs_nobody() -> None:
    game = ready()
    put(game, "B", 0, 0, 0, 1)
    put(game, "A", 0)
    game.apply("deal")
    assert game.draft is not None and game.draft["action"] is None and game.turn() == 0
    assert having(game, "B>") == {"B>I(0,0)", "B>F(0,0)"}  # none that opens a draft by itself
    assert {"+B", "A>E", "@M>S", "drop"} <= set(game.legal())
    assert not {"deal", "hear", "ask", "J>S"} & set(game.legal()) and having(game, "promise") == set()
    game.apply("@B>I")
    assert "ask" not in game.legal() and "drop" in game.legal() and having(game, "give") == having(game, "@") == set()
    game.apply("promise 1 2 support")  # now seats 1 and 2 are parties
    game.apply("ask")
    assert game.draft["waiting"] == [1, 2]
    play(game, "yes", "yes")
    assert game.caesar == "B>I" and game.turn() == 1 and len(game.promises) == 1


def test_terms_of_a_draft() -> None:
    game = ready(4)
    put(game, "I", 0, 1)
    hold(game, 2, 5, 5)
    hold(game, 0, 3)
    game.apply("I>M(1)")
    assert having(game, "then") == set()  # it wins a 3
    gives = {f"give 2 {other} 5" for other in (0, 1, 3)} | {f"give 0 {other} 3" for other in (1, 2, 3)}
    assert having(game, "give") == gives | {f"give 1 {other} 1" for other in (0, 2, 3)}
    # each pair: support, caesar, pay 1 to 5, oppose each of two third seats
    assert len(having(game, "promise")) == 12 * 9
    assert having(game, "promise 0 1 oppose") == {"promise 0 1 oppose 2", "promise 0 1 oppose 3"}
    play(game, "promise 3 0 pay 2")
    assert "promise 3 0 pay 2" not in game.legal() and "promise 3 0 pay 3" in game.legal()
    play(game, "give 0 1 3", "give 2 0 5", "give 0 1 3")  # the one held and the one won
    assert having(game, "give 0") == set() and len(having(game, "give")) == 6
    game.apply("give 2 0 5")
    assert having(game, "give") == set()  # four at most
    game.apply("ask")
    assert game.draft is not None and game.draft["waiting"] == [1, 2, 3]
    play(game, "yes", "yes", "yes", "=3")
    assert hand(game, 0) == [5, 5] and hand(game, 1) == [1, 3, 3] and hand(game, 2) == []
    check_material(game)


def test_what_is_given_cannot_be_given_on() -> None:
    game = ready()
    put(game, "I", 0, 1)
    play(game, "I>M(1)", "give 0 1 3")
    assert "give 1 2 3" not in game.legal()


def test_first_no_ends_it_and_it_may_not_be_asked_again() -> None:
    game = ready(4)
    put(game, "I", 0, 1, 2)
    hold(game, 0, 2, 4)
    play(game, "I>M(2)", "give 0 2 2", "promise 3 0 caesar", "give 0 3 4", "ask")
    assert game.draft is not None and game.draft["waiting"] == [2, 3] and game.turn() == 2
    game.apply("no")
    assert game.turn() == 0 and game.draft is None and game.drafts_opened[0] == 1
    play(game, "I>M(2)", "give 0 3 4", "give 0 2 2", "promise 3 0 caesar")  # in another order
    assert "ask" not in game.legal()
    game.apply("promise 3 0 support")
    assert "ask" in game.legal()
    game.apply("drop")
    game.apply("hear")
    assert game.turn() == 1
    play(game, "I>M(2)", "promise 3 0 caesar", "give 0 3 4", "give 0 2 2")
    assert "ask" not in game.legal()  # by anybody
    game.apply("drop")
    play(game, "pass", "I>M(2)", "give 0 2 2", "ask")
    assert game.turn() == 0  # clockwise from the drafting seat 3: 0, then 2
    play(game, "yes", "no")
    assert game.turn() == 0 and game.hearing == [] and "hear" not in game.legal()
    quiet(game)
    quiet(game)
    quiet(game)
    quiet(game)
    play(game, "I>M(2)", "give 0 3 4", "give 0 2 2", "promise 3 0 caesar", "ask")  # another turn


def test_three_drafts_dropped_ones_count() -> None:
    game = ready()
    put(game, "I", 0, 1)
    play(game, "deal", "drop", "I>M(1)", "drop")
    assert {"deal", "I>M(1)"} <= set(game.legal())
    play(game, "deal", "+A", "drop")
    assert not {"deal", "I>M(1)"} & set(game.legal()) and {"+A", "hear", "@M>S"} <= set(game.legal())
    game.apply("hear")
    assert {"deal", "I>M(1)", "pass"} <= set(game.legal())  # the others still may
    assert game.drafts_opened == [3, 0, 0]


def test_hear() -> None:
    game = ready(4)
    put(game, "B", 0, 0, 0, 1, 3)
    quiet(game)
    assert game.turn() == 1
    game.apply("hear")
    assert game.turn() == 2 and game.hearing == [2, 3, 0]
    offers = {"pass", "deal", "bargain"}
    assert set(game.legal()) == offers | {f"B>{to}({pair})" for to in "IF" for pair in ("0,0", "0,3")}
    play(game, "pass", "deal")
    assert game.turn() == 3 and {"+A", "@J>S", "drop"} <= set(game.legal()) and having(game, "B>") == set()
    play(game, "+A")
    assert "ask" in game.legal()  # the active seat is a party
    play(game, "ask")
    assert game.turn() == 1
    game.apply("no")
    assert game.turn() == 0  # no pass follows; the next seat
    play(game, "B>I(0,3)", "promise 1 2 support", "ask")
    assert game.draft is not None and game.draft["waiting"] == [1, 2, 3]  # the drafting seat consents by drafting
    play(game, "yes", "yes", "yes")
    assert game.turn() == "chance" and hand(game, 1) == [3] and hand(game, 0) == hand(game, 3) == [1]
    game.apply("=3")
    assert game.turn() == 2 and game.drafts_opened == [0] * 4 and not game.heard


def test_an_accepted_offer_ends_the_hearing() -> None:
    game = ready(5)
    play(game, "hear", "deal", "@B>I", "ask", "yes")
    assert game.turn() == 1 and game.turn_number == 2 and game.caesar == "B>I" and game.hearing == []
    play(game, "hear", "pass", "pass", "pass", "pass")
    assert game.turn() == 1 and "hear" not in game.legal()


def test_third_party_drafts_for_others() -> None:
    game = ready()
    put(game, "I", 0, 1)
    play(game, "hear", "pass", "I>M(1)", "ask")
    assert game.draft is not None and game.draft["drafter"] == 2 and game.draft["waiting"] == [0, 1]
    play(game, "yes", "yes")
    assert game.board["M"] == [0]


def test_own_consents_in_a_deal() -> None:
    game = ready()
    put(game, "B", 0, 0, 0)
    hold(game, 0, 2)
    play(game, "deal", "B>I(0,0)", "give 0 1 3", "ask")
    play(game, "yes")
    assert hand(game, 0) == [2] and hand(game, 1) == [3]


# ---- laurels and Caesar ----


def test_two_consents_of_one_seat() -> None:
    game = ready()
    put(game, "B", 0, 1, 1, 2)
    play(game, "B>I(1,1)", "ask")
    assert game.draft is not None and game.draft["waiting"] == [1]
    play(game, "yes")
    assert hand(game, 1) == [1, 1] and game.ones == 16


def test_ones_run_out_clockwise_from_the_mover() -> None:
    game = ready(4)
    put(game, "B", 0, 2, 3)
    quiet(game)
    quiet(game)
    hold(game, 1, *[1] * 17)
    play(game, "B>I(0,3)")
    assert having(game, "give 3") == {f"give 3 {other} 1" for other in (0, 1, 2)} and having(game, "give 0") == set()
    play(game, "ask", "yes", "yes", "=3")
    assert hand(game, 3) == [1] and hand(game, 0) == [] and game.ones == 0
    quiet(game)
    put(game, "B", 0, 0)
    play(game, "B>I(0,3)", "ask", "yes")
    assert hand(game, 3) == [1] and hand(game, 0) == [3]
    check_material(game)


def test_two_consents_of_one_seat_with_one_one_left() -> None:
    game = ready()
    put(game, "B", 0, 1, 1)
    hold(game, 2, *[1] * 17)
    play(game, "B>I(1,1)", "ask", "yes")
    assert hand(game, 1) == [1] and game.ones == 0


def test_empty_stack_and_empty_place() -> None:
    game = ready()
    put(game, "I", 0, 1)
    put(game, "B", 2, 2, 2)
    empty_stack(game)
    play(game, "I>M(1)", "ask", "yes")
    assert game.turn() == 1 and game.laurels_on_paths["I>M"] is None and hand(game, 0) == [3]
    put(game, "I", 2)
    play(game, "I>M(2)")
    assert having(game, "give 1") == {"give 1 0 1", "give 1 2 1"}  # only what it holds: nothing lies there
    play(game, "ask", "yes")
    assert game.turn() == 2 and hand(game, 1) == [1] and hand(game, 2)[0] == 1 and game.ones == 16
    assert "@I>M" in game.legal()  # Caesar may be put on an empty place
    game.apply("@I>M")
    assert game.turn() == 0 and game.caesar == "I>M"
    check_material(game)


def test_no_refill_without_a_laurel_won() -> None:
    game = ready()
    put(game, "I", 0, 1)
    place_empty(game, "I>M")
    play(game, "I>M(1)", "ask", "yes")
    assert game.turn() == 1 and game.laurels_on_paths["I>M"] is None and hand(game, 1) == [1]


def test_caesar_path() -> None:
    game = ready()
    put(game, "J", 0, 0, 0, 1, 1)
    assert having(game, "J>") == {"J>S"}
    game.apply("J>S")
    assert game.turn() == 1 and game.senate == [0] and game.laurels_on_paths["J>S"] == "4" and game.ones == 18
    assert hand(game, 0) == hand(game, 1) == []
    game.apply("deal")
    game.apply("J>S")
    assert having(game, "give") == having(game, "then") == set()
    play(game, "drop", "@I>M")
    put(game, "I", 2)
    game.apply("I>M")  # a lone senator
    assert game.board["M"] == [2]
    assert game.turn() == 0 and having(game, "J>") == {"J>S(0,1)", "J>S(1,1)"}


def test_caesar_decision_after_a_2c() -> None:
    game = ready()
    put(game, "D", 0, 0, 1)
    game.apply("D>H(0)")
    assert game.turn() == "chance" and hand(game, 0) == [2]
    game.apply("=2c")
    places = {"@" + place for place in PLACES if place != "J>S"}
    assert game.turn() == 0 and set(game.legal()) == {"-", "deal", "hear"} | places
    game.apply("-")
    assert game.turn() == 1 and game.caesar == "J>S" and game.laurels_on_paths["D>H"] == "2c"
    put(game, "D", 1, 1)
    game.board["H"] = []
    game.off_board[0] += 1
    play(game, "D>H(0)", "ask", "yes", "=3", "@D>H")
    assert game.caesar == "D>H" and game.turn() == 2
    check_material(game)


def test_caesar_decision_with_an_empty_stack_or_given_away() -> None:
    game = ready()
    put(game, "D", 0, 1)
    empty_stack(game)
    play(game, "D>H(1)", "give 0 1 2")
    assert having(game, "then") == {"then -"} | {"then @" + place for place in PLACES if place != "J>S"}
    play(game, "ask", "yes")
    assert game.turn() == 0 and "-" in game.legal() and hand(game, 1) == [1, 2] and hand(game, 0) == []


def test_then_leave_him() -> None:
    game = ready()
    put(game, "D", 0, 1)
    play(game, "D>H(1)", "then -", "ask", "yes", "=3")
    assert game.turn() == 1 and game.caesar == "J>S"


# ---- the end ----


def test_fifth_senator_ends_the_game_at_once() -> None:
    game = ready(4)
    put(game, "S", 2, 1, 2, 1)
    put(game, "M", 0, 3)
    hold(game, 3, 5, 5)
    hold(game, 1, 3)
    play(game, "M>S(3)")  # over a 2 with Caesar
    assert having(game, "then") == set()
    play(game, "give 3 0 1", "give 0 3 2", "promise 0 3 support", "ask", "yes")
    assert game.turn() == "over" and game.legal() == [] and game.end() == "senate-full"
    assert game.laurels_on_paths["M>S"] is None  # no refill
    assert game.points() == [1, 3, 0, 12] and game.tiebreak() == [3, 2, 1, 0]
    assert game.winners() == [1]  # seat 3 has most but no senator in the Senate
    assert game.promises[0]["fate"] == "open"
    with pytest.raises(ValueError):
        game.apply("+A")
    with pytest.raises(ValueError):
        game.odds()


def test_tie_goes_to_the_earlier_senator() -> None:
    game = ready()
    put(game, "S", 2, 1, 2, 1)
    put(game, "J", 0)
    hold(game, 2, 3)
    hold(game, 1, 1, 2)
    hold(game, 0, 1, 1, 1)
    game.apply("J>S")
    assert game.points() == [3, 3, 3] and game.winners() == [2] and game.tiebreak() == [3, 2, 1]


def test_stalled() -> None:
    game = ready(stall_rounds=2)
    hold(game, 1, 5)
    for _ in range(5):
        quiet(game)
    assert game.quiet_turns == 5
    game.apply("+A")
    assert game.quiet_turns == 0
    for _ in range(6):
        assert game.turn() != "over"
        quiet(game)
    assert game.turn() == "over" and game.end() == "stalled"
    assert game.points() == [0, 5, 0] and game.tiebreak() == [0, 0, 0] and game.winners() == []
    game = ready()
    put(game, "S", 2)
    for _ in range(30):
        quiet(game)
    assert game.end() == "stalled" and game.winners() == [2]
    game = ready(stall_rounds=0)
    for _ in range(100):
        quiet(game)
    assert game.turn() != "over"


# ---- promises ----
