"""What each seat's deals came to in a match of Quo Vadis?: offers, prices, promises; read off the states (Q-NEG-3)."""

from collections.abc import Iterable
from typing import Any

from rostra.engine.game import copy
from rostra.engine.jit import State
from rostra.games.quovadis.deals import consents_by, is_bargain
from rostra.games.quovadis.ledger import ledger
from rostra.games.quovadis.state import AT_GIVES
from rostra.games.quovadis.tables import MAX_GIVES, given_to, giver_of, value_given

COLUMNS = (
    *("offers", "deals", "consents", "sold", "price", "paid", "received"),
    *("promises", "kept", "broken", "lapsed", "betrayed"),
)


def dealings(states: Iterable[State]) -> list[dict[str, float]]:
    """For each seat, from the states of a match after its setup and after every ply: offers made and those agreed to,
    consents given to others (`sold`: those paid for) and laurel points got for these, points paid and received in all
    deals, promises made and what became of them, and promises to this seat that were broken."""
    rows: list[dict[str, float]] = []
    before: Any = None

    def noting(s: State) -> State:
        nonlocal before
        if not rows:
            rows.extend(dict.fromkeys(COLUMNS, 0) for _ in range(int(s.n)))
        if before is not None and s.tallies[0] > before.tallies[0]:
            rows[int(before.drafter)]["offers"] += 1
        if before is not None and s.tallies[1] > before.tallies[1]:
            _carried_out(before, rows)
        before = copy(s)
        return s

    for pledge in ledger(map(noting, states)):
        maker, receiver = map(int, pledge["promise"].split()[1:3])
        rows[maker]["promises"] += 1
        if pledge["fate"] != "open":
            rows[maker][pledge["fate"]] += 1
        if pledge["fate"] == "broken":
            rows[receiver]["betrayed"] += 1
    return rows


def _carried_out(s: State, rows: list[dict[str, float]]) -> None:
    """Count a deal, from the state in which its last party said yes."""
    active, action = int(s.active), int(s.draft[0]) - 1
    rows[int(s.drafter)]["deals"] += 1
    got = [0] * len(rows)
    for i in range(MAX_GIVES):
        give = int(s.draft[AT_GIVES + i]) - 1
        if give >= 0:
            value = value_given(give) + 1
            rows[giver_of(give)]["paid"] += value
            rows[given_to(give)]["received"] += value
            if giver_of(give) == active:
                got[given_to(give)] += value
    for seat, row in enumerate(rows):
        consents = 0 if seat == active or is_bargain(s) else consents_by(action, seat)
        row["consents"] += consents
        if consents and got[seat]:
            row["sold"] += consents
            row["price"] += got[seat]
