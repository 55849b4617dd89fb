"""Notifications in a real browser: the settings, what the service worker shows, and what a click on it does.

The push service of the browser cannot be reached from here. So a subscription leads to a receiver of ours, which gets
what the server really sends; its content, decrypted, is then handed to the service worker through the browser's own
tools.
"""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from browser import DESKTOP, PHONE, Person, a_person
from live_server import Server
from receivers import Browser, Mailbox, Receiver, receivers
from rostra.words import words

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def received() -> Iterator[tuple[Receiver, Mailbox]]:
    with receivers() as both:
        yield both


@pytest.fixture(scope="module")
def server(received: tuple[Receiver, Mailbox], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("notify")
    flags = ("--public-url", "https://play.example", "--sender", "rostra@play.example", "--smtp", received[1].url)
    more = ("--private-targets", "--notify-delay", "1")
    running = Server(f"sqlite:{folder / 'rostra.db'}", *flags, *more, log=Path(folder / "log")).start()
    yield running
    running.stop()


def subscribable(person: Person, endpoint: str, browser: Browser) -> None:
    """From now on the browser's push service is ours."""
    found = json.dumps({"endpoint": endpoint, "keys": browser.keys})
    person.page.add_init_script(
        f"""
        const made = {found};
        const subscription = {{ endpoint: made.endpoint, toJSON: () => made, unsubscribe: async () => true }};
        let now = null;
        PushManager.prototype.subscribe = async (how) => {{
          window.subscribedWith = how;
          return (now = subscription);
        }};
        PushManager.prototype.getSubscription = async () => now;
        Notification.requestPermission = async () => "granted";
        """
    )
    person.context.grant_permissions(["notifications"], origin=person.url)


class Worker:
    """The service worker of a page, by the browser's own tools."""

    def __init__(self, person: Person) -> None:
        self._page = person.page
        self._url = person.url
        self._tools = person.context.new_cdp_session(person.page)
        self._registration = ""
        self._tools.on("ServiceWorker.workerRegistrationUpdated", self._hear)
        self._tools.send("ServiceWorker.enable")
        person.page.wait_for_function("navigator.serviceWorker.controller?.state === 'activated'")
        while not self._registration:
            person.page.wait_for_timeout(20)

    def _hear(self, event: dict[str, Any]) -> None:
        self._registration = event["registrations"][0]["registrationId"] if event["registrations"] else ""

    def push(self, text: str) -> None:
        self._tools.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": self._url, "registrationId": self._registration, "data": text},
        )

    def shown(self, number: int = 1) -> list[dict[str, Any]]:
        """The notifications that are shown, when they are so many."""
        while True:
            found = self._page.evaluate(
                "navigator.serviceWorker.ready.then((one) => one.getNotifications())"
                ".then((all) => all.map(({title, body, tag, data}) => ({title, body, tag, data})))"
            )
            if len(found) == number:
                return list(found)
            self._page.wait_for_timeout(20)


@pytest.mark.parametrize(("size", "language"), [(PHONE, "de"), (DESKTOP, "en")], ids=["phone-de", "desktop-en"])
def test_a_push_message_is_sent_shown_and_opens_the_match(
    browser: Chromium, server: Server, received: tuple[Receiver, Mailbox], size: dict[str, int], language: str
) -> None:
    receiver, keys = received[0], Browser()
    with a_person(browser, server.url, size, language) as me, a_person(browser, server.url) as friend:
        me.become("Julia")
        friend.become("Marcus")
        subscribable(me, f"{receiver.url}/push/{language}", keys)
        me.goto("/me")
        me.click("add-push")
        me.sees("address-push")
        expect(me.the("add-push")).to_have_count(0)
        with_ = me.page.evaluate("window.subscribedWith")
        assert with_["userVisibleOnly"] is True and len(with_["applicationServerKey"]) == 87
        before = len(receiver.got)
        me.click("try")
        tried = keys.read(receiver.wait(before + 1)[-1])
        assert tried["title"] == words(language).say("notify.test_title")

        match = me.new_match("alea", "me open", sit=False)
        me.act(match, "sit", seat=0, name="Julia")
        friend.act(match, "sit", seat=1, name="Marcus")
        before = len(receiver.got)
        me.play_on(match, 0, lambda seen: seen["play"]["turn"] == 1)
        friend.play_on(match, 1, lambda seen: seen["play"]["turn"] == 0)
        sent = keys.read(receiver.wait(before + 1)[-1])
        game = words(language).say("lobby.title_alea")
        assert sent["title"] == words(language).say("notify.title_turn", game=game) and sent["tag"] == match

        worker = Worker(me)
        worker.push(json.dumps(sent))
        (shown,) = worker.shown()
        assert (shown["title"], shown["body"], shown["tag"]) == (sent["title"], sent["body"], match)
        worker.push(json.dumps(sent))  # the same once more takes its place
        worker.shown()
        worker.push("no JSON")  # is shown all the same
        assert {one["title"] for one in worker.shown(2)} == {"Rostra", sent["title"]}

        assert clicked(me, match) == ["opened", f"{server.url}/match/{match}"]
        worker.shown(1)  # the notification is closed
        me.goto(f"/match/{match}")
        worker.push(json.dumps(sent))
        worker.shown(2)
        assert clicked(me, match) == ["focused", f"{server.url}/match/{match}"]


