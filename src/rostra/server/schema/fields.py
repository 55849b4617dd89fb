"""The types of fields that several messages have, with their limits."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Id = Annotated[str, Meta(min_length=1, max_length=64, description="chosen by the client; repeats of one are harmless")]
MATCH_ID = "^[a-z2-7]{20}$"
MatchId = Annotated[
    str,
    # The pattern is for clients; here, looking a match up is as quick as checking its name.
    Meta(min_length=20, max_length=20, description="20 letters or digits", extra_json_schema={"pattern": MATCH_ID}),
]
SeatNumber = Annotated[int, Meta(ge=0, le=4)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Label = Annotated[str, Meta(max_length=60, description="what a person calls a device")]
Text = Annotated[str, Meta(min_length=1, max_length=500)]
Move = Annotated[str, Meta(min_length=1, max_length=40, description="a move in the text of the formats page")]
Number = Annotated[int, Meta(ge=0, le=1_000_000)]
Entropy = Annotated[str, Meta(max_length=128, pattern=r"^([0-9a-f]{2})*$(?!\n)", description="up to 64 bytes, hex")]
Key = Annotated[str, Meta(min_length=20, max_length=80)]
Bot = Annotated[str, Meta(min_length=1, max_length=40, description="a bot's name, such as eques")]
Status = Literal["waiting", "playing", "over"]
Trouble = Literal["game", "rules", "newer", "damaged"]
"""Why a match cannot be played on: its game is not installed here, its rules have changed, a newer server wrote in its
log, or the log cannot be replayed."""
Sitter = Literal["person", "bot", "open", "reserved"]
OfferStatus = Literal["open", "refused", "withdrawn", "lapsed", "carried-out"]
Phrase = Literal[
    "deal",
    "too-little",
    "what-do-you-want",
    "not-now",
    "think-it-over",
    "agreed",
    "next-time",
    "your-turn",
    "well-played",
    "thank-you",
]
"""Phrases that every reader sees in their own language."""
Price = Annotated[int, Meta(ge=0, le=5, description="the value of laurels for one consent")]
Here = Literal["online", "away", "offline", "unknown"]
Seconds = Annotated[float, Meta(ge=0, le=30 * 24 * 3600)]


class Plain(msgspec.Struct):
    """What all bodies share."""
