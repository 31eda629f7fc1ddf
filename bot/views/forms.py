"""Forms: windows in which a person types an answer that becomes an action.

The library forgets at a restart which windows are open, so answers are not taken by the window
that was sent, but by its custom id, which says all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast

import discord
from discord import ui

from bot.views.presses import is_outdated, may_tell, outdated_text, over_text, press, pressed
from bot.views.refusals import acknowledge, answering
from bot.views.services import services_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.games.plug import Form
    from bot.matches.runner import Runner
    from bot.views.services import Services

_ID: Final = re.compile(r"form:(?P<verb>[a-z0-9-]+):(?P<match>[0-9]+):(?P<key>[a-z0-9-]+)")
_OPEN_S: Final = 15 * 60.0
"""After so long the library lets go of a window that was never answered."""


async def open_form(
    interaction: discord.Interaction, form: Form, button: tuple[str, int, str]
) -> None:
    """Answer a press with a form.

    Args:
        interaction: the press, not acknowledged yet: the form does that.
        form: what is asked.
        button: verb, match and key of the button that was pressed.
    """
    custom_id = "form:{}:{}:{}".format(*button)
    modal = ui.Modal(title=form.title, timeout=_OPEN_S, custom_id=custom_id)
    for field in form.fields:
        line: ui.TextInput[Any] = ui.TextInput(
            custom_id=field.name, max_length=field.max_length, required=field.required
        )
        modal.add_item(ui.Label(text=field.label, component=line))
    await interaction.response.send_modal(modal)


async def submitted(interaction: discord.Interaction) -> None:
    """Carry out the answer to a form; other interactions are left alone."""
    data: Any = interaction.data or {}
    found = _ID.fullmatch(str(data.get("custom_id")))
    if interaction.type is not discord.InteractionType.modal_submit or found is None:
        return
    async with answering(interaction):
        services = services_of(interaction)
        runner = services.runner_for(int(found["match"]), interaction.channel_id)
        if runner is None:
            text = await over_text(services, int(found["match"]))
        else:
            text = await _submit(services, interaction, runner, found)
        await acknowledge(interaction)
        if runner is not None:
            services.display.pressed(runner, interaction)
        if text is not None and may_tell(services, interaction):
            await interaction.followup.send(text, ephemeral=True)


async def _submit(
    services: Services, interaction: discord.Interaction, runner: Runner, found: re.Match[str]
) -> str | None:
    if is_outdated(interaction, runner, found["key"]):
        return outdated_text(services)
    typed = dict(_typed(cast("dict[str, Any]", interaction.data or {})))
    answer = pressed(interaction, found["verb"])
    action = services.game_of(runner).submit(services.view(runner), answer, typed)
    if action is None:
        return services.words.text("That is no longer possible.")
    if isinstance(action, str):
        return action
    return await press(services, interaction, runner, action)


def _typed(component: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield name and text of every line below a component."""
    if isinstance(component.get("value"), str):
        yield str(component.get("custom_id")), component["value"]
    for inner in (*component.get("components", ()), component.get("component")):
        if inner is not None:
            yield from _typed(inner)
