"""Rules pages, code and tests agree: every rule id is cited in the code and proved by a test named after it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs" / "rules").glob("*.md"))
ID = re.compile(r"\b[AQ]-[A-Z]{3,4}-\d+\b")


def ids_of(page: Path) -> set[str]:
    """The ids that a page defines: the first cell of a row."""
    return set(re.findall(r"^\| ([AQ]-[A-Z]+-\d+) \|", page.read_text(encoding="utf-8"), re.MULTILINE))


def cited(folder: str, pattern: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for file in sorted((ROOT / folder).rglob(pattern)):
        text = file.read_text(encoding="utf-8")
        for kind, first, last in re.findall(r"\b([AQ]-[A-Z]+-)(\d+) to \1(\d+)", text):
            for number in range(int(first), int(last) + 1):
                found.setdefault(f"{kind}{number}", set()).add(file.name)
        for one in ID.findall(text):
            found.setdefault(one, set()).add(file.name)
    return found


ALL = set().union(*map(ids_of, PAGES))


def test_the_pages_have_ids() -> None:
    assert len([one for one in ALL if one.startswith("A-")]) == 65
    assert len([one for one in ALL if one.startswith("Q-")]) == 30


@pytest.mark.parametrize("folder", ["src", "tests", "docs"])
def test_every_cited_id_exists(folder: str) -> None:
    citations = cited(folder, "*.md" if folder == "docs" else "*.py")
    assert {one: files for one, files in citations.items() if one not in ALL} == {}


def test_every_rule_is_enforced_somewhere() -> None:
    assert ALL - set(cited("src/rostra/games", "*.py")) == set()


def test_every_rule_has_a_test_of_its_name() -> None:
    names = set()
    for file in (ROOT / "tests").rglob("test_*.py"):
        for name in re.findall(r"def test_([aq])_([a-z]+)_(\d+)_\w+", file.read_text(encoding="utf-8")):
            names.add(f"{name[0]}-{name[1]}-{name[2]}".upper())
    assert ALL - names == set()
    assert names - ALL == set()
