"""The learned players of Quo Vadis?: what the net is told, how moves are weighed, that each style is as it is named."""

from typing import Any

import numpy as np
import pytest

from conftest import CHECKS, walk
from quovadis_positions import arrive, hold, hold_all, legal, play, put, ready
from rostra.bots import learned, make_bot
from rostra.engine.game import CHANCE, OVER, copy
from rostra.engine.net import new_net
from rostra.engine.rng import generator
from rostra.games.quovadis import QUO_VADIS
from rostra.games.quovadis.features import N_INPUTS, features
from rostra.games.quovadis.negotiator import STYLES
from rostra.games.quovadis.tables import MAX_SEATS, N_PROMISES, OPPOSE

assert QUO_VADIS.mind is not None
assert QUO_VADIS.desk is not None
MIND, DESK = QUO_VADIS.mind, QUO_VADIS.desk


def inputs(s: Any, seat: int) -> Any:
    out = np.full(N_INPUTS, np.nan, np.float32)
    features(s, seat, out, np.zeros(MIND.n_work, np.int64))
    return out


def relabelled(s: Any, by: int) -> Any:
    """The same position when every seat has moved up by so many chairs."""
    n = int(s.n)
    world = copy(s)
    for name in ("totals", "last_points", "off"):
        world[name][:n] = np.roll(s[name][:n], by)
    world.hands[:n] = np.roll(s.hands[:n], by, axis=0)
    world.board[:, :n] = np.roll(s.board[:, :n], by, axis=1)
    world.fates[:n, :n] = np.roll(s.fates[:n, :n], (by, by), axis=(0, 1))
    for i in range(s.arrived):
        world.senate[i] = (int(s.senate[i]) - 1 + by) % n + 1
    for name in ("active", "seat", "drafter"):
        world[name] = (int(s[name]) + by) % n
    for i in range(s.n_promises):
        seats, kind = divmod(int(s.promises[i]) - 1, N_PROMISES)
        maker, receiver = ((seat + by) % n for seat in divmod(seats, MAX_SEATS))
        if OPPOSE <= kind < OPPOSE + MAX_SEATS:
            kind = OPPOSE + (kind - OPPOSE + by) % n
        world.promises[i] = (maker * MAX_SEATS + receiver) * N_PROMISES + kind + 1
    return world


@pytest.mark.parametrize("n_seats", [3, 4, 5])
def test_inputs_are_bounded_and_the_same_for_relabelled_seats(n_seats: int) -> None:
    seen = np.zeros(N_INPUTS, bool)
    for ply, (s, _) in enumerate(walk(QUO_VADIS, n_seats, 3)):
        if ply % 23:
            continue
        for seat in range(n_seats):
            told = inputs(s, seat)
            assert np.isfinite(told).all()
            assert np.abs(told).max() <= 5
            seen |= told != 0
            for by in range(1, n_seats):
                assert (inputs(relabelled(s, by), (seat + by) % n_seats) == told).all()
    assert seen.mean() > 0.4  # of five seats' inputs


@pytest.mark.parametrize("n_seats", [3, 5])
def test_what_matters_changes_the_inputs(n_seats: int) -> None:
    s = ready(n_seats)
    put(s, G="012")
    before = inputs(s, 0)
    for change in ("deal; @N>S; promise 1 0 support; ask; yes", "+B", "@N>S"):
        world = copy(s)
        play(world, change)
        assert (inputs(world, 0) != before).sum() > 1


@pytest.mark.parametrize("style", list(STYLES), ids=lambda style: style or "best")
def test_weighing_is_legal_finite_and_deterministic(style: str) -> None:
    """With a net that knows nothing, so that strange positions come up."""
    net, numbers = new_net(MIND.n_inputs, 3), np.array(STYLES[style], np.float64)
    rooms = [
        (
            np.zeros(8, QUO_VADIS.rules.state),
            np.empty(QUO_VADIS.rules.max_legal, np.int32),
            np.empty(QUO_VADIS.rules.max_legal),
        )
        for _ in range(2)
    ]
    work = np.zeros(MIND.n_work, np.int64)
    rng = generator(5)
    s = QUO_VADIS.new(3)
    phases = set()
    for _ in range(600):
        if QUO_VADIS.rules.turn(s) == OVER:
            break
        if QUO_VADIS.rules.turn(s) == CHANCE:
            QUO_VADIS.rules.apply(s, QUO_VADIS.rules.draw(s, rng))
            continue
        found = []
        for (states, buffer, values), memory in zip(rooms, (work, np.zeros_like(work)), strict=True):
            states[0] = s  # one has a memory, one begins anew: it only saves time
            n = MIND.weigh(states, net, numbers, buffer, values, memory)
            assert states[0].tobytes() == s.tobytes()
            found.append((buffer[:n].tolist(), values[:n].tolist()))
        assert found[0] == found[1]
        moves, worth = found[0]
        assert moves == QUO_VADIS.legal_moves(s)
        assert np.isfinite(worth).all()
        phases.add(int(s.phase))
        QUO_VADIS.rules.apply(s, moves[int(np.argmax(worth))])
        CHECKS[QUO_VADIS.name](s)
    assert len(phases) >= (1 if style in ("silent", "staller") else 4)


