"""What is always true of a state of Quo Vadis?; for tests and debugging."""

from rostra.engine.jit import State
from rostra.games.quovadis.state import ARRIVAL, ON_DEMAND, SHOWN
from rostra.games.quovadis.tables import (
    ANSWER,
    DEMAND,
    DRAFT,
    LIMITED_ONES,
    MAX_BARGAINS,
    MAX_SEATS,
    N_COMMITTEES,
    N_PLACES,
    ONES,
    PHASES,
    SEATS_IN,
    SENATORS,
    SHOWN_ARRIVALS,
    STACK,
)


def check(s: State) -> None:
    """Raise AssertionError where the state is impossible."""
    n = int(s.n)
    assert 3 <= n <= MAX_SEATS
    assert 0 <= s.phase < len(PHASES)
    assert 0 <= s.active < n
    assert 0 <= s.seat < n
    for committee in range(N_COMMITTEES):
        assert 0 <= s.board[committee].sum() <= SEATS_IN[committee]
    for seat in range(MAX_SEATS):  # Q-SET-1
        arrived = sum(int(owner) == seat + 1 for owner in s.senate[: s.arrived])
        assert int(s.board[:, seat].sum()) + int(s.off[seat]) + arrived == (SENATORS if seat < n else 0)
    assert 0 <= s.caesar < N_PLACES
    assert s.caesar_frees in (0, 1)
    assert s.hands.min() >= 0
    assert s.board.min() >= 0
    # Q-SET-2: no laurel is lost; a 2 with Caesar's picture is a 2 in a hand
    ones = int(s.ones) + int(s.hands[:, 0].sum())
    assert ones == (LIMITED_ONES[n] if s.limited_ones else ONES)
    found = [int(s.stack[kind]) + sum(int(k) == kind + 1 for k in s.laurels) for kind in range(6)]
    for value in range(2, 5):
        assert found[value] + int(s.hands[:, value].sum()) == STACK[value]
    assert found[1] + found[5] + int(s.hands[:, 1].sum()) == STACK[1] + STACK[5]
    assert 0 <= s.n_promises <= len(s.promises)
    assert not s.promises[s.n_promises :].any()
    assert not s.draft[0] or s.phase in (DRAFT, ANSWER)
    assert not s.refusing & s.consenting  # Q-NEG-5
    assert not (s.refusing | s.consenting) >> s.active & 1
    assert 0 <= s.bargains <= MAX_BARGAINS
    # Q-VAR-2: hands are shown, and an early arrival is noted, only with the option
    assert s.open_hands in (0, ON_DEMAND, ON_DEMAND | ARRIVAL, ON_DEMAND | SHOWN, ON_DEMAND | ARRIVAL | SHOWN)
    assert s.phase != DEMAND or (s.open_hands == ON_DEMAND and 1 <= s.arrived <= SHOWN_ARRIVALS)
