"""One sitting of a game: who sits where, what was played, and what may come next.

Everything goes through one door: texts are parsed against the rules, seats are checked, and the log is the only truth
(taking back replays it). With a seed, or with dice, the match lets chance happen by itself after every move; without
them the caller plays the dice too. Not here: clocks, storage, networks.
"""

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import msgspec
import numpy as np

from rostra.engine import rng
from rostra.engine.game import (
    CHANCE,
    OVER,
    BadNotation,
    BadOption,
    Game,
    MatchOver,
    NotYourTurn,
    Result,
    RostraError,
    result_of,
    shortened,
)
from rostra.engine.jit import State
from rostra.engine.loops import verbs_of
from rostra.games import find_game
from rostra.play.transcript import HIDDEN_MOVE, HIDDEN_OUTCOME, Event, GameEnd, Ply, Transcript, Undo

NAMES = ("Antonius", "Brutus", "Claudius", "Darius", "Flavius")


class Dice(Protocol):
    """Where chance comes from in a live match."""

    def outcome(self, pool: int | Sequence[str], epoch: int, ply: int) -> str:
        """The text of what ply `ply` brings, after `epoch` undos, from such a `Notation.pool`."""


class Match:
    """A game being played, by texts; see the module.

    >>> import rostra
    >>> match = rostra.Match("alea", seats=["Ada", "Ben"], seed=7)
    >>> match.turn, match.legal()[:3]
    (1, ['S1', 'S12', 'S2'])
    >>> match.play("S12", seat=1)[0].move
    'S12'
    >>> match.view(0)["phase"], match.over
    ('place', False)

    `state` is the record as it is now, `log` the plies that led to it, `epoch` the number of undos so far, and `events`
    all that ever happened: plies, undone ones too, with the undos and the ends of games among them.
    """

    def __init__(
        self,
        game: str | Game,
        seats: int | Sequence[str] = 2,
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
        dice: Dice | None = None,
        *,
        rolls: bool = True,
    ) -> None:
        """With `rolls=False` no chance happens before the first move, so that `replay` can begin at ply 0."""
        self.game = game if isinstance(game, Game) else find_game(game)
        named = isinstance(seats, list | tuple) and all(isinstance(name, str) for name in seats)
        if not named and type(seats) is not int:
            raise BadOption(f"seats are a number or a list of names, not {seats!r}")
        if seed is not None:
            _check_seed(seed)
            if dice is not None:
                raise BadOption("chance comes from a seed or from dice, not from both")
        n_seats = seats if isinstance(seats, int) else len(seats)
        self.options = dict(options or {})
        self.names = list(NAMES[:n_seats]) if isinstance(seats, int) else list(seats)
        self._verbs = verbs_of(self.game)  # before the first call of the rules, so that they are compiled together
        self._new = self.game.new(n_seats, self.options)
        self._states = np.zeros(1, self.game.rules.state)
        self._states[0] = self._new
        self.log: list[Ply] = []
        self.events: list[Event] = []
        self.epoch = 0
        self._moves: list[int] = []  # those of the log
        self._hidden: list[
            int
        ] = []  # for each event a mask of the seats that may not see it; the last bit is for spectators
        self._games_ended = 0
        self._buffer = np.empty(self.game.rules.max_legal, np.int32)
        self._seed = seed
        self._dice = dice
        self._generator = rng.generator()
        self._turn = self._verbs.turn(self._states, 0)
        if rolls:
            self._roll()

    @property
    def state(self) -> State:
        """The record as it is now; it changes with the match."""
        return self._states[0]

    def copy(self, seed: int | None = None) -> "Match":
        """An independent match that goes on from here, with the same names and dice; or with the dice of another seed.

        With the same dice a copy foresees what will be rolled: to look ahead fairly, give it a seed of its own.

        >>> import rostra
        >>> match = rostra.Match("alea", seed=7)
        >>> ahead = match.copy()
        >>> plies = ahead.play(ahead.legal()[0])
        >>> len(ahead.log) > len(match.log)
        True
        """
        if seed is not None:
            _check_seed(seed)
        twin = copy.copy(self)
        twin.names, twin.options = list(self.names), dict(self.options)
        twin.log, twin.events = list(self.log), list(self.events)
        twin._moves, twin._hidden = list(self._moves), list(self._hidden)
        twin._states, twin._generator = self._states.copy(), self._generator.copy()
        twin._buffer = self._buffer.copy()
        if seed is not None:
            twin._seed, twin._dice = seed, None
        return twin

    @property
    def turn(self) -> int | None:
        """The seat to decide, or None: chance is to happen, or the match is over."""
        return None if self._turn < 0 else self._turn

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._turn == OVER

    def legal(self) -> list[str]:
        """The legal moves of the seat to decide, or what chance can bring; nothing when it is over."""
        if self._turn == OVER:
            return []
        number = self._verbs.legal(self._states, 0, self._buffer)
        s, text = self.state, self.game.notation.text
        return [text(s, move) for move in self._buffer[:number].tolist()]

    def play(self, move: str, seat: int | None = None) -> list[Ply]:
        """Make a move, or (without seed and dice) let an outcome of chance happen; returns the new plies, chance after
        the move included. A given seat must be the one to move."""
        turn = self._turn
        if turn == OVER:
            raise MatchOver("the match is over")
        if seat is not None and (seat != turn or turn == CHANCE):
            to_move = "chance" if turn == CHANCE else f"seat {turn} ({self.names[turn]})"
            raise NotYourTurn(f"seat {seat} cannot move: {to_move} is to move")
        if not isinstance(move, str):
            raise BadNotation(f"a move is a text, not {move!r}")
        first = len(self.log)
        try:
            made = self.game.notation.parse(self.state, move)
        except RostraError as error:
            raise type(error)(f"{error}; legal: {shortened(self.legal())}") from error
        self._make(turn, made, self.game.notation.text(self.state, made))
        if self._turn == CHANCE:
            self._roll()
        return self.log[first:]

    def replay(self, moves: Iterable[str]) -> None:
        """Make plies that were played before, outcomes of chance among them: none is drawn, not even after the last."""
        for move in moves:
            turn = self._turn
            try:
                made = self.game.notation.reread(self.state, move)
            except RostraError as error:
                raise type(error)(f"ply {len(self.log)}: {error}") from error
            self._make(turn, made, self.game.notation.text(self.state, made))

    def undo(self, ply: int, *, rolls: bool = True) -> list[Ply]:
        """Go back to before this ply and open the next epoch. With a seed the same chance happens again, with dice new
        chance, with `rolls=False` none yet; returns the new plies."""
        if type(ply) is not int or not 0 <= ply <= len(self.log):
            raise RostraError(f"the log has {len(self.log)} plies; cannot go back to ply {ply!r}")
        del self.log[ply:]
        del self._moves[ply:]
        self._states[0] = self._new
        self._turn = self._verbs.turn(self._states, 0)
        for move in self._moves:
            self._turn = self._verbs.apply(self._states, 0, move)
        self._games_ended = self.game.notation.games_ended(self.state)[0]
        self.epoch += 1
        self._record(Undo(ply))
        if rolls:
            self._roll()
        return self.log[ply:]

    def result(self) -> Result | None:
        """How it ended, or None while it goes on."""
        return result_of(self.game, self.state) if self.over else None

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat (or a spectator) may see, as plain data that the caller may change."""
        self._bit(seat)
        return msgspec.to_builtins(self.game.screen.view(self.state, seat))  # type: ignore[no-any-return]  # a dict

    def seen(self, seat: int | None = None, first: int = 0) -> list[Event]:
        """The events from number `first` on as a seat (or a spectator) may see them: all of them when it is over."""
        bit, events, masks = self._bit(seat), self.events[first:], self._hidden[first:]
        if self.over or not any(masks):
            return events
        return [
            _veiled(event) if hidden & bit and isinstance(event, Ply) else event
            for event, hidden in zip(events, masks, strict=True)
        ]

    def transcript(self, seat: int | None = None, *, secrets: bool = False) -> Transcript:
        """The match as a transcript: all of it when it is over or with `secrets`, else what this seat (None: a
        spectator) may know.

        What only a live match has (its name, commitment, entropy, seed, an end by people) is added by the caller, with
        `dataclasses.replace`.
        """
        events = list(self.events) if secrets else self.seen(seat)
        options = self.game.logged_options(self.options)
        return Transcript(
            self.game.name, self.game.rules.version, list(self.names), options, events=events, result=self.result()
        )

    def _bit(self, seat: int | None) -> int:
        """The bit of a seat, or of spectators, in the masks of who may not see something."""
        if seat is None:
            return 1 << len(self.names)
        if seat not in range(len(self.names)):
            raise BadOption(f"the seats are 0 to {len(self.names) - 1}, not {seat!r}")
        return 1 << seat

    def _record(self, event: Event, hidden: int = 0) -> None:
        self.events.append(event)
        self._hidden.append(hidden)

    def _make(self, turn: int, move: int, text: str) -> None:
        """Make a legal move, or a possible outcome, of whose turn it is."""
        hidden = self._verbs.hidden(self._states, 0, move, len(self.names)) if self.game.knowledge.secret else 0
        ply = Ply(len(self.log), None if turn == CHANCE else turn, text)
        self.log.append(ply)
        self._moves.append(move)
        self._record(ply, hidden)
        self._turn = self._verbs.apply(self._states, 0, move)
        ended, points = self.game.notation.games_ended(self.state)
        if ended > self._games_ended:
            self._games_ended = ended
            self._record(GameEnd(points))

    def _roll(self) -> None:
        """Let chance happen until somebody has to decide, if the match has a seed or dice."""
        while self._turn == CHANCE:
            if self._dice is not None:
                text = self._dice.outcome(self.game.notation.pool(self.state), self.epoch, len(self.log))
                move = self.game.notation.parse(self.state, text)
            elif self._seed is not None:
                move = self._verbs.draw(self._states, 0, self._seed, len(self.log), self._generator)
                text = self.game.notation.text(self.state, move)
            else:
                return
            self._make(CHANCE, move, text)


def _check_seed(seed: int) -> None:
    if type(seed) is not int or not 0 <= seed < rng.SEEDS:
        raise BadOption(f"the seed is a whole number from 0 to 2**62 - 1, not {seed!r}")


def _veiled(ply: Ply) -> Ply:
    """A ply as a seat reads it that may not see the move."""
    return ply._replace(move=HIDDEN_OUTCOME if ply.seat is None else HIDDEN_MOVE)
