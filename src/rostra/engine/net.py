"""A small neural net in one flat array: two hidden layers, compiled for play and for learning.

Inputs are mostly zero, so the first layer adds up only the rows of those that are not. The first head is a chance (a
logistic), the others are plain numbers. No sum is reordered (no fast math), so equal weights give equal numbers on
every machine, and a training can be repeated bit for bit.
"""

import math
from typing import Any

import numpy as np

from rostra.engine.jit import Array, compiled

WIDE, NARROW = 96, 32
"""Neurons of the first and the second hidden layer."""
HEADS = 8
"""Number of heads; a game may use fewer."""
HIDDEN = WIDE + NARROW + HEADS
"""Size of the buffer for the outputs of the layers: first, second, heads."""
FLOATS = [np.float32]
RATE_1, RATE_2, EPSILON = 0.9, 0.999, 1e-8
"""Adam's decay of the mean gradient and of its square."""


def n_weights(n_inputs: int) -> int:
    """Number of weights of a net."""
    return (n_inputs + 1) * WIDE + (WIDE + 1) * NARROW + (NARROW + 1) * HEADS


def new_net(n_inputs: int, seed: int) -> Array:
    """A net that knows nothing."""
    random = np.random.Generator(np.random.PCG64(seed))
    net = np.zeros(n_weights(n_inputs), np.float32)
    second = (n_inputs + 1) * WIDE
    third = second + (WIDE + 1) * NARROW
    net[: n_inputs * WIDE] = random.normal(0, 0.1, n_inputs * WIDE)
    net[second : second + WIDE * NARROW] = random.normal(0, math.sqrt(2 / WIDE), WIDE * NARROW)
    net[third : third + NARROW * HEADS] = random.normal(0, 0.05, NARROW * HEADS)
    return net


@compiled(None, FLOATS, FLOATS, FLOATS, FLOATS)
def add_rows(net: Any, inputs: Any, base: Any, first: Any) -> None:
    """Add to the first layer the difference between these inputs and `base`."""
    # Finding them first, without a branch, and taking rows as slices, which LLVM can vectorise, halves the time.
    found = np.empty(len(inputs) + 1, np.int32)
    n = 0
    for i in range(len(inputs)):
        found[n] = i
        n += 1 if inputs[i] != base[i] else 0
    for k in range(n):
        i = int(found[k])
        x = inputs[i] - base[i]
        row = net[i * WIDE : (i + 1) * WIDE]
        for j in range(WIDE):
            first[j] += x * row[j]


@compiled(None, FLOATS, FLOATS, FLOATS)
def enter(net: Any, inputs: Any, first: Any) -> None:
    """The sums that enter the first layer."""
    n = len(inputs)
    for j in range(WIDE):
        first[j] = net[n * WIDE + j]
    add_rows(net, inputs, np.zeros(n, np.float32), first)


@compiled(None, FLOATS, int, FLOATS)
def go_on(net: Any, n_inputs: int, hidden: Any) -> None:
    """From the sums that enter the first layer to the heads."""
    first, second, heads = hidden[:WIDE], hidden[WIDE : WIDE + NARROW], hidden[WIDE + NARROW :]
    start = (n_inputs + 1) * WIDE
    for i in range(WIDE):
        first[i] = max(first[i], np.float32(0))
    layer = net[start : start + (WIDE + 1) * NARROW]
    for j in range(NARROW):
        second[j] = layer[WIDE * NARROW + j]
    for i in range(0, WIDE, 4):  # four rows at a time are five times as quick as one
        x, y, z, w = first[i], first[i + 1], first[i + 2], first[i + 3]
        for j in range(NARROW):
            second[j] += (
                x * layer[i * NARROW + j]
                + y * layer[(i + 1) * NARROW + j]
                + z * layer[(i + 2) * NARROW + j]
                + w * layer[(i + 3) * NARROW + j]
            )
    last = net[start + (WIDE + 1) * NARROW :]
    for j in range(HEADS):
        heads[j] = last[NARROW * HEADS + j]
    for i in range(NARROW):
        x = max(second[i], np.float32(0))
        second[i] = x
        for j in range(HEADS):
            heads[j] += x * last[i * HEADS + j]


