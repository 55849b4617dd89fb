"""The counting that players of Quo Vadis? do in their heads: how near all are to the Senate, what a move or deal moves.

It gives no advice and shows nothing that the view does not: hands play no part, so seats and spectators get the same.
"""

from collections.abc import Iterable, Sequence

from rostra.engine.game import copy
from rostra.engine.jit import State
from rostra.games.quovadis.deals import consents_by, ends_game, laurel_won, ones_won, path_of, value_of, vower
from rostra.games.quovadis.notation import by_text
from rostra.games.quovadis.shapes import (
    QuoVadisEffect,
    QuoVadisOutlook,
    QuoVadisPart,
    QuoVadisPath,
    QuoVadisReach,
    QuoVadisShare,
    QuoVadisWorth,
)
from rostra.games.quovadis.state import AT_GIVES, AT_TERMS, AT_THEN, ONE_STEP, freed, in_committee
from rostra.games.quovadis.tables import (
    BARGAIN,
    CONSENTS,
    ENTRIES,
    FROM,
    GIVE,
    LAURELS,
    MAX_GIVES,
    MAX_TERMS,
    MOVE,
    N_COMMITTEES,
    N_PATHS,
    ONE,
    PATHS,
    PLACE_OF,
    PROMISE,
    SEATS_IN,
    SENATE,
    STEPS_TO_SENATE,
    TO,
    TWO_CAESAR,
    VOW,
    encode_move,
    given_to,
    giver_of,
    index_of,
    kind_of,
    maker_of,
    promised_to,
    value_given,
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
        "worth": worth_of_draft(s),
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
    own = min(here[active] - 1, consents)
    others = [seat for seat, number in enumerate(here) for _ in range(number) if seat != active]
    won = laurel_won(s, encode_move(MOVE, path))
    return {
        "path": PATHS[path],
        "mine": True,
        "free": bool((s["arrived"] if to == SENATE else in_committee(s, to)) < SEATS_IN[to]),
        "consents": consents,
        "own": own,
        "others": others if consents else [],
        "ones": min(consents - own, int(s["ones"])),  # Q-MOV-4
        "laurel": LAURELS[won] if won >= 0 else None,
        "stays": _stays(s, path),
    }


def _stays(s: State, path: int) -> str | None:
    """The laurel that a path does not win because Caesar lies on it (Q-CAE-2)."""
    place = int(PLACE_OF[path]) if path >= 0 else -1
    kind = int(s["laurels"][place]) if place >= 0 and place == s["caesar"] else 0
    return LAURELS[kind - 1] if kind else None


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


def worth(
    s: State, action: int, gives: Iterable[int], promises: Iterable[int], vows: Iterable[int] = ()
) -> QuoVadisWorth:
    """What a deal of this action, or a bargain, with these gives, promises and vows (as indices) would move."""
    gives, active = list(gives), int(s["active"])
    parts: dict[int, list[QuoVadisPart]] = {} if kind_of(action) == BARGAIN else {active: []}
    unpaid = []
    won = laurel_won(s, action)
    if won >= 0:
        parts[active].append({"why": "path", "points": int(value_of(won)) + 1, "seat": None})
    for seat in range(s["n"]):
        asked = consents_by(action, seat)
        if not asked or seat == active:
            continue
        earned = int(ones_won(s, action, seat))
        unpaid += [seat] * (asked - earned)
        parts.setdefault(seat, [])
        if earned:
            parts[seat].append({"why": "consent", "points": earned, "seat": None})
    for give in gives:
        giver, taker, points = int(giver_of(give)), int(given_to(give)), int(value_given(give)) + 1
        parts.setdefault(giver, []).append({"why": "gift", "points": -points, "seat": taker})
        parts.setdefault(taker, []).append({"why": "gift", "points": points, "seat": giver})
    for promise in promises:
        parts.setdefault(int(maker_of(promise)), [])
        parts.setdefault(int(promised_to(promise)), [])
    for vow in vows:
        parts.setdefault(int(vower(s, vow)), [])
    order = sorted(parts, key=lambda seat: (seat != active, seat))
    shares: list[QuoVadisShare] = [
        {"seat": seat, "parts": parts[seat], "net": sum(part["points"] for part in parts[seat])} for seat in order
    ]
    return {"shares": shares, "unpaid": unpaid, "stays": _stays(s, path_of(action))}


def worth_of_draft(s: State) -> QuoVadisWorth | None:
    """What the open draft would move; None where there is none."""
    draft = s["draft"].tolist()
    if not draft[0]:
        return None
    gives, promises = draft[AT_GIVES : AT_GIVES + MAX_GIVES], draft[AT_TERMS : AT_TERMS + MAX_TERMS]
    vows = [draft[AT_THEN] - 1] if kind_of(draft[0] - 1) == BARGAIN and draft[AT_THEN] else []
    return worth(s, draft[0] - 1, [one - 1 for one in gives if one], [one - 1 for one in promises if one], vows)


def worth_of_terms(s: State, terms: Sequence[str]) -> QuoVadisWorth:
    """What these terms, which may be offered in this state, would move."""
    action, *others = (by_text()[term] for term in terms)
    chosen = [index_of(move) for move in others if kind_of(move) == ONE]
    if chosen:  # the last laurel of value 1 goes to this seat (Q-MOV-4)
        s = copy(s)
        s["draft"][[0, AT_THEN]] = action + 1, ONE_STEP * (chosen[0] + 1)
    gives, promises, vows = (
        [index_of(move) for move in others if kind_of(move) == kind] for kind in (GIVE, PROMISE, VOW)
    )
    return worth(s, action, gives, promises, vows)
