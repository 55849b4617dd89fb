"""The referee of Quo Vadis?: bargains and vows, deals while Caesar is to be placed, the last laurel of value 1."""

import pytest

from .quovadis import PLACES, Referee
from .quovadis_positions import BLACK, BLUE, RED, WHITE, check_material, hand, having, hold, play, put, quiet, ready

TARGETS = [place for place in PLACES if place != "J>S"]  # where Caesar can go at the start


def fates(game: Referee) -> list[str]:
    return [promise["fate"] for promise in game.promises]


def bargaining(*terms: str, seats: int = 4) -> Referee:
    """Red is active and hears, blue drafts a bargain with these terms; red and blue are in I."""
    game = ready(seats)
    put(game, "I", RED, BLUE)
    play(game, "hear", "bargain", *terms)
    return game


def placing(seats: int = 4) -> Referee:
    """Red has won a 2 with Caesar by consents of its own and has to place him."""
    game = ready(seats)
    put(game, "D", RED, RED, BLUE)
    play(game, "D>H(0)", "=5")
    assert game.placing and game.turn() == RED
    return game


def last_one() -> Referee:
    """One laurel of value 1 is left, in B blue, black and white can consent to a move of red."""
    game = ready(4)
    put(game, "B", RED, BLUE, BLACK, WHITE)
    hold(game, WHITE, *[1] * 17)
    assert game.ones == 1
    return game


def keep_bargaining(game: Referee, times: int) -> None:
    """So many bargains in this turn: each time the next two seats agree on a promise."""
    assert game.active is not None
    one, two = ((game.active + step) % game.seats for step in (1, 2))
    for _ in range(times):
        play(game, "hear", "bargain", f"promise {one} {two} support", "ask", "yes")


# ---- bargains ----


def test_Q_NEG_5_spellings() -> None:
    game = ready()
    for move in ("bargain", "refuse 1", "consent 1", "spare B>I", "one 2"):
        with pytest.raises(ValueError, match="not legal now"):
            game.read(move)
    for text in ("refuse", "consent B>I", "spare 1", "one", "bargain 1", "refuse  1"):
        with pytest.raises(ValueError, match="no move of this game"):
            game.read(text)


def test_Q_NEG_5_example_of_the_formats() -> None:
    """Black pays blue so that it does not let red move."""
    game = ready()
    put(game, "I", RED, BLUE)
    hold(game, BLACK, 3)
    play(game, "hear", "pass", "bargain", "give 2 1 3", "refuse 1", "ask")
    assert game.turn() == BLUE and game.legal() == ["no", "yes"]
    game.apply("yes")
    assert game.turn() == RED and game.draft is None and game.hearing == []
    assert hand(game, BLUE) == [3] and hand(game, BLACK) == [] and game.refusing == {BLUE} and game.bargains == 1
    assert having(game, "I>M") == set()
    check_material(game)


def test_Q_NEG_5_every_other_seat_may_open_a_bargain() -> None:
    game = ready()
    assert "bargain" not in game.legal()  # only after `hear`
    game.apply("hear")
    for seat in (BLUE, BLACK):
        assert game.turn() == seat and game.legal() == ["bargain", "deal", "pass"]  # nobody has laurels
        game.apply("pass")
    assert game.turn() == RED


def test_Q_NEG_5_a_bargain_has_no_action() -> None:
    game = bargaining()
    assert game.draft is not None and game.draft["bargain"] and game.draft["action"] is None
    terms = {"give", "promise", "refuse", "consent", "spare", "drop"}
    assert {move.split()[0] for move in game.legal()} <= terms
    assert game.drafts_opened == [0, 1, 0, 0]


