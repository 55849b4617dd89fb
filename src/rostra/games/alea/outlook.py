"""The arithmetic that a seat of Alea Iacta Est could do from its view: who wins what as things stand, what everybody's
possessions score, what a senate card is worth now and may become, what a move would do.

Figures are exact, or bounds that nothing can exceed. All is made from `view` and one public number that no view shows,
so it tells no secret. A card is worth the difference that it makes to the whole tableau, not the points printed on it.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, cast

from rostra.engine.game import copy
from rostra.engine.jit import State
from rostra.games.alea.notation import text
from rostra.games.alea.rules import apply
from rostra.games.alea.shapes import (
    AleaBuildings,
    AleaCard,
    AleaEffect,
    AleaOutlook,
    AleaStand,
    AleaTableau,
    AleaView,
)
from rostra.games.alea.tableau import enriched, gain, homeless, score_tableau, tableau_of, total
from rostra.games.alea.tables import (
    AGAIN,
    CARDS,
    DICE,
    FREE,
    GREY,
    IV,
    N_COLOURS,
    PATRICIANS,
    PLACE,
    PROVINCES,
    SENATE_WINNERS,
    kind_of,
)
from rostra.games.alea.view import view

_LAYING = ("start", "lay-provinces", "lay-patricians")
_PLAYING = ("roll", "place", "reroll", "token")
_BUILDINGS: Mapping[str, Literal["templum", "senatus", "castrum", "forum", "latrina"]]
_BUILDINGS = {"T": "templum", "S": "senatus", "C": "castrum", "F": "forum", "L": "latrina"}
_JOKER = f"{GREY}0"


def outlook(s: State, seat: int | None) -> AleaOutlook:
    """Where this seat (None: a spectator) stands, from what it may see."""
    seen = view(s, seat)
    buildings = _buildings(seen, int(s["rank"]))
    return {
        "buildings": buildings,
        "tableaux": [_tableau(seen, other) for other in range(len(seen["players"]))],
        "cards": [] if seat is None else _cards(seen, seat, buildings),
    }


def effect(s: State, move: int) -> AleaEffect:
    """What a legal decision of the deciding seat would do; empty for a reroll."""
    if kind_of(move) == AGAIN:
        return {}
    seat, written = int(s["seat"]), text(s, move)
    if s["phase"] == PLACE:
        return _placing(s, move, written)
    seen = view(s, seat)
    tableau = tableau_of(seen, seat)
    told: AleaEffect = {"gain": gain(tableau, written)}
    if written[1:] in CARDS:
        told["best"] = _best_of_choice(written[1:], told["gain"], seen, seat, _buildings(seen, int(s["rank"])))
    return told


def _placing(s: State, move: int, written: str) -> AleaEffect:
    seat, letter, dice = int(s["seat"]), written[0], written[1:]
    after = copy(s)
    after.start = seat  # a round ends before the start player, so this turn cannot end the set and clear the buildings
    apply(after, move)
    name = _BUILDINGS[letter]
    seen = view(after, None)
    rows = _buildings(seen, 0)[name] or []
    by_value = letter in "CF"  # there a seat may have several rows; of equal dice in the Forum the new one is leftmost
    mine = [row["seat"] == seat and (not by_value or row["dice"][0] == dice[0]) for row in rows]
    pushed = s["forum_seat"][seen["columns"] - len(dice) : int(s["forum_size"])] if letter == "F" else ()
    return {
        "building": name,
        "rows": rows,
        "rank": mine.index(True),
        "pushed": [int(owner) for owner in reversed(pushed)],  # A-FOR-3
        "tokens": _owed(seen, seat),
    }


# Who wins what, if the set were scored as it stands; dice in hand would go to the Latrina then and are not counted.


def _buildings(seen: AleaView, cards_taken: int) -> AleaBuildings:
    """All rows by rank; `cards_taken` in this scoring is public, but no view shows it."""
    winners = int(SENATE_WINNERS[len(seen["players"])]) - cards_taken
    senatus = sorted(seen["senatus"], key=lambda row: (-len(row["dice"]), -int(row["dice"][-1])))  # A-SCO-3
    castrum = sorted(seen["castrum"], key=lambda row: (-len(row["dice"]), -int(row["dice"][0])))  # A-SCO-6
    provinces = len(seen["offered"]["provinces"])
    latrina = sorted(enumerate(seen["latrina"]), key=lambda item: -item[1])
    return {
        "templum": _templum(seen),
        "senatus": [_stand(row["seat"], row["dice"], rank < winners) for rank, row in enumerate(senatus)],
        "castrum": [_stand(row["seat"], row["dice"], rank < provinces) for rank, row in enumerate(castrum)],
        "forum": [_stand(die["seat"], str(die["die"]), True) for die in seen["forum"]],  # A-SCO-8
        "latrina": [
            {"seat": seat, "dice": "?" * number, "sum": 0, "wins": number}  # A-SCO-9
            for seat, number in latrina
            if number
        ],
    }


def _stand(seat: int, dice: str, wins: bool) -> AleaStand:
    return {"seat": seat, "dice": dice, "sum": sum(map(int, dice)), "wins": int(wins)}


def _templum(seen: AleaView) -> list[AleaStand] | None:
    if seen["templum"] is None:
        return None
    rows = sorted(seen["templum"], key=lambda row: -row["dice"])
    alone = sum(row["dice"] for row in rows) == 1
    found: list[AleaStand] = []
    for rank, row in enumerate(rows):
        owed = _owed(seen, row["seat"])
        drawn = seen["players"][row["seat"]]["drawn"] + owed
        wins = min(drawn, 1 if rank else 2)  # A-SCO-1
        if alone:  # A-SCO-2
            wins = drawn + (_tokens_left(seen) > owed)
        found.append({"seat": row["seat"], "dice": "?" * row["dice"], "sum": row["sum"], "wins": wins})
    return found


def _owed(seen: AleaView, seat: int) -> int:
    """The tokens that this seat is about to draw for dice placed in the Templum (A-TEM-4, A-TEM-5)."""
    if seen["phase"] != "token" or seat != seen["active"]:
        return 0
    dice = next(row["dice"] for row in seen["templum"] or [] if row["seat"] == seat)
    return min(dice - seen["players"][seat]["drawn"], _tokens_left(seen))


def _tokens_left(seen: AleaView) -> int:
    return seen["stacks"]["fortuna"] + len(seen["discards"])


# What everybody has.


def _tableau(seen: AleaView, seat: int) -> AleaTableau:
    tableau = tableau_of(seen, seat)
    scored = score_tableau(tableau)
    told = {
        "whole": len(tableau["senate"]) == seen["players"][seat]["senate"],
        **scored,
        "cards": [(code, points) for code, points in scored["cards"]],
        "homeless": homeless(tableau, scored),
    }
    return cast(AleaTableau, told)


# What senate cards are worth, and what they may become.


def _cards(seen: AleaView, seat: int, buildings: AleaBuildings) -> list[AleaCard]:
    """The seat's cards and those it chooses from."""
    own = seen["own"]
    assert own is not None  # a seat's own view
    tableau = tableau_of(seen, seat)
    points = total(tableau)
    reach = _reach(seen, seat, buildings)
    found: list[AleaCard] = []
    for code in tableau["senate"]:
        now = points - total({**tableau, "senate": _without(tableau["senate"], code)})
        found.append({"card": code, "now": now, "best": _best(code, now, tableau, reach)})
    for code in own["choice"]:
        now = gain(tableau, f"+{code}")
        found.append({"card": code, "now": now, "best": _best_of_choice(code, now, seen, seat, buildings)})
    return found


