"""How many clicks a deal takes, prices of consents, and the choice among several yeses, on phones and desktops."""

import re

import pytest
from playwright.sync_api import Browser, expect

from browser import DESKTOP, PHONE, Person, a_person
from live_server import Server
from quovadis_three import Three, press
from rostra.words import words

pytestmark = pytest.mark.slow

SCREENS = pytest.mark.parametrize(
    ("size", "language"), [(size, language) for size in (PHONE, DESKTOP) for language in ("en", "de")],
    ids=["phone-en", "phone-de", "desktop-en", "desktop-de"],
)  # fmt: skip
MORE = ("+A", "+B", "+B")
"""After these B is full: one senator of seat 0, two of each of the others, so that there are sets to choose from."""


def say(key: str, language: str = "en", **parameters: object) -> str:
    return words(language).say(f"quovadis.{key}", **parameters)


class Clicks:
    """Counts what a person clicks or taps."""

    def __init__(self, person: Person) -> None:
        self.person = person
        person.page.evaluate("addEventListener('click', event => event.isTrusted && (window.clicks += 1), true)")
        self.begin()

    def begin(self) -> None:
        self.person.page.evaluate("window.clicks = 0")

    def are(self, number: int) -> None:
        assert self.person.page.evaluate("window.clicks") == number


def on_the_table(table: Three, number: int) -> None:
    """So many offers were made, and the page shows the last; then it is off the table."""
    table.person.sees(f"offer-{number - 1}")
    assert len(table.offers()) == number
    if table.offers()[-1]["seat"] == 0:
        table.act(0, "withdraw", offer=number - 1)
    if table.person.the("unpick").count():
        table.person.click("unpick")


@SCREENS
def test_the_table_of_clicks(browser: Browser, server: Server, size: dict[str, int], language: str) -> None:
    """`docs/quovadis-table.md` has the table."""
    with a_person(browser, server.url, size=size, language=language) as ada:
        table = Three(ada, more=MORE)
        worth = table.view()["laurels"]["B>I"][0]
        clicks = Clicks(ada)

        press(ada, "path-B>I")  # to ask
        ada.click("ask-B>I(1,1)")
        ada.sees("offer-0")
        clicks.are(2)
        on_the_table(table, 1)

        clicks.begin()
        press(ada, "path-B>I")  # with a laurel
        ada.click(f"each-{worth}")
        ada.click("ask-B>I(1,1)")
        ada.sees("offer-1")
        clicks.are(3)
        assert table.offers()[1]["terms"] == ["B>I(1,1)", f"give 0 1 {worth}"]
        on_the_table(table, 2)

        clicks.begin()
        press(ada, "path-B>I")  # with a promise
        ada.click("each-support")
        ada.click("ask-B>I(1,2)")
        ada.sees("offer-2")
        clicks.are(3)
        assert table.offers()[2]["terms"][1:] == ["promise 0 1 support", "promise 0 2 support"]
        on_the_table(table, 3)

        table.act(1, "offer", terms=["B>I(1,1)"])  # to counter
        ada.sees("chips")
        clicks.begin()
        ada.click("chip-1")
        ada.sees("offer-4")
        clicks.are(1)
        assert table.offers()[4]["terms"] == ["B>I(1,1)", "give 1 0 1"]
        table.act(0, "answer", offer=3, yes=False)
        table.act(0, "withdraw", offer=4)
        expect(ada.the("accept")).to_have_count(0)

        clicks.begin()
        press(ada, "path-B>I")  # to ask for prices
        expect(ada.the("ask-prices")).to_have_text(say("ask_prices", language, n=2))
        ada.click("ask-prices")
        expect(ada.the("seller-2.1")).to_be_visible()
        clicks.are(2)
        table.act(1, "name-price", price=int(worth), about="B>I")
        table.act(2, "name-price", price=0, about="B>I")
        clicks.begin()
        take = ada.the("take-prices")  # and to take the cheapest
        expect(take).to_have_text(say("take_free", language, names="Clara (×2)"))
        take.click()
        expect(take).to_have_count(0)
        clicks.are(1)
        assert table.view()["committees"]["I"]["senators"] == [0]


