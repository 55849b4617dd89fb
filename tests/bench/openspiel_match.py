"""One of our bots against OpenSpiel's information-set tree search: `python tests/bench/openspiel_match.py learned`.

One BOT sits among OpenSpiel's Python `ISMCTSBot`s, which play through our adapter: worlds from
`resample_from_infostate`, nodes keyed by observation strings, playouts to the end. A block is one seed with BOT in
every seat and the same dice; the interval is on block means. Without `--constant` a sweep against `greedy` first finds
the opponent's best child selection and constant. `--keep FILE` stores every block as a line, and stored blocks are not
played again: stop and continue as you like, or play slices in parallel with `--first`. Blocks of other settings or
weights in that file are ignored. This is not a test: nothing fails, and a game takes ten seconds or more.
"""

import argparse
import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyspiel  # type: ignore[import-not-found]  # it has no types
from open_spiel.python.algorithms import ismcts  # type: ignore[import-untyped]  # it has no types

import rostra
from rostra.adapters.openspiel_game import Rollouts
from rostra.bots import LEVELS, Bot, make_bot
from rostra.engine.game import WINNER, BadOption
from rostra.engine.loops import start, verbs_of
from rostra.games.alea import ALEA
from rostra.study.ratings import estimate_share, shares_of_win

SWEEP = ("uct:0.5", "uct:1", "uct:2", "puct:0.5", "puct:1", "puct:2", "puct:4", "puct:8")
"""Constants for returns from -1 to 1; OpenSpiel's own examples use UCT with 1 or 2."""
SWEEP_BLOCKS = 10


class Block(NamedTuple):
    """What came of one seed: BOT's share of each game, by its seat; then, for both sides, CPU seconds and decisions
    in which there was a choice."""

    shares: list[float]
    seconds: list[float]
    decisions: list[int]


def opponent(game: Any, constant: str, simulations: int, seed: int) -> Any:
    """OpenSpiel's search, with all its chance from this seed; its own samplers of worlds would have none."""
    selection, _, c = constant.partition(":")
    chance = np.random.RandomState(seed)
    bot = ismcts.ISMCTSBot(
        game, Rollouts(seed=seed), float(c), simulations, random_state=chance, use_observation_string=True,
        child_selection_policy=ismcts.ChildSelectionPolicy[selection.upper()],
    )  # fmt: skip
    bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, chance.uniform))
    return bot


def play(game: Any, bot: Bot, constant: str, simulations: int, seed: int, number: int) -> Block:
    """One block: BOT in every seat, the same dice each time, those of the arena's game of this seed and number."""
    n, verbs = game.num_players(), verbs_of(ALEA)
    found = Block([], [0.0, 0.0], [0, 0])
    for seat in range(n):
        dice, choices = np.zeros(1, np.uint64), np.zeros((n, 1), np.uint64)
        dice_seed = start(dice, choices, seed, number)
        others = [opponent(game, constant, simulations, int(choices[i, 0]) % (1 << 32)) for i in range(n)]
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(
                    verbs.draw(state.states, 0, dice_seed, len(state.history()), dice) - ALEA.rules.n_decisions
                )
                continue
            turn = state.current_player()
            side = int(turn != seat)
            found.decisions[side] += len(state.legal_actions()) > 1
            began = time.process_time()
            move = others[turn].step(state) if side else bot.choose(ALEA, state.record, choices[turn])
            found.seconds[side] += time.process_time() - began
            state.apply_action(int(move))
        result = np.zeros((3, n), np.int32)
        ALEA.rules.score(state.record, result)
        found.shares.append(float(shares_of_win(result[WINNER])[seat]))
    return found


def weights_digest(bot: str, seats: int) -> str | None:
    """Which net a bot plays with, if any."""
    if not LEVELS.get(bot, bot).startswith(("learned", "deep")):
        return None
    file = Path(rostra.__file__).parent / "bots" / "weights" / f"{ALEA.name}-{seats}.npz"
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16] if file.exists() else None


def kept_blocks(file: Path | None, settings: dict[str, Any]) -> dict[int, Block]:
    """The blocks of these settings in the file, by number."""
    if file is None or not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {line["block"]: Block(*line["result"]) for line in lines if line["settings"] == settings}


