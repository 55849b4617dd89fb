"""A file that keeps the results of chunks, so that a long run can be stopped and goes on where it was.

Each record has a digest of the chunk that it answers. A record that was cut off when the machine stopped is dropped.
"""

import contextlib
import hashlib
import json
import struct
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from rostra.bots import Bot
from rostra.engine.game import BadOption, Game
from rostra.study.chunks import Chunk, Played
from rostra.study.workers import Workers

MAGIC = b"rostra journal 1\n"


class Record(msgspec.Struct, array_like=True):
    """The results of a chunk."""

    chunk: str
    shapes: tuple[tuple[int, int, int], tuple[int, int]]
    results: bytes
    tallies: bytes
    decisions: int
    seconds: float

    @classmethod
    def of(cls, chunk: str, played: Played) -> "Record":
        """What a chunk brought."""
        results, tallies = (np.ascontiguousarray(one, "<i4") for one in (played.results, played.tallies))
        shapes: Any = (results.shape, tallies.shape)
        return cls(chunk, shapes, results.tobytes(), tallies.tobytes(), played.decisions, played.seconds)

    def played(self) -> Played:
        """The same, as it was."""
        results, tallies = (
            np.frombuffer(data, "<i4").reshape(shape).astype(np.int32)
            for data, shape in zip((self.results, self.tallies), self.shapes, strict=True)
        )
        return Played(results, tallies, self.decisions, self.seconds)


def digest_of(chunk: Chunk) -> str:
    """Names a chunk: the game and its rules, the bots by name, the options, the seed and the games."""
    assert isinstance(chunk.game, Game)
    names = [bot.name for bot in chunk.order]
    rules = chunk.game.name, chunk.game.rules.version, sorted(chunk.options.items())
    about = json.dumps([rules, names, chunk.seed, chunk.first, chunk.games])
    return hashlib.sha256(about.encode()).hexdigest()[:24]


class Journal:
    """A journal, open for one run."""

    def __init__(self, file: Path, bots: Sequence[Bot]) -> None:
        _check_names(bots)
        self._lock, self._known = threading.Lock(), dict[str, Played]()
        try:
            self._file = file.open("a+b")
        except OSError as error:
            raise BadOption(f"cannot keep results in {file}: {error.strerror}") from error
        try:
            self._file.seek(0)
            self._read(file, self._file.read())
        except BaseException:
            self._file.close()
            raise

    def _read(self, file: Path, data: bytes) -> None:
        """Read all whole records, and cut off the rest."""
        if not data.startswith(MAGIC):
            if MAGIC.startswith(data):  # new, or cut off at once
                self._file.truncate(0)
                self._file.write(MAGIC)
                self._file.flush()
                return
            raise BadOption(f"{file} is no journal of results; name a new file")
        at = len(MAGIC)
        with contextlib.suppress(struct.error, msgspec.MsgspecError, ValueError):
            while at < len(data):
                (size,) = struct.unpack_from("<I", data, at)
                record = msgspec.msgpack.decode(data[at + 4 : at + 4 + size], type=Record)
                self._known[record.chunk] = record.played()
                at += 4 + size
        self._file.truncate(at)

    def workers(self, team: Workers) -> Workers:
        """Workers that play only what is not yet known, and keep it."""

        def submit(chunk: Chunk) -> Future[Played]:
            name = digest_of(chunk)
            if name in self._known:
                known: Future[Played] = Future()
                known.set_result(self._known[name])
                return known
            future = team.submit(chunk)
            future.add_done_callback(lambda done: self._keep(name, done))
            return future

        return Workers(submit, team.number)

    def _keep(self, name: str, done: "Future[Played]") -> None:
        if done.cancelled() or done.exception() is not None:
            return
        data = msgspec.msgpack.encode(Record.of(name, done.result()))
        with self._lock:
            if not self._file.closed:
                self._file.write(struct.pack("<I", len(data)) + data)
                self._file.flush()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()


@contextlib.contextmanager
def journaled(team: Workers, file: str | Path | None, bots: Sequence[Bot]) -> Iterator[Workers]:
    """The workers, with a journal if a file is named."""
    if file is None:
        yield team
        return
    journal = Journal(Path(file), bots)
    try:
        yield journal.workers(team)
    finally:
        journal.close()


def _check_names(bots: Sequence[Bot]) -> None:
    """Refuse different bots of one name: the journal knows them by name."""
    own: dict[str, Any] = {}
    for bot in bots:
        if bot.checked and own.setdefault(bot.name, bot.think) is not bot.think:
            raise BadOption(f"two different bots are named {bot.name!r}; to keep results, give them names of their own")
