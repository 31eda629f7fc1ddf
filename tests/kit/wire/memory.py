"""Many matches one after the other, in several channels at once, and what a process holds.

The bot runs in a process of its own, with real HTTP, a real gateway, its database and all of its
pictures; only its monotonic time runs faster, and Discord's time with it. What is measured is that
process alone, as the kernel counts it.
"""

import asyncio
import contextlib
import re
import signal
import sqlite3
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bot.sandbox.demo.reading import labels, read_table
from bot.sandbox.person import RefusedError
from bot.sandbox.run import LoopbackDiscord
from bot.sandbox.world import MonotonicClock, message_text
from tests.kit.wire.process import at, connected, starting

HERE = Path(__file__).parent
WAIT_S = 120
KEPT = 40
"""How many messages of a channel Discord remembers here."""


class FastClock(MonotonicClock):
    """Discord's time, which runs as fast as the bot's."""

    def __init__(self, speed):
        super().__init__()
        self.speed = speed

    @property
    def elapsed(self):
        return self.speed * (time.monotonic() - self._since)


@dataclass
class Figures:
    """What was measured.

    Attributes:
        matches: how many matches were played to their end, of five rounds each.
        peaks: after so many rounds: the most memory so far, in KiB.
        now: after so many rounds: the memory in use, in KiB.
        objects: after so many rounds: how many objects the collector knows.
        left: at the end: how many objects of which of the bot's classes there are.
    """

    matches: int = 0
    peaks: dict[int, int] = field(default_factory=dict)
    now: dict[int, int] = field(default_factory=dict)
    objects: dict[int, int] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)


def memory_of(pid):
    """The most memory a process ever had, and what it has now, in KiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return tuple(int(re.search(rf"{name}:\s+(\d+)", status)[1]) for name in ("VmHWM", "VmRSS"))


class Players:
    """Two people at one channel's table, who play match after match."""

    def __init__(self, discord, channel, number, seed, speed):
        self.world = discord.world
        self.people = [discord.person(f"{name}{number}", channel) for name in ("Ada", "Ben")]
        self.random = Random(seed * 1000 + number)
        self.channel = self.people[0].channel_id
        self.speed = speed
        self.rounds = 0  # as far as they were seen: who looks too late misses one

    async def play(self, matches):
        """Play so many matches: a lobby, its rematch, another lobby."""
        ada, ben = self.people
        for number in range(matches):
            if number % 2 == 0:
                assert "The lobby is open" in await self._said(ada.slash("rox play"))
                await self._press(ben, "Join")
                await self._press(ada, "Start")
            else:
                offer, _ = self._newest()
                for person in self.people:
                    await self._press(person, "Rematch", offer)
                await self._until(lambda before=offer: self._newest()[0] != before)
            await self._race_to_the_end(own=number % 3 == 0)
            if number % 2 == 1:
                await self._said(ben.slash("rox leaderboard"))
                self._forget()

    async def _race_to_the_end(self, *, own):
        """Press and type until the match is over; each takes a card every few seconds."""
        pressed = set()
        next_at = 0.0
        while True:
            message, components = self._newest()
            buttons = labels(components)
            if "Rematch" in buttons:
                self.rounds += 1
                return
            if "Ready" in buttons and message not in pressed:
                pressed.add(message)
                self.rounds += 1
                for person in self.people:
                    await self._press(person, "Ready", message)
            elif "Go on" in buttons and message not in pressed:
                pressed.add(message)
                await self._press(self.people[0], "Go on", message)
            elif "Put back" in buttons:
                if own and message not in pressed:
                    pressed.add(message)
                    await self._press(self.people[1], "My card", message)
                now = self.world.clock.elapsed
                if now >= next_at:
                    next_at = now + 2.2
                    self._claim(components)
            await asyncio.sleep(0.5 / self.speed)

    def _claim(self, components):
        reading = read_table(components)
        if reading is None:
            return
        for person in self.people:
            chosen = self.random.random()
            if chosen < 0.1:
                person.say("42 is always the answer" if chosen < 0.05 else "0")
            elif person.name in reading.edges:
                stone = reading.ranking(person.name)[0]
                free = reading.free[stone] or next(n for n in reading.free.values() if n)
                person.say(str(free[int(self.random.random() * len(free))]))

    def _newest(self):
        stored = self.world.messages[self.channel]
        for message_id in reversed(stored):
            message = stored[message_id]
            if message.components and not message.is_ephemeral:
                return message.id, message.components
        return 0, []

    async def _press(self, person, label, message=None):
        """Press a button once it is there, and wait until that is acknowledged."""
        if message is None:
            await self._until(lambda: label in labels(self._newest()[1]))
            message, _ = self._newest()
        with contextlib.suppress(RefusedError):
            await self._answered(person.press(message, label))

    async def _answered(self, asked):
        # Discord waits for three seconds; so it does here, in the time that the bot really has.
        asked.record.initial_response_deadline = self.world.iso_after(3 * self.speed)
        await asked.answer(WAIT_S)

    async def _said(self, asked):
        """The private answer to a command."""
        await self._answered(asked)

        def content():
            message = asked.record.message_id
            return message and self.world.get_message(self.channel, message).content

        await self._until(content)
        return content()

    async def _until(self, holds):
        try:
            await self.world.wait_until(holds, timeout=WAIT_S)
        except TimeoutError:
            seen = [message_text(message) for message in self.people[1].messages()]
            raise AssertionError(f"nothing follows: {seen[-5:]}") from None

    def _forget(self):
        """Let Discord forget what nobody scrolls up to any more."""
        world, stored = self.world, self.world.messages[self.channel]
        for message_id in sorted(stored)[:-KEPT]:
            message = stored.pop(message_id)
            world.files.retire(attachment["id"] for attachment in message.attachments)
        for found in [i for i, r in world.interactions.items() if r.channel_id == self.channel]:
            record = world.interactions.pop(found)
            world.interaction_applications.pop(found, None)
            world.interaction_tokens.pop(record.token, None)


