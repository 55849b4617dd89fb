"""Matches of agents that read and write words, among bots of ours as fixed anchors; results as a table.

An agent is a function from a prompt to an answer, both text (`rostra.agents.prompts`): the form that TextArena's agents
have, and Kaggle's after their prompt is built. Answers that cannot be parsed and moves that are illegal have separate
retries. When these run out, a random legal move is made for the agent, and counted.
"""

import dataclasses
import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rostra.agents import prompts
from rostra.bots import FAMILIES, Bot, make_bot
from rostra.bots.own import WORD, load
from rostra.engine import rng
from rostra.engine.game import BadOption, Game, RostraError, copy
from rostra.games import find_game
from rostra.play.match import Match
from rostra.study.tables import Table

Agent = Callable[[str], str]
UNPARSABLE, ILLEGAL, ASKS = 2, 2, 1
"""Retries of one decision after an answer that cannot be parsed, after an illegal move; how often it may ask."""
COUNTS = ("decisions", "calls", "unparsable", "illegal", "substituted", "asked", "said")


@dataclasses.dataclass(frozen=True)
class Words:
    """A player in words; `name` stands in the table."""

    name: str
    agent: Agent


Player = Words | Bot | str
"""An agent in words, or a bot: an anchor."""


def player(word: str) -> Player:
    """Who a word names: `module:name` a function from a prompt to an answer, `words:BOT` and `random-words` scripted
    agents; else a bot."""
    if word == "random-words":
        return Words(word, random_words())
    if word.startswith("words:"):
        return Words(word, scripted(word.removeprefix("words:")))
    if WORD.fullmatch(word) and word.partition(":")[0] not in FAMILIES:
        agent = load(word)
        if isinstance(agent, Bot):
            return agent
        if not callable(agent):
            raise BadOption(f"{word} is no function from a prompt to an answer")
        return Words(word, agent)
    return make_bot(word)


@dataclasses.dataclass
class Sitting:
    """One match: who plays, what was said, and what is counted for each seat."""

    match: Match
    players: Sequence[Words | Bot]
    streams: list[Any]
    said: list[tuple[int, int, str]] = dataclasses.field(default_factory=list)
    counts: list[dict[str, float]] = dataclasses.field(default_factory=list)

    def play(self) -> None:
        """To the end."""
        self.counts = [{**dict.fromkeys(COUNTS, 0), "seconds": 0.0} for _ in self.players]
        game = self.match.game
        while not self.match.over:
            seat = self.match.turn
            assert seat is not None  # chance is the seed's
            player, began = self.players[seat], time.perf_counter()
            self.counts[seat]["decisions"] += 1
            if isinstance(player, Bot):
                move = player.choose(game, self.match.state, self.streams[seat])
                self.match.play(game.notation.text(self.match.state, move), seat)
            else:
                self.match = self.decided(seat, player.agent)
            self.counts[seat]["seconds"] += time.perf_counter() - began

    def decided(self, seat: int, agent: Agent) -> Match:
        """The match after a decision of an agent in words."""
        counts, left = self.counts[seat], {"unparsable": UNPARSABLE, "illegal": ILLEGAL, "asked": ASKS}
        legal, problem = False, ""
        while True:
            counts["calls"] += 1
            answer = prompts.understood(agent(self.prompt(seat, legal=legal, problem=problem)))
            if answer.say:
                counts["said"] += 1
                self.said.append((len(self.match.events), seat, answer.say))
            if answer.asks and left["asked"]:
                kind, legal, problem = "asked", True, ""
            elif answer.problem or answer.asks:
                kind, problem = "unparsable", answer.problem or "you have the list of legal moves already; choose"
            else:
                try:
                    return prompts.attempt(self.match, seat, answer.moves)
                except RostraError as error:  # the list of legal moves is only for those who ask for it
                    kind, problem = "illegal", str(error).partition("; legal:")[0]
            counts[kind] += 1
            left[kind] -= 1
            if left[kind] < 0:
                counts["substituted"] += 1
                moves = self.match.legal()
                return prompts.attempt(self.match, seat, [moves[int(rng.below(self.streams[seat], len(moves)))]])

    def prompt(self, seat: int, *, legal: bool, problem: str) -> prompts.Prompt:
        """The prompt for a decision of this seat."""
        text = prompts.Prompt(prompts.prompt(self.match, seat, self.said, legal=legal, problem=problem))
        game, known = self.match.game, copy(self.match.state)
        game.knowledge.redeal(known, seat, self.streams[seat])
        text.game, text.known, text.rng = game, known, self.streams[seat]
        return text


