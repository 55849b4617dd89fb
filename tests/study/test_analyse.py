"""Hints and reviews: what is said adds up, finds planted mistakes and no others, and is right in every language."""

import html.parser
import itertools
import json
import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

from pig import PIG
from rostra.bots import learned, make_bot
from rostra.cli import main
from rostra.engine import rng
from rostra.engine.game import BadNotation, BadOption, Game, Result, copy
from rostra.games import GAMES
from rostra.games.alea import ALEA
from rostra.games.quovadis import QUO_VADIS
from rostra.play.match import Match
from rostra.play.transcript import Transcript, read, write
from rostra.study import report
from rostra.study.analyse import BEST, GRADES, hint, judge_of, knows
from rostra.study.analyse import analyse as review_of
from rostra.study.review import Review
from rostra.words import LANGUAGES, words

Capture = pytest.CaptureFixture[str]
NAMES = ["Ada", "Bo <b>&"]
KNOWN = [
    pytest.param((game, n), id=f"{game.name}-{n}", marks=[pytest.mark.slow] if n > game.rules.seats[0] else [])
    for game in GAMES.values()
    for n in range(game.rules.seats[0], game.rules.seats[1] + 1)
    if game is not PIG and knows(game, n)
]


def played(*bots: str, seed: int = 1, until: int | None = None, match: Match | None = None) -> Match:
    """A game between bots, or the beginning of it; a match that is given is played on."""
    match = match or Match(ALEA, NAMES[: len(bots)], seed=seed)
    players, chance = [make_bot(bot) for bot in bots], rng.generator(seed)
    while not match.over and (until is None or len(match.log) < until):
        assert match.turn is not None
        move = players[match.turn].choose(match.game, match.state, chance)
        match.play(match.game.notation.text(match.state, move))
    return match


@pytest.fixture(scope="module")
def perfect() -> tuple[Transcript, Review]:
    transcript = played("learned", "learned").transcript()
    return transcript, review_of(transcript)


@pytest.fixture(scope="module")
def uneven() -> tuple[Transcript, Review]:
    """A careful player against one who blunders; the hidden cards of a match that is over are open."""
    transcript = played("random", "learned", seed=2).transcript()
    return transcript, review_of(transcript)


def adds_up(review: Review) -> None:
    n = len(review.seats)
    for seat, one in enumerate(review.seats):
        assert one.seat == seat
        assert one.luck + one.skill + one.others + one.rest == pytest.approx(one.result, abs=1e-9)
        assert one.result == pytest.approx(review.chart[-1].chances[seat] - 1 / n)
        assert one.skill == pytest.approx(-one.error * one.decisions, abs=1e-6)
    for point in review.chart:
        assert sum(point.chances) == pytest.approx(1) and all(0 <= chance <= 1 for chance in point.chances)


# Reviews.


@pytest.mark.parametrize("which", ["perfect", "uneven"])
def test_luck_skill_others_and_rest_are_the_result(which: str, request: pytest.FixtureRequest) -> None:
    transcript, review = request.getfixturevalue(which)
    adds_up(review)
    decisions = [ply.number for ply in transcript.plies if ply.seat is not None]
    assert [point.ply for point in review.chart] == [*decisions, len(transcript.plies)]
    winners = transcript.result.winners
    assert review.chart[-1].chances == [(seat in winners) / len(winners) for seat in range(2)]
    assert all(abs(one.luck) > 1e-3 for one in review.seats)  # somebody rolled


def test_who_plays_perfectly_makes_no_mistakes(perfect: tuple[Transcript, Review]) -> None:
    _, review = perfect
    assert review.mistakes == []
    assert all(one.error < 0.005 and one.decisions > 20 for one in review.seats)


