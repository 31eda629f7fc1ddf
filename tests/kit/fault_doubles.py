"""Parts of the bot that fault on purpose; what is not replaced is real."""

from __future__ import annotations

import asyncio

from game.rox.actions import Claim


class Wrapper:
    """Another object in front of a real one; what is not replaced is the real one's."""

    def __init__(self, real):
        self._real = real

    def __getattr__(self, name):
        return getattr(self._real, name)


class FaultError(Exception):
    """A fault brought in on purpose."""


class Faults:
    """Raises so many times, for one match or for all."""

    def __init__(self):
        self.left = 0
        self.match = None
        self.raised = 0

    def next(self, times, match=None):
        self.left, self.match = times, match

    def strike(self, match):
        if self.left and self.match in {None, match}:
            self.left -= 1
            self.raised += 1
            raise FaultError


class FaultyStore(Wrapper):
    def __init__(self, real, faults):
        super().__init__(real)
        self._faults = faults

    async def record(self, batch):
        self._faults.strike(batch.match)
        await self._real.record(batch)


class SlowStore(Wrapper):
    """Takes its time to commit."""

    seconds = 0.0

    async def record(self, batch):
        await asyncio.sleep(self.seconds)
        await self._real.record(batch)


class FaultyMachine(Wrapper):
    """Faults at claims."""

    def __init__(self, real, faults):
        super().__init__(real)
        self._faults = faults

    def apply(self, match, action):
        if isinstance(action, Claim):
            self._faults.strike(match.opening.id)
        return self._real.apply(match, action)


class FaultyDeadlines(Wrapper):
    """Faults when the match is asked what it waits for."""

    def __init__(self, real, faults):
        super().__init__(real)
        self._faults = faults

    def next_id(self, match):
        self._faults.strike(match.opening.id)
        return self._real.next_id(match)


class FaultyDisplay(Wrapper):
    def __init__(self, real, faults):
        super().__init__(real)
        self._faults = faults

    def show(self, live, *rest):
        self._faults.strike(live.id)
        self._real.show(live, *rest)


class PlayedGame(Wrapper):
    def __init__(self, real, machine):
        super().__init__(real)
        self.machine = machine


def with_store(world, make):
    services = world.bot.matches.services
    services.store = make(services.store)


def with_display(world, make):
    services = world.bot.matches.services
    services.display = make(services.display)


def with_machine(world, make):
    opener = world.bot.matches.opener
    real = opener.games["rox"]
    opener.games = {"rox": PlayedGame(real, make(real.machine))}
