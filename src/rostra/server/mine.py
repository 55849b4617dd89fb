"""Requests about the person who asks: devices and codes."""

from typing import TYPE_CHECKING

from rostra.server import decisions, schema

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
    return await asked.live.people.devices.sign_in(asked.body.code, asked.body.label)
