"""What a player of Alea Iacta Est has and what it is worth, item by item, in lines for the terminal.

All figures come from `rostra.games.alea.tableau`, by the exact best assignment; nothing is worked out here. What a
newcomer would get wrong: tokens drawn in this set are not kept yet, so they are no part of a tableau.
"""

from typing import Any

from rostra.games.alea.tableau import homeless
from rostra.tui.alea_words import card, counted, spaced
from rostra.tui.guide import hung

_LABELS = ("provinces", "patricians", "senate", "fortuna", "chips")


def items(tableau: dict[str, Any], scored: dict[str, Any]) -> list[str]:
    """The points of every item, a line a kind."""
    with_templum = bool(tableau["fortuna"])
    texts = {
        "provinces": _provinces(tableau, scored),
        "patricians": _homes(scored),
        "senate": "; ".join(f"{code} {card(code).name} {points}" for code, points in scored["cards"]),
        "fortuna": "tokens " + spaced("".join(map(str, tableau["fortuna"]))),
        "chips": f"{counted(tableau['chips'], 'chip')}, 1 point for every two",
    }
    lines = []
    for label in _LABELS:
        if label != "fortuna" or with_templum:
            lines += hung(f"  {label:11}{scored[label]:3}   ", texts[label] or "none")
    if unhoused := homeless(tableau, scored):
        lines += hung(f"  {'no home':11}  -   ", f"{' '.join(unhoused)}: value {scored['tiebreak']}, for ties only")
    return lines


def _provinces(tableau: dict[str, Any], scored: dict[str, Any]) -> str:
    occupied = {home["province"] for home in scored["assignment"]}
    return ", ".join(
        f"{code} {code[1]}" if code in occupied else f"{code} empty {int(code[1]) - 1}" for code in tableau["provinces"]
    )


def _homes(scored: dict[str, Any]) -> str:
    homes = []
    for home in scored["assignment"]:
        child = f" with child {home['child']}" if home["child"] else ""
        homes.append(f"{home['province']}: {' '.join(home['patricians'])}{child}")
    return "; ".join(homes)
