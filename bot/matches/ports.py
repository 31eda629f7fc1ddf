"""What running matches need from the rest of the bot, as protocols."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator, Callable, Sequence

    from game.actions import Action
    from game.events import Event
    from game.machine import Machine
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
        closed: whether nothing is left to do for the match: its last word stands in the channel,
            and a rematch that was agreed is open.
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
        superseded: whether its channel has had another match since.
    """

    id: int
    venue: Venue
    game: str
    version: int
    lines: tuple[tuple[int, str, dict[str, Any]], ...]
    superseded: bool = False


class AlreadyEndedError(Exception):
    """Another process, or another batch, has ended the match."""


class ChannelTakenError(Exception):
    """The store already has an open match in this channel."""


class StoreUnavailableError(Exception):
    """Nothing can be recorded at present: the database is locked, full, read-only or damaged."""


class Store(Protocol):
    """Keeps matches. What a call returns from has been committed."""

    async def create(self, venue: Venue, log: Sequence[Action]) -> int:
        """Record a new match with its first actions and return its key.

        Raises:
            ChannelTakenError: the channel has an open match already.
            StoreUnavailableError: nothing can be recorded at present.
        """
        ...

    async def record(self, batch: Batch) -> None:
        """Append to a match's log, and end or close it.

        Raises:
            AlreadyEndedError: the batch ends a match that has ended before.
            StoreUnavailableError: nothing can be recorded at present.
        """
        ...

    async def open_matches(self) -> Sequence[StoredMatch]:
        """Return every match that is not closed, oldest first."""
        ...

    async def find(self, match: int) -> StoredMatch:
        """Return one match, closed or not.

        Raises:
            LookupError: it is not there.
            StoreUnavailableError: nothing can be read at present.
        """
        ...


class LiveMatch(Protocol):
    """A running match, as those who show it see it."""

    id: int
    venue: Venue

    @property
    def match(self) -> Match[Any]:
        """The newest committed state."""
        ...

    def posted(self, key: str, message: int, *, absence: int | None = None) -> None:
        """Tell that a message that shows the match stands in the channel.

        Args:
            key: what it shows.
            message: its id.
            absence: which absence of the bot it ends, as `Table.post_again` was told.
        """
        ...

    def hindered(self, *, passing: bool = False) -> None:
        """Tell that the channel can't be written to any more.

        Args:
            passing: it is not that the bot may not: Discord did not carry out the calls.
        """
        ...

    def broken(self) -> None:
        """Tell that what is shown can't be made: a fault of ours."""
        ...

    def close(self, reason: End) -> None:
        """End the match from outside."""
        ...

    def told(self) -> None:
        """Tell that the last word of a closed match stands, or can't be said."""
        ...


class Notice(StrEnum):
    """What a channel is told outside of a match's own posts."""

    RESTARTING = "restarting"
    UNKNOWN_RULES = "unknown-rules"
    CANNOT_SAVE = "cannot-save"
    SAVES_AGAIN = "saves-again"
    BROKEN = "broken"
    NO_REMATCH = "no-rematch"


class Table(Protocol):
    """Shows matches in their channels. Calls return at once; the newest state wins."""

    def show(self, live: LiveMatch, events: Sequence[Event]) -> None:
        """Show a match that has changed by these events."""
        ...

    def post_again(self, live: LiveMatch, *, absence: int | None = None) -> None:
        """Show a match in a new message.

        Args:
            live: the match.
            absence: after the bot was away: the absence's number, which the post is told with.
        """
        ...

    def left_behind(self, live: LiveMatch, message: int) -> None:
        """Part from a message that shows a match and that nobody here knew of.

        It goes once the match's own message stands; one that turns out to be the match's own,
        because its post is still under way, stays. Of a closed match this is told before its
        last word is shown.
        """
        ...

    async def say(self, venue: Venue, notice: Notice, game: str) -> None:
        """Tell a channel something, once; a channel that can't be told is left alone.

        Args:
            venue: the channel.
            notice: what it is told.
            game: the name of the game whose match it is about.
        """
        ...


@dataclass(frozen=True, slots=True)
class Typed:
    """A message of a person in a channel's history.

    Attributes:
        id: the message's id.
        user: who wrote it.
        text: what it says.
    """

    id: int
    user: int
    text: str


@dataclass(frozen=True, slots=True)
class OwnPost:
    """A message of the bot's own in a channel's history that shows a match.

    Attributes:
        id: the message's id.
        match: the match's own key.
        key: what the message shows, by its buttons; None when it has none.
    """

    id: int
    match: int
    key: str | None


class NotNowError(Exception):
    """Discord does not answer at present; later it may."""


class Channels(Protocol):
    """What can be looked up in Discord."""

    def history(self, venue: Venue, after: int) -> AsyncIterator[Typed | OwnPost]:
        """Yield what was written after a message id, oldest first, unedited messages only.

        Raises:
            NotNowError: it can't be read, or read on, at present.
        """
        ...

    async def strip(self, venue: Venue, message: int) -> None:
        """Take the buttons from a message of the bot's own; what can't be edited stays.

        Raises:
            NotNowError: Discord does not carry it out at present.
        """
        ...

    async def remove(self, venue: Venue, message: int) -> None:
        """Delete a message of the bot's own; what can't be deleted stays.

        Raises:
            NotNowError: Discord does not carry it out at present.
        """
        ...

    def is_hindered(self, venue: Venue) -> bool | None:
        """Return whether a match can't be shown in a channel; None where that is not known."""
        ...

    async def is_member(self, guild: int, user: int) -> bool:
        """Return whether somebody is in the server; in doubt, yes."""
        ...


class PlayedGame(Protocol):
    """A game, as running matches need it."""

    @property
    def machine(self) -> Machine[Any]:
        """What moves its matches."""
        ...

    def read(self, text: str, user: int, message: int) -> Action | None:
        """Return what a typed message does, or None for chat."""
        ...

    def stays(self, key: str) -> bool:
        """Whether a message that showed this stays in the channel, without its buttons."""
        ...

    def begins_round(self, events: Sequence[Event]) -> bool:
        """Whether these events begin a round: the time to look whether it can be shown."""
        ...

    def ends_round(self, events: Sequence[Event]) -> bool:
        """Whether these events end a round: the time to look who is still there."""
        ...


class Clock(Protocol):
    """Monotonic time and timers."""

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        ...

    def call_later(self, delay: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Call back once, after a delay in seconds."""
        ...
