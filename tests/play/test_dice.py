"""Verifiable dice: the formula, whole matches, what a cheat might change, and two verifiers that must agree."""

import base64
import hashlib
import hmac
import io
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from data.make_dice_vectors import FOLDER, MATCHES, edited, made_entropy, made_seed, played
from rostra.cli import main
from rostra.engine.game import CHANCE, OVER, BadOption, Game, RostraError
from rostra.games.alea import ALEA
from rostra.games.alea.tables import LONE_TOKEN, TOKEN
from rostra.games.quovadis import QUO_VADIS
from rostra.play.dice import Stream, commitment
from rostra.play.transcript import Ply, Transcript, Undo, read, replay, write
from rostra.play.verify import Refused, verify

VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "vectors.json").read_text(encoding="utf-8"))
TAMPERED: list[dict[str, Any]] = json.loads((FOLDER / "tampered.json").read_text(encoding="utf-8"))
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.game"))}
PAGES = Path(__file__).parents[2] / "src" / "rostra" / "pages"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="the browser's verifier is run by Node")


def literal(seed: str, match: str, entropy: list[list[Any]], epoch: int, ply: int, n: int, count: int) -> list[int]:
    """The section 'Verifiable dice' of the formats page once more, as plainly as can be."""
    contributions = ",".join(f"{seat}:{digits}" for seat, digits in sorted(entropy))
    numbers: list[int] = []
    b = 0
    while len(numbers) < count:
        message = f"rostra/1|{match}|{contributions}|{epoch}|{ply}|{b}".encode("ascii")
        number = int.from_bytes(hmac.new(bytes.fromhex(seed), message, "sha256").digest()[:8], "big")
        if number < 2**64 // n * n:
            numbers.append(number % n)
        b += 1
    return numbers


def stream_of(vector: dict[str, Any]) -> Stream:
    return Stream(bytes.fromhex(vector["seed"]), vector["match"], [(seat, hex_) for seat, hex_ in vector["entropy"]])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["match"])
def test_vectors(vector: dict[str, Any]) -> None:
    stream, epoch, ply = stream_of(vector), vector["epoch"], vector["ply"]
    below, numbers = int(vector["below"]), [int(number) for number in vector["numbers"]]
    header = vector["seed"], vector["match"], vector["entropy"], epoch, ply
    assert commitment(bytes.fromhex(vector["seed"])) == vector["commit"]
    assert vector["commit"] == hashlib.sha256(bytes.fromhex(vector["seed"])).hexdigest()
    assert [stream.digest(epoch, ply, b).hex() for b in range(12)] == vector["hmac"]
    assert stream.numbers(epoch, ply, below, len(numbers)) == numbers == literal(*header, below, len(numbers))
    if "pool" in vector:
        pool = vector["pool"]
        rolled = "=" + "".join(sorted(str(number + 1) for number in numbers))
        assert vector["outcome"] == (rolled if isinstance(pool, int) else pool[numbers[0]])
        assert stream.outcome(pool, epoch, ply) == vector["outcome"]