def run(
    game: Game | str,
    players: Sequence[Player],
    games: int = 1,
    *,
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    rotate: bool = True,
    progress: Callable[[int], object] = lambda played: None,
) -> Table:
    """Play every seed (with `rotate` in all seat orders) and return a table with one row for each game and seat.

    >>> from rostra.agents.harness import Words, run, scripted
    >>> table = run("quovadis", [Words("polite", scripted("greedy")), "learned", "random"], rotate=False)
    >>> list(table["player"]), int(table["illegal"].sum())
    (['polite', 'learned', 'random'], 0)
    """
    game = find_game(game)
    seated = [player if isinstance(player, Words) else make_bot(player) for player in players]
    n = len(seated)
    game.new(n, options)  # refuses what cannot be played
    if games < 1:
        raise BadOption(f"the number of games is at least 1, not {games}")
    rows: list[dict[str, Any]] = []
    for index in range(games):
        for rotation in range(n if rotate else 1):
            order = [seated[(seat - rotation) % n] for seat in range(n)]
            sitting = _sitting(game, order, options, seed + index)
            sitting.play()
            rows += _rows(sitting, index, rotation)
            progress(1)
    return Table({name: np.array([row[name] for row in rows]) for name in rows[0]})


def _sitting(game: Game, order: Sequence[Words | Bot], options: Mapping[str, str] | None, seed: int) -> Sitting:
    source = rng.generator(seed)
    match = Match(game, [f"{player.name}" for player in order], options, int(rng.new_seed(source)))
    streams = [rng.generator() for _ in order]
    for seat, stream in enumerate(streams):
        rng.reseed(stream, int(rng.new_seed(source)), seat)
    return Sitting(match, order, streams)


def _rows(sitting: Sitting, index: int, rotation: int) -> list[dict[str, Any]]:
    """What a match adds to the table."""
    match = sitting.match
    result = match.result()
    assert result is not None
    won = {seat: 1 / len(result.winners) for seat in result.winners}
    dealt: Sequence[Mapping[str, float]] = [{} for _ in sitting.players]
    if match.game.desk is not None:
        dealt = match.game.desk.dealings(_states(match))
    return [
        {
            "game": index,
            "rotation": rotation,
            "seat": seat,
            "player": player.name,
            "points": result.points[seat],
            "share": won.get(seat, 0.0),
            "end": result.end,
            **sitting.counts[seat],
            **dealt[seat],
        }
        for seat, player in enumerate(sitting.players)
    ]


def _states(match: Match) -> Any:
    """The states of the match, one record that is played on."""
    s = match.game.new(len(match.names), match.options)
    yield s
    for ply in match.log:
        match.game.rules.apply(s, match.game.notation.reread(s, ply.move))
        yield s


SUMS = ("decisions", "calls", "unparsable", "illegal", "substituted", "asked")


def summary(table: Table) -> list[list[str]]:
    """The table by player, as rows of text with a heading: means for a game, and what promises and consents came to."""
    deals = "promises" in table
    heads = ["player", "games", "wins %", "points", "calls", "unparsable", "illegal", "substituted"]
    rows = [[*heads, *(["deals", "promises", "kept", "broken", "betrayed", "price"] if deals else [])]]
    for name in dict.fromkeys(table["player"].tolist()):
        mine = table["player"] == name

        def mean(column: str, mine: Any = mine) -> str:
            return f"{table[column][mine].mean():.2f}"

        row = [name, str(int(mine.sum())), f"{100 * table['share'][mine].mean():.1f}", mean("points")]
        row += [mean(column) for column in ("calls", "unparsable", "illegal", "substituted")]
        if deals:
            sold, price = table["sold"][mine].sum(), table["price"][mine].sum()
            row += [mean(column) for column in ("deals", "promises", "kept", "broken", "betrayed")]
            row.append(f"{price / sold:.2f}" if sold else "-")
        rows.append(row)
    return rows


def scripted(bot: Bot | str) -> Agent:
    """An agent in words that answers what a bot would play; to try the harness and to calibrate it."""
    player = make_bot(bot)

    def agent(text: str) -> str:
        assert isinstance(text, prompts.Prompt)
        move = player.choose(text.game, text.known, text.rng)
        return f'I have thought about it.\n{{"move": "{text.game.notation.text(text.known, move)}"}}'

    return agent


def random_words(seed: int = 0) -> Agent:
    """An agent that knows nothing but the text: it asks for the legal moves and takes any of them."""
    chooser = random.Random(seed)

    def agent(text: str) -> str:
        line = next((line for line in text.splitlines() if line.startswith("LEGAL MOVES: ")), None)
        if line is None:
            return '{"ask": "legal"}'
        moves = json.loads(line.removeprefix("LEGAL MOVES: "))
        return json.dumps({"move": chooser.choice(moves)})

    return agent
