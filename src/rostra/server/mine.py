"""Requests about people: devices and codes, profiles, friends, blocks, reports, my data."""

from typing import TYPE_CHECKING

from rostra.server import decisions, erasing, schema
from rostra.server.table import Refusal, Table

if TYPE_CHECKING:  # the list of all requests is there
    from rostra.server.routes import Asked


async def devices(asked: "Asked") -> schema.Devices:
    """Where I am signed in."""
    return await asked.live.people.devices.all(asked.me().id, decisions.digest(asked.token))


async def name_device(asked: "Asked") -> schema.Devices:
    """What I call a device."""
    await asked.live.people.devices.name(asked.me().id, asked.path["device"], asked.body.label)
    return await devices(asked)


async def revoke(asked: "Asked") -> schema.Devices:
    """Sign a device out."""
    me = asked.me().id
    await asked.live.people.devices.revoke(me, asked.path["device"])
    return await asked.live.people.devices.all(me, decisions.digest(asked.token))


async def renew(asked: "Asked") -> schema.NewToken:
    """Another token."""
    me, this = asked.me(), decisions.digest(asked.token)
    if asked.body.label:
        await asked.live.people.devices.name(me.id, this[:12], asked.body.label)
    return await asked.live.people.devices.renew(me, this)


async def new_code(asked: "Asked") -> schema.Code:
    """A code that works once."""
    return await asked.live.people.devices.code(asked.me().id, asked.body.kind)


async def sign_in(asked: "Asked") -> schema.NewToken:
    """A token for another device."""
    asked.gate.make("people", asked.address)
    return await asked.live.people.devices.sign_in(asked.body.code, asked.body.label)


# People.


async def my_profile(asked: "Asked") -> schema.Profile:
    """My profile."""
    me = asked.me().id
    return await asked.live.profiles.profile(me, me)


async def set_profile(asked: "Asked") -> schema.Profile:
    """Whether everybody may see it."""
    await asked.live.profiles.set_public(asked.me().id, asked.body.public)
    return await my_profile(asked)


async def profile(asked: "Asked") -> schema.Profile:
    """Somebody's profile."""
    profiles = asked.live.profiles
    before = asked.query.get("before", "")
    if before and not (before.isascii() and before.isdigit() and len(before) <= 14):
        raise Refusal("bad-option", f"before is a time in milliseconds, not {before[:20]!r}")
    person = await profiles.person(asked.path["person"])
    return await profiles.profile(person, asked.person.id if asked.person else None, int(before) if before else None)


async def acquaintances(asked: "Asked") -> schema.Acquaintances:
    """My friends, and whom I block."""
    return await asked.live.profiles.acquaintances(asked.me().id)


async def befriend(asked: "Asked") -> schema.Acquaintances:
    """A new friend."""
    await asked.live.profiles.befriend(asked.me().id, asked.body.code)
    return await acquaintances(asked)


async def part(asked: "Asked") -> schema.Acquaintances:
    """No friend any more."""
    await asked.live.profiles.part(asked.me().id, await asked.live.profiles.person(asked.path["person"]))
    return await acquaintances(asked)


async def _who(asked: "Asked", match: str, seat: int) -> str:
    """The person in a seat."""

    def looking(table: Table) -> str | None:
        return table.seats[seat].person if seat < len(table.seats) and table.seats[seat].name is not None else None

    person = await asked.live.rooms.read(match, looking)
    if person is None:
        raise Refusal("no-person", f"there is no person in seat {seat}")
    return person


async def block(asked: "Asked") -> schema.Acquaintances:
    """Block who sits in a seat."""
    me = asked.me().id
    await asked.live.profiles.block(me, await _who(asked, asked.body.match, asked.body.seat), True)
    return await acquaintances(asked)


async def unblock(asked: "Asked") -> schema.Acquaintances:
    """Block somebody no longer."""
    await asked.live.profiles.block(asked.me().id, await asked.live.profiles.person(asked.path["person"]), False)
    return await acquaintances(asked)


async def report(asked: "Asked") -> schema.Removed:
    """Tell the operators about who sits in a seat."""
    me, match = asked.me().id, asked.path["match"]
    await asked.live.profiles.report(me, match, asked.body, await _who(asked, match, asked.body.seat))
    return schema.Removed()


async def sitting(asked: "Asked") -> schema.SittingPeople:
    """Who plays, as far as their profiles are open to me."""

    def looking(table: Table) -> tuple[list[tuple[int, str]], str, int]:
        people = [(n, seat.person) for n, seat in enumerate(table.seats) if seat.person and seat.name is not None]
        return people, table.game.name, len(table.seats)

    people, game, seats = await asked.live.rooms.read(asked.path["match"], looking)
    me = asked.person.id if asked.person else None
    return schema.SittingPeople(await asked.live.profiles.sitting(people, game, seats, me))


async def export(asked: "Asked") -> schema.Export:
    """My data."""
    me = asked.me()
    deeds = await erasing.deeds(asked.live.store, me.id)
    return await asked.live.profiles.export(me, decisions.digest(asked.token), deeds)


async def erase(asked: "Asked") -> schema.Removed:
    """Erase me."""
    me = asked.me()
    if asked.body.name != me.name:
        raise Refusal("bad-body", "to be erased, send your name exactly as it is")
    devices = await asked.live.people.devices.all(me.id, "")
    await erasing.erase(asked.live.store, asked.live.rooms, me.id)
    await asked.live.people.gone(me.id, [one.device for one in devices.devices])
    return schema.Removed()
