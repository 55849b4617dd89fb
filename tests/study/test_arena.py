"""Many games: the same results however they are cut up, fair seats, honest intervals."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pig import PIG
from rostra.bots import Bot, make_bot
from rostra.cli import main
from rostra.engine.game import WINNER, BadOption, Game
from rostra.engine.jit import Array, State
from rostra.engine.loops import THINKS
from rostra.games import GAMES
from rostra.games.alea import ALEA
from rostra.play.match import Match
from rostra.play.transcript import replay
from rostra.study import plots
from rostra.study.arena import CrossPlay, cross_play
from rostra.study.chunks import play_chunk
from rostra.study.simulate import seat_order, simulate, transcripts
from rostra.study.workers import _shared_name

RANDOM, GREEDY = make_bot("random"), make_bot("greedy")


@pytest.mark.slow
def test_results_do_not_depend_on_workers(game: Game, n_seats: int) -> None:
    bots = [GREEDY, *[RANDOM] * (n_seats - 1)]
    one = simulate(game, bots, 30, seed=4, rotate=True, workers=1)
    two = simulate(game, bots, 30, seed=4, rotate=True, workers=2)
    assert one.digest == two.digest
    assert one.decisions == two.decisions
    assert simulate(game, bots, 30, seed=5, rotate=True).digest != one.digest


def test_chunks_are_cut_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = simulate(ALEA, [RANDOM] * 3, 50, seed=2)
    monkeypatch.setattr("rostra.study.simulate.CHUNK", 7)
    assert simulate(ALEA, [RANDOM] * 3, 50, seed=2).digest == whole.digest


def test_digests_are_the_same_on_every_machine() -> None:
    """Pins the generator, the order of legal moves, the rules and the scoring at once."""
    found = {n: simulate(ALEA, [GREEDY, *[RANDOM] * (n - 1)], 40, seed=1).digest for n in range(2, 6)}
    assert found == PINNED


PINNED = {2: "9d717ec017d5b121", 3: "cff6b03d35963828", 4: "e5ef40f3f90619c4", 5: "b065091a2427e58f"}


@pytest.mark.slow
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
    monkeypatch.setattr("rostra.study.simulate.LOG_SIZE", 10)
    assert next(transcripts(simulation)).plies == whole.plies


@pytest.mark.slow
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


def crossed(bots: str, n_seats: int, blocks: int, game: Game = ALEA, **settings: Any) -> CrossPlay:
    return cross_play(game, [make_bot(name) for name in bots.split(",")], n_seats, blocks, **settings)


@pytest.mark.slow
def test_cross_play_does_not_depend_on_workers_and_its_controls_hold(game: Game, n_seats: int) -> None:
    one = crossed("greedy,random", n_seats, 11, game, seed=4, workers=1)
    two = crossed("greedy,random", n_seats, 11, game, seed=4, workers=2)
    assert one.document() == two.document()
    assert one.failures() == []
    assert all(mirror.exact and mirror.seconds > 0 for mirror in one.mirrors)


def test_another_seed_gives_other_results() -> None:
    one, same, other = (crossed("greedy,random", 2, 5, seed=seed).digest for seed in (1, 1, 2))
    assert one == same != other


def test_cross_play_is_made_of_simulated_games() -> None:
    """The same seeds and seat orders as `simulate`, both ways round."""
    found = crossed("greedy,random", 3, 12, seed=8)
    for bot, among in ((0, 1), (1, 0)):
        table = [found.bots[bot], found.bots[among], found.bots[among]]
        assert found.share(bot, among) == pytest.approx(simulate(ALEA, table, 12, seed=8, rotate=True).share(0))
    assert found.games == 12 * 3 * 2
    assert crossed("greedy,random", 2, 12).games == 12 * 2  # both ways round are the same games


def test_two_players_share_what_is_won() -> None:
    found = crossed("greedy,random,greedy", 2, 15)
    assert found.share(0, 1).mean + found.share(1, 0).mean == pytest.approx(1)
    assert found.share(0, 2) == (0.5, 0)
    assert found.labels == ["greedy", "random", "greedy (2)"]
    elo = [rating.elo for rating in found.ratings()]
    assert elo[0] == pytest.approx(elo[2])
    assert elo[0] > elo[1] + 200


def last_legal(game: Game, known: State, chance: Array) -> int:
    """A bot of somebody's own."""
    return game.legal_moves(known)[-1]


