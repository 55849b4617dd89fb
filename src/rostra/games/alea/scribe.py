"""Texts of Alea Iacta Est written by compiled code, sign by sign: moves, and what one seat may see as JSON.

A live server sends a view to every seat and all legal moves after every move, so these are written into bytes at once.
All that stands in them is digits and codes of ours, so nothing needs escaping. What a newcomer would get wrong: nothing
in a view may depend on another seat's secrets, not even the order of items; tests compare whole views of states that
differ only in secrets.
"""

from typing import Any

import numpy as np

from rostra.engine.game import POINTS, SPECTATOR, Scribe
from rostra.engine.jit import State, compiled
from rostra.games.alea.chance import draw_verifiably
from rostra.games.alea.choices import MOVES, hand_on_offer, templum_needs
from rostra.games.alea.scoring import score
from rostra.games.alea.state import STATE, columns, number_of_cards, senate_cards, with_card, with_templum
from rostra.games.alea.tables import (
    AGAIN,
    BIT_OF,
    CARD,
    CARDS,
    CASTRUM,
    DEAL,
    DICE,
    DRAWN_CARD,
    DRAWN_TOKEN,
    FACES,
    FINISHED,
    FORUM,
    FORUM_DICE,
    FREE,
    INTERVALS,
    IS_CHANCE,
    KEEP_TOKENS,
    KEEPS,
    LATRINA,
    MAX_SETS,
    N_TOKEN_VALUES,
    NEW_PATRICIAN,
    NEW_PROVINCE,
    PATRICIAN,
    PATRICIANS,
    PHASES,
    PROVINCE,
    PROVINCES,
    ROLLED,
    ROLLS,
    SENATE_HAND,
    SENATUS,
    SETS,
    START_SEAT,
    SUMS,
    TAKE_CARD,
    TEMPLUM,
    bit_count,
    index_of,
    kind_of,
    roll_rank,
)

ROOM = 1 << 14
"""Bytes that any of these texts finds enough: the longest is the list of all rolls of eight dice."""
SIGNS, ENDS = [np.uint8], [np.int64]
"""The types of texts and of where they end, for `compiled`."""

_words: list[str] = []


def _word(*texts: str) -> int:
    """Put texts into the table of words; the number of the first."""
    _words.extend(texts)
    return len(_words) - len(texts)


_BUILDING = _word(*"TSCFLR")
_KEEP, _TAKE, _OUTCOME, _SEAT = _word("K"), _word("+"), _word("="), _word("=s")
_CARD, _PROVINCE, _PATRICIAN = _word(*CARDS, CARDS[FREE]), _word(*PROVINCES), _word(*PATRICIANS)
_OPEN, _CLOSE, _EMPTY, _COMMA = _word("["), _word("]"), _word("[]"), _word(",")
_FIRST_TEXT, _NEXT_TEXT, _LAST_TEXT, _END = _word('["'), _word('","'), _word('"]'), _word("}")
_GAME, _TURN, _NULL = _word('{"game":"alea","seat":'), _word(',"turn":'), _word("null")
_BY_CHANCE, _IS_OVER, _PHASE = _word('"chance"'), _word('"over"'), _word(*(f',"phase":"{name}"' for name in PHASES))
_ACTIVE, _SET, _SETS, _ROUND = _word(',"active":'), _word(',"set":'), _word(',"sets":'), _word(',"round":')
_START, _ROLL, _OFFERED = _word(',"start":'), _word(',"roll":"'), _word('","offered":{')
_PROVINCES, _PATRICIANS = _word('"provinces":'), _word(',"patricians":')
_STACKS, _DECK, _SUPPLY = _word('},"stacks":{"provinces":'), _word(',"senate":'), _word(',"fortuna":')
_DISCARDS, _TEMPLUM, _SENATUS = _word('},"discards":"'), _word('","templum":'), _word(',"senatus":')
_CASTRUM, _COLUMNS, _FORUM, _LATRINA = (
    _word(',"castrum":'),
    _word(',"columns":'),
    _word(',"forum":'),
    _word(',"latrina":'),
)
_PLAYERS, _WHO, _DICE, _SUM = _word(',"players":['), _word('{"seat":'), _word(',"dice":'), _word(',"sum":')
_FACES, _DIE, _FACES_END = _word(',"dice":"'), _word(',"die":'), _word('"}')
_HAS_DICE, _CHIPS, _KEPT = _word('{"dice":'), _word(',"chips":'), _word(',"fortuna":"')
_DRAWN, _POINTS, _OWN = _word('","drawn":'), _word(',"points":'), _word(',"own":')
_SECRET, _HELD, _PASSED, _CHOICE = _word('{"drawn":"'), _word('","senate":'), _word(',"passed":'), _word(',"choice":')

