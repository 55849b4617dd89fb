"""People's addresses lead to the public internet only; quiet hours follow the wall clock; mail is well formed."""

import asyncio
import contextlib
import datetime
import email.header
import socket
import threading
import time
import zoneinfo
from collections.abc import Iterator
from typing import Any

import pytest

from receivers import Mailbox, Receiver, receivers
from rostra.engine.game import BadOption
from rostra.server import schema
from rostra.server.mail import Mailer, MailError, is_address, read_smtp
from rostra.server.notify import calls
from rostra.server.notify.letters import clipped
from rostra.server.notify.quiet import known_zone, quiet_until
from rostra.server.settings import Settings, from_environment


@pytest.fixture(scope="module")
def received() -> Iterator[tuple[Receiver, Mailbox]]:
    with receivers() as both:
        yield both


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "https://", "ftp://example.org/", "https://a:b@example.org/", "https://example.org/#x",
        "https://example.org:22/", "https://example.org:99999/", "https://exa mple.org/",
        "https://example.org/\r\nX: y",
        "https://example.org/" + "x" * 1000, "//example.org/", "https://ex\u00e4mple.org/",
    ],
)  # fmt: skip
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(calls.BadTarget):
        calls.check(url, private=False)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "::7f00:1", "2001:db8::1",
    ],
)  # fmt: skip
def test_private_addresses_are_none_of_the_public_internet(address: str) -> None:
    assert not calls.is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses_are(address: str) -> None:
    assert calls.is_public(address)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"])
def test_no_name_for_this_machine_leads_to_it(host: str) -> None:
    """The name is looked up and each address that it has is judged, however it is written."""
    with pytest.raises((calls.BadTarget, calls.CallError), match=r"public internet|not known"):
        asyncio.run(calls.post(f"https://{host}/", b"", {}))


