"""What goes over the wire, both ways; the documents for other programs and the browser's types are made from it.

A message is a JSON object whose `type` says which; unknown fields are ignored, wrong ones refused.
"""

import msgspec

from rostra.engine.game import Reason as Reason
from rostra.server.schema.bodies import *  # noqa: F403  # `schema` is the one name for all of them
from rostra.server.schema.commands import *  # noqa: F403  # as above
from rostra.server.schema.commands import FromClient
from rostra.server.schema.fields import *  # noqa: F403  # as above
from rostra.server.schema.fields import Id
from rostra.server.schema.messages import *  # noqa: F403  # as above
from rostra.server.schema.notify import *  # noqa: F403  # as above
from rostra.server.schema.people import *  # noqa: F403  # as above
from rostra.study.review import Hint as Hint
from rostra.study.review import HintMove as HintMove
from rostra.study.review import MissedDeal as MissedDeal
from rostra.study.review import Mistake as Mistake
from rostra.study.review import Review as Review
from rostra.study.review import ReviewPoint as ReviewPoint
from rostra.study.review import ReviewSeat as ReviewSeat

encode = msgspec.json.Encoder().encode
from_client = msgspec.json.Decoder(FromClient).decode


class _WithId(msgspec.Struct):
    id: Id | None = None


def id_of(message: bytes) -> str | None:
    """The id of a message that is wrong otherwise, so that its sender knows which one it was."""
    try:
        return msgspec.json.decode(message, type=_WithId).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
