"""Buttons of matches; they survive a restart, because their custom id says all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import ui

from bot.games.sheet import Button, Verb
from bot.views.host import host_of
from bot.views.presses import asks_first, may_tell, press
from bot.views.refusals import acknowledge, answering

if TYPE_CHECKING:
    from bot.views.host import Host

_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}
_ID = re.compile(r"match:(?P<verb>[a-z-]+):(?P<match>[0-9]+):(?P<key>[a-z0-9-]+)")


_MARKS = 1_000_000
"""Component ids from here on name matches; Discord counts those that are left out up from 1."""


def mark_of(match: int) -> int:
    """Return the component id that marks a match's messages, those without buttons too."""
    return _MARKS + match


def read_mark(component: int | None) -> int | None:
    """Return the match that a component id names, or None."""
    return component - _MARKS if component is not None and component > _MARKS else None


def read_custom_id(custom_id: str) -> tuple[int, str] | None:
    """Return match and key that a button's custom id names, or None for other buttons."""
    found = _ID.fullmatch(custom_id)
    return None if found is None else (int(found["match"]), found["key"])


class MatchButton(ui.DynamicItem[ui.Button[Any]], template=_ID):
    """One button under a message that shows a match."""

    def __init__(self, verb: str, match: int, key: str, face: Button | None = None) -> None:
        self.verb, self.match, self.key = verb, match, key
        super().__init__(
            ui.Button(
                label=face.label if face else verb,
                emoji=face.emoji if face else None,
                style=_STYLES[face.style if face else "secondary"],
                custom_id=f"match:{verb}:{match}:{key}",
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the button again from a press on it."""
        return cls(match["verb"], int(match["match"]), match["key"])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Do it, acknowledge, and tell the person privately what the table does not show."""
        async with answering(interaction):
            await self._carry_out(interaction)

    async def _carry_out(self, interaction: discord.Interaction) -> None:
        host = host_of(interaction)
        runner = host.matches.registry.get(self.match)
        # With an earlier copy of the database a match's number can be given a second time.
        if runner is not None and runner.venue.channel != interaction.channel_id:
            runner = None
        if runner is None:
            text = host.words.text("That match is over. `/rox play` opens a new one.")
        elif self.verb not in set(Verb):
            text = host.words.text("That is no longer possible.")
        elif asks_first(Verb(self.verb), runner, interaction.user.id):
            await acknowledge(interaction)
            await self._ask(interaction, host)
            return
        else:
            text = await press(host, interaction, Verb(self.verb), runner, self.key)
        await acknowledge(interaction)
        if runner is not None:
            host.screen.pressed(runner, interaction)
        if self.verb == Verb.LEAVE_NOW:
            done = text or host.words.text("You have left. Thanks for playing!")
            await interaction.edit_original_response(content=done, view=None)
        elif text is not None and may_tell(host, interaction):
            await interaction.followup.send(text, ephemeral=True)

    async def _ask(self, interaction: discord.Interaction, host: Host) -> None:
        if not may_tell(host, interaction):
            return
        face = Button(Verb.LEAVE_NOW, host.words.text("Leave the match"), "danger")
        view = ui.View(timeout=None)
        view.add_item(MatchButton(Verb.LEAVE_NOW, self.match, "now", face))
        text = host.words.text(
            "Leave for good? Your row goes back, your points stay, and leavers never win."
        )
        await interaction.followup.send(text, view=view, ephemeral=True)
