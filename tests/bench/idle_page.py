"""What an open table costs while nothing happens: `python tests/bench/idle_page.py [seconds]`.

Opens a blank page and a table of each kind, one after the other in the same browser, and prints the CPU time that the
browser's renderers and its compositor use, as a share of one core and next to the blank page. Nobody moves meanwhile.
Rendering is software rendering, as in any browser without a graphics card. Not a test: nothing here fails.
"""

import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

import hatch_build
from browser import DESKTOP, PHONE, Person, a_person, launch
from live_server import Server

SETTLE_SECONDS = 4.0
"""Until the page has loaded and drawn everything."""
DRAWING = ("renderer", "GPU")
"""The processes that run and draw pages."""


def cpu_seconds(session: CDPSession) -> float:
    """What the browser has used for drawing pages so far."""
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return float(sum(one["cpuTime"] for one in found if one["type"] in DRAWING))


def share(session: CDPSession, seconds: float) -> float:
    """The share of a core while nobody does anything."""
    time.sleep(SETTLE_SECONDS)
    begin, before = time.monotonic(), cpu_seconds(session)
    time.sleep(seconds)
    return (cpu_seconds(session) - before) / (time.monotonic() - begin)


def my_turn(person: Person) -> None:
    """A table where it is this person's turn: everything that can be done is lit."""
    match = person.new_match("quovadis", "me greedy greedy", options={"start_seat": "0"})
    person.play_on(match, 0, lambda seen: seen["play"]["turn"] == 0 and seen["play"]["ply"] > 40)
    person.goto(f"/match/{match}")
    person.sees("turn")


def waiting(person: Person) -> None:
    """A table where somebody else is to decide and does not."""
    match = person.new_match("quovadis", "me me me", sit=False, options={"start_seat": "1"})
    for seat in range(3):
        person.act(match, "sit", seat=seat, name=f"Julia {seat}")
    person.goto(f"/match/{match}?seat=0")
    person.page.wait_for_load_state("networkidle")


def measure(browser: Browser, url: str, seconds: float) -> None:
    """Print a line for each page."""
    session = browser.new_browser_cdp_session()
    print(f"{'page':24} {'of a core':>10} {'of blank':>10}")
    blank = 0.0
    for name, size, opened in (
        ("blank page", DESKTOP, None), ("my turn, desktop", DESKTOP, my_turn), ("my turn, phone", PHONE, my_turn),
        ("waiting, desktop", DESKTOP, waiting),
    ):  # fmt: skip
        with a_person(browser, url, size=size, reduced_motion="no-preference") as person:
            if opened:
                person.become("Julia")
                opened(person)
            else:
                person.page.goto("about:blank")
            used = share(session, seconds)
            blank = blank or max(used, 1e-4)
            print(f"{name:24} {used:10.2%} {used / blank:9.0f}x", flush=True)


if __name__ == "__main__":
    hatch_build.build()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(f"sqlite:{data}/rostra.db", log=Path(data) / "log").start()
        try:
            measure(launch(playwright), server.url, float(sys.argv[1]) if len(sys.argv) > 1 else 20.0)
        finally:
            server.stop()
