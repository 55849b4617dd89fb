"""All promises of a match of Quo Vadis? with their fates, read off the states that it went through (Q-NEG-3).

The rules settle promises and count fates; this module only reads. Promises run on into the next game of an election,
and those still open when the match ends stay open. The list of open promises alone does not tell what happened in a
ply: a deal can keep a promise and make the same one again.
"""

from collections.abc import Iterable
from typing import Any, Literal

from rostra.engine.game import plain_fields
from rostra.engine.jit import State
from rostra.games.quovadis.deals import BROKEN, KEPT, LAPSED
from rostra.games.quovadis.notation import words_of
from rostra.games.quovadis.shapes import QuoVadisPledge
from rostra.games.quovadis.state import AT_TERMS, STATE
from rostra.games.quovadis.tables import (
    CAESAR,
    MAX_SEATS,
    N_PROMISES,
    OPPOSE,
    PAY,
    PROMISE,
    SUPPORT,
    encode_move,
    kind_of_promise,
    maker_of,
    promised_to,
)

FATES: tuple[Literal["kept", "broken", "lapsed"], ...] = ("kept", "broken", "lapsed")
CAN_BE = {
    **dict.fromkeys(range(PAY, N_PROMISES), (KEPT, LAPSED)),
    CAESAR: (BROKEN, LAPSED),
    **dict.fromkeys(range(OPPOSE, CAESAR), (BROKEN, LAPSED)),
    SUPPORT: (KEPT, BROKEN, LAPSED),
}
"""By kind of promise, the fates it can have. Both orders matter where one ply settles several promises between the same
two seats. Only promises of the active seat lapse; in the same ply its `pay` can be kept and its `caesar` broken, but
never its `support` or `oppose`, so these choose last. Of several `pay` the smaller are kept and the bigger lapse."""
_ORDER = [*CAN_BE]
_fields = plain_fields(STATE)


def ledger(states: Iterable[State]) -> list[QuoVadisPledge]:
    """All promises in the order of making, from the states of a match after its setup and after every ply."""
    pledges: list[QuoVadisPledge] = []
    standing: list[QuoVadisPledge] = []  # the open ones, in the order of the record
    before: Any = None
    for ply, s in enumerate(states, start=-1):
        after = _fields(s.tobytes())
        if before and (before.promises, before.fates) != (after.promises, after.fates):
            stood, stand = _open(before), _open(after)
            made = stand[len(stand) - _number_made(before, after) :]
            gone = _gone(stood, stand[: len(stand) - len(made)])
            for which, fate in _settled(stood, gone, before.fates, after.fates):
                standing[which]["fate"] = FATES[fate]
                standing[which]["settled"] = ply
            standing = [pledge for pledge in standing if pledge["settled"] is None]
            for promise in made:
                words = words_of(encode_move(PROMISE, promise))
                standing.append({"promise": words, "made": ply, "fate": "open", "settled": None})
                pledges.append(standing[-1])
        before = after
    return pledges


def _open(f: Any) -> list[int]:
    """The open promises, oldest first, as indices of PROMISE moves."""
    return [promise - 1 for promise in memoryview(f.promises).cast("h")[: f.n_promises]]


def _number_made(before: Any, after: Any) -> int:
    """How many promises were added: those of the draft, where it was carried out."""
    deals = [memoryview(f.tallies).cast("h")[1] for f in (before, after)]
    return sum(map(bool, memoryview(before.draft).cast("h")[AT_TERMS:])) if deals[0] != deals[1] else 0


def _gone(stood: list[int], left: list[int]) -> list[int]:
    """The positions in `stood` of promises that are not in `left`, which has the same order; of equals the oldest."""
    left = left.copy()
    gone = []
    for which in reversed(range(len(stood))):
        if left and left[-1] == stood[which]:
            left.pop()
        else:
            gone.append(which)
    return gone


def _settled(stood: list[int], gone: list[int], before: bytes, after: bytes) -> list[tuple[int, int]]:
    """The promises that are gone with their fates, from the counts of fates by maker and receiver."""
    grown = [new - old for old, new in zip(before, after, strict=True)]
    settled = []
    for which in sorted(gone, key=lambda which: _ORDER.index(kind_of_promise(stood[which]))):
        promise = stood[which]
        at = (maker_of(promise) * MAX_SEATS + promised_to(promise)) * len(FATES)
        # the default is for counts that have stopped at 127, further than any match has come
        fate = next((fate for fate in CAN_BE[kind_of_promise(promise)] if grown[at + fate] > 0), LAPSED)
        grown[at + fate] -= 1
        settled.append((which, fate))
    return settled
