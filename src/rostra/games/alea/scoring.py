"""The exact final score of Alea Iacta Est: the best assignment of patricians to provinces (A-END-6).

Why it is small: a tile's value counts but for one point that occupation earns, so tiles of one colour are alike; each
colour has at most three women and three men, of whom adults are the highest and children the lowest; and the border
cards join the colours to a ring. So a dynamic programme walks once round the ring, colour by colour, and remembers
only what the last colour gave to the border ahead, what the first gave to the border behind it, whether joker and
free cards are used, and (for card II) the parity of the assigned patricians.

Fame and tie-break are one number, a *worth*: `256 * fame - value of the assigned patricians`; the highest worth is the
most fame, and among those the highest value left unassigned (A-END-5). The worth of a colour counts what its patricians
earn wherever they live, also on border cards.

Parameters that stay the same for a scoring are passed as numbers: read from the scratch array they cost greedy play a
fifth of its speed.
"""

from typing import Any

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


@compiled(int, int, int, int, int, int, int, int, int, int, int)
def colour_worth(
    people: int,
    cards: int,
    women: int,
    men: int,
    girls: int,
    boys: int,
    occupied: int,
    couples: int,
    free: int,
    new_colour: int,
) -> int:
    """What one colour earns.

    `people` is the mask of its six tiles; then come the numbers of adults and children assigned anywhere, of the
    provinces and couples they make apart from border cards, of free cards among those provinces, and whether one of
    them has a colour that no other province has.
    """
    value = HIGHEST[people & 7, women] + HIGHEST[people >> 3, men]  # A-END-3
    fame = value + girls + boys  # A-CARD-11: a child scores 1
    fame += occupied  # A-END-2: a vacant tile scores one less; A-CARD-13: 1 for an occupied free province
    fame += holds(cards, VIII) * (occupied - free)  # A-CARD-8
    fame += holds(cards, V) * couples  # A-CARD-5
    fame += holds(cards, VII) * new_colour  # A-CARD-7
    fame += holds(cards, IX) * (women + girls)  # A-CARD-9
    fame += holds(cards, X) * (men + boys)  # A-CARD-10
    if women + men:
        fame += holds(cards, VI)  # A-CARD-6
    fame += holds(cards, II) * ((women + men + girls + boys) // 2)  # A-CARD-2, the odd one by parity
    return int(FAME * fame - value - LOWEST[people & 7, girls] - LOWEST[people >> 3, boys])


@compiled(None, int, int, int, int, int, int, int, int, int, WORK, int)
def best_of_colour(
    people: int,
    tiles: int,
    cards: int,
    border_women: int,
    border_men: int,
    border_children: int,
    joker: int,
    free: int,
    new_colour: int,
    work: Any,
    at: int,
) -> None:
    """The best worth of one colour that gives this much to borders and occupies joker and free cards so.

    Writes worth and choice for an even and an odd number of patricians (only even counts without card II).
    """
    with_children = holds(cards, XI)
    with_parity = holds(cards, II)
    work[at] = work[at + 1] = IMPOSSIBLE
    all_women, all_men = bit_count(people & 7), bit_count(people >> 3)
    provinces = tiles + joker + free
    for women in range(min(all_women - border_women, provinces) + 1):
        for men in range(min(all_men - border_men, provinces) + 1):  # A-END-1: one of each in a province
            most = min(women + men, provinces)
            least = max(women, men, joker + free)
            if least > most:
                continue
            # An occupied province is worth at least what a couple is, except that only couples have children.
            for occupied in range(least if with_children else most, most + 1):
                couples = women + men - occupied
                children = border_children + (couples if with_children else 0)
                for girls in range(min(all_women - border_women - women, children) + 1):
                    for boys in range(min(all_men - border_men - men, children - girls) + 1):
                        if girls + boys < border_children:
                            continue
                        worth = colour_worth(
                            people,
                            cards,
                            women + border_women,
                            men + border_men,
                            girls,
                            boys,
                            occupied,
                            couples,
                            free,
                            new_colour,
                        )
                        odd = (women + border_women + men + border_men + girls + boys) & with_parity
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


@compiled(None, int, int, int, int, int, int, int, int, WORK)
def fill_colour(
    people: int, tiles: int, cards: int, borders: int, jokers: int, frees: int, new_colour: int, gifts: int, work: Any
) -> None:
    """The best worths of one colour for all it may give to its borders and all joker and free cards it may use."""
    for women in range(borders + 1):
        for men in range(borders + 1 - women):
            for children in range(borders + 1 if gifts == GIFTS else 1):
                for joker in range(jokers + 1):
                    for free in range(frees + 1):
                        at = local_index(women, men, children, joker, free)
                        new = new_colour if joker + free else 0
                        best_of_colour(people, tiles, cards, women, men, children, joker, free, new, work, at)


@compiled(None, int, int, int, int, int, int, int, int, int, WORK)
def extend(
    base: int, local: int, extra: int, jokers: int, frees: int, parities: int, to: int, ways: int, way: int, work: Any
) -> None:
    """Continue from one state with one pair of gifts: try all joker and free cards that are left, and both parities.

    A state's `extra` is its joker, free cards and parity as one number; `to` and `ways` are where the new states and
    how they were reached stand, `way` is how this one was.
    """
    used = extra // parities
    odd = extra % parities
    for joker in range(jokers - used // (frees + 1) + 1):
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


@compiled(int, int, int, int, WORK)
def best_worth(provinces: int, patricians: int, cards: int, work: Any) -> int:
    """The highest worth of any assignment, without what does not depend on it (`fixed_fame`)."""
    jokers = provinces >> JOKER & 1
    frees = holds(cards, FREE) + holds(cards, FREE_2)
    parities = 1 + holds(cards, II)
    extras = (jokers + 1) * (frees + 1) * parities
    gifts = GIFTS if holds(cards, XI) else 3
    closings = gifts if holds(cards, BORDER + N_BORDERS - 1) else 1
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
        colour = int(RING[step])
        fill_colour(
            patricians >> (6 * colour) & 63,
            bit_count(provinces >> (4 * colour) & 15),
            cards,
            (1 if firsts > 1 else 0) + (1 if seconds > 1 else 0),
            jokers,
            frees,
            1 - (colours >> colour & 1),
            gifts,
            work,
        )
        next_states = extras if last else closings * seconds * extras
        for state in range(next_states):
            work[next_row + state] = IMPOSSIBLE
        for state in range(states):
            so_far = work[row + state]
            if so_far == IMPOSSIBLE:
                continue
            extra = state % extras
            ahead = state // extras % aheads
            closing = state // extras // aheads
            for pair in range(firsts * seconds):
                first, second = pair // seconds, pair % seconds
                couple = 0 if step == 0 else ANSWER[ahead, first]
                last_couple = ANSWER[closing, second] if last else 0
                if couple < 0 or last_couple < 0:
                    continue
                to = 0 if last else ((first if step == 0 else closing) * seconds + second) * extras
                extend(
                    so_far + (couple + last_couple) * border_fame,
                    local_index(
                        GIVEN[first, 0] + GIVEN[second, 0],
                        GIVEN[first, 1] + GIVEN[second, 1],
                        GIVEN[first, 2] + GIVEN[second, 2],
                        0,
                        0,
                    ),
                    extra,
                    jokers,
                    frees,
                    parities,
                    next_row + to,
                    WAYS + step * N_ROW + to,
                    (state * 8 + first) * 8 + second,
                    work,
                )
        row, next_row = next_row, row
        aheads, states = (1 if last else seconds), next_states
    best = IMPOSSIBLE
    for extra in range(extras):
        worth = work[row + extra]
        if extra // parities < (jokers + 1) * (frees + 1) - 1:  # not all of joker and free cards are used
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
