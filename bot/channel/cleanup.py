"""Cleanup from messages that a match does not need any more."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bot.channel.errors import ErrorKind, error_kind
from bot.matches.backoff import Backoff
from bot.views.refusals import CALL_ERRORS

if TYPE_CHECKING:
    from bot.channel.calls import Calls, ShownMessage
    from bot.channel.pacing import Budget, Meter
    from bot.games.sheet import Sheet
    from bot.matches.server_time import Clock

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Farewell:
    """An earlier message.

    Attributes:
        standing: the message.
        last: its last form; None: it goes, or nothing is known of it but that it stays.
        stays: whether it stays.
        patience: says when it is tried again, and when there has been enough of that.
    """

    standing: ShownMessage
    last: Sheet | None
    stays: bool
    patience: Backoff


class Cleanup:
    """Parts from one match's earlier messages beside what is shown, so that no frame waits for it.

    What Discord does not carry out at present is tried again later and later, for some minutes.

    Args:
        match: the match's own key.
        calls: makes the calls.
        meter: says when a call can go out.
        budget: what all matches share.
        clock: monotonic time.

    Attributes:
        task: what is under way.
    """

    def __init__(
        self, match: int, calls: Calls, meter: Meter, budget: Budget, clock: Clock
    ) -> None:
        self._match = match
        self._calls = calls
        self._meter = meter
        self._budget = budget
        self._clock = clock
        self._standing: list[_Farewell] = []
        self._leaving: list[_Farewell] = []
        self._decided: list[int] = []
        self._untidy: list[int] = []
        self._nap: asyncio.Task[None] | None = None
        self.task: asyncio.Task[None] | None = None

    def leave(
        self, standing: ShownMessage, last: Sheet | None = None, *, stays: bool = False
    ) -> None:
        """Part from a message when `begin` is called next.

        Args:
            standing: the message.
            last: its last form, if that is known.
            stays: whether it stays even so, without its buttons.
        """
        self._standing.append(_Farewell(standing, last, stays, Backoff(self._clock)))

    def tidies(self, message: int) -> None:
        """Remove the message of a decided claim when `begin` is called next."""
        self._decided.append(message)

    def begin(self) -> None:
        """Part from what is to be left."""
        self._leaving += self._standing
        self._untidy += self._decided
        self._standing, self._decided = [], []
        if self.task is None:
            self.task = asyncio.get_running_loop().create_task(
                self._part_from_all(), name=f"board-{self._match}-leaves"
            )
        elif self._nap is not None:
            self._nap.cancel()

    def close(self) -> None:
        """Leave everything as it is."""
        for task in (self.task, self._nap):
            if task is not None:
                task.cancel()

    async def _part_from_all(self) -> None:
        try:
            while self._leaving or self._untidy:
                await self._part_from_next()
        finally:
            self.task = None

    async def _part_from_next(self) -> None:
        """Do what is due, the least tried first, or wait until something is."""
        farewell = min(self._leaving, key=lambda f: f.patience.retry_at, default=None)
        wait = farewell.patience.retry_at - self._clock.monotonic() if farewell else 0.0
        if farewell is not None and wait <= 0:
            self._leaving.remove(farewell)
            if not await self._try_to_part(farewell):
                self._leaving.append(farewell)
        elif self._untidy:
            await self._tidy()
        else:
            self._nap = asyncio.get_running_loop().create_task(asyncio.sleep(wait))
            await asyncio.wait((self._nap,))

    async def _try_to_part(self, farewell: _Farewell) -> bool:
        """Part from a message; False where that is to be tried again."""
        standing, patience = farewell.standing, farewell.patience
        try:
            await self._part(farewell)
        except CALL_ERRORS as error:
            log.info("match %d: an earlier message stays as it is: %s", self._match, error)
            if standing.token is not None:
                standing.token = None
                return False
            if error_kind(error) is not ErrorKind.TEMPORARY:
                return True
            patience.fail()
            return patience.exhausted
        except Exception:
            log.exception("match %d: an earlier message stays as it is: a fault", self._match)
        return True

    async def _part(self, farewell: _Farewell) -> None:
        """Give an earlier message its last form, or delete it."""
        standing, last = farewell.standing, farewell.last
        if last is None:
            await self._budget.place()
            await (self._calls.strip if farewell.stays else self._calls.remove)(standing)
        elif standing.sheet != last:
            await asyncio.sleep(self._meter.wait(self._calls.route(standing)))
            ready = await self._budget.turn(partial(self._calls.prepare_edit, standing, last))
            await ready.send()

    async def _tidy(self) -> None:
        """Remove the messages of decided claims, where the server wishes it."""
        messages, self._untidy = self._untidy, []
        try:
            await self._budget.place()
            await self._calls.remove_all(messages)
        except CALL_ERRORS as error:
            log.info("match %d: claims stay in the channel: %s", self._match, error)
        except Exception:
            log.exception("match %d: claims stay in the channel: a fault", self._match)
