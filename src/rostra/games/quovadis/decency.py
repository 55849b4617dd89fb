"""What no bot proposes at a live table of Quo Vadis?, however it weighs deals: offers that a person would laugh at."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from rostra.engine.jit import State
from rostra.games.quovadis.deals import bothers, consents_by, ones_won, vower
from rostra.games.quovadis.notation import by_text
from rostra.games.quovadis.tables import (
    CAESAR_TO,
    GIVE,
    N_PLACES,
    PROMISE,
    THEN,
    VOW,
    given_to,
    giver_of,
    index_of,
    kind_of,
    maker_of,
    promised_to,
    value_given,
)


class Share(NamedTuple):
    """A party's part of a deal."""

    does: int
    """Number of laurels it gives, promises it makes and consents it gives."""
    helped: bool
    """Whether others consent to its move, or Caesar frees a path of one of its senators."""
    value: int
    """Laurels and promises that it receives, less those that it gives; a promise counts as one."""


def share(s: State, seat: int, terms: Sequence[str]) -> Share:
    """What a deal asks of a seat and brings it."""
    action, *others = (by_text()[text] for text in terms)
    consents = sum(consents_by(action, other) for other in range(s.n))
    own = consents_by(action, seat)
    does, helped, value = (0, consents > own, 0) if seat == s.active else (own, False, ones_won(s, action, seat))
    for term in (action, *others):
        index, kind = index_of(term), kind_of(term)
        if kind in (CAESAR_TO, THEN):
            helped |= index < N_PLACES and bool(bothers(s, index, seat))
        if kind == GIVE:
            giver, receiver, worth = giver_of(index), given_to(index), value_given(index) + 1
        elif kind == PROMISE:
            giver, receiver, worth = maker_of(index), promised_to(index), 1
        else:
            does += kind == VOW and vower(s, index) == seat
            continue
        if seat == giver:
            does, value = does + 1, value - worth
        elif seat == receiver:
            value += worth
    return Share(does, helped, value)


def asks_for_nothing(s: State, by: int, terms: Sequence[str], parties: Sequence[int]) -> bool:
    """Whether an offer wants something of another party and leaves it with nothing for it."""
    shares = [share(s, party, terms) for party in parties if party != by]
    return any(one.does and one.value <= 0 and not one.helped for one in shares)


def repeats(
    s: State, by: int, terms: Sequence[str], parties: Sequence[int], refused: Collection[Sequence[str]]
) -> bool:
    """Whether the same action was refused in this turn at terms as good for every other party."""
    others = [party for party in parties if party != by]
    for before in refused:
        if before[0] == terms[0] and all(share(s, p, terms).value <= share(s, p, before).value for p in others):
            return True
    return False


def moves_caesar_for_nobody(s: State, move: int) -> bool:
    """Whether Caesar would be moved while no senator sits in a committee."""
    return bool(kind_of(move) == CAESAR_TO and not s.board.any())


def is_decent(
    s: State, by: int, terms: Sequence[str], parties: Sequence[int], refused: Collection[Sequence[str]] = ()
) -> bool:
    """Whether a bot may say this to people."""
    return not (
        asks_for_nothing(s, by, terms, parties)
        or repeats(s, by, terms, parties, refused)
        or moves_caesar_for_nobody(s, by_text()[terms[0]])
    )