def test_cross_play_plays_the_bots_it_is_given() -> None:
    """A bot that no word names can be rated, and one that is called greedy is not replaced by ours."""
    mine, disguised = Bot("mine", THINKS, last_legal), Bot("greedy", THINKS, last_legal)
    found = cross_play(ALEA, [mine, RANDOM], 2, 5, seed=3)
    assert found.share(0, 1) == pytest.approx(simulate(ALEA, [mine, RANDOM], 5, seed=3, rotate=True).share(0))
    assert found.labels == ["mine", "random"]
    assert cross_play(ALEA, [disguised, RANDOM], 2, 5, seed=3).digest == found.digest
    assert cross_play(ALEA, [GREEDY, RANDOM], 2, 5, seed=3).digest != found.digest


def test_a_game_that_is_in_no_list_can_be_simulated_and_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(GAMES, PIG.name)
    assert simulate(PIG, [GREEDY, RANDOM, RANDOM], 20, workers=2).n_games == 20
    found = cross_play(PIG, [GREEDY, RANDOM], 2, 20, workers=2)
    assert found.failures() == []
    assert found.share(0, 1).mean > 0.6
    with pytest.raises(BadOption, match="Pig is not among the games of Rostra"):
        _shared_name(PIG)


@pytest.mark.slow
@pytest.mark.parametrize("n_seats", [2, 4])
def test_the_sequential_test_accepts_a_better_bot_and_rejects_an_equal_one(n_seats: int) -> None:
    better = crossed("greedy,random", n_seats, 200, bounds=(0, 20)).pairs[0]
    assert better.sprt is not None
    assert better.sprt.verdict == "accepted"
    assert len(better.shares) <= 50
    worse = crossed("random,greedy", n_seats, 200, bounds=(0, 20)).pairs[0]
    assert worse.sprt is not None
    assert worse.sprt.verdict == "rejected"
    equal = crossed("greedy,greedy", n_seats, 400, bounds=(0, 20)).pairs[0]
    assert equal.sprt is not None
    assert equal.sprt.verdict == "rejected"
    assert len(equal.shares) < 400
    assert equal.games == len(equal.shares) * n_seats * (1 if n_seats == 2 else 2)


def test_a_test_that_stops_early_does_not_depend_on_workers() -> None:
    one, two = (crossed("greedy,random", 2, 500, bounds=(0, 20), workers=workers) for workers in (1, 2))
    assert one.document() == two.document()
    assert one.games < 1000


