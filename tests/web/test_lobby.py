"""The pages around a match in a browser: identity, languages, invitations, making a match, being offline."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import DESKTOP, PHONE, Person, a_person
from live_server import Server
from rostra.words import PLACE, words

pytestmark = pytest.mark.slow  # whole browsers

EN, DE = words("en"), words("de")
SOON = 30_000
"""Milliseconds in which everything that is to be seen is seen, also on a busy machine."""
ROMANS = EN.say("lobby.roman_names").split(", ")


def test_a_first_visit_needs_no_account(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.goto("/")
        name = person.the("my-name").inner_text()
        assert name in ROMANS
        assert person.page.evaluate("localStorage.getItem('rostra.me')") is None  # who only looks is nobody
        person.click("play-now-alea")
        person.sees("alea")
        seats = person.the("status").get_by_role("listitem")
        expect(seats).to_have_count(3)
        expect(seats.first).to_contain_text(name)
        expect(seats.first).to_contain_text(EN.say("table.you"))


@pytest.mark.parametrize(("language", "size"), [("en", DESKTOP), ("de", PHONE)])
def test_after_an_install_the_page_shows_that_the_bots_are_getting_ready(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, size: dict[str, int]
) -> None:
    """And a game can be begun meanwhile: the bots join in when they can."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "nothing compiled"))
    server = Server(f"sqlite:{tmp_path / 'x.db'}", log=tmp_path / "log").start()
    try:
        with a_person(browser, server.url, size, language) as person:
            person.goto("/")
            said = re.compile(words(language).say("app.getting_ready", n="N").replace("N", r"\d+"))
            expect(person.the("getting-ready")).to_have_text(said, timeout=SOON)
            person.click("play-now-alea")
            person.sees("alea")
            expect(person.the("getting-ready")).to_have_count(0, timeout=10 * SOON)
            person.play_on(person.match, 0, until=lambda seen: any(line["seat"] for line in seen["log"]["lines"]))
    finally:
        server.stop()


