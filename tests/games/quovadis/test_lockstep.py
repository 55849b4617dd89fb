"""The engine against the naive referee, ply by ply: the same player to move, the same legal texts, the same odds."""

import random
from typing import Any

import numpy as np
import pytest

from conftest import CHECKS, ENDS
from naive.quovadis import Referee
from rostra.engine.game import CHANCE, OVER
from rostra.games.quovadis import QUO_VADIS
from rostra.games.quovadis.notation import words_of
from rostra.games.quovadis.tables import COMMITTEES, LAURELS, PLACES, PROMISE, encode_move

WEIGHTS = {
    "give": 0.15, "promise": 0.03, "then": 0.6, "ask": 2.5, "drop": 0.4,
    "deal": 0.7, "hear": 0.7, "pass": 2, "show": 1, "yes": 3, "no": 1.2,
}  # fmt: skip


def state_of(s: Any) -> dict[str, Any]:
    """The engine's state in the referee's words."""
    n = int(s.n)
    promises = [words_of(encode_move(PROMISE, int(s.promises[i]) - 1)) for i in range(s.n_promises)]
    return {
        "board": {c: [o for o in range(n) for _ in range(s.board[i, o])] for i, c in enumerate(COMMITTEES)},
        "senate": [int(owner) - 1 for owner in s.senate[: s.arrived]],
        "off": s.off[:n].tolist(),
        "laurels": {path: LAURELS[int(k) - 1] if k else None for path, k in zip(PLACES, s.laurels, strict=True)},
        "caesar": PLACES[s.caesar],
        "hands": s.hands[:n].tolist(),
        "ones": int(s.ones),
        "quiet": int(s.quiet),
        "shown": QUO_VADIS.screen.view(s, None)["shown"],
        "promises": sorted(promises),
        "fates": [int(s.fates[:, :, fate].sum()) for fate in range(3)],
    }


def state_of_referee(referee: Referee, n: int) -> dict[str, Any]:
    fates = [promise["fate"] for promise in referee.promises]
    return {
        "board": {committee: sorted(referee.board.get(committee, [])) for committee in COMMITTEES},
        "senate": list(referee.senate),
        "off": list(referee.off_board),
        "laurels": {path: referee.laurels_on_paths.get(path) for path in PLACES},
        "caesar": referee.caesar,
        "hands": [[referee.hands[seat].get(value, 0) for value in range(1, 6)] for seat in range(n)],
        "ones": referee.ones,
        "quiet": referee.quiet_turns,
        "shown": referee.hands_shown,
        "promises": sorted(
            f"promise {p['maker']} {p['receiver']} {p['kind']}" for p in referee.promises if p["fate"] == "open"
        ),
        "fates": [fates.count(fate) for fate in ("kept", "broken", "lapsed")],
    }


def choose(texts: list[str], chooser: random.Random) -> str:
    """A random move that does not drown in draft terms."""
    weights = [WEIGHTS.get(text.split()[0], 0.25 if text[0] == "@" else 1.2) for text in texts]
    return chooser.choices(texts, weights)[0]


def play_in_lockstep(n_seats: int, seed: int) -> str:
    chooser = random.Random(f"{n_seats}/{seed}")
    options: dict[str, Any] = {
        "limited_ones": seed % 3 == 1,
        "open_hands": seed % 5 < 3,
        "caesar_frees": ("path", "committee")[seed % 7 % 2],
        "consul_election": seed % 4 == 3,
        "start_seat": None if seed % 2 else seed % 3,
        "stall_rounds": (10, 2, 1)[seed % 3],
    }
    referee = Referee(n_seats, **options)
    named = {True: "on", False: "off", None: "random"}
    texts = {name: named[v] if v is None or type(v) is bool else str(v) for name, v in options.items()}
    s = QUO_VADIS.new(n_seats, texts)
    while (turn := QUO_VADIS.rules.turn(s)) != OVER:
        moves = QUO_VADIS.legal_moves(s)
        assert moves == sorted(set(moves))
        legal = [QUO_VADIS.notation.text(s, move) for move in moves]
        if turn == CHANCE:
            assert referee.turn() == "chance"
            odds = {text: float(p) for text, p in referee.odds().items()}
            assert {text: QUO_VADIS.rules.odds(s, move) for text, move in zip(legal, moves, strict=True)} == odds
            text = chooser.choices(legal, [odds[one] for one in legal])[0]
        else:
            assert referee.turn() == turn
            assert sorted(legal) == referee.legal()
            text = choose(legal, chooser)
            assert referee.read(text) == text
        QUO_VADIS.rules.apply(s, QUO_VADIS.notation.parse(s, text))
        referee.apply(text)
        CHECKS[QUO_VADIS.name](s)
        assert state_of(s) == state_of_referee(referee, n_seats)
    assert referee.turn() == "over"
    out = np.zeros((3, n_seats), np.int32)
    QUO_VADIS.rules.score(s, out)
    assert out[0].tolist() == referee.points()
    assert out[1].tolist() == referee.tiebreak()
    assert np.flatnonzero(out[2]).tolist() == referee.winners()
    assert QUO_VADIS.notation.end(s) == referee.end()
    return referee.end()


@pytest.mark.parametrize(
    "n_seats", [3, pytest.param(4, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.slow)]
)
def test_engine_and_referee_agree(n_seats: int) -> None:
    ends = {play_in_lockstep(n_seats, seed) for seed in range(8)}
    assert {"senate-full", "consul-elected"} <= ends


@pytest.mark.slow
@pytest.mark.parametrize("n_seats", [3, 4, 5])
def test_engine_and_referee_agree_over_many_games(n_seats: int) -> None:
    ends = {play_in_lockstep(n_seats, seed) for seed in range(100, 150)}
    assert ends == set(ENDS[QUO_VADIS.name])
