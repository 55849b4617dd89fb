"""The terminal app in German: whole games without an English sentence, right endings, refusals, words to type."""

import io
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from games.alea.test_terminal import ANOTHER_RUN, CROWDED, FULL_FORUM, NAMES, Screen, table, typing
from games.quovadis.test_terminal import Table
from rostra import cli, terminal
from rostra.cli import arguments
from rostra.engine.game import BadOption, Result, RostraError
from rostra.games.alea import ALEA
from rostra.games.alea.terminal.guide import AleaGuide
from rostra.games.quovadis import QUO_VADIS
from rostra.games.quovadis.tables import ANSWER
from rostra.games.quovadis.terminal.guide import QuoVadisGuide
from rostra.games.quovadis.terminal.words import TYPED
from rostra.words import PLACE, words
from rostra.words.guide import WIDTH, Guide
from rostra.words.voice import Voice

SHARED = {"enter", "codes", "game"}
"""English words that German has too: the key, codes, and how files of games end."""
WORD = re.compile(r"[^\W\d_]{3,}")
UNMARKED = re.compile(r"fuer|wuerf|zuege|strasse|plaett|gebaeu|naech|caesar|moegl|koenn|durchgaeng|hoer", re.IGNORECASE)
"""German words whose umlauts were lost."""
WRONG_NUMBER = re.compile(
    r"(?<![\w>.-])(?:1 (?:Punkte|Punkten|Chips|Senatoren|Züge|Zügen|Lorbeeren|Senatskarten)"
    r"|(?:0|[2-9]|\d\d+) (?:Punkt|Chip|Senator|Zug|Lorbeer|Senatskarte))\b"
)
WRONG_INPUT = ["", "x", "999", "hilfe", "regeln", "auslage", "verlauf", "tisch", "tipp", "speichern", "s /", "? nichts"]
ALEA_INPUT = ["z12", "s7", "c55", "c45", "s35", "f34", "t6", "l1", "r1", "? forum", "? XII:RG", "? Rw3", "? R3", "? S9"]
QUOVADIS_INPUT = [
    "M>S", "A>I", "I>M", "gib Brutus 2", "gib", "versprich", "versprich gegen", "versprich zahlen", "? b", "? i", "? a",
    "? gib", "? versprich", "? dann",
]  # fmt: skip


def scripted(seed: int, screen: list[str], first: list[str]) -> Callable[[str], str]:
    """Types the first lines one after another, then listed moves by their numbers, terms of offers, and rerolls."""
    chance = random.Random(seed)
    waiting = [*first]
    seen = 0

    def read(prompt: str) -> str:
        nonlocal seen
        new, seen = screen[seen:], len(screen)
        screen.append(prompt)
        if prompt.startswith("Speichern"):
            raise EOFError
        if waiting and chance.random() < 0.5:
            return waiting.pop(0)
        text = "\n".join(new)
        example = re.search(r"z\. B\. (@\S+|R\d+);?", text)
        if example and chance.random() < 0.2:
            return example[1].rstrip(";")
        if "Das Angebot bisher" in text:
            terms = ["versprich Brutus zustimmung", "Brutus verspricht cäsar", "versprich Brutus gegen Claudius"]
            return chance.choice(
                ["1", "1", "1", "3", *terms, "Brutus gibt mir 1", "gib Brutus 2", "dann -", "verwerfen"]
            )
        numbers = [int(number) for number in re.findall(r"^ {,2}\d+(?=  \S)|(?<= )\d+(?= [TSCFL]\d)", text, re.M)]
        if not numbers:
            return example[1].rstrip(";") if example else "d"
        return str(chance.randint(1, max(numbers)))

    return read


def whole_game(game: str, bots: int, seed: int, **options: str) -> list[str]:
    """The lines of a game in German, prompts too."""
    screen: list[str] = []
    own = ALEA_INPUT if game == "alea" else QUOVADIS_INPUT
    first = [typed for line in [*WRONG_INPUT, *own] for typed in (line, "?", "d")]
    code = terminal.play(
        game, ["greedy"] * bots, seats=None, name="", options=options, seed=seed, language="de",
        read=scripted(seed, screen, first), write=screen.append,
    )  # fmt: skip
    assert code == 0
    return screen


