"""Play a live match through the API: create a match against a bot, sit down, and play random moves.

    rostra serve &
    python examples/play_by_api.py http://127.0.0.1:8765

Replace `choose` with something cleverer. The messages are described in docs/api.md.
"""

import argparse
import asyncio
import random
import secrets
from typing import Any

from rostra.client import Client, request


def choose(play: dict[str, Any]) -> str:
    """Choose a move from what the seat sees (`play["view"]`) and may do (`play["legal"]`)."""
    placings = [move for move in play["legal"] if not move.startswith("R")]  # a reroll costs a chip
    return random.choice(placings or play["legal"])


async def play_a_match(server: str, game: str, opponents: list[str]) -> dict[str, Any]:
    """Play one match to its end; returns its result."""
    me = await request(server, "POST", "/api/people", {"name": "Roboticus"})
    seats = [{"kind": "me"}, *({"kind": "bot", "bot": bot} for bot in opponents)]
    wanted = {"game": game, "seats": seats, "settings": {"pace": 0, "talk": 0}}
    made = await request(server, "POST", "/api/matches", wanted, me["token"])
    match = made["match"]
    print(f"match {match}, its dice are committed to by {made['commit']}")
    async with Client(server, me["token"]) as client:
        await client.send("sit", match, seat=0, name=me["name"], entropy=secrets.token_hex(16))
        table = await client.watch(match, seat=0)
        while not table.over:
            known, play = table.number, table.play
            if play is not None and play["legal"]:
                here = {"epoch": play["epoch"], "ply": play["ply"]}
                await client.send("play", match, seat=0, **here, move=choose(play))
            await table.news(known)
    transcript = await request(server, "GET", f"/api/matches/{match}/transcript")
    print(f"{len(table.log)} plies, transcript of {len(transcript)} bytes; check its dice with: rostra verify FILE")
    return dict(table.about["result"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Play a live match through the API.")
    parser.add_argument("server", nargs="?", default="http://127.0.0.1:8765")
    parser.add_argument("--game", default="alea")
    parser.add_argument("--opponents", default="greedy", help="bots, separated by commas")
    asked = parser.parse_args()
    print(asyncio.run(play_a_match(asked.server, asked.game, asked.opponents.split(","))))