def test_a_name_is_looked_up_once_and_the_address_that_was_judged_is_called(
    received: tuple[Receiver, Mailbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that leads elsewhere at the second look gains nothing by that."""
    looks: list[str] = []

    async def twice(self: Any, host: str, port: int, **more: Any) -> Any:
        looks.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(asyncio.SelectorEventLoop, "getaddrinfo", twice)
    with pytest.raises(calls.BadTarget, match="public internet"):
        asyncio.run(calls.post("https://rebind.example/", b"", {}))
    port = received[0].url.rpartition(":")[2]
    assert asyncio.run(calls.post(f"http://rebind.example:{port}/named", b"x", {}, private=True)) == 201
    assert looks.count("rebind.example") == 2 and received[0].got[-1].headers["host"] == f"rebind.example:{port}"


def test_a_target_that_drips_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        done = threading.Event()

        def drip() -> None:
            connection, _ = listening.accept()
            with connection:
                while not done.is_set():
                    try:
                        connection.sendall(b"H")
                    except OSError:
                        return
                    time.sleep(0.05)

        thread = threading.Thread(target=drip)
        thread.start()
        with pytest.raises(calls.CallError, match="no answer"):
            asyncio.run(calls.post(f"http://127.0.0.1:{listening.getsockname()[1]}/", b"", {}, private=True))
        done.set()
        thread.join()


@pytest.mark.parametrize(
    "answer", [b"", b"SSH-2.0-x\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 200 OK\r\nx: " + b"y" * 99_999]
)
def test_what_is_no_web_server_is_a_failure(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def once() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1000)
                with contextlib.suppress(OSError):
                    connection.sendall(answer)

        thread = threading.Thread(target=once)
        thread.start()
        with pytest.raises(calls.CallError):
            asyncio.run(calls.post(f"http://127.0.0.1:{listening.getsockname()[1]}/", b"", {}, private=True))
        thread.join()


def at(zone: str, *when: int) -> int:
    return int(datetime.datetime(*when, tzinfo=zoneinfo.ZoneInfo(zone)).timestamp() * 1000)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "UTC"])
def test_quiet_hours_are_those_of_the_wall_clock(zone: str) -> None:
    night = schema.NotifyTaste(zone=zone, quiet=schema.Quiet(22 * 60, 7 * 60 + 30))
    day = schema.NotifyTaste(zone=zone, quiet=schema.Quiet(9 * 60, 17 * 60))
    assert quiet_until(night, at(zone, 2026, 11, 18, 21, 59)) is None
    assert quiet_until(night, at(zone, 2026, 11, 18, 22, 0)) == at(zone, 2026, 11, 19, 7, 30)
    assert quiet_until(night, at(zone, 2026, 12, 31, 23, 0)) == at(zone, 2027, 1, 1, 7, 30)
    assert quiet_until(night, at(zone, 2026, 11, 19, 7, 29)) == at(zone, 2026, 11, 19, 7, 30)
    assert quiet_until(night, at(zone, 2026, 11, 19, 7, 30)) is None
    assert quiet_until(day, at(zone, 2026, 11, 18, 9, 0)) == at(zone, 2026, 11, 18, 17, 0)
    assert quiet_until(day, at(zone, 2026, 11, 18, 17, 0)) is None


def test_a_night_in_which_clocks_change_ends_at_the_same_wall_clock() -> None:
    taste = schema.NotifyTaste(zone="Europe/Berlin", quiet=schema.Quiet(22 * 60, 8 * 60))
    evening = at("Europe/Berlin", 2026, 3, 28, 22, 0)
    assert quiet_until(taste, evening) == evening + 9 * 3600 * 1000  # an hour less
    autumn = at("Europe/Berlin", 2026, 10, 24, 22, 0)
    assert quiet_until(taste, autumn) == autumn + 11 * 3600 * 1000


def test_no_quiet_hours_and_unknown_zones() -> None:
    assert quiet_until(schema.NotifyTaste(), 0) is None
    assert quiet_until(schema.NotifyTaste(quiet=schema.Quiet(60, 60)), 60 * 60_000) is None
    assert known_zone("Europe/Berlin") and known_zone("UTC")
    assert not any(map(known_zone, ("", "Mars/Phobos", "/etc/passwd", "../UTC", "a\0b")))


def test_texts_are_cut_between_characters() -> None:
    assert clipped("abc", 3) == "abc"
    for most in range(4, 30):
        cut = clipped("ä€😀" * 10, most)
        assert len(cut.encode()) <= most and cut.endswith("…")


def test_mail_says_where_to_unsubscribe_in_one_piece(received: tuple[Receiver, Mailbox]) -> None:
    link = "https://play.example/api/unsubscribe/" + "x" * 60

    async def send() -> None:
        mailer = Mailer(received[1].url, "Rostra Österreich <rostra@play.example>")
        await mailer.send("a@example.org", "Grüße\r\nBcc: b@example.org", "Schöne Züge\n.\nEnde", link)
        with pytest.raises(MailError) as refused:
            await mailer.send("nobody@example.org", "x", "y")
        assert refused.value.final
        with pytest.raises(MailError, match="no e-mail address"):
            await mailer.send("a@example.org\nBcc: b@example.org", "x", "y")
        await mailer.close()

    asyncio.run(send())
    (mail,) = received[1].mails
    assert mail["List-Unsubscribe"] == f"<{link}>" and mail["Bcc"] is None
    assert str(email.header.make_header(email.header.decode_header(mail["Subject"]))) == "Grüße Bcc: b@example.org"
    assert mail.get_content().splitlines() == ["Schöne Züge", ".", "Ende"]
    assert mail["Message-ID"].endswith("@play.example>") and mail["Auto-Submitted"] == "auto-generated"


def test_a_mail_server_that_is_not_there_is_an_error_to_try_again() -> None:
    async def send() -> None:
        mailer = Mailer("smtp://127.0.0.1:1", "rostra@play.example")
        with pytest.raises(MailError, match="could not be used") as refused:
            await mailer.send("a@example.org", "x", "y")
        assert not refused.value.final
        await mailer.close()
        with pytest.raises(MailError, match="sends no mail"):
            await Mailer("", "").send("a@example.org", "x", "y")

    asyncio.run(send())


def test_addresses_of_mail_servers_and_people() -> None:
    assert read_smtp("smtp://u%40x:p%2Fw@mail.example") == ("mail.example", 587, False, "u@x", "p/w")
    assert read_smtp("smtps://mail.example").port == 465
    for wrong in ("mail.example", "http://mail.example", "smtp://", "smtp://mail.example:x", "smtp://mail.example/x"):
        with pytest.raises(BadOption, match="the SMTP server is"):
            read_smtp(wrong)
    assert is_address("a.b+c@mail.example.org") and not is_address("a@b") and not is_address("a" * 250 + "@b.org")


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"ROSTRA_PUBLIC_URL": "play.example"}, "the public URL is like"),
        ({"ROSTRA_PUBLIC_URL": "https://play.example/x"}, "the public URL is like"),
        ({"ROSTRA_SMTP": "smtp://mail.example"}, "mail needs a sender and the public URL"),
        (
            {"ROSTRA_SMTP": "x", "ROSTRA_SENDER": "a@b.org", "ROSTRA_PUBLIC_URL": "https://b.org"},
            "the SMTP server is",
        ),
        (
            {"ROSTRA_SMTP": "smtp://b.org", "ROSTRA_SENDER": "ab", "ROSTRA_PUBLIC_URL": "https://b.org"},
            "mail needs a sender",
        ),
        ({"ROSTRA_PRIVATE_TARGETS": "perhaps"}, "ROSTRA_PRIVATE_TARGETS is yes or no"),
    ],
)
def test_wrong_settings_are_said(environment: dict[str, str], says: str) -> None:
    with pytest.raises(BadOption, match=says):
        from_environment({}, environment)


def test_without_set_up_nothing_is_offered() -> None:
    assert from_environment({}, {}) == Settings()
    assert not Settings().wishes.public_url
    wishes = from_environment({}, {"ROSTRA_PUBLIC_URL": "https://b.org/", "ROSTRA_PRIVATE_TARGETS": "yes"}).wishes
    assert wishes.public_url == "https://b.org" and wishes.private_targets
