"""Bots at a live table of Quo Vadis?, where offers lie open: acting alone, answering, countering and making offers.

Every function takes the state in which the active seat is to act and leaves it unchanged; the server decides when to
ask which bot. A bot that weighs deals (greedy) agrees to what leaves it better, by a margin, than the active seat's
best step without anybody, and expects others to weigh deals as it does. A bot that thinks negotiates here as it does
in its own games: it is brought to where it would draft or answer there, and its moves are read as terms.

What is said here is heard by all, so it comes from what the seat may see (`supposing`): an offer may turn out to be
one that somebody cannot pay. Within a turn a seat answers the same terms alike, however often it is asked.
"""

import contextlib
import zlib
from collections.abc import Collection, Iterator, Sequence

from rostra.engine.desk import Player
from rostra.engine.game import Game, IllegalMove, copy
from rostra.engine.jit import Array, State
from rostra.engine.loops import GREEDY, SILENT, THINKS
from rostra.engine.rng import generator
from rostra.games.quovadis import desk
from rostra.games.quovadis.deals import consents_by
from rostra.games.quovadis.decency import is_decent, moves_caesar_for_nobody
from rostra.games.quovadis.notation import by_text
from rostra.games.quovadis.supposing import supposed
from rostra.games.quovadis.tables import ACT, N_VALUES

MIN_GAIN = 0.15
"""How much better a deal must leave a seat, in points of `Play.evaluate`; else it is not worth the talk."""
KEPT_WORD = 1.5
"""What a promise is worth to its maker, when a `no` would be seen to break it."""
MAX_REFUSED = 6
"""Number of refused offers in a turn after which a bot makes none."""
MAX_REMINDED = 2
"""Number of refusals that a thinking bot is reminded of: one more draft must be possible in the turn."""
OPENINGS = 3
"""Number of actions that a bot tries to build an offer around."""
MAX_DRAFT_MOVES = 16
"""Most moves of a draft."""
IMPOSSIBLE = float("-inf")
EPSILON = 1e-9


def act(bot: Player, game: Game, s: State, rng: Array) -> int:
    """The move of the deciding seat without talk: one that needs nobody."""
    bot = bot.silent()
    place = _speechless(game, s) if bot.policy == THINKS else s
    for _ in range(100):
        move = bot.choose(game, place, rng)
        if _can_act(game, s, move):
            return move
    return next(move for move in game.legal_moves(s) if _can_act(game, s, move))  # random talked a hundred times


def answer(bot: Player, game: Game, s: State, seat: int, by: int, terms: Sequence[str], rng: Array) -> bool:
    """Whether a seat would accept an offer. It refuses what the rules do not allow and what it is no part of."""
    if bot.policy == SILENT or not desk.is_bounded(terms):
        return False
    scratch = supposed(s, seat, terms)
    try:
        parties = desk.deal(scratch, terms)[1]
    except IllegalMove:
        return False
    if seat not in parties:
        return False
    if bot.policy == GREEDY:
        return Scales(bot, game, s, seat, terms).agrees(seat, by, terms)
    if seat == by:
        return True
    desk.ask(scratch, by, terms)
    yes = game.notation.parse(scratch, "yes")
    while game.rules.turn(scratch) != seat:
        game.rules.apply(scratch, yes)
    return bot.choose(game, scratch, mood(s, seat)) == yes


def counter(
    bot: Player, game: Game, s: State, seat: int, by: int, terms: Sequence[str], rng: Array
) -> list[str] | None:
    """After its no: the variant nearest to the offer that suits this seat and is not hopeless for the others."""
    if desk.is_bargain(terms) or not desk.is_bounded(terms) or s.phase != ACT:
        return None
    if bot.policy == THINKS:
        return _counter_by_thought(bot, game, s, seat, terms, rng)
    if bot.policy != GREEDY:
        return None
    mind = Scales(bot, game, s, seat, terms)
    if not mind.parties(terms):
        return None
    for payer in dict.fromkeys([by, mind.active, *mind.parties(terms)]):
        for _, variant in mind.payments(terms, payer, seat):
            if mind.gain(seat, variant) >= MIN_GAIN:
                if may_say(mind.s, seat, variant) and mind.all_agree(variant):
                    return variant
                break  # what follows costs the payer more
    return None


