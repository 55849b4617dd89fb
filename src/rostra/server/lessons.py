"""Guided first games: a played game, shown ply by ply as a live table shows it to the learner's seat.

`lessons/GAME.game` in the package is the transcript, `lessons/GAME.json` says where to stop and what to say there; the
texts are in the catalogue. A lesson is not a match: nothing is stored and nobody decides. The browser has all steps and
asks again only to try out a deal.
"""

import asyncio
import functools
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import msgspec

from rostra.engine.game import BadNotation, Game, copy
from rostra.engine.jit import State
from rostra.games import GAMES
from rostra.play.match import Match
from rostra.play.transcript import Ply, Transcript, Undo, read, replay
from rostra.server import schema, seen
from rostra.server.table import Refusal


class Stop(msgspec.Struct, forbid_unknown_fields=True):
    """A position at which something is said and pointed at."""

    ply: int
    say: list[str]
    point: list[str] = []


class Script(msgspec.Struct, forbid_unknown_fields=True):
    """The learner's seat, and where to stop."""

    seat: int
    stops: list[Stop]


class Course(NamedTuple):
    """A lesson ready to be sent, and the state before every ply, to try out deals."""

    game: Game
    body: bytes
    states: list[State]


def folder() -> Path:
    """Where the lessons of this package are."""
    return Path(str(resources.files("rostra") / "lessons"))


async def course(name: str) -> Course:
    """The lesson of the game of this name."""
    taught = [game for game in GAMES if (folder() / f"{game}.json").is_file()]
    if name not in taught:
        there = f"there is one for {', '.join(taught)}" if taught else "there are none"
        raise Refusal("no-lesson", f"there is no lesson for {name[:20]!r}; {there}")
    # The first time takes up to half a second, and the tables must not wait for it.
    return await asyncio.to_thread(read_course, GAMES[name], folder())


@functools.cache
def read_course(game: Game, files: Path) -> Course:
    """The lesson of a game from the files in a folder; they are ours, so any error in them is a bug."""
    found = read((files / f"{game.name}.game").read_text(encoding="utf-8"))
    script = msgspec.json.decode((files / f"{game.name}.json").read_bytes(), type=Script)
    _check(game, found, script)
    match = Match(game, found.seats, found.options)
    states = [copy(match.state)]
    stops = {stop.ply: stop for stop in script.stops}
    steps = [_step(match, script.seat, states, stops.get(0))]
    for number, ply in enumerate(found.plies):
        before = len(match.events)
        match.replay([ply.move])
        made = match.seen(script.seat, before)[0]
        assert isinstance(made, Ply)
        steps[-1].seat, steps[-1].move = made.seat, made.move
        states.append(copy(match.state))
        steps.append(_step(match, script.seat, states, stops.get(number + 1)))
    steps[-1].seat, steps[-1].moves = None, []
    lesson = schema.Lesson(game.name, script.seat, found.seats, game.all_options(found.options), steps)
    return Course(game, schema.encode(lesson), states)


def _check(game: Game, found: Transcript, script: Script) -> None:
    """Refuse a transcript that breaks the rules, or texts that belong to no position of it."""
    if found.game != game.name:
        raise BadNotation(f"the lesson of {game.name} has a transcript of {found.game}")
    if any(isinstance(event, Undo) for event in found.events):
        raise BadNotation(f"the lesson of {game.name} has an undo; a lesson goes straight on")
    for _ in replay(found):
        pass
    if script.seat not in range(len(found.seats)):
        raise BadNotation(f"the learner's seat is one of 0 to {len(found.seats) - 1}, not {script.seat}")
    plies = [stop.ply for stop in script.stops]
    if plies != sorted(set(plies)):
        raise BadNotation(f"the stops of a lesson stand in order, one for a ply, not {plies}")
    if plies and not 0 <= plies[0] <= plies[-1] <= len(found.plies):
        raise BadNotation(f"the stops are at plies from 0 to {len(found.plies)}, not at {plies[0]} or {plies[-1]}")


def _step(match: Match, seat: int, states: list[State], stop: Stop | None) -> schema.LessonStep:
    """The position that the match is in."""
    game = match.game
    return schema.LessonStep(
        ply=len(match.log),
        seat=match.turn,
        move=None,
        view=match.view(seat),
        outlook=dict(game.screen.outlook(match.state, seat)),
        ledger=None if game.desk is None else [dict(pledge) for pledge in game.desk.ledger(states)],
        moves=seen.move_infos(match) if match.turn == seat else [],
        say=[] if stop is None else stop.say,
        point=[] if stop is None else stop.point,
    )


def draft(found: Course, ply: int, terms: list[str]) -> schema.DraftInfo:
    """What a deal would need in a position of a lesson."""
    if ply >= len(found.states):
        raise Refusal("no-ply", f"the lesson has {len(found.states) - 1} plies; there is no position before ply {ply}")
    return seen.draft_info(found.game, found.states[ply], terms)
