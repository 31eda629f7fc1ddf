"""Events: what an action changed in a match, for the code that announces it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Refusal(StrEnum):
    """Why an action was refused."""

    NOT_SEATED = "not-seated"
    ALREADY_SEATED = "already-seated"
    TABLE_FULL = "table-full"
    HOST_STARTS = "host-starts"
    TOO_FEW = "too-few"
    ONLY_HOST_STOPS = "only-host-stops"
    ONLY_HOST_CHOOSES = "only-host-chooses"
    TOO_LATE_NOW = "too-late-now"
    NOT_PAUSED = "not-paused"
    NO_OFFER = "no-offer"
    RACE_CLOSED = "race-closed"
    NOTHING_TO_PUT_BACK = "nothing-to-put-back"
    NO_SUCH_NUMBER = "no-such-number"


@dataclass(frozen=True, slots=True)
class Event:
    """The base class of all events."""


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """An action was refused.

    Attributes:
        user: the user whose action it was, or None.
        reason: why it was refused.
        wait_ms: the time until the action would be accepted, or 0 if time does not matter.
    """

    user: int | None
    reason: Refusal
    wait_ms: int = 0


@dataclass(frozen=True, slots=True)
class Seated(Event):
    """A user took a seat in the lobby."""

    user: int


@dataclass(frozen=True, slots=True)
class Configured(Event):
    """The host chose a setting."""

    user: int


@dataclass(frozen=True, slots=True)
class Unseated(Event):
    """A seat was given up, or the game removed its player."""

    seat: int
    user: int | None


@dataclass(frozen=True, slots=True)
class HostChanged(Event):
    """The host left, and this user is the host now."""

    user: int


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The lobby ended; the deal comes next."""


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """The match is paused."""


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """The match goes on after a pause."""


@dataclass(frozen=True, slots=True)
class StopAsked(Event):
    """A player asked to stop the match, for which all players have to ask.

    Attributes:
        user: the player who asked; None when the request expired.
        missing: how many players have not asked.
    """

    user: int | None
    missing: int


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The match ended; `Match.end` and `Match.result` say how."""


@dataclass(frozen=True, slots=True)
class RematchAsked(Event):
    """A player asked for a rematch."""

    user: int


@dataclass(frozen=True, slots=True)
class RematchAgreed(Event):
    """A rematch starts with these users, in the order of their seats."""

    users: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OfferEnded(Event):
    """The offer of a rematch ended without a rematch."""
