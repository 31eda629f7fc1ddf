"""Settings of the C library and of discord.py that apply to the whole process."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Final, Literal

import discord.client
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

MAX_RECONNECT_DELAY_S: Final = 30.0

_M_MMAP_THRESHOLD: Final = -3
_MMAP_THRESHOLD: Final = 512 * 1024
"""The size in bytes from which glibc allocates memory by mmap, and returns it when it is freed."""


def set_mmap_threshold() -> None:
    """Make glibc return the memory of large pictures to the system once they are drawn.

    By default glibc raises its threshold to the size of each mapped block that is freed, and serves
    later blocks of that size from heaps, which then fragment: over two thousand rounds the bot's
    memory grew to a third more than it used. A threshold that is set explicitly stays constant.
    Other C libraries have no `mallopt` and need none.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _MMAP_THRESHOLD)


class CappedBackoff(ExponentialBackoff[Literal[False]]):
    """The library's exponential backoff, with delays of at most half a minute.

    The library's own delays grow to a quarter of an hour, and are reset only after half an hour
    without a failure. A connection that breaks a few times would leave matches waiting for minutes
    after Discord is back.
    """

    def delay(self) -> float:
        """Return the seconds until the next attempt, chosen at random."""
        return super().delay() % MAX_RECONNECT_DELAY_S


def cap_reconnect_delay() -> None:
    """Use `CappedBackoff` in every client; the library has no setting for it."""
    discord.client.ExponentialBackoff = CappedBackoff  # pyright: ignore[reportPrivateImportUsage]


def set_discord_urls(api_url: str | None, gateway_url: str | None) -> None:
    """Replace the URLs of Discord's HTTP API and gateway; None keeps the default."""
    if api_url is not None:
        Route.BASE = api_url.rstrip("/")
    if gateway_url is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = URL(gateway_url)
