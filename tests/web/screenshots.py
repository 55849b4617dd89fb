"""Pictures of the main screens for `docs/img`, taken from a real server: `make screenshots`.

Phones show German, desktops English, each in both themes. Look at every picture before you commit it.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

import hatch_build
from browser import DESKTOP, PHONE, Person, a_person, launch
from live_server import Server

ROOT = Path(__file__).parent.parent.parent
Update = dict[str, Any]
DEVICES = ((DESKTOP, "en", "desktop"), (PHONE, "de", "phone"))
THEMES = ("light", "dark")
SCREENS = {
    "lobby": "The lobby", "new-match": "A new match", "waiting-room": "Waiting for friends", "rules": "The rules",
    "lesson": "A guided first game", "alea-roll": "Alea: a roll", "alea-places": "Alea: what fits the Castrum",
    "hint": "Alea: a hint", "alea-card": "Alea: choosing a senate card", "alea-over": "Alea: final scoring",
    "review": "Alea: review", "replay": "Alea: replay",
    "quovadis": "Quo Vadis?", "quovadis-desk": "Quo Vadis?: the deal desk", "quovadis-over": "Quo Vadis?: the end",
}  # fmt: skip


def at_phase(phase: str, after: int) -> Callable[[Update], bool]:
    """Whether seat 0 is to decide in this phase, so many plies into the game, when the board is neither empty nor full;
    in a game with deals, about something that needs others."""

    def there(update: Update) -> bool:
        play = update["play"]
        view = play["view"]
        if play["ply"] <= after or play["turn"] != 0 or view["phase"] != phase:
            return False
        return bool(play["asks"]) if view["game"] == "quovadis" else phase != "place" or view["round"] == 3

    return there


def never(update: Update) -> bool:
    """Play to the end."""
    return False


class Tour:
    """One person's way through all screens."""

    def __init__(self, person: Person, suffix: str, folder: Path) -> None:
        self.person = person
        self.suffix = suffix
        self.folder = folder

    def shot(self, name: str) -> None:
        """What is on the screen now."""
        self.person.page.wait_for_load_state("networkidle")
        self.person.page.wait_for_timeout(400)  # the last picture has been drawn
        self.person.page.screenshot(path=self.folder / f"{name}-{self.suffix}.jpg", type="jpeg", quality=72)
        print(f"{name}-{self.suffix}", flush=True)

    def see(self, path: str, name: str) -> None:
        """A page by its address."""
        self.person.goto(path)
        self.shot(name)

    def take(self) -> None:
        """All pictures."""
        person = self.person
        self.see("/", "lobby")
        person.become("Julia")
        self.see("/new?game=quovadis", "new-match")
        self.see(f"/match/{person.new_match('alea', 'me open greedy')}", "waiting-room")
        self.see("/rules/alea", "rules")
        self.see("/learn/alea", "lesson")
        self.alea()
        self.quo_vadis()

    def alea(self) -> None:
        """A match from a roll to the final scoring."""
        person = self.person
        match = person.new_match("alea", "me greedy greedy greedy", options={"start_seat": "1"})
        person.play_on(match, 0, at_phase("place", 75))
        person.goto(f"/match/{match}")
        person.page.wait_for_load_state("networkidle")
        self.shot("alea-roll")
        person.the("building-C").first.click()
        self.shot("alea-places")
        person.click("hint")
        person.the("hint-0").wait_for(timeout=60_000)
        self.shot("hint")
        person.play_on(match, 0, at_phase("take-card", 75))
        self.shot("alea-card")
        person.play_on(match, 0, never)
        person.the("final").wait_for()
        person.page.evaluate("scrollTo(0, 0)")
        self.shot("alea-over")
        person.goto(f"/match/{match}/review")
        person.the("chart").wait_for(timeout=120_000)
        self.shot("review")
        self.see(f"/match/{match}/ply/90", "replay")

    def quo_vadis(self) -> None:
        """A match with bargaining, and its end."""
        person = self.person
        match = person.new_match("quovadis", "me greedy greedy greedy", settings={"talk": 4})
        asks = person.play_on(match, 0, at_phase("act", 40))["play"]["asks"]
        person.goto(f"/match/{match}")
        self.shot("quovadis")
        person.the("desk-action").select_option(asks[-1])
        person.the("add-promise").click()
        person.the("desk").scroll_into_view_if_needed()
        self.shot("quovadis-desk")
        match = person.new_match("quovadis", "me greedy greedy", options={"stall_rounds": "6"})
        person.play_on(match, 0, never)
        self.see(f"/match/{match}", "quovadis-over")


def take_all(browser: Browser, url: str, folder: Path) -> None:
    """Every screen at both sizes in both themes."""
    for size, language, device in DEVICES:
        for theme in THEMES:
            with a_person(browser, url, size, language, theme) as person:
                Tour(person, f"{device}-{theme}", folder).take()


def page() -> str:
    """All pictures on one page."""
    lines = ["# All screens", "", "Made by `make screenshots`: phones in German, desktops in English, both themes."]
    for name, title in SCREENS.items():
        pictures = [f"{name}-{device}-{theme}.jpg" for _, _, device in DEVICES for theme in THEMES]
        cells = " | ".join(f"![{title}](img/{picture})" for picture in pictures)
        lines += ["", f"## {title}", "", "| desktop | | phone | |", "|---|---|---|---|", f"| {cells} |"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    hatch_build.build()
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs" / "img")
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(f"sqlite:{data}/rostra.db", log=Path(data) / "log").start()
        try:
            take_all(launch(playwright), server.url, target)
        finally:
            server.stop()
    (target.parent / "screens.md").write_text(page(), encoding="utf-8")
