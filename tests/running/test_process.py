"""`rox run` as a process: how it starts, refuses to start, falls back, and ends."""

import asyncio
import contextlib
import os
import re
import signal
import sqlite3

import discord
import pytest

from bot.app.client import RoxBot
from bot.app.process import _run
from bot.games.table import GAMES
from bot.sandbox.interceptor import Interceptor
from bot.sandbox.run import LoopbackDiscord
from bot.settings import read_settings
from bot.store.locking import database_lock
from bot.store.migrate import upgrade
from tests.kit.wire.process import WAIT_S, at, connected, disconnected, said, starting


class Watching(Interceptor):
    """Notes what a bot asks for."""

    def __init__(self):
        self.calls = []

    async def handle_request(self, request, serve):
        self.calls.append((request.method, request.path))
        return await super().handle_request(request, serve)


@pytest.fixture
async def loopback():
    async with LoopbackDiscord(interceptor=Watching()) as found:
        yield found


@pytest.fixture
async def start(tmp_path):
    async with starting(tmp_path) as start:
        yield start


def at_nothing(address):
    return {"DISCORD_TOKEN": "some.token.here", "ROX_DISCORD_API_URL": address}


async def one_sentence(process):
    """The process ends with a status that says so and one clear sentence; return that."""
    assert await process.ends() != 0
    assert "Traceback" not in process.output
    last = process.lines[-1].strip()
    assert re.fullmatch(r"[A-Z].*[.!]", last), process.output
    return last


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "DISCORD_TOKEN is not set"),
        ({"DISCORD_TOKEN": "x", "ROX_SETTLE_MS": "soon"}, "ROX_SETTLE_MS is wrong"),
    ],
)
async def test_a_missing_or_wrong_setting_ends_in_one_sentence(start, settings, words):
    process = await start(**settings)
    assert words in await one_sentence(process)
    assert len(process.lines) == 1


async def test_a_token_that_discord_refuses_is_said_and_not_shown(start, loopback):
    process = await start(**at(loopback) | {"DISCORD_TOKEN": "wrong.token.here"})
    assert "Discord does not accept DISCORD_TOKEN" in await one_sentence(process)
    assert "wrong.token.here" not in process.output


async def test_a_discord_that_cannot_be_reached_is_said(start, unused_tcp_port):
    address = f"http://127.0.0.1:{unused_tcp_port}"
    process = await start(**at_nothing(address))
    assert "Discord can't be reached" in await one_sentence(process)
    assert "some.token.here" not in process.output


async def test_a_database_that_another_process_uses_is_refused(start, loopback, tmp_path):
    with database_lock(f"sqlite+aiosqlite:///{tmp_path / 'rox.sqlite3'}"):
        process = await start(**at(loopback))
        assert "Another process is already using the database" in await one_sentence(process)
    assert loopback.interceptor.calls == []


async def test_two_processes_never_run_on_one_database(start, loopback):
    first = await start(**at(loopback))
    await connected(loopback)
    second = await start(**at(loopback))
    assert "Another process" in await one_sentence(second)
    assert await first.stop() == 0


async def test_a_database_of_a_newer_version_is_refused_and_left_alone(start, loopback, tmp_path):
    database = tmp_path / "rox.sqlite3"
    upgrade(f"sqlite+aiosqlite:///{database}")
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = database.read_bytes()
    process = await start(**at(loopback))
    assert "newer version" in await one_sentence(process)
    assert database.read_bytes() == before