WHOLE_GAMES = [("alea", 1), ("alea", 3), ("quovadis", 2), ("quovadis", 3)]


@pytest.fixture(scope="module", params=WHOLE_GAMES, ids=[f"{game}-{bots + 1}" for game, bots in WHOLE_GAMES])
def lines(request: pytest.FixtureRequest) -> list[str]:
    game, bots = request.param
    return whole_game(game, bots, 4, **({"stall_rounds": "3"} if game == "quovadis" else {}))


def joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


def english_in(text: str) -> set[str]:
    """Words of the English texts that are in no German text of the browser; the terminal's own are to be tested."""
    english = {word for key in words("en") for word in said("en", key)}
    german = {word for key in words("de") if not key.startswith("tui") for word in said("de", key)}
    return set(WORD.findall(text.casefold())) & english - german - SHARED


def said(language: str, key: str) -> list[str]:
    return WORD.findall(PLACE.sub(r" \2 \3 ", words(language).text(key)).casefold())


# Whole games.


def test_a_whole_game_has_no_english_in_it(lines: list[str]) -> None:
    text = joined([re.sub(r"[AQ]-[A-Z]+-\d+", "", line) for line in lines if not line.startswith("  rostra play")])
    assert "--- Die Partie ist zu Ende. ---" in text
    assert re.search(r"(gewinnst|gewinnt) mit \d+ Punkten|Niemand gewinnt", text)
    assert english_in(text) == set()


def test_the_same_would_be_found_in_english() -> None:
    screen = Screen(typing("?", "??", "x", "hint"))
    screen.play(["greedy"], 4)
    assert len(english_in(screen.text)) > 100


def test_no_text_was_left_in_english() -> None:
    english, german = words("en"), words("de")
    same = {key for key in english if key.startswith("tui") and english.text(key) == german.text(key)}
    assert same == set()


def test_what_is_counted_in_english_is_counted_in_german() -> None:
    alike = re.compile("Würfel|Plättchen|Patrizier")  # one or more
    for key in words("en"):
        places = PLACE.findall(words("en").text(key))
        if key.startswith("tui") and any(one != many and name != "you" for name, one, many in places):
            german = words("de").text(key)
            assert re.search(r"\{(?!you)\w+:", german) or alike.search(german), key


def test_umlauts_and_endings_are_right(lines: list[str]) -> None:
    text = joined(lines)
    assert {"ü", "ä", "ö"} <= set(text)
    assert not UNMARKED.findall(text)
    assert not [line for line in lines if WRONG_NUMBER.search(line)]  # lines apart: a list may end with a number


def test_no_line_is_wider_than_the_screen(lines: list[str]) -> None:
    assert max(len(line) for line in lines if not line.startswith("  rostra play")) <= WIDTH
    assert lines[-1].startswith("  rostra play") and "--seed 4 --lang de" in lines[-1] and "--name" not in lines[-1]


def test_what_the_tests_look_for_is_found() -> None:
    assert WRONG_NUMBER.findall("Du hast 1 Punkte") and WRONG_NUMBER.findall("noch 2 Zug")
    assert not WRONG_NUMBER.findall("mit 1 Punkt, 11 Punkte, 0 Senatoren")
    assert UNMARKED.findall("Zuege fuer Caesar")


# Boards.


@pytest.mark.parametrize("language", ["en", "de"])
def test_columns_stand_below_their_heads(language: str) -> None:
    match, _ = table(4, *CROWDED)
    board = AleaGuide(ALEA, NAMES[:4], language).board(match.state)
    at = next(i for i, line in enumerate(board) if line.split()[:2] in (["dice", "chips"], ["Würfel", "Chips"]))
    ends = [word.end() for word in re.finditer(r"\S+", board[at])][:3]
    for row in board[at + 1 : at + 5]:
        assert [word.end() for word in re.finditer(r"\S+", row)][1:4] == ends
    cells = re.findall(r"\[.*?\]", next(line for line in board if line.startswith("Forum")))
    assert len(cells) == 6 and {len(cell) for cell in cells} == {7}


