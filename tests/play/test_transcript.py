"""Transcripts: written and read back, replayed, and every way to get one wrong."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ENDS
from rostra.bots import make_bot
from rostra.engine.game import BadNotation, Game, IllegalMove, Result, RostraError, digest
from rostra.games.alea import ALEA
from rostra.games.quovadis import QUO_VADIS
from rostra.play.transcript import BadLine, Digest, Ply, Step, Transcript, Undo, read, replay, write
from rostra.study.simulate import simulate, transcripts

GOLDEN = sorted((Path(__file__).parents[1] / "data" / "golden").glob("*.game"))


def kept(game: Game, n_seats: int, bot: str = "random") -> Transcript:
    simulation = simulate(game, [make_bot(bot)] * n_seats, 1, seed=8)
    return next(transcripts(simulation))


def run(transcript: Transcript) -> list[Step]:
    return list(replay(transcript))


@pytest.fixture(scope="module")
def text() -> str:
    return write(kept(ALEA, 2))


def test_written_and_read_back(game: Game, n_seats: int) -> None:
    transcript = kept(game, n_seats)
    again = read(write(transcript))
    assert [ply._replace(line=0) for ply in again.plies] == transcript.plies
    assert again.result == transcript.result
    assert write(again) == write(transcript)
    assert len(run(again)) == len(transcript.plies)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_transcripts_replay(path: Path) -> None:
    """Games of every player count and every way to end, kept as files: a change of the rules shows here."""
    text = path.read_text(encoding="utf-8")
    transcript = read(text)
    assert transcript.result is not None
    assert any(isinstance(event, Digest) for event in transcript.events)
    assert len(run(transcript)) == len(transcript.plies)
    assert write(transcript) == text


def test_there_is_a_golden_transcript_for_every_end_and_player_count() -> None:
    transcripts = [read(path.read_text(encoding="utf-8")) for path in GOLDEN]
    found = {(t.game, len(t.seats), t.result.end) for t in transcripts if t.result}
    for game in (ALEA, QUO_VADIS):
        counts = range(game.rules.seats[0], game.rules.seats[1] + 1)
        assert {(game.name, n, end) for n in counts for end in ENDS[game.name]} <= found


def test_names_that_need_quotes(text: str) -> None:
    transcript = read(text)
    transcript.seats = ['Quintus, "the # one"', "Ä b"]
    line = write(transcript).splitlines()[2]
    assert line == r'seats: "Quintus, \"the # one\"", Ä b'
    assert read(write(transcript)).seats == transcript.seats


def test_comments_blank_lines_and_windows_line_ends_are_fine(text: str) -> None:
    decorated = "\ufeff# a game\r\n" + text.replace("\n", "   # so it was\r\n\r\n")
    assert [p.move for p in read(decorated).plies] == [p.move for p in read(text).plies]


OPENING = "=s0 =R1 =R2 =R3 =R4 =Rw1 =Rw2 =Rw3 =Rm1 =Rm2 =Rm3".split()


def made(seats: list[int | None], moves: list[str], **options: str) -> Transcript:
    """A transcript of four players that begins with the usual tiles."""
    everything = zip([None] * len(OPENING) + seats, OPENING + moves, strict=True)
    plies = [Ply(i, seat, move) for i, (seat, move) in enumerate(everything)]
    return Transcript("alea", 1, list("abcd"), {"start_seat": "0", **options}, events=plies)


def test_any_spelling_of_the_same_effect_is_replayed_as_the_canonical_one() -> None:
    templum = made([None, 0, None, None, 1], ["=11124456", "T6", "=2", "=13345566", "T45"])
    assert [ALEA.notation.text(step.state, step.move) for step in replay(templum)][-1] == "T36"
    latrina = made([None, 0], ["=12345566", "L5"], voluntary_latrina="on")
    assert [ALEA.notation.text(step.state, step.move) for step in replay(latrina)][-1] == "L1"


def state_after(transcript: Transcript, plies: int) -> Any:
    s = ALEA.new(len(transcript.seats))
    for step in list(replay(transcript))[:plies]:
        ALEA.rules.apply(s, step.move)
    return s


def test_undo_goes_back_and_opens_a_new_line() -> None:
    """Digests before and after undos, two undos in a row, and one at the end, all written and read back."""
    whole = kept(ALEA, 2)
    at = {plies: digest(state_after(whole, plies)) for plies in (20, 30, 50, 60)}
    plies = whole.plies
    undone = Transcript("alea", 1, whole.seats, {})
    undone.events = [
        *plies[:50], Digest(at[50]), Undo(30), Digest(at[30]), *plies[30:50], Undo(40), Undo(30), Digest(at[30]),
        *plies[30:60], Digest(at[60]), Undo(20),
    ]  # fmt: skip
    again = read(write(undone))
    assert write(again) == write(undone)
    run = replay(again)
    assert [step.ply.number for step in run] == [*range(50), *range(30, 50), *range(30, 60)]
    assert digest(run.state) == at[20]
    assert len(run.moves) == 20


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("game: alea", "game: aleo", r"no game 'aleo' \(did you mean 'alea'\?\)"),
        ("game: alea\n", "", "'game: ...' is missing"),
        ("rules: 1", "rules: 2", "line 2: written for rules 2"),
        ("rules: 1", "rules: one", "line 2: 'rules' is the version"),
        ("seats: random, random", "seats: random,, random", "line 3: a seat has no name"),
        ("seats: random, random", "seats: gamer,, random", "line 3: a seat has no name"),
        ("seats: random, random", 'seats: "random, random', "not a JSON string"),
        ("start_seat=random", "start_seat=7", "line 4: option start_seat is one of"),
        ("start_seat=random", "startseat=0", "line 4: .*did you mean 'start_seat'"),
        ("start_seat=random", "start_seat", "name=value"),
        ("\n5 - ", "\n6 - ", r"line 11: found ply 6, expected ply 5"),
        ("\n5 - ", "\n5 0 ", r"line 11, ply 5: found seat 0, but chance \(-\) is to move; legal: "),
        ("\n5 - =", "\n5 - ", "where chance decides; expected a patrician from the stack, such as =Rw1"),
        ("\n5 - =", "\n5 - =?", "line 11, ply 5: .*; legal: =Rw1"),
        ("\n0 - =s", "\n0 - =s9", "line 6, ply 0: .*; legal: =s0 =s1"),
        ("\n5 - ", "\n٥ - ", "expected 'key: value'"),
        ("rules: 1", "rules: 1\nentropy: 7 ab", "entropy is of a seat from 0 to 1"),
        ("rules: 1", "rules: 1\nseed: xyz", "'seed' has hex digits"),
        ("winners: ", "winners: 9 ", "'winners' are seats from 0 to 1"),
        ("tiebreak: ", "digest: ab\ntiebreak: ", "found 'digest' after the result"),
        ("seats: random, random", 'seats: O"Brien, random', "written as a JSON string"),
        ("winners: ", "winers: ", "found 'winers: .*expected 'key: value'"),
        ("end: sets-played", "end: played", r"line \d+: the result says end played"),
        ("end: sets-played\n", "", "'end' is missing"),
        ("tiebreak: ", "tiebreak: 1 ", "'tiebreak' has a number for each of the 2 seats, not 3"),
    ],
)  # fmt: skip
def test_edited_transcripts_say_what_is_wrong(text: str, old: str, new: str, message: str) -> None:
    assert old in text
    with pytest.raises(RostraError, match=message):
        run(read(text.replace(old, new, 1)))


@pytest.mark.parametrize("number", [1, 6])
def test_a_wrong_number_of_players_is_refused(text: str, number: int) -> None:
    with pytest.raises(RostraError, match=f"line 3: .* for 2 to 5 players, not {number}"):
        run(read(text.replace("seats: random, random", f"seats: {', '.join(['random'] * number)}")))


def test_wrong_points_are_found(text: str) -> None:
    line = next(line for line in text.splitlines() if line.startswith("points:"))
    with pytest.raises(BadNotation, match=r"line \d+: the result says points"):
        run(read(text.replace(line, "points: 1 2")))


def with_event(transcript: Transcript, at: int, event: Ply | Digest) -> Transcript:
    return dataclasses.replace(transcript, events=[*transcript.events[:at], event, *transcript.events[at + 1 :]])


def test_an_illegal_move_is_answered_with_the_legal_ones(text: str) -> None:
    transcript = read(text)
    at, ply = next((i, ply) for i, ply in enumerate(transcript.plies) if ply.seat is not None)
    expected = f"line {ply.line}, ply {at}: 'L1' is not legal for seat {ply.seat} now; legal: "
    with pytest.raises(IllegalMove, match=expected):
        run(with_event(transcript, at, ply._replace(move="L1")))
    with pytest.raises(BadNotation, match=f"but seat {ply.seat} is to move; legal: "):
        run(with_event(transcript, at, ply._replace(seat=1 - (ply.seat or 0))))


def test_a_truncated_transcript_is_an_unfinished_game(text: str) -> None:
    lines = text.splitlines()
    cut = "\n".join(lines[:60])
    assert read(cut).result is None
    assert len(run(read(cut))) == 55
    finished = "\n".join(lines[:60] + [line for line in lines if line.startswith(("points", "tie", "win", "end"))])
    with pytest.raises(BadNotation, match="the game is not over after the last ply"):
        run(read(finished))
    resigned = read(cut)
    resigned.result = Result([0, 0], [0, 0], [1], "resigned")
    assert len(run(read(write(resigned)))) == 55


def test_a_wrong_digest_tells_where_two_programs_part(text: str) -> None:
    transcript = read(text)
    transcript.events = [*transcript.events[:20], Digest("0" * 16), *transcript.events[20:]]
    with pytest.raises(BadNotation, match=r"line 26, before ply 20: .*0000"):
        run(read(write(transcript)))


def test_errors_carry_line_and_ply(text: str) -> None:
    with pytest.raises(BadLine) as found:
        read(text.replace("seats: random, random", "seats: gamer,, random"))
    assert (found.value.line, found.value.ply) == (3, None)
    assert str(found.value) == f"line 3: {found.value.reason}"
    with pytest.raises(BadLine) as found:
        run(read(text.replace("\n5 - ", "\n5 0 ")))
    assert (found.value.line, found.value.ply, found.value.before) == (11, 5, False)
    assert str(found.value) == f"line 11, ply 5: {found.value.reason}"
    transcript = read(text)
    transcript.events = [*transcript.events[:20], Digest("0" * 16)]
    with pytest.raises(BadLine) as found:
        run(transcript)
    assert (found.value.line, found.value.ply, found.value.before) == (None, 20, True)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_fuzzed_transcripts_raise_only_our_errors(text: str, data: st.DataObject) -> None:
    lines = text.splitlines()[:80]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        kind = data.draw(st.sampled_from(["cut", "swap", "sign", "line", "twice"]))
        if kind == "cut":
            lines[at] = lines[at][: data.draw(st.integers(0, 6))]
        elif kind == "swap":
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == "sign":
            place = data.draw(st.integers(0, len(lines[at])))
            lines[at] = lines[at][:place] + data.draw(st.characters()) + lines[at][place + 1 :]
        elif kind == "line":
            lines[at] = data.draw(st.text(max_size=20))
        else:
            lines.insert(at, lines[at])
    try:
        run(read("\n".join(lines)))
    except RostraError as error:
        assert str(error)


def test_plain_data_of_a_step_is_json(text: str) -> None:
    step = run(read(text))[-1]
    assert json.dumps(ALEA.screen.view(step.state, 0))