_WIDTH = 32
_LETTERS = np.array([list(word.ljust(_WIDTH).encode()) for word in _words], np.uint8)
_LENGTHS = np.array([len(word) for word in _words], np.int64)
_ZERO = ord("0")


@compiled(int, SIGNS, int, int)
def put(out: Any, n: int, word: int) -> int:
    """Append a word; like all of these, return the new length. The blanks after it are overwritten by what follows:
    to copy always as many signs is quicker, if no place may be counted from the end."""
    first, row = np.uint64(n), np.uint64(word)
    for at in range(np.uint64(_WIDTH)):
        out[first + at] = _LETTERS[row, at]
    return n + int(_LENGTHS[word])


@compiled(int, SIGNS, int, int)
def put_number(out: Any, n: int, number: int) -> int:
    """Append a whole number that is not negative."""
    tens = 1
    while tens * 10 <= number:
        tens *= 10
    while tens:
        out[n] = _ZERO + number // tens % 10
        n += 1
        tens //= 10
    return n


@compiled(int, SIGNS, int, int, int)
def put_dice(out: Any, n: int, face: int, number: int) -> int:
    """Append the digit of a face (or the value of a token) so many times."""
    for _ in range(number):
        out[n] = _ZERO + face
        n += 1
    return n


@compiled(int, SIGNS, int, int, int)
def put_names(out: Any, n: int, mask: int, first: int) -> int:
    """Append a list of the words from `first` on whose bits are set."""
    if mask == 0:
        return put(out, n, _EMPTY)
    word = _FIRST_TEXT
    while mask:
        lowest = mask & -mask
        n = put(out, put(out, n, word), first + BIT_OF[lowest % 67])
        word = _NEXT_TEXT
        mask ^= lowest
    return put(out, n, _LAST_TEXT)


# Moves.


@compiled(int, STATE, int, SIGNS, int)
def put_templum(s: State, total: int, out: Any, n: int) -> int:
    """Append the lexically smallest dice of the roll that make this sum: of each die the lowest that still can."""
    needs = templum_needs(s)
    packed = 0
    for face in range(FACES):
        packed |= int(s.roll[face]) << (4 * face)
    for face in range(1, FACES + 1):
        one = 1 << (4 * (face - 1))
        while needs and packed & 15 * one and int(SUMS[roll_rank(packed - one), needs - 1]) >> (total - face) & 1:
            n = put_dice(out, n, face, 1)
            needs -= 1
            total -= face
            packed -= one
        packed &= ~(15 * one)  # dice that follow are not lower
    return n


@compiled(int, STATE, int, SIGNS, int)
def put_rolled(s: State, chosen: int, out: Any, n: int) -> int:
    """Append the dice of the sorted roll at these bits."""
    position = 0
    for face in range(FACES):
        for _ in range(s.roll[face]):
            n = put_dice(out, n, face + 1, chosen >> position & 1)
            position += 1
    return n


