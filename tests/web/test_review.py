"""Hints and the review of a finished match in a browser, with the server's real judge.

A hint is never played by itself: it only becomes the current pick. So a test checks that the ply has not changed before
it confirms.
"""

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from browser import DESKTOP, PHONE, Person, a_person
from live_server import Server
from rostra.words import words

pytestmark = pytest.mark.slow

EN, DE = words("en"), words("de")
PATIENCE = 120_000
"""Milliseconds in which a judge has looked at a whole match, also on a busy machine."""


def ply(person: Person) -> str:
    return str(person.the("table").get_attribute("data-ply"))


def wait_for_my_turn(person: Person) -> None:
    person.page.locator("[data-light], [data-test=chooser]").first.wait_for(timeout=PATIENCE)


def hints(person: Person) -> list[str]:
    """The moves that are shown as hints, once they are there."""
    person.the("hint-0").wait_for(timeout=PATIENCE)
    shown = person.page.locator("[data-move][data-test^=hint-]")
    return [str(move) for move in shown.evaluate_all("all => all.map(one => one.dataset.move)")]


def per_cent(text: str) -> int:
    found = re.search(r"(\d+)\s?%", text)
    assert found, f"there is no percentage in {text!r}"
    return int(found[1])


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_hint_is_shown_on_the_board_and_played_only_when_confirmed(
    browser: Browser, server: Server, size: dict[str, int]
) -> None:
    with a_person(browser, server.url, size) as person:
        person.become("Julia")
        match = person.new_match("alea", "me greedy", options={"start_seat": "0"})
        person.goto(f"/match/{match}")
        wait_for_my_turn(person)
        before = ply(person)
        person.click("hint")
        moves = hints(person)
        legal = person.ask("GET", f"/api/matches/{match}?seat=0")["play"]["legal"]
        assert 1 <= len(moves) <= 3
        assert set(moves) <= set(legal)
        chances = [per_cent(person.the(f"hint-{at}").inner_text()) for at in range(len(moves))]
        assert chances == sorted(chances, reverse=True)
        at = next((at for at, move in enumerate(moves) if not move.startswith("R")), None)
        person.click(f"hint-show-{at or 0}")
        go_on = person.the("reroll" if at is None else "confirm")
        expect(go_on).to_be_focused()
        assert ply(person) == before
        assert person.ask("GET", f"/api/matches/{match}?seat=0")["play"]["ply"] == int(before)
        go_on.click()
        expect(person.the("table")).not_to_have_attribute("data-ply", before, timeout=PATIENCE)
        lines = person.ask("GET", f"/api/matches/{match}?seat=0")["log"]["lines"]
        assert next(line["move"] for line in lines if line["ply"] == int(before)) == moves[at or 0]


