"""The facet of a game in which players negotiate."""

import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from rostra.engine.jit import Array, State

if TYPE_CHECKING:
    from rostra.engine.game import Game


class Player(Protocol):
    """A bot, as a game's desk meets it."""

    @property
    def policy(self) -> int:
        """How compiled loops play it, see `rostra.engine.loops`."""

    def choose(self, game: "Game", s: State, rng: Array) -> int:
        """A legal move for the deciding seat."""

    def silent(self) -> "Player":
        """The same bot without negotiating, where it can do so inside compiled loops."""


class Said(NamedTuple):
    """What a bot has decided to say at a live table."""

    kind: Literal["yes", "no", "offer", "counter"]
    by: int
    """Whose offer it answers; for its own offers its own seat."""
    terms: Sequence[str]
    before: Collection[Sequence[str]] = ()
    """For an offer those refused in this turn; for a counter-offer the one that it counters."""


@dataclasses.dataclass(frozen=True, eq=False)
class Desk:
    """Deals at a live table, where several offers are open at once. Terms are move texts, the action first; the verbs
    change a scratch copy of the state. What all parties accepted enters the log as the active seat's draft."""

    deal: Callable[[State, Sequence[str]], tuple[list[int], list[int]]]
    """deal(s, terms): the moves that carry the deal out if everybody agrees, and its parties, ascending; IllegalMove
    where the rules do not allow it now."""
    refusal: Callable[[State, Sequence[str], int], list[int]]
    """refusal(s, terms, seat): the moves that put this seat's `no` to the active seat's offer into the log, where that
    `no` breaks a promise and no other seat has to answer first; else none."""
    invite: Callable[[State, int], None]
    """invite(s, by): bring the state to where this seat may draft a deal."""
    ask: Callable[[State, int, Sequence[str]], None]
    """ask(s, by, terms): bring the state to where the first other party answers this seat's offer."""
    draft: Callable[[State], list[str]]
    """draft(s): the terms of the open draft."""
    more: Callable[[State, Sequence[str]], list[str]]
    """more(s, terms): what may be added to these terms; without terms, the possible actions. It tells no secrets, so it
    may name what `deal` refuses later."""
    parties: Callable[[State, Sequence[str]], list[int]]
    """parties(s, terms): who would have to agree, ascending; tells no secrets either."""
    worth: Callable[[State, Sequence[str]], Mapping[str, Any]]
    """worth(s, terms): what a deal would move for each party; nothing in it may be secret."""
    open: Callable[[State], bool]
    """open(s): whether deals can be offered now."""
    matters: Callable[[State], bool]
    """matters(s): whether there is something to bargain about, so that bots leave people time for it."""
    turn: Callable[[State], int]
    """turn(s): a number that changes with every turn; offers lapse when it changes."""
    is_bargain: Callable[[Sequence[str]], bool]
    """is_bargain(terms): whether a deal leaves the active seat's action as it is."""
    ledger: Callable[[Iterable[State]], Sequence[Mapping[str, Any]]]
    """ledger(states): all promises and what became of them, from the states of a whole match (one record that is played
    on)."""
    dealings: Callable[[Iterable[State]], Sequence[Mapping[str, float]]]
    """dealings(states): for each seat what its deals came to, as numbers with the same names for all seats; from the
    states of a whole match, as in `ledger`."""
    acts: Callable[[State, int], bool]
    """acts(s, move): whether a move is an action, which can be made or offered at a live table; moves that compose a
    draft are not."""
    act: Callable[[Player, "Game", State, Array], int]
    """act(bot, game, s, rng): the move of the deciding bot without negotiating."""
    answer: Callable[[Player, "Game", State, int, int, Sequence[str], Array], bool]
    """answer(bot, game, s, seat, by, terms, rng): whether a bot accepts an offer that seat `by` has made."""
    counter: Callable[[Player, "Game", State, int, int, Sequence[str], Array], list[str] | None]
    """counter(...), with the same arguments, after a `no`: the terms that a bot proposes instead, or None."""
    offer: Callable[[Player, "Game", State, int, Collection[Sequence[str]], Array], list[str] | None]
    """offer(bot, game, s, seat, refused, rng): the terms that a bot proposes by itself, or None."""
    speak: Callable[[Player, "Game", State, int, Said], list[str]] | None = None
    """speak(bot, game, s, seat, said): one line that a bot says with it, as a key and parameters that the page puts
    into words; it may name only what the seat may see."""
    consents: Callable[[State, str], tuple[str, list[int]]] | None = None
    """consents(s, action): what prices for an action are about, and the other seats whose consents it uses, one entry
    for each consent; no seats where it needs none. Without this nobody names prices."""
    pay: Callable[[State, str, Mapping[int, int]], list[str]] | None = None
    """pay(s, action, prices): the terms of a deal in which the active seat pays each consent to this action the price
    of its seat; CannotPay where it has not got what that takes."""
    quote: Callable[[Player, "Game", State, int, Array, str], int | None] | None = None
    """quote(bot, game, s, seat, rng, about): what a bot wants for one consent in this turn to what the prices are
    about, besides what the rules give for it; None where it would not consent at any price."""
    supposed: Callable[[State, int], State] | None = None
    """supposed(s, seat): a copy in which this seat supposes what it is not shown, though a perfect memory would know
    it; for hints, which must not remember for people."""
