"""Bots at live tables: what they offer is legal and agreed to, what was refused is not repeated, acting is no talk."""

import contextlib
import random
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import CHECKS
from quovadis_positions import arrive, hold, hold_all, play, put, ready
from rostra.bots import make_bot
from rostra.engine.game import CHANCE, OVER, CannotPay, copy
from rostra.engine.rng import generator
from rostra.games import GAMES
from rostra.games.quovadis import haggling
from rostra.games.quovadis.decency import share
from rostra.games.quovadis.supposing import supposed

QUO_VADIS = GAMES["quovadis"]
assert QUO_VADIS.desk is not None
DESK = QUO_VADIS.desk
GREEDY, SILENT, RANDOM = make_bot("greedy"), make_bot("greedy:deals=off"), make_bot("random")
LEARNED = make_bot("learned")


def key(terms: list[str]) -> tuple[str, ...]:
    return (terms[0], *sorted(terms[1:]))


def at_actions(bot: Any, seed: int, n_seats: int = 4, show_hands: str = "on") -> Iterator[Any]:
    """The states of a live table of such bots in which the active seat is to act; it makes its first offer or acts.
    Where hands are open everybody knows what can be paid."""
    rng = generator(seed)
    s = QUO_VADIS.new(n_seats, {"show_hands": show_hands})
    while QUO_VADIS.rules.turn(s) != OVER:
        if QUO_VADIS.rules.turn(s) == CHANCE:
            moves = [QUO_VADIS.rules.draw(s, rng)]
        else:
            seat = QUO_VADIS.rules.turn(s)
            terms = None
            if QUO_VADIS.screen.view(s, None)["phase"] == "act":
                before = s.tobytes()
                yield s
                assert s.tobytes() == before  # judging changes nothing
                terms = haggling.offer(bot, QUO_VADIS, s, seat, [], rng)
            moves = []
            with contextlib.suppress(CannotPay):
                moves = DESK.deal(s, terms)[0] if terms else []
            moves = moves or [haggling.act(bot, QUO_VADIS, s, rng)]
        for move in moves:
            assert move in QUO_VADIS.legal_moves(s)
            QUO_VADIS.rules.apply(s, move)
        CHECKS[QUO_VADIS.name](s)
    yield s


@pytest.mark.parametrize(("seed", "n_seats"), [(1, 3), (2, 4), (3, 5)])
def test_greedy_offers_are_deals_that_all_parties_accept(seed: int, n_seats: int) -> None:
    made = off_turn = 0
    for s in at_actions(GREEDY, seed, n_seats):
        if QUO_VADIS.rules.turn(s) == OVER:
            break
        for seat in range(n_seats):
            terms = haggling.offer(GREEDY, QUO_VADIS, s, seat, [], generator(seed))
            if terms is None:
                continue
            _, parties = DESK.deal(s, terms)
            assert seat in parties
            assert not any(term.startswith("promise") for term in terms)  # worth nothing to greedy: idle
            for party in parties:
                assert haggling.answer(GREEDY, QUO_VADIS, s, party, seat, terms, generator(party))
            made += 1
            off_turn += seat != s.active
    assert made > 10
    assert off_turn > 0


@pytest.mark.parametrize("bot", [GREEDY, RANDOM, LEARNED], ids=lambda bot: bot.name)
def test_refused_terms_are_never_repeated(bot: Any) -> None:
    most = 0
    for s in at_actions(bot, 4):
        if QUO_VADIS.rules.turn(s) == OVER:
            break
        for seat in range(4):
            refused: list[list[str]] = []
            while terms := haggling.offer(bot, QUO_VADIS, s, seat, refused, generator(7 * seat + len(refused))):
                assert key(terms) not in map(key, refused)
                assert DESK.deal(s, terms)[1]
                refused.append([terms[0], *reversed(terms[1:])])
            assert len(refused) <= haggling.MAX_REFUSED
            most = max(most, len(refused))
    assert most > 1


def test_after_a_logged_refusal_other_terms_are_offered() -> None:
    s = ready(4)
    put(s, G="012")
    hold(s, 0, "1")
    first = haggling.offer(GREEDY, QUO_VADIS, s, 0, [], generator(1))
    assert first is not None
    play(s, "; ".join([*first, "ask", "no"]))
    again = haggling.offer(GREEDY, QUO_VADIS, s, 0, [], generator(1))  # even where the table forgets to tell
    assert again is not None
    assert key(again) != key(first)
    refuser = next(party for party in DESK.deal(s, again)[1] if party != 0)
    haggling.counter(GREEDY, QUO_VADIS, s, refuser, 0, first, generator(1))
    assert not haggling.answer(GREEDY, QUO_VADIS, s, refuser, 0, first, generator(1))


