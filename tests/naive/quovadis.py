"""A slow and literal referee of Quo Vadis?: the game is one generator that reads like the rule book.

Committees, paths, laurels and moves are their text codes. The table is in plain public attributes (see `Referee`).
Legal moves are computed from them on every call, so a test may also set them. A generator cannot be copied: to copy a
game, replay its `plies`. "Ruling" marks what neither the rules page nor the formats say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TypedDict

CHANCE = "chance"
OVER = "over"

SEATS_IN = dict(zip("ABCDEFGHIJKLMN", (1, 5, 1, 3, 1, 1, 3, 1, 3, 5, 1, 1, 3, 3), strict=True))  # committee -> seats
ENTRIES = "ABCD"
SENATE_SEATS = 5
PATHS = "A>E B>I B>F C>G D>G D>H E>I F>J G>J G>L H>K I>M J>S K>N L>N M>S N>S".split()
PLACES = "B>I B>F D>G D>H G>J G>L I>M J>S M>S N>S".split()  # the laurel places, in the order of dealing
CONSENTS = {1: 0, 3: 1, 5: 2}  # Q-MOV-1, Q-MOV-2: seats of a committee -> consents needed to leave it
FACE_DOWN = {"2": 8, "2c": 6, "3": 15, "4": 9, "5": 6}  # Q-SET-2
ONES = 18  # Q-SET-2
LIMITED_ONES = {3: 10, 4: 14, 5: 18}  # Q-VAR-1
SENATORS = 8  # Q-SET-1
LEFT_BETWEEN_GAMES = 2  # Q-VAR-3
GAMES = 3  # Q-VAR-3
MOST_DRAFTS = 3  # of the active seat in a turn
MOST_GIVES = 4  # in a draft
MOST_PROMISES = 2  # in a draft
MOST_OPEN_PROMISES = 64  # at once
MOST_BARGAINS = 15  # carried out in a turn
ARRIVALS_TO_SHOW = 3  # Q-VAR-2: after each of them hands may be demanded
PROMISE_TURNS = 5  # turns of the promiser after which a promise lapses

SPELLINGS = (
    r"=s\d",
    r"=([2-5]|2c)",
    r"\+[A-D]",
    r"[A-N]>[A-S](\(\d(,\d)?\))?",
    r"@[A-N]>[A-S]",
    r"-[A-N]?",
    r"deal|bargain|ask|drop|yes|no|hear|pass|show",
    r"give \d \d [1-5]",
    r"then (-|@[A-N]>[A-S])",
    r"promise \d \d (support|oppose \d|caesar|pay [1-5])",
    r"(refuse|consent|one) \d",
    r"spare [A-N]>[A-S]",
)


class Draft(TypedDict):
    """A deal (Q-NEG-3) or a bargain (Q-NEG-5) being drafted or answered."""

    drafter: int  # the seat that opened it
    bargain: bool  # True if it was opened by `bargain`
    action: str | None  # the active seat's action; None after `deal` until it is named, always None in a bargain
    gives: list[tuple[int, int, int]]  # sorted (giver, receiver, value)
    then: str | None  # "@M>S" or "-" if the Caesar move is settled
    one: int | None  # the seat that gets the last laurel of value 1 by the term `one K`
    vow: str | None  # "refuse 1", "consent 1" or "spare B>I", only in a bargain
    promises: list[str]  # sorted, as "1 0 support"
    waiting: list[int]  # seats that have still to answer, the next one first; [] before `ask`


class Promise(TypedDict):
    """A promise made in a deal or a bargain that was carried out."""

    maker: int
    receiver: int
    kind: str  # "support", "oppose 2", "caesar", "pay 3"
    turn: int  # turn_number in which it was made
    fate: str  # "open", "kept", "broken", "lapsed"


@dataclass(frozen=True)
class Ask:
    """What the game waits for: a move of a seat, or a chance outcome."""

    who: int | str
    moves: Callable[[], Iterable[str]] | None = None  # a decision
    outcomes: dict[str, Fraction] | None = None  # a chance event


Plies = Generator[Ask, str, None]


def new_draft(drafter: int, action: str | None, bargain: bool = False) -> Draft:
    """A draft without terms."""
    return {
        "drafter": drafter,
        "bargain": bargain,
        "action": action,
        "gives": [],
        "then": None,
        "one": None,
        "vow": None,
        "promises": [],
        "waiting": [],
    }


def path_of(action: str) -> str | None:
    """The path a senator takes: "I>M" of "I>M(2)"; None if the action moves no senator along a path."""
    return action[:3] if action[1:2] == ">" else None


def consenters_of(action: str | None) -> list[int]:
    """The consenting seats an action names, one entry a senator, own ones included; a bargain (None) names none."""
    return [int(digit) for digit in re.findall(r"\d", action or "")]


class Referee:
    """One game (or one consul election of three games), from the draw of the start player to the end.

    Public data, each per seat where a list has as many entries as seats:
    seats, limited_ones, open_hands, consul_election, start_seat, stall_rounds, show_hands, caesar_frees   as given
    board               dict committee -> sorted list of the seats of the senators in it
    senate              list of seats in order of arrival
    off_board           per seat: senators not on the board
    laurels_on_paths    dict laurel place -> "3", "2c", ..., None if none lies there
    caesar              the laurel place where Caesar stands
    hands_shown         True while all hands are open because somebody demanded it (Q-VAR-2)
    hands               per seat: dict value -> number of laurels (a 2 with Caesar is a 2)
    ones                laurels of value 1 in the open supply
    stack               dict code -> number of laurels face down
    start               start seat of this game (None before it is drawn)
    active              whose turn it is (None outside turns)
    turn_number         turns begun so far, all games of an election together
    turns_taken         per seat: turns begun so far, all games of an election together
    quiet_turns         turns in a row in which no senator entered or moved (Q-END-4), in this game
    drafts_opened       per seat: drafts opened in this turn
    placing             True while Caesar is to be placed after a 2 with his picture (Q-NEG-6)
    heard               True if the active seat has said `hear` at this point: before its action or while Caesar is
                        to be placed; False again after a bargain that was carried out, but not after the fifteenth
    hearing             seats that have still to draft or pass after `hear`, the deciding one first
    refused             set of (bargain, action, gives, then, one, vow, promises) of the drafts refused in this turn,
                        since the last bargain that was carried out
    refusing            set of the seats that vowed `refuse` in this turn (Q-NEG-5)
    consenting          set of the seats that vowed `consent` in this turn
    spared              set of the laurel places that were vowed to be spared in this turn
    bargains            number of bargains carried out in this turn
    draft               the open draft (see `Draft`), or None
    promises            list of all promises made (see `Promise`), of all games of an election
    game_number         1; in an election 1 to 3, raised when the next game is set up
    totals              per seat: points written down so far in an election (all 0 without one)
    game_points         one list of points, per seat, for each finished game of an election (line game-end)
    game_ends           "senate-full" or "stalled" for each finished game
    plies               list of (seat or "chance", canonical text) so far
    """

    def __init__(
        self,
        seats: int,
        limited_ones: bool = False,
        open_hands: bool = False,
        consul_election: bool = False,
        start_seat: int | None = None,
        stall_rounds: int = 10,
        show_hands: bool = False,
        caesar_frees: str = "path",
    ) -> None:
        if seats not in (3, 4, 5):  # Q-SET-1
            raise ValueError(f"3 to 5 players, not {seats!r}")
        if start_seat is not None and start_seat not in range(seats):
            raise ValueError(f"no seat {start_seat!r}")
        if stall_rounds < 0:
            raise ValueError(f"stall_rounds {stall_rounds!r}")
        if caesar_frees not in ("path", "committee"):
            raise ValueError(f"caesar_frees {caesar_frees!r}")
        self.seats = seats
        self.limited_ones = limited_ones
        self.open_hands = open_hands
        self.consul_election = consul_election
        self.start_seat = start_seat
        self.stall_rounds = stall_rounds
        self.show_hands = show_hands  # Q-HID-1: only a matter of display
        self.caesar_frees = caesar_frees
        self.hands_shown = False
        self.board: dict[str, list[int]] = {committee: [] for committee in SEATS_IN}
        self.senate: list[int] = []
        self.off_board: list[int] = [SENATORS] * seats
        self.laurels_on_paths: dict[str, str | None] = {}
        self.caesar = ""
        self.hands: list[dict[int, int]] = []
        self.ones = 0
        self.stack: dict[str, int] = {}
        self.start: int | None = None
        self.active: int | None = None
        self.turn_number = 0
        self.turns_taken: list[int] = [0] * seats
        self.quiet_turns = 0
        self.drafts_opened: list[int] = [0] * seats
        self.placing = False
        self.heard = False
        self.hearing: list[int] = []
        self.refused: set[tuple[object, ...]] = set()
        self.refusing: set[int] = set()
        self.consenting: set[int] = set()
        self.spared: set[str] = set()
        self.bargains = 0
        self.draft: Draft | None = None
        self.promises: list[Promise] = []
        self.game_number = 1
        self.totals: list[int] = [0] * seats
        self.game_points: list[list[int]] = []
        self.game_ends: list[str] = []
        self.plies: list[tuple[int | str, str]] = []
        self._lapse_after: list[int] = []  # for each promise: its maker's turns_taken at whose end it lapses
        self._qualified: set[int] = set()  # seats that had a senator in the Senate at the end of any game
        self._game: Plies = self._play()
        self._ask: Ask | None = next(self._game)

    # ---- the interface ----

    def turn(self) -> int | str:
        """The deciding seat, "chance" or "over"."""
        return OVER if self._ask is None else self._ask.who

    def legal(self) -> list[str]:
        """All legal moves, or all outcomes at chance, as sorted canonical texts ([] when over)."""
        if self._ask is None:
            return []
        if self._ask.moves is None:
            return sorted(self.odds())
        return sorted(set(self._ask.moves()))

    def odds(self) -> dict[str, Fraction]:
        """At chance: every outcome and its probability."""
        if self._ask is None or self._ask.outcomes is None:
            raise ValueError("no chance event here")
        return dict(self._ask.outcomes)

    def odds_of(self, text: str) -> Fraction:
        """At chance: the probability of one outcome; ValueError if it cannot happen."""
        odds = self.odds()
        return odds[self.read(text)]

    def read(self, text: str) -> str:
        """Canonical text of a move or outcome; ValueError if it is not legal now.

        Ruling: the formats give every move of this game just one spelling (consents ascending, single blanks).
        """
        if not any(re.fullmatch(spelling, text) for spelling in SPELLINGS):
            raise ValueError(f"{text!r} is no move of this game")
        if self._ask is None:
            raise ValueError(f"{text!r}: the game is over")
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal now")
        return text

    def apply(self, text: str) -> None:
        """Play a move or let an outcome happen."""
        text = self.read(text)
        assert self._ask is not None
        self.plies.append((self._ask.who, text))
        try:
            self._ask = self._game.send(text)
        except StopIteration:
            self._ask = None

    def points(self) -> list[int]:
        """Every seat's laurels; in a consul election the totals."""
        self._must_be_over()
        return list(self.totals) if self.consul_election else self._hand_points()

    def tiebreak(self) -> list[int]:
        """Order in which first senators reached the Senate (of the last game): 1, 2, 3; 0 never."""
        self._must_be_over()
        return self._arrivals()

    def winners(self) -> list[int]:
        """The seats that win; nobody if nobody counts."""
        self._must_be_over()
        # Q-END-2. Ruling: in an election a seat counts if it qualified in at least one of the games
        candidates = [seat for seat in range(self.seats) if seat in self._qualified]
        points = self.points()
        ranks = {seat: self._rank(seat, points) for seat in candidates}
        # Ruling: in an election, equal seats that both missed the Senate in the last game win together
        return [seat for seat in candidates if ranks[seat] == min(ranks.values())]

    def end(self) -> str:
        """How the game ended."""
        self._must_be_over()
        return "consul-elected" if self.consul_election else self.game_ends[0]

    def _must_be_over(self) -> None:
        if self._ask is not None:
            raise ValueError("the game is not over")

    def _hand_points(self) -> list[int]:
        return [sum(value * number for value, number in hand.items()) for hand in self.hands]

    def _arrivals(self) -> list[int]:
        order = list(dict.fromkeys(self.senate))  # each seat once, by its first senator
        return [order.index(seat) + 1 if seat in order else 0 for seat in range(self.seats)]

    def _rank(self, seat: int, points: list[int]) -> tuple[int, int]:
        """The smaller the better: most points, then the earlier first senator, then those without one."""
        arrival = self._arrivals()[seat]
        return -points[seat], arrival if arrival else self.seats + 1  # Q-END-3

    # ---- the course of the game ----

    def _play(self) -> Plies:
        for number in range(1, GAMES + 1 if self.consul_election else 2):
            self.game_number = number
            yield from self._set_up()
            yield from self._turns()
            self.active = None
            self._qualified |= set(self.senate)
            if self.consul_election:
                points = self._hand_points()
                qualified = [points[seat] if seat in self.senate else 0 for seat in range(self.seats)]
                self.game_points.append(qualified)
                self.totals = [total + more for total, more in zip(self.totals, qualified, strict=True)]
                if number < GAMES:
                    yield from self._between_games()

    def _set_up(self) -> Plies:
        """Laurels, Caesar and the start player (the senators stay where they are)."""
        self.ones = LIMITED_ONES[self.seats] if self.limited_ones else ONES  # Q-SET-2, Q-VAR-1
        self.stack = dict(FACE_DOWN)
        self.laurels_on_paths = dict.fromkeys(PLACES)
        self.hands = [dict.fromkeys(range(1, 6), 0) for _ in range(self.seats)]
        self.caesar = "J>S"  # Q-SET-4
        self.start = None
        self.quiet_turns = 0  # Ruling: quiet turns count anew in each game of an election; turn_number runs on
        # Q-SET-4. Ruling: the option start_seat names the start player of every game of an election
        candidates = list(range(self.seats)) if self.start_seat is None else [self.start_seat]
        text = yield Ask(CHANCE, outcomes={f"=s{seat}": Fraction(1, len(candidates)) for seat in candidates})
        self.start = int(text[2:])
        for place in PLACES:  # Q-SET-3
            yield from self._turn_up(place)

    def _turn_up(self, place: str) -> Plies:
        """A laurel from the stack comes on a place."""
        size = sum(self.stack.values())
        text = yield Ask(CHANCE, outcomes={"=" + code: Fraction(n, size) for code, n in self.stack.items() if n})
        self.stack[text[1:]] -= 1
        self.laurels_on_paths[place] = text[1:]

    def _turns(self) -> Plies:
        assert self.start is not None
        seat = self.start
        while True:
            inside = len(self.senate)
            yield from self._turn(seat)
            self.hands_shown = False  # Q-VAR-2: they were open for this turn at most
            self.refusing, self.consenting, self.spared = set(), set(), set()  # Q-NEG-5: vows bind in this turn only
            # Ruling: promises lapse at the end of every turn alike, also of the one that ends the game
            for promise, last in zip(self.promises, self._lapse_after, strict=True):
                if promise["fate"] == "open" and promise["maker"] == seat and self.turns_taken[seat] == last:
                    promise["fate"] = "lapsed"
            if len(self.senate) == SENATE_SEATS:  # Q-END-1
                self.game_ends.append("senate-full")
                return
            if self.stall_rounds and self.quiet_turns >= self.stall_rounds * self.seats:  # Q-END-4
                self.game_ends.append("stalled")
                return
            if self.open_hands and inside < len(self.senate) <= ARRIVALS_TO_SHOW:
                yield from self._may_demand(seat)
            seat = (seat + 1) % self.seats  # Q-SET-4: clockwise

    def _may_demand(self, arrived: int) -> Plies:
        """Q-VAR-2: any player may demand that all show their laurels, until the next action is taken.

        Ruling: they are asked clockwise from the next one, whoever arrived last; one demand is enough.
        """
        self.active = None
        for step in range(1, self.seats + 1):
            text = yield Ask((arrived + step) % self.seats, moves=lambda: ["show", "pass"])
            if text == "show":
                self.hands_shown = True
                return

    def _between_games(self) -> Plies:
        """Q-VAR-3. Ruling: hands and laurels of the finished game lie until the next one is set up (after all `-B`)."""
        # the current leader; ties by Q-END-3 of the game just finished
        # Ruling: a tie between seats without a senator in its Senate goes to the lower seat number
        seat = min(range(self.seats), key=lambda one: (self._rank(one, self.totals), one))
        for owner in self.senate:
            self.off_board[owner] += 1
        self.senate = []
        while any(self._on_board(one) > LEFT_BETWEEN_GAMES for one in range(self.seats)):
            if self._on_board(seat) > LEFT_BETWEEN_GAMES:
                yield from self._take_off(seat)
            seat = (seat + 1) % self.seats

    def _take_off(self, seat: int) -> Plies:
        text = yield Ask(seat, moves=lambda: ["-" + where for where in SEATS_IN if seat in self.board[where]])
        self.board[text[1]].remove(seat)
        self.off_board[seat] += 1

    def _on_board(self, seat: int) -> int:
        return sum(inside.count(seat) for inside in self.board.values())

    # ---- a turn ----

    def _turn(self, seat: int) -> Plies:
        self.active = seat
        self.turn_number += 1
        self.turns_taken[seat] += 1
        self.drafts_opened = [0] * self.seats
        self.heard = False
        self.refused = set()
        self.bargains = 0
        deal = yield from self._decide(seat)
        action = deal["action"]
        assert action is not None
        won = self._carry_out(deal)
        if len(self.senate) == SENATE_SEATS:  # Q-END-1: nothing follows
            return
        if won is not None and any(self.stack.values()):  # Q-MOV-3: with an empty stack the place stays empty
            yield from self._turn_up(action[:3])
        if won == "2c" and deal["then"] is None:  # Q-MOV-5, Q-NEG-6
            self.placing = True
            self.heard = False  # it may hear once more
            deal = yield from self._decide(seat)
            self._carry_out_placing(deal)
            self.placing = False

    def _decide(self, seat: int) -> Generator[Ask, str, Draft]:
        """The active seat settles its action, or while Caesar is to be placed his place; bargains may come before."""
        while True:
            text = yield Ask(seat, moves=self._turn_moves)
            if text == "hear":
                self.heard = True
                if self.placing:  # Ruling: the new laurel is seen, so what was refused may be asked again
                    self.refused = set()
                deal = yield from self._hear(seat)
            elif text == "deal" or self._needs_others(text):
                deal = yield from self._make_draft(seat, text)
            else:
                return new_draft(seat, text)  # Q-NEG-4: an action that needs no one else
            if deal is not None and not deal["bargain"]:
                return deal
            if deal is not None:
                self._carry_out_bargain(deal)

    def _turn_moves(self) -> list[str]:
        """Actions, and what opens a draft or lets others offer."""
        assert self.active is not None
        may_draft = self.drafts_opened[self.active] < MOST_DRAFTS
        moves = [action for action in self._actions() if may_draft or not self._needs_others(action)]
        if may_draft:
            moves.append("deal")
        if not self.heard:
            moves.append("hear")
        return moves

    def _hear(self, active: int) -> Generator[Ask, str, Draft | None]:
        """Every other seat, clockwise, drafts one deal or bargain or passes; an accepted one ends the round."""
        self.hearing = [(active + step) % self.seats for step in range(1, self.seats)]
        deal: Draft | None = None
        while self.hearing and deal is None:
            seat = self.hearing[0]
            text = yield Ask(seat, moves=self._offer_moves)
            if text != "pass":
                deal = yield from self._make_draft(seat, text)
            self.hearing.pop(0)
        self.hearing = []
        return deal

    def _offer_moves(self) -> list[str]:
        moves = ["pass", "deal"] + [action for action in self._actions() if self._needs_others(action)]
        # Ruling: after the fifteenth bargain the hearing while Caesar is to be placed is still open, for deals only
        if self.bargains < MOST_BARGAINS:
            moves.append("bargain")
        return moves

    # ---- the active seat's actions ----

    def _actions(self) -> list[str]:
        """All actions of the active seat, with every choice of consents; where Caesar can go while he is placed."""
        seat = self.active
        assert seat is not None
        if self.placing:  # Q-NEG-6: his place is the action
            return [*self._caesar_moves(), "-"]
        actions = self._caesar_moves()  # Q-ACT-3
        if self.off_board[seat]:  # Q-ACT-1
            actions += ["+" + where for where in ENTRIES if len(self.board[where]) < SEATS_IN[where]]
        for path in PATHS:  # Q-ACT-2
            here, there = path.split(">")
            room = len(self.senate) < SENATE_SEATS if there == "S" else len(self.board[there]) < SEATS_IN[there]
            if seat not in self.board[here] or not room:
                continue
            needed = CONSENTS[SEATS_IN[here]]  # Q-MOV-1, Q-MOV-2
            if needed == 0 or path in self._paths_without_consent():  # Q-CAE-1: only the bare form
                actions.append(path)
                continue
            others = list(self.board[here])
            others.remove(seat)  # the moving senator itself; own other ones may consent
            others = [other for other in others if other not in self.refusing]  # Q-NEG-5
            for consenting in set(combinations(sorted(others), needed)):  # Q-MOV-4: the mover chooses
                actions.append(f"{path}({','.join(map(str, consenting))})")
        return actions

    def _paths_without_consent(self) -> list[str]:
        """Q-CAE-1: the path Caesar lies on; Q-VAR-4: or every path out of the committee below him."""
        if self.caesar_frees == "committee":
            below = self.caesar.split(">")[0]
            return [path for path in PATHS if path.split(">")[0] == below]
        return [self.caesar]

    def _caesar_moves(self) -> list[str]:
        """Q-ACT-3: any other place; Q-NEG-5: that is not spared."""
        return ["@" + place for place in PLACES if place != self.caesar and place not in self.spared]

    def _needs_others(self, action: str) -> bool:
        """True if another seat than the active one must consent."""
        return any(seat != self.active for seat in consenters_of(action))

    def _winnings(self, action: str, one: int | None = None) -> list[list[str]]:
        """Per seat: the codes of the laurels this action of the active seat wins; `one` is served first."""
        won: list[list[str]] = [[] for _ in range(self.seats)]
        path = path_of(action)
        if path is None or path == self.caesar:  # Q-CAE-2
            return won
        assert self.active is not None
        laurel = self.laurels_on_paths.get(path)  # Q-MOV-1: no laurel place; Q-MOV-3: or nothing left on it
        if laurel is not None:
            won[self.active].append(laurel)
        left = self.ones
        clockwise = [(self.active + step) % self.seats for step in range(1, self.seats)]
        if one is not None:
            clockwise = [one] + [seat for seat in clockwise if seat != one]
        for seat in clockwise:  # Q-MOV-4: clockwise from the mover, while they last
            number = min(left, consenters_of(action).count(seat))
            won[seat] += ["1"] * number
            left -= number
        return won

    def _wins_caesar(self, action: str) -> bool:
        """True if the action wins a Caesar move."""
        assert self.active is not None
        # Ruling: the fifth senator in the Senate wins none (Q-END-1), so its deal can have no `then`
        last = path_of(action) is not None and action[2] == "S" and len(self.senate) == SENATE_SEATS - 1
        return "2c" in self._winnings(action)[self.active] and not last

    # ---- drafting and answering ----

    def _make_draft(self, seat: int, opening: str) -> Generator[Ask, str, Draft | None]:
        """A draft from its opening to its end; returns the deal or bargain if all parties accepted it."""
        self.drafts_opened[seat] += 1  # dropped ones count
        named = None if opening in ("deal", "bargain") else opening
        draft = self.draft = new_draft(seat, named, bargain=opening == "bargain")
        while True:
            text = yield Ask(seat, moves=self._draft_moves)
            words = text.split()
            if words[0] == "drop":
                self.draft = None
                return None
            if words[0] == "ask":
                break
            if words[0] == "give":
                draft["gives"].append((int(words[1]), int(words[2]), int(words[3])))
                draft["gives"].sort()
            elif words[0] == "then":
                draft["then"] = words[1]
            elif words[0] == "one":
                draft["one"] = int(words[1])
            elif words[0] in ("refuse", "consent", "spare"):
                draft["vow"] = text
            elif words[0] == "promise":
                draft["promises"].append(" ".join(words[1:]))
                draft["promises"].sort()
            else:
                draft["action"] = text
        parties = self._parties(draft)
        clockwise = [(seat + step) % self.seats for step in range(1, self.seats)]
        draft["waiting"] = [other for other in clockwise if other in parties]
        while draft["waiting"]:
            other = draft["waiting"][0]
            text = yield Ask(other, moves=self._answers)
            if text == "no":  # the first no ends it
                self.refused.add(self._unchanged(draft))
                self._judge_refusal(draft, other)
                self.draft = None
                return None
            draft["waiting"].pop(0)
        self.draft = None
        return draft

    def _draft_moves(self) -> list[str]:
        draft = self.draft
        assert draft is not None
        if draft["action"] is None and not draft["bargain"]:  # after `deal`: an action that needs nobody
            return [action for action in self._actions() if not self._needs_others(action)] + ["drop"]
        moves = ["drop"]
        if self._parties(draft) - {draft["drafter"]} and self._unchanged(draft) not in self.refused:
            moves.append("ask")
        pairs = [(one, two) for one in range(self.seats) for two in range(self.seats) if one != two]
        if len(draft["gives"]) < MOST_GIVES:
            spare = self._payable(draft)
            moves += [f"give {one} {two} {value}" for one, two in pairs for value in range(1, 6) if spare[one][value]]
        if draft["action"] is not None and draft["then"] is None and self._wins_caesar(draft["action"]):
            moves += ["then -"] + ["then " + caesar for caesar in self._caesar_moves()]
        if draft["one"] is None:
            moves += [f"one {other}" for other in self._may_get_the_last_one(draft)]
        if draft["bargain"] and draft["vow"] is None:
            moves += self._vows()
        still_open = sum(promise["fate"] == "open" for promise in self.promises)
        if len(draft["promises"]) < MOST_PROMISES and still_open + len(draft["promises"]) < MOST_OPEN_PROMISES:
            for one, two in pairs:
                kinds = ["support", "caesar"] + [f"pay {value}" for value in range(1, 6)]
                # Ruling: N of `oppose N` is a third seat, neither the promiser nor the receiver
                kinds += [f"oppose {third}" for third in range(self.seats) if third not in (one, two)]
                for kind in kinds:
                    if f"{one} {two} {kind}" not in draft["promises"]:  # equal ones may not be repeated
                        moves.append(f"promise {one} {two} {kind}")
        return moves

    def _vows(self) -> list[str]:
        """Q-NEG-5: what a bargain can bind in this turn."""
        free = [place for place in PLACES if place != self.caesar and place not in self.spared]
        vows = ["spare " + place for place in free] if len(free) > 1 else []  # not the last one
        if not self.placing:  # afterwards nobody is asked for a consent
            silent = [
                other for other in range(self.seats) if other not in {self.active} | self.refusing | self.consenting
            ]
            vows += [f"{word} {other}" for word in ("refuse", "consent") for other in silent]
        return vows

    def _may_get_the_last_one(self, draft: Draft) -> list[int]:
        """Q-MOV-4: of two other players who consent the one who is not first clockwise from the mover."""
        assert self.active is not None
        clockwise = [(self.active + step) % self.seats for step in range(1, self.seats)]
        consenting = [seat for seat in clockwise if seat in consenters_of(draft["action"])]
        if self.ones != 1 or len(consenting) != 2:
            return []
        with_it: Draft = {**draft, "one": consenting[1]}
        short = any(number < 0 for spare in self._payable(with_it) for number in spare.values())
        return [] if short else [consenting[1]]

    def _answers(self) -> list[str]:
        """Q-NEG-5: a seat that vowed to consent cannot refuse where its consent is used and no give of it demanded."""
        draft = self.draft
        assert draft is not None
        seat = draft["waiting"][0]
        # Ruling: a promise that the draft demands of it is no give
        if seat in self.consenting and self._asks_only_consent(draft, seat):
            return ["yes"]
        return ["yes", "no"]

    def _asks_only_consent(self, draft: Draft, seat: int) -> bool:
        return seat in consenters_of(draft["action"]) and all(giver != seat for giver, _, _ in draft["gives"])

    def _payable(self, draft: Draft) -> list[dict[int, int]]:
        """Per seat: the laurels it can still give in this draft.

        Q-NEG-3: held before the deal or won by its own action; nothing that is itself given by the deal.
        Q-NEG-5: nothing is won by a bargain.
        """
        spare = [dict(hand) for hand in self.hands]
        if draft["action"] is not None:
            for seat, codes in enumerate(self._winnings(draft["action"], draft["one"])):
                for code in codes:
                    spare[seat][int(code[0])] += 1
        for giver, _, value in draft["gives"]:
            spare[giver][value] -= 1
        return spare

    def _parties(self, draft: Draft) -> set[int]:
        """Both seats of every give and promise (the drafter only if so named).

        In a deal also the active seat and the consenters; in a bargain the seat that vows.
        """
        assert self.active is not None
        vow = draft["vow"]
        parties: set[int] = set()
        if not draft["bargain"]:
            parties = {self.active, *consenters_of(draft["action"])}
        elif vow is not None:
            parties = {self.active if vow.startswith("spare") else int(vow.split()[1])}
        for giver, receiver, _ in draft["gives"]:
            parties |= {giver, receiver}
        for promise in draft["promises"]:
            parties |= {int(promise[0]), int(promise[2])}
        return parties

    def _unchanged(self, draft: Draft) -> tuple[object, ...]:
        """Equal for drafts that say the same, whoever drafts them: the order of terms is no difference.

        Ruling: a deal about `@M>S` as the action and one while Caesar is to be placed say the same.
        """
        gives, promises = tuple(draft["gives"]), tuple(draft["promises"])
        return draft["bargain"], draft["action"], gives, draft["then"], draft["one"], draft["vow"], promises

    # ---- carrying out ----

    def _carry_out(self, deal: Draft) -> str | None:
        """The action and all that was agreed with it (Q-NEG-3); returns the code of the laurel the mover won."""
        seat, action = self.active, deal["action"]
        assert seat is not None and action is not None
        winnings = self._winnings(action, deal["one"])  # before anything changes
        path = path_of(action)
        # the action
        if action[0] == "+":
            self.off_board[seat] -= 1
            self.board[action[1]] = sorted([*self.board[action[1]], seat])
        elif path is not None:
            self.board[path[0]].remove(seat)
            if path[2] == "S":
                self.senate.append(seat)
            else:
                self.board[path[2]] = sorted([*self.board[path[2]], seat])
        self.quiet_turns = self.quiet_turns + 1 if action[0] == "@" else 0  # Q-END-4
        # laurels
        won: str | None = None
        for winner, codes in enumerate(winnings):
            for code in codes:
                self.hands[winner][int(code[0])] += 1
                if code == "1":
                    self.ones -= 1
                else:
                    won = code
                    self.laurels_on_paths[action[:3]] = None
        self._hand_over(deal)
        # what this does to older promises (those of this deal are about later turns)
        self._judge_deal(deal)
        # Caesar
        if action[0] == "@":
            self._put_caesar(action[1:])
        elif deal["then"] not in (None, "-"):
            self._put_caesar(str(deal["then"])[1:])
        self._record_promises(deal)
        return won

    def _carry_out_placing(self, deal: Draft) -> None:
        """Q-MOV-5, Q-NEG-6: Caesar is put or left, and what was agreed with it; no matter for Q-END-4."""
        action = deal["action"]
        assert action is not None
        self._hand_over(deal)
        self._judge_deal(deal)
        if action != "-":
            self._put_caesar(action[1:])
        self._record_promises(deal)

    def _carry_out_bargain(self, bargain: Draft) -> None:
        """Q-NEG-5: laurels change hands, promises are recorded, the vow binds; the active seat may hear again."""
        self._hand_over(bargain)
        self._judge_deal(bargain)  # no consent is in it: only `pay V` can be kept
        self._record_promises(bargain)
        if bargain["vow"] is not None:
            word, what = bargain["vow"].split()
            if word == "refuse":
                self.refusing.add(int(what))
            elif word == "consent":
                self.consenting.add(int(what))
            else:
                self.spared.add(what)
        self.bargains += 1
        self.refused = set()  # Ruling: the table has changed
        if self.bargains < MOST_BARGAINS:
            self.heard = False

    def _hand_over(self, deal: Draft) -> None:
        for giver, receiver, value in deal["gives"]:
            self.hands[giver][value] -= 1
            self.hands[receiver][value] += 1

    def _record_promises(self, deal: Draft) -> None:
        """Ruling: those of one deal are recorded sorted by their text."""
        for text in deal["promises"]:
            maker, receiver, kind = int(text[0]), int(text[2]), text[4:]
            self.promises.append(
                {"maker": maker, "receiver": receiver, "kind": kind, "turn": self.turn_number, "fate": "open"}
            )
            # Ruling: the turn in which the promise is made is none of the promiser's five turns after it
            self._lapse_after.append(self.turns_taken[maker] + PROMISE_TURNS)

    def _put_caesar(self, place: str) -> None:
        self.caesar = place
        # Ruling: `caesar` binds the active seat however Caesar is moved (action, decision or `then`)
        for promise in self._open_promises("caesar"):
            if promise["maker"] == self.active and promise["receiver"] in self.board[place[0]]:
                promise["fate"] = "broken"

    # ---- promises ----
    # Ruling: open promises are not touched by the end of a game; in an election they run on in the next one.
    # Ruling: `oppose N` and `caesar` forbid something for the whole time: they end as broken or lapsed, never as kept.
    # Ruling: `pay V` cannot be broken before its time: it ends as kept or lapsed.

    def _open_promises(self, kind: str) -> list[Promise]:
        return [promise for promise in self.promises if promise["fate"] == "open" and promise["kind"] == kind]

    def _judge_deal(self, deal: Draft) -> None:
        """Ruling: a consent is given when the deal is carried out, whoever drafted it (Q-NEG-3: whole or not at all:
        a `yes` in a deal that another party refuses is none). A vow is no consent (Q-NEG-5)."""
        consenting = consenters_of(deal["action"])
        for promise in self._open_promises("support"):
            if promise["maker"] in consenting and promise["receiver"] == self.active:
                promise["fate"] = "kept"
        for promise in self._open_promises(f"oppose {self.active}"):
            if promise["maker"] in consenting:
                promise["fate"] = "broken"
        # Ruling: `pay V` is kept by gives of one deal from promiser to receiver that are worth V or more together,
        # change given back not deducted; each open promise is judged by itself
        for worth in range(1, 6):
            for promise in self._open_promises(f"pay {worth}"):
                pair = (promise["maker"], promise["receiver"])
                if sum(value for one, two, value in deal["gives"] if (one, two) == pair) >= worth:
                    promise["fate"] = "kept"

    def _judge_refusal(self, draft: Draft, seat: int) -> None:
        """`support` is broken by a `no` to an ask that demands no give of the promiser."""
        # Ruling: only an ask that needs the promiser's consent to the receiver's move counts; a bargain needs none
        if self._asks_only_consent(draft, seat):
            for promise in self._open_promises("support"):
                if promise["maker"] == seat and promise["receiver"] == self.active:
                    promise["fate"] = "broken"
