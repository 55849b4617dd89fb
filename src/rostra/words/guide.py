"""How the terminal app shows a game, lists its moves, reads input and reports what happened.

`Guide` does so for any game, with plain lists of the moves' texts; a game's own guide overrides what it can say better.
Guides do not print: they return lines. A guide is handed true states but may only use what the person's seat sees; a
move that the person may not see comes as None.
"""

import textwrap
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rostra.engine.game import Game, IllegalMove, Result, RostraError
from rostra.engine.jit import State
from rostra.words import words
from rostra.words.voice import YOU, Voice, capital

WIDTH = 80


class Menu(NamedTuple):
    """The moves as listed: `moves[0]` is the one numbered 1. What is not numbered can still be typed."""

    lines: list[str]
    moves: list[int]


class Guide:
    """The plain guide; see the module. Seat 0 is the person, called `you` in the language of the guide."""

    def __init__(self, game: Game, names: Sequence[str], language: str = "en") -> None:
        self.game = game
        self.names = list(names)
        self.voice = Voice(language, names)
        self.say, self.short = self.voice.say, self.voice.short

    def welcome(self) -> list[str]:
        """What this is, in a few lines."""
        players = self.voice.listed([self.short[YOU], *self.names[1:]])
        return [self.say("tui.welcome", game=self.game.title, n=len(self.names), players=players)]

    def board(self, s: State) -> list[str]:
        """The table as the person sees it."""
        seats = ", ".join(f"{seat} {name}" for seat, name in enumerate(self.names))
        return [self.say("tui.seats", seats=seats), "", *self.game.screen.diagram(s, YOU).rstrip("\n").split("\n")]

    def menu(self, s: State, moves: list[int]) -> Menu:
        """The legal moves, one a line."""
        texts = [self.game.notation.text(s, move) for move in moves]
        # Where moves are themselves numbers, numbering the list would make them mean two things.
        numbered = not any(text.isdigit() for text in texts)
        width = max(map(len, texts))
        lines = []
        for number, (text, move) in enumerate(zip(texts, moves, strict=True), 1):
            label = f"{number:3}  " if numbered else "  "
            lines += hung(f"{label}{text:{width}}  ", self.sentence(s, move))
        return Menu([f"{self.say('table.plain_moves')}:", *lines], moves if numbered else [])

    def sentence(self, s: State, move: int) -> str:
        """A move in the game's own words, with names instead of seat numbers."""
        said = self.game.screen.explain(s, move)
        for seat, name in enumerate(self.short):
            said = said.replace(f"seat {seat}", name)
        return said

    def meaning(self, s: State, text: str) -> str:
        """The person's move in a few words, for hints."""
        return self.game.screen.phrase(words(self.voice.language), text, self.short, YOU)

    def shown(self, text: str) -> str:
        """A move's text as it is shown, and may be typed, in this language."""
        return text

    def help(self, s: State, moves: list[int]) -> list[str]:
        """What can be done now."""
        return [self.say("tui.decide", n=len(moves)), *self.menu(s, moves).lines]

    def overview(self) -> list[str]:
        """The whole game on a screen."""
        return [self.say("tui.no_overview", game=self.game.title)]

    def about(self, s: State, word: str, moves: list[int]) -> list[str]:
        """One move explained (`? CODE`)."""
        move = self.read(s, word, moves)
        return [f"{self.shown(self.game.notation.text(s, move))}: {self.sentence(s, move)}."]

    def tableau(self, s: State) -> list[str]:
        """What the person has."""
        return self.board(s)

    def claims(self, typed: str) -> bool:
        """Whether this is meant as a move although it could also be a command of the app."""
        return False

    def read(self, s: State, typed: str, moves: list[int]) -> int:
        """The legal move that was typed, ignoring blanks and capitals where that is unambiguous."""
        texts = {self.game.notation.text(s, move): move for move in moves}
        if typed in texts:
            return texts[typed]
        alike = [text for text in texts if squeezed(text) == squeezed(typed)]
        if len(alike) == 1:
            return texts[alike[0]]
        try:
            return self.game.notation.parse(s, typed)  # other spellings of the same move
        except RostraError as error:
            raise IllegalMove(self.voice.no_move(typed, texts)) from error

    def tell(self, before: State, after: State, seat: int | None, text: str | None) -> list[str]:
        """What happened in one ply. Without a seat it was chance; without a text the person may not see it."""
        who = self.say("tui.chance") if seat is None else capital(self.at_end(seat))
        if text is None:
            return [self.say("tui.not_for_you", who=who)]
        return [f"{who}: {text} ({self.sentence(before, self.game.notation.parse(before, text))})"]

    def final(self, s: State, result: Result) -> list[str]:
        """How it ended: the points, and who won."""
        width = max(map(len, self.names))
        rows = [f"  {name:{width}}  {points}" for name, points in zip(self.names, result.points, strict=True)]
        return [self.say("tui.over_points"), *rows, "", *self.verdict(result)]

    def verdict(self, result: Result) -> list[str]:
        """The winners in a sentence, and whether a tie-break made them so."""
        if not result.winners:
            return [self.say("table.nobody_wins")]
        points, first = result.points[result.winners[0]], result.winners[0]
        names = capital(self.voice.listed([self.at_end(seat) for seat in result.winners]))
        key = "tui.share_victory" if len(result.winners) > 1 else "tui.wins"
        lines = [self.say(key, names=names, you=YOU in result.winners, n=points)]
        beaten = [seat for seat, has in enumerate(result.points) if has == points and seat not in result.winners]
        if beaten:
            values = ", ".join(f"{self.at_end(seat)} {result.tiebreak[seat]}" for seat in (first, *beaten))
            lines.append(self.say("tui.tie_break", values=values))
        return lines

    def at_end(self, seat: int) -> str:
        """A seat with the kind of its bot; the person is `you`."""
        return self.short[YOU] if seat == YOU else self.names[seat]


def squeezed(text: str) -> str:
    """A text without blanks and capitals."""
    return "".join(text.split()).casefold()


def wrapped(line: str) -> list[str]:
    """A line wrapped to the width of the screen; continuation lines are indented by two."""
    if len(line) <= WIDTH:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    return hung(indent, line.lstrip(), indent + "  ")


def hung(label: str, text: str, indent: str | None = None) -> list[str]:
    """A label and a text whose further lines are aligned below its first (or at the given indent)."""
    return textwrap.wrap(
        text or "-",
        WIDTH,
        initial_indent=label,
        subsequent_indent=" " * len(label) if indent is None else indent,
        break_on_hyphens=False,
    )


def paragraphs(texts: Iterable[str]) -> list[str]:
    """Prose, wrapped to the width of the screen."""
    return [line for text in texts for line in (hung("", text) if text else [""])]


def in_cells(cells: Sequence[str], indent: str, gap: int = 3) -> list[str]:
    """Cells side by side, as many as fit in a line; in columns unless some are much wider than others."""
    width = max(map(len, cells)) + gap
    if width > 2 * (min(map(len, cells)) + gap):
        unbroken = (" " * gap).join(cell.replace(" ", "\0") for cell in cells)
        return [line.replace("\0", " ").rstrip() for line in hung(indent, unbroken)]
    in_a_line = max(1, (WIDTH - len(indent) + gap) // width)
    rows = [cells[i : i + in_a_line] for i in range(0, len(cells), in_a_line)]
    return [(indent + "".join(f"{cell:{width}}" for cell in row)).rstrip() for row in rows]
