"""A slow and literal referee of Alea Iacta Est: the game is one generator that reads like the rule book.

Tiles, cards and moves are their text codes. The board is in plain public attributes (see `Referee`). Dice stay in a
building until the ply that scores them has been applied; dice that won nothing go to the Latrina when the scoring of
their building ends. A generator cannot be copied: to copy a game, replay its `plies`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial

from .alea_scoring import PATRICIANS, PROVINCES, SENATE, best

CHANCE = "chance"
OVER = "over"
SENATE_WINNERS = {2: 1, 3: 2, 4: 2, 5: 3}  # A-SCO-3


@dataclass(frozen=True)
class Ask:
    """What the game waits for: a move of a seat, a roll of some dice, or another chance outcome."""

    who: int | str
    moves: Callable[[], Iterable[str]] | None = None  # a decision
    dice: int = 0  # a roll of so many dice
    outcomes: dict[str, Fraction] | None = None  # another chance event


Plies = Generator[Ask, str, None]


def digits(dice: Iterable[int]) -> str:
    """Dice as text, ascending."""
    return "".join(str(face) for face in sorted(dice))


def faces(text: str) -> list[int]:
    """The digits of a text as numbers."""
    return [int(letter) for letter in text]


def ascending(text: str) -> bool:
    """True if the digits do not fall: the only accepted order."""
    return text == "".join(sorted(text))


def contains(dice: Iterable[int], part: Iterable[int]) -> bool:
    """True if part can be taken out of dice."""
    return not Counter(part) - Counter(dice)


def roll_chance(rolled: list[int]) -> Fraction:
    """Probability of a multiset of dice."""
    ways = factorial(len(rolled))
    for count in Counter(rolled).values():
        ways //= factorial(count)
    return Fraction(ways, 6 ** len(rolled))


@cache
def roll_table(number: int) -> dict[str, Fraction]:
    """All rolls of so many dice with their probabilities (do not change the cached dict)."""
    return {
        "=" + digits(rolled): roll_chance(list(rolled)) for rolled in combinations_with_replacement(range(1, 7), number)
    }


def draw_from(pool: Counter[str]) -> Ask:
    """Chance draws one thing out of a pool, each single piece with the same probability."""
    total = sum(pool.values())
    return Ask(CHANCE, outcomes={"=" + code: Fraction(count, total) for code, count in pool.items() if count})


class Referee:
    """One game, from the draw of the start player to the end.

    Public data, each per seat where a list has as many entries as seats:
    seats, voluntary_latrina, start_seat   as given
    columns             number of Forum columns
    sets                number of sets in the game
    set_number          the current set, from 1 (stays at `sets` when over)
    start               start player of the current set (None before it is drawn)
    active              whose turn it is while placing (None at other times)
    dice_left           per seat: dice not placed, those being rolled included
    roll                sorted faces before the active seat ([] if none; the kept ones while a reroll is due)
    templum_count, templum_sum   per seat: number and sum of the dice in the Templum
    senatus             per seat: sorted faces of the sequence
    castrum             per seat: dict face -> number of dice
    forum               list of (face, seat) from the left
    latrina             per seat: number of dice
    chips               per seat: reroll chips
    provinces, patricians   per seat: sorted codes
    offered_provinces, offered_patricians   sorted codes lying face up to be won
    province_pool, patrician_pool   sorted codes still face down
    fortuna_supply, fortuna_discards   dict value -> number of tokens face down, face up
    fortuna_kept        per seat: sorted values of tokens kept for good
    fortuna_drawn       per seat: sorted values of tokens drawn in this set, not yet kept or discarded
    senate              per seat: sorted codes of cards
    senate_deck         sorted codes of the cards in the stack that can still be drawn
    senate_choice       sorted codes of the cards drawn for this scoring and not taken yet
    senate_under        sorted codes of the cards put under the stack
    plies               list of (seat or "chance", canonical text) so far
    """

    def __init__(self, seats: int, voluntary_latrina: bool = False, start_seat: int | None = None) -> None:
        if seats not in (2, 3, 4, 5):  # A-SET-1
            raise ValueError(f"2 to 5 players, not {seats!r}")
        if start_seat is not None and start_seat not in range(seats):
            raise ValueError(f"no seat {start_seat!r}")
        self.seats = seats
        self.voluntary_latrina = voluntary_latrina
        self.start_seat = start_seat
        self.columns = seats + 2  # A-SET-7
        self.sets = 6 if seats <= 3 else 5  # A-SET-9
        self.set_number = 1
        self.start: int | None = None
        self.active: int | None = None
        self.dice_left: list[int] = [8] * seats
        self.roll: list[int] = []
        self.templum_count: list[int] = [0] * seats
        self.templum_sum: list[int] = [0] * seats
        self.senatus: list[list[int]] = [[] for _ in range(seats)]
        self.castrum: list[dict[int, int]] = [{} for _ in range(seats)]
        self.forum: list[tuple[int, int]] = []
        self.latrina: list[int] = [0] * seats
        self.chips: list[int] = [0] * seats
        self.provinces: list[list[str]] = [[] for _ in range(seats)]
        self.patricians: list[list[str]] = [[] for _ in range(seats)]
        self.offered_provinces: list[str] = []
        self.offered_patricians: list[str] = []
        self.province_pool: list[str] = sorted(PROVINCES)
        self.patrician_pool: list[str] = sorted(PATRICIANS)
        with_templum = seats >= 4  # A-SET-6
        self.fortuna_supply: dict[int, int] = {1: 8, 2: 14, 3: 8} if with_templum else {1: 0, 2: 0, 3: 0}
        self.fortuna_discards: dict[int, int] = {1: 0, 2: 0, 3: 0}
        self.fortuna_kept: list[list[int]] = [[] for _ in range(seats)]
        self.fortuna_drawn: list[list[int]] = [[] for _ in range(seats)]
        self.senate: list[list[str]] = [[] for _ in range(seats)]
        self.senate_deck: list[str] = sorted(card for card in SENATE if with_templum or card != "IV")
        self.senate_choice: list[str] = []
        self.senate_under: list[str] = []
        self.plies: list[tuple[int | str, str]] = []
        self._results: list[tuple[int, int]] | None = None
        self._game: Plies = self._play()
        self._ask: Ask | None = next(self._game)

    # ---- the interface ----

    def turn(self) -> int | str:
        """The deciding seat, "chance" or "over"."""
        return OVER if self._ask is None else self._ask.who

    def legal(self) -> list[str]:
        """All legal moves, or all outcomes at chance, as sorted canonical texts ([] when over)."""
        if self._ask is None:
            return []
        if self._ask.moves is None:
            return sorted(self.odds())
        return sorted(set(self._ask.moves()))

    def odds(self) -> dict[str, Fraction]:
        """At chance: every outcome and its probability."""
        ask = self._chance()
        return dict(roll_table(ask.dice) if ask.outcomes is None else ask.outcomes)

    def odds_of(self, text: str) -> Fraction:
        """At chance: the probability of one outcome; ValueError if it cannot happen."""
        ask = self._chance()
        text = self.read(text)
        return roll_chance(faces(text[1:])) if ask.outcomes is None else ask.outcomes[text]

    def read(self, text: str) -> str:
        """Canonical text of a move or outcome; ValueError if it is not legal now."""
        ask = self._ask
        if ask is None:
            raise ValueError(f"{text!r}: the game is over")
        if ask.who == CHANCE:
            if ask.outcomes is not None:
                known = text in ask.outcomes
            else:
                known = bool(re.fullmatch(f"=[1-6]{{{ask.dice}}}", text)) and ascending(text[1:])
            if known:
                return text
            raise ValueError(f"{text!r} is no outcome here")
        legal = self.legal()
        if text in legal:
            return text
        # the other spellings of one Templum or Latrina placing
        if re.fullmatch("[TL][1-6]+", text) and ascending(text[1:]):
            dice = faces(text[1:])
            if contains(self.roll, dice):
                for move in legal:
                    other = faces(move[1:]) if move[0] in "TL" else []
                    if move[0] == text[0] == "T" and (len(dice), sum(dice)) == (len(other), sum(other)):
                        return move
                    if move[0] == text[0] == "L" and len(dice) == 1:
                        return move
        raise ValueError(f"{text!r} is not legal now")

    def apply(self, text: str) -> None:
        """Play a move or let an outcome happen."""
        text = self.read(text)
        assert self._ask is not None
        self.plies.append((self._ask.who, text))
        try:
            self._ask = self._game.send(text)
        except StopIteration:
            self._ask = None

    def tableau(self, seat: int) -> dict[str, list[str] | list[int] | int]:
        """What a seat has won so far, as input of `rostra score`."""
        return {
            "provinces": list(self.provinces[seat]),
            "patricians": list(self.patricians[seat]),
            "senate": list(self.senate[seat]),
            "fortuna": list(self.fortuna_kept[seat]),
            "chips": self.chips[seat],
        }

    def points(self) -> list[int]:
        """Fame points of each seat."""
        return [total for total, _ in self._final()]

    def tiebreak(self) -> list[int]:
        """Value of unassigned patricians of each seat."""
        return [tie for _, tie in self._final()]

    def winners(self) -> list[int]:
        """The seats that win (A-END-5)."""
        results = self._final()
        return [seat for seat in range(self.seats) if results[seat] == max(results)]

    def end(self) -> str:
        """How the game ended."""
        self._final()
        return "sets-played"

    def _final(self) -> list[tuple[int, int]]:
        if self._ask is not None:
            raise ValueError("the game is not over")
        if self._results is None:
            self._results = [best(self.tableau(seat)) for seat in range(self.seats)]  # A-END-6
        return self._results

    def _chance(self) -> Ask:
        if self._ask is None or self._ask.who != CHANCE:
            raise ValueError("no chance event here")
        return self._ask

    # ---- the course of the game ----

    def _play(self) -> Plies:
        candidates = list(range(self.seats)) if self.start_seat is None else [self.start_seat]
        text = yield Ask(CHANCE, outcomes={f"=s{seat}": Fraction(1, len(candidates)) for seat in candidates})
        self.start = int(text[2:])  # A-SET-10
        for number in range(1, self.sets + 1):
            if number > 1:
                self.start = (self.start + 1) % self.seats  # A-SET-10
            self.set_number = number
            yield from self._lay_out()
            yield from self._rounds()
            yield from self._score_templum()
            yield from self._score_senatus()
            yield from self._score_castrum()
            yield from self._score_forum()
            self._score_latrina()

    def _clockwise(self) -> list[int]:
        """All seats, the start player first."""
        assert self.start is not None
        return [(self.start + step) % self.seats for step in range(self.seats)]

    def _lay_out(self) -> Plies:
        """A-SET-8."""
        for pool, offered, number in (
            (self.province_pool, self.offered_provinces, self.seats),
            (self.patrician_pool, self.offered_patricians, self.columns),
        ):
            for _ in range(number):
                code = (yield draw_from(Counter(pool)))[1:]
                pool.remove(code)
                offered.append(code)
                offered.sort()

    def _rounds(self) -> Plies:
        while True:
            for seat in self._clockwise():  # A-TURN-1; A-TURN-5: the round is always played to its end
                self.active = seat
                yield from self._turn(seat)
            self.active = None
            if 0 in self.dice_left:  # A-TURN-5
                break
        for seat in range(self.seats):  # A-TURN-6
            self.latrina[seat] += self.dice_left[seat]
            self.dice_left[seat] = 0

    def _turn(self, seat: int) -> Plies:
        text = yield Ask(CHANCE, dice=self.dice_left[seat])
        self.roll = faces(text[1:])
        while True:
            move = yield Ask(seat, moves=lambda: self._turn_moves(seat))
            dice = faces(move[1:])
            if move[0] != "R":
                break
            self.chips[seat] -= 1  # A-TURN-2
            for face in dice:
                self.roll.remove(face)
            text = yield Ask(CHANCE, dice=len(dice))
            self.roll = sorted(self.roll + faces(text[1:]))
        self.dice_left[seat] -= len(dice)
        self.roll = []
        if move[0] == "T":
            self.templum_count[seat] += len(dice)
            self.templum_sum[seat] += sum(dice)
            for _ in dice:  # A-TEM-4
                yield from self._draw_token(self.fortuna_drawn[seat])
        elif move[0] == "S":
            self.senatus[seat] = sorted(self.senatus[seat] + dice)
        elif move[0] == "C":
            self.castrum[seat][dice[0]] = self.castrum[seat].get(dice[0], 0) + len(dice)
        elif move[0] == "F":
            row = self._forum_with(dice, seat)
            self.forum = [(face, owner) for face, owner, _ in row[: self.columns]]
            for _, owner, _ in row[self.columns :]:  # A-FOR-3
                self.latrina[owner] += 1
        else:
            self.latrina[seat] += 1

    def _draw_token(self, hand: list[int]) -> Plies:
        """One fortuna token into a hand, if there is one."""
        if not any(self.fortuna_supply.values()):  # A-TEM-5: only now, when one must be drawn
            self.fortuna_supply, self.fortuna_discards = self.fortuna_discards, {1: 0, 2: 0, 3: 0}
        if any(self.fortuna_supply.values()):
            text = yield draw_from(Counter({str(value): n for value, n in self.fortuna_supply.items()}))
            self.fortuna_supply[int(text[1:])] -= 1
            hand.append(int(text[1:]))
            hand.sort()

    # ---- what may be placed ----

    def _turn_moves(self, seat: int) -> list[str]:
        moves = self._templum_moves(seat) + self._senatus_moves(seat)
        moves += self._castrum_moves(seat) + self._forum_moves(seat)
        if not moves or self.voluntary_latrina:  # A-LAT-1, A-LAT-2
            moves.append("L" + digits([min(self.roll)]))
        if self.chips[seat] > 0:  # A-TURN-2
            for number in range(1, len(self.roll) + 1):
                moves += {"R" + digits(dice) for dice in combinations(self.roll, number)}
        return moves

    def _templum_moves(self, seat: int) -> list[str]:
        if self.seats <= 3:  # A-SET-6
            return []
        most = max(self.templum_count)
        missing = most + 1 - self.templum_count[seat]  # A-TEM-1, A-TEM-3
        leader = self.templum_count.index(most)  # unique: whoever placed last has more dice than all others
        to_beat = self.templum_sum[leader] if most else 0
        smallest: dict[int, str] = {}  # sum -> smallest selection: equal sums are one move
        for dice in combinations(self.roll, missing):
            if self.templum_sum[seat] + sum(dice) > to_beat:  # A-TEM-2
                text = digits(dice)
                smallest[sum(dice)] = min(text, smallest.get(sum(dice), text))
        return ["T" + text for text in smallest.values()]

    def _senatus_moves(self, seat: int) -> list[str]:
        values = sorted(set(self.roll))
        moves: list[str] = []
        for number in range(1, len(values) + 1):
            for dice in combinations(values, number):
                after = sorted(self.senatus[seat] + list(dice))
                consecutive = after == list(range(after[0], after[0] + len(after)))  # A-SEN-1, A-SEN-2
                others = [self.senatus[other] for other in range(self.seats) if other != seat]
                if consecutive and after not in others:  # A-SEN-3
                    moves.append("S" + digits(dice))
        return moves

    def _castrum_moves(self, seat: int) -> list[str]:
        moves: list[str] = []
        for face, available in Counter(self.roll).items():
            for number in range(1, available + 1):  # A-CAS-1
                after = self.castrum[seat].get(face, 0) + number  # A-CAS-2: one group of each value
                others = [self.castrum[other].get(face, 0) for other in range(self.seats) if other != seat]
                if after not in others:  # A-CAS-3
                    moves.append("C" + digits([face] * number))
        return moves

    def _forum_moves(self, seat: int) -> list[str]:
        choices = [[face] for face in sorted(set(self.roll))] + [[1, 4], [2, 3]]  # A-FOR-1
        moves: list[str] = []
        for dice in choices:
            if contains(self.roll, dice):
                pushed_out = self._forum_with(dice, seat)[self.columns :]
                if not any(new for _, _, new in pushed_out):  # A-FOR-4
                    moves.append("F" + digits(dice))
        return moves

    def _forum_with(self, dice: list[int], seat: int) -> list[tuple[int, int, bool]]:
        """The row of (face, owner, placed now) after a placing, dice beyond the last column included."""
        row = [(face, owner, False) for face, owner in self.forum]
        for die in dice:  # A-FOR-2
            position = sum(face < die for face, _, _ in row)
            row.insert(position, (die, seat, True))
        return row

    # ---- scoring a set ----

    def _score_templum(self) -> Plies:
        if sum(self.templum_count) == 1:  # A-SCO-2
            owner = self.templum_count.index(1)
            self.fortuna_kept[owner] = sorted(self.fortuna_kept[owner] + self.fortuna_drawn[owner])
            self.fortuna_drawn[owner] = []
            yield from self._draw_token(self.fortuna_kept[owner])
        elif sum(self.templum_count) > 1:  # A-SCO-1
            leader = self.templum_count.index(max(self.templum_count))
            for seat in [leader] + [other for other in self._clockwise() if other != leader]:
                drawn = self.fortuna_drawn[seat]
                if not drawn:  # not there at all, or the tokens had run out
                    continue
                keeps = min(2 if seat == leader else 1, len(drawn))
                choices = {"K" + digits(tokens) for tokens in combinations(drawn, keeps)}
                move = yield self._choice(seat, choices)
                for value in faces(move[1:]):
                    drawn.remove(value)
                    self.fortuna_kept[seat].append(value)
                self.fortuna_kept[seat].sort()
                for value in drawn:
                    self.fortuna_discards[value] += 1
                self.fortuna_drawn[seat] = []
        for seat in range(self.seats):
            self.dice_left[seat] += self.templum_count[seat]
            self.templum_count[seat] = 0
            self.templum_sum[seat] = 0

    def _score_senatus(self) -> Plies:
        present = [seat for seat in range(self.seats) if self.senatus[seat]]
        if present:
            for _ in range(min(3, len(self.senate_deck))):  # A-SCO-4
                card = (yield draw_from(Counter(self.senate_deck)))[1:]
                self.senate_deck.remove(card)
                self.senate_choice.append(card)
                self.senate_choice.sort()
        # A-SCO-3; no two sequences have equal length and highest value
        ranked = sorted([(len(self.senatus[seat]), max(self.senatus[seat]), seat) for seat in present])[::-1]
        for _, _, seat in ranked[: SENATE_WINNERS[self.seats]]:
            if not self.senate_choice:  # cannot happen with the numbers of the game
                break
            yield from self._take(seat, self.senate_choice, self.senate[seat])
            self.dice_left[seat] += len(self.senatus[seat])
            self.senatus[seat] = []
        self.senate_under = sorted(self.senate_under + self.senate_choice)  # A-SCO-4: never seen again
        self.senate_choice = []
        for seat in range(self.seats):  # A-SCO-5
            self.latrina[seat] += len(self.senatus[seat])
            self.senatus[seat] = []

    def _score_castrum(self) -> Plies:
        groups = [(number, face, seat) for seat in range(self.seats) for face, number in self.castrum[seat].items()]
        for number, face, seat in sorted(groups, reverse=True):  # A-SCO-6; no two have equal number and face
            if not self.offered_provinces:
                break
            yield from self._take(seat, self.offered_provinces, self.provinces[seat])
            self.dice_left[seat] += number
            del self.castrum[seat][face]
        for seat in range(self.seats):  # A-SCO-7
            self.latrina[seat] += sum(self.castrum[seat].values())
            self.castrum[seat] = {}
        self.offered_provinces.clear()

    def _score_forum(self) -> Plies:
        while self.forum:  # A-SCO-8; there are as many patricians as columns
            seat = self.forum[0][1]
            yield from self._take(seat, self.offered_patricians, self.patricians[seat])
            self.forum.pop(0)
            self.dice_left[seat] += 1
        self.offered_patricians.clear()

    def _score_latrina(self) -> None:
        for seat in range(self.seats):  # A-SCO-9; A-SET-11: the chips never run out
            self.chips[seat] += self.latrina[seat]
            self.dice_left[seat] += self.latrina[seat]
            self.latrina[seat] = 0

    def _choice(self, seat: int, moves: Iterable[str]) -> Ask:
        listed = list(moves)
        return Ask(seat, moves=lambda: listed)

    def _take(self, seat: int, offered: list[str], won: list[str]) -> Plies:
        """The seat takes one of the things offered."""
        code = (yield self._choice(seat, {"+" + code for code in offered}))[1:]
        offered.remove(code)
        won.append(code)
        won.sort()