def offer(
    bot: Player, game: Game, s: State, seat: int, refused: Collection[Sequence[str]], rng: Array
) -> list[str] | None:
    """An offer that a seat makes by itself, none of those refused in this turn; None where it would rather not."""
    if bot.policy == SILENT or len(refused) >= MAX_REFUSED or s.phase != ACT:
        return None
    stale = {_key(terms) for terms in refused}
    known = supposed(s, seat)
    start = copy(known)
    desk.invite(start, seat)
    if bot.policy != GREEDY:
        if bot.policy == THINKS and seat == game.rules.turn(s):
            for terms in list(refused)[-MAX_REMINDED:]:
                _hear_no(game, start, terms)
        drafted = _drafted(bot, game, start, rng)
        if drafted is None or _key(drafted) in stale or not may_say(known, seat, drafted, refused):
            return _raised(bot, game, s, seat, refused, rng)
        # After `hear` it may bring two others together; an offer at a table should bind its maker.
        return None if bot.policy == THINKS and seat not in desk.deal(known, drafted)[1] else drafted
    mind = Scales(bot, game, s, seat)
    for opening in mind.openings(start):
        drafted = _drafted(bot, game, opening, rng)
        if not drafted or mind.gain(seat, drafted) < MIN_GAIN:
            continue
        drafted = mind.without_idle_terms(drafted)
        for variant in (drafted, *mind.concessions(drafted)):
            gain = mind.gain(seat, variant)
            suits = gain >= MIN_GAIN and _key(variant) not in stale and may_say(mind.s, seat, variant, refused)
            if suits and mind.all_agree(variant):
                return variant
            if IMPOSSIBLE < gain < MIN_GAIN:
                break  # what follows costs more
    return None


def quote(bot: Player, game: Game, s: State, seat: int, rng: Array, about: str | None = None) -> int | None:
    """The laurel that a seat wants for one consent to the active seat in this turn, for this action or path or for any.

    0: the one that the rules give for it is enough. None: there is no such consent to give, or the seat would not give
    it at any price. An offer of the active seat with this laurel is accepted, as `answer` says.
    """
    active = game.rules.turn(s)
    if seat == active or not desk.is_open(s):
        return None
    asked = (text for text in desk.more(s, []) if about in (None, text, text.partition("(")[0]))
    sold = [text for text in asked if consents_by(by_text()[text], seat) == 1]
    for value in range(N_VALUES + 1) if sold else ():
        paid = [f"give {active} {seat} {value}"] if value else []
        if all(answer(bot, game, s, seat, active, [text, *paid], rng) for text in sold):
            return value
    return None


def mood(s: State, seat: int) -> Array:
    """The generator with which a seat errs when it answers: the same as long as the position on the board is."""
    facts = (s.board, s.laurels, s.senate, s.caesar, s.turn_number)
    return generator(zlib.crc32(b"".join(fact.tobytes() for fact in facts), seat))


def _raised(
    bot: Player, game: Game, s: State, seat: int, refused: Collection[Sequence[str]], rng: Array
) -> list[str] | None:
    """A refused offer with more in it for another party: the least that it would accept in this bot's place, while the
    bot would still say yes to it if somebody else proposed it."""
    known = supposed(s, seat)
    for before in list(refused)[: -MAX_REMINDED - 1 : -1] if bot.policy == THINKS else ():
        mind = Scales(bot, game, s, seat, before)
        others = [party for party in mind.parties(before) if party != seat]
        if not others or seat not in mind.parties(before):
            continue
        for variant in mind.concessions(before):
            if not mind.parties(variant) or not may_say(mind.s, seat, variant, refused):
                continue
            if not answer(bot, game, known, seat, others[0], variant, rng):
                if variant[-1].startswith("promise"):
                    continue
                break  # what follows costs more
            if all(answer(bot, game, known, other, seat, variant, rng) for other in others):
                return variant
    return None


def _can_act(game: Game, s: State, move: int) -> bool:
    return not game.play.talks(s, move) and not moves_caesar_for_nobody(s, move)


def may_say(s: State, seat: int, terms: Sequence[str] | None, refused: Collection[Sequence[str]] = ()) -> bool:
    """Whether an offer can be made now, and with decency."""
    try:
        return bool(terms) and is_decent(s, seat, terms or (), desk.deal(s, terms or ())[1], refused)
    except IllegalMove:
        return False


