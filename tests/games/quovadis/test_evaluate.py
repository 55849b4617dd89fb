"""What greedy bots think of a position of Quo Vadis?."""

from rostra.games.quovadis import QUO_VADIS
from rostra.games.quovadis.evaluate import standing
from rostra.games.quovadis.tables import COMMITTEES, PATHS, STEPS_TO_SENATE


def steps_from(committee: str) -> int:
    """The fewest moves to the Senate, by walking all paths at once."""
    reached, steps = {committee}, 0
    while "S" not in reached:
        reached = {path[2] for path in PATHS if path[0] in reached}
        steps += 1
    return steps


def test_steps_to_the_senate_are_those_of_the_board() -> None:
    assert STEPS_TO_SENATE.tolist() == [steps_from(committee) for committee in COMMITTEES]
    assert [steps_from(committee) for committee in "AEH"] == [4, 3, 3]


def test_a_senator_is_worth_more_the_nearer_it_is_to_the_senate() -> None:
    worth: dict[int, set[float]] = {}
    for index, committee in enumerate(COMMITTEES):
        s = QUO_VADIS.new(3, {})
        s.off[0] -= 1
        s.board[index, 0] = 1
        worth.setdefault(steps_from(committee), set()).add(standing(s, 0))
    assert all(len(values) == 1 for values in worth.values())
    by_steps = [min(worth[steps]) for steps in sorted(worth)]
    assert by_steps == sorted(by_steps, reverse=True)
    assert len(set(by_steps)) == 4
