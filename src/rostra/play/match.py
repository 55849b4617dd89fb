"""One sitting of a game: who sits where, what was played, and what may come next.

Everything goes through one door: texts are parsed against the rules, seats are checked, and the log is the only truth
(taking back replays it). Not here: clocks, storage, networks. What a newcomer would get wrong: with a seed, or with
dice, the match lets chance happen by itself after every move; without them the caller plays the dice too.
"""

import functools
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from rostra.engine import rng
from rostra.engine.game import (
    CHANCE,
    OVER,
    SPECTATOR,
    BadNotation,
    BadOption,
    Game,
    MatchOver,
    NotYourTurn,
    RostraError,
    shortened,
)
from rostra.engine.jit import Array, State
from rostra.engine.loops import verbs_of
from rostra.games import find_game
from rostra.play.transcript import Event, GameEnd, Ply, Result, Transcript, Undo, result_of

AT_ONCE = 8
"""So many plies are made by one call of compiled code."""
NAMES = ("Antonius", "Brutus", "Claudius", "Darius", "Flavius")


class _Sheet(threading.local):
    """What compiled code writes on; each thread has its own, because to make one for every move would take longer."""

    def __init__(self) -> None:
        self.out = np.empty(0, np.uint8)
        self.ends = np.empty(0, np.int64)
        self.made = np.empty(2 * AT_ONCE, np.int64)

    def fit(self, n_texts: int, room: int) -> None:
        """Make sure that so many texts find room."""
        if len(self.ends) < n_texts or len(self.out) < n_texts * room:
            self.out, self.ends = np.empty(n_texts * room, np.uint8), np.empty(n_texts, np.int64)

    def read(self, length: int) -> bytes:
        """The first signs."""
        return self.out[:length].tobytes()


_sheet = _Sheet()


class Dice(Protocol):
    """Where chance comes from in a live match."""

    @property
    def compiled(self) -> Array | None:
        """The same for compiled code (`rostra.engine.draws`), or None."""

    def outcome(self, pool: int | Sequence[str], epoch: int, ply: int) -> str:
        """The text of what ply `ply` brings, after `epoch` undos, from such a `Game.pool`."""


