"""The desk of Quo Vadis?: what all parties of a live table accepted becomes moves of the log, and nothing else does."""

import random
from typing import Any

import pytest

from conftest import CHECKS, walk
from quovadis_positions import (
    act_now,
    arrive,
    caesar,
    caesar_at,
    fates,
    hand,
    hold,
    hold_all,
    inside,
    lay,
    play,
    promises,
    put,
    ready,
)
from rostra.engine.game import CHANCE, OVER, BadNotation, CannotPay, IllegalMove, RostraError, copy
from rostra.games.quovadis import QUO_VADIS as GAME
from rostra.games.quovadis.deals import parties as parties_of
from rostra.server.seen import draft_info

assert GAME.desk is not None
DESK = GAME.desk


def asking(n_seats: int = 4) -> Any:
    """Red, blue and black sit in I; it is red's turn; a 4 lies on I>M."""
    s = ready(n_seats)
    put(s, I="012")
    return s


def texts(s: Any, moves: list[int]) -> str:
    return "; ".join(GAME.notation.text(s, move) for move in moves)


def carry_out(s: Any, *terms: str) -> list[int]:
    """Make the deal, checking every ply; returns the parties."""
    moves, parties = DESK.deal(s, terms)
    bound = None
    for move in moves:
        assert move in GAME.legal_moves(s)
        if GAME.notation.text(s, move) == "ask":
            bound = int(parties_of(s))
            assert (DESK.draft(s)[0], sorted(DESK.draft(s)[1:])) == (terms[0], sorted(terms[1:]))
        GAME.rules.apply(s, move)
        CHECKS[GAME.name](s)
    assert bound == sum(1 << party for party in parties)
    return parties


def refused(s: Any, words: str, *terms: Any, error: type[RostraError] = IllegalMove) -> None:
    """These terms cannot be a deal, and finding that out changes nothing."""
    before = s.tobytes()
    with pytest.raises(error, match=words):
        DESK.deal(s, terms)
    assert s.tobytes() == before


def test_a_consent_without_terms() -> None:
    s = asking()
    moves, parties = DESK.deal(s, ["I>M(2)"])
    assert (texts(s, moves), parties) == ("I>M(2); ask; yes", [0, 2])


def test_q_neg_4_an_offer_of_anybody_enters_as_the_active_seats_draft() -> None:
    s = asking()
    hold_all(s, "0:33 3:5")
    before = s.tobytes()
    moves, parties = DESK.deal(s, ["I>M(2)", "promise 1 0 support", "give 3 2 5", "give 0 3 3"])
    assert texts(s, moves) == "I>M(2); give 0 3 3; give 3 2 5; promise 1 0 support; ask; yes; yes; yes"
    assert parties == [0, 1, 2, 3]
    assert s.tobytes() == before


def test_q_neg_5_an_action_that_needs_nobody_is_opened_with_deal() -> None:
    s = ready(3)
    hold(s, 1, "3")
    moves, _ = DESK.deal(s, ["+B", "give 1 0 3"])
    assert texts(s, moves) == "deal; +B; give 1 0 3; ask; yes"
    assert carry_out(s, "+B", "give 1 0 3") == [0, 1]
    assert (inside(s, "B"), hand(s, 0), GAME.rules.turn(s)) == ("0", "3", 1)
    assert carry_out(s, "@D>G", "promise 0 1 caesar") == [0, 1]
    assert (caesar_at(s), promises(s), GAME.rules.turn(s)) == ("D>G", ["0 1 caesar"], 2)
    put(s, I="22")
    assert carry_out(s, "I>M(2)", "promise 2 0 support") == [0, 2]  # the mover consents to himself
    assert inside(s, "M") == "2"


def test_three_parties_change_and_then() -> None:
    s = ready(4, start=1)
    put(s, J="1023")
    caesar(s, "B>I")
    lay(s, "J>S", "2c")
    hold_all(s, "1:3 0:1")
    assert carry_out(s, "J>S(0,2)", "then @M>S", "give 0 1 1", "give 1 0 3", "promise 1 2 support") == [0, 1, 2]
    assert (inside(s, "S"), hand(s, 0), hand(s, 1), hand(s, 2)) == ("1", "13", "12", "1")
    assert (caesar_at(s), promises(s), GAME.rules.turn(s)) == ("M>S", ["1 2 support"], CHANCE)
    play(s, "=5")
    assert GAME.rules.turn(s) == 2  # `then` has settled Caesar


