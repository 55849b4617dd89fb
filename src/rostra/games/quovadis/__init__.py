"""Quo Vadis? as a `Game`."""

from rostra.engine.desk import Desk
from rostra.engine.game import Game, Knowledge, Notation, Option, Play, Rules, Screen
from rostra.engine.jit import State
from rostra.games.quovadis import desk, haggling, intrigue, prices, speech
from rostra.games.quovadis.bounds import longest
from rostra.games.quovadis.dealings import dealings
from rostra.games.quovadis.evaluate import evaluate
from rostra.games.quovadis.ledger import ledger
from rostra.games.quovadis.minds import TALLIES, random_move, talks, tally
from rostra.games.quovadis.negotiator import MIND
from rostra.games.quovadis.notation import parse, pool, reread, text, words_of
from rostra.games.quovadis.observe import PLANES, observe, redeal
from rostra.games.quovadis.outlook import effect, outlook, worth_of_terms
from rostra.games.quovadis.phrases import phrase
from rostra.games.quovadis.primer import PRIMER
from rostra.games.quovadis.reasons import reasons
from rostra.games.quovadis.rules import apply, draw, legal, odds, score, stream, turn
from rostra.games.quovadis.shapes import (
    QuoVadisEffect,
    QuoVadisOutlook,
    QuoVadisPledge,
    QuoVadisView,
    QuoVadisWorth,
)
from rostra.games.quovadis.state import ON_DEMAND, STATE, setup
from rostra.games.quovadis.supposing import supposed
from rostra.games.quovadis.tables import MAX_LEGAL, MAX_SEATS, N_DECISIONS, N_OUTCOMES
from rostra.games.quovadis.terminal.guide import QuoVadisGuide
from rostra.games.quovadis.view import diagram, paths, view


def _end(s: State) -> str:
    if s.consul:
        return "consul-elected"
    return "stalled" if s.stalled else "senate-full"


def _games_ended(s: State) -> tuple[int, list[int]]:
    ended = int(s["ended"])
    return ended, s["last_points"][: s["n"]].tolist() if ended else []


_ROUNDS = (10, *range(10), *range(11, 100))
_SEATS = ("random", *map(str, range(MAX_SEATS)))
QUO_VADIS = Game(
    rules=Rules(
        name="quovadis",
        title="Quo Vadis?",
        seats=(3, MAX_SEATS),
        options=(
            Option("limited_ones", ("off", "on"), (0, 1), "fewer laurels of value 1 with 3 or 4 players (Q-VAR-1)"),
            Option(
                "open_hands", ("off", "on"), (0, ON_DEMAND), "hands are shown on demand after early arrivals (Q-VAR-2)"
            ),
            Option("consul_election", ("off", "on"), (0, 1), "three games in a row (Q-VAR-3)"),
            Option("start_seat", _SEATS, (-1, *range(MAX_SEATS)), "who begins (Q-SET-4)", names_seats=True),
            Option("stall_rounds", tuple(map(str, _ROUNDS)), _ROUNDS, "rounds without progress that end it (Q-END-4)"),
            Option("show_hands", ("off", "on"), (0, 1), "everybody sees all laurels (Q-HID-1)"),
            Option("caesar_frees", ("path", "committee"), (0, 1), "what Caesar frees of consent (Q-VAR-4)", newer=True),
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
        points=(0, 500),  # more than all laurels of three games
    ),
    notation=Notation(text=text, parse=parse, reread=reread, pool=pool, end=_end, games_ended=_games_ended),
    knowledge=Knowledge(redeal=redeal, observe=observe, planes=PLANES),
    screen=Screen(
        view=view,
        diagram=diagram,
        paths=paths,
        explain=lambda s, move: words_of(move),
        outlook=outlook,
        effect=effect,
        phrase=phrase,
        reasons=reasons,
        primer=PRIMER,
        guide=QuoVadisGuide,
        structs=(QuoVadisView, QuoVadisOutlook, QuoVadisEffect, QuoVadisPledge, QuoVadisWorth),
    ),
    play=Play(evaluate=evaluate, random_move=random_move, talks=talks, stream=stream, tallies=TALLIES, tally=tally),
    desk=Desk(
        deal=desk.deal,
        refusal=desk.refusal,
        invite=desk.invite,
        ask=desk.ask,
        draft=desk.draft,
        more=desk.more,
        parties=desk.parties_of,
        worth=worth_of_terms,
        open=desk.is_open,
        matters=desk.matters,
        turn=desk.turn_number,
        is_bargain=desk.is_bargain,
        ledger=ledger,
        dealings=dealings,
        acts=desk.acts,
        act=haggling.act,
        answer=haggling.answer,
        counter=haggling.counter,
        offer=intrigue.offer,
        speak=speech.speak,
        consents=prices.consents,
        pay=prices.pay,
        quote=haggling.quote,
        supposed=supposed,
    ),
    mind=MIND,
)
