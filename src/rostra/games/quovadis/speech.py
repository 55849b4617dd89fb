"""What a bot of Quo Vadis? says to an offer, an answer or a counter-offer: one line, a key and its parameters.

Every reason is computed, never invented: most say what would have to differ for another answer, and are given only if
the bot's own answer then differs. All of it comes from what the seat may see (`supposing`).
"""

from collections.abc import Sequence

from rostra.engine.desk import Player, Said
from rostra.engine.game import Game, copy
from rostra.engine.jit import State
from rostra.games.quovadis import desk
from rostra.games.quovadis.deals import BROKEN, ones_won
from rostra.games.quovadis.decency import share
from rostra.games.quovadis.evaluate import standing
from rostra.games.quovadis.haggling import MIN_GAIN, Scales, act, answer, mood
from rostra.games.quovadis.notation import by_text
from rostra.games.quovadis.supposing import supposed
from rostra.games.quovadis.tables import N_VALUES

NAME, VALUE = "name", "n"
LINES = {
    # no
    "broken-to-me": (NAME,),
    "broken-to-others": (NAME,),
    "others-paid": (NAME,),
    "too-little": (VALUE,),
    "leads": (NAME,),
    "rather": (),
    "helps-more": (NAME,),
    "no": (),
    # yes
    "kept-word": (),
    "paid": (VALUE,),
    "promised": (NAME,),
    "earned": (),
    "helps-me": (),
    "favour": (NAME,),
    "yes": (),
    # offers and counter-offers
    "raises": (NAME, VALUE),
    "pays": (NAME, VALUE),
    "supports": (NAME,),
    "price": (VALUE,),
    "earns": (NAME,),
    "helps-both": (NAME,),
    "offer": (),
    "wants-more": (VALUE,),
    "counter": (),
}
"""The lines, and what their parameters are: a seat, or a value of laurels."""
LEAD = 2.0
"""By how much a seat must stand before every other one to be called the leader, in points of `standing`."""


def speak(bot: Player, game: Game, s: State, seat: int, said: Said) -> list[str]:
    """The line that goes with what a bot has decided to say."""
    speaker = _Speaker(bot, game, s, seat, said)
    key, *parameters = {
        "yes": speaker.agreement,
        "no": speaker.refusal,
        "offer": speaker.offer,
        "counter": speaker.counter,
    }[said.kind]()
    return [str(key), *map(str, parameters)]


def net_gives(terms: Sequence[str], seat: int) -> int:
    """The value of the laurels that a seat is given in a deal, less those that it gives."""
    gives = [[int(word) for word in term.split()[1:]] for term in terms if term.startswith("give ")]
    return sum(value for _, to, value in gives if to == seat) - sum(value for by, _, value in gives if by == seat)


def _without(terms: Sequence[str], kind: str, seat: int) -> list[str]:
    """The terms without gives that this seat takes part in, or promises to it."""
    at = (1, 2) if kind == "give" else (2,)
    return [term for term in terms if not (term.startswith(f"{kind} ") and str(seat) in [term.split()[i] for i in at])]


Line = tuple[str | int, ...]


