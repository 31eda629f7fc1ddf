"""Forms: modals in which a player types an answer that becomes an action.

discord.py forgets open modals at a restart, so answers are routed by the modal's custom id, which
holds the button's verb, match and key.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast

import discord
from discord import ui

from bot.replies.acknowledging import acknowledge, answering
from bot.views.presses import (
    allow_reply,
    is_outdated,
    match_over_text,
    outdated_text,
    perform_press,
    press_from,
)
from bot.views.services import services_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.games.plug import Form
    from bot.matches.runner import Runner
    from bot.views.services import Services

_ID: Final = re.compile(r"form:(?P<verb>[a-z0-9-]+):(?P<match>[0-9]+):(?P<key>[a-z0-9-]+)")
_TIMEOUT_S: Final = 15 * 60.0
"""How long discord.py keeps a modal that is never answered."""


async def open_form(
    interaction: discord.Interaction, form: Form, button: tuple[str, int, str]
) -> None:
    """Respond to a press with a form.

    Args:
        interaction: the press, which must not be acknowledged yet.
        form: the form to open.
        button: verb, match and key of the button that was pressed.
    """
    custom_id = "form:{}:{}:{}".format(*button)
    modal = ui.Modal(title=form.title, timeout=_TIMEOUT_S, custom_id=custom_id)
    for field in form.fields:
        line: ui.TextInput[Any] = ui.TextInput(
            custom_id=field.name, max_length=field.max_length, required=field.required
        )
        modal.add_item(ui.Label(text=field.label, component=line))
    await interaction.response.send_modal(modal)


async def handle_submit(interaction: discord.Interaction) -> None:
    """Perform the answer to a form; ignore any other interaction."""
    data: Any = interaction.data or {}
    found = _ID.fullmatch(str(data.get("custom_id")))
    if interaction.type is not discord.InteractionType.modal_submit or found is None:
        return
    async with answering(interaction):
        services = services_of(interaction)
        runner = services.runner_for(int(found["match"]), interaction.channel_id)
        if runner is None:
            text = await match_over_text(services, int(found["match"]))
        else:
            text = await _submit(services, interaction, runner, found)
        await acknowledge(interaction)
        if runner is not None:
            services.display.pressed(runner, interaction)
        if text is not None and allow_reply(services, interaction):
            await interaction.followup.send(text, ephemeral=True)


async def _submit(
    services: Services, interaction: discord.Interaction, runner: Runner, found: re.Match[str]
) -> str | None:
    if is_outdated(interaction, runner, found["key"]):
        return outdated_text(services)
    values = dict(_text_values(cast("dict[str, Any]", interaction.data or {})))
    answer = press_from(interaction, found["verb"])
    action = services.game_of(runner).submit(services.view(runner), answer, values)
    if action is None:
        return services.words.text("That is no longer possible.")
    if isinstance(action, str):
        return action
    return await perform_press(services, interaction, runner, action)


def _text_values(component: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every text input within a component."""
    if isinstance(component.get("value"), str):
        yield str(component.get("custom_id")), component["value"]
    for inner in (*component.get("components", ()), component.get("component")):
        if inner is not None:
            yield from _text_values(inner)
