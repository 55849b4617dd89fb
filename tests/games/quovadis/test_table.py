"""What is shown at a table of Quo Vadis?, what simulations count, and that its bots really negotiate."""

import json
from typing import Any

import pytest

from conftest import walk
from rostra.bots import make_bot
from rostra.engine.game import OVER, copy
from rostra.engine.rng import generator
from rostra.games.quovadis import QUO_VADIS
from rostra.games.quovadis.tables import COMMITTEES
from rostra.play.transcript import Ply, read, replay, write
from rostra.study.simulate import simulate, transcripts

GREEDY, SILENT, RANDOM = make_bot("greedy"), make_bot("greedy:deals=off"), make_bot("random")


def another_hand(s: Any, seat: int) -> Any:
    """A world in which two others have swapped laurels of the same number of tiles."""
    world = copy(s)
    one, two = [other for other in range(s.n) if other != seat][:2]
    for low in range(4):
        if world.hands[one, low] and world.hands[two, low + 1]:
            world.hands[one, low] -= 1
            world.hands[two, low] += 1
            world.hands[two, low + 1] -= 1
            world.hands[one, low + 1] += 1
            return world
    return None


@pytest.mark.parametrize("n_seats", [3, 4, 5])
def test_q_hid_1_others_laurels_are_shown_only_as_a_number(n_seats: int) -> None:
    compared = 0
    for options in ({}, {"show_hands": "on"}):
        for s, _ in walk(QUO_VADIS, n_seats, 2, options):
            world = another_hand(s, 0)
            if world is None or QUO_VADIS.rules.turn(s) == OVER:
                continue
            shown = [
                (json.dumps(QUO_VADIS.screen.view(state, 0)), QUO_VADIS.screen.diagram(state, 0))
                for state in (s, world)
            ]
            assert (shown[0] == shown[1]) == (not options)
            assert QUO_VADIS.screen.view(s, 0)["players"][0]["points"] is not None
            compared += 1
    assert compared > 20


def test_a_watcher_sees_no_hand() -> None:
    for s, move in walk(QUO_VADIS, 3, 4):
        players = QUO_VADIS.screen.view(s, None)["players"]
        assert all((player["points"] is None) == (move >= 0) for player in players)


@pytest.mark.slow
def test_greedy_bots_negotiate_and_gain_by_it() -> None:
    """Paired by seed and seat: the same bots with deals switched off do worse against the same field."""
    talking = simulate(QUO_VADIS, [GREEDY, GREEDY, RANDOM, RANDOM], 40, seed=1, rotate=True)
    silent = simulate(QUO_VADIS, [SILENT, SILENT, RANDOM, RANDOM], 40, seed=1, rotate=True)
    wins = [sum(one.share(player).mean for player in (0, 1)) for one in (talking, silent)]
    assert wins[0] > 0.8
    assert wins[0] - wins[1] > 0.1
    counted = talking.counted()
    assert counted["deals asked"].mean > counted["deals carried out"].mean > 5
    assert counted["laurels given"].mean > 1
    assert counted["promises kept"].mean > 0


def test_a_silent_bot_makes_no_deals() -> None:
    counted = simulate(QUO_VADIS, [SILENT] * 3, 10, seed=1, options={"stall_rounds": "3"}).counted()
    assert counted["deals asked"].mean == 0
    assert counted["laurels given"].mean == 0


def test_who_pays_and_promises_beats_who_only_asks_and_games_do_not_stall() -> None:
    best, asker = make_bot("learned"), make_bot("learned:asker")
    result = simulate(QUO_VADIS, [best, asker, asker], 8, seed=1, rotate=True)
    assert result.share(0).mean > 0.45  # fair is a third
    counted = result.counted()
    assert counted["deals carried out"].mean > 10
    assert counted["stalled"].mean < 0.1


def test_q_var_2_bots_play_with_open_hands_and_their_games_replay() -> None:
    options = {"open_hands": "on"}
    bots = [make_bot("learned:forgetful"), make_bot("greedy"), make_bot("learned")]
    for game in transcripts(simulate(QUO_VADIS, bots, 3, seed=2, options=options), options):
        shows = [event.seat for event in game.events if isinstance(event, Ply) and event.move == "show"]
        assert shows == [0, 0, 0]  # who forgets demands it after each early arrival, nobody else does
        replayed = replay(read(write(game)))
        assert [step.ply.seat for step in replayed if step.ply.move == "show"] == shows


def test_q_var_2_a_bot_at_a_live_table_answers_by_itself() -> None:
    s = QUO_VADIS.new(3, {"open_hands": "on", "start_seat": "0"})
    for text in "=s0 =3 =3 =3 =3 =4 =4 =4 =5 =5 =5".split():
        QUO_VADIS.rules.apply(s, QUO_VADIS.notation.parse(s, text))
    s.board[COMMITTEES.index("J"), 0], s.off[0] = 1, 7
    QUO_VADIS.rules.apply(s, QUO_VADIS.notation.parse(s, "J>S"))
    for bot, says in (("greedy", "pass"), ("learned", "pass"), ("learned:forgetful", "show"), ("deep:10", "pass")):
        move = QUO_VADIS.desk.act(make_bot(bot), QUO_VADIS, s, generator(1))
        assert QUO_VADIS.notation.text(s, move) == says
    assert QUO_VADIS.notation.text(s, QUO_VADIS.desk.act(RANDOM, QUO_VADIS, s, generator(1))) in ("pass", "show")
