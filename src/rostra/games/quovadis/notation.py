"""Moves as text and back, after the formats page: `B>I(0,1)`, `give 0 1 3`, `then @M>S`, `=2c`.

Each move has one spelling; consents are written in ascending order.
"""

import functools

import numpy as np

from rostra.engine.game import BadNotation, IllegalMove, MatchOver, copy
from rostra.engine.jit import State
from rostra.games.quovadis.rules import legal, turn
from rostra.games.quovadis.tables import (
    ACT,
    ASKING,
    BARGAIN,
    CAESAR_TO,
    COMMITTEES,
    CONSENT_ACTIONS,
    DEMAND,
    ENTER,
    FINISHED,
    GIVE,
    IS_CHANCE,
    LAURELS,
    LEAVE,
    MAX_LEGAL,
    MOVE,
    N_DECISIONS,
    N_OUTCOMES,
    N_PLACES,
    ONE,
    PATHS,
    PLACES,
    PROMISE,
    PROMISES,
    REMOVE,
    SHOW,
    START,
    START_SEAT,
    THEN,
    VOW,
    VOWS,
    WORD,
    WORDS,
    given_to,
    giver_of,
    index_of,
    kind_of,
    kind_of_promise,
    maker_of,
    promised_to,
    value_given,
)


def _written(move: int) -> str:
    kind, index = kind_of(move), index_of(move)
    if kind == ENTER:
        return "+" + COMMITTEES[index]
    if kind == MOVE:
        return PATHS[index]
    if kind == ASKING:
        path, *seats = CONSENT_ACTIONS[index].tolist()
        return f"{PATHS[path]}({','.join(str(seat) for seat in seats if seat >= 0)})"
    if kind == CAESAR_TO:
        return "@" + PLACES[index]
    if kind == LEAVE:
        return "-"
    if kind == WORD:
        return WORDS[index]
    if kind == GIVE:
        return f"give {giver_of(index)} {given_to(index)} {value_given(index) + 1}"
    if kind == THEN:
        return "then @" + PLACES[index] if index < N_PLACES else "then -"
    if kind == PROMISE:
        return f"promise {maker_of(index)} {promised_to(index)} {PROMISES[kind_of_promise(index)]}"
    if kind == REMOVE:
        return "-" + COMMITTEES[index]
    if kind == SHOW:
        return "show"
    if kind == BARGAIN:
        return "bargain"
    if kind == VOW:
        return VOWS[index]
    if kind == ONE:
        return f"one {index}"
    return f"=s{index}" if kind == START_SEAT else f"={LAURELS[index]}"


@functools.cache
def texts() -> list[str]:
    """The text of every move."""
    return [_written(move) for move in range(N_DECISIONS + N_OUTCOMES)]


@functools.cache
def by_text() -> dict[str, int]:
    """Every move by its text."""
    return {written: move for move, written in enumerate(texts())}


def words_of(move: int) -> str:
    """The text of a move; in this game it does not depend on the state."""
    return texts()[move]


def text(s: State, move: int) -> str:
    """The canonical text of a move."""
    return texts()[move]


def pool(s: State) -> list[str]:
    """What the coming chance event draws from: the seats, or the laurels face down, sorted."""
    if s.phase == START:
        return [f"=s{seat}" for seat in range(s.n) if s.first < 0 or s.first == seat]
    return sorted(f"={LAURELS[kind]}" for kind in range(len(LAURELS)) for _ in range(s.stack[kind]))


def reread(s: State, written: str) -> int:
    """As `parse`, for a logged ply: with `open_hands` on, logs from before 0.8 go on with the next turn after an early
    arrival, as if all had passed (Q-VAR-2)."""
    if s["phase"] == DEMAND and s["seat"] == s["active"] and written not in ("pass", "show"):
        s = copy(s)
        s["phase"] = ACT
    return parse(s, written)


def parse(s: State, written: str) -> int:
    """The move that a text means; always a legal move or a possible outcome."""
    phase = s["phase"]  # a call of `turn` would cost five microseconds
    if phase == FINISHED:
        raise MatchOver("the game is over: there is no move left to make")
    move = by_text().get(written)
    if move is None:
        looks = "+B, A>E, I>M(2), @J>S, -, deal, give 0 1 3, then @M>S, promise 1 0 support, ask, yes, hear or =3"
        raise BadNotation(f"{written!r} is no move: moves look like {looks}")
    out = np.empty(MAX_LEGAL, np.int32)
    if move not in out[: legal(s, out)].tolist():
        if IS_CHANCE[phase]:
            start = kind_of(int(out[0])) == START_SEAT
            expected = "a start seat, such as =s0" if start else "a laurel from the stack, such as =3 or =2c"
            raise IllegalMove(f"{written!r} cannot happen now; expected {expected}")
        raise IllegalMove(f"{written!r} is not legal for seat {turn(s)} now")
    return move
