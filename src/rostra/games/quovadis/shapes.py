"""The types of views, outlooks, effects and promises of Quo Vadis?; those of the browser are generated from them.

`view`, `outlook` and `ledger` make the data, and a test checks it against these types. Of other players a view shows
the number of laurels, not which ones (Q-HID-1), so nothing here may reveal more.
"""

from typing import Literal, TypedDict


class QuoVadisCommittee(TypedDict):
    """A committee: its number of seats, and whose senators sit there."""

    seats: int
    senators: list[int]


class QuoVadisDraft(TypedDict):
    """A deal that is being drafted or was refused, as move texts."""

    action: str
    gives: list[str]
    then: str | None
    one: str | None
    vow: str | None
    promises: list[str]


class QuoVadisOpenDraft(QuoVadisDraft):
    """The deal that is being drafted, and by whom."""

    drafter: int


class QuoVadisPromise(TypedDict):
    """An open promise, and the number of turns of its maker after which it lapses."""

    promise: str
    turns: int


class QuoVadisPlayer(TypedDict):
    """A player: senators off the board, laurels (how many of value 1 to 5 where that may be seen), its place in the
    order of arrival in the Senate (0: not there), and whether its laurels count as things are now: in an election an
    earlier game can have qualified it."""

    off: int
    tiles: int
    hand: list[int] | None
    points: int | None
    total: int
    arrival: int
    counts: bool


class QuoVadisView(TypedDict):
    """What a seat may see; `open_hands` is the option (Q-VAR-2), `shown` whether a demand has opened all hands now."""

    game: Literal["quovadis"]
    seat: int | None
    turn: int | Literal["chance", "over"]
    phase: Literal[
        "start",
        "lay-out",
        "act",
        "open",
        "draft",
        "answer",
        "listen",
        "refill",
        "place-caesar",
        "dismiss",
        "finished",
        "demand",
    ]
    active: int
    game_number: int
    committees: dict[str, QuoVadisCommittee]
    senate: list[int]
    laurels: dict[str, str | None]
    caesar: str
    caesar_frees: Literal["path", "committee"]
    ones: int
    open_hands: bool
    shown: bool
    stack: int
    quiet: int
    stalls_at: int | None
    drafts: int
    heard: bool
    draft: QuoVadisOpenDraft | None
    refused: list[QuoVadisDraft]
    refusing: list[int]
    consenting: list[int]
    spared: list[str]
    promises: list[QuoVadisPromise]
    fates: list[list[list[int]]]
    players: list[QuoVadisPlayer]


class QuoVadisPart(TypedDict):
    """Points that a deal moves for a player: won on the path, earned by consenting, or given by or to a seat."""

    why: Literal["path", "consent", "gift"]
    points: int
    seat: int | None


class QuoVadisShare(TypedDict):
    """What a deal moves for one of its parties, and the sum."""

    seat: int
    parts: list[QuoVadisPart]
    net: int


class QuoVadisWorth(TypedDict):
    """What a deal moves at once, the active seat first. Promises have no number. `unpaid` are the seats whose consent
    earns nothing because the ones have run out (one entry a senator), `stays` is the laurel that is not won because
    Caesar lies on the path."""

    shares: list[QuoVadisShare]
    unpaid: list[int]
    stays: str | None


class QuoVadisReach(TypedDict):
    """How near a player is to the Senate: senators inside, and the fewest moves (entering is one) for the next one of
    its own; null when it has none left to send."""

    inside: int
    moves: int | None


class QuoVadisPath(TypedDict):
    """A path out of a committee for the active seat: whether its senator is there, whether the end has a free seat,
    how many consents it takes (0 where Caesar frees it), how many of these its own other senators there can give, which
    other seats could give some (one entry a senator, ascending; empty where none is taken), how many laurels of 1
    the consents of others would earn, the laurel it would win, and the laurel that stays because Caesar lies there."""

    path: str
    mine: bool
    free: bool
    consents: int
    own: int
    others: list[int]
    ones: int
    laurel: str | None
    stays: str | None


class QuoVadisOutlook(TypedDict):
    """Where the game stands, with the counting done; `stall` is how many more turns without progress end the game,
    from half of the way on (else null), `worth` what the open draft moves (null where there is none)."""

    senate_free: int
    reach: list[QuoVadisReach]
    paths: list[QuoVadisPath]
    stall: int | None
    worth: QuoVadisWorth | None


class QuoVadisEffect(TypedDict, total=False):
    """What an action would do: the laurel it wins, the seats that get a 1 (one entry each, ascending), whether it
    fills the Senate, whether Caesar may be moved after it. What would not happen is left out."""

    laurel: str
    ones: list[int]
    ends: bool
    caesar: bool


class QuoVadisPledge(TypedDict):
    """A promise of the ledger: the ply whose deal made it, and what became of it at which ply."""

    promise: str
    made: int
    fate: Literal["open", "kept", "broken", "lapsed"]
    settled: int | None
