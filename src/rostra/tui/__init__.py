"""The terminal app: a person at seat 0 plays against bots, in plain lines of at most 80 columns.

No colours and no cursor tricks, so it works everywhere and can be scripted through `read` and `write`. Games with a
guide of their own (`GUIDES`) are told in their words; any other is playable with plain lists. What a newcomer would
get wrong: the person learns only what his seat may see, so everything told goes through `Game.hides` here.
"""

import secrets
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path

from rostra import rng
from rostra.analyse import hint, knows
from rostra.bots import make_bot, prepare
from rostra.game import BadOption, Game, RostraError, copy
from rostra.games import find_game
from rostra.match import NAMES, Match
from rostra.phrases import phrase
from rostra.report import reason_text
from rostra.transcript import write as written
from rostra.tui.alea import AleaGuide
from rostra.tui.guide import YOU, Guide, Menu, wrapped
from rostra.tui.quovadis import QuoVadisGuide
from rostra.words import words

GUIDES: dict[str, type[Guide]] = {"alea": AleaGuide, "quovadis": QuoVadisGuide}

_COMMANDS = """\
?  help on what you can do now    ?? the whole game on one screen
d  the board again                t  your tableau and its points
l  what happened so far           s FILE  save the transcript
q  quit                           hint    the three best moves, and why"""
_LONG_WORDS = {
    "help": "?",
    "rules": "??",
    "board": "d",
    "diagram": "d",
    "tableau": "t",
    "log": "l",
    "quit": "q",
    "exit": "q",
}
LONGEST_LINE = 1000


class _Quit(Exception):
    """The person has had enough."""


def play(
    game: str,
    bots: list[str],
    *,
    seats: int | None,
    name: str,
    options: dict[str, str],
    seed: int | None,
    read: Callable[[str], str] = input,
    write: Callable[[str], None] = print,
) -> int:
    """Play a game against these bots; returns the exit code."""
    rules = find_game(game)
    bots = [bot.strip() for bot in bots]
    _check_seats(rules, seats, bots)
    name = name.strip() or "You"
    session = _Session(rules, bots, name, options, secrets.randbelow(2**62) if seed is None else seed, read, write)
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
    fewest, most = game.seats
    if not fewest <= seats <= most:
        raise BadOption(f"{game.title} is for {fewest} to {most} players, not {seats}")
    right = ",".join((bots + ["eques"] * seats)[: seats - 1])
    raise BadOption(f"{seats} seats are you and {seats - 1} bots, not {len(bots)}: --bots {right}")


