"""The guided first games in a browser, played to the end by doing what they ask for."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from browser import PHONE, Person, a_person
from live_server import Server
from rostra.words import words

pytestmark = pytest.mark.slow  # whole browsers

EN, DE = words("en"), words("de")
SOON = 30_000
"""Milliseconds in which everything that is to be seen is seen, also on a busy machine."""


def pick_dice(person: Person, faces: str) -> None:
    """Click dice of the roll that show this."""
    shown = [str(die.get_attribute("aria-label"))[-1] for die in person.page.locator("[data-test^=die-]").all()]
    for face in faces:
        person.click(f"die-{shown.index(face)}")
        shown[shown.index(face)] = "taken"


def place(person: Person, dice: str, letter: str) -> None:
    pick_dice(person, dice)
    person.click(f"place-{letter}")
    person.click("confirm")


def reroll(person: Person, dice: str) -> None:
    pick_dice(person, dice)
    person.click("reroll")


def take(person: Person, what: str) -> None:
    person.click(what)
    person.click("confirm")


def walk(person: Person, *tasks: Callable[[], None]) -> None:
    """Read on, and do the tasks in their order, up to the end."""
    todo = list(tasks)
    while True:
        person.page.locator("[data-test=lesson-next], [data-test=lesson-task], [data-test=lesson-play]").wait_for()
        if person.the("lesson-play").count():
            break
        told = person.the("lesson-text").all_inner_texts()
        if person.the("lesson-task").count():
            todo.pop(0)()
        else:
            person.click("lesson-next")
        expect(person.the("lesson-text")).not_to_have_text(told, timeout=SOON)
    assert not todo


def says(person: Person, *texts: str) -> None:
    expect(person.the("lesson-text")).to_have_text(list(texts), timeout=SOON)


@pytest.mark.slow
def test_the_lesson_of_alea_is_done_by_clicking_what_it_asks_for(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url, PHONE, "de") as person:
        person.goto("/")
        person.click("learn-alea")
        says(person, DE.say("lesson.alea_welcome"), DE.say("lesson.alea_table"))
        walk(
            person,
            lambda: place(person, "345", "S"),
            lambda: place(person, "66", "C"),
            lambda: place(person, "14", "F"),
            lambda: place(person, "2", "S"),
            lambda: take(person, "choice-V"),
            lambda: take(person, "tile-R2"),
            lambda: take(person, "choice-Rw2"),
            lambda: reroll(person, "2235"),
            lambda: place(person, "6666", "C"),
        )
        says(person, DE.say("lesson.alea_end"))
        expect(person.the("own-cards")).to_contain_text(DE.say("alea.card_V"))
        person.click("lesson-play")
        person.sees("table")


def test_another_move_than_the_lesson_wants_is_answered_by_a_hint(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.goto("/learn/alea")
        person.click("lesson-next")
        hint = EN.say("lesson.alea_first_roll")
        says(person, hint)
        place(person, "12", "S")
        expect(person.page.get_by_text(EN.say("lesson.not_this", hint=hint))).to_be_visible()
        says(person, hint)
        expect(person.page.locator("[data-test^=die-]")).to_have_count(8)
        expect(person.the("building-S")).to_contain_text(EN.say("alea.nobody_here"))
        place(person, "345", "S")  # and the wanted one still works
        says(person, EN.say("lesson.alea_rest"))


def offer_a_promise(person: Person) -> None:
    """Go from D to G with Claudia's consent, and promise to support her next time."""
    person.page.get_by_test_id("path-D>G").click()
    person.click("open-desk")
    person.click("add-promise")
    person.page.get_by_test_id("composer-promise").get_by_text(EN.say("quovadis.promise_support")).click()
    person.click("offer")


@pytest.mark.slow
def test_in_the_lesson_of_quo_vadis_a_promise_is_made_and_kept(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:

        def enter(room: str) -> None:
            person.click(f"room-{room}")
            person.click("do")

        def move(path: str) -> None:
            person.click(f"path-{path}")
            person.click("do")

        def bargain() -> None:
            expect(person.the("ledger")).to_contain_text(EN.say("quovadis.no_promises"))
            offer_a_promise(person)
            expect(person.the("pledge-open")).to_contain_text("Julia")

        def accept() -> None:
            person.click("accept")
            expect(person.the("pledge-kept")).to_contain_text("Julia", timeout=SOON)
            expect(person.the("pledge-open")).to_have_count(0)

        person.goto("/learn/quovadis")
        says(person, EN.say("lesson.quovadis_welcome"), EN.say("lesson.quovadis_enter"))
        walk(person, lambda: enter("A"), lambda: move("A>E"), lambda: enter("D"), bargain, accept, lambda: move("E>I"))
        says(person, EN.say("lesson.quovadis_end"))
        expect(person.the("pledge-kept")).to_have_count(1)
