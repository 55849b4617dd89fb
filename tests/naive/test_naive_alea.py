"""Self-check of the naive referee: the worked examples of the rules, brute force against the integer program,
and random games."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from .alea import Referee, roll_table
from .alea_scoring import (
    BORDERS,
    COLOURS,
    NUMBERED,
    PATRICIANS,
    PROVINCES,
    best,
    best_score,
    brute_force,
    milp,
    places_of,
    score_assignment,
)


def ready(seats: int, voluntary: bool = False) -> Referee:
    """A game in which seat 0 is about to roll for the first time."""
    game = Referee(seats, voluntary, start_seat=0)
    for _ in range(1 + seats + seats + 2):
        game.apply(game.legal()[0])
    return game


def take_turn(game: Referee, roll: str, move: str) -> None:
    """Roll, place, and draw whatever tokens come."""
    game.apply("=" + roll)
    game.apply(move)
    while game.turn() == "chance" and set(game.odds()) <= {"=1", "=2", "=3"}:
        game.apply(game.legal()[0])


def placings(game: Referee, building: str) -> set[str]:
    """Legal moves in one building."""
    return {move for move in game.legal() if move[0] == building}


def random_game(seats: int, seed: int, voluntary: bool = False) -> Referee:
    """A random game to the end, checking odds and dice on the way."""
    rng = random.Random(seed)
    game = Referee(seats, voluntary)
    while game.turn() != "over":
        if game.turn() == "chance":
            odds = game.odds()
            if len(odds) < 60:
                assert sum(odds.values()) == 1
            texts = sorted(odds)
            text = rng.choices(texts, weights=[float(odds[t]) for t in texts])[0]
            assert game.odds_of(text) == odds[text] > 0
        else:
            legal = game.legal()
            assert legal and legal == sorted(set(legal))
            placed = [move for move in legal if move[0] != "R"]
            assert placed
            # mostly placings: most of the many moves with chips are rerolls
            text = rng.choice(legal if rng.random() < 0.2 else placed)
            assert game.read(text) == text
        game.apply(text)
        check_material(game)
    assert game.legal() == []
    return game


def check_material(game: Referee) -> None:
    """Nothing gets lost: dice, tokens, cards."""
    for seat in range(game.seats):
        assert (
            game.dice_left[seat]
            + game.templum_count[seat]
            + len(game.senatus[seat])
            + game.latrina[seat]
            + sum(game.castrum[seat].values())
            + sum(owner == seat for _, owner in game.forum)
        ) == 8
    tokens = sum(game.fortuna_supply.values()) + sum(game.fortuna_discards.values())
    tokens += sum(map(len, game.fortuna_kept)) + sum(map(len, game.fortuna_drawn))
    assert tokens == (30 if game.seats >= 4 else 0)
    cards = game.senate_deck + game.senate_choice + game.senate_under + sum(game.senate, [])
    assert len(cards) == (19 if game.seats >= 4 else 18)
    assert len(game.forum) <= game.columns
    assert [face for face, _ in game.forum] == sorted(face for face, _ in game.forum)


# ---- set-up ----


def test_players() -> None:
    for seats in (0, 1, 6):
        with pytest.raises(ValueError):
            Referee(seats)
    with pytest.raises(ValueError):
        Referee(2, start_seat=2)


def test_start() -> None:
    assert Referee(3).odds() == {f"=s{seat}": Fraction(1, 3) for seat in range(3)}
    assert Referee(3, start_seat=1).odds() == {"=s1": Fraction(1)}
    game = ready(5)
    assert len(game.offered_provinces) == 5 and len(game.offered_patricians) == 7
    assert "IV" in game.senate_deck and "IV" not in Referee(3).senate_deck


def test_roll_tables() -> None:
    assert len(roll_table(8)) == 1287
    for dice in range(1, 9):
        assert sum(roll_table(dice).values()) == 1
    assert ready(2).odds_of("=11111112") == Fraction(8, 6**8)


# ---- worked examples ----


def test_example_1_templum() -> None:
    game = ready(4)
    take_turn(game, "11111115", "T5")
    take_turn(game, "11111136", "T36")
    take_turn(game, "11111111", "S1")
    take_turn(game, "11111111", "C1")
    assert [len(tokens) for tokens in game.fortuna_drawn] == [1, 2, 0, 0]
    game.apply("=1112346")
    assert placings(game, "T") == {"T14", "T16", "T24", "T26", "T36", "T46"}  # two dice, total above 9
    assert game.read("T23") == "T14"  # same number and sum
    with pytest.raises(ValueError):
        game.read("T41")
    with pytest.raises(ValueError):
        game.read("T13")
    game.apply("T23")
    assert game.plies[-1] == (0, "T14")
    for _ in range(2):
        assert set(game.odds()) == {"=1", "=2", "=3"}
        game.apply("=2")
    assert len(game.fortuna_drawn[0]) == 3 and (game.templum_count[0], game.templum_sum[0]) == (3, 10)
    assert game.dice_left[0] == 5


def test_example_2_senatus() -> None:
    game = ready(3)
    take_turn(game, "11111345", "S345")
    game.apply("=11345666")
    assert "S345" not in game.legal() and {"S456", "S3456", "S45"} <= set(game.legal())
    game.apply("S45")
    take_turn(game, "11111111", "C1")
    game.apply("=11226")
    assert placings(game, "S") == {"S2", "S6", "S12", "S26", "S126"}
    game.apply("C11")
    take_turn(game, "111136", "S36")
    assert game.senatus == [[3, 4, 5], [3, 4, 5, 6], []]
    take_turn(game, "1111111", "F1")
    game.apply("=226")
    assert placings(game, "S") == {"S2", "S26"}  # 6 alone would repeat 3-4-5-6

    game = ready(3)
    take_turn(game, "11111345", "S345")
    take_turn(game, "11112345", "S2345")
    take_turn(game, "11113456", "S56")  # only a part of 3-4-5-6
    game.apply("=11126")
    assert placings(game, "S") == {"S6", "S26", "S12", "S126"}  # 2 alone would repeat 2-3-4-5


def test_example_3_castrum() -> None:
    game = ready(2)
    take_turn(game, "12344445", "C444")
    take_turn(game, "11223445", "C44")
    game.apply("=14455")
    assert placings(game, "C") == {"C1", "C4", "C44", "C5", "C55"}
    game.apply("C55")
    game.apply("=114455")
    assert placings(game, "C") == {"C1", "C11", "C44", "C5"}  # a single 4 would equal 4-4-4, 5-5 lies there
    game.apply("C44")
    assert game.castrum == [{4: 3, 5: 2}, {4: 4}]


def test_example_4_forum() -> None:
    game = ready(2)  # four columns
    take_turn(game, "11111111", "F1")
    take_turn(game, "33333333", "F3")
    take_turn(game, "2333333", "F3")
    assert game.forum == [(1, 0), (3, 0), (3, 1)]
    take_turn(game, "1111123", "F23")
    assert game.forum == [(1, 0), (2, 1), (3, 1), (3, 0)] and game.latrina == [0, 1]
    game.apply("=111114")
    assert "F14" not in game.legal() and "F4" not in game.legal() and "F1" in game.legal()
    game.apply("F1")
    assert game.forum == [(1, 0), (1, 0), (2, 1), (3, 1)] and game.latrina == [1, 1]


def test_example_5_ranking() -> None:
    game = ready(3)
    take_turn(game, "11112345", "S2345")
    take_turn(game, "11111234", "S1234")
    take_turn(game, "11111456", "S456")
    take_turn(game, "3335", "C333")
    take_turn(game, "5555", "C555")
    take_turn(game, "55566", "C66")
    take_turn(game, "5", "F5")
    take_turn(game, "6", "F6")
    take_turn(game, "556", "C55")
    assert game.latrina == [0, 0, 1]
    for _ in range(3):
        game.apply(game.legal()[0])
    order = []
    while game.turn() != "chance":
        order.append(game.turn())
        game.apply(game.legal()[0])
    # Senatus 5-4-3-2 before 4-3-2-1 (two cards); Castrum 5-5-5, 3-3-3, 6-6 (three provinces); Forum 5, 6
    assert order == [0, 1, 1, 0, 2, 0, 1]
    assert game.chips == [0, 0, 1 + 3 + 2] and game.start == 1 and game.set_number == 2
    assert len(game.senate_under) == 1 and game.dice_left == [8, 8, 8]


def test_example_5_equal_lengths() -> None:
    game = ready(2)
    take_turn(game, "11111345", "S345")
    take_turn(game, "11111456", "S456")
    take_turn(game, "11155", "C55")
    take_turn(game, "11166", "C66")
    take_turn(game, "111", "C111")
    take_turn(game, "111", "F1")
    assert game.latrina == [0, 2]
    for _ in range(3):
        game.apply(game.legal()[0])
    order = []
    while game.turn() != "chance":
        order.append(game.turn())
        game.apply(game.legal()[0])
    # one card for 6-5-4; two provinces for 1-1-1 and 6-6, none for 5-5; the Forum die
    assert order == [1, 0, 1, 1] and game.chips == [3 + 2, 2]


EXAMPLE_6: dict[str, Any] = {
    "provinces": ["R3", "G4", "B1", "Y1"],
    "patricians": ["Rw3", "Rm1", "Gw3", "Gm3", "Rw2", "Gm1", "Ow2", "Vw1", "Vm1", "Rw1"],
    "senate": ["XII:RG", "XII:OB", "III", "VII"],
    "fortuna": [3, 2, 1],
    "chips": 5,
}


def test_example_6_final_score() -> None:
    score = best_score(EXAMPLE_6)
    assert best(EXAMPLE_6) == (43, 3)
    parts = [score[key] for key in ("provinces", "patricians", "senate", "fortuna", "chips")]
    assert parts == [7, 15, 13, 6, 2]
    assert score["cards"] == [["XII:RG", 3], ["XII:OB", 0], ["III", 5], ["VII", 5]]
    assert score_assignment(EXAMPLE_6, score["assignment"]) == score


@pytest.mark.parametrize(
    ("card", "points"),
    [("I", 4), ("II", 4), ("III", 5), ("IV", 3), ("V", 3), ("VI", 4), ("VII", 5), ("VIII", 3), ("IX", 5), ("X", 3)],
)
def test_example_7_card_sheet(card: str, points: int) -> None:
    tableau, assignment = sheet(card)
    score = score_assignment(tableau, assignment)
    assert score["cards"][3] == [card, points]
    assert score["tiebreak"] == 2


def sheet(card: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The tableau of the card sheet with one more card, and its assignment."""
    filled = {
        "G3": ["Gw1", "Gm2"],
        "O2": ["Ow1"],
        "B1": ["Bm1"],
        "XII:RG": ["Rw2", "Gm3"],
        "XII:YB": ["Bw2"],
        "XIII": ["Rw1"],
    }
    tableau = {
        "provinces": ["G3", "O2", "B1"],
        "senate": ["XII:RG", "XII:YB", "XIII", card],
        "chips": 0,
        "patricians": [p for group in filled.values() for p in group] + ["Vw2"],
        "fortuna": [1, 1, 2, 2, 3],
    }
    assignment = [{"province": place, "patricians": group, "child": None} for place, group in filled.items()]
    return tableau, assignment


