"""Guided first games: the learner sees exactly what a live match would show."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from rostra.bots.preparing import Preparing
from rostra.engine.game import RostraError
from rostra.games import GAMES
from rostra.play.match import Match
from rostra.play.transcript import Transcript, read
from rostra.server import lessons, schema, seen
from rostra.server.app import make_app
from rostra.server.settings import Settings
from rostra.server.store import open_store
from rostra.words import LANGUAGES, words
from strangers import within

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
OURS = sorted(file.stem for file in lessons.folder().glob("*.json"))


def write_lesson(folder: Path, name: str, plies: int, **script: Any) -> Transcript:
    """A lesson of the first plies of a golden transcript."""
    game = name.partition("-")[0]
    lines = (GOLDEN / f"{name}.game").read_text(encoding="utf-8").splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("0 "))
    kept = [line for line in lines[first:] if line.partition(" ")[0].isdigit()][:plies]
    text = "\n".join([*lines[:first], *kept]) + "\n"
    (folder / f"{game}.game").write_text(text, encoding="utf-8")
    (folder / f"{game}.json").write_text(json.dumps({"seat": 0, "stops": []} | script), encoding="utf-8")
    return read(text)


def lesson_of(found: lessons.Course) -> schema.Lesson:
    return msgspec.json.decode(found.body, type=schema.Lesson)


@pytest.mark.parametrize(("name", "plies"), [("alea-3", 120), ("quovadis-4", 150)])
def test_every_step_is_what_a_live_table_shows_the_learner(tmp_path: Path, name: str, plies: int) -> None:
    stops = [{"ply": 0, "say": ["welcome"]}, {"ply": 12, "say": ["a", "b"], "point": ["senatus"]}]
    found = write_lesson(tmp_path, name, plies, seat=1, stops=stops)
    game = GAMES[found.game]
    lesson = lesson_of(lessons.read_course(game, tmp_path))
    assert (lesson.game, lesson.seat, lesson.names) == (found.game, 1, found.seats)
    assert lesson.options == game.all_options(found.options)
    assert len(lesson.steps) == plies + 1
    match = Match(game, found.seats, found.options)
    decided = 0
    for number, step in enumerate(lesson.steps):
        assert step.ply == number
        assert step.view == match.view(1)
        assert step.outlook == json.loads(msgspec.json.encode(game.screen.outlook(match.state, 1)))
        if number == plies:
            assert (step.seat, step.move, step.moves) == (None, None, [])
            break
        assert step.seat == match.turn
        if match.turn == 1:
            decided += 1
            alone = [info.move for info in step.moves]
            assert alone == [info.move for info in seen.move_infos(match)]
            assert "hear" not in alone and "deal" not in alone
            assert game.desk is not None or step.move in alone
        else:
            assert step.moves == []
        match.replay([found.plies[number].move])
    assert decided > 10
    said = match.seen(1)
    assert [step.move for step in lesson.steps[:-1]] == [ply.move for ply in said if hasattr(ply, "move")]
    assert lesson.steps[0].say == ["welcome"] and lesson.steps[0].point == []
    assert lesson.steps[12].say == ["a", "b"] and lesson.steps[12].point == ["senatus"]
    assert [step.ply for step in lesson.steps if step.say] == [0, 12]


def test_a_lesson_tells_no_secrets_of_others(tmp_path: Path) -> None:
    write_lesson(tmp_path, "alea-3", 160)
    steps = lesson_of(lessons.read_course(GAMES["alea"], tmp_path)).steps
    hidden = [step.seat for step in steps if step.move in ("=?", "+?")]
    assert len(hidden) > 3 and 0 not in hidden


def test_the_ledger_grows_with_the_lesson(tmp_path: Path) -> None:
    write_lesson(tmp_path, "quovadis-5", 300)
    steps = lesson_of(lessons.read_course(GAMES["quovadis"], tmp_path)).steps
    assert steps[0].ledger == []
    last = steps[-1].ledger
    assert last and len({one["fate"] for one in last}) > 1
    for step in steps:
        assert step.ledger is not None
        assert [one["made"] for one in step.ledger] == [one["made"] for one in last if one["made"] < step.ply]


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ({"seat": 3}, "seat is one of 0 to 2, not 3"),
        ({"stops": [{"ply": 41, "say": []}]}, "from 0 to 40"),
        ({"stops": [{"ply": -1, "say": []}]}, "from 0 to 40"),
        ({"stops": [{"ply": 4, "say": []}, {"ply": 4, "say": []}]}, "in order"),
        ({"stops": [{"ply": 4, "says": []}]}, "says"),
    ],
)
def test_a_script_that_does_not_fit_is_refused(tmp_path: Path, script: dict[str, Any], problem: str) -> None:
    write_lesson(tmp_path, "alea-3", 40, **script)
    with pytest.raises((RostraError, msgspec.ValidationError), match=problem):
        lessons.read_course(GAMES["alea"], tmp_path)


def test_a_transcript_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    write_lesson(tmp_path, "alea-3", 40)
    file = tmp_path / "alea.game"
    right = file.read_text(encoding="utf-8")
    for wrong, problem in (
        (right + "undo: 20\n", "undo"),
        (right + "40 0 T1\n", "40"),
        ((GOLDEN / "quovadis-3.game").read_text(encoding="utf-8"), "transcript of quovadis"),
    ):
        file.write_text(wrong, encoding="utf-8")
        with pytest.raises(RostraError, match=problem):
            lessons.read_course(GAMES["alea"], tmp_path)


# By HTTP.


def asking(folder: Path, monkeypatch: pytest.MonkeyPatch, test: Callable[[httpx.AsyncClient], Awaitable[None]]) -> None:
    monkeypatch.setattr(lessons, "folder", lambda: folder)

    async def work() -> None:
        store = await open_store(f"sqlite:{folder}/x.db")
        transport = httpx.ASGITransport(make_app(Settings(), store, Preparing([])))
        try:
            async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
                await test(client)
        finally:
            await store.close()

    within(60, work())


def test_a_lesson_is_sent_and_deals_are_tried_out_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_lesson(tmp_path, "quovadis-4", 150, stops=[{"ply": 20, "say": ["offer"]}])

    async def test(client: httpx.AsyncClient) -> None:
        answer = await client.get("/api/lessons/quovadis")
        lesson = msgspec.json.decode(answer.content, type=schema.Lesson)
        assert len(lesson.steps) == 151 and answer.headers["content-encoding"] == "gzip"
        tried = 0
        for step in lesson.steps[:-1]:
            address = f"/api/lessons/quovadis/plies/{step.ply}/draft"
            info = (await client.post(address, json={"terms": []})).json()
            if step.view["phase"] != "act":
                assert info["problem"] == "there is nothing to negotiate about now"
                continue
            active = step.view["active"]
            for action in [one for one in info["more"] if "(" in one][:2]:
                found = (await client.post(address, json={"terms": [action]})).json()
                assert found["problem"] is None or "drafted" in found["problem"] or "refused" in found["problem"]
                assert active in (found["parties"] or [active])
                tried += found["problem"] is None
            wrong = (await client.post(address, json={"terms": ["give 0 1 1"]})).json()
            assert "a deal begins with the action" in wrong["problem"]
            if tried > 8:
                break
        assert tried > 8

    # These are more questions than a person would ask at once.
    monkeypatch.setattr("rostra.server.guard.Bucket.take", lambda bucket, cost=1.0: 0)
    asking(tmp_path, monkeypatch, test)


def test_what_is_not_there_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_lesson(tmp_path, "alea-2", 30)

    async def test(client: httpx.AsyncClient) -> None:
        for name in ("quovadis", "chess", "..", "alea.json", "%2e%2e%2fgame", "a" * 3000):
            answer = await client.get(f"/api/lessons/{name}")
            assert answer.status_code == 404, name
            assert answer.json()["code"] in ("no-lesson", "not-found")
        said = (await client.get("/api/lessons/chess")).json()
        assert said == {"code": "no-lesson", "reason": "there is no lesson for 'chess'; there is one for alea"}
        assert (await client.get("/api/lessons/alea")).status_code == 200
        for ply, code in (("31", "no-ply"), ("x", "no-ply"), ("-1", "no-ply"), ("30", None)):
            answer = await client.post(f"/api/lessons/alea/plies/{ply}/draft", json={"terms": []})
            assert answer.json().get("code") == code, ply
        (tmp_path / "alea.json").unlink()
        assert "there are none" in (await client.get("/api/lessons/alea")).json()["reason"]

    asking(tmp_path, monkeypatch, test)


# The lessons of the project.


@pytest.mark.parametrize("name", OURS)
def test_our_lessons_can_be_taught(name: str) -> None:
    lesson = lesson_of(lessons.read_course(GAMES[name], lessons.folder()))
    stops = [step for step in lesson.steps if step.say]
    assert stops and lesson.steps[-1].move is None
    assert any(step.moves for step in stops)  # the learner does something
    for language in LANGUAGES:
        there = set(words(language))
        assert [key for step in stops for key in step.say if f"lesson.{key}" not in there] == []
