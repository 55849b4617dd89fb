"""Many games: the same results however they are cut up, fair seats, honest intervals."""

import numpy as np
import pytest

from rostra.arena import seat_order, simulate, transcripts
from rostra.bots import make_bot
from rostra.game import WINNER, BadOption, Game
from rostra.games.alea import ALEA
from rostra.match import Match
from rostra.transcript import replay

RANDOM, GREEDY = make_bot("random"), make_bot("greedy")


def test_results_do_not_depend_on_workers(game: Game, n_seats: int) -> None:
    bots = [GREEDY, *[RANDOM] * (n_seats - 1)]
    one = simulate(game, bots, 30, seed=4, rotate=True, workers=1)
    two = simulate(game, bots, 30, seed=4, rotate=True, workers=2)
    assert one.digest == two.digest
    assert one.decisions == two.decisions
    assert simulate(game, bots, 30, seed=5, rotate=True).digest != one.digest


def test_chunks_are_cut_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = simulate(ALEA, [RANDOM] * 3, 50, seed=2)
    monkeypatch.setattr("rostra.arena.CHUNK", 7)
    assert simulate(ALEA, [RANDOM] * 3, 50, seed=2).digest == whole.digest


def test_digests_are_the_same_on_every_machine() -> None:
    """Pins the generator, the order of legal moves, the rules and the scoring at once."""
    found = {n: simulate(ALEA, [GREEDY, *[RANDOM] * (n - 1)], 40, seed=1).digest for n in range(2, 6)}
    assert found == PINNED


PINNED = {2: "9d717ec017d5b121", 3: "cff6b03d35963828", 4: "e5ef40f3f90619c4", 5: "b065091a2427e58f"}


def test_a_mirror_match_is_exactly_even(game: Game, n_seats: int) -> None:
    simulation = simulate(game, [GREEDY] * n_seats, 10, seed=3, rotate=True)
    for rotation in range(1, n_seats):
        assert np.array_equal(simulation.results[0], simulation.results[rotation])
    shares = [simulation.share(player) for player in range(n_seats)]
    assert {round(share.mean, 12) for share in shares} == {round(1 / n_seats, 12)}
    assert all(share.half is not None and share.half < 1e-12 for share in shares)


def test_rotation_moves_bots_and_keeps_dice() -> None:
    bots = [GREEDY, RANDOM, RANDOM]
    assert [bot.name for bot in seat_order(bots, 1)] == ["random", "greedy", "random"]
    simulation = simulate(ALEA, bots, 2, seed=3, rotate=True)
    games = list(transcripts(simulation))
    assert [t.seats.index("greedy") for t in games] == [0, 1, 2, 0, 1, 2]
    first_rolls = {t.plies[9].move for t in games[:3]}
    assert len(first_rolls) == 1


def test_kept_transcripts_have_the_results_of_the_simulation() -> None:
    simulation = simulate(ALEA, [GREEDY, RANDOM], 3, seed=6, rotate=True)
    for index, transcript in enumerate(transcripts(simulation)):
        game, rotation = divmod(index, 2)
        assert transcript.result is not None
        points, tiebreak, winners = simulation.results[rotation, game].tolist()
        assert transcript.result.points == points
        assert transcript.result.tiebreak == tiebreak
        assert transcript.result.winners == [seat for seat in range(2) if winners[seat]]
        assert sum(1 for _ in replay(transcript)) == len(transcript.plies)


def test_long_games_are_logged_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = simulate(ALEA, [RANDOM] * 2, 1)
    whole = next(transcripts(simulation))
    monkeypatch.setattr("rostra.arena.LOG_ROOM", 10)
    assert next(transcripts(simulation)).plies == whole.plies


def test_greedy_beats_random_at_every_table(game: Game, n_seats: int) -> None:
    share = simulate(game, [GREEDY, *[RANDOM] * (n_seats - 1)], 60, seed=1, rotate=True).share(0)
    assert share.half is not None
    assert share.mean - share.half > 1 / n_seats


def test_shared_wins_are_shared() -> None:
    simulation = simulate(ALEA, [RANDOM] * 5, 200, seed=12)
    total = sum(simulation.share(player).mean for player in range(5))
    assert total == pytest.approx(1)
    assert (simulation.results[0, :, WINNER].sum(axis=1) >= 1).all()


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(BadOption, match="at least 1, not 0"):
        simulate(ALEA, [RANDOM] * 2, 0)
    with pytest.raises(BadOption, match="seed is a whole number from 0"):
        simulate(ALEA, [RANDOM] * 2, 1, seed=-1)
    with pytest.raises(BadOption, match="2 to 5 players, not 6"):
        simulate(ALEA, [RANDOM] * 6, 1)
    with pytest.raises(BadOption, match=r"no bot 'gredy' \(did you mean 'greedy'\?\)"):
        make_bot("gredy")


def test_a_match_and_a_simulation_share_their_rules() -> None:
    transcript = next(transcripts(simulate(ALEA, [RANDOM] * 2, 1, seed=9)))
    match = Match("alea", 2)
    for ply in transcript.plies:
        match.play(ply.move, seat=ply.seat)
    assert match.result() == transcript.result