async def test_commands_are_sent_once_and_not_at_every_start(start, loopback):
    for _ in range(2):
        process = await start(**at(loopback))
        await connected(loopback)
        assert await process.stop() == 0
        await disconnected(loopback)
    puts = [path for method, path in loopback.interceptor.calls if method == "PUT"]
    assert len(puts) == 1
    assert puts[0].endswith("/commands")
    assert "/guilds/" not in puts[0]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_in_time_and_tells_the_players(start, loopback, number):
    process = await start(**at(loopback))
    ada = loopback.person("Ada")
    await connected(loopback)
    assert "The lobby is open" in await said(loopback, ada.slash("rox play"))
    await ada.wait_for_message("who plays")
    loop = asyncio.get_running_loop()
    began = loop.time()
    assert await process.stop(number) == 0
    assert loop.time() - began < 10
    notices = [m.content for m in ada.messages() if "restart" in m.content]
    assert len(notices) == 1
    assert "Traceback" not in process.output
    assert loopback.token not in process.output

    # The lobby goes on where it stood, in the next process.
    await disconnected(loopback)
    again = await start(**at(loopback))
    await connected(loopback)
    await ada.wait_for_message("I was away")
    assert "A match is open in this channel already" in await said(loopback, ada.slash("rox play"))
    assert await again.stop() == 0


async def test_without_message_content_it_says_so_once_and_connects_again(start, loopback):
    loopback.gateway.disallowed_intents = discord.Intents(message_content=True).value
    process = await start(**at(loopback))
    await connected(loopback)
    ada = loopback.person("Ada")
    await said(loopback, ada.slash("rox play"))
    lobby = await ada.wait_for_message("who plays")
    assert "/rox take" in str(lobby.components)
    assert await process.stop() == 0
    told = [line for line in process.lines if "message content intent is switched off" in line]
    assert len(told) == 1
    assert "Traceback" not in process.output


async def test_the_token_is_in_no_line_even_when_everything_is_logged(start, loopback):
    process = await start(**at(loopback))
    await connected(loopback)
    await said(loopback, loopback.person("Ada").slash("rox rules"))
    assert await process.stop() == 0
    assert "DEBUG" in process.output
    assert "aiosqlite" not in process.output
    assert "voice will NOT" not in process.output
    assert loopback.token not in process.output


class Stuck(Watching):
    """A Discord that takes some requests and never answers them."""

    def __init__(self):
        super().__init__()
        self.stuck = lambda request: False
        self.waiting = asyncio.Event()

    async def handle_request(self, request, serve):
        if self.stuck(request):
            self.waiting.set()
            await asyncio.Event().wait()
        return await super().handle_request(request, serve)


@pytest.fixture
async def stuck():
    interceptor = Stuck()
    async with LoopbackDiscord(interceptor=interceptor) as found:
        yield found
        interceptor.stuck = lambda request: False


async def test_a_discord_that_does_not_answer_cannot_hold_up_the_end(start, stuck):
    process = await start(**at(stuck))
    ada = stuck.person("Ada")
    await connected(stuck)
    await said(stuck, ada.slash("rox play"))
    await ada.wait_for_message("who plays")
    stuck.interceptor.stuck = lambda r: r.method == "POST" and r.path.endswith("/messages")
    loop = asyncio.get_running_loop()
    began = loop.time()
    assert await process.stop() == 0
    assert stuck.interceptor.waiting.is_set()
    assert loop.time() - began < 10.5
    assert "Traceback" not in process.output


async def test_a_signal_while_it_still_connects_ends_it_quietly(start, stuck):
    stuck.interceptor.stuck = lambda r: r.path.startswith("/users/@me")
    process = await start(**at(stuck))
    async with asyncio.timeout(WAIT_S):
        await stuck.interceptor.waiting.wait()
    assert await process.stop() == 0
    assert "Traceback" not in process.output


async def test_a_signal_while_it_waits_for_its_next_attempt_ends_it(monkeypatch, tmp_path):
    """The client sleeps between attempts to connect, for minutes in the end."""
    started = asyncio.Event()

    async def start(self, token, **options):
        started.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(RoxBot, "start", start)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "some.token.here")
    settings = read_settings()
    upgrade(settings.database_url)
    running = asyncio.create_task(_run(settings, "some.token.here", GAMES))
    await started.wait()
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(WAIT_S):
        await running
