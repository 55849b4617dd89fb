"""One sitting of a game: who sits where, what was played, and what may come next.

Everything goes through one door: texts are parsed against the rules, seats are checked, and the log is the only truth
(taking back replays it). Not here: clocks, storage, networks. What a newcomer would get wrong: with a seed the match
lets chance happen by itself after every move; without one the caller plays the dice too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rostra import rng
from rostra.game import (
    CHANCE,
    OVER,
    BadNotation,
    BadOption,
    Game,
    MatchOver,
    NotYourTurn,
    RostraError,
    shortened,
)
from rostra.games import find_game
from rostra.jit import State
from rostra.transcript import Event, Ply, Result, Transcript, play_out, result_of

NAMES = ("Antonius", "Brutus", "Claudius", "Darius", "Flavius")


class Match:
    """A game being played; see the module."""

    def __init__(
        self,
        game: str | Game,
        seats: int | Sequence[str] = 2,
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else find_game(game)
        named = isinstance(seats, list | tuple) and all(isinstance(name, str) for name in seats)
        if not named and type(seats) is not int:
            raise BadOption(f"seats are a number or a list of names, not {seats!r}")
        if seed is not None and (type(seed) is not int or not 0 <= seed < rng.SEEDS):
            raise BadOption(f"the seed is a whole number from 0 to 2**62 - 1, not {seed!r}")
        n_seats = seats if isinstance(seats, int) else len(seats)
        self.options = dict(options or {})
        self.state = self.game.new(n_seats, self.options)
        self.names = list(NAMES[:n_seats]) if isinstance(seats, int) else list(seats)
        self.log: list[Ply] = []
        self._seed = seed
        self._dice = rng.generator()
        self._roll()

    @property
    def turn(self) -> int | None:
        """The seat to decide, or None: chance is to happen, or the match is over."""
        turn = self.game.turn(self.state)
        return None if turn in (CHANCE, OVER) else turn

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.game.turn(self.state) == OVER

    def legal(self) -> list[str]:
        """The legal moves of the seat to decide, or what chance can bring; nothing when it is over."""
        if self.over:
            return []
        return [self.game.text(self.state, move) for move in self.game.legal_moves(self.state)]

    def play(self, move: str, seat: int | None = None) -> None:
        """Make a move, or (without a seed) let an outcome of chance happen. A given seat must be the one to move."""
        if self.over:
            raise MatchOver("the match is over")
        if seat is not None and seat != self.turn:
            to_move = "chance" if self.turn is None else f"seat {self.turn} ({self.names[self.turn]})"
            raise NotYourTurn(f"seat {seat} cannot move: {to_move} is to move")
        if not isinstance(move, str):
            raise BadNotation(f"a move is a text, not {move!r}")
        try:
            made = self.game.parse(self.state, move)
        except RostraError as error:
            raise type(error)(f"{error}; legal: {shortened(self.legal())}") from error
        self._make(made)
        self._roll()

    def undo(self, ply: int) -> None:
        """Go back to before this ply; with a seed, chance then happens again as it did."""
        if type(ply) is not int or not 0 <= ply <= len(self.log):
            raise RostraError(f"the log has {len(self.log)} plies; cannot go back to ply {ply!r}")
        kept = self.log[:ply]
        self.state = self.game.new(len(self.names), self.options)
        self.log = []
        for one in kept:
            self._make(self.game.parse(self.state, one.move))
        self._roll()

    def result(self) -> Result | None:
        """How it ended, or None while it goes on."""
        return result_of(self.game, self.state) if self.over else None

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat (or a watcher) may see."""
        if seat is not None and seat not in range(len(self.names)):
            raise BadOption(f"the seats are 0 to {len(self.names) - 1}, not {seat!r}")
        return self.game.view(self.state, seat)

    def transcript(self, seat: int | None = None, *, secrets: bool = False) -> Transcript:
        """The match as text has it: all of it when it is over or `secrets`, else as this seat (None: a watcher) may."""
        hide = not (secrets or self.over) and self.game.secret
        s = self.game.new(len(self.names), self.options)
        moves = (self.game.parse(s, ply.move) for ply in self.log)
        events = list(self._as_seen(s, moves, seat)) if hide else list(play_out(self.game, s, moves))
        options = self.game.all_options(self.options)
        return Transcript(
            self.game.name, self.game.rules_version, list(self.names), options, events=events, result=self.result()
        )

    def _as_seen(self, s: State, moves: Iterable[int], seat: int | None) -> Iterator[Event]:
        hidden = False

        def watched() -> Iterator[int]:
            nonlocal hidden
            for move in moves:
                hidden = self.game.hides(s, move, seat)
                yield move

        for event in play_out(self.game, s, watched()):
            if isinstance(event, Ply) and hidden:
                event = event._replace(move=event.move[0] + "?")
            yield event

    def _make(self, move: int) -> None:
        turn = self.game.turn(self.state)
        text = self.game.text(self.state, move)
        self.log.append(Ply(len(self.log), None if turn == CHANCE else turn, text))
        self.game.apply(self.state, move)

    def _roll(self) -> None:
        while self._seed is not None and self.game.turn(self.state) == CHANCE:
            rng.reseed(self._dice, self._seed, self.game.stream(self.state))
            self._make(self.game.draw(self.state, self._dice))
