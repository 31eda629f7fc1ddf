"""Running the bot as a process: database lock, migrations, signals, clean shutdown."""

from __future__ import annotations

import asyncio
import logging
import signal
from random import SystemRandom
from typing import TYPE_CHECKING, Final

import aiohttp
import discord

from bot.app.client import RoxBot
from bot.app.library_settings import cap_reconnect_delay, set_discord_urls, set_mmap_threshold
from bot.app.logs import log_to_stderr
from bot.store.files import StoreError, database_file, translate_sqlite_errors
from bot.store.locking import database_lock
from bot.store.migrate import upgrade

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.games.plug import GamePlug
    from bot.settings import Settings

log = logging.getLogger(__name__)

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class CannotRunError(Exception):
    """The bot can't run; the message is one sentence for the operator."""


def run_bot(settings: Settings, games: Mapping[str, GamePlug]) -> None:
    """Run the bot until SIGINT or SIGTERM.

    Args:
        settings: the operator's settings.
        games: the games by name.

    Raises:
        CannotRunError: the database cannot be used, or Discord refuses the bot or does not answer.
    """
    token = settings.discord_token.get_secret_value()
    log_to_stderr(settings, token)
    set_mmap_threshold()
    set_discord_urls(settings.discord_api_url, settings.discord_gateway_url)
    try:
        with database_lock(settings.database_url):
            upgrade(settings.database_url)
            with translate_sqlite_errors(database_file(settings.database_url)):
                asyncio.run(_run(settings, token, games))
    except StoreError as error:
        raise CannotRunError(str(error)) from None
    except discord.LoginFailure:
        raise CannotRunError(
            "Discord does not accept DISCORD_TOKEN: copy it again from the developer portal."
        ) from None
    except (aiohttp.ClientError, OSError, discord.HTTPException) as error:
        raise CannotRunError(f"Discord can't be reached: {error}.") from None


async def _run(settings: Settings, token: str, games: Mapping[str, GamePlug]) -> None:
    try:
        await _run_once(settings, token, games, typing=True)
    except discord.PrivilegedIntentsRequired:
        log.warning(
            "The message content intent is switched off in the developer portal, so typed numbers "
            "don't reach the bot: players use %s.",
            " and ".join(f"/{name} {c.name}" for name, g in games.items() for c in g.commands),
        )
        await _run_once(settings, token, games, typing=False)


async def _run_once(
    settings: Settings, token: str, games: Mapping[str, GamePlug], *, typing: bool
) -> None:
    cap_reconnect_delay()
    bot = RoxBot(
        games=games,
        database_url=settings.database_url,
        settle=settings.settle_ms / 1000,
        typing=typing,
        random=SystemRandom(),
    )
    loop = asyncio.get_running_loop()
    stopping: list[asyncio.Task[None]] = []
    async with bot:
        connection = loop.create_task(bot.start(token))

        async def stop() -> None:
            await bot.stop()
            connection.cancel()  # Otherwise it could sleep until its next attempt to connect.

        def on_signal() -> None:
            if not stopping:
                log.info("stopping")
                stopping.append(loop.create_task(stop()))

        for number in _SIGNALS:
            loop.add_signal_handler(number, on_signal)
        try:
            await connection
        except (Exception, asyncio.CancelledError):
            # Errors that closing the connection causes are expected.
            if not stopping:
                raise
        finally:
            if stopping:
                await stopping[0]
            for number in _SIGNALS:
                loop.remove_signal_handler(number)


async def serve(
    database_url: str, token: str, games: Mapping[str, GamePlug], *, settle_ms: int = 60
) -> None:
    """Run the bot inside another program until the task is cancelled.

    Args:
        database_url: the database, which is upgraded first.
        token: the bot's token.
        games: the games by name.
        settle_ms: how long a claim is held for earlier ones, in milliseconds.
    """
    upgrade(database_url)
    cap_reconnect_delay()
    bot = RoxBot(
        games=games,
        database_url=database_url,
        settle=settle_ms / 1000,
        typing=True,
        random=SystemRandom(),
    )
    with translate_sqlite_errors(database_file(database_url)):
        async with bot:
            await bot.start(token)
