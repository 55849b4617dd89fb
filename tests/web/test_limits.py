"""The page at the limits of a server: it sends again what was too early, and loads what it was not sent."""

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from browser import Person, a_person
from live_server import Server, new_database
from rostra.words import words

pytestmark = pytest.mark.slow

PATIENCE = 30_000


def a_match(me: Person) -> str:
    """A match with somebody else, as nobody talks alone."""
    match = me.new_match("alea", "me open")
    other = httpx.post(me.url + "/api/people", json={"name": "Berta"}).json()
    sit = {"type": "sit", "id": "sit", "match": match, "seat": 1, "name": "Berta"}
    headers = {"authorization": f"Bearer {other['token']}"}
    assert httpx.post(f"{me.url}/api/matches/{match}/commands", json=sit, headers=headers).is_success
    return match


def test_what_was_refused_for_now_is_sent_again(browser: Browser, tmp_path: Path) -> None:
    """S10: a button that waits for an answer gets one."""
    server = Server(new_database("sqlite", tmp_path, ""), "--rate", "4").start()
    try:
        with a_person(browser, server.url) as me:
            me.excused = "429"  # the browser reports such answers
            me.become("Julia")
            match = a_match(me)
            me.goto(f"/match/{match}")
            me.click("tab-chat")
            for _ in range(30):
                me.click("phrase-deal")  # waits until the one before was sent
            expect(me.the("chat-line")).to_have_count(30, timeout=PATIENCE)
            expect(me.page.get_by_text(words("en").say("app.refused_slow_down"))).to_have_count(0)
            assert 'rostra_refusals_total{code="slow-down"}' in httpx.get(f"{server.private}/metrics").text
    finally:
        server.kill()


def test_earlier_chat_is_loaded_on_demand(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as me:
        me.become("Julia")
        match = a_match(me)
        for n in range(70):
            me.act(match, "say", seat=0, text=f"line {n}")
        me.goto(f"/match/{match}")
        me.click("tab-chat")
        expect(me.the("chat-line")).to_have_count(50, timeout=PATIENCE)
        me.click("chat-earlier")
        expect(me.the("chat-line")).to_have_count(70, timeout=PATIENCE)
        expect(me.the("chat-line").first).to_contain_text("line 0")
        expect(me.the("chat-earlier")).to_have_count(0)
