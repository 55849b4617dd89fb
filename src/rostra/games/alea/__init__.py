"""Alea Iacta Est as a `Game`."""

from rostra.engine.game import Game, Knowledge, Notation, Option, Play, Rules, Screen
from rostra.games.alea.bounds import longest
from rostra.games.alea.chance import draw, odds, stream
from rostra.games.alea.diagram import diagram
from rostra.games.alea.evaluate import evaluate
from rostra.games.alea.minds import MIND, pause
from rostra.games.alea.notation import parse, pool, text
from rostra.games.alea.observe import PLANES, hides, observe, redeal
from rostra.games.alea.outlook import effect, outlook
from rostra.games.alea.phrases import phrase
from rostra.games.alea.primer import PRIMER
from rostra.games.alea.reasons import reasons
from rostra.games.alea.rules import apply, legal, turn
from rostra.games.alea.scoring import score
from rostra.games.alea.shapes import AleaEffect, AleaOutlook, AleaView
from rostra.games.alea.state import STATE, setup
from rostra.games.alea.tables import MAX_LEGAL, MAX_SEATS, N_DECISIONS, N_OUTCOMES
from rostra.games.alea.terminal.guide import AleaGuide
from rostra.games.alea.view import explain, paths, view

ALEA = Game(
    rules=Rules(
        name="alea",
        title="Alea Iacta Est",
        seats=(2, MAX_SEATS),
        options=(
            Option(
                "voluntary_latrina", ("off", "on"), (0, 1), "one die may be put into the Latrina at any time (A-LAT-2)"
            ),
            Option(
                "start_seat",
                ("random", *map(str, range(MAX_SEATS))),
                (-1, *range(MAX_SEATS)),
                "who has the start marker first (A-SET-10)",
                names_seats=True,
            ),
        ),
        state=STATE,
        n_decisions=N_DECISIONS,
        n_outcomes=N_OUTCOMES,
        max_legal=MAX_LEGAL,
        setup=setup,
        turn=turn,
        legal=legal,
        odds=odds,
        draw=draw,
        apply=apply,
        score=score,
        longest=longest,
        points=(-1, 500),  # -1: a vacant joker (A-END-2); 500: more than all tiles, tokens and cards
    ),
    notation=Notation(text=text, parse=parse, pool=pool, end=lambda s: "sets-played"),
    knowledge=Knowledge(secret=True, redeal=redeal, hides=hides, observe=observe, planes=PLANES),
    screen=Screen(
        view=view,
        diagram=diagram,
        paths=paths,
        explain=explain,
        outlook=outlook,
        effect=effect,
        phrase=phrase,
        reasons=reasons,
        primer=PRIMER,
        guide=AleaGuide,
        structs=(AleaView, AleaOutlook, AleaEffect),
    ),
    play=Play(evaluate=evaluate, stream=stream, pause=pause),
    mind=MIND,
)
