"""A small seeded generator for simulations: SplitMix64 in a one-element array.

Its numbers are the same compiled and interpreted, on every machine. It is not for live matches, whose dice must be
verifiable (a stream of its own), and it is never part of a state. A game's chance events are drawn from a generator
seeded by (game, name of the event), so that the dice of one event do not depend on what was played before it.
"""

from typing import Any

import numpy as np

from rostra.engine.jit import Array, compiled

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S2, _S27, _S30, _S31, _S32 = map(np.uint64, (2, 27, 30, 31, 32))
_LOW = np.uint64(0xFFFFFFFF)
_RANGE = np.uint64(1 << 32)

SEEDS = 1 << 62
"""Seeds are whole numbers from 0 to below this."""
RNG = [np.uint64]
"""The type of a generator, for `compiled`."""


def generator(seed: int = 0) -> Array:
    """A new generator; seeds are whole numbers from 0."""
    rng = np.zeros(1, np.uint64)
    reseed(rng, seed, 0)
    return rng


@compiled(np.uint64, RNG, wraps=True)
def step(rng: Array) -> Any:
    """The next 64 random bits."""
    rng[0] += _STEP
    z = rng[0]
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@compiled(None, RNG, int, int, wraps=True)
def reseed(rng: Array, seed: int, key: int) -> None:
    """Start the stream named by two numbers from 0; neighbours give unrelated streams."""
    rng[0] = np.uint64(seed)
    rng[0] = step(rng) ^ (np.uint64(key) * _MIX_1)
    rng[0] = step(rng)


@compiled(int, RNG)
def new_seed(rng: Array) -> Any:
    """A number from 0 to 2**62 - 1, to seed another stream with."""
    return np.int64(step(rng) >> _S2)


@compiled(int, RNG, int)
def below(rng: Array, n: int) -> Any:
    """An unbiased number from 0 to n - 1, for n below 2**32 (multiply and shift, rejecting the uneven rest)."""
    size = np.uint64(n)
    product = (step(rng) >> _S32) * size
    if product & _LOW < size:
        uneven = _RANGE % size
        while product & _LOW < uneven:
            product = (step(rng) >> _S32) * size
    return np.int64(product >> _S32)
