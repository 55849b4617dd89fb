"""Quo Vadis? as a `Game`."""

from rostra.engine.game import Game, Option
from rostra.engine.jit import State
from rostra.games.quovadis.desk import DESK
from rostra.games.quovadis.evaluate import evaluate
from rostra.games.quovadis.invariants import check
from rostra.games.quovadis.minds import TALLIES, hides, talks, tally, wander
from rostra.games.quovadis.negotiator import MIND
from rostra.games.quovadis.notation import parse, pool, text, words_of
from rostra.games.quovadis.observe import PLANES, observe, redeal
from rostra.games.quovadis.outlook import effect, outlook
from rostra.games.quovadis.rules import apply, draw, legal, odds, score, stream, turn
from rostra.games.quovadis.state import STATE, setup
from rostra.games.quovadis.tables import MAX_LEGAL, MAX_SEATS, N_DECISIONS, N_OUTCOMES
from rostra.games.quovadis.view import diagram, paths, view


def _end(s: State) -> str:
    if s.consul:
        return "consul-elected"
    return "stalled" if s.stalled else "senate-full"


def _games_ended(s: State) -> tuple[int, list[int]]:
    ended = int(s["ended"])
    return ended, s["last_points"][: s["n"]].tolist() if ended else []


_ROUNDS = (10, *range(10), *range(11, 100))
QUO_VADIS = Game(
    name="quovadis",
    title="Quo Vadis?",
    rules_version=1,
    seats=(3, MAX_SEATS),
    options=(
        Option("limited_ones", ("off", "on"), (0, 1), "fewer laurels of value 1 with 3 or 4 players (Q-VAR-1)"),
        Option("open_hands", ("off", "on"), (0, 1), "hands may be shown after each of the first arrivals (Q-VAR-2)"),
        Option("consul_election", ("off", "on"), (0, 1), "three games in a row (Q-VAR-3)"),
        Option("start_seat", ("random", *map(str, range(MAX_SEATS))), (-1, *range(MAX_SEATS)), "who begins (Q-SET-4)"),
        Option("stall_rounds", tuple(map(str, _ROUNDS)), _ROUNDS, "rounds without progress that end it (Q-END-4)"),
        Option("show_hands", ("off", "on"), (0, 1), "everybody sees all laurels (Q-HID-1)"),
    ),
    state=STATE,
    n_decisions=N_DECISIONS,
    n_outcomes=N_OUTCOMES,
    max_legal=MAX_LEGAL,
    ends=("senate-full", "stalled", "consul-elected"),
    secret=False,
    planes=PLANES,
    setup=setup,
    turn=turn,
    legal=legal,
    odds=odds,
    draw=draw,
    apply=apply,
    score=score,
    redeal=redeal,
    observe=observe,
    evaluate=evaluate,
    stream=stream,
    pool=pool,
    wander=wander,
    talks=talks,
    tallies=TALLIES,
    tally=tally,
    text=text,
    parse=parse,
    paths=paths,
    view=view,
    diagram=diagram,
    hides=hides,
    end=_end,
    outlook=outlook,
    effect=effect,
    games_ended=_games_ended,
    check=check,
    explain=lambda s, move: words_of(move),
    desk=DESK,
    mind=MIND,
)