class Match:
    """A game being played; see the module.

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
        if seed is not None and (type(seed) is not int or not 0 <= seed < rng.SEEDS):
            raise BadOption(f"the seed is a whole number from 0 to 2**62 - 1, not {seed!r}")
        if seed is not None and dice is not None:
            raise BadOption("chance comes from a seed or from dice, not from both")
        n_seats = seats if isinstance(seats, int) else len(seats)
        self.options = dict(options or {})
        self.names = list(NAMES[:n_seats]) if isinstance(seats, int) else list(seats)
        self._new = self.game.new(n_seats, self.options)
        self._states = np.zeros(1, self.game.rules.state)
        self._states[0] = self._new
        self.state: State = self._states[0]
        self.log: list[Ply] = []
        self.events: list[Event] = []
        self.epoch = 0
        self._moves: list[int] = []  # those of the log
        self._hidden: list[int] = []  # for each event a mask of the seats that may not see it, a watcher's bit the last
        self._games_ended = 0
        self._room = np.empty(self.game.rules.max_legal, np.int32)
        self._shown = b""  # the state of which these tell:
        self._legal = b"[]"  # the texts of the moves in the room as JSON
        self._page = b""  # what every seat may see, until somebody asks
        self._ends: list[int] = []  # where each view begins and ends there
        self._seed = seed
        self._dice = dice
        self._generator = rng.generator()
        self._verbs = verbs_of(self.game)
        self._live = self._verbs.live
        self._stream = dice.compiled if self._live and dice else None
        self._paper = self.game.scribe.room if self.game.scribe else 0  # bytes of room for a text
        self._turn = self._verbs.turn(self._states, 0)
        if rolls:
            self._roll()

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
        return _listed(self.legal_json())

    def legal_json(self) -> bytes:
        """The same as a JSON list without blanks."""
        if self._turn == OVER:
            return b"[]"
        if self._shown != self._states.tobytes():
            if self._live is not None and self._turn != CHANCE:
                self._write_page()
            else:
                number = self._verbs.legal(self._states, 0, self._room)
                self._legal, self._shown = self._texts(self._room, number), self._states.tobytes()
                self._page, self._ends = b"", []
        return self._legal

    def _write_page(self) -> None:
        """Write all that the seats are told of this state; chance is not to happen."""
        assert self._live is not None
        sheet = self._new_sheet()
        sheet.ends[0] = 0
        self._live.page(self._states, 0, len(self.names), self._room, sheet.out, sheet.ends)
        self._keep_page(sheet)

    def _new_sheet(self) -> _Sheet:
        """Something to write a page on, with the texts of a few plies before it."""
        _sheet.fit(len(self.names) + 2, self._paper)
        return _sheet

    def _keep_page(self, sheet: _Sheet) -> bytes:
        """Keep the page that was written; returns the texts before it."""
        ends = self._ends = sheet.ends[: len(self.names) + 2].tolist()
        page = self._page = sheet.read(ends[-1])
        self._legal, self._shown = page[ends[-2] :], self._states.tobytes()
        return page[: ends[0]]

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
        made = self._chosen(move)
        if made is None:
            try:
                made = self.game.notation.parse(self.state, move)
            except RostraError as error:
                raise type(error)(f"{error}; legal: {shortened(self.legal())}") from error
        if self._stream is not None:
            self._advance(made)
        else:
            self._make(turn, made, self._text(made))
        if self._turn == CHANCE:
            self._roll()
        return self.log[first:]

    def replay(self, moves: Iterable[str]) -> None:
        """Make plies that were played before, outcomes of chance among them: none is drawn, not even after the last."""
        for move in moves:
            turn = self._turn
            try:
                made = self.game.notation.parse(self.state, move)
            except RostraError as error:
                raise type(error)(f"ply {len(self.log)}: {error}") from error
            self._make(turn, made, self._text(made))

    def undo(self, ply: int, *, rolls: bool = True) -> list[Ply]:
        """Go back to before this ply and open the next epoch: chance then happens as it did with a seed, anew with
        dice, and not yet with `rolls=False`; returns the new plies."""
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
        """What a seat (or a watcher) may see."""
        self._bit(seat)
        return self.game.screen.view(self.state, seat)

    def view_json(self, seat: int | None = None) -> bytes:
        """The same as a JSON object without blanks."""
        self._bit(seat)
        if self._live is None:
            return self.game.view_text(self.state, seat).encode()
        sheet = self._new_sheet()
        return sheet.read(self._live.view(self._states, 0, SPECTATOR if seat is None else seat, sheet.out))

    def views_json(self) -> list[bytes]:
        """The same of each seat; quickest right after a move."""
        if self._live is None or self._turn == CHANCE:
            return [self.view_json(seat) for seat in range(len(self.names))]
        if not self._page or self._shown != self._states.tobytes():
            self._write_page()
        page, ends = self._page, self._ends
        self._page, self._ends = b"", []  # a server with many matches has better use for the memory
        return [page[ends[seat] : ends[seat + 1]] for seat in range(len(ends) - 2)]

    def seen(self, seat: int | None = None, first: int = 0) -> list[Event]:
        """The events from number `first` on as a seat (or a watcher) may see them: all of them when it is over."""
        bit, events, masks = self._bit(seat), self.events[first:], self._hidden[first:]
        if self.over or not any(masks):
            return events
        return [
            event._replace(move=event.move[0] + "?") if hidden & bit and isinstance(event, Ply) else event
            for event, hidden in zip(events, masks, strict=True)
        ]

    def public(self, first: int) -> bool:
        """Whether everybody may see all events from number `first` on."""
        return self.over or not any(self._hidden[first:])

    def transcript(self, seat: int | None = None, *, secrets: bool = False) -> Transcript:
        """The match as text has it: all of it when it is over or `secrets`, else as this seat (None: a watcher) may.

        What only a live match has (its name, commitment, entropy, seed, an end by people) the caller adds, with
        `dataclasses.replace`.
        """
        events = list(self.events) if secrets else self.seen(seat)
        options = self.game.all_options(self.options)
        return Transcript(
            self.game.name, self.game.rules.version, list(self.names), options, events=events, result=self.result()
        )

    def _texts(self, moves: Array, number: int) -> bytes:
        """The texts of so many moves of the state as a JSON list."""
        if self._live is None:
            return self.game.legal_text(self.state, moves[:number]).encode()
        sheet = self._new_sheet()
        return sheet.read(self._live.texts(self._states, 0, moves, number, sheet.out))

    def _text(self, move: int) -> str:
        """The canonical text of a move."""
        if self._live is None:
            return self.game.notation.text(self.state, move)
        return self._texts(np.array([move], np.int32), 1)[2:-2].decode()

    def _chosen(self, move: str) -> int | None:
        """The move of this text if it is one of those that somebody was just shown: much quicker than to parse it."""
        # Between two quotation marks of the list is a text, or the comma between two texts.
        if self._shown != self._states.tobytes() or move == "," or '"' in move or not move.isascii():
            return None
        at = self._legal.find(f'"{move}"'.encode())
        return int(self._room[self._legal.count(b'","', 0, at + 1)]) if at >= 0 else None

    def _bit(self, seat: int | None) -> int:
        """The bit of a seat, or of a watcher, in the masks of who may not see something."""
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

    def _advance(self, move: int) -> None:
        """Make a legal move (-1: what chance brings) and let chance happen after it, in one go."""
        assert self._live is not None and self._stream is not None  # noqa: PT018  # both or none
        log, sheet = self.log, self._new_sheet()
        by = None if self._turn == CHANCE else self._turn
        self._turn = self._live.advance(
            self._states, 0, move, len(self.names), self._stream, self.epoch, len(log),
            sheet.made, self._room, sheet.out, sheet.ends,
        )  # fmt: skip
        texts = self._keep_page(sheet) if self._turn != CHANCE else sheet.read(int(sheet.ends[0]))
        made = sheet.made.tolist()
        for at, text in enumerate(texts.decode().split('","')):
            ply = Ply(len(log), by, text)
            log.append(ply)
            self._moves.append(made[2 * at])
            self.events.append(ply)
            self._hidden.append(made[2 * at + 1])
            by = None

    def _roll(self) -> None:
        """Let chance happen until somebody has to decide, if the match has a seed or dice."""
        while self._turn == CHANCE:
            if self._stream is not None:
                self._advance(-1)
                continue
            if self._dice is not None:
                pool = self.game.notation.pool(self.state)
                text = self._dice.outcome(pool, self.epoch, len(self.log))
                known = _outcomes(self.game, isinstance(pool, int))
                move = known.get(text, -1)
                if move < 0:
                    move = known[text] = self.game.notation.parse(self.state, text)
            elif self._seed is not None:
                move = self._verbs.draw(self._states, 0, self._seed, self._generator)
                text = self._text(move)
            else:
                return
            self._make(CHANCE, move, text)


@functools.cache
def _outcomes(game: Game, dice: bool) -> dict[str, int]:
    """Outcomes of dice (or else of pieces drawn) that have been seen: a text is always the same move (`Game.pool`)."""
    return {}


def _listed(texts: bytes) -> list[str]:
    """A JSON list of moves as a list: no text of a move has a quotation mark."""
    return texts[2:-2].decode().split('","') if texts != b"[]" else []
