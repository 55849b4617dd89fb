"""A review for people: as plain text of 80 columns, and as one HTML page that needs nothing from anywhere.

The page has both languages in it and switches without a script; its links lead to the plies listed at its end. Not
here: what is in a review (`analyse`) and the words (`words/*/review.json`). What a newcomer would get wrong: names are
whatever people called themselves, so everything is escaped.
"""

import html
import textwrap
from collections.abc import Callable, Iterable, Sequence

from rostra.play.transcript import Ply, Replay, Transcript, result_of
from rostra.study.phrases import phrase
from rostra.study.review import MissedDeal, Mistake, Reason, Review
from rostra.words import LANGUAGES, Words, words

WIDTH = 80
BARS = "▁▂▃▄▅▆▇█"


class Teller:
    """Says a review in one language."""

    def __init__(self, transcript: Transcript, language: str) -> None:
        self.language, self.words = language, words(language)
        self.names, self.game = transcript.seats, transcript.game
        replay = Replay(transcript)
        for _ in replay:
            pass
        self.title = replay.game.title
        self.plies = _line(transcript)
        self.result = transcript.result or result_of(replay.game, replay.state)

    def say(self, key: str, /, **values: object) -> str:
        """Words of the review."""
        return self.words.say(f"review.{key}", **values)

    def number(self, value: float, digits: int = 1, sign: bool = False) -> str:
        """A number as this language writes it."""
        written = f"{value:{'+' if sign else ''}.{digits}f}".replace("-", "−")
        return written.replace(".", ",") if self.language == "de" else written

    def points(self, share: float, sign: bool = True) -> str:
        """A share of the chance to win in per cent; what would round to −0 is 0."""
        return self.number(round(100 * share, 1) + 0.0, 1, sign)

    def reason(self, reason: Reason) -> str:
        """A reason in words."""
        return reason_text(self.words, reason, self.names, self.number)

    def move(self, text: str, seat: int) -> str:
        """A move in words, and as it is written."""
        said = phrase(self.words, self.game, text, self.names, seat)
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
        """Where the result came from: the head, then a row a seat."""
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
        """A mistake: what happened, then how bad it was and why."""
        move, better = (self.move(text, one.seat) for text in (one.move, one.better))
        head = f"{self.names[one.seat]}: {self.say('instead_of', move=move, better=better)}"
        low, high = (self.points(value, sign=False) for value in (one.low, one.high))
        loss = self.say("loss", loss=self.points(one.loss, sign=False), low=low, high=high)
        return head, [f"{self.say(f'grade_{one.grade}')}. {loss}", *map(self.reason, one.reasons)]

    def deal(self, one: MissedDeal) -> tuple[str, list[str]]:
        """A missed deal: what it was, then what it was worth and why."""
        terms = "; ".join(phrase(self.words, self.game, term, self.names, one.seat) for term in one.terms)
        head = f"{self.names[one.seat]} {self.say('missed_deal', terms=terms)}"
        return head, [self.say("gain", gain=self.points(one.gain, sign=False)), *map(self.reason, one.reasons)]


def _line(transcript: Transcript) -> list[Ply]:
    """The plies that count."""
    plies: list[Ply] = []
    for event in transcript.events:
        if isinstance(event, Ply):
            del plies[event.number :]  # what was undone
            plies.append(event)
    return plies


def reason_text(
    said: Words, reason: Reason, names: Sequence[str], number: Callable[[float], str] = lambda value: f"{value:.1f}"
) -> str:
    """The words of a reason; a value whose name ends in `name` is a seat."""
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
    rows = teller.table(review)
    rows[0][-1] = ""
    lines += [*_columns(rows), *_wrapped([say("split_text")])]
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


def _columns(rows: list[list[str]]) -> list[str]:
    """A table without its last column: the first one left, numbers right."""
    cut = [[row[0][:24], *row[1:-1]] for row in rows]
    widths = [max(len(row[i]) for row in cut) for i in range(len(cut[0]))]
    return [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in cut
    ]


def _bars(review: Review, names: Sequence[str]) -> list[str]:
    """Everybody's chances as a row of bars, the last one being the end."""
    label = max(len(name[:24]) for name in names)
    wide = min(WIDTH - label - 4, len(review.chart))
    at = [round(i * (len(review.chart) - 1) / max(wide - 1, 1)) for i in range(wide)]
    lines = []
    for seat, name in enumerate(names):
        chances = (review.chart[i].chances[seat] for i in at)
        bars = "".join(BARS[min(int(8 * chance), 7)] for chance in chances)
        lines.append(f"{name[:24].ljust(label)}  {bars}")
    return lines


# HTML.

_STYLE = """
:root { color-scheme: light dark; --ground: #fbf9f4; --ink: #1d1d1f; --soft: #6b665e; --line: #d8d2c6;
  --s0: #a8322a; --s1: #2f5d8a; --s2: #4f7424; --s3: #7d4f94; --s4: #9a6a12; }
@media (prefers-color-scheme: dark) { :root { --ground: #1c1b19; --ink: #ece8df; --soft: #a8a297; --line: #46423b;
  --s0: #f0857b; --s1: #86b4e0; --s2: #a5cb76; --s3: #cfa3e3; --s4: #e3b962; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 52rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2 { line-height: 1.2; font-family: Georgia, serif; } h1 { margin: .5rem 0; } h2 { margin: 2rem 0 .5rem; }
a { color: inherit; } .soft { color: var(--soft); font-size: .9rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--soft); font: 13px system-ui, sans-serif; }
.grid { stroke: var(--line); } circle { fill: var(--ground); stroke-width: 3; }
.curve { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none; }
.key span { display: inline-block; width: 1.5rem; height: .25rem; margin-right: .4rem; vertical-align: middle; }
.one { margin: 0 0 1rem; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: .5rem; }
.one p { margin: 0; } .one ul { margin: .3rem 0 0; padding-left: 1.2rem; }
ol { list-style: none; padding: 0; } li:target { background: var(--line); } .ply { color: var(--soft); }
.switch { position: absolute; opacity: 0; } .switch + label { cursor: pointer; margin-right: 1rem; }
.switch:checked + label { font-weight: bold; } .switch:focus-visible + label { outline: 2px solid; }
#say-en:not(:checked) ~ main[lang=en], #say-de:not(:checked) ~ main[lang=de] { display: none; }
"""


