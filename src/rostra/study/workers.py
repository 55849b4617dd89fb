"""Where chunks are played: on threads of this machine, or on a Ray cluster."""

import contextlib
import importlib
import itertools
import socket
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from rostra.engine.game import BadOption, Game
from rostra.extras import need
from rostra.games import all_games
from rostra.study.chunks import Chunk, Played, play_chunk

CONNECT_SECONDS = 5
CHUNKS_AHEAD = 4
"""Chunks in flight for each worker: enough to keep all of them busy, few enough to discard when a test stops early."""


class Workers(NamedTuple):
    """How to hand over a chunk, and how many can be played at a time."""

    submit: Callable[[Chunk], Future[Played]]
    number: int

    def play(self, chunks: Iterable[Chunk]) -> Generator[Played, None, None]:
        """Play all chunks and yield their results in order; closing the iterator cancels the rest."""
        waiting, flying = iter(chunks), deque[Future[Played]]()
        try:
            while True:
                free = CHUNKS_AHEAD * self.number - len(flying)
                flying.extend(self.submit(chunk) for chunk in itertools.islice(waiting, free))
                if not flying:
                    return
                yield flying.popleft().result()
        finally:
            for future in flying:
                future.cancel()


@contextlib.contextmanager
def threads(number: int) -> Iterator[Workers]:
    """Threads of this process; compiled loops release Python's lock."""
    with ThreadPoolExecutor(number) as pool:
        try:
            yield Workers(lambda chunk: pool.submit(play_chunk, chunk), number)
        finally:
            pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def ray_cluster(address: str, number: int) -> Iterator[Workers]:
    """A Ray cluster whose nodes have the same Rostra installed; `local` starts one of `number` processes here."""
    ray = _connect(address, number)
    try:
        remote = ray.remote(play_chunk)

        def submit(chunk: Chunk) -> Future[Played]:
            assert isinstance(chunk.game, Game)
            played: Future[Played] = remote.remote(chunk._replace(game=_shared_name(chunk.game))).future()
            return played

        yield Workers(submit, int(ray.cluster_resources().get("CPU", 1)))
    finally:
        ray.shutdown()


def _connect(address: str, number: int) -> Any:
    need("ray", "Ray")
    ray = importlib.import_module("ray")
    settings = {"num_cpus": number, "include_dashboard": False} if address == "local" else {}
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    try:
        if colon:  # Ray itself would keep trying for minutes
            socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
        ray.init(address=address, log_to_driver=False, **settings)
    except (OSError, OverflowError, RuntimeError, ValueError) as error:
        raise BadOption(f"no Ray cluster answers at {address!r} ({error}); `--ray local` starts one here") from error
    return ray


def _shared_name(game: Game) -> str:
    """The name by which another process finds the game: compiled functions cannot be sent."""
    if all_games().get(game.name) is not game:
        raise BadOption(
            f"{game.title} is not among the games of Rostra, so other processes do not know it; use threads"
        )
    return game.name
