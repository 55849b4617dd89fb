"""The table of Alea Iacta Est for a person: by names instead of seat numbers, within 80 columns.

It is drawn from the view alone, so it cannot show what the seat may not see.
"""

from typing import Any

from rostra.games.alea.tables import SENATE_WINNERS
from rostra.tui.alea_words import card, counted, dashed, spaced
from rostra.tui.guide import capital, hung, listed

_LABEL = 10


def board(seen: dict[str, Any], short: list[str]) -> list[str]:
    """The buildings with what lies there, then the players."""
    lines = [_headline(seen, short), ""]
    if seen["templum"] is not None:
        places = sorted(seen["templum"], key=lambda place: -place["dice"])
        lines += _row("Templum", [f"{short[p['seat']]} {_dice(p['dice'])} of sum {p['sum']}" for p in places])
    runs = sorted(seen["senatus"], key=lambda place: (-len(place["dice"]), -int(place["dice"][-1])))
    lines += _row("Senatus", _ranked(runs, int(SENATE_WINNERS[len(short)]), seen, short))
    groups = sorted(seen["castrum"], key=lambda place: (-len(place["dice"]), -int(place["dice"][0])))
    provinces = seen["offered"]["provinces"]
    lines += _row("Castrum", _ranked(groups, len(provinces), seen, short))
    lines += _row("", [f"for provinces {' '.join(provinces) or 'none left'}"])
    columns = [f"[{die['die']} {short[die['seat']][:3]}]" for die in seen["forum"]]
    lines += _row("Forum", [" ".join(columns + ["[     ]"] * (seen["columns"] - len(columns)))])
    lines += _row("", [f"for patricians {' '.join(seen['offered']['patricians']) or 'none left'}"])
    lines += _row("Latrina", [f"{name} {n}" for name, n in zip(short, seen["latrina"], strict=True) if n])
    return [*lines, "", *_players(seen, short), *_own(seen)]


def _headline(seen: dict[str, Any], short: list[str]) -> str:
    if seen["turn"] == "over":
        return f"The game is over after {seen['sets']} sets."
    starter = short[seen["start"]]
    begins = f"{starter} {'begin' if starter == 'you' else 'begins'} each round"
    line = f"Set {seen['set']} of {seen['sets']}, round {seen['round']}; {begins}."
    done = [name for name, player in zip(short, seen["players"], strict=True) if not player["dice"]]
    if seen["phase"] == "place" and done:
        line += f" Last round of the set: {listed(done)} placed all dice."
    elif seen["phase"] != "place":
        line = f"Set {seen['set']} of {seen['sets']} is being scored."
    return line


def _dice(number: int) -> str:
    return counted(number, "die", "dice")


def _ranked(places: list[dict[str, Any]], winners: int, seen: dict[str, Any], short: list[str]) -> list[str]:
    """The best first, with a bar after those who would win; in the scoring itself those who won are gone already."""
    cells = [f"{short[place['seat']]} {dashed(place['dice'])}" for place in places]
    if seen["phase"] == "place" and cells[winners:]:
        cells[winners] = f"| {cells[winners]}"
    return cells


def _row(label: str, cells: list[str]) -> list[str]:
    # A run and its owner are kept in one line: only the blanks between cells may break.
    joined = "  ".join(cell.replace(" ", "\0") for cell in cells)
    return [line.replace("\0", " ") for line in hung(f"{label:{_LABEL}}", joined)]


def _players(seen: dict[str, Any], short: list[str]) -> list[str]:
    tokens = [_tokens(player) for player in seen["players"]]
    width = max(6, *map(len, tokens))
    with_templum = seen["templum"] is not None
    token_head = "tokens".ljust(width + 2) if with_templum else ""
    lines = [f"{'':{_LABEL}} dice  chips  cards  {token_head}tiles"]
    for seat, (name, player) in enumerate(zip(short, seen["players"], strict=True)):
        mark = ">" if seat == seen["active"] and seen["turn"] != "over" else " "
        label = f"{mark}{capital(name):{_LABEL - 1}}{player['dice']:5}{player['chips']:7}{player['senate']:7}  "
        if with_templum:
            label += f"{tokens[seat]:{width}}  "
        lines += hung(label, " ".join(player["provinces"] + player["patricians"]))
    return lines


def _tokens(player: dict[str, Any]) -> str:
    """Those kept by value, and how many are drawn and hidden: 233+2?."""
    return player["fortuna"] + (f"+{player['drawn']}?" if player["drawn"] else "") or "-"


def _own(seen: dict[str, Any]) -> list[str]:
    own = seen["own"]
    lines = []
    for label, value in (
        ("Your cards: ", "; ".join(f"{code} {card(code).name}" for code in own["senate"])),
        ("You passed on: ", " ".join(own["passed"])),
        ("Your hidden tokens: ", spaced(own["drawn"])),
    ):
        if value:
            lines += hung(label, value)
    return ["", *lines] if lines else []