def test_Q_NEG_5_a_dropped_or_refused_bargain_is_followed_by_the_next_seat() -> None:
    game = bargaining("drop")
    assert game.turn() == BLACK and game.hearing == [BLACK, WHITE]
    play(game, "bargain", "spare B>I", "ask")
    assert game.turn() == RED
    game.apply("no")
    assert game.turn() == WHITE and game.spared == set() and game.bargains == 0
    game.apply("pass")
    assert game.turn() == RED and "hear" not in game.legal()


def test_Q_NEG_5_a_bargain_carried_out_ends_the_hearing() -> None:
    game = bargaining("promise 1 2 support", "ask", "yes")
    assert game.turn() == RED and game.hearing == [] and game.turn_number == 1
    assert {"hear", "deal", "I>M(1)", "+A"} <= set(game.legal())


def test_Q_NEG_5_one_draft_each_hearing() -> None:
    game = bargaining("promise 1 2 support", "ask", "yes", "hear")
    assert game.turn() == BLUE and {"deal", "bargain", "I>M(1)"} <= set(game.legal())
    play(game, "deal", "drop")
    assert game.turn() == BLACK
    play(game, "pass", "pass")
    assert game.turn() == RED and "hear" not in game.legal()  # no bargain this time


def test_Q_NEG_5_parties_of_a_bargain() -> None:
    game = ready(5)
    hold(game, 2, 3)
    play(game, "hear", "bargain")
    assert "ask" not in game.legal()  # nobody
    game.apply("refuse 1")
    assert "ask" not in game.legal()  # only the drafter
    game.apply("promise 3 2 oppose 4")
    play(game, "ask")
    assert game.draft is not None and game.draft["waiting"] == [2, 3]  # neither the active seat nor the N of oppose
    play(game, "no", "bargain", "spare B>I", "ask")
    assert game.draft is not None and game.draft["waiting"] == [0]
    play(game, "no", "bargain", "give 2 4 3", "consent 1", "ask")  # the drafter is no party
    assert game.draft is not None and game.draft["drafter"] == 3 and game.draft["waiting"] == [4, 1, 2]
    play(game, "yes", "yes", "yes")
    assert hand(game, 4) == [3] and game.consenting == {1} and game.turn() == 0


def test_Q_NEG_5_a_refused_bargain_is_not_asked_again_unchanged() -> None:
    game = bargaining("promise 1 2 support", "refuse 2", "ask", "no")
    play(game, "pass", "bargain", "refuse 2", "promise 1 2 support")
    assert game.turn() == WHITE and "ask" not in game.legal()
    game.apply("drop")
    game = bargaining("promise 1 2 support", "refuse 2", "ask", "no", "pass", "bargain", "promise 1 2 support")
    assert "ask" in game.legal()
    game.apply("consent 2")
    assert "ask" in game.legal()  # another vow
    play(game, "drop", "deal", "+A", "promise 1 2 support")
    assert "ask" in game.legal()  # a deal is no bargain
    game = bargaining("promise 1 2 support", "ask", "no", "pass", "pass", "@B>I")
    play(game, "hear", "bargain", "promise 1 2 support")
    assert game.turn() == BLACK and "ask" in game.legal()  # another turn


def test_Q_NEG_5_gives_of_a_bargain_are_held_now() -> None:
    game = ready()
    put(game, "I", RED, BLUE)
    hold(game, BLACK, 5, 5)
    play(game, "hear", "bargain")
    assert having(game, "give") == {"give 2 0 5", "give 2 1 5"}
    game.apply("give 2 1 5")
    assert having(game, "give") == {"give 2 0 5", "give 2 1 5"}  # what blue gets cannot be passed on
    game.apply("give 2 0 5")
    assert having(game, "give") == set()
    play(game, "ask", "yes", "yes")
    assert [hand(game, seat) for seat in range(3)] == [[5], [5], []]
    game.apply("deal")
    game.apply("+A")
    assert having(game, "give 1") == {"give 1 0 5", "give 1 2 5"}  # held from now on
    check_material(game)