def decisions(style: str, n_seats: int, seed: int) -> list[tuple[Any, str]]:
    """A game of one such player among the best: its decisions, each a state and the text of its move."""
    bots = [make_bot(f"learned:{style}" if style else "learned"), *[make_bot("learned")] * (n_seats - 1)]
    rng = generator(seed)
    s = QUO_VADIS.new(n_seats)
    made = []
    while (seat := QUO_VADIS.rules.turn(s)) != OVER:
        if seat == CHANCE:
            QUO_VADIS.rules.apply(s, QUO_VADIS.rules.draw(s, rng))
            continue
        move = bots[seat].choose(QUO_VADIS, s, rng)
        if seat == 0:
            made.append((copy(s), QUO_VADIS.notation.text(s, move)))
        QUO_VADIS.rules.apply(s, move)
    return made


def said(made: list[tuple[Any, str]], start: str) -> list[str]:
    return [text for _, text in made if text.startswith(start)]


def paid(s: Any) -> int:
    """What seat 0 pays in the draft, less what it gets: laurels may be changed, a 3 given and a 1 returned."""
    gives = [term.split()[1:] for term in DESK.draft(s) if term.startswith("give")]
    return sum(int(value) * ((giver == "0") - (receiver == "0")) for giver, receiver, value in gives)


def test_the_best_negotiator_asks_pays_demands_and_promises() -> None:
    made = [one for seed in range(4) for one in decisions("", 4, seed)]
    assert said(made, "ask")
    assert said(made, "yes")
    assert said(made, "no")
    assert any(text.startswith("give 0") for _, text in made)
    assert any(text.startswith("give") and text[5] != "0" for _, text in made)
    assert said(made, "promise")
    assert said(made, "deal")  # an action sold to somebody whom it suits


def test_styles_leave_out_what_they_are_named_for() -> None:
    asker, payer, trader = (
        [one for seed in range(3) for one in decisions(style, 4, seed)] for style in ("asker", "payer", "trader")
    )
    assert said(asker, "ask") and said(payer, "ask") and said(trader, "ask")
    assert not said(asker, "give") and not said(asker, "promise")
    assert said(payer, "give 0") and not said(payer, "promise")
    assert all(paid(s) >= 0 for s, text in payer if text == "ask")
    assert any(paid(s) < 0 for s, text in trader if text == "ask")
    assert said(trader, "give") and not said(trader, "promise")


def test_who_never_deals_only_acts() -> None:
    made = decisions("silent", 3, 1)
    assert made
    assert not [text for s, text in made if QUO_VADIS.play.talks(s, QUO_VADIS.notation.parse(s, text))]


def test_exploiters_do_what_they_say() -> None:
    refuser = decisions("refuser", 4, 1)
    assert said(refuser, "no") and not said(refuser, "yes") and said(refuser, "ask")
    rider = [one for seed in range(3) for one in decisions("rider", 4, seed)]
    assert said(rider, "ask") and not said(rider, "promise")
    for s, text in rider:
        if text in ("ask", "yes"):
            assert paid(s) <= 0
            assert not any(term.startswith("promise 0") for term in DESK.draft(s))
    staller = decisions("staller", 3, 1)
    steps = [text for s, text in staller if len(legal(s, "@")) > 5]
    assert steps and all(text.startswith("@") for text in steps[:-1])


def test_a_gouger_wants_more_than_the_best() -> None:
    both = ("learned", "learned:gouger")
    counts = dict.fromkeys(both, 0)
    for s, text in [one for seed in range(4) for one in decisions("", 3, seed)]:
        if text in ("yes", "no"):
            yes = {
                bot: make_bot(bot).choose(QUO_VADIS, s, generator(1)) == QUO_VADIS.notation.parse(s, "yes")
                for bot in both
            }
            assert yes["learned"] or not yes["learned:gouger"]
            for bot in both:
                counts[bot] += yes[bot]
    assert counts["learned:gouger"] < counts["learned"] / 2


