"""The referee of Quo Vadis?: what becomes of promises, and whole random games."""

import random
import re
from collections import Counter

import pytest

from .quovadis import FACE_DOWN, PLACES, Referee
from .quovadis_positions import check_material, hand, hold, play, put, quiet, ready


def promised(*kinds: str) -> Referee:
    """Four seats, seat 0 about to act, the promises made in turn 1 by a Caesar deal of seat 0."""
    game = ready(4)
    play(game, "deal", "@N>S", *("promise " + kind for kind in kinds), "ask")
    while game.draft is not None:
        game.apply("yes")
    for _ in range(3):
        quiet(game)
    assert game.turn() == 0 and game.turn_number == 5
    return game


def fates(game: Referee) -> list[str]:
    return [promise["fate"] for promise in game.promises]


def test_support_kept_broken_or_still_open() -> None:
    game = promised("1 0 support")
    put(game, "I", 0, 1, 2)
    hold(game, 1, 1)
    play(game, "I>M(1)", "give 1 0 1", "ask", "no")
    assert fates(game) == ["open"]  # the ask demanded a give of the promiser
    play(game, "deal", "+A", "promise 1 0 support", "ask", "no")
    assert fates(game) == ["open"]  # no consent was asked for
    play(game, "I>M(1)", "promise 2 0 support", "ask", "yes", "no")
    assert fates(game) == ["open"]  # not carried out: no consent
    play(game, "hear", "I>M(1)", "ask", "yes")
    assert fates(game) == ["kept"]
    game = promised("1 0 support")
    put(game, "I", 0, 1)
    hold(game, 0, 2)
    play(game, "I>M(1)", "give 0 1 2", "ask", "no")
    assert fates(game) == ["broken"]
    play(game, "I>M(1)", "ask", "yes")
    assert fates(game) == ["broken"]


def test_support_is_owed_to_its_receiver_only() -> None:
    game = promised("1 2 support")
    put(game, "I", 0, 1)
    play(game, "I>M(1)", "ask", "no")
    assert fates(game) == ["open"]


def test_oppose() -> None:
    game = promised("1 2 oppose 0", "3 2 oppose 1")
    put(game, "B", 0, 1, 3)
    play(game, "B>I(1,3)", "ask", "no")
    assert fates(game) == ["open", "open"]
    play(game, "B>F(1,3)", "ask", "yes", "yes", "=3")
    assert fates(game) == ["broken", "open"]


def test_caesar_promise() -> None:
    game = promised("0 1 caesar", "2 1 caesar")
    put(game, "G", 1)
    put(game, "I", 2)
    game.apply("@I>M")
    assert fates(game) == ["open", "open"]
    quiet(game)
    put(game, "D", 2, 3)
    play(game, "D>H(3)", "then @G>L", "ask", "yes", "=3")
    assert fates(game) == ["open", "broken"]
    quiet(game)
    game.apply("@G>J")
    assert fates(game) == ["broken", "broken"]


def test_caesar_promise_and_the_decision_after_a_2c() -> None:
    game = promised("0 1 caesar")
    put(game, "D", 0, 0, 1)
    play(game, "D>H(0)", "=3", "@D>G")
    assert fates(game) == ["broken"]


def test_pay_promise() -> None:
    game = promised("0 1 pay 3", "0 1 pay 5")
    hold(game, 0, 2, 2, 1)
    play(game, "deal", "+B", "give 0 1 2", "promise 0 1 pay 1", "ask", "yes")
    assert fates(game) == ["open", "open", "open"]  # too little; the new promise is about later
    for _ in range(3):
        quiet(game)
    play(game, "deal", "+B", "give 0 1 2", "give 0 1 1", "ask", "yes")
    assert fates(game) == ["kept", "open", "kept"]


def test_promises_lapse_after_five_turns_of_the_promiser() -> None:
    game = ready(4)
    play(game, "deal", "@N>S", "promise 0 1 support", "promise 2 1 caesar", "ask", "yes", "yes")
    assert game.promises[0]["turn"] == 1
    ends: dict[int, int] = {}
    while len(ends) < 2:
        number = game.turn_number
        quiet(game)
        for index, fate in enumerate(fates(game)):
            if fate == "lapsed":
                ends.setdefault(index, number)
    assert ends == {0: 21, 1: 19}  # seat 0: turns 5 9 13 17 21; seat 2: turns 3 7 11 15 19


