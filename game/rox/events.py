"""What happened in a match of Rox."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from game.events import Event


class Fate(StrEnum):
    """What became of a claim, or that a card was put back."""

    TAKEN = "taken"
    LATE = "late"
    BUSY = "busy"
    WRONG = "wrong"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Claimed(Event):
    """A claim was decided.

    Attributes:
        fate: what became of it.
        seat: who claimed.
        number: the place claimed, or where the card was put back.
        owner: who has the card, when it was too late.
        wait_ms: how long the hand stays busy, when it was.
        id: the id of the claim.
        typed: whether that is the id of a message.
    """

    fate: Fate
    seat: int
    number: int
    owner: int | None
    wait_ms: int
    id: int
    typed: bool = False


@dataclass(frozen=True, slots=True)
class RoundBegan(Event):
    """A round is dealt; players get ready."""

    number: int


@dataclass(frozen=True, slots=True)
class TableCalled(Event):
    """The get-ready time is over: the open table is to be shown."""


@dataclass(frozen=True, slots=True)
class RaceOpened(Event):
    """The open table stands; claims count from here."""


@dataclass(frozen=True, slots=True)
class RaceEnded(Event):
    """The race is over and checked.

    Attributes:
        caller: who took a sixth card, or None.
    """

    caller: int | None


@dataclass(frozen=True, slots=True)
class Revealed(Event):
    """More of the check is shown: 1 the other rows, 2 the prizes."""

    step: int


@dataclass(frozen=True, slots=True)
class MadeReady(Event):
    """Somebody is ready for the next round."""

    user: int
