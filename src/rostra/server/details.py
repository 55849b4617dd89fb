"""What a page shows beside the view, so that it need not ask: the moves in detail, the outlook, promises, open actions.

Only connections that watch with `details` get it. Everything here is what `seen` would answer to the same seat.
"""

from rostra.server import schema, seen
from rostra.server.table import Table


def add(update: schema.Update, table: Table, seat: int | None) -> schema.Update:
    """This update of a table, for a client that wants the details of the position too."""
    play = update.play
    if isinstance(play, schema.PlayState) and table.match is not None:
        play.details = of(table, seat)
    return update


def of(table: Table, seat: int | None) -> schema.Details:
    """The details of the present position for a seat, or for spectators."""
    match = table.match
    assert match is not None
    here = seen.position(table, seat, len(match.log))
    moves = [] if seat is None else seen.moves(table, seat).moves
    return schema.Details(moves, here.outlook, here.ledger, seen.draft(table, []).more)
