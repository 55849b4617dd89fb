"""Alea Iacta Est as a `Game`."""

from rostra.engine.game import Game, Option
from rostra.games.alea.chance import draw, odds, stream
from rostra.games.alea.diagram import diagram
from rostra.games.alea.evaluate import evaluate
from rostra.games.alea.invariants import check
from rostra.games.alea.minds import MIND, pause
from rostra.games.alea.notation import parse, pool, text
from rostra.games.alea.observe import PLANES, hides, observe, redeal
from rostra.games.alea.outlook import effect, outlook
from rostra.games.alea.rules import apply, legal, talks, tally, turn, wander
from rostra.games.alea.scoring import score
from rostra.games.alea.state import STATE, setup
from rostra.games.alea.tables import MAX_LEGAL, MAX_SEATS, N_DECISIONS, N_OUTCOMES
from rostra.games.alea.view import explain, paths, view

ALEA = Game(
    name="alea",
    title="Alea Iacta Est",
    rules_version=1,
    seats=(2, MAX_SEATS),
    options=(
        Option("voluntary_latrina", ("off", "on"), (0, 1), "one die may be put into the Latrina at any time (A-LAT-2)"),
        Option(
            "start_seat",
            ("random", *map(str, range(MAX_SEATS))),
            (-1, *range(MAX_SEATS)),
            "who has the start marker first (A-SET-10)",
        ),
    ),
    state=STATE,
    n_decisions=N_DECISIONS,
    n_outcomes=N_OUTCOMES,
    max_legal=MAX_LEGAL,
    ends=("sets-played",),
    secret=True,
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
    tallies=(),
    tally=tally,
    text=text,
    parse=parse,
    paths=paths,
    view=view,
    diagram=diagram,
    hides=hides,
    end=lambda s: "sets-played",
    check=check,
    explain=explain,
    outlook=outlook,
    effect=effect,
    pause=pause,
    mind=MIND,
)
