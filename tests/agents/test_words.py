"""Agents in words: prompts, the harness and its table, and the forms of TextArena and Kaggle."""

import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import textarena

import rostra
from rostra.agents import prompts
from rostra.agents.harness import ILLEGAL, UNPARSABLE, Words, random_words, run, scripted
from rostra.agents.kaggle import environment, kaggle_agent
from rostra.agents.textarena_env import register
from rostra.engine.game import OVER
from rostra.games import GAMES
from rostra.play.transcript import Ply

OURS = ("alea", "quovadis")


@pytest.mark.parametrize("name", OURS)
def test_the_moves_in_a_primer_are_moves(name: str) -> None:
    """Each kind of decision of a random game is described, and what looks like a move is one."""
    game = GAMES[name]
    shapes = {"alea": "TSCFLRK+", "quovadis": ""}[name]
    for letter in shapes:
        assert re.search(rf"(?<!\w){re.escape(letter)}[\dRI]", game.screen.primer), letter
    if name == "quovadis":
        from rostra.games.quovadis.notation import by_text

        written = re.findall(r"^- ((?:give|promise|then) [\w@>]+(?: \w+)*?)(?:  |,)", game.screen.primer, re.MULTILINE)
        assert len(written) >= 6
        for text in [
            *written,
            "+B",
            "A>E",
            "I>M(2)",
            "B>I(0,1)",
            "B>I(1,1)",
            "@J>S",
            "refuse 1",
            "consent 1",
            "spare B>I",
        ]:
            assert text in by_text() and text in game.screen.primer
        words = {"yes", "no", "ask", "drop", "hear", "pass", "deal", "bargain"}
        assert words <= set(re.findall(r"\w+", game.screen.primer))


@pytest.mark.parametrize("name", OURS)
def test_a_prompt_tells_what_the_seat_may_see_and_no_list_of_moves(name: str) -> None:
    """The same prompt for worlds that differ only in secrets."""
    match = rostra.Match(name, 3, seed=5)
    while not match.over:
        seat = match.turn
        assert seat is not None
        text = prompts.prompt(match, seat)
        assert "LEGAL MOVES" not in text
        assert f"PHASE: {match.view(seat)['phase']}" in text
        other = match.copy()
        match.game.knowledge.redeal(other.state, seat, np.array([7], np.uint64))
        assert prompts.situation(other, seat) == prompts.situation(match, seat)
        secret = [event for event in match.seen(seat) if isinstance(event, Ply) and event.move in ("=?", "+?")]
        assert text.count("(secret)") == len(secret)
        if match.game.rules.turn(match.state) == OVER:
            break
        match.play(match.legal()[(7 * len(match.log)) % len(match.legal())])
    assert len(match.log) > 40


@pytest.mark.parametrize(
    ("text", "moves", "problem"),
    [
        ('{"move": "+B"}', ["+B"], ""),
        ('I think {not json} so\n```json\n{"move": " I>M(2) ", "why": {"move": "x"}}\n```', ["I>M(2)"], ""),
        ('{"move": "a"} or rather {"moves": ["b", "c"]}', ["b", "c"], ""),
        ("+B", [], "no JSON object"),
        ('{"move": 3}', [], 'needs "move"'),
        ('{"moves": []}', [], 'needs "move"'),
        ("[" * 10_000 + "{" * 10_000, [], "no JSON object"),
        (None, [], "no JSON object"),
    ],
)
def test_answers_are_understood_or_refused_with_a_reason(text: Any, moves: list[str], problem: str) -> None:
    answer = prompts.understood(text)
    assert answer.moves == moves
    assert problem in answer.problem
    assert bool(answer.problem) == bool(problem)


def test_an_answer_may_ask_and_say() -> None:
    answer = prompts.understood('{"ask": "legal", "say": "  hello\\n all ' + "x" * 500 + '"}')
    assert answer.asks and answer.say.startswith("hello all x")
    assert len(answer.say) == prompts.MAX_SAY


