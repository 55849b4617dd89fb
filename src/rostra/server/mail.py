"""E-mail: one message after the other to the SMTP server of the settings, in threads of its own."""

import asyncio
import re
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from email import policy
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from rostra.engine.game import BadOption

SECONDS = 20
"""The SMTP server has this long for each answer."""
LOCAL = ("localhost", "127.0.0.1", "::1")
"""Servers to which a password may go without TLS."""
_POLICY = policy.SMTP.clone(max_line_length=900)
"""Links in headers must stay in one piece: folded, they would be encoded in a way that mail programs do not read."""
_is_address = re.compile(r"[^\s@<>,;:\"\\()\[\]]{1,64}@(?:[a-zA-Z0-9-]{1,63}\.)+[a-zA-Z][a-zA-Z0-9-]{1,62}").fullmatch


class MailError(Exception):
    """A message that was not taken; `final` where trying again would not help."""

    def __init__(self, reason: str, final: bool = False) -> None:
        super().__init__(reason)
        self.final = final


class Smtp(NamedTuple):
    """An SMTP server as the settings name it."""

    host: str
    port: int
    tls: bool
    """TLS from the start; else by STARTTLS, where the server offers it."""
    user: str
    password: str


def read_smtp(address: str) -> Smtp:
    """`smtp://USER:PASSWORD@HOST:PORT`, or `smtps://` for TLS from the start."""
    parts = urlsplit(address)
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or port == -1 or parts.path not in ("", "/"):
        raise BadOption("the SMTP server is smtp://USER:PASSWORD@HOST:587 or smtps://USER:PASSWORD@HOST:465")
    tls = parts.scheme == "smtps"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Smtp(parts.hostname, port or (465 if tls else 587), tls, user, password)


def read_sender(sender: str) -> str:
    """The address of a sender, which may have a name."""
    address = parseaddr(sender)[1]
    if not is_address(address) or any(one < " " for one in sender):
        raise BadOption(f"mail needs a sender, such as 'Rostra <rostra@play.example>', not {sender!r}")
    return address


def is_address(text: str) -> bool:
    """Whether this is one plain e-mail address."""
    return len(text) <= 254 and text.isascii() and _is_address(text) is not None


class Mailer:
    """Sends mail where the operator has set it up (`ready`)."""

    def __init__(self, smtp: str, sender: str) -> None:
        self._smtp = read_smtp(smtp) if smtp else None
        self._sender = sender
        self._threads = ThreadPoolExecutor(2, "mail")
        if smtp:
            read_sender(sender)

    @property
    def ready(self) -> bool:
        """Whether mail can be sent."""
        return self._smtp is not None

    async def send(self, to: str, subject: str, text: str, unsubscribe: str = "") -> None:
        """Send a message, or `MailError`; `unsubscribe` is where a POST ends such messages (RFC 8058)."""
        if self._smtp is None:
            raise MailError("this server sends no mail", final=True)
        if not is_address(to):
            raise MailError("this is no e-mail address", final=True)
        message = EmailMessage(_POLICY)
        message["From"] = self._sender
        message["To"] = to
        message["Subject"] = " ".join(subject.split())
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=parseaddr(self._sender)[1].rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        if unsubscribe:
            message["List-Unsubscribe"] = f"<{unsubscribe}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(text, cte="quoted-printable")
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._threads, _deliver, self._smtp, message)

    async def close(self) -> None:
        """Let what is being sent finish."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)


def _deliver(server: Smtp, message: EmailMessage) -> None:
    context = ssl.create_default_context()
    try:
        with (
            smtplib.SMTP_SSL(server.host, server.port, timeout=SECONDS, context=context)
            if server.tls
            else smtplib.SMTP(server.host, server.port, timeout=SECONDS)
        ) as smtp:
            safe = server.tls
            smtp.ehlo()
            if not safe and smtp.has_extn("starttls"):
                smtp.starttls(context=context)
                smtp.ehlo()
                safe = True
            if server.user:
                if not safe and server.host not in LOCAL:
                    raise MailError("the SMTP server offers no TLS; the password was not sent")
                smtp.login(server.user, server.password)
            smtp.send_message(message)
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        raise MailError(f"the address was refused ({codes[0]})", final=all(code >= 550 for code in codes)) from error
    except (smtplib.SMTPException, OSError) as error:
        raise MailError(f"the SMTP server could not be used: {type(error).__name__}") from error
