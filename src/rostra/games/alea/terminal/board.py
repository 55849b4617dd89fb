"""The table of Alea Iacta Est for a person: with names instead of seat numbers, within 80 columns.

It is drawn from the view alone, so it cannot show what the seat may not see. Columns are as wide as their headings,
which differ between languages.
"""

from typing import Any

from rostra.games.alea.tables import SENATE_WINNERS
from rostra.games.alea.terminal.words import card, dashed, spaced
from rostra.words.guide import hung
from rostra.words.voice import Voice, capital

_LABEL = 10


def board(seen: dict[str, Any], voice: Voice) -> list[str]:
    """The buildings with what lies there, then the players."""
    say, short = voice.say, voice.short
    lines = [_headline(seen, voice), ""]
    if seen["templum"] is not None:
        places = sorted(seen["templum"], key=lambda place: -place["dice"])
        lines += _row(
            "Templum", [say("tui_alea.in_templum", who=short[p["seat"]], n=p["dice"], sum=p["sum"]) for p in places]
        )
    runs = sorted(seen["senatus"], key=lambda place: (-len(place["dice"]), -int(place["dice"][-1])))
    lines += _row("Senatus", _ranked(runs, int(SENATE_WINNERS[len(short)]), seen, short))
    groups = sorted(seen["castrum"], key=lambda place: (-len(place["dice"]), -int(place["dice"][0])))
    provinces, patricians = seen["offered"]["provinces"], seen["offered"]["patricians"]
    none_left = say("tui_alea.none_left")
    lines += _row("Castrum", _ranked(groups, len(provinces), seen, short))
    lines += _row("", [say("tui_alea.for_provinces", tiles=" ".join(provinces) or none_left)])
    columns = [f"[{die['die']} {short[die['seat']][:3]:3}]" for die in seen["forum"]]
    lines += _row("Forum", [" ".join(columns + ["[     ]"] * (seen["columns"] - len(columns)))])
    lines += _row("", [say("tui_alea.for_patricians", tiles=" ".join(patricians) or none_left)])
    lines += _row("Latrina", [f"{name} {n}" for name, n in zip(short, seen["latrina"], strict=True) if n])
    return [*lines, "", *_players(seen, voice), *_own(seen, voice)]


def _headline(seen: dict[str, Any], voice: Voice) -> str:
    if seen["turn"] == "over":
        return voice.say("tui_alea.over_after", sets=seen["sets"])
    if seen["phase"] != "place":
        return voice.say("tui_alea.being_scored", set=seen["set"], sets=seen["sets"])
    of = {"set": seen["set"], "sets": seen["sets"], "round": seen["round"]}
    line = voice.told("tui_alea.round", seen["start"], **of)
    done = [name for name, player in zip(voice.short, seen["players"], strict=True) if not player["dice"]]
    return f"{line} {voice.say('tui_alea.last_round', names=voice.listed(done))}" if done else line


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


def _players(seen: dict[str, Any], voice: Voice) -> list[str]:
    dice, chips, cards, token, tiles = (voice.say(key) for key in _HEADS)
    tokens = [_tokens(player) for player in seen["players"]]
    width = max(len(token), *map(len, tokens))
    with_templum = seen["templum"] is not None
    # Two digits fit below any head; a longer head makes its column wider.
    wide = [max(5, len(dice) + 1), max(7, len(chips) + 2), max(7, len(cards) + 2)]
    token_head = token.ljust(width + 2) if with_templum else ""
    lines = [f"{'':{_LABEL}}{dice:>{wide[0]}}{chips:>{wide[1]}}{cards:>{wide[2]}}  {token_head}{tiles}"]
    for seat, (name, player) in enumerate(zip(voice.short, seen["players"], strict=True)):
        mark = ">" if seat == seen["active"] and seen["turn"] != "over" else " "
        numbers = (player["dice"], player["chips"], player["senate"])
        row = "".join(f"{number:{w}}" for number, w in zip(numbers, wide, strict=True))
        label = f"{mark}{capital(name):{_LABEL - 1}}{row}  "
        if with_templum:
            label += f"{tokens[seat]:{width}}  "
        lines += hung(label, " ".join(player["provinces"] + player["patricians"]))
    return lines


_HEADS = (
    "tui_alea.head_dice", "tui_alea.head_chips", "tui_alea.head_cards", "tui_alea.head_tokens", "tui_alea.head_tiles",
)  # fmt: skip


def _tokens(player: dict[str, Any]) -> str:
    """Those kept by value, and how many are drawn and hidden: 233+2?."""
    return player["fortuna"] + (f"+{player['drawn']}?" if player["drawn"] else "") or "-"


def _own(seen: dict[str, Any], voice: Voice) -> list[str]:
    own = seen["own"]
    lines = []
    for label, value in (
        ("tui_alea.your_cards", "; ".join(f"{code} {card(voice, code).name}" for code in own["senate"])),
        ("tui_alea.you_passed", " ".join(own["passed"])),
        ("tui_alea.your_tokens", spaced(own["drawn"])),
    ):
        if value:
            lines += hung(f"{voice.say(label)} ", value)
    return ["", *lines] if lines else []