@pytest.mark.parametrize(
    ("terms", "error", "words"),
    [
        ([], BadNotation, "a deal begins with the action of the active seat"),
        (["give 0 2 3", "I>M(2)"], BadNotation, "a deal begins with the action of the active seat"),
        (["I>M(2)", "+A"], BadNotation, "a deal begins with the action of the active seat"),
        (["I>M(2)", "ask"], BadNotation, "'ask' is no term of a deal: terms look like"),
        (["I>M(2)", "give me more"], BadNotation, "is no term of a deal"),
        (["I>M(2)", 3], BadNotation, "3 is no term of a deal"),
        (["I>M(2)", ["ask"]], BadNotation, "is no term of a deal"),
        (["-", "give 0 2 3"], IllegalMove, "'-' cannot be the action of seat 0 now"),
        (["I>M(3)"], IllegalMove, r"'I>M\(3\)' cannot be the action of seat 0 now; it can do \+A \+B .*I>M\(1\)"),
        (["A>E", "give 0 2 3"], IllegalMove, "cannot be the action of seat 0"),
        (["+A"], IllegalMove, r"no other seat is part of this deal; seat 0 can do \+A alone"),
        (["I>M(2)", "give 0 2 5"], CannotPay, r"^'give 0 2 5' cannot be paid now \(Q-NEG-3\)$"),
        (["I>M(2)", *["give 0 2 3"] * 3], CannotPay, r"^'give 0 2 3' cannot be paid now \(Q-NEG-3\)$"),
        (["I>M(2)", "give 1 2 4"], CannotPay, r"^'give 1 2 4' cannot be paid now \(Q-NEG-3\)$"),
        (["I>M(2)", "give 0 4 3"], IllegalMove, "names seat 4; the seats are 0 to 3"),
        (["I>M(2)", "give 0 0 3"], IllegalMove, "names seat 0 twice"),
        (["I>M(2)", *["give 0 2 1"] * 5], CannotPay, r"^'give 0 2 1' cannot be paid now \(Q-NEG-3\)$"),
        (
            [
                "I>M(2)",
                *(f"promise {n} {m} pay {v}" for n in range(4) for m in range(4) if n != m for v in range(1, 6)),
            ],
            IllegalMove,
            "too many terms",
        ),
        (["I>M(2)", "then -", "then @B>I"], IllegalMove, "at most one `then`"),
        (["I>M(2)", "one 2"], IllegalMove, "'one 2' is for the last laurel of value 1"),
        (["bargain"], IllegalMove, "a bargain needs two players"),
        (["bargain", "refuse 1"], IllegalMove, "a bargain needs two players"),
        (["bargain", "give 1 2 4"], CannotPay, r"^'give 1 2 4' cannot be paid now \(Q-NEG-3\)$"),
        (["bargain", "promise 1 2 support", "refuse 0"], IllegalMove, "'refuse 0' needs another seat than 0"),
        (["bargain", "promise 1 2 support", "spare J>S"], IllegalMove, "'spare J>S' is not possible"),
        (["I>M(2)", "then @B>I"], IllegalMove, "needs an action that wins a 2 with Caesar"),
        (["I>M(2)", "promise 0 2 support", "promise 0 2 support"], IllegalMove, "is in the deal twice"),
        (["I>M(2)", "promise 0 2 oppose 2"], IllegalMove, "names seat 2 twice"),
        (["I>M(2)", "promise 0 2 oppose 4"], IllegalMove, "names seat 4"),
    ],
)
def test_what_cannot_be_a_deal_is_said_and_changes_nothing(terms: list[Any], error: Any, words: str) -> None:
    s = asking()
    hold(s, 0, "33")
    refused(s, words, *terms, error=error)


def test_q_hid_1_the_desk_is_the_same_whatever_others_hold() -> None:
    """R4: two worlds that differ only in the values of laurels offer the same, with the same parties and problems."""
    one, two = asking(), asking()
    hold(one, 1, "355")
    hold(two, 1, "112")
    drafts = [
        ["I>M(2)"],
        ["I>M(2)", "give 1 0 5"],
        ["I>M(2)", "give 1 0 2", "give 2 1 4"],
        ["+A", "give 1 0 3"],
        ["+A"],
    ]
    for terms in ([], *drafts):
        assert draft_info(GAME, one, terms) == draft_info(GAME, two, terms)
    offered = draft_info(GAME, one, ["I>M(2)"])
    assert {f"give {giver} 0 {value}" for giver in (1, 2, 3) for value in range(1, 6)} <= set(offered.more)
    assert draft_info(GAME, one, ["I>M(2)", "give 3 1 5"]).parties == [0, 1, 2, 3], "nobody asks yet who can pay"
    refused(one, "^'give 1 0 2' cannot be paid now", "I>M(2)", "give 1 0 2", error=CannotPay)
    refused(two, "^'give 1 0 5' cannot be paid now", "I>M(2)", "give 1 0 5", error=CannotPay)


