"""The table of Alea Iacta Est as text, readable without colour: what one seat may see."""

from rostra.engine.jit import State
from rostra.games.alea.shapes import AleaOffering, AleaRow, AleaView
from rostra.games.alea.view import view


def diagram(s: State, seat: int | None) -> str:
    """The whole table; seats by number, the own one marked `you`."""
    seen = view(s, seat)
    lines = [_headline(seen), ""]
    offered = seen["offered"]
    if seen["templum"] is not None:
        lines.append(_row("Templum", [f"{_who(p, seen)} {p['dice']} dice, sum {p['sum']}" for p in seen["templum"]]))
    lines.append(_row("Senatus", [f"{_who(p, seen)} {'-'.join(p['dice'])}" for p in seen["senatus"]]))
    groups = sorted(seen["castrum"], key=lambda p: (-len(p["dice"]), -int(p["dice"][0])))
    lines.append(_row("Castrum", [f"{_who(p, seen)} {'-'.join(p['dice'])}" for p in groups]))
    lines.append(_row("", [f"provinces: {' '.join(offered['provinces']) or 'none'}"]))
    columns = [f"{die['die']}/{die['seat']}" for die in seen["forum"]] + ["___"] * (
        seen["columns"] - len(seen["forum"])
    )
    lines.append(_row("Forum", [" ".join(columns) + "   (die/seat)"]))
    lines.append(_row("", [f"patricians: {' '.join(offered['patricians']) or 'none'}"]))
    lines.append(_row("Latrina", [f"{_name(i, seen)} {n}" for i, n in enumerate(seen["latrina"]) if n]))
    lines.append("")
    for index, player in enumerate(seen["players"]):
        mark = ">" if index == seen["active"] and seen["turn"] != "over" else " "
        have = f"dice {player['dice']}  chips {player['chips']}  cards {player['senate']}"
        if seen["templum"] is not None:
            have += f"  tokens {player['fortuna'] or '-'}" + (
                f" (+{player['drawn']} hidden)" if player["drawn"] else ""
            )
        if player["points"] is not None:
            have += f"  points {player['points']}"
        lines.append(f"{mark} {_name(index, seen):7} {have}")
        tiles = " ".join(player["provinces"] + player["patricians"])
        lines.append(f"          {tiles or 'no tiles yet'}")
    if seen["own"]:
        own = seen["own"]
        for label, value in (
            ("your cards", " ".join(own["senate"])),
            ("passed on", " ".join(own["passed"])),
            ("your hidden tokens", " ".join(own["drawn"])),
            ("choose from", " ".join(own["choice"])),
        ):
            if value:
                lines.append(f"  {label}: {value}")
    if seen["roll"]:
        lines += ["", f"  Roll of {_name(seen['active'], seen)}: {' '.join(seen['roll'])}"]
    return "\n".join(lines) + "\n"


def _headline(seen: AleaView) -> str:
    if seen["turn"] == "over":
        return f"The game is over after {seen['sets']} sets."
    return f"Set {seen['set']} of {seen['sets']}, round {seen['round']}; seat {seen['start']} has the start marker."


def _name(index: int, seen: AleaView) -> str:
    return "you" if index == seen["seat"] else f"seat {index}"


def _who(place: AleaOffering | AleaRow, seen: AleaView) -> str:
    return f"{_name(place['seat'], seen)}:"


def _row(label: str, cells: list[str]) -> str:
    return f"{label:9} {'   '.join(cells) or '-'}".rstrip()
