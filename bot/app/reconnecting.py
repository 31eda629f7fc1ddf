"""How soon Discord is tried again after a connection broke: matches wait for it."""

from __future__ import annotations

from typing import Final, Literal

import discord.client
from discord.backoff import ExponentialBackoff

LONGEST_S: Final = 30.0


class ShortBackoff(ExponentialBackoff[Literal[False]]):
    """Waits longer and longer, as the library's own does, but half a minute at most.

    The library's grows to a quarter of an hour, and begins anew only after half an hour without a
    failure: a connection that breaks a few times would leave matches alone for minutes although
    Discord is back.
    """

    def delay(self) -> float:
        """Return the seconds until the next attempt, by chance."""
        return super().delay() % LONGEST_S


def reconnect_soon() -> None:
    """Let every client of this process use it; the library has no setting for that."""
    discord.client.ExponentialBackoff = ShortBackoff  # pyright: ignore[reportPrivateImportUsage]
