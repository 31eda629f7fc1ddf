"""The command tree: what a person sees when a command can't be carried out."""

from __future__ import annotations

import logging

import discord
from discord import app_commands

from bot.views.host import host_of
from bot.views.refusals import CALL_ERRORS, not_taken

log = logging.getLogger(__name__)


class Tree(app_commands.CommandTree):
    """Answers every failed command privately, in a sentence, and keeps the fault in the log."""

    async def on_error(
        self, interaction: discord.Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Tell the person; a slash command is never met with silence."""
        words = host_of(interaction).words
        text = words.text("Something went wrong on my side. Please try again in a moment.")
        if isinstance(error, app_commands.CommandSignatureMismatch | app_commands.CommandNotFound):
            text = words.text("That command has changed. Press Ctrl+R in Discord and try again.")
        elif isinstance(cause := getattr(error, "original", error), CALL_ERRORS):
            not_taken(interaction, cause)
            if not interaction.response.is_done():
                return  # another copy of the same command may have its answer already
        else:
            log.error("a command failed", exc_info=error)
        try:
            if interaction.response.is_done():
                await interaction.followup.send(text, ephemeral=True)
            else:
                await interaction.response.send_message(text, ephemeral=True)
        except CALL_ERRORS as refusal:
            not_taken(interaction, refusal)
