"""Positions of Alea Iacta Est built by hand, for tests: dice are put into buildings, somebody has rolled this or that.

Seat 0 has the start marker of the first set unless a test says otherwise.
"""

import random
from typing import Any

import numpy as np
import pytest

from conftest import CHECKS
from rostra.engine.game import CHANCE, OVER, IllegalMove
from rostra.engine.rng import generator
from rostra.games.alea import ALEA
from rostra.games.alea.notation import digits
from rostra.games.alea.tables import LAY_PROVINCES, PLACE, ROLL

ALL_TOKENS = np.array([8, 14, 8], np.int8)
ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI"]
BORDERS = ["XII:RG", "XII:OG", "XII:OB", "XII:YB", "XII:YV", "XII:RV"]


def play(s: Any, texts: str) -> None:
    """Play the texts one after the other, chance and decisions alike."""
    for text in texts.split():
        ALEA.rules.apply(s, ALEA.notation.parse(s, text))
        CHECKS[ALEA.name](s)


def legal(s: Any, building: str = "") -> set[str]:
    """The texts of the legal moves or outcomes that begin with this letter."""
    return {text for move in ALEA.legal_moves(s) if (text := ALEA.notation.text(s, move)).startswith(building)}


def odds(s: Any) -> dict[str, float]:
    return {ALEA.notation.text(s, move): ALEA.rules.odds(s, move) for move in ALEA.legal_moves(s)}


def refuse(s: Any, *texts: str) -> None:
    """These are well written, but not legal now."""
    for text in texts:
        assert text not in legal(s)
        with pytest.raises(IllegalMove):
            ALEA.notation.parse(s, text)


def lay_out(s: Any) -> None:
    """Turn up the first tiles of each stack, until the first roll of the set."""
    while s.phase != ROLL:
        assert ALEA.rules.turn(s) == CHANCE
        ALEA.rules.apply(s, ALEA.legal_moves(s)[0])


def ready(n_seats: int, start: int = 0, **options: str) -> Any:
    """A game before its first roll; R1 R2 ... and Rw1 Rw2 ... lie face up."""
    s = ALEA.new(n_seats, {"start_seat": str(start), **options})
    lay_out(s)
    CHECKS[ALEA.name](s)
    return s


def put(
    s: Any, seat: int, *, templum: str = "", senatus: str = "", castrum: str = "", forum: str = "", latrina: int = 0
) -> None:
    """Put dice of a seat into buildings, as if placed earlier; tokens are not drawn. Groups are parted by spaces."""
    faces = [int(die) for die in templum]
    s.templum_dice[seat] += len(faces)
    s.templum_sum[seat] += sum(faces)
    if senatus:
        s.low[seat], s.high[seat] = int(senatus[0]), int(senatus[-1])
    for group in castrum.split():
        s.castrum[seat, int(group[0]) - 1] = len(group)
    for die in forum:
        s.forum_face[s.forum_size] = int(die)
        s.forum_seat[s.forum_size] = seat
        s.forum_size += 1
    s.latrina[seat] += latrina
    s.dice[seat] -= len(templum + senatus + castrum.replace(" ", "") + forum) + latrina
    CHECKS[ALEA.name](s)


def rolled(s: Any, seat: int, dice: str) -> None:
    """This seat has rolled these dice and decides; dice that it has no more are in the Latrina."""
    put(s, seat, latrina=int(s.dice[seat]) - len(dice))
    s.seat = seat
    s.phase = PLACE
    s.roll[:] = [dice.count(str(face)) for face in range(1, 7)]
    CHECKS[ALEA.name](s)


def to_scoring(s: Any) -> None:
    """The last player of the round puts his last die into the Latrina, and so ends the set."""
    rolled(s, (s.start + s.n - 1) % s.n, "1")
    s.voluntary_latrina = 1
    play(s, "L1")
    s.voluntary_latrina = 0


def settle(s: Any) -> list[str]:
    """Play on, always the first legal move, to the next set or the end; the decisions as `seat text`."""
    made = []
    while s.phase != LAY_PROVINCES and (seat := ALEA.rules.turn(s)) != OVER:
        text = ALEA.notation.text(s, ALEA.legal_moves(s)[0])
        if seat != CHANCE:
            made.append(f"{seat} {text}")
        play(s, text)
    return made


def deciders(s: Any, letter: str) -> list[int]:
    """Who decides by such moves in the rest of the scoring, in order."""
    return [int(made[0]) for made in settle(s) if made[2:].startswith(letter)]


def set_tokens(s: Any, supply: str, discards: str = "", holder: int = -1) -> None:
    """These tokens are face down, those discarded, the rest is kept by the holder (the last seat)."""
    s.token_supply[:] = [supply.count(value) for value in "123"]
    s.token_discards[:] = [discards.count(value) for value in "123"]
    s.kept[:] = 0
    holder = holder % s.n
    s.kept[holder] = ALL_TOKENS - s.token_supply - s.token_discards - (s.drawn + s.drawn_before).sum(axis=0)
    CHECKS[ALEA.name](s)


def give_drawn(s: Any, seat: int, tokens: str) -> None:
    """This seat drew these tokens in this set."""
    for value in tokens:
        s.token_supply[int(value) - 1] -= 1
        s.drawn[seat, int(value) - 1] += 1
    CHECKS[ALEA.name](s)


def forum(s: Any) -> list[tuple[int, int]]:
    """Value and owner of the Forum dice from the left."""
    return [(die["die"], die["seat"]) for die in ALEA.screen.view(s, None)["forum"]]


def random_play(s: Any, seed: int) -> Any:
    """Play to the end at random, rerolling little; yields the text of each ply before it is played."""
    chooser = random.Random(seed)
    dice = generator(seed)
    while (turn := ALEA.rules.turn(s)) != OVER:
        if turn == CHANCE:
            move = ALEA.rules.draw(s, dice)
        else:
            moves = ALEA.legal_moves(s)
            places = [move for move in moves if ALEA.notation.text(s, move)[0] != "R"]
            move = chooser.choice(moves if chooser.random() < 0.1 else places)
        yield ALEA.notation.text(s, move)
        ALEA.rules.apply(s, move)


def drawn_by(s: Any, seat: int) -> str:
    return digits(s.drawn[seat] + s.drawn_before[seat])
