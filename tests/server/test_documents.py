"""The API documents and the browser's types in the repository match the code."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from rostra.server import documents, schema

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", documents.files())
def test_the_document_in_the_project_is_up_to_date(name: str) -> None:
    made = documents.files()[name]
    assert (ROOT / name).read_text(encoding="utf-8") == made, "run: python -m rostra.server.documents ."


def test_every_message_is_documented() -> None:
    said = {one.__name__ for union in (schema.FromClient, schema.FromServer) for one in get_args(union)}
    document = documents.asyncapi()
    assert set(document["components"]["messages"]) == said
    for operation in document["operations"].values():
        assert all(ref["$ref"].rpartition("/")[2] in said for ref in operation["messages"])


def test_every_reference_leads_somewhere() -> None:
    for document in (documents.openapi(), documents.asyncapi()):
        text = json.dumps(document)
        for part in text.split('"$ref": "#/')[1:]:
            found = document
            for step in part.partition('"')[0].split("/"):
                found = found[step]


def test_every_type_of_the_browser_is_declared_once() -> None:
    """That they compile is checked with the rest of the browser's code."""
    text = re.sub(r"/\*.*?\*/", "", documents.typescript(), flags=re.DOTALL)
    declared = re.findall(r"^export (?:interface|type) (\w+)", text, re.MULTILINE)
    assert len(declared) == len(set(declared))
    assert set(declared) >= {shape.__name__ for shape in documents.SHAPES} | {"Position", "Lesson", "FromServer"}
    named = set(re.findall(r"\b[A-Z]\w+", re.sub(r'"[^"\n]*"|//.*', "", text)))
    assert named <= {*declared, "Record"}


def test_shapes_of_games_become_interfaces() -> None:
    text = documents.typescript()
    for line in (
        '  turn: number | "chance" | "over";',
        "  cards: [string, number][];",
        "  committees: Record<string, QuoVadisCommittee>;",
        "  senate?: string[][];",
        "  rows?: AleaStand[];",
        "  templum: AleaOffering[] | null;",
    ):
        assert line in text.splitlines(), line
