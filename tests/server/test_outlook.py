"""What the browser requests after every update: positions with their outlook, and moves with their effects."""

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from rostra.engine import rng
from rostra.engine.game import CHANCE, OVER, Game
from rostra.games import GAMES
from rostra.games.alea import shapes as alea
from rostra.games.quovadis import shapes as quovadis
from rostra.play.match import Match
from rostra.play.transcript import Transcript, read
from rostra.server import entries, guard, schema, seen
from rostra.server.settings import Settings
from rostra.server.store import MatchRow
from rostra.server.table import Table

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
VIEW = {"alea": alea.AleaView, "quovadis": quovadis.QuoVadisView}
OUTLOOK = {"alea": alea.AleaOutlook, "quovadis": quovadis.QuoVadisOutlook}
EFFECT = {"alea": alea.AleaEffect, "quovadis": quovadis.QuoVadisEffect}


def check_shape(data: Any, shape: Any) -> None:
    """Whether data, as it is sent, has this shape and no key that the shape does not know, however deep."""
    sent = msgspec.json.encode(data)
    read_back = msgspec.json.encode(msgspec.json.decode(sent, type=shape))  # it passes over keys it does not know
    assert json.loads(read_back) == json.loads(sent)


@pytest.mark.parametrize(
    "wrong",
    [{"provinces": 1}, {"provinces": ["R3"]}, {"provinces": ["R3"], "patricians": [], "more": 1}, []],
)
def test_a_wrong_shape_is_found(wrong: Any) -> None:
    check_shape({"provinces": ["R3"], "patricians": []}, alea.AleaTiles)
    with pytest.raises((msgspec.ValidationError, AssertionError)):
        check_shape(wrong, alea.AleaTiles)
    with pytest.raises((msgspec.ValidationError, AssertionError)):
        check_shape([{"dice": wrong}], list[dict[str, alea.AleaTiles]])


@pytest.mark.parametrize(
    ("name", "n_seats", "options"),
    [
        ("alea", 2, {}), ("alea", 4, {"voluntary_latrina": "on"}), ("alea", 5, {}),
        ("quovadis", 3, {"open_hands": "on"}), ("quovadis", 4, {"consul_election": "on", "stall_rounds": "2"}),
        ("quovadis", 5, {"show_hands": "on", "caesar_frees": "committee"}),
    ],
)  # fmt: skip
def test_what_is_told_has_the_shapes_that_the_browser_knows(name: str, n_seats: int, options: dict[str, str]) -> None:
    game = GAMES[name]
    s = game.new(n_seats, options)
    chance = rng.generator(n_seats)
    out = np.empty(game.rules.max_legal, np.int32)
    effects = turns = 0
    phases = set()
    while (turn := game.rules.turn(s)) != OVER:
        turns += 1
        move = game.rules.draw(s, chance) if turn == CHANCE else game.play.random_move(s, out, chance)
        view = game.screen.view(s, None)
        new = view["phase"] not in phases
        phases.add(view["phase"])
        if new or turns % 2 == 0:
            check_position(game, s, n_seats)
        if turn != CHANCE and (new or turns % 2 == 0):
            for one in game.legal_moves(s)[:: 1 if new else 3]:
                effect = game.screen.effect(s, one)
                check_shape(effect, EFFECT[name])
                effects += bool(effect)
        game.rules.apply(s, move)
    check_position(game, s, n_seats)
    assert effects > 20 and len(phases) >= 8


def check_position(game: Game, s: Any, n_seats: int) -> None:
    for seat in (None, *range(n_seats)):
        check_shape(game.screen.view(s, seat), VIEW[game.name])
        outlook = game.screen.outlook(s, seat)
        assert outlook
        check_shape(outlook, OUTLOOK[game.name])


def golden(name: str) -> Transcript:
    return read((GOLDEN / f"{name}.game").read_text(encoding="utf-8"))


def table_of(found: Transcript, plies: int) -> Table:
    """A table at which so many plies of a transcript were played."""
    plan = schema.NewMatch(found.game, [schema.SeatPlan("open")] * len(found.seats), found.options)
    body = schema.encode(plan).decode()
    table = Table(MatchRow("a" * 20, found.game, 1, body, "00" * 32, "p0", 0, "playing", 0, 0, None))
    moves = [ply.move for ply in found.plies[:plies]]
    sat: list[entries.AnyEvent] = [entries.Sat(seat, name, f"p{seat}") for seat, name in enumerate(found.seats)]
    table.apply(entries.Entry(1, 0, entries.Body([*sat, entries.Started(moves)])))
    return table


