"""Whatever is said at a live table is the same in worlds that differ only in hands that the speaker is not shown."""

import random
from typing import Any

import pytest

from conftest import CHECKS
from rostra.bots import make_bot
from rostra.engine.desk import Said
from rostra.engine.game import CannotPay, copy
from rostra.engine.rng import generator
from rostra.games.quovadis import QUO_VADIS as GAME
from rostra.games.quovadis import haggling, speech
from rostra.games.quovadis.supposing import supposed
from rostra.study.analyse import hint
from test_speech import consents, positions

assert GAME.desk is not None
DESK = GAME.desk


def other_world(s: Any, seat: int, chooser: random.Random) -> Any:
    """The same for the eyes of this seat: others hold as many tiles, but others of those that it cannot see."""
    world = copy(s)
    others = [other for other in range(s.n) if other != seat]
    ones = [other for other in others for _ in range(s.hands[other, 0])]
    tiles = {other: int(s.hands[other].sum()) for other in others}
    pool = [v for v in range(1, 5) for _ in range(int(s.stack[v]) + sum(int(s.hands[o, v]) for o in others))]
    chooser.shuffle(pool)
    for other in others:
        world.hands[other] = 0
    free = [other for other in others for _ in range(tiles[other])]
    chooser.shuffle(free)
    for i, other in enumerate(free):  # the supply of ones lies open, so their number is known
        world.hands[other, 0 if i < len(ones) else pool.pop()] += 1
    for value in range(1, 5):
        world.stack[value] = pool.count(value)
    CHECKS[GAME.name](world)
    assert GAME.screen.view(world, seat) == GAME.screen.view(s, seat)
    return world


def said(bot: Any, s: Any, seat: int) -> list[Any]:
    """All that a bot says in this position."""
    told: list[Any] = [haggling.quote(bot, GAME, s, seat, generator(1))]
    active = GAME.rules.turn(s)
    refused: list[list[str]] = []
    while terms := haggling.offer(bot, GAME, s, seat, refused, generator(3)):
        told += [terms, speech.speak(bot, GAME, s, seat, Said("offer", seat, terms, list(refused)))]
        refused.append(terms)
    for terms in consents(s) if seat != active else []:
        yes = haggling.answer(bot, GAME, s, seat, active, terms, generator(4))
        told += [yes, speech.speak(bot, GAME, s, seat, Said("yes" if yes else "no", active, terms))]
        told.append(haggling.counter(bot, GAME, s, seat, active, terms, generator(5)))
    return told


@pytest.mark.parametrize("name", ["greedy", "learned", "tiro"])
def test_q_hid_1_bots_say_the_same_in_both_worlds(name: str) -> None:
    bot, chooser, differ, spoke = make_bot(name), random.Random(1), 0, 0
    for number, s in enumerate(positions(make_bot("learned"), 3, 2)):
        if number % 6:
            continue
        for seat in range(3):
            world = other_world(s, seat, chooser)
            differ += world.tobytes() != s.tobytes()
            assert supposed(world, seat).tobytes() == supposed(s, seat).tobytes()
            one = said(bot, s, seat)
            assert one == said(bot, world, seat)
            spoke += len(one) > 1
    assert differ > 20 and spoke > 10


def test_q_hid_1_hints_at_a_table_are_the_same_in_both_worlds() -> None:
    chooser, differ, deals = random.Random(2), 0, 0
    for number, s in enumerate(positions(make_bot("learned"), 3, 2)):
        if number % 4 == 0:
            world = other_world(s, GAME.rules.turn(s), chooser)
            differ += hint(GAME, s) != hint(GAME, world)  # by a perfect memory, as in reviews
            shown = hint(GAME, s, at_table=True)
            assert shown == hint(GAME, world, at_table=True)
            deals += any("(" in move.move for move in shown.moves)
    assert differ and deals


def test_supposed_hands_have_as_many_tiles_and_can_pay_what_is_offered() -> None:
    for s in positions(make_bot("learned"), 4, 1):
        active = GAME.rules.turn(s)
        for seat in range(4):
            known = supposed(s, seat)
            CHECKS[GAME.name](known)
            assert known.hands.sum(axis=1).tolist() == s.hands.sum(axis=1).tolist()
            assert known.hands[seat].tolist() == s.hands[seat].tolist()
        for terms in consents(s):
            (seat,) = {*DESK.deal(s, terms)[1]} - {active}
            for value in range(1, 6):
                paid = [*terms, f"give {active} {seat} {value}"]
                try:
                    DESK.deal(s, paid)
                except CannotPay:
                    continue
                assert DESK.deal(supposed(s, seat, paid), paid)[1]
    shown = GAME.new(3, {"show_hands": "on"})
    shown.hands[1, 4] = 1
    assert supposed(shown, 0).hands[1].tolist() == shown.hands[1].tolist()
