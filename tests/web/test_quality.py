"""What holds for every screen: axe's accessibility rules in both themes, no sideways scrolling, small downloads."""

import gzip

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

import hatch_build
from browser import DESKTOP, PHONE, Person, a_person
from live_server import Server

pytestmark = pytest.mark.slow

WIDTHS = (360, 768, 1024, 2560)
FIRST_LOAD = 150_000
"""Bytes of compressed script that the lobby may load."""
SCREENS = (
    "lobby", "new", "waiting", "me", "rules", "learn", "alea", "alea-card", "alea-over", "quovadis", "quovadis-over",
    "replay", "plain", "hint", "review", "profile", "found",
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
                person.sees("friends")
                person.click("make-code")
                person.sees("sign-in-code")
            case "profile":
                played = person.new_match("alea", "me greedy greedy", options={"start_seat": "0"})
                person.play_on(played, 0, lambda _: False)
                person.goto(f"/people/{person.ask('GET', '/api/me/profile')['person']}")
                person.sees("skill")
            case "found":
                person.new_match("alea", "me open", settings={"listed": True})
                person.goto("/")
                person.the("find").fill("Julia")
                person.click("find-go")
                person.the("found-matches").get_by_test_id("match-row").first.wait_for()
            case "rules" | "learn":
                person.goto(f"/{screen}/alea")
            case "waiting":
                person.goto(f"/match/{person.new_match('alea', 'me open greedy')}")
            case "hint" | "review":
                judged(person, screen)
            case _:
                person.goto(a_match(person, screen))
    if screen == "plain":
        person.click("i-am")
        person.sees("plain-board")
    person.page.wait_for_load_state("networkidle")
    person.page.locator("h1, h2").first.wait_for()


def judged(person: Person, screen: str) -> None:
    """What the judge says, which takes it some seconds."""
    match = person.new_match("alea", "me greedy", options={"start_seat": "0"})
    if screen == "review":
        person.play_on(match, 0, lambda _: False)
        person.goto(f"/match/{match}/review")
        person.the("chart").wait_for(timeout=120_000)
        person.the("chart").hover()
    else:
        person.goto(f"/match/{match}")
        person.click("hint")
        person.the("hint-0").wait_for(timeout=120_000)


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


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(browser: Browser, server: Server, screen: str) -> None:
    """In German, whose words are the longest."""
    with a_person(browser, server.url, PHONE, "de") as person:
        show(person, screen)
        for theme, size in (("light", PHONE), ("dark", DESKTOP)):
            person.page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]  # a str
            person.page.set_viewport_size(size)  # type: ignore[arg-type]  # a dict
            found = Axe().run(person.page)
            assert found.violations_count == 0, f"{theme}: {found.generate_report()}"
        for width in WIDTHS:
            person.page.set_viewport_size({"width": width, "height": 900})
            assert person.page.evaluate("document.documentElement.scrollWidth") <= width


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
