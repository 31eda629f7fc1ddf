"""Recovery of open matches after a start or a lost session.

Matches are loaded before the bot connects, and held: claims that arrive early wait in the inbox.
Once the session begins, the messages typed meanwhile are read from each channel's history and put
into the same inbox, which drops ids that are in the log already. Then the match is released.

A process can end after it has recorded something and before it has announced it. A match is
therefore loaded until it is closed, and messages that an earlier process left behind are removed.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from bot.matches.backoff import Backoff
from bot.matches.leftovers import Leftovers, clean_up, leftovers_of
from bot.matches.match_log import actions_of
from bot.matches.ports import (
    AlreadyEndedError,
    Batch,
    Ending,
    Notice,
    NotNowError,
    OwnPost,
    StoredMatch,
)
from game.actions import Shown
from game.ids import first_id, ms_of
from game.match import End, Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.matches.following import Follower
    from bot.matches.opening import Opener
    from bot.matches.ports import MatchServices
    from bot.matches.registry import Registry
    from bot.matches.runner import Runner

log = logging.getLogger(__name__)

FEEDS_AT_ONCE: Final = 5
_OVERLAP_MS: Final = 5_000
_LAST_POSTS: Final = 3


class Recovery:
    """Holds matches while events can be missing, and reads the missed messages.

    When a session is resumed, Discord sends every missed event. When a new session begins, the
    messages typed meanwhile must be read from the channels' histories. A connection can break again
    during that: a match is released once its history has been read and a session exists.

    Args:
        registry: the open matches.
        opener: runs matches that are loaded from the store.
        follower: finishes matches that are closed.
        services: the services that all matches share.
    """

    def __init__(
        self, registry: Registry, opener: Opener, follower: Follower, services: MatchServices
    ) -> None:
        self._registry = registry
        self._opener = opener
        self._follower = follower
        self._services = services
        self._session = 0
        self._connected = asyncio.Event()
        self._feeding: set[Runner] = set()
        self._leftovers: dict[int, Leftovers] = {}

    async def load(self) -> None:
        """Load every match of the store that is not closed; close those that can't be replayed."""
        for stored in await self._services.store.open_matches():
            game = self._opener.games.get(stored.game)
            if game is None or game.machine.rules.version != stored.version:
                await self._give_up(stored, End.UNKNOWN_RULES)
                continue
            try:
                actions = actions_of(stored)
                step = game.machine.replay(actions)
            except Exception:
                log.exception("match %d can't be replayed", stored.id)
                await self._give_up(stored, End.FAULT)
                continue
            self._services.time.note_id(max(action.id for action in actions))
            seen = {action.id for action in actions if action.actor is not None}
            self._opener.adopt(stored, game, step.match, seen)
            self._leftovers[stored.id] = leftovers_of(stored, actions, step)

    async def _give_up(self, stored: StoredMatch, reason: End) -> None:
        """Close a match that can't be continued, and post a notice in its channel."""
        last = max((ms_of(action_id) for action_id, _, _ in stored.lines), default=0)
        ending = Ending(reason, None, last)
        store = self._services.store
        try:
            await store.record(Batch(stored.id, (), ending, closed=True))
        except AlreadyEndedError:
            await store.record(Batch(stored.id, (), closed=True))
            return
        notice = Notice.BROKEN if reason is End.FAULT else Notice.UNKNOWN_RULES
        await self._services.display.say(stored.venue, notice, stored.game)
        shown = [action_id for action_id, kind, _ in stored.lines if kind == Shown.kind]
        for post in shown[-_LAST_POSTS:]:
            with suppress(NotNowError):
                await self._services.channels.remove_buttons(stored.venue, post)

    def connection_lost(self) -> None:
        """Hold every match until a session exists again."""
        self._connected.clear()
        self._opener.cut_off = True
        for runner in self._registry:
            runner.hold()

    def session_resumed(self) -> None:
        """Release the matches, because every missed event has arrived."""
        self._opener.cut_off = False
        self._connected.set()
        for runner in self._registry:
            if runner not in self._feeding:
                runner.release()
                # The display could not make any calls while the session was lost.
                self._services.display.show(runner, ())

    async def session_begun(self) -> None:
        """Read every match's history, because Discord does not send the missed events."""
        self._session += 1
        self._opener.cut_off = False
        self._connected.set()
        self._feeding = set(self._registry)
        for runner in self._feeding:
            runner.hold()
        gate = asyncio.Semaphore(FEEDS_AT_ONCE)
        feeds = [self._feed(runner, self._session, gate) for runner in self._registry]
        await asyncio.gather(*feeds)

    async def _feed(self, runner: Runner, session: int, gate: asyncio.Semaphore) -> None:
        """Read a match's history and release it, unless a newer session does so."""
        leftovers = self._leftovers.get(runner.id)
        unknown: list[OwnPost] = []
        try:
            if leftovers or not runner.match.is_over:
                unknown = await self._read_history(runner, leftovers, session, gate)
        except Exception:
            log.exception("a fault: the history of match %d is not read", runner.id)
        await self._connected.wait()
        if session != self._session:
            return
        self._feeding.discard(runner)
        self._leftovers.pop(runner.id, None)
        await self._go_on(runner, leftovers, unknown)
        if leftovers is not None:
            channels, clock = self._services.channels, self._services.clock
            ids = [post.id for post in unknown]
            await clean_up(runner, leftovers, ids, channels=channels, gate=gate, clock=clock)

    async def _read_history(
        self,
        runner: Runner,
        leftovers: Leftovers | None,
        session: int,
        gate: asyncio.Semaphore,
    ) -> list[OwnPost]:
        """Put typed messages into the inbox; return the bot's posts that the log does not contain.

        A session often begins while Discord is still recovering, so failed calls are repeated,
        starting after the last message that was read.
        """
        posts: list[OwnPost] = []
        after, post = first_id(runner.match.last_ms - _OVERLAP_MS), runner.match.post
        if post is not None:
            # On a dead connection no message arrives while timers and opponents' moves still
            # advance the match, so messages since its post can be missing too.
            after = min(after, post.id - 1)
        backoff = Backoff(self._services.clock)
        while session == self._session and not backoff.exhausted:
            async with gate:
                try:
                    async for found in self._services.channels.history(runner.venue, after):
                        after = found.id
                        if isinstance(found, OwnPost):
                            posts.append(found)
                        else:
                            self._services.time.note_id(found.id)
                            runner.hear(found.text, found.user, found.id)
                    break
                except NotNowError:
                    backoff.fail()
            await asyncio.sleep(backoff.delay)
        known = leftovers.posts if leftovers else runner.posts
        unknown = [post for post in posts if post.match == runner.id and post.id not in known]
        for post in unknown:
            await self._remove_unless_shown(runner, leftovers, post)
        return unknown

    async def _remove_unless_shown(
        self, runner: Runner, leftovers: Leftovers | None, post: OwnPost
    ) -> None:
        if leftovers is None:
            self._services.display.remove_unknown(runner, post.id)
        elif not self._shows(runner, leftovers, post):
            # Before the match changes: after that, the next process would not find the post.
            with suppress(NotNowError):
                await self._services.channels.delete(runner.venue, post.id)

    @staticmethod
    def _shows(runner: Runner, leftovers: Leftovers | None, post: OwnPost) -> bool:
        """Return whether a post that is not in the log shows the log's newest state."""
        known = leftovers.posts if leftovers else runner.posts
        awaited = leftovers is not None or runner.game.machine.awaits_post(runner.match)
        return post.key is not None and post.id > max(known, default=0) and awaited

    async def _go_on(
        self, runner: Runner, leftovers: Leftovers | None, unknown: Sequence[OwnPost]
    ) -> None:
        """Record the lost session, decide the messages typed meanwhile, and show the match."""
        if runner.match.phase is Phase.CLOSED:
            self._follower.conclude(runner, leftovers.agreed if leftovers else ())
            return
        session = self._session
        shown = [post for post in unknown if self._shows(runner, leftovers, post)]
        runner.lost_session([(post.key, post.id) for post in shown if post.key is not None])
        runner.release()
        if runner.match.phase is Phase.DEALING:
            runner.begin()
        await runner.rest()
        superseded = leftovers is not None and leftovers.superseded
        if superseded and runner.match.phase is Phase.OVER:
            runner.close(End.CANCELLED)
        elif session == self._session:
            self._services.display.show(runner, ())
