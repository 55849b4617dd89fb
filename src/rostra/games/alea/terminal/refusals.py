"""Why a placing in Alea Iacta Est is not legal, in a sentence that says what would be.

The engine only reports that a move is not legal; a person wants to know which rule forbids it. These functions are
called only when nothing legal was meant, so they assume that something is wrong.
"""

from rostra.engine.jit import State
from rostra.games.alea.choices import templum_leader, templum_needs
from rostra.games.alea.notation import digits
from rostra.games.alea.terminal.words import BUILDINGS, dashed, spaced
from rostra.words.voice import YOU, Voice

_SHOWN = 16


def needed_in_templum(voice: Voice, s: State) -> str:
    """What a placing in the Templum must be now (A-TEM-1, A-TEM-2)."""
    number, leader = templum_needs(s), templum_leader(s)
    over = 0 if leader < 0 else int(s.templum_sum[leader]) - int(s.templum_sum[YOU])
    if over >= number:
        return voice.say("tui_alea.needs_sum", n=number, sum=over + 1)
    return voice.say("tui_alea.needs_dice", n=number)


def why_not(voice: Voice, s: State, typed: str, code: str, legal: list[str]) -> str:
    """What is wrong with a code (capital, dice sorted) and what would be legal in that building."""
    letter, dice = code[:1], code[1:]
    if letter not in (*BUILDINGS, "R") or not dice.isdigit():
        known = [f"{known} {building.name}" for known, building in BUILDINGS.items() if known != "T" or s.n >= 4]
        letters = voice.listed([*known, f"R {voice.say('tui_alea.again')}"])
        return voice.say("tui_alea.not_a_move", typed=repr(typed), example=legal[0], letters=letters)
    return f"{typed!r}: {_wrong(voice, s, letter, dice, legal)}"


def _wrong(voice: Voice, s: State, letter: str, dice: str, legal: list[str]) -> str:
    if any(die not in "123456" for die in dice):
        return voice.say("tui_alea.a_die_shows")
    if lacking := _lacking(voice, s, dice):
        return lacking
    if letter == "R":
        return voice.say("tui_alea.no_chip")
    if letter == "L":
        return voice.say("tui_alea.latrina_one" if len(dice) > 1 else "tui_alea.latrina_only")
    there = [text for text in legal if text[0] == letter]
    shown = " ".join(there[:_SHOWN])
    if not there:
        right = voice.say("tui_alea.nothing_in", where=voice.say(BUILDINGS[letter].into))
    elif len(there) > _SHOWN:
        right = voice.say("tui_alea.legal_more", moves=shown, n=len(there) - _SHOWN)
    else:
        right = voice.say("tui_alea.legal_there", moves=shown)
    return f"{_REASONS[letter](voice, s, dice)} {right}"


def _lacking(voice: Voice, s: State, dice: str) -> str:
    roll = digits(s.roll)
    for die in dice:
        if dice.count(die) > roll.count(die):
            said = {"roll": spaced(roll), "die": die}
            if die in roll:
                return voice.say("tui_alea.roll_has_only", n=roll.count(die), **said)
            return voice.say("tui_alea.roll_has_no", **said)
    return ""


def _templum(voice: Voice, s: State, dice: str) -> str:
    if s.n < 4:
        return voice.say("tui_alea.templum_closed")
    return voice.say("tui_alea.templum_takes", needs=needed_in_templum(voice, s))


def _senatus(voice: Voice, s: State, dice: str) -> str:
    own = [face for face in range(s.low[YOU], s.high[YOU] + 1) if face]
    run = sorted([*own, *map(int, dice)])
    if run != [*range(run[0], run[0] + len(run))]:
        if own:
            return voice.say("tui_alea.no_longer_run", run=dashed("".join(map(str, own))))
        return voice.say("tui_alea.no_run")
    return voice.say("tui_alea.same_run", run=dashed("".join(map(str, run))))


def _castrum(voice: Voice, s: State, dice: str) -> str:
    if len(set(dice)) > 1:
        return voice.say("tui_alea.no_group")
    group = dice[0] * (int(s.castrum[YOU, int(dice[0]) - 1]) + len(dice))
    return voice.say("tui_alea.same_group", group=dashed(group))


def _forum(voice: Voice, s: State, dice: str) -> str:
    if len(dice) > 1 and dice not in ("14", "23"):
        return voice.say("tui_alea.forum_takes")
    return voice.say("tui_alea.forum_full")


_REASONS = {"T": _templum, "S": _senatus, "C": _castrum, "F": _forum}
