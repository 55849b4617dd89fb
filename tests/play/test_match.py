"""Matches: one door for moves, seats checked, taking back, what each seat may read."""

import json
import random
from collections.abc import Sequence

import msgspec
import pytest

from rostra.engine.game import (
    WATCHER,
    BadNotation,
    BadOption,
    Game,
    IllegalMove,
    MatchOver,
    NotYourTurn,
    RostraError,
    digest,
)
from rostra.play.match import Match
from rostra.play.transcript import GameEnd, Ply, Undo, read, replay, write


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


class Dice:
    """Chance from (epoch, ply), and a note of what was asked for."""

    compiled = None

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def outcome(self, pool: int | Sequence[str], epoch: int, ply: int) -> str:
        self.asked.append((epoch, ply))
        chance = random.Random(100 * ply + epoch)
        if isinstance(pool, int):
            return "=" + "".join(sorted(chance.choices("123456", k=pool)))
        return chance.choice(pool)


def test_dice_are_asked_for_every_chance_ply_and_anew_after_an_undo() -> None:
    dice = Dice()
    match = Match("alea", 3, dice=dice)
    while len(match.log) < 60:
        match.play(match.legal()[0])
    assert dice.asked == [(0, ply.number) for ply in match.log if ply.seat is None]
    before = list(match.log)
    new = match.undo(1)
    assert match.epoch == 1
    assert match.log == before[:1] + new
    assert [(1, ply.number) for ply in new] == dice.asked[-len(new) :]
    assert new != before[1 : 1 + len(new)]
    with pytest.raises(BadOption, match="from a seed or from dice, not from both"):
        Match("alea", 3, seed=1, dice=dice)


def test_play_returns_the_new_plies(game: Game, n_seats: int) -> None:
    match = Match(game, n_seats, seed=8)
    chooser = random.Random(2)
    while not match.over:
        first, seat, move = len(match.log), match.turn, chooser.choice(match.legal())
        new = match.play(move, seat)
        assert new == match.log[first:]
        assert new[0] == (first, seat, move, 0)
        assert all(ply.seat is None for ply in new[1:])


def test_legal_texts_are_those_of_each_move_as_the_state_is_now(game: Game, n_seats: int) -> None:
    match = Match(game, n_seats, seed=3)
    chooser = random.Random(4)
    while texts := match.legal():
        assert texts == [game.text(match.state, move) for move in game.legal_moves(match.state)]
        texts.clear()  # the caller's own list
        match.play(chooser.choice(match.legal()))
    table = Match("alea", 2, {"start_seat": "0"}, seed=3)
    assert not any(text.startswith("R") for text in table.legal())
    table.state.chips[0] = 1
    assert any(text.startswith("R") for text in table.legal())


def test_a_view_is_the_callers_own(game: Game, n_seats: int) -> None:
    match = Match(game, n_seats, seed=6)
    before = [match.view(seat) for seat in (None, *range(n_seats))]
    for seen in before:
        for part in seen.values():
            if isinstance(part, list | dict):
                part.clear()
        seen.clear()
    assert match.view(0) == json.loads(msgspec.json.encode(game.view(match.state, 0)))
    with pytest.raises(BadOption, match="the seats are 0 to"):
        match.view(n_seats)


def test_only_a_whole_text_of_the_list_is_a_move() -> None:
    match = Match("alea", 2, seed=3)
    first, second = match.legal()[:2]
    for wrong in (",", '","', f'{first}","{second}', f'{first}"', "", "[", first[:-1], "\ud800", "é"):
        match.legal()
        with pytest.raises(RostraError, match="legal: "):
            match.play(wrong)
    match.undo(0)
    assert match.play(second)[0].move == second


def test_another_spelling_enters_the_log_in_the_canonical_one() -> None:
    match = Match("alea", 4, {"start_seat": "0"})
    match.replay(["=s0", *(f"={tile}" for tile in "R3 O4 Y1 G2 Rw1 Rm2 Ow3 Ym1 Gw2 Bm3".split()), "=11223344"])
    match.play("T1")
    match.replay(["=1", "=11233456"])
    assert "T34" not in match.legal()
    assert [ply.move for ply in match.play("T34")] == ["T16"]


