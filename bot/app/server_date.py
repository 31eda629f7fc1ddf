"""Discord's time, read from the `Date` header of its HTTP answers.

Ids give Discord's time more exactly, but after a long absence, and while nobody writes or presses
anything, no new id arrives.
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

_MARGIN_MS: Final = 2_000
"""How much is subtracted from a header's time, which comes from another machine than the ids do: a
time that is too late would put the clock ahead of Discord's."""


def note_server_dates(trace: aiohttp.TraceConfig, time: ServerTime) -> None:
    """Note the time of every HTTP answer, to within a few seconds.

    Args:
        trace: the trace configuration of the session that makes the calls.
        time: the clock that notes the times.
    """

    async def on_request_end(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestEndParams,
    ) -> None:
        with suppress(ValueError):
            date = parsedate_to_datetime(params.response.headers.get("Date", ""))
            time.note(int(date.timestamp() * 1_000) - DISCORD_EPOCH - _MARGIN_MS)

    trace.on_request_end.append(on_request_end)
