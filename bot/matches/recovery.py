"""Finding open matches again, and what was typed while the bot was away.

Matches are loaded before the bot connects, and held: claims that arrive early wait in their
inboxes. Once the session stands, each channel's history is fed through the same inbox, where ids
that are in the log already are dropped, and the match goes on.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from bot.matches.ports import Batch, Ending, Notice, OwnPost, StoredMatch
from game.actions import decode
from game.ids import LOW_BITS, ms_of
from game.match import End, Phase

if TYPE_CHECKING:
    from bot.matches.registry import Registry
    from bot.matches.runner import Runner

log = logging.getLogger(__name__)

_OVERLAP_MS = 5_000


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


def hold(registry: Registry) -> None:
    """The connection broke: decide nothing until it stands again."""
    for runner in registry:
        runner.hold()


def resume(registry: Registry) -> None:
    """The session was resumed and every missed event has arrived: go on."""
    for runner in registry:
        runner.release()


async def catch_up(registry: Registry, runner: Runner) -> None:
    """Feed a match what its channel's history holds, and go on with it.

    Claims typed meanwhile count by their ids up to the old deadline. A deadline that has passed
    is not announced; what was left of it runs anew from the message that tells the channel that
    the bot is back.
    """
    match = runner.match
    if match.phase is Phase.OVER:
        runner.release()
        return
    if match.phase is Phase.PLAYING:
        after = (match.last_ms - _OVERLAP_MS) << LOW_BITS
        for found in await registry.channels.history(runner.venue, after):
            if isinstance(found, OwnPost):
                if found.match == runner.id:
                    runner.posted(found.key, found.id)
            else:
                registry.tools.time.saw(found.id)
                runner.hear(found.text, found.user, found.id)
    runner.release(away=True)
    await runner.rest()
    if runner.match.phase is not Phase.CLOSED:
        registry.tools.table.post_again(runner, away_since=runner.match.last_ms)


async def _give_up(registry: Registry, stored: StoredMatch, reason: End) -> None:
    last = max((ms_of(action_id) for action_id, _, _ in stored.lines), default=0)
    ending = Ending(reason, None, last)
    await registry.tools.store.record(Batch(stored.id, (), ending, closed=True))
    await registry.tools.table.say(stored.venue, Notice.UNKNOWN_RULES)
