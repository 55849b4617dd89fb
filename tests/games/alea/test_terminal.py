"""The terminal app as a person meets it: whole games by script, help, wrong input, and nobody else's secrets."""

import dataclasses
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rostra import terminal
from rostra.engine import rng
from rostra.engine.game import OVER, BadOption, IllegalMove, Result, copy
from rostra.engine.game import Screen as PlainScreen
from rostra.engine.jit import State
from rostra.games import GAMES
from rostra.games.alea import ALEA
from rostra.games.alea.tableau import score_tableau
from rostra.games.alea.terminal.guide import AleaGuide
from rostra.play.match import Match
from rostra.play.transcript import HIDDEN, read, replay
from rostra.words.guide import WIDTH, Guide, Menu

NAMES = ["You", "Brutus (greedy)", "Claudius (greedy)", "Darius (greedy)", "Flavius (greedy)"]
KINDS = {
    "place": "Your roll:",
    "keep": "Which fortuna tokens",
    "take-card": "Which senate card",
    "take-province": "Which province",
    "take-patrician": "Which patrician",
}
Answer = Callable[[list[str]], str | None]


class Screen:
    """Someone at the terminal: types what `answer` says (None: end of file) to the lines written since the last."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.lines: list[str] = []
        self.seen = 0

    def read(self, prompt: str) -> str:
        new, self.seen = self.lines[self.seen :], len(self.lines)
        typed = self.answer(new)
        if typed is None:
            raise EOFError
        return typed

    def play(self, bots: list[str], seed: int | None = 1, game: str = "alea", name: str = "You", **options: str) -> int:
        write = self.lines.append
        return terminal.play(game, bots, seats=None, name=name, options=options, seed=seed, read=self.read, write=write)

    @property
    def text(self) -> str:
        """All that was written, as one line."""
        return " ".join(" ".join(self.lines).split())


def typing(*lines: str) -> Answer:
    script = iter(lines)
    return lambda new: next(script, None)


def any_move(seed: int) -> Answer:
    """Takes some listed move by its number, now and then a reroll; leaves when the game is over."""
    chance = random.Random(seed)

    def answer(new: list[str]) -> str | None:
        if kind_of(new) is None:
            return None
        menu = new[max(i for i, line in enumerate(new) if line.startswith(tuple(KINDS.values()))) :]
        again = re.search(r"e\.g\. (R\d+)", "\n".join(menu))
        if again and chance.random() < 0.2:
            return again[1]
        numbers = re.findall(r"(?:^| ) ?(\d+) {1,2}[A-Z+]", "\n".join(menu[1:]), re.MULTILINE)
        return str(chance.randint(1, max(map(int, numbers))))

    return answer


def kind_of(lines: list[str]) -> str | None:
    """The kind of decision that was put to the person."""
    kinds = [kind for line in lines for kind, head in KINDS.items() if line.startswith(head)]
    return kinds[-1] if kinds else None


@pytest.fixture
def matches(monkeypatch: pytest.MonkeyPatch) -> list[Match]:
    """The matches that the app begins, to look behind the screen."""
    begun: list[Match] = []

    class Watched(Match):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            begun.append(self)

    monkeypatch.setattr(terminal, "Match", Watched)
    return begun


# Whole games.


@pytest.mark.parametrize(("bots", "seed"), [(["greedy"], 1), (["greedy", "random", "greedy"], 2), (["random"] * 4, 3)])
def test_a_whole_game_ends_with_every_score_and_the_winner(matches: list[Match], bots: list[str], seed: int) -> None:
    screen = Screen(any_move(seed))
    assert screen.play(bots, seed) == 0
    result = matches[0].result()
    assert result is not None
    assert max(map(len, screen.lines)) <= WIDTH
    for number in range(6 if len(bots) < 3 else 5):
        assert any(line.startswith(f"Won in set {number + 1} of ") for line in screen.lines)
    end = "\n".join(screen.lines[screen.lines.index("--- The game is over. ---") :])
    totals = re.findall(r"^(\w+)(?: \(\w+\))?: (-?\d+) points?$", end, re.MULTILINE)
    names = [name.split()[0] for name in matches[0].names]
    assert {name: int(points) for name, points in totals} == dict(zip(names, result.points, strict=True))
    assert re.search(rf"^.+ (win|wins|share the victory) with {max(result.points)} points", end, re.MULTILINE)
    for item in ("provinces", "patricians", "senate", "chips"):
        assert len(re.findall(rf"^  {item} +-?\d+ ", end, re.MULTILINE)) == len(names)


def test_seeds_repeat_a_game_and_without_one_chance_decides() -> None:
    def lines(seed: int | None) -> list[str]:
        screen = Screen(any_move(5))
        screen.play(["greedy"], seed)
        return screen.lines

    assert lines(5) == lines(5)
    assert lines(None) != lines(None)


def test_bots_have_roman_names_and_turns_are_told_in_words() -> None:
    screen = Screen(typing("d"))
    screen.play(["greedy", "random"], name="Brutus", start_seat="1")
    assert "you, Claudius (greedy) and Darius (random)." in screen.text
    assert re.search(r"Claudius \(greedy\) rolled [1-6 ]+ and placed [1-6 -]+ in the \w+", screen.text)
    assert "Set 1 of 6, round 1; Claudius begins each round." in screen.text
    assert "--name Brutus --option start_seat=1" in screen.lines[-1]


def test_a_decision_without_alternative_is_played_and_said() -> None:
    screen = Screen(any_move(1))
    screen.play(["greedy"], 1)
    assert "Only one move is legal, so it is played for you: +" in screen.text


def test_the_verdict_names_tie_breaks_and_shared_victories() -> None:
    guide = AleaGuide(ALEA, NAMES[:3])
    decided = guide.verdict(Result([40, 40, 30], [1, 3, 0], [1], "sets-played"))
    assert decided[0] == "Brutus (greedy) wins with 40 points."
    assert "The tie-break decided: Brutus (greedy) 3, you 1." in decided
    assert "A-END-5" in decided[-1]
    shared = guide.verdict(Result([40, 40, 30], [1, 1, 0], [0, 1], "sets-played"))
    assert shared[0] == "You and Brutus (greedy) share the victory with 40 points each."
    assert guide.verdict(Result([40, 39, 30], [1, 1, 0], [0], "sets-played")) == ["You win with 40 points."]


# Help, board and gains.

HELP_IDS = {
    "place": ["A-TURN-2", "A-TURN-3", "A-TEM-1", "A-SEN-1", "A-CAS-1", "A-FOR-1", "A-SCO-8"],
    "keep": ["A-SCO-1", "A-END-4"],
    "take-card": ["A-SCO-4", "A-CARD-"],
    "take-province": ["A-SCO-6", "A-END-1", "A-END-2"],
    "take-patrician": ["A-SCO-8", "A-END-3"],
}


def test_help_at_every_kind_of_decision_names_its_rules() -> None:
    choose = any_move(4)
    helped: dict[str, str] = {}
    interrupted: list[list[str]] = []

    def answer(new: list[str]) -> str | None:
        if interrupted:
            menu = interrupted.pop()
            helped[str(kind_of(menu))] = "\n".join(new)
            return choose(menu)
        if (kind := kind_of(new)) and kind not in helped:
            interrupted.append(new)
            return "?"
        return choose(new)

    Screen(answer).play(["greedy", "random", "random"], 4)
    assert helped.keys() == HELP_IDS.keys()
    for kind, ids in HELP_IDS.items():
        assert not [rule for rule in ids if rule not in helped[kind]], kind
        assert "q  quit" in helped[kind]


def test_overview_and_single_things_are_explained() -> None:
    screen = Screen(typing("??", "? XII:RG", "?rw3", "? forum", "? what", "? s9", "t", "l"))
    screen.play(["greedy"], 9, start_seat="0")
    for said in (
        "The aim: most fame points after 6 sets",
        "no Templum (A-SET-6)",
        "XII:RG: border province red/green",
        "(A-CARD-12)",
        "Rw3: red woman, value 3",
        "F Forum: Lay one die, or two that make 5 (A-FOR-1)",
        "'what' is no move, tile, card or building",
        "a die shows 1 to 6",
        "You have 0 points now, with the best assignment (A-END-6)",
    ):
        assert said in screen.text
    assert screen.lines.count("--- Set 1 of 6. You begin. ---") == 2


def test_moves_are_grouped_and_marked_and_rerolls_are_one_line() -> None:
    match, guide = table(2, "=11111111", "C1", "=33445566", "S34", "=1112256")
    match.state.chips[0] = 2
    menu = guide.menu(match.state, match.game.legal_moves(match.state))
    text = " ".join(" ".join(menu.lines).split())
    assert "Your roll: 1 1 1 2 2 5 6 Senatus: a run of dice, for a senate card 1 S1 2 S12 3 S2 4 S5 5 S56* 6 S6" in text
    assert "C1* = 1-1" in text
    assert "Again: R + the dice to roll again, e.g. R11; costs 1 chip, you have 2" in text
    assert [match.game.notation.text(match.state, move) for move in menu.moves[3:5]] == ["S5", "S56"]
    assert any(line.startswith("Senatus   Brutus 3-4") for line in guide.board(match.state))


def test_listed_gains_are_the_exact_differences(matches: list[Match]) -> None:
    choose = any_move(6)
    compared = set()

    def answer(new: list[str]) -> str | None:
        kind = kind_of(new)
        if kind is not None and kind.startswith("take"):
            part = {"take-card": "senate", "take-province": "provinces", "take-patrician": "patricians"}[kind]
            own = own_tableau(matches[0])
            for code, listed in re.findall(r"^ +\d+  \+(\S+) +([+-]\d+) ", "\n".join(new), re.MULTILINE):
                richer = {**own, part: [*own[part], code]}
                assert score_tableau(richer)["total"] - score_tableau(own)["total"] == int(listed)
                compared.add((part, int(listed) > 0))
        return choose(new)

    for seed in range(6, 9):
        matches.clear()
        Screen(answer).play(["greedy"], seed)
    assert compared >= {("senate", True), ("provinces", True), ("patricians", True), ("patricians", False)}


def own_tableau(match: Match) -> dict[str, Any]:
    seen = match.view(0)
    player = seen["players"][0]
    tableau = {part: player[part] for part in ("provinces", "patricians", "chips")}
    return {**tableau, "senate": seen["own"]["senate"], "fortuna": [int(token) for token in player["fortuna"]]}


# What is typed.


def table(n: int, *plies: str, **options: str) -> tuple[Match, AleaGuide]:
    """A match with chosen dice; seat 0 begins and the first set's tiles lie there."""
    match = Match("alea", n, {"start_seat": "0", **options})
    tiles = ["R3", "O4", "Y1", "G2", "B3"][:n] + ["Rw1", "Rm2", "Ow3", "Ym1", "Gw2", "Bm3", "Vw1"][: n + 2]
    for text in ("=s0", *(f"={tile}" for tile in tiles), *plies):
        match.play(text)
    return match, AleaGuide(ALEA, NAMES[:n])