def test_the_hill_is_as_wide_as_in_english() -> None:
    s = Table().s
    s.laurels[0] = 0
    english, german = (QuoVadisGuide(QUO_VADIS, NAMES[:4], language).board(s) for language in ("en", "de"))
    hill = next(i for i, line in enumerate(english) if line.startswith("ones left"))
    assert german[:hill] == [line.replace("CAESAR", "CÄSAR").replace("none", "leer") for line in english[:hill]]
    assert "CÄSAR" in "".join(german[:hill]) and "leer" in "".join(german[:hill])
    assert german[hill] == "1er-Lorbeeren im Vorrat: 18, verdeckte Lorbeeren: 34"


# Sentences.


def test_sentences_follow_their_subject_and_case() -> None:
    told = Table()
    told.guide = QuoVadisGuide(QUO_VADIS, NAMES, "de")
    told.s.board[8, 0] = told.s.board[8, 2] = 1
    told.s.off[0] = told.s.off[2] = 7
    told.s.hands[0, 1:3] = told.s.hands[2, 1] = 1
    told.type("I nach M mit Claudius", "gib claudius 2", "Claudius gibt mir 2", "versprich claudius zustimmung")
    told.type("brutus verspricht mir gegen claudius", "dann m>s")
    said = (
        "Du ziehst von I nach M mit Zustimmung von Claudius, gibst Claudius einen 2er-Lorbeer, versetzt danach Cäsar "
        "nach M>S und versprichst Claudius deine Zustimmung; Brutus verspricht dir keine Zustimmung für Claudius; "
        "Claudius gibt dir einen 2er-Lorbeer."
    )
    assert f"Das Angebot bisher: {said}" in told.menu
    assert "Du: der 2er-Lorbeer mit Cäsarbild auf dem Weg, minus ein 2er-Lorbeer an Claudius, " in told.menu
    told.type("fragen")
    told.play("yes", "yes")
    assert f"Du bietest an: {said} Brutus stimmt zu. Claudius stimmt zu. Der Handel gilt." in told.story


def test_verdicts_follow_the_number_of_winners() -> None:
    guide = AleaGuide(ALEA, ["Du", *NAMES[1:3]], "de")
    assert guide.verdict(Result([40, 39, 30], [1, 1, 0], [0], "sets-played")) == ["Du gewinnst mit 40 Punkten."]
    assert guide.verdict(Result([0, 1, 0], [1, 1, 0], [1], "sets-played")) == ["Brutus (greedy) gewinnt mit 1 Punkt."]
    shared = guide.verdict(Result([40, 40, 30], [1, 1, 0], [0, 1], "sets-played"))
    assert shared[0] == "Du und Brutus (greedy) teilt euch den Sieg mit je 40 Punkten."
    others = guide.verdict(Result([30, 40, 40], [1, 1, 1], [1, 2], "sets-played"))
    assert others[0] == "Brutus (greedy) und Claudius (greedy) teilen sich den Sieg mit je 40 Punkten."
    decided = guide.verdict(Result([40, 40, 30], [1, 3, 0], [1], "sets-played"))
    assert decided[1] == "Bei Gleichstand entschied: Brutus (greedy) 3, du 1."


def test_cards_keep_their_capitals() -> None:
    match, _ = table(2)
    guide = AleaGuide(ALEA, NAMES[:2], "de")
    about = [guide.about(match.state, code, []) for code in ("IX", "Rw3", "G4")]
    assert about == [
        ["IX: Frauen Roms: 1 Punkt für jede Frau mit Zuhause (A-CARD-9)."],
        ["Rw3: Frau (Rot), Wert 3."],
        ["G4: Britannia (Grün), Wert 4."],
    ]


PUSHING = ("=11444466", "F14", "=44444444", "F4", "=114466", "F4", "=6666666", "C6", "=12666")


@pytest.mark.parametrize(
    ("n", "plies", "code", "said"),
    [
        (4, CROWDED, "S56", "S56: 5 6 in den Senatus setzen."),
        (4, CROWDED, "T16", "T16: 1 6 ins Templum setzen (Summe 7, zieht 2 Plättchen)."),
        (2, PUSHING, "F1", "F1: 1 aufs Forum setzen (verdrängt einen Würfel von dir)."),
        (2, PUSHING, "F2", "F2: 2 aufs Forum setzen (verdrängt einen Würfel von dir)."),
    ],
)
def test_moves_are_explained_in_german(n: int, plies: tuple[str, ...], code: str, said: str) -> None:
    match, _ = table(n, *plies)
    assert AleaGuide(ALEA, NAMES[:n], "de").about(match.state, code, ALEA.legal_moves(match.state)) == [said]