def test_then_where_caesar_stands_or_at_the_fifth_arrival() -> None:
    s = ready(3)
    put(s, M="01", N="2")
    caesar(s, "B>I")
    lay(s, "M>S", "2c")
    refused(s, "Caesar stands there", "M>S(1)", "then @B>I")
    arrive(s, "0012")
    refused(s, "does not end the game", "M>S(1)", "then @B>F")


@pytest.mark.parametrize("plies", ["hear", "I>M(2)", "deal", "I>M(2); ask"])
def test_a_deal_needs_the_active_seat_at_its_action(plies: str) -> None:
    s = asking()
    play(s, plies)
    refused(s, "while the active seat is to act or to place Caesar", "I>M(2)")


def test_no_deal_while_chance_or_nobody_decides() -> None:
    s = asking()
    lay(s, "I>M", "2c")
    carry_out(s, "I>M(2)")
    refused(s, "while the active seat is to act or to place Caesar", "I>M(2)")
    over = [state for state, _ in walk(GAME, 3, 1)][-1]
    assert GAME.rules.turn(over) == OVER
    refused(over, "while the active seat is to act or to place Caesar", "+A")


def test_a_refused_draft_and_too_many_drafts() -> None:
    s = asking()
    play(s, "I>M(2); ask; no")
    refused(s, "was refused in this turn", "I>M(2)")
    assert DESK.deal(s, ["I>M(2)", "promise 0 2 support"])[1] == [0, 2]
    play(s, "I>M(1); drop; I>M(1); drop")
    refused(s, "has drafted 3 deals in this turn", "I>M(1)")


def test_the_order_of_terms_is_no_difference() -> None:
    s = asking()
    hold_all(s, "0:33 2:1 3:2")
    terms = ["give 0 2 3", "give 0 2 3", "give 2 0 1", "give 3 1 2", "promise 3 0 pay 2", "promise 0 2 support"]
    expected = DESK.deal(s, ["I>M(2)", *terms])
    for seed in range(10):
        assert DESK.deal(s, ["I>M(2)", *random.Random(seed).sample(terms, len(terms))]) == expected


def test_deals_of_random_tables_replay_ply_by_ply() -> None:
    """Terms are thrown together blindly; what the desk takes the engine takes, with the same parties."""
    made = 0
    for seed in range(3):
        chooser = random.Random(seed)
        s = GAME.new(3 + seed, {"consul_election": "on"} if seed == 0 else None)
        numbers: list[int] = []
        while GAME.rules.turn(s) != OVER:
            if GAME.screen.view(s, None)["phase"] != "act":
                moves = GAME.legal_moves(s)
                GAME.rules.apply(s, chooser.choice(moves))
                continue
            numbers.append(DESK.turn(s))
            silent = [move for move in GAME.legal_moves(s) if not GAME.play.talks(s, move)]
            for _ in range(20):
                terms = thrown_together(s, chooser)
                before = s.tobytes()
                try:
                    DESK.deal(s, terms)
                except IllegalMove:
                    assert s.tobytes() == before
                    continue
                carry_out(s, *terms)
                made += 1
                break
            else:
                GAME.rules.apply(s, chooser.choice(silent))
        assert len(set(numbers)) == len(numbers)  # every turn has a number of its own, in elections too
    assert made > 100


def thrown_together(s: Any, chooser: random.Random) -> list[str]:
    n = int(s.n)
    actions = [GAME.notation.text(s, move) for move in GAME.legal_moves(s)]
    action = chooser.choice([text for text in actions if text not in ("deal", "hear")])
    two = [chooser.sample(range(n), 2) for _ in range(5)]
    gives = [f"give {one} {other} {chooser.choice((1, 2, 3))}" for one, other in two[: chooser.randrange(3)]]
    kinds = ["support", "caesar", "pay 2", "oppose 0"]
    vows = [f"promise {one} {other} {chooser.choice(kinds)}" for one, other in two[3 : 3 + chooser.randrange(3)]]
    then = chooser.choice([[], [], ["then @G>J"], ["then -"]])
    return [action, *chooser.sample([*gives, *vows, *then], len(gives) + len(vows) + len(then))]


def test_every_draft_that_the_engine_carries_out_is_a_deal_of_the_desk() -> None:
    compared = 0
    for seed in range(4):
        at_action = None
        for s, move in walk(GAME, 4, seed):
            if move >= 0 and GAME.screen.view(s, None)["phase"] == "act":
                at_action = copy(s)
            drafted = DESK.draft(s)
            if drafted and move >= 0 and GAME.notation.text(s, move) == "ask":
                assert at_action is not None
                if s.drafter == s.active:
                    _, parties = DESK.deal(at_action, drafted)
                    compared += 1
                    assert sum(1 << party for party in parties) == parties_of(s)
    assert compared > 20


