"""What happened in a match of Rox."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from game.events import Event


class ClaimOutcome(StrEnum):
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
        outcome: what became of it.
        seat: who claimed.
        number: the place claimed, or where the card was put back.
        owner: who has the card, when it was too late.
        wait_ms: how long the hand stays busy, when it was.
        id: the id of the claim.
        typed: whether that is the id of a message.
    """

    outcome: ClaimOutcome
    seat: int
    number: int
    owner: int | None
    wait_ms: int
    id: int
    typed: bool = False


RECENT_CLAIMS: Final = 6


def with_claim(claims: tuple[Claimed, ...], claimed: Claimed) -> tuple[Claimed, ...]:
    """Return the recent claims with one more, oldest first.

    If one seat's claims are refused for the same reason several times in a row, only the newest
    of them is kept. Otherwise a player who types without a pause would crowd out all others.
    """
    before = next((claim for claim in reversed(claims) if claim.seat == claimed.seat), None)
    if before is not None and before.outcome is claimed.outcome in (
        ClaimOutcome.LATE,
        ClaimOutcome.BUSY,
        ClaimOutcome.WRONG,
    ):
        claims = tuple(claim for claim in claims if claim is not before)
    return (*claims, claimed)[-RECENT_CLAIMS:]


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
