"""The command tree: what a person sees when a command can't be carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands

from bot.commands.options import fits
from bot.replies.acknowledging import tell, tell_failure
from bot.replies.reply_limits import easy
from bot.views.services import services_of

if TYPE_CHECKING:
    from bot.views.services import Services

_CHANGED: Final = (
    app_commands.CommandSignatureMismatch,
    app_commands.CommandNotFound,
    app_commands.TransformerError,
)


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
        services = services_of(interaction)
        if _is_move(services, data):
            return True
        wait_ms = services.whispers.commands.wait_ms(interaction.user.id, interaction.id)
        if wait_ms > 0:
            await tell(interaction, easy(wait_ms, services.words))
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
        words = services_of(interaction).words
        return words.text("That command has changed. Press Ctrl+R in Discord and try again.")


def _is_move(services: Services, data: Any) -> bool:
    """Return whether a command is a game's own: the rules say how often somebody may move."""
    game = services.games.get(str(data.get("name")))
    used = {option.get("name") for option in data.get("options", ())}
    return game is not None and bool(used & {command.name for command in game.commands})
