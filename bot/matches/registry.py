"""The registry of open matches, at most one per channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.matches.ports import CannotOpenError
from game.match import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.matches.runner import Runner


class ChannelBusyError(CannotOpenError):
    """The channel has a match already.

    Attributes:
        runner: the match, or None while it is being opened.
    """

    def __init__(self, runner: Runner | None) -> None:
        super().__init__()
        self.runner = runner


class Registry:
    """All matches of a process that are not closed, by key and by channel."""

    def __init__(self) -> None:
        self._matches: dict[int, Runner] = {}
        self._channels: dict[int, Runner | None] = {}
        self._offers: dict[int, Runner] = {}

    def __iter__(self) -> Iterator[Runner]:
        return iter(tuple(self._matches.values()))

    def get(self, match_id: int) -> Runner | None:
        """Return a match by its own key, unless it is closed."""
        return self._matches.get(match_id)

    def at(self, channel: int) -> Runner | None:
        """Return the match that is open in a channel, lobby included."""
        return self._channels.get(channel)

    def offer_at(self, channel: int) -> Runner | None:
        """Return the match of a channel that is over and offers a rematch."""
        return self._offers.get(channel)

    def reserve(self, channel: int) -> None:
        """Reserve a channel for a match that is being opened.

        Raises:
            ChannelBusyError: the channel has a match, or one is being opened.
        """
        if channel in self._channels:
            raise ChannelBusyError(self._channels[channel])
        self._channels[channel] = None

    def free(self, channel: int) -> None:
        """Free a channel whose match could not be opened."""
        del self._channels[channel]

    def add(self, runner: Runner) -> None:
        """Add a match."""
        self._matches[runner.id] = runner
        channel = runner.venue.channel
        if runner.match.phase is Phase.OVER:
            self._offers[channel] = runner
        elif not runner.match.is_over:
            self._channels[channel] = runner

    def update(self, runner: Runner) -> bool:
        """Update a match's entries to its phase; return whether it has just freed its channel."""
        channel = runner.venue.channel
        freed = runner.match.is_over and self._channels.get(channel) is runner
        if freed:
            del self._channels[channel]
            self._offers[channel] = runner
        if runner.match.phase is Phase.CLOSED:
            self.remove(runner)
        return freed

    def remove(self, runner: Runner) -> None:
        """Remove a closed match."""
        self._matches.pop(runner.id, None)
        if self._offers.get(runner.venue.channel) is runner:
            del self._offers[runner.venue.channel]
