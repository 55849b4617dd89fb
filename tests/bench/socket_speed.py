"""What the WebSocket door costs: `python tests/bench/socket_speed.py` prints the server's CPU microseconds for a move.

A move is what a match of two has: one message of 120 bytes in, which is waited for once; 60 bytes and 2.5 kB out to the
sender, 2.5 kB to the other. The same through `rostra.server.frames` and through uvicorn's `websockets-sansio` with ASGI
and a task that writes, in turn, each in a process of its own; the best of some rounds, and their ratio. Not a test:
nothing here fails.
"""

import asyncio
import contextlib
import resource
import socket
import subprocess
import sys
from collections.abc import Coroutine
from typing import Any

import uvicorn
import uvloop
from websockets.sync.client import connect

from rostra.server.frames import Frames

PAIRS, MOVES, ROUNDS = 50, 200, 3
DONE, UPDATE, MOVE, CPU = b"d" * 60, b"u" * 2500, b"m" * 120, b"cpu"
WAITING: list[Any] = []
"""Who has no partner yet."""


async def commit() -> None:
    """Stands for the database."""
    loop = asyncio.get_running_loop()
    stored = loop.create_future()
    loop.call_soon(stored.set_result, None)
    await stored


def cpu() -> bytes:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return f"{used.ru_utime} {used.ru_stime}".encode()


class Partner:
    """Whoever comes next plays with whoever came before."""

    other: Any = None

    def meet(self) -> None:
        if WAITING:
            self.other = WAITING.pop()
            self.other.other = self
        else:
            WAITING.append(self)


class Ours(Frames, Partner):
    """Echoes a move as a live match does."""

    def admit(self, *asked: Any) -> None:
        self.meet()

    def hear(self, message: bytes) -> Coroutine[Any, Any, None] | None:
        if message == CPU:
            self.post(cpu())
            return None
        return self.move()

    async def move(self) -> None:
        await commit()
        self.post(DONE)
        self.post(UPDATE)
        self.other.post(UPDATE)


class Theirs(Partner):
    """The same in ASGI, with a task that writes, so that nobody waits for a slow client."""

    def __init__(self, send: Any) -> None:
        self.send = send
        self.queue: asyncio.Queue[bytes] = asyncio.Queue()
        self.post = self.queue.put_nowait
        self.meet()

    async def write(self) -> None:
        while True:
            await self.send({"type": "websocket.send", "text": (await self.queue.get()).decode()})


async def asgi(scope: Any, receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    one = Theirs(send)
    writer = asyncio.create_task(one.write())
    while (message := await receive())["type"] == "websocket.receive":
        if message["text"] == CPU.decode():
            one.post(cpu())
            continue
        await commit()
        one.post(DONE)
        one.post(UPDATE)
        one.other.post(UPDATE)
    writer.cancel()


def serve(which: str) -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    ws: Any = Ours if which == "ours" else "websockets-sansio"
    config = uvicorn.Config(asgi, ws=ws, ws_per_message_deflate=False, lifespan="off", log_level="error")
    uvloop.run(uvicorn.Server(config).serve([listening]))


def measure(which: str) -> tuple[float, float]:
    """User and system microseconds for a move."""
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(
            subprocess.Popen([sys.executable, __file__, which], stdout=subprocess.PIPE, text=True)
        )
        stack.callback(server.terminate)
        assert server.stdout is not None
        address = f"ws://127.0.0.1:{int(server.stdout.readline())}/"
        clients = [stack.enter_context(connect(address, compression=None)) for _ in range(2 * PAIRS)]

        def used() -> tuple[float, float]:
            clients[0].send(CPU.decode())
            user, system = str(clients[0].recv()).split()
            return float(user), float(system)

        def play(rounds: int) -> None:
            for _ in range(rounds):
                for sender in clients[::2]:
                    sender.send(MOVE.decode())
                for sender in clients[::2]:
                    assert len(sender.recv()) == len(DONE)
                for client in clients:
                    assert len(client.recv()) == len(UPDATE)

        play(MOVES // 10)
        before = used()
        play(MOVES)
        after = used()
    user, system = ((b - a) * 1e6 / (MOVES * PAIRS) for a, b in zip(before, after, strict=True))
    return user, system


def main() -> None:
    names = {"ours": "rostra.server.frames", "theirs": "uvicorn websockets-sansio, ASGI"}
    rounds = [{which: measure(which) for which in names} for _ in range(ROUNDS)]
    best = {which: min(one[which] for one in rounds) for which in names}
    for which, name in names.items():
        user, system = best[which]
        print(f"{name:32} {user:6.1f} us a move, and {system:6.1f} in the kernel")
    print(f"{'ratio':32} {best['theirs'][0] / best['ours'][0]:6.1f}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        serve(sys.argv[1])
    else:
        main()
