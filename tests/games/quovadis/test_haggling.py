"""Bots at live tables: what they offer is legal and agreed to, what was refused is not repeated, acting is no talk."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import CHECKS
from quovadis_positions import arrive, hold, hold_all, play, put, ready
from rostra.bots import make_bot
from rostra.engine.game import CHANCE, OVER, copy
from rostra.engine.rng import generator
from rostra.games import GAMES
from rostra.games.quovadis import haggling

QUO_VADIS = GAMES["quovadis"]
assert QUO_VADIS.desk is not None
DESK = QUO_VADIS.desk
GREEDY, SILENT, RANDOM = make_bot("greedy"), make_bot("greedy:deals=off"), make_bot("random")
LEARNED = make_bot("learned")


def key(terms: list[str]) -> tuple[str, ...]:
    return (terms[0], *sorted(terms[1:]))


def at_actions(bot: Any, seed: int, n_seats: int = 4) -> Iterator[Any]:
    """The states of a live table of such bots in which the active seat is to act; it makes its first offer or acts."""
    rng = generator(seed)
    s = QUO_VADIS.new(n_seats)
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
            moves = DESK.deal(s, terms)[0] if terms else [haggling.act(bot, QUO_VADIS, s, rng)]
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


def test_a_learned_bot_offers_more_after_a_refusal_or_gives_up() -> None:
    gave_up = more = 0
    for s in at_actions(LEARNED, 2, 3):
        if QUO_VADIS.rules.turn(s) == OVER:
            break
        first = haggling.offer(LEARNED, QUO_VADIS, s, QUO_VADIS.rules.turn(s), [], generator(1))
        if first is not None:
            second = haggling.offer(LEARNED, QUO_VADIS, s, QUO_VADIS.rules.turn(s), [first], generator(1))
            assert second is None or key(second) != key(first)
            gave_up += second is None
            more += second is not None
    assert gave_up and more


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
