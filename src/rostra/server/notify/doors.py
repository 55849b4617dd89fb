"""The HTTP requests about notifications and vacations; `routes.ENDPOINTS` says where they are."""

import base64
import re
import secrets
import time
from collections import OrderedDict
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rostra.server import schema
from rostra.server.decisions import digest
from rostra.server.mail import MailError, is_address
from rostra.server.notify.box import ADDRESSES, FAILING, GUESSES, KINDS, AddressRow
from rostra.server.notify.calls import BadTarget, check
from rostra.server.notify.letters import Letter
from rostra.server.notify.office import Notify
from rostra.server.notify.postman import Undelivered
from rostra.server.notify.quiet import DAY, known_zone
from rostra.server.table import Refusal
from rostra.words import words

if TYPE_CHECKING:
    from rostra.server.routes import Asked

CODE_MS = 3600 * 1000
"""A code is good for this long."""
MAILS, MAIL_SECONDS, TARGETS = 3, 24 * 3600, 10_000
"""Codes that are sent to one e-mail address in this time, whoever asks, and how many addresses are remembered."""
_is_id = re.compile(r"[0-9a-f]{20}").fullmatch  # not every text is safe in a database
LONGEST_KEY = 80
"""Characters of a part of an address, as documented."""
_is_key = re.compile(r"[0-9A-Za-z_-]{32}").fullmatch
_codes: OrderedDict[str, list[float]] = OrderedDict()


async def notifications(asked: "Asked") -> schema.Notifications:
    """All about my notifications."""
    notify, person = asked.live.notify, asked.me().id
    vacation, left = await notify.vacations.state(person)
    rows = await notify.box.addresses(person)
    pusher = notify.postman.pusher
    return schema.Notifications(
        notify.offered, pusher.public_key if pusher else None, await notify.box.taste(person),
        [_shown(row) for row in rows], vacation, left / DAY,
    )  # fmt: skip


def _shown(row: AddressRow) -> schema.Address:
    target = urlsplit(row.target).netloc if row.channel == "push" else row.target
    kinds = [kind for kind in KINDS if kind in row.kinds.split()]
    return schema.Address(row.id, row.channel, target, kinds, row.confirmed > 0, row.failures >= FAILING)


async def set_taste(asked: "Asked") -> schema.Notifications:
    """Language, time zone and quiet hours."""
    taste: schema.NotifyTaste = asked.body
    if not known_zone(taste.zone):
        raise Refusal("bad-option", f"there is no time zone {taste.zone!r}; one is called Europe/Berlin")
    await asked.live.notify.box.set_taste(asked.me().id, taste)
    return await notifications(asked)


def _written(kinds: list[schema.CallKind] | None) -> str:
    """Kinds as they are stored."""
    return f" {' '.join(kind for kind in KINDS if kinds is None or kind in kinds)} "


async def add_address(asked: "Asked") -> schema.AddressMade:
    """Somewhere to send to. Mail is confirmed by a code, a webhook by its answer; a browser has asked its user."""
    notify, person, new = asked.live.notify, asked.me().id, asked.body
    if new.channel not in notify.offered:
        raise Refusal("not-offered", f"this server sends no messages by {new.channel}")
    known = await notify.box.addresses(person)
    if len(known) >= ADDRESSES and all(row.target != new.target for row in known):
        raise Refusal("too-many", f"at most {ADDRESSES} addresses for one person; remove one first")
    now = notify.clock()
    row = AddressRow(secrets.token_hex(10), person, new.channel, new.target, "", _written(new.kinds), 0, "", 0, 0, now)
    if new.channel == "email":
        return await _add_mail(notify, row)
    try:
        check(new.target, notify.wishes.private_targets)
    except BadTarget as error:
        raise Refusal("bad-address", str(error)) from error
    if new.channel == "webhook":
        return await _add_hook(notify, row)
    if new.keys is None or not _good_keys(new.keys):
        raise Refusal("bad-address", "a push subscription has two keys, p256dh and auth")
    keys = schema.encode(new.keys).decode()
    return await _added(notify, row._replace(keys=keys, confirmed=now), None)


def _good_keys(keys: schema.PushKeys) -> bool:
    from rostra.server.notify.push import good_keys  # only where the extra is installed

    return good_keys(keys)


async def _added(notify: Notify, row: AddressRow, secret: str | None) -> schema.AddressMade:
    await notify.box.add(row)
    rows = await notify.box.addresses(row.person)
    kept = next(one.id for one in rows if (one.channel, one.target) == (row.channel, row.target))
    return schema.AddressMade(kept, secret)


