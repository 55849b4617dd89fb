"""Why a placing in Alea Iacta Est is not legal, in a sentence that says what would be right.

The engine only says that a move is not legal; a person wants to know which rule forbids it.
"""

from rostra.games.alea.choices import templum_leader, templum_needs
from rostra.games.alea.notation import digits
from rostra.jit import State
from rostra.tui.alea_words import BUILDINGS, counted, dashed, spaced
from rostra.tui.guide import YOU, listed

_SHOWN = 16


def needed_in_templum(s: State) -> str:
    """What a placing in the Templum must be now (A-TEM-1, A-TEM-2)."""
    number, leader = templum_needs(s), templum_leader(s)
    over = 0 if leader < 0 else int(s.templum_sum[leader]) - int(s.templum_sum[YOU])
    return f"exactly {counted(number, 'die', 'dice')}" + (f" of sum {over + 1} or more" if over >= number else "")


def why_not(s: State, typed: str, code: str, legal: list[str]) -> str:
    """What is wrong with a code (capital, dice sorted) and what would be legal in that building."""
    letter, dice = code[:1], code[1:]
    if letter not in (*BUILDINGS, "R") or not dice.isdigit():
        known = [f"{known} {building.name}" for known, building in BUILDINGS.items() if known != "T" or s.n >= 4]
        return f"{typed!r} is no move. A move is a letter and dice, such as {legal[0]}: {listed([*known, 'R again'])}."
    if any(die not in "123456" for die in dice):
        return f"{typed!r}: a die shows 1 to 6."
    if lacking := _lacking(s, dice):
        return f"{typed!r}: {lacking}."
    if letter == "R":
        return f"{typed!r}: you have no chip to give back for rolling again (A-TURN-2)."
    if letter == "L":
        return f"{typed!r}: {_latrina(dice)}."
    name = BUILDINGS[letter].name
    there = [text for text in legal if text[0] == letter]
    more = f" and {len(there) - _SHOWN} more" if len(there) > _SHOWN else ""
    right = f"Legal there: {' '.join(there[:_SHOWN])}{more}." if there else f"Nothing is legal in the {name} now."
    return f"{typed!r}: {_REASONS[letter](s, dice)}. {right}"


def _lacking(s: State, dice: str) -> str:
    roll = digits(s.roll)
    for die in dice:
        if dice.count(die) > roll.count(die):
            has = f"only {roll.count(die)} x {die}" if die in roll else f"no {die}"
            return f"your roll {spaced(roll)} has {has}"
    return ""


def _templum(s: State, dice: str) -> str:
    if s.n < 4:
        return "there is no Templum with 2 or 3 players (A-SET-6)"
    return f"the Templum takes {needed_in_templum(s)} from you now (A-TEM-1, A-TEM-2)"


def _senatus(s: State, dice: str) -> str:
    own = [face for face in range(s.low[YOU], s.high[YOU] + 1) if face]
    run = sorted([*own, *map(int, dice)])
    if run != [*range(run[0], run[0] + len(run))]:
        if own:
            return f"with your {dashed(''.join(map(str, own)))} that makes no run without gaps (A-SEN-2)"
        return "a run has consecutive values, each once (A-SEN-1)"
    return f"somebody has the same run {dashed(''.join(map(str, run)))} (A-SEN-3)"


def _castrum(s: State, dice: str) -> str:
    if len(set(dice)) > 1:
        return "a group has dice of one value (A-CAS-1)"
    group = dice[0] * (int(s.castrum[YOU, int(dice[0]) - 1]) + len(dice))
    return f"somebody has the same group {dashed(group)} (A-CAS-3)"


def _forum(s: State, dice: str) -> str:
    if len(dice) > 1 and dice not in ("14", "23"):
        return "the Forum takes one die, or two that make 5: 1 and 4, 2 and 3 (A-FOR-1)"
    return "a die would not find room on a column (A-FOR-4)"


def _latrina(dice: str) -> str:
    if len(dice) > 1:
        return "the Latrina takes one die (A-LAT-1)"
    return "the Latrina is only for those who can place nothing elsewhere (A-LAT-1)"


_REASONS = {"T": _templum, "S": _senatus, "C": _castrum, "F": _forum}