@compiled(None, FLOATS, FLOATS, FLOATS)
def forward(net: Any, inputs: Any, hidden: Any) -> None:
    """Run the net; its heads end up behind the two layers in `hidden`, the first one as a logit."""
    enter(net, inputs, hidden)
    go_on(net, len(inputs), hidden)


@compiled(None, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS)
def forward_from(net: Any, inputs: Any, base: Any, entered: Any, hidden: Any) -> None:
    """The same, quicker where most inputs equal `base`, for which `enter` computed `entered`."""
    for j in range(WIDE):
        hidden[j] = entered[j]
    add_rows(net, inputs, base, hidden)
    go_on(net, len(inputs), hidden)


@compiled(float, float)
def logistic(x: float) -> float:
    """A chance from a logit."""
    return 1 / (1 + math.exp(-x))


@compiled(float, FLOATS, FLOATS, FLOATS)
def chance(net: Any, inputs: Any, hidden: Any) -> float:
    """The first head as a chance."""
    forward(net, inputs, hidden)
    return logistic(float(hidden[WIDE + NARROW]))


@compiled(None, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS)
def backward(net: Any, inputs: Any, hidden: Any, errors: Any, slope: Any) -> None:
    """Add to `slope` the gradient of a loss whose gradient by the heads is `errors`; `hidden` is of this input."""
    n = len(inputs)
    first, second = hidden[:WIDE], hidden[WIDE : WIDE + NARROW]
    at_2 = (n + 1) * WIDE
    at_3 = at_2 + (WIDE + 1) * NARROW
    back_2 = np.zeros(NARROW, np.float32)
    back_1 = np.zeros(WIDE, np.float32)
    for j in range(HEADS):
        slope[at_3 + NARROW * HEADS + j] += errors[j]
    for i in range(NARROW):
        if second[i] > 0:
            total = np.float32(0)
            for j in range(HEADS):
                slope[at_3 + i * HEADS + j] += second[i] * errors[j]
                total += net[at_3 + i * HEADS + j] * errors[j]
            back_2[i] = total
    bias = slope[at_2 + WIDE * NARROW : at_2 + (WIDE + 1) * NARROW]
    for j in range(NARROW):
        bias[j] += back_2[j]
    for i in range(WIDE):
        x = first[i]
        if x > 0:
            row, weights = slope[at_2 + i * NARROW : at_2 + (i + 1) * NARROW], net[at_2 + i * NARROW :]
            total = np.float32(0)
            for j in range(NARROW):
                row[j] += x * back_2[j]
                total += weights[j] * back_2[j]
            back_1[i] = total
    bias = slope[n * WIDE : (n + 1) * WIDE]
    for j in range(WIDE):
        bias[j] += back_1[j]
    for i in range(n):
        x = inputs[i]
        if x != 0:
            row = slope[i * WIDE : (i + 1) * WIDE]
            for j in range(WIDE):
                row[j] += x * back_1[j]


@compiled(None, FLOATS, FLOATS, FLOATS, FLOATS, float, float, int)
def improve(net: Any, slope: Any, mean: Any, square: Any, rate: float, batch: float, steps: int) -> None:
    """A step of Adam down the slope of `batch` positions, which is cleared; `steps` counts from 1."""
    down = np.float32(rate / (1 - RATE_1**steps))
    spread = np.float32(1 / (1 - RATE_2**steps))
    scale, epsilon = np.float32(1 / batch), np.float32(EPSILON)
    old_1, new_1 = np.float32(RATE_1), np.float32(1 - RATE_1)
    old_2, new_2 = np.float32(RATE_2), np.float32(1 - RATE_2)
    for i in range(len(net)):
        g = slope[i] * scale
        slope[i] = 0
        mean[i] = old_1 * mean[i] + new_1 * g
        square[i] = old_2 * square[i] + new_2 * g * g
        net[i] -= down * mean[i] / (np.sqrt(square[i] * spread) + epsilon)
