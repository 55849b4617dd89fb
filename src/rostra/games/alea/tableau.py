"""What one player has at the end of Alea Iacta Est, scored item by item for people to look at.

Tableaux come as plain data in the codes of the formats page and are checked here. The best assignment comes from
`scoring`, the points of each item from a literal reading of the rules, so that the two check each other.
"""

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rostra.engine.game import BadNotation, IllegalMove, did_you_mean
from rostra.engine.jit import Array
from rostra.games.alea.scoring import (
    CHOICES,
    FAME,
    GIVEN,
    LAST,
    N_ROW,
    WAYS,
    WORK_SIZE,
    Colour,
    Gift,
    best_of_colour,
    best_worth,
    fame_of,
    fixed_fame,
    local_index,
    shown_colours,
)
from rostra.games.alea.state import with_card
from rostra.games.alea.tables import (
    BORDER,
    CARDS,
    COLOURS,
    FREE,
    GREY,
    JOKER,
    N_BORDERS,
    N_COLOURS,
    PATRICIANS,
    PROVINCES,
    RING,
    XI,
    bit_count,
)


class Tableau(NamedTuple):
    """A player's possessions, checked: codes in canonical order, numbers as they are."""

    provinces: tuple[str, ...]
    patricians: tuple[str, ...]
    senate: tuple[str, ...]
    fortuna: tuple[int, ...]
    chips: int


class Home(NamedTuple):
    """An occupied province with those who live there."""

    province: str
    patricians: tuple[str, ...]
    child: str | None = None


def score_tableau(given: Mapping[str, Any]) -> dict[str, Any]:
    """Score a tableau by its best assignment, or by the one it brings along, item by item."""
    tableau = read_tableau(given)
    if given.get("assignment") is None:
        return itemise(tableau, best_assignment(tableau))
    return itemise(tableau, read_assignment(given["assignment"], tableau))


