"""The speed and quality of the page: Lighthouse on the lobby, and the delay of clicks on a slow phone.

`PYTHONPATH=.:tests .venv/bin/python tests/bench/web/run.py` installs Lighthouse here (npm) and uses the system's
Chromium. It is not part of `make test`: the figures depend on the machine and its other load.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

import hatch_build
from browser import FLAGS, PHONE, Person, a_person, launch
from live_server import Server

HERE = Path(__file__).parent
CATEGORIES = {"performance": 95, "accessibility": 95, "best-practices": 95}
SLOWDOWN = 4
LISTEN = """() => {
    window.clicks = [];
    const name = (entry) => entry.target?.closest?.("[data-test]")?.dataset.test ?? entry.name;
    const note = (list) => {
        for (const one of list.getEntries()) if (one.interactionId) window.clicks.push([one.duration, name(one)]);
    };
    new PerformanceObserver(note).observe({ type: "event", durationThreshold: 16, buffered: false });
}"""


def lighthouse(url: str) -> bool:
    """Lighthouse's scores of the lobby, on its slow phone; whether all are good enough."""
    command, environment = hatch_build.npm()
    if not (HERE / "node_modules").exists():
        subprocess.run([*command, "ci", "--no-audit", "--no-fund"], cwd=HERE, env=environment, check=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or ""
    subprocess.run(
        ["node", "node_modules/lighthouse/cli/index.js", url, "--quiet", "--output=json", "--output-path=report.json",
         f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={' '.join(FLAGS)}"],
        cwd=HERE, env=environment | {"CHROME_PATH": chromium, "HOME": os.environ.get("HOME", tempfile.gettempdir())},
        check=True,
    )  # fmt: skip
    report: dict[str, Any] = json.loads((HERE / "report.json").read_text())
    good = True
    for name, wanted in CATEGORIES.items():
        score = round(100 * report["categories"][name]["score"])
        good &= score >= wanted
        print(f"| {name} | {score} | at least {wanted} |")
        for audit in report["categories"][name]["auditRefs"]:
            found = report["audits"][audit["id"]]
            if audit["weight"] and found["score"] is not None and found["score"] < 0.9:
                print(f"|   {found['title']} | {found.get('displayValue', '')} | |")
    return good


def clicks(person: Person) -> list[tuple[float, str]]:
    """How long each click on an Alea table took until its result was drawn, in milliseconds, and on what."""
    person.become("Julia")
    match = person.new_match("alea", "me greedy greedy greedy")
    person.play_on(match, 0, lambda update: update["play"]["ply"] > 70 and update["play"]["turn"] == 0)
    person.goto(f"/match/{match}")
    person.sees("alea")
    page: Page = person.page
    page.wait_for_load_state("networkidle")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.evaluate(LISTEN)
    for _ in range(3):
        for name in ("die-0", "die-0", "open-log", "panel-close", "open-chat", "panel-close", "menu"):
            spot = person.the(name)
            if spot.count() and spot.first.is_visible():
                spot.first.click()
                page.wait_for_timeout(300)
        page.keyboard.press("Escape")
    return [(float(took), str(on)) for took, on in page.evaluate("window.clicks")]


def main() -> int:
    """Measure, and print a table."""
    hatch_build.build()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(f"sqlite:{data}/rostra.db", log=Path(data) / "log").start()
        try:
            print("| what | here | wanted |\n|---|---|---|")
            good = lighthouse(server.url + "/")
            with a_person(launch(playwright), server.url, PHONE, reduced_motion="no-preference") as person:
                took = sorted(clicks(person))
            what = f"slowest of {len(took)} events of 16 ms or more, CPU {SLOWDOWN}x slower"
            print(f"| {what} | {took[-1][0]:.0f} ms ({took[-1][1]}) | under 100 ms |")
            return 0 if good else 1
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main())
