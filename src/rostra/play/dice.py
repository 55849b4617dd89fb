"""Verifiable dice: chance in a live match follows from a seed that was committed to before the match began.

A number is HMAC-SHA-256 with the seed as key over `rostra/1|MATCH|ENTROPY|EPOCH|PLY|b`, as docs/formats.md defines it,
so that anybody can check a finished match without this program. The counter `b` runs on through all draws of one ply,
including the rejected ones. Not here: making seeds and keeping them secret (the server), and checking a transcript
(`verify`).
"""

import hashlib
import hmac
import itertools
import re
import struct
from collections.abc import Iterator, Sequence

from rostra.engine.game import BadOption, Game
from rostra.engine.jit import State

SEED_BYTES = 32
_first_8_bytes = struct.Struct(">Q").unpack_from


def commitment(seed: bytes) -> str:
    """What is published before anybody contributes: the SHA-256 of the seed, in hex."""
    if len(seed) != SEED_BYTES:
        raise BadOption(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return hashlib.sha256(seed).hexdigest()


class Stream:
    """The dice of one match; `entropy` is what players contributed, as pairs of a seat and hex digits."""

    def __init__(self, seed: bytes, match: str, entropy: Sequence[tuple[int, str]] = ()) -> None:
        if len(seed) != SEED_BYTES:
            raise BadOption(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        if not re.fullmatch(r"[ -{}~]+", match):
            raise BadOption(f"the name of a match is printable ASCII without '|', not {match!r}")
        seats = [seat for seat, _ in entropy]
        if len(set(seats)) < len(seats):
            raise BadOption(f"a seat contributes to the dice once, but the contributions are of the seats {seats}")
        for seat, contribution in entropy:
            if seat < 0 or not re.fullmatch(r"[0-9a-f]+", contribution):
                raise BadOption(f"a contribution is a seat and small hex digits, not {seat} {contribution!r}")
        joined = ",".join(f"{seat}:{contribution}" for seat, contribution in sorted(entropy))
        self._begun = hmac.new(seed, f"rostra/1|{match}|{joined}|".encode(), "sha256")

    def draws(self, epoch: int, ply: int) -> Iterator[bytes]:
        """The draws of a ply as HMAC gives them, without end."""
        begun = self._begun.copy()
        begun.update(b"%d|%d|" % (epoch, ply))
        for b in itertools.count():
            one = begun.copy()
            one.update(b"%d" % b)
            yield one.digest()

    def digest(self, epoch: int, ply: int, b: int) -> bytes:
        """Draw `b` of a ply."""
        return next(itertools.islice(self.draws(epoch, ply), b, None))

    def numbers(self, epoch: int, ply: int, below: int, count: int = 1) -> list[int]:
        """Unbiased numbers from 0 to `below` - 1: draws from the uneven rest of 2**64 are rejected."""
        even = 2**64 - 2**64 % below
        found: list[int] = []
        for drawn in self.draws(epoch, ply):
            number: int = _first_8_bytes(drawn)[0]
            if number < even:
                found.append(number % below)
                if len(found) == count:
                    break
        return found

    def outcome(self, pool: int | Sequence[str], epoch: int, ply: int) -> str:
        """The text of what a ply brings, from a number of dice or from the sorted texts of all pieces."""
        if isinstance(pool, int):
            return "=" + "".join(["123456"[number] for number in sorted(self.numbers(epoch, ply, 6, pool))])
        return pool[self.numbers(epoch, ply, len(pool))[0]]

    def draw(self, game: Game, s: State, epoch: int, ply: int) -> int:
        """The move of the coming chance event, of ply `ply` after `epoch` undos."""
        return game.notation.parse(s, self.outcome(game.notation.pool(s), epoch, ply))