@pytest.mark.parametrize("spec", ["greedy", "greedy:deals=off", "random", "learned", "learned:error=4"])
def test_acting_is_no_talk(spec: str) -> None:
    bot = make_bot(spec)
    for s in at_actions(bot, 5, 3):
        if QUO_VADIS.rules.turn(s) == OVER:
            break
        for seed in range(3):
            move = haggling.act(bot, QUO_VADIS, s, generator(seed))
            assert move in QUO_VADIS.legal_moves(s)
            assert not QUO_VADIS.play.talks(s, move)
            after = copy(s)
            QUO_VADIS.rules.apply(after, move)
            assert not DESK.draft(after)
        if spec.startswith("greedy"):
            assert move == SILENT.choose(QUO_VADIS, s, generator(2))


def test_answers_do_not_depend_on_the_order_of_terms() -> None:
    s = ready(4)
    put(s, I="012")
    hold_all(s, "0:3333 2:11 3:22")
    said = set()
    for seed in range(30):
        chooser = random.Random(seed)
        pool = ["give 0 2 3", "give 2 0 1", "give 3 2 2", "give 0 3 3", "promise 0 2 support", "promise 2 3 pay 1"]
        terms = chooser.sample(pool, chooser.randrange(1, 5))
        for seat in DESK.deal(s, ["I>M(2)", *terms])[1]:
            for bot in (GREEDY, RANDOM):
                answers = {
                    haggling.answer(bot, QUO_VADIS, s, seat, 1, ["I>M(2)", *mixed], generator(seed))
                    for mixed in (terms, terms[::-1], sorted(terms))
                }
                assert len(answers) == 1
                said |= answers
    assert said == {True, False}


def test_a_bot_asks_for_more_and_takes_what_it_asked_for() -> None:
    s = ready(4)
    put(s, G="012")
    hold_all(s, "0:13 1:1")
    bare = ["G>J(1)"]
    assert not haggling.answer(GREEDY, QUO_VADIS, s, 1, 0, bare, generator(1))
    better = haggling.counter(GREEDY, QUO_VADIS, s, 1, 0, bare, generator(1))
    assert better == ["G>J(1)", "give 0 1 1"]  # the cheapest that wins it
    for party in DESK.deal(s, better)[1]:
        assert haggling.answer(GREEDY, QUO_VADIS, s, party, 1, better, generator(2))
    costly = ["G>J(1)", "give 0 1 1", "give 1 0 1"]
    assert haggling.counter(GREEDY, QUO_VADIS, s, 1, 0, costly, generator(1)) == ["G>J(1)", "give 0 1 1"]


def test_a_counter_may_need_change() -> None:
    s = ready(4)
    put(s, G="012")
    hold_all(s, "0:3 1:2")  # nobody can pay a 1, but a 3 for a 2
    better = haggling.counter(GREEDY, QUO_VADIS, s, 1, 0, ["G>J(1)"], generator(1))
    assert better == ["G>J(1)", "give 0 1 3", "give 1 0 2"]


def test_counters_of_a_game_suit_their_maker_and_the_others() -> None:
    found = 0
    for s in at_actions(GREEDY, 6):
        if QUO_VADIS.rules.turn(s) == OVER:
            break
        active = QUO_VADIS.rules.turn(s)
        for move in QUO_VADIS.legal_moves(s):
            bare = [QUO_VADIS.notation.text(s, move)]
            if not bare[0].endswith(")") or not QUO_VADIS.play.talks(s, move):
                continue
            for seat in DESK.deal(s, bare)[1]:
                if seat == active or haggling.answer(GREEDY, QUO_VADIS, s, seat, active, bare, generator(1)):
                    continue
                better = haggling.counter(GREEDY, QUO_VADIS, s, seat, active, bare, generator(1))
                if better:
                    found += 1
                    parties = DESK.deal(s, better)[1]
                    assert all(haggling.answer(GREEDY, QUO_VADIS, s, p, seat, better, generator(1)) for p in parties)
    assert found > 10


