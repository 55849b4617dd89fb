"""What is always true of a state of Alea Iacta Est, in the order of the rules; for tests and debugging."""

from rostra.engine.jit import State
from rostra.games.alea.state import columns, senate_cards, with_templum
from rostra.games.alea.tables import (
    ALL_CARDS,
    DICE,
    FINISHED,
    FREE,
    IV,
    LAY_PROVINCES,
    MAX_SEATS,
    N_CARDS,
    N_PATRICIANS,
    N_PROVINCES,
    PHASES,
    PLACE,
    REROLL,
    SENATE_HAND,
    SETS,
    START,
    TOKENS,
)


def check(s: State) -> None:
    """Raise AssertionError where the state is impossible."""
    n = int(s.n)
    assert 2 <= n <= MAX_SEATS
    assert -1 <= s.first < n
    assert s.voluntary_latrina in (0, 1)
    assert 0 <= s.phase < len(PHASES)
    assert 0 <= s.set < SETS[n]
    assert 0 <= s.start < n
    assert 0 <= s.seat < n
    _check_dice(s, n)
    _check_buildings(s, n)
    _check_tiles(s, n)
    _check_tokens(s)
    _check_cards(s, n)


def _check_dice(s: State, n: int) -> None:
    """A-SET-1: each player has eight dice, in hand or placed."""
    for seat in range(MAX_SEATS):
        forum = sum(s.forum_seat[c] == seat for c in range(s.forum_size))
        sequence = s.high[seat] - s.low[seat] + 1 if s.low[seat] else 0
        placed = int(s.templum_dice[seat] + s.castrum[seat].sum() + s.latrina[seat] + forum + sequence)
        assert placed + s.dice[seat] == (DICE if seat < n else 0)
        assert s.chips[seat] >= 0
    rolled = int(s.roll.sum()) + (s.pending if s.phase == REROLL else 0)
    assert rolled == (s.dice[s.seat] if s.phase in (PLACE, REROLL) else 0)


def _check_buildings(s: State, n: int) -> None:
    if not with_templum(s):
        assert not s.templum_dice.any()  # A-SET-6
    leading = sorted(int(d) for d in s.templum_dice if d)
    assert len(set(leading)) == len(leading)  # A-TEM-1: every placing overtakes
    for seat in range(n):
        assert s.templum_dice[seat] <= s.templum_sum[seat] <= 6 * s.templum_dice[seat]
        assert (s.low[seat] == 0) == (s.high[seat] == 0)
        assert 0 <= s.low[seat] <= s.high[seat] <= 6  # A-SEN-1
    sequences = [(int(s.low[i]), int(s.high[i])) for i in range(n) if s.low[i]]
    assert len(set(sequences)) == len(sequences)  # A-SEN-3
    for face in range(6):
        groups = [int(g) for g in s.castrum[:n, face] if g]
        assert len(set(groups)) == len(groups)  # A-CAS-3
    faces = s.forum_face[: s.forum_size].tolist()
    assert faces == sorted(faces)  # A-FOR-2
    assert len(faces) <= columns(s)  # A-SET-7
    assert not s.forum_face[s.forum_size :].any()
    assert not s.forum_seat[s.forum_size :].any()


def _check_tiles(s: State, n: int) -> None:
    """A-SET-2, A-SET-3: every tile is in one place at most."""
    for size, pool, offer, held in (
        (N_PROVINCES, s.province_pool, s.province_offer, s.provinces),
        (N_PATRICIANS, s.patrician_pool, s.patrician_offer, s.patricians),
    ):
        masks = [int(pool), int(offer), *map(int, held)]
        assert sum(masks) == _union(masks)  # no bit twice
        assert 0 <= _union(masks) < 1 << size
        assert not any(held[n:])
    assert int(s.province_offer).bit_count() <= n  # A-SET-8
    assert int(s.patrician_offer).bit_count() <= columns(s)


def _union(masks: list[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _check_tokens(s: State) -> None:
    """A-SET-4: no token is lost."""
    everywhere = s.token_supply + s.token_discards + (s.kept + s.drawn + s.drawn_before).sum(axis=0)
    assert everywhere.tolist() == (TOKENS.tolist() if with_templum(s) else [0, 0, 0])
    assert min(everywhere.min(), s.token_supply.min(), s.drawn.min(), s.kept.min(), s.token_discards.min()) >= 0


def _check_cards(s: State, n: int) -> None:
    """A-SET-5: no card is lost; hands of past sets are complete or were never dealt."""
    deck = int(s.senate_deck)
    counts = [(deck >> kind & 1) + (kind == FREE and deck >> (FREE + 1) & 1) for kind in range(N_CARDS)]
    for number in range(len(s.hands)):
        for card in s.hands[number]:
            if card:
                counts[card - 1] += 1
        dealt = int((s.hands[number] > 0).sum())
        assert dealt in (0, SENATE_HAND) or number == s.set
        assert int(s.takers[number].max()) <= n
    expected = [2 if kind == FREE else 1 for kind in range(N_CARDS)]
    if not with_templum(s):
        expected[IV] = 0
    assert counts == expected
    assert all(0 <= senate_cards(s, seat) <= ALL_CARDS for seat in range(n))
    if s.phase in (START, LAY_PROVINCES, FINISHED):
        assert not s.roll.any()
