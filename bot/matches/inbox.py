"""The actions of a match that are still to be decided.

Discord does not promise the order of events. So an action is held for the settle time after its
arrival; when it falls due, held actions with smaller ids are decided before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable

    from bot.matches.server_time import Clock
    from game.actions import Action
    from game.events import Event

Reply: TypeAlias = "asyncio.Future[tuple[Event, ...]]"
"""Resolved with an action's events once they are committed."""


@dataclass(slots=True, eq=False)
class Item:
    """One entry of a match's inbox.

    Attributes:
        id: the action's id, or the id of a timer.
        due: when its settle time is over, in monotonic seconds.
        action: the action; None for a timer, which lets everything happen that is due by its id.
        reply: resolved with the action's events once they are committed.
        first: whether it is decided before everything that waits, whatever the ids.
    """

    id: int
    due: float
    action: Action | None
    reply: Reply | None = None
    first: bool = False


def resolve_undecided(items: Iterable[Item]) -> None:
    """Resolve the replies of items that will not be decided, without any event."""
    for item in items:
        if item.reply is not None and not item.reply.done():
            item.reply.set_result(())


class Inbox:
    """Holds actions until they are due.

    Args:
        clock: monotonic time.
        settle: how long an action is held, in seconds.
        seen: ids of people's actions that are in the log already.
    """

    def __init__(self, clock: Clock, settle: float, seen: Iterable[int]) -> None:
        self._clock = clock
        self._settle = settle
        self._seen = set(seen)
        self._items: list[Item] = []

    def __bool__(self) -> bool:
        return bool(self._items)

    def has_seen(self, action: Action) -> bool:
        """Return whether a person's action was put in before."""
        return action.actor is not None and action.id in self._seen

    def put(
        self,
        action: Action,
        *,
        reply: Reply | None = None,
        at_once: bool = False,
        first: bool = False,
    ) -> None:
        """Put an action in.

        Args:
            action: the action.
            reply: resolved with its events.
            at_once: whether it is due without settling.
            first: whether it holds up everything else until it is due, and is decided first.
        """
        if action.actor is not None:
            self._seen.add(action.id)
        self._items.append(Item(action.id, self._due(at_once), action, reply, first))

    def put_timer(self, timer_id: int, *, at_once: bool = False) -> None:
        """Put a timer in: everything that is due by its id happens when it is decided."""
        self._items.append(Item(timer_id, self._due(at_once), None))

    def _due(self, at_once: bool) -> float:  # noqa: FBT001 - passed on from two methods
        return self._clock.monotonic() + (0.0 if at_once else self._settle)

    def decidable(self, *, moves: bool) -> list[Item]:
        """Return the items that can be decided; without `moves`, players' moves go on waiting."""
        if moves:
            return self._items
        return [i for i in self._items if i.action is None or not i.action.is_move]

    def next_due(self, items: list[Item]) -> float:
        """Return when the next batch of these items is due, in monotonic seconds."""
        first = [item.due for item in items if item.first]
        return max(first) if first else min(item.due for item in items)

    def take(self, items: list[Item]) -> list[Item]:
        """Take all that is due out of these items, and whatever has a smaller id, in order."""
        now = self._clock.monotonic()
        last = max(item.id for item in items if item.due <= now)
        taken = {id(item) for item in items if item.id <= last or item.first}
        batch = [item for item in self._items if id(item) in taken]
        self._items = [item for item in self._items if id(item) not in taken]
        return sorted(batch, key=lambda item: (not item.first, item.id))

    def put_back(self, items: list[Item]) -> None:
        """Put back items that were taken and could not be decided."""
        self._items = items + self._items

    def empty(self) -> list[Item]:
        """Take everything out."""
        items, self._items = self._items, []
        return items
