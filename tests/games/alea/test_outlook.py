"""What Alea Iacta Est tells a seat beyond its view: who wins what as things stand, what cards may become, what a move
would do. Worked examples by rule, and along random games the real thing: sets scored at once, games played to the end.
"""

import json
import random
from collections import Counter
from typing import Any

import msgspec
import pytest

import alea_worlds
from alea_positions import give_drawn, play, put, random_play, ready, rolled, set_tokens, to_scoring
from conftest import CHECKS, walk
from rostra.engine.game import CHANCE, OVER, copy
from rostra.games.alea import ALEA
from rostra.games.alea.sets import score_set
from rostra.games.alea.shapes import AleaEffect, AleaOutlook
from rostra.games.alea.tableau import score_tableau, tableau_of
from rostra.games.alea.tables import (
    CARDS,
    DICE,
    FINISHED,
    FREE,
    LAY_PROVINCES,
    PATRICIANS,
    PLACE,
    PROVINCES,
    ROLL,
    SETS,
    TOKEN,
)
from rostra.games.alea.view import card_codes, codes
from rostra.play.match import Match

Rows = list[tuple[int, str, int]]


def rows(s: Any, building: str) -> Rows:
    """Seat, dice and wins of each row, best first."""
    return [(row["seat"], row["dice"], row["wins"]) for row in ALEA.screen.outlook(s, None)["buildings"][building]]


def give(s: Any, seat: int, tiles: str = "", cards: str = "", chips: int = 0) -> None:
    """This seat won these tiles, and these cards in the sets before this one, handing on the first of the stack."""
    for code in tiles.split():
        names, pool, offer, own = PATRICIANS, "patrician_pool", "patrician_offer", s.patricians
        if code in PROVINCES:
            names, pool, offer, own = PROVINCES, "province_pool", "province_offer", s.provinces
        bit = 1 << names.index(code)
        s[pool], s[offer] = int(s[pool]) & ~bit, int(s[offer]) & ~bit
        own[seat] |= bit
    wanted = cards.split()
    s.set += len(wanted)
    stack = [code for code in card_codes(int(s.senate_deck)) if code not in wanted]
    for number, code in enumerate(wanted):
        hand = [code, stack.pop(0), stack.pop(0)]
        s.hands[number] = [CARDS.index(card) + 1 for card in hand]
        s.takers[number, 0] = seat + 1
        for card in hand:
            s.senate_deck = int(s.senate_deck) & ~(1 << CARDS.index(card))
    s.chips[seat] += chips
    CHECKS[ALEA.name](s)


def own_cards(s: Any, seat: int) -> dict[str, tuple[int, int]]:
    return {card["card"]: (card["now"], card["best"]) for card in ALEA.screen.outlook(s, seat)["cards"]}


# Who wins what.


def test_a_sco_1_the_leader_would_keep_two_others_one_and_nobody_more_than_he_drew() -> None:
    s = ready(5)
    for seat, dice, tokens in ((2, "6", "1"), (4, "66", ""), (3, "111", "123"), (1, "1111", "2")):
        put(s, seat, templum=dice)
        give_drawn(s, seat, tokens)
    assert rows(s, "templum") == [(1, "????", 1), (3, "???", 1), (4, "??", 0), (2, "?", 1)]
    assert [row["sum"] for row in ALEA.screen.outlook(s, 3)["buildings"]["templum"]] == [4, 3, 12, 6]
    give_drawn(s, 1, "3")
    assert rows(s, "templum")[0] == (1, "????", 2)


@pytest.mark.parametrize(("supply", "discards", "wins"), [("12", "", 2), ("1", "2", 2), ("1", "", 1)])
def test_a_sco_2_a_lone_die_would_win_a_second_token_if_there_is_one(supply: str, discards: str, wins: int) -> None:
    s = ready(4)
    set_tokens(s, supply, discards, holder=0)
    rolled(s, 1, "66")
    move = ALEA.notation.parse(s, "T6")
    told = ALEA.screen.effect(s, move)
    assert (told["rows"], told["tokens"]) == ([{"seat": 1, "dice": "?", "sum": 6, "wins": wins}], 1)
    ALEA.rules.apply(s, move)
    assert rows(s, "templum") == [(1, "?", wins)]  # the token about to be drawn counts
    play(s, "=1")
    assert rows(s, "templum") == [(1, "?", wins)]