def _best_of_choice(code: str, now: int, seen: AleaView, seat: int, buildings: AleaBuildings) -> int:
    own = seen["own"]
    assert own is not None  # a seat's own view
    reach = _reach(seen, seat, buildings)
    # A seat that takes this card wins no other in this set and never sees the rest again (A-SCO-4).
    reach = reach._replace(cards=reach.cards - 1, kinds=reach.kinds - Counter(own["choice"]))
    return _best(code, now, enriched(tableau_of(seen, seat), f"+{code}"), reach)


def _without(codes: list[str], code: str) -> list[str]:
    at = codes.index(code)
    return codes[:at] + codes[at + 1 :]


class _Reach(NamedTuple):
    """The most that a seat can still win until the end of the game, each number by itself."""

    provinces: int
    patricians: int
    both: int
    """Provinces and patricians together: each takes a die."""
    cards: int
    tokens: int
    tiles: frozenset[str]
    """The province tiles among which these are."""
    people: frozenset[str]
    """The patricians among which these are."""
    women: int
    men: int
    kinds: Counter[str]
    """The senate cards that the seat has never seen, and those before it now."""


def _reach(seen: AleaView, seat: int, buildings: AleaBuildings) -> _Reach:
    players, own = seen["players"], seen["own"]
    assert own is not None  # a seat's own view
    laying, playing = seen["phase"] in _LAYING, seen["phase"] in _PLAYING
    later = seen["sets"] - seen["set"] + laying  # while tiles are laid out, this set is like a later one
    provinces, patricians, cards, tokens = (
        sum(row["wins"] for row in buildings[name] or [] if row["seat"] == seat)
        for name in ("castrum", "forum", "senatus", "templum")
    )
    both = provinces + patricians
    offered = seen["offered"]
    if playing:  # every die in hand can become a group of its own or a die in the Forum, or begin the rest
        hand = players[seat]["dice"]
        groups, dice = (sum(row["seat"] == seat for row in buildings[name]) for name in ("castrum", "forum"))
        provinces = min(groups + hand, len(offered["provinces"]))
        patricians = min(dice + hand, len(offered["patricians"]))
        both = min(groups + dice + hand, provinces + patricians)
        cards = int(hand > 0 or any(row["seat"] == seat for row in buildings["senatus"]))
        tokens = 2 if hand > 0 or any(row["seat"] == seat for row in buildings["templum"] or []) else 0
    tiles, turned_up = _left(PROVINCES, offered["provinces"], [player["provinces"] for player in players], laying)
    people, met = _left(PATRICIANS, offered["patricians"], [player["patricians"] for player in players], laying)
    women, men = (
        min(patricians, sum(code[1] == sex for code in met))
        + min(later * seen["columns"], sum(code[1] == sex for code in people))
        for sex in "wm"
    )
    kinds = Counter([*CARDS, CARDS[FREE]]) - Counter([*own["senate"], *own["passed"]])  # A-SET-5
    if seen["templum"] is None:  # A-SET-6
        tokens, later_tokens = 0, 0
        del kinds[CARDS[IV]]
    else:
        later_tokens = 2 * later  # A-SCO-1
    return _Reach(
        provinces + len(players) * later,  # A-SET-8
        patricians + seen["columns"] * later,
        both + min(DICE, len(players) + seen["columns"]) * later,
        cards + later,  # A-SCO-4
        tokens + later_tokens,
        (tiles if later else frozenset()) | (turned_up if provinces else frozenset()),
        (people if later else frozenset()) | (met if patricians else frozenset()),
        women,
        men,
        kinds,
    )


