"""A match built anew from its log: after a fault, what is in memory may be what broke."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot.matches.backoff import Backoff
from bot.matches.deciding import Draft
from bot.matches.ports import AlreadyEndedError, Entry, StoreUnavailableError
from game.actions import decode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.matches.inbox import Item
    from bot.matches.ports import Batch, Store, StoredMatch
    from bot.matches.server_time import Clock
    from game.actions import Action
    from game.machine import Machine

log = logging.getLogger(__name__)


def actions_of(stored: StoredMatch) -> list[Action]:
    """Return a stored match's log, decoded.

    Raises:
        KeyError: a line is of a kind that is not known.
    """
    return [decode(kind, action_id, values) for action_id, kind, values in stored.lines]


def rebuild(
    machine: Machine[Any],
    stored: StoredMatch,
    items: Sequence[Item],
    *,
    known: int,
) -> tuple[Draft, list[Item]]:
    """Return what the log leads to, and which items are still to be decided.

    A store can fail after it has committed. So lines beyond those known in memory become part of
    the draft as if they had just been decided: their events are told, and items that stand in
    them are answered and not decided a second time.

    Args:
        machine: moves the match.
        stored: the match as it is found in the store.
        items: what was being decided when the fault came.
        known: how many lines of the log had led to the state in memory.
    """
    actions = actions_of(stored)
    old, new = actions[:known], actions[known:]
    draft = Draft(machine.replay(old).match, len(old))
    waiting = list(items)
    for action in new:
        step = machine.apply(draft.match, action)
        draft.entries.append(Entry(draft.length + len(draft.entries), action))
        draft.match = step.match
        draft.events.extend(step.events)
        for item in [item for item in waiting if _is_recorded(item, action)]:
            waiting.remove(item)
            if item.reply is not None:
                draft.replies.append((item.reply, step.events))
    # With what chance decided, whoever looks into the fault can play the round again.
    chances = [action for action in actions if action.by_chance]
    log.warning("match %d is rebuilt from %d lines; dealt: %r", stored.id, len(actions), chances)
    return draft, waiting


def _is_recorded(item: Item, action: Action) -> bool:
    """Whether an action of the log is what an item was to do, as it was applied."""
    wanted = item.action
    return type(wanted) is type(action) and wanted is not None and wanted.id == action.id


async def record_at_last(store: Store, batch: Batch, clock: Clock) -> None:
    """Record the end of a match that was announced already, as soon as that can be done.

    Otherwise the next process would go on with it.
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
            # Who opened another match in its channel has closed it.
            log.info("match %d had ended already", batch.match)
        except Exception:
            log.exception("match %d can't be closed with its last lines", batch.match)
            if batch.entries:
                batch = replace(batch, entries=())
                continue
        return
