"""The inputs of the value net of Quo Vadis?: numbers near 0 to 1, seats in turn order from the own one.

Nothing is secret from a perfect memory (Q-HID-1). Open drafts are no input: the net values positions after an action,
before the next laurel is turned up or the next seat acts.
"""

from typing import Any

import numpy as np

from rostra.engine.jit import State, compiled
from rostra.games.quovadis.course import points_now
from rostra.games.quovadis.deals import BROKEN, KEPT
from rostra.games.quovadis.rules import stack_size
from rostra.games.quovadis.state import STATE, arrival, freed
from rostra.games.quovadis.tables import (
    CONSENTS,
    FROM,
    MAX_SEATS,
    N_COMMITTEES,
    N_PATHS,
    N_PLACES,
    N_VALUES,
    PLACE_OF,
    REFILL,
    SEATS_IN,
    SENATE,
    STEPS_TO_SENATE,
    SUPPORT,
    TO,
    TWO_CAESAR,
    kind_of_promise,
    maker_of,
    promised_to,
)

FLOATS = [np.float32]
WORK = [np.int64]

POINTS, LEAD, LEADS, OFF, ARRIVED, ORDER, STEPS = range(7)
ALONE_IN, ALONE_MOVES, ALONE_LAUREL, ASKED_IN, ASKED_MOVES, ASKED_LAUREL, ACTS = range(7, 14)
BROKE, KEPT_WORD, TO_ME, FROM_ME, OWES, OWNS = range(14, 20)
HAND = 20
BOARD = HAND + N_VALUES
PER_SEAT = BOARD + N_COMMITTEES
"""Number of inputs of a seat: laurels, senators, what it could do next, promises."""
AT_PLACES = MAX_SEATS * PER_SEAT
"""Per laurel place: value, a 2 with Caesar, empty, Caesar stands there."""
AT_COMMITTEES = AT_PLACES + 4 * N_PLACES
AT_COURSE = AT_COMMITTEES + N_COMMITTEES
"""Arrivals one-hot, supplies, quiet turns, what is pending of this turn."""
N_INPUTS = AT_COURSE + 13
N_FEATURE_WORK = N_COMMITTEES + 2 * MAX_SEATS


@compiled(int, STATE)
def next_seat(s: State) -> int:
    """Who acts next: the active seat, or the one after it when its action is done and only the refill is pending."""
    return (int(s.active) + 1) % int(s.n) if s.phase == REFILL and not s.caesar_won else int(s.active)


@compiled(None, STATE, int, FLOATS, WORK)
def prospects(s: State, seat: int, out: Any, inside: Any) -> None:
    """What this seat could do if it were to act: alone, and with the consent of others.

    `inside` is the number of senators by committee.
    """
    for path in range(N_PATHS):
        foot, head = int(FROM[path]), int(TO[path])
        if not s.board[foot, seat] or (head != SENATE and inside[head] >= SEATS_IN[head]):
            continue
        place = int(PLACE_OF[path])
        caesar = place == s.caesar
        laurel = 0
        if place >= 0 and not caesar and s.laurels[place]:
            laurel = 2 if s.laurels[place] == TWO_CAESAR + 1 else int(s.laurels[place])
        if freed(s, path) or s.board[foot, seat] > CONSENTS[path]:
            out[ALONE_MOVES] += np.float32(0.25)
            out[ALONE_LAUREL] = max(out[ALONE_LAUREL], np.float32(0.2 * laurel))
            if head == SENATE:
                out[ALONE_IN] = 1
        elif inside[foot] > CONSENTS[path]:
            out[ASKED_MOVES] += np.float32(0.25)
            out[ASKED_LAUREL] = max(out[ASKED_LAUREL], np.float32(0.2 * laurel))
            if head == SENATE:
                out[ASKED_IN] = 1


@compiled(None, STATE, int, int, FLOATS, WORK, WORK)
def seat_features(s: State, seat: int, points_ahead: int, out: Any, inside: Any, arrivals: Any) -> None:
    """What one seat has, where its senators are and what it could do."""
    out[LEAD] = np.float32(max(-18, min(18, points_ahead)) / 12)
    for value in range(N_VALUES):
        out[HAND + value] = np.float32(0.25 * s.hands[seat, value])
    out[OFF] = np.float32(s.off[seat] / 8)
    for i in range(s.arrived):
        if s.senate[i] == seat + 1:
            out[ARRIVED] += np.float32(0.5)
    if arrivals[seat]:
        out[ORDER] = np.float32(1 / arrivals[seat])
    best = 5
    for committee in range(N_COMMITTEES):
        if s.board[committee, seat]:
            out[BOARD + committee] = np.float32(0.5 * s.board[committee, seat])
            best = min(best, STEPS_TO_SENATE[committee])
    out[STEPS] = np.float32((5 - best) / 4)
    prospects(s, seat, out, inside)
    for other in range(s.n):
        out[BROKE] += np.float32(min(3, int(s.fates[seat, other, BROKEN])) / 3)
        out[KEPT_WORD] += np.float32(min(6, int(s.fates[seat, other, KEPT])) / 6)


