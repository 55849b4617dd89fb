"""This version reads matches of earlier versions, as they lie in people's databases."""

import json
import re
from pathlib import Path

import pytest

from rostra.play.verify import verify
from rostra.server import entries, seen
from rostra.server.store import LogRow, MatchRow
from rostra.server.table import Refusal, Table

FILES = sorted((Path(__file__).parents[1] / "data" / "live").glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_match_of_an_earlier_version_replays(file: Path) -> None:
    kept = json.loads(file.read_text(encoding="utf-8"))
    table = Table(MatchRow(**kept["row"]))
    for number, at, body in kept["log"]:
        row = LogRow(number, at, json.dumps(body))
        table.apply(entries.Entry(row.number, row.at, entries.decode(row.body)))
        for seat in (None, *range(len(table.seats))):
            seen.update(table, seat, None, seen.EVERYTHING, at)
    assert seen.game_text(table, None) == kept["transcript"]
    assert verify(kept["transcript"]).end == table.result().end


def test_every_version_with_live_matches_is_among_them() -> None:
    told = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = set(re.findall(r"^## (\d+\.\d+)\.\d+", told, re.MULTILINE)) - {"0.1"}  # which had no server
    assert {file.stem.partition("-")[0] for file in FILES} == versions


def test_every_kind_of_event_is_among_them() -> None:
    logs = [json.loads(file.read_text(encoding="utf-8"))["log"] for file in FILES]
    kinds = {event[0] for log in logs for _, _, body in log for event in body[0]}
    known = {one.__struct_config__.tag for one in entries.AnyEvent.__args__}
    assert known - kinds <= {"ended"}  # an end by the rules needs no event


def test_a_match_of_unknown_rules_is_refused_in_words() -> None:
    kept = json.loads(FILES[0].read_text(encoding="utf-8"))
    with pytest.raises(Refusal, match="begun with rules 99 of alea; this server has 1"):
        Table(MatchRow(**(kept["row"] | {"rules": 99})))
