"""Taking the buttons from a message whose content nobody remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import discord
from discord import ui

if TYPE_CHECKING:
    from collections.abc import Collection


async def strip(channel: discord.abc.Messageable, message_id: int) -> None:
    """Take the buttons from one of the bot's own messages, and leave all the rest as it is.

    Raises:
        discord.HTTPException: the message is gone, or can't be edited.
    """
    message = await channel.fetch_message(message_id)
    view = ui.LayoutView.from_message(message, timeout=None)
    rows = [item for item in view.walk_children() if isinstance(item, ui.ActionRow)]
    if not rows:
        return
    names = {attachment.filename for attachment in message.attachments}
    for item in list(view.walk_children()):
        if isinstance(item, ui.MediaGallery):
            _name_own_files(item, names)
        elif isinstance(item, ui.ActionRow):
            holder = item.parent if isinstance(item.parent, ui.Container) else view
            holder.remove_item(item)
    await message.edit(
        view=view,
        attachments=message.attachments,
        allowed_mentions=discord.AllowedMentions.none(),
    )


def _name_own_files(gallery: ui.MediaGallery[ui.LayoutView], names: Collection[str]) -> None:
    """Name pictures by their attachments again: Discord tells of them by passing addresses."""
    for item in gallery.items:
        name = urlsplit(item.media.url).path.rsplit("/", 1)[-1] or urlsplit(item.media.url).netloc
        if name in names:
            item.media = f"attachment://{name}"
