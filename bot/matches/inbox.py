"""What is still to be decided of one match.

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


@dataclass(slots=True, eq=False)
class Item:
    """One entry of a match's inbox.

    Attributes:
        id: where it stands in match time.
        due: when its settle time is over, in monotonic seconds.
        action: what to do; None: let everything pass that is due by the id.
        reply: resolved with the action's events once they are committed.
        first: whether it is decided before everything that waits, whatever the ids.
    """

    id: int
    due: float
    action: Action | None
    reply: Reply | None = None
    first: bool = False


def dismiss(items: Iterable[Item]) -> None:
    """Answer whoever waits for items that are not decided any more: nothing came of them."""
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
        """Return whether somebody's action was put in before."""
        return action.actor is not None and action.id in self._seen

    def put(
        self,
        action: Action,
        *,
        reply: Reply | None = None,
        at_once: bool = False,
        first: bool = False,
    ) -> None:
        """Put an action in; `at_once` it is due without settling.

        One that is `first` holds up everything else until it is due.
        """
        if action.actor is not None:
            self._seen.add(action.id)
        due = self._clock.monotonic() + (0.0 if at_once else self._settle)
        self._items.append(Item(action.id, due, action, reply, first))

    def ring(self, timer: int, *, at_once: bool = False) -> None:
        """Let everything pass that is due by an id."""
        due = self._clock.monotonic() + (0.0 if at_once else self._settle)
        self._items.append(Item(timer, due, None))

    def waiting(self, *, for_post: bool) -> list[Item]:
        """Return what can be decided; `for_post` all but what waits until a message stands."""
        if not for_post:
            return self._items
        return [i for i in self._items if i.action is None or not i.action.held_until_shown]

    def due(self, waiting: list[Item]) -> float:
        """Return when the first of what is waiting falls due, in monotonic seconds."""
        first = [item.due for item in waiting if item.first]
        return max(first) if first else min(item.due for item in waiting)

    def take(self, waiting: list[Item]) -> list[Item]:
        """Take out of what is waiting all that is due, and what stands before it in match time."""
        now = self._clock.monotonic()
        last = max(item.id for item in waiting if item.due <= now)
        taken = {id(item) for item in waiting if item.id <= last or item.first}
        items = self._items
        self._items = [item for item in items if id(item) not in taken]
        return sorted(
            (i for i in items if id(i) in taken), key=lambda item: (not item.first, item.id)
        )

    def put_back(self, items: list[Item]) -> None:
        """Put back what was taken and could not be decided."""
        self._items = items + self._items

    def empty(self) -> list[Item]:
        """Take everything out."""
        items, self._items = self._items, []
        return items
