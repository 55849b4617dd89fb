"""Real receivers of notifications on this machine: a push service that decrypts, a webhook, an SMTP server."""

import base64
import contextlib
import email
import email.policy
import hmac
import json
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import http_ece
import py_vapid
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from live_server import free_port


class Got(NamedTuple):
    """A request that came."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """An HTTP server; `answers` are the next statuses, after them 201."""

    def __init__(self) -> None:
        self.got: list[Got] = []
        self.answers: list[int] = []
        self._come = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                with receiver._come:
                    receiver.got.append(Got(self.path, headers, body))
                    status = receiver.answers.pop(0) if receiver.answers else 201
                    receiver._come.notify_all()
                self.send_response(status)
                if status in (301, 302, 307):
                    self.send_header("location", "/elsewhere")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name of the base class
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def wait(self, number: int, seconds: float = 30) -> list[Got]:
        """All that came, when it is so many."""
        with self._come:
            assert self._come.wait_for(lambda: len(self.got) >= number, seconds), f"only {len(self.got)} came"
        return self.got


class Browser:
    """The keys of a browser that has subscribed, and what it makes of a push message."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        point = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self._auth = b"0123456789abcdef"
        self.keys = {"p256dh": _text(point), "auth": _text(self._auth)}

    def read(self, got: Got) -> dict[str, Any]:
        """Decrypt, after checking who signed it."""
        assert got.headers["content-encoding"] == "aes128gcm"
        assert py_vapid.Vapid02.verify(got.headers["authorization"])
        text = http_ece.decrypt(got.body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
        return dict(json.loads(text))


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signed_by(secret: str, got: Got) -> bool:
    """Whether a webhook's message was signed with this secret, checked as standardwebhooks.com says."""
    content = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.".encode() + got.body
    right = hmac.digest(base64.b64decode(secret.removeprefix("whsec_")), content, "sha256")
    return got.headers["webhook-signature"] == "v1," + base64.b64encode(right).decode()


class Mailbox:
    """An SMTP server; it refuses recipients that begin with `nobody`."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self._come = threading.Condition()
        port = free_port()
        self._controller = Controller(self, hostname="127.0.0.1", port=port)
        self._controller.start()
        self.url = f"smtp://127.0.0.1:{port}"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if address.startswith("nobody"):
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        found = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(found, EmailMessage)
        with self._come:
            self.mails.append(found)
            self._come.notify_all()
        return "250 OK"

    def close(self) -> None:
        self._controller.stop()

    def wait(self, number: int, seconds: float = 30) -> list[EmailMessage]:
        """All mails, when they are so many."""
        with self._come:
            assert self._come.wait_for(lambda: len(self.mails) >= number, seconds), f"only {len(self.mails)} came"
        return self.mails


@contextlib.contextmanager
def receivers() -> Iterator[tuple[Receiver, Mailbox]]:
    """Both."""
    receiver, mailbox = Receiver(), Mailbox()
    try:
        yield receiver, mailbox
    finally:
        receiver.close()
        mailbox.close()
