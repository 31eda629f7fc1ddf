"""A simulated Discord in the same process, in virtual time only.

simcord lets short timers run in real time while it waits for the bot to rest. A match has many
timers, and a whole one shall pass in seconds, so here no timer ever waits for the real clock:
time moves with `advance_time` alone, and the same acts lead to the same events.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import simcord

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    import discord

PATIENCE: Final = 30.0
"""Real seconds that one act may take before it counts as hanging."""


@asynccontextmanager
async def virtual_discord(bot: discord.Client, **options: Any) -> AsyncGenerator[simcord.Env]:
    """Run a bot against a simulated Discord whose clock only moves when it is told to.

    Args:
        bot: the client, not yet started.
        options: as `simcord.run` takes them.
    """
    running = simcord.run(bot, settle_timeout=PATIENCE, **options)
    # simcord has no setting for this, so the environment is reached before it starts.
    env: Any = vars(running)["_env"]
    env._schedule_timer = _never_in_real_time  # noqa: SLF001 - see above
    async with running as started:
        yield started


def _never_in_real_time(*_: object) -> None:
    """Give a timer no real one to fall back on."""
