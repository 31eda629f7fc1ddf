"""Finding open matches again, and what was typed while the bot was away.

Matches are loaded before the bot connects, and held: claims that arrive early wait in their
inboxes. Once the session stands, each channel's history is fed through the same inbox, where ids
that are in the log already are dropped, and the match goes on.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from bot.matches.ports import Batch, Ending, Notice, OwnPost, StoredMatch
from game.actions import decode
from game.ids import LOW_BITS, ms_of
from game.match import End, Phase

if TYPE_CHECKING:
    from bot.matches.registry import Registry
    from bot.matches.runner import Runner

log = logging.getLogger(__name__)

FEEDS_AT_ONCE: Final = 5
_OVERLAP_MS: Final = 5_000


async def load(registry: Registry) -> None:
    """Take over every open match of the store; one that can't be replayed is closed."""
    for stored in await registry.tools.store.open_matches():
        hosted = registry.games.get(stored.game)
        if hosted is None or hosted.machine.rules.version != stored.version:
            await _give_up(registry, stored, End.UNKNOWN_RULES)
            continue
        try:
            actions = [decode(kind, action_id, values) for action_id, kind, values in stored.lines]
            match = hosted.machine.replay(actions).match
        except Exception:
            log.exception("match %d can't be replayed", stored.id)
            await _give_up(registry, stored, End.FAULT)
            continue
        registry.tools.time.saw(max(action.id for action in actions))
        seen = {action.id for action in actions if action.actor is not None}
        registry.adopt(stored, hosted, match, seen)


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

    def lost(self) -> None:
        """The connection broke: decide nothing until it stands again."""
        self._stands.clear()
        for runner in self._registry:
            runner.hold()

    def resumed(self) -> None:
        """The session was resumed and every missed event has arrived: go on."""
        self._stands.set()
        for runner in self._registry:
            if runner not in self._feeding:
                runner.release()
                # What could not be shown meanwhile is shown now.
                self._registry.tools.table.show(runner, ())

    async def begun(self) -> None:
        """A new session began: feed every match what its channel's history holds."""
        self._session += 1
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
        async with gate:
            if session == self._session and runner.match.phase is Phase.PLAYING:
                await self._read_history(runner)
        await self._stands.wait()
        if session != self._session:
            return
        self._feeding.discard(runner)
        if runner.match.phase is Phase.OVER:
            runner.release()
            return
        runner.release(away=True)
        await runner.rest()
        if session == self._session and runner.match.phase is not Phase.CLOSED:
            table = self._registry.tools.table
            table.post_again(runner, away_since=runner.match.last_ms)

    async def _read_history(self, runner: Runner) -> None:
        after = (runner.match.last_ms - _OVERLAP_MS) << LOW_BITS
        for found in await self._registry.channels.history(runner.venue, after):
            if isinstance(found, OwnPost):
                if found.match == runner.id:
                    runner.posted(found.key, found.id)
            else:
                self._registry.tools.time.saw(found.id)
                runner.hear(found.text, found.user, found.id)


async def _give_up(registry: Registry, stored: StoredMatch, reason: End) -> None:
    last = max((ms_of(action_id) for action_id, _, _ in stored.lines), default=0)
    ending = Ending(reason, None, last)
    await registry.tools.store.record(Batch(stored.id, (), ending, closed=True))
    await registry.tools.table.say(stored.venue, Notice.UNKNOWN_RULES)