def _left(
    codes: tuple[str, ...], offered: list[str], taken: list[list[str]], laying: bool
) -> tuple[frozenset[str], frozenset[str]]:
    """The tiles that may come in later sets, and those of this set; no view tells which are out of the game."""
    now = frozenset() if laying else frozenset(offered)
    return frozenset(codes).difference(now, *taken), now


class _Most(NamedTuple):
    """The most that a tableau can become, each number by itself."""

    houses: int
    women: int
    men: int
    patricians: int
    pieces: int
    """Houses and patricians together."""
    couples: int
    in_house: int
    """Patricians that may live in one house: a couple, and perhaps a child."""


def _most(tableau: Mapping[str, Any], held: list[str], reach: _Reach) -> _Most:
    tiles: list[str] = tableau["provinces"]
    people: list[str] = tableau["patricians"]
    house_cards = _number("XII", held) + min(reach.cards, _number("XII", reach.kinds.elements()))
    houses = len(tiles) + reach.provinces + house_cards
    women, men = (
        sum(person[1] == sex for person in people) + more for sex, more in (("w", reach.women), ("m", reach.men))
    )
    patricians = len(people) + reach.patricians
    pieces = len(tiles) + len(people) + house_cards + reach.both
    couples = min(women, men, patricians // 2, houses, pieces // 3)
    return _Most(houses, women, men, patricians, pieces, couples, 3 if _may_have("XI", held, reach) else 2)


def _best(code: str, now: int, tableau: Mapping[str, Any], reach: _Reach) -> int:
    """A bound of the difference that this card of the tableau can make at the end."""
    if not (reach.provinces or reach.patricians or reach.cards or reach.tokens):
        return now  # only chips can still come, and no card counts them
    held = _without(tableau["senate"], code)
    if code.startswith("XII"):
        return _best_house(code, held, tableau, reach)
    most = _most(tableau, held, reach)
    if code == "XI":
        return _best_children(most, held, reach)
    # The best assignment with the card is also one without the card, so the card adds at most what it scores there;
    # that is bounded by what the tableau can become at most.
    scored = _most_scored(code, tableau, held, reach, most)
    return scored if code == "III" else scored + _more({"III": 1}, held, reach)  # A-CARD-3 counts this card too


def _most_scored(code: str, tableau: Mapping[str, Any], held: list[str], reach: _Reach, most: _Most) -> int:
    """The most that a card without houses and children can score itself."""
    if code == "I":  # every province that can be won
        return 1 + most.houses // 2
    if code == "II":  # all patricians, two in a house, or three with a child
        housed = min(most.houses * most.in_house, most.pieces * most.in_house // (most.in_house + 1))
        return min(most.patricians, housed) // 2
    if code == "III":  # one more card a set
        return 1 + len(tableau["senate"]) + reach.cards
    if code == "IV":  # two more tokens a set
        return 1 + 2 * ((len(tableau["fortuna"]) + reach.tokens) // 3)
    if code == "V":  # a woman, a man and a house for each couple
        return 1 + most.couples
    if code == "VI":
        return _most_patrician_colours(tableau["patricians"], held, reach, most)
    if code == "VII":
        return _most_province_colours(tableau["provinces"], held, reach)
    if code == "VIII":  # a patrician for each tile
        return min(len(tableau["provinces"]) + reach.provinces, most.patricians, most.pieces // 2)
    # IX and X: one in a house, and a child where there is a couple
    return min(most.women if code == "IX" else most.men, most.houses * (most.in_house - 1), most.pieces // 2)


def _most_patrician_colours(people: list[str], held: list[str], reach: _Reach, most: _Most) -> int:
    """A new colour for each new patrician; a house has people of one colour, a border province of two."""
    colours = {person[0] for person in people}
    new = {person[0] for person in reach.people} - colours
    borders = _number(":", held) + min(reach.cards, _number(":", reach.kinds))
    return min(len(colours) + min(reach.patricians, len(new)), most.houses + borders)


def _most_province_colours(tiles: list[str], held: list[str], reach: _Reach) -> int:
    """A new colour for each new tile, two for a border province, one for a joker or free province."""
    shown = {tile[0] for tile in tiles if tile != _JOKER} | {c for card in held if ":" in card for c in card[4:]}
    wild = (_JOKER in tiles) + held.count(CARDS[FREE])
    new = {tile[0] for tile in reach.tiles} - shown
    borders = min(reach.cards, _number(":", reach.kinds))
    by_cards = 2 * borders + min(reach.cards - borders, reach.kinds[CARDS[FREE]])
    grey = wild > 0 or _JOKER in reach.tiles or _may_have(CARDS[FREE], held, reach)
    return min(N_COLOURS + grey, len(shown) + wild + min(reach.provinces, len(new)) + by_cards)


def _best_children(most: _Most, held: list[str], reach: _Reach) -> int:
    """A bound for card XI: without it the children leave and all others stay.

    Lost are the children's own points and what II and IX or X count for them, but no colour. A child needs a couple.
    """
    children = min(most.couples, most.patricians // 3, most.pieces // 4)
    counted = {"III": 1, "II": (children + 1) // 2, _women_or_men(held, reach): children}
    return children + _more(counted, held, reach)


def _best_house(code: str, held: list[str], tableau: Mapping[str, Any], reach: _Reach) -> int:
    """A bound for a border or free province: without it those who live there leave, and all others stay."""
    border = ":" in code
    people: list[str] = [*tableau["patricians"], *reach.people]
    if border:
        people = [person for person in people if person[0] in code[4:]]
    women, men = ([person for person in people if person[1] == sex] for sex in "wm")
    couples = [
        int(woman[2]) + int(man[2])
        for woman, man in itertools.product(women, men)
        if (woman[0] != man[0]) == border and (woman in reach.people) + (man in reach.people) <= reach.patricians
    ]
    shown = {tile[0] for tile in tableau["provinces"]}
    counted = {"I": 1, "III": 1, "VII": len(set(code[4:]) - shown) if border else 1}
    if couples:
        children = _may_have("XI", held, reach)
        counted |= {"II": 2 if children else 1, "V": 1, "VI": 2 if border else 1, "IX": 1, "X": 1}
        counted["XI"] = 2 if _may_have("IX", held, reach) or _may_have("X", held, reach) else 1  # the child
        points = max(couples) + (3 if border else 1)  # A-CARD-12, A-CARD-13
    elif people:
        counted |= {"II": 1, "VI": 1, _women_or_men(held, reach): 1}
        points = max(int(person[2]) for person in people) + (0 if border else 1)
    else:
        points = 0
    return points + _more(counted, held, reach)


def _more(counted: dict[str, int], held: list[str], reach: _Reach) -> int:
    """What other cards count for this one: those held, and the best of those that can still be won."""
    can_come = sorted((points for card, points in counted.items() if card not in held and reach.kinds[card]))
    return sum(points for card, points in counted.items() if card in held) + sum(can_come[::-1][: reach.cards])


def _may_have(card: str, held: list[str], reach: _Reach) -> bool:
    return card in held or (reach.cards > 0 and reach.kinds[card] > 0)


def _women_or_men(held: list[str], reach: _Reach) -> str:
    """Which of the cards IX and X may count a patrician, who cannot be counted by both."""
    return "X" if "X" in held or not _may_have("IX", held, reach) else "IX"


def _number(mark: str, cards: Iterable[str]) -> int:
    """How many of these cards have this in their code: `XII` for houses, `:` for borders."""
    return sum(mark in card for card in cards)
