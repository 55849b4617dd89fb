"""What a browser gets besides the API: the web app if it is built, otherwise a plain page."""

from collections.abc import Awaitable, Callable
from importlib import resources
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect, sync_playwright

from browser import a_person, launch
from live_server import Server, new_match, person
from rostra.bots.preparing import Preparing
from rostra.server.app import make_app
from rostra.server.guard import HEADERS
from rostra.server.settings import Settings
from rostra.server.store import open_store
from strangers import act, two_play, within

PAGES = ["/", "/new", "/match/7vkq", "/match/7vkq/ply/12", "/rules/alea", "/learn/quovadis", "/me"]
NOT_PAGES = [
    "/match",
    "/match/",
    "/match/a/b",
    "/match/a/ply",
    "/match/a/ply/1/2",
    "/new/",
    "/rules",
    "/learn",
    "/nothing",
]
SCRIPT = "let a = 1;\n" * 500
OURS = resources.files("rostra")


async def asking(tmp_path: Path, test: Callable[[httpx.AsyncClient], Awaitable[None]]) -> None:
    store = await open_store(f"sqlite:{tmp_path}/x.db")
    transport = httpx.ASGITransport(make_app(Settings(), store, Preparing([])))
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            await test(client)
    finally:
        await store.close()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of which we say what pages it has: those of the project, and no web app."""
    (tmp_path / "migrations").symlink_to(str(OURS / "server" / "migrations"))
    (tmp_path / "pages").mkdir()
    for name in ("index.html", "verify.html", "verify.js", "verify.css"):
        (tmp_path / "pages" / name).write_bytes((OURS / "pages" / name).read_bytes())
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    return tmp_path


@pytest.fixture
def built(package: Path) -> Path:
    """The same with a web app, as Vite leaves it."""
    app = package / "pages" / "app"
    (app / "assets").mkdir(parents=True)
    (app / "index.html").write_text("<!doctype html><p>the app</p>")
    (app / "icon.svg").write_text("<svg/>")
    (app / "sw.js").write_text("// the service worker")
    (app / "manifest.webmanifest").write_text("{}")
    (app / "assets" / "index-B2x_9.js").write_text(SCRIPT)
    (app / "assets" / "small-c.css").write_text("p {}")
    (app / "assets" / "font-d.woff2").write_bytes(bytes(5000))
    return package


def test_without_the_app_a_plain_page_says_how_to_build_it(package: Path) -> None:
    async def test(client: httpx.AsyncClient) -> None:
        for path in PAGES:
            answer = await client.get(path)
            assert answer.status_code == 200 and "make web" in answer.text
        assert (await client.get("/sw.js")).status_code == 404
        assert (await client.get("/favicon.ico")).status_code == 204
        assert (await client.get("/pages/verify.html")).status_code == 200

    within(30, asking(package, test))


def test_the_app_answers_its_own_addresses_and_no_others(built: Path) -> None:
    async def test(client: httpx.AsyncClient) -> None:
        for path in PAGES:
            answer = await client.get(path)
            assert answer.status_code == 200 and "the app" in answer.text
            assert answer.headers["content-type"].startswith("text/html")
            assert answer.headers["cache-control"] == "no-cache"
            assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]
            assert (await client.head(path)).status_code == 200
            assert (await client.post(path)).json()["code"] == "not-allowed"
        for path in NOT_PAGES:
            answer = await client.get(path)
            assert answer.status_code == 404 and answer.json()["code"] == "not-found", path

    within(30, asking(built, test))


def test_files_are_kept_as_long_as_their_name_means_the_same(built: Path) -> None:
    async def test(client: httpx.AsyncClient) -> None:
        for path in ("/pages/app/assets/index-B2x_9.js", "/pages/app/assets/small-c.css"):
            answer = await client.get(path)
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        for path in (
            "/pages/app/index.html",
            "/pages/verify.js",
            "/pages/app/manifest.webmanifest",
            "/pages/app/sw.js",
        ):
            answer = await client.get(path)
            assert answer.headers["cache-control"] == "no-cache"
            again = await client.get(path, headers={"if-none-match": answer.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["cache-control"] == "no-cache"
        (built / "pages" / "app" / "index.html").write_text("<p>the next app</p>")
        assert "next" in (await client.get("/")).text

    within(30, asking(built, test))


def test_the_service_worker_may_serve_every_address(built: Path) -> None:
    async def test(client: httpx.AsyncClient) -> None:
        answer = await client.get("/sw.js")
        assert answer.headers["service-worker-allowed"] == "/"
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["content-type"].startswith("text/javascript")
        assert (await client.get("/favicon.ico")).headers["content-type"] == "image/svg+xml"

    within(30, asking(built, test))


def test_content_types_do_not_depend_on_the_system(built: Path) -> None:
    async def test(client: httpx.AsyncClient) -> None:
        for name, kind in (
            ("manifest.webmanifest", "application/manifest+json"),
            ("assets/index-B2x_9.js", "text/javascript; charset=utf-8"),
            ("assets/font-d.woff2", "font/woff2"),
            ("assets/small-c.css", "text/css; charset=utf-8"),
        ):
            assert (await client.get(f"/pages/app/{name}")).headers["content-type"] == kind

    within(30, asking(built, test))


def test_long_texts_are_compressed_for_who_can_read_it(built: Path) -> None:
    async def test(client: httpx.AsyncClient) -> None:
        for path, compressed in (
            ("/pages/app/assets/index-B2x_9.js", True),
            ("/api/openapi.json", True),
            ("/pages/app/assets/small-c.css", False),
            ("/healthz", False),
            ("/pages/app/assets/font-d.woff2", False),
        ):
            answer = await client.get(path, headers={"accept-encoding": "gzip"})
            assert answer.headers.get("content-encoding") == ("gzip" if compressed else None), path
            plain = await client.get(path, headers={"accept-encoding": "identity"})
            assert "content-encoding" not in plain.headers
            assert plain.content == answer.content
            if compressed:
                assert answer.headers["vary"] == "Accept-Encoding"
                assert int(answer.headers["content-length"]) < len(plain.content) / 2

    within(30, asking(built, test))


def test_the_dice_of_a_match_are_checked_at_a_short_address(package: Path) -> None:
    async def test(client: httpx.AsyncClient) -> None:
        answer = await client.get("/verify?match=7vkq&lang=de")
        assert answer.headers["location"] == "/pages/verify.html?match=7vkq&lang=de"  # of whatever host this is
        assert (await client.get("/verify")).headers["location"] == "/pages/verify.html"

    within(30, asking(package, test))


def test_a_browser_checks_a_match_of_this_server_by_its_name(house: Server) -> None:
    made: list[str] = []

    async def play() -> None:
        over, _, bo = await two_play(house.url)
        await act(house.url, bo, "resign", over, seat=1)
        made.extend([over, await new_match(house.url, await person(house.url))])

    within(60, play())
    over, waiting = made
    with sync_playwright() as playwright, launch(playwright) as browser, a_person(browser, house.url) as ada:
        for address, verdict, language in (
            (f"/verify?match={over}", "The dice are in order", "en"),
            (f"/pages/verify.html?lang=de#match={over}", "Die Würfel sind in Ordnung", "de"),
            (f"/verify?match={waiting}&lang=de-AT", "Abgelehnt", "de"),
        ):
            ada.page.goto("about:blank")  # another part behind the # alone would load nothing
            ada.goto(address)
            expect(ada.page.locator("#verdict")).to_contain_text(verdict)
            assert ada.page.locator("html").get_attribute("lang") == language
            back = ada.page.locator("#back")
            assert back.get_attribute("href") == f"/match/{waiting if waiting in address else over}"
            expect(back).to_have_text("Zurück zur Partie" if language == "de" else "Back to the match")
        with a_person(browser, house.url, language="de") as bo:
            bo.excused = "404"
            bo.goto("/verify?match=nothing")
            expect(bo.page.locator("#status")).to_contain_text("nothing")
            assert bo.page.locator("html").get_attribute("lang") == "de"
