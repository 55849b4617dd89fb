"""What a seat of Quo Vadis? supposes the others hold, at a live table: hands are secret to the eye (Q-HID-1).

Whatever is said at a table (bots' offers and answers, hints) comes from a supposed state, so it tells nobody a hand. A
seat knows its own laurels, how many tiles the others have, and which values are out of sight. It supposes average
hands: of the values out of sight, every so-many-th. An offer on the table shows that its givers can pay it.
"""

from collections.abc import Sequence

from rostra.engine.game import copy
from rostra.engine.jit import State
from rostra.games.quovadis.deals import laurel_won, ones_won, value_of
from rostra.games.quovadis.notation import by_text
from rostra.games.quovadis.state import SHOWN
from rostra.games.quovadis.tables import (
    GIVE,
    N_VALUES,
    STACK,
    TWO_CAESAR,
    giver_of,
    index_of,
    kind_of,
    value_given,
)

TWO = 1
"""The kind of a plain 2; one with Caesar's picture is a 2 in a hand, too."""


def supposed(s: State, seat: int, terms: Sequence[str] = ()) -> State:
    """A copy in which this seat supposes the hands that it does not see; whoever gives something in these terms has
    it."""
    known = copy(s)
    if s.show_hands or s.open_hands & SHOWN:
        return known
    others = [other for other in range(s.n) if other != seat]
    tiles = {other: int(s.hands[other].sum()) for other in others}
    ones = sum(int(s.hands[other, 0]) for other in others)  # the supply of ones lies open
    unseen = [_unseen(s, others, value) for value in range(1, N_VALUES)]
    pool = [value for value, number in enumerate(unseen, start=1) for _ in range(number)]
    out = sum(tiles.values()) - ones
    held = [0] * ones + [pool[(2 * i + 1) * len(pool) // (2 * out)] for i in range(out)]
    for other in others:
        known.hands[other] = 0
    for other, values in _shown(s, terms).items():
        for value in values if other != seat else ():
            known.hands[other, value] += 1
            tiles[other] -= 1
            if held:
                held.remove(value if value in held else min(held, key=lambda one: abs(one - value)))
    _deal(known, tiles, held)
    _lay_face_down(known, unseen, others)
    return known


def _unseen(s: State, others: Sequence[int], value: int) -> int:
    """The number of laurels of a value that the seat does not see: in others' hands, or face down."""
    face_down = int(s.stack[value]) + (int(s.stack[TWO_CAESAR]) if value == TWO else 0)
    return face_down + sum(int(s.hands[other, value]) for other in others)


def _shown(s: State, terms: Sequence[str]) -> dict[int, list[int]]:
    """By seat the values (from 0) that it must hold to pay what the terms have it give, without what the action wins
    it."""
    moves = [by_text()[text] for text in terms if text in by_text()]
    found: dict[int, list[int]] = {}
    for move in moves:
        if kind_of(move) == GIVE:
            found.setdefault(giver_of(index_of(move)), []).append(value_given(index_of(move)))
    for giver, values in found.items():
        won = [0] * ones_won(s, moves[0], giver)
        if giver == s.active and laurel_won(s, moves[0]) >= 0:
            won.append(value_of(laurel_won(s, moves[0])))
        for value in won:
            if value in values:
                values.remove(value)
    return found


def _deal(known: State, tiles: dict[int, int], held: list[int]) -> None:
    """Deal the values out evenly, so that each seat has as many tiles as everybody sees."""
    everything, dealt = sum(max(0, number) for number in tiles.values()), dict.fromkeys(tiles, 0)
    for i, value in enumerate(held[:everything], start=1):
        receiver = max(tiles, key=lambda other: max(0, tiles[other]) * i / everything - dealt[other])
        dealt[receiver] += 1
        known.hands[receiver, value] += 1


def _lay_face_down(known: State, unseen: Sequence[int], others: Sequence[int]) -> None:
    """The rest of the values out of sight lies face down; Caesar's twos are as common there as anywhere."""
    for value, number in enumerate(unseen, start=1):
        known.stack[value] = max(0, number - sum(int(known.hands[other, value]) for other in others))
    pictures = int(STACK[TWO_CAESAR]) - sum(int(kind) == TWO_CAESAR + 1 for kind in known.laurels)
    twos = int(known.stack[TWO])
    known.stack[TWO_CAESAR] = pictures * twos // max(1, twos + int(known.hands[:, TWO].sum()))
    known.stack[TWO] -= known.stack[TWO_CAESAR]
