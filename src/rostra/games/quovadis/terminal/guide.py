"""The guide to Quo Vadis?: moves by what they need, offers composed and answered in words, forgiving input.

There are hundreds of gives and promises, so only the likely ones are listed and the rest is described by a pattern;
everything legal can be typed. Laurels of others are shown only as `Screen.view` shows them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rostra.engine.game import Game, IllegalMove, Result
from rostra.engine.jit import State
from rostra.games.quovadis.deals import consents_by, laurel_won, ones_won, parties, payable
from rostra.games.quovadis.state import arrival, freed
from rostra.games.quovadis.tables import (
    ACT,
    ANSWER,
    ASKING,
    BARGAIN,
    CAESAR_TO,
    COMMITTEES,
    DEMAND,
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
    SPARE,
    STEPS_TO_SENATE,
    SUPPORT,
    THEN,
    VOW,
    index_of,
    kind_of,
)
from rostra.games.quovadis.terminal import words
from rostra.games.quovadis.terminal.words import FATES, Story, consenters, draft_of, promise_of
from rostra.words.guide import Guide, Menu, hung, in_cells, paragraphs, squeezed
from rostra.words.voice import YOU, capital

_HELP = {
    ACT: words.ACTION_HELP,
    OPEN: words.OPEN_HELP,
    DRAFT: words.DRAFT_HELP,
    ANSWER: words.ANSWER_HELP,
    LISTEN: words.LISTEN_HELP,
    PLACE_CAESAR: words.CAESAR_HELP,
    DISMISS: words.DISMISS_HELP,
    DEMAND: words.DEMAND_HELP,
}
_HEADINGS = {
    OPEN: "tui_quovadis.which_of_theirs",
    PLACE_CAESAR: "tui_quovadis.place_caesar",
    DISMISS: "tui_quovadis.dismiss",
    DEMAND: "tui_quovadis.demand",
}
_ROOMS = {1: "tui_quovadis.room_of_one", 3: "tui_quovadis.room_of_three", 5: "tui_quovadis.room_of_five"}
_SYNONYMS = {
    **dict.fromkeys(("y", "ok", "agree", "accept", "i agree"), "yes"),
    **dict.fromkeys(("n", "refuse", "decline", "reject", "i refuse"), "no"),
    **dict.fromkeys(("offer", "propose"), "deal"),
    **dict.fromkeys(("cancel", "back"), "drop"),
    **dict.fromkeys(("listen", "hear offers"), "hear"),
    **dict.fromkeys(("leave", "leave him", "stay"), "-"),
}
_TOPICS = {"give": (1, 2), "promise": (2, 6), "then": (6, 7)}
"""Which lines of the help for drafts explain a kind of term."""
_ENDS = {
    "senate-full": "tui_quovadis.end_senate_full",
    "stalled": "tui_quovadis.end_stalled",
    "consul-elected": "tui_quovadis.end_consul",
}


class QuoVadisGuide(Guide):
    """See the module."""

    def __init__(self, game: Game, names: Sequence[str], language: str = "en") -> None:
        super().__init__(game, names, language)
        self.speech = Story(self.voice)

    def welcome(self) -> list[str]:
        """What this is, in a few lines."""
        return [*super().welcome(), *paragraphs([self.say("tui_quovadis.aim")])]

    def overview(self) -> list[str]:
        """The whole game on a screen."""
        return paragraphs([line for key in words.OVERVIEW for line in ("", self.say(key))][1:])

    def sentence(self, s: State, move: int) -> str:
        """A move in words."""
        return self.speech.sentence(s, move)

    def meaning(self, s: State, text: str) -> str:
        """A move in a few words; terms of an offer in the words of this guide."""
        if text.startswith(("give", "promise", "ask", "deal")):  # phrases for hints have no cases, and none of some
            return self.sentence(s, self.game.notation.parse(s, text))
        return super().meaning(s, text)

    def shown(self, text: str) -> str:
        """A move's text with its words in this language."""
        return self.speech.shown(text)

    # The table.

    def board(self, s: State) -> list[str]:
        """The board, then the players, the Senate and the promises by names."""
        seen = self.game.screen.view(s, YOU)
        lines, bare = [], self.say("tui_quovadis.mark_none")
        for line in self.game.screen.diagram(s, YOU).split("\n"):
            if line.startswith("ones left"):  # from here on by names
                break
            lines.append(line.replace("CAESAR", self.say("tui_quovadis.mark_caesar")).replace("none", bare))
        lines.append(self.say("tui_quovadis.supply", ones=seen["ones"], stack=seen["stack"]))
        for seat, player in enumerate(seen["players"]):
            mark = ">" if seat == s.active and s.phase != FINISHED else " "
            has = self.say("tui_quovadis.player", n=player["off"], tiles=self.say("quovadis.tiles", n=player["tiles"]))
            if player["hand"] is not None:
                has += f": {self._hand(player)}"
            if s.consul:
                has += f", {self.say('tui_quovadis.earlier', n=player['total'])}"
            lines.append(f"{mark} {seat} {self.short[seat]}: {has}")
        return [*lines, *self._senate(s), *self._promises(s), *self.speech.countdown(s)]

    def _hand(self, player: dict[str, Any]) -> str:
        """Laurels by value, and their sum."""
        values = " ".join(str(value) for value, number in enumerate(player["hand"], 1) for _ in range(number))
        return f"{values or self.say('tui.none')} = {self.say('quovadis.points', n=player['points'])}"

    def _senate(self, s: State) -> list[str]:
        inside = [self.short[owner - 1] for owner in s.senate[: s.arrived]]
        by = self.voice.listed(inside) or self.say("tui_quovadis.nobody")
        out = []
        for seat in range(s.n):
            if not arrival(s, seat):
                steps = [STEPS_TO_SENATE[c] for c in range(len(COMMITTEES)) if s.board[c, seat]]
                out.append(f"{self.short[seat]} {min(steps, default=4)}")
        line = self.say("tui_quovadis.senate", n=s.arrived, names=by)
        return [f"{line} {self.say('tui_quovadis.moves_to_it', moves=', '.join(out))}" if out else line]

    def _promises(self, s: State) -> list[str]:
        lines = []
        for i in range(s.n_promises):
            promise = promise_of(int(s.promises[i]) - 1)
            said = {"promise": self.speech.promise(promise), "n": int(s.promise_turns[i])}
            lines.append(self.voice.told("tui_quovadis.open_promise", promise[0], **said))
        fates = []
        for maker in range(s.n):
            sums = s.fates[maker, : s.n].sum(axis=0)
            counts = [f"{number} {self.say(fate)}" for number, fate in zip(sums, FATES, strict=True) if number]
            if counts:
                fates.append(f"{self.short[maker]} {', '.join(counts)}")
        return [*lines, *([self.say("tui_quovadis.promises_so_far", fates="; ".join(fates))] if fates else [])]

    def tableau(self, s: State) -> list[str]:
        """What the person has."""
        me = self.game.screen.view(s, YOU)["players"][YOU]
        sits = [f"{COMMITTEES[c]} {s.board[c, YOU]}" for c in range(len(COMMITTEES)) if s.board[c, YOU]]
        arrived = sum(owner == YOU + 1 for owner in s.senate[: s.arrived])
        on = ", ".join(sits) or self.say("tui.none")
        return [
            self.say("tui_quovadis.your_laurels", laurels=self._hand(me)),
            self.say("tui_quovadis.your_senators", on=on, off=me["off"], inside=arrived),
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
            return f"{len(numbered):3}  {self.shown(self.game.notation.text(s, move))}"

        if enters := [move for move in moves if kind_of(move) == ENTER]:
            lines += [self.say("tui_quovadis.enter_a_senator"), *in_cells([label(move) for move in enters], "")]
        steps = [move for move in moves if kind_of(move) in (MOVE, ASKING)]
        alone = [move for move in steps if set(consenters(move)) <= {int(s.active)}]
        asking = [move for move in steps if move not in alone]
        for key, group in (("tui_quovadis.moves_alone", alone), ("tui_quovadis.moves_asking", asking)):
            if group:
                lines.append(self.say(key))
            for move in group:
                lines += hung(f"{label(move):15} ", self._note(s, move))
        places = [self.game.notation.text(s, move) for move in moves if kind_of(move) == CAESAR_TO]
        if places:
            lines.append(self.say("tui_quovadis.caesar_now", path=PLACES[s.caesar], example=f"@{_dearest(s)}"))
        for move in moves:
            if kind_of(move) not in (ENTER, MOVE, ASKING, CAESAR_TO):
                lines += hung(f"{label(move):15} ", self.sentence(s, move) + self._left(s, move))
        return Menu(lines, numbered)

    def _heading(self, s: State) -> list[str]:
        if s.phase == LISTEN:
            return hung("", self.say("tui_quovadis.listens", name=self.short[s.active]))
        if s.phase == OPEN and s.active == YOU:
            return [self.say("tui_quovadis.which_of_yours")]
        return [self.say(_HEADINGS.get(int(s.phase), "tui_quovadis.your_turn"), name=self.short[s.active])]

    def _left(self, s: State, move: int) -> str:
        if s.phase == ACT and self.game.notation.text(s, move) == "deal":
            return f" {self.say('tui_quovadis.offers_left', n=DRAFTS - s.drafts, all=DRAFTS)}"
        return ""

    def _note(self, s: State, move: int) -> str:
        seats = consenters(move)
        others = [seat for seat in dict.fromkeys(seats) if seat != s.active]
        consents = self.speech.consents(move, int(s.active)) if seats else ""
        if others:
            said = [self.say("tui_quovadis.needs", consents=consents)]
        elif seats:
            said = [self.say("tui_quovadis.with", consents=consents)]
        elif freed(s, index_of(move)):
            said = [self.say(words.past_caesar(s, index_of(move)))]
        else:
            said = [self.say("tui_quovadis.free_way")]
        if (won := laurel_won(s, move)) >= 0:
            key = "tui_quovadis.you_win" if s.active == YOU else "tui_quovadis.they_win"
            said.append(self.say(key, laurel=self.speech.laurel(won)))
        for seat in others:
            if ones := ones_won(s, move, seat):
                key = "tui_quovadis.gets_one" if ones == 1 else "tui_quovadis.gets_ones"
                said.append(self.voice.told(key, seat, n=ones))
        return ", ".join(said)

    def _drafting(self, s: State, moves: list[int]) -> Menu:
        draft = draft_of(s)
        others = self._parties(s)
        texts = {self.game.notation.text(s, move): move for move in moves}
        say, shown = self.say, self.shown
        lines = hung(f"{say('tui_quovadis.offer_so_far')} ", self.speech.offer(s, draft), "  ")
        lines += [f"  {line}" for line in self.speech.gains(s, draft).values()]
        numbered = []
        width = max(len(shown(word)) for word in ("ask", "drop")) + 1
        for word in ("ask", "drop"):
            if word in texts:
                numbered.append(texts[word])
                to = f" ({self.voice.listed([self.short[seat] for seat in others])})" if word == "ask" else ""
                lines.append(f"{len(numbered):3}  {shown(word):{width}} {self.sentence(s, texts[word])}{to}")
        if "ask" not in texts:
            lines.append(f"     {say('tui_quovadis.was_refused' if others else 'tui_quovadis.needs_a_term')}")
        any_one = others[0] if others else 1
        name = self.short[any_one]
        gives = [move for move in moves if kind_of(move) == GIVE]
        if gives:
            own = [move for move in gives if words.give_of(index_of(move))[0] == YOU]
            near = [move for move in own if words.give_of(index_of(move))[1] in others]
            lines.append(say("tui_quovadis.add_gives", n=len(draft.gives), all=MAX_GIVES))
            for move in near:
                numbered.append(move)
                lines.append(
                    f"{len(numbered):3}  {shown(self.game.notation.text(s, move)):12} {self.sentence(s, move)}"
                )
            if own and not near:
                held = [str(v + 1) for v in range(N_VALUES) if payable(s, YOU, v) > 0]
                example = shown(f"give {name} {held[0]}")
                lines.append(f"     {say('tui_quovadis.could_give', values=' '.join(held), example=example)}")
            example = shown(f"give {any_one} {YOU} 1")
            lines.append(f"     {say('tui_quovadis.how_to_give', example=example, name=name)}")
        if any(kind_of(move) == THEN for move in moves):
            lines.append(f"     {say('tui_quovadis.how_then', example=shown(f'then @{_dearest(s)}'))}")
        vows = [move for move in moves if kind_of(move) == VOW]
        if vows:
            lines.append(say("tui_quovadis.add_vow"))
        for move in vows:
            if index_of(move) < SPARE:  # the places of Caesar are many, and described in the help
                numbered.append(move)
                lines.append(
                    f"{len(numbered):3}  {shown(self.game.notation.text(s, move)):12} {self.sentence(s, move)}"
                )
        if any(index_of(move) >= SPARE for move in vows):
            lines.append(f"     {say('tui_quovadis.how_spare', example=shown(f'spare {_dearest(s)}'))}")
        if len(draft.promises) < MAX_TERMS:
            example = shown(f"promise {YOU} {any_one} support")
            lines += [
                say("tui_quovadis.add_promises", n=len(draft.promises), all=MAX_TERMS),
                f"     {say('tui_quovadis.how_to_promise', example=example, name=name)}",
                f"     {say('tui_quovadis.promise_in_words', name=name)}",
                f"     {say('tui_quovadis.kinds_explained')}",
            ]
        return Menu(lines, numbered)

    def _answering(self, s: State, moves: list[int]) -> Menu:
        draft = draft_of(s)
        asks = self.say("tui_quovadis.asks_you", name=self.short[s.drafter])
        lines = hung(f"{asks} ", self.speech.offer(s, draft), "  ")
        gains = self.speech.gains(s, draft)
        mine = gains.pop(YOU, self.say("tui_quovadis.no_laurels_now"))
        lines += [self.say("tui_quovadis.if_all_agree"), *(f"  {line}" for line in (mine, *gains.values()))]
        promised = [promise_of(int(s.promises[i]) - 1) for i in range(s.n_promises)]
        consents = consents_by(draft.action, YOU)
        if consents and (YOU, int(s.active), SUPPORT) in promised and not any(give[0] == YOU for give in draft.gives):
            lines.append(self.say("tui_quovadis.no_breaks", name=self.short[s.active]))
        for maker, receiver, kind in promised:
            if consents and maker == YOU and kind == OPPOSE + s.active:
                lines.append(self.say("tui_quovadis.yes_breaks", name=self.short[receiver]))
        return Menu([*lines, f"  1  {self.shown('yes')}", f"  2  {self.shown('no')}"], moves)

    def _parties(self, s: State) -> list[int]:
        """The other seats in the draft."""
        return [seat for seat in range(s.n) if parties(s) >> seat & 1 and seat != YOU]

    # Help.

    def help(self, s: State, moves: list[int]) -> list[str]:
        """What the decision at hand is about, with rule ids."""
        lines = []
        bargain = s.phase == DRAFT and kind_of(draft_of(s).action) == BARGAIN
        for text in self.speech.help(words.BARGAIN_HELP if bargain else _HELP[s.phase]):
            lines += hung(text[: len(text) - len(text.lstrip())], text.strip(), "    " if text[0] == " " else "")
        return [*lines, "", *self._senate(s), *self._promises(s), *self.speech.countdown(s), *self.menu(s, moves).lines]

    def about(self, s: State, word: str, moves: list[int]) -> list[str]:
        """A move, a committee or a kind of term explained."""
        topic = self.speech.in_english(word.casefold())
        if topic in _TOPICS:
            first, end = _TOPICS[topic]
            return self.speech.help(words.DRAFT_HELP)[first:end]
        if len(word) == 1 and word.upper() in COMMITTEES:
            index = COMMITTEES.index(word.upper())
            inside = [self.short[seat] for seat in range(s.n) for _ in range(s.board[index, seat])]
            ways = " ".join(path for path, foot in zip(PATHS, FROM, strict=True) if foot == index)
            size = int(SEATS_IN[index])
            names = self.voice.listed(inside) or self.say("tui_quovadis.nobody")
            return [self.say(_ROOMS[size], room=word.upper(), n=size, names=names, ways=ways)]
        return super().about(s, word, moves)

    # Reading.

    def read(self, s: State, typed: str, moves: list[int]) -> int:
        """The legal move that was typed, as a code or in words with names."""
        texts = {self.game.notation.text(s, move): move for move in moves}
        plain = self.speech.in_english(" ".join(typed.casefold().split()).rstrip(".!"))
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
                raise IllegalMove(self.say("tui_quovadis.whose_consent", moves=", ".join(ways)))
        raise IllegalMove(self._refusal(s, typed, code, list(texts)))

    def _meant(self, s: State, plain: str) -> Iterator[str]:
        """Codes that the words may stand for."""
        named = self._with_seats(plain)
        if found := re.fullmatch(r"(?:enter|\+)(?: a senator)?(?: in| at| into| to)? ?([a-d])", plain):
            yield f"+{found[1].upper()}"
        elif re.search(r"\bpromise", named):
            yield self._promise(s, named)
        elif re.search(r"\bgive", named):
            yield self._give(s, named)
        elif found := re.search(r"\b([a-n]) ?(?:->|>|to) ?(senate|[a-n]|s)\b(.*)", named.replace("the ", "")):
            path = f"{found[1]}>{found[2][0]}".upper()
            if named.startswith("then"):
                yield f"then @{path}"
            elif named.startswith("spare"):
                yield f"spare {path}"
            elif re.match(r"@|(?:move |put )?caesar", named):
                yield f"@{path}"
            else:
                seats = sorted(re.findall(r"\d", found[3]))
                yield f"{path}({','.join(seats)})" if seats else path
        elif re.fullmatch(r"then (leave|stay|-).*", named):
            yield "then -"
        elif found := re.search(r"#(\d) (refuse|consent)s?\b|\b(refuse|consent) #(\d)", named):
            yield f"{found[2] or found[3]} {found[1] or found[4]}"

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
        """Who does something to whom: seats named before and after the verb, completed where that is unambiguous."""
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
            key = "tui_quovadis.who_gives_whom" if verb == "give" else "tui_quovadis.who_promises_whom"
            raise IllegalMove(self.say(key, example=f"{self.shown(verb)} {self.short[1]} ..."))
        return (str(others[0]), str(YOU)) if second else (str(YOU), str(others[0]))

    def _give(self, s: State, named: str) -> str:
        numbers = re.findall(r"(?<![#\w])\d\b", named)
        if not numbers:
            raise IllegalMove(self.say("tui_quovadis.which_laurel", example=self.shown(f"give {self.short[1]} 3")))
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
            raise IllegalMove(self.say("tui_quovadis.promises_are"))
        kind, head, tail = found[0], named[: found.start()], named[found.end() :]
        numbers = re.findall(r"(?<!#)\d", head)
        if kind in ("oppose", "pay"):
            which = re.search(r"\d" if kind == "oppose" else r"(?<!#)\d", tail)
            if which is None:
                key = "tui_quovadis.oppose_whom" if kind == "oppose" else "tui_quovadis.pay_how_much"
                raise IllegalMove(self.say(key, example=self.shown(f"{kind} 1")))
            kind = f"{kind} {which[0]}"
            tail = "" if kind.startswith("oppose") else tail
        one, two = self._ends(s, "promise", f"{head} {tail}", numbers)
        return f"promise {one} {two} {kind}"

    def _refusal(self, s: State, typed: str, code: str, texts: list[str]) -> str:
        say = self.say
        if s.phase == ANSWER:
            return say("tui_quovadis.yes_or_no")
        if s.phase == DRAFT and re.fullmatch(r"give \d \d \d", code):
            _, giver, receiver, value = code.split()
            if int(giver) >= s.n or int(receiver) >= s.n or giver == receiver:
                return say("tui_quovadis.between_two", code=self.shown(code), last=s.n - 1)
            if len(draft_of(s).gives) == MAX_GIVES:
                return say("tui_quovadis.most_gives")
            key = "tui_quovadis.cannot_give" if int(giver) == YOU else "tui_quovadis.cannot_be_paid"  # hands are secret
            return capital(self.voice.told(key, int(giver), value=value))
        if s.phase == DRAFT and re.fullmatch(r"promise \d \d .*", code):
            if len(draft_of(s).promises) == MAX_TERMS:
                return say("tui_quovadis.most_promises")
            return say("tui_quovadis.no_such_promise", code=self.shown(code))
        if code.startswith(("give", "promise", "then")) and s.phase != DRAFT:
            return say("tui_quovadis.action_first")
        if s.phase == ACT and re.match(r"[A-N]>[A-NS]", code.upper()):
            return self._no_way(s, code[:3].upper(), code)
        return f"{self.voice.no_move(typed, map(self.shown, texts))} {say('tui_quovadis.for_help')}"

    def _no_way(self, s: State, path: str, code: str) -> str:
        if path not in PATHS:
            return self.say("tui_quovadis.no_path", path=path, room=path[0])
        foot, head = COMMITTEES.index(path[0]), (COMMITTEES + "S").index(path[2])
        if not s.board[foot, YOU]:
            return self.say("tui_quovadis.no_senator", room=path[0])
        if path[2] != "S" and s.board[head].sum() >= SEATS_IN[head]:
            return self.say("tui_quovadis.room_full", room=path[2])
        if s.drafts >= DRAFTS:
            return self.say("tui_quovadis.three_offers")
        key = "tui_quovadis.one_consent_needed" if SEATS_IN[foot] == 3 else "tui_quovadis.two_consents_needed"
        return self.say(key, code=code.upper(), room=path[0])

    # Telling.

    def tell(self, before: State, after: State, seat: int | None, text: str | None) -> list[str]:
        """What happened, in sentences; an offer is reported when it is complete."""
        assert text is not None  # nothing is hidden in this game
        return self.speech.tell(before, after, seat, text, self.game.notation.parse(before, text))

    def final(self, s: State, result: Result) -> list[str]:
        """Points, who did not qualify, and who won."""
        width = max(map(len, self.names))
        why = self.say(_ENDS[result.end]) if result.end in _ENDS else ""
        lines = ["", f"--- {self.say('tui.over')} ---", why, ""]
        scored = [self.say("tui_quovadis.scored", points=f"{points:3}", n=points) for points in result.points]
        for seat, place in enumerate(result.tiebreak):
            if place:
                said = self.say("tui_quovadis.came_in", place=place)
            elif s.consul and int(s.qualified) >> seat & 1:
                said = self.say("tui_quovadis.qualified_earlier")
            else:
                said = self.say("tui_quovadis.not_qualified")
            lines.append(f"  {self.names[seat]:{width}}  {scored[seat]:{max(map(len, scored))}}  {said}")
        return [*lines, "", *self.verdict(result)]

    def verdict(self, result: Result) -> list[str]:
        """The winner, and whether arrival decided."""
        if not result.winners:
            return [self.say("tui_quovadis.nobody_wins")]
        names = capital(self.voice.listed([self.at_end(seat) for seat in result.winners]))
        points = result.points[result.winners[0]]
        key = "tui.win_together" if len(result.winners) > 1 else "tui.wins"
        lines = [self.say(key, names=names, you=YOU in result.winners, n=points)]
        level = [seat for seat, has in enumerate(result.points) if has == points and result.tiebreak[seat]]
        if len(level) > len(result.winners):
            lines.append(self.say("tui_quovadis.tie_rule"))
        return lines


def _dearest(s: State) -> str:
    """A place to name as an example for Caesar."""
    return "M>S" if PLACES[s.caesar] != "M>S" else "N>S"