def test_Q_NEG_5_limits_of_a_draft() -> None:
    game = ready(4)
    hold(game, BLUE, *[2] * 5)
    play(game, "hear", "bargain", *["give 1 2 2"] * 4)
    assert having(game, "give") == set()
    play(game, "promise 1 2 support")
    assert "promise 1 2 support" not in game.legal() and having(game, "promise")
    game.apply("promise 1 2 pay 1")
    assert having(game, "promise") == set()
    assert len(having(game, "refuse")) == len(having(game, "consent")) == 3 and len(having(game, "spare")) == 9
    game.apply("spare B>I")
    assert game.legal() == ["ask", "drop"]  # one vow


def test_Q_NEG_5_at_most_fifteen_bargains() -> None:
    game = ready(4)
    keep_bargaining(game, 14)
    assert game.bargains == 14 and "hear" in game.legal()
    play(game, "hear", "pass")
    assert "bargain" in game.legal()
    play(game, "bargain", "promise 2 1 support", "ask", "yes")
    assert game.bargains == 15 and game.turn() == RED and "hear" not in game.legal()
    quiet(game)
    game.apply("hear")
    assert game.bargains == 0 and "bargain" in game.legal()  # another turn


def test_Q_NEG_5_fifteen_bargains_before_caesar_is_to_be_placed() -> None:
    game = ready(4)
    put(game, "D", RED, RED)
    keep_bargaining(game, 15)
    play(game, "D>H(0)", "=3")
    assert "hear" in game.legal()
    game.apply("hear")
    assert game.legal() == ["deal", "pass"]


def test_Q_NEG_5_at_most_64_open_promises() -> None:
    game = ready(4)
    for _ in range(4):
        keep_bargaining(game, 15)
        quiet(game)
    keep_bargaining(game, 3)
    assert fates(game).count("open") == 63
    play(game, "hear", "bargain")
    assert having(game, "promise")
    game.apply("promise 1 2 caesar")
    assert having(game, "promise") == set() and "ask" in game.legal()
    play(game, "drop", "pass", "pass", "deal", "+A", "promise 1 2 caesar")
    assert having(game, "promise") == set()  # in a deal as well
    play(game, "ask", "yes", "yes")
    assert fates(game).count("open") == 64
    play(game, "deal", "+C")
    assert having(game, "promise") == set()


# ---- vows ----


def test_Q_NEG_5_refuse() -> None:
    game = ready(4)
    put(game, "B", RED, RED, BLUE, BLACK, WHITE)
    play(game, "hear", "pass", "bargain", "refuse 1", "ask", "yes")
    pairs = ("0,2", "0,3", "2,3")
    moves = {f"B>{to}({pair})" for to in "IF" for pair in pairs}
    assert having(game, "B>") == moves
    game.apply("hear")
    assert having(game, "B>") == moves  # nor in the offers of others
    play(game, "pass", "pass", "pass", "+A")
    assert game.refusing == set()
    quiet(game)
    assert game.turn() == BLACK and {"B>I(0,1)", "B>I(1,3)"} <= set(game.legal())  # the vow is over with the turn


def test_Q_NEG_5_consent() -> None:
    game = ready(4)
    put(game, "B", RED, BLUE, BLACK)
    hold(game, BLUE, 2)
    hold(game, RED, 2)
    play(game, "hear", "pass", "bargain", "consent 1", "ask", "yes")
    assert game.consenting == {BLUE}
    play(game, "B>I(1,2)", "give 1 0 2", "ask")
    assert game.turn() == BLUE and game.legal() == ["no", "yes"]  # a give of it is demanded
    play(game, "no", "deal", "+A", "promise 1 0 support", "ask")
    assert game.turn() == BLUE and game.legal() == ["no", "yes"]  # no consent is used
    play(game, "no", "B>I(1,2)", "give 0 2 2", "promise 1 0 support", "ask")
    assert game.turn() == BLUE and game.legal() == ["yes"]
    with pytest.raises(ValueError):
        game.apply("no")
    game.apply("yes")
    assert game.turn() == BLACK and game.legal() == ["no", "yes"]
    game.apply("no")
    play(game, "hear", "pass", "bargain", "promise 1 2 support", "ask")
    assert game.turn() == BLUE and game.legal() == ["no", "yes"]  # a bargain uses no consent
    game.apply("no")
    play(game, "B>I(1,2)", "ask")
    assert game.turn() == RED and game.legal() == ["no", "yes"]  # drafted by white
    game.apply("yes")
    assert game.turn() == BLUE and game.legal() == ["yes"]
    play(game, "yes", "yes", "=3", "@N>S", "@M>S", "@N>S")
    put(game, "D", RED, BLUE)
    play(game, "D>G(1)", "ask")
    assert game.legal() == ["no", "yes"] and game.consenting == set()  # another turn


