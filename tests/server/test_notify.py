"""People are told of their turn while the page is closed: once, in their language, and not when they look."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest

from live_house import House, a_house, refused
from receivers import Browser, Mailbox, Receiver, receivers, signed_by
from rostra.server import schema, seen
from rostra.server.guard import Gate
from rostra.server.limits import LIMITS
from rostra.server.notify import doors
from rostra.server.notify.box import FAILING, RETRIES
from rostra.server.notify.wishes import Wishes
from rostra.server.routes import Asked
from rostra.server.store import PersonRow

DELAY = 15.0
SITE = "https://play.example"
Test = Callable[["Post"], Awaitable[None]]


class Post:
    """A house that sends, its people, and what they receive."""

    def __init__(self, house: House, receiver: Receiver, mailbox: Mailbox) -> None:
        self.house = house
        self.receiver = receiver
        self.mailbox = mailbox
        self.browser = Browser()

    def asked(self, person: str, body: object = None, **path: str) -> Asked:
        return Asked(self.house.live, PersonRow(person, "Ada"), "", path, {}, body, "", Gate(LIMITS))

    async def taste(self, person: str, **fields: object) -> None:
        await doors.set_taste(self.asked(person, schema.NotifyTaste(**fields)))  # type: ignore[arg-type]

    async def push_to(self, person: str, kinds: list[schema.CallKind] | None = None) -> str:
        keys = schema.PushKeys(**self.browser.keys)
        wanted = schema.NewAddress("push", f"{self.receiver.url}/push/{person}", keys, kinds)
        return (await doors.add_address(self.asked(person, wanted))).address

    async def mail_to(self, person: str, target: str) -> str:
        """Add an e-mail address with the code of the mail."""
        made = await doors.add_address(self.asked(person, schema.NewAddress("email", target)))
        code = re.search(r"\d{6}", str(self.mailbox.mails[-1]["Subject"]))
        assert code is not None
        await doors.confirm_address(self.asked(person, schema.AddressCode(code[0]), address=made.address))
        return made.address

    async def shown(self, person: str) -> schema.Notifications:
        return await doors.notifications(self.asked(person))

    async def later(self, seconds: float = DELAY) -> None:
        """Time passes, and what is due is sent."""
        self.house.now += int(seconds * 1000)
        while await self.house.live.notify.postman.round():
            pass
        await self.settle()

    async def settle(self) -> None:
        """Let background tasks come to an end."""
        for _ in range(20):
            await asyncio.sleep(0.005)

    @property
    def pushed(self) -> list[dict[str, str]]:
        return [self.browser.read(got) for got in self.receiver.got if got.path.startswith("/push/")]


@contextlib.asynccontextmanager
async def a_post(database: str, receiver: Receiver, mailbox: Mailbox) -> AsyncIterator[Post]:
    wishes = Wishes(SITE, mailbox.url, "Rostra <rostra@play.example>", True, DELAY)
    async with a_house(database, wishes=wishes) as house:
        await house.live.store.listen(house.live.rooms.changed)
        await house.live.notify.start(work=False)
        yield Post(house, receiver, mailbox)


@pytest.fixture
def received() -> Iterator[tuple[Receiver, Mailbox]]:
    with receivers() as both:
        yield both


@pytest.fixture
def posted(database: str, received: tuple[Receiver, Mailbox]) -> Callable[[Test], None]:
    """Run a test in a house that sends, on each database."""

    def run(test: Test) -> None:
        doors._codes.clear()

        async def inside() -> None:
            async with a_post(database, *received) as post:
                await test(post)

        asyncio.run(inside())

    return run


async def two_at_alea(post: Post, **wanted: object) -> tuple[str, list[str], int]:
    """A match of two people, and the seat to move."""
    people = await post.house.people("Ada", "Bo")
    match = await post.house.match(people[0], "me open", **wanted)
    await post.house.sit(match, *people)
    return match, people, (await post.house.look(match)).turn


async def until_turn_of(post: Post, match: str, seat: int) -> None:
    """Let people play until this seat is to move."""
    while (await post.house.look(match)).turn != seat:
        await post.house.play(match)


def test_a_turn_is_told_once_by_every_channel_with_what_happened(posted: Callable[[Test], None]) -> None:
    async def test(post: Post) -> None:
        match, people, first = await two_at_alea(post)
        other = 1 - first
        await post.push_to(people[other])
        await post.mail_to(people[other], "Bo@Example.org")
        hook = schema.NewAddress("webhook", f"{post.receiver.url}/hook")
        secret = (await doors.add_address(post.asked(people[other], hook))).secret
        assert secret is not None and signed_by(secret, post.receiver.got[-1])  # the trial
        await post.taste(people[other], language="de", zone="Europe/Berlin")
        before = len(post.mailbox.mails), len(post.receiver.got)
        await until_turn_of(post, match, other)
        await post.later(DELAY - 1)
        assert (len(post.mailbox.mails), len(post.receiver.got)) == before
        await post.later()
        await post.later(3600)

        mails = post.mailbox.mails[before[0] :]
        assert len(mails) == 1 and len(post.receiver.got) == before[1] + 2
        assert mails[0]["To"] == "bo@example.org" and mails[0]["From"] == "Rostra <rostra@play.example>"
        assert mails[0]["Subject"] == "Alea Iacta Est: Du bist am Zug"
        text = mails[0].get_content()
        assert f"P{first}: " in text and f"P{other}: " not in text and f"{SITE}/match/{match}" in text
        pushed = post.pushed[-1]
        assert pushed["title"] == "Alea Iacta Est: Du bist am Zug" and pushed["url"] == f"/match/{match}"
        assert pushed["tag"] == match and f"P{first}: " in pushed["body"]
        told = next(got for got in reversed(post.receiver.got) if got.path == "/hook")
        assert signed_by(secret, told)
        body = json.loads(told.body)
        assert (body["type"], body["match"], body["url"]) == ("turn", match, f"{SITE}/match/{match}")
        assert body["lines"] == pushed["body"].split("\n")

    posted(test)


def test_who_looks_is_not_told_and_who_comes_in_time_neither(posted: Callable[[Test], None]) -> None:
    async def test(post: Post) -> None:
        match, people, first = await two_at_alea(post)
        other = 1 - first
        await post.push_to(people[other])
        tab = await post.house.watch(match, people[other], other)
        await until_turn_of(post, match, other)
        await post.later()
        assert post.pushed == []

        await until_turn_of(post, match, first)
        tab.away = True
        await until_turn_of(post, match, other)
        tab.away = False
        post.house.live.rooms.came(match, tab)
        await post.settle()
        await post.later()
        assert post.pushed == []

        await until_turn_of(post, match, first)
        tab.away = True
        await until_turn_of(post, match, other)
        await post.later()
        assert len(post.pushed) == 1

        await until_turn_of(post, match, first)
        post.house.live.rooms.unwatch(tab, match)
        await until_turn_of(post, match, other)
        await until_turn_of(post, match, first)  # it has moved in time
        await post.later()
        assert len(post.pushed) == 1

    posted(test)


def test_a_person_chooses_what_is_told(posted: Callable[[Test], None]) -> None:
    async def test(post: Post) -> None:
        match, people, first = await two_at_alea(post)
        other = 1 - first
        address = await post.push_to(people[other], ["nudge"])
        await until_turn_of(post, match, other)
        await post.later()
        assert post.pushed == []
        await post.house.do(schema.Nudge, match, people[first], seat=first, other=other)
        await post.later()
        assert [one["title"] for one in post.pushed] == ["Alea Iacta Est: everybody waits for you"]

        await doors.set_kinds(post.asked(people[other], schema.NewKinds(["over"]), address=address))
        await post.house.do(schema.Resign, match, people[first], seat=first)
        await post.later()
        assert post.pushed[-1]["title"] == "Alea Iacta Est: the match is over"
        assert f"P{other} has won." in post.pushed[-1]["body"]
        assert len(post.pushed) == 2

        assert (await doors.remove_address(post.asked(people[other], address=address))).addresses == []

    posted(test)


def test_an_offer_is_told_with_its_terms(posted: Callable[[Test], None]) -> None:
    async def test(post: Post) -> None:
        people = await post.house.people("Ada", "Bo", "Cy")
        match = await post.house.match(people[0], "me open open", game="quovadis")
        await post.house.sit(match, *people)
        for person in people:
            await post.push_to(person, ["offer"])
        told = 0
        for _ in range(60):  # until somebody's way needs another's consent
            table = await post.house.look(match)
            play = await post.house.look(match, lambda t: seen.play(t, t.turn, 0))
            asks = [ask for ask in play.asks or [] if "(" in ask]
            if asks:
                parties = await post.house.look(match, lambda t, ask=asks[0]: t.deal([ask], ())[1])
                await post.house.do(
                    schema.Offer, match, people[table.turn], seat=table.turn, terms=[asks[0]], counters=None,
                    epoch=play.epoch, plies=play.ply,
                )  # fmt: skip
                told = len(parties) - (table.turn in parties)
                break
            await post.house.play(match)
        assert told > 0
        await post.later()
        assert len(post.pushed) == told
        assert all(f"P{table.turn} makes you an offer: " in one["body"] for one in post.pushed)
        assert {one["title"] for one in post.pushed} == {"Quo Vadis?: you are asked"}

    posted(test)


def test_quiet_hours_and_vacations_hold_messages_back(posted: Callable[[Test], None]) -> None:
    async def test(post: Post) -> None:
        match, people, first = await two_at_alea(post)
        other = 1 - first
        await post.push_to(people[other])
        post.house.now = 1_800_000_000_000  # 09:00 in Berlin
        await post.taste(people[other], zone="Europe/Berlin", quiet=schema.Quiet(8 * 60, 10 * 60))
        await until_turn_of(post, match, other)
        await post.later(30 * 60)
        assert post.pushed == []
        await post.later(31 * 60)
        assert len(post.pushed) == 1

        await post.taste(people[other])
        until = post.house.now + 24 * 3600 * 1000
        await doors.vacation(post.asked(people[other], schema.Until(until)))
        await until_turn_of(post, match, first)
        await until_turn_of(post, match, other)
        await post.later(23 * 3600)
        assert len(post.pushed) == 1
        await post.later(2 * 3600)
        assert len(post.pushed) == 2

    posted(test)


def test_a_failure_is_tried_again_for_a_while_and_then_given_up(posted: Callable[[Test], None]) -> None:
    async def test(post: Post) -> None:
        match, people, first = await two_at_alea(post)
        other = 1 - first
        await post.push_to(people[other])
        await until_turn_of(post, match, other)
        post.receiver.answers = [500, 429]
        await post.later()
        for seconds in RETRIES[:2]:
            await post.later(seconds)
        assert len(post.receiver.got) == 3
        await post.later(10**6)
        assert len(post.receiver.got) == 3  # it has arrived

        post.receiver.answers = [500] * 20
        await until_turn_of(post, match, first)
        await until_turn_of(post, match, other)
        for seconds in (DELAY, *RETRIES, 10**6, 10**6):
            await post.later(seconds)
        assert len(post.receiver.got) == 3 + 1 + len(RETRIES)
        assert not (await post.shown(people[other])).addresses[0].failing

        post.receiver.answers = [410]
        await until_turn_of(post, match, first)
        await until_turn_of(post, match, other)
        await post.later()
        assert (await post.shown(people[other])).addresses[0].failing
        sent = len(post.receiver.got)
        await until_turn_of(post, match, first)
        await until_turn_of(post, match, other)
        await post.later()
        assert len(post.receiver.got) == sent

    posted(test)


def test_mail_goes_only_where_a_code_was_read(posted: Callable[[Test], None]) -> None:
    async def test(post: Post) -> None:
        match, people, first = await two_at_alea(post)
        other = 1 - first
        wanted = schema.NewAddress("email", "eve@example.org")
        made = await doors.add_address(post.asked(people[other], wanted))
        await until_turn_of(post, match, other)
        await post.later()
        assert len(post.mailbox.mails) == 1  # the code and nothing else
        code = re.findall(r"\d{6}", str(post.mailbox.mails[0]["Subject"]))[0]
        wrong = schema.AddressCode(f"{(int(code) + 1) % 10**6:06}")
        stranger = post.asked(people[first], schema.AddressCode(code), address=made.address)
        await refused("no-address", doors.confirm_address(stranger))
        for _ in range(5):
            await refused("bad-code", doors.confirm_address(post.asked(people[other], wrong, address=made.address)))
        right = post.asked(people[other], schema.AddressCode(code), address=made.address)
        await refused("bad-code", doors.confirm_address(right))  # too many guesses
        for _ in range(2):
            await doors.add_address(post.asked(people[other], wanted))
        await refused("slow-down", doors.add_address(post.asked(people[first], wanted)))  # nobody is flooded
        code = re.findall(r"\d{6}", str(post.mailbox.mails[-1]["Subject"]))[0]
        post.house.now += doors.CODE_MS + 1
        right = post.asked(people[other], schema.AddressCode(code), address=made.address)
        await refused("bad-code", doors.confirm_address(right))  # too late
        bad = schema.NewAddress("email", "nobody@example.org")
        await refused("unavailable", doors.add_address(post.asked(people[other], bad)))
        for text in ("eve", "eve@localhost", "a@b.org\nBcc: c@d.org", "a@b.org, c@d.org", "<a@b.org>", "ä@b.org"):
            await refused("bad-address", doors.add_address(post.asked(people[first], schema.NewAddress("email", text))))

    posted(test)


def test_every_mail_can_be_ended_by_its_link(posted: Callable[[Test], None]) -> None:
    async def test(post: Post) -> None:
        match, people, first = await two_at_alea(post)
        other = 1 - first
        await post.mail_to(people[other], "bo@example.org")
        await until_turn_of(post, match, other)
        await post.later()
        mail = post.mailbox.mails[-1]
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        key = re.fullmatch(rf"<{SITE}/api/unsubscribe/([\w-]+)>", str(mail["List-Unsubscribe"]))
        assert key is not None and f"{SITE}/unsubscribe#{key[1]}" in mail.get_content()
        assert (await doors.unsubscribe(post.asked("nobody", key=key[1]))).done
        assert not (await doors.unsubscribe(post.asked("nobody", key=key[1]))).done
        assert (await post.shown(people[other])).addresses == []

    posted(test)


def test_what_waits_survives_a_restart_and_is_sent_by_one(database: str, received: tuple[Receiver, Mailbox]) -> None:
    async def run() -> None:
        async with a_post(database, *received) as post:
            match, people, first = await two_at_alea(post)
            other = 1 - first
            await post.push_to(people[other])
            await until_turn_of(post, match, other)
            now, browser = post.house.now, post.browser
        async with contextlib.AsyncExitStack() as stack:
            n = 1 if database.startswith("sqlite") else 3
            posts = [await stack.enter_async_context(a_post(database, *received)) for _ in range(n)]
            keys = {post.house.live.notify.postman.pusher.public_key for post in posts}  # type: ignore[union-attr]
            assert len(keys) == 1  # made once, and kept
            for post in posts:
                post.browser = browser
                post.house.now = now + int(DELAY * 1000)
            await asyncio.gather(*(post.house.live.notify.postman.round() for post in posts for _ in range(3)))
            assert len(received[0].got) == 1
            assert posts[0].pushed[0]["tag"] == match

    asyncio.run(run())


def test_addresses_are_counted_and_checked(posted: Callable[[Test], None]) -> None:
    async def test(post: Post) -> None:
        (ada,) = await post.house.people("Ada")
        keys = schema.PushKeys(**post.browser.keys)
        for n in range(10):
            wanted = schema.NewAddress("push", f"{post.receiver.url}/push/{n}", keys)
            await doors.add_address(post.asked(ada, wanted))
        again = await doors.add_address(post.asked(ada, wanted))  # the same browser
        assert [one.address for one in (await post.shown(ada)).addresses].count(again.address) == 1
        more = schema.NewAddress("push", f"{post.receiver.url}/push/more", keys)
        await refused("too-many", doors.add_address(post.asked(ada, more)))
        (bo,) = await post.house.people("Bo")
        for bad in (None, schema.PushKeys("A" * 87, keys.auth), schema.PushKeys(keys.p256dh, "A" * 20)):
            wanted = schema.NewAddress("push", f"{post.receiver.url}/push/x", bad)
            await refused("bad-address", doors.add_address(post.asked(bo, wanted)))
        post.receiver.answers = [302]
        hook = schema.NewAddress("webhook", f"{post.receiver.url}/hook")
        await refused("bad-address", doors.add_address(post.asked(bo, hook)))
        assert [got.path for got in post.receiver.got] == ["/hook"]  # a redirect is not followed
        await refused("bad-option", doors.set_taste(post.asked(bo, schema.NotifyTaste(zone="../../etc/passwd"))))
        assert FAILING > 1

    posted(test)
