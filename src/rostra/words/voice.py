"""How the terminal app speaks: texts of the catalogue in one language, addressed to the person at seat 0.

Nothing here knows a game or prints. A sentence about the person has other verbs and cases than one about anybody else.
So texts choose by `{you:move|moves}`, and a name is requested by its role in the sentence: subject (`who`), recipient
(`to`) or object (`whom`).
"""

import difflib
from collections.abc import Iterable, Sequence

from rostra.words import Words, words

YOU = 0
"""The person's seat."""
_TYPEWRITER = str.maketrans("’“”„", "'```")
"""The catalogue's quotation marks as the terminal shows them: what is to be typed is in `ticks`."""
_SIGNS = {"help": "?", "stay": "-"}
"""Single characters that people type. Texts name them by a parameter, because in a text they are punctuation."""


class Voice:
    """The texts of one language at one table."""

    def __init__(self, language: str, names: Sequence[str]) -> None:
        said = words(language)
        self.language = language
        self._words = Words({key: said.text(key).translate(_TYPEWRITER) for key in said})
        self.short = [self.say("lobby.you_tag"), *(name.partition(" (")[0] for name in names[1:])]
        self._given, self._object = self.say("tui.you_given"), self.say("tui.you_object")

    def say(self, key: str, /, **values: object) -> str:
        """A text of the catalogue with its parameters filled in."""
        return self._words.say(key, **_SIGNS, **values)

    def told(self, key: str, seat: int, /, **values: object) -> str:
        """A text about a seat, which is `who` in it; its verbs are chosen by `you`."""
        return self.say(key, who=self.short[seat], you=seat == YOU, **values)

    def to(self, seat: int) -> str:
        """A seat as the recipient in a sentence."""
        return self._given if seat == YOU else self.short[seat]

    def whom(self, seat: int) -> str:
        """A seat as the object of a sentence."""
        return self._object if seat == YOU else self.short[seat]

    def listed(self, parts: Sequence[str]) -> str:
        """A list in a sentence: a, b and c."""
        if len(parts) < 2:
            return "".join(parts)
        return self.say("table.and", some=", ".join(parts[:-1]), last=parts[-1])

    def inside(self, text: str) -> str:
        """A text as it stands inside a sentence, where German keeps its capitals."""
        return text if self.language == "de" else text[:1].lower() + text[1:]

    def number(self, value: float) -> str:
        """A number as this language writes it."""
        written = f"{value:.1f}"
        return written.replace(".", ",") if self.language == "de" else written

    def typed(self, key: str) -> list[str]:
        """The words of a command, of which the first is the one that is shown."""
        return self.say(key).split(", ")

    def no_move(self, typed: str, known: Iterable[str]) -> str:
        """The message that something is no legal move, with what may have been meant."""
        close = difflib.get_close_matches(typed, list(known), 1)
        if close:
            return self.say("tui.no_move_but", typed=repr(typed), meant=repr(close[0]))
        return self.say("tui.no_move", typed=repr(typed))


def capital(sentence: str) -> str:
    """The sentence with a capital first letter, the rest as it is."""
    return sentence[:1].upper() + sentence[1:]
