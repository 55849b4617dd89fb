"""Quo Vadis? in words: drafts, moves and promises as sentences, the help, and the words that people type.

The texts themselves are in the catalogue. Sentences address the person, so seat 0 is `you` and verbs follow it. What a
draft brings is computed from the state before it is carried out.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rostra.engine.jit import State
from rostra.games.quovadis.deals import laurel_won, path_of, vower
from rostra.games.quovadis.outlook import worth_of_draft
from rostra.games.quovadis.shapes import QuoVadisPart
from rostra.games.quovadis.state import AT_GIVES, AT_TERMS, AT_THEN, ONE_STEP, freed
from rostra.games.quovadis.tables import (
    ACT,
    ANSWER,
    ASKING,
    BARGAIN,
    CAESAR,
    CAESAR_TO,
    COMMITTEES,
    CONSENT,
    CONSENT_ACTIONS,
    DEMAND,
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
    MAX_TERMS,
    MOVE,
    N_PLACES,
    ONE,
    OPEN,
    OPPOSE,
    PAY,
    PLACE_CAESAR,
    PLACE_OF,
    PLACES,
    PROMISE,
    SENATE,
    SHOW,
    SPARE,
    START,
    SUPPORT,
    THEN,
    TO,
    TWO_CAESAR,
    VOW,
    WORD,
    WORDS,
    given_to,
    giver_of,
    index_of,
    kind_of,
    kind_of_promise,
    maker_of,
    promised_to,
    value_given,
)
from rostra.words.voice import YOU, Voice, capital

OVERVIEW = (
    "tui_quovadis.overview_aim",
    "tui_quovadis.overview_turn",
    "tui_quovadis.overview_moves",
    "tui_quovadis.overview_deals",
    "tui_quovadis.overview_board",
)


class Row(NamedTuple):
    """A line of help: what is typed (nothing in a paragraph), the key of what it does, an example in words."""

    typed: str
    key: str
    example: str = ""


ACTION_HELP = (
    Row("", "tui_quovadis.help_turn"),
    Row("+B", "tui_quovadis.help_enter"),
    Row("A>E", "tui_quovadis.help_move"),
    Row("I>M(2)", "tui_quovadis.help_consent"),
    Row("@M>S", "tui_quovadis.help_caesar"),
    Row("deal", "tui_quovadis.help_deal"),
    Row("hear", "tui_quovadis.help_hear"),
    Row("", "tui_quovadis.help_limits"),
)
OPEN_HELP = (Row("", "tui_quovadis.help_open"),)
DRAFT_HELP = (
    Row("", "tui_quovadis.help_draft"),
    Row("give 0 1 3", "tui_quovadis.help_give"),
    Row("promise 0 1 support", "tui_quovadis.help_support"),
    Row("promise 0 1 oppose 2", "tui_quovadis.help_oppose", "promise Brutus oppose Claudius"),
    Row("promise 0 1 caesar", "tui_quovadis.help_keep_off", "promise Brutus caesar"),
    Row("promise 0 1 pay 3", "tui_quovadis.help_pay", "promise Brutus pay 3"),
    Row("then @M>S", "tui_quovadis.help_then"),
    Row("", "tui_quovadis.help_promises"),
)
ANSWER_HELP = (Row("", "tui_quovadis.help_answer"),)
BARGAIN_HELP = (
    Row("", "tui_quovadis.help_bargain"),
    *DRAFT_HELP[1:6],
    Row("refuse 1", "tui_quovadis.help_refuse"),
    Row("consent 1", "tui_quovadis.help_vow_consent"),
    Row("spare M>S", "tui_quovadis.help_spare"),
    DRAFT_HELP[-1],
)
LISTEN_HELP = (Row("", "tui_quovadis.help_listen"),)
CAESAR_HELP = (Row("", "tui_quovadis.help_place_caesar"),)
DISMISS_HELP = (Row("", "tui_quovadis.help_dismiss"),)
DEMAND_HELP = (Row("", "tui_quovadis.help_demand"),)

TYPED = {
    "deal": "tui_quovadis.typed_deal",
    "bargain": "tui_quovadis.typed_bargain",
    "refuse": "tui_quovadis.typed_refuse",
    "consent": "tui_quovadis.typed_consent",
    "spare": "tui_quovadis.typed_spare",
    "one": "tui_quovadis.typed_one",
    "ask": "tui_quovadis.typed_ask",
    "drop": "tui_quovadis.typed_drop",
    "yes": "tui_quovadis.typed_yes",
    "no": "tui_quovadis.typed_no",
    "hear": "tui_quovadis.typed_hear",
    "pass": "tui_quovadis.typed_pass",
    "show": "tui_quovadis.typed_show",
    "give": "tui_quovadis.typed_give",
    "gives": "tui_quovadis.typed_gives",
    "promise": "tui_quovadis.typed_promise",
    "promises": "tui_quovadis.typed_promises",
    "support": "tui_quovadis.typed_support",
    "oppose": "tui_quovadis.typed_oppose",
    "caesar": "tui_quovadis.typed_caesar",
    "pay": "tui_quovadis.typed_pay",
    "then": "tui_quovadis.typed_then",
    "enter": "tui_quovadis.typed_enter",
    "move": "tui_quovadis.typed_move",
    "leave": "tui_quovadis.typed_leave",
    "senate": "tui_quovadis.typed_senate",
    "from": "tui_quovadis.typed_from",
    "to": "tui_quovadis.typed_to",
    "the": "tui_quovadis.typed_the",
    "with": "tui_quovadis.typed_with",
    "i": "tui_quovadis.typed_i",
    "me": "tui_quovadis.typed_me",
}
"""The words of the notation and of what may be typed around it, by what they are in English."""
FATES = ("quovadis.fate_kept", "quovadis.fate_broken", "quovadis.fate_lapsed")


class Draft(NamedTuple):
    """An offer: the action, gives (giver, receiver, value), where Caesar goes, promises (maker, receiver, kind)."""

    action: int
    gives: list[tuple[int, int, int]]
    then: int
    promises: list[tuple[int, int, int]]
    one: int = -1
    vow: int = -1


def draft_of(s: State) -> Draft:
    """The draft in the state; `then` is -1 when there is none."""
    gives = [give_of(int(g) - 1) for g in s.draft[AT_GIVES : AT_GIVES + MAX_GIVES] if g]
    promises = [promise_of(int(t) - 1) for t in s.draft[AT_TERMS : AT_TERMS + MAX_TERMS] if t]
    action, extra = int(s.draft[0]) - 1, int(s.draft[AT_THEN])
    if kind_of(action) == BARGAIN:
        return Draft(action, gives, -1, promises, vow=extra - 1)
    return Draft(action, gives, extra % ONE_STEP - 1, promises, one=extra // ONE_STEP - 1)


def give_of(index: int) -> tuple[int, int, int]:
    """Giver, receiver and value of a give."""
    return giver_of(index), given_to(index), value_given(index) + 1


def promise_of(index: int) -> tuple[int, int, int]:
    """Maker, receiver and kind of a promise."""
    return maker_of(index), promised_to(index), kind_of_promise(index)


def consenters(action: int) -> list[int]:
    """The seats whose consents an action uses, one entry for each senator."""
    if kind_of(action) != ASKING:
        return []
    return [int(seat) for seat in CONSENT_ACTIONS[index_of(action), 1:] if seat >= 0]


def past_caesar(s: State, path: int) -> str:
    """The key of why a path that Caesar frees needs no consent (Q-CAE-1, Q-VAR-4)."""
    return "tui_quovadis.past_caesar" if PLACE_OF[path] == s.caesar else "tui_quovadis.beside_caesar"


class Speech:
    """Sentences with the names of the table."""

    def __init__(self, voice: Voice) -> None:
        self.voice, self.say, self.names = voice, voice.say, voice.short
        self._shown = {english: voice.typed(key)[0] for english, key in TYPED.items()}
        self._english = {word: english for english, key in TYPED.items() for word in voice.typed(key)}

    def shown(self, code: str) -> str:
        """A code with its words in this language."""
        return " ".join(self._shown.get(word, word) for word in code.split(" "))

    def in_english(self, typed: str) -> str:
        """What was typed in this language (in small letters) with the words that the notation knows."""
        return " ".join(self._english.get(word, word) for word in typed.split())

    def help(self, rows: Sequence[Row]) -> list[str]:
        """The lines of a help text; those with something to type are indented."""
        typed = [self.shown(row.typed) for row in rows]
        width = max(len(code) for code in typed) + 1
        lines = []
        for row, code in zip(rows, typed, strict=True):
            said = self.say(row.key)
            if row.example:
                said += f"   {self.shown(row.example)}"
            lines.append(f"  {code:{max(width, 8)}}{said}" if code else said)
        return lines

    def action(self, s: State, action: int) -> str:
        """What the active seat does, from the verb on."""
        seat, kind, index = int(s.active), kind_of(action), index_of(action)
        you = seat == YOU
        if kind == ENTER:
            return self.say("tui_quovadis.does_enter", you=you, room=COMMITTEES[index])
        if kind == CAESAR_TO:
            return self.say("tui_quovadis.does_caesar", you=you, path=PLACES[index])
        if kind == LEAVE:
            return self.say("tui_quovadis.does_leave", you=you)
        path = path_of(action)
        foot = COMMITTEES[FROM[path]]
        if TO[path] == SENATE:
            said = self.say("tui_quovadis.does_arrive", you=you, foot=foot)
        else:
            said = self.say("tui_quovadis.does_move", you=you, foot=foot, head=COMMITTEES[TO[path]])
        if kind == MOVE:
            return f"{said} {self.say(past_caesar(s, path))}" if freed(s, path) else said
        return f"{said} {self.say('tui_quovadis.with', consents=self.consents(action, seat))}"

    def consents(self, action: int, mover: int) -> str:
        """Whose consents an action uses."""
        seats = consenters(action)
        owners = [self._owner(seat, mover) for seat in dict.fromkeys(seats)]
        two = len(seats) > 1 and len(owners) == 1
        key = "tui_quovadis.two_consents" if two else "tui_quovadis.consent"
        return self.say(key, owners=self.voice.listed(owners))

    def _owner(self, seat: int, mover: int) -> str:
        if seat == YOU:
            return self.say("tui_quovadis.your_own" if seat == mover else "tui_quovadis.your")
        return self.say("tui_quovadis.their_own" if seat == mover else "tui_quovadis.their", name=self.names[seat])

    def promise(self, promise: tuple[int, int, int]) -> str:
        """What a promise is, behind `promises`."""
        maker, receiver, kind = promise
        to = self.voice.to(receiver)
        if kind == SUPPORT:
            key = "tui_quovadis.your_support" if maker == YOU else "tui_quovadis.their_support"
            return self.say(key, to=to)
        if kind == CAESAR:
            key = "tui_quovadis.off_your_paths" if receiver == YOU else "tui_quovadis.off_their_paths"
            return self.say(key, to=to)
        if kind >= PAY:
            return self.say("tui_quovadis.laurels_later", to=to, value=kind - PAY + 1)
        return self.say("tui_quovadis.no_consent_for", to=to, rival=self.voice.whom(kind - OPPOSE))

    def promises(self, promise: tuple[int, int, int]) -> str:
        """A promise, from the verb on."""
        return self.say("tui_quovadis.does_promise", you=promise[0] == YOU, promise=self.promise(promise))

    def gives(self, giver: int, receiver: int, values: Sequence[int]) -> str:
        """Gives of one seat to another, from the verb on."""
        laurels = self.voice.listed([self.say("tui_quovadis.a_laurel", value=value) for value in values])
        return self.say("tui_quovadis.does_give", you=giver == YOU, to=self.voice.to(receiver), laurels=laurels)

    def offer(self, s: State, draft: Draft) -> str:
        """The whole draft as a sentence."""
        parts = []
        for seat in [int(s.active), *(seat for seat in range(s.n) if seat != s.active)]:
            acts = seat == s.active and kind_of(draft.action) != BARGAIN
            clauses = [self.action(s, draft.action)] if acts else []
            for receiver in range(s.n):
                values = [v for giver, to, v in draft.gives if (giver, to) == (seat, receiver)]
                if values:
                    clauses.append(self.gives(seat, receiver, values))
            if seat == s.active and draft.then == N_PLACES:
                clauses.append(self.say("tui_quovadis.then_leaves", you=seat == YOU))
            elif seat == s.active and draft.then >= 0:
                clauses.append(self.say("tui_quovadis.then_moves", you=seat == YOU, path=PLACES[draft.then]))
            if draft.one >= 0 and seat == s.active:
                clauses.append(self.last_one(seat, draft.one))
            if draft.vow >= 0 and vower(s, draft.vow) == seat:
                clauses.append(self.vow(s, draft.vow))
            clauses += [self.promises(p) for p in draft.promises if p[0] == seat]
            if clauses:
                parts.append(f"{self.names[seat]} {self.voice.listed(clauses)}")
        return f"{capital('; '.join(parts))}."

    def last_one(self, mover: int, seat: int) -> str:
        """Who gets the last laurel of value 1 (Q-MOV-4)."""
        return self.say("tui_quovadis.last_one", you=mover == YOU, name=self.voice.whom(seat))

    def vow(self, s: State, vow: int) -> str:
        """What a seat binds itself to in this turn (Q-NEG-5)."""
        you, name = vower(s, vow) == YOU, self.voice.whom(int(s.active))
        if vow >= SPARE:
            return self.say("tui_quovadis.vow_spare", you=you, path=PLACES[vow - SPARE])
        return self.say("tui_quovadis.vow_consent" if vow >= CONSENT else "tui_quovadis.vow_refuse", you=you, name=name)

    def gains(self, s: State, draft: Draft) -> dict[int, str]:
        """What the draft brings in laurels, by seat, the person first."""
        moved = worth_of_draft(s)
        assert moved is not None
        lines = {}
        for share in sorted(moved["shares"], key=lambda share: share["seat"]):
            if share["parts"]:
                seat, net = share["seat"], share["net"]
                items = ", ".join(self._gain(s, draft.action, part) for part in share["parts"])
                who = capital(self.names[seat])
                lines[seat] = self.say("tui_quovadis.gains", who=who, items=items, points=f"{net:+}", n=abs(net))
        return lines

    def _gain(self, s: State, action: int, part: QuoVadisPart) -> str:
        """A part of what a draft moves for a seat."""
        n, other = part["points"], part["seat"]
        if other is not None and n > 0:
            return self.say("tui_quovadis.gain_from", value=n, name=self.voice.to(other))
        if other is not None:
            return self.say("tui_quovadis.gain_less", value=-n, name=self.voice.whom(other))
        if part["why"] == "path":
            return self.say("tui_quovadis.gain_path", laurel=self.laurel(laurel_won(s, action)))
        return self.say("tui_quovadis.gain_one" if n == 1 else "tui_quovadis.gain_ones", n=n)

    def sentence(self, s: State, move: int) -> str:
        """Any decision in words."""
        kind, index = kind_of(move), index_of(move)
        if kind in (ENTER, MOVE, ASKING, CAESAR_TO):
            won = laurel_won(s, move)
            said = f"{self.names[s.active]} {self.action(s, move)}"
            if won < 0:
                return said
            wins = self.say("tui_quovadis.and_wins", you=s.active == YOU, laurel=self.laurel(won))
            return f"{said} {wins}"
        if kind == LEAVE:
            return self.say("tui_quovadis.caesar_stays")
        if kind == SHOW:
            return self.say("tui_quovadis.said_show")
        if s.phase == DEMAND:
            return self.say("tui_quovadis.said_pass_demand")
        if kind == WORD:
            return self.say(_SAID[WORDS[index]])
        if kind == BARGAIN:
            return self.say("tui_quovadis.said_bargain")
        if kind == VOW:
            return f"{self.names[vower(s, index)]} {self.vow(s, index)}"
        if kind == ONE:
            return f"{self.names[s.active]} {self.last_one(int(s.active), index)}"
        if kind == GIVE:
            giver, receiver, value = give_of(index)
            return f"{self.names[giver]} {self.gives(giver, receiver, [value])}"
        if kind == PROMISE:
            promise = promise_of(index)
            return f"{self.names[promise[0]]} {self.promises(promise)}"
        if kind == THEN:
            if index == N_PLACES:
                return self.say("tui_quovadis.caesar_then_stays")
            return self.say("tui_quovadis.caesar_then_goes", path=PLACES[index])
        return self.say("tui_quovadis.take_off", room=COMMITTEES[index])

    def laurel(self, kind: int) -> str:
        """A laurel by its kind."""
        if kind == TWO_CAESAR:
            return self.say("tui_quovadis.laurel_caesar")
        return self.say("tui_quovadis.laurel", value=LAURELS[kind])

    def countdown(self, s: State) -> list[str]:
        """How long until the game ends without progress, from half of it on (Q-END-4)."""
        limit = int(s.stall_rounds) * int(s.n)
        if not limit or 2 * s.quiet < limit or s.phase == FINISHED:
            return []
        return [self.say("tui_quovadis.countdown", n=int(s.quiet), left=limit - int(s.quiet))]


_SAID = {
    "deal": "tui_quovadis.said_deal",
    "ask": "tui_quovadis.said_ask",
    "drop": "tui_quovadis.said_drop",
    "yes": "tui_quovadis.said_yes",
    "no": "tui_quovadis.said_no",
    "hear": "tui_quovadis.said_hear",
    "pass": "tui_quovadis.said_pass",
}
_TOLD = {
    "no": "tui_quovadis.told_no",
    "pass": "tui_quovadis.told_pass",
    "drop": "tui_quovadis.told_drop",
}


class Story(Speech):
    """What happened, in sentences; an offer is reported when it is complete."""

    def tell(self, before: State, after: State, seat: int | None, text: str, move: int) -> list[str]:
        """One ply; no seat is chance."""
        if seat is None:
            return self._chance(before, after, text)
        return [*self._said(before, after, seat, text, move), *self._consequences(before, after)]

    def _told(self, key: str, seat: int, **values: object) -> str:
        return capital(self.voice.told(key, seat, **values))

    def _chance(self, before: State, after: State, text: str) -> list[str]:
        if before.phase == START:
            return [self._told("tui_quovadis.told_begin", int(text[2:]))]
        if before.phase == LAY_OUT:
            return [self.say("tui_quovadis.laid_out")] if after.phase != LAY_OUT else []
        up = self.laurel(LAURELS.index(text[1:]))
        turned = self.say("tui_quovadis.turned_up", laurel=up, path=PLACES[before.pending])
        return [turned, *self._consequences(before, after)]

    def _said(self, before: State, after: State, seat: int, text: str, move: int) -> list[str]:
        if before.phase == DEMAND:
            key = "tui_quovadis.told_show" if text == "show" else "tui_quovadis.told_pass_demand"
            return [self._told(key, seat)]
        if text == "hear":
            return [self._told("tui_quovadis.told_hear", seat)]
        if text == "ask":
            return [self._told("tui_quovadis.told_ask", seat, offer=self.offer(before, draft_of(before)))]
        if text == "yes":
            lines = [self._told("tui_quovadis.told_yes", seat)]
            if after.phase != ANSWER:
                gains = "; ".join(self.gains(before, draft_of(before)).values())
                lines.append(f"{self.say('tui_quovadis.deal_done')} {gains}".rstrip())
            return lines
        if text in _TOLD:
            return [self._told(_TOLD[text], seat)]
        if before.phase == PLACE_CAESAR and text != "deal":
            if text == "-":
                return [self.say("tui_quovadis.told_stays")]
            return [self._told("tui_quovadis.told_caesar", seat, path=text[1:])]
        if before.phase == DISMISS:
            return [self._told("tui_quovadis.told_dismiss", seat, room=text[1:])]
        if before.phase == ACT and after.phase not in (OPEN, DRAFT):
            return [f"{capital(self.sentence(before, move))}."]
        return []  # part of an offer: reported when the offer is complete

    def _consequences(self, before: State, after: State) -> list[str]:
        """Arrivals, the fate of promises, the countdown, the games of an election."""
        lines = []
        if after.arrived > before.arrived:
            owner = int(after.senate[after.arrived - 1]) - 1
            lines.append(self._told("tui_quovadis.arrived", owner, n=after.arrived))
        risen = after.fates.astype(int) - before.fates
        still = [int(p) for p in after.promises[: after.n_promises]]
        for p in before.promises[: before.n_promises]:
            if int(p) in still:
                still.remove(int(p))
                continue
            maker, receiver, kind = promise_of(int(p) - 1)
            for fate, name in enumerate(FATES):
                if risen[maker, receiver, fate] > 0:
                    risen[maker, receiver, fate] -= 1
                    said = {"name": self.voice.whom(receiver), "kind": self._kind(kind), "fate": self.say(name)}
                    if maker == YOU:
                        lines.append(self.say("tui_quovadis.your_promise_is", **said))
                    else:
                        lines.append(self.say("tui_quovadis.their_promise_is", maker=self.names[maker], **said))
                    break
        limit = int(after.stall_rounds) * int(after.n)
        if after.quiet > before.quiet and limit and (2 * after.quiet - limit) in (0, 1):
            lines += self.countdown(after)
        if before.consul and (after.totals != before.totals).any():
            totals = ", ".join(f"{name} {points}" for name, points in zip(self.names, after.totals, strict=False))
            lines.append(self.say("tui_quovadis.game_over", n=before.game + 1, totals=totals))
        return lines

    def _kind(self, kind: int) -> str:
        if OPPOSE <= kind < OPPOSE + len(self.names):
            return self.say("tui_quovadis.kind_oppose", name=self.voice.whom(kind - OPPOSE))
        if kind >= PAY:
            return self.say("tui_quovadis.kind_pay", value=kind - PAY + 1)
        return self.say("tui_quovadis.kind_support" if kind == SUPPORT else "tui_quovadis.kind_caesar")
