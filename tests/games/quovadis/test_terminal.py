"""Quo Vadis? in the terminal: whole games by script, offers made and answered in words, help, nobody else's points."""

import random
import re
from collections.abc import Callable

import pytest

from rostra import terminal
from rostra.engine.game import IllegalMove, Result, copy
from rostra.engine.jit import State
from rostra.games.quovadis import QUO_VADIS
from rostra.games.quovadis.terminal.guide import QuoVadisGuide
from rostra.words.guide import WIDTH

NAMES = ["You", "Brutus (greedy)", "Claudius (greedy)", "Darius (greedy)"]
LAYOUT = ("=s0", "=3", "=3", "=3", "=3", "=3", "=3", "=2c", "=3", "=3", "=3")


class Table:
    """A guide at a table of four, told every ply."""

    def __init__(self, *moves: str, names: list[str] = NAMES, **options: str) -> None:
        self.guide = QuoVadisGuide(QUO_VADIS, names)
        self.s: State = QUO_VADIS.new(len(names), options)
        self.told: list[str] = []
        self.play(*LAYOUT, *moves)

    def play(self, *moves: str) -> None:
        for text in moves:
            turn = QUO_VADIS.rules.turn(self.s)
            before = copy(self.s)
            QUO_VADIS.rules.apply(self.s, QUO_VADIS.notation.parse(self.s, text))
            self.told += self.guide.tell(before, self.s, None if turn < 0 else turn, text)

    def type(self, *lines: str) -> None:
        """What the person types at his decisions."""
        for line in lines:
            self.play(self.means(line))

    def means(self, typed: str) -> str:
        return QUO_VADIS.notation.text(self.s, self.guide.read(self.s, typed, self.moves))

    @property
    def moves(self) -> list[int]:
        return QUO_VADIS.legal_moves(self.s)

    @property
    def menu(self) -> str:
        return " ".join(" ".join(self.guide.menu(self.s, self.moves).lines).split())

    @property
    def help(self) -> str:
        return " ".join(self.guide.help(self.s, self.moves))

    @property
    def story(self) -> str:
        return " ".join(self.told)


@pytest.fixture
def in_i() -> Table:
    """The person and Claudius sit in I, the person has a 2 and a 3; on I>M lies a 2 with Caesar."""
    table = Table()
    table.s.board[8, 0] = table.s.board[8, 2] = 1
    table.s.off[0] = table.s.off[2] = 7
    table.s.hands[0, 1:3] = 1
    return table


def scripted(seed: int, screen: list[str]) -> Callable[[str], str]:
    """Takes listed moves by number, asks what it has drafted, and leaves when the game is over."""
    chance = random.Random(seed)
    seen = 0

    def read(prompt: str) -> str:
        nonlocal seen
        new, seen = screen[seen:], len(screen)
        if prompt.startswith("Save"):
            raise EOFError
        numbers = [int(found[1]) for line in new if (found := re.match(r" {,2}(\d+)  \S", line))]
        if not numbers:  # refused, or only Caesar can be moved
            caesar = re.search(r"e\.g\. (@\S+)", "\n".join(new))
            return caesar[1] if caesar else "d"
        if any(line.startswith("The offer so far") for line in new):
            return chance.choice(["1", "1", "promise Brutus support", "drop"])
        return str(chance.randint(1, max(1, max(numbers) - chance.randint(0, 2))))

    return read


@pytest.mark.parametrize("seats", [3, 4])
def test_a_whole_game_can_be_played(seats: int) -> None:
    screen: list[str] = []
    bots = ["greedy"] * (seats - 1)
    read = scripted(seats, screen)
    options = {"stall_rounds": "3"}
    terminal.play("quovadis", bots, seats=seats, name="You", options=options, seed=3, read=read, write=screen.append)
    end = screen.index("--- The game is over. ---")
    assert all(len(line) <= WIDTH for line in screen if not line.startswith("  rostra play"))
    assert not [line for line in screen[:end] if re.match(r"[> ] [1-4] \w+: ", line) and "point" in line]
    result = "\n".join(screen[end:])
    assert result.count(" points  ") == seats
    assert re.search(r"(win|wins) with \d+ points|Nobody wins", result)