def test_a_game_without_a_guide_is_framed_in_german() -> None:
    s = ALEA.new(2, {"start_seat": "0"})
    guide = Guide(ALEA, ["Du", "Brutus (x)"], "de")
    assert guide.welcome() == ["Alea Iacta Est mit 2 Spielern: du und Brutus (x)."]
    assert guide.board(s)[0] == "Plätze: 0 Du, 1 Brutus (x)"
    assert guide.tell(s, s, 1, None) == ["Brutus (x): etwas, das du nicht sehen darfst."]
    assert guide.final(s, Result([3, 2], [0, 0], [0], "x"))[-1] == "Du gewinnst mit 3 Punkten."
    with pytest.raises(RostraError, match="'nein' ist jetzt kein erlaubter Zug"):
        guide.read(s, "nein", ALEA.legal_moves(s))


# What is typed.


@pytest.mark.parametrize(
    ("n", "plies", "typed", "why"),
    [
        (4, CROWDED, "x", "'x' ist kein Zug. Ein Zug ist ein Buchstabe mit Würfeln wie T13: T Templum, S Senatus"),
        (4, CROWDED, "s7", "'s7': Ein Würfel zeigt 1 bis 6."),
        (4, CROWDED, "c55", "'c55': Dein Wurf 1 3 4 4 4 5 6 hat nur 1 x 5."),
        (4, CROWDED, "c2", "hat keine 2."),
        (
            4,
            CROWDED,
            "t4",
            "Ins Templum darfst du jetzt genau 2 Würfel mit Summe 4 oder mehr setzen (A-TEM-1, A-TEM-2).",
        ),
        (4, CROWDED, "s345", "Jemand hat die gleiche Straße 3-4-5 (A-SEN-3)."),
        (4, CROWDED, "s35", "Eine Straße hat aufeinanderfolgende Werte, jeden einmal (A-SEN-1)."),
        (4, CROWDED, "c44", "Jemand hat den gleichen Pasch 4-4 (A-CAS-3). Erlaubt ist dort: C1 C3 C4 C444 C5 C6"),
        (4, CROWDED, "c45", "Ein Pasch hat Würfel eines Wertes (A-CAS-1)."),
        (
            4,
            CROWDED,
            "f34",
            "Aufs Forum kommt ein Würfel oder zwei, die zusammen 5 ergeben: 1 und 4, 2 und 3 (A-FOR-1).",
        ),
        (4, CROWDED, "l1", "In die Latrina darf nur, wer sonst nirgends setzen kann (A-LAT-1)."),
        (4, CROWDED, "l13", "In die Latrina kommt genau ein Würfel (A-LAT-1)."),
        (4, CROWDED, "r1", "Du hast keinen Chip, den du für einen Neuwurf abgeben könntest (A-TURN-2)."),
        (2, ANOTHER_RUN, "s6", "Mit deiner 3-4 ergibt das keine Straße ohne Lücken (A-SEN-2)."),
        (2, ANOTHER_RUN, "t6", "Zu zweit und zu dritt gibt es kein Templum (A-SET-6)."),
        (2, FULL_FORUM, "f6", "Ein Würfel fände keinen Platz auf einer Säule (A-FOR-4). Jetzt darf nichts aufs Forum."),
    ],
)
def test_placings_are_refused_in_german(n: int, plies: tuple[str, ...], typed: str, why: str) -> None:
    match, _ = table(n, *plies)
    with pytest.raises(RostraError) as refused:
        AleaGuide(ALEA, NAMES[:n], "de").read(match.state, typed, ALEA.legal_moves(match.state))
    assert why in str(refused.value)


@pytest.fixture
def in_i() -> Table:
    """The person and Claudius sit in I, the person has a 2 and a 3; on I>M lies a 2 with Caesar."""
    table = Table()
    table.guide = QuoVadisGuide(QUO_VADIS, NAMES, "de")
    table.s.board[8, 0] = table.s.board[8, 2] = 1
    table.s.off[0] = table.s.off[2] = 7
    table.s.hands[0, 1:3] = 1
    return table


