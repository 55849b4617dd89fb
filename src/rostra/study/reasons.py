"""Why a move is better than another one, as keys of the catalogue of words (`review.<key>`) with values to fill in.

Facts come from `Game.effect`, forecasts from the net's other heads: what each seat will probably win after either move.
A value whose name ends in `name` is a seat number, shown as whoever sits there. Not here: how good a move is. What a
newcomer would get wrong: everything is said from a state that was dealt anew for the deciding seat, and of other
seats only what that seat can foretell, so a reason cannot betray a secret.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rostra.bots import learned
from rostra.engine.game import Game, copy
from rostra.engine.jit import State
from rostra.games.quovadis.deals import BROKEN
from rostra.study.review import Reason

MOST = 3
"""So many reasons for a move are enough."""
CLEAR = 0.16
"""A difference of forecasts below this is not worth a word."""

UNITS = {"laurels": 8}
"""What 1 stands for in a forecast, where it is more."""

Weighted = Iterator[tuple[float, Reason]]


class Case(NamedTuple):
    """A move that is compared with another one (None: there is none), and the chance to win after each legal move."""

    game: Game
    s: State
    move: int
    other: int | None
    chance: Mapping[int, float]
    terms: Sequence[str]
    """Of the deal that the move opens, where it does."""

    def text(self, move: int) -> str:
        """A move as it is written."""
        return self.game.text(self.s, move)

    def effects(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """What the move would do, and what the other one would."""
        other = {} if self.other is None else self.game.effect(self.s, self.other)
        return self.game.effect(self.s, self.move), other


def why(
    game: Game, s: State, move: int, other: int | None, chance: Mapping[int, float], terms: Sequence[str] = ()
) -> list[Reason]:
    """At most MOST reasons, the weightiest first; `s` is what the deciding seat knows."""
    case = Case(game, s, move, other, chance, terms)
    facts = FACTS.get(game.name)
    found = [*(facts(case) if facts else ()), *_forecasts(case)]
    ranked = [reason for _, reason in sorted(found, key=lambda one: -one[0])]
    keys = {reason.key for reason in ranked}
    # What the seat wins more of, others win less of: that goes without saying.
    return [one for one in ranked if one.key.replace("theirs_", "more_") not in keys - {one.key}][:MOST]


def per_cent(share: float) -> int:
    """A share as people say it."""
    return round(100 * min(max(share, 0.0), 1.0))


# What the net foretells.


def _forecasts(case: Case) -> Weighted:
    """Where the forecasts after the two moves differ: for the deciding seat, and most for one of the others."""
    if case.other is None or any(rolls_again(case, move) for move in (case.move, case.other)):
        return
    seat = case.game.turn(case.s)
    after = [_after(case.game, case.s, move) for move in (case.move, case.other)]
    for name, (here, there) in _foretold(case, after, seat).items():
        if abs(here - there) >= CLEAR:
            yield abs(here - there), _difference("more" if here > there else "less", name, here, there)
    for rival in range(int(case.s.n)):
        if rival != seat:
            for name, (here, there) in _foretold(case, after, rival).items():
                if there - here >= CLEAR:
                    reason = _difference("theirs", name, here, there)
                    reason.values["name"] = rival
                    yield 0.8 * (there - here), reason


def _difference(kind: str, name: str, here: float, there: float) -> Reason:
    by = round(abs(here - there) * UNITS.get(name, 1), 0 if name in UNITS else 1)
    values: dict[str, str | int | float] = {"by": int(by) if by.is_integer() else by}
    if name == "cards":  # at most one in a set: a chance
        values = {"chance": per_cent(here), "other": per_cent(there)}
    return Reason(f"{kind}_{name}", values)


def _after(game: Game, s: State, move: int) -> State:
    after = copy(s)
    game.apply(after, move)
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


# Alea Iacta Est.


def rolls_again(case: Case, move: int | None) -> bool:
    """Whether a move is to roll dice again, after which nothing is placed yet."""
    return case.game.name == "alea" and move is not None and case.text(move).startswith("R")


def _alea(case: Case) -> Weighted:
    if rolls_again(case, case.move):
        placings = [chance for move, chance in case.chance.items() if not rolls_again(case, move)]
        found = {"chance": per_cent(case.chance[case.move]), "other": per_cent(max(placings, default=0.0))}
        if found["chance"] > found["other"]:
            yield 1.0, Reason("again", {**found})
        yield 0.1, Reason("costs_chip")
        return
    if rolls_again(case, case.other):
        yield 0.2, Reason("spares_chip")
    here, there = case.effects()
    seat = case.game.turn(case.s)
    for owner in dict.fromkeys(here.get("pushed", ())):
        yield (0.25, Reason("pushes", {"name": owner})) if owner != seat else (0.15, Reason("pushes_own"))
    if here.get("tokens"):
        yield 0.2, Reason("tokens", {"n": here["tokens"]})
    if here.get("building") == "latrina":
        yield 0.2, Reason("brings_chip")
    elif here.get("building") and here["rank"] == 0 and here["rows"][0]["wins"]:
        yield 0.11, Reason(f"leads_{here['building']}")
    if "gain" in here and "gain" in there:
        if here["gain"] > there["gain"]:
            yield 0.5, Reason("points_now", {"n": here["gain"], "other": there["gain"]})
        elif here["gain"] < there["gain"]:
            yield 0.3, Reason("points_later", {"n": here["gain"], "other": there["gain"]})
        if here.get("best", 0) > there.get("best", 0):
            yield 0.2, Reason("card_best", {"n": here["best"]})
    elif here.get("gain"):
        yield 0.5, Reason("points", {"n": here["gain"]})


# Quo Vadis?


def _quovadis(case: Case) -> Weighted:
    game, s, seat = case.game, case.s, case.game.turn(case.s)
    here, there = case.effects()
    after = _after(game, s, case.move)
    yield from _terms(case, seat)
    if "ends" in here:
        yield 1.0, Reason("fills_senate")
    if "laurel" in here:
        yield 0.5, Reason("laurel", {"value": here["laurel"].rstrip("c")})
    elif "laurel" in there:
        yield 0.1, Reason("no_laurel", {"value": there["laurel"].rstrip("c")})
    if "caesar" in here:
        yield 0.3, Reason("caesar_after")
    was, now = (game.outlook(state, seat)["reach"][seat] for state in (s, after))
    if now["inside"] > was["inside"]:
        yield 0.6, Reason("into_senate")
    elif now["moves"] is not None and was["moves"] is not None and now["moves"] < was["moves"]:
        yield 0.4, Reason("nearer", {"n": now["moves"]})
    for receiver in range(int(s.n)):
        if after.fates[seat, receiver, BROKEN] > s.fates[seat, receiver, BROKEN]:
            yield 0.7, Reason("breaks_promise", {"name": receiver})


def _terms(case: Case, seat: int) -> Weighted:
    """What the deal takes and brings."""
    for term in case.terms:
        words = term.split()
        if words[0] == "give":
            giver, taker, value = map(int, words[1:])
            if seat in (giver, taker):
                key, name = ("pays", taker) if seat == giver else ("is_paid", giver)
                yield 0.9, Reason(key, {"name": name, "value": value})
        elif words[0] == "promise" and str(seat) in words[1:3]:
            maker, receiver = map(int, words[1:3])
            key, name = ("promises", receiver) if seat == maker else ("is_promised", maker)
            yield 0.7, Reason(f"{key}_{words[3]}", {"name": name})
        elif "(" in term:
            for consenter in sorted({int(one) for one in term[:-1].partition("(")[2].split(",")} - {seat}):
                yield 0.8, Reason("consents", {"name": consenter})


FACTS: dict[str, Callable[[Case], Weighted]] = {"alea": _alea, "quovadis": _quovadis}


def at_table(game: Game, s: State, move: int) -> bool:
    """Whether a move can be made where offers lie open: there are no words of a draft there, only actions."""
    return game.desk is None or not game.talks(s, move) or ">" in game.text(s, move)
