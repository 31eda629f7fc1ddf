"""The settings page of a server: selects that show the present value and save what is chosen."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Self

import discord
from discord import ui

from bot.store import guilds
from bot.store.guilds import ServerSettings, Starters
from bot.views.choices import Choice, choices, chosen
from bot.views.host import host_of
from bot.views.refusals import acknowledge, answering

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bot.locales.catalogue import Words

_MOST_CHANNELS: Final = 25
_LONGEST_ID: Final = 19

log = logging.getLogger(__name__)


def may_change(interaction: discord.Interaction) -> bool:
    """Whether a person may change the server's settings."""
    return interaction.permissions.manage_guild


def settings_view(server: ServerSettings, words: Words) -> ui.LayoutView:
    """Return the settings page with the values that hold."""
    container: ui.Container[Any] = ui.Container()
    container.add_item(ui.TextDisplay(f"### {words.text('How this server plays Rox')}"))
    for field, choice in choices(server, words).items():
        _add(container, choice.title, ChoicePicker(field, choice))
    title = words.text("**Starting role**: who may start, if a role is chosen above.")
    _add(container, title, RolePicker(server.starter_role))
    title = words.text("**Channels** for matches; none chosen means everywhere.")
    _add(container, title, ChannelsPicker(server.channels))
    small = words.text("Saved as you choose. Changes hold from the next match on.")
    container.add_item(ui.TextDisplay(f"-# {small}"))
    view = ui.LayoutView(timeout=None)
    view.add_item(container)
    return view


def _add(container: ui.Container[Any], title: str, item: ui.Item[Any]) -> None:
    container.add_item(ui.TextDisplay(title))
    row: ui.ActionRow[Any] = ui.ActionRow()
    row.add_item(item)
    container.add_item(row)


async def _save(
    interaction: discord.Interaction, change: Callable[[ServerSettings], ServerSettings]
) -> None:
    """Change one setting and show the page anew."""
    async with answering(interaction):
        await _change(interaction, change)


async def _change(
    interaction: discord.Interaction, change: Callable[[ServerSettings], ServerSettings]
) -> None:
    host = host_of(interaction)
    if interaction.guild_id is None or not may_change(interaction):
        text = host.words.text("Only members who may manage the server can change this.")
        await interaction.response.send_message(text, ephemeral=True)
        return
    await acknowledge(interaction)
    async with host.database.write() as session:
        server = await guilds.load(session, interaction.guild_id)
        try:
            server = change(server)
        except ValueError as error:
            log.warning("interaction %d chose what is not offered: %s", interaction.id, error)
        else:
            await guilds.save(session, interaction.guild_id, server)
    await interaction.edit_original_response(view=settings_view(server, host.words))


class ChoicePicker(
    ui.DynamicItem[ui.Select[Any]], template=re.compile(r"settings:choice:(?P<field>[a-z]+)")
):
    """Picks one of a few values."""

    def __init__(self, field: str, choice: Choice | None = None) -> None:
        self.field = field
        offered, present = (choice.options, choice.present) if choice else ((), "")
        options = [
            discord.SelectOption(label=label, value=value, default=value == present)
            for value, label in offered
        ]
        super().__init__(ui.Select(custom_id=f"settings:choice:{field}", options=options))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the select again from a choice."""
        return cls(match["field"])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Save the choice."""
        words = host_of(interaction).words
        await _save(interaction, chosen(self.field, _values(interaction), words))


class ChannelsPicker(
    ui.DynamicItem[ui.ChannelSelect[Any]], template=re.compile(r"settings:channels")
):
    """Picks the channels where matches are played."""

    def __init__(self, channels: Iterable[int] = ()) -> None:
        super().__init__(
            ui.ChannelSelect(
                custom_id="settings:channels",
                channel_types=[discord.ChannelType.text, discord.ChannelType.voice],
                min_values=0,
                max_values=_MOST_CHANNELS,
                default_values=[
                    discord.SelectDefaultValue(
                        id=channel, type=discord.SelectDefaultValueType.channel
                    )
                    for channel in channels
                ],
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the select again from a choice."""
        return cls()

    async def callback(self, interaction: discord.Interaction) -> None:
        """Save the channels."""
        picked = _values(interaction)

        def change(server: ServerSettings) -> ServerSettings:
            return replace(server, channels=tuple(sorted({_id(value) for value in picked})))

        await _save(interaction, change)


class RolePicker(ui.DynamicItem[ui.RoleSelect[Any]], template=re.compile(r"settings:role")):
    """Picks the role that may start matches."""

    def __init__(self, role: int | None = None) -> None:
        kind = discord.SelectDefaultValueType.role
        super().__init__(
            ui.RoleSelect(
                custom_id="settings:role",
                min_values=0,
                max_values=1,
                default_values=[discord.SelectDefaultValue(id=role, type=kind)] if role else [],
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the select again from a choice."""
        return cls()

    async def callback(self, interaction: discord.Interaction) -> None:
        """Save the role; choosing one lets it start matches, choosing none everybody."""
        picked = _values(interaction)

        def change(server: ServerSettings) -> ServerSettings:
            role = _id(picked[0]) if picked else None
            starters = Starters.EVERYONE if role is None else Starters.ROLE
            return replace(server, starters=starters, starter_role=role)

        await _save(interaction, change)


def _id(value: str) -> int:
    """Return one of Discord's ids.

    Raises:
        ValueError: it is none.
    """
    if not (value.isascii() and value.isdigit() and len(value) <= _LONGEST_ID):
        raise ValueError(value)
    return int(value)


def _values(interaction: discord.Interaction) -> list[str]:
    """Return what was chosen, as Discord sends it."""
    data: Any = interaction.data
    return list(data.get("values", ()))
