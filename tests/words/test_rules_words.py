"""The rules pages of the web app tell every rule, in every language, each at one place."""

import json
import re
from pathlib import Path

import pytest

from rostra.words import LANGUAGES

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "rules").glob("*.md"))
TOPICS = (ROOT / "web" / "src" / "rules" / "topics.ts").read_text(encoding="utf-8")
HOME = re.compile(r"\(([AQ]-[A-Z]+-\d+)\)")
MENTION = re.compile(r"\[([AQ]-[A-Z]+-\d+)\]")
HELP = {
    "alea": "turn reroll dice templum senatus castrum forum latrina keep take_card take_province take_patrician scoring"
    " tableau cards end",
    "quovadis": "turn enter move consent caesar laurels deal promise senate stall end variants",
}
"""What other parts of the app open as `alea-take-card`."""


def texts(language: str) -> dict[str, str]:
    file = ROOT / "src" / "rostra" / "words" / language / "rules.json"
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return found


def ids_of(page: Path) -> set[str]:
    return set(re.findall(r"^\| ([AQ]-[A-Z]+-\d+) \|", page.read_text(encoding="utf-8"), re.MULTILINE))


def listed(name: str, game: str) -> list[str]:
    """The words of a list in topics.ts: of all chapters of a game, or of its terms."""
    start = TOPICS.index(f"{game}: [", TOPICS.index(f"export const {name}"))
    part = TOPICS[start : TOPICS.index("\n  ],", start)]
    if name == "CHAPTERS":
        return [one for row in re.findall(r"topics: \[(.*?)\]", part) for one in re.findall(r'"(\w+)"', row)]
    return re.findall(r'"(\w+)"', part)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_one_home(language: str) -> None:
    homes = [one for text in texts(language).values() for one in HOME.findall(text)]
    assert sorted(homes) == sorted(set().union(*map(ids_of, PAGES)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_that_is_mentioned_is_told(language: str) -> None:
    ids = set().union(*map(ids_of, PAGES))
    assert {one for text in texts(language).values() for one in MENTION.findall(text)} <= ids


def test_all_languages_tell_the_same_rules_at_the_same_places() -> None:
    default, *others = LANGUAGES
    right = texts(default)
    for language in others:
        found = texts(language)
        assert found.keys() == right.keys()
        for key, text in right.items():
            assert HOME.findall(found[key]) == HOME.findall(text), (language, key)
            assert sorted(MENTION.findall(found[key])) == sorted(MENTION.findall(text)), (language, key)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_game_tells_its_own_rules(page: Path) -> None:
    told = {one for key, text in texts("en").items() if key.startswith(f"{page.stem}_") for one in HOME.findall(text)}
    assert told == ids_of(page)


@pytest.mark.parametrize("game", HELP)
def test_every_topic_is_told_and_every_text_has_a_topic(game: str) -> None:
    topics, terms, found = listed("CHAPTERS", game), listed("TERMS", game), texts("en")
    assert set(HELP[game].split()) <= set(topics)
    for topic in topics:
        assert {f"{game}_{topic}_title", f"{game}_{topic}_short", f"{game}_{topic}_1"} <= found.keys()
    for term in terms:
        assert {f"{game}_term_{term}", f"{game}_term_{term}_text"} <= found.keys()
    known = re.compile(
        rf"{game}_(title|lead|fact_\w+|chapter_\w+|card_[IVX]+|term_({'|'.join(terms)})(_text)?"
        rf"|({'|'.join(topics)})_(title|short|((note|example)_)?\d+))"
    )
    assert [key for key in found if key.startswith(f"{game}_") and not known.fullmatch(key)] == []


def test_passages_are_numbered_without_gaps() -> None:
    """The page stops at the first number that is missing."""
    found = texts("en")
    for key in found:
        passage = re.fullmatch(r"(\w+_)(\d+)", key)
        if passage and int(passage[2]) > 1:
            assert f"{passage[1]}{int(passage[2]) - 1}" in found, key


def test_what_is_stressed_is_closed() -> None:
    for language in LANGUAGES:
        assert [key for key, text in texts(language).items() if text.count("*") % 2] == []
