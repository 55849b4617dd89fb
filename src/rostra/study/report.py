"""A review written out for people: as plain text of 80 columns, and as one self-contained HTML page.

The page (`report.html`, and `report_main.html` for each language) switches languages without a script; its links lead
to the plies listed at its end. The texts are in `words/*/review.json`. Players choose their own names, so everything
that goes into the page is escaped.
"""

import html
import string
import textwrap
from collections.abc import Callable, Iterable, Sequence
from importlib import resources

from rostra.engine.game import Reason, result_of
from rostra.play.transcript import Ply, Replay, Transcript
from rostra.study.columns import columns
from rostra.study.review import MissedDeal, Mistake, Review
from rostra.words import LANGUAGES, Words, words

WIDTH = 80
NAME_WIDTH = 24
"""Longer names are cut off in tables."""
BARS = "▁▂▃▄▅▆▇█"


class Teller:
    """Writes the parts of a review in one language."""

    def __init__(self, transcript: Transcript, language: str) -> None:
        self.language, self.words = language, words(language)
        self.names = transcript.seats
        replay = Replay(transcript)
        for _ in replay:
            pass
        self.title, self.phrase = replay.game.title, replay.game.screen.phrase
        self.plies = _plies_that_count(transcript)
        self.result = transcript.result or result_of(replay.game, replay.state)

    def say(self, key: str, /, **values: object) -> str:
        """The text of `review.<key>`."""
        return self.words.say(f"review.{key}", **values)

    def number(self, value: float, digits: int = 1, sign: bool = False) -> str:
        """A number as this language writes it."""
        written = f"{value:{'+' if sign else ''}.{digits}f}".replace("-", "−")
        return written.replace(".", ",") if self.language == "de" else written

    def points(self, share: float, sign: bool = True) -> str:
        """A share of the chance to win in per cent; −0 is written 0."""
        return self.number(round(100 * share, 1) + 0.0, 1, sign)

    def reason(self, reason: Reason) -> str:
        """A reason in words."""
        return reason_text(self.words, reason, self.names, self.number)

    def move(self, text: str, seat: int) -> str:
        """A move in words, followed by its notation."""
        said = self.phrase(self.words, text, self.names, seat)
        return f"{said} [{text}]" if said != text else text

    def heading(self) -> list[str]:
        """What was played, and who won."""
        points = ", ".join(
            self.say("points_of", name=name, n=n) for name, n in zip(self.names, self.result.points, strict=True)
        )
        winners = ", ".join(self.names[seat] for seat in self.result.winners)
        won = self.say("winner", names=winners) if winners else self.say("nobody_won")
        return [self.say("heading", title=self.title, n=len(self.names)), f"{points}. {won}."]

    def table(self, review: Review) -> list[list[str]]:
        """Where the result came from: the heading, then a row for each seat."""
        head = [self.say(key) for key in ("player", "luck", "skill", "others", "rest", "result", "error")]
        return [
            head,
            *(
                [
                    self.names[one.seat],
                    *(self.points(part) for part in (one.luck, one.skill, one.others, one.rest, one.result)),
                    self.points(one.error, sign=False),
                ]
                for one in review.seats
            ),
        ]

    def mistake(self, one: Mistake) -> tuple[str, list[str]]:
        """A mistake: what happened, how bad it was and why."""
        move, better = (self.move(text, one.seat) for text in (one.move, one.better))
        head = f"{self.names[one.seat]}: {self.say('instead_of', move=move, better=better)}"
        low, high = (self.points(value, sign=False) for value in (one.low, one.high))
        loss = self.say("loss", loss=self.points(one.loss, sign=False), low=low, high=high)
        return head, [f"{self.say(f'grade_{one.grade}')}. {loss}", *map(self.reason, one.reasons)]

    def deal(self, one: MissedDeal) -> tuple[str, list[str]]:
        """A missed deal: what it was, what it was worth and why."""
        terms = "; ".join(self.phrase(self.words, term, self.names, one.seat) for term in one.terms)
        head = f"{self.names[one.seat]} {self.say('missed_deal', terms=terms)}"
        return head, [self.say("gain", gain=self.points(one.gain, sign=False)), *map(self.reason, one.reasons)]


