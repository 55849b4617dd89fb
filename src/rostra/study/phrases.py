"""Moves in words, in every language of the catalogue: `phrase(words("de"), "alea", "F23", names, 0)`.

For reports and the terminal; the browser has the same in its own code. A phrase has no subject, and what it does not
know it says as it is written. What a newcomer would get wrong: texts alone are told, so nothing here can be secret.
"""

import re
from collections.abc import Callable, Sequence

from rostra.words import Words

_HOUSES = {"T": "templum", "S": "senatus", "C": "castrum", "F": "forum", "L": "latrina"}


def phrase(words: Words, game: str, move: str, names: Sequence[str], seat: int) -> str:
    """A decision of this seat in words."""
    told = _GAMES.get(game)
    return move if told is None else told(words, move, names, seat)


def _alea(words: Words, move: str, names: Sequence[str], seat: int) -> str:
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


def _quovadis(words: Words, move: str, names: Sequence[str], seat: int) -> str:
    def path(written: str) -> str:
        return written.replace(">S", f">{words.say('quovadis.senate')}").replace(">", " → ")

    if found := re.fullmatch(r"(\w>\w)(?:\(([\d,]+)\))?", move):
        consents = [int(one) for one in (found[2] or "").split(",") if one]
        if not consents:
            return words.say("quovadis.moves", path=path(found[1]))
        others = ", ".join(names[one] for one in sorted({*consents} - {seat}))
        own = words.say("quovadis.own_consent", n=len(consents))
        with_ = words.say("quovadis.with_consent", names=others) if others else own
        return words.say("quovadis.moves_with", path=path(found[1]), **{"with": with_})
    if found := re.fullmatch(r"(then )?@(\w>\w)", move):
        return words.say("quovadis.then_puts" if found[1] else "quovadis.puts_caesar", path=path(found[2]))
    if found := re.fullmatch(r"give (\d) (\d) (\d)", move):
        said = words.say("quovadis.gives", name=names[int(found[2])], value=found[3])
        return words.say("quovadis.sentence", name=names[int(found[1])], phrase=said)
    if found := re.fullmatch(r"promise (\d) (\d) (\w+)(?: (\d))?", move):
        values = {"whom": names[int(found[4])]} if found[3] == "oppose" else {"value": found[4] or ""}
        said = words.say(f"quovadis.promises_{found[3]}", name=names[int(found[2])], **values)
        return words.say("quovadis.sentence", name=names[int(found[1])], phrase=said)
    if re.fullmatch(r"[+-]\w", move):
        return words.say("quovadis.enters" if move[0] == "+" else "quovadis.dismisses", room=move[1])
    key = _WORDS.get(move)
    return words.say(f"quovadis.{key}") if key else move


_WORDS = {
    "-": "leaves_caesar", "then -": "then_stays", "yes": "agrees", "no": "refuses", "hear": "hears", "pass": "passes",
    "drop": "drops",
}  # fmt: skip
_GAMES: dict[str, Callable[[Words, str, Sequence[str], int], str]] = {"alea": _alea, "quovadis": _quovadis}