def test_a_name_is_changed_and_kept(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.goto("/")
        person.click("name-edit")
        person.the("name").fill("Gaius Maecenas")
        person.click("name-save")
        expect(person.the("my-name")).to_have_text("Gaius Maecenas")
        person.page.reload()
        expect(person.the("my-name")).to_have_text("Gaius Maecenas")
        person.click("with-friends-quovadis")
        expect(person.the("seat-0-name")).to_have_value("Gaius Maecenas")
        person.click("make-match")
        expect(person.the("seat-0")).to_contain_text("Gaius Maecenas", timeout=SOON)


def test_bots_have_their_names_in_the_lists_of_the_start_page(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.become("Gaius")
        person.new_match("alea", "me greedy")
        person.goto("/")
        expect(person.the("my-matches")).to_contain_text(EN.say("table.bot_b"), timeout=SOON)


def pattern_of(text: str) -> re.Pattern[str]:
    """What fits a text of the catalogue with something filled in."""
    parts, at = [], 0
    for place in PLACE.finditer(text):
        parts.append(re.escape(text[at : place.start()]))
        parts.append(".+" if place[2] is None else f"(?:{re.escape(place[2])}|{re.escape(place[3])})")
        at = place.end()
    return re.compile("".join(parts) + re.escape(text[at:]))


ENGLISH = [
    pattern_of(EN.text(key))
    for key in EN
    if key.startswith(("lobby.", "app.")) and EN.text(key) != DE.text(key) and "roman_names" not in key
]
GERMAN_TOO = {DE.text(key) for key in DE}
LABELS = "[...document.querySelectorAll('main *, header *')].flatMap(e => [e.ariaLabel, e.title, e.placeholder])"


def english_words(page: Page) -> list[str]:
    """All that is written or read out on a page and is English of the lobby's part of the catalogue."""
    texts = page.locator("body").inner_text().splitlines() + page.evaluate(LABELS)
    seen = {text.strip() for text in texts if isinstance(text, str)} - GERMAN_TOO - {""}
    return sorted(text for text in seen if any(pattern.fullmatch(text) for pattern in ENGLISH))


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/new", "/new?game=quovadis", "/me", "waiting room"])
def test_the_language_switch_leaves_no_english(browser: Browser, server: Server, path: str) -> None:
    with a_person(browser, server.url, PHONE) as person:
        person.become("Gaius")
        person.goto(f"/match/{person.new_match('alea', 'me open greedy')}" if path == "waiting room" else path)
        person.page.locator("h1").wait_for()
        person.page.wait_for_load_state("networkidle")
        while person.page.locator("details:not([open])").count():
            person.page.locator("details:not([open]) > summary").first.click()
        assert len(english_words(person.page)) >= 7
        person.click("language-de")
        expect(person.page.locator("html")).to_have_attribute("lang", "de")
        expect(person.the("language-de")).to_have_attribute("aria-pressed", "true")
        assert english_words(person.page) == []
        person.page.reload()
        person.page.locator("h1").wait_for()
        assert english_words(person.page) == []


def test_bots_have_five_levels_and_the_one_chosen_is_kept(browser: Browser, server: Server) -> None:
    levels = ["tiro", "civis", "eques", "senator", "consul"]
    with a_person(browser, server.url) as person:
        person.goto("/")
        expect(person.the("level-alea-eques")).to_be_checked()
        expect(person.page.get_by_role("group", name=EN.say("lobby.level")).first.get_by_role("radio")).to_have_count(5)
        person.the("level-quovadis-tiro").check()
        expect(person.the("level-text-alea")).to_contain_text(EN.say("lobby.level_tiro_text"))
        person.page.reload()
        expect(person.the("level-alea-tiro")).to_be_checked()
        person.click("with-friends-alea")
        person.the("seat-1-bot").check()
        which = person.the("seat-1-which")
        expect(which).to_have_value("tiro")
        values = "all => all.map(one => one.value)"
        assert which.locator("> option").evaluate_all(values) == levels
        others = which.locator(f"optgroup[label='{EN.say('lobby.bots_more')}'] > option").evaluate_all(values)
        assert {"random", "greedy"} <= set(others)
        person.goto("/")
        person.click("play-now-alea")
        person.sees("alea")
        seats = person.ask("GET", f"/api/matches/{person.match}")["about"]["seats"]
        assert [seat["bot"] for seat in seats] == [None, "tiro", "tiro"]
        person.click("tab-players")
        expect(person.the("players")).to_contain_text(EN.say("lobby.level_tiro"))


BRIGHTNESS = "getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).reduce((a, b) => +a + +b)"


def test_the_theme_switch_darkens_the_page_and_is_kept(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.goto("/")
        for theme, is_light in (("auto", True), ("light", True), ("dark", False)):
            name = EN.say("app.theme", theme=EN.say(f"app.theme_{theme}"))
            expect(person.the("theme")).to_have_accessible_name(name)
            person.page.wait_for_function(f"({BRIGHTNESS} > 380) === {str(is_light).lower()}")
            if theme != "dark":
                person.click("theme")
        person.page.reload()
        person.sees("theme")
        person.page.wait_for_function(f"{BRIGHTNESS} < 380")


def test_my_matches_say_where_it_is_my_turn(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.become("Julia")
        mine = person.new_match("alea", "me greedy", options={"start_seat": "0"})
        waiting = person.new_match("quovadis", "me open greedy")
        person.goto("/")
        rows = person.the("my-matches").get_by_test_id("match-row")
        expect(rows).to_have_count(2, timeout=SOON)
        expect(rows.first).to_contain_text(EN.say("lobby.your_turn"))  # it comes first, though it is older
        expect(rows.last).to_contain_text(EN.say("lobby.waits_for", n=1))
        expect(rows.last.get_by_role("link")).to_have_attribute("href", f"/match/{waiting}")
        rows.first.get_by_role("link").click()
        person.sees("table")
        assert person.match == mine
        person.act(mine, "resign", seat=0)
        person.click("home")
        finished = person.the("finished-matches").get_by_test_id("match-row")
        expect(finished).to_contain_text(EN.say("lobby.won_by", name=EN.say("table.bot_b")), timeout=SOON)
        expect(rows).to_have_count(1)


def make_a_match_for_friends(host: Person, *, listed: bool = False) -> str:
    """By the form: the host, two friends; its invitation link."""
    host.goto("/")
    host.click("with-friends-alea")
    host.the("seat-2-open").check()
    if listed:
        host.click("fold-manner")
        host.the("listed").check()
    host.click("make-match")
    host.sees("waiting-room")
    return host.the("invite-link").input_value()


def test_friends_join_by_link_and_everybody_sees_it(browser: Browser, server: Server) -> None:
    with (
        a_person(browser, server.url) as host,
        a_person(browser, server.url, PHONE, "de") as friend,
        a_person(browser, server.url) as watcher,
    ):
        link = make_a_match_for_friends(host)
        assert link == host.page.url
        code = host.page.get_by_role("img", name=EN.say("lobby.invitation_qr"))
        expect(code).to_be_visible()
        assert code.bounding_box()["width"] > 100
        assert len(code.locator("path").get_attribute("d") or "") > 1000
        for guest in (friend, watcher):
            guest.page.goto(link)
            guest.sees("waiting-room")
        friend.click("take-seat-1")
        friend.the("seat-name").fill("Livia")
        friend.click("seat-ok")
        for person in (host, friend, watcher):
            expect(person.the("seat-1")).to_have_attribute("data-kind", "person", timeout=SOON)
            expect(person.the("seat-1")).to_contain_text("Livia")
        expect(friend.the("seat-1")).to_contain_text(DE.say("lobby.you_tag"))
        expect(watcher.the("watch-only")).to_have_text(EN.say("lobby.watch_only"))
        # The host gives the last seat to a bot, and the match begins for all three.
        host.click("bot-seat-2")
        host.click("seat-ok")
        for person in (host, friend, watcher):
            person.sees("alea")
        expect(watcher.the("status")).to_contain_text(EN.say("table.watching"))
        expect(host.the("status")).not_to_contain_text(EN.say("table.watching"))
        expect(watcher.page.locator("[data-test^=die-], [data-light]")).to_have_count(0)


def test_an_open_match_is_found_in_the_lobby_and_a_hidden_one_is_not(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as host, a_person(browser, server.url) as friend:
        make_a_match_for_friends(host)
        hidden = host.match
        make_a_match_for_friends(host, listed=True)
        friend.goto("/")
        row = (
            friend.the("open-matches")
            .get_by_test_id("match-row")
            .filter(has=friend.page.locator(f"a[href='/match/{host.match}']"))
        )
        expect(row).to_be_visible(timeout=SOON)
        expect(friend.page.locator(f"a[href='/match/{hidden}']")).to_have_count(0)
        row.get_by_test_id("join").click()
        friend.click("take-seat-2")
        friend.click("seat-ok")
        expect(host.the("seat-2")).to_have_attribute("data-kind", "person", timeout=SOON)


def test_a_personal_link_makes_another_device_the_same_person(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as first, a_person(browser, server.url, PHONE) as second:
        first.become("Julia")
        match = first.new_match("alea", "me greedy", options={"start_seat": "0"})
        first.goto("/me")
        first.click("make-link")
        expect(first.the("personal-link")).to_have_attribute("type", "password")
        expect(first.the("qr")).to_have_count(0)  # it is a secret: it does not lie open
        first.click("reveal")
        expect(first.page.get_by_role("img", name=EN.say("lobby.personal_qr"))).to_be_visible()
        link = first.the("personal-link").input_value()
        second.page.goto(link)
        expect(second.the("my-name")).to_have_text("Julia", timeout=SOON)
        assert second.page.url == f"{server.url}/me"  # the secret is gone from the address
        second.click("home")
        second.the("my-matches").get_by_role("link").click()
        second.sees("die-0")
        assert second.match == match


def test_a_personal_link_asks_before_it_replaces_somebody(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as first, a_person(browser, server.url) as second:
        first.become("Julia")
        first.goto("/me")
        first.click("make-link")
        link = first.the("personal-link").input_value()
        second.become("Marcus")
        second.page.goto(link)
        second.click("become-no")
        expect(second.the("my-name")).to_have_text("Marcus")
        second.goto("/")
        second.page.goto(link)
        second.click("become-yes")
        expect(second.the("my-name")).to_have_text("Julia", timeout=SOON)


def test_what_the_form_says_is_how_the_match_is(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.goto("/new")
        person.the("game-alea").check()
        person.the("seats-4").check()
        person.the("seat-0-name").fill("Gaius")
        person.the("seat-2-me").check()
        person.the("seat-2-name").fill("Livia")
        person.the("seat-3-bot").check()
        person.the("seat-3-which").select_option("random")
        person.click("fold-rules")
        person.the("option-voluntary_latrina").check()
        person.the("option-start_seat").select_option("2")
        person.click("fold-manner")
        person.the("listed").check()
        for name, value in {"clock": "calm", "confirm": "-1", "pace": "3", "patience": "900"}.items():
            person.the(name).select_option(value)
        person.the("timeout").select_option("forfeit")
        person.the("stand-in").select_option("senator")
        expect(person.the("hints")).not_to_be_checked()  # several people play
        person.the("hints").check()
        person.click("make-match")
        person.sees("waiting-room")
        about = person.ask("GET", f"/api/matches/{person.match}")["about"]
        assert about["options"] == {"voluntary_latrina": "on", "start_seat": "2"}
        wanted = {"listed": True, "clock": {"move": 120, "bank": 600}, "timeout": "forfeit", "confirm": None}
        wanted |= {"pace": 3, "patience": 900, "stand_in": "senator", "hints": True}
        assert about["settings"] | wanted == about["settings"]
        seats = [(seat["kind"], seat["name"]) for seat in about["seats"]]
        assert seats[:3] == [("person", "Gaius"), ("open", None), ("person", "Livia")]
        assert about["seats"][3]["bot"] == "random"
        expect(person.the("waiting-room")).to_contain_text(EN.say("lobby.option_alea_voluntary_latrina"))
        expect(person.the("waiting-room")).to_contain_text(EN.say("lobby.clock_calm"))


@pytest.mark.parametrize("path", ["/forum/romanum", "/match/7", f"/match/{'a' * 20}"])
def test_an_unknown_address_is_answered_with_a_way_home(browser: Browser, server: Server, path: str) -> None:
    with a_person(browser, server.url) as person:
        person.excused = "404"
        person.goto(path)
        problem = EN.say("app.refused_no_match" if path.endswith("a") else "app.no_page")
        expect(person.page.locator("main").get_by_text(problem)).to_be_visible(timeout=SOON)
        person.page.locator("main").get_by_role("link", name=EN.say("app.home")).click()
        person.sees("play-now-alea")


def test_without_a_connection_a_page_says_so_and_then_goes_on(browser: Browser, server: Server) -> None:
    with a_person(browser, server.url) as person:
        person.goto("/")
        person.sees("play-now-alea")
        person.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        person.excused = "net::ERR"
        person.context.set_offline(True)
        person.goto("/new")
        expect(person.page.get_by_role("heading", level=1)).to_have_text("The harbour is out of reach")
        expect(person.page.get_by_role("heading", name="Der Hafen ist außer Reichweite")).to_be_visible()
        person.context.set_offline(False)
        person.page.get_by_role("link").click()
        person.sees("new-match")
