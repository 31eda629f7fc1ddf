"""The host's clock jumps by an hour: no deadline, no order and no rest takes notice."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import json
import shutil
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from bot.sandbox.demo.reading import labels, read_table
from bot.sandbox.run import LoopbackDiscord
from game.ids import ms_of
from game.match import End, Phase
from game.rox.prizes import ROUNDS
from game.rox.state import READY_MS, Stage
from tests.kit.simulation import simulated
from tests.kit.wire.process import at, connected, said, starting

HOUR_S = 3600
JUMPING = Path(__file__).parents[1] / "kit" / "wire" / "jumping"


@pytest.fixture
def jump(monkeypatch):
    """Set the process's clock so many hours ahead of the true time."""
    true, real = time.time, dt.datetime

    def jump(hours):
        class Jumped(real):
            @classmethod
            def now(cls, tz=None):
                return real.fromtimestamp(time.time(), tz)

        monkeypatch.setattr(time, "time", lambda: true() + hours * HOUR_S)
        monkeypatch.setattr(dt, "datetime", Jumped)

    return jump


async def played(database, jump, hours):
    """Play a match, jump in each of its stages, and return its log and its result."""
    jumps = iter(hours)

    async with simulated(database) as world:
        table, (ada, bo, *_) = world.table(), world.people
        await table.open([ada, bo])
        jump(next(jumps))
        await table.advance(61)
        await table.press(bo, "Start")
        jump(next(jumps))
        for number in range(ROUNDS):
            await table.to_race()
            jump(next(jumps))
            await table.rows({ada: "rr", bo: "rw"})
            table.say(ada, table.right(ada))
            await table.advance(0.5)
            jump(next(jumps))
            table.say(ada, table.right(ada))
            await table.advance(1.6)
            await table.press(bo, "Put back")
            await table.until(lambda: table.stage is not Stage.RACE, limit=40)
            jump(next(jumps))
            await table.until(lambda: table.stage is not Stage.CHECK)
            jump(next(jumps))
            if table.match.phase is Phase.PAUSED:
                await table.advance(1)
                await table.press(ada, "Go on")
            elif number < ROUNDS - 1:
                await table.until(lambda: table.stage is Stage.READY)
        await table.advance(2)
        assert table.match.end is End.FINISHED
        log = world.rows("select seq, kind, action_id, payload from actions order by seq")
        return log, table.match.result


async def test_a_match_goes_the_same_way_whatever_the_clock_of_the_host_does(
    migrated, tmp_path, jump
):
    """Not one id of its log, a deadline's, a person's or chance's, is another one."""
    logs = [
        await played(shutil.copy(migrated, tmp_path / f"{name}.sqlite3"), jump, hours * 40)
        for name, hours in (("true", [0]), ("to-and-fro", [1, 0, -1]), ("behind", [-1]))
    ]
    assert logs[0] == logs[1] == logs[2]
    log, _ = logs[0]
    assert [kind for _, kind, _, _ in log].count("tick") > 4 * ROUNDS
    assert len(log) > 60


def newest(person):
    found = (m for m in reversed(person.messages()) if m.components and not m.is_ephemeral)
    return next(found, None)


def free_numbers(person):
    """The free cards on the open table that somebody sees; none before it is posted."""
    message = newest(person)
    components = message.components if message is not None else []
    reading = read_table(components) if "Put back" in labels(components) else None
    return [n for numbers in reading.free.values() for n in numbers] if reading else []


async def jumped(process, number):
    """Let the process's clock jump; return once it has."""
    before = len(process.told("the clock says"))
    process.process.send_signal(number)
    return await process.tells("the clock says", before + 1)


async def test_the_bot_in_a_process_whose_clock_jumps(tmp_path):
    """An hour ahead in the lobby, an hour behind in the get-ready time and in the race."""
    async with LoopbackDiscord() as discord, starting(tmp_path) as start:
        settings = at(discord, ROX_LOG_LEVEL="INFO")
        bot = await start(**settings, PYTHONPATH=f"{JUMPING}:{Path.cwd()}")
        await connected(discord)
        ada, ben = discord.person("Ada"), discord.person("Ben")
        until = discord.world.wait_until
        assert "The lobby is open" in await said(discord, ada.slash("rox play"))
        await until(lambda: newest(ada))
        assert "the clock says" in await jumped(bot, signal.SIGUSR1)
        await ben.press(newest(ben).id, "Join").response()
        started = ada.press(newest(ada).id, "Start")
        await started.response()
        await jumped(bot, signal.SIGUSR2)
        await until(lambda: free_numbers(ada), timeout=20)
        await jumped(bot, signal.SIGUSR1)
        # The hand is busy from "Rox!" on, for two seconds between ids.
        first, second, third, *_ = free_numbers(ada)
        opened = newest(ada).id

        async def pause(ms):
            now = ms_of(discord.world.snowflake())
            await asyncio.sleep(max(0, opened_ms + ms - now) / 1000)

        opened_ms = ms_of(opened)
        assert "Your hand is busy" in await said(discord, ada.slash("rox take", number=first))
        await jumped(bot, signal.SIGUSR2)
        await pause(2_050)
        assert f"{first} is yours" in await said(discord, ada.slash("rox take", number=first))
        await jumped(bot, signal.SIGUSR1)
        assert "Your hand is busy" in await said(discord, ada.slash("rox take", number=second))
        assert f"{third} is yours" in await said(discord, ben.slash("rox take", number=third))
        assert await bot.stop() == 0
        wrong = [line for line in bot.lines if " ERROR " in line or "Traceback" in line]
        assert not wrong, wrong
    with contextlib.closing(sqlite3.connect(tmp_path / "rox.sqlite3")) as database:
        query = "select kind, action_id, payload from actions order by seq"
        log = [(kind, i, json.loads(text)) for kind, i, text in database.execute(query)]
    ids = [action_id for _, action_id, _ in log]
    assert ids == sorted(ids)
    ticks = [ms_of(action_id) for kind, action_id, _ in log if kind == "tick"]
    assert ticks == [ms_of(started.id) + READY_MS], "five seconds of Discord's time"
