"""The small net: the same numbers as a plain NumPy net, the right slopes, and steps that go down."""

import numpy as np

from rostra.engine.jit import Array
from rostra.engine.net import HEADS, HIDDEN, NARROW, WIDE, backward, chance, forward, improve, n_weights, new_net

INPUTS = 12


def plain(net: Array, inputs: Array) -> Array:
    """The heads by matrix products."""
    first, second = (INPUTS + 1) * WIDE, (WIDE + 1) * NARROW
    a = net[:first].reshape(INPUTS + 1, WIDE)
    b = net[first : first + second].reshape(WIDE + 1, NARROW)
    c = net[first + second :].reshape(NARROW + 1, HEADS)
    hidden = np.maximum(inputs @ a[:-1] + a[-1], 0)
    hidden = np.maximum(hidden @ b[:-1] + b[-1], 0)
    return np.asarray(hidden @ c[:-1] + c[-1])


def some(seed: int) -> tuple[Array, Array]:
    random = np.random.default_rng(seed)
    net = new_net(INPUTS, seed)
    assert len(net) == n_weights(INPUTS)
    net += random.normal(0, 0.1, len(net)).astype(np.float32)  # biases too
    inputs = random.normal(0, 1, INPUTS).astype(np.float32) * (random.random(INPUTS) < 0.5)
    return net, inputs.astype(np.float32)


def test_forward_is_what_matrix_products_give() -> None:
    for seed in range(5):
        net, inputs = some(seed)
        hidden = np.zeros(HIDDEN, np.float32)
        forward(net, inputs, hidden)
        heads = plain(net.astype(np.float64), inputs.astype(np.float64))
        assert np.allclose(hidden[WIDE + NARROW :], heads, atol=1e-4)
        assert np.isclose(chance(net, inputs, hidden), 1 / (1 + np.exp(-heads[0])), atol=1e-4)


def test_slopes_are_those_of_small_differences() -> None:
    net, inputs = some(1)
    errors = np.linspace(-1, 1, HEADS).astype(np.float32)  # of the loss `errors @ heads`
    hidden, slope = np.zeros(HIDDEN, np.float32), np.zeros_like(net)
    forward(net, inputs, hidden)
    backward(net, inputs, hidden, errors, slope)
    exact = net.astype(np.float64)
    for i in np.random.default_rng(2).choice(len(net), 400, replace=False):
        up, down = exact.copy(), exact.copy()
        up[i] += 1e-6
        down[i] -= 1e-6
        difference = errors @ (plain(up, inputs) - plain(down, inputs)) / 2e-6
        assert abs(slope[i] - difference) < 1e-3, i


def test_steps_go_down_and_clear_the_slope() -> None:
    net, inputs = some(3)
    hidden, slope, mean, square = np.zeros(HIDDEN, np.float32), *(np.zeros_like(net) for _ in range(3))
    goals = np.arange(HEADS, dtype=np.float32)
    before = np.inf
    for step in range(1, 200):
        forward(net, inputs, hidden)
        errors = hidden[WIDE + NARROW :] - goals
        backward(net, inputs, hidden, errors.astype(np.float32), slope)
        improve(net, slope, mean, square, 1e-2, 1.0, step)
        assert not slope.any()
        if step in (1, 199):
            assert np.abs(errors).max() < before
            before = np.abs(errors).max()
    assert before < 0.05
