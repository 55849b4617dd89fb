"""The variants of Quo Vadis?, rule by rule (Q-VAR-1 to Q-VAR-4)."""

from typing import Any

import pytest

from quovadis_positions import (
    act_now,
    arrive,
    bad,
    caesar,
    caesar_at,
    hand,
    hold,
    hold_all,
    idle,
    inside,
    laurel,
    lay_out,
    legal,
    odds,
    play,
    put,
    ready,
    refuse,
    result,
)
from rostra.engine.game import CHANCE, OVER, IllegalMove, copy
from rostra.games.quovadis import QUO_VADIS as GAME
from rostra.play.match import Match
from rostra.play.transcript import read, replay, write


@pytest.mark.parametrize(("n_seats", "ones"), [(3, 10), (4, 14), (5, 18)])
def test_q_var_1_limited_ones(n_seats: int, ones: int) -> None:
    assert GAME.screen.view(ready(n_seats, limited_ones="on"), 0)["ones"] == ones
    assert GAME.screen.view(ready(n_seats), 0)["ones"] == 18


def hands(s: Any, seat: int | None) -> list[Any]:
    """The hands that a seat or a spectator sees; None for a hidden one."""
    return [player["hand"] for player in GAME.screen.view(s, seat)["players"]]


def test_q_var_4_caesar_frees_his_path_or_the_whole_committee() -> None:
    for frees, others in (("path", {"B>F(0,1)"}), ("committee", {"B>F"})):
        s = ready(3, caesar_frees=frees)
        put(s, B="001")
        caesar(s, "B>I")
        assert GAME.screen.view(s, 0)["caesar_frees"] == frees
        assert legal(s, "B>") == {"B>I"} | others
        needs = {one["path"]: one["consents"] for one in GAME.screen.outlook(s, 0)["paths"]}
        assert needs == {"B>I": 0, "B>F": 2 if frees == "path" else 0}
    won, kept = copy(s), copy(s)
    play(won, "B>F; =2")  # without consent, but the laurel on this path is not covered
    assert (hand(won, 0), hand(won, 1), laurel(won, "B>F")) == ("3", "", "2")
    play(kept, "B>I")  # Q-CAE-2
    assert (hand(kept, 0), laurel(kept, "B>I"), GAME.rules.turn(kept)) == ("", "3", 1)


def test_q_var_4_is_named_in_transcripts_only_where_it_was_chosen() -> None:
    for chosen in ({}, {"caesar_frees": "path"}, {"caesar_frees": "committee"}):
        written = write(Match(GAME, 3, options=chosen, seed=1).transcript())
        assert ("caesar_frees=committee" in written) == (chosen.get("caesar_frees") == "committee")
        assert "caesar_frees=path" not in written
        run = replay(read(written))
        assert len([*run]) == 11  # the start seat and ten laurels
        assert run.state.caesar_frees == ("caesar_frees=committee" in written)


def test_q_var_4_frees_a_lone_senator_and_no_other_committee() -> None:
    s = ready(3, caesar_frees="committee")
    put(s, D="0", G="0", M="0")
    assert legal(s, "D>") | legal(s, "G>") | legal(s, "M>") == set()  # Caesar is on J>S
    caesar(s, "D>H")
    assert legal(s, "D>") == {"D>G", "D>H"} and legal(s, "G>") | legal(s, "M>") == set()


def test_q_var_4_the_caesar_of_a_2_can_be_placed_or_settled_in_a_deal() -> None:
    s = ready(3, caesar_frees="committee", laurels="3 3 3 3 2c 4 4 5 5 5")
    put(s, G="0")
    caesar(s, "G>L")
    alone = copy(s)
    play(alone, "G>J; =3; @M>S")
    assert (hand(alone, 0), GAME.rules.turn(alone)) == ("2", 1)
    play(s, "deal; G>J; then -; promise 0 1 support; ask; yes; =3")
    assert (hand(s, 0), GAME.rules.turn(s)) == ("2", 1)