def test_who_plays_at_random_makes_many(uneven: tuple[Transcript, Review]) -> None:
    transcript, review = uneven
    bad, good = review.seats
    assert bad.error > 10 * max(good.error, 0.001) and bad.skill < -0.5
    found = [one for one in review.mistakes if one.seat == 0]
    assert 1 <= len(found) <= BEST and len(found) == len(review.mistakes)
    assert [one.loss for one in found] == sorted((one.loss for one in found), reverse=True)
    match = Match(ALEA, 2)
    for ply in transcript.plies:
        for one in found:
            if one.ply == ply.number:
                assert (ply.seat, ply.move) == (one.seat, one.move)
                assert one.better in match.legal() and one.better != one.move
                assert 0 < one.low <= one.loss <= one.high
                assert one.grade == next(grade for grade, least in GRADES.items() if one.loss >= least)
                found = [other for other in found if other is not one]
        match.replay([ply.move])
    assert not found


def test_a_planted_blunder_is_found() -> None:
    for until in itertools.count(120, 7):  # somewhere in the middle, where much is at stake
        match = played("learned", "learned", seed=5, until=until)
        moves, values = judge_of(ALEA, 2).weigh(match.state)
        worst = int(np.argmin(values))
        if values.max() - values[worst] > 0.25:
            break
    ply, seat, best = len(match.log), match.turn, int(moves[np.argmax(values)])
    better = ALEA.notation.text(match.state, best)
    bad = ALEA.notation.text(match.state, int(moves[worst]))
    match.play(bad)
    review = review_of(played("learned", "learned", match=match).transcript())
    (found,) = review.mistakes
    assert (found.seat, found.ply, found.move, found.better) == (seat, ply, bad, better)
    assert found.grade == "blunder" and found.reasons
    assert max(review.seats, key=lambda one: one.error).seat == seat


def agreed(match: Match) -> list[str]:
    """The terms of the deal that three learned players make in this turn, if they go on by themselves; else none."""
    desk, bot, chance = QUO_VADIS.desk, make_bot("learned"), rng.generator(1)
    assert desk is not None
    s, terms = copy(match.state), list[str]()
    turn, deals = desk.turn(s), int(s.tallies[1])
    while QUO_VADIS.rules.turn(s) >= 0 and desk.turn(s) == turn and s.tallies[1] == deals:
        terms = desk.draft(s) or terms
        QUO_VADIS.rules.apply(s, bot.choose(QUO_VADIS, s, chance))
    return terms if s.tallies[1] > deals else []


def test_a_deal_that_was_not_made_is_missed() -> None:
    """In a game of three who would have agreed, one acts alone instead."""
    players, judge, desk = ["learned"] * 3, judge_of(QUO_VADIS, 3), QUO_VADIS.desk
    assert desk is not None
    match, gain, terms, instead = Match(QUO_VADIS, 3, seed=6), 0.0, list[str](), ""
    while gain < 0.1 or not terms:
        played(*players, until=len(match.log) + 1, match=match)
        assert not match.over, "no such position"
        s = match.state
        if desk.open(s):
            moves, values = judge.weigh(s)
            order = [int(move) for move in moves[np.argsort(-values, kind="stable")]]
            instead = QUO_VADIS.notation.text(s, next(move for move in order if not QUO_VADIS.play.talks(s, move)))
            gain = float(values.max() - values[moves == QUO_VADIS.notation.parse(s, instead)][0])
            terms = agreed(match)
    ply, seat = len(match.log), match.turn
    match.play(instead)
    review = review_of(played(*players, match=match).transcript())
    (found,) = [one for one in review.missed if one.ply == ply]
    assert (found.seat, found.terms) == (seat, terms)
    assert found.gain == pytest.approx(gain) and found.reasons
    assert ply not in [one.ply for one in review.mistakes]


def test_who_refuses_a_good_deal_misses_it() -> None:
    players, judge, desk = ["learned"] * 3, judge_of(QUO_VADIS, 3), QUO_VADIS.desk
    assert desk is not None
    match, gain = Match(QUO_VADIS, 3, seed=3), 0.0
    while gain < 0.1:
        played(*players, until=len(match.log) + 1, match=match)
        assert not match.over, "no such position"
        if "no" in match.legal():
            moves, values = judge.weigh(match.state)
            worth = {
                QUO_VADIS.notation.text(match.state, int(move)): value
                for move, value in zip(moves, values, strict=True)
            }
            gain = float(worth["yes"] - worth["no"])
    ply, seat, terms = len(match.log), match.turn, desk.draft(match.state)
    match.play("no")
    review = review_of(played(*players, match=match).transcript())
    assert [(one.seat, one.terms) for one in review.missed if one.ply == ply] == [(seat, terms)]


