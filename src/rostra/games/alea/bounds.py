"""How long a game of Alea Iacta Est can be, for programs that must know in advance."""

from collections.abc import Mapping


def longest(n: int, options: Mapping[str, str]) -> tuple[int, int]:
    """The most decisions and the most chance events of a game of Alea."""
    sets = 6 if n < 4 else 5  # A-SET-9
    dice = 8 * n  # A-SET-1: each is placed once a set, and can earn one chip for one reroll
    scoring = n + 3 + n + (n + 2)  # tokens kept, cards, provinces, patricians
    laid_out = n + (n + 2)
    return sets * (2 * dice + scoring), 1 + sets * (laid_out + 3 * dice + 1 + 3)
