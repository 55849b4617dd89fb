"""Why a move of Alea Iacta Est is good: facts that hints and reviews can name."""

from collections.abc import Iterator

from rostra.engine.game import Case, Reason, per_cent


def _rolls_again(case: Case, move: int | None) -> bool:
    """Whether a move rolls dice again, after which nothing is placed yet."""
    return move is not None and case.text(move).startswith("R")


def reasons(case: Case) -> Iterator[tuple[float, Reason]]:
    """Facts that speak for a move, each with its weight."""
    if _rolls_again(case, case.move):
        placings = [chance for move, chance in case.chance.items() if not _rolls_again(case, move)]
        found = {"chance": per_cent(case.chance[case.move]), "other": per_cent(max(placings, default=0.0))}
        if found["chance"] > found["other"]:
            yield 1.0, Reason("again", {**found})
        yield 0.1, Reason("costs_chip")
        return
    if _rolls_again(case, case.other):
        yield 0.2, Reason("spares_chip")
    here, there = case.effects()
    seat = case.game.rules.turn(case.s)
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
