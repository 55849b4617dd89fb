"""The stage of Quo Vadis?: the board stays on the screen, committees have names, nothing moves without a cause."""

import re

import pytest
from playwright.sync_api import Browser, expect

from browser import DESKTOP, PHONE, Person, a_person
from live_server import Server
from quovadis_three import Three
from rostra.words import words

pytestmark = pytest.mark.slow

PATIENCE = 30_000
SIZES = {
    "small-phone": {"width": 360, "height": 800}, "phone": PHONE, "laptop": {"width": 1366, "height": 768},
    "desktop": DESKTOP, "huge": {"width": 2560, "height": 1440},
}  # fmt: skip
LONG = "Maximiliana-Konstantinia"  # 24 characters
ACTION = "B>I(1,2)"


def say(key: str, language: str = "en", **parameters: object) -> str:
    return words(language).say(f"quovadis.{key}", **parameters)


def places(person: Person, *parts: str) -> list[dict[str, float]]:
    """Where these parts are in the window."""
    return [dict(person.the(part).bounding_box() or {}) for part in parts]


def in_view(person: Person, *parts: str) -> None:
    """Once all has come to rest, these parts of the board are inside the stage, and the page has not scrolled."""
    before, now = None, places(person, "stage", *parts)
    while now != before:
        person.page.wait_for_timeout(400)
        before, now = now, places(person, "stage", *parts)
    assert person.page.evaluate("scrollY") == 0
    size = person.page.viewport_size
    assert size is not None
    frame, *boxes = now
    assert frame["y"] >= 0 and frame["y"] + frame["height"] <= size["height"] + 1
    for part, box in zip(parts, boxes, strict=True):
        assert box["x"] >= -1 and box["x"] + box["width"] <= size["width"] + 1, part
        assert box["y"] >= frame["y"] - 1 and box["y"] + box["height"] <= frame["y"] + frame["height"] + 1, part


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_board_stays_on_the_screen_while_bargaining(
    browser: Browser, server: Server, size: dict[str, int], language: str
) -> None:
    with a_person(browser, server.url, size=size, language=language) as ada:
        table = Three(ada)
        all_of_it = size["width"] > 600
        parts = ("hill",) if all_of_it else ("room-B", "room-I")
        in_view(ada, "hill" if all_of_it else "room-B")
        ada.the("room-B").click()
        ada.the("way-B>I").click()
        in_view(ada, *parts)
        ada.click("open-desk")
        ada.the("desk").get_by_test_id("net-2").wait_for()
        in_view(ada, *parts)
        ada.click("add-promise")
        ada.sees("composer-promise")
        in_view(ada, *parts)
        ada.click("desk-clear")
        table.act(1, "offer", epoch=0, plies=table.where()["ply"], terms=[ACTION, "promise 1 0 support"])
        ada.sees("accept")
        in_view(ada, *parts)
        ada.click("counter")
        ada.the("desk").get_by_test_id("net-2").wait_for()
        in_view(ada, *parts)
        assert ada.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("language", ["en", "de"])
def test_on_a_phone_the_sheet_gives_way_to_the_board(browser: Browser, server: Server, language: str) -> None:
    with a_person(browser, server.url, size=PHONE, language=language) as ada:
        Three(ada)
        expect(ada.the("fold-bar")).to_have_count(0)
        ada.the("room-B").click()
        ada.the("way-B>I").click()
        ada.click("open-desk")
        ada.sees("fold-bar")
        expect(ada.the("fold-bar")).to_contain_text(say("hall_i", language))
        ada.click("fold")
        expect(ada.the("sheet")).to_be_hidden()
        in_view(ada, "hill")  # all of it, to choose from
        ada.click("fold")
        expect(ada.the("desk")).to_be_visible()
        # A touch of the hill beside its committees does the same; a choice brings the sheet back.
        ada.the("stage").click(position={"x": 3, "y": 120})
        expect(ada.the("sheet")).to_be_hidden()
        ada.the("room-D").click()
        expect(ada.the("do")).to_be_visible()
        in_view(ada, "room-D")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_committees_have_names_and_players_no_letters(
    browser: Browser, server: Server, size: dict[str, int], language: str
) -> None:
    with a_person(browser, server.url, size=size, language=language) as ada:
        Three(ada)
        halls = [say(f"hall_{letter}", language) for letter in "abcdefghijklmn"]
        assert ada.the("hill").locator(".name").all_text_contents() == halls
        for hall, letter in zip(halls, "ABCDEFGHIJKLMN", strict=True):
            assert hall in str(ada.the(f"room-{letter}").get_attribute("aria-label"))
        fits = """all => all.every(one => one.getBBox().width
          <= one.closest(".room").querySelector(".floor").getBBox().width + 4)"""
        assert ada.the("hill").locator(".name").evaluate_all(fits)
        expect(ada.page.locator(".badge .letter")).to_have_count(0)
        assert ada.page.locator(".badge .portrait").count() >= 3
        if size == PHONE:
            ada.click("open-log")
        enters = say("enters", language, room=say("hall_b", language))
        expect(ada.the("log").get_by_text(enters).first).to_be_visible()
        # No letter of a committee is left in the words of the page.
        assert not re.search(r"(?<![\w’])[A-N](?![\w’.])", ada.the("quovadis").inner_text())
        assert not re.search(r"(?<![\w’])[A-N](?![\w’.])", ada.the("log").inner_text())


