"""The matches of a process: builds the parts that run them, and stops them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bot.matches.following import Follower
from bot.matches.opening import Opener
from bot.matches.ports import Notice
from bot.matches.recovery import Recovery
from bot.matches.registry import Registry
from bot.matches.seats import Seats

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.matches.ports import MatchServices, PlayedGame
    from bot.matches.runner import Runner


class Matches:
    """The matches of a process.

    Args:
        games: the games by name.
        services: the services that all matches share.

    Attributes:
        services: the services that all matches share.
        registry: the open matches.
        seats: the seats of people in open matches.
        opener: opens matches.
        recovery: restores matches after a start or a lost session.
    """

    def __init__(self, games: Mapping[str, PlayedGame], services: MatchServices) -> None:
        self.services = services
        self.registry = Registry()
        self.seats = Seats()
        follower = Follower(self.registry, self.seats, services)
        self.opener = follower.opener = Opener(
            games,
            self.registry,
            self.seats,
            services,
            on_commit=follower.committed,
            on_announced=follower.announced,
        )
        self.recovery = Recovery(self.registry, self.opener, follower, services)

    async def stop(self, seconds: float) -> None:
        """Open no more matches, decide the actions that have arrived, and post notices.

        Args:
            seconds: the time limit.

        Raises:
            TimeoutError: the time limit is exceeded; the matches are held nevertheless.
        """
        self.opener.closing = True
        playing = [runner for runner in self.registry if not runner.match.is_over]
        try:
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(runner.rest() for runner in playing))
                await asyncio.gather(*(self._say_restarting(runner) for runner in playing))
        finally:
            for runner in self.registry:
                runner.hold()

    async def _say_restarting(self, runner: Runner) -> None:
        game = runner.match.opening.game
        await self.services.display.say(runner.venue, Notice.RESTARTING, game)