@pytest.mark.parametrize("n_seats", [3, 4])
def test_learned_bots_negotiate_at_a_table_as_in_their_own_games(n_seats: int) -> None:
    made = agreed = countered = 0
    for s in at_actions(LEARNED, 1, n_seats):
        if QUO_VADIS.rules.turn(s) == OVER:
            break
        active = QUO_VADIS.rules.turn(s)
        for seat in range(n_seats):
            terms = haggling.offer(LEARNED, QUO_VADIS, s, seat, [], generator(1))
            if terms is None:
                continue
            made += 1
            _, parties = DESK.deal(s, terms)
            assert {seat, active} <= set(parties)
            for party in set(parties) - {seat}:
                yes = haggling.answer(LEARNED, QUO_VADIS, s, party, seat, terms, generator(1))
                scratch = copy(s)
                DESK.ask(scratch, seat, terms)
                while QUO_VADIS.rules.turn(scratch) != party:
                    play(scratch, "yes")
                assert yes == (
                    QUO_VADIS.notation.text(scratch, LEARNED.choose(QUO_VADIS, scratch, generator(1))) == "yes"
                )
                agreed += yes
                better = None if yes else haggling.counter(LEARNED, QUO_VADIS, s, party, seat, terms, generator(1))
                if better:
                    countered += 1
                    assert better[0] == terms[0]
                    assert key(better) != key(terms)
                    assert party in DESK.deal(s, better)[1]
    assert made > agreed > made / 4
    assert countered > 0


@pytest.mark.parametrize("bot", [GREEDY, LEARNED, make_bot("eques")], ids=lambda bot: bot.name)
def test_a_refused_offer_is_raised_while_it_is_worth_it(bot: Any) -> None:
    gave_up = raised = conceded = 0
    for s in (one for seed in range(2, 5) for one in at_actions(bot, seed, 3, "off")):
        if QUO_VADIS.rules.turn(s) == OVER:
            continue
        seat, refused = QUO_VADIS.rules.turn(s), []
        while terms := haggling.offer(bot, QUO_VADIS, s, seat, refused, generator(len(refused))):
            same = [before for before in refused if before[0] == terms[0]]
            known = supposed(s, seat, terms)
            for before in same:
                others = {*DESK.deal(known, terms)[1]} - {seat}
                now, then = ({o: share(known, o, one).value for o in others} for one in (terms, before))
                assert any(now[other] > then[other] for other in others)
            raised += bool(same)
            refused.append(terms)
            if more := haggling._raised(bot, QUO_VADIS, s, seat, refused, generator(1)):
                by = min({*DESK.deal(supposed(s, seat, more), more)[1]} - {seat})
                assert haggling.answer(bot, QUO_VADIS, supposed(s, seat), seat, by, more, generator(1))
                conceded += 1
        gave_up += bool(refused)
    assert gave_up and raised > 5
    assert conceded > 5 or bot is GREEDY  # which concedes in `offer` itself


def test_who_does_not_talk_says_no_and_offers_nothing() -> None:
    s = ready(4)
    put(s, G="012")
    hold(s, 0, "555")
    rich = ["G>J(1)", "give 0 1 5", "give 0 1 5"]
    assert haggling.answer(GREEDY, QUO_VADIS, s, 1, 0, rich, generator(1))
    assert not haggling.answer(SILENT, QUO_VADIS, s, 1, 0, rich, generator(1))
    assert haggling.counter(SILENT, QUO_VADIS, s, 1, 0, ["G>J(1)"], generator(1)) is None
    assert haggling.offer(GREEDY, QUO_VADIS, s, 0, [], generator(1)) is not None
    assert haggling.offer(SILENT, QUO_VADIS, s, 0, [], generator(1)) is None
    assert not haggling.answer(GREEDY, QUO_VADIS, s, 3, 0, rich, generator(1))  # not its business
    assert not haggling.answer(GREEDY, QUO_VADIS, s, 1, 0, ["G>J(3)"], generator(1))  # not legal
    assert haggling.counter(GREEDY, QUO_VADIS, s, 1, 0, ["G>J(3)"], generator(1)) is None


def test_a_bot_keeps_a_promise_that_all_would_see_broken() -> None:
    s = ready(4, start=3)
    put(s, G="012")
    asked = ["G>J(1)"]
    free = copy(s)
    play(s, "deal; @N>S; promise 1 0 support; ask; yes; yes")
    play(free, "@N>S")
    assert not haggling.answer(GREEDY, QUO_VADIS, free, 1, 0, asked, generator(1))
    assert haggling.answer(GREEDY, QUO_VADIS, s, 1, 0, asked, generator(1))


