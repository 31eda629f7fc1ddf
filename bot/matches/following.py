"""Follow-up work outside of a match after its commits and its end."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from bot.matches.ports import Batch, StoreUnavailableError
from bot.matches.repair import record_when_possible
from game.actions import Gone
from game.events import RematchAgreed
from game.match import Phase

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from bot.matches.opening import Opener
    from bot.matches.ports import MatchServices
    from bot.matches.registry import Registry
    from bot.matches.runner import Runner
    from bot.matches.seats import Seats
    from game.events import Event

log = logging.getLogger(__name__)


class Follower:
    """Keeps registry and seats up to date, opens rematches, looks for leavers, closes matches.

    Args:
        registry: the open matches.
        seats: the seats of people in open matches.
        services: the services that all matches share.
    """

    opener: Opener

    def __init__(self, registry: Registry, seats: Seats, services: MatchServices) -> None:
        self._registry = registry
        self._seats = seats
        self._services = services
        self._tasks: set[asyncio.Task[None]] = set()
        self._rematches: dict[int, asyncio.Task[bool]] = {}

    def committed(self, runner: Runner, events: Sequence[Event]) -> None:
        """Do the follow-up work of a commit.

        Args:
            runner: the match.
            events: the events of the commit.
        """
        match = runner.match
        # When the offer of a rematch expires, the channel can have another match already.
        if self._registry.update(runner) or not match.is_over:
            self._seats.update(runner)
        for event in events:
            if isinstance(event, RematchAgreed):
                self._agree(runner, event.users)
        if match.phase is Phase.CLOSED:
            return
        channels = self._services.channels
        if runner.game.ends_round(events):
            self._spawn(self._look_for_leavers(runner))
        elif runner.game.begins_round(events) and channels.is_unwritable(runner.venue):
            runner.pause_unwritable()

    def announced(self, runner: Runner) -> None:
        """Close a match in the store; its last message is posted."""
        self._spawn(self._close(runner))

    def conclude(self, runner: Runner, agreed: Sequence[int]) -> None:
        """Finish a closed match after a start: open its rematch, and post its last message.

        Args:
            runner: the match.
            agreed: ids of the users of a rematch that was agreed and is not open yet.
        """
        self._registry.remove(runner)
        if agreed:
            self._agree(runner, agreed)
        self._services.display.show(runner, ())

    def _agree(self, runner: Runner, users: Sequence[int]) -> None:
        opening = self.opener.open_rematch(runner, users)
        self._rematches[runner.id] = asyncio.get_running_loop().create_task(opening)

    async def _close(self, runner: Runner) -> None:
        """Close a match in the store, so that the next start does not load it."""
        opening = self._rematches.pop(runner.id, None)
        if opening is not None and not await opening:
            return
        closing = Batch(runner.id, (), closed=True)
        store = self._services.store
        try:
            await store.record(closing)
        except StoreUnavailableError:
            await record_when_possible(store, closing, self._services.clock)
        except Exception:
            log.exception("match %d can't be closed; the next start tries again", runner.id)

    async def _look_for_leavers(self, runner: Runner) -> None:
        guild, people = runner.venue.guild, runner.match.people
        channels = self._services.channels
        gone = [user for user in people if not await channels.is_member(guild, user)]
        if gone:
            runner.submit(Gone(id=runner.now(), user=gone[0], others=tuple(gone[1:])))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