@pytest.mark.parametrize(
    ("draft", "typed", "why"),
    [
        (False, "M>S", "Du hast keinen Senator in M (Q-ACT-2)."),
        (False, "A>I", "Einen Weg A>I gibt es nicht: ? A zeigt die Wege aus A."),
        (False, "I>M(1)", "Aus I brauchst du die Zustimmung eines anderen Senators dort (Q-MOV-2)."),
        (False, "gib claudius 2", "Wähle zuerst die Aktion, um die es in dem Angebot geht (`handel` für eine"),
        (False, "Unsinn", "'Unsinn' ist jetzt kein erlaubter Zug. Gib ? für Hilfe ein."),
        (False, "hörn", "'hörn' ist jetzt kein erlaubter Zug (meintest du 'hören'?)."),
        (True, "gib claudius 5", "Du kannst keinen 5er-Lorbeer geben: Keiner ist da oder wird hierdurch gewonnen"),
        (True, "gib claudius", "Sag, welchen Lorbeer, zum Beispiel gib Brutus 3."),
        (True, "versprich claudius", "Versprechen sind zustimmung, gegen SPIELER, cäsar oder zahlen 1 bis 5"),
        (True, "versprich zahlen", "Sag, wie viel: zum Beispiel zahlen 1."),
        (True, "gib 0 0 2", "gib 0 0 2: Eine Gabe geht von einem Spieler an einen anderen, von 0 bis 3."),
    ],
)  # fmt: skip
def test_deals_are_refused_in_german(in_i: Table, draft: bool, typed: str, why: str) -> None:
    if draft:
        in_i.type("i>m(2)")
    with pytest.raises(RostraError) as refused:
        in_i.means(typed)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("gib claudius 2", "give 0 2 2"),
        ("ich gebe Brutus 3", "give 0 1 3"),
        ("Claudius gibt mir einen 1", "give 2 0 1"),
        ("gib 0 2 3", "give 0 2 3"),
        ("GIVE claudius 3", "give 0 2 3"),
        ("versprich Zustimmung", "promise 0 2 support"),
        ("versprich claudius gegen brutus", "promise 0 2 oppose 1"),
        ("claudius verspricht mir zahlen 3", "promise 2 0 pay 3"),
        ("Claudius verspricht Cäsar", "promise 2 0 caesar"),
        ("dann n>s", "then @N>S"),
        ("dann bleibt er", "then -"),
        ("verwerfen!", "drop"),
        ("frage", "ask"),
    ],
)
def test_terms_may_be_typed_in_german(in_i: Table, typed: str, means: str) -> None:
    in_i.type("I nach M mit Claudius")
    assert in_i.means(typed) == means


def test_actions_and_answers_may_be_typed_in_german(in_i: Table) -> None:
    for typed, means in (
        ("einsetzen b", "+B"), ("setze in b", "+B"), ("von I nach M", "I>M(2)"), ("versetze cäsar nach n>s", "@N>S"),
        ("Hören", "hear"), ("Handel", "deal"),
    ):  # fmt: skip
        assert in_i.means(typed) == means
    in_i.s.active = in_i.s.seat = 2
    in_i.play("I>M(0)", "ask")
    assert in_i.s.phase == ANSWER
    assert [in_i.means(typed) for typed in ("ja", "Nein", "einverstanden", "yes")] == ["yes", "no", "yes", "yes"]
    with pytest.raises(RostraError, match="Antworte bitte mit ja oder nein"):
        in_i.means("vielleicht")


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_move_is_read_as_it_is_shown(in_i: Table, language: str) -> None:
    in_i.guide = QuoVadisGuide(QUO_VADIS, NAMES, language)
    seen = set()

    def read_all() -> None:
        for move in in_i.moves:
            shown = in_i.guide.shown(QUO_VADIS.notation.text(in_i.s, move))
            assert in_i.guide.read(in_i.s, shown, in_i.moves) == move
            seen.add(shown.split()[0])

    read_all()
    in_i.play("I>M(2)")
    read_all()
    in_i.play("drop")
    in_i.s.active = in_i.s.seat = 2
    in_i.play("I>M(0)", "ask")
    read_all()
    assert seen >= ({"gib", "versprich", "fragen", "ja"} if language == "de" else {"give", "promise", "ask", "yes"})