def match(settings: dict[str, Any], first: int, blocks: int, file: Path | None = None) -> Iterator[dict[int, Block]]:
    """Play blocks first, first + 1, ... that the file does not have; yields all there are, after each."""
    n = settings["seats"]
    game = pyspiel.load_game("python_rostra_alea", {"players": n})
    bot = make_bot(settings["bot"])
    found = kept_blocks(file, settings)
    if found:
        yield found
    for number in range(first, first + blocks):
        if number in found:
            continue
        found[number] = play(game, bot, settings["constant"], settings["simulations"], settings["seed"], number)
        if file is not None:
            with file.open("a", encoding="utf-8") as kept:
                line = {"settings": settings, "block": number, "result": found[number]}
                kept.write(json.dumps(line) + "\n")
        yield found


def interval(blocks: dict[int, Block]) -> str:
    """Games, share and its 95 % interval, in per cent."""
    means = np.array([np.mean(block.shares) for block in blocks.values()])
    share = estimate_share(means)  # Clopper-Pearson where all blocks were won, or lost, whole
    games = sum(len(block.shares) for block in blocks.values())
    if share.half is None:
        return f"{games} games | {100 * share.mean:.1f} % | -"
    low, high = max(0.0, share.mean - share.half), min(1.0, share.mean + share.half)
    return f"{games} games | {100 * share.mean:.1f} % | {100 * low:.1f} to {100 * high:.1f} %"


def row(settings: dict[str, Any], blocks: dict[int, Block]) -> str:
    """The line of a table: who, games, share with interval, seconds a move of both, settings."""
    took = [
        sum(block.seconds[side] for block in blocks.values())
        / max(1, sum(block.decisions[side] for block in blocks.values()))
        for side in (0, 1)
    ]
    opposed = f"ISMCTS {settings['simulations']}, {settings['constant'].replace(':', ' ')}"
    return (
        f"| {settings['bot']} among {opposed}, {settings['seats']} players | {interval(blocks)} | "
        f"{took[0]:.5f} s / {took[1]:.3f} s | seed {settings['seed']} |"
    )


def made_settings(bot: str, constant: str, simulations: int, seats: int, seed: int) -> dict[str, Any]:
    """Everything that decides what a block's games are."""
    selection, _, c = constant.partition(":")
    if selection not in ("uct", "puct") or not c.replace(".", "", 1).isdigit():
        raise BadOption(f"the constant is a child selection and a number, such as uct:1 or puct:8, not {constant!r}")
    return {
        "bot": bot, "constant": constant, "simulations": simulations, "seats": seats, "seed": seed,
        "weights": weights_digest(bot, seats),
    }  # fmt: skip


def best_constant(
    constants: Sequence[str], blocks: int, simulations: int, seats: int, seed: int, file: Path | None
) -> str:
    """The constant with which the opponent does best against `greedy`, printed with all others."""
    shares = {}
    for constant in constants:
        settings = made_settings("greedy", constant, simulations, seats, seed)
        *_, found = match(settings, 0, blocks, file)
        print(row(settings, found), flush=True)
        shares[constant] = float(np.mean([block.shares for block in found.values()]))
    best = min(constants, key=lambda constant: shares[constant])
    print(f"best constant: {best}", flush=True)
    return best


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, print the running interval, then the row."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("bot", metavar="BOT", help="such as learned or search:200")
    parser.add_argument("--games", type=int, default=400, help="rounded up to whole blocks")
    parser.add_argument("--first", type=int, default=0, metavar="BLOCK", help="the first block of this slice")
    parser.add_argument("--simulations", type=int, default=200, help="of each search of the opponent")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--constant", help="such as uct:1 or puct:8; without it, the best of a sweep")
    parser.add_argument("--sweep", default=",".join(SWEEP), help="the constants to try")
    parser.add_argument("--sweep-blocks", type=int, default=SWEEP_BLOCKS, help="blocks for each of them")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="a line a block; what is there is not played again")
    given = parser.parse_args(arguments)
    try:
        ALEA.check_seats(given.seats)
        make_bot(given.bot)
        constant = given.constant or best_constant(
            given.sweep.split(","), given.sweep_blocks, given.simulations, given.seats, given.seed, given.keep
        )
        settings = made_settings(given.bot, constant, given.simulations, given.seats, given.seed)
    except BadOption as error:
        parser.error(str(error))
    found: dict[int, Block] = {}
    for found in match(settings, given.first, -(-given.games // given.seats), given.keep):
        print(f"{given.bot}: {interval(found)}", flush=True)
    if found:
        print(row(settings, found))


if __name__ == "__main__":
    main()
