"""The exact final score of Alea Iacta Est: the best assignment of patricians to provinces (A-END-6).

Why it is small: a tile's value counts but for one point that occupation earns, so tiles of one colour are alike; each
colour has at most three women and three men, of whom adults are the highest and children the lowest; and the border
cards join the colours to a ring. So a dynamic programme walks once round the ring, colour by colour, and remembers
only what the last colour gave to the border ahead, what the first gave to the border behind it, whether joker and
free cards are used, and (for card II) the parity of the assigned patricians.

Fame and tie-break are one number, a *worth*: `256 * fame - value of the assigned patricians`; the highest worth is the
most fame, and among those the highest value left unassigned (A-END-5). The worth of a colour counts what its patricians
earn wherever they live, also on border cards.

Numbers that belong together are passed as named tuples, which cost nothing; read from the scratch array they would cost
greedy play a fifth of its speed.
"""

from typing import Any, NamedTuple

import numpy as np

from rostra.engine.game import POINTS, TIEBREAK, WINNER
from rostra.engine.jit import State, compiled
from rostra.games.alea.state import STATE, senate_cards
from rostra.games.alea.tables import (
    BORDER,
    FREE,
    FREE_2,
    II,
    III,
    IV,
    IX,
    JOKER,
    N_BORDERS,
    N_COLOURS,
    RING,
    VI,
    VII,
    VIII,
    XI,
    I,
    V,
    X,
    bit_count,
)

FAME = 256

# The three tiles of one colour and sex as a mask of values 1, 2, 3: the sum of the k highest and of the k lowest.
HIGHEST = np.zeros((8, 4), np.int64)
LOWEST = np.zeros((8, 4), np.int64)
for _mask in range(8):
    _values = [v for v in (1, 2, 3) if _mask >> (v - 1) & 1]
    for _k in range(4):
        HIGHEST[_mask, _k] = sum(_values[::-1][:_k])
        LOWEST[_mask, _k] = sum(_values[:_k])
VALUE_OF_PROVINCES = np.array([sum(v for v in (1, 2, 3, 4) if m >> (v - 1) & 1) for m in range(16)], np.int64)

# What a colour gives to a border card: nothing, a woman, a man, and either with a child of that colour as well.
NOTHING, WOMAN, MAN, WOMAN_CHILD, MAN_CHILD = range(5)
GIFTS = 5
GIVEN = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 1), (0, 1, 1)], np.int64)  # women, men, children
# How the second colour of a border may answer what the first gave (A-CARD-12): -1 not at all, 0 without making a
# couple, 1 making one. A child needs the couple, and a couple has one child (A-CARD-11).
ANSWER = np.array(
    [[0, 0, 0, -1, -1], [0, -1, 1, -1, 1], [0, 1, -1, 1, -1], [-1, -1, 1, -1, -1], [-1, 1, -1, -1, -1]], np.int64
)
ADULTS = np.array([[0, 1, 2], [3, 4, -1], [5, -1, -1]], np.int64)  # (women, men) on borders, at most two, as an index

# The scratch of one scoring, in one array: worths and choices of one colour, two rows of worths of the colours so
# far, how each worth was reached, and the last state of the best way.
N_LOCAL = 6 * 3 * 2 * 3 * 2
N_ROW = GIFTS * GIFTS * 2 * 3 * 2
CHOICES = N_LOCAL
ROWS = 2 * N_LOCAL
WAYS = ROWS + 2 * N_ROW
LAST = WAYS + N_COLOURS * N_ROW
WORK_SIZE = LAST + 1
WORK = [np.int64]
IMPOSSIBLE = -(1 << 40)


@compiled(int, int, int)
def holds(cards: int, card: int) -> int:
    """1 if this card is among the cards, else 0."""
    return cards >> card & 1


class Colour(NamedTuple):
    """One colour of a tableau, as whole numbers; also their types, for compiled code."""

    people: Any
    """The mask of its six patricians: three women, three men."""
    tiles: Any
    """How many province tiles it has."""
    cards: Any
    """All senate cards of the player."""
    is_new: Any
    """1 if no tile and no border card shows it, else 0 (A-CARD-7)."""


class People(NamedTuple):
    """Numbers of patricians: adults and children, by sex."""

    women: Any
    men: Any
    girls: Any
    boys: Any


class Gift(NamedTuple):
    """What a colour gives to border cards."""

    women: Any
    men: Any
    children: Any


