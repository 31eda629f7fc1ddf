"""Everything in one go: loopback, bot, lobby, and a clean end."""

import asyncio
import os
import signal

import pytest

from bot.sandbox.person import RefusedError
from bot.sandbox.run import LoopbackDiscord, run_sandbox
from tests.kit.wire.toybot import ToyBot, point_at


def starter(monkeypatch, seen):
    async def start_bot(discord):
        seen.put_nowait(discord)
        point_at(monkeypatch, discord)
        async with ToyBot() as bot:
            await bot.start(discord.token)

    return start_bot


async def test_it_opens_a_lobby_says_where_and_ends(monkeypatch):
    seen, lines, stop = asyncio.Queue(), [], asyncio.Event()
    task = asyncio.create_task(
        run_sandbox(
            0, 2, starter(monkeypatch, seen), command="toy play", tell=lines.append, stop=stop
        )
    )
    discord = await seen.get()
    ada = discord.person("Ada")
    await ada.wait_for_message("A lobby for 2 opponents")
    stop.set()
    await task
    assert lines[0] == f"Play at {discord.page_url}"
    assert any("127.0.0.1 only" in line for line in lines)
    assert len(lines) == 3


async def test_a_command_that_is_refused_is_told(monkeypatch):
    seen, stop = asyncio.Queue(), asyncio.Event()
    told = asyncio.Queue()
    task = asyncio.create_task(
        run_sandbox(
            0,
            2,
            starter(monkeypatch, seen),
            command="toy table",
            tell=told.put_nowait,
            stop=stop,
        )
    )
    lines = [await told.get() for _ in range(4)]
    assert "type /toy table" in lines[-1]
    stop.set()
    await task


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_signals_end_it(monkeypatch, number):
    seen, told = asyncio.Queue(), asyncio.Queue()
    task = asyncio.create_task(
        run_sandbox(0, 1, starter(monkeypatch, seen), command="toy play", tell=told.put_nowait)
    )
    await told.get()
    os.kill(os.getpid(), number)
    await task


async def test_what_the_bot_raises_comes_out():
    async def broken(_discord):
        raise RuntimeError("no settings")

    with pytest.raises(RuntimeError, match="no settings"):
        await run_sandbox(0, 0, broken, tell=lambda _: None)


async def test_a_taken_port_is_an_error():
    async def never(_discord):
        raise AssertionError("the bot must not be started")

    async with LoopbackDiscord() as first:
        with pytest.raises(OSError, match="in use"):
            await run_sandbox(first.port, 0, never)


async def test_slow_mode_spares_no_player():
    discord = LoopbackDiscord()
    ben = discord.person("Ben")
    discord.world.channels[ben.channel_id].rate_limit_per_user = 5
    ben.say("12")
    with pytest.raises(RefusedError, match="Slow mode"):
        ben.say("13")
    ada = discord.person("Ada")
    ada.say("14")
    ada.say("15")
