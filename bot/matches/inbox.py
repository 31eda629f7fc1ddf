"""The inbox of a match: the actions that are not decided yet.

Discord does not guarantee the order of events. An action is therefore held for the settle time
after its arrival; when it is due, held actions with smaller ids are decided before it.
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
        action: the action, or None for a timer, by which all deadlines and opponents' moves up to
            its id are applied.
        reply: resolved with the action's events once they are committed.
        first: whether it is decided before all other items, even those with smaller ids.
    """

    id: int
    due: float
    action: Action | None
    reply: Reply | None = None
    first: bool = False


def resolve_undecided(items: Iterable[Item]) -> None:
    """Resolve the replies of items that will not be decided, with no events."""
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
        """Add an action.

        Args:
            action: the action.
            reply: resolved with its events once they are committed.
            at_once: whether it is due at once instead of after the settle time.
            first: whether it is decided before all other items, which wait until it is due.
        """
        if action.actor is not None:
            self._seen.add(action.id)
        self._items.append(Item(action.id, self._due(at_once), action, reply, first))

    def put_timer(self, timer_id: int, *, at_once: bool = False) -> None:
        """Add a timer, by which all deadlines and opponents' moves up to its id are applied."""
        self._items.append(Item(timer_id, self._due(at_once), None))

    def _due(self, at_once: bool) -> float:  # noqa: FBT001 - passed on from two methods
        return self._clock.monotonic() + (0.0 if at_once else self._settle)

    def decidable(self, *, moves: bool) -> list[Item]:
        """Return the items that can be decided, players' moves only if `moves` is true."""
        if moves:
            return self._items
        return [i for i in self._items if i.action is None or not i.action.is_move]

    def next_due(self, items: list[Item]) -> float:
        """Return when the next batch of these items is due, in monotonic seconds."""
        first = [item.due for item in items if item.first]
        return max(first) if first else min(item.due for item in items)

    def take(self, items: list[Item]) -> list[Item]:
        """Remove and return, in order, those of these items that are due or precede one that is."""
        now = self._clock.monotonic()
        last = max(item.id for item in items if item.due <= now)
        taken = {id(item) for item in items if item.id <= last or item.first}
        batch = [item for item in self._items if id(item) in taken]
        self._items = [item for item in self._items if id(item) not in taken]
        return sorted(batch, key=lambda item: (not item.first, item.id))

    def put_back(self, items: list[Item]) -> None:
        """Put back items that were taken but could not be decided."""
        self._items = items + self._items

    def empty(self) -> list[Item]:
        """Remove and return all items."""
        items, self._items = self._items, []
        return items
