"""What happened to a match, for those who announce it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Refusal(StrEnum):
    """Why something was not done."""

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
    """Something that happened."""


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """An action that changed nothing of weight.

    Attributes:
        user: whose it was.
        reason: why.
        wait_ms: how long until it would be accepted, where time decides.
    """

    user: int | None
    reason: Refusal
    wait_ms: int = 0


@dataclass(frozen=True, slots=True)
class Seated(Event):
    """Somebody took a seat."""

    user: int


@dataclass(frozen=True, slots=True)
class Configured(Event):
    """The host chose a setting."""

    user: int


@dataclass(frozen=True, slots=True)
class Unseated(Event):
    """Somebody gave up a seat, or was taken off it."""

    seat: int
    user: int | None


@dataclass(frozen=True, slots=True)
class HostChanged(Event):
    """The next seat is host now."""

    user: int


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The lobby is over, the deal comes next."""


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """The match stands still."""


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """The match goes on."""


@dataclass(frozen=True, slots=True)
class StopAsked(Event):
    """Somebody asked to stop; all seated people have to.

    Attributes:
        user: who asked; None when the request lapsed.
        missing: how many people have not asked.
    """

    user: int | None
    missing: int


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The match ended; the state says why and how."""


@dataclass(frozen=True, slots=True)
class RematchAsked(Event):
    """Somebody wants a rematch."""

    user: int


@dataclass(frozen=True, slots=True)
class RematchAgreed(Event):
    """A rematch starts with these people, in their old order."""

    users: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OfferEnded(Event):
    """No rematch any more."""
