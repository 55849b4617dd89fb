"""The API's documents in the project are those of the code, and the browser's types compile."""

import json
import shutil
import subprocess
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


@pytest.mark.slow
def test_the_types_compile(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on this machine")
    for name in ("package.json", "package-lock.json", "tsconfig.json", "src"):
        (shutil.copytree if (ROOT / "web" / name).is_dir() else shutil.copy)(ROOT / "web" / name, tmp_path / name)
    subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--silent"], cwd=tmp_path, check=True)
    subprocess.run([npm, "run", "check", "--silent"], cwd=tmp_path, check=True)