@SCREENS
def test_prices_stand_on_the_senators_and_a_set_is_tapped(
    browser: Browser, server: Server, size: dict[str, int], language: str
) -> None:
    with a_person(browser, server.url, size=size, language=language) as ada:
        table = Three(ada, more=MORE)
        worth = int(table.view()["laurels"]["B>I"][0])
        table.act(1, "name-price", price=worth, stands=True)  # before anybody asks
        expect(ada.the("tag-B-1.0")).to_have_attribute("aria-label", say("price_of", language, name="Berta", n=worth))
        press(ada, "path-B>I")
        ada.click("ask-prices")
        expect(ada.the("seller-2.0")).to_have_attribute("aria-label", say("considers", language, name="Clara"))
        table.act(2, "name-price", price=None, about="B>I")
        expect(ada.the("seller-2.0")).to_have_attribute("aria-label", say("price_none", language, name="Clara"))
        expect(ada.the("seller-2.0")).to_be_disabled()
        both = say("take_prices", language, names="Berta (×2)", n=2 * worth)
        expect(ada.the("take-prices")).to_have_text(both)
        ada.click("take-prices")  # it cannot be paid: only Ada learns that
        expect(ada.page.get_by_text(words(language).say("app.refused_cannot_pay"))).to_be_visible()
        assert table.offers() == []

        table.act(2, "name-price", price=0, about="B>I")
        expect(ada.the("take-prices")).to_have_text(say("take_free", language, names="Clara (×2)"))
        ada.the("tag-B-1.1").click()  # on the board
        ada.the("seller-2.1").focus()  # and by keyboard
        ada.page.keyboard.press("Enter")
        expect(ada.the("take-prices")).to_have_count(0)  # one is too few
        ada.page.keyboard.press("Enter")
        expect(ada.the("tag-B-1.1")).to_have_attribute("aria-pressed", "true")
        expect(ada.the("tag-B-2.1")).to_have_attribute("aria-pressed", "true")
        expect(ada.the("take-prices")).to_have_text(
            re.compile(re.escape(say("take_prices", language, names="", n=worth)[-12:]))
        )
        ada.the("take-prices").focus()
        ada.page.keyboard.press("Enter")
        expect(ada.the("take-prices")).to_have_count(0)
        view = table.view()
        assert view["committees"]["I"]["senators"] == [0]
        assert view["committees"]["B"]["senators"].count(0) == 0
        if view["phase"] == "place-caesar":
            table.play(0, "-")
        table.play(1, "+D")  # it still stands
        assert [one["price"] for one in ada.ask("GET", f"/api/matches/{table.match}")["desk"]["prices"]] == [worth]
        if size == PHONE:
            assert ada.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@SCREENS
def test_who_is_asked_names_a_price_in_one_tap_and_may_let_it_stand(
    browser: Browser, server: Server, size: dict[str, int], language: str
) -> None:
    with a_person(browser, server.url, size=size, language=language) as ada:
        table = Three(ada, more=(*MORE, "A>E"))
        clicks = Clicks(ada)
        table.act(1, "ask-prices", about="B>I")
        asked = say("price_asked", language, name="Berta")
        expect(ada.the("price-ask")).to_contain_text(asked)
        expect(ada.the("turn").first).to_contain_text(words(language).say("table.turn_price", name="Berta"))
        ada.the("price-ask").get_by_test_id("price-2").click()
        expect(ada.the("price-ask")).to_have_count(0)
        clicks.are(1)
        expect(ada.the("tag-B-0.0")).to_have_attribute("aria-label", say("price_of", language, name="Ada", n=2))
        expect(ada.the("my-price")).to_contain_text("2")

        mine = ada.the("my-prices")
        mine.locator("summary").click()
        mine.get_by_test_id("price-stands").check()
        mine.get_by_test_id("price-4").click()
        expect(mine.get_by_test_id("price-withdraw")).to_have_count(2)
        mine.scroll_into_view_if_needed()
        table.play(1, "+D")
        expect(mine.get_by_test_id("price-withdraw")).to_have_count(1)  # the other was for that turn
        ada.page.reload()
        expect(ada.the("my-price")).to_contain_text("4")
        table.act(2, "ask-prices", about="B>I")
        expect(ada.the("tag-B-0.0")).to_be_visible()
        expect(ada.the("price-ask")).to_have_count(0)  # the standing price has answered
        mine.locator("summary").click()
        mine.get_by_test_id("price-withdraw").click()
        expect(ada.the("price-ask")).to_be_visible()
        ada.the("price-ask").get_by_test_id("price-never").click()
        expect(ada.the("price-ask")).to_have_count(0)
        prices = ada.ask("GET", f"/api/matches/{table.match}")["desk"]["prices"]
        assert [one["price"] for one in prices if one["about"] == "B>I"] == [None]


@SCREENS
def test_the_mover_chooses_among_several_who_say_yes(
    browser: Browser, server: Server, size: dict[str, int], language: str
) -> None:
    """R8"""
    with a_person(browser, server.url, size=size, language=language) as ada:
        table = Three(ada, more=MORE)
        press(ada, "path-B>I")
        ada.click("ask-B>I(1,1)")
        ada.click("ask-B>I(2,2)")
        ada.sees("offer-1")
        ply = table.where()["ply"]
        for seat in (1, 2):
            table.act(seat, "answer", offer=seat - 1, yes=True)
        expect(ada.the("choose")).to_have_count(2)
        for offer in (0, 1):
            expect(ada.the(f"offer-{offer}").get_by_test_id("offer-status")).to_have_text(say("offer_yours", language))
        assert table.where()["ply"] == ply
        expect(ada.the("choose").first).to_be_in_viewport()
        ada.the("offer-1").get_by_test_id("choose").click()
        expect(ada.the("choose")).to_have_count(0)
        log = ada.ask("GET", f"/api/matches/{table.match}")["log"]["lines"]
        assert [one["move"] for one in log if one["ply"] == ply] == ["B>I(2,2)"]