def test_q_var_2_any_player_may_demand_open_hands() -> None:
    s = ready(3, open_hands="on")
    put(s, J="0", M="1")
    hold(s, 2, "5")
    play(s, "J>S")  # Caesar is there: no laurel, no refill
    assert GAME.screen.view(s, 0)["phase"] == "demand"
    closed = [None, None, None]
    assert hands(s, None) == closed
    for seat in (1, 2, 0):  # clockwise from the next one; the one who arrived is the last
        assert (GAME.rules.turn(s), legal(s)) == (seat, {"pass", "show"})
        shown = copy(s)
        play(shown, "show")
        assert (GAME.rules.turn(shown), GAME.screen.view(shown, 1)["phase"]) == (1, "act")
        assert GAME.screen.view(shown, None)["shown"]
        assert hands(shown, None) == hands(shown, 1) == [[0] * 5, [0] * 5, [0, 0, 0, 0, 1]]
        play(shown, "hear; pass; pass")  # once for each arrival, and still in this turn
        assert not legal(shown, "show") and None not in hands(shown, 0)
        play(shown, "+A")
        assert hands(shown, None) == closed and not GAME.screen.view(shown, None)["shown"]
        assert GAME.screen.view(shown, 1)["phase"] == "act"
        play(s, "pass")
    assert (GAME.rules.turn(s), GAME.screen.view(s, 0)["phase"], hands(s, None)) == (1, "act", closed)


def test_q_var_2_comes_after_refill_and_caesar_and_hands_stay_open_through_them() -> None:
    s = ready(3, open_hands="on", laurels="3 3 3 3 4 4 4 5 2c 2c")
    put(s, M="00", N="11")
    play(s, "M>S(0); =4")
    assert GAME.screen.view(s, 0)["phase"] == "place-caesar"
    play(s, "-; show; N>S(1)")
    assert GAME.rules.turn(s) == CHANCE and None not in hands(s, None)
    play(s, "=3; @B>I")
    assert (GAME.screen.view(s, 0)["phase"], GAME.rules.turn(s), hands(s, None)) == ("demand", 2, [None] * 3)


def test_q_var_2_is_for_the_first_three_arrivals() -> None:
    for before, phase in ((0, "demand"), (1, "demand"), (2, "demand"), (3, "act"), (4, "finished")):
        s = ready(3, open_hands="on")
        put(s, J="0")
        arrive(s, "1" * before)
        play(s, "J>S")
        assert GAME.screen.view(s, 0)["phase"] == phase


def test_q_var_2_the_round_is_no_turn() -> None:
    s = ready(3, open_hands="on")
    put(s, J="0")
    play(s, "deal; J>S; promise 0 1 support; promise 1 2 support; ask; yes; yes")
    turns = [(one["promise"], one["turns"]) for one in GAME.screen.view(s, 0)["promises"]]
    play(s, "pass; pass; pass")
    assert [(one["promise"], one["turns"]) for one in GAME.screen.view(s, 0)["promises"]] == turns
    assert (GAME.screen.view(s, 0)["quiet"], GAME.rules.turn(s)) == (0, 1)


def test_q_var_2_off_changes_nothing() -> None:
    s = ready(3)
    put(s, J="0")
    play(s, "J>S")
    assert GAME.screen.view(s, 0)["phase"] == "act" and not legal(s, "show")
    refuse(s, "show")


def test_q_var_2_logs_without_the_round_can_be_replayed() -> None:
    """As they were before demands were plies; a player cannot skip the round in this way."""
    s = ready(3, open_hands="on")
    put(s, J="0")
    play(s, "J>S")
    refuse(s, "+A", "hear")
    for text in ("+A", "hear"):
        old, new = copy(s), copy(s)
        GAME.rules.apply(old, GAME.notation.reread(old, text))
        play(new, f"pass; pass; pass; {text}")
        assert old.tobytes() == new.tobytes()
    play(s, "pass")
    with pytest.raises(IllegalMove):
        GAME.notation.reread(s, "+A")


