"""Moves of Alea Iacta Est in the words of any language of the catalogue, for reports and the terminal.

A phrase has no subject: the caller puts the name in front.
"""

import re
from collections.abc import Sequence

from rostra.words import Words

_HOUSES = {"T": "templum", "S": "senatus", "C": "castrum", "F": "forum", "L": "latrina"}


def phrase(words: Words, move: str, names: Sequence[str], seat: int) -> str:
    """A decision of this seat in words."""
    kind, rest = move[0], move[1:]
    if kind == "+":
        return words.say("alea.told_take", what=_piece(words, rest))
    if kind == "K":
        return words.say("alea.told_keep", tokens=" ".join(rest), n=len(rest))
    if kind == "R":
        return words.say("alea.reroll", dice=" ".join(rest))
    return words.say("alea.told_place", dice=" ".join(rest), where=words.say(f"alea.into_{_HOUSES[kind]}"))


def _piece(words: Words, code: str) -> str:
    """A tile or a card."""
    if tile := re.fullmatch(r"([ROYGBVJ])([wm]?)(\d)", code):
        colour, value = words.say(f"alea.colour_{tile[1]}"), tile[3]
        if tile[2]:
            return words.say("alea.woman" if tile[2] == "w" else "alea.man", colour=colour, value=value)
        return words.say("alea.province", name=words.say(f"alea.province_{tile[1]}"), value=value, colour=colour)
    card, _, colours = code.partition(":")
    one, other = (words.say(f"alea.colour_{colour}") for colour in colours) if colours else ("", "")
    return words.say(f"alea.card_{card}", one=one, other=other)