def test_example_7_offspring() -> None:
    for place, child, allowed in (
        ("XII:RG", "Rm1", True),
        ("XII:RG", "Gw2", True),
        ("G3", "Gw2", True),
        ("G3", "Rm1", False),
        ("O2", "Om1", False),
        ("XIII", "Rm1", False),
    ):
        tableau, assignment = sheet("XI")
        tableau["patricians"].append(child)
        without = score_assignment(tableau, assignment)
        for entry in assignment:
            if entry["province"] == place:
                entry["child"] = child
        if allowed:
            score = score_assignment(tableau, assignment)
            assert score["cards"][3] == ["XI", 1] and score["total"] == without["total"] + 1
            assert score["tiebreak"] == 2 and score["patricians"] == without["patricians"]
            tableau["senate"].remove("XI")
        with pytest.raises(ValueError):
            score_assignment(tableau, assignment)


@pytest.mark.parametrize(
    ("card", "patricians", "points"),
    [
        ("XII:RG", ["Rw2", "Gm2"], 7),
        ("XII:RG", ["Rw2"], 2),
        ("XII:RG", ["Rw3", "Bm2"], 3),
        ("XII:RG", ["Rw3", "Rm2"], 3),
        ("XII:RG", ["Rw3", "Gw2"], 3),
        ("XII:RG", ["Bw3", "Vm3"], 0),
        ("XIII", ["Rw2", "Rm2"], 5),
        ("XIII", ["Rw3"], 4),
        ("XIII", ["Bw3", "Gm2"], 4),
    ],
)
def test_example_8_cards(card: str, patricians: list[str], points: int) -> None:
    tableau = {"provinces": [], "patricians": patricians, "senate": [card], "fortuna": [], "chips": 1}
    assert milp(tableau)[0] == brute_force(tableau)[0] == points