@pytest.mark.parametrize("name", ["alea-3", "quovadis-4"])
def test_a_position_of_the_past_is_as_it_was_when_it_was_now(name: str) -> None:
    found = golden(name)
    last = table_of(found, len(found.plies))
    for ply in range(0, len(found.plies) + 1, 37):
        table = table_of(found, ply)
        assert table.match is not None
        for seat in (None, 0, 2):
            then, now = seen.position(last, seat, ply), seen.position(table, seat, ply)
            assert (then.plies, now.plies) == (len(found.plies), ply)
            assert schema.encode(msgspec.structs.replace(then, plies=ply)) == schema.encode(now)
            assert now.outlook == table.game.screen.outlook(table.match.state, seat)


def test_the_ledger_has_all_promises_up_to_then() -> None:
    found = golden("quovadis-5")
    table = table_of(found, len(found.plies))
    ledger = seen.position(table, 0, len(found.plies)).ledger
    assert ledger is not None and {one["fate"] for one in ledger} > {"kept", "broken"}
    check_shape(ledger, list[quovadis.QuoVadisPledge])
    for ply in range(0, len(found.plies), 23):
        part = seen.position(table, None, ply).ledger
        assert part is not None
        assert [one["promise"] for one in part] == [one["promise"] for one in ledger if one["made"] < ply]
        for before, after in zip(part, ledger, strict=False):
            settled = after["settled"] is not None and after["settled"] < ply
            assert before["fate"] == (after["fate"] if settled else "open")
    assert seen.position(table_of(golden("alea-2"), 60), 0, 60).ledger is None


def test_the_ledger_follows_play_and_undo() -> None:
    found = golden("quovadis-5")
    middle = len(found.plies) // 2
    table = table_of(found, middle)
    match = table.match
    assert match is not None
    first = seen.position(table, 0, middle).ledger
    match.replay([ply.move for ply in found.plies[middle:]])
    second = seen.position(table, 0, len(found.plies)).ledger
    assert first and second and len(first) < len(second)
    match.undo(middle, rolls=False)
    assert seen.position(table, 0, middle).ledger == first
    match.replay([ply.move for ply in found.plies[middle : middle + 1]])
    assert (
        seen.position(table, 0, middle + 1).ledger == seen.position(table_of(found, middle + 1), 0, middle + 1).ledger
    )


def test_nothing_is_replayed_to_say_where_play_is(monkeypatch: pytest.MonkeyPatch) -> None:
    quo_vadis = table_of(golden("quovadis-3"), 90)
    first = seen.position(quo_vadis, 0, 90)
    table = table_of(golden("alea-2"), 90)

    def never(*args: Any) -> None:
        raise AssertionError("replayed")

    monkeypatch.setattr(Match, "replay", never)
    assert seen.position(table, 0, 90).ply == 90
    assert seen.position(quo_vadis, 0, 90) == first  # somebody at the table has asked before
    with pytest.raises(AssertionError, match="replayed"):
        seen.position(table, 0, 89)


@pytest.mark.parametrize("name", ["alea-4", "quovadis-3"])
def test_moves_tell_their_effects(name: str) -> None:
    found = golden(name)
    told = 0
    for plies in range(len(found.plies) // 3, len(found.plies), 3):
        table = table_of(found, plies)
        if table.match is None or table.turn is None:
            continue
        game, s = table.game, table.match.state
        moves = seen.moves(table, table.turn).moves
        assert [one.move for one in moves] == seen.choices(table, table.match)[0]
        for one in moves:
            assert one.effect == game.screen.effect(s, game.notation.parse(s, one.move))
            told += bool(one.effect)
        assert seen.moves(table, (table.turn + 1) % 3).moves == []
    assert told > 2


def test_five_people_behind_one_address_can_play_a_move_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even when each client asks for the position after every update, and the one to decide for its moves."""
    clock = 0.0
    monkeypatch.setattr(guard.time, "monotonic", lambda: clock)
    rates = guard.Rates(Settings().rate)
    home = "192.0.2.1"
    for _ in range(600):
        for _ in range(5):
            assert not rates.take(home)  # where play is
        assert not rates.take(home) and not rates.take(home)  # the moves; and a deal that is tried out
        clock += 1
    stubborn = sum(not rates.take(home) for _ in range(1000))
    assert stubborn <= 5 * Settings().rate
