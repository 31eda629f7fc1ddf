"""Ports: protocols for the parts of the bot that running matches use, and their values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from random import Random

    from bot.matches.server_time import Clock, ServerTime
    from game.actions import Action
    from game.events import Event
    from game.machine import Machine
    from game.match import End, Match, Result


Press: TypeAlias = Any
"""An interaction of discord.py, which running matches pass on without using it."""


@dataclass(frozen=True, slots=True)
class Venue:
    """The server and the channel in which a match is played, as Discord's ids."""

    guild: int
    channel: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a match's log.

    Attributes:
        seq: its number in the log, from 0.
        action: the action.
    """

    seq: int
    action: Action


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended.

    Attributes:
        reason: why it ended.
        result: its result, or None if it is void.
        ended_ms: when it ended, in milliseconds of Discord's ids.
    """

    reason: End
    result: Result | None
    ended_ms: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Changes of one match that are recorded in one transaction.

    Attributes:
        match: the match's own key.
        entries: new lines of its log, in order.
        ending: how the match ended, in the batch that ends it; standings change with it.
        closed: whether nothing is left to do for the match: its last message is posted, and a
            rematch that was agreed is open.
    """

    match: int
    entries: tuple[Entry, ...]
    ending: Ending | None = None
    closed: bool = False


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as loaded from the store.

    Attributes:
        id: its own key.
        venue: where it is played.
        game: the game's name.
        version: the version of the rules that it was played by.
        lines: id, kind and values of each action of its log, in order; decoding them can fail if
            the version is unknown.
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


class CannotOpenError(Exception):
    """A match can't be opened here now."""


class ClosingError(CannotOpenError):
    """The bot is about to stop."""


class CannotSaveError(CannotOpenError):
    """Nothing can be recorded at present."""


class Store(Protocol):
    """Stores matches. When a call returns, its changes are committed."""

    async def create(self, venue: Venue, log: Sequence[Action]) -> int:
        """Record a new match with its first actions and return its key.

        Raises:
            ChannelTakenError: the channel has an open match already.
            StoreUnavailableError: nothing can be recorded at present.
        """
        ...

    async def record(self, batch: Batch) -> None:
        """Append to a match's log, and end or close the match if the batch says so.

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
            LookupError: the match does not exist.
            StoreUnavailableError: nothing can be read at present.
        """
        ...


class LiveMatch(Protocol):
    """The part of a running match that the display uses."""

    id: int
    venue: Venue

    @property
    def match(self) -> Match[Any]:
        """The newest committed state."""
        ...

    def post_shown(self, key: str, message: int) -> None:
        """Note that a message in the channel shows the match.

        Args:
            key: the key of the state that the message shows.
            message: its id.
        """
        ...

    def pause_unwritable(self, *, passing: bool = False) -> None:
        """Pause the match, because its channel can't be written to.

        Args:
            passing: whether the bot has the permissions and Discord only failed to carry out calls.
        """
        ...

    def rebuild(self) -> None:
        """Load the match from its log and show it again, after a fault in the display."""
        ...

    def close(self, reason: End) -> None:
        """End the match from outside."""
        ...

    def mark_announced(self) -> None:
        """Note that the last message of a closed match is posted, or can't be."""
        ...


class Notice(StrEnum):
    """Notices that are posted in a channel in addition to a match's own messages."""

    RESTARTING = "restarting"
    UNKNOWN_RULES = "unknown-rules"
    CANNOT_SAVE = "cannot-save"
    SAVES_AGAIN = "saves-again"
    BROKEN = "broken"
    NO_REMATCH = "no-rematch"


class Display(Protocol):
    """Shows matches in their channels. Calls return at once; the newest state wins."""

    def show(self, live: LiveMatch, events: Sequence[Event]) -> None:
        """Show a match that these events have changed."""
        ...

    def post_again(self, live: LiveMatch) -> None:
        """Show a match in a new message."""
        ...

    def remove_unknown(self, live: LiveMatch, message: int) -> None:
        """Remove a message that shows a match but is not in its log.

        It is removed after the match's next message is posted. If it turns out to be that message,
        because the answer to its post was late, it stays. For a closed match this must be called
        before its last message is shown.
        """
        ...

    async def say(self, venue: Venue, notice: Notice, game: str) -> None:
        """Post a notice once; a channel that can't be written to gets none.

        Args:
            venue: the channel.
            notice: the notice.
            game: the name of the game whose match it is about.
        """
        ...

    def pressed(self, live: LiveMatch, press: Press) -> None:
        """Note an acknowledged press on a match's message; its token can edit the message."""
        ...

    def follow(self, live: LiveMatch, press: Press) -> bool:
        """Show the presser a private message and keep it up to date; False if there is none now."""
        ...

    async def draw(self, scene: Any, theme: str) -> bytes:
        """Return a picture as a PNG file, drawn off the event loop."""
        ...


@dataclass(frozen=True, slots=True)
class Typed:
    """A message of a person in a channel's history.

    Attributes:
        id: the message's id.
        user: its author's id.
        text: its content.
    """

    id: int
    user: int
    text: str


@dataclass(frozen=True, slots=True)
class OwnPost:
    """A message of the bot in a channel's history that shows a match.

    Attributes:
        id: the message's id.
        match: the match's own key.
        key: the key of the state that the message shows, read from its buttons; None without any.
    """

    id: int
    match: int
    key: str | None


class NotNowError(Exception):
    """Discord fails to answer or to carry out a call at present; trying again later can help."""


class Channels(Protocol):
    """The calls to Discord, for channels and members, that running matches need."""

    def history(self, venue: Venue, after: int) -> AsyncIterator[Typed | OwnPost]:
        """Yield people's unedited messages, and the bot's, after a message id, oldest first.

        Raises:
            NotNowError: the history can't be read, or read on, at present.
        """
        ...

    async def remove_buttons(self, venue: Venue, message: int) -> None:
        """Remove the buttons from a message of the bot, if it can be edited.

        Raises:
            NotNowError: Discord does not carry it out at present.
        """
        ...

    async def delete(self, venue: Venue, message: int) -> None:
        """Delete a message of the bot, if it can be deleted.

        Raises:
            NotNowError: Discord does not carry it out at present.
        """
        ...

    def is_unwritable(self, venue: Venue) -> bool | None:
        """Return whether a match can't be shown in a channel; None if that is unknown."""
        ...

    async def is_member(self, guild: int, user: int) -> bool:
        """Return whether a user is in the server; True if Discord does not say."""
        ...


class PlayedGame(Protocol):
    """The part of a game that running matches use."""

    @property
    def machine(self) -> Machine[Any]:
        """The machine of the game."""
        ...

    def read(self, text: str, user: int, message: int) -> Action | None:
        """Return the action that a typed message means, or None for chat."""
        ...

    def stays(self, key: str) -> bool:
        """Return whether a message with this key is kept, without its buttons, or deleted."""
        ...

    def begins_round(self, events: Sequence[Event]) -> bool:
        """Return whether these events begin a round; then the permissions are checked."""
        ...

    def ends_round(self, events: Sequence[Event]) -> bool:
        """Return whether these events end a round; then it is checked who has left the server."""
        ...


@dataclass(slots=True)
class MatchServices:
    """The services that all matches of a process share.

    Attributes:
        store: records matches.
        display: shows matches.
        channels: makes calls to Discord for channels and members.
        clock: monotonic time.
        time: Discord's time.
        random: the source of random decisions.
        settle: how long an action is held for earlier ones, in seconds.
    """

    store: Store
    display: Display
    channels: Channels
    clock: Clock
    time: ServerTime
    random: Random
    settle: float