def test_luck_is_what_the_dice_brought_above_what_was_to_be_expected() -> None:
    """Over all rolls, weighed by their odds, luck is nothing: the expectation before is exact."""
    judge, match, rolls = judge_of(ALEA, 2), Match(ALEA, 2), 0
    for ply in played("learned", "learned").log:
        s = match.state
        if judge.rolls(s) and ALEA.notation.pool(s) in (2, 3):
            total, rolls = 0.0, rolls + 1
            for outcome in ALEA.legal_moves(s):
                after = copy(s)
                ALEA.rules.apply(after, outcome)
                total += ALEA.rules.odds(s, outcome) * judge.weigh(after).values.max()
            assert total == pytest.approx(judge.expect(s, int(s.seat)), abs=1e-6)
        match.replay([ply.move])
    assert rolls > 10


def test_what_was_undone_does_not_count_and_giving_up_is_an_end() -> None:
    match = played("learned", "learned", seed=3, until=60)
    match.undo(40)
    played("learned", "greedy", seed=3, until=80, match=match)
    transcript = match.transcript(secrets=True)
    with pytest.raises(BadNotation, match="not finished"):
        review_of(transcript)
    transcript.result = Result([0, 0], [0, 0], [1], "resigned")
    review = review_of(read(write(transcript)))
    adds_up(review)
    assert review.chart[-1].ply == len(match.log) and review.chart[-1].chances == [0, 1]
    assert len(review.chart) == 1 + sum(ply.seat is not None for ply in match.log)


@pytest.mark.slow
@pytest.mark.parametrize("table", KNOWN)
def test_every_game_that_was_learned_can_be_reviewed(table: tuple[Game, int]) -> None:
    game, n_seats = table
    match = Match(game, n_seats, seed=4)
    bots, chance = [make_bot("tiro"), *(make_bot("greedy") for _ in range(n_seats - 1))], rng.generator(4)
    while not match.over:
        assert match.turn is not None
        match.play(game.notation.text(match.state, bots[match.turn].choose(game, match.state, chance)))
    transcript = match.transcript()
    review = review_of(transcript)
    adds_up(review)
    for language in LANGUAGES:
        assert max(map(len, report.text(review, transcript, language))) <= 80
        assert "{" not in report.page(review, transcript, language).partition("</style>")[2]


def test_nobody_can_review_what_nobody_has_learned() -> None:
    assert not knows(PIG, 2)
    transcript = Transcript("pig", 1, ["a", "b"], {}, result=Result([20, 0], [0, 0], [0], "resigned"))
    with pytest.raises(BadOption, match="nobody has learned"):
        review_of(transcript)


# Hints.


def test_hints_are_legal_in_order_and_have_reasons_in_every_language() -> None:
    match = Match(ALEA, NAMES, seed=8)
    chance, keys = rng.generator(1), set()
    while not match.over:
        found = hint(ALEA, match.state)
        legal = match.legal()
        rerolls = [text for text in legal if text.startswith("R")]
        assert found.seat == match.turn
        assert 1 <= len(found.moves) == min(BEST, len(legal) - max(0, len(rerolls) - 1))
        assert len({one.move for one in found.moves} & set(rerolls)) <= 1
        assert {one.move for one in found.moves} <= set(legal) and found.chance == found.moves[0].chance
        assert [round(one.chance, 2) for one in found.moves] == sorted(
            (round(one.chance, 2) for one in found.moves), reverse=True
        )
        for one in found.moves:
            assert 0 <= one.loss <= 1 and one.loss == pytest.approx(max(0, found.chance - one.chance))
            for reason in one.reasons:
                keys.add(reason.key)
                for language in LANGUAGES:
                    said = report.reason_text(words(language), reason, NAMES)
                    assert said and "{" not in said
                assert all(0 <= seat < 2 for key, seat in reason.values.items() if key == "name")
        values = dict(zip(*judge_of(ALEA, 2).weigh(match.state), strict=True))
        assert found.chance >= max(values.values()) - 0.011
        match.play(ALEA.notation.text(match.state, learned.choose(ALEA, match.state, chance, error=0.05)))
    assert len(keys) > 8  # many different things are said


