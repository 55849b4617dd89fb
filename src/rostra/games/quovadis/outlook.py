"""The counting that players of Quo Vadis? do in their heads: how near all are to the Senate, what a move would earn.

It gives no advice and shows nothing that the view does not: hands play no part, so seats and spectators get the same.
"""

from rostra.engine.jit import State
from rostra.games.quovadis.deals import ends_game, laurel_won, ones_won, path_of
from rostra.games.quovadis.shapes import QuoVadisEffect, QuoVadisOutlook, QuoVadisPath, QuoVadisReach
from rostra.games.quovadis.state import freed, in_committee
from rostra.games.quovadis.tables import (
    CONSENTS,
    ENTRIES,
    FROM,
    LAURELS,
    MOVE,
    N_COMMITTEES,
    N_PATHS,
    PATHS,
    SEATS_IN,
    SENATE,
    STEPS_TO_SENATE,
    TO,
    TWO_CAESAR,
    encode_move,
)

STEPS = STEPS_TO_SENATE.tolist()
STEPS_FROM_OFF = 1 + min(STEPS[:ENTRIES])  # entering is a move (Q-ACT-1)


def outlook(s: State, seat: int | None) -> QuoVadisOutlook:
    """How full the Senate is, how near each seat is to it, the active seat's paths, and whether the game stalls."""
    board = s["board"].tolist()
    active, arrived, quiet = int(s["active"]), int(s["arrived"]), int(s["quiet"])
    stalls_at = int(s["stall_rounds"]) * int(s["n"])
    return {
        "senate_free": int(SEATS_IN[SENATE]) - arrived,
        "reach": [_reach(s, board, player) for player in range(s["n"])],
        "paths": [_path(s, board, path) for path in range(N_PATHS) if board[FROM[path]][active]],
        "stall": stalls_at - quiet if stalls_at and 2 * quiet >= stalls_at else None,  # Q-END-4
    }


def _reach(s: State, board: list[list[int]], seat: int) -> QuoVadisReach:
    """The fewest moves to the Senate, as if every seat were free and everybody consented."""
    moves = [STEPS[committee] for committee in range(N_COMMITTEES) if board[committee][seat]]
    if s["off"][seat]:
        moves.append(STEPS_FROM_OFF)
    return {"inside": s["senate"].tolist().count(seat + 1), "moves": min(moves, default=None)}


def _path(s: State, board: list[list[int]], path: int) -> QuoVadisPath:
    active, to = int(s["active"]), int(TO[path])
    here = board[FROM[path]]
    consents = 0 if freed(s, path) else int(CONSENTS[path])  # Q-CAE-1, Q-MOV-1, Q-MOV-2
    others = [seat for seat, number in enumerate(here) for _ in range(number) if seat != active]
    won = laurel_won(s, encode_move(MOVE, path))
    return {
        "path": PATHS[path],
        "mine": True,
        "free": bool((s["arrived"] if to == SENATE else in_committee(s, to)) < SEATS_IN[to]),
        "consents": consents,
        "own": min(here[active] - 1, consents),
        "others": others if consents else [],
        "laurel": LAURELS[won] if won >= 0 else None,
    }


def effect(s: State, move: int) -> QuoVadisEffect:
    """What an action of the active seat would do once carried out; only what would happen."""
    told: QuoVadisEffect = {}
    if path_of(move) < 0:  # to enter, to move Caesar or to talk earns nothing
        return told
    won = laurel_won(s, move)
    if won >= 0:
        told["laurel"] = LAURELS[won]
    ones = [seat for seat in range(s["n"]) for _ in range(ones_won(s, move, seat))]
    if ones:
        told["ones"] = ones
    if ends_game(s, move):
        told["ends"] = True
    elif won == TWO_CAESAR:  # Q-MOV-5; after the fifth arrival nothing follows (Q-END-1)
        told["caesar"] = True
    return told
