"""Final scoring of Alea Iacta Est, written literally from the rules (A-END-*, A-CARD-*).

A tableau is the input object of `rostra score`:
{"provinces": ["R3"], "patricians": ["Rw3"], "senate": ["III", "XII:RG"], "fortuna": [3, 2], "chips": 5}.
An assignment is a list of {"province": "R3", "patricians": ["Rw3"], "child": None}; the cards XII and XIII
stand in it as provinces under their own codes. Vacant places may be listed with no patricians or left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

Tableau = dict[str, Any]
Entry = dict[str, Any]
Contents = tuple[list[str], "str | None"]  # what lies in one place: patricians and child

COLOURS = "ROYGBV"
GREY = "J"
PROVINCES = [colour + value for colour in COLOURS for value in "1234"] + ["J0"]  # A-SET-2
PATRICIANS = [colour + sex + value for colour in COLOURS for sex in "wm" for value in "123"]  # A-SET-3
BORDERS = ["XII:RG", "XII:OG", "XII:OB", "XII:YB", "XII:YV", "XII:RV"]  # A-CARD-12
NUMBERED = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI"]
SENATE = NUMBERED + BORDERS + ["XIII", "XIII"]  # A-SET-5


def colour_of(patrician: str) -> str:
    """Colour letter of a patrician."""
    return patrician[0]


def is_woman(patrician: str) -> bool:
    """True for a woman, False for a man."""
    return patrician[1] == "w"


def value_of(patrician: str) -> int:
    """Printed value of a patrician."""
    return int(patrician[2])


def is_border(place: str) -> bool:
    """True for a card XII."""
    return place.startswith("XII:")


def is_free(place: str) -> bool:
    """True for the places of any one colour: the joker tile and the cards XIII."""
    return place in ("J0", "XIII")


def colours_of(place: str) -> str:
    """Colours that a place accepts."""
    if is_border(place):
        return place[4:]
    return COLOURS if is_free(place) else place[0]


def check_tableau(tableau: Tableau) -> None:
    """Refuse codes that do not exist; whether a tile may occur twice is not asked here."""
    for key, known in (
        ("provinces", PROVINCES),
        ("patricians", PATRICIANS),
        ("senate", SENATE),
        ("fortuna", [1, 2, 3]),
    ):
        for item in tableau.get(key, []):
            if item not in known:
                raise ValueError(f"{key}: unknown {item!r}")
    chips = tableau.get("chips", 0)
    if not isinstance(chips, int) or chips < 0:
        raise ValueError(f"chips: {chips!r}")


def places_of(tableau: Tableau) -> list[str]:
    """Everything that takes patricians: the tiles, then the cards XII and XIII."""
    cards = [card for card in tableau.get("senate", []) if is_border(card) or card == "XIII"]
    return list(tableau.get("provinces", [])) + cards


def problem(place: str, patricians: list[str], child: str | None, offspring: bool) -> str | None:
    """Say what is wrong with these patricians and child in this place, or None."""
    women = [p for p in patricians if is_woman(p)]
    men = [p for p in patricians if not is_woman(p)]
    if len(women) > 1 or len(men) > 1:
        return "at most one woman and one man"  # A-END-1
    for patrician in patricians + ([child] if child is not None else []):
        if colour_of(patrician) not in colours_of(place):
            return f"{patrician} has not the colour of the place"  # A-END-1, A-CARD-11, A-CARD-12
    couple = len(patricians) == 2
    same_colour = len({colour_of(p) for p in patricians}) == 1
    if couple and is_border(place) and same_colour:
        return "a border couple has one patrician of each colour"  # A-CARD-12
    if couple and not is_border(place) and not same_colour:
        return "a couple of two colours"  # A-END-1 (joker), A-CARD-13
    if child is not None:
        if not offspring:
            return "a child needs card XI"  # A-CARD-11
        if not couple:
            return "a child needs a couple"  # A-CARD-11
        if is_free(place) and colour_of(child) != colour_of(patricians[0]):
            return "the child has not the colour of the couple"  # A-CARD-11
    return None


def score_assignment(tableau: Tableau, assignment: list[Entry]) -> dict[str, Any]:
    """Score a given assignment, in the output form of `rostra score`; ValueError if it breaks a rule."""
    check_tableau(tableau)
    tiles: list[str] = list(tableau.get("provinces", []))
    senate: list[str] = list(tableau.get("senate", []))
    tokens: list[int] = list(tableau.get("fortuna", []))
    places = places_of(tableau)
    offspring = "XI" in senate

    free_places = Counter(places)
    loose = Counter(tableau.get("patricians", []))  # what is left here at the end is unassigned
    filled: list[tuple[str, list[str], str | None]] = []
    for entry in assignment:
        if "province" not in entry or "patricians" not in entry:
            raise ValueError(f"no province or no patricians in {entry!r}")
        place, patricians, child = entry["province"], list(entry["patricians"]), entry.get("child")
        if free_places[place] == 0:
            raise ValueError(f"{place}: not there, or listed too often")
        free_places[place] -= 1
        for patrician in patricians + ([child] if child is not None else []):
            if loose[patrician] == 0:
                raise ValueError(f"{patrician}: not there, or used twice")
            loose[patrician] -= 1
        wrong = problem(place, patricians, child, offspring)
        if wrong is not None:
            raise ValueError(f"{place}: {wrong}")
        if patricians:
            filled.append((place, patricians, child))

    occupied = [place for place, _, _ in filled]
    adults = [p for _, patricians, _ in filled for p in patricians]
    children = [child for _, _, child in filled if child is not None]
    assigned = adults + children  # A-CARD-11: a child is an assigned patrician like any other
    couples = [place for place, patricians, _ in filled if len(patricians) == 2]

    # A-END-2: a vacant tile is worth one less, the joker -1
    occupied_tiles = [place for place in occupied if place in PROVINCES]
    province_points = sum(int(tile[1]) for tile in occupied_tiles)
    province_points += sum(int(tile[1]) - 1 for tile in (Counter(tiles) - Counter(occupied_tiles)).elements())
    patrician_points = sum(value_of(p) for p in adults)  # A-END-3; children count as points of card XI

    province_colours: set[str] = set()  # for A-CARD-7
    for place in places:
        if not is_free(place):
            province_colours.update(colours_of(place))
    for place, patricians, _ in filled:
        if is_free(place):
            province_colours.add(colour_of(patricians[0]))
    vacant = Counter(places) - Counter(occupied)
    if vacant["J0"] or vacant["XIII"]:
        province_colours.add(GREY)

    # equal cards XII or XIII: which of them is the occupied one makes no difference to the sum
    couples_left, occupied_left = Counter(couples), Counter(occupied)
    cards: list[list[Any]] = []
    for card in senate:
        if card == "I":
            points = 1 + len(places) // 2  # A-CARD-1
        elif card == "II":
            points = len(assigned) // 2  # A-CARD-2
        elif card == "III":
            points = 1 + len(senate)  # A-CARD-3
        elif card == "IV":
            points = 1 + 2 * (len(tokens) // 3)  # A-CARD-4
        elif card == "V":
            points = 1 + len(couples)  # A-CARD-5
        elif card == "VI":
            points = len({colour_of(p) for p in assigned})  # A-CARD-6
        elif card == "VII":
            points = len(province_colours)  # A-CARD-7
        elif card == "VIII":
            points = len(occupied_tiles)  # A-CARD-8
        elif card == "IX":
            points = sum(is_woman(p) for p in assigned)  # A-CARD-9
        elif card == "X":
            points = sum(not is_woman(p) for p in assigned)  # A-CARD-10
        elif card == "XI":
            points = len(children)  # A-CARD-11
        elif is_border(card):
            points = 3 if couples_left[card] > 0 else 0  # A-CARD-12
            couples_left[card] -= 1
        else:
            points = 1 if occupied_left[card] > 0 else 0  # A-CARD-13
            occupied_left[card] -= 1
        cards.append([card, points])

    senate_points = sum(points for _, points in cards)
    fortuna_points = sum(tokens)  # A-END-4
    chip_points = tableau.get("chips", 0) // 2  # A-END-4
    return {
        "total": province_points + patrician_points + senate_points + fortuna_points + chip_points,
        "tiebreak": sum(value_of(p) for p in loose.elements()),  # A-END-5
        "provinces": province_points,
        "patricians": patrician_points,
        "senate": senate_points,
        "fortuna": fortuna_points,
        "chips": chip_points,
        "cards": cards,
        "assignment": [
            {"province": place, "patricians": sorted(patricians, key=lambda p: not is_woman(p)), "child": child}
            for place, patricians, child in filled
        ],
    }


def fillings(place: str, patricians: list[str], offspring: bool) -> Iterator[Contents]:
    """Every permitted content of one place out of these patricians."""
    yield [], None
    for first in patricians:
        if problem(place, [first], None, offspring) is None:
            yield [first], None
    for woman in filter(is_woman, patricians):
        for man in (p for p in patricians if not is_woman(p)):
            rest = list(patricians)
            rest.remove(woman)
            rest.remove(man)
            for child in [None, *rest]:
                if problem(place, [woman, man], child, offspring) is None:
                    yield [woman, man], child


def brute_force(tableau: Tableau) -> tuple[int, int]:
    """Best total and, with it, best tie-break (A-END-6) by scoring every assignment. Small tableaux only."""
    places = places_of(tableau)
    offspring = "XI" in tableau.get("senate", [])

    def search(index: int, rest: list[str], assignment: list[Entry]) -> tuple[int, int]:
        if index == len(places):
            score = score_assignment(tableau, assignment)
            return score["total"], score["tiebreak"]
        results: list[tuple[int, int]] = []
        for patricians, child in fillings(places[index], rest, offspring):
            left = list(rest)
            for used in patricians + ([child] if child is not None else []):
                left.remove(used)
            entry = {"province": places[index], "patricians": patricians, "child": child}
            results.append(search(index + 1, left, [*assignment, entry]))
        return max(results)

    return search(0, list(tableau.get("patricians", [])), [])


class _Model:
    """A tiny builder of an integer program: variables by number, rows as dicts."""

    def __init__(self) -> None:
        self.gain: list[int] = []
        self.top: list[int] = []
        self.rows: list[tuple[dict[int, int], int]] = []

    def variable(self, gain: int = 0, top: int = 1) -> int:
        """A new integer variable in 0..top that adds gain to the objective for each unit."""
        self.gain.append(gain)
        self.top.append(top)
        return len(self.gain) - 1

    def at_most(self, bound: int, plus: list[int], minus: list[int] | None = None, times: int = 1) -> None:
        """times * sum(plus) - sum(minus) <= bound."""
        row: dict[int, int] = {}
        for index in plus:
            row[index] = row.get(index, 0) + times
        for index in minus or []:
            row[index] = row.get(index, 0) - 1
        self.rows.append((row, bound))


SCALE = 256  # one fame point: more than the value of all 36 patricians (72), so that the tie-break never wins


def best_score(tableau: Tableau) -> dict[str, Any]:
    """A best assignment (A-END-6), scored; found by an integer program that HiGHS solves to optimality."""
    check_tableau(tableau)
    patricians: list[str] = list(tableau.get("patricians", []))
    senate: list[str] = list(tableau.get("senate", []))
    places = places_of(tableau)
    nothing = score_assignment(tableau, [])
    if not patricians or not places:
        return nothing

    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint
    from scipy.optimize import milp as solve

    model = _Model()
    sits: dict[tuple[int, int], int] = {}  # (patrician, place) -> variable: assigned as woman or man
    child: dict[tuple[int, int], int] = {}  # (patrician, place) -> variable: assigned as child
    for p, patrician in enumerate(patricians):
        # an assigned patrician's value is lost for the tie-break, a child's too
        each = senate.count("IX") if is_woman(patrician) else senate.count("X")
        for h, place in enumerate(places):
            if colour_of(patrician) not in colours_of(place):
                continue
            sits[p, h] = model.variable(SCALE * (value_of(patrician) + each) - value_of(patrician))
            if "XI" in senate:
                child[p, h] = model.variable(SCALE * (senate.count("XI") + each) - value_of(patrician))
    for p in range(len(patricians)):
        uses = [v for table in (sits, child) for (q, _), v in table.items() if q == p]
        model.at_most(1, uses)

    chosen_colour: dict[str, list[int]] = {colour: [] for colour in COLOURS}  # of jokers and free provinces
    occupied_free: list[int] = []
    for h, place in enumerate(places):
        here = [p for p in range(len(patricians)) if (p, h) in sits]
        women = [sits[p, h] for p in here if is_woman(patricians[p])]
        men = [sits[p, h] for p in here if not is_woman(patricians[p])]
        model.at_most(1, women)
        model.at_most(1, men)
        # every vacant tile is in the constant part with its value - 1, so that occupying it adds 1
        tile = place in PROVINCES
        gain = 1 + senate.count("VIII") if tile else 1 if place == "XIII" else 0
        occupied = model.variable(SCALE * gain)
        model.at_most(0, [occupied], women + men)
        for variable in women + men:
            model.at_most(0, [variable], [occupied])
        # a couple never harms: upper limits suffice
        couple = model.variable(SCALE * (senate.count("V") + (3 if is_border(place) else 0)))
        model.at_most(0, [couple], women)
        model.at_most(0, [couple], men)
        model.at_most(0, [child[p, h] for p in here if (p, h) in child], [couple])
        if is_border(place):  # two patricians only of two colours
            for colour in colours_of(place):
                model.at_most(1, [sits[p, h] for p in here if colour_of(patricians[p]) == colour])
        if is_free(place):
            occupied_free.append(occupied)
            picks: list[int] = []
            for colour in COLOURS:
                of_colour = [p for p in here if colour_of(patricians[p]) == colour]
                pick = model.variable()
                picks.append(pick)
                chosen_colour[colour].append(pick)
                model.at_most(0, [pick], [sits[p, h] for p in of_colour])
                for p in of_colour:
                    model.at_most(0, [sits[p, h]], [pick])
                    if (p, h) in child:
                        model.at_most(0, [child[p, h]], [pick])
            model.at_most(1, picks)

    everybody = list(sits.values()) + list(child.values())
    for _ in range(senate.count("II")):  # half the number, rounded down
        half = model.variable(SCALE, top=len(patricians))
        model.at_most(0, [half], everybody, times=2)
    for _ in range(senate.count("VI")):
        for colour in COLOURS:
            seen = model.variable(SCALE)
            model.at_most(
                0,
                [seen],
                [v for table in (sits, child) for (p, _), v in table.items() if colour_of(patricians[p]) == colour],
            )
    base = SCALE * nothing["total"]
    for _ in range(senate.count("VII")):
        fixed = {colour for place in places if not is_free(place) for colour in colours_of(place)}
        for colour in COLOURS:
            if colour not in fixed:
                seen = model.variable(SCALE)
                model.at_most(0, [seen], chosen_colour[colour])
        if occupied_free:  # the constant part counts grey, which is lost when none of these is vacant
            base -= SCALE
            grey = model.variable(SCALE)
            model.at_most(len(occupied_free), [grey, *occupied_free])

    matrix = np.zeros((len(model.rows), len(model.gain)))
    for number, (row, _) in enumerate(model.rows):
        for index, factor in row.items():
            matrix[number, index] = factor
    result = solve(
        -np.array(model.gain, dtype=float),
        integrality=np.ones(len(model.gain)),
        bounds=Bounds(np.zeros(len(model.gain)), np.array(model.top, dtype=float)),
        constraints=LinearConstraint(matrix, -np.inf, np.array([float(bound) for _, bound in model.rows])),
        options={"mip_rel_gap": 0.0},
    )
    if result.status != 0 or result.x is None:
        raise RuntimeError(f"HiGHS: {result.message}")
    if float(np.abs(result.x - np.round(result.x)).max()) > 1e-4:
        raise RuntimeError("HiGHS: a solution that is not integral")

    taken = [bool(round(x)) for x in result.x]
    assignment: list[Entry] = []
    for h, place in enumerate(places):
        adults = [patricians[p] for (p, q), v in sits.items() if q == h and taken[v]]
        heirs = [patricians[p] for (p, q), v in child.items() if q == h and taken[v]]
        assignment.append({"province": place, "patricians": adults, "child": heirs[0] if heirs else None})
    score = score_assignment(tableau, assignment)
    # the literal scorer must agree with the objective, and the bound proves that no integer is better
    all_values = sum(value_of(p) for p in patricians)
    value = SCALE * score["total"] - (all_values - score["tiebreak"])
    if abs(base - result.fun - value) > 0.01:
        raise RuntimeError(f"integer program says {base - result.fun}, the scorer {value}")
    bound = result.mip_dual_bound
    if bound is not None and abs(result.fun - bound) > 0.9:
        raise RuntimeError("HiGHS: optimality not proved")
    return score


def milp(tableau: Tableau) -> tuple[int, int]:
    """Best total and tie-break by an integer program."""
    score = best_score(tableau)
    return score["total"], score["tiebreak"]


def best(tableau: Tableau) -> tuple[int, int]:
    """What the referee uses at the end of the game (exact)."""
    return milp(tableau)