@compiled(int, STATE, int, SIGNS, int)
def put_placing(s: State, move: int, out: Any, n: int) -> int:
    """Append a decision of a turn; of all spellings the smallest."""
    kind, index = kind_of(move), index_of(move)
    n = put(out, n, _BUILDING + kind)
    if kind == TEMPLUM:
        n = put_templum(s, index + 1, out, n)
    elif kind == SENATUS:
        for face in range(INTERVALS[index, 0], INTERVALS[index, 1] + 1):
            if not s.low[s.seat] <= face <= s.high[s.seat]:
                n = put_dice(out, n, face, 1)
    elif kind == CASTRUM:
        n = put_dice(out, n, index // DICE + 1, index % DICE + 1)
    elif kind == FORUM:
        for face in FORUM_DICE[index]:
            n = put_dice(out, n, face, 1 if face else 0)
    elif kind == LATRINA:
        n = put_rolled(s, 1, out, n)
    else:
        n = put_rolled(s, index + 1, out, n)
    return n


@compiled(int, STATE, int, SIGNS, int)
def put_move(s: State, move: int, out: Any, n: int) -> int:
    """Append the canonical text of a move that is legal, or an outcome that is possible, in this state."""
    kind, index = kind_of(move), index_of(move)
    if kind <= AGAIN:
        n = put_placing(s, move, out, n)
    elif kind == KEEP_TOKENS:
        n = put(out, n, _KEEP)
        for value in range(N_TOKEN_VALUES):
            n = put_dice(out, n, value + 1, KEEPS[index, value])
    elif kind == START_SEAT:
        n = put_dice(out, put(out, n, _SEAT), index, 1)
    elif kind == DRAWN_TOKEN:
        n = put_dice(out, put(out, n, _OUTCOME), index + 1, 1)
    elif kind == ROLLED:
        n = put(out, n, _OUTCOME)
        for face in range(FACES):
            n = put_dice(out, n, face + 1, ROLLS[index, face])
    else:
        n = put(out, n, _TAKE if kind < START_SEAT else _OUTCOME)
        if kind == CARD or kind == DRAWN_CARD:
            n = put(out, n, _CARD + index)
        elif kind == PROVINCE or kind == NEW_PROVINCE:
            n = put(out, n, _PROVINCE + index)
        else:
            assert kind == PATRICIAN or kind == NEW_PATRICIAN
            n = put(out, n, _PATRICIAN + index)
    return n


@compiled(int, STATE, MOVES, int, SIGNS)
def write_moves(s: State, moves: Any, number: int, out: Any) -> int:
    """Write the texts of so many moves as a JSON list; its length."""
    if number == 0:
        return put(out, 0, _EMPTY)
    n = put(out, 0, _FIRST_TEXT)
    for i in range(number):
        if i:
            n = put(out, n, _NEXT_TEXT)
        n = put_move(s, moves[i], out, n)
    return put(out, n, _LAST_TEXT)


# Views.


@compiled(int, STATE, SIGNS, int)
def put_course(s: State, out: Any, n: int) -> int:
    """Append whose turn it is, and what lies in the middle."""
    n = put(out, n, _TURN)
    if s.phase == FINISHED:
        n = put(out, n, _IS_OVER)
    elif IS_CHANCE[s.phase]:
        n = put(out, n, _BY_CHANCE)
    else:
        n = put_number(out, n, s.seat)
    n = put_number(out, put(out, put(out, n, _PHASE + int(s.phase)), _ACTIVE), s.seat)
    n = put_number(out, put(out, n, _SET), s.set + 1)
    n = put_number(out, put(out, n, _SETS), SETS[s.n])
    n = put_number(out, put(out, n, _ROUND), s.lap + 1)
    n = put_number(out, put(out, n, _START), s.start)
    n = put(out, n, _ROLL)
    for face in range(FACES):
        n = put_dice(out, n, face + 1, s.roll[face])
    n = put_tiles(s.province_offer, s.patrician_offer, out, put(out, n, _OFFERED))
    n = put_number(out, put(out, n, _STACKS), bit_count(s.province_pool))
    n = put_number(out, put(out, n, _PATRICIANS), bit_count(s.patrician_pool))
    n = put_number(out, put(out, n, _DECK), bit_count(s.senate_deck))
    supply = 0
    for value in range(N_TOKEN_VALUES):
        supply += s.token_supply[value]
    n = put(out, put_number(out, put(out, n, _SUPPLY), supply), _DISCARDS)
    for value in range(N_TOKEN_VALUES):
        n = put_dice(out, n, value + 1, s.token_discards[value])
    return n


@compiled(int, int, int, SIGNS, int)
def put_tiles(provinces: int, patricians: int, out: Any, n: int) -> int:
    """Append two masks of tiles."""
    n = put_names(out, put(out, n, _PROVINCES), provinces, _PROVINCE)
    return put_names(out, put(out, n, _PATRICIANS), patricians, _PATRICIAN)


@compiled(int, SIGNS, int, int, int)
def put_seat(out: Any, n: int, first: int, seat: int) -> int:
    """Append the beginning of an item that belongs to a seat; `first` is where its list began."""
    if n > first:
        n = put(out, n, _COMMA)
    return put_number(out, put(out, n, _WHO), seat)


@compiled(int, STATE, SIGNS, int)
def put_buildings(s: State, out: Any, n: int) -> int:
    """Append the dice in all buildings."""
    n = put(out, n, _TEMPLUM)
    if with_templum(s):  # A-SET-6
        n = first = put(out, n, _OPEN)
        for seat in range(s.n):
            if s.templum_dice[seat]:
                n = put_number(out, put(out, put_seat(out, n, first, seat), _DICE), s.templum_dice[seat])
                n = put(out, put_number(out, put(out, n, _SUM), s.templum_sum[seat]), _END)
        n = put(out, n, _CLOSE)
    else:
        n = put(out, n, _NULL)
    n = first = put(out, put(out, n, _SENATUS), _OPEN)
    for seat in range(s.n):
        if s.low[seat]:
            n = put(out, put_seat(out, n, first, seat), _FACES)
            for face in range(s.low[seat], s.high[seat] + 1):
                n = put_dice(out, n, face, 1)
            n = put(out, n, _FACES_END)
    n = first = put(out, put(out, put(out, n, _CLOSE), _CASTRUM), _OPEN)
    for seat in range(s.n):
        for face in range(FACES):
            if s.castrum[seat, face]:
                n = put(out, put_seat(out, n, first, seat), _FACES)
                n = put(out, put_dice(out, n, face + 1, s.castrum[seat, face]), _FACES_END)
    n = put_number(out, put(out, put(out, n, _CLOSE), _COLUMNS), columns(s))
    n = first = put(out, put(out, n, _FORUM), _OPEN)
    for at in range(s.forum_size):
        n = put(out, put_seat(out, n, first, s.forum_seat[at]), _DIE)
        n = put(out, put_number(out, n, s.forum_face[at]), _END)
    n = first = put(out, put(out, put(out, n, _CLOSE), _LATRINA), _OPEN)
    for seat in range(s.n):
        if n > first:
            n = put(out, n, _COMMA)
        n = put_number(out, n, s.latrina[seat])
    return put(out, n, _CLOSE)


@compiled(int, STATE, SIGNS, int)
def put_players(s: State, out: Any, n: int) -> int:
    """Append what everybody sees of each player; points are told when the game is over."""
    points = np.zeros((3, s.n), np.int32)
    if s.phase == FINISHED:
        score(s, points)
    n = put(out, n, _PLAYERS)
    for seat in range(s.n):
        if seat:
            n = put(out, n, _COMMA)
        n = put_number(out, put(out, n, _HAS_DICE), s.dice[seat])
        n = put(out, put_number(out, put(out, n, _CHIPS), s.chips[seat]), _COMMA)
        n = put(out, put_tiles(s.provinces[seat], s.patricians[seat], out, n), _KEPT)
        drawn = 0
        for value in range(N_TOKEN_VALUES):
            n = put_dice(out, n, value + 1, s.kept[seat, value])
            drawn += s.drawn[seat, value] + s.drawn_before[seat, value]
        n = put_number(out, put(out, n, _DRAWN), drawn)
        n = put(out, put_number(out, put(out, n, _DECK), number_of_cards(s, seat)), _POINTS)
        n = put_number(out, n, points[POINTS, seat]) if s.phase == FINISHED else put(out, n, _NULL)
        n = put(out, n, _END)
    return put(out, n, _CLOSE)


@compiled(int, STATE, int)
def passed_cards(s: State, seat: int) -> int:
    """The senate cards that a seat saw and handed on (A-HID-3)."""
    cards = 0
    for taken in range(MAX_SETS):
        seen = False
        for rank in range(SENATE_HAND):
            if seen and s.hands[taken, rank]:
                cards = with_card(cards, s.hands[taken, rank] - 1)
            seen |= s.takers[taken, rank] == seat + 1
    return cards


@compiled(int, STATE, int, SIGNS, int)
def put_own(s: State, seat: int, out: Any, n: int) -> int:
    """Append what only this seat knows: its tokens, its cards, those it handed on, those it chooses from now."""
    n = put(out, n, _SECRET)
    for value in range(N_TOKEN_VALUES):
        n = put_dice(out, n, value + 1, s.drawn[seat, value] + s.drawn_before[seat, value])
    n = put_names(out, put(out, n, _HELD), senate_cards(s, seat), _CARD)
    n = put_names(out, put(out, n, _PASSED), passed_cards(s, seat), _CARD)
    choosing = s.seat == seat and (s.phase == DEAL or s.phase == TAKE_CARD)
    n = put_names(out, put(out, n, _CHOICE), hand_on_offer(s) if choosing else 0, _CARD)
    return put(out, n, _END)


@compiled(int, STATE, SIGNS, int)
def put_public(s: State, out: Any, n: int) -> int:
    """Append what everybody sees."""
    return put_players(s, out, put_buildings(s, out, put_course(s, out, n)))


@compiled(int, STATE, int, SIGNS, int)
def put_rest(s: State, seat: int, out: Any, n: int) -> int:
    """Append what comes after that in a view: what the seat knows, and at the end all cards."""
    n = put(out, n, _OWN)
    n = put(out, n, _NULL) if seat == SPECTATOR else put_own(s, seat, out, n)
    if s.phase == FINISHED:  # A-HID-2: until the end of the game
        n = put(out, put(out, n, _DECK), _OPEN)
        for other in range(s.n):
            if other:
                n = put(out, n, _COMMA)
            n = put_names(out, n, senate_cards(s, other), _CARD)
        n = put(out, n, _CLOSE)
    return put(out, n, _END)


@compiled(int, STATE, int, SIGNS)
def write_view(s: State, seat: int, out: Any) -> int:
    """Write all that a seat, or a watcher, may know (A-HID-1 to A-HID-3) as a JSON object; its length."""
    n = put(out, 0, _GAME)
    n = put(out, n, _NULL) if seat == SPECTATOR else put_number(out, n, seat)
    return put_rest(s, seat, out, put_public(s, out, n))


@compiled(None, STATE, int, SIGNS, ENDS)
def write_views(s: State, n_seats: int, out: Any, ends: Any) -> None:
    """The same for all seats, one after the other."""
    n = int(ends[0])
    begin = end = 0
    for seat in range(n_seats):
        n = put_number(out, put(out, n, _GAME), seat)
        if seat == 0:
            begin, end = n, put_public(s, out, n)
            n = end
        else:
            out[n : n + end - begin] = out[begin:end]
            n += end - begin
        n = ends[seat + 1] = put_rest(s, seat, out, n)


SCRIBE = Scribe(ROOM, write_view, write_views, write_moves, put_move, draw_verifiably)