@pytest.mark.parametrize(
    ("place", "patricians", "child"),
    [
        ("R3", ["Rw3", "Rw2"], None),
        ("R3", ["Gw3"], None),
        ("G3", ["Gw3"], None),
        ("J0", ["Rw3", "Gm3"], None),
        ("XII:RG", ["Rw3", "Rm2"], None),
        ("XIII", ["Rw2", "Gm3"], None),
        ("R3", [], "Rw3"),
        ("R3", ["Rw3"], "Rm2"),
        ("R3", ["Rw3", "Rm2"], "Rw3"),
        ("J0", ["Rw3", "Rm2"], "Gw3"),
        ("J0", ["Rw1"], None),
        ("R1", ["Xw1"], None),
    ],
)
def test_bad_assignments(place: str, patricians: list[str], child: str | None) -> None:
    tableau = {
        "provinces": ["R3", "J0", "R1"],
        "patricians": ["Rw3", "Rw2", "Rm2", "Gw3", "Gm3"],
        "senate": ["XII:RG", "XIII", "XI"],
        "fortuna": [],
        "chips": 0,
    }
    with pytest.raises(ValueError):
        score_assignment(tableau, [{"province": place, "patricians": patricians, "child": child}])


def test_vacant_joker() -> None:
    tableau = {"provinces": ["J0", "R4"], "patricians": [], "senate": ["VII", "XIII"], "fortuna": [], "chips": 3}
    assert best(tableau) == (-1 + 3 + 2 + 0 + 1, 0)  # red and grey


