"""Writes the golden transcripts anew: `python tests/data/make_golden.py`. Look at the difference before a commit."""

from pathlib import Path

from rostra.arena import simulate, transcripts
from rostra.bots import make_bot
from rostra.game import digest
from rostra.games.alea import ALEA
from rostra.transcript import Digest, Ply, replay, write

FOLDER = Path(__file__).parent / "golden"
EVERY = 25
"""How many plies lie between two digests."""


def main() -> None:
    """One greedy and otherwise random game for each number of players, with and without the options."""
    FOLDER.mkdir(exist_ok=True)
    for seats in range(2, 6):
        options = {"voluntary_latrina": "on", "start_seat": "1"} if seats % 2 else {}
        bots = [make_bot("greedy"), *[make_bot("random")] * (seats - 1)]
        simulation = simulate(ALEA, bots, 1, seed=seats, options=options)
        transcript = next(transcripts(simulation, options))
        events: list[Ply | Digest] = []
        for step in replay(transcript):
            if step.ply.number % EVERY == 0:
                events.append(Digest(digest(step.state)))
            events.append(step.ply)
        transcript.events = events
        (FOLDER / f"alea-{seats}.game").write_text(write(transcript), encoding="utf-8")


if __name__ == "__main__":
    main()
