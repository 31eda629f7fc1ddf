"""Learning what time it is from every answer of Discord's.

After a long absence, and while nobody writes or presses anything, no id tells of the present.
"""

from __future__ import annotations

from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from discord.utils import DISCORD_EPOCH

if TYPE_CHECKING:
    from types import SimpleNamespace

    import aiohttp

    from bot.matches.server_time import ServerTime

_ROUGHLY_MS: Final = 2_000
"""The header holds whole seconds, of another machine than the one that makes ids."""


def learn_the_present(trace: aiohttp.TraceConfig, time: ServerTime) -> None:
    """Let answers tell the time, roughly; ids tell it better.

    Args:
        trace: of the session that makes the calls.
        time: what is told.
    """

    async def ended(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestEndParams,
    ) -> None:
        with suppress(ValueError):
            told = parsedate_to_datetime(params.response.headers.get("Date", ""))
            time.note(int(told.timestamp() * 1_000) - DISCORD_EPOCH - _ROUGHLY_MS)

    trace.on_request_end.append(ended)
