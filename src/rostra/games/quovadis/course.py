"""The course of a match of Quo Vadis?: turns, the end of a game, and the games of an election."""

from rostra.engine.jit import State, compiled
from rostra.games.quovadis.deals import LAPSED, settle
from rostra.games.quovadis.state import ARRIVAL, DRAFT_SIZE, ON_DEMAND, SHOWN, STATE, arrival, lay_board
from rostra.games.quovadis.tables import ACT, DEMAND, DISMISS, FINISHED, N_COMMITTEES, N_VALUES, STAYING, maker_of


@compiled(None, STATE)
def forget_refusals(s: State) -> None:
    """What was refused may be asked again."""
    for i in range(s.n_refused):
        for j in range(DRAFT_SIZE):
            s.refused[i, j] = 0
    s.n_refused = 0


@compiled(None, STATE)
def begin_turn(s: State) -> None:
    """A new turn of the active seat."""
    s.seat = s.active
    s.drafts = 0
    s.heard = 0
    s.moved = 0
    s.caesar_won = 0
    forget_refusals(s)
    s.phase = ACT


@compiled(int, STATE, int)
def points_now(s: State, seat: int) -> int:
    """The laurel points of a seat in this game."""
    total = 0
    for value in range(N_VALUES):
        total += (value + 1) * s.hands[seat, value]
    return total


@compiled(int, STATE, int)
def on_board(s: State, seat: int) -> int:
    """How many senators of a seat sit in committees."""
    number = 0
    for committee in range(N_COMMITTEES):
        number += s.board[committee, seat]
    return number


@compiled(int, STATE)
def election_leader(s: State) -> int:
    """The leader of the election: most points, then earlier arrival in the last Senate (Q-END-3), then lower seat."""
    best = 0
    for seat in range(1, s.n):
        own, other = arrival(s, seat), arrival(s, best)
        earlier = own > 0 and (other == 0 or own < other)
        if s.totals[seat] > s.totals[best] or (s.totals[seat] == s.totals[best] and earlier):
            best = seat
    return best


@compiled(None, STATE)
def next_dismissal(s: State) -> None:
    """The next seat with more than two senators on the board takes one off, else the next game begins (Q-VAR-3)."""
    for step in range(s.n):
        seat = (s.seat + step) % s.n
        if on_board(s, seat) > STAYING:
            s.seat = seat
            s.phase = DISMISS
            return
    s.game += 1
    lay_board(s)


@compiled(None, STATE, int)
def end_game(s: State, stalled: int) -> None:
    """The end, or in an election the next game (Q-END-1, Q-END-4, Q-VAR-3)."""
    s.stalled = stalled
    if not s.consul:
        s.phase = FINISHED
        return
    s.ended += 1
    for seat in range(s.n):
        s.last_points[seat] = points_now(s, seat) if arrival(s, seat) else 0
        s.totals[seat] += s.last_points[seat]
        if arrival(s, seat):
            s.qualified |= 1 << int(seat)
    if s.game == 2:
        s.phase = FINISHED
        return
    s.seat = election_leader(s)
    for order in range(s.arrived):
        s.off[s.senate[order] - 1] += 1
        s.senate[order] = 0
    s.arrived = 0
    next_dismissal(s)


@compiled(None, STATE, int)
def hear_demand(s: State, demanded: int) -> None:
    """A seat demands that all show their laurels, which they then do until the coming turn is over, or it does not, and
    the next seat is asked (Q-VAR-2)."""
    if demanded:
        s.open_hands |= SHOWN
    s.seat = s.active if demanded else (s.seat + 1) % s.n
    if s.seat == s.active:
        s.phase = ACT


@compiled(None, STATE)
def end_turn(s: State) -> None:
    """Old promises lapse, the next seat is active, or nothing has moved for too long (Q-END-4).

    After an early arrival all seats, from that next one, may first demand to see all hands (Q-VAR-2).
    """
    which = 0
    while which < s.n_promises:
        if maker_of(int(s.promises[which]) - 1) == s.active:
            s.promise_turns[which] -= 1
            if s.promise_turns[which] == 0:
                settle(s, which, LAPSED)
                continue
        which += 1
    s.turn_number += 1
    s.spared = 0  # vows bind for a turn (Q-NEG-5)
    s.refusing = 0
    s.consenting = 0
    s.bargains = 0
    arrived = s.open_hands & ARRIVAL
    s.open_hands &= ON_DEMAND
    if not s.moved:
        s.quiet += 1
    if s.arrived == 5:
        end_game(s, 0)
        return
    s.active = (s.active + 1) % s.n
    if s.stall_rounds and s.quiet >= int(s.stall_rounds) * int(s.n):
        end_game(s, 1)
    else:
        begin_turn(s)
        if arrived:
            s.phase = DEMAND