def _plies_that_count(transcript: Transcript) -> list[Ply]:
    """All plies but those that were undone."""
    plies: list[Ply] = []
    for event in transcript.events:
        if isinstance(event, Ply):
            del plies[event.number :]
            plies.append(event)
    return plies


def reason_text(
    said: Words, reason: Reason, names: Sequence[str], number: Callable[[float], str] = lambda value: f"{value:.1f}"
) -> str:
    """The text of a reason; a value whose name ends in `name` is a seat, shown by its player's name."""
    values: dict[str, object] = {}
    for key, value in reason.values.items():
        if key.endswith("name") and isinstance(value, int):
            values[key] = names[value]
        else:
            values[key] = number(value) if isinstance(value, float) else value
    return said.say(f"review.{reason.key}", **values)


# Text.


def text(review: Review, transcript: Transcript, language: str) -> list[str]:
    """The review as lines for a terminal."""
    teller = Teller(transcript, language)
    say = teller.say
    lines = [*_wrapped(teller.heading()), "", say("chart"), *_bars(review, teller.names), "", say("split")]
    table = columns([[name[:NAME_WIDTH], *cells[:-1]] for name, *cells in teller.table(review)])
    lines += [*table, *_wrapped([say("split_text")])]
    errors = (
        f"{teller.names[one.seat]} {teller.points(one.error, sign=False)} % ({one.decisions})" for one in review.seats
    )
    lines += ["", *_wrapped([f"{say('error')} ({say('decisions')}): {', '.join(errors)}"]), "", say("mistakes")]
    if not review.mistakes:
        lines += _wrapped([say("no_mistakes")])
    for mistake in review.mistakes:
        lines += _item(say("ply", ply=mistake.ply), *teller.mistake(mistake))
    if review.missed:
        lines += ["", say("missed")]
        for deal in review.missed:
            lines += _item(say("ply", ply=deal.ply), *teller.deal(deal))
    return [*lines, "", *_wrapped([say("judge", judge=review.judge)])]


def _wrapped(texts: Iterable[str]) -> list[str]:
    return [line for one in texts for line in textwrap.wrap(one, WIDTH)]


def _item(label: str, head: str, rest: Iterable[str]) -> list[str]:
    lines = textwrap.wrap(f"{label}: {head}", WIDTH, initial_indent="- ", subsequent_indent="  ")
    for one in rest:
        lines += textwrap.wrap(one, WIDTH, initial_indent="    ", subsequent_indent="    ")
    return lines


def _bars(review: Review, names: Sequence[str]) -> list[str]:
    """Everybody's chances as a row of bars, the last one being the end."""
    label = max(len(name[:NAME_WIDTH]) for name in names)
    width = min(WIDTH - label - 4, len(review.chart))
    shown = [round(i * (len(review.chart) - 1) / max(width - 1, 1)) for i in range(width)]
    lines = []
    for seat, name in enumerate(names):
        curve = review.curve(seat)
        bars = "".join(BARS[min(int(len(BARS) * curve[i][1]), len(BARS) - 1)] for i in shown)
        lines.append(f"{name[:NAME_WIDTH].ljust(label)}  {bars}")
    return lines


# HTML.


def page(review: Review, transcript: Transcript, language: str) -> str:
    """The review as one HTML page with all languages in it, opened in this one."""
    tellers = {each: Teller(transcript, each) for each in LANGUAGES}
    return _template("report.html").substitute(
        language=language,
        title=html.escape(f"{tellers[language].say('title')}: {', '.join(transcript.seats)}"),
        switch="".join(_switch(each, name, each == language) for each, name in LANGUAGES.items()),
        mains="\n".join(_main(review, teller) for teller in tellers.values()),
    )


