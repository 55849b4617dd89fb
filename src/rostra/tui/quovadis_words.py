"""Quo Vadis? in words: drafts, moves and promises as sentences, and the texts of the help.

What a newcomer would get wrong: sentences are said to the person, so seat 0 is `you` and verbs follow it; what a draft
brings is computed from the state before it is carried out.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rostra.games.quovadis.deals import laurel_won, ones_won, path_of, value_of
from rostra.games.quovadis.state import AT_GIVES, AT_TERMS, AT_THEN
from rostra.games.quovadis.tables import (
    ACT,
    ANSWER,
    ASKING,
    CAESAR,
    CAESAR_TO,
    COMMITTEES,
    CONSENT_ACTIONS,
    DISMISS,
    DRAFT,
    ENTER,
    FINISHED,
    FROM,
    GIVE,
    LAURELS,
    LAY_OUT,
    LEAVE,
    MAX_GIVES,
    MAX_SEATS,
    MAX_TERMS,
    MOVE,
    N_PLACES,
    N_PROMISES,
    N_VALUES,
    OPEN,
    OPPOSE,
    PAY,
    PLACE_CAESAR,
    PLACE_OF,
    PLACES,
    PROMISE,
    PROMISES,
    SENATE,
    START,
    SUPPORT,
    THEN,
    TO,
    TWO_CAESAR,
    WORD,
    WORDS,
    index_of,
    kind_of,
)
from rostra.jit import State
from rostra.tui.guide import YOU, capital, listed

OVERVIEW = (
    "Lead senators upward from committee to committee into the Senate, and collect laurels on the way. When the "
    "fifth senator sits in the Senate the game ends at once (Q-END-1). Most laurel points win, but only players with "
    "a senator in the Senate count (Q-END-2); a tie goes to who was there first (Q-END-3).",
    "",
    "In your turn you do one thing: enter a senator in A, B, C or D (Q-ACT-1), move one along a path to a free seat "
    "(Q-ACT-2), or put Caesar on another laurel place (Q-ACT-3).",
    "",
    "Out of a committee with one seat you go freely (Q-MOV-1). Out of three seats you need the consent of one other "
    "senator there, out of five of two; your own count too (Q-MOV-2). You win the laurel on the path (Q-MOV-3), "
    "everybody else gets a 1 for each consent (Q-MOV-4). A 2 with Caesar (2c) lets you move him after your move "
    "(Q-MOV-5). Caesar's own path needs no consent but wins no laurel (Q-CAE-1, Q-CAE-2).",
    "",
    "Consents are bought: with laurels, with where Caesar goes, with promises (Q-NEG-1). What happens in this turn is "
    "binding; promises for later are not, but all see what became of them (Q-NEG-2). A deal happens when all its "
    "parties say yes, whole or not at all (Q-NEG-3).",
    "",
    "The board: I[02.] is committee I with senators of seats 0 and 2 and a free seat; I>M 3 is the path from I to M "
    "with a laurel of 3 on it; CAESAR stands where he is.",
)

ACTION_HELP = (
    "It is your turn: one action, then the next seat plays (Q-ACT-1 to Q-ACT-3).",
    "  +B      enter a senator on a free seat of A, B, C or D (Q-ACT-1).",
    "  A>E     move a senator up; out of one-seat committees nobody is asked and there is no laurel (Q-MOV-1). On "
    "Caesar's path nobody is asked either, but the laurel stays (Q-CAE-1, Q-CAE-2).",
    "  I>M(2)  move with the consent of a senator of seat 2. Out of three seats one consent is needed, out of five "
    "two: B>I(1,2); your own senators may give it (Q-MOV-2). Others get a 1 for each (Q-MOV-4), you win the laurel "
    "(Q-MOV-3). This opens an offer to which you can add gives and promises; nothing happens before `ask`.",
    "  @M>S    put Caesar on another laurel place (Q-ACT-3).",
    "  deal    an offer around an action that needs nobody, such as to leave Caesar's laurels alone for pay (Q-NEG-1).",
    "  hear    every other seat may make you one offer; you can still act as you like (Q-NEG-4).",
    "In a turn you may open three offers and hear once. Names do instead of numbers: I>M Claudius.",
)

OPEN_HELP = (
    "Say which action your deal is about; a deal always contains the action of the turn (Q-NEG-5). Then you add what "
    "is given and promised, and ask (Q-NEG-3). `drop` goes back; the offer counts as one of your three.",
)

DRAFT_HELP = (
    "You put an offer together. Nothing happens until you `ask` and all parties say yes, clockwise; the first no ends "
    "it. Then all of it happens at once (Q-NEG-3). `drop` gives it up.",
    "  give 0 1 3           seat 0 gives seat 1 a laurel of 3. In words: give Brutus 3, or Brutus gives me 2. At most "
    "four gives, of laurels that are held or won by this very action (Q-NEG-3). Change may be given back (Q-NEG-1).",
    "  promise 0 1 support  you consent when Brutus next asks. In words: promise Brutus support.",
    "  promise 0 1 oppose 2 you will not consent to seat 2.   promise Brutus oppose Claudius",
    "  promise 0 1 caesar   you keep Caesar off paths out of committees where Brutus sits.   promise Brutus caesar",
    "  promise 0 1 pay 3    you will give laurels worth 3 later.   promise Brutus pay 3",
    "  then @M>S            where Caesar goes (or `then -`), if the action wins a 2 with Caesar (Q-MOV-5).",
    "At most two promises. Promises are not binding (Q-NEG-2): each ends as kept, as broken, or lapsed after five "
    "turns of who made it, and all see that. The same offer may not be asked again in this turn once it was refused.",
)

ANSWER_HELP = (
    "You are asked for your consent to a whole offer: yes or no. When all parties agree it happens at once (Q-NEG-3). "
    "With a yes you get a 1 for each consent of yours (Q-MOV-4) and what is given to you, and you give what it says; "
    "that is binding, promises are not (Q-NEG-2). A no has no price, except that it breaks a promise of support if "
    "the offer asks no laurel of you.",
)

LISTEN_HELP = (
    "The active player listens: you may make one offer for his turn, or `pass` (Q-NEG-4). Choose the action that he "
    "is to do, then add gives and promises, then `ask` (Q-NEG-3). An action that needs nobody comes after `deal` "
    "(Q-NEG-5).",
)

CAESAR_HELP = (
    "You won a 2 with Caesar: you may put him on another laurel place, or leave him with - (Q-MOV-5). His path needs "
    "no consent (Q-CAE-1), and nobody wins the laurel under him nor a consent laurel (Q-CAE-2).",
)

DISMISS_HELP = (
    "Between the games of a consul election everybody takes own senators off the board until two are left there: -B "
    "takes one from B (Q-VAR-3).",
)


FATES = ("kept", "broken", "lapsed")


class Draft(NamedTuple):
    """An offer: the action, gives (giver, receiver, value), where Caesar goes, promises (maker, receiver, kind)."""

    action: int
    gives: list[tuple[int, int, int]]
    then: int
    promises: list[tuple[int, int, int]]


def draft_of(s: State) -> Draft:
    """The draft in the state; `then` is -1 when there is none."""
    gives = [give_of(int(g) - 1) for g in s.draft[AT_GIVES : AT_GIVES + MAX_GIVES] if g]
    promises = [promise_of(int(t) - 1) for t in s.draft[AT_TERMS : AT_TERMS + MAX_TERMS] if t]
    return Draft(int(s.draft[0]) - 1, gives, int(s.draft[AT_THEN]) - 1, promises)


def give_of(index: int) -> tuple[int, int, int]:
    """Giver, receiver and value of a give."""
    return index // (MAX_SEATS * N_VALUES), index // N_VALUES % MAX_SEATS, index % N_VALUES + 1


def promise_of(index: int) -> tuple[int, int, int]:
    """Maker, receiver and kind of a promise."""
    return index // (MAX_SEATS * N_PROMISES), index // N_PROMISES % MAX_SEATS, index % N_PROMISES


def consenters(action: int) -> list[int]:
    """The seats whose consents an action uses, one a senator."""
    if kind_of(action) != ASKING:
        return []
    return [int(seat) for seat in CONSENT_ACTIONS[index_of(action), 1:] if seat >= 0]


def counted(number: int, one: str) -> str:
    """A number with its noun."""
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


class Speech:
    """Sentences with the names of the table."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def whose(self, seat: int) -> str:
        """A seat as an owner."""
        return "your" if seat == YOU else f"{self.names[seat]}'s"

    def does(self, seat: int, verb: str) -> str:
        """A verb for a seat."""
        return verb if seat == YOU else f"{verb}s"

    def action(self, s: State, action: int) -> str:
        """What the active seat does, from the verb on."""
        seat, kind, index = int(s.active), kind_of(action), index_of(action)
        if kind == ENTER:
            return f"{self.does(seat, 'enter')} {COMMITTEES[index]}"
        if kind == CAESAR_TO:
            return f"{self.does(seat, 'move')} Caesar to {PLACES[index]}"
        path = path_of(action)
        to = "the Senate" if TO[path] == SENATE else COMMITTEES[TO[path]]
        said = f"{self.does(seat, 'move')} from {COMMITTEES[FROM[path]]} to {to}"
        if kind == MOVE:
            return f"{said} past Caesar" if PLACE_OF[path] == s.caesar else said
        return f"{said} with {self.consents(action, seat)}"

    def consents(self, action: int, mover: int) -> str:
        """Whose consents an action uses."""
        seats = consenters(action)
        owners = [self._owner(seat, mover) for seat in dict.fromkeys(seats)]
        if len(seats) == 1:
            return f"{owners[0]} consent"
        return f"{owners[0]} two consents" if len(owners) == 1 else f"{listed(owners)} consent"

    def _owner(self, seat: int, mover: int) -> str:
        return self.whose(seat) if seat != mover else "your own" if seat == YOU else f"{self.names[seat]}'s own"

    def promise(self, promise: tuple[int, int, int]) -> str:
        """What a promise is, behind `promises`."""
        maker, receiver, kind = promise
        said = self.names[receiver]
        if kind == SUPPORT:
            return f"{said} your support" if maker == YOU else f"{said} support"
        if kind == CAESAR:
            return f"{said} to keep Caesar off {self.whose(receiver)} paths"
        if kind >= PAY:
            return f"{said} laurels worth {kind - PAY + 1} later"
        return f"{said} to refuse {self.names[kind - OPPOSE]} any consent"

    def offer(self, s: State, draft: Draft) -> str:
        """The whole draft as a sentence."""
        parts = []
        for seat in [int(s.active), *(seat for seat in range(s.n) if seat != s.active)]:
            clauses = [self.action(s, draft.action)] if seat == s.active else []
            for receiver in range(s.n):
                values = [f"a {v}" for giver, to, v in draft.gives if (giver, to) == (seat, receiver)]
                if values:
                    clauses.append(f"{self.does(seat, 'give')} {self.names[receiver]} {listed(values)}")
            if seat == s.active and draft.then == N_PLACES:
                clauses.append(f"then {self.does(seat, 'leave')} Caesar where he is")
            elif seat == s.active and draft.then >= 0:
                clauses.append(f"then {self.does(seat, 'move')} Caesar to {PLACES[draft.then]}")
            clauses += [f"{self.does(seat, 'promise')} {self.promise(p)}" for p in draft.promises if p[0] == seat]
            if clauses:
                parts.append(f"{self.names[seat]} {listed(clauses)}")
        return f"{capital('; '.join(parts))}."

    def gains(self, s: State, draft: Draft) -> list[str]:
        """What the draft brings to each seat in laurels, the person first."""
        won = laurel_won(s, draft.action)
        lines = []
        for seat in range(s.n):
            items, points = [], 0
            if seat == s.active and won >= 0:
                points += value_of(won) + 1
                items.append(f"the {laurel(won)} on the path")
            if ones := ones_won(s, draft.action, seat):
                points += ones
                items.append(f"{tiles(ones)} for consent")
            for giver, receiver, value in draft.gives:
                if receiver == seat:
                    points += value
                    items.append(f"a {value} from {self.names[giver]}")
                elif giver == seat:
                    points -= value
                    items.append(f"less a {value} to {self.names[receiver]}")
            if items:
                lines.append(f"{capital(self.names[seat])}: {', '.join(items)} ({points:+} points)")
        return lines

    def sentence(self, s: State, move: int) -> str:
        """Any decision in words."""
        kind, index = kind_of(move), index_of(move)
        if kind in (ENTER, MOVE, ASKING, CAESAR_TO):
            won = laurel_won(s, move)
            wins = f" and {self.does(int(s.active), 'win')} the {laurel(won)}" if won >= 0 else ""
            return f"{self.names[s.active]} {self.action(s, move)}{wins}"
        text = WORDS[index] if kind == WORD else ""
        if kind == LEAVE:
            return "Caesar stays where he is"
        return _SAID.get(text) or self._term(move)

    def _term(self, move: int) -> str:
        text_index = index_of(move)
        giver, receiver, value = give_of(text_index)
        if kind_of(move) == GIVE:
            return f"{self.names[giver]} {self.does(giver, 'give')} {self.names[receiver]} a {value}"
        if kind_of(move) == PROMISE:
            promise = promise_of(text_index)
            return f"{self.names[promise[0]]} {self.does(promise[0], 'promise')} {self.promise(promise)}"
        if kind_of(move) == THEN:
            return f"Caesar then goes to {PLACES[text_index]}" if text_index < N_PLACES else "Caesar then stays"
        return f"take a senator off {COMMITTEES[text_index]}"