async def _add_mail(notify: Notify, row: AddressRow) -> schema.AddressMade:
    if not is_address(row.target):
        raise Refusal("bad-address", "this is no e-mail address")
    row = row._replace(target=row.target.lower())
    _spare(row.target)
    code = f"{secrets.randbelow(10**6):06}"
    said = words((await notify.box.taste(row.person)).language)
    text = said.say("notify.code_text", code=code, link=f"{notify.wishes.public_url}/me")
    made = await _added(notify, row._replace(keys=secrets.token_urlsafe(24), code=digest(row.person + code)), None)
    try:
        await notify.mailer.send(row.target, said.say("notify.code_subject", code=code), text)
    except MailError as error:
        await notify.box.remove(row.person, made.address)
        raise Refusal("unavailable", f"the mail could not be sent: {error}") from error
    return made


def _spare(target: str) -> None:
    """Nobody gets mail again and again because others give this address."""
    now = time.monotonic()
    sent = [at for at in _codes.get(target, []) if now - at < MAIL_SECONDS]
    if len(sent) >= MAILS:
        raise Refusal("slow-down", "this address has got enough codes for today")
    _codes[target] = [*sent, now]
    _codes.move_to_end(target)
    if len(_codes) > TARGETS:
        _codes.popitem(last=False)


async def _add_hook(notify: Notify, row: AddressRow) -> schema.AddressMade:
    secret = "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode()
    row = row._replace(keys=secret, confirmed=notify.clock())
    await _try(notify, row)
    return await _added(notify, row, secret)


async def _try(notify: Notify, row: AddressRow) -> None:
    """Send a message that says that it works."""
    language = (await notify.box.taste(row.person)).language
    letter = Letter(words(language).say("notify.test_title"), [words(language).say("notify.test_text")], "")
    try:
        await notify.postman.send(row, letter, language)
    except Undelivered as error:
        raise Refusal("bad-address", f"the message did not arrive: {error}") from error


async def _mine(asked: "Asked") -> AddressRow:
    address = str(asked.path["address"])
    row = await asked.live.notify.box.address(address) if _is_id(address) else None
    if row is None or row.person != asked.me().id:
        raise Refusal("no-address", "you have no such address")
    return row


async def confirm_address(asked: "Asked") -> schema.Notifications:
    """Whoever reads the mail has the code."""
    notify, row = asked.live.notify, await _mine(asked)
    guessed = await notify.box.guess(row.person, row.id)
    if guessed is None or notify.clock() - guessed.created > CODE_MS:
        if row.confirmed:
            return await notifications(asked)
        raise Refusal(
            "bad-code", f"this code is not good any more after an hour or {GUESSES} guesses; ask for a new one"
        )
    if not secrets.compare_digest(digest(row.person + asked.body.code), guessed.code):
        raise Refusal("bad-code", "this is not the code in the mail")
    await notify.box.confirm(row.id, notify.clock())
    return await notifications(asked)


async def set_kinds(asked: "Asked") -> schema.Notifications:
    """What is sent to an address."""
    row = await _mine(asked)
    await asked.live.notify.box.set_kinds(row.person, row.id, _written(asked.body.kinds))
    return await notifications(asked)


async def try_address(asked: "Asked") -> schema.Notifications:
    """Send a message there now."""
    row = await _mine(asked)
    if not row.confirmed:
        raise Refusal("bad-code", "confirm this address first")
    await _try(asked.live.notify, row)
    await asked.live.notify.box.delivered(row.id)
    return await notifications(asked)


async def remove_address(asked: "Asked") -> schema.Notifications:
    """Send nothing there any more."""
    row = await _mine(asked)
    await asked.live.notify.box.remove(row.person, row.id)
    return await notifications(asked)


async def unsubscribe(asked: "Asked") -> schema.Unsubscribed:
    """No more mail to the address of this link; whoever has the link may do that."""
    key = str(asked.path["key"])
    if len(key) > LONGEST_KEY:
        raise Refusal("not-found", f"the last part of an unsubscribe link has at most {LONGEST_KEY} characters")
    return schema.Unsubscribed(bool(_is_key(key)) and await asked.live.notify.box.unsubscribe(key))


async def vacation(asked: "Asked") -> schema.Notifications:
    """Go on vacation, or come back."""
    await asked.live.notify.vacations.set(asked.me().id, asked.body.until)
    return await notifications(asked)