def test_what_german_texts_say_to_type_is_understood() -> None:
    voice = Voice("de", NAMES)
    known = {word for key in TYPED.values() for word in voice.typed(key)}
    quoted = {
        word
        for key in words("de")
        if key.startswith("tui")
        for found in re.findall("„(.+?)“", words("de").text(key))
        for word in PLACE.sub("", found).split()
    }
    assert quoted and quoted <= known
    doubles = [word for key in TYPED.values() for word in voice.typed(key)]
    assert len(doubles) == len(set(doubles))


COMMANDS = {
    "hilfe": "Du hast alle Würfel geworfen",
    "help": "Du hast alle Würfel geworfen",
    "hilfe forum": "F Forum: Lege einen Würfel oder zwei",
    "regeln": "Das Ziel: die meisten Ruhmespunkte nach 6 Durchgängen",
    "auslage": "Du hast jetzt 0 Punkte, mit der besten Verteilung",
    "tipp": "Deine Siegchance mit dem besten Zug:",
    "hint": "Deine Siegchance mit dem besten Zug:",
    "speichern": "Sag, wohin: s DATEI",
    "ende": "Du verlässt die Partie.",
    "quit": "Du verlässt die Partie.",
}


@pytest.mark.parametrize(("typed", "answer"), COMMANDS.items())
def test_commands_have_german_words_and_keep_the_english_ones(typed: str, answer: str) -> None:
    lines: list[str] = []
    read = typing(typed)
    options = {"start_seat": "0"}

    def ask(prompt: str) -> str:
        assert prompt == "Dein Zug (? für Hilfe): "
        if (line := read([])) is None:
            assert answer in joined(lines)
            raise EOFError
        assert answer not in joined(lines)
        return line

    terminal.play(
        "alea", ["greedy"], seats=None, name="", options=options, seed=3, language="de", read=ask, write=lines.append
    )
    assert answer in joined(lines)


def test_german_words_are_no_commands_in_english() -> None:
    screen = Screen(typing("hilfe", "tipp", "ende"))
    screen.play(["greedy"], start_seat="0")
    assert screen.text.count("is no move. A move is a letter and dice") == 3


def test_saving_is_answered_in_german(tmp_path: Path) -> None:
    lines: list[str] = []
    file = tmp_path / "meine.game"
    typed = iter([f"speichern {file}", f"s {tmp_path}", f"s {tmp_path}/kein/ordner", f"s {file}/darin", "s ~niemand/x"])

    def read(prompt: str) -> str:
        if (line := next(typed, None)) is None:
            raise EOFError
        return line

    terminal.play(
        "alea", ["greedy"], seats=None, name="Ada", options={}, seed=3, language="de", read=read, write=lines.append
    )
    text = joined(lines)
    assert "Was du bisher von der Partie wissen darfst, ist gespeichert in" in text
    assert "Ada" in file.read_text(encoding="utf-8")
    for answer in (
        "gibt es schon; wähle",
        "Diesen Ordner gibt es nicht.",
        "Das ist kein Ordner.",
        "Benutzerverzeichnis",
    ):
        assert answer in text
    assert lines[-1] == "  rostra play alea --bots greedy --seed 3 --name Ada --lang de"


# The language.


def test_an_unknown_language_is_refused_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(arguments, "load_game", lambda *given, **named: pytest.fail("a game was made ready"))
    assert cli.main(["play", "alea", "--lang", "xx"]) == 2
    assert "rostra play: there is no language 'xx'; there is en, de" in capsys.readouterr().err
    with pytest.raises(BadOption, match="there is no language 'xx'; there is en, de"):
        terminal.play(
            "alea", ["greedy"], seats=None, name="", options={}, seed=1, language="xx", read=lambda prompt: "q"
        )


def test_the_command_line_takes_the_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for typed, given, said in (
        ("q", [], "You leave the game."),
        ("ende", ["--lang", "de"], "Du verlässt die Partie."),
    ):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{typed}\n"))
        assert cli.main(["play", "quovadis", "--bots", "greedy,greedy", "--seed", "1", *given]) == 0
        assert said in capsys.readouterr().out
