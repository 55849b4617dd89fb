"""Positions of Quo Vadis? for the tests of its referee."""

from collections import Counter

from .quovadis import LIMITED_ONES, PLACES, SEATS_IN, Referee

DEALT = ["3", "4", "3", "2c", "5", "2", "3", "4", "2c", "3"]  # on the laurel places in their order
RED, BLUE, BLACK, WHITE, GREEN = range(5)


def ready(
    seats: int = 3,
    limited_ones: bool = False,
    consul_election: bool = False,
    stall_rounds: int = 10,
    open_hands: bool = False,
    caesar_frees: str = "path",
) -> Referee:
    """A game in which seat 0 has its first turn and DEALT lies on the places."""
    game = Referee(
        seats,
        limited_ones=limited_ones,
        open_hands=open_hands,
        consul_election=consul_election,
        start_seat=0,
        stall_rounds=stall_rounds,
        caesar_frees=caesar_frees,
    )
    play(game, "=s0", *("=" + code for code in DEALT))
    return game


def put(game: Referee, committee: str, *seats: int) -> None:
    """Senators from off the board into a committee or the Senate ("S")."""
    for seat in seats:
        game.off_board[seat] -= 1
        if committee == "S":
            game.senate.append(seat)
        else:
            game.board[committee] = sorted([*game.board[committee], seat])


def hold(game: Referee, seat: int, *values: int) -> None:
    """Laurels from the supplies into a hand."""
    for value in values:
        game.hands[seat][value] += 1
        if value == 1:
            game.ones -= 1
        else:
            game.stack[str(value)] -= 1


def play(game: Referee, *texts: str) -> None:
    for text in texts:
        game.apply(text)


def hand(game: Referee, seat: int) -> list[int]:
    """The laurels of a seat, ascending."""
    return sorted(Counter(game.hands[seat]).elements())


def having(game: Referee, start: str) -> set[str]:
    """Legal moves that start so."""
    return {move for move in game.legal() if move.startswith(start)}


def place_empty(game: Referee, place: str) -> None:
    """Back into the stack with a laurel."""
    code = game.laurels_on_paths[place]
    assert code is not None
    game.stack[code] += 1
    game.laurels_on_paths[place] = None


def empty_stack(game: Referee) -> None:
    """All laurels of the stack into the last hand."""
    for code, number in game.stack.items():
        game.hands[-1][int(code[0])] += number
        game.stack[code] = 0


def quiet(game: Referee) -> None:
    """The active seat moves Caesar to and fro between two places nobody uses."""
    game.apply("@M>S" if game.caesar != "M>S" else "@N>S")


def check_material(game: Referee) -> None:
    """Nothing gets lost: laurels and senators, and no committee is overfull."""
    found: Counter[int] = Counter({1: game.ones})
    for in_hand in game.hands:
        found.update(in_hand)
        assert min(in_hand.values()) >= 0
    for code, number in game.stack.items():
        found[int(code[0])] += number
        assert number >= 0
    found.update(int(code[0]) for code in game.laurels_on_paths.values() if code is not None)
    assert found == {1: LIMITED_ONES[game.seats] if game.limited_ones else 18, 2: 14, 3: 15, 4: 9, 5: 6}
    assert game.ones >= 0
    for committee, inside in game.board.items():
        assert inside == sorted(inside) and len(inside) <= SEATS_IN[committee]
    assert len(game.senate) <= 5
    for seat in range(game.seats):
        on_board = sum(inside.count(seat) for inside in game.board.values())
        assert on_board + game.senate.count(seat) + game.off_board[seat] == 8
    assert game.caesar in PLACES


# ---- board and set-up ----