@pytest.mark.parametrize("language", ["en", "de"])
def test_long_names_fit_a_small_phone(browser: Browser, server: Server, language: str) -> None:
    with a_person(browser, server.url, size=SIZES["small-phone"], language=language) as ada:
        table = Three(ada, tuple(f"{LONG[:-1]}{seat}" for seat in range(3)))
        ada.the("room-B").click()
        ada.the("way-B>I").click()
        ada.click("open-desk")
        ada.the("desk").get_by_test_id("net-2").wait_for()
        table.act(1, "offer", epoch=0, plies=table.where()["ply"], terms=[ACTION, "promise 1 0 support"])
        ada.sees("accept")
        wide = """part => [...part.querySelectorAll("*")].filter((one) => !one.ownerSVGElement
          && !one.closest(".hidden-text")
          && one.getBoundingClientRect().width && one.getBoundingClientRect().right > innerWidth + 1
          && !one.closest(".waiting.many")).map((one) => one.className + one.textContent.slice(0, 40))"""
        assert ada.the("table").evaluate(wide) == []
        assert ada.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_q_neg_7_a_promise_in_own_words_is_made_and_judged(
    browser: Browser, server: Server, size: dict[str, int], language: str
) -> None:
    with a_person(browser, server.url, size=size, language=language) as ada:
        table = Three(ada)
        ada.the("desk-action").select_option("bargain")
        ada.click("add-words")
        ada.the("composer-words").get_by_test_id("from-1").click()
        ada.the("words-text").fill("I leave the north to you")
        ada.the("composer-words").get_by_test_id("add-term").click()
        promise = say("words_promise", language, maker="Berta", receiver="Ada", text="I leave the north to you")
        expect(ada.the("desk").get_by_test_id("own-words")).to_contain_text(promise)
        ada.click("offer")
        offer = ada.the("offer-0")
        expect(offer.get_by_test_id("own-words")).to_contain_text(promise)
        table.act(1, "answer", offer=0, yes=True)
        expect(ada.the("words-open")).to_contain_text(promise)
        ada.the("ledger").get_by_test_id("judge-broken").click()
        verdict = say("words_judged", language, name="Ada", fate=say("fate_broken", language))
        expect(ada.the("words-broken")).to_contain_text(verdict)
        assert ada.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def may_place_caesar(table: Three) -> bool:
    """Play until seat 0 may place Caesar after a 2 with his picture, or the game is over: all move up, all agree."""
    while True:
        seen = table.seen(0)
        seat, view = seen["play"]["turn"], seen["play"]["view"]
        if seat is None or (view["phase"] == "place-caesar" and seat == 0):
            return seat is not None
        play = table.seen(seat)["play"]
        if view["phase"] == "act" and play["asks"]:
            table.act(seat, "offer", terms=[play["asks"][-1]])
            offer = table.seen(0)["desk"]["offers"][-1]
            for party in set(offer["parties"]) - {seat}:
                table.act(party, "answer", offer=offer["offer"], yes=True)
        else:
            ups = [move for move in play["legal"] if ">" in move and "@" not in move]
            enters = [move for move in play["legal"] if move.startswith("+")]
            table.play(seat, (ups or enters or play["legal"])[-1])


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_q_neg_6_the_desk_is_open_while_caesar_is_to_be_placed(
    browser: Browser, server: Server, size: dict[str, int]
) -> None:
    with a_person(browser, server.url, size=size) as ada:
        table = Three(ada)
        while not may_place_caesar(table):  # nine games in ten have such a laurel
            table = Three(ada)
        place = "N>S" if table.view()["caesar"] == "M>S" else "M>S"
        ada.the("desk-action").select_option(f"@{place}")
        ada.click("add-promise")
        ada.the("composer-promise").get_by_test_id("to-1").click()
        ada.the("composer-promise").get_by_test_id("add-term").first.click()
        ada.click("offer")
        ada.sees("withdraw")
        table.act(1, "answer", offer=table.seen(0)["desk"]["offers"][-1]["offer"], yes=True)
        expect(ada.the("withdraw")).to_have_count(0)
        assert table.view()["caesar"] == place


WATCH = """() => {
  window.played = [];
  new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((one) => {
    if (one.querySelectorAll) [one, ...one.querySelectorAll("*")].forEach((part) =>
      part.dataset?.test?.startsWith("motion-") && window.played.push(part.dataset.test));
  }))).observe(document.body, { childList: true, subtree: true });
}"""


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_what_happens_is_played_once_and_not_for_who_wants_no_motion(
    browser: Browser, server: Server, size: dict[str, int], motion: str
) -> None:
    with a_person(browser, server.url, size=size, reduced_motion=motion) as ada:
        table = Three(ada)
        ada.page.evaluate(WATCH)
        value = table.view()["laurels"]["B>I"][0]
        table.deal([ACTION, f"give 0 1 {value}"])
        expect(ada.the("room-I")).to_have_attribute("aria-label", re.compile("Ada"))
        moving = "() => document.getAnimations().every((one) => one.playState !== 'running')"
        ada.page.wait_for_function(moving)  # nothing moves while nothing happens
        expect(ada.the("motion")).to_have_count(0)
        played = sorted(ada.page.evaluate("window.played"))
        calm = motion == "reduce"
        assert played == ([] if calm else ["motion-deal", "motion-laurel", "motion-laurel", "motion-walk"])
