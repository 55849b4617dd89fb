"""The MCP server over the real protocol: the SDK's own client, stdio and HTTP, and a scripted assistant."""

import asyncio
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from live_server import Server, free_port
from rostra.agents.table import Key
from rostra.client import request

TOOLS = {
    *("list_games", "rules", "list_matches", "new_match", "join_match", "observe", "wait", "legal_actions", "act"),
    *("offer", "answer", "withdraw", "ready", "say"),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(f"sqlite:{tmp_path_factory.mktemp('mcp') / 'matches.db'}").start()
    yield running
    running.stop()


def over_stdio(*flags: str) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=["-m", "rostra", "mcp", *flags])


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool answers; an error is a failed test."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.content
    return str(result.content[0].text)


async def play(client: Client, seen: dict[str, Any], choose: Any) -> dict[str, Any]:
    """Play the seat on to the end, as an assistant would; returns the last observation."""
    token = seen["seat_token"]
    seen = await call(client, "wait", seat_token=token, seconds=20)
    while seen["status"] != "over":
        asked = [offer for offer in seen.get("offers", ()) if offer["answer_needed"]]
        if asked:
            offer = asked[0]
            answered = {"seat_token": token, "offer": offer["offer"], "yes": choose(offer)}
            await client.call_tool("answer", answered)  # it may have lapsed meanwhile
        elif seen["to_do"].startswith("It is"):
            found = await call(client, "legal_actions", seat_token=token)
            if found["moves"]:
                move = next(one["move"] for one in found["moves"] if not one["move"].startswith("R"))
                seen = await call(client, "act", seat_token=token, move=move)
                continue
        seen = await call(client, "wait", seat_token=token, seconds=20)
    return seen


def test_an_assistant_plays_on_a_server_of_its_own(tmp_path: Path) -> None:
    """`rostra mcp` alone: it starts the server, and stops it at the end."""

    async def run() -> str:
        async with Client(over_stdio("--database", f"sqlite:{tmp_path / 'own.db'}")) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
            assert all(tool.description for tool in (await client.list_tools()).tools)
            games = await call(client, "list_games")
            assert {"alea", "quovadis"} <= {game["name"] for game in games["games"]}
            told = await call(client, "rules", game="alea")
            assert "S345" in told["rules"]
            topic = await call(client, "rules", game="alea", topic="senatus")
            assert any("sequence" in rule for rule in topic["rules"])
            seen = await call(client, "new_match", game="alea", opponents=["greedy"])
            page = str(seen["page"])
            over = await play(client, seen, None)
            assert over["result"]["end"] == "sets-played"
            assert over["to_do"] == "The match is over."
            return page

    page = asyncio.run(run())
    with pytest.raises(OSError):
        urllib.request.urlopen(page, timeout=5)


def test_an_assistant_negotiates_on_another_server(server: Server) -> None:
    offered: list[Any] = []

    def agree(offer: dict[str, Any]) -> bool:
        offered.append(offer)
        return True

    async def run() -> dict[str, Any]:
        async with Client(over_stdio("--url", server.url)) as client:
            wanted = {"game": "quovadis", "opponents": ["learned", "greedy"], "talk_seconds": 0}
            seen = await call(client, "new_match", **wanted)
            token = seen["seat_token"]
            said = await call(client, "say", seat_token=token, text="Let us be friends.")
            assert {"seat": 0, "text": "Let us be friends."} in said["chat"]
            return await play(client, seen, agree)

    over = asyncio.run(run())
    assert over["result"]["end"] in ("senate-full", "stalled")
    assert any("Let us be friends." in line["text"] for line in over["chat"])


