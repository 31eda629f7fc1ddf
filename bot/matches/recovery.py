"""Finding open matches again, and what was typed while the bot was away.

Matches are loaded before the bot connects, and held: claims that arrive early wait in their
inboxes. Once the session stands, each channel's history is fed through the same inbox, where ids
that are in the log already are dropped, and the match goes on.

A process can also end after something was recorded and before it was told. So a match stays in
the store until its last word stands, and messages that were left behind are removed.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from bot.matches.patience import Patience
from bot.matches.ports import (
    AlreadyEndedError,
    Batch,
    Ending,
    Notice,
    NotNowError,
    OwnPost,
    StoredMatch,
)
from bot.matches.rebuilding import actions_of
from bot.matches.remains import Remains, remains_of, tidy_up
from game.actions import Shown
from game.ids import LOW_BITS, ms_of
from game.match import End, Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.matches.registry import Registry
    from bot.matches.runner import Runner

log = logging.getLogger(__name__)

FEEDS_AT_ONCE: Final = 5
_OVERLAP_MS: Final = 5_000
_LAST_POSTS: Final = 3
_ENDED: Final = frozenset({Phase.OVER, Phase.CLOSED})


class Recovery:
    """Holds matches while events may be missing, and makes up for them.

    A session that is resumed brings every missed event itself. After one that is not, what was
    typed meanwhile is read from the channels' histories. Connections break at any time, also
    while histories are read: a match goes on once its own has been read and a session stands.

    Args:
        registry: the open matches.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._session = 0
        self._stands = asyncio.Event()
        self._feeding: set[Runner] = set()
        self._left: dict[int, Remains] = {}

    async def load(self) -> None:
        """Take over every open match of the store; one that can't be replayed is closed."""
        registry = self._registry
        for stored in await registry.tools.store.open_matches():
            hosted = registry.games.get(stored.game)
            if hosted is None or hosted.machine.rules.version != stored.version:
                await _give_up(registry, stored, End.UNKNOWN_RULES)
                continue
            try:
                actions = actions_of(stored)
                step = hosted.machine.replay(actions)
            except Exception:
                log.exception("match %d can't be replayed", stored.id)
                await _give_up(registry, stored, End.FAULT)
                continue
            registry.tools.time.saw(max(action.id for action in actions))
            seen = {action.id for action in actions if action.actor is not None}
            registry.adopt(stored, hosted, step.match, seen)
            self._left[stored.id] = remains_of(stored, actions, step)

    def lost(self) -> None:
        """The connection broke: decide nothing until it stands again."""
        self._stands.clear()
        self._registry.cut_off = True
        for runner in self._registry:
            runner.hold()

    def resumed(self) -> None:
        """The session was resumed and every missed event has arrived: go on."""
        self._registry.cut_off = False
        self._stands.set()
        for runner in self._registry:
            if runner not in self._feeding:
                runner.release()
                # What could not be shown meanwhile is shown now.
                self._registry.tools.table.show(runner, ())

    async def begun(self) -> None:
        """A new session began: feed every match what its channel's history holds."""
        self._session += 1
        self._registry.cut_off = False
        self._stands.set()
        self._feeding = set(self._registry)
        for runner in self._feeding:
            runner.hold()
        gate = asyncio.Semaphore(FEEDS_AT_ONCE)
        feeds = [self._feed(runner, self._session, gate) for runner in self._registry]
        await asyncio.gather(*feeds)

    async def _feed(self, runner: Runner, session: int, gate: asyncio.Semaphore) -> None:
        """Feed a match and go on with it, unless a newer session does so by then.

        Claims typed meanwhile count by their ids up to the old deadline. A deadline that has
        passed is not announced; what was left of it runs anew from the message that tells the
        channel that the bot is back.
        """
        left = self._left.get(runner.id)
        unknown: list[int] = []
        try:
            if left or runner.match.phase not in _ENDED:
                unknown = await self._read_history(runner, left, session, gate)
        except Exception:
            log.exception("the history of match %d is not read: a fault", runner.id)
        await self._stands.wait()
        if session != self._session:
            return
        self._feeding.discard(runner)
        self._left.pop(runner.id, None)
        await self._go_on(runner, left)
        if left is not None:
            channels, clock = self._registry.channels, self._registry.tools.clock
            await tidy_up(runner, left, unknown, channels=channels, gate=gate, clock=clock)

    async def _read_history(
        self, runner: Runner, left: Remains | None, session: int, gate: asyncio.Semaphore
    ) -> list[int]:
        """Put what was written into the inbox; return the posts that the log does not know.

        A session often begins just when Discord is coming back, so reading is tried again, and
        goes on behind what was read.
        """
        posts: list[OwnPost] = []
        after, post = (runner.match.last_ms - _OVERLAP_MS) << LOW_BITS, runner.match.post
        if post is not None:
            # A dead connection brings nothing, while timers and opponents go on.
            after = min(after, post.id - 1)
        patience = Patience(self._registry.tools.clock)
        while session == self._session and not patience.over:
            async with gate:
                try:
                    async for found in self._registry.channels.history(runner.venue, after):
                        after = found.id
                        if isinstance(found, OwnPost):
                            posts.append(found)
                        else:
                            self._registry.tools.time.saw(found.id)
                            runner.hear(found.text, found.user, found.id)
                    break
                except NotNowError:
                    patience.wait()
            await asyncio.sleep(patience.not_before - self._registry.tools.clock.monotonic())
        return await self._take_in(runner, left, posts)

    async def _take_in(
        self, runner: Runner, left: Remains | None, posts: Sequence[OwnPost]
    ) -> list[int]:
        """Take note of messages that stand; return those of which nobody knew."""
        known = left.posts if left else runner.posts
        unknown = [p for p in posts if p.match == runner.id and p.id not in known]
        newest = max(known, default=0)
        awaited = left is not None or runner.hosted.machine.awaits_post(runner.match)
        for post in unknown:
            if left is None:
                self._registry.tools.table.left_behind(runner, post.id)
            if post.key is not None and post.id > newest and awaited:
                runner.posted(post.key, post.id)
            elif left is not None:
                # Now, while the log still leads here: another end of the process would lose track.
                with suppress(NotNowError):
                    await self._registry.channels.remove(runner.venue, post.id)
        return [post.id for post in unknown]

    async def _go_on(self, runner: Runner, left: Remains | None) -> None:
        session, table = self._session, self._registry.tools.table
        if runner.match.phase is Phase.CLOSED:
            self._registry.conclude(runner, left.agreed if left else ())
            return
        if runner.match.phase is Phase.OVER:
            runner.release(away=True)
            runner.back()
            await runner.rest()
            if left is not None and left.superseded:
                runner.close(End.CANCELLED)
            else:
                table.show(runner, ())
            return
        runner.release(away=True)
        if runner.match.phase is Phase.DEALING:
            runner.begin()
        await runner.rest()
        if session == self._session and not self._is_closed(runner):
            table.post_again(runner, absence=runner.absence)

    @staticmethod
    def _is_closed(runner: Runner) -> bool:
        return runner.match.phase is Phase.CLOSED


async def _give_up(registry: Registry, stored: StoredMatch, reason: End) -> None:
    last = max((ms_of(action_id) for action_id, _, _ in stored.lines), default=0)
    ending = Ending(reason, None, last)
    try:
        await registry.tools.store.record(Batch(stored.id, (), ending, closed=True))
    except AlreadyEndedError:
        await registry.tools.store.record(Batch(stored.id, (), closed=True))
        return
    notice = Notice.BROKEN if reason is End.FAULT else Notice.UNKNOWN_RULES
    await registry.tools.table.say(stored.venue, notice, stored.game)
    shown = [action_id for action_id, kind, _ in stored.lines if kind == Shown.kind]
    for post in shown[-_LAST_POSTS:]:
        with suppress(NotNowError):
            await registry.channels.strip(stored.venue, post)
