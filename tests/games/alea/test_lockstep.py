"""The engine against the naive referee, ply by ply: the same player to move, the same legal texts, the same odds."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from naive.alea import Referee
from rostra.engine.game import CHANCE, OVER
from rostra.games.alea import ALEA
from rostra.games.alea.notation import digits
from rostra.games.alea.state import senate_cards
from rostra.games.alea.tables import PATRICIANS, PROVINCES
from rostra.games.alea.view import card_codes, codes


def state_of(s: Any) -> dict[str, Any]:
    """The engine's state in the referee's words."""
    seats = range(s.n)
    return {
        "dice_left": s.dice[: s.n].tolist(),
        "roll": [int(d) for d in digits(s.roll)],
        "templum_count": s.templum_dice[: s.n].tolist(),
        "templum_sum": s.templum_sum[: s.n].tolist(),
        "senatus": [list(range(s.low[i], s.high[i] + 1)) if s.low[i] else [] for i in seats],
        "castrum": [{f + 1: int(s.castrum[i, f]) for f in range(6) if s.castrum[i, f]} for i in seats],
        "forum": [(int(s.forum_face[c]), int(s.forum_seat[c])) for c in range(s.forum_size)],
        "latrina": s.latrina[: s.n].tolist(),
        "chips": s.chips[: s.n].tolist(),
        "provinces": [sorted(codes(s.provinces[i], PROVINCES)) for i in seats],
        "patricians": [sorted(codes(s.patricians[i], PATRICIANS)) for i in seats],
        "offered_provinces": sorted(codes(s.province_offer, PROVINCES)),
        "offered_patricians": sorted(codes(s.patrician_offer, PATRICIANS)),
        "province_pool": sorted(codes(s.province_pool, PROVINCES)),
        "patrician_pool": sorted(codes(s.patrician_pool, PATRICIANS)),
        "fortuna_supply": s.token_supply.tolist(),
        "fortuna_discards": s.token_discards.tolist(),
        "fortuna_kept": [sorted(int(d) for d in digits(s.kept[i])) for i in seats],
        "fortuna_drawn": [sorted(int(d) for d in digits(s.drawn[i] + s.drawn_before[i])) for i in seats],
        "senate": [sorted(card_codes(senate_cards(s, i))) for i in seats],
        "senate_deck": sorted(card_codes(s.senate_deck)),
        "set_number": int(s.set) + 1,
    }


def state_of_referee(referee: Referee) -> dict[str, Any]:
    def counts(tokens: dict[int, int]) -> list[int]:
        return [tokens.get(v, 0) for v in (1, 2, 3)]

    return {
        "dice_left": referee.dice_left,
        "roll": list(referee.roll),
        "templum_count": referee.templum_count,
        "templum_sum": referee.templum_sum,
        "senatus": [list(x) for x in referee.senatus],
        "castrum": [{f: k for f, k in groups.items() if k} for groups in referee.castrum],
        "forum": [tuple(x) for x in referee.forum],
        "latrina": referee.latrina,
        "chips": referee.chips,
        "provinces": [sorted(x) for x in referee.provinces],
        "patricians": [sorted(x) for x in referee.patricians],
        "offered_provinces": sorted(referee.offered_provinces),
        "offered_patricians": sorted(referee.offered_patricians),
        "province_pool": sorted(referee.province_pool),
        "patrician_pool": sorted(referee.patrician_pool),
        "fortuna_supply": counts(referee.fortuna_supply),
        "fortuna_discards": counts(referee.fortuna_discards),
        "fortuna_kept": [sorted(x) for x in referee.fortuna_kept],
        "fortuna_drawn": [sorted(x) for x in referee.fortuna_drawn],
        "senate": [sorted(x) for x in referee.senate],
        "senate_deck": sorted(referee.senate_deck),
        "set_number": referee.set_number,
    }


def choose(legal: list[str], chooser: random.Random) -> str:
    """A random move that rerolls less than a uniform one and likes the Templum, to reach its rare cases."""
    places = [move for move in legal if move[0] != "R"]
    templum = [move for move in legal if move[0] == "T"]
    if templum and chooser.random() < 0.3:
        return chooser.choice(templum)
    return chooser.choice(places if places and chooser.random() < 0.6 else legal)


def play_in_lockstep(n_seats: int, seed: int, *, voluntary: bool = False) -> int:
    chooser = random.Random(f"{n_seats}/{seed}")
    start = chooser.choice([None, *range(n_seats)])
    referee = Referee(n_seats, voluntary_latrina=voluntary, start_seat=start)
    options = {
        "voluntary_latrina": "on" if voluntary else "off",
        "start_seat": "random" if start is None else str(start),
    }
    s = ALEA.new(n_seats, options)
    plies = 0
    while (turn := ALEA.rules.turn(s)) != OVER:
        moves = ALEA.legal_moves(s)
        assert moves == sorted(set(moves))
        assert moves
        if turn == CHANCE:
            assert referee.turn() == "chance"
            if len(moves) < 60:
                texts = [ALEA.notation.text(s, move) for move in moves]
                odds = referee.odds()
                assert {t: ALEA.rules.odds(s, m) for t, m in zip(texts, moves, strict=True)} == {
                    t: float(p) for t, p in odds.items()
                }
                assert sum(odds.values(), Fraction(0)) == 1
                move = chooser.choices(moves, [float(odds[t]) for t in texts])[0]
            else:
                move = chooser.choice(moves)
                assert ALEA.rules.odds(s, move) == float(referee.odds_of(ALEA.notation.text(s, move)))
        else:
            assert referee.turn() == turn
            texts = [ALEA.notation.text(s, move) for move in moves]
            assert sorted(texts) == referee.legal()
            text = choose(texts, chooser)
            assert referee.read(text) == text
            move = ALEA.notation.parse(s, text)
            assert ALEA.notation.text(s, move) == text
        referee.apply(ALEA.notation.text(s, move))
        ALEA.rules.apply(s, move)
        assert state_of(s) == state_of_referee(referee)
        plies += 1
    assert referee.turn() == "over"
    assert referee.end() == ALEA.notation.end(s)
    out = np.zeros((3, n_seats), np.int32)
    ALEA.rules.score(s, out)
    assert out[0].tolist() == referee.points()
    assert out[1].tolist() == referee.tiebreak()
    assert np.flatnonzero(out[2]).tolist() == referee.winners()
    return plies


@pytest.mark.parametrize(
    "n_seats", [2, pytest.param(3, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.slow), 5]
)
def test_engine_and_referee_agree(n_seats: int) -> None:
    for seed in range(12):
        play_in_lockstep(n_seats, seed, voluntary=seed % 4 == 3)


@pytest.mark.slow
@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_engine_and_referee_agree_over_many_games(n_seats: int) -> None:
    for seed in range(1000, 1150):
        play_in_lockstep(n_seats, seed, voluntary=seed % 4 == 3)