def test_several_moves_count_together_or_not_at_all() -> None:
    match = rostra.Match("quovadis", 3, {"start_seat": "0"}, seed=1)
    for _ in range(3):
        match.play("+D")
    deal = ["D>G(1)", "promise 0 1 support", "ask"]
    after = prompts.attempt(match, 0, deal)
    assert after.turn == 1 and after.legal() == ["yes", "no"]
    plies = len(match.log)
    with pytest.raises(rostra.RostraError):
        prompts.attempt(match, 0, [*deal[:2], "give 0 1 9", "ask"])
    assert len(match.log) == plies


def test_retries_are_counted_apart_and_a_move_is_made_in_the_end() -> None:
    """One agent never speaks JSON, one always wants what is illegal; neither is shown the legal moves."""
    seen: dict[str, list[str]] = {"mute": [], "stubborn": []}

    def mute(text: str) -> str:
        seen["mute"].append(text)
        return "I do not know."

    def stubborn(text: str) -> str:
        seen["stubborn"].append(text)
        return '{"move": "L1"}'

    table = run("alea", [Words("mute", mute), Words("stubborn", stubborn)], rotate=False, seed=3)
    first, second = ({name: column[row] for name, column in table.items()} for row in (0, 1))
    assert first["unparsable"] == first["calls"] == first["decisions"] * (UNPARSABLE + 1)
    assert first["substituted"] == first["decisions"] and first["illegal"] == 0
    assert second["illegal"] > 0 and second["unparsable"] == 0
    assert second["calls"] >= second["substituted"] * (ILLEGAL + 1)
    assert not any("LEGAL MOVES" in text or "; legal:" in text for text in seen["mute"] + seen["stubborn"])
    assert "YOUR LAST ANSWER WAS REFUSED: there is no JSON object" in seen["mute"][1]
    assert any("YOUR LAST ANSWER WAS REFUSED: 'L1'" in text for text in seen["stubborn"])


def test_talk_is_heard_by_all() -> None:
    heard: list[str] = []

    def talker(text: str) -> str:
        move = json.loads(re.search(r"LEGAL MOVES: (.*)", text)[1])[0] if "LEGAL" in text else None  # type: ignore[index]
        return json.dumps({"move": move, "say": "ave"} if move else {"ask": "legal"})

    def listener(text: str) -> str:
        heard.append(text)
        return talker(text).replace('"ave"', '""')

    run("alea", [Words("talker", talker), Words("listener", listener)], rotate=False, seed=1)
    assert "seat 0 says: ave" in heard[-1]


def test_promises_and_prices_are_measured_columns() -> None:
    """The numbers agree with the ledger and with the totals of the game's own counts."""
    players = [Words("words", scripted("greedy")), "learned:breaker", "learned"]
    table = run("quovadis", players, 2, seed=2)
    assert table.n_rows == 2 * 3 * 3
    assert table["deals"].sum() > 0 and table["promises"].sum() > 0
    assert (table["kept"] + table["broken"] + table["lapsed"] <= table["promises"]).all()
    assert (table["deals"] <= table["offers"]).all()
    by_game = {name: table[name].reshape(-1, 3).sum(axis=1) for name in ("broken", "betrayed", "paid", "received")}
    assert (by_game["broken"] == by_game["betrayed"]).all()
    assert (by_game["paid"] == by_game["received"]).all()
    assert table["illegal"].sum() == table["unparsable"].sum() == 0
    anchors = table["player"] != "words"
    assert table["calls"][anchors].sum() == 0
    again = run("quovadis", players, 2, seed=2)
    assert all((table[name] == again[name]).all() for name in table if name != "seconds")


