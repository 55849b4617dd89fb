"""Bad networks between clients and servers: `Chaos` disturbs messages, `Door` leads to whichever server is alive.

`Chaos` is worse than any real network, where a message is lost only together with its connection. Here single messages
vanish or arrive twice, late or out of order, in both directions, and connections break in between. The seed determines
what happens to the n-th message of a connection, but not which message that is.
"""

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import Sequence

import websockets
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve


class Chaos:
    """A WebSocket proxy: `async with Chaos(server.url, seed) as chaos`, clients connect to `chaos.url`."""

    def __init__(
        self, target: str, seed: int, *, lost: float = 0.04, twice: float = 0.06, late: float = 0.15, cut: float = 0.015
    ) -> None:
        """The shares of messages that vanish, come twice, come late, and break the connection."""
        self._target = target.replace("http", "ws", 1)
        self._seed = seed
        self._shares = {"lost": lost, "twice": twice, "late": late, "cut": cut}
        self._server: Server | None = None
        self._connections = 0
        self.url = ""
        self.did: Counter[str] = Counter()

    async def __aenter__(self) -> "Chaos":
        self._server = await serve(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{next(iter(self._server.sockets)).getsockname()[1]}"
        return self

    async def __aexit__(self, *problem: object) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, client: ServerConnection) -> None:
        self._connections += 1
        chance = [random.Random(f"{self._seed}/{self._connections}/{way}") for way in ("up", "down")]
        assert client.request is not None
        with contextlib.suppress(OSError, websockets.WebSocketException):
            async with connect(self._target + client.request.path, max_size=2**22) as server:
                ways = [
                    asyncio.create_task(self._carry(client, server, chance[0])),
                    asyncio.create_task(self._carry(server, client, chance[1])),
                ]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()
                server.transport.abort()
        client.transport.abort()

    async def _carry(
        self,
        come: ServerConnection | ClientConnection,
        go: ServerConnection | ClientConnection,
        chance: random.Random,
    ) -> None:
        """Carry messages one way, until the connection breaks or is broken."""
        late: set[asyncio.Task[None]] = set()
        with contextlib.suppress(websockets.ConnectionClosed):
            async for message in come:
                fate = next((fate for fate, share in self._shares.items() if chance.random() < share), "carried")
                self.did[fate] += 1
                if fate == "cut":
                    return
                if fate in ("twice", "late"):
                    task = asyncio.create_task(self._later(go, message, chance.uniform(0, 0.1)))
                    late.add(task)
                    task.add_done_callback(late.discard)
                if fate in ("twice", "carried"):
                    await go.send(message)

    async def _later(self, go: ServerConnection | ClientConnection, message: str | bytes, seconds: float) -> None:
        """Send a message after those that came behind it."""
        await asyncio.sleep(seconds)
        with contextlib.suppress(websockets.ConnectionClosed):
            await go.send(message)


class Door:
    """A TCP proxy that leads to the first server that answers: `async with Door([8001, 8002]) as door`."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.ports = list(ports)
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()
        self.url = ""

    async def __aenter__(self) -> "Door":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *problem: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        writers = [writer]
        try:
            for port in self.ports:
                with contextlib.suppress(OSError):
                    from_server, to_server = await asyncio.open_connection("127.0.0.1", port)
                    writers.append(to_server)
                    ways = [
                        asyncio.create_task(_pour(reader, to_server)),
                        asyncio.create_task(_pour(from_server, writer)),
                    ]
                    try:
                        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                    finally:
                        for way in ways:
                            way.cancel()
                        await asyncio.gather(*ways, return_exceptions=True)
                    return
        except asyncio.CancelledError:
            pass  # the door is closed: asyncio would complain of a handler that was cancelled
        finally:
            for one in writers:
                one.transport.abort()
            self._open.discard(task)


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(2**16):
            writer.write(data)
            await writer.drain()
