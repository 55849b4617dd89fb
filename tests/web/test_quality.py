"""What holds for every screen: accessible by axe's rules in both themes, no wider than the window, little to load."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

import hatch_build
from browser import DESKTOP, PHONE, Person, a_person
from live_server import Server

NARROW = {"width": 360, "height": 740}
WIDE = {"width": 2560, "height": 1300}
FIRST_LOAD = 150_000
"""Bytes of compressed script that the lobby may load."""
SCREENS = (
    "lobby", "new", "waiting", "me", "rules", "learn", "alea", "alea-card", "alea-over", "quovadis", "quovadis-over",
    "replay", "plain",
)  # fmt: skip


def show(person: Person, screen: str) -> None:
    """Bring a screen up, with something on it."""
    if screen in ("lobby", "new"):
        person.goto("/" if screen == "lobby" else "/new?game=quovadis")
    else:
        person.become("Julia")
        match screen:
            case "me":
                person.goto("/me")
            case "rules" | "learn":
                person.goto(f"/{screen}/alea")
            case "waiting":
                person.goto(f"/match/{person.new_match('alea', 'me open greedy')}")
            case _:
                person.goto(a_match(person, screen))
    if screen == "plain":
        person.click("i-am")
        person.sees("plain-board")
    person.page.wait_for_load_state("networkidle")
    person.page.locator("h1, h2").first.wait_for()


def a_match(person: Person, screen: str) -> str:
    """The address of a match that is played up to what a screen shows."""
    game, _, part = screen.partition("-")
    if game == "plain":
        return f"/match/{person.new_match('pig', 'me me')}"
    if game == "quovadis":
        match = person.new_match(game, "me greedy greedy", options={"stall_rounds": "3"})
    else:
        match = person.new_match("alea", "me greedy greedy greedy")

    def there(update: dict) -> bool:
        play = update["play"]
        wanted = {"card": "take-card", "over": "never"}.get(part, "act" if game == "quovadis" else "place")
        return play["ply"] > 60 and play["turn"] == 0 and play["view"]["phase"] == wanted

    person.play_on(match, 0, there)
    return f"/match/{match}/ply/40" if screen == "replay" else f"/match/{match}"


@contextmanager
def screen_of(browser: Browser, server: Server, screen: str, size: dict, theme: str = "light") -> Iterator[Person]:
    with a_person(browser, server.url, size, "de" if size is NARROW else "en", theme) as person:
        show(person, screen)
        yield person


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing(browser: Browser, server: Server, screen: str, theme: str) -> None:
    size = PHONE if theme == "dark" else DESKTOP
    with screen_of(browser, server, screen, size, theme) as person:
        found = Axe().run(person.page)
        assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["360", "2560"])
@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_wider_than_the_window(browser: Browser, server: Server, screen: str, size: dict) -> None:
    with screen_of(browser, server, screen, size) as person:
        width = person.page.evaluate("document.documentElement.scrollWidth")
        assert width <= size["width"]


def test_the_lobby_loads_little_script(browser: Browser, server: Server) -> None:
    loaded = set()
    with a_person(browser, server.url) as person:
        person.page.on("response", lambda answer: loaded.add(answer.url.partition("?")[0]))
        person.goto("/")
        person.page.wait_for_load_state("networkidle")
    scripts = [hatch_build.PAGE / url.partition("/pages/app/")[2] for url in loaded if url.endswith(".js")]
    scripts = [script for script in scripts if script.is_file() and script.name != "sw.js"]
    assert scripts
    assert sum(len(gzip.compress(script.read_bytes(), 6)) for script in scripts) < FIRST_LOAD
