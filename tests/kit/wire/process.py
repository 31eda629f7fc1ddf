"""`rox run` in a process of its own: start it, read what it writes, stop it, kill it.

    async with starting(tmp_path) as start:
        bot = await start(**at(loopback))
        await connected(loopback)
        ...
        await bot.kill()
        await disconnected(loopback)
        again = await start(**at(loopback))

The database is `rox.sqlite3` in the folder, unless a setting names another.
"""

import asyncio
import contextlib
import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path

WAIT_S = 30


@dataclass(eq=False)
class Process:
    """A bot in a process of its own, with what it wrote so far."""

    process: asyncio.subprocess.Process
    lines: list[str] = field(default_factory=list)
    reader: asyncio.Task | None = None
    _more: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self):
        async for line in self.process.stdout:
            self.lines.append(line.decode())
            self._more.set()

    @property
    def pid(self):
        return self.process.pid

    @property
    def output(self):
        return "".join(self.lines)

    def told(self, words):
        """The lines that contain these words."""
        return [line for line in self.lines if words in line]

    async def tells(self, words, times=1):
        """Wait until so many lines contain these words; return the last of them."""
        async with asyncio.timeout(WAIT_S):
            while len(found := self.told(words)) < times:
                self._more.clear()
                await self._more.wait()
        return found[times - 1]

    async def ends(self):
        """Wait until it has ended; return its status."""
        async with asyncio.timeout(WAIT_S):
            status = await self.process.wait()
            await self.reader
        return status

    async def stop(self, number=signal.SIGTERM):
        """Ask it to end; return its status."""
        self.process.send_signal(number)
        return await self.ends()

    async def kill(self):
        """End it between two of its instructions, as a power cut does."""
        return await self.stop(signal.SIGKILL)


@contextlib.asynccontextmanager
async def starting(folder):
    """What starts `rox run` in a folder, with nothing in its environment but what is given."""
    running = []

    async def start(**settings):
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path.cwd()), **settings}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            "run",
            cwd=folder,
            env=environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        found = Process(process)
        found.reader = asyncio.create_task(found.read())
        running.append(found)
        return found

    try:
        yield start
    finally:
        for found in running:
            with contextlib.suppress(ProcessLookupError):
                found.process.kill()
            await found.process.wait()
            await found.reader


def at(loopback, **settings):
    """The settings that send a bot to a Discord on loopback."""
    return {
        "DISCORD_TOKEN": loopback.token,
        "ROX_DISCORD_API_URL": loopback.api_url,
        "ROX_DISCORD_GATEWAY_URL": loopback.gateway_url,
        "ROX_LOG_LEVEL": "DEBUG",
        **settings,
    }


def open_sessions(loopback):
    return [session for session in loopback.gateway.sessions.values() if session.connected]


async def connected(loopback):
    """Wait until a bot has a session, from which on it hears of everything."""
    await loopback.world.wait_until(lambda: open_sessions(loopback), timeout=WAIT_S)


async def disconnected(loopback):
    """Wait until Discord has noticed that no bot listens any more, and forget its session."""
    await loopback.world.wait_until(lambda: not open_sessions(loopback), timeout=WAIT_S)
    loopback.gateway.drop_sessions()


async def said(loopback, asked):
    """The private answer to a command, which replaces the one that only says "thinking"."""
    await asked.response(timeout=WAIT_S)

    def content():
        message = asked.record.message_id
        return message and loopback.world.get_message(asked.record.channel_id, message).content

    await loopback.world.wait_until(content, timeout=WAIT_S)
    return content()