def test_Q_NEG_5_refuse_or_consent_once_a_turn_and_never_the_active_seat() -> None:
    game = bargaining()
    assert having(game, "refuse") == {"refuse 1", "refuse 2", "refuse 3"}
    assert having(game, "consent") == {"consent 1", "consent 2", "consent 3"}
    play(game, "refuse 2", "ask", "yes", "hear", "bargain")
    assert having(game, "refuse") == {"refuse 1", "refuse 3"} and having(game, "consent") == {"consent 1", "consent 3"}
    play(game, "consent 3", "ask", "yes", "hear", "bargain")
    assert having(game, "refuse") == {"refuse 1"} and having(game, "consent") == {"consent 1"}
    assert game.refusing == {2} and game.consenting == {3}


def test_Q_NEG_5_spare() -> None:
    game = ready(3)
    put(game, "D", RED, RED, BLUE)
    play(game, "hear", "bargain")
    assert having(game, "spare") == {"spare " + place for place in TARGETS}
    play(game, "spare B>I", "ask")
    assert game.turn() == RED
    game.apply("yes")
    assert game.spared == {"B>I"} and having(game, "@") == {"@" + place for place in TARGETS if place != "B>I"}
    game.apply("D>H(1)")
    assert having(game, "then") == {"then -"} | {"then @" + place for place in TARGETS if place != "B>I"}
    play(game, "drop", "deal")
    assert "@B>I" not in game.legal() and "@B>F" in game.legal()
    play(game, "drop", "hear", "bargain")
    assert having(game, "spare") == {"spare " + place for place in TARGETS if place != "B>I"}
    play(game, "drop", "pass", "D>H(0)", "=3")
    assert "@B>I" not in game.legal() and {"@B>F", "-"} <= set(game.legal())  # the same turn
    game.apply("-")
    assert "@B>I" in game.legal() and game.spared == set()


def test_Q_NEG_5_the_last_place_is_not_spared() -> None:
    game = ready(3)
    for place in TARGETS[:-1]:
        play(game, "hear", "bargain", "spare " + place, "ask", "yes")
    assert having(game, "@") == {"@" + TARGETS[-1]} and game.bargains == 8
    play(game, "hear", "bargain")
    assert having(game, "spare") == set() and having(game, "refuse")
    play(game, "drop", "pass", "@" + TARGETS[-1])
    assert game.caesar == "N>S" and "@J>S" in game.legal()


# ---- bargains and promises ----


def test_Q_NEG_5_promises_of_a_bargain() -> None:
    game = bargaining("promise 2 1 support", "promise 1 2 caesar", "ask", "yes")
    assert [(promise["maker"], promise["kind"], promise["turn"]) for promise in game.promises] == [
        (1, "caesar", 1),
        (2, "support", 1),
    ]
    ends: dict[int, int] = {}
    while len(ends) < 2:
        number = game.turn_number
        quiet(game)
        for index, fate in enumerate(fates(game)):
            if fate == "lapsed":
                ends.setdefault(index, number)
    assert ends == {0: 18, 1: 19}  # blue: turns 2 6 10 14 18; black: turns 3 7 11 15 19