def page(review: Review, transcript: Transcript, language: str) -> str:
    """The review as one HTML page, which opens in this language."""
    tellers = {each: Teller(transcript, each) for each in LANGUAGES}
    switch = "".join(
        f'<input class="switch" type="radio" name="language" id="say-{each}"{" checked" if each == language else ""}>'
        f'<label for="say-{each}" lang="{each}">{name}</label>'
        for each, name in LANGUAGES.items()
    )
    title = html.escape(f"{tellers[language].say('title')}: {', '.join(transcript.seats)}")
    mains = "\n".join(_main(review, teller) for teller in tellers.values())
    style = _STYLE + "".join(
        f".s{seat} {{ stroke: var(--s{seat}); background: var(--s{seat}); }}\n" for seat in range(5)
    )
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{switch}\n{mains}\n</body>\n</html>\n"
    )


def _main(review: Review, teller: Teller) -> str:
    what, who = map(html.escape, teller.heading())
    head, *rows = teller.table(review)
    cells = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    mistakes = [_article(teller, one.ply, *teller.mistake(one)) for one in review.mistakes]
    deals = [_article(teller, one.ply, *teller.deal(one)) for one in review.missed]
    parts = [
        f'<main lang="{teller.language}">',
        f"<h1>{html.escape(teller.say('title'))}</h1>",
        f"<p>{what}<br>{who}</p>",
        _heading(teller, "chart"),
        _key(teller),
        _chart(review, teller),
        _heading(teller, "mistakes"),
        *(mistakes or [_note(teller.say("no_mistakes"))]),
        *([_heading(teller, "missed"), *deals] if deals else []),
        _heading(teller, "split"),
        f'<div class="wide"><table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table></div>',
        _note(teller.say("split_text")),
        _note(teller.say("judge", judge=review.judge)),
        _heading(teller, "plies"),
        f"<ol>{_plies(teller)}</ol>",
        "</main>",
    ]
    return "\n".join(parts)


def _heading(teller: Teller, name: str) -> str:
    return f"<h2>{html.escape(teller.say(name))}</h2>"


def _note(said: str) -> str:
    return f'<p class="soft">{html.escape(said)}</p>'


def _article(teller: Teller, ply: int, head: str, rest: list[str]) -> str:
    link = f'<a href="#{teller.language}-{ply}">{html.escape(teller.say("ply", ply=ply))}</a>'
    reasons = "".join(f"<li>{html.escape(one)}</li>" for one in rest)
    return f'<div class="one"><p>{link}: {html.escape(head)}</p><ul>{reasons}</ul></div>'


def _key(teller: Teller) -> str:
    items = (f'<li><span class="s{seat}"></span>{html.escape(name)}</li>' for seat, name in enumerate(teller.names))
    return f'<ul class="key">{"".join(items)}</ul>'


def _chart(review: Review, teller: Teller) -> str:
    """Everybody's chances as curves, with a link for every mistake."""
    left, top, wide, high = 44, 10, 744, 280
    last = max(review.chart[-1].ply, 1)

    def x(ply: int) -> float:
        return round(left + wide * ply / last, 1)

    def y(chance: float) -> float:
        return round(top + high * (1 - chance), 1)

    parts = []
    for share in (0, 25, 50, 75, 100):
        at = y(share / 100)
        parts.append(f'<line class="grid" x1="{left}" x2="{left + wide}" y1="{at}" y2="{at}"/>')
        parts.append(f'<text x="{left - 6}" y="{at + 4}" text-anchor="end">{share} %</text>')
    for seat in range(len(teller.names)):
        points = " ".join(f"{x(point.ply)},{y(point.chances[seat])}" for point in review.chart)
        parts.append(f'<polyline class="curve s{seat}" points="{points}"/>')
    chances = {point.ply: point.chances for point in review.chart}
    for one in review.mistakes:
        title = html.escape(f"{teller.say('ply', ply=one.ply)}: {teller.mistake(one)[0]}")
        dot = f'<circle class="s{one.seat}" cx="{x(one.ply)}" cy="{y(chances[one.ply][one.seat])}" r="6"/>'
        parts.append(f'<a href="#{teller.language}-{one.ply}"><title>{title}</title>{dot}</a>')
    label = html.escape(teller.say("chart_text"))
    return f'<svg viewBox="0 0 800 300" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def _plies(teller: Teller) -> str:
    items = []
    for ply in teller.plies:
        who = teller.say("chance") if ply.seat is None else teller.names[ply.seat]
        what = ply.move if ply.seat is None else teller.move(ply.move, ply.seat)
        number = f'<span class="ply">{ply.number}</span>'
        items.append(f'<li id="{teller.language}-{ply.number}">{number} {html.escape(f"{who}: {what}")}</li>')
    return "\n".join(items)