_SAID = {
    "deal": "make an offer around an action that needs nobody",
    "ask": "put the offer to its parties",
    "drop": "give the offer up",
    "yes": "agree to the offer",
    "no": "refuse the offer",
    "hear": "let the others make offers",
    "pass": "make no offer",
}


class Story(Speech):
    """What happened, in sentences; offers are told when they are asked."""

    def tell(self, before: State, after: State, seat: int | None, text: str, move: int) -> list[str]:
        """One ply; no seat is chance."""
        if seat is None:
            return self._chance(before, after, text)
        return [*self._said(before, after, seat, text, move), *self._consequences(before, after)]

    def _chance(self, before: State, after: State, text: str) -> list[str]:
        if before.phase == START:
            seat = int(text[2:])
            return [f"{capital(self.names[seat])} {self.does(seat, 'begin')}."]
        if before.phase == LAY_OUT:
            return ["Ten laurels are laid out."] if after.phase != LAY_OUT else []
        up = laurel(LAURELS.index(text[1:]))
        return [f"A {up} is turned up on {PLACES[before.pending]}.", *self._consequences(before, after)]

    def _said(self, before: State, after: State, seat: int, text: str, move: int) -> list[str]:
        who = capital(self.names[seat])
        if before.phase == ACT and text == "hear":
            return [f"{who} {self.does(seat, 'let')} the others make offers."]
        if text == "ask":
            return [f"{who} {self.does(seat, 'ask')}: {self.offer(before, draft_of(before))}"]
        if text == "no":
            return [f"{who} {self.does(seat, 'refuse')}."]
        if text == "yes":
            lines = [f"{who} {self.does(seat, 'agree')}."]
            if after.phase != ANSWER:
                gains = "; ".join(self.gains(before, draft_of(before)))
                lines.append(f"The deal is done. {gains}".rstrip())
            return lines
        if text == "pass":
            return [f"{who} {self.does(seat, 'make')} no offer."]
        if text == "drop":
            return [f"{who} {self.does(seat, 'drop')} the offer."]
        if before.phase == PLACE_CAESAR:
            return [f"{who} {self.does(seat, 'put')} Caesar on {text[1:]}." if text != "-" else "Caesar stays."]
        if before.phase == DISMISS:
            return [f"{who} {self.does(seat, 'take')} a senator off {text[1:]}."]
        if before.phase == ACT and after.phase not in (OPEN, DRAFT):
            return [f"{capital(self.sentence(before, move))}."]
        return []  # an offer in the making: told when it is asked

    def _consequences(self, before: State, after: State) -> list[str]:
        """Arrivals, the fate of promises, the countdown, the games of an election."""
        lines = []
        if after.arrived > before.arrived:
            owner = int(after.senate[after.arrived - 1]) - 1
            sits = "are" if owner == YOU else "is"
            lines.append(f"{capital(self.names[owner])} {sits} in the Senate: {after.arrived} of 5 seats are taken.")
        risen = after.fates.astype(int) - before.fates
        still = [int(p) for p in after.promises[: after.n_promises]]
        for p in before.promises[: before.n_promises]:
            if int(p) in still:
                still.remove(int(p))
                continue
            promise = promise_of(int(p) - 1)
            for fate, name in enumerate(FATES):
                if risen[promise[0], promise[1], fate] > 0:
                    risen[promise[0], promise[1], fate] -= 1
                    said = f"{self.whose(promise[0])} promise to {self.names[promise[1]]} ("
                    lines.append(f"{capital(said)}{self._kind(promise[2])}) is {name}.")
                    break
        limit = int(after.stall_rounds) * int(after.n)
        if after.quiet > before.quiet and limit and (2 * after.quiet - limit) in (0, 1):
            lines += countdown(after)
        if before.consul and (after.totals != before.totals).any():
            totals = ", ".join(f"{name} {points}" for name, points in zip(self.names, after.totals, strict=False))
            lines.append(f"Game {before.game + 1} of 3 is over. Totals: {totals}.")
        return lines

    def _kind(self, kind: int) -> str:
        if OPPOSE <= kind < OPPOSE + len(self.names):
            return f"to oppose {self.names[kind - OPPOSE]}"
        return f"to pay {kind - PAY + 1}" if kind >= PAY else PROMISES[kind]


def countdown(s: State) -> list[str]:
    """How long until the game ends without progress, from half of it on (Q-END-4)."""
    limit = int(s.stall_rounds) * int(s.n)
    if not limit or 2 * s.quiet < limit or s.phase == FINISHED:
        return []
    left = counted(limit - int(s.quiet), "more turn")
    return [f"No senator moved for {counted(int(s.quiet), 'turn')}: {left} of that end the game (Q-END-4)."]


def laurel(kind: int) -> str:
    """A laurel by its kind."""
    return "2 with Caesar" if kind == TWO_CAESAR else LAURELS[kind]


def tiles(ones: int) -> str:
    """Laurels of value 1."""
    return "a 1" if ones == 1 else f"{ones} laurels of 1"
