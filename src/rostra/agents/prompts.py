"""A decision in words: what an agent that reads is asked, and how its answer is understood.

The prompt has the rules, the history and the position as the seat may see them, and the phase. It has no list of legal
moves unless the agent asks for it. The answer is a JSON object, alone or anywhere in a text.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from rostra.engine.game import OVER, Game
from rostra.engine.jit import Array, State
from rostra.play.match import Match
from rostra.play.transcript import HIDDEN_MOVE, HIDDEN_OUTCOME, GameEnd, Ply

HISTORY = 400
"""No more lines of the history are shown, the newest ones."""
FORM = """\
Answer with one JSON object. You may write anything before it, but nothing after it.
{"move": "..."}             your move
{"moves": ["...", "..."]}   several moves of yours in a row, such as all terms of a deal and ask
{"ask": "legal"}            to be shown the list of your legal moves first
Besides, "say": "..." tells all players something (at most 300 characters)."""
MAX_SAY = 300


class Prompt(str):
    """A prompt; for scripted agents also the game, and a record of what the seat knows."""

    game: Game
    known: State
    rng: Array


class Answer(NamedTuple):
    """What an agent said; `problem` where it could not be understood."""

    moves: list[str]
    say: str = ""
    asks: bool = False
    problem: str = ""


def history(match: Match, seat: int, said: Sequence[tuple[int, int, str]] = ()) -> list[str]:
    """What has happened, as this seat may know it; `said` is talk: (number of events before it, seat, text)."""
    lines: list[str] = []
    talk = sorted(said)
    for number, event in enumerate(match.seen(seat)):
        while talk and talk[0][0] <= number:
            lines.append(f"seat {talk[0][1]} says: {talk.pop(0)[2]}")
        if isinstance(event, Ply):
            who = "chance" if event.seat is None else f"seat {event.seat}"
            hidden = event.move in (HIDDEN_MOVE, HIDDEN_OUTCOME)
            lines.append(f"{who}: {'(secret)' if hidden else event.move}")
        elif isinstance(event, GameEnd):
            lines.append(f"a game ended with points {' '.join(map(str, event.points))}")
    lines += [f"seat {one} says: {text}" for _, one, text in talk]
    dropped = len(lines) - HISTORY
    return [f"({dropped} earlier lines are left out)", *lines[-HISTORY:]] if dropped > 0 else lines


def rules(game: Game) -> str:
    """The rules for a prompt."""
    return game.screen.primer or f"The game is {game.title}. Ask for the legal moves to see how they are written.\n"


def opening(match: Match, seat: int) -> str:
    """What does not change during a match: the rules and who sits where."""
    players = ", ".join(f"seat {number} is {name}" for number, name in enumerate(match.names))
    options = match.game.logged_options(match.options)
    chosen = [f"{name}={value}" for name, value in options.items() if match.options.get(name) == value]
    return (
        f"You play {match.game.title}. You are seat {seat} ({match.names[seat]}); {players}.\n"
        + (f"Options: {' '.join(chosen)}.\n" if chosen else "")
        + f"\nRULES\n{rules(match.game)}\n{FORM}\n"
    )


def situation(match: Match, seat: int, *, legal: bool = False, problem: str = "") -> str:
    """The position, the phase and what is to be decided now."""
    view = match.view(seat)
    parts = [f"POSITION\n{match.game.screen.diagram(match.state, seat).rstrip()}"]
    own = {name: view[name] for name in ("own", "draft", "refused") if view.get(name)}
    if isinstance(players := view.get("players"), list):
        own = {"you": players[seat], **own}
    if own:
        parts.append(json.dumps(own))
    if phase := view.get("phase"):
        parts.append(f"PHASE: {phase}")
    if problem:
        parts.append(f"YOUR LAST ANSWER WAS REFUSED: {problem}")
    if legal and match.turn == seat:
        parts.append("LEGAL MOVES: " + json.dumps(match.legal()))
    parts.append(f"You are seat {seat}, and it is your turn. Answer with one JSON object.")
    return "\n".join(parts) + "\n"


def prompt(
    match: Match, seat: int, said: Sequence[tuple[int, int, str]] = (), *, legal: bool = False, problem: str = ""
) -> str:
    """The whole prompt for a decision of this seat."""
    past = "\n".join(history(match, seat, said))
    return f"{opening(match, seat)}\nHISTORY\n{past}\n\n{situation(match, seat, legal=legal, problem=problem)}"


def understood(text: Any) -> Answer:
    """An answer from the last JSON object in a text, or what is wrong with it."""
    found = _last_object(text) if isinstance(text, str) else None
    if found is None:
        return Answer([], problem='there is no JSON object in it, such as {"move": "..."}')
    said = found.get("say", "")
    say = " ".join(said.split())[:MAX_SAY] if isinstance(said, str) else ""
    if found.get("ask") == "legal":
        return Answer([], say, asks=True)
    moves = found.get("moves", [found["move"]] if "move" in found else None)
    if not isinstance(moves, list) or not moves or not all(isinstance(move, str) for move in moves):
        return Answer([], say, problem='the JSON object needs "move", a text, or "moves", a list of texts')
    return Answer([" ".join(move.split()) for move in moves], say)


def _last_object(text: str) -> dict[str, Any] | None:
    """The last JSON object in a text that is not part of another one."""
    decoder, at, found = json.JSONDecoder(), text.find("{"), None
    while at >= 0:
        try:
            value, length = decoder.raw_decode(text[at:])
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        found = value
        at = text.find("{", at + length)
    return found


def attempt(match: Match, seat: int, moves: Sequence[str]) -> Match:
    """A copy of the match after these moves of one seat; raises what the rules say against them."""
    ahead = match.copy()
    for number, move in enumerate(moves):
        if number and (ahead.turn != seat or match.game.rules.turn(ahead.state) == OVER):
            break  # what follows is no longer this seat's to decide
        ahead.play(move, seat)
    return ahead
