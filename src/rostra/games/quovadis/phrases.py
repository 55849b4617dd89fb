"""Moves of Quo Vadis? in the words of any language of the catalogue, for reports and the terminal.

A phrase has no subject: the caller puts the name in front.
"""

import re
from collections.abc import Sequence

from rostra.words import Words


def phrase(words: Words, move: str, names: Sequence[str], seat: int) -> str:
    """A decision of this seat in words."""

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
    "drop": "drops", "show": "shows",
}  # fmt: skip
