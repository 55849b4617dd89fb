"""The guide to Alea Iacta Est: moves by building, forgiving input, help with rule ids, exact gains, final scoring.

The person may type any dice of equal effect in any order (`t 63`); `read` returns a legal move, or raises an
`IllegalMove` that says why not.
"""

import re
from collections.abc import Sequence

from rostra.engine.game import BadNotation, Game, IllegalMove, Result, RostraError
from rostra.engine.jit import State
from rostra.games.alea.notation import digits
from rostra.games.alea.tableau import gain, score_tableau, tableau_of
from rostra.games.alea.tables import CARDS, PATRICIANS, PHASES, PLACE, PROVINCES, SENATE_WINNERS, SETS
from rostra.games.alea.terminal.board import board
from rostra.games.alea.terminal.refusals import needed_in_templum, why_not
from rostra.games.alea.terminal.score import items
from rostra.games.alea.terminal.story import Story, pushed_out, pushed_seats
from rostra.games.alea.terminal.words import BUILDINGS, CHOICES, card, codes, dashed, overview, spaced, tile
from rostra.words.guide import Guide, Menu, hung, in_cells, paragraphs
from rostra.words.voice import YOU

_ASKS = {
    "keep": "tui_alea.ask_keep",
    "take-card": "tui_alea.ask_card",
    "take-province": "tui_alea.ask_province",
    "take-patrician": "tui_alea.ask_patrician",
}


