"""`rox sandbox`: the loopback Discord, the bot on it, and the page, in one go."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bot.app.library_settings import set_discord_urls
from bot.app.process import serve
from bot.games.table import GAMES
from bot.sandbox.run import LoopbackDiscord, run_sandbox
from bot.store.locking import database_lock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def play_in_browser(port: int, opponents: int, data: Path, tell: Callable[[str], None]) -> None:
    """Serve the page with the bot until Ctrl-C.

    Args:
        port: where the page is; 0 takes any free port.
        opponents: how many simulated opponents the first lobby has.
        data: the folder of the bot's database. Each start is a world of its own, so what an
            earlier one left there is removed.
        tell: takes lines for the terminal.

    Raises:
        OSError: the port is taken.
        StoreError: the folder can't be used; its message says why.
    """
    database = data.absolute() / "sandbox.sqlite3"

    async def start_bot(discord: LoopbackDiscord) -> None:
        with database_lock(_url(database)):
            for suffix in ("", "-wal", "-shm"):
                database.with_name(f"{database.name}{suffix}").unlink(missing_ok=True)
            await run_bot_on(discord, database)

    asyncio.run(run_sandbox(port, opponents, start_bot, tell=tell))


async def run_bot_on(discord: LoopbackDiscord, database: Path) -> None:
    """Run the bot on a loopback Discord, with a database file, until it is cancelled."""
    set_discord_urls(discord.api_url, discord.gateway_url)
    await serve(_url(database), discord.token, GAMES)


def _url(database: Path) -> str:
    return f"sqlite+aiosqlite:///{database}"