async def played(folder, *, matches, channels, speed, seed=1, every=100, tell=print, **environment):
    """Let a bot host so many matches in each of so many channels; return the figures."""
    names = [f"rox-{number}" for number in range(channels)]
    figures = Figures()
    async with LoopbackDiscord(channels=names) as discord, starting(folder) as start:
        discord.world.clock = FastClock(speed)
        path = f"{HERE / 'hastened'}:{Path.cwd()}"
        settings = at(discord, ROX_LOG_LEVEL="INFO", PYTHONPATH=path, ROX_TEST_SPEED=str(speed))
        settings |= environment
        bot = await start(**settings)
        await connected(discord)
        tables = [Players(discord, name, number, seed, speed) for number, name in enumerate(names)]
        playing = asyncio.gather(*(table.play(matches) for table in tables))

        async def look():
            rounds = sum(table.rounds for table in tables)
            counted = len(bot.told("objects "))
            bot.process.send_signal(signal.SIGUSR1)
            line = await bot.tells("objects ", counted + 1)
            peak, now = memory_of(bot.pid)
            words = line.split()
            figures.peaks[rounds], figures.now[rounds] = peak, now
            figures.objects[rounds] = int(words[1])
            figures.left = {n: int(c) for n, c in (word.split("=") for word in words[2:])}
            kept = figures.left.pop("kept") // 1024
            tell(
                f"{rounds:5} rounds: peak {peak} KiB, now {now} KiB, {words[1]} objects, "
                f"{kept} KiB of pieces of pictures kept"
            )

        due = every
        while not playing.done():
            await asyncio.wait((playing,), timeout=0.5)
            if sum(table.rounds for table in tables) >= due:
                due += every
                await look()
        playing.result()
        await look()
        wrong = [line for line in bot.lines if " ERROR " in line or "Traceback" in line]
        assert not wrong, wrong
        assert await bot.stop() == 0
    with contextlib.closing(sqlite3.connect(folder / "rox.sqlite3")) as database:
        query = "select count(*) from matches where end_reason = 'finished'"
        figures.matches = database.execute(query).fetchone()[0]
    return figures
