"""Two worlds that differ only in what a seat may not know look the same to it, to the byte (A-HID-1 to A-HID-3).

The second world is made by swapping hidden pieces by hand, not by `redeal`, so that `redeal` is put to the test too.
"""

import json
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from conftest import CHECKS, walk
from rostra.bots import make_bot
from rostra.engine import rng
from rostra.engine.game import CHANCE, copy, digest
from rostra.engine.loops import loops_of
from rostra.games.alea import ALEA
from rostra.games.alea.state import senate_cards, with_card, without_card
from rostra.games.alea.tables import DEAL, FREE, FREE_2, TAKE_CARD
from rostra.play.match import Match
from rostra.play.transcript import write


def first_seen(s: Any, number: int, seat: int) -> int:
    """The first rank of a set's senate hand that this seat has seen, worked out from the rules, 3 for none."""
    for rank in range(3):
        if s.takers[number, rank] == seat + 1:
            return rank
    if number == s.set and s.phase in (DEAL, TAKE_CARD) and s.seat == seat:
        return int(s.rank)
    return 3


def other_world(s: Any, seat: int, chooser: random.Random) -> Any:
    """A copy of the state with hidden pieces swapped at random."""
    world = copy(s)
    others = [other for other in range(s.n) if other != seat]
    for _ in range(6):
        one = chooser.choice(others)
        mine = [v for v in range(3) if world.drawn[one, v]]
        supply = [v for v in range(3) if world.token_supply[v]]
        if mine and supply:
            give, get = chooser.choice(mine), chooser.choice(supply)
            world.drawn[one, give] -= 1
            world.drawn[one, get] += 1
            world.token_supply[get] -= 1
            world.token_supply[give] += 1
        another = chooser.choice(others)
        for layer in (world.drawn, world.drawn_before):
            have = [v for v in range(3) if layer[one, v]]
            they = [v for v in range(3) if layer[another, v]]
            if one != another and have and they:
                give, get = chooser.choice(have), chooser.choice(they)
                layer[one, give] -= 1
                layer[one, get] += 1
                layer[another, get] -= 1
                layer[another, give] += 1
    for number in range(int(s.set) + 1):
        seen = first_seen(s, number, seat)
        handed_on = [rank for rank in range(3) if rank > seen and world.takers[number, seen] == seat + 1]
        cards = [int(world.hands[number, rank]) for rank in handed_on]
        chooser.shuffle(cards)
        for rank, card in zip(handed_on, cards, strict=True):
            world.hands[number, rank] = card
        for rank in range(seen):
            deck = [bit for bit in range(FREE_2 + 1) if int(world.senate_deck) >> bit & 1]
            if world.hands[number, rank] and deck:
                drawn = min(chooser.choice(deck), FREE)
                world.senate_deck = with_card(
                    without_card(int(world.senate_deck), drawn), int(world.hands[number, rank]) - 1
                )
                world.hands[number, rank] = drawn + 1
        untaken = [rank for rank in range(3) if not world.takers[number, rank] and world.hands[number, rank]]
        for rank, card in zip(untaken, sorted(int(world.hands[number, r]) for r in untaken), strict=True):
            world.hands[number, rank] = card
    CHECKS[ALEA.name](world)
    return world


def knowledge(s: Any, seat: int) -> dict[str, Any]:
    """Everything the engine tells this seat."""
    numbers = np.zeros(ALEA.knowledge.observation_size, np.float32)
    ALEA.knowledge.observe(s, seat, numbers)
    redealt = copy(s)
    ALEA.knowledge.redeal(redealt, seat, rng.generator(77))
    told: dict[str, Any] = {
        "view": json.dumps(ALEA.screen.view(s, seat)),
        "diagram": ALEA.screen.diagram(s, seat),
        "observation": numbers.tobytes(),
        "value": ALEA.play.evaluate(s, seat),
        "redealt": redealt.tobytes(),
        "stream": ALEA.play.stream(s) if s.phase != DEAL else None,
    }
    if ALEA.rules.turn(s) == seat:
        moves = ALEA.legal_moves(s)
        told["legal"] = [(move, ALEA.notation.text(s, move), ALEA.screen.explain(s, move)) for move in moves]
        told["paths"] = ALEA.screen.paths(s)
        states = np.zeros(2, ALEA.rules.state)
        states[0] = s
        buffer = np.empty(ALEA.rules.max_legal, np.int32)
        told["greedy in a loop"] = loops_of(ALEA).greedy(0, states, buffer, rng.generator(5))
        told["bots"] = [make_bot(name).choose(ALEA, s, rng.generator(5)) for name in ("random", "greedy")]
    return told


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_a_hid_2_two_worlds_look_the_same(n_seats: int) -> None:
    chooser = random.Random(n_seats)
    different = 0
    for seed in range(4):
        for s, _ in walk(ALEA, n_seats, 100 + seed):
            if chooser.random() < (0.9 if s.phase in (DEAL, TAKE_CARD) else 0.15) and ALEA.rules.turn(s) != -2:
                seat = chooser.randrange(n_seats)
                world = other_world(s, seat, chooser)
                different += digest(world) != digest(s)
                assert knowledge(world, seat) == knowledge(s, seat)
                watcher = json.dumps(ALEA.screen.view(world, None)), ALEA.screen.diagram(world, None)
                assert watcher == (json.dumps(ALEA.screen.view(s, None)), ALEA.screen.diagram(s, None))
    assert different > 30  # the worlds really differ


