"""Parting from messages that a match does not need any more."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bot.views.refusals import CALL_ERRORS

if TYPE_CHECKING:
    from bot.channel.calls import Calls, Standing
    from bot.channel.pacing import Budget, Meter
    from bot.games.sheet import Sheet

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Farewell:
    """An earlier message.

    Attributes:
        standing: the message.
        last: its last form; None: it goes, or nothing is known of it but that it stays.
        stays: whether it stays.
    """

    standing: Standing
    last: Sheet | None
    stays: bool


class Parting:
    """Parts from one match's earlier messages beside what is shown, so that no frame waits for it.

    Args:
        match: the match's own key.
        calls: makes the calls.
        meter: says when a call can go out.
        budget: what all matches share.

    Attributes:
        task: what is under way.
    """

    def __init__(self, match: int, calls: Calls, meter: Meter, budget: Budget) -> None:
        self._match = match
        self._calls = calls
        self._meter = meter
        self._budget = budget
        self._leaving: list[_Farewell] = []
        self._untidy: list[int] = []
        self.task: asyncio.Task[None] | None = None

    def leave(self, standing: Standing, last: Sheet | None = None, *, stays: bool = False) -> None:
        """Part from a message when `begin` is called next.

        Args:
            standing: the message.
            last: its last form, if that is known.
            stays: whether it stays even so, without its buttons.
        """
        self._leaving.append(_Farewell(standing, last, stays))

    def tidies(self, message: int) -> None:
        """Remove the message of a decided claim when `begin` is called next."""
        self._untidy.append(message)

    def begin(self) -> None:
        """Part from what is to be left."""
        if self.task is None:
            self.task = asyncio.get_running_loop().create_task(
                self._part_from_all(), name=f"board-{self._match}-leaves"
            )

    async def _part_from_all(self) -> None:
        try:
            while self._leaving:
                await self._part(self._leaving.pop(0))
            await self._tidy()
        except Exception:
            log.exception("match %d: an earlier message stays as it is: a fault", self._match)
        finally:
            self.task = None

    async def _part(self, farewell: _Farewell) -> None:
        """Give an earlier message its last form, or delete it."""
        standing, last = farewell.standing, farewell.last
        try:
            if last is None:
                await self._budget.place()
                await (self._calls.strip if farewell.stays else self._calls.remove)(standing)
            elif standing.sheet != last:
                await asyncio.sleep(self._meter.wait(self._calls.route(standing)))
                ready = await self._budget.turn(partial(self._calls.prepare_edit, standing, last))
                await ready.send()
        except CALL_ERRORS as error:
            log.info("match %d: an earlier message stays as it is: %s", self._match, error)

    async def _tidy(self) -> None:
        """Remove the messages of decided claims, where the server wishes it."""
        messages, self._untidy = self._untidy, []
        if not messages:
            return
        try:
            await self._budget.place()
            await self._calls.remove_all(messages)
        except CALL_ERRORS as error:
            log.info("match %d: claims stay in the channel: %s", self._match, error)