# ---- consul election ----


def test_consul_election() -> None:
    game = ready(consul_election=True)
    put(game, "S", 2, 1, 1, 1)
    put(game, "J", 0, 0, 0, 0)
    put(game, "E", 0)
    put(game, "D", 1, 2, 2)
    put(game, "K", 2)
    put(game, "I", 2, 2)
    hold(game, 2, 4)
    hold(game, 1, 4)
    hold(game, 0, 1)
    game.apply("J>S")
    assert game.game_points == [[1, 4, 4]] and game.totals == [1, 4, 4] and game.game_ends == ["senate-full"]
    assert game.game_number == 1 and game.senate == [] and game.off_board == [4, 7, 3]
    # from the leader, seat 2 (tie by the earlier senator); seat 1 has only one senator on the board
    assert game.turn() == 2 and game.legal() == ["-D", "-I", "-K"]
    game.apply("-D")
    assert game.turn() == 0 and game.legal() == ["-E", "-J"]
    play(game, "-J")
    assert game.turn() == 2
    play(game, "-K")
    assert game.turn() == 0
    play(game, "-E")
    assert game.turn() == 2
    play(game, "-I")
    # a new set-up from this position
    assert game.turn() == "chance" and game.legal() == ["=s0"] and game.game_number == 2
    assert game.board["J"] == [0, 0] and game.board["D"] == [1, 2] and game.board["I"] == [2]
    assert game.off_board == [6, 7, 6] and game.stack == FACE_DOWN and game.ones == 18 and game.caesar == "J>S"
    assert hand(game, 0) == hand(game, 1) == hand(game, 2) == []
    with pytest.raises(ValueError):
        game.points()
    play(game, "=s0", *["=3"] * 10)
    put(game, "S", 1, 1, 0, 0)
    hold(game, 0, 5)
    game.apply("J>S")
    assert game.game_points[1] == [5, 0, 0] and game.totals == [6, 4, 4]
    assert game.turn() == "chance"  # nobody has more than two senators there
    play(game, "=s0", *["=3"] * 10)
    assert game.game_number == 3
    put(game, "S", 2, 1, 2, 2)
    hold(game, 2, 2)
    hold(game, 1, 2)
    game.apply("J>S")
    assert game.turn() == "over" and game.end() == "consul-elected"
    assert game.points() == [6, 6, 6] and game.tiebreak() == [3, 2, 1] and game.winners() == [2]


def test_consul_election_without_anybody_in_the_senate() -> None:
    game = Referee(3, consul_election=True, stall_rounds=1)
    for _ in range(3):
        play(game, "=s1", *["=3"] * 10)
        assert game.turn() == 1
        for _ in range(3):
            quiet(game)
    assert game.end() == "consul-elected" and game.winners() == [] and game.points() == [0, 0, 0]
    assert game.game_ends == ["stalled"] * 3


def test_election_tie_of_seats_that_missed_the_last_senate() -> None:
    game = ready(consul_election=True, stall_rounds=1)
    put(game, "S", 0, 1)
    hold(game, 0, 5)
    hold(game, 1, 5)
    for number in (1, 2, 3):
        if number > 1:
            play(game, "=s0", *["=3"] * 10)
        for _ in range(3):
            quiet(game)
    assert game.points() == [5, 5, 0] and game.tiebreak() == [0, 0, 0] and game.winners() == [0, 1]


def test_quiet_turns_and_promises_over_the_games_of_an_election() -> None:
    game = ready(consul_election=True, stall_rounds=1)
    play(game, "deal", "@N>S", "promise 1 0 support", "ask", "yes")
    quiet(game)
    quiet(game)
    assert game.turn() == "chance" and game.quiet_turns == 0 and fates(game) == ["open"]
    play(game, "=s0", *["=3"] * 10)
    assert game.turn_number == 4
    put(game, "I", 0, 1)
    play(game, "I>M(1)", "ask", "yes", "=3")
    assert fates(game) == ["kept"]


# ---- random games ----