def _template(name: str) -> string.Template:
    return string.Template(resources.files("rostra.study").joinpath(name).read_text(encoding="utf-8"))


def _switch(language: str, name: str, checked: bool) -> str:
    button = f'<input class="switch" type="radio" name="language" id="say-{language}"{" checked" if checked else ""}>'
    return f'{button}<label for="say-{language}" lang="{language}">{name}</label>'


def _main(review: Review, teller: Teller) -> str:
    """The review in one language."""

    def say(key: str) -> str:
        return html.escape(teller.say(key))

    what, who = map(html.escape, teller.heading())
    head, *rows = teller.table(review)
    mistakes = [_article(teller, one.ply, *teller.mistake(one)) for one in review.mistakes]
    deals = [_article(teller, one.ply, *teller.deal(one)) for one in review.missed]
    names = (f'<li><span class="s{seat}"></span>{html.escape(name)}</li>' for seat, name in enumerate(teller.names))
    return _template("report_main.html").substitute(
        language=teller.language,
        title=say("title"),
        what=what,
        who=who,
        chart_title=say("chart"),
        chart_text=say("chart_text"),
        key="".join(names),
        chart=_chart(review, teller),
        mistakes_title=say("mistakes"),
        mistakes="\n".join(mistakes or [f'<p class="soft">{say("no_mistakes")}</p>']),
        missed="\n".join([f"<h2>{say('missed')}</h2>", *deals]) if deals else "",
        split_title=say("split"),
        split_text=say("split_text"),
        table_head="".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in head),
        table_body="".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows),
        judge=html.escape(teller.say("judge", judge=review.judge)),
        plies_title=say("plies"),
        plies="\n".join(_ply(teller, ply) for ply in teller.plies),
    )


def _article(teller: Teller, ply: int, head: str, rest: list[str]) -> str:
    link = f'<a href="#{teller.language}-{ply}">{html.escape(teller.say("ply", ply=ply))}</a>'
    reasons = "".join(f"<li>{html.escape(one)}</li>" for one in rest)
    return f'<div class="one"><p>{link}: {html.escape(head)}</p><ul>{reasons}</ul></div>'


def _ply(teller: Teller, ply: Ply) -> str:
    who = teller.say("chance") if ply.seat is None else teller.names[ply.seat]
    what = ply.move if ply.seat is None else teller.move(ply.move, ply.seat)
    number = f'<span class="ply">{ply.number}</span>'
    return f'<li id="{teller.language}-{ply.number}">{number} {html.escape(f"{who}: {what}")}</li>'


def _chart(review: Review, teller: Teller) -> str:
    """Everybody's chances as curves in a picture of 800 by 300, with a link for every mistake."""
    left, top, width, height = 44, 10, 744, 280
    last = max(review.chart[-1].ply, 1)

    def at(ply: int, chance: float) -> tuple[float, float]:
        return round(left + width * ply / last, 1), round(top + height * (1 - chance), 1)

    parts = []
    for share in (0, 25, 50, 75, 100):
        _, y = at(0, share / 100)
        parts.append(f'<line class="grid" x1="{left}" x2="{left + width}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{share} %</text>')
    for seat in range(len(teller.names)):
        points = " ".join("{},{}".format(*at(*point)) for point in review.curve(seat))
        parts.append(f'<polyline class="curve s{seat}" points="{points}"/>')
    for one in review.mistakes:
        x, y = at(one.ply, dict(review.curve(one.seat))[one.ply])
        title = html.escape(f"{teller.say('ply', ply=one.ply)}: {teller.mistake(one)[0]}")
        dot = f'<circle class="s{one.seat}" cx="{x}" cy="{y}" r="6"/>'
        parts.append(f'<a href="#{teller.language}-{one.ply}"><title>{title}</title>{dot}</a>')
    return "".join(parts)
