"""The settings of notifications."""

from typing import NamedTuple


class Wishes(NamedTuple):
    """What the operator has set up; without a public URL there are no notifications."""

    public_url: str = ""
    smtp: str = ""
    sender: str = ""
    private_targets: bool = False
    delay: float = 15.0


NOTHING = Wishes()