def test_two_assistants_and_their_deal(server: Server) -> None:
    """One makes the match, two join; an offer is made, seen, answered and carried out."""

    async def run() -> None:
        async with Client(over_stdio("--url", server.url)) as client:
            wanted = {"game": "quovadis", "opponents": ["open", "open"], "options": {"start_seat": "0"}}
            first = await call(client, "new_match", listed=True, **wanted)
            assert "not all seats" in first["to_do"]
            match = first["match"]
            listed = await call(client, "list_matches")
            assert match in [one["match"] for one in listed["matches"]]
            second = await call(client, "join_match", match=first["page"], name="Ben")
            third = await call(client, "join_match", match=match, seat=2, name="Cleo")
            tokens = [one["seat_token"] for one in (first, second, third)]
            assert [one["your_seat"] for one in (first, second, third)] == [0, 1, 2]
            assert "no seat of this match is open" in await refused(client, "join_match", match=match)

            seen = await call(client, "wait", seat_token=tokens[0])
            assert seen["players"] == ["Assistant", "Ben", "Cleo"]
            assert seen["turn"] == 0 and seen["to_do"].startswith("It is your turn")
            assert "it is not your turn" in await refused(client, "act", seat_token=tokens[1], move="+B")
            assert "illegal" in await refused(client, "act", seat_token=tokens[0], move="A>E")
            for seat in range(3):
                await call(client, "wait", seat_token=tokens[seat])
                await call(client, "act", seat_token=tokens[seat], move="+D")
            seen = await call(client, "wait", seat_token=tokens[0])
            found = await call(client, "legal_actions", seat_token=tokens[0])
            assert "D>G(1)" in found["needs_an_offer"]
            assert "D>G(1)" not in [one["move"] for one in found["moves"]]

            terms = ["D>G(1)", "promise 0 1 support"]
            waiting = asyncio.create_task(call(client, "wait", seat_token=tokens[1], seconds=20))
            made = await call(client, "offer", seat_token=tokens[0], terms=terms)
            [offer] = (await waiting)["offers"]
            assert offer["terms"] == terms and offer["answer_needed"] and offer["by"] == 0
            assert not made["offers"][0]["answer_needed"]
            seen = await call(client, "answer", seat_token=tokens[1], offer=offer["offer"], yes=True)
            assert seen["view"]["promises"][0]["promise"] == "promise 0 1 support"
            assert seen["view"]["committees"]["G"]["senators"] == [0]

    asyncio.run(run())


def test_a_seat_sees_what_its_person_sees_and_nothing_else(server: Server) -> None:
    """Every observation has the view and the log that the server gives this seat; hidden plies stay hidden."""

    async def run() -> None:
        async with Client(over_stdio("--url", server.url)) as client:
            first = await call(client, "new_match", game="alea", opponents=["open", "greedy"])
            second = await call(client, "join_match", match=first["match"])
            tokens = [first["seat_token"], second["seat_token"]]
            hidden = 0
            for _ in range(200):
                for token in tokens:
                    key = Key.read(token)
                    seen = await call(client, "observe", seat_token=token)
                    path = f"/api/matches/{key.match}?seat={key.seat}"
                    told = await request(server.url, "GET", path, token=key.person)
                    if told["number"] == seen["number"] and told.get("play"):
                        assert seen["view"] == told["play"]["view"]
                        lines = seen["log"]["lines"]
                        hidden += sum(line.endswith(("=?", "+?")) for line in lines)
                        for line, entry in zip(reversed(lines), reversed(told["log"]["lines"]), strict=False):
                            assert line.endswith(f": {entry['move']}")
                    if seen["to_do"].startswith("It is your turn"):
                        moves = (await call(client, "legal_actions", seat_token=token))["moves"]
                        await call(client, "act", seat_token=token, move=moves[0]["move"])
                if hidden > 3:
                    return
            raise AssertionError("nothing was hidden")

    asyncio.run(run())


def test_wrong_calls_get_a_sentence(server: Server) -> None:
    async def run() -> None:
        async with Client(over_stdio("--url", server.url)) as client:
            assert "no seat token" in await refused(client, "observe", seat_token="abc")
            stolen = Key("nowhere", 0, "nobody").token
            assert "refused" in await refused(client, "observe", seat_token=stolen)
            assert "no-bot" in await refused(client, "new_match", game="alea", opponents=["nobody"])
            assert "list_games" in await refused(client, "rules", game="chess")
            assert "senatus" in await refused(client, "rules", game="alea", topic="sen")
            seen = await call(client, "new_match", game="alea", opponents=["open"])
            other = Key(seen["match"], 1, Key.read(seen["seat_token"]).person).token
            assert "refused" in await refused(client, "observe", seat_token=other)
            waited = await call(client, "wait", seat_token=seen["seat_token"], seconds=0.1)
            assert waited["status"] != "playing"
        async with Client(over_stdio("--url", "http://127.0.0.1:1")) as client:
            assert "cannot be reached" in await refused(client, "list_games")

    asyncio.run(run())


def test_over_http(server: Server) -> None:
    port = free_port()
    command = [sys.executable, "-m", "rostra", "mcp", "--url", server.url, "--http", str(port)]
    serving = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    async def run() -> dict[str, Any]:
        for _ in range(1200):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            except OSError:
                await asyncio.sleep(0.05)
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            return dict(await call(client, "new_match", game="alea", opponents=["greedy"]))

    try:
        assert asyncio.run(run())["your_seat"] == 0
    finally:
        serving.terminate()
        serving.wait()


def test_a_seat_token_is_opaque_and_complete() -> None:
    key = Key("abc", 3, "secret")
    assert Key.read(key.token) == key
    assert "secret" not in key.token
    assert json.dumps(key.token)
