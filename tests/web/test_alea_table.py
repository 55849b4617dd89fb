"""Alea Iacta Est in a browser: matches by mouse and by keyboard, and the preview of a move before it counts.

Bots move at once. So if a test compares the table before and after a move, a second person sits in the other seat and
waits.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from browser import PHONE, Person, a_person
from live_server import Server
from rostra.words import Words, words

pytestmark = pytest.mark.slow

Seen = dict[str, Any]
EN, DE = words("en"), words("de")
SOON = 30_000
"""Milliseconds in which everything that is to be seen is seen, also on a busy machine."""
HOUSES = {"S": "senatus", "C": "castrum", "F": "forum"}
TO_DECIDE = "[data-light], [data-test=chooser], [data-test=ending]"
"""What is there when something can be decided, or when nothing is left to decide."""


def ply(person: Person) -> str:
    return str(person.the("table").get_attribute("data-ply"))


def wait_for_next_ply(person: Person, before: str) -> None:
    expect(person.the("table")).not_to_have_attribute("data-ply", before, timeout=SOON)


def decide(person: Person) -> bool:
    """Click through one decision, always the first possibility; False when the match is over."""
    person.page.locator(TO_DECIDE).first.wait_for(timeout=SOON)
    if person.the("ending").count():
        return False
    before = ply(person)
    if person.the("chooser").count():
        person.the("chooser").locator("[data-test^=choice-]").first.click()
    else:
        person.page.locator("[data-light]").first.click()
        person.the("options").get_by_role("button").first.click()
    person.click("confirm")
    wait_for_next_ply(person, before)
    return True


def check_the_end(person: Person, match: str, names: list[str], say: Words) -> None:
    """The page shows the server's points, how they come about, and who has won."""
    person.sees("final")
    result = person.ask("GET", f"/api/matches/{match}")["about"]["result"]
    assert result["end"] == "sets-played"
    expect(person.the("end")).to_have_text(say.say("table.end_sets_played"))
    for seat, name in enumerate(names):
        row = person.the("final").locator("tbody tr").filter(has_text=name)
        items = row.locator(f"td:has(~ [data-test=total-{seat}])").all_inner_texts()
        assert len(items) == 4  # with two players there is no Templum
        assert sum(int(item.replace("−", "-")) for item in items) == result["points"][seat]
        expect(person.the(f"total-{seat}")).to_have_text(str(result["points"][seat]))
        expect(person.the(f"points-{seat}")).to_contain_text(say.say("table.points", n=result["points"][seat]))
        won = int(seat in result["winners"])
        expect(row.get_by_role("img", name=say.say("alea.winner"))).to_have_count(won)
        expect(person.the(f"points-{seat}").get_by_text(say.say("table.winner"))).to_have_count(won)


def without_pace(route: Route) -> None:
    """Nobody needs to follow what the bots do."""
    wanted = json.loads(route.request.post_data or "{}")
    wanted["settings"] |= {"pace": 0, "talk": 0}
    route.continue_(post_data=json.dumps(wanted))


@pytest.mark.slow
def test_a_whole_match_on_a_phone_by_clicking_only(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url, PHONE, "de") as person:
        person.page.route("**/api/matches", without_pace)
        person.goto("/")
        person.click("with-friends-alea")
        person.the("seats-2").check()
        person.the("seat-1-bot").check()
        name = person.the("seat-0-name").input_value()
        person.click("make-match")
        while decide(person):
            pass
        check_the_end(person, person.match, [name, DE.say("table.bot_b")], DE)


def tab_to(person: Person, name: str) -> None:
    """Press Tab until something is focused whose name for tests begins so."""
    for _ in range(150):
        person.page.keyboard.press("Tab")
        if person.page.evaluate("document.activeElement.dataset.test ?? ''").startswith(name):
            return
    raise AssertionError(f"Tab does not come to {name}")


def decide_by_keys(person: Person) -> str:
    """Make one decision without a mouse, always the first possibility; what was decided on."""
    person.page.locator(TO_DECIDE).first.wait_for(timeout=SOON)
    before, press = ply(person), person.page.keyboard.press
    if person.the("chooser").count():
        tab_to(person, "choice-")
        chosen = str(person.page.evaluate("document.activeElement.dataset.test"))
        if person.the(chosen).get_attribute("aria-pressed") == "false":  # an only choice is picked from the start
            press("Enter")
        expect(person.the(chosen)).to_have_attribute("aria-pressed", "true")
    else:
        chosen = str(person.page.locator("[data-light]").first.get_attribute("data-test"))
        press(chosen[-1].lower())
        person.sees("options")
        tab_to(person, "option-")
        press("Enter")
        person.sees("preview")
    press("Enter")
    wait_for_next_ply(person, before)
    return chosen


