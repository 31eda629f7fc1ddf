"""Decides batches of actions: applies them, and the deadlines, moves and draws due in between.

Nothing here waits, records or announces, so a draft can be discarded and made again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from bot.matches.ports import Batch, Ending, Entry
from game.events import Refusal, Refused
from game.match import End, Phase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from bot.matches.inbox import Item, Reply
    from game.actions import Action
    from game.events import Event
    from game.machine import Machine
    from game.match import Match

_CHAT: Final = frozenset({Refusal.RACE_CLOSED, Refusal.NOT_SEATED})
"""The reasons for which a refused move counts as chat and is not recorded."""
_CLOSED_AT_ONCE: Final = frozenset({End.FAULT, End.CHANNEL_GONE})
"""The ends with which a match is closed before its last message is posted."""


@dataclass(slots=True)
class Draft:
    """The outcome of some actions before it is recorded.

    Attributes:
        match: the state after them.
        length: the number of lines that the log had before.
        entries: new lines of the log.
        events: their events, in order.
        replies: the replies to resolve, each with its events.
    """

    match: Match[Any]
    length: int
    entries: list[Entry] = field(default_factory=list[Entry])
    events: list[Event] = field(default_factory=list["Event"])
    replies: list[tuple[Reply, tuple[Event, ...]]] = field(
        default_factory=list["tuple[Reply, tuple[Event, ...]]"]
    )

    def append(self, action: Action, match: Match[Any]) -> None:
        """Add a line to the log, and the state that it leads to."""
        self.entries.append(Entry(self.length + len(self.entries), action))
        self.match = match

    def batch(self, match_id: int, before: Match[Any]) -> Batch:
        """Return the batch to record, given the match's newest committed state."""
        after, ending = self.match, None
        if before.end is None and after.end is not None:
            ending = Ending(after.end, after.result, after.last_ms)
        # After other ends a match is closed once its last message is posted. After these two
        # posting can fail, and the match would stay open in the store.
        closed = after.phase is Phase.CLOSED and after.end in _CLOSED_AT_ONCE
        return Batch(match_id, tuple(self.entries), ending, closed=closed)

    def close_by_force(self, action: Action, end: End) -> None:
        """Close a match that its own rules can't close, because they fail."""
        end = self.match.end or end
        self.append(action, replace(self.match, phase=Phase.CLOSED, end=end))


class Decider:
    """Makes drafts for matches of one game.

    Args:
        machine: the game's machine.
        random: the source of random decisions.
    """

    def __init__(self, machine: Machine[Any], random: Random) -> None:
        self._machine = machine
        self._random = random

    def decide(self, draft: Draft, items: Sequence[Item]) -> None:
        """Apply items, sorted by their ids, to a draft.

        Deadlines and opponents' moves with smaller ids are applied before an item, even if their
        timer is late.
        """
        self._draw(draft)
        for item in items:
            if not item.first:
                self._let_happen(draft, item.id, inclusive=item.action is None)
            if item.action is not None:
                self.apply(draft, item.action, item.reply)

    def apply(self, draft: Draft, action: Action, reply: Reply | None = None) -> None:
        """Apply one action, and add it to the log if it changes the match.

        A move that an open race refuses is added too. Otherwise its message, which is read again
        after a restart, would be decided a second time, perhaps with another outcome.
        """
        step = self._machine.apply(draft.match, action)
        if step.match is not draft.match or _is_refused_move(action, step.events):
            draft.append(action, step.match)
        draft.events.extend(step.events)
        if reply is not None:
            draft.replies.append((reply, step.events))
        self._draw(draft)

    def _let_happen(self, draft: Draft, until: int, *, inclusive: bool) -> None:
        """Apply deadlines and opponents' moves that come before an id."""
        while (action := self._machine.next_action(draft.match)) is not None:
            if action.id > until or (action.id == until and not inclusive):
                return
            self.apply(draft, action)

    def _draw(self, draft: Draft) -> None:
        drawn = self._machine.draw_random(draft.match, self._random)
        if drawn is not None:
            self.apply(draft, drawn)


def _is_refused_move(action: Action, events: Sequence[Event]) -> bool:
    return action.is_move and any(
        isinstance(event, Refused) and event.reason not in _CHAT for event in events
    )
