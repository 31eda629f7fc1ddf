"""What running matches need from the rest of the bot, as protocols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Sequence

    from game.actions import Action
    from game.events import Event
    from game.match import End, Match, Result


@dataclass(frozen=True, slots=True)
class Venue:
    """Where a match is played; both are Discord's ids."""

    guild: int
    channel: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a match's log.

    Attributes:
        seq: its number in the log, from 0.
        action: what was done.
    """

    seq: int
    action: Action


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended.

    Attributes:
        reason: why it ended.
        result: the places, unless it is void.
        ended_ms: match time of the end.
    """

    reason: End
    result: Result | None
    ended_ms: int


@dataclass(frozen=True, slots=True)
class Batch:
    """What is recorded of one match in one transaction.

    Attributes:
        match: the match's own key.
        entries: new lines of its log, in order.
        ending: set once, when the match has ended; standings change with it.
        closed: whether nothing more will happen to the match, its rematch offer included.
    """

    match: int
    entries: tuple[Entry, ...]
    ending: Ending | None = None
    closed: bool = False


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as it is found again.

    Attributes:
        id: its own key.
        venue: where it is played.
        game: the game's name.
        version: the version of the rules it was played by.
        lines: id, kind and values of each action of its log, in order; decoding them may fail
            when the version is unknown.
    """

    id: int
    venue: Venue
    game: str
    version: int
    lines: tuple[tuple[int, str, dict[str, Any]], ...]


class AlreadyEndedError(Exception):
    """Another process, or another batch, has ended the match."""


class ChannelTakenError(Exception):
    """The store already has an open match in this channel."""


class Store(Protocol):
    """Keeps matches. What a call returns from has been committed."""

    async def create(self, venue: Venue, log: Sequence[Action]) -> int:
        """Record a new match with its first actions and return its key.

        Raises:
            ChannelTakenError: the channel has an open match already.
        """
        ...

    async def record(self, batch: Batch) -> None:
        """Append to a match's log, and end or close it.

        Raises:
            AlreadyEndedError: the batch ends a match that has ended before.
        """
        ...

    async def open_matches(self) -> Sequence[StoredMatch]:
        """Return every match that is not closed, oldest first."""
        ...


@dataclass(frozen=True, slots=True)
class View:
    """A match as the table shows it.

    Attributes:
        id: the match's own key.
        venue: where it is played.
        match: its newest committed state.
    """

    id: int
    venue: Venue
    match: Match[Any]


class Table(Protocol):
    """Shows matches in their channels. Calls return at once; the newest state wins."""

    def show(self, view: View, events: Sequence[Event]) -> None:
        """Show a match after these events."""
        ...

    def post_again(self, view: View, *, away_since: int | None = None) -> None:
        """Show a match in a new message.

        Args:
            view: the match.
            away_since: after a restart: match time of the last thing that was seen before.
        """
        ...


class Clock(Protocol):
    """Monotonic time and timers."""

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        ...

    def call_later(self, delay: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Call back once, after a delay in seconds."""
        ...
