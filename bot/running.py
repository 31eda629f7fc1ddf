"""Running the bot as a process: lock, backup, migrations, signals, a clean end."""

from __future__ import annotations

import asyncio
import logging
import signal
from random import SystemRandom
from typing import TYPE_CHECKING, Final

import aiohttp
import discord
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.app import RoxBot
from bot.settings import level_number
from bot.store.files import StoreError
from bot.store.locking import sole_process
from bot.store.migrate import upgrade

if TYPE_CHECKING:
    from bot.settings import Settings

log = logging.getLogger(__name__)

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class CannotRunError(Exception):
    """The bot can't run; the message says why, in one sentence."""


class _NoToken(logging.Filter):
    """Keeps the token out of every log line."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token

    def filter(self, record: logging.LogRecord) -> bool:
        """Blank the token wherever it would be written."""
        message = record.getMessage()
        if self._token in message:
            record.msg, record.args = message.replace(self._token, "[token]"), None
        return True


def run_bot(settings: Settings) -> None:
    """Run the bot until it is told to stop.

    Raises:
        CannotRunError: the database or Discord does not let it.
    """
    token = settings.discord_token.get_secret_value()
    _log_to_stderr(settings, token)
    _point_to_proxies(settings)
    try:
        with sole_process(settings.database_url):
            upgrade(settings.database_url)
            asyncio.run(_run(settings, token))
    except StoreError as error:
        raise CannotRunError(str(error)) from None
    except discord.LoginFailure:
        raise CannotRunError(
            "Discord does not accept DISCORD_TOKEN: copy it again from the developer portal."
        ) from None
    except (aiohttp.ClientError, OSError, discord.HTTPException) as error:
        raise CannotRunError(f"Discord can't be reached: {error}") from None


async def _run(settings: Settings, token: str) -> None:
    try:
        await _run_once(settings, token, typing=True)
    except discord.PrivilegedIntentsRequired:
        log.warning(
            "The message content intent is switched off in the developer portal, so typed numbers "
            "don't reach the bot: players use /rox take and /rox back."
        )
        await _run_once(settings, token, typing=False)


async def _run_once(settings: Settings, token: str, *, typing: bool) -> None:
    bot = RoxBot(
        database_url=settings.database_url,
        settle=settings.settle_ms / 1000,
        typing=typing,
        random=SystemRandom(),
    )
    loop = asyncio.get_running_loop()
    stopping: list[asyncio.Task[None]] = []

    def stop() -> None:
        if not stopping:
            log.info("stopping")
            stopping.append(loop.create_task(bot.stop()))

    for number in _SIGNALS:
        loop.add_signal_handler(number, stop)
    try:
        async with bot:
            await bot.start(token)
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
        if stopping:
            await stopping[0]


def _point_to_proxies(settings: Settings) -> None:
    if settings.discord_api_url is not None:
        Route.BASE = settings.discord_api_url.rstrip("/")
    if settings.discord_gateway_url is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = URL(settings.discord_gateway_url)


def _log_to_stderr(settings: Settings, token: str) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s"))
    handler.addFilter(_NoToken(token))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(level_number(settings))
    logging.getLogger("alembic").setLevel(logging.WARNING)
