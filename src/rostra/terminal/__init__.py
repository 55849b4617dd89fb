"""The terminal app: a person at seat 0 plays against bots, in plain lines of at most 80 columns.

No colours and no cursor tricks, so it works everywhere and can be scripted through `read` and `write`. A game with a
guide (`Screen.guide`) is shown in its own words; any other is played with plain lists. The person must learn only what
the seat may see, so moves pass `Knowledge.hides` before a guide gets them.
"""

import secrets
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path

from rostra.bots import make_bot, prepare
from rostra.engine import rng
from rostra.engine.game import BadOption, Game, RostraError, copy
from rostra.games import find_game
from rostra.play.match import NAMES, Match
from rostra.play.transcript import write as written
from rostra.study.analyse import hint, knows
from rostra.study.report import reason_text
from rostra.words import words
from rostra.words.guide import Guide, Menu, wrapped
from rostra.words.voice import YOU

_TYPED = {
    "tui.typed_help": "?",
    "tui.typed_rules": "??",
    "tui.typed_board": "d",
    "tui.typed_tableau": "t",
    "tui.typed_log": "l",
    "tui.typed_save": "s",
    "tui.typed_quit": "q",
    "tui.typed_hint": "hint",
}
"""The commands. They can be typed in the chosen language, and always in English."""
_UNSAVED: dict[type[Exception], str] = {
    FileNotFoundError: "tui.no_such_folder",
    NotADirectoryError: "tui.no_folder",
    PermissionError: "tui.not_permitted",
    RuntimeError: "tui.no_home",
}
"""Why a file cannot be written; for rarer errors the system's own message is shown."""
LONGEST_LINE = 1000


class _Quit(Exception):
    """The person wants to stop."""


def play(
    game: str | Game,
    bots: list[str],
    *,
    seats: int | None,
    name: str,
    options: dict[str, str],
    seed: int | None,
    language: str = "en",
    read: Callable[[str], str] = input,
    write: Callable[[str], None] = print,
) -> int:
    """Play a game against these bots, in a language of the catalogue; returns the exit code."""
    nameless = words(language).say("lobby.you")
    rules = find_game(game)
    bots = [bot.strip() for bot in bots]
    _check_seats(rules, seats, bots)
    seed = secrets.randbelow(2**62) if seed is None else seed
    session = _Session(rules, bots, name.strip() or nameless, options, seed, language, read, write)
    try:
        session.run()
    except (_Quit, EOFError):
        session.farewell()
    except KeyboardInterrupt:
        session.farewell()
        return 130
    return 0


def _check_seats(game: Game, seats: int | None, bots: list[str]) -> None:
    if seats is None or seats == len(bots) + 1:
        return
    fewest, most = game.rules.seats
    if not fewest <= seats <= most:
        raise BadOption(f"{game.title} is for {fewest} to {most} players, not {seats}")
    right = ",".join((bots + ["eques"] * seats)[: seats - 1])
    raise BadOption(f"{seats} seats are you and {seats - 1} bots, not {len(bots)}: --bots {right}")


def _bot_names(bots: list[str], name: str) -> list[str]:
    """Roman names, each with the kind of its bot; the person's own name is left out."""
    romans = [roman for roman in (*NAMES[1:], NAMES[0]) if roman.casefold() != name.casefold()]
    romans += [f"Bot {number}" for number in range(len(romans) + 1, len(bots) + 1)]
    return [f"{roman} ({bot})" for roman, bot in zip(romans, bots, strict=False)]


