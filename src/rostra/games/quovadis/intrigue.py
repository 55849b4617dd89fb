"""Offers of bots that leave the active seat's action as it is: somebody is paid for refusing it (Q-NEG-5), or the
active seat for where it puts Caesar (Q-NEG-6). A bot makes them when it has no ordinary offer."""

from collections.abc import Collection, Iterator, Sequence

from rostra.engine.desk import Player
from rostra.engine.game import Game
from rostra.engine.jit import Array, State
from rostra.engine.loops import GREEDY, THINKS
from rostra.games.quovadis import desk, haggling
from rostra.games.quovadis.deals import bothers, consents_by
from rostra.games.quovadis.haggling import MIN_GAIN, Scales, mood
from rostra.games.quovadis.notation import by_text
from rostra.games.quovadis.supposing import supposed
from rostra.games.quovadis.tables import ACT, N_PLACES, N_VALUES, PLACES


def offer(
    bot: Player, game: Game, s: State, seat: int, refused: Collection[Sequence[str]], rng: Array
) -> list[str] | None:
    """An ordinary offer of this seat, else one of these; none of those refused in this turn."""
    usual = haggling.offer(bot, game, s, seat, refused, rng)
    if usual is not None or bot.policy not in (GREEDY, THINKS) or seat == game.rules.turn(s):
        return usual
    if len(refused) >= haggling.MAX_REFUSED:
        return None
    known = supposed(s, seat)
    found = _to_refuse(bot, game, s, seat) if s.phase == ACT else _for_caesar(bot, game, known, seat)
    stale = [sorted(terms) for terms in refused]
    for terms in found:
        if sorted(terms) not in stale and _suits(bot, game, known, seat, terms, refused):
            return terms
    return None


def _suits(
    bot: Player, game: Game, known: State, seat: int, terms: Sequence[str], refused: Collection[Sequence[str]]
) -> bool:
    """Whether this can be said, and all others would accept it in this bot's place."""
    if not haggling.may_say(known, seat, terms, refused):
        return False
    others = [party for party in desk.deal(known, terms)[1] if party != seat]
    return all(haggling.answer(bot, game, known, other, seat, terms, mood(known, other)) for other in others)


def _to_refuse(bot: Player, game: Game, s: State, seat: int) -> Iterator[list[str]]:
    """Offers to pay a seat that would consent to the active seat's best move, where that move harms this seat by more
    than it pays, the cheapest first."""
    scales = Scales(bot, game, s, seat)
    active = scales.active
    asks = [text for text in desk.more(scales.s, []) if "(" in text and scales.gain(active, [text]) >= MIN_GAIN]
    if not asks:
        return
    best = max(asks, key=lambda text: scales.gain(active, [text]))
    others = [other for other in range(s.n) if other not in (seat, active) and consents_by(by_text()[best], other)]
    if consents_by(by_text()[best], seat) or any(scales.gain(other, [best]) < MIN_GAIN for other in others):
        return  # it is refused for nothing
    for other in sorted(others, key=lambda other: scales.gain(other, [best])):
        left = [text for text in asks if not consents_by(by_text()[text], other)]
        spared = max((scales.gain(seat, [text]) for text in left), default=0.0) - scales.gain(seat, [best])
        for value in range(1, N_VALUES + 1):
            terms = ["bargain", f"give {seat} {other} {value}", f"refuse {other}"]
            if not scales.parties(terms):
                continue
            if scales.gain(other, terms) >= scales.gain(other, [best]) + MIN_GAIN:
                if spared + scales.gain(seat, terms) >= MIN_GAIN:
                    yield terms
                break  # what follows costs more


def _for_caesar(bot: Player, game: Game, known: State, seat: int) -> Iterator[list[str]]:
    """Offers to pay for Caesar on a path of an own senator, the cheapest first, while this seat would say yes if the
    active seat proposed it."""
    active = game.rules.turn(known)
    if bot.policy != THINKS:  # a simple bot sees no worth in Caesar
        return
    places = [PLACES[place] for place in range(N_PLACES) if place != known.caesar and bothers(known, place, seat)]
    for value in range(1, N_VALUES + 1):
        for place in places:
            terms = [f"@{place}", f"give {seat} {active} {value}"]
            if known.hands[seat, value - 1] and haggling.answer(
                bot, game, known, seat, active, terms, mood(known, seat)
            ):
                yield terms
