"""Alea Iacta Est in plain words: tiles, senate cards, buildings, and the rules as the app's help tells them.

Only texts, and functions from codes to texts; rules are named by their ids so that a reader can look them up.
"""

from typing import NamedTuple

from rostra.words import words

_WORDS = words("en")
COLOURS = {colour: (_WORDS.say(f"alea.colour_{colour}"), _WORDS.say(f"alea.province_{colour}")) for colour in "ROYGBV"}
SEXES = {"w": "woman", "m": "man"}


class Building(NamedTuple):
    """A place for dice: its name, what it is for in a few words, and how it works with rule ids."""

    name: str
    brief: str
    rule: str


class Card(NamedTuple):
    """A senate card: its name, what it scores, and the rule's id."""

    name: str
    scores: str
    rule: str


BUILDINGS = {
    "T": Building(
        "Templum",
        "secret fortuna tokens, one for each die",
        "Put in exactly what makes you one die ahead of whoever has most there, and your sum there must beat the "
        "leader's (A-TEM-1, A-TEM-2). Each die draws a secret fortuna token worth 1 to 3; when the set ends the leader "
        "keeps two, everybody else there one (A-TEM-4, A-SCO-1).",
    ),
    "S": Building(
        "Senatus",
        "a run of dice, for a senate card",
        "Lay a run of consecutive values, even a single die; later you may lengthen yours at its ends (A-SEN-1, "
        "A-SEN-2). It must differ from every other run there (A-SEN-3). The longer run is better, of equally long ones "
        "the higher (A-SCO-3); who wins chooses a senate card, the others' dice go to the Latrina (A-SCO-4, A-SCO-5).",
    ),
    "C": Building(
        "Castrum",
        "dice of one value, for a province",
        "Lay dice of one value, as a new group or added to your group of that value (A-CAS-1). It must differ in value "
        "or number from every other group (A-CAS-3). The bigger group is better, of equally big ones the higher; in "
        "that order each takes one of the provinces on offer (A-SCO-6).",
    ),
    "F": Building(
        "Forum",
        "one die, or 1+4 or 2+3, for patricians",
        "Lay one die, or two that make 5 (A-FOR-1). Dice stand in ascending order, a new one left of its equals, and "
        "push higher ones to the right, off the last column into the Latrina (A-FOR-2, A-FOR-3). When the set ends "
        "each die takes a patrician, from the left: low dice choose first (A-SCO-8).",
    ),
    "L": Building(
        "Latrina",
        "a consolation: a chip for the die",
        "For a die when you can place nothing elsewhere (A-LAT-1; with the option voluntary_latrina at any time, "
        "A-LAT-2). Every die that ends up here brings its "
        "owner a chip when the set is scored (A-SCO-9).",
    ),
}

PLACING = (
    "You rolled all the dice that you have left. Place at least one of them, all in one building and in one manner "
    "(A-TURN-3); the others you roll again in the next round. Type the building's letter and the dice: S45 lays 4 and "
    "5 in the Senatus."
)

REROLL = (
    "Give back a chip and roll the dice you name again, as often as you have chips (A-TURN-2). At the end every two "
    "chips are 1 point (A-END-4)."
)


def card(code: str) -> Card:
    """The senate card of a code, in the catalogue's words, as parts of a sentence."""
    number, _, colours = code.partition(":")
    shown = {name: COLOURS[colour][0] for name, colour in zip(("one", "other"), colours, strict=False)}
    name = _WORDS.say(f"alea.card_{number}", **shown)
    scores = _WORDS.say(f"alea.card_{number}_text", **shown)
    return Card(_inside(name), _inside(scores).rstrip("."), f"A-CARD-{_NUMBERS.index(number) + 1}")


_NUMBERS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII")


def _inside(text: str) -> str:
    """A text as it stands inside a sentence."""
    return text[0].lower() + text[1:]