# ---- placing and scoring in detail ----


def test_latrina() -> None:
    game = ready(2, voluntary=True)
    game.apply("=22334455")
    assert placings(game, "L") == {"L2"} and game.read("L5") == "L2"
    for bad in ("L6", "L22", "L"):
        with pytest.raises(ValueError):
            game.read(bad)
    game.apply("L4")
    assert game.latrina == [1, 0] and game.dice_left == [7, 8]
    game = ready(2)
    game.apply("=22334455")
    assert not placings(game, "L")


def test_forced_latrina() -> None:
    game = ready(2)
    for roll, move in (
        ("11111111", "S1"),
        ("66666666", "C6"),
        ("1122222", "C2222"),
        ("1111111", "F1"),
        ("111", "F1"),
        ("111111", "F1"),
        ("11", "F1"),
        ("66666", "S6"),
    ):
        take_turn(game, roll, move)
    game.apply("=6")  # not next to 1, not another single 6, no column left
    assert game.legal() == ["L6"]
    game.apply("L6")
    assert game.latrina[0] == 1 and game.dice_left[0] == 0 and game.turn() == "chance"


def test_rerolls() -> None:
    game = ready(2)
    take_turn(game, "11111111", "C11111111")
    take_turn(game, "22222222", "F2")
    while game.turn() != "chance" or "=11111111" not in game.odds():
        game.apply(game.legal()[0])
    assert game.start == 1 and game.chips == [0, 7]
    game.apply("=11234566")
    assert {"R1", "R11", "R12", "R11234566"} <= set(game.legal())
    game.apply("R166")
    assert game.roll == [1, 2, 3, 4, 5] and game.chips[1] == 6
    game.apply("=366")
    assert game.roll == [1, 2, 3, 3, 4, 5, 6, 6]


