"""The judgement of play by the learned net: hints for a decision, and the review of a finished match.

Everything is measured in chances to win, as the net of `rostra.bots.learned` estimates them. A move that the net thinks
bad is called a mistake only if playouts with the same dice for both moves confirm it. Every value is what a seat could
know at that time (`Knowledge.redeal`), never what was revealed later. Therefore luck, skill and the doings of others do
not quite add up to the result; the difference is shown as `rest`.
"""

import dataclasses
import functools
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from rostra.bots import deep, learned
from rostra.engine import rng
from rostra.engine.game import CHANCE, OVER, WINNER, BadNotation, BadOption, Game, copy, result_of
from rostra.engine.jit import Array, State
from rostra.engine.loops import verbs_of
from rostra.engine.net import HEADS, NARROW
from rostra.play.transcript import Replay, Transcript
from rostra.study import reasons
from rostra.study.ratings import estimate, shares_of_win
from rostra.study.review import Hint, HintMove, MissedDeal, Mistake, Review, ReviewPoint, ReviewSeat

BEST = 3
"""Number of moves in a hint, and of mistakes of each seat in a review."""
GRADES: dict[Literal["inaccuracy", "mistake", "blunder"], float] = {
    "blunder": 0.15, "mistake": 0.10, "inaccuracy": 0.05,
}  # fmt: skip
"""The name of a bad move, by the chance to win that it loses at least."""
CHECKED_LOSS = 0.04
"""A move that loses this much by the net's judgement is checked by playouts."""
CHECKED_MOVES = 4
"""At most this many moves of a seat are checked, the worst first."""
PLAYOUTS = 64
"""Playouts of each of the two moves in such a check, at most."""
FIRST_PLAYOUTS = 32
"""After these a check stops if the move cannot be a mistake."""
PLAYOUT_STYLE = "quick"
"""The style of the learned bot that plays them."""
MAX_OUTCOMES = 300
"""Chance events in a row are weighed exactly if they have at most this many outcomes."""
MAX_DEAL_MOVES = 30
"""A negotiation that takes more moves than this counts as failed."""
FINAL_REDEALS = 32
"""Redeals over which the last move of a game is scored."""
SEED = 1
"""For redeals and playouts, so that a review is the same every time."""


def knows(game: Game, n_seats: int) -> bool:
    """Whether there is a net for this game with this number of players."""
    try:
        learned.weights(game, n_seats)
    except BadOption:
        return False
    return True


