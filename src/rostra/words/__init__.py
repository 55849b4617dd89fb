"""All texts for people, in every language, shared by Python and the browser: `words("de").say("lobby.your_turn")`.

Each file is an area (`en/lobby.json`), a flat object from names to texts; a key is area and name (`lobby.your_turn`).
In a text `{name}` is replaced by a parameter, and `{n:die|dice}` by the first word if n is 1, else by the second. The
latter does not write the number itself: write `{n} {n:die|dice}`.
"""

import functools
import json
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from rostra.engine.game import BadOption, did_you_mean

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""All languages, each with its own name for itself; the first is the default."""
PLACE = re.compile(r"\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}")
"""A placeholder: a parameter, or a parameter with its singular and plural words."""


class Words:
    """The texts of one language, by key."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    def __iter__(self) -> Iterator[str]:
        """All keys."""
        return iter(self._texts)

    def text(self, key: str) -> str:
        """A text with its placeholders."""
        if key not in self._texts:
            raise KeyError(f"there are no words for {key!r}{did_you_mean(key, self._texts)}")
        return self._texts[key]

    def say(self, key: str, **parameters: object) -> str:
        """A text with its placeholders filled in; KeyError if a parameter is missing."""

        def filled(place: re.Match[str]) -> str:
            name, one, many = place.groups()
            if name not in parameters:
                raise KeyError(f"{key!r} needs the parameter {name!r}")
            value = parameters[name]
            if one is None:
                return str(value)
            return str(one if value == 1 else many)

        return PLACE.sub(filled, self.text(key))


def words(language: str) -> Words:
    """The texts of one language of this package."""
    if language not in LANGUAGES:
        raise BadOption(f"there is no language {language!r}; there is {', '.join(LANGUAGES)}")
    return read_words(Path(str(resources.files("rostra.words"))) / language)


@functools.cache
def read_words(folder: Path) -> Words:
    """The texts in the files of a folder."""
    texts = {}
    for file in sorted(folder.glob("*.json")):
        for name, text in json.loads(file.read_text(encoding="utf-8")).items():
            texts[f"{file.stem}.{name}"] = text
    return Words(texts)
