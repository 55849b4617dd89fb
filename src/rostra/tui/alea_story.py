"""What happens in a game of Alea Iacta Est, told in sentences to the person at seat 0.

A bot's turn becomes one sentence, so parts are kept until the turn is complete; the person's own turn is told step by
step. What a newcomer would get wrong: states are true ones, so only what is public or the person's own may be read of
them here (A-HID-1, A-HID-2); what he may not see comes as text None.
"""

from collections.abc import Callable

from rostra.game import copy
from rostra.games.alea.notation import digits
from rostra.games.alea.rules import best_group
from rostra.games.alea.state import columns, senate_cards
from rostra.games.alea.tables import (
    DEAL,
    FACES,
    FINISHED,
    KEEP,
    LAY_PATRICIANS,
    LAY_PROVINCES,
    LONE_TOKEN,
    PATRICIANS,
    PLACE,
    PROVINCES,
    REROLL,
    ROLL,
    SETS,
    START,
    TAKE_CARD,
    TAKE_PATRICIAN,
    TAKE_PROVINCE,
    TOKEN,
)
from rostra.games.alea.view import card_codes, codes
from rostra.jit import State
from rostra.tui.alea_words import BUILDINGS, card, counted, dashed, spaced
from rostra.tui.guide import YOU, capital, hung, listed

_Tell = Callable[[State, State, str | None], list[str]]


class Story:
    """Tells ply after ply; `names` are for turns, `short` ones for lists."""

    def __init__(self, names: list[str], short: list[str]) -> None:
        self.names = ["You", *names[1:]]
        self.short = short
        self.parts: list[str] = []  # of the turn, or of the building being scored, not told yet
        self.tokens = ""  # drawn in this turn, as digits or question marks
        self.unscored: State = None  # the table just before the set was scored
        self.tellers: dict[int, _Tell] = {
            START: _nothing,
            LAY_PROVINCES: _nothing,
            LAY_PATRICIANS: self._laid_out,
            ROLL: self._rolled,
            PLACE: self._placed,
            REROLL: self._rolled_again,
            TOKEN: self._drew_token,
            KEEP: self._kept,
            LONE_TOKEN: self._lone_token,
            DEAL: _nothing,
            TAKE_CARD: self._took_card,
            TAKE_PROVINCE: self._took_province,
            TAKE_PATRICIAN: self._took_patrician,
        }

    def tell(self, before: State, after: State, text: str | None) -> list[str]:
        """The sentences for one ply, none if it is told together with a later one."""
        lines = self.tellers[int(before.phase)](before, after, text)
        if before.phase in (PLACE, TOKEN) and (after.phase in _SCORING or after.set != before.set):
            lines += self._set_ends(before, text)
        if after.set != before.set or after.phase == FINISHED:
            lines += self._summary(after)
        return lines

    # The course of a set.

    def _laid_out(self, before: State, after: State, text: str | None) -> list[str]:
        if after.phase != ROLL:
            return []
        starter = "You begin" if after.start == YOU else f"{self.names[after.start]} begins"
        return [
            "",
            f"--- Set {after.set + 1} of {SETS[after.n]}. {starter}. ---",
            f"Provinces to win: {' '.join(codes(after.province_offer, PROVINCES))}",
            f"Patricians to win: {' '.join(codes(after.patrician_offer, PATRICIANS))}",
        ]

    def _rolled(self, before: State, after: State, text: str | None) -> list[str]:
        self.parts = [f"rolled {spaced(digits(after.roll))}"]
        return self._turn_told(before) if before.seat == YOU else []

    def _rolled_again(self, before: State, after: State, text: str | None) -> list[str]:
        self.parts[-1] += f" ({spaced((text or '=')[1:])})"
        return self._turn_told(before) if before.seat == YOU else []

    def _placed(self, before: State, after: State, text: str | None) -> list[str]:
        assert text is not None  # placings are public
        if text[0] == "R":
            self.parts.append(f"gave a chip to roll {spaced(text[1:])} again")
            return []
        if text[0] == "L" and not before.voluntary_latrina:
            self.parts.append("could place nothing")
        self.parts.append(_placing(before, text, self.short))
        return [] if after.phase == TOKEN else self._turn_told(before)

    def _drew_token(self, before: State, after: State, text: str | None) -> list[str]:
        self.tokens += "?" if text is None else text[1:]
        if after.phase == TOKEN:
            return []
        drew = counted(len(self.tokens), "fortuna token")
        self.parts.append(f"drew {drew}" if "?" in self.tokens else f"drew {drew} in secret: {spaced(self.tokens)}")
        self.tokens = ""
        return self._turn_told(before)

    def _turn_told(self, before: State) -> list[str]:
        told = f"{self.names[before.seat]} {listed(self.parts)}."
        self.parts = []
        return [told]

    # The scoring of a set.

    def _set_ends(self, before: State, text: str | None) -> list[str]:
        self.unscored = copy(before)
        left = before.dice[: before.n].tolist()
        if before.phase == PLACE:
            left[before.seat] -= len(text or "") - 1
        done = [name for name, dice in zip(self.short, left, strict=True) if not dice]
        line = f"The set ends: {listed(done)} placed all dice."
        unplaced = [f"{name} {dice}" for name, dice in zip(self.short, left, strict=True) if dice]
        if unplaced:
            line += f" Dice not placed go to the Latrina: {', '.join(unplaced)}."
        return ["", line]

    def _won(self, building: str, before: State, after: State, what: str) -> list[str]:
        """Gather what is won in one building to a line, told before the person has to choose and at the end of it."""
        self.parts.append(f"{self.short[before.seat]} {what}")
        if after.phase == before.phase and after.seat != YOU:
            return []
        told = f"{building}: {'; '.join(self.parts)}."
        self.parts = []
        return [told]

    def _kept(self, before: State, after: State, text: str | None) -> list[str]:
        return self._won("Templum", before, after, f"kept {spaced((text or 'K')[1:])}")

    def _lone_token(self, before: State, after: State, text: str | None) -> list[str]:
        gained = digits(after.kept[before.seat] - self.unscored.kept[before.seat])
        return self._won("Templum", before, after, f"had the only die there and kept {spaced(gained)}, one drawn extra")

    def _took_card(self, before: State, after: State, text: str | None) -> list[str]:
        run = dashed("".join(map(str, range(before.low[before.seat], before.high[before.seat] + 1))))
        what = "a senate card" if text is None else f"{text[1:]} ({card(text[1:]).name})"
        return self._won("Senatus", before, after, f"kept {what} for {run}")

    def _took_province(self, before: State, after: State, text: str | None) -> list[str]:
        face = best_group(before) % FACES
        group = dashed(str(face + 1) * int(before.castrum[before.seat, face]))
        return self._won("Castrum", before, after, f"took {(text or '+')[1:]} for {group}")

    def _took_patrician(self, before: State, after: State, text: str | None) -> list[str]:
        return self._won("Forum", before, after, f"took {(text or '+')[1:]} for {before.forum_face[0]}")

    def _summary(self, after: State) -> list[str]:
        number = int(self.unscored.set) + 1
        lines = ["", f"Won in set {number} of {SETS[after.n]}:"]
        for seat, name in enumerate(self.short):
            lines += hung(f"  {capital(name):10}", "; ".join(self._haul(seat, after)) or "nothing")
        return lines

    def _haul(self, seat: int, after: State) -> list[str]:
        before = self.unscored
        haul = []
        if number := int((after.takers == seat + 1).sum() - (before.takers == seat + 1).sum()):
            own = card_codes(int(senate_cards(after, seat)) & ~int(senate_cards(before, seat)))
            haul.append(f"senate card {own[0]}" if seat == YOU else counted(number, "senate card"))
        for word, names, now, then in (
            ("province", PROVINCES, after.provinces, before.provinces),
            ("patrician", PATRICIANS, after.patricians, before.patricians),
        ):
            if tiles := codes(int(now[seat]) & ~int(then[seat]), names):
                haul.append(f"{word if len(tiles) == 1 else word + 's'} {' '.join(tiles)}")
        if tokens := digits(after.kept[seat] - before.kept[seat]):
            haul.append(f"{'token' if len(tokens) == 1 else 'tokens'} {spaced(tokens)}")
        if chips := int(after.chips[seat] - before.chips[seat]):
            haul.append(counted(chips, "chip"))
        return haul


