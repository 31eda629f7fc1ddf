"""The command tree: what a person sees when a command can't be carried out."""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import app_commands

from bot.commands.options import fits
from bot.views.host import host_of
from bot.views.refusals import tell, tell_failure
from bot.views.whispers import easy

_CHANGED: Final = (
    app_commands.CommandSignatureMismatch,
    app_commands.CommandNotFound,
    app_commands.TransformerError,
)

_MOVES: Final = {"take", "back"}
"""Commands that are never held up here: the hand's rest does that, by the rules."""


class Tree(app_commands.CommandTree):
    """Answers every failed command privately, in a sentence, and keeps the fault in the log."""

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Refuse options that are not what the commands now take, and who does not pause."""
        data: Any = interaction.data
        command = self.get_command(str(data.get("name")))
        if data.get("type", 1) != discord.AppCommandType.chat_input.value or command is None:
            return True
        if not fits(command, data):
            await tell(interaction, self._changed(interaction))
            return False
        if {option.get("name") for option in data.get("options", ())} & _MOVES:
            return True
        host = host_of(interaction)
        wait_ms = host.whispers.commands.wait_ms(interaction.user.id, interaction.id)
        if wait_ms > 0:
            await tell(interaction, easy(wait_ms, host.words))
        return wait_ms == 0

    async def on_error(
        self, interaction: discord.Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Tell the person; a slash command is never met with silence, and who checks answers."""
        if isinstance(error, _CHANGED):
            await tell(interaction, self._changed(interaction))
        elif not isinstance(error, app_commands.CheckFailure):
            await tell_failure(interaction, getattr(error, "original", error))

    def _changed(self, interaction: discord.Interaction) -> str:
        words = host_of(interaction).words
        return words.text("That command has changed. Press Ctrl+R in Discord and try again.")
