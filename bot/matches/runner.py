"""One running match: decides, records, announces, and sets the timer.

Everything that happens to a match is an action in its inbox. The task that decides exists only
while there is something to decide; a match at rest consists of its state and one timer.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from bot.matches.deciding import Decider
from bot.matches.inbox import Inbox, Reply, resolve_undecided
from bot.matches.match_log import MatchLog
from bot.matches.repair import Repair
from game.actions import Action, Close, Interrupt, Returned, Shown
from game.ids import first_id, ms_of, timer_id
from game.match import End, Match, Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bot.matches.deciding import Draft
    from bot.matches.inbox import Item
    from bot.matches.ports import MatchServices, PlayedGame, Venue
    from game.events import Event

log = logging.getLogger(__name__)


class Runner:
    """Runs one match; see also `bot.matches.ports.LiveMatch`.

    Args:
        match_id: the match's own key.
        venue: where it is played.
        game: its game.
        match: its state.
        length: the number of lines in its log.
        services: the services that all matches share.
        on_commit: called with the runner and the events after every commit.
        on_announced: called with the runner once the last message of the closed match is posted.
        seen: ids of people's actions that are in the log already.

    Attributes:
        log: the match's log.
        inbox: the actions that are still to be decided.
        posts: ids of messages that are known to have shown the match.
    """

    def __init__(
        self,
        match_id: int,
        venue: Venue,
        game: PlayedGame,
        *,
        match: Match[Any],
        length: int,
        services: MatchServices,
        on_commit: Callable[[Runner, Sequence[Event]], None],
        on_announced: Callable[[Runner], None],
        seen: Iterable[int] = (),
    ) -> None:
        self.id = match_id
        self.venue = venue
        self.game = game
        self.log = MatchLog(match_id, match, length, game.machine, services.store)
        self.inbox = Inbox(services.clock, services.settle, seen)
        self.posts = {match.post.id} if match.post else set[int]()
        self._services = services
        self._on_commit = on_commit
        self._on_announced = on_announced
        self._decider = Decider(game.machine, services.random)
        self._repair = Repair(self, self._decider, services)
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._held = False

    @property
    def match(self) -> Match[Any]:
        """The newest committed state."""
        return self.log.match

    # --- actions from outside ---

    def hear(self, text: str, user: int, message: int) -> None:
        """Put a player's typed message into the inbox if it is a move; ignore it otherwise."""
        if self.match.phase is not Phase.PLAYING or self.match.seat_of(user) is None:
            return
        action = self.game.read(text, user, message)
        if action is not None:
            self.submit(action)

    def submit(self, action: Action) -> None:
        """Put an action into the inbox; drop it if its id was seen before."""
        self._put(action)

    def ask(self, action: Action) -> Reply:
        """Put an action into the inbox; `answer` waits for its events."""
        reply: Reply = asyncio.get_running_loop().create_future()
        self._put(action, reply=reply)
        return reply

    async def answer(self, reply: Reply) -> Sequence[Event]:
        """Return an action's events once they are committed.

        The events are empty if the match is closed or the action was seen before. While the match
        decides, its task is awaited, so that a simulated clock knows what the wait depends on.
        """
        while not reply.done() and self._task is not None:
            await asyncio.shield(self._task)
        return await reply

    def post_shown(self, key: str, message: int) -> None:
        """Note that a message in the channel shows the match."""
        self._services.time.note_id(message)
        self.posts.add(message)
        # During a race it is held like a claim, or it would overtake claims still to arrive.
        at_once = self.game.machine.awaits_post(self.match)
        self._put(Shown(id=message, key=key), at_once=at_once)

    def pause_unwritable(self, *, passing: bool = False) -> None:
        """Pause the match, because its channel can't be written to."""
        if passing and self._held and self.match.away is None:
            return  # While the session is lost no call succeeds.
        self._put(Interrupt(id=self.now()), at_once=True)

    def close(self, reason: End) -> None:
        """End the match from outside."""
        self._put(Close(id=self.now(), reason=reason.value), at_once=True)

    def lost_session(self, found: Sequence[tuple[str, int]]) -> None:
        """Record a lost session before all actions in the inbox.

        Args:
            found: key and id of messages that show the match but are not in its log, oldest first;
                they were posted before the session was lost.
        """
        for key, message in found:
            self._services.time.note_id(message)
            self.posts.add(message)
            self._put(Shown(id=message, key=key), first=True)
        newest = max(self.posts, default=0)
        returned = max(first_id(ms_of(self.now())), newest + 1)
        self._put(Returned(id=returned), first=True)

    def _put(
        self,
        action: Action,
        *,
        reply: Reply | None = None,
        at_once: bool = False,
        first: bool = False,
    ) -> None:
        if self.inbox.has_seen(action) or self.match.phase is Phase.CLOSED:
            if reply is not None:
                reply.set_result(())
            return
        self.inbox.put(action, reply=reply, at_once=at_once, first=first)
        self._wake()

    def rebuild(self) -> None:
        """Load the match from its log and show it again."""
        self._repair.show_failed(())
        self._wake()

    def mark_announced(self) -> None:
        """Note that the closed match's last message is posted, or can't be."""
        self._on_announced(self)

    # --- the task that decides ---

    def hold(self) -> None:
        """Decide nothing until `release`, because events can be missing."""
        self._held = True
        self._cancel_timer()

    def release(self) -> None:
        """Decide again, after `hold`."""
        self._held = False
        self._repair.reconnected()
        self._wake()
        self._set_timer()

    def begin(self) -> None:
        """Start the match: make the random decisions that it waits for, and show it."""
        self._announce_to(self.show, self._repair.show_failed, ())
        self.inbox.put_timer(0, at_once=True)
        self._wake()

    async def rest(self) -> None:
        """Wait until nothing is being decided."""
        while self._task is not None:
            await asyncio.wait([self._task])

    def now(self) -> int:
        """Return an id for an action that happens now and has no id from Discord."""
        return timer_id(max(self._services.time.now(), self.match.last_ms))

    def _wake(self) -> None:
        if self._task is None and (self.inbox or self._repair.pending) and not self._held:
            self._task = asyncio.get_running_loop().create_task(
                self._drain(), name=f"match-{self.id}"
            )

    async def _drain(self) -> None:
        """Decide batches until the inbox holds nothing that can be decided."""
        try:
            while not self._held and await self._step():
                pass
        finally:
            self._task = None
        self._set_timer()

    async def _step(self) -> bool:
        """Decide one batch, or wait until one is due; return False if nothing is left."""
        items: list[Item] = []
        try:
            if self._repair.pending:
                await self._repair.run()
                return True
            if self.match.phase is Phase.CLOSED:
                return False
            decidable = self.inbox.decidable(moves=not self.game.machine.awaits_post(self.match))
            if not decidable:
                return False
            due = max(self._repair.retry_at, self.inbox.next_due(decidable))
            wait = due - self._services.clock.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
                return True
            items = self.inbox.take(decidable)
            draft = await self._decide(items)
            items = []  # They are recorded, so a failure from here on must not repeat them.
            self.announce(draft)
            await self._repair.recorded()
        except Exception as error:  # noqa: BLE001 - the repair logs it
            await self._repair.failed(items, error)
        return True

    # --- decide, record, announce ---

    async def _decide(self, items: Sequence[Item]) -> Draft:
        """Decide a batch and record it."""
        draft = self.log.new_draft()
        self._decider.decide(draft, items)
        await self.log.record(draft)
        return draft

    def announce(self, draft: Draft) -> None:
        """Accept a recorded draft, resolve its replies, and announce its events."""
        changed = draft.match is not self.match
        self.log.accept(draft)
        for reply, events in draft.replies:
            if not reply.done():
                reply.set_result(events)
        if changed:
            self._announce_to(self.show, self._repair.show_failed, draft.events)
        if changed or draft.events:
            self._announce_to(self.follow, self._repair.follow_failed, draft.events)
        if self.match.phase is Phase.CLOSED:
            self._cancel_timer()
            resolve_undecided(self.inbox.empty())

    def show(self, events: Sequence[Event]) -> None:
        """Show the match."""
        self._services.display.show(self, events)

    def follow(self, events: Sequence[Event]) -> None:
        """Do the follow-up work of these events outside of the match."""
        self._on_commit(self, events)

    def _announce_to(
        self,
        announce: Callable[[Sequence[Event]], None],
        failed: Callable[[Sequence[Event]], None],
        events: Sequence[Event],
    ) -> None:
        try:
            announce(events)
        except Exception:
            log.exception("a fault: %s", self._repair.describe())
            failed(events)
            self._wake()

    # --- the timer ---

    def _set_timer(self) -> None:
        """Set the timer to the next deadline or opponent's move."""
        self._cancel_timer()
        if self._held or self.match.phase is Phase.CLOSED:
            return
        try:
            next_id = self.game.machine.next_id(self.match)
        except Exception:
            log.exception("a fault: %s", self._repair.describe())
            self._repair.timer_failed()
            self._wake()
            return
        self._repair.rested()
        if next_id is not None:
            delay = max(0.0, (ms_of(next_id) - self._services.time.now()) / 1000)
            self._timer = self._services.clock.call_later(delay, lambda: self._ring(next_id))

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self, next_id: int) -> None:
        self._timer = None
        self.inbox.put_timer(next_id)
        self._wake()
