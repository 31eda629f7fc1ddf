"""How long a claim waits for its decision, with and without somebody who floods the bot.

The real bot, its database and a Discord on loopback, over real HTTP and a real gateway. One player
claims a card every tenth of a second; from the claim's message to its commit is what it takes.
Everything runs in one process, so the loopback's own work counts too.

``pytest -n 0 --benchmark-enable tests/bench/test_flooding.py`` reports the figures.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from random import Random
from typing import TYPE_CHECKING

from bot.app.client import RoxBot
from bot.app.library_settings import set_discord_urls
from bot.games.table import GAMES
from bot.sandbox.demo.reading import labels, read_table
from bot.sandbox.person import RefusedError
from bot.sandbox.run import LoopbackDiscord, until_offered
from bot.store.migrate import upgrade
from game.rox.events import Claimed
from game.rox.state import Stage

if TYPE_CHECKING:
    import pytest
    from pytest_benchmark.fixture import BenchmarkFixture

SETTLE_MS = 60
GAP_S = 0.02
CLAIM_GAP_S = 0.1
LONGEST_WAIT_MS = 1000


class Race:
    """A race that is open, who plays in it, and when which claim was decided."""

    def __init__(self, discord, bot, channel):
        self.discord, self.bot = discord, bot
        self.ada, self.ben, self.cy = (
            discord.person(name, channel) for name in ("Ada", "Ben", "Cy")
        )
        self.elsewhere = discord.person("Cy", "general")
        self.decided = {}
        self.more = asyncio.Event()

    async def begin(self):
        until = self.discord.world.wait_until
        await until_offered(self.discord, self.ada, "rox play")
        await self.ada.slash("rox play").response()
        await until(self.newest)
        await self.ben.press(self.newest().id, "Join").response()
        await self.ada.press(self.newest().id, "Start").response()
        await until(lambda: "Put back" in labels(self.newest().components), timeout=20)
        self.runner = self.bot.matches.registry.at(self.ada.channel_id)
        await until(lambda: self.runner.match.game.stage is Stage.RACE)
        follow = self.runner.follow

        def note(events):
            now = time.perf_counter()
            self.decided |= {e.id: now for e in events if isinstance(e, Claimed)}
            self.more.set()
            follow(events)

        self.runner.follow = note
        await asyncio.sleep(2.1)

    def newest(self):
        found = (m for m in reversed(self.ada.messages()) if m.components and not m.is_ephemeral)
        return next(found, None)

    def taken(self):
        """A card that nobody can take: claims on it are decided, and change no more than a line."""
        reading = read_table(self.newest().components)
        free = {number for numbers in reading.free.values() for number in numbers}
        return next(number for number in range(10, 70) if number not in free)

    async def waits(self, seconds):
        """Let Ben claim for so long; return how long each claim waited, in milliseconds."""
        said, taken = {}, self.taken()
        ends = time.perf_counter() + seconds
        while time.perf_counter() < ends:
            began = time.perf_counter()
            said[self.ben.say(str(taken)).id] = began
            await asyncio.sleep(CLAIM_GAP_S)
        async with asyncio.timeout(10):
            while not said.keys() <= self.decided.keys():
                self.more.clear()
                await self.more.wait()
        return [1000 * (self.decided[i] - began) for i, began in said.items()]

    async def flooded(self, seconds, act):
        """The same while somebody does something fifty times a second."""

        async def flood():
            while True:
                with contextlib.suppress(RefusedError):
                    act()
                await asyncio.sleep(GAP_S)

        flooding = asyncio.create_task(flood())
        try:
            return await self.waits(seconds)
        finally:
            flooding.cancel()

    def floods(self):
        taken, random = self.taken(), Random(1)
        table = self.newest().id
        return {
            "claims of a player": lambda: self.ada.say(str(taken)),
            "numbers of an onlooker": lambda: self.cy.say(str(10 + int(random.random() * 60))),
            "chat of a player": lambda: self.ada.say("who took my card"),
            "chat in another channel": lambda: self.elsewhere.say("ha!"),
            "presses on one button": lambda: self.ada.press(table, "Put back"),
            "commands": lambda: self.cy.slash("rox leaderboard"),
            "claims by command": lambda: self.ada.slash("rox take", number=taken),
        }


async def measured(folder, seconds):
    """The waits of each kind of flood, and those of the calm before and after."""
    url = f"sqlite+aiosqlite:///{folder / 'rox.sqlite3'}"
    upgrade(url)
    found = {}
    async with LoopbackDiscord() as discord:
        set_discord_urls(discord.api_url, discord.gateway_url)
        bot = RoxBot(
            games=GAMES, database_url=url, settle=SETTLE_MS / 1000, typing=True, random=Random(1)
        )
        async with bot:
            running = asyncio.create_task(bot.start(discord.token))
            race = Race(discord, bot, "rox-table")
            await race.begin()
            found["nothing else"] = await race.waits(seconds)
            for name, act in race.floods().items():
                assert race.runner.match.game.stage is Stage.RACE
                found[name] = await race.flooded(seconds, act)
                # What was begun is done before the next kind, and the race goes on.
                await asyncio.sleep(0.3)
        await running
    return found


def middle(waits):
    return sorted(waits)[len(waits) // 2]


def test_a_claim_waits_no_longer_because_somebody_floods(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr("discord.http.Route.BASE", "")
    monkeypatch.setattr("discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY", "")
    seconds = 3.0 if benchmark.enabled else 0.8
    runs = []
    benchmark.pedantic(lambda: runs.append(asyncio.run(measured(tmp_path, seconds))), rounds=1)
    (found,) = runs
    calm = middle(found["nothing else"])
    figures = {
        name: (middle(waits), max(waits), middle(waits) / calm) for name, waits in found.items()
    }
    benchmark.extra_info.update({name: values[0] for name, values in figures.items()})
    if benchmark.enabled:
        with capsys.disabled():
            lines = (
                f"  {name}: {usual:.0f} ms, at most {worst:.0f}, {ratio:.2f} times the calm\n"
                for name, (usual, worst, ratio) in figures.items()
            )
            sys.stdout.write("\n" + "".join(lines))
    for name, (usual, _, _) in figures.items():
        assert SETTLE_MS <= usual <= LONGEST_WAIT_MS, name