def test_lone_templum_die() -> None:
    game = ready(4)
    take_turn(game, "11111116", "T6")
    take_turn(game, "11111111", "C11111111")
    take_turn(game, "22222222", "S2")
    game.apply("=22222222")
    game.apply("F2")
    assert game.turn() == "chance" and sum(game.odds().values()) == 1
    game.apply("=3")
    assert game.fortuna_kept[0] == [1, 3] and sum(game.fortuna_supply.values()) == 28
    assert game.dice_left[0] == 1


def test_tokens_run_out() -> None:
    game = ready(4)
    game.fortuna_supply = {1: 0, 2: 1, 3: 0}
    game.fortuna_discards = {1: 0, 2: 0, 3: 1}
    take_turn(game, "11111116", "T6")
    assert game.fortuna_discards[3] == 1  # not shuffled before one is needed
    game.apply("=11111166")
    game.apply("T66")
    assert game.odds() == {"=3": Fraction(1)}
    game.apply("=3")
    assert game.fortuna_drawn[:2] == [[2], [3]] and game.fortuna_discards == {1: 0, 2: 0, 3: 0}
    take_turn(game, "11111666", "T666")
    assert game.fortuna_drawn[2] == []
    take_turn(game, "11111111", "C11111111")
    assert (game.turn(), game.legal()) == (0, ["K2"])  # the leader drew nothing: no decision
    game.apply("K2")
    assert (game.turn(), game.legal()) == (1, ["K3"])


# ---- best assignments ----


def random_tableau(rng: random.Random, most_patricians: int, most_places: int) -> dict[str, Any]:
    """A small tableau rich in children, borders and jokers."""
    palette = rng.sample(COLOURS, rng.randint(1, 4))
    while True:
        tiles = [t for t in PROVINCES if t[0] in palette] + ["J0"]
        people = [p for p in PATRICIANS if p[0] in palette]
        borders = [b for b in BORDERS if b[4] in palette or b[5] in palette]
        special = rng.sample(borders, rng.randint(0, min(2, len(borders)))) + ["XIII"] * rng.randint(0, 2)
        senate = special + rng.sample(NUMBERED, rng.randint(0, 5))
        if "XI" not in senate and rng.random() < 0.5:
            senate.append("XI")
        provinces = rng.sample(tiles, rng.randint(0, min(3, len(tiles))))
        if "J0" not in provinces and rng.random() < 0.3:
            provinces.append("J0")
        tableau = {
            "provinces": sorted(set(provinces)),
            "senate": senate,
            "chips": rng.randint(0, 9),
            "patricians": rng.sample(people, rng.randint(0, min(most_patricians, len(people)))),
            "fortuna": [rng.randint(1, 3) for _ in range(rng.randint(0, 6))],
        }
        if len(places_of(tableau)) <= most_places:
            return tableau


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.slow
def test_brute_force_agrees(seed: int) -> None:
    rng = random.Random(seed)
    for number in range(60):
        tableau = random_tableau(rng, *((8, 5) if number % 6 == 0 else (6, 4)))
        assert milp(tableau) == brute_force(tableau), tableau


# ---- whole games ----


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_games(seats: int) -> None:
    for seed in range(40):
        game = random_game(seats, seed, voluntary=seed % 5 == 0)
        assert game.end() == "sets-played"
        points, ties = game.points(), game.tiebreak()
        top = max(zip(points, ties, strict=True))
        assert game.winners() == [s for s in range(seats) if (points[s], ties[s]) == top]