class _Speaker:
    """A bot that has something to say to one offer."""

    def __init__(self, bot: Player, game: Game, s: State, seat: int, said: Said) -> None:
        self.bot, self.game, self.seat, self.by, self.terms = bot, game, seat, said.by, list(said.terms)
        self.before = said.before
        self.s = supposed(s, seat, self.terms)
        self.scales = Scales(bot, game, s, seat, self.terms)
        self.others = [party for party in self.scales.parties(self.terms) if party != seat]

    def _accepts(self, terms: Sequence[str], s: State | None = None) -> bool:
        """Whether this bot would accept other terms, or these in another state."""
        there = self.s if s is None else s
        return answer(self.bot, self.game, there, self.seat, self.by, terms, mood(there, self.seat))

    def _paid(self, value: int) -> bool:
        """Whether this bot would accept if it were given a laurel of this value besides."""
        return self._accepts([*self.terms, f"give {self.by} {self.seat} {value}"])

    def refusal(self) -> Line:
        """Why not."""
        broken = self.s.fates[self.by, :, BROKEN]
        if broken.any():
            forgiven = copy(self.s)
            forgiven.fates[self.by, :, BROKEN] = 0
            if self._accepts(self.terms, forgiven):
                return ("broken-to-me" if broken[self.seat] else "broken-to-others", self.by)
        for other in self.others:
            paid = net_gives(self.terms, other)
            if paid > 0 >= net_gives(self.terms, self.seat) and other != self.by and self._paid(min(paid, N_VALUES)):
                return "others-paid", other
        for value in range(1, N_VALUES + 1):
            if self._paid(value):
                return "too-little", value
        if self._leads(self.by):
            return "leads", self.by
        if self.seat == self.s.active:
            move = act(self.bot, self.game, self.s, mood(self.s, self.seat))
            if self.game.notation.text(self.s, move) != self.terms[0]:
                return ("rather",)
        if self.others and self.scales.gain(self.by, self.terms) > self.scales.gain(self.seat, self.terms):
            return "helps-more", self.by
        return ("no",)

    def _leads(self, seat: int) -> bool:
        """Whether a seat stands clearly before all others, by what this one may see."""
        best = max(standing(self.s, other) for other in range(self.s.n) if other != seat)
        return bool(standing(self.s, seat) >= best + LEAD)

    def agreement(self) -> Line:
        """Why this bot agrees."""
        if self.by == self.s.active and desk.refusal(self.s, self.terms, self.seat):
            return ("kept-word",)
        paid = net_gives(self.terms, self.seat)
        if paid > 0 and not self._accepts(_without(self.terms, "give", self.seat)):
            return "paid", paid
        promised = [int(term.split()[1]) for term in self.terms if term.startswith("promise ")]
        unpromised = _without(self.terms, "promise", self.seat)
        if len(unpromised) < len(self.terms) and not self._accepts(unpromised):
            return "promised", next(maker for maker in promised if maker != self.seat)
        if self.scales.gain(self.seat, self.terms) >= MIN_GAIN:
            return ("helps-me",)
        if ones_won(self.s, by_text()[self.terms[0]], self.seat):
            return ("earned",)
        own = share(self.s, self.seat, self.terms)
        return ("favour", self.by) if own.does and own.value <= 0 and not own.helped else ("yes",)

    def _raise(self) -> Line | None:
        """Who gets more than in the last refused offer of the same action, and how much."""
        for terms in reversed(list(self.before)):
            more = [(net_gives(self.terms, other) - net_gives(terms, other), other) for other in self.others]
            if terms[0] == self.terms[0] and more and max(more)[0] > 0:
                return "raises", max(more)[1], max(more)[0]
        return None

    def offer(self) -> Line:
        """What an offer has in it."""
        if raised := self._raise():
            return raised
        paid = [(net_gives(self.terms, other), -other) for other in self.others]
        if net_gives(self.terms, self.seat) < 0 and max(paid)[0] > 0:
            return "pays", -max(paid)[1], max(paid)[0]
        for other in self.others:
            if f"promise {self.seat} {other} support" in self.terms:
                return "supports", other
        if net_gives(self.terms, self.seat) > 0:
            return "price", net_gives(self.terms, self.seat)
        for other in self.others:
            if ones_won(self.s, by_text()[self.terms[0]], other):
                return "earns", other
        for other in self.others:
            if min(self.scales.gain(self.seat, self.terms), self.scales.gain(other, self.terms)) > 0:
                return "helps-both", other
        return ("offer",)

    def counter(self) -> Line:
        """What differs from the offer that it answers."""
        more = net_gives(self.terms, self.seat) - max(net_gives(terms, self.seat) for terms in self.before)
        return ("wants-more", more) if more > 0 else ("counter",)