class Limits(NamedTuple):
    """What the whole tableau has: jokers, free cards, parities to tell apart (two with card II), ways to give to a
    border, and ways to give to the border that closes the ring."""

    jokers: Any
    frees: Any
    parities: Any
    gifts: Any
    closings: Any


COLOUR, PEOPLE, GIFT = Colour(int, int, int, int), People(int, int, int, int), Gift(int, int, int)
LIMITS = Limits(int, int, int, int, int)
"""The types of these, for `compiled`."""


@compiled(int, COLOUR, PEOPLE, int, int, int, int)
def colour_worth(colour: Any, assigned: Any, occupied: int, couples: int, joker: int, free: int) -> int:
    """What one colour earns: the patricians assigned anywhere, the provinces and couples that they make apart from
    border cards, and the joker and free cards among those provinces."""
    people, cards = colour.people, colour.cards
    women, men, girls, boys = assigned.women, assigned.men, assigned.girls, assigned.boys
    value = HIGHEST[people & 7, women] + HIGHEST[people >> 3, men]  # A-END-3
    fame = value + girls + boys  # A-CARD-11: a child scores 1
    fame += occupied  # A-END-2: a vacant tile scores one less; A-CARD-13: 1 for an occupied free province
    fame += holds(cards, VIII) * (occupied - free)  # A-CARD-8
    fame += holds(cards, V) * couples  # A-CARD-5
    if joker + free:
        fame += holds(cards, VII) * colour.is_new  # A-CARD-7
    fame += holds(cards, IX) * (women + girls)  # A-CARD-9
    fame += holds(cards, X) * (men + boys)  # A-CARD-10
    if women + men:
        fame += holds(cards, VI)  # A-CARD-6
    fame += holds(cards, II) * ((women + men + girls + boys) // 2)  # A-CARD-2, the odd one by parity
    return int(FAME * fame - value - LOWEST[people & 7, girls] - LOWEST[people >> 3, boys])


@compiled(None, COLOUR, GIFT, int, int, WORK, int)
def best_of_colour(colour: Any, gift: Any, joker: int, free: int, work: Any, at: int) -> None:
    """The best worth of one colour that gives this to borders and occupies joker and free cards so.

    Writes worth and choice for an even and an odd number of patricians (only even counts without card II).
    """
    with_children, with_parity = holds(colour.cards, XI), holds(colour.cards, II)
    work[at] = work[at + 1] = IMPOSSIBLE
    women_left = bit_count(colour.people & 7) - gift.women
    men_left = bit_count(colour.people >> 3) - gift.men
    provinces = colour.tiles + joker + free
    for women in range(min(women_left, provinces) + 1):
        for men in range(min(men_left, provinces) + 1):  # A-END-1: one of each in a province
            most = min(women + men, provinces)
            least = max(women, men, joker + free)
            if least > most:
                continue
            # An occupied province is worth at least what a couple is, except that only couples have children.
            for occupied in range(least if with_children else most, most + 1):
                couples = women + men - occupied
                children = gift.children + (couples if with_children else 0)
                for girls in range(min(women_left - women, children) + 1):
                    for boys in range(min(men_left - men, children - girls) + 1):
                        if girls + boys < gift.children:
                            continue
                        assigned = People(women + gift.women, men + gift.men, girls, boys)
                        worth = colour_worth(colour, assigned, occupied, couples, joker, free)
                        odd = (assigned.women + assigned.men + girls + boys) & with_parity
                        if worth > work[at + odd]:
                            work[at + odd] = worth
                            work[CHOICES + at + odd] = (((women * 8 + men) * 8 + occupied) * 8 + girls) * 8 + boys


@compiled(int, int, int, int, int, int)
def local_index(women: int, men: int, children: int, joker: int, free: int) -> int:
    """Where the worths of a colour with these gifts and provinces stand in the scratch (even; odd behind it)."""
    return int((((ADULTS[women, men] * 3 + children) * 2 + joker) * 3 + free) * 2)


@compiled(int, int, int)
def shown_colours(provinces: int, cards: int) -> int:
    """A mask of the colours that tiles and border cards show by themselves (A-CARD-7)."""
    colours = 0
    for colour in range(N_COLOURS):
        if provinces >> (4 * colour) & 15:
            colours |= 1 << colour
    for border in range(N_BORDERS):
        if holds(cards, BORDER + border):
            colours |= 1 << int(RING[border]) | 1 << int(RING[(border + 1) % N_BORDERS])
    return colours


@compiled(None, COLOUR, int, LIMITS, WORK)
def fill_colour(colour: Any, borders: int, limits: Any, work: Any) -> None:
    """The best worths of one colour for all it may give to its borders and all joker and free cards it may use."""
    for women in range(borders + 1):
        for men in range(borders + 1 - women):
            for children in range(borders + 1 if limits.gifts == GIFTS else 1):
                gift = Gift(women, men, children)
                for joker in range(limits.jokers + 1):
                    for free in range(limits.frees + 1):
                        at = local_index(women, men, children, joker, free)
                        best_of_colour(colour, gift, joker, free, work, at)


@compiled(None, int, int, int, LIMITS, (int, int), int, WORK)
def extend(base: int, local: int, extra: int, limits: Any, places: Any, way: int, work: Any) -> None:
    """Continue from one state with one pair of gifts: try all joker and free cards that are left, and both parities.

    A state's `extra` is its joker, free cards and parity as one number; `places` are where the new states, and how they
    were reached, stand in the scratch; `way` is how this state was reached.
    """
    frees, parities = limits.frees, limits.parities
    to, ways = places
    used = extra // parities
    odd = extra % parities
    for joker in range(limits.jokers - used // (frees + 1) + 1):
        for free in range(frees - used % (frees + 1) + 1):
            for more_odd in range(parities):
                gain = work[local + (joker * 3 + free) * 2 + more_odd]
                if gain == IMPOSSIBLE:
                    continue
                worth = base + gain + FAME * (odd & more_odd)  # A-CARD-2: two odd ones make a pair
                end = (used + joker * (frees + 1) + free) * parities + (odd ^ more_odd)
                if worth > work[to + end]:
                    work[to + end] = worth
                    work[ways + end] = ((way * 2 + joker) * 4 + free) * 2 + more_odd


class Layer(NamedTuple):
    """One step around the ring: which one, where the states so far and the new ones stand in the scratch, how many
    states there are, and in how many ways the colour can give to the border behind, and to the one ahead."""

    step: Any
    row: Any
    next_row: Any
    states: Any
    firsts: Any
    seconds: Any


LAYER = Layer(int, int, int, int, int, int)


@compiled(None, LAYER, LIMITS, int, WORK)
def add_colour(layer: Any, limits: Any, border_fame: int, work: Any) -> None:
    """Continue from every state so far with everything that the next colour can give to its two borders."""
    first_colour, last_colour = layer.step == 0, layer.step == N_COLOURS - 1
    extras = (limits.jokers + 1) * (limits.frees + 1) * limits.parities
    aheads = 1 if first_colour else layer.firsts
    for state in range(layer.states):
        so_far = work[layer.row + state]
        if so_far == IMPOSSIBLE:
            continue
        ahead = state // extras % aheads
        closing = state // extras // aheads
        for pair in range(layer.firsts * layer.seconds):
            first, second = pair // layer.seconds, pair % layer.seconds
            couple = 0 if first_colour else ANSWER[ahead, first]
            last_couple = ANSWER[closing, second] if last_colour else 0
            if couple < 0 or last_couple < 0:
                continue
            to = 0 if last_colour else ((first if first_colour else closing) * layer.seconds + second) * extras
            local = local_index(
                GIVEN[first, 0] + GIVEN[second, 0], GIVEN[first, 1] + GIVEN[second, 1],
                GIVEN[first, 2] + GIVEN[second, 2], 0, 0,
            )  # fmt: skip
            base = so_far + (couple + last_couple) * border_fame
            places = (layer.next_row + to, WAYS + layer.step * N_ROW + to)
            extend(base, local, state % extras, limits, places, (state * 8 + first) * 8 + second, work)


@compiled(int, int, int, int, WORK)
def best_worth(provinces: int, patricians: int, cards: int, work: Any) -> int:
    """The highest worth of any assignment, without what does not depend on it (`fixed_fame`)."""
    gifts = GIFTS if holds(cards, XI) else 3
    closings = gifts if holds(cards, BORDER + N_BORDERS - 1) else 1
    frees = holds(cards, FREE) + holds(cards, FREE_2)
    limits = Limits(provinces >> JOKER & 1, frees, 1 + holds(cards, II), gifts, closings)
    extras = (limits.jokers + 1) * (frees + 1) * limits.parities
    colours = shown_colours(provinces, cards)
    border_fame = FAME * (3 + holds(cards, V))  # A-CARD-12, A-CARD-5
    row, next_row = ROWS, ROWS + N_ROW
    for extra in range(1, extras):
        work[row + extra] = IMPOSSIBLE
    work[row] = 0
    aheads, states = 1, extras
    for step in range(N_COLOURS):
        last = step == N_COLOURS - 1
        # The first gift goes to the border behind (of the first colour: the closing one), the second ahead.
        firsts = closings if step == 0 else aheads
        seconds = closings
        if not last:
            seconds = gifts if holds(cards, BORDER + step) else 1
        at = int(RING[step])
        tiles = bit_count(provinces >> (4 * at) & 15)
        colour = Colour(patricians >> (6 * at) & 63, tiles, cards, 1 - (colours >> at & 1))
        fill_colour(colour, (1 if firsts > 1 else 0) + (1 if seconds > 1 else 0), limits, work)
        next_states = extras if last else closings * seconds * extras
        for state in range(next_states):
            work[next_row + state] = IMPOSSIBLE
        add_colour(Layer(step, row, next_row, states, firsts, seconds), limits, border_fame, work)
        row, next_row = next_row, row
        aheads, states = (1 if last else seconds), next_states
    best = IMPOSSIBLE
    for extra in range(extras):
        worth = work[row + extra]
        if extra // limits.parities < (limits.jokers + 1) * (frees + 1) - 1:  # not all of joker and free cards are used
            worth += FAME * holds(cards, VII)  # A-CARD-7: grey
        if worth > best:
            best = worth
            work[LAST] = extra
    return int(best)


@compiled(int, int, int, int)
def fixed_fame(provinces: int, cards: int, tokens: int) -> int:
    """The fame of provinces and senate cards that no assignment changes: tiles as if vacant (A-END-2), cards."""
    fame = 0
    for colour in range(N_COLOURS):
        fame += VALUE_OF_PROVINCES[provinces >> (4 * colour) & 15]
    tiles = bit_count(provinces)
    fame -= tiles
    if holds(cards, I):  # A-CARD-1
        fame += 1 + (tiles + bit_count(cards >> BORDER)) // 2
    if holds(cards, III):  # A-CARD-3
        fame += 1 + bit_count(cards)
    if holds(cards, IV):  # A-CARD-4
        fame += 1 + 2 * (tokens // 3)
    if holds(cards, VII):  # A-CARD-7
        fame += bit_count(shown_colours(provinces, cards))
    return int(fame + holds(cards, V))  # A-CARD-5


@compiled(int, STATE, int, int, WORK)
def seat_worth(s: State, seat: int, cards: int, work: Any) -> int:
    """The worth of all a seat has, if these are its senate cards (A-END-4, A-END-6)."""
    tokens = s.kept[seat, 0] + s.kept[seat, 1] + s.kept[seat, 2]
    fame = fixed_fame(s.provinces[seat], cards, tokens)
    fame += int(s.kept[seat, 0] + 2 * s.kept[seat, 1] + 3 * s.kept[seat, 2])
    fame += int(s.chips[seat] // 2)
    return int(FAME * fame + best_worth(s.provinces[seat], s.patricians[seat], cards, work))


@compiled(int, int)
def fame_of(worth: int) -> int:
    """The fame points in a worth."""
    return (worth + FAME - 1) // FAME


@compiled(int, int)
def patricians_value(patricians: int) -> int:
    """The value of all these patricians."""
    value = 0
    for group in range(2 * N_COLOURS):
        value += HIGHEST[patricians >> (3 * group) & 7, 3]
    return int(value)


@compiled(None, STATE, [[np.int32]])
def score(s: State, out: Any) -> None:
    """Points, value of the unassigned patricians, and winners (A-END-5); of an unfinished game: as it stands."""
    work = np.empty(WORK_SIZE, np.int64)
    best = IMPOSSIBLE
    for seat in range(s.n):
        worth = seat_worth(s, seat, senate_cards(s, seat), work)
        fame = fame_of(worth)
        out[POINTS, seat] = fame
        out[TIEBREAK, seat] = patricians_value(s.patricians[seat]) - (FAME * fame - worth)
        best = max(best, FAME * int(out[POINTS, seat]) + int(out[TIEBREAK, seat]))
    for seat in range(s.n):
        out[WINNER, seat] = 1 if FAME * int(out[POINTS, seat]) + int(out[TIEBREAK, seat]) == best else 0