def _key(terms: Sequence[str]) -> tuple[str, ...]:
    """The same for terms in another order, which makes no difference."""
    return (*terms[:1], *sorted(terms[1:]))


def _value(term: str) -> int:
    """The value that a `give` ends with."""
    return int(term.split()[-1])


def _without(terms: Sequence[str], term: str) -> list[str]:
    at = list(terms).index(term)
    return [*terms[:at], *terms[at + 1 :]]


def _speechless(game: Game, s: State) -> State:
    """The same turn when all has been said: others were heard, and no draft is left."""
    scratch, seat = copy(s), game.rules.turn(s)
    with contextlib.suppress(IllegalMove):
        game.rules.apply(scratch, game.notation.parse(scratch, "hear"))
        while game.rules.turn(scratch) != seat:
            game.rules.apply(scratch, game.notation.parse(scratch, "pass"))
    with contextlib.suppress(IllegalMove):
        while True:
            for word in ("deal", "drop"):
                game.rules.apply(scratch, game.notation.parse(scratch, word))
    return scratch


def _hear_no(game: Game, scratch: State, terms: Sequence[str]) -> None:
    """Record in a scratch state that these terms were refused; nothing where they could not be drafted."""
    if desk.is_bargain(terms) or not desk.is_bounded(terms):
        return
    with contextlib.suppress(IllegalMove):
        moves, parties = desk.deal(scratch, terms)
        for move in moves[: len(moves) - len(parties) + 1]:  # but for every other party's `yes`
            game.rules.apply(scratch, move)
        game.rules.apply(scratch, game.notation.parse(scratch, "no"))


def _counter_by_thought(
    bot: Player, game: Game, s: State, seat: int, terms: Sequence[str], rng: Array
) -> list[str] | None:
    """What a bot that thinks would propose for the same action itself."""
    known = supposed(s, seat, terms)
    scratch = copy(known)
    desk.invite(scratch, seat)
    try:
        _open_draft(game, scratch, terms[0])
    except IllegalMove:
        return None
    drafted = _drafted(bot, game, scratch, rng)
    return drafted if drafted and _key(drafted) != _key(terms) and may_say(known, seat, drafted) else None


def _open_draft(game: Game, scratch: State, action: str) -> None:
    """Begin a draft of this action: one that needs nobody is opened with `deal`."""
    alone = not any(
        game.play.talks(scratch, move)
        for move in game.legal_moves(scratch)
        if game.notation.text(scratch, move) == action
    )
    for text in ["deal", action] if alone else [action]:
        game.rules.apply(scratch, game.notation.parse(scratch, text))


def _drafted(bot: Player, game: Game, scratch: State, rng: Array) -> list[str] | None:
    """What a bot drafts from here until it asks; None where it does something else."""
    seat = game.rules.turn(scratch)
    for _ in range(MAX_DRAFT_MOVES):
        move = bot.choose(game, scratch, rng)
        if game.notation.text(scratch, move) == "ask":
            return desk.draft(scratch)
        game.rules.apply(scratch, move)
        if game.rules.turn(scratch) != seat:
            return None
    return None


