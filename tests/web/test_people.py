"""People in a browser: devices and codes, seats that change hands, profiles, friends, blocks, reports."""

import pytest
from playwright.sync_api import Browser, expect

from browser import PHONE, a_person
from live_server import Server
from rostra.words import words

pytestmark = pytest.mark.slow  # whole browsers

EN, DE = words("en"), words("de")
SOON = 30_000


def test_a_code_signs_another_device_in_and_it_is_signed_out_again(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as first, a_person(browser, server.url, PHONE, "de") as second:
        first.become("Julia")
        first.goto("/me")
        first.click("make-code")
        code = first.the("sign-in-code").locator("strong").inner_text()
        second.goto("/me")
        second.the("code").fill(code.lower())
        second.click("use-code")
        expect(second.the("my-name")).to_have_text("Julia", timeout=SOON)
        expect(second.the("device")).to_have_count(2, timeout=SOON)
        expect(second.the("devices")).to_contain_text(DE.say("lobby.device_this"))
        first.page.reload()
        expect(first.the("device")).to_have_count(2, timeout=SOON)
        old = first.token()
        first.click("renew")
        expect(first.page.get_by_text(EN.say("lobby.device_renewed"))).to_be_visible(timeout=SOON)
        assert first.token() != old
        second.excused = "401"  # the browser reports such answers
        first.the("revoke").click()
        expect(first.the("device")).to_have_count(1, timeout=SOON)
        second.page.reload()
        expect(second.page.get_by_text(DE.say("app.refused_unknown")).first).to_be_visible(timeout=SOON)


def test_friends_by_link_profile_block_and_report(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as julia, a_person(browser, server.url, PHONE) as marcus:
        julia.become("Julia")
        marcus.become("Marcus")
        match = julia.new_match("alea", "me open", options={"start_seat": "0"})
        marcus.act(match, "sit", seat=1, name="Marcus")
        marcus.act(match, "resign", seat=1)
        julia.goto("/me")
        julia.click("make-friend")
        marcus.page.goto(julia.the("friend-link").input_value())
        expect(marcus.the("friend")).to_contain_text("Julia", timeout=SOON)
        marcus.the("friend").get_by_role("link").click()
        expect(marcus.the("versus")).to_contain_text("1", timeout=SOON)
        expect(marcus.the("skill")).to_have_count(1)
        expect(marcus.the("past")).to_contain_text("Marcus")
        julia.goto(f"/match/{match}")
        julia.click("tab-players")
        julia.click("person-1")
        julia.the("report-reason").select_option("stalling")
        julia.click("report")
        expect(julia.page.get_by_text(EN.say("people.reported"))).to_be_visible(timeout=SOON)
        julia.click("person-1")
        julia.click("block")
        julia.goto("/me")
        expect(julia.the("blocked")).to_contain_text("Marcus", timeout=SOON)
        expect(julia.the("friend")).to_have_count(0)


def test_a_person_takes_the_seat_of_a_bot_when_all_agree(browser: Browser, server: Server) -> None:
    with (
        a_person(browser, server.url) as julia,
        a_person(browser, server.url, PHONE) as marcus,
        a_person(browser, server.url) as livia,
    ):
        for person, name in ((julia, "Julia"), (marcus, "Marcus"), (livia, "Livia")):
            person.become(name)
        match = julia.new_match("alea", "me open greedy", options={"start_seat": "0"})
        marcus.act(match, "sit", seat=1, name="Marcus")
        for person in (julia, marcus):
            person.goto(f"/match/{match}")
        julia.click("tab-players")
        julia.click("link-2")
        expect(julia.the("seat-ask")).to_be_visible(timeout=SOON)
        address = julia.the("link-address").input_value()
        marcus.click("seat-yes")
        expect(julia.the("seat-ask")).to_have_count(0, timeout=SOON)
        livia.page.goto(address)
        livia.the("sit-name").fill("Livia")
        livia.click("sit-down")
        expect(julia.the("handed")).to_contain_text("Livia", timeout=SOON)