def test_controls_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat that wins every game, whoever sits there and one time in two, is found out by both controls."""

    def rigged(chunk: Any) -> Any:
        played, names = play_chunk(chunk), [bot.name for bot in chunk.order]
        played.results[:, WINNER] = 0
        played.results[:, WINNER, names.index("random") if "random" in names else 0] = 1
        if len(set(names)) == 1:
            turns.append(0)
            played.results[:, WINNER] = [1, 0] if len(turns) % 2 else [0, 1]
        return played

    turns: list[int] = []
    monkeypatch.setattr("rostra.study.workers.play_chunk", rigged)
    failures = crossed("greedy,random", 2, 10).failures()
    assert len(failures) == 3
    assert failures[0] == "greedy among its own copies won 100.0 % instead of 50.0 %"
    assert failures[2] == "greedy among random won 0.0 %, no more than its fair share"


def test_progress_tells_games_and_the_running_interval() -> None:
    heard: list[tuple[int, int, str]] = []
    found = crossed("greedy,random", 3, 25, progress=lambda *told: heard.append(told))
    assert [played for played, _, _ in heard] == sorted({played for played, _, _ in heard})
    played, total, text = heard[-1]
    assert played == total > found.games
    share = found.share(0, 1)
    assert share.half is not None
    assert text == f"greedy among random {100 * share.mean:.1f} +-{100 * share.half:.1f} %"


def test_the_arena_prints_and_writes_its_results(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = "arena alea --seats 2 --bots greedy,random --blocks 20 --seed 3 --sprt 0,20 --out".split()
    assert main([*line, str(tmp_path / "one")]) == 0
    printed = capsys.readouterr().out
    assert "greedy better than random by 20 Elo, not 0: accepted" in printed
    assert "2 of 2 bots exactly even among their own copies" in printed
    assert main([*line, str(tmp_path / "two"), "--workers", "1", "--json"]) == 0
    results = json.loads(capsys.readouterr().out)
    assert results == json.loads((tmp_path / "one" / "results.json").read_text(encoding="utf-8"))
    assert results["digest"] in printed
    assert results["ratings"][0]["low"] < results["ratings"][0]["elo"] < results["ratings"][0]["high"]
    assert (tmp_path / "one" / "results.json").read_bytes() == (tmp_path / "two" / "results.json").read_bytes()


def test_plots_are_pictures_and_the_same_every_time(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots are an extra")
    results = crossed("greedy,random", 2, 10).document()
    files = [*plots.draw_matrix(results, tmp_path), *plots.draw_ratings(results, tmp_path)]
    first = [file.read_bytes() for file in files]
    for file, content in zip(files, first, strict=True):
        assert content.startswith(b"\x89PNG" if file.suffix == ".png" else b"<?xml")
    assert first == [
        file.read_bytes() for file in (*plots.draw_matrix(results, tmp_path), *plots.draw_ratings(results, tmp_path))
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--seats 2 --bots greedy", "at least two bots, not 1"),
        ("--seats 2 --bots greedy,gredy", "no bot 'gredy' (did you mean 'greedy'?)"),
        ("--seats 6 --bots greedy,random", "2 to 5 players, not 6"),
        ("--seats 2 --bots greedy,random --blocks 0", "the number of blocks is at least 1, not 0"),
        ("--seats 2 --bots greedy,random --workers 0", "workers is at least 1"),
        ("--seats 2 --bots greedy,random --sprt 20", "such as 0,20, not '20'"),
        ("--seats 2 --bots greedy,random --sprt 20,0", "the lower one first, not 20,0"),
        ("--seats 2 --bots greedy,random --sprt 0,inf", "the lower one first, not 0,inf"),
        ("--seats 2 --bots greedy,random --option latrina=on", "no option 'latrina'"),
        ("--seats 2 --bots greedy,random --out /dev/null/x", "cannot make the folder"),
    ],
)
def test_wrong_arenas_are_refused(capsys: pytest.CaptureFixture[str], line: str, message: str) -> None:
    try:
        code = main(["arena", "alea", *line.split()])
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    assert code == 2
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_ray_gives_the_same_results() -> None:
    """A cluster of processes, which get bots as they are and load rules and weights themselves."""
    bots = [
        GREEDY,
        RANDOM,
        make_bot("learned"),
        Bot("mine", THINKS, lambda game, known, chance: game.legal_moves(known)[-1]),
    ]
    here, there = (cross_play(ALEA, bots, 2, 11, seed=2, workers=n, ray=ray) for n, ray in ((1, None), (2, "local")))
    assert there.document() == here.document()


@pytest.mark.slow
def test_the_sequential_test_on_ray_accepts_a_better_bot_and_rejects_an_equal_one() -> None:
    there = crossed("greedy,random,greedy", 2, 200, bounds=(0, 20), workers=2, ray="local")
    verdicts = {(pair.a, pair.b): pair.sprt.verdict for pair in there.pairs if pair.sprt}
    assert verdicts == {(0, 1): "accepted", (0, 2): "rejected", (1, 2): "rejected"}
    assert all(len(pair.shares) < 200 for pair in there.pairs)
    assert there.document() == crossed("greedy,random,greedy", 2, 200, bounds=(0, 20)).document()


def test_a_ray_cluster_that_does_not_answer_is_named() -> None:
    with pytest.raises(BadOption, match=r"no Ray cluster answers at '127\.0\.0\.1:1'"):
        crossed("greedy,random", 2, 30, ray="127.0.0.1:1")


def test_without_ray_the_arena_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r"pip install 'rostra\[ray\]'"):
        crossed("greedy,random", 2, 30, ray="local")