def test_Q_NEG_5_gives_of_a_bargain_keep_pay_promises() -> None:
    game = bargaining("promise 2 1 pay 3", "ask", "yes")
    hold(game, BLACK, 2, 2, 4)
    play(game, "hear", "bargain", "give 2 1 2", "promise 2 1 pay 2", "ask", "yes")
    assert fates(game) == ["open", "open"]  # too little; the new one is about later
    play(game, "hear", "bargain", "give 2 1 4", "ask", "yes")
    assert fates(game) == ["kept", "kept"]


def test_Q_NEG_5_a_refused_bargain_breaks_no_support() -> None:
    game = bargaining("promise 2 0 support", "promise 1 0 support", "ask", "yes", "yes")
    play(game, "hear", "pass", "bargain", "consent 1", "ask", "no")
    assert fates(game) == ["open", "open"]


def test_Q_NEG_5_vows_neither_keep_nor_break_promises() -> None:
    game = bargaining("promise 1 0 support", "promise 2 1 oppose 0", "ask", "yes", "yes")
    play(game, "hear", "pass", "bargain", "refuse 1", "ask", "yes")
    play(game, "hear", "bargain", "consent 2", "ask", "yes")
    assert game.refusing == {BLUE} and game.consenting == {BLACK}
    assert fates(game) == ["open", "open"]
    game = bargaining("promise 1 0 support", "ask", "yes", "hear", "pass", "bargain", "consent 1", "ask", "yes")
    assert fates(game) == ["open"]
    play(game, "I>M(1)", "ask", "yes")
    assert fates(game) == ["kept"]  # the consent itself


# ---- while Caesar is to be placed ----


def test_Q_NEG_6_moves_while_caesar_is_to_be_placed() -> None:
    game = placing()
    places = {"@" + place for place in TARGETS}
    assert game.laurels_on_paths["D>H"] == "5"  # the new laurel is seen
    assert set(game.legal()) == {"-", "deal", "hear"} | places
    game.apply("deal")
    assert set(game.legal()) == {"-", "drop"} | places
    game.apply("drop")
    play(game, "deal", "drop", "deal", "drop")
    assert set(game.legal()) == {"-", "hear"} | places  # three drafts
    game.apply("-")
    assert game.turn() == BLUE and not game.placing and game.caesar == "J>S"


def test_Q_NEG_6_drafts_of_the_whole_turn_count() -> None:
    game = ready(4)
    put(game, "D", RED, BLUE)
    play(game, "deal", "drop", "D>H(1)", "drop", "D>H(1)", "ask", "yes", "=3")
    assert game.placing and "deal" not in game.legal() and "hear" in game.legal()


def test_Q_NEG_6_deal_about_the_place() -> None:
    game = placing()
    hold(game, BLUE, 4)
    quiet_turns = game.quiet_turns
    play(game, "deal", "@B>I")
    assert "ask" not in game.legal() and having(game, "then") == having(game, "one") == having(game, "refuse") == set()
    assert having(game, "spare") == set()
    gives = {f"give 1 {other} 4" for other in (0, 2, 3)} | {f"give 0 {other} 2" for other in (1, 2, 3)}
    assert having(game, "give") == gives and len(having(game, "promise")) == 12 * 9
    play(game, "give 1 0 4", "promise 2 0 support", "ask")
    assert game.draft is not None and game.draft["waiting"] == [1, 2]
    play(game, "yes", "yes")
    assert game.caesar == "B>I" and hand(game, RED) == [2, 4] and fates(game) == ["open"]
    assert game.turn() == BLUE and game.turn_number == 2 and game.quiet_turns == quiet_turns == 0
    check_material(game)


