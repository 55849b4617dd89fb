"""What must hold for every game: the contract of `Game`, along random games of every number of players."""

import json
import math
import random
import re

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import walk
from rostra.bots import make_bot
from rostra.engine import rng
from rostra.engine.game import (
    CHANCE,
    OVER,
    BadNotation,
    BadOption,
    Game,
    IllegalMove,
    MatchOver,
    RostraError,
    copy,
    digest,
)

SEEDS = range(3)


def test_legal_moves_are_sorted_unique_and_never_missing(game: Game, n_seats: int) -> None:
    for seed in SEEDS:
        for s, move in walk(game, n_seats, seed):
            moves = game.legal_moves(s)
            if move < 0:
                assert game.turn(s) == OVER
                break
            assert moves == sorted(set(moves))
            assert 0 < len(moves) <= game.max_legal
            decision = game.turn(s) != CHANCE
            assert all((0 <= m < game.n_decisions) == decision for m in moves)
            assert moves[-1] < game.n_decisions + game.n_outcomes


def test_invariants_hold_and_legal_changes_nothing(game: Game, n_seats: int) -> None:
    for seed in SEEDS:
        for s, move in walk(game, n_seats, seed):
            before = digest(s)
            game.check(s)
            if move >= 0:
                game.legal_moves(s)
                game.view(s, 0)
                game.diagram(s, None)
                game.paths(s)
                game.explain(s, move)
            out = np.zeros((3, n_seats), np.int32)
            game.score(s, out)
            game.stream(s)
            assert digest(s) == before


def test_odds_of_all_outcomes_sum_to_one(game: Game, n_seats: int) -> None:
    for s, move in walk(game, n_seats, 1):
        if move >= 0 and game.turn(s) == CHANCE:
            assert math.isclose(sum(game.odds(s, m) for m in game.legal_moves(s)), 1, abs_tol=1e-12)


def test_draws_follow_the_odds(game: Game, n_seats: int) -> None:
    """A chi-squared test at the first few chance events with few outcomes, generous: it fails once in a million."""
    generator = rng.generator(9)
    tested = 0
    for s, move in walk(game, n_seats, 2):
        outcomes = game.legal_moves(s) if move >= 0 and game.turn(s) == CHANCE else []
        if not 2 <= len(outcomes) <= 60 or tested == 4:
            continue
        drawn = [game.draw(s, generator) for _ in range(4000)]
        assert set(drawn) <= set(outcomes)
        expected = np.array([4000 * game.odds(s, m) for m in outcomes])
        found = np.array([drawn.count(m) for m in outcomes])
        freedom = len(outcomes) - 1
        assert ((found - expected) ** 2 / expected).sum() < freedom + 5 * math.sqrt(2 * freedom) + 15
        tested += 1


def test_texts_are_read_back(game: Game, n_seats: int) -> None:
    for seed in SEEDS:
        for s, move in walk(game, n_seats, seed):
            if move >= 0:
                moves = game.legal_moves(s)
                for one in moves if len(moves) < 60 else [move]:
                    assert game.parse(s, game.text(s, one)) == one
                if len(moves) < 60:
                    assert len({game.text(s, one) for one in moves}) == len(moves)


def test_views_can_be_sent_as_json(game: Game, n_seats: int) -> None:
    for s, _ in walk(game, n_seats, 7):
        for seat in (None, *range(n_seats)):
            seen = game.view(s, seat)
            assert json.loads(msgspec.json.encode(seen)) == seen == json.loads(json.dumps(seen))


def test_paths_are_told_apart(game: Game, n_seats: int) -> None:
    """No two moves share a path, so a row of clicks means one move."""
    for s, move in walk(game, n_seats, 3):
        if move >= 0 and game.turn(s) != CHANCE:
            seen: dict[tuple[str, ...], int] = {}
            for one, paths in zip(game.legal_moves(s), game.paths(s), strict=True):
                assert paths
                for path in paths:
                    assert seen.setdefault(path, one) == one


def test_a_finished_game_takes_no_move(game: Game, n_seats: int) -> None:
    for s, move in walk(game, n_seats, 0):
        if move < 0:
            with pytest.raises(MatchOver):
                game.parse(s, "anything")
            assert game.end(s) in game.ends