class Judge:
    """The net of a game for one number of players, reduced to the chance to win, and its scratch arrays."""

    def __init__(self, game: Game, n_seats: int) -> None:
        self.game, self.n_seats = game, n_seats
        self.mind = learned.mind_of(game)
        self.net = learned.weights(game, n_seats).copy()
        self.net[-(NARROW + 1) * HEADS + 1 :: HEADS] = 0  # the head that predicts the margin
        self.style = learned.style_of(game, "")
        self.verbs = verbs_of(game)
        self._states = np.zeros(8, game.rules.state)
        self._buffer, self._values = np.empty(game.rules.max_legal, np.int32), np.empty(game.rules.max_legal)
        self._work = np.zeros(self.mind.n_work, np.int64)
        self._last: tuple[bytes, learned.Weighed] | None = None

    def known(self, s: State, seat: int) -> State:
        """The state with everything redealt that this seat does not know."""
        dealt = copy(s)
        self.game.knowledge.redeal(dealt, seat, rng.generator(SEED))
        return dealt

    def weigh(self, s: State) -> learned.Weighed:
        """The legal moves of the deciding seat, and its chance to win after each."""
        known = self.known(s, self.game.rules.turn(s))
        key = known.tobytes()
        if self._last is None or self._last[0] != key:
            self._states[0] = known
            n = self.mind.weigh(self._states, self.net, self.style, self._buffer, self._values, self._work)
            moves, values = self._buffer[:n].copy(), self._values[:n].clip(0, 1)
            for i, move in enumerate(moves):
                self._states[1] = known
                self.verbs.apply(self._states, 1, int(move))
                if self.verbs.turn(self._states, 1) == OVER:
                    values[i] = self._final(known, int(move))
            self._last = key, learned.Weighed(moves, values)
        return self._last[1]

    def _final(self, known: State, move: int) -> float:
        """The mean share of the win of a seat whose move ends the game, over what it cannot know."""
        seat, chance, total = self.game.rules.turn(known), rng.generator(SEED), 0.0
        for _ in range(FINAL_REDEALS if self.game.knowledge.secret else 1):
            s = copy(known)
            self.game.knowledge.redeal(s, seat, chance)
            self.game.rules.apply(s, move)
            total += self.shares(s)[seat]
        return total / (FINAL_REDEALS if self.game.knowledge.secret else 1)

    def expect(self, s: State, seat: int) -> float:
        """The chance to win of the seat that is about to roll."""
        assert self.mind.expect is not None
        self._states[0] = self.known(s, seat)
        return float(self.mind.expect(self._states, self.net, self.style, self._buffer, self._work))

    def rolls(self, s: State) -> bool:
        """Whether dice are to be rolled, by the seat that then decides."""
        return (
            self.mind.expect is not None
            and self.game.rules.turn(s) == CHANCE
            and isinstance(self.game.notation.pool(s), int)
        )

    def judges(self, s: State) -> bool:
        """Whether single moves have meaningful values here. The terms of a draft do not: a draft is judged as a whole,
        when it is opened and when it is answered."""
        game = self.game
        if game.desk is None or self.mind.chapter(s) >= 0 or game.desk.open(s):
            return True
        return bool(game.desk.draft(s)) and any(game.play.talks(s, move) for move in game.legal_moves(s))

    def chance(self, s: State, seat: int) -> float:
        """The chance to win of a seat while others act."""
        return next(iter(learned.heads(self.game, s, seat).values()))

    def chances(self, s: State) -> list[float]:
        """Everybody's chance to win, each from what that seat knows; they do not always add up to 1."""
        turn = self.game.rules.turn(s)
        if turn == OVER:
            return self.shares(s)
        return [
            float(self.weigh(s).values.max()) if seat == turn else self.chance(s, seat) for seat in range(self.n_seats)
        ]

    def shares(self, s: State) -> list[float]:
        """Everybody's share of the win in a game that is over."""
        out = np.zeros((3, self.n_seats), np.int32)
        self.game.rules.score(s, out)
        return shares_of_win(out[WINNER]).tolist()  # type: ignore[no-any-return]  # a list of floats

    def rolls_again(self, s: State, move: int) -> bool:
        """Whether a move is a reroll, after which the turn continues with other dice."""
        if self.mind.expect is None:
            return False
        after = copy(s)
        self.game.rules.apply(after, move)
        return self.game.rules.turn(after) == CHANCE and self.mind.chapter(after) < 0

    def differences(self, s: State, better: int, move: int) -> Array:
        """By how much one move is better than another for the deciding seat, in each pair of playouts with the same
        dice and hidden pieces."""
        weighed = self.weigh(s)
        rows = [int(np.flatnonzero(weighed.moves == one)[0]) for one in (better, move)]
        style = PLAYOUT_STYLE if PLAYOUT_STYLE in self.mind.styles else ""
        known = self.known(s, self.game.rules.turn(s))
        two = learned.Weighed(weighed.moves[rows], weighed.values[rows])
        trial = deep.Trial(self.game, known, two, self.net, style, 0.0, SEED)
        found = np.empty(PLAYOUTS)
        for playout in range(PLAYOUTS):
            if playout == FIRST_PLAYOUTS and interval(found[:FIRST_PLAYOUTS])[2] < min(GRADES.values()):
                return found[:FIRST_PLAYOUTS]
            found[playout] = -np.diff(trial.play(np.arange(2), playout, 1))[0]
        return found