def tableau_of(seen: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """A seat's tableau as far as a view shows it: cards that the viewer cannot see are left out (A-HID-2)."""
    player = seen["players"][seat]
    senate: list[str] = []
    if "senate" in seen:
        senate = seen["senate"][seat]
    elif seat == seen["seat"]:
        senate = seen["own"]["senate"]
    return {
        "provinces": player["provinces"],
        "patricians": player["patricians"],
        "senate": senate,
        "fortuna": [int(token) for token in player["fortuna"]],
        "chips": player["chips"],
    }


def enriched(tableau: Mapping[str, Any], code: str) -> dict[str, Any]:
    """The tableau after a decision such as `+Rw3`, `+III` or `K23`."""
    if code[0] == "K":
        return {**tableau, "fortuna": [*tableau["fortuna"], *map(int, code[1:])]}
    part = "patricians" if code[2:3] in ("w", "m") else "provinces" if code[2:3].isdigit() else "senate"
    return {**tableau, part: [*tableau[part], code[1:]]}


def gain(tableau: Mapping[str, Any], code: str) -> int:
    """The points that a decision such as `+Rw3`, `+III` or `K23` adds now."""
    return total(enriched(tableau, code)) - total(tableau)


def total(tableau: Mapping[str, Any]) -> int:
    """The points of a tableau by its best assignment."""
    return int(score_tableau(tableau)["total"])


def homeless(tableau: Mapping[str, Any], scored: Mapping[str, Any]) -> list[str]:
    """The patricians without a home in a scored tableau."""
    housed = {code for home in scored["assignment"] for code in (*home["patricians"], home["child"])}
    return [code for code in tableau["patricians"] if code not in housed]


def read_tableau(given: Mapping[str, Any]) -> Tableau:
    """Check plain data for a tableau; a missing part counts as empty."""
    if not isinstance(given, Mapping):
        raise BadNotation(f"a tableau is a JSON object with provinces, patricians, ..., not {given!r}")
    known = ("provinces", "patricians", "senate", "fortuna", "chips", "assignment")
    for key in given:
        if key not in known:
            raise BadNotation(f"a tableau has no {key!r}{did_you_mean(str(key), known)}; it has {', '.join(known)}")
    fortuna = _list_of(given, "fortuna")
    for token in fortuna:
        if type(token) is not int or not 1 <= token <= 3:
            raise BadNotation(f"fortuna tokens are 1, 2 or 3, not {token!r}")
    chips = given.get("chips", 0)
    if type(chips) is not int or not 0 <= chips < 10_000:
        raise BadNotation(f"chips are a whole number from 0 to 9999, not {chips!r}")
    for value, most in ((1, 8), (2, 14), (3, 8)):  # A-SET-4
        if fortuna.count(value) > most:
            raise BadNotation(f"there are only {most} fortuna tokens of value {value}, not {fortuna.count(value)}")
    return Tableau(
        _tiles(given, "provinces", PROVINCES),
        _tiles(given, "patricians", PATRICIANS),
        _tiles(given, "senate", CARDS),
        tuple(sorted(fortuna, reverse=True)),
        chips,
    )


def _list_of(given: Mapping[str, Any], part: str) -> list[Any]:
    value = given.get(part, [])
    if not isinstance(value, list | tuple):
        raise BadNotation(f"{part} is a list, not {value!r}")
    return list(value)


def _tiles(given: Mapping[str, Any], part: str, codes: tuple[str, ...]) -> tuple[str, ...]:
    tiles = _list_of(given, part)
    for code in tiles:
        if code not in codes:
            raise BadNotation(f"{code!r} is none of the {part}{did_you_mean(str(code), codes)}; such as {codes[2]}")
        there_are = 2 if code == CARDS[FREE] else 1
        if tiles.count(code) > there_are:
            raise BadNotation(f"{code} is {tiles.count(code)} times among the {part}, but there is only {there_are}")
    return tuple(sorted(tiles, key=codes.index))


# The best assignment: walk the dynamic programme of `scoring` backwards and name the tiles.


class _Part(NamedTuple):
    """What one colour does in the best assignment."""

    colour: int
    gifts: tuple[int, int]
    joker: int
    free: int
    women: int
    men: int
    occupied: int
    girls: int
    boys: int


@functools.lru_cache(1024)
def best_assignment(tableau: Tableau) -> tuple[Home, ...]:
    """The best assignment there is (A-END-6): most fame, then most value unassigned."""
    provinces = sum(1 << PROVINCES.index(code) for code in tableau.provinces)
    patricians = sum(1 << PATRICIANS.index(code) for code in tableau.patricians)
    cards = 0
    for code in tableau.senate:
        cards = with_card(cards, CARDS.index(code))
    work = np.zeros(WORK_SIZE, np.int64)
    best = best_worth(provinces, patricians, cards, work)
    parts = _walk_back(provinces, patricians, cards, work)
    homes = tuple(_settle(tableau, parts))
    fame = fame_of(best + FAME * fixed_fame(provinces, cards, len(tableau.fortuna)))
    items = itemise(tableau, homes)
    assert fame == items["provinces"] + items["patricians"] + items["senate"]  # two ways to count agree
    return homes


def _walk_back(provinces: int, patricians: int, cards: int, work: Array) -> list[_Part]:
    shown = shown_colours(provinces, cards)
    state = int(work[LAST])
    parts = []
    for step in range(N_COLOURS - 1, -1, -1):
        way = int(work[WAYS + step * N_ROW + state])
        way, odd = divmod(way, 2)
        way, free = divmod(way, 4)
        way, joker = divmod(way, 2)
        way, second = divmod(way, 8)
        state, first = divmod(way, 8)
        colour = int(RING[step])
        given = (GIVEN[first] + GIVEN[second]).tolist()
        new_colour = 1 - (shown >> colour & 1) if joker + free else 0
        at = local_index(given[0], given[1], given[2], joker, free)
        tiles = bit_count(provinces >> (4 * colour) & 15)
        local = np.zeros(WORK_SIZE, np.int64)
        people = patricians >> (6 * colour) & 63
        best_of_colour(Colour(people, tiles, cards, new_colour), Gift(*given), joker, free, local, at)
        choice = int(local[CHOICES + at + odd])
        numbers = []
        for _ in range(5):
            choice, number = divmod(choice, 8)
            numbers.append(number)
        boys, girls, occupied, men, women = numbers
        parts.append(_Part(colour, (first, second), joker, free, women, men, occupied, girls, boys))
    return parts[::-1]


def _settle(tableau: Tableau, parts: list[_Part]) -> list[Home]:
    """Give names to the numbers: adults are the highest of their kind, children the lowest."""
    frees = [code for code in tableau.senate if code == CARDS[FREE]]
    border_people: dict[int, list[str]] = {border: [] for border in range(N_BORDERS)}
    border_children: dict[int, str] = {}
    homes: list[Home] = []
    for step, part in enumerate(parts):
        colour = COLOURS[part.colour]
        women, men = ([t for t in tableau.patricians if t[:2] == colour + sex] for sex in "wm")
        children = women[: part.girls] + men[: part.boys]
        women, men = women[::-1], men[::-1]
        for gift, border in zip(part.gifts, ((step - 1) % N_BORDERS, step), strict=True):
            n_women, n_men, n_children = GIVEN[gift].tolist()
            border_people[border] += [women.pop(0) for _ in range(n_women)] + [men.pop(0) for _ in range(n_men)]
            if n_children:
                border_children[border] = children.pop()
        places = sorted((p for p in tableau.provinces if p[0] == colour), key=lambda p: -int(p[1]))
        places = places[: part.occupied - part.joker - part.free]
        places += [PROVINCES[JOKER]] * part.joker + [frees.pop() for _ in range(part.free)]
        couples = part.women + part.men - part.occupied
        singles = women[couples : part.women] + men[couples : part.men]
        for place in places:
            if couples > 0:
                couples -= 1
                child = children.pop() if children else None
                homes.append(Home(place, (women.pop(0), men.pop(0)), child))
            else:
                homes.append(Home(place, (singles.pop(0),)))
    for border, people in border_people.items():
        if people:
            couple = tuple(sorted(people, key=lambda code: "wm".index(code[1])))
            homes.append(Home(CARDS[BORDER + border], couple, border_children.get(border)))
    order = (*PROVINCES, *CARDS)
    return sorted(homes, key=lambda home: order.index(home.province))


# A given assignment, and the points of every item.


def read_assignment(given: Any, tableau: Tableau) -> list[Home]:
    """Check an assignment in the form of the output against a tableau (A-END-1, A-CARD-11 to A-CARD-13)."""
    if not isinstance(given, list | tuple):
        raise BadNotation(f"an assignment is a list of objects with province, patricians and child, not {given!r}")
    homes = []
    for entry in given:
        if not isinstance(entry, Mapping) or not {"province"} <= set(entry) <= {"province", "patricians", "child"}:
            raise BadNotation(f"an assignment's entry has province, patricians and child; found {entry!r}")
        home = Home(entry["province"], tuple(_list_of(entry, "patricians")), entry.get("child"))
        _check_home(home, tableau)
        if home.patricians:
            homes.append(home)
    houses = _houses(tableau)
    for code, number in Counter(home.province for home in homes).items():
        if number > houses.count(code):
            raise IllegalMove(f"{code} is assigned {number} times, but the tableau has it {houses.count(code)} times")
    people = [code for home in homes for code in (*home.patricians, home.child) if code is not None]
    for code, number in Counter(people).items():
        if number > 1:
            raise IllegalMove(f"{code} is assigned {number} times")
    return homes


def _houses(tableau: Tableau) -> tuple[str, ...]:
    """Everything that patricians can live in: tiles, border provinces and free provinces."""
    return (*tableau.provinces, *(code for code in tableau.senate if code.startswith("XII")))


def _check_home(home: Home, tableau: Tableau) -> None:
    houses = _houses(tableau)
    if home.province not in houses:
        raise IllegalMove(f"{home.province!r} is no province of this tableau")
    for code in (*home.patricians, *([] if home.child is None else [home.child])):
        if code not in tableau.patricians:
            raise IllegalMove(f"{code!r} is no patrician of this tableau")
    sexes = [code[1] for code in home.patricians]
    if len(sexes) > 2 or len(set(sexes)) < len(sexes):
        raise IllegalMove(f"{home.province} takes at most one woman and one man, not {' '.join(home.patricians)}")
    colours = [code[0] for code in home.patricians]
    if home.province[0] in COLOURS:  # A-END-1
        allowed, same = home.province[0], True
    elif ":" in home.province:  # A-CARD-12: of a couple one of each colour
        allowed, same = home.province[4:], False
    else:
        allowed, same = COLOURS, True
    if any(colour not in allowed for colour in colours) or (len(colours) == 2 and (colours[0] == colours[1]) != same):
        wanted = "one of each of its colours" if not same else "of one and the same colour"
        if len(allowed) == 1:
            wanted = f"of its colour {allowed}"
        raise IllegalMove(f"{home.province} takes patricians {wanted}, not {' '.join(home.patricians)}")
    if home.child is not None:  # A-CARD-11
        if CARDS[XI] not in tableau.senate:
            raise IllegalMove("only card XI lets a couple have a child")
        if len(home.patricians) != 2 or home.child[0] not in (allowed if not same else colours[0]):
            raise IllegalMove(
                f"{home.child} cannot be a child in {home.province}: it needs a couple of its colour there"
            )


def itemise(tableau: Tableau, homes: Sequence[Home]) -> dict[str, Any]:
    """The points of every item under this assignment, in the form of `rostra score`."""
    adults = [code for home in homes for code in home.patricians]
    children = [home.child for home in homes if home.child is not None]
    assigned = adults + children
    occupied = {home.province for home in homes}
    free_left = Counter(home.province for home in homes)[CARDS[FREE]]
    cards: list[list[Any]] = []
    for code in tableau.senate:
        points = _card_points(code, tableau, homes, assigned)
        if code == CARDS[FREE]:  # A-CARD-13; two of them are alike
            points = 1 if free_left > 0 else 0
            free_left -= 1
        cards.append([code, points])
    items = {
        # A-END-2; a vacant joker scores -1
        "provinces": sum(int(code[1]) - (code not in occupied) for code in tableau.provinces),
        "patricians": sum(int(code[2]) for code in adults),  # A-END-3
        "senate": sum(points for _, points in cards),
        "fortuna": sum(tableau.fortuna),  # A-END-4
        "chips": tableau.chips // 2,
    }
    return {
        "total": sum(items.values()),
        "tiebreak": sum(int(code[2]) for code in tableau.patricians if code not in assigned),  # A-END-5
        **items,
        "cards": cards,
        "assignment": [
            {"province": home.province, "patricians": list(home.patricians), "child": home.child} for home in homes
        ],
    }


def _card_points(code: str, tableau: Tableau, homes: Sequence[Home], assigned: list[str]) -> int:
    couples = sum(len(home.patricians) == 2 for home in homes)
    if code == "I":  # A-CARD-1
        return 1 + len(_houses(tableau)) // 2
    if code == "II":  # A-CARD-2
        return len(assigned) // 2
    if code == "III":  # A-CARD-3
        return 1 + len(tableau.senate)
    if code == "IV":  # A-CARD-4
        return 1 + 2 * (len(tableau.fortuna) // 3)
    if code == "V":  # A-CARD-5
        return 1 + couples
    if code == "VI":  # A-CARD-6
        return len({person[0] for person in assigned})
    if code == "VII":  # A-CARD-7
        return len(_province_colours(tableau, homes))
    if code == "VIII":  # A-CARD-8
        return sum(home.province in tableau.provinces for home in homes)
    if code == "IX":  # A-CARD-9
        return sum(person[1] == "w" for person in assigned)
    if code == "X":  # A-CARD-10
        return sum(person[1] == "m" for person in assigned)
    if code == "XI":  # A-CARD-11
        return sum(home.child is not None for home in homes)
    couple_here = any(home.province == code and len(home.patricians) == 2 for home in homes)
    return 3 if couple_here else 0  # A-CARD-12


def _province_colours(tableau: Tableau, homes: Sequence[Home]) -> set[str]:
    """A-CARD-7: jokers and free provinces have the colour of those who live there, or grey."""
    wild = (PROVINCES[JOKER], CARDS[FREE])
    colours = {code[0] for code in tableau.provinces if code not in wild}
    for card in tableau.senate:
        if ":" in card:
            colours |= set(card[4:])
    inhabited = [home for home in homes if home.province in wild]
    colours |= {home.patricians[0][0] for home in inhabited}
    if len(inhabited) < sum(code in wild for code in (*tableau.provinces, *tableau.senate)):
        colours.add(GREY)
    return colours
