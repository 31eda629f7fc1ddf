"""A sheet as a Discord message: its components (Components V2) and its files."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.games.sheet import Buttons, Picture, Select, Sheet, Text
from bot.views.buttons import MatchButton, component_id
from bot.views.selects import MatchSelect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.channel.drawing import Studio
    from bot.games.sheet import Block


def layout(sheet: Sheet, match: int) -> ui.LayoutView:
    """Return the components of a sheet; its pictures are named attachments."""
    colour = discord.Colour(sheet.colour)
    container: ui.Container[Any] = ui.Container(accent_colour=colour, id=component_id(match))
    for block in sheet.blocks:
        container.add_item(_item(block, match, sheet.key))
    view = ui.LayoutView(timeout=None)
    view.add_item(container)
    return view


async def draw_files(studio: Studio, pictures: Sequence[Picture], theme: str) -> list[discord.File]:
    """Return pictures as files to be sent, drawn off the event loop."""
    drawn = await studio.draw_all([picture.scene for picture in pictures], theme)
    return [
        discord.File(BytesIO(png), filename=picture.name, description=picture.alt)
        for picture, png in zip(pictures, drawn, strict=True)
    ]


def _item(block: Block, match_id: int, key: str) -> ui.Item[Any]:
    match block:
        case Text(content):
            return ui.TextDisplay(content)
        case Picture(name, _, alt):
            media = discord.MediaGalleryItem(f"attachment://{name}", description=alt)
            return ui.MediaGallery(media)
        case Buttons(items):
            row: ui.ActionRow[Any] = ui.ActionRow()
            for button in items:
                row.add_item(MatchButton(button.verb, match_id, key, button))
            return row
        case Select():
            line: ui.ActionRow[Any] = ui.ActionRow()
            line.add_item(MatchSelect(block.choice, match_id, key, block))
            return line