def _bot_names(bots: list[str], name: str) -> list[str]:
    """Roman names with the kind behind; the person's own is left out."""
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
        self.guide = GUIDES.get(game.name, Guide)(game, self.match.names)
        self.seen = game.new(len(self.match.names), options)  # the table as far as it has been told
        self.told = 0
        self.log: list[str] = []
        self.saved: set[Path] = set()
        self.again = _command_line(game.name, bots, name, options, seed)

    def run(self) -> None:
        """Play to the end, and then as long as the person looks around."""
        match = self.match
        self.say([*self.guide.welcome(), "", *_COMMANDS.split("\n")])
        while not match.over:
            self.tell()
            seat = match.turn
            assert seat is not None  # a match with a seed lets chance happen by itself
            if seat == YOU:
                move = self.decide()
            else:
                move = self.bots[seat - 1].choose(self.game, match.state, self.streams[seat])
            match.play(self.game.text(match.state, move), seat)
        self.tell()
        result = match.result()
        assert result is not None
        self.say(self.guide.final(match.state, result))
        self.after()

    def farewell(self) -> None:
        """Say what becomes of the game."""
        if not self.match.over:
            self.say(["", "You leave the game. It is not kept, so it cannot be taken up again."])
        self.say(["The same dice from the start:"])
        self.write(f"  {self.again}")  # uncut, to be copied

    def say(self, lines: Iterable[str]) -> None:
        """Write lines, none wider than the screen."""
        for line in lines:
            for part in wrapped(line):
                self.write(part)

    def tell(self) -> None:
        """Tell what happened since the last time, as the person may know it."""
        for ply in self.match.log[self.told :]:
            move = self.game.parse(self.seen, ply.move)
            hidden = self.game.hides(self.seen, move, YOU)
            before = copy(self.seen)
            self.game.apply(self.seen, move)
            lines = self.guide.tell(before, self.seen, ply.seat, None if hidden else ply.move)
            self.log += lines
            self.say(lines)
        self.told = len(self.match.log)

    def decide(self) -> int:
        """The person's move."""
        s = self.match.state
        moves = self.game.legal_moves(s)
        if len(moves) == 1:
            self.say([f"Only one move is legal, so it is played for you: {self.game.text(s, moves[0])}."])
            return moves[0]
        menu = self.guide.menu(s, moves)
        self.say(["", *self.guide.board(s), "", *menu.lines])
        while True:
            try:
                typed = self._typed("Your move (? for help): ")
                if not self.command(typed, moves):
                    return self._move(typed, moves, menu)
            except RostraError as error:
                self.say([str(error)])

    def _typed(self, prompt: str) -> str:
        try:
            typed = self.read(prompt).strip()
        except UnicodeDecodeError as error:
            raise BadOption("That is no text in the encoding of this terminal; please type it again.") from error
        if len(typed) > LONGEST_LINE:
            raise BadOption(f"That line is too long: {len(typed)} characters. Type a move, or ? for help.")
        return typed

    def _move(self, typed: str, moves: list[int], menu: Menu) -> int:
        if typed.isascii() and typed.isdigit() and menu.moves:
            if not 1 <= int(typed) <= len(menu.moves):
                code = self.game.text(self.match.state, menu.moves[0])
                raise BadOption(f"The moves are numbered 1 to {len(menu.moves)}, or type a code such as {code}.")
            return menu.moves[int(typed) - 1]
        return self.guide.read(self.match.state, typed, moves)

    def command(self, typed: str, moves: list[int]) -> bool:
        """Do what is typed if it is a command of the app; False if it is to be a move."""
        word, rest = (*typed.split(maxsplit=1), "", "")[:2]
        word = _LONG_WORDS.get(word.casefold(), word.casefold())
        s = self.match.state
        if word == "q" and not rest:
            raise _Quit
        if not typed:
            self.say(["Type a move, its number, or ? for help."])
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
        elif word in ("s", "save") and not self.guide.claims(typed):
            self.save(rest)
        else:
            return False
        return True

    def _hint(self) -> list[str]:
        """The best moves with reasons, from what the person may know."""
        if self.match.over:
            return ["The game is over: there is nothing left to decide."]
        if not knows(self.game, len(self.match.names)):
            return [f"Nobody has learned {self.game.title} with {len(self.match.names)} players: there is no hint."]
        found, said = hint(self.game, self.match.state), words("en")
        lines = [f"Your chance to win with the best move: {100 * found.chance:.0f} %."]
        for number, one in enumerate(found.moves, 1):
            less = f", {100 * one.loss:.0f} % less" if one.loss >= 0.005 else ""
            meaning = phrase(said, self.game.name, one.move, self.guide.short, YOU)
            lines.append(f"{number}. {one.move} ({meaning}): {100 * one.chance:.0f} %{less}")
            lines += [f"     {reason_text(said, reason, self.guide.short)}" for reason in one.reasons]
        return lines

    def _help(self, word: str, moves: list[int]) -> None:
        if word:
            self.say(self.guide.about(self.match.state, word, moves))
        elif moves:
            self.say(["", *self.guide.help(self.match.state, moves), "", *_COMMANDS.split("\n"), ""])
        else:
            self.say(_COMMANDS.split("\n"))

    def save(self, file: str) -> None:
        """Write the transcript: all of it when the game is over, else what the person may know."""
        if not file:
            raise BadOption("Say where to save to: s FILE, such as s my.game")
        try:
            path = Path(file).expanduser().resolve()
            # Nobody else's file is written over, an earlier save of this game is.
            with path.open("w" if path in self.saved else "x", encoding="utf-8") as opened:
                opened.write(written(self.match.transcript(YOU)))
        except FileExistsError as error:
            raise BadOption(f"{file} exists already; choose another name.") from error
        except (OSError, ValueError, RuntimeError) as error:
            raise BadOption(f"Cannot save to {file}: {getattr(error, 'strerror', None) or error}") from error
        self.saved.add(path)
        what = "The game is" if self.match.over else "What you may know of the game so far is"
        self.say([f"{what} saved in {file}"])

    def after(self) -> None:
        """Offer to save, and let the person look around, until he leaves."""
        self.say(["", "s FILE saves the game, d t l show board, tableau and log; Enter or q ends."])
        while True:
            try:
                typed = self._typed("Save (s FILE) or end (Enter): ")
                if not typed:
                    raise _Quit
                if not self.command(typed, []):
                    self.say([f"The game is over, so there is no move {typed!r}. Enter ends; s FILE saves."])
            except RostraError as error:
                self.say([str(error)])


def _command_line(game: str, bots: list[str], name: str, options: dict[str, str], seed: int) -> str:
    """The command that begins this game again."""
    words = ["rostra", "play", game, "--bots", ",".join(bots), "--seed", str(seed)]
    if name != "You":
        words += ["--name", name]
    for option, value in options.items():
        words += ["--option", f"{option}={value}"]
    return shlex.join(words)
