"""What players of Quo Vadis? are told beyond the view: the outlook, what an action would do, the ledger of promises.

The ledger is held against the naive referee, which keeps every promise with its fate; distances against a search.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from naive.quovadis import Referee
from quovadis_positions import (
    act_now,
    arrive,
    caesar,
    hold,
    idle,
    lay,
    leave_ones,
    play,
    put,
    ready,
)
from rostra.engine.game import CHANCE, OVER, copy
from rostra.engine.rng import generator
from rostra.games.quovadis import QUO_VADIS as GAME
from rostra.games.quovadis.tables import COMMITTEES, PATHS

assert GAME.desk is not None
DESK = GAME.desk
FATES = ("kept", "broken", "lapsed")


def wandered(n_seats: int, seed: int, **options: str) -> Iterator[Any]:
    """The states of a random game with deals, as one record that plays on."""
    s = GAME.new(n_seats, options)
    rng, out = generator(seed), np.empty(GAME.rules.max_legal, np.int32)
    yield s
    while (turn := GAME.rules.turn(s)) != OVER:
        GAME.rules.apply(s, GAME.rules.draw(s, rng) if turn == CHANCE else GAME.play.random_move(s, out, rng))
        yield s


def path(s: Any, name: str) -> dict[str, Any]:
    """A path of the outlook, without its name."""
    found = [one for one in GAME.screen.outlook(s, None)["paths"] if one["path"] == name]
    assert len(found) == 1
    return {key: value for key, value in found[0].items() if key not in ("path", "mine", "ones", "stays")}


def told_of(s: Any, name: str, key: str) -> Any:
    """One thing that the outlook tells of a path."""
    return next(one[key] for one in GAME.screen.outlook(s, None)["paths"] if one["path"] == name)


def effect(s: Any, text: str) -> Any:
    return GAME.screen.effect(s, GAME.notation.parse(s, text))


# The outlook.


def test_q_act_1_entering_is_one_of_the_moves_to_the_senate() -> None:
    s = ready(3)
    assert GAME.screen.outlook(s, 0)["reach"] == [{"inside": 0, "moves": 4}] * 3
    put(s, A="1", G="2")
    arrive(s, "22")
    assert GAME.screen.outlook(s, 0)["reach"] == [
        {"inside": 0, "moves": 4},  # +B, B>F, F>J, J>S
        {"inside": 0, "moves": 4},  # A>E, E>I, I>M, M>S, or +B and so on
        {"inside": 2, "moves": 2},
    ]
    assert GAME.screen.outlook(s, 0)["senate_free"] == 3


def searched(view: dict[str, Any], seat: int) -> int | None:
    """The fewest moves to the Senate, by going up the board from wherever a senator is."""
    here = {name for name, committee in view["committees"].items() if seat in committee["senators"]}
    here |= {"off"} if view["players"][seat]["off"] else set()
    ways = [*(way.split(">") for way in PATHS), *(["off", entry] for entry in "ABCD")]
    moves = 0
    while here and "S" not in here:
        here = {to for start, to in ways if start in here}
        moves += 1
    return moves if here else None


def test_q_act_2_reach_is_the_shortest_way_on_the_board() -> None:
    seen = set()
    for seed in range(3):
        for s in wandered(3 + seed, seed):
            view = GAME.screen.view(s, 0)
            reach = GAME.screen.outlook(s, 0)["reach"]
            assert [one["moves"] for one in reach] == [searched(view, seat) for seat in range(s.n)]
            assert [one["inside"] for one in reach] == [view["senate"].count(seat) for seat in range(s.n)]
            seen |= {one["moves"] for one in reach}
    assert seen == {1, 2, 3, 4}
    s = ready(3)
    for committee, distance in zip(COMMITTEES, (4, 3, 3, 3, 3, 2, 2, 3, 2, 1, 2, 2, 1, 1), strict=True):
        world = copy(s)
        world.off[0] = 0
        world.board[COMMITTEES.index(committee), 0] = 1
        assert GAME.screen.outlook(world, 0)["reach"][0]["moves"] == distance
    s.off[0] = 0
    assert GAME.screen.outlook(s, 0)["reach"][0]["moves"] is None


def test_q_mov_2_consents_by_own_and_by_other_senators() -> None:
    s = ready(4)
    put(s, B="10023", D="03", I="0")
    assert path(s, "B>I") == {"free": True, "consents": 2, "own": 1, "others": [1, 2, 3], "laurel": "3"}
    assert path(s, "D>H") == {"free": True, "consents": 1, "own": 0, "others": [3], "laurel": "3"}
    assert path(s, "I>M") == {"free": True, "consents": 1, "own": 0, "others": [], "laurel": "4"}
    assert [one["path"] for one in GAME.screen.outlook(s, 2)["paths"]] == ["B>I", "B>F", "D>G", "D>H", "I>M"]
    act_now(s, 2)
    assert path(s, "B>F") == {"free": True, "consents": 2, "own": 0, "others": [0, 0, 1, 3], "laurel": "3"}
    put(s, J="2222")
    assert path(s, "B>F")["own"] == 0
    caesar(s, "B>I")
    assert path(s, "J>S") == {"free": True, "consents": 2, "own": 2, "others": [], "laurel": "5"}  # more are not needed


def test_q_mov_1_out_of_a_one_seat_committee_nothing_is_needed_or_won() -> None:
    s = ready(3)
    put(s, A="0", E="1", H="0", K="")
    assert path(s, "A>E") == {"free": False, "consents": 0, "own": 0, "others": [], "laurel": None}
    assert path(s, "H>K") == {"free": True, "consents": 0, "own": 0, "others": [], "laurel": None}


def test_q_cae_1_and_q_cae_2_caesars_path_takes_no_consents_and_wins_nothing() -> None:
    s = ready(3)
    put(s, J="00012")
    assert path(s, "J>S") == {"free": True, "consents": 0, "own": 0, "others": [], "laurel": None}


def test_q_mov_3_an_empty_place_wins_nothing() -> None:
    s = ready(3)
    put(s, I="01", M="002")
    lay(s, "I>M", "")
    lay(s, "M>S", "2c")
    assert path(s, "I>M") == {"free": False, "consents": 1, "own": 0, "others": [1], "laurel": None}
    assert path(s, "M>S") == {"free": True, "consents": 1, "own": 1, "others": [2], "laurel": "2c"}


def test_q_end_4_the_countdown_to_a_stalled_game_begins_half_way() -> None:
    s = ready(3, stall_rounds="2")
    idle(s, 2)
    assert GAME.screen.outlook(s, 0)["stall"] is None
    for left in (3, 2, 1):
        idle(s, 1)
        assert GAME.screen.outlook(s, 0)["stall"] == left
    progress = copy(s)
    play(progress, "+A")
    assert GAME.screen.outlook(progress, 0)["stall"] is None
    idle(s, 1)
    assert (GAME.notation.end(s), GAME.rules.turn(s), GAME.screen.outlook(s, 0)["stall"]) == ("stalled", OVER, 0)
    s = ready(3, stall_rounds="0")
    assert GAME.screen.outlook(s, 0)["stall"] is None
    idle(s, 40)
    assert GAME.screen.outlook(s, 0)["stall"] is None


def test_paths_agree_with_the_legal_actions() -> None:
    """A path is open where nobody is needed, or own and other senators are enough; there just so many actions are."""
    compared = 0
    for seed in range(3):
        for s in wandered(3 + seed, seed, limited_ones="on"):
            if GAME.screen.view(s, None)["phase"] != "act" or s.drafts:
                continue
            moves = [GAME.notation.text(s, move) for move in GAME.legal_moves(s)]
            possible = Counter(move[:3] for move in moves if move[1:2] == ">")
            expected = {}
            for one in GAME.screen.outlook(s, None)["paths"]:
                givers = sorted([*[s.active] * one["own"], *one["others"]])
                pairs = {(a, b) for i, a in enumerate(givers) for b in givers[i + 1 :]}
                ways = (1, len(set(givers)), len(pairs))[one["consents"]]
                if one["free"] and ways:
                    expected[one["path"]] = ways
                compared += 1
            assert possible == expected
    assert compared > 500


def other_hands(s: Any, seat: int) -> Any:
    """A world where two others have swapped a laurel for one of another value, or None."""
    one, two = [other for other in range(s.n) if other != seat][:2]
    for value in range(4):
        if s.hands[one, value] and s.hands[two, value + 1]:
            world = copy(s)
            for holder, sign in ((one, 1), (two, -1)):
                world.hands[holder, value] -= sign
                world.hands[holder, value + 1] += sign
            return world
    return None


def test_q_hid_1_hidden_hands_change_nothing_that_is_told() -> None:
    compared = 0
    for seed in range(3):
        for s in wandered(3 + seed, seed):
            told = GAME.screen.outlook(s, 0)
            assert json.loads(json.dumps(told)) == told
            world = other_hands(s, 0)
            if world is None or GAME.rules.turn(s) == OVER:
                continue
            assert GAME.screen.view(world, 0) == GAME.screen.view(s, 0)
            assert GAME.screen.outlook(world, 0) == told
            for move in set(GAME.legal_moves(s)) & set(GAME.legal_moves(world)):
                assert GAME.screen.effect(world, move) == GAME.screen.effect(s, move)
            compared += 1
    assert compared > 200


def test_q_cae_2_the_laurel_under_caesar_stays_where_it_is() -> None:
    s = ready(3)
    put(s, B="0")
    lay(s, "B>I", "4")
    assert told_of(s, "B>I", "stays") is None
    caesar(s, "B>I")
    assert (told_of(s, "B>I", "laurel"), told_of(s, "B>I", "stays")) == (None, "4")
    assert told_of(s, "B>F", "stays") is None


def test_q_mov_4_a_path_tells_how_many_ones_the_consents_of_others_earn() -> None:
    s = ready(3)
    put(s, B="0012")
    assert told_of(s, "B>I", "ones") == 1  # an own senator gives the other consent
    s = ready(3)
    put(s, B="012")
    assert told_of(s, "B>I", "ones") == 2
    leave_ones(s, 1, holder=1)
    assert told_of(s, "B>I", "ones") == 1
    leave_ones(s, 0, holder=1)
    assert told_of(s, "B>I", "ones") == 0


def test_q_end_2_q_var_3_the_view_says_whose_laurels_count() -> None:
    for election, expected in ("off", [True, False, False]), ("on", [True, True, False]):
        s = ready(3, consul_election=election)
        arrive(s, "0")
        s.qualified = 0b010
        assert [player["counts"] for player in GAME.screen.view(s, None)["players"]] == expected


# What a deal moves.


def nets(s: Any, *terms: str) -> dict[int, tuple[list[int], int]]:
    """By seat, the parts and the sum."""
    shares = DESK.worth(s, terms)["shares"]
    return {one["seat"]: ([part["points"] for part in one["parts"]], one["net"]) for one in shares}


def test_q_neg_3_what_a_deal_moves_for_each_party() -> None:
    s = ready(4)
    put(s, B="012")
    lay(s, "B>I", "5")
    assert nets(s, "B>I(1,2)") == {0: ([5], 5), 1: ([1], 1), 2: ([1], 1)}
    assert nets(s, "B>I(1,2)", "give 0 1 2", "give 3 0 1") == {
        0: ([5, -2, 1], 4), 1: ([1, 2], 3), 2: ([1], 1), 3: ([-1], -1),
    }  # fmt: skip
    assert nets(s, "+A", "promise 3 0 support") == {0: ([], 0), 3: ([], 0)}
    assert DESK.worth(s, ["B>I(1,2)", "give 0 1 2"])["shares"][1] == {
        "seat": 1,
        "parts": [{"why": "consent", "points": 1, "seat": None}, {"why": "gift", "points": 2, "seat": 0}],
        "net": 3,
    }


def test_q_mov_4_q_cae_2_a_deal_says_which_consent_earns_nothing_and_which_laurel_stays() -> None:
    s = ready(3)
    put(s, B="012")
    lay(s, "B>I", "2c")
    leave_ones(s, 1, holder=1)
    assert nets(s, "B>I(1,2)") == {0: ([2], 2), 1: ([1], 1), 2: ([], 0)}
    assert (DESK.worth(s, ["B>I(1,2)"])["unpaid"], DESK.worth(s, ["B>I(1,2)"])["stays"]) == ([2], None)
    caesar(s, "B>I")
    assert nets(s, "B>I", "give 0 1 1") == {0: ([-1], -1), 1: ([1], 1)}
    assert DESK.worth(s, ["B>I", "give 0 1 1"])["stays"] == "2c"
    assert GAME.screen.outlook(s, None)["worth"] is None


def test_the_worth_of_a_draft_is_what_its_deal_moves_whatever_the_hands_are() -> None:
    compared = Counter[str]()
    for seed in range(4):
        for s in wandered(3 + seed % 3, seed, limited_ones="on"):
            told = GAME.screen.outlook(s, None)["worth"]
            assert (told is None) == (not DESK.draft(s))
            if told is None or GAME.screen.view(s, None)["phase"] != "answer":
                continue
            assert [share["seat"] for share in told["shares"]] == sorted(
                (share["seat"] for share in told["shares"]), key=lambda seat: (seat != s.active, seat)
            )
            before, after = s.hands.tolist(), copy(s)
            while GAME.screen.view(after, None)["phase"] == "answer":
                play(after, "yes")
            points = [
                sum(value * (new - old) for value, (old, new) in enumerate(zip(was, has, strict=True), 1))
                for was, has in zip(before, after.hands.tolist(), strict=True)
            ]
            net = {share["seat"]: share["net"] for share in told["shares"]}
            assert [net.get(seat, 0) for seat in range(s.n)] == points[: s.n]
            for share in told["shares"]:
                assert share["net"] == sum(part["points"] for part in share["parts"])
                compared.update(part["why"] for part in share["parts"])
    assert min(compared[why] for why in ("path", "consent", "gift")) > 10


# What an action would do.


def test_q_mov_4_ones_go_to_the_consenters_while_they_last() -> None:
    s = ready(4, start=2)
    put(s, B="20133")
    assert effect(s, "B>I(3,3)") == {"laurel": "3", "ones": [3, 3]}
    assert effect(s, "B>I(0,3)") == {"laurel": "3", "ones": [0, 3]}
    leave_ones(s, 1, holder=1)
    assert effect(s, "B>I(3,3)") == {"laurel": "3", "ones": [3]}
    assert effect(s, "B>I(0,3)") == {"laurel": "3", "ones": [3]}  # clockwise from the mover
    leave_ones(s, 0, holder=1)
    assert effect(s, "B>I(0,3)") == {"laurel": "3"}


def test_q_mov_5_a_2_with_caesar_moves_him_but_q_end_1_not_after_the_fifth_arrival() -> None:
    s = ready(3)
    put(s, M="001")
    lay(s, "M>S", "2c")
    assert effect(s, "M>S(0)") == {"laurel": "2c", "caesar": True}
    arrive(s, "0112")
    assert effect(s, "M>S(1)") == {"laurel": "2c", "ones": [1], "ends": True}
    caesar(s, "M>S")
    assert effect(s, "M>S") == {"ends": True}


def test_q_act_3_what_moves_no_senator_on_has_no_effect_to_tell() -> None:
    s = ready(3)
    put(s, A="0", I="01")
    for text in ("+B", "@N>S", "A>E", "deal", "hear"):
        assert effect(s, text) == {}
    play(s, "I>M(1)")
    for text in ("ask", "drop", "give 0 1 4", "promise 0 1 support"):
        assert effect(s, text) == {}


def carried_out(s: Any, move: int) -> Any:
    """The state after this action and what belongs to it; where a deal must bind somebody it gets a promise."""
    s = copy(s)
    GAME.rules.apply(s, move)
    while (phase := GAME.screen.view(s, None)["phase"]) in ("draft", "answer"):
        if phase == "answer":
            play(s, "yes")
            continue
        texts = [GAME.notation.text(s, one) for one in GAME.legal_moves(s)]
        play(s, "ask" if "ask" in texts else next(text for text in texts if text.startswith("promise")))
    return s


def test_the_effect_is_what_happens() -> None:
    told = Counter[str]()
    phases = set()
    for seed in range(6):
        for i, s in enumerate(wandered(3 + seed % 3, seed, limited_ones="on")):
            phase = GAME.screen.view(s, None)["phase"]
            if phase not in ("act", "open", "listen") or s.caesar_won or i % 4:
                continue
            phases.add(phase)
            for move in GAME.legal_moves(s):
                expected = GAME.screen.effect(s, move)
                assert json.loads(json.dumps(expected)) == expected
                told.update(expected.keys())
                if GAME.notation.text(s, move) in ("deal", "hear", "drop", "pass", "bargain"):
                    assert expected == {}
                    continue
                after = carried_out(s, move)
                hands = copy(s).hands
                for seat in expected.get("ones", []):
                    hands[seat, 0] += 1
                if "laurel" in expected:
                    hands[s.active, int(expected["laurel"][0]) - 1] += 1
                assert after.hands.tolist() == hands.tolist()
                assert (after.arrived == 5) == expected.get("ends", False)
                if GAME.rules.turn(after) == CHANCE:
                    GAME.rules.apply(after, GAME.legal_moves(after)[0])
                assert (GAME.screen.view(after, None)["phase"] == "place-caesar") == expected.get("caesar", False)
    assert phases == {"act", "open", "listen"}
    assert min(told[key] for key in ("laurel", "ones", "ends", "caesar")) > 10


# The ledger.


def ledger(s: Any, texts: str) -> list[tuple[str, int, str, int | None]]:
    """Play on from a position; the promises since, as (text, made, fate, settled)."""

    def states() -> Iterator[Any]:
        yield s
        for text in texts.split(";"):
            play(s, text)
            yield s

    return [tuple(pledge.values()) for pledge in DESK.ledger(states())]


def test_q_neg_3_promises_are_recorded_with_what_became_of_them() -> None:
    s = ready(3)
    put(s, I="012", M="2")
    plies = "deal; @N>S; promise 1 0 support; promise 2 1 oppose 0; ask; yes; yes; @B>I; @B>F"
    assert ledger(s, plies + "; I>M(1); ask; no; I>M(2); ask; yes") == [
        ("promise 1 0 support", 6, "broken", 11),
        ("promise 2 1 oppose 0", 6, "broken", 14),
    ]
    assert ledger(ready(3), "+A") == []


def test_a_deal_that_keeps_a_promise_and_makes_the_same_again() -> None:
    s = ready(3, start=2)
    put(s, I="001")
    promised = "deal; @N>S; promise 1 0 support; ask; yes; yes"
    assert ledger(s, f"{promised}; I>M(1); promise 1 0 support; ask; yes; =3; +A") == [
        ("promise 1 0 support", 5, "kept", 9),
        ("promise 1 0 support", 9, "open", None),
    ]


def test_one_ply_keeps_breaks_and_lets_lapse() -> None:
    s = ready(3)
    put(s, B="1")
    hold(s, 0, "1")
    by_seat_0 = "deal; @N>S; promise 0 1 support; ask; yes"
    by_seat_1 = "deal; @M>S; promise 0 1 pay 5; promise 0 1 pay 1; ask; yes"
    by_seat_2 = "deal; @N>S; promise 0 1 caesar; promise 0 1 oppose 2; ask; yes; yes"
    four_rounds = "; ".join(["@M>S; @N>S"] * 6)
    last = "deal; @B>I; give 0 1 1; ask; yes"
    assert ledger(s, "; ".join([by_seat_0, by_seat_1, by_seat_2, four_rounds, last])) == [
        ("promise 0 1 support", 4, "lapsed", 34),
        ("promise 0 1 pay 1", 10, "kept", 34),
        ("promise 0 1 pay 5", 10, "lapsed", 34),
        ("promise 0 1 oppose 2", 17, "lapsed", 34),
        ("promise 0 1 caesar", 17, "broken", 34),
    ]


def test_of_equal_promises_the_oldest_lapses_first() -> None:
    s = ready(3)
    promised = "deal; @N>S; promise 1 0 pay 3; ask; yes"
    turns = f"{promised}; @M>S; @B>I; {promised}; " + "; ".join(["@M>S; @N>S"] * 6)
    first, second = ("promise 1 0 pay 3", 4, "lapsed", 21), ("promise 1 0 pay 3", 11, "open", None)
    assert ledger(copy(s), turns) == [first, second]
    assert ledger(s, f"{turns}; @M>S; @N>S") == [first, (*second[:2], "lapsed", 24)]


WEIGHTS = {"promise": 4, "give": 1, "ask": 6, "yes": 9, "no": 1, "deal": 6, "drop": 0.1, "hear": 0.3, "pass": 1}


def choose(texts: list[str], chooser: random.Random) -> str:
    """A random move of a player who likes promises, each kind of word by its weight."""
    words = [text.split()[0] if text[0] not in "+@=-" else text[0] for text in texts]
    many = Counter(words)
    return chooser.choices(texts, [WEIGHTS.get(word, 2) / many[word] for word in words])[0]


def beside(referee: Referee, s: Any, chooser: random.Random, plies: list[list[int]], games: list[int]) -> Iterator[Any]:
    """The states of a random match; notes when the referee records a promise and its fate, and the game of each ply."""
    yield s
    while GAME.rules.turn(s) != OVER:
        games.append(int(s.game))
        text = choose([GAME.notation.text(s, move) for move in GAME.legal_moves(s)], chooser)
        GAME.rules.apply(s, GAME.notation.parse(s, text))
        referee.apply(text)
        for number, promise in enumerate(referee.promises):
            if number == len(plies):
                plies.append([len(games) - 1])
            if promise["fate"] != "open" and len(plies[number]) == 1:
                plies[number].append(len(games) - 1)
        yield s


@pytest.mark.parametrize("n_seats", [3, 4, 5])
def test_the_ledger_tells_the_fates_that_the_view_counts_and_the_referee_keeps(n_seats: int) -> None:
    found = Counter[str]()
    across = 0
    for seed in range(3):
        referee = Referee(n_seats, consul_election=seed == 0)
        s = GAME.new(n_seats, {"consul_election": "on" if seed == 0 else "off"})
        plies: list[list[int]] = []
        games: list[int] = []
        pledges = DESK.ledger(beside(referee, s, random.Random(seed), plies, games))
        truth = [
            (
                f"promise {one['maker']} {one['receiver']} {one['kind']}",
                made,
                one["fate"],
                settled[0] if settled else None,
            )
            for one, (made, *settled) in zip(referee.promises, plies, strict=True)
        ]
        assert [pledge["made"] for pledge in pledges] == [made for _, made, _, _ in truth]
        # promises of one deal are in the order of moves here, in that of texts with the referee
        assert sorted(map(str, (tuple(pledge.values()) for pledge in pledges))) == sorted(map(str, truth))
        view = GAME.screen.view(s, None)
        opened = [pledge["promise"] for pledge in pledges if pledge["fate"] == "open"]
        assert opened == [one["promise"] for one in view["promises"]]
        counts = Counter((*pledge["promise"].split()[1:3], pledge["fate"]) for pledge in pledges)
        for maker, row in enumerate(view["fates"]):
            for receiver, numbers in enumerate(row):
                assert [counts[str(maker), str(receiver), fate] for fate in FATES] == numbers
        found.update(pledge["fate"] for pledge in pledges)
        done = [(pledge["made"], pledge["settled"]) for pledge in pledges if pledge["fate"] != "open"]
        across += sum(games[made] < games[settled] for made, settled in done)
    assert min(found[fate] for fate in ("open", *FATES)) > 0
    assert across > 0  # in an election promises run on into the next game
