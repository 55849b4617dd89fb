"""The guide to Quo Vadis?: moves by what they need, offers put together and answered in words, forgiving reading.

What a newcomer would get wrong: there are hundreds of gives and promises, so only the likely ones are listed and the
rest is told by pattern; everything legal can be typed. Others' laurels are shown only as `Game.view` shows them.
"""

import re
from collections.abc import Iterator, Sequence

from rostra.game import Game, IllegalMove, did_you_mean
from rostra.games.quovadis.deals import consents_by, laurel_won, ones_won, parties, payable
from rostra.games.quovadis.state import arrival
from rostra.games.quovadis.tables import (
    ACT,
    ANSWER,
    ASKING,
    CAESAR_TO,
    COMMITTEES,
    DISMISS,
    DRAFT,
    DRAFTS,
    ENTER,
    FINISHED,
    FROM,
    GIVE,
    LISTEN,
    MAX_GIVES,
    MAX_TERMS,
    MOVE,
    N_VALUES,
    OPEN,
    OPPOSE,
    PATHS,
    PLACE_CAESAR,
    PLACES,
    SEATS_IN,
    SUPPORT,
    THEN,
    index_of,
    kind_of,
)
from rostra.jit import State
from rostra.transcript import Result
from rostra.tui import quovadis_words as words
from rostra.tui.guide import YOU, Guide, Menu, capital, hung, in_cells, listed, paragraphs, squeezed
from rostra.tui.quovadis_words import FATES, Story, consenters, countdown, counted, draft_of, laurel, promise_of, tiles

_HELP = {
    ACT: words.ACTION_HELP,
    OPEN: words.OPEN_HELP,
    DRAFT: words.DRAFT_HELP,
    ANSWER: words.ANSWER_HELP,
    LISTEN: words.LISTEN_HELP,
    PLACE_CAESAR: words.CAESAR_HELP,
    DISMISS: words.DISMISS_HELP,
}
_SYNONYMS = {
    **dict.fromkeys(("y", "ok", "agree", "accept", "i agree"), "yes"),
    **dict.fromkeys(("n", "refuse", "decline", "reject", "i refuse"), "no"),
    **dict.fromkeys(("offer", "propose"), "deal"),
    **dict.fromkeys(("cancel", "back"), "drop"),
    **dict.fromkeys(("listen", "hear offers"), "hear"),
    **dict.fromkeys(("leave", "leave him", "stay"), "-"),
}
_TOPICS = {"give": words.DRAFT_HELP[1:2], "promise": words.DRAFT_HELP[2:6], "then": words.DRAFT_HELP[6:7]}


def _distances() -> list[int]:
    """Moves from each committee to the Senate."""
    far = {"S": 0}
    while len(far) <= len(COMMITTEES):
        for path in PATHS:
            if path[2] in far:
                far[path[0]] = min(far.get(path[0], 99), far[path[2]] + 1)
    return [far[name] for name in COMMITTEES]


DISTANCE = _distances()


