"""What happens in a game of Alea Iacta Est, in sentences for the person at seat 0.

A bot's turn becomes one sentence, so parts are kept until the turn is complete; the person's own turn is reported step
by step. States are true ones, so use only what is public or the person's own (A-HID-1, A-HID-2); a move that the person
may not see comes as text None.
"""

from collections.abc import Callable

from rostra.engine.game import copy
from rostra.engine.jit import State
from rostra.games.alea.notation import digits
from rostra.games.alea.sets import best_group
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
from rostra.games.alea.terminal.words import BUILDINGS, card, dashed, spaced
from rostra.games.alea.view import card_codes, codes
from rostra.words.guide import hung
from rostra.words.voice import YOU, Voice, capital

_Tell = Callable[[State, State, str | None], list[str]]


class Story:
    """Reports ply after ply; `names` are for turns, the voice's short ones for lists."""

    def __init__(self, names: list[str], voice: Voice) -> None:
        self.voice, self.say, self.short = voice, voice.say, voice.short
        self.names = [voice.say("lobby.you"), *names[1:]]
        self.parts: list[str] = []  # of the turn, or of the building being scored, not reported yet
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
        """The sentences for one ply; none if it is reported together with a later one."""
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
        of = {"set": after.set + 1, "sets": SETS[after.n]}
        begins = self.say("tui_alea.set_begins", who=self.names[after.start], you=after.start == YOU, **of)
        return [
            "",
            f"--- {begins} ---",
            self.say("tui_alea.provinces_to_win", tiles=" ".join(codes(after.province_offer, PROVINCES))),
            self.say("tui_alea.patricians_to_win", tiles=" ".join(codes(after.patrician_offer, PATRICIANS))),
        ]

    def _rolled(self, before: State, after: State, text: str | None) -> list[str]:
        self.parts = [self._does(before, "tui_alea.rolled", dice=spaced(digits(after.roll)))]
        return self._turn_told(before) if before.seat == YOU else []

    def _rolled_again(self, before: State, after: State, text: str | None) -> list[str]:
        self.parts[-1] += f" ({spaced((text or '=')[1:])})"
        return self._turn_told(before) if before.seat == YOU else []

    def _placed(self, before: State, after: State, text: str | None) -> list[str]:
        assert text is not None  # placings are public
        if text[0] == "R":
            self.parts.append(self._does(before, "tui_alea.rolled_again", dice=spaced(text[1:])))
            return []
        if text[0] == "L" and not before.voluntary_latrina:
            self.parts.append(self._does(before, "tui_alea.could_not_place"))
        self.parts.append(self._placing(before, text))
        return [] if after.phase == TOKEN else self._turn_told(before)

    def _drew_token(self, before: State, after: State, text: str | None) -> list[str]:
        self.tokens += "?" if text is None else text[1:]
        if after.phase == TOKEN:
            return []
        said = {"n": len(self.tokens)}
        if "?" in self.tokens:
            self.parts.append(self._does(before, "tui_alea.drew", **said))
        else:
            self.parts.append(self._does(before, "tui_alea.drew_these", tokens=spaced(self.tokens), **said))
        self.tokens = ""
        return self._turn_told(before)

    def _turn_told(self, before: State) -> list[str]:
        told = f"{self.names[before.seat]} {self.voice.listed(self.parts)}."
        self.parts = []
        return [told]

    def _does(self, before: State, key: str, **values: object) -> str:
        """A part of the active seat's turn, from the verb on."""
        return self.say(key, you=before.seat == YOU, **values)

    def _placing(self, before: State, text: str) -> str:
        """A placing in words, with what it makes of dice that lay there."""
        building, dice, seat = text[0], text[1:], before.seat
        where = self.say(BUILDINGS[building].into)
        if building == "L":
            return self._does(before, "tui_alea.put_die", where=where)
        if building == "F":
            shown = {"dice": self.voice.listed(dice), "where": where}
            if pushed := pushed_out(self.voice, before, len(dice)):
                return self._does(before, "tui_alea.placed_pushing", pushed=pushed, **shown)
            return self._does(before, "tui_alea.placed", **shown)
        own = now = ""
        if building == "T":
            number, total = before.templum_dice[seat] + len(dice), before.templum_sum[seat] + sum(map(int, dice))
            now = self.say("tui_alea.sum_there", n=number, sum=total)
        elif building == "S":
            own = "".join(str(face) for face in range(before.low[seat], before.high[seat] + 1) if face)
        else:
            own = dice[0] * int(before.castrum[seat, int(dice[0]) - 1])
        if own:
            now = self.say("tui_alea.now_there", dice=dashed("".join(sorted(own + dice))))
        apart = building == "T" or (building == "S" and now)
        placed = self._does(before, "tui_alea.placed", dice=spaced(dice) if apart else dashed(dice), where=where)
        return f"{placed} {now}".rstrip()

    # The scoring of a set.

    def _set_ends(self, before: State, text: str | None) -> list[str]:
        self.unscored = copy(before)
        left = before.dice[: before.n].tolist()
        if before.phase == PLACE:
            left[before.seat] -= len(text or "") - 1
        done = [name for name, dice in zip(self.short, left, strict=True) if not dice]
        line = self.say("tui_alea.set_ends", names=self.voice.listed(done))
        unplaced = [f"{name} {dice}" for name, dice in zip(self.short, left, strict=True) if dice]
        if unplaced:
            line += f" {self.say('tui_alea.not_placed', names=', '.join(unplaced))}"
        return ["", line]

    def _won(self, building: str, before: State, after: State, what: str) -> list[str]:
        """Collect what is won in one building into a line, shown before the person has to choose and at the end."""
        self.parts.append(f"{self.short[before.seat]} {what}")
        if after.phase == before.phase and after.seat != YOU:
            return []
        told = f"{building}: {'; '.join(self.parts)}."
        self.parts = []
        return [told]

    def _kept(self, before: State, after: State, text: str | None) -> list[str]:
        what = self._does(before, "tui_alea.kept", what=spaced((text or "K")[1:]))
        return self._won("Templum", before, after, what)

    def _lone_token(self, before: State, after: State, text: str | None) -> list[str]:
        gained = digits(after.kept[before.seat] - self.unscored.kept[before.seat])
        return self._won("Templum", before, after, self._does(before, "tui_alea.lone_token", tokens=spaced(gained)))

    def _took_card(self, before: State, after: State, text: str | None) -> list[str]:
        run = dashed("".join(map(str, range(before.low[before.seat], before.high[before.seat] + 1))))
        if text is None:
            what = self.say("tui_alea.a_card")
        else:
            what = f"{text[1:]} ({card(self.voice, text[1:]).name})"
        return self._won("Senatus", before, after, self._does(before, "tui_alea.kept_for", what=what, dice=run))

    def _took_province(self, before: State, after: State, text: str | None) -> list[str]:
        face = best_group(before) % FACES
        group = dashed(str(face + 1) * int(before.castrum[before.seat, face]))
        took = self._does(before, "tui_alea.took", what=(text or "+")[1:], dice=group)
        return self._won("Castrum", before, after, took)

    def _took_patrician(self, before: State, after: State, text: str | None) -> list[str]:
        took = self._does(before, "tui_alea.took", what=(text or "+")[1:], dice=before.forum_face[0])
        return self._won("Forum", before, after, took)

    def _summary(self, after: State) -> list[str]:
        number = int(self.unscored.set) + 1
        lines = ["", self.say("tui_alea.won_in_set", set=number, sets=SETS[after.n])]
        for seat, name in enumerate(self.short):
            haul = "; ".join(self._haul(seat, after)) or self.say("tui_alea.nothing")
            lines += hung(f"  {capital(name):10}", haul)
        return lines

    def _haul(self, seat: int, after: State) -> list[str]:
        before = self.unscored
        haul = []
        if number := int((after.takers == seat + 1).sum() - (before.takers == seat + 1).sum()):
            own = card_codes(int(senate_cards(after, seat)) & ~int(senate_cards(before, seat)))
            shown = seat == YOU
            haul.append(self.say("tui_alea.card", card=own[0]) if shown else self.say("alea.cards_of", n=number))
        for key, names, now, then in (
            ("tui_alea.provinces", PROVINCES, after.provinces, before.provinces),
            ("tui_alea.patricians", PATRICIANS, after.patricians, before.patricians),
        ):
            if tiles := codes(int(now[seat]) & ~int(then[seat]), names):
                haul.append(self.say(key, n=len(tiles), tiles=" ".join(tiles)))
        if tokens := digits(after.kept[seat] - before.kept[seat]):
            haul.append(self.say("tui_alea.tokens", n=len(tokens), tokens=spaced(tokens)))
        if chips := int(after.chips[seat] - before.chips[seat]):
            haul.append(self.say("alea.chips_won", n=chips))
        return haul


_SCORING = (KEEP, LONE_TOKEN, DEAL, TAKE_CARD, TAKE_PROVINCE, TAKE_PATRICIAN, FINISHED)


def _nothing(before: State, after: State, text: str | None) -> list[str]:
    return []


def pushed_seats(s: State, number: int) -> list[int]:
    """Whose dice fall off the Forum when this many are placed (A-FOR-3), from the left."""
    return [int(s.forum_seat[column]) for column in range(max(0, columns(s) - number), s.forum_size)]


def pushed_out(voice: Voice, s: State, number: int) -> str:
    """The dice that fall off the Forum when this many are placed: your 6 and Brutus's 6."""
    seats = pushed_seats(s, number)
    dice = []
    for seat, face in zip(seats, s.forum_face[s.forum_size - len(seats) : s.forum_size], strict=True):
        if seat == YOU:
            dice.append(voice.say("tui_alea.your_die", die=face))
        elif seat == s.seat:
            dice.append(voice.say("tui_alea.own_die", die=face))
        else:
            dice.append(voice.say("tui_alea.die_of", name=voice.short[seat], die=face))
    return voice.listed(dice)
