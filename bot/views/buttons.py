"""Buttons of matches; they work after a restart, because their custom id holds their state."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import ui

from bot.games.plug import Form, Prompt
from bot.games.sheet import Verb
from bot.replies.acknowledging import acknowledge, answering
from bot.views.forms import open_form
from bot.views.presses import (
    PRIVATE_KEY,
    allow_reply,
    is_outdated,
    match_over_text,
    outdated_text,
    perform_press,
    press_from,
)
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

_COMPONENT_ID_BASE = 1_000_000
"""Added to a match's id to make a component id. Discord numbers other components from 1."""


def component_id(match: int) -> int:
    """Return the id of the container in every message of a match.

    It identifies messages of the match that have no buttons, and so no custom id.
    """
    return _COMPONENT_ID_BASE + match


def match_of_component(component: int | None) -> int | None:
    """Return the match that a component id identifies, or None."""
    if component is None or component <= _COMPONENT_ID_BASE:
        return None
    return component - _COMPONENT_ID_BASE


def read_custom_id(custom_id: str) -> tuple[int, str] | None:
    """Return the match and the key in a button's custom id, or None for other buttons."""
    found = _ID.fullmatch(custom_id)
    return None if found is None else (int(found["match"]), found["key"])


class MatchButton(ui.DynamicItem[ui.Button[Any]], template=_ID):
    """One button of a message that shows a match.

    Args:
        verb: what the button does.
        match: the id of the match.
        key: the key of the message, or `PRIVATE_KEY`.
        button: the label, style and emoji, which only a sent button needs.
    """

    def __init__(self, verb: str, match: int, key: str, button: Button | None = None) -> None:
        self.verb, self.match, self.key = verb, match, key
        super().__init__(
            ui.Button(
                label=button.label if button else verb,
                emoji=button.emoji if button else None,
                style=_STYLES[button.style if button else "secondary"],
                custom_id=f"match:{verb}:{match}:{key}",
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Create the button from the custom id of a press."""
        return cls(match["verb"], int(match["match"]), match["key"])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Perform the press and reply privately with anything that the match's message lacks."""
        async with answering(interaction):
            await self._perform(interaction)

    async def _perform(self, interaction: discord.Interaction) -> None:
        services = services_of(interaction)
        runner = services.runner_for(self.match, interaction.channel_id)
        if runner is None:
            await acknowledge(interaction)
            if self._allow_reply(interaction, services):
                await self._reply(interaction, await match_over_text(services, self.match))
            return
        game, view = services.game_of(runner), services.view(runner)
        outcome = game.press(view, press_from(interaction, self.verb))
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
            text = await perform_press(services, interaction, runner, outcome, verbose=answers)
        await self._finish(interaction, services, runner, text)

    async def _finish(
        self,
        interaction: discord.Interaction,
        services: Services,
        runner: Runner,
        text: str | None,
    ) -> None:
        await acknowledge(interaction)
        services.display.pressed(runner, interaction)
        if text is not None and self._allow_reply(interaction, services):
            await self._reply(interaction, text)

    def _answers_prompt(self, interaction: discord.Interaction) -> bool:
        """Return whether the button is an answer to a private question."""
        message = interaction.message
        private = message is not None and message.flags.ephemeral
        return private and self.key == PRIVATE_KEY and self.verb != Verb.MY_CARD

    def _allow_reply(self, interaction: discord.Interaction, services: Services) -> bool:
        return self._answers_prompt(interaction) or allow_reply(services, interaction)

    async def _reply(self, interaction: discord.Interaction, text: str) -> None:
        """Reply privately; the reply to an answer replaces the question."""
        if self._answers_prompt(interaction):
            await interaction.edit_original_response(content=text, view=None)
        else:
            await interaction.followup.send(text, ephemeral=True)

    async def _ask(
        self, interaction: discord.Interaction, services: Services, prompt: Prompt
    ) -> None:
        if not allow_reply(services, interaction):
            return
        view = ui.View(timeout=None)
        for button in prompt.buttons:
            view.add_item(MatchButton(button.verb, self.match, PRIVATE_KEY, button))
        await interaction.followup.send(prompt.text, view=view, ephemeral=True)
