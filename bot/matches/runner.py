"""One match, running: its inbox, the order of things, recording before announcing.

Everything that happens to a match is an action in its inbox. A task lives only while there is
something to decide; a match at rest is its state and one timer.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Any

from bot.matches.deciding import Decider, Draft, upcoming
from bot.matches.inbox import Inbox, Item, Reply, dismiss
from bot.matches.patience import Patience, record_at_last
from bot.matches.ports import AlreadyEndedError, Notice, StoreUnavailableError
from bot.matches.rebuilding import rebuild
from game.actions import Action, Close, Interrupt, Returned, Shown
from game.ids import ms_of, timer_id
from game.match import End, Match, Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bot.matches.ports import PlayedGame, Venue
    from bot.matches.tools import Tools
    from game.events import Event

log = logging.getLogger(__name__)


class Runner:
    """Runs one match.

    Args:
        match_id: the match's own key.
        venue: where it is played.
        hosted: its game.
        match: its state.
        length: how many lines its log has.
        tools: what all runners share.
        changed: called with the runner and the events after every commit.
        told: called with the runner once the last word of the closed match is said.
        seen: ids of people's actions that are in the log already.

    Attributes:
        posts: ids of messages that are known to have shown the match.
    """

    def __init__(
        self,
        match_id: int,
        venue: Venue,
        hosted: PlayedGame,
        *,
        match: Match[Any],
        length: int,
        tools: Tools,
        changed: Callable[[Runner, tuple[Event, ...]], None],
        told: Callable[[Runner], None],
        seen: Iterable[int] = (),
    ) -> None:
        self.id = match_id
        self.venue = venue
        self.hosted = hosted
        self._match = match
        self._length = length
        self._tools = tools
        self._changed = changed
        self.told = partial(told, self)
        self._decider = Decider(hosted.machine, tools.random)
        self.posts = {match.post.id} if match.post else set[int]()
        self._inbox = Inbox(tools.clock, tools.settle, seen)
        self._faults = 0
        self._failed: list[Callable[[], None]] = []
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._held = False
        self._absences = 0
        self._away: int | None = None
        self._patience = Patience(tools.clock)
        self._late: asyncio.Task[None] | None = None

    @property
    def absence(self) -> int | None:
        """The number of the bot's absence, until a new message shows the match again."""
        return self._away

    @property
    def match(self) -> Match[Any]:
        """The newest committed state."""
        return self._match

    def submit(self, action: Action) -> None:
        """Put an action into the inbox. An id that was seen before is dropped."""
        self._put(action)

    def ask(self, action: Action) -> Reply:
        """Put an action into the inbox at once; `answer` waits for what comes of it."""
        reply: Reply = asyncio.get_running_loop().create_future()
        self._put(action, reply=reply)
        return reply

    async def answer(self, reply: Reply) -> tuple[Event, ...]:
        """Return an action's events once they are committed.

        A match that is closed, and an action seen before, give no events. While the match
        decides, it is its task that is awaited, so that a simulated clock can tell what the
        wait hangs on.
        """
        while not reply.done() and self._task is not None:
            await asyncio.shield(self._task)
        return await reply

    def hear(self, text: str, user: int, message: int) -> None:
        """Take a typed message: a claim goes into the inbox, chat goes nowhere."""
        if self._match.phase is not Phase.PLAYING or self._match.seat_of(user) is None:
            return
        action = self.hosted.read(text, user, message)
        if action is not None:
            self.submit(action)

    def posted(self, key: str, message: int, *, absence: int | None = None) -> None:
        """Take note that a message that shows the match stands in the channel."""
        self._tools.time.saw(message)
        self.posts.add(message)
        # In mid-race it waits its turn: no claim that may still arrive late is overtaken for it.
        at_once = self.hosted.machine.awaits_post(self._match)
        self._put(Shown(id=message, key=key), at_once=at_once, absence=absence)

    def hindered(self, *, passing: bool = False) -> None:
        """Pause: the channel can't be written to. While the connection is broken, nothing can."""
        if passing and self._held and self._away is None:
            return
        self._put(Interrupt(id=self.now()), at_once=True, absence=self._away)

    def broken(self) -> None:
        """Start anew from the log, and show the match again: showing it failed for a fault."""
        self._again(lambda: self._show(()))

    def close(self, reason: End) -> None:
        """End the match from outside."""
        action = Close(id=self.now(), reason=reason.value)
        self._put(action, at_once=True)

    def back(self) -> None:
        """Go on after an absence, without a new message."""
        self._put(Returned(id=self.now()), at_once=True, absence=self._away)

    def hold(self) -> None:
        """Decide nothing for now: events may be missing."""
        self._held = True
        self._disarm()

    def release(self, *, away: bool = False) -> None:
        """Decide again.

        Args:
            away: the bot was away: deadlines stand still, and claims after a deadline are chat,
                until a new message shows the match.
        """
        self._held = False
        self._patience.begin_anew()
        if away:
            self._absences += 1
            self._away = self._absences
        self._wake()
        self._arm()

    def begin(self) -> None:
        """Start running: let chance decide what the match waits for, and show it."""
        self._show(())
        self._inbox.ring(0, at_once=True)
        self._wake()

    async def rest(self) -> None:
        """Return when nothing is being decided."""
        while self._task is not None:
            await asyncio.wait([self._task])

    def now(self) -> int:
        """Return an id for something that happens now and has none of Discord's."""
        return timer_id(max(self._tools.time.now(), self._match.last_ms))

    def _put(
        self,
        action: Action,
        *,
        reply: Reply | None = None,
        at_once: bool = False,
        absence: int | None = None,
    ) -> None:
        if self._inbox.has_seen(action) or self._match.phase is Phase.CLOSED:
            if reply is not None:
                reply.set_result(())
            return
        if action.actor is not None:
            self._tools.time.saw(action.id)
        self._inbox.put(action, reply=reply, at_once=at_once, absence=absence)
        self._wake()

    def _wake(self) -> None:
        if self._task is None and (self._inbox or self._failed) and not self._held:
            self._task = asyncio.get_running_loop().create_task(
                self._drain(), name=f"match-{self.id}"
            )

    async def _drain(self) -> None:
        """Decide what is due until nothing is left that time alone will bring."""
        try:
            while not self._held and await self._try_step():
                pass
        finally:
            self._task = None
        self._arm()

    async def _try_step(self) -> bool:
        """Take a step; whatever goes wrong, the next one finds a match that is whole or closed."""
        try:
            return await self._step()
        except Exception:
            log.exception("a fault: %s", self._whereabouts())
            self._faults += 1
            await self._mend([])
            return True

    async def _step(self) -> bool:
        """Do one thing, or wait for its time; False when nothing is left."""
        if self._failed:
            await self._repeat()
            return True
        if self._match.phase is Phase.CLOSED:
            return False
        waiting = self._inbox.waiting(for_post=self.hosted.machine.awaits_post(self._match))
        if not waiting:
            return False
        due = max(self._patience.not_before, min(item.due for item in waiting))
        wait = due - self._tools.clock.monotonic()
        if wait > 0:
            await asyncio.sleep(wait)
        else:
            await self._decide(self._inbox.take(waiting))
        return True

    async def _decide(self, items: list[Item]) -> None:
        try:
            draft = self._new_draft()
            self._decider.decide(draft, items)
            await self._record(draft)
        except StoreUnavailableError as error:
            await self._wait_for_store(items, error)
        except Exception:
            log.exception("a fault: %s", self._whereabouts(items))
            self._faults += 1
            await self._mend(items)
        else:
            self._faults = 0
            self._announce(draft)
            if self._patience.tried:
                self._patience.end()
                await self._say(Notice.SAVES_AGAIN)

    async def _wait_for_store(self, items: list[Item], error: StoreUnavailableError) -> None:
        """Keep what can't be recorded, and try again later and later; players are told once."""
        if self._patience.over:
            self._patience.end()
            await self._end_alone(items + self._inbox.empty())
            return
        first = not self._patience.tried
        self._patience.wait()
        self._inbox.put_back(items)
        if first:
            log.error("match %d can't be recorded: %s", self.id, error)
            await self._say(Notice.CANNOT_SAVE)

    async def _say(self, notice: Notice) -> None:
        try:
            await self._tools.table.say(self.venue, notice, self._match.opening.game)
        except Exception:
            log.exception("channel %d was not told %s: a fault", self.venue.channel, notice)

    def _whereabouts(self, items: Sequence[Item] = ()) -> str:
        """Return what it takes to come here again from the log, in one line."""
        post = self._match.post
        return (
            f"match {self.id} in channel {self.venue.channel}, {self._length} lines of its log, "
            f"{post.key if post else 'nothing'} shown, {[item.action for item in items]!r} to do"
        )

    async def _mend(self, items: list[Item]) -> None:
        """Start anew from the log and try once more; a second fault ends this match alone."""
        if self._faults <= 1:
            try:
                items = await self._rebuild(items)
            except StoreUnavailableError as error:
                self._faults = 0
                await self._wait_for_store(items, error)
                return
            except Exception:
                log.exception("match %d can't be rebuilt from its log", self.id)
            else:
                self._inbox.put_back(items)
                return
        await self._end_alone(items)

    async def _rebuild(self, items: list[Item]) -> list[Item]:
        """Take the state that the stored log leads to; return what is still to be decided."""
        stored = await self._tools.store.find(self.id)
        draft, waiting = rebuild(
            self.hosted.machine, stored, items, known=self._length, away=self._away
        )
        self._length = draft.length
        if draft.entries:
            self._announce(draft)
        else:
            self._match = draft.match
        return waiting

    async def _repeat(self) -> None:
        """Start anew from the log and do again what failed; a second fault ends this match."""
        failed, self._failed = self._failed, []
        if self._match.phase is not Phase.CLOSED:
            await self._mend([])
        for work in failed:
            if work == self._set_timer:
                continue  # it is set when the match is at rest
            try:
                work()
            except Exception:
                log.exception("a fault: %s", self._whereabouts())
                if self._match.phase is Phase.CLOSED:
                    await self._say(Notice.BROKEN)
                self.close(End.FAULT)

    async def _end_alone(self, items: list[Item]) -> None:
        action = Close(id=self.now(), reason=End.FAULT.value)
        draft = self._new_draft()
        try:
            self._decider.apply(draft, action)
        except Exception:
            log.exception("match %d is closed by force", self.id)
            draft = self._new_draft()
            draft.force(action, End.FAULT)
        batch = draft.batch(self.id, self._match)
        try:
            await self._record(draft)
        except Exception as error:
            if not isinstance(error, StoreUnavailableError):
                log.exception("match %d could not even be closed", self.id)
            late = record_at_last(self._tools.store, batch, self._tools.clock)
            self._late = asyncio.get_running_loop().create_task(late, name=f"late-{self.id}")
        self._announce(draft)
        dismiss(items)

    def _new_draft(self) -> Draft:
        return Draft(self._match, self._length, self._away)

    async def _record(self, draft: Draft) -> None:
        """Record a draft; only then is it the match's state and told to anybody."""
        if not draft.entries:
            return
        try:
            await self._tools.store.record(draft.batch(self.id, self._match))
        except AlreadyEndedError:
            log.warning("match %d had ended already", self.id)

    def _announce(self, draft: Draft) -> None:
        """Take over a recorded draft; whatever fails from here on, nothing is decided again."""
        changed = draft.match is not self._match
        self._length += len(draft.entries)
        self._match = draft.match
        if draft.back == self._away:
            self._away = None
        for reply, events in draft.replies:
            if not reply.done():
                reply.set_result(events)
        if changed:
            self._show(draft.events)
        if changed or draft.events:
            self._attempt(lambda: self._changed(self, tuple(draft.events)))
        if self._match.phase is Phase.CLOSED:
            self._shut()

    def _show(self, events: Sequence[Event]) -> None:
        self._attempt(lambda: self._tools.table.show(self, events))

    def _attempt(self, work: Callable[[], None]) -> None:
        """Do something that can be repeated; what fails is done once more."""
        try:
            work()
        except Exception:
            log.exception("a fault: %s", self._whereabouts())
            self._again(work)

    def _again(self, work: Callable[[], None]) -> None:
        """Do what failed once more, after a start from the log."""
        self._faults += not self._failed
        self._failed.append(work)
        self._wake()

    def _shut(self) -> None:
        self._disarm()
        dismiss(self._inbox.empty())

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self) -> None:
        """Set the one timer to the next thing that happens by itself."""
        self._disarm()
        if self._held or self._away is not None or self._match.phase is Phase.CLOSED:
            return
        self._attempt(self._set_timer)

    def _set_timer(self) -> None:
        next_id = upcoming(self.hosted.machine, self._match)
        self._faults = 0
        if next_id is None:
            return
        delay = max(0.0, (ms_of(next_id) - self._tools.time.now()) / 1000)
        self._timer = self._tools.clock.call_later(delay, lambda: self._ring(next_id))

    def _ring(self, next_id: int) -> None:
        self._timer = None
        self._inbox.ring(next_id)
        self._wake()