def interval(found: Array) -> tuple[float, float, float]:
    """Mean and 95 % interval."""
    mean, half = estimate(found)
    assert half is not None
    return mean, mean - half, mean + half


@functools.cache
def judge_of(game: Game, n_seats: int) -> Judge:
    """The judge of a game; BadOption where there is no net for it."""
    return Judge(game, n_seats)


# Hints.


def hint(game: Game, s: State, *, at_table: bool = False) -> Hint:
    """The best moves of the deciding seat, from what it knows. With `at_table`, without the moves that exist only in
    logs, because people negotiate freely there, and without what the seat is not shown. The caller fills in epoch and
    ply."""
    judge, seat = judge_of(game, int(s.n)), game.rules.turn(s)
    if at_table and game.desk is not None and game.desk.supposed is not None:
        s = game.desk.supposed(s, seat)
    moves, values = judge.weigh(s)
    worth = dict(zip(*(row.tolist() for row in learned.weigh(game, judge.known(s, seat))), strict=True))
    chance = dict(zip(moves.tolist(), values.tolist(), strict=True))
    # Moves with equal chances (to the per cent) are ranked by the predicted margin too, as the bots do.
    ranked = sorted(chance, key=lambda move: (-round(chance[move], 2), -worth[move]))
    if at_table:
        ranked = [move for move in ranked if game.desk is None or game.desk.acts(s, move)]
    rolls = [move for move in ranked if judge.rolls_again(s, move)]
    best = [move for move in ranked if move not in rolls[1:]][:BEST]  # show one reroll at most: they differ little
    found, known = [], judge.known(s, seat)
    for move in best:
        other = best[0] if move != best[0] else best[1] if len(best) > 1 else None
        why = reasons.why(game, known, move, other, chance, _deal(judge, s, move))
        found.append(HintMove(game.notation.text(s, move), chance[move], max(0.0, chance[best[0]] - chance[move]), why))
    return Hint(seat, 0, 0, chance[best[0]], found)


# Reviews.


@dataclasses.dataclass
class _Account:
    """Why a seat's chance to win has changed so far; `now` is the chance when the seat last acted or drew."""

    now: float
    luck: float = 0.0
    skill: float = 0.0
    others: float = 0.0
    rest: float = 0.0
    losses: list[float] = dataclasses.field(default_factory=list)
    waited: bool = False
    """Whether others have decided something since."""

    def move(self, what: Literal["luck", "skill", "others", "rest"], to: float) -> None:
        """Book a change of the chance to win under this reason."""
        setattr(self, what, getattr(self, what) + to - self.now)
        self.now = to

    def arrive(self, chance: float) -> None:
        """The seat itself acts or rolls now: book what has changed until then as done by others, or as unexplained."""
        self.move("others" if self.waited else "rest", chance)
        self.waited = False


@dataclasses.dataclass
class _Choice:
    """A decision, the better move, and what was lost by the net's judgement."""

    ply: int
    state: State
    move: int
    better: int
    loss: float


def analyse(transcript: Transcript) -> Review:
    """The review of a finished match."""
    moves, shares = _moves_and_shares(transcript)
    run = _Walk(transcript, moves)
    chart = list(run.walk(shares))
    n = len(transcript.seats)
    mistakes: list[Mistake] = []
    missed: list[MissedDeal] = []
    for seat in range(n):
        choices = sorted((one for one in run.choices[seat] if one.loss >= CHECKED_LOSS), key=lambda one: -one.loss)
        deals = [deal for one in choices if (deal := _missed_deal(run.judge, seat, one)) is not None]
        plies = {deal.ply for deal in deals}
        missed += sorted(deals[:BEST], key=lambda deal: -deal.gain)
        others = [one for one in choices if one.ply not in plies][:CHECKED_MOVES]
        checked = [_checked(run.judge, seat, one) for one in others]
        mistakes += sorted(filter(None, checked), key=lambda one: -one.loss)[:BEST]
    seats = [
        ReviewSeat(
            seat, one.luck, one.skill, one.others, one.rest, shares[seat] - 1 / n, len(one.losses),
            sum(one.losses) / max(len(one.losses), 1),
        )
        for seat, one in enumerate(run.accounts)
    ]  # fmt: skip
    return Review(chart, seats, mistakes, missed, f"learned {transcript.game}-{n}, {PLAYOUTS} playouts")


