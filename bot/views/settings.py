"""The settings page of a server: selects that show the present value and save what is chosen."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Self

import discord
from discord import ui

from bot.store import guilds
from bot.store.guilds import ServerSettings, Starters
from bot.views.host import host_of
from game.rox.settings import Checking, Preset, RoxSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bot.locales.catalogue import Words

_MOST_CHANNELS: Final = 25


def may_change(interaction: discord.Interaction) -> bool:
    """Whether a person may change the server's settings."""
    return interaction.permissions.manage_guild


@dataclass(frozen=True, slots=True)
class _Choice:
    """A setting that is one of a few values.

    Attributes:
        title: what it is called, with a sentence of help.
        options: value and label of each option.
        present: the value that holds.
    """

    title: str
    options: tuple[tuple[str, str], ...]
    present: str


def _choices(server: ServerSettings, words: Words) -> dict[str, _Choice]:
    rox = server.of("rox", RoxSettings)
    return {
        "preset": _Choice(
            words.text("**Rules**: who wins ties, and in which order prizes come."),
            (
                ("rulebook", words.text("Rulebook: the caller wins ties")),
                ("fair", words.text("Fair: a caller whose row broke loses ties, prizes grow")),
            ),
            rox.preset.value,
        ),
        "checking": _Choice(
            words.text("**Checking**: when a wrong stone shows."),
            (
                ("magic-eye", words.text("Magic eye: when the round is over")),
                ("instant", words.text("Instant: at once, for beginners")),
            ),
            rox.checking.value,
        ),
        "shortest": _Choice(
            words.text("**Shortest valid row**: from how many cards on a row wins something."),
            (("2", words.text("2 cards")), ("3", words.text("3 cards"))),
            str(rox.shortest),
        ),
        "rest": _Choice(
            words.text("**Hand rest**: how long a hand is busy after each card."),
            tuple(
                (str(n), words.count("{n} second", "{n} seconds", n) if n else words.text("none"))
                for n in range(6)
            ),
            str(rox.rest_ms // 1000),
        ),
        "opponents": _Choice(
            words.text("**Simulated opponents**: whether a lobby may have any."),
            (("yes", words.text("Allowed")), ("no", words.text("Not allowed"))),
            "yes" if server.opponents else "no",
        ),
        "starters": _Choice(
            words.text("**Who may start** a match."),
            (
                ("everyone", words.text("Everybody")),
                ("managers", words.text("Who may manage channels")),
                ("role", words.text("A role, chosen below")),
            ),
            server.starters.value,
        ),
    }


def _chosen(field: str, value: str) -> Callable[[ServerSettings], ServerSettings]:
    def change(server: ServerSettings) -> ServerSettings:
        rox = server.of("rox", RoxSettings)
        match field:
            case "preset":
                return server.having("rox", replace(rox, preset=Preset(value)))
            case "checking":
                return server.having("rox", replace(rox, checking=Checking(value)))
            case "shortest":
                return server.having("rox", replace(rox, shortest=int(value)))
            case "rest":
                return server.having("rox", replace(rox, rest_ms=int(value) * 1000))
            case "opponents":
                return replace(server, opponents=value == "yes")
            case _:
                return replace(server, starters=Starters(value))

    return change


def settings_view(server: ServerSettings, words: Words) -> ui.LayoutView:
    """Return the settings page with the values that hold."""
    container: ui.Container[Any] = ui.Container()
    container.add_item(ui.TextDisplay(f"### {words.text('How this server plays Rox')}"))
    for field, choice in _choices(server, words).items():
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
    host = host_of(interaction)
    if interaction.guild_id is None or not may_change(interaction):
        text = host.words.text("Only members who may manage the server can change this.")
        await interaction.response.send_message(text, ephemeral=True)
        return
    await interaction.response.defer()
    async with host.database.write() as session:
        server = change(await guilds.load(session, interaction.guild_id))
        await guilds.save(session, interaction.guild_id, server)
    await interaction.edit_original_response(view=settings_view(server, host.words))


class ChoicePicker(
    ui.DynamicItem[ui.Select[Any]], template=re.compile(r"settings:choice:(?P<field>[a-z]+)")
):
    """Picks one of a few values."""

    def __init__(self, field: str, choice: _Choice | None = None) -> None:
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
        await _save(interaction, _chosen(self.field, _values(interaction)[0]))


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
        channels = tuple(sorted(int(value) for value in _values(interaction)))
        await _save(interaction, lambda server: replace(server, channels=channels))


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
        chosen = _values(interaction)
        role = int(chosen[0]) if chosen else None
        starters = Starters.ROLE if chosen else Starters.EVERYONE
        await _save(
            interaction, lambda server: replace(server, starters=starters, starter_role=role)
        )


def _values(interaction: discord.Interaction) -> list[str]:
    """Return what was chosen, as Discord sends it."""
    data: Any = interaction.data
    return list(data.get("values", ()))