def test_a_sco_2_a_lone_die_without_a_token_wins_nothing() -> None:
    s = ready(4)
    set_tokens(s, "", holder=0)
    rolled(s, 3, "6")  # the last die of the last player: the set ends, and the Templum is cleared at once
    told = ALEA.screen.effect(s, ALEA.notation.parse(s, "T6"))
    assert told["rows"] == [{"seat": 3, "dice": "?", "sum": 6, "wins": 0}]
    assert (told["rank"], told["tokens"]) == (0, 0)


@pytest.mark.parametrize(("n_seats", "winners"), [(2, 1), (3, 2), (4, 2), (5, 3)])
def test_a_sco_3_sequences_rank_by_length_then_by_highest_value(n_seats: int, winners: int) -> None:
    s = ready(n_seats)
    sequences = ["1234", "2345", "6", "5", "123"][:n_seats]
    for seat, dice in enumerate(sequences):
        put(s, seat, senatus=dice)
    ranked = [seat for seat in (1, 0, 4, 2, 3) if seat < n_seats]
    expected = [(seat, sequences[seat], int(rank < winners)) for rank, seat in enumerate(ranked)]
    assert rows(s, "senatus") == expected


def test_a_sco_4_who_has_a_card_leaves_fewer_to_win() -> None:
    s = ready(3)
    for seat, dice in enumerate(("456", "56", "6")):
        put(s, seat, senatus=dice)
    to_scoring(s)
    play(s, "=I =II =V +V")
    assert rows(s, "senatus") == [(1, "56", 1), (2, "6", 0)]


def test_a_sco_6_as_many_groups_win_as_provinces_are_offered() -> None:
    s = ready(2)
    put(s, 0, castrum="666 11")
    put(s, 1, castrum="3333 5")
    assert rows(s, "castrum") == [(1, "3333", 1), (0, "666", 1), (0, "11", 0), (1, "5", 0)]


def test_a_sco_8_every_die_in_the_forum_wins_a_patrician() -> None:
    s = ready(2)
    put(s, 1, forum="1")
    put(s, 0, forum="14")
    assert rows(s, "forum") == [(1, "1", 1), (0, "1", 1), (0, "4", 1)]


def test_a_sco_9_a_chip_for_each_die_in_the_latrina() -> None:
    s = ready(3)
    put(s, 0, latrina=1)
    put(s, 2, latrina=3)
    assert rows(s, "latrina") == [(2, "???", 3), (0, "?", 1)]


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_a_set_scored_at_once_gives_what_was_told(n_seats: int) -> None:
    """At many moments of random games the set is scored as it stands, and the log of that counted."""
    checked = 0
    chooser = random.Random(n_seats)
    for seed in range(4):
        s = ALEA.new(n_seats)
        for _ in random_play(s, 50 + seed):
            if s.phase not in (ROLL, PLACE) or chooser.random() < 0.5:
                continue
            told = ALEA.screen.outlook(s, None)["buildings"]
            scored = copy(s)
            scored.roll[:] = 0
            score_set(scored)
            hand = Counter({seat: int(s.dice[seat]) for seat in range(n_seats)})  # A-TURN-6
            before = [player["fortuna"] for player in ALEA.screen.view(s, None)["players"]]
            log = decisions(scored, chooser)
            kept = [len(player["fortuna"]) for player in ALEA.screen.view(scored, None)["players"]]
            tokens = Counter({seat: kept[seat] - len(before[seat]) for seat in range(n_seats)})
            assert +tokens == wins(told["templum"] or [])
            in_order = {name: [seat for seat, of in log if of == name] for name in ("card", "province", "patrician")}
            for name, building in (("card", "senatus"), ("province", "castrum"), ("patrician", "forum")):
                assert in_order[name] == [row["seat"] for row in told[building] if row["wins"]]
            lost = [row for name in ("senatus", "castrum") for row in told[name] if not row["wins"]]
            chips = Counter({seat: int(scored.chips[seat] - s.chips[seat]) for seat in range(n_seats)})
            assert +chips == +(
                wins(told["latrina"]) + hand + sum((Counter({r["seat"]: len(r["dice"])}) for r in lost), Counter())
            )
            checked += any(told.values())
    assert checked > 50


def wins(stands: list[dict[str, Any]]) -> Counter[int]:
    won: Counter[int] = Counter()
    for row in stands:
        won[row["seat"]] += row["wins"]
    return +won


