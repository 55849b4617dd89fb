"""Why a move of Quo Vadis? is good: facts that hints and reviews can name."""

from collections.abc import Iterator

from rostra.engine.game import Case, Reason, copy
from rostra.games.quovadis.deals import BROKEN


def reasons(case: Case) -> Iterator[tuple[float, Reason]]:
    """Facts that speak for a move, each with its weight; what speaks against it is left out."""
    game, s, seat = case.game, case.s, case.game.rules.turn(case.s)
    here, _ = case.effects()
    after = copy(s)
    game.rules.apply(after, case.move)
    yield from _terms(case, seat)
    if "ends" in here:
        yield 1.0, Reason("fills_senate")
    if "laurel" in here:
        yield 0.5, Reason("laurel", {"value": here["laurel"].rstrip("c")})
    if "caesar" in here:
        yield 0.3, Reason("caesar_after")
    was, now = (game.screen.outlook(state, seat)["reach"][seat] for state in (s, after))
    if now["inside"] > was["inside"]:
        yield 0.6, Reason("into_senate")
    elif now["moves"] is not None and was["moves"] is not None and now["moves"] < was["moves"]:
        yield 0.4, Reason("nearer", {"n": now["moves"]})
    for receiver in range(int(s.n)):
        if after.fates[seat, receiver, BROKEN] > s.fates[seat, receiver, BROKEN]:
            yield 0.7, Reason("breaks_promise", {"name": receiver})


def _terms(case: Case, seat: int) -> Iterator[tuple[float, Reason]]:
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