class Scales:
    """A seat that weighs deals, at one moment: what each would bring, against what comes without any."""

    def __init__(self, bot: Player, game: Game, s: State, seat: int, terms: Sequence[str] = ()) -> None:
        self.game, self.seat = game, seat
        self.s = supposed(s, seat, terms)
        self.active = game.rules.turn(s)
        self.open = copy(self.s)  # deals are weighed as if nothing had been said in this turn
        desk.invite(self.open, self.active)
        self.alone = copy(self.open)
        game.rules.apply(self.alone, act(bot, game, self.alone, mood(s, seat)))
        self._deals: dict[tuple[str, ...], tuple[State, list[int]]] = {}

    def done(self, terms: Sequence[str]) -> tuple[State, list[int]]:
        """The state after a deal, and its parties: none where the rules do not allow it."""
        key = _key(terms)
        if key not in self._deals:
            done = copy(self.open)
            try:
                moves, parties = desk.deal(self.open, terms)
            except IllegalMove:
                moves, parties = [], []
            for move in moves:
                self.game.rules.apply(done, move)
            self._deals[key] = done, parties
        return self._deals[key]

    def parties(self, terms: Sequence[str]) -> list[int]:
        """Who must agree; nobody where the rules do not allow the deal."""
        return self.done(terms)[1]

    def gain(self, seat: int, terms: Sequence[str]) -> float:
        """How much better than no deal a deal leaves a seat."""
        done, parties = self.done(terms)
        if not parties:
            return IMPOSSIBLE
        without = self.open if desk.is_bargain(terms) else self.alone  # a bargain leaves the action as it is
        return self.game.play.evaluate(done, seat) - self.game.play.evaluate(without, seat)

    def agrees(self, seat: int, by: int, terms: Sequence[str]) -> bool:
        """Whether a seat would accept the offer of another, its word counted in."""
        gain = self.gain(seat, terms)
        if f"refuse {seat}" in terms:
            gain -= self._worth_of_consent(seat)
        if IMPOSSIBLE < gain < MIN_GAIN and by == self.active != seat and desk.refusal(self.s, terms, seat):
            gain += KEPT_WORD
        return gain >= MIN_GAIN

    def _worth_of_consent(self, seat: int) -> float:
        """What this seat would gain by the consent that the active seat wants most."""
        asks = [text for text in desk.more(self.open, []) if consents_by(by_text()[text], seat)]
        best = max(asks, key=lambda text: self.gain(self.active, [text]), default=None)
        return 0.0 if best is None else max(0.0, self.gain(seat, [best]))

    def all_agree(self, terms: Sequence[str]) -> bool:
        """Whether all parties would accept these terms as an offer of the own seat."""
        return all(self.agrees(party, self.seat, terms) for party in self.parties(terms))

    def openings(self, start: State) -> Iterator[State]:
        """Drafts of nothing but an action that promise more than no deal does, the best first, few."""
        found = []
        for move in self.game.legal_moves(start):
            if self.game.play.talks(start, move):
                scratch = copy(start)
                self.game.rules.apply(scratch, move)
                if desk.draft(scratch)[:1] not in ([], ["bargain"]):
                    found.append((-self.game.play.evaluate(scratch, self.seat), move, scratch))
        found.sort(key=lambda one: one[:2])
        least = self.game.play.evaluate(self.alone, self.seat)
        return (scratch for value, _, scratch in found[:OPENINGS] if -value > least)

    def payments(self, terms: Sequence[str], payer: int, payee: int) -> list[tuple[int, list[str]]]:
        """Variants in which one seat gives another more, or gets less of it, by what they cost, the cheapest first."""
        there, back = f"give {payer} {payee} ", f"give {payee} {payer} "
        variants = [(_value(term), _without(terms, term)) for term in set(terms) if term.startswith(back)]
        drafting = copy(self.open)
        moves, parties = desk.deal(self.open, terms)
        for move in moves[: -len(parties)]:  # but for `ask` and every other party's `yes`
            self.game.rules.apply(drafting, move)
        possible = [self.game.notation.text(drafting, move) for move in self.game.legal_moves(drafting)]
        changes = [term for term in possible if term.startswith(back)]
        for paid in possible:
            if paid.startswith(there):
                variants.append((_value(paid), [*terms, paid]))
                for change in changes:  # laurels are not to be halved: a 3 given, a 1 returned
                    if _value(change) < _value(paid):
                        variants.append((_value(paid) - _value(change), [*terms, paid, change]))
        return sorted(variants, key=lambda one: (one[0], len(one[1]), one[1]))

    def concessions(self, terms: Sequence[str]) -> Iterator[list[str]]:
        """Variants that are better for another party: a promise of support, then ever larger payments."""
        others = [party for party in self.parties(terms) if party != self.seat]
        for party in others:
            yield [*terms, f"promise {self.seat} {party} support"]
        payments = [paid for party in others for paid in self.payments(terms, self.seat, party)]
        for _, variant in sorted(payments, key=lambda one: (one[0], len(one[1]), one[1])):
            yield variant

    def without_idle_terms(self, terms: Sequence[str]) -> list[str]:
        """The same without terms that bring the own seat nothing and nobody's agreement hangs on."""
        kept = list(terms)
        for term in terms[1:]:
            fewer = _without(kept, term)
            costs_nothing = self.gain(self.seat, fewer) >= self.gain(self.seat, kept) - EPSILON
            if costs_nothing and self.all_agree(fewer) >= self.all_agree(kept):
                kept = fewer
        return kept
