"""The exact final score of Alea Iacta Est: the best assignment of patricians to provinces (A-END-6).

Why it is small: a tile's value counts but for one point that occupation earns, so tiles of one colour are alike; each
colour has at most three women and three men, of whom adults are the highest and children the lowest; and the border
cards join the colours to a ring. So a dynamic programme walks once round the ring, colour by colour, and remembers
only what the last colour gave to the border ahead, what the first gave to the border behind it, whether joker and
free cards are used, and (for card II) the parity of the assigned patricians.

Fame and tie-break are one number, a *worth*: `256 * fame - value of the assigned patricians`; the highest worth is the
most fame, and among those the highest value left unassigned (A-END-5). The worth of a colour counts what its patricians
earn wherever they live, also on border cards.
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

# The scratch of one scoring, in one array: worths and choices of one colour, two rows of worths of the colours so far,
# how each worth was reached, the last state of the best way; then what stays the same for a scoring, and for a colour.
N_LOCAL = 6 * 3 * 2 * 3 * 2
N_ROW = GIFTS * GIFTS * 2 * 3 * 2
CHOICES = N_LOCAL
ROWS = 2 * N_LOCAL
WAYS = ROWS + 2 * N_ROW
LAST = WAYS + N_COLOURS * N_ROW
CARDS, JOKERS, FREES, PARITIES, EXTRAS, GIFT_KINDS = range(LAST + 1, LAST + 7)
PEOPLE, TILES, NEW_COLOUR, FIRSTS, SECONDS, AHEADS = range(LAST + 7, LAST + 13)
WORK_SIZE = LAST + 13
WORK = [np.int64]
IMPOSSIBLE = -(1 << 40)


@compiled(int, int, int)
def holds(cards: int, card: int) -> int:
    """1 if this card is among the cards, else 0."""
    return cards >> card & 1


@compiled(int, int, int, int, int, int, int)
def people_worth(people: int, cards: int, women: int, men: int, girls: int, boys: int) -> int:
    """What the assigned patricians of one colour earn; `people` is the mask of its six tiles."""
    value = HIGHEST[people & 7, women] + HIGHEST[people >> 3, men]  # A-END-3
    fame = value + girls + boys  # A-CARD-11: a child scores 1
    fame += holds(cards, IX) * (women + girls)  # A-CARD-9
    fame += holds(cards, X) * (men + boys)  # A-CARD-10
    if women + men:
        fame += holds(cards, VI)  # A-CARD-6
    fame += holds(cards, II) * ((women + men + girls + boys) // 2)  # A-CARD-2, the odd one by parity
    return int(FAME * fame - value - LOWEST[people & 7, girls] - LOWEST[people >> 3, boys])


@compiled(int, int, int, int, int, int)
def homes_fame(cards: int, occupied: int, couples: int, free: int, new_colour: int) -> int:
    """The fame of the provinces that one colour occupies apart from border cards.

    `free` of them are free cards, and `new_colour` is 1 if one has a colour that no other province has.
    """
    fame = occupied  # A-END-2: a vacant tile scores one less; A-CARD-13: 1 for an occupied free province
    fame += holds(cards, VIII) * (occupied - free)  # A-CARD-8
    fame += holds(cards, V) * couples  # A-CARD-5
    return fame + holds(cards, VII) * new_colour  # A-CARD-7


@compiled(int, int, int, int, int, int)
def local_index(women: int, men: int, children: int, joker: int, free: int) -> int:
    """The place in the scratch for the worths of a colour with these gifts and provinces (even; odd behind it)."""
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


@compiled(None, int, int, int, int, int, WORK)
def best_of_colour(border_women: int, border_men: int, border_children: int, joker: int, free: int, work: Any) -> None:
    """The best worth of the present colour that gives this much to borders and occupies joker and free cards so.

    Writes worth and choice for an even and an odd number of patricians (only even counts without card II).
    """
    people, cards = work[PEOPLE], work[CARDS]
    new_colour = work[NEW_COLOUR] if joker + free else 0
    at = local_index(border_women, border_men, border_children, joker, free)
    with_children, with_parity = holds(cards, XI), holds(cards, II)
    work[at] = work[at + 1] = IMPOSSIBLE
    all_women, all_men = bit_count(people & 7), bit_count(people >> 3)
    provinces = work[TILES] + joker + free
    for women in range(min(all_women - border_women, provinces) + 1):
        for men in range(min(all_men - border_men, provinces) + 1):  # A-END-1: one of each in a province
            most = min(women + men, provinces)
            least = max(women, men, joker + free)
            if least > most:
                continue
            adults = women + border_women + men + border_men
            # An occupied province is worth at least what a couple is, except that only couples have children.
            for occupied in range(least if with_children else most, most + 1):
                couples = women + men - occupied
                children = border_children + (couples if with_children else 0)
                homes = FAME * homes_fame(cards, occupied, couples, free, new_colour)
                for girls in range(min(all_women - border_women - women, children) + 1):
                    for boys in range(min(all_men - border_men - men, children - girls) + 1):
                        if girls + boys < border_children:
                            continue
                        worth = homes + people_worth(people, cards, women + border_women, men + border_men, girls, boys)
                        odd = (adults + girls + boys) & with_parity
                        if worth > work[at + odd]:
                            work[at + odd] = worth
                            work[CHOICES + at + odd] = (((women * 8 + men) * 8 + occupied) * 8 + girls) * 8 + boys


@compiled(None, int, WORK)
def fill_colour(borders: int, work: Any) -> None:
    """The best worths of the present colour for all it may give to its borders and all joker and free cards."""
    with_children = work[GIFT_KINDS] == GIFTS
    for women in range(borders + 1):
        for men in range(borders + 1 - women):
            for children in range(borders + 1 if with_children else 1):
                for joker in range(work[JOKERS] + 1):
                    for free in range(work[FREES] + 1):
                        best_of_colour(women, men, children, joker, free, work)


@compiled(None, int, int, int, int, int, int, WORK)
def extend(base: int, local: int, extra: int, to: int, ways: int, way: int, work: Any) -> None:
    """Continue from one state with one pair of gifts: try all joker and free cards that are left, and both parities.

    A state's `extra` is its joker, free cards and parity as one number. The new states are written from `to` on, and
    from `ways` on how they were reached; `way` is how this one was reached.
    """
    frees, parities = work[FREES], work[PARITIES]
    used = extra // parities
    odd = extra % parities
    for joker in range(work[JOKERS] - used // (frees + 1) + 1):
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


@compiled(None, int, int, int, int, WORK)
def add_colour(step: int, state: int, so_far: int, next_row: int, work: Any) -> None:
    """Continue from one state of the colours so far with all that the present colour can give to both its borders."""
    extras, seconds, aheads = work[EXTRAS], work[SECONDS], work[AHEADS]
    border_fame = FAME * (3 + holds(work[CARDS], V))  # A-CARD-12, A-CARD-5
    last = step == N_COLOURS - 1
    extra = state % extras
    ahead = state // extras % aheads
    closing = state // extras // aheads
    for first in range(work[FIRSTS]):
        couple = 0 if step == 0 else ANSWER[ahead, first]
        if couple < 0:
            continue
        for second in range(seconds):
            last_couple = ANSWER[closing, second] if last else 0
            if last_couple < 0:
                continue
            to = 0 if last else ((first if step == 0 else closing) * seconds + second) * extras
            local = local_index(
                GIVEN[first, 0] + GIVEN[second, 0],
                GIVEN[first, 1] + GIVEN[second, 1],
                GIVEN[first, 2] + GIVEN[second, 2],
                0,
                0,
            )
            base = so_far + (couple + last_couple) * border_fame
            way = (state * 8 + first) * 8 + second
            extend(base, local, extra, next_row + to, WAYS + step * N_ROW + to, way, work)


@compiled(None, int, int, WORK)
def begin_scoring(provinces: int, cards: int, work: Any) -> None:
    """Note what stays the same for a scoring; one state so far, nothing given and nothing used."""
    work[CARDS] = cards
    work[JOKERS] = provinces >> JOKER & 1
    work[FREES] = holds(cards, FREE) + holds(cards, FREE_2)
    work[PARITIES] = 1 + holds(cards, II)
    work[EXTRAS] = (work[JOKERS] + 1) * (work[FREES] + 1) * work[PARITIES]
    work[GIFT_KINDS] = GIFTS if holds(cards, XI) else 3
    work[ROWS] = 0
    for extra in range(1, work[EXTRAS]):
        work[ROWS + extra] = IMPOSSIBLE


@compiled(None, int, int, int, int, WORK)
def begin_colour(colour: int, provinces: int, patricians: int, colours: int, work: Any) -> None:
    """Make this the present colour; `colours` is the mask of those that provinces show by themselves."""
    work[PEOPLE] = patricians >> (6 * colour) & 63
    work[TILES] = bit_count(provinces >> (4 * colour) & 15)
    work[NEW_COLOUR] = 1 - (colours >> colour & 1)


@compiled(int, int, WORK)
def best_end(row: int, work: Any) -> int:
    """The highest worth in the last row of states; work[LAST] is where it stands."""
    everything = (work[JOKERS] + 1) * (work[FREES] + 1) - 1
    best = IMPOSSIBLE
    for extra in range(work[EXTRAS]):
        worth = work[row + extra]
        if extra // work[PARITIES] < everything:  # not all of joker and free cards are used
            worth += FAME * holds(work[CARDS], VII)  # A-CARD-7: grey
        if worth > best:
            best = worth
            work[LAST] = extra
    return int(best)


@compiled(int, int, int, int, WORK)
def best_worth(provinces: int, patricians: int, cards: int, work: Any) -> int:
    """The highest worth of any assignment, without what does not depend on it (`fixed_fame`)."""
    begin_scoring(provinces, cards, work)
    extras, gifts = work[EXTRAS], work[GIFT_KINDS]
    closings = gifts if holds(cards, BORDER + N_BORDERS - 1) else 1
    colours = shown_colours(provinces, cards)
    row, next_row = ROWS, ROWS + N_ROW
    aheads, states = 1, extras
    for step in range(N_COLOURS):
        last = step == N_COLOURS - 1
        # The first gift goes to the border behind (of the first colour: the closing one), the second ahead.
        firsts = closings if step == 0 else aheads
        seconds = closings
        if not last:
            seconds = gifts if holds(cards, BORDER + step) else 1
        work[FIRSTS], work[SECONDS], work[AHEADS] = firsts, seconds, aheads
        begin_colour(RING[step], provinces, patricians, colours, work)
        fill_colour((1 if firsts > 1 else 0) + (1 if seconds > 1 else 0), work)
        next_states = extras if last else closings * seconds * extras
        for state in range(next_states):
            work[next_row + state] = IMPOSSIBLE
        for state in range(states):
            if work[row + state] != IMPOSSIBLE:
                add_colour(step, state, work[row + state], next_row, work)
        row, next_row = next_row, row
        aheads, states = (1 if last else seconds), next_states
    return best_end(row, work)


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