def clicked(person: Person, tag: str) -> list[str]:
    """What a click on the notification with this tag does. Browsers open and focus windows only after a real click, so
    the last step is taken note of instead."""
    return list(
        person.context.service_workers[0].evaluate(
            """(tag) => new Promise((done) => {
                self.clients.openWindow = async (url) => done(["opened", url]);
                WindowClient.prototype.focus = async function () { done(["focused", this.url]); };
                self.registration.getNotifications({ tag }).then(([one]) =>
                    self.dispatchEvent(new NotificationEvent("notificationclick", { notification: one })));
            })""",
            tag,
        )
    )


def test_mail_is_confirmed_chosen_and_ended_on_the_page(
    browser: Chromium, server: Server, received: tuple[Receiver, Mailbox]
) -> None:
    mailbox = received[1]
    with a_person(browser, server.url, PHONE, "de") as me:
        me.become("Julia")
        me.goto("/me")
        me.the("email").fill("julia@example.org")
        me.click("add-email")
        me.sees("mail-code")
        code = re.findall(r"\d{6}", str(mailbox.wait(1)[0]["Subject"]))[0]
        assert "dein Code" in str(mailbox.mails[0]["Subject"])
        me.excused = "404"
        me.the("mail-code").fill("abcdef")
        me.click("confirm")
        expect(me.page.get_by_text(words("de").say("app.refused_bad_code"))).to_be_visible()
        me.the("mail-code").fill(code)
        me.click("confirm")
        me.sees("kinds")
        me.click("kinds")
        me.the("kind-over").uncheck()
        me.the("quiet").check()
        me.the("quiet-from").fill("21:30")
        me.the("quiet-from").blur()
        me.the("notify-language").select_option("en")
        while True:
            all_ = me.ask("GET", "/api/me/notifications")
            if all_["taste"]["language"] == "en" and all_["taste"]["quiet"] == {"start": 1290, "end": 420}:
                break
            me.page.wait_for_timeout(20)
        assert all_["addresses"][0]["kinds"] == ["turn", "offer", "nudge"]
        assert all_["taste"]["zone"] == me.page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
        found = Axe().run(me.page)
        assert found.violations_count == 0, found.generate_report()

        me.the("vacation-until").fill(me.the("vacation-until").get_attribute("max") or "")
        me.click("vacation-start")
        me.sees("vacation-now")
        assert me.ask("GET", "/api/me/notifications")["days_left"] < 1
        me.click("vacation-back")
        me.sees("vacation-until")

        me.click("try")
        mail = mailbox.wait(2)[1]
        link = re.search(r"https://play\.example(/unsubscribe#\S+)", mail.get_content())
        assert link is not None
        me.goto(link[1])
        me.click("unsubscribe")
        me.sees("unsubscribed")
        assert me.ask("GET", "/api/me/notifications")["addresses"] == []


def test_the_next_game_is_one_click_away(browser: Chromium, server: Server) -> None:
    with a_person(browser, server.url) as me, a_person(browser, server.url) as friend:
        me.become("Julia")
        friend.become("Marcus")
        matches = []
        for turn in (1, 0):  # in the first the friend is to move, in the second I am
            match = me.new_match("alea", "me open", sit=False)
            me.act(match, "sit", seat=0, name="Julia")
            friend.act(match, "sit", seat=1, name="Marcus")
            mover = me if me.ask("GET", f"/api/matches/{match}?seat=0")["play"]["turn"] == 0 else friend
            mover.play_on(match, 0 if mover is me else 1, lambda seen, turn=turn: seen["play"]["turn"] == turn)
            matches.append(match)
        me.goto(f"/match/{matches[0]}")
        me.click("next-game")
        me.page.wait_for_url(f"**/match/{matches[1]}")
        me.sees("table")
        expect(me.the("next-game")).to_have_count(0)


def test_others_see_a_vacation(browser: Chromium, server: Server) -> None:
    with a_person(browser, server.url) as me, a_person(browser, server.url) as friend:
        me.become("Julia")
        friend.become("Marcus")
        match = me.new_match("alea", "me open", sit=False, settings={"clock": {"move": 86_400}})
        me.act(match, "sit", seat=0, name="Julia")
        friend.act(match, "sit", seat=1, name="Marcus")
        me.goto(f"/match/{match}")
        me.click("tab-players")
        me.sees("players")
        expect(me.the("vacation-1")).to_have_count(0)
        until = int(time.time() + 3 * 86_400) * 1000
        friend.ask("POST", "/api/me/vacation", {"until": until})
        me.sees("vacation-1")
        assert me.ask("GET", f"/api/matches/{match}")["about"]["seats"][1]["vacation"] == until