@pytest.mark.slow
def test_a_set_by_keyboard_only_and_the_end_of_the_match(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.become("Julia")
        match = person.new_match("alea", "me greedy", options={"start_seat": "0"})
        person.goto(f"/match/{match}")
        person.page.locator(TO_DECIDE).first.wait_for(timeout=SOON)
        # The first placing by numbers and letters: the lowest die into the Forum.
        before = ply(person)
        for key in "1f":
            person.page.keyboard.press(key)
        person.sees("preview")
        person.page.keyboard.press("Enter")
        wait_for_next_ply(person, before)
        second_set = person.page.get_by_text(EN.say("alea.set_of", set=2, sets=6))
        decided = []
        while not (second_set.count() and any(one.startswith("choice-") for one in decided)):
            decided.append(decide_by_keys(person))
        assert any(one.startswith("place-") for one in decided)
        person.play_on(match, 0, lambda _: False)
        person.sees("ending")
        check_the_end(person, match, ["Julia", EN.say("table.bot_b")], EN)


@contextmanager
def a_match_of_two(browser: Browser, server: Server, **wanted: Any) -> Iterator[tuple[Person, Person, str]]:
    """Julia in the first seat, Brutus in the second, and their match; nobody looks at it yet."""
    with a_person(browser, server.url) as julia, a_person(browser, server.url) as brutus:
        julia.become("Julia")
        brutus.become("Brutus")
        match = julia.new_match("alea", "me open", **wanted)
        brutus.act(match, "sit", seat=1, name="Brutus")
        yield julia, brutus, match


def play_until(people: tuple[Person, Person], match: str, wanted: Callable[[Seen], bool], like: str) -> None:
    """Play both seats without a page until something is so of what the first seat sees; `like` are the buildings that
    the two place in where they can."""
    while True:
        seen = people[0].ask("GET", f"/api/matches/{match}?seat=0")
        assert seen["about"]["status"] == "playing", "the match ended without it"
        if wanted(seen):
            return
        turn = seen["play"]["turn"]
        play = people[turn].ask("GET", f"/api/matches/{match}?seat={turn}")["play"]
        move = max((move for move in play["legal"] if move[0] != "R"), key=lambda move: (move[0] == like[turn], move))
        people[turn].act(match, "play", seat=turn, move=move, epoch=play["epoch"], ply=play["ply"])


def to_place(seen: Seen) -> bool:
    """Whether Julia is to place dice, and will have some left; so has Brutus."""
    view = seen["play"]["view"]
    dice = [player["dice"] for player in view["players"]]
    return seen["play"]["turn"] == 0 and view["phase"] == "place" and len(view["roll"]) > 2 and dice[1] > 0


def moves_of(person: Person, match: str) -> list[Seen]:
    return list(person.ask("GET", f"/api/matches/{match}/moves?seat=0")["moves"])


def pick_dice(person: Person, faces: str) -> None:
    """Click dice of the roll that show this."""
    shown = [str(die.get_attribute("aria-label"))[-1] for die in person.page.locator("[data-test^=die-]").all()]
    for face in faces:
        person.click(f"die-{shown.index(face)}")
        shown[shown.index(face)] = "taken"


def rows(place: Locator, house: str) -> Locator:
    """The rows of dice of a building in words, on the square or in a preview."""
    return place.get_by_test_id(f"rows-{house}").locator("li > .hidden-text")


def pushes_a_die_of_brutus(move: Seen) -> bool:
    return move["effect"].get("pushed") == [1]


@pytest.mark.parametrize("letter", "SCF")
def test_what_a_placing_does_is_shown_before_it_is_confirmed(browser: Browser, server: Server, letter: str) -> None:
    house = HOUSES[letter]
    with a_match_of_two(browser, server, options={"start_seat": "0"}) as (julia, _, match):
        sent: list[str] = []
        julia.page.on("websocket", lambda wire: wire.on("framesent", lambda text: sent.append(str(text))))
        julia.goto(f"/match/{match}")
        julia.sees(f"place-{letter}")
        before, lines = ply(julia), julia.the("log-line").count()
        julia.click(f"place-{letter}")
        julia.the("options").get_by_role("button").first.click()
        julia.sees("preview")
        promised = rows(julia.the("preview"), house).all_text_contents()
        assert promised[0].startswith("Julia: ")
        assert promised != rows(julia.the(f"building-{letter}"), house).all_text_contents()
        # Nothing has happened yet, and after changing one's mind nothing will.
        julia.click("again")
        expect(julia.the("preview")).to_have_count(0)
        julia.click(f"place-{letter}")
        julia.the("options").get_by_role("button").first.click()
        assert ply(julia) == before == str(julia.ask("GET", f"/api/matches/{match}?seat=0")["play"]["ply"])
        assert julia.the("log-line").count() == lines > 0
        assert not [text for text in sent if '"play"' in text]
        julia.click("confirm")
        wait_for_next_ply(julia, before)
        expect(rows(julia.the(f"building-{letter}"), house)).to_have_text(promised, timeout=SOON)
        assert len([text for text in sent if '"play"' in text]) == 1


def test_a_die_that_would_be_pushed_out_is_announced(browser: Browser, server: Server) -> None:
    with a_match_of_two(browser, server, options={"start_seat": "0"}) as (julia, brutus, match):

        def can_push(seen: Seen) -> bool:
            return to_place(seen) and any(pushes_a_die_of_brutus(move) for move in moves_of(julia, match))

        play_until((julia, brutus), match, can_push, like="FF")
        move = next(move["move"] for move in moves_of(julia, match) if pushes_a_die_of_brutus(move))
        julia.goto(f"/match/{match}")
        julia.sees("place-F")
        latrina = rows(julia.the("building-L"), "latrina").all_text_contents()
        pick_dice(julia, move[1:])
        julia.click("place-F")
        expect(julia.the("preview")).to_contain_text(EN.say("alea.pushes", name="Brutus"))
        promised = rows(julia.the("preview"), "forum").all_text_contents()
        before = ply(julia)
        julia.click("confirm")
        wait_for_next_ply(julia, before)
        expect(rows(julia.the("building-F"), "forum")).to_have_text(promised, timeout=SOON)
        assert rows(julia.the("building-L"), "latrina").all_text_contents() != latrina


def test_a_chip_rolls_the_chosen_dice_again(browser: Browser, server: Server) -> None:
    with a_match_of_two(browser, server, options={"voluntary_latrina": "on"}) as (julia, brutus, match):

        def has_a_chip(seen: Seen) -> bool:
            return to_place(seen) and bool(seen["play"]["view"]["players"][0]["chips"])

        play_until((julia, brutus), match, has_a_chip, like="LC")
        view = julia.ask("GET", f"/api/matches/{match}?seat=0")["play"]["view"]
        roll, chips = view["roll"], view["players"][0]["chips"]
        julia.goto(f"/match/{match}")
        julia.sees("die-0")
        expect(julia.the("roll")).to_contain_text(EN.say("alea.chips_of", n=chips))
        expect(julia.the("reroll")).to_have_count(0)
        pick_dice(julia, roll[:2])
        again = EN.say("alea.reroll", dice=" ".join(roll[:2]), chips=chips)
        expect(julia.the("reroll")).to_have_text(again, timeout=SOON)
        before = ply(julia)
        julia.click("reroll")
        wait_for_next_ply(julia, before)
        expect(julia.the("roll")).to_contain_text(EN.say("alea.chips_of", n=chips - 1), timeout=SOON)
        dice = julia.page.locator("[data-test^=die-]")
        expect(dice).to_have_count(len(roll))
        shown = [str(die.get_attribute("aria-label"))[-1] for die in dice.all()]
        for kept in roll[2:]:
            shown.remove(kept)  # those that were not chosen lie as before
        told = EN.say("alea.told_reroll", dice=" ".join(roll[:2]))
        expect(julia.the("log-line").filter(has_text=told)).to_have_count(1)


def test_a_senate_card_is_chosen_by_its_worth_and_stays_secret(browser: Browser, server: Server) -> None:
    with a_match_of_two(browser, server) as (julia, brutus, match):

        def to_take_a_card(seen: Seen) -> bool:
            return seen["play"]["turn"] == 0 and seen["play"]["view"]["phase"] == "take-card"

        play_until((julia, brutus), match, to_take_a_card, like="SC")
        for person in (julia, brutus):
            person.goto(f"/match/{match}")
        julia.sees("chooser")
        brutus.sees("tableau-0")
        for move in moves_of(julia, match):
            now, best = move["effect"]["gain"], move["effect"]["best"]
            choice = julia.the(f"choice-{move['move'][1:]}")
            expect(choice).to_contain_text(EN.say("alea.worth_now", points=f"+{now}"))
            at_most = EN.say("alea.worth_best", points=f"+{best}")
            expect(choice.get_by_text(at_most, exact=True)).to_have_count(int(best != now))
        names = julia.the("chooser").locator("[data-test^=choice-] strong").all_inner_texts()
        name = next(name for name in names if f">{name}<" not in brutus.page.content())  # he may have a card like it
        assert f">{name}<" in julia.page.content()
        choice = julia.the("chooser").locator("[data-test^=choice-]").filter(has_text=name)
        choice.click()
        before = ply(julia)
        julia.click("confirm")
        for person in (julia, brutus):
            wait_for_next_ply(person, before)
        expect(julia.the("own-cards")).to_contain_text(name, timeout=SOON)
        expect(brutus.the("log-line").filter(has_text=EN.say("alea.told_take_hidden"))).not_to_have_count(0)
        expect(brutus.the("tableau-0")).to_contain_text(EN.say("alea.cards_of", n=1))
        brutus.the("tableau-0").locator("summary").click()
        assert name in julia.page.content()
        assert f">{name}<" not in brutus.page.content()