_SCORING = (KEEP, LONE_TOKEN, DEAL, TAKE_CARD, TAKE_PROVINCE, TAKE_PATRICIAN, FINISHED)


def _nothing(before: State, after: State, text: str | None) -> list[str]:
    return []


def _placing(before: State, text: str, short: list[str]) -> str:
    """A placing in words, with what it makes of dice that lay there."""
    building, dice, seat = text[0], text[1:], before.seat
    name = BUILDINGS[building].name
    if building == "T":
        number, total = before.templum_dice[seat] + len(dice), before.templum_sum[seat] + sum(map(int, dice))
        return f"placed {spaced(dice)} in the {name} ({counted(number, 'die', 'dice')} of sum {total} there)"
    if building == "S":
        own = "".join(str(face) for face in range(before.low[seat], before.high[seat] + 1) if face)
        return f"placed {dashed(dice) if not own else spaced(dice)} in the {name}{_grown(own, dice)}"
    if building == "C":
        own = dice[0] * int(before.castrum[seat, int(dice[0]) - 1])
        return f"placed {dashed(dice)} in the {name}{_grown(own, dice)}"
    if building == "F":
        pushed = pushed_out(before, len(dice), short)
        return f"placed {' and '.join(dice)} in the {name}{f', pushing out {pushed}' if pushed else ''}"
    return f"put a die in the {name}"


def _grown(own: str, dice: str) -> str:
    return f" (now {dashed(''.join(sorted(own + dice)))})" if own else ""


def pushed_out(s: State, number: int, short: list[str]) -> str:
    """The dice that fall off the Forum when so many are placed (A-FOR-3): your 6 and Brutus's 6."""
    dice = []
    for column in range(max(0, columns(s) - number), s.forum_size):
        seat = s.forum_seat[column]
        owner = "your" if seat == YOU else "their own" if seat == s.seat else f"{short[seat]}'s"
        dice.append(f"{owner} {s.forum_face[column]}")
    return listed(dice)