class QuoVadisGuide(Guide):
    """See the module."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        super().__init__(game, names)
        self.speech = Story(self.short)

    def welcome(self) -> list[str]:
        """What this is, in a few lines."""
        aim = (
            "Lead your senators up into the Senate and collect laurels. Most ways up need the consent of others: "
            "bargain for it. Who has no senator in the Senate at the end cannot win."
        )
        return [*super().welcome(), *paragraphs([aim])]

    def overview(self) -> list[str]:
        """The whole game on a screen."""
        return paragraphs(words.OVERVIEW)

    def sentence(self, s: State, move: int) -> str:
        """A move in words."""
        return self.speech.sentence(s, move)

    # The table.

    def board(self, s: State) -> list[str]:
        """The board, then the players, the Senate and the promises by names."""
        seen = self.game.view(s, YOU)
        lines = []
        for line in self.game.diagram(s, YOU).rstrip("\n").split("\n"):
            lines.append(line)
            if line.startswith("ones left"):
                break
        for seat, player in enumerate(seen["players"]):
            mark = ">" if seat == s.active and s.phase != FINISHED else " "
            has = f"{player['off']} senators off the board, {counted(player['tiles'], 'laurel')}"
            if player["hand"] is not None:
                has += f": {_hand(player['hand'])} = {counted(player['points'], 'point')}"
            if s.consul:
                has += f", {player['total']} from earlier games"
            lines.append(f"{mark} {seat} {self.short[seat]}: {has}")
        return [*lines, *self._senate(s), *self._promises(s), *countdown(s)]

    def _senate(self, s: State) -> list[str]:
        inside = listed([self.short[owner - 1] for owner in s.senate[: s.arrived]]) or "nobody"
        out = []
        for seat in range(s.n):
            if not arrival(s, seat):
                steps = [DISTANCE[c] for c in range(len(COMMITTEES)) if s.board[c, seat]]
                out.append(f"{self.short[seat]} {min(steps, default=4)}")
        missing = f" Moves to it: {', '.join(out)}." if out else ""
        return [f"Senate: {s.arrived} of 5 seats taken, by {inside}.{missing}"]

    def _promises(self, s: State) -> list[str]:
        lines = []
        for i in range(s.n_promises):
            promise = promise_of(int(s.promises[i]) - 1)
            turns = counted(int(s.promise_turns[i]), "turn")
            lines.append(f"Open: {self.short[promise[0]]} promised {self.speech.promise(promise)} ({turns} left)")
        fates = []
        for maker in range(s.n):
            sums = s.fates[maker, : s.n].sum(axis=0)
            said = [f"{number} {fate}" for number, fate in zip(sums, FATES, strict=True) if number]
            if said:
                fates.append(f"{self.short[maker]} {', '.join(said)}")
        return [*lines, *([f"Promises so far: {'; '.join(fates)}"] if fates else [])]

    def tableau(self, s: State) -> list[str]:
        """What the person has."""
        me = self.game.view(s, YOU)["players"][YOU]
        sits = [f"{COMMITTEES[c]} {s.board[c, YOU]}" for c in range(len(COMMITTEES)) if s.board[c, YOU]]
        arrived = sum(owner == YOU + 1 for owner in s.senate[: s.arrived])
        return [
            f"Your laurels: {_hand(me['hand'])} = {counted(me['points'], 'point')}.",
            f"Your senators: {', '.join(sits) or 'none'} on the board, {me['off']} off it, {arrived} in the Senate.",
            *self._senate(s),
            *self._promises(s),
        ]

    # Listing moves.

    def menu(self, s: State, moves: list[int]) -> Menu:
        """Moves by what they need; gives and promises by pattern."""
        if s.phase == DRAFT:
            return self._drafting(s, moves)
        if s.phase == ANSWER:
            return self._answering(s, moves)
        numbered: list[int] = []
        lines = self._heading(s)

        def label(move: int) -> str:
            numbered.append(move)
            return f"{len(numbered):3}  {self.game.text(s, move)}"

        if enters := [move for move in moves if kind_of(move) == ENTER]:
            lines += ["Enter a senator:", *in_cells([label(move) for move in enters], "")]
        steps = [move for move in moves if kind_of(move) in (MOVE, ASKING)]
        alone = [move for move in steps if set(consenters(move)) <= {int(s.active)}]
        asking = [move for move in steps if move not in alone]
        consent = "Moves that need consent (an offer; nothing happens before you ask):"
        for title, group in (("Moves that need nobody:", alone), (consent, asking)):
            if group:
                lines.append(title)
            for move in group:
                lines += hung(f"{label(move):15} ", self._note(s, move))
        places = [self.game.text(s, move) for move in moves if kind_of(move) == CAESAR_TO]
        if places:
            lines.append(f"Caesar (now on {PLACES[s.caesar]}): @ + a path, e.g. @{_dearest(s)}")
        for move in moves:
            if kind_of(move) not in (ENTER, MOVE, ASKING, CAESAR_TO):
                lines += hung(f"{label(move):15} ", self.sentence(s, move) + self._left(s, move))
        return Menu(lines, numbered)

    def _heading(self, s: State) -> list[str]:
        if s.phase == LISTEN:
            return hung("", f"{self.short[s.active]} listens: you may make an offer for that turn, or pass.")
        if s.phase == OPEN:
            return [f"Which action of {'yours' if s.active == YOU else self.short[s.active]} is the offer about?"]
        if s.phase == PLACE_CAESAR:
            return ["You won a 2 with Caesar: move him, or leave him."]
        if s.phase == DISMISS:
            return ["Take one of your senators off the board."]
        return ["Your turn. Type a number or a code:"]

    def _left(self, s: State, move: int) -> str:
        if s.phase == ACT and self.game.text(s, move) == "deal":
            return f" ({DRAFTS - s.drafts} of {DRAFTS} offers left in this turn)"
        return ""

    def _note(self, s: State, move: int) -> str:
        seats = consenters(move)
        others = [seat for seat in dict.fromkeys(seats) if seat != s.active]
        if others:
            said = [f"needs {self.speech.consents(move, int(s.active))}"]
        elif seats:
            said = [f"with {self.speech.consents(move, int(s.active))}"]
        elif PATHS[index_of(move)] == PLACES[s.caesar]:
            said = ["past Caesar"]
        else:
            said = ["free way"]
        if (won := laurel_won(s, move)) >= 0:
            said.append(f"{'you win' if s.active == YOU else 'wins'} the {laurel(won)}")
        for seat in others:
            if ones := ones_won(s, move, seat):
                said.append(f"{self.short[seat]} {self.speech.does(seat, 'get')} {tiles(ones)}")
        return ", ".join(said)

    def _drafting(self, s: State, moves: list[int]) -> Menu:
        draft = draft_of(s)
        others = self._parties(s)
        texts = {self.game.text(s, move): move for move in moves}
        lines = hung("The offer so far: ", self.speech.offer(s, draft), "  ")
        lines += [f"  {line}" for line in self.speech.gains(s, draft)]
        numbered = []
        for word in ("ask", "drop"):
            if word in texts:
                numbered.append(texts[word])
                to = f" ({listed([self.short[seat] for seat in others])})" if word == "ask" else ""
                lines.append(f"{len(numbered):3}  {word:5} {self.sentence(s, texts[word])}{to}")
        if "ask" not in texts:
            why = "this offer was refused already" if others else "it needs a term with somebody else first"
            lines.append(f"     It cannot be asked: {why}.")
        any_one = others[0] if others else 1
        name = self.short[any_one]
        gives = [move for move in moves if kind_of(move) == GIVE]
        if gives:
            own = [move for move in gives if words.give_of(index_of(move))[0] == YOU]
            near = [move for move in own if words.give_of(index_of(move))[1] in others]
            lines.append(f"You may add gives ({len(draft.gives)} of {MAX_GIVES} used):")
            for move in near:
                numbered.append(move)
                lines.append(f"{len(numbered):3}  {self.game.text(s, move):12} {self.sentence(s, move)}")
            if own and not near:
                held = [str(v + 1) for v in range(N_VALUES) if payable(s, YOU, v) > 0]
                lines.append(f"     You could give: {' '.join(held)}, e.g. give {name} {held[0]}")
            lines.append(f"     give GIVER RECEIVER VALUE, e.g. give {any_one} 0 1 = {name} gives you a 1")
        if any(kind_of(move) == THEN for move in moves):
            lines.append(f"     then @PATH, e.g. then @{_dearest(s)} = Caesar goes there; then - = he stays")
        if len(draft.promises) < MAX_TERMS:
            lines += [
                f"You may add promises ({len(draft.promises)} of {MAX_TERMS} used; not binding):",
                f"     promise MAKER RECEIVER KIND, e.g. promise 0 {any_one} support = you to {name};",
                f"     in words: promise {name} support, or {name} promises support;",
                "     kinds: support, oppose SEAT, caesar, pay 1 to 5 (? promise explains them)",
            ]
        return Menu(lines, numbered)

    def _answering(self, s: State, moves: list[int]) -> Menu:
        draft = draft_of(s)
        drafter = self.short[s.drafter]
        lines = hung(f"{drafter} asks you: ", self.speech.offer(s, draft), "  ")
        gains = self.speech.gains(s, draft)
        if not any(line.startswith("You:") for line in gains):
            gains = ["You: no laurels now", *gains]
        lines += ["If all agree:", *(f"  {line}" for line in gains)]
        mine = [promise_of(int(s.promises[i]) - 1) for i in range(s.n_promises)]
        consents = consents_by(draft.action, YOU)
        if consents and (YOU, int(s.active), SUPPORT) in mine and not any(give[0] == YOU for give in draft.gives):
            lines.append(f"You promised {self.short[s.active]} your support: a no breaks that promise.")
        for maker, receiver, kind in mine:
            if consents and maker == YOU and kind == OPPOSE + s.active:
                lines.append(f"A yes breaks your promise to {self.short[receiver]} to refuse such consent.")
        return Menu([*lines, "  1  yes", "  2  no"], moves)

    def _parties(self, s: State) -> list[int]:
        """The seats in the draft beside the person."""
        return [seat for seat in range(s.n) if parties(s) >> seat & 1 and seat != YOU]

    # Help.

    def help(self, s: State, moves: list[int]) -> list[str]:
        """What the decision at hand is about, with rule ids."""
        lines = []
        for text in _HELP[s.phase]:
            lines += hung(text[: len(text) - len(text.lstrip())], text.strip(), "    " if text[0] == " " else "")
        return [*lines, "", *self._senate(s), *self._promises(s), *countdown(s), *self.menu(s, moves).lines]

    def about(self, s: State, word: str, moves: list[int]) -> list[str]:
        """A move, a committee or a kind of term explained."""
        if word.casefold() in _TOPICS:
            return list(_TOPICS[word.casefold()])
        if len(word) == 1 and word.upper() in COMMITTEES:
            index = COMMITTEES.index(word.upper())
            inside = [self.short[seat] for seat in range(s.n) for _ in range(s.board[index, seat])]
            ways = " ".join(path for path, foot in zip(PATHS, FROM, strict=True) if foot == index)
            need = {1: "no consent (Q-MOV-1)", 3: "one consent (Q-MOV-2)", 5: "two consents (Q-MOV-2)"}
            size = int(SEATS_IN[index])
            said = f"{counted(size, 'seat')}, in it {listed(inside) or 'nobody'}; ways out: {ways}, with {need[size]}."
            return [f"{word.upper()}: {said}"]
        return super().about(s, word, moves)

    # Reading.

    def read(self, s: State, typed: str, moves: list[int]) -> int:
        """The legal move that was typed, as a code or in words with names."""
        texts = {self.game.text(s, move): move for move in moves}
        plain = " ".join(typed.casefold().split()).rstrip(".!")
        code = ""
        for code in (typed, plain, _SYNONYMS.get(plain, ""), *self._meant(s, plain)):
            alike = [text for text in texts if squeezed(text) == squeezed(code)]
            if len(alike) == 1:
                return texts[alike[0]]
        if re.fullmatch(r"[A-N]>[A-NS]", code):
            ways = [text for text in texts if text.startswith(code)]
            if len(ways) == 1:
                return texts[ways[0]]
            if ways:
                raise IllegalMove(f"Say whose consent you want: {', '.join(ways)}.")
        raise IllegalMove(self._refusal(s, typed, code, list(texts)))

    def _meant(self, s: State, plain: str) -> Iterator[str]:
        """Codes that the words may stand for."""
        named = self._with_seats(plain)
        if found := re.fullmatch(r"(?:enter|\+)(?: a senator)?(?: in| at| into)? ?([a-d])", plain):
            yield f"+{found[1].upper()}"
        elif re.search(r"\bpromise", named):
            yield self._promise(s, named)
        elif re.search(r"\bgive", named):
            yield self._give(s, named)
        elif found := re.search(r"\b([a-n]) ?(?:->|>|to) ?(senate|[a-n]|s)\b(.*)", named.replace("the ", "")):
            path = f"{found[1]}>{found[2][0]}".upper()
            if named.startswith("then"):
                yield f"then @{path}"
            elif re.match(r"@|(?:move |put )?caesar", named):
                yield f"@{path}"
            else:
                seats = sorted(re.findall(r"\d", found[3]))
                yield f"{path}({','.join(seats)})" if seats else path
        elif re.fullmatch(r"then (leave|stay|-).*", named):
            yield "then -"

    def _with_seats(self, plain: str) -> str:
        """Names replaced by `#` and the seat."""
        names = [(name.casefold(), seat) for seat, name in enumerate(self.short)]
        names += [(self.names[YOU].casefold(), YOU), *((word, YOU) for word in ("me", "myself"))]
        if re.match(r"i (give|promise)", plain):
            plain = plain[2:]
        for name, seat in sorted(names, key=lambda one: -len(one[0])):
            plain = re.sub(rf"(?<!\w){re.escape(name)}(?:'s)?(?!\w)", f"#{seat}", plain)
        return plain

    def _ends(self, s: State, verb: str, named: str, numbers: list[str]) -> tuple[str, str]:
        """Who does something to whom: seats named before and behind the verb, filled up where that leaves no doubt."""
        before, _, behind = named.partition(verb)
        first, second = re.findall(r"#(\d)", before), [*re.findall(r"#(\d)", behind), *numbers]
        others = self._parties(s) if s.phase == DRAFT else []
        if len(first) + len(second) >= 2:
            one, two = (first + second)[:2]
            return one, two
        if first:
            return first[0], str(YOU)
        if second and second[0] != str(YOU):
            return str(YOU), second[0]
        if len(others) != 1:
            raise IllegalMove(f"Say who {verb}s whom, such as {verb} {self.short[1]} ...")
        return (str(others[0]), str(YOU)) if second else (str(YOU), str(others[0]))

    def _give(self, s: State, named: str) -> str:
        numbers = re.findall(r"(?<![#\w])\d\b", named)
        if not numbers:
            raise IllegalMove(f"Say which laurel, such as give {self.short[1]} 3.")
        if re.search(r"give \d #\d \d", named) or re.search(r"give #\d \d \d", named):
            one, two, value = re.findall(r"\d", named)[:3]
        else:
            # With names one number is the laurel: the only one; without names it is the last.
            value = numbers[-1]
            one, two = self._ends(s, "give", named, numbers[:-1])
        return f"give {one} {two} {value}"

    def _promise(self, s: State, named: str) -> str:
        found = re.search(r"support|oppose|caesar|pay", named)
        if found is None:
            raise IllegalMove("Promises are support, oppose SEAT, caesar, or pay 1 to 5: ? promise explains them.")
        kind, head, tail = found[0], named[: found.start()], named[found.end() :]
        numbers = re.findall(r"(?<!#)\d", head)
        if kind in ("oppose", "pay"):
            which = re.search(r"\d" if kind == "oppose" else r"(?<!#)\d", tail)
            if which is None:
                raise IllegalMove(f"Say {'whom to oppose' if kind == 'oppose' else 'how much'}: {kind} 1, for example.")
            kind = f"{kind} {which[0]}"
            tail = "" if kind.startswith("oppose") else tail
        one, two = self._ends(s, "promise", f"{head} {tail}", numbers)
        return f"promise {one} {two} {kind}"

    def _refusal(self, s: State, typed: str, code: str, texts: list[str]) -> str:
        if s.phase == ANSWER:
            return "Please answer yes or no."
        if s.phase == DRAFT and re.fullmatch(r"give \d \d \d", code):
            _, giver, receiver, value = code.split()
            if int(giver) >= s.n or int(receiver) >= s.n or giver == receiver:
                return f"{code}: a give is between two different seats of 0 to {s.n - 1}."
            if len(draft_of(s).gives) == MAX_GIVES:
                return "An offer has at most four gives."
            return f"{capital(self.short[int(giver)])} cannot give a {value}: none held or won by this (Q-NEG-3)."
        if s.phase == DRAFT and re.fullmatch(r"promise \d \d .*", code):
            full = len(draft_of(s).promises) == MAX_TERMS
            return "An offer has at most two promises." if full else f"There can be no such promise: {code}."
        if code.startswith(("give", "promise", "then")) and s.phase != DRAFT:
            return "First choose the action that the offer is about (`deal` for one that needs nobody)."
        if s.phase == ACT and re.match(r"[A-N]>[A-NS]", code.upper()):
            return self._no_way(s, code[:3].upper(), code)
        return f"{typed!r} is no legal move now{did_you_mean(typed, texts)}. Type ? for help."

    def _no_way(self, s: State, path: str, code: str) -> str:
        if path not in PATHS:
            return f"There is no path {path}: ? {path[0]} shows the ways out of {path[0]}."
        foot, head = COMMITTEES.index(path[0]), (COMMITTEES + "S").index(path[2])
        if not s.board[foot, YOU]:
            return f"You have no senator in {path[0]} (Q-ACT-2)."
        if path[2] != "S" and s.board[head].sum() >= SEATS_IN[head]:
            return f"{path[2]} is full (Q-ACT-2)."
        if s.drafts >= DRAFTS:
            return "You have made three offers in this turn; do something that needs nobody."
        size = int(SEATS_IN[foot])
        need = "one other senator" if size == 3 else "two other senators"
        return f"{code.upper()} is not possible: out of {path[0]} you need the consent of {need} there (Q-MOV-2)."

    # Telling.

    def tell(self, before: State, after: State, seat: int | None, text: str | None) -> list[str]:
        """What happened, in sentences; offers are told when they are asked."""
        assert text is not None  # nothing is hidden in this game
        return self.speech.tell(before, after, seat, text, self.game.parse(before, text))

    def final(self, s: State, result: Result) -> list[str]:
        """Points, who did not qualify, and who won."""
        why = {
            "senate-full": "The Senate is full (Q-END-1).",
            "stalled": "No senator has moved for too long (Q-END-4).",
            "consul-elected": "The third game is over (Q-VAR-3).",
        }
        width = max(map(len, self.names))
        lines = ["", "--- The game is over. ---", why.get(result.end, ""), ""]
        for seat, points in enumerate(result.points):
            place = result.tiebreak[seat]
            if place or (s.consul and int(s.qualified) >> seat & 1):
                said = f"came {place}. into the Senate" if place else "qualified in an earlier game"
            else:
                said = "not qualified: no senator in the Senate (Q-END-2)"
            lines.append(f"  {self.names[seat]:{width}}  {points:3} points  {said}")
        return [*lines, "", *self.verdict(result)]

    def verdict(self, result: Result) -> list[str]:
        """The winner, and whether arrival decided."""
        if not result.winners:
            return ["Nobody wins: nobody is in the Senate (Q-END-2)."]
        names = ["you" if seat == YOU else self.names[seat] for seat in result.winners]
        points = result.points[result.winners[0]]
        verb = "win" if names[0] == "you" or len(names) > 1 else "wins"
        lines = [f"{capital(listed(names))} {verb} with {points} points."]
        level = [seat for seat, has in enumerate(result.points) if has == points and result.tiebreak[seat]]
        if len(level) > len(result.winners):
            lines.append("The tie went to who was in the Senate first (Q-END-3).")
        return lines


def _hand(hand: list[int]) -> str:
    """Laurels by value."""
    return " ".join(str(value + 1) for value, number in enumerate(hand) for _ in range(number)) or "none"


def _dearest(s: State) -> str:
    """A place to name as an example for Caesar."""
    return "M>S" if PLACES[s.caesar] != "M>S" else "N>S"