class _Session:
    """One sitting at the terminal."""

    def __init__(
        self,
        game: Game,
        bots: list[str],
        name: str,
        options: dict[str, str],
        seed: int,
        language: str,
        read: Callable[[str], str],
        write: Callable[[str], None],
    ) -> None:
        self.game, self.read, self.write = game, read, write
        self.bots = [make_bot(bot) for bot in bots]
        prepare(game)  # now, and not while somebody waits for a bot's first move
        # Dice and bots draw from streams of their own, seeded as the first game of `rostra simulate` is.
        source = rng.generator(seed)
        self.match = Match(game, [name, *_bot_names(bots, name)], options, int(rng.new_seed(source)))
        self.streams = [rng.generator() for _ in self.match.names]
        for seat, stream in enumerate(self.streams):
            rng.reseed(stream, int(rng.new_seed(source)), seat)
        self.guide: Guide = (game.screen.guide or Guide)(game, self.match.names, language)
        self.voice, self.text = self.guide.voice, self.guide.say
        self.typed = {word: command for key, command in _TYPED.items() for word in _words_of(key, language)}
        self.seen = game.new(len(self.match.names), options)  # the table as far as it has been told
        self.told = 0
        self.log: list[str] = []
        self.saved: set[Path] = set()
        self.again = _command_line(game.name, bots, name, options, seed, language)

    def run(self) -> None:
        """Play to the end, then let the person look around."""
        match = self.match
        self.say([*self.guide.welcome(), "", *self.commands()])
        while not match.over:
            self.tell()
            seat = match.turn
            assert seat is not None  # a match with a seed lets chance happen by itself
            if seat == YOU:
                move = self.decide()
            else:
                move = self.bots[seat - 1].choose(self.game, match.state, self.streams[seat])
            match.play(self.game.notation.text(match.state, move), seat)
        self.tell()
        result = match.result()
        assert result is not None
        self.say(self.guide.final(match.state, result))
        self.after()

    def farewell(self) -> None:
        """Say goodbye, and how to play with the same dice again."""
        if not self.match.over:
            self.say(["", self.text("tui.leave")])
        self.say([self.text("tui.same_dice")])
        self.write(f"  {self.again}")  # uncut, to be copied

    def commands(self) -> list[str]:
        """What can be typed besides moves, in two columns."""
        text, hint = self.text, self.voice.typed("tui.typed_hint")[0]
        rows = (
            ("?", "tui.do_help", "?? ", "tui.do_rules"),
            ("d", "tui.do_board", "t  ", "tui.do_tableau"),
            ("l", "tui.do_log", f"s {text('tui.file')}", "tui.do_save"),
            ("q", "tui.do_quit", hint, "tui.do_hint"),
        )
        wide = max(len(row[2]) + 2 for row in rows)
        lines = []
        for left, does, right, does_too in rows:
            code = right if right.endswith(" ") else f"{right:{wide}}"
            lines.append(f"{left:3}{text(does):31}{code}{text(does_too)}")
        return lines

    def say(self, lines: Iterable[str]) -> None:
        """Write lines, none wider than the screen."""
        for line in lines:
            for part in wrapped(line):
                self.write(part)

    def tell(self) -> None:
        """Write what happened since the last time, as far as the person may know it."""
        for ply in self.match.log[self.told :]:
            move = self.game.notation.parse(self.seen, ply.move)
            hidden = self.game.knowledge.hides(self.seen, move, YOU)
            before = copy(self.seen)
            self.game.rules.apply(self.seen, move)
            lines = self.guide.tell(before, self.seen, ply.seat, None if hidden else ply.move)
            self.log += lines
            self.say(lines)
        self.told = len(self.match.log)

    def decide(self) -> int:
        """The person's move."""
        s = self.match.state
        moves = self.game.legal_moves(s)
        if len(moves) == 1:
            self.say([self.text("tui.only_move", move=self.guide.shown(self.game.notation.text(s, moves[0])))])
            return moves[0]
        menu = self.guide.menu(s, moves)
        self.say(["", *self.guide.board(s), "", *menu.lines])
        while True:
            try:
                typed = self._typed("tui.your_move")
                if not self.command(typed, moves):
                    return self._move(typed, moves, menu)
            except RostraError as error:
                self.say([str(error)])

    def _typed(self, prompt: str) -> str:
        try:
            typed = self.read(f"{self.text(prompt)} ").strip()
        except UnicodeDecodeError as error:
            raise BadOption(self.text("tui.no_text")) from error
        if len(typed) > LONGEST_LINE:
            raise BadOption(self.text("tui.too_long", n=len(typed)))
        return typed

    def _move(self, typed: str, moves: list[int], menu: Menu) -> int:
        if typed.isascii() and typed.isdigit() and menu.moves:
            if not 1 <= int(typed) <= len(menu.moves):
                code = self.guide.shown(self.game.notation.text(self.match.state, menu.moves[0]))
                raise BadOption(self.text("tui.numbered", n=len(menu.moves), code=code))
            return menu.moves[int(typed) - 1]
        return self.guide.read(self.match.state, typed, moves)

    def command(self, typed: str, moves: list[int]) -> bool:
        """Do what is typed if it is a command of the app; False if it is to be a move."""
        word, rest = (*typed.split(maxsplit=1), "", "")[:2]
        word = self.typed.get(word.casefold(), word.casefold())
        s = self.match.state
        if word == "q" and not rest:
            raise _Quit
        if not typed:
            self.say([self.text("tui.type_a_move")])
        elif word == "??" and not rest:
            self.say(["", *self.guide.overview(), ""])
        elif word.startswith("?"):
            self._help(f"{word[1:]} {rest}".strip(), moves)
        elif word == "d" and not rest:
            self.say(["", *self.guide.board(s), "", *(self.guide.menu(s, moves).lines if moves else [])])
        elif word == "t" and not rest:
            self.say(["", *self.guide.tableau(s), ""])
        elif word == "l" and not rest:
            self.say([*self.log, ""])
        elif word == "hint" and not rest:
            self.say(self._hint())
        elif word == "s" and not self.guide.claims(typed):
            self.save(rest)
        else:
            return False
        return True

    def _hint(self) -> list[str]:
        """The best moves with reasons, from what the person may know."""
        if self.match.over:
            return [self.text("tui.hint_over")]
        if not knows(self.game, len(self.match.names)):
            return [self.text("tui.no_hint", game=self.game.title, n=len(self.match.names))]
        s, said = self.match.state, words(self.voice.language)
        found = hint(self.game, s)
        lines = [self.text("tui.hint_chance", chance=f"{100 * found.chance:.0f}")]
        for number, one in enumerate(found.moves, 1):
            less = f", {self.text('tui.hint_less', loss=f'{100 * one.loss:.0f}')}" if one.loss >= 0.005 else ""
            move = f"{self.guide.shown(one.move)} ({self.guide.meaning(s, one.move)})"
            lines.append(f"{number}. {move}: {100 * one.chance:.0f} %{less}")
            reasons = (reason_text(said, reason, self.guide.short, self.voice.number) for reason in one.reasons)
            lines += [f"     {reason}" for reason in reasons]
        return lines

    def _help(self, word: str, moves: list[int]) -> None:
        if word:
            self.say(self.guide.about(self.match.state, word, moves))
        elif moves:
            self.say(["", *self.guide.help(self.match.state, moves), "", *self.commands(), ""])
        else:
            self.say(self.commands())

    def save(self, file: str) -> None:
        """Write the transcript: all of it when the game is over, else what the person may know."""
        if not file:
            raise BadOption(self.text("tui.save_where"))
        try:
            path = Path(file).expanduser().resolve()
            # Nobody else's file is written over, an earlier save of this game is.
            with path.open("w" if path in self.saved else "x", encoding="utf-8") as opened:
                opened.write(written(self.match.transcript(YOU)))
        except FileExistsError as error:
            raise BadOption(self.text("tui.file_exists", file=file)) from error
        except (OSError, ValueError, RuntimeError) as error:
            key = _UNSAVED.get(type(error))
            why = self.text(key) if key else getattr(error, "strerror", None) or error
            raise BadOption(self.text("tui.cannot_save", file=file, why=why)) from error
        self.saved.add(path)
        self.say([self.text("tui.saved" if self.match.over else "tui.saved_so_far", file=file)])

    def after(self) -> None:
        """Offer to save, and let the person look around until they leave."""
        self.say(["", self.text("tui.look_around")])
        while True:
            try:
                typed = self._typed("tui.save_or_end")
                if not typed:
                    raise _Quit
                if not self.command(typed, []):
                    self.say([self.text("tui.no_move_any_more", typed=repr(typed))])
            except RostraError as error:
                self.say([str(error)])


def _words_of(key: str, language: str) -> list[str]:
    """What a command is called in this language and in English."""
    return [word for each in ("en", language) for word in words(each).say(key).split(", ")]


def _command_line(game: str, bots: list[str], name: str, options: dict[str, str], seed: int, language: str) -> str:
    """The command that begins this game again."""
    line = ["rostra", "play", game, "--bots", ",".join(bots), "--seed", str(seed)]
    if name != words(language).say("lobby.you"):
        line += ["--name", name]
    if language != "en":
        line += ["--lang", language]
    for option, value in options.items():
        line += ["--option", f"{option}={value}"]
    return shlex.join(line)