def _moves_and_shares(transcript: Transcript) -> tuple[list[int], list[float]]:
    """The moves without undone ones, and everybody's share of the win."""
    replay = Replay(transcript)
    for _ in replay:
        pass
    result = transcript.result
    if replay.game.rules.turn(replay.state) == OVER:
        result = result_of(replay.game, replay.state)
    if result is None:
        raise BadNotation("the match is not finished: only one that was played to its end can be analysed")
    winners = np.isin(range(len(transcript.seats)), result.winners)
    return replay.moves, shares_of_win(winners).tolist()


class _Walk:
    """A match walked through from its start, with everybody's account."""

    def __init__(self, transcript: Transcript, moves: Sequence[int]) -> None:
        self.game = Replay(transcript).game
        self.judge = judge_of(self.game, len(transcript.seats))
        self.s = self.game.new(len(transcript.seats), transcript.options)
        self.moves = moves
        self.ply = 0
        self.accounts = [_Account(1 / len(transcript.seats)) for _ in transcript.seats]
        self.guesses = [one.now for one in self.accounts]
        self.choices: list[list[_Choice]] = [[] for _ in transcript.seats]

    def walk(self, shares: Sequence[float]) -> Iterator[ReviewPoint]:
        """Everybody's chances at each decision and at the end."""
        while self.ply < len(self.moves):
            turn = self.game.rules.turn(self.s)
            if turn != CHANCE:
                judged = self.judge.judges(self.s)
                if judged:
                    self.accounts[turn].arrive(float(self.judge.weigh(self.s).values.max()))
                yield ReviewPoint(self.ply, self._chances(turn))
                if judged:
                    self._judge(turn)
                self._make()
                for seat, account in enumerate(self.accounts):
                    account.waited |= seat != turn
            elif self.judge.rolls(self.s):
                self._roll()
            else:
                self._draw()
        for account, share in zip(self.accounts, shares, strict=True):
            account.arrive(share)
        yield ReviewPoint(len(self.moves), list(shares))

    def _make(self) -> None:
        self.game.rules.apply(self.s, self.moves[self.ply])
        self.ply += 1

    def _chances(self, seat: int) -> list[float]:
        """Everybody's own estimate, scaled to add up to 1; the deciding seat has seen its dice."""
        if self.judge.mind.chapter(self.s) >= 0:
            self.guesses = [self.judge.chance(self.s, other) for other in range(self.judge.n_seats)]
        self.guesses[seat] = min(max(self.accounts[seat].now, 0.0), 1.0)  # booked losses may lead just below 0
        total = max(sum(self.guesses), 1e-9)
        return [guess / total for guess in self.guesses]

    def _judge(self, seat: int) -> None:
        """Book what the coming decision loses."""
        moves, values = self.judge.weigh(self.s)
        move = self.moves[self.ply]
        made, best = float(values[moves == move][0]), int(np.argmax(values))
        if len(moves) > 1:
            loss = float(values[best]) - made
            self.accounts[seat].losses.append(loss)
            self.choices[seat].append(_Choice(self.ply, copy(self.s), move, int(moves[best]), loss))
        self.accounts[seat].move("skill", made)

    def _roll(self) -> None:
        """A roll of a seat: luck is its chance with these dice minus the chance before the roll."""
        before = copy(self.s)
        self._make()
        account = self.accounts[seat := self.game.rules.turn(self.s)]
        account.arrive(self.judge.expect(before, seat))
        account.move("luck", float(self.judge.weigh(self.s).values.max()))

    def _draw(self) -> None:
        """Other draws (tiles, cards, tokens, laurels): luck of everybody, against the expected chance."""
        if self.ply == 0:
            before = [account.now for account in self.accounts]
        else:
            before = self._expected(self.s) or self.judge.chances(self.s)
        while self.ply < len(self.moves) and self.game.rules.turn(self.s) == CHANCE and not self.judge.rolls(self.s):
            self._make()
        if self.game.rules.turn(self.s) != CHANCE or self.judge.rolls(
            self.s
        ):  # else the match was given up during the draws
            for account, had, has in zip(self.accounts, before, self.judge.chances(self.s), strict=True):
                account.move("luck", account.now + has - had)

    def _expected(self, s: State) -> list[float] | None:
        """Everybody's expected chance to win over all outcomes of the coming draws; None where there are too many."""
        leaves = [(1.0, copy(s))]
        done: list[tuple[float, State]] = []
        while leaves:
            odds, here = leaves.pop()
            if self.game.rules.turn(here) != CHANCE or self.judge.rolls(here):
                done.append((odds, here))
                continue
            for move in self.game.legal_moves(here):
                after = copy(here)
                self.game.rules.apply(after, move)
                leaves.append((odds * self.game.rules.odds(here, move), after))
            if len(leaves) + len(done) > MAX_OUTCOMES:
                return None
        total = np.zeros(self.judge.n_seats)
        for odds, here in done:
            total += odds * np.array(self.judge.chances(here))
        return total.tolist()