def test_copies_are_independent(game: Game, n_seats: int) -> None:
    s = game.new(n_seats)
    other = copy(s)
    game.apply(other, game.legal_moves(other)[0])
    assert digest(s) != digest(other)
    assert digest(s) == digest(game.new(n_seats))


def test_observations_have_the_size_of_their_planes(game: Game, n_seats: int) -> None:
    for s, _ in walk(game, n_seats, 4):
        for seat in range(n_seats):
            out = np.full(game.observation_size + 1, np.nan, np.float32)
            game.observe(s, seat, out[:-1])
            assert np.isfinite(out[:-1]).all()
            assert np.isnan(out[-1])
            assert np.abs(out[:-1]).max() <= 4


def test_streams_do_not_repeat_within_a_game(game: Game, n_seats: int) -> None:
    names = [game.stream(s) for s, move in walk(game, n_seats, 5) if move >= 0 and game.turn(s) == CHANCE]
    assert len(set(names)) == len(names)
    assert min(names) >= 0


def test_what_chance_brings_does_not_depend_on_what_was_played() -> None:
    """Alea: in games of one seed, played differently, the same tiles and senate cards come in the same order."""
    from rostra.games.alea import ALEA
    from rostra.play.match import Match

    found = []
    for player in range(6):
        chooser = random.Random(player)
        match = Match(ALEA, 4, {"start_seat": "0"}, seed=4)
        while not match.over and match.state.set == 0:
            match.play(chooser.choice(match.legal()))
        found.append([ply.move for ply in match.log if re.match(r"=[A-Z]", ply.move)])
    cards = [[move for move in moves if re.match(r"=[IVX]+($|:)", move)][:3] for moves in found]
    dealt = [hand for hand in cards if hand]
    assert len(dealt) > 1
    assert all(hand == dealt[0] for hand in dealt)
    assert all(moves[:10] == found[0][:10] for moves in found)


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_bots_play_legal_moves_to_the_end(game: Game, n_seats: int, bot: str) -> None:
    player, generator = make_bot(bot), rng.generator(3)
    s = game.new(n_seats)
    for _ in range(120):
        turn = game.turn(s)
        if turn == OVER:
            break
        move = game.draw(s, generator) if turn == CHANCE else player.choose(game, s, generator)
        assert move in game.legal_moves(s)
        game.apply(s, move)


def test_wrong_seats_and_options_are_refused(game: Game, n_seats: int) -> None:
    for wrong in (game.seats[0] - 1, game.seats[1] + 1, -1, 100):
        with pytest.raises(BadOption, match=f"{game.seats[0]} to {game.seats[1]} players"):
            game.new(wrong)
    with pytest.raises(BadOption, match=r"did you mean 'start_seat'"):
        game.new(n_seats, {"start_set": "0"})
    with pytest.raises(BadOption, match="start_seat is one of"):
        game.new(n_seats, {"start_seat": "nobody"})
    if n_seats < game.seats[1]:
        with pytest.raises(BadOption, match="the seats are 0 to"):
            game.new(n_seats, {"start_seat": str(n_seats)})


@settings(max_examples=150, deadline=None)
@given(
    data=st.data(),
    written=st.one_of(
        st.text(max_size=12),
        st.from_regex(r"[=+TSCFLRKs][0-9A-Za-z:?]{0,9}", fullmatch=True),
        st.from_regex(r"(give|promise|then|[@A-N]>)[ 0-9@>()A-Sa-z,-]{0,14}", fullmatch=True),
    ),
)
def test_fuzzed_moves_raise_only_our_errors(data: st.DataObject, written: str) -> None:
    from rostra.games import GAMES

    game = data.draw(st.sampled_from(sorted(GAMES.values(), key=lambda g: g.name)))
    stop = data.draw(st.integers(0, 150))
    for ply, (s, move) in enumerate(walk(game, game.seats[1], 6)):
        if ply == stop or move < 0:
            try:
                assert game.parse(s, written) in game.legal_moves(s)
            except (BadNotation, IllegalMove, MatchOver) as error:
                assert isinstance(error, RostraError)
                assert str(error)
            break