def province(code: str) -> str:
    """A province tile in words."""
    if code[0] == "J":
        return "grey joker, any colour, value 0"
    colour, name = COLOURS[code[0]]
    return f"{name} ({colour}), value {code[1]}"


def patrician(code: str) -> str:
    """A patrician tile in words."""
    return f"{COLOURS[code[0]][0]} {SEXES[code[1]]}, value {code[2]}"


def tile(code: str) -> str:
    """Any tile or card in words."""
    if code[1:2] in ("w", "m"):
        return patrician(code)
    if code[1:].isdigit():
        return province(code)
    return f"{card(code).name}: {card(code).scores}"


def spaced(dice: str) -> str:
    """Dice as a roll shows them."""
    return " ".join(dice)


def dashed(dice: str) -> str:
    """Dice as a run or group."""
    return "-".join(dice)


def counted(number: int, word: str, words: str | None = None) -> str:
    """A number with its noun: 1 die, 2 dice."""
    return f"{number} {word if number == 1 else words or word + 's'}"


CODES = (
    "Codes: a province is its colour and value (R3), a patrician colour, w or m (woman, man) and value (Rw3), a senate "
    "card its roman number (III; border provinces with their colours, XII:RG). Colours: "
    + ", ".join(f"{letter} {colour}" for letter, (colour, _) in COLOURS.items())
    + "; J is the grey joker."
)

CHOICES = {
    "keep": "You keep fortuna tokens of those you drew in this set: two as the leader of the Templum, otherwise one; "
    "the others go back (A-SCO-1). Each scores its value at the end (A-END-4).",
    "take-card": "Your run won in the Senatus: you keep one of these cards in secret (A-SCO-4). Each kind scores in "
    "its own way at the end; the cards that you do not keep go to the next winner or under the stack.",
    "take-province": "Your group won in the Castrum: you take one of these provinces (A-SCO-6). At the end it scores "
    "its value if a patrician lives there, one less if nobody does; it takes one woman and one man of its colour "
    "(A-END-1, A-END-2).",
    "take-patrician": "Your die in the Forum takes one of these patricians (A-SCO-8). At the end it scores its value "
    "if it has a home: a province of its colour without another of its sex (A-END-1, A-END-3).",
}


def overview(n_seats: int, sets: int, winners: int) -> list[str]:
    """The whole game on one screen."""
    templum = n_seats >= 4
    wins = ["the Senatus secret senate cards", "the Castrum provinces", "the Forum patricians"]
    if templum:
        wins.insert(0, "the Templum fortuna tokens")
    best = "the best run wins" if winners == 1 else f"the best {winners} runs win"
    return [
        f"The aim: most fame points after {sets} sets (A-SET-9, A-END-5).",
        "",
        "A set: in turn, everybody rolls the dice left of his eight and places one or more of them, all in one "
        "building (A-TURN-1, A-TURN-3). When somebody has placed his last die, the round is finished and the buildings "
        "are scored; dice not placed go to the Latrina (A-TURN-5, A-TURN-6).",
        "",
        f"What buildings win: {', '.join(wins[:-1])} and {wins[-1]} (in the Senatus {best}). Dice that win nothing "
        "there go to the Latrina and bring a chip each: for a chip you may roll dice again.",
        *([] if templum else ["With 2 or 3 players there is no Templum (A-SET-6)."]),
        "",
        "The end: patricians move into provinces of their colour, one woman and one man in each (the app finds the "
        "best way for everybody, A-END-6). A province scores its value, one less when empty; a patrician with a home "
        "scores its value, without one nothing (A-END-2, A-END-3). Senate cards score as they say"
        f"{', fortuna tokens their value' if templum else ''}, every two chips 1 point (A-END-4).",
        "So collect patricians and provinces that match, and cards that count what you have much of.",
        "",
        CODES,
        "",
        "? MOVE explains a move, ? TILE or ? CARD what that is: ? S45, ? Rw3, ? XII:RG.",
    ]
