"""The final scoring of Alea Iacta Est against brute force, an integer program and a literal count."""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from naive.alea_scoring import (
    BORDERS,
    COLOURS,
    NUMBERED,
    PATRICIANS,
    PROVINCES,
    brute_force,
    fillings,
    milp,
    places_of,
    score_assignment,
)
from rostra.engine.game import RostraError
from rostra.games.alea.tableau import score_tableau

FIGURES = ("total", "tiebreak", "provinces", "patricians", "senate", "fortuna", "chips")


def figures(result: Mapping[str, Any]) -> dict[str, Any]:
    """What two scorers must agree upon; cards in any order."""
    return {**{name: result[name] for name in FIGURES}, "cards": sorted(map(list, result["cards"]))}


def small_tableau(rng: random.Random) -> dict[str, Any]:
    """Few colours and many special places: every kind of interplay, but few enough to try all assignments."""
    while True:
        palette = rng.sample(COLOURS, rng.randint(1, 4))
        borders = [code for code in BORDERS if code[4] in palette or code[5] in palette]
        senate = rng.sample(borders, min(len(borders), rng.randint(0, 2))) + ["XIII"] * rng.choice((0, 0, 1, 2))
        senate += rng.sample(NUMBERED, rng.randint(0, 5))
        if "XI" not in senate and rng.random() < 0.5:
            senate.append("XI")
        tiles = [code for code in PROVINCES if code[0] in palette or code == "J0"]
        people = [code for code in PATRICIANS if code[0] in palette]
        given = {
            "provinces": rng.sample(tiles, min(len(tiles), rng.randint(0, 3))),
            "patricians": rng.sample(people, min(len(people), rng.randint(0, 7))),
            "senate": senate,
            "fortuna": [rng.randint(1, 3) for _ in range(rng.randint(0, 6))],
            "chips": rng.randint(0, 9),
        }
        if len(places_of(given)) <= 4:
            return given


WORST_HANDS = [
    ["XI", "XII:RG", "XII:OG", "XII:OB", "XII:YB", "XII:YV"],
    ["XII:RG", "XII:OG", "XII:OB", "XII:YB", "XII:YV", "XII:RV"],
    ["XI", "XIII", "XIII", "XII:RG", "XII:RV", "XII:OG"],
    ["XI", "II", "VI", "VII", "XIII", "XIII"],
    ["XI", "II", "IX", "V", "XII:RG", "XIII"],
    ["XI", "II", "X", "VII", "XII:YV", "XIII"],
    ["II", "V", "VI", "VII", "VIII", "XI"],
    ["VII", "VI", "XIII", "XIII", "XII:OB", "XII:YB"],
]


def large_tableau(rng: random.Random) -> dict[str, Any]:
    """As much as a player can win, and more; often the worst hands of six cards."""
    every_card = [*NUMBERED, *BORDERS, "XIII", "XIII"]
    senate = list(rng.choice(WORST_HANDS)) if rng.random() < 0.6 else rng.sample(every_card, rng.randint(3, 6))
    provinces = rng.sample(PROVINCES[:-1], rng.randint(2, 15))
    return {
        "provinces": provinces + ["J0"] * (rng.random() < 0.6),
        "patricians": rng.sample(PATRICIANS, rng.choice((8, 12, 16, 20, 24, 30, 36))),
        "senate": rng.sample(senate, len(senate)),
        "fortuna": [rng.randint(1, 3) for _ in range(rng.randint(0, 8))],
        "chips": rng.randint(0, 20),
    }


def agree_with(best: Any, given: dict[str, Any]) -> None:
    """The total and tie-break are the best there are, and the assignment that is shown brings just those points."""
    result = score_tableau(given)
    assert (result["total"], result["tiebreak"]) == best(given), given
    assert figures(score_assignment(given, result["assignment"])) == figures(result), given
    assert score_tableau({**given, "assignment": result["assignment"]}) == result, given


def test_the_best_of_small_tableaux_by_brute_force() -> None:
    rng = random.Random(1)
    for _ in range(150):
        agree_with(brute_force, small_tableau(rng))


@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_large_tableaux_by_an_integer_program(seed: int) -> None:
    rng = random.Random(100 + seed)
    for _ in range(10):
        agree_with(milp, large_tableau(rng))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_the_best_of_many_large_tableaux_by_an_integer_program(seed: int) -> None:
    rng = random.Random(200 + seed)
    for _ in range(10):
        agree_with(milp, large_tableau(rng))


@pytest.mark.slow
@pytest.mark.parametrize("hand", range(len(WORST_HANDS)))
def test_the_worst_hands_with_every_patrician(hand: int) -> None:
    rng = random.Random(hand)
    for patricians in (PATRICIANS, rng.sample(PATRICIANS, 27), rng.sample(PATRICIANS, 18)):
        given = {"provinces": rng.sample(PROVINCES, 9), "patricians": patricians, "senate": WORST_HANDS[hand]}
        agree_with(milp, given)


def random_assignment(given: Mapping[str, Any], rng: random.Random) -> list[dict[str, Any]]:
    """A valid assignment, mostly of couples, seldom complete."""
    rest = list(given["patricians"])
    places = places_of(dict(given))
    found = []
    for place in rng.sample(places, rng.randint(0, len(places))):
        contents = list(fillings(place, rest, "XI" in given["senate"]))
        families = [(people, child) for people, child in contents if child is not None]
        people, child = rng.choice(families if families and rng.random() < 0.4 else contents)
        for used in (*people, *([child] if child else [])):
            rest.remove(used)
        found.append({"province": place, "patricians": rng.sample(people, len(people)), "child": child})
    return found


def test_given_assignments_score_alike() -> None:
    rng = random.Random(2)
    children = 0
    for number in range(400):
        given = small_tableau(rng) if number % 2 else large_tableau(rng)
        assignment = random_assignment(given, rng)
        children += sum(entry["child"] is not None for entry in assignment)
        expected = score_assignment(given, assignment)
        assert figures(score_tableau({**given, "assignment": assignment})) == figures(expected), given
        best = score_tableau(given)
        assert (best["total"], best["tiebreak"]) >= (expected["total"], expected["tiebreak"]), given
    assert children > 100


def test_wrong_assignments_are_refused_alike() -> None:
    """One change to a valid assignment: both scorers take it, with the same points, or both refuse it."""
    rng = random.Random(3)
    verdicts = {True: 0, False: 0}
    for _ in range(800):
        given = small_tableau(rng)
        assignment = [entry for entry in random_assignment(given, rng) if entry["patricians"]]
        if not assignment:
            continue
        entry = rng.choice(assignment)
        change = rng.randrange(5)
        if change == 0:
            entry["patricians"] = [*entry["patricians"], rng.choice(PATRICIANS)]
        elif change == 1:
            entry["patricians"][rng.randrange(len(entry["patricians"]))] = rng.choice(given["patricians"])
        elif change == 2:
            entry["child"] = rng.choice(given["patricians"])
        elif change == 3:
            entry["province"] = rng.choice([*PROVINCES, *BORDERS, "XIII", *places_of(given)])
        else:
            assignment.append({**entry, "patricians": [rng.choice(given["patricians"])], "child": None})
        try:
            expected = score_assignment(given, assignment)
        except ValueError:
            verdicts[False] += 1
            with pytest.raises(RostraError):
                score_tableau({**given, "assignment": assignment})
        else:
            verdicts[True] += 1
            assert figures(score_tableau({**given, "assignment": assignment})) == figures(expected), given
    assert min(verdicts.values()) > 50
