"""How presses and commands are acknowledged, and what people are told when one fails.

It may fail here, or because Discord takes no answer.
"""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, cast

import discord

from bot.matches.ports import StoreUnavailableError
from bot.replies.errors import CALL_ERRORS, LOST

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from bot.locales.catalogue import Words

log = logging.getLogger(__name__)

_ALREADY_ACKNOWLEDGED: Final = 40060
_NOTE: Final = "acknowledged"


def words_of(interaction: discord.Interaction) -> Words:
    """Return the language of the bot that received an interaction."""
    return cast("Words", getattr(interaction.client, "services").words)  # noqa: B009 - the client's type is discord.py's


async def acknowledge(interaction: discord.Interaction, *, thinking: bool = False) -> None:
    """Acknowledge a press or a command, unless that is done.

    If the answer to that is lost, it is done once more: where Discord had taken the first, it
    says so of the second, and the person waits for what is told.

    Args:
        interaction: the press or command.
        thinking: whether a private answer is announced, as for commands.

    Raises:
        discord.HTTPException, aiohttp.ClientError, OSError: Discord does not take it.
    """
    if is_acknowledged(interaction):
        return
    try:
        await interaction.response.defer(ephemeral=thinking, thinking=thinking)
    except LOST:
        try:
            await interaction.response.defer(ephemeral=thinking, thinking=thinking)
        except discord.HTTPException as error:
            if error.code != _ALREADY_ACKNOWLEDGED:
                raise
            interaction.extras[_NOTE] = True


def is_acknowledged(interaction: discord.Interaction) -> bool:
    """Return whether Discord knows that a press or a command arrived."""
    return interaction.response.is_done() or _NOTE in interaction.extras


@asynccontextmanager
async def answering(interaction: discord.Interaction) -> AsyncGenerator[None]:
    """Give up what is told to a person when Discord does not take it; tell of what fails here.

    A press that arrives twice was acknowledged by its first copy, one that arrives late can't be
    answered any more, and Discord may be down. What was pressed counts all the same.
    """
    try:
        yield
    except CALL_ERRORS as error:
        not_taken(interaction, error)
    except Exception as error:  # noqa: BLE001 - it is logged where it is told
        await tell_failure(interaction, error)


async def tell_failure(interaction: discord.Interaction, error: BaseException) -> None:
    """Tell a person privately that it went wrong; a fault of ours is kept in the log."""
    words = words_of(interaction)
    text = words.text("Something went wrong on my side. Please try again in a moment.")
    if isinstance(error, CALL_ERRORS):
        not_taken(interaction, error)
        if not is_acknowledged(interaction):
            return  # another copy of the same may have its answer already
    elif isinstance(error, StoreUnavailableError):
        log.error("interaction %d can't be carried out: %s", interaction.id, error)
        text = words.text("I can't save anything at the moment. Please try again later.")
    else:
        log.error("interaction %d failed: a fault", interaction.id, exc_info=error)
    await tell(interaction, text)


async def tell(interaction: discord.Interaction, text: str) -> None:
    """Tell a person something privately, whether the interaction was acknowledged or not."""
    try:
        if is_acknowledged(interaction):
            await interaction.followup.send(text, ephemeral=True)
        else:
            await interaction.response.send_message(text, ephemeral=True)
    except CALL_ERRORS as refusal:
        not_taken(interaction, refusal)


def not_taken(interaction: discord.Interaction, error: BaseException) -> None:
    """Keep in the log, in one line, that an answer was not taken."""
    log.warning("interaction %d can't be answered: %s", interaction.id, error)
