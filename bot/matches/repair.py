"""Repair of a running match after deciding, recording or announcing has failed.

If the store is unavailable, the batch waits, and one notice is posted. If our own code raises, the
match is rebuilt from its log and the batch is tried once more; a second failure ends this match
only. Events that are recorded but not announced are kept, and announced after the rebuild.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from bot.matches.backoff import Backoff
from bot.matches.inbox import resolve_undecided
from bot.matches.ports import AlreadyEndedError, Notice, StoreUnavailableError
from game.actions import Close
from game.match import End, Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bot.matches.deciding import Decider, Draft
    from bot.matches.inbox import Inbox, Item
    from bot.matches.match_log import MatchLog
    from bot.matches.ports import Batch, MatchServices, Store, Venue
    from bot.matches.server_time import Clock
    from game.events import Event

log = logging.getLogger(__name__)


class Repairable(Protocol):
    """The part of a running match that its repair uses."""

    id: int
    venue: Venue
    log: MatchLog
    inbox: Inbox

    def now(self) -> int:
        """Return an id for the current time."""
        ...

    def announce(self, draft: Draft) -> None:
        """Accept a recorded draft and announce it."""
        ...

    def show(self, events: Sequence[Event]) -> None:
        """Show the match; can raise any exception."""
        ...

    def follow(self, events: Sequence[Event]) -> None:
        """Do the follow-up work of these events; can raise any exception."""
        ...

    def close(self, reason: End) -> None:
        """End the match from outside."""
        ...


class Repair:
    """Deals with the failures of one running match.

    Args:
        match: the running match.
        decider: decides how the match ends.
        services: the services that all matches share.
    """

    def __init__(self, match: Repairable, decider: Decider, services: MatchServices) -> None:
        self._match = match
        self._decider = decider
        self._services = services
        self._faults = 0
        self._broken = False
        self._unshown: tuple[Event, ...] | None = None
        self._unfollowed: tuple[Event, ...] | None = None
        self._outage = Backoff(services.clock)
        self._late: asyncio.Task[None] | None = None

    @property
    def pending(self) -> bool:
        """Whether the match must be rebuilt before anything else is decided."""
        return self._broken

    @property
    def retry_at(self) -> float:
        """When the store is tried again, in monotonic seconds."""
        return self._outage.retry_at

    def rested(self) -> None:
        """Note that the match has nothing left to do, so that the next failure counts as first."""
        self._faults = 0

    def reconnected(self) -> None:
        """Note that the session is back: while it was lost, nothing could be recorded."""
        self._outage.extend()

    async def recorded(self) -> None:
        """Note that a batch was decided and recorded."""
        self._faults = 0
        if self._outage.active:
            self._outage.reset()
            await self._say(Notice.SAVES_AGAIN)

    def show_failed(self, events: Sequence[Event]) -> None:
        """Note that our own code failed to show the match."""
        self._unshown = (*(self._unshown or ()), *events)
        self._break()

    def follow_failed(self, events: Sequence[Event]) -> None:
        """Note that our own code failed in the follow-up work of these events."""
        self._unfollowed = (*(self._unfollowed or ()), *events)
        self._break()

    def timer_failed(self) -> None:
        """Note that our own code failed to compute the match's next deadline."""
        self._break()

    def _break(self) -> None:
        self._faults += not self._broken
        self._broken = True

    async def failed(self, items: list[Item], error: Exception) -> None:
        """Deal with a batch that was not decided or not recorded.

        Args:
            items: the batch.
            error: the error that was raised.
        """
        if isinstance(error, StoreUnavailableError):
            await self._wait_for_store(items, error)
            return
        log.error("a fault: %s", self.describe(items), exc_info=error)
        self._faults += 1
        await self._mend(items)

    async def run(self) -> None:
        """Rebuild the match, then announce the events that were not announced."""
        unshown, self._unshown = self._unshown, None
        unfollowed, self._unfollowed = self._unfollowed, None
        self._broken = False
        if self._match.log.match.phase is not Phase.CLOSED:
            await self._mend([])
        if unshown is not None:
            await self._try_again(self._match.show, unshown)
        if unfollowed is not None:
            await self._try_again(self._match.follow, unfollowed)

    async def _try_again(
        self, announce: Callable[[Sequence[Event]], None], events: Sequence[Event]
    ) -> None:
        try:
            announce(events)
        except Exception:
            log.exception("a fault: %s", self.describe())
            if self._match.log.match.phase is Phase.CLOSED:
                await self._say(Notice.BROKEN)
            self._match.close(End.FAULT)

    async def _wait_for_store(self, items: list[Item], error: StoreUnavailableError) -> None:
        """Keep the batch and try again later; post a notice at the first failure."""
        if self._outage.exhausted:
            self._outage.reset()
            await self._end(items + self._match.inbox.empty())
            return
        first = not self._outage.active
        self._outage.fail()
        self._match.inbox.put_back(items)
        if first:
            log.error("match %d can't be recorded: %s", self._match.id, error)
            await self._say(Notice.CANNOT_SAVE)

    async def _mend(self, items: list[Item]) -> None:
        """Rebuild the match and put the batch back; a second fault in a row ends the match."""
        if self._faults > 1:
            await self._end(items)
            return
        try:
            draft, undecided = await self._match.log.rebuild(items)
        except StoreUnavailableError as error:
            self._faults = 0
            await self._wait_for_store(items, error)
        except Exception:
            log.exception("match %d can't be rebuilt from its log", self._match.id)
            await self._end(items)
        else:
            if draft.entries:
                self._match.announce(draft)
            self._match.inbox.put_back(undecided)

    async def _end(self, items: list[Item]) -> None:
        """End the match, by force if its rules fail, and record the end as soon as possible."""
        matchlog = self._match.log
        action = Close(id=self._match.now(), reason=End.FAULT.value)
        draft = matchlog.new_draft()
        try:
            self._decider.apply(draft, action)
        except Exception:
            log.exception("match %d is closed by force", self._match.id)
            draft = matchlog.new_draft()
            draft.close_by_force(action, End.FAULT)
        batch = draft.batch(self._match.id, matchlog.match)
        try:
            await matchlog.record(draft)
        except Exception as error:
            if not isinstance(error, StoreUnavailableError):
                log.exception("match %d could not even be closed", self._match.id)
            late = record_when_possible(self._services.store, batch, self._services.clock)
            self._late = asyncio.get_running_loop().create_task(late)
        self._match.announce(draft)
        resolve_undecided(items)

    async def _say(self, notice: Notice) -> None:
        venue = self._match.venue
        try:
            await self._services.display.say(venue, notice, self._match.log.match.opening.game)
        except Exception:
            log.exception("a fault: no notice %s in channel %d", notice, venue.channel)

    def describe(self, items: Sequence[Item] = ()) -> str:
        """Return one line that describes the match and the actions that led to a fault."""
        match, matchlog = self._match, self._match.log
        post = matchlog.match.post
        return (
            f"match {match.id} in channel {match.venue.channel}, {matchlog.length} lines of its "
            f"log, {post.key if post else 'nothing'} shown, "
            f"{[item.action for item in items]!r} to do"
        )


async def record_when_possible(store: Store, batch: Batch, clock: Clock) -> None:
    """Record the end of a match that is announced already, once the store is available.

    Without it the next process would continue the match.
    """
    backoff = Backoff(clock)
    while True:
        backoff.fail()
        await asyncio.sleep(backoff.delay)
        try:
            await store.record(batch)
        except StoreUnavailableError:
            continue
        except AlreadyEndedError:
            # Opening another match in its channel closed it.
            log.info("match %d had ended already", batch.match)
        except Exception:
            log.exception("match %d can't be closed with its last lines", batch.match)
            if batch.entries:
                batch = replace(batch, entries=())
                continue
        return