CROWDED = ("=11223344", "F3", "=11223456", "S345", "=11223344", "C44", "=36666666", "T3", "=2", "=1344456")
"""Four players, the second turn of seat 0: a run 3-4-5, a group 4-4 and a 3 in the Templum lie there."""


FORGIVEN = {"S456": "S456", "s 654": "S456", "s 6-5-4": "S456", "c444": "C444", "f 41": "F14", "T 3,4": "T16"}


@pytest.mark.parametrize(("typed", "code"), FORGIVEN.items())
def test_case_blanks_and_order_of_dice_are_forgiven(typed: str, code: str) -> None:
    match, guide = table(4, *CROWDED)
    move = guide.read(match.state, typed, match.game.legal_moves(match.state))
    assert match.game.notation.text(match.state, move) == code
    assert guide.claims(typed)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("x", "is no move. A move is a letter and dice"),
        ("", "is no move"),
        ("z12", "is no move"),
        ("s7", "a die shows 1 to 6"),
        ("c55", "your roll 1 3 4 4 4 5 6 has only 1 x 5"),
        ("c2", "has no 2"),
        ("t4", "exactly 2 dice of sum 4 or more from you now (A-TEM-1, A-TEM-2)"),
        ("s345", "somebody has the same run 3-4-5 (A-SEN-3)"),
        ("s35", "a run has consecutive values, each once (A-SEN-1)"),
        ("c44", "somebody has the same group 4-4 (A-CAS-3). Legal there: C1 C3 C4 C444 C5 C6"),
        ("c45", "a group has dice of one value (A-CAS-1)"),
        ("f34", "one die, or two that make 5: 1 and 4, 2 and 3 (A-FOR-1)"),
        ("l1", "only for those who can place nothing elsewhere (A-LAT-1)"),
        ("l13", "the Latrina takes one die (A-LAT-1)"),
        ("r1", "you have no chip to give back for rolling again (A-TURN-2)"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_would_be_right(typed: str, why: str) -> None:
    match, guide = table(4, *CROWDED)
    with pytest.raises(IllegalMove) as refused:
        guide.read(match.state, typed, match.game.legal_moves(match.state))
    assert why in str(refused.value)


ANOTHER_RUN = ("=11223344", "S34", "=66666666", "F6", "=114466")
FULL_FORUM = ("=11444466", "F14", "=44444444", "F4", "=114466", "F4", "=6666666", "C6", "=66666")


@pytest.mark.parametrize(
    ("plies", "typed", "why"),
    [
        (ANOTHER_RUN, "s6", "with your 3-4 that makes no run without gaps (A-SEN-2)"),
        (ANOTHER_RUN, "t6", "no Templum with 2 or 3 players (A-SET-6)"),
        (FULL_FORUM, "f6", "a die would not find room on a column (A-FOR-4). Nothing is legal in the Forum now."),
    ],
)
def test_refusals_with_two_players(plies: tuple[str, ...], typed: str, why: str) -> None:
    match, guide = table(2, *plies)
    with pytest.raises(IllegalMove, match=re.escape(why)):
        guide.read(match.state, typed, match.game.legal_moves(match.state))


def test_choices_are_read_with_and_without_plus() -> None:
    plies = ("=12345666", "S12345", "=66666666", "C66666666", "=XII:RG", "=VI", "=V")
    match, guide = table(2, *plies)
    for typed, code in (("+v", "+V"), ("vi", "+VI"), ("xii", "+XII:RG"), ("xii rg", "+XII:RG")):
        assert (
            match.game.notation.text(match.state, guide.read(match.state, typed, match.game.legal_moves(match.state)))
            == code
        )
    with pytest.raises(IllegalMove, match="Type one of"):
        guide.read(match.state, "s45", match.game.legal_moves(match.state))


def test_wrong_input_is_answered_and_asked_again(tmp_path: Path) -> None:
    wrong = [
        "",
        "x",
        "0",
        "999",
        "9" * 5000,
        "y" * 999,
        "s",
        "\t?\tS9",
        "s /",
        f"s {tmp_path}/no/such",
        "s ~nobody/x",
        "é",
    ]
    screen = Screen(typing(*wrong, "1"))
    assert screen.play(["greedy"], start_seat="0") == 0
    assert "Type a move, its number, or ? for help." in screen.text
    assert screen.text.count("The moves are numbered 1 to") == 2
    assert "That line is too long: 5000 characters." in screen.text
    assert "Say where to save to: s FILE" in screen.text
    assert screen.text.count("Cannot save to") == 2
    assert "/ exists already; choose another name." in screen.text
    assert "You placed" in screen.text


def test_undecodable_input_is_answered() -> None:
    def answer(new: list[str]) -> str | None:
        if kind_of(new):  # the first time only: then the menu is not shown again
            raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
        return None

    screen = Screen(answer)
    assert screen.play(["greedy"]) == 0
    assert "That is not text in the encoding of this terminal" in screen.text


@pytest.mark.parametrize(("typed", "code"), [("q", 0), ("quit", 0), (None, 0), (KeyboardInterrupt, 130)])
def test_quitting_end_of_file_and_interrupt_are_polite(typed: Any, code: int) -> None:
    def answer(new: list[str]) -> str | None:
        if typed is KeyboardInterrupt:
            raise KeyboardInterrupt
        return typed

    screen = Screen(answer)
    assert screen.play(["greedy"], 12) == code
    assert "You leave the game. It is not saved" in screen.text
    assert screen.lines[-1] == "  rostra play alea --bots greedy --seed 12"


def test_options_are_checked_with_what_would_be_right() -> None:
    def play(bots: list[str], seats: int | None) -> None:
        terminal.play("alea", bots, seats=seats, name="You", options={}, seed=1, read=lambda prompt: "q")

    with pytest.raises(BadOption, match="4 seats are you and 3 bots, not 1: --bots random,eques,eques"):
        play(["random"], 4)
    for bots, seats in ((["greedy"], 0), (["greedy"] * 5, None), ([], None)):
        with pytest.raises(BadOption, match="for 2 to 5 players"):
            play(bots, seats)
    with pytest.raises(BadOption, match="did you mean 'greedy'"):
        play(["gredy"], 2)


# Saving, and secrets.


def test_saving_keeps_what_the_person_may_know_and_all_at_the_end(tmp_path: Path) -> None:
    choose = any_move(7)
    file = tmp_path / "one.game"
    early: list[str] = []

    def answer(new: list[str]) -> str | None:
        if any(line.startswith("--- Set 3") for line in new) and not early:
            early.append("")
            kept.append(new)
            return f"s {file}"
        if kept:
            early[0] = file.read_text(encoding="utf-8")
            return choose(kept.pop())
        if any(line.startswith("s FILE saves the game") for line in new):
            return f"s {file}"
        return choose(new)

    kept: list[list[str]] = []
    screen = Screen(answer)
    screen.play(["greedy", "greedy", "greedy"], 7)
    assert "The game is saved in" in screen.text
    hidden = [ply for ply in read(early[0]).plies if ply.move in HIDDEN]
    assert hidden
    assert not [ply for ply in hidden if ply.seat == 0]
    whole = read(file.read_text(encoding="utf-8"))
    assert whole.result is not None
    assert len(list(replay(whole))) == len(whole.plies)


class TwoWorlds(AleaGuide):
    """Shows nothing before it has shown the same in a world that differs in what the person may not know."""

    differing = 0

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.other = AleaGuide(*given)
        self.dice = rng.generator(1)

    def world(self, s: State) -> State:
        changed = copy(s)
        if self.game.rules.turn(s) != OVER:
            self.game.knowledge.redeal(changed, 0, self.dice)
        TwoWorlds.differing += changed.tobytes() != s.tobytes()
        return changed

    def tell(self, before: State, after: State, seat: int | None, text: str | None) -> list[str]:
        lines = super().tell(before, after, seat, text)
        changed = self.world(before)
        move = self.game.legal_moves(changed)[-1] if text is None else self.game.notation.parse(before, text)
        changed_after = copy(changed)
        self.game.rules.apply(changed_after, move)
        assert self.other.tell(changed, changed_after, seat, text) == lines
        return lines

    def board(self, s: State) -> list[str]:
        assert self.other.board(self.world(s)) == super().board(s)
        return super().board(s)

    def menu(self, s: State, moves: list[int]) -> Menu:
        assert self.other.menu(self.world(s), moves) == super().menu(s, moves)
        assert self.other.help(self.world(s), moves) == super().help(s, moves)
        assert self.other.tableau(self.world(s)) == super().tableau(s)
        return super().menu(s, moves)


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_shown_depends_on_other_seats_tokens_and_cards(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    screened = dataclasses.replace(ALEA.screen, guide=TwoWorlds)
    monkeypatch.setitem(GAMES, "alea", dataclasses.replace(ALEA, screen=screened))
    TwoWorlds.differing = 0
    screen = Screen(any_move(seed))
    screen.play(["random", "random", "greedy"], seed)
    assert TwoWorlds.differing > 100
    before_end = screen.text[: screen.text.index("--- The game is over. ---")]
    assert re.search(r"\w+ kept a senate card for", before_end)
    assert re.search(r"\) rolled [^.]* drew \d fortuna tokens?\.", before_end)
    assert not re.search(r"(Brutus|Claudius|Darius) kept [IVX]", before_end)


# Any other game.


def test_a_game_without_a_guide_is_playable_with_plain_lists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(terminal, "prepare", lambda game: None)  # it would note on disk that this game is ready
    rules = dataclasses.replace(ALEA.rules, name="plain", title="A Plain Game")
    screen = dataclasses.replace(ALEA.screen, guide=None, phrase=PlainScreen().phrase)
    monkeypatch.setitem(GAMES, "plain", dataclasses.replace(ALEA, rules=rules, screen=screen))
    chance = random.Random(1)

    def answer(new: list[str]) -> str | None:
        numbers = [re.match(r" *(\d+)  \S", line) for line in new]
        listed = [int(number[1]) for number in numbers if number]
        return str(chance.randint(1, min(9, max(listed)))) if listed else None

    screen = Screen(answer)
    assert screen.play(["random"], game="plain") == 0
    assert re.search(r" 1 S\d+ place [\d ]+ in the Senatus", screen.text)
    assert re.search(r"Brutus \(random\): [SCF]\d+ \(place", screen.text)
    assert re.search(r"The game is over\. Points: You \d+ Brutus \(random\) \d+ .+ with \d+ points", screen.text)
    screen = Screen(typing("?", "??", "t", "? nonsense", "S 1 2 3 4 5 6 6", "s 1 2 3/4"))
    monkeypatch.chdir(tmp_path)  # in a plain game `S 1 2 3` is a file to save to
    assert screen.play(["random"], game="plain") == 0
    assert "'nonsense' is not a legal move now" in screen.text
    assert [file.name for file in tmp_path.iterdir()] == ["1 2 3 4 5 6 6"]


def test_moves_that_are_numbers_are_not_numbered() -> None:
    notation = dataclasses.replace(ALEA.notation, text=lambda s, move: str(move))
    screen = dataclasses.replace(ALEA.screen, explain=lambda s, move: f"move of seat {move}")
    counting = dataclasses.replace(ALEA, notation=notation, screen=screen)
    menu = Guide(counting, ["You", "Brutus (x)"]).menu(None, [1, 2])
    assert menu == Menu(["Your moves:", "  1  move of Brutus", "  2  move of seat 2"], [])


def test_a_hint_names_the_best_moves_and_why() -> None:
    screen = Screen(typing("hint", "hint of what", "q"))
    assert screen.play(["greedy"], 3, start_seat="0") == 0
    told = [line for line in screen.lines if re.match(r"[123]\. [TSCFLR]\d+ \(", line)]
    assert len(told) == 3
    match = Match(ALEA, 2, {"start_seat": "0"}, int(rng.new_seed(rng.generator(3))))
    assert {line.split()[1] for line in told} <= set(match.legal())
    chances = [int(re.search(r": (\d+) %", line)[1]) for line in told]
    assert chances == sorted(chances, reverse=True)
    assert "Your chance to win with the best move:" in screen.text and max(map(len, screen.lines)) <= WIDTH


def test_there_is_no_hint_in_a_game_that_nobody_has_learned() -> None:
    screen = Screen(typing("hint", "q"))
    screen.play(["greedy"], 3, "pig", start_seat="0")
    assert "No bot is trained for Pig with 2 players, so there is no hint." in screen.text
