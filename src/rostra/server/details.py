"""What a page shows beside the view, so that it need not ask: the moves in detail, outlook, promises, open actions.

Only connections that watch with `details` get it. All of it is what `seen` would answer to the same seat.
"""

from rostra.server import schema, seen
from rostra.server.table import Table


def add(update: schema.Update, table: Table) -> schema.Update:
    """Add the details of the position to an update that has the part `play`."""
    if isinstance(update.play, schema.PlayState):
        update.play.details = of(table, update.seat)
    return update


def of(table: Table, seat: int | None) -> schema.Details:
    """The details of the present position for a seat, or for spectators; play has begun."""
    assert table.match is not None
    here = seen.position(table, seat, len(table.match.log))
    moves = [] if seat is None else seen.moves(table, seat).moves
    return schema.Details(moves, here.outlook, here.ledger, seen.draft(table, []).more)