def test_broken_support_is_logged() -> None:
    s = asking()
    act_now(s, 2)
    carry_out(s, "@N>S", "promise 1 0 support", "promise 2 0 support")
    play(s, "@B>I")
    moves = DESK.refusal(s, ["I>M(1)"], 1)
    assert texts(s, moves) == "I>M(1); ask; no"
    assert DESK.refusal(s, ["I>M(1)"], 2) == []  # it is not asked
    before = copy(s)
    for move in moves:
        assert move in GAME.legal_moves(s)
        GAME.rules.apply(s, move)
    CHECKS[GAME.name](s)
    assert (fates(before, 1, 0), fates(s, 1, 0), fates(s, 2, 0)) == ((0, 0, 0), (0, 1, 0), (0, 0, 0))
    assert (promises(s), GAME.rules.turn(s), inside(s, "I")) == (["2 0 support"], 0, "012")
    assert DESK.refusal(s, ["I>M(1)", "promise 0 1 support"], 1) == []  # nothing is left to be broken
    assert texts(s, DESK.refusal(s, ["I>M(2)", "promise 0 2 support"], 2)) == "I>M(2); promise 0 2 support; ask; no"


def test_other_refusals_are_talk() -> None:
    s = asking()
    hold_all(s, "1:3 0:3")
    assert DESK.refusal(s, ["I>M(1)"], 1) == []  # no promise
    act_now(s, 2)
    carry_out(s, "@N>S", "promise 2 0 support", "promise 1 2 support")
    play(s, "@B>I")
    assert DESK.refusal(s, ["I>M(1)"], 1) == []  # a promise to another seat
    assert DESK.refusal(s, ["@B>F", "promise 2 0 pay 1"], 2) == []  # it is not to consent
    assert DESK.refusal(s, ["I>M(2)", "give 1 2 3"], 2) == []  # seat 1 has to answer first
    assert DESK.refusal(s, ["I>M(2)", "give 2 0 1"], 2) == []  # it is to give
    assert DESK.refusal(s, ["I>M(2)", "give 0 2 5"], 2) == []  # it could not be asked
    assert DESK.refusal(s, ["I>M(2)", "give 0 2 3"], 2) != []
    play(s, "I>M(1); drop")
    assert DESK.refusal(s, ["I>M(2)"], 2) != []
    play(s, "I>M(1); drop")
    assert DESK.refusal(s, ["I>M(2)"], 2) == []  # the last draft is kept for a deal
    assert DESK.deal(s, ["I>M(2)"])[1] == [0, 2]


@pytest.mark.parametrize("by", range(4))
def test_invite_and_ask_bring_every_seat_to_its_draft(by: int) -> None:
    s = asking()
    hold(s, 3, "5")
    play(s, "hear; pass; pass; pass; I>M(1); ask; no; deal; drop; deal; drop")  # nothing is left of the turn's words
    scratch = copy(s)
    DESK.invite(scratch, by)
    assert GAME.rules.turn(scratch) == by
    assert DESK.draft(scratch) == []
    assert GAME.screen.view(scratch, None)["refused"] == []
    assert {"I>M(1)", "I>M(2)", "deal"} <= {GAME.notation.text(scratch, move) for move in GAME.legal_moves(scratch)}
    for terms in (["I>M(2)", "promise 1 0 support", "give 3 2 5"], ["I>M(1)"]):
        scratch = copy(s)
        DESK.ask(scratch, by, terms)
        CHECKS[GAME.name](scratch)
        assert DESK.draft(scratch) == [terms[0], *sorted(terms[1:])]
        asked = []
        while DESK.draft(scratch):
            asked.append(GAME.rules.turn(scratch))
            play(scratch, "yes")
        bound = [0, 1, 2, 3] if len(terms) > 1 else [0, 1]
        assert asked == [(by + step) % 4 for step in range(1, 4) if (by + step) % 4 in bound]
    with pytest.raises(IllegalMove, match="there is no seat 4"):
        DESK.invite(copy(s), 4)
    play(s, "+A")
    assert DESK.turn(s) == 1


def test_deals_and_turns_in_a_consul_election() -> None:
    s = ready(3, consul_election="on")
    put(s, M="01", N="2", I="012")
    arrive(s, "0012")
    numbers = [DESK.turn(s)]
    assert carry_out(s, "M>S(1)", "promise 0 1 support") == [0, 1]
    assert s.ended == 1
    while GAME.screen.view(s, None)["phase"] != "act":
        GAME.rules.apply(s, GAME.legal_moves(s)[0])
    numbers.append(DESK.turn(s))
    assert promises(s) == ["0 1 support"]
    assert carry_out(s, "+A", "promise 1 0 pay 1") == [0, 1]
    assert numbers[0] < numbers[1] < DESK.turn(s)
