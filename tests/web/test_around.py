"""What all tables share: reconnecting, two players on one device, replay, the end, undo, chat, sound."""

import itertools
import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, WebSocketRoute, expect

from browser import DESKTOP, PHONE, Person, a_person
from live_server import Server, a_move
from rostra.words import words

pytestmark = pytest.mark.slow

PATIENCE = 30_000
EN = words("en")
ALEA = EN.say("lobby.title_alea")
SECRETS = (EN.say("alea.drawn_now"), EN.text("alea.told_token").partition("{")[0])
"""What is said only to who has drawn fortuna tokens."""


def say(key: str, **parameters: object) -> str:
    return EN.say(f"table.{key}", **parameters)


def has(place: Locator, *texts: str | re.Pattern[str]) -> None:
    """Something is there, with these texts in it."""
    for text in texts:
        expect(place).to_contain_text(text, timeout=PATIENCE)


def ply_of(person: Person) -> int:
    return int(person.the("table").get_attribute("data-ply") or -1)


def at_ply(person: Person, ply: int, plies: int) -> None:
    """The replay shows the position before this ply, and the address says so."""
    key = "replay_end" if ply == plies else "replay_at" if ply else "replay_start"
    has(person.the("replay-at"), say(key, plies=plies, **({"ply": ply} if 0 < ply < plies else {})))
    expect(person.page).to_have_url(f"{person.url}/match/{person.match}/ply/{ply}")


def buildings(person: Person) -> Locator:
    """What lies in the buildings of Alea, in words."""
    return person.page.locator("[data-test^=building-] [data-test^=rows-] .hidden-text")


def can_decide(person: Person) -> Locator:
    return person.page.locator("[data-test^=place-]").or_(person.the("chooser")).first


def decide(person: Person) -> None:
    """Make some decision in Alea by clicking."""
    can_decide(person).wait_for(timeout=PATIENCE)
    if person.the("chooser").count():
        person.page.locator("[data-test^=choice-]").first.click()
    else:
        person.page.locator("[data-test^=place-]").first.click()
        options = person.page.locator("[data-test^=option-]")
        options.or_(person.the("confirm")).first.wait_for()
        if options.count():
            options.first.click()
    person.click("confirm")


@contextmanager
def two_people(browser: Browser, url: str, names: tuple[str, str] = ("Ada", "Berta"), **wanted: Any) -> Iterator[tuple]:
    """Two people at a table of Alea, each at a browser; the first begins."""
    with a_person(browser, url) as ada, a_person(browser, url) as berta:
        for person, name in zip((ada, berta), names, strict=True):
            person.become(name)
        match = ada.new_match("alea", "me open", sit=False, options={"start_seat": "0"}, **wanted)
        for seat, (person, name) in enumerate(zip((ada, berta), names, strict=True)):
            person.act(match, "sit", seat=seat, name=name)
        for person in (ada, berta):
            person.goto(f"/match/{match}")
            person.sees("alea")
        yield ada, berta


def turn_of(seat: int) -> Callable[[dict[str, Any]], bool]:
    return lambda seen: bool(seen["play"]["turn"] == seat)


def offer_tokens(person: Person, match: str, seat: int) -> None:
    """Let a seat put dice into the Templum, without the page: then it has tokens that nobody else may know."""
    play = person.play_on(match, seat, turn_of(seat))["play"]
    move = min((one for one in play["legal"] if one.startswith("T")), key=lambda one: (len(one), one))
    person.act(match, "play", seat=seat, epoch=play["epoch"], ply=play["ply"], move=move)


# The connection.


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Server]:
    """A server of this test alone, which may be killed and started again."""
    server = Server(f"sqlite:{tmp_path / 'rostra.db'}", log=tmp_path / "log").start()
    yield server
    if server.process is not None:
        server.stop()


