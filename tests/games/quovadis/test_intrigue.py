"""Offers of bots that leave the active seat's action as it is."""

from typing import Any

import pytest

from quovadis_positions import act_now, arrive, hold_all, put, ready
from rostra.bots import make_bot
from rostra.engine.game import CHANCE, OVER
from rostra.engine.rng import generator
from rostra.games.quovadis import QUO_VADIS, haggling, intrigue

assert QUO_VADIS.desk is not None
DESK = QUO_VADIS.desk
GREEDY, LEARNED = make_bot("greedy"), make_bot("learned")


def offer(s: Any, seat: int, *refused: list[str], bot: Any = GREEDY) -> list[str] | None:
    return intrigue.offer(bot, QUO_VADIS, s, seat, refused, generator(1))


def cheaper(terms: list[str]) -> list[list[str]]:
    """The same with smaller payments."""
    if terms[0] != "bargain":
        return []
    gift, value = terms[1].rsplit(" ", 1)
    return [["bargain", f"{gift} {less}", *terms[2:]] for less in range(1, int(value))]


def test_where_a_move_is_refused_for_nothing_nobody_pays() -> None:
    s = ready(4)
    arrive(s, "23")
    put(s, N="01", A="2", C="3")
    act_now(s, 0)
    hold_all(s, "1:1 2:12345")
    assert not haggling.answer(GREEDY, QUO_VADIS, s, 1, 0, ["N>S(1)"], generator(1))
    assert offer(s, 2) is None


@pytest.mark.parametrize("bot", [GREEDY, LEARNED], ids=lambda bot: bot.name)
def test_q_neg_5_bots_pay_for_refusals_that_all_would_agree_to(bot: Any) -> None:
    rng, made = generator(3), 0
    for _ in range(8):
        s = QUO_VADIS.new(4, {"show_hands": "on"})
        while QUO_VADIS.rules.turn(s) != OVER:
            if QUO_VADIS.rules.turn(s) == CHANCE:
                QUO_VADIS.rules.apply(s, QUO_VADIS.rules.draw(s, rng))
                continue
            active = QUO_VADIS.rules.turn(s)
            for seat in range(4) if DESK.open(s) else ():
                terms = offer(s, seat, bot=bot)
                if terms is None or terms == haggling.offer(bot, QUO_VADIS, s, seat, [], generator(1)):
                    continue
                made += terms[0] == "bargain"
                assert offer(s, seat, terms, bot=bot) != terms, "what was refused is not repeated"
                for less in cheaper(terms):
                    payee = int(less[1].split()[2])
                    assert not haggling.answer(bot, QUO_VADIS, s, payee, seat, less, haggling.mood(s, payee))
                parties = DESK.deal(s, terms)[1]
                assert seat in parties and seat != active
                for party in set(parties) - {seat}:
                    mood = haggling.mood(s, party)
                    assert haggling.answer(bot, QUO_VADIS, s, party, seat, terms, mood)
            own = haggling.offer(bot, QUO_VADIS, s, active, [], rng)
            moves = DESK.deal(s, own)[0] if own else [haggling.act(bot, QUO_VADIS, s, rng)]
            for move in moves:
                QUO_VADIS.rules.apply(s, move)
    assert made