def test_help_names_the_rules(in_i: Table) -> None:
    assert all(rule in in_i.help for rule in ("Q-ACT-1", "Q-MOV-2", "Q-NEG-4", "Q-CAE-1"))
    in_i.type("i>m")
    assert all(rule in in_i.help for rule in ("Q-NEG-3", "Q-NEG-2", "Q-MOV-5"))
    in_i.type("drop")
    in_i.s.active = in_i.s.seat = 2
    in_i.play("I>M(0)", "ask")
    assert all(rule in in_i.help for rule in ("Q-NEG-3", "Q-MOV-4", "Q-NEG-2"))


def test_moves_are_listed_by_what_they_need(in_i: Table) -> None:
    assert "I>M(2) needs Claudius's consent, you win the 2 with Caesar, Claudius gets a 1" in in_i.menu
    assert "Caesar (now on J>S): @ + a path, e.g. @M>S" in in_i.menu
    assert len(in_i.guide.menu(in_i.s, in_i.moves).lines) < 15
    in_i.type("I>M claudius")
    assert len(in_i.guide.menu(in_i.s, in_i.moves).lines) < 20


def test_an_offer_is_made_in_words(in_i: Table) -> None:
    in_i.type("i to m", "Give  claudius 2", "promise claudius support", "then m>s", "brutus promises me to pay 2")
    said = (
        "You move from I to M with Claudius's consent, give Claudius a 2, then move Caesar to M>S and promise Claudius "
        "your support; Brutus promises you laurels worth 2 later."
    )
    assert said in in_i.menu
    assert "Claudius: a 1 for consent, a 2 from you (+3 points)" in in_i.menu
    in_i.type("ASK")
    in_i.play("yes", "yes")
    assert f"You ask: {said} Brutus agrees. Claudius agrees. The deal is done." in in_i.story
    board = " ".join(in_i.guide.board(in_i.s))
    assert "Open: you promised Claudius your support" in board
    assert in_i.s.hands[2].tolist() == [1, 1, 0, 0, 0]


def test_an_offer_is_answered_in_words(in_i: Table) -> None:
    in_i.s.active = in_i.s.seat = 2
    in_i.s.hands[2, 3] = 1
    in_i.play("I>M(0)", "give 2 0 4", "promise 2 0 oppose 1", "promise 0 2 support", "ask")
    assert (
        "Claudius asks you: Claudius moves from I to M with your consent, gives you a 4 and promises you to refuse "
        "Brutus any consent; you promise Claudius your support."
    ) in in_i.menu
    assert "You: a 1 for consent, a 4 from Claudius (+5 points)" in in_i.menu
    with pytest.raises(IllegalMove, match="yes or no"):
        in_i.means("perhaps")
    in_i.type("Y")
    assert "You agree. The deal is done." in in_i.story
    assert in_i.s.hands[0].tolist() == [1, 1, 1, 1, 0]


