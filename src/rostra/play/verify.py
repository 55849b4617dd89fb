"""Checking a finished transcript: every ply legal, every outcome of chance from the revealed and committed seed.

It cannot tell whether commitment and contributions are those that the table saw before play: the players compare them.
Undone plies are checked too. The page `pages/verify.js` checks the same outcomes without this program.
"""

from typing import NamedTuple

from rostra.engine.game import CHANCE, RostraError
from rostra.play.dice import SEED_BYTES, Stream, commitment
from rostra.play.transcript import HIDDEN, BadLine, Ply, Transcript, Undo, read, replay


class Refused(BadLine):
    """The transcript does not prove its dice. Where chance is wrong, `found` is the file's outcome and `expected`
    ours."""

    found: str | None = None
    expected: str | None = None


class Verified(NamedTuple):
    """What was checked; undone plies and their outcomes are counted too."""

    game: str
    match: str
    commit: str
    entropy: list[tuple[int, str]]
    plies: int
    outcomes: int
    undos: int
    end: str


def verify(text: str) -> Verified:
    """Check the text of a finished transcript, or say with `Refused` what is wrong with it."""
    try:
        transcript = read(text)
        return _check_plies(transcript, _stream(transcript))
    except Refused:
        raise
    except BadLine as error:
        raise Refused(error.reason, error.line, error.ply, error.before) from error
    except RostraError as error:
        raise Refused(str(error)) from error


def _stream(transcript: Transcript) -> Stream:
    """The dice as the header and the revealed seed make them."""
    for ply in transcript.plies:
        if ply.move in HIDDEN:
            message = (
                f"{ply.move} is hidden: a player's own transcript; the whole one can be had when the match is over"
            )
            raise Refused(message, ply.line, ply.number)
    if transcript.result is None:
        raise Refused("the match is not finished: there is no result, and the seed is revealed only at the end")
    lines = transcript.lines
    if transcript.match is None or transcript.commit is None or transcript.seed is None:
        missing = next(key for key in ("match", "commit", "seed") if getattr(transcript, key) is None)
        raise Refused(f"the line '{missing}: ...' is missing: these dice were not drawn verifiably, or it was cut off")
    if len(transcript.seed) != 2 * SEED_BYTES:
        message = f"the seed has {2 * SEED_BYTES} hex digits, not {len(transcript.seed)}"
        raise Refused(message, lines["seed"])
    seed = bytes.fromhex(transcript.seed)
    if transcript.commit != commitment(seed):
        message = f"the commitment is {transcript.commit}, but that of the revealed seed is {commitment(seed)}"
        raise Refused(message, lines["commit"])
    key = "match"
    try:
        Stream(seed, transcript.match)
        key = "entropy"
        return Stream(seed, transcript.match, transcript.entropy)
    except RostraError as error:
        raise Refused(str(error), lines[key]) from error


def _check_plies(transcript: Transcript, stream: Stream) -> Verified:
    run = replay(transcript)
    steps = iter(run)
    plies = outcomes = undos = 0
    for event in transcript.events:
        undos += isinstance(event, Undo)
        if not isinstance(event, Ply):
            continue
        try:
            step = next(steps)
            found = run.game.notation.text(step.state, step.move)
        except BadLine as error:
            at_dice = event.seat is None and run.game.rules.turn(run.state) == CHANCE
            if not at_dice or error.line != event.line or error.before:
                raise
            found = event.move  # an impossible outcome is not what the seed gives either
        plies += 1
        if event.seat is None:
            outcomes += 1
            expected = stream.outcome(run.game.notation.pool(run.state), undos, event.number)
            if found != expected:
                after = f" (undos before: {undos})" if undos else ""
                message = f"found {found}, but the seed gives {expected}{after}"
                refused = Refused(message, event.line, event.number)
                refused.found, refused.expected = found, expected
                raise refused
    next(steps, None)  # what follows the last ply, and the result
    assert transcript.match and transcript.commit and transcript.result  # noqa: PT018  # `_stream` has seen to it
    return Verified(
        transcript.game,
        transcript.match,
        transcript.commit,
        sorted(transcript.entropy),
        plies,
        outcomes,
        undos,
        transcript.result.end,
    )
