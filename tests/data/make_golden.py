"""Rewrites the golden transcripts: `python tests/data/make_golden.py`. Check the diff before you commit."""

from pathlib import Path

from rostra.bots import make_bot
from rostra.engine.game import digest
from rostra.games.alea import ALEA
from rostra.games.quovadis import QUO_VADIS
from rostra.play.transcript import Digest, Event, Ply, Transcript, replay, write
from rostra.study.simulate import simulate, transcripts

FOLDER = Path(__file__).parent / "golden"
EVERY = 25
"""How many plies lie between two digests."""


def with_digests(transcript: Transcript) -> Transcript:
    """The transcript with a digest before every so many plies."""
    run = replay(transcript)
    before = {step.ply.number: digest(step.state) for step in run if step.ply.number % EVERY == 0}
    events: list[Event] = []
    for event in transcript.events:
        if isinstance(event, Ply) and event.number in before:
            events.append(Digest(before[event.number]))
        events.append(event)
    transcript.events = events
    return transcript


def main() -> None:
    """For each game, number of players and way to end a game of one greedy bot among random ones."""
    FOLDER.mkdir(exist_ok=True)
    cases = [(ALEA, n, {"voluntary_latrina": "on", "start_seat": "1"} if n % 2 else {}, "") for n in range(2, 6)] + [
        (QUO_VADIS, n, options, end)
        for n in range(3, 6)
        for end, options in (
            ("", {}),
            ("-stalled", {"stall_rounds": "1", "limited_ones": "on"}),
            ("-election", {"consul_election": "on"}),
        )
    ]
    for game, n, options, end in cases:
        bots = [make_bot("greedy"), *[make_bot("random")] * (n - 1)]
        for seed in range(1000):
            transcript = next(transcripts(simulate(game, bots, 1, seed=n + seed, options=options), options))
            assert transcript.result is not None
            if end != "-stalled" or transcript.result.end == "stalled":
                break
        (FOLDER / f"{game.name}-{n}{end}.game").write_text(write(with_digests(transcript)), encoding="utf-8")


if __name__ == "__main__":
    main()
