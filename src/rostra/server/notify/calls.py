"""POST to addresses that people chose: push services and webhooks.

People must not reach the machines around the server through it. The name is looked up here, every address that it has
must be public, and the connection goes to the address that was checked. Redirects are not followed. asyncio and h11,
because no HTTP client lets the caller choose the address and still check the certificate's name.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

import h11

SECONDS = 10
"""A call may take this long from the lookup of the name to the status line."""


class BadTarget(Exception):
    """An address that this server does not call; the text says why."""


class CallError(Exception):
    """The other side could not be reached, or did not answer in time."""


def check(url: str, private: bool) -> SplitResult:
    """The parts of an address that may be called; `private`: also by plain HTTP and in private networks."""
    if len(url) > 1000 or not url.isascii() or any(one <= " " or one == "\x7f" for one in url):
        raise BadTarget("a web address has at most 1,000 characters, no blanks and nothing but ASCII")
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError as error:
        raise BadTarget("the port of this web address is no number up to 65535") from error
    if parts.scheme not in (("https", "http") if private else ("https",)) or not parts.hostname:
        raise BadTarget("a web address begins with https:// and the name of a host")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise BadTarget("a web address has no name, password or # part here")
    if port not in (None, 443) and not private:
        raise BadTarget("only port 443 is called")
    return parts


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet, also inside one of IPv6 that wraps it."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and (int(ip) >> 32 == 0 or ip in ipaddress.ip_network("64:ff9b::/96")):
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return ip.is_global and not ip.is_multicast


async def _addresses(host: str, port: int, private: bool) -> list[str]:
    """The addresses of a host."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise CallError("the name of the host is not known") from error
    addresses = [str(one[4][0]) for one in found]
    if not private and not all(map(is_public, addresses)):
        raise BadTarget("this host is not on the public internet")
    return list(dict.fromkeys(addresses))


async def post(url: str, body: bytes, headers: Mapping[str, str], private: bool = False) -> int:
    """POST, and the status of the answer; `BadTarget` or `CallError` where there is none."""
    parts = check(url, private)
    tls = parts.scheme == "https"
    host, port = parts.hostname or "", parts.port or (443 if tls else 80)
    try:
        async with asyncio.timeout(SECONDS):
            addresses = await _addresses(host, port, private)
            reader, writer = await _connect(addresses, port, host if tls else None)
            try:
                return await _exchange(reader, writer, parts, body, headers)
            finally:
                writer.transport.abort()
    except (OSError, TimeoutError, h11.RemoteProtocolError, EOFError) as error:
        raise CallError(f"no answer ({type(error).__name__})") from error


async def _connect(
    addresses: list[str], port: int, tls_name: str | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the first address that answers: a machine may have no IPv6."""
    context = None if tls_name is None else ssl.create_default_context()
    for left, address in enumerate(addresses, 1 - len(addresses)):
        try:
            return await asyncio.open_connection(address, port, ssl=context, server_hostname=tls_name, limit=2**14)
        except OSError:
            if left == 0:
                raise
    raise CallError("this host has no address")


async def _exchange(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    parts: SplitResult,
    body: bytes,
    headers: Mapping[str, str],
) -> int:
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=2**14)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    all_headers = {
        "host": parts.netloc, "content-length": str(len(body)), "connection": "close", "user-agent": "rostra",
        **headers,
    }  # fmt: skip
    request = h11.Request(method="POST", target=target, headers=list(all_headers.items()))
    for event in (request, h11.Data(data=body), h11.EndOfMessage()):
        writer.write(connection.send(event) or b"")
    await writer.drain()
    while True:
        found = connection.next_event()
        if found is h11.NEED_DATA:
            connection.receive_data(await reader.read(2**14))
        elif isinstance(found, h11.Response):
            return found.status_code
        elif not isinstance(found, h11.InformationalResponse):
            raise EOFError