WEIGHTS = {"+": 30, "@": 2, "-": 5, "give": 1, "then": 2, "promise": 1, "deal": 2, "hear": 2}
WEIGHTS |= {"pass": 3, "ask": 6, "drop": 1, "yes": 3, "no": 1, "move": 60}
WEIGHTS |= {"bargain": 2, "refuse": 1, "consent": 1, "spare": 1, "one": 5}


def kind_of(move: str) -> str:
    word = move.split()[0]
    if word.isalpha():
        return word
    return "move" if re.match("[A-N]>", move) else move[0]


def choose(rng: random.Random, legal: list[str]) -> str:
    """First the kind of a move, then one of that kind: the many terms must not drown the rest."""
    kinds: dict[str, list[str]] = {}
    for move in legal:
        kinds.setdefault(kind_of(move), []).append(move)
    names = sorted(kinds)
    return rng.choice(kinds[rng.choices(names, weights=[WEIGHTS[name] for name in names])[0]])


def random_game(seats: int, seed: int, limited_ones: bool = False, consul_election: bool = False) -> Referee:
    """A random game to the end, checking material and bounds at every ply."""
    rng = random.Random(seed)
    game = Referee(seats, limited_ones=limited_ones, consul_election=consul_election, stall_rounds=rng.choice([1, 10]))
    while game.turn() != "over":
        legal = game.legal()
        assert legal and legal == sorted(set(legal))
        if game.turn() == "chance":
            odds = game.odds()
            assert sum(odds.values()) == 1 and sorted(odds) == legal
            text = rng.choices(legal, weights=[float(odds[outcome]) for outcome in legal])[0]
        else:
            text = choose(rng, legal)
        seat = game.turn()
        game.apply(text)
        assert game.plies[-1] == (seat, text)
        check_material(game)
        assert game.active is None or game.drafts_opened[game.active] <= 3
        assert game.bargains <= 15 and not game.refusing & game.consenting and len(game.spared) <= len(PLACES) - 2
        assert game.caesar not in game.spared and game.active not in game.refusing | game.consenting
        assert fates(game).count("open") <= 64
        if game.draft is not None:
            promises = game.draft["promises"]
            assert len(game.draft["gives"]) <= 4 and len(set(promises)) == len(promises) <= 2
    assert game.legal() == []
    return game


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_random_games(seats: int) -> None:
    kinds: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for seed in range(30):
        game = random_game(seats, seed, limited_ones=seed % 3 == 0)
        kinds.update(kind_of(text) for who, text in game.plies if who != "chance")
        ends[game.end()] += 1
        seen.update(fates(game))
        assert game.points() == [sum(hand(game, seat)) for seat in range(seats)]
        present = {seat for seat in range(seats) if game.tiebreak()[seat]}
        assert present == set(game.senate) and len(game.winners()) == min(1, len(present))
        assert sorted(game.tiebreak())[-len(present) :] == list(range(1, len(present) + 1)) or not present
        if present:
            winner = game.winners()[0]
            assert all(game.points()[winner] >= game.points()[seat] for seat in present)
        if game.end() == "senate-full":
            assert len(game.senate) == 5
    assert set(kinds) | {"one"} == set(WEIGHTS)  # the last laurel of value 1 is rarely at stake
    assert ends["senate-full"] >= 15 and set(seen) == {"open", "kept", "broken", "lapsed"}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_random_consul_elections(seats: int) -> None:
    taken_off = 0
    for seed in range(6):
        game = random_game(seats, 100 + seed, consul_election=True)
        assert game.end() == "consul-elected" and len(game.game_points) == len(game.game_ends) == 3
        assert game.points() == [sum(column) for column in zip(*game.game_points, strict=True)]
        starts = [text for who, text in game.plies if who == "chance" and text.startswith("=s")]
        assert len(starts) == 3 and len(game.winners()) >= 1
        assert all(game.points()[seat] == max(game.points()) for seat in game.winners())
        taken_off += sum(bool(re.fullmatch("-[A-N]", text)) for _, text in game.plies)
    assert taken_off > 0


def test_replaying_the_plies_gives_the_same_game() -> None:
    game = random_game(4, 7)
    again = Referee(4, stall_rounds=game.stall_rounds)
    for who, text in game.plies:
        assert again.turn() == who
        again.apply(text)
    assert again.points() == game.points() and again.promises == game.promises and again.board == game.board