def decisions(s: Any, chooser: random.Random) -> list[tuple[int, str]]:
    """Play to the end of the set, at random; who took what, in order."""
    log = []
    while s.phase not in (LAY_PROVINCES, FINISHED):
        move = chooser.choice(ALEA.legal_moves(s))
        text, seat = ALEA.notation.text(s, move), ALEA.rules.turn(s)
        if text[0] == "+":
            kind = "card" if text[1:] in CARDS else "province" if text[1:] in PROVINCES else "patrician"
            log.append((seat, kind))
        ALEA.rules.apply(s, move)
    return log


@pytest.mark.parametrize("n_seats", [3, 5])
def test_amid_the_scoring_the_rest_is_told(n_seats: int) -> None:
    for seed in range(4):
        s = ALEA.new(n_seats)
        for _ in random_play(s, 80 + seed):
            if ALEA.rules.turn(s) == CHANCE or s.phase == PLACE:
                continue
            told = ALEA.screen.outlook(s, None)["buildings"]
            rest = copy(s)
            log = decisions(rest, random.Random(seed))
            for name, building in (("card", "senatus"), ("province", "castrum"), ("patrician", "forum")):
                assert [seat for seat, of in log if of == name] == [r["seat"] for r in told[building] if r["wins"]]


# What everybody has.


def test_a_end_6_a_tableau_is_scored_by_its_best_assignment() -> None:
    s = ready(4)
    give(s, 1, "R3 G4 B1 Y1 Rw3 Rm1 Gw3 Gm3 Rw2 Gm1 Ow2 Vw1 Vm1 Rw1", "XII:RG XII:OB III VII", chips=5)
    s.kept[1] = [1, 1, 1]
    s.token_supply -= 1
    own = ALEA.screen.outlook(s, 1)["tableaux"][1]
    parts = ("total", "tiebreak", "provinces", "patricians", "senate", "fortuna", "chips")
    assert [own[part] for part in parts] == [43, 3, 7, 15, 13, 6, 2]
    assert own["whole"]
    assert dict(own["cards"])["III"] == 5
    housed = [code for home in own["assignment"] for code in (*home["patricians"], home["child"]) if code]
    assert sorted(housed + own["homeless"]) == sorted(ALEA.screen.view(s, 1)["players"][1]["patricians"])
    assert sum(int(code[2]) for code in own["homeless"]) == own["tiebreak"]


def test_a_hid_2_cards_of_others_are_not_counted_until_the_end() -> None:
    s = ready(2)
    give(s, 1, "R3 Rw3 Rm1", "I II III IX X")
    for seat in (0, None):
        other = ALEA.screen.outlook(s, seat)["tableaux"][1]
        assert (other["whole"], other["senate"], other["cards"], other["total"]) == (False, 0, [], 7)
    assert ALEA.screen.outlook(s, 0)["tableaux"][0]["whole"]  # no cards, nothing hidden
    assert ALEA.screen.outlook(s, None)["cards"] == []
    s.phase = FINISHED
    told = ALEA.screen.outlook(s, 0)["tableaux"][1]
    assert told["whole"]
    assert told["total"] == ALEA.screen.view(s, 0)["players"][1]["points"] > 7


# What cards may become.


