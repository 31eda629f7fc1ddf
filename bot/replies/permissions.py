"""What the bot must be allowed to do in a channel, named in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord

if TYPE_CHECKING:
    from bot.locales.catalogue import Words

INVITE: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    attach_files=True,
    read_message_history=True,
)
"""Everything that the bot asks for when it is invited."""


def missing(permissions: discord.Permissions, *, thread: bool) -> list[str]:
    """Return the names, as flags, of the permissions that a match lacks in a channel."""
    needed = [
        "view_channel",
        "send_messages_in_threads" if thread else "send_messages",
        "attach_files",
        "read_message_history",
    ]
    return [name for name in needed if not getattr(permissions, name)]


def permission_names(flags: list[str], words: Words) -> str:
    """Return permissions as Discord's settings call them, as a list in a sentence."""
    names = {
        "view_channel": words.text("View Channel"),
        "send_messages": words.text("Send Messages"),
        "send_messages_in_threads": words.text("Send Messages in Threads"),
        "attach_files": words.text("Attach Files"),
        "read_message_history": words.text("Read Message History"),
    }
    return words.listed([f"**{names[flag]}**" for flag in flags])


def lacking_text(interaction: discord.Interaction, words: Words) -> str | None:
    """Return what a match needs in the channel of an interaction; None: nothing is missing."""
    thread = isinstance(interaction.channel, discord.Thread)
    lacking = missing(interaction.app_permissions, thread=thread)
    if not lacking:
        return None
    return words.text(
        "The match can't go on yet: in this channel I need {permissions}. Somebody who manages "
        "the channel can allow that under Edit Channel → Permissions.",
        permissions=permission_names(lacking, words),
    )