def test_q_var_3_between_two_games_of_an_election() -> None:
    s = ready(4, consul_election="on")
    arrive(s, "1100")
    put(s, J="0", B="00111", D="122", N="22", G="3")
    for seat, laurels in enumerate(["25", "44", "555", "1"]):
        hold(s, seat, laurels)
    play(s, "J>S")
    assert [player["total"] for player in GAME.screen.view(s, 0)["players"]] == [7, 8, 0, 0]  # only who qualified
    assert (inside(s, "S"), [int(off) for off in s.off[:4]]) == ("", [6, 4, 4, 7])
    assert GAME.rules.turn(s) == 1  # the leader begins; seats with two or fewer on the board are skipped
    assert legal(s) == {"-B", "-D"}
    refuse(s, "-N", "-A", "+A")
    bad(s, "-S")
    play(s, "-B")
    assert (GAME.rules.turn(s), legal(s)) == (2, {"-D", "-N"})
    play(s, "-D")
    assert GAME.rules.turn(s) == 1
    play(s, "-D")
    assert GAME.rules.turn(s) == 2
    play(s, "-N")
    assert odds(s) == {"=s0": 1.0}
    lay_out(s, laurels="2 2 2 2 2 2 2 2 2c 2c")  # all laurels are set up anew
    assert (inside(s, "B"), inside(s, "D"), inside(s, "N"), inside(s, "G")) == ("0011", "2", "2", "3")
    assert ([hand(s, seat) for seat in range(4)], s.ones, caesar_at(s)) == ([""] * 4, 18, "J>S")
    assert GAME.screen.view(s, 0)["game_number"] == 2
    assert [int(off) for off in s.off[:4]] == [6, 6, 6, 7]


def test_q_var_3_the_start_player_of_each_game_is_drawn() -> None:
    s = GAME.new(3, {"consul_election": "on"})
    lay_out(s, 2)
    arrive(s, "0000")
    put(s, J="2")
    play(s, "J>S")
    assert odds(s) == {"=s0": 1 / 3, "=s1": 1 / 3, "=s2": 1 / 3}


def test_q_var_3_a_tied_leader_is_who_reached_the_senate_earlier_then_the_lower_seat() -> None:
    for arrived, leader in [("2100", 2), ("0012", 0), ("1200", 1)]:
        s = ready(3, consul_election="on")
        arrive(s, arrived)
        put(s, B="0011", D="122", G="20", J="0")
        for seat in range(3):
            hold(s, seat, "5")
        play(s, "J>S")
        assert GAME.rules.turn(s) == leader
    s = ready(3, consul_election="on", stall_rounds="1")
    put(s, A="0", B="11", D="122", G="002")
    idle(s, 3)  # nobody arrived
    assert GAME.rules.turn(s) == 0


def test_q_var_3_most_points_over_three_games_win() -> None:
    s = ready(3, consul_election="on")
    winnings = [("5", "33", "1"), ("", "2", "5"), ("4", "1", "4")]
    for game, (arrived, hands) in enumerate(zip(["1000", "2222", "0111"], winnings, strict=True)):
        arrive(s, arrived)
        for seat, laurels in enumerate(hands):
            hold(s, seat, laurels)
        put(s, J="2")
        act_now(s, 2)
        play(s, "J>S")
        if game < 2:
            lay_out(s)
    assert (GAME.rules.turn(s), GAME.notation.end(s)) == (OVER, "consul-elected")
    # 5 + 0 (not qualified) + 4; 6 + 0 + 1; 1 + 5 + 4
    assert result(s) == ([9, 7, 10], [1, 2, 3], [2])


def test_q_var_3_a_stalled_game_counts_and_the_next_begins_with_no_quiet_turns() -> None:
    s = ready(3, consul_election="on", stall_rounds="1")
    arrive(s, "1")
    hold_all(s, "1:3 2:5")
    for game in range(3):
        idle(s, 2)
        assert GAME.rules.turn(s) == 2
        idle(s, 1)
        if game < 2:
            assert GAME.rules.turn(s) == CHANCE
            lay_out(s)
            assert GAME.screen.view(s, 0)["quiet"] == 0
    assert (GAME.notation.end(s), result(s)) == ("consul-elected", ([0, 3, 0], [0, 0, 0], [1]))
