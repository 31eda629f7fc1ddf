"""The stored log of a match, and the state that it leads to."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from bot.matches.deciding import Draft
from game.actions import decode

if TYPE_CHECKING:
    from bot.matches.inbox import Item
    from bot.matches.ports import Store, StoredMatch
    from game.actions import Action
    from game.machine import Machine
    from game.match import Match

log = logging.getLogger(__name__)


def actions_of(stored: StoredMatch) -> list[Action]:
    """Return a stored match's log, decoded.

    Raises:
        KeyError: a line has an unknown kind.
    """
    return [decode(kind, action_id, values) for action_id, kind, values in stored.lines]


class MatchLog:
    """The log of one match.

    Args:
        match_id: the match's own key.
        match: the state that the log leads to.
        length: the number of lines in the log.
        machine: the game's machine.
        store: the store that records the log.

    Attributes:
        match: the newest committed state.
        length: the number of lines that led to it.
    """

    def __init__(
        self, match_id: int, match: Match[Any], length: int, machine: Machine[Any], store: Store
    ) -> None:
        self.match = match
        self.length = length
        self._id = match_id
        self._machine = machine
        self._store = store

    def new_draft(self) -> Draft:
        """Return a draft that starts from the newest committed state."""
        return Draft(self.match, self.length)

    async def record(self, draft: Draft) -> None:
        """Record a draft; it must not be accepted or announced before.

        Raises:
            StoreUnavailableError: nothing can be recorded at present.
        """
        if not draft.entries:
            return
        await self._store.record(draft.batch(self._id, self.match))

    def accept(self, draft: Draft) -> None:
        """Make a recorded draft the newest committed state."""
        self.length += len(draft.entries)
        self.match = draft.match

    async def rebuild(self, items: list[Item]) -> tuple[Draft, list[Item]]:
        """Replay the log from the store, because the state in memory may have caused a fault.

        A store can fail after it has committed, so the log can have lines that this object does not
        know. They are returned as a draft whose events must be announced. Items that these lines
        contain are decided already.

        Args:
            items: the batch that was being decided.

        Returns:
            The draft, and the items that are not decided yet.

        Raises:
            StoreUnavailableError: the store can't be read at present.
        """
        stored = await self._store.find(self._id)
        actions = actions_of(stored)
        old, new = actions[: self.length], actions[self.length :]
        draft = Draft(self._machine.replay(old).match, len(old))
        undecided = list(items)
        for action in new:
            step = self._machine.apply(draft.match, action)
            draft.append(action, step.match)
            draft.events.extend(step.events)
            for item in [item for item in undecided if _is_recorded(item, action)]:
                undecided.remove(item)
                if item.reply is not None:
                    draft.replies.append((item.reply, step.events))
        # The random decisions let a developer play the round again.
        dealt = [action for action in actions if action.by_chance]
        log.warning("match %d is rebuilt from %d lines; dealt: %r", self._id, len(actions), dealt)
        self.match, self.length = draft.match if not new else self.match, draft.length
        return draft, undecided


def _is_recorded(item: Item, action: Action) -> bool:
    wanted = item.action
    return type(wanted) is type(action) and wanted is not None and wanted.id == action.id