@pytest.mark.slow
def test_a_move_made_without_connection_is_sent_when_it_is_back(browser: Browser, mortal: Server) -> None:
    with two_people(browser, mortal.url) as (ada, berta):
        for person in (ada, berta):
            person.excused = "net::ERR_"
        can_decide(ada).wait_for(timeout=PATIENCE)
        before = ply_of(ada)
        mortal.kill()
        for person in (ada, berta):
            has(person.the("connection"), EN.text("table.lost").partition("{")[0])
        decide(ada)
        assert ply_of(ada) == before, "nothing counts before the server has it"
        mortal.start()
        for person in (ada, berta):
            expect(person.the("connection")).to_have_count(0, timeout=2 * PATIENCE)
        has(berta.the("turn"), say("turn_task", task=say("phase_place")))
        has(ada.the("turn"), say("turn_person", name="Berta"))
        assert ply_of(ada) == ply_of(berta) > before
        can_decide(berta).wait_for(timeout=PATIENCE)
        expect(buildings(ada)).to_have_text(buildings(berta).all_text_contents())
        expect(ada.the("log-line")).to_have_text(berta.the("log-line").all_text_contents())
        decide(berta)
        has(ada.the("turn"), say("turn_task", task=say("phase_place")))


@pytest.mark.parametrize(("game", "seats"), [("alea", 2), ("quovadis", 3)])
def test_a_page_holds_one_subscription_and_asks_for_nothing_while_play_goes_on(
    browser: Browser, server: Server, game: str, seats: int
) -> None:
    with a_person(browser, server.url) as ada, a_person(browser, server.url) as others:
        ada.become("Ada")
        others.become("Berta")
        match = ada.new_match(game, "me" + " open" * (seats - 1))
        for seat in range(1, seats):
            others.act(match, "sit", seat=seat, name=f"Berta {seat}")
        held, asked = set[int | None](), list[str]()

        def said(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] in ("watch", "unwatch"):
                (held.add if message["type"] == "watch" else held.discard)(message["seat"])

        ada.page.on("websocket", lambda socket: socket.on("framesent", said))
        ada.goto(f"/match/{match}")
        ada.sees(game)
        ada.page.wait_for_load_state("networkidle")
        ada.page.on("request", lambda request: asked.append(request.url))
        begun = time.monotonic()
        for _ in range(10):
            turn = others.ask("GET", f"/api/matches/{match}")["play"]["turn"]
            person = ada if turn == 0 else others
            play = person.ask("GET", f"/api/matches/{match}?seat={turn}")["play"]
            where = {"epoch": play["epoch"], "ply": play["ply"]}
            person.act(match, "play", seat=turn, move=a_move(play), **where)
            expect(ada.the("table")).not_to_have_attribute("data-ply", str(play["ply"]))
        ada.page.wait_for_load_state("networkidle")
        assert held == {0}
        asked = [url for url in asked if not url.endswith("/api/progress")]  # of the bots, until they are ready
        elsewhere = [url for url in asked if url.endswith("/api/matches?show=next")]
        assert len(elsewhere) <= 1 + (time.monotonic() - begun) / 20  # whether another match waits for Ada
        assert asked == elsewhere


@pytest.mark.parametrize("connected", [True, False])
def test_whoever_lost_the_seat_watches_on(browser: Browser, server: Server, connected: bool) -> None:
    with two_people(browser, server.url) as (ada, berta), a_person(browser, server.url) as cy:
        cy.become("Cy")
        cut, open_sockets = False, list[WebSocketRoute]()

        def passed(socket: WebSocketRoute) -> None:
            if cut:
                socket.close()
            else:
                socket.connect_to_server()
                open_sockets.append(socket)

        match = ada.match
        berta.page.route_web_socket("**/api/live", passed)
        berta.page.reload()
        berta.sees("alea")
        if not connected:
            cut = True
            open_sockets[-1].close()
            has(berta.the("connection"), EN.text("table.lost").partition("{")[0])
        key = berta.act(match, "link", seat=1)["key"]
        cy.act(match, "sit", seat=1, name="Cy", key=key)
        cut = False
        ada.play_on(match, 0, turn_of(1))
        expect(berta.the("connection")).to_have_count(0, timeout=PATIENCE)
        has(berta.the("turn"), say("turn_person", name="Cy"))
        before = ply_of(berta)
        assert before == ply_of(ada)
        cy.play_on(match, 1, turn_of(0))
        expect(berta.the("table")).not_to_have_attribute("data-ply", str(before))
        assert can_decide(berta).count() == 0


