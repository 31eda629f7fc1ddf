"""Selects in a lobby, with which the host chooses the match's settings; they survive a restart."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import ui

from bot.games.choices import changed_values, find_choice
from bot.views.presses import done, is_outdated, may_tell, outdated_text, over_text
from bot.views.refusals import acknowledge, answering
from bot.views.services import services_of
from game.actions import Configure

if TYPE_CHECKING:
    from bot.games.sheet import Select
    from bot.matches.runner import Runner
    from bot.views.services import Services

log = logging.getLogger(__name__)

_ID = re.compile(r"choose:(?P<choice>[a-z]+):(?P<match>[0-9]+):(?P<key>[a-z0-9-]+)")


class MatchSelect(ui.DynamicItem[ui.Select[Any]], template=_ID):
    """Picks one value of a choice about a match."""

    def __init__(self, choice: str, match: int, key: str, face: Select | None = None) -> None:
        self.choice, self.match, self.key = choice, match, key
        offered, current = (face.options, face.value) if face else ((), "")
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
        """Make the select again from a choice."""
        return cls(match["choice"], int(match["match"]), match["key"])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Put the choice into the match, and tell the person privately if it is refused."""
        async with answering(interaction):
            services = services_of(interaction)
            runner = services.runner_for(self.match, interaction.channel_id)
            text = await self._choose(interaction, services, runner)
            await acknowledge(interaction)
            if runner is not None:
                services.display.pressed(runner, interaction)
            if text is not None and may_tell(services, interaction):
                await interaction.followup.send(text, ephemeral=True)

    async def _choose(
        self, interaction: discord.Interaction, services: Services, runner: Runner | None
    ) -> str | None:
        if runner is None:
            return await over_text(services, self.match)
        if is_outdated(interaction, runner, self.key):
            return outdated_text(services)
        action = self._action(interaction, services, runner)
        if action is None:
            return services.words.text("That is no longer possible.")
        return await done(services, interaction, runner, action)

    def _action(
        self, interaction: discord.Interaction, services: Services, runner: Runner
    ) -> Configure | None:
        game, values = services.game_of(runner), selected(interaction)
        choice = find_choice(game.choices, self.choice)
        value = values[0] if len(values) == 1 else ""
        if not (choice and choice.in_lobby and choice.has_option(value, services.words)):
            log.warning("interaction %d chose what is not offered", interaction.id)
            return None
        settings = game.read_settings(runner.match.opening.settings)
        plain = changed_values(choice, settings, value, services.words)
        return Configure(interaction.id, interaction.user.id, plain)


def selected(interaction: discord.Interaction) -> list[str]:
    """Return the values that were chosen in a select, as Discord sends them."""
    data: Any = interaction.data
    return list(data.get("values", ()))
