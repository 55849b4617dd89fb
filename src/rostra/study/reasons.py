"""Why a move is better than another one, as keys of the catalogue of words (`review.<key>`) with values to fill in.

Facts come from the game (`Screen.reasons`), forecasts from the net: what each seat will probably win after either move.
A value whose name ends in `name` is a seat number, shown as whoever sits there. All reasons are found in a state that
was redealt for the deciding seat, so none can betray a secret.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from rostra.bots import learned
from rostra.engine.game import Case, Game, Reason, copy, per_cent
from rostra.engine.jit import State

MAX_REASONS = 3
MIN_DIFFERENCE = 0.16
"""A smaller difference between two forecasts is not worth a word."""

Weighted = Iterator[tuple[float, Reason]]


def why(
    game: Game, s: State, move: int, other: int | None, chance: Mapping[int, float], terms: Sequence[str] = ()
) -> list[Reason]:
    """At most MAX_REASONS, the weightiest first; `s` is what the deciding seat knows."""
    case = Case(game, s, move, other, chance, terms)
    found = [*game.screen.reasons(case), *_forecasts(case)]
    ranked = [reason for _, reason in sorted(found, key=lambda one: -one[0])]
    keys = {reason.key for reason in ranked}
    # What the seat wins more of, others win less of: that goes without saying.
    return [one for one in ranked if one.key.replace("theirs_", "more_") not in keys - {one.key}][:MAX_REASONS]


# What the net foretells.


def _forecasts(case: Case) -> Weighted:
    """Where the forecasts after the two moves differ: for the deciding seat, and most for one of the others."""
    if case.other is None:
        return
    seat = case.game.rules.turn(case.s)
    after = [_after(case.game, case.s, move) for move in (case.move, case.other)]
    for name, (here, there) in _foretold(case, after, seat).items():
        if abs(here - there) >= MIN_DIFFERENCE:
            yield abs(here - there), _difference(case, "more" if here > there else "less", name, here, there)
    for rival in range(int(case.s.n)):
        if rival != seat:
            for name, (here, there) in _foretold(case, after, rival).items():
                if there - here >= MIN_DIFFERENCE:
                    reason = _difference(case, "theirs", name, here, there)
                    reason.values["name"] = rival
                    yield 0.8 * (there - here), reason


def _difference(case: Case, kind: str, name: str, here: float, there: float) -> Reason:
    mind = learned.mind_of(case.game)
    by = round(abs(here - there) * mind.units.get(name, 1), 0 if name in mind.units else 1)
    values: dict[str, str | int | float] = {"by": int(by) if by.is_integer() else by}
    if name in mind.chances:
        values = {"chance": per_cent(here), "other": per_cent(there)}
    return Reason(f"{kind}_{name}", values)


def _after(game: Game, s: State, move: int) -> State:
    after = copy(s)
    game.rules.apply(after, move)
    return after


def _foretold(case: Case, after: list[State], seat: int) -> dict[str, tuple[float, float]]:
    """What a seat will have won by the end of the chapter, after either move, by the names of the net's heads."""
    mind = learned.mind_of(case.game)
    names = mind.heads[2:]
    rows = []
    for state in after:
        if mind.chapter(state) != mind.chapter(after[0]) or mind.chapter(state) < 0:
            return {}  # forecasts of different chapters cannot be compared
        grown = np.zeros(len(names), np.float32)
        mind.progress(state, seat, grown)
        told = learned.heads(case.game, state, seat)
        rows.append([told[name] + float(won) for name, won in zip(names, grown, strict=True)])
    before = np.zeros(len(names), np.float32)
    mind.progress(case.s, seat, before)
    here, there = ([value - float(had) for value, had in zip(row, before, strict=True)] for row in rows)
    return {name: (a, b) for name, a, b in zip(names, here, there, strict=True)}
