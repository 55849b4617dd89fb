"""The facet of a game that bots learn."""

import dataclasses
from collections.abc import Callable, Mapping

from rostra.engine.jit import Array, State


@dataclasses.dataclass(frozen=True)
class Schedule:
    """How a net learns; pairs are values at the first game and at the last."""

    rate: tuple[float, float] = (2e-3, 5e-5)
    """The step of Adam."""
    trace: tuple[float, float] = (0.95, 0.7)
    """The lambda of TD(lambda)."""
    explore: tuple[float, float] = (0.01, 0.0)
    """How often a random move is made."""
    greedy: float = 0.15
    """How often the greedy bot plays a seat, so that the net meets other play than its own."""
    together: int = 5
    """Games in a step, a divisor of 100."""


@dataclasses.dataclass(frozen=True, eq=False)
class Mind:
    """What a learned bot needs of a game; all functions are compiled. `net` is the weights of `rostra.engine.net`;
    `work` is scratch, `n_work` integers that are zeros at first."""

    n_inputs: int
    heads: tuple[str, ...]
    """What the net predicts for a seat: its chance to win, its margin at the end, then how much each of `progress` will
    grow in this chapter."""
    ambition: float
    """Weight of a full margin relative to the chance to win, when moves are compared."""
    n_work: int
    styles: Mapping[str, tuple[float, ...]]
    """Ways to play, by name, as the numbers that `weigh` gets; the first, without a name, is the strongest."""
    units: Mapping[str, int]
    """What 1 stands for in a forecast, for heads where it is more than 1."""
    chances: frozenset[str]
    """The heads that are chances: of something that happens at most once in a chapter."""
    practice: tuple[str, ...]
    """The styles that play each other when the net learns."""
    schedule: Schedule
    features: Callable[[State, int, Array, Array], None]
    """features(s, seat, out, work): the inputs of the net, from what this seat may know."""
    margin: Callable[[State, int], float]
    """margin(s, seat): of a finished game, how clearly this seat won or lost, from about -1 to 1."""
    progress: Callable[[State, int, Array], None]
    """progress(s, seat, out): running counts of what a player aims for, in the order of `heads`."""
    chapter: Callable[[State], int]
    """chapter(s): the part of the game (a set) that this state belongs to, or -1 where the net is not used."""
    weigh: Callable[[Array, Array, Array, Array, Array, Array], int]
    """weigh(states, net, style, buffer, values, work): write the legal moves of states[0] to the buffer and how good
    each is for the deciding seat to `values`, about a chance to win; return how many. The other states (8 in all) are
    scratch."""
    expect: Callable[[Array, Array, Array, Array, Array], float] | None = None
    """expect(states, net, style, buffer, work): before a roll in states[0], its expected value for the seat that rolls;
    None where a game has no such rolls."""
    gentle: tuple[str, float] = ("", 1.0)
    """The style of the gentlest level, and a factor for its error: a style may do its own to avoid blunders."""
    playouts: str | None = None
    """The style, a quick one, for playouts; None where playouts do not help."""
