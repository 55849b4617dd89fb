"""What a player of Alea Iacta Est has and what it is worth, item by item, now and at the end.

Every figure comes from `score_tableau`, the exact best assignment; a gain is the difference with and without.
What a newcomer would get wrong: tokens drawn in this set are not kept yet, so they are no part of a tableau.
"""

from typing import Any

from rostra.games.alea.tableau import score_tableau
from rostra.tui.alea_words import card, counted, spaced
from rostra.tui.guide import hung

_LABELS = ("provinces", "patricians", "senate", "fortuna", "chips")


def tableau_of(seen: dict[str, Any], seat: int) -> dict[str, Any]:
    """A seat's tableau from a view: the viewer's own, or anybody's when the game is over."""
    player = seen["players"][seat]
    return {
        "provinces": player["provinces"],
        "patricians": player["patricians"],
        "senate": seen["senate"][seat] if "senate" in seen else seen["own"]["senate"],
        "fortuna": [int(token) for token in player["fortuna"]],
        "chips": player["chips"],
    }


def gain(tableau: dict[str, Any], code: str) -> int:
    """The points that a decision such as `+Rw3`, `+III` or `K23` adds now."""
    richer = dict(tableau)
    if code[0] == "K":
        richer["fortuna"] = [*tableau["fortuna"], *map(int, code[1:])]
    else:
        part = "patricians" if code[2:3] in ("w", "m") else "provinces" if code[2:3].isdigit() else "senate"
        richer[part] = [*tableau[part], code[1:]]
    return int(score_tableau(richer)["total"]) - int(score_tableau(tableau)["total"])


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
    homeless = _homeless(tableau, scored)
    if homeless:
        lines += hung(f"  {'no home':11}  -   ", f"{' '.join(homeless)}: value {scored['tiebreak']}, for ties only")
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


def _homeless(tableau: dict[str, Any], scored: dict[str, Any]) -> list[str]:
    housed = {code for home in scored["assignment"] for code in (*home["patricians"], home["child"])}
    return [code for code in tableau["patricians"] if code not in housed]