def test_vectors_reach_rejection() -> None:
    """Somewhere a draw is passed over and the next `b` is taken; never where the pool divides 2**64."""
    passed_over = Counter[int]()
    for vector in VECTORS:
        below, taken = int(vector["below"]), len(vector["numbers"])
        draws = [int(digest[:16], 16) for digest in vector["hmac"]]
        used = [draw for draw in draws if draw < 2**64 // below * below][:taken]
        assert [str(draw % below) for draw in used] == vector["numbers"][: len(used)]
        passed_over[below] += draws.index(used[-1]) + 1 - len(used)
    assert passed_over[2**63 + 1] > 0
    assert passed_over[2**63] == passed_over[2**64] == passed_over[6] == 0


def test_entropy_is_sorted_by_seat() -> None:
    one, other = made_entropy("x", [0, 3, 1]), made_entropy("x", [3, 1, 0])
    seed = made_seed("x")
    assert Stream(seed, "x", one).digest(0, 0, 0) == Stream(seed, "x", other).digest(0, 0, 0)
    assert Stream(seed, "x", one).digest(0, 0, 0) != Stream(seed, "x", one[:2]).digest(0, 0, 0)


@pytest.mark.parametrize(
    ("seed", "match", "entropy", "message"),
    [
        (b"short", "m", [], "32 bytes, not 5"),
        (bytes(32), "a|b", [], "without '|', not 'a|b'"),
        (bytes(32), "", [], "printable ASCII"),
        (bytes(32), "Ä", [], "printable ASCII"),
        (bytes(32), "m\n", [], "printable ASCII"),
        (bytes(32), "m", [(0, "ab"), (0, "cd")], "contributes to the dice once"),
        (bytes(32), "m", [(0, "AB")], "small hex digits"),
        (bytes(32), "m", [(0, "")], "small hex digits"),
        (bytes(32), "m", [(-1, "ab")], "a contribution is a seat"),
    ],
)
def test_what_no_stream_can_be_made_of(seed: bytes, match: str, entropy: list[tuple[int, str]], message: str) -> None:
    with pytest.raises(BadOption, match=re.escape(message) if "|" in message else message):
        Stream(seed, match, entropy)
    if len(seed) != 32:
        with pytest.raises(BadOption, match="32 bytes"):
            commitment(seed)


def test_every_game_draws_from_its_pool(game: Game, n_seats: int) -> None:
    """A whole game: the pool is sorted and holds what can happen in the right numbers; the draw is the literal one."""
    seed, entropy = made_seed("walk"), made_entropy("walk", [1])
    stream, s = Stream(seed, "walk", entropy), game.new(n_seats)
    drawn = ply = 0
    while game.turn(s) != OVER and drawn < 60:
        moves = game.legal_moves(s)
        move = moves[ply % len(moves)]
        if game.turn(s) == CHANCE:
            pool, move = game.pool(s), stream.draw(game, s, 2, ply)
            count, below = (pool, 6) if isinstance(pool, int) else (1, len(pool))
            numbers = literal(seed.hex(), "walk", [[1, entropy[0][1]]], 2, ply, below, count)
            if isinstance(pool, int):
                assert game.text(s, move) == "=" + "".join(sorted(str(number + 1) for number in numbers))
            else:
                assert pool == sorted(pool)
                assert game.text(s, move) == pool[numbers[0]]
                assert Counter(pool) == {game.text(s, m): round(game.odds(s, m) * len(pool)) for m in moves}
            assert move in moves
            drawn += 1
        game.apply(s, move)
        ply += 1
    assert drawn > n_seats


def test_other_matches_plies_epochs_and_contributions_have_other_dice() -> None:
    seed = made_seed("x")
    streams = [Stream(seed, "x"), Stream(seed, "y"), Stream(seed, "x", [(0, "00")]), Stream(seed, "x", [(1, "00")])]
    streams.append(Stream(made_seed("y"), "x"))
    draws = [stream.digest(epoch, ply, b) for stream in streams for epoch in (0, 1) for ply in (0, 1) for b in (0, 1)]
    assert len(set(draws)) == len(draws) == 40


# Whole matches.


@pytest.mark.parametrize("name", MATCHES)
def test_matches_are_verified(name: str) -> None:
    text = TEXTS[name]
    found = verify(text)
    assert found.plies == len(re.findall(r"^\d+ \S ", text, re.MULTILINE))
    assert found.outcomes == len(re.findall(r"^\d+ - =", text, re.MULTILINE)) > 20
    assert found.undos == len(re.findall(r"^undo: ", text, re.MULTILINE))
    assert found.commit == commitment(made_seed(name))
    assert write(played(name=name, **MATCHES[name])) == text


def test_the_matches_show_all_that_can_be_drawn() -> None:
    """Both games at each player count, each kind of piece, and the rare events that a verifier must follow."""
    found = set()
    for text in TEXTS.values():
        transcript = read(text)
        run = replay(transcript)
        found |= {(transcript.game, len(transcript.seats)), transcript.result and transcript.result.end}
        supply, owed = 30, 0
        for step in run:
            pool = run.game.pool(step.state) if step.ply.seat is None else None
            if run.game is ALEA:
                if step.state.phase == LONE_TOKEN:
                    found.add("lone token")
                if step.state.phase == TOKEN and isinstance(pool, list):
                    found |= {"discards as supply"} if len(pool) > supply else set()
                    supply, owed = len(pool), owed - 1
                elif owed:
                    found.add("supply exhausted")
                if step.ply.move.startswith("T"):
                    owed = len(step.ply.move) - 1
                elif step.state.phase != TOKEN:
                    owed = 0
            if isinstance(pool, int):
                found.add(f"{pool} dice")
            if step.ply.move.startswith("R"):
                found.add("reroll")
        found |= {type(event).__name__ for event in transcript.events}
    counts = {(game.name, n) for game in (ALEA, QUO_VADIS) for n in range(game.seats[0], game.seats[1] + 1)}
    rare = {"lone token", "discards as supply", "supply exhausted", "reroll", *(f"{n} dice" for n in range(1, 9))}
    assert counts | rare | {"resigned", "consul-elected", "Undo", "GameEnd"} <= found


@pytest.mark.parametrize("case", TAMPERED, ids=lambda case: case["name"])
def test_what_was_changed_is_found(case: dict[str, Any]) -> None:
    text = edited(TEXTS[case["base"]], [(number, line) for number, line in case["edits"]])
    with pytest.raises(Refused) as refused:
        verify(text)
    error = refused.value
    assert {key: getattr(error, key) for key in ("line", "ply", "found", "expected")} == {
        key: case[key] for key in ("line", "ply", "found", "expected")
    }
    assert str(error) == case["error"]
    if error.expected is not None:
        assert f"found {error.found}, but the seed gives {error.expected}" in str(error)


def changes(text: str, step: int) -> list[tuple[Ply, str]]:
    """For some outcomes of chance: the ply, and the transcript in which another possible outcome stands there."""
    transcript = read(text)
    run = replay(transcript)
    found, lines = [], text.splitlines()
    chance = 0
    for one in run:
        if one.ply.seat is None and len(moves := run.game.legal_moves(one.state)) > 1:
            chance += 1
            if chance % step == 0:
                other = next(move for move in moves[chance % len(moves) :] + moves if move != one.move)
                line = f"{one.ply.number} - {run.game.text(one.state, other)}"
                number = one.ply.line
                found.append((one.ply, "\n".join([*lines[: number - 1], line, *lines[number:]])))
    return found


@pytest.mark.parametrize("name", ["alea-4-undone", "quovadis-4"])
def test_any_other_outcome_is_found_where_it_stands(name: str) -> None:
    changed = changes(TEXTS[name], 7)
    assert len(changed) > 3
    for ply, text in changed:
        with pytest.raises(Refused) as refused:
            verify(text)
        assert (refused.value.line, refused.value.ply) == (ply.line, ply.number)
        assert refused.value.expected == ply.move


def test_a_match_without_a_proper_name_is_refused() -> None:
    for name in ("", "contribut|or"):
        with pytest.raises(Refused, match=r"line 3: the name of a match is printable ASCII"):
            verify(TEXTS["alea-5"].replace("match: alea-5", f"match: {name}"))


def test_wrong_points_and_illegal_moves_are_found_too() -> None:
    text = TEXTS["alea-2"]
    points = next(line for line in text.splitlines() if line.startswith("points"))
    with pytest.raises(Refused, match=r"line \d+: the result says points") as refused:
        verify(text.replace(points, "points: 99 1"))
    assert (refused.value.line, refused.value.ply) == (text.splitlines().index(points) + 1, None)
    decision = next(ply for ply in read(text).plies if ply.move.startswith("C"))
    with pytest.raises(Refused, match="not legal") as refused:
        verify(
            text.replace(f"{decision.number} {decision.seat} {decision.move}", f"{decision.number} {decision.seat} L6")
        )
    assert (refused.value.line, refused.value.ply) == (decision.line, decision.number)


def test_the_end_of_a_game_that_was_cut_off_is_found() -> None:
    transcript = read(TEXTS["alea-3"])
    transcript.events = transcript.events[:200]
    with pytest.raises(Refused, match="the game is not over after the last ply"):
        verify(write(transcript))


def test_nothing_shows_the_seed_before_the_end() -> None:
    """What seats and watchers are sent during a match, and the dice as an object, do not hold the seed."""
    seed = made_seed("alea-4")
    stream = Stream(seed, "alea-4", made_entropy("alea-4", [0, 1, 2, 3]))
    whole = read(TEXTS["alea-4"])
    secrets = [seed.hex(), base64.b64encode(seed).decode(), repr(seed), str(int.from_bytes(seed, "big"))]
    shown = [repr(stream), str(vars(stream)), repr(Stream.__dict__)]
    run = replay(whole)
    for number, step in enumerate(run):
        if number % 40 == 0:
            so_far = Transcript(whole.game, whole.rules, whole.seats, whole.options, whole.match, whole.commit)
            so_far.entropy, so_far.events = whole.entropy, whole.events[:number]
            shown += [write(so_far), *(json.dumps(ALEA.view(step.state, seat)) for seat in (None, 0, 1))]
    with pytest.raises(RostraError) as error:
        Stream(seed, "a|b")
    shown.append(str(error.value))
    assert len(shown) > 40
    assert not [text for text in shown for secret in secrets if secret in text]
    assert seed.hex() in write(whole)


# The command.


def run_cli(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_verify_says_what_was_checked(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run_cli(capsys, "verify", str(FOLDER / "alea-4-undone.game"))
    assert (code, err) == (0, "")
    assert "484 plies legal, 347 chance outcomes derived from the seed, the commitment matches" in out
    assert "undos: 4" in out
    entropy = made_entropy("alea-4-undone", [0, 1, 2, 3])
    assert all(f"contribution of seat {seat} {digits}" in out for seat, digits in entropy)
    assert "no seat contributed" in run_cli(capsys, "verify", str(FOLDER / "alea-5.game"))[1]


def test_verify_reads_standard_input_and_answers_in_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def given(text: str) -> tuple[int, dict[str, Any]]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        code, out, err = run_cli(capsys, "verify", "-", "--json")
        assert err == ""
        return code, json.loads(out)

    text = TEXTS["quovadis-3"]
    assert given(text) == (0, {"ok": True, **json.loads(json.dumps(verify(text)._asdict()))})
    ply, other = changes(text, 5)[0]
    code, answer = given(other)
    assert code == 1
    assert (answer["ok"], answer["line"], answer["ply"], answer["expected"]) == (False, ply.line, ply.number, ply.move)
    assert given("nonsense")[1]["error"].startswith("line 1: found 'nonsense'")


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (FOLDER.parent / "golden" / "alea-2.game", "the line 'match: ...' is missing"),
        (FOLDER / "vectors.json", "line 1: found '\\['"),
        (FOLDER / "none.game", "cannot read .*none.game"),
    ],
)
def test_verify_refuses_in_plain_words(capsys: pytest.CaptureFixture[str], file: Path, message: str) -> None:
    code, out, err = run_cli(capsys, "verify", str(file))
    assert (code, out) == (1, "")
    assert re.match(f"rostra verify: {message}", err)


# The browser's verifier.


@needs_node
def test_the_browsers_verifier_agrees_on_all_vectors() -> None:
    script = Path(__file__).parents[1] / "web" / "verify.test.mjs"
    run = subprocess.run(["node", "--test", str(script)], capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert int(re.findall(r"pass (\d+)", run.stdout)[0]) > len(VECTORS) + len(TEXTS) + len(TAMPERED)


ANSWERS = """
import { readFileSync } from "node:fs";
const page = await import(`data:text/javascript;base64,${readFileSync(process.argv[1]).toString("base64")}`);
const answers = [];
for (const text of JSON.parse(readFileSync(0, "utf8"))) answers.push(await page.verify(text));
console.log(JSON.stringify(answers));
"""


def browser_answers(texts: list[str]) -> list[dict[str, Any]]:
    command = ["node", "--input-type=module", "-e", ANSWERS, str(PAGES / "verify.js")]
    run = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def fresh_matches() -> list[Transcript]:
    """More matches than there are files, so that the two verifiers meet every turn a pool can take."""
    matches = [(ALEA, n, f"fresh-{n}-{i}{'x' * i}", {}) for n in range(2, 6) for i in range(4)]
    matches += [(QUO_VADIS, n, f"fresh-q{n}", {"consul_election": "on"}) for n in range(3, 6)]
    return [
        played(game, n, name, options=options, undos=((70, 30), (100, 90)), player=MATCHES["alea-5-templum"]["player"])
        if n > 3 and name.endswith("x")
        else played(game, n, name, options=options)
        for game, n, name, options in matches
    ]


@needs_node
def test_both_verifiers_know_the_same_pools_at_every_ply() -> None:
    transcripts = fresh_matches()
    for transcript, answer in zip(transcripts, browser_answers([*map(write, transcripts)]), strict=True):
        assert answer["problem"] is None
        run = replay(transcript)
        rows = iter(row for row in answer["rows"] if "undo" not in row)
        epochs = iter(
            sum(isinstance(event, Undo) for event in transcript.events[:i])
            for i, event in enumerate(transcript.events)
            if isinstance(event, Ply)
        )
        for step, row, epoch in zip(run, rows, epochs, strict=True):
            pool = run.game.pool(step.state) if step.ply.seat is None else None
            assert (row["number"], row["epoch"], row.get("pool")) == (step.ply.number, epoch, pool)
        assert answer["outcomes"] == verify(write(transcript)).outcomes


@needs_node
def test_the_browsers_verifier_finds_any_other_outcome_where_it_stands() -> None:
    changed = [change for name in TEXTS for change in changes(TEXTS[name], 17)]
    assert len(changed) > 60
    for (ply, _), answer in zip(changed, browser_answers([text for _, text in changed]), strict=True):
        problem = answer["problem"]
        assert (problem["line"], problem["ply"], problem["expected"]) == (ply.line, ply.number, ply.move)


def test_the_page_needs_nothing_that_a_strict_policy_forbids() -> None:
    html = (PAGES / "verify.html").read_text(encoding="utf-8")
    assert re.findall(r"<script[^>]*>", html) == ['<script type="module" src="verify.js">']
    assert '<script type="module" src="verify.js"></script>' in html
    assert not re.search(r"<style| style=| on[a-z]+=|javascript:|https?://|//[a-z]", html)
    script = (PAGES / "verify.js").read_text(encoding="utf-8")
    assert not re.search(r"\bimport\b|innerHTML|\beval\b|new Function|https?://|document\.write", script)
    assert "url(" not in (PAGES / "verify.css").read_text(encoding="utf-8")


@pytest.mark.skipif(not all(map(shutil.which, ("openssl", "xxd", "perl"))), reason="needs openssl, xxd and perl")
def test_the_check_by_hand_of_the_documentation_works() -> None:
    root = PAGES.parents[2]
    script = re.findall(r"```sh\n(.*?)```", (root / "docs" / "dice.md").read_text(encoding="utf-8"), re.DOTALL)[0]
    run = subprocess.run(["sh", "-c", script], cwd=root, capture_output=True, text=True, timeout=60, check=True)
    commit, roll = run.stdout.splitlines()
    transcript = read(TEXTS["alea-2"])
    assert (commit.split()[0], f"={roll}") == (transcript.commit, transcript.plies[7].move)
