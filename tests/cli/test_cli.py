"""The command line as a user meets it: output, exit codes, and clear words for what was wrong."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ENDS
from rostra.cli import _parser, main
from rostra.games.alea import ALEA
from rostra.games.quovadis import QUO_VADIS
from rostra.play.match import Match
from rostra.play.transcript import write

Capture = pytest.CaptureFixture[str]
GOLDEN = Path(__file__).parents[1] / "data" / "golden"


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(arguments)
    except SystemExit as stop:  # argparse
        code = int(stop.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_help_has_examples_for_every_command(capsys: Capture) -> None:
    code, out, _ = run(capsys, "--help")
    assert code == 0
    commands = re.findall(r"^    ([a-z]+) ", out, re.MULTILINE)
    assert set(commands) >= {"play", "simulate", "replay", "score", "bench"}
    for command in commands:
        code, out, _ = run(capsys, command, "--help")
        assert code == 0
        assert f"rostra {command}" in out.split("example", 1)[1]


def test_without_a_command_it_says_what_to_do_first(capsys: Capture) -> None:
    """Every line of it can be typed: the flags of each command exist."""
    code, out, err = run(capsys)
    assert (code, err) == (0, "")
    assert len(out.splitlines()) <= 12
    typed = re.findall(r"^  rostra (.+?)(?:   .*)?$", out, re.MULTILINE)
    assert {words.split()[0] for words in typed} == {"serve", "play", "simulate"}
    for words in typed:
        assert _parser().parse_args(words.split()).run is not None


def test_simulate_prints_a_table_and_keeps_transcripts(capsys: Capture, tmp_path: Path) -> None:
    arguments = "simulate alea --seats 3 --bots greedy,random,random --games 4 --seed 9 --rotate".split()
    code, out, err = run(capsys, *arguments, "--keep", str(tmp_path / "kept"))
    assert (code, err) == (0, "")
    assert "12 games (4 seeds in 3 seat orders), seed 9" in out
    assert re.search(r"^greedy +\d+\.\d", out, re.MULTILINE)
    assert re.search(r"^all 2 random +\d+\.\d +\d+\.\d$", out, re.MULTILINE)
    files = sorted((tmp_path / "kept").iterdir())
    assert [file.name for file in files] == [f"{i:06}.game" for i in range(1, 13)]
    for file in files[:3]:
        assert run(capsys, "replay", str(file))[0] == 0


def test_simulate_json_is_for_programs(capsys: Capture) -> None:
    code, out, _ = run(
        capsys, *["simulate", "alea", "--seats", "2", "--bots", "greedy,random", "--games", "3", "--json"]
    )
    summary = json.loads(out)
    assert code == 0
    assert summary["games"] == 3
    assert [player["bot"] for player in summary["players"]] == ["greedy", "random"]
    assert set(summary["players"][0]["wins"]) == {"mean", "half"}


def test_simulate_takes_options(capsys: Capture, tmp_path: Path) -> None:
    arguments = (
        "simulate alea --seats 2 --bots random,random --games 2 --option start_seat=1 --option voluntary_latrina=on"
    )
    assert run(capsys, *arguments.split(), "--keep", str(tmp_path))[0] == 0
    text = (tmp_path / "000001.game").read_text(encoding="utf-8")
    assert "options: voluntary_latrina=on start_seat=1" in text
    assert "\n0 - =s1\n" in text


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.game")), ids=lambda file: file.stem)
def test_replay_legal_prints_json_lines_as_documented(capsys: Capture, file: Path) -> None:
    code, out, _ = run(capsys, "replay", str(file), "--legal")
    assert code == 0
    *plies, result = [json.loads(line) for line in out.splitlines()]
    assert [ply["ply"] for ply in plies] == list(range(len(plies)))
    for ply in plies:
        if ply["seat"] is None:
            assert set(ply) == {"ply", "seat", "move", "odds"}
            assert 0 < ply["odds"] <= 1
        else:
            assert set(ply) == {"ply", "seat", "move", "legal"}
            assert ply["move"] in ply["legal"]
    assert set(result) == {"points", "tiebreak", "winners", "end"}
    assert result["end"] in ENDS[ALEA.name] + ENDS[QUO_VADIS.name]


def test_replay_of_an_unfinished_game(capsys: Capture, tmp_path: Path) -> None:
    text = (GOLDEN / "alea-2.game").read_text(encoding="utf-8")
    file = tmp_path / "cut.game"
    file.write_text("\n".join(text.splitlines()[:40]), encoding="utf-8")
    code, out, _ = run(capsys, "replay", str(file), "--legal")
    assert code == 0
    expected = {"points": None, "tiebreak": None, "winners": None, "end": "unfinished"}
    assert json.loads(out.splitlines()[-1]) == expected
    code, out, _ = run(capsys, "replay", str(file))
    assert code == 0
    assert "end: unfinished" in out


def test_score_reads_json_lines(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "tableaux.jsonl"
    file.write_text('{"provinces":["R3"],"patricians":["Rw3"],"fortuna":[3,2],"chips":5}\n\n{}\n', encoding="utf-8")
    code, out, _ = run(capsys, "score", str(file))
    assert code == 0
    first, second = [json.loads(line) for line in out.splitlines()]
    assert first["total"] == 3 + 3 + 5 + 2
    assert first["assignment"] == [{"province": "R3", "patricians": ["Rw3"], "child": None}]
    assert second["total"] == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"patricians":["Rw3","Rw3"]}', "line 1: Rw3 is 2 times among the patricians, but there is only 1"),
        ('{"patricians":["Rx3"]}', "line 1: 'Rx3' is none of the patricians"),
        ('{"province":["R3"]}', "a tableau has no 'province' (did you mean 'provinces'?)"),
        ('{"chips":-1}', "chips are a whole number from 0 to 9999, not -1"),
        ('{"fortuna":[4]}', "fortuna tokens are 1, 2 or 3, not 4"),
        ('{"senate":["XIII","XIII","XIII"]}', "XIII is 3 times among the senate, but there is only 2"),
        ("[1]", "a tableau is a JSON object"),
        ("{", "line 1: not JSON"),
        ('{"chips":' + "1" * 5000 + "}", "line 1: not JSON"),
        ('{"provinces":["R3"],"patricians":["Gw1"],"assignment":[{"province":"R3","patricians":["Gw1"]}]}', "colour R"),
        ('{"provinces":["R3"],"assignment":[{"province":"R3","patricians":["Rw1"]}]}', "no patrician of this tableau"),
    ],
)
def test_score_says_what_is_wrong(capsys: Capture, tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(line, encoding="utf-8")
    code, out, err = run(capsys, "score", str(file))
    assert (code, out) == (1, "")
    assert message in err
    assert err.startswith("rostra score: ")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("simulate alea --seats 6 --bots " + ",".join(["random"] * 6), 2, "2 to 5 players, not 6"),
        ("simulate alea --seats 2 --bots random", 2, "2 seats need 2 bots, not 1"),
        ("simulate alea --seats 2 --bots random,clever", 2, "no bot 'clever'"),
        ("simulate alea --seats 2 --bots random,random --games 0", 2, "at least 1, not 0"),
        ("simulate alea --seats=-3 --bots random", 2, "2 to 5 players, not -3"),
        ("simulate alea --seats 2 --bots random,random --workers 0", 2, "workers is at least 1"),
        ("simulate alea --seats 2 --bots random,random --games 1000000000000", 2, "more than fit into memory"),
        ("simulate alea --seats 2 --bots random,random --keep /dev/null", 2, "cannot make the folder"),
        ("simulate alea --seats 2 --bots random,random --seed -1", 2, "a whole number"),
        ("simulate alea --seats 2 --bots random,random --option latrina=on", 2, "no option 'latrina'"),
        ("simulate alea --seats 2 --bots random,random --option start_seat", 2, "name=value"),
        ("simulate chess --seats 2 --bots random,random", 2, "no game 'chess'"),
        ("simulate alea --bots random,random", 2, "--seats"),
        ("replay no/such.game", 1, "cannot read no/such.game"),
        ("conquer", 2, "invalid choice"),
    ],
)
def test_wrong_calls_say_what_would_be_right(capsys: Capture, arguments: str, code: int, message: str) -> None:
    found, out, err = run(capsys, *arguments.split())
    assert found == code
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_a_bad_transcript_says_the_line(capsys: Capture, tmp_path: Path) -> None:
    text = (GOLDEN / "alea-3.game").read_text(encoding="utf-8")
    file = tmp_path / "edited.game"
    file.write_text(re.sub(r"\n(\d+ [0-4]) S(\d+)\n", r"\n\1 S1234\n", text, count=1), encoding="utf-8")
    code, _, err = run(capsys, "replay", str(file))
    assert code == 1
    assert re.search(r"line \d+, ply \d+: 'S1234' is not legal for seat \d now; legal: ", err)
    file.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8 text" in run(capsys, "replay", str(file))[2]


def test_output_can_be_cut_off_and_input_piped() -> None:
    replay = f"'{sys.executable}' -m rostra replay - --legal < '{GOLDEN / 'alea-5.game'}' | head -1"
    ran = subprocess.run(["bash", "-o", "pipefail", "-c", replay], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["ply"] == 0
    assert ran.stderr == ""


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("score - <<< '{}' | true", 0, ""),
        ("--help | true", 0, ""),
        ("score - <&-", 1, "rostra score: cannot read -: standard input is closed"),
        ("score - <<< '{}' > /dev/full", 1, "rostra: No space left on device"),
        ("score - <<< $'\\xff'", 1, "rostra score: cannot read -: it is not UTF-8 text"),
    ],
)
@pytest.mark.slow
def test_closed_and_broken_streams_end_politely(command: str, code: int, message: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    ran = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"'{sys.executable}' -m rostra {command}"],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stderr.strip()) == (code, message)


def test_names_are_utf8_whatever_the_locale(tmp_path: Path) -> None:
    text = (GOLDEN / "alea-2.game").read_text(encoding="utf-8").replace("seats: greedy", "seats: Brütus")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "rostra", "replay", "-"]
    ran = subprocess.run(command, env=environment, input=text.encode(), capture_output=True, check=True)
    assert rb"Br\xfctus" in ran.stdout


def test_a_transcript_with_hidden_plies_is_shown(capsys: Capture, tmp_path: Path) -> None:
    match = Match("alea", ["Livia", "Nero", "Otho", "Varus"], {"start_seat": "0"}, seed=1)
    while not any(move.startswith("T") for move in match.legal()):
        match.play(match.legal()[0])
    match.play(match.legal()[0])
    file = tmp_path / "mine.game"
    file.write_text(write(match.transcript(3)), encoding="utf-8")
    code, out, _ = run(capsys, "replay", str(file))
    assert code == 0
    assert "shown, not replayed" in out
    assert re.search(r"chance  =\?", out)
    code, _, err = run(capsys, "replay", str(file), "--legal")
    assert code == 1
    assert "can be shown, not replayed" in err


def test_a_trailing_undo_shows_the_state_gone_back_to(capsys: Capture, tmp_path: Path) -> None:
    lines = (GOLDEN / "alea-2.game").read_text(encoding="utf-8").splitlines()
    plain = [line for line in lines if not line.startswith("digest")]
    shown = []
    for number, text in enumerate([plain[:35], [*plain[:65], "undo: 30"]]):
        file = tmp_path / f"{number}.game"
        file.write_text("\n".join(text), encoding="utf-8")
        shown.append(run(capsys, "replay", str(file))[1])
    assert shown[0] == shown[1]
    assert "30 plies, all legal" in shown[0]


def test_bench_prints_figures_as_ratios(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    from rostra.study import bench

    monkeypatch.setattr(
        bench, "figures", lambda: [bench.Figure("alea, decisions, 2 players", 4e6, "each second", 60, "steps")]
    )
    monkeypatch.setattr(bench, "measure", lambda: [bench.Missing("OpenSpiel", "not installed")])
    code, out, _ = run(capsys, "bench", "--peers")
    assert code == 0
    assert "4,000,000 each second" in out
    assert "not installed" in out
    code, out, _ = run(capsys, "bench", "--json", "--peers")
    assert json.loads(out)["figures"][1] == {"name": "OpenSpiel", "missing": "not installed"}
