"""The settings page of a server: selects that show and change the settings."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Self

import discord
from discord import ui

from bot.replies.acknowledging import acknowledge, answering
from bot.store import guilds
from bot.store.guilds import ServerSettings, Starters
from bot.views.choices import choose, server_choices
from bot.views.selects import selected_values
from bot.views.services import services_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bot.games.choices import Choice
    from bot.games.plug import GamePlug
    from bot.locales.catalogue import Words

_MAX_CHANNELS: Final = 25
_MAX_ID_LENGTH: Final = 19

log = logging.getLogger(__name__)


def may_change(interaction: discord.Interaction) -> bool:
    """Return whether the user may change the server's settings."""
    return interaction.permissions.manage_guild


def settings_view(game: GamePlug, server: ServerSettings, words: Words) -> ui.LayoutView:
    """Return the settings page of a game with the current values."""
    name = game.machine.rules.name
    container: ui.Container[Any] = ui.Container()
    heading = words.text("How this server plays {title}", title=game.title)
    container.add_item(ui.TextDisplay(f"### {heading}"))
    for choice in server_choices(game):
        picker = ChoicePicker(name, choice.name, _options(choice, server, words))
        _add(container, choice.title(words), picker)
    title = words.text("**Starting role**: who may start, if a role is chosen above.")
    _add(container, title, RolePicker(name, server.starter_role))
    title = words.text("**Channels** for matches; none chosen means everywhere.")
    _add(container, title, ChannelsPicker(name, server.channels))
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


def _options(
    choice: Choice[ServerSettings], server: ServerSettings, words: Words
) -> list[discord.SelectOption]:
    current = choice.read(server)
    return [
        discord.SelectOption(label=label, value=value, default=value == current)
        for value, label in choice.options(words)
    ]


async def _save(
    interaction: discord.Interaction,
    game: str,
    change: Callable[[ServerSettings], ServerSettings],
) -> None:
    """Save a change of the settings and update the settings page of a game."""
    async with answering(interaction):
        await _save_change(interaction, services_of(interaction).games[game], change)


async def _save_change(
    interaction: discord.Interaction,
    game: GamePlug,
    change: Callable[[ServerSettings], ServerSettings],
) -> None:
    services = services_of(interaction)
    if interaction.guild_id is None or not may_change(interaction):
        text = services.words.text("Only members who may manage the server can change this.")
        await interaction.response.send_message(text, ephemeral=True)
        return
    await acknowledge(interaction)
    async with services.database.write() as session:
        server = await guilds.load(session, interaction.guild_id)
        try:
            server = change(server)
        except ValueError as error:
            log.warning("interaction %d chose an unknown value: %s", interaction.id, error)
        else:
            await guilds.save(session, interaction.guild_id, server)
    await interaction.edit_original_response(view=settings_view(game, server, services.words))


class ChoicePicker(
    ui.DynamicItem[ui.Select[Any]],
    template=re.compile(r"settings:(?P<game>[a-z]+):choice:(?P<name>[a-z]+)"),
):
    """A select for one choice."""

    def __init__(self, game: str, name: str, options: Sequence[discord.SelectOption] = ()) -> None:
        self.game, self.name = game, name
        custom_id = f"settings:{game}:choice:{name}"
        super().__init__(ui.Select(custom_id=custom_id, options=list(options)))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Create the select from the custom id of an interaction."""
        return cls(match["game"], match["name"])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Save the chosen value."""
        services, values = services_of(interaction), selected_values(interaction)

        def change(server: ServerSettings) -> ServerSettings:
            game = services.games[self.game]
            return choose(server, game, self.name, values, services.words)

        await _save(interaction, self.game, change)


class ChannelsPicker(
    ui.DynamicItem[ui.ChannelSelect[Any]],
    template=re.compile(r"settings:(?P<game>[a-z]+):channels"),
):
    """A select for the channels where matches are played."""

    def __init__(self, game: str, channels: Iterable[int] = ()) -> None:
        self.game = game
        super().__init__(
            ui.ChannelSelect(
                custom_id=f"settings:{game}:channels",
                channel_types=[discord.ChannelType.text, discord.ChannelType.voice],
                min_values=0,
                max_values=_MAX_CHANNELS,
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
        """Create the select from the custom id of an interaction."""
        return cls(match["game"])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Save the channels."""
        values = selected_values(interaction)

        def change(server: ServerSettings) -> ServerSettings:
            return replace(server, channels=tuple(sorted({_parse_id(value) for value in values})))

        await _save(interaction, self.game, change)


class RolePicker(
    ui.DynamicItem[ui.RoleSelect[Any]], template=re.compile(r"settings:(?P<game>[a-z]+):role")
):
    """A select for the role that may start matches."""

    def __init__(self, game: str, role: int | None = None) -> None:
        self.game = game
        kind = discord.SelectDefaultValueType.role
        super().__init__(
            ui.RoleSelect(
                custom_id=f"settings:{game}:role",
                min_values=0,
                max_values=1,
                default_values=[discord.SelectDefaultValue(id=role, type=kind)] if role else [],
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Create the select from the custom id of an interaction."""
        return cls(match["game"])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Save the role that may start matches; without a role, everybody may."""
        values = selected_values(interaction)

        def change(server: ServerSettings) -> ServerSettings:
            role = _parse_id(values[0]) if values else None
            starters = Starters.EVERYONE if role is None else Starters.ROLE
            return replace(server, starters=starters, starter_role=role)

        await _save(interaction, self.game, change)


def _parse_id(value: str) -> int:
    """Return a value of a select as an id.

    Raises:
        ValueError: it is not an id.
    """
    if not (value.isascii() and value.isdigit() and len(value) <= _MAX_ID_LENGTH):
        raise ValueError(value)
    return int(value)
