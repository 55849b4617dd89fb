"""Who is there, nudges, phrases, whispers and the unread badge, on phones and desktops in both languages."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, expect

from browser import DESKTOP, PHONE, Person, a_person
from live_server import Server
from rostra.words import words

pytestmark = pytest.mark.slow

SCREENS = pytest.mark.parametrize(
    ("size", "language"), [(size, language) for size in (PHONE, DESKTOP) for language in ("en", "de")],
    ids=["phone-en", "phone-de", "desktop-en", "desktop-de"],
)  # fmt: skip
NAMES = ("Julia", "Marcus", "Claudia")


@contextmanager
def three(browser: Browser, url: str, size: dict[str, int], language: str) -> Iterator[tuple[list[Person], int]]:
    """Three people at a table of Quo Vadis?; the second reads English; and the seat that begins."""
    languages = (language, "en", language)
    with (
        a_person(browser, url, size, languages[0]) as one,
        a_person(browser, url, size, languages[1]) as two,
        a_person(browser, url, size, languages[2]) as three_,
    ):
        people = [one, two, three_]
        for person, name in zip(people, NAMES, strict=True):
            person.become(name)
        match = one.new_match("quovadis", "me open open", sit=False, settings={"whisper": True})
        for seat, person in enumerate(people):
            person.act(match, "sit", seat=seat, name=NAMES[seat])
        for person in people:
            person.goto(f"/match/{match}")
            person.sees("table")
        turn = one.ask("GET", f"/api/matches/{match}?seat=0")["play"]["turn"]
        yield people, turn


def open_tab(person: Person, size: dict[str, int], which: str) -> None:
    person.click(f"tab-{which}" if size is DESKTOP else f"open-{which}")


@SCREENS
def test_presence_nudge_phrase_and_whisper(
    browser: Browser, server: Server, size: dict[str, int], language: str
) -> None:
    say = words(language).say
    with three(browser, server.url, size, language) as (people, turn):
        awaited = people[turn]
        seat = 0 if turn != 0 else 2  # who looks, in the language of this test
        other = 3 - seat - turn
        me, third = people[seat], people[other]
        spoken = words("en" if turn == 1 else language).say

        # A nudge: one tap; only the awaited person notices; the second is refused.
        expect(awaited.the("nudge")).to_have_count(0)
        me.click("nudge")
        expect(me.page.get_by_text(say("table.nudge_done", name=NAMES[turn]))).to_be_visible()
        told = spoken("table.nudged_by", name=NAMES[seat])
        expect(awaited.page.get_by_text(told)).to_be_visible()
        expect(third.page.get_by_text(re.compile("nudges you|stupst dich an"))).to_have_count(0)
        me.click("nudge")
        expect(me.page.get_by_text(say("app.refused_nudged"))).to_be_visible()

        # A phrase: two taps, and everybody reads it in their own language.
        open_tab(me, size, "chat")
        me.click("phrase-too-little")
        expect(me.the("chat-line")).to_contain_text(say("table.phrase_too_little"))
        open_tab(awaited, size, "chat")
        expect(awaited.the("chat-line")).to_contain_text(spoken("table.phrase_too_little"))

        # A whisper: the third sees that, but not what.
        me.the("whisper-to").select_option(str(turn))
        me.the("chat-text").fill("psst, ad Caesarem")
        me.click("chat-send")
        expect(awaited.the("chat-line").last).to_contain_text("psst, ad Caesarem")
        open_tab(third, size, "chat")
        theirs = words("en" if other == 1 else language).say
        expect(third.the("chat-line").last).to_contain_text(theirs("table.whisper_head", name=NAMES[turn]))
        expect(third.the("chat-line").last).to_contain_text(theirs("table.whisper_secret"))
        assert "psst" not in third.page.content()

        # Presence: everybody is online; a closed tab is offline within seconds, in the panel and in the strip.
        if size is PHONE:
            me.click("panel-close")
        open_tab(me, size, "players")
        there = me.the("players").get_by_test_id("here")
        expect(there).to_have_text([say("table.here_online")] * 2)
        awaited.page.close()
        expect(me.the("players")).to_contain_text(say("table.on_turn_offline"), timeout=8000)
        expect(there.and_(me.page.locator("[data-here=offline]"))).to_have_text(say("table.here_offline"))
        expect(me.the("turn").first).to_contain_text(say("table.turn_person_offline", name=NAMES[turn]))
        if size is PHONE:
            me.click("panel-close")
        open_tab(me, size, "chat")


def test_a_tab_that_is_not_looked_at_is_away(browser: Browser, server: Server) -> None:
    with three(browser, server.url, DESKTOP, "en") as (people, turn):
        me = people[(turn + 1) % 3]
        say = words("en").say
        hide = (
            "on => { Object.defineProperty(document, 'hidden', {value: on, configurable: true});"
            "document.dispatchEvent(new Event('visibilitychange')); }"
        )
        people[turn].page.evaluate(hide, True)
        expect(me.the("turn").first).to_contain_text(say("table.turn_person_away", name=NAMES[turn]), timeout=10_000)
        people[turn].page.evaluate(hide, False)
        expect(me.the("turn").first).to_have_text(re.compile(say("table.turn_person", name=NAMES[turn]) + r"\s*$"))


@SCREENS
def test_the_unread_badge_survives_a_reload(
    browser: Browser, server: Server, size: dict[str, int], language: str
) -> None:
    with three(browser, server.url, size, language) as (people, _):
        julia, marcus, _ = people
        for text in ("one", "two"):
            marcus.act(marcus.match, "say", seat=1, text=text)
        expect(julia.the("unread")).to_contain_text("2")
        julia.page.reload()
        expect(julia.the("unread")).to_contain_text("2")
        open_tab(julia, size, "chat")
        expect(julia.the("unread")).to_have_count(0)
        julia.page.reload()
        julia.sees("tab-chat" if size is DESKTOP else "open-chat")
        expect(julia.the("unread")).to_have_count(0)