@pytest.mark.parametrize("n_seats", [3, 5])
@pytest.mark.slow
def test_a_hid_3_redeal_keeps_what_the_seat_knows_and_reaches_all_it_does_not(n_seats: int) -> None:
    generator = rng.generator(1)
    chooser = random.Random(7)
    for s, _ in walk(ALEA, n_seats, 31):
        if ALEA.rules.turn(s) == CHANCE or chooser.random() < 0.8 or not s.hands.any():
            continue
        seat = chooser.randrange(n_seats)
        unseen = Counter(
            int(s.hands[number, rank])
            for number in range(int(s.set) + 1)
            for rank in range(first_seen(s, number, seat))
            if s.hands[number, rank]
        )
        unseen.update(min(bit, FREE) + 1 for bit in range(FREE_2 + 1) if int(s.senate_deck) >> bit & 1)
        reached: set[int] = set()
        for _ in range(60):
            dealt = copy(s)
            ALEA.knowledge.redeal(dealt, seat, generator)
            CHECKS[ALEA.name](dealt)
            assert senate_cards(dealt, seat) == senate_cards(s, seat)
            assert json.dumps(ALEA.screen.view(dealt, seat)) == json.dumps(ALEA.screen.view(s, seat))
            for number in range(int(s.set) + 1):
                seen = first_seen(s, number, seat)
                reached.update(int(dealt.hands[number, rank]) for rank in range(seen) if dealt.hands[number, rank])
                assert sorted(dealt.hands[number, seen:]) == sorted(s.hands[number, seen:])
        if sum(first_seen(s, number, seat) > 0 for number in range(int(s.set))) > 1:
            assert reached == set(unseen)


def test_redeal_deals_unseen_cards_evenly() -> None:
    """One hidden card out of 17 unseen ones: each is as likely."""
    s = ALEA.new(2, {"start_seat": "0"})
    s.hands[0] = [1, 2, 3]
    s.takers[0, 0] = 2
    s.senate_deck = int(s.senate_deck) & ~0b111
    s.set = 1
    generator = rng.generator(4)
    found: Counter[int] = Counter()
    for _ in range(3400):
        dealt = copy(s)
        ALEA.knowledge.redeal(dealt, 0, generator)
        found[int(dealt.hands[0, 0])] += 1
    kinds = 17  # eighteen cards without IV, two of them alike
    assert len(found) == kinds
    assert found[FREE + 1] == pytest.approx(2 * 3400 / 18, rel=0.25)
    assert all(found[card] == pytest.approx(3400 / 18, rel=0.35) for card in found if card != FREE + 1)


@pytest.mark.parametrize("n_seats", [2, 4])
def test_transcripts_of_a_seat_hide_what_it_may_not_know(n_seats: int) -> None:
    """Change one hidden ply, stop there: the transcript that another seat gets does not change."""
    chooser = random.Random(3)
    changed = 0
    for _ in range(6):
        match = Match(ALEA, n_seats)
        while not match.over and changed < 12:
            options = match.legal()
            hidden_from = [
                v
                for v in range(n_seats)
                if ALEA.knowledge.hides(match.state, ALEA.notation.parse(match.state, options[0]), v)
            ]
            if hidden_from and len(options) > 1 and chooser.random() < 0.3:
                texts = []
                one, two = chooser.sample(options, 2)
                seat = chooser.choice(hidden_from)
                for choice in (one, two):
                    other = Match(ALEA, n_seats)
                    for ply in match.log:
                        other.play(ply.move)
                    other.play(choice)
                    texts.append(write(other.transcript(seat)))
                    assert write(other.transcript(secrets=True)) != texts[-1]
                assert texts[0] == texts[1]
                assert texts[0].rstrip().endswith("?")
                changed += 1
            match.play(chooser.choice(options))
    assert changed >= 6
