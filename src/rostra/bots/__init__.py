"""Players that are programs. `make_bot("greedy")` gives one; it chooses from what its seat may know, nothing else.

What a newcomer would get wrong: `choose` never hands its bot the true state but one redealt for the seat, so a bot
cannot use a secret even by mistake.
"""

import dataclasses

import numpy as np

from rostra.game import BadOption, Game, copy, did_you_mean
from rostra.jit import Array, State
from rostra.kernels import GREEDY, RANDOM, SILENT, kernels_of

POLICIES = {"random": RANDOM, "greedy": GREEDY, "greedy:deals=off": SILENT}


@dataclasses.dataclass(frozen=True)
class Bot:
    """A program that can take a seat; `policy` is how compiled loops play it."""

    name: str
    policy: int

    def choose(self, game: Game, s: State, rng: Array) -> int:
        """A legal move for the deciding seat."""
        seat = game.turn(s)
        known = copy(s)
        game.redeal(known, seat, rng)
        buffer = np.empty(game.max_legal, np.int32)
        if self.policy == RANDOM:
            return game.wander(known, buffer, rng)
        states = np.zeros(2, game.state)
        states[0] = known
        return int(kernels_of(game).greedy(1 if self.policy == SILENT else 0, states, buffer, rng))


def make_bot(spec: str) -> Bot:
    """The bot that a word names."""
    if spec not in POLICIES:
        raise BadOption(f"there is no bot {spec!r}{did_you_mean(spec, POLICIES)}; there is {', '.join(POLICIES)}")
    return Bot(spec, POLICIES[spec])