def about_to_win(promised: bool) -> Any:
    """Seat 0 wins with the consent of seat 1, who has promised support, or not."""
    s = ready(3, start=2)
    put(s, M="01")
    arrive(s, "0122")
    hold_all(s, "0:55 1:43 2:33")
    play(s, "deal; @N>S; promise 1 0 support; ask; yes; yes" if promised else "@N>S")
    return s


def chosen(bot: str, s: Any) -> str:
    return QUO_VADIS.notation.text(s, make_bot(bot).choose(QUO_VADIS, s, generator(1)))


def test_a_deal_that_wins_is_proposed_to_who_owes_it() -> None:
    s = about_to_win(promised=True)
    assert chosen("learned", s) == "M>S(1)"
    play(s, "M>S(1)")
    assert chosen("learned", s) == "ask"
    play(s, "ask")
    assert chosen("learned:honest", s) == "yes"
    assert chosen("learned:opportunist", s) == "no"
    assert chosen("learned:breaker", s) == "no"


def test_a_deal_that_loses_is_refused() -> None:
    s = about_to_win(promised=False)
    play(s, "M>S(1); ask")
    for style in STYLES:
        assert chosen(f"learned:{style}".rstrip(":"), s) == "no"


def test_nobody_promises_to_pay_later_who_means_what_he_says() -> None:
    s = ready(3, start=0)
    put(s, G="012")
    hold(s, 0, "55")
    play(s, "G>J(1); give 0 1 5; ask")
    assert chosen("learned:honest", s) == "yes"
    s = ready(3, start=0)
    put(s, G="012")
    hold(s, 0, "55")
    play(s, "G>J(1); give 0 1 5; promise 1 0 pay 5; ask")
    assert chosen("learned:honest", s) == "no"


def test_who_forgets_tells_the_laurels_of_others_apart_only_roughly() -> None:
    def weighed(style: str, hands: str) -> list[float]:
        """What the moves of seat 1 are worth; the same laurels are out whenever they are compared."""
        s = ready(3, start=1)
        put(s, A="0", C="1", H="2")
        hold_all(s, hands)
        return [*map(float, learned.weigh(QUO_VADIS, s, style).values)]

    equal, nearly, apart = "0:4443 1:33 2:4443", "0:4433 1:33 2:4444", "0:44433 1:33 2:444"  # 15 15, 14 16, 18 12
    assert weighed("forgetful", equal) == weighed("forgetful", nearly) != weighed("forgetful", apart)
    assert weighed("", equal) != weighed("", nearly)
    # the same of the rival's, but its own it remembers
    assert weighed("forgetful", "0:4443 1:4 2:333") != weighed("forgetful", "0:4444 1:3 2:333")


@pytest.mark.parametrize(
    ("bot", "says"),
    [("learned", "pass"), ("learned:forgetful", "show"), ("greedy", "pass"), ("greedy:deals=off", "pass")],
)
def test_only_who_forgets_demands_open_hands(bot: str, says: str) -> None:
    s = ready(3, open_hands="on")
    put(s, J="0", C="1", H="2")
    hold_all(s, "0:4433 1:33 2:4444")
    play(s, "J>S")
    assert {chosen(bot, s) for _ in range(5)} == {says}
    rough = learned.weigh(QUO_VADIS, s, "forgetful").values.tolist()
    assert len(rough) == 2
    play(s, "show")
    exact = learned.weigh(QUO_VADIS, s).values.tolist()
    assert learned.weigh(QUO_VADIS, s, "forgetful").values.tolist() == exact  # nobody forgets what is on the table


def test_who_forgets_does_not_make_others_forget() -> None:
    """Players of one thread share a work space, and who forgets leaves no rough hands there."""
    s = ready(3, start=1)
    put(s, G="012")
    hold_all(s, "0:554 1:33 2:2")
    play(s, "G>J(2); ask")
    before = learned.weigh(QUO_VADIS, s).values.tolist()
    forgotten = learned.weigh(QUO_VADIS, s, "forgetful").values.tolist()
    assert forgotten != before == learned.weigh(QUO_VADIS, s).values.tolist()


def test_a_broken_word_is_not_trusted_again() -> None:
    """The same promise is worth less to its receiver from who has broken one before."""
    values = []
    for broken in (0, 1):
        s = ready(3, start=0)
        put(s, G="012")
        s.fates[0, 1, 1] = broken
        play(s, "G>J(1); promise 0 1 support; ask")
        moves, worth = learned.weigh(QUO_VADIS, s, "")
        yes, no = (worth[moves.tolist().index(QUO_VADIS.notation.parse(s, word))] for word in ("yes", "no"))
        values.append(yes - no)
    assert values[1] < values[0]
