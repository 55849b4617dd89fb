"""Positions of Quo Vadis? built by hand, for tests: senators sit here or there, hands hold this or that.

Texts of several plies are parted by `;`, as gives and promises contain spaces. Seat 0 begins unless a test says
otherwise, and Caesar stands on J>S. The laurels turned up by `ready` are those of LAID.
"""

from typing import Any

import numpy as np
import pytest

from conftest import CHECKS
from rostra.engine.game import CHANCE, BadNotation, IllegalMove
from rostra.games.quovadis import QUO_VADIS
from rostra.games.quovadis.tables import COMMITTEES, LAURELS, N_PLACES, PLACES

LAID = "3 3 3 3 4 4 4 5 5 5"
"""Laurels on B>I, B>F, D>G, D>H, G>J, G>L, I>M, J>S, M>S, N>S."""


def play(s: Any, texts: str) -> None:
    """Play the texts one after the other, chance and decisions alike."""
    for text in texts.split(";"):
        QUO_VADIS.rules.apply(s, QUO_VADIS.notation.parse(s, text.strip()))
        CHECKS[QUO_VADIS.name](s)


def legal(s: Any, start: str = "") -> set[str]:
    """The texts of the legal moves or outcomes that begin so."""
    return {text for move in QUO_VADIS.legal_moves(s) if (text := QUO_VADIS.notation.text(s, move)).startswith(start)}


def odds(s: Any) -> dict[str, float]:
    return {QUO_VADIS.notation.text(s, move): QUO_VADIS.rules.odds(s, move) for move in QUO_VADIS.legal_moves(s)}


def refuse(s: Any, *texts: str) -> None:
    """These are well written, but not legal now."""
    for text in texts:
        assert text not in legal(s)
        with pytest.raises(IllegalMove):
            QUO_VADIS.notation.parse(s, text)


def bad(s: Any, *texts: str) -> None:
    """These are no moves at all."""
    for text in texts:
        with pytest.raises(BadNotation):
            QUO_VADIS.notation.parse(s, text)


def lay_out(s: Any, start: int = 0, laurels: str = LAID) -> None:
    """The start seat and the ten laurels."""
    play(s, f"=s{start}")
    for laurel in laurels.split():
        assert QUO_VADIS.rules.turn(s) == CHANCE
        play(s, f"={laurel}")


def ready(n_seats: int = 3, start: int = 0, laurels: str = LAID, **options: str) -> Any:
    """A game before its first turn."""
    s = QUO_VADIS.new(n_seats, {"start_seat": str(start), **options})
    lay_out(s, start, laurels)
    assert QUO_VADIS.rules.turn(s) == start
    return s


def put(s: Any, **committees: str) -> None:
    """Put senators from off the board into committees: `put(s, B="0012")`."""
    for committee, owners in committees.items():
        for owner in owners:
            s.off[int(owner)] -= 1
            s.board[COMMITTEES.index(committee), int(owner)] += 1
    CHECKS[QUO_VADIS.name](s)


def arrive(s: Any, owners: str) -> None:
    """Put senators from off the board into the Senate, in this order."""
    for owner in owners:
        s.off[int(owner)] -= 1
        s.senate[s.arrived] = int(owner) + 1
        s.arrived += 1
    CHECKS[QUO_VADIS.name](s)


def hold(s: Any, seat: int, laurels: str) -> None:
    """A seat has won these values, from the supply or the stack."""
    for value in laurels:
        if value == "1":
            s.ones -= 1
        else:
            s.stack[int(value) - 1] -= 1
        s.hands[seat, int(value) - 1] += 1
    CHECKS[QUO_VADIS.name](s)


def hold_all(s: Any, laurels: str) -> None:
    """Several seats have won laurels: `0:155 2:3`."""
    for one in laurels.split():
        hold(s, int(one[0]), one[2:])


def lay(s: Any, place: str, laurel: str) -> None:
    """Another laurel lies on a place, or none; the old one goes back to the stack."""
    at = PLACES.index(place)
    if s.laurels[at]:
        s.stack[s.laurels[at] - 1] += 1
    s.laurels[at] = 0
    if laurel:
        kind = LAURELS.index(laurel)
        assert s.stack[kind] > 0
        s.stack[kind] -= 1
        s.laurels[at] = kind + 1
    CHECKS[QUO_VADIS.name](s)


def exhaust_stack(s: Any, holder: int) -> None:
    """A seat holds all that lay face down."""
    for kind in range(6):
        s.hands[holder, 1 if kind == 5 else kind] += s.stack[kind]
        s.stack[kind] = 0
    CHECKS[QUO_VADIS.name](s)


def leave_ones(s: Any, left: int, holder: int) -> None:
    """So many ones are left in the supply; a seat holds those that were taken."""
    s.hands[holder, 0] += s.ones - left
    s.ones = left
    CHECKS[QUO_VADIS.name](s)


def caesar(s: Any, place: str) -> None:
    """Caesar stands there."""
    s.caesar = PLACES.index(place)


def act_now(s: Any, seat: int) -> None:
    """It is this seat's turn."""
    s.active = s.seat = seat


def idle(s: Any, turns: int) -> None:
    """So many turns in which Caesar goes to and fro between N>S and M>S."""
    for _ in range(turns):
        play(s, "@M>S" if s.caesar == PLACES.index("N>S") else "@N>S")


def inside(s: Any, committee: str) -> str:
    """The owners of senators in a committee or the Senate."""
    seen = QUO_VADIS.screen.view(s, None)
    owners = seen["senate"] if committee == "S" else seen["committees"][committee]["senators"]
    return "".join(map(str, owners))


def hand(s: Any, seat: int) -> str:
    """The values that a seat holds, ascending."""
    return "".join(str(value) * number for value, number in enumerate(s.hands[seat].tolist(), start=1))


def laurel(s: Any, place: str) -> str | None:
    found: str | None = QUO_VADIS.screen.view(s, None)["laurels"][place]
    return found


def caesar_at(s: Any) -> str:
    return str(QUO_VADIS.screen.view(s, None)["caesar"])


def promises(s: Any) -> list[str]:
    """The open promises, as `1 0 support`."""
    return [one["promise"].removeprefix("promise ") for one in QUO_VADIS.screen.view(s, None)["promises"]]


def fates(s: Any, maker: int, receiver: int) -> tuple[int, int, int]:
    """How many promises of one seat to another were kept, broken, lapsed."""
    kept, broken, lapsed = QUO_VADIS.screen.view(s, None)["fates"][maker][receiver]
    return kept, broken, lapsed


def position(s: Any) -> tuple[Any, ...]:
    """All that a deal can change on the table, and whose turn it is."""
    board = tuple(inside(s, committee) for committee in COMMITTEES + "S")
    hands = tuple(hand(s, seat) for seat in range(s.n))
    places = tuple(s.laurels[:N_PLACES].tolist())
    return board, hands, places, tuple(promises(s)), caesar_at(s), int(s.ones), int(s.active)


def result(s: Any) -> tuple[list[int], list[int], list[int]]:
    """Points, tiebreak, winning seats."""
    out = np.zeros((3, int(s.n)), np.int32)
    QUO_VADIS.rules.score(s, out)
    points, tiebreak, winners = out.tolist()
    return points, tiebreak, [seat for seat, won in enumerate(winners) if won]
