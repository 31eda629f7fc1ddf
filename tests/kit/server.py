"""The simulated server around a table: its settings, permissions and threads."""

from __future__ import annotations

import discord
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.store import guilds
from tests.kit.table import Table

FLAGS = ["send_messages", "attach_files", "view_channel", "read_message_history"]
"""The permissions without which a match is paused."""


async def forbid(world, channel, *flags):
    """Take permissions away from the bot in a channel; with none, give all back."""
    _, denied = discord.PermissionOverwrite(**dict.fromkeys(flags, False)).pair()
    me = world.env.backend.bot_user.id
    world.env.backend.set_overwrite(
        channel.id, Overwrite(me, OverwriteType.MEMBER, allow=0, deny=denied.value)
    )
    await world.env.settle()
    await world.advance(1)


def overwrite_permissions(world, table, **flags):
    """Set the bot's permissions in a channel at once: True allows, False denies."""
    allowed, denied = discord.PermissionOverwrite(**flags).pair()
    me = world.env.backend.bot_user.id
    world.env.backend.set_overwrite(
        table.channel.id,
        Overwrite(me, OverwriteType.MEMBER, allow=allowed.value, deny=denied.value),
    )


async def choose_settings(world, section, settings):
    """Save one section of the server's settings, for its next matches."""
    async with world.bot.services.database.write() as session:
        server = await guilds.load(session, world.guild.id)
        await guilds.save(session, world.guild.id, server.with_section(section, settings))


def thread_of(world, table, owner):
    """Return a table in a new thread."""
    thread = world.env.backend.create_thread(table.channel.id, "side table", owner.id)
    (channel,) = [c for c in table.channel.threads if c.id == thread.id]
    return Table(world, channel)


async def change_thread(world, thread, **metadata):
    """Change a thread, for example archive or lock it."""
    world.env.backend.edit_channel(thread.channel.id, {}, thread_metadata=metadata)
    await world.env.settle()
    await world.advance(1)