# One device for two.


def test_one_device_for_two_is_covered_between_turns_and_shows_no_secrets(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as julia:
        julia.become("Julia")
        match = julia.new_match("alea", "me me greedy greedy", options={"start_seat": "0"})
        for seat in (0, 1):
            offer_tokens(julia, match, seat)
        julia.play_on(match, 0, turn_of(0))
        julia.goto(f"/match/{match}")
        for seat, name in (0, "Julia 1"), (1, "Julia 2"):
            has(julia.the("cover"), say("hand_to", name=name))
            expect(julia.the("table")).to_have_count(0)
            page = julia.page.content()
            assert not [secret for secret in SECRETS if secret in page]
            julia.click("i-am")
            has(julia.the(f"tableau-{seat}"), SECRETS[0])
            expect(julia.the(f"tableau-{1 - seat}")).not_to_contain_text(SECRETS[0])
            decide(julia)
        has(julia.the("cover"), say("hand_to", name="Julia 1"))
        about = julia.ask("GET", f"/api/matches/{match}?seat=0")
        done = [line["seat"] for line in about["log"]["lines"] if line["seat"] in (0, 1)]
        assert (done.count(0), done.count(1)) == (2, 2)


def test_an_offer_to_somebody_on_the_same_device_hands_it_on(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as julia:
        julia.become("Julia")
        match = julia.new_match("quovadis", "me me greedy", options={"start_seat": "0"})
        julia.goto(f"/match/{match}")
        julia.click("i-am")
        expect(julia.the("hand-on")).to_have_count(0)
        julia.act(match, "offer", seat=0, terms=["+A", "promise 0 1 support"])
        has(julia.the("hand-on"), say("hand_offer", name="Julia 2"))
        julia.click("hand-to")
        has(julia.the("cover"), say("hand_to", name="Julia 2"))
        expect(julia.the("table")).to_have_count(0)
        julia.click("i-am")
        julia.click("accept")
        has(julia.the("ledger"), "Julia 1")
        expect(julia.the("hand-on")).to_have_count(0)


def of_a_bot(key: str) -> re.Pattern[str]:
    """This text about the bot in seat 1 or 2."""
    return re.compile("|".join(re.escape(say(key, name=say(f"bot_{letter}"))) for letter in "bc"))


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_a_bot_waits_for_people_and_the_time_is_counted_down(
    browser: Browser, server: Server, size: dict[str, int]
) -> None:
    """V1: for talk, and longer while somebody puts an offer together, which the others see."""

    def waits(seen: dict[str, Any]) -> bool:
        return bool(seen["desk"]["until"]) and seen["desk"]["until"] > 1000 * time.time() + 60_000

    with a_person(browser, server.url, size) as ada, a_person(browser, server.url) as bo:
        ada.become("Ada")
        match = ada.new_match("quovadis", "me greedy greedy", settings={"talk": 600, "answer": 900})
        ada.play_on(match, 0, until=waits)
        ada.goto(f"/match/{match}")
        has(ada.the("status"), of_a_bot("turn_talk"))  # the bots may still agree among themselves, and go on
        first = ada.the("talk-left").inner_text()
        expect(ada.the("talk-left")).not_to_have_text(first, timeout=PATIENCE)
        assert re.match(r"9:\d\d|10:00", ada.the("talk-left").inner_text())
        bo.goto(f"/match/{match}")
        has(bo.the("status"), of_a_bot("turn_bot"))
        ada.the("desk-action").select_option(index=1)
        has(bo.the("status"), say("turn_drafting", name="Julia"))
        expect(ada.the("talk-left")).to_have_text(re.compile(r"1[45]:\d\d"), timeout=PATIENCE)
        ada.click("desk-clear")
        has(bo.the("status"), of_a_bot("turn_bot"))
        ply = str(ply_of(ada))
        ada.click("ready")
        expect(ada.the("table")).not_to_have_attribute("data-ply", ply, timeout=PATIENCE)


# The past.


@pytest.fixture
def past(browser: Browser, server: Server) -> Iterator[tuple[Person, str, int]]:
    """Somebody with secret tokens, the match, and how many plies it has; it is their turn."""
    with a_person(browser, server.url) as ada:
        ada.become("Ada")
        match = ada.new_match("alea", "me greedy greedy greedy", options={"start_seat": "0"})
        offer_tokens(ada, match, 0)
        yield ada, match, ada.play_on(match, 0, turn_of(0))["play"]["ply"]


def dice_in(view: dict[str, Any]) -> int:
    rows = [row["dice"] for house in ("senatus", "castrum") for row in view[house]]
    return sum(map(len, rows)) + len(view["forum"]) + sum(view["latrina"]) + sum(row["dice"] for row in view["templum"])


def test_an_address_leads_to_the_position_before_a_ply(past: tuple[Person, str, int]) -> None:
    ada, match, plies = past
    ada.goto(f"/match/{match}/ply/{plies - 2}")
    found = set()
    for ply in (plies - 2, plies, 1):
        ada.the("replay-slider").fill(str(ply))
        at_ply(ada, ply, plies)
        dice = dice_in(ada.ask("GET", f"/api/matches/{match}/plies/{ply}?seat=0")["view"])
        expect(ada.page.locator("[data-test^=building-] [data-test^=rows-] .die")).to_have_count(dice)
        found.add(dice)
    assert len(found) == 3


def test_the_past_is_gone_through_by_keys_by_itself_and_by_the_log(past: tuple[Person, str, int]) -> None:
    ada, match, plies = past
    ada.goto(f"/match/{match}/ply/5")
    at_ply(ada, 5, plies)
    for key, ply in ("ArrowRight", 6), ("ArrowLeft", 5), ("ArrowLeft", 4), ("End", plies), ("Home", 0):
        ada.page.keyboard.press(key)
        at_ply(ada, ply, plies)
    ada.the("replay-pace").select_option(say("pace_fast"))
    ada.click("replay-play")
    at_ply(ada, plies, plies)
    expect(ada.the("replay-play")).to_have_attribute("aria-label", say("replay_play"))
    ada.click("replay-back")
    expect(ada.the("replay")).to_have_count(0)
    can_decide(ada).wait_for()
    line = ada.the("log-line").get_by_role("link", name="A Julia").first
    ply = int(str(line.get_attribute("href")).rpartition("/")[2])
    line.click()
    at_ply(ada, ply, plies)
    expect(ada.page.locator("[data-test^=building-] [data-test^=rows-] .die")).to_have_count(0)


def test_who_watches_sees_the_past_of_a_running_match_without_secrets(
    past: tuple[Person, str, int], browser: Browser, server: Server
) -> None:
    ada, match, plies = past
    with a_person(browser, server.url) as watcher:
        for person in (ada, watcher):
            person.goto(f"/match/{match}/ply/{plies - 2}")
            at_ply(person, plies - 2, plies)
            person.page.keyboard.press("ArrowRight")
            at_ply(person, plies - 1, plies)
        has(ada.the("tableau-0"), SECRETS[0])
        has(ada.the("log"), SECRETS[1])
        has(watcher.the("status"), say("watching"))
        expect(watcher.the("tableau-0")).to_be_visible()
        page = watcher.page.content()
        assert not [secret for secret in SECRETS if secret in page]
        expect(watcher.the("undo-here")).to_have_count(0)


# A game that has no board of its own.


def test_a_game_without_a_board_is_made_and_played_to_its_end_by_clicking(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as ada:
        ada.goto("/new?game=pig")
        ada.click("seats-2")
        ada.click("seat-1-me")
        ada.click("make-match")
        ada.sees("cover")
        roll, stop = (ada.page.locator(f"[data-test=move][data-move={move}]") for move in ("roll", "stop"))
        for button in itertools.cycle((roll, roll, stop)):
            ada.the("i-am").or_(button).or_(ada.the("ending")).first.wait_for(timeout=PATIENCE)
            if ada.the("i-am").count():
                ada.click("i-am")
                ada.sees("plain-board")
            button.or_(ada.the("ending")).first.wait_for(timeout=PATIENCE)
            if ada.the("ending").count():
                break
            before = ply_of(ada)
            button.click()
            # The die was rolled; where that ended the turn, the table is covered for the next player.
            ada.page.locator(f"[data-test=table]:not([data-ply='{before}'])").or_(ada.the("cover")).wait_for()
        about = ada.ask("GET", f"/api/matches/{ada.match}")["about"]
        assert (about["game"], about["result"]["end"]) == ("pig", "goal-reached")
        for seat, points in enumerate(about["result"]["points"]):
            has(ada.the(f"points-{seat}"), say("points", n=points))


# After the game.


def test_after_the_game_there_is_a_transcript_proof_of_the_dice_and_a_rematch(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as ada:
        ada.become("Ada")
        match = ada.new_match("alea", "me greedy")
        seen = ada.play_on(match, 0, lambda _: False)
        ada.goto(f"/match/{match}")
        for seat, points in enumerate(seen["about"]["result"]["points"]):
            has(ada.the(f"points-{seat}"), say("points", n=points))
            has(ada.the(f"total-{seat}"), str(points))
        with ada.page.expect_download() as coming:
            ada.click("download")
        text = Path(coming.value.path()).read_text(encoding="utf-8")
        assert text.startswith("game: alea\n") and "\nseed: " in text
        ada.click("verify")
        has(ada.page.locator("#verdict"), "The dice are in order")
        ada.page.go_back()
        ada.click("rematch")
        expect(ada.page).not_to_have_url(f"{ada.url}/match/{match}", timeout=PATIENCE)
        ada.sees("roll")
        about = ada.ask("GET", f"/api/matches/{ada.match}")["about"]
        assert [(seat["kind"], seat["bot"]) for seat in about["seats"]] == [("person", None), ("bot", "greedy")]
        assert about["mine"] == [0] and about["status"] == "playing"


def test_resigning_ends_a_match_of_two_and_both_find_the_rematch(browser: Browser, server: Server) -> None:
    with two_people(browser, server.url) as (ada, berta):
        first = ada.match
        ada.click("menu")
        ada.click("resign")
        ada.the("menu-dialog").get_by_text(say("resign_ends")).wait_for()
        ada.click("resign-yes")
        has(ada.the("winner"), say("wins", name="Berta"))
        has(berta.the("winner"), say("you_win"))
        for person in (ada, berta):
            has(person.the("end"), say("end_resigned", name="Ada"))
        berta.click("rematch")
        expect(berta.page).not_to_have_url(f"{berta.url}/match/{first}", timeout=PATIENCE)
        ada.click("join-rematch")
        ada.click("take-seat-0")
        for person in (ada, berta):
            person.sees("alea")
        assert ada.match == berta.match != first


# Going back.


def test_going_back_against_bots_brings_the_board_of_before(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as ada:
        ada.become("Ada")
        match = ada.new_match("alea", "me greedy", options={"start_seat": "0"})
        ada.play_on(match, 0, lambda seen: bool(seen["play"]["turn"] == 0 and seen["play"]["view"]["round"] == 2))
        ada.goto(f"/match/{match}")
        can_decide(ada).wait_for(timeout=PATIENCE)
        ply, rows = ply_of(ada), buildings(ada).all_text_contents()
        assert rows
        decide(ada)
        expect(ada.the("table")).not_to_have_attribute("data-ply", str(ply), timeout=PATIENCE)
        can_decide(ada).wait_for(timeout=PATIENCE)
        expect(buildings(ada)).not_to_have_text(rows)
        ada.click("menu")
        ada.click("undo-last")
        expect(ada.the("table")).to_have_attribute("data-epoch", "1", timeout=PATIENCE)
        expect(ada.the("table")).to_have_attribute("data-ply", str(ply))
        expect(buildings(ada)).to_have_text(rows)
        has(ada.the("log"), say("went_back", ply=ply))
        decide(ada)
        expect(ada.the("table")).not_to_have_attribute("data-ply", str(ply), timeout=PATIENCE)


# Talk.


def test_what_is_said_is_text_and_who_is_muted_is_not_heard(browser: Browser, server: Server) -> None:
    name = "<b>Ada</b>"
    with two_people(browser, server.url, (name, "Berta")) as (ada, berta):
        ada.click("tab-chat")
        ada.the("chat-text").fill("<i>salve</i> & vale")
        ada.click("chat-send")
        has(berta.the("unread"), "1")
        berta.click("tab-chat")
        for person in (ada, berta):
            has(person.the("chat-line"), name, "<i>salve</i> & vale")
            has(person.the("status"), name)
            expect(person.page.locator("b", has_text="Ada").or_(person.page.locator("i"))).to_have_count(0)
        berta.click("tab-players")
        berta.click("mute-0")
        berta.click("tab-chat")
        has(berta.the("chat"), say("chat_muted", n=1))
        expect(berta.the("chat-line")).to_have_count(0)
        ada.the("chat-text").fill("audisne?")
        ada.page.keyboard.press("Enter")
        expect(ada.the("chat-line")).to_have_count(2)
        berta.the("chat-text").fill("non audio")
        berta.click("chat-send")
        expect(ada.the("chat-line")).to_have_count(3)
        expect(berta.the("chat-line")).to_have_count(1)
        has(berta.the("chat-line"), "non audio")


# The tab, the ear, the keys.


def test_the_tab_and_the_live_region_say_whose_turn_it_is_and_the_roll(browser: Browser, server: Server) -> None:
    with two_people(browser, server.url) as (ada, berta):
        for mine, other, name in (ada, berta, "Ada"), (berta, ada, "Berta"):
            expect(mine.page).to_have_title(say("title_turn", game=ALEA), timeout=PATIENCE)
            expect(other.page).to_have_title(say("title", game=ALEA), timeout=PATIENCE)
            dice = " ".join(mine.ask("GET", f"/api/matches/{mine.match}")["play"]["view"]["roll"])
            has(mine.the("spoken"), EN.say("alea.say_your_roll", dice=dice))
            has(other.the("spoken"), EN.say("alea.say_roll", name=name, dice=dice))
            decide(mine)


def test_a_question_mark_opens_help_and_escape_closes_it(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as ada:
        ada.become("Ada")
        ada.goto(f"/match/{ada.new_match('alea', 'me greedy')}")
        ada.sees("alea")
        ada.page.keyboard.press("?")
        expect(ada.the("help-text")).to_be_visible(timeout=PATIENCE)
        expect(ada.page.get_by_role("dialog")).to_be_visible()
        ada.page.keyboard.press("Escape")
        expect(ada.the("help-text")).to_have_count(0)
        ada.click("tab-chat")
        ada.the("chat-text").press_sequentially("quid?")
        expect(ada.the("chat-text")).to_have_value("quid?")
        expect(ada.the("help-text")).to_have_count(0)
