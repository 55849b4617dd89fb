"""The types of views, outlooks and effects of Alea Iacta Est; those of the browser are generated from them.

`view` and `outlook` make the data, and a test checks it against these types. An outlook is for one seat: it contains no
more than that seat's view, with the arithmetic done.
"""

from typing import Literal, NotRequired, TypedDict


class AleaTiles(TypedDict):
    """Province and patrician tiles by code."""

    provinces: list[str]
    patricians: list[str]


class AleaStacks(TypedDict):
    """Number of pieces that lie face down."""

    provinces: int
    patricians: int
    senate: int
    fortuna: int


class AleaOffering(TypedDict):
    """A seat's dice in the Templum: how many, and their sum."""

    seat: int
    dice: int
    sum: int


class AleaRow(TypedDict):
    """A sequence in the Senatus or a group in the Castrum, as digits."""

    seat: int
    dice: str


class AleaDie(TypedDict):
    """A die on a column of the Forum."""

    seat: int
    die: int


class AleaPlayer(TypedDict):
    """What all see of a player: numbers of dice, chips, secret tokens and cards; tiles; kept tokens as digits."""

    dice: int
    chips: int
    provinces: list[str]
    patricians: list[str]
    fortuna: str
    drawn: int
    senate: int
    points: int | None


class AleaOwn(TypedDict):
    """What only the seat itself knows: its tokens of this set, its cards, those it handed on, those it chooses from."""

    drawn: str
    senate: list[str]
    passed: list[str]
    choice: list[str]


class AleaView(TypedDict):
    """What a seat may see; `senate` has everybody's cards once the game is over."""

    game: Literal["alea"]
    seat: int | None
    turn: int | Literal["chance", "over"]
    phase: Literal[
        "start", "lay-provinces", "lay-patricians", "roll", "place", "reroll", "token", "keep", "lone-token", "deal",
        "take-card", "take-province", "take-patrician", "finished",
    ]  # fmt: skip
    active: int
    set: int
    sets: int
    round: int
    start: int
    roll: str
    offered: AleaTiles
    stacks: AleaStacks
    discards: str
    templum: list[AleaOffering] | None
    senatus: list[AleaRow]
    castrum: list[AleaRow]
    columns: int
    forum: list[AleaDie]
    latrina: list[int]
    players: list[AleaPlayer]
    own: AleaOwn | None
    senate: NotRequired[list[list[str]]]


class AleaStand(TypedDict):
    """A row of dice in a building with its rank, and what it wins as things stand: tokens kept in the Templum (ranked
    by `sum`), cards in the Senatus, provinces in the Castrum, patricians in the Forum, chips in the Latrina."""

    seat: int
    dice: str
    sum: int
    wins: int


class AleaBuildings(TypedDict):
    """All buildings, best row first (Forum: from the left); dice that show no value in the view are `?`."""

    templum: list[AleaStand] | None
    senatus: list[AleaStand]
    castrum: list[AleaStand]
    forum: list[AleaStand]
    latrina: list[AleaStand]


class AleaHome(TypedDict):
    """An occupied province (tile or card) in the best assignment."""

    province: str
    patricians: list[str]
    child: str | None


class AleaTableau(TypedDict):
    """What a player's possessions score now by the best assignment, item by item; `whole` is false where the player
    has senate cards that the seat cannot see and that are therefore not counted."""

    whole: bool
    total: int
    tiebreak: int
    provinces: int
    patricians: int
    senate: int
    fortuna: int
    chips: int
    cards: list[tuple[str, int]]
    assignment: list[AleaHome]
    homeless: list[str]


class AleaCard(TypedDict):
    """A senate card that the seat holds or may choose: the exact difference it makes to the points now, and an upper
    bound of what it can be worth at the end."""

    card: str
    now: int
    best: int


class AleaOutlook(TypedDict):
    """Where a seat stands, with the arithmetic done; `cards` are the seat's own and those it chooses from."""

    buildings: AleaBuildings
    tableaux: list[AleaTableau]
    cards: list[AleaCard]


class AleaEffect(TypedDict, total=False):
    """What a move would do. A placing: the building's rows after it, its own row's rank (from 0), the seats of dice it
    pushes into the Latrina, the tokens it draws. A choice: the exact gain in points now; of a card also its bound."""

    building: Literal["templum", "senatus", "castrum", "forum", "latrina"]
    rows: list[AleaStand]
    rank: int
    pushed: list[int]
    tokens: int
    gain: int
    best: int