def _checked(judge: Judge, seat: int, choice: _Choice) -> Mistake | None:
    """A bad choice checked by playouts; None if it was no mistake."""
    loss, low, high = interval(judge.differences(choice.state, choice.better, choice.move))
    grade = next((name for name, least in GRADES.items() if loss >= least), None)
    if grade is None or low <= 0:
        return None
    game, s = judge.game, choice.state
    chance = dict(zip(*(row.tolist() for row in judge.weigh(s)), strict=True))
    why = reasons.why(game, judge.known(s, seat), choice.better, choice.move, chance)
    move, better = game.notation.text(s, choice.move), game.notation.text(s, choice.better)
    return Mistake(seat, choice.ply, move, better, loss, low, high, grade, why)


def _missed_deal(judge: Judge, seat: int, choice: _Choice) -> MissedDeal | None:
    """The deal that would have been better than what a seat did, if all others had acted as the judge would."""
    game, s = judge.game, choice.state
    if game.desk is None or game.play.talks(s, choice.move) or not game.play.talks(s, choice.better):
        return None
    terms = _deal(judge, s, choice.better)
    if choice.loss < min(GRADES.values()) or not terms:
        return None
    chance = dict(zip(*(row.tolist() for row in judge.weigh(s)), strict=True))
    why = reasons.why(game, judge.known(s, seat), choice.better, choice.move, chance, terms)
    return MissedDeal(seat, choice.ply, terms, choice.loss, why)


def _deal(judge: Judge, s: State, move: int) -> list[str]:
    """The terms of the deal that this move opens or accepts, if all act as the judge would and agree; else none."""
    game = judge.game
    if game.desk is None or not game.play.talks(s, move):
        return []
    s, terms, seat, turn = copy(s), game.desk.draft(s), game.rules.turn(s), game.desk.turn(s)
    for _ in range(MAX_DEAL_MOVES):
        if game.rules.turn(s) != seat and not game.play.talks(s, move):  # no
            return []
        game.rules.apply(s, move)
        if game.rules.turn(s) < 0 or game.desk.turn(s) != turn:
            return terms
        terms = game.desk.draft(s) or terms
        moves, values = judge.weigh(s)
        move = int(moves[np.argmax(values)])
    return []
