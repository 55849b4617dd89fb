"""Alea Iacta Est in plain words: tiles, senate cards, buildings, and the rules for the help.

Only functions from codes to texts of the catalogue. Those name the rules by their ids, so that a reader can look them
up. Codes (`Rw3`, `S45`) are the same in every language, their words are not.
"""

from typing import NamedTuple

from rostra.words.voice import Voice

COLOURS = "ROYGBV"


class Building(NamedTuple):
    """A place for dice: its name, and the keys of where dice go, what it is for in a few words, and how it works."""

    name: str
    into: str
    brief: str
    rule: str


class Card(NamedTuple):
    """A senate card: its name, what it scores, and the rule's id."""

    name: str
    scores: str
    rule: str


BUILDINGS = {
    "T": Building("Templum", "alea.into_templum", "tui_alea.brief_templum", "tui_alea.rule_templum"),
    "S": Building("Senatus", "alea.into_senatus", "tui_alea.brief_senatus", "tui_alea.rule_senatus"),
    "C": Building("Castrum", "alea.into_castrum", "tui_alea.brief_castrum", "tui_alea.rule_castrum"),
    "F": Building("Forum", "alea.into_forum", "tui_alea.brief_forum", "tui_alea.rule_forum"),
    "L": Building("Latrina", "alea.into_latrina", "tui_alea.brief_latrina", "tui_alea.rule_latrina"),
}
CHOICES = {
    "keep": "tui_alea.choice_keep",
    "take-card": "tui_alea.choice_card",
    "take-province": "tui_alea.choice_province",
    "take-patrician": "tui_alea.choice_patrician",
}
"""What a decision is about, by its phase."""
_NUMBERS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII")


def colour(voice: Voice, letter: str) -> str:
    """The word for a colour's letter."""
    return voice.say(f"alea.colour_{letter}")


def card(voice: Voice, code: str) -> Card:
    """The senate card of a code, in the catalogue's words, as parts of a sentence."""
    number, _, colours = code.partition(":")
    shown = {name: colour(voice, letter) for name, letter in zip(("one", "other"), colours, strict=False)}
    name = voice.say(f"alea.card_{number}", **shown)
    scores = voice.say(f"alea.card_{number}_text", **shown)
    rule = f"A-CARD-{_NUMBERS.index(number) + 1}"
    return Card(voice.inside(name), voice.inside(scores).rstrip("."), rule)


def tile(voice: Voice, code: str) -> str:
    """Any tile or card in words."""
    if code[1:2] in ("w", "m"):
        key = "tui_alea.woman" if code[1] == "w" else "tui_alea.man"
        return voice.say(key, colour=colour(voice, code[0]), value=code[2])
    if code[0] == "J":
        return voice.say("tui_alea.joker")
    if code[1:].isdigit():
        name = voice.say(f"alea.province_{code[0]}")
        return voice.say("tui_alea.province", name=name, colour=colour(voice, code[0]), value=code[1])
    said = card(voice, code)
    return f"{said.name}: {said.scores}"


def spaced(dice: str) -> str:
    """Dice as a roll shows them."""
    return " ".join(dice)


def dashed(dice: str) -> str:
    """Dice as a run or group."""
    return "-".join(dice)


def codes(voice: Voice) -> str:
    """How tiles and cards are written."""
    colours = ", ".join(f"{letter} {colour(voice, letter)}" for letter in COLOURS)
    return voice.say("tui_alea.codes", colours=colours)


def overview(voice: Voice, n_seats: int, sets: int, winners: int) -> list[str]:
    """The whole game on one screen."""
    say = voice.say
    templum = n_seats >= 4
    wins = [say("tui_alea.wins_senatus"), say("tui_alea.wins_castrum"), say("tui_alea.wins_forum")]
    if templum:
        wins.insert(0, say("tui_alea.wins_templum"))
    best = say("tui_alea.best_run") if winners == 1 else say("tui_alea.best_runs", n=winners)
    return [
        say("tui_alea.aim_long", sets=sets),
        "",
        say("tui_alea.set_long"),
        "",
        say("tui_alea.buildings_long", wins=voice.listed(wins), best=best),
        *([] if templum else [say("tui_alea.no_templum")]),
        "",
        say("tui_alea.end_long_tokens") if templum else say("tui_alea.end_long"),
        say("tui_alea.advice"),
        "",
        codes(voice),
        "",
        say("tui_alea.explains"),
    ]
