"""Matches: one door for moves, seats checked, taking back, what each seat may read."""

import random

import pytest

from rostra.game import BadNotation, BadOption, Game, IllegalMove, MatchOver, NotYourTurn, RostraError
from rostra.match import Match
from rostra.transcript import read, replay, write


def finished(game: str | Game, n_seats: int) -> Match:
    match = Match(game, n_seats, seed=5)
    chooser = random.Random(1)
    while not match.over:
        match.play(chooser.choice(match.legal()))
    return match


def test_a_seeded_match_plays_to_the_end(game: Game, n_seats: int) -> None:
    match = finished(game, n_seats)
    result = match.result()
    assert result is not None
    assert result.end in game.ends
    assert match.legal() == []
    assert match.turn is None
    with pytest.raises(MatchOver):
        match.play("roll")
    assert len(list(replay(read(write(match.transcript()))))) == len(match.log)


def test_the_same_seed_gives_the_same_match(game: Game, n_seats: int) -> None:
    assert finished(game, n_seats).log == finished(game, n_seats).log


def test_without_a_seed_the_caller_plays_the_dice() -> None:
    match = Match("alea", ["A", "B"], {"start_seat": "1"})
    assert match.turn is None
    assert match.legal() == ["=s1"]
    match.play("=s1")
    assert "=R1" in match.legal()


def test_a_wrong_seat_or_move_changes_nothing() -> None:
    match = Match("alea", 3, {"start_seat": "0"}, seed=1)
    before = list(match.log)
    with pytest.raises(NotYourTurn, match=r"seat 2 cannot move: seat 0 \(Antonius\) is to move"):
        match.play(match.legal()[0], seat=2)
    with pytest.raises(IllegalMove, match="legal: "):
        match.play("+R3", seat=0)
    with pytest.raises(BadNotation, match="legal: "):
        match.play("nonsense", seat=0)
    assert match.log == before
    match.play(match.legal()[0], seat=0)
    assert len(match.log) > len(before)


def test_undo_replays_the_log() -> None:
    match = finished("alea", 2)
    log = list(match.log)
    chance = next(ply.number for ply in log[40:] if ply.seat is None)
    match.undo(chance)
    assert match.log[: chance + 1] == log[: chance + 1]  # with a seed chance happens by itself, as it did
    assert match.turn is not None
    for ply in log[chance:]:
        if len(match.log) <= ply.number:
            match.play(ply.move)
    assert match.log == log
    with pytest.raises(RostraError, match="cannot go back to ply 9999"):
        match.undo(9999)


def test_seats_are_a_number_or_names() -> None:
    assert Match("alea", ["Livia", "Nero"]).names == ["Livia", "Nero"]
    with pytest.raises(BadOption, match="2 to 5 players, not 6"):
        Match("alea", 6)
    for wrong in ("Livia", 2.0, None, [1, 2]):
        with pytest.raises(BadOption, match="a number or a list of names"):
            Match("alea", wrong)
    for seed in (-1, 1.5, "x", 2**62):
        with pytest.raises(BadOption, match="the seed is a whole number"):
            Match("alea", 2, seed=seed)
    with pytest.raises(BadOption, match="the seats are 0 to 1, not 9"):
        Match("alea", 2).view(9)
    with pytest.raises(BadNotation, match="a move is a text, not 5"):
        Match("alea", 2).play(5)
    with pytest.raises(BadOption, match="no game 5"):
        Match(5)
    with pytest.raises(BadOption, match="no game 'chess'"):
        Match("chess", 2)