@compiled(None, STATE, int, FLOATS)
def promise_features(s: State, seat: int, out: Any) -> None:
    """Open promises: the number of each seat, and those of support between this seat and the others."""
    for i in range(s.n_promises):
        promise = int(s.promises[i]) - 1
        maker = (maker_of(promise) - seat) % int(s.n)
        receiver = (promised_to(promise) - seat) % int(s.n)
        out[maker * PER_SEAT + OWES] += np.float32(1 / 3)
        out[receiver * PER_SEAT + OWNS] += np.float32(1 / 3)
        if kind_of_promise(promise) == SUPPORT:
            if receiver == 0:
                out[maker * PER_SEAT + TO_ME] = 1
            elif maker == 0:
                out[receiver * PER_SEAT + FROM_ME] = 1


@compiled(int, STATE, WORK, WORK)
def leading_seat(s: State, points: Any, arrivals: Any) -> int:
    """Fill in everybody's points and order of arrival; return the seat that would win now, or -1 (Q-END-2, Q-END-3)."""
    leader = -1
    for seat in range(s.n):
        points[seat] = points_now(s, seat) + int(s.totals[seat])
        arrivals[seat] = arrival(s, seat)
        if arrivals[seat]:
            ahead = leader < 0 or points[seat] > points[leader]
            if ahead or (points[seat] == points[leader] and arrivals[seat] < arrivals[leader]):
                leader = seat
    return leader


@compiled(None, STATE, FLOATS)
def place_features(s: State, out: Any) -> None:
    """The laurel places and Caesar."""
    for place in range(N_PLACES):
        at = AT_PLACES + 4 * place
        kind = int(s.laurels[place]) - 1
        if kind < 0:
            out[at + 2] = 1
        else:
            out[at] = np.float32(0.4 if kind == TWO_CAESAR else 0.2 * (kind + 1))
            out[at + 1] = 1 if kind == TWO_CAESAR else 0
    out[AT_PLACES + 4 * int(s.caesar) + 3] = 1


@compiled(None, STATE, FLOATS)
def course_features(s: State, out: Any) -> None:
    """How far the game has come: arrivals, supplies, quiet turns, what is pending of this turn."""
    out[AT_COURSE + min(4, int(s.arrived))] = 1
    out[AT_COURSE + 5] = np.float32(s.ones / 18)
    out[AT_COURSE + 6] = 1 if s.ones < 3 else 0
    left = stack_size(s)
    out[AT_COURSE + 7] = np.float32(left / 34)
    value = 2 * int(s.stack[TWO_CAESAR])
    for kind in range(1, N_VALUES):
        value += (kind + 1) * int(s.stack[kind])
    out[AT_COURSE + 8] = np.float32(0.2 * value / left) if left else 0
    if s.stall_rounds:
        quiet = int(s.quiet) / (int(s.stall_rounds) * int(s.n))
        out[AT_COURSE + 9] = np.float32(quiet)
        out[AT_COURSE + 10] = 1 if quiet > 0.5 else 0
    out[AT_COURSE + 11] = 1 if s.phase == REFILL else 0
    out[AT_COURSE + 12] = int(s.caesar_won)


@compiled(None, STATE, int, FLOATS, WORK)
def features(s: State, seat: int, out: Any, work: Any) -> None:
    """Write the inputs of the net for this seat."""
    for i in range(N_INPUTS):
        out[i] = 0
    inside, points, arrivals = work[:N_COMMITTEES], work[N_COMMITTEES:], work[N_COMMITTEES + MAX_SEATS :]
    for committee in range(N_COMMITTEES):
        total = 0
        for other in range(s.n):
            total += s.board[committee, other]
        inside[committee] = total
        out[AT_COMMITTEES + committee] = np.float32(total / SEATS_IN[committee])
    leader = leading_seat(s, points, arrivals)
    for step in range(s.n):
        other = (seat + step) % int(s.n)
        best = -1000
        for rival in range(s.n):
            if rival != other:
                best = max(best, points[rival])
        block = out[step * PER_SEAT : (step + 1) * PER_SEAT]
        block[POINTS] = np.float32(points[other] / 24)
        block[LEADS] = 1 if other == leader else 0
        seat_features(s, other, points[other] - best, block, inside, arrivals)
    out[(next_seat(s) - seat) % int(s.n) * PER_SEAT + ACTS] = 1
    promise_features(s, seat, out)
    place_features(s, out)
    course_features(s, out)
