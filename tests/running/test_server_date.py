"""What time it is, by Discord's answers."""

import aiohttp
import pytest
from aiohttp import web

from bot.app.server_date import note_server_dates
from bot.matches.server_time import ServerTime

NOON_MS = 1_767_268_800_000 - 1_420_070_400_000
"""The first noon of 2026, in match time."""


class Clock:
    seconds = 0.0

    def monotonic(self):
        return self.seconds


@pytest.fixture
async def asked():
    """A way to be answered with a date, and what was learnt of it."""
    clock = Clock()
    time, trace = ServerTime(clock), aiohttp.TraceConfig()
    note_server_dates(trace, time)

    async def answer(request):
        return web.Response(headers={"Date": request.query["date"]})

    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]

    async with aiohttp.ClientSession(trace_configs=[trace]) as session:

        async def ask(date):
            async with session.get(f"http://127.0.0.1:{port}/", params={"date": date}):
                return time

        ask.clock = clock
        yield ask
    await runner.cleanup()


async def test_an_answer_tells_the_time_to_within_two_seconds(asked):
    time = await asked("Thu, 01 Jan 2026 12:00:00 GMT")
    assert NOON_MS - 2_000 <= time.now() <= NOON_MS
    asked.clock.seconds += 60
    assert NOON_MS + 58_000 <= time.now() <= NOON_MS + 60_000


async def test_after_a_long_absence_it_is_known_before_anybody_writes(asked):
    time = await asked("Thu, 01 Jan 2026 09:00:00 GMT")
    time = await asked("Thu, 01 Jan 2026 12:00:00 GMT")
    assert NOON_MS - 2_000 <= time.now() <= NOON_MS


async def test_an_id_tells_it_better(asked):
    time = await asked("Thu, 01 Jan 2026 11:59:59 GMT")
    time.note_id((NOON_MS + 5) << 22)
    for date in ("Thu, 01 Jan 2026 12:00:00 GMT", "Thu, 01 Jan 2026 11:00:00 GMT"):
        assert (await asked(date)).now() == NOON_MS + 5


@pytest.mark.parametrize("date", ["", "yesterday", "Thu, 99 Jan 2026 12:00:00 GMT"])
async def test_an_odd_date_tells_nothing(asked, date):
    assert (await asked(date)).now() == 0
