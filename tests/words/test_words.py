"""The catalogue says the same in every language, says it well, and has nothing that nobody says."""

import json
import re
from pathlib import Path

import pytest

from rostra.engine.game import BadOption
from rostra.words import LANGUAGES, PLACE, Words, read_words, words

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src" / "rostra" / "words"
WEB = ROOT / "web" / "src"


# The mechanism.


def test_parameters_are_filled_in_and_words_chosen_by_number() -> None:
    said = Words({"a.b": "{who} rolls {n} {n:die|dice}", "a.c": "{n:nothing else|more}, {n}"})
    assert said.say("a.b", who="Ada", n=1) == "Ada rolls 1 die"
    assert said.say("a.b", who="{n}", n=0) == "{n} rolls 0 dice"  # what is filled in is not read again
    assert said.say("a.c", n=1) == "nothing else, 1"
    assert said.say("a.c", n=7) == "more, 7"
    assert sorted(said) == ["a.b", "a.c"]


def test_what_is_missing_is_said() -> None:
    said = Words({"a.dice": "{n} {n:die|dice}"})
    with pytest.raises(KeyError, match="needs the parameter 'n'"):
        said.say("a.dice", m=3)
    with pytest.raises(KeyError, match=r"no words for 'a.dise' \(did you mean 'a.dice'"):
        said.say("a.dise", n=3)
    with pytest.raises(BadOption, match="no language 'fr'; there is en, de"):
        words("fr")


def test_a_file_is_an_area(tmp_path: Path) -> None:
    (tmp_path / "table.json").write_text('{"turn": "{name} ist am Zug – los"}', encoding="utf-8")
    assert read_words(tmp_path).say("table.turn", name="Bo") == "Bo ist am Zug – los"


# The catalogue.


def problems(language: str, text: str) -> list[str]:
    """What is wrong with the form of a text."""
    found = {
        "no text": not text.strip(),
        "blanks at an end, or two in a row": text != " ".join(text.split(" ")).strip() or "  " in text,
        "a brace that is no parameter": bool(re.search("[{}]", PLACE.sub("", text))),
        "typewriter quotes": bool(re.search("[\"'`´]", text)),
        "three dots for …": "..." in text,
        "a hyphen for a dash": bool(re.search(r"(^|\s)--?(\s|$)", text)),
        "a blank before a sign": bool(re.search(r" [,.;:!?](\s|$)", text)),
        "a dash with blanks on one side only": bool(re.search(r"\w[–—] | [–—][^\W\d]", text)),
    }
    if language == "de":
        found["not „so“"] = text.count("„") != text.count("“") or "”" in text
    else:
        found["not “so”"] = text.count("“") != text.count("”") or "„" in text
    return [what for what, wrong in found.items() if wrong]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", ""), ("en", " a"), ("en", "a  b"), ("en", "{n:a}"), ("en", "it's"), ("en", "wait..."), ("en", "a - b"),
        ("en", "why ?"), ("en", "a –b"), ("en", "„a“"), ("de", "“a”"), ("de", "„a”"), ("en", "“a"), ("en", "{n"),
    ],
)  # fmt: skip
def test_bad_form_is_found(language: str, text: str) -> None:
    assert problems(language, text)


def test_good_form_passes() -> None:
    for language, text in (
        ("en", "It’s “so” – or {n:a|b} … 3–4 -1"),
        ("de", "„So“ – oder? z. B. {n}"),
        ("en", "A>E, +B or @J>S: 1/2"),
    ):
        assert not problems(language, text)


def areas(language: str) -> dict[str, dict[str, str]]:
    files = sorted((FOLDER / language).glob("*.json"))
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}


def parameters(text: str) -> set[str]:
    """The names in a text; in what way they are said, and how often, is the language's affair."""
    return {place[1] for place in PLACE.finditer(text)}


def test_all_languages_say_the_same_things() -> None:
    default, *others = LANGUAGES
    right = areas(default)
    for language in others:
        found = areas(language)
        assert found.keys() == right.keys()
        for area, texts in right.items():
            assert found[area].keys() == texts.keys(), (language, area)
            for name, text in texts.items():
                assert parameters(found[area][name]) == parameters(text), (language, area, name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_well_formed(language: str) -> None:
    for area, texts in areas(language).items():
        for name, text in texts.items():
            assert isinstance(text, str) and re.fullmatch(r"\w+", name), (area, name)
            assert not problems(language, text), (area, name, text)
            assert words(language).text(f"{area}.{name}") == text


def sources() -> str:
    """All code that could say something."""
    web = [file for file in WEB.rglob("*") if file.suffix in (".ts", ".svelte")]
    python = (ROOT / "src" / "rostra").rglob("*.py")
    return "\n".join(file.read_text(encoding="utf-8") for file in (*web, *python))


def test_every_text_is_said_somewhere() -> None:
    row = re.search(r"COMPUTED = \[(.*?)\]", (WEB / "words.svelte.ts").read_text(encoding="utf-8"), re.DOTALL)
    assert row is not None
    computed = tuple(re.findall("[\"'`]([^\"'`]+)[\"'`]", row[1]))
    said = set(re.findall("[\"'`]([a-z_]+\\.\\w+)[\"'`]", sources()))
    keys = set(words("en"))
    assert keys
    assert sorted(key for key in keys if key not in said and not key.startswith(computed)) == []


def test_nothing_is_said_that_is_not_there() -> None:
    """TypeScript finds this in the browser's code; here it is for Python too."""
    keys = set(words("en"))
    assert keys
    asked = set(re.findall(r"""\bsay\(\s*["'`]([a-z_]+\.\w+)["'`]""", sources()))
    assert sorted(asked - keys) == []