def test_the_same_generator_gives_the_same_table() -> None:
    def log(seed: int) -> bytes:
        return b"".join(s.tobytes() for s in at_actions(GREEDY, seed))

    assert log(7) == log(7)
    assert log(7) != log(8)


def test_the_last_move_of_a_game_can_be_a_deal() -> None:
    s = ready(3)
    put(s, M="01")
    arrive(s, "0112")
    hold(s, 0, "112")
    terms = haggling.offer(GREEDY, QUO_VADIS, s, 0, [], generator(1))
    assert terms is not None
    for move in DESK.deal(s, terms)[0]:
        QUO_VADIS.rules.apply(s, move)
    assert QUO_VADIS.rules.turn(s) == OVER


@pytest.mark.parametrize("name", ["greedy", "learned", "eques"])
def test_a_quote_is_the_least_that_is_accepted(name: str) -> None:
    bot, quotes = make_bot(name), set()
    for s in at_actions(bot, 8, 3, "off"):
        if QUO_VADIS.rules.turn(s) == OVER:
            break
        active = QUO_VADIS.rules.turn(s)
        for seat in {*range(3)} - {active}:
            whole = haggling.quote(bot, QUO_VADIS, s, seat, generator(1))
            single = []
            for move in QUO_VADIS.legal_moves(s):
                text = QUO_VADIS.notation.text(s, move)
                if not text.endswith(")") or "(" not in text or text[text.index("(") :].count(str(seat)) != 1:
                    continue
                price = haggling.quote(bot, QUO_VADIS, s, seat, generator(1), text)
                single.append(price)

                offers = [[text, *([f"give {active} {seat} {value}"] if value else [])] for value in range(6)]
                yes = [haggling.answer(bot, QUO_VADIS, s, seat, active, terms, generator(9)) for terms in offers]
                assert price == (yes.index(True) if any(yes) else None)
                quotes.add(price)
            if whole is not None:  # it is for all of them
                assert single and None not in single and whole >= max(single)
    assert len(quotes) > 2 and 0 in quotes


def test_a_quote_needs_a_consent_to_sell() -> None:
    s = ready(4)
    put(s, G="012")
    hold(s, 0, "12345")
    assert haggling.quote(GREEDY, QUO_VADIS, s, 1, generator(1)) == 1
    assert haggling.quote(GREEDY, QUO_VADIS, s, 0, generator(1)) is None, "the active seat itself"
    assert haggling.quote(GREEDY, QUO_VADIS, s, 3, generator(1)) is None, "it has no senator there"
    assert haggling.quote(SILENT, QUO_VADIS, s, 1, generator(1)) is None


def test_tiro_is_kind_and_plain() -> None:
    """It gives consents where the best would not, and would rather step on than move Caesar."""
    tiro, caesar, steps = make_bot("tiro"), 0, 0
    yes = {"tiro": 0, "learned": 0}
    for s in (one for seed in range(3) for one in at_actions(LEARNED, seed, 3, "off")):
        if QUO_VADIS.rules.turn(s) == OVER:
            continue
        active = QUO_VADIS.rules.turn(s)
        for move in QUO_VADIS.legal_moves(s):
            text = QUO_VADIS.notation.text(s, move)
            if text.endswith(")") and QUO_VADIS.play.talks(s, move):
                for seat in {*DESK.deal(s, [text])[1]} - {active}:
                    said = [
                        haggling.answer(bot, QUO_VADIS, s, seat, active, [text], generator(1))
                        for bot in (tiro, LEARNED)
                    ]
                    assert said[0] or not said[1], "whatever the best accepts, tiro accepts"
                    yes["tiro"] += said[0]
                    yes["learned"] += said[1]
        alone = [move for move in QUO_VADIS.legal_moves(s) if haggling._can_act(QUO_VADIS, s, move)]
        if any(not QUO_VADIS.notation.text(s, move).startswith("@") for move in alone):
            moves = [QUO_VADIS.notation.text(s, haggling.act(tiro, QUO_VADIS, s, generator(seed))) for seed in range(5)]
            caesar += sum(move.startswith("@") for move in moves)
            steps += sum(not move.startswith("@") for move in moves)
    assert yes["tiro"] > 1.3 * yes["learned"] > 0
    assert steps > 4 * caesar
