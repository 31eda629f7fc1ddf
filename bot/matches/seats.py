"""The seats that people have in open matches: one per person and server."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bot.matches.ports import CannotOpenError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from bot.matches.ports import LiveMatch, Venue


class SeatedElsewhereError(CannotOpenError):
    """A user has a seat in another match of the server.

    Attributes:
        user: the user's id.
        venue: where that match is played.
    """

    def __init__(self, user: int, venue: Venue) -> None:
        super().__init__()
        self.user = user
        self.venue = venue


class Seats:
    """The seats of people in a process's open matches.

    A check and the change that depends on it have no await in between; otherwise two presses at the
    same time could seat a user twice.
    """

    def __init__(self) -> None:
        self._seats: dict[tuple[int, int], Venue] = {}
        self._joining: Counter[tuple[int, int]] = Counter()

    def of(self, guild: int, user: int) -> Venue | None:
        """Return where a user has a seat in a server, or None."""
        return self._seats.get((guild, user))

    def take(self, venue: Venue, users: Iterable[int]) -> None:
        """Seat users in a match that is being opened.

        Raises:
            SeatedElsewhereError: one of them has a seat in another match; then nobody is seated.
        """
        users = tuple(users)
        for user in users:
            elsewhere = self.of(venue.guild, user)
            if elsewhere is not None:
                raise SeatedElsewhereError(user, elsewhere)
        for user in users:
            self._seats[venue.guild, user] = venue

    def give_up(self, venue: Venue, users: Iterable[int]) -> None:
        """Free the seats of users in a match that could not be opened."""
        for user in users:
            del self._seats[venue.guild, user]

    @contextmanager
    def joining(self, live: LiveMatch, user: int) -> Generator[None]:
        """Reserve a seat for a user while the join is being decided.

        Raises:
            SeatedElsewhereError: the user has a seat in another match of the server.
        """
        key = (live.venue.guild, user)
        seated = self._seats.setdefault(key, live.venue)
        if seated != live.venue:
            raise SeatedElsewhereError(user, seated)
        self._joining[key] += 1
        try:
            yield
        finally:
            self._joining[key] -= 1
            if not self._joining[key]:
                del self._joining[key]
            self.update(live)

    def update(self, live: LiveMatch) -> None:
        """Update the seats of a match to its people, and keep seats reserved by `joining`."""
        venue, match = live.venue, live.match
        users = () if match.is_over else match.people
        for key, seated in tuple(self._seats.items()):
            if seated == venue and key[1] not in users and key not in self._joining:
                del self._seats[key]
        for user in users:
            self._seats.setdefault((venue.guild, user), venue)
