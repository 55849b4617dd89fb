"""The lists of matches, as statements for both databases: each reads one page of an index."""

from typing import Any, Literal, NamedTuple

from rostra.server.store import MatchRow

Show = Literal["open", "mine", "finished", "next", "name", "game"]
LAST = 2**62
"""Later than any time."""

UNSUMMED = (
    "SELECT id, seated = '' OR trouble IS NOT NULL"
    " OR number < coalesce((SELECT max(l.number) FROM log AS l WHERE l.match = matches.id), 0)"
    " FROM matches WHERE id > ? ORDER BY id LIMIT ?"
)
SUM = (
    "UPDATE matches SET turn = ?, seated = ?, result = ?, number = ?, changed = ?, trouble = ?"
    " WHERE id = ? AND number <= ?"
)
CHANGE = (
    "UPDATE matches SET status = news.status, due = news.due, changed = news.at, turn = news.turn,"
    " number = news.number, seated = coalesce(news.seated, matches.seated),"
    " result = coalesce(news.result, matches.result), trouble = NULL"
    " FROM news WHERE matches.id = news.match AND matches.number < news.number"
)
"""What the entries `news` change; an entry that comes late changes nothing."""


class Query(NamedTuple):
    """A page of a list. `open`: public matches that wait for players or are being played; `mine` and `finished`: those
    that `person` made or holds a seat in; `next`: those in which everybody waits for `person`, the longest wait first;
    `name` and `game`: public ones, with a person of the name `text` or of the game `text`."""

    show: Show
    person: str = ""
    text: str = ""
    after: tuple[int, str] | None = None
    """The mark of the last match of the page before."""
    most: int = 20


class Found(NamedTuple):
    """A match of a list, since when everybody waits there for the person who asks, and where in the list it is."""

    row: MatchRow
    awaited: int | None
    mark: tuple[int, str]


_COLUMNS = ", ".join(f"m.{column}" for column in MatchRow._fields)
_AWAITED = "(SELECT min(s.awaited) FROM seats AS s WHERE s.match = m.id AND s.person = ?)"
_PUBLIC = "(created, id) < (?, ?) ORDER BY created DESC, id DESC LIMIT ?"
_SEATS = "(created, match) < (?, ?) ORDER BY created DESC, match DESC LIMIT ?"


def _own(done: int, status: str) -> str:
    """Matches of a person: by seat, and by having made them. (Somebody may hold several seats of one match.)"""
    return (
        "SELECT match, created AS place FROM (SELECT DISTINCT match, created FROM seats"
        f" WHERE person = ? AND done = {done} AND {_SEATS}) AS held"
        f" UNION SELECT id, created FROM (SELECT id, created FROM matches"
        f" WHERE creator = ? AND status {status} 'over' AND {_PUBLIC}) AS made"
    )


_FOUND = {
    "open": f"SELECT id AS match, created AS place FROM matches WHERE listed = 1 AND status <> 'over' AND {_PUBLIC}",
    "game": f"SELECT id AS match, created AS place FROM matches WHERE listed = 1 AND game = ? AND {_PUBLIC}",
    "name": f"SELECT DISTINCT match, created AS place FROM seats WHERE listed = 1 AND name = ? AND {_SEATS}",
    "mine": _own(0, "<>"),
    "finished": _own(1, "="),
    "next": (
        "SELECT match, min(awaited) AS place FROM (SELECT match, awaited FROM seats"
        " WHERE person = ? AND awaited IS NOT NULL AND (awaited, match) > (?, ?) ORDER BY awaited, match LIMIT ?)"
        " AS waits GROUP BY match"
    ),
}


def statement(query: Query) -> tuple[str, list[Any]]:
    """A list as a statement with `?` for each of the values."""
    at, match = query.after or ((-1, "") if query.show == "next" else (LAST, ""))
    page: list[Any] = [at, match, query.most]
    values = {"open": page, "game": [query.text, *page], "name": [query.text, *page]}.get(query.show)
    if values is None:
        values = [query.person, *page] * (1 if query.show == "next" else 2)
    order = "place, match" if query.show == "next" else "place DESC, match DESC"
    # CROSS JOIN: SQLite begins with the few matches of the page.
    text = (
        f"SELECT {_COLUMNS}, {_AWAITED}, found.place FROM ({_FOUND[query.show]}) AS found"
        f" CROSS JOIN matches AS m WHERE m.id = found.match ORDER BY {order} LIMIT ?"
    )
    return text, [query.person, *values, query.most]


def found(values: tuple[Any, ...]) -> Found:
    """A row of such a statement."""
    row = MatchRow(*values[:-2])
    return Found(row, values[-2], (values[-1], row.id))


def numbered(text: str) -> str:
    """A statement with `$1`, `$2` ... for each `?`."""
    first, *rest = text.split("?")
    return first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))
