"""Selects in which the host chooses a match's settings; they work after a restart."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import ui

from bot.games.choices import changed_values, find_choice
from bot.replies.acknowledging import acknowledge, answering
from bot.views.presses import (
    allow_reply,
    is_outdated,
    match_over_text,
    outdated_text,
    perform_action,
)
from bot.views.services import services_of
from game.actions import Configure

if TYPE_CHECKING:
    from bot.games.sheet import Select
    from bot.matches.runner import Runner
    from bot.views.services import Services

log = logging.getLogger(__name__)

_ID = re.compile(r"choose:(?P<choice>[a-z]+):(?P<match>[0-9]+):(?P<key>[a-z0-9-]+)")


class MatchSelect(ui.DynamicItem[ui.Select[Any]], template=_ID):
    """A select for one choice of a match's settings.

    Args:
        choice: the name of the choice.
        match: the id of the match.
        key: the key of the message.
        select: the options, which only a sent select needs.
    """

    def __init__(self, choice: str, match: int, key: str, select: Select | None = None) -> None:
        self.choice, self.match, self.key = choice, match, key
        offered, current = (select.options, select.value) if select else ((), "")
        options = [
            discord.SelectOption(label=label, value=value, default=value == current)
            for value, label in offered
        ]
        custom_id = f"choose:{choice}:{match}:{key}"
        super().__init__(ui.Select(custom_id=custom_id, options=options))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Create the select from the custom id of an interaction."""
        return cls(match["choice"], int(match["match"]), match["key"])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Change the match's settings, and reply privately if that is refused."""
        async with answering(interaction):
            services = services_of(interaction)
            runner = services.runner_for(self.match, interaction.channel_id)
            text = await self._choose(interaction, services, runner)
            await acknowledge(interaction)
            if runner is not None:
                services.display.pressed(runner, interaction)
            if text is not None and allow_reply(services, interaction):
                await interaction.followup.send(text, ephemeral=True)

    async def _choose(
        self, interaction: discord.Interaction, services: Services, runner: Runner | None
    ) -> str | None:
        if runner is None:
            return await match_over_text(services, self.match)
        if is_outdated(interaction, runner, self.key):
            return outdated_text(services)
        action = self._action(interaction, services, runner)
        if action is None:
            return services.words.text("That is no longer possible.")
        return await perform_action(services, interaction, runner, action)

    def _action(
        self, interaction: discord.Interaction, services: Services, runner: Runner
    ) -> Configure | None:
        game, values = services.game_of(runner), selected_values(interaction)
        choice = find_choice(game.choices, self.choice)
        value = values[0] if len(values) == 1 else ""
        if not (choice and choice.in_lobby and choice.has_option(value, services.words)):
            log.warning("interaction %d chose an unknown value", interaction.id)
            return None
        settings = game.read_settings(runner.match.opening.settings)
        plain = changed_values(choice, settings, value, services.words)
        return Configure(interaction.id, interaction.user.id, plain)


def selected_values(interaction: discord.Interaction) -> list[str]:
    """Return the values chosen in a select, as Discord sends them."""
    data: Any = interaction.data
    return list(data.get("values", ()))