def test_a_broken_promise_is_foretold_and_told(in_i: Table) -> None:
    in_i.type("deal", "+B", "promise claudius support", "ask")
    in_i.play("yes", "+A", "I>M(0)", "ask")
    assert "You promised Claudius your support: a no breaks that promise." in in_i.menu
    in_i.type("no")
    assert "You refuse. Your promise to Claudius (support) is broken." in in_i.story
    assert "Promises so far: you 1 broken" in " ".join(in_i.guide.board(in_i.s))


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("give claudius 2", "give 0 2 2"),
        ("give 2 to Claudius", "give 0 2 2"),
        ("GIVE 0 2 3", "give 0 2 3"),
        ("give 2 3", "give 0 2 3"),
        ("give 3", "give 0 2 3"),
        ("claudius gives me a 1", "give 2 0 1"),
        ("give me 1", "give 2 0 1"),
        ("claudius gives 1", "give 2 0 1"),
        ("give 0 claudius 3", "give 0 2 3"),
        ("I give Brutus 3", "give 0 1 3"),
        ("promise support", "promise 0 2 support"),
        ("promise support to brutus", "promise 0 1 support"),
        ("claudius promises caesar", "promise 2 0 caesar"),
        ("promise claudius to oppose brutus", "promise 0 2 oppose 1"),
        ("promise 0 2 oppose 1", "promise 0 2 oppose 1"),
        ("claudius promises me to pay 3", "promise 2 0 pay 3"),
        ("then leave", "then -"),
        ("then @n > s", "then @N>S"),
        ("cancel", "drop"),
    ],
)
def test_terms_are_read_forgivingly(in_i: Table, typed: str, means: str) -> None:
    in_i.type("i>m(2)")
    assert in_i.means(typed) == means


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("enter b", "+B"),
        ("+ b", "+B"),
        ("i > m", "I>M(2)"),
        ("move from I to M with Claudius", "I>M(2)"),
        ("caesar m>s", "@M>S"),
        ("move caesar to n>s", "@N>S"),
        ("Hear", "hear"),
    ],
)
def test_actions_are_read_forgivingly(in_i: Table, typed: str, means: str) -> None:
    assert in_i.means(typed) == means


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("M>S", "no senator in M"),
        ("A>I", "no path A>I"),
        ("I>M(1)", "consent of one other senator"),
        ("give claudius 2", "First choose the action"),
        ("nonsense", "not a legal move"),
    ],
)
def test_refusals_say_why(in_i: Table, typed: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        in_i.means(typed)


def test_what_cannot_be_given_is_refused(in_i: Table) -> None:
    in_i.type("i>m")
    with pytest.raises(IllegalMove, match=r"You cannot give a 5.*Q-NEG-3"):
        in_i.means("give claudius 5")


def test_others_laurels_are_only_counted(in_i: Table) -> None:
    in_i.s.hands[1] = [2, 0, 0, 0, 1]
    other = copy(in_i.s)
    other.hands[1] = [0, 1, 2, 0, 0]
    guide = in_i.guide
    for show in (guide.board, guide.tableau, lambda s: guide.help(s, QUO_VADIS.legal_moves(s))):
        assert show(in_i.s) == show(other)
    assert "1 Brutus: 8 senators off the board, 3 laurels" in "\n".join(guide.board(in_i.s))
    other.show_hands = 1
    assert "3 laurels: 2 3 3 = 8 points" in "\n".join(guide.board(other))


def test_a_committee_that_caesar_frees_is_named() -> None:
    table = Table(caesar_frees="committee")
    table.s.board[6, 0], table.s.off[0] = 1, 7
    table.play("@G>J", "+A", "+B", "+C")
    assert "G>J past Caesar" in table.menu
    assert "G>L from Caesar's committee, you win the 3" in table.menu
    table.type("g>l")
    assert "from Caesar's committee" in table.story


def test_open_hands_can_be_demanded() -> None:
    table = Table(open_hands="on")
    table.s.board[9, 3] = 1
    table.s.off[3] = 7
    table.play("+A", "+B", "+B", "J>S")
    assert "demand that all show their laurels" in table.menu and "demand nothing" in table.menu
    assert "Q-VAR-2" in table.help
    assert (table.means("pass"), table.means("SHOW")) == ("pass", "show")
    table.type("show")
    assert "You demand to see all laurels" in table.story
    assert "Brutus: 7 senators off the board, 0 laurels: none = 0 points" in "\n".join(table.guide.board(table.s))
    table.play("+C")
    assert "0 points" not in "\n".join(table.guide.board(table.s)).replace("> 0 You", "").split("Brutus", 1)[1]


def test_the_senate_and_the_countdown_are_shown() -> None:
    table = Table()
    assert "Senate: 0 of 5" in "\n".join(table.guide.board(table.s))
    table.s.quiet = 19
    assert "end the game" not in "\n".join(table.guide.board(table.s))
    table.s.quiet = 20
    assert "20 more turns of that end the game (Q-END-4)" in "\n".join(table.guide.board(table.s))


def test_the_end_says_who_did_not_qualify() -> None:
    table = Table()
    result = Result([9, 7, 7, 12], [0, 1, 2, 0], [1], "senate-full")
    lines = "\n".join(table.guide.final(table.s, result))
    assert lines.count("not qualified: no senator in the Senate (Q-END-2)") == 2
    assert "Brutus (greedy) wins with 7 points." in lines
    assert "Q-END-3" in lines


def test_words_explain_themselves(in_i: Table) -> None:
    about = in_i.guide.about
    assert "one consent (Q-MOV-2)" in about(in_i.s, "i", in_i.moves)[0]
    assert "with Claudius's consent" in about(in_i.s, "I>M(2)", in_i.moves)[0]
    assert "support" in " ".join(about(in_i.s, "promise", in_i.moves))
    assert "Q-END-2" in " ".join(in_i.guide.overview())