class AleaGuide(Guide):
    """See the module."""

    def __init__(self, game: Game, names: Sequence[str], language: str = "en") -> None:
        super().__init__(game, names, language)
        self.story = Story(self.names, self.voice)
        n = len(self.names)
        self.sets, self.senate_winners = int(SETS[n]), int(SENATE_WINNERS[n])

    def welcome(self) -> list[str]:
        """What this is, in a few lines."""
        return [*super().welcome(), *paragraphs([self.say("tui_alea.aim", sets=self.sets)])]

    def board(self, s: State) -> list[str]:
        """The table by names."""
        return board(dict(self.game.screen.view(s, YOU)), self.voice)

    def overview(self) -> list[str]:
        """The whole game on a screen."""
        return paragraphs(overview(self.voice, len(self.names), self.sets, self.senate_winners))

    def sentence(self, s: State, move: int) -> str:
        """A decision of the person in words, with what it does at once."""
        text = self.game.notation.text(s, move)
        dice = spaced(text[1:])
        if text[0] == "R":
            return self.say("tui_alea.do_roll_again", dice=dice)
        if text[0] == "K":
            return self.say("tui_alea.do_keep", n=len(text) - 1, tokens=dice)
        if text[0] == "+":
            return self.say("tui_alea.do_take", tile=text[1:])
        placed = self.say("tui_alea.do_place", dice=dice, where=self.say(BUILDINGS[text[0]].into))
        if text[0] == "T":
            total = s.templum_sum[YOU] + sum(map(int, text[1:]))
            return f"{placed} {self.say('tui_alea.sum_and_tokens', sum=total, n=len(text) - 1)}"
        if text[0] == "F" and (seats := pushed_seats(s, len(text) - 1)):
            owners = [self.say("tui_alea.of", name=self.voice.to(seat)) for seat in reversed(seats)]
            return f"{placed} {self.say('tui_alea.pushes_dice', owners=self.voice.listed(owners))}"
        return placed

    def tell(self, before: State, after: State, seat: int | None, text: str | None) -> list[str]:
        """What happened, in sentences; a bot's turn is one sentence."""
        lines = self.story.tell(before, after, text)
        if after.set != before.set:
            lines.append(self.say("tui_alea.points_so_far", n=self._score(after)))
        return lines

    def _score(self, s: State) -> int:
        return int(score_tableau(tableau_of(self.game.screen.view(s, YOU), YOU))["total"])

    # Listing moves.

    def menu(self, s: State, moves: list[int]) -> Menu:
        """Placings by building, choices with their gain."""
        if s.phase == PLACE:
            return self._placings(s, moves)
        tableau = tableau_of(self.game.screen.view(s, YOU), YOU)
        lines = [f"{self.say(_ASKS[PHASES[s.phase]])} {self.say('tui_alea.ask_how')}"]
        for number, move in enumerate(moves, 1):
            text = self.game.notation.text(s, move)
            lines += hung(f"{number:3}  {text:8}{gain(tableau, text):+3}  ", self._choice(text))
        return Menu(lines, moves)

    def _placings(self, s: State, moves: list[int]) -> Menu:
        texts = {move: self.game.notation.text(s, move) for move in moves}
        lines: list[str] = []
        numbered: list[int] = []
        starred = False
        for letter, building in BUILDINGS.items():
            here = [move for move in moves if texts[move][0] == letter]
            if not here:
                continue
            cells = []
            for move in here:
                numbered.append(move)
                star = "*" if self._would_win(s, texts[move]) else ""
                starred |= bool(star)
                cells.append(f"{len(numbered):2} {texts[move]}{star}{self._note(s, texts[move])}")
            lines += [f"{building.name}: {self.say(building.brief)}", *in_cells(cells, "  ")]
        if starred:
            lines.append(f"* {self.say('tui_alea.would_win')}")
        lines += self._rerolls(s)
        return Menu([f"{self.say('alea.your_roll')}: {spaced(digits(s.roll))}", "", *lines], numbered)

    def _rerolls(self, s: State) -> list[str]:
        if not s.chips[YOU]:
            return []
        example = f"R{digits(s.roll)[:2]}"
        return [self.say("tui_alea.roll_again", example=example, n=s.chips[YOU])]

    def _note(self, s: State, text: str) -> str:
        """What the code alone does not show: the sum, run or group that results, and who is pushed out."""
        dice = text[1:]
        if text[0] == "T":
            return f" {self.say('alea.sum', sum=s.templum_sum[YOU] + sum(map(int, dice)))}"
        if text[0] == "S" and s.low[YOU]:
            return f" = {dashed(self._run_after(s, text))}"
        if text[0] == "C" and s.castrum[YOU, int(dice[0]) - 1]:
            return f" = {dashed(self._group_after(s, text))}"
        if text[0] == "F":
            pushed = pushed_out(self.voice, s, len(dice))
            return f" {self.say('tui_alea.pushes_out', pushed=pushed)}" if pushed else ""
        return ""

    def _run_after(self, s: State, text: str) -> str:
        own = [str(face) for face in range(s.low[YOU], s.high[YOU] + 1) if face]
        return "".join(sorted([*own, *text[1:]]))

    def _group_after(self, s: State, text: str) -> str:
        return text[1] * (int(s.castrum[YOU, int(text[1]) - 1]) + len(text) - 1)

    def _would_win(self, s: State, text: str) -> bool:
        """Whether the run or group would be among the winners if the set ended now (A-SCO-3, A-SCO-6)."""
        if text[0] == "S":
            run = self._run_after(s, text)
            others = [(s.high[i] - s.low[i] + 1, s.high[i]) for i in range(s.n) if i != YOU and s.low[i]]
            return sum(other > (len(run), int(run[-1])) for other in others) < self.senate_winners
        if text[0] == "C":
            group = self._group_after(s, text)
            face = int(group[0])
            groups = [
                (int(s.castrum[seat, other]), other + 1)
                for seat in range(s.n)
                for other in range(6)
                if s.castrum[seat, other] and (seat, other + 1) != (YOU, face)
            ]
            return sum(other > (len(group), face) for other in groups) < int(s.province_offer).bit_count()
        return False

    # Help.

    def help(self, s: State, moves: list[int]) -> list[str]:
        """What the decision at hand is about, with rule ids."""
        if s.phase == PLACE:
            return self._help_placing(s, moves)
        lines = paragraphs([self.say(CHOICES[PHASES[s.phase]]), ""])
        tableau = tableau_of(self.game.screen.view(s, YOU), YOU)
        for move in moves:
            text = self.game.notation.text(s, move)
            rule = f" ({card(self.voice, text[1:]).rule})" if text[1:] in CARDS else ""
            lines += hung(f"  {text:8}{gain(tableau, text):+3}  ", f"{self._choice(text)}{rule}")
        lines += ["", self.say("tui_alea.signed_number")]
        return lines if PHASES[s.phase] == "keep" else [*lines, *paragraphs([codes(self.voice)])]

    def _choice(self, text: str) -> str:
        """A choice in words."""
        if text[0] == "K":
            return self.say("tui_alea.keep", tokens=self.voice.listed(text[1:]))
        return tile(self.voice, text[1:])

    def _help_placing(self, s: State, moves: list[int]) -> list[str]:
        letters = {self.game.notation.text(s, move)[0] for move in moves}
        lines = paragraphs([self.say("tui_alea.placing"), ""])
        for letter, building in BUILDINGS.items():
            if letter == "T" and s.n < 4:
                continue
            if letter in letters:
                rule = self.say(building.rule) + self._just_now(s, letter)
            else:
                rule = self.say("tui_alea.nothing_there", letter=letter)
            lines += hung(f"  {letter} {building.name:8} ", rule)
        chips = f"{self.say('tui_alea.reroll')} {self.say('tui_alea.you_have_chips', n=s.chips[YOU])}"
        lines += hung(
            f"  R {self.say('tui_alea.again'):8} ", chips if s.chips[YOU] else self.say("tui_alea.without_chip")
        )
        return [*lines, "", self.say("tui_alea.bar_parts")]

    def _just_now(self, s: State, letter: str) -> str:
        if letter == "T":
            return f" {self.say('tui_alea.templum_now', needs=needed_in_templum(self.voice, s))}"
        if letter == "S":
            return f" {self.say('tui_alea.runs_win', players=s.n, n=self.senate_winners)}"
        return ""

    def about(self, s: State, word: str, moves: list[int]) -> list[str]:
        """A move, tile, card or building explained; `R1` may be a move and a tile."""
        lines = []
        for code in (*PROVINCES, *PATRICIANS, *CARDS):
            if _key(word) == _key(code):
                rule = f" ({card(self.voice, code).rule})" if code in CARDS else ""
                lines.append(f"{code}: {tile(self.voice, code)}{rule}.")
        for letter, building in BUILDINGS.items():
            if word.casefold() in (letter.casefold(), building.name.casefold()):
                lines.append(f"{letter} {building.name}: {self.say(building.rule)}")
        try:
            return [*super().about(s, word, moves), *lines]
        except IllegalMove:
            if lines:
                return lines
            if self.claims(word):
                raise
        raise BadNotation(self.say("tui_alea.no_such_thing", typed=repr(word)))

    # Reading.

    def claims(self, typed: str) -> bool:
        """A letter with digits is meant as a move: `s 654` is no file to save to."""
        return re.fullmatch(r"[a-z][\d\s,.+-]*\d[\d\s,.+-]*", typed.casefold()) is not None

    def read(self, s: State, typed: str, moves: list[int]) -> int:
        """The legal move that was typed: dice in any order; blanks, separators and capitals do not matter."""
        texts = {self.game.notation.text(s, move): move for move in moves}
        alike = [text for text in texts if _key(text) == _key(typed)]
        if not alike:  # a card's number alone where there is just one such
            alike = [text for text in texts if _key(text.partition(":")[0]) == _key(typed)]
        if len(alike) == 1:
            return texts[alike[0]]
        code = re.sub(r"[\s,.+-]+", "", typed).upper()
        code = code[:1] + "".join(sorted(code[1:]))
        try:
            return self.game.notation.parse(s, code)  # other dice of the same effect
        except (BadNotation, IllegalMove) as error:
            raise self._refusal(s, typed, code, list(texts)) from error

    def _refusal(self, s: State, typed: str, code: str, texts: list[str]) -> RostraError:
        if s.phase != PLACE:
            return IllegalMove(self.say("tui_alea.not_on_offer", typed=repr(typed), moves=" ".join(texts)))
        return IllegalMove(why_not(self.voice, s, typed, code, texts))

    # Scores.

    def tableau(self, s: State) -> list[str]:
        """What the person has, and its points now with the best assignment."""
        tableau = tableau_of(self.game.screen.view(s, YOU), YOU)
        scored = score_tableau(tableau)
        lines = [self.say("tui_alea.points_now", n=scored["total"]), *items(self.voice, tableau, scored)]
        if hidden := digits(s.drawn[YOU] + s.drawn_before[YOU]):
            lines.append(self.say("tui_alea.tokens_drawn", tokens=spaced(hidden)))
        return lines

    def final(self, s: State, result: Result) -> list[str]:
        """Everybody's score item by item, the winner last."""
        seen = self.game.screen.view(s, YOU)
        lines = ["", f"--- {self.say('tui.over')} ---"]
        for seat in sorted(range(len(self.names)), key=lambda seat: (-result.points[seat], -result.tiebreak[seat])):
            tableau = tableau_of(seen, seat)
            scored = score_tableau(tableau)
            name = self.names[seat]
            if seat == YOU and name != self.say("lobby.you"):
                name += f" ({self.short[YOU]})"
            lines += ["", f"{name}: {self.say('alea.points', n=scored['total'])}", *items(self.voice, tableau, scored)]
        return [*lines, "", *self.verdict(result)]

    def verdict(self, result: Result) -> list[str]:
        """The winners, and what the tie-break is."""
        lines = super().verdict(result)
        if len(lines) > 1 or len(result.winners) > 1:
            lines.append(self.say("tui_alea.tie_rule"))
        return lines


def _key(code: str) -> str:
    return re.sub(r"[\s+:]+", "", code).casefold()
