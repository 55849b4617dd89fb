"""Web Push: messages to browsers whose page is closed, encrypted (RFC 8291) and signed for the push service (RFC 8292).

`http_ece` and `py_vapid` are the parts that `pywebpush` is made of. Its own part, the request, is `calls` here, because
the address of a push service comes from the browser, that is, from anybody.
"""

import base64
import binascii
from urllib.parse import urlsplit

import http_ece
import msgspec
import py_vapid
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from rostra.server import schema
from rostra.server.notify.calls import post

KEEP = 24 * 3600
"""Seconds that a push service keeps a message for a browser that is not online."""
MOST = 3000
"""Bytes of a message; every push service takes 4096 with all that encryption adds."""


def new_key() -> str:
    """A private key for VAPID, as text."""
    key = ec.generate_private_key(ec.SECP256R1())
    return _text(key.private_numbers().private_value.to_bytes(32, "big"))


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def good_keys(keys: schema.PushKeys) -> bool:
    """Whether a browser's keys are a point on the curve and a secret of the right length."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(keys.p256dh))
        return len(_bytes(keys.auth)) == 16
    except (ValueError, binascii.Error):
        return False


class Pusher:
    """Sends with the key of this server; `contact` is a mailto: or https: address of the operator."""

    def __init__(self, key: str, contact: str, private: bool) -> None:
        self._vapid = py_vapid.Vapid02.from_raw(key.encode())
        self._contact = contact
        self._private = private
        point = self._vapid.public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.public_key = _text(point)
        """What a browser needs to subscribe."""

    async def send(self, endpoint: str, keys: schema.PushKeys, message: bytes, topic: str) -> int:
        """Send to a browser; the status of the push service's answer. A newer message of a topic replaces an older."""
        assert len(message) <= MOST, len(message)
        body = http_ece.encrypt(
            message, private_key=ec.generate_private_key(ec.SECP256R1()), dh=_bytes(keys.p256dh),
            auth_secret=_bytes(keys.auth), version="aes128gcm",
        )  # fmt: skip
        parts = urlsplit(endpoint)
        signed = self._vapid.sign({"sub": self._contact, "aud": f"{parts.scheme}://{parts.netloc}"})
        headers = {
            "content-type": "application/octet-stream", "content-encoding": "aes128gcm", "ttl": str(KEEP),
            "urgency": "normal", "topic": topic[:32], "authorization": signed["Authorization"],
        }  # fmt: skip
        return await post(endpoint, body, headers, self._private)


def read_keys(text: str) -> schema.PushKeys:
    """A browser's keys as they are stored."""
    return msgspec.json.decode(text, type=schema.PushKeys)
