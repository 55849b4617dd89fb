"""Games of other people: handed over as a value, or found by the entry point `rostra.games`."""

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pig import PIG
from rostra import terminal
from rostra.bots import Bot, make_bot
from rostra.engine.game import BadGame, Game, Knowledge, Notation, Plane, Screen, record
from rostra.engine.loops import THINKS
from rostra.games import GAMES, find_game
from rostra.play.match import Match
from rostra.play.transcript import read, replay, write
from rostra.study.arena import cross_play
from rostra.study.simulate import simulate, transcripts

PACKAGE = Path(__file__).parents[1] / "nim_package"
UNKNOWN = Game(dataclasses.replace(PIG.rules, name="hog", title="Hog"), PIG.notation)
"""A game with rules and notation alone that is in no registry."""


def test_a_game_of_rules_and_notation_is_played_and_replayed() -> None:
    match = Match(UNKNOWN, seats=3, seed=4)
    while not match.over:
        match.play(match.legal()[-1] if match.view(0)["pot"] > 5 else "roll")
    text = write(match.transcript())
    played = replay(read(text, UNKNOWN), UNKNOWN)
    assert [step.ply.move for step in played] == [ply.move for ply in match.log]
    assert UNKNOWN.name not in GAMES


@pytest.mark.parametrize("spec", ["random", "greedy", "flat:20", "search:40"])
def test_bots_play_it(spec: str) -> None:
    played = simulate(UNKNOWN, [make_bot(spec), make_bot("random")], 20, seed=1)
    assert played.n_games == 20
    assert played.decided() == 1.0
    assert len([*transcripts(played)]) == 20


def test_it_is_rated_with_a_bot_of_ones_own() -> None:
    cautious = Bot("cautious", THINKS, lambda game, s, rng: int(s.pot >= 6))
    found = cross_play(UNKNOWN, [cautious, make_bot("random")], 2, 10, seed=1)
    assert found.labels == ["cautious", "random"]
    assert found.share(0, 1).mean > 0.6


def test_it_is_played_in_the_terminal() -> None:
    lines: list[str] = []
    answers = iter(["1", "1", "2", "q"] * 50)
    code = terminal.play(
        UNKNOWN, ["random"], seats=2, name="You", options={}, seed=2, read=lambda prompt: next(answers),
        write=lines.append,
    )  # fmt: skip
    assert code == 0
    assert any("Hog" in line for line in lines)
    assert any("pot: " in line for line in lines)


def test_what_is_missing_is_named() -> None:
    rules, nothing = PIG.rules, Screen()
    with pytest.raises(BadGame, match="needs an integer field 'n'"):
        dataclasses.replace(rules, state=record([("seat", np.int8)]))
    with pytest.raises(BadGame, match="small letters"):
        dataclasses.replace(rules, name="My Game")
    with pytest.raises(BadGame, match="from 1 to 10"):
        dataclasses.replace(rules, seats=(2, 11))
    with pytest.raises(BadGame, match=r"needs Knowledge\.redeal"):
        Game(rules, PIG.notation, Knowledge(secret=True), nothing)
    with pytest.raises(BadGame, match=r"needs Screen\.view"):
        Game(rules, PIG.notation, dataclasses.replace(PIG.knowledge, secret=True), nothing)
    with pytest.raises(BadGame, match=r"needs Knowledge\.observe"):
        Game(rules, PIG.notation, Knowledge(planes=(Plane("pot", (1,), ""),)))


def test_outcomes_that_are_not_equally_likely_need_a_pool() -> None:
    loaded = dataclasses.replace(PIG.rules, name="loaded", odds=lambda s, move: 0.5 if move % 2 else 0.25)
    game = Game(loaded, Notation(text=PIG.notation.text))
    with pytest.raises(BadGame, match=r"needs Notation\.pool"):
        game.notation.pool(game.new(3))


@pytest.mark.slow
def test_an_installed_package_brings_its_game(tmp_path: Path) -> None:
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target"]
    subprocess.run([sys.executable, *install, str(tmp_path), str(PACKAGE)], check=True)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}

    def python(*words: str) -> str:
        command = [sys.executable, *words]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    def rostra(*words: str) -> str:
        return python("-m", "rostra", *words)

    out = rostra(
        "simulate", "nim", "--seats", "2", "--bots", "flat:200,random", "--games", "40", "--keep", str(tmp_path)
    )
    assert "flat:200" in out
    assert '"legal"' in rostra("replay", str(tmp_path / "000001.game"), "--legal")
    lobby = "import asyncio; from rostra.server.routes import games; print(asyncio.run(games(None)))"
    assert "name='nim'" in python("-c", lobby)
    with pytest.raises(ValueError, match="there is no game 'nim'"):
        find_game("nim")