def test_dealings_of_a_deal() -> None:
    """A consent sold for a laurel, and a promise broken."""
    match = rostra.Match("quovadis", 3, {"start_seat": "0"}, seed=1)

    def play(*moves: str) -> None:
        for move in moves:
            match.play(move)

    play("+D", "+D", "+C")
    laurel = match.view(0)["laurels"]["D>G"]
    play("D>G(1)", f"give 0 1 {laurel}", "promise 0 1 support", "ask", "yes")
    play("+B", "+A", "+D")
    play("D>H(0)", "ask", "no")
    game = match.game
    assert game.desk is not None

    def states() -> Any:
        s = game.new(3, match.options)
        yield s
        for ply in match.log:
            game.rules.apply(s, game.notation.reread(s, ply.move))
            yield s

    rows = game.desk.dealings(states())
    value = int(laurel)
    told = {name: [row[name] for row in rows] for name in rows[0]}
    assert told["offers"] == [1, 1, 0] and told["deals"] == [1, 0, 0]
    assert told["consents"] == told["sold"] == [0, 1, 0]
    assert told["price"] == told["received"] == [0, value, 0] and told["paid"] == [value, 0, 0]
    assert told["promises"] == told["broken"] == [1, 0, 0] and told["betrayed"] == [0, 1, 0]


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "wise.py").write_text('def agent(prompt):\n    return \'{"ask": "legal"}\'\n')
    command = [
        sys.executable,
        "-m",
        "rostra",
        "harness",
        "alea",
        "--players",
        "wise:agent,words:greedy",
        "--out",
        "t.csv",
    ]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "wise:agent" in ran.stdout and "substituted" in ran.stdout
    assert (tmp_path / "t.csv").read_text().count("\n") == 5
    refused = subprocess.run([*command[:-1], "t.xls"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and ".parquet" in refused.stderr


def test_textarena_plays_our_games() -> None:
    """The real package: made by name, wrapped for language models, played by a scripted agent to its end."""
    assert {"Rostra-AleaIactaEst-v0", "Rostra-QuoVadis-v0"} <= {*register()}
    for name, n in (("Rostra-AleaIactaEst-v0", 2), ("Rostra-QuoVadis-v0", 3)):
        agent = random_words(4)
        env = textarena.make(name)
        env.reset(num_players=n, seed=4)
        done, asked = False, 0
        while not done:
            seat, text = env.get_observation()
            assert 0 <= seat < n
            assert text.count("RULES\n") == 1
            newest = text[text.rindex("POSITION") :]
            asked += 1
            done, _ = env.step(agent(newest))
        rewards, info = env.close()
        assert asked > 30
        assert sum(rewards.values()) == pytest.approx(0)
        assert set(info) == set(range(n)) and info[0]["reason"]


def test_textarena_retries_and_then_moves_on() -> None:
    register()
    env = textarena.make("Rostra-AleaIactaEst-v0")
    env.reset(num_players=2, seed=1)
    seat, _ = env.get_observation()
    for _ in range(2):
        env.step("nonsense")
        again, text = env.get_observation()
        assert again == seat and "YOUR LAST ANSWER WAS REFUSED" in text
    before = len(env.match.log)
    env.step("nonsense")
    assert len(env.match.log) > before


class Record(dict[str, Any]):
    """A dict with attributes, as Kaggle's environments have them."""

    def __getattr__(self, name: str) -> Any:
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def test_kaggles_form() -> None:
    """Its package is in no registry we can reach, so this drives the interpreter as its documentation says."""
    for name, n, most in (("alea", 2, 5000), ("quovadis", 3, 60)):
        made = environment(name)
        json.dumps(made["specification"])
        assert n in made["specification"]["agents"]
        assert made["interpreter"].__code__.co_argcount == 2
        options = {key: one["default"] for key, one in made["specification"]["configuration"].items()}
        env = SimpleNamespace(configuration=Record(options), done=True)
        blank = {"status": "INACTIVE", "reward": None, "action": ""}
        state: Any = [Record(blank, observation=Record(prompt="", problem=""), info=Record()) for _ in range(n)]
        state = made["interpreter"](state, env)
        agents = [kaggle_agent(random_words(seat)) for seat in range(n)]
        for _ in range(most):
            env.done = all(agent.status != "ACTIVE" for agent in state)
            if env.done:
                break
            assert [agent.status for agent in state].count("ACTIVE") == 1
            for agent, play in zip(state, agents, strict=True):
                agent.action = play(agent.observation, env.configuration) if agent.status == "ACTIVE" else None
            state = made["interpreter"](state, env)
        if name == "alea":
            assert [agent.status for agent in state] == ["DONE"] * n
            assert all(isinstance(agent.reward, int) for agent in state)
        assert state[0].info["rostra"]["substituted"] == []
        assert "moves" in made["renderer"](state, env)
