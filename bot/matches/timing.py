"""What time it is in match time, and the clock of the event loop."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from game.ids import ms_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.matches.ports import Clock


class LoopClock:
    """The running event loop's monotonic clock and timers."""

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()

    def call_later(self, delay: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Call back once, after a delay in seconds."""
        return asyncio.get_running_loop().call_later(delay, callback)


class MatchTime:
    """Estimates match time: the newest that Discord has told, mostly by an id, plus time since.

    The host's wall clock is never asked, so it may be wrong or jump.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ms = 0
        self._at = 0.0

    def saw(self, snowflake: int) -> None:
        """Take note of an id that Discord has just sent."""
        self.not_before(ms_of(snowflake))

    def not_before(self, ms: int) -> None:
        """Take note that it is not earlier than this, in milliseconds of match time."""
        if ms > self.now():
            self._ms, self._at = ms, self._clock.monotonic()

    def now(self) -> int:
        """Return the present moment in milliseconds of match time; 0 before any id was seen."""
        if not self._ms:
            return 0
        return self._ms + int((self._clock.monotonic() - self._at) * 1000)
