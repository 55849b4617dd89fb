"""What a player of Alea Iacta Est has and what it is worth, item by item, in lines for the terminal.

All figures come from `rostra.games.alea.tableau`, by the exact best assignment; nothing is computed here. Tokens drawn
in this set are not kept yet, so they are no part of a tableau.
"""

from typing import Any

from rostra.games.alea.tableau import homeless
from rostra.games.alea.terminal.words import card, spaced
from rostra.words.guide import hung
from rostra.words.voice import Voice

_LABELS = {
    "provinces": "alea.provinces",
    "patricians": "alea.patricians",
    "senate": "tui_alea.senate",
    "fortuna": "alea.fortuna",
    "chips": "alea.chips",
}


def items(voice: Voice, tableau: dict[str, Any], scored: dict[str, Any]) -> list[str]:
    """The points of every item, one line for each kind."""
    say = voice.say
    with_templum = bool(tableau["fortuna"])
    texts = {
        "provinces": _provinces(voice, tableau, scored),
        "patricians": _homes(voice, scored),
        "senate": "; ".join(f"{code} {card(voice, code).name} {points}" for code, points in scored["cards"]),
        "fortuna": say("tui_alea.tokens_kept", tokens=spaced("".join(map(str, tableau["fortuna"])))),
        "chips": say("tui_alea.chips_score", n=tableau["chips"]),
    }
    labels = {item: voice.inside(say(key)) for item, key in _LABELS.items()}
    no_home = say("tui_alea.no_home")
    width = max(map(len, (*labels.values(), no_home))) + 1
    lines = []
    for item, label in labels.items():
        if item != "fortuna" or with_templum:
            lines += hung(f"  {label:{width}}{scored[item]:3}   ", texts[item] or say("tui.none"))
    if unhoused := homeless(tableau, scored):
        said = say("tui_alea.for_ties", tiles=" ".join(unhoused), value=scored["tiebreak"])
        lines += hung(f"  {no_home:{width}}  -   ", said)
    return lines


def _provinces(voice: Voice, tableau: dict[str, Any], scored: dict[str, Any]) -> str:
    occupied = {home["province"] for home in scored["assignment"]}
    empty = voice.say("alea.empty_province")
    return ", ".join(
        f"{code} {code[1]}" if code in occupied else f"{code} {empty} {int(code[1]) - 1}"
        for code in tableau["provinces"]
    )


def _homes(voice: Voice, scored: dict[str, Any]) -> str:
    homes = []
    for home in scored["assignment"]:
        child = f" {voice.say('tui_alea.with_child', child=home['child'])}" if home["child"] else ""
        homes.append(f"{home['province']}: {' '.join(home['patricians'])}{child}")
    return "; ".join(homes)