def test_Q_NEG_6_deal_to_leave_him() -> None:
    game = placing()
    hold(game, BLACK, 3)
    play(game, "deal", "-", "give 2 0 3", "ask", "yes")
    assert game.caesar == "J>S" and hand(game, RED) == [2, 3] and game.turn() == BLUE and game.quiet_turns == 0


def test_Q_NEG_6_a_refused_deal_is_not_asked_again_unchanged() -> None:
    game = placing()
    hold(game, BLUE, 4)
    play(game, "deal", "@B>I", "give 1 0 4", "ask", "no")
    assert game.turn() == RED and game.placing
    play(game, "deal", "@B>I", "give 1 0 4")
    assert "ask" not in game.legal()
    play(game, "drop", "deal", "-", "give 1 0 4")
    assert "ask" in game.legal()
    play(game, "drop", "hear", "deal", "@B>I", "give 1 0 4")
    assert "ask" in game.legal()  # the new laurel is seen


def test_Q_NEG_6_refused_before_the_action_is_refused_until_the_active_seat_hears_again() -> None:
    game = ready(4)
    put(game, "D", RED, RED)
    hold(game, BLUE, 4)
    play(game, "deal", "@B>I", "give 1 0 4", "ask", "no")
    play(game, "hear", "bargain", "spare B>I", "ask", "no", "pass", "pass", "D>H(0)", "=3")
    play(game, "deal", "@B>I", "give 1 0 4")
    assert "ask" not in game.legal()
    play(game, "drop", "hear", "bargain", "spare B>I")
    assert "ask" in game.legal()


def test_Q_NEG_5_what_was_refused_may_be_asked_again_after_a_bargain() -> None:
    game = bargaining("promise 1 2 support", "refuse 2", "ask", "no", "pass", "bargain", "refuse 1", "ask", "yes")
    play(game, "hear", "bargain", "promise 1 2 support", "refuse 2")
    assert "ask" in game.legal()


def test_Q_NEG_6_hear_once_more() -> None:
    game = ready(4)
    put(game, "D", RED, RED)
    play(game, "hear", "pass", "pass", "pass", "D>H(0)", "=3", "hear")
    assert game.turn() == BLUE and game.legal() == ["bargain", "deal", "pass"]
    play(game, "deal")
    assert {"-", "drop", "@B>I"} <= set(game.legal()) and "+A" not in game.legal()
    play(game, "drop", "pass", "deal", "@B>F", "ask")  # white; the active seat is a party
    assert game.turn() == RED and game.legal() == ["no", "yes"]
    game.apply("no")
    assert game.turn() == RED and game.placing and "hear" not in game.legal()
    game.apply("@B>F")
    assert game.turn() == BLUE and game.caesar == "B>F"


def test_Q_NEG_6_an_accepted_offer_ends_the_turn() -> None:
    game = placing()
    hold(game, BLUE, 3)
    play(game, "hear", "deal", "@B>F", "give 1 0 3", "ask", "yes")
    assert game.caesar == "B>F" and game.turn() == BLUE and game.turn_number == 2 and game.hearing == []


def test_Q_NEG_6_bargain_about_sparing_a_place() -> None:
    game = placing()
    hold(game, BLACK, 3)
    play(game, "hear", "pass", "bargain")
    assert having(game, "refuse") == having(game, "consent") == set()  # no consent is needed any more
    assert having(game, "spare") == {"spare " + place for place in TARGETS}
    play(game, "spare G>J", "give 2 0 3", "ask", "yes")
    assert game.turn() == RED and game.placing and hand(game, RED) == [2, 3]
    assert set(game.legal()) == {"-", "deal", "hear"} | {"@" + place for place in TARGETS if place != "G>J"}
    play(game, "hear", "deal")
    assert "@G>J" not in game.legal()
    play(game, "drop", "pass", "pass")
    assert "hear" not in game.legal()
    game.apply("@G>L")
    assert game.turn() == BLUE and game.spared == set()