def test_a_hint_does_not_depend_on_what_the_seat_cannot_know() -> None:
    match = played("learned", "learned", seed=6, until=150)
    for _ in range(20):
        if match.over:
            break
        seat = match.turn
        assert seat is not None
        other = copy(match.state)
        ALEA.knowledge.redeal(other, seat, rng.generator(99))
        assert msgspec.json.encode(hint(ALEA, other)) == msgspec.json.encode(hint(ALEA, match.state))
        played("learned", "learned", seed=6, until=len(match.log) + 1, match=match)


# The command.


class Page(html.parser.HTMLParser):
    """What a page links to, names and says."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.languages: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "main":
            self.languages.add(found["lang"] or "")
        self.ids += [value for key, value in attrs if key == "id" and value]
        self.links += [value for key, value in attrs if key in ("href", "src") and value]
        assert not any(key.startswith("on") for key in found)
        if tag not in ("meta", "input", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_stands_alone_and_its_links_lead_somewhere(language: str, uneven: tuple[Transcript, Review]) -> None:
    transcript, review = uneven
    text = report.page(review, transcript, language)
    page = Page(text)
    assert page.open == [] and page.languages == set(LANGUAGES)
    assert len(set(page.ids)) == len(page.ids)
    assert (
        page.links and {link[:1] for link in page.links} == {"#"} and {link[1:] for link in page.links} <= set(page.ids)
    )
    assert not re.search(r"https?:|//\w", text)  # nothing from anywhere
    assert "Bo <b>" not in text and "Bo &lt;b&gt;&amp;" in text
    assert "prefers-color-scheme" in text and "<polyline" in text


def test_the_command_tells_it_in_both_languages(
    capsys: Capture, tmp_path: Path, uneven: tuple[Transcript, Review]
) -> None:
    file = tmp_path / "x.game"
    file.write_text(write(uneven[0]), encoding="utf-8")
    said = {}
    for language in LANGUAGES:
        out = tmp_path / f"{language}.html"
        assert main(["analyse", str(file), "--lang", language, "--html", str(out)]) == 0
        said[language] = capsys.readouterr().out
        assert max(map(len, said[language].splitlines())) <= 80
        assert words(language).say("review.mistakes") in said[language]
        assert out.read_text(encoding="utf-8") == report.page(uneven[1], uneven[0], language)
    assert said["en"] != said["de"]


def test_json_and_plot(capsys: Capture, tmp_path: Path, uneven: tuple[Transcript, Review]) -> None:
    file, plot = tmp_path / "x.game", tmp_path / "chances.svg"
    file.write_text(write(uneven[0]), encoding="utf-8")
    assert main(["analyse", str(file), "--json", "--seat", "1", "--plot", str(plot)]) == 0
    told = json.loads(capsys.readouterr().out)
    right = msgspec.to_builtins(uneven[1])
    assert told == right | {"mistakes": []} != right
    assert plot.read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--seat", "2"], "the seats are 0 to 1, not 2"),
        (["--lang", "la"], "there is no language 'la'"),
        (["--plot", "x.gif"], "a plot is a .png or .svg file, not x.gif"),
    ],
)
def test_what_was_wrong_is_said(capsys: Capture, tmp_path: Path, arguments: list[str], why: str) -> None:
    file = tmp_path / "x.game"
    file.write_text(write(played("random", "random", until=30).transcript(secrets=True)), encoding="utf-8")
    assert main(["analyse", str(file), *arguments]) == 2
    assert why in capsys.readouterr().err


def test_only_whole_transcripts_can_be_analysed(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "x.game"
    match = played("random", "random", until=60)
    for text, why in (
        ("hello", "expected 'key: value'"),
        (write(match.transcript(secrets=True)), "the match is not finished"),
        (write(match.transcript(0)), "hidden"),
    ):
        file.write_text(text, encoding="utf-8")
        assert main(["analyse", str(file)]) == 1
        assert why in capsys.readouterr().err
