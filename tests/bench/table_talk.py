"""How bots of a level talk at a live table of Quo Vadis?: offers, agreement, and offers that a person would laugh at.

    PYTHONPATH=tests .venv/bin/python tests/bench/table_talk.py [--games 500] [--seats 4] [--levels tiro,civis]

Every seat is a bot. In a turn each may make three offers, the active one first, and all parties answer, as at a real
table. Whether an offer is absurd is judged by what the deal does to the hands and promises, not by the bots' own rules.
"""

import argparse
from collections import Counter
from collections.abc import Sequence

from rostra.bots import LEVELS, make_bot
from rostra.engine import rng
from rostra.engine.game import CHANCE, OVER, CannotPay, copy
from rostra.engine.jit import Array, State
from rostra.games.quovadis import QUO_VADIS as GAME
from rostra.games.quovadis.course import points_now
from rostra.server.house import OFFERS

assert GAME.desk is not None
DESK = GAME.desk


def outcome(s: State, terms: Sequence[str]) -> tuple[State, list[int]]:
    """The state after a deal, and its parties."""
    moves, parties = DESK.deal(s, terms)
    after = copy(s)
    for move in moves:
        GAME.rules.apply(after, move)
    return after, parties


def brings(s: State, seat: int, terms: Sequence[str]) -> tuple[int, int, int]:
    """What a deal brings a seat: laurel points, promises made to it, promises that it makes."""
    after, _ = outcome(s, terms)
    promises = [text.split() for text in terms if text.startswith("promise ")]
    got, made = (sum(words[at] == str(seat) for words in promises) for at in (2, 1))
    return points_now(after, seat) - points_now(s, seat), got, made


def asks_for_nothing(s: State, by: int, terms: Sequence[str]) -> bool:
    """Whether another party would be no better off, and has to give, promise or consent to something."""
    active = GAME.rules.turn(s)
    for seat in outcome(s, terms)[1]:
        points, got, made = brings(s, seat, terms)
        gives = any(text.startswith(f"give {seat} ") for text in terms)
        freed = [text for text in terms if text.startswith(("@", "then @"))]
        freed = [text for text in freed if s.board["ABCDEFGHIJKLMN".index(text.partition("@")[2][0]), seat]]
        if seat == by or freed or (seat == active and "(" in terms[0]):  # what others make possible is worth something
            continue
        if points <= 0 and not got and (gives or made or seat != active):
            return True
    return False


def repeats(s: State, by: int, terms: Sequence[str], refused: Sequence[Sequence[str]]) -> bool:
    """Whether the same action was refused before at terms that were as good for all others."""
    for before in refused:
        if before[0] == terms[0]:
            others = [seat for seat in outcome(s, terms)[1] if seat != by]
            now, then = ([brings(s, seat, one) for seat in others] for one in (terms, before))
            if all(n[0] + n[1] - n[2] <= t[0] + t[1] - t[2] for n, t in zip(now, then, strict=True)):
                return True
    return False


def turn(s: State, names: list[str], chance: Array, counts: Counter[str]) -> None:
    """One turn of the active seat, with all the talk before it."""
    active, n = GAME.rules.turn(s), len(names)
    bots = [make_bot(name) for name in names]
    refused: list[list[str]] = []
    counts["turns"] += 1
    for by in [active, *(seat for seat in range(n) if seat != active)]:
        unpaid: list[list[str]] = []  # a bot alone hears that its offer cannot be paid
        for _ in range(OFFERS):
            terms = DESK.offer(bots[by], GAME, s, by, [*refused, *unpaid], chance)
            if terms is None:
                break
            try:
                moves, parties = DESK.deal(s, terms)
            except CannotPay:
                counts["cannot be paid"] += 1
                unpaid.append(terms)
                continue
            counts["offers"] += 1
            counts["for nothing"] += asks_for_nothing(s, by, terms)
            counts["repeated"] += repeats(s, by, terms, refused)
            others = [seat for seat in parties if seat != by]
            if all(DESK.answer(bots[seat], GAME, s, seat, by, terms, chance) for seat in others):
                counts["agreed"] += 1
                for move in moves:
                    GAME.rules.apply(s, move)
                return
            refused.append(terms)
    move = DESK.act(bots[active], GAME, s, chance)
    counts["Caesar for nobody"] += GAME.notation.text(s, move).startswith("@") and not s.board.any()
    GAME.rules.apply(s, move)


def talk(level: str, seats: int, games: int, seed: int = 1) -> Counter[str]:
    """Play games and count."""
    counts: Counter[str] = Counter()
    for index in range(games):
        chance = rng.generator(seed * 1_000_003 + index)
        s = GAME.new(seats)
        while (seat := GAME.rules.turn(s)) != OVER:
            if seat == CHANCE:
                GAME.rules.apply(s, GAME.rules.draw(s, chance))
            elif DESK.open(s):
                turn(s, [level] * seats, chance, counts)
            else:
                GAME.rules.apply(s, DESK.act(make_bot(level), GAME, s, chance))
    return counts


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description="How bots talk at a live table of Quo Vadis?")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--levels", default=",".join(LEVELS))
    asked = parser.parse_args()
    print("level     games  offers/turn  agreed  for nothing  repeated  Caesar for nobody")
    for level in asked.levels.split(","):
        n = talk(level, asked.seats, asked.games)
        rate, agreed = n["offers"] / n["turns"], n["agreed"] / max(1, n["offers"])
        absurd = f"{n['for nothing']:11}  {n['repeated']:8}  {n['Caesar for nobody']:17}"
        print(f"{level:9} {asked.games:5}  {rate:11.2f}  {agreed:5.0%}  {absurd}", flush=True)


if __name__ == "__main__":
    main()
