"""Arithmetic of clocks that stand still at times. Times are in milliseconds since 1970."""

from collections.abc import Mapping


def running(since: int, until: int, still: Mapping[int, int]) -> int:
    """How long a clock ran from the one to the other; it stood still in each of these times, from key to value."""
    return until - since - sum(max(0, min(b, until) - max(a, since)) for a, b in still.items())


def up_at(since: int, allowed: int, still: Mapping[int, int]) -> int:
    """When a clock that began at this time has run for so long."""
    end = since + allowed
    for a, b in sorted(still.items()):
        if b > since and a < end:
            end += b - max(a, since)
    return end
