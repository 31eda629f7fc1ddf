"""Discord's time, and the clock of the event loop."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Protocol

from game.ids import ms_of

if TYPE_CHECKING:
    from collections.abc import Callable


class Clock(Protocol):
    """Monotonic time and timers."""

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        ...

    def call_later(self, delay: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Call back once, after a delay in seconds."""
        ...


class LoopClock:
    """The monotonic clock and the timers of the running event loop."""

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()

    def call_later(self, delay: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Call back once, after a delay in seconds."""
        return asyncio.get_running_loop().call_later(delay, callback)


class ServerTime:
    """Estimates Discord's time: the newest time that Discord has sent, plus the time since then.

    The machine's wall clock is never read, because it can be wrong or jump.

    Args:
        clock: monotonic time.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ms = 0
        self._at = 0.0

    def note_id(self, snowflake: int) -> None:
        """Note an id that Discord has just sent."""
        self.note(ms_of(snowflake))

    def note(self, ms: int) -> None:
        """Note that Discord's time is at least this, in milliseconds of its ids."""
        if ms > self.now():
            self._ms, self._at = ms, self._clock.monotonic()

    def now(self) -> int:
        """Return the current time in milliseconds of Discord's ids; 0 before any is noted."""
        if not self._ms:
            return 0
        return self._ms + int((self._clock.monotonic() - self._at) * 1000)
