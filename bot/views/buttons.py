"""Buttons of matches; they survive a restart, because their custom id says all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import ui

from bot.games.plug import Form, Prompt
from bot.games.sheet import Verb
from bot.views.forms import open_form
from bot.views.presses import (
    PRIVATE_KEY,
    is_outdated,
    may_tell,
    outdated_text,
    over_text,
    press,
    pressed,
)
from bot.views.refusals import acknowledge, answering
from bot.views.services import services_of

if TYPE_CHECKING:
    from bot.games.sheet import Button
    from bot.matches.runner import Runner
    from bot.views.services import Services

_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}
_ID = re.compile(r"match:(?P<verb>[a-z0-9-]+):(?P<match>[0-9]+):(?P<key>[a-z0-9-]+)")


_FIRST_COMPONENT_ID = 1_000_000
"""Component ids from here on name matches; Discord counts those that are left out up from 1."""


def component_id(match: int) -> int:
    """Return the component id that marks a match's messages, those without buttons too."""
    return _FIRST_COMPONENT_ID + match


def match_of_component(component: int | None) -> int | None:
    """Return the match that a component id names, or None."""
    return component - _FIRST_COMPONENT_ID if component is not None and component > _FIRST_COMPONENT_ID else None


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
        services = services_of(interaction)
        runner = services.runner_for(self.match, interaction.channel_id)
        if runner is None:
            await acknowledge(interaction)
            if self._may_tell(interaction, services):
                await self._tell(interaction, await over_text(services, self.match))
            return
        game, view = services.game_of(runner), services.view(runner)
        outcome = game.press(view, pressed(interaction, self.verb))
        if isinstance(outcome, Prompt):
            await acknowledge(interaction)
            await self._ask(interaction, services, outcome)
            return
        if outcome is None and self.verb != Verb.MY_CARD:
            text = services.words.text("That is no longer possible.")
        elif is_outdated(interaction, runner, self.key):
            text = outdated_text(services)
        elif isinstance(outcome, Form):
            await open_form(interaction, outcome, (self.verb, self.match, self.key))
            return
        else:
            answers = self._answers_prompt(interaction)
            text = await press(services, interaction, runner, outcome, tell=answers)
        await self._end(interaction, services, runner, text)

    async def _end(
        self,
        interaction: discord.Interaction,
        services: Services,
        runner: Runner,
        text: str | None,
    ) -> None:
        await acknowledge(interaction)
        services.display.pressed(runner, interaction)
        if text is not None and self._may_tell(interaction, services):
            await self._tell(interaction, text)

    def _answers_prompt(self, interaction: discord.Interaction) -> bool:
        """Return whether the button belongs to a private question."""
        message = interaction.message
        private = message is not None and message.flags.ephemeral
        return private and self.key == PRIVATE_KEY and self.verb != Verb.MY_CARD

    def _may_tell(self, interaction: discord.Interaction, services: Services) -> bool:
        return self._answers_prompt(interaction) or may_tell(services, interaction)

    async def _tell(self, interaction: discord.Interaction, text: str) -> None:
        """Tell the person; what came of a question's answer takes the question's place."""
        if self._answers_prompt(interaction):
            await interaction.edit_original_response(content=text, view=None)
        else:
            await interaction.followup.send(text, ephemeral=True)

    async def _ask(
        self, interaction: discord.Interaction, services: Services, prompt: Prompt
    ) -> None:
        if not may_tell(services, interaction):
            return
        view = ui.View(timeout=None)
        for button in prompt.buttons:
            view.add_item(MatchButton(button.verb, self.match, PRIVATE_KEY, button))
        await interaction.followup.send(prompt.text, view=view, ephemeral=True)
