"""Exponential backoff for calls that failed, with an end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bot.matches.server_time import Clock

FIRST_S: Final = 0.5
LONGEST_S: Final = 30.0
GIVE_UP_S: Final = 600.0
"""How long attempts are made in all, in seconds."""


class Backoff:
    """Computes when to try again: the wait doubles with each failure, up to `LONGEST_S`.

    Args:
        clock: monotonic time.

    Attributes:
        retry_at: when the next attempt is due, in monotonic seconds; 0 before the first failure.
    """

    def __init__(self, clock: Clock) -> None:
        self.retry_at = 0.0
        self._clock = clock
        self._wait = FIRST_S
        self._since: float | None = None

    @property
    def active(self) -> bool:
        """Whether something has failed since the last reset."""
        return self._since is not None

    @property
    def exhausted(self) -> bool:
        """Whether attempts have failed for longer than `GIVE_UP_S`."""
        return self._since is not None and self._clock.monotonic() - self._since > GIVE_UP_S

    @property
    def delay(self) -> float:
        """The seconds until the next attempt is due; negative if it is overdue."""
        return self.retry_at - self._clock.monotonic()

    def fail(self) -> None:
        """Note a failure: the next attempt waits twice as long as the last one."""
        now = self._clock.monotonic()
        if self._since is None:
            self._since = now
        self.retry_at = now + self._wait
        self._wait = min(2 * self._wait, LONGEST_S)

    def extend(self) -> None:
        """Restart the time of `GIVE_UP_S`, because no attempt was possible for a while."""
        if self._since is not None:
            self._since = self._clock.monotonic()

    def reset(self) -> None:
        """Forget the failures, after a success or a decision to give up."""
        self.retry_at, self._wait, self._since = 0.0, FIRST_S, None
