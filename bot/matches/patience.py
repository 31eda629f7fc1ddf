"""How long a match waits for what does not work: a little longer each time, not for ever."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bot.matches.ports import AlreadyEndedError, StoreUnavailableError

if TYPE_CHECKING:
    from bot.matches.ports import Batch, Clock, Store

log = logging.getLogger(__name__)

FIRST_S: Final = 0.5
LONGEST_S: Final = 30.0
GIVE_UP_S: Final = 600.0
"""For how long it waits in all."""


class Patience:
    """Tells when to try again.

    Attributes:
        not_before: when, in monotonic seconds.

    Args:
        clock: monotonic time.
    """

    def __init__(self, clock: Clock) -> None:
        self.not_before = 0.0
        self._clock = clock
        self._wait = FIRST_S
        self._since: float | None = None

    @property
    def tried(self) -> bool:
        """Whether something is being waited for."""
        return self._since is not None

    @property
    def over(self) -> bool:
        """Whether it has been waited for long enough."""
        return self._since is not None and self._clock.monotonic() - self._since > GIVE_UP_S

    def wait(self) -> None:
        """Try again later than the last time."""
        now = self._clock.monotonic()
        if self._since is None:
            self._since = now
        self.not_before = now + self._wait
        self._wait = min(2 * self._wait, LONGEST_S)

    def begin_anew(self) -> None:
        """Wait for as long again: for a while nothing could be tried."""
        if self._since is not None:
            self._since = self._clock.monotonic()

    def end(self) -> None:
        """Wait no longer."""
        self.not_before, self._wait, self._since = 0.0, FIRST_S, None


async def record_at_last(store: Store, batch: Batch, clock: Clock) -> None:
    """Record the end of a match that was told already, as soon as that can be done.

    Otherwise the next process would go on with it.
    """
    patience = Patience(clock)
    while True:
        patience.wait()
        await asyncio.sleep(patience.not_before - clock.monotonic())
        try:
            await store.record(batch)
        except StoreUnavailableError:
            continue
        except AlreadyEndedError:
            # Who opened another match in its channel has closed it.
            log.info("match %d had ended already", batch.match)
        except Exception:
            log.exception("match %d can't be closed with its last lines", batch.match)
            if batch.entries:
                batch = replace(batch, entries=())
                continue
        return
