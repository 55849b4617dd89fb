"""People in real browsers: pages in the system's Chromium on a real server, and what a person does with them.

A page that writes an error to its console (a script that fails, a style or script that the security policy blocks)
fails the test that opened it, whatever else the test checks.
"""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Playwright, expect

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip


def launch(playwright: Playwright) -> Browser:
    """The system's Chromium."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    assert found, "there is no Chromium; `make chromium` installs it"
    playwright.selectors.set_test_id_attribute("data-test")
    return playwright.chromium.launch(executable_path=found, args=FLAGS)


class Person:
    """Somebody at a browser."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context = context
        self.url = url
        self.page: Page = context.new_page()
        self.page.set_default_timeout(20_000)
        self.errors: list[str] = []
        self.excused = ""
        self._acts = 0
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not (self.excused and self.excused in message.text):
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")

    def goto(self, path: str) -> None:
        self.page.goto(self.url + path)

    def the(self, name: str) -> Locator:
        """What has this name for tests."""
        return self.page.get_by_test_id(name)

    def click(self, name: str) -> None:
        self.the(name).first.click()

    def sees(self, name: str) -> None:
        expect(self.the(name).first).to_be_visible(timeout=30_000)

    def token(self) -> str:
        """Who this browser is to the server."""
        return str(json.loads(self.page.evaluate("localStorage.getItem('rostra.me')"))["token"])

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask the server as this person, without the page."""
        headers = {"authorization": f"Bearer {self.token()}"}
        answer = self.context.request.fetch(self.url + path, method=method, headers=headers, data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def become(self, name: str) -> None:
        """Be somebody, as if the lobby had been used before."""
        made = self.context.request.post(self.url + "/api/people", data={"name": name}).json()
        self.goto("/healthz")
        self.page.evaluate("me => localStorage.setItem('rostra.me', JSON.stringify(me))", made)

    def new_match(self, game: str, seats: str, sit: bool = True, **wanted: Any) -> str:
        """Make a match; `seats` are words: me, open, or a bot's name. Bots are quick unless settings say otherwise."""
        plan = [{"kind": word} if word in ("me", "open") else {"kind": "bot", "bot": word} for word in seats.split()]
        settings = {"pace": 0, "talk": 0, "answer": 0} | wanted.pop("settings", {})
        body = {"game": game, "seats": plan, "settings": settings, **wanted}
        match = str(self.ask("POST", "/api/matches", body)["match"])
        if sit:
            for seat, word in enumerate(seats.split()):
                if word == "me":
                    self.act(match, "sit", seat=seat, name=f"Julia {seat + 1}" if seats.count("me") > 1 else "Julia")
        return match

    def act(self, match: str, kind: str, **more: Any) -> Any:
        """Do something in a match without the page."""
        self._acts += 1
        command = {"type": kind, "id": f"test-{self._acts}", "match": match, **more}
        return self.ask("POST", f"/api/matches/{match}/commands", command)

    def play_on(self, match: str, seat: int, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Play a seat without the page, the last legal move always but no rerolls, until something is so of its
        update or the match is over; returns that update."""
        while True:
            seen = self.ask("GET", f"/api/matches/{match}?seat={seat}")
            play = seen["play"]
            if seen["about"]["status"] == "over" or (play and until(seen)):
                return dict(seen)
            if play and play["legal"]:
                legal = [move for move in play["legal"] if not move.startswith("R")]
                where = {"epoch": play["epoch"], "ply": play["ply"]}
                move = legal[play["ply"] * 7919 % len(legal)]
                self.act(match, "play", seat=seat, move=move, **where)
            else:
                time.sleep(0.02)

    @property
    def match(self) -> str:
        """The match that is shown."""
        return self.page.url.partition("/match/")[2][:20]


@contextmanager
def a_person(
    browser: Browser, url: str, size: dict[str, int] = DESKTOP, language: str = "en", theme: str = "light", **more: Any
) -> Iterator[Person]:
    """Somebody new, at a screen of this size, in this language and theme, who wants no motion unless `more` says so."""
    context = browser.new_context(
        viewport=size,  # type: ignore[arg-type]  # a ViewportSize
        locale="de-DE" if language == "de" else "en-GB",
        color_scheme=theme,  # type: ignore[arg-type]  # light or dark
        has_touch=size["width"] < 600,
        **({"reduced_motion": "reduce"} | more),
    )
    try:
        person = Person(context, url)
        yield person
        assert not person.errors, f"the page complained: {person.errors}"
    finally:
        context.close()