def test_a_hint_by_keyboard_is_read_out(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.become("Julia")
        person.goto(f"/match/{person.new_match('alea', 'me greedy', options={'start_seat': '0'})}")
        wait_for_my_turn(person)
        before = ply(person)
        person.page.keyboard.press("h")
        hints(person)
        spoken = EN.say("table.hint_spoken", move="MOVE", chance="CHANCE").partition("MOVE")[0].strip()
        expect(person.the("spoken")).to_contain_text(spoken)
        person.the("hint-show-0").focus()
        person.page.keyboard.press("Enter")
        expect(person.page.locator("[data-test=confirm], [data-test=reroll]")).to_be_focused()
        person.page.keyboard.press("Enter")
        expect(person.the("table")).not_to_have_attribute("data-ply", before, timeout=PATIENCE)


def test_a_hint_is_forgotten_when_play_goes_on(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.become("Julia")
        match = person.new_match("alea", "me greedy", options={"start_seat": "0"})
        person.goto(f"/match/{match}")
        wait_for_my_turn(person)
        person.click("hint")
        hints(person)
        now = int(ply(person))
        person.play_on(match, 0, lambda seen: seen["play"]["ply"] > now and seen["play"]["turn"] == 0)
        expect(person.the("hint-ask")).to_be_visible(timeout=PATIENCE)
        expect(person.the("hint-0")).to_have_count(0)


def test_hints_in_quo_vadis_are_picked_on_the_hill(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.become("Julia")
        match = person.new_match("quovadis", "me greedy greedy", options={"start_seat": "0"})
        person.goto(f"/match/{match}")
        person.sees("hill")
        person.click("hint")
        moves = hints(person)
        play = person.ask("GET", f"/api/matches/{match}?seat=0")["play"]
        assert set(moves) <= {*play["legal"], *play["asks"]}
        for at in reversed(range(len(moves))):
            person.click(f"hint-show-{at}")
            expect(person.the("do")).to_be_focused()
        before = ply(person)
        assert before == str(play["ply"])
        person.page.keyboard.press("Enter")
        expect(person.the("table")).not_to_have_attribute("data-ply", before, timeout=PATIENCE)
        lines = person.ask("GET", f"/api/matches/{match}?seat=0")["log"]["lines"]
        assert next(line["move"] for line in lines if line["ply"] == int(before)) == moves[0]


def test_hints_are_only_where_they_are_allowed_and_everybody_is_told(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.become("Julia")
        for wanted, allowed in ({}, True), ({"hints": False}, False):
            match = person.new_match("alea", "me greedy", options={"start_seat": "0"}, settings=wanted)
            person.goto(f"/match/{match}")
            wait_for_my_turn(person)
            for name in ("hint", "tab-hint"):
                expect(person.the(name)).to_have_count(int(allowed))
            person.click("menu")
            expect(person.the("hints-rule")).to_have_text(EN.say("table.hints_on" if allowed else "table.hints_off"))
        for wanted, note in ({}, "lobby.hints_off"), ({"hints": True}, "lobby.hints_on"):
            person.goto(f"/match/{person.new_match('alea', 'me open', settings=wanted)}")
            expect(person.the("waiting-room")).to_contain_text(EN.say(note))


def test_where_there_is_no_judge_it_is_said(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.excused = "409"
        person.become("Julia")
        match = person.new_match("pig", "me me", settings={"hints": True})
        person.goto(f"/match/{match}")
        person.click("i-am")
        person.click("hint")
        expect(person.the("hint-problem")).to_have_text(EN.say("app.refused_no_net"), timeout=PATIENCE)


def test_a_review_needs_a_match_that_is_over(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.excused = "409"
        person.become("Julia")
        person.goto(f"/match/{person.new_match('alea', 'me greedy')}/review")
        expect(person.the("review-problem")).to_contain_text(EN.say("app.refused_not_over"), timeout=PATIENCE)


@pytest.fixture(scope="module")
def played(browser: Browser, server: Server) -> dict[str, Any]:
    """A match of Alea that is over: its name and who played it, as the browser keeps it."""
    with a_person(browser, server.url) as person:
        person.become("Julia")
        match = person.new_match("alea", "me greedy", options={"start_seat": "0"})
        person.play_on(match, 0, lambda _: False)
        me = person.page.evaluate("localStorage.getItem('rostra.me')")
    return {"match": match, "me": me}


def look_at(person: Person, played: dict[str, Any], path: str) -> None:
    """Open an address as the one who played."""
    person.goto("/healthz")
    person.page.evaluate("me => localStorage.setItem('rostra.me', me)", played["me"])
    person.goto(path)


def cells(row: Locator) -> list[int]:
    texts = [text.replace("−", "-").replace("\xa0", "").rstrip("% ") for text in row.locator("td").all_inner_texts()]
    return [int(text) for text in texts]


def test_the_ways_to_a_review_and_what_it_says(browser: Browser, server: Server, played: dict[str, Any]) -> None:
    match = played["match"]
    with a_person(browser, server.url) as person:
        look_at(person, played, "/")
        row = person.the("finished-matches").get_by_test_id("to-review")
        expect(row).to_have_attribute("href", f"/match/{match}/review", timeout=PATIENCE)
        person.goto(f"/match/{match}")
        person.click("to-review")
        assert person.page.url == f"{server.url}/match/{match}/review"
        expect(person.the("review-waiting").or_(person.the("chart"))).to_be_visible(timeout=PATIENCE)
        expect(person.the("chart")).to_be_visible(timeout=PATIENCE)
        expect(person.the("review-waiting")).to_have_count(0)
        review = person.ask("GET", f"/api/matches/{match}/review")
        # What the result is made of, to rounding.
        rows = person.the("balance").locator("tbody tr")
        parts = [cells(rows.nth(at)) for at in range(5)]
        for seat, result in enumerate(parts[4]):
            assert result == round(100 * review["seats"][seat]["result"])
            assert abs(sum(part[seat] for part in parts[:4]) - result) <= 2
        shown = person.the("mistakes").get_by_test_id("decision")
        plies = [int(one) for one in shown.evaluate_all("all => all.map(one => one.dataset.ply)")]
        assert sorted(plies) == sorted(one["ply"] for one in review["mistakes"])
        for one in review["mistakes"]:
            card = person.page.locator(f"[data-test=decision][data-ply='{one['ply']}']")
            expect(card).to_contain_text(EN.say(f"review.grade_{one['grade']}"))
            expect(card.get_by_test_id("look")).to_have_attribute("href", f"/match/{match}/ply/{one['ply']}")


def test_the_chart_shows_moments_and_leads_to_the_replay(
    browser: Browser, server: Server, played: dict[str, Any]
) -> None:
    with a_person(browser, server.url) as person:
        look_at(person, played, f"/match/{played['match']}/review")
        chart = person.the("chart")
        expect(chart).to_be_visible(timeout=PATIENCE)
        points = person.ask("GET", f"/api/matches/{played['match']}/review")["chart"]
        chart.focus()
        person.page.keyboard.press("Home")
        expect(person.the("moment")).to_contain_text(EN.say("table.review_at", ply=points[0]["ply"]))
        person.page.keyboard.press("ArrowRight")
        expect(person.the("moment")).to_contain_text(EN.say("table.review_at", ply=points[1]["ply"]))
        expect(chart).to_have_attribute("aria-valuetext", re.compile(str(points[1]["ply"])))
        person.page.keyboard.press("End")
        expect(person.the("moment")).to_contain_text(EN.say("table.review_end"))
        box = chart.bounding_box()
        assert box is not None
        person.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        look = str(person.the("chart-look").get_attribute("href"))
        assert int(look.rpartition("/")[2]) in [point["ply"] for point in points[1:-1]]
        person.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        person.sees("replay")
        assert person.page.url == server.url + look


def test_on_a_phone_a_tap_shows_the_moment_and_a_link_leads_on(
    browser: Browser, server: Server, played: dict[str, Any]
) -> None:
    with a_person(browser, server.url, PHONE, "de") as person:
        look_at(person, played, f"/match/{played['match']}/review")
        chart = person.the("chart")
        expect(chart).to_be_visible(timeout=PATIENCE)
        chart.tap()
        look = person.the("chart-look")
        expect(look).to_have_text(DE.say("table.review_look"))
        assert person.page.url.endswith("/review")
        address = str(look.get_attribute("href"))
        look.tap()
        person.sees("replay")
        assert person.page.url == server.url + address


def test_the_review_of_quo_vadis_has_the_promises(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url, language="de") as person:
        person.become("Julia")
        match = person.new_match("quovadis", "me greedy greedy", options={"start_seat": "0", "stall_rounds": "3"})
        person.act(match, "offer", seat=0, terms=["+A", "promise 0 1 support"])
        mine = {"seat": 0, "status": "open"}  # the bot's yes moves for seat 0, which must not move meanwhile
        while any(
            mine.items() <= offer.items() for offer in person.ask("GET", f"/api/matches/{match}")["desk"]["offers"]
        ):
            time.sleep(0.02)
        person.play_on(match, 0, lambda _: False)
        person.goto(f"/match/{match}/review")
        expect(person.the("chart")).to_be_visible(timeout=PATIENCE)
        expect(person.the("balance").locator("thead th")).to_have_count(3)
        expect(person.the("ledger")).to_contain_text(DE.say("quovadis.ledger"))