def test_Q_NEG_6_vows_bind_over_the_whole_turn() -> None:
    """Also where the last place but one was spared before the action: `-` stays."""
    game = ready(3)
    put(game, "D", RED, RED)
    for place in TARGETS[:-1]:
        play(game, "hear", "bargain", "spare " + place, "ask", "yes")
    play(game, "deal", "D>H(0)")
    assert having(game, "then") == {"then -", "then @N>S"}
    play(game, "drop", "D>H(0)", "=3")
    assert having(game, "@") == {"@N>S"} and "-" in game.legal()
    play(game, "hear", "bargain")
    assert having(game, "spare") == set()


def test_Q_NEG_6_promises_and_the_place() -> None:
    game = ready(4)
    put(game, "D", RED, RED)
    put(game, "G", BLUE)
    play(game, "hear", "bargain", "promise 0 1 caesar", "promise 2 0 pay 2", "ask", "yes", "yes")
    hold(game, BLACK, 3)
    play(game, "D>H(0)", "=3", "deal", "@G>L", "give 2 0 3", "promise 0 1 caesar", "ask", "yes", "yes")
    assert fates(game) == ["broken", "kept", "open"]  # the new promise is about later


# ---- the last laurel of value 1 ----


def test_Q_MOV_4_one_goes_to_the_other_consenter() -> None:
    game = last_one()
    play(game, "B>I(1,2)")
    assert having(game, "one") == {"one 2"}
    assert having(game, "give 1") and having(game, "give 2") == set()
    game.apply("one 2")
    assert having(game, "one") == set()  # at most one
    assert having(game, "give 1") == set() and "give 2 0 1" in game.legal()
    play(game, "ask", "yes", "yes", "=3")
    assert hand(game, BLUE) == [] and hand(game, BLACK) == [1] and game.ones == 0
    check_material(game)


def test_Q_MOV_4_one_clockwise_from_the_mover() -> None:
    game = last_one()
    quiet(game)
    quiet(game)
    play(game, "B>I(0,3)")  # black moves: white is first
    assert having(game, "one") == {"one 0"}
    play(game, "ask", "yes", "yes", "=3")
    assert hand(game, RED) == [] and game.hands[WHITE][1] == 18


def test_Q_MOV_4_one_needs_gives_that_stay_payable() -> None:
    game = last_one()
    play(game, "B>I(1,2)", "give 1 0 1")
    assert having(game, "one") == set()
    play(game, "drop")
    game.hands[BLUE][1] += 1  # blue now has another one to give
    game.hands[WHITE][1] -= 1
    play(game, "B>I(1,2)", "give 1 0 1")
    assert having(game, "one") == {"one 2"}
    game.apply("one 2")
    assert having(game, "give 1") == set()
    play(game, "give 2 0 1", "ask", "yes", "yes", "=3")
    assert hand(game, RED) == [1, 1, 3] and hand(game, BLUE) == hand(game, BLACK) == []
    check_material(game)


def test_Q_MOV_4_no_choice_of_the_last_one() -> None:
    game = last_one()
    put(game, "B", RED)
    game.board["B"] = [RED, RED, BLUE, BLUE, BLACK]
    for move in ("B>I(0,1)", "B>I(1,1)"):  # not two other players
        game.apply(move)
        assert having(game, "one") == set()
        game.apply("drop")
    for left in (0, 2):
        game = last_one()
        hand_of_white, game.ones = game.hands[WHITE], left
        hand_of_white[1] = 18 - left
        game.apply("B>I(1,2)")
        assert having(game, "one") == set()


def test_Q_MOV_4_one_is_a_change_of_a_refused_deal() -> None:
    game = last_one()
    play(game, "B>I(1,2)", "ask", "no", "B>I(1,2)")
    assert "ask" not in game.legal()
    game.apply("one 2")
    assert "ask" in game.legal()
    play(game, "ask", "yes", "no", "B>I(1,2)", "one 2")
    assert "ask" not in game.legal()
