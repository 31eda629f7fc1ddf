"""Discord does not take an answer to a press or a command: that is its trouble and no fault."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import aiohttp
import discord

if TYPE_CHECKING:
    from collections.abc import Generator

log = logging.getLogger(__name__)

CALL_ERRORS: Final = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError)
"""What a call to Discord may raise."""


@contextmanager
def answering(interaction: discord.Interaction) -> Generator[None]:
    """Give up what is told to a person when Discord does not take it.

    A press that arrives twice was acknowledged by its first copy, one that arrives late can't be
    answered any more, and Discord may be down. What was pressed counts all the same.
    """
    try:
        yield
    except CALL_ERRORS as error:
        not_taken(interaction, error)


def not_taken(interaction: discord.Interaction, error: BaseException) -> None:
    """Keep in the log, in one line, that an answer was not taken."""
    log.warning("interaction %d can't be answered: %s", interaction.id, error)
