"""The command tree: refuses invalid and too frequent commands, and reports errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands

from bot.commands.options import has_valid_options
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
    """A command tree that replies privately to every command that fails, and logs the error."""

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Refuse options that the command does not declare, and commands above the limit."""
        data: Any = interaction.data
        command = self.get_command(str(data.get("name")))
        if data.get("type", 1) != discord.AppCommandType.chat_input.value or command is None:
            return True
        if not has_valid_options(command, data):
            await tell(interaction, self._changed_text(interaction))
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
        """Reply to a command that failed.

        A failed check gets no reply here, because the check itself replies.
        """
        if isinstance(error, _CHANGED):
            await tell(interaction, self._changed_text(interaction))
        elif not isinstance(error, app_commands.CheckFailure):
            await tell_failure(interaction, getattr(error, "original", error))

    def _changed_text(self, interaction: discord.Interaction) -> str:
        words = services_of(interaction).words
        return words.text("That command has changed. Press Ctrl+R in Discord and try again.")


def _is_move(services: Services, data: Any) -> bool:
    """Return whether a command is a move, whose rate the rules of the game limit."""
    game = services.games.get(str(data.get("name")))
    used = {option.get("name") for option in data.get("options", ())}
    return game is not None and bool(used & {command.name for command in game.commands})