def test_a_stored_log_is_replayed_without_drawing(game: Game, n_seats: int) -> None:
    match = finished(game, n_seats)
    match.undo(len(match.log) // 2)
    dice = Dice()
    loaded = Match(game, n_seats, dice=dice, rolls=False)
    assert loaded.log == []
    for event in match.events:
        if isinstance(event, Ply):
            loaded.replay([event.move])
        elif isinstance(event, Undo):
            loaded.undo(event.ply, rolls=False)
    assert (loaded.events, loaded.log, loaded.epoch) == (match.events, match.log, 1)
    assert digest(loaded.state) == digest(match.state)
    assert dice.asked == []
    for seat in (None, *range(n_seats)):
        assert loaded.seen(seat) == match.seen(seat)
    loaded.play(loaded.legal()[0])  # and goes on with its own dice
    assert all(epoch == 1 for epoch, _ in dice.asked)
    with pytest.raises(RostraError, match=f"ply {len(loaded.log)}: "):
        loaded.replay(["nonsense"])


def test_undone_plies_stay_in_the_transcript() -> None:
    match = Match("quovadis", 3, {"consul_election": "on", "stall_rounds": "1"}, seed=6)
    chooser = random.Random(7)

    def play_on() -> None:
        while not match.over:
            match.play(chooser.choice(match.legal()))

    play_on()
    played = list(match.log)
    match.undo(len(played) // 2)
    match.undo(9)
    play_on()
    assert [event for event in match.events if isinstance(event, Undo)] == [Undo(len(played) // 2), Undo(9)]
    assert match.events[: len(played) // 2] == played[: len(played) // 2]
    assert sum(isinstance(event, GameEnd) for event in match.events) == 6  # three in each of two lines of play
    run = replay(read(write(match.transcript())))
    assert len(list(run)) > len(match.log)
    assert digest(run.state) == digest(match.state)


@pytest.mark.parametrize("n_seats", [2, 4])
def test_what_a_seat_may_not_see_stays_hidden_until_the_end(n_seats: int) -> None:
    match = Match("alea", n_seats, seed=12)
    chooser = random.Random(5)
    hidden = []  # by event: from whom
    s = match.game.new(n_seats)
    while not match.over:
        for ply in [*match.log[len(hidden) :]]:
            move = match.game.parse(s, ply.move)
            viewers = [None] if match.game.hides(s, move, WATCHER) else []
            viewers += [viewer for viewer in range(n_seats) if match.game.hides(s, move, viewer)]
            hidden.append(viewers)
            match.game.apply(s, move)
        if match.state.set == 4:
            break
        match.play(chooser.choice(match.legal()))
    assert sum(map(bool, hidden)) > 5
    match.undo(30)
    for viewer in (None, *range(n_seats)):
        seen = match.seen(viewer)
        assert [move[1:] == "?" for _, _, move, _ in seen[: len(hidden)]] == [viewer in who for who in hidden]
        assert match.seen(viewer, 40) == seen[40:]
        assert list(match.transcript(viewer).events) == seen
        assert list(match.transcript(viewer, secrets=True).events) == match.events
    while not match.over:
        match.play(match.legal()[0])
    assert match.seen(None) == list(match.transcript(0).events) == match.events
    with pytest.raises(BadOption, match="the seats are 0 to"):
        match.seen(n_seats)


def test_views_of_one_position_do_not_mix() -> None:
    match = Match("quovadis", 3, seed=2)
    while not any(match.state.hands.sum(axis=1)):
        match.play(match.legal()[0])
    for seat in (0, 1, None, 0):
        seen = match.view(seat)
        assert [player["hand"] is not None for player in seen["players"]] == [other == seat for other in range(3)]
        assert seen["seat"] == seat
        seen["seat"] = "changed"


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