def test_a_card_1_every_province_that_can_still_be_won() -> None:
    s = ready(2)
    give(s, 0, "R3 G4 B1", "I XIII II V")
    assert s.set == 4  # this set and another one, two provinces each
    assert own_cards(s, 0)["I"] == (1 + 4 // 2, 1 + (4 + 4 + 2) // 2)  # and two cards, but III was handed on


def test_a_card_3_at_most_one_more_card_a_set() -> None:
    s = ready(2)
    give(s, 0, "", "III I V")
    assert own_cards(s, 0)["III"] == (4, 4 + 3)
    put(s, 0, castrum="11111111")  # no die is left for the Senatus of this set
    assert own_cards(s, 0)["III"] == (4, 4 + 2)


def test_a_card_4_at_most_two_more_tokens_a_set() -> None:
    s = ready(4)
    give(s, 0, "", "IV I III")
    assert own_cards(s, 0)["IV"] == (1 + 1, 1 + 2 * (4 // 3) + 1)


def test_a_card_7_at_most_seven_colours() -> None:
    s = ready(5)
    give(s, 0, "R3 G4 B1 Y1 O1 V1", "VII")
    assert own_cards(s, 0)["VII"] == (6, 7 + 1)
    give(s, 1, "J0")  # grey can now come by a card XIII only
    assert own_cards(s, 0)["VII"] == (6, 7 + 1)


def test_a_card_9_women_still_available() -> None:
    s = ready(2)
    women = [code for code in PATRICIANS if code[1] == "w"]
    give(s, 1, " ".join(women[2:]))
    give(s, 0, "R3 R4 O1 O2 G1 G2 " + women[0], "IX III")
    assert own_cards(s, 0)["IX"] == (1 + 1, 2 + 1)  # only one more woman is not taken, and III counts the card


def test_a_card_11_children_need_couples() -> None:
    s = ready(2)
    give(s, 0, "R1 Rw1 Rm1 Rm2", "XI")
    s.set = 5
    put(s, 0, castrum="1111", senatus="1234")  # a province and a card, but no patrician any more
    assert own_cards(s, 0)["XI"] == (1, 1 + 1)  # the child, and III, IX or X
    s = ready(4)
    give(s, 0, "R1 Rw1 Rm1 Rm2", "XI")
    s.set = 4
    put(s, 0, templum="1", latrina=7)  # only tokens
    assert own_cards(s, 0)["XI"] == (1, 1)


def test_a_sco_4_cards_not_chosen_never_come_back() -> None:
    s = ready(2)
    s.set = 4
    put(s, 0, senatus="456")
    to_scoring(s)
    play(s, "=I =III =V")
    assert own_cards(s, 0)["I"] == (1, 1 + (2 + 1) // 2)  # two provinces and a card in the last set, but no III
    assert ALEA.screen.effect(s, ALEA.notation.parse(s, "+I")) == {"gain": 1, "best": 2}


def test_a_card_8_a_tile_and_a_patrician_take_a_die_each() -> None:
    s = ready(5)
    give(s, 0, "R2 R3 R4 Rw1", "VIII")
    s.set = 4
    put(s, 0, latrina=6)
    assert own_cards(s, 0)["VIII"] == (1, 3 + 1)  # two dice win two patricians, or one and a card III


@pytest.mark.parametrize(
    ("code", "tiles", "cards", "worth_now"),
    [
        ("XI", "R1 Rw1 Rm1 Rm2", "XI", 1),
        ("XII:RG", "Rw3 Gm3 Rw1", "XII:RG", 3 + 6),
        ("XII:RG", "Rw3 Gm3 Rw1", "XII:RG XI", 3 + 6 + 1),
        ("XII:RG", "Rw3 Gm3 Rw1 B1 Bm1", "XII:RG XI IX VI II", 3 + 6 + 1 + 2 + 2 + 2),
        ("XII:RG", "Rw3 Gw2", "XII:RG VI", 3 + 1),
        ("XIII", "Rw3 Gm2", "XIII V", 1 + 3),
        ("XIII", "Rw3 Rm2", "XIII V", 1 + 5 + 1),
    ],
)
def test_a_card_12_bounds_of_houses_are_reached(code: str, tiles: str, cards: str, worth_now: int) -> None:
    """Nothing but a vacant province can come any more, so the bound has to be what the card makes now."""
    s = ready(2)
    give(s, 0, tiles, cards)
    s.set = 5
    put(s, 0, castrum="11111111")
    assert own_cards(s, 0)[code] == (worth_now, worth_now)


def test_when_nothing_more_can_be_won_the_bound_is_exact() -> None:
    s = ready(2)
    give(s, 0, "R1 R2 Rw1 Rm1 Gw3 Gm3", "I II V IX XIII")
    put(s, 0, latrina=8)
    told = own_cards(s, 0)
    assert len(told) == 5
    assert all(now == best for now, best in told.values())
    assert told["IX"] == (2, 2)


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_no_card_becomes_more_than_its_bound(n_seats: int) -> None:
    """Random games to the end; and from many moments a seat wins at once as much as it ever can."""
    chooser = random.Random(n_seats)
    compared = windfalls = tight = 0
    for seed in range(4):
        s = ALEA.new(n_seats)
        bounds: list[tuple[int, str, int]] = []
        for ply in random_play(s, 900 + seed):
            if ply[0] == "+" and ply[1:] in CARDS:
                bounds.append((ALEA.rules.turn(s), ply[1:], own_cards(s, ALEA.rules.turn(s))[ply[1:]][1]))
            if chooser.random() > 0.09:
                continue
            seat = chooser.randrange(n_seats)
            for card in ALEA.screen.outlook(s, seat)["cards"]:
                assert card["best"] >= card["now"]
                if card["card"] in ALEA.screen.view(s, seat)["own"]["senate"]:
                    bounds.append((seat, card["card"], card["best"]))
                    for final in windfall(s, seat, chooser):
                        difference = worth(final, card["card"])
                        assert difference <= card["best"], (card, final)
                        windfalls += 1
                        tight += difference >= card["best"] - 2
        final_cards = [own_cards(s, seat) for seat in range(n_seats)]
        for seat, code, bound in bounds:
            now, best = final_cards[seat][code]
            assert now == best
            assert now == worth(tableau_of(ALEA.screen.view(s, seat), seat), code)
            assert now <= bound
            compared += 1
    assert compared > 100
    assert tight > windfalls / 20  # the bounds are not mere big numbers


def worth(tableau: dict[str, Any], code: str) -> int:
    """What a card adds, by scoring with and without it."""
    fewer = list(tableau["senate"])
    fewer.remove(code)
    difference = score_tableau(tableau)["total"] - score_tableau({**tableau, "senate": fewer})["total"]
    return int(difference)


def windfall(s: Any, seat: int, chooser: random.Random) -> list[dict[str, Any]]:
    """Tableaux of as much as this seat can have at the end; chance says which tiles and cards."""
    later = int(SETS[s.n] - s.set - (s.phase >= ROLL))
    in_hand = int(s.dice[seat]) if ROLL <= s.phase <= TOKEN else 0
    tableau, told = tableau_of(ALEA.screen.view(s, seat), seat), ALEA.screen.outlook(s, None)["buildings"]
    found = []
    for _ in range(4):
        final, won = dict(tableau), []
        for part, names, pool, offer, most, building in (
            ("provinces", PROVINCES, s.province_pool, s.province_offer, int(s.n), "castrum"),
            ("patricians", PATRICIANS, s.patrician_pool, s.patrician_offer, int(s.n) + 2, "forum"),
        ):
            offered = codes(int(offer), names)
            now = chooser.sample(offered, min(len(offered), in_hand + wins(told[building])[seat]))
            # One colour more often than chance would have it: that is what cards like.
            colour = chooser.choice("ROYGBV")
            stack = sorted(codes(int(pool), names), key=lambda code: (code[0] != colour, chooser.random()))
            if chooser.random() < 0.5:
                chooser.shuffle(stack)
            won += [(part, code) for code in (*now, *stack[: later * most])]
        dice = in_hand + wins(told["castrum"])[seat] + wins(told["forum"])[seat] + DICE * later
        chooser.shuffle(won)
        for part, code in won[:dice]:
            final[part] = [*final[part], code]
        deck = card_codes(int(s.senate_deck))
        chooser.shuffle(deck)
        cards = later + (in_hand > 0 or wins(told["senatus"])[seat])
        final["senate"] = [*tableau["senate"], *deck[:cards]]
        if s.n > 3:
            tokens = 2 * later + (2 if in_hand else wins(told["templum"])[seat])
            final["fortuna"] = [2] * (len(tableau["fortuna"]) + tokens)  # what they show is no matter to a card
        found.append(final)
    return found


# What a move would do.


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_effects_are_what_happens_next(n_seats: int) -> None:
    chooser = random.Random(n_seats)
    kinds: Counter[str] = Counter()
    for seed in range(2):
        s = ALEA.new(n_seats, {"voluntary_latrina": "on"})
        for _ in random_play(s, 300 + seed):
            seat = ALEA.rules.turn(s)
            if seat == CHANCE or chooser.random() < (0.85 if s.phase == PLACE else 0.5):
                continue
            before = s.tobytes()
            for move in ALEA.legal_moves(s):
                text = ALEA.notation.text(s, move)
                told = ALEA.screen.effect(s, move)
                after = copy(s)
                ALEA.rules.apply(after, move)
                kinds[text[0]] += 1
                if text[0] == "R":
                    assert told == {}
                elif s.phase == PLACE:
                    check_placing(s, after, seat, text, told)
                else:
                    check_choice(s, after, seat, text, told)
            assert s.tobytes() == before
    assert set(kinds) == set("SCFLR+" if n_seats < 4 else "TSCFLRK+")


def check_placing(s: Any, after: Any, seat: int, text: str, told: Any) -> None:
    while after.phase == TOKEN:
        ALEA.rules.apply(after, ALEA.legal_moves(after)[0])
    mine = told["rows"][told["rank"]]
    assert mine["seat"] == seat
    assert told["building"][0].upper() == text[0]
    if text[0] in "CF":
        assert mine["dice"][0] == text[1]
    if after.phase != ROLL:  # the placing ended the set
        return
    assert told["rows"] == ALEA.screen.outlook(after, seat)["buildings"][told["building"]]
    drawn = (after.drawn + after.drawn_before - s.drawn - s.drawn_before).sum()
    assert told["tokens"] == drawn
    pushed = after.latrina - s.latrina
    if text[0] == "L":
        pushed[seat] -= 1
    assert Counter(told["pushed"]) == +Counter(dict(enumerate(pushed.tolist())))


def check_choice(s: Any, after: Any, seat: int, text: str, told: Any) -> None:
    now, then = (ALEA.screen.outlook(state, seat)["tableaux"][seat] for state in (s, after))
    assert told["gain"] == then["total"] - then["chips"] - (now["total"] - now["chips"])  # the set may end: chips
    card = {card["card"]: card for card in ALEA.screen.outlook(s, seat)["cards"]}.get(text[1:])
    if text[1:] in CARDS and ALEA.screen.view(s, seat)["own"]["senate"].count(text[1:]) == 0:
        assert card == {"card": text[1:], "now": told["gain"], "best": told["best"]}
    elif text[1:] != CARDS[FREE]:
        assert "best" not in told


def test_a_for_3_a_placing_tells_whose_dice_it_pushes_out() -> None:
    s = ready(2)
    put(s, 0, forum="3")
    put(s, 1, forum="45")
    put(s, 0, forum="6")
    rolled(s, 1, "2233")
    told = ALEA.screen.effect(s, ALEA.notation.parse(s, "F23"))
    assert (told["building"], told["pushed"], told["rank"]) == ("forum", [0, 1], 0)
    assert [(row["seat"], row["dice"]) for row in told["rows"]] == [(1, "2"), (1, "3"), (0, "3"), (1, "4")]
    told = ALEA.screen.effect(s, ALEA.notation.parse(s, "F3"))
    assert (told["pushed"], told["rank"]) == ([0], 0)
    assert ALEA.screen.effect(s, ALEA.notation.parse(s, "S23"))["pushed"] == []


def test_a_tem_5_a_placing_draws_no_more_tokens_than_there_are() -> None:
    s = ready(4)
    set_tokens(s, "3", "2", holder=3)
    put(s, 0, templum="11")
    rolled(s, 1, "1666")
    told = ALEA.screen.effect(s, ALEA.notation.parse(s, "T166"))
    assert told["tokens"] == 2
    assert [(row["seat"], row["wins"]) for row in told["rows"]] == [(1, 2), (0, 0)]


# All of it.


@pytest.mark.parametrize("n_seats", [2, 4, 5])
def test_a_hid_2_worlds_that_differ_in_secrets_have_the_same_outlook(n_seats: int) -> None:
    chooser = random.Random(n_seats)
    different = 0
    for _ in range(4):
        story = alea_worlds.Story(
            n_seats, alea_worlds.play_from(n_seats, [], chooser.randrange(60, 260), chooser), None
        )
        seat = chooser.randrange(n_seats)
        world = alea_worlds.other_world(story, seat, chooser)
        one, two = Match(ALEA, n_seats), Match(ALEA, n_seats)
        for step, other in zip(story.lines[0], world.lines[0], strict=True):
            one.replay([step.move])
            two.replay([other.move])
            if one.state.tobytes() == two.state.tobytes():
                continue
            different += 1
            assert ALEA.screen.outlook(one.state, seat) == ALEA.screen.outlook(two.state, seat)
            assert ALEA.screen.outlook(one.state, None) == ALEA.screen.outlook(two.state, None)
            if one.turn == seat:
                moves = ALEA.legal_moves(one.state)
                effects = [[ALEA.screen.effect(match.state, move) for move in moves] for match in (one, two)]
                assert effects[0] == effects[1]
    assert different > 100


@pytest.mark.parametrize("n_seats", [2, 5])
def test_outlook_and_effects_have_the_shapes_that_are_promised(n_seats: int) -> None:
    for s, move in walk(ALEA, n_seats, 5):
        for seat in (0, None):
            told = ALEA.screen.outlook(s, seat)
            assert msgspec.convert(json.loads(json.dumps(told)), AleaOutlook) == told
        if ALEA.rules.turn(s) not in (CHANCE, OVER):
            effect = ALEA.screen.effect(s, move)
            assert msgspec.convert(json.loads(json.dumps(effect)), AleaEffect) == effect
