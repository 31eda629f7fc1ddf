"""`rox sandbox`: the loopback Discord, the bot on it, and the page, in one go."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bot.running import point_to, serve
from bot.sandbox.run import LoopbackDiscord, run_sandbox

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
        OSError: the port is taken, or the folder can't be written to.
    """
    for old in data.glob("sandbox.sqlite3*"):
        old.unlink()
    database = data.absolute() / "sandbox.sqlite3"
    asyncio.run(run_sandbox(port, opponents, lambda d: run_bot_on(d, database), tell=tell))


async def run_bot_on(discord: LoopbackDiscord, database: Path) -> None:
    """Run the bot on a loopback Discord, with a database file, until it is cancelled."""
    point_to(discord.api_url, discord.gateway_url)
    await serve(f"sqlite+aiosqlite:///{database}", discord.token)
